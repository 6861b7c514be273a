/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone cc: runs a compiler so that the program marks each block of its code, or each function, when it is
 * recorded. */
#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "find-library.h"

/* Exit statuses as in shells and env(1). */
enum
{
  EXIT_CANNOT_RUN = 126,
  EXIT_NOT_FOUND = 127,
};

static gboolean functions;

static const GOptionEntry options[] = {
    {"functions", 0, 0, G_OPTION_ARG_NONE, &functions,
     N_ ("Record when functions begin and end, instead of each block"), NULL},
    {NULL},
};

static const LcCommandLine line = {
    .name = "cc",
    .arguments = N_ ("COMPILER ARGS..."),
    .description =
        N_ ("Runs gcc, g++, gfortran, clang or clang++ with its own arguments and a few more, as in\n"
            "CC='lightcone cc gcc'. The program runs as ever; lightcone record records a tag, with its file and line,\n"
            "whenever it enters a block. The exit status is the compiler's."),
    .options = options,
    .n_arguments = -1,
};

/* The compiler ends before it links. */
static gboolean
cc_is_stop (const char *word)
{
  static const char *const stops[] = {"-c", "-S", "-E", "-M", "-MM", "-r", "-fsyntax-only", NULL};

  return g_strv_contains (stops, word);
}

/* The next word belongs to this one. */
static gboolean
cc_takes_word (const char *word)
{
  static const char *const takers[] = {
      "-o",      "-x",         "-I",        "-L",  "-D",      "-U",      "-include", "-imacros",    "-isystem",
      "-iquote", "-idirafter", "-isysroot", "-MF", "-MT",     "-MQ",     "-Xlinker", "-Xassembler", "-Xpreprocessor",
      "-T",      "-u",         "-z",        "-J",  "-target", "-Xclang", "-arch",    "--param",     "-e",
      "-l",      "-A",         "-B",        NULL};

  return g_strv_contains (takers, word);
}

/* Without a file that goes in, compilers tell about themselves: an archive would be one. */
static gboolean
cc_links (char **arguments)
{
  gboolean has_input = FALSE;

  for (char **word = arguments; *word != NULL; word++)
    if (cc_is_stop (*word))
      return FALSE;
    else if (cc_takes_word (*word))
      word += word[1] != NULL;
    else if ((*word)[0] != '-' || strcmp (*word, "-") == 0)
      has_input = TRUE;
  return has_input;
}

/*
 * Lines are told by debugging information; what the user says of it comes later, and counts. Without a library
 * functions are recorded: what they call is in the recorder.
 */
static GPtrArray *
cc_make_command (char **arguments, const char *library)
{
  GPtrArray *command = g_ptr_array_new ();

  g_ptr_array_add (command, arguments[0]);
  g_ptr_array_add (command, (char *)"-g");
  g_ptr_array_add (command, (char *)(library == NULL ? "-finstrument-functions" : "-fsanitize-coverage=trace-pc"));
  for (char **word = arguments + 1; *word != NULL; word++)
    g_ptr_array_add (command, *word);
  if (library != NULL && cc_links (arguments + 1))
    {
      /* A file before may have said what language those that follow are of. */
      g_ptr_array_add (command, (char *)"-x");
      g_ptr_array_add (command, (char *)"none");
      g_ptr_array_add (command, (char *)library);
      g_ptr_array_add (command, (char *)"-ldl");
    }
  g_ptr_array_add (command, NULL);
  return command;
}

int
lc_cmd_cc (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *library = NULL;
  g_autoptr (GPtrArray) command = NULL;
  int reason;

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  if (!functions && (library = lc_find_blocks_library (&error)) == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  command = cc_make_command (argv + 1, library);
  execvp (argv[1], (char **)command->pdata);
  reason = errno;
  if (reason == ENOENT)
    lc_complain (_ ("%s: there is no such program"), argv[1]);
  else
    lc_complain (_ ("%s: cannot be run: %s"), argv[1], g_strerror (reason));
  return reason == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}
