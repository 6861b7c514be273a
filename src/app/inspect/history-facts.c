/* SPDX-License-Identifier: Apache-2.0 */
/* The inspector's report on a whole history, shown while no event is selected. */
#include <glib/gi18n.h>

#include "app/inspect/event-report.h"
#include "history/wrong-times.h"
#include "lightcone/states.h"
#include "lightcone/statistics.h"
#include "trace/gaps.h"
#include "trace/loss.h"
#include "trace/quantities.h"

static void
history_facts_add (GPtrArray *facts, const char *label, char *value)
{
  g_ptr_array_add (facts, lc_fact_new (label, value));
}

/* Adds the number of lost events, with the reasons as a hint. */
static void
history_facts_add_lost (GPtrArray *facts, LcHistory *history)
{
  LcTraceLost lost;

  lc_history_get_lost (history, &lost);
  if (lost.n == 0)
    return;
  history_facts_add (facts, _ ("Lost"), lc_format_count (lost.n));
  ((LcFact *)facts->pdata[facts->len - 1])->hint = lc_lost_describe (&lost);
}

/* Adds the number of events whose times cannot be right. */
static void
history_facts_add_wrong_times (GPtrArray *facts, LcHistory *history)
{
  const guint64 n = lc_wrong_times_count (history);

  if (n == 0)
    return;
  history_facts_add (facts, _ ("Wrong times"), lc_format_count (n));
  ((LcFact *)facts->pdata[facts->len - 1])->hint = lc_wrong_times_describe (n);
}

/* With what they are as its hint. */
static void
history_facts_add_gaps (GPtrArray *facts, LcHistory *history)
{
  const GArray *gaps = lc_history_get_gaps (history);

  if (gaps->len == 0)
    return;
  history_facts_add (facts, _ ("Gaps"), lc_format_count (gaps->len));
  ((LcFact *)facts->pdata[facts->len - 1])->hint = lc_gaps_describe (gaps, "\n");
}

/* Adds what no event explains of the time in which the kernel had processes blocked, where that is known of any. */
static void
history_facts_add_unseen (GPtrArray *facts, LcHistory *history)
{
  guint64 unseen = 0, blocked = 0;
  gboolean known = FALSE;
  g_autofree char *part = NULL, *whole = NULL;

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      const LcHistoryProcess *process = lc_history_get_process (history, i);

      if (process->unseen == LC_TRACE_UNKNOWN || process->account.blocked == LC_TRACE_UNKNOWN)
        continue;
      known = TRUE;
      unseen += process->unseen;
      blocked += process->account.blocked;
    }
  if (!known)
    return;
  part = lc_format_duration (unseen);
  whole = lc_format_duration (blocked);
  history_facts_add (facts, _ ("Blocked, unseen"), g_strdup_printf (_ ("%s of %s"), part, whole));
}

/* Adds for how long processes were in a state, and how much that is of all their time; nothing if none ever was. */
static void
history_facts_add_state (GPtrArray *facts, const char *label, guint64 time, guint64 alive)
{
  g_autofree char *duration = lc_format_duration (time), *share = NULL;

  if (time == 0)
    return;
  share = g_strdup_printf (_ ("%.1f %%"), 100.0 * (double)time / (double)MAX (alive, 1));
  history_facts_add (facts, label, g_strdup_printf (_ ("%s, %s"), duration, share));
}

/* Adds the times of the five states from the coarsest summary, which is quick whatever the size of the history. */
static gboolean
history_facts_add_states (GPtrArray *facts, const LcEventAsked *asked, guint64 end, GCancellable *cancellable,
                          GError **error)
{
  LcWindow window = {.timeline = asked->timeline, .axis = LC_AXIS_TIME, .to = end + 1};
  g_autoptr (LcWindowResult) result = lc_history_summarize_window (
      asked->opened->history, &window, 2 * (gsize)lc_history_get_n_processes (asked->opened->history), 0, cancellable,
      error);
  const LcSummary *summary = result != NULL ? lc_window_result_get_summary (result) : NULL;
  LcSummaryBucket sum = {0};
  guint64 alive = 0;

  for (gsize i = 0; summary != NULL && i < summary->n_rows; i++)
    for (gsize j = 0; j < summary->rows[i].n_buckets; j++)
      {
        const LcSummaryBucket *bucket = &summary->rows[i].buckets[j];

        alive += lc_summary_bucket_get_alive (bucket);
        sum.running += bucket->running;
        sum.waiting += bucket->waiting;
        sum.woken += bucket->woken;
        sum.preempted += bucket->preempted;
        sum.outside += bucket->outside;
      }
  history_facts_add_state (facts, _ ("Running"), sum.running, alive);
  history_facts_add_state (facts, _ ("Waiting"), sum.waiting, alive);
  history_facts_add_state (facts, _ ("Woken"), sum.woken, alive);
  history_facts_add_state (facts, _ ("Preempted"), sum.preempted, alive);
  history_facts_add_state (facts, _ ("Outside"), sum.outside, alive);
  return summary != NULL;
}

gpointer
lc_history_facts_new (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const LcEventAsked *asked = data;
  LcHistory *history = asked->opened->history;
  g_autoptr (GPtrArray) facts = g_ptr_array_new_with_free_func (lc_fact_free);
  guint64 begin, end;

  if (!lc_statistics_span (history, asked->timeline, &begin, &end, error))
    return NULL;
  history_facts_add (facts, _ ("Processes"), lc_format_count (lc_history_get_n_processes (history)));
  history_facts_add (facts, _ ("Events"), lc_format_count (lc_history_get_n_events (history)));
  history_facts_add_lost (facts, history);
  history_facts_add_wrong_times (facts, history);
  history_facts_add_gaps (facts, history);
  history_facts_add (facts, _ ("Arcs"), lc_format_count (lc_history_get_n_arcs (history)));
  history_facts_add (facts, _ ("Objects"), lc_format_count (lc_history_get_n_objects (history)));
  history_facts_add (facts, _ ("Layers"), lc_format_count (lc_history_get_n_layers (history)));
  history_facts_add (facts, _ ("Length of the run"), lc_format_duration (end - begin));
  if (!history_facts_add_states (facts, asked, end, cancellable, error))
    return NULL;
  history_facts_add_unseen (facts, history);
  return g_steal_pointer (&facts);
}
