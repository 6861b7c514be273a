/* SPDX-License-Identifier: Apache-2.0 */
/* The one way of texts into widgets: control characters in the names of a trace cannot hide or reorder text around
 * them. */
#ifndef LC_APP_SHOWN_TEXT_H
#define LC_APP_SHOWN_TEXT_H

#include <adwaita.h>

/* All functions take any text or NULL, and show it as lc_format_lines formats it. */

GtkWidget *lc_label_new (const char *text);
void lc_label_show (GtkLabel *label, const char *text);

/* NULL: no tooltip. */
void lc_tooltip_show (GtkWidget *widget, const char *text);

/* Sets a name, a description or the text of a value for screen readers. */
void lc_accessible_show (GtkAccessible *accessible, GtkAccessibleProperty property, const char *text);

void lc_window_show_title (GtkWindow *window, const char *text);
void lc_window_title_show (AdwWindowTitle *title, const char *text);
void lc_window_title_show_subtitle (AdwWindowTitle *title, const char *text);

/* Returns a name that an analysis has found as a text; "(unknown)" and "(none)" are words for it, as they stand in
 * tables. */
char *lc_shown_dup_name (const char *name);

/* Escapes a text for a property that takes markup only. */
char *lc_shown_dup_markup (const char *text);

#endif
