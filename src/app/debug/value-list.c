/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the session's expressions, with what they were at the last stop. */
#include "app/debug/value-list.h"

#include <glib/gi18n.h>

#include "app/button-names.h"
#include "app/shown-text.h"

#define LIST "lc-value-session"
#define VALUE "lc-value"
#define EXPRESSION "lc-expression"

/* --- Rows -------------------------------------------------------------------------------------------------------- */

static LcSession *
value_list_get_session (GtkWidget *list)
{
  return g_object_get_data (G_OBJECT (list), LIST);
}

static void
value_list_remove (GtkButton *button, GtkListBoxRow *row)
{
  GtkWidget *list = gtk_widget_get_parent (GTK_WIDGET (row));

  lc_session_remove_expression (value_list_get_session (list), (guint)gtk_list_box_row_get_index (row));
}

static GtkWidget *
value_list_new_label (GtkWidget *texts, const char *text)
{
  GtkWidget *label = lc_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (label), 6);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "monospace");
  gtk_box_append (GTK_BOX (texts), label);
  return label;
}

static GtkWidget *
value_list_new_row (const char *expression)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *value;
  GtkWidget *remove = gtk_button_new_from_icon_name ("user-trash-symbolic");

  gtk_widget_add_css_class (value_list_new_label (texts, expression), "dim-label");
  value = value_list_new_label (texts, "–");
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_add_css_class (box, "listed");
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_valign (remove, GTK_ALIGN_CENTER);
  lc_tooltip_show (remove, _ ("Remove this expression"));
  g_signal_connect (remove, "clicked", G_CALLBACK (value_list_remove), row);
  gtk_box_append (GTK_BOX (box), texts);
  gtk_box_append (GTK_BOX (box), remove);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  g_object_set_data (G_OBJECT (row), VALUE, value);
  g_object_set_data_full (G_OBJECT (row), EXPRESSION, g_strdup (expression), g_free);
  return row;
}

/* --- Values ------------------------------------------------------------------------------------------------------ */

void
lc_value_list_show (GtkWidget *list, const char *expression, const char *text, gboolean failed)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), i)) != NULL; i++)
    {
      GtkWidget *value = g_object_get_data (G_OBJECT (row), VALUE);

      if (g_strcmp0 (g_object_get_data (G_OBJECT (row), EXPRESSION), expression) != 0)
        continue;
      lc_label_show (GTK_LABEL (value), text);
      lc_tooltip_show (value, text);
      gtk_widget_remove_css_class (value, "dim-label");
      if (failed)
        gtk_widget_add_css_class (value, "error");
      else
        gtk_widget_remove_css_class (value, "error");
    }
}

void
lc_value_list_fade (GtkWidget *list)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), i)) != NULL; i++)
    gtk_widget_add_css_class (g_object_get_data (G_OBJECT (row), VALUE), "dim-label");
}

/* --- The list ---------------------------------------------------------------------------------------------------- */

/* Rows of expressions that are still there keep their values. */
static void
value_list_refresh (GtkListBox *list)
{
  const GPtrArray *expressions = lc_session_get_expressions (value_list_get_session (GTK_WIDGET (list)));
  GtkListBoxRow *row;
  guint i = 0;

  while ((row = gtk_list_box_get_row_at_index (list, (int)i)) != NULL)
    {
      const char *expression = g_object_get_data (G_OBJECT (row), EXPRESSION);

      if (i < expressions->len && g_strcmp0 (expression, g_ptr_array_index (expressions, i)) == 0)
        i++;
      else
        gtk_list_box_remove (list, GTK_WIDGET (row));
    }
  for (; i < expressions->len; i++)
    gtk_list_box_append (list, value_list_new_row (g_ptr_array_index (expressions, i)));
  lc_name_buttons (GTK_WIDGET (list));
}

static void
value_list_on_changed (LcSession *session, guint what, GtkListBox *list)
{
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_BREAKPOINTS)) != 0)
    value_list_refresh (list);
}

GtkWidget *
lc_value_list_new (LcSession *session)
{
  GtkWidget *list = gtk_list_box_new ();

  g_object_set_data_full (G_OBJECT (list), LIST, g_object_ref (session), g_object_unref);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "listing");
  lc_accessible_show (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Values"));
  g_signal_connect_object (session, "changed", G_CALLBACK (value_list_on_changed), list, 0);
  value_list_refresh (GTK_LIST_BOX (list));
  return list;
}
