/* SPDX-License-Identifier: Apache-2.0 */
/* Notes over the events of a diagram: bounds, events without end, lost events, changes of an event, outlines. */
#include "diagram-private.h"

#define LONGEST_TIP 10.0
#define CALM 0.6  /* strength of what never ended, which may be most of the picture */
#define GOING 0.5 /* strength of what goes on, beside what is known to run */
#define ROOM_FOR_MARKER 7.0
#define ROOM_FOR_OUTLINE 4.0

/* --- Bounds, and events without end ------------------------------------------------------------------------------- */

static void
diagram_notes_paint_bounds (const LcDiagramPainter *painter)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, LC_MARK_BOUNDS, 0, LC_TRACE_NONE, &n_marks);
  g_autoptr (GArray) bands = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  g_autoptr (GArray) caps = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  LcFill band = lc_canvas_fill (painter->canvas, LC_INK_BOUNDS, 1), cap;

  for (gsize i = 0; i < n_marks; i++)
    {
      double lane = lc_diagram_get_lane (painter->view, marks[i].row, marks[i].track);
      double from = (double)marks[i].from, to = (double)marks[i].to, pixel = 1 / painter->scale;
      LcRectangle parts[] = {
          lc_diagram_get_box (painter->view, lane, painter->breadths.holding * 0.5, from, to),
          lc_diagram_get_box (painter->view, lane, painter->breadths.holding, from, from + pixel),
          lc_diagram_get_box (painter->view, lane, painter->breadths.holding, to - pixel, to),
      };

      for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
        if (lc_diagram_cut (painter->view, 2, &parts[k]))
          g_array_append_val (k == 0 ? bands : caps, parts[k]);
    }
  cap = lc_canvas_color_fill (lc_palette_get_color (lc_canvas_get_theme (painter->canvas), LC_INK_BOUNDS));
  lc_diagram_paint_rectangles (painter, band, bands);
  lc_diagram_paint_rectangles (painter, cap, caps);
}

LcFill
lc_diagram_get_going_fill (LcCanvas *canvas)
{
  LcTheme theme = lc_canvas_get_theme (canvas);

  return lc_canvas_color_fill (
      lc_color_mix (lc_palette_get_color (theme, LC_INK_BACKGROUND), lc_diagram_get_running_color (theme), GOING));
}

/* What has no end yet is drawn as a pointer, since it goes on. */
static void
diagram_notes_paint_pointer (const LcDiagramPainter *painter, const LcMark *mark, LcFill fill)
{
  const LcDiagramView *view = painter->view;
  LcRectangle box = lc_diagram_get_rectangle (view, mark);
  double shift = lc_diagram_get_shift (view), from = (double)mark->from + shift, to = (double)mark->to + shift;
  double lane = lc_diagram_get_lane (view, mark->row, mark->track);
  double half = painter->breadths.event / 2 / painter->row_size;
  double neck = MAX (from, to - MIN (painter->breadths.event / 2, LONGEST_TIP) / painter->scale);
  LcPlace outline[] = {lc_diagram_get_place (view, lane - half, from), lc_diagram_get_place (view, lane + half, from),
                       lc_diagram_get_place (view, lane + half, neck), lc_diagram_get_place (view, lane, to),
                       lc_diagram_get_place (view, lane - half, neck)};

  if (lc_diagram_cut (view, 2, &box))
    lc_canvas_polygon (painter->canvas, fill, outline, G_N_ELEMENTS (outline));
}

static void
paint_each (const LcDiagramPainter *painter, LcMarkKind kind)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, kind, 0, LC_TRACE_NONE, &n_marks);

  for (gsize i = 0; i < n_marks; i++)
    if (kind == LC_MARK_PENDING)
      diagram_notes_paint_pointer (
          painter, &marks[i],
          lc_diagram_fade_fill (painter, lc_diagram_get_state_fill (painter->canvas, LC_INK_PENDING), CALM));
    else if (kind == LC_MARK_GOING)
      diagram_notes_paint_pointer (painter, &marks[i], lc_diagram_get_going_fill (painter->canvas));
    else
      {
        LcRectangle box = lc_diagram_get_rectangle (painter->view, &marks[i]);

        if (lc_diagram_cut (painter->view, 2, &box))
          lc_canvas_rectangles (painter->canvas, lc_canvas_fill (painter->canvas, LC_INK_PROBLEM, 1), &box, 1);
      }
}

void
lc_diagram_paint_going (const LcDiagramPainter *painter)
{
  if (!lc_diagram_hides (painter->view, LC_DIAGRAM_GOING))
    paint_each (painter, LC_MARK_GOING);
}

/* --- Outlines and markers ----------------------------------------------------------------------------------------- */

typedef enum
{
  NOTE_MOVED,
  NOTE_LESS,
  NOTE_GAINED,
  NOTE_REORDERED,
  NOTES,
} Note;

static gboolean
note_of (const LcMark *mark, Note *note)
{
  if (mark->flags & LC_MARK_REORDERED)
    *note = NOTE_REORDERED;
  else if (mark->flags & LC_MARK_GAINED)
    *note = NOTE_GAINED;
  else if (mark->flags & LC_MARK_LESS)
    *note = NOTE_LESS;
  else if (mark->flags & LC_MARK_MOVED)
    *note = NOTE_MOVED;
  else
    return FALSE;
  return TRUE;
}

void
lc_diagram_get_note (LcCanvas *canvas, LcMarkFlags flag, LcMarker *marker, LcFill *fill)
{
  LcTheme theme = lc_canvas_get_theme (canvas);
  LcInk ink = flag == LC_MARK_REORDERED ? LC_INK_REORDERED
              : flag == LC_MARK_MOVED   ? LC_INK_APPROXIMATED
                                        : LC_INK_WAITING;

  *marker = flag == LC_MARK_REORDERED ? LC_MARKER_DIAMOND
            : flag == LC_MARK_GAINED  ? LC_MARKER_PLUS
            : flag == LC_MARK_LESS    ? LC_MARKER_TRIANGLE
                                      : LC_MARKER_DOT;
  *fill = lc_canvas_color_fill (lc_palette_get_color (theme, ink));
}

