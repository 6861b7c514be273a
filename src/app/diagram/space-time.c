/* SPDX-License-Identifier: Apache-2.0 */
/* The space-time diagram of a session: state line, rulers, overview and diagram as one widget. */
#include "app/diagram/space-time.h"

#include <glib/gi18n.h>

#include "app/diagram/diagram-input.h"
#include "app/diagram/overview.h"
#include "app/diagram/rulers.h"
#include "app/diagram/state-line.h"
#include "app/shown-text.h"
#include "app/theme.h"
#include "trace/quantities.h"

#define MOST_OF_NAMES 0.25 /* share of the breadth for the ruler of names */
#define GAP 6
#define LEAST 120       /* pixels of the area, on each side */
#define PLOT_NUMBERS 68 /* pixels for the title and the numbers of the plots below, which line up with the diagram */
#define PLOT_VALUES 62  /* pixels for the same of the plots beside it, which they have below them */

struct _LcSpaceTime
{
  GtkWidget parent;

  LcSession *session;
  LcDiagramInput *input;
  GtkWidget *state;
  GtkWidget *names;
  GtkWidget *time;
  GtkWidget *overview;
  GtkWidget *area;
  gboolean beside_plots; /* as of the session: room is kept for what the plots have below them */
  guint telling;         /* source; 0: none */
  gboolean undescribed;  /* the selection is not described yet, because its scene is not there */
  guint32 n_rows;        /* rows for which the ruler of names was measured; LC_TRACE_NONE: to be measured */
};

G_DEFINE_FINAL_TYPE (LcSpaceTime, lc_space_time, GTK_TYPE_WIDGET)

static LcOrientation
get_orientation (LcSpaceTime *view)
{
  const LcShown *shown = lc_session_get_shown (view->session);

  return shown != NULL ? shown->orientation : LC_ORIENTATION_RIGHT;
}

/* --- Descriptions ------------------------------------------------------------------------------------------------ */

/* Sets a label like "Space-time diagram of gauss, 9 processes, whole run: 0–12.3 ms, measured". */
static void
space_time_update_label (LcSpaceTime *view)
{
  const LcShown *shown = lc_session_get_shown (view->session);
  g_autofree char *title = NULL, *processes = NULL, *span = NULL, *timelines = NULL, *text = NULL;

  if (shown == NULL)
    return;
  title = lc_format_text (shown->opened->title);
  processes = lc_state_dup_processes (shown);
  span = lc_state_dup_span (view->session);
  timelines = lc_state_dup_timelines (view->session);
  text = g_strdup_printf (_ ("Space-time diagram of %s: %s, %s, %s"), title, processes, span, timelines);
  lc_accessible_show (GTK_ACCESSIBLE (view->area), GTK_ACCESSIBLE_PROPERTY_LABEL, text);
}

/* Describes an event in one line. */
static char *
space_time_dup_line (LcSession *session, const LcScene *scene, const LcHistoryEvent *event)
{
  const LcMark mark = {.kind = LC_MARK_EVENT,
                       .n_rows = 1,
                       .object = LC_TRACE_NONE,
                       .process = event->process,
                       .ordinal = event->ordinal};
  g_autofree char *text = lc_scene_dup_text (scene, &(LcPick){.mark = &mark});
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *line = g_strjoinv (", ", lines);

  return lc_session_has_breakpoint (session, event->origin_process, event->origin_ordinal)
             ? g_strdup_printf (_ ("%s, with a breakpoint"), line)
             : g_steal_pointer (&line);
}

