/* SPDX-License-Identifier: Apache-2.0 */
/* The one pass over all processes: resolves each event as soon as all that it waits for has been seen. */
#include "lightcone/sweep.h"

#include <gio/gio.h>
#include <string.h>

#include "sweep-private.h"

enum
{
  RUN = 64,           /* events of one process before other processes get their turn */
  KEPT = 1 << 16,     /* used points that an event may still need */
  LIMIT = 3 << 19,    /* points held before old ones are forgotten */
  PROGRESS = 1 << 16, /* events between two calls of the progress function */
};

/* --- The processes that can go on -------------------------------------------------------------------------- */

/* Ties are broken by the number of the process, so that the order depends on the trace alone. */
static gboolean
sweep_is_before (const LcSweep *sweep, guint32 a, guint32 b)
{
  guint64 of_a = sweep->processes[a].key, of_b = sweep->processes[b].key;

  return of_a < of_b || (of_a == of_b && a < b);
}

static void
sweep_push (LcSweep *sweep, guint32 process)
{
  guint32 place = sweep->heap_size++;

  while (place > 0 && sweep_is_before (sweep, process, sweep->heap[(place - 1) / 2]))
    {
      sweep->heap[place] = sweep->heap[(place - 1) / 2];
      place = (place - 1) / 2;
    }
  sweep->heap[place] = process;
}

static guint32
sweep_pop (LcSweep *sweep)
{
  guint32 first = sweep->heap[0], last = sweep->heap[--sweep->heap_size], place = 0;

  for (;;)
    {
      guint32 child = place * 2 + 1;

      if (child >= sweep->heap_size)
        break;
      if (child + 1 < sweep->heap_size && sweep_is_before (sweep, sweep->heap[child + 1], sweep->heap[child]))
        child++;
      if (!sweep_is_before (sweep, sweep->heap[child], last))
        break;
      sweep->heap[place] = sweep->heap[child];
      place = child;
    }
  sweep->heap[place] = last;
  return first;
}

static void
push_by_time (LcSweep *sweep, guint32 process)
{
  sweep->processes[process].key = lc_sweep_present (&sweep->processes[process])->end;
  sweep_push (sweep, process);
}

/* Makes sure that there is a present event. FALSE: the process has ended. */
static gboolean
sweep_load (LcSweepProcess *process)
{
  if (process->ended)
    return FALSE;
  if (process->at < process->batch.n_events)
    return TRUE;
  process->at = 0;
  process->ended = !lc_trace_cursor_next (process->cursor, &process->batch);
  return !process->ended;
}

/* --- Requirements of an event ------------------------------------------------------------------------------ */

static void
sweep_park (LcSweep *sweep, guint32 number, guint32 entry)
{
  LcSweepProcess *process = &sweep->processes[number];

  process->parked = TRUE;
  if (sweep->director == NULL)
    process->key = lc_sweep_present (process)->end;
  process->parked_on = entry;
  process->next_waiting = lc_points_first_waiting (sweep->points, entry);
  lc_points_set_first_waiting (sweep->points, entry, number);
}

static void
sweep_wake (LcSweep *sweep, guint32 entry)
{
  guint32 number = lc_points_first_waiting (sweep->points, entry);

  lc_points_set_first_waiting (sweep->points, entry, LC_TRACE_NONE);
  while (number != LC_TRACE_NONE)
    {
      LcSweepProcess *process = &sweep->processes[number];

      process->parked = FALSE;
      sweep_push (sweep, number);
      number = process->next_waiting;
    }
}

/* Whether the partner is already known to be another event. */
static gboolean
is_refused (const LcSweep *sweep, const LcGift *gift, const LcTraceEvent *event)
{
  LcPointKey key = lc_sweep_key_of (gift->unless, event, 0);
  guint32 entry = lc_points_find (sweep->points, &key);

  return entry != LC_NO_ENTRY && lc_points_count (sweep->points, entry) > 0 &&
         lc_want_refuses (gift->unless, lc_points_list (sweep->points, entry)->rule, gift->want);
}

