/* SPDX-License-Identifier: Apache-2.0 */
/* Predicts what a run would take on another number of processors, by simulation. */
/*
 * There is a heap of what happens next, a queue of those that are ready, and one cursor for each
 * process. Times are simulated in order, so whether an event has happened already is told by the cursor of its process,
 * and no time of any event has to be kept.
 */
#include "lightcone/predict.h"

#include <glib/gi18n-lib.h>

#include "preempted.h"
#include "work-parts.h"

#define QUANTUM G_GUINT64_CONSTANT (3000000)

/* What a process does at the moment. */
typedef enum
{
  STEP_ABSENT, /* has not begun */
  STEP_GAP,    /* computes up to the begin of its next event */
  STEP_REST,   /* in the event, for a time that no other process decides */
  STEP_WAIT,   /* in the event, until others have come so far */
  STEP_OWN,    /* in the event, computes to its end */
  STEP_ENDED,
} Step;

/* A process waits for another one to come to a point. */
typedef struct
{
  guint64 point; /* 2 * ordinal, and 1 more for the end */
  guint32 process;
} Waiter;

typedef struct
{
  guint64 n_events;
  guint64 ordinal;
  guint64 last_end; /* of the event before, on the timeline */
  guint64 rest;     /* of the present event */
  guint64 own;
  guint64 left;  /* of the present computation */
  guint64 slice; /* that is being computed */
  Step step;
  guint missing;  /* points that the process waits for */
  gboolean holds; /* a processor */
  guint32 object; /* of its group, for the present event */
  gint64 sequence;
  gboolean in_group;
  guint64 birth;   /* on the timeline */
  guint64 passed;  /* points before this one have happened */
  GArray *waiters; /* Waiter, a heap by point */
} Process;

/* Something that happens. */
typedef struct
{
  guint64 time;
  guint64 number; /* of those at the same time the first is first */
  guint32 process;
} Next;

/* A barrier, or another event that all its members have to begin. */
typedef struct
{
  guint32 object;
  gint64 sequence;
  guint members;
  guint begun;
  GArray *waiting; /* guint32: processes */
} Group;

typedef struct
{
  LcHistory *history;
  LcHistoryWalk *walk;
  LcPreempted *preempted;
  const LcPredictOptions *options;
  Process *processes;
  guint32 n_processes;
  guint64 begin; /* of the run */
  guint64 quantum;
  GHashTable *groups; /* Group */
  GArray *heap;       /* Next */
  GQueue ready;       /* processes */
  guint32 idle;       /* processors */
  guint32 busy;
  guint32 most;
  guint64 now;
  guint64 numbers;
  guint64 work;
  gboolean rests; /* somebody did */
  GError *error;
} Simulation;

/* --- Heaps ------------------------------------------------------------------------------------------------------ */

