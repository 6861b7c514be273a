/* SPDX-License-Identifier: Apache-2.0 */
/* The ruler of names: the process or the group of each row. */
#include <glib/gi18n.h>
#include <math.h>

#include "app/diagram/rulers.h"
#include "app/shown-text.h"
#include "app/theme.h"
#include "trace/quantities.h"

#define LINE 16     /* px, before names are known */
#define CHOSEN 0.25 /* opacity of the mark on the selection's row */
#define GROUP_NAMES 12

struct _LcNamesRuler
{
  GtkWidget parent;

  LcDiagramArea *area; /* borrowed: it is a child of the same parent */
  LcDiagramInput *input;
  LcSession *session;
  int room; /* px, as measured last */
};

G_DEFINE_FINAL_TYPE (LcNamesRuler, lc_names_ruler, GTK_TYPE_WIDGET)

gboolean
lc_ruler_get_view (GtkWidget *ruler, LcDiagramArea *area, LcDiagramView *view)
{
  double x, y;

  if (!lc_diagram_area_get_view (area, view) ||
      !gtk_widget_translate_coordinates (GTK_WIDGET (area), ruler, 0, 0, &x, &y))
    return FALSE;
  view->area.x += x;
  view->area.y += y;
  return TRUE;
}

LcCanvas *
lc_ruler_new_canvas (GtkWidget *ruler, GtkSnapshot *snapshot)
{
  graphene_rect_t bounds =
      GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (ruler), (float)gtk_widget_get_height (ruler));
  cairo_t *cairo = gtk_snapshot_append_cairo (snapshot, &bounds);
  LcCanvas *canvas = lc_theme_new_canvas (cairo, lc_theme_of (ruler));

  cairo_destroy (cairo);
  return canvas;
}

/* --- Painting
 * --------------------------------------------------------------------------------------------------------- */

static LcRectangle
get_row_box (GtkWidget *widget, const LcDiagramView *view, double row)
{
  LcPlace from = lc_diagram_get_place (view, row, view->from), to = lc_diagram_get_place (view, row + 1, view->from);

  if (view->orientation == LC_ORIENTATION_DOWN)
    return (LcRectangle){from.x, 0, to.x - from.x, gtk_widget_get_height (widget)};
  return (LcRectangle){0, from.y, gtk_widget_get_width (widget), to.y - from.y};
}

static void
paint_chosen (LcNamesRuler *ruler, const LcDiagramView *view, LcCanvas *canvas)
{
  LcEventName selected;
  guint32 row;
  LcColor color = lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_SELECTION);
  LcRectangle box;

  lc_session_get_selection (ruler->session, &selected);
  if (selected.process == LC_TRACE_NONE)
    return;
  row = lc_shown_find_row (lc_session_get_shown (ruler->session), selected.process);
  if (row == LC_TRACE_NONE)
    return;
  color.alpha *= CHOSEN;
  box = get_row_box (GTK_WIDGET (ruler), view, row);
  lc_canvas_rectangles (canvas, lc_canvas_color_fill (color), &box, 1);
}

static void
lc_names_ruler_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LcNamesRuler *ruler = LC_NAMES_RULER (widget);
  const LcScene *scene = lc_diagram_area_get_scene (ruler->area);
  g_autoptr (LcCanvas) canvas = NULL;
  LcDiagramView view;
  LcRectangle room = {0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget)};

  if (scene == NULL || !lc_ruler_get_view (widget, ruler->area, &view))
    return;
  canvas = lc_ruler_new_canvas (widget, snapshot);
  paint_chosen (ruler, &view, canvas);
  lc_diagram_paint_names (scene, &view, canvas, room);
}

/* Measures the names of all rows, so that the layout does not jump while rows are zoomed. */
int
lc_names_ruler_measure (LcNamesRuler *ruler, int along, int most)
{
  const LcShown *shown = lc_session_get_shown (ruler->session);
  const LcScene *scene = lc_diagram_area_get_scene (ruler->area);
  cairo_surface_t *surface;
  g_autoptr (LcCanvas) canvas = NULL;
  cairo_t *cairo;
  LcDiagramView view;

  if (scene == NULL || shown == NULL)
    return MAX (ruler->room, LINE);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1, 1);
  cairo = cairo_create (surface);
  canvas = lc_theme_new_canvas (cairo, LC_THEME_LIGHT);
  lc_diagram_view_init (&view, scene, (LcRectangle){0, 0, MAX (along, 1), MAX (along, 1)}, shown->orientation);
  ruler->room = (int)ceil (lc_diagram_measure_names (scene, &view, canvas, most));
  cairo_destroy (cairo);
  cairo_surface_destroy (surface);
  return ruler->room;
}

/* --- Input
 * ------------------------------------------------------------------------------------------------------------ */

