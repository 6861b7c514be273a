/* SPDX-License-Identifier: Apache-2.0 */
/* Where the marks of users are in a diagram, and how they look. They are asked of the history, not of the scene, so
 * that an event that is marked is seen at any zoom. */
#include "draw/diagram/diagram-marked.h"

#include <glib/gi18n-lib.h>

#include "draw/diagram/diagram-private.h"
#include "trace/quantities.h"

#define SMALLEST 4.0       /* pixels along the axis */
#define SMALLEST_HASH 10.0 /* the same in discrete time: around the hash mark of an event */
#define FRAME 1.6
#define STRIP 7.0          /* pixels across: on both sides of a box, within its frame */
#define STRIPS 4           /* names next to each other; others share their places */
#define NARROWEST_ROW 24.0 /* rows with less room have no strips: the box itself is filled */

/* What is marked with one name on one track. */
typedef struct
{
  char *name;
  guint number; /* of the name, among all names */
  guint track;
  gboolean is_hidden;
  GArray *boxes; /* MarkedBox, by row and from */
} MarkedName;

typedef struct
{
  guint32 row;
  guint64 from; /* positions; in discrete time both the same */
  guint64 to;
} MarkedBox;

struct _LcDiagramMarked
{
  const LcScene *scene;
  GPtrArray *names;  /* MarkedName */
  guint64 n_unshown; /* times that have no place on this axis */
};

/* A walk over one track's timeline. */
typedef struct
{
  LcDiagramMarked *marked;
  const LcSceneQuery *query;
  LcHistory *history;
  LcHistoryWalk *walk;
  guint32 timeline;
  guint track;
  const guint32 *rows; /* by process; LC_TRACE_NONE: not shown */
  const char *const *hidden;
} MarkedSearch;

static void
diagram_marked_free_name (gpointer data)
{
  MarkedName *name = data;

  g_free (name->name);
  g_array_unref (name->boxes);
  g_free (name);
}

void
lc_diagram_marked_free (LcDiagramMarked *marked)
{
  if (marked == NULL)
    return;
  g_ptr_array_unref (marked->names);
  g_free (marked);
}

/* --- Finding ----------------------------------------------------------------------------------------------------- */

