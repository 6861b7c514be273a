/* SPDX-License-Identifier: Apache-2.0 */
/* What a scene reads of a history: nothing twice, and all of one state of the file. */
#include "../history/add-timeline.h"
#include "../history/case.h"
#include "history/reader.h"
#include "lightcone/scene.h"

enum
{
  PROCESSES = 7,
  STEPS = 20000,
  MOST_MARKS = 200,
};

static guint64
count_chunks (LcHistory *history, const LcSceneQuery *query)
{
  const guint64 before = lc_history_count_asked (history, LC_QUERY_CHUNKS);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcScene) scene = lc_scene_new (history, query, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (lc_scene_is_summary (scene));
  return lc_history_count_asked (history, LC_QUERY_CHUNKS) - before;
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene reads/summaries once", test_summaries_once);
  return g_test_run ();
}
