/* SPDX-License-Identifier: Apache-2.0 */
/* The shots of a diagram's area: which to take, which to keep, and in which order to draw them. */
#ifndef LC_APP_SHOTS_H
#define LC_APP_SHOTS_H

#include "app/session/session.h"
#include "app/diagram/shot.h"
#include "app/diagram/time-change.h"

/*
 * The view is taken with a margin around it, so that panning finds something to show. Until a sharp shot has come, the
 * last shots are moved and stretched, above a shot of the whole run. One shot is taken at a time; the next one is of
 * the view at that time. A shot that is no longer useful is given up, but never two in a row, so that the picture is
 * renewed even during a long movement.
 *
 * An LcShots belongs to the main thread.
 */
typedef struct _LcShots LcShots;

typedef struct
{
  void (*arrived) (gpointer data);                     /* there is something new to draw */
  void (*turned) (gpointer data);                      /* the shown choices have changed: see lc_shots_draw */
  void (*failed) (const GError *error, gpointer data); /* called once for each combination of choices */
} LcShotsEvents;

LcShots *lc_shots_new (const LcShotsEvents *events, gpointer data);
void lc_shots_free (LcShots *shots);

/* Sets the view to show, and the span of the whole run. NULL: none; all shots are freed. */
void lc_shots_look (LcShots *shots, const LcShotSubject *subject, const LcSpan *whole);

/* Draws the shots. `progress`, 0 to 1: how far the layer before `turned` has faded out; at 1 it is freed. `renderer` is
 * the one that the snapshot is for. FALSE: there is nothing to draw yet. */
gboolean lc_shots_draw (LcShots *shots, GtkSnapshot *snapshot, GskRenderer *renderer, double progress);

/* Returns the scene of the view; NULL: no shot on the current axes is visible yet. */
const LcScene *lc_shots_get_scene (LcShots *shots);

/* Finds what is at a place of the view. `pick` is valid until the next call. */
gboolean lc_shots_pick (LcShots *shots, LcPlace place, double margin, LcPick *pick);

/* Returns the sides of a change from `before` to `now`, as long as the former has not faded out. Scenes are valid until
 * the main loop goes on. */
gboolean lc_shots_get_sides (LcShots *shots, LcTimeChangeSide *before, LcTimeChangeSide *now);

/* Tells whether the whole view is painted, as sharp as it gets. */
gboolean lc_shots_are_sharp (LcShots *shots);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcShots, lc_shots_free)

#endif
