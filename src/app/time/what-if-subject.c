/* SPDX-License-Identifier: Apache-2.0 */
/* The subjects of a what-if: those that an event has, and a menu for the row of a list. */
#include "app/time/what-if-subject.h"

#include <glib/gi18n.h>

#include "history/names.h"
#include "trace/quantities.h"

#define TARGET "(uuss)"

LcWhatIfSubject *
lc_what_if_subject_new (LcScaleKind kind, guint32 id, const char *name, const char *place)
{
  LcWhatIfSubject *subject = g_new (LcWhatIfSubject, 1);

  *subject = (LcWhatIfSubject){kind, id, lc_format_text (name), g_strdup (place)};
  return subject;
}

void
lc_what_if_subject_free (gpointer data)
{
  LcWhatIfSubject *subject = data;

  if (subject == NULL)
    return;
  g_free (subject->name);
  g_free (subject->place);
  g_free (subject);
}

char *
lc_what_if_subject_dup_title (const LcWhatIfSubject *subject)
{
  switch (subject->kind)
    {
    case LC_SCALE_OBJECT:
      return g_strdup_printf (_ ("Object %s"), subject->name);
    case LC_SCALE_REGION:
      return g_strdup_printf (_ ("Region %s"), subject->name);
    case LC_SCALE_PLACE:
      return g_strdup_printf (_ ("Line %s"), subject->name);
    case LC_SCALE_PROCESS:
      return g_strdup_printf (_ ("Process %s"), subject->name);
    case LC_SCALE_COMMUNICATION:
    case LC_SCALE_OPERATION:
    default:
      return g_strdup_printf (_ ("Operation %s"), subject->name);
    }
}

GVariant *
lc_what_if_subject_pack (LcScaleKind kind, guint32 id, const char *name, const char *place)
{
  g_autofree char *shown = lc_format_text (name);

  return g_variant_new (TARGET, (guint32)kind, id, shown, place != NULL ? place : "");
}

LcWhatIfSubject *
lc_what_if_subject_unpack (GVariant *target)
{
  const char *name, *place;
  guint32 kind, id;

  g_variant_get (target, "(uu&s&s)", &kind, &id, &name, &place);
  return lc_what_if_subject_new ((LcScaleKind)kind, id, name, place[0] != '\0' ? place : NULL);
}

/* --- What an event has ------------------------------------------------------------------------------------------- */

/* NULL: the file or the line is not known. */
static LcWhatIfSubject *
what_if_subject_new_line (const LcHistorySite *site)
{
  g_autofree char *file = NULL, *base = NULL, *name = NULL, *place = NULL;

  if (site == NULL || site->file == NULL || site->line == 0)
    return NULL;
  file = g_utf8_make_valid (site->file, -1);
  base = g_path_get_basename (file);
  name = g_strdup_printf ("%s:%u", base, site->line);
  place = g_strdup_printf ("line %s:%u", file, site->line);
  return lc_what_if_subject_new (LC_SCALE_PLACE, 0, name, place);
}

static gboolean
what_if_subject_is_region (LcHistory *history, guint32 object)
{
  LcHistoryObject described;
  gboolean is_region;

  if (!lc_history_get_object (history, object, &described, NULL))
    return FALSE;
  is_region = g_strcmp0 (described.class_name, "mark") == 0 || g_strcmp0 (described.class_name, "function") == 0;
  lc_history_object_clear (&described);
  return is_region;
}

GPtrArray *
lc_what_if_list_subjects (LcHistory *history, const LcHistoryEvent *event)
{
  g_autoptr (LcNames) names = lc_names_new (history);
  GPtrArray *list = g_ptr_array_new_with_free_func (lc_what_if_subject_free);
  const char *object = lc_names_object (names, event->object);
  const gboolean is_region = object != NULL && what_if_subject_is_region (history, event->object);
  LcWhatIfSubject *line = what_if_subject_new_line (lc_history_get_own_site (history, event->stack));

  if (!is_region)
    g_ptr_array_add (list, lc_what_if_subject_new (LC_SCALE_OPERATION, event->operation,
                                                   lc_names_operation (names, event->operation), NULL));
  if (object != NULL)
    g_ptr_array_add (
        list, lc_what_if_subject_new (is_region ? LC_SCALE_REGION : LC_SCALE_OBJECT, event->object, object, NULL));
  if (line != NULL)
    g_ptr_array_add (list, line);
  g_ptr_array_add (
      list, lc_what_if_subject_new (LC_SCALE_PROCESS, event->process, lc_names_process (names, event->process), NULL));
  return list;
}

/* --- The menu of a row ------------------------------------------------------------------------------------------- */

/* Underscores in names would be taken for mnemonics. */
static GMenu *
what_if_subject_new_menu (GVariant *target)
{
  g_autoptr (GString) label = g_string_new (_ ("_What if %s took another time…"));
  g_autoptr (GMenuItem) item = NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *name = NULL;
  GMenu *menu = g_menu_new ();
  const char *text;

  g_variant_get (target, "(uu&s&s)", NULL, NULL, &text, NULL);
  parts = g_strsplit (text, "_", -1);
  name = g_strjoinv ("__", parts);
  g_string_replace (label, "%s", name, 1);
  item = g_menu_item_new (label->str, NULL);
  g_menu_item_set_action_and_target_value (item, "win.what-if", target);
  g_menu_append_item (menu, item);
  return menu;
}

static gboolean
what_if_subject_remove_menu (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  g_object_unref (popover);
  return G_SOURCE_REMOVE;
}

/* The entry that was chosen is activated after the menu is closed, and needs it. */
static void
what_if_subject_on_closed (GtkPopover *popover)
{
  g_idle_add_full (G_PRIORITY_LOW, what_if_subject_remove_menu, g_object_ref (popover), NULL);
}

void
lc_what_if_pop_up (GtkWidget *widget, double x, double y, GVariant *target)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (target);
  g_autoptr (GMenu) menu = what_if_subject_new_menu (owned);
  GtkWidget *popover;

  popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_widget_set_parent (popover, widget);
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle){(int)x, (int)y, 1, 1});
  g_signal_connect (popover, "closed", G_CALLBACK (what_if_subject_on_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}
