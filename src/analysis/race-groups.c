/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers races by object and places in the source, and ranks them by what the other order could change. */
#include "lightcone/races.h"

typedef struct
{
  LcSiteGroups *sites;
  GHashTable *groups; /* LcRaceGroup */
  guint64 from, to;
  LcRaces *races;
} RaceGather;

static guint
race_groups_hash (gconstpointer key)
{
  const LcRaceGroup *group = key;

  return (group->object * 31U + group->kind) * 2654435761U ^ (group->first + group->second) * 40503U;
}

/* Whichever of the places came first. */
static gboolean
race_groups_equal (gconstpointer a, gconstpointer b)
{
  const LcRaceGroup *one = a, *other = b;

  return one->kind == other->kind && one->object == other->object &&
         ((one->first == other->first && one->second == other->second) ||
          (one->first == other->second && one->second == other->first));
}

static guint64
race_groups_distance (const LcRacePair *pair)
{
  return MIN (pair->first.slack, pair->second.slack) + lc_race_pair_get_apart (pair);
}

/* Of pairs that are equally near the first one is the example, so that it does not depend on the order of the pass. */
static gboolean
race_groups_is_nearer (const LcRacePair *pair, const LcRacePair *than)
{
  const guint64 one = race_groups_distance (pair), other = race_groups_distance (than);

  if (one != other)
    return one < other;
  if (pair->first.process != than->first.process)
    return pair->first.process < than->first.process;
  if (pair->first.ordinal != than->first.ordinal)
    return pair->first.ordinal < than->first.ordinal;
  return pair->second.process < than->second.process;
}

static void
race_groups_add (const LcRacePair *pair, gpointer data)
{
  RaceGather *gather = data;
  LcRaceGroup key = {.kind = pair->kind, .object = pair->object}, *group;

  if (pair->second.end < gather->from || pair->second.end >= gather->to)
    return;
  if (!pair->is_free)
    gather->races->ordered++;
  else
    gather->races->pairs++;
  key.first = lc_site_groups_find (gather->sites, pair->first.stack);
  key.second = lc_site_groups_find (gather->sites, pair->second.stack);
  group = g_hash_table_lookup (gather->groups, &key);
  if (group == NULL)
    {
      group = g_memdup2 (&key, sizeof key);
      g_hash_table_add (gather->groups, group);
    }
  if (!pair->is_free)
    {
      group->ordered++;
      return;
    }
  if (group->pairs == 0 || race_groups_is_nearer (pair, &group->nearest))
    {
      group->nearest = *pair;
      group->first = key.first;
      group->second = key.second;
    }
  group->pairs++;
  group->waits += pair->second.begin < pair->first.end;
}

static int
race_groups_compare (gconstpointer a, gconstpointer b)
{
  const LcRaceGroup *one = a, *other = b;
  const gboolean differs = one->first != one->second, other_differs = other->first != other->second;
  const guint64 distance = race_groups_distance (&one->nearest),
                other_distance = race_groups_distance (&other->nearest);

  if (differs != other_differs)
    return differs ? -1 : 1;
  if (distance != other_distance)
    return distance < other_distance ? -1 : 1;
  if (one->pairs != other->pairs)
    return one->pairs > other->pairs ? -1 : 1;
  if (one->kind != other->kind)
    return one->kind < other->kind ? -1 : 1;
  if (one->object != other->object)
    return one->object < other->object ? -1 : 1;
  return race_groups_is_nearer (&one->nearest, &other->nearest) ? -1 : 1;
}

LcRaces *
lc_races_find (LcHistory *history, const LcRules *rules, LcSiteGroups *groups, guint64 from, guint64 to,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (race_groups_hash, race_groups_equal, g_free, NULL);
  g_autoptr (LcRaces) races = g_new0 (LcRaces, 1);
  RaceGather gather = {groups, by_key, from, to, races};
  GHashTableIter iter;
  gpointer key;

  races->groups = g_array_new (FALSE, FALSE, sizeof (LcRaceGroup));
  if (!lc_history_read_places (history, error) ||
      !lc_races_visit (history, rules, race_groups_add, &gather, cancellable, error))
    return NULL;
  g_hash_table_iter_init (&iter, by_key);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (((const LcRaceGroup *)key)->pairs > 0)
      g_array_append_vals (races->groups, key, 1);
  g_array_sort (races->groups, race_groups_compare);
  return g_steal_pointer (&races);
}

void
lc_races_free (LcRaces *races)
{
  if (races == NULL)
    return;
  g_array_unref (races->groups);
  g_free (races);
}