static void
update_description (LcSpaceTime *view)
{
  const LcHistoryEvent *event = lc_session_get_event (view->session);
  const LcScene *scene = lc_diagram_area_get_scene (LC_DIAGRAM_AREA (view->area));
  g_autofree char *text = NULL;

  view->undescribed = event != NULL && (scene == NULL || lc_scene_get_query (scene)->timeline !=
                                                             lc_session_get_shown (view->session)->timeline);
  if (event != NULL && !view->undescribed)
    text = space_time_dup_line (view->session, scene, event);
  if (text != NULL)
    lc_accessible_show (GTK_ACCESSIBLE (view->area), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (view->area), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

static void
space_time_on_changed (LcSpaceTime *view, guint what)
{
  const guint laid_out = LC_CHANGED_HISTORY | LC_CHANGED_ORIENTATION | LC_CHANGED_ROWS | LC_CHANGED_TIME;

  if ((what & LC_CHANGED_RULER) != 0 && view->beside_plots != lc_session_are_plots_at_side (view->session))
    {
      view->beside_plots = lc_session_are_plots_at_side (view->session);
      gtk_widget_queue_allocate (GTK_WIDGET (view));
    }

  if ((what & laid_out) != 0)
    {
      view->n_rows = LC_TRACE_NONE;
      gtk_widget_queue_resize (GTK_WIDGET (view));
    }
  if ((what & (laid_out | LC_CHANGED_TIMELINE | LC_CHANGED_SPAN)) != 0)
    space_time_update_label (view);
  if ((what & (LC_CHANGED_SELECTION | LC_CHANGED_TIMELINE | LC_CHANGED_HISTORY | LC_CHANGED_BREAKPOINTS)) != 0)
    update_description (view);
}

/* The room for names is known only once the scene is there. */
static void
space_time_on_moved (LcSpaceTime *view)
{
  const LcScene *scene = lc_diagram_area_get_scene (LC_DIAGRAM_AREA (view->area));

  if (view->undescribed)
    update_description (view);
  if (scene == NULL || lc_scene_get_n_rows (scene) == view->n_rows)
    return;
  view->n_rows = lc_scene_get_n_rows (scene);
  gtk_widget_queue_allocate (GTK_WIDGET (view));
}

/* --- Layout
 * --------------------------------------------------------------------------------------------------------------- */

static void
lc_space_time_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                       int *minimum_baseline, int *natural_baseline)
{
  LcSpaceTime *view = LC_SPACE_TIME (widget);
  int state, least = LEAST + LC_OVERVIEW_THICKNESS + 2 * GAP + lc_time_ruler_measure (LC_TIME_RULER (view->time));

  gtk_widget_measure (view->state, orientation, -1, &state, NULL, NULL, NULL);
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MAX (state + 2 * GAP, least) : state + least;
}

static void
space_time_place (GtkWidget *widget, int x, int y, int width, int height)
{
  int least_width, least_height;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least_width, NULL, NULL, NULL);
  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, -1, &least_height, NULL, NULL, NULL);
  gtk_widget_size_allocate (widget, &(GtkAllocation){x, y, MAX (width, least_width), MAX (height, least_height)}, -1);
}

static gboolean
space_time_on_ruler (gpointer data)
{
  LcSpaceTime *view = data;
  GtkWidget *shared = gtk_widget_get_ancestor (GTK_WIDGET (view), GTK_TYPE_PANED);
  graphene_rect_t place;

  view->telling = 0;
  if (shared == NULL || !gtk_widget_compute_bounds (view->area, shared, &place))
    lc_session_set_ruler (view->session, 0, 0);
  else if (get_orientation (view) == LC_ORIENTATION_DOWN)
    lc_session_set_ruler (view->session, place.origin.y, place.origin.y + place.size.height);
  else
    lc_session_set_ruler (view->session, place.origin.x, place.origin.x + place.size.width);
  return G_SOURCE_REMOVE;
}

/* Tells it before the next frame, but not now: who hears of it may want another size, which none may while sizes are
 * given. */
static void
space_time_tell_ruler (LcSpaceTime *view)
{
  if (view->telling == 0)
    view->telling = g_idle_add_full (G_PRIORITY_DEFAULT, space_time_on_ruler, view, NULL);
}

/* Lays out names at the top, time at the left, and the overview at the right. */
static void
lay_out_down (LcSpaceTime *view, int top, int width, int height)
{
  int beside = lc_time_ruler_measure (LC_TIME_RULER (view->time));
  int breadth = MAX (width - beside - LC_OVERVIEW_THICKNESS - 2 * GAP, 1);
  int room = lc_names_ruler_measure (LC_NAMES_RULER (view->names), breadth, (int)(height * MOST_OF_NAMES));
  int below = view->beside_plots ? (int)(PLOT_VALUES * lc_theme_get_text_scale ()) : GAP;
  int length = MAX (height - top - room - below, MIN (LEAST, height - top - room));

  length = MAX (length, 1);
  space_time_place (view->time, 0, top, beside + GAP, room + length);
  space_time_place (view->names, beside + GAP, top, breadth, room);
  space_time_place (view->area, beside + GAP, top + room, breadth, length);
  space_time_place (view->overview, beside + GAP + breadth + GAP, top + room, LC_OVERVIEW_THICKNESS, length);
  space_time_tell_ruler (view);
}

