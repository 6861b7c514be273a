/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of a picture: title, what is shown, axes with units, legend, notes. */
#include "frame.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "frame-axis.h"
#include "legend.h"
#include "paragraph.h"

#define GAP 8.0             /* between the parts from top to bottom */
#define COLUMN_GAP 16.0     /* between the plot and a legend beside it */
#define LEGEND_COLUMN 560.0 /* narrower pictures have no legend beside the plot */
#define LEGEND_ROWS 40.0    /* nor have legends that are no higher than this */

/* The largest shares of the parts, so that the smallest picture has room for its plot: of the picture, or of what the
 * title leaves. */
#define HEAD_SHARE 0.4
#define PLOT_SHARE 0.3
#define NOTES_SHARE 0.22
#define LEGEND_SHARE 0.25
#define NAMES_SHARE 0.28
#define LEGEND_WIDTH 0.26

enum
{
  TITLE_LINES = 2,
  SHOWN_LINES = 3,
  NOTE_LINES = 3,
};

struct _LcFrame
{
  char *title;
  char *shown;
  GPtrArray *notes;
  LcLegend *legend;
  LcFrameAxis x;
  LcFrameAxis y;
  gboolean over_time; /* an axis was set by lc_frame_set_time */
  gboolean downwards; /* that axis is y, with the earliest time at the top */
  LcTimePlace place;
  double left; /* room that the view has asked for beside the plot */
  double top;

  /* lay_out sets the rest. */
  LcRectangle whole;
  LcRectangle inner; /* the whole without its margin */
  LcRectangle area;
  GPtrArray *title_lines;
  GPtrArray *shown_lines;
  GPtrArray *note_lines;
  double title_height;
  double head_height; /* of the title and the line of what is shown */
  double legend_height;
  double legend_width; /* of a legend beside the plot; 0: the legend is above the plot */
  double notes_height;
};

static const LcTextStyle title_style = {.font = LC_FONT_TITLE, .ink = LC_INK_TEXT};
static const LcTextStyle shown_style = {.font = LC_FONT_NORMAL, .ink = LC_INK_FAINT_TEXT};
static const LcTextStyle note_style = {.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT};

LcFrame *
lc_frame_new (const char *title, const char *shown)
{
  LcFrame *frame = g_new0 (LcFrame, 1);

  frame->title = g_strdup (title);
  frame->shown = g_strdup (shown);
  frame->notes = g_ptr_array_new_with_free_func (g_free);
  frame->legend = lc_legend_new ();
  lc_frame_axis_init (&frame->x, FALSE);
  lc_frame_axis_init (&frame->y, TRUE);
  return frame;
}

static void
clear_layout (LcFrame *frame)
{
  g_clear_pointer (&frame->title_lines, g_ptr_array_unref);
  g_clear_pointer (&frame->shown_lines, g_ptr_array_unref);
  g_clear_pointer (&frame->note_lines, g_ptr_array_unref);
}

void
lc_frame_free (LcFrame *frame)
{
  if (frame == NULL)
    return;
  clear_layout (frame);
  lc_frame_axis_clear (&frame->x);
  lc_frame_axis_clear (&frame->y);
  lc_legend_free (frame->legend);
  g_ptr_array_unref (frame->notes);
  g_free (frame->title);
  g_free (frame->shown);
  g_free (frame);
}

void
lc_frame_set_x (LcFrame *frame, const LcAxisScale *scale)
{
  lc_frame_axis_set (&frame->x, scale);
}

/* What is read from the top to the bottom is read from the left to the right beside time that goes down. */
void
lc_frame_set_y (LcFrame *frame, const LcAxisScale *scale)
{
  LcAxisScale across = *scale;

  if (!lc_frame_is_turned (frame))
    {
      lc_frame_axis_set (&frame->y, scale);
      return;
    }
  across.from = MIN (scale->from, scale->to);
  across.to = MAX (scale->from, scale->to);
  lc_frame_axis_set (&frame->x, &across);
}

