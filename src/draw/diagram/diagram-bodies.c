/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a diagram whose processes are bodies: where they did not run, and the edges of their operations. */
#include <math.h>

#include "diagram-private.h"
#include "draw/scene/scene-private.h"

#define SHORTEST_PART 1.0 /* pixels along the axis: shorter parts are summed up in each pixel */
#define DIM 0.25
#define LEAST_BAR 1.0   /* pixels: what exists is seen */
#define EDGE 1.0        /* pixels along the axis */
#define LEAST_APART 4.0 /* pixels */
#define EDGE_STRENGTH 0.75
#define CROWD_STRENGTH 0.45

/* --- Batches: what is filled in the same way is painted at once --------------------------------------------------- */

/* The states in the order of their bars in a pixel, from the end of the body on; a body's ground is running. */
typedef enum
{
  LOOK_WAITING,
  LOOK_WOKEN,
  LOOK_OUTSIDE,
  LOOK_PREEMPTED,
  LOOK_RUNNING, /* of an event, where the time around it is not known, or is dim */
  LOOK_EDGE,
  LOOK_CROWD, /* edges that are close to each other */
  LOOK_PAST,
  LOOK_FUTURE,
  LOOK_CALLED, /* in the function of a colour; the first of all colours */
  LOOK_CALLED_WAITING = LOOK_CALLED + LC_COLORING_COLORS,
  LOOKS = LOOK_CALLED_WAITING + LC_COLORING_COLORS,
} BodyLook;

#define STATES LOOK_RUNNING

typedef struct
{
  const LcDiagramPainter *painter;
  GArray *rectangles[LOOKS][2][2]; /* by track, then by whether the mark is dim */
} Body;

/* What of a pixel along the axis the shorter parts take up, in pixels. */
typedef struct
{
  const LcMark *mark; /* the first event that is not dim, or else the first */
  float states[STATES];
} BodyPixel;

/* One process on one track. */
typedef struct
{
  Body *body;
  double lane;
  guint track;
  gboolean dims; /* whether some events are dim, so that running is painted for those that are not */
  gsize n_pixels;
  BodyPixel *pixels; /* NULL: there are no short parts */
  double last_edge;
  double last_rail[2]; /* the end of the rail of the past, and of the future */
} BodyRow;

static void
body_init (Body *body, const LcDiagramPainter *painter)
{
  body->painter = painter;
  for (BodyLook look = 0; look < LOOKS; look++)
    for (guint i = 0; i < 4; i++)
      body->rectangles[look][i / 2][i % 2] = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
}

static void
body_add (Body *body, BodyLook look, const LcMark *mark, LcRectangle rectangle)
{
  if (lc_diagram_cut (body->painter->view, 2, &rectangle))
    g_array_append_val (body->rectangles[look][mark->track & 1][(mark->flags & LC_MARK_DIM) != 0], rectangle);
}

LcInk
lc_diagram_get_edge_ink (LcTheme theme)
{
  return lc_theme_has_contrast (theme) ? LC_INK_TEXT : LC_INK_EVENT;
}

static LcFill
body_get_fill (const LcDiagramPainter *painter, BodyLook look)
{
  static const LcInk inks[LOOK_CALLED] = {
      [LOOK_WAITING] = LC_INK_WAITING,     [LOOK_WOKEN] = LC_INK_WOKEN, [LOOK_OUTSIDE] = LC_INK_OUTSIDE,
      [LOOK_PREEMPTED] = LC_INK_PREEMPTED, [LOOK_PAST] = LC_INK_PAST,   [LOOK_FUTURE] = LC_INK_FUTURE};
  LcTheme theme = lc_canvas_get_theme (painter->canvas);

  if (look >= LOOK_CALLED_WAITING)
    return lc_diagram_get_function_fill (painter->canvas, look - LOOK_CALLED_WAITING, TRUE);
  if (look >= LOOK_CALLED)
    return lc_diagram_get_function_fill (painter->canvas, look - LOOK_CALLED, FALSE);
  if (look < STATES)
    return lc_diagram_get_state_fill (painter->canvas, inks[look]);
  if (look == LOOK_RUNNING)
    return lc_canvas_color_fill (lc_diagram_get_running_color (theme));
  if (look == LOOK_EDGE || look == LOOK_CROWD)
    return lc_canvas_color_fill (lc_palette_get_color (theme, lc_diagram_get_edge_ink (theme)));
  return lc_canvas_color_fill (lc_palette_get_color (theme, inks[look]));
}

