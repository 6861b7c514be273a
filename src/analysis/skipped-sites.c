/* SPDX-License-Identifier: Apache-2.0 */
/* Sites that are taken for a library's, because their function, file or module matches a pattern. */
#include <string.h>

#include "lightcone/sites.h"

struct _LcSkippedSites
{
  LcHistory *history;
  GPtrArray *patterns; /* GPatternSpec */
  guint8 *known;       /* by site: NOT_KNOWN, IS_SHOWN or IS_SKIPPED */
  guint32 n_sites;
};

enum
{
  NOT_KNOWN,
  IS_SHOWN,
  IS_SKIPPED,
};

static void
skipped_sites_free_pattern (gpointer pattern)
{
  g_pattern_spec_free (pattern);
}

LcSkippedSites *
lc_skipped_sites_new (LcHistory *history, const char *const *patterns)
{
  LcSkippedSites *skipped = g_new0 (LcSkippedSites, 1);

  skipped->history = history;
  skipped->n_sites = lc_history_get_n_sites (history);
  skipped->known = g_new0 (guint8, MAX (skipped->n_sites, 1));
  skipped->patterns = g_ptr_array_new_with_free_func (skipped_sites_free_pattern);
  for (guint i = 0; patterns != NULL && patterns[i] != NULL; i++)
    g_ptr_array_add (skipped->patterns, g_pattern_spec_new (patterns[i]));
  return skipped;
}

void
lc_skipped_sites_free (LcSkippedSites *skipped)
{
  if (skipped == NULL)
    return;
  g_ptr_array_unref (skipped->patterns);
  g_free (skipped->known);
  g_free (skipped);
}

/* Gives "Queue<long>::put" of "Queue<long>::put(long) const"; parentheses before the parameters stay. */
static char *
skipped_sites_bare_name (const char *function)
{
  const char *end = strrchr (function, ')'), *at = end;
  guint depth = 0;

  if (end == NULL || (end[1] != '\0' && strchr (" &[.", end[1]) == NULL))
    return g_strdup (function);
  for (; at >= function; at--)
    {
      depth += *at == ')';
      if (*at == '(' && --depth == 0)
        break;
    }
  if (at <= function || g_str_has_suffix (function, "operator()"))
    return g_strdup (function);
  return g_strndup (function, (gsize)(at - function));
}

static gboolean
skipped_sites_match (const LcSkippedSites *skipped, const LcHistorySite *site)
{
  g_autofree char *function = site->function != NULL ? skipped_sites_bare_name (site->function) : NULL;
  g_autofree char *file = site->file != NULL ? g_path_get_basename (site->file) : NULL;
  g_autofree char *module = site->module != NULL ? g_path_get_basename (site->module) : NULL;
  const char *const names[] = {function, file, module};

  for (guint i = 0; i < skipped->patterns->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (names); k++)
      if (names[k] != NULL && g_pattern_spec_match_string (skipped->patterns->pdata[i], names[k]))
        return TRUE;
  return FALSE;
}

gboolean
lc_skipped_sites_has (LcSkippedSites *skipped, const LcHistorySite *site)
{
  if (skipped->patterns->len == 0 || site == NULL || site->id >= skipped->n_sites)
    return FALSE;
  if (skipped->known[site->id] == NOT_KNOWN)
    skipped->known[site->id] = skipped_sites_match (skipped, site) ? IS_SKIPPED : IS_SHOWN;
  return skipped->known[site->id] == IS_SKIPPED;
}

const LcHistorySite *
lc_skipped_sites_get_own (LcSkippedSites *skipped, guint32 stack)
{
  const LcHistorySite *own = lc_history_get_own_site (skipped->history, stack), *site = own;
  const LcHistoryStack *frame;

  while (site != NULL && lc_skipped_sites_has (skipped, site))
    {
      frame = lc_history_get_stack (skipped->history, stack);
      stack = frame->parent;
      site = lc_history_get_own_site (skipped->history, stack);
    }
  return site != NULL && !site->is_library ? site : own;
}

guint
lc_skipped_sites_list (LcSkippedSites *skipped, guint32 stack, const LcHistorySite **sites, guint most)
{
  const LcHistoryStack *frame = lc_history_get_stack (skipped->history, stack);
  guint n = 0;

  for (; frame != NULL && n < most; frame = lc_history_get_stack (skipped->history, frame->parent))
    {
      const LcHistorySite *site = lc_history_get_site (skipped->history, frame->site);

      if (!lc_skipped_sites_has (skipped, site))
        sites[n++] = site;
    }
  while (n > 0 && sites[n - 1] != NULL && sites[n - 1]->is_library)
    n--;
  if (n == 0)
    sites[n++] = lc_skipped_sites_get_own (skipped, stack);
  return n;
}
