/* SPDX-License-Identifier: Apache-2.0 */
/* Reads absences once, beside the events, and keeps of them only how long they were so far. */
#include "preemption.h"

enum
{
  PREEMPTION_BATCH = 32,
};

/* The times of a process, as one process asks for them. */
typedef struct
{
  LcAbsences *absences; /* NULL: there are none, or no more */
  LcAbsence batch[PREEMPTION_BATCH];
  gssize at, n;
  gint64 last; /* time of the last question */
  gint64 sum;  /* of all that end before */
} Preempted;

struct _LcPreemption
{
  LcTrace *trace;
  GHashTable *times; /* asker << 32 | process -> Preempted, owned */
  guint unknown;
};

static void
preemption_close (Preempted *times)
{
  g_clear_pointer (&times->absences, lc_absences_close);
  times->at = times->n = 0;
  times->last = times->sum = 0;
}

static void
preemption_clear (gpointer data)
{
  preemption_close (data);
  g_free (data);
}

LcPreemption *
lc_preemption_new (LcTrace *trace)
{
  LcPreemption *preemption = g_new0 (LcPreemption, 1);

  preemption->trace = trace;
  preemption->times = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, preemption_clear);
  return preemption;
}

void
lc_preemption_free (LcPreemption *preemption)
{
  if (preemption == NULL)
    return;
  g_hash_table_unref (preemption->times);
  g_free (preemption);
}

/* What cannot be read counts as the end. */
static gboolean
preemption_load (Preempted *times)
{
  if (times->at < times->n)
    return TRUE;
  if (times->absences == NULL)
    return FALSE;
  times->at = 0;
  times->n = lc_absences_next (times->absences, times->batch, PREEMPTION_BATCH, NULL);
  if (times->n > 0)
    return TRUE;
  times->n = 0;
  g_clear_pointer (&times->absences, lc_absences_close);
  return FALSE;
}

/* Sums up all before a time. */
static gint64
preemption_sum_before (const LcPreemption *preemption, Preempted *times, guint32 process, gint64 time)
{
  if (time < times->last)
    {
      preemption_close (times);
      times->absences = lc_trace_open_absences (preemption->trace, process, NULL);
    }
  times->last = time;
  for (; preemption_load (times); times->at++)
    {
      const LcAbsence *absence = &times->batch[times->at];

      if (absence->end > time)
        return times->sum + (absence->kind == LC_ABSENCE_PREEMPTED ? MAX (0, time - MIN (time, absence->begin)) : 0);
      if (absence->kind == LC_ABSENCE_PREEMPTED)
        times->sum += absence->end - absence->begin;
    }
  return times->sum;
}

static Preempted *
preemption_find (LcPreemption *preemption, guint32 asker, guint32 process)
{
  const gint64 key = (gint64)((guint64)asker << 32 | process);
  Preempted *times = g_hash_table_lookup (preemption->times, &key);

  if (times != NULL)
    return times;
  times = g_new0 (Preempted, 1);
  times->absences = lc_trace_open_absences (preemption->trace, process, NULL);
  preemption->unknown += times->absences == NULL && asker == process;
  g_hash_table_insert (preemption->times, g_memdup2 (&key, sizeof key), times);
  return times;
}

gint64
lc_preemption_sum (LcPreemption *preemption, guint32 asker, guint32 process, guint64 from, guint64 to)
{
  Preempted *times;
  gint64 before;

  if (from >= to)
    return 0;
  times = preemption_find (preemption, asker, process);
  before = preemption_sum_before (preemption, times, process, (gint64)from);
  return preemption_sum_before (preemption, times, process, (gint64)to) - before;
}

guint
lc_preemption_count_unknown (const LcPreemption *preemption)
{
  return preemption->unknown;
}
