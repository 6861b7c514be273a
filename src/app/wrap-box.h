/* SPDX-License-Identifier: Apache-2.0 */
/* A box whose children stand beside each other, and go on in the next line where there is no room. */
#ifndef LC_APP_WRAP_BOX_H
#define LC_APP_WRAP_BOX_H

#include <gtk/gtk.h>

#define LC_TYPE_WRAP_BOX (lc_wrap_box_get_type ())
G_DECLARE_FINAL_TYPE (LcWrapBox, lc_wrap_box, LC, WRAP_BOX, GtkWidget)

/* `name` is its node in the style sheet; children are added with gtk_widget_set_parent, and unparented by the box. */
GtkWidget *lc_wrap_box_new (const char *name, GtkAccessibleRole role);

#endif