/* What a look is of; what is left out of the states is empty, and all else is not painted. */
static LcDiagramKind
body_get_kind (BodyLook look)
{
  static const LcDiagramKind kinds[LOOK_CALLED] = {
      [LOOK_WAITING] = LC_DIAGRAM_WAITING,     [LOOK_WOKEN] = LC_DIAGRAM_WOKEN,   [LOOK_OUTSIDE] = LC_DIAGRAM_OUTSIDE,
      [LOOK_PREEMPTED] = LC_DIAGRAM_PREEMPTED, [LOOK_EDGE] = LC_DIAGRAM_EVENTS,   [LOOK_CROWD] = LC_DIAGRAM_EVENTS,
      [LOOK_PAST] = LC_DIAGRAM_PAST,           [LOOK_FUTURE] = LC_DIAGRAM_FUTURE, [LOOK_RUNNING] = LC_DIAGRAM_RUNNING};

  return look >= LOOK_CALLED_WAITING ? LC_DIAGRAM_WAITING : look >= LOOK_CALLED ? LC_DIAGRAM_FUNCTIONS : kinds[look];
}

static gboolean
body_is_left_out (const LcDiagramPainter *painter, BodyLook look)
{
  return look >= LOOK_EDGE && look < LOOK_CALLED && lc_diagram_hides (painter->view, body_get_kind (look));
}

/* A process runs where nothing lies over that, so running comes first. */
static BodyLook
body_get_nth_look (guint n)
{
  return n == 0 ? LOOK_RUNNING : n <= LOOK_RUNNING ? n - 1 : n;
}

static void
body_paint (Body *body)
{
  const LcDiagramPainter *painter = body->painter;

  for (guint n = 0; n < LOOKS; n++)
    for (guint i = 0; i < 4; i++)
      {
        const BodyLook look = body_get_nth_look (n);
        g_autoptr (GArray) array = body->rectangles[look][i / 2][i % 2];
        double strength = lc_diagram_get_strength (painter, i / 2) * (i % 2 == 1 ? DIM : 1) *
                          (look == LOOK_EDGE    ? EDGE_STRENGTH
                           : look == LOOK_CROWD ? CROWD_STRENGTH
                                                : 1);

        LcFill fill = lc_diagram_hide_fill (painter, body_get_kind (look), body_get_fill (painter, look));

        if (array->len > 0 && !body_is_left_out (painter, look))
          lc_diagram_paint_rectangles (painter, lc_diagram_fade_fill (painter, fill, strength), array);
      }
}

/* --- States ------------------------------------------------------------------------------------------------------- */

static void
body_row_add_to_pixels (BodyRow *row, BodyLook look, const LcMark *mark, double from, double to, double share)
{
  const LcDiagramView *view = row->body->painter->view;
  double scale = row->body->painter->scale;
  double first = MAX ((from - view->from) * scale, 0), last = MIN ((to - view->from) * scale, (double)row->n_pixels);

  if (last <= first)
    return;
  if (row->pixels == NULL)
    row->pixels = g_new0 (BodyPixel, row->n_pixels);
  for (gsize i = (gsize)first; (double)i < last; i++)
    {
      BodyPixel *pixel = &row->pixels[i];

      if (pixel->mark == NULL || (pixel->mark->flags & LC_MARK_DIM && !(mark->flags & LC_MARK_DIM)))
        pixel->mark = mark;
      pixel->states[look] += (float)(share * (MIN (last, (double)i + 1) - MAX (first, (double)i)));
    }
}

/* Adds a part of a process's time in which it did not run; `share` is how much of it, where it stands for several. */
static void
body_row_add_part (BodyRow *row, BodyLook look, const LcMark *mark, double from, double to, double share)
{
  const LcDiagramPainter *painter = row->body->painter;

  if (to <= from)
    return;
  if (look < STATES && ((to - from) * painter->scale < SHORTEST_PART || share < 1))
    body_row_add_to_pixels (row, look, mark, from, to, share);
  else
    body_add (row->body, look, mark, lc_diagram_get_box (painter->view, row->lane, painter->breadths.event, from, to));
}

