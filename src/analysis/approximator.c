/* SPDX-License-Identifier: Apache-2.0 */
/* Computes when each event would have begun and ended without the measurement, from the events that it had to come
 * after. */
#include "approximator-private.h"

/* --- Instrumentation --------------------------------------------------------------------------------------- */

static inline gint64
round_fine (LcApproximatorProcess *process, gint64 fine)
{
  const gint64 sum = fine + process->fraction;

  process->fraction = sum & ((1 << LC_FINE) - 1);
  return sum >> LC_FINE;
}

/* Takes off instrumentation, at most `room` of it (measured); what does not fit may stay owed. */
static inline gint64
take_off (const LcApproximator *approximator, LcApproximatorProcess *process, gint64 fine, gint64 room)
{
  const gint64 due = round_fine (process, fine) + process->owed, taken = MIN (due, room);

  process->report.clamped += due - taken > process->owed;
  process->owed = approximator->owes ? lc_duration_limit (due - taken) : 0;
  process->report.removed += (guint64)taken;
  return taken;
}

/* --- Preemption -------------------------------------------------------------------------------------------- */

/* Returns how much of a measured time its process was ready, but had no processor, at most `room`. */
static gint64
approximator_take_preempted (LcApproximator *approximator, const LcSweepStep *step, guint64 from, guint64 to,
                             gint64 room)
{
  const gint64 sum = lc_preemption_sum (approximator->preemption, step->process, step->origin_process, from, to);
  const gint64 taken = CLAMP (sum, 0, MAX (room, 0));

  approximator->processes[step->process].report.preempted += (guint64)taken;
  return taken;
}

/* What an event does by itself comes after its waiting. Of messages and groups only arrivals and exits are known. */
static gint64
find_preempted (const LcEnding *ending)
{
  const guint64 from = ending->event->begin + ending->step->waited;

  if (ending->approximator->model != LC_MODEL_TIME && ending->timing != LC_TIMING_LOCAL &&
      ending->timing != LC_TIMING_RELEASE)
    return 0;
  return approximator_take_preempted (ending->approximator, ending->step, from, ending->event->end,
                                      ending->lasted - ending->inside);
}

/* --- Regions ----------------------------------------------------------------------------------------------- */

static void
find_region_factor (const LcApproximator *approximator, LcApproximatorProcess *process)
{
  const GArray *regions = process->regions;
  const double *factor = NULL;

  if (regions->len > 0)
    factor = g_hash_table_lookup (approximator->region_factors,
                                  GUINT_TO_POINTER (g_array_index (regions, guint32, regions->len - 1)));
  process->region_factor = factor != NULL ? *factor : 1;
}

static void
approximator_enter (const LcApproximator *approximator, LcApproximatorProcess *process, guint32 region)
{
  g_array_append_val (process->regions, region);
  find_region_factor (approximator, process);
}

/* Also leaves all regions entered after this one. A region that was never entered is ignored. */
static void
approximator_leave (const LcApproximator *approximator, LcApproximatorProcess *process, guint32 region)
{
  for (guint i = process->regions->len; i > 0; i--)
    if (g_array_index (process->regions, guint32, i - 1) == region)
      {
        g_array_set_size (process->regions, i - 1);
        find_region_factor (approximator, process);
        return;
      }
}

/* --- Begins ------------------------------------------------------------------------------------------------ */

static gboolean
is_made (const LcApproximator *approximator, const LcSweepStep *step, const LcTimed *timed)
{
  return timed->timing == LC_TIMING_START && step->ordinal == 0 && approximator->model != LC_MODEL_TIME;
}

/* Asking again in vain takes no time until the answer comes; if the process does something else instead, its asking did
 * take time. A poll for any message is about no object until one is found. */
static gint64
follow_poll (LcApproximatorProcess *process, const LcTimed *timed, const LcTraceEvent *event, gint64 kept)
{
  const gboolean asks = timed->timing == LC_TIMING_POLL;
  const gboolean answers = lc_timing_completes (timed->timing);
  const gboolean is_same = event->object == process->poll_object && event->sequence == process->poll_sequence;
  const gboolean is_any = process->poll_object == LC_TRACE_NONE && timed->timing == LC_TIMING_PROBE;
  const gboolean goes_on = process->polling && (((asks || answers) && is_same) || is_any);
  const gint64 owed = process->poll_owed;

  if (goes_on)
    {
      process->poll_owed = lc_duration_limit (process->poll_owed + kept);
      return 0;
    }
  process->polling = asks;
  process->poll_object = event->object;
  process->poll_sequence = event->sequence;
  process->poll_owed = 0;
  return lc_duration_limit (kept + owed);
}

