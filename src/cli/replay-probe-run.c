/* SPDX-License-Identifier: Apache-2.0 */
/* Probes: gdb, which evaluates them while the program runs. */
/*
 * gdb's script (gdb/probe.py) reads what is to be evaluated from a file, and tells us how it goes on a socket, a line
 * for each thing; texts are in digits of base 16. The values it leaves in the program itself (lightcone/replay-plan.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "replay-debug.h"
#include "replay-probe.h"
#include "report/format.h"

#define PROBE_SPECIFICATION "LIGHTCONE_PROBES"

enum
{
  END_PATIENCE = 10 * G_USEC_PER_SEC, /* from the program's end to gdb's */
  END_PAUSE = 5000,
};

/* --- Starting -------------------------------------------------------------------------------------------------- */

/* Writes where gdb is to stop, and what it evaluates there. */
static char *
probes_write_specification (const LcReplayProbes *probes, GError **error)
{
  g_autofree char *path = g_build_filename (probes->folder, "probes", NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "stop %" G_GUINT64_FORMAT "\n", (guint64)probes->plan->probe_address);
  for (guint i = 0; i < probes->probes->len; i++)
    {
      g_autofree char *digits = lc_replay_debug_encode (g_array_index (probes->probes, LcReplayProbe, i).expression);

      g_string_append_printf (text, "expression %s\n", digits);
    }
  for (guint i = 0; i < probes->sets->len; i++)
    g_string_append_printf (text, "set %u\n", g_array_index (probes->sets, guint32, i));
  return g_file_set_contents (path, text->str, (gssize)text->len, error) ? g_steal_pointer (&path) : NULL;
}

/* An interrupt by the user is the program's, which gdb sees end. */
static void
probes_set_up_gdb (gpointer data)
{
  setsid ();
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static gboolean
probes_start (LcReplayProbes *probes, pid_t program, GError **error)
{
  char *none[] = {NULL};
  const int targets[1] = {3};
  g_autofree char *specification = probes_write_specification (probes, error);
  g_autofree char *script = lc_replay_debug_write_script (probes->folder, "probe.py", error);
  g_autofree char *log = g_build_filename (probes->folder, "gdb.log", NULL);
  g_autoptr (GPtrArray) command = lc_replay_debug_make_command (program, script, none);
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), PROBE_SPECIFICATION, specification, TRUE);
  int ends[2], output = open (log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  gboolean good = FALSE;

  if (specification == NULL || script == NULL || output < 0 || pipe2 (ends, O_CLOEXEC) != 0)
    {
      if (error != NULL && *error == NULL)
        g_set_error (error, G_FILE_ERROR, (int)g_file_error_from_errno (errno), "%s: %s", log, g_strerror (errno));
    }
  else
    {
      good = g_spawn_async_with_pipes_and_fds (
          NULL, (const char *const *)command->pdata, (const char *const *)environment,
          G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, probes_set_up_gdb, NULL, -1, output, output, &ends[1],
          targets, 1, &probes->gdb, NULL, NULL, NULL, error);
      close (ends[1]);
      fcntl (ends[0], F_SETFL, O_NONBLOCK);
      probes->answers = ends[0];
    }
  if (output >= 0)
    close (output);
  return good;
}

/* --- What gdb says --------------------------------------------------------------------------------------------- */

/* Nobody waits for gdb any more. */
static void
probes_go (LcReplayProbes *probes)
{
  if (probes->answers >= 0)
    close (probes->answers);
  probes->answers = -1;
  __atomic_store_n (&probes->plan->prober, LC_REPLAY_PROBER_GONE, __ATOMIC_RELEASE);
}

static LcReplayProbe *
probes_get (const LcReplayProbes *probes, const char *number)
{
  const guint64 found = g_ascii_strtoull (number, NULL, 10);

  return found < probes->probes->len ? &g_array_index (probes->probes, LcReplayProbe, found) : NULL;
}

/* "failed NUMBER FUNCTION MESSAGE COUNT" */
static void
probes_take_failure (LcReplayProbes *probes, char **words)
{
  const LcReplayProbe *probe = probes_get (probes, words[1]);
  g_autofree char *place = lc_replay_debug_decode (words[2]), *message = lc_replay_debug_decode (words[3]);
  const guint64 n = g_ascii_strtoull (words[4], NULL, 10);
  g_autofree char *number = lc_format_count (n), *visible = lc_format_text (*place != '\0' ? place : _ ("a library")),
                  *said = lc_format_text (message);

  if (probe != NULL)
    g_ptr_array_add (probes->failures,
                     g_strdup_printf (ngettext ("“%s” has no value in %s, before %s event: %s",
                                                "“%s” has no value in %s, before %s events: %s", (gulong)n),
                                      probe->expression, visible, number, said));
}

static void
probes_take_line (LcReplayProbes *probes, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  const guint n = g_strv_length (words);
  LcReplayProbe *probe;

  if (strcmp (words[0], "ready") == 0)
    {
      probes->is_ready = TRUE;
      __atomic_store_n (&probes->plan->prober, LC_REPLAY_PROBER_HERE, __ATOMIC_RELEASE);
    }
  else if (n == 3 && strcmp (words[0], "values") == 0)
    {
      probe = probes_get (probes, words[1]);
      if (probe != NULL)
        probe->n_values = g_ascii_strtoull (words[2], NULL, 10);
    }
  else if (n == 5 && strcmp (words[0], "failed") == 0)
    probes_take_failure (probes, words);
  else if (n == 2 && strcmp (words[0], "left") == 0 && probes->reason == NULL)
    probes->reason = lc_replay_debug_decode (words[1]);
}

