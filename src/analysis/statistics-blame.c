/* SPDX-License-Identifier: Apache-2.0 */
/* Blame: each wait is charged to the places in the source that made it last. */
#include "basis.h"
#include "lightcone/deadlock.h"
#include "lightcone/sites.h"
#include "preempted.h"
#include "region-waits.h"
#include "waits-asked.h"

/* Limits of the work for one wait. The time that is left then goes to the last one that is known. */
enum
{
  MOST_LINKS = 64,    /* processes that wait for one another */
  MOST_EVENTS = 8192, /* events that are looked at */
};

typedef struct
{
  LcBlame blame;
  guint64 wait; /* number of the wait that was counted last */
} Row;

typedef struct
{
  LcHistory *history;
  LcSiteGroups *groups; /* or NULL */
  const LcWaitsAsked *asked;
  const LcFiltering *filtering; /* of what is asked for */
  GHashTable *rows;             /* Row, by waiter, blamed and object */
  LcHistoryWalk *events;
  LcBasisFinder *finder;
  LcPreempted *preempted;
  LcRegionWaits *region_waits;
  LcDeadlocks *deadlocks; /* found when a wait is met that never ended */
  GCancellable *cancellable;
  GError *error;

  /* The present wait. */
  guint64 wait; /* its number, from 1 on */
  guint32 waiter;
  guint32 object;
  guint looked_at;
} Blaming;

/* A part of a wait, and the point that it is charged to. */
typedef struct
{
  guint64 from;
  guint64 to;
  LcBasis basis;
  guint links; /* before it in the chain */
} Charge;

/* --- Rows ---------------------------------------------------------------------------------------------------- */

static guint
blame_hash_row (gconstpointer data)
{
  const LcBlame *blame = &((const Row *)data)->blame;

  return (blame->waiter * 31 + blame->blamed) * 31 + blame->object;
}

static gboolean
blame_equal_rows (gconstpointer a, gconstpointer b)
{
  const LcBlame *one = &((const Row *)a)->blame, *other = &((const Row *)b)->blame;

  return one->waiter == other->waiter && one->blamed == other->blamed && one->object == other->object;
}

static guint32
blame_find_key (const Blaming *blaming, guint32 stack)
{
  return blaming->groups != NULL ? lc_site_groups_find (blaming->groups, stack) : stack;
}

static void
blame_add (const Blaming *blaming, guint32 stack, guint64 time, guint64 preempted)
{
  const Row key = {
      .blame = {.waiter = blaming->waiter, .blamed = blame_find_key (blaming, stack), .object = blaming->object}};
  Row *row;

  if (time == 0)
    return;
  row = g_hash_table_lookup (blaming->rows, &key);
  if (row == NULL)
    {
      row = g_memdup2 (&key, sizeof key);
      g_hash_table_add (blaming->rows, row);
    }
  row->blame.time += time;
  row->blame.preempted += preempted;
  row->blame.waits += row->wait != blaming->wait;
  row->wait = blaming->wait;
}

/* --- The chain ----------------------------------------------------------------------------------------------- */

static gboolean blame_charge (Blaming *blaming, const Charge *charge);

/* What of a charge stays with its process: before `to`, what it still may pass on. */
typedef struct
{
  guint64 to;
  guint64 time;
  guint64 preempted; /* of that */
} Kept;

/* Keeps what comes after a time. */
static gboolean
blame_keep (Blaming *blaming, const Charge *charge, guint64 from, Kept *kept)
{
  guint64 preempted;

  if (!lc_preempted_sum (blaming->preempted, charge->basis.process, from, kept->to, &preempted, &blaming->error))
    return FALSE;
  kept->time += kept->to - from;
  kept->preempted += preempted;
  kept->to = from;
  return TRUE;
}

/* Whether the event left the program: it slept, or read, and so on. */
static gboolean
blame_is_outside (const Blaming *blaming, const LcHistoryEvent *event)
{
  const LcHistoryOperation *operation = lc_history_get_operation (blaming->history, event->operation);

  return operation != NULL && g_strcmp0 (operation->class_name, "io") == 0;
}

/* Charges what an event took that left the program to its own place, and keeps what comes after. */
static gboolean
blame_charge_outside (Blaming *blaming, const Charge *charge, const LcHistoryEvent *event, Kept *kept)
{
  const guint64 from = MAX (charge->from, event->begin), to = MIN (kept->to, event->end);
  guint64 preempted;

  if (from >= to || !blame_is_outside (blaming, event))
    return TRUE;
  if (!blame_keep (blaming, charge, to, kept) ||
      !lc_preempted_sum (blaming->preempted, charge->basis.process, from, to, &preempted, &blaming->error))
    return FALSE;
  blame_add (blaming, event->stack, to - from, preempted);
  kept->to = from;
  return TRUE;
}

