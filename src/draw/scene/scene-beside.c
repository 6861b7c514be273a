/* SPDX-License-Identifier: Apache-2.0 */
/* Events that are shown, on other timelines: links to the same event on the second track, and bounds of their ends. */
#include "scene-private.h"

/* --- Links between the tracks ---------------------------------------------------------------------------------- */

static int
compare_origins (gconstpointer a, gconstpointer b)
{
  const LcHistoryEvent *one = *(const LcHistoryEvent *const *)a, *other = *(const LcHistoryEvent *const *)b;

  if (one->origin_process != other->origin_process)
    return one->origin_process < other->origin_process ? -1 : 1;
  return one->origin_ordinal < other->origin_ordinal ? -1 : one->origin_ordinal > other->origin_ordinal;
}

static GPtrArray *
sort_by_origin (const LcSceneTrack *track)
{
  GPtrArray *events = g_ptr_array_sized_new (track->events->len);

  for (guint i = 0; i < track->events->len; i++)
    g_ptr_array_add (events, &g_array_index (track->events, LcHistoryEvent, i));
  g_ptr_array_sort (events, compare_origins);
  return events;
}

static void
scene_beside_add_link (LcSceneLayout *layout, const LcHistoryEvent *from, const LcHistoryEvent *to)
{
  const LcSceneArc arc = {.from = from->end,
                          .to = to->end,
                          .from_ordinal = from->ordinal,
                          .to_ordinal = to->ordinal,
                          .from_row = layout->rows[from->process],
                          .to_row = layout->rows[to->process],
                          .from_process = from->process,
                          .to_process = to->process,
                          .object = from->object,
                          .rule = G_MAXUINT16,
                          .kind = LC_SCENE_ARC_LINK};

  g_array_append_val (layout->arcs, arc);
}

void
lc_scene_add_links (LcSceneLayout *layout)
{
  g_autoptr (GPtrArray) here = sort_by_origin (&layout->tracks[0]), there = sort_by_origin (&layout->tracks[1]);
  guint i = 0, k = 0;

  while (i < here->len && k < there->len)
    {
      int order = compare_origins (&here->pdata[i], &there->pdata[k]);

      if (order == 0)
        scene_beside_add_link (layout, here->pdata[i], there->pdata[k]);
      i += order <= 0;
      k += order >= 0;
    }
}

/* --- Bounds ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcSceneLayout *layout;
  LcHistoryWalk *lowest;
  LcHistoryWalk *highest;
} Bounding;

/* Finds the end of the same event on a timeline. The event has another name there if the timeline has an order of its
 * own. */
static gboolean
scene_beside_find_end (const Bounding *bounding, LcHistoryWalk *walk, guint32 timeline, const LcHistoryEvent *event,
                       guint64 *end, GError **error)
{
  guint32 process;
  guint64 ordinal;

  return lc_history_locate (bounding->layout->history, timeline, event->origin_process, event->origin_ordinal, &process,
                            &ordinal, error) &&
         lc_history_walk_get_time (walk, process, ordinal, LC_POINT_END, end, error);
}

static gboolean
add_bound (const Bounding *bounding, const LcHistoryEvent *event, GError **error)
{
  LcSceneLayout *layout = bounding->layout;
  guint64 lowest, highest;
  LcMark mark = {.ordinal = event->ordinal,
                 .row = layout->rows[event->process],
                 .n_rows = 1,
                 .process = event->process,
                 .object = event->object,
                 .operation = event->operation,
                 .kind = LC_MARK_BOUNDS};

  if (!scene_beside_find_end (bounding, bounding->lowest, layout->query->selection.lowest, event, &lowest, error) ||
      !scene_beside_find_end (bounding, bounding->highest, layout->query->selection.highest, event, &highest, error))
    return FALSE;
  mark.from = mark.released = MIN (lowest, highest);
  mark.to = MAX (lowest, highest);
  g_array_append_val (layout->marks, mark);
  return TRUE;
}

static gboolean
add_all_bounds (const Bounding *bounding, GError **error)
{
  const LcSceneTrack *track = &bounding->layout->tracks[0];

  if (bounding->lowest == NULL || bounding->highest == NULL)
    return FALSE;
  for (guint i = 0; i < track->events->len; i++)
    if (!add_bound (bounding, &g_array_index (track->events, LcHistoryEvent, i), error))
      return FALSE;
  return TRUE;
}

static LcHistoryWalk *
open_walk (const LcSceneLayout *layout, guint32 timeline, GError **error)
{
  return lc_history_walk_new (layout->history, timeline, LC_WALK_TIMES, layout->cancellable, error);
}

gboolean
lc_scene_add_bounds (LcSceneLayout *layout, GError **error)
{
  Bounding bounding = {.layout = layout};
  gboolean good;

  if (layout->query->selection.lowest == LC_TRACE_NONE || layout->query->selection.highest == LC_TRACE_NONE)
    return TRUE;
  bounding.lowest = open_walk (layout, layout->query->selection.lowest, error);
  bounding.highest = bounding.lowest != NULL ? open_walk (layout, layout->query->selection.highest, error) : NULL;
  good = add_all_bounds (&bounding, error);
  lc_history_walk_free (bounding.highest);
  lc_history_walk_free (bounding.lowest);
  return good;
}
