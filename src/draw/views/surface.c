/* SPDX-License-Identifier: Apache-2.0 */
/* Paints a surface from its rear to its front, so that near parts hide those behind them. */
#include "surface.h"

#include <math.h>

/* Shares of the area within its margins. */
#define WIDTH 0.70  /* of the front edge */
#define DEPTH 0.70  /* height of the rear edge above the front edge */
#define HEIGHT 0.28 /* height of the largest amount */

#define LEFT 64.0 /* margins for texts */
#define RIGHT 84.0
#define TOP 22.0
#define BOTTOM 40.0

#define LEAST_GAP 5.0 /* between lines of the net */
#define TICK 4.0
#define LINE_ROOM 13.0 /* between labels one below the other */
#define NAME_GAP 8.0
#define WIDEST_NAME 110.0
#define NET_STRENGTH 0.35

/* The projection: the plane's front left corner, and the ways from there to the right, to the rear and up. */
typedef struct
{
  const LcSurface *surface;
  LcCanvas *canvas;
  LcRectangle area;
  double x;
  double y;
  double width;
  LcPlace depth;
  double height;
} Space;

static Space
get_space (const LcSurface *surface, LcCanvas *canvas, LcRectangle area)
{
  double width = MAX (area.width - LEFT - RIGHT, 1), height = MAX (area.height - TOP - BOTTOM, 1);

  return (Space){.surface = surface,
                 .canvas = canvas,
                 .area = area,
                 .x = area.x + MIN (LEFT, area.width / 4),
                 .y = area.y + area.height - MIN (BOTTOM, area.height / 4),
                 .width = WIDTH * width,
                 .depth = {(1 - WIDTH) * width, -DEPTH * height},
                 .height = HEIGHT * height};
}

/* All of `column`, `rank` and `height` go from 0 to 1. */
static LcPlace
surface_project (const Space *space, double column, double rank, double height)
{
  return (LcPlace){space->x + column * space->width + rank * space->depth.x,
                   space->y + rank * space->depth.y - height * space->height};
}

/* A single column or rank becomes two equal ones, so that it is as wide as the plane. */
static guint
count_points (guint n)
{
  return MAX (n, 2);
}

static double
get_height (const LcSurface *surface, guint column, guint rank)
{
  double height = surface->heights[(gsize)MIN (rank, surface->n_ranks - 1) * surface->n_columns +
                                   MIN (column, surface->n_columns - 1)];

  return CLAMP (height / surface->limit, 0, 1);
}

static LcPlace
get_point (const Space *space, guint column, guint rank)
{
  const LcSurface *surface = space->surface;

  return surface_project (space, (double)column / (count_points (surface->n_columns) - 1),
                          (double)rank / (count_points (surface->n_ranks) - 1), get_height (surface, column, rank));
}

/* --- The surface ---------------------------------------------------------------------------------------------------
 */

static LcStroke
get_net (const Space *space)
{
  LcStroke stroke = lc_canvas_stroke (space->canvas, LC_INK_AXIS, 0.5);

  stroke.color.alpha *= NET_STRENGTH;
  return stroke;
}

static void
paint_piece (const Space *space, guint column, guint rank)
{
  const LcSurface *surface = space->surface;
  const LcPlace places[] = {get_point (space, column, rank), get_point (space, column + 1, rank),
                            get_point (space, column + 1, rank + 1), get_point (space, column, rank + 1)};
  double height = get_height (surface, column, rank) + get_height (surface, column + 1, rank) +
                  get_height (surface, column + 1, rank + 1) + get_height (surface, column, rank + 1);
  LcColor color = lc_palette_get_amount (lc_canvas_get_theme (space->canvas), height / 4);

  lc_canvas_polygon (space->canvas, lc_canvas_color_fill (color), places, G_N_ELEMENTS (places));
}

/* Paints the line of a rank, from left to right. */
static void
paint_profile (const Space *space, guint rank, LcStroke stroke)
{
  guint n = count_points (space->surface->n_columns);
  g_autofree LcPlace *places = g_new (LcPlace, n);

  for (guint i = 0; i < n; i++)
    places[i] = get_point (space, i, rank);
  lc_canvas_polyline (space->canvas, stroke, places, n);
}

/* Every n-th line of the net is painted; this gives the n that keeps lines far enough from each other. */
static guint
surface_get_step (guint n, double length)
{
  return MAX (1, (guint)ceil (LEAST_GAP * n / MAX (length, 1)));
}

