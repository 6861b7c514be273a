/* SPDX-License-Identifier: Apache-2.0 */
/* Lines between the processes of a diagram: arcs, the density of arcs that are not drawn, the critical path. */
#include "diagram-private.h"

#include <math.h>
#include <string.h>

#define FEW_ARCS 80     /* up to so many arcs are drawn in full strength */
#define FEW_MEETINGS 20 /* the same of lines through many processes */
#define FAINTEST 0.16   /* strength, however many arcs there are */
#define BESIDE_PATH 0.5
#define MOST_DASHED 250
#define MOST_HEADS 400   /* with more arcs, none has an arrow head */
#define ROOM_FOR_HEAD 16 /* pixels: shorter arcs have no head */
#define HEAD 6.0
#define CHOSEN_WIDTH 2
#define MANY_ARCS 40 /* of more, those that nothing waited for are faint */
#define APART 4.0    /* pixels: arcs whose ends are closer than that look like one */

static guint32
diagram_arcs_premultiplied (LcColor color, double alpha)
{
  guint a = (guint)(alpha * 255 + 0.5);

  return a << 24 | (guint)(color.red * a + 0.5) << 16 | (guint)(color.green * a + 0.5) << 8 |
         (guint)(color.blue * a + 0.5);
}

/* Paints the density between two rows, from the edge of the boxes of one to the edge of the boxes of the other. */
static void
paint_gap (const LcDiagramPainter *painter, guint32 row, const guint32 *counts, guint n_parts, guint32 most)
{
  const LcDiagramView *view = painter->view;
  LcColor color = lc_palette_get_color (lc_canvas_get_theme (painter->canvas), LC_INK_DATA_ARC);
  double breadth =
      painter->row_size - (lc_scene_is_summary (painter->scene) ? painter->breadths.summary : painter->breadths.event);
  g_autofree guint32 *colors = g_new (guint32, n_parts);
  gboolean any = FALSE, down = view->orientation == LC_ORIENTATION_DOWN;

  for (guint part = 0; part < n_parts; part++)
    {
      /* The root keeps one arc visible beside a hundred, and the upper limit keeps cells pale. */
      double share = counts[part] == 0 ? 0 : sqrt ((double)counts[part] / most);

      any |= counts[part] > 0;
      colors[part] = counts[part] == 0 ? 0 : diagram_arcs_premultiplied (color, 0.04 + 0.2 * share);
    }
  if (any)
    lc_canvas_cells (
        painter->canvas,
        lc_diagram_get_box (view, row + 1, MAX (breadth, 1), (double)painter->query->from, (double)painter->query->to),
        colors, down ? 1 : n_parts, down ? n_parts : 1);
}

void
lc_diagram_paint_density (const LcDiagramPainter *painter)
{
  guint n_parts;
  gboolean uncounted;
  guint32 n_rows = lc_scene_get_n_rows (painter->scene), most = 0;
  const guint32 *counts = lc_scene_get_arc_density (painter->scene, &n_parts, &uncounted);

  if (counts == NULL || n_rows < 2 ||
      (lc_diagram_hides (painter->view, LC_DIAGRAM_DATA) && lc_diagram_hides (painter->view, LC_DIAGRAM_ORDER)))
    return;
  for (gsize i = 0; i < (gsize)(n_rows - 1) * n_parts; i++)
    most = MAX (most, counts[i]);
  if (most == 0)
    return;
  lc_canvas_begin (painter->canvas, "arcs", NULL);
  for (guint32 row = 0; row + 1 < n_rows; row++)
    if (row + 1 > painter->view->first_row && row + 1 < painter->view->last_row)
      paint_gap (painter, row, counts + (gsize)row * n_parts, n_parts, most);
  lc_canvas_end (painter->canvas);
}

/* --- Arcs --------------------------------------------------------------------------------------------------------- */

static gboolean
can_be_seen (const LcDiagramView *view, const LcLine *line)
{
  const LcRectangle *area = &view->area;

  return MAX (line->x0, line->x1) >= area->x && MIN (line->x0, line->x1) <= area->x + area->width &&
         MAX (line->y0, line->y1) >= area->y && MIN (line->y0, line->y1) <= area->y + area->height;
}

/* Whether an earlier arc is drawn in nearly the same place. */
static gboolean
lies_on_another (GHashTable *seen, const LcLine *line)
{
  const double ends[] = {line->x0, line->y0, line->x1, line->y1};
  guint64 key = 0;

  /* 16 bits are enough for each end: the visible part is less than 65,536 * APART pixels wide. */
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    key = key << 16 | (guint16)(gint64)floor (ends[i] / APART);
  if (g_hash_table_contains (seen, &key))
    return TRUE;
  g_hash_table_add (seen, g_memdup2 (&key, sizeof key));
  return FALSE;
}

/* Of arcs that look like one, one is enough; but what was chosen stands out. */
static gboolean
can_be_left_out (const LcSceneArc *arc)
{
  return arc->kind == LC_SCENE_ARC_DATA || arc->kind == LC_SCENE_ARC_ORDER ||
         (arc->kind == LC_SCENE_ARC_GROUP && (arc->flags & LC_MARK_CHOSEN) == 0);
}

