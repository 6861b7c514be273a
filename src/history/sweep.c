/* SPDX-License-Identifier: Apache-2.0 */
/* The one pass over all processes: resolves each event as soon as all that it waits for has been seen. */
#include "lightcone/sweep.h"

#include <gio/gio.h>
#include <string.h>

#include "census.h"
#include "points.h"
#include "wants.h"

enum
{
  RUN = 64,           /* events of one process before the others are looked at */
  KEPT = 1 << 16,     /* used points that somebody may still want */
  LIMIT = 3 << 19,    /* points held before events that wait are given up, and old points forgotten */
  REPORTED = 1000,    /* problems told one by one */
  PROGRESS = 1 << 16, /* events between two calls of the progress function */
};

typedef struct
{
  LcTraceCursor *cursor;
  LcTraceBatch batch;
  gsize at; /* in the batch */
  guint64 layer;
  gboolean begun, ended, parked, gave_up;
  guint want; /* of the present event: those before are fulfilled */
  LcSweepPoint *arcs;
  gsize n_arcs, arcs_room;
  LcSweepGroup group;
  guint64 group_layer;
  guint64 carried_begin[LC_SWEEP_CARRIED], carried_end[LC_SWEEP_CARRIED];
  guint32 parked_on;    /* entry */
  guint32 next_waiting; /* in the entry's list */
} Process;

typedef struct
{
  LcTrace *trace;
  const LcRules *rules;
  LcSweepVisitor *const *visitors;
  LcSweepResult *result;
  LcWants *wants;
  gboolean has_begin; /* of the visitors: somebody wants to see begins */
  LcCensus *census;   /* NULL: the trace itself says enough */
  LcPoints *points;
  Process *processes;
  guint32 n_processes;
  guint32 *heap; /* processes that can go on, by the end of their present event */
  guint32 heap_size;
} Sweep;

static const LcTraceEvent *
present (const Process *process)
{
  return &process->batch.events[process->at];
}

static guint64
ordinal (const Process *process)
{
  return process->batch.first_ordinal + process->at;
}

/* --- The processes that can go on -------------------------------------------------------------------------- */

/* Ties are broken by the process's number, so that the order depends on the trace alone. */
static gboolean
is_before (const Sweep *sweep, guint32 a, guint32 b)
{
  guint64 of_a = present (&sweep->processes[a])->end, of_b = present (&sweep->processes[b])->end;

  return of_a < of_b || (of_a == of_b && a < b);
}

static void
push (Sweep *sweep, guint32 process)
{
  guint32 place = sweep->heap_size++;

  while (place > 0 && is_before (sweep, process, sweep->heap[(place - 1) / 2]))
    {
      sweep->heap[place] = sweep->heap[(place - 1) / 2];
      place = (place - 1) / 2;
    }
  sweep->heap[place] = process;
}

static guint32
pop (Sweep *sweep)
{
  guint32 first = sweep->heap[0], last = sweep->heap[--sweep->heap_size], place = 0;

  for (;;)
    {
      guint32 child = place * 2 + 1;

      if (child >= sweep->heap_size)
        break;
      if (child + 1 < sweep->heap_size && is_before (sweep, sweep->heap[child + 1], sweep->heap[child]))
        child++;
      if (!is_before (sweep, sweep->heap[child], last))
        break;
      sweep->heap[place] = sweep->heap[child];
      place = child;
    }
  sweep->heap[place] = last;
  return first;
}

/* Makes sure that there is a present event. */
static gboolean
load (Process *process)
{
  if (process->ended)
    return FALSE;
  if (process->at < process->batch.n_events)
    return TRUE;
  process->at = 0;
  process->ended = !lc_trace_cursor_next (process->cursor, &process->batch);
  return !process->ended;
}

/* --- What an event waits for ------------------------------------------------------------------------------- */

static void
park (Sweep *sweep, guint32 number, guint32 entry)
{
  Process *process = &sweep->processes[number];

  process->parked = TRUE;
  process->parked_on = entry;
  process->next_waiting = lc_points_first_waiting (sweep->points, entry);
  lc_points_set_first_waiting (sweep->points, entry, number);
}

