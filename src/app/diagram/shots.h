/* SPDX-License-Identifier: Apache-2.0 */
/* The shots that a diagram's area has and waits for: which are taken, kept, and drawn on which. */
#ifndef LC_APP_SHOTS_H
#define LC_APP_SHOTS_H

#include "app/session/session.h"
#include "app/diagram/shot.h"
#include "app/diagram/time-change.h"

/*
 * What is in view is taken with a margin around it, so that panning finds something to show. While nothing sharp is
 * there the last shots are moved and stretched, and below them lies one of the whole run. One shot at a time is being
 * taken; when it is there, the next one is of what is in view by then. One that has become of no use is given up, but
 * never two in a row, so that whoever does not stop moving sees something too.
 *
 * It belongs to the main thread.
 */
typedef struct _LcShots LcShots;

typedef struct
{
  void (*arrived) (gpointer data);                     /* there is something new to draw */
  void (*turned) (gpointer data);                      /* something else is shown from now on: see lc_shots_draw */
  void (*failed) (const GError *error, gpointer data); /* once for each thing that is shown */
} LcShotsEvents;

LcShots *lc_shots_new (const LcShotsEvents *events, gpointer data);
void lc_shots_free (LcShots *shots);

/* What is to be seen now, and all that there is. NULL: nothing; all is forgotten. */
void lc_shots_look (LcShots *shots, const LcShotSubject *subject, const LcSpan *whole);

/* `progress`, 0 to 1: how far what was shown before has given way since `turned`. At 1 it is forgotten. FALSE: there is
 * nothing to draw yet. `renderer` is what the snapshot is for. */
gboolean lc_shots_draw (LcShots *shots, GtkSnapshot *snapshot, GskRenderer *renderer, double progress);

/* Of what is in view; NULL: what is seen lies on other axes than what is to be seen, or nothing is. */
const LcScene *lc_shots_get_scene (LcShots *shots);

/* What is at a place of what is in view. `pick` is good until the next one. */
gboolean lc_shots_pick (LcShots *shots, LcPlace place, double margin, LcPick *pick);

/* What was seen before, and what is now: while the former is there yet. Scenes are good until the main loop goes on. */
gboolean lc_shots_get_sides (LcShots *shots, LcTimeChangeSide *before, LcTimeChangeSide *now);

/* Whether all that is in view is there, and as sharp as it gets. */
gboolean lc_shots_are_sharp (LcShots *shots);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcShots, lc_shots_free)

#endif
