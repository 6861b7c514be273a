/* SPDX-License-Identifier: Apache-2.0 */
/* The sweep against a reference that knows each event's predecessors from how the history was made. */
#include <gio/gio.h>
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
              if (!event->member)
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

/* --- With a director ----------------------------------------------------------------------------------------- */

/* Gives the events of the trace in an order of its own, and, of a history, keeps processes waiting for no reason. */
typedef struct
{
  LcSweepDirector director;
  const RandomHistory *history;
  GRand *rand;
  LcTraceCursor **cursors;
  LcTraceBatch *batches;
  gsize *at;
  guint64 *since, *keys;
  gboolean *late; /* it was asked already */
  GArray *held;   /* guint32 */
  guint n_stalled;
} Contrary;

static gboolean
is_to_wait (Contrary *contrary, guint32 process)
{
  if (contrary->history == NULL || g_rand_int_range (contrary->rand, 0, 8) > 0)
    return FALSE;
  g_array_append_val (contrary->held, process);
  return TRUE;
}

static LcSweepVerdict
give_next (LcSweepDirector *director, guint32 process, LcSweepNext *next)
{
  Contrary *contrary = (Contrary *)director;
  LcTraceBatch *batch = &contrary->batches[process];
  guint64 ordinal;

  if (is_to_wait (contrary, process))
    return LC_SWEEP_HELD;
  if (contrary->at[process] == batch->n_events)
    {
      contrary->at[process] = 0;
      if (!lc_trace_cursor_next (contrary->cursors[process], batch))
        {
          batch->n_events = 0;
          return LC_SWEEP_OVER;
        }
    }
  ordinal = batch->first_ordinal + contrary->at[process];
  *next = (LcSweepNext){batch->events[contrary->at[process]++], process, ordinal, contrary->since[process], 0, FALSE};
  if (contrary->history != NULL)
    next->waited = reference_waited (contrary->history, process, (guint)ordinal);
  contrary->since[process] = next->event.end;
  contrary->late[process] = FALSE;
  return LC_SWEEP_GO;
}

static guint64
give_key (LcSweepDirector *director, guint32 process)
{
  Contrary *contrary = (Contrary *)director;

  contrary->keys[process] += (guint64)g_rand_int_range (contrary->rand, 0, 1000);
  return contrary->keys[process];
}

static LcSweepVerdict
let_go (LcSweepDirector *director, guint32 process, LcSweepNext *next, guint64 *when)
{
  Contrary *contrary = (Contrary *)director;

  if (!contrary->late[process] && g_rand_int_range (contrary->rand, 0, 4) == 0)
    {
      contrary->late[process] = TRUE;
      contrary->keys[process] += 500;
      *when = contrary->keys[process];
      return LC_SWEEP_LATER;
    }
  return is_to_wait (contrary, process) ? LC_SWEEP_HELD : LC_SWEEP_GO;
}

static guint32
let_wake (LcSweepDirector *director)
{
  Contrary *contrary = (Contrary *)director;
  guint32 process;

  if (contrary->held->len == 0)
    return LC_TRACE_NONE;
  process = g_array_index (contrary->held, guint32, 0);
  g_array_remove_index (contrary->held, 0);
  return process;
}

static guint32
let_stall (LcSweepDirector *director, const gboolean *is_stuck, guint32 first)
{
  ((Contrary *)director)->n_stalled++;
  return LC_TRACE_NONE;
}

static void
contrary_init (Contrary *contrary, LcTrace *trace, const RandomHistory *history, guint32 seed)
{
  guint32 n = lc_trace_get_n_processes (trace);

  *contrary = (Contrary){{give_next, give_key, let_go, let_wake, let_stall}, history, .rand = NULL};
  contrary->rand = g_rand_new_with_seed (seed);
  contrary->cursors = g_new0 (LcTraceCursor *, n);
  contrary->batches = g_new0 (LcTraceBatch, n);
  contrary->at = g_new0 (gsize, n);
  contrary->since = g_new0 (guint64, n);
  contrary->keys = g_new0 (guint64, n);
  contrary->late = g_new0 (gboolean, n);
  contrary->held = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 i = 0; i < n; i++)
    contrary->cursors[i] = lc_trace_cursor_open (trace, i);
}