static void
wake (Sweep *sweep, guint32 entry)
{
  guint32 number = lc_points_first_waiting (sweep->points, entry);

  lc_points_set_first_waiting (sweep->points, entry, LC_TRACE_NONE);
  while (number != LC_TRACE_NONE)
    {
      Process *process = &sweep->processes[number];

      process->parked = FALSE;
      push (sweep, number);
      number = process->next_waiting;
    }
}

static LcPointKey
key_of (const LcWant *want, const LcTraceEvent *event, int step)
{
  gint64 sequence = event->flags & LC_TRACE_EVENT_SEQUENCE ? event->sequence : 0;

  return (LcPointKey){want->id, event->object, sequence + step};
}

/* It is known already that the partner will be another one. */
static gboolean
is_refused (const Sweep *sweep, const LcGift *gift, const LcTraceEvent *event)
{
  LcPointKey key = key_of (gift->unless, event, 0);
  guint32 entry = lc_points_find (sweep->points, &key);

  return entry != LC_NO_ENTRY && lc_points_count (sweep->points, entry) > 0 &&
         lc_points_list (sweep->points, entry)->rule != gift->answer;
}

/* Puts this point of an event where those who want it will look. */
static void
give (Sweep *sweep, guint32 number, const GArray *gifts, LcPoint which)
{
  Process *process = &sweep->processes[number];
  const LcTraceEvent *event = present (process);
  LcSweepPoint point = {number, which, ordinal (process), 0, process->layer, {0}, NULL};

  point.time = which == LC_POINT_BEGIN ? event->begin : event->end;
  memcpy (point.carried, which == LC_POINT_BEGIN ? process->carried_begin : process->carried_end, sizeof point.carried);
  for (guint i = 0; i < gifts->len; i++)
    {
      const LcGift *gift = &g_array_index (gifts, LcGift, i);
      LcPointKey key = key_of (gift->want, event, gift->want->step);
      guint32 entry;

      if (gift->unless != NULL && is_refused (sweep, gift, event))
        continue;
      entry = lc_points_get (sweep->points, &key);
      point.rule = gift->rule;
      lc_points_add (sweep->points, entry, &point);
      if (lc_points_first_waiting (sweep->points, entry) != LC_TRACE_NONE)
        wake (sweep, entry);
    }
}

/* How many points the event must come after, as the rules have it. */
static guint64
ruled (const Sweep *sweep, const LcWant *want, const LcTraceEvent *event, const LcPointKey *key)
{
  LcTraceObject object;

  if (want->group || want->counted)
    return event->flags & LC_TRACE_EVENT_VALUE && event->value > 0 ? (guint64)event->value : 0;
  if (event->flags & (LC_EVENT_UNKNOWN | LC_EVENT_OWNER_DIED) || key->sequence - want->step < want->first)
    return 0;
  if (want->given)
    {
      lc_trace_get_object (sweep->trace, event->object, &object);
      if (key->sequence <= (gint64)object.value)
        return 0;
    }
  return 1;
}

/* Text does not say how many tokens a semaphore had at first, so that a wait without a post may well be right. */
static gboolean
is_nowhere (const Sweep *sweep, const LcWant *want, const LcTraceEvent *event, const LcPointKey *key)
{
  return sweep->census != NULL && !want->given && lc_census_count (sweep->census, want, key) == 0 &&
         ruled (sweep, want, event, key) > 0;
}

static guint64
expected (const Sweep *sweep, const LcWant *want, const LcTraceEvent *event, const LcPointKey *key)
{
  return sweep->census != NULL ? lc_census_count (sweep->census, want, key) : ruled (sweep, want, event, key);
}

static void
add_arc (Process *process, const LcSweepPoint *from)
{
  if (process->n_arcs == process->arcs_room)
    {
      process->arcs_room = MAX (4, process->arcs_room * 2);
      process->arcs = g_renew (LcSweepPoint, process->arcs, process->arcs_room);
    }
  process->arcs[process->n_arcs++] = *from;
}

static void
take_group (Sweep *sweep, Process *process, guint32 number, guint32 entry)
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
    add_arc (process, &members[process->group.last]);
}

