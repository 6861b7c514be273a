/* SPDX-License-Identifier: Apache-2.0 */
/* The geometry of shots: where a shot lies in a view that has moved on, and which part to take for a view. */
#ifndef LC_APP_SHOT_PLACE_H
#define LC_APP_SHOT_PLACE_H

#include "app/session/session.h"
#include "app/diagram/shot.h"

/* Chooses the view of the next shot: the wanted view with a margin on each side (a share of the view), within the whole
 * run, its area in whole pixels. `like` (or NULL): a shot of the same scale whose fill patterns are continued. `seen`
 * is set to the place of the wanted view in the shot's area. */
void lc_shot_choose_view (const LcDiagramView *wanted, const LcSpan *whole, double margin, int pixels,
                          const LcShot *like, LcDiagramView *view, LcRectangle *seen);

/* Tells whether a shot has the scale of this view, to within a pixel; then it is only moved, by whole pixels. */
gboolean lc_shot_is_as_large (const LcShot *shot, const LcDiagramView *view);

/* Tell whether a shot covers the view or the span, and how much of the view it covers. */
gboolean lc_shot_covers (const LcShot *shot, const LcDiagramView *view);
gboolean lc_shot_has (const LcShot *shot, const LcSpan *span);
double lc_shot_get_use (const LcShot *shot, const LcDiagramView *view);

/* Tells whether no better shot is needed: this one has the scale of the view, covers it, and half of its margin is
 * left. */
gboolean lc_shot_fits (const LcShot *shot, const LcDiagramView *view, const LcSpan *whole);

/* Tells whether drawing the shot hides all that is below it in the view. */
gboolean lc_shot_hides (const LcShot *shot, const LcDiagramView *view);

/* Draw the painted tiles, moved and stretched to their place in the view's area: as textures for renderers that keep
 * them on the graphics card, else with Cairo. */
void lc_shot_draw (const LcShot *shot, const LcDiagramView *view, GtkSnapshot *snapshot);
void lc_shot_draw_with_cairo (const LcShot *shot, const LcDiagramView *view, cairo_t *cairo);

#endif
