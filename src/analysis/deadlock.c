/* SPDX-License-Identifier: Apache-2.0 */
/* Follows which process holds which object, and finds circles among the processes that were blocked at the end. */
#include "lightcone/deadlock.h"

#include <string.h>

#include "deadlock-ranks.h"
#include "deadlock-stuck.h"

typedef struct
{
  guint32 process;
  guint64 ordinal;
  guint64 since;
} Holder;

/* The effect of an operation on its object. */
typedef enum
{
  NOTHING,
  TAKES,
  GIVES,
} Effect;

typedef struct
{
  LcSweepVisitor visitor;
  guint8 *effects;     /* by operation */
  GHashTable *holders; /* object -> GArray of Holder */
} Holders;

static void
deadlock_visit (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Holders *holders = (Holders *)visitor;
  gpointer object = GUINT_TO_POINTER (step->event->object);
  const Holder holder = {step->process, step->ordinal, step->event->end};
  GArray *of;

  if (holders->effects[step->event->operation] == NOTHING)
    return;
  of = g_hash_table_lookup (holders->holders, object);
  if (holders->effects[step->event->operation] == TAKES)
    {
      if (of == NULL)
        {
          of = g_array_new (FALSE, FALSE, sizeof holder);
          g_hash_table_insert (holders->holders, object, of);
        }
      g_array_append_val (of, holder);
      return;
    }
  for (guint i = 0; of != NULL && i < of->len; i++)
    if (g_array_index (of, Holder, i).process == step->process || i + 1 == of->len)
      {
        /* Any hold will do at last, because a lock may be given back by another process than took it. */
        g_array_remove_index_fast (of, i);
        break;
      }
}

static void
set_effects (Holders *holders, LcTrace *trace, const LcClassRule *rule)
{
  for (guint32 i = 0; i < lc_trace_get_n_operations (trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);

      for (gsize j = 0; operation != NULL && rule->holding != NULL && rule->holding[j] != NULL; j++)
        if (strcmp (rule->holding[j], operation->name) == 0)
          holders->effects[i] = j % 2 == 0 ? TAKES : GIVES;
    }
}

LcSweepVisitor *
lc_holders_new (LcTrace *trace, const LcRules *rules)
{
  Holders *holders = g_new0 (Holders, 1);
  const GPtrArray *classes = lc_rules_get_classes (rules);

  holders->visitor.end = deadlock_visit;
  holders->effects = g_new0 (guint8, lc_trace_get_n_operations (trace));
  holders->holders = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
  for (guint i = 0; i < classes->len; i++)
    set_effects (holders, trace, classes->pdata[i]);
  return &holders->visitor;
}

void
lc_holders_free (LcSweepVisitor *visitor)
{
  Holders *holders = (Holders *)visitor;

  g_hash_table_unref (holders->holders);
  g_free (holders->effects);
  g_free (holders);
}

/* --- Who waits for whom ------------------------------------------------------------------------------------ */

/* It may have been given back in a gap. */
static gboolean
is_lost (const LcTrace *trace, const Holder *holder)
{
  const guint64 end = lc_trace_get_process (trace, holder->process)->end;
  gsize n_gaps;
  const LcTraceGap *gaps = lc_trace_get_gaps (trace, &n_gaps);

  for (gsize i = 0; i < n_gaps && gaps[i].to <= end; i++)
    if (gaps[i].from >= holder->since)
      return TRUE;
  return FALSE;
}

static void
deadlock_find_holder (LcTrace *trace, const Holders *holders, LcBlocked *blocked)
{
  const GArray *of = g_hash_table_lookup (holders->holders, GUINT_TO_POINTER (blocked->pending.object));
  LcTraceObject object;

  blocked->holder = LC_TRACE_NONE;
  if (blocked->pending.object == LC_TRACE_NONE)
    return;
  lc_trace_get_object (trace, blocked->pending.object, &object);
  if (object.process != LC_TRACE_NONE)
    {
      guint64 events = lc_trace_count_events (trace, object.process);

      blocked->holder = object.process;
      blocked->holder_ordinal = events > 0 ? events - 1 : 0;
    }
  for (guint i = 0; object.process == LC_TRACE_NONE && of != NULL && i < of->len && blocked->holder == LC_TRACE_NONE;
       i++)
    {
      const Holder *holder = &g_array_index (of, Holder, i);

      if (is_lost (trace, holder))
        continue;
      blocked->holder = holder->process;
      blocked->holder_ordinal = holder->ordinal;
    }
}

