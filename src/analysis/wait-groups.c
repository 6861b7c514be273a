/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up waits by what they have in common: an object, a site, a stack, a process, whom they were for, or who held
 * the object meanwhile. */
#include "basis.h"
#include "history/names.h"
#include "hold-times.h"
#include "lightcone/sites.h"
#include "preempted.h"
#include "region-waits.h"
#include "waits-asked.h"

enum
{
  MOST_FRAMES = 1000, /* of a stack that are named */
};

typedef struct
{
  gint64 key; /* of its number and its ender */
  LcWaitGroup group;
} KeyedGroup;

typedef struct
{
  LcWaitsBy by;
  const LcWaitsAsked *asked;
  const LcFiltering *filtering;
  LcSiteGroups *sites;
  GHashTable *groups; /* KeyedGroup by its key */
  LcPreempted *preempted;
  LcHoldTimes *hold_times; /* if they are what is asked for */
  LcRegionWaits *region_waits;
  LcHistoryWalk
      *walk; /* of another timeline than the measured one, by whom waits were ended; else NULL, with the finder */
  LcBasisFinder *finder;
  GError *error;
} Grouping;

/* Finds the process that ended a wait, or LC_TRACE_NONE. What is kept with an event is of the measured timeline. */
static gboolean
wait_groups_find_ender (Grouping *grouping, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, guint32 *ender)
{
  const LcHistoryArcEnd *its_arcs;
  LcHistoryEvent found;
  LcBasis basis;

  *ender = LC_TRACE_NONE;
  if (grouping->by != LC_WAITS_BY_FOR && grouping->by != LC_WAITS_BY_PAIR)
    return TRUE;
  if (grouping->finder == NULL)
    {
      *ender = event->basis >= 0 ? arcs[event->basis].process : LC_TRACE_NONE;
      return TRUE;
    }
  if (!lc_history_walk_get (grouping->walk, event->process, event->ordinal, &found, &its_arcs, &grouping->error) ||
      !lc_basis_find (grouping->finder, &found, its_arcs, &basis, &grouping->error))
    return FALSE;
  *ender = basis.process;
  return TRUE;
}

static guint32
wait_groups_find_number (const Grouping *grouping, const LcHistoryEvent *event, guint32 object, guint32 stack,
                         guint32 ender)
{
  switch (grouping->by)
    {
    case LC_WAITS_BY_SITE:
      return lc_site_groups_find (grouping->sites, stack);
    case LC_WAITS_BY_STACK:
      return stack;
    case LC_WAITS_BY_PROCESS:
    case LC_WAITS_BY_PAIR:
      return event->process;
    case LC_WAITS_BY_FOR:
      return ender;
    case LC_WAITS_BY_OBJECT:
    case LC_WAITS_BY_HOLDER: /* in a way of its own */
    default:
      return object;
    }
}

/* Adds for how long of the wait, or of a part of it, the process that ended it could not go on. */
static gboolean
wait_groups_add_preempted (Grouping *grouping, LcWaitGroup *group, const LcHistoryEvent *event, guint32 ender,
                           guint64 from, guint64 to)
{
  guint64 sum;

  if (from >= to || ender == LC_TRACE_NONE || ender == event->process)
    return TRUE;
  if (!lc_preempted_sum (grouping->preempted, ender, from, to, &sum, &grouping->error))
    return FALSE;
  group->preempted += sum;
  return TRUE;
}

/* Returns the group of a number, which may be a new one. */
static LcWaitGroup *
wait_groups_need (Grouping *grouping, guint32 number, guint32 ender)
{
  gint64 key = (gint64)((guint64)ender << 32 | number);
  KeyedGroup *keyed = g_hash_table_lookup (grouping->groups, &key);

  if (keyed == NULL)
    {
      keyed = g_new0 (KeyedGroup, 1);
      *keyed = (KeyedGroup){key, {.number = number, .ender = ender}};
      g_hash_table_insert (grouping->groups, &keyed->key, keyed);
    }
  return &keyed->group;
}

/* Events are visited by process and ordinal, so the first of equally long waits come first. */
static void
wait_groups_add_single (LcWaitGroup *group, const LcHistoryEvent *event, guint64 waited)
{
  guint at = group->n_singles;

  if (at == LC_WAIT_GROUP_SINGLES && group->singles[--at].waited >= waited)
    return;
  for (; at > 0 && group->singles[at - 1].waited < waited; at--)
    group->singles[at] = group->singles[at - 1];
  group->singles[at] = (LcGroupedWait){waited, event->ordinal, event->process};
  group->n_singles = MIN (group->n_singles + 1, LC_WAIT_GROUP_SINGLES);
}

