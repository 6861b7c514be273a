/* SPDX-License-Identifier: Apache-2.0 */
/* Analyses of a timeline whose times are random and contradict its arcs, against plain answers. */
#include "../history/add-timeline.h"
#include "case.h"
#include "lightcone/critical-path.h"
#include "lightcone/statistics.h"

enum
{
  TIMELINE = 1,
};

/* Anything that keeps the order of each process. */
static void
move_at_random (Model *model, GRand *random)
{
  for (guint32 i = 0; i < model->n_processes; i++)
    {
      guint64 now = 0;

      for (guint j = 0; j < model->events[i]->len; j++)
        {
          LcHistoryEvent *event = &model_event (model, i, j)->event;
          gint32 length = g_rand_int_range (random, 0, 60);

          event->begin = now + (guint64)g_rand_int_range (random, 0, 40);
          event->end = now = event->begin + (guint64)length;
          event->waited = (guint64)g_rand_int_range (random, 0, length + 1);
          event->woken = (guint64)g_rand_int_range (random, 0, length - (gint32)event->waited + 1);
        }
    }
  model_move (model);
}

/* --- The critical path ------------------------------------------------------------------------------------- */

typedef struct
{
  const Model *model;
  guint64 time;
  guint64 sum;
} Walked;

/* The latest point of other processes that the event has to come after. */
static guint64
find_latest (const Model *model, const LcHistoryEvent *event)
{
  const ModelEvent *known = model_event (model, event->process, event->ordinal);
  guint64 latest = 0;

  for (guint i = 0; i < known->arcs->len; i++)
    {
      const LcHistoryArcEnd *arc = &g_array_index (known->arcs, LcHistoryArcEnd, i);
      const LcHistoryEvent *from = &model_event (model, arc->process, arc->ordinal)->event;

      if (arc->process != event->process)
        latest = MAX (latest, arc->point == LC_POINT_BEGIN ? from->begin : from->end);
    }
  for (guint32 i = 0; known->event.flags & LC_HISTORY_EVENT_GROUP && i < model->n_processes; i++)
    for (guint j = 0; j < model->events[i]->len; j++)
      {
        const LcHistoryEvent *other = &model_event (model, i, j)->event;

        if (i != event->process && other->flags & LC_HISTORY_EVENT_GROUP && other->object == event->object &&
            other->sequence == event->sequence)
          latest = MAX (latest, other->begin);
      }
  return latest;
}

static gboolean
walk (const LcCriticalSegment *segment, gpointer data)
{
  Walked *walked = data;
  const LcHistoryEvent *event = segment->event, *from;
  guint64 latest;

  g_assert_cmpuint (segment->begin, ==, walked->time);
  walked->time = segment->end;
  walked->sum += segment->end - segment->begin;
  if (event == NULL)
    return TRUE;
  g_assert_cmpuint (event->begin, ==, model_event (walked->model, event->process, event->ordinal)->event.begin);
  latest = find_latest (walked->model, event);
  if (segment->part != LC_CRITICAL_HOP)
    {
      g_assert_cmpuint (latest, <=, event->begin);
      return TRUE;
    }
  from = &model_event (walked->model, segment->stay->from_process, segment->stay->from_ordinal)->event;
  g_assert_cmpuint (latest, >, event->begin);
  g_assert_cmpuint (segment->stay->from_point == LC_POINT_BEGIN ? from->begin : from->end, ==, latest);
  return TRUE;
}

static void
check_path (const Model *model, LcHistory *history)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcCriticalPath) path = lc_critical_path_find (history, TIMELINE, NULL, &error);
  Walked walked = {model, 0, 0};
  guint64 end = 0;

  g_assert_no_error (error);
  for (guint32 i = 0; i < model->n_processes; i++)
    if (model->events[i]->len > 0)
      end = MAX (end, model_event (model, i, model->events[i]->len - 1)->event.end);
  g_assert_true (lc_critical_path_visit (path, walk, &walked, NULL, &error));
  g_assert_cmpuint (walked.sum, ==, end);
  g_assert_cmpuint (lc_critical_path_get_summary (path)->end, ==, end);
  for (LcCriticalShareKind kind = 0; kind < LC_CRITICAL_SHARES; kind++)
    {
      gsize n;
      const LcCriticalShare *shares = lc_critical_path_get_shares (path, kind, &n);
      guint64 sum = 0;

      for (gsize i = 0; i < n; i++)
        sum += shares[i].time;
      g_assert_cmpuint (sum, ==, end);
    }
}

