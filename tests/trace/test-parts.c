/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of several hosts, read as one. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lightcone/recording.h"
#include "lightcone/snapshot.h"
#include "lightcone/trace.h"
#include "maker.h"

#define FIRST_LINE "%lightcone-events 1\n"

/* --- Making them -------------------------------------------------------------------------------------------------- */

static char *
make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("lightcone-parts-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

static void
write_file (const char *folder, const char *part, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, part, NULL), *file = g_build_filename (path, name, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_file_set_contents (file, text, -1, &error);
  g_assert_no_error (error);
}

static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      remove_all (inner);
    }
  g_remove (path);
}

static LcTrace *
open_trace (const char *folder)
{
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (folder, &error);

  g_assert_no_error (error);
  return trace;
}

/* "BEGIN-END OPERATION OBJECT:PEER" of each event. */
static char *
list_events (LcTrace *trace, guint32 process)
{
  g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (trace, process);
  GString *text = g_string_new (NULL);
  LcTraceBatch batch;

  while (lc_trace_cursor_next (cursor, &batch))
    for (gsize i = 0; i < batch.n_events; i++)
      {
        const LcTraceEvent *event = &batch.events[i];
        g_autofree char *object =
            event->object != LC_TRACE_NONE ? lc_trace_dup_object_name (trace, event->object) : g_strdup ("-");

        g_string_append_printf (text, "%s%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT " %s %s:%d",
                                text->len > 0 ? ", " : "", event->begin, event->end,
                                lc_trace_get_operation (trace, event->operation)->name, object, (int)event->peer);
      }
  return g_string_free (text, FALSE);
}

static void
assert_events (LcTrace *trace, guint32 process, const char *expected)
{
  g_autofree char *found = list_events (trace, process);

  g_assert_cmpstr (found, ==, expected);
}

/* "NAME FILE" of each problem. */
static char *
list_problems (LcTrace *trace)
{
  g_autoptr (GArray) problems = lc_trace_list_problems (trace);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < problems->len; i++)
    {
      const LcTraceProblem *problem = &g_array_index (problems, LcTraceProblem, i);

      g_string_append_printf (text, "%s%s %s %" G_GUINT64_FORMAT, i > 0 ? ", " : "", problem->name, problem->file,
                              problem->where);
    }
  return g_string_free (text, FALSE);
}

static void
assert_problems (LcTrace *trace, const char *expected)
{
  g_autofree char *found = list_problems (trace);

  g_assert_cmpstr (found, ==, expected);
}

/* Clocks that agree. */
#define REFERENCE "[clock]\nreference=true\nsample-1=0;0;0\n"
#define AGREES "[clock]\nsample-1=0;0;0\n"

/* --- What there is ------------------------------------------------------------------------------------------------ */

static void
test_one_trace (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (LcTrace) trace = NULL;

  write_file (folder, "", "trace.ini", "[trace]\ntitle=both\n");
  write_file (folder, "host-a", "trace.ini", "[trace]\ntitle=a\n" REFERENCE "[cost]\nlock=7\n");
  write_file (folder, "host-a", "rank-0.events", FIRST_LINE "0 10 send 0>1:7 0 bytes=4 to=1\n20 30 lock m 0\n");
  write_file (folder, "host-b", "trace.ini", AGREES);
  write_file (folder, "host-b", "rank-1.events", FIRST_LINE "5 40 recv 0>1:7 0 bytes=4 from=0\n50 60 lock m 0\n");
  trace = open_trace (folder);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 2);
  g_assert_cmpstr (lc_trace_get_format (trace), ==, "text");
  g_assert_cmpstr (lc_trace_get_process (trace, 0)->name, ==, "rank-0");
  g_assert_cmpstr (lc_trace_get_process (trace, 0)->host, ==, "a");
  g_assert_cmpstr (lc_trace_get_process (trace, 1)->host, ==, "b");
  g_assert_cmpstr (lc_trace_get_process (trace, 1)->file, ==, "host-b/rank-1.events");
  g_assert_cmpuint (lc_trace_count_events (trace, 1), ==, 2);
  /* A channel is the same one everywhere; a mutex is in one host's memory. */
  g_assert_cmpuint (lc_trace_get_n_objects (trace), ==, 3);
  assert_events (trace, 0, "0-10 send 0>1:7:1, 20-30 lock m 1:-1");
  assert_events (trace, 1, "5-40 recv 0>1:7:0, 50-60 lock m 2:-1");
  g_assert_cmpint (g_key_file_get_integer (lc_trace_get_settings (trace), "cost", "lock", NULL), ==, 7);
  {
    g_autofree char *title = g_key_file_get_string (lc_trace_get_settings (trace), "trace", "title", NULL);

    g_assert_cmpstr (title, ==, "both");
  }
  assert_problems (trace, "");
  remove_all (folder);
}

