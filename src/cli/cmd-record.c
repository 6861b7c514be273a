/* SPDX-License-Identifier: Apache-2.0 */
/* lightcone record: runs a program and leaves a trace of it. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amounts.h"
#include "calibration.h"
#include "command.h"
#include "deadlock-watch.h"
#include "event-classes.h"
#include "find-library.h"
#include "report/format.h"
#include "job.h"
#include "lightcone/control.h"
#include "lightcone/inputs-plan.h"
#include "lightcone/recording.h"
#include "lightcone/trace.h"
#include "mpi-trouble.h"
#include "process-table.h"
#include "program.h"
#include "record-environment.h"
#include "run.h"
#include "search.h"
#include "trace/futex-trouble.h"
#include "trace/loss.h"
#include "trace/operations.h"
#include "trace/quantities.h"

/* Exit statuses as in shells and env(1). */
enum
{
  EXIT_CANNOT_RUN = 126,
  EXIT_NOT_FOUND = 127,
};

enum
{
  DAEMON_PAUSE = 500, /* ms, between two looks for those that are still recorded */
};

static char *output, *events, *title, *clock_name, *host, *mpi, *shared, *max_size, *keep, *dump_on, *stacks, *futex,
    *dump_if_wait, *io_threshold, *program_name;
static char **include, **exclude, **dump_if_region;
static GArray *region_limits;
static gint64 depth, overhead_test;
static gint64 search_runs, search_seed = 1;
static char *search_patience;
static gboolean watch, replace, lossless, paused, no_io, no_environment, inputs, no_sites, no_switches, no_calibrate,
    quiet;
static int dump_signal;
static gint64 most_dumps = 10;
static LcLongWaitSettings long_waits;

