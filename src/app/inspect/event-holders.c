/* SPDX-License-Identifier: Apache-2.0 */
/* The inspector's report on an event: who held the object while the event waited for it. */
#include <glib/gi18n.h>

#include "analysis/hold-times.h"
#include "app/inspect/event-report-private.h"
#include "trace/quantities.h"

static int
event_holders_compare (gconstpointer a, gconstpointer b)
{
  const LcHolderShare *one = a, *other = b;

  if (one->waited != other->waited)
    return one->waited > other->waited ? -1 : 1;
  return (one->process > other->process) - (one->process < other->process);
}

/* Returns a fact like "worker 3: 40.0 µs, 80 %", with how long of that it had no processor. */
static LcFact *
event_holders_tell (const LcReporter *reporter, const LcHolderShare *share, guint64 waited)
{
  g_autofree char *name = share->process != LC_TRACE_NONE
                              ? lc_format_text (lc_names_process (reporter->names, share->process))
                              : g_strdup (_ ("nobody"));
  g_autofree char *time = lc_format_duration (share->waited);
  const double percent = 100 * (double)share->waited / (double)waited;
  LcFact *fact = lc_fact_new (name, g_strdup_printf (_ ("%s, %.0f %%"), time, percent));

  if (share->preempted > 0)
    {
      g_autofree char *without = lc_format_duration (share->preempted);

      fact->hint = g_strdup_printf (_ ("%s of it without a processor"), without);
    }
  return fact;
}

gboolean
lc_report_add_holders (const LcReporter *reporter, LcEventReport *report, GError **error)
{
  const LcHistoryEvent *event = &report->event;
  g_autoptr (LcPreempted) preempted = NULL;
  g_autoptr (LcHoldTimes) times = NULL;
  g_autoptr (GArray) sorted = NULL;
  const GArray *shares;

  if (event->waited == 0)
    return TRUE;
  preempted = lc_preempted_new (reporter->history, report->timeline, reporter->cancellable);
  times = lc_hold_times_new (reporter->history, report->timeline, event->begin, event->begin + event->waited,
                             reporter->cancellable, error);
  if (times == NULL || !lc_hold_times_share (times, preempted, event, &shares, error))
    return FALSE;
  sorted = g_array_copy ((GArray *)shares);
  g_array_sort (sorted, event_holders_compare);
  for (guint i = 0; i < sorted->len; i++)
    g_ptr_array_add (report->holders,
                     event_holders_tell (reporter, &g_array_index (sorted, LcHolderShare, i), event->waited));
  return TRUE;
}