static gboolean
predict_is_before (const Next *a, const Next *b)
{
  return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void
predict_push (Simulation *simulation, guint64 time, guint32 process)
{
  GArray *heap = simulation->heap;
  const Next next = {time, simulation->numbers++, process};
  guint place = heap->len;

  g_array_append_val (heap, next);
  while (place > 0 && predict_is_before (&next, &g_array_index (heap, Next, (place - 1) / 2)))
    {
      g_array_index (heap, Next, place) = g_array_index (heap, Next, (place - 1) / 2);
      place = (place - 1) / 2;
    }
  g_array_index (heap, Next, place) = next;
}

static Next
predict_pop (Simulation *simulation)
{
  GArray *heap = simulation->heap;
  const Next first = g_array_index (heap, Next, 0), last = g_array_index (heap, Next, heap->len - 1);
  guint place = 0, child;

  g_array_set_size (heap, heap->len - 1);
  while ((child = 2 * place + 1) < heap->len)
    {
      if (child + 1 < heap->len &&
          predict_is_before (&g_array_index (heap, Next, child + 1), &g_array_index (heap, Next, child)))
        child++;
      if (!predict_is_before (&g_array_index (heap, Next, child), &last))
        break;
      g_array_index (heap, Next, place) = g_array_index (heap, Next, child);
      place = child;
    }
  if (heap->len > 0)
    g_array_index (heap, Next, place) = last;
  return first;
}

static void
predict_add_waiter (GArray *heap, Waiter waiter)
{
  guint place = heap->len;

  g_array_append_val (heap, waiter);
  while (place > 0 && waiter.point < g_array_index (heap, Waiter, (place - 1) / 2).point)
    {
      g_array_index (heap, Waiter, place) = g_array_index (heap, Waiter, (place - 1) / 2);
      place = (place - 1) / 2;
    }
  g_array_index (heap, Waiter, place) = waiter;
}

static void
predict_drop_waiter (GArray *heap)
{
  const Waiter last = g_array_index (heap, Waiter, heap->len - 1);
  guint place = 0, child;

  g_array_set_size (heap, heap->len - 1);
  while ((child = 2 * place + 1) < heap->len)
    {
      if (child + 1 < heap->len &&
          g_array_index (heap, Waiter, child + 1).point < g_array_index (heap, Waiter, child).point)
        child++;
      if (g_array_index (heap, Waiter, child).point >= last.point)
        break;
      g_array_index (heap, Waiter, place) = g_array_index (heap, Waiter, child);
      place = child;
    }
  if (heap->len > 0)
    g_array_index (heap, Waiter, place) = last;
}

/* --- Groups ----------------------------------------------------------------------------------------------------- */

static guint
predict_hash_group (gconstpointer key)
{
  const Group *group = key;

  return (guint)group->sequence * 2654435761U + group->object;
}

static gboolean
predict_same_group (gconstpointer a, gconstpointer b)
{
  const Group *of_a = a, *of_b = b;

  return of_a->object == of_b->object && of_a->sequence == of_b->sequence;
}

static void
predict_free_group (gpointer data)
{
  Group *group = data;

  if (group->waiting != NULL)
    g_array_unref (group->waiting);
  g_free (group);
}

static gboolean
predict_count_member (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Simulation *simulation = data;
  const Group key = {.object = event->object, .sequence = event->sequence};
  Group *group;

  if (!(event->flags & LC_HISTORY_EVENT_GROUP))
    return TRUE;
  group = g_hash_table_lookup (simulation->groups, &key);
  if (group == NULL)
    {
      group = g_memdup2 (&key, sizeof key);
      g_hash_table_add (simulation->groups, group);
    }
  group->members++;
  return TRUE;
}

/* --- Processors ------------------------------------------------------------------------------------------------- */

static void
predict_begin_slice (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];

  process->slice = MIN (process->left, simulation->quantum);
  predict_push (simulation, simulation->now + process->slice, number);
}

static void
predict_take_processor (Simulation *simulation, guint32 number)
{
  simulation->processes[number].holds = TRUE;
  simulation->idle--;
  simulation->busy++;
  simulation->most = MAX (simulation->most, simulation->busy);
  predict_begin_slice (simulation, number);
}

static void
predict_give_processor_back (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];

  if (!process->holds)
    return;
  process->holds = FALSE;
  simulation->idle++;
  simulation->busy--;
  if (!g_queue_is_empty (&simulation->ready))
    predict_take_processor (simulation, GPOINTER_TO_UINT (g_queue_pop_head (&simulation->ready)));
}

static void
predict_compute (Simulation *simulation, guint32 number, guint64 length)
{
  Process *process = &simulation->processes[number];

  process->left = length;
  simulation->work += length;
  if (process->holds)
    predict_begin_slice (simulation, number);
  else if (simulation->idle > 0)
    predict_take_processor (simulation, number);
  else
    g_queue_push_tail (&simulation->ready, GUINT_TO_POINTER (number));
}

/* --- Steps ------------------------------------------------------------------------------------------------------ */

static void predict_release (Simulation *simulation, guint32 number);
static void predict_enter_event (Simulation *simulation, guint32 number);

/* The process has come to a point: whoever waits only for that goes on. */
static void
predict_pass_point (Simulation *simulation, guint32 number, guint64 point)
{
  Process *process = &simulation->processes[number];

  process->passed = point + 1;
  while (process->waiters->len > 0 && g_array_index (process->waiters, Waiter, 0).point <= point)
    {
      guint32 waiter = g_array_index (process->waiters, Waiter, 0).process;

      predict_drop_waiter (process->waiters);
      if (--simulation->processes[waiter].missing == 0)
        predict_release (simulation, waiter);
    }
}

