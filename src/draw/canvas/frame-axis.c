/* SPDX-License-Identifier: Apache-2.0 */
/* An axis of a frame: its ticks and names beside the plot, and the grid in it. */
#include "frame-axis.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "paragraph.h"

#define ROUNDING 0.01    /* px */
#define TICK 4.0         /* length of the mark of a tick */
#define GAP 3.0          /* between a tick's mark and its text */
#define TEXT_GAP 12.0    /* between two texts side by side */
#define HEADING_GAP 5.0  /* between the texts and the title */
#define TICK_SPACE 70.0  /* wanted from tick to tick along the bottom */
#define TICK_HEIGHT 34.0 /* wanted from tick to tick along the left */

void
lc_frame_axis_init (LcFrameAxis *axis, gboolean upright)
{
  *axis = (LcFrameAxis){.upright = upright, .scale.to = 1};
}

static void
clear_measured (LcFrameAxis *axis)
{
  g_clear_pointer (&axis->ticks, g_array_unref);
  g_clear_pointer (&axis->heading, g_free);
}

void
lc_frame_axis_clear (LcFrameAxis *axis)
{
  clear_measured (axis);
  g_clear_pointer (&axis->title, g_free);
}

void
lc_frame_axis_set (LcFrameAxis *axis, const LcAxisScale *scale)
{
  clear_measured (axis);
  g_free (axis->title);
  axis->scale = *scale;
  axis->title = g_strdup (scale->title);
  axis->scale.title = axis->title;
}

double
lc_frame_axis_get_place (const LcFrameAxis *axis, LcRectangle area, double value)
{
  const LcAxisScale *scale = &axis->scale;
  double share = scale->to != scale->from ? (value - scale->from) / (scale->to - scale->from) : 0.5;

  return axis->upright ? area.y + area.height * (1 - share) : area.x + area.width * share;
}

double
lc_frame_axis_get_labels (const LcFrameAxis *axis)
{
  return TICK + GAP + axis->labels;
}

static LcTextStyle
label_style (const LcFrameAxis *axis, double room)
{
  LcTextStyle style = {
      .font = LC_FONT_SMALL, .ink = axis->scale.kind == LC_SCALE_NAMES ? LC_INK_TEXT : LC_INK_FAINT_TEXT, .room = room};

  if (axis->upright)
    {
      style.align_x = 1;
      style.align_y = 0.5;
    }
  else
    {
      style.align_x = 0.5;
      style.align_y = axis->turned ? 0.5 : 0;
      style.upwards = axis->turned;
    }
  return style;
}

static double
measure_line (LcCanvas *canvas, LcFont font)
{
  const LcTextStyle style = {.font = font, .ink = LC_INK_TEXT};

  return lc_paragraph_get_line (canvas, &style);
}

static double
measure_label (const LcFrameAxis *axis, LcCanvas *canvas, guint tick)
{
  const LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT};
  double width, height;

  lc_canvas_measure (canvas, &style, g_array_index (axis->ticks, LcTick, tick).text, &width, &height);
  return width;
}

static double
axis_measure_widest (const LcFrameAxis *axis, LcCanvas *canvas)
{
  double widest = 0;

  for (guint i = 0; i < axis->ticks->len; i++)
    widest = MAX (widest, measure_label (axis, canvas, i));
  return widest;
}

/* --- Ticks ---------------------------------------------------------------------------------------------------------
 */

static void
axis_clear_tick (gpointer data)
{
  g_free (((LcTick *)data)->text);
}

static guint
count_names (const LcFrameAxis *axis)
{
  return (guint)fabs (axis->scale.to - axis->scale.from);
}

/* Finds where the number at the end of a name begins. NULL: the name does not end with a number. */
static const char *
axis_find_number (const char *name, guint64 *number)
{
  const char *at = name != NULL ? name + strlen (name) : NULL;

  while (at != NULL && at > name && g_ascii_isdigit (at[-1]))
    at--;
  return at != NULL && g_ascii_string_to_unsigned (at, 10, 0, G_MAXUINT32, number, NULL) ? at : NULL;
}