static void
test_order_of_hosts (void)
{
  static const char *const hosts[] = {"host-n10", "host-n9", "host-n1"};
  g_autofree char *folder = make_folder ();
  g_autoptr (LcTrace) trace = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (hosts); i++)
    {
      write_file (folder, hosts[i], "trace.ini", AGREES);
      write_file (folder, hosts[i], "p.events", FIRST_LINE "0 1 tag value=1\n2 3 frobnicate x 1\n");
    }
  trace = open_trace (folder);
  g_assert_cmpstr (lc_trace_get_process (trace, 0)->host, ==, "n1");
  g_assert_cmpstr (lc_trace_get_process (trace, 1)->host, ==, "n9");
  g_assert_cmpstr (lc_trace_get_process (trace, 2)->host, ==, "n10");
  g_assert_cmpstr (lc_trace_get_process (trace, 2)->name, ==, "p 2");
  /* An operation that only the rules know is the same one in all parts. */
  assert_events (trace, 2, "0-1 tag -:-1, 2-3 frobnicate x 3:-1");
  g_assert_cmpuint (lc_trace_get_n_operations (trace), ==, LC_OPERATION_END + 1);
  remove_all (folder);
}

/* --- Clocks ------------------------------------------------------------------------------------------------------- */

/* Absences are on the whole's clock, as events are. */
static void
test_absences (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (LcAbsences) absences = NULL;
  g_autoptr (LcTrace) trace = NULL;
  LcAbsence next[4];

  write_file (folder, "host-a", "trace.ini", REFERENCE);
  write_file (folder, "host-a", "0.events", FIRST_LINE "0 10 tag\n");
  write_file (folder, "host-b", "trace.ini", "[clock]\nsample-1=1000;5000;0\n");
  write_file (folder, "host-b", "0.events", FIRST_LINE "1000 2000 tag\n%absent 1100 1200 blocked\n");
  trace = open_trace (folder);
  g_assert_null (lc_trace_open_absences (trace, 0, NULL));
  absences = lc_trace_open_absences (trace, 1, NULL);
  g_assert_nonnull (absences);
  g_assert_cmpint (lc_absences_next (absences, next, G_N_ELEMENTS (next), NULL), ==, 1);
  g_assert_cmpint (next[0].begin, ==, 5100);
  g_assert_cmpint (next[0].end, ==, 5200);
  g_assert_cmpint (next[0].kind, ==, LC_ABSENCE_BLOCKED);
  g_assert_cmpint (lc_absences_next (absences, next, G_N_ELEMENTS (next), NULL), ==, 0);
  g_clear_pointer (&absences, lc_absences_close);
  g_clear_pointer (&trace, lc_trace_free);
  remove_all (folder);
}

