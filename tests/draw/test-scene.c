/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes of small executions that are known by heart, of very many processes, and of a million events. */
#include <string.h>

#include "../analysis/case.h"
#include "lightcone/groups.h"
#include "lightcone/scene.h"
#include "lightcone/statistics.h"
#include "maker.h"

/* b waits for the lock of a from 20 to 50. */
static const char *const handover[] = {"a", "0 10 lock queue 1\n50 60 unlock queue 1\n90 90 tag value=7\n", "b",
                                       "20 55 lock queue 2\n70 80 unlock queue 2\n", NULL};

static LcScene *
make (const Case *trial, const LcSceneQuery *query)
{
  g_autoptr (GError) error = NULL;
  LcScene *scene = lc_scene_new (trial->history, query, NULL, &error);

  g_assert_no_error (error);
  return scene;
}

static void
check_mark (const LcScene *scene, LcMarkKind kind, guint32 row, gsize i, guint64 from, guint64 to)
{
  gsize n;
  const LcMark *marks = lc_scene_get_marks_of (scene, kind, 0, row, &n);

  g_assert_cmpuint (i, <, n);
  g_assert_cmpuint (marks[i].from, ==, from);
  g_assert_cmpuint (marks[i].to, ==, to);
}

static void
check_text (const LcScene *scene, double row, double position, const char *expected)
{
  LcPick pick;
  g_autofree char *text = NULL;

  g_assert_true (lc_scene_pick (scene, row, position, 0.1, 1, &pick));
  text = lc_scene_dup_text (scene, &pick);
  g_assert_cmpstr (text, ==, expected);
}

/* --- By heart -------------------------------------------------------------------------------------------------- */

