/* SPDX-License-Identifier: Apache-2.0 */
/* The session and its player, without a window: steps back, the trail, the part in view, the head of a play. */
#include "app/play/player.h"
#include "../analysis/case.h"

static const char *const rounds[] = {"a", "0 10 tag value=1\n100 110 tag value=2\n900 1000 tag value=3\n", "b",
                                     "0 10 tag value=1\n300 310 tag value=2\n990 1000 tag value=3\n", NULL};

static LcSession *
open_session (const char *const *files, Case **trial)
{
  LcSession *session = lc_session_new ();
  g_autoptr (LcOpened) opened = NULL;

  *trial = case_new (files, NULL);
  opened = lc_opened_new (g_steal_pointer (&(*trial)->history), (*trial)->directory, FALSE);
  lc_session_open (session, opened);
  return session;
}

static void
check_span (LcSession *session, double from, double to)
{
  LcSpan span;

  lc_session_get_span (session, &span);
  g_assert_cmpfloat_with_epsilon (span.from, from, 1e-6);
  g_assert_cmpfloat_with_epsilon (span.to, to, 1e-6);
}

static void
check_head (LcSession *session, double from, double to)
{
  double head_from, head_to;

  g_assert_true (lc_session_get_head (session, &head_from, &head_to));
  g_assert_cmpfloat_with_epsilon (head_from, from, 1e-6);
  g_assert_cmpfloat_with_epsilon (head_to, to, 1e-6);
}

static void
test_span (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (rounds, &trial);

  check_span (session, 0, 1000);
  lc_session_zoom (session, 0.5, 500);
  check_span (session, 250, 750);
  lc_session_pan (session, 10000, 0);
  check_span (session, 500, 1000);
  lc_session_zoom (session, 1e-9, 1000);
  check_span (session, 996, 1000);
  lc_session_zoom (session, 1e9, 1000);
  check_span (session, 0, 1000);
  lc_session_set_span (session, &(LcSpan){100, 200, 0, 1}, TRUE);
  lc_session_fit (session);
  check_span (session, 0, 1000);
  g_assert_true (lc_session_step_back (session));
  check_span (session, 100, 200);
  g_assert_true (lc_session_step_back (session));
  check_span (session, 0, 1000);
  g_assert_false (lc_session_step_back (session));
}

static void
test_steps (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (rounds, &trial);
  const guint32 one[] = {1};

  lc_session_set_processes (session, one, 1);
  lc_session_set_time (session, LC_SCENE_LOGICAL);
  check_span (session, 1, 4);
  g_assert_cmpuint (lc_session_get_shown (session)->selection.n_processes, ==, 1);
  /* A hidden process is shown again when something of it is selected. */
  lc_session_select (session, 0, 2, TRUE);
  g_assert_cmpuint (lc_session_get_shown (session)->selection.n_processes, ==, 2);
  while (lc_session_step_back (session))
    ;
  g_assert_cmpuint (lc_session_get_shown (session)->selection.n_processes, ==, 2);
  g_assert_cmpint (lc_session_get_shown (session)->selection.time, ==, LC_SCENE_PHYSICAL);
  check_span (session, 0, 1000);
}

static void
check_selection (LcSession *session, guint32 process, guint64 ordinal)
{
  LcEventName name;

  lc_session_get_selection (session, &name);
  g_assert_cmpuint (name.process, ==, process);
  g_assert_cmpuint (name.ordinal, ==, ordinal);
}

static void
test_trail (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (rounds, &trial);

  g_assert_false (lc_session_can_go_back (session));
  for (guint64 ordinal = 0; ordinal < 3; ordinal++)
    lc_session_select (session, 1, ordinal, FALSE);
  lc_session_go_back (session);
  check_selection (session, 1, 1);
  lc_session_go_back (session);
  check_selection (session, 1, 0);
  g_assert_false (lc_session_can_go_back (session));
  lc_session_go_forward (session);
  check_selection (session, 1, 1);
  lc_session_select (session, 0, 0, FALSE);
  g_assert_false (lc_session_can_go_forward (session));
  lc_session_clear_selection (session);
  lc_session_go_back (session);
  check_selection (session, 0, 0);
}

static void
test_play_layers (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (rounds, &trial);
  g_autoptr (LcPlayer) player = lc_player_new (session);

  lc_session_set_time (session, LC_SCENE_LOGICAL);
  lc_player_play (player);
  check_head (session, 1, 2);
  lc_player_advance (player, 0.1);
  check_head (session, 1, 2);
  lc_player_advance (player, 0.2);
  check_head (session, 2, 3);
  lc_player_set_speed (player, 4);
  lc_player_advance (player, 0.1);
  check_head (session, 3, 4);
  lc_player_advance (player, 1);
  g_assert_false (lc_player_is_playing (player));
  check_head (session, 3, 4);
  lc_player_step (player, -1);
  check_head (session, 2, 3);
  lc_player_step (player, -10);
  check_head (session, 1, 2);
  lc_session_set_time (session, LC_SCENE_PHYSICAL);
  g_assert_cmpfloat (lc_player_get_share (player), ==, 0);
}

/* What is in view is played again and again, and the view goes with the head where it is not. */
static void
test_play_time (void)
{
  g_autoptr (Case) trial = NULL;
  g_autoptr (LcSession) session = open_session (rounds, &trial);
  g_autoptr (LcPlayer) player = lc_player_new (session);
  LcSpan span;

  lc_session_set_span (session, &(LcSpan){100, 300, 0, 2}, FALSE);
  lc_player_set_loop (player, TRUE);
  lc_player_play (player);
  check_head (session, 100, 102);
  lc_player_advance (player, 10);
  check_head (session, 200, 202);
  lc_player_advance (player, 10);
  check_head (session, 100, 102);
  g_assert_true (lc_player_is_playing (player));
  lc_player_set_loop (player, FALSE);
  lc_player_advance (player, 30);
  check_head (session, 400, 402);
  lc_session_get_span (session, &span);
  g_assert_cmpfloat (span.from, <=, 400);
  g_assert_cmpfloat (span.to, >=, 402);
  g_assert_cmpfloat_with_epsilon (span.to - span.from, 200, 1e-6);
  lc_player_set_share (player, 0.9);
  check_head (session, 900, 902);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/span", test_span);
  g_test_add_func ("/session/steps", test_steps);
  g_test_add_func ("/session/trail", test_trail);
  g_test_add_func ("/player/layers", test_play_layers);
  g_test_add_func ("/player/time", test_play_time);
  return g_test_run ();
}
