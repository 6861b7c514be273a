/* SPDX-License-Identifier: Apache-2.0 */
/* The panels around the diagram: a table of their names, sides and constructors. */
#include "app/panels.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/button-names.h"
#ifdef LC_HAVE_SCRIPT
#include "app/console/console-panel.h"
#endif
#include "app/inspect/bookmarks-panel.h"
#include "app/filters/filter-panel.h"
#include "app/marks/marks-panel.h"
#include "app/play/graph-panel.h"
#include "app/inspect/inspector.h"
#include "app/inspect/path-panel.h"
#include "app/inspect/places-panel.h"
#include "app/plots/plots-panel.h"
#include "app/inspect/problems-panel.h"
#include "app/processes/process-panel.h"
#include "app/inspect/waits-panel.h"

static const LcPanel panels[] = {
    {"inspector", N_ ("Inspector"), "find-location-symbolic", LC_SIDE_RIGHT, lc_inspector_new, FALSE},
    {"path", N_ ("Critical path"), "go-jump-symbolic", LC_SIDE_RIGHT, lc_path_panel_new, FALSE},
    {"waits", N_ ("Longest waits"), "alarm-symbolic", LC_SIDE_RIGHT, lc_waits_panel_new, FALSE},
    {"places", N_ ("Places in the source"), "text-x-generic-symbolic", LC_SIDE_RIGHT, lc_places_panel_new, TRUE},
    {"bookmarks", N_ ("Bookmarks"), "user-bookmarks-symbolic", LC_SIDE_RIGHT, lc_bookmarks_panel_new, FALSE},
    {"marks", N_ ("Marks"), "bookmark-new-symbolic", LC_SIDE_RIGHT, lc_marks_panel_new, FALSE},
    {"problems", N_ ("Problems"), "dialog-warning-symbolic", LC_SIDE_RIGHT, lc_problems_panel_new, FALSE},
    {"graph", N_ ("Graph"), "media-playback-start-symbolic", LC_SIDE_RIGHT, lc_graph_panel_new, FALSE},
    {"processes", N_ ("Processes"), "system-users-symbolic", LC_SIDE_LEFT, lc_process_panel_new, FALSE},
    {"filters", N_ ("Filters"), "selection-mode-symbolic", LC_SIDE_LEFT, lc_filter_panel_new, FALSE},
    {"plots", N_ ("Plots"), "view-continuous-symbolic", LC_SIDE_BOTTOM, lc_plots_panel_new, FALSE},
#ifdef LC_HAVE_SCRIPT
    {"console", N_ ("Console"), "utilities-terminal-symbolic", LC_SIDE_BOTTOM, lc_console_panel_new, FALSE},
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