/* Takes the lines that are there. */
static void
probes_read (LcReplayProbes *probes)
{
  char bytes[4096], *end;
  gssize n;

  while (probes->answers >= 0 && (n = read (probes->answers, bytes, sizeof bytes)) >= 0)
    {
      g_string_append_len (probes->received, bytes, n);
      while ((end = strchr (probes->received->str, '\n')) != NULL)
        {
          *end = '\0';
          probes_take_line (probes, probes->received->str);
          g_string_erase (probes->received, 0, end + 1 - probes->received->str);
        }
      if (n == 0)
        probes_go (probes);
    }
}

void
lc_replay_probes_look (LcReplayProbes *probes, pid_t program)
{
  g_autoptr (GError) error = NULL;

  if (probes->gdb != 0)
    probes_read (probes);
  else if (!probes_start (probes, program, &error))
    {
      probes->gdb = -1;
      probes->reason = g_strdup (error->message);
      probes_go (probes);
    }
}

/* --- The end --------------------------------------------------------------------------------------------------- */

/* gdb sees the end of the program, and then says what it has counted. */
static void
probes_await_end (LcReplayProbes *probes)
{
  const gint64 begin = g_get_monotonic_time ();

  while (probes->answers >= 0 && g_get_monotonic_time () - begin < END_PATIENCE)
    {
      probes_read (probes);
      if (probes->answers >= 0)
        g_usleep (END_PAUSE);
    }
  probes_go (probes);
  if (probes->gdb <= 0)
    return;
  kill (probes->gdb, SIGKILL);
  while (waitpid (probes->gdb, NULL, 0) < 0 && errno == EINTR)
    ;
  g_spawn_close_pid (probes->gdb);
  probes->gdb = -1;
}

/* The last that gdb has printed, if it could not begin. */
static char *
probes_dup_last_words (const LcReplayProbes *probes)
{
  g_autofree char *log = g_build_filename (probes->folder, "gdb.log", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n;

  if (!g_file_get_contents (log, &text, NULL, NULL))
    return g_strdup (_ ("it did not start"));
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  n = g_strv_length (lines);
  return n > 0 ? lc_format_text (lines[n - 1]) : g_strdup (_ ("it ended"));
}

static void
probes_tell_values (const LcReplayProbes *probes)
{
  for (guint i = 0; i < probes->probes->len; i++)
    {
      const LcReplayProbe *probe = &g_array_index (probes->probes, LcReplayProbe, i);
      g_autofree char *n_values = lc_format_count (probe->n_values), *n_events = lc_format_count (probe->n_events);

      lc_complain (ngettext ("“%s” at “%s”: %s value, before %s events", "“%s” at “%s”: %s values, before %s events",
                             (gulong)probe->n_values),
                   probe->expression, probe->text, n_values, n_events);
    }
}

/* Nothing is missing in silence. */
static void
probes_tell_missing (const LcReplayProbes *probes, guint64 n_values)
{
  const guint64 n_missed = probes->n_events - MIN (probes->n_events, probes->plan->n_probed);
  const guint64 n_untold = n_values - MIN (n_values, probes->plan->n_told);
  g_autofree char *missed = lc_format_count (n_missed), *untold = lc_format_count (n_untold);

  if (n_missed > 0)
    lc_complain (ngettext ("%s event that has probes was not looked at before it was carried out",
                           "%s events that have probes were not looked at before they were carried out",
                           (gulong)n_missed),
                 missed);
  if (n_untold > 0)
    lc_complain (ngettext ("%s value was not recorded: are there events of the class mark in the new trace?",
                           "%s values were not recorded: are there events of the class mark in the new trace?",
                           (gulong)n_untold),
                 untold);
}

gboolean
lc_replay_probes_end (LcReplayProbes *probes, gboolean quiet)
{
  g_autofree char *turnless = lc_format_count (probes->n_turnless), *words = NULL;
  gboolean good = TRUE;
  guint64 n_values = 0;

  probes_await_end (probes);
  if (!probes->is_ready && probes->reason == NULL)
    probes->reason = probes_dup_last_words (probes);
  if (probes->reason != NULL)
    {
      words = lc_format_text (probes->reason);
      lc_complain (_ ("gdb could not look into the program to its end, and the rest has no values: %s"), words);
    }
  for (guint i = 0; i < probes->failures->len; i++)
    lc_complain ("%s", (const char *)probes->failures->pdata[i]);
  for (guint i = 0; i < probes->probes->len; i++)
    {
      n_values += g_array_index (probes->probes, LcReplayProbe, i).n_values;
      good &= g_array_index (probes->probes, LcReplayProbe, i).n_values > 0;
    }
  if (!quiet)
    probes_tell_values (probes);
  probes_tell_missing (probes, n_values);
  if (probes->n_turnless > 0 && !quiet)
    lc_complain (
        ngettext (
            "%s event there has no turn in a replay, or is not called by the program: it was not looked at",
            "%s events there have no turns in a replay, or are not called by the program: they were not looked at",
            (gulong)probes->n_turnless),
        turnless);
  return good && probes->reason == NULL;
}
