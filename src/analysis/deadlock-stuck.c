/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for ever without a circle: for what one has kept that has ended, or for what only such could do
 * that wait themselves. */
#include <string.h>

#include "deadlock-stuck.h"

#define LEAST_WAIT (20 * G_GUINT64_CONSTANT (1000000)) /* ns, after the last thread that has ended */

/* Who could end a wait. */
typedef enum
{
  BY_NOBODY,  /* it is about to end, or it is not known */
  BY_ONE,     /* LcBlocked.holder */
  BY_ANY,     /* any thread of the address space */
  BY_HANDLER, /* the same, and a signal handler or another program could, too */
} StuckEnder;

typedef struct
{
  LcHistory *history;
  const LcDeadlocks *deadlocks;
  GCancellable *cancellable;
  StuckEnder *enders; /* by row of LcDeadlocks.blocked */
  gboolean *is_stuck; /* by process */
  gboolean *can_act;  /* by process: it lives, and is not stuck */
  guint32 *n_can_act; /* by instance */
  guint64 *live_end;  /* by instance: when those that live ended last */
  guint64 *ended_end; /* by instance: when one of the others ended last */
  gboolean *has_all;  /* by instance: no event was lost, and no circle explains it */
  gboolean *is_over;  /* by instance: its first thread has ended, and mostly the program with it */
  gboolean *has_help; /* by instance: there were threads that nobody is known to have made */
  guint32 n_instances;
} Stuck;

/* Processes of a trace that names no address spaces are taken for threads of one, the last. */
static guint32
stuck_find_instance (const Stuck *stuck, guint32 process)
{
  const guint32 instance = lc_history_get_process (stuck->history, process)->instance;

  return MIN (instance, stuck->n_instances - 1);
}

static gboolean
stuck_lives (const Stuck *stuck, guint32 process)
{
  return lc_history_get_process (stuck->history, process)->state != LC_STATE_ENDED;
}

/* What was lost may be that it gave back what it seems to have. */
static gboolean
stuck_has_all (const Stuck *stuck, guint32 process)
{
  return lc_history_get_process (stuck->history, process)->lost == 0;
}

/* Whether nobody is known to have made the thread: the C library makes such for timers and the like, and may make
 * another one. The first threads of programs, and processes of traces by hand, are none. */
static gboolean
stuck_is_made_elsewhere (const LcHistoryProcess *process)
{
  return process->parent == LC_TRACE_NONE && process->pid != 0 && process->thread != process->pid;
}

/* --- What may end a wait ------------------------------------------------------------------------------------------ */

typedef struct
{
  LcHistory *history;
  guint64 since;
  guint64 given,
      taken; /* tokens of a semaphore; of a condition: wake-ups since then, and waits that have ended since */
  gboolean is_broadcast;
} StuckWakes;

static gboolean
stuck_count_wake (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  StuckWakes *wakes = data;
  const LcHistoryOperation *operation = lc_history_get_operation (wakes->history, event->operation);
  const char *name = operation != NULL && operation->name != NULL ? operation->name : "";
  const gboolean is_later = event->end >= wakes->since;

  wakes->given += g_str_equal (name, "post") || (is_later && g_str_equal (name, "signal"));
  wakes->taken += g_str_equal (name, "wait") || (is_later && g_str_equal (name, "condition-wait"));
  wakes->is_broadcast = wakes->is_broadcast || (is_later && g_str_equal (name, "broadcast"));
  return TRUE;
}

/* Whether somebody has done already what ends the wait: the thread has only not gone on yet. */
static gboolean
stuck_is_being_woken (const Stuck *stuck, const LcBlocked *blocked, const LcHistoryObject *object, gboolean *is_woken,
                      GError **error)
{
  StuckWakes wakes = {.history = stuck->history, .since = blocked->pending.begin};

  if (!lc_history_visit_object (stuck->history, LC_TIMELINE_MEASURED, object->id, stuck_count_wake, &wakes,
                                stuck->cancellable, error))
    return FALSE;
  if (g_str_equal (object->class_name, "semaphore"))
    wakes.given += (guint64)MAX (object->value, 0);
  *is_woken = wakes.is_broadcast || wakes.given > wakes.taken;
  return TRUE;
}

/* All members of a barrier may have come, and be about to go. */
static gboolean
stuck_is_full (const Stuck *stuck, const LcBlocked *blocked, const LcHistoryObject *object)
{
  guint n = 0;

  for (guint i = 0; i < stuck->deadlocks->blocked->len; i++)
    n += g_array_index (stuck->deadlocks->blocked, LcBlocked, i).pending.object == blocked->pending.object;
  return object->value <= 0 || n >= (guint64)object->value;
}

