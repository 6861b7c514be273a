/* SPDX-License-Identifier: Apache-2.0 */
/* The shares of the critical path by the place in the source that its events were called in. */
#include "app/inspect/path-places.h"

typedef struct
{
  LcSiteGroups *groups;
  GHashTable *shares; /* id -> LcCriticalShare */
} Sharing;

LcSiteGroups *
lc_path_places_group (LcHistory *history)
{
  LcSiteGroups *groups = lc_site_groups_new (history, LC_SITES_BY_SITE);
  guint32 n = lc_history_get_n_stacks (history);

  for (guint32 i = 0; i < n; i++)
    lc_site_groups_find (groups, i);
  return groups;
}

static gboolean
path_places_visit (const LcCriticalSegment *segment, gpointer data)
{
  Sharing *sharing = data;
  guint32 id = segment->event != NULL ? lc_site_groups_find (sharing->groups, segment->event->stack) : LC_TRACE_NONE;
  LcCriticalShare *share = g_hash_table_lookup (sharing->shares, GUINT_TO_POINTER (id));

  if (share == NULL)
    {
      share = g_new0 (LcCriticalShare, 1);
      share->id = id;
      g_hash_table_insert (sharing->shares, GUINT_TO_POINTER (id), share);
    }
  share->time += segment->end - segment->begin;
  share->visits += segment->part != LC_CRITICAL_HOP;
  return TRUE;
}

static int
path_places_compare (gconstpointer a, gconstpointer b)
{
  const LcCriticalShare *one = a, *other = b;

  if (one->time != other->time)
    return one->time > other->time ? -1 : 1;
  return (one->id > other->id) - (one->id < other->id);
}

GArray *
lc_path_places_share (LcCriticalPath *path, LcSiteGroups *groups, GCancellable *cancellable, GError **error)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Sharing sharing = {groups, table};
  GArray *shares;
  GHashTableIter iter;
  gpointer share;

  if (!lc_critical_path_visit (path, path_places_visit, &sharing, cancellable, error))
    return NULL;
  shares = g_array_new (FALSE, FALSE, sizeof (LcCriticalShare));
  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, NULL, &share))
    g_array_append_vals (shares, share, 1);
  g_array_sort (shares, path_places_compare);
  return shares;
}
