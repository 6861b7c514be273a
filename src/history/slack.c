/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the slack of all events in one pass over the layers, from the highest down. */
/*
 * An arc from the end of an event leads to a higher layer than the event's, and one from its begin to a higher layer
 * than that of the event before it. So when a layer is looked at, all that the ends of its events hold up is known, and
 * when it is left, so is all that the begins of the events after them do. What is known of a point is the latest time
 * that it may move to.
 */
#include "lightcone/slack.h"

/* A point of a process that an arc comes from. */
typedef struct
{
  guint64 point; /* 2 * ordinal, and 1 more for the end */
  guint64 latest;
} SlackPoint;

typedef struct
{
  guint64 n_events;
  guint64 n_left;       /* events before this ordinal have not been looked at */
  guint64 layer;        /* of the last one of them */
  guint64 begin;        /* of the event after them */
  guint64 latest_begin; /* as the present layers tell; `pending` may know of an earlier time */
  GArray *pending;      /* SlackPoint, a heap with the last point first */
} SlackProcess;

/* A member of the present layer. */
typedef struct
{
  LcHistoryEvent event;
  guint64 slack;
  guint64 ready;        /* when it could go on: at its begin, or at the last point that it had to come after */
  guint64 latest_begin; /* the latest time that its begin may move to */
  guint first_arc;      /* index in `arcs` and `slacks` */
} SlackMember;

struct _LcSlackPass
{
  LcHistory *history;
  LcHistoryWalk *events;
  guint8 *is_thread; /* by operation: of class thread */
  guint64 end;       /* of the run */
  SlackProcess *processes;
  guint32 n_processes;
  guint32 *heap; /* processes with events left, the highest layer first */
  guint32 n_heap;
  GArray *members; /* SlackMember */
  GArray *arcs;    /* LcHistoryArcEnd, of all members */
  GArray *slacks;  /* guint64, by arc: the time of its point, and later its slack */
  guint given;     /* members that have been given to the caller */
  LcEventSlack slack;
};

/* --- Heaps --------------------------------------------------------------------------------------------------- */

static void
slack_add_point (GArray *heap, guint64 point, guint64 latest)
{
  const SlackPoint added = {point, latest};
  guint place = heap->len;

  g_array_append_val (heap, added);
  while (place > 0 && point > g_array_index (heap, SlackPoint, (place - 1) / 2).point)
    {
      g_array_index (heap, SlackPoint, place) = g_array_index (heap, SlackPoint, (place - 1) / 2);
      place = (place - 1) / 2;
    }
  g_array_index (heap, SlackPoint, place) = added;
}

static void
slack_drop_point (GArray *heap)
{
  const SlackPoint last = g_array_index (heap, SlackPoint, heap->len - 1);
  guint place = 0, child;

  g_array_set_size (heap, heap->len - 1);
  while ((child = 2 * place + 1) < heap->len)
    {
      if (child + 1 < heap->len &&
          g_array_index (heap, SlackPoint, child + 1).point > g_array_index (heap, SlackPoint, child).point)
        child++;
      if (g_array_index (heap, SlackPoint, child).point <= last.point)
        break;
      g_array_index (heap, SlackPoint, place) = g_array_index (heap, SlackPoint, child);
      place = child;
    }
  if (heap->len > 0)
    g_array_index (heap, SlackPoint, place) = last;
}

/* Of processes in the same layer the first one comes first. */
static gboolean
slack_is_before (const LcSlackPass *pass, guint32 a, guint32 b)
{
  guint64 layer_a = pass->processes[a].layer, layer_b = pass->processes[b].layer;

  return layer_a != layer_b ? layer_a > layer_b : a < b;
}