/* Passes the part of a charge on in which an event of the charged process waited itself, and keeps what comes after. */
static gboolean
blame_pass_on (Blaming *blaming, const Charge *charge, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs,
               Kept *kept)
{
  Charge part = {.from = MAX (charge->from, event->begin),
                 .to = MIN (kept->to, event->begin + event->waited),
                 .links = charge->links + 1};

  if (event->waited == 0 || part.from >= part.to)
    return blame_charge_outside (blaming, charge, event, kept);
  if (!lc_basis_find (blaming->finder, event, arcs, &part.basis, &blaming->error))
    return FALSE;
  if (part.basis.process == LC_TRACE_NONE)
    return blame_charge_outside (blaming, charge, event, kept);
  if (!blame_keep (blaming, charge, part.to, kept))
    return FALSE;
  kept->to = part.from;
  return blame_charge (blaming, &part);
}

static gboolean
blame_charge (Blaming *blaming, const Charge *charge)
{
  const LcBasis *basis = &charge->basis;
  guint64 after = basis->point == LC_POINT_END ? basis->ordinal + 1 : basis->ordinal;
  Kept kept = {.to = charge->to};
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent event;
  guint32 stack;

  if (!lc_history_walk_get (blaming->events, basis->process, basis->ordinal, &event, NULL, &blaming->error))
    return FALSE;
  stack = event.stack;
  for (; after > 0 && charge->links < MOST_LINKS && blaming->looked_at < MOST_EVENTS; after--)
    {
      blaming->looked_at++;
      if (!lc_history_walk_get (blaming->events, basis->process, after - 1, &event, &arcs, &blaming->error))
        return FALSE;
      if (event.end <= charge->from)
        break;
      if (!blame_pass_on (blaming, charge, &event, arcs, &kept))
        return FALSE;
    }
  if (!blame_keep (blaming, charge, charge->from, &kept))
    return FALSE;
  blame_add (blaming, stack, kept.time, kept.preempted);
  return TRUE;
}

/* Cuts a wait at the ends of the span that is asked for. */
static void
blame_cut (const LcWaitsAsked *asked, Charge *charge)
{
  if (asked->axis != LC_AXIS_TIME || asked->from >= asked->to)
    return;
  charge->from = MAX (charge->from, asked->from);
  charge->to = MIN (charge->to, asked->to);
}

/* A wait that never ended is for who keeps what it waits for, or has not sent or come. The place of that one is where
 * it waits itself, or else where it got the object, or its last event. Gives LC_TRACE_NONE if none is known. */
static gboolean
blame_find_in_vain (Blaming *blaming, const LcHistoryEvent *event, guint32 *stack)
{
  LcHistoryEvent last;

  *stack = LC_TRACE_NONE;
  if (lc_history_get_never_ended (blaming->history, event) == NULL)
    return TRUE;
  if (blaming->deadlocks == NULL)
    blaming->deadlocks = lc_deadlocks_find_in_history (blaming->history, blaming->cancellable, &blaming->error);
  if (blaming->deadlocks == NULL)
    return FALSE;
  for (guint i = 0; i < blaming->deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (blaming->deadlocks->blocked, LcBlocked, i);
      const LcHistoryProcess *holder = lc_history_get_process (blaming->history, blocked->holder);

      if (blocked->process != event->origin_process || holder == NULL)
        continue;
      if (holder->pending.operation != LC_TRACE_NONE)
        *stack = holder->pending.stack;
      else if (lc_history_get_event (blaming->history, LC_TIMELINE_MEASURED, blocked->holder, blocked->holder_ordinal,
                                     &last, NULL))
        *stack = last.stack;
    }
  return TRUE;
}

/* Charges the wait that is being counted, or a part of it, that was waited at a place. */
static gboolean
blame_add_charge (Blaming *blaming, Charge *charge, const LcHistoryEvent *event, guint32 stack, guint32 object)
{
  guint32 kept;

  blame_cut (blaming->asked, charge);
  blaming->waiter = blame_find_key (blaming, stack);
  blaming->object = object;
  blaming->looked_at = 0;
  if (charge->from >= charge->to)
    return TRUE;
  if (charge->basis.process != LC_TRACE_NONE)
    return blame_charge (blaming, charge);
  if (!blame_find_in_vain (blaming, event, &kept))
    return FALSE;
  blame_add (blaming, kept, charge->to - charge->from, 0);
  return TRUE;
}

static gboolean
blame_add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Blaming *blaming = data;
  const GArray *parts;
  LcBasis basis;

  if (!lc_waits_asked_has (blaming->asked, blaming->filtering, event))
    return TRUE;
  if (!lc_region_waits_find (blaming->region_waits, event, &parts, &blaming->error) ||
      !lc_basis_find (blaming->finder, event, arcs, &basis, &blaming->error))
    return FALSE;
  blaming->wait++;
  for (guint i = 0; i < parts->len; i++)
    {
      const LcRegionWait *part = &g_array_index (parts, LcRegionWait, i);
      Charge charge = {.from = part->begin, .to = part->begin + part->waited, .basis = part->basis};

      if (!blame_add_charge (blaming, &charge, event, part->stack, part->object))
        return FALSE;
    }
  for (guint i = 0; i <= parts->len; i++)
    {
      Charge charge = {.basis = basis};

      lc_region_waits_get_gap (event, parts, i, &charge.from, &charge.to);
      if (!blame_add_charge (blaming, &charge, event, event->stack, event->object))
        return FALSE;
    }
  return TRUE;
}

