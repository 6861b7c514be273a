/* SPDX-License-Identifier: Apache-2.0 */
/* The legend below the diagram: what is in view and how it looks; each entry leaves its kind out, or shows it again. */
#include "app/diagram/legend-bar.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/settings.h"
#include "app/shown-text.h"
#include "app/theme.h"
#include "app/wrap-box.h"
#include "draw/diagram/diagram-legend.h"
#include "draw/canvas/legend.h"

enum
{
  QUIET = 120, /* ms without a change of what is in view, until the legend follows */
  MARGIN = 6,  /* px */
};

struct _LcLegendBar
{
  GtkWidget parent;

  LcSession *session;
  LcDiagramArea *area;
  GtkWidget *box;
  GArray *entries; /* LcDiagramEntry, in the order of the children of the box; NULL: none */
  int width;       /* of the box, when it was filled last */
  guint following; /* source that looks at what is in view; 0: none */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (LcLegendBar, lc_legend_bar, GTK_TYPE_WIDGET)

/* --- Entries ------------------------------------------------------------------------------------------------------ */

static void
legend_bar_paint_sample (GtkDrawingArea *area, cairo_t *cairo, int width, int height, gpointer data)
{
  LcLegendBar *bar = data;
  guint number = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (area), "lc-entry"));
  g_autoptr (LcCanvas) canvas = lc_theme_new_canvas (cairo, lc_theme_of (GTK_WIDGET (area)));

  if (bar->entries != NULL && number < bar->entries->len)
    lc_legend_paint_sample (canvas, &g_array_index (bar->entries, LcDiagramEntry, number).sample,
                            (LcPlace){0, height / 2.0});
}

static void
legend_bar_on_toggled (GtkToggleButton *button, LcLegendBar *bar)
{
  guint kind = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "lc-kind"));
  LcShown *shown = lc_session_get_shown (bar->session);

  if (bar->filling || shown == NULL)
    return;
  shown = lc_shown_copy (shown);
  if (gtk_toggle_button_get_active (button))
    shown->selection.hidden &= ~(1u << kind);
  else
    shown->selection.hidden |= 1u << kind;
  lc_session_show (bar->session, shown);
}

/* Makes the sample and the text of an entry. */
static GtkWidget *
legend_bar_make_inside (LcLegendBar *bar, guint number)
{
  const LcDiagramEntry *entry = &g_array_index (bar->entries, LcDiagramEntry, number);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, MARGIN), *sample = gtk_drawing_area_new ();
  GtkWidget *label = gtk_label_new (NULL);

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (sample), (int)LC_LEGEND_SAMPLE_WIDTH + 1);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (sample), (int)LC_LEGEND_SAMPLE_HEIGHT + 2);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (sample), legend_bar_paint_sample, bar, NULL);
  g_object_set_data (G_OBJECT (sample), "lc-entry", GUINT_TO_POINTER (number));
  lc_label_show (GTK_LABEL (label), entry->text);
  gtk_box_append (GTK_BOX (box), sample);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

/* The event that past and future are of is an entry, but is never left out. */
static GtkWidget *
legend_bar_make_entry (LcLegendBar *bar, guint number, guint32 hidden)
{
  const LcDiagramEntry *entry = &g_array_index (bar->entries, LcDiagramEntry, number);
  GtkWidget *inside = legend_bar_make_inside (bar, number), *button;

  if (entry->kind == LC_DIAGRAM_CHOSEN)
    return inside;
  button = gtk_toggle_button_new ();
  gtk_button_set_child (GTK_BUTTON (button), inside);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "legend-entry");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), (hidden & 1u << entry->kind) == 0);
  lc_accessible_show (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, entry->text);
  lc_tooltip_show (button, _ ("Leave it out of the diagram, or show it again"));
  g_object_set_data (G_OBJECT (button), "lc-kind", GUINT_TO_POINTER (entry->kind));
  g_signal_connect (button, "toggled", G_CALLBACK (legend_bar_on_toggled), bar);
  return button;
}

/* Functions have a line of their own, above the diagram. */
static void
legend_bar_leave_functions_out (GArray *entries)
{
  for (guint i = entries->len; i-- > 0;)
    if (g_array_index (entries, LcDiagramEntry, i).kind == LC_DIAGRAM_FUNCTIONS)
      g_array_remove_index (entries, i);
}

static gboolean
legend_bar_has_same (const GArray *a, const GArray *b)
{
  if (a == NULL || b == NULL || a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (g_array_index (a, LcDiagramEntry, i).kind != g_array_index (b, LcDiagramEntry, i).kind)
      return FALSE;
  return TRUE;
}

/* Entries that stay are not made anew, so that they keep the keyboard. */
static void
legend_bar_update_entries (LcLegendBar *bar, guint32 hidden)
{
  guint number = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (bar->box); child != NULL;
       child = gtk_widget_get_next_sibling (child), number++)
    {
      GtkWidget *entry = child;
      LcDiagramKind kind = g_array_index (bar->entries, LcDiagramEntry, number).kind;

      if (GTK_IS_TOGGLE_BUTTON (entry))
        {
          gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (entry), (hidden & 1u << kind) == 0);
          entry = gtk_button_get_child (GTK_BUTTON (entry));
        }
      gtk_widget_queue_draw (gtk_widget_get_first_child (entry));
    }
}

