/* SPDX-License-Identifier: Apache-2.0 */
/* What the workload has timed so far, and how it is to go about it. */
#ifndef LC_CALIBRATE_LOG_H
#define LC_CALIBRATE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "record/clock.h"
#include "stamps.h"

enum
{
  LC_SERIES = 512,
  LC_BATCH = 256, /* operations in one go */
  LC_WARM_UP = 32,
};

struct lc_series
{
  struct lc_stamps_series head;
  struct lc_stamps_pair *pairs;
  uint32_t room;
};

struct lc_log
{
  bool recorded;
  uint32_t passes; /* of operations that do not wait */
  uint32_t rounds; /* of those that do */
  uint64_t budget; /* ns for each of both */
  uint32_t cpus;
  uint32_t threads; /* made so far: the number of the last one's process in the recording */
  struct lc_series series[LC_SERIES];
  uint32_t n_series;
};

/* Finds the series, or begins it. Memory that is short ends the workload, as everything does that goes wrong. */
struct lc_series *lc_log_series (struct lc_log *log, const char *operation, const char *interface,
                                 enum lc_stamps_kind kind);

/* Messages of so many bytes to and from this rank. */
struct lc_series *lc_log_message (struct lc_log *log, uint32_t bytes, uint32_t peer);

/* NULL: it has none. */
void lc_log_partner (struct lc_series *series, const char *operation);

void lc_log_grow (struct lc_series *series);
void lc_log_write (const struct lc_log *log, const char *path);
void lc_fail (const char *what, int error) __attribute__ ((noreturn));

static inline void
lc_log_add (struct lc_series *series, uint64_t before, uint64_t after)
{
  if (__builtin_expect (series->head.count == series->room, 0))
    lc_log_grow (series);
  series->pairs[series->head.count++] = (struct lc_stamps_pair){before, after};
}

/* On a busy machine it would take too long to do all: so much has been done since `begin` that it is enough. */
bool lc_enough (const struct lc_log *log, uint64_t begin, uint32_t done);

/* The parts of the workload. */
void lc_measure_pthread (struct lc_log *log);
void lc_measure_library (struct lc_log *log);
void lc_measure_threads (struct lc_log *log);
void lc_measure_waiting (struct lc_log *log);
void lc_measure_barriers (struct lc_log *log);

/* instrumented.c: functions that the compiler has instrumented; one tells when it was in its body. */
void lc_instrumented (uint64_t *inside);
void lc_instrumented_empty (void);
uint64_t lc_now_in_function (void);

/* For the calling thread: the n-th of the processors that we may use, if there are several. */
void lc_pin (const struct lc_log *log, unsigned int n);

/* Between two looks at what another thread has to do first. */
void lc_relax (const struct lc_log *log);
void lc_pause (const struct lc_log *log, uint64_t ns);

#endif