/* --- All of it ----------------------------------------------------------------------------------------------- */

static int
blame_compare (gconstpointer a, gconstpointer b)
{
  const LcBlame *one = a, *other = b;

  if (one->time != other->time)
    return one->time > other->time ? -1 : 1;
  if (one->waiter != other->waiter)
    return one->waiter < other->waiter ? -1 : 1;
  if (one->blamed != other->blamed)
    return one->blamed < other->blamed ? -1 : 1;
  return (one->object > other->object) - (one->object < other->object);
}

static GArray *
blame_list (GHashTable *rows)
{
  GArray *result = g_array_new (FALSE, FALSE, sizeof (LcBlame));
  GHashTableIter iter;
  gpointer row;

  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, &row, NULL))
    g_array_append_val (result, ((Row *)row)->blame);
  g_array_sort (result, blame_compare);
  return result;
}

/* Finds the events of a process that can have waited in the span that is asked for: from `first` to before `last`. */
static gboolean
blame_find_part (const Blaming *blaming, guint32 timeline, guint32 process, guint64 *first, guint64 *last,
                 GError **error)
{
  const LcWaitsAsked *asked = blaming->asked;
  LcHistoryEvent event;

  *first = 0;
  if (!lc_history_count_events (blaming->history, timeline, process, last, error))
    return FALSE;
  if (*last == 0 || asked->axis != LC_AXIS_TIME || asked->from >= asked->to)
    return TRUE;
  if (!lc_history_find_event_at (blaming->history, timeline, process, asked->from, &event, error))
    return FALSE;
  *first = event.ordinal;
  if (!lc_history_find_event_at (blaming->history, timeline, process, asked->to, &event, error))
    return FALSE;
  *last = event.ordinal + 1;
  return TRUE;
}

static gboolean
blame_visit (Blaming *blaming, guint32 timeline, GCancellable *cancellable, GError **error)
{
  const LcWaitsAsked *asked = blaming->asked;
  gboolean is_part = asked->processes != NULL;
  guint32 n = is_part ? asked->n_processes : lc_history_get_n_processes (blaming->history);
  guint64 first, last;

  for (guint32 i = 0; i < n; i++)
    {
      guint32 process = is_part ? asked->processes[i] : i;

      if (!blame_find_part (blaming, timeline, process, &first, &last, error))
        return FALSE;
      if (first < last && !lc_history_visit (blaming->history, timeline, process, first, last, blame_add_event, blaming,
                                             cancellable, error))
        return FALSE;
      if (blaming->error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&blaming->error));
          return FALSE;
        }
    }
  return TRUE;
}

GArray *
lc_statistics_blame (LcHistory *history, guint32 timeline, const LcWaitsAsked *asked, LcSiteGroups *groups,
                     GCancellable *cancellable, GError **error)
{
  static const LcWaitsAsked all = {.axis = LC_AXIS_TIME};
  g_auto (LcFiltering) filtering = {0};
  g_autoptr (GHashTable) rows = g_hash_table_new_full (blame_hash_row, blame_equal_rows, g_free, NULL);
  g_autoptr (LcHistoryWalk) events = NULL;
  g_autoptr (LcBasisFinder) finder = NULL;
  g_autoptr (LcPreempted) preempted = NULL;
  g_autoptr (LcRegionWaits) region_waits = lc_region_waits_new (history, timeline, cancellable);
  Blaming blaming = {.history = history,
                     .groups = groups,
                     .asked = asked != NULL ? asked : &all,
                     .filtering = &filtering,
                     .region_waits = region_waits,
                     .cancellable = cancellable,
                     .rows = rows};
  gboolean good;

  if (!lc_history_read_places (history, error) ||
      !lc_filtering_begin (&filtering, &blaming.asked->filters, history, cancellable, error))
    return NULL;
  if (lc_history_get_n_stacks (history) == 0)
    return blame_list (rows);
  events = lc_history_walk_new (history, timeline, LC_WALK_ARCS, cancellable, error);
  if (events == NULL)
    return NULL;
  blaming.events = events;
  blaming.preempted = preempted = lc_preempted_new (history, timeline, cancellable);
  blaming.finder = finder = lc_basis_finder_new (history, timeline, events, cancellable);
  good = blame_visit (&blaming, timeline, cancellable, error);
  lc_deadlocks_free (blaming.deadlocks);
  return good ? blame_list (rows) : NULL;
}
