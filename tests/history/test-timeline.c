/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines that are added to histories: every question against the model that they were written from. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "add-timeline.h"
#include "case.h"
#include "history/database.h"
#include "history/store.h"
#include "history/tables.h"
#include "questions.h"
#include "random-trials.h"

static const char *program;

static Model *
moved_model (const Case *at, guint times)
{
  Model *model = model_new (at->directory);

  for (guint i = 0; i < times; i++)
    model_move (model);
  return model;
}

static Model *
own_model (const Case *at, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  Model *model = model_new (at->directory);

  model_redecide (model, random);
  return model;
}

static guint32
add (const Case *at, const Model *model, const char *name, gboolean own)
{
  const char *path = lc_history_get_path (at->history);
  g_autoptr (GError) error = NULL;
  guint32 number = 0, found;

  if (own)
    add_own_timeline (path, at->directory, model, name, &number, &error);
  else
    add_timeline (path, at->directory, model, name, &number, &error);
  g_assert_no_error (error);
  g_assert_true (lc_history_find_timeline (at->history, name, &found, &error));
  g_assert_cmpuint (found, ==, number);
  return number;
}

static void
ask (LcHistory *history, const Model *model, guint32 timeline, guint32 seed, guint some)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  ask_events (history, model, timeline, random, some);
  ask_windows (history, model, timeline, random, some);
}

/* --- What is written is read ----------------------------------------------------------------------------------- */

static void
test_moved (void)
{
  for (guint32 seed = 1; seed <= random_trials (20); seed++)
    {
      Case at;
      Model *moved;

      case_init (&at, seed, 1 + seed % 7, seed % 5 == 0 ? 3000 : seed * 7);
      moved = moved_model (&at, 1 + seed % 2);
      ask (at.history, moved, add (&at, moved, "moved", FALSE), seed, 30);
      ask (at.history, at.model, LC_TIMELINE_MEASURED, seed, 10);
      model_free (moved);
      case_clear (&at);
    }
}

static void
test_own (void)
{
  for (guint32 seed = 1; seed <= random_trials (20); seed++)
    {
      Case at;
      Model *own, *moved;
      guint32 number;

      case_init (&at, seed, 1 + seed % 7, seed % 5 == 0 ? 3000 : seed * 7);
      own = own_model (&at, seed);
      moved = moved_model (&at, 1);
      number = add (&at, own, "own", TRUE);
      ask (at.history, own, number, seed, 30);
      ask (at.history, moved, add (&at, moved, "moved", FALSE), seed, 10);
      ask (at.history, own, number, seed, 10);
      ask (at.history, at.model, LC_TIMELINE_MEASURED, seed, 10);
      model_free (own);
      model_free (moved);
      case_clear (&at);
    }
}

/* Process 0 has many events, and each other one waits for one of them. */
static void
write_wide (Case *at)
{
  g_autoptr (GString) first = g_string_new ("%lightcone-events 1\n");

  at->directory = g_dir_make_tmp ("lightcone-history-XXXXXX", NULL);
  for (guint i = 1; i < at->n_processes; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%u.events", at->directory, i);
      g_autofree char *text = g_strdup_printf ("%%lightcone-events 1\n%u %u tag value=%u\n%u %u await a %u\n", i, i + 3,
                                               i, i + 5, 10 * i + 20, i);

      g_assert_true (g_file_set_contents (path, text, -1, NULL));
      g_string_append_printf (first, "%u %u advance a %u\n", 10 * i, 10 * i + 5, i);
    }
  g_autofree char *path = g_build_filename (at->directory, "0.events", NULL);
  g_assert_true (g_file_set_contents (path, first->str, -1, NULL));
}

/* So many that their events are packed until there are enough of them. */
static void
test_wide (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (8);
  Case at = {.n_processes = 1200};
  Model *own, *moved;

  write_wide (&at);
  case_open (&at);
  own = own_model (&at, 8);
  moved = moved_model (&at, 1);
  ask_events (at.history, moved, add (&at, moved, "moved", FALSE), random, 100);
  ask_events (at.history, own, add (&at, own, "own", TRUE), random, 100);
  model_free (own);
  model_free (moved);
  case_clear (&at);
}