GArray *
lc_diagram_list_arcs (const LcScene *scene, const LcDiagramView *view, LcSceneArcKind kind, gsize *n_hidden)
{
  gsize n_arcs;
  const LcSceneArc *arcs = lc_scene_get_arcs (scene, &n_arcs);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  GArray *drawn = g_array_new (FALSE, FALSE, sizeof (LcDiagramArc));

  *n_hidden = 0;
  for (gsize i = 0; i < n_arcs; i++)
    {
      LcDiagramArc arc = {.arc = &arcs[i]};

      if (arcs[i].kind != kind || !lc_diagram_draws_arc (view, &arcs[i]))
        continue;
      arc.line = lc_diagram_get_arc_line (view, &arcs[i]);
      if (!can_be_seen (view, &arc.line))
        continue;
      if (can_be_left_out (&arcs[i]) && lies_on_another (seen, &arc.line))
        ++*n_hidden;
      else
        g_array_append_val (drawn, arc);
    }
  return drawn;
}

/* Arcs fade as they become many, so that they never cover the diagram; and many are not dashed, which would take time
 * and tell little. */
LcStroke
lc_diagram_get_arc_stroke (LcCanvas *canvas, LcSceneArcKind kind, gsize count)
{
  static const struct
  {
    LcInk ink;
    double width;
  } looks[] = {
      [LC_SCENE_ARC_DATA] = {LC_INK_DATA_ARC, 1},       [LC_SCENE_ARC_ORDER] = {LC_INK_ORDER_ARC, 1},
      [LC_SCENE_ARC_CRITICAL] = {LC_INK_CRITICAL, 2.5}, [LC_SCENE_ARC_GROUP] = {LC_INK_EVENT, 1.5},
      [LC_SCENE_ARC_LINK] = {LC_INK_MEASURED, 0.75},    [LC_SCENE_ARC_BLOCKED] = {LC_INK_PENDING, 1.5},
  };
  LcStroke stroke = lc_canvas_stroke (canvas, looks[kind].ink, looks[kind].width);

  stroke.dashed = kind == LC_SCENE_ARC_ORDER && count <= MOST_DASHED;
  if (kind != LC_SCENE_ARC_CRITICAL && count > 0)
    stroke.color.alpha *=
        CLAMP (sqrt ((kind == LC_SCENE_ARC_GROUP ? FEW_MEETINGS : FEW_ARCS) / (double)count), FAINTEST, 1);
  return stroke;
}

static void
diagram_arcs_paint_head (const LcDiagramPainter *painter, LcColor color, const LcLine *line)
{
  double x = line->x1 - line->x0, y = line->y1 - line->y0, length = hypot (x, y);
  double along_x = x / length * HEAD, along_y = y / length * HEAD;
  LcPlace places[3] = {{line->x1, line->y1},
                       {line->x1 - along_x - along_y * 0.35, line->y1 - along_y + along_x * 0.35},
                       {line->x1 - along_x + along_y * 0.35, line->y1 - along_y - along_x * 0.35}};

  if (length >= ROOM_FOR_HEAD)
    lc_canvas_polygon (painter->canvas, lc_canvas_color_fill (color), places, G_N_ELEMENTS (places));
}

/* Arcs in the order in which they are painted over each other. */
typedef enum
{
  RANK_DIM,
  RANK_FREE, /* nothing waited for it, and there are many arcs */
  RANK_USUAL,
  RANK_CHOSEN, /* of the chosen event */
  RANKS,
} ArcRank;

static ArcRank
get_rank (const LcSceneArc *arc, guint n_drawn)
{
  gboolean can_cost = arc->kind == LC_SCENE_ARC_DATA || arc->kind == LC_SCENE_ARC_ORDER;

  if (arc->flags & (LC_MARK_DIM | LC_MARK_CHOSEN))
    return arc->flags & LC_MARK_CHOSEN ? RANK_CHOSEN : RANK_DIM;
  return can_cost && arc->waited == 0 && n_drawn > MANY_ARCS ? RANK_FREE : RANK_USUAL;
}

static void
paint_track (const LcDiagramPainter *painter, const GArray *drawn, LcStroke stroke, guint track, ArcRank rank)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (LcLine));
  gboolean has_heads = drawn->len <= MOST_HEADS;

  for (guint i = 0; i < drawn->len; i++)
    {
      const LcDiagramArc *arc = &g_array_index (drawn, LcDiagramArc, i);

      if (arc->arc->track != track || get_rank (arc->arc, drawn->len) != rank)
        continue;
      g_array_append_val (lines, arc->line);
      if (has_heads && arc->arc->kind != LC_SCENE_ARC_GROUP && arc->arc->kind != LC_SCENE_ARC_LINK)
        diagram_arcs_paint_head (painter, stroke.color, &arc->line);
    }
  lc_diagram_paint_lines (painter, stroke, lines);
}