void
lc_frame_turn (LcFrame *frame)
{
  frame->downwards = TRUE;
}

gboolean
lc_frame_is_turned (const LcFrame *frame)
{
  return frame->over_time && frame->downwards;
}

void
lc_frame_set_time (LcFrame *frame, guint64 from, guint64 to)
{
  const LcAxisScale scale = {.title = _ ("Time"),
                             .kind = LC_SCALE_TIME,
                             .from = (double)(frame->downwards ? to : from),
                             .to = (double)(frame->downwards ? from : to),
                             .grid = TRUE};

  lc_frame_axis_set (frame->downwards ? &frame->y : &frame->x, &scale);
  frame->over_time = TRUE;
}

static const LcAxisScale *
frame_get_time_scale (const LcFrame *frame)
{
  return frame->downwards ? &frame->y.scale : &frame->x.scale;
}

gboolean
lc_frame_get_time (const LcFrame *frame, guint64 *from, guint64 *to)
{
  const LcAxisScale *scale = frame_get_time_scale (frame);

  *from = frame->over_time ? (guint64)MIN (scale->from, scale->to) : 0;
  *to = frame->over_time ? (guint64)MAX (scale->from, scale->to) : 0;
  return frame->over_time;
}

void
lc_frame_place_time (LcFrame *frame, const LcTimePlace *place)
{
  frame->place = *place;
}

void
lc_frame_set_margins (LcFrame *frame, double left, double top)
{
  frame->left = left;
  frame->top = top;
}

void
lc_frame_add_fill (LcFrame *frame, const char *text, LcFill fill)
{
  lc_legend_add_fill (frame->legend, text, fill);
}

void
lc_frame_add_line (LcFrame *frame, const char *text, LcStroke stroke)
{
  lc_legend_add_line (frame->legend, text, stroke);
}

void
lc_frame_add_marker (LcFrame *frame, const char *text, LcMarker marker, LcFill fill)
{
  lc_legend_add_marker (frame->legend, text, marker, fill);
}

void
lc_frame_add_sample (LcFrame *frame, const char *text, const LcLegendSample *sample)
{
  lc_legend_add_sample (frame->legend, text, sample);
}

void
lc_frame_add_ramp (LcFrame *frame, const char *text, const char *lowest, const char *highest)
{
  lc_legend_add_ramp (frame->legend, text, lowest, highest, lc_palette_get_amount);
}

void
lc_frame_add_shades (LcFrame *frame, const char *text, const char *lowest, const char *highest, LcShade shade)
{
  lc_legend_add_ramp (frame->legend, text, lowest, highest, shade);
}

void
lc_frame_add_note (LcFrame *frame, const char *text)
{
  g_ptr_array_add (frame->notes, g_strdup (text));
}

/* --- Layout --------------------------------------------------------------------------------------------------------
 */

static LcRectangle
frame_inset (LcRectangle whole)
{
  double margin = CLAMP (round (MIN (whole.width, whole.height) * 0.025), 3, 16);

  return (LcRectangle){whole.x + margin, whole.y + margin, MAX (whole.width - 2 * margin, 1),
                       MAX (whole.height - 2 * margin, 1)};
}

/* The number of lines that fit, but at least one. */
static guint
fit_lines (double height, double line, guint most)
{
  return (guint)CLAMP (height / line, 1, most);
}

static void
lay_out_head (LcFrame *frame, LcCanvas *canvas, double most)
{
  double width = frame->inner.width;
  double title_line = lc_paragraph_get_line (canvas, &title_style);
  double shown_line = lc_paragraph_get_line (canvas, &shown_style);

  frame->title_lines = lc_paragraph_break (canvas, &title_style, frame->title, width,
                                           fit_lines (most - shown_line, title_line, TITLE_LINES));
  frame->title_height = frame->title[0] != '\0' ? frame->title_lines->len * title_line + 2 : 0;
  frame->shown_lines = lc_paragraph_break (canvas, &shown_style, frame->shown, width,
                                           fit_lines (most - frame->title_height, shown_line, SHOWN_LINES));
  frame->head_height = frame->title_height + frame->shown_lines->len * shown_line + GAP;
}