static void
slack_sift_process (LcSlackPass *pass, guint32 place)
{
  guint32 process = pass->heap[place], child;

  while ((child = 2 * place + 1) < pass->n_heap)
    {
      if (child + 1 < pass->n_heap && slack_is_before (pass, pass->heap[child + 1], pass->heap[child]))
        child++;
      if (!slack_is_before (pass, pass->heap[child], process))
        break;
      pass->heap[place] = pass->heap[child];
      place = child;
    }
  pass->heap[place] = process;
}

/* --- The points that arcs come from -------------------------------------------------------------------------- */

/* Takes what is known of a point of a process, which is the last one that anything is known of. */
static guint64
slack_take_point (SlackProcess *process, guint64 point, guint64 latest)
{
  while (process->pending->len > 0 && g_array_index (process->pending, SlackPoint, 0).point >= point)
    {
      latest = MIN (latest, g_array_index (process->pending, SlackPoint, 0).latest);
      slack_drop_point (process->pending);
    }
  return latest;
}

static gboolean
slack_refuse (const LcSlackPass *pass, guint32 process, GError **error)
{
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, "%s: the layers of process %u are not in order",
               lc_history_get_path (pass->history), process);
  return FALSE;
}

/* An arc must not come from what has been given already: only damage makes one. */
static gboolean
slack_hold_point (LcSlackPass *pass, const LcHistoryArcEnd *from, guint64 latest, GError **error)
{
  const guint64 point = 2 * from->ordinal + (from->point == LC_POINT_END);

  if (point > 2 * pass->processes[from->process].n_left)
    return slack_refuse (pass, from->process, error);
  slack_add_point (pass->processes[from->process].pending, point, latest);
  return TRUE;
}

/* --- One layer ----------------------------------------------------------------------------------------------- */

/* Finds the times that the event's arcs come from. The first event of a process that another one has made begins when
 * that has: the thread had to be made. */
static gboolean
slack_find_ready (LcSlackPass *pass, SlackMember *member, const LcHistoryArcEnd *arcs, GError **error)
{
  const LcHistoryEvent *event = &member->event;
  gboolean is_made = event->ordinal == 0 && event->n_arcs > 0 && pass->is_thread[event->operation];

  member->first_arc = pass->arcs->len;
  if (event->n_arcs > 0)
    g_array_append_vals (pass->arcs, arcs, event->n_arcs);
  member->ready = is_made ? 0 : event->begin;
  for (guint i = 0; i < event->n_arcs; i++)
    {
      const LcHistoryArcEnd *from = &g_array_index (pass->arcs, LcHistoryArcEnd, member->first_arc + i);
      guint64 time;

      if (!lc_history_walk_get_time (pass->events, from->process, from->ordinal, from->point, &time, error))
        return FALSE;
      g_array_append_val (pass->slacks, time);
      member->ready = MAX (member->ready, MIN (time, event->end));
    }
  return TRUE;
}

/* How much later the end of the last event that is left may be. */
static guint64
slack_find (LcSlackPass *pass, SlackProcess *process, const LcHistoryEvent *event)
{
  guint64 latest = pass->end;

  if (process->n_left < process->n_events)
    {
      guint64 begin = slack_take_point (process, 2 * process->n_left, process->latest_begin);

      latest = event->end + (begin > process->begin ? begin - process->begin : 0);
    }
  latest = slack_take_point (process, 2 * event->ordinal + 1, latest);
  return latest > event->end ? latest - event->end : 0;
}

/* Takes the last event of a process that is left, and finds the layer of the one before it. */
static gboolean
slack_take_event (LcSlackPass *pass, guint32 number, GError **error)
{
  SlackProcess *process = &pass->processes[number];
  const guint64 ordinal = process->n_left - 1;
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent before;
  SlackMember member;

  if (!lc_history_walk_get (pass->events, number, ordinal, &member.event, &arcs, error) ||
      !slack_find_ready (pass, &member, arcs, error))
    return FALSE;
  member.slack = slack_find (pass, process, &member.event);
  g_array_append_val (pass->members, member);
  process->n_left--;
  if (process->n_left == 0)
    return TRUE;
  if (!lc_history_walk_get (pass->events, number, ordinal - 1, &before, NULL, error))
    return FALSE;
  if (before.layer >= process->layer)
    return slack_refuse (pass, number, error);
  process->layer = before.layer;
  return TRUE;
}

