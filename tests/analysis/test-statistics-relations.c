/* SPDX-License-Identifier: Apache-2.0 */
/* Who has to do with whom, with which object and which processor: by hand, and random histories against plain sums. */
#include "../history/add-timeline.h"
#include "case.h"
#include "lightcone/statistics.h"

/* A span; from == to: all. */
typedef struct
{
  guint32 timeline;
  guint64 from;
  guint64 to;
} Span;

static gboolean
is_within (const Span *span, guint64 end)
{
  return span->from == span->to || (end >= span->from && end < span->to);
}

/* --- The matrix ---------------------------------------------------------------------------------------------- */

static const LcMatrixCell *
find_cell (const GArray *cells, guint32 from, guint32 to)
{
  for (guint i = 0; i < cells->len; i++)
    {
      const LcMatrixCell *cell = &g_array_index (cells, LcMatrixCell, i);

      if (cell->from_process == from && cell->to_process == to)
        return cell;
    }
  return NULL;
}

static void
assert_cell (const GArray *cells, guint32 from, guint32 to, guint64 arcs, guint64 bytes, guint64 waited)
{
  const LcMatrixCell *cell = find_cell (cells, from, to);

  g_assert_nonnull (cell);
  g_assert_cmpuint (cell->arcs, ==, arcs);
  g_assert_cmpuint (cell->bytes, ==, bytes);
  g_assert_cmpuint (cell->waited, ==, waited);
}

