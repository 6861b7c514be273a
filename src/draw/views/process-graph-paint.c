/* SPDX-License-Identifier: Apache-2.0 */
/* Painting of a process graph: one moment of a run. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "process-graph-private.h"
#include "trace/quantities.h"

#define LARGEST 44.0
#define LARGEST_PART 0.12 /* of a large area */
#define SMALLEST 4.0
#define LEAST_OUTLINED 3.0 /* radius; of smaller nodes an outline would hide the states */
#define ROOM 0.12          /* share of the area on each side, since nodes and their names reach out of their places */
#define LEAST_ROOM 32.0    /* pixels of it */
#define NAME_HEIGHT 16.0   /* of a name below a node */
#define WITH_NAME 14.0     /* the least size of a node with a name */
#define HEAD 7.0
#define FAINT 0.12

enum
{
  CORNERS = 32, /* corners of a large circle */
  LEAST_CORNERS = 8,
  MOST_FAINT_EDGES = 2000, /* more faint edges would cover the area */
};

/* How a node spent the span, in ns. A node without `any` is idle. */
typedef struct
{
  double running; /* outside of operations */
  double inside;  /* running, too */
  double waiting;
  double woken;
  double preempted;
  double outside;
  gboolean any; /* the node has events in the span, or is alive */
  gboolean group;
} Node;

/* --- Amounts of the nodes ----------------------------------------------------------------------------------------- */

static void
paint_add_off (Node *node, const LcMark *mark)
{
  node->waiting += (double)mark->waiting;
  node->woken += (double)mark->woken;
  node->preempted += (double)mark->preempted;
  node->outside += (double)mark->outside;
}

static void
paint_add_mark (Node *node, const LcMark *mark, gboolean discrete)
{
  switch ((LcMarkKind)mark->kind)
    {
    case LC_MARK_LIFE:
      if (discrete)
        break;
      node->running += (double)mark->running;
      paint_add_off (node, mark);
      node->any = TRUE;
      break;
    case LC_MARK_EVENT:
      node->inside += (double)mark->running;
      paint_add_off (node, mark);
      node->any = TRUE;
      node->group |= (mark->flags & LC_MARK_GROUP) != 0;
      break;
    case LC_MARK_SUMMARY:
      node->running += (double)mark->running;
      paint_add_off (node, mark);
      node->any |=
          mark->events > 0 || mark->running + mark->waiting + mark->woken + mark->preempted + mark->outside > 0;
      break;
    case LC_MARK_PENDING:
      node->waiting += 1;
      node->any = TRUE;
      break;
    case LC_MARK_GOING:
    case LC_MARK_HOLDING:
    case LC_MARK_ABSENT:
    case LC_MARK_BOUNDS:
    case LC_MARK_LOST:
    case LC_MARKS:
    default:
      break;
    }
}

/* The marks of a scene that say when processes were off their processors, in the order of rows and time. */
typedef struct
{
  const LcMark *marks;
  gsize n;
} Absences;

static Absences
paint_find_absences (const LcScene *scene)
{
  gsize n, first = 0, end;
  const LcMark *marks = lc_scene_get_marks (scene, &n);

  while (first < n && marks[first].kind < LC_MARK_ABSENT)
    first++;
  for (end = first; end < n && marks[end].kind == LC_MARK_ABSENT && marks[end].track == 0;)
    end++;
  return (Absences){marks + first, end - first};
}

