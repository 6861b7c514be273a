/* SPDX-License-Identifier: Apache-2.0 */
/* An area for a picture that a thread makes and paints; the last picture stays until the next one has come. */
#ifndef LC_APP_PICTURE_AREA_H
#define LC_APP_PICTURE_AREA_H

#include <gtk/gtk.h>

#include "app/plots/picture-request.h"

/*
 * Its signal
 *
 *   settled (LcPictureArea *)   a picture or an error has come, or the work was stopped
 *   placed (LcPictureArea *)    it has got a place or a size, a moment ago
 *
 * Errors are shown in the area itself, with a button to stop work that takes long.
 */
#define LC_TYPE_PICTURE_AREA (lc_picture_area_get_type ())
G_DECLARE_FINAL_TYPE (LcPictureArea, lc_picture_area, LC, PICTURE_AREA, GtkWidget)

/* A sheet has the size of its request, and is scaled down to fit; otherwise the picture is as large as the area. */
void lc_picture_area_set_sheet (LcPictureArea *area, gboolean sheet);

/* Shows the picture of a request, and takes ownership of it; NULL: none. A picture that is already shown is not made
 * again. Pictures are made while the area is visible, a moment after the last change. */
void lc_picture_area_show (LcPictureArea *area, LcPictureRequest *request);

/* Returns the shown picture, valid until the main loop goes on; NULL: there is none, or it is outdated. */
LcPicture *lc_picture_area_get_picture (LcPictureArea *area);

/* Converts a place of the widget to one of the picture. */
LcPlace lc_picture_area_get_place (LcPictureArea *area, double x, double y);

/* Marks a range of the picture's plot in the direction of time, in coordinates of the picture. from >= to: no mark. */
void lc_picture_area_mark (LcPictureArea *area, double from, double to);

/* Draws an outline around a part of the picture, in its coordinates. NULL: none. */
void lc_picture_area_outline (LcPictureArea *area, const LcRectangle *outline);

#endif
