/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the diagram as it is seen to the clipboard: as pixels, as SVG, and as a sentence. */
#ifndef LC_APP_COPY_PICTURE_H
#define LC_APP_COPY_PICTURE_H

#include <gtk/gtk.h>

/* Adds win.copy-picture to the class of a browser's window. */
void lc_copy_picture_install_actions (GtkWidgetClass *class);

#endif