static void
wait_groups_count (LcWaitGroup *group, const LcHistoryEvent *event, guint64 waited)
{
  group->waits++;
  group->waited += waited;
  wait_groups_add_single (group, event, waited);
  if (waited > group->longest)
    {
      group->longest = waited;
      group->longest_process = event->process;
      group->longest_ordinal = event->ordinal;
    }
}

static gboolean
wait_groups_add_to_holders (Grouping *grouping, const LcHistoryEvent *event)
{
  const GArray *shares;

  if (!lc_hold_times_share (grouping->hold_times, grouping->preempted, event, &shares, &grouping->error))
    return FALSE;
  for (guint i = 0; i < shares->len; i++)
    {
      const LcHolderShare *share = &g_array_index (shares, LcHolderShare, i);
      LcWaitGroup *group = wait_groups_need (grouping, share->process, LC_TRACE_NONE);

      wait_groups_count (group, event, share->waited);
      group->preempted += share->preempted;
    }
  return TRUE;
}

/* Counts the part of a wait in which the master of the region that the event begins was in another one. */
static gboolean
wait_groups_add_part (Grouping *grouping, const LcHistoryEvent *event, const LcRegionWait *part)
{
  const guint32 ender = part->basis.process;
  LcWaitGroup *group =
      wait_groups_need (grouping, wait_groups_find_number (grouping, event, part->object, part->stack, ender),
                        grouping->by == LC_WAITS_BY_PAIR ? ender : LC_TRACE_NONE);

  wait_groups_count (group, event, part->waited);
  return wait_groups_add_preempted (grouping, group, event, ender, part->begin, part->begin + part->waited);
}

static gboolean
wait_groups_add_rest (Grouping *grouping, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, const GArray *parts)
{
  const guint64 rest = lc_region_waits_rest (event, parts);
  guint32 ender;
  LcWaitGroup *group;

  if (!wait_groups_find_ender (grouping, event, arcs, &ender))
    return FALSE;
  group = wait_groups_need (grouping, wait_groups_find_number (grouping, event, event->object, event->stack, ender),
                            grouping->by == LC_WAITS_BY_PAIR ? ender : LC_TRACE_NONE);
  wait_groups_count (group, event, rest);
  for (guint i = 0; event->basis >= 0 && i <= parts->len; i++)
    {
      guint64 from, to;

      lc_region_waits_get_gap (event, parts, i, &from, &to);
      if (!wait_groups_add_preempted (grouping, group, event, arcs[event->basis].process, from, to))
        return FALSE;
    }
  return TRUE;
}

static gboolean
wait_groups_is_of_process (LcWaitsBy by)
{
  return by == LC_WAITS_BY_PROCESS || by == LC_WAITS_BY_HOLDER;
}

static gboolean
wait_groups_add (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Grouping *grouping = data;
  const GArray none = {0}, *parts = &none;

  if (!lc_waits_asked_has (grouping->asked, grouping->filtering, event))
    return TRUE;
  if (grouping->by == LC_WAITS_BY_HOLDER)
    return wait_groups_add_to_holders (grouping, event);
  if (!wait_groups_is_of_process (grouping->by) &&
      !lc_region_waits_find (grouping->region_waits, event, &parts, &grouping->error))
    return FALSE;
  for (guint i = 0; i < parts->len; i++)
    if (!wait_groups_add_part (grouping, event, &g_array_index (parts, LcRegionWait, i)))
      return FALSE;
  return lc_region_waits_rest (event, parts) == 0 || wait_groups_add_rest (grouping, event, arcs, parts);
}

/* --- Names -------------------------------------------------------------------------------------------------------- */

static char *
wait_groups_name_stack (LcSkippedSites *skipped, guint32 stack)
{
  const LcHistorySite *sites[MOST_FRAMES];
  guint n = lc_skipped_sites_list (skipped, stack, sites, MOST_FRAMES);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *site = lc_history_dup_site_text (sites[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? " < " : "", site);
    }
  return g_string_free (text, FALSE);
}