/* --- Several ---------------------------------------------------------------------------------------------------- */

static void
check_list (const Case *at, const char *names)
{
  g_autoptr (GString) all = g_string_new (NULL);
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (at->history, NULL);

  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];

      g_string_append_printf (all, "%s%u %s%s", i > 0 ? ", " : "", timeline->id, timeline->name,
                              timeline->own ? " own" : "");
      g_assert_cmpstr (timeline->model, ==, i == 0 ? NULL : "moved");
      g_assert_cmpstr (timeline->parameters, ==, i == 0 ? NULL : "{\"by\": 3}");
    }
  g_assert_cmpstr (all->str, ==, names);
}

/* The numbers that are free are used again, and what is replaced leaves nothing. */
static void
test_several (void)
{
  g_autoptr (GError) error = NULL;
  Model *models[4], *own;
  const char *path;
  Case at;

  case_init (&at, 5, 4, 3000);
  path = lc_history_get_path (at.history);
  own = own_model (&at, 1);
  for (guint i = 0; i < 4; i++)
    models[i] = moved_model (&at, i + 1);
  add (&at, models[0], "a", FALSE);
  add (&at, own, "b", TRUE);
  add (&at, models[1], "c", FALSE);
  check_list (&at, "0 measured, 1 a, 2 b own, 3 c");
  ask (at.history, models[0], 1, 1, 20);
  ask (at.history, own, 2, 2, 20);
  ask (at.history, models[1], 3, 3, 20);
  g_assert_cmpuint (add (&at, models[2], "b", FALSE), ==, 2);
  check_list (&at, "0 measured, 1 a, 2 b, 3 c");
  ask (at.history, models[2], 2, 4, 20);
  g_assert_true (lc_timeline_remove (path, "a", &error));
  check_list (&at, "0 measured, 2 b, 3 c");
  g_assert_cmpuint (add (&at, own, "d", TRUE), ==, 1);
  ask (at.history, own, 1, 5, 20);
  ask (at.history, models[2], 2, 6, 20);
  g_assert_cmpuint (add (&at, models[3], "e", FALSE), ==, 4);
  ask (at.history, models[3], 4, 7, 20);
  ask (at.history, at.model, LC_TIMELINE_MEASURED, 8, 20);
  g_assert_false (lc_timeline_remove (path, "a", &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
  g_clear_error (&error);
  g_assert_false (lc_timeline_remove (path, "measured", &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
  for (guint i = 0; i < 4; i++)
    model_free (models[i]);
  model_free (own);
  case_clear (&at);
}

/* Meanwhile others replace a timeline, take one away, and give its number to another. */
static void
test_snapshot (void)
{
  LcHistory *snapshot, *later;
  Model *models[3], *own;
  guint32 found;
  Case at;

  case_init (&at, 5, 4, 3000);
  own = own_model (&at, 1);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    models[i] = moved_model (&at, i + 1);
  add (&at, models[0], "a", FALSE);
  add (&at, own, "b", TRUE);
  snapshot = lc_history_take_snapshot (at.history);
  ask (snapshot, models[0], 1, 1, 20);
  add (&at, models[1], "a", FALSE);
  g_assert_true (lc_timeline_remove (lc_history_get_path (at.history), "b", NULL));
  g_assert_cmpuint (add (&at, models[2], "c", FALSE), ==, 2);
  for (guint i = 0; i < 3; i++)
    {
      ask (at.history, models[1], 1, i, 10);
      ask (snapshot, models[0], 1, i, 10);
      ask (snapshot, own, 2, i, 10);
      ask (at.history, models[2], 2, i, 10);
      ask (snapshot, at.model, LC_TIMELINE_MEASURED, i, 10);
    }
  g_assert_true (lc_history_find_timeline (snapshot, "b", &found, NULL));
  g_assert_false (lc_history_find_timeline (snapshot, "c", &found, NULL));
  later = lc_history_take_snapshot (snapshot);
  lc_history_free (snapshot);
  case_clear (&at);
  ask (later, own, 2, 1, 10);
  ask (later, models[0], 1, 1, 10);
  lc_history_free (later);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    model_free (models[i]);
  model_free (own);
}

/* A history that stays is asked to go on by the program itself. */
static void
test_stay (void)
{
  Model *models[2];
  guint32 found;
  Case at;

  case_init (&at, 6, 3, 1000);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    models[i] = moved_model (&at, i + 1);
  add (&at, models[0], "a", FALSE);
  lc_history_stay (at.history);
  g_assert_true (add_timeline (lc_history_get_path (at.history), at.directory, models[1], "a", NULL, NULL));
  g_assert_true (add_timeline (lc_history_get_path (at.history), at.directory, models[1], "b", NULL, NULL));
  ask (at.history, models[0], 1, 1, 20);
  g_assert_false (lc_history_find_timeline (at.history, "b", &found, NULL));
  g_assert_true (lc_history_go_on (at.history));
  g_assert_false (lc_history_go_on (at.history));
  ask (at.history, models[1], 1, 2, 20);
  g_assert_true (lc_history_find_timeline (at.history, "b", &found, NULL));
  g_assert_true (lc_timeline_remove (lc_history_get_path (at.history), "b", NULL));
  ask (at.history, models[1], found, 3, 20);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    model_free (models[i]);
  case_clear (&at);
}

static LcDatabase *
open_writable (const char *path)
{
  g_autoptr (GError) error = NULL;
  int fd = g_open (path, O_RDWR | O_CLOEXEC, 0);
  LcDatabase *database = lc_database_open_writable (fd, path, &error);

  g_assert_no_error (error);
  close (fd);
  return database;
}

/* Its file was changed where it is, which nobody but a test does. */
static void
open_again (Case *at)
{
  g_autofree char *path = g_strdup (lc_history_get_path (at->history));

  lc_history_free (at->history);
  at->history = lc_history_open (path, NULL);
  g_assert_nonnull (at->history);
}

static guint64
count_rows (const char *path)
{
  static const char *const tables[] = {"block",   "block_index",   "posting",      "posting_index",   "origin",
                                       "summary", "summary_index", "longest_arcs", "operation_total", "origin_index"};
  LcDatabase *database = lc_database_open (path, NULL);
  guint64 rows = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autofree char *sql = g_strdup_printf ("SELECT count(*) FROM %s", tables[i]);
      LcStatement *statement = lc_database_prepare (database, sql, NULL, NULL);

      g_assert_cmpint (lc_statement_step (statement, NULL), ==, LC_STEP_ROW);
      rows += (guint64)lc_statement_int (statement, 0);
      lc_statement_free (statement);
    }
  lc_database_close (database);
  return rows;
}

static void
test_remove (void)
{
  Case at;
  Model *own;
  guint64 rows;

  case_init (&at, 6, 3, 2000);
  rows = count_rows (lc_history_get_path (at.history));
  own = own_model (&at, 1);
  add (&at, own, "own", TRUE);
  add (&at, at.model, "same", FALSE);
  g_assert_cmpuint (count_rows (lc_history_get_path (at.history)), >, rows);
  g_assert_true (lc_timeline_remove (lc_history_get_path (at.history), "own", NULL));
  g_assert_true (lc_timeline_remove (lc_history_get_path (at.history), "same", NULL));
  g_assert_cmpuint (count_rows (lc_history_get_path (at.history)), ==, rows);
  model_free (own);
  case_clear (&at);
}

/* There is room for 255. */
static void
test_full (void)
{
  g_autoptr (GError) error = NULL;
  LcDatabase *database;
  Case at;

  case_init (&at, 2, 1, 3);
  database = open_writable (lc_history_get_path (at.history));
  g_assert_true (lc_database_run (database, "BEGIN", &error));
  for (guint i = 1; i < LC_TIMELINES - 1; i++)
    {
      g_autofree char *sql =
          g_strdup_printf ("INSERT INTO timeline (id, name, own) VALUES (%u, 'timeline %u', 1)", i, i);

      g_assert_true (lc_database_run (database, sql, &error));
    }
  g_assert_true (lc_database_commit (database, &error));
  lc_database_close (database);
  open_again (&at);
  g_assert_cmpuint (add (&at, at.model, "last", FALSE), ==, LC_TIMELINES - 1);
  ask (at.history, at.model, LC_TIMELINES - 1, 1, 5);
  g_assert_false (add_timeline (lc_history_get_path (at.history), at.directory, at.model, "one more", NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  g_assert_cmpuint (add (&at, at.model, "timeline 100", FALSE), ==, 100);
  case_clear (&at);
}

/* --- SQL -------------------------------------------------------------------------------------------------------- */

static LcStatement *
prepare (LcDatabase *database, const char *sql)
{
  g_autoptr (GError) error = NULL;
  LcStatement *statement = lc_database_prepare (database, sql, NULL, &error);

  g_assert_no_error (error);
  return statement;
}

static void
check_sql_event (LcStatement *statement, const LcHistoryEvent *event)
{
  g_assert_cmpint (lc_statement_step (statement, NULL), ==, LC_STEP_ROW);
  g_assert_cmpint (lc_statement_int (statement, 0), ==, event->process);
  g_assert_cmpint (lc_statement_int (statement, 1), ==, event->ordinal);
  g_assert_cmpint (lc_statement_int (statement, 2), ==, event->begin);
  g_assert_cmpint (lc_statement_int (statement, 3), ==, event->end);
  g_assert_cmpint (lc_statement_int (statement, 4), ==, event->waited);
  g_assert_cmpint (lc_statement_int (statement, 5), ==, event->removed);
  g_assert_cmpint (lc_statement_int (statement, 6), ==, event->gained);
  g_assert_cmpint (lc_statement_int (statement, 7), ==, (event->flags & LC_HISTORY_EVENT_REORDERED) != 0);
  g_assert_cmpint (lc_statement_int (statement, 8), ==, event->origin_process);
  g_assert_cmpint (lc_statement_int (statement, 9), ==, event->origin_ordinal);
  g_assert_cmpint (lc_statement_int (statement, 10), ==, event->layer);
  g_assert_cmpint (lc_statement_int (statement, 11), ==, event->sequence);
}

#define COLUMNS \
  "SELECT process, ordinal, begin, \"end\", waited, removed, gained, reordered, origin_process, origin_ordinal," \
  " layer, sequence FROM event WHERE timeline = "

/* All events, and those of each object, which are found in another way. */
static void
check_sql_events (LcDatabase *database, const Model *model, const char *name)
{
  g_autofree char *all = g_strdup_printf (COLUMNS "'%s' ORDER BY process, ordinal", name);
  g_autofree char *of_object = g_strdup_printf (COLUMNS "'%s' AND object = ?1 ORDER BY process, ordinal", name);
  LcStatement *statement = prepare (database, all);

  for (guint32 i = 0; i < model->n_processes; i++)
    for (guint j = 0; j < model->events[i]->len; j++)
      check_sql_event (statement, &model_event (model, i, j)->event);
  g_assert_cmpint (lc_statement_step (statement, NULL), ==, LC_STEP_DONE);
  lc_statement_free (statement);
  statement = prepare (database, of_object);
  for (guint32 object = 0; object < 4; object++)
    {
      lc_statement_bind_int (statement, 1, object);
      for (guint32 i = 0; i < model->n_processes; i++)
        for (guint j = 0; j < model->events[i]->len; j++)
          if (model_event (model, i, j)->event.object == object)
            check_sql_event (statement, &model_event (model, i, j)->event);
      g_assert_cmpint (lc_statement_step (statement, NULL), ==, LC_STEP_DONE);
      lc_statement_reset (statement);
    }
  lc_statement_free (statement);
}

static gint64
get_number (LcDatabase *database, const char *sql, const char *name)
{
  LcStatement *statement = prepare (database, sql);
  gint64 number;

  lc_statement_bind_text (statement, 1, name);
  g_assert_cmpint (lc_statement_step (statement, NULL), ==, LC_STEP_ROW);
  number = lc_statement_int (statement, 0);
  lc_statement_free (statement);
  return number;
}

static void
check_sql_spans (LcDatabase *database, const Model *model, const char *name)
{
  gint64 held = 0;
  guint spans = 0;

  for (guint32 i = 0; i < model->n_processes; i++)
    {
      for (guint j = 0; j < model->spans[i]->len; j++)
        {
          const LcHoldingSpan *span = &g_array_index (model->spans[i], LcHoldingSpan, j);

          held += span->end_ordinal != G_MAXUINT64 ? (gint64)span->end - (gint64)span->begin : 0;
        }
      spans += model->spans[i]->len;
    }
  g_assert_cmpint (get_number (database, "SELECT count(*) FROM span WHERE timeline = ?1", name), ==, spans);
  g_assert_cmpint (get_number (database, "SELECT total (\"end\" - begin) FROM span WHERE timeline = ?1", name), ==,
                   held);
}

static void
check_sql (LcDatabase *database, const Model *model, const char *name)
{
  gint64 arcs = 0, waited = 0;

  check_sql_events (database, model, name);
  for (guint i = 0; i < model->arcs->len; i++)
    {
      const LcHistoryArc *arc = &g_array_index (model->arcs, LcHistoryArc, i);

      arcs += (gint64)arc->to_time - (gint64)arc->from_time;
    }
  for (guint32 i = 0; i < model->n_processes; i++)
    for (guint j = 0; j < model->events[i]->len; j++)
      waited += (gint64)model_event (model, i, j)->event.waited;
  g_assert_cmpint (get_number (database, "SELECT count(*) FROM arc WHERE timeline = ?1", name), ==, model->arcs->len);
  g_assert_cmpint (get_number (database, "SELECT total (to_time - from_time) FROM arc WHERE timeline = ?1", name), ==,
                   arcs);
  g_assert_cmpint (get_number (database,
                               "SELECT total (waited) FROM operation_total WHERE timeline ="
                               " (SELECT id FROM timeline WHERE name = ?1)",
                               name),
                   ==, waited);
}

static void
test_sql (void)
{
  g_autoptr (GError) error = NULL;
  LcDatabase *database;
  Case at;
  Model *own, *moved;

  case_init (&at, 7, 5, 2500);
  own = own_model (&at, 3);
  moved = moved_model (&at, 2);
  add (&at, own, "own", TRUE);
  add (&at, moved, "moved", FALSE);
  database = lc_database_open (lc_history_get_path (at.history), &error);
  g_assert_no_error (error);
  g_assert_true (lc_tables_add (database, &error));
  check_sql (database, at.model, "measured");
  check_sql (database, own, "own");
  check_sql (database, moved, "moved");
  check_sql_spans (database, at.model, "measured");
  check_sql_spans (database, moved, "moved");
  g_assert_cmpint (
      get_number (database, "SELECT count(*) FROM event WHERE object = 1 AND timeline > ?1", ""), ==,
      3 * get_number (database, "SELECT count(*) FROM event WHERE object = 1 AND timeline = ?1", "measured"));
  lc_database_close (database);
  model_free (own);
  model_free (moved);
  case_clear (&at);
}

/* --- All or nothing --------------------------------------------------------------------------------------------- */

static void
test_cancel (void)
{
  const LcTimelineDescription description = {"never", NULL, NULL, FALSE};
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr (LcRules) rules = lc_rules_new ();
  gsize size, size_after;
  LcTrace *trace;
  Case at;

  case_init (&at, 3, 4, 3000);
  trace = lc_trace_open (at.directory, NULL);
  g_assert_true (g_file_get_contents (lc_history_get_path (at.history), &before, &size, NULL));
  for (guint round = 0; round < 3; round++)
    {
      LcTimelineWriter *writer =
          lc_timeline_writer_new (lc_history_get_path (at.history), trace, rules, &description, NULL);
      const LcTraceEvent traced = {.object = LC_TRACE_NONE, .peer = LC_TRACE_NONE, .stack = LC_TRACE_NONE};
      LcTimelineEvent event = {0};
      LcSweepStep step = {.event = &traced};

      for (guint i = 0; i < round * 2000; i++)
        {
          step.ordinal = i;
          event.end = event.begin = i * 10;
          lc_timeline_writer_add (writer, &step, &event);
        }
      g_assert_true (lc_timeline_writer_can_write (writer));
      lc_timeline_writer_free (writer);
    }
  g_assert_true (g_file_get_contents (lc_history_get_path (at.history), &after, &size_after, NULL));
  g_assert_cmpmem (before, size, after, size_after);
  lc_trace_free (trace);
  case_clear (&at);
}

static void
expect_old (const Case *at, GError **error)
{
  guint32 number;

  g_assert_false (add_timeline (lc_history_get_path (at->history), at->directory, at->model, "x", &number, error));
  g_assert_error (*error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_OLD);
  g_assert_true (g_str_has_prefix ((*error)->message, lc_history_get_path (at->history)));
  g_clear_error (error);
}

/* The history is made again of another run while a timeline is being written, or was made otherwise. */
static void
test_old (void)
{
  const LcTimelineDescription description = {"late", NULL, NULL, TRUE};
  const LcMergeOptions again = {.again = TRUE};
  const char *const another = "%lightcone-events 1\n0 1 tag value=1\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autofree char *file = NULL;
  LcTimelineWriter *writer;
  LcMergeResult result;
  LcTrace *trace;
  Case at;

  case_init (&at, 3, 2, 500);
  trace = lc_trace_open (at.directory, NULL);
  writer = lc_timeline_writer_new (lc_history_get_path (at.history), trace, rules, &description, &error);
  g_assert_no_error (error);
  file = g_build_filename (at.directory, "0.events", NULL);
  g_assert_true (g_file_set_contents (file, another, -1, NULL));
  g_assert_true (lc_merge (at.directory, &again, &result, &error));
  g_assert_false (lc_timeline_writer_commit (writer, NULL, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_OLD);
  g_clear_error (&error);
  lc_timeline_writer_free (writer);
  lc_trace_free (trace);
  g_free (file);
  file = g_build_filename (at.directory, "1.events", NULL);
  g_assert_true (g_file_set_contents (file, another, -1, NULL));
  expect_old (&at, &error);
  case_clear (&at);
}

static void
test_names (void)
{
  static const char *const names[] = {"measured", ""};
  Case at;

  case_init (&at, 1, 1, 10);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (add_timeline (lc_history_get_path (at.history), at.directory, at.model, names[i], NULL, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
    }
  check_list (&at, "0 measured");
  case_clear (&at);
}

/* A merge asks for the time stamp of a history: it must not tell when a timeline was added. */
static void
test_stamp (void)
{
  const LcMergeOptions options = {0};
  GStatBuf before, after;
  LcMergeResult result;
  Case at;

  case_init (&at, 1, 2, 100);
  g_assert_cmpint (g_stat (lc_history_get_path (at.history), &before), ==, 0);
  g_usleep (20000);
  add (&at, at.model, "same", FALSE);
  g_assert_cmpint (g_stat (lc_history_get_path (at.history), &after), ==, 0);
  g_assert_cmpint (after.st_mtim.tv_sec, ==, before.st_mtim.tv_sec);
  g_assert_cmpint (after.st_mtim.tv_nsec, ==, before.st_mtim.tv_nsec);
  g_assert_true (lc_merge (at.directory, &options, &result, NULL));
  g_assert_false (result.made);
  case_clear (&at);
}

/* --- Others ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  const Case *at;
  gint stop;
  guint rounds;
} Reading;

static gpointer
read_meanwhile (gpointer data)
{
  Reading *reading = data;

  for (; !g_atomic_int_get (&reading->stop); reading->rounds++)
    ask (reading->at->history, reading->at->model, LC_TIMELINE_MEASURED, reading->rounds, 1);
  return NULL;
}

static void
test_readers (void)
{
  Reading reading = {.stop = FALSE};
  GThread *thread;
  Model *moved;
  Case at;

  case_init (&at, 4, 4, 3000);
  moved = moved_model (&at, 1);
  reading.at = &at;
  thread = g_thread_new ("reads", read_meanwhile, &reading);
  for (guint i = 0; i < 10; i++)
    add (&at, moved, i % 2 == 0 ? "even" : "odd", FALSE);
  g_atomic_int_set (&reading.stop, TRUE);
  g_thread_join (thread);
  g_assert_cmpuint (reading.rounds, >, 0);
  ask (at.history, moved, 2, 1, 20);
  model_free (moved);
  case_clear (&at);
}

static gpointer
unlock_soon (gpointer data)
{
  g_usleep (G_USEC_PER_SEC / 2);
  lc_history_file_unref (data);
  return NULL;
}

/* Somebody else is adding to it, or making it again: for a moment, or for too long. */
static void
test_busy (void)
{
  g_autoptr (GError) error = NULL;
  LcHistoryFile *other;
  GThread *thread;
  Case at;

  case_init (&at, 4, 2, 200);
  other = lc_history_file_lock (lc_history_get_path (at.history), 0, &error);
  g_assert_no_error (error);
  thread = g_thread_new ("unlocks", unlock_soon, other);
  add (&at, at.model, "same", FALSE);
  g_thread_join (thread);
  if (g_test_slow ())
    {
      other = lc_history_file_lock (lc_history_get_path (at.history), 0, &error);
      g_assert_false (add_timeline (lc_history_get_path (at.history), at.directory, at.model, "late", NULL, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BUSY);
      g_assert_nonnull (strstr (error->message, "try again"));
      lc_history_file_unref (other);
    }
  check_list (&at, "0 measured, 1 same");
  case_clear (&at);
}

typedef struct
{
  const char *directory;
  gboolean stop;
  guint rounds;
} Merging;

static gpointer
merge_again (gpointer data)
{
  const LcMergeOptions options = {.again = TRUE};
  Merging *merging = data;

  while (!g_atomic_int_get (&merging->stop))
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (lc_merge (merging->directory, &options, NULL, &error));
      g_assert_no_error (error);
      merging->rounds++;
    }
  return NULL;
}

/* Somebody makes the history again meanwhile: of the same run, so that a timeline can be added to that, too. */
static void
test_made_again_meanwhile (void)
{
  g_autoptr (GError) error = NULL;
  Merging merging = {.stop = FALSE};
  GThread *thread;
  Case at;

  case_init (&at, 4, 2, 500);
  merging.directory = at.directory;
  thread = g_thread_new ("merges", merge_again, &merging);
  for (guint i = 0; i < 20; i++)
    {
      add_timeline (lc_history_get_path (at.history), at.directory, at.model, "same", NULL, &error);
      g_assert_no_error (error);
    }
  g_atomic_int_set (&merging.stop, TRUE);
  g_thread_join (thread);
  g_assert_cmpuint (merging.rounds, >, 0);
  case_clear (&at);
}

/* --- Killed ----------------------------------------------------------------------------------------------------- */

/* What is killed: adds a timeline, again and again, each time another one. */
static int
add_for_ever (const char *directory, const char *path)
{
  Model *models[3];

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      models[i] = model_new (directory);
      for (guint k = 0; k <= i; k++)
        model_move (models[i]);
    }
  for (guint i = 0;; i++)
    if (!add_timeline (path, directory, models[i % 3], i % 2 == 0 ? "one" : "two", NULL, NULL))
      return 1;
}

static guint
count_files (const char *directory, const char *prefix)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_prefix (name, prefix);
  return n;
}

/* `within`: while it copies the history. */
static void
kill_some_time (const Case *at, GRand *random, gboolean within)
{
  const char *path = lc_history_get_path (at->history);
  const char *arguments[] = {program, "--add-for-ever", at->directory, path, NULL};
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) child = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_NONE, &error);
  gint64 until = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;

  g_assert_no_error (error);
  g_usleep ((gulong)g_rand_int_range (random, 20000, 300000));
  while (within && count_files (at->directory, "history.lightcone.") < 2 && g_get_monotonic_time () < until)
    continue;
  g_subprocess_send_signal (child, SIGKILL);
  g_subprocess_wait (child, NULL, NULL);
  g_assert_true (g_subprocess_get_if_signaled (child));
}

/* Each timeline that is there is one of those that were written, from its first event to its last. */
static void
check_whole (LcHistory *history, Model *const *models, guint n_models, guint32 seed)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (history, NULL);

  for (guint i = 1; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];
      LcHistoryEvent event;
      guint which = 0;

      g_assert_true (lc_history_get_event (history, timeline->id, 0, 5, &event, NULL));
      while (which < n_models - 1 && model_event (models[which], 0, 5)->event.end != event.end)
        which++;
      ask (history, models[which], timeline->id, seed, 5);
    }
}

static void
test_killed (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  const LcMergeOptions options = {0};
  Model *models[3];
  LcMergeResult result;
  guint copies = 0;
  Case at;

  case_init (&at, 4, 3, 4000);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    models[i] = moved_model (&at, i + 1);
  for (guint round = 0; round < 20; round++)
    {
      g_autoptr (GError) error = NULL;
      LcHistory *opened;

      kill_some_time (&at, random, round % 2 == 0);
      copies += count_files (at.directory, "history.lightcone.") > 1;
      g_assert_cmpuint (count_files (at.directory, "history.lightcone-"), ==, 0);
      opened = lc_history_open (lc_history_get_path (at.history), &error);
      g_assert_no_error (error);
      check_whole (opened, models, G_N_ELEMENTS (models), round);
      check_whole (at.history, models, G_N_ELEMENTS (models), round);
      ask (at.history, at.model, LC_TIMELINE_MEASURED, round, 5);
      lc_history_free (opened);
      g_assert_true (lc_merge (at.directory, &options, &result, NULL));
      g_assert_false (result.made);
    }
  g_assert_cmpuint (copies, >, 0);
  add (&at, models[0], "one", FALSE); /* and takes away what the others have left */
  g_assert_cmpuint (count_files (at.directory, "history.lightcone."), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    model_free (models[i]);
  case_clear (&at);
}

int
main (int argc, char **argv)
{
  program = argv[0];
  if (argc == 4 && g_str_equal (argv[1], "--add-for-ever"))
    return add_for_ever (argv[2], argv[3]);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline/moved", test_moved);
  g_test_add_func ("/timeline/own", test_own);
  g_test_add_func ("/timeline/wide", test_wide);
  g_test_add_func ("/timeline/several", test_several);
  g_test_add_func ("/timeline/snapshot", test_snapshot);
  g_test_add_func ("/timeline/stay", test_stay);
  g_test_add_func ("/timeline/remove", test_remove);
  g_test_add_func ("/timeline/full", test_full);
  g_test_add_func ("/timeline/sql", test_sql);
  g_test_add_func ("/timeline/cancel", test_cancel);
  g_test_add_func ("/timeline/old", test_old);
  g_test_add_func ("/timeline/names", test_names);
  g_test_add_func ("/timeline/stamp", test_stamp);
  g_test_add_func ("/timeline/readers", test_readers);
  g_test_add_func ("/timeline/busy", test_busy);
  g_test_add_func ("/timeline/made again meanwhile", test_made_again_meanwhile);
  g_test_add_func ("/timeline/killed", test_killed);
  return g_test_run ();
}