static void
test_physical (void)
{
  g_autoptr (Case) trial = case_new (handover, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) scene = NULL;
  LcSceneTotals totals;
  const LcSceneArc *arcs;
  gsize n;

  lc_scene_query_init (&query);
  scene = make (trial, &query);
  g_assert_false (lc_scene_is_summary (scene));
  g_assert_cmpuint (lc_scene_get_query (scene)->from, ==, 0);
  g_assert_cmpuint (lc_scene_get_query (scene)->to, ==, 90);
  check_mark (scene, LC_MARK_LIFE, 0, 0, 0, 90);
  check_mark (scene, LC_MARK_LIFE, 1, 0, 20, 80);
  check_mark (scene, LC_MARK_HOLDING, 0, 0, 10, 50);
  check_mark (scene, LC_MARK_HOLDING, 1, 0, 55, 70);
  check_mark (scene, LC_MARK_EVENT, 0, 1, 50, 60);
  check_mark (scene, LC_MARK_EVENT, 0, 2, 90, 90);
  check_mark (scene, LC_MARK_EVENT, 1, 0, 20, 55);
  arcs = lc_scene_get_arcs (scene, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (arcs[0].from, ==, 60);
  g_assert_cmpuint (arcs[0].to, ==, 55);
  lc_scene_get_totals (scene, &totals);
  g_assert_cmpuint (totals.events, ==, 5);
  g_assert_cmpuint (totals.running, ==, 90 + 25);
  g_assert_cmpuint (totals.waiting, ==, 35);
  g_assert_cmpuint (totals.holding, ==, 40 + 15);
}

static void
test_texts (void)
{
  g_autoptr (Case) trial = case_new (handover, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) scene = NULL, sums = NULL;

  lc_scene_query_init (&query);
  scene = make (trial, &query);
  check_text (scene, 1.5, 30,
              "lock of mutex queue, number 2\nb, event 0, layer 3\n20 ns to 55 ns (35 ns)\n"
              "waited 35 ns for the end of unlock of mutex queue, number 1 (a, event 1)");
  check_text (scene, 0.5, 90, "tag, value 7\na, event 2, layer 3\n90 ns to 90 ns (0 ns)");
  check_text (scene, 0.5, 30, "mutex queue is held\na\n10 ns to 50 ns (40 ns)");
  check_text (scene, 0.5, 75, "a\n3 events in all\n0 ns to 90 ns (90 ns)");
  query.breadth = 1;
  query.most_marks = 1;
  sums = make (trial, &query);
  check_text (sums, 0.5, 50,
              "5 events\n2 processes: a to b\n0 ns to 128 ns (128 ns)\nrunning 77%, waiting 23%, holding 37%\n"
              "the longest: lock of mutex queue, number 2, 35 ns");
}

static void
test_text_of_arc (void)
{
  static const char *const relay[] = {"a", "0 10 post s 1\n", "b", "20 20 tag value=1\n100 110 wait s 1\n", NULL};
  g_autoptr (Case) trial = case_new (relay, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) scene = NULL;

  lc_scene_query_init (&query);
  scene = make (trial, &query);
  check_text (scene, 1.0, 60,
              "data arc, 100 ns\nfrom the end of post of semaphore s, number 1 (a, event 0)\n"
              "to the end of wait of semaphore s, number 1 (b, event 1)");
}

static void
test_logical (void)
{
  static const char *const meeting[] = {
      "a", "0 30 barrier all 0\n40 40 tag value=1\n", "b", "20 31 barrier all 0\n", "c", "5 32 barrier all 0\n", NULL};
  g_autoptr (Case) trial = case_new (meeting, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) logical = NULL, physical = NULL;
  const LcSceneArc *arcs;
  gsize n;

  lc_scene_query_init (&query);
  physical = make (trial, &query);
  arcs = lc_scene_get_arcs (physical, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (arcs[0].kind, ==, LC_SCENE_ARC_GROUP);
  g_assert_cmpuint (arcs[0].from, ==, 20);
  g_assert_cmpuint (arcs[0].from_row, ==, 0);
  g_assert_cmpuint (arcs[0].to_row, ==, 2);
  check_text (physical, 2.0, 20.5,
              "barrier all, number 0\nc, event 0, layer 1\n5 ns to 32 ns (27 ns)\n"
              "waited 15 ns for the begin of barrier all, number 0 (b, event 0)\nwoken 12 ns before it went on");
  query.selection.time = LC_SCENE_LOGICAL;
  logical = make (trial, &query);
  g_assert_cmpuint (lc_scene_get_query (logical)->from, ==, 1);
  g_assert_cmpuint (lc_scene_get_query (logical)->to, ==, 3);
  for (guint32 row = 0; row < 3; row++)
    check_mark (logical, LC_MARK_EVENT, row, 0, 1, 1);
  check_mark (logical, LC_MARK_EVENT, 0, 1, 2, 2);
  check_text (logical, 0.5, 2.4, "tag, value 1\na, event 1, layer 2\n40 ns to 40 ns (0 ns)");
}

/* Of the process whose operations are chosen: the layers between which it holds, in pairs, up to 0. */
static void
check_held (const Case *trial, const enum lc_operation *chosen, const guint64 *expected)
{
  g_autofree gboolean *operations = g_new0 (gboolean, lc_history_get_n_operations (trial->history));
  LcSceneQuery query;
  g_autoptr (LcScene) scene = NULL;
  gsize n, n_expected = 0;

  for (; *chosen != 0; chosen++)
    operations[*chosen] = TRUE;
  lc_scene_query_init (&query);
  query.selection.time = LC_SCENE_LOGICAL;
  query.selection.filters.operations = operations;
  scene = make (trial, &query);
  for (; expected[2 * n_expected] != 0; n_expected++)
    check_mark (scene, LC_MARK_HOLDING, 0, n_expected, expected[2 * n_expected], expected[2 * n_expected + 1]);
  lc_scene_get_marks_of (scene, LC_MARK_HOLDING, 0, 0, &n);
  g_assert_cmpuint (n, ==, n_expected);
}

/* In layers, what is held lies between those events of it that are shown, whatever filters leave out before them. */
static void
test_held_between_what_is_shown (void)
{
  static const char *const files[] = {"a",
                                      "0 0 tag value=1\n10 20 lock queue 1\n30 30 tag value=2\n40 40 tag value=3\n"
                                      "50 60 unlock queue 1\n70 80 lock queue 2\n90 95 unlock queue 2\n"
                                      "99 99 tag value=4\n",
                                      NULL};
  g_autoptr (Case) trial = case_new (files, NULL);

  check_held (trial, (enum lc_operation[]){LC_LOCK, LC_UNLOCK, LC_TAG, 0}, (guint64[]){2, 5, 6, 7, 0});
  check_held (trial, (enum lc_operation[]){LC_LOCK, LC_UNLOCK, 0}, (guint64[]){2, 5, 6, 7, 0});
  /* Half of each is hidden: */
  check_held (trial, (enum lc_operation[]){LC_UNLOCK, 0}, (guint64[]){5, 5, 7, 7, 0});
  check_held (trial, (enum lc_operation[]){LC_LOCK, LC_TAG, 0}, (guint64[]){2, 4, 6, 6, 0});
  /* Nothing is left of the second: */
  check_held (trial, (enum lc_operation[]){LC_TAG, 0}, (guint64[]){3, 4, 0});
}

/* Two layers of phase 1, then one of phase 2, whenever they were. */
static void
test_phases (void)
{
  static const char *const rounds[] = {"a", "0 0 tag value=1\n10 20 post s 1\n30 30 tag value=2\n", "b",
                                       "5 5 tag value=1\n6 22 wait s 1\n25 25 tag value=2\n", NULL};
  g_autoptr (Case) trial = case_new (rounds, NULL);
  g_autoptr (LcPhases) phases = lc_phases_find (trial->history, LC_TIMELINE_MEASURED, "tag", NULL, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) scene = NULL, summary = NULL, second = NULL;
  LcSceneTotals totals, sums;
  gsize n, n_second;

  g_assert_nonnull (phases);
  lc_scene_query_init (&query);
  query.selection.time = LC_SCENE_PHASE;
  query.phases = phases;
  scene = make (trial, &query);
  g_assert_cmpuint (lc_scene_get_query (scene)->to, ==, lc_phases_get_n_positions (phases));
  for (guint32 row = 0; row < 2; row++)
    {
      const LcMark *marks = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, row, &n);

      g_assert_cmpuint (n, ==, 3);
      for (gsize i = 0; i < n; i++)
        {
          LcHistoryEvent event;

          g_assert_true (lc_history_get_event (trial->history, LC_TIMELINE_MEASURED, row, i, &event, NULL));
          g_assert_cmpuint (marks[i].from, ==,
                            lc_phases_get_position (phases, lc_phases_of (phases, row, i), event.layer));
        }
    }
  query.most_marks = 4;
  summary = make (trial, &query);
  g_assert_true (lc_scene_is_summary (summary));
  lc_scene_get_totals (scene, &totals);
  lc_scene_get_totals (summary, &sums);
  g_assert_cmpmem (&totals, sizeof totals, &sums, sizeof sums);
  g_assert_cmpuint (totals.events, ==, 6);
  query.most_marks = 0;
  query.from = lc_phases_get (phases, lc_phases_get_n (phases) - 1)->position;
  query.to = lc_phases_get_n_positions (phases);
  second = make (trial, &query);
  lc_scene_get_marks_of (second, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n_second);
  g_assert_cmpuint (n_second, ==, 2);
}

static void
test_cone (void)
{
  g_autoptr (Case) trial = case_new (handover, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) scene = NULL;
  const LcMark *marks;
  gsize n;

  lc_scene_query_init (&query);
  query.selection.highlight = (LcHighlight){LC_HIGHLIGHT_PAST, 1, 0};
  scene = make (trial, &query);
  marks = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpint (marks[0].flags, ==, LC_MARK_IN_PAST);
  g_assert_cmpint (marks[1].flags, ==, LC_MARK_IN_PAST);
  g_assert_cmpint (marks[2].flags, ==, LC_MARK_DIM);
  g_assert_cmpint (marks[3].flags, ==, LC_MARK_IN_PAST | LC_MARK_CHOSEN);
  g_assert_cmpint (marks[4].flags, ==, LC_MARK_DIM);
}

/* From a's post to b's wait, and on to b's end. */
static void
test_path (void)
{
  static const char *const relay[] = {"a", "0 10 post s 1\n", "b", "2 12 wait s 1\n40 50 tag value=1\n", NULL};
  g_autoptr (Case) trial = case_new (relay, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) scene = NULL;
  const LcSceneArc *arcs;
  const LcMark *marks;
  gsize n, n_marks, n_hops = 0;
  guint64 stays = 0;

  lc_scene_query_init (&query);
  query.selection.highlight.kind = LC_HIGHLIGHT_CRITICAL_PATH;
  scene = make (trial, &query);
  marks = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n_marks);
  for (gsize i = 0; i < n_marks; i++)
    g_assert_cmpint (marks[i].flags, ==, LC_MARK_CRITICAL | (i == 1 ? LC_MARK_ENTERED : 0));
  arcs = lc_scene_get_arcs (scene, &n);
  for (gsize i = 0; i < n; i++)
    if (arcs[i].kind == LC_SCENE_ARC_CRITICAL)
      {
        n_hops += arcs[i].from_row != arcs[i].to_row;
        stays += arcs[i].to - arcs[i].from;
      }
  g_assert_cmpuint (n_hops, ==, 1);
  g_assert_cmpuint (stays, ==, 50);
}

