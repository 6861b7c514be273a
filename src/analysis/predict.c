/* SPDX-License-Identifier: Apache-2.0 */
/* Predicts what a run would take on another number of processors, by simulation. */
/*
 * A simulation has a heap of what happens next, a queue of those that are ready, and the present step of each process.
 * Times are simulated in order, so whether an event has happened already is told by the step of its process,
 * and no time of any event has to be kept.
 */
#include "lightcone/predict.h"

#include <glib/gi18n-lib.h>

#include "predict-program.h"

#define QUANTUM G_GUINT64_CONSTANT (3000000)
#define TICK (G_TIME_SPAN_SECOND / 10)

enum
{
  TURN = 16384, /* things that happen in one simulation before the next one goes on */
};

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
  guint64 rest; /* of the present event */
  guint64 own;
  guint64 left;  /* of the present computation */
  guint64 slice; /* that is being computed */
  Step step;
  guint missing;   /* points that the process waits for */
  gboolean holds;  /* a processor */
  guint64 passed;  /* points before this one have happened */
  Waiter *waiters; /* a heap by point */
  guint n_waiters;
  guint room; /* for waiters */
} Process;

/* Something that happens. */
typedef struct
{
  guint64 time;
  guint64 number; /* of those at the same time the first is first */
  guint32 process;
} Next;

/* Members of a barrier, or of another event that all have to begin. */
typedef struct
{
  guint begun;
  GArray *waiting; /* guint32: processes */
} Group;

/* All simulations go over one program. */
typedef struct
{
  LcPredictProgram *program;
  const LcPredictOptions *options;
  guint64 begin;     /* of the run */
  guint64 simulated; /* events, in all simulations together */
  guint64 planned;
  gint64 begun; /* at this time */
  gint64 told;
} Prediction;

typedef struct
{
  Prediction *of;
  Process *processes;
  guint32 n_processes;
  guint64 quantum;
  GHashTable *groups; /* Group, by number; those that have begun */
  Next *heap;         /* no process is in it twice */
  guint n_heap;
  GQueue ready; /* processes */
  guint32 processors;
  guint32 idle; /* processors */
  guint32 busy;
  guint32 most;
  guint64 now;
  guint64 numbers;
  guint64 work;
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
  Next *heap = simulation->heap;
  const Next next = {time, simulation->numbers++, process};
  guint place = simulation->n_heap++;

  while (place > 0 && predict_is_before (&next, &heap[(place - 1) / 2]))
    {
      heap[place] = heap[(place - 1) / 2];
      place = (place - 1) / 2;
    }
  heap[place] = next;
}

static Next
predict_pop (Simulation *simulation)
{
  Next *heap = simulation->heap;
  const guint n = --simulation->n_heap;
  const Next first = heap[0], last = heap[n];
  guint place = 0, child;

  while ((child = 2 * place + 1) < n)
    {
      if (child + 1 < n && predict_is_before (&heap[child + 1], &heap[child]))
        child++;
      if (!predict_is_before (&heap[child], &last))
        break;
      heap[place] = heap[child];
      place = child;
    }
  heap[place] = last;
  return first;
}

static void
predict_add_waiter (Process *process, Waiter waiter)
{
  guint place = process->n_waiters++;

  if (place == process->room)
    {
      process->room = MAX (4, 2 * process->room);
      process->waiters = g_renew (Waiter, process->waiters, process->room);
    }
  while (place > 0 && waiter.point < process->waiters[(place - 1) / 2].point)
    {
      process->waiters[place] = process->waiters[(place - 1) / 2];
      place = (place - 1) / 2;
    }
  process->waiters[place] = waiter;
}

static void
predict_drop_waiter (Process *process)
{
  Waiter *heap = process->waiters;
  const guint n = --process->n_waiters;
  const Waiter last = heap[n];
  guint place = 0, child;

  while ((child = 2 * place + 1) < n)
    {
      if (child + 1 < n && heap[child + 1].point < heap[child].point)
        child++;
      if (heap[child].point >= last.point)
        break;
      heap[place] = heap[child];
      place = child;
    }
  heap[place] = last;
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
  while (process->n_waiters > 0 && process->waiters[0].point <= point)
    {
      guint32 waiter = process->waiters[0].process;

      predict_drop_waiter (process);
      if (--simulation->processes[waiter].missing == 0)
        predict_release (simulation, waiter);
    }
}

