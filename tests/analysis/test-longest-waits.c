/* SPDX-License-Identifier: Apache-2.0 */
/* The longest waits: the same as all events sorted; problems and deadlocks that a history tells without its trace. */
#include <string.h>

#include "case.h"
#include "lightcone/deadlock.h"
#include "lightcone/statistics.h"

typedef struct
{
  const LcWaitsAsked *asked;
  GArray *waits;
} All;

static gboolean
has (const guint32 *numbers, guint32 n, guint32 number)
{
  for (guint32 i = 0; i < n; i++)
    if (numbers[i] == number)
      return TRUE;
  return FALSE;
}

static gboolean
take (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const All *all = data;
  const LcWaitsAsked *asked = all->asked;
  gboolean touches = asked->axis == LC_AXIS_TIME
                         ? event->begin < asked->to && event->begin + event->waited > asked->from
                         : event->layer >= asked->from && event->layer < asked->to;

  if (event->waited == 0 || event->waited < asked->filters.least_wait || (asked->from < asked->to && !touches) ||
      (asked->processes != NULL && !has (asked->processes, asked->n_processes, event->process)) ||
      (asked->filters.operations != NULL && !asked->filters.operations[event->operation]) ||
      (asked->filters.objects != NULL && !has (asked->filters.objects, asked->filters.n_objects, event->object)))
    return TRUE;
  g_array_append_vals (all->waits, event, 1);
  return TRUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const LcHistoryEvent *x = a, *y = b;

  if (x->waited != y->waited)
    return x->waited > y->waited ? -1 : 1;
  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return x->ordinal < y->ordinal ? -1 : 1;
}

static void
check (LcHistory *history, const LcWaitsAsked *asked, gsize limit)
{
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) longest =
      lc_statistics_longest_waits (history, LC_TIMELINE_MEASURED, asked, limit, NULL, NULL, NULL, &error);
  All all = {asked, waits};

  g_assert_no_error (error);
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    g_assert_true (lc_history_visit (history, LC_TIMELINE_MEASURED, i, 0, G_MAXUINT64, take, &all, NULL, NULL));
  g_array_sort (waits, compare);
  g_assert_cmpuint (longest->len, ==, MIN (waits->len, limit));
  for (guint i = 0; i < longest->len; i++)
    {
      const LcHistoryEvent *found = &g_array_index (longest, LcHistoryEvent, i);
      const LcHistoryEvent *wanted = &g_array_index (waits, LcHistoryEvent, i);

      g_assert_cmpuint (found->waited, ==, wanted->waited);
      g_assert_cmpuint (found->process, ==, wanted->process);
      g_assert_cmpuint (found->ordinal, ==, wanted->ordinal);
    }
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= random_trials (400); seed++)
    {
      guint n_processes = 1 + seed % 7;
      g_autoptr (RandomHistory) random = random_history_new (seed, n_processes, 10 + seed % 400);
      g_autoptr (Case) trial = case_new_random (random, 0, seed);
      guint32 processes[] = {seed % n_processes}, objects[] = {0, 2};
      guint64 begin, end, layers = lc_history_get_n_layers (trial->history);
      g_autofree gboolean *operations = g_new0 (gboolean, lc_history_get_n_operations (trial->history));

      lc_history_get_span (trial->history, &begin, &end);
      for (guint32 i = 0; i < lc_history_get_n_operations (trial->history); i += 2)
        operations[i] = TRUE;
      check (trial->history, &(LcWaitsAsked){.from = 0}, 1 + seed % 20);
      check (trial->history, &(LcWaitsAsked){.from = end / 3, .to = end / 2}, 5);
      check (trial->history, &(LcWaitsAsked){.axis = LC_AXIS_LAYER, .from = layers / 3, .to = layers / 2 + 1}, 5);
      check (trial->history, &(LcWaitsAsked){.processes = processes, .n_processes = 1, .filters.least_wait = seed % 30},
             7);
      check (trial->history, &(LcWaitsAsked){.filters.operations = operations}, 1000);
      check (trial->history, &(LcWaitsAsked){.filters = {.objects = objects, .n_objects = 2}}, 3);
    }
}

/* --- What is wrong ----------------------------------------------------------------------------------------------- */

static void
test_problems (void)
{
  static const char *const files[] = {"a", "0 10 advance A 1\n20 30 await A 7\n", "b", "0 5 await A 1\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = lc_history_list_problems (trial->history, &error);
  const LcHistoryProblem *problem;

  g_assert_no_error (error);
  g_assert_cmpuint (problems->len, ==, 2);
  problem = problems->pdata[0];
  for (guint i = 0; i < problems->len; i++)
    if (g_strcmp0 (((const LcHistoryProblem *)problems->pdata[i])->kind, "unmatched") == 0)
      problem = problems->pdata[i];
  g_assert_cmpstr (problem->kind, ==, "unmatched");
  g_assert_cmpint (problem->severity, ==, LC_TRACE_FAULT);
  g_assert_cmpuint (problem->process, ==, 0);
  g_assert_cmpuint (problem->ordinal, ==, 1);
  g_assert_cmpstr (problem->operation, ==, "await");
  g_assert_true (problem->has_sequence);
  g_assert_cmpint (problem->sequence, ==, 7);
  g_assert_cmpstr (problem->wants, ==, "advance");
  g_assert_cmpint (problem->wants_sequence, ==, 7);
  g_assert_cmpuint (problem->there, ==, 0);
  g_assert_cmpuint (problem->needed, ==, 1);
}

static void
test_nothing (void)
{
  static const char *const files[] = {"a", "0 10 lock M 1\n", "b", "", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (LcDeadlocks) deadlocks = lc_deadlocks_find_in_history (trial->history, NULL, NULL);

  check (trial->history, &(LcWaitsAsked){.from = 0}, 10);
  g_assert_cmpuint (deadlocks->circles->len, ==, 0);
  g_assert_cmpuint (deadlocks->blocked->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/longest-waits/random", test_random);
  g_test_add_func ("/longest-waits/nothing", test_nothing);
  g_test_add_func ("/problems/listed", test_problems);
  return g_test_run ();
}
