/* SPDX-License-Identifier: Apache-2.0 */
/* A place for what may need more room than there is, so that its owner can take something out of it. */
#ifndef LC_APP_ROOM_H
#define LC_APP_ROOM_H

#include <gtk/gtk.h>

#define LC_TYPE_ROOM (lc_room_get_type ())
G_DECLARE_FINAL_TYPE (LcRoom, lc_room, LC, ROOM, GtkWidget)

/*
 * Has one child (the property "child"), which does not make it larger than it is asked to be: "width-request" and
 * "height-request". The signal "resized" comes after each change of its size,
 * or of what its child needs, when widgets may be shown or hidden
 * again.
 */
void lc_room_get_size (LcRoom *room, int *width, int *height);

#endif
