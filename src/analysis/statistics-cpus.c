/* SPDX-License-Identifier: Apache-2.0 */
/* The processors that each process was on, and what it did there. */
#include "lightcone/states.h"
#include "lightcone/statistics.h"

/* Processors of a joined stay that are counted; with more, the first ones still show where most of the time was. */
enum
{
  REMEMBERED = 64,
};

typedef struct
{
  guint32 cpu;
  guint64 time;
} Share;

/* The state of following processes, one after the other. */
typedef struct
{
  guint64 from;
  guint64 to;
  guint64 resolution;
  LcCpuStay stay; /* the present stay; without events: there is none */
  guint64 end;    /* end of its last event */
  GArray *result; /* LcCpuStay; the last one is extended if `joining` */
  GArray *runs;   /* LcCpuRun, or NULL */
  guint extended; /* index of the stay to which the last run belongs; G_MAXUINT: there is none of this process */
  guint first;    /* index of the process's first stay in `result`, then of the one whose states are added */
  gboolean joining;
  Share shares[REMEMBERED]; /* times of the joined stays */
  guint n_shares;
} Stays;

static void
statistics_cpus_add_share (Stays *stays, const LcCpuStay *stay)
{
  guint i = 0;

  while (i < stays->n_shares && stays->shares[i].cpu != stay->cpu)
    i++;
  if (i == REMEMBERED)
    return;
  if (i == stays->n_shares)
    stays->shares[stays->n_shares++] = (Share){stay->cpu, 0};
  stays->shares[i].time += stay->end - stay->begin;
}

static guint32
find_most (const Stays *stays)
{
  guint most = 0;

  for (guint i = 1; i < stays->n_shares; i++)
    if (stays->shares[i].time > stays->shares[most].time)
      most = i;
  return stays->shares[most].cpu;
}

static void
statistics_cpus_join (Stays *stays, LcCpuStay *last, const LcCpuStay *stay)
{
  statistics_cpus_add_share (stays, stay);
  last->cpu = find_most (stays);
  last->end = stay->end;
  last->events += stay->events;
  last->stays++;
}

/* Ends the present stay at `time`. */
static void
end_stay (Stays *stays, guint64 time)
{
  LcCpuStay *stay = &stays->stay;
  gboolean is_short;

  if (stay->events == 0)
    return;
  stay->end = MIN (time, stays->to);
  is_short = stay->end - stay->begin < stays->resolution;
  if (is_short && stays->joining)
    {
      LcCpuStay *last = &g_array_index (stays->result, LcCpuStay, stays->result->len - 1);

      statistics_cpus_join (stays, last, stay);
      stays->joining = last->end - last->begin < stays->resolution;
    }
  else
    {
      g_array_append_val (stays->result, *stay);
      stays->n_shares = 0;
      stays->joining = is_short;
      if (is_short)
        statistics_cpus_add_share (stays, stay);
    }
  stay->events = 0;
}

static gboolean
statistics_cpus_add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Stays *stays = data;
  LcCpuStay *stay = &stays->stay;

  if (event->begin >= stays->to)
    {
      end_stay (stays, event->begin);
      return FALSE;
    }
  if (stay->events == 0 || stay->cpu != event->cpu)
    {
      end_stay (stays, event->begin);
      *stay = (LcCpuStay){
          .process = event->process, .cpu = event->cpu, .begin = MAX (event->begin, stays->from), .stays = 1};
    }
  stay->events++;
  stays->end = event->end;
  return TRUE;
}

/* --- States --------------------------------------------------------------------------------------------------- */

static void
statistics_cpus_add_time (LcCpuStay *stay, LcProcessState state, guint64 time)
{
  LcSummaryBucket sum = {0};

  lc_summary_bucket_add_state (&sum, state, time);
  stay->running += sum.running;
  stay->waited += sum.waiting;
  stay->woken += sum.woken;
  stay->preempted += sum.preempted;
  stay->outside += sum.outside;
  stay->unseen += sum.unseen;
}

