/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program whose threads take turns, by chance or by orders, and says how it ended. */
#include "schedule-run.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "find-library.h"

enum
{
  MOST_THREADS = 4096,
  MOST_ORDERS = 1 << 16,
  MOST_LOGGED = 1 << 18,
  SHORTEST_PAUSE = 200, /* us */
  LONGEST_PAUSE = 5000,
  GRACE = 50000, /* us, for who is woken by a signal, or by a thread that takes no turns */
};

static volatile sig_atomic_t schedule_run_signal;

static void
schedule_run_note_signal (int number)
{
  schedule_run_signal = number;
}

void
lc_schedule_run_catch (void)
{
  struct sigaction action = {.sa_handler = schedule_run_note_signal};

  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  sigaction (SIGHUP, &action, NULL);
}

int
lc_schedule_run_get_signal (void)
{
  return schedule_run_signal;
}

/* --- The plan -------------------------------------------------------------------------------------------------- */

static const struct lc_schedule_header schedule_run_layout = {
    .magic = LC_SCHEDULE_MAGIC,
    .version = LC_SCHEDULE_VERSION,
    .most_threads = MOST_THREADS,
    .most_entries = MOST_LOGGED,
    .threads = sizeof (struct lc_schedule_header),
    .orders = sizeof (struct lc_schedule_header) + MOST_THREADS * sizeof (struct lc_schedule_thread),
    .entries = sizeof (struct lc_schedule_header) + MOST_THREADS * sizeof (struct lc_schedule_thread) +
               MOST_ORDERS * sizeof (struct lc_schedule_order),
};

static gsize
schedule_run_size (void)
{
  return schedule_run_layout.entries + MOST_LOGGED * sizeof (struct lc_schedule_entry);
}

gboolean
lc_schedule_run_begin (LcScheduleRun *run, const char *folder, char **command, GError **error)
{
  const struct lc_schedule_thread first = {LC_SCHEDULE_NONE, 0};
  void *plan = MAP_FAILED;
  int file, reason;

  run->command = command;
  run->library = lc_find_schedule_library (error);
  if (run->library == NULL)
    return FALSE;
  run->path = g_build_filename (folder, "schedule", NULL);
  run->threads = g_array_new (FALSE, FALSE, sizeof (struct lc_schedule_thread));
  run->orders = g_array_new (FALSE, FALSE, sizeof (struct lc_schedule_order));
  g_array_append_val (run->threads, first);
  file = open (run->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0 && ftruncate (file, (off_t)schedule_run_size ()) == 0)
    plan = mmap (NULL, schedule_run_size (), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  reason = errno;
  if (file >= 0)
    close (file);
  if (plan != MAP_FAILED)
    {
      run->plan = plan;
      return TRUE;
    }
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (reason), "%s: %s", run->path, g_strerror (reason));
  return FALSE;
}

void
lc_schedule_run_end (LcScheduleRun *run)
{
  if (run->plan != NULL)
    munmap (run->plan, schedule_run_size ());
  g_clear_pointer (&run->threads, g_array_unref);
  g_clear_pointer (&run->orders, g_array_unref);
  g_clear_pointer (&run->library, g_free);
  g_clear_pointer (&run->path, g_free);
  run->plan = NULL;
}

static void
schedule_run_reset (const LcScheduleRun *run)
{
  struct lc_schedule_header *plan = run->plan;
  const guint n_orders = MIN (run->orders->len, MOST_ORDERS), n_threads = MIN (run->threads->len, MOST_THREADS);

  *plan = schedule_run_layout;
  plan->seed = run->seed;
  plan->depth = run->depth;
  plan->length = run->length;
  plan->n_threads = n_threads;
  plan->n_orders = n_orders;
  memcpy ((char *)plan + plan->threads, run->threads->data, n_threads * sizeof (struct lc_schedule_thread));
  memcpy ((char *)plan + plan->orders, run->orders->data, n_orders * sizeof (struct lc_schedule_order));
}

/* --- One run --------------------------------------------------------------------------------------------------- */

static char **
schedule_run_make_environment (const LcScheduleRun *run)
{
  char **environment = g_get_environ ();
  const char *others = g_environ_getenv (environment, "LD_PRELOAD");
  g_autofree char *preload =
      others != NULL && others[0] != '\0' ? g_strconcat (run->library, ":", others, NULL) : g_strdup (run->library);

  environment = g_environ_setenv (environment, LC_SCHEDULE_ENVIRONMENT, run->path, TRUE);
  if (run->trace != NULL)
    return g_environ_setenv (environment, LC_SCHEDULE_LIBRARY_ENVIRONMENT, run->library, TRUE);
  return g_environ_setenv (environment, "LD_PRELOAD", preload, TRUE);
}

/* Short sleeps are recorded, too, since orders may be of them. */
static GPtrArray *
schedule_run_make_command (const LcScheduleRun *run)
{
  static const char *const record[] = {"/proc/self/exe", "record",         "--quiet",          "--replace",
                                       "--lossless",     "--no-calibrate", "--io-threshold=0", "--output"};
  GPtrArray *command = g_ptr_array_new ();

  for (guint i = 0; run->trace != NULL && i < G_N_ELEMENTS (record); i++)
    g_ptr_array_add (command, (gpointer)record[i]);
  if (run->trace != NULL)
    {
      g_ptr_array_add (command, (gpointer)run->trace);
      g_ptr_array_add (command, (gpointer) "--");
    }
  for (char **word = run->command; *word != NULL; word++)
    g_ptr_array_add (command, *word);
  g_ptr_array_add (command, NULL);
  return command;
}

