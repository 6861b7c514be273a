/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a diagram: a box for each, or a tick for many that lie in one pixel. */
#include "diagram-private.h"

#include <math.h>

#define NARROWEST_BOX 1.0 /* pixels along the axis */
#define CROWD 3           /* more events in a pixel are a crowd */
#define DIM 0.25
#define LEAST_SHARE 0.3 /* of the breadth, where it is crowded */

/* --- Batches: what is filled in the same way is painted at once --------------------------------------------------- */

typedef enum
{
  LOOK_EVENT,
  LOOK_PAST,
  LOOK_FUTURE,
  LOOK_WAITING,
  LOOK_CALLED, /* in the function of a colour; the first of all colours */
  LOOK_CALLED_WAITING = LOOK_CALLED + LC_COLORING_COLORS,
  LOOKS = LOOK_CALLED_WAITING + LC_COLORING_COLORS,
} Look;

typedef struct
{
  const LcDiagramPainter *painter;
  GArray *rectangles[LOOKS][2][2]; /* by track, then by whether the mark is dim */
} Batches;

static void
init_batches (Batches *batches, const LcDiagramPainter *painter)
{
  batches->painter = painter;
  for (Look look = 0; look < LOOKS; look++)
    for (guint i = 0; i < 4; i++)
      batches->rectangles[look][i / 2][i % 2] = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
}

static void
add_rectangle (Batches *batches, Look look, const LcMark *mark, LcRectangle rectangle)
{
  GArray *array = batches->rectangles[look][mark->track & 1][(mark->flags & LC_MARK_DIM) != 0];

  if (lc_diagram_cut (batches->painter->view, 2, &rectangle))
    g_array_append_val (array, rectangle);
}

static LcFill
diagram_events_fill_of (const LcDiagramPainter *painter, Look look, double strength)
{
  static const LcInk inks[LOOK_CALLED] = {LC_INK_EVENT, LC_INK_PAST, LC_INK_FUTURE, LC_INK_WAITING};
  LcFill fill;

  if (look >= LOOK_CALLED_WAITING)
    fill = lc_diagram_get_function_fill (painter->canvas, look - LOOK_CALLED_WAITING, TRUE);
  else if (look >= LOOK_CALLED)
    fill = lc_diagram_get_function_fill (painter->canvas, look - LOOK_CALLED, FALSE);
  else if (look == LOOK_EVENT)
    fill = lc_canvas_color_fill (lc_palette_get_color (lc_canvas_get_theme (painter->canvas), LC_INK_EVENT));
  else
    fill = lc_canvas_fill (painter->canvas, inks[look], 1);
  return lc_diagram_fade_fill (painter, fill, strength);
}

static void
paint_batches (Batches *batches)
{
  const LcDiagramPainter *painter = batches->painter;

  for (Look look = 0; look < LOOKS; look++)
    for (guint i = 0; i < 4; i++)
      {
        g_autoptr (GArray) array = batches->rectangles[look][i / 2][i % 2];
        double strength = lc_diagram_get_strength (painter, i / 2) * (i % 2 == 1 ? DIM : 1);

        if (array->len > 0)
          lc_diagram_paint_rectangles (painter, diagram_events_fill_of (painter, look, strength), array);
      }
}

/* --- Boxes -------------------------------------------------------------------------------------------------------- */

static Look
look_of (const LcDiagramPainter *painter, const LcMark *mark)
{
  Look usual = painter->query->coloring != NULL ? LOOK_CALLED + mark->color : LOOK_EVENT;

  if (mark->flags & LC_MARK_CHOSEN)
    return usual;
  return mark->flags & LC_MARK_IN_PAST ? LOOK_PAST : mark->flags & LC_MARK_IN_FUTURE ? LOOK_FUTURE : usual;
}

static Look
look_of_waiting (const LcDiagramPainter *painter, const LcMark *mark)
{
  return painter->query->coloring != NULL ? LOOK_CALLED_WAITING + mark->color : LOOK_WAITING;
}

/* In physical time, the part of an event's box in which it waited is filled differently. */
static void
diagram_events_add_box (Batches *batches, const LcMark *mark)
{
  const LcDiagramPainter *painter = batches->painter;
  double released = (double)MAX (mark->released, mark->from);
  double lane = lc_diagram_get_lane (painter->view, mark->row, mark->track);

  if (mark->released > mark->from)
    add_rectangle (batches, look_of_waiting (painter, mark), mark,
                   lc_diagram_get_box (painter->view, lane, painter->breadths.event, (double)mark->from, released));
  if ((double)mark->to > released)
    add_rectangle (batches, look_of (painter, mark), mark,
                   lc_diagram_get_box (painter->view, lane, painter->breadths.event, released, (double)mark->to));
}

