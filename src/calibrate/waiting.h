/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads that take turns at waiting for each other. */
#ifndef LC_CALIBRATE_WAITING_H
#define LC_CALIBRATE_WAITING_H

#include "log.h"

/* A pair of operations: `acquire` waits for `release`, and the other functions prepare and undo that. Only these two
 * must not be NULL. */
struct lc_waiting
{
  const char *operation, *interface;
  bool only_sleeps;      /* `acquire` never spins before it sleeps */
  bool times_release;    /* `operation` is the release, which need not wait because the partner is already there */
  void (*hold) (void);   /* by the releasing thread, before the other one begins */
  void (*before) (void); /* by the waiting thread, before it waits */
  void (*allow) (void);  /* by the releasing thread, while the other one waits */
  void (*release) (void);
  void (*acquire) (void);
  void (*after) (void); /* by the thread that has waited */
  bool only_spins;      /* `acquire` does not sleep within the time that is measured here */
};

/* The words by which the two threads take turns; each is written by one thread and read by the other. */
struct lc_partner
{
  const struct lc_log *log;
  const struct lc_waiting *waiting; /* NULL: there are no more turns */
  uint32_t turn __attribute__ ((aligned (64)));
  uint32_t begun __attribute__ ((aligned (64)));
  uint32_t ended;
  uint64_t end;
};

/* The waiting thread's part, on the second processor, until the other one has measured all. Returns NULL. */
void *lc_wait_each_turn (void *partner);

/* The releasing thread's part. Returns the number of rounds. */
uint32_t lc_measure_turns (struct lc_log *log, struct lc_partner *partner, const struct lc_waiting *all, size_t n);

#endif