static void
tell (Sweep *sweep, LcSweepTrouble trouble, guint32 number, const LcWant *want, guint32 cycle)
{
  const Process *process = &sweep->processes[number];
  const LcTraceEvent *event = present (process);
  LcSweepProblem problem = {
      trouble, number, ordinal (process), event->operation, event->object, event->sequence, LC_TRACE_NONE, 0, cycle};

  if (want != NULL)
    {
      problem.wants = want->from;
      problem.wants_sequence = key_of (want, event, -want->step).sequence;
    }
  if (sweep->result->problems->len < REPORTED)
    g_array_append_val (sweep->result->problems, problem);
}

/* Nobody will look for it any more. */
static void
drop (Sweep *sweep, const LcPointKey *key)
{
  guint32 entry = lc_points_find (sweep->points, key);

  if (entry != LC_NO_ENTRY && lc_points_first_waiting (sweep->points, entry) == LC_TRACE_NONE)
    lc_points_remove (sweep->points, entry);
}

/* What the event has given for a partner that turned out to be another one. */
static void
take_back (Sweep *sweep, const LcWant *want, const LcTraceEvent *event, const LcArcRule *answer)
{
  for (guint i = 0; i < want->refusals->len; i++)
    {
      const LcRefusal *refusal = &g_array_index (want->refusals, LcRefusal, i);
      LcPointKey key = key_of (refusal->unneeded, event, refusal->unneeded->step);

      if (refusal->answer != answer)
        drop (sweep, &key);
    }
}

/* Takes what is there for the event; FALSE when it has to wait for more. */
static gboolean
fulfil (Sweep *sweep, guint32 number, const LcWant *want, gboolean give_up)
{
  Process *process = &sweep->processes[number];
  const LcTraceEvent *event = present (process);
  LcPointKey key = key_of (want, event, 0);
  guint32 entry = lc_points_find (sweep->points, &key);
  guint64 found = entry != LC_NO_ENTRY ? lc_points_count (sweep->points, entry) : 0;

  if (!give_up && found < expected (sweep, want, event, &key))
    {
      park (sweep, number, lc_points_get (sweep->points, &key));
      return FALSE;
    }
  if (found == 0)
    {
      if (is_nowhere (sweep, want, event, &key))
        {
          sweep->result->unmatched++;
          tell (sweep, LC_SWEEP_UNMATCHED, number, want, LC_TRACE_NONE);
        }
      return TRUE;
    }
  if (want->group)
    {
      take_group (sweep, process, number, entry);
      return TRUE;
    }
  for (guint64 i = 0; i < (want->counted ? found : 1); i++)
    add_arc (process, &lc_points_list (sweep->points, entry)[i]);
  if (want->once && lc_points_first_waiting (sweep->points, entry) == LC_TRACE_NONE)
    lc_points_remove (sweep->points, entry);
  else
    lc_points_used (sweep->points, entry);
  if (want->refusals != NULL)
    take_back (sweep, want, event, process->arcs[process->n_arcs - 1].rule);
  return TRUE;
}

/* --- Events ------------------------------------------------------------------------------------------------ */

static void
describe (const Process *process, guint32 number, LcSweepStep *step)
{
  *step = (LcSweepStep){.process = number,
                        .ordinal = ordinal (process),
                        .event = present (process),
                        .layer = process->layer,
                        .basis = LC_SWEEP_OWN};
}

static void
show_begin (Sweep *sweep, guint32 number)
{
  Process *process = &sweep->processes[number];
  LcSweepStep step;

  describe (process, number, &step);
  for (gsize i = 0; sweep->visitors[i] != NULL; i++)
    if (sweep->visitors[i]->begin != NULL)
      {
        step.carried = i < LC_SWEEP_CARRIED ? &process->carried_begin[i] : NULL;
        sweep->visitors[i]->begin (sweep->visitors[i], &step);
      }
}

static inline void
begin_event (Sweep *sweep, guint32 number, const LcOperationWants *operation)
{
  Process *process = &sweep->processes[number];

  process->begun = TRUE;
  process->gave_up = FALSE;
  process->want = 0;
  process->n_arcs = 0;
  process->group.n_members = 0;
  memset (process->carried_begin, 0, sizeof process->carried_begin);
  if (sweep->has_begin)
    show_begin (sweep, number);
  if (operation->at_begin != NULL && present (process)->object != LC_TRACE_NONE)
    give (sweep, number, operation->at_begin, LC_POINT_BEGIN);
}