/* Lays out as many notes as there is room for. */
static void
lay_out_notes (LcFrame *frame, LcCanvas *canvas, double most)
{
  double line = lc_paragraph_get_line (canvas, &note_style);

  g_clear_pointer (&frame->note_lines, g_ptr_array_unref);
  frame->note_lines = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < frame->notes->len; i++)
    {
      g_autoptr (GPtrArray) lines =
          lc_paragraph_break (canvas, &note_style, frame->notes->pdata[i], frame->inner.width, NOTE_LINES);

      if ((frame->note_lines->len + lines->len) * line > most)
        break;
      for (guint k = 0; k < lines->len; k++)
        g_ptr_array_add (frame->note_lines, g_strdup (lines->pdata[k]));
    }
  frame->notes_height = frame->note_lines->len > 0 ? frame->note_lines->len * line + GAP : 0;
}

/* Gives where the plot has to begin, and its length, in the direction of time. FALSE: anywhere. */
static gboolean
frame_find_time_place (const LcFrame *frame, double *begin, double *length)
{
  const LcTimePlace *place = &frame->place;
  double first = frame->downwards ? frame->whole.y : frame->whole.x;
  double last = first + (frame->downwards ? frame->whole.height : frame->whole.width), scale;
  guint64 from, to;

  if (!lc_frame_get_time (frame, &from, &to) || place->end <= place->begin || place->to <= place->from)
    return FALSE;
  scale = (place->end - place->begin) / (place->to - place->from);
  *begin = first + place->begin + ((double)from - place->from) * scale;
  *length = (double)(to - from) * scale;
  return *length >= 1 && *begin >= first && *begin + *length <= last + 0.5;
}

/* The legend is above the plot, but beside it if it would take many rows above, and the plot may be anywhere. */
static void
lay_out_legend (LcFrame *frame, LcCanvas *canvas, double rest, double most)
{
  double width = frame->inner.width, at, along;

  frame->legend_width = 0;
  frame->legend_height = lc_legend_set_rows (frame->legend, canvas, width, most);
  if (frame->legend_height > LEGEND_ROWS && width >= LEGEND_COLUMN && !frame_find_time_place (frame, &at, &along))
    {
      frame->legend_width =
          lc_legend_set_column (frame->legend, canvas, LEGEND_WIDTH * width, rest - frame->notes_height);
      frame->legend_height = frame->legend_width > 0 ? 0 : lc_legend_set_rows (frame->legend, canvas, width, most);
    }
  if (frame->legend_height > 0)
    frame->legend_height += GAP / 2;
}

/* Lays the plot out where its time has to be. */
static void
lay_out_placed_area (LcFrame *frame, LcCanvas *canvas, double left, double width, double rest)
{
  double top = frame->inner.y + frame->head_height + frame->legend_height + frame->top, bottom, beside, room;
  double below = lc_frame_axis_measure (&frame->x, canvas, width, NAMES_SHARE * rest);

  for (guint i = 0; i < 2; i++)
    {
      bottom = frame->inner.y + frame->inner.height - frame->notes_height - below;
      beside = lc_frame_axis_measure (&frame->y, canvas, MAX (bottom - top - frame->y.reach, 1), G_MAXDOUBLE);
    }
  room = left - frame->left - frame->whole.x;
  if (beside > room)
    lc_frame_axis_measure (&frame->y, canvas, MAX (bottom - top - frame->y.reach, 1),
                           MAX (frame->y.labels - (beside - room), 1));
  frame->area.x = left;
  frame->area.y = round (top + frame->y.reach);
  frame->area.width = width;
  frame->area.height = MAX (floor (bottom - frame->area.y), 1);
}

