/* SPDX-License-Identifier: Apache-2.0 */
/* The colours of functions in the diagram: the action that turns them on, and the line that says whose they are. */
#include "app/diagram/color-legend.h"

#include <glib/gi18n.h>

#include "app/job.h"
#include "app/shown-text.h"
#include "app/theme.h"
#include "draw/diagram/diagram-private.h"

enum
{
  MARGIN = 6, /* pixels, as of the line below */
};

struct _LcColorLegend
{
  GtkWidget parent;

  LcSession *session;
  GtkWidget *label;
  LcJob *job;           /* finds the functions */
  LcColoring *coloring; /* those that are told; NULL: not found yet */
};

G_DEFINE_FINAL_TYPE (LcColorLegend, lc_color_legend, GTK_TYPE_WIDGET)

/* --- The text ------------------------------------------------------------------------------------------------------
 */

/* Adds a square of a colour, and what has it. */
static void
color_legend_add (GString *markup, LcTheme theme, guint color, const char *what)
{
  LcColor of = lc_diagram_get_function_color (theme, color);
  g_autofree char *text = lc_shown_dup_markup (what);

  g_string_append_printf (markup, "   <span fgcolor=\"#%02x%02x%02x\">■</span>\302\240%s", (guint)(of.red * 255 + 0.5),
                          (guint)(of.green * 255 + 0.5), (guint)(of.blue * 255 + 0.5), text);
}

static void
color_legend_tell (LcColorLegend *legend)
{
  LcTheme theme = lc_theme_of (GTK_WIDGET (legend));
  g_autofree char *title = lc_shown_dup_markup (_ ("Single events by function:"));
  g_autoptr (GString) markup = g_string_new (title);

  if (legend->coloring == NULL)
    return;
  for (guint color = 0; color < LC_COLORING_MOST; color++)
    if (lc_coloring_get_function (legend->coloring, color) != NULL)
      color_legend_add (markup, theme, color, lc_coloring_get_function (legend->coloring, color));
  color_legend_add (markup, theme, LC_COLORING_OTHER, _ ("others"));
  color_legend_add (markup, theme, LC_COLORING_UNKNOWN, _ ("not known"));
  gtk_label_set_markup (GTK_LABEL (legend->label), markup->str);
}

/* --- Finding the functions -----------------------------------------------------------------------------------------
 */

typedef struct
{
  LcOpened *opened; /* the history that the coloring is of */
  LcColoring *coloring;
} Wanted;

static void
color_legend_free_wanted (gpointer data)
{
  Wanted *wanted = data;

  lc_coloring_unref (wanted->coloring);
  lc_opened_unref (wanted->opened);
  g_free (wanted);
}

static gpointer
color_legend_find (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const Wanted *wanted = data;

  return lc_coloring_find (wanted->coloring, cancellable, error) ? lc_coloring_ref (wanted->coloring) : NULL;
}

static void
color_legend_on_found (gpointer owner, gpointer coloring, const GError *error)
{
  LcColorLegend *legend = owner;

  if (coloring == NULL)
    {
      lc_session_tell (legend->session, error->message);
      return;
    }
  legend->coloring = coloring;
  color_legend_tell (legend);
}

static void
color_legend_update (LcColorLegend *legend)
{
  const LcShown *shown = lc_session_get_shown (legend->session);
  LcColoring *coloring = shown != NULL ? shown->selection.coloring : NULL;
  Wanted *wanted;

  gtk_widget_set_visible (GTK_WIDGET (legend), coloring != NULL);
  if (coloring != NULL && coloring == legend->coloring)
    return;
  lc_job_stop (legend->job);
  g_clear_pointer (&legend->coloring, lc_coloring_unref);
  if (coloring == NULL)
    return;
  lc_label_show (GTK_LABEL (legend->label), _ ("Looking for the functions that take longest"));
  wanted = g_new (Wanted, 1);
  *wanted = (Wanted){lc_opened_ref (shown->opened), lc_coloring_ref (coloring)};
  lc_job_start (legend->job, color_legend_find, wanted, color_legend_free_wanted);
}

static void
color_legend_on_changed (LcColorLegend *legend, guint what)
{
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_FILTER)) != 0)
    color_legend_update (legend);
}

/* --- The widget ----------------------------------------------------------------------------------------------------
 */

static void
lc_color_legend_dispose (GObject *object)
{
  LcColorLegend *legend = LC_COLOR_LEGEND (object);

  g_clear_pointer (&legend->job, lc_job_free);
  g_clear_pointer (&legend->coloring, lc_coloring_unref);
  g_clear_pointer (&legend->label, gtk_widget_unparent);
  g_clear_object (&legend->session);
  G_OBJECT_CLASS (lc_color_legend_parent_class)->dispose (object);
}

static void
lc_color_legend_class_init (LcColorLegendClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_color_legend_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
lc_color_legend_init (LcColorLegend *legend)
{
  legend->label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (legend->label), 0);
  gtk_label_set_wrap (GTK_LABEL (legend->label), TRUE);
  gtk_widget_set_margin_start (legend->label, MARGIN);
  gtk_widget_add_css_class (legend->label, "caption");
  gtk_widget_set_parent (legend->label, GTK_WIDGET (legend));
  legend->job = lc_job_new (legend, color_legend_on_found, NULL, (GDestroyNotify)lc_coloring_unref);
}

GtkWidget *
lc_color_legend_new (LcSession *session)
{
  LcColorLegend *legend = g_object_new (LC_TYPE_COLOR_LEGEND, NULL);

  legend->session = g_object_ref (session);
  g_signal_connect_object (session, "changed", G_CALLBACK (color_legend_on_changed), legend, G_CONNECT_SWAPPED);
  lc_theme_watch (legend, G_CALLBACK (color_legend_tell));
  color_legend_update (legend);
  return GTK_WIDGET (legend);
}

/* --- The action ----------------------------------------------------------------------------------------------------
 */

static void
color_legend_turn (GSimpleAction *action, GVariant *value, gpointer session)
{
  LcShown *shown = lc_session_get_shown (session);

  if (shown == NULL)
    return;
  shown = lc_shown_copy (shown);
  lc_shown_set_colored (shown, g_variant_get_boolean (value));
  lc_session_show (session, shown);
}

static void
color_legend_on_turned (LcSession *session, guint what, GSimpleAction *action)
{
  const LcShown *shown = lc_session_get_shown (session);

  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_FILTER)) == 0)
    return;
  g_simple_action_set_state (action, g_variant_new_boolean (shown != NULL && shown->selection.coloring != NULL));
  g_simple_action_set_enabled (action, shown != NULL && lc_history_get_n_sites (shown->opened->history) > 0);
}

void
lc_color_legend_add_action (GtkApplicationWindow *window, LcSession *session)
{
  static const GActionEntry entry = {.name = "color-by-function", .state = "false", .change_state = color_legend_turn};
  GAction *action;

  g_action_map_add_action_entries (G_ACTION_MAP (window), &entry, 1, session);
  action = g_action_map_lookup_action (G_ACTION_MAP (window), "color-by-function");
  g_signal_connect_object (session, "changed", G_CALLBACK (color_legend_on_turned), action, 0);
  color_legend_on_turned (session, LC_CHANGED_ALL, G_SIMPLE_ACTION (action));
}