static void
predict_await (Simulation *simulation, guint32 number, guint32 of, guint64 point)
{
  Process *process = &simulation->processes[number];

  if (of >= simulation->n_processes || of == number || simulation->processes[of].passed > point ||
      simulation->processes[of].n_events <= point / 2)
    return;
  predict_add_waiter (simulation->processes[of].waiters, (Waiter){point, number});
  process->missing++;
}

static void
predict_await_group (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];
  const Group key = {.object = process->object, .sequence = process->sequence};
  Group *group = g_hash_table_lookup (simulation->groups, &key);

  if (group == NULL)
    return;
  group->begun++;
  if (group->begun < group->members)
    {
      if (group->waiting == NULL)
        group->waiting = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_val (group->waiting, number);
      process->missing++;
      return;
    }
  for (guint i = 0; group->waiting != NULL && i < group->waiting->len; i++)
    {
      guint32 waiter = g_array_index (group->waiting, guint32, i);

      if (--simulation->processes[waiter].missing == 0)
        predict_release (simulation, waiter);
    }
  g_hash_table_remove (simulation->groups, &key);
}

static void
predict_set_parts (Simulation *simulation, Process *process, const LcHistoryEvent *event, gboolean awaits)
{
  const LcWorkParts parts = lc_work_parts_of (event, awaits);

  process->rest = parts.rest;
  process->own = parts.own;
  process->last_end = event->end;
  simulation->rests |= process->rest > 0;
}

static gboolean
predict_read (Simulation *simulation, guint32 number, LcHistoryEvent *event, const LcHistoryArcEnd **arcs)
{
  return lc_history_walk_get (simulation->walk, number, simulation->processes[number].ordinal, event, arcs,
                              &simulation->error);
}

static void
predict_begin_event (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent event;
  guint64 gap, preempted;

  if (process->ordinal >= process->n_events)
    {
      process->step = STEP_ENDED;
      predict_give_processor_back (simulation, number);
      return;
    }
  if (!predict_read (simulation, number, &event, &arcs))
    return;
  process->step = STEP_GAP;
  gap = event.begin > process->last_end ? event.begin - process->last_end : 0;
  if (!lc_preempted_sum (simulation->preempted, number, process->last_end, event.begin, &preempted, &simulation->error))
    return;
  predict_compute (simulation, number, gap - MIN (gap, preempted));
}

/* Whoever was made by another process waits for that; of others it is known only when they began. */
static void
predict_begin_process (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent event;

  process->step = STEP_ENDED;
  if (process->n_events == 0 || !predict_read (simulation, number, &event, &arcs))
    return;
  if (event.n_arcs > 0)
    {
      predict_enter_event (simulation, number);
      return;
    }
  process->step = STEP_ABSENT;
  process->last_end = process->birth;
  predict_push (simulation, process->birth > simulation->begin ? process->birth - simulation->begin : 0, number);
}

/* The time from what the first event waited for to its begin: a thread had to be made. */
static guint64
predict_get_launch (Simulation *simulation, const LcHistoryEvent *event, const LcHistoryArcEnd *arc)
{
  guint64 made;

  if (event->ordinal > 0 || event->n_arcs == 0 ||
      !lc_history_walk_get_time (simulation->walk, arc->process, arc->ordinal, arc->point, &made, &simulation->error))
    return 0;
  return event->begin > made ? event->begin - made : 0;
}

/* The process is at the begin of its event. */
static void
predict_enter_event (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent event;

  if (!predict_read (simulation, number, &event, &arcs))
    return;
  process->in_group = (event.flags & LC_HISTORY_EVENT_GROUP) != 0;
  process->object = event.object;
  process->sequence = event.sequence;
  process->missing = 1; /* nobody releases it before all is counted */
  process->step = STEP_WAIT;
  predict_set_parts (simulation, process, &event, event.n_arcs > 0 || process->in_group);
  process->own += predict_get_launch (simulation, &event, arcs);
  for (guint32 i = 0; i < event.n_arcs && !process->in_group; i++)
    predict_await (simulation, number, arcs[i].process, 2 * arcs[i].ordinal + (arcs[i].point == LC_POINT_END));
  predict_pass_point (simulation, number, 2 * process->ordinal);
  if (process->in_group)
    predict_await_group (simulation, number);
  if (--process->missing == 0)
    predict_release (simulation, number);
  else
    predict_give_processor_back (simulation, number);
}

