/* SPDX-License-Identifier: Apache-2.0 */
/* Visits the critical path from its begin to its end, segment by segment. */
#include "path.h"

typedef struct
{
  LcHistoryWalk *events;
  LcCriticalVisit visit;
  gpointer data;
  guint64 time; /* end of the last segment */
} Telling;

/* Visits a segment that lasts until `end`, or is empty if that has passed: each nanosecond is visited once. FALSE: the
 * visitor wants no more. */
static gboolean
path_visit_tell (Telling *telling, const LcCriticalStay *stay, LcCriticalPart part, const LcHistoryEvent *event,
                 guint64 end)
{
  LcCriticalSegment segment = {part, stay->process, telling->time, MAX (telling->time, end), event, stay};

  if (part == LC_CRITICAL_COMPUTING && segment.end == segment.begin)
    return TRUE;
  telling->time = segment.end;
  return telling->visit (&segment, telling->data);
}

/* Sets `more` to FALSE when the visitor wants no more. */
static gboolean
tell_stay (Telling *telling, const LcCriticalStay *stay, gboolean *more, GError **error)
{
  LcHistoryEvent event;

  if (stay->released != LC_CRITICAL_NONE)
    {
      if (!lc_history_walk_get (telling->events, stay->process, stay->released, &event, NULL, error))
        return FALSE;
      *more = path_visit_tell (telling, stay, LC_CRITICAL_HOP, &event, stay->begin);
    }
  for (guint64 i = stay->first; i < stay->last && *more; i++)
    {
      if (!lc_history_walk_get (telling->events, stay->process, i, &event, NULL, error))
        return FALSE;
      *more = path_visit_tell (telling, stay, LC_CRITICAL_COMPUTING, NULL, MIN (event.begin, stay->end)) &&
              path_visit_tell (telling, stay, LC_CRITICAL_EVENT, &event, MIN (event.end, stay->end));
    }
  if (*more)
    *more = path_visit_tell (telling, stay, LC_CRITICAL_COMPUTING, NULL, stay->end);
  return TRUE;
}

gboolean
lc_critical_path_visit (LcCriticalPath *path, LcCriticalVisit visit, gpointer data, GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (LcHistoryWalk) events =
      lc_history_walk_new (path->history, path->timeline, LC_WALK_ALL, cancellable, error);
  Telling telling = {events, visit, data, path->summary.begin};
  gboolean more = TRUE;

  if (events == NULL)
    return FALSE;
  for (guint i = 0; i < path->stays->len && more; i++)
    if (!tell_stay (&telling, &g_array_index (path->stays, LcCriticalStay, i), &more, error))
      return FALSE;
  return TRUE;
}