static void
deadlock_add_circle (LcDeadlocks *deadlocks, const guint32 *next, guint32 start)
{
  GArray *circle = g_array_new (FALSE, FALSE, sizeof start);
  guint32 at = start;

  do
    {
      g_array_append_val (circle, at);
      at = next[at];
    }
  while (at != start);
  g_ptr_array_add (deadlocks->circles, circle);
}

/* Each process waits for at most one other, so each walk either ends or comes round. */
static void
deadlock_walk_circles (LcDeadlocks *deadlocks, const guint32 *next, guint32 n_processes)
{
  g_autofree guint32 *walk = g_new0 (guint32, MAX (n_processes, 1));

  for (guint32 i = 0; i < n_processes; i++)
    {
      guint32 at = i;

      while (at != LC_TRACE_NONE && walk[at] == 0)
        {
          walk[at] = i + 1;
          at = next[at];
        }
      if (at != LC_TRACE_NONE && walk[at] == i + 1)
        deadlock_add_circle (deadlocks, next, at);
    }
}

/* By process. */
typedef struct
{
  gboolean *is_for_ever;
  const gboolean *is_rank;   /* what the process waits for, its rank waits for; NULL: there are no ranks */
  const gboolean *is_beyond; /* it will send and receive no more, and come to no operation of many; NULL: nobody is */
} Waiting;

static gboolean
waiting_is_beyond (const Waiting *waiting, guint32 process)
{
  return waiting->is_beyond != NULL && waiting->is_beyond[process];
}

/* Another thread of a rank may do what the rank is waited for. Who is beyond may still give back what it holds. */
static gboolean
waiting_leads_on (const Waiting *waiting, const LcBlocked *blocked, guint32 other)
{
  if (other == LC_TRACE_NONE)
    return FALSE;
  return blocked->reason == LC_BLOCKED_FOR_HOLDER
             ? waiting->is_for_ever[other]
             : waiting_is_beyond (waiting, other) || (waiting->is_for_ever[other] && waiting->is_rank[other]);
}

/* A process that is waited for, as far as it leads to a circle or to one that is beyond; or LC_TRACE_NONE. */
static guint32
waiting_find_next (const Waiting *waiting, const LcBlocked *blocked)
{
  if (blocked->missing == NULL)
    return waiting_leads_on (waiting, blocked, blocked->holder) ? blocked->holder : LC_TRACE_NONE;
  for (guint i = 0; i < blocked->missing->len; i++)
    if (waiting_leads_on (waiting, blocked, g_array_index (blocked->missing, guint32, i)))
      return g_array_index (blocked->missing, guint32, i);
  return LC_TRACE_NONE;
}

/* Forgets a process that waits for none of those that wait for ever. */
static gboolean
waiting_release (const Waiting *waiting, const LcBlocked *blocked)
{
  if (!waiting->is_for_ever[blocked->process] || waiting_find_next (waiting, blocked) != LC_TRACE_NONE)
    return FALSE;
  waiting->is_for_ever[blocked->process] = FALSE;
  return TRUE;
}

/*
 * A process may wait for several others, and waits for ever if any of them does. So those are taken away that wait for
 * nobody, until each that is left waits for another one that is left: each walk among them comes round, or ends with
 * one that is beyond. Chains often follow the numbers of processes, so both directions are gone in turns.
 */
static void
find_circles (LcDeadlocks *deadlocks, const gboolean *is_rank, const gboolean *is_beyond, guint32 n_processes)
{
  g_autofree guint32 *next = g_new (guint32, MAX (n_processes, 1));
  g_autofree gboolean *is_for_ever = g_new0 (gboolean, MAX (n_processes, 1));
  const Waiting waiting = {is_for_ever, is_rank, is_beyond};
  LcBlocked *blocked = (LcBlocked *)(gpointer)deadlocks->blocked->data;
  const guint n = deadlocks->blocked->len;
  gboolean changed = TRUE;

  for (guint i = 0; i < n; i++)
    is_for_ever[blocked[i].process] = TRUE;
  while (changed)
    {
      changed = FALSE;
      for (guint i = 0; i < n; i++)
        changed = waiting_release (&waiting, &blocked[i]) || changed;
      for (guint i = n; i-- > 0;)
        changed = waiting_release (&waiting, &blocked[i]) || changed;
    }
  for (guint32 i = 0; i < n_processes; i++)
    next[i] = LC_TRACE_NONE;
  for (guint i = 0; i < n; i++)
    {
      blocked[i].is_for_ever = is_for_ever[blocked[i].process];
      if (blocked[i].is_for_ever)
        next[blocked[i].process] = blocked[i].holder = waiting_find_next (&waiting, &blocked[i]);
    }
  deadlock_walk_circles (deadlocks, next, n_processes);
}

