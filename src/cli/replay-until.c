/* SPDX-License-Identifier: Apache-2.0 */
/* Where a replay is to stop. */
#include "replay-until.h"

#include <glib/gi18n.h>
#include <string.h>

#include "draw/filters/choice.h"
#include "draw/options/find-named.h"
#include "lightcone/causality.h"
#include "open-history.h"
#include "trace/quantities.h"

/* --- The past ------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 process;
  guint64 ordinal;
} UntilEvent;

/* Adds what is in the past of an event, itself included. */
static gboolean
until_add_past (LcHistory *history, const UntilEvent *event, guint64 *limits, GError **error)
{
  g_autofree guint64 *past = lc_causality_past (history, event->process, event->ordinal, NULL, error);

  for (guint32 i = 0; past != NULL && i < lc_history_get_n_processes (history); i++)
    limits[i] = MAX (limits[i], past[i]);
  return past != NULL;
}

/* Only ranks have calls of several events, and are of many address spaces. */
static gboolean
until_is_of_ranks (const LcReplayFollowers *followers)
{
  return followers != NULL && followers->is_joined != NULL;
}

static gboolean
until_find_event (LcHistory *history, const LcReplayFollowers *followers, const char *text, guint32 *process,
                  guint64 *ordinal, GError **error)
{
  if (!lc_find_event (history, "replay", text, process, ordinal, error))
    return FALSE;
  if (!until_is_of_ranks (followers) || lc_replay_followers_find_call (followers, *process, *ordinal, ordinal))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               _ ("replay: no call of MPI of a rank comes at or after %s: ranks are stopped before such calls"), text);
  return FALSE;
}

/* Stops before events. One that is in the past of another is carried out; the others are not. */
static gboolean
until_find_events (LcHistory *history, const LcReplayUntil *until, guint64 *limits, guint32 *process, GError **error)
{
  g_auto (GStrv) names = g_strsplit (until->events, ",", -1);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (UntilEvent));

  for (char **name = names; *name != NULL; name++)
    {
      UntilEvent event;

      if (!until_find_event (history, until->followers, *name, &event.process, &event.ordinal, error) ||
          !until_add_past (history, &event, limits, error))
        return FALSE;
      g_array_append_val (events, event);
    }
  for (guint i = 0; i < events->len; i++)
    {
      const UntilEvent *event = &g_array_index (events, UntilEvent, i);

      if (limits[event->process] == event->ordinal + 1)
        limits[event->process] = event->ordinal;
    }
  *process = g_array_index (events, UntilEvent, 0).process;
  return TRUE;
}

/* --- Cuts ----------------------------------------------------------------------------------------------------- */

/* Stops each process after so many events, and adds what is in their past. */
static gboolean
until_close (LcHistory *history, const guint64 *counts, guint64 *limits, GError **error)
{
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      const UntilEvent last = {i, counts[i] - 1};

      if (counts[i] > 0 && !until_add_past (history, &last, limits, error))
        return FALSE;
    }
  return TRUE;
}

/* Stops processes exactly before these events: none of them may be in the past of what comes before another. */
static gboolean
until_find_cut (LcHistory *history, const LcReplayUntil *until, guint64 *limits, guint32 *process, GError **error)
{
  g_auto (GStrv) names = g_strsplit (until->cut, ",", -1);
  g_autofree guint64 *counts = g_new0 (guint64, lc_history_get_n_processes (history));
  UntilEvent event;

  for (char **name = names; *name != NULL; name++)
    {
      if (!until_find_event (history, until->followers, *name, &event.process, &event.ordinal, error))
        return FALSE;
      counts[event.process] = event.ordinal;
      if (name == names)
        *process = event.process;
    }
  if (!until_close (history, counts, limits, error))
    return FALSE;
  for (char **name = names; *name != NULL; name++)
    if (until_find_event (history, until->followers, *name, &event.process, &event.ordinal, NULL) &&
        limits[event.process] > event.ordinal)
      {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("replay: no cut is before %s: what comes before another of these events has it in its past"),
                     *name);
        return FALSE;
      }
  return TRUE;
}

/* Counts the events of a process that have ended at a time, or have lower layers. */
static gboolean
until_count (LcHistory *history, guint32 process, gboolean is_layer, guint64 at, guint64 *count, GError **error)
{
  LcHistoryEvent event;

  *count = 0;
  if (lc_history_get_process (history, process)->events == 0)
    return TRUE;
  if (is_layer ? !lc_history_find_event_at_layer (history, LC_TIMELINE_MEASURED, process, at, &event, error)
               : !lc_history_find_event_at (history, LC_TIMELINE_MEASURED, process, at, &event, error))
    return FALSE;
  *count = event.ordinal + (is_layer ? event.layer < at : event.end <= at);
  return TRUE;
}

