/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the last point that an event had to come after, on any timeline. */
#include "basis.h"

struct _LcBasisFinder
{
  LcHistory *history;
  LcHistoryWalk *events;
  GCancellable *cancellable;
  guint32 timeline;
  guint8 *is_start; /* by operation: begins a process that another process has made */
};

static guint8 *
basis_find_starts (const LcHistory *history)
{
  guint32 n = lc_history_get_n_operations (history);
  guint8 *starts = g_new0 (guint8, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      starts[i] = operation != NULL && g_strcmp0 (operation->class_name, "thread") == 0;
    }
  return starts;
}

LcBasisFinder *
lc_basis_finder_new (LcHistory *history, guint32 timeline, LcHistoryWalk *events, GCancellable *cancellable)
{
  LcBasisFinder *finder = g_new0 (LcBasisFinder, 1);

  finder->history = history;
  finder->events = events;
  finder->cancellable = cancellable;
  finder->timeline = timeline;
  finder->is_start = basis_find_starts (history);
  return finder;
}

void
lc_basis_finder_free (LcBasisFinder *finder)
{
  if (finder == NULL)
    return;
  g_free (finder->is_start);
  g_free (finder);
}

/* Takes a point of another process if it is after `basis`, or if there is none yet. */
static gboolean
basis_consider (const LcBasisFinder *finder, const LcHistoryEvent *event, const LcHistoryArcEnd *from, LcBasis *basis,
                GError **error)
{
  guint64 time;

  if (from->process == event->process)
    return TRUE;
  if (!lc_history_walk_get_time (finder->events, from->process, from->ordinal, from->point, &time, error))
    return FALSE;
  if (basis->process == LC_TRACE_NONE || time > basis->time)
    *basis = (LcBasis){from->process, from->point, from->ordinal, time};
  return TRUE;
}

/* The last member of a group depends on the timeline, so all members are compared. */
static gboolean
consider_group (const LcBasisFinder *finder, const LcHistoryEvent *event, LcBasis *basis, GError **error)
{
  g_autoptr (GArray) members = NULL;

  if (!lc_history_find_by_key (finder->history, finder->timeline, event->object, event->sequence, G_MAXSIZE,
                               finder->cancellable, &members, error))
    return FALSE;
  for (guint i = 0; i < members->len; i++)
    {
      const LcHistoryEvent *member = &g_array_index (members, LcHistoryEvent, i);

      if (member->process != event->process && member->layer == event->layer && member->operation == event->operation &&
          (basis->process == LC_TRACE_NONE || member->begin > basis->time))
        *basis = (LcBasis){member->process, LC_POINT_BEGIN, member->ordinal, member->begin};
    }
  return TRUE;
}

gboolean
lc_basis_find (const LcBasisFinder *finder, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, LcBasis *basis,
               GError **error)
{
  gboolean is_first = event->ordinal == 0 && finder->is_start[event->operation];
  gboolean is_measured = finder->timeline == LC_TIMELINE_MEASURED;

  *basis = (LcBasis){.process = LC_TRACE_NONE};
  if (is_measured && event->basis >= 0)
    return basis_consider (finder, event, &arcs[event->basis], basis, error);
  if (is_measured && !is_first)
    return TRUE;
  for (guint32 i = 0; i < event->n_arcs; i++)
    if (!basis_consider (finder, event, &arcs[i], basis, error))
      return FALSE;
  if (event->flags & LC_HISTORY_EVENT_GROUP && !consider_group (finder, event, basis, error))
    return FALSE;
  if (!is_first && basis->process != LC_TRACE_NONE && basis->time <= event->begin)
    basis->process = LC_TRACE_NONE;
  return TRUE;
}