static inline void
set_point (const LcSweepProcess *process, guint32 number, LcPoint which, const LcArcRule *rule, LcSweepPoint *point)
{
  const LcTraceEvent *event = lc_sweep_present (process);

  point->process = number;
  point->point = which;
  point->ordinal = lc_sweep_ordinal (process);
  point->time = which == LC_POINT_BEGIN ? event->begin : event->end;
  point->layer = process->layer;
  memcpy (point->carried, which == LC_POINT_BEGIN ? process->carried_begin : process->carried_end,
          sizeof point->carried);
  point->rule = rule;
}

/* Adds this point of an event to the entries in which the events that need it will look. */
static void
sweep_give (LcSweep *sweep, guint32 number, const GArray *gifts, LcPoint which)
{
  const LcSweepProcess *process = &sweep->processes[number];
  const LcTraceEvent *event = lc_sweep_present (process);

  if (event->flags & LC_EVENT_UNKNOWN && !(event->flags & LC_TRACE_EVENT_SEQUENCE))
    return;
  for (guint i = 0; i < gifts->len; i++)
    {
      const LcGift *gift = &g_array_index (gifts, LcGift, i);
      LcPointKey key = lc_sweep_key_of (gift->want, event, gift->want->step);
      guint32 entry, uses;

      if ((gift->unless != NULL && is_refused (sweep, gift, event)) ||
          !lc_census_get_uses (sweep->census, gift, event, &key, &uses))
        continue;
      entry = lc_points_get (sweep->points, &key);
      set_point (process, number, which, gift->rule, lc_points_add (sweep->points, entry));
      lc_points_need (sweep->points, entry, uses);
      if (lc_points_first_waiting (sweep->points, entry) != LC_TRACE_NONE)
        sweep_wake (sweep, entry);
    }
}

static void
sweep_add_arc (LcSweepProcess *process, const LcSweepPoint *from, const LcArcRule *rule)
{
  if (process->n_arcs == process->arcs_room)
    {
      process->arcs_room = MAX (4, process->arcs_room * 2);
      process->arcs = g_renew (LcSweepPoint, process->arcs, process->arcs_room);
    }
  process->arcs[process->n_arcs] = *from;
  process->arcs[process->n_arcs++].rule = rule;
}

static void
take_group (LcSweep *sweep, LcSweepProcess *process, guint32 number, guint32 entry)
{
  const LcSweepPoint *members = lc_points_list (sweep->points, entry);
  gsize count = lc_points_count (sweep->points, entry);

  process->group = (LcSweepGroup){members, count, 0};
  process->group_layer = 0;
  for (gsize i = 0; i < count; i++)
    {
      process->group_layer = MAX (process->group_layer, members[i].layer);
      if (members[i].time > members[process->group.last].time)
        process->group.last = i;
    }
  if (members[process->group.last].process != number)
    sweep_add_arc (process, &members[process->group.last], members[process->group.last].rule);
}

/* Removes an entry that no event will look up any more. */
static void
sweep_drop (LcSweep *sweep, const LcPointKey *key)
{
  guint32 entry = lc_points_find (sweep->points, key);

  if (entry != LC_NO_ENTRY && lc_points_first_waiting (sweep->points, entry) == LC_TRACE_NONE)
    lc_points_remove (sweep->points, entry);
}

/* Removes what the event has supplied for a partner, now that its partner is another event. */
static void
sweep_take_back (LcSweep *sweep, const LcWant *want, const LcTraceEvent *event, const LcArcRule *answer)
{
  for (guint i = 0; i < want->refusals->len; i++)
    {
      const LcRefusal *refusal = &g_array_index (want->refusals, LcRefusal, i);
      LcPointKey key = lc_sweep_key_of (refusal->unneeded, event, refusal->unneeded->step);

      if (refusal->answer == answer)
        sweep_drop (sweep, &key);
    }
}

static void
sweep_take (LcSweep *sweep, LcSweepProcess *process, const LcWant *want, guint32 entry, guint32 first, guint32 count)
{
  const LcSweepPoint *points = lc_points_list (sweep->points, entry) + first;
  const LcArcRule *given = points->rule;

  for (guint32 i = 0; i < count; i++)
    if (!want->soft || points[i].time <= lc_sweep_present (process)->end)
      sweep_add_arc (process, &points[i], lc_want_find_answer (want, points[i].rule));
  if (want->keeps)
    return;
  if (points->process != process - sweep->processes)
    lc_points_meet (sweep->points, entry);
  lc_points_used (sweep->points, entry);
  if (want->refusals != NULL)
    sweep_take_back (sweep, want, lc_sweep_present (process), given);
}

