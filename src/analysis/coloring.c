/* SPDX-License-Identifier: Apache-2.0 */
/* Colours for functions: those whose events take longest get one each. */
#include "lightcone/coloring.h"

#include "lightcone/sites.h"

struct _LcColoring
{
  LcHistory *history;
  GMutex lock;

  /* The result. */
  char *functions[LC_COLORING_MOST];
  guint32 n_stacks;
  guint8 *stacks; /* colour by stack; NULL: not found yet */
};

LcColoring *
lc_coloring_new (LcHistory *history)
{
  LcColoring *coloring = g_atomic_rc_box_new0 (LcColoring);

  coloring->history = history;
  g_mutex_init (&coloring->lock);
  return coloring;
}

LcColoring *
lc_coloring_ref (LcColoring *coloring)
{
  return g_atomic_rc_box_acquire (coloring);
}

static void
coloring_clear (LcColoring *coloring)
{
  for (guint i = 0; i < LC_COLORING_MOST; i++)
    g_free (coloring->functions[i]);
  g_free (coloring->stacks);
  g_mutex_clear (&coloring->lock);
}

void
lc_coloring_unref (LcColoring *coloring)
{
  g_atomic_rc_box_release_full (coloring, (GDestroyNotify)coloring_clear);
}

/* Sorts by time, longest first, and then by name. */
static int
coloring_compare (gconstpointer a, gconstpointer b, gpointer groups)
{
  const LcSiteStatistics *one = a, *other = b;

  if (one->time != other->time)
    return one->time > other->time ? -1 : 1;
  return g_strcmp0 (lc_site_groups_get_name (groups, one->group), lc_site_groups_get_name (groups, other->group));
}

/* Gives colours to the first functions of the list, of which group 0 is none. Returns the colour of each group in
 * it; groups that it lacks have no events. */
static GHashTable *
coloring_name (LcColoring *coloring, const GArray *sites, LcSiteGroups *groups)
{
  GHashTable *colors = g_hash_table_new (NULL, NULL);
  guint n = 0;

  for (guint i = 0; i < sites->len && n < LC_COLORING_MOST; i++)
    {
      guint32 group = g_array_index (sites, LcSiteStatistics, i).group;

      if (group == 0)
        continue;
      coloring->functions[n] = g_strdup (lc_site_groups_get_name (groups, group));
      g_hash_table_insert (colors, GUINT_TO_POINTER (group), GUINT_TO_POINTER (n + 1));
      n++;
    }
  return colors;
}

static gboolean
coloring_look (LcColoring *coloring, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (coloring->history, LC_SITES_BY_FUNCTION);
  g_autoptr (GArray) sites = lc_statistics_sites (coloring->history, LC_TIMELINE_MEASURED, groups, cancellable, error);
  g_autoptr (GHashTable) colors = NULL;

  if (sites == NULL)
    return FALSE;
  g_array_sort_with_data (sites, coloring_compare, groups);
  colors = coloring_name (coloring, sites, groups);
  coloring->n_stacks = lc_history_get_n_stacks (coloring->history);
  coloring->stacks = g_new (guint8, MAX (coloring->n_stacks, 1));
  for (guint32 i = 0; i < coloring->n_stacks; i++)
    {
      guint32 group = lc_site_groups_find (groups, i);
      guint color = GPOINTER_TO_UINT (g_hash_table_lookup (colors, GUINT_TO_POINTER (group)));

      coloring->stacks[i] = color > 0 ? color - 1 : group > 0 ? LC_COLORING_OTHER : LC_COLORING_UNKNOWN;
    }
  return TRUE;
}

gboolean
lc_coloring_find (LcColoring *coloring, GCancellable *cancellable, GError **error)
{
  gboolean found;

  g_mutex_lock (&coloring->lock);
  found = coloring->stacks != NULL || coloring_look (coloring, cancellable, error);
  g_mutex_unlock (&coloring->lock);
  return found;
}

guint
lc_coloring_get (const LcColoring *coloring, guint32 stack)
{
  return stack < coloring->n_stacks ? coloring->stacks[stack] : LC_COLORING_UNKNOWN;
}

const char *
lc_coloring_get_function (const LcColoring *coloring, guint color)
{
  return color < LC_COLORING_MOST ? coloring->functions[color] : NULL;
}