static void
test_matrix (void)
{
  /* Messages: b waits 100 for the first, and not for the second; ssend's anti-dependence is none of them. At the
   * barrier c is last. Of what is gathered each part is told by who sends it. */
  static const char *const files[] = {
      "a",
      "100 120 send h 0 bytes=8\n130 140 send h 1 bytes=16\n150 200 barrier r 0\n210 220 reduce w 0 value=3 bytes=5\n",
      "b",
      "0 150 recv h 0 bytes=8\n160 165 recv h 1\n170 200 barrier r 0\n300 310 reduce-root w 0 value=3 bytes=12\n",
      "c",
      "0 10 ssend i 0 bytes=100\n180 200 barrier r 0\n290 300 reduce w 0 value=3 bytes=7\n",
      "d",
      "0 12 recv i 0 bytes=90\n13 14 lock m 1\n15 16 unlock m 1\n17 18 lock m 2\n",
      NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = lc_statistics_matrix (trial->history, LC_TIMELINE_MEASURED, 0, 0, NULL, &error);
  g_autoptr (GArray) early = lc_statistics_matrix (trial->history, LC_TIMELINE_MEASURED, 12, 165, NULL, NULL);

  g_assert_no_error (error);
  g_assert_cmpuint (all->len, ==, 4);
  assert_cell (all, 0, 1, 3, 8 + 16 + 5, 100);
  assert_cell (all, 2, 0, 1, 0, 30);
  assert_cell (all, 2, 1, 2, 7, 10);
  assert_cell (all, 2, 3, 1, 90, 0);
  g_assert_cmpuint (early->len, ==, 2);
  assert_cell (early, 0, 1, 1, 8, 100);
  assert_cell (early, 2, 3, 1, 90, 0);
}

/* The member that came last on the timeline; the first of several. */
static guint32
find_last (const Model *model, const LcHistoryEvent *event)
{
  const LcHistoryEvent *last = NULL;

  for (guint32 i = 0; i < model->n_processes; i++)
    for (guint j = 0; j < model->events[i]->len; j++)
      {
        const LcHistoryEvent *other = &model_event (model, i, j)->event;

        if (other->flags & LC_HISTORY_EVENT_GROUP && other->object == event->object &&
            other->sequence == event->sequence && other->operation == event->operation &&
            (last == NULL || other->begin > last->begin))
          last = other;
      }
  return last->process;
}

static int
find_basis (const Model *model, const ModelEvent *event)
{
  guint64 latest = 0;
  int basis = -1;

  for (guint i = 0; i < event->arcs->len; i++)
    {
      const LcHistoryArcEnd *arc = &g_array_index (event->arcs, LcHistoryArcEnd, i);
      const LcHistoryEvent *from = &model_event (model, arc->process, arc->ordinal)->event;
      guint64 time = arc->point == LC_POINT_BEGIN ? from->begin : from->end;

      if (arc->process != event->event.process && (basis < 0 || time > latest))
        {
          basis = (int)i;
          latest = time;
        }
    }
  return basis;
}

static void
add_plainly (const Model *model, LcHistory *history, const Span *span, const ModelEvent *event, LcMatrixCell *cells)
{
  const LcHistoryEvent *to = &event->event;
  int basis = span->timeline == LC_TIMELINE_MEASURED ? to->basis : find_basis (model, event);

  if (span->timeline != LC_TIMELINE_MEASURED && to->flags & LC_HISTORY_EVENT_GROUP)
    {
      guint32 last = find_last (model, to);

      if (last != to->process)
        {
          cells[last * model->n_processes + to->process].arcs++;
          cells[last * model->n_processes + to->process].waited += to->waited;
        }
      return;
    }
  for (guint i = 0; i < event->arcs->len; i++)
    {
      const LcHistoryArcEnd *arc = &g_array_index (event->arcs, LcHistoryArcEnd, i);
      LcMatrixCell *cell = &cells[arc->process * model->n_processes + to->process];

      if (arc->process == to->process || lc_history_get_rule (history, arc->rule)->kind != LC_ARC_DATA)
        continue;
      cell->arcs++;
      if (basis == (int)i)
        cell->waited += to->waited;
    }
}

static void
check_matrix (const Model *model, LcHistory *history, const Span *span)
{
  guint32 n = model->n_processes;
  g_autofree LcMatrixCell *cells = g_new0 (LcMatrixCell, (gsize)n * n);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = lc_statistics_matrix (history, span->timeline, span->from, span->to, NULL, &error);
  guint k = 0;

  g_assert_no_error (error);
  for (guint32 i = 0; i < n; i++)
    for (guint j = 0; j < model->events[i]->len; j++)
      if (is_within (span, model_event (model, i, j)->event.end))
        add_plainly (model, history, span, model_event (model, i, j), cells);
  for (guint i = 0; i < n * n; i++)
    if (cells[i].arcs > 0)
      {
        const LcMatrixCell *cell = &g_array_index (found, LcMatrixCell, k);

        g_assert_cmpuint (k++, <, found->len);
        g_assert_cmpuint (cell->from_process, ==, i / n);
        g_assert_cmpuint (cell->to_process, ==, i % n);
        g_assert_cmpuint (cell->arcs, ==, cells[i].arcs);
        g_assert_cmpuint (cell->waited, ==, cells[i].waited);
      }
  g_assert_cmpuint (k, ==, found->len);
}

/* --- Objects ------------------------------------------------------------------------------------------------- */

static void
test_uses (void)
{
  static const char *const files[] = {"a", "0 10 lock m 1\n100 110 unlock m 1\n200 210 lock n 1\n220 230 unlock n 1\n",
                                      "b", "20 130 lock m 2\n150 150 unlock m 2\n160 170 lock m 3\n180 190 tag\n",
                                      NULL};
  static const LcObjectUse all[] = {{0, 0, 2, 0, 90}, {1, 0, 3, 90, 20 + 20}, {0, 1, 2, 0, 10}};
  static const LcObjectUse early[] = {{0, 0, 0, 0, 50}, {1, 0, 0, 0, 0}};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (GArray) found = lc_statistics_object_uses (trial->history, LC_TIMELINE_MEASURED, 0, 0, NULL, NULL);
  g_autoptr (GArray) part = lc_statistics_object_uses (trial->history, LC_TIMELINE_MEASURED, 50, 100, NULL, NULL);

  g_assert_cmpmem (found->data, found->len * sizeof *all, all, sizeof all);
  g_assert_cmpmem (part->data, part->len * sizeof *early, early, sizeof *early);
}

static LcObjectUse
use_plainly (const Model *model, const Span *span, guint32 process, guint32 object)
{
  LcObjectUse use = {.process = process, .object = object};
  guint n = model->events[process]->len;
  guint64 first = span->from, last = n > 0 ? model_event (model, process, n - 1)->event.end : 0;

  if (span->from < span->to)
    last = MIN (last, span->to);
  for (guint j = 0; j < n; j++)
    {
      const LcHistoryEvent *event = &model_event (model, process, j)->event;

      if (event->object == object && is_within (span, event->end))
        {
          use.events++;
          use.waited += event->waited;
        }
    }
  for (guint k = 0; k < model->spans[process]->len; k++)
    {
      const LcHoldingSpan *held = &g_array_index (model->spans[process], LcHoldingSpan, k);

      if (held->object == object && MIN (held->end, last) > MAX (held->begin, first))
        use.held += MIN (held->end, last) - MAX (held->begin, first);
    }
  return use;
}

static void
check_uses (const Model *model, LcHistory *history, const Span *span)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = lc_statistics_object_uses (history, span->timeline, span->from, span->to, NULL, &error);
  guint n = 0;

  g_assert_no_error (error);
  for (guint32 object = 0; object < lc_history_get_n_objects (history); object++)
    for (guint32 i = 0; i < model->n_processes; i++)
      {
        LcObjectUse use = use_plainly (model, span, i, object);

        if (use.events == 0 && use.held == 0)
          continue;
        g_assert_cmpuint (n, <, found->len);
        g_assert_cmpmem (&g_array_index (found, LcObjectUse, n), sizeof use, &use, sizeof use);
        n++;
      }
  g_assert_cmpuint (n, ==, found->len);
}

