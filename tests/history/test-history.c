/* SPDX-License-Identifier: Apache-2.0 */
/* Histories of random executions: every question against a model that has all events in memory. */
#include <glib/gstdio.h>
#include <string.h>

#include "add-timeline.h"
#include "case.h"
#include "history/store.h"
#include "questions.h"
#include "random-history.h"
#include "random-trials.h"

static void
check_totals (const Case *at)
{
  guint64 events = 0, layers = 0;

  g_assert_cmpuint (lc_history_get_n_processes (at->history), ==, at->model->n_processes);
  for (guint32 i = 0; i < at->model->n_processes; i++)
    {
      const LcHistoryProcess *process = lc_history_get_process (at->history, i);

      g_assert_cmpuint (process->id, ==, i);
      g_assert_cmpuint (process->events, ==, at->model->events[i]->len);
      events += process->events;
      if (process->events == 0)
        continue;
      g_assert_cmpuint (process->begin, ==, model_event (at->model, i, 0)->event.begin);
      g_assert_cmpuint (process->end, ==, model_event (at->model, i, process->events - 1)->event.end);
      layers = MAX (layers, model_event (at->model, i, process->events - 1)->event.layer);
      g_assert_cmpuint (process->layers, ==, model_event (at->model, i, process->events - 1)->event.layer);
    }
  g_assert_cmpuint (lc_history_get_n_events (at->history), ==, events);
  g_assert_cmpuint (lc_history_get_n_arcs (at->history), ==, at->model->arcs->len);
  g_assert_cmpuint (lc_history_get_n_layers (at->history), ==, layers);
  g_assert_null (lc_history_get_process (at->history, at->model->n_processes));
  g_assert_null (lc_history_get_operation (at->history, lc_history_get_n_operations (at->history)));
}

static void
test_small (void)
{
  for (guint32 seed = 1; seed <= random_trials (40); seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      Case at;

      case_init (&at, seed, 1 + seed % 7, seed % 120);
      check_totals (&at);
      ask_events (at.history, at.model, LC_TIMELINE_MEASURED, random, 40);
      ask_windows (at.history, at.model, LC_TIMELINE_MEASURED, random, 40);
      case_clear (&at);
    }
}

/* Many blocks. */
static void
test_long (void)
{
  for (guint32 seed = 1; seed <= 3; seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      Case at;

      case_init (&at, seed, 1 + seed * 2, 6000);
      check_totals (&at);
      ask_events (at.history, at.model, LC_TIMELINE_MEASURED, random, 60);
      ask_windows (at.history, at.model, LC_TIMELINE_MEASURED, random, 60);
      case_clear (&at);
    }
}

