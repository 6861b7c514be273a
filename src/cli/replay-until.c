/* SPDX-License-Identifier: Apache-2.0 */
/* Where a replay is to stop, and gdb there. */
#include "replay-until.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>

#include "find-event.h"
#include "lightcone/causality.h"
#include "open-history.h"
#include "position.h"

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

/* Stops before events. One that is in the past of another is carried out; the others are not. */
static gboolean
until_find_events (LcHistory *history, const char *text, guint64 *limits, guint32 *process, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (UntilEvent));

  for (char **name = names; *name != NULL; name++)
    {
      UntilEvent event;

      if (!lc_find_event (history, "replay", *name, &event.process, &event.ordinal, error) ||
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
until_find_cut (LcHistory *history, const char *text, guint64 *limits, guint32 *process, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  g_autofree guint64 *counts = g_new0 (guint64, lc_history_get_n_processes (history));
  UntilEvent event;

  for (char **name = names; *name != NULL; name++)
    {
      if (!lc_find_event (history, "replay", *name, &event.process, &event.ordinal, error))
        return FALSE;
      counts[event.process] = event.ordinal;
      if (name == names)
        *process = event.process;
    }
  if (!until_close (history, counts, limits, error))
    return FALSE;
  for (char **name = names; *name != NULL; name++)
    if (lc_find_event (history, "replay", *name, &event.process, &event.ordinal, NULL) &&
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

/* Finds the process that has gone furthest of those that are held. FALSE: there is none. */
static gboolean
until_find_furthest (LcHistory *history, const guint64 *limits, guint32 *process, GError **error)
{
  const guint32 instance = lc_history_get_process (history, 0)->instance;
  guint64 latest = 0;
  gboolean found = FALSE;

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      const LcHistoryProcess *here = lc_history_get_process (history, i);
      LcHistoryEvent event = {0};

      if (here->instance != instance || limits[i] >= here->events || (i > 0 && limits[i] == 0))
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
until_find_moment (LcHistory *history, gboolean is_layer, guint64 at, guint64 *limits, guint32 *process, GError **error)
{
  const guint32 n = lc_history_get_n_processes (history);
  g_autofree guint64 *counts = g_new0 (guint64, n);

  for (guint32 i = 0; i < n; i++)
    if (!until_count (history, i, is_layer, at, &counts[i], error))
      return FALSE;
  return until_close (history, counts, limits, error) && until_find_furthest (history, limits, process, error);
}

static gboolean
until_find_time (LcHistory *history, const char *text, guint64 *limits, guint32 *process, GError **error)
{
  guint64 at;

  if (lc_parse_time (text, &at))
    return until_find_moment (history, FALSE, at, limits, process, error);
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("replay: %s is no time, as 12ms, 1.5s or 42 (ns)"),
               text);
  return FALSE;
}

static gboolean
until_find_layer (LcHistory *history, const char *text, guint64 *limits, guint32 *process, GError **error)
{
  guint64 at;

  if (g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT32, &at, error))
    return until_find_moment (history, TRUE, at, limits, process, error);
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
    found = until_find_events (history, until->events, limits, process, error);
  else if (until->cut != NULL)
    found = until_find_cut (history, until->cut, limits, process, error);
  else if (until->time != NULL)
    found = until_find_time (history, until->time, limits, process, error);
  else
    found = until_find_layer (history, until->layer, limits, process, error);
  return found ? g_steal_pointer (&limits) : NULL;
}

/* --- gdb ------------------------------------------------------------------------------------------------------- */

/* Names come from the trace, and may hold anything: they are handed over as digits. */
static char *
until_write_script (LcTrace *trace, struct lc_replay_header *plan, guint32 selected)
{
  GString *text = g_string_new ("import gdb\nNAMES = {");

  for (guint32 i = 0; i < plan->n_threads; i++)
    {
      const struct lc_replay_thread *thread = &lc_replay_plan_threads (plan)[i];
      const char *name;

      if (thread->state == LC_REPLAY_UNBORN || thread->state == LC_REPLAY_ENDED ||
          thread->process >= lc_trace_get_n_processes (trace))
        continue;
      name = lc_trace_get_process (trace, thread->process)->name;
      g_string_append_printf (text, "%u: '", thread->id);
      for (const char *byte = name; *byte != '\0'; byte++)
        g_string_append_printf (text, "%02x", (guchar)*byte);
      g_string_append (text, "', ");
    }
  g_string_append_printf (text, "}\nSELECTED = %u\n", lc_replay_plan_threads (plan)[selected].id);
  g_string_append (text, "for thread in gdb.selected_inferior().threads():\n"
                         "    if thread.ptid[1] in NAMES:\n"
                         "        thread.name = bytes.fromhex(NAMES[thread.ptid[1]]).decode('utf-8', 'replace')\n"
                         "for thread in gdb.selected_inferior().threads():\n"
                         "    if thread.ptid[1] == SELECTED:\n"
                         "        thread.switch()\n"
                         "frame = gdb.newest_frame()\n"
                         "inside = None\n"
                         "while frame is not None:\n"
                         "    if 'liblightcone-replay' in (gdb.solib_name(frame.pc()) or ''):\n"
                         "        inside = frame\n"
                         "    frame = frame.older()\n"
                         "if inside is not None and inside.older() is not None:\n"
                         "    inside.older().select()\n");
  return g_string_free (text, FALSE);
}

static GPtrArray *
until_gdb_command (const struct lc_replay_header *plan, const char *script, char **commands)
{
  static const char *const first[] = {"gdb", "-q", "-iex", "set debuginfod enabled off"};
  GPtrArray *command = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    g_ptr_array_add (command, g_strdup (first[i]));
  if (commands != NULL)
    g_ptr_array_add (command, g_strdup ("-batch"));
  g_ptr_array_add (command, g_strdup ("-p"));
  g_ptr_array_add (command, g_strdup_printf ("%u", plan->program));
  g_ptr_array_add (command, g_strdup ("-x"));
  g_ptr_array_add (command, g_strdup (script));
  for (guint i = 0; commands != NULL && commands[i] != NULL; i++)
    {
      g_ptr_array_add (command, g_strdup ("-ex"));
      g_ptr_array_add (command, g_strdup (commands[i]));
    }
  g_ptr_array_add (command, NULL);
  return command;
}

/* An interrupt is gdb's while it runs. */
gboolean
lc_replay_debug (LcTrace *trace, struct lc_replay_header *plan, guint32 thread, char **commands, const char *folder,
                 GError **error)
{
  g_autofree char *path = g_build_filename (folder, "gdb.py", NULL);
  g_autofree char *script = until_write_script (trace, plan, thread);
  g_autoptr (GPtrArray) command = until_gdb_command (plan, path, commands);
  const struct sigaction ignored = {.sa_handler = SIG_IGN};
  struct sigaction before;
  gboolean good;

  if (!g_file_set_contents (path, script, -1, error))
    return FALSE;
  sigaction (SIGINT, &ignored, &before);
  good = g_spawn_sync (NULL, (char **)command->pdata, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL,
                       NULL, NULL, NULL, NULL, error);
  sigaction (SIGINT, &before, NULL);
  return good;
}

gboolean
lc_replay_serve_debugger (const struct lc_replay_header *plan, const char *address, GError **error)
{
  g_autofree char *program = g_strdup_printf ("%u", plan->program);
  g_autofree char *full =
      strchr (address, ':') != NULL ? g_strdup (address) : g_strconcat ("localhost:", address, NULL);
  char *command[] = {(char *)"gdbserver", (char *)"--once", (char *)"--attach", full, program, NULL};
  const struct sigaction ignored = {.sa_handler = SIG_IGN};
  struct sigaction before;
  gboolean good;

  sigaction (SIGINT, &ignored, &before);
  good = g_spawn_sync (NULL, command, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL,
                       NULL, error);
  sigaction (SIGINT, &before, NULL);
  return good;
}
