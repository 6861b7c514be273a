/* SPDX-License-Identifier: Apache-2.0 */
/* Runs commands that talk to the user in a terminal. */
#include "app/debug/terminal.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/settings.h"

/* What comes after each of them is the command, in words of its own. The first is what desktops agree on. */
static const char *const terminals[][2] = {
    {"xdg-terminal-exec", NULL}, {"x-terminal-emulator", "-e"}, {"gnome-terminal", "--"}, {"kgx", "--"},
    {"konsole", "-e"},           {"xfce4-terminal", "-x"},      {"xterm", "-e"},
};

/* Adds the terminal's own words. FALSE: there is none. */
static gboolean
terminal_find (GPtrArray *words, GError **error)
{
  g_autofree char *chosen = g_strstrip (lc_settings_dup_string ("terminal", ""));
  g_auto (GStrv) parts = NULL;

  if (*chosen != '\0')
    {
      if (!g_shell_parse_argv (chosen, NULL, &parts, error))
        return FALSE;
      for (gsize i = 0; parts[i] != NULL; i++)
        g_ptr_array_add (words, g_strdup (parts[i]));
      return TRUE;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (terminals); i++)
    {
      g_autofree char *path = g_find_program_in_path (terminals[i][0]);

      if (path == NULL)
        continue;
      g_ptr_array_add (words, g_steal_pointer (&path));
      if (terminals[i][1] != NULL)
        g_ptr_array_add (words, g_strdup (terminals[i][1]));
      return TRUE;
    }
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                       _ ("none is installed that is known; the preferences can name one"));
  return FALSE;
}

/* A terminal closes with its command, which the user has agreed to before. */
static void
terminal_add_command (GPtrArray *words, const char *question, const char *const *command)
{
  g_ptr_array_add (words, g_strdup ("/bin/sh"));
  g_ptr_array_add (words, g_strdup ("-c"));
  g_ptr_array_add (words, g_strdup ("end=$2; printf '%s\\n' \"$1\"; read -r line || exit; shift 2; \"$@\"; "
                                    "printf '\\n%s\\n' \"$end\"; read -r line"));
  g_ptr_array_add (words, g_strdup ("sh"));
  g_ptr_array_add (words, g_strdup (question));
  g_ptr_array_add (words, g_strdup (_ ("Return closes this window.")));
  for (gsize i = 0; command[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (command[i]));
  g_ptr_array_add (words, NULL);
}

void
lc_terminal_run (LcSession *session, const char *question, const char *const *command)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GSubprocess) started = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (terminal_find (words, &error))
    {
      terminal_add_command (words, question, command);
      started = g_subprocess_newv ((const char *const *)words->pdata, G_SUBPROCESS_FLAGS_NONE, &error);
    }
  if (started != NULL)
    return;
  text = g_strdup_printf (_ ("The terminal does not start: %s"), error->message);
  lc_session_tell (session, text);
}