static void
predict_await (Simulation *simulation, guint32 number, const LcPredictWait *wait)
{
  Process *of = &simulation->processes[wait->process];

  if (of->passed > wait->point)
    return;
  predict_add_waiter (of, (Waiter){wait->point, number});
  simulation->processes[number].missing++;
}

static void
predict_free_group (gpointer data)
{
  Group *group = data;

  g_array_unref (group->waiting);
  g_free (group);
}

static void
predict_await_group (Simulation *simulation, guint32 number, guint32 group_number)
{
  Group *group = g_hash_table_lookup (simulation->groups, GUINT_TO_POINTER (group_number));

  if (group == NULL)
    {
      group = g_new0 (Group, 1);
      group->waiting = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (simulation->groups, GUINT_TO_POINTER (group_number), group);
    }
  group->begun++;
  if (group->begun < lc_predict_program_count_members (simulation->of->program, group_number))
    {
      g_array_append_val (group->waiting, number);
      simulation->processes[number].missing++;
      return;
    }
  for (guint i = 0; i < group->waiting->len; i++)
    {
      guint32 waiter = g_array_index (group->waiting, guint32, i);

      if (--simulation->processes[waiter].missing == 0)
        predict_release (simulation, waiter);
    }
  g_hash_table_remove (simulation->groups, GUINT_TO_POINTER (group_number));
}

static const LcPredictStep *
predict_get_step (Simulation *simulation, guint32 number, const LcPredictWait **waits)
{
  return lc_predict_program_get (simulation->of->program, number, simulation->processes[number].ordinal, waits,
                                 &simulation->error);
}

static void
predict_begin_event (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];
  const LcPredictWait *waits;
  const LcPredictStep *step;

  if (process->ordinal >= process->n_events)
    {
      process->step = STEP_ENDED;
      predict_give_processor_back (simulation, number);
      return;
    }
  step = predict_get_step (simulation, number, &waits);
  if (step == NULL)
    return;
  process->step = STEP_GAP;
  predict_compute (simulation, number, step->gap);
}

/* Whoever was made by another process waits for that; of others it is known only when they began. */
static void
predict_begin_process (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];
  const guint64 birth = lc_predict_program_get_birth (simulation->of->program, number);
  const LcPredictWait *waits;
  const LcPredictStep *step = NULL;

  process->step = STEP_ENDED;
  if (process->n_events == 0 || (step = predict_get_step (simulation, number, &waits)) == NULL)
    return;
  if (step->has_arcs)
    {
      predict_enter_event (simulation, number);
      return;
    }
  process->step = STEP_ABSENT;
  predict_push (simulation, birth > simulation->of->begin ? birth - simulation->of->begin : 0, number);
}

