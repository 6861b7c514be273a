/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the source, as reports show them. */
#include "report/sites.h"

#include <glib/gi18n.h>
#include <string.h>

#include "report/output.h"
#include "report/short-name.h"
#include "trace/quantities.h"

enum
{
  MOST_FRAMES = 1000, /* of one stack */
};

const char *const lc_sites_by_names[] = {"site", "function", "file", "module", NULL};

gboolean
lc_sites_has_events (LcHistory *history)
{
  guint64 events = 0;

  for (guint32 i = 0; events == 0 && i < lc_history_get_n_processes (history); i++)
    events = lc_history_get_process (history, i)->events;
  return events > 0;
}

const char *
lc_sites_get_reason (LcHistory *history)
{
  if (!lc_sites_has_events (history))
    return _ ("This trace has no events.");
  return _ ("This trace does not say where in the program its events are: record the program once more, "
            "with lightcone record and without --no-sites.");
}

void
lc_sites_tell_none (LcHistory *history, LcFormat format)
{
  if (format == LC_FORMAT_TEXT)
    g_print ("\n  %s\n", lc_sites_get_reason (history));
  else
    lc_complain ("%s", lc_sites_get_reason (history));
}

static void
sites_add_site (LcRows *rows, const LcHistorySite *site)
{
  lc_rows_add_text (rows, site->function);
  lc_rows_add_text (rows, site->file);
  lc_rows_add_id (rows, site->line > 0 ? site->line : LC_TRACE_NONE);
  lc_rows_add_text (rows, site->module);
}

void
lc_sites_add_name (LcRows *rows, const char *text, const char *function)
{
  g_autofree char *brief = NULL, *name = NULL;

  if (text != NULL && function != NULL && g_str_has_prefix (text, function))
    {
      name = lc_short_name (function);
      brief = g_strconcat (name, text + strlen (function), NULL);
    }
  lc_rows_add_name (rows, text, brief);
}

void
lc_sites_add_group (LcRows *rows, const LcSiteGroups *groups, guint32 group)
{
  const LcHistorySite site = lc_site_groups_get_site (groups, group);

  lc_sites_add_name (rows, lc_site_groups_get_name (groups, group), site.function);
  sites_add_site (rows, &site);
}

void
lc_sites_add_own (LcRows *rows, LcHistory *history, guint32 stack)
{
  const LcHistorySite *site = lc_history_get_own_site (history, stack);
  g_autofree char *text = site != NULL ? lc_history_dup_site_text (site) : NULL;

  lc_sites_add_name (rows, text, site != NULL ? site->function : NULL);
  if (site != NULL)
    sites_add_site (rows, site);
  else
    lc_rows_add_nothings (rows, 4);
}

void
lc_sites_add_json (LcJson *json, const char *key, const LcHistorySite *site)
{
  if (site == NULL)
    {
      lc_json_add_null (json, key);
      return;
    }
  lc_json_begin_object (json, key);
  lc_json_add_string (json, "function", site->function);
  lc_json_add_string (json, "file", site->file);
  if (site->line > 0)
    lc_json_add_count (json, "line", site->line);
  else
    lc_json_add_null (json, "line");
  lc_json_add_string (json, "module", site->module);
  lc_json_end_object (json);
}

void
lc_sites_add_stack_json (LcJson *json, LcHistory *history, guint32 stack)
{
  const LcHistoryStack *frame = lc_history_get_stack (history, stack);

  lc_sites_add_json (json, "site", lc_history_get_own_site (history, stack));
  lc_json_begin_array (json, "stack");
  for (guint i = 0; frame != NULL && i < MOST_FRAMES; i++)
    {
      lc_sites_add_json (json, NULL, lc_history_get_site (history, frame->site));
      frame = lc_history_get_stack (history, frame->parent);
    }
  lc_json_end_array (json);
}

char *
lc_sites_describe (LcHistory *history, guint32 stack)
{
  const LcHistorySite *site = lc_history_get_own_site (history, stack);
  g_autofree char *text = NULL, *visible = NULL;

  if (site == NULL)
    return g_strdup ("");
  text = lc_history_dup_site_text (site);
  visible = lc_format_text (text);
  return g_strdup_printf (_ (" in %s"), visible);
}
