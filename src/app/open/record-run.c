/* SPDX-License-Identifier: Apache-2.0 */
/* A run of `lightcone record`, with the output of the recorded program. */
#include "app/open/record-run.h"

#include <gdk/gdk.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

enum
{
  PIECE = 16384,
  READING = GDK_PRIORITY_REDRAW, /* no more urgent, so that endless output leaves time to draw, and no less */
};

struct _LcRecordRun
{
  GObject parent;

  GSubprocess *process;
  GCancellable *cancellable;
  GString *rest; /* incomplete character at the end of the output so far */
  char *trace;
  gint64 begun, ended;
  gboolean read_all, has_ended;
};

enum
{
  PRINTED,
  ENDED,
  SIGNALS,
};

static guint signals[SIGNALS];

G_DEFINE_FINAL_TYPE (LcRecordRun, lc_record_run, G_TYPE_OBJECT)

static void read_on (LcRecordRun *run);

/* --- Output ------------------------------------------------------------------------------------------------------ */

/* Returns how many bytes at the end belong to an incomplete UTF-8 character. */
static gsize
count_unfinished (const char *bytes, gsize length)
{
  for (gsize back = 1; back <= MIN (length, 3); back++)
    {
      guchar byte = (guchar)bytes[length - back];

      if (byte < 0x80)
        return 0;
      if (byte >= 0xc0)
        return back < (byte >= 0xf0 ? 4u : byte >= 0xe0 ? 3u : 2u) ? back : 0;
    }
  return 0;
}

static void
record_run_print (LcRecordRun *run, gboolean all)
{
  gsize keep = all ? 0 : count_unfinished (run->rest->str, run->rest->len);
  g_autofree char *text = g_utf8_make_valid (run->rest->str, (gssize)(run->rest->len - keep));

  g_string_erase (run->rest, 0, (gssize)(run->rest->len - keep));
  if (*text != '\0')
    g_signal_emit (run, signals[PRINTED], 0, text);
}

static void
record_run_end (LcRecordRun *run)
{
  if (!run->read_all || !run->has_ended)
    return;
  run->ended = g_get_monotonic_time ();
  g_signal_emit (run, signals[ENDED], 0);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (LcRecordRun) run = data;
  g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, NULL);
  gsize size = bytes != NULL ? g_bytes_get_size (bytes) : 0;

  if (g_cancellable_is_cancelled (run->cancellable))
    return;
  for (gsize i = 0; i < size; i++)
    {
      char byte = ((const char *)g_bytes_get_data (bytes, NULL))[i];

      g_string_append_c (run->rest, byte != '\0' ? byte : ' ');
    }
  record_run_print (run, size == 0);
  run->read_all = size == 0;
  if (run->read_all)
    record_run_end (run);
  else
    read_on (run);
}

static void
read_on (LcRecordRun *run)
{
  g_input_stream_read_bytes_async (g_subprocess_get_stdout_pipe (run->process), PIECE, READING, run->cancellable,
                                   on_read, g_object_ref (run));
}

/* Stops reading although the pipe is still open: processes that the program left behind may hold it. */
static gboolean
stop_reading (gpointer data)
{
  LcRecordRun *run = data;

  if (!run->read_all && !g_cancellable_is_cancelled (run->cancellable))
    {
      record_run_print (run, TRUE);
      run->read_all = TRUE;
      g_cancellable_cancel (run->cancellable);
      record_run_end (run);
    }
  return G_SOURCE_REMOVE;
}

static void
on_waited (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (LcRecordRun) run = data;

  if (!g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL))
    return;
  run->has_ended = TRUE;
  record_run_end (run);
  if (!run->read_all)
    g_timeout_add_full (G_PRIORITY_DEFAULT, 500, stop_reading, g_object_ref (run), g_object_unref);
}

/* --- Starting ------------------------------------------------------------------------------------------------------
 */

char *
lc_record_find_command (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (program != NULL ? program : ".");
  g_autofree char *beside = g_build_filename (folder, "lightcone", NULL);
  g_autofree char *built = g_build_filename (folder, "..", "cli", "lightcone", NULL);

  if (program != NULL && g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&beside);
  if (program != NULL && g_file_test (built, G_FILE_TEST_IS_EXECUTABLE))
    return g_canonicalize_filename (built, NULL);
  return g_find_program_in_path ("lightcone");
}

