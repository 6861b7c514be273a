/* SPDX-License-Identifier: Apache-2.0 */
/* Where steps of the selection lead to, and what the strip of the whole run adds up. */
#include "../analysis/case.h"
#include "app/diagram/diagram-steps.h"
#include "app/diagram/overview-shares.h"

/* b waits from 100 to 810 for a; c has nothing; d comes late. */
static const char *const waits[] = {
    "a", "0 10 tag value=1\n300 310 tag value=2\n800 810 post s 0\n900 1000 tag value=3\n",
    "b", "0 10 tag value=1\n100 900 wait s 0\n990 1000 tag value=2\n",
    "c", "",
    "d", "700 760 tag value=1\n950 1000 tag value=2\n",
    NULL};

static LcSession *
open_session (Case **trial)
{
  LcSession *session = lc_session_new ();
  g_autoptr (LcOpened) opened = NULL;

  *trial = case_new (waits, NULL);
  opened = lc_opened_new (g_steal_pointer (&(*trial)->history), (*trial)->directory, FALSE);
  lc_session_open (session, opened);
  return session;
}

static void
set_told (LcSession *session, const char *text, gpointer data)
{
  *(gboolean *)data = TRUE;
}

static gboolean
set_late (gpointer data)
{
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

/* Goes there, and expects to have come to this event. */
static void
check_step (LcSession *session, LcDiagramSteps *steps, LcMove move, guint32 process, guint64 ordinal)
{
  LcEventName event;
  gboolean late = FALSE;
  guint timer = g_timeout_add_seconds (30, set_late, &late);

  lc_diagram_steps_go (steps, move);
  do
    {
      g_main_context_iteration (NULL, TRUE);
      lc_session_get_selection (session, &event);
    }
  while (!late && (event.process != process || event.ordinal != ordinal));
  g_assert_cmpuint (event.process, ==, process);
  g_assert_cmpuint (event.ordinal, ==, ordinal);
  if (!late)
    g_source_remove (timer);
}

static void
test_steps (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (&trial);
  LcDiagramSteps *steps = lc_diagram_steps_new (session);
  LcSpan span;

  lc_session_select (session, 0, 0, FALSE);
  check_step (session, steps, LC_MOVE_NEXT, 0, 1);
  check_step (session, steps, LC_MOVE_NEXT, 0, 2);
  check_step (session, steps, LC_MOVE_PREVIOUS, 0, 1);
  /* The nearest in time; what has no events is passed over. */
  check_step (session, steps, LC_MOVE_ROW_AFTER, 1, 1);
  check_step (session, steps, LC_MOVE_ROW_AFTER, 3, 0);
  check_step (session, steps, LC_MOVE_ROW_BEFORE, 1, 1);
  /* There and back along an arc. */
  check_step (session, steps, LC_MOVE_ARC_IN, 0, 2);
  check_step (session, steps, LC_MOVE_ARC_OUT, 1, 1);
  /* What is out of view comes into view, as large as what was. */
  lc_session_set_span (session, &(LcSpan){0, 100, 0, 1}, FALSE);
  lc_session_select (session, 0, 2, FALSE);
  check_step (session, steps, LC_MOVE_NEXT, 0, 3);
  lc_session_get_span (session, &span);
  g_assert_cmpfloat (span.from, <=, 900);
  g_assert_cmpfloat (span.to, >=, 1000);
  g_assert_cmpfloat (span.to - span.from, <=, 125);
  lc_diagram_steps_free (steps);
}

/* Filters leave events out, and there is something to begin with where nothing is selected. */
static void
test_filters (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (&trial);
  LcDiagramSteps *steps = lc_diagram_steps_new (session);
  LcShown *shown = lc_shown_copy (lc_session_get_shown (session));

  shown->selection.filters.least_wait = 1;
  lc_session_show (session, shown);
  lc_session_select (session, 1, 0, FALSE);
  check_step (session, steps, LC_MOVE_NEXT, 1, 1);
  lc_session_clear_selection (session);
  lc_session_set_span (session, &(LcSpan){0, 1000, 1, 2}, FALSE);
  check_step (session, steps, LC_MOVE_NEXT, 1, 1);
  lc_diagram_steps_free (steps);
}

static void
test_no_arc (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (&trial);
  LcDiagramSteps *steps = lc_diagram_steps_new (session);
  gboolean told = FALSE, late = FALSE;
  guint timer = g_timeout_add_seconds (30, set_late, &late);

  g_signal_connect (session, "told", G_CALLBACK (set_told), &told);
  lc_session_select (session, 0, 0, FALSE);
  lc_diagram_steps_go (steps, LC_MOVE_ARC_IN);
  while (!told && !late)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (told);
  g_source_remove (timer);
  lc_diagram_steps_free (steps);
}

static void
check_shares (LcSession *session, double running, double waiting)
{
  g_autoptr (GError) error = NULL;
  g_autofree LcOverviewShares *shares = NULL;
  double runs = 0, waits_in_all = 0;
  LcSpan whole;

  lc_session_get_whole (session, &whole);
  shares = lc_overview_find_shares (lc_session_get_shown (session), &whole, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (shares);
  for (guint i = 0; i < LC_OVERVIEW_PARTS; i++)
    {
      g_assert_cmpfloat (shares->running[i] + shares->waiting[i], <=, 1.0001);
      runs += (double)shares->running[i];
      waits_in_all += (double)shares->waiting[i];
    }
  g_assert_cmpfloat_with_epsilon (waits_in_all / (runs + waits_in_all), waiting / (running + waiting), 0.01);
}

/* Two processes of 1000 ns, one of 300; b waits 710 of its own, and is then woken for 90, which is shown as waiting. */
static void
test_shares (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (&trial);
  const guint32 only_b[] = {1}, only_c[] = {2};
  LcSpan whole;

  check_shares (session, 1500, 800);
  lc_session_set_processes (session, only_b, 1);
  check_shares (session, 200, 800);
  lc_session_set_processes (session, only_c, 1);
  lc_session_get_whole (session, &whole);
  g_autofree LcOverviewShares *none = lc_overview_find_shares (lc_session_get_shown (session), &whole, NULL, NULL);

  for (guint i = 0; none != NULL && i < LC_OVERVIEW_PARTS; i++)
    g_assert_cmpfloat (none->running[i] + none->waiting[i], ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagram-steps/steps", test_steps);
  g_test_add_func ("/diagram-steps/filters", test_filters);
  g_test_add_func ("/diagram-steps/no-arc", test_no_arc);
  g_test_add_func ("/overview/shares", test_shares);
  return g_test_run ();
}