/* The room for labels depends on the plot's size, and the plot's size on that room; two rounds are enough. */
static void
lay_out_area (LcFrame *frame, LcCanvas *canvas, double rest)
{
  LcRectangle inner = frame->inner;
  double top = inner.y + frame->head_height + frame->legend_height + frame->top;
  double bottom = inner.y + inner.height - frame->notes_height;
  double right = inner.x + inner.width - (frame->legend_width > 0 ? frame->legend_width + COLUMN_GAP : 0);
  double left = inner.x + frame->left, width = right - left, height = bottom - top, at, along;

  if (!lc_frame_is_turned (frame) && frame_find_time_place (frame, &at, &along))
    {
      lay_out_placed_area (frame, canvas, at, along, rest);
      return;
    }
  for (guint i = 0; i < 2; i++)
    {
      height =
          bottom - top - frame->y.reach - lc_frame_axis_measure (&frame->x, canvas, MAX (width, 1), NAMES_SHARE * rest);
      width = right - left - frame->x.reach -
              lc_frame_axis_measure (&frame->y, canvas, MAX (height, 1), NAMES_SHARE * inner.width);
    }
  frame->area.x = round (right - frame->x.reach - width);
  frame->area.y = round (top + frame->y.reach);
  frame->area.width = MAX (floor (right - frame->x.reach - frame->area.x), 1);
  frame->area.height = MAX (floor (top + frame->y.reach + height - frame->area.y), 1);
}

static gboolean
frame_has_room (const LcFrame *frame)
{
  return frame->area.height >= PLOT_SHARE * frame->inner.height && frame->area.width >= PLOT_SHARE * frame->inner.width;
}

/* Lays out the axes of a plot that lies from `top` to `top` + `height`, with names below it cut to the room there.
 * Returns the room that is needed below it. */
static double
frame_lay_out_beside (LcFrame *frame, LcCanvas *canvas, double top, double height)
{
  LcRectangle inner = frame->inner;
  double right = inner.x + inner.width, left = inner.x + frame->left, room = inner.y + inner.height - top - height;
  double beside = lc_frame_axis_measure (&frame->y, canvas, height, NAMES_SHARE * inner.width), below;

  frame->area = (LcRectangle){round (left + beside), top, MAX (right - left - beside, 1), height};
  below = lc_frame_axis_measure (&frame->x, canvas, frame->area.width, G_MAXDOUBLE);
  frame->area.width = MAX (floor (right - frame->x.reach - frame->area.x), 1);
  below = lc_frame_axis_measure (&frame->x, canvas, frame->area.width, G_MAXDOUBLE);
  if (below <= room)
    return below;
  return lc_frame_axis_measure (&frame->x, canvas, frame->area.width, MAX (frame->x.labels - (below - room), 1));
}

/* Lays out a plot whose time goes down and has its place: the legend has the room above it, the head what that leaves,
 * and the notes what the axis leaves below it. FALSE: there is no such place, or the axis has no room. */
static gboolean
frame_lay_out_placed (LcFrame *frame, LcCanvas *canvas)
{
  double end = frame->inner.y + frame->inner.height, top, height, above, below;

  if (!lc_frame_is_turned (frame) || !frame_find_time_place (frame, &top, &height))
    return FALSE;
  above = top - frame->inner.y - frame->top;
  below = end - top - height - frame_lay_out_beside (frame, canvas, top, height);
  if (below < 0)
    return FALSE;
  frame->legend_width = 0;
  frame->legend_height = lc_legend_set_rows (frame->legend, canvas, frame->inner.width, above);
  lay_out_head (frame, canvas, above - frame->legend_height);
  if (frame->head_height > above - frame->legend_height)
    {
      g_ptr_array_set_size (frame->title_lines, 0);
      g_ptr_array_set_size (frame->shown_lines, 0);
      frame->head_height = 0;
    }
  lay_out_notes (frame, canvas, below);
  return TRUE;
}

