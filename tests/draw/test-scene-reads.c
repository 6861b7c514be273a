/* SPDX-License-Identifier: Apache-2.0 */
/* What a scene reads of a history: nothing twice, and all of one state of the file. */
#include "../history/add-timeline.h"
#include "../history/case.h"
#include "draw/scene/scene-private.h"
#include "history/reader.h"

enum
{
  PROCESSES = 7,
  STEPS = 20000,
  MOST_MARKS = 200,
};

static guint64
count_chunks (LcHistory *history, const LcSceneQuery *query)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcScene) scene = lc_scene_new (history, query, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (lc_scene_is_summary (scene));
  return lc_history_count_asked (scene->snapshot, LC_QUERY_CHUNKS);
}

/* Where there are more events than room for them, the summary of each process is read at most once, and no other one
 * before it to find that out. */
static void
test_summaries_once (void)
{
  guint64 begin, end, sum = 0;
  LcSceneQuery query;
  Case at;

  case_init (&at, 1, PROCESSES, STEPS);
  lc_history_get_span (at.history, &begin, &end);
  lc_scene_query_init (&query);
  query.most_marks = MOST_MARKS;
  for (guint i = 0; i < 4; i++)
    {
      guint64 chunks;

      query.from = begin + (end - begin) * i / 16;
      query.to = end - (end - begin) * i / 8;
      chunks = count_chunks (at.history, &query);
      g_assert_cmpuint (chunks, <=, PROCESSES);
      sum += chunks;
    }
  g_assert_cmpuint (sum, >, 0);
  case_clear (&at);
}

/* A window of some events, which is finer than any summary: it is made of the blocks of the events. */
static guint64
count_blocks (LcHistory *history, const LcSceneQuery *query)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcScene) scene = lc_scene_new (history, query, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (lc_scene_is_summary (scene));
  g_assert_cmpuint (lc_history_count_asked (scene->snapshot, LC_QUERY_CHUNKS), ==, 0);
  return lc_history_count_asked (scene->snapshot, LC_QUERY_BLOCK);
}

/* What is held is followed from blocks before the window, once: whoever comes back reads the blocks of the window.
 * Windows elsewhere are looked at between, as a connection keeps the blocks that it decoded last. */
static void
test_holding_once (void)
{
  guint64 begin, end, blocks[4], again;
  LcSceneQuery query;
  Case at;

  case_init (&at, 1, PROCESSES, STEPS);
  lc_history_get_span (at.history, &begin, &end);
  lc_scene_query_init (&query);
  query.selection.hide_arcs = TRUE;
  query.most_marks = PROCESSES;
  for (guint i = 0; i <= G_N_ELEMENTS (blocks); i++)
    {
      query.from = begin + (end - begin) * (1 + i % G_N_ELEMENTS (blocks)) / (1 + G_N_ELEMENTS (blocks));
      query.to = query.from + (end - begin) / 2000;
      *(i < G_N_ELEMENTS (blocks) ? &blocks[i] : &again) = count_blocks (at.history, &query);
    }
  g_test_message ("%" G_GUINT64_FORMAT " blocks, then %" G_GUINT64_FORMAT, blocks[0], again);
  g_assert_cmpuint (again, <, blocks[0]);
  case_clear (&at);
}

/* --- One state ---------------------------------------------------------------------------------------------------- */

static guint32
replace_timeline (const Case *at, guint times)
{
  g_autoptr (GError) error = NULL;
  Model *model = model_new (at->directory);
  guint32 number = 0;

  for (guint i = 0; i < times; i++)
    model_move (model);
  add_timeline (lc_history_get_path (at->history), at->directory, model, "moved", &number, &error);
  g_assert_no_error (error);
  model_free (model);
  return number;
}

static char *
dup_texts (const LcScene *scene)
{
  GString *texts = g_string_new (NULL);
  gsize n;
  const LcMark *marks = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);

  g_assert_cmpuint (n, >, 0);
  for (gsize i = 0; i < n; i++)
    {
      const LcPick pick = {.mark = &marks[i]};
      g_autofree char *text = lc_scene_dup_text (scene, &pick);

      g_string_append_printf (texts, "%s\n", text);
    }
  return g_string_free (texts, FALSE);
}

/* What is told of marks fits them, though others have replaced the timeline since. */
static void
test_one_state (void)
{
  g_autofree char *before = NULL, *after = NULL, *again = NULL;
  LcSceneQuery query;
  LcScene *scene, *fresh;
  Case at;

  case_init (&at, 2, 3, 200);
  lc_scene_query_init (&query);
  query.timeline = replace_timeline (&at, 1);
  scene = lc_scene_new (at.history, &query, NULL, NULL);
  before = dup_texts (scene);
  g_assert_cmpuint (replace_timeline (&at, 2), ==, query.timeline);
  after = dup_texts (scene);
  g_assert_cmpstr (before, ==, after);
  fresh = lc_scene_new (at.history, &query, NULL, NULL);
  again = dup_texts (fresh);
  g_assert_cmpstr (before, !=, again);
  lc_scene_free (fresh);
  lc_scene_free (scene);
  case_clear (&at);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene reads/summaries once", test_summaries_once);
  g_test_add_func ("/scene reads/holding once", test_holding_once);
  g_test_add_func ("/scene reads/one state", test_one_state);
  return g_test_run ();
}
