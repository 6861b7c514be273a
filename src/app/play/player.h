/* SPDX-License-Identifier: Apache-2.0 */
/* The player moves through a run by layers, phases or physical time, depending on the session's axis. */
#ifndef LC_APP_PLAYER_H
#define LC_APP_PLAYER_H

#include "app/session/session.h"

/*
 * The player moves the session's head, and the part in view along with it. It has no clock: its owner calls
 * lc_player_advance. Its signal
 *
 *   changed (LcPlayer *)   playing, speed or loop have changed
 */
#define LC_TYPE_PLAYER (lc_player_get_type ())
G_DECLARE_FINAL_TYPE (LcPlayer, lc_player, LC, PLAYER, GObject)

LcPlayer *lc_player_new (LcSession *session);

gboolean lc_player_is_playing (LcPlayer *player);

/* Plays from the head on, or from the begin of the view if there is no head or it is at the end. */
void lc_player_play (LcPlayer *player);
void lc_player_pause (LcPlayer *player);

/* Stops playing, and removes the head. */
void lc_player_stop (LcPlayer *player);

/* Moves by layers, phases, or hundredths of the view, forwards or backwards. */
void lc_player_step (LcPlayer *player, int steps);

/* Speed 1 means four layers or one phase a second, or the length of the view in twenty seconds. */
void lc_player_set_speed (LcPlayer *player, double speed);

/* Repeats the part that was in view when playing began. */
void lc_player_set_loop (LcPlayer *player, gboolean loop);

/* Get and set the head as a share of the whole run, 0 to 1. */
double lc_player_get_share (LcPlayer *player);
void lc_player_set_share (LcPlayer *player, double share);

/* Lets the player go on by some time. */
void lc_player_advance (LcPlayer *player, double seconds);

#endif