static char *
wait_groups_dup_name (const Grouping *grouping, LcNames *names, LcSkippedSites *skipped, const LcWaitGroup *group)
{
  guint32 number = group->number;
  const char *name;

  switch (grouping->by)
    {
    case LC_WAITS_BY_SITE:
      name = lc_site_groups_get_name (grouping->sites, number);
      break;
    case LC_WAITS_BY_STACK:
      return wait_groups_name_stack (skipped, number);
    case LC_WAITS_BY_PAIR:
      name = lc_names_process (names, group->ender);
      return g_strdup_printf ("%s < %s", lc_names_process (names, number), name != NULL ? name : "(none)");
    case LC_WAITS_BY_PROCESS:
    case LC_WAITS_BY_FOR:
    case LC_WAITS_BY_HOLDER:
      name = lc_names_process (names, number);
      break;
    case LC_WAITS_BY_OBJECT:
    default:
      name = number != LC_TRACE_NONE ? lc_names_object (names, number) : NULL;
      break;
    }
  return g_strdup (name != NULL ? name : "(none)");
}

/* --- All of it ---------------------------------------------------------------------------------------------------- */

static int
wait_groups_compare (gconstpointer a, gconstpointer b)
{
  const LcWaitGroup *one = a, *other = b;
  int names;

  if (one->waited != other->waited)
    return one->waited > other->waited ? -1 : 1;
  names = g_strcmp0 (one->name, other->name);
  return names != 0 ? names : (one->number > other->number) - (one->number < other->number);
}

static void
wait_groups_clear (gpointer group)
{
  g_free (((LcWaitGroup *)group)->name);
}

static GArray *
wait_groups_list (const Grouping *grouping, LcHistory *history)
{
  g_autoptr (LcNames) names = lc_names_new (history);
  g_autoptr (LcSkippedSites) skipped = lc_skipped_sites_new (history, NULL);
  GArray *result = g_array_new (FALSE, FALSE, sizeof (LcWaitGroup));
  GHashTableIter iter;
  gpointer keyed;

  g_array_set_clear_func (result, wait_groups_clear);
  g_hash_table_iter_init (&iter, grouping->groups);
  while (g_hash_table_iter_next (&iter, NULL, &keyed))
    {
      LcWaitGroup named = ((const KeyedGroup *)keyed)->group;

      named.name = wait_groups_dup_name (grouping, names, skipped, &named);
      g_array_append_val (result, named);
    }
  g_array_sort (result, wait_groups_compare);
  return result;
}

GArray *
lc_statistics_wait_groups (LcHistory *history, guint32 timeline, LcWaitsBy by, const LcWaitsAsked *asked,
                           GCancellable *cancellable, GError **error)
{
  g_auto (LcFiltering) filtering = {0};
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  g_autoptr (LcSiteGroups) sites = lc_site_groups_new (history, LC_SITES_BY_SITE);
  g_autoptr (LcPreempted) preempted = lc_preempted_new (history, timeline, cancellable);
  g_autoptr (LcHoldTimes) hold_times = NULL;
  g_autoptr (LcHistoryWalk) walk = NULL;
  g_autoptr (LcBasisFinder) finder = NULL;
  g_autoptr (LcRegionWaits) region_waits = lc_region_waits_new (history, timeline, cancellable);
  Grouping grouping = {by, asked, &filtering, sites, groups, preempted, .region_waits = region_waits};
  guint32 n = asked->processes != NULL ? asked->n_processes : lc_history_get_n_processes (history);

  if (!lc_history_read_places (history, error) ||
      !lc_filtering_begin (&filtering, &asked->filters, history, cancellable, error))
    return NULL;
  if (by == LC_WAITS_BY_HOLDER)
    {
      grouping.hold_times = hold_times = lc_hold_times_new (history, timeline, 0, 0, cancellable, error);
      if (hold_times == NULL)
        return NULL;
    }
  if (timeline != LC_TIMELINE_MEASURED)
    {
      grouping.walk = walk = lc_history_walk_new (history, timeline, LC_WALK_ARCS, cancellable, error);
      if (walk == NULL)
        return NULL;
      grouping.finder = finder = lc_basis_finder_new (history, timeline, walk, cancellable);
    }
  for (guint32 i = 0; i < n; i++)
    {
      guint32 process = asked->processes != NULL ? asked->processes[i] : i;

      if (!lc_history_visit (history, timeline, process, 0, G_MAXUINT64, wait_groups_add, &grouping, cancellable,
                             error))
        return NULL;
      if (grouping.error != NULL)
        {
          g_propagate_error (error, grouping.error);
          return NULL;
        }
    }
  return wait_groups_list (&grouping, history);
}
