/* SPDX-License-Identifier: Apache-2.0 */
/* The one way of texts into widgets: whatever names of a trace are made of, they cannot turn or hide what is around. */
#ifndef LC_APP_SHOWN_TEXT_H
#define LC_APP_SHOWN_TEXT_H

#include <adwaita.h>

/* All of these take any text, NULL too, and show it as lc_format_lines has it. */

GtkWidget *lc_label_new (const char *text);
void lc_label_show (GtkLabel *label, const char *text);

/* NULL: no tooltip. */
void lc_tooltip_show (GtkWidget *widget, const char *text);

/* What a screen reader is told: a name, a description or the text of a value. */
void lc_accessible_show (GtkAccessible *accessible, GtkAccessibleProperty property, const char *text);

void lc_window_show_title (GtkWindow *window, const char *text);
void lc_window_title_show (AdwWindowTitle *title, const char *text);
void lc_window_title_show_subtitle (AdwWindowTitle *title, const char *text);

/* For what takes markup only: a text without any. */
char *lc_shown_dup_markup (const char *text);

#endif