static const GOptionEntry options[] = {
    {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("Where to leave the trace (default: PROGRAM.trace)"),
     N_ ("DIR")},
    {"replace", 0, 0, G_OPTION_ARG_NONE, &replace, N_ ("Remove an old trace that is there"), NULL},
    {"events", 'e', 0, G_OPTION_ARG_STRING, &events,
     N_ ("Record these classes of events; -CLASS: all but these (default: all)"), N_ ("CLASS,...")},
    {"io-threshold", 0, 0, G_OPTION_ARG_STRING, &io_threshold,
     N_ ("Record calls that leave the program, as reads and sleeps, that lasted so long (default: 10us; 0: all)"),
     N_ ("TIME")},
    {"no-io", 0, 0, G_OPTION_ARG_NONE, &no_io, N_ ("Do not record calls that leave the program"), NULL},
    {"functions-include", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &include,
     N_ ("Of instrumented functions, record those whose names match"), N_ ("PATTERN")},
    {"functions-exclude", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &exclude,
     N_ ("Of instrumented functions, leave out those whose names match"), N_ ("PATTERN")},
    {"depth", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Record so many levels of instrumented functions (default: all)"), N_ ("N")},
    {"overhead-test", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Lose so much time with each event on purpose"), N_ ("NS")},
    {"clock", 0, 0, G_OPTION_ARG_STRING, &clock_name, N_ ("Stamp events with: auto, tsc, monotonic (default: auto)"),
     N_ ("CLOCK")},
    {"title", 0, 0, G_OPTION_ARG_STRING, &title, N_ ("What to call the recording (default: the program's name)"),
     N_ ("TEXT")},
    {"mpi", 0, 0, G_OPTION_ARG_STRING, &mpi, N_ ("The program's MPI, if it is not found out: openmpi or mpich"),
     N_ ("MPI")},
    {"host", 0, 0, G_OPTION_ARG_FILENAME, &host,
     N_ ("Leave the trace in DIR/host-NAME, as the part of one of several hosts"), N_ ("NAME")},
    {"shared", 0, 0, G_OPTION_ARG_STRING, &shared,
     N_ ("Let the users of this group read the trace, and be recorded in it (default: nobody else)"), N_ ("GROUP")},
    {"max-size", 0, 0, G_OPTION_ARG_STRING, &max_size,
     N_ ("Stop when the trace has so many bytes, as 500M or 2G (default: when the disk is nearly full)"), N_ ("SIZE")},
    {"keep", 0, 0, G_OPTION_ARG_STRING, &keep,
     N_ ("Keep only the newest: of so long, as 30s or 5min, or so many bytes, as 500M or 2G"), N_ ("TIME|SIZE")},
    {"dump-on", 0, 0, G_OPTION_ARG_STRING, &dump_on,
     N_ ("When this signal comes, as USR2, make a trace of what there is; the program does not get it"), N_ ("SIGNAL")},
    {"dump-if-wait", 0, 0, G_OPTION_ARG_STRING, &dump_if_wait,
     N_ ("When a thread has waited for longer, as 50ms, make a trace of what there is; lock=50ms: for these "
         "operations"),
     N_ ("[OPERATION,...=]TIME")},
    {"dump-if-region", 0, 0, G_OPTION_ARG_STRING_ARRAY, &dump_if_region,
     N_ ("When the program has been in its region NAME for longer, make a trace of what there is"), N_ ("NAME=TIME")},
    {"most-dumps", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("With --dump-if-wait and --dump-if-region, make so many traces at the most (default: 10)"), N_ ("N")},
    {"watch", 0, 0, G_OPTION_ARG_NONE, &watch,
     N_ ("Say so when threads are in a deadlock, while the program goes on; with --keep, make a trace of it"), NULL},
    {"search", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("Run the program so often, its threads in orders by chance, until it fails; leave a trace and a schedule of "
         "that"),
     N_ ("N")},
    {"search-seed", 0, 0, G_OPTION_ARG_CALLBACK, lc_command_take_number,
     N_ ("With --search, the first seed of chance (default: 1)"), N_ ("N")},
    {"search-patience", 0, 0, G_OPTION_ARG_STRING, &search_patience,
     N_ ("With --search, a run that lasts longer hangs (default: 10s)"), N_ ("TIME")},
    {"paused", 0, 0, G_OPTION_ARG_NONE, &paused,
     N_ ("Record nothing until lightcone control, or the program itself, starts it"), NULL},
    {"lossless", 0, 0, G_OPTION_ARG_NONE, &lossless,
     N_ ("Let the program wait rather than lose events, when it makes more than can be written"), NULL},
    {"stacks", 0, 0, G_OPTION_ARG_STRING, &stacks,
     N_ ("Record whole stacks of calls: none, blocking or all (default: blocking, where threads wait or wake others)"),
     N_ ("WHICH")},
    {"futex", 0, 0, G_OPTION_ARG_STRING, &futex,
     N_ ("Which futexes to record: libc, by its function syscall, or all, also of code without the C library "
         "(default: libc)"),
     N_ ("WHICH")},
    {"no-sites", 0, 0, G_OPTION_ARG_NONE, &no_sites, N_ ("Do not record where in the code operations are called"),
     NULL},
    {"no-switches", 0, 0, G_OPTION_ARG_NONE, &no_switches,
     N_ ("Do not record when the system takes threads off their processors"), NULL},
    {"inputs", 0, 0, G_OPTION_ARG_NONE, &inputs,
     N_ ("Keep what the program gets from outside, as time, random numbers and what it reads from pipes, terminals and "
         "sockets; a replay gives it back"),
     NULL},
    {"no-environment", 0, 0, G_OPTION_ARG_NONE, &no_environment,
     N_ ("Do not keep the environment, in which a replay runs the program"), NULL},
    {"no-calibrate", 0, 0, G_OPTION_ARG_NONE, &no_calibrate, N_ ("Do not measure what recording costs here"), NULL},
    {"quiet", 'q', 0, G_OPTION_ARG_NONE, &quiet, N_ ("Say nothing but errors"), NULL},
    {NULL},
};

static const LcCommandNumber numbers[] = {
    {"depth", 0, G_MAXUINT32, .large = &depth},          {"overhead-test", 0, 1e9, .large = &overhead_test},
    {"most-dumps", 0, G_MAXINT32, .large = &most_dumps}, {"search", 0, G_MAXINT32, .large = &search_runs},
    {"search-seed", 0, 1e18, .large = &search_seed},     {NULL},
};

static const LcCommandLine line = {
    .name = "record",
    .arguments = N_ ("PROGRAM ARGS..."),
    .description = N_ (
        "Classes: mutex, crew, advance, semaphore, condition, barrier, channel, collective, thread, mark, function,\n"
        "futex, team, task, io.\n"
        "The exit status is the program's; 127 if it is not there, 126 if it cannot be run."),
    .options = options,
    .numbers = numbers,
    .n_arguments = -1,
};

/* --- Settings ---------------------------------------------------------------------------------------------- */

static gboolean
parse_clock (const char *name, LcRecordingClock *result, GError **error)
{
  static const char *const names[] = {"auto", "tsc", "monotonic"}; /* in the order of enum LcRecordingClock */

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name != NULL ? name : names[0], names[i]) == 0)
      {
        *result = (LcRecordingClock)i;
        return TRUE;
      }
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--clock: there is no “%s”: auto, tsc or monotonic"),
               name);
  return FALSE;
}

