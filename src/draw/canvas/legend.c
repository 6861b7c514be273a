/* SPDX-License-Identifier: Apache-2.0 */
/* The legend of a frame: what fills, lines, markers and shades mean. */
#include "legend.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "trace/quantities.h"

#define RAMP 90.0
#define GAP 5.0       /* between a sample and its text */
#define TEXT_GAP 12.0 /* between two texts */
#define ITEM_GAP 18.0 /* between two items side by side */
#define LINE_GAP 4.0

enum
{
  SHADES = 30,         /* steps of a ramp */
  LEAST_IN_COLUMN = 4, /* fewer items are not put into a column */
};

typedef struct
{
  char *text;
  LcLegendSample sample; /* of a ramp, only its kind */
  char *lowest;
  char *highest;
  LcShade shade;

  /* Layout sets the rest. */
  LcPlace place;
  double width;
  gboolean shown;
} Item;

struct _LcLegend
{
  GArray *items;
  double line;  /* height of a line */
  double most;  /* the most that an item may be wide */
  guint n_left; /* number of items that are not shown */
  LcPlace rest; /* place of the text that gives their number */
};

static const LcTextStyle text_style = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT, .align_y = 0.5};

static void
clear_item (gpointer data)
{
  Item *item = data;

  g_free (item->text);
  g_free (item->lowest);
  g_free (item->highest);
}

LcLegend *
lc_legend_new (void)
{
  LcLegend *legend = g_new0 (LcLegend, 1);

  legend->items = g_array_new (FALSE, FALSE, sizeof (Item));
  g_array_set_clear_func (legend->items, clear_item);
  return legend;
}

void
lc_legend_free (LcLegend *legend)
{
  if (legend == NULL)
    return;
  g_array_unref (legend->items);
  g_free (legend);
}

static Item *
legend_get_item (const LcLegend *legend, guint number)
{
  return &g_array_index (legend->items, Item, number);
}

/* Adds an item. NULL: one with the same text exists already. */
static Item *
add_item (LcLegend *legend, const char *text, LcLegendSample sample)
{
  Item item = {.sample = sample};

  for (guint i = 0; i < legend->items->len; i++)
    if (strcmp (legend_get_item (legend, i)->text, text) == 0)
      return NULL;
  item.text = g_strdup (text);
  g_array_append_val (legend->items, item);
  return legend_get_item (legend, legend->items->len - 1);
}

void
lc_legend_add_sample (LcLegend *legend, const char *text, const LcLegendSample *sample)
{
  add_item (legend, text, *sample);
}

void
lc_legend_add_fill (LcLegend *legend, const char *text, LcFill fill)
{
  add_item (legend, text, (LcLegendSample){.kind = LC_LEGEND_FILL, .fill = fill});
}

void
lc_legend_add_line (LcLegend *legend, const char *text, LcStroke stroke)
{
  add_item (legend, text, (LcLegendSample){.kind = LC_LEGEND_LINE, .stroke = stroke});
}

void
lc_legend_add_marker (LcLegend *legend, const char *text, LcMarker marker, LcFill fill)
{
  add_item (legend, text, (LcLegendSample){.kind = LC_LEGEND_MARKER, .marker = marker, .fill = fill});
}

void
lc_legend_add_ramp (LcLegend *legend, const char *text, const char *lowest, const char *highest, LcShade shade)
{
  Item *item = add_item (legend, text, (LcLegendSample){.kind = LC_LEGEND_RAMP});

  if (item == NULL)
    return;
  item->lowest = g_strdup (lowest);
  item->highest = g_strdup (highest);
  item->shade = shade;
}

/* --- Layout --------------------------------------------------------------------------------------------------------
 */

static double
legend_measure_text (LcCanvas *canvas, const char *text)
{
  double width, height;

  lc_canvas_measure (canvas, &text_style, text, &width, &height);
  return width;
}

static double
measure_item (const Item *item, LcCanvas *canvas)
{
  double width = legend_measure_text (canvas, item->text);

  if (item->sample.kind != LC_LEGEND_RAMP)
    return LC_LEGEND_SAMPLE_WIDTH + GAP + width;
  return width + TEXT_GAP + legend_measure_text (canvas, item->lowest) + GAP + RAMP + GAP +
         legend_measure_text (canvas, item->highest);
}

static void
measure_items (LcLegend *legend, LcCanvas *canvas, double most)
{
  double width, height;

  lc_canvas_measure (canvas, &text_style, "Ág", &width, &height);
  legend->line = MAX (height, LC_LEGEND_SAMPLE_HEIGHT) + LINE_GAP;
  legend->most = most;
  legend->n_left = 0;
  for (guint i = 0; i < legend->items->len; i++)
    {
      Item *item = legend_get_item (legend, i);

      item->width = MIN (measure_item (item, canvas), most);
      item->shown = TRUE;
    }
}

static char *
dup_rest (guint n_left)
{
  g_autofree char *count = lc_format_count (n_left);

  return g_strdup_printf (ngettext ("and %s more", "and %s more", n_left), count);
}

/* Leaves out items from `first` on, and more until the text that gives their number fits into the last line. Returns
 * their number. */
static guint
legend_leave_out (LcLegend *legend, LcCanvas *canvas, guint first, double width)
{
  LcPlace rest = {0, 0};

  for (;; first--)
    {
      g_autofree char *text = dup_rest (legend->items->len - first);
      const Item *before = first > 0 ? legend_get_item (legend, first - 1) : NULL;

      if (before != NULL)
        rest = (LcPlace){before->place.x + before->width + ITEM_GAP, before->place.y};
      if (before == NULL || rest.x + legend_measure_text (canvas, text) <= width)
        break;
    }
  if (first == 0)
    rest = (LcPlace){0, 0};
  for (guint i = first; i < legend->items->len; i++)
    legend_get_item (legend, i)->shown = FALSE;
  legend->rest = rest;
  return legend->items->len - first;
}

