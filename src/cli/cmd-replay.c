/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone replay: runs a program again in the recorded order. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "find-library.h"
#include "flip.h"
#include "report/format.h"
#include "lightcone/environment-file.h"
#include "open-history.h"
#include "program.h"
#include "program-end.h"
#include "replay-debug.h"
#include "replay-given.h"
#include "replay-mpi.h"
#include "replay-program.h"
#include "replay-record.h"
#include "replay-run.h"
#include "replay-text.h"
#include "replay-until.h"
#include "schedule-replay.h"
#include "scratch.h"
#include "trace/operations.h"

enum
{
  MOST_TIMES = 1000000,
  MOST_LINES = 20,
  UNTIL_PATIENCE = 5 * G_USEC_PER_SEC, /* with threads that wait for what has no turns */
};

static gboolean goes_on, kills, quiet, no_environment;
static int times = 1;
static LcReplayUntil until;
static LcReplayDebugging debugging;
static char *flipped, *then;
static LcReplayRecord record;

static const GOptionEntry options[] = {
    {"times", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("So many runs, and how many of them came to the end (default: 1)"), N_ ("NUMBER")},
    {"until", 0, 0, G_OPTION_ARG_STRING, &until.events,
     N_ ("Stop before this event, when all that is in its past has been done and no more"), N_ ("PROCESS:ORDINAL,...")},
    {"cut", 0, 0, G_OPTION_ARG_STRING, &until.cut,
     N_ ("Stop each of these processes before its event, and the others where what is before it needs them"),
     N_ ("PROCESS:ORDINAL,...")},
    {"until-time", 0, 0, G_OPTION_ARG_STRING, &until.time,
     N_ ("Stop when all has been done that had ended at this time, and what it needs"), N_ ("TIME")},
    {"until-layer", 0, 0, G_OPTION_ARG_STRING, &until.layer,
     N_ ("Stop before all events of this layer, which is the logical time, and of higher ones"), N_ ("LAYER")},
    {"gdb", 0, 0, G_OPTION_ARG_NONE, &debugging.is_wanted, N_ ("With a stop: gdb there, with this thread selected"),
     NULL},
    {"gdbserver", 0, 0, G_OPTION_ARG_STRING, &debugging.server,
     N_ ("With a stop: gdbserver there, for a debugger that connects to this port"), N_ ("[HOST:]PORT")},
    {"gdb-command", 0, 0, G_OPTION_ARG_STRING_ARRAY, &debugging.commands,
     N_ ("As --gdb, but only carry out this command of gdb; may be given more than once"), N_ ("COMMAND")},
    {"control", 0, 0, G_OPTION_ARG_FILENAME, &debugging.control,
     N_ ("With --gdb: tell a program that listens on this socket where the threads are, and do what it asks for"),
     N_ ("SOCKET")},
    {"flip", 0, 0, G_OPTION_ARG_STRING, &flipped,
     N_ ("Let the second of two events come before the first, and compare how the program ends"), N_ ("[EVENT,]EVENT")},
    {"then", 0, 0, G_OPTION_ARG_STRING, &then,
     N_ ("With --flip, what comes after: free or recorded-where-possible (default: free)"), N_ ("ORDER")},
    {"continue", 0, 0, G_OPTION_ARG_NONE, &goes_on,
     N_ ("Let the program run free after the first difference, and after the end of a trace that was cut short"), NULL},
    {"kill", 0, 0, G_OPTION_ARG_NONE, &kills, N_ ("Kill the program there, instead of asking it to end"), NULL},
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &record.output,
     N_ ("Record the replay, with the stacks of all events, in this new folder"), N_ ("NEW")},
    {"stacks", 0, 0, G_OPTION_ARG_STRING, &record.stacks,
     N_ ("With --output: whole stacks of calls: none, blocking or all (default: all)"), N_ ("WHICH")},
    {"record-option", 0, 0, G_OPTION_ARG_STRING_ARRAY, &record.others,
     N_ ("With --output: an option for lightcone record; may be given more than once"), N_ ("OPTION")},
    {"old-times", 0, 0, G_OPTION_ARG_NONE, &record.lays,
     N_ ("With --output: give the new trace a timeline, “recorded”, with the times of the old one"), NULL},
    {"probe", 0, 0, G_OPTION_ARG_STRING_ARRAY, &record.probes,
     N_ ("With --output: evaluate an expression of the program before the events at a place, and keep its values as "
         "tags; may be given more than once"),
     N_ ("EXPRESSION@PLACE")},
    {"no-environment", 0, 0, G_OPTION_ARG_NONE, &no_environment,
     N_ ("Do not use the recorded environment, but the one that there is"), NULL},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, N_ ("Say nothing but errors and differences"), NULL},
    {NULL},
};