static void
contrary_clear (Contrary *contrary, guint n)
{
  for (guint i = 0; i < n; i++)
    lc_trace_cursor_close (contrary->cursors[i]);
  g_rand_free (contrary->rand);
  g_free (contrary->cursors);
  g_free (contrary->batches);
  g_free (contrary->at);
  g_free (contrary->since);
  g_free (contrary->keys);
  g_free (contrary->late);
  g_array_unref (contrary->held);
}

static void
check (guint32 seed, guint n_processes, guint n_steps, guint64 skew, gboolean directed)
{
  RandomHistory *history = random_history_new (seed, n_processes, n_steps);
  g_autofree char *directory = g_dir_make_tmp ("lightcone-sweep-XXXXXX", NULL);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GError) error = NULL;
  LcTrace *trace;
  LcSweepResult result;
  Contrary contrary;
  Watcher watcher = {{watch_begin, watch_end}, history, NULL, 0, NULL};
  LcSweepVisitor *visitors[] = {&watcher.visitor, NULL};

  watcher.seen = g_new0 (Seen *, n_processes);
  watcher.arcs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < n_processes; i++)
    watcher.seen[i] = g_new0 (Seen, history->events[i]->len + 1);
  if (skew > 0)
    random_history_harden (history);
  random_history_write (history, directory, skew, seed);
  trace = lc_trace_open (directory, &error);
  g_assert_no_error (error);
  if (directed)
    contrary_init (&contrary, trace, history, seed);
  g_assert_true (lc_sweep_run_directed (trace, rules, directed ? &contrary.director : NULL, visitors, NULL, NULL,
                                        &result, &error));
  if (directed)
    {
      g_assert_cmpuint (contrary.n_stalled, ==, 0);
      contrary_clear (&contrary, n_processes);
    }
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
  for (guint32 seed = 1; seed <= random_trials (1500); seed++)
    check (seed, 1 + seed % 7, 10 + seed % 120, 0, FALSE);
}

/* The order of the sweep must not lean on clocks: these contradict each other. */
static void
test_skewed (void)
{
  for (guint32 seed = 1; seed <= random_trials (500); seed++)
    check (seed, 2 + seed % 6, 10 + seed % 120, 100000, FALSE);
}

/* Whatever the order and however long a process is held: each event comes once, and after what it has to come after. */
static void
test_directed (void)
{
  for (guint32 seed = 1; seed <= random_trials (500); seed++)
    check (seed, 1 + seed % 7, 10 + seed % 120, 0, TRUE);
}

/* Writes down what it sees. */
typedef struct
{
  LcSweepVisitor visitor;
  GString *begins, *ends;
} Writer;

static void
write_begin (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  g_string_append_printf (((Writer *)visitor)->begins, "%u:%u ", step->process, (guint)step->ordinal);
}

static void
write_end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  g_string_append_printf (((Writer *)visitor)->ends, "%u:%u(%u:%u)=%d%s ", step->process, (guint)step->ordinal,
                          step->origin_process, (guint)step->origin_ordinal, (int)step->event->sequence,
                          step->decided ? "!" : "");
}

/* A trace of two processes; free with g_free. */
static char *
write_lines (const char *first, const char *second)
{
  const char *const lines[] = {first, second};
  char *directory = g_dir_make_tmp ("lightcone-sweep-XXXXXX", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u.events", directory, i);
      g_autofree char *text = g_strconcat ("%lightcone-events 1\n", lines[i], NULL);

      g_assert_true (g_file_set_contents (path, text, -1, NULL));
    }
  return directory;
}

/* Both processes come for the lock. The director lets the second one have it first, and gives it the unlock of the
 * first one. */
typedef struct
{
  LcSweepDirector director;
  guint n_given[2];
  gint64 number;
} Turned;

static LcSweepVerdict
turned_next (LcSweepDirector *director, guint32 process, LcSweepNext *next)
{
  Turned *turned = (Turned *)director;
  guint n = turned->n_given[process]++;

  if (n > (process == 1))
    return LC_SWEEP_OVER;
  *next = (LcSweepNext){.event = {.begin = 10, .end = 20, .operation = LC_LOCK, .object = 0},
                        .origin_process = n == 1 ? 0 : process,
                        .origin_ordinal = n};
  next->event.flags = LC_TRACE_EVENT_SEQUENCE;
  next->event.operation = n == 0 ? LC_LOCK : LC_UNLOCK;
  return LC_SWEEP_GO;
}