/* Whether names count up, such as "7" or "generation 7": then the axis can label round numbers only, as a scale of
 * numbers does. The first name may be another, for what comes before all numbers. `first` is the number that the first
 * name has or would have. `plain` says that the names are nothing but numbers. */
static gboolean
count_up (const LcFrameAxis *axis, gint64 *first, gboolean *plain)
{
  guint n = count_names (axis);

  *plain = TRUE;
  for (guint i = n > 1 ? 1 : 0; i < n; i++)
    {
      guint64 number;
      const char *at = axis_find_number (axis->scale.names[i], &number);

      if (at == NULL || (i > 1 && (gint64)number != *first + i))
        return FALSE;
      *first = (gint64)number - i;
      *plain &= at == axis->scale.names[i];
    }
  return n > 1;
}

/* Makes a tick for every `every`-th name; if the names count up, for those whose number is a multiple of `every`. */
static void
choose_names (LcFrameAxis *axis, guint every)
{
  const LcAxisScale *scale = &axis->scale;
  double lowest = MIN (scale->from, scale->to);
  guint n = count_names (axis), begin = 0;
  gboolean plain;
  gint64 first;

  if (every > 1 && count_up (axis, &first, &plain))
    begin = (guint)((every - first % every) % every);
  clear_measured (axis);
  axis->ticks = g_array_new (FALSE, FALSE, sizeof (LcTick));
  g_array_set_clear_func (axis->ticks, axis_clear_tick);
  for (guint i = begin; i < n; i += every)
    {
      LcTick tick = {lowest + i + 0.5, g_strdup (scale->names[i] != NULL ? scale->names[i] : "")};

      g_array_append_val (axis->ticks, tick);
    }
}

/* The first number of 1, 2, 5, 10, 20 ... that is at least `least`. */
static guint
axis_round_up (double least)
{
  static const guint factors[] = {1, 2, 5};
  guint round = 1;

  for (guint i = 1; round < least && i < 27; i++)
    round = factors[i % 3] * (guint)pow (10, i / 3);
  return round;
}

static void
axis_measure_names (LcFrameAxis *axis, LcCanvas *canvas, double length, double most)
{
  double step = length / MAX (fabs (axis->scale.to - axis->scale.from), 1), line = measure_line (canvas, LC_FONT_SMALL);
  double widest;
  gboolean plain;
  gint64 first;

  choose_names (axis, axis_round_up (line / step));
  widest = axis_measure_widest (axis, canvas);
  if (!axis->upright && widest + TEXT_GAP > step && count_up (axis, &first, &plain) && (plain || line > step))
    {
      choose_names (axis, axis_round_up (MAX (TICK_SPACE, widest + TEXT_GAP) / step));
      axis->labels = line;
      return;
    }
  axis->turned = !axis->upright && widest + TEXT_GAP > step;
  axis->labels = axis->upright || axis->turned ? MIN (widest, most) : line;
}

static void
choose_numbers (LcFrameAxis *axis, guint most)
{
  const LcAxisScale *scale = &axis->scale;
  double origin = scale->kind == LC_SCALE_TIME ? (double)scale->origin : 0;
  g_autofree char *unit = NULL;

  clear_measured (axis);
  axis->ticks = lc_ticks_new (scale->kind, scale->from - origin, scale->to - origin, most, &unit);
  for (guint i = 0; i < axis->ticks->len; i++)
    g_array_index (axis->ticks, LcTick, i).value += origin;
  if (unit != NULL && axis->title != NULL)
    axis->heading = g_strdup_printf (_ ("%s (%s)"), axis->title, unit);
  else
    axis->heading = g_strdup (unit);
}

/* The distance between ticks in pixels. */
static double
get_spacing (const LcFrameAxis *axis, double length)
{
  const LcTick *ticks = (const LcTick *)(void *)axis->ticks->data;

  if (axis->ticks->len < 2 || axis->scale.to == axis->scale.from)
    return length;
  return fabs ((ticks[1].value - ticks[0].value) / (axis->scale.to - axis->scale.from)) * length;
}

