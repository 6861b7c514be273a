/* SPDX-License-Identifier: Apache-2.0 */
/* Breakpoints, and where the processes of a program that runs again stand, as marks above the diagram. */
/*
 * A breakpoint is a dot on the begin of its event, a stop is a line across the column with arrows at both ends: where
 * they meet, both are seen. Their size does not depend on the zoom.
 */
#include "app/diagram/stop-marks.h"

#include "app/theme.h"

#define DOT 11.0      /* pixels, where rows have room for it */
#define LEAST_DOT 5.0 /* and where they have none */
#define ARROW 8.0     /* pixels */
#define HALO 1.5      /* around each mark */
#define HALF 0.42     /* of a row: half the length of the line across it */
#define LINE 2.0      /* pixels: how thick the line is */
#define SELECTED 1.5  /* times as large is the stop of the process to look at */

typedef struct
{
  LcHistoryEvent event; /* on the shown timeline */
  gboolean is_after;    /* the stop is at its end */
  gboolean is_selected;
} StopMark;

struct _LcStopMarks
{
  LcSession *session;
  GArray *breakpoints; /* of StopMark */
  GArray *stops;
};

/* --- Finding ----------------------------------------------------------------------------------------------------- */

/* An event may be missing on the shown timeline; then it has no mark there. */
static gboolean
stop_marks_find (LcSession *session, const LcEventName *name, StopMark *mark)
{
  const LcShown *shown = lc_session_get_shown (session);
  LcHistory *history = shown->opened->history;
  guint64 n_events = name->process < lc_history_get_n_processes (history)
                         ? lc_history_get_process (history, name->process)->events
                         : 0;
  guint64 ordinal;
  guint32 process;

  *mark = (StopMark){.is_after = name->ordinal >= n_events};
  return n_events > 0 &&
         lc_history_locate (history, shown->timeline, name->process, MIN (name->ordinal, n_events - 1), &process,
                            &ordinal, NULL) &&
         lc_history_get_event (history, shown->timeline, process, ordinal, &mark->event, NULL);
}

static void
stop_marks_find_all (LcStopMarks *marks, const GArray *names, guint32 selected, GArray *found)
{
  g_array_set_size (found, 0);
  if (lc_session_get_shown (marks->session) == NULL)
    return;
  for (guint i = 0; i < names->len; i++)
    {
      const LcEventName *name = &g_array_index (names, LcEventName, i);
      StopMark mark;

      if (!stop_marks_find (marks->session, name, &mark))
        continue;
      mark.is_selected = name->process == selected;
      g_array_append_val (found, mark);
    }
}

void
lc_stop_marks_follow (LcStopMarks *marks, guint what)
{
  guint32 selected;
  const GArray *stops = lc_session_get_stops (marks->session, &selected);

  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE | LC_CHANGED_BREAKPOINTS)) != 0)
    stop_marks_find_all (marks, lc_session_get_breakpoints (marks->session), LC_TRACE_NONE, marks->breakpoints);
  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE | LC_CHANGED_STOPS)) != 0)
    stop_marks_find_all (marks, stops, selected, marks->stops);
}

/* --- Drawing ----------------------------------------------------------------------------------------------------- */

/* Finds the middle of the column at the mark. FALSE: it is not in view. */
static gboolean
stop_marks_place (const LcStopMarks *marks, const StopMark *mark, const LcDiagramView *view, LcPlace *place)
{
  LcMark body = {.kind = LC_MARK_EVENT, .n_rows = 1};
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  LcRectangle box;
  double from, to;

  if (!lc_session_get_place (marks->session, &mark->event, &from, &to))
    return FALSE;
  body.row = lc_shown_find_row (lc_session_get_shown (marks->session), mark->event.process);
  if (body.row == LC_TRACE_NONE)
    return FALSE;
  if (mark->is_after && view->time == LC_SCENE_PHYSICAL)
    from = to;
  body.from = body.to = (guint64)MAX (from, 0);
  box = lc_diagram_get_rectangle (view, &body);
  *place = (LcPlace){box.x + (down ? box.width / 2 : 0), box.y + (down ? 0 : box.height / 2)};
  if (mark->is_after && view->time != LC_SCENE_PHYSICAL)
    *place = (LcPlace){place->x + (down ? 0 : box.width), place->y + (down ? box.height : 0)};
  return place->x > view->area.x - DOT && place->x < view->area.x + view->area.width + DOT &&
         place->y > view->area.y - DOT && place->y < view->area.y + view->area.height + DOT;
}

/* Turns a shape whose first axis goes across the column. */
static LcPlace
stop_marks_turn (const LcDiagramView *view, LcPlace middle, double across, double along)
{
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;

  return (LcPlace){middle.x + (down ? across : along), middle.y + (down ? along : across)};
}