static void
legend_bar_fill (LcLegendBar *bar, GArray *entries, guint32 hidden)
{
  gboolean same = legend_bar_has_same (bar->entries, entries);
  int width = gtk_widget_get_width (bar->box), height = gtk_widget_get_height (bar->box);
  GtkWidget *child;

  g_clear_pointer (&bar->entries, g_array_unref);
  bar->entries = entries;
  bar->filling = TRUE;
  /* Fewer lines would move the diagram while it is looked at. */
  gtk_widget_set_size_request (bar->box, -1, width == bar->width ? height : -1);
  bar->width = width;
  if (same)
    legend_bar_update_entries (bar, hidden);
  else
    {
      while ((child = gtk_widget_get_first_child (bar->box)) != NULL)
        gtk_widget_unparent (child);
      for (guint i = 0; i < entries->len; i++)
        gtk_widget_set_parent (legend_bar_make_entry (bar, i, hidden), bar->box);
    }
  bar->filling = FALSE;
}

/* --- Following what is in view ------------------------------------------------------------------------------------ */

static gboolean
legend_bar_look (gpointer data)
{
  LcLegendBar *bar = data;
  const LcScene *scene = lc_diagram_area_get_scene (bar->area);
  g_autoptr (LcCanvas) canvas = NULL;
  cairo_surface_t *surface;
  cairo_t *cairo;
  LcDiagramView view;
  GArray *entries;

  bar->following = 0;
  if (scene == NULL || !lc_diagram_area_get_view (bar->area, &view))
    return G_SOURCE_REMOVE;
  surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo = cairo_create (surface);
  canvas = lc_theme_new_canvas (cairo, lc_theme_of (GTK_WIDGET (bar)));
  entries = lc_diagram_list_entries (scene, &view, canvas);
  cairo_destroy (cairo);
  cairo_surface_destroy (surface);
  legend_bar_leave_functions_out (entries);
  legend_bar_fill (bar, entries, lc_session_get_shown (bar->session)->selection.hidden);
  return G_SOURCE_REMOVE;
}

static void
legend_bar_stop_following (LcLegendBar *bar)
{
  if (bar->following != 0)
    g_source_remove (bar->following);
  bar->following = 0;
}

static void
legend_bar_follow (LcLegendBar *bar)
{
  legend_bar_stop_following (bar);
  if (!gtk_widget_get_visible (GTK_WIDGET (bar)))
    return;
  /* The first one comes with the first picture, which it would move later. */
  if (bar->entries == NULL)
    legend_bar_look (bar);
  else
    bar->following = g_timeout_add (QUIET, legend_bar_look, bar);
}

/* --- The widget --------------------------------------------------------------------------------------------------- */

static void
lc_legend_bar_dispose (GObject *object)
{
  LcLegendBar *bar = LC_LEGEND_BAR (object);

  legend_bar_stop_following (bar);
  g_clear_pointer (&bar->box, gtk_widget_unparent);
  g_clear_pointer (&bar->entries, g_array_unref);
  g_clear_object (&bar->area);
  g_clear_object (&bar->session);
  G_OBJECT_CLASS (lc_legend_bar_parent_class)->dispose (object);
}

static void
lc_legend_bar_class_init (LcLegendBarClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_legend_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "legendbar");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
lc_legend_bar_init (LcLegendBar *bar)
{
  bar->box = lc_wrap_box_new ("box", GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_add_css_class (bar->box, "caption");
  gtk_widget_set_parent (bar->box, GTK_WIDGET (bar));
  lc_accessible_show (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Legend"));
}

GtkWidget *
lc_legend_bar_new (LcDiagramArea *area, LcSession *session)
{
  LcLegendBar *bar = g_object_new (LC_TYPE_LEGEND_BAR, NULL);

  bar->session = g_object_ref (session);
  bar->area = g_object_ref (area);
  gtk_widget_set_visible (GTK_WIDGET (bar), lc_settings_get_boolean ("show-legend", TRUE));
  g_signal_connect_object (area, "moved", G_CALLBACK (legend_bar_follow), bar, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (legend_bar_follow), bar,
                           G_CONNECT_SWAPPED);
  g_signal_connect (bar, "notify::visible", G_CALLBACK (legend_bar_follow), NULL);
  return GTK_WIDGET (bar);
}

/* --- The action --------------------------------------------------------------------------------------------------- */

static void
legend_bar_turn (GSimpleAction *action, GVariant *value, gpointer bar)
{
  g_simple_action_set_state (action, value);
  gtk_widget_set_visible (bar, g_variant_get_boolean (value));
  lc_settings_set_boolean ("show-legend", g_variant_get_boolean (value));
}

void
lc_legend_bar_add_action (GtkApplicationWindow *window, GtkWidget *bar)
{
  static const GActionEntry entry = {.name = "legend", .state = "true", .change_state = legend_bar_turn};

  g_action_map_add_action_entries (G_ACTION_MAP (window), &entry, 1, bar);
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (window), "legend")),
                             g_variant_new_boolean (gtk_widget_get_visible (bar)));
}