/* b's clock shows 1000 when the reference's shows 5000, and loses 1 ns in 10. */
static void
test_offset_and_drift (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (LcTrace) trace = NULL;

  write_file (folder, "host-a", "trace.ini", REFERENCE);
  write_file (folder, "host-a", "p.events", FIRST_LINE "0 10 tag value=1\n5000 16000 tag value=2\n");
  write_file (folder, "host-b", "trace.ini", "[clock]\nsample-1=1000;5000;3\nsample-2=7;8\nsample-3=10000;15000;2\n");
  write_file (folder, "host-b", "p.events",
              FIRST_LINE "100 1000 tag value=1\n1009 10000 tag value=2\n"
                         "10900 10900 tag value=3\n");
  trace = open_trace (folder);
  assert_events (trace, 0, "0-10 tag -:-1, 5000-16000 tag -:-1");
  assert_events (trace, 1, "4000-5000 tag -:-1, 5010-15000 tag -:-1, 16000-16000 tag -:-1");
  g_assert_cmpuint (lc_trace_get_process (trace, 1)->begin, ==, 4000);
  g_assert_cmpuint (lc_trace_get_process (trace, 1)->end, ==, 16000);
  assert_problems (trace, "bad-clock-sample host-b/trace.ini 2");
  remove_all (folder);
}

/* A drift that is no larger than the error of the samples is none: b is 100 earlier, then 102. */
static void
test_drift_within_the_error (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (LcTrace) trace = NULL;

  write_file (folder, "host-a", "trace.ini", REFERENCE);
  write_file (folder, "host-a", "p.events", FIRST_LINE "0 10 tag value=1\n");
  write_file (folder, "host-b", "trace.ini", "[clock]\nsample-1=0;100;1\nsample-2=10;112;1\n");
  write_file (folder, "host-b", "p.events", FIRST_LINE "0 1000 tag value=1\n");
  trace = open_trace (folder);
  assert_events (trace, 1, "101-1101 tag -:-1");
  remove_all (folder);
}

/* Time begins with the part that began first. */
static void
test_earlier_part (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (LcTrace) trace = NULL;

  write_file (folder, "host-a", "trace.ini", REFERENCE);
  write_file (folder, "host-a", "p.events", FIRST_LINE "0 10 tag value=1\n");
  write_file (folder, "host-b", "trace.ini", "[clock]\nsample-1=700;200;0\n");
  write_file (folder, "host-b", "p.events", FIRST_LINE "0 1000 tag value=1\n");
  trace = open_trace (folder);
  assert_events (trace, 0, "500-510 tag -:-1");
  assert_events (trace, 1, "0-1000 tag -:-1");
  remove_all (folder);
}

/* Parts of one machine need no samples; others without are a guess. */
static void
test_without_samples (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (LcTrace) trace = NULL;

  write_file (folder, "host-a", "trace.ini", "[trace]\nclock_boot=x\nclock_monotonic=1000\n");
  write_file (folder, "host-a", "p.events", FIRST_LINE "0 10 tag value=1\n");
  write_file (folder, "host-b", "trace.ini", "[trace]\nclock_boot=x\nclock_monotonic=1300\n");
  write_file (folder, "host-b", "p.events", FIRST_LINE "0 10 tag value=1\n");
  write_file (folder, "host-c", "trace.ini", "[trace]\nclock_boot=y\nclock_monotonic=1300\n");
  write_file (folder, "host-c", "p.events", FIRST_LINE "0 10 tag value=1\n");
  trace = open_trace (folder);
  assert_events (trace, 1, "300-310 tag -:-1");
  assert_events (trace, 2, "0-10 tag -:-1");
  assert_problems (trace, "clock-not-aligned host-c/trace.ini 0");
  remove_all (folder);
}

/* Whatever the samples say, events do not overlap and are in order. */
static void
test_order_is_kept (void)
{
  static const char *const samples[] = {"sample-1=1000;5000;0\nsample-2=1001;9000;0\n",
                                        "sample-1=0;9223372036854775807;0\n", "sample-1=18446744073709551615;0;0\n",
                                        "sample-1=9;7;0\nsample-2=3;8;0\n", "sample-1=0;0;0\nsample-2=1000;501;0\n"};

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *folder = make_folder (), *settings = g_strconcat ("[clock]\n", samples[i], NULL);
      g_autoptr (LcTrace) trace = NULL;
      g_autoptr (LcTraceCursor) cursor = NULL;
      LcTraceBatch batch;
      guint64 last = 0;

      write_file (folder, "host-a", "trace.ini", REFERENCE);
      write_file (folder, "host-a", "p.events", FIRST_LINE "0 10 tag value=1\n");
      write_file (folder, "host-b", "trace.ini", settings);
      write_file (folder, "host-b", "p.events",
                  FIRST_LINE
                  "0 1 tag value=1\n1 2 tag value=1\n3 3 tag value=1\n4000 9000000000000000000 tag value=1\n");
      trace = open_trace (folder);
      cursor = lc_trace_cursor_open (trace, 1);
      while (lc_trace_cursor_next (cursor, &batch))
        for (gsize j = 0; j < batch.n_events; j++)
          {
            g_assert_cmpuint (batch.events[j].begin, >=, last);
            g_assert_cmpuint (batch.events[j].end, >=, batch.events[j].begin);
            last = batch.events[j].end;
          }
      remove_all (folder);
    }
}

