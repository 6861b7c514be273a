/* SPDX-License-Identifier: Apache-2.0 */
/* Runs what lightcone script was given, or lets the user type it. */
#include "script-session.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "line-editor.h"
#include "trace/quantities.h"

typedef struct
{
  LcScriptSession *session;
  GString *text; /* the form that has begun */
  gboolean interactive;
  gboolean done;
  int status;
} Running;

static void
script_session_interrupted (int number)
{
  if (!lc_line_editor_interrupt ())
    lc_script_interrupt ();
}

/* Tells the user how it ended. In the shell, only (exit) ends anything. */
static void
script_session_take (Running *running, LcScriptResult result)
{
  if (result.end == LC_SCRIPT_EXITED)
    {
      running->done = TRUE;
      running->status = result.status;
    }
  else if (result.end != LC_SCRIPT_GOOD)
    {
      if (result.end == LC_SCRIPT_STOPPED)
        lc_complain (_ ("script: %s"), result.message);
      else
        lc_complain ("%s", result.message);
      running->status = running->interactive ? LC_EXIT_GOOD : LC_EXIT_UNUSABLE;
      running->done = !running->interactive;
    }
  lc_script_result_clear (&result);
}

/* --- Scripts in folders ------------------------------------------------------------------------------------------- */

static int
script_session_compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *
script_session_list (const char *folder)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  GDir *entries = g_dir_open (folder, 0, NULL);
  const char *name;

  while (entries != NULL && (name = g_dir_read_name (entries)) != NULL)
    if (name[0] != '.' && g_str_has_suffix (name, ".scm"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_clear_pointer (&entries, g_dir_close);
  g_ptr_array_sort (paths, script_session_compare_names);
  return paths;
}

static char *
script_session_dup_own_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "lightcone", "scripts", NULL);
}

/* Returns FALSE after a script that was stopped or has called (exit). */
static gboolean
script_session_load_folder (const char *folder, LcScriptResult *result)
{
  g_autoptr (GPtrArray) paths = script_session_list (folder);

  for (guint i = 0; i < paths->len; i++)
    {
      *result = lc_script_load (paths->pdata[i]);
      if (result->end == LC_SCRIPT_STOPPED || result->end == LC_SCRIPT_EXITED)
        return FALSE;
      if (result->end == LC_SCRIPT_FAILED)
        lc_complain ("%s", result->message);
      lc_script_result_clear (result);
    }
  *result = (LcScriptResult){.end = LC_SCRIPT_GOOD};
  return TRUE;
}

LcScriptResult
lc_script_session_load_folders (const char *directory, gboolean trusts)
{
  g_autofree char *own = script_session_dup_own_folder ();
  g_autofree char *theirs = g_build_filename (directory, "scripts", NULL);
  LcScriptResult result = lc_script_load_own ();

  if (result.end == LC_SCRIPT_GOOD && script_session_load_folder (own, &result) && trusts)
    script_session_load_folder (theirs, &result);
  return result;
}

/* Says why scripts that are there are not loaded. */
static void
script_session_tell_untrusted (const LcScriptSession *session)
{
  g_autofree char *theirs = g_build_filename (session->options.directory, "scripts", NULL);
  g_autoptr (GPtrArray) paths = script_session_list (theirs);

  if (paths->len > 0 && !session->trusts)
    lc_complain (_ ("%s: the scripts in it are not loaded, as a trace may be from others (--trust-scripts loads them)"),
                 theirs);
}

/* --- The shell ---------------------------------------------------------------------------------------------------- */

static const char *
script_session_get_prompt (gpointer running)
{
  return ((const Running *)running)->text->len == 0 ? "lightcone> " : "......> ";
}

static void
script_session_drop (gpointer running)
{
  g_string_truncate (((Running *)running)->text, 0);
}

static gboolean
script_session_is_part (char character)
{
  return character != '\0' && strchr (" \t()[]'`,\"", character) == NULL;
}

static void
script_session_add_line (Running *running, const char *line)
{
  g_string_append (running->text, line);
  if (!lc_script_is_complete (running->text->str))
    return;
  g_autofree char *text = g_strdup (running->text->str);

  script_session_drop (running);
  script_session_take (running, lc_script_evaluate (text, _ ("(typed)"), TRUE));
}

static void
script_session_shell (Running *running)
{
  const LcLineEditorUse use = {.name = "script-history",
                               .get_prompt = script_session_get_prompt,
                               .drop = script_session_drop,
                               .complete = lc_script_complete,
                               .is_part = script_session_is_part,
                               .data = running};
  g_autofree char *path = lc_format_text (running->session->options.directory);
  LcLineEditor *editor;
  const char *line;

  g_print (_ ("%s\n(exit) leaves, the Tab key completes names, Ctrl-C stops. docs/scripting.md explains.\n"), path);
  editor = lc_line_editor_new (&use);
  while (!running->done && (line = lc_line_editor_read (editor)) != NULL)
    script_session_add_line (running, line);
  if (!running->done)
    g_print ("\n");
  lc_line_editor_free (editor);
}

/* --- Running ------------------------------------------------------------------------------------------------------ */

static void
script_session_read_input (Running *running)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char part[4096];
  size_t length;

  while ((length = fread (part, 1, sizeof part, stdin)) > 0)
    g_string_append_len (text, part, (gssize)length);
  if (g_utf8_validate (text->str, (gssize)text->len, NULL))
    script_session_take (running, lc_script_evaluate (text->str, _ ("(standard input)"), FALSE));
  else
    {
      lc_complain (_ ("script: what stands on standard input is no text in UTF-8"));
      running->status = LC_EXIT_UNUSABLE;
    }
}

static void
script_session_body (gpointer data)
{
  Running *running = data;
  const LcScriptSession *session = running->session;

  script_session_take (running, lc_script_session_load_folders (session->options.directory, session->trusts));
  if (running->interactive)
    script_session_tell_untrusted (session);
  if (session->file != NULL && !running->done)
    script_session_take (running, lc_script_load (session->file));
  for (gsize i = 0; session->expressions != NULL && session->expressions[i] != NULL && !running->done; i++)
    script_session_take (running, lc_script_evaluate (session->expressions[i], "-e", TRUE));
  if (session->file == NULL && session->expressions == NULL && !running->done)
    (running->interactive ? script_session_shell : script_session_read_input) (running);
}

void
lc_script_session_catch_interrupts (void)
{
  struct sigaction action = {.sa_handler = script_session_interrupted};

  sigaction (SIGINT, &action, NULL);
}

int
lc_script_session_run (LcScriptSession *session)
{
  Running running = {.session = session, .text = g_string_new (NULL), .status = LC_EXIT_GOOD};

  running.interactive =
      session->file == NULL && session->expressions == NULL && isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
  fflush (stdout);
  lc_script_session_catch_interrupts ();
  lc_script_run (&session->options, script_session_body, &running);
  signal (SIGINT, SIG_DFL);
  g_string_free (running.text, TRUE);
  return running.status;
}