/* Whether a process can be stopped at its limit. */
static gboolean
until_is_held (LcHistory *history, const LcReplayFollowers *followers, guint32 process, guint64 limit)
{
  const LcHistoryProcess *here = lc_history_get_process (history, process);
  guint64 adjusted = limit;

  if (until_is_of_ranks (followers)) /* and is not within a call */
    return lc_replay_followers_adjust (followers, process, &adjusted) && adjusted == limit;
  return here->instance == lc_history_get_process (history, 0)->instance && limit < here->events &&
         (process == 0 || limit > 0);
}

/* Finds the process that has gone furthest of those that are held. FALSE: there is none. */
static gboolean
until_find_furthest (LcHistory *history, const LcReplayFollowers *followers, const guint64 *limits, guint32 *process,
                     GError **error)
{
  guint64 latest = 0;
  gboolean found = FALSE;

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      LcHistoryEvent event = {0};

      if (!until_is_held (history, followers, i, limits[i]))
        continue;
      if (limits[i] > 0 && !lc_history_get_event (history, LC_TIMELINE_MEASURED, i, limits[i] - 1, &event, error))
        return FALSE;
      if (!found || event.end > latest)
        *process = i;
      latest = MAX (latest, event.end);
      found = TRUE;
    }
  if (!found)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("replay: nothing comes after that in the trace"));
  return found;
}

static gboolean
until_find_moment (LcHistory *history, const LcReplayFollowers *followers, gboolean is_layer, guint64 at,
                   guint64 *limits, guint32 *process, GError **error)
{
  const guint32 n = lc_history_get_n_processes (history);
  g_autofree guint64 *counts = g_new0 (guint64, n);

  for (guint32 i = 0; i < n; i++)
    {
      if (!until_count (history, i, is_layer, at, &counts[i], error))
        return FALSE;
      if (until_is_of_ranks (followers))
        lc_replay_followers_adjust (followers, i, &counts[i]);
    }
  return until_close (history, counts, limits, error) &&
         until_find_furthest (history, followers, limits, process, error);
}

static gboolean
until_find_time (LcHistory *history, const LcReplayUntil *until, guint64 *limits, guint32 *process, GError **error)
{
  guint64 at;

  if (lc_parse_time (until->time, &at))
    return until_find_moment (history, until->followers, FALSE, at, limits, process, error);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("replay: %s is no time, as 12ms, 1.5s or 42 (ns)"),
               until->time);
  return FALSE;
}

static gboolean
until_find_layer (LcHistory *history, const LcReplayUntil *until, guint64 *limits, guint32 *process, GError **error)
{
  guint64 at;

  if (g_ascii_string_to_unsigned (until->layer, 10, 1, G_MAXUINT32, &at, error))
    return until_find_moment (history, until->followers, TRUE, at, limits, process, error);
  g_prefix_error (error, "replay: --until-layer: ");
  return FALSE;
}

gboolean
lc_replay_until_is_given (const LcReplayUntil *until)
{
  return until->events != NULL || until->cut != NULL || until->time != NULL || until->layer != NULL;
}

guint64 *
lc_replay_until_find (const char *directory, const LcReplayUntil *until, guint32 *process, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (directory, NULL, FALSE, error);
  g_autofree guint64 *limits = NULL;
  gboolean found;

  if (history == NULL)
    return NULL;
  limits = g_new0 (guint64, lc_history_get_n_processes (history));
  if (until->events != NULL)
    found = until_find_events (history, until, limits, process, error);
  else if (until->cut != NULL)
    found = until_find_cut (history, until, limits, process, error);
  else if (until->time != NULL)
    found = until_find_time (history, until, limits, process, error);
  else
    found = until_find_layer (history, until, limits, process, error);
  return found ? g_steal_pointer (&limits) : NULL;
}

guint64 *
lc_replay_until_find_past (const char *directory, guint32 process, guint64 ordinal, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (directory, NULL, FALSE, error);

  return history != NULL ? lc_causality_past (history, process, ordinal, NULL, error) : NULL;
}

gboolean
lc_replay_until_find_event (const char *directory, const LcReplayFollowers *followers, const char *text,
                            guint32 *process, guint64 *ordinal, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (directory, NULL, FALSE, error);

  return history != NULL && until_find_event (history, followers, text, process, ordinal, error);
}

gboolean
lc_replay_until_find_process (const char *directory, const char *text, guint32 *process, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (directory, NULL, FALSE, error);

  if (history == NULL || lc_find_process (history, text, process))
    return history != NULL;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("replay: there is no process %s"), text);
  return FALSE;
}