static const LcCommandNumber numbers[] = {
    {"times", 1, MOST_TIMES, .integer = &times},
    {NULL},
};

static const LcCommandLine line = {
    .name = "replay",
    .arguments = N_ ("DIR|SCHEDULE [-- PROGRAM ARGS...]"),
    .description =
        N_ ("Without PROGRAM, the recorded command in the recorded folder and environment. The exit status is 0 if\n"
            "all runs came to the end of what was recorded, and ended as the recorded run did if that is known; 1\n"
            "if not, and 2 if nothing could be run."),
    .options = options,
    .numbers = numbers,
    .n_arguments = 1,
};

/* --- What is run ---------------------------------------------------------------------------------------------- */

static char *
replay_dup_setting (LcTrace *trace, const char *key)
{
  return g_key_file_get_string (lc_trace_get_settings (trace), "trace", key, NULL);
}

/* The environment of the recorded command; NULL: the program gets ours. */
static char **replay_recorded_environment;

/* Reads the environment that was kept. FALSE: the user has been told. */
static gboolean
replay_read_environment (LcTrace *trace)
{
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&replay_recorded_environment, g_strfreev);
  if (no_environment || lc_environment_file_read (lc_trace_get_path (trace), &replay_recorded_environment, &error))
    return TRUE;
  lc_complain ("%s", error->message);
  return FALSE;
}

/* Variables that say how we are run, as where the libraries are, are not the recorded command's. */
char **
lc_replay_dup_environment (void)
{
  g_auto (GStrv) ours = g_get_environ ();
  char **environment;

  if (replay_recorded_environment == NULL)
    return g_steal_pointer (&ours);
  environment = g_strdupv (replay_recorded_environment);
  for (char **variable = ours; *variable != NULL; variable++)
    if (g_str_has_prefix (*variable, "LIGHTCONE_"))
      {
        char *value = strchr (*variable, '=');

        *value = '\0';
        environment = g_environ_setenv (environment, *variable, value + 1, TRUE);
      }
  return environment;
}

/* Gives the command, which is `given` or the recorded one, whose folder then becomes ours. NULL: the user has been
 * told. */
char **
lc_replay_find_command (LcTrace *trace, char **given)
{
  g_autofree char *recorded = NULL, *folder = NULL;
  g_autoptr (GError) error = NULL;
  char **command = NULL;
  struct stat status;

  if (given[0] != NULL)
    return g_strdupv (given);
  /* A trace that somebody else has written must not decide what this user runs. */
  if (stat (lc_trace_get_path (trace), &status) != 0 || status.st_uid != geteuid ())
    {
      lc_complain (_ ("%s: is another user's; say what to run: lightcone replay DIR -- PROGRAM ARGS"),
                   lc_trace_get_path (trace));
      return NULL;
    }
  recorded = replay_dup_setting (trace, "command");
  folder = replay_dup_setting (trace, "folder");
  if (recorded == NULL || !g_shell_parse_argv (recorded, NULL, &command, &error))
    {
      lc_complain (_ ("%s: does not say what was run; give it after the folder: lightcone replay DIR -- PROGRAM ARGS"),
                   lc_trace_get_path (trace));
      return NULL;
    }
  if (folder != NULL && chdir (folder) != 0)
    {
      lc_complain (_ ("%s: the recorded command ran here: %s"), folder, g_strerror (errno));
      g_clear_pointer (&command, g_strfreev);
    }
  else if (!replay_read_environment (trace))
    g_clear_pointer (&command, g_strfreev);
  else if (!quiet)
    lc_complain (_ ("runs %s"), recorded);
  return command;
}

gboolean
lc_replay_check_program (const char *name)
{
  int reason;
  g_autofree char *program = lc_program_find (name, &reason);
  const char *silent = program != NULL ? lc_program_why_silent (program) : NULL;

  if (program == NULL)
    lc_complain (_ ("%s: cannot be run: %s"), name, g_strerror (reason));
  else if (silent != NULL)
    lc_complain (_ ("%s: cannot be replayed: %s"), name, silent);
  return program != NULL && silent == NULL;
}