double
lc_legend_set_rows (LcLegend *legend, LcCanvas *canvas, double width, double most)
{
  LcPlace place = {0, 0};

  measure_items (legend, canvas, width);
  if (legend->items->len == 0)
    return 0;
  if (most < legend->line)
    {
      for (guint i = 0; i < legend->items->len; i++)
        legend_get_item (legend, i)->shown = FALSE;
      return 0;
    }
  for (guint i = 0; i < legend->items->len; i++)
    {
      Item *item = legend_get_item (legend, i);

      if (place.x > 0 && place.x + item->width > width)
        place = (LcPlace){0, place.y + legend->line};
      if (place.y + legend->line > most)
        {
          legend->n_left = legend_leave_out (legend, canvas, i, width);
          return legend->rest.y + legend->line;
        }
      item->place = place;
      place.x += item->width + ITEM_GAP;
    }
  return place.y + legend->line;
}

double
lc_legend_set_column (LcLegend *legend, LcCanvas *canvas, double most, double height)
{
  double widest = 0;

  measure_items (legend, canvas, most);
  if (legend->items->len < LEAST_IN_COLUMN || legend->items->len * legend->line > height)
    return 0;
  for (guint i = 0; i < legend->items->len; i++)
    {
      Item *item = legend_get_item (legend, i);

      item->place = (LcPlace){0, i * legend->line};
      widest = MAX (widest, item->width);
    }
  return widest;
}

/* --- Painting ------------------------------------------------------------------------------------------------------
 */

static double
paint_text (LcCanvas *canvas, double x, double middle, double right, const char *text)
{
  LcTextStyle style = text_style;

  style.room = right - x;
  if (style.room < 1 || text[0] == '\0')
    return x;
  return x + lc_canvas_text (canvas, &style, (LcPlace){x, middle}, text).width;
}

static void
paint_ramp (const Item *item, LcCanvas *canvas, double x, double middle, double right)
{
  guint32 shades[SHADES];
  LcRectangle rectangle;

  x = paint_text (canvas, x, middle, right, item->text) + TEXT_GAP;
  x = paint_text (canvas, x, middle, right, item->lowest) + GAP;
  for (guint i = 0; i < SHADES; i++)
    {
      LcColor color = item->shade (lc_canvas_get_theme (canvas), i / (SHADES - 1.0));

      shades[i] = 0xff000000u | (guint32)lround (color.red * 255) << 16 | (guint32)lround (color.green * 255) << 8 |
                  (guint32)lround (color.blue * 255);
    }
  rectangle = (LcRectangle){x, middle - LC_LEGEND_SAMPLE_HEIGHT / 2, MIN (RAMP, right - x), LC_LEGEND_SAMPLE_HEIGHT};
  if (rectangle.width < 1)
    return;
  lc_canvas_cells (canvas, rectangle, shades, SHADES, 1);
  lc_canvas_frame (canvas, lc_canvas_stroke (canvas, LC_INK_GRID, 1), rectangle);
  paint_text (canvas, x + rectangle.width + GAP, middle, right, item->highest);
}

void
lc_legend_paint_sample (LcCanvas *canvas, const LcLegendSample *sample, LcPlace place)
{
  const LcRectangle rectangle = {place.x, place.y - LC_LEGEND_SAMPLE_HEIGHT / 2, LC_LEGEND_SAMPLE_WIDTH,
                                 LC_LEGEND_SAMPLE_HEIGHT};
  const LcLine line = {place.x, place.y, place.x + LC_LEGEND_SAMPLE_WIDTH, place.y};
  const LcPlace middle = {place.x + LC_LEGEND_SAMPLE_WIDTH / 2, place.y};

  if (sample->kind == LC_LEGEND_LINE)
    lc_canvas_lines (canvas, sample->stroke, &line, 1);
  else if (sample->kind == LC_LEGEND_MARKER)
    lc_canvas_markers (canvas, sample->marker, sample->fill, LC_LEGEND_SAMPLE_HEIGHT - 1, &middle, 1);
  else
    {
      lc_canvas_rectangles (canvas, sample->fill, &rectangle, 1);
      lc_canvas_frame (canvas, lc_canvas_stroke (canvas, LC_INK_GRID, 1), rectangle);
    }
}

void
lc_legend_paint (const LcLegend *legend, LcCanvas *canvas, LcPlace place)
{
  lc_canvas_begin (canvas, "legend", NULL);
  for (guint i = 0; i < legend->items->len; i++)
    {
      const Item *item = legend_get_item (legend, i);
      double x = place.x + item->place.x, middle = place.y + item->place.y + (legend->line - LINE_GAP) / 2;
      double right = x + item->width + 1;

      if (!item->shown)
        continue;
      if (item->sample.kind == LC_LEGEND_RAMP)
        paint_ramp (item, canvas, x, middle, right);
      else
        {
          lc_legend_paint_sample (canvas, &item->sample, (LcPlace){x, middle});
          paint_text (canvas, x + LC_LEGEND_SAMPLE_WIDTH + GAP, middle, right, item->text);
        }
    }
  if (legend->n_left > 0)
    {
      g_autofree char *rest = dup_rest (legend->n_left);

      paint_text (canvas, place.x + legend->rest.x, place.y + legend->rest.y + (legend->line - LINE_GAP) / 2,
                  place.x + legend->most, rest);
    }
  lc_canvas_end (canvas);
}
