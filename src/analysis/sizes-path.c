/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of a run, by its parts. */
#include "lightcone/critical-path.h"
#include "sizes-private.h"

typedef struct
{
  LcSizesAdding *adding;
  guint64 begin;     /* of the run */
  guint64 computing; /* since the last event */
  guint64 sum;
} Path;

static void
sizes_add_piece (Path *path, const LcHistoryEvent *event, guint64 time)
{
  LcSizesAmount *amount = lc_sizes_get_amount (path->adding, event);

  amount->path_visits++;
  amount->path += time;
  path->sum += time;
}

/* The computing before a hop belongs to the event that released another process at its begin. */
static gboolean
sizes_add_released (Path *path, const LcCriticalStay *stay)
{
  LcHistoryEvent event;

  if (path->computing == 0 || stay->from_process == LC_TRACE_NONE)
    return TRUE;
  if (!lc_history_walk_get (path->adding->walk, stay->from_process, stay->from_ordinal, &event, NULL,
                            &path->adding->error))
    return FALSE;
  sizes_add_piece (path, &event, path->computing);
  path->computing = 0;
  return TRUE;
}

static gboolean
sizes_visit_segment (const LcCriticalSegment *segment, gpointer data)
{
  Path *path = data;
  const guint64 begin = MAX (segment->begin, path->begin), end = MAX (segment->end, begin);
  guint64 preempted = 0;

  if (segment->part == LC_CRITICAL_COMPUTING)
    {
      if (!lc_preempted_sum (path->adding->preempted, segment->process, begin, end, &preempted, &path->adding->error))
        return FALSE;
      path->computing += end - begin - MIN (preempted, end - begin);
      return TRUE;
    }
  if (segment->part == LC_CRITICAL_HOP && !sizes_add_released (path, segment->stay))
    return FALSE;
  if (segment->part == LC_CRITICAL_EVENT)
    preempted = MIN (segment->event->preempted, end - begin);
  sizes_add_piece (path, segment->event, path->computing + end - begin - preempted);
  path->computing = 0;
  return TRUE;
}

/* Without preemption another chain may be the longest. The parts of the one that was are made as long as that is. */
static void
sizes_scale_path (LcSizes *sizes, guint64 sum, guint64 span)
{
  const guint run = sizes->runs->len;

  for (guint i = 0; i < sizes->parts->len && sum != span; i++)
    {
      const LcSizesPart *part = g_ptr_array_index (sizes->parts, i);

      if (part->amounts->len > run)
        {
          LcSizesAmount *amount = &g_array_index (part->amounts, LcSizesAmount, run);

          amount->path = (guint64)((double)amount->path * (double)span / (double)MAX (sum, 1) + 0.5);
        }
    }
}

gboolean
lc_sizes_add_path (LcSizesAdding *adding, guint64 span, GCancellable *cancellable)
{
  g_autoptr (LcCriticalPath) path =
      lc_critical_path_find (adding->history, adding->timeline, cancellable, &adding->error);
  Path visited = {.adding = adding};
  guint64 end;

  if (path == NULL)
    return FALSE;
  lc_history_get_span (adding->history, &visited.begin, &end);
  if (!lc_critical_path_visit (path, sizes_visit_segment, &visited, cancellable,
                               adding->error == NULL ? &adding->error : NULL) ||
      adding->error != NULL)
    return FALSE;
  sizes_scale_path (adding->sizes, visited.sum, span);
  return TRUE;
}