static guint32
find_row (LcNamesRuler *ruler, double x, double y, LcDiagramView *view)
{
  const LcShown *shown = lc_session_get_shown (ruler->session);
  double row, position;

  if (shown == NULL || !lc_ruler_get_view (GTK_WIDGET (ruler), ruler->area, view))
    return LC_TRACE_NONE;
  lc_diagram_get_position (view, (LcPlace){x, y}, &row, &position);
  return row >= 0 && row < lc_shown_get_n_rows (shown) ? (guint32)row : LC_TRACE_NONE;
}

static void
ruler_names_on_released (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  LcNamesRuler *ruler = LC_NAMES_RULER (data);
  LcDiagramView view;
  guint32 row = find_row (ruler, x, y, &view);
  LcSpan span;

  if (row == LC_TRACE_NONE)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (ruler->area));
  if (n_press == 1)
    {
      lc_diagram_input_select_row (ruler->input, row);
      return;
    }
  lc_session_get_span (ruler->session, &span);
  span.first_row = row;
  span.last_row = row + 1;
  lc_session_set_span (ruler->session, &span, TRUE);
}

/* Returns the name of a row, or the names of its group. */
static char *
dup_names (const LcShown *shown, guint32 row)
{
  guint32 n_processes;
  const guint32 *processes = lc_shown_get_row (shown, row, &n_processes);
  GString *text = g_string_new (NULL);

  for (guint32 i = 0; i < MIN (n_processes, GROUP_NAMES); i++)
    {
      g_autofree char *name = lc_format_text (lc_history_get_process (shown->opened->history, processes[i])->name);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", name);
    }
  if (n_processes > GROUP_NAMES)
    {
      g_autofree char *count = lc_format_count (n_processes - GROUP_NAMES);

      g_string_append_c (text, '\n');
      g_string_append_printf (text, ngettext ("and %s more", "and %s more", n_processes - GROUP_NAMES), count);
    }
  return g_string_free (text, FALSE);
}

static gboolean
ruler_names_tell (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  LcNamesRuler *ruler = LC_NAMES_RULER (widget);
  LcDiagramView view;
  guint32 row = keyboard ? LC_TRACE_NONE : find_row (ruler, x, y, &view);
  g_autofree char *text = NULL;
  LcRectangle box;

  if (row == LC_TRACE_NONE)
    return FALSE;
  box = get_row_box (widget, &view, row);
  text = dup_names (lc_session_get_shown (ruler->session), row);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip,
                            &(GdkRectangle){(int)box.x, (int)box.y, MAX ((int)box.width, 1), MAX ((int)box.height, 1)});
  return TRUE;
}

/* --- The widget
 * ------------------------------------------------------------------------------------------------------- */

static void
ruler_names_on_changed (LcNamesRuler *ruler, guint what)
{
  if ((what & (LC_CHANGED_SELECTION | LC_CHANGED_ROWS | LC_CHANGED_HISTORY)) != 0)
    gtk_widget_queue_draw (GTK_WIDGET (ruler));
}

static void
lc_names_ruler_dispose (GObject *object)
{
  LcNamesRuler *ruler = LC_NAMES_RULER (object);

  g_clear_object (&ruler->input);
  g_clear_object (&ruler->session);
  G_OBJECT_CLASS (lc_names_ruler_parent_class)->dispose (object);
}

static void
lc_names_ruler_class_init (LcNamesRulerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = lc_names_ruler_dispose;
  GTK_WIDGET_CLASS (class)->snapshot = lc_names_ruler_snapshot;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "ruler");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
lc_names_ruler_init (LcNamesRuler *ruler)
{
  gtk_widget_set_overflow (GTK_WIDGET (ruler), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (ruler), TRUE);
  lc_accessible_show (GTK_ACCESSIBLE (ruler), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Names of the processes"));
}

GtkWidget *
lc_names_ruler_new (LcDiagramArea *area, LcDiagramInput *input, LcSession *session)
{
  LcNamesRuler *ruler = g_object_new (LC_TYPE_NAMES_RULER, NULL);
  GtkGesture *click = gtk_gesture_click_new ();

  ruler->area = area;
  ruler->input = g_object_ref (input);
  ruler->session = g_object_ref (session);
  g_signal_connect (ruler, "query-tooltip", G_CALLBACK (ruler_names_tell), NULL);
  g_signal_connect_object (area, "moved", G_CALLBACK (gtk_widget_queue_draw), ruler, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "changed", G_CALLBACK (ruler_names_on_changed), ruler, G_CONNECT_SWAPPED);
  g_signal_connect_object (click, "released", G_CALLBACK (ruler_names_on_released), ruler, 0);
  gtk_widget_add_controller (GTK_WIDGET (ruler), GTK_EVENT_CONTROLLER (click));
  lc_diagram_input_add_ruler (input, GTK_WIDGET (ruler), LC_WAY_ACROSS);
  return GTK_WIDGET (ruler);
}
