/* SPDX-License-Identifier: Apache-2.0 */
/* A container that its child may not fit into, so that the owner can hide parts of the child. */
#ifndef LC_APP_ROOM_H
#define LC_APP_ROOM_H

#include <gtk/gtk.h>

#define LC_TYPE_ROOM (lc_room_get_type ())
G_DECLARE_FINAL_TYPE (LcRoom, lc_room, LC, ROOM, GtkWidget)

/*
 * Has one child (property "child"), which cannot make it larger than its "width-request" and "height-request". The
 * signal "resized" follows each change of its size or of the child's minimum width; its handlers may show and hide
 * widgets.
 */
void lc_room_get_size (LcRoom *room, int *width, int *height);

#endif
