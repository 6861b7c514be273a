/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in a diagram: the names of operations in their boxes, the names of processes beside their rows. */
#include "diagram-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "trace/quantities.h"

#define MOST_LABELS 1200
#define LEAST_ROOM 14.0 /* pixels for a label */
#define MANY_LABELS 60  /* of more, one that is the same as the last one of its row is left out if it is near */
#define NEAR 120.0      /* pixels between the begins of two boxes */
#define LINE 12.0       /* height of small text */
#define SPACE 4.0
#define LONG_NAME 90.0

/* --- Operations --------------------------------------------------------------------------------------------------- */

static LcInk
ink_on_event (const LcDiagramPainter *painter, const LcMark *mark)
{
  LcTheme theme = lc_canvas_get_theme (painter->canvas);
  LcColor box = painter->query->coloring != NULL        ? lc_diagram_get_function_color (theme, mark->color)
                : lc_diagram_has_bodies (painter->view) ? lc_diagram_get_running_color (theme)
                                                        : lc_palette_get_color (theme, LC_INK_EVENT);

  return lc_color_contrast (lc_palette_get_color (theme, LC_INK_TEXT), box) >=
                 lc_color_contrast (lc_palette_get_color (theme, LC_INK_BACKGROUND), box)
             ? LC_INK_TEXT
             : LC_INK_BACKGROUND;
}

/* Gives the larger visible part of the box: that of the waiting, or the rest; `patterned` tells whether letters need a
 * ground of their own there. FALSE: there is no room. */
static gboolean
room_for_label (const LcDiagramPainter *painter, const LcMark *mark, LcRectangle *room, gboolean *patterned)
{
  double released = CLAMP ((double)mark->released, painter->view->from, painter->view->to);
  double from = MAX ((double)mark->from, painter->view->from), to = MIN ((double)mark->to, painter->view->to);
  double lane = lc_diagram_get_lane (painter->view, mark->row, mark->track), went_on;
  gboolean waiting;

  released = CLAMP (released, from, MAX (to, from));
  waiting = released - from > to - released;
  went_on = CLAMP ((double)mark->went_on, released, MAX (to, released));
  *patterned = waiting || went_on - released > to - went_on || mark->outside > 0;
  *room = lc_diagram_get_box (painter->view, lane, painter->breadths.event, waiting ? from : released,
                              waiting ? released : to);
  return to > from && lc_diagram_cut (painter->view, 0, room) && room->width >= LEAST_ROOM && room->height >= LINE;
}

/* Gives what is written on the box of an operation: its name, or of the kinds of waits only that, or NULL if nothing
 * fits. The first letters alone would tell nothing. */
static const char *
find_label (const LcDiagramPainter *painter, const char *name, double room, const LcTextStyle *style)
{
  const char *wait = g_str_has_suffix (name, "-wait") ? name + strlen (name) - strlen ("wait") : NULL;
  double width;

  lc_canvas_measure (painter->canvas, style, name, &width, NULL);
  if (width <= room)
    return name;
  if (wait != NULL)
    lc_canvas_measure (painter->canvas, style, wait, &width, NULL);
  return wait != NULL && width <= room ? wait : NULL;
}

static void
paint_label (const LcDiagramPainter *painter, const LcMark *mark, LcRectangle room, gboolean patterned)
{
  const LcHistoryOperation *operation =
      lc_history_get_operation (lc_scene_get_history (painter->scene), mark->operation);
  gboolean pale = (mark->flags & (LC_MARK_DIM | LC_MARK_IN_PAST | LC_MARK_IN_FUTURE)) != 0 ||
                  lc_diagram_get_strength (painter, mark->track) < 1;
  LcTextStyle style = {.font = LC_FONT_SMALL,
                       .ink = patterned || pale ? LC_INK_TEXT : ink_on_event (painter, mark),
                       .align_x = 0.5,
                       .align_y = 0.5,
                       .backdrop = patterned || pale};
  const char *label = operation != NULL ? find_label (painter, operation->name, room.width - 2, &style) : NULL;

  style.room = room.width - 2;
  if (label != NULL)
    lc_canvas_text (painter->canvas, &style, (LcPlace){room.x + room.width / 2, room.y + room.height / 2}, label);
}

/* Whether an event lies under an operation that never ended, whose label is the one that matters. */
static gboolean
is_under_pending (const LcDiagramPainter *painter, const LcMark *mark)
{
  gsize n_pending;
  const LcMark *pending = lc_scene_get_marks_of (painter->scene, LC_MARK_PENDING, 0, mark->row, &n_pending);

  return mark->kind == LC_MARK_EVENT && n_pending > 0 && mark->to > pending->from;
}

typedef struct
{
  const LcMark *mark;
  LcRectangle room;
  gboolean patterned;
} BoxLabel;

/* Adds what has room for a label, up to `most`. */
static void
list_labels (const LcDiagramPainter *painter, LcMarkKind kind, gsize most, GArray *labels)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, kind, 0, LC_TRACE_NONE, &n_marks);

  for (gsize i = 0; i < n_marks && labels->len < most; i++)
    {
      BoxLabel label = {.mark = &marks[i]};

      if ((double)(marks[i].to - marks[i].from) * painter->scale < LINE ||
          !room_for_label (painter, &marks[i], &label.room, &label.patterned) || is_under_pending (painter, &marks[i]))
        continue;
      label.patterned |= kind == LC_MARK_PENDING;
      g_array_append_val (labels, label);
    }
}