/* Finds the first absence in a row that may still go on at a time. */
static gsize
paint_find_absence (const Absences *absences, guint32 row, guint64 time)
{
  gsize low = 0, high = absences->n;

  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;
      const LcMark *mark = &absences->marks[middle];

      if (mark->row < row || (mark->row == row && mark->to <= time))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static guint64
process_graph_get_share (guint64 amount, guint64 part, guint64 whole)
{
  return part < whole ? (guint64)((double)amount * (double)part / (double)whole) : amount;
}

/* Sets what of the span's part of an event, after it went on, its process was off its processor. An event that is off
 * as a whole has no absences; and where none are known at all, they are taken to be spread evenly. */
static void
paint_set_off (LcMark *part, const LcMark *mark, const Absences *absences, guint64 from, guint64 to)
{
  part->preempted = part->outside = 0;
  if (mark->running == 0 || absences->n == 0)
    {
      part->preempted = process_graph_get_share (mark->preempted, to - from, mark->to - mark->went_on);
      part->outside = process_graph_get_share (mark->outside, to - from, mark->to - mark->went_on);
      return;
    }
  for (gsize i = paint_find_absence (absences, mark->row, from); i < absences->n; i++)
    {
      const LcMark *absence = &absences->marks[i];
      guint64 length = absence->to - absence->from, begin = MAX (absence->from, from), end = MIN (absence->to, to);

      if (absence->row != mark->row || absence->from >= to)
        break;
      if (absence->process != mark->process || begin >= end)
        continue;
      part->preempted += process_graph_get_share (absence->preempted, end - begin, length);
      part->outside += process_graph_get_share (absence->outside, end - begin, length);
    }
}

/* Cuts the amounts of an event that reaches out of the span to the part within it. */
static LcMark
paint_cut (const LcMark *mark, const LcSceneQuery *query, const Absences *absences)
{
  LcMark part = *mark;
  guint64 from = MAX (mark->from, query->from), to = MAX (MIN (mark->to, query->to), from), released, went_on;

  if (mark->kind != LC_MARK_EVENT || query->selection.time != LC_SCENE_PHYSICAL)
    return part;
  released = CLAMP (mark->released, from, to);
  went_on = CLAMP (mark->went_on, released, to);
  part.waiting = released - from;
  part.woken = went_on - released;
  if (went_on < to)
    paint_set_off (&part, mark, absences, went_on, to);
  else
    part.preempted = part.outside = 0;
  part.running = to - went_on - MIN (to - went_on, part.preempted + part.outside);
  return part;
}

static Node *
look_at_nodes (const LcProcessGraph *graph, const LcScene *scene)
{
  const LcSceneQuery *query = lc_scene_get_query (scene);
  const Absences absences = paint_find_absences (scene);
  Node *nodes = g_new0 (Node, MAX (graph->n_nodes, 1));
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks (scene, &n_marks);

  for (gsize i = 0; i < n_marks; i++)
    for (guint32 k = 0; k < marks[i].n_rows && marks[i].row + k < graph->n_nodes; k++)
      {
        LcMark mark = paint_cut (&marks[i], query, &absences);

        if (mark.track == 0)
          paint_add_mark (&nodes[mark.row + k], &mark, query->selection.time != LC_SCENE_PHYSICAL);
      }
  return nodes;
}

static gboolean
is_arrow (const LcSceneArc *arc, const LcProcessGraph *graph)
{
  return (arc->kind == LC_SCENE_ARC_DATA || arc->kind == LC_SCENE_ARC_ORDER || arc->kind == LC_SCENE_ARC_BLOCKED) &&
         arc->from_row != arc->to_row && arc->from_row < graph->n_nodes && arc->to_row < graph->n_nodes;
}

/* Counts the node in the state in which it was for most of the span. Who has ended when a time begins is idle. */
static void
paint_count_node (const Node *node, gboolean discrete, LcGraphCounts *counts)
{
  const double running = node->running + node->inside;
  const double off = MAX (MAX (node->waiting, node->woken), MAX (node->preempted, node->outside));

  if (!node->any || (!discrete && running + off <= 0))
    counts->idle++;
  else if (off <= running && (node->inside > node->running || node->running <= 0))
    counts->inside++;
  else if (off <= running)
    counts->running++;
  else if (off <= node->waiting)
    counts->waiting++;
  else if (off <= node->woken)
    counts->woken++;
  else if (off <= node->preempted)
    counts->preempted++;
  else
    counts->outside++;
}

void
lc_process_graph_count (const LcProcessGraph *graph, const LcScene *scene, LcGraphCounts *counts)
{
  g_autofree Node *nodes = look_at_nodes (graph, scene);
  gsize n_arcs;
  const LcSceneArc *arcs = lc_scene_get_arcs (scene, &n_arcs);

  *counts = (LcGraphCounts){0};
  for (guint32 i = 0; i < graph->n_nodes; i++)
    paint_count_node (&nodes[i], lc_scene_get_query (scene)->selection.time != LC_SCENE_PHYSICAL, counts);
  for (gsize i = 0; i < n_arcs; i++)
    counts->arcs += is_arrow (&arcs[i], graph);
}

char *
lc_process_graph_dup_text (const LcProcessGraph *graph, const LcScene *scene, guint32 node)
{
  g_autofree Node *nodes = look_at_nodes (graph, scene);
  g_autofree char *name = lc_scene_dup_row_name (scene, node);
  const struct
  {
    const char *word;
    double amount;
  } states[] = {{_ ("Running"), nodes[node].running},
                {_ ("Inside operations"), nodes[node].inside},
                {_ ("Waiting"), nodes[node].waiting},
                {_ ("Woken, not yet going on"), nodes[node].woken},
                {_ ("Without a processor"), nodes[node].preempted},
                {_ ("Outside, or blocked unseen"), nodes[node].outside}};
  GString *text = g_string_new (name);

  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    if (states[i].amount >= 1)
      {
        g_autofree char *amount = lc_format_duration ((guint64)states[i].amount);

        g_string_append_printf (text, "\n%s: %s", states[i].word, amount);
      }
  return g_string_free (text, FALSE);
}

/* --- Places ------------------------------------------------------------------------------------------------------- */

/* The room around the places of nodes, for what reaches out of them: half of a node, and its name. */
static double
paint_get_room (LcRectangle area)
{
  const double least = MIN (area.width, area.height);

  return MAX (ROOM * least, MIN (LEAST_ROOM, least / 4));
}

/* The square in the middle of the area that holds the nodes. */
static LcRectangle
get_square (LcRectangle area)
{
  double size = MAX (MIN (area.width, area.height) - 2 * paint_get_room (area), 1);

  return (LcRectangle){
      .x = area.x + (area.width - size) / 2, .y = area.y + (area.height - size) / 2, .width = size, .height = size};
}

static LcPlace
paint_place_of (const LcProcessGraph *graph, LcRectangle square, guint32 node)
{
  return (LcPlace){.x = square.x + graph->places[node].x * square.width,
                   .y = square.y + graph->places[node].y * square.height};
}

double
lc_process_graph_get_size (const LcProcessGraph *graph, LcRectangle area)
{
  const double largest =
      MIN (MAX (LARGEST, LARGEST_PART * MIN (area.width, area.height)), 2 * (paint_get_room (area) - NAME_HEIGHT));

  return CLAMP (graph->nearest * get_square (area).width * 0.55, SMALLEST, MAX (largest, SMALLEST));
}

gboolean
lc_process_graph_is_crowded (const LcProcessGraph *graph, LcRectangle area)
{
  return graph->n_nodes > 1 && graph->nearest * get_square (area).width < SMALLEST;
}

gboolean
lc_process_graph_pick (const LcProcessGraph *graph, LcRectangle area, LcPlace place, guint32 *node)
{
  LcRectangle square = get_square (area);
  double nearest = MAX (lc_process_graph_get_size (graph, area) / 2, 4);
  gboolean found = FALSE;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      LcPlace at = paint_place_of (graph, square, i);
      double distance = hypot (at.x - place.x, at.y - place.y);

      if (distance > nearest)
        continue;
      nearest = distance;
      *node = i;
      found = TRUE;
    }
  return found;
}

