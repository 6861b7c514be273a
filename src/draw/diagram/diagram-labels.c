/* SPDX-License-Identifier: Apache-2.0 */
/* Texts in a diagram: the names of operations in their boxes, the names of processes beside their rows. */
#include "diagram-private.h"
#include "draw/scene/scene-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "trace/quantities.h"

#define MOST_LABELS 1200
#define LEAST_ROOM 14.0 /* pixels for a label */
#define MANY_LABELS 60  /* of more, one that is the same as the last one of its row is left out if it is near */
#define NEAR 120.0      /* pixels between the begins of two boxes */
#define LINE 12.0       /* height of small text, where it is not enlarged */
#define SPACE 4.0
#define LONG_NAME 90.0

static double
get_line (const LcCanvas *canvas)
{
  return LINE * lc_canvas_get_text_scale (canvas);
}

/* --- Operations --------------------------------------------------------------------------------------------------- */

static LcInk
ink_on_event (const LcDiagramPainter *painter, const LcMark *mark)
{
  LcTheme theme = lc_canvas_get_theme (painter->canvas);
  LcColor box = painter->query->selection.coloring != NULL ? lc_diagram_get_function_color (theme, mark->color)
                : lc_diagram_has_bodies (painter->view)    ? lc_diagram_get_running_color (theme)
                                                           : lc_palette_get_color (theme, LC_INK_EVENT);

  return lc_color_contrast (lc_palette_get_color (theme, LC_INK_TEXT), box) >=
                 lc_color_contrast (lc_palette_get_color (theme, LC_INK_BACKGROUND), box)
             ? LC_INK_TEXT
             : LC_INK_BACKGROUND;
}

/* Gives the larger part of the box that is between two positions: that of the waiting, or the rest; `patterned` tells
 * whether letters need a ground of their own there. FALSE: there is no room. */
static gboolean
room_for_label_between (const LcDiagramPainter *painter, const LcMark *mark, double first, double last,
                        LcRectangle *room, gboolean *patterned)
{
  double released = CLAMP ((double)mark->released, first, MAX (last, first));
  double from = MAX ((double)mark->from, first), to = MIN ((double)mark->to, last);
  double lane = lc_diagram_get_lane (painter->view, mark->row, mark->track), went_on;
  gboolean waiting;

  released = CLAMP (released, from, MAX (to, from));
  waiting = released - from > to - released;
  went_on = CLAMP ((double)mark->went_on, released, MAX (to, released));
  *patterned = waiting || went_on - released > to - went_on || mark->outside > 0;
  *room = lc_diagram_get_box (painter->view, lane, painter->breadths.event, waiting ? from : released,
                              waiting ? released : to);
  return to > from && lc_diagram_cut (painter->view, 0, room) && room->width >= LEAST_ROOM &&
         room->height >= get_line (painter->canvas);
}

/* A label stands within what is looked at, or beside it, and is not cut at its edge. */
static gboolean
room_for_label (const LcDiagramPainter *painter, const LcMark *mark, LcRectangle *room, gboolean *patterned)
{
  const LcDiagramView *view = painter->view;
  double from = MAX (view->looked_from, view->from), to = MIN (view->looked_to, view->to);

  if (from >= to)
    return room_for_label_between (painter, mark, view->from, view->to, room, patterned);
  return room_for_label_between (painter, mark, from, to, room, patterned) ||
         room_for_label_between (painter, mark, view->from, from, room, patterned) ||
         room_for_label_between (painter, mark, to, view->to, room, patterned);
}

static gboolean
diagram_labels_fits (const LcDiagramPainter *painter, const char *text, double room, const LcTextStyle *style)
{
  double width;

  lc_canvas_measure (painter->canvas, style, text, &width, NULL);
  return width <= room;
}

/* Gives "lock queue_a.m", or "condition-wait 2" of what is called "condition 2". NULL: the event has no object. */
static char *
diagram_labels_dup_full (const LcDiagramPainter *painter, const LcMark *mark, const char *operation)
{
  LcNames *names = painter->scene->names;
  const char *object = lc_names_object (names, mark->object);
  const char *class_name = lc_names_object_class (names, mark->object);
  g_autofree char *name = object != NULL ? lc_names_dup_short (object, class_name) : NULL;
  g_autofree char *clean = name != NULL && name[0] != '\0' ? lc_format_text (name) : NULL;

  if (clean == NULL)
    return NULL;
  if (class_name != NULL && g_str_has_prefix (operation, class_name))
    return g_strdup_printf (C_ ("operation, object", "%s %s"), operation, lc_names_skip_class (clean, class_name));
  return g_strdup_printf (C_ ("operation, object", "%s %s"), operation, clean);
}