int
lc_slack_compare_groups (const LcHistoryEvent *a, const LcHistoryEvent *b)
{
  if (a->object != b->object)
    return a->object < b->object ? -1 : 1;
  if (a->sequence != b->sequence)
    return a->sequence < b->sequence ? -1 : 1;
  return a->operation < b->operation ? -1 : a->operation > b->operation;
}

static int
slack_compare_groups (gconstpointer a, gconstpointer b)
{
  return lc_slack_compare_groups (&(*(SlackMember *const *)a)->event, &(*(SlackMember *const *)b)->event);
}

/* All members of a group end after all of them have begun: the last one depends on the timeline. */
static void
slack_join_group (SlackMember **members, guint n)
{
  guint64 last = 0, latest = G_MAXUINT64;

  for (guint i = 0; i < n; i++)
    last = MAX (last, members[i]->event.begin);
  for (guint i = 0; i < n; i++)
    {
      members[i]->ready = MAX (members[i]->ready, MIN (last, members[i]->event.end));
      latest = MIN (latest, members[i]->slack + members[i]->ready);
    }
  for (guint i = 0; i < n; i++)
    members[i]->latest_begin = latest;
}

/* Members of one group share a layer. */
static void
slack_join_groups (LcSlackPass *pass)
{
  g_autoptr (GPtrArray) grouped = g_ptr_array_new ();
  SlackMember **members;

  for (guint i = 0; i < pass->members->len; i++)
    {
      SlackMember *member = &g_array_index (pass->members, SlackMember, i);

      member->latest_begin = member->slack + member->ready;
      if (member->event.flags & LC_HISTORY_EVENT_GROUP)
        g_ptr_array_add (grouped, member);
    }
  g_ptr_array_sort (grouped, slack_compare_groups);
  members = (SlackMember **)grouped->pdata;
  for (guint i = 0, n; i < grouped->len; i += n)
    {
      n = 1;
      while (i + n < grouped->len && slack_compare_groups (&members[i], &members[i + n]) == 0)
        n++;
      slack_join_group (&members[i], n);
    }
}

/* Leaves what the layer's events demand of lower layers there. */
static gboolean
slack_leave_layer (LcSlackPass *pass, GError **error)
{
  for (guint i = 0; i < pass->members->len; i++)
    {
      const SlackMember *member = &g_array_index (pass->members, SlackMember, i);
      SlackProcess *process = &pass->processes[member->event.process];
      const guint64 latest = member->slack + member->ready;

      process->begin = member->event.begin;
      process->latest_begin = member->latest_begin;
      for (guint k = 0; k < member->event.n_arcs; k++)
        {
          guint64 *slack = &g_array_index (pass->slacks, guint64, member->first_arc + k);

          if (!slack_hold_point (pass, &g_array_index (pass->arcs, LcHistoryArcEnd, member->first_arc + k), latest,
                                 error))
            return FALSE;
          *slack = latest > *slack ? latest - *slack : 0;
        }
    }
  return TRUE;
}

/* Goes on to the highest layer that is left. */
static gboolean
slack_enter_layer (LcSlackPass *pass, GError **error)
{
  const guint64 layer = pass->processes[pass->heap[0]].layer;

  g_array_set_size (pass->members, 0);
  g_array_set_size (pass->arcs, 0);
  g_array_set_size (pass->slacks, 0);
  pass->given = 0;
  while (pass->n_heap > 0 && pass->processes[pass->heap[0]].layer == layer)
    {
      if (!slack_take_event (pass, pass->heap[0], error))
        return FALSE;
      if (pass->processes[pass->heap[0]].n_left == 0)
        pass->heap[0] = pass->heap[--pass->n_heap];
      if (pass->n_heap > 0)
        slack_sift_process (pass, 0);
    }
  slack_join_groups (pass);
  return slack_leave_layer (pass, error);
}

