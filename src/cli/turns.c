/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program by turns. */
#include "turns.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "others.h"
#include "report/format.h"

enum
{
  MOST_TOLD = 500, /* bytes of what a failed program printed */
};

static volatile sig_atomic_t turns_signal;
static volatile pid_t turns_program;

/* --- Signals ---------------------------------------------------------------------------------------------------- */

/* A terminal sends the signal to the program too; anybody else sends it to this process alone. */
static void
turns_note_signal (int number)
{
  turns_signal = number;
  if (turns_program > 0)
    kill (turns_program, number);
}

void
lc_turns_begin (void)
{
  struct sigaction action = {.sa_handler = turns_note_signal};

  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
}

int
lc_turns_get_signal (void)
{
  return turns_signal;
}

/* --- One turn --------------------------------------------------------------------------------------------------- */

static GPtrArray *
turns_make_command (const LcTurnPlan *plan, LcTurnKind kind, const char *trace)
{
  GPtrArray *command = g_ptr_array_new ();

  if (kind != LC_TURN_BARE)
    {
      static const char *const record[] = {"lightcone", "record", "--quiet", "--replace", "--output"};

      for (guint i = 0; i < G_N_ELEMENTS (record); i++)
        g_ptr_array_add (command, (gpointer)record[i]);
      g_ptr_array_add (command, (gpointer)trace);
      if (kind == LC_TURN_REFERENCE)
        {
          g_ptr_array_add (command, (gpointer) "--events=thread,mark");
          g_ptr_array_add (command, (gpointer) "--no-sites");
        }
      for (guint i = 0; kind == LC_TURN_RECORDED && plan->options != NULL && plan->options[i] != NULL; i++)
        g_ptr_array_add (command, (gpointer)plan->options[i]);
      g_ptr_array_add (command, (gpointer) "--");
    }
  g_ptr_array_add (command, kind != LC_TURN_RECORDED && plan->bare != NULL ? (gpointer)plan->bare : plan->command[0]);
  for (char **word = plan->command + 1; *word != NULL; word++)
    g_ptr_array_add (command, *word);
  g_ptr_array_add (command, NULL);
  return command;
}

/* Returns 0, or the errno why it could not be started. */
static int
turns_start (const LcTurnPlan *plan, LcTurnKind kind, const char *trace, const char *output, pid_t *pid)
{
  g_autoptr (GPtrArray) command = turns_make_command (plan, kind, trace);
  char *const *words = (char *const *)command->pdata;
  posix_spawn_file_actions_t actions;
  int problem;

  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, plan->input != NULL ? plan->input : "/dev/null", O_RDONLY,
                                    0);
  posix_spawn_file_actions_addopen (&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2 (&actions, STDOUT_FILENO, STDERR_FILENO);
  problem = kind == LC_TURN_BARE ? posix_spawnp (pid, words[0], &actions, NULL, words, environ)
                                 : posix_spawn (pid, "/proc/self/exe", &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy (&actions);
  return problem;
}

static char *
turns_read_end (const char *output)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  if (!g_file_get_contents (output, &text, &length, NULL))
    return g_strdup ("");
  while (length > 0 && g_ascii_isspace (text[length - 1]))
    text[--length] = '\0';
  return lc_format_text (length > MOST_TOLD ? text + length - MOST_TOLD : text);
}

static gboolean
turns_check_status (const LcTurnPlan *plan, int status, const char *output, GError **error)
{
  g_autofree char *printed = NULL;

  if (turns_signal != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("interrupted"));
      return FALSE;
    }
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;
  printed = turns_read_end (output);
  if (WIFSIGNALED (status))
    g_set_error (error, G_SPAWN_EXIT_ERROR, 1, _ ("%s: ended by signal %d (%s): %s"), plan->command[0],
                 WTERMSIG (status), strsignal (WTERMSIG (status)), printed);
  else
    g_set_error (error, G_SPAWN_EXIT_ERROR, 1, _ ("%s: ended with status %d: %s"), plan->command[0],
                 WEXITSTATUS (status), printed);
  return FALSE;
}

gboolean
lc_turn_take (const LcTurnPlan *plan, LcTurnKind kind, const char *trace, LcTurn *turn, GError **error)
{
  g_autofree char *output = g_build_filename (plan->folder, "output", NULL);
  LcOthers before = lc_others_look (), after;
  int problem, status = 0;
  pid_t pid;

  problem = turns_start (plan, kind, trace, output, &pid);
  if (problem != 0)
    {
      g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, _ ("%s: cannot be run: %s"), plan->command[0],
                   g_strerror (problem));
      return FALSE;
    }
  turns_program = pid;
  if (turns_signal != 0)
    kill (pid, turns_signal);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  turns_program = 0;
  after = lc_others_look ();
  *turn = (LcTurn){after.now - before.now, lc_others_disturb (&before, &after)};
  return turns_check_status (plan, status, output, error);
}