/* Layer, time basis and waiting, from the arcs that end here. */
static inline void
resolve (Sweep *sweep, guint32 number, LcSweepStep *step)
{
  Process *process = &sweep->processes[number];
  const LcTraceEvent *event = present (process);
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
  if (backwards)
    {
      sweep->result->backwards++;
      tell (sweep, LC_SWEEP_BACKWARDS, number, NULL, LC_TRACE_NONE);
    }
}

/* What was kept for others until everything that a want counts has come. */
static void
close_counted (Sweep *sweep, const Process *process, const GPtrArray *wants)
{
  const LcTraceEvent *event = present (process);

  if (process->gave_up || (sweep->census == NULL && !(event->flags & LC_TRACE_EVENT_VALUE)))
    return;
  for (guint i = 0; i < wants->len; i++)
    {
      const GArray *closings = ((const LcWant *)wants->pdata[i])->closings;

      for (guint k = 0; closings != NULL && k < closings->len; k++)
        {
          const LcClosing *closing = &g_array_index (closings, LcClosing, k);
          LcPointKey key = key_of (closing->unneeded, event, closing->step);

          drop (sweep, &key);
        }
    }
}

/* The last member of a group to leave takes the group along. */
static void
leave_group (Sweep *sweep, guint32 number, const LcOperationWants *operation)
{
  Process *process = &sweep->processes[number];

  for (guint i = 0; i < operation->wants->len; i++)
    {
      const LcWant *want = operation->wants->pdata[i];
      LcPointKey key = key_of (want, present (process), 0);
      guint32 entry = want->group ? lc_points_find (sweep->points, &key) : LC_NO_ENTRY;

      if (entry != LC_NO_ENTRY && lc_points_leave (sweep->points, entry))
        lc_points_remove (sweep->points, entry);
    }
}

static inline void
end_event (Sweep *sweep, guint32 number, const LcOperationWants *operation)
{
  Process *process = &sweep->processes[number];
  LcSweepStep step;

  describe (process, number, &step);
  resolve (sweep, number, &step);
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
  if (operation->at_end != NULL && present (process)->object != LC_TRACE_NONE)
    give (sweep, number, operation->at_end, LC_POINT_END);
  process->begun = FALSE;
  process->at++;
}

/* Goes on with one process; it is parked, ended or pushed back when this returns. */
static void
run (Sweep *sweep, guint32 number)
{
  Process *process = &sweep->processes[number];

  for (int budget = RUN; budget > 0 && load (process); budget--)
    {
      const LcOperationWants *operation = &sweep->wants->operations[present (process)->operation];
      const GPtrArray *wants = operation->wants;

      if (!process->begun)
        begin_event (sweep, number, operation);
      if (wants != NULL && present (process)->object != LC_TRACE_NONE)
        for (; process->want < wants->len; process->want++)
          if (!fulfil (sweep, number, wants->pdata[process->want], FALSE))
            return;
      end_event (sweep, number, operation);
    }
  if (load (process))
    push (sweep, number);
}

/* --- When nothing can go on -------------------------------------------------------------------------------- */

/* Which process, of those that are parked, has what `want` looks for further on; LC_TRACE_NONE: nobody has. */
static guint32
find_giver (Sweep *sweep, const LcWant *want, const LcPointKey *key)
{
  for (guint32 number = 0; number < sweep->n_processes; number++)
    {
      Process *process = &sweep->processes[number];
      LcTraceCursor *cursor;
      LcTraceBatch batch;
      gboolean found = FALSE;

      if (!process->parked)
        continue;
      cursor = lc_trace_cursor_open (sweep->trace, number);
      while (!found && lc_trace_cursor_next (cursor, &batch))
        for (gsize i = 0; i < batch.n_events && !found; i++)
          {
            const LcTraceEvent *event = &batch.events[i];
            const LcOperationWants *operation = &sweep->wants->operations[event->operation];
            const GArray *gifts[] = {operation->at_begin, operation->at_end};

            if (batch.first_ordinal + i < ordinal (process) || event->object != key->object)
              continue;
            for (gsize j = 0; j < G_N_ELEMENTS (gifts); j++)
              for (guint k = 0; gifts[j] != NULL && k < gifts[j]->len; k++)
                found |= g_array_index (gifts[j], LcGift, k).want == want &&
                         key_of (want, event, want->step).sequence == key->sequence;
          }
      lc_trace_cursor_close (cursor);
      if (found)
        return number;
    }
  return LC_TRACE_NONE;
}