/* --- Painting ------------------------------------------------------------------------------------------------------
 */

static void
paint_faint_edges (const LcProcessGraph *graph, LcRectangle square, LcCanvas *canvas)
{
  LcStroke stroke = lc_canvas_stroke (canvas, LC_INK_DATA_ARC, 1);
  g_autofree LcLine *lines = NULL;

  if (graph->n_edges == 0 || graph->n_edges > MOST_FAINT_EDGES)
    return;
  stroke.color.alpha = FAINT;
  lines = g_new (LcLine, graph->n_edges);
  for (gsize i = 0; i < graph->n_edges; i++)
    {
      LcPlace from = paint_place_of (graph, square, graph->edges[i].from),
              to = paint_place_of (graph, square, graph->edges[i].to);

      lines[i] = (LcLine){.x0 = from.x, .y0 = from.y, .x1 = to.x, .y1 = to.y};
    }
  lc_canvas_lines (canvas, stroke, lines, graph->n_edges);
}

/* Paints an arrow from the edge of one node to the edge of the other. */
static void
paint_arrow (LcCanvas *canvas, LcStroke stroke, LcPlace from, LcPlace to, double radius)
{
  double length = hypot (to.x - from.x, to.y - from.y), x, y;
  LcPlace head[3];

  if (length < 2 * radius + 2)
    return;
  x = (to.x - from.x) / length;
  y = (to.y - from.y) / length;
  from = (LcPlace){.x = from.x + x * radius, .y = from.y + y * radius};
  to = (LcPlace){.x = to.x - x * radius, .y = to.y - y * radius};
  lc_canvas_lines (canvas, stroke, &(LcLine){.x0 = from.x, .y0 = from.y, .x1 = to.x - x * 3, .y1 = to.y - y * 3}, 1);
  head[0] = to;
  head[1] = (LcPlace){.x = to.x - x * HEAD - y * HEAD / 2, .y = to.y - y * HEAD + x * HEAD / 2};
  head[2] = (LcPlace){.x = to.x - x * HEAD + y * HEAD / 2, .y = to.y - y * HEAD - x * HEAD / 2};
  lc_canvas_polygon (canvas, lc_canvas_color_fill (stroke.color), head, G_N_ELEMENTS (head));
}