/* A timeline that is added while the history is open, and changed. */
static void
test_timelines (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) timelines = NULL;
  LcHistoryEvent event;
  guint32 timeline;
  Case at;

  case_init (&at, 5, 4, 5000);
  g_assert_false (lc_history_find_timeline (at.history, "slow", &timeline, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
  g_clear_error (&error);
  g_assert_false (lc_history_get_event (at.history, 1, 0, 0, &event, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
  g_clear_error (&error);
  for (guint round = 0; round < 2; round++)
    {
      model_move (at.model);
      if (!add_timeline (lc_history_get_path (at.history), at.directory, at.model, "slow", &timeline, &error))
        g_assert_no_error (error);
      g_assert_cmpuint (timeline, ==, 1);
      g_assert_true (lc_history_find_timeline (at.history, "slow", &timeline, &error));
      g_assert_cmpuint (timeline, ==, 1);
      ask_events (at.history, at.model, timeline, random, 30);
      ask_windows (at.history, at.model, timeline, random, 30);
    }
  timelines = lc_history_list_timelines (at.history, &error);
  g_assert_cmpuint (timelines->len, ==, 2);
  case_clear (&at);
}

typedef struct
{
  LcHistory *history;
  GCancellable *cancellable;
  guint64 visited;
} Cancelling;

static gboolean
ask_while_visiting (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Cancelling *state = data;
  g_autoptr (GArray) found = NULL;

  /* Visitors may ask for more. */
  g_assert_true (
      lc_history_list_arcs_in (state->history, LC_TIMELINE_MEASURED, event->process, event->ordinal, &found, NULL));
  g_assert_cmpuint (found->len, ==, event->n_arcs);
  if (++state->visited == 100 && state->cancellable != NULL)
    g_cancellable_cancel (state->cancellable);
  return TRUE;
}

/* Many processes with little each: what is asked of all of them must not cost a block of each. */
static void
test_wide (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (9);
  Case at;

  case_init (&at, 8, 150, 25000);
  ask_windows (at.history, at.model, LC_TIMELINE_MEASURED, random, 60);
  case_clear (&at);
}

static void
append_event (GString *text, guint64 *now, const char *what)
{
  g_string_append_printf (text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s\n", *now, *now + 3, what);
  *now += 10;
}

/* What is held for long is given back far behind the window, or never. */
static void
test_long_spans (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);
  g_autoptr (GString) text = g_string_new ("%lightcone-events 1\n");
  g_autofree char *directory = g_dir_make_tmp ("lightcone-history-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "0.events", NULL);
  Case at = {g_strdup (directory), 1};
  guint64 now = 0;

  append_event (text, &now, "lock never 1");
  for (guint i = 1; i < 9000; i++)
    {
      g_autofree char *numbered = g_strdup_printf ("%s m %u", i % 2 == 1 ? "lock" : "unlock", (i + 1) / 2);
      g_autofree char *reading = g_strdup_printf ("%s c 0", i % 4000 < 2000 ? "read-start" : "read-end");

      append_event (text, &now, i % 4000 == 10 ? "lock far 1" : i % 4000 == 3990 ? "unlock far 1" : numbered);
      append_event (text, &now, i % 100 == 0 ? reading : "tag value=1");
      append_event (text, &now, i == 50 ? "lock plain" : i == 6000 ? "unlock plain" : "tag value=2");
    }
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  case_open (&at);
  check_totals (&at);
  ask_windows (at.history, at.model, LC_TIMELINE_MEASURED, random, 150);
  case_clear (&at);
}

/* The connection of somebody else, as an extension has it, on which visitors ask for more. */
static void
test_borrowed (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (6);
  g_autoptr (GError) error = NULL;
  LcDatabase *database;
  LcHistory *history;
  Cancelling state = {NULL, NULL, 0};
  Case at;

  case_init (&at, 10, 5, 4000);
  database = lc_database_open (lc_history_get_path (at.history), &error);
  g_assert_no_error (error);
  history = lc_history_new_for_database (database, &error);
  g_assert_no_error (error);
  ask_events (history, at.model, LC_TIMELINE_MEASURED, random, 20);
  ask_windows (history, at.model, LC_TIMELINE_MEASURED, random, 20);
  state = (Cancelling){history, NULL, 0};
  g_assert_true (
      lc_history_visit (history, LC_TIMELINE_MEASURED, 0, 0, G_MAXUINT64, ask_while_visiting, &state, NULL, &error));
  g_assert_cmpuint (state.visited, ==, at.model->events[0]->len);
  lc_history_free (history);
  lc_database_close (database);
  case_clear (&at);
}

static gpointer
ask_in_thread (gpointer data)
{
  static int seed;
  const Case *at = data;
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32)g_atomic_int_add (&seed, 1));

  ask_events (at->history, at->model, LC_TIMELINE_MEASURED, random, 15);
  ask_windows (at->history, at->model, LC_TIMELINE_MEASURED, random, 15);
  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[12];
  Case at;

  case_init (&at, 7, 6, 4000);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("asks", ask_in_thread, &at);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  case_clear (&at);
}

static void
expect_cancelled (GError **error)
{
  g_assert_error (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (error);
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const LcWindow window = {.to = G_MAXUINT64};
  GArray *found = NULL;
  Cancelling state;
  Case at;

  case_init (&at, 11, 2, 6000);
  state = (Cancelling){at.history, cancellable, 0};
  g_assert_false (lc_history_visit (at.history, LC_TIMELINE_MEASURED, 0, 0, G_MAXUINT64, ask_while_visiting, &state,
                                    cancellable, &error));
  expect_cancelled (&error);
  g_assert_cmpuint (state.visited, ==, 512);
  g_assert_null (lc_history_query_window (at.history, &window, 100, 0, cancellable, &error));
  expect_cancelled (&error);
  g_assert_false (lc_history_list_holding (at.history, &window, 100, cancellable, &found, &error));
  expect_cancelled (&error);
  g_assert_false (lc_history_list_longest_arcs (at.history, &window, 60, cancellable, &found, &error));
  expect_cancelled (&error);
  g_assert_false (lc_history_find_by_key (at.history, 0, 0, 1, 100, cancellable, &found, &error));
  expect_cancelled (&error);
  case_clear (&at);
}

static void
expect_open_error (const char *path, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_history_open (path, &error));
  g_assert_error (error, LC_HISTORY_ERROR, code);
  g_assert_true (g_str_has_prefix (error->message, path));
}

static void
test_open (void)
{
  g_autofree char *directory = g_dir_make_tmp ("lightcone-history-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "history.lightcone", NULL);
  g_autofree char *noise = g_malloc (5000);

  expect_open_error (path, LC_HISTORY_ERROR_NONE);
  memset (noise, 'x', 5000);
  g_assert_true (g_file_set_contents (path, noise, 5000, NULL));
  expect_open_error (path, LC_HISTORY_ERROR_DAMAGED);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  expect_open_error (path, LC_HISTORY_ERROR_VERSION);
  g_unlink (path);
  g_rmdir (directory);
}

/* Bytes of the file are changed, some at a time; each time all is asked. */
static void
test_damage (void)
{
  g_autofree char *bytes = NULL, *path = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  Model *own;
  gsize size;
  Case at;

  case_init (&at, 4, 3, 2500);
  own = model_new (at.directory);
  model_redecide (own, random);
  g_assert_true (add_timeline (lc_history_get_path (at.history), at.directory, at.model, "same", NULL, NULL) &&
                 add_own_timeline (lc_history_get_path (at.history), at.directory, own, "own", NULL, NULL));
  model_free (own);
  path = g_strconcat (lc_history_get_path (at.history), ".damaged", NULL);
  g_assert_true (g_file_get_contents (lc_history_get_path (at.history), &bytes, &size, NULL));
  for (guint round = 0; round < random_trials (200); round++)
    {
      g_autofree char *damaged = g_memdup2 (bytes, size);
      gsize left = round % 10 == 0 ? (gsize)g_rand_int_range (random, 1, (gint32)size) : size;
      LcHistory *history;

      for (guint i = 0; i < 1u << (round % 6); i++)
        damaged[g_rand_int_range (random, round % 2 == 0 ? 0 : 100, (gint32)size)] ^=
            (char)(1 << g_rand_int_range (random, 0, 8));
      g_assert_true (g_file_set_contents (path, damaged, (gssize)left, NULL));
      history = lc_history_open (path, NULL);
      if (history != NULL)
        {
          ask_anything (history, random, 12);
          ask_damaged (history, at.model, random, 40);
        }
      lc_history_free (history);
    }
  g_unlink (path);
  case_clear (&at);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/open", test_open);
  g_test_add_func ("/history/small", test_small);
  g_test_add_func ("/history/long", test_long);
  g_test_add_func ("/history/wide", test_wide);
  g_test_add_func ("/history/long-spans", test_long_spans);
  g_test_add_func ("/history/borrowed", test_borrowed);
  g_test_add_func ("/history/timelines", test_timelines);
  g_test_add_func ("/history/threads", test_threads);
  g_test_add_func ("/history/cancel", test_cancel);
  g_test_add_func ("/history/damage", test_damage);
  return g_test_run ();
}