/* NULL: the user has been told. */
struct lc_replay_header *
lc_replay_map_plan (const char *path)
{
  int file = open (path, O_RDWR | O_CLOEXEC);
  struct lc_replay_header *plan = MAP_FAILED;
  struct stat status;

  if (file >= 0 && fstat (file, &status) == 0)
    plan = mmap (NULL, (gsize)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (plan == MAP_FAILED)
    lc_complain ("%s: %s", path, g_strerror (errno));
  if (file >= 0)
    close (file);
  return plan != MAP_FAILED ? plan : NULL;
}

/* --- What is said --------------------------------------------------------------------------------------------- */

/* What makes another run possible is said before it. */
static void
replay_warn (LcTrace *trace, const LcReplayPlan *plan)
{
  g_auto (GStrv) changed = lc_replay_text_list_changed (trace);
  g_autoptr (GString) classes = g_string_new (NULL);
  g_autofree char *n_free = lc_format_count (plan->n_free);

  for (char **path = changed; *path != NULL; path++)
    lc_complain (_ ("%s: is not the file that was recorded: the program may do something else"), *path);
  if (quiet)
    return;
  for (guint i = 0; i < LC_CLASSES; i++)
    if (plan->free_classes >> i & 1)
      g_string_append_printf (classes, "%s%s", classes->len > 0 ? ", " : "", lc_class_names[i]);
  if (plan->n_free > 0)
    lc_complain (ngettext ("%s event has no turn, for its order cannot be kept (%s)",
                           "%s events have no turns, for their order cannot be kept (%s)", (gulong)plan->n_free),
                 n_free, classes->str);
  if (plan->n_elsewhere > 0)
    lc_complain (ngettext ("%u process of another address space has no turns",
                           "%u processes of other address spaces have no turns", plan->n_elsewhere),
                 plan->n_elsewhere);
}

static void
replay_complain_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      lc_complain ("%s", lines[i]);
}

static void
replay_tell (LcTrace *trace, struct lc_replay_header *plan, LcReplayGiven *given, const LcReplayOutcome *outcome)
{
  g_autofree char *text = NULL, *elsewhere = NULL, *awaited = NULL, *left = NULL;

  switch (outcome->verdict)
    {
    case LC_REPLAY_DIFFERED:
      text = plan->difference == LC_REPLAY_INPUT ? lc_replay_given_text_difference (given, trace)
                                                 : lc_replay_text_difference (trace, plan);
      break;
    case LC_REPLAY_STUCK:
      elsewhere = lc_replay_text_elsewhere (trace, plan, MOST_LINES);
      lc_complain ("%s", elsewhere[0] == '\0'
                             ? _ ("the replay has no way on: all threads wait for a turn")
                             : _ ("the replay has no way on: some threads wait for what has no turns"));
      replay_complain_lines (elsewhere);
      awaited = lc_replay_given_text_awaited (given, trace, plan);
      replay_complain_lines (awaited);
      text = lc_replay_text_stuck (trace, plan, MOST_LINES);
      break;
    case LC_REPLAY_SHORT:
      lc_complain (_ ("the program ended before the end of what was recorded"));
      text = lc_replay_text_short (trace, plan, MOST_LINES);
      left = lc_replay_given_text_left (given, trace, plan);
      break;
    case LC_REPLAY_SILENT:
      lc_complain (_ ("nothing was replayed: the library was not loaded into the program"));
      break;
    case LC_REPLAY_REACHED:
    default:
      break;
    }
  if (text != NULL)
    replay_complain_lines (text);
  if (left != NULL)
    replay_complain_lines (left);
}

/* A run in which no event had a turn was not steered at all, though nothing differed. */
static void
replay_tell_nothing (const LcReplayPlan *plan)
{
  lc_complain (
      _ ("nothing was steered: the program that was started has no event with a turn, so it ran as it would by "
         "itself"));
  if (plan->n_elsewhere > 0)
    lc_complain (
        _ ("only the first program, or what it becomes, is replayed, not what it starts: record that one by itself"));
}