/* For an event that may not have taken what it requires: counts as one use, so that the entry can go. */
static void
sweep_pass (LcSweep *sweep, const LcTraceEvent *event, const LcWant *want, guint32 entry)
{
  if (entry != LC_NO_ENTRY && event->flags & LC_TRACE_EVENT_SEQUENCE && !want->group && !want->keeps)
    lc_points_used (sweep->points, entry);
}

/* Whether a director has set how many points the event comes after: others, perhaps, than the trace has. */
static inline gboolean
sweep_is_counted (const LcSweep *sweep, guint32 number, const LcWant *want)
{
  return G_UNLIKELY (sweep->director != NULL) && want->counted && sweep->given[number].counted;
}

/* Takes what the event requires; FALSE: the event has to wait for more. */
static gboolean
sweep_fulfil (LcSweep *sweep, guint32 number, const LcWant *want, gboolean give_up)
{
  LcSweepProcess *process = &sweep->processes[number];
  const LcTraceEvent *event = lc_sweep_present (process);
  LcPointKey key = lc_sweep_key_of (want, event, 0);
  guint32 entry = lc_points_find (sweep->points, &key), first;
  guint64 found = lc_sweep_count_answers (sweep, want, entry, &first), expected;
  const gboolean is_counted = sweep_is_counted (sweep, number, want);

  if (G_UNLIKELY (event->flags & LC_EVENT_UNKNOWN))
    {
      sweep_pass (sweep, event, want, entry);
      return TRUE;
    }

  expected = is_counted ? lc_census_get_ruled (sweep->census, want, event, &key)
                        : lc_census_get_expected (sweep->census, want, event, &key);
  if (!give_up && found < expected)
    {
      sweep_park (sweep, number, lc_points_get (sweep->points, &key));
      return FALSE;
    }
  if (!give_up && !sweep->partial && !is_counted && lc_census_is_short (sweep->census, want, event, &key))
    {
      sweep->result->unmatched++;
      lc_sweep_tell (sweep, LC_SWEEP_UNMATCHED, number, want, LC_TRACE_NONE);
    }
  if (found > 0 && want->group)
    take_group (sweep, process, number, entry);
  else if (found > 0)
    sweep_take (sweep, process, want, entry, first, (guint32)found);
  return TRUE;
}

/* --- Events ------------------------------------------------------------------------------------------------ */

/* Sets each field on its own: clearing the whole step first would take as long as all the rest. */
static inline void
sweep_describe (const LcSweep *sweep, guint32 number, LcSweepStep *step)
{
  const LcSweepProcess *process = &sweep->processes[number];

  step->process = step->origin_process = number;
  step->ordinal = step->origin_ordinal = lc_sweep_ordinal (process);
  step->event = lc_sweep_present (process);
  step->layer = process->layer;
  step->waited = step->woken = step->own = 0;
  step->absences = NULL;
  step->n_absences = 0;
  step->arcs = NULL;
  step->n_arcs = 0;
  step->basis = LC_SWEEP_OWN;
  step->group = NULL;
  step->carried = NULL;
  step->since = process->since;
  step->decided = step->outside = step->pending = FALSE;
  step->granted = 0;
  if (G_UNLIKELY (sweep->director != NULL))
    {
      const LcSweepNext *given = &sweep->given[number];

      step->origin_process = given->origin_process;
      step->origin_ordinal = given->origin_ordinal;
      step->since = given->since;
      step->decided = given->decided;
      step->granted = given->granted;
    }
}

static void
show_begin (LcSweep *sweep, guint32 number)
{
  LcSweepProcess *process = &sweep->processes[number];
  LcSweepStep step;

  sweep_describe (sweep, number, &step);
  for (gsize i = 0; sweep->visitors[i] != NULL; i++)
    if (sweep->visitors[i]->begin != NULL)
      {
        step.carried = i < LC_SWEEP_CARRIED ? &process->carried_begin[i] : NULL;
        sweep->visitors[i]->begin (sweep->visitors[i], &step);
      }
}

