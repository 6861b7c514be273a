/* SPDX-License-Identifier: Apache-2.0 */
/* Paints the marks of a sheet, and finds the one at a place. */
#include "sheet-paint.h"

#include <math.h>

#include "over-time.h"
#include "trace/quantities.h"

#define LINE_WIDTH 1.6
#define POINT_SIZE 7.0
#define CELL_MARGIN 4.0 /* between a cell's border and its text */
#define MOST_SIZE 60.0  /* of points and lines */
#define LEAST_CELL 6.0  /* pixels of a cell's height that has a text */

/* What is painted at once: consecutive marks that look alike. */
typedef struct
{
  const LcSheet *sheet;
  const LcFrame *frame;
  LcCanvas *canvas;
  LcRectangle area;
} SheetPainting;

LcFill
lc_sheet_get_fill (const LcCanvas *canvas, guint32 series)
{
  return series != LC_SHEET_NO_SERIES ? lc_canvas_series_fill (canvas, series)
                                      : lc_canvas_fill (canvas, LC_INK_EVENT, 1);
}

LcStroke
lc_sheet_get_stroke (const LcCanvas *canvas, guint32 series, double width)
{
  LcColor color = series != LC_SHEET_NO_SERIES ? lc_palette_get_series (lc_canvas_get_theme (canvas), series)
                                               : lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_AXIS);

  /* From the ninth series on the colours come again, and lines have no pattern but this. */
  return (LcStroke){color, width, series != LC_SHEET_NO_SERIES && series / LC_PALETTE_SERIES % 2 == 1};
}

static LcPlace
sheet_get_place (const LcFrame *frame, LcPlace place)
{
  return lc_over_time_place (frame, place.x, place.y);
}

static LcRectangle
sheet_get_rectangle (const LcSheet *sheet, const LcFrame *frame, const LcSheetMark *mark)
{
  const LcPlace *places = lc_sheet_get_places (sheet, mark);
  LcPlace one = sheet_get_place (frame, places[0]);
  LcPlace other = sheet_get_place (frame, places[mark->n_places - 1]);

  return (LcRectangle){MIN (one.x, other.x), MIN (one.y, other.y), fabs (one.x - other.x), fabs (one.y - other.y)};
}

static double
sheet_get_size (const LcSheetMark *mark, double usual)
{
  return mark->amount >= 0 ? MIN (mark->amount, MOST_SIZE) : usual;
}

static LcFill
sheet_get_mark_fill (const SheetPainting *painting, const LcSheetMark *mark)
{
  LcTheme theme = lc_canvas_get_theme (painting->canvas);

  if (mark->shape == LC_SHEET_RECTANGLE && mark->series == LC_SHEET_NO_SERIES && mark->amount >= 0)
    return lc_canvas_color_fill (lc_palette_get_amount (theme, MIN (mark->amount, 1)));
  return lc_sheet_get_fill (painting->canvas, mark->series);
}

static gboolean
sheet_looks_alike (const LcSheetMark *one, const LcSheetMark *other)
{
  return one->shape == other->shape && one->series == other->series && one->amount == other->amount;
}

/* --- Shapes ------------------------------------------------------------------------------------------------------- */

static void
sheet_paint_rectangles (const SheetPainting *painting, const LcSheetMark *marks, gsize n)
{
  g_autofree LcRectangle *rectangles = g_new (LcRectangle, n);

  for (gsize i = 0; i < n; i++)
    rectangles[i] = sheet_get_rectangle (painting->sheet, painting->frame, &marks[i]);
  lc_canvas_rectangles (painting->canvas, sheet_get_mark_fill (painting, marks), rectangles, n);
}