/* The waiting is not on the critical path if that comes in when the waiting is over. */
static void
body_row_add_waiting (BodyRow *row, BodyLook look, const LcMark *mark, double from, double to)
{
  const LcDiagramPainter *painter = row->body->painter;
  LcMark beside = *mark;

  if (!(mark->flags & LC_MARK_ENTERED) || (to - from) * painter->scale < SHORTEST_PART)
    {
      body_row_add_part (row, look, mark, from, to, 1);
      return;
    }
  beside.flags |= LC_MARK_DIM;
  body_add (row->body, look, &beside, lc_diagram_get_box (painter->view, row->lane, painter->breadths.event, from, to));
}

static void
body_row_add_states (BodyRow *row, const LcMark *mark)
{
  const LcDiagramPainter *painter = row->body->painter;
  double from = (double)mark->from, to = (double)mark->to, released = MAX ((double)mark->released, from);
  double went_on = MAX ((double)mark->went_on, released);
  gboolean outside = mark->outside > 0 && mark->running + mark->preempted == 0,
           colored = painter->query->selection.coloring != NULL;
  gboolean is_long = (to - from) * painter->scale >= SHORTEST_PART;

  body_row_add_waiting (row, colored && is_long ? LOOK_CALLED_WAITING + mark->color : LOOK_WAITING, mark, from,
                        released);
  body_row_add_part (row, LOOK_WOKEN, mark, released, went_on, 1);
  if (outside)
    body_row_add_part (row, LOOK_OUTSIDE, mark, went_on, to, 1);
  else if (colored && is_long)
    body_row_add_part (row, LOOK_CALLED + mark->color, mark, went_on, to, 1);
  else if (row->dims && is_long)
    body_row_add_part (row, LOOK_RUNNING, mark, went_on, to, 1);
}

/* Parts of the time without a processor, or blocked unseen. A mark of several has gaps between them. */
static void
body_row_add_absences (BodyRow *row, guint32 number)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (row->body->painter->scene, LC_MARK_ABSENT, row->track, number, &n_marks);

  for (gsize i = 0; i < n_marks; i++)
    {
      double from = (double)marks[i].from, to = (double)marks[i].to, length = MAX (to - from, 1);

      if (marks[i].preempted > 0)
        body_row_add_part (row, LOOK_PREEMPTED, &marks[i], from, to, (double)marks[i].preempted / length);
      if (marks[i].outside > 0)
        body_row_add_part (row, LOOK_OUTSIDE, &marks[i], from, to, (double)marks[i].outside / length);
    }
}

/* Divides the breadth of the body by what the parts in a pixel are, as the bar of a summary does. */
static void
body_row_add_bars (BodyRow *row, const BodyPixel *pixel, double position)
{
  const LcDiagramPainter *painter = row->body->painter;
  double whole = painter->breadths.event, sum = 0, breadths[STATES], place;
  double sign = (painter->view->orientation == LC_ORIENTATION_DOWN ? 1 : -1) / painter->row_size;

  for (guint i = 0; i < STATES; i++)
    {
      breadths[i] = pixel->states[i] > 0 ? MAX ((double)pixel->states[i] * whole, LEAST_BAR) : 0;
      sum += breadths[i];
    }
  place = whole / 2;
  for (guint i = 0; i < STATES; i++)
    if (breadths[i] > 0)
      {
        double breadth = breadths[i] * MIN (whole / sum, 1);

        body_add (row->body, i, pixel->mark,
                  lc_diagram_get_box (painter->view, row->lane + sign * (place - breadth / 2), breadth, position,
                                      position + 1 / painter->scale));
        place -= breadth;
      }
}

/* --- Operations --------------------------------------------------------------------------------------------------- */

/* Where operations are apart, they are edges across the body; where they are crowded, edges would cover what they
 * bound, and are pale ticks beside it instead, at most one in a pixel. */
static void
body_row_add_edge (BodyRow *row, const LcMark *mark, double position, double next)
{
  const LcDiagramPainter *painter = row->body->painter;
  double breadth = painter->breadths.event, lane = row->lane, length = EDGE / painter->scale;
  double apart = (position - row->last_edge) * painter->scale;
  gboolean crowded = MAX (apart, (next - position) * painter->scale) < LEAST_APART;
  gboolean is_short = (double)(mark->to - mark->from) * painter->scale < SHORTEST_PART;
  BodyLook look = painter->query->selection.coloring != NULL && is_short ? LOOK_CALLED + mark->color
                  : crowded                                              ? LOOK_CROWD
                                                                         : LOOK_EDGE;

  if (apart < EDGE && !(mark->flags & LC_MARK_CHOSEN))
    return;
  if (crowded)
    lane = lc_diagram_get_strip (painter->view, lane, 1, &breadth);
  body_add (row->body, look, mark, lc_diagram_get_box (painter->view, lane, breadth, position, position + length));
  row->last_edge = position;
}

