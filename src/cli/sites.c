/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the source, as the command line shows them. */
#include "sites.h"

#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "format.h"
#include "short-name.h"

enum
{
  MOST_FRAMES = 1000, /* of one stack */
};

static const char *const by_names[] = {"site", "function", "file", "module"}; /* in the order of LcSitesBy */

gboolean
lc_sites_by_parse (const char *command, const char *name, LcSitesBy *by)
{
  *by = LC_SITES_BY_SITE;
  if (name == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (by_names); i++)
    if (strcmp (by_names[i], name) == 0)
      {
        *by = (LcSitesBy)i;
        return TRUE;
      }
  lc_complain (_ ("%s: --by can be site, function, file or module, not “%s”"), command, name);
  return FALSE;
}

const char *
lc_sites_by_name (LcSitesBy by)
{
  return by_names[by];
}

gboolean
lc_sites_has_events (LcHistory *history)
{
  guint64 events = 0;

  for (guint32 i = 0; events == 0 && i < lc_history_get_n_processes (history); i++)
    events = lc_history_get_process (history, i)->events;
  return events > 0;
}

/* Formats for programs stay what they are: their reader is told on standard error. */
void
lc_sites_tell_none (LcHistory *history, LcFormat format)
{
  const char *text =
      !lc_sites_has_events (history)
          ? _ ("This trace has no events.")
          : _ ("This trace does not say where in the program its events are: record the program once more, "
               "with lightcone record and without --no-sites.");

  if (format == LC_FORMAT_TEXT)
    g_print ("\n  %s\n", text);
  else
    lc_complain ("%s", text);
}

static void
sites_add_site (LcRows *rows, const LcHistorySite *site)
{
  lc_rows_add_text (rows, site->function);
  lc_rows_add_text (rows, site->file);
  if (site->line > 0)
    lc_rows_add_count (rows, site->line);
  else
    lc_rows_add_nothing (rows);
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
  lc_rows_add_name (rows, text, brief != NULL ? brief : text);
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
    for (guint i = 0; i < 4; i++)
      lc_rows_add_nothing (rows);
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