static void
replay_tell_end (const LcReplayPlan *plan, const LcReplayOutcome *outcome)
{
  g_autofree char *n_events = lc_format_count (plan->n_events);

  if (quiet || lc_replay_debugging_is_any (&debugging))
    return;
  if (lc_replay_until_is_given (&until) && outcome->is_ended)
    {
      lc_complain (_ ("stopped there, and the program was ended; --gdb looks into it, and --continue lets it run on"));
      return;
    }
  if (plan->n_events > 0)
    lc_complain (ngettext ("%u process came to the end of its history: %s events",
                           "%u processes came to the end of their histories: %s events", plan->n_threads),
                 plan->n_threads, n_events);
  if (plan->is_cut && outcome->is_ended)
    lc_complain (_ ("the recording was cut short there, and the program was ended; --continue lets it run on"));
}

static void
replay_tell_all (const guint counts[LC_REPLAY_VERDICTS], guint runs)
{
  lc_complain (_ ("%u of %u runs came to the end; %u differed, %u had no way on, %u ended early"),
               counts[LC_REPLAY_REACHED], runs, counts[LC_REPLAY_DIFFERED], counts[LC_REPLAY_STUCK],
               counts[LC_REPLAY_SHORT] + counts[LC_REPLAY_SILENT]);
}

/* --- A stop --------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcTrace *trace;
  const LcReplayRun *run;
  const char *folder;
} Stop;

static void
replay_stop (gpointer data, pid_t program)
{
  const Stop *stop = data;
  LcReplayThreads threads = {stop->run->plan, *stop->run->plan};
  const LcReplayFollowers followers = lc_replay_followers_of_threads (&threads);
  g_autofree char *text = lc_replay_text_stops (stop->trace, stop->run->plan);
  g_autofree char *elsewhere = lc_replay_text_elsewhere (stop->trace, stop->run->plan, MOST_LINES);

  replay_complain_lines (elsewhere);
  if (!quiet)
    replay_complain_lines (text);
  lc_replay_debug (stop->trace, &followers, stop->run->until, program, &debugging, stop->folder);
}

/* Gives the signal that ended the recorded program, or 0. */
static int
replay_find_signal (LcTrace *trace)
{
  g_autofree char *status = replay_dup_setting (trace, "status");

  return status != NULL && g_str_has_prefix (status, "signal ") ? atoi (status + strlen ("signal ")) : 0;
}

/* Finds the thread of a process in the plan. */
static guint32
replay_find_thread (struct lc_replay_header *plan, guint32 process)
{
  for (guint32 i = 0; i < plan->n_threads; i++)
    if (lc_replay_plan_threads (plan)[i].process == process)
      return i;
  return LC_REPLAY_NONE;
}

/* --- The command ---------------------------------------------------------------------------------------------- */

/* Threads that have ended by themselves have asked for all that they had asked for. */
static void
replay_judge_inputs (LcTrace *trace, const LcReplayRun *run, LcReplayGiven *given, LcReplayOutcome *outcome)
{
  g_autofree char *left = NULL;

  if (given->plan == NULL)
    return;
  lc_replay_given_restore (given);
  if (outcome->verdict != LC_REPLAY_REACHED || outcome->is_ended)
    return;
  left = lc_replay_given_text_left (given, trace, run->plan);
  if (left[0] != '\0')
    outcome->verdict = LC_REPLAY_SHORT;
}

/* Whether all threads whose histories were cut have come to what they had begun then. */
static gboolean
replay_all_wait (struct lc_replay_header *plan)
{
  const struct lc_replay_thread *threads = lc_replay_plan_threads (plan);

  for (guint32 i = 0; i < plan->n_threads; i++)
    if (threads[i].is_cut && (threads[i].state != LC_REPLAY_AT_END || !threads[i].is_pending))
      return FALSE;
  return TRUE;
}

/* Finds how a run ended by itself, or where the recording ends: elsewhere we have ended it. */
static LcProgramEnd
replay_find_end (struct lc_replay_header *plan, const LcReplayOutcome *outcome)
{
  LcProgramEnd end = {LC_END_UNKNOWN, 0, FALSE};

  if (outcome->verdict == LC_REPLAY_SILENT || lc_replay_debugging_is_any (&debugging))
    return end;
  if (!outcome->is_ended)
    return lc_program_end_of_status (outcome->status);
  if (outcome->verdict == LC_REPLAY_REACHED && !lc_replay_until_is_given (&until))
    end.kind = replay_all_wait (plan) ? LC_END_WAITING : LC_END_CUT;
  return end;
}

