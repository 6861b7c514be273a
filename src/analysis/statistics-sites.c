/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics by place in the source: events, waiting, the waiting of others, and holding. */
#include <string.h>

#include "basis.h"
#include "lightcone/sites.h"
#include "region-waits.h"
#include "within.h"

typedef struct
{
  LcHistory *history;
  LcSiteGroups *groups;
  GArray *rows;          /* LcSiteStatistics, by group */
  GHashTable *pairs;     /* guint64 (made to wait by << 32 | waited in) to guint64: how long */
  LcHistoryWalk *events; /* of the timeline, to look up stacks */
  LcBasisFinder *finder;
  LcRegionWaits *region_waits;
  GError *error;
} Sites;

/* Gives the row of a group, until the next call. */
static LcSiteStatistics *
statistics_sites_get_row (const Sites *sites, guint32 group)
{
  while (sites->rows->len <= group)
    {
      const LcSiteStatistics empty = {.group = sites->rows->len};

      g_array_append_val (sites->rows, empty);
    }
  return &g_array_index (sites->rows, LcSiteStatistics, group);
}

/* --- Who made whom wait -------------------------------------------------------------------------------------- */

static void
statistics_sites_add_pair (const Sites *sites, guint32 blamed, guint32 waiter, guint64 waited)
{
  const guint64 key = (guint64)blamed << 32 | waiter;
  guint64 *time = g_hash_table_lookup (sites->pairs, &key);

  if (time == NULL)
    {
      time = g_new0 (guint64, 1);
      g_hash_table_insert (sites->pairs, g_memdup2 (&key, sizeof key), time);
    }
  *time += waited;
}

static gboolean
statistics_sites_blame (Sites *sites, const LcBasis *basis, guint64 waited, guint32 waiter)
{
  LcHistoryEvent from;
  LcSiteStatistics *row;

  if (basis->process == LC_TRACE_NONE)
    return TRUE;
  if (!lc_history_walk_get (sites->events, basis->process, basis->ordinal, &from, NULL, &sites->error))
    return FALSE;
  row = statistics_sites_get_row (sites, lc_site_groups_find (sites->groups, from.stack));
  row->made_waits++;
  row->made_wait += waited;
  statistics_sites_add_pair (sites, row->group, waiter, waited);
  return TRUE;
}

/* Of groups that waited equally long, the one that was found first suffered most. */
static void
statistics_sites_find_whom (const Sites *sites)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, sites->pairs);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint64 pair = *(const guint64 *)key, time = *(const guint64 *)value;
      LcSiteStatistics *row = statistics_sites_get_row (sites, (guint32)(pair >> 32));
      guint32 waiter = (guint32)pair;

      if (time > row->whom_waited || (time == row->whom_waited && waiter < row->whom))
        {
          row->whom_waited = time;
          row->whom = waiter;
        }
    }
}

/* --- Events and holding -------------------------------------------------------------------------------------- */

/* The recorder writes pauses itself, so that they are nowhere in the program. */
static gboolean
statistics_sites_is_pause (const Sites *sites, const LcHistoryEvent *event)
{
  const LcHistoryOperation *operation;

  if (event->stack != LC_TRACE_NONE || event->waited > 0)
    return FALSE;
  operation = lc_history_get_operation (sites->history, event->operation);
  return operation != NULL && strcmp (operation->name, "pause") == 0 && strcmp (operation->class_name, "mark") == 0;
}

/* Counts a wait, or a part of it, where it was waited and where others made it last. */
static gboolean
statistics_sites_add_wait (Sites *sites, const LcHistoryEvent *event, guint32 stack, guint64 waited,
                           const LcBasis *basis)
{
  LcSiteStatistics *row = statistics_sites_get_row (sites, lc_site_groups_find (sites->groups, stack));

  row->waits++;
  row->waited += waited;
  if (waited > row->longest)
    {
      row->longest = waited;
      row->longest_process = event->process;
      row->longest_ordinal = event->ordinal;
    }
  return statistics_sites_blame (sites, basis, waited, row->group);
}