static void
measure_numbers (LcFrameAxis *axis, LcCanvas *canvas, double length, double most)
{
  double space = (axis->upright ? TICK_HEIGHT : TICK_SPACE) * lc_canvas_get_text_scale (canvas);
  guint n_ticks = (guint)CLAMP (length / space, 2, 100);
  double widest;

  choose_numbers (axis, n_ticks);
  /* A single tick does not say what its axis measures: where others have room, they may be closer. */
  while (axis->upright && axis->ticks->len < 2 && n_ticks < 4 &&
         length > (n_ticks + 1) * measure_line (canvas, LC_FONT_SMALL))
    choose_numbers (axis, ++n_ticks);
  widest = axis_measure_widest (axis, canvas);
  while (!axis->upright && axis->ticks->len > 1 && widest + TEXT_GAP > get_spacing (axis, length))
    {
      choose_numbers (axis, axis->ticks->len - 1);
      widest = axis_measure_widest (axis, canvas);
    }
  axis->labels = axis->upright ? MIN (widest, most) : measure_line (canvas, LC_FONT_SMALL);
}

double
lc_frame_axis_measure (LcFrameAxis *axis, LcCanvas *canvas, double length, double most)
{
  double room = 0;

  axis->labels = axis->reach = 0;
  axis->turned = FALSE;
  if (axis->scale.kind == LC_SCALE_NAMES)
    axis_measure_names (axis, canvas, length, most);
  else
    measure_numbers (axis, canvas, length, most);
  if (axis->heading == NULL && axis->title != NULL && axis->title[0] != '\0')
    axis->heading = g_strdup (axis->title);
  if (axis->ticks->len > 0)
    room += axis->labels + TICK + GAP;
  if (axis->ticks->len > 0 && axis->upright)
    axis->reach = measure_line (canvas, LC_FONT_SMALL) / 2;
  else if (axis->ticks->len > 0 && axis->scale.kind != LC_SCALE_NAMES)
    axis->reach = MAX (measure_label (axis, canvas, 0), measure_label (axis, canvas, axis->ticks->len - 1)) / 2;
  if (axis->heading != NULL)
    room += measure_line (canvas, LC_FONT_NORMAL) + HEADING_GAP;
  return room;
}

/* --- Painting ------------------------------------------------------------------------------------------------------
 */

/* Moves a place to the middle of its pixel, so that a line one pixel wide fills exactly one pixel. A place may be off
 * by what was computed before it, and the axis of the diagram beside a plot is rounded in the same way. */
static double
axis_sharpen (double place)
{
  return floor (place + ROUNDING) + 0.5;
}

/* Paints a line at each tick. `before` and `after` are its ends, counted from the edge that the axis is at into the
 * area. */
static void
axis_paint_lines (const LcFrameAxis *axis, LcCanvas *canvas, LcRectangle area, LcInk ink, double before, double after)
{
  g_autofree LcLine *lines = g_new (LcLine, axis->ticks->len);
  LcStroke stroke = lc_canvas_stroke (canvas, ink, 1);

  for (guint i = 0; i < axis->ticks->len; i++)
    {
      double place = axis_sharpen (lc_frame_axis_get_place (axis, area, g_array_index (axis->ticks, LcTick, i).value));
      double edge = axis->upright ? area.x : area.y + area.height;

      lines[i] = axis->upright ? (LcLine){edge + before, place, edge + after, place}
                               : (LcLine){place, edge - before, place, edge - after};
    }
  if (axis->ticks->len > 0)
    lc_canvas_lines (canvas, stroke, lines, axis->ticks->len);
}

void
lc_frame_axis_paint_grid (const LcFrameAxis *axis, LcCanvas *canvas, LcRectangle area)
{
  if (axis->scale.grid && axis->scale.kind != LC_SCALE_NAMES)
    axis_paint_lines (axis, canvas, area, LC_INK_GRID, 0, axis->upright ? area.width : area.height);
}

static void
paint_upright_labels (const LcFrameAxis *axis, LcCanvas *canvas, LcRectangle area, double edge)
{
  const LcTextStyle style = label_style (axis, axis->labels + 1);

  for (guint i = 0; i < axis->ticks->len; i++)
    {
      const LcTick *tick = &g_array_index (axis->ticks, LcTick, i);

      lc_canvas_text (canvas, &style, (LcPlace){edge - TICK - GAP, lc_frame_axis_get_place (axis, area, tick->value)},
                      tick->text);
    }
}