static void
replay_tell_run (const LcReplayPlan *plan, const LcReplayOutcome *outcome, const LcProgramEnd *recorded,
                 const LcProgramEnd *end)
{
  if (outcome->verdict == LC_REPLAY_REACHED)
    replay_tell_end (plan, outcome);
  lc_program_end_tell (recorded, end, quiet);
}

/* Only the first run that goes wrong is told in full. `have_come`: all came to the end of what was recorded. */
static int
replay_run_all (LcTrace *trace, const LcReplayPlan *result, const LcReplayRun *run, LcReplayGiven *given,
                gboolean *have_come)
{
  const LcProgramEnd recorded = lc_program_end_of_trace (trace, result->is_waiting);
  guint counts[LC_REPLAY_VERDICTS] = {0}, runs = 0;
  g_auto (LcEndTally) tally = {NULL};
  g_autoptr (GError) error = NULL;
  LcReplayOutcome outcome = {0};
  LcProgramEnd end = {0};

  lc_replay_run_begin ();
  while (runs < (guint)times && lc_replay_run_get_signal () == 0)
    {
      lc_replay_given_begin (given);
      if (!lc_replay_run (run, &outcome, &error))
        {
          lc_complain ("%s", error->message);
          return LC_EXIT_UNUSABLE;
        }
      if (lc_replay_run_get_signal () != 0)
        break;
      replay_judge_inputs (trace, run, given, &outcome);
      if (outcome.verdict != LC_REPLAY_REACHED && counts[LC_REPLAY_REACHED] == runs)
        {
          if (times > 1)
            lc_complain (_ ("run %u:"), runs + 1);
          replay_tell (trace, run->plan, given, &outcome);
        }
      end = replay_find_end (run->plan, &outcome);
      lc_end_tally_add (&tally, &recorded, &end);
      counts[outcome.verdict]++;
      runs++;
    }
  if (times > 1)
    {
      replay_tell_all (counts, runs);
      lc_end_tally_tell (&tally, &recorded);
    }
  else if (runs == 1)
    replay_tell_run (result, &outcome, &recorded, &end);
  if (result->n_events == 0 && counts[LC_REPLAY_REACHED] > 0 && (given->plan == NULL || result->n_elsewhere > 0))
    replay_tell_nothing (result);
  *have_come = counts[LC_REPLAY_REACHED] == runs && runs > 0;
  return *have_come && tally.n_other == 0 ? LC_EXIT_GOOD : LC_EXIT_PROBLEM;
}

static char **
replay_make_recorder_environment (const char *library, const LcReplayGiven *given, const char *plan)
{
  char **environment = lc_replay_record_environment (library, plan);

  if (given->library != NULL)
    environment = g_environ_setenv (environment, LC_INPUTS_LIBRARY_ENVIRONMENT, given->library, TRUE);
  return environment;
}

static char **
replay_make_environment (LcTrace *trace, const char *library, const LcReplayGiven *given, const char *plan)
{
  g_autofree char *both =
      given->library != NULL ? g_strconcat (library, ":", given->library, NULL) : g_strdup (library);
  char **environment;

  if (record.output == NULL)
    return lc_replay_make_environment (trace, both, plan, given->path);
  environment = replay_make_recorder_environment (library, given, plan);
  return given->path != NULL ? g_environ_setenv (environment, LC_INPUTS_ENVIRONMENT, given->path, TRUE) : environment;
}

/* FALSE: the user has been told. */
static gboolean
replay_begin_probes (LcReplayProbes *probes, LcTrace *trace, LcReplayRun *run)
{
  g_autofree char *gdb = g_find_program_in_path ("gdb");
  g_autoptr (GError) error = NULL;

  if (gdb == NULL)
    lc_complain (_ ("replay: --probe needs gdb, which is not installed"));
  else if (!lc_replay_probes_parse (probes, record.probes, &error) ||
           !lc_replay_probes_find (probes, lc_trace_get_path (trace), run->plan, &error))
    lc_complain ("%s", error->message);
  else
    {
      run->plan->is_debugged = TRUE;
      run->probes = probes;
      return TRUE;
    }
  return FALSE;
}