/* The process is at the begin of its event. */
static void
predict_enter_event (Simulation *simulation, guint32 number)
{
  Process *process = &simulation->processes[number];
  const LcPredictWait *waits;
  const LcPredictStep *step = predict_get_step (simulation, number, &waits);
  guint32 group;

  if (step == NULL)
    return;
  group = step->group;
  process->missing = 1; /* nobody releases it before all is counted */
  process->step = STEP_WAIT;
  process->rest = step->rest;
  process->own = step->own;
  for (guint32 i = 0; i < step->n_waits; i++)
    predict_await (simulation, number, &waits[i]);
  predict_pass_point (simulation, number, 2 * process->ordinal);
  if (group != LC_TRACE_NONE)
    predict_await_group (simulation, number, group);
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
  simulation->of->simulated++;
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
predict_free_simulation (Simulation *simulation)
{
  if (simulation == NULL)
    return;
  for (guint32 i = 0; i < simulation->n_processes; i++)
    g_free (simulation->processes[i].waiters);
  g_free (simulation->processes);
  g_queue_clear (&simulation->ready);
  g_hash_table_unref (simulation->groups);
  g_free (simulation->heap);
  g_clear_error (&simulation->error);
  g_free (simulation);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Simulation, predict_free_simulation)

static Simulation *
predict_new_simulation (Prediction *of, guint32 n_processes, guint32 processors)
{
  Simulation *simulation = g_new0 (Simulation, 1);

  simulation->of = of;
  simulation->n_processes = n_processes;
  simulation->processors = simulation->idle = processors;
  simulation->quantum = of->options->quantum > 0 ? of->options->quantum : QUANTUM;
  simulation->processes = g_new0 (Process, n_processes + 1);
  simulation->heap = g_new (Next, n_processes + 1);
  simulation->groups = g_hash_table_new_full (NULL, NULL, NULL, predict_free_group);
  g_queue_init (&simulation->ready);
  for (guint32 i = 0; i < n_processes; i++)
    simulation->processes[i].n_events = lc_predict_program_count_steps (of->program, i);
  for (guint32 i = 0; i < n_processes; i++)
    predict_begin_process (simulation, i);
  return simulation;
}

/* Damage in the history may have made a circle. */
static gboolean
predict_check_end (const Simulation *simulation, LcHistory *history, GError **error)
{
  for (guint32 i = 0; i < simulation->n_processes; i++)
    if (simulation->processes[i].step != STEP_ENDED)
      {
        g_autofree char *ordinal = g_strdup_printf ("%" G_GUINT64_FORMAT, simulation->processes[i].ordinal);

        g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED,
                     _ ("%s: process %s waits for ever at its event %s (lightcone merge --again makes a new history)"),
                     lc_history_get_path (history), lc_history_get_process (history, i)->name, ordinal);
        return FALSE;
      }
  return TRUE;
}

/* Lets some things happen. */
static gboolean
predict_go_some_way (Simulation *simulation, GError **error)
{
  for (guint i = 0; i < TURN && simulation->n_heap > 0 && simulation->error == NULL; i++)
    {
      const Next next = predict_pop (simulation);

      simulation->now = next.time;
      predict_go_on (simulation, next.process);
    }
  if (simulation->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&simulation->error));
  return FALSE;
}

/* --- All of them ------------------------------------------------------------------------------------------------ */

static gboolean
predict_report (Prediction *of, gint64 now)
{
  const double elapsed = (double)(now - of->begun) / G_TIME_SPAN_SECOND;
  LcMergeProgress report = {.events = of->simulated, .seconds_left = -1};

  report.fraction = of->planned > 0 ? MIN (1, (double)of->simulated / (double)of->planned) : 0;
  if (of->simulated > 0 && elapsed >= 0.3)
    report.seconds_left = elapsed / report.fraction * (1 - report.fraction);
  of->told = now;
  return of->options->report (&report, of->options->data);
}

static gboolean
predict_may_go_on (Prediction *of, GError **error)
{
  const gint64 now = g_get_monotonic_time ();

  if (g_cancellable_set_error_if_cancelled (of->options->cancellable, error))
    return FALSE;
  if (of->options->report == NULL || now - of->told < TICK || predict_report (of, now))
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
  return FALSE;
}

/* Lets simulations take turns, so that they are at about the same part of the run, until all have ended. */
static gboolean
predict_run (Prediction *of, LcHistory *history, const GPtrArray *simulations, GError **error)
{
  guint n_going;

  do
    {
      n_going = 0;
      for (guint i = 0; i < simulations->len; i++)
        {
          Simulation *simulation = simulations->pdata[i];

          if (!predict_may_go_on (of, error) || !predict_go_some_way (simulation, error))
            return FALSE;
          n_going += simulation->n_heap > 0;
        }
    }
  while (n_going > 0);
  for (guint i = 0; i < simulations->len; i++)
    if (!predict_check_end (simulations->pdata[i], history, error))
      return FALSE;
  return TRUE;
}

/* While not all processors compute, the longest chain goes on: so it takes no longer than that and the work shared
 * out. What of the chain is computed is in the work, too, so that counts once unless somebody rested. */
static guint64
predict_get_high (const LcPrediction *prediction, guint32 processors)
{
  const guint64 shared = prediction->work / processors;

  return shared + prediction->span - (prediction->rests ? 0 : prediction->span / processors);
}