static guint32 *
diagram_marked_list_rows (const LcScene *scene)
{
  guint32 n = lc_history_get_n_processes (lc_scene_get_history (scene));
  guint32 *rows = g_new (guint32, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    rows[i] = LC_TRACE_NONE;
  for (guint32 row = 0; row < lc_scene_get_n_rows (scene); row++)
    for (guint32 i = 0; i < lc_scene_get_n_processes (scene, row); i++)
      rows[lc_scene_get_process_at (scene, row, i)] = row;
  return rows;
}

static void
diagram_marked_add_box (const MarkedSearch *search, GArray *boxes, guint32 process, guint64 from, guint64 to)
{
  const MarkedBox box = {search->rows[process], from, to};

  if (from <= search->query->to && to >= search->query->from && box.row != LC_TRACE_NONE)
    g_array_append_val (boxes, box);
}

/* The trace may have fewer events than when this one was marked. */
static gboolean
diagram_marked_add_event (const MarkedSearch *search, GArray *boxes, const LcUserMark *mark, GError **error)
{
  const LcHistoryProcess *process = lc_history_get_process (search->history, mark->process);
  guint32 its_process;
  guint64 its_ordinal, place;
  LcHistoryEvent event;

  if (mark->begin >= process->events)
    return TRUE;
  if (!lc_history_locate (search->history, search->timeline, mark->process, mark->begin, &its_process, &its_ordinal,
                          error) ||
      !lc_history_walk_get (search->walk, its_process, its_ordinal, &event, NULL, error))
    return FALSE;
  if (search->query->selection.time == LC_SCENE_PHYSICAL)
    {
      diagram_marked_add_box (search, boxes, its_process, event.begin, event.end);
      return TRUE;
    }
  place = event.layer;
  if (search->query->selection.time == LC_SCENE_PHASE)
    place = lc_phases_get_position (search->query->phases,
                                    lc_phases_of (search->query->phases, its_process, its_ordinal), event.layer);
  diagram_marked_add_box (search, boxes, its_process, place, place);
  return TRUE;
}

/* A time that is marked is one of the measured timeline. */
static gboolean
diagram_marked_add (const MarkedSearch *search, GArray *boxes, const LcUserMark *mark, GError **error)
{
  if (mark->process >= lc_history_get_n_processes (search->history) || search->rows[mark->process] == LC_TRACE_NONE)
    return TRUE;
  if (!mark->is_span)
    return diagram_marked_add_event (search, boxes, mark, error);
  if (search->query->selection.time == LC_SCENE_PHYSICAL && search->timeline == LC_TIMELINE_MEASURED)
    diagram_marked_add_box (search, boxes, mark->process, mark->begin, mark->end);
  else
    search->marked->n_unshown++;
  return TRUE;
}

static int
diagram_marked_compare (gconstpointer a, gconstpointer b)
{
  const MarkedBox *one = a, *other = b;

  if (one->row != other->row)
    return one->row < other->row ? -1 : 1;
  return one->from < other->from ? -1 : one->from > other->from;
}

static MarkedName *
diagram_marked_add_name (const MarkedSearch *search, const char *text, guint number)
{
  MarkedName *name = g_new0 (MarkedName, 1);

  name->name = g_strdup (text);
  name->number = number;
  name->track = search->track;
  name->is_hidden = search->hidden != NULL && g_strv_contains (search->hidden, text);
  name->boxes = g_array_new (FALSE, FALSE, sizeof (MarkedBox));
  g_ptr_array_add (search->marked->names, name);
  return name;
}

static gboolean
diagram_marked_search (MarkedSearch *search, const LcMarks *marks, GError **error)
{
  const GArray *all = marks->marks;
  MarkedName *name = NULL;
  guint n_names = 0;

  for (guint i = 0; i < all->len; i++)
    {
      const LcUserMark *mark = &g_array_index (all, LcUserMark, i);

      if (name == NULL || !g_str_equal (name->name, mark->name))
        name = diagram_marked_add_name (search, mark->name, n_names++);
      if (!name->is_hidden && !diagram_marked_add (search, name->boxes, mark, error))
        return FALSE;
    }
  for (guint i = 0; i < search->marked->names->len; i++)
    g_array_sort (((MarkedName *)search->marked->names->pdata[i])->boxes, diagram_marked_compare);
  return TRUE;
}

LcDiagramMarked *
lc_diagram_marked_new (const LcScene *scene, const LcMarks *marks, const char *const *hidden, GError **error)
{
  const LcSceneQuery *query = lc_scene_get_query (scene);
  g_autoptr (LcDiagramMarked) marked = g_new0 (LcDiagramMarked, 1);
  g_autofree guint32 *rows = diagram_marked_list_rows (scene);
  guint n_tracks = query->beside == LC_TRACE_NONE ? 1 : 2;
  gboolean good = TRUE;

  marked->scene = scene;
  marked->names = g_ptr_array_new_with_free_func (diagram_marked_free_name);
  for (guint track = 0; good && track < n_tracks; track++)
    {
      guint32 timeline = track == 0 ? query->timeline : query->beside;
      g_autoptr (LcHistoryWalk) walk =
          lc_history_walk_new (lc_scene_get_history (scene), timeline, LC_WALK_ALL, NULL, error);
      MarkedSearch search = {marked, query, lc_scene_get_history (scene), walk, timeline, track, rows, hidden};

      good = walk != NULL && diagram_marked_search (&search, marks, error);
    }
  return good ? g_steal_pointer (&marked) : NULL;
}

/* --- How they look ------------------------------------------------------------------------------------------------ */

/* Hatches mean waiting, so names have the other patterns. There are five of them and eight colours, so that forty names
 * differ in one or the other. */
LcFill
lc_diagram_marked_get_fill (LcTheme theme, guint number)
{
  static const LcPattern patterns[] = {LC_PATTERN_DOTS, LC_PATTERN_LEVEL, LC_PATTERN_GRID, LC_PATTERN_CROSS,
                                       LC_PATTERN_UPRIGHT};
  LcFill fill = {.color = lc_palette_get_series (theme, number), .pattern = patterns[number % G_N_ELEMENTS (patterns)]};

  fill.ground = fill.color;
  fill.ground.alpha = 0.4;
  return fill;
}

/* A box that is hardly seen is made larger, around its middle. */
static LcRectangle
diagram_marked_get_rectangle (const LcDiagramView *view, const MarkedName *name, const MarkedBox *box, double breadth)
{
  double shift = lc_diagram_get_shift (view);
  double least = (view->time == LC_SCENE_PHYSICAL ? SMALLEST : SMALLEST_HASH) / lc_diagram_get_scale (view);
  double from = (double)box->from + shift, to = (double)box->to + shift, lacking = MAX (least - (to - from), 0) / 2;

  return lc_diagram_get_box (view, lc_diagram_get_lane (view, box->row, name->track), breadth, from - lacking,
                             to + lacking);
}

static void
diagram_marked_add_frame (GArray *lines, const LcRectangle *box)
{
  double right = box->x + box->width, bottom = box->y + box->height;
  const LcLine frame[] = {{box->x, box->y, right, box->y},
                          {right, box->y, right, bottom},
                          {right, bottom, box->x, bottom},
                          {box->x, bottom, box->x, box->y}};

  g_array_append_vals (lines, frame, G_N_ELEMENTS (frame));
}

/* Boxes that would lie on one another become one, so that no more are painted than there is room for. */
static GArray *
diagram_marked_list (const MarkedName *name, const LcDiagramView *view, double breadth)
{
  GArray *rectangles = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  gboolean down = view->orientation == LC_ORIENTATION_DOWN;
  guint32 row = LC_TRACE_NONE;

  for (guint i = 0; i < name->boxes->len; i++)
    {
      const MarkedBox *box = &g_array_index (name->boxes, MarkedBox, i);
      LcRectangle one = diagram_marked_get_rectangle (view, name, box, breadth), *last;

      if (!lc_diagram_cut (view, SMALLEST, &one))
        continue;
      last = rectangles->len > 0 ? &g_array_index (rectangles, LcRectangle, rectangles->len - 1) : NULL;
      if (last == NULL || row != box->row || (down ? one.y > last->y + last->height : one.x > last->x + last->width))
        g_array_append_val (rectangles, one);
      else if (down)
        last->height = MAX (last->y + last->height, one.y + one.height) - last->y;
      else
        last->width = MAX (last->x + last->width, one.x + one.width) - last->x;
      row = box->row;
    }
  return rectangles;
}

/* Strips leave what is marked free to be seen. */
static void
diagram_marked_add_strips (GArray *strips, const LcDiagramView *view, LcRectangle box, double strip)
{
  LcRectangle other = box;

  if (view->orientation == LC_ORIENTATION_DOWN)
    {
      other.x += box.width - strip;
      box.width = other.width = strip;
    }
  else
    {
      other.y += box.height - strip;
      box.height = other.height = strip;
    }
  g_array_append_val (strips, box);
  g_array_append_val (strips, other);
}

static void
diagram_marked_paint_name (const MarkedName *name, const LcDiagramView *view, LcCanvas *canvas)
{
  double row_size = lc_diagram_get_row_size (view) / view->n_tracks, strip = MIN (STRIP, row_size * 0.05);
  gboolean has_strips = row_size >= NARROWEST_ROW;
  LcDiagramBreadths breadths;
  g_autoptr (GArray) boxes = NULL;
  g_autoptr (GArray) fills = g_array_new (FALSE, FALSE, sizeof (LcRectangle));
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (LcLine));
  g_autofree char *title = lc_format_text (name->name);
  LcFill fill = lc_diagram_marked_get_fill (lc_canvas_get_theme (canvas), name->number);

  lc_diagram_get_breadths (view, &breadths);
  boxes =
      diagram_marked_list (name, view, breadths.holding + (has_strips ? 2 * strip * (name->number % STRIPS + 1) : 0));
  if (boxes->len == 0)
    return;
  for (guint i = 0; i < boxes->len; i++)
    {
      const LcRectangle *box = &g_array_index (boxes, LcRectangle, i);

      diagram_marked_add_frame (lines, box);
      if (has_strips)
        diagram_marked_add_strips (fills, view, *box, strip);
      else
        g_array_append_val (fills, *box);
    }
  lc_canvas_begin (canvas, "marked", title);
  lc_canvas_rectangles (canvas, fill, (const LcRectangle *)(const void *)fills->data, fills->len);
  lc_canvas_lines (canvas, (LcStroke){.color = fill.color, .width = FRAME}, (const LcLine *)(const void *)lines->data,
                   lines->len);
  lc_canvas_end (canvas);
}

void
lc_diagram_marked_paint (const LcDiagramMarked *marked, const LcDiagramView *view, LcCanvas *canvas)
{
  if (view->area.width <= 0 || view->area.height <= 0)
    return;
  lc_canvas_clip (canvas, view->area);
  /* The frames of later names are the larger ones, so that they come first. */
  for (guint i = marked->names->len; i-- > 0;)
    diagram_marked_paint_name (marked->names->pdata[i], view, canvas);
  lc_canvas_unclip (canvas);
}

void
lc_diagram_marked_describe (const LcDiagramMarked *marked, LcFrame *frame, LcCanvas *canvas)
{
  for (guint i = 0; i < marked->names->len; i++)
    {
      const MarkedName *name = marked->names->pdata[i];
      g_autofree char *named = lc_format_text (name->name), *text = g_strdup_printf (_ ("Marked: %s"), named);

      if (name->boxes->len > 0)
        lc_frame_add_fill (frame, text, lc_diagram_marked_get_fill (lc_canvas_get_theme (canvas), name->number));
    }
  if (marked->n_unshown > 0)
    lc_frame_add_note (frame, _ ("Times that are marked are shown in measured time only."));
}
