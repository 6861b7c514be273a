/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of sites: by line, function, file or module. */
#include "lightcone/sites.h"

typedef struct
{
  char *name;
  LcHistorySite site; /* what is common to all sites of the group; its texts are the history's */
} Group;

struct _LcSiteGroups
{
  LcHistory *history;
  LcSitesBy by;
  LcSkippedSites *skipped;
  GArray *groups;     /* Group */
  guint32 *of_sites;  /* by site: its group + 1; 0: not looked up yet */
  GHashTable *by_key; /* char * to group + 1 */
  guint32 n_sites;
  guint32 begin; /* the group of lc_site_groups_get_begin; 0: not made yet */
};

static void
site_groups_clear_group (gpointer data)
{
  Group *group = data;

  g_free (group->name);
}

static guint32
site_groups_add (LcSiteGroups *groups, char *name, const LcHistorySite *site)
{
  const Group group = {name, *site};

  g_array_append_val (groups->groups, group);
  return groups->groups->len - 1;
}

LcSiteGroups *
lc_site_groups_new (LcHistory *history, LcSitesBy by)
{
  LcSiteGroups *groups = g_new0 (LcSiteGroups, 1);

  groups->history = history;
  groups->by = by;
  groups->skipped = lc_skipped_sites_new (history, NULL);
  groups->n_sites = lc_history_get_n_sites (history);
  groups->of_sites = g_new0 (guint32, MAX (groups->n_sites, 1));
  groups->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  groups->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_array_set_clear_func (groups->groups, site_groups_clear_group);
  site_groups_add (groups, lc_history_dup_site_text (NULL), &(LcHistorySite){.id = LC_TRACE_NONE});
  return groups;
}

void
lc_site_groups_free (LcSiteGroups *groups)
{
  if (groups == NULL)
    return;
  g_array_unref (groups->groups);
  g_hash_table_unref (groups->by_key);
  lc_skipped_sites_free (groups->skipped);
  g_free (groups->of_sites);
  g_free (groups);
}

void
lc_site_groups_skip (LcSiteGroups *groups, const char *const *patterns)
{
  lc_skipped_sites_free (groups->skipped);
  groups->skipped = lc_skipped_sites_new (groups->history, patterns);
}

/* Leaves of a site what is the same for all sites of its group. FALSE: it does not have what the groups are by. */
static gboolean
site_groups_reduce (LcSitesBy by, LcHistorySite *site)
{
  site->id = LC_TRACE_NONE;
  switch (by)
    {
    case LC_SITES_BY_FUNCTION:
      site->line = 0;
      site->offset = 0;
      return site->function != NULL;
    case LC_SITES_BY_FILE:
      site->line = 0;
      site->offset = 0;
      site->function = NULL;
      return site->file != NULL;
    case LC_SITES_BY_MODULE:
      site->line = 0;
      site->offset = 0;
      site->function = site->file = NULL;
      return site->module != NULL;
    case LC_SITES_BY_SITE:
    default:
      /* Calls of one line are one, wherever they return to; and without lines, those of one function. */
      if (site->line > 0 || site->function != NULL)
        site->offset = 0;
      return TRUE;
    }
}

static char *
site_groups_name (LcSitesBy by, const LcHistorySite *site)
{
  switch (by)
    {
    case LC_SITES_BY_FUNCTION:
      return g_strdup (site->function);
    case LC_SITES_BY_FILE:
      return g_strdup (site->file);
    case LC_SITES_BY_MODULE:
      return g_strdup (site->module);
    case LC_SITES_BY_SITE:
    default:
      return lc_history_dup_site_text (site);
    }
}

/* The module of a file is not part of its key: a header may be compiled into several. */
static char *
site_groups_key (LcSitesBy by, const LcHistorySite *site)
{
  const char *module = by == LC_SITES_BY_MODULE || site->file == NULL ? site->module : NULL;

  return g_strdup_printf ("%s\1%s\1%u\1%s\1%" G_GINT64_MODIFIER "x", site->function != NULL ? site->function : "",
                          site->file != NULL ? site->file : "", site->line, module != NULL ? module : "", site->offset);
}

static guint32
site_groups_look_up (LcSiteGroups *groups, const LcHistorySite *site)
{
  LcHistorySite common = *site;
  g_autofree char *key = NULL;
  guint32 group;

  if (!site_groups_reduce (groups->by, &common))
    return 0;
  key = site_groups_key (groups->by, &common);
  group = GPOINTER_TO_UINT (g_hash_table_lookup (groups->by_key, key));
  if (group > 0)
    {
      Group *found = &g_array_index (groups->groups, Group, group - 1);

      if (g_strcmp0 (found->site.module, site->module) != 0)
        found->site.module = NULL;
      return group - 1;
    }
  group =
      site_groups_add (groups, site_groups_name (groups->by, groups->by == LC_SITES_BY_SITE ? site : &common), &common);
  g_hash_table_insert (groups->by_key, g_steal_pointer (&key), GUINT_TO_POINTER (group + 1));
  return group;
}

guint32
lc_site_groups_get_begin (LcSiteGroups *groups)
{
  if (groups->begin == 0)
    groups->begin = site_groups_add (groups, g_strdup ("(begin)"), &(LcHistorySite){.id = LC_TRACE_NONE});
  return groups->begin;
}

guint32
lc_site_groups_find (LcSiteGroups *groups, guint32 stack)
{
  const LcHistorySite *site = lc_skipped_sites_get_own (groups->skipped, stack);

  if (site == NULL || site->id >= groups->n_sites)
    return 0;
  if (groups->of_sites[site->id] == 0)
    groups->of_sites[site->id] = site_groups_look_up (groups, site) + 1;
  return groups->of_sites[site->id] - 1;
}

const char *
lc_site_groups_get_name (const LcSiteGroups *groups, guint32 group)
{
  g_return_val_if_fail (group < groups->groups->len, NULL);
  return g_array_index (groups->groups, Group, group).name;
}

LcHistorySite
lc_site_groups_get_site (const LcSiteGroups *groups, guint32 group)
{
  g_return_val_if_fail (group < groups->groups->len, (LcHistorySite){0});
  return g_array_index (groups->groups, Group, group).site;
}