static GPtrArray *
list_words (const LcRecordWish *wish, const char *command)
{
  GPtrArray *words = g_ptr_array_new ();

  g_ptr_array_add (words, (gpointer)command);
  g_ptr_array_add (words, (gpointer) "record");
  g_ptr_array_add (words, (gpointer) "-o");
  g_ptr_array_add (words, (gpointer)wish->trace);
  if (wish->replace)
    g_ptr_array_add (words, (gpointer) "--replace");
  g_ptr_array_add (words, (gpointer) "--");
  g_ptr_array_add (words, (gpointer)wish->program);
  for (gsize i = 0; wish->arguments != NULL && wish->arguments[i] != NULL; i++)
    g_ptr_array_add (words, (gpointer)wish->arguments[i]);
  g_ptr_array_add (words, NULL);
  return words;
}

static GSubprocess *
record_run_spawn (const LcRecordWish *wish, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_autofree char *command = lc_record_find_command ();
  g_autoptr (GPtrArray) words = NULL;

  if (command == NULL)
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                           _ ("The program lightcone, which records, is not installed."));
      return NULL;
    }
  g_subprocess_launcher_set_cwd (launcher, wish->folder);
  for (gsize i = 0; wish->environment != NULL && wish->environment[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (wish->environment[i], "=", 2);

      g_subprocess_launcher_setenv (launcher, parts[0], parts[1], TRUE);
    }
  words = list_words (wish, command);
  return g_subprocess_launcher_spawnv (launcher, (const char *const *)words->pdata, error);
}

LcRecordRun *
lc_record_run_start (const LcRecordWish *wish, GError **error)
{
  GSubprocess *process = record_run_spawn (wish, error);
  LcRecordRun *run;

  if (process == NULL)
    return NULL;
  run = g_object_new (LC_TYPE_RECORD_RUN, NULL);
  run->process = process;
  run->trace = g_canonicalize_filename (wish->trace, wish->folder);
  run->begun = g_get_monotonic_time ();
  read_on (run);
  g_subprocess_wait_async (process, NULL, on_waited, g_object_ref (run));
  return run;
}

/* --- Ending --------------------------------------------------------------------------------------------------------
 */

void
lc_record_run_interrupt (LcRecordRun *run)
{
  if (!run->has_ended)
    g_subprocess_send_signal (run->process, SIGINT);
}

/* Kills the program but not `lightcone record`, which then closes the trace. If there is no program any more,
 * `lightcone record` itself is killed. */
void
lc_record_run_kill (LcRecordRun *run)
{
  const char *id = g_subprocess_get_identifier (run->process);
  g_autofree char *path = id != NULL ? g_strdup_printf ("/proc/%s/task/%s/children", id, id) : NULL;
  g_autofree char *children = NULL;
  g_auto (GStrv) words = NULL;
  gboolean any = FALSE;

  if (id == NULL)
    return;
  g_file_get_contents (path, &children, NULL, NULL);
  words = g_strsplit (children != NULL ? children : "", " ", -1);
  for (gsize i = 0; words[i] != NULL; i++)
    {
      gint64 child = g_ascii_strtoll (words[i], NULL, 10);

      any |= child > 1 && kill ((pid_t)child, SIGKILL) == 0;
    }
  if (!any)
    g_subprocess_force_exit (run->process);
}

const char *
lc_record_run_get_trace (LcRecordRun *run)
{
  return run->trace;
}

gint64
lc_record_run_get_duration (LcRecordRun *run)
{
  return (run->ended != 0 ? run->ended : g_get_monotonic_time ()) - run->begun;
}

gboolean
lc_record_run_is_good (LcRecordRun *run)
{
  return run->has_ended && g_subprocess_get_successful (run->process);
}

char *
lc_record_run_dup_end (LcRecordRun *run)
{
  if (g_subprocess_get_if_signaled (run->process))
    return g_strdup_printf (_ ("Ended by signal %d (%s)"), g_subprocess_get_term_sig (run->process),
                            g_strsignal (g_subprocess_get_term_sig (run->process)));
  return g_strdup_printf (_ ("Ended with status %d"), g_subprocess_get_exit_status (run->process));
}

/* --- The object ----------------------------------------------------------------------------------------------------
 */

static void
lc_record_run_finalize (GObject *object)
{
  LcRecordRun *run = LC_RECORD_RUN (object);

  g_clear_object (&run->process);
  g_object_unref (run->cancellable);
  g_string_free (run->rest, TRUE);
  g_free (run->trace);
  G_OBJECT_CLASS (lc_record_run_parent_class)->finalize (object);
}

static void
lc_record_run_class_init (LcRecordRunClass *class)
{
  GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = lc_record_run_finalize;
  signals[PRINTED] =
      g_signal_new ("printed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ENDED] = g_signal_new ("ended", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_record_run_init (LcRecordRun *run)
{
  run->cancellable = g_cancellable_new ();
  run->rest = g_string_new (NULL);
}