/* Lays out the overview at the top, time below it, and names at the left. */
static void
lay_out_right (LcSpaceTime *view, int top, int width, int height)
{
  int above = lc_time_ruler_measure (LC_TIME_RULER (view->time)), first = top + LC_OVERVIEW_THICKNESS;
  int breadth = MAX (height - first - above - GAP, 1);
  int most = (int)(width * MOST_OF_NAMES);
  int room = lc_names_ruler_measure (LC_NAMES_RULER (view->names), breadth, most) + GAP;
  int length;

  room = MAX (room, MIN ((int)(PLOT_NUMBERS * lc_theme_get_text_scale ()), most));
  length = MAX (width - room - GAP, 1);

  space_time_place (view->overview, room, top, length, LC_OVERVIEW_THICKNESS);
  space_time_place (view->time, 0, first, room + length, above);
  space_time_place (view->names, 0, first + above, room, breadth);
  space_time_place (view->area, room, first + above, length, breadth);
  space_time_tell_ruler (view);
}

static void
lc_space_time_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  LcSpaceTime *view = LC_SPACE_TIME (widget);
  int top;

  gtk_widget_measure (view->state, GTK_ORIENTATION_VERTICAL, width - 2 * GAP, &top, NULL, NULL, NULL);
  space_time_place (view->state, GAP, 0, width - 2 * GAP, top);
  if (get_orientation (view) == LC_ORIENTATION_DOWN)
    lay_out_down (view, top, width, height);
  else
    lay_out_right (view, top, width, height);
}

static gboolean
lc_space_time_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (LC_SPACE_TIME (widget)->area);
}

/* --- The widget
 * ------------------------------------------------------------------------------------------------------------ */

static void
lc_space_time_dispose (GObject *object)
{
  LcSpaceTime *view = LC_SPACE_TIME (object);
  GtkWidget *child;

  g_clear_handle_id (&view->telling, g_source_remove);
  /* The input is disposed before the area, which is the parent of its menu. */
  if (view->input != NULL)
    g_object_run_dispose (G_OBJECT (view->input));
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (view))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&view->input);
  g_clear_object (&view->session);
  G_OBJECT_CLASS (lc_space_time_parent_class)->dispose (object);
}

static void
lc_space_time_class_init (LcSpaceTimeClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = lc_space_time_dispose;
  widget->measure = lc_space_time_measure;
  widget->size_allocate = lc_space_time_size_allocate;
  widget->grab_focus = lc_space_time_grab_focus;
  gtk_widget_class_set_css_name (widget, "spacetime");
}

static void
lc_space_time_init (LcSpaceTime *view)
{
  gtk_widget_set_hexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (view), GTK_OVERFLOW_HIDDEN);
  view->n_rows = LC_TRACE_NONE;
}

GtkWidget *
lc_space_time_new (LcSession *session)
{
  LcSpaceTime *view = g_object_new (LC_TYPE_SPACE_TIME, NULL);
  LcDiagramArea *area;

  view->session = g_object_ref (session);
  view->area = lc_diagram_area_new (session);
  area = LC_DIAGRAM_AREA (view->area);
  view->input = lc_diagram_input_new (area, session);
  view->state = lc_state_line_new (session);
  view->names = lc_names_ruler_new (area, view->input, session);
  view->time = lc_time_ruler_new (area, view->input, session);
  view->overview = lc_overview_new (area, session);
  gtk_widget_add_css_class (view->area, "diagram");
  gtk_widget_set_parent (view->state, GTK_WIDGET (view));
  gtk_widget_set_parent (view->time, GTK_WIDGET (view));
  gtk_widget_set_parent (view->names, GTK_WIDGET (view));
  gtk_widget_set_parent (view->area, GTK_WIDGET (view));
  gtk_widget_set_parent (view->overview, GTK_WIDGET (view));
  g_signal_connect_object (session, "changed", G_CALLBACK (space_time_on_changed), view, G_CONNECT_SWAPPED);
  g_signal_connect_object (area, "moved", G_CALLBACK (space_time_on_moved), view, G_CONNECT_SWAPPED);
  space_time_update_label (view);
  update_description (view);
  return GTK_WIDGET (view);
}

LcDiagramArea *
lc_space_time_get_area (LcSpaceTime *view)
{
  return LC_DIAGRAM_AREA (view->area);
}
