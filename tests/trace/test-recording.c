/* SPDX-License-Identifier: Apache-2.0 */
/* A recording from its directory to its end, with a program of the test's own in the place of the recorder. */
#include "lightcone/recording.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "maker.h"
#include "settings.h"

static const char *const command[] = {"/usr/bin/program", "an argument", "it's", "", "plain", NULL};

static char *
free_place (void)
{
  char *directory = maker_directory ();
  g_autofree char *streams = g_build_filename (directory, "ctf", NULL);

  g_assert_cmpint (g_rmdir (streams), ==, 0);
  return directory;
}

static gboolean
exists (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static LcRecordingSettings
plain_settings (void)
{
  LcRecordingSettings settings = LC_RECORDING_SETTINGS_INIT;

  settings.command = command;
  settings.clock = LC_RECORDING_CLOCK_MONOTONIC;
  return settings;
}

static LcRecording *
prepare (const char *directory, const LcRecordingSettings *settings)
{
  g_autoptr (GError) error = NULL;
  LcRecording *recording = lc_recording_prepare (directory, settings, &error);

  g_assert_no_error (error);
  return recording;
}

static void
assert_refused (const char *directory, const LcRecordingSettings *settings, gint code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_recording_prepare (directory, settings, &error));
  g_assert_error (error, LC_TRACE_ERROR, code);
  g_assert_true (g_str_has_prefix (error->message, directory));
}

static GKeyFile *
read_settings (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "trace.ini", NULL);
  GKeyFile *file = g_key_file_new ();
  g_autoptr (GError) error = NULL;

  g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  return file;
}

static void
assert_setting (GKeyFile *file, const char *group, const char *key, const char *expected)
{
  g_autofree char *value = g_key_file_get_string (file, group, key, NULL);

  g_assert_cmpstr (value, ==, expected);
}

/* --- Before ------------------------------------------------------------------------------------------------------- */

static void
test_prepare (void)
{
  char *place = free_place ();
  g_autofree char *directory = g_build_filename (place, "trace", NULL);
  static const char *const include[] = {"a*", "b", NULL};
  static const char *const exclude[] = {"c?", NULL};
  LcRecordingSettings settings = plain_settings ();
  g_autoptr (LcRecording) recording = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (GKeyFile) file = NULL;
  g_autoptr (LcTrace) trace = NULL;
  const struct lc_control *control;

  settings.include = include;
  settings.exclude = exclude;
  settings.classes = 1u << LC_CLASS_MUTEX;
  settings.function_depth = 3;
  settings.overhead_test = 1000;
  recording = prepare (directory, &settings);
  g_assert_cmpstr (lc_recording_get_directory (recording), ==, directory);
  bytes = maker_read (directory, ".control");
  control = (const struct lc_control *)(void *)bytes->data;
  g_assert_cmpuint (bytes->len, ==, sizeof *control + 8);
  g_assert_cmpmem (control->magic, 8, "LCCONTRL", 8);
  g_assert_cmpuint (control->version, ==, LC_CONTROL_VERSION);
  g_assert_cmpuint (control->clock, ==, LC_CLOCK_MONOTONIC);
  g_assert_cmpuint (control->frequency, ==, 1000000000);
  g_assert_cmpuint (control->classes, ==, 1u << LC_CLASS_MUTEX);
  g_assert_cmpuint (control->function_depth, ==, 3);
  g_assert_cmpuint (control->overhead_test, ==, 1000);
  g_assert_cmpmem (bytes->data + control->patterns_offset, control->include_length, "a*\0b\0", 5);
  g_assert_cmpmem (bytes->data + control->patterns_offset + 5, control->exclude_length, "c?\0", 3);
  file = read_settings (directory);
  assert_setting (file, "trace", "title", "program");
  assert_setting (file, "trace", "command", "/usr/bin/program 'an argument' 'it'\\''s' '' plain");
  assert_setting (file, "trace", "state", "recording");
  assert_setting (file, "trace", "clock", "monotonic");
  assert_setting (file, "overhead", "*", "0;0;1000");
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 0);
  g_assert_false (lc_recording_is_abandoned (directory));
  maker_remove (place);
}