static void
sheet_paint_points (const SheetPainting *painting, const LcSheetMark *marks, gsize n)
{
  g_autofree LcPlace *places = g_new (LcPlace, n);
  LcMarker marker = marks->series != LC_SHEET_NO_SERIES ? (LcMarker)(marks->series % LC_MARKERS) : LC_MARKER_DOT;

  for (gsize i = 0; i < n; i++)
    places[i] = sheet_get_place (painting->frame, *lc_sheet_get_places (painting->sheet, &marks[i]));
  lc_canvas_markers (painting->canvas, marker, sheet_get_mark_fill (painting, marks),
                     sheet_get_size (marks, POINT_SIZE), places, n);
}

static void
sheet_paint_path (const SheetPainting *painting, const LcSheetMark *mark)
{
  const LcPlace *data = lc_sheet_get_places (painting->sheet, mark);
  g_autofree LcPlace *places = g_new (LcPlace, mark->n_places);

  for (gsize i = 0; i < mark->n_places; i++)
    places[i] = sheet_get_place (painting->frame, data[i]);
  if (mark->shape == LC_SHEET_POLYGON)
    lc_canvas_polygon (painting->canvas, sheet_get_mark_fill (painting, mark), places, mark->n_places);
  else
    lc_canvas_polyline (painting->canvas,
                        lc_sheet_get_stroke (painting->canvas, mark->series, sheet_get_size (mark, LINE_WIDTH)), places,
                        mark->n_places);
}

static void
sheet_paint_text (const SheetPainting *painting, const LcSheetMark *mark)
{
  LcRectangle cell = sheet_get_rectangle (painting->sheet, painting->frame, mark);
  g_autofree char *text = lc_format_text (mark->text);
  LcTextStyle style = {
      .font = LC_FONT_NORMAL, .ink = LC_INK_TEXT, .align_x = CLAMP (mark->amount, 0, 1), .align_y = 0.5};

  if (mark->n_places == 1)
    style.backdrop = TRUE;
  else
    {
      style.room = cell.width - 2 * CELL_MARGIN;
      style.font = cell.height < 18 ? LC_FONT_SMALL : LC_FONT_NORMAL;
      if (style.room < CELL_MARGIN || cell.height < LEAST_CELL)
        return;
      cell.x += CELL_MARGIN + style.align_x * style.room;
      cell.y += cell.height / 2;
    }
  lc_canvas_text (painting->canvas, &style, (LcPlace){cell.x, cell.y}, text);
}

static void
sheet_paint_marks (const SheetPainting *painting, const LcSheetMark *marks, gsize n)
{
  switch (marks->shape)
    {
    case LC_SHEET_RECTANGLE:
      sheet_paint_rectangles (painting, marks, n);
      break;
    case LC_SHEET_POINT:
      sheet_paint_points (painting, marks, n);
      break;
    case LC_SHEET_LINE:
    case LC_SHEET_POLYGON:
      for (gsize i = 0; i < n; i++)
        sheet_paint_path (painting, &marks[i]);
      break;
    case LC_SHEET_TEXT:
    case LC_SHEET_SHAPES:
    default:
      for (gsize i = 0; i < n; i++)
        sheet_paint_text (painting, &marks[i]);
    }
}

void
lc_sheet_paint (const LcSheet *sheet, const LcFrame *frame, LcCanvas *canvas, LcRectangle area)
{
  const SheetPainting painting = {sheet, frame, canvas, area};
  gsize n_marks, alike;
  const LcSheetMark *marks = lc_sheet_get_marks (sheet, &n_marks);

  lc_canvas_clip (canvas, area);
  for (gsize i = 0; i < n_marks; i += alike)
    {
      for (alike = 1; i + alike < n_marks && sheet_looks_alike (&marks[i], &marks[i + alike]);)
        alike++;
      sheet_paint_marks (&painting, &marks[i], alike);
    }
  lc_canvas_unclip (canvas);
}

/* --- Finding ------------------------------------------------------------------------------------------------------ */