static void
predict_add (LcPrediction *prediction, guint32 processors, guint64 time)
{
  LcPredicted predicted = {.processors = processors, .time = time};

  predicted.low = MAX (prediction->span, prediction->work / processors);
  predicted.high = MAX (predict_get_high (prediction, processors), predicted.low);
  g_array_append_val (prediction->predicted, predicted);
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

/* Simulates the run with a processor for each process. */
static gboolean
predict_find_span (Prediction *of, LcHistory *history, LcPrediction *prediction, GError **error)
{
  const guint32 n = lc_history_get_n_processes (history);
  g_autoptr (GPtrArray) simulations = g_ptr_array_new_with_free_func ((GDestroyNotify)predict_free_simulation);
  const Simulation *simulation;

  g_ptr_array_add (simulations, predict_new_simulation (of, n, MAX (1, n)));
  if (!predict_run (of, history, simulations, error))
    return FALSE;
  simulation = simulations->pdata[0];
  prediction->span = simulation->now;
  prediction->work = simulation->work;
  prediction->most = simulation->most;
  prediction->rests = lc_predict_program_rests (of->program);
  return TRUE;
}

/* With no fewer processors than ever compute at a time nobody queues, as with one for each process. */
static gboolean
predict_find_times (Prediction *of, LcHistory *history, LcPrediction *prediction, const GArray *processors,
                    GError **error)
{
  const guint32 n = lc_history_get_n_processes (history);
  g_autoptr (GPtrArray) simulations = g_ptr_array_new_with_free_func ((GDestroyNotify)predict_free_simulation);
  guint next = 0;

  for (guint i = 0; i < processors->len; i++)
    if (g_array_index (processors, guint32, i) < prediction->most)
      g_ptr_array_add (simulations, predict_new_simulation (of, n, g_array_index (processors, guint32, i)));
  of->planned = of->simulated + simulations->len * lc_predict_program_count_all (of->program);
  if (!predict_run (of, history, simulations, error))
    return FALSE;
  for (guint i = 0; i < processors->len; i++)
    {
      const guint32 number = g_array_index (processors, guint32, i);
      const gboolean is_simulated = number < prediction->most;

      predict_add (prediction, number,
                   is_simulated ? ((const Simulation *)simulations->pdata[next])->now : prediction->span);
      next += is_simulated;
    }
  return TRUE;
}

GArray *
lc_predict_list_processors (guint32 most)
{
  GArray *some = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 n = 1; n < 2 * MAX (most, 1); n *= 2)
    {
      guint32 number = MIN (n, MAX (most, 1));

      g_array_append_val (some, number);
    }
  return some;
}

/* Gives the numbers of processors that are asked for. */
static GArray *
predict_choose (const LcPredictOptions *options, guint32 most)
{
  GArray *chosen;

  if (options->usual)
    return lc_predict_list_processors (most);
  chosen = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < options->n_processors; i++)
    {
      const guint32 number = MAX (1, options->processors[i]);

      g_array_append_val (chosen, number);
    }
  return chosen;
}

LcPrediction *
lc_predict (LcHistory *history, const LcPredictOptions *options, GError **error)
{
  g_autoptr (LcPrediction) prediction = g_new0 (LcPrediction, 1);
  g_autoptr (LcPredictProgram) program = NULL;
  g_autoptr (GArray) processors = NULL;
  Prediction of = {.options = options, .begun = g_get_monotonic_time ()};
  guint64 end;

  g_return_val_if_fail (history != NULL && options != NULL, NULL);
  prediction->predicted = g_array_new (FALSE, FALSE, sizeof (LcPredicted));
  if (!predict_find_total (prediction, history, options->timeline, error))
    return NULL;
  of.program = program = lc_predict_program_new (history, options->timeline, options->cancellable, error);
  if (program == NULL)
    return NULL;
  lc_history_get_span (history, &of.begin, &end);
  processors = predict_choose (options, lc_history_get_n_processes (history));
  of.planned = lc_predict_program_count_all (program) * (1 + processors->len);
  if (!predict_find_span (&of, history, prediction, error))
    return NULL;
  if (options->usual)
    {
      g_array_unref (processors);
      processors = lc_predict_list_processors (prediction->most);
    }
  return predict_find_times (&of, history, prediction, processors, error) ? g_steal_pointer (&prediction) : NULL;
}

void
lc_prediction_free (LcPrediction *prediction)
{
  if (prediction == NULL)
    return;
  g_array_unref (prediction->predicted);
  g_free (prediction);
}