static int
replay_in (const char *folder, LcTrace *trace, char **program, const char *library)
{
  g_autofree char *path = g_build_filename (folder, "plan", NULL);
  g_auto (GStrv) environment = NULL, command = NULL;
  LcReplayRun run = {.goes_on = goes_on, .kills = kills, .is_recorded = record.output != NULL};
  g_auto (LcReplayGiven) given = {0};
  g_auto (LcReplayProbes) probes = {0};
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *limits = NULL;
  Stop stop = {trace, &run, folder};
  guint32 process = LC_TRACE_NONE;
  gboolean have_come = FALSE;
  LcReplayPlan result;
  int status;

  if (lc_replay_until_is_given (&until))
    limits = lc_replay_until_find (lc_trace_get_path (trace), &until, &process, &error);
  if (error != NULL || !lc_replay_plan_write (trace, path, limits, &result, &error) ||
      !lc_replay_given_open (&given, trace, result.instance, folder, &error))
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  run.plan = lc_replay_map_plan (path);
  if (run.plan == NULL)
    return LC_EXIT_UNUSABLE;
  run.environment = environment = replay_make_environment (trace, library, &given, path);
  run.command = command =
      record.output != NULL ? lc_replay_record_command (trace, &record, program) : g_strdupv (program);
  run.signal = replay_find_signal (trace);
  run.until = replay_find_thread (run.plan, process);
  if (limits != NULL && run.until == LC_REPLAY_NONE)
    {
      lc_complain (_ ("replay: %s is of another address space, which is not replayed"),
                   until.events != NULL ? until.events : until.cut);
      return LC_EXIT_UNUSABLE;
    }
  if (limits != NULL)
    {
      run.patience = UNTIL_PATIENCE;
      run.stopped = replay_stop;
      run.data = &stop;
      run.plan->is_debugged = lc_replay_debugging_is_any (&debugging);
    }
  run.given = &given;
  probes.folder = folder;
  if (record.probes != NULL && !replay_begin_probes (&probes, trace, &run))
    return LC_EXIT_UNUSABLE;
  replay_warn (trace, &result);
  status = replay_run_all (trace, &result, &run, &given, &have_come);
  if (run.probes != NULL && !lc_replay_probes_end (&probes, quiet) && status == LC_EXIT_GOOD)
    status = LC_EXIT_PROBLEM;
  if (have_come && record.output != NULL && !lc_replay_record_check (trace, run.plan, &record, folder, quiet))
    status = LC_EXIT_PROBLEM;
  return status;
}

static int
replay_ranks (LcTrace *trace, char **command)
{
  const LcReplayMpi replay = {.trace = trace,
                              .command = command,
                              .times = (guint)times,
                              .goes_on = goes_on,
                              .kills = kills,
                              .quiet = quiet,
                              .until = &until,
                              .debugging = &debugging,
                              .record = record.output != NULL ? &record : NULL};

  return lc_replay_mpi (&replay);
}

static int
replay_steered (const char *library, LcTrace *trace, char **command)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = lc_scratch_new ("replay", &error);
  int status;

  if (folder == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  status = replay_in (folder, trace, command, library);
  lc_scratch_remove (folder);
  return status;
}

static int
replay_trace (const char *directory, char **given)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *library = lc_find_replay_library (&error), *path = g_canonicalize_filename (directory, NULL);
  g_autoptr (LcTrace) trace = NULL;
  g_auto (GStrv) command = NULL;
  int status, signal_number;

  if (library != NULL)
    trace = lc_trace_open (path, &error);
  if (trace == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  command = lc_replay_find_command (trace, given);
  if (command == NULL || !lc_replay_check_program (command[0]))
    return LC_EXIT_UNUSABLE;
  if (record.probes != NULL && lc_replay_mpi_has_ranks (trace))
    {
      lc_complain (_ ("replay: --probe is not for ranks of MPI; stop them with --until and --gdb, and print there"));
      return LC_EXIT_UNUSABLE;
    }
  status = lc_replay_mpi_has_ranks (trace) ? replay_ranks (trace, command) : replay_steered (library, trace, command);
  signal_number = lc_replay_run_get_signal ();
  if (signal_number != 0)
    {
      signal (signal_number, SIG_DFL);
      raise (signal_number);
    }
  return status;
}

static int
replay_flip (const char *directory, char **given)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcHistory) history = lc_open_history (directory, NULL, FALSE, &error);
  LcFlip flip = {.keeps_order = g_strcmp0 (then, "recorded-where-possible") == 0,
                 .command = given,
                 .record = record.output != NULL ? &record : NULL};

  if (history != NULL && lc_flip_parse (history, flipped, &flip, &error))
    return lc_flip_events (history, directory, &flip);
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}