/* Nothing is waited for any more. */
static void
predict_release (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];

  if (process->rest > 0)
    {
      process->step = STEP_REST;
      predict_give_processor_back (simulation, number);
      predict_push (simulation, simulation->now + process->rest, number);
      return;
    }
  process->step = STEP_OWN;
  predict_compute (simulation, number, process->own);
}

static void
predict_end_event (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];

  predict_pass_point (simulation, number, 2 * process->ordinal + 1);
  process->ordinal++;
  predict_begin_event (simulation, number);
}

/* A slice of a computation is over, or a rest. */
static void
predict_go_on (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];

  if (process->step == STEP_ABSENT)
    {
      predict_begin_event (simulation, number);
      return;
    }
  if (process->step == STEP_REST)
    {
      process->step = STEP_OWN;
      predict_compute (simulation, number, process->own);
      return;
    }
  process->left -= process->slice;
  if (process->left > 0)
    {
      if (g_queue_is_empty (&simulation->ready))
        {
          predict_begin_slice (simulation, number);
          return;
        }
      g_queue_push_tail (&simulation->ready, GUINT_TO_POINTER (number));
      predict_give_processor_back (simulation, number);
      return;
    }
  if (process->step == STEP_GAP)
    predict_enter_event (simulation, number);
  else
    predict_end_event (simulation, number);
}

/* --- One simulation --------------------------------------------------------------------------------------------- */

static void
predict_clear (Simulation *simulation)
{
  for (guint32 i = 0; i < simulation->n_processes; i++)
    if (simulation->processes[i].waiters != NULL)
      g_array_unref (simulation->processes[i].waiters);
  g_free (simulation->processes);
  g_queue_clear (&simulation->ready);
  g_clear_pointer (&simulation->groups, g_hash_table_unref);
  g_clear_pointer (&simulation->heap, g_array_unref);
  lc_history_walk_free (simulation->walk);
  lc_preempted_free (simulation->preempted);
}

static gboolean
predict_set_up (Simulation *simulation, GError **error)
{
  const LcPredictOptions *options = simulation->options;
  g_autofree guint64 *begins = g_new0 (guint64, simulation->n_processes + 1);
  g_autofree guint64 *ends = g_new0 (guint64, simulation->n_processes + 1);
  guint64 end;

  lc_history_get_span (simulation->history, &simulation->begin, &end);
  if (!lc_history_get_process_spans (simulation->history, options->timeline, begins, ends, error))
    return FALSE;
  simulation->processes = g_new0 (Process, simulation->n_processes + 1);
  simulation->heap = g_array_new (FALSE, FALSE, sizeof (Next));
  simulation->groups = g_hash_table_new_full (predict_hash_group, predict_same_group, predict_free_group, NULL);
  for (guint32 i = 0; i < simulation->n_processes; i++)
    {
      Process *process = &simulation->processes[i];

      process->birth = begins[i];
      process->waiters = g_array_new (FALSE, FALSE, sizeof (Waiter));
      if (!lc_history_count_events (simulation->history, options->timeline, i, &process->n_events, error) ||
          !lc_history_visit (simulation->history, options->timeline, i, 0, G_MAXUINT64, predict_count_member,
                             simulation, options->cancellable, error))
        return FALSE;
    }
  simulation->preempted = lc_preempted_new (simulation->history, options->timeline, options->cancellable);
  simulation->walk =
      lc_history_walk_new (simulation->history, options->timeline, LC_WALK_ARCS, options->cancellable, error);
  return simulation->walk != NULL;
}

/* Damage in the history may have made a circle. */
static gboolean
predict_check_end (const Simulation *simulation, GError **error)
{
  for (guint32 i = 0; i < simulation->n_processes; i++)
    if (simulation->processes[i].step != STEP_ENDED)
      {
        g_autofree char *ordinal = g_strdup_printf ("%" G_GUINT64_FORMAT, simulation->processes[i].ordinal);

        g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED,
                     _ ("%s: process %s waits for ever at its event %s (lightcone merge --again makes a new history)"),
                     lc_history_get_path (simulation->history), lc_history_get_process (simulation->history, i)->name,
                     ordinal);
        return FALSE;
      }
  return TRUE;
}

