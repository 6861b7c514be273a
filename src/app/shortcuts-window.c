/* SPDX-License-Identifier: Apache-2.0 */
/* The window that lists all keyboard shortcuts. */
#include "app/shortcuts-window.h"

#include <glib/gi18n.h>

#include "app/shortcuts.h"
#include "app/shown-text.h"

static void
shortcuts_window_add_element (GString *text, const char *class, const char *title, const char *inside)
{
  g_autofree char *escaped = lc_shown_dup_markup (title);

  g_string_append_printf (text,
                          "<child><object class=\"%s\"><property name=\"visible\">1</property>"
                          "<property name=\"title\">%s</property>%s</object></child>",
                          class, escaped, inside);
}

static void
add_shortcut (GString *text, const LcShortcut *shortcut)
{
  g_autofree char *keys = lc_shown_dup_markup (shortcut->accelerator);
  g_autofree char *property = g_strdup_printf ("<property name=\"accelerator\">%s</property>", keys);

  shortcuts_window_add_element (text, "GtkShortcutsShortcut", _ (shortcut->title), property);
}

/* Groups appear in the order of their first shortcuts; the shortcuts of a group need not be adjacent in the table. */
static void
add_groups (GString *text)
{
  gsize n_shortcuts;
  const LcShortcut *shortcuts = lc_shortcuts_get (&n_shortcuts);
  g_autoptr (GHashTable) done = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; i < n_shortcuts; i++)
    {
      g_autoptr (GString) group = g_string_new (NULL);

      if (!g_hash_table_add (done, (gpointer)shortcuts[i].group))
        continue;
      for (gsize j = i; j < n_shortcuts; j++)
        if (g_str_equal (shortcuts[j].group, shortcuts[i].group))
          add_shortcut (group, &shortcuts[j]);
      shortcuts_window_add_element (text, "GtkShortcutsGroup", _ (shortcuts[i].group), group->str);
    }
}

/* Makes the window when it is asked for: most users never open it. */
static void
shortcuts_window_make (GtkApplicationWindow *window)
{
  g_autoptr (GString) text = g_string_new (
      "<interface><object class=\"GtkShortcutsWindow\" id=\"window\"><property name=\"modal\">1</property>"
      "<child><object class=\"GtkShortcutsSection\"><property name=\"section-name\">all</property>"
      "<property name=\"visible\">1</property><property name=\"max-height\">14</property>");
  g_autoptr (GtkBuilder) builder = NULL;

  add_groups (text);
  g_string_append (text, "</object></child></object></interface>");
  builder = gtk_builder_new_from_string (text->str, (gssize)text->len);
  gtk_application_window_set_help_overlay (window, GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "window")));
}

static void
shortcuts_window_show (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkApplicationWindow *window = data;

  if (gtk_application_window_get_help_overlay (window) == NULL)
    shortcuts_window_make (window);
  gtk_window_present (GTK_WINDOW (gtk_application_window_get_help_overlay (window)));
}

static const GActionEntry entries[] = {{.name = "show-help-overlay", .activate = shortcuts_window_show}};

void
lc_shortcuts_window_add (GtkApplicationWindow *window)
{
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), window);
}
