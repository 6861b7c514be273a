/* SPDX-License-Identifier: Apache-2.0 */
/* What a screen reader calls buttons. */
#ifndef LC_APP_BUTTON_NAMES_H
#define LC_APP_BUTTON_NAMES_H

#include <gtk/gtk.h>

/* Of those within `root` (itself included), what has an icon and no text gets its tooltip as its name: GTK itself would
 * call it after its icon's class. A text with a mnemonic is said once, not twice. To be called when they are all
 * there. */
void lc_name_buttons (GtkWidget *root);

#endif