/* Gives what is written on the box of an operation: it and its object, or only its name, or of the kinds of waits only
 * that, or NULL if nothing fits. The first letters alone would tell nothing. */
static char *
diagram_labels_dup_label (const LcDiagramPainter *painter, const LcMark *mark, double room, const LcTextStyle *style)
{
  const LcHistoryOperation *operation =
      lc_history_get_operation (lc_scene_get_history (painter->scene), mark->operation);
  const char *name = operation != NULL ? operation->name : NULL;
  g_autofree char *full = NULL;

  if (name == NULL)
    return NULL;
  full = diagram_labels_dup_full (painter, mark, name);
  if (full != NULL && diagram_labels_fits (painter, full, room, style))
    return g_steal_pointer (&full);
  if (diagram_labels_fits (painter, name, room, style))
    return g_strdup (name);
  if (!g_str_has_suffix (name, "-wait"))
    return NULL;
  name += strlen (name) - strlen ("wait");
  return diagram_labels_fits (painter, name, room, style) ? g_strdup (name) : NULL;
}

/* Whether an event lies under an operation that never ended, whose label is the one that matters. */
static gboolean
is_under_pending (const LcDiagramPainter *painter, const LcMark *mark)
{
  gsize n_pending;
  const LcMark *pending = lc_scene_get_marks_of (painter->scene, LC_MARK_PENDING, 0, mark->row, &n_pending);

  return mark->kind == LC_MARK_EVENT && n_pending > 0 && mark->to > pending->from;
}

/* Whether the process was off its processor during a part of the event: spans of one process follow each other. */
static gboolean
diagram_labels_is_absent (const LcDiagramPainter *painter, const LcMark *mark)
{
  gsize n, below = 0;
  const LcMark *spans = lc_scene_get_marks_of (painter->scene, LC_MARK_ABSENT, mark->track, mark->row, &n);

  for (gsize above = n; below < above;)
    {
      gsize middle = below + (above - below) / 2;

      if (spans[middle].to <= mark->from)
        below = middle + 1;
      else
        above = middle;
    }
  return below < n && spans[below].from < mark->to;
}

typedef struct
{
  const LcMark *mark;
  LcRectangle room;
  gboolean patterned;
  char *text; /* NULL: nothing fits */
  LcTextStyle style;
} BoxLabel;

static void
diagram_labels_clear (gpointer label)
{
  g_free (((BoxLabel *)label)->text);
}

static void
diagram_labels_fill (const LcDiagramPainter *painter, BoxLabel *label)
{
  const LcMark *mark = label->mark;
  gboolean pale = (mark->flags & (LC_MARK_DIM | LC_MARK_IN_PAST | LC_MARK_IN_FUTURE)) != 0 ||
                  lc_diagram_get_strength (painter, mark->track) < 1;

  label->style = (LcTextStyle){.font = LC_FONT_SMALL,
                               .ink = label->patterned || pale ? LC_INK_TEXT : ink_on_event (painter, mark),
                               .align_x = 0.5,
                               .align_y = 0.5,
                               .backdrop = label->patterned || pale};
  label->text = diagram_labels_dup_label (painter, mark, label->room.width - 2, &label->style);
  label->style.room = label->room.width - 2;
}

/* Adds what has room for a label, up to `most`. */
static void
list_labels (const LcDiagramPainter *painter, LcMarkKind kind, gsize most, GArray *labels)
{
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (painter->scene, kind, 0, LC_TRACE_NONE, &n_marks);

  for (gsize i = 0; i < n_marks && labels->len < most; i++)
    {
      BoxLabel label = {.mark = &marks[i]};

      if ((double)(marks[i].to - marks[i].from) * painter->scale < get_line (painter->canvas) ||
          !room_for_label (painter, &marks[i], &label.room, &label.patterned) || is_under_pending (painter, &marks[i]))
        continue;
      label.patterned |= kind == LC_MARK_PENDING || diagram_labels_is_absent (painter, &marks[i]);
      g_array_append_val (labels, label);
    }
}

static gboolean
is_repeated (const LcDiagramPainter *painter, const BoxLabel *last, const BoxLabel *label)
{
  return last != NULL && last->mark->row == label->mark->row && last->mark->track == label->mark->track &&
         g_str_equal (last->text, label->text) &&
         (double)(label->mark->from - last->mark->from) * painter->scale <
             NEAR * lc_canvas_get_text_scale (painter->canvas);
}

