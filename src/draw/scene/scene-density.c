/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of arcs that are drawn one by one, and the counts of the others. */
#include "scene-private.h"

enum
{
  MOST_PARTS = 512,
};

static guint64
scene_density_length_of (const LcSceneArc *arc)
{
  return MAX (arc->from, arc->to) - MIN (arc->from, arc->to);
}

static guint32
scene_density_breadth_of (const LcSceneArc *arc)
{
  return MAX (arc->from_row, arc->to_row) - MIN (arc->from_row, arc->to_row);
}

#define COMPARE(a, b) \
  do \
    if ((a) != (b)) \
      return (a) < (b) ? -1 : 1; \
  while (0)

/* What cost most waiting comes first, and data before order. The order is total, so that it is always the same. */
static int
scene_density_compare_arcs (gconstpointer a, gconstpointer b)
{
  const LcSceneArc *one = a, *other = b;

  COMPARE (other->waited, one->waited);
  COMPARE (one->kind == LC_SCENE_ARC_ORDER, other->kind == LC_SCENE_ARC_ORDER);
  COMPARE (scene_density_length_of (other), scene_density_length_of (one));
  COMPARE (scene_density_breadth_of (other), scene_density_breadth_of (one));
  COMPARE (one->to, other->to);
  COMPARE (one->to_row, other->to_row);
  COMPARE (one->to_ordinal, other->to_ordinal);
  COMPARE (one->from_row, other->from_row);
  COMPARE (one->from_ordinal, other->from_ordinal);
  COMPARE (one->kind, other->kind);
  COMPARE (one->rule, other->rule);
  return 0;
}

/* Counts an arc in each gap between two rows that it crosses, at the place where it crosses. */
static void
count_arc (LcScene *scene, const LcSceneArc *arc)
{
  guint32 first = MIN (arc->from_row, arc->to_row), last = MAX (arc->from_row, arc->to_row);
  double from = (double)scene->query.from, length = (double)(scene->query.to - scene->query.from);
  double begin = (double)arc->from - from, slope;

  if (first == last)
    return;
  slope = ((double)arc->to - (double)arc->from) / ((double)arc->to_row - (double)arc->from_row);
  for (guint32 row = first; row < last; row++)
    {
      double part = (begin + slope * ((double)row + 0.5 - (double)arc->from_row)) * scene->n_parts / length;

      if (part >= 0 && part < scene->n_parts)
        scene->density[(gsize)row * scene->n_parts + (gsize)part]++;
    }
}

static void
begin_density (LcScene *scene)
{
  if (scene->density != NULL || scene->n_rows < 2)
    return;
  scene->n_parts = (guint)MIN (MOST_PARTS, scene->query.to - scene->query.from);
  if (scene->query.length > 0)
    scene->n_parts = MIN (scene->n_parts, scene->query.length);
  scene->density = g_new0 (guint32, (gsize)(scene->n_rows - 1) * scene->n_parts);
}

/* Links lie between the two tracks of one row, and the critical path has been simplified enough already. */
static gboolean
is_counted (const LcSceneArc *arc)
{
  return arc->kind != LC_SCENE_ARC_LINK && arc->kind != LC_SCENE_ARC_CRITICAL;
}

void
lc_scene_choose_arcs (LcSceneLayout *layout)
{
  LcScene *scene = layout->scene;
  LcSceneArc *arcs = (LcSceneArc *)(void *)layout->arcs->data;
  gsize counts[LC_SCENE_ARCS] = {0};
  guint n = 0;

  g_array_sort (layout->arcs, scene_density_compare_arcs);
  for (guint i = 0; i < layout->arcs->len; i++)
    {
      LcSceneArcKind kind = arcs[i].kind == LC_SCENE_ARC_ORDER ? LC_SCENE_ARC_DATA : arcs[i].kind;
      gboolean kept = kind == LC_SCENE_ARC_CRITICAL || kind == LC_SCENE_ARC_BLOCKED ||
                      arcs[i].flags & (LC_MARK_CHOSEN | LC_MARK_CRITICAL);

      if (kept || counts[kind] < layout->most_arcs)
        {
          counts[kind] += !kept;
          arcs[n++] = arcs[i];
        }
      else if (is_counted (&arcs[i]) && scene_density_breadth_of (&arcs[i]) > 0)
        {
          begin_density (scene);
          count_arc (scene, &arcs[i]);
        }
    }
  g_array_set_size (layout->arcs, n);
  scene->arcs = g_steal_pointer (&layout->arcs);
}
