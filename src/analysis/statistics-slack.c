/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of slack: sums by what events have in common, and what is nearest to being critical. */
#include "lightcone/slack-statistics.h"

/* --- Sums ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcSlackBy by;
  LcSiteGroups *sites;
  guint64 most;
  GArray *groups;    /* LcSlackStatistics */
  GHashTable *by_id; /* number to index in `groups`, plus 1 */
} SlackSums;

static guint32
statistics_slack_find_number (const SlackSums *sums, const LcHistoryEvent *event)
{
  switch (sums->by)
    {
    case LC_SLACK_BY_OBJECT:
      return event->object;
    case LC_SLACK_BY_OPERATION:
      return event->operation;
    case LC_SLACK_BY_SITE:
      return lc_site_groups_find (sums->sites, event->stack);
    case LC_SLACK_BY_PROCESS:
    default:
      return event->process;
    }
}

/* Gives the group of a number, until the next call. */
static LcSlackStatistics *
statistics_slack_get_group (SlackSums *sums, guint32 number)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (sums->by_id, GUINT_TO_POINTER (number)));

  if (place == 0)
    {
      const LcSlackStatistics fresh = {.number = number};

      g_array_append_val (sums->groups, fresh);
      place = sums->groups->len;
      g_hash_table_insert (sums->by_id, GUINT_TO_POINTER (number), GUINT_TO_POINTER (place));
    }
  return &g_array_index (sums->groups, LcSlackStatistics, place - 1);
}

/* Of equal slacks the first event counts, though the pass gives later layers first. */
static gboolean
statistics_slack_is_least (const LcSlackStatistics *group, const LcEventSlack *slack)
{
  const LcHistoryEvent *event = &slack->event;

  if (group->least == 0 || slack->slack != group->least)
    return group->least == 0 || slack->slack < group->least;
  return event->process != group->least_process ? event->process < group->least_process
                                                : event->ordinal < group->least_ordinal;
}

static void
statistics_slack_add (SlackSums *sums, const LcEventSlack *slack)
{
  LcSlackStatistics *group = statistics_slack_get_group (sums, statistics_slack_find_number (sums, &slack->event));
  guint range = 0;

  group->events++;
  group->near += slack->slack <= sums->most;
  if (slack->slack == 0)
    {
      group->critical++;
      return;
    }
  group->slack += MIN (slack->slack, G_MAXUINT64 - group->slack);
  for (guint64 below = 1000; range < LC_SLACK_RANGES - 1 && slack->slack >= below; below *= 10)
    range++;
  group->ranges[range]++;
  if (statistics_slack_is_least (group, slack))
    {
      group->least = slack->slack;
      group->least_process = slack->event.process;
      group->least_ordinal = slack->event.ordinal;
    }
}

static int
statistics_slack_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const LcSlackStatistics *one = a, *other = b;
  const SlackSums *sums = data;

  if (sums->by != LC_SLACK_BY_PROCESS && one->critical != other->critical)
    return one->critical > other->critical ? -1 : 1;
  if (sums->by != LC_SLACK_BY_PROCESS && one->near != other->near)
    return one->near > other->near ? -1 : 1;
  return one->number < other->number ? -1 : one->number > other->number;
}

GArray *
lc_statistics_slack (LcHistory *history, guint32 timeline, LcSlackBy by, LcSiteGroups *groups, guint64 most,
                     GCancellable *cancellable, GError **error)
{
  g_autoptr (LcSlackPass) pass = lc_slack_pass_new (history, timeline, cancellable, error);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LcSlackStatistics));
  g_autoptr (GHashTable) by_id = g_hash_table_new (NULL, NULL);
  SlackSums sums = {by, groups, most, found, by_id};
  const LcEventSlack *slack;

  g_return_val_if_fail (by != LC_SLACK_BY_SITE || groups != NULL, NULL);
  if (pass == NULL || !lc_history_read_places (history, error))
    return NULL;
  do
    {
      if (!lc_slack_pass_next (pass, &slack, error))
        return NULL;
      if (slack != NULL)
        statistics_slack_add (&sums, slack);
    }
  while (slack != NULL);
  g_array_sort_with_data (found, statistics_slack_compare, &sums);
  return g_steal_pointer (&found);
}

