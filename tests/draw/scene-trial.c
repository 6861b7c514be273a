/* SPDX-License-Identifier: Apache-2.0 */
/* Asks for scenes at random, and knows without them what is to be in them. */
#include "scene-trial.h"

/* --- Rows ------------------------------------------------------------------------------------------------------ */

static guint32
count_processes (const Trial *trial)
{
  return trial->query.selection.processes != NULL ? trial->query.selection.n_processes : trial->model->n_processes;
}

guint32
trial_count_rows (const Trial *trial)
{
  return trial->query.selection.row_ends != NULL ? trial->query.selection.n_row_ends : count_processes (trial);
}

static guint32
first_of (const Trial *trial, guint32 row)
{
  return trial->query.selection.row_ends == NULL || row == 0 ? row : trial->query.selection.row_ends[row - 1];
}

guint32
trial_count_of (const Trial *trial, guint32 row)
{
  return first_of (trial, row + 1) - first_of (trial, row);
}

guint32
trial_process_of (const Trial *trial, guint32 row, guint32 i)
{
  i += first_of (trial, row);
  return trial->query.selection.processes != NULL ? trial->query.selection.processes[i] : i;
}

guint32
trial_row_of (const Trial *trial, guint32 process)
{
  for (guint32 row = 0; row < trial_count_rows (trial); row++)
    for (guint32 i = 0; i < trial_count_of (trial, row); i++)
      if (trial_process_of (trial, row, i) == process)
        return row;
  return LC_TRACE_NONE;
}

guint64
trial_run_end (const Trial *trial)
{
  guint64 end = 0;

  for (guint32 row = 0; row < trial_count_rows (trial); row++)
    for (guint32 i = 0; i < trial_count_of (trial, row); i++)
      {
        GArray *events = trial->model->events[trial_process_of (trial, row, i)];

        if (events->len > 0)
          end = MAX (end, g_array_index (events, ModelEvent, events->len - 1).event.end);
      }
  return end;
}

/* --- What is shown --------------------------------------------------------------------------------------------- */

gboolean
trial_is_physical (const Trial *trial)
{
  return trial->query.selection.time == LC_SCENE_PHYSICAL;
}

gboolean
trial_is_filtered (const Trial *trial)
{
  return trial->query.selection.filters.operations != NULL || trial->query.selection.filters.objects != NULL ||
         trial->query.selection.filters.least_wait > 0;
}

static gboolean
is_wanted (const Trial *trial, const LcHistoryEvent *event)
{
  gboolean object = trial->query.selection.filters.objects == NULL;

  for (guint32 i = 0; i < trial->query.selection.filters.n_objects; i++)
    object = object || trial->query.selection.filters.objects[i] == event->object;
  return object && event->waited >= trial->query.selection.filters.least_wait &&
         (trial->query.selection.filters.operations == NULL ||
          trial->query.selection.filters.operations[event->operation]);
}

gboolean
trial_is_shown (const Trial *trial, const LcHistoryEvent *event)
{
  if (!is_wanted (trial, event))
    return FALSE;
  if (trial_is_physical (trial))
    return event->begin < trial->before && event->end >= trial->query.from;
  return event->layer < trial->before && event->layer >= trial->query.from;
}

guint64
trial_overlap (const Trial *trial, guint64 from, guint64 to)
{
  guint64 first = MAX (from, trial->query.from), last = MIN (to, trial->query.to);

  return first < last ? last - first : 0;
}

/* --- Trials ---------------------------------------------------------------------------------------------------- */

static void
choose_rows (Trial *trial)
{
  guint32 n = trial->model->n_processes;

  trial->processes = g_new (guint32, n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 other = (guint32)g_rand_int_range (trial->random, 0, (gint32)i + 1);

      trial->processes[i] = trial->processes[other];
      trial->processes[other] = i;
    }
  if (g_rand_boolean (trial->random))
    {
      trial->query.selection.processes = trial->processes;
      trial->query.selection.n_processes = (guint32)g_rand_int_range (trial->random, 1, (gint32)n + 1);
    }
}