static inline void
begin_event (LcSweep *sweep, guint32 number)
{
  LcSweepProcess *process = &sweep->processes[number];

  process->gave_up = FALSE;
  process->want = 0;
  process->n_arcs = 0;
  process->group.n_members = 0;
  memset (process->carried_begin, 0, sizeof process->carried_begin);
  if (sweep->has_begin)
    show_begin (sweep, number);
}

/* Must be called when the event is decided: others see its object and sequence number from here on. */
static inline void
give_begin (LcSweep *sweep, guint32 number, const LcOperationWants *operation)
{
  LcSweepProcess *process = &sweep->processes[number];

  process->begun = TRUE;
  if (operation->at_begin != NULL && lc_sweep_present (process)->object != LC_TRACE_NONE)
    sweep_give (sweep, number, operation->at_begin, LC_POINT_BEGIN);
}

/* Computes layer, time basis and waiting from the arcs that end here. */
static inline void
sweep_resolve (LcSweep *sweep, guint32 number, const LcOperationWants *operation, LcSweepStep *step)
{
  LcSweepProcess *process = &sweep->processes[number];
  const LcTraceEvent *event = lc_sweep_present (process);
  const LcTracePending *pending = lc_sweep_find_pending (sweep, number);
  guint64 layer = process->layer, latest = event->begin;
  gboolean backwards = FALSE;

  step->arcs = process->arcs;
  step->n_arcs = process->n_arcs;
  for (gsize i = 0; i < step->n_arcs; i++)
    {
      const LcSweepPoint *from = &step->arcs[i];

      layer = MAX (layer, from->layer);
      backwards |= from->time > event->end;
      if (from->process != number && from->time > latest)
        {
          latest = from->time;
          step->basis = (int)i;
        }
    }
  if (process->group.n_members > 0)
    {
      step->group = &process->group;
      layer = MAX (layer, process->group_layer);
    }
  step->layer = layer + 1;
  step->waited = MIN (latest, event->end) - event->begin;
  step->outside = G_UNLIKELY (operation->outside) && step->waited == 0 && (step->n_arcs == 0 || operation->lingers);
  if (step->n_arcs == 0 && !step->outside && lc_sweep_waits_for_nobody (operation, event))
    step->waited = event->end - event->begin;
  if (G_UNLIKELY (pending != NULL))
    lc_sweep_resolve_pending (sweep, pending, step);
  else if (G_UNLIKELY (sweep->director != NULL))
    step->waited = sweep->given[number].waited;
  else if (G_UNLIKELY (backwards))
    {
      sweep->result->backwards++;
      lc_sweep_tell (sweep, LC_SWEEP_BACKWARDS, number, NULL, LC_TRACE_NONE);
    }
}

/* A counted requirement has been met: removes the entries that were kept only until then. */
static void
close_counted (LcSweep *sweep, const LcSweepProcess *process, const GPtrArray *wants)
{
  const LcTraceEvent *event = lc_sweep_present (process);

  if (process->gave_up || (!lc_census_is_counted (sweep->census) && !(event->flags & LC_TRACE_EVENT_VALUE)))
    return;
  for (guint i = 0; i < wants->len; i++)
    {
      const GArray *closings = ((const LcWant *)wants->pdata[i])->closings;

      for (guint k = 0; closings != NULL && k < closings->len; k++)
        {
          const LcClosing *closing = &g_array_index (closings, LcClosing, k);
          LcPointKey key = lc_sweep_key_of (closing->unneeded, event, closing->step);

          sweep_drop (sweep, &key);
        }
    }
}

static gboolean
sweep_is_whole (const LcSweep *sweep, guint32 entry, const LcTraceEvent *event)
{
  return !(event->flags & LC_TRACE_EVENT_VALUE) || lc_points_count (sweep->points, entry) >= event->value;
}

/* The last member to leave a group removes the group's entry, but not before all members have come: a member that waits
 * for nobody may leave early. */
