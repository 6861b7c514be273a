/* SPDX-License-Identifier: Apache-2.0 */
/* Events that a user has named: PROCESS:ORDINAL. */
#include "find-event.h"

#include <glib/gi18n.h>
#include <string.h>

#include "draw/filters/choice.h"

static gboolean
check_ordinal (const LcHistory *history, guint32 process, guint64 ordinal, GError **error)
{
  const LcHistoryProcess *found = lc_history_get_process (history, process);
  g_autofree char *last = g_strdup_printf ("%" G_GUINT64_FORMAT, found->events - 1);
  g_autofree char *asked = g_strdup_printf ("%" G_GUINT64_FORMAT, ordinal);

  if (ordinal < found->events)
    return TRUE;
  if (found->events > 0)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 _ ("%s: process %s has events from 0 to %s, not %s"), lc_history_get_path (history), found->name, last,
                 asked);
  else
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, _ ("%s: process %s has no events"),
                 lc_history_get_path (history), found->name);
  return FALSE;
}

/* The last colon counts, since names may contain colons. */
gboolean
lc_find_event (const LcHistory *history, const char *command, const char *text, guint32 *process, guint64 *ordinal,
               GError **error)
{
  const char *colon = strrchr (text, ':');
  g_autofree char *name = colon != NULL ? g_strndup (text, (gsize)(colon - text)) : NULL;

  if (name == NULL || !g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXINT64, ordinal, NULL))
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 _ ("%s: “%s” is not an event: it has to be PROCESS:ORDINAL, as 0:12"), command, text);
  else if (!lc_find_process (history, name, process))
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 _ ("%s: there is no process “%s” (lightcone info lists them)"), lc_history_get_path (history), name);
  else
    return check_ordinal (history, *process, *ordinal, error);
  return FALSE;
}