static void
blocked_clear (gpointer data)
{
  g_clear_pointer (&((LcBlocked *)data)->missing, g_array_unref);
}

static LcDeadlocks *
deadlocks_new (void)
{
  LcDeadlocks *deadlocks = g_new0 (LcDeadlocks, 1);

  deadlocks->blocked = g_array_new (FALSE, FALSE, sizeof (LcBlocked));
  g_array_set_clear_func (deadlocks->blocked, blocked_clear);
  deadlocks->circles = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  deadlocks->finalized = g_array_new (FALSE, FALSE, sizeof (LcFinalized));
  deadlocks->stuck = g_ptr_array_new ();
  return deadlocks;
}

LcDeadlocks *
lc_deadlocks_find (LcTrace *trace, LcSweepVisitor *holders)
{
  LcDeadlocks *deadlocks = deadlocks_new ();

  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    {
      LcBlocked blocked = {.process = i, .pending = lc_trace_get_process (trace, i)->pending};

      if (blocked.pending.operation == LC_TRACE_NONE)
        continue;
      deadlock_find_holder (trace, (const Holders *)holders, &blocked);
      g_array_append_val (deadlocks->blocked, blocked);
    }
  find_circles (deadlocks, NULL, NULL, lc_trace_get_n_processes (trace));
  return deadlocks;
}

/* Until a recording has ended, what others have done may not be there yet. */
static gboolean
deadlock_find_ranks (LcDeadlockRanks *ranks, guint32 object, LcBlocked *blocked, guint32 *process,
                     GCancellable *cancellable, GError **error)
{
  LcHistoryObject of;
  gboolean good = TRUE;

  if (!lc_history_get_object (ranks->history, object, &of, error))
    return FALSE;
  *process = of.process;
  if (ranks->is_apparent || lc_history_get_until (ranks->history) == 0)
    good = lc_deadlock_find_partner (ranks, &of, blocked, cancellable, error) &&
           lc_deadlock_find_members (ranks, &of, blocked, cancellable, error);
  lc_history_object_clear (&of);
  return good;
}

/* Finds the process that has not given back the object, that is the object, or that is to come to it. */
static gboolean
find_holder_in_history (LcDeadlockRanks *ranks, const GArray *kept, LcBlocked *blocked, GCancellable *cancellable,
                        GError **error)
{
  guint32 process;
  guint64 since = 0;

  blocked->holder = LC_TRACE_NONE;
  if (blocked->pending.object == LC_TRACE_NONE)
    return TRUE;
  if (!deadlock_find_ranks (ranks, blocked->pending.object, blocked, &process, cancellable, error))
    return FALSE;
  if (process != LC_TRACE_NONE)
    {
      guint64 events = lc_history_get_process (ranks->history, process)->events;

      blocked->holder = process;
      blocked->holder_ordinal = events - MIN (events, 1);
    }
  /* Whoever got it last has it: of a robust mutex, or one that others give back, earlier ones never ended to hold it.
   */
  for (guint i = 0; process == LC_TRACE_NONE && i < kept->len; i++)
    {
      const LcHoldingSpan *span = &g_array_index (kept, LcHoldingSpan, i);

      if (span->object != blocked->pending.object || span->end != G_MAXUINT64 ||
          (blocked->holder != LC_TRACE_NONE && span->begin < since))
        continue;
      blocked->holder = span->process;
      blocked->holder_ordinal = span->begin_ordinal;
      since = span->begin;
    }
  return TRUE;
}

/* Of those that have not come, the one is told that waits for ever; else one that waits for nothing. */
static void
deadlock_choose_member (LcHistory *history, LcBlocked *blocked)
{
  guint64 events;

  if (blocked->missing == NULL)
    return;
  for (guint i = 0; !blocked->is_for_ever && i < blocked->missing->len; i++)
    {
      const guint32 member = g_array_index (blocked->missing, guint32, i);

      if (blocked->holder == LC_TRACE_NONE ||
          lc_history_get_process (history, member)->pending.operation == LC_TRACE_NONE)
        blocked->holder = member;
      if (lc_history_get_process (history, member)->pending.operation == LC_TRACE_NONE)
        break;
    }
  events = lc_history_get_process (history, blocked->holder)->events;
  blocked->holder_ordinal = events - MIN (events, 1);
}