static void
paint_surface (const Space *space)
{
  guint columns = count_points (space->surface->n_columns), ranks = count_points (space->surface->n_ranks);
  guint by_columns = surface_get_step (columns, space->width), by_ranks = surface_get_step (ranks, -space->depth.y);
  g_autofree LcLine *lines = g_new (LcLine, columns);
  LcStroke net = get_net (space);

  paint_profile (space, ranks - 1, net);
  for (guint rank = ranks - 1; rank-- > 0;)
    {
      guint n_lines = 0;

      for (guint i = 0; i + 1 < columns; i++)
        paint_piece (space, i, rank);
      for (guint i = 0; i < columns; i += by_columns)
        {
          LcPlace from = get_point (space, i, rank), to = get_point (space, i, rank + 1);

          lines[n_lines++] = (LcLine){from.x, from.y, to.x, to.y};
        }
      lc_canvas_lines (space->canvas, net, lines, n_lines);
      if (rank % by_ranks == 0)
        paint_profile (space, rank, net);
    }
}

/* Paints the sides that can be seen: from the front edge and the right edge down to the plane. */
static void
paint_sides (const Space *space)
{
  guint columns = count_points (space->surface->n_columns), ranks = count_points (space->surface->n_ranks);
  g_autofree LcPlace *front = g_new (LcPlace, columns + 2), *right = g_new (LcPlace, ranks + 2);
  LcTheme theme = lc_canvas_get_theme (space->canvas);
  LcColor pale = lc_palette_get_color (theme, LC_INK_PANEL), grid = lc_palette_get_color (theme, LC_INK_GRID);
  LcStroke edge = lc_canvas_stroke (space->canvas, LC_INK_AXIS, 1);

  for (guint i = 0; i < ranks; i++)
    right[i] = get_point (space, columns - 1, i);
  right[ranks] = surface_project (space, 1, 1, 0);
  right[ranks + 1] = surface_project (space, 1, 0, 0);
  lc_canvas_polygon (space->canvas, lc_canvas_color_fill (lc_color_mix (pale, grid, 0.8)), right, ranks + 2);
  lc_canvas_polyline (space->canvas, edge, right, ranks);
  for (guint i = 0; i < columns; i++)
    front[i] = get_point (space, i, 0);
  front[columns] = surface_project (space, 1, 0, 0);
  front[columns + 1] = surface_project (space, 0, 0, 0);
  lc_canvas_polygon (space->canvas, lc_canvas_color_fill (lc_color_mix (pale, grid, 0.4)), front, columns + 2);
  lc_canvas_polyline (space->canvas, edge, front, columns);
}

/* --- The axes ------------------------------------------------------------------------------------------------------
 */

/* Paints the axis of heights at the left wall and the rear wall. */
static void
paint_heights (const Space *space)
{
  const LcTextStyle tick_style = {.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT, .align_x = 1, .align_y = 0.5};
  const LcTextStyle title_style = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT, .align_y = 1};
  g_autofree char *unit = NULL, *title = NULL;
  g_autoptr (GArray) ticks =
      lc_ticks_new (LC_SCALE_TIME, 0, space->surface->limit, (guint)CLAMP (space->height / 24, 1, 8), &unit);
  LcStroke grid = lc_canvas_stroke (space->canvas, LC_INK_GRID, 1);
  LcPlace top = surface_project (space, 0, 0, 1);

  for (guint i = 0; i < ticks->len; i++)
    {
      const LcTick *tick = &g_array_index (ticks, LcTick, i);
      double height = tick->value / space->surface->limit;
      LcPlace at = surface_project (space, 0, 0, height);
      const LcPlace wall[] = {at, surface_project (space, 0, 1, height), surface_project (space, 1, 1, height)};

      lc_canvas_polyline (space->canvas, grid, wall, G_N_ELEMENTS (wall));
      lc_canvas_text (space->canvas, &tick_style, (LcPlace){at.x - TICK - 2, at.y}, tick->text);
    }
  title = unit != NULL ? g_strdup_printf ("%s (%s)", space->surface->height_title, unit)
                       : g_strdup (space->surface->height_title);
  lc_canvas_text (space->canvas, &title_style, (LcPlace){space->area.x + 6, top.y - LINE_ROOM / 2}, title);
}

static double
surface_measure_names (const Space *space, const LcTextStyle *style, const char *const *names, guint n)
{
  double widest = 0;
  guint step = MAX (1, n / 256);

  for (guint i = 0; i < n; i += step)
    {
      double width, height;

      lc_canvas_measure (space->canvas, style, names[i], &width, &height);
      widest = MAX (widest, width);
    }
  return MIN (widest, WIDEST_NAME);
}

/* Labels stand at every 1st, 2nd, 5th, 10th ... of `n` places; this gives the step at which each has at least `each`
 * pixels of `room`. */
static guint
choose_step (guint n, double room, double each)
{
  static const guint round[] = {1, 2, 5};
  guint power = 1, i = 0;

  while (round[i] * power < n && room * round[i] * power / (n - 1) < each)
    if (++i == G_N_ELEMENTS (round))
      {
        i = 0;
        power *= 10;
      }
  return round[i] * power;
}