/* In logical time, the part of an event's hash mark that is filled as waiting is the share of time that it waited. */
static void
add_hash (Batches *batches, const LcMark *mark)
{
  const LcDiagramPainter *painter = batches->painter;
  LcRectangle rectangle = lc_diagram_get_rectangle (painter->view, mark), waiting = rectangle;
  gboolean down = painter->view->orientation == LC_ORIENTATION_DOWN;
  double share = mark->waiting == 0 ? 0 : (double)mark->waiting / (double)(mark->waiting + mark->running);

  add_rectangle (batches, look_of (painter, mark), mark, rectangle);
  if (share == 0)
    return;
  if (down)
    waiting.width *= share;
  else
    waiting.height *= share;
  add_rectangle (batches, look_of_waiting (painter, mark), mark, waiting);
}

/* --- Events that are shorter than a pixel ------------------------------------------------------------------------- */

/* The events that begin in one pixel along the axis. */
typedef struct
{
  const LcMark *mark; /* the first event that is not dim, or else the first */
  guint n_events;
  double waiting; /* in pixels, as is `rest` */
  double rest;
} Pixel;

static void
add_to_pixel (Pixel *pixel, const LcMark *mark, double scale)
{
  if (pixel->mark == NULL || (pixel->mark->flags & LC_MARK_DIM && !(mark->flags & LC_MARK_DIM)))
    pixel->mark = mark;
  pixel->n_events++;
  pixel->waiting += (double)(MAX (mark->released, mark->from) - mark->from) * scale;
  pixel->rest += (double)(mark->to - MAX (mark->released, mark->from)) * scale;
}

/* A single event is a tick across the whole row. Where there are many, the breadth of the tick says what share of the
 * time they take, or they would seem to take all of it. */
static void
add_pixel (Batches *batches, const Pixel *pixel, double position, gboolean crowded)
{
  const LcDiagramPainter *painter = batches->painter;
  double lane = lc_diagram_get_lane (painter->view, pixel->mark->row, pixel->mark->track);
  double sum = pixel->waiting + pixel->rest, share = crowded ? CLAMP (sum, LEAST_SHARE, 1) : 1;
  double breadth = painter->breadths.event * share, waiting = sum > 0 ? breadth * pixel->waiting / sum : 0;
  double to = position + 1 / painter->scale, start = lane - breadth / 2 / painter->row_size;

  if (waiting < 0.5 || breadth - waiting < 0.5)
    {
      add_rectangle (batches, waiting < 0.5 ? look_of (painter, pixel->mark) : look_of_waiting (painter, pixel->mark),
                     pixel->mark, lc_diagram_get_box (painter->view, lane, breadth, position, to));
      return;
    }
  add_rectangle (batches, look_of_waiting (painter, pixel->mark), pixel->mark,
                 lc_diagram_get_box (painter->view, start + waiting / 2 / painter->row_size, waiting, position, to));
  add_rectangle (batches, look_of (painter, pixel->mark), pixel->mark,
                 lc_diagram_get_box (painter->view, start + (breadth + waiting) / 2 / painter->row_size,
                                     breadth - waiting, position, to));
}

static void
add_pixels (Batches *batches, const Pixel *pixels, gsize n_pixels)
{
  const LcDiagramPainter *painter = batches->painter;

  for (gsize i = 0; i < n_pixels; i++)
    if (pixels[i].n_events > 0)
      {
        gboolean crowded = i > 0 && i + 1 < n_pixels && pixels[i - 1].n_events > 0 && pixels[i + 1].n_events > 0;

        add_pixel (batches, &pixels[i], painter->view->from + (double)i / painter->scale,
                   crowded || pixels[i].n_events > CROWD);
      }
}

/* Adds the events of one row and track. */
static void
diagram_events_add_row (Batches *batches, const LcMark *marks, gsize n_marks)
{
  const LcDiagramPainter *painter = batches->painter;
  gsize n_pixels = (gsize)ceil ((painter->view->to - painter->view->from) * painter->scale) + 1;
  g_autofree Pixel *pixels = NULL;

  for (gsize i = 0; i < n_marks; i++)
    {
      double place = ((double)marks[i].from - painter->view->from) * painter->scale;

      if (painter->query->time != LC_SCENE_PHYSICAL)
        add_hash (batches, &marks[i]);
      else if ((double)(marks[i].to - marks[i].from) * painter->scale >= NARROWEST_BOX)
        diagram_events_add_box (batches, &marks[i]);
      else if (place >= 0 && place < (double)n_pixels)
        {
          if (pixels == NULL)
            pixels = g_new0 (Pixel, n_pixels);
          add_to_pixel (&pixels[(gsize)place], &marks[i], painter->scale);
        }
    }
  if (pixels != NULL)
    add_pixels (batches, pixels, n_pixels);
}

void
lc_diagram_paint_events (const LcDiagramPainter *painter)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n_marks);
  Batches batches;

  init_batches (&batches, painter);
  for (gsize begin = 0, end; begin < n_marks; begin = end)
    {
      for (end = begin; end < n_marks && marks[end].row == marks[begin].row && marks[end].track == marks[begin].track;)
        end++;
      diagram_events_add_row (&batches, marks + begin, end - begin);
    }
  lc_canvas_begin (painter->canvas, "events", NULL);
  paint_batches (&batches);
  lc_canvas_end (painter->canvas);
}
