/* SPDX-License-Identifier: Apache-2.0 */
/* An area that shows a picture, which a thread makes and paints: the last one stays until the next one has come. */
#ifndef LC_APP_PICTURE_AREA_H
#define LC_APP_PICTURE_AREA_H

#include <gtk/gtk.h>

#include "app/plots/picture-request.h"

/*
 * Its signal
 *
 *   settled (LcPictureArea *)   a picture has come, or an error, or the work was stopped
 *
 * What could not be made is told in the area itself; work that takes a while can be stopped there.
 */
#define LC_TYPE_PICTURE_AREA (lc_picture_area_get_type ())
G_DECLARE_FINAL_TYPE (LcPictureArea, lc_picture_area, LC, PICTURE_AREA, GtkWidget)

GtkWidget *lc_picture_area_new (void);

/* A sheet has the size of its request and is made smaller to fit; else the picture is made as large as the area. */
void lc_picture_area_set_sheet (LcPictureArea *area, gboolean sheet);

/* Takes the request; NULL: nothing. What is shown already is not made again. It is made when the area can be seen, and
 * a moment after the last change. */
void lc_picture_area_show (LcPictureArea *area, LcPictureRequest *request);

/* What is shown, until the main loop goes on; NULL: nothing, or only what is of no more use. */
LcPicture *lc_picture_area_get_picture (LcPictureArea *area);

/* A place of the widget on the picture. */
LcPlace lc_picture_area_get_place (LcPictureArea *area, double x, double y);

/* A part of the picture's plot, from left to right on the picture, that is marked. from >= to: none. */
void lc_picture_area_mark (LcPictureArea *area, double from, double to);

#endif
