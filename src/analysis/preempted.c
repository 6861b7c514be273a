/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the preempted spans of the processes that are asked about, as far as there is memory for them. */
#include "preempted.h"

#include "lightcone/states.h"

/* Spans of all processes together, 96 MiB. */
#define MOST_SPANS (1u << 22)

typedef struct
{
  guint64 begin, end;
  guint64 before; /* the sum of all that lie before */
} PreemptedSpan;

struct _LcPreempted
{
  LcHistory *history;
  GCancellable *cancellable;
  guint32 timeline;
  GHashTable *kept;  /* process -> GArray of PreemptedSpan, owned */
  guint n_spans;     /* of all of them */
  GHashTable *large; /* processes that have too many to be kept */
};

LcPreempted *
lc_preempted_new (LcHistory *history, guint32 timeline, GCancellable *cancellable)
{
  LcPreempted *preempted = g_new0 (LcPreempted, 1);

  preempted->history = history;
  preempted->timeline = timeline;
  preempted->cancellable = cancellable;
  preempted->kept = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  preempted->large = g_hash_table_new (NULL, NULL);
  return preempted;
}

void
lc_preempted_free (LcPreempted *preempted)
{
  if (preempted == NULL)
    return;
  g_hash_table_unref (preempted->kept);
  g_hash_table_unref (preempted->large);
  g_free (preempted);
}

/* Stops when there are too many. */
static gboolean
preempted_keep (const LcStateSpan *span, gpointer data)
{
  GArray *spans = data;
  PreemptedSpan mine = {.begin = span->begin, .end = span->end};

  if (span->state != LC_IS_PREEMPTED)
    return TRUE;
  if (spans->len > 0)
    {
      const PreemptedSpan *last = &g_array_index (spans, PreemptedSpan, spans->len - 1);

      mine.before = last->before + (last->end - last->begin);
    }
  g_array_append_val (spans, mine);
  return spans->len <= MOST_SPANS;
}

static gboolean
preempted_add (const LcStateSpan *span, gpointer data)
{
  if (span->state == LC_IS_PREEMPTED)
    *(guint64 *)data += span->end - span->begin;
  return TRUE;
}

/* NULL without an error: there are too many. */
static const GArray *
preempted_find_spans (LcPreempted *preempted, guint32 process, GError **error)
{
  GArray *spans = g_hash_table_lookup (preempted->kept, GUINT_TO_POINTER (process));
  g_autoptr (GArray) found = NULL;

  if (spans != NULL || g_hash_table_contains (preempted->large, GUINT_TO_POINTER (process)))
    return spans;
  found = g_array_new (FALSE, FALSE, sizeof (PreemptedSpan));
  if (!lc_history_visit_states (preempted->history, preempted->timeline, process, 0, G_MAXINT64, preempted_keep, found,
                                preempted->cancellable, error))
    return NULL;
  if (found->len > MOST_SPANS)
    {
      g_hash_table_add (preempted->large, GUINT_TO_POINTER (process));
      return NULL;
    }
  if (preempted->n_spans + found->len > MOST_SPANS)
    {
      g_hash_table_remove_all (preempted->kept);
      preempted->n_spans = 0;
    }
  preempted->n_spans += found->len;
  spans = g_steal_pointer (&found);
  g_hash_table_insert (preempted->kept, GUINT_TO_POINTER (process), spans);
  return spans;
}

/* The sum of what lies before a time. */
static guint64
preempted_sum_before (const GArray *spans, guint64 time)
{
  guint low = 0, high = spans->len;
  const PreemptedSpan *last;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (g_array_index (spans, PreemptedSpan, middle).begin < time)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return 0;
  last = &g_array_index (spans, PreemptedSpan, low - 1);
  return last->before + (MIN (time, last->end) - last->begin);
}

gboolean
lc_preempted_sum_once (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 to,
                       GCancellable *cancellable, guint64 *sum, GError **error)
{
  *sum = 0;
  return from >= to || !lc_history_get_process (history, process)->is_scheduled ||
         lc_history_visit_states (history, timeline, process, from, to, preempted_add, sum, cancellable, error);
}

gboolean
lc_preempted_sum (LcPreempted *preempted, guint32 process, guint64 from, guint64 to, guint64 *sum, GError **error)
{
  const GArray *spans;
  GError *problem = NULL;

  *sum = 0;
  if (from >= to || !lc_history_get_process (preempted->history, process)->is_scheduled)
    return TRUE;
  spans = preempted_find_spans (preempted, process, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, problem);
      return FALSE;
    }
  if (spans == NULL)
    return lc_preempted_sum_once (preempted->history, preempted->timeline, process, from, to, preempted->cancellable,
                                  sum, error);
  *sum = preempted_sum_before (spans, to) - preempted_sum_before (spans, from);
  return TRUE;
}
