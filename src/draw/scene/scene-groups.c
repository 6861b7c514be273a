/* SPDX-License-Identifier: Apache-2.0 */
/* Arcs of groups: each joins the members of a barrier at the time when the last of them has come. */
#include "scene-private.h"

static int
compare_members (gconstpointer a, gconstpointer b)
{
  const LcHistoryEvent *one = *(const LcHistoryEvent *const *)a, *other = *(const LcHistoryEvent *const *)b;

  if (one->object != other->object)
    return one->object < other->object ? -1 : 1;
  if (one->sequence != other->sequence)
    return one->sequence < other->sequence ? -1 : 1;
  if (one->layer != other->layer)
    return one->layer < other->layer ? -1 : 1;
  return one->operation < other->operation ? -1 : one->operation > other->operation;
}

/* The place where a member went on. No member went on before all had come. */
static guint64
scene_groups_find_place (const LcSceneLayout *layout, const LcHistoryEvent *event)
{
  guint32 phase = 0;

  if (!lc_scene_is_physical (layout->query))
    return lc_scene_place_of (layout, event, &phase);
  return event->begin + MIN (event->waited, event->end - event->begin);
}

static void
add_group (LcSceneLayout *layout, const LcHistoryEvent *const *members, guint n)
{
  LcSceneArc arc = {.from_row = LC_TRACE_NONE,
                    .object = members[0]->object,
                    .rule = G_MAXUINT16,
                    .kind = LC_SCENE_ARC_GROUP,
                    .flags = LC_MARK_GROUP};

  for (guint i = 0; i < n; i++)
    {
      guint32 row = layout->rows[members[i]->process];

      if (arc.from_row == LC_TRACE_NONE || row < arc.from_row)
        {
          arc.from_row = row;
          arc.from_process = members[i]->process;
          arc.from_ordinal = members[i]->ordinal;
        }
      if (i == 0 || row > arc.to_row)
        {
          arc.to_row = row;
          arc.to_process = members[i]->process;
          arc.to_ordinal = members[i]->ordinal;
        }
      arc.from = MAX (arc.from, scene_groups_find_place (layout, members[i]));
    }
  arc.to = arc.from;
  if (arc.from_row < arc.to_row && arc.from >= layout->query->from && arc.from < layout->before)
    g_array_append_val (layout->arcs, arc);
}

static void
scene_groups_add_members (GPtrArray *members, GArray *events)
{
  for (guint i = 0; i < events->len; i++)
    {
      LcHistoryEvent *event = &g_array_index (events, LcHistoryEvent, i);

      if (event->flags & LC_HISTORY_EVENT_GROUP)
        g_ptr_array_add (members, event);
    }
}

gboolean
lc_scene_add_groups (LcSceneLayout *layout, GArray *joined, GError **error)
{
  g_autoptr (GPtrArray) members = g_ptr_array_new ();

  scene_groups_add_members (members, layout->tracks[0].events);
  scene_groups_add_members (members, joined);
  g_ptr_array_sort (members, compare_members);
  for (guint begin = 0, end; begin < members->len; begin = end)
    {
      for (end = begin + 1; end < members->len && compare_members (&members->pdata[begin], &members->pdata[end]) == 0;)
        end++;
      add_group (layout, (const LcHistoryEvent *const *)(void *)&members->pdata[begin], end - begin);
    }
  return !g_cancellable_set_error_if_cancelled (layout->cancellable, error);
}
