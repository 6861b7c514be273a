/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of the calibration: computes the cost of each operation from stamps and events. */
#include "measurement.h"

#include <string.h>

#include "matching.h"
#include "others.h"

/* The state of a measurement. */
typedef struct
{
  const LcWorkloadRuns *runs;
  const GArray *recorded; /* LcWorkloadSeries of the run that is looked at */
  LcMeasurement *result;
  struct _Sums *sums; /* one for each of `recorded` */
  double ns_per_tick;
  double stamp; /* ns between two consecutive readings of the clock */
} Measuring;

/* --- Rows -------------------------------------------------------------------------------------------------- */

static void
free_row (gpointer data)
{
  LcMeasurementRow *row = data;

  g_free (row->operation);
  g_free (row->interface);
  g_free (row);
}

const LcMeasurementRow *
lc_measurement_find (const LcMeasurement *measurement, const char *operation, const char *interface)
{
  for (guint i = 0; i < measurement->rows->len; i++)
    {
      const LcMeasurementRow *row = g_ptr_array_index (measurement->rows, i);

      if (strcmp (row->operation, operation) == 0 && strcmp (row->interface, interface) == 0)
        return row;
    }
  return NULL;
}

static LcMeasurementRow *
row_of (LcMeasurement *measurement, const char *operation, const char *interface)
{
  LcMeasurementRow *row = (LcMeasurementRow *)lc_measurement_find (measurement, operation, interface);

  if (row != NULL)
    return row;
  row = g_new0 (LcMeasurementRow, 1);
  row->operation = g_strdup (operation);
  row->interface = g_strdup (interface);
  g_ptr_array_add (measurement->rows, row);
  return row;
}

/* --- Batches ----------------------------------------------------------------------------------------------- */

/* Means in ns. */
typedef struct
{
  double total; /* from the first stamp to the last one */
  double before, inside, after;
} Batch;

static gint
compare_totals (gconstpointer a, gconstpointer b)
{
  const Batch *x = a, *y = b;

  return (x->total > y->total) - (x->total < y->total);
}

/* Disturbances only make a batch longer, so the shorter half of the batches is used. */
static void
drop_disturbed (GArray *batches)
{
  g_array_sort (batches, compare_totals);
  g_array_set_size (batches, (batches->len + 1) / 2);
}

static LcSpread
spread_of (const GArray *batches, gsize offset)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < batches->len; i++)
    g_array_append_val (values, G_STRUCT_MEMBER (double, &g_array_index (batches, Batch, i), offset));
  return lc_spread_of (values);
}

/* --- Without a recorder ------------------------------------------------------------------------------------ */

static GArray *
list_batches (const Measuring *measuring, const LcWorkloadSeries *series)
{
  GArray *batches = g_array_new (FALSE, TRUE, sizeof (Batch));

  for (guint i = 0; i + series->head->batch <= series->head->count; i += series->head->batch)
    {
      Batch batch = {0};

      for (guint j = i; j < i + series->head->batch; j++)
        batch.total += (double)(gint64)(series->pairs[j].after - series->pairs[j].before) * measuring->ns_per_tick;
      batch.total /= series->head->batch;
      g_array_append_val (batches, batch);
    }
  return batches;
}

static LcSpread
spread_of_totals (const Measuring *measuring, const LcWorkloadSeries *series)
{
  g_autoptr (GArray) batches = list_batches (measuring, series);

  drop_disturbed (batches);
  return spread_of (batches, G_STRUCT_OFFSET (Batch, total));
}

static LcSpread
measurement_divided (LcSpread spread, double divisor)
{
  spread.low /= divisor;
  spread.median /= divisor;
  spread.high /= divisor;
  return spread;
}

static void
measure_stamp (Measuring *measuring)
{
  for (guint i = 0; i < measuring->runs->bare.series->len; i++)
    {
      const LcWorkloadSeries *series = &g_array_index (measuring->runs->bare.series, LcWorkloadSeries, i);

      if (series->head->kind == LC_STAMPS_CLOCK)
        measuring->result->stamp = spread_of_totals (measuring, series);
    }
  measuring->stamp = measuring->result->stamp.median;
}