static gboolean
parse_mpi (enum lc_mpi *which, GError **error)
{
  *which = LC_MPI_AUTOMATIC;
  if (mpi != NULL)
    *which = strcmp (mpi, "openmpi") == 0 ? LC_MPI_OPENMPI : LC_MPI_MPICH;
  if (mpi == NULL || *which == LC_MPI_OPENMPI || strcmp (mpi, "mpich") == 0)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--mpi: there is no “%s”: openmpi or mpich"), mpi);
  return FALSE;
}

static gboolean
parse_stacks (enum lc_where *where, GError **error)
{
  static const char *const names[] = {"none", "blocking", "all"}; /* in the order of enum lc_where, from sites on */

  if (no_sites && stacks != NULL)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--no-sites and --stacks exclude each other"));
      return FALSE;
    }
  if (no_sites)
    *where = LC_WHERE_NOTHING;
  for (guint i = 0; stacks != NULL && i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], stacks) == 0)
      {
        *where = LC_WHERE_SITES + i;
        return TRUE;
      }
  if (stacks == NULL)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--stacks: there is no “%s”: none, blocking or all"),
               stacks);
  return FALSE;
}

static gboolean
record_parse_futex (gboolean *all, GError **error)
{
  *all = g_strcmp0 (futex, "all") == 0;
  if (futex == NULL || *all || strcmp (futex, "libc") == 0)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--futex: there is no “%s”: libc or all"), futex);
  return FALSE;
}

/* The host's name becomes part of a file name. */
static gboolean
check_host (GError **error)
{
  if (host == NULL || (host[0] != '\0' && strchr (host, '/') == NULL && strlen (host) < 200))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--host: “%s” cannot be a part of a file's name"),
               host);
  return FALSE;
}

/* Ranks of a job record into the same trace. */
static void
set_job (LcRecordingSettings *settings, LcJob *job)
{
  if (host != NULL && job->name == NULL)
    {
      *job = (LcJob){.is_host = TRUE, .ranks = 1, .members = 1, .first = TRUE};
      job->name = g_strdup_printf ("%d.%" G_GUINT64_FORMAT, (int)getpid (), lc_process_get_start (getpid ()));
    }
  settings->job = job->name;
  settings->job_is_host = job->is_host;
  /* If ranks on one host are given different names, they count as ranks of several hosts. */
  settings->members = host == NULL || job->ranks == 1 ? job->members : 0;
  if (host == NULL && job->members > 0 && job->members < job->ranks)
    host = g_strdup (g_get_host_name ());
  settings->host = host;
}

/* Looks the group up by name in the system's table of groups. */
static gboolean
record_find_group (LcRecordingSettings *settings, GError **error)
{
  const struct group *found;

  settings->shared = shared != NULL;
  if (shared == NULL)
    return TRUE;
  errno = 0;
  found = getgrnam (shared);
  if (found != NULL)
    {
      settings->group = found->gr_gid;
      return TRUE;
    }
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--shared: there is no group “%s”"), shared);
  return FALSE;
}

static gboolean
record_parse_io (LcRecordingSettings *settings, GError **error)
{
  if (no_io && io_threshold != NULL)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   _ ("--no-io and --io-threshold exclude each other"));
      return FALSE;
    }
  if (no_io)
    settings->classes &= ~(1u << LC_CLASS_IO);
  return lc_amounts_parse_threshold (io_threshold, &settings->io_threshold, error);
}

static gboolean
record_parse_regions (LcRecordingSettings *settings, GError **error)
{
  region_limits = lc_amounts_parse_regions ((const char *const *)dump_if_region, error);
  if (region_limits == NULL)
    return FALSE;
  settings->region_limits = (const LcRegionLimit *)(const void *)region_limits->data;
  settings->n_region_limits = region_limits->len;
  if (region_limits->len == 0 || (settings->classes >> LC_CLASS_MARK & 1) != 0)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               _ ("--dump-if-region needs events of the class mark, which --events leaves out"));
  return FALSE;
}

