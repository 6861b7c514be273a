/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up how long the processes on the critical path did not go on of themselves, by why: they had no processor, they
 * slept, they were outside of the program, or nobody knows. */
#include <string.h>

#include "path.h"

typedef enum
{
  OFF_UNSEEN,
  OFF_SLEEPING,
  OFF_FINALIZING,
  OFF_OUTSIDE,
} OffKind;

static guint8
off_kind_of (const LcHistoryOperation *operation)
{
  if (operation == NULL || g_strcmp0 (operation->class_name, "io") != 0)
    return OFF_UNSEEN;
  if (strcmp (operation->name, "sleep") == 0)
    return OFF_SLEEPING;
  return strcmp (operation->name, "finalize") == 0 ? OFF_FINALIZING : OFF_OUTSIDE;
}

void
lc_path_off_init (LcPathOff *off, LcCriticalPath *path)
{
  const guint32 n = lc_history_get_n_operations (path->history);

  off->summary = &path->summary;
  off->kinds = g_new0 (guint8, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    off->kinds[i] = off_kind_of (lc_history_get_operation (path->history, i));
  off->outside = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  path->summary.outside_operation = path->summary.outside_object = LC_TRACE_NONE;
}

void
lc_path_off_clear (LcPathOff *off)
{
  g_clear_pointer (&off->outside, g_hash_table_unref);
  g_clear_pointer (&off->kinds, g_free);
}

/* The operation and object that took longest stand for all, of several the first one that the path comes to. */
static void
off_add_outside (LcPathOff *off, const LcHistoryEvent *event, guint64 time)
{
  const guint64 key = (guint64)event->operation << 32 | event->object;
  guint64 *sum = g_hash_table_lookup (off->outside, &key);

  if (sum == NULL)
    {
      sum = g_new0 (guint64, 1);
      g_hash_table_insert (off->outside, g_memdup2 (&key, sizeof key), sum);
    }
  *sum += time;
  off->summary->outside += time;
  if (*sum <= off->summary->outside_most)
    return;
  off->summary->outside_most = *sum;
  off->summary->outside_operation = event->operation;
  off->summary->outside_object = event->object;
}

void
lc_path_off_add_event (LcPathOff *off, const LcHistoryEvent *event, guint64 length)
{
  const guint64 time = event->flags & LC_HISTORY_EVENT_OUTSIDE ? length : MIN (event->waited, length);

  if (time == 0)
    return;
  off->summary->unseen += time;
  if (event->flags & LC_EVENT_TIMED_OUT || off->kinds[event->operation] == OFF_SLEEPING)
    off->summary->sleeping += time;
  else if (off->kinds[event->operation] == OFF_FINALIZING)
    off->summary->finalizing += time;
  else if (off->kinds[event->operation] == OFF_OUTSIDE)
    off_add_outside (off, event, time);
}

gboolean
lc_path_off_add_computing (LcPathOff *off, LcHistoryWalk *events, guint32 process, guint64 ordinal, guint64 from,
                           guint64 to, GError **error)
{
  guint64 times[LC_PROCESS_STATES] = {0};

  if (from == to)
    return TRUE;
  if (!lc_history_walk_sum_before (events, process, ordinal, from, to, times, error))
    return FALSE;
  off->summary->preempted += times[LC_IS_PREEMPTED];
  off->summary->blocked += times[LC_IS_UNSEEN] + times[LC_IS_OUTSIDE];
  return TRUE;
}