static void
test_tsc (void)
{
  char *directory = free_place ();
  LcRecordingSettings settings = plain_settings ();
  g_autoptr (LcRecording) recording = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  const struct lc_control *control;

  settings.clock = LC_RECORDING_CLOCK_AUTO;
  recording = prepare (directory, &settings);
  bytes = maker_read (directory, ".control");
  control = (const struct lc_control *)(void *)bytes->data;
  g_assert_cmpuint (control->clock, ==, lc_recording_tsc_usable () ? LC_CLOCK_TSC : LC_CLOCK_MONOTONIC);
  g_assert_cmpuint (control->frequency, >, 1000000);
  g_assert_cmpuint (control->start, >, 0);
  maker_remove (directory);
}

static void
test_overhead (void)
{
  static const struct
  {
    const char *entry, *more;
  } entries[] = {
      {"0;0;35", "0;0;1035"},
      {"10;12;20.5", "10;12;1020.5"},
      {"1;2", NULL},
      {"1;2;x", NULL},
      {"", NULL},
      {"1;2;3;4", "1;2;1003;4"},
      {"1;2;3;4;5", NULL},
  };
  char *directory = free_place ();
  LcRecordingSettings settings = plain_settings ();
  g_autoptr (GKeyFile) calibration = g_key_file_new (), file = NULL;
  g_autoptr (LcRecording) recording = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      g_autofree char *more = lc_settings_add_overhead (entries[i].entry, 1000);

      g_assert_cmpstr (more, ==, entries[i].more);
    }
  g_key_file_set_string (calibration, "overhead", "await", "10;12;20");
  g_key_file_set_string (calibration, "overhead", "*", "0;0;35");
  g_key_file_set_string (calibration, "cost", "lock", "20;60");
  g_key_file_set_string (calibration, "machine", "name", "other");
  settings.calibration = calibration;
  settings.overhead_test = 1000;
  recording = prepare (directory, &settings);
  file = read_settings (directory);
  assert_setting (file, "overhead", "await", "10;12;1020");
  assert_setting (file, "overhead", "*", "0;0;1035");
  assert_setting (file, "cost", "lock", "20;60");
  g_assert_false (g_key_file_has_group (file, "machine"));
  maker_remove (directory);
}

/* --- What is in the way ----------------------------------------------------------------------------------------------
 */

