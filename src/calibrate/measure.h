/* SPDX-License-Identifier: Apache-2.0 */
/* Timing of operations that do not wait: recorded ones singly and in a loop, unrecorded ones many at once. */
#ifndef LC_CALIBRATE_MEASURE_H
#define LC_CALIBRATE_MEASURE_H

#include "log.h"

/*
 * An operation on an object of its kind (number `object`), as the i-th of its batch. Operations are always inlined,
 * because a call through a pointer would be timed too.
 */
typedef void lc_operation (unsigned int object, unsigned int i);

#define LC_INLINE static inline __attribute__ ((always_inline))

LC_INLINE void
lc_measure_one (struct lc_series *series, lc_operation *operation, unsigned int i)
{
  uint64_t before = lc_now (), after;

  operation (0, i);
  after = lc_now ();
  if (i >= LC_WARM_UP)
    lc_log_add (series, before, after);
}

/* Times single operations, recorded or not. */
LC_INLINE void
lc_measure_each (struct lc_log *log, const char *interface, const char *first_name, lc_operation *first,
                 const char *second_name, lc_operation *second)
{
  const enum lc_stamps_kind kind = log->recorded ? LC_STAMPS_EVENT : LC_STAMPS_COST;
  struct lc_series *a = lc_log_series (log, first_name, interface, kind);
  struct lc_series *b = second != NULL ? lc_log_series (log, second_name, interface, kind) : NULL;

  a->head.batch = LC_BATCH;
  if (second != NULL)
    b->head.batch = LC_BATCH;
  for (unsigned int i = 0; i < LC_WARM_UP + LC_BATCH; i++)
    {
      lc_measure_one (a, first, i);
      if (second != NULL)
        lc_measure_one (b, second, i);
    }
}

LC_INLINE void
lc_measure_loop (struct lc_log *log, const char *interface, const char *first_name, lc_operation *first,
                 const char *second_name, lc_operation *second)
{
  struct lc_series *series = lc_log_series (log, first_name, interface, LC_STAMPS_LOOP);
  uint64_t before;

  series->head.repeat = LC_BATCH;
  lc_log_partner (series, second_name);
  before = lc_now ();
  for (unsigned int i = LC_WARM_UP + LC_BATCH; i < LC_WARM_UP + 2 * LC_BATCH; i++)
    {
      first (0, i);
      if (second != NULL)
        second (0, i);
    }
  lc_log_add (series, before, lc_now ());
}

/* Times a batch, each operation on its own object, because a held lock could not be locked again. The first time warms
 * up. */
LC_INLINE void
lc_measure_many (struct lc_log *log, const char *interface, const char *name, lc_operation *operation,
                 unsigned int first)
{
  struct lc_series *series = lc_log_series (log, name, interface, LC_STAMPS_COST);
  uint64_t before = lc_now (), after;

  series->head.repeat = LC_BATCH;
  for (unsigned int i = 0; i < LC_BATCH; i++)
    operation (i, first + i);
  after = lc_now ();
  if (first > 0)
    lc_log_add (series, before, after);
}

/* Times a batch of two operations that undo each other, or of a single one if the second is NULL. */
LC_INLINE void
lc_measure (struct lc_log *log, const char *interface, const char *first_name, lc_operation *first,
            const char *second_name, lc_operation *second)
{
  if (log->recorded)
    {
      lc_measure_each (log, interface, first_name, first, second_name, second);
      lc_measure_loop (log, interface, first_name, first, second_name, second);
      return;
    }
  for (unsigned int i = 0; i <= LC_BATCH; i += LC_BATCH)
    {
      lc_measure_many (log, interface, first_name, first, i);
      if (second != NULL)
        lc_measure_many (log, interface, second_name, second, i);
    }
}

#endif