static gboolean
record_check_inputs (GError **error)
{
  if (!inputs || (search_runs == 0 && keep == NULL && !paused))
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
               _ ("--inputs is for a replay, and excludes --search, --keep and --paused"));
  return FALSE;
}

static gboolean
make_settings (char **command, LcRecordingSettings *settings, GError **error)
{
  *settings = (LcRecordingSettings)LC_RECORDING_SETTINGS_INIT;
  program_name = g_path_get_basename (lc_job_find_program (command));
  settings->title = title != NULL ? title : program_name;
  settings->command = (const char *const *)command;
  settings->function_depth = (guint32)depth;
  settings->overhead_test = (guint64)overhead_test;
  settings->include = (const char *const *)include;
  settings->exclude = (const char *const *)exclude;
  settings->replace = replace;
  settings->lossless = lossless || inputs; /* of which a replay needs all */
  settings->inputs = inputs;
  settings->paused = paused;
  settings->no_switches = no_switches;
  return lc_amounts_parse_size (max_size, &settings->max_size, error) &&
         lc_amounts_parse_keep (keep, &settings->keep_bytes, &settings->keep_time, error) &&
         lc_amounts_parse_signal (dump_on, &dump_signal, error) &&
         lc_amounts_parse_wait (dump_if_wait, long_waits.operations, &long_waits.limit, error) &&
         parse_clock (clock_name, &settings->clock, error) &&
         lc_event_classes_parse (events, &settings->classes, error) && record_parse_regions (settings, error) &&
         record_parse_io (settings, error) && parse_mpi (&settings->mpi, error) &&
         parse_stacks (&settings->where, error) && record_parse_futex (&settings->futex_all, error) &&
         check_host (error) && record_find_group (settings, error) && record_check_inputs (error);
}

/* Puts the command's name before errors. */
static gboolean
record_read_settings (char **command, LcRecordingSettings *settings, GError **error)
{
  GError *reason = NULL;

  if (make_settings (command, settings, &reason))
    return TRUE;
  g_set_error (error, reason->domain, reason->code, _ ("%s: %s (see lightcone help %s)"), line.name, reason->message,
               line.name);
  g_error_free (reason);
  return FALSE;
}

/* --- The trace directory ----------------------------------------------------------------------------------- */

/* Makes the first of PROGRAM.trace, PROGRAM-2.trace ... that does not exist yet, and sets `output` to its name. */
static LcRecording *
record_prepare (const LcRecordingSettings *settings, GError **error)
{
  if (output != NULL)
    return lc_recording_prepare (output, settings, error);
  for (guint i = 1;; i++)
    {
      LcRecording *recording;
      GError *reason = NULL;

      g_free (output);
      output = i == 1 ? g_strdup_printf ("%s.trace", program_name) : g_strdup_printf ("%s-%u.trace", program_name, i);
      recording = lc_recording_prepare (output, settings, &reason);
      if (recording != NULL)
        return recording;
      if (!(g_error_matches (reason, LC_TRACE_ERROR, LC_TRACE_ERROR_EXISTS) ||
            g_error_matches (reason, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY) ||
            g_error_matches (reason, LC_TRACE_ERROR, LC_TRACE_ERROR_FOREIGN)) ||
          i == G_MAXUINT16)
        {
          g_propagate_error (error, reason);
          return NULL;
        }
      g_error_free (reason);
    }
}

/* The cost of recording depends on the clock that is used, so a calibration of another clock is useless. */
static gboolean
is_of_clock (GKeyFile *calibration, LcRecordingClock clock)
{
  g_autofree char *measured = g_key_file_get_string (calibration, "machine", "clock", NULL);
  gboolean tsc = clock == LC_RECORDING_CLOCK_AUTO ? lc_recording_tsc_usable () : clock == LC_RECORDING_CLOCK_TSC;

  return g_strcmp0 (measured, tsc ? "tsc" : "monotonic") == 0;
}

/* --- The last line ----------------------------------------------------------------------------------------- */