static void
test_refused (void)
{
  char *directory = free_place ();
  g_autofree char *inner = g_build_filename (directory, "no", "parent", NULL);
  LcRecordingSettings settings = plain_settings ();
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_recording_prepare (inner, &settings, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  maker_write_text (directory, "letter.txt", "dear");
  assert_refused (directory, &settings, LC_TRACE_ERROR_EXISTS);
  settings.replace = TRUE;
  assert_refused (directory, &settings, LC_TRACE_ERROR_EXISTS);
  g_assert_true (exists (directory, "letter.txt"));
  g_assert_false (exists (directory, "ctf"));
  maker_remove (directory);
}

/* A trace is replaced only if there is nothing in it but a trace. */
static void
test_replace (void)
{
  char *directory = maker_sample ();
  g_autofree char *snapshots = g_build_filename (directory, "snapshots", NULL);
  LcRecordingSettings settings = plain_settings ();
  static const char *const strange[] = {"notes",         "process-1", "ctf/notes",     "ctf/trace.ini",
                                        "snapshots/one", "objects-x", "trace.ini.bak", "rules"};

  g_assert_cmpint (g_mkdir (snapshots, 0777), ==, 0);
  maker_write_text (directory, "snapshots/0", "");
  maker_write_text (directory, "heads-12", "");
  maker_write_text (directory, "packets-3", "");
  maker_write_text (directory, "symbols-0", "");
  maker_write_text (directory, "history.lightcone", "");
  maker_write_text (directory, "history.lightcone-wal", "");
  maker_write_text (directory, "ctf/metadata.A1b2C3", "");
  assert_refused (directory, &settings, LC_TRACE_ERROR_EXISTS);
  settings.replace = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (strange); i++)
    {
      g_autofree char *path = g_build_filename (directory, strange[i], NULL);

      maker_write_text (directory, strange[i], "");
      assert_refused (directory, &settings, LC_TRACE_ERROR_EXISTS);
      g_assert_true (exists (directory, "ctf/process-0"));
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  {
    g_autoptr (LcRecording) recording = prepare (directory, &settings);

    g_assert_nonnull (recording);
    g_assert_false (exists (directory, "ctf/process-0"));
    g_assert_false (exists (directory, "snapshots"));
    g_assert_false (exists (directory, "history.lightcone"));
    g_assert_true (exists (directory, ".control"));
    assert_refused (directory, &settings, LC_TRACE_ERROR_BUSY);
  }
  maker_remove (directory);
}

/* What a link leads to is not ours. */
static void
test_replace_links (void)
{
  char *directory = maker_sample (), *other = maker_sample ();
  g_autofree char *file = g_build_filename (directory, "objects-7", NULL);
  g_autofree char *target = g_build_filename (other, "objects-0", NULL);
  LcRecordingSettings settings = plain_settings ();

  settings.replace = TRUE;
  g_assert_cmpint (symlink (target, file), ==, 0);
  assert_refused (directory, &settings, LC_TRACE_ERROR_EXISTS);
  g_assert_true (exists (other, "objects-0"));
  maker_remove (directory);
  maker_remove (other);
}

static void
test_discard (void)
{
  char *place = free_place ();
  g_autofree char *directory = g_build_filename (place, "trace", NULL);
  LcRecordingSettings settings = plain_settings ();

  {
    g_autoptr (LcRecording) recording = prepare (directory, &settings);

    lc_recording_discard (recording);
  }
  g_assert_false (g_file_test (directory, G_FILE_TEST_EXISTS));
  {
    g_autoptr (LcRecording) recording = prepare (place, &settings);

    lc_recording_discard (recording);
  }
  g_assert_true (g_file_test (place, G_FILE_TEST_IS_DIR));
  maker_remove (place);
}

/* --- A program
 * -------------------------------------------------------------------------------------------------------- */

static guint64
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (guint64)time.tv_sec * 1000000000 + (guint64)time.tv_nsec;
}

static void *
map_file (const char *directory, const char *name, gsize size, int flags)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  int fd = open (path, O_RDWR | flags, 0666);
  void *bytes;

  if (fd < 0 || (flags && ftruncate (fd, (off_t)size) != 0))
    _exit (1);
  bytes = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close (fd);
  return bytes == MAP_FAILED ? NULL : bytes;
}

/* Writes a lock and begins another one, in a head, as the recorder would; then waits to be killed. */
static G_GNUC_NORETURN void
be_the_program (const char *directory, int ready)
{
  struct lc_control *control = map_file (directory, ".control", sizeof *control, 0);
  struct lc_packet *head = map_file (directory, "heads-0", LC_HEAD_BYTES, O_CREAT);
  struct lc_event_sync *event = (struct lc_event_sync *)(void *)(head + 1);

  memcpy (head->uuid, control->uuid, sizeof head->uuid);
  head->timestamp_begin = head->timestamp_end = now ();
  head->packet_size = sizeof *head * 8;
  head->process = __atomic_fetch_add (&control->next_process, 1, __ATOMIC_RELAXED);
  head->pid = head->thread = (guint32)getpid ();
  head->parent = LC_NO_PROCESS;
  head->format_version = LC_FORMAT_VERSION;
  strcpy (head->name, "program");
  *event = (struct lc_event_sync){.end = now (), .operation = LC_LOCK, .sequence_value = 1};
  head->content_size = (sizeof *head + sizeof *event) * 8;
  head->pending_operation = LC_LOCK;
  head->pending_begin = now ();
  head->magic = LC_CTF_MAGIC;
  control->lost[LC_LOST_FILE] = 3;
  alarm (60); /* should the test be killed */
  if (write (ready, "", 1) != 1)
    _exit (1);
  for (;;)
    pause ();
}

static pid_t
start_program (const char *directory)
{
  int ready[2];
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe (ready), ==, 0);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      g_autofree char *descriptor = g_strdup_printf ("%d", ready[1]);

      execl ("/proc/self/exe", "program", directory, descriptor, NULL);
      _exit (1);
    }
  close (ready[1]);
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  close (ready[0]);
  return pid;
}