/* A very small picture has no notes, or not even a legend. */
static void
frame_lay_out (LcFrame *frame, LcCanvas *canvas, LcRectangle whole)
{
  double rest, notes = NOTES_SHARE, legend = LEGEND_SHARE;

  clear_layout (frame);
  frame->whole = whole;
  frame->inner = frame_inset (whole);
  if (frame_lay_out_placed (frame, canvas))
    return;
  clear_layout (frame);
  lay_out_head (frame, canvas, HEAD_SHARE * frame->inner.height);
  rest = MAX (frame->inner.height - frame->head_height, 1);
  for (;;)
    {
      lay_out_notes (frame, canvas, notes * rest);
      lay_out_legend (frame, canvas, rest, legend * rest);
      lay_out_area (frame, canvas, rest);
      if (frame_has_room (frame) || legend == 0)
        break;
      if (notes == 0)
        legend = 0;
      notes = 0;
    }
}

LcRectangle
lc_frame_measure (LcFrame *frame, LcCanvas *canvas, LcRectangle whole)
{
  frame_lay_out (frame, canvas, whole);
  return frame->area;
}

LcRectangle
lc_frame_get_moving (const LcFrame *frame)
{
  LcRectangle moving = frame->area;
  double labels = lc_frame_axis_get_labels (lc_frame_is_turned (frame) ? &frame->y : &frame->x);

  if (lc_frame_is_turned (frame))
    moving.x -= labels;
  if (lc_frame_is_turned (frame))
    moving.width += labels;
  else
    moving.height += labels;
  return moving;
}

double
lc_frame_get_x (const LcFrame *frame, double value)
{
  return lc_frame_axis_get_place (&frame->x, frame->area, value);
}

double
lc_frame_get_y (const LcFrame *frame, double value)
{
  return lc_frame_axis_get_place (&frame->y, frame->area, value);
}

/* --- Painting ------------------------------------------------------------------------------------------------------
 */

static void
frame_fill (LcCanvas *canvas, LcInk ink, LcRectangle rectangle)
{
  LcColor color = lc_palette_get_color (lc_canvas_get_theme (canvas), ink);

  lc_canvas_rectangles (canvas, lc_canvas_color_fill (color), &rectangle, 1);
}

static void
frame_paint_texts (const LcFrame *frame, LcCanvas *canvas)
{
  LcRectangle inner = frame->inner;
  LcPlace legend = {inner.x, inner.y + frame->head_height};

  lc_canvas_begin (canvas, "title", NULL);
  lc_paragraph_paint (frame->title_lines, canvas, &title_style, (LcPlace){inner.x, inner.y}, inner.width);
  lc_canvas_end (canvas);
  lc_canvas_begin (canvas, "shown", NULL);
  lc_paragraph_paint (frame->shown_lines, canvas, &shown_style, (LcPlace){inner.x, inner.y + frame->title_height},
                      inner.width);
  lc_canvas_end (canvas);
  if (frame->legend_width > 0)
    legend = (LcPlace){inner.x + inner.width - frame->legend_width, frame->area.y};
  lc_legend_paint (frame->legend, canvas, legend);
  lc_canvas_begin (canvas, "notes", NULL);
  lc_paragraph_paint (frame->note_lines, canvas, &note_style,
                      (LcPlace){inner.x, inner.y + inner.height - frame->notes_height + GAP}, inner.width);
  lc_canvas_end (canvas);
}

LcRectangle
lc_frame_paint (LcFrame *frame, LcCanvas *canvas, LcRectangle whole)
{
  frame_lay_out (frame, canvas, whole);
  frame_fill (canvas, LC_INK_BACKGROUND, whole);
  frame_fill (canvas, LC_INK_PANEL, frame->area);
  lc_frame_axis_paint_grid (&frame->x, canvas, frame->area);
  lc_frame_axis_paint_grid (&frame->y, canvas, frame->area);
  frame_paint_texts (frame, canvas);
  lc_frame_axis_paint (&frame->y, canvas, frame->area, whole, frame->left);
  lc_frame_axis_paint (&frame->x, canvas, frame->area, whole, 0);
  return frame->area;
}