static void
tell_silent (const char *trace, const char *program, const LcRecordingResult *result)
{
  g_autofree char *lost = lc_lost_reasons (result->lost);
  const char *reason = lc_program_why_silent (program);

  if (result->n_lost > 0)
    {
      lc_complain (_ ("%s: nothing was recorded%s"), trace, lost);
      return;
    }
  if (reason == NULL)
    reason = _ ("the recorder was not loaded into the program");
  lc_complain (_ ("%s: nothing was recorded: %s"), trace, reason);
}

/* Gives the name of the trace as the user has given it. */
static char *
dup_trace_name (void)
{
  g_autofree char *part = host != NULL ? g_strconcat (output, G_DIR_SEPARATOR_S LC_PART_PREFIX, host, NULL) : NULL;

  return g_filename_display_name (part != NULL ? part : output);
}

/* Counts events as readers of the trace do, who also see when processes ended that were not there to say it. */
static guint64
record_count_events (const LcRecordingResult *result)
{
  g_autofree char *part = host != NULL ? g_strconcat (output, G_DIR_SEPARATOR_S LC_PART_PREFIX, host, NULL) : NULL;
  g_autoptr (LcTrace) trace = lc_trace_open (part != NULL ? part : output, NULL);
  guint64 count = 0;

  if (trace == NULL)
    return result->events;
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    count += lc_trace_count_events (trace, i);
  return count;
}

static void
tell_result (const LcRecordingResult *result, const char *program)
{
  const guint64 count = record_count_events (result);
  g_autofree char *name = dup_trace_name (), *processes = lc_format_count (result->processes);
  g_autofree char *n_events = lc_format_count (count), *damaged = lc_format_count (result->damaged);
  g_autofree char *running = lc_format_count (result->running), *n_lost = lc_format_count (result->n_lost);
  g_autofree char *reasons = lc_lost_reasons (result->lost);
  g_autoptr (GString) text = g_string_new (NULL);

  if (result->processes == 0)
    {
      tell_silent (name, program, result);
      return;
    }
  g_string_append_printf (text, ngettext ("%s process", "%s processes", result->processes), processes);
  g_string_append_printf (text, ngettext (", %s event", ", %s events", count), n_events);
  g_string_append_printf (text, _ (", %s lost%s"), n_lost, reasons);
  if (result->damaged > 0)
    g_string_append_printf (text, ngettext (", %s process is damaged", ", %s processes are damaged", result->damaged),
                            damaged);
  if (result->strangers > 0)
    g_string_append_printf (text,
                            ngettext (", %u program was not recorded, since it ran as another user",
                                      ", %u programs were not recorded, since they ran as another user",
                                      result->strangers),
                            result->strangers);
  if (result->running > 0)
    g_string_append_printf (text, ngettext (", %s process still runs", ", %s processes still run", result->running),
                            running);
  lc_complain ("%s: %s", name, text->str);
}

static void
tell_rest (guint count)
{
  if (!quiet)
    lc_complain (ngettext ("the program has ended; %u child that it left behind is still being recorded",
                           "the program has ended; %u children that it left behind are still being recorded", count),
                 count);
}

/* --- Recording --------------------------------------------------------------------------------------------- */

/* All that is needed to start a program. */
typedef struct
{
  char **command;
  char *program; /* path of its file */
  char *library;
} Start;

static void
start_clear (Start *start)
{
  g_free (start->program);
  g_free (start->library);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Start, start_clear)

/* `found`: the file exists, so ENOENT means that its interpreter is missing. */
static int
record_complain_of_program (const LcJob *job, const char *name, int error, gboolean found)
{
  gboolean missing = error == ENOENT && !found;
  g_autofree char *message =
      missing ? g_strdup_printf (_ ("%s: there is no such program"), name)
              : g_strdup_printf (_ ("%s: cannot be run: %s"), name,
                                 error == ENOENT ? _ ("its interpreter is missing") : g_strerror (error));

  lc_job_complain (job, message);
  return missing ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}

/* If several MPIs were recorded, it is unknown which costs belong to which, so none are set. */
static void
set_mpi_costs (LcRecording *recording)
{
  guint32 found = lc_recording_get_mpi_found (recording);
  const char *name = found == 1 << LC_MPI_OPENMPI ? "openmpi" : found == 1 << LC_MPI_MPICH ? "mpich" : NULL;
  g_autoptr (GKeyFile) calibration = name != NULL ? lc_calibration_load_mpi (name) : NULL;
  LcRecordingClock clock;

  if (name == NULL)
    return;
  if (calibration != NULL && parse_clock (clock_name, &clock, NULL) && is_of_clock (calibration, clock))
    lc_recording_set_mpi_costs (recording, name, calibration);
  else
    lc_recording_set_mpi_costs (recording, name, NULL);
}