static void
leave_group (LcSweep *sweep, guint32 number, const LcOperationWants *operation)
{
  LcSweepProcess *process = &sweep->processes[number];

  for (guint i = 0; i < operation->wants->len; i++)
    {
      const LcWant *want = operation->wants->pdata[i];
      LcPointKey key = lc_sweep_key_of (want, lc_sweep_present (process), 0);
      guint32 entry = want->group ? lc_points_find (sweep->points, &key) : LC_NO_ENTRY;

      if (entry != LC_NO_ENTRY && lc_points_leave (sweep->points, entry) &&
          sweep_is_whole (sweep, entry, lc_sweep_present (process)))
        lc_points_remove (sweep->points, entry);
    }
}

static inline void
sweep_end_event (LcSweep *sweep, guint32 number, const LcOperationWants *operation)
{
  LcSweepProcess *process = &sweep->processes[number];
  LcSweepStep step;

  sweep_describe (sweep, number, &step);
  sweep_resolve (sweep, number, operation, &step);
  lc_absent_complete (sweep->absent, &step);
  memset (process->carried_end, 0, sizeof process->carried_end);
  for (gsize i = 0; sweep->visitors[i] != NULL; i++)
    if (sweep->visitors[i]->end != NULL)
      {
        step.carried = i < LC_SWEEP_CARRIED ? &process->carried_end[i] : NULL;
        sweep->visitors[i]->end (sweep->visitors[i], &step);
      }
  process->layer = step.layer;
  sweep->result->layers = MAX (sweep->result->layers, step.layer);
  sweep->result->arcs += step.n_arcs;
  sweep->result->events++;
  if (operation->has_groups)
    leave_group (sweep, number, operation);
  if (operation->has_closings)
    close_counted (sweep, process, operation->wants);
  if (operation->at_end != NULL && lc_sweep_present (process)->object != LC_TRACE_NONE)
    sweep_give (sweep, number, operation->at_end, LC_POINT_END);
  process->begun = FALSE;
  process->since = lc_sweep_present (process)->end;
  process->at++;
}

/* FALSE: the present event has to wait for another one. */
static inline gboolean
fulfil_all (LcSweep *sweep, guint32 number, const LcOperationWants *operation)
{
  LcSweepProcess *process = &sweep->processes[number];
  const GPtrArray *wants = operation->wants;

  if (wants != NULL && lc_sweep_present (process)->object != LC_TRACE_NONE)
    for (; process->want < wants->len; process->want++)
      if (!sweep_fulfil (sweep, number, wants->pdata[process->want], FALSE))
        return FALSE;
  return TRUE;
}

/* Whether the part of the trace is complete: no event begins any more, but events that have begun end if they can. */
static gboolean
sweep_is_cut (LcSweep *sweep, const LcSweepProcess *process)
{
  if (sweep->part.most_events == 0 || sweep->result->events < sweep->part.most_events || process->begun)
    return FALSE;
  sweep->result->cut = TRUE;
  return TRUE;
}

/* Goes on with one process until its turn is over; then it is pushed back, unless it is parked, ended or cut. */
static void
sweep_run (LcSweep *sweep, guint32 number)
{
  LcSweepProcess *process = &sweep->processes[number];

  for (int budget = RUN; budget > 0 && sweep_load (process); budget--)
    {
      const LcOperationWants *operation = lc_wants_of (sweep->wants, lc_sweep_present (process));

      if (sweep_is_cut (sweep, process) || (!process->begun && lc_sweep_keeps_for_last (sweep, number)))
        return;
      if (!process->begun)
        {
          begin_event (sweep, number);
          give_begin (sweep, number, operation);
        }
      if (!fulfil_all (sweep, number, operation))
        return;
      sweep_end_event (sweep, number, operation);
    }
  if (sweep_load (process))
    push_by_time (sweep, number);
}

/* --- With a director --------------------------------------------------------------------------------------- */

/* Loads the process's next event if the director has already decided it. */
static void
sweep_bring (LcSweep *sweep, guint32 number)
{
  LcSweepProcess *process = &sweep->processes[number];
  LcSweepNext *given = &sweep->given[number];
  LcSweepVerdict verdict = sweep->director->next (sweep->director, number, given);

  process->held = verdict == LC_SWEEP_HELD;
  process->ended = verdict == LC_SWEEP_OVER;
  if (verdict != LC_SWEEP_GO)
    return;
  process->batch = (LcTraceBatch){&given->event, 1, process->batch.first_ordinal + process->batch.n_events};
  process->at = 0;
  begin_event (sweep, number);
  if (lc_sweep_keeps_for_last (sweep, number))
    return;
  process->key = sweep->director->when (sweep->director, number);
  sweep_push (sweep, number);
}

