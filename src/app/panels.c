/* SPDX-License-Identifier: Apache-2.0 */
/* The panels around the diagram: a table of their names, sides and constructors. */
#include "app/panels.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/button-names.h"
#ifdef LC_HAVE_SCRIPT
#include "app/console/console-panel.h"
#endif
#include "app/debug/debug-panel.h"
#include "app/inspect/bookmarks-panel.h"
#include "app/filters/filter-panel.h"
#include "app/marks/marks-panel.h"
#include "app/play/graph-panel.h"
#include "app/inspect/inspector.h"
#include "app/inspect/path-panel.h"
#include "app/inspect/places-panel.h"
#include "app/plots/plots-panel.h"
#include "app/inspect/problems-panel.h"
#include "app/inspect/problems.h"
#include "app/processes/process-panel.h"
#include "app/tables/events-panel.h"
#include "app/tables/sql-panel.h"
#include "app/inspect/waits-panel.h"

/* --- Badges ------------------------------------------------------------------------------------------------------- */

static guint64
panels_count_problems (LcSession *session)
{
  return lc_problems_get_n_wrong (lc_problems_of (session));
}

static guint64
panels_count_bookmarks (LcSession *session)
{
  return lc_session_get_bookmarks (session)->len;
}

static guint64
panels_count_marks (LcSession *session)
{
  const LcShown *shown = lc_session_get_shown (session);
  const LcMarks *marks = shown != NULL ? lc_kept_get (shown->marks) : NULL;

  return marks != NULL ? marks->marks->len : 0;
}

/* --- The table ---------------------------------------------------------------------------------------------------- */

static const LcPanel panels[] = {
    {"inspector", N_ ("Inspector"), N_ ("Inspector"), LC_SIDE_RIGHT, lc_inspector_new},
    {"path", N_ ("Critical path"), N_ ("Critical path"), LC_SIDE_RIGHT, lc_path_panel_new},
    {"waits", N_ ("Longest waits"), N_ ("Longest waits"), LC_SIDE_RIGHT, lc_waits_panel_new},
    {"places", N_ ("Places in the source"), N_ ("Places"), LC_SIDE_RIGHT, lc_places_panel_new, .of_places = TRUE},
    {"bookmarks", N_ ("Bookmarks"), N_ ("Bookmarks"), LC_SIDE_RIGHT, lc_bookmarks_panel_new,
     .count = panels_count_bookmarks},
    {"marks", N_ ("Marks"), N_ ("Marks"), LC_SIDE_RIGHT, lc_marks_panel_new, .count = panels_count_marks},
    {"problems", N_ ("Problems"), N_ ("Problems"), LC_SIDE_RIGHT, lc_problems_panel_new, .count = panels_count_problems,
     .warns = TRUE},
    {"graph", N_ ("Graph"), N_ ("Graph"), LC_SIDE_RIGHT, lc_graph_panel_new},
    {"processes", N_ ("Processes"), N_ ("Processes"), LC_SIDE_LEFT, lc_process_panel_new},
    {"filters", N_ ("Filters"), N_ ("Filters"), LC_SIDE_LEFT, lc_filter_panel_new},
    {"plots", N_ ("Plots"), N_ ("Plots"), LC_SIDE_BOTTOM, lc_plots_panel_new},
    {"events", N_ ("Events"), N_ ("Events"), LC_SIDE_BOTTOM, lc_events_panel_new},
    {"sql", "SQL", "SQL", LC_SIDE_BOTTOM, lc_sql_panel_new},
    {"debugger", N_ ("Debugger"), N_ ("Debugger"), LC_SIDE_BOTTOM, lc_debug_panel_new},
#ifdef LC_HAVE_SCRIPT
    {"console", N_ ("Console"), N_ ("Console"), LC_SIDE_BOTTOM, lc_console_panel_new},
#endif
};

const LcPanel *
lc_panels_get (gsize *n_panels)
{
  *n_panels = G_N_ELEMENTS (panels);
  return panels;
}

GtkWidget *
lc_panel_place_get (GtkWidget *place)
{
  const LcPanel *panel = g_object_get_data (G_OBJECT (place), "lc-panel");

  if (adw_bin_get_child (ADW_BIN (place)) == NULL)
    {
      adw_bin_set_child (ADW_BIN (place), panel->make (g_object_get_data (G_OBJECT (place), "lc-session")));
      lc_name_buttons (place);
    }
  return adw_bin_get_child (ADW_BIN (place));
}

GtkWidget *
lc_panel_place_new (const LcPanel *panel, LcSession *session)
{
  GtkWidget *place = adw_bin_new ();

  g_object_set_data (G_OBJECT (place), "lc-panel", (gpointer)panel);
  g_object_set_data_full (G_OBJECT (place), "lc-session", g_object_ref (session), g_object_unref);
  g_signal_connect (place, "map", G_CALLBACK (lc_panel_place_get), NULL);
  return place;
}
