/* SPDX-License-Identifier: Apache-2.0 */
/* The player moves through a run by layers, phases or physical time, depending on the session's axis. */
#include "app/play/player.h"

#include <math.h>

#define LAYERS_A_SECOND 4.0
#define PHASES_A_SECOND 1.0
#define SECONDS_A_VIEW 20.0
#define PART_OF_VIEW 0.01 /* share of the view that is shown at once in physical time */

struct _LcPlayer
{
  GObject parent;

  LcSession *session;
  gboolean playing;
  gboolean loop;
  double speed;
  double loop_from; /* range of positions that is repeated */
  double loop_to;
  double passed; /* fraction of a step that is not carried out yet */
};

G_DEFINE_FINAL_TYPE (LcPlayer, lc_player, G_TYPE_OBJECT)

static guint changed_signal;

static void
lc_player_dispose (GObject *object)
{
  g_clear_object (&LC_PLAYER (object)->session);
  G_OBJECT_CLASS (lc_player_parent_class)->dispose (object);
}

static void
lc_player_class_init (LcPlayerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_player_dispose;
  changed_signal =
      g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_player_init (LcPlayer *player)
{
  player->speed = 1;
}

static void
player_on_changed (LcSession *session, guint what, LcPlayer *player)
{
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_TIME | LC_CHANGED_TIMELINE)) != 0)
    lc_player_stop (player);
}

LcPlayer *
lc_player_new (LcSession *session)
{
  LcPlayer *player = g_object_new (LC_TYPE_PLAYER, NULL);

  player->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (player_on_changed), player, 0);
  return player;
}

/* --- Positions of the head --------------------------------------------------------------------------------------- */

static const LcPhases *
get_phases (LcPlayer *player)
{
  const LcShown *shown = lc_session_get_shown (player->session);

  return shown != NULL && shown->selection.time == LC_SCENE_PHASE ? lc_kept_get (shown->phases) : NULL;
}

static double
get_phase_begin (const LcPhases *phases, guint32 phase)
{
  return phase < lc_phases_get_n (phases) ? (double)lc_phases_get (phases, phase)->position
                                          : (double)lc_phases_get_n_positions (phases);
}