static gboolean
stuck_find_ender_of (const Stuck *stuck, const LcBlocked *blocked, const LcHistoryObject *object, StuckEnder *ender,
                     GError **error)
{
  const LcHistoryProcess *process = lc_history_get_process (stuck->history, blocked->process);
  const char *class_name = object->class_name != NULL ? object->class_name : "";
  const gboolean is_own = object->instance == process->instance;
  gboolean is_woken = FALSE;

  if (g_str_equal (class_name, "mutex") || g_str_equal (class_name, "crew"))
    *ender = blocked->holder != LC_TRACE_NONE && stuck_has_all (stuck, blocked->holder) ? BY_ONE : BY_NOBODY;
  else if (g_str_equal (class_name, "thread"))
    *ender = blocked->holder != LC_TRACE_NONE && stuck_lives (stuck, blocked->holder) ? BY_ONE : BY_NOBODY;
  else if (is_own && g_str_equal (class_name, "barrier") && (object->address != 0 || process->rank == LC_TRACE_NONE))
    *ender = stuck_is_full (stuck, blocked, object) ? BY_NOBODY : BY_ANY;
  else if (is_own && (g_str_equal (class_name, "condition") || g_str_equal (class_name, "semaphore")))
    {
      if (!stuck_is_being_woken (stuck, blocked, object, &is_woken, error))
        return FALSE;
      *ender = is_woken ? BY_NOBODY : g_str_equal (class_name, "condition") ? BY_ANY : BY_HANDLER;
    }
  return TRUE;
}

static gboolean
stuck_find_ender (const Stuck *stuck, const LcBlocked *blocked, StuckEnder *ender, GError **error)
{
  LcHistoryObject object;
  gboolean good;

  *ender = BY_NOBODY;
  if (!blocked->pending.is_unlimited || blocked->pending.object == LC_TRACE_NONE || blocked->is_for_ever ||
      blocked->reason != LC_BLOCKED_FOR_HOLDER)
    return TRUE;
  if (!lc_history_get_object (stuck->history, blocked->pending.object, &object, error))
    return FALSE;
  good = stuck_find_ender_of (stuck, blocked, &object, ender, error);
  lc_history_object_clear (&object);
  return good;
}

/* --- Who is stuck ------------------------------------------------------------------------------------------------ */

/* Who ends a program is told to have ended somewhat before the system ends its other threads. Processes of traces by
 * hand end when they are said to. */
static gboolean
stuck_is_just_before (const Stuck *stuck, guint32 instance, guint64 ended, guint64 end)
{
  return ended + (instance + 1 < stuck->n_instances ? LEAST_WAIT : 1) > end;
}

/* A thread that has ended keeps its locks, unless it has ended the program. */
static gboolean
stuck_goes_on (const Stuck *stuck, guint row)
{
  const LcBlocked *blocked = &g_array_index (stuck->deadlocks->blocked, LcBlocked, row);
  const LcHistoryProcess *process = lc_history_get_process (stuck->history, blocked->process);
  const guint32 instance = stuck_find_instance (stuck, blocked->process);

  if (stuck->enders[row] == BY_NOBODY)
    return TRUE;
  if (stuck->enders[row] != BY_ONE)
    return stuck->n_can_act[instance] > 0 || !stuck->has_all[instance] || stuck->is_over[instance] ||
           stuck_is_just_before (stuck, instance, stuck->ended_end[instance], stuck->live_end[instance]);
  if (stuck_lives (stuck, blocked->holder))
    return !stuck->is_stuck[blocked->holder];
  return stuck->is_over[instance] ||
         stuck_is_just_before (stuck, instance, lc_history_get_process (stuck->history, blocked->holder)->end,
                               process->end);
}

/* Begins with all that wait, and takes those away which one can wake that is none of them. */
static void
stuck_settle (Stuck *stuck)
{
  gboolean changed = TRUE;

  while (changed)
    {
      changed = FALSE;
      for (guint i = 0; i < stuck->deadlocks->blocked->len; i++)
        {
          const guint32 process = g_array_index (stuck->deadlocks->blocked, LcBlocked, i).process;

          if (!stuck->is_stuck[process] || !stuck_goes_on (stuck, i))
            continue;
          stuck->is_stuck[process] = FALSE;
          stuck->n_can_act[stuck_find_instance (stuck, process)]++;
          changed = TRUE;
        }
    }
}

