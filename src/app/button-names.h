/* SPDX-License-Identifier: Apache-2.0 */
/* Names of buttons for screen readers. */
#ifndef LC_APP_BUTTON_NAMES_H
#define LC_APP_BUTTON_NAMES_H

#include <gtk/gtk.h>

/* Names buttons within `root` (and `root` itself) that have an icon but no text after their tooltips; GTK would use the
 * class of the icon. Labels with a mnemonic are then read once, not twice. Call it when all widgets are there. */
void lc_name_buttons (GtkWidget *root);

#endif