static gboolean
deadlocks_find_circles (LcDeadlocks *deadlocks, const LcDeadlockRanks *ranks, GCancellable *cancellable, GError **error)
{
  const guint32 n = lc_history_get_n_processes (ranks->history);
  g_autofree gboolean *is_rank = g_new0 (gboolean, MAX (n, 1)), *is_beyond = g_new0 (gboolean, MAX (n, 1));

  for (guint i = 0; i < deadlocks->blocked->len; i++)
    {
      LcBlocked *blocked = &g_array_index (deadlocks->blocked, LcBlocked, i);
      const LcDeadlockRank *rank = lc_deadlock_ranks_of (ranks, blocked->process);

      if (rank == NULL || rank->process != blocked->process)
        continue;
      if (!rank->is_sure && !lc_deadlock_ranks_are_of_main (ranks, rank, &blocked->has_threads, cancellable, error))
        return FALSE;
      is_rank[blocked->process] = rank->is_sure || blocked->has_threads;
    }
  if (deadlocks->blocked->len > 0)
    {
      g_array_unref (deadlocks->finalized);
      deadlocks->finalized = lc_deadlock_ranks_list_finalized (ranks, cancellable, error);
      if (deadlocks->finalized == NULL)
        return FALSE;
    }
  for (guint i = 0; i < deadlocks->finalized->len; i++)
    is_beyond[g_array_index (deadlocks->finalized, LcFinalized, i).process] = TRUE;
  find_circles (deadlocks, is_rank, is_beyond, n);
  for (guint i = 0; i < deadlocks->blocked->len; i++)
    deadlock_choose_member (ranks->history, &g_array_index (deadlocks->blocked, LcBlocked, i));
  return TRUE;
}

static gboolean
deadlocks_find_stuck (LcDeadlocks *deadlocks, LcHistory *history, gboolean is_apparent, GCancellable *cancellable,
                      GError **error)
{
  if (deadlocks->blocked->len == 0 || (!is_apparent && lc_history_get_until (history) != 0))
    return TRUE;
  g_ptr_array_unref (deadlocks->stuck);
  deadlocks->stuck = lc_deadlocks_list_stuck (history, deadlocks, cancellable, error);
  return deadlocks->stuck != NULL;
}

static LcDeadlocks *
deadlocks_find (LcHistory *history, gboolean is_apparent, GCancellable *cancellable, GError **error)
{
  /* An object that is never given back is held at the end of time. */
  LcWindow window = {.timeline = LC_TIMELINE_MEASURED, .axis = LC_AXIS_TIME, .from = G_MAXINT64 - 1, .to = G_MAXINT64};
  g_autoptr (LcDeadlocks) deadlocks = deadlocks_new ();
  g_autoptr (LcDeadlockRanks) ranks = lc_deadlock_ranks_new (history);
  g_autoptr (GArray) kept = NULL;

  ranks->is_apparent = is_apparent;
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      LcBlocked blocked = {.process = i, .pending = lc_history_get_process (history, i)->pending};

      if (blocked.pending.operation == LC_TRACE_NONE)
        continue;
      if (kept == NULL && !lc_history_list_holding (history, &window, G_MAXSIZE, cancellable, &kept, error))
        return NULL;
      if (!find_holder_in_history (ranks, kept, &blocked, cancellable, error))
        return NULL;
      g_array_append_val (deadlocks->blocked, blocked);
    }
  return deadlocks_find_circles (deadlocks, ranks, cancellable, error) &&
                 deadlocks_find_stuck (deadlocks, history, is_apparent, cancellable, error)
             ? g_steal_pointer (&deadlocks)
             : NULL;
}

LcDeadlocks *
lc_deadlocks_find_in_history (LcHistory *history, GCancellable *cancellable, GError **error)
{
  return deadlocks_find (history, FALSE, cancellable, error);
}

LcDeadlocks *
lc_deadlocks_find_apparent (LcHistory *history, GCancellable *cancellable, GError **error)
{
  return deadlocks_find (history, TRUE, cancellable, error);
}

void
lc_deadlocks_free (LcDeadlocks *deadlocks)
{
  if (deadlocks == NULL)
    return;
  g_array_unref (deadlocks->blocked);
  g_ptr_array_unref (deadlocks->circles);
  g_clear_pointer (&deadlocks->finalized, g_array_unref);
  g_clear_pointer (&deadlocks->stuck, g_ptr_array_unref);
  g_free (deadlocks);
}
