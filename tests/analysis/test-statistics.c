/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics: random histories against sums made nanosecond by nanosecond, or one event after the other. */
#include <string.h>

#include "case.h"
#include "lightcone/statistics.h"

/* --- What is known without the history --------------------------------------------------------------------- */

static guint64
waited_of (const RandomHistory *random, guint process, const RandomEvent *event)
{
  guint64 latest = event->begin;

  for (guint i = 0; i < event->sources->len; i++)
    {
      const RandomSource *source = &g_array_index (event->sources, RandomSource, i);
      const RandomEvent *from = random_history_event (random, source->process, source->ordinal);

      if (source->process != process)
        latest = MAX (latest, source->begin ? from->begin : from->end);
    }
  return MIN (latest, event->end) - event->begin;
}

typedef struct
{
  guint64 events, waits, waited, woken, longest, time, longest_event;
} Sum;

static void
add_to (Sum *sum, const RandomEvent *event, guint64 waited)
{
  sum->events++;
  sum->waits += waited > 0;
  sum->waited += waited;
  sum->woken += waited > 0 ? event->end - event->begin - waited : 0; /* nothing is known of costs or switches */
  sum->longest = MAX (sum->longest, waited);
  sum->time += event->end - event->begin;
  sum->longest_event = MAX (sum->longest_event, event->end - event->begin);
}

/* Of all events, of one process or all, with this operation or object or any. */
static Sum
sum_up (const RandomHistory *random, guint process, const char *operation, const char *object)
{
  Sum sum = {0};

  for (guint i = 0; i < random->n_processes; i++)
    for (guint j = 0; j < random->events[i]->len; j++)
      {
        const RandomEvent *event = random_history_event (random, i, j);

        if ((process == G_MAXUINT || process == i) &&
            (operation == NULL || strcmp (operation, event->operation) == 0) &&
            (object == NULL || strcmp (object, event->object) == 0))
          add_to (&sum, event, waited_of (random, i, event));
      }
  return sum;
}

/* --- Comparisons ------------------------------------------------------------------------------------------- */

static void
check_waiting (const RandomHistory *random, LcHistory *history)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = lc_statistics_waiting (history, LC_TIMELINE_MEASURED, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, random->n_processes);
  for (guint i = 0; i < all->len; i++)
    {
      const LcWaitingStatistics *row = &g_array_index (all, LcWaitingStatistics, i);
      Sum sum = sum_up (random, i, NULL, NULL);
      guint n = random->events[i]->len;
      guint64 span =
          n == 0 ? 0 : random_history_event (random, i, n - 1)->end - random_history_event (random, i, 0)->begin;

      g_assert_cmpuint (row->process, ==, i);
      g_assert_cmpuint (row->span, ==, span);
      g_assert_cmpuint (row->waiting, ==, sum.waited);
      g_assert_cmpuint (row->woken, ==, sum.woken);
      g_assert_cmpuint (row->preempted + row->outside + row->unseen, ==, 0);
      g_assert_cmpuint (row->running, ==, span - sum.waited - sum.woken);
      g_assert_cmpuint (row->waits, ==, sum.waits);
      g_assert_cmpuint (row->longest, ==, sum.longest);
      if (row->waits > 0)
        g_assert_cmpuint (waited_of (random, i, random_history_event (random, i, (guint)row->longest_ordinal)), ==,
                          row->longest);
    }
}

static gboolean
is_running (const RandomHistory *random, guint process, guint64 time)
{
  guint n = random->events[process]->len;

  if (n == 0 || time < random_history_event (random, process, 0)->begin ||
      time >= random_history_event (random, process, n - 1)->end)
    return FALSE;
  for (guint j = 0; j < n; j++)
    {
      const RandomEvent *event = random_history_event (random, process, j);

      if (time >= event->begin && time < event->end && waited_of (random, process, event) > 0)
        return FALSE;
    }
  return TRUE;
}