/* The output, and that nobody is left behind whatever happens to this process. */
static void
schedule_run_set_up (gpointer data)
{
  const int *output = data;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (*output < 0)
    return;
  dup2 (*output, STDOUT_FILENO);
  dup2 (*output, STDERR_FILENO);
}

static void
schedule_run_kill (const LcScheduleRun *run, pid_t pid)
{
  const pid_t program = (pid_t)run->plan->program;

  kill (run->trace != NULL && program > 1 ? program : pid, SIGKILL);
}

/* A recorder needs its time after the program's end. */
static LcRunEnd
schedule_run_wait (const LcScheduleRun *run, pid_t pid, int *status)
{
  const gint64 begin = g_get_monotonic_time ();
  gint64 stopped = begin; /* when somebody could go on last */
  LcRunEnd end = LC_RUN_EXITED;
  pid_t child;

  for (gulong pause = SHORTEST_PAUSE;; pause = MIN (pause * 2, LONGEST_PAUSE))
    {
      child = waitpid (pid, status, WNOHANG);
      if (child == pid || (child < 0 && errno != EINTR))
        return end;
      if (__atomic_load_n (&run->plan->state, __ATOMIC_ACQUIRE) != LC_SCHEDULE_DEADLOCK)
        stopped = g_get_monotonic_time ();
      if (end == LC_RUN_EXITED && g_get_monotonic_time () - stopped > GRACE)
        end = LC_RUN_DEADLOCKED;
      else if (end == LC_RUN_EXITED && g_get_monotonic_time () - begin > run->patience)
        end = LC_RUN_HUNG;
      if (end != LC_RUN_EXITED || schedule_run_signal != 0)
        schedule_run_kill (run, pid);
      g_usleep (pause);
    }
}

gboolean
lc_schedule_run (const LcScheduleRun *run, LcRunOutcome *outcome, GError **error)
{
  g_auto (GStrv) environment = schedule_run_make_environment (run);
  g_autoptr (GPtrArray) command = schedule_run_make_command (run);
  int output = -1, status = 0;
  gboolean good;
  pid_t pid;

  schedule_run_reset (run);
  if (run->output != NULL)
    {
      output = open (run->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      if (output < 0)
        {
          g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", run->output, g_strerror (errno));
          return FALSE;
        }
    }
  lseek (STDIN_FILENO, 0, SEEK_SET); /* a file is read anew; a pipe cannot be */
  good = g_spawn_async (NULL, (char **)command->pdata, environment,
                        G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN,
                        schedule_run_set_up, &output, &pid, error);
  if (output >= 0)
    close (output);
  if (!good)
    return FALSE;
  outcome->end = schedule_run_wait (run, pid, &status);
  outcome->number = WIFSIGNALED (status) ? WTERMSIG (status) : WEXITSTATUS (status);
  if (outcome->end == LC_RUN_EXITED && WIFSIGNALED (status))
    outcome->end = LC_RUN_SIGNALLED;
  if (run->plan->program == 0)
    outcome->end = LC_RUN_SILENT;
  return TRUE;
}

/* --- How it ended ---------------------------------------------------------------------------------------------- */

char *
lc_run_outcome_to_text (const LcRunOutcome *outcome)
{
  switch (outcome->end)
    {
    case LC_RUN_EXITED:
      return g_strdup_printf ("exit %d", outcome->number);
    case LC_RUN_SIGNALLED:
      return g_strdup_printf ("signal %d", outcome->number);
    case LC_RUN_DEADLOCKED:
      return g_strdup ("deadlock");
    case LC_RUN_HUNG:
      return g_strdup ("hang");
    case LC_RUN_SILENT:
    default:
      return g_strdup ("silent");
    }
}

gboolean
lc_run_outcome_parse (const char *text, LcRunOutcome *outcome)
{
  const char *number = strchr (text, ' ');
  guint64 value = 0;

  if (number != NULL && !g_ascii_string_to_unsigned (number + 1, 10, 0, 255, &value, NULL))
    return FALSE;
  outcome->number = (int)value;
  if (g_str_has_prefix (text, "exit ") || g_str_has_prefix (text, "signal "))
    outcome->end = *text == 'e' ? LC_RUN_EXITED : LC_RUN_SIGNALLED;
  else if (strcmp (text, "deadlock") == 0 || strcmp (text, "hang") == 0)
    outcome->end = *text == 'd' ? LC_RUN_DEADLOCKED : LC_RUN_HUNG;
  else
    return FALSE;
  return TRUE;
}

gboolean
lc_run_outcome_is_same (const LcRunOutcome *one, const LcRunOutcome *other)
{
  const gboolean has_number = one->end == LC_RUN_EXITED || one->end == LC_RUN_SIGNALLED;

  return one->end == other->end && (!has_number || one->number == other->number);
}