/* --- The least ----------------------------------------------------------------------------------------------- */

static int
statistics_slack_compare_near (gconstpointer a, gconstpointer b)
{
  const LcNearEvent *one = a, *other = b;

  if (one->slack != other->slack)
    return one->slack < other->slack ? -1 : 1;
  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  if (one->ordinal != other->ordinal)
    return one->ordinal < other->ordinal ? -1 : 1;
  if (one->from_process != other->from_process)
    return one->from_process < other->from_process ? -1 : 1;
  if (one->from_ordinal != other->from_ordinal)
    return one->from_ordinal < other->from_ordinal ? -1 : 1;
  return (one->from_point > other->from_point) - (one->from_point < other->from_point);
}

/* Puts the last of the heap, which has its greatest at the top, where it belongs from `place` on. */
static void
statistics_slack_sift (GArray *heap, guint place)
{
  LcNearEvent *events = (LcNearEvent *)(void *)heap->data;
  const LcNearEvent moved = events[place];
  guint child;

  while ((child = 2 * place + 1) < heap->len)
    {
      if (child + 1 < heap->len && statistics_slack_compare_near (&events[child + 1], &events[child]) > 0)
        child++;
      if (statistics_slack_compare_near (&events[child], &moved) <= 0)
        break;
      events[place] = events[child];
      place = child;
    }
  events[place] = moved;
}

/* Keeps at most `limit`: once there are as many, the greatest makes room. */
static void
statistics_slack_keep (GArray *heap, gsize limit, const LcNearEvent *near)
{
  if (heap->len < limit)
    {
      g_array_append_vals (heap, near, 1);
      if (heap->len == limit)
        for (guint i = heap->len / 2; i > 0; i--)
          statistics_slack_sift (heap, i - 1);
    }
  else if (limit > 0 && statistics_slack_compare_near (near, &g_array_index (heap, LcNearEvent, 0)) < 0)
    {
      g_array_index (heap, LcNearEvent, 0) = *near;
      statistics_slack_sift (heap, 0);
    }
}

static void
statistics_slack_keep_arcs (GArray *heap, gsize limit, guint64 most, const LcEventSlack *slack, LcNearEvent near)
{
  for (guint i = 0; i < slack->event.n_arcs; i++)
    {
      near.slack = slack->arc_slacks[i];
      near.from_process = slack->arcs[i].process;
      near.from_ordinal = slack->arcs[i].ordinal;
      near.from_point = slack->arcs[i].point;
      if (near.slack > 0 && near.slack <= most)
        statistics_slack_keep (heap, limit, &near);
    }
}

GArray *
lc_statistics_least_slack (LcHistory *history, guint32 timeline, gboolean arcs, guint64 most, gsize limit,
                           GCancellable *cancellable, GError **error)
{
  g_autoptr (LcSlackPass) pass = lc_slack_pass_new (history, timeline, cancellable, error);
  g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (LcNearEvent));
  const LcEventSlack *slack;

  if (pass == NULL)
    return NULL;
  do
    {
      LcNearEvent near = {.from_process = LC_TRACE_NONE};

      if (!lc_slack_pass_next (pass, &slack, error))
        return NULL;
      if (slack == NULL)
        break;
      near.slack = slack->slack;
      near.process = slack->event.process;
      near.ordinal = slack->event.ordinal;
      near.begin = slack->event.begin;
      near.end = slack->event.end;
      near.object = slack->event.object;
      near.stack = slack->event.stack;
      near.operation = slack->event.operation;
      if (arcs)
        statistics_slack_keep_arcs (heap, limit, most, slack, near);
      else if (near.slack > 0 && near.slack <= most)
        statistics_slack_keep (heap, limit, &near);
    }
  while (slack != NULL);
  g_array_sort (heap, statistics_slack_compare_near);
  return g_steal_pointer (&heap);
}