static int
kill_program (pid_t pid)
{
  int status;

  kill (pid, SIGKILL);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  return status;
}

/* A program may write anything to its control block. */
static void
forget_frequency (const char *directory)
{
  struct lc_control *control = map_file (directory, ".control", sizeof *control, 0);

  control->frequency = 0;
  munmap (control, sizeof *control);
}

/* What a trace of that program must be, when it is closed. */
/* What the program above has lost, which no process of it counts. */
static void
assert_lost (LcTrace *trace, const char *file)
{
  g_autoptr (GArray) problems = lc_trace_list_problems (trace);
  gboolean found = FALSE;
  LcTraceLost lost;

  lc_trace_get_lost (trace, &lost);
  g_assert_cmpuint (lost.n, ==, 3);
  g_assert_cmpuint (lost.apart, ==, 3);
  g_assert_cmpuint (lost.by_reason[LC_LOST_FILE], ==, 3);
  for (guint i = 0; i < problems->len; i++)
    {
      const LcTraceProblem *problem = &g_array_index (problems, LcTraceProblem, i);

      found |= g_str_equal (problem->name, "events-lost") && g_str_equal (problem->file, file) &&
               strstr (problem->detail, "3 of them") != NULL && strstr (problem->detail, ": file 3") != NULL;
    }
  g_assert_true (found);
}

static void
check_open_trace (const char *directory)
{
  g_autoptr (LcTrace) trace = lc_trace_open (directory, NULL);

  g_assert_nonnull (trace);
  assert_lost (trace, ".control");
}

static void
check_trace (const char *directory, const char *state)
{
  g_autoptr (LcTrace) trace = lc_trace_open (directory, NULL);
  g_autoptr (GArray) events = NULL, problems = NULL;
  g_autoptr (GKeyFile) file = read_settings (directory);
  const LcTraceProcess *process;
  const LcTraceEvent *event;
  guint64 duration = g_key_file_get_uint64 (file, "trace", "duration", NULL);

  g_assert_nonnull (trace);
  assert_setting (file, "trace", "state", state);
  assert_setting (file, "trace", "processes", "1");
  assert_setting (file, "trace", "events", "1");
  assert_setting (file, "trace", "lost", "3");
  assert_setting (file, "lost", "file", "3");
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 1);
  process = lc_trace_get_process (trace, 0);
  g_assert_cmpint (process->state, ==, LC_STATE_CUT);
  g_assert_cmpuint (process->pending.operation, ==, LC_LOCK);
  g_assert_cmpuint (process->pending.begin, >=, process->end);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, 1);
  event = &g_array_index (events, LcTraceEvent, 0);
  g_assert_cmpuint (event->begin, >, 0);
  g_assert_cmpuint (event->end, <=, duration);
  g_assert_cmpuint (duration, <, G_GUINT64_CONSTANT (60000000000));
  g_assert_cmpint (lc_trace_get_start (trace), >, G_GINT64_CONSTANT (1700000000000000000));
  problems = lc_trace_list_problems (trace);
  g_assert_cmpuint (problems->len, ==, 1);
  assert_lost (trace, "trace.ini");
  g_assert_false (exists (directory, ".control"));
  g_assert_false (exists (directory, "heads-0"));
}