/* Of one process or several. */
static void
choose_row_ends (Trial *trial)
{
  guint32 n = count_processes (trial), end = 0;

  if (g_rand_boolean (trial->random))
    return;
  trial->query.selection.row_ends = trial->row_ends = g_new (guint32, n + 1);
  while (end < n)
    {
      end += g_rand_boolean (trial->random) ? 1 : (guint32)g_rand_int_range (trial->random, 1, (gint32)(n - end) + 1);
      trial->row_ends[trial->query.selection.n_row_ends++] = end;
    }
}

/* As long as one of the events waited. */
static guint64
choose_wait (const Trial *trial)
{
  GArray *events = trial->model->events[g_rand_int_range (trial->random, 0, (gint32)trial->model->n_processes)];

  return events->len == 0 ? 0
                          : g_array_index (events, ModelEvent, g_rand_int_range (trial->random, 0, (gint32)events->len))
                                .event.waited;
}

static void
choose_filters (Trial *trial)
{
  guint32 n = lc_history_get_n_operations (trial->history), n_objects = lc_history_get_n_objects (trial->history);

  trial->operations = g_new0 (gboolean, n + 1);
  for (guint32 i = 0; i < n; i++)
    trial->operations[i] = g_rand_int_range (trial->random, 0, 3) == 0;
  if (g_rand_int_range (trial->random, 0, 4) == 0)
    trial->query.selection.filters.operations = trial->operations;
  if (g_rand_int_range (trial->random, 0, 4) == 0)
    trial->query.selection.filters.least_wait = choose_wait (trial);
  if (n_objects < G_N_ELEMENTS (trial->objects) || g_rand_int_range (trial->random, 0, 4) != 0)
    return;
  for (guint32 i = 0; i < G_N_ELEMENTS (trial->objects); i++)
    trial->objects[i] = (guint32)g_rand_int_range (trial->random, 0, (gint32)n_objects);
  trial->query.selection.filters.objects = trial->objects;
  trial->query.selection.filters.n_objects = G_N_ELEMENTS (trial->objects);
}

void
trial_choose_span (Trial *trial)
{
  guint64 end = 1, a, b;

  for (guint32 i = 0; i < trial->model->n_processes; i++)
    for (guint k = 0; k < trial->model->events[i]->len; k++)
      {
        const LcHistoryEvent *event = &model_event (trial->model, i, k)->event;

        end = MAX (end, trial_is_physical (trial) ? event->end : event->layer + 1);
      }
  if (g_rand_int_range (trial->random, 0, 3) == 0)
    return;
  a = (guint64)g_rand_double_range (trial->random, 0, (double)end * 1.1);
  b = (guint64)g_rand_double_range (trial->random, 0, (double)end * 1.1);
  trial->query.from = MIN (a, b);
  trial->query.to = MAX (a, b);
}

void
trial_begin (Trial *trial, const Case *at, const Model *model, guint32 timeline, GRand *random)
{
  *trial = (Trial){.history = at->history, .model = model, .random = random};
  lc_scene_query_init (&trial->query);
  trial->query.timeline = timeline;
  trial->query.selection.time = g_rand_boolean (random) ? LC_SCENE_PHYSICAL : LC_SCENE_LOGICAL;
  trial->query.length = (guint)g_rand_int_range (random, 1, 300);
  choose_rows (trial);
  choose_row_ends (trial);
  choose_filters (trial);
  trial_choose_span (trial);
}

void
trial_make (Trial *trial)
{
  g_autoptr (GError) error = NULL;

  trial->scene = lc_scene_new (trial->history, &trial->query, NULL, &error);
  g_assert_no_error (error);
  trial->query = *lc_scene_get_query (trial->scene);
  g_assert_cmpuint (trial->query.from, <, trial->query.to);
  trial->before = trial->query.to + (trial_is_physical (trial) && trial->query.to >= trial_run_end (trial));
}

void
trial_end (Trial *trial)
{
  lc_scene_free (trial->scene);
  g_free (trial->processes);
  g_free (trial->row_ends);
  g_free (trial->operations);
}
