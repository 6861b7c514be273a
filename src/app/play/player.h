/* SPDX-License-Identifier: Apache-2.0 */
/* The player: goes through a run layer by layer, phase by phase, or through time, as the session's axis is. */
#ifndef LC_APP_PLAYER_H
#define LC_APP_PLAYER_H

#include "app/session/session.h"

/*
 * It moves the session's head, and the part in view with it. It knows no clock: whoever has one tells it how much time
 * has passed. Its signal
 *
 *   changed (LcPlayer *)   it plays or does not, or plays in another way
 */
#define LC_TYPE_PLAYER (lc_player_get_type ())
G_DECLARE_FINAL_TYPE (LcPlayer, lc_player, LC, PLAYER, GObject)

LcPlayer *lc_player_new (LcSession *session);

gboolean lc_player_is_playing (LcPlayer *player);

/* From the head on; from the first position in view if there is no head, or it is at the end. */
void lc_player_play (LcPlayer *player);
void lc_player_pause (LcPlayer *player);

/* The head goes away as well. */
void lc_player_stop (LcPlayer *player);

/* So many layers, phases, or hundredths of what is in view, forwards or backwards. */
void lc_player_step (LcPlayer *player, int steps);

/* 1: four layers or one phase a second, or what is in view in twenty. */
void lc_player_set_speed (LcPlayer *player, double speed);

/* What was in view when it began to play is played again and again. */
void lc_player_set_loop (LcPlayer *player, gboolean loop);

/* Where the head is, 0 to 1 of the whole run; and to put it there. */
double lc_player_get_share (LcPlayer *player);
void lc_player_set_share (LcPlayer *player, double share);

/* Time has passed. */
void lc_player_advance (LcPlayer *player, double seconds);

#endif
