/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes between two others: the ends are what they are made of, and nothing is lost or turned round on the way. */
#include "../analysis/case.h"
#include "lightcone/approximate.h"
#include "lightcone/morph.h"
#include "../history/random-trials.h"

/* b waits for the lock of a from 20 to 50; a's unlock takes 8 only because it was measured. */
static const char *const handover[] = {"a", "0 10 lock queue 1\n50 60 unlock queue 1\n90 90 tag value=7\n", "b",
                                       "20 55 lock queue 2\n70 80 unlock queue 2\n", NULL};

static const char *const settings[] = {"overhead.*=3;2;4", NULL};

static guint32
approximate (Case *trial, LcModel model)
{
  const LcApproximateOptions options = {.model = model, .settings = settings};
  g_autoptr (GError) error = NULL;
  g_autoptr (LcApproximation) approximation = lc_approximate (trial->directory, &options, &error);

  g_assert_no_error (error);
  return approximation->timeline;
}

static LcScene *
make (const Case *trial, const LcSceneQuery *query)
{
  g_autoptr (GError) error = NULL;
  LcScene *scene = lc_scene_new (trial->history, query, NULL, &error);

  g_assert_no_error (error);
  return scene;
}

static LcScene *
morph (const LcScene *from, const LcScene *to, double share)
{
  g_autoptr (GError) error = NULL;
  LcScene *scene = lc_scene_morph (from, to, share, NULL, &error);

  g_assert_no_error (error);
  return scene;
}

static LcScene *
make_between (const Case *trial, const LcSceneQuery *query, double share)
{
  g_autoptr (GError) error = NULL;
  LcScene *scene = lc_scene_new_between (trial->history, query, share, NULL, &error);

  g_assert_no_error (error);
  return scene;
}

/* Places, and what a summary says to a thousandth. */
static void
assert_same (const LcScene *one, const LcScene *other)
{
  gsize n, n_other;
  const LcMark *marks = lc_scene_get_marks (one, &n), *others = lc_scene_get_marks (other, &n_other);
  const LcSceneArc *arcs, *other_arcs;

  g_assert_cmpuint (n, ==, n_other);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpuint (marks[i].kind, ==, others[i].kind);
      g_assert_cmpuint (marks[i].row, ==, others[i].row);
      g_assert_cmpuint (marks[i].ordinal, ==, others[i].ordinal);
      g_assert_cmpuint (marks[i].from, ==, others[i].from);
      g_assert_cmpuint (marks[i].released, ==, others[i].released);
      g_assert_cmpuint (marks[i].to, ==, others[i].to);
      g_assert_cmpuint (marks[i].flags, ==, others[i].flags);
      g_assert_cmpfloat_with_epsilon ((double)marks[i].waiting, (double)others[i].waiting, 1);
      g_assert_cmpfloat_with_epsilon ((double)marks[i].running, (double)others[i].running, 1);
    }
  arcs = lc_scene_get_arcs (one, &n);
  other_arcs = lc_scene_get_arcs (other, &n_other);
  g_assert_cmpuint (n, ==, n_other);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpuint (arcs[i].from, ==, other_arcs[i].from);
      g_assert_cmpuint (arcs[i].to, ==, other_arcs[i].to);
    }
}

/* Order of begin, release and end, of kinds, tracks and rows; and within the rows. */
static void
assert_ordered (const LcScene *scene)
{
  gsize n;
  const LcMark *marks = lc_scene_get_marks (scene, &n);

  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpuint (marks[i].from, <=, marks[i].released);
      g_assert_cmpuint (marks[i].released, <=, MAX (marks[i].to, marks[i].from));
      g_assert_cmpuint (marks[i].from, <=, marks[i].to);
      if (i > 0 && marks[i].kind == marks[i - 1].kind && marks[i].row == marks[i - 1].row)
        g_assert_cmpuint (marks[i - 1].from, <=, marks[i].from);
    }
}

/* --- Two scenes ------------------------------------------------------------------------------------------------- */

static void
test_by_heart (void)
{
  g_autoptr (Case) trial = case_new (handover, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) from = NULL, to = NULL, half = NULL;
  const LcMark *here, *there, *middle;
  gsize n;

  lc_scene_query_init (&query);
  from = make (trial, &query);
  query.timeline = approximate (trial, LC_MODEL_EVENT);
  to = make (trial, &query);
  half = morph (from, to, 0.5);
  here = lc_scene_get_marks_of (from, LC_MARK_EVENT, 0, 1, &n);
  there = lc_scene_get_marks_of (to, LC_MARK_EVENT, 0, 1, &n);
  middle = lc_scene_get_marks_of (half, LC_MARK_EVENT, 0, 1, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (here[0].released, ==, 55);
  g_assert_cmpuint (there[0].released, <, 55);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpfloat_with_epsilon ((double)middle[i].from, (double)(here[i].from + there[i].from) / 2, 0.51);
      g_assert_cmpfloat_with_epsilon ((double)middle[i].to, (double)(here[i].to + there[i].to) / 2, 0.51);
      g_assert_cmpfloat_with_epsilon ((double)middle[i].released, (double)(here[i].released + there[i].released) / 2,
                                      0.51);
    }
}