static void
approximator_begin (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  LcApproximator *approximator = (LcApproximator *)visitor;
  LcApproximatorProcess *process = &approximator->processes[step->process];
  const LcTraceEvent *event = step->event;
  const LcTimed *timed = &approximator->operations[event->operation];
  gint64 kept = MAX (0, (gint64)event->begin - (gint64)step->since);

  process->ordinal = step->ordinal;
  if (step->ordinal == 0 && (lc_trace_get_kept_from (approximator->trace) > 0 ||
                             lc_trace_get_process (approximator->trace, step->process)->is_followed))
    process->end = (gint64)lc_trace_get_followed (approximator->trace, step->process, event->begin);
  if (G_UNLIKELY (approximator->preemption != NULL))
    kept -= approximator_take_preempted (approximator, step, step->since, event->begin, kept);
  if (!is_made (approximator, step, timed))
    kept -= take_off (
        approximator, process,
        process->after + process->search + lc_approximator_get_instrumentation (approximator, event)->before, kept);
  if (G_UNLIKELY (approximator->scaled))
    kept = lc_scale (kept, process->region_factor * process->own_factor *
                               lc_approximator_go_to (approximator, process, event));
  if (approximator->collapses && (process->polling || timed->timing == LC_TIMING_POLL))
    kept = follow_poll (process, timed, event, kept);
  if (process->regions != NULL && timed->enters)
    approximator_enter (approximator, process, event->object);
  /* A process that was made begins when its maker says (place_start): until then, it must not come after others. */
  process->begin = is_made (approximator, step, timed) ? 0 : lc_time_limit (process->end + kept);
  step->carried[0] = (guint64)process->begin;
  step->carried[2] = (guint64)process->owed;
  if (timed->is_group)
    step->carried[1] = event->end;
  else
    step->carried[1] =
        LC_CARRY_MESSAGE (event->flags & LC_TRACE_EVENT_BYTES ? event->bytes : 0, lc_timed_meets (timed, event));
}

/* Places the begin of a process that another one has made, which is known only now: it depends on its making alone. */
static void
place_start (LcEnding *ending)
{
  const LcTraceEvent *event = ending->event;
  const LcSweepPoint *made = ending->last;
  const gint64 since = made != NULL ? (gint64)event->begin - (gint64)made->time : (gint64)event->begin;

  ending->process->owed = made != NULL ? lc_duration_limit (ending->reached - ending->latest) : 0;
  ending->placed =
      CLAMP (ending->reached + since -
                 take_off (ending->approximator, ending->process, ending->instrumentation->before, MAX (since, 0)),
             0, LC_APPROXIMATED_LAST);
  ending->begin = ending->placed - ending->process->owed;
  ending->process->begin = ending->placed;
}

/* --- Ends -------------------------------------------------------------------------------------------------- */

static gint64
end_local (const LcEnding *ending)
{
  if (ending->again)
    return ending->found;
  return ending->begin + lc_scale (ending->own, ending->factor * ending->process->region_factor);
}

static gint64
end_group (LcEnding *ending)
{
  const LcApproximatorProcess *process = ending->process;

  if (ending->step->group == NULL || process->group_ordinal != ending->step->ordinal)
    return end_local (ending);
  return ending->again ? process->group_placed_end : process->group_end;
}

/* By address space: the end of the last process that was not blocked to its end. All these have ended. */
static GHashTable *
approximator_end_programs (const LcApproximator *approximator)
{
  GHashTable *programs = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint32 i = 0; i < approximator->n_processes; i++)
    {
      const LcTraceProcess *process = lc_trace_get_process (approximator->trace, i);
      const LcApproximatorProcess *its = &approximator->processes[i];
      gint64 *end;

      if (process->pending.operation != LC_TRACE_NONE || its->report.events == 0)
        continue;
      end = g_hash_table_lookup (programs, GUINT_TO_POINTER (process->instance));
      if (end == NULL)
        g_hash_table_insert (programs, GUINT_TO_POINTER (process->instance), g_memdup2 (&its->end, sizeof its->end));
      else
        *end = MAX (*end, its->end);
    }
  return programs;
}

