/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what the operations and marks of lightcone/record.h cost their caller when nobody waits. */
#include <errno.h>

#include "lightcone/record.h"
#include "measure.h"

enum
{
  MESSAGE = 64, /* bytes: few enough that the time to copy them does not matter beside the time to send them */
};

static struct lc_crew crews[LC_BATCH];
static struct lc_sync sync_variable;
static struct lc_semaphore semaphores[LC_BATCH];
static struct lc_barrier barrier;
static struct lc_channel channel;
static unsigned char message[MESSAGE];

static void
library_read_start (unsigned int object, unsigned int i)
{
  lc_read_start (&crews[object]);
}

static void
read_end (unsigned int object, unsigned int i)
{
  lc_read_end (&crews[object]);
}

static void
library_write_start (unsigned int object, unsigned int i)
{
  lc_write_start (&crews[object]);
}

static void
write_end (unsigned int object, unsigned int i)
{
  lc_write_end (&crews[object]);
}

static void
library_advance (unsigned int object, unsigned int i)
{
  lc_advance (&sync_variable, i);
}

static void
library_await (unsigned int object, unsigned int i)
{
  lc_await (&sync_variable, i);
}

static void
calibrate_library_post (unsigned int object, unsigned int i)
{
  lc_semaphore_post (&semaphores[object]);
}

static void
calibrate_library_take (unsigned int object, unsigned int i)
{
  lc_semaphore_wait (&semaphores[object]);
}

static void
library_gather (unsigned int object, unsigned int i)
{
  lc_barrier_wait (&barrier);
}

static void
library_send_message (unsigned int object, unsigned int i)
{
  lc_send (&channel, message, sizeof message);
}

static void
library_receive_message (unsigned int object, unsigned int i)
{
  lc_receive (&channel, message);
}

static void
library_tag (unsigned int object, unsigned int i)
{
  lc_tag (i);
}

static void
library_enter (unsigned int object, unsigned int i)
{
  lc_enter ("calibration");
}

static void
library_leave (unsigned int object, unsigned int i)
{
  lc_leave ("calibration");
}

static void
library_prepare (void)
{
  int error = 0;

  for (unsigned int i = 0; i < LC_BATCH; i++)
    {
      error |= lc_crew_init (&crews[i], NULL);
      error |= lc_semaphore_init (&semaphores[i], NULL, 0);
    }
  error |= lc_sync_init (&sync_variable, NULL, 0, LC_WARM_UP + 2 * LC_BATCH);
  error |= lc_barrier_init (&barrier, NULL, 1);
  error |= lc_channel_init (&channel, NULL, LC_BATCH, MESSAGE);
  if (error != 0)
    lc_fail ("lightcone/record.h", error);
}

/* The stamp that the function takes in its body ends the entry and begins the exit. */
static void
measure_functions (struct lc_log *log)
{
  struct lc_series *enters = lc_log_series (log, "enter", "function", LC_STAMPS_EVENT);
  struct lc_series *leaves = lc_log_series (log, "leave", "function", LC_STAMPS_EVENT);
  struct lc_series *both = lc_log_series (log, "enter", "function", LC_STAMPS_LOOP);
  uint64_t begin;

  enters->head.batch = leaves->head.batch = LC_BATCH;
  for (unsigned int i = 0; i < LC_WARM_UP + LC_BATCH; i++)
    {
      uint64_t before = lc_now (), inside, after;

      lc_instrumented (&inside);
      after = lc_now ();
      if (i < LC_WARM_UP)
        continue;
      lc_log_add (enters, before, inside);
      lc_log_add (leaves, inside, after);
    }
  both->head.repeat = LC_BATCH;
  lc_log_partner (both, "leave");
  begin = lc_now ();
  for (unsigned int i = 0; i < LC_BATCH; i++)
    lc_instrumented_empty ();
  lc_log_add (both, begin, lc_now ());
}

void
lc_measure_library (struct lc_log *log)
{
  static bool prepared;

  if (!prepared)
    library_prepare ();
  prepared = true;
  lc_measure (log, "library", "read-start", library_read_start, "read-end", read_end);
  lc_measure (log, "library", "write-start", library_write_start, "write-end", write_end);
  lc_sync_reset (&sync_variable);
  lc_measure (log, "library", "advance", library_advance, "await", library_await);
  lc_measure (log, "library", "post", calibrate_library_post, "wait", calibrate_library_take);
  lc_measure (log, "library", "barrier", library_gather, NULL, NULL);
  lc_measure (log, "library", "send", library_send_message, "recv", library_receive_message);
  if (!log->recorded)
    return;
  lc_measure (log, "library", "tag", library_tag, NULL, NULL);
  lc_measure (log, "library", "enter", library_enter, "leave", library_leave);
  measure_functions (log);
}
