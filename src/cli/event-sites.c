/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the places in the source of a few events of a trace that is not merged. */
#include "event-sites.h"

#include <glib/gi18n.h>

#include "report/format.h"
#include "lightcone/merge.h"
#include "report/sites.h"

typedef struct
{
  guint64 ordinal;
  guint32 process;
  guint32 stack; /* or LC_TRACE_NONE */
} Event;

struct _LcEventSites
{
  LcTrace *trace;
  GArray *events; /* Event; sorted when they have been read */
  gboolean found; /* where one of them is */
  LcWhere *where; /* NULL: none of them is known */
};

LcEventSites *
lc_event_sites_new (LcTrace *trace)
{
  LcEventSites *sites = g_new0 (LcEventSites, 1);

  sites->trace = trace;
  sites->events = g_array_new (FALSE, FALSE, sizeof (Event));
  return sites;
}

void
lc_event_sites_free (LcEventSites *sites)
{
  if (sites == NULL)
    return;
  g_array_unref (sites->events);
  g_clear_pointer (&sites->where, lc_where_free);
  g_free (sites);
}

void
lc_event_sites_add (LcEventSites *sites, guint32 process, guint64 ordinal)
{
  const Event event = {ordinal, process, LC_TRACE_NONE};

  if (process < lc_trace_get_n_processes (sites->trace))
    g_array_append_val (sites->events, event);
}

void
lc_event_sites_add_stack (LcEventSites *sites, guint32 stack)
{
  sites->found |= stack != LC_TRACE_NONE;
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

static int
event_sites_compare (gconstpointer a, gconstpointer b)
{
  const Event *one = a, *other = b;

  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return (one->ordinal > other->ordinal) - (one->ordinal < other->ordinal);
}

/* Reads events of one process, from `first` to before `last`. */
static gboolean
event_sites_read (const LcEventSites *sites, guint first, guint last)
{
  Event *events = &g_array_index (sites->events, Event, 0);
  g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (sites->trace, events[first].process);
  gboolean found = FALSE;
  LcTraceBatch batch;

  while (first < last && lc_trace_cursor_next (cursor, &batch))
    for (; first < last && events[first].ordinal < batch.first_ordinal + batch.n_events; first++)
      if (events[first].ordinal >= batch.first_ordinal)
        {
          events[first].stack = batch.events[events[first].ordinal - batch.first_ordinal].stack;
          found |= events[first].stack != LC_TRACE_NONE;
        }
  return found;
}

void
lc_event_sites_find (LcEventSites *sites, const LcUses *uses)
{
  guint n = sites->events->len;

  if (lc_trace_get_n_stacks (sites->trace) == 0)
    return;
  g_array_sort (sites->events, event_sites_compare);
  for (guint first = 0, last; first < n; first = last)
    {
      guint32 process = g_array_index (sites->events, Event, first).process;

      for (last = first + 1; last < n && g_array_index (sites->events, Event, last).process == process;)
        last++;
      sites->found |= event_sites_read (sites, first, last);
    }
  if (sites->found)
    sites->where = lc_where_new (sites->trace, NULL, NULL, NULL);
  /* A file of names that is wrong is told by what merges. */
  if (sites->where != NULL)
    {
      lc_uses_name (uses, sites->trace, sites->where);
      lc_merge_name (lc_trace_get_path (sites->trace), NULL, sites->trace, sites->where, NULL);
    }
}

void
lc_event_sites_name_trace (LcEventSites *sites)
{
  if (sites->where != NULL)
    lc_where_name_trace (sites->where, sites->trace);
}

/* --- Asking -------------------------------------------------------------------------------------------------- */

static guint32
event_sites_get_stack (const LcEventSites *sites, guint32 process, guint64 ordinal)
{
  const Event key = {ordinal, process, LC_TRACE_NONE};
  guint index;

  if (sites->where == NULL || !g_array_binary_search (sites->events, &key, event_sites_compare, &index))
    return LC_TRACE_NONE;
  return g_array_index (sites->events, Event, index).stack;
}

/* FALSE: it is not known where that is. */
static gboolean
event_sites_get (const LcEventSites *sites, guint32 stack, LcHistorySite *site)
{
  const LcWhereSite *found;
  guint32 own;

  if (sites->where == NULL || stack >= sites->where->stacks->len)
    return FALSE;
  own = g_array_index (sites->where->stacks, LcWhereStack, stack).own;
  if (own >= sites->where->sites->len)
    return FALSE;
  found = &g_array_index (sites->where->sites, LcWhereSite, own);
  *site = (LcHistorySite){.id = own,
                          .function = found->function,
                          .file = found->file,
                          .line = found->line,
                          .offset = found->offset,
                          .is_library = found->is_library};
  if (found->module < lc_trace_get_n_modules (sites->trace))
    site->module = lc_trace_get_module (sites->trace, found->module)->path;
  return TRUE;
}

char *
lc_event_sites_describe_stack (const LcEventSites *sites, guint32 stack)
{
  g_autofree char *text = NULL, *visible = NULL;
  LcHistorySite site;

  if (!event_sites_get (sites, stack, &site))
    return g_strdup ("");
  text = lc_history_dup_site_text (&site);
  visible = lc_format_text (text);
  return g_strdup_printf (_ (" in %s"), visible);
}

char *
lc_event_sites_describe (const LcEventSites *sites, guint32 process, guint64 ordinal)
{
  return lc_event_sites_describe_stack (sites, event_sites_get_stack (sites, process, ordinal));
}