/* --- Binary parts ------------------------------------------------------------------------------------------------- */

/* One rank, with a thread that has no event of its own, and a message from rank 1 to rank 0. */
static void
write_rank (const char *folder, const char *part, guint32 rank)
{
  g_autofree char *path = g_build_filename (folder, part, NULL), *streams = g_build_filename (path, "ctf", NULL);
  g_autoptr (Maker) maker = maker_new (0), thread = maker_new (1);
  g_autoptr (GByteArray) objects = maker_objects (0);
  guint32 mutex, channel;

  g_assert_cmpint (g_mkdir_with_parents (streams, 0700), ==, 0);
  mutex = maker_object (objects, LC_CLASS_MUTEX, "m", 0, 0);
  channel = maker_mpi_object (objects, LC_CLASS_CHANNEL, "1>0:7", LC_CHANNEL_ENDS (1, 0));
  maker_rank (objects, rank, 2, MAKER_START + 5);
  maker_write_metadata (path);
  maker_sync (maker, LC_LOCK, mutex, 0, 0, 10, 20, 0);
  maker_message (maker, rank == 1 ? LC_SEND : LC_RECV, channel, 0, 4, 30, 40);
  maker_sync (maker, LC_CREATE, 1, 0, 0, 50, 60, 0);
  maker_finish (maker, path);
  maker_finish (thread, path);
  maker_write (path, "objects-0", objects->data, objects->len);
}

/* Ranks come first, by their number, wherever they were. */
static void
test_ranks (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (LcTrace) trace = NULL;

  write_rank (folder, "host-a", 1);
  write_rank (folder, "host-b", 0);
  write_file (folder, "host-a", "trace.ini", "[clock]\nreference=true\nsample-1=1000;0;0\n");
  write_file (folder, "host-b", "trace.ini", "[clock]\nsample-1=1000;100;0\n");
  write_file (folder, "host-c", "trace.ini", AGREES);
  write_file (folder, "host-c", "other.events", FIRST_LINE "0 1 tag value=1\n");
  trace = open_trace (folder);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 5);
  g_assert_cmpstr (lc_trace_get_process (trace, 0)->host, ==, "b");
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->rank, ==, 0);
  g_assert_cmpuint (lc_trace_get_process (trace, 2)->rank, ==, 1);
  g_assert_cmpuint (lc_trace_get_process (trace, 4)->rank, ==, LC_TRACE_NONE);
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->ready, ==, 105);
  g_assert_cmpuint (lc_trace_get_ready (trace), ==, 5);
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->instance, !=, lc_trace_get_process (trace, 2)->instance);
  {
    g_autofree char *thread = lc_trace_dup_object_name (trace, 1);
    g_autofree char *expected0 = g_strdup_printf ("110-120 lock m 2:-1, 130-140 recv 1>0:7:2, 150-160 create %s:-1",
                                                  lc_trace_get_process (trace, 1)->name);
    g_autofree char *expected2 = g_strdup_printf ("10-20 lock m 1:-1, 30-40 send 1>0:7:0, 50-60 create %s:-1",
                                                  lc_trace_get_process (trace, 3)->name);

    g_assert_cmpstr (thread, ==, lc_trace_get_process (trace, 1)->name);
    assert_events (trace, 0, expected0);
    assert_events (trace, 2, expected2);
  }
  remove_all (folder);
}

/* --- What a recording leaves for it ------------------------------------------------------------------------------- */