/* An operation has an edge where it begins, and another one where it ends if that is not where the next one begins. */
static void
body_row_add_operation (BodyRow *row, const LcMark *mark, const LcMark *next)
{
  double from = (double)mark->from, to = (double)mark->to, scale = row->body->painter->scale;
  double limit = next != NULL ? (double)next->from : INFINITY;

  if ((to - from) * scale < LEAST_APART)
    body_row_add_edge (row, mark, from, limit);
  else
    {
      body_row_add_edge (row, mark, from, to);
      if ((limit - to) * scale >= LEAST_APART)
        body_row_add_edge (row, mark, to - EDGE / scale, limit);
    }
}

/* What is in the past or the future of the chosen event has a rail of that colour beside the body. */
static void
body_row_add_rails (BodyRow *row, const LcMark *mark, const LcMark *before)
{
  static const guint16 flags[] = {LC_MARK_IN_PAST, LC_MARK_IN_FUTURE};
  const LcDiagramPainter *painter = row->body->painter;
  double breadth, lane = lc_diagram_get_strip (painter->view, row->lane, 1, &breadth);

  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      double from = (double)mark->from, to = MAX ((double)mark->to, from + 1 / painter->scale);

      if (!(mark->flags & flags[i]))
        continue;
      if (before != NULL && before->flags & flags[i])
        {
          body_row_add_part (row, LOOK_RUNNING, mark, (double)before->to, from, 1);
          from = MIN (from, (double)before->to);
        }
      if (to <= row->last_rail[i])
        continue;
      from = MAX (from, row->last_rail[i]);
      body_add (row->body, i == 0 ? LOOK_PAST : LOOK_FUTURE, mark,
                lc_diagram_get_box (painter->view, lane, breadth, from, to));
      row->last_rail[i] = to;
    }
}

/* --- Rows --------------------------------------------------------------------------------------------------------- */

static void
body_add_row (Body *body, const LcMark *marks, gsize n_marks, guint32 number, guint track)
{
  const LcDiagramPainter *painter = body->painter;
  BodyRow row = {.body = body,
                 .lane = lc_diagram_get_lane (painter->view, number, track),
                 .track = track,
                 .dims = lc_diagram_get_body_strength (painter) < 1,
                 .n_pixels = (gsize)ceil ((painter->view->to - painter->view->from) * painter->scale),
                 .last_edge = -INFINITY,
                 .last_rail = {-INFINITY, -INFINITY}};

  for (gsize i = 0; i < n_marks; i++)
    {
      body_row_add_states (&row, &marks[i]);
      body_row_add_rails (&row, &marks[i], i > 0 ? &marks[i - 1] : NULL);
      if (!(marks[i].flags & (LC_MARK_IN_PAST | LC_MARK_IN_FUTURE)) || marks[i].flags & LC_MARK_CHOSEN)
        body_row_add_operation (&row, &marks[i], i + 1 < n_marks ? &marks[i + 1] : NULL);
    }
  body_row_add_absences (&row, number);
  for (gsize i = 0; row.pixels != NULL && i < row.n_pixels; i++)
    if (row.pixels[i].mark != NULL)
      body_row_add_bars (&row, &row.pixels[i], painter->view->from + (double)i / painter->scale);
  g_free (row.pixels);
}

void
lc_diagram_paint_bodies (const LcDiagramPainter *painter)
{
  Body body;

  body_init (&body, painter);
  for (guint track = 0; track < painter->view->n_tracks; track++)
    for (guint32 number = 0; number < lc_scene_get_n_rows (painter->scene); number++)
      {
        gsize n_marks;
        const LcMark *marks = lc_scene_get_marks_of (painter->scene, LC_MARK_EVENT, track, number, &n_marks);

        if (number + 1 > painter->view->first_row && number < painter->view->last_row)
          body_add_row (&body, marks, n_marks, number, track);
      }
  lc_canvas_begin (painter->canvas, "events", NULL);
  body_paint (&body);
  lc_canvas_end (painter->canvas);
}
