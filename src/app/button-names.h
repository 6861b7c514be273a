/* SPDX-License-Identifier: Apache-2.0 */
/* What a screen reader calls buttons that have an icon and no text. */
#ifndef LC_APP_BUTTON_NAMES_H
#define LC_APP_BUTTON_NAMES_H

#include <gtk/gtk.h>

/* Those within `root` (itself included) get their tooltip as their name: GTK itself would call them after their icon's
 * class. To be called when they are all there. */
void lc_name_buttons (GtkWidget *root);

#endif