/* Paints an arrow that points to the column from one side, larger than it is by `more`. */
static void
stop_marks_paint_arrow (LcCanvas *canvas, LcFill fill, const LcDiagramView *view, LcPlace middle, double half,
                        double size, double more)
{
  const double side = half < 0 ? -1 : 1, tip = half - side * (size + 2 * more), end = half + side * more;
  const LcPlace corners[] = {
      stop_marks_turn (view, middle, tip, 0),
      stop_marks_turn (view, middle, end, -size * 0.6 - more),
      stop_marks_turn (view, middle, end, size * 0.6 + more),
  };

  lc_canvas_polygon (canvas, fill, corners, G_N_ELEMENTS (corners));
}

static void
stop_marks_paint_stop (LcCanvas *canvas, const LcDiagramView *view, const StopMark *mark, LcPlace middle)
{
  double row = lc_diagram_get_row_size (view) / view->n_tracks, factor = mark->is_selected ? SELECTED : 1;
  double half = MAX (row * HALF, ARROW * 0.75), size = MIN (ARROW * factor, half);
  const LcPlace first = stop_marks_turn (view, middle, -half, 0), last = stop_marks_turn (view, middle, half, 0);
  const LcLine line = {first.x, first.y, last.x, last.y};
  const LcInk inks[] = {LC_INK_BACKGROUND, LC_INK_ACTUAL};

  for (guint i = 0; i < G_N_ELEMENTS (inks); i++)
    {
      const double more = i == 0 ? HALO : 0;
      const LcFill fill = lc_canvas_color_fill (lc_palette_get_color (lc_canvas_get_theme (canvas), inks[i]));

      lc_canvas_lines (canvas, lc_canvas_stroke (canvas, inks[i], LINE * factor + 2 * more), &line, 1);
      stop_marks_paint_arrow (canvas, fill, view, middle, -half, size, more);
      stop_marks_paint_arrow (canvas, fill, view, middle, half, size, more);
    }
}

static void
stop_marks_paint_breakpoint (LcCanvas *canvas, const LcDiagramView *view, LcPlace middle)
{
  double size = CLAMP (lc_diagram_get_row_size (view) / view->n_tracks * 0.3, LEAST_DOT, DOT);
  LcTheme theme = lc_canvas_get_theme (canvas);
  LcFill halo = lc_canvas_color_fill (lc_palette_get_color (theme, LC_INK_BACKGROUND));
  LcFill fill = lc_canvas_color_fill (lc_palette_get_color (theme, LC_INK_CRITICAL));

  lc_canvas_markers (canvas, LC_MARKER_DOT, halo, size + 2 * HALO, &middle, 1);
  lc_canvas_markers (canvas, LC_MARKER_DOT, fill, size, &middle, 1);
}

void
lc_stop_marks_draw (const LcStopMarks *marks, GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view)
{
  graphene_rect_t bounds =
      GRAPHENE_RECT_INIT ((float)view->area.x, (float)view->area.y, (float)view->area.width, (float)view->area.height);
  cairo_t *cairo;
  LcCanvas *canvas;
  LcPlace place;

  if (marks->breakpoints->len == 0 && marks->stops->len == 0)
    return;
  cairo = gtk_snapshot_append_cairo (snapshot, &bounds);
  canvas = lc_theme_new_canvas (cairo, theme);
  for (guint i = 0; i < marks->stops->len; i++)
    {
      const StopMark *mark = &g_array_index (marks->stops, StopMark, i);

      if (stop_marks_place (marks, mark, view, &place))
        stop_marks_paint_stop (canvas, view, mark, place);
    }
  for (guint i = 0; i < marks->breakpoints->len; i++)
    if (stop_marks_place (marks, &g_array_index (marks->breakpoints, StopMark, i), view, &place))
      stop_marks_paint_breakpoint (canvas, view, place);
  lc_canvas_free (canvas);
  cairo_destroy (cairo);
}

/* --- The marks --------------------------------------------------------------------------------------------------- */

LcStopMarks *
lc_stop_marks_new (LcSession *session)
{
  LcStopMarks *marks = g_new0 (LcStopMarks, 1);

  marks->session = g_object_ref (session);
  marks->breakpoints = g_array_new (FALSE, FALSE, sizeof (StopMark));
  marks->stops = g_array_new (FALSE, FALSE, sizeof (StopMark));
  lc_stop_marks_follow (marks, LC_CHANGED_ALL);
  return marks;
}

void
lc_stop_marks_free (LcStopMarks *marks)
{
  g_array_unref (marks->breakpoints);
  g_array_unref (marks->stops);
  g_object_unref (marks->session);
  g_free (marks);
}