gboolean
lc_slack_pass_next (LcSlackPass *pass, const LcEventSlack **slack, GError **error)
{
  const SlackMember *member;

  *slack = NULL;
  if (pass->given == pass->members->len && pass->n_heap == 0)
    return TRUE;
  if (pass->given == pass->members->len && !slack_enter_layer (pass, error))
    return FALSE;
  member = &g_array_index (pass->members, SlackMember, pass->given++);
  pass->slack = (LcEventSlack){.event = member->event,
                               .slack = member->slack,
                               .arcs = (const LcHistoryArcEnd *)(const void *)pass->arcs->data + member->first_arc,
                               .arc_slacks = (const guint64 *)(const void *)pass->slacks->data + member->first_arc};
  *slack = &pass->slack;
  return TRUE;
}

/* --- Begin and end ------------------------------------------------------------------------------------------- */

static void
slack_find_threads (LcSlackPass *pass)
{
  guint32 n = lc_history_get_n_operations (pass->history);

  pass->is_thread = g_new0 (guint8, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (pass->history, i);

      pass->is_thread[i] = operation != NULL && g_strcmp0 (operation->class_name, "thread") == 0;
    }
}

/* Puts the processes into the heap, by the layer of their last event. */
static gboolean
slack_line_up (LcSlackPass *pass, guint32 timeline, GError **error)
{
  for (guint32 i = 0; i < pass->n_processes; i++)
    {
      SlackProcess *process = &pass->processes[i];
      LcHistoryEvent last;

      process->pending = g_array_new (FALSE, FALSE, sizeof (SlackPoint));
      if (!lc_history_count_events (pass->history, timeline, i, &process->n_events, error))
        return FALSE;
      process->n_left = process->n_events;
      if (process->n_events == 0)
        continue;
      if (!lc_history_walk_get (pass->events, i, process->n_events - 1, &last, NULL, error))
        return FALSE;
      process->layer = last.layer;
      pass->end = MAX (pass->end, last.end);
      pass->heap[pass->n_heap++] = i;
    }
  for (guint32 i = pass->n_heap; i > 0; i--)
    slack_sift_process (pass, i - 1);
  return TRUE;
}

LcSlackPass *
lc_slack_pass_new (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcSlackPass) pass = g_new0 (LcSlackPass, 1);

  g_return_val_if_fail (history != NULL, NULL);
  pass->history = history;
  pass->n_processes = lc_history_get_n_processes (history);
  pass->processes = g_new0 (SlackProcess, MAX (pass->n_processes, 1));
  pass->heap = g_new0 (guint32, MAX (pass->n_processes, 1));
  pass->members = g_array_new (FALSE, FALSE, sizeof (SlackMember));
  pass->arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArcEnd));
  pass->slacks = g_array_new (FALSE, FALSE, sizeof (guint64));
  slack_find_threads (pass);
  pass->events = lc_history_walk_new (history, timeline, LC_WALK_ARCS, cancellable, error);
  if (pass->events == NULL || !slack_line_up (pass, timeline, error))
    return NULL;
  return g_steal_pointer (&pass);
}

void
lc_slack_pass_free (LcSlackPass *pass)
{
  if (pass == NULL)
    return;
  lc_history_walk_free (pass->events);
  for (guint32 i = 0; i < pass->n_processes; i++)
    if (pass->processes[i].pending != NULL)
      g_array_unref (pass->processes[i].pending);
  g_free (pass->processes);
  g_free (pass->heap);
  g_free (pass->is_thread);
  g_array_unref (pass->members);
  g_array_unref (pass->arcs);
  g_array_unref (pass->slacks);
  g_free (pass);
}