/* Who was blocked to its end ends with its program. Where all of a program were, nothing in it ended it: the time until
 * then stays. */
static gint64
approximator_end_pending (const LcEnding *ending)
{
  LcApproximator *approximator = ending->approximator;
  const LcTraceProcess *process = lc_trace_get_process (approximator->trace, ending->step->process);
  const gint64 *end;

  if (approximator->programs == NULL)
    approximator->programs = approximator_end_programs (approximator);
  end = g_hash_table_lookup (approximator->programs, GUINT_TO_POINTER (process->instance));
  return end != NULL ? MAX (*end, ending->placed) : ending->placed + ending->lasted;
}

static gint64
end_poll (LcEnding *ending)
{
  if (!ending->approximator->collapses)
    return end_local (ending);
  if (!ending->again)
    ending->process->poll_owed = lc_duration_limit (ending->process->poll_owed + MAX (0, ending->own));
  return ending->begin;
}

static gint64
approximator_find_end (LcEnding *ending)
{
  if (G_UNLIKELY (ending->step->pending))
    return approximator_end_pending (ending);
  if (ending->approximator->model == LC_MODEL_TIME)
    return end_local (ending);
  switch (ending->timing)
    {
    case LC_TIMING_RELEASE:
      return lc_approximator_end_released (ending);
    case LC_TIMING_BARRIER:
    case LC_TIMING_TOGETHER:
      return end_group (ending);
    case LC_TIMING_MESSAGE:
      return ending->last != NULL ? lc_approximator_end_message (ending) : end_local (ending);
    case LC_TIMING_RENDEZVOUS:
      return ending->last != NULL ? lc_approximator_end_rendezvous (ending) : end_local (ending);
    case LC_TIMING_TREE:
      return ending->last != NULL ? lc_approximator_end_tree (ending) : end_local (ending);
    case LC_TIMING_PROBE:
      return ending->last != NULL ? lc_approximator_end_probe (ending) : end_local (ending);
    case LC_TIMING_COMPLETE:
    case LC_TIMING_FINISH:
      return lc_approximator_end_complete (ending);
    case LC_TIMING_POLL:
      return end_poll (ending);
    case LC_TIMING_LOCAL:
    case LC_TIMING_START:
    case LC_TIMING_PAUSE:
    default:
      return end_local (ending);
    }
}

/* Finds the last point of another process that the event had to come after, and how long it waited for that point. */
static void
approximator_find_waiting (const LcEnding *ending, gint64 end, LcTimelineEvent *result)
{
  const LcSweepStep *step = ending->step;
  gint64 latest = ending->placed;
  int basis = LC_SWEEP_OWN;

  if (step->group != NULL && ending->process->group_ordinal == step->ordinal)
    {
      latest = MAX (latest, ending->process->group_latest);
      result->reordered = ending->process->group_reordered;
      basis = step->basis;
    }
  else
    for (gsize i = 0; i < step->n_arcs; i++)
      if (step->arcs[i].process != step->process && (gint64)step->arcs[i].carried[0] > latest)
        {
          latest = (gint64)step->arcs[i].carried[0];
          basis = (int)i;
        }
  result->reordered |= basis != step->basis || step->decided;
  if (step->n_arcs == 0 && step->group == NULL && !step->decided && step->waited > 0)
    latest = end; /* it has waited for nobody that is known, until its end */
  result->waited = (guint64)(MIN (latest, end) - ending->placed);
  result->woken = (guint64)(end - MIN (latest, end));
  result->woken = result->waited > 0 ? result->woken - MIN (result->woken, step->own) : 0;
}

static void
approximator_find_last (LcEnding *ending)
{
  const LcSweepStep *step = ending->step;

  ending->last = NULL;
  ending->latest = ending->reached = 0;
  ending->owed = ending->process->owed;
  for (gsize i = 0; i < step->n_arcs; i++)
    {
      const gint64 placed = (gint64)step->arcs[i].carried[0], owed = (gint64)step->arcs[i].carried[2];

      ending->reached = MAX (ending->reached, placed);
      ending->latest = MAX (ending->latest, placed - owed);
      ending->owed = MAX (ending->owed, owed);
      if (ending->last == NULL || step->arcs[i].time > ending->last->time)
        ending->last = &step->arcs[i];
    }
}

