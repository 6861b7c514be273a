/* SPDX-License-Identifier: Apache-2.0 */
/* The one way of texts into widgets: control characters in the names of a trace cannot hide or reorder text around
 * them. */
#include "app/shown-text.h"

#include <glib/gi18n.h>

#include "trace/quantities.h"

GtkWidget *
lc_label_new (const char *text)
{
  g_autofree char *shown = lc_format_lines (text);

  return gtk_label_new (shown);
}

void
lc_label_show (GtkLabel *label, const char *text)
{
  g_autofree char *shown = lc_format_lines (text);

  gtk_label_set_text (label, shown);
}

void
lc_tooltip_show (GtkWidget *widget, const char *text)
{
  g_autofree char *shown = text != NULL ? lc_format_lines (text) : NULL;

  gtk_widget_set_tooltip_text (widget, shown);
}

void
lc_accessible_show (GtkAccessible *accessible, GtkAccessibleProperty property, const char *text)
{
  g_autofree char *shown = lc_format_lines (text);

  gtk_accessible_update_property (accessible, property, shown, -1);
}

void
lc_window_show_title (GtkWindow *window, const char *text)
{
  g_autofree char *shown = lc_format_lines (text);

  gtk_window_set_title (window, shown);
}

void
lc_window_title_show (AdwWindowTitle *title, const char *text)
{
  g_autofree char *shown = lc_format_lines (text);

  adw_window_title_set_title (title, shown);
}

void
lc_window_title_show_subtitle (AdwWindowTitle *title, const char *text)
{
  g_autofree char *shown = lc_format_lines (text);

  adw_window_title_set_subtitle (title, shown);
}

char *
lc_shown_dup_name (const char *name)
{
  if (g_str_equal (name, "(unknown)"))
    return g_strdup (_ ("(unknown)"));
  return g_str_equal (name, "(none)") ? g_strdup (_ ("(none)")) : lc_format_text (name);
}

char *
lc_shown_dup_markup (const char *text)
{
  g_autofree char *shown = lc_format_lines (text);

  return g_markup_escape_text (shown, -1);
}