static int
replay_schedule (const char *file, char **given)
{
  if (!lc_replay_until_is_given (&until) && flipped == NULL && record.output == NULL && !goes_on && !kills)
    return lc_schedule_replay (file, given, (guint)times, quiet);
  lc_complain (_ ("replay: a stop, --flip, --output, --continue and --kill are not for schedules"));
  return LC_EXIT_UNUSABLE;
}

static gboolean
replay_check_flip (void)
{
  if (then != NULL && strcmp (then, "free") != 0 && strcmp (then, "recorded-where-possible") != 0)
    lc_complain (_ ("replay: --then can be free or recorded-where-possible, not “%s”"), then);
  else if (then != NULL && flipped == NULL)
    lc_complain (_ ("replay: --then needs --flip"));
  else if (flipped != NULL && (lc_replay_until_is_given (&until) || times != 1 || goes_on || kills))
    lc_complain (_ ("replay: --flip excludes stops, --times, --continue and --kill"));
  else if (flipped != NULL && record.lays)
    lc_complain (_ ("replay: --old-times needs a replay in the recorded order, without --flip"));
  else
    return TRUE;
  return FALSE;
}

/* Gives what comes after "--", which is the program's, or an empty list. */
static char **
replay_split (int *argc, char **argv)
{
  for (int i = 1; i < *argc; i++)
    if (strcmp (argv[i], "--") == 0)
      {
        argv[i] = NULL;
        *argc = i;
        return argv + i + 1;
      }
  return argv + *argc;
}

static gboolean
replay_check_stop (void)
{
  const guint n = (until.events != NULL) + (until.cut != NULL) + (until.time != NULL) + (until.layer != NULL);

  if (n > 1)
    lc_complain (_ ("replay: only one of --until, --cut, --until-time and --until-layer can be"));
  else if (lc_replay_debugging_is_any (&debugging) && n == 0)
    lc_complain (_ ("replay: --gdb, --gdb-command and --gdbserver need --until or another stop"));
  else if (debugging.server != NULL && (debugging.is_wanted || debugging.commands != NULL))
    lc_complain (_ ("replay: --gdbserver and --gdb cannot both be"));
  else if (debugging.control != NULL && !debugging.is_wanted)
    lc_complain (_ ("replay: --control needs --gdb"));
  else
    return TRUE;
  return FALSE;
}

/* The command may change into the recorded folder. */
static gboolean
replay_check_output (void)
{
  g_autofree char *given = record.output;

  if (given == NULL && (record.stacks != NULL || record.others != NULL || record.lays))
    lc_complain (_ ("replay: --stacks, --record-option and --old-times need --output"));
  else if (given == NULL && record.probes != NULL)
    lc_complain (_ ("replay: --probe needs --output: values are kept in a new trace"));
  else if (record.probes != NULL && flipped != NULL)
    lc_complain (_ ("replay: --probe needs a replay in the recorded order, without --flip"));
  else if (given != NULL && (times > 1 || lc_replay_until_is_given (&until) || goes_on || kills))
    lc_complain (_ ("replay: --output records one run to its end, without --times, a stop, --continue and --kill"));
  else if (given != NULL && g_file_test (given, G_FILE_TEST_EXISTS))
    lc_complain (_ ("%s: is there already; give the new trace another name"), given);
  else
    {
      record.output = given != NULL ? g_canonicalize_filename (given, NULL) : NULL;
      return TRUE;
    }
  record.output = NULL;
  return FALSE;
}

int
lc_cmd_replay (int argc, char **argv)
{
  char **program = replay_split (&argc, argv);

  if (!lc_command_parse (&line, &argc, &argv))
    return LC_EXIT_UNUSABLE;
  if (goes_on && kills)
    {
      lc_complain (_ ("replay: --continue and --kill cannot both be"));
      return LC_EXIT_UNUSABLE;
    }
  if (!replay_check_stop () || !replay_check_output () || !replay_check_flip ())
    return LC_EXIT_UNUSABLE;
  if (g_file_test (argv[1], G_FILE_TEST_IS_REGULAR))
    return replay_schedule (argv[1], program);
  return flipped != NULL ? replay_flip (argv[1], program) : replay_trace (argv[1], program);
}