static void
record_tell_futexes (guint32 trouble)
{
  g_autofree char *names = lc_futex_trouble_names (trouble);

  lc_complain (_ ("not all futexes were seen: %s"), lc_futex_trouble_why (names));
}

/* The last rank of a job closes the trace and tells the result; the others end silently. */
static void
record_finish (LcRecording *recording, int status, const char *program)
{
  LcRecordingResult result = {0};
  g_autoptr (GError) error = NULL;
  guint32 trouble, futexes;

  if (!lc_recording_leave (recording, status))
    return;
  trouble = lc_recording_get_mpi_trouble (recording);
  futexes = lc_recording_get_futex_trouble (recording);
  set_mpi_costs (recording);
  if (!lc_recording_finish (recording, status, &result, &error))
    lc_complain ("%s", error->message);
  if (quiet)
    return;
  if (trouble != 0)
    lc_complain (_ ("MPI's calls were not recorded: %s"), lc_mpi_trouble_why (trouble));
  if (futexes != 0)
    record_tell_futexes (futexes);
  if (error == NULL || result.processes > 0)
    tell_result (&result, program);
}

/* --- A dump on a signal ------------------------------------------------------------------------------------ */

/* What is blocked in this process is not for the one that makes the dump. */
static void
record_unblock_signals (gpointer data)
{
  sigset_t none;

  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

/* In a process of its own: the program's signals and its end are waited for here. */
static void
record_dump (gpointer data)
{
  char *directory = data;
  char *command[] = {(char *)"/proc/self/exe", (char *)"control", directory, (char *)"dump", (char *)"--quiet", NULL};
  g_autoptr (GError) error = NULL;

  if (!g_spawn_async (NULL, command, NULL, G_SPAWN_DO_NOT_REAP_CHILD, record_unblock_signals, NULL, NULL, &error))
    lc_complain ("%s", error->message);
}

static void
record_tell_wait (const LcLongWait *wait)
{
  g_autofree char *name = lc_format_text (wait->name), *waited = lc_format_duration (wait->waited);
  const char *operation = lc_operations[wait->operation].name;

  if (wait->is_over)
    lc_complain (_ ("process %u (%s) has waited for %s (%s): a trace of it is made"), wait->process, name, waited,
                 operation);
  else
    lc_complain (_ ("process %u (%s) has been waiting for %s (%s): a trace of it is made"), wait->process, name, waited,
                 operation);
}

static void
record_tell_region (const LcLongWait *wait)
{
  g_autofree char *name = lc_format_text (wait->name), *lasted = lc_format_duration (wait->waited);
  g_autofree char *region = lc_format_text (wait->region);

  if (wait->is_over)
    lc_complain (_ ("process %u (%s) was in region “%s” for %s: a trace of it is made"), wait->process, name, region,
                 lasted);
  else
    lc_complain (_ ("process %u (%s) has been in region “%s” for %s: a trace of it is made"), wait->process, name,
                 region, lasted);
}

/* Called by the thread that empties places. */
static void
record_dump_wait (const LcLongWait *wait, const char *directory)
{
  record_dump ((gpointer)directory);
  if (quiet)
    return;
  if (wait->region != NULL)
    record_tell_region (wait);
  else
    record_tell_wait (wait);
  if (wait->is_last)
    lc_complain (_ ("that was the last such trace (--most-dumps)"));
}

/* What is to be done while the program runs. It lives as long as the recording, whose thread calls the functions. */
typedef struct
{
  const char *directory; /* where the recording goes */
  LcDeadlockWatch *deadlocks;
} Watching;

static void
watching_clear (Watching *watching)
{
  lc_deadlock_watch_free (watching->deadlocks);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Watching, watching_clear)

static void
record_handle_wait (const LcLongWait *wait, gpointer data)
{
  const Watching *watching = data;

  record_dump_wait (wait, watching->directory);
}

static void
record_handle_stuck (gpointer data)
{
  const Watching *watching = data;

  lc_deadlock_watch_look (watching->deadlocks);
}

static void
record_handle_deadlock (const char *text, gpointer data)
{
  const Watching *watching = data;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      lc_complain ("%s", lines[i]);
  if (keep != NULL)
    record_dump ((gpointer)watching->directory);
}

static void
record_watch (Watching *watching, LcRecording *recording)
{
  watching->directory = lc_recording_get_directory (recording);
  if (watch)
    {
      watching->deadlocks = lc_deadlock_watch_new (watching->directory, record_handle_deadlock, watching);
      long_waits.stuck = record_handle_stuck;
    }
  if ((long_waits.limit > 0 || region_limits->len > 0) && most_dumps > 0)
    long_waits.act = record_handle_wait;
  long_waits.most = (guint)most_dumps;
  long_waits.data = watching;
  if (long_waits.act != NULL || long_waits.stuck != NULL)
    lc_recording_watch_waits (recording, &long_waits);
}

static void
record_watch_switches (guint32 pid, gpointer data)
{
  lc_recording_watch_switches (data, pid);
}

/* --- Daemons ------------------------------------------------------------------------------------------------------ */

/* Nobody must wait for the end of what this process prints. */
static void
record_leave_terminal (void)
{
  int nothing = open ("/dev/null", O_RDWR | O_CLOEXEC);

  for (int i = STDIN_FILENO; nothing >= 0 && i <= STDERR_FILENO; i++)
    dup2 (nothing, i);
  if (nothing > STDERR_FILENO)
    close (nothing);
}

/* In between a process may execute another program: it is gone only if it is so twice. */
static void
record_wait_for_daemons (LcRun *run, LcRecording *recording)
{
  for (guint gone = 0; gone < 2;)
    {
      gone = lc_recording_is_used (recording) ? 0 : gone + 1;
      if (!lc_run_rest (run, DAEMON_PAUSE))
        return;
    }
}

/*
 * Whoever interrupts the wait for what the program has left behind wants the prompt back, and not that it is recorded
 * no more: a child goes on to its end. FALSE: nobody does.
 */
static gboolean
record_leave_to_another (LcRun *run, LcRecording *recording, int status, const char *program)
{
  g_autofree char *name = dup_trace_name ();
  g_autoptr (GError) error = NULL;
  gint64 child = lc_recording_hand_over (recording, &error);

  if (child < 0)
    return FALSE;
  if (child > 0)
    {
      if (!quiet)
        lc_complain (_ ("%s: what still runs is recorded to its end, by process %d"), name, (int)child);
      return TRUE;
    }
  record_leave_terminal ();
  record_wait_for_daemons (run, recording);
  record_finish (recording, status, program);
  _exit (EXIT_SUCCESS);
}

/* Ends as the program does, unless that could not be started. */
static int
record_run_command (LcRun *run, LcRecording *recording, const LcJob *job, const Start *start, Watching *watching)
{
  g_auto (GStrv) environment = lc_record_make_environment (recording, start->library, start->program, host);
  const char *directory = lc_recording_get_directory (recording);
  gboolean interrupted;
  guint32 program;
  int status;

  if (!no_switches)
    lc_run_set_forked (run, record_watch_switches, recording);
  status = lc_run_start (run, start->command, environment);
  if (status != 0)
    {
      lc_recording_discard (recording);
      return record_complain_of_program (job, start->command[0], status, TRUE);
    }
  if (dump_signal != 0)
    lc_run_keep_signal (run, dump_signal, record_dump, (gpointer)directory);
  record_watch (watching, recording);
  program = lc_run_get_program (run);
  status = lc_run_wait (run);
  lc_recording_end_program (recording, program);
  interrupted = !lc_run_wait_for_rest (run, directory, tell_rest);
  lc_deadlock_watch_stop (watching->deadlocks);
  if (interrupted && job->name == NULL && record_leave_to_another (run, recording, status, start->program))
    return lc_run_end_like (status);
  record_finish (recording, status, start->program);
  return lc_run_end_like (status);
}

/* The recorder finds the library for MPI itself; this checks that it exists if the user asks for an MPI. */
static gboolean
find_libraries (Start *start, GError **error)
{
  g_autofree char *mpi_library = NULL, *inputs_library = inputs ? lc_find_inputs_library (error) : NULL;

  if (inputs && inputs_library == NULL)
    return FALSE;
  if (inputs)
    g_setenv (LC_INPUTS_LIBRARY_ENVIRONMENT, inputs_library, TRUE);
  start->library = lc_find_library (error);
  if (start->library != NULL && mpi != NULL)
    mpi_library = lc_find_mpi_library (start->library, "mpi", mpi, error);
  return start->library != NULL && (mpi == NULL || mpi_library != NULL);
}

static void
record_tell_calibration (void)
{
  if (!quiet && isatty (STDERR_FILENO))
    lc_complain (_ ("measuring what recording costs on this machine, which takes some seconds, once…"));
}

/* Gives NULL if the costs are not known, or belong to another clock. */
static GKeyFile *
load_calibration (const LcJob *job, LcRecordingClock clock)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GKeyFile) calibration =
      lc_calibration_load (!no_calibrate, job->first ? record_tell_calibration : NULL, &error);

  if (error != NULL && job->first)
    lc_complain (_ ("%s (the trace will not say what recording costs)"), error->message);
  return calibration != NULL && is_of_clock (calibration, clock) ? g_steal_pointer (&calibration) : NULL;
}