static void
stuck_count_processes (Stuck *stuck)
{
  for (guint32 i = 0; i < lc_history_get_n_processes (stuck->history); i++)
    {
      const LcHistoryProcess *process = lc_history_get_process (stuck->history, i);
      const guint32 instance = stuck_find_instance (stuck, i);

      if (stuck_lives (stuck, i))
        {
          stuck->n_can_act[instance] += !stuck->is_stuck[i];
          stuck->live_end[instance] = MAX (stuck->live_end[instance], process->end);
        }
      else
        stuck->ended_end[instance] = MAX (stuck->ended_end[instance], process->end);
      stuck->has_all[instance] = stuck->has_all[instance] && process->lost == 0;
      stuck->is_over[instance] =
          stuck->is_over[instance] || (process->pid != 0 && process->thread == process->pid && !stuck_lives (stuck, i));
      stuck->has_help[instance] = stuck->has_help[instance] || stuck_is_made_elsewhere (process);
    }
}

/* FALSE with `error`. Who is in a circle, or waits for one, is told with that. */
static gboolean
stuck_begin (Stuck *stuck, GError **error)
{
  for (guint i = 0; i < stuck->deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (stuck->deadlocks->blocked, LcBlocked, i);
      const guint32 instance = stuck_find_instance (stuck, blocked->process);

      if (!stuck_find_ender (stuck, blocked, &stuck->enders[i], error))
        return FALSE;
      if (blocked->is_for_ever)
        stuck->has_all[instance] = FALSE;
      stuck->is_stuck[blocked->process] = stuck->enders[i] != BY_NOBODY;
    }
  stuck_count_processes (stuck);
  stuck_settle (stuck);
  return TRUE;
}

static void
stuck_list_instance (const Stuck *stuck, guint32 instance, GPtrArray *list)
{
  LcStuck *found = NULL;

  for (guint i = 0; i < stuck->deadlocks->blocked->len; i++)
    {
      const guint32 process = g_array_index (stuck->deadlocks->blocked, LcBlocked, i).process;

      if (!stuck->is_stuck[process] || stuck_find_instance (stuck, process) != instance)
        continue;
      if (found == NULL)
        {
          found = g_new0 (LcStuck, 1);
          found->rows = g_array_new (FALSE, FALSE, sizeof (guint));
          found->is_all = stuck->n_can_act[instance] == 0 && stuck->ended_end[instance] < stuck->live_end[instance];
          g_ptr_array_add (list, found);
        }
      found->may_be_helped = found->may_be_helped || stuck->enders[i] == BY_HANDLER ||
                             (stuck->enders[i] == BY_ANY && stuck->has_help[instance]);
      g_array_append_val (found->rows, i);
    }
}

static void
stuck_free (gpointer data)
{
  LcStuck *found = data;

  g_array_unref (found->rows);
  g_free (found);
}

/* Instances are numbers of a file: those that cannot be are taken for none. */
static guint32
stuck_count_instances (const LcHistory *history)
{
  const guint32 n_processes = lc_history_get_n_processes (history);
  guint32 n = 0;

  for (guint32 i = 0; i < n_processes; i++)
    if (lc_history_get_process (history, i)->instance < n_processes)
      n = MAX (n, lc_history_get_process (history, i)->instance + 1);
  return n + 1;
}

GPtrArray *
lc_deadlocks_list_stuck (LcHistory *history, const LcDeadlocks *deadlocks, GCancellable *cancellable, GError **error)
{
  const guint32 n_processes = MAX (lc_history_get_n_processes (history), 1), n = stuck_count_instances (history);
  g_autofree StuckEnder *enders = g_new0 (StuckEnder, MAX (deadlocks->blocked->len, 1));
  g_autofree gboolean *is_stuck = g_new0 (gboolean, n_processes), *has_all = g_new (gboolean, n),
                      *has_help = g_new0 (gboolean, n), *is_over = g_new0 (gboolean, n);
  g_autofree guint32 *n_can_act = g_new0 (guint32, n);
  g_autofree guint64 *live_end = g_new0 (guint64, n), *ended_end = g_new0 (guint64, n);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (stuck_free);
  Stuck stuck = {.history = history,
                 .deadlocks = deadlocks,
                 .cancellable = cancellable,
                 .enders = enders,
                 .is_stuck = is_stuck,
                 .n_can_act = n_can_act,
                 .live_end = live_end,
                 .ended_end = ended_end,
                 .has_all = has_all,
                 .has_help = has_help,
                 .is_over = is_over,
                 .n_instances = n};

  for (guint32 i = 0; i < n; i++)
    has_all[i] = TRUE;
  if (!stuck_begin (&stuck, error))
    return NULL;
  for (guint32 i = 0; i < n; i++)
    stuck_list_instance (&stuck, i, list);
  return g_steal_pointer (&list);
}