static void
statistics_cpus_add_run (Stays *stays, const LcCpuStay *stay, guint64 begin, guint64 end)
{
  LcCpuRun *last = stays->runs->len > 0 ? &g_array_index (stays->runs, LcCpuRun, stays->runs->len - 1) : NULL;
  const LcCpuRun run = {stay->process, stay->cpu, begin, end, end - begin};

  if (stays->extended == stays->first && (begin == last->end || begin - last->begin < stays->resolution))
    {
      last->end = end;
      last->running += end - begin;
      return;
    }
  stays->extended = stays->first;
  g_array_append_val (stays->runs, run);
}

/* Stays follow each other without gaps, and so do spans: each span is divided among the stays in which it is. */
static gboolean
statistics_cpus_add_state (const LcStateSpan *span, gpointer data)
{
  Stays *stays = data;

  for (; stays->first < stays->result->len; stays->first++)
    {
      LcCpuStay *stay = &g_array_index (stays->result, LcCpuStay, stays->first);
      const guint64 begin = MAX (span->begin, stay->begin), end = MIN (span->end, stay->end);

      if (begin < end)
        statistics_cpus_add_time (stay, span->state, end - begin);
      if (begin < end && span->state == LC_IS_RUNNING && stays->runs != NULL)
        statistics_cpus_add_run (stays, stay, begin, end);
      if (span->end <= stay->end)
        return TRUE;
    }
  return FALSE;
}

/* --- Stays ---------------------------------------------------------------------------------------------------- */

/* Begins with the last event that begins at `from` or before, which says where the process was at `from`. */
static gboolean
statistics_cpus_visit (LcHistory *history, guint32 timeline, guint32 process, Stays *stays, GCancellable *cancellable,
                       GError **error)
{
  LcHistoryEvent event = {0};
  guint64 events;

  if (!lc_history_count_events (history, timeline, process, &events, error))
    return FALSE;
  if (events == 0)
    return TRUE;
  if (stays->from > 0 && !lc_history_find_event_at (history, timeline, process, stays->from, &event, error))
    return FALSE;
  stays->stay.events = 0;
  stays->joining = FALSE;
  stays->first = stays->result->len;
  stays->extended = G_MAXUINT;
  if (!lc_history_visit (history, timeline, process, event.ordinal, G_MAXUINT64, statistics_cpus_add_event, stays,
                         cancellable, error))
    return FALSE;
  if (stays->end >= stays->from)
    end_stay (stays, MAX (stays->end, stays->stay.begin));
  return stays->first == stays->result->len ||
         lc_history_visit_states (history, timeline, process, stays->from, stays->to, statistics_cpus_add_state, stays,
                                  cancellable, error);
}

/* `runs`: LcCpuRun are added; NULL: nobody asks for them. */
static GArray *
statistics_cpus_find (LcHistory *history, guint32 timeline, guint64 from, guint64 to, guint64 resolution, GArray *runs,
                      GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (LcCpuStay));
  Stays stays = {.from = from < to ? from : 0,
                 .to = from < to ? to : G_MAXUINT64,
                 .resolution = resolution,
                 .result = result,
                 .runs = runs};

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!statistics_cpus_visit (history, timeline, i, &stays, cancellable, error))
      return NULL;
  return g_steal_pointer (&result);
}

GArray *
lc_statistics_cpu_stays (LcHistory *history, guint32 timeline, guint64 from, guint64 to, guint64 resolution,
                         GCancellable *cancellable, GError **error)
{
  return statistics_cpus_find (history, timeline, from, to, resolution, NULL, cancellable, error);
}

GArray *
lc_statistics_cpu_runs (LcHistory *history, guint32 timeline, guint64 from, guint64 to, guint64 resolution,
                        GArray **stays, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (LcCpuRun));
  g_autoptr (GArray) found = statistics_cpus_find (history, timeline, from, to, resolution, runs, cancellable, error);

  if (found == NULL)
    return NULL;
  if (stays != NULL)
    *stays = g_steal_pointer (&found);
  return g_steal_pointer (&runs);
}