/* --- Searching ---------------------------------------------------------------------------------------------------- */

/* The name for the trace, and for the schedule beside it: neither must be there. */
static char *
record_choose_name (GError **error)
{
  for (guint i = 1; i < G_MAXUINT16; i++)
    {
      g_autofree char *name = output != NULL ? g_strdup (output)
                              : i == 1       ? g_strdup_printf ("%s.trace", program_name)
                                             : g_strdup_printf ("%s-%u.trace", program_name, i);
      g_autofree char *schedule = g_strconcat (name, ".schedule", NULL);

      if (replace || (!g_file_test (name, G_FILE_TEST_EXISTS) && !g_file_test (schedule, G_FILE_TEST_EXISTS)))
        return g_steal_pointer (&name);
      if (output == NULL)
        continue;
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_EXIST,
                   _ ("%s: is there already, or a schedule of it (--replace removes them)"), name);
      break;
    }
  return NULL;
}

static int
record_search (char **command)
{
  LcSearch search = {.command = command, .runs = (guint)search_runs, .seed = (guint64)search_seed, .quiet = quiet};
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  guint64 patience = 10 * G_GUINT64_CONSTANT (1000000000);

  if (search_patience != NULL && (!lc_parse_time (search_patience, &patience) || patience == 0))
    {
      lc_complain (_ ("record: --search-patience is a time (500ms, 10s), not “%s”"), search_patience);
      return LC_EXIT_UNUSABLE;
    }
  search.patience = (gint64)(patience / 1000);
  search.trace = name = record_choose_name (&error);
  if (name != NULL)
    return lc_search_failure (&search);
  lc_complain ("%s", error->message);
  return LC_EXIT_UNUSABLE;
}