static void
paint_arrows (const LcProcessGraph *graph, const LcScene *scene, LcRectangle square, double size, LcCanvas *canvas)
{
  gsize n_arcs;
  const LcSceneArc *arcs = lc_scene_get_arcs (scene, &n_arcs);

  for (gsize i = n_arcs; i-- > 0;)
    if (is_arrow (&arcs[i], graph))
      paint_arrow (canvas,
                   lc_canvas_stroke (canvas,
                                     arcs[i].kind == LC_SCENE_ARC_ORDER     ? LC_INK_ORDER_ARC
                                     : arcs[i].kind == LC_SCENE_ARC_BLOCKED ? LC_INK_PENDING
                                                                            : LC_INK_DATA_ARC,
                                     1.5),
                   paint_place_of (graph, square, arcs[i].from_row), paint_place_of (graph, square, arcs[i].to_row),
                   size / 2 + 1);
}

static guint
paint_count_corners (double radius)
{
  return (guint)CLAMP (radius * 2, LEAST_CORNERS, CORNERS);
}

/* Paints a slice of a circle; `from` and `to` are shares of a turn, clockwise from the top. */
static void
paint_slice (LcCanvas *canvas, LcFill fill, LcPlace middle, double radius, double from, double to)
{
  LcPlace places[CORNERS + 2];
  guint n = 0, corners = (guint)ceil ((to - from) * paint_count_corners (radius));

  if (to <= from)
    return;
  if (to - from < 1)
    places[n++] = middle;
  for (guint i = 0; i <= corners; i++)
    {
      double angle = 2 * G_PI * (from + (to - from) * i / corners) - G_PI / 2;

      places[n++] = (LcPlace){.x = middle.x + radius * cos (angle), .y = middle.y + radius * sin (angle)};
    }
  lc_canvas_polygon (canvas, fill, places, n);
}

static void
paint_ring (LcCanvas *canvas, LcStroke stroke, LcPlace middle, double radius)
{
  LcPlace places[CORNERS + 1];
  const guint corners = paint_count_corners (radius);

  for (guint i = 0; i <= corners; i++)
    {
      double angle = 2 * G_PI * i / corners;

      places[i] = (LcPlace){.x = middle.x + radius * cos (angle), .y = middle.y + radius * sin (angle)};
    }
  lc_canvas_polyline (canvas, stroke, places, corners + 1);
}