static inline void
approximator_count (const LcApproximator *approximator, LcApproximatorProcess *process, const LcSweepStep *step,
                    const LcTimelineEvent *result)
{
  LcApproximatedProcess *report = &process->report;
  const LcTraceEvent *event = step->event;

  if (report->events == 0)
    {
      report->measured_begin = lc_trace_get_followed (approximator->trace, step->process, event->begin);
      report->begin = lc_trace_get_followed (approximator->trace, step->process, result->begin);
    }
  report->events++;
  report->measured_end = MAX (report->measured_end, event->end);
  report->end = result->end;
  report->measured_waiting += step->waited;
  report->waiting += result->waited;
  report->moved += result->begin != event->begin || result->end != event->end;
  report->gained += result->waited > step->waited;
  report->lost += result->waited < step->waited;
  report->reordered += result->reordered;
}

/* Keeps what later events need to know of this one. */
static void
approximator_keep (LcEnding *ending, gint64 end)
{
  LcApproximator *approximator = ending->approximator;
  LcApproximatorProcess *process = ending->process;
  const LcTraceEvent *event = ending->event;
  const LcTimed *timed = ending->timed;

  process->end = end;
  process->after = ending->instrumentation->after;
  if (timed->posts != LC_POSTS_NOTHING && event->object != LC_TRACE_NONE)
    {
      const LcPostedOperation posted = {timed->posts,  ending->step->process, event->object,       event->sequence,
                                        ending->begin, ending->placed,        (gint64)event->begin};

      lc_posted_add (approximator->posted, &posted);
    }
  if (process->regions != NULL && timed->leaves)
    approximator_leave (approximator, process, event->object);
  if (timed->timing == LC_TIMING_POLL)
    return;
  process->polling = FALSE;
  process->poll_owed = 0;
}

/* Returns the instrumentation in an event. It lies at the end of the event, after all waiting. A pause of the recorder
 * is nothing but instrumentation. */
static gint64
find_inside (const LcEnding *ending)
{
  const gint64 waited = (gint64)ending->step->waited;
  gint64 inside;

  if (ending->timed->timing == LC_TIMING_PAUSE && !ending->approximator->keeps_measurement)
    return ending->lasted;
  inside = round_fine (ending->process, ending->instrumentation->inside);
  if (ending->approximator->model == LC_MODEL_TIME || waited == 0)
    return inside;
  return MIN (inside, MAX (0, ending->lasted - waited));
}

/* Finds the end, first by the formulas, then on the timeline. */
static gint64
place_end (LcEnding *ending)
{
  LcApproximatorProcess *process = ending->process;
  const gboolean is_own =
      !ending->step->pending && (ending->approximator->model == LC_MODEL_TIME || ending->timing == LC_TIMING_LOCAL);
  gint64 end, over, taken = ending->inside;

  ending->found = lc_time_limit (approximator_find_end (ending));
  end = MAX (ending->placed, ending->found);
  if (ending->owed > 0 || ending->found < ending->placed || ending->step->group != NULL)
    {
      LcEnding second = *ending;

      second.begin = ending->placed;
      second.latest = ending->reached;
      second.again = TRUE;
      end = MAX (ending->placed, lc_time_limit (approximator_find_end (&second)));
    }
  if (ending->approximator->model != LC_MODEL_TIME)
    end = MAX (end, ending->reached);
  /* At most what was owed before plus this event's instrumentation; more than that comes from clocks that disagree. */
  over = CLAMP (end - ending->found, 0, ending->owed + MAX (0, ending->inside));
  if (is_own)
    taken += process->owed - over;
  process->report.clamped += over > ending->owed;
  process->report.removed += (guint64)CLAMP (taken, 0, ending->lasted);
  process->owed = ending->approximator->owes ? over : 0;
  return end;
}

/* Sets what is known before the end is found. Field by field: clearing the whole struct would take as long as all the
 * rest. */
