/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a diagram: a box for each, or a tick for many that lie in one pixel. */
#include "diagram-private.h"

#include <math.h>

#include "draw/scene/scene-private.h"

#define NARROWEST_BOX 1.0 /* pixels along the axis */
#define CROWD 3           /* more events in a pixel are a crowd */
#define DIM 0.25
#define LEAST_SHARE 0.3 /* of the breadth, where it is crowded */
#define LEAST_ABSENCE 0.1

/* --- Batches: what is filled in the same way is painted at once --------------------------------------------------- */

typedef enum
{
  LOOK_EVENT,
  LOOK_PAST,
  LOOK_FUTURE,
  LOOK_WAITING,
  LOOK_WOKEN,
  LOOK_PREEMPTED,
  LOOK_OUTSIDE,
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
  static const LcInk inks[LOOK_CALLED] = {LC_INK_EVENT, LC_INK_PAST,      LC_INK_FUTURE, LC_INK_WAITING,
                                          LC_INK_WOKEN, LC_INK_PREEMPTED, LC_INK_OUTSIDE};
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

/* What is left out of events is not painted; a state of them that is left out is empty, not running. */
static LcDiagramKind
diagram_events_get_kind (Look look)
{
  static const LcDiagramKind kinds[LOOK_CALLED] = {
      [LOOK_EVENT] = LC_DIAGRAM_EVENTS,    [LOOK_PAST] = LC_DIAGRAM_PAST,   [LOOK_FUTURE] = LC_DIAGRAM_FUTURE,
      [LOOK_WAITING] = LC_DIAGRAM_WAITING, [LOOK_WOKEN] = LC_DIAGRAM_WOKEN, [LOOK_PREEMPTED] = LC_DIAGRAM_PREEMPTED,
      [LOOK_OUTSIDE] = LC_DIAGRAM_OUTSIDE};

  return look >= LOOK_CALLED_WAITING ? LC_DIAGRAM_WAITING : look >= LOOK_CALLED ? LC_DIAGRAM_FUNCTIONS : kinds[look];
}

static gboolean
diagram_events_is_left_out (const LcDiagramPainter *painter, Look look)
{
  return look <= LOOK_FUTURE && lc_diagram_hides (painter->view, diagram_events_get_kind (look));
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

        LcFill fill = diagram_events_fill_of (painter, look, strength);

        if (array->len > 0 && !diagram_events_is_left_out (painter, look))
          lc_diagram_paint_rectangles (painter, lc_diagram_hide_fill (painter, diagram_events_get_kind (look), fill),
                                       array);
      }
}

/* --- Boxes -------------------------------------------------------------------------------------------------------- */

static Look
look_of (const LcDiagramPainter *painter, const LcMark *mark)
{
  Look usual = painter->query->selection.coloring != NULL ? LOOK_CALLED + mark->color : LOOK_EVENT;

  if (mark->flags & LC_MARK_CHOSEN)
    return usual;
  if (mark->flags & LC_MARK_IN_PAST && !lc_diagram_hides (painter->view, LC_DIAGRAM_PAST))
    return LOOK_PAST;
  return mark->flags & LC_MARK_IN_FUTURE && !lc_diagram_hides (painter->view, LC_DIAGRAM_FUTURE) ? LOOK_FUTURE : usual;
}

static Look
look_of_waiting (const LcDiagramPainter *painter, const LcMark *mark)
{
  return painter->query->selection.coloring != NULL ? LOOK_CALLED_WAITING + mark->color : LOOK_WAITING;
}

/* In physical time, the parts of an event's box in which it waited, was woken or was outside are filled differently. */
static void
diagram_events_add_box (Batches *batches, const LcMark *mark)
{
  const LcDiagramPainter *painter = batches->painter;
  double released = (double)MAX (mark->released, mark->from), went_on = MAX ((double)mark->went_on, released);
  double lane = lc_diagram_get_lane (painter->view, mark->row, mark->track);
  gboolean outside = mark->outside > 0 && mark->running + mark->preempted == 0;
  LcMark waiting = *mark;

  /* The waiting is not on the critical path if that comes in when the waiting is over. */
  if (mark->flags & LC_MARK_ENTERED)
    waiting.flags |= LC_MARK_DIM;
  if (mark->released > mark->from)
    add_rectangle (batches, look_of_waiting (painter, mark), &waiting,
                   lc_diagram_get_box (painter->view, lane, painter->breadths.event, (double)mark->from, released));
  if (went_on > released)
    add_rectangle (batches, LOOK_WOKEN, mark,
                   lc_diagram_get_box (painter->view, lane, painter->breadths.event, released, went_on));
  if ((double)mark->to > went_on)
    add_rectangle (batches, outside ? LOOK_OUTSIDE : look_of (painter, mark), mark,
                   lc_diagram_get_box (painter->view, lane, painter->breadths.event, went_on, (double)mark->to));
}