static void
paint_node (LcCanvas *canvas, const Node *node, LcPlace middle, double radius)
{
  const struct
  {
    double amount;
    LcInk ink;
    double alpha;
  } slices[] = {{node->inside, LC_INK_EVENT, 1},    {node->waiting, LC_INK_WAITING, 1},
                {node->woken, LC_INK_WOKEN, 1},     {node->preempted, LC_INK_PREEMPTED, 1},
                {node->outside, LC_INK_OUTSIDE, 1}, {node->running, LC_INK_RUNNING, 0.5}};
  double all = 0, at = 0;

  for (guint i = 0; i < G_N_ELEMENTS (slices); i++)
    all += slices[i].amount;
  paint_slice (canvas, lc_canvas_color_fill (lc_palette_get_color (lc_canvas_get_theme (canvas), LC_INK_PANEL)), middle,
               radius, 0, 1);
  if (node->any && all <= 0)
    paint_slice (canvas, lc_canvas_fill (canvas, LC_INK_EVENT, 1), middle, radius, 0, 1);
  for (guint i = 0; node->any && all > 0 && i < G_N_ELEMENTS (slices); i++)
    {
      paint_slice (canvas, lc_canvas_fill (canvas, slices[i].ink, slices[i].alpha), middle, radius, at / all,
                   (at + slices[i].amount) / all);
      at += slices[i].amount;
    }
  if (radius < LEAST_OUTLINED && node->any)
    return;
  paint_ring (canvas, lc_canvas_stroke (canvas, node->any ? LC_INK_TEXT : LC_INK_AXIS, node->group ? 2.5 : 1), middle,
              radius);
}

/* Where a name has no room, the number at its end tells best which process it is: rank 12 becomes 12. */
static const char *
paint_shorten (LcCanvas *canvas, const LcTextStyle *style, const char *name, double room)
{
  const char *end = name + strlen (name);
  double width;

  lc_canvas_measure (canvas, style, name, &width, NULL);
  while (width > room && end > name && g_ascii_isdigit (end[-1]))
    end--;
  return *end != '\0' ? end : name;
}

static void
process_graph_paint_name (const LcScene *scene, guint32 node, LcCanvas *canvas, LcPlace middle, double size,
                          double room)
{
  g_autofree char *name = lc_scene_dup_row_name (scene, node);
  const LcTextStyle whole = {.font = LC_FONT_SMALL, .room = 0};
  LcTextStyle style = {
      .font = LC_FONT_SMALL, .ink = LC_INK_TEXT, .align_x = 0.5, .align_y = 0, .room = room, .backdrop = TRUE};

  lc_canvas_text (canvas, &style, (LcPlace){.x = middle.x, .y = middle.y + size / 2 + 2},
                  paint_shorten (canvas, &whole, name, room));
}

void
lc_process_graph_paint (const LcProcessGraph *graph, const LcScene *scene, guint32 chosen, LcRectangle area,
                        LcCanvas *canvas)
{
  LcRectangle square = get_square (area);
  double size = lc_process_graph_get_size (graph, area);
  double room = MAX (graph->nearest * square.width * 0.95, graph->n_nodes < 3 ? square.width : 0);
  g_autofree Node *nodes = look_at_nodes (graph, scene);

  lc_canvas_clip (canvas, area);
  paint_faint_edges (graph, square, canvas);
  paint_arrows (graph, scene, square, size, canvas);
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      LcPlace middle = paint_place_of (graph, square, i);

      paint_node (canvas, &nodes[i], middle, size / 2);
      if (i == chosen)
        paint_ring (canvas, lc_canvas_stroke (canvas, LC_INK_SELECTION, 2), middle, size / 2 + 3);
      if (size >= WITH_NAME)
        process_graph_paint_name (scene, i, canvas, middle, size, room);
    }
  lc_canvas_unclip (canvas);
}
