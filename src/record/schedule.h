/* SPDX-License-Identifier: Apache-2.0 */
/* What is loaded into a program whose threads are to run one at a time. */
#ifndef LC_RECORD_SCHEDULE_H
#define LC_RECORD_SCHEDULE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "lightcone/schedule-plan.h"
#include "lightcone/trace-format.h"

#define LC_SCHEDULE_EXPORT __attribute__ ((visibility ("default")))

enum lc_scheduled_state
{
  LC_SCHEDULED_READY,
  LC_SCHEDULED_BLOCKED,
  LC_SCHEDULED_OUTSIDE, /* it runs or waits without having its turn */
  LC_SCHEDULED_ENDED,
};

/* A thread of the program. */
struct lc_scheduled
{
  uint32_t number;         /* in the plan */
  uint32_t state;          /* enum lc_scheduled_state */
  uint32_t go;             /* 1: it has the turn */
  uint32_t id;             /* of the system */
  uint32_t n_made;         /* threads that it has made */
  uint32_t rounds;         /* of its destructors */
  uint32_t failures;       /* attempts that failed, one after the other */
  bool is_locking;         /* it waits for what the library itself shares */
  bool is_inside;          /* in an operation: those of a signal handler are free */
  bool has_limit, is_over; /* its wait ends at `limit`; it has */
  bool is_cancelled;
  int64_t priority;
  uint64_t since;       /* number of its wait */
  uint64_t limit;       /* in the time that passes only while nobody else can go on */
  const void *address;  /* that it is blocked on */
  uint32_t pending;     /* the operation that it is about to begin, or 0 */
  uint32_t counts[256]; /* of its operations, by kind */
  pthread_t name;
  uint32_t has_name;
  void *(*routine) (void *);
  int (*c11_routine) (void *);
  void *argument;
};

/* Returns the calling thread if it takes turns and is not inside another operation; NULL: the caller only calls the
 * real function. Until lc_schedule_leave it is inside. */
struct lc_scheduled *lc_schedule_enter (void);
void lc_schedule_leave (struct lc_scheduled *self);

/* Waits for the turn of an operation that is about to begin. 0: of one that is not counted. */
void lc_schedule_point (struct lc_scheduled *self, uint32_t operation);

/* Lets others go before, if there are any. */
void lc_schedule_yield (struct lc_scheduled *self);

/* Counts an operation that has been carried out. */
void lc_schedule_done (struct lc_scheduled *self, uint32_t operation);

/* A coin; false if nothing is left to chance. */
bool lc_schedule_toss (void);

/* Lets others go on until somebody wakes this address, or nobody can go on and the time, ns from now, is over: false. A
 * negative time is never over. */
bool lc_schedule_block (struct lc_scheduled *self, const void *address, int64_t time);

/* Lets the first, or all, of those go on that are blocked on an address, and returns their number. */
uint32_t lc_schedule_wake (const void *address, uint32_t most);

/* The same for who takes no turns, or is interrupted by a signal in the middle of another operation. */
void lc_schedule_wake_outside (const void *address, uint32_t most);

/* How many are blocked on an address. */
uint32_t lc_schedule_count (const void *address);

/* Ends the wait of a thread that is to be cancelled. */
void lc_schedule_cancel (struct lc_scheduled *other);

/* A thread that is about to be made by this one. NULL: there is no room for more. */
struct lc_scheduled *lc_schedule_new (struct lc_scheduled *self);
void lc_schedule_not_made (struct lc_scheduled *self, struct lc_scheduled *made);

/* The first thing that a thread does, and the last. */
void lc_schedule_begin_thread (struct lc_scheduled *self);
void lc_schedule_end_thread (struct lc_scheduled *self);

/* Finds a thread that has not been joined by its name. NULL: it takes no turns. */
struct lc_scheduled *lc_schedule_named (pthread_t name);
void lc_schedule_set_name (struct lc_scheduled *thread, pthread_t name);

/* schedule-threads.c */
void lc_schedule_threads_begin (struct lc_scheduled *self);

#endif
