/* SPDX-License-Identifier: Apache-2.0 */
/* The other end of the browser's console: evaluates what comes on standard input. docs/architecture.md tells how. */
#include "script-console.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "command.h"
#include "script-folders.h"

enum
{
  LONGEST = 1 << 24, /* bytes of a request */
  ENOUGH = 1 << 13,  /* bytes of output that are kept back for the end of a line */
};

typedef struct
{
  LcScriptSession *session;
  int input;
  int output;
  GString *kept; /* output that has not been sent yet */
} Console;

/* --- Frames: WORD LENGTH, the end of the line, and as many bytes ------------------------------------------------ */

/* A browser that is gone is no failure. */
static void
script_console_write (const Console *console, const char *bytes, gsize length)
{
  while (length > 0)
    {
      ssize_t written = write (console->output, bytes, length);

      if (written < 0 && errno != EINTR)
        _exit (LC_EXIT_GOOD);
      bytes += MAX (written, 0);
      length -= (gsize)MAX (written, 0);
    }
}

static void
script_console_send (const Console *console, const char *word, const char *bytes, gsize length)
{
  g_autoptr (GString) frame = g_string_sized_new (length + 32);

  g_string_append_printf (frame, "%s %" G_GSIZE_FORMAT "\n", word, length);
  g_string_append_len (frame, bytes, (gssize)length);
  script_console_write (console, frame->str, frame->len);
}

static void
script_console_flush (Console *console)
{
  if (console->kept->len > 0)
    script_console_send (console, "output", console->kept->str, console->kept->len);
  g_string_truncate (console->kept, 0);
}

/* Output comes in small parts, which go on line by line. */
static void
script_console_emit (const char *kind, const char *text, gsize length, gpointer data)
{
  Console *console = data;

  if (strcmp (kind, "output") == 0)
    {
      g_string_append_len (console->kept, text, (gssize)length);
      if (console->kept->len >= ENOUGH || (length > 0 && text[length - 1] == '\n'))
        script_console_flush (console);
      return;
    }
  script_console_flush (console);
  script_console_send (console, kind, text, length);
}

static void
script_console_say (Console *console, const char *word, const char *text)
{
  script_console_flush (console);
  script_console_send (console, word, text, strlen (text));
}

/* FALSE: the browser is gone. */
static gboolean
script_console_read_bytes (const Console *console, char *bytes, gsize length)
{
  while (length > 0)
    {
      ssize_t count = read (console->input, bytes, length);

      if (count == 0 || (count < 0 && errno != EINTR))
        return FALSE;
      bytes += MAX (count, 0);
      length -= (gsize)MAX (count, 0);
    }
  return TRUE;
}

/* Reads a request. Returns its text, to be freed; NULL: there are no more. */
static char *
script_console_read (const Console *console, char *word, gsize size)
{
  char head[64];
  gsize length = 0;
  guint64 n_bytes;
  char *end, *blank, *text;

  do
    if (length + 1 >= sizeof head || !script_console_read_bytes (console, &head[length], 1))
      return NULL;
  while (head[length++] != '\n');
  head[length] = '\0';
  blank = strchr (head, ' ');
  if (blank == NULL || (gsize)(blank - head) >= size)
    return NULL;
  *blank = '\0';
  g_strlcpy (word, head, size);
  n_bytes = g_ascii_strtoull (blank + 1, &end, 10);
  if (*end != '\n' || n_bytes > LONGEST)
    return NULL;
  text = g_malloc (n_bytes + 1);
  text[n_bytes] = '\0';
  if (script_console_read_bytes (console, text, n_bytes) && g_utf8_validate (text, (gssize)n_bytes, NULL))
    return text;
  g_free (text);
  return NULL;
}

/* --- Requests ---------------------------------------------------------------------------------------------------- */

/* PROCESS ORDINAL (or - -) FROM TO, and the numbers of the shown processes. */
static void
script_console_set_view (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint n = g_strv_length (words);
  g_autofree guint32 *processes = g_new0 (guint32, n + 1);
  LcScriptView view = {.process = LC_TRACE_NONE, .processes = processes};

  if (n < 4)
    return;
  if (strcmp (words[0], "-") != 0)
    {
      view.process = (guint32)g_ascii_strtoull (words[0], NULL, 10);
      view.ordinal = g_ascii_strtoull (words[1], NULL, 10);
    }
  view.from = g_ascii_strtoull (words[2], NULL, 10);
  view.to = g_ascii_strtoull (words[3], NULL, 10);
  for (guint i = 4; i < n; i++)
    processes[view.n_processes++] = (guint32)g_ascii_strtoull (words[i], NULL, 10);
  lc_script_console_set_view (&view);
}

/* Tells how an evaluation has ended. FALSE: by (exit). */
static gboolean
script_console_tell (Console *console, LcScriptResult result)
{
  gboolean goes_on = result.end != LC_SCRIPT_EXITED;

  if (result.end == LC_SCRIPT_FAILED)
    script_console_say (console, "failed", result.message);
  else if (result.end == LC_SCRIPT_STOPPED)
    script_console_say (console, "stopped", result.message);
  else
    script_console_say (console, goes_on ? "done" : "exited", "");
  lc_script_result_clear (&result);
  return goes_on;
}

static gboolean
script_console_evaluate (Console *console, const char *text)
{
  if (lc_script_is_complete (text))
    return script_console_tell (console, lc_script_evaluate (text, _ ("(typed)"), TRUE));
  script_console_say (console, "incomplete", "");
  return TRUE;
}

static void
script_console_complete (Console *console, const char *prefix)
{
  g_auto (GStrv) names = lc_script_complete (prefix);
  g_autofree char *text = g_strjoinv ("\n", names);

  script_console_say (console, "names", text);
}

static void
script_console_body (gpointer data)
{
  Console *console = data;
  const LcScriptSession *session = console->session;
  char word[16];
  gboolean goes_on = TRUE;

  lc_script_console_begin (script_console_emit, console);
  goes_on = script_console_tell (console, lc_script_folders_load (session->options.directory, session->trusts));
  while (goes_on)
    {
      g_autofree char *text = script_console_read (console, word, sizeof word);

      if (text == NULL)
        return;
      if (strcmp (word, "view") == 0)
        script_console_set_view (text);
      else if (strcmp (word, "complete") == 0)
        script_console_complete (console, text);
      else if (strcmp (word, "evaluate") == 0)
        goes_on = script_console_evaluate (console, text);
    }
}

/* Keeps the two ends for itself: scripts read nothing, and what C prints goes to standard error. */
static gboolean
script_console_take_ends (Console *console)
{
  int nothing = open ("/dev/null", O_RDONLY | O_CLOEXEC);

  console->input = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  console->output = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (nothing >= 0 && console->input >= 0 && console->output >= 0 && dup2 (nothing, STDIN_FILENO) >= 0 &&
      dup2 (STDERR_FILENO, STDOUT_FILENO) >= 0)
    return TRUE;
  lc_complain (_ ("script: %s"), g_strerror (errno));
  return FALSE;
}

int
lc_script_console_run (LcScriptSession *session)
{
  Console console = {.session = session, .kept = g_string_new (NULL)};

  if (!script_console_take_ends (&console))
    return LC_EXIT_UNUSABLE;
  signal (SIGPIPE, SIG_IGN);
  prctl (PR_SET_PDEATHSIG, SIGKILL); /* a loop without end must not outlive the browser */
  lc_script_session_catch_interrupts ();
  lc_script_run (&session->options, script_console_body, &console);
  g_string_free (console.kept, TRUE);
  return LC_EXIT_GOOD;
}
