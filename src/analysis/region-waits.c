/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of a pool's threads for their next parallel region, by what its master did meanwhile. */
#include "region-waits.h"

#include "basis.h"

/*
 * A thread of a pool has one event for all the time from the end of its part in a region to the begin of its next part.
 * While the master is still in a region, the thread waits for that one's end; the rest it waits for the master to come
 * to its next region.
 */
enum
{
  MOST_EVENTS = 8192, /* of the master that are looked at for one wait */
};

typedef enum
{
  OTHER_EVENT,
  PART_BEGIN,
  REGION_BEGIN,
  REGION_END,
  TASKS_END,
} Kind;

struct _LcRegionWaits
{
  LcHistory *history;
  GCancellable *cancellable;
  guint8 *kinds;         /* Kind, by operation */
  GArray *parts;         /* of the last event */
  LcHistoryWalk *events; /* NULL before the first event that begins a part */
  LcBasisFinder *finder;
  guint32 timeline;
};

static Kind
region_waits_kind_of (const LcHistoryOperation *operation)
{
  static const struct
  {
    const char *class_name, *name;
    Kind kind;
  } kinds[] = {{"team", "team-start", PART_BEGIN},
               {"team", "fork", REGION_BEGIN},
               {"team", "team-join", REGION_END},
               {"task", "task-wait", TASKS_END}};

  for (gsize i = 0; operation != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (operation->class_name, kinds[i].class_name) == 0 && g_strcmp0 (operation->name, kinds[i].name) == 0)
      return kinds[i].kind;
  return OTHER_EVENT;
}