static void
wake_held (LcSweep *sweep)
{
  guint32 number;

  while ((number = sweep->director->woken (sweep->director)) != LC_TRACE_NONE)
    {
      LcSweepProcess *process = &sweep->processes[number];

      if (!process->held)
        continue;
      process->held = FALSE;
      if (process->at < process->batch.n_events)
        sweep_push (sweep, number);
      else
        sweep_bring (sweep, number);
    }
}

static gboolean
sweep_decide (LcSweep *sweep, guint32 number)
{
  LcSweepProcess *process = &sweep->processes[number];
  LcSweepVerdict verdict = sweep->director->decide (sweep->director, number, &sweep->given[number], &process->key);

  process->held = verdict == LC_SWEEP_HELD;
  if (verdict == LC_SWEEP_LATER)
    sweep_push (sweep, number);
  return verdict == LC_SWEEP_GO;
}

/* Handles a single event, so that processes take turns in the director's order. */
static void
run_directed (LcSweep *sweep, guint32 number)
{
  LcSweepProcess *process = &sweep->processes[number];
  const LcOperationWants *operation = lc_wants_of (sweep->wants, lc_sweep_present (process));

  if (!process->begun && sweep_decide (sweep, number))
    give_begin (sweep, number, operation);
  if (process->begun && fulfil_all (sweep, number, operation))
    {
      sweep_end_event (sweep, number, operation);
      sweep_bring (sweep, number);
    }
  wake_held (sweep);
}

/* Asks the director whose event is to be given up; LC_TRACE_NONE: no event. */
static guint32
ask_about_stall (LcSweep *sweep, guint32 first)
{
  g_autofree gboolean *is_stuck = g_new (gboolean, MAX (sweep->n_processes, 1));
  gboolean is_any = FALSE;

  for (guint32 i = 0; i < sweep->n_processes; i++)
    {
      is_stuck[i] = sweep->processes[i].parked || sweep->processes[i].held;
      is_any |= is_stuck[i];
    }
  if (!is_any)
    return LC_TRACE_NONE;
  first = sweep->director->stalled (sweep->director, is_stuck, first);
  sweep->blocked = first == LC_TRACE_NONE || !sweep->processes[first].parked;
  return sweep->blocked ? LC_TRACE_NONE : first;
}

/* --- Stalls ------------------------------------------------------------------------------------------------ */

static void
sweep_unpark (LcSweep *sweep, guint32 number)
{
  LcSweepProcess *process = &sweep->processes[number];
  guint32 at = lc_points_first_waiting (sweep->points, process->parked_on);

  if (at == number)
    lc_points_set_first_waiting (sweep->points, process->parked_on, process->next_waiting);
  else
    {
      while (sweep->processes[at].next_waiting != number)
        at = sweep->processes[at].next_waiting;
      sweep->processes[at].next_waiting = process->next_waiting;
    }
  process->parked = FALSE;
}

static const LcWant *
present_want (const LcSweep *sweep, guint32 number)
{
  const LcSweepProcess *process = &sweep->processes[number];

  return lc_wants_of (sweep->wants, lc_sweep_present (process))->wants->pdata[process->want];
}

/* Finds the parked process with the earliest event. */
static guint32
find_parked (const LcSweep *sweep)
{
  guint32 first = LC_TRACE_NONE;

  for (guint32 i = 0; i < sweep->n_processes; i++)
    if (sweep->processes[i].parked && (first == LC_TRACE_NONE || sweep_is_before (sweep, i, first)))
      first = i;
  return first;
}

/* Finds the parked process whose requirement is soft and whose event ended first when measured; a director's order does
 * not matter here. */
static guint32
find_soft (const LcSweep *sweep)
{
  guint32 first = LC_TRACE_NONE;

  for (guint32 i = 0; i < sweep->n_processes; i++)
    if (sweep->processes[i].parked && present_want (sweep, i)->soft &&
        (first == LC_TRACE_NONE ||
         lc_sweep_present (&sweep->processes[i])->end < lc_sweep_present (&sweep->processes[first])->end))
      first = i;
  return first;
}