static guint
count_running (const RandomHistory *random, guint64 time)
{
  guint n = 0;

  for (guint i = 0; i < random->n_processes; i++)
    n += is_running (random, i, time);
  return n;
}

static void
check_parallelism (const RandomHistory *random, LcHistory *history)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcParallelism) all = lc_statistics_parallelism (history, LC_TIMELINE_MEASURED, NULL, &error);
  g_autofree guint64 *levels = g_new0 (guint64, random->n_processes + 1);
  guint64 begin, end, running = 0, first = 0, last = 0, before = 0, parallel = 0;

  g_assert_no_error (error);
  lc_history_get_span (history, &begin, &end);
  g_assert_cmpuint (all->begin, ==, begin);
  g_assert_cmpuint (all->end, ==, end);
  g_assert_cmpuint (all->n_levels, ==, random->n_processes + 1);
  for (guint64 time = begin; time < end; time++)
    {
      guint n = count_running (random, time);

      if (n >= 2 && last == 0)
        {
          first = time;
          before = running;
        }
      levels[n]++;
      running += n;
      if (n >= 2)
        {
          last = time + 1;
          parallel = running - before;
        }
    }
  g_assert_cmpmem (all->levels, all->n_levels * sizeof *levels, levels, all->n_levels * sizeof *levels);
  g_assert_cmpuint (all->running, ==, running);
  g_assert_cmpuint (all->parallel_begin, ==, first);
  g_assert_cmpuint (all->parallel_end, ==, last);
  g_assert_cmpuint (all->parallel_running, ==, parallel);
  if (end > begin)
    {
      g_assert_cmpfloat (all->average, ==, (double)running / (double)(end - begin));
      g_assert_true (levels[all->lowest] > 0 && levels[all->highest] > 0);
    }
}

static void
check_parallelism_history (const RandomHistory *random, LcHistory *history, guint32 n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = lc_statistics_parallelism_history (history, LC_TIMELINE_MEASURED, n, NULL, &error);
  guint64 begin, end, time;

  g_assert_no_error (error);
  lc_history_get_span (history, &begin, &end);
  g_assert_cmpuint (all->len, ==, MIN (n, end - begin));
  time = begin;
  for (guint i = 0; i < all->len; i++)
    {
      const LcParallelismInterval *interval = &g_array_index (all, LcParallelismInterval, i);
      guint lowest = G_MAXUINT, highest = 0;
      guint64 running = 0;

      g_assert_cmpuint (interval->begin, ==, time);
      g_assert_cmpuint (interval->end - interval->begin, >=, (end - begin) / n);
      g_assert_cmpuint (interval->end - interval->begin, <=, (end - begin) / n + 1);
      for (; time < interval->end; time++)
        {
          guint now = count_running (random, time);

          running += now;
          lowest = MIN (lowest, now);
          highest = MAX (highest, now);
        }
      g_assert_cmpuint (interval->running, ==, running);
      g_assert_cmpuint (interval->lowest, ==, lowest);
      g_assert_cmpuint (interval->highest, ==, highest);
    }
  g_assert_true (all->len == 0 || time == end);
}

/* Of some processes, in a part of the time. */
typedef struct
{
  const RandomHistory *random;
  const LcParallelismPart *part;
  guint64 time; /* told up to here; 0: nothing yet */
  guint32 running;
} Degrees;

static gboolean
check_degree (guint64 from, guint64 to, guint32 running, gpointer data)
{
  Degrees *degrees = data;

  g_assert_true (degrees->time == 0 || (from == degrees->time && running != degrees->running));
  g_assert_cmpuint (from, <, to);
  for (guint64 time = from; time < to; time++)
    {
      guint n = 0;

      for (guint32 i = 0; i < degrees->part->n_processes; i++)
        n += is_running (degrees->random, degrees->part->processes[i], time);
      g_assert_cmpuint (n, ==, running);
    }
  degrees->time = to;
  degrees->running = running;
  return TRUE;
}

