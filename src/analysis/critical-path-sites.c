/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path by places in the source: from which to which its pieces lead. */
#include "lightcone/sites.h"

typedef struct
{
  LcSiteGroups *groups;
  guint32 timeline;
  LcHistory *history;
  LcHistoryWalk *events;
  GHashTable *rows; /* LcCriticalSites, by part, process, from and to */
  GError *error;

  /* The present stay. */
  const LcCriticalStay *stay;
  guint32 last;      /* group of its last event */
  guint64 computing; /* after that event, and before the next one, ns; 0: there is nothing to add */
} Pieces;

guint
lc_critical_sites_hash (gconstpointer piece)
{
  const LcCriticalSites *row = piece;

  return ((row->from * 31 + row->to) * 31 + row->process) * 3 + row->part;
}

gboolean
lc_critical_sites_equal (gconstpointer one, gconstpointer other)
{
  const LcCriticalSites *a = one, *b = other;

  return a->part == b->part && a->process == b->process && a->from == b->from && a->to == b->to;
}

static void
path_sites_add (const Pieces *pieces, LcCriticalPart part, guint32 process, guint32 from, guint32 to, guint64 time)
{
  const LcCriticalSites key = {.part = part, .process = process, .from = from, .to = to};
  LcCriticalSites *row = g_hash_table_lookup (pieces->rows, &key);

  if (row == NULL)
    {
      row = g_memdup2 (&key, sizeof key);
      g_hash_table_add (pieces->rows, row);
    }
  row->time += time;
  row->visits++;
}

/* Finds the group of an event of any process. Without such an event it is 0. */
static gboolean
path_sites_find (Pieces *pieces, guint32 process, guint64 ordinal, guint32 *group)
{
  LcHistoryEvent event;
  guint64 events;

  *group = 0;
  if (process == LC_TRACE_NONE)
    return TRUE;
  if (!lc_history_count_events (pieces->history, pieces->timeline, process, &events, &pieces->error))
    return FALSE;
  if (ordinal >= events)
    return TRUE;
  if (!lc_history_walk_get (pieces->events, process, ordinal, &event, NULL, &pieces->error))
    return FALSE;
  *group = lc_site_groups_find (pieces->groups, event.stack);
  return TRUE;
}

static void
path_sites_end_computing (Pieces *pieces, guint32 to)
{
  if (pieces->computing > 0)
    path_sites_add (pieces, LC_CRITICAL_COMPUTING, pieces->stay->process, pieces->last, to, pieces->computing);
  pieces->computing = 0;
}

/* Ends the stay with the computing before the event whose begin released another process. */
static gboolean
path_sites_end_stay (Pieces *pieces)
{
  guint32 next = 0;

  if (pieces->stay == NULL || pieces->computing == 0)
    return TRUE;
  if (!path_sites_find (pieces, pieces->stay->process, pieces->stay->last, &next))
    return FALSE;
  path_sites_end_computing (pieces, next);
  return TRUE;
}

/* A stay without a hop may begin in the middle of a process; else before the function that the process runs. */
static gboolean
path_sites_begin_stay (Pieces *pieces, const LcCriticalStay *stay)
{
  const LcHistoryProcess *process;

  if (!path_sites_end_stay (pieces))
    return FALSE;
  pieces->stay = stay;
  if (stay->first > 0)
    return path_sites_find (pieces, stay->process, stay->first - 1, &pieces->last);
  process = lc_history_get_process (pieces->history, stay->process);
  pieces->last = process->start != LC_TRACE_NONE ? lc_site_groups_find (pieces->groups, process->start)
                                                 : lc_site_groups_get_begin (pieces->groups);
  return TRUE;
}

static gboolean
path_sites_visit (const LcCriticalSegment *segment, gpointer data)
{
  Pieces *pieces = data;
  guint64 time = segment->end - segment->begin;
  guint32 from, group;

  if (segment->stay != pieces->stay && !path_sites_begin_stay (pieces, segment->stay))
    return FALSE;
  if (segment->part == LC_CRITICAL_COMPUTING)
    {
      pieces->computing += time;
      return TRUE;
    }
  group = lc_site_groups_find (pieces->groups, segment->event->stack);
  if (segment->part == LC_CRITICAL_HOP)
    {
      if (!path_sites_find (pieces, segment->stay->from_process, segment->stay->from_ordinal, &from))
        return FALSE;
      path_sites_add (pieces, LC_CRITICAL_HOP, segment->process, from, group, time);
    }
  else
    {
      path_sites_end_computing (pieces, group);
      path_sites_add (pieces, LC_CRITICAL_EVENT, segment->process, group, group, time);
    }
  pieces->last = group;
  return TRUE;
}

static int
path_sites_compare (gconstpointer a, gconstpointer b)
{
  const LcCriticalSites *one = a, *other = b;

  if (one->time != other->time)
    return one->time > other->time ? -1 : 1;
  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  if (one->from != other->from)
    return one->from < other->from ? -1 : 1;
  if (one->to != other->to)
    return one->to < other->to ? -1 : 1;
  return (one->part > other->part) - (one->part < other->part);
}

static GArray *
path_sites_list (GHashTable *rows)
{
  GArray *result = g_array_new (FALSE, FALSE, sizeof (LcCriticalSites));
  GHashTableIter iter;
  gpointer row;

  g_hash_table_iter_init (&iter, rows);
  while (g_hash_table_iter_next (&iter, &row, NULL))
    g_array_append_vals (result, row, 1);
  g_array_sort (result, path_sites_compare);
  return result;
}

GArray *
lc_critical_path_sites (LcCriticalPath *path, LcHistory *history, guint32 timeline, LcSiteGroups *groups,
                        GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) rows = g_hash_table_new_full (lc_critical_sites_hash, lc_critical_sites_equal, g_free, NULL);
  g_autoptr (LcHistoryWalk) events = NULL;
  Pieces pieces = {.groups = groups, .timeline = timeline, .history = history, .rows = rows};

  if (!lc_history_read_places (history, error))
    return NULL;
  if (lc_history_get_n_stacks (history) == 0)
    return path_sites_list (rows);
  pieces.events = events = lc_history_walk_new (history, timeline, LC_WALK_ARCS, cancellable, error);
  if (events == NULL || !lc_critical_path_visit (path, path_sites_visit, &pieces, cancellable, error))
    return NULL;
  if (pieces.error != NULL || !path_sites_end_stay (&pieces))
    {
      g_propagate_error (error, g_steal_pointer (&pieces.error));
      return NULL;
    }
  return path_sites_list (rows);
}