static void
measure_costs (const Measuring *measuring)
{
  for (guint i = 0; i < measuring->runs->bare.series->len; i++)
    {
      const LcWorkloadSeries *series = &g_array_index (measuring->runs->bare.series, LcWorkloadSeries, i);
      LcSpread totals = spread_of_totals (measuring, series), costs = lc_spread_less (totals, measuring->stamp);
      LcMeasurementRow *row;

      if (series->head->kind == LC_STAMPS_CLOCK || series->head->kind == LC_STAMPS_MESSAGE)
        continue;
      row = row_of (measuring->result, series->head->operation, series->head->interface);
      if (series->head->kind == LC_STAMPS_COST)
        row->cost = measurement_divided (costs, series->head->repeat);
      else if (series->head->kind == LC_STAMPS_ASLEEP)
        row->asleep = costs;
      else if (series->head->kind == LC_STAMPS_AWAKE)
        row->awake = costs;
      else if (series->head->kind == LC_STAMPS_EXITS && strcmp (series->head->interface, "pthread") == 0)
        {
          measuring->result->members = series->head->repeat;
          measuring->result->exit = measurement_divided (totals, MAX (series->head->repeat, 2) - 1);
        }
    }
}

/* --- With a recorder: instrumentation ----------------------------------------------------------------------------- */

/* Sums over a series; index 1 is the partner of a loop. */
typedef struct _Sums
{
  GArray *batches[2]; /* Batch */
  Batch batch;        /* the batch that is being added up */
  guint count;
} Sums;

static Sums *
sums_new (guint n)
{
  Sums *sums = g_new0 (Sums, n);

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < 2; j++)
      sums[i].batches[j] = g_array_new (FALSE, FALSE, sizeof (Batch));
  return sums;
}

static void
sums_free (Sums *sums, guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < 2; j++)
      g_array_unref (sums[i].batches[j]);
  g_free (sums);
}

/* Half of each of the workload's two stamps lies between them. The recorder's own stamps are part of its cost. */
static void
measurement_add_event (const Measuring *measuring, Sums *sums, const LcMatch *match)
{
  double n = match->series->head->batch;

  sums->batch.total += (double)(match->after - match->before) / n;
  sums->batch.before += ((double)(match->begin - match->before) - measuring->stamp / 2) / n;
  sums->batch.inside += (double)(match->end - match->begin) / n;
  sums->batch.after += ((double)(match->after - match->end) - measuring->stamp / 2) / n;
  if (++sums->count < match->series->head->batch)
    return;
  g_array_append_val (sums->batches[0], sums->batch);
  sums->batch = (Batch){0};
  sums->count = 0;
}

static void
add_loop (Sums *sums, const LcMatch *match)
{
  const LcMatchedLoop *loop = &match->loop;

  for (guint i = 0; i < 2 && loop->gaps[i] > 0; i++)
    {
      Batch batch = {.total = (double)(match->after - match->before),
                     .inside = loop->inside[i] / loop->events[i],
                     .after = loop->after[i] / loop->gaps[i]};

      g_array_append_val (sums->batches[i], batch);
    }
}

static void
add_match (const LcMatch *match, gpointer data)
{
  const Measuring *measuring = data;
  Sums *sums = &measuring->sums[match->series - (const LcWorkloadSeries *)(const void *)measuring->recorded->data];

  if (match->series->head->kind == LC_STAMPS_EVENT)
    measurement_add_event (measuring, sums, match);
  else
    add_loop (sums, match);
}

/* As much of the operation itself as fits is done between the recorder's stamps, and the rest after them. */
static void
measurement_set_overhead (LcMeasurementRow *row, const GArray *batches)
{
  LcSpread inside = spread_of (batches, G_STRUCT_OFFSET (Batch, inside));

  row->before = lc_spread_less (spread_of (batches, G_STRUCT_OFFSET (Batch, before)), 0);
  row->inside = lc_spread_less (inside, row->cost.median);
  row->after =
      lc_spread_less (spread_of (batches, G_STRUCT_OFFSET (Batch, after)), MAX (0, row->cost.median - inside.median));
}

/*
 * Single operations hide what the processor does while the workload reads the clock; loops have no such stamps, so
 * `inside` and `after` are taken from loops. The next begin stamp does not wait until an operation is done, but the
 * next end stamp does: the part of an operation that is left over until then is no instrumentation of the next
 * operation.
 */
static void
set_overheads_in_loop (LcMeasurementRow *const *rows, guint n_rows, GArray *const *batches)
{
  double left_over[2] = {0};
  LcSpread inside[2];

  for (guint i = 0; i < n_rows; i++)
    {
      guint next = (i + 1) % n_rows;
      LcSpread after = spread_of (batches[i], G_STRUCT_OFFSET (Batch, after));
      double others;

      inside[i] = spread_of (batches[i], G_STRUCT_OFFSET (Batch, inside));
      others = rows[next]->before.median + MAX (0, rows[i]->cost.median - inside[i].median);
      rows[i]->after = lc_spread_less (after, others);
      left_over[next] = MAX (0, others - after.median);
    }
  for (guint i = 0; i < n_rows; i++)
    rows[i]->inside = lc_spread_less (inside[i], rows[i]->cost.median + left_over[i]);
}

