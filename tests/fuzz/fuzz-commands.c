/* SPDX-License-Identifier: Apache-2.0 */
/* Whole commands, in this process, on a trace of which one file is any bytes. The first bytes say which and which. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "fuzz.h"
#include "maker.h"

/* Options stay set from one command to the next in one process, so there are none that take no value. */
static const struct
{
  int (*run) (int argc, char **argv);
  const char *arguments[6]; /* DIR stands for the trace */
} commands[] = {
    {lc_cmd_info, {"info", "DIR"}},
    {lc_cmd_check, {"check", "DIR"}},
    {lc_cmd_merge, {"merge", "DIR"}},
    {lc_cmd_stats, {"stats", "DIR", "waiting"}},
    {lc_cmd_stats, {"stats", "DIR", "communication"}},
    {lc_cmd_critical_path, {"critical-path", "DIR"}},
    {lc_cmd_approximate, {"approximate", "--model", "event", "DIR"}},
    {lc_cmd_approximate, {"approximate", "--model", "liberal", "DIR"}},
    {lc_cmd_explain, {"explain", "DIR", "0:1"}},
    {lc_cmd_what_if, {"what-if", "DIR", "--scale", "lock=0.5"}},
    {lc_cmd_what_if, {"what-if", "DIR", "--scale", "function main=0.5"}},
    {lc_cmd_export, {"export", "DIR", "--output", "out.svg"}},
    {lc_cmd_sql, {"sql", "DIR", "SELECT count(*) FROM event"}},
};

static const char *const files[] = {"ctf/process-0", "ctf/process-1", "ctf/metadata",      "objects-0",
                                    "trace.ini",     "heads-0",       "history.lightcone", "rules/own.rules",
                                    "symbols-0",     "packets-0",     "snapshots/1",       "0.events"};

static void
print_nothing (const char *text G_GNUC_UNUSED)
{
}

static void
begin (void)
{
  int nothing = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  g_setenv ("XDG_CACHE_HOME", g_get_tmp_dir (), TRUE);
  dup2 (nothing, STDOUT_FILENO);
  close (nothing);
  g_set_print_handler (print_nothing);
  g_set_printerr_handler (print_nothing);
}

static void
run_command (guint number, const char *directory)
{
  char *arguments[G_N_ELEMENTS (commands[0].arguments) + 1] = {NULL};
  g_autofree char *picture = g_build_filename (directory, "out.svg", NULL);
  int n = 0, status;

  for (const char *const *argument = commands[number].arguments; *argument != NULL; argument++)
    arguments[n++] = (char *)(strcmp (*argument, "DIR") == 0       ? directory
                              : strcmp (*argument, "out.svg") == 0 ? picture
                                                                   : *argument);
  status = commands[number].run (n, arguments);
  g_assert_true (status >= LC_EXIT_GOOD && status <= LC_EXIT_UNUSABLE);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  static gboolean begun;
  const char *file;
  char *directory;

  if (!begun)
    begin ();
  begun = TRUE;
  if (size < 2)
    return 0;
  directory = maker_sample ();
  file = files[bytes[1] % G_N_ELEMENTS (files)];
  if (strchr (file, '/') != NULL && strncmp (file, "ctf", 3) != 0)
    {
      g_autofree char *path = g_build_filename (directory, file, NULL), *folder = g_path_get_dirname (path);

      g_mkdir (folder, 0700);
    }
  maker_write (directory, file, bytes + 2, size - 2);
  run_command (bytes[0] % G_N_ELEMENTS (commands), directory);
  maker_remove (directory);
  return 0;
}

/* Each command with another file, as it is. */
gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  const guint8 which[2] = {(guint8)number, (guint8)(number % 5)};
  char *directory;
  g_autoptr (GByteArray) file = NULL;

  if (number >= G_N_ELEMENTS (commands))
    return FALSE;
  directory = maker_sample ();
  file = maker_read (directory, files[which[1]]);
  g_byte_array_append (bytes, which, sizeof which);
  g_byte_array_append (bytes, file->data, MIN (file->len, 1500));
  maker_remove (directory);
  return TRUE;
}
