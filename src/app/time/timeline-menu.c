/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline menu of the header bar: its label always names the shown timeline, and its menu offers the others. */
#include "app/time/timeline-menu.h"

#include <glib/gi18n.h>

#include "app/shown-text.h"
#include "app/time/timeline-actions.h"
#include "lightcone/what-if.h"

#define WIDEST_LABEL 40 /* characters */
#define LEAST_LABEL 6

typedef struct
{
  LcSession *session;
  GtkMenuButton *button; /* owns this struct */
  GtkLabel *label;
} Menu;

/* --- The label -----------------------------------------------------------------------------------------------------
 */

static const LcHistoryTimeline *
timeline_menu_find (LcSession *session, guint32 number)
{
  GPtrArray *list = lc_session_get_timelines (session);

  for (guint i = 0; list != NULL && i < list->len; i++)
    if (((const LcHistoryTimeline *)list->pdata[i])->id == number)
      return list->pdata[i];
  return NULL;
}

/* Gives "Measured", "Approximated: event", "What if: await × 0". */
static char *
timeline_menu_dup_title (const LcHistoryTimeline *timeline)
{
  g_autofree char *question = timeline != NULL ? lc_what_if_dup_question (timeline) : NULL;

  if (timeline == NULL || timeline->id == LC_TIMELINE_MEASURED)
    return g_strdup (_ ("Measured"));
  if (question != NULL)
    return lc_what_if_has_own_name (timeline, question)
               ? g_strdup_printf (_ ("%s (what if: %s)"), timeline->name, question)
               : g_strdup_printf (_ ("What if: %s"), question);
  if (timeline->model == NULL || g_str_equal (timeline->model, timeline->name))
    return g_strdup_printf (_ ("Approximated: %s"), timeline->name);
  return g_strdup_printf (_ ("Approximated: %s (%s)"), timeline->name, timeline->model);
}

static char *
timeline_menu_dup_label (LcSession *session)
{
  const LcShown *shown = lc_session_get_shown (session);
  g_autofree char *way = lc_timeline_dup_way (session), *first = NULL;
  const char *beside;

  if (shown == NULL)
    return g_strdup (_ ("Measured"));
  if (way != NULL)
    return g_strdup_printf ("%c%s", g_ascii_toupper (way[0]), way + 1);
  first = timeline_menu_dup_title (timeline_menu_find (session, shown->timeline));
  beside = shown->selection.time == LC_SCENE_PHYSICAL && shown->beside != LC_TRACE_NONE
               ? lc_session_get_timeline_title (session, shown->beside)
               : NULL;
  /* TRANSLATORS: "Approximated: event, beside measured" */
  return beside != NULL ? g_strdup_printf (_ ("%s, beside %s"), first, beside) : g_steal_pointer (&first);
}

static void
timeline_menu_update_label (const Menu *menu)
{
  const LcShown *shown = lc_session_get_shown (menu->session);
  g_autofree char *text = timeline_menu_dup_label (menu->session);
  gboolean approximated = shown != NULL && (shown->timeline != LC_TIMELINE_MEASURED || shown->beside != LC_TRACE_NONE);

  lc_label_show (menu->label, text);
  lc_tooltip_show (GTK_WIDGET (menu->button), text);
  lc_accessible_show (GTK_ACCESSIBLE (menu->button), GTK_ACCESSIBLE_PROPERTY_LABEL, text);
  if (approximated)
    gtk_widget_add_css_class (GTK_WIDGET (menu->button), "approximated");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (menu->button), "approximated");
  gtk_widget_set_sensitive (GTK_WIDGET (menu->button), shown != NULL);
}

/* --- The menu ------------------------------------------------------------------------------------------------------
 */

static char *
dup_item (const LcHistoryTimeline *timeline)
{
  g_autofree char *title = timeline_menu_dup_title (timeline);
  /* Underscores would be taken for mnemonics. */
  g_auto (GStrv) parts = g_strsplit (title, "_", -1);

  return g_strjoinv ("__", parts);
}

static void
timeline_menu_append (GMenu *menu, const char *label, const char *action, const char *target)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, target != NULL ? "s" : NULL, target);
  g_menu_append_item (menu, item);
}

static void
timeline_menu_add_section (GMenu *menu, const char *label, GMenu *section)
{
  g_menu_append_section (menu, label, G_MENU_MODEL (section));
  g_object_unref (section);
}

static void
update_menu (const Menu *menu)
{
  g_autoptr (GMenu) all = g_menu_new ();
  GMenu *timelines = g_menu_new (), *beside = g_menu_new (), *more = g_menu_new ();
  g_autoptr (GMenu) deleting = g_menu_new ();
  GPtrArray *list = lc_session_get_timelines (menu->session);

  for (guint i = 0; list != NULL && i < list->len; i++)
    {
      const LcHistoryTimeline *timeline = g_ptr_array_index (list, i);
      g_autofree char *label = dup_item (timeline);

      timeline_menu_append (timelines, label, "win.timeline", timeline->name);
      if (timeline->id != LC_TIMELINE_MEASURED)
        timeline_menu_append (deleting, label, "win.delete-timeline", timeline->name);
    }
  timeline_menu_append (beside, _ ("Beside _what was measured"), "win.beside", NULL);
  timeline_menu_append (beside, _ ("_Bounds of each end"), "win.bounds", NULL);
  timeline_menu_append (more, _ ("_Approximate…"), "win.approximate", NULL);
  timeline_menu_append (more, _ ("_What if…"), "win.what-if-any", NULL);
  if (g_menu_model_get_n_items (G_MENU_MODEL (deleting)) > 0)
    g_menu_append_submenu (more, _ ("_Delete"), G_MENU_MODEL (deleting));
  timeline_menu_append (more, _ ("Back to _measured"), "win.measured", NULL);
  timeline_menu_add_section (all, _ ("Timeline"), timelines);
  timeline_menu_add_section (all, NULL, beside);
  timeline_menu_add_section (all, NULL, more);
  gtk_menu_button_set_menu_model (menu->button, G_MENU_MODEL (all));
}

static void
timeline_menu_on_changed (LcSession *session, guint what, const Menu *menu)
{
  if (what & (LC_CHANGED_HISTORY | LC_CHANGED_TIMELINES))
    update_menu (menu);
  if (what & (LC_CHANGED_HISTORY | LC_CHANGED_TIMELINES | LC_CHANGED_TIMELINE | LC_CHANGED_TIME))
    timeline_menu_update_label (menu);
}

static void
free_menu (gpointer data, GObject *button)
{
  Menu *menu = data;

  g_signal_handlers_disconnect_by_data (menu->session, menu);
  g_object_unref (menu->session);
  g_free (menu);
}

GtkWidget *
lc_timeline_menu_new (LcSession *session)
{
  GtkWidget *button = gtk_menu_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  Menu *menu = g_new0 (Menu, 1);

  menu->session = g_object_ref (session);
  menu->button = GTK_MENU_BUTTON (button);
  menu->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (menu->label, PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (menu->label, LEAST_LABEL);
  gtk_label_set_max_width_chars (menu->label, WIDEST_LABEL);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (menu->label));
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("pan-down-symbolic"));
  gtk_menu_button_set_child (menu->button, box);
  gtk_widget_add_css_class (button, "timeline");
  g_object_weak_ref (G_OBJECT (button), free_menu, menu);
  g_signal_connect (session, "changed", G_CALLBACK (timeline_menu_on_changed), menu);
  timeline_menu_on_changed (session, LC_CHANGED_ALL, menu);
  return button;
}