/* What lies between the stamps of two processes is compared as a whole. */
static void
measure_waited (const Measuring *measuring)
{
  for (guint i = 0; i < measuring->recorded->len; i++)
    {
      const LcWorkloadSeries *series = &g_array_index (measuring->recorded, LcWorkloadSeries, i);

      if (series->head->kind == LC_STAMPS_WAITED)
        row_of (measuring->result, series->head->operation, series->head->interface)->waited =
            lc_spread_less (spread_of_totals (measuring, series), measuring->stamp);
    }
}

/* Loops must come after the single operations, since they need their `before`. */
static void
set_all_overheads (const Measuring *measuring, enum lc_stamps_kind kind)
{
  for (guint i = 0; i < measuring->recorded->len; i++)
    {
      const struct lc_stamps_series *head = g_array_index (measuring->recorded, LcWorkloadSeries, i).head;
      LcMeasurementRow *rows[2];
      guint n_rows = head->partner[0] != '\0' ? 2 : 1;

      if (head->kind != kind)
        continue;
      drop_disturbed (measuring->sums[i].batches[0]);
      drop_disturbed (measuring->sums[i].batches[1]);
      rows[0] = row_of (measuring->result, head->operation, head->interface);
      if (kind == LC_STAMPS_EVENT)
        {
          measurement_set_overhead (rows[0], measuring->sums[i].batches[0]);
          continue;
        }
      if (n_rows == 2)
        rows[1] = row_of (measuring->result, head->partner, head->interface);
      set_overheads_in_loop (rows, n_rows, measuring->sums[i].batches);
    }
}

static gboolean
measure_overheads (Measuring *measuring, const LcWorkload *workload, GError **error)
{
  gboolean matched;

  measuring->recorded = workload->series;
  measuring->sums = sums_new (measuring->recorded->len);
  matched = lc_match (workload, measuring->runs->has_ranks, add_match, measuring, error);
  if (matched)
    {
      set_all_overheads (measuring, LC_STAMPS_EVENT);
      set_all_overheads (measuring, LC_STAMPS_LOOP);
      measure_waited (measuring);
    }
  sums_free (measuring->sums, measuring->recorded->len);
  return matched;
}

/* --- Adjustments -------------------------------------------------------------------------------------------------- */

/* A thread's first event comes after everything that making a thread takes without a recorder. Nothing comes after a
 * thread's last event. */
static void
adjust_threads (LcMeasurement *result)
{
  const LcMeasurementRow *create = row_of (result, "create", "pthread");
  LcMeasurementRow *start = row_of (result, "start", "pthread"), *last = row_of (result, "exit", "pthread");

  start->before = lc_spread_less (start->before, start->asleep.median + create->before.median);
  last->after = (LcSpread){0};
}

/*
 * A condition-wait ends with an event of its mutex, whose cost is counted apart. Recording costs the same whether it
 * waited in vain or not.
 */
static void
adjust_conditions (LcMeasurement *result)
{
  double lock = row_of (result, "lock", "pthread")->cost.median;
  LcMeasurementRow *failed = row_of (result, "condition-wait-failed", "pthread");
  LcMeasurementRow *wait = row_of (result, "condition-wait", "pthread");

  failed->cost = wait->cost = lc_spread_less (failed->cost, lock);
  wait->asleep = lc_spread_less (wait->asleep, lock);
  wait->before = failed->before;
  wait->inside = failed->inside;
  wait->after = failed->after;
}

/* A rendezvous needs two processes, and one of them would always wait, so its recording is taken to cost as much as
 * that of a send. */
static void
adjust_messages (LcMeasurement *result)
{
  const LcMeasurementRow *send = row_of (result, "send", "library"), *receive = row_of (result, "recv", "library");
  LcMeasurementRow *rendezvous = row_of (result, "ssend", "library");

  rendezvous->before = send->before;
  rendezvous->inside = send->inside;
  rendezvous->after = send->after;
  result->copy = (send->cost.median + receive->cost.median) / 2;
}

/* Who reads what another process has written waits for that, so recording it is taken to cost as much as a read that
 * finds its byte there. */