/* Labels are left out rather than painted over each other, and moved rather than cut at the edge of the picture. */
static void
paint_level_labels (const LcFrameAxis *axis, LcCanvas *canvas, LcRectangle area, LcRectangle whole)
{
  const LcTextStyle style = label_style (axis, axis->turned ? axis->labels + 1 : 0);
  double top = area.y + area.height + TICK + GAP, last = -INFINITY, line = measure_line (canvas, LC_FONT_SMALL);
  gboolean backwards = axis->scale.to < axis->scale.from;

  for (guint i = 0; i < axis->ticks->len; i++)
    {
      guint number = backwards ? axis->ticks->len - 1 - i : i;
      const LcTick *tick = &g_array_index (axis->ticks, LcTick, number);
      double x = lc_frame_axis_get_place (axis, area, tick->value), width = measure_label (axis, canvas, number);
      double half = (axis->turned ? line : width) / 2;

      x = CLAMP (x, whole.x + half, MAX (whole.x + half, whole.x + whole.width - half));
      if (x - half < last)
        continue;
      last = x + half + (axis->turned ? 0 : TEXT_GAP / 2);
      lc_canvas_text (canvas, &style, (LcPlace){x, axis->turned ? top + MIN (width, axis->labels) / 2 : top},
                      tick->text);
    }
}

/* Beside a low plot, small letters leave more of a heading, and if that is not enough the axis may have a brief one. */
static void
paint_heading (const LcFrameAxis *axis, LcCanvas *canvas, LcRectangle area, double edge)
{
  LcTextStyle style = {.font = LC_FONT_NORMAL, .ink = LC_INK_TEXT, .align_x = 0.5, .align_y = 0.5};
  const double room = axis->upright ? area.height : area.width;
  double away = measure_line (canvas, LC_FONT_NORMAL) / 2 + HEADING_GAP, width;
  const char *heading = axis->heading;

  if (axis->ticks->len > 0)
    away += TICK + GAP + axis->labels;
  style.upwards = axis->upright;
  /* Without a limit it is measured as it is, and not as it would be cut. */
  lc_canvas_measure (canvas, &style, heading, &width, NULL);
  if (width > room)
    {
      style.font = LC_FONT_SMALL;
      lc_canvas_measure (canvas, &style, heading, &width, NULL);
    }
  if (width > room && axis->scale.brief != NULL)
    heading = axis->scale.brief;
  lc_canvas_measure (canvas, &style, heading, &width, NULL);
  if (width > room && lc_canvas_get_text_scale (canvas) > 1)
    return; /* one large letter and an ellipsis tell nothing */
  style.room = room;
  lc_canvas_text (canvas, &style,
                  axis->upright ? (LcPlace){edge - away, area.y + area.height / 2}
                                : (LcPlace){area.x + area.width / 2, edge + away},
                  heading);
}

void
lc_frame_axis_paint (const LcFrameAxis *axis, LcCanvas *canvas, LcRectangle area, LcRectangle whole, double gap)
{
  double left = axis_sharpen (area.x), bottom = axis_sharpen (area.y + area.height);
  const LcLine line = axis->upright ? (LcLine){left, area.y, left, area.y + area.height}
                                    : (LcLine){area.x, bottom, area.x + area.width, bottom};

  lc_canvas_begin (canvas, axis->upright ? "y-axis" : "x-axis", NULL);
  if (axis->scale.kind != LC_SCALE_NONE)
    lc_canvas_lines (canvas, lc_canvas_stroke (canvas, LC_INK_AXIS, 1), &line, 1);
  if (axis->scale.kind != LC_SCALE_NAMES)
    axis_paint_lines (axis, canvas, area, LC_INK_AXIS, -TICK, 0);
  if (axis->upright)
    paint_upright_labels (axis, canvas, area, area.x - gap);
  else
    paint_level_labels (axis, canvas, area, whole);
  if (axis->heading != NULL)
    paint_heading (axis, canvas, area, axis->upright ? area.x - gap : area.y + area.height);
  lc_canvas_end (canvas);
}
