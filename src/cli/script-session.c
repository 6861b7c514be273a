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
#include "script-folders.h"
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

/* --- What scripts define ------------------------------------------------------------------------------------------ */

/* A line for people and programs: kind, name, key, title and text, with tabs between them. */
static void
script_session_list (const LcScriptDefinition *definition, gpointer data)
{
  g_autofree char *name = lc_format_text (definition->name), *key = lc_format_text (definition->key);
  g_autofree char *title = lc_format_text (definition->title), *text = lc_format_text (definition->text);

  g_print ("%s\t%s\t%s\t%s\t%s\n", definition->kind, name, key, title, text);
}

static void
script_session_run_command (Running *running)
{
  const LcScriptSession *session = running->session;
  g_autofree char *text = NULL;
  LcScriptResult result = lc_script_run_command (session->command, &session->request, &text);

  if (result.end == LC_SCRIPT_GOOD && text == NULL)
    {
      lc_complain (_ ("script: no script defines a command “%s” (--list says what there is)"), session->command);
      lc_script_folders_tell_untrusted (session->options.directory);
      running->status = LC_EXIT_UNUSABLE;
    }
  else if (text != NULL && text[0] != '\0')
    {
      g_autofree char *shown = lc_format_text (text);

      g_print ("%s\n", shown);
    }
  script_session_take (running, result);
}

static void
script_session_body (gpointer data)
{
  Running *running = data;
  const LcScriptSession *session = running->session;

  script_session_take (running, lc_script_folders_load (session->options.directory, session->trusts));
  if (running->interactive)
    lc_script_folders_tell_untrusted (session->options.directory);
  if (!running->done && session->lists)
    {
      lc_script_list_definitions (script_session_list, NULL);
      if (lc_script_folders_are_untrusted (session->options.directory))
        g_print ("untrusted\t\t\t\t\n");
      if (lc_script_has_new_rules ())
        g_print ("outdated\t\t\t\t\n");
      return;
    }
  if (!running->done && session->command != NULL)
    {
      script_session_run_command (running);
      return;
    }
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

  running.interactive = session->command == NULL && !session->lists && session->file == NULL &&
                        session->expressions == NULL && isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
  fflush (stdout);
  lc_script_session_catch_interrupts ();
  lc_script_run (&session->options, script_session_body, &running);
  signal (SIGINT, SIG_DFL);
  g_string_free (running.text, TRUE);
  return running.status;
}