static void
adjust_pipes (LcMeasurement *result)
{
  const LcMeasurementRow *read = row_of (result, "read", "pipe");
  LcMeasurementRow *waiting = row_of (result, "pipe-read", "pipe");

  waiting->before = read->before;
  waiting->inside = read->inside;
  waiting->after = read->after;
  waiting->cost = read->cost;
}

/* Bare, system calls without the C library are measured wherever there are such, but they may not be trapped here. */
static void
adjust_trapped (LcMeasurement *result)
{
  for (guint i = result->rows->len; i > 0; i--)
    {
      const LcMeasurementRow *row = g_ptr_array_index (result->rows, i - 1);

      if (strcmp (row->interface, "trapped") == 0 && row->before.count == 0)
        g_ptr_array_remove_index (result->rows, i - 1);
    }
}

/* A wait that fails is recorded in the same way as one that does not. */
static void
adjust_futexes (LcMeasurement *result, const char *interface)
{
  const LcMeasurementRow *wait = lc_measurement_find (result, "futex-wait", interface);
  LcMeasurementRow *failed;

  if (wait == NULL)
    return;
  failed = row_of (result, "futex-wait-failed", interface);
  failed->before = wait->before;
  failed->inside = wait->inside;
  failed->after = wait->after;
}

/*
 * What is inside of a wait for another thread: what that takes longer, recorded, than bare, but for what comes before
 * and after this event and the one that ends the wait.
 */
static void
adjust_inside_of_wait (LcMeasurementRow *row, const LcMeasurementRow *releasing)
{
  const double others = releasing->before.median + releasing->after.median + row->after.median + row->awake.median;

  if (row->waited.count > 0 && row->awake.count > 0)
    row->inside = lc_spread_less (row->waited, others);
}

/*
 * A thread that is not the master ends its part as the master does, and goes on as after an advance. It has begun it
 * with an event that is written as that of a barrier. A task's start begins with the end of the task before, so that
 * what lies between the two is inside of it; the same goes for a wait after the last task.
 */
static void
adjust_openmp (LcMeasurement *result)
{
  const LcSpread none = {.count = 1};
  LcMeasurementRow *join, *start, *end;

  if (lc_measurement_find (result, "team-join", "openmp") == NULL)
    return;
  join = row_of (result, "team-join", "openmp");
  start = row_of (result, "team-start", "openmp");
  end = row_of (result, "team-end", "openmp");
  start->before = none;
  start->inside = result->stamp;
  start->after = row_of (result, "barrier", "openmp")->after;
  end->before = join->before;
  end->inside = none;
  end->after = row_of (result, "advance", "openmp")->after;
  adjust_inside_of_wait (start, row_of (result, "fork", "openmp"));
  adjust_inside_of_wait (join, end);
  row_of (result, "task-start", "openmp")->before = none;
  row_of (result, "task-wait", "openmp")->before = none;
  row_of (result, "task-end", "openmp")->after = none;
  row_of (result, "task-end", "openmp")->cost = (LcSpread){0};
}

LcMeasurement *
lc_measurement_of_runs (const LcWorkloadRuns *runs, GError **error)
{
  g_autoptr (LcMeasurement) result = g_new0 (LcMeasurement, 1);
  Measuring measuring = {.runs = runs, .result = result};

  result->rows = g_ptr_array_new_with_free_func (free_row);
  measuring.ns_per_tick = 1e9 / (double)lc_trace_get_frequency (runs->recorded.trace);
  measure_stamp (&measuring);
  measure_costs (&measuring);
  if (!measure_overheads (&measuring, &runs->recorded, error) ||
      (runs->trapped.trace != NULL && !measure_overheads (&measuring, &runs->trapped, error)))
    return NULL;
  return g_steal_pointer (&result);
}

LcMeasurement *
lc_measurement_new (gboolean quick, GError **error)
{
  const LcWorkloadPlan plan = {.quick = quick};
  const LcOthers before = lc_others_look ();
  g_autoptr (LcWorkloadRuns) runs = lc_workload_runs_new (&plan, error);
  const LcOthers after = lc_others_look ();
  LcMeasurement *result = runs != NULL ? lc_measurement_of_runs (runs, error) : NULL;

  if (result == NULL)
    return NULL;
  result->others = lc_others_get_share (&before, &after);
  adjust_threads (result);
  adjust_conditions (result);
  adjust_messages (result);
  adjust_pipes (result);
  adjust_trapped (result);
  adjust_futexes (result, "futex");
  adjust_futexes (result, "trapped");
  adjust_openmp (result);
  return result;
}

void
lc_measurement_free (LcMeasurement *measurement)
{
  g_ptr_array_unref (measurement->rows);
  g_free (measurement);
}
