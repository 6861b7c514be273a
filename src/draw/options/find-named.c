/* SPDX-License-Identifier: Apache-2.0 */
/* Events and timelines that a user has named. */
#include "draw/options/find-named.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/filters/choice.h"
#include "lightcone/approximate.h"
#include "lightcone/laid-times.h"

/* --- Events ------------------------------------------------------------------------------------------------------- */

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

/* --- Timelines ---------------------------------------------------------------------------------------------------- */

/* Gives "measured, event". */
static char *
find_named_list_names (const GPtrArray *timelines)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", timeline->name);
    }
  return g_string_free (names, FALSE);
}

gboolean
lc_find_timeline (LcHistory *history, const char *name, guint32 *number, GError **error)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (history, error);
  g_autofree char *names = NULL;
  LcModel model;

  if (timelines == NULL)
    return FALSE;
  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];

      *number = timeline->id;
      if (strcmp (timeline->name, name) == 0)
        return TRUE;
    }
  names = find_named_list_names (timelines);
  if (lc_model_parse (name, &model) && model != LC_MODEL_AUTO)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 _ ("%s: there is no timeline “%s”, only: %s (lightcone approximate --model %s makes it)"),
                 lc_history_get_path (history), name, names, name);
  else
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 _ ("%s: there is no timeline “%s”, only: %s (lightcone approximate makes others)"),
                 lc_history_get_path (history), name, names);
  return FALSE;
}

/* Times of another run that are laid under this one are no approximation of it. */
static gboolean
find_named_is_approximation (const LcHistoryTimeline *timeline)
{
  return timeline->id != LC_TIMELINE_MEASURED && strcmp (timeline->model, LC_LAID_TIMES_MODEL) != 0;
}

char *
lc_find_approximation (LcHistory *history, guint32 *number, GError **error)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (history, error);
  g_autofree char *names = NULL;
  const LcHistoryTimeline *found = NULL, *any = NULL;
  guint usual = 0, n = 0;

  if (timelines == NULL)
    return NULL;
  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = timelines->pdata[i];

      if (!find_named_is_approximation (timeline))
        continue;
      any = timeline;
      n++;
      if (strcmp (timeline->name, "event") != 0 && strcmp (timeline->name, "liberal") != 0)
        continue;
      found = timeline;
      usual++;
    }
  if (n == 1)
    found = any;
  if (found != NULL && usual <= 1)
    {
      *number = found->id;
      return g_strdup (found->name);
    }
  names = find_named_list_names (timelines);
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
               n == 0 ? _ ("%s: there is no approximated timeline, only: %s (lightcone approximate makes one)")
                      : _ ("%s: which timeline (--timeline)? There are: %s"),
               lc_history_get_path (history), names);
  return NULL;
}