/*
 * The sweep has stalled, and this event is the earliest of those that can do without their requirement. Whatever could
 * meet it comes after the event's end, if the clocks agree, so the event did do without. Its supplies are now of the
 * rule for an event that has not waited, so that takers give nothing back.
 */
static void
sweep_release (LcSweep *sweep, guint32 number)
{
  LcSweepProcess *process = &sweep->processes[number];
  const LcTraceEvent *event = lc_sweep_present (process);
  const GArray *gifts = sweep->wants->operations[event->operation].at_begin;

  sweep_unpark (sweep, number);
  for (guint i = 0; gifts != NULL && i < gifts->len; i++)
    {
      const LcGift *gift = &g_array_index (gifts, LcGift, i);
      const LcPointKey key = lc_sweep_key_of (gift->want, event, gift->want->step);
      const guint32 entry = lc_points_find (sweep->points, &key);

      if (entry != LC_NO_ENTRY)
        lc_points_set_rule (sweep->points, entry, number, lc_sweep_ordinal (process), gift->rule);
    }
  process->want++;
  sweep_push (sweep, number);
}

/* Lets the event go on without what it waits for. That is a problem: nothing supplies it, or only another waiting
 * event. */
static void
give_up_on (LcSweep *sweep, guint32 number)
{
  LcSweepProcess *process = &sweep->processes[number];
  const LcWant *want = present_want (sweep, number);
  const LcPointKey key = lc_sweep_key_of (want, lc_sweep_present (process), 0);
  guint32 giver = LC_TRACE_NONE;

  sweep_unpark (sweep, number);
  if (sweep->director == NULL && sweep->result->problems->len < LC_SWEEP_REPORTED)
    {
      process->parked = TRUE;
      giver = lc_sweep_find_giver (sweep, want, &key);
      process->parked = FALSE;
    }
  if (giver != LC_TRACE_NONE || !sweep->partial)
    {
      *(giver != LC_TRACE_NONE ? &sweep->result->cycles : &sweep->result->unmatched) += 1;
      lc_sweep_tell (sweep, giver != LC_TRACE_NONE ? LC_SWEEP_CYCLE : LC_SWEEP_UNMATCHED, number, want, giver);
    }
  process->gave_up = TRUE;
  sweep_fulfil (sweep, number, want, TRUE);
  process->want++;
  sweep_push (sweep, number);
}

/* Lets one parked process go on. FALSE: there is none. */
static gboolean
sweep_give_up (LcSweep *sweep)
{
  guint32 first = find_soft (sweep);

  if (first != LC_TRACE_NONE)
    {
      sweep_release (sweep, first);
      return TRUE;
    }
  first = find_parked (sweep);
  if (sweep->director != NULL)
    first = ask_about_stall (sweep, first);
  if (first != LC_TRACE_NONE)
    give_up_on (sweep, first);
  return first != LC_TRACE_NONE;
}

/* Lets those end who were blocked to their end. FALSE: there are none. */
static gboolean
sweep_let_end (LcSweep *sweep)
{
  sweep->ending = TRUE;
  for (guint32 i = 0; i < sweep->n_processes; i++)
    if (sweep->processes[i].last)
      {
        sweep->processes[i].last = FALSE;
        push_by_time (sweep, i);
      }
  return sweep->heap_size > 0;
}

static void
sweep_start (LcSweep *sweep)
{
  for (guint32 i = 0; i < sweep->n_processes; i++)
    if (sweep->director != NULL)
      sweep_bring (sweep, i);
    else if (sweep_load (&sweep->processes[i]))
      {
        lc_sweep_set_since (sweep, i);
        push_by_time (sweep, i);
      }
  if (sweep->director != NULL)
    wake_held (sweep);
}

/*
 * Too many points are held: either no event needs them, or one that should have gone on long ago. If a parked process
 * is behind all others, its wait is in vain: what it waits for would have come before the end of its event, which all
 * others have passed.
 */
static void
sweep_make_room (LcSweep *sweep)
{
  guint32 first = find_parked (sweep);

  if (sweep->director == NULL && first != LC_TRACE_NONE && sweep->heap_size > 0 &&
      sweep_is_before (sweep, first, sweep->heap[0]))
    {
      if (present_want (sweep, first)->soft)
        sweep_release (sweep, first);
      else
        give_up_on (sweep, first);
    }
  lc_points_forget (sweep->points, LIMIT / 2);
}

