/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone script: runs programs in Scheme that ask the history of a trace. */
#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "open-history.h"
#ifdef LC_HAVE_SCRIPT
#include "draw/options/find-named.h"
#include "draw/options/position.h"
#include "script-console.h"
#include "script-session.h"
#endif

static char **expressions, **rules_files;
static char *command, *timeline, *selection, *from, *to;
static double time_limit;
static int memory_limit;
static gboolean trusts, lists, is_console;

static const GOptionEntry options[] = {
    {"expression", 'e', 0, G_OPTION_ARG_STRING_ARRAY, &expressions, N_ ("Evaluate this and print it; more than once"),
     N_ ("EXPRESSION")},
    {"time-limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number, N_ ("Stop what takes longer"), N_ ("SECONDS")},
    {"memory-limit", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Stop what takes more memory, instead of half of the machine's"), N_ ("MIB")},
    {"trust-scripts", 0, 0, G_OPTION_ARG_NONE, &trusts, N_ ("Load the scripts in DIR/scripts, too"), NULL},
    {"console", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &is_console, N_ ("Be the browser's console"), NULL},
    {"list", 0, 0, G_OPTION_ARG_NONE, &lists, N_ ("Say which views, analyses, commands and rules scripts define"),
     NULL},
    {"command", 0, 0, G_OPTION_ARG_STRING, &command, N_ ("Run a command that a script defines"), N_ ("NAME")},
    {"selection", 0, 0, G_OPTION_ARG_STRING, &selection, N_ ("Of --command: the selected event"),
     N_ ("PROCESS:ORDINAL")},
    {"from", 0, 0, G_OPTION_ARG_STRING, &from, N_ ("Of --command: where the part in view begins"), N_ ("PLACE")},
    {"to", 0, 0, G_OPTION_ARG_STRING, &to, N_ ("Of --command: where the part in view ends"), N_ ("PLACE")},
    {"timeline", 0, 0, G_OPTION_ARG_STRING, &timeline,
     N_ ("Of --command: on this timeline, instead of the measured one"), N_ ("NAME")},
    {"rules", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &rules_files, N_ ("Further rules, besides the built-in ones"),
     N_ ("FILE")},
    {NULL},
};

static const LcCommandNumber numbers[] = {
    {"time-limit", 0, 1e9, .real = &time_limit},
    {"memory-limit", 0, LC_COMMAND_ANY, .integer = &memory_limit},
    {NULL},
};

static const LcCommandLine line = {
    .name = "script",
    .arguments = N_ ("DIR [FILE.scm] [-- ARGUMENT...]"),
    .description =
        N_ ("Without FILE.scm and -e, what is typed is evaluated. DIR and FILE.scm may change places, for scripts\n"
            "that are called by their own name."),
    .options = options,
    .numbers = numbers,
    .n_arguments = 1,
    .n_optional = G_MAXINT / 2, /* of a script that was called by its own name */
};

#ifdef LC_HAVE_SCRIPT

/* The trace, the script (or NULL), and the script's own arguments, NULL-terminated. */
typedef struct
{
  const char *directory;
  const char *file;
  char **arguments;
} Given;

static gboolean
script_sort_arguments (int argc, char **argv, char **rest, Given *given)
{
  gboolean by_name = argc > 2 && g_file_test (argv[1], G_FILE_TEST_IS_REGULAR) && g_str_has_suffix (argv[1], ".scm");

  given->directory = argv[by_name ? 2 : 1];
  given->file = by_name ? argv[1] : argc > 2 ? argv[2] : NULL;
  given->arguments = by_name && argc > 3 ? argv + 3 : rest;
  if (by_name || argc <= 3)
    return TRUE;
  lc_complain (_ ("%s: “%s” is one argument too many: those of the script come after -- (see lightcone help %s)"),
               line.name, argv[3], line.name);
  return FALSE;
}

/* Finds in the history what a command is to be called with. */
static gboolean
script_fill_request (LcHistory *history, LcScriptCommandRequest *request, GError **error)
{
  LcPictureOptions place;
  guint32 number = LC_TIMELINE_MEASURED;
  GError *reason = NULL;

  lc_picture_options_init (&place);
  *request = (LcScriptCommandRequest){.timeline = timeline != NULL ? timeline : "measured", .process = LC_TRACE_NONE};
  if (timeline != NULL && !lc_find_timeline (history, timeline, &number, error))
    return FALSE;
  place.timelines = &number;
  place.n_timelines = 1;
  if (selection != NULL && !lc_find_event (history, line.name, selection, &request->process, &request->ordinal, error))
    return FALSE;
  if (!lc_picture_find_span (history, &place, &request->from, &request->to, NULL, error))
    return FALSE;
  if (from == NULL && to == NULL)
    return TRUE;
  if (!lc_parse_positions (history, &place, from, to, &reason))
    {
      lc_command_propagate (line.name, reason, error);
      return FALSE;
    }
  request->from = place.from;
  request->to = place.to;
  return TRUE;
}

static gboolean
script_check_options (const Given *given)
{
  if (command == NULL && (selection != NULL || from != NULL || to != NULL || timeline != NULL))
    lc_complain (_ ("script: --selection, --from, --to and --timeline go with --command only"));
  else if ((command != NULL) + lists + (given->file != NULL || expressions != NULL) > 1)
    lc_complain (_ ("script: --command, --list and a script are one too many of them"));
  else
    return TRUE;
  return FALSE;
}

static int
script_run_session (const Given *given)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcHistory) history = lc_open_history (given->directory, (const char *const *)rules_files, FALSE, &error);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  LcScriptSession session = {.file = given->file,
                             .expressions = (const char *const *)expressions,
                             .trusts = trusts,
                             .lists = lists,
                             .command = command};

  if (history == NULL || (command != NULL && !script_fill_request (history, &session.request, &error)))
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  g_ptr_array_add (words, (char *)(given->file != NULL ? given->file : "lightcone"));
  for (gsize i = 0; given->arguments[i] != NULL; i++)
    g_ptr_array_add (words, given->arguments[i]);
  g_ptr_array_add (words, NULL);
  session.options = (LcScriptOptions){.history = history,
                                      .directory = given->directory,
                                      .rules = (const char *const *)rules_files,
                                      .arguments = (const char *const *)words->pdata,
                                      .time_limit = (guint64)(time_limit * 1e9),
                                      .memory_limit = (guint64)memory_limit << 20};
  return is_console ? lc_script_console_run (&session) : lc_script_session_run (&session);
}

#endif

/* Cuts off what comes after "--": that is the script's. */
static char **
script_cut_arguments (int *argc, char **argv)
{
  for (int i = 2; i < *argc; i++)
    if (strcmp (argv[i], "--") == 0)
      {
        char **rest = argv + i + 1;

        *argc = i;
        argv[i] = NULL;
        return rest;
      }
  return argv + *argc;
}

int
lc_cmd_script (int argc, char **argv)
{
  char **rest = script_cut_arguments (&argc, argv);

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
#ifdef LC_HAVE_SCRIPT
  Given given;

  return script_sort_arguments (argc, argv, rest, &given) && script_check_options (&given) ? script_run_session (&given)
                                                                                           : LC_EXIT_UNUSABLE;
#else
  lc_complain (_ ("script: this Lightcone was built without Guile (lightcone sql can ask a history, too)"));
  return rest != NULL ? LC_EXIT_UNUSABLE : LC_EXIT_GOOD;
#endif
}