static void
test_killed (void)
{
  char *directory = free_place ();
  LcRecordingSettings settings = plain_settings ();
  g_autoptr (LcRecording) recording = prepare (directory, &settings);
  g_autoptr (GError) error = NULL;
  g_autoptr (GKeyFile) file = NULL;
  LcRecordingResult result;
  int status = kill_program (start_program (directory));

  check_open_trace (directory);
  forget_frequency (directory);
  g_assert_true (lc_recording_finish (recording, status, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (result.processes, ==, 1);
  g_assert_cmpuint (result.events, ==, 1);
  g_assert_cmpuint (result.running, ==, 0);
  g_assert_cmpuint (result.n_lost, ==, 3);
  g_assert_cmpuint (result.lost[LC_LOST_FILE], ==, 3);
  check_trace (directory, "ended");
  file = read_settings (directory);
  assert_setting (file, "trace", "status", "signal 9");
  maker_remove (directory);
}

/* A process that goes on when the program has ended keeps its head; later somebody closes it. */
static void
test_left_behind (void)
{
  char *directory = free_place ();
  LcRecordingSettings settings = plain_settings ();
  LcRecording *recording = prepare (directory, &settings);
  g_autoptr (GError) error = NULL;
  LcRecordingResult result;
  pid_t pid = start_program (directory);

  g_assert_true (lc_recording_finish (recording, 0, &result, &error));
  g_assert_cmpuint (result.running, ==, 1);
  g_assert_cmpuint (result.events, ==, 1);
  g_assert_true (exists (directory, "heads-0"));
  g_assert_false (lc_recording_is_abandoned (directory));
  lc_recording_free (recording);
  g_assert_true (lc_recording_is_abandoned (directory));
  g_assert_false (lc_recording_recover (directory, &result, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY);
  kill_program (pid);
  maker_remove (directory);
}

/* The recording was killed together with the program. */
static void
test_recover (void)
{
  char *directory = free_place ();
  LcRecordingSettings settings = plain_settings ();
  LcRecording *recording = prepare (directory, &settings);
  g_autoptr (GByteArray) control = maker_read (directory, ".control");
  g_autoptr (GError) error = NULL;
  LcRecordingResult result;

  kill_program (start_program (directory));
  g_assert_false (lc_recording_recover (directory, &result, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY);
  g_clear_error (&error);
  lc_recording_free (recording);
  g_assert_true (lc_recording_is_abandoned (directory));
  forget_frequency (directory);
  g_assert_false (lc_recording_recover (directory, &result, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED);
  g_clear_error (&error);
  ((struct lc_control *)(void *)control->data)->lost[LC_LOST_FILE] = 3;
  maker_write (directory, ".control", control->data, control->len);
  g_assert_true (lc_recording_recover (directory, &result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (result.events, ==, 1);
  check_trace (directory, "recovered");
  g_assert_false (lc_recording_is_abandoned (directory));
  g_assert_false (lc_recording_recover (directory, &result, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE);
  maker_remove (directory);
}

static void
test_damaged_control (void)
{
  char *directory = free_place ();
  LcRecordingSettings settings = plain_settings ();
  g_autoptr (GByteArray) control = NULL;

  lc_recording_free (prepare (directory, &settings));
  control = maker_read (directory, ".control");
  for (gsize size = 0; size <= control->len; size += size < 100 ? 1 : 100000)
    {
      g_autoptr (GError) error = NULL;
      LcRecordingResult result;

      maker_write (directory, ".control", control->data, size);
      g_assert_false (lc_recording_recover (directory, &result, &error));
      g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED);
      g_assert_nonnull (strstr (error->message, "/.control: "));
    }
  for (gsize i = 0; i < 24; i++)
    {
      g_autoptr (GError) error = NULL;
      LcRecordingResult result;

      control->data[i] ^= 0x80;
      maker_write (directory, ".control", control->data, control->len);
      control->data[i] ^= 0x80;
      if (i < 16)
        g_assert_false (lc_recording_recover (directory, &result, &error));
      else
        lc_recording_recover (directory, &result, &error);
    }
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[0], "program"))
    be_the_program (argv[1], atoi (argv[2]));
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording/prepare", test_prepare);
  g_test_add_func ("/recording/tsc", test_tsc);
  g_test_add_func ("/recording/overhead", test_overhead);
  g_test_add_func ("/recording/refused", test_refused);
  g_test_add_func ("/recording/replace", test_replace);
  g_test_add_func ("/recording/replace-links", test_replace_links);
  g_test_add_func ("/recording/discard", test_discard);
  g_test_add_func ("/recording/killed", test_killed);
  g_test_add_func ("/recording/left-behind", test_left_behind);
  g_test_add_func ("/recording/recover", test_recover);
  g_test_add_func ("/recording/damaged-control", test_damaged_control);
  return g_test_run ();
}