/* --- What cannot be -------------------------------------------------------------------------------------------- */

static void
refuse (const Case *trial, const LcSceneQuery *query)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_scene_new (trial->history, query, NULL, &error));
  g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
}

static void
test_refused (void)
{
  static const guint32 strangers[] = {1, 7}, twice[] = {1, 1}, things[] = {99};
  g_autoptr (Case) trial = case_new (handover, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  LcSceneQuery query, clean;

  lc_scene_query_init (&clean);
  query = clean;
  query.timeline = 3;
  refuse (trial, &query);
  query = clean;
  query.beside = 3;
  refuse (trial, &query);
  query = clean;
  query.selection.lowest = 3;
  query.selection.highest = LC_TIMELINE_MEASURED;
  refuse (trial, &query);
  query = clean;
  query.selection.processes = strangers;
  query.selection.n_processes = 2;
  refuse (trial, &query);
  query.selection.processes = twice;
  refuse (trial, &query);
  query = clean;
  query.selection.filters.objects = things;
  query.selection.filters.n_objects = 1;
  refuse (trial, &query);
  query = clean;
  query.from = 2;
  query.to = 1;
  refuse (trial, &query);
  query = clean;
  query.selection.highlight = (LcHighlight){LC_HIGHLIGHT_FUTURE, 0, 3};
  refuse (trial, &query);
  query.selection.highlight = (LcHighlight){LC_HIGHLIGHT_PAST, 2, 0};
  refuse (trial, &query);
  g_cancellable_cancel (cancellable);
  g_assert_null (lc_scene_new (trial->history, &clean, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* --- Hardly anything ------------------------------------------------------------------------------------------- */

static void
check_little (const char *const *files, gsize n_events, gsize n_lives)
{
  g_autoptr (Case) trial = case_new (files, NULL);
  LcSceneQuery query;

  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (LcScene) scene = NULL;
      LcPick pick;
      LcSceneTotals totals;
      gsize n;

      lc_scene_query_init (&query);
      query.selection.time = i % 2 == 0 ? LC_SCENE_PHYSICAL : LC_SCENE_LOGICAL;
      query.breadth = i / 2 % 2;
      query.from = i < 4 ? 0 : 1000;
      query.to = i < 4 ? 0 : 2000;
      scene = make (trial, &query);
      g_assert_cmpuint (lc_scene_get_query (scene)->from, <, lc_scene_get_query (scene)->to);
      lc_scene_get_totals (scene, &totals);
      g_assert_cmpuint (totals.events, ==, i < 4 ? n_events : 0);
      lc_scene_get_marks_of (scene, LC_MARK_LIFE, 0, LC_TRACE_NONE, &n);
      g_assert_cmpuint (n, ==, i >= 4 ? 0 : query.breadth > 0 ? MIN (n_lives, 1) : n_lives);
      g_assert_cmpint (lc_scene_pick (scene, 0.5, (double)lc_scene_get_query (scene)->from, 0.1, 0.1, &pick), ==,
                       i < 4 && n_events > 0);
    }
}

static void
test_little (void)
{
  static const char *const nothing[] = {"a", "", "b", "", NULL};
  static const char *const one[] = {"a", "0 0 tag value=1\n", "b", "", NULL};

  check_little (nothing, 0, 0);
  check_little (one, 1, 1);
}

/* --- Killed ---------------------------------------------------------------------------------------------------- */

/* It was waiting for a lock when it was killed, and had lost events. */
static void
test_killed (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_autoptr (Maker) maker = maker_new (0);
  guint32 record = maker_object (objects, LC_CLASS_MUTEX, "fork", 0, 0);
  struct lc_packet *header;
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (LcScene) scene = NULL;
  g_autoptr (GError) error = NULL;
  const LcMergeOptions options = {.again = TRUE};
  LcSceneQuery query;
  const LcMark *lost;
  gsize n;

  maker_write_metadata (directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  maker_sync (maker, LC_LOCK, record, 1, 0, 20, 30, 0);
  header = maker_header (maker);
  header->state = LC_STATE_CUT;
  header->pending_operation = LC_LOCK;
  header->pending_object = record;
  header->pending_begin = MAKER_START + 40;
  header->events_discarded = 5;
  header->lost[LC_LOST_DISK] = 5;
  maker_finish (maker, directory);
  history = lc_merge_open (directory, &options, &error);
  g_assert_no_error (error);
  lc_scene_query_init (&query);
  query.to = 100;
  scene = lc_scene_new (history, &query, NULL, &error);
  g_assert_no_error (error);
  check_mark (scene, LC_MARK_PENDING, 0, 0, 40, 100);
  check_mark (scene, LC_MARK_LOST, 0, 0, 30, 30);
  lost = lc_scene_get_marks_of (scene, LC_MARK_LOST, 0, 0, &n);
  g_assert_cmpuint (lost->events, ==, 5);
  check_text (scene, 0.5, 60, "lock of mutex fork\nprogram\nbegun at 40 ns, and never ended");
  check_text (scene, 0.5, 30,
              "5 events are missing\nprogram\nthey could not be kept; where they would be is not known");
  lc_scene_free (g_steal_pointer (&scene));
  query.to = 0;
  scene = lc_scene_new (history, &query, NULL, &error);
  g_assert_cmpuint (lc_scene_get_query (scene)->to, >, 30);
  lc_history_free (g_steal_pointer (&history));
  g_clear_pointer (&scene, lc_scene_free);
  maker_remove (directory);
}

/* A name that begins with the class, as one that nobody has given, does not have the class before it once more. */
static void
test_class_said_once (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_autoptr (Maker) maker = maker_new (0);
  const guint32 record = maker_object (objects, LC_CLASS_MUTEX, "mutex of a queue", 0, 0);
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (LcScene) scene = NULL;
  g_autoptr (GError) error = NULL;
  const LcMergeOptions options = {.again = TRUE};
  LcSceneQuery query;

  maker_write_metadata (directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  maker_sync (maker, LC_LOCK, record, 1, 0, 20, 30, 0);
  maker_sync (maker, LC_UNLOCK, record, 1, 0, 60, 70, 0);
  maker_finish (maker, directory);
  history = lc_merge_open (directory, &options, &error);
  g_assert_no_error (error);
  lc_scene_query_init (&query);
  scene = lc_scene_new (history, &query, NULL, &error);
  g_assert_no_error (error);
  check_text (scene, 0.5, 25, "lock of mutex of a queue, number 1\nprogram, event 0, layer 1\n20 ns to 30 ns (10 ns)");
  check_text (scene, 0.5, 45, "mutex of a queue is held\nprogram\n30 ns to 60 ns (30 ns)");
  lc_history_free (g_steal_pointer (&history));
  g_clear_pointer (&scene, lc_scene_free);
  maker_remove (directory);
}

/* Whose end is known has waited until then, like in any other event; what never ended is shown over it. */
static void
test_pending (void)
{
  static const char *const files[] = {"a", "0 10 tag value=1\n%pending 40 100 lock fork 1\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (LcScene) scene = NULL;
  LcSceneQuery query;
  const LcMark *marks;
  gsize n;

  lc_scene_query_init (&query);
  scene = lc_scene_new (trial->history, &query, NULL, NULL);
  marks = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (marks[1].released, ==, 100);
  check_mark (scene, LC_MARK_EVENT, 0, 1, 40, 100);
  check_mark (scene, LC_MARK_PENDING, 0, 0, 40, lc_scene_get_query (scene)->to);
}

/* Each has a lock, and wants the other's. */
static void
test_deadlock (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  const guint32 forks[] = {maker_object (objects, LC_CLASS_MUTEX, "left", 0, 0),
                           maker_object (objects, LC_CLASS_MUTEX, "right", 0, 0)};
  g_autoptr (LcHistory) history = NULL;
  g_autoptr (LcScene) scene = NULL;
  g_autoptr (GError) error = NULL;
  const LcMergeOptions options = {.again = TRUE};
  LcSceneQuery query;
  g_autofree char *text = NULL;
  LcPick pick;
  const LcSceneArc *arcs;
  gsize n;

  maker_write_metadata (directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Maker) maker = maker_new (i);
      struct lc_packet *header;

      maker_sync (maker, LC_LOCK, forks[i], 1, 0, 10, 20 + i, 0);
      header = maker_header (maker);
      header->state = LC_STATE_CUT;
      header->pending_operation = LC_LOCK;
      header->pending_object = forks[1 - i];
      header->pending_begin = MAKER_START + 40 + i;
      maker_finish (maker, directory);
    }
  history = lc_merge_open (directory, &options, &error);
  g_assert_no_error (error);
  lc_scene_query_init (&query);
  query.to = 100;
  scene = lc_scene_new (history, &query, NULL, &error);
  g_assert_no_error (error);
  arcs = lc_scene_get_arcs (scene, &n);
  g_assert_cmpuint (n, ==, 2);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpint (arcs[i].kind, ==, LC_SCENE_ARC_BLOCKED);
      g_assert_cmpuint (arcs[i].from, ==, 40 + arcs[i].from_row);
      g_assert_cmpuint (arcs[i].to, ==, 100);
      g_assert_cmpuint (arcs[i].to_row, ==, 1 - arcs[i].from_row);
      g_assert_cmpuint (arcs[i].to_ordinal, ==, 0);
    }
  g_assert_cmpuint (arcs[0].from_row, !=, arcs[1].from_row);
  pick = (LcPick){.arc = &arcs[arcs[0].from_row]};
  text = lc_scene_dup_text (scene, &pick);
  g_assert_cmpstr (text, ==, "lock of mutex right\nprogram 0 waits in vain for program 1");
  query.selection.hide_arcs = TRUE;
  lc_scene_free (g_steal_pointer (&scene));
  scene = lc_scene_new (history, &query, NULL, &error);
  lc_scene_get_arcs (scene, &n);
  g_assert_cmpuint (n, ==, 0);
  lc_history_free (g_steal_pointer (&history));
  g_clear_pointer (&scene, lc_scene_free);
  maker_remove (directory);
}

/* --- Many ------------------------------------------------------------------------------------------------------ */

enum
{
  PROCESSES = 64,
  ROUNDS = 5208, /* of three events: a million in all */
};

/* Each process takes the lock in its turn, holds it, and tags something. */
static char *
write_many (guint n_processes, guint n_rounds)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_autoptr (GRand) random = g_rand_new_with_seed (n_processes);
  guint32 shared = maker_object (objects, LC_CLASS_MUTEX, "shared", 0, 0);
  guint64 turn = 1, free_at = 0;
  Maker *makers[1000];

  for (guint i = 0; i < n_processes; i++)
    makers[i] = maker_new (i);
  for (guint round = 0; round < n_rounds; round++)
    for (guint i = 0; i < n_processes; i++)
      {
        Maker *maker = makers[i];
        guint64 begin = maker->last + (guint64)g_rand_int_range (random, 0, 900), end = MAX (begin, free_at) + 10;

        maker_sync (maker, LC_LOCK, shared, turn, 0, begin, end, 0);
        free_at = end + 5 + (guint64)g_rand_int_range (random, 0, 20);
        maker_sync (maker, LC_UNLOCK, shared, turn++, 0, free_at, free_at + 3, 0);
        free_at += 3;
        maker_mark (maker, LC_TAG, round, free_at + 7);
      }
  maker_write_metadata (directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  for (guint i = 0; i < n_processes; i++)
    {
      maker_finish (makers[i], directory);
      maker_free (makers[i]);
    }
  return directory;
}

static LcHistory *
open_many (const char *directory)
{
  const LcMergeOptions options = {.again = TRUE};
  g_autoptr (GError) error = NULL;
  LcHistory *history = lc_merge_open (directory, &options, &error);

  g_assert_no_error (error);
  return history;
}

static void
add_up (const LcScene *scene, LcSceneTotals *totals)
{
  static const LcMarkKind kinds[] = {LC_MARK_LIFE, LC_MARK_SUMMARY, LC_MARK_EVENT};

  *totals = (LcSceneTotals){0};
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      gsize n;
      const LcMark *marks = lc_scene_get_marks_of (scene, kinds[k], 0, LC_TRACE_NONE, &n);

      for (gsize i = 0; i < n; i++)
        {
          totals->events += marks[i].events;
          totals->running += marks[i].running;
          totals->waiting += marks[i].waiting;
          totals->woken += marks[i].woken;
          totals->preempted += marks[i].preempted;
          totals->outside += marks[i].outside;
          totals->holding += marks[i].holding;
        }
    }
}

/* The whole run, whatever there is room for: exactly what the statistics say. */
static void
check_whole (LcHistory *history, const LcSceneQuery *query, gsize most)
{
  g_autoptr (LcScene) scene = lc_scene_new (history, query, NULL, NULL);
  g_autoptr (GArray) waiting = lc_statistics_waiting (history, LC_TIMELINE_MEASURED, NULL, NULL);
  LcSceneTotals totals, sum;
  guint64 running = 0, waited = 0, held = 0;
  gsize n;

  g_assert_nonnull (scene);
  for (guint i = 0; i < waiting->len; i++)
    {
      running += g_array_index (waiting, LcWaitingStatistics, i).running;
      waited += g_array_index (waiting, LcWaitingStatistics, i).waiting;
    }
  for (guint32 i = 0; i < lc_history_get_n_objects (history); i++)
    {
      LcHistoryObject object;

      g_assert_true (lc_history_get_object (history, i, &object, NULL));
      held += object.held;
      lc_history_object_clear (&object);
    }
  lc_scene_get_marks_of (scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n);
  g_assert_cmpuint (n, <=, most);
  add_up (scene, &sum);
  lc_scene_get_totals (scene, &totals);
  g_assert_cmpmem (&totals, sizeof totals, &sum, sizeof sum);
  g_assert_cmpuint (totals.events, ==, lc_history_get_n_events (history));
  g_assert_cmpuint (totals.running, ==, running);
  g_assert_cmpuint (totals.waiting, ==, waited);
  g_assert_cmpuint (totals.holding, ==, held);
}

static void
test_million (void)
{
  char *directory = write_many (PROCESSES, ROUNDS);
  g_autoptr (LcHistory) history = open_many (directory);
  LcSceneQuery query;
  guint64 begin, end;

  g_assert_cmpuint (lc_history_get_n_events (history), >, 999000);
  lc_scene_query_init (&query);
  query.length = 1600;
  query.breadth = 1000;
  check_whole (history, &query, 80000);
  query.selection.time = LC_SCENE_LOGICAL;
  check_whole (history, &query, 80000);
  query.breadth = 10;
  check_whole (history, &query, 80000);
  query.selection.time = LC_SCENE_PHYSICAL;
  check_whole (history, &query, 80000);
  query.most_marks = 300;
  check_whole (history, &query, 300);
  query.most_marks = 0;
  query.breadth = 0;
  lc_history_get_span (history, &begin, &end);
  query.from = begin + (end - begin) / 2;
  query.to = query.from + (end - begin) / 1000;
  {
    g_autoptr (LcScene) part = lc_scene_new (history, &query, NULL, NULL);

    g_assert_false (lc_scene_is_summary (part));
  }
  lc_history_free (g_steal_pointer (&history));
  maker_remove (directory);
}

/* More processes than pixels: some share a mark, and nothing is left out. */
static void
test_wide (void)
{
  char *directory = write_many (700, 10);
  g_autoptr (LcHistory) history = open_many (directory);
  LcSceneQuery query;
  g_autoptr (LcScene) scene = NULL;
  const LcMark *marks;
  gsize n;

  lc_scene_query_init (&query);
  query.length = 400;
  query.breadth = 100;
  check_whole (history, &query, 80000);
  scene = lc_scene_new (history, &query, NULL, NULL);
  marks = lc_scene_get_marks_of (scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpuint (marks[i].row % 7, ==, 0);
      g_assert_cmpuint (marks[i].n_rows, ==, 7);
    }
  g_clear_pointer (&scene, lc_scene_free);
  lc_history_free (g_steal_pointer (&history));
  maker_remove (directory);
}

/* --- Rows of several processes --------------------------------------------------------------------------------- */

/* A barrier of three, the second and third in one row; then the third waits for the second. */
static const char *const team[] = {"a", "%process main\n0 30 barrier all 0\n40 50 tag value=1\n",
                                   "b", "%process worker-1\n10 30 barrier all 0\n35 60 lock m 1\n80 90 unlock m 1\n",
                                   "c", "%process worker-12\n20 30 barrier all 0\n50 95 lock m 2\n96 99 unlock m 2\n",
                                   NULL};
static const guint32 team_rows[] = {1, 3};

static void
test_collapsed (void)
{
  g_autoptr (Case) trial = case_new (team, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) scene = NULL;
  LcSceneTotals totals;
  const LcSceneArc *arcs;
  gsize n;

  lc_scene_query_init (&query);
  query.selection.row_ends = team_rows;
  query.selection.n_row_ends = G_N_ELEMENTS (team_rows);
  scene = make (trial, &query);
  g_assert_cmpuint (lc_scene_get_n_rows (scene), ==, 2);
  g_assert_cmpuint (lc_scene_get_n_processes (scene, 1), ==, 2);
  g_assert_cmpuint (lc_scene_get_process_at (scene, 1, 1), ==, 2);
  g_assert_false (lc_scene_is_summary (scene));
  check_mark (scene, LC_MARK_EVENT, 0, 0, 0, 30);
  check_mark (scene, LC_MARK_LIFE, 1, 0, 10, 99);
  lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, 1, &n);
  g_assert_cmpuint (n, ==, 0);
  lc_scene_get_marks_of (scene, LC_MARK_HOLDING, 0, 1, &n);
  g_assert_cmpuint (n, ==, 0);
  /* That of the barrier; the one of the mutex is within a row. */
  arcs = lc_scene_get_arcs (scene, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (arcs[0].kind, ==, LC_SCENE_ARC_GROUP);
  g_assert_cmpuint (arcs[0].from, ==, 20);
  g_assert_cmpuint (arcs[0].to_row, ==, 1);
  lc_scene_get_totals (scene, &totals);
  g_assert_cmpuint (totals.events, ==, 8);
  g_assert_cmpuint (totals.running + totals.waiting + totals.woken, ==, 50 + 80 + 79);
  query.most_marks = 4;
  query.from = 64;
  query.to = 96;
  g_clear_pointer (&scene, lc_scene_free);
  scene = make (trial, &query);
  check_text (scene, 1.5, 90,
              "2 events\n2 processes: worker-1 to worker-12\n88 ns to 96 ns (8 ns)\n"
              "running 30%, waiting 20%, holding 10%\nwoken, but not yet going on 50%\nthe longest: lock of mutex m, "
              "number 2, 45 ns");
}

static void
check_names (LcGroups *groups, const char *expected)
{
  g_autofree char *names = g_strjoinv ("|", groups->names);

  g_assert_cmpstr (names, ==, expected);
  g_assert_cmpuint (g_strv_length (groups->names), ==, groups->n_groups);
  g_assert_cmpuint (groups->row_ends[groups->n_groups - 1], ==, groups->n_processes);
  lc_groups_free (groups);
}

static void
test_groups (void)
{
  static const char *const parts[] = {"1", "%process main\n0 1 tag value=1\n",
                                      "2", "%process worker-12\n0 1 tag value=1\n",
                                      "3", "%process rank 3 thread 2\n0 1 tag value=1\n",
                                      "4", "%process worker-1\n0 1 tag value=1\n",
                                      "5", "%process rank 3 thread 10\n0 1 tag value=1\n",
                                      "6", "%process pool[7]\n0 1 tag value=1\n",
                                      "7", "%process 17\n0 1 tag value=1\n",
                                      "8", "%process 18\n0 1 tag value=1\n",
                                      "9", "%process pool[8]\n0 1 tag value=1\n",
                                      NULL};
  static const guint32 some[] = {4, 1, 2}, ranks[] = {2, 4}, mixed[] = {1, 2}, single[] = {5};
  g_autoptr (Case) trial = case_new (parts, NULL);
  struct
  {
    const guint32 *processes;
    guint32 n;
    const char *name;
  } named[] = {{ranks, 2, "rank 3 thread (2)"}, {mixed, 2, "2 processes"}, {single, 1, "pool[7]"}};

  check_names (lc_groups_by_prefix (trial->history, NULL, 0), "main|worker (2)|rank 3 thread (2)|pool (2)|2 processes");
  check_names (lc_groups_by_prefix (trial->history, some, 3), "rank 3 thread (2)|worker-12");
  check_names (lc_groups_of_all (trial->history, some, 3), "3 processes");
  check_names (lc_groups_by_host (trial->history, NULL, 0), "9 processes");
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    {
      g_autofree char *name = lc_groups_dup_name (trial->history, named[i].processes, named[i].n);

      g_assert_cmpstr (name, ==, named[i].name);
    }
}

/* Names of rows: as asked for, or made of those of the processes. */
static void
test_row_names (void)
{
  static const char *const names[] = {NULL, "the team"};
  g_autoptr (Case) trial = case_new (team, NULL);
  LcSceneQuery query;

  lc_scene_query_init (&query);
  query.selection.row_ends = team_rows;
  query.selection.n_row_ends = G_N_ELEMENTS (team_rows);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (LcScene) scene = make (trial, &query);
      g_autofree char *first = lc_scene_dup_row_name (scene, 0), *second = lc_scene_dup_row_name (scene, 1);

      g_assert_cmpstr (first, ==, "main");
      g_assert_cmpstr (second, ==, i == 0 ? "worker (2)" : "the team");
      query.selection.row_names = names;
    }
}

static void
test_rows_refused (void)
{
  static const guint32 too_few[] = {1, 2}, none_in_one[] = {1, 1, 3}, too_many[] = {2, 4};
  static const struct
  {
    const guint32 *row_ends;
    guint32 n;
  } wrong[] = {{too_few, 2}, {none_in_one, 3}, {too_many, 2}, {too_few, 0}};
  g_autoptr (Case) trial = case_new (team, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      LcSceneQuery query;

      lc_scene_query_init (&query);
      query.selection.row_ends = wrong[i].row_ends;
      query.selection.n_row_ends = wrong[i].n;
      g_assert_null (lc_scene_new (trial->history, &query, NULL, &error));
      g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene/physical", test_physical);
  g_test_add_func ("/scene/texts", test_texts);
  g_test_add_func ("/scene/text-of-arc", test_text_of_arc);
  g_test_add_func ("/scene/class-said-once", test_class_said_once);
  g_test_add_func ("/scene/logical", test_logical);
  g_test_add_func ("/scene/held-between-what-is-shown", test_held_between_what_is_shown);
  g_test_add_func ("/scene/phases", test_phases);
  g_test_add_func ("/scene/cone", test_cone);
  g_test_add_func ("/scene/path", test_path);
  g_test_add_func ("/scene/refused", test_refused);
  g_test_add_func ("/scene/little", test_little);
  g_test_add_func ("/scene/killed", test_killed);
  g_test_add_func ("/scene/pending", test_pending);
  g_test_add_func ("/scene/deadlock", test_deadlock);
  g_test_add_func ("/scene/wide", test_wide);
  g_test_add_func ("/scene/million", test_million);
  g_test_add_func ("/scene/collapsed", test_collapsed);
  g_test_add_func ("/scene/groups", test_groups);
  g_test_add_func ("/scene/row-names", test_row_names);
  g_test_add_func ("/scene/rows-refused", test_rows_refused);
  return g_test_run ();
}