static guint64
turned_when (LcSweepDirector *director, guint32 process)
{
  return 100 - process;
}

static LcSweepVerdict
turned_decide (LcSweepDirector *director, guint32 process, LcSweepNext *next, guint64 *when)
{
  Turned *turned = (Turned *)director;

  if (next->event.operation == LC_LOCK)
    turned->number++;
  next->event.sequence = turned->number;
  next->decided = TRUE;
  return LC_SWEEP_GO;
}

static guint32
turned_woken (LcSweepDirector *director)
{
  return LC_TRACE_NONE;
}

static guint32
turned_stalled (LcSweepDirector *director, const gboolean *is_stuck, guint32 first)
{
  return LC_TRACE_NONE;
}

static void
test_decided (void)
{
  g_autofree char *directory = write_lines ("10 20 lock L 1\n30 40 unlock L 1\n", "30 50 lock L 2\n");
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GError) error = NULL;
  Writer writer = {{write_begin, write_end}, g_string_new (NULL), g_string_new (NULL)};
  LcSweepVisitor *visitors[] = {&writer.visitor, NULL};
  Turned turned = {.director = {turned_next, turned_when, turned_decide, turned_woken, turned_stalled}};
  LcSweepResult result;
  LcTrace *trace;

  trace = lc_trace_open (directory, &error);
  g_assert_true (lc_sweep_run_directed (trace, rules, &turned.director, visitors, NULL, NULL, &result, &error));
  g_assert_cmpstr (writer.begins->str, ==, "0:0 1:0 1:1 ");
  g_assert_cmpstr (writer.ends->str, ==, "1:0(1:0)=1! 1:1(0:1)=1! 0:0(0:0)=2! ");
  g_assert_cmpuint (result.arcs, ==, 1);
  g_assert_cmpuint (result.unmatched + result.backwards, ==, 0);
  lc_sweep_result_clear (&result);
  g_string_free (writer.begins, TRUE);
  g_string_free (writer.ends, TRUE);
  lc_trace_free (trace);
  remove_folder (directory, 2);
}

static guint32
give_up_first (LcSweepDirector *director, const gboolean *is_stuck, guint32 first)
{
  ((Contrary *)director)->n_stalled++;
  g_assert_true (is_stuck[0] && is_stuck[1]);
  g_assert_cmpuint (first, !=, LC_TRACE_NONE);
  return first;
}

/* Both processes wait for what the other one does later: the director may end it, or let one of them go on. */
static void
stall (gboolean give_up)
{
  g_autofree char *directory =
      write_lines ("10 20 await A 1\n30 40 advance A 2\n", "10 20 await A 2\n30 40 advance A 1\n");
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (directory, &error);
  LcSweepVisitor *visitors[] = {NULL};
  Contrary contrary;
  LcSweepResult result;

  contrary_init (&contrary, trace, NULL, 1);
  if (give_up)
    contrary.director.stalled = give_up_first;
  if (lc_sweep_run_directed (trace, rules, &contrary.director, visitors, NULL, NULL, &result, &error))
    {
      g_assert_true (give_up);
      g_assert_cmpuint (result.events, ==, 4);
      g_assert_cmpuint (result.unmatched, ==, 1);
    }
  else
    {
      g_assert_false (give_up);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
    }
  g_assert_cmpuint (contrary.n_stalled, ==, 1);
  lc_sweep_result_clear (&result);
  contrary_clear (&contrary, 2);
  lc_trace_free (trace);
  remove_folder (directory, 2);
}

static void
test_stalled (void)
{
  stall (FALSE);
  stall (TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/random", test_random);
  g_test_add_func ("/sweep/skewed", test_skewed);
  g_test_add_func ("/sweep/directed", test_directed);
  g_test_add_func ("/sweep/decided", test_decided);
  g_test_add_func ("/sweep/stalled", test_stalled);
  return g_test_run ();
}