/* Returns the phase that contains a position. */
static guint32
player_find_phase (const LcPhases *phases, double position)
{
  guint32 low = 0, high = lc_phases_get_n (phases);

  while (low + 1 < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (get_phase_begin (phases, middle) <= position)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* Returns the range that is shown at once with the head at a position. */
static void
get_window (LcPlayer *player, double position, double *from, double *to)
{
  const LcShown *shown = lc_session_get_shown (player->session);
  const LcPhases *phases = get_phases (player);
  LcSpan span;

  lc_session_get_span (player->session, &span);
  if (phases != NULL)
    {
      guint32 phase = player_find_phase (phases, position);

      *from = get_phase_begin (phases, phase);
      *to = MAX (get_phase_begin (phases, phase + 1), *from + 1);
    }
  else if (shown->selection.time != LC_SCENE_PHYSICAL)
    {
      *from = floor (position);
      *to = *from + 1;
    }
  else
    {
      *from = position;
      *to = position + MAX ((span.to - span.from) * PART_OF_VIEW, 1);
    }
}

/* Moves the view along with the head, a page at a time. */
static void
player_follow (LcPlayer *player, double from, double to)
{
  LcSpan span;
  double length;

  lc_session_get_span (player->session, &span);
  length = span.to - span.from;
  if (from >= span.from && to <= span.to)
    return;
  span.from = from - length / 20;
  span.to = span.from + length;
  lc_session_set_span (player->session, &span, FALSE);
}

static void
player_put (LcPlayer *player, double position)
{
  LcSpan whole;
  double from, to;

  lc_session_get_whole (player->session, &whole);
  position = CLAMP (position, whole.from, whole.to - 1);
  get_window (player, position, &from, &to);
  lc_session_begin (player->session);
  player_follow (player, from, MIN (to, whole.to));
  lc_session_set_head (player->session, from, to);
  lc_session_end (player->session);
}

/* Returns the position that some steps lead to. */
static double
player_move (LcPlayer *player, double position, double steps)
{
  const LcShown *shown = lc_session_get_shown (player->session);
  const LcPhases *phases = get_phases (player);
  LcSpan span;

  if (phases != NULL)
    {
      gint64 phase = (gint64)player_find_phase (phases, position) + (gint64)steps;

      return phase < 0 ? -1 : get_phase_begin (phases, (guint32)MIN (phase, lc_phases_get_n (phases)));
    }
  if (shown->selection.time != LC_SCENE_PHYSICAL)
    return floor (position) + steps;
  lc_session_get_span (player->session, &span);
  return position + steps * (span.to - span.from) * PART_OF_VIEW;
}

/* --- Playing -------------------------------------------------------------------------------------------------------
 */

gboolean
lc_player_is_playing (LcPlayer *player)
{
  return player->playing;
}

static void
set_playing (LcPlayer *player, gboolean playing)
{
  if (player->playing == playing)
    return;
  player->playing = playing;
  player->passed = 0;
  g_signal_emit (player, changed_signal, 0);
}

void
lc_player_play (LcPlayer *player)
{
  LcSpan whole, span;
  double from, to;

  if (lc_session_get_shown (player->session) == NULL)
    return;
  lc_session_get_whole (player->session, &whole);
  lc_session_get_span (player->session, &span);
  player->loop_from = span.from;
  player->loop_to = span.to;
  if (!lc_session_get_head (player->session, &from, &to))
    player_put (player, span.from);
  else if (to >= whole.to)
    player_put (player, whole.from);
  set_playing (player, TRUE);
}

void
lc_player_pause (LcPlayer *player)
{
  set_playing (player, FALSE);
}

void
lc_player_stop (LcPlayer *player)
{
  set_playing (player, FALSE);
  lc_session_clear_head (player->session);
}

void
lc_player_step (LcPlayer *player, int steps)
{
  double from, to;
  LcSpan span;

  if (lc_session_get_shown (player->session) == NULL)
    return;
  lc_session_get_span (player->session, &span);
  if (!lc_session_get_head (player->session, &from, &to))
    player_put (player, span.from);
  else
    player_put (player, player_move (player, from, steps));
}

static double
get_steps_a_second (LcPlayer *player)
{
  const LcShown *shown = lc_session_get_shown (player->session);

  switch (shown->selection.time)
    {
    case LC_SCENE_LOGICAL:
      return LAYERS_A_SECOND;
    case LC_SCENE_PHASE:
      return PHASES_A_SECOND;
    case LC_SCENE_PHYSICAL:
    default:
      return 1 / (SECONDS_A_VIEW * PART_OF_VIEW);
    }
}

void
lc_player_advance (LcPlayer *player, double seconds)
{
  const LcShown *shown = lc_session_get_shown (player->session);
  double from, to, steps, end, next;
  LcSpan whole;

  if (!player->playing || shown == NULL || !lc_session_get_head (player->session, &from, &to))
    return;
  lc_session_get_whole (player->session, &whole);
  end = player->loop ? MIN (player->loop_to, whole.to) : whole.to;
  player->passed += seconds * player->speed * get_steps_a_second (player);
  steps = shown->selection.time == LC_SCENE_PHYSICAL ? player->passed : floor (player->passed);
  if (steps <= 0)
    return;
  player->passed -= steps;
  next = player_move (player, from, steps);
  if (next < end)
    player_put (player, next);
  else if (player->loop)
    player_put (player, player->loop_from);
  else
    {
      player_put (player, whole.to - 1);
      lc_player_pause (player);
    }
}

void
lc_player_set_speed (LcPlayer *player, double speed)
{
  player->speed = speed;
  g_signal_emit (player, changed_signal, 0);
}

void
lc_player_set_loop (LcPlayer *player, gboolean loop)
{
  player->loop = loop;
  g_signal_emit (player, changed_signal, 0);
}

double
lc_player_get_share (LcPlayer *player)
{
  double from, to;
  LcSpan whole;

  if (!lc_session_get_head (player->session, &from, &to))
    return 0;
  lc_session_get_whole (player->session, &whole);
  return (from - whole.from) / (whole.to - whole.from);
}

void
lc_player_set_share (LcPlayer *player, double share)
{
  LcSpan whole;

  if (lc_session_get_shown (player->session) == NULL)
    return;
  lc_session_get_whole (player->session, &whole);
  player_put (player, whole.from + share * (whole.to - whole.from));
}
