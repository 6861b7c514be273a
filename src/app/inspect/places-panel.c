/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of the places in the source: how long events that were called there waited, and made others wait. */
#include "app/inspect/places-panel.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/names.h"
#include "app/inspect/places-list.h"
#include "app/job.h"
#include "app/pane.h"
#include "app/shown-text.h"
#include "app/time/what-if-subject.h"
#include "trace/quantities.h"

struct _LcPlacesPanel
{
  GtkBox parent;

  LcSession *session;
  GtkDropDown *sort;
  GtkSpinner *spinner;
  GtkBox *list_box;
  GtkLabel *note;

  GListStore *rows;
  LcPlaces *places; /* NULL: not found yet */
  LcJob *job;
  LcPane *pane;
};

G_DEFINE_FINAL_TYPE (LcPlacesPanel, lc_places_panel, GTK_TYPE_BOX)

/* --- Results ----------------------------------------------------------------------------------------------------- */

static void
places_panel_show (LcPlacesPanel *panel)
{
  g_autoptr (GPtrArray) rows = NULL;
  g_autofree char *count = NULL, *text = NULL;

  if (panel->places == NULL)
    {
      g_list_store_remove_all (panel->rows);
      lc_label_show (panel->note, "");
      return;
    }
  rows = lc_places_list (panel->places, gtk_drop_down_get_selected (panel->sort));
  lc_listed_fill (panel->rows, rows);
  count = lc_format_count (rows->len);
  text = g_strdup_printf (ngettext ("%s place", "%s places", rows->len), count);
  lc_label_show (panel->note, text);
}

static void
places_panel_on_places (gpointer owner, gpointer result, const GError *error)
{
  LcPlacesPanel *panel = owner;

  gtk_spinner_stop (panel->spinner);
  if (result == NULL)
    lc_session_tell (panel->session, error->message);
  g_clear_pointer (&panel->places, lc_places_free);
  panel->places = result;
  places_panel_show (panel);
}

static void
places_panel_on_tick (gpointer owner, double fraction)
{
  gtk_spinner_start (LC_PLACES_PANEL (owner)->spinner);
}

/* --- When to look ------------------------------------------------------------------------------------------------ */

static void
places_panel_look (gpointer owner)
{
  LcPlacesPanel *panel = owner;
  LcShown *shown = lc_session_get_shown (panel->session);

  lc_job_stop (panel->job);
  gtk_spinner_stop (panel->spinner);
  g_clear_pointer (&panel->places, lc_places_free);
  places_panel_show (panel);
  if (shown != NULL)
    lc_job_start (panel->job, lc_places_new, lc_shown_ref (shown), (GDestroyNotify)lc_shown_unref);
}

/* --- What the user does ------------------------------------------------------------------------------------------ */

static void
places_panel_on_sort (LcPlacesPanel *panel)
{
  places_panel_show (panel);
}

/* A place where nothing waited has its first event found. */
static void
places_panel_go_to (gpointer owner, LcListed *listed)
{
  LcPlacesPanel *panel = owner;
  g_autofree char *query = NULL;

  if (listed->event.process != LC_TRACE_NONE)
    lc_session_select (panel->session, listed->event.process, listed->event.ordinal, TRUE);
  else if (listed->number > 0 && panel->places != NULL)
    {
      query = g_strdup_printf ("in:\"%s\"", (char *)panel->places->names->pdata[listed->number]);
      gtk_widget_activate_action (GTK_WIDGET (panel), "win.search-for", "s", query);
    }
}

/* Gives "pipe.cpp:7" of "put() pipe.cpp:7". */
static const char *
places_panel_find_line (const char *name)
{
  const char *blank = strrchr (name, ' '), *line = blank != NULL ? blank + 1 : name, *colon = strrchr (line, ':');

  return colon != NULL && colon > line && g_ascii_isdigit (colon[1]) ? line : NULL;
}

static void
places_panel_on_menu (gpointer owner, LcListed *listed, GtkWidget *row, double x, double y)
{
  const LcPlacesPanel *panel = owner;
  const char *name = panel->places != NULL ? panel->places->names->pdata[listed->number] : NULL;
  const char *line = name != NULL ? places_panel_find_line (name) : NULL;
  g_autofree char *place = g_strdup_printf ("line %s", line != NULL ? line : "");

  if (line != NULL)
    lc_what_if_pop_up (row, x, y, lc_what_if_subject_pack (LC_SCALE_PLACE, 0, line, place));
}

/* --- The widget -------------------------------------------------------------------------------------------------- */

static void
lc_places_panel_dispose (GObject *object)
{
  LcPlacesPanel *panel = LC_PLACES_PANEL (object);

  g_clear_pointer (&panel->pane, lc_pane_free);
  g_clear_pointer (&panel->job, lc_job_free);
  g_clear_pointer (&panel->places, lc_places_free);
  g_clear_object (&panel->rows);
  g_clear_object (&panel->session);
  G_OBJECT_CLASS (lc_places_panel_parent_class)->dispose (object);
}

static void
lc_places_panel_class_init (LcPlacesPanelClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_places_panel_dispose;
  gtk_widget_class_set_template_from_resource (widget, LC_RESOURCES "places-panel.ui");
  gtk_widget_class_bind_template_child (widget, LcPlacesPanel, sort);
  gtk_widget_class_bind_template_child (widget, LcPlacesPanel, spinner);
  gtk_widget_class_bind_template_child (widget, LcPlacesPanel, list_box);
  gtk_widget_class_bind_template_child (widget, LcPlacesPanel, note);
  gtk_widget_class_bind_template_callback (widget, places_panel_on_sort);
}

static void
lc_places_panel_init (LcPlacesPanel *panel)
{
  panel->rows = g_list_store_new (LC_TYPE_LISTED);
  panel->job = lc_job_new (panel, places_panel_on_places, places_panel_on_tick, lc_places_free);
  gtk_widget_init_template (GTK_WIDGET (panel));
}

GtkWidget *
lc_places_panel_new (LcSession *session)
{
  LcPlacesPanel *panel = g_object_new (LC_TYPE_PLACES_PANEL, NULL);
  GtkWidget *list;

  panel->session = g_object_ref (session);
  list = lc_listed_view_new (g_object_ref (G_LIST_MODEL (panel->rows)), _ ("Places in the source"), places_panel_go_to,
                             panel);
  lc_listed_view_set_menu (list, places_panel_on_menu, panel);
  gtk_box_append (panel->list_box, list);
  panel->pane =
      lc_pane_new (panel, session, LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE | LC_CHANGED_TIMELINES, places_panel_look);
  return GTK_WIDGET (panel);
}