static gboolean
statistics_sites_add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Sites *sites = data;
  LcSiteStatistics *row;
  const GArray *parts;
  guint64 rest;
  LcBasis basis;

  if (statistics_sites_is_pause (sites, event))
    return TRUE;
  row = statistics_sites_get_row (sites, lc_site_groups_find (sites->groups, event->stack));
  row->events++;
  row->time += event->end - event->begin;
  if (event->waited == 0)
    return TRUE;
  if (!lc_region_waits_find (sites->region_waits, event, &parts, &sites->error) ||
      !lc_basis_find (sites->finder, event, arcs, &basis, &sites->error))
    return FALSE;
  rest = lc_region_waits_rest (event, parts);
  for (guint i = 0; i < parts->len; i++)
    {
      const LcRegionWait *part = &g_array_index (parts, LcRegionWait, i);

      if (!statistics_sites_add_wait (sites, event, part->stack, part->waited, &part->basis))
        return FALSE;
    }
  return rest == 0 || statistics_sites_add_wait (sites, event, event->stack, rest, &basis);
}

static void
statistics_sites_add_held (const LcHoldingSpan *span, guint64 held, gpointer data)
{
  Sites *sites = data;
  LcHistoryEvent taken;

  if (sites->error == NULL &&
      lc_history_walk_get (sites->events, span->process, span->begin_ordinal, &taken, NULL, &sites->error))
    statistics_sites_get_row (sites, lc_site_groups_find (sites->groups, taken.stack))->held += held;
}

static gboolean
statistics_sites_add_process (Sites *sites, guint32 timeline, guint32 process, GCancellable *cancellable,
                              GError **error)
{
  gboolean good = lc_history_visit (sites->history, timeline, process, 0, G_MAXUINT64, statistics_sites_add_event,
                                    sites, cancellable, error) &&
                  sites->error == NULL &&
                  lc_within_visit_spans (sites->history, timeline, process, 0, 0, statistics_sites_add_held, sites,
                                         cancellable, error) &&
                  sites->error == NULL;

  if (sites->error != NULL)
    g_propagate_error (error, g_steal_pointer (&sites->error));
  return good;
}

/* --- All of it ----------------------------------------------------------------------------------------------- */

static int
statistics_sites_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const LcSiteStatistics *one = a, *other = b;
  const LcSiteGroups *groups = data;
  guint64 of_one = one->waited + one->made_wait, of_other = other->waited + other->made_wait;
  int order;

  if (of_one != of_other)
    return of_one > of_other ? -1 : 1;
  order = g_strcmp0 (lc_site_groups_get_name (groups, one->group), lc_site_groups_get_name (groups, other->group));
  return order != 0 ? order : (one->group > other->group) - (one->group < other->group);
}

/* Leaves out the unknown group if nothing belongs to it. */
static GArray *
statistics_sites_list (Sites *sites)
{
  GArray *result = g_array_new (FALSE, FALSE, sizeof (LcSiteStatistics));

  statistics_sites_find_whom (sites);
  for (guint i = 0; i < sites->rows->len; i++)
    {
      const LcSiteStatistics *row = &g_array_index (sites->rows, LcSiteStatistics, i);

      if (row->events > 0 || row->made_waits > 0 || row->held > 0)
        g_array_append_val (result, *row);
    }
  g_array_sort_with_data (result, statistics_sites_compare, sites->groups);
  return result;
}

GArray *
lc_statistics_sites (LcHistory *history, guint32 timeline, LcSiteGroups *groups, GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (LcSiteStatistics));
  g_autoptr (GHashTable) pairs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_autoptr (LcHistoryWalk) events = NULL;
  g_autoptr (LcBasisFinder) finder = NULL;
  g_autoptr (LcRegionWaits) region_waits = lc_region_waits_new (history, timeline, cancellable);
  Sites sites = {.history = history, .groups = groups, .rows = rows, .pairs = pairs, .region_waits = region_waits};

  if (!lc_history_read_places (history, error))
    return NULL;
  if (lc_history_get_n_stacks (history) == 0)
    return g_steal_pointer (&rows);
  events = lc_history_walk_new (history, timeline, LC_WALK_ARCS, cancellable, error);
  if (events == NULL)
    return NULL;
  sites.events = events;
  sites.finder = finder = lc_basis_finder_new (history, timeline, events, cancellable);
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!statistics_sites_add_process (&sites, timeline, i, cancellable, error))
      return NULL;
  return statistics_sites_list (&sites);
}