/* In logical time, the parts of an event's hash mark that are filled differently are shares of its time. */
static void
add_hash (Batches *batches, const LcMark *mark)
{
  const LcDiagramPainter *painter = batches->painter;
  const struct
  {
    Look look;
    guint64 time;
  } parts[] = {{look_of_waiting (painter, mark), mark->waiting},
               {LOOK_WOKEN, mark->woken},
               {LOOK_PREEMPTED, mark->preempted},
               {LOOK_OUTSIDE, mark->outside}};
  LcRectangle rectangle = lc_diagram_get_rectangle (painter->view, mark), part = rectangle;
  gboolean down = painter->view->orientation == LC_ORIENTATION_DOWN;
  double whole = MAX ((double)lc_mark_get_time (mark), 1);

  add_rectangle (batches, look_of (painter, mark), mark, rectangle);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      double share = (double)parts[i].time / whole;

      if (share == 0)
        continue;
      if (down)
        part.width = rectangle.width * share;
      else
        part.height = rectangle.height * share;
      add_rectangle (batches, parts[i].look, mark, part);
      part.x += down ? part.width : 0;
      part.y += down ? 0 : part.height;
    }
}

/* --- Events that are shorter than a pixel ------------------------------------------------------------------------- */

/* What the events that begin in one pixel did. */
enum
{
  PART_WAITING,
  PART_WOKEN,
  PART_OUTSIDE,
  PART_REST,
  PARTS,
};

/* The events that begin in one pixel along the axis. */
typedef struct
{
  const LcMark *mark; /* the first event that is not dim, or else the first */
  guint n_events;
  double parts[PARTS]; /* in pixels */
} Pixel;

static void
add_to_pixel (Pixel *pixel, const LcMark *mark, double scale)
{
  guint64 rest = mark->to - mark->from - MIN (mark->waiting + mark->woken + mark->outside, mark->to - mark->from);

  if (pixel->mark == NULL || (pixel->mark->flags & LC_MARK_DIM && !(mark->flags & LC_MARK_DIM)))
    pixel->mark = mark;
  pixel->n_events++;
  pixel->parts[PART_WAITING] += (double)mark->waiting * scale;
  pixel->parts[PART_WOKEN] += (double)mark->woken * scale;
  pixel->parts[PART_OUTSIDE] += (double)mark->outside * scale;
  pixel->parts[PART_REST] += (double)rest * scale;
}

/* A single event is a tick across the whole row. Where there are many, the breadth of the tick says what share of the
 * time they take, or they would seem to take all of it. What would be less than half a pixel of it goes to the rest. */
static void
add_pixel (Batches *batches, const Pixel *pixel, double position, gboolean crowded)
{
  const LcDiagramPainter *painter = batches->painter;
  const Look looks[PARTS] = {look_of_waiting (painter, pixel->mark), LOOK_WOKEN, LOOK_OUTSIDE,
                             look_of (painter, pixel->mark)};
  double lane = lc_diagram_get_lane (painter->view, pixel->mark->row, pixel->mark->track), sum = 0, share, start;
  double breadths[PARTS], to = position + 1 / painter->scale, breadth;
  guint last = PART_REST;

  for (guint i = 0; i < PARTS; i++)
    sum += pixel->parts[i];
  share = crowded ? CLAMP (sum, LEAST_SHARE, 1) : 1;
  breadth = painter->breadths.event * share;
  start = lane - breadth / 2 / painter->row_size;
  for (guint i = 0; i < PARTS; i++)
    {
      breadths[i] = sum > 0 ? breadth * pixel->parts[i] / sum : i == PART_REST ? breadth : 0;
      if (breadths[i] > breadths[last])
        last = i;
    }
  for (guint i = 0; i < PARTS; i++)
    if (i != last && breadths[i] < 0.5)
      {
        breadths[last] += breadths[i];
        breadths[i] = 0;
      }
  for (guint i = 0; i < PARTS; i++)
    {
      if (breadths[i] > 0)
        add_rectangle (
            batches, looks[i], pixel->mark,
            lc_diagram_get_box (painter->view, start + breadths[i] / 2 / painter->row_size, breadths[i], position, to));
      start += breadths[i] / painter->row_size;
    }
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

      if (painter->query->selection.time != LC_SCENE_PHYSICAL)
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

/* Absences lie over the line of a life, and over the boxes of events. One that is hardly a pixel long is as broad as
 * its share of the time, or many of them would seem to take all of it. */
static void
diagram_events_add_absences (Batches *batches)
{
  const LcDiagramPainter *painter = batches->painter;
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, LC_MARK_ABSENT, 0, LC_TRACE_NONE, &n_marks);

  for (gsize i = 0; i < n_marks; i++)
    {
      double lane = lc_diagram_get_lane (painter->view, marks[i].row, marks[i].track);
      double pixels = (double)(marks[i].to - marks[i].from) * painter->scale;
      double share = (double)(marks[i].preempted + marks[i].outside) * painter->scale / MAX (pixels, 1);
      double breadth = painter->breadths.event * (pixels < CROWD ? CLAMP (share, LEAST_ABSENCE, 1) : 1);

      add_rectangle (batches, marks[i].preempted >= marks[i].outside ? LOOK_PREEMPTED : LOOK_OUTSIDE, &marks[i],
                     lc_diagram_get_box (painter->view, lane, breadth, (double)marks[i].from, (double)marks[i].to));
    }
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
  diagram_events_add_absences (&batches);
  lc_canvas_begin (painter->canvas, "events", NULL);
  paint_batches (&batches);
  lc_canvas_end (painter->canvas);
}