static gboolean
sweep_go (LcSweep *sweep, LcSweepProgress progress, gpointer data, GError **error)
{
  guint64 told = 0;

  sweep_start (sweep);
  while (!sweep->blocked &&
         (sweep->heap_size > 0 || (!sweep->result->cut && (sweep_give_up (sweep) || sweep_let_end (sweep)))))
    {
      if (sweep->director != NULL)
        run_directed (sweep, sweep_pop (sweep));
      else
        sweep_run (sweep, sweep_pop (sweep));
      if (G_UNLIKELY (lc_points_size (sweep->points) > LIMIT))
        sweep_make_room (sweep);
      if (progress == NULL || sweep->result->events - told < PROGRESS)
        continue;
      told = sweep->result->events;
      if (!progress (told, data))
        {
          g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
          return FALSE;
        }
    }
  if (sweep->blocked)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK, "no process can go on");
  return !sweep->blocked;
}

static void
open_cursors (LcSweep *sweep)
{
  for (guint32 i = 0; i < sweep->n_processes; i++)
    sweep->processes[i].cursor = lc_trace_cursor_open (sweep->trace, i);
}

static gboolean
sweep_part (LcTrace *trace, const LcRules *rules, const LcSweepPart *part, LcSweepDirector *director,
            LcSweepVisitor *const *visitors, LcSweepProgress progress, gpointer data, LcSweepResult *result,
            GError **error)
{
  LcSweep sweep = {
      .trace = trace, .rules = rules, .visitors = visitors, .director = director, .part = *part, .result = result};
  gboolean done;
  gsize n_gaps;

  *result = (LcSweepResult){.problems = g_array_new (FALSE, FALSE, sizeof (LcSweepProblem))};
  lc_trace_get_gaps (trace, &n_gaps);
  sweep.partial = part->growing || n_gaps > 0;
  sweep.wants = lc_wants_new (trace, rules);
  sweep.census = lc_census_new (trace, sweep.wants, director != NULL);
  sweep.points = lc_points_new (KEPT);
  sweep.absent = lc_absent_new (trace);
  sweep.n_processes = lc_trace_get_n_processes (trace);
  sweep.processes = g_new0 (LcSweepProcess, MAX (sweep.n_processes, 1));
  sweep.heap = g_new0 (guint32, MAX (sweep.n_processes, 1));
  if (director != NULL)
    sweep.given = g_new0 (LcSweepNext, MAX (sweep.n_processes, 1));
  else
    open_cursors (&sweep);
  for (gsize i = 0; visitors[i] != NULL; i++)
    sweep.has_begin |= visitors[i]->begin != NULL;
  done = sweep_go (&sweep, progress, data, error);
  if (done)
    lc_sweep_tell_left (&sweep);
  result->highest = lc_points_highest (sweep.points);
  for (guint32 i = 0; i < sweep.n_processes; i++)
    {
      g_clear_pointer (&sweep.processes[i].cursor, lc_trace_cursor_close);
      g_free (sweep.processes[i].arcs);
    }
  g_free (sweep.given);
  g_free (sweep.processes);
  g_free (sweep.heap);
  lc_points_free (sweep.points);
  lc_absent_free (sweep.absent);
  lc_census_free (sweep.census);
  lc_wants_free (sweep.wants);
  return done;
}

gboolean
lc_sweep_run_part (LcTrace *trace, const LcRules *rules, const LcSweepPart *part, LcSweepVisitor *const *visitors,
                   LcSweepProgress progress, gpointer data, LcSweepResult *result, GError **error)
{
  return sweep_part (trace, rules, part, NULL, visitors, progress, data, result, error);
}

gboolean
lc_sweep_run_directed (LcTrace *trace, const LcRules *rules, LcSweepDirector *director, LcSweepVisitor *const *visitors,
                       LcSweepProgress progress, gpointer data, LcSweepResult *result, GError **error)
{
  return sweep_part (trace, rules, &(LcSweepPart){0}, director, visitors, progress, data, result, error);
}
