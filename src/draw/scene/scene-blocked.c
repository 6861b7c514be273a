/* SPDX-License-Identifier: Apache-2.0 */
/* Arcs of deadlocks: from an operation that never ended to the process that keeps what the operation waits for, or to
 * the rank that has not sent, received or come. */
#include "scene-private.h"

/* Lists, as LcHoldingSpan, what the processes that are shown never gave back. */
static gboolean
list_kept (const LcSceneLayout *layout, GArray **spans, GError **error)
{
  LcWindow window = lc_scene_get_window (layout, &layout->tracks[0]);

  window.axis = LC_AXIS_TIME;
  window.from = G_MAXINT64 - 1;
  window.to = G_MAXINT64;
  return lc_history_list_holding (layout->history, &window, G_MAXSIZE, layout->cancellable, spans, error);
}

/* Sets the end of an arc to the process that keeps an object, and the event that took it. An object that is a process
 * is kept by itself; its last event is taken. */
static gboolean
find_keeper (const LcSceneLayout *layout, const GArray *kept, guint32 number, LcSceneArc *arc, GError **error)
{
  LcHistoryObject object;
  guint32 process;

  if (!lc_history_get_object (layout->history, number, &object, error))
    return FALSE;
  process = object.process;
  lc_history_object_clear (&object);
  if (process != LC_TRACE_NONE && layout->rows[process] != LC_TRACE_NONE)
    {
      guint64 events = layout->tracks[0].members[layout->members[process]].events;

      arc->to_process = process;
      arc->to_row = layout->rows[process];
      arc->to_ordinal = events - MIN (events, 1);
    }
  for (guint i = 0; process == LC_TRACE_NONE && i < kept->len && arc->to_row == LC_TRACE_NONE; i++)
    {
      const LcHoldingSpan *span = &g_array_index (kept, LcHoldingSpan, i);

      if (span->object != number || span->end != G_MAXUINT64)
        continue;
      arc->to_process = span->process;
      arc->to_row = layout->rows[span->process];
      arc->to_ordinal = span->begin_ordinal;
    }
  return TRUE;
}

/* A rank is waited for on all timelines: its last event is taken. */
static void
scene_blocked_find_rank (const LcSceneLayout *layout, const LcDeadlocks *deadlocks, LcSceneArc *arc)
{
  for (guint i = 0; deadlocks != NULL && i < deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (deadlocks->blocked, LcBlocked, i);
      guint64 events;

      if (blocked->process != arc->from_process || blocked->reason == LC_BLOCKED_FOR_HOLDER ||
          layout->rows[blocked->holder] == LC_TRACE_NONE)
        continue;
      events = layout->tracks[0].members[layout->members[blocked->holder]].events;
      arc->to_process = blocked->holder;
      arc->to_row = layout->rows[blocked->holder];
      arc->to_ordinal = events - MIN (events, 1);
    }
}

static gboolean
scene_blocked_add_arc (LcSceneLayout *layout, const GArray *kept, const LcDeadlocks *deadlocks, const LcMark *pending,
                       GError **error)
{
  LcSceneArc arc = {.from = pending->from,
                    .to = pending->to,
                    .from_ordinal = pending->ordinal,
                    .from_row = layout->rows[pending->process],
                    .from_process = pending->process,
                    .to_row = LC_TRACE_NONE,
                    .object = pending->object,
                    .kind = LC_SCENE_ARC_BLOCKED};

  if (!find_keeper (layout, kept, pending->object, &arc, error))
    return FALSE;
  if (arc.to_row == LC_TRACE_NONE)
    scene_blocked_find_rank (layout, deadlocks, &arc);
  if (arc.to_row != LC_TRACE_NONE && arc.to_row != arc.from_row)
    g_array_append_val (layout->arcs, arc);
  return TRUE;
}

static gboolean
scene_blocked_is_of_rank (const LcSceneLayout *layout, const LcMark *pending)
{
  return lc_history_get_process (layout->history, pending->process)->rank != LC_TRACE_NONE;
}

gboolean
lc_scene_add_blocked (LcSceneLayout *layout, GError **error)
{
  g_autoptr (GArray) kept = NULL;
  g_autoptr (LcDeadlocks) found = NULL;
  const LcDeadlocks *deadlocks = layout->query->deadlocks;
  gsize n_marks;
  const LcMark *marks = lc_scene_get_marks_of (layout->scene, LC_MARK_PENDING, 0, LC_TRACE_NONE, &n_marks);

  for (gsize i = 0; i < n_marks; i++)
    {
      const LcMark *mark = &marks[i];

      if (mark->object == LC_TRACE_NONE)
        continue;
      if (deadlocks == NULL && scene_blocked_is_of_rank (layout, mark))
        deadlocks = found = lc_deadlocks_find_in_history (layout->history, layout->cancellable, error);
      if ((deadlocks == NULL && scene_blocked_is_of_rank (layout, mark)) ||
          (kept == NULL && !list_kept (layout, &kept, error)) ||
          !scene_blocked_add_arc (layout, kept, deadlocks, mark, error))
        return FALSE;
    }
  return TRUE;
}
