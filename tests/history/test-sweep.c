/* SPDX-License-Identifier: Apache-2.0 */
/* The sweep against a reference that knows each event's predecessors from how the history was made. */
#include <glib/gstdio.h>
#include <string.h>

#include "lightcone/sweep.h"
#include "random-history.h"

typedef struct
{
  guint64 layer, waited;
  guint n_begins, n_ends;
  guint64 order; /* when its end was given */
  guint64 order_of_begin;
} Seen;

typedef struct
{
  LcSweepVisitor visitor;
  const RandomHistory *history;
  Seen **seen;
  guint64 steps;
  GHashTable *arcs; /* "P:O>P:O" */
} Watcher;

static void
watch_begin (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Watcher *watcher = (Watcher *)visitor;
  Seen *seen = &watcher->seen[step->process][step->ordinal];

  seen->n_begins++;
  seen->order_of_begin = ++watcher->steps;
  if (step->ordinal > 0)
    g_assert_cmpuint (watcher->seen[step->process][step->ordinal - 1].n_ends, ==, 1);
  *step->carried = step->event->begin;
}

static void
watch_end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Watcher *watcher = (Watcher *)visitor;
  Seen *seen = &watcher->seen[step->process][step->ordinal];

  seen->layer = step->layer;
  seen->waited = step->waited;
  seen->n_ends++;
  seen->order = ++watcher->steps;
  for (gsize i = 0; i < step->n_arcs; i++)
    {
      const LcSweepPoint *from = &step->arcs[i];

      g_assert_cmpuint (from->carried[0], ==, from->time);
      g_hash_table_add (watcher->arcs, g_strdup_printf ("%u:%u>%u:%u", from->process, (guint)from->ordinal,
                                                        step->process, (guint)step->ordinal));
    }
  *step->carried = step->event->end;
}

/* layer(e) by repetition until nothing changes, as DESIGN.md defines it. */
static guint64 **
reference_layers (const RandomHistory *history)
{
  guint64 **layers = g_new0 (guint64 *, history->n_processes);
  gboolean changed = TRUE;

  for (guint i = 0; i < history->n_processes; i++)
    layers[i] = g_new0 (guint64, history->events[i]->len + 1);
  while (changed)
    {
      changed = FALSE;
      for (guint i = 0; i < history->n_processes; i++)
        for (guint j = 0; j < history->events[i]->len; j++)
          {
            const RandomEvent *event = random_history_event (history, i, j);
            guint64 layer = j > 0 ? layers[i][j - 1] : 0;

            for (guint k = 0; k < event->sources->len; k++)
              {
                const RandomSource *source = &g_array_index (event->sources, RandomSource, k);
                guint64 of = source->begin ? (source->ordinal > 0 ? layers[source->process][source->ordinal - 1] : 0)
                                           : layers[source->process][source->ordinal];

                layer = MAX (layer, of);
              }
            if (layers[i][j] != layer + 1)
              {
                layers[i][j] = layer + 1;
                changed = TRUE;
              }
          }
    }
  return layers;
}

static guint64
reference_waited (const RandomHistory *history, guint process, guint ordinal)
{
  const RandomEvent *event = random_history_event (history, process, ordinal);
  guint64 latest = event->begin;

  for (guint i = 0; i < event->sources->len; i++)
    {
      const RandomSource *source = &g_array_index (event->sources, RandomSource, i);
      const RandomEvent *from = random_history_event (history, source->process, source->ordinal);

      if (source->process != process)
        latest = MAX (latest, source->begin ? from->begin : from->end);
    }
  return MIN (latest, event->end) - event->begin;
}

static void
compare (const Watcher *watcher, gboolean skewed)
{
  const RandomHistory *history = watcher->history;
  guint64 **layers = reference_layers (history);

  for (guint i = 0; i < history->n_processes; i++)
    {
      for (guint j = 0; j < history->events[i]->len; j++)
        {
          const RandomEvent *event = random_history_event (history, i, j);
          const Seen *seen = &watcher->seen[i][j];

          g_assert_cmpuint (seen->n_begins, ==, 1);
          g_assert_cmpuint (seen->n_ends, ==, 1);
          g_assert_cmpuint (seen->layer, ==, layers[i][j]);
          if (!skewed)
            g_assert_cmpuint (seen->waited, ==, reference_waited (history, i, j));
          for (guint k = 0; k < event->sources->len; k++)
            {
              const RandomSource *source = &g_array_index (event->sources, RandomSource, k);
              const Seen *before = &watcher->seen[source->process][source->ordinal];
              g_autofree char *arc = g_strdup_printf ("%u:%u>%u:%u", source->process, source->ordinal, i, j);

              g_assert_cmpuint (source->begin ? before->order_of_begin : before->order, <, seen->order);
              if (strcmp (event->operation, "barrier") != 0)
                g_assert_true (g_hash_table_contains (watcher->arcs, arc));
            }
        }
      g_free (layers[i]);
    }
  g_free (layers);
}

static void
remove_folder (const char *directory, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u.events", directory, i);

      g_unlink (path);
    }
  g_rmdir (directory);
}

static void
check (guint32 seed, guint n_processes, guint n_steps, guint64 skew)
{
  RandomHistory *history = random_history_new (seed, n_processes, n_steps);
  g_autofree char *directory = g_dir_make_tmp ("lightcone-sweep-XXXXXX", NULL);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GError) error = NULL;
  LcTrace *trace;
  LcSweepResult result;
  Watcher watcher = {{watch_begin, watch_end}, history, NULL, 0, NULL};
  LcSweepVisitor *visitors[] = {&watcher.visitor, NULL};

  watcher.seen = g_new0 (Seen *, n_processes);
  watcher.arcs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < n_processes; i++)
    watcher.seen[i] = g_new0 (Seen, history->events[i]->len + 1);
  random_history_write (history, directory, skew, seed);
  trace = lc_trace_open (directory, &error);
  g_assert_no_error (error);
  g_assert_true (lc_sweep_run (trace, rules, visitors, NULL, NULL, &result, &error));
  g_assert_cmpuint (result.unmatched, ==, 0);
  g_assert_cmpuint (result.cycles, ==, 0);
  if (skew == 0)
    g_assert_cmpuint (result.backwards, ==, 0);
  compare (&watcher, skew > 0);
  lc_sweep_result_clear (&result);
  lc_trace_free (trace);
  remove_folder (directory, n_processes);
  for (guint i = 0; i < n_processes; i++)
    g_free (watcher.seen[i]);
  g_free (watcher.seen);
  g_hash_table_unref (watcher.arcs);
  random_history_free (history);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= 1500; seed++)
    check (seed, 1 + seed % 7, 10 + seed % 120, 0);
}

/* The order of the sweep must not lean on clocks: these contradict each other. */
static void
test_skewed (void)
{
  for (guint32 seed = 1; seed <= 500; seed++)
    check (seed, 2 + seed % 6, 10 + seed % 120, 100000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/random", test_random);
  g_test_add_func ("/sweep/skewed", test_skewed);
  return g_test_run ();
}