static inline void
begin_ending (LcEnding *ending, LcApproximator *approximator, const LcSweepStep *step)
{
  LcApproximatorProcess *process = &approximator->processes[step->process];

  ending->approximator = approximator;
  ending->process = process;
  ending->timed = &approximator->operations[step->event->operation];
  ending->instrumentation = lc_approximator_get_instrumentation (approximator, step->event);
  ending->step = step;
  ending->event = step->event;
  ending->begin = process->begin - process->owed;
  ending->placed = process->begin;
  ending->lasted = (gint64)(step->event->end - step->event->begin);
  ending->factor = 1;
  ending->again = ending->is_posted = FALSE;
  ending->found = 0;
  approximator_find_last (ending);
  ending->timing = ending->timed->timing;
  if (ending->last != NULL && lc_timed_meets (ending->timed, step->event))
    ending->timing = LC_TIMING_RENDEZVOUS;
}

static void
approximator_end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  LcApproximator *approximator = (LcApproximator *)visitor;
  LcTimelineEvent *result = &approximator->event;
  LcApproximatorProcess *process;
  LcEnding ending;
  gint64 end;

  begin_ending (&ending, approximator, step);
  process = ending.process;
  ending.timed->events++;
  if (is_made (approximator, step, ending.timed))
    place_start (&ending);
  ending.inside = find_inside (&ending);
  ending.own = ending.lasted - ending.inside;
  if (G_UNLIKELY (approximator->preemption != NULL))
    ending.own -= find_preempted (&ending);
  if (G_UNLIKELY (approximator->scaled))
    ending.factor = lc_approximator_find_factor (approximator, process, step->event);
  if (step->group != NULL && ending.timed->is_group)
    lc_approximator_gather (&ending);
  end = place_end (&ending);

  *result = (LcTimelineEvent){.begin = (guint64)ending.placed,
                              .end = (guint64)end,
                              .is_unpreempted = approximator->preemption != NULL,
                              .origin_process = step->origin_process,
                              .origin_ordinal = step->origin_ordinal};
  approximator_find_waiting (&ending, end, result);
  approximator_count (approximator, process, step, result);
  result->removed = process->report.removed;
  result->gained = (gint64)process->report.waiting - (gint64)process->report.measured_waiting;
  approximator_keep (&ending, end);
  step->carried[0] = (guint64)end;
  step->carried[2] = (guint64)process->owed;
  step->carried[1] = ending.lasted == 0 ? (guint64)ending.instrumentation->late : 0;
  if (approximator->writer != NULL)
    lc_timeline_writer_add (approximator->writer, step, result);
}

/* --- Life cycle -------------------------------------------------------------------------------------------- */

LcApproximator *
lc_approximator_new (LcTrace *trace, const LcRules *rules, const LcCosts *costs, const LcApproximateOptions *options,
                     LcTimelineWriter *writer)
{
  LcApproximator *approximator = g_new0 (LcApproximator, 1);

  approximator->visitor.begin = approximator_begin;
  approximator->visitor.end = approximator_end;
  approximator->writer = writer;
  approximator->costs = costs;
  approximator->trace = trace;
  approximator->posted = lc_posted_new ();
  approximator->members = g_array_new (FALSE, FALSE, sizeof (LcMember));
  approximator->lags = g_array_new (FALSE, FALSE, sizeof (gint64));
  lc_approximator_prepare (approximator, rules, options);
  return approximator;
}

void
lc_approximator_free (LcApproximator *approximator)
{
  if (approximator == NULL)
    return;
  for (guint32 i = 0; i < approximator->n_processes; i++)
    {
      g_clear_pointer (&approximator->processes[i].regions, g_array_unref);
      g_free (approximator->processes[i].there);
    }
  g_free (approximator->places);
  g_clear_pointer (&approximator->region_factors, g_hash_table_unref);
  g_free (approximator->late);
  g_free (approximator->object_factors);
  g_free (approximator->operations);
  g_free (approximator->processes);
  lc_posted_free (approximator->posted);
  lc_preemption_free (approximator->preemption);
  g_clear_pointer (&approximator->programs, g_hash_table_unref);
  g_array_unref (approximator->members);
  g_array_unref (approximator->lags);
  g_free (approximator);
}

LcSweepVisitor *
lc_approximator_get_visitor (LcApproximator *approximator)
{
  return &approximator->visitor;
}

guint64
lc_approximator_get_begin (const LcApproximator *approximator, guint32 process)
{
  return (guint64)approximator->processes[process].begin;
}

const LcTimelineEvent *
lc_approximator_get_event (const LcApproximator *approximator)
{
  return &approximator->event;
}