static void
check_all (const Model *model, LcHistory *history, guint32 timeline, GRand *choice)
{
  const guint64 from = (guint64)g_rand_int_range (choice, 0, 3000);
  const Span spans[] = {{timeline, 0, 0}, {timeline, from, from + (guint64)g_rand_int_range (choice, 1, 2000)}};

  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      check_matrix (model, history, &spans[i]);
      check_uses (model, history, &spans[i]);
    }
}

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
        }
    }
  model_move (model);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= random_trials (300); seed++)
    {
      g_autoptr (RandomHistory) random = random_history_new (seed, 1 + seed % 7, 50 + seed % 400);
      g_autoptr (Case) trial = case_new_random (random, 0, seed);
      GRand *choice = g_rand_new_with_seed (seed);
      Model *model = model_new (trial->directory);
      guint32 number;

      check_all (model, trial->history, LC_TIMELINE_MEASURED, choice);
      move_at_random (model, choice);
      g_assert_true (
          add_timeline (lc_history_get_path (trial->history), trial->directory, model, "moved", &number, NULL));
      check_all (model, trial->history, number, choice);
      model_free (model);
      g_rand_free (choice);
    }
}

/* --- Processors ---------------------------------------------------------------------------------------------- */

static void
assert_stays (LcHistory *history, guint64 from, guint64 to, guint64 resolution, const LcCpuStay *stays, guint n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found =
      lc_statistics_cpu_stays (history, LC_TIMELINE_MEASURED, from, to, resolution, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      const LcCpuStay *stay = &g_array_index (found, LcCpuStay, i);

      g_assert_cmpuint (stay->process, ==, stays[i].process);
      g_assert_cmpuint (stay->cpu, ==, stays[i].cpu);
      g_assert_cmpuint (stay->begin, ==, stays[i].begin);
      g_assert_cmpuint (stay->end, ==, stays[i].end);
      g_assert_cmpuint (stay->events, ==, stays[i].events);
      g_assert_cmpuint (stay->running, ==, stays[i].running);
      g_assert_cmpuint (stay->waited, ==, stays[i].waited);
      g_assert_cmpuint (stay->woken, ==, stays[i].woken);
      g_assert_cmpuint (stay->preempted + stay->outside + stay->unseen, ==, 0);
      g_assert_cmpuint (stay->stays, ==, stays[i].stays);
    }
}