/* As the ranks' recorders do. */
static void
tell_control (const char *directory, guint n_samples, guint64 error)
{
  g_autofree char *path = g_build_filename (directory, ".control", NULL);
  int fd = open (path, O_RDWR | O_CLOEXEC);
  struct lc_control *control;

  g_assert_cmpint (fd, >=, 0);
  control = mmap (NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  g_assert_true (control != MAP_FAILED);
  for (guint i = 0; i < n_samples; i++)
    control->clock_samples[i] = (struct lc_clock_sample){100 + i, 200 + i, error};
  control->n_clock_samples = n_samples;
  g_strlcpy (control->topology, "torus:2x2", sizeof control->topology);
  munmap (control, sizeof *control);
  close (fd);
}

static GKeyFile *
record_and_close (guint n_samples, guint64 error_of_samples)
{
  const char *const command[] = {"program", NULL};
  LcRecordingSettings settings = LC_RECORDING_SETTINGS_INIT;
  g_autofree char *folder = make_folder (), *path = g_build_filename (folder, "t", "trace.ini", NULL);
  g_autofree char *directory = g_build_filename (folder, "t", NULL);
  g_autoptr (LcRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  GKeyFile *file = g_key_file_new ();
  LcRecordingResult result;

  settings.command = command;
  recording = lc_recording_prepare (directory, &settings, &error);
  g_assert_no_error (error);
  tell_control (directory, n_samples, error_of_samples);
  lc_recording_finish (recording, 0, &result, &error);
  g_assert_no_error (error);
  g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  remove_all (folder);
  return file;
}

static void
test_closing (void)
{
  g_autoptr (GKeyFile) other = record_and_close (2, 7), reference = record_and_close (1, 0);
  g_autoptr (GKeyFile) alone = record_and_close (0, 0);
  g_autofree char *second = g_key_file_get_string (other, "clock", "sample-2", NULL);
  g_autofree char *topology = g_key_file_get_string (other, "communication", "topology", NULL);

  g_assert_cmpstr (second, ==, "101;201;7");
  g_assert_cmpstr (topology, ==, "torus:2x2");
  g_assert_false (g_key_file_has_key (other, "clock", "reference", NULL));
  g_assert_false (g_key_file_has_key (other, "clock", "sample-3", NULL));
  g_assert_true (g_key_file_get_boolean (reference, "clock", "reference", NULL));
  g_assert_false (g_key_file_has_group (alone, "clock"));
}

/* --- Where time begins -------------------------------------------------------------------------------------------- */

/* Adds a recorded part of one process, which began at `begin` and locked something 100 ns later, by its own clock. */
static void
add_late_part (const char *folder, const char *name, guint64 begin, const char *settings)
{
  char *directory = maker_directory ();
  g_autofree char *part = g_build_filename (folder, name, NULL);
  g_autoptr (Maker) maker = maker_new (0);

  maker_write_metadata (directory);
  maker_header (maker)->timestamp_begin = MAKER_START + begin;
  maker_sync (maker, LC_LOCK, 0, 1, 0, begin + 100, begin + 110, 0);
  maker_finish (maker, directory);
  maker_write_text (directory, "trace.ini", settings);
  g_assert_cmpint (g_rename (directory, part), ==, 0);
  g_free (directory);
}

/* Time 0 is where the first of all processes begins, which is not that of the first recording. Samples of clocks stay
 * what they are: the clock of host-b is 1000 ns behind. */
static void
test_origin (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (LcTrace) trace = NULL;

  add_late_part (folder, "host-a", 5000, REFERENCE "sample-2=1000;0;0\n");
  add_late_part (folder, "host-b", 2000, "[clock]\nsample-1=1000;1000;0\n");
  trace = open_trace (folder);
  assert_events (trace, 0, "2100-2110 lock -:-1");
  assert_events (trace, 1, "100-110 lock -:-1");
  g_assert_cmpint (lc_trace_get_start (trace), ==, MAKER_EPOCH + 3000);
  remove_all (folder);
}

/* --- Damage ------------------------------------------------------------------------------------------------------- */

static void
test_damaged_parts (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (LcTrace) trace = NULL;

  write_file (folder, "host-a", "trace.ini", REFERENCE);
  write_file (folder, "host-a", "p.events", FIRST_LINE "0 10 tag value=1\n20 30 send 0>9:1 0 to=9\nnonsense\n");
  write_file (folder, "host-empty", "notes", "");
  write_file (folder, "host-odd/host-inner", "p.events", FIRST_LINE "0 10 tag value=1\n");
  write_file (folder, "host-wrong", "p.events", "something else\n");
  trace = open_trace (folder);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 1);
  assert_events (trace, 0, "0-10 tag -:-1, 20-30 send 0>9:1:-1");
  assert_problems (trace, "text-peer host-a/p.events 3, text-time host-a/p.events 4, part-unreadable host-empty 0, "
                          "part-unreadable host-odd 0, part-unreadable host-wrong 0");
  remove_all (folder);
}

static void
test_no_part_readable (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (GError) error = NULL;

  write_file (folder, "host-empty", "notes", "");
  g_assert_null (lc_trace_open (folder, &error));
  g_assert_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE);
  g_assert_nonnull (g_strstr_len (error->message, -1, "no part of it can be read"));
  remove_all (folder);
}