static void
surface_paint_columns (const Space *space)
{
  const LcSurface *surface = space->surface;
  LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT, .align_x = 0.5};
  const LcTextStyle title = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT, .align_x = 0.5};
  double widest = surface_measure_names (space, &style, surface->column_names, surface->n_columns);
  guint step = choose_step (surface->n_columns, space->width, widest + NAME_GAP);

  style.room = WIDEST_NAME;
  for (guint i = 0; i < surface->n_columns; i += step)
    {
      LcPlace at = surface_project (space, surface->n_columns > 1 ? (double)i / (surface->n_columns - 1) : 0.5, 0, 0);
      const LcLine tick = {at.x, at.y, at.x, at.y + TICK};

      lc_canvas_lines (space->canvas, lc_canvas_stroke (space->canvas, LC_INK_AXIS, 1), &tick, 1);
      lc_canvas_text (space->canvas, &style, (LcPlace){at.x, at.y + TICK + 1}, surface->column_names[i]);
    }
  lc_canvas_text (space->canvas, &title, (LcPlace){space->x + space->width / 2, space->y + TICK + 2 + LINE_ROOM},
                  surface->column_title);
}

static void
paint_ranks (const Space *space)
{
  const LcSurface *surface = space->surface;
  LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_FAINT_TEXT, .align_y = 0.5};
  LcTextStyle title = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT, .align_x = 1};
  guint step = choose_step (surface->n_ranks, -space->depth.y, LINE_ROOM);
  double right = space->area.x + space->area.width;

  for (guint i = 0; i < surface->n_ranks; i += step)
    {
      LcPlace at = surface_project (space, 1, surface->n_ranks > 1 ? (double)i / (surface->n_ranks - 1) : 0.5, 0);
      const LcLine tick = {at.x, at.y, at.x + TICK, at.y};

      style.room = MAX (right - at.x - TICK - 4, 1);
      lc_canvas_lines (space->canvas, lc_canvas_stroke (space->canvas, LC_INK_AXIS, 1), &tick, 1);
      lc_canvas_text (space->canvas, &style, (LcPlace){at.x + TICK + 3, at.y}, surface->rank_names[i]);
    }
  title.room = MAX (right - space->x - space->width, 1);
  lc_canvas_text (space->canvas, &title, (LcPlace){right - 6, space->y + TICK + 2 + LINE_ROOM}, surface->rank_title);
}

/* Paints the edges of the plane and the walls that lie behind the surface. */
static void
paint_walls (const Space *space)
{
  const LcPlace floor[] = {surface_project (space, 0, 0, 0), surface_project (space, 0, 1, 0),
                           surface_project (space, 1, 1, 0)};
  const LcPlace left[] = {surface_project (space, 0, 0, 0), surface_project (space, 0, 0, 1)};
  const LcPlace corner[] = {surface_project (space, 0, 1, 0), surface_project (space, 0, 1, 1)};
  LcStroke grid = lc_canvas_stroke (space->canvas, LC_INK_GRID, 1);

  lc_canvas_polyline (space->canvas, grid, floor, G_N_ELEMENTS (floor));
  lc_canvas_polyline (space->canvas, grid, corner, G_N_ELEMENTS (corner));
  lc_canvas_polyline (space->canvas, lc_canvas_stroke (space->canvas, LC_INK_AXIS, 1), left, G_N_ELEMENTS (left));
}

void
lc_surface_paint (const LcSurface *surface, LcCanvas *canvas, LcRectangle area)
{
  const Space space = get_space (surface, canvas, area);

  lc_canvas_begin (canvas, "axes", NULL);
  paint_walls (&space);
  paint_heights (&space);
  lc_canvas_end (canvas);
  lc_canvas_begin (canvas, "surface", NULL);
  paint_surface (&space);
  paint_sides (&space);
  lc_canvas_end (canvas);
  lc_canvas_begin (canvas, "names", NULL);
  surface_paint_columns (&space);
  paint_ranks (&space);
  lc_canvas_end (canvas);
}

gboolean
lc_surface_find (const LcSurface *surface, LcRectangle area, LcPlace place, double margin, guint *column, guint *rank)
{
  const Space space = get_space (surface, NULL, area);
  double nearest = margin;
  gboolean found = FALSE;

  for (guint k = 0; k < surface->n_ranks && !found; k++)
    for (guint i = 0; i < surface->n_columns; i++)
      {
        LcPlace at = get_point (&space, i, k);
        double distance = hypot (at.x - place.x, at.y - place.y);

        if (distance > nearest)
          continue;
        nearest = distance;
        *column = i;
        *rank = k;
        found = TRUE;
      }
  return found;
}