static void
test_cpus (void)
{
  static const char *const files[] = {
      "a", "0 10 lock m 1 cpu=2\n40 50 unlock m 1 cpu=2\n60 70 tag cpu=0\n80 90 tag\n100 110 tag cpu=2\n",
      "b", "20 60 lock m 2 cpu=1\n200 200 unlock m 2 cpu=1\n",
      "c", "7 7 tag cpu=3\n",
      "d", "",
      NULL};
  static const LcCpuStay all[] = {{0, 2, 0, 60, 2, 60, 0, 0, 0, 0, 0, 1},
                                  {0, 0, 60, 80, 1, 20, 0, 0, 0, 0, 0, 1},
                                  {0, LC_CPU_UNKNOWN, 80, 100, 1, 20, 0, 0, 0, 0, 0, 1},
                                  {0, 2, 100, 110, 1, 10, 0, 0, 0, 0, 0, 1},
                                  {1, 1, 20, 200, 2, 140, 30, 10, 0, 0, 0, 1},
                                  {2, 3, 7, 7, 1, 0, 0, 0, 0, 0, 0, 1}};
  static const LcCpuStay part[] = {{0, 2, 55, 60, 1, 5, 0, 0, 0, 0, 0, 1},
                                   {0, 0, 60, 75, 1, 15, 0, 0, 0, 0, 0, 1},
                                   {1, 1, 55, 75, 1, 15, 0, 5, 0, 0, 0, 1}};
  /* The three of a that are short are together as long as the resolution. */
  static const LcCpuStay joined[] = {{0, 2, 0, 60, 2, 60, 0, 0, 0, 0, 0, 1},
                                     {0, 0, 60, 110, 3, 50, 0, 0, 0, 0, 0, 3},
                                     {1, 1, 20, 200, 2, 140, 30, 10, 0, 0, 0, 1},
                                     {2, 3, 7, 7, 1, 0, 0, 0, 0, 0, 0, 1}};
  /* Joined until they are long enough, and not for ever. */
  static const LcCpuStay parts[] = {{0, 2, 0, 60, 2, 60, 0, 0, 0, 0, 0, 1},
                                    {0, 0, 60, 100, 2, 40, 0, 0, 0, 0, 0, 2},
                                    {0, 2, 100, 110, 1, 10, 0, 0, 0, 0, 0, 1},
                                    {1, 1, 20, 200, 2, 140, 30, 10, 0, 0, 0, 1},
                                    {2, 3, 7, 7, 1, 0, 0, 0, 0, 0, 0, 1}};
  g_autoptr (Case) trial = case_new (files, NULL);

  assert_stays (trial->history, 0, 0, 0, all, G_N_ELEMENTS (all));
  assert_stays (trial->history, 55, 75, 0, part, G_N_ELEMENTS (part));
  assert_stays (trial->history, 0, 0, 50, joined, G_N_ELEMENTS (joined));
  assert_stays (trial->history, 0, 0, 40, parts, G_N_ELEMENTS (parts));
  assert_stays (trial->history, 300, 400, 0, NULL, 0);
}