/* A marker is at the end of its event's box. Where it would overlap the next event's marker it is left out, unless it
 * marks a change of order, which matters most. */
static void
paint_markers (const LcDiagramPainter *painter, const LcMark *marks, gsize n_marks)
{
  static const LcMarkFlags flags[NOTES] = {LC_MARK_MOVED, LC_MARK_LESS, LC_MARK_GAINED, LC_MARK_REORDERED};
  static const LcDiagramKind kinds[NOTES] = {LC_DIAGRAM_MOVED, LC_DIAGRAM_LESS, LC_DIAGRAM_GAINED,
                                             LC_DIAGRAM_REORDERED};
  GArray *places[NOTES];
  double room = ROOM_FOR_MARKER / painter->scale, size = CLAMP (painter->breadths.event * 0.4, 4, 8);

  if (painter->row_size < 2 * ROOM_FOR_MARKER)
    return;
  for (Note note = 0; note < NOTES; note++)
    places[note] = g_array_new (FALSE, FALSE, sizeof (LcPlace));
  for (gsize i = 0; i < n_marks; i++)
    {
      const LcMark *mark = &marks[i], *next = i + 1 < n_marks ? &marks[i + 1] : NULL;
      gboolean crowded = next != NULL && next->row == mark->row && next->track == mark->track &&
                         (double)(next->to - MIN (mark->to, next->to)) < room;
      double side = painter->breadths.event / 2 / painter->row_size;
      LcPlace place;
      Note note;

      if (!note_of (mark, &note) || (crowded && note != NOTE_REORDERED) || (mark->flags & LC_MARK_DIM))
        continue;
      place = lc_diagram_get_place (painter->view, lc_diagram_get_lane (painter->view, mark->row, mark->track) + side,
                                    (double)mark->to + lc_diagram_get_shift (painter->view));
      g_array_append_val (places[note], place);
    }
  for (Note note = 0; note < NOTES; note++)
    {
      LcMarker marker;
      LcFill fill;

      lc_diagram_get_note (painter->canvas, flags[note], &marker, &fill);
      if (!lc_diagram_hides (painter->view, kinds[note]))
        lc_canvas_markers (painter->canvas, marker, fill, note == NOTE_MOVED ? size * 0.5 : size,
                           (const LcPlace *)(const void *)places[note]->data, places[note]->len);
      g_array_unref (places[note]);
    }
}

/* Returns what of a mark is on the critical path. Where the path comes in is known in physical time only. */
static LcMark
diagram_notes_get_critical (const LcDiagramPainter *painter, const LcMark *mark)
{
  LcMark part = *mark;

  if (mark->flags & LC_MARK_ENTERED && painter->query->selection.time == LC_SCENE_PHYSICAL)
    part.from = CLAMP (mark->released, mark->from, mark->to);
  return part;
}

/* A row that is a line of cells has room for the chosen event only. */
static void
paint_outlines (const LcDiagramPainter *painter, const LcMark *marks, gsize n_marks)
{
  gboolean has_cells = lc_diagram_has_cells (painter->scene, painter->view);
  LcStroke critical = lc_canvas_stroke (painter->canvas, LC_INK_CRITICAL, 1.5);
  LcStroke chosen = lc_canvas_stroke (painter->canvas, LC_INK_SELECTION, 2.5);

  for (gsize i = 0; i < n_marks; i++)
    {
      LcRectangle box;
      gboolean is_chosen = (marks[i].flags & LC_MARK_CHOSEN) != 0;
      const LcMark part = is_chosen ? marks[i] : diagram_notes_get_critical (painter, &marks[i]);

      if (!is_chosen &&
          (has_cells || !(marks[i].flags & LC_MARK_CRITICAL) || lc_diagram_hides (painter->view, LC_DIAGRAM_CRITICAL) ||
           (double)(part.to - part.from) * painter->scale < ROOM_FOR_OUTLINE))
        continue;
      box = lc_diagram_get_rectangle (painter->view, &part);
      if (!lc_diagram_cut (painter->view, 4, &box))
        continue;
      if (is_chosen)
        box = (LcRectangle){box.x - 2, box.y - 2, box.width + 4, box.height + 4};
      lc_canvas_frame (painter->canvas, is_chosen ? chosen : critical, box);
    }
}

void
lc_diagram_paint_notes (const LcDiagramPainter *painter)
{
  gsize n_marks, n_summaries;
  gboolean has_cells = lc_diagram_has_cells (painter->scene, painter->view);
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n_marks);
  const LcMark *summaries = lc_scene_get_marks_of (painter->scene, LC_MARK_SUMMARY, 0, LC_TRACE_NONE, &n_summaries);

  lc_canvas_begin (painter->canvas, "notes", NULL);
  if (!lc_diagram_hides (painter->view, LC_DIAGRAM_BOUNDS) && !has_cells)
    diagram_notes_paint_bounds (painter);
  if (!lc_diagram_hides (painter->view, LC_DIAGRAM_PENDING))
    paint_each (painter, LC_MARK_PENDING);
  if (!lc_diagram_hides (painter->view, LC_DIAGRAM_LOST) && !has_cells)
    paint_each (painter, LC_MARK_LOST);
  paint_outlines (painter, marks, n_marks);
  paint_outlines (painter, summaries, n_summaries);
  paint_markers (painter, marks, n_marks);
  lc_canvas_end (painter->canvas);
}