/* --- Statistics -------------------------------------------------------------------------------------------- */

static gboolean
is_running (const Model *model, guint32 process, guint64 time)
{
  guint n = model->events[process]->len;

  if (n == 0 || time < model_event (model, process, 0)->event.begin ||
      time >= model_event (model, process, n - 1)->event.end)
    return FALSE;
  for (guint j = 0; j < n; j++)
    {
      const LcHistoryEvent *event = &model_event (model, process, j)->event;

      if (time >= event->begin && time < event->begin + event->waited + event->woken)
        return FALSE;
    }
  return TRUE;
}

static void
check_parallelism (const Model *model, LcHistory *history)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcParallelism) found = lc_statistics_parallelism (history, TIMELINE, NULL, &error);
  g_autofree guint64 *levels = g_new0 (guint64, model->n_processes + 1);

  g_assert_no_error (error);
  for (guint64 time = found->begin; time < found->end; time++)
    {
      guint n = 0;

      for (guint32 i = 0; i < model->n_processes; i++)
        n += is_running (model, i, time);
      levels[n]++;
    }
  g_assert_cmpmem (found->levels, found->n_levels * sizeof *levels, levels, found->n_levels * sizeof *levels);
}

static guint64
held_in_all (const Model *model, guint32 object)
{
  guint64 held = 0;

  for (guint32 i = 0; i < model->n_processes; i++)
    for (guint k = 0; k < model->spans[i]->len; k++)
      {
        const LcHoldingSpan *span = &g_array_index (model->spans[i], LcHoldingSpan, k);
        guint64 last = model_event (model, i, model->events[i]->len - 1)->event.end;

        if (span->object == object)
          held += MIN (span->end, last) - span->begin;
      }
  return held;
}

static void
check_sums (const Model *model, LcHistory *history)
{
  g_autoptr (GArray) waiting = lc_statistics_waiting (history, TIMELINE, NULL, NULL);
  g_autoptr (GArray) objects = lc_statistics_objects (history, TIMELINE, NULL, NULL);
  g_autoptr (GArray) operations = lc_statistics_operations (history, TIMELINE, NULL, NULL);
  guint64 waited = 0, time = 0, by_object = 0, by_operation = 0;

  for (guint32 i = 0; i < model->n_processes; i++)
    {
      guint64 of_process = 0;

      for (guint j = 0; j < model->events[i]->len; j++)
        {
          const LcHistoryEvent *event = &model_event (model, i, j)->event;

          of_process += event->waited;
          time += event->end - event->begin;
        }
      g_assert_cmpuint (g_array_index (waiting, LcWaitingStatistics, i).waiting, ==, of_process);
      waited += of_process;
    }
  for (guint i = 0; i < objects->len; i++)
    {
      const LcObjectStatistics *row = &g_array_index (objects, LcObjectStatistics, i);

      by_object += row->waited;
      g_assert_cmpuint (row->held, ==, held_in_all (model, row->object));
    }
  g_assert_cmpuint (by_object, ==, waited);
  for (guint i = 0; i < operations->len; i++)
    {
      by_operation += g_array_index (operations, LcOperationStatistics, i).waited;
      time -= g_array_index (operations, LcOperationStatistics, i).time;
    }
  g_assert_cmpuint (by_operation, ==, waited);
  g_assert_cmpuint (time, ==, 0);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= random_trials (300); seed++)
    {
      guint n_processes = 1 + seed % 7;
      g_autoptr (RandomHistory) random = random_history_new (seed, n_processes, 50 + seed % 400);
      g_autoptr (Case) trial = case_new_random (random, 0, seed);
      GRand *choice = g_rand_new_with_seed (seed);
      Model *model = model_new (trial->directory);
      guint32 number;

      move_at_random (model, choice);
      g_assert_true (
          add_timeline (lc_history_get_path (trial->history), trial->directory, model, "moved", &number, NULL));
      g_assert_cmpuint (number, ==, TIMELINE);
      check_path (model, trial->history);
      check_parallelism (model, trial->history);
      check_sums (model, trial->history);
      model_free (model);
      g_rand_free (choice);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timelines/random", test_random);
  return g_test_run ();
}
