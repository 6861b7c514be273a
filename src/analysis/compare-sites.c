/* SPDX-License-Identifier: Apache-2.0 */
/* Two histories of the same program, by places in the source: where waiting differs most. */
#include "lightcone/sites.h"

static void
compare_sites_clear (gpointer data)
{
  LcComparedSites *sites = data;

  g_free (sites->name);
  g_free (sites->function);
}

/* Adds what one side has. Numbers of groups differ from side to side, so that names tell what is the same. */
static gboolean
compare_sites_add (GArray *result, GHashTable *by_key, const LcCompareSide *side, guint number, LcSitesBy by,
                   const char *const *skip, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (side->history, by);
  g_autoptr (GArray) rows = NULL;

  lc_site_groups_skip (groups, skip);
  rows = lc_statistics_sites (side->history, side->timeline, groups, cancellable, error);
  for (guint i = 0; rows != NULL && i < rows->len; i++)
    {
      const LcSiteStatistics *row = &g_array_index (rows, LcSiteStatistics, i);
      const char *name = lc_site_groups_get_name (groups, row->group);
      const LcHistorySite site = lc_site_groups_get_site (groups, row->group);
      g_autofree char *key = g_strdup_printf ("%s\1%s", name, site.file != NULL ? site.file : "");
      guint index = GPOINTER_TO_UINT (g_hash_table_lookup (by_key, key));

      if (index == 0)
        {
          const LcComparedSites fresh = {.name = g_strdup (name), .function = g_strdup (site.function)};

          g_array_append_val (result, fresh);
          index = result->len;
          g_hash_table_insert (by_key, g_steal_pointer (&key), GUINT_TO_POINTER (index));
        }
      g_array_index (result, LcComparedSites, index - 1).sides[number] = *row;
    }
  return rows != NULL;
}

static guint64
compare_sites_difference (const LcComparedSites *sites)
{
  guint64 waited =
      MAX (sites->sides[0].waited, sites->sides[1].waited) - MIN (sites->sides[0].waited, sites->sides[1].waited);
  guint64 made_wait = MAX (sites->sides[0].made_wait, sites->sides[1].made_wait) -
                      MIN (sites->sides[0].made_wait, sites->sides[1].made_wait);

  return waited + made_wait;
}

static int
compare_sites_compare (gconstpointer a, gconstpointer b)
{
  const LcComparedSites *one = a, *other = b;
  guint64 of_one = compare_sites_difference (one), of_other = compare_sites_difference (other);

  if (of_one != of_other)
    return of_one > of_other ? -1 : 1;
  return g_strcmp0 (one->name, other->name);
}

GArray *
lc_compare_sites (const LcCompareSide sides[2], LcSitesBy by, const char *const *skip, GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (LcComparedSites));

  g_array_set_clear_func (result, compare_sites_clear);
  for (guint i = 0; i < 2; i++)
    if (!compare_sites_add (result, by_key, &sides[i], i, by, skip, cancellable, error))
      return NULL;
  g_array_sort (result, compare_sites_compare);
  return g_steal_pointer (&result);
}