LcRegionWaits *
lc_region_waits_new (LcHistory *history, guint32 timeline, GCancellable *cancellable)
{
  LcRegionWaits *waits = g_new0 (LcRegionWaits, 1);
  const guint32 n = lc_history_get_n_operations (history);

  waits->history = history;
  waits->timeline = timeline;
  waits->cancellable = cancellable;
  waits->parts = g_array_new (FALSE, FALSE, sizeof (LcRegionWait));
  waits->kinds = g_new0 (guint8, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    waits->kinds[i] = (guint8)region_waits_kind_of (lc_history_get_operation (history, i));
  return waits;
}

void
lc_region_waits_free (LcRegionWaits *waits)
{
  if (waits == NULL)
    return;
  lc_basis_finder_free (waits->finder);
  lc_history_walk_free (waits->events);
  g_array_unref (waits->parts);
  g_free (waits->kinds);
  g_free (waits);
}

static gboolean
region_waits_open (LcRegionWaits *waits, GError **error)
{
  if (waits->events != NULL)
    return TRUE;
  waits->events = lc_history_walk_new (waits->history, waits->timeline, LC_WALK_ARCS, waits->cancellable, error);
  if (waits->events == NULL)
    return FALSE;
  waits->finder = lc_basis_finder_new (waits->history, waits->timeline, waits->events, waits->cancellable);
  return TRUE;
}

static gboolean
region_waits_get (const LcRegionWaits *waits, guint32 process, guint64 ordinal, LcHistoryEvent *event, LcBasis *basis,
                  GError **error)
{
  const LcHistoryArcEnd *arcs;

  return lc_history_walk_get (waits->events, process, ordinal, event, &arcs, error) &&
         (basis == NULL || lc_basis_find (waits->finder, event, arcs, basis, error));
}

/* Whether the master waited for tasks first: that event ends where `end` begins. */
static gboolean
region_waits_find_tasks (const LcRegionWaits *waits, const LcHistoryEvent *end, LcHistoryEvent *tasks, LcBasis *basis,
                         gboolean *has_tasks, GError **error)
{
  *has_tasks = FALSE;
  if (end->ordinal == 0)
    return TRUE;
  if (!region_waits_get (waits, end->process, end->ordinal - 1, tasks, basis, error))
    return FALSE;
  *has_tasks = waits->kinds[tasks->operation] == TASKS_END && tasks->end == end->begin;
  return TRUE;
}

/* Finds who ended the master's region last, that is not the waiting process: the master, if it waited for nobody. */
static gboolean
region_waits_find_ender (const LcRegionWaits *waits, const LcHistoryEvent *end, guint32 waiter, LcBasis *basis,
                         GError **error)
{
  LcHistoryEvent event = *end;
  gboolean has_tasks;

  if (!region_waits_get (waits, end->process, end->ordinal, &event, basis, error))
    return FALSE;
  if (event.waited == 0 || basis->process == LC_TRACE_NONE)
    {
      if (!region_waits_find_tasks (waits, end, &event, basis, &has_tasks, error))
        return FALSE;
      if (!has_tasks || event.waited == 0)
        basis->process = LC_TRACE_NONE;
    }
  if (basis->process == LC_TRACE_NONE || basis->process == waiter)
    *basis = (LcBasis){end->process, LC_POINT_END, end->ordinal, end->end};
  return TRUE;
}

/* Adds the part of a wait from `begin` on in which the master was in a region. */
static gboolean
region_waits_add (const LcRegionWaits *waits, const LcHistoryEvent *event, const LcHistoryEvent *end, guint64 begin,
                  GError **error)
{
  const guint64 from = MAX (begin, event->begin), to = MIN (end->end, event->begin + event->waited);
  LcRegionWait part = {.object = end->object, .stack = end->stack};

  if (from >= to)
    return TRUE;
  part.begin = from;
  part.waited = to - from;
  if (!region_waits_find_ender (waits, end, event->process, &part.basis, error))
    return FALSE;
  g_array_append_val (waits->parts, part);
  return TRUE;
}

/* Goes back through what the master did before it handed out the region, to the begin of the wait. */
static gboolean
region_waits_look_back (const LcRegionWaits *waits, const LcHistoryEvent *event, const LcBasis *handed_out,
                        GError **error)
{
  LcHistoryEvent end = {0}, at;
  gboolean is_inside = FALSE;
  guint64 known = event->begin; /* from when on it is known in which region the master was */
  guint n = 0;

  for (guint64 after = handed_out->ordinal; after > 0; after--, n++)
    {
      if (n == MOST_EVENTS)
        {
          known = at.begin;
          break;
        }
      if (!region_waits_get (waits, handed_out->process, after - 1, &at, NULL, error))
        return FALSE;
      if (at.end <= event->begin)
        break;
      if (!is_inside && waits->kinds[at.operation] == REGION_END)
        {
          end = at;
          is_inside = TRUE;
        }
      else if (is_inside && waits->kinds[at.operation] == REGION_BEGIN && at.object == end.object &&
               at.sequence == end.sequence)
        {
          if (!region_waits_add (waits, event, &end, at.end, error))
            return FALSE;
          is_inside = FALSE;
        }
    }
  return !is_inside || region_waits_add (waits, event, &end, known, error);
}

gboolean
lc_region_waits_find (LcRegionWaits *waits, const LcHistoryEvent *event, const GArray **parts, GError **error)
{
  LcHistoryEvent found;
  LcBasis basis;

  g_array_set_size (waits->parts, 0);
  *parts = waits->parts;
  if (event->waited == 0 || waits->kinds[event->operation] != PART_BEGIN)
    return TRUE;
  return region_waits_open (waits, error) &&
         region_waits_get (waits, event->process, event->ordinal, &found, &basis, error) &&
         (basis.process == LC_TRACE_NONE || region_waits_look_back (waits, &found, &basis, error));
}

guint64
lc_region_waits_rest (const LcHistoryEvent *event, const GArray *parts)
{
  guint64 rest = event->waited;

  for (guint i = 0; i < parts->len; i++)
    rest -= g_array_index (parts, LcRegionWait, i).waited;
  return rest;
}

void
lc_region_waits_get_gap (const LcHistoryEvent *event, const GArray *parts, guint i, guint64 *from, guint64 *to)
{
  const LcRegionWait *earlier = i < parts->len ? &g_array_index (parts, LcRegionWait, i) : NULL;

  *from = earlier != NULL ? earlier->begin + earlier->waited : event->begin;
  *to = i > 0 ? g_array_index (parts, LcRegionWait, i - 1).begin : event->begin + event->waited;
}