/* What is held, and arcs, go along with the events that they begin and end at. */
static void
test_rest_goes_along (void)
{
  g_autoptr (Case) trial = case_new (handover, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) from = NULL, to = NULL;

  lc_scene_query_init (&query);
  from = make (trial, &query);
  query.timeline = approximate (trial, LC_MODEL_EVENT);
  to = make (trial, &query);
  for (guint i = 0; i <= 10; i++)
    {
      g_autoptr (LcScene) scene = morph (from, to, i / 10.0);
      gsize n;
      const LcMark *events = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, 0, &n), *other;
      const LcMark *holding = lc_scene_get_marks_of (scene, LC_MARK_HOLDING, 0, 0, &n);
      const LcSceneArc *arcs;

      g_assert_cmpuint (n, ==, 1);
      g_assert_cmpuint (holding[0].from, ==, events[0].to);
      g_assert_cmpuint (holding[0].to, ==, events[1].from);
      other = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, 1, &n);
      arcs = lc_scene_get_arcs (scene, &n);
      g_assert_cmpuint (n, ==, 1);
      g_assert_cmpuint (arcs[0].from, ==, events[1].to);
      g_assert_cmpuint (arcs[0].to, ==, other[0].to);
    }
}

static Case *
make_random (guint32 seed)
{
  g_autoptr (RandomHistory) random = random_history_new (seed, 5, 40);

  return case_new_random (random, 0, seed);
}

static void
test_ends (void)
{
  for (guint32 seed = 1; seed <= random_trials (10); seed++)
    {
      g_autoptr (Case) trial = make_random (seed);
      LcSceneQuery query;
      g_autoptr (LcScene) from = NULL, to = NULL, first = NULL, last = NULL;

      lc_scene_query_init (&query);
      query.most_marks = seed % 2 == 0 ? 1 : 0; /* summaries, or events */
      from = make (trial, &query);
      query.timeline = approximate (trial, seed % 3 == 0 ? LC_MODEL_TIME : LC_MODEL_EVENT);
      to = make (trial, &query);
      g_assert_cmpint (lc_scene_is_summary (from), ==, seed % 2 == 0);
      first = morph (from, to, 0);
      last = morph (from, to, 1);
      assert_same (first, from);
      assert_same (last, to);
    }
}

/* Each event is on its way, and never goes back. */
static void
test_way (void)
{
  for (guint32 seed = 1; seed <= 6; seed++)
    {
      g_autoptr (Case) trial = make_random (seed);
      LcSceneQuery query;
      g_autoptr (LcScene) from = NULL, to = NULL;

      lc_scene_query_init (&query);
      from = make (trial, &query);
      query.timeline = approximate (trial, LC_MODEL_EVENT);
      to = make (trial, &query);
      for (guint i = 1; i < 10; i++)
        {
          g_autoptr (LcScene) scene = morph (from, to, i / 10.0);
          gsize n;
          const LcMark *marks = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);
          const LcMark *here = lc_scene_get_marks_of (from, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);
          const LcMark *there = lc_scene_get_marks_of (to, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);

          assert_ordered (scene);
          for (gsize k = 0; k < n; k++)
            {
              double exact = (double)here[k].to + ((double)there[k].to - (double)here[k].to) * i / 10;

              g_assert_cmpuint (marks[k].ordinal, ==, here[k].ordinal);
              g_assert_cmpfloat_with_epsilon ((double)marks[k].to, exact, 0.51);
            }
        }
    }
}

/* --- A query ------------------------------------------------------------------------------------------------------ */

/* Whether the event is in the scene, where it has to be. */
static gboolean
is_in (const LcScene *scene, guint32 row, guint64 ordinal, double end)
{
  gsize n;
  const LcMark *marks = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, row, &n);

  for (gsize i = 0; i < n; i++)
    if (marks[i].ordinal == ordinal)
      {
        g_assert_cmpfloat_with_epsilon ((double)marks[i].to, end, 0.51);
        return TRUE;
      }
  return FALSE;
}

static void
check_all_in (const Case *trial, const LcScene *scene, const LcSceneQuery *query, double share)
{
  g_autoptr (GError) error = NULL;

  for (guint32 process = 0; process < lc_history_get_n_processes (trial->history); process++)
    for (guint64 i = 0; i < lc_history_get_process (trial->history, process)->events; i++)
      {
        LcHistoryEvent here, there;
        double begin, end;

        lc_history_get_event (trial->history, query->timeline, process, i, &here, &error);
        g_assert_no_error (error);
        lc_history_get_event (trial->history, query->beside, process, i, &there, &error);
        g_assert_no_error (error);
        begin = (double)here.begin * (1 - share) + (double)there.begin * share;
        end = (double)here.end * (1 - share) + (double)there.end * share;
        if (begin < (double)query->to && end >= (double)query->from)
          g_assert_true (is_in (scene, process, i, end));
      }
}