void
lc_diagram_paint_labels (const LcDiagramPainter *painter)
{
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof (BoxLabel));
  const BoxLabel *last = NULL;

  if (painter->query->selection.time != LC_SCENE_PHYSICAL || painter->breadths.event < get_line (painter->canvas))
    return;
  g_array_set_clear_func (labels, diagram_labels_clear);
  list_labels (painter, LC_MARK_PENDING, MOST_LABELS, labels);
  list_labels (painter, LC_MARK_EVENT, MOST_LABELS, labels);
  lc_canvas_begin (painter->canvas, "operations", NULL);
  for (guint i = 0; i < labels->len; i++)
    {
      BoxLabel *label = &g_array_index (labels, BoxLabel, i);
      LcPlace middle = {label->room.x + label->room.width / 2, label->room.y + label->room.height / 2};

      diagram_labels_fill (painter, label);
      if (label->text == NULL || (labels->len > MANY_LABELS && is_repeated (painter, last, label)))
        continue;
      lc_canvas_text (painter->canvas, &label->style, middle, label->text);
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
diagram_labels_is_turned (const LcDiagramView *view, const LcCanvas *canvas, double widest)
{
  double longest = LONG_NAME * lc_canvas_get_text_scale (canvas);

  return view->orientation == LC_ORIENTATION_DOWN && MIN (widest, longest) + SPACE > lc_diagram_get_row_size (view);
}

double
lc_diagram_measure_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, double most)
{
  double widest = widest_name (scene, canvas);

  if (view->orientation == LC_ORIENTATION_DOWN && !diagram_labels_is_turned (view, canvas, widest))
    return MIN (get_line (canvas) + SPACE, most);
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

#define CLOSE_LINES 0.8 /* distance of names that do not touch, in lines */

/* Rows may be lower than a line: the names of the first and the last one in view would be cut. `apart`: the distance to
 * the next name, which must not be touched. */
static double
diagram_labels_keep_inside (double middle, double start, double length, double line, double apart)
{
  const double spare = CLAMP (apart - CLOSE_LINES * line, 0, line / 2);

  if (middle < start + line / 2)
    return MIN (start + line / 2, middle + spare);
  if (middle > start + length - line / 2)
    return MAX (start + length - line / 2, middle - spare);
  return middle;
}

static void
diagram_labels_paint_name (const LcDiagramView *view, LcCanvas *canvas, LcRectangle room, double row, double apart,
                           gboolean turned, const char *name)
{
  LcTextStyle style = {.font = LC_FONT_SMALL, .ink = LC_INK_TEXT};
  LcPlace place = lc_diagram_get_place (view, row, view->from);
  const double line = get_line (canvas);

  if (view->orientation == LC_ORIENTATION_RIGHT)
    {
      place.y = diagram_labels_keep_inside (place.y, room.y, room.height, line, apart);
      style.align_x = 1;
      style.align_y = 0.5;
      style.room = room.width - SPACE;
      place.x = room.x + room.width - SPACE;
    }
  else if (turned)
    {
      place.x = diagram_labels_keep_inside (place.x, room.x, room.width, line, apart);
      style.upwards = TRUE;
      style.align_y = 0.5;
      style.room = room.height - SPACE;
      place.y = room.y + room.height - SPACE;
    }
  else
    {
      style.align_x = 0.5;
      style.align_y = 1;
      style.room = apart - SPACE;
      place.y = room.y + room.height - 2;
    }
  lc_canvas_text (canvas, &style, place, name);
}

guint32
lc_diagram_get_name_step (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas)
{
  if (view->orientation == LC_ORIENTATION_DOWN && !diagram_labels_is_turned (view, canvas, widest_name (scene, canvas)))
    return 1;
  return step_of_names (lc_diagram_get_row_size (view), get_line (canvas));
}

void
lc_diagram_paint_names (const LcScene *scene, const LcDiagramView *view, LcCanvas *canvas, LcRectangle room)
{
  double size = lc_diagram_get_row_size (view);
  gboolean turned = diagram_labels_is_turned (view, canvas, widest_name (scene, canvas));
  guint32 n_rows = lc_scene_get_n_rows (scene), step = lc_diagram_get_name_step (scene, view, canvas);
  guint32 first = (guint32)MAX (ceil (view->first_row - 0.5), 0);

  lc_canvas_begin (canvas, "names", NULL);
  for (guint32 row = (first + step - 1) / step * step; row < n_rows && row + 0.5 < view->last_row; row += step)
    {
      g_autofree char *name = lc_scene_dup_row_name (scene, row);

      diagram_labels_paint_name (view, canvas, room, row + 0.5, step * size, turned, name);
    }
  lc_canvas_end (canvas);
}