/* From the first begin of these processes to their last end; first == last: there is no time. */
static void
find_alive (const RandomHistory *random, const LcParallelismPart *part, guint64 *first, guint64 *last)
{
  *first = G_MAXUINT64;
  *last = 0;
  for (guint32 i = 0; i < part->n_processes; i++)
    {
      guint n = random->events[part->processes[i]]->len;

      if (n == 0)
        continue;
      *first = MIN (*first, random_history_event (random, part->processes[i], 0)->begin);
      *last = MAX (*last, random_history_event (random, part->processes[i], n - 1)->end);
    }
  *first = MAX (*first, part->from);
  *last = MIN (*last, part->to);
}

static void
check_degrees (const RandomHistory *random, LcHistory *history, guint32 seed)
{
  g_autoptr (GError) error = NULL;
  const guint32 processes[] = {seed % random->n_processes, (seed + 1) % random->n_processes};
  const LcParallelismPart part = {processes, MIN (2, random->n_processes), seed % 300, seed % 300 + 1 + seed % 1000};
  Degrees degrees = {random, &part, 0, 0};
  guint64 first, last;

  g_assert_true (
      lc_statistics_visit_parallelism (history, LC_TIMELINE_MEASURED, &part, check_degree, &degrees, NULL, &error));
  find_alive (random, &part, &first, &last);
  g_assert_cmpuint (degrees.time, ==, first < last ? last : 0);
}

/* --- Each wait --------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 resolution;
  guint32 process;
  guint64 end; /* of the one before it on its process */
  gboolean any;
  guint64 waiting;
  guint64 waits;
} Waits;

static gboolean
check_interval (const LcWaitingInterval *interval, gpointer data)
{
  Waits *waits = data;

  g_assert_cmpuint (interval->end - interval->begin, >=, interval->waiting);
  if (waits->any && interval->process == waits->process)
    g_assert_cmpuint (interval->begin, >=, waits->end + waits->resolution);
  else if (waits->any)
    g_assert_cmpuint (interval->process, >, waits->process);
  if (waits->resolution == 0)
    g_assert_true (interval->waits == 1 && interval->waiting == interval->end - interval->begin);
  waits->any = TRUE;
  waits->process = interval->process;
  waits->end = interval->end;
  waits->waiting += interval->waiting;
  waits->waits += interval->waits;
  return TRUE;
}