static gboolean
is_repeated (const LcDiagramPainter *painter, const BoxLabel *last, const BoxLabel *label)
{
  return last != NULL && last->mark->row == label->mark->row && last->mark->track == label->mark->track &&
         last->mark->operation == label->mark->operation &&
         (double)(label->mark->from - last->mark->from) * painter->scale < NEAR;
}

void
lc_diagram_paint_labels (const LcDiagramPainter *painter)
{
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof (BoxLabel));
  const BoxLabel *last = NULL;

  if (painter->query->time != LC_SCENE_PHYSICAL || painter->breadths.event < LINE)
    return;
  list_labels (painter, LC_MARK_PENDING, MOST_LABELS, labels);
  list_labels (painter, LC_MARK_EVENT, MOST_LABELS, labels);
  lc_canvas_begin (painter->canvas, "operations", NULL);
  for (guint i = 0; i < labels->len; i++)
    {
      const BoxLabel *label = &g_array_index (labels, BoxLabel, i);

      if (labels->len > MANY_LABELS && is_repeated (painter, last, label))
        continue;
      paint_label (painter, label->mark, label->room, label->patterned);
      last = label;
    }
  lc_canvas_end (painter->canvas);
}

/* --- Processes ---------------------------------------------------------------------------------------------------- */

#define MOST_MEASURED 200 /* of more names than this, only some are measured */

static double
widest_name (const LcScene *scene, LcCanvas *canvas)
{
  guint32 n_rows = lc_scene_get_n_rows (scene), step = MAX (n_rows / MOST_MEASURED, 1);
  LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT};
  double widest = 0;

  for (guint32 row = 0; row < n_rows; row++)
    if (row % step == 0 || row == n_rows - 1)
      {
        g_autofree char *name = lc_scene_dup_row_name (scene, row);
        double width, height;

        lc_canvas_measure (canvas, &style, name, &width, &height);
        widest = MAX (widest, width);
      }
  return widest;
}

/* Names across the top are turned if the widest one does not fit above its column. The limit keeps one long name from
 * turning all of them. */
static gboolean
diagram_labels_is_turned (const LcDiagramView *view, double widest)
{
  return view->orientation == LC_ORIENTATION_DOWN && MIN (widest, LONG_NAME) + SPACE > lc_diagram_get_row_size (view);
}

double
lc_diagram_measure_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, double most)
{
  double widest = widest_name (scene, canvas);

  if (view->orientation == LC_ORIENTATION_DOWN && !diagram_labels_is_turned (view, widest))
    return MIN (LINE + SPACE, most);
  return MIN (widest + SPACE + 2, most);
}

/* Names stand at every 1st, 2nd, 5th, 10th ... row, so that they do not come closer to each other than `needed`. */
static guint32
step_of_names (double row_size, double needed)
{
  static const guint32 factors[] = {1, 2, 5};
  guint32 power = 1;

  for (;;)
    {
      for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
        if (factors[i] * power * row_size >= needed || power >= 100000000)
          return factors[i] * power;
      power *= 10;
    }
}

static void
diagram_labels_paint_name (const LcDiagramView *view, LcCanvas *canvas, LcRectangle room, double row, double size,
                           gboolean turned, const char *name)
{
  LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT};
  LcPlace place = lc_diagram_get_place (view, row, view->from);

  if (view->orientation == LC_ORIENTATION_RIGHT)
    {
      style.align_x = 1;
      style.align_y = 0.5;
      style.room = room.width - SPACE;
      place.x = room.x + room.width - SPACE;
    }
  else if (turned)
    {
      style.upwards = TRUE;
      style.align_y = 0.5;
      style.room = room.height - SPACE;
      place.y = room.y + room.height - SPACE;
    }
  else
    {
      style.align_x = 0.5;
      style.align_y = 1;
      style.room = size - SPACE;
      place.y = room.y + room.height - 2;
    }
  lc_canvas_text (canvas, &style, place, name);
}

guint32
lc_diagram_get_name_step (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas)
{
  if (view->orientation == LC_ORIENTATION_DOWN && !diagram_labels_is_turned (view, widest_name (scene, canvas)))
    return 1;
  return step_of_names (lc_diagram_get_row_size (view), LINE);
}

void
lc_diagram_paint_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room)
{
  double size = lc_diagram_get_row_size (view);
  gboolean turned = diagram_labels_is_turned (view, widest_name (scene, canvas));
  guint32 n_rows = lc_scene_get_n_rows (scene), step = lc_diagram_get_name_step (scene, view, canvas);
  guint32 first = (guint32)MAX (ceil (view->first_row - 0.5), 0);

  lc_canvas_begin (canvas, "names", NULL);
  for (guint32 row = (first + step - 1) / step * step; row < n_rows && row + 0.5 < view->last_row; row += step)
    {
      g_autofree char *name = lc_scene_dup_row_name (scene, row);

      diagram_labels_paint_name (view, canvas, room, row + 0.5, size, turned, name);
    }
  lc_canvas_end (canvas);
}