/* --- Snapshots ---------------------------------------------------------------------------------------------------- */

static void
write_snapshot (const char *folder, const char *part, double value)
{
  const struct lc_snapshot_header header = {
      .magic = "LCMATRIX", .version = LC_SNAPSHOT_VERSION, .rows = 1, .columns = 1};
  g_autofree char *path = g_build_filename (folder, part, "snapshots", NULL),
                  *file = g_build_filename (path, "0", NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *)&header, sizeof header);
  g_byte_array_append (bytes, (const guint8 *)&value, sizeof value);
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, (const char *)bytes->data, (gssize)bytes->len, NULL));
}

static void
test_snapshots (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) numbers = NULL;
  LcSnapshot *snapshot;

  write_file (folder, "host-a", "p.events", FIRST_LINE "0 1 snapshot m 0\n");
  write_file (folder, "host-b", "p.events", FIRST_LINE "0 1 snapshot m 0\n");
  write_snapshot (folder, "host-a", 1);
  write_snapshot (folder, "host-b", 2);
  trace = open_trace (folder);
  numbers = lc_snapshot_list (folder, NULL);
  g_assert_cmpuint (numbers->len, ==, 2);
  for (guint32 i = 0; i < 2; i++)
    {
      g_autoptr (LcTraceCursor) cursor = lc_trace_cursor_open (trace, i);
      LcTraceBatch batch;

      g_assert_true (lc_trace_cursor_next (cursor, &batch));
      g_assert_cmpint (batch.events[0].sequence, ==, i);
      g_assert_cmpuint (g_array_index (numbers, guint64, i), ==, i);
      snapshot = lc_snapshot_read (folder, i, NULL);
      g_assert_nonnull (snapshot);
      g_assert_cmpfloat (snapshot->values[0], ==, i + 1);
      lc_snapshot_free (snapshot);
    }
  remove_all (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parts/absences", test_absences);
  g_test_add_func ("/parts/one-trace", test_one_trace);
  g_test_add_func ("/parts/order-of-hosts", test_order_of_hosts);
  g_test_add_func ("/parts/offset-and-drift", test_offset_and_drift);
  g_test_add_func ("/parts/drift-within-the-error", test_drift_within_the_error);
  g_test_add_func ("/parts/earlier-part", test_earlier_part);
  g_test_add_func ("/parts/without-samples", test_without_samples);
  g_test_add_func ("/parts/order-is-kept", test_order_is_kept);
  g_test_add_func ("/parts/ranks", test_ranks);
  g_test_add_func ("/parts/closing", test_closing);
  g_test_add_func ("/parts/origin", test_origin);
  g_test_add_func ("/parts/damaged-parts", test_damaged_parts);
  g_test_add_func ("/parts/no-part-readable", test_no_part_readable);
  g_test_add_func ("/parts/snapshots", test_snapshots);
  return g_test_run ();
}