static void
check_waits (const RandomHistory *random, LcHistory *history, guint64 resolution)
{
  g_autoptr (GError) error = NULL;
  Waits waits = {.resolution = resolution};
  Sum sum = sum_up (random, G_MAXUINT, NULL, NULL);

  g_assert_true (
      lc_statistics_visit_waiting (history, LC_TIMELINE_MEASURED, resolution, check_interval, &waits, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (waits.waiting, ==, sum.waited);
  g_assert_cmpuint (waits.waits, ==, sum.waits);
}

/* What one process has had since it began to hold the object, up to its end if it never gave it back. */
static guint64
held_by (const RandomHistory *random, guint process, const char *object)
{
  guint64 held = 0, since = 0;
  gboolean holds = FALSE;

  for (guint j = 0; j < random->events[process]->len; j++)
    {
      const RandomEvent *event = random_history_event (random, process, j);

      if (strcmp (event->object, object) != 0)
        continue;
      if (strcmp (event->operation, "lock") == 0 || g_str_has_suffix (event->operation, "-start"))
        {
          holds = TRUE;
          since = event->end;
        }
      else if (holds)
        {
          held += event->begin - since;
          holds = FALSE;
        }
    }
  if (holds)
    held += random_history_event (random, process, random->events[process]->len - 1)->end - since;
  return held;
}

static void
check_objects (const RandomHistory *random, LcHistory *history)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = lc_statistics_objects (history, LC_TIMELINE_MEASURED, NULL, &error);
  guint64 events = 0, last = G_MAXUINT64;

  g_assert_no_error (error);
  for (guint i = 0; i < all->len; i++)
    {
      const LcObjectStatistics *row = &g_array_index (all, LcObjectStatistics, i);
      LcHistoryObject object;
      Sum sum;
      guint64 held = 0;

      g_assert_true (lc_history_get_object (history, row->object, &object, NULL));
      sum = sum_up (random, G_MAXUINT, NULL, object.name);
      for (guint j = 0; j < random->n_processes; j++)
        held += held_by (random, j, object.name);
      g_assert_cmpuint (row->events, ==, sum.events);
      g_assert_cmpuint (row->waits, ==, sum.waits);
      g_assert_cmpuint (row->waited, ==, sum.waited);
      g_assert_cmpuint (row->longest, ==, sum.longest);
      g_assert_cmpuint (row->held, ==, held);
      g_assert_cmpuint (row->waited, <=, last);
      last = row->waited;
      events += row->events;
      lc_history_object_clear (&object);
    }
  g_assert_cmpuint (events, ==, sum_up (random, G_MAXUINT, NULL, NULL).events);
}

static void
check_operations (const RandomHistory *random, LcHistory *history)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = lc_statistics_operations (history, LC_TIMELINE_MEASURED, NULL, &error);
  guint64 events = 0, last = G_MAXUINT64;

  g_assert_no_error (error);
  for (guint i = 0; i < all->len; i++)
    {
      const LcOperationStatistics *row = &g_array_index (all, LcOperationStatistics, i);
      Sum sum = sum_up (random, G_MAXUINT, lc_history_get_operation (history, row->operation)->name, NULL);

      g_assert_cmpuint (row->events, ==, sum.events);
      g_assert_cmpuint (row->time, ==, sum.time);
      g_assert_cmpuint (row->waits, ==, sum.waits);
      g_assert_cmpuint (row->waited, ==, sum.waited);
      g_assert_cmpuint (row->longest, ==, sum.longest_event);
      g_assert_cmpuint (row->time, <=, last);
      last = row->time;
      events += row->events;
    }
  g_assert_cmpuint (events, ==, sum_up (random, G_MAXUINT, NULL, NULL).events);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= random_trials (1000); seed++)
    {
      guint n_processes = 1 + seed % 7;
      g_autoptr (RandomHistory) random = random_history_new (seed, n_processes, 10 + seed % 120);
      g_autoptr (Case) trial = case_new_random (random, 0, seed);

      check_waiting (random, trial->history);
      check_parallelism (random, trial->history);
      if (seed % 5 == 0)
        check_parallelism_history (random, trial->history, 1 + seed % 97);
      check_degrees (random, trial->history, seed);
      check_waits (random, trial->history, seed % 5 * 20);
      check_objects (random, trial->history);
      check_operations (random, trial->history);
    }
}

static void
test_nothing (void)
{
  static const char *const empty[] = {"a", "", NULL};
  g_autoptr (Case) trial = case_new (empty, NULL);
  g_autoptr (GArray) waiting = lc_statistics_waiting (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
  g_autoptr (GArray) objects = lc_statistics_objects (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
  g_autoptr (GArray) operations = lc_statistics_operations (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);
  g_autoptr (LcParallelism) parallelism = lc_statistics_parallelism (trial->history, LC_TIMELINE_MEASURED, NULL, NULL);

  g_assert_cmpuint (waiting->len, ==, 1);
  g_assert_cmpuint (g_array_index (waiting, LcWaitingStatistics, 0).span, ==, 0);
  g_assert_cmpuint (objects->len, ==, 0);
  g_assert_cmpuint (operations->len, ==, 0);
  g_assert_cmpuint (parallelism->highest, ==, 0);
  g_assert_cmpfloat (parallelism->average, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/statistics/nothing", test_nothing);
  g_test_add_func ("/statistics/random", test_random);
  return g_test_run ();
}