int
lc_cmd_record (int argc, char **argv)
{
  LcRecordingSettings settings;
  g_autoptr (LcRun) run = lc_run_new ();
  g_auto (Watching) watching = {0};
  g_autoptr (LcRecording) recording = NULL;
  g_autoptr (GKeyFile) calibration = NULL;
  g_auto (GStrv) environment = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (LcJob) job = {0};
  g_auto (Start) start = {0};
  int reason;

  lc_job_find (&job);
  if (!lc_command_read (&line, &argc, &argv, &error) || !record_read_settings (argv + 1, &settings, &error))
    {
      lc_job_complain (&job, error->message);
      return LC_EXIT_UNUSABLE;
    }
  set_job (&settings, &job);
  start.command = argv + 1;
  start.program = lc_program_find (argv[1], &reason);
  if (start.program == NULL)
    return record_complain_of_program (&job, argv[1], reason, FALSE);
  if (search_runs > 0)
    return record_search (start.command);
  if (!find_libraries (&start, &error))
    {
      lc_job_complain (&job, error->message);
      return LC_EXIT_UNUSABLE;
    }
  settings.calibration = calibration = load_calibration (&job, settings.clock);
  environment = g_get_environ ();
  if (!no_environment && shared == NULL) /* a group may read the trace, and it may have secrets */
    settings.environment = (const char *const *)environment;
  recording = record_prepare (&settings, &error);
  if (recording == NULL)
    {
      lc_job_complain (&job, error->message);
      return LC_EXIT_UNUSABLE;
    }
  return record_run_command (run, recording, &job, &start, &watching);
}