static gboolean
predict_run (Simulation *simulation, GError **error)
{
  for (guint32 i = 0; i < simulation->n_processes; i++)
    predict_begin_process (simulation, i);
  while (simulation->heap->len > 0 && simulation->error == NULL)
    {
      const Next next = predict_pop (simulation);

      simulation->now = next.time;
      predict_go_on (simulation, next.process);
      if (simulation->numbers % 65536 == 0 &&
          g_cancellable_set_error_if_cancelled (simulation->options->cancellable, &simulation->error))
        break;
    }
  if (simulation->error == NULL)
    return predict_check_end (simulation, error);
  g_propagate_error (error, simulation->error);
  return FALSE;
}

/* Leaves the simulation as it ended. */
static gboolean
predict_simulate (LcHistory *history, const LcPredictOptions *options, guint32 processors, Simulation *simulation,
                  GError **error)
{
  *simulation = (Simulation){.history = history,
                             .options = options,
                             .n_processes = lc_history_get_n_processes (history),
                             .idle = processors,
                             .quantum = options->quantum > 0 ? options->quantum : QUANTUM};
  g_queue_init (&simulation->ready);
  return predict_set_up (simulation, error) && predict_run (simulation, error);
}

/* --- All of them ------------------------------------------------------------------------------------------------ */

/* While not all processors compute, the longest chain goes on: so it takes no longer than that and the work shared
 * out. What of the chain is computed is in the work, too, so that counts once unless somebody rested. */
static guint64
predict_get_high (const LcPrediction *prediction, guint32 processors)
{
  const guint64 shared = prediction->work / processors;

  return shared + prediction->span - (prediction->rests ? 0 : prediction->span / processors);
}

static gboolean
predict_add (LcPrediction *prediction, LcHistory *history, const LcPredictOptions *options, guint32 processors,
             GError **error)
{
  LcPredicted predicted = {.processors = processors};
  Simulation simulation;
  gboolean good = predict_simulate (history, options, processors, &simulation, error);

  predicted.time = simulation.now;
  predicted.low = MAX (prediction->span, prediction->work / processors);
  predicted.high = MAX (predict_get_high (prediction, processors), predicted.low);
  predict_clear (&simulation);
  if (good)
    g_array_append_val (prediction->predicted, predicted);
  return good;
}

static gboolean
predict_find_total (LcPrediction *prediction, LcHistory *history, guint32 timeline, GError **error)
{
  const guint32 n = lc_history_get_n_processes (history);
  g_autofree guint64 *begins = g_new0 (guint64, n + 1), *ends = g_new0 (guint64, n + 1);
  guint64 begin, end;

  lc_history_get_span (history, &begin, &end);
  if (!lc_history_get_process_spans (history, timeline, begins, ends, error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      prediction->processes += ends[i] > 0;
      prediction->total = MAX (prediction->total, ends[i] > begin ? ends[i] - begin : 0);
    }
  return TRUE;
}

LcPrediction *
lc_predict (LcHistory *history, const LcPredictOptions *options, GError **error)
{
  g_autoptr (LcPrediction) prediction = g_new0 (LcPrediction, 1);
  Simulation simulation;
  gboolean good;

  g_return_val_if_fail (history != NULL && options != NULL, NULL);
  prediction->predicted = g_array_new (FALSE, FALSE, sizeof (LcPredicted));
  if (!predict_find_total (prediction, history, options->timeline, error))
    return NULL;
  good = predict_simulate (history, options, MAX (1, lc_history_get_n_processes (history)), &simulation, error);
  prediction->span = simulation.now;
  prediction->work = simulation.work;
  prediction->most = simulation.most;
  prediction->rests = simulation.rests;
  predict_clear (&simulation);
  for (guint i = 0; good && i < options->n_processors; i++)
    good = predict_add (prediction, history, options, MAX (1, options->processors[i]), error);
  return good ? g_steal_pointer (&prediction) : NULL;
}

void
lc_prediction_free (LcPrediction *prediction)
{
  if (prediction == NULL)
    return;
  g_array_unref (prediction->predicted);
  g_free (prediction);
}