/* Nothing that is in the span between the timelines is missing, however far it is from it on both of them. */
static void
test_span (void)
{
  for (guint32 seed = 1; seed <= random_trials (10); seed++)
    {
      g_autoptr (Case) trial = make_random (seed);
      LcSceneQuery query;
      guint64 begin, end;

      lc_scene_query_init (&query);
      query.beside = approximate (trial, LC_MODEL_EVENT);
      lc_history_get_span (trial->history, &begin, &end);
      for (guint i = 0; i <= 8; i++)
        {
          g_autoptr (LcScene) scene = NULL;

          query.from = end * i / 10;
          query.to = end * (i + 1) / 10;
          scene = make_between (trial, &query, i / 8.0);
          g_assert_cmpuint (lc_scene_get_query (scene)->from, ==, query.from);
          g_assert_cmpuint (lc_scene_get_query (scene)->to, ==, query.to);
          assert_ordered (scene);
          check_all_in (trial, scene, &query, i / 8.0);
        }
    }
}

/* Where work went to another process, an event has the name that it has on the first timeline. */
static void
test_names (void)
{
  for (guint32 seed = 1; seed <= random_trials (10); seed++)
    {
      g_autoptr (Case) trial = make_random (seed);
      LcSceneQuery query;

      lc_scene_query_init (&query);
      query.beside = approximate (trial, LC_MODEL_LIBERAL);
      for (guint i = 0; i <= 4; i++)
        {
          g_autoptr (LcScene) scene = make_between (trial, &query, i / 4.0);
          gsize n;
          const LcMark *marks = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);

          g_assert_cmpuint (n, ==, lc_history_get_n_events (trial->history));
          for (gsize k = 0; k < n; k++)
            {
              g_autoptr (GError) error = NULL;
              guint32 process;
              guint64 ordinal;
              LcHistoryEvent here, there;

              lc_history_get_event (trial->history, LC_TIMELINE_MEASURED, marks[k].process, marks[k].ordinal, &here,
                                    &error);
              g_assert_no_error (error);
              lc_history_locate (trial->history, query.beside, here.process, here.ordinal, &process, &ordinal, &error);
              g_assert_no_error (error);
              lc_history_get_event (trial->history, query.beside, process, ordinal, &there, &error);
              g_assert_no_error (error);
              g_assert_cmpfloat_with_epsilon ((double)marks[k].to,
                                              (double)here.end + ((double)there.end - (double)here.end) * i / 4, 0.51);
            }
        }
    }
}

/* --- Projections ---------------------------------------------------------------------------------------------------
 */

static void
test_projection (void)
{
  g_autoptr (Case) trial = case_new (handover, NULL);
  LcSceneQuery query;
  g_autoptr (LcScene) time = NULL, layers = NULL, here = NULL, there = NULL, half = NULL;
  const LcMark *marks, *ends, *middle;
  gsize n;

  lc_scene_query_init (&query);
  time = make (trial, &query);
  query.selection.time = LC_SCENE_LOGICAL;
  layers = make (trial, &query);
  here = lc_scene_project (time, 0, 90, 900);
  there = lc_scene_project (layers, 1, 5, 400);
  marks = lc_scene_get_marks_of (here, LC_MARK_EVENT, 0, 0, &n);
  g_assert_cmpuint (marks[2].to, ==, LC_PROJECTION_START + LC_PROJECTION_LENGTH);
  ends = lc_scene_get_marks_of (there, LC_MARK_EVENT, 0, 0, &n);
  /* Layer 1 is the first of four: the middle of its mark is at an eighth. */
  g_assert_cmpfloat_with_epsilon ((double)(ends[0].from + ends[0].to) / 2,
                                  (double)(LC_PROJECTION_START + LC_PROJECTION_LENGTH / 8), 1);
  g_assert_cmpuint (ends[0].from, <, ends[0].to);
  half = morph (here, there, 0.5);
  middle = lc_scene_get_marks_of (half, LC_MARK_EVENT, 0, 0, &n);
  g_assert_cmpfloat_with_epsilon ((double)middle[2].to, (double)(marks[2].to + ends[2].to) / 2, 1);
  assert_ordered (half);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/morph/by-heart", test_by_heart);
  g_test_add_func ("/morph/rest-goes-along", test_rest_goes_along);
  g_test_add_func ("/morph/ends", test_ends);
  g_test_add_func ("/morph/way", test_way);
  g_test_add_func ("/morph/span", test_span);
  g_test_add_func ("/morph/names", test_names);
  g_test_add_func ("/morph/projection", test_projection);
  return g_test_run ();
}