/* Of a random process that changes its processor now and then. */
static char *
write_at_random (GRand *random, guint n, guint64 *end, guint64 *cpus)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 now = 0;
  guint cpu = 0;

  for (guint i = 0; i < n; i++)
    {
      guint64 begin = now + (guint64)g_rand_int_range (random, 1, 20);

      if (g_rand_int_range (random, 0, 3) == 0)
        cpu = (guint)g_rand_int_range (random, 0, 4);
      if (i == 0)
        now = begin;
      for (guint64 time = now; time < begin; time++)
        cpus[time] = i == 0 ? G_MAXUINT64 : cpus[now - 1];
      now = begin + (guint64)g_rand_int_range (random, 1, 9);
      for (guint64 time = begin; time < now; time++)
        cpus[time] = cpu;
      g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " tag cpu=%u\n", begin, now, cpu);
    }
  *end = now;
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Each nanosecond is in one stay, on the processor that it was on. */
static void
test_random_cpus (void)
{
  for (guint32 seed = 1; seed <= 100; seed++)
    {
      GRand *choice = g_rand_new_with_seed (seed);
      g_autofree guint64 *cpus = g_new0 (guint64, 4096);
      guint64 end, time, resolution = seed % 40, changes = 0;
      g_autofree char *text = write_at_random (choice, 5 + seed, &end, cpus);
      const char *const files[] = {"a", text, NULL};
      g_autoptr (Case) trial = case_new (files, NULL);
      g_autoptr (GArray) exact = lc_statistics_cpu_stays (trial->history, 0, 0, 0, 0, NULL, NULL);
      g_autoptr (GArray) coarse = lc_statistics_cpu_stays (trial->history, 0, 0, 0, resolution, NULL, NULL);

      time = g_array_index (exact, LcCpuStay, 0).begin;
      for (guint i = 0; i < exact->len; i++)
        {
          const LcCpuStay *stay = &g_array_index (exact, LcCpuStay, i);

          g_assert_cmpuint (stay->begin, ==, time);
          for (; time < stay->end; time++)
            g_assert_cmpuint (cpus[time], ==, stay->cpu);
          g_assert_true (time == end || cpus[time] != stay->cpu);
        }
      g_assert_cmpuint (time, ==, end);
      time = g_array_index (exact, LcCpuStay, 0).begin;
      for (guint i = 0; i < coarse->len; i++)
        {
          const LcCpuStay *stay = &g_array_index (coarse, LcCpuStay, i);

          g_assert_cmpuint (stay->begin, ==, time);
          g_assert_true (stay->stays == 1 || i + 1 == coarse->len || stay->end - stay->begin >= resolution ||
                         stay[1].stays == 1);
          time = stay->end;
          changes += stay->stays;
        }
      g_assert_cmpuint (time, ==, end);
      g_assert_cmpuint (changes, ==, exact->len);
      g_rand_free (choice);
    }
}

static void
test_nothing (void)
{
  static const char *const empty[] = {"a", "", "b", "5 5 tag\n", NULL};
  g_autoptr (Case) trial = case_new (empty, NULL);
  g_autoptr (GArray) matrix = lc_statistics_matrix (trial->history, LC_TIMELINE_MEASURED, 0, 0, NULL, NULL);
  g_autoptr (GArray) uses = lc_statistics_object_uses (trial->history, LC_TIMELINE_MEASURED, 0, 0, NULL, NULL);
  g_autoptr (GArray) stays = lc_statistics_cpu_stays (trial->history, LC_TIMELINE_MEASURED, 3, 9, 0, NULL, NULL);

  g_assert_cmpuint (matrix->len, ==, 0);
  g_assert_cmpuint (uses->len, ==, 0);
  g_assert_cmpuint (stays->len, ==, 1);
  g_assert_cmpuint (g_array_index (stays, LcCpuStay, 0).cpu, ==, LC_CPU_UNKNOWN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/relations/nothing", test_nothing);
  g_test_add_func ("/relations/matrix", test_matrix);
  g_test_add_func ("/relations/uses", test_uses);
  g_test_add_func ("/relations/cpus", test_cpus);
  g_test_add_func ("/relations/random-cpus", test_random_cpus);
  g_test_add_func ("/relations/random", test_random);
  return g_test_run ();
}
