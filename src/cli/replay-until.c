/* SPDX-License-Identifier: Apache-2.0 */
/* Where a replay is to stop, and gdb there. */
#include "replay-until.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>

#include "find-event.h"
#include "lightcone/causality.h"
#include "open-history.h"

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

guint64 *
lc_replay_until_parse (const char *directory, const char *text, guint32 *process, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (directory, NULL, FALSE, error);
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (UntilEvent));
  g_autofree guint64 *limits = NULL;

  if (history == NULL)
    return NULL;
  limits = g_new0 (guint64, lc_history_get_n_processes (history));
  for (char **name = names; *name != NULL; name++)
    {
      UntilEvent event;

      if (!lc_find_event (history, "replay", *name, &event.process, &event.ordinal, error) ||
          !until_add_past (history, &event, limits, error))
        return NULL;
      g_array_append_val (events, event);
    }
  /* An event that is in the past of another is carried out; the others are not. */
  for (guint i = 0; i < events->len; i++)
    {
      const UntilEvent *event = &g_array_index (events, UntilEvent, i);

      if (limits[event->process] == event->ordinal + 1)
        limits[event->process] = event->ordinal;
    }
  *process = g_array_index (events, UntilEvent, 0).process;
  return g_steal_pointer (&limits);
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
