/* SPDX-License-Identifier: Apache-2.0 */
/* The stamps that the workload has taken, and the parameters of its measurements. */
#ifndef LC_CALIBRATE_LOG_H
#define LC_CALIBRATE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "record/clock.h"
#include "stamps.h"

enum
{
  LC_SERIES = 512,
  LC_BATCH = 256, /* operations in a batch */
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
  bool trapped;    /* recorded with --futex all: only what is trapped then is of interest */
  uint32_t passes; /* batches of operations that do not wait */
  uint32_t rounds; /* of operations that wait */
  uint64_t budget; /* ns for passes, and ns for rounds */
  uint32_t cpus;
  uint32_t threads; /* threads made so far, which is the process number of the last one in the recording */
  struct lc_series series[LC_SERIES];
  uint32_t n_series;
};

/* Finds a series, or begins it. Any failure, such as a lack of memory, ends the workload. */
struct lc_series *lc_log_series (struct lc_log *log, const char *operation, const char *interface,
                                 enum lc_stamps_kind kind);

/* Finds the series of messages of this size to and from this rank. */
struct lc_series *lc_log_message (struct lc_log *log, uint32_t bytes, uint32_t peer);

/* Sets the partner of a series; NULL: none. */
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

/* Tells whether to stop early, as on a busy machine: at least a few passes or rounds are done, and the budget since
 * `begin` is used up. */
bool lc_enough (const struct lc_log *log, uint64_t begin, uint32_t done);

/* The parts of the workload. */
void lc_measure_pthread (struct lc_log *log);
void lc_measure_library (struct lc_log *log);
void lc_measure_files (struct lc_log *log);
void lc_measure_futexes (struct lc_log *log);
void lc_measure_trapped (struct lc_log *log);
/* Before any thread keeps to a processor, for the library looks then how many there are. */
void lc_load_openmp (void);

void lc_measure_openmp (struct lc_log *log);
void lc_measure_openmp_waiting (struct lc_log *log);
void lc_measure_threads (struct lc_log *log);
void lc_measure_waiting (struct lc_log *log);
void lc_measure_barriers (struct lc_log *log);

/* instrumented.c: functions that the compiler has instrumented. The first one stamps its body. */
void lc_instrumented (uint64_t *inside);
void lc_instrumented_empty (void);
uint64_t lc_now_in_function (void);

/* Pins the calling thread to the n-th of the allowed processors, if there are several. */
void lc_pin (const struct lc_log *log, unsigned int n);

/* Lets another thread run between two looks at what it has to do first. */
void lc_relax (const struct lc_log *log);
void lc_pause (const struct lc_log *log, uint64_t ns);

#endif
