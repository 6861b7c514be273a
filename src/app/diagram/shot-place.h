/* SPDX-License-Identifier: Apache-2.0 */
/* Where a shot lies in a view that has moved on, and which part is taken for a view. */
#ifndef LC_APP_SHOT_PLACE_H
#define LC_APP_SHOT_PLACE_H

#include "app/session/session.h"
#include "app/diagram/shot.h"

/* The view that is taken when this one is wanted: with a margin (its share of the view) on each side, within the whole.
 * Its area is some whole pixels. `like` (or NULL): patterns go on where they were in that one, if it is as large.
 * `seen`: where in its area what is wanted lies. */
void lc_shot_choose_view (const LcDiagramView *wanted, const LcSpan *whole, double margin, int pixels,
                          const LcShot *like, LcDiagramView *view, LcRectangle *seen);

/* Whether it is as large as this view asks for, to less than a pixel; then it is only moved, by whole pixels. */
gboolean lc_shot_is_as_large (const LcShot *shot, const LcDiagramView *view);

/* Whether it is of all that is in view; of all of it; and of how much. */
gboolean lc_shot_covers (const LcShot *shot, const LcDiagramView *view);
gboolean lc_shot_has (const LcShot *shot, const LcSpan *span);
double lc_shot_get_use (const LcShot *shot, const LcDiagramView *view);

/* Whether nothing better need be taken: it is as large as this view, covers it, and half of the margin is left. */
gboolean lc_shot_fits (const LcShot *shot, const LcDiagramView *view, const LcSpan *whole);

/* Whether all of the view is hidden when it is drawn. */
gboolean lc_shot_hides (const LcShot *shot, const LcDiagramView *view);

/* What is painted of it, moved and stretched to where it lies in the view's area: as textures, for a renderer that
 * keeps them in the graphics card, or else with Cairo. */
void lc_shot_draw (const LcShot *shot, const LcDiagramView *view, GtkSnapshot *snapshot);
void lc_shot_draw_with_cairo (const LcShot *shot, const LcDiagramView *view, cairo_t *cairo);

#endif