static void
paint_arcs_of (const LcDiagramPainter *painter, LcSceneArcKind kind)
{
  static const double strengths[RANKS] = {[RANK_DIM] = 0.15, [RANK_FREE] = 0.3, [RANK_USUAL] = 1, [RANK_CHOSEN] = 1};
  gsize n_hidden;
  g_autoptr (GArray) drawn = lc_diagram_list_arcs (painter->scene, painter->view, kind, &n_hidden);
  LcStroke usual = lc_diagram_get_arc_stroke (painter->canvas, kind, drawn->len);

  if (painter->query->selection.highlight.kind == LC_HIGHLIGHT_CRITICAL_PATH)
    usual.color.alpha *= BESIDE_PATH;
  for (guint track = 0; track < painter->view->n_tracks; track++)
    for (ArcRank rank = 0; rank < RANKS; rank++)
      {
        LcStroke stroke = usual;

        if (rank == RANK_CHOSEN)
          {
            stroke.color.alpha = 1;
            stroke.width *= CHOSEN_WIDTH;
          }
        stroke.color.alpha *=
            strengths[rank] * (kind == LC_SCENE_ARC_LINK ? 1 : lc_diagram_get_strength (painter, track));
        paint_track (painter, drawn, stroke, track, rank);
      }
}

void
lc_diagram_paint_arcs (const LcDiagramPainter *painter)
{
  static const LcSceneArcKind kinds[] = {LC_SCENE_ARC_LINK, LC_SCENE_ARC_GROUP, LC_SCENE_ARC_ORDER, LC_SCENE_ARC_DATA,
                                         LC_SCENE_ARC_BLOCKED};

  lc_canvas_begin (painter->canvas, "arcs", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (!lc_diagram_hides (painter->view, LC_DIAGRAM_DATA + kinds[i]))
      paint_arcs_of (painter, kinds[i]);
  lc_canvas_end (painter->canvas);
}

/* --- The critical path -------------------------------------------------------------------------------------------- */

static int
diagram_arcs_compare_arcs (gconstpointer a, gconstpointer b)
{
  const LcSceneArc *first = *(const LcSceneArc *const *)a, *second = *(const LcSceneArc *const *)b;

  return first->to < second->to ? -1 : first->to > second->to;
}

static void
diagram_arcs_add_segment (const LcDiagramPainter *painter, GArray *lines, guint32 row, guint track, double from,
                          double to)
{
  const LcDiagramView *view = painter->view;
  double lane = lc_diagram_get_lane (view, row, track), shift = lc_diagram_get_shift (view);
  LcPlace start = lc_diagram_get_place (view, lane, CLAMP (from + shift, view->from, view->to));
  LcPlace end = lc_diagram_get_place (view, lane, CLAMP (to + shift, view->from, view->to));
  LcLine line = {start.x, start.y, end.x, end.y};

  if (to > from)
    g_array_append_val (lines, line);
}

/* Adds the parts of the path that lie in a process: between two arcs, before the first and after the last one. */
static void
add_segments (const LcDiagramPainter *painter, GArray *lines, const GPtrArray *arcs)
{
  for (guint i = 0; i <= arcs->len; i++)
    {
      const LcSceneArc *last = i > 0 ? arcs->pdata[i - 1] : NULL, *next = i < arcs->len ? arcs->pdata[i] : NULL;

      if (last != NULL && next != NULL && last->to_row != next->from_row)
        continue;
      if (last != NULL || next != NULL)
        diagram_arcs_add_segment (painter, lines, last != NULL ? last->to_row : next->from_row,
                                  last != NULL ? last->track : next->track,
                                  last != NULL ? (double)last->to : (double)painter->query->from,
                                  next != NULL ? (double)next->from : (double)painter->query->to);
    }
}

void
lc_diagram_paint_path (const LcDiagramPainter *painter)
{
  gsize n_arcs;
  const LcSceneArc *arcs = lc_scene_get_arcs (painter->scene, &n_arcs);
  g_autoptr (GPtrArray) path = g_ptr_array_new ();
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (LcLine));

  for (gsize i = 0; i < n_arcs; i++)
    if (arcs[i].kind == LC_SCENE_ARC_CRITICAL)
      g_ptr_array_add (path, (gpointer)&arcs[i]);
  if (path->len == 0 || lc_diagram_hides (painter->view, LC_DIAGRAM_CRITICAL))
    return;
  g_ptr_array_sort (path, diagram_arcs_compare_arcs);
  add_segments (painter, lines, path);
  for (guint i = 0; i < path->len; i++)
    {
      LcLine line = lc_diagram_get_arc_line (painter->view, path->pdata[i]);

      if (can_be_seen (painter->view, &line))
        g_array_append_val (lines, line);
    }
  lc_canvas_begin (painter->canvas, "critical path", NULL);
  lc_diagram_paint_lines (painter, lc_diagram_get_arc_stroke (painter->canvas, LC_SCENE_ARC_CRITICAL, path->len),
                          lines);
  lc_canvas_end (painter->canvas);
}