static void
unpark (Sweep *sweep, guint32 number)
{
  Process *process = &sweep->processes[number];
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

/*
 * The earliest event that waits goes on without what it waits for, and is a problem: what it wants is nowhere, or
 * behind another event that waits.
 */
static gboolean
give_up (Sweep *sweep)
{
  guint32 first = LC_TRACE_NONE, giver = LC_TRACE_NONE;
  const LcWant *want;
  Process *process;
  LcPointKey key;

  for (guint32 i = 0; i < sweep->n_processes; i++)
    if (sweep->processes[i].parked && (first == LC_TRACE_NONE || is_before (sweep, i, first)))
      first = i;
  if (first == LC_TRACE_NONE)
    return FALSE;
  process = &sweep->processes[first];
  want = sweep->wants->operations[present (process)->operation].wants->pdata[process->want];
  key = key_of (want, present (process), 0);
  unpark (sweep, first);
  if (sweep->result->problems->len < REPORTED)
    {
      process->parked = TRUE;
      giver = find_giver (sweep, want, &key);
      process->parked = FALSE;
    }
  *(giver != LC_TRACE_NONE ? &sweep->result->cycles : &sweep->result->unmatched) += 1;
  tell (sweep, giver != LC_TRACE_NONE ? LC_SWEEP_CYCLE : LC_SWEEP_UNMATCHED, first, want, giver);
  process->gave_up = TRUE;
  fulfil (sweep, first, want, TRUE);
  process->want++;
  push (sweep, first);
  return TRUE;
}

static gboolean
go (Sweep *sweep, LcSweepProgress progress, gpointer data, GError **error)
{
  guint64 told = 0;

  for (guint32 i = 0; i < sweep->n_processes; i++)
    if (load (&sweep->processes[i]))
      push (sweep, i);
  while (sweep->heap_size > 0 || give_up (sweep))
    {
      run (sweep, pop (sweep));
      if (G_UNLIKELY (lc_points_size (sweep->points) > LIMIT))
        {
          give_up (sweep);
          lc_points_forget (sweep->points, LIMIT / 2);
        }
      if (progress == NULL || sweep->result->events - told < PROGRESS)
        continue;
      told = sweep->result->events;
      if (!progress (told, data))
        {
          g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
lc_sweep_run (LcTrace *trace, const LcRules *rules, LcSweepVisitor *const *visitors, LcSweepProgress progress,
              gpointer data, LcSweepResult *result, GError **error)
{
  Sweep sweep = {.trace = trace, .rules = rules, .visitors = visitors, .result = result};
  gboolean done;

  *result = (LcSweepResult){.problems = g_array_new (FALSE, FALSE, sizeof (LcSweepProblem))};
  sweep.wants = lc_wants_new (trace, rules);
  sweep.census = strcmp (lc_trace_get_format (trace), "text") == 0 ? lc_census_new (trace, sweep.wants) : NULL;
  sweep.points = lc_points_new (KEPT);
  sweep.n_processes = lc_trace_get_n_processes (trace);
  sweep.processes = g_new0 (Process, MAX (sweep.n_processes, 1));
  sweep.heap = g_new0 (guint32, MAX (sweep.n_processes, 1));
  for (guint32 i = 0; i < sweep.n_processes; i++)
    sweep.processes[i].cursor = lc_trace_cursor_open (trace, i);
  for (gsize i = 0; visitors[i] != NULL; i++)
    sweep.has_begin |= visitors[i]->begin != NULL;
  done = go (&sweep, progress, data, error);
  result->highest = lc_points_highest (sweep.points);
  for (guint32 i = 0; i < sweep.n_processes; i++)
    {
      lc_trace_cursor_close (sweep.processes[i].cursor);
      g_free (sweep.processes[i].arcs);
    }
  g_free (sweep.processes);
  g_free (sweep.heap);
  lc_points_free (sweep.points);
  g_clear_pointer (&sweep.census, lc_census_free);
  lc_wants_free (sweep.wants);
  return done;
}

void
lc_sweep_result_clear (LcSweepResult *result)
{
  g_clear_pointer (&result->problems, g_array_unref);
}