/* Squared pixels from a place to the line between two others. */
static double
sheet_measure_distance (LcPlace place, LcPlace one, LcPlace other)
{
  double x = other.x - one.x, y = other.y - one.y, length = x * x + y * y;
  double share = length > 0 ? CLAMP (((place.x - one.x) * x + (place.y - one.y) * y) / length, 0, 1) : 0;
  double across = place.x - (one.x + share * x), down = place.y - (one.y + share * y);

  return across * across + down * down;
}

/* Whether a ray to the right crosses the border an odd number of times. */
static gboolean
sheet_is_within (const LcSheet *sheet, const LcFrame *frame, const LcSheetMark *mark, LcPlace place)
{
  const LcPlace *data = lc_sheet_get_places (sheet, mark);
  gboolean within = FALSE;

  for (gsize i = 0; i < mark->n_places; i++)
    {
      LcPlace one = sheet_get_place (frame, data[i]);
      LcPlace other = sheet_get_place (frame, data[(i + 1) % mark->n_places]);

      if ((one.y > place.y) != (other.y > place.y) &&
          place.x < (other.x - one.x) * (place.y - one.y) / (other.y - one.y) + one.x)
        within = !within;
    }
  return within;
}

static gboolean
sheet_is_on_path (const LcSheet *sheet, const LcFrame *frame, const LcSheetMark *mark, LcPlace place, double margin)
{
  const LcPlace *data = lc_sheet_get_places (sheet, mark);
  double reach = margin + sheet_get_size (mark, LINE_WIDTH) / 2;

  for (gsize i = 0; i + 1 < mark->n_places; i++)
    if (sheet_measure_distance (place, sheet_get_place (frame, data[i]), sheet_get_place (frame, data[i + 1])) <=
        reach * reach)
      return TRUE;
  return FALSE;
}

static gboolean
sheet_is_at (const LcSheet *sheet, const LcFrame *frame, const LcSheetMark *mark, LcPlace place, double margin)
{
  LcRectangle box;
  double reach;

  switch (mark->shape)
    {
    case LC_SHEET_LINE:
      return sheet_is_on_path (sheet, frame, mark, place, margin);
    case LC_SHEET_POLYGON:
      return sheet_is_within (sheet, frame, mark, place);
    case LC_SHEET_RECTANGLE:
    case LC_SHEET_POINT:
    case LC_SHEET_TEXT:
    case LC_SHEET_SHAPES:
    default:
      box = sheet_get_rectangle (sheet, frame, mark);
      reach = mark->shape == LC_SHEET_POINT ? sheet_get_size (mark, POINT_SIZE) / 2 + margin
              : mark->n_places == 1         ? margin
                                            : 0.5;
      /* Thin rectangles are at least a pixel wide. */
      return place.x >= box.x - reach && place.x <= box.x + box.width + reach && place.y >= box.y - reach &&
             place.y <= box.y + box.height + reach;
    }
}

static gsize
sheet_find_vertex (const LcSheet *sheet, const LcFrame *frame, const LcSheetMark *mark, LcPlace place)
{
  const LcPlace *data = lc_sheet_get_places (sheet, mark);
  double least = INFINITY;
  gsize nearest = 0;

  for (gsize i = 0; i < mark->n_places; i++)
    {
      LcPlace one = sheet_get_place (frame, data[i]);
      double distance = sheet_measure_distance (place, one, one);

      if (distance < least)
        {
          least = distance;
          nearest = i;
        }
    }
  return nearest;
}

const LcSheetMark *
lc_sheet_find_mark (const LcSheet *sheet, const LcFrame *frame, LcPlace place, double margin, gsize *vertex)
{
  gsize n_marks;
  const LcSheetMark *marks = lc_sheet_get_marks (sheet, &n_marks);

  for (gsize i = n_marks; i-- > 0;)
    if (sheet_is_at (sheet, frame, &marks[i], place, margin))
      {
        *vertex = sheet_find_vertex (sheet, frame, &marks[i], place);
        return &marks[i];
      }
  return NULL;
}
