/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged binary traces: what can be read is read, what is wrong has a name and a place, and nothing crashes. */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "maker.h"
#include "settings-text.h"
#include "../history/random-trials.h"

/* A trace of process 0 with these bytes as its stream; opens it, reads it, and returns what was wrong. */
typedef struct
{
  char *directory;
  LcTrace *trace;
  GArray *events;
  GArray *problems;
} Result;

static Result
read_stream_with (const guint8 *bytes, gsize size, const char *settings)
{
  Result result = {.directory = maker_directory ()};
  g_autoptr (GError) error = NULL;

  maker_write_metadata (result.directory);
  if (settings != NULL)
    maker_write_text (result.directory, "trace.ini", settings);
  maker_write (result.directory, "ctf/process-0", bytes, size);
  result.trace = lc_trace_open (result.directory, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lc_trace_get_n_processes (result.trace), ==, 1);
  result.events = maker_events (result.trace, 0);
  result.problems = lc_trace_list_problems (result.trace);
  return result;
}

static Result
read_stream (const guint8 *bytes, gsize size)
{
  return read_stream_with (bytes, size, NULL);
}

static Result
read_maker (Maker *maker)
{
  return read_stream (maker->bytes->data, maker->bytes->len);
}

static void
clear (Result *result)
{
  g_array_unref (result->problems);
  g_array_unref (result->events);
  lc_trace_free (result->trace);
  maker_remove (result->directory);
}

static void
assert_problem (const Result *result, const char *name, guint64 where, guint64 count)
{
  const LcTraceProblem *problem = maker_problem (result->problems, name, "ctf/process-0");

  if (problem == NULL)
    g_error ("there is no problem %s", name);
  g_assert_cmpuint (problem->where, ==, where);
  g_assert_cmpuint (problem->count, ==, count);
  g_assert_false (problem->is_line);
}

static const gsize header_size = sizeof (struct lc_packet);

/* Three packets of two events. */
static Maker *
three_packets (void)
{
  Maker *maker = maker_new (0);

  for (guint i = 0; i < 6; i++)
    {
      if (i == 2 || i == 4)
        maker_packet (maker);
      if (i % 2)
        maker_mark (maker, LC_TAG, i, 20 + 10 * i);
      else
        maker_sync (maker, LC_AWAIT, 0, i, 0, 15 + 10 * i, 20 + 10 * i, 0);
    }
  return maker;
}

/* Where each event of three_packets ends. */
static guint
events_before (gsize size)
{
  const gsize packet = header_size + sizeof (struct lc_event_sync) + sizeof (struct lc_event_tag);
  gsize in_packet = size % packet;
  guint count = (guint)(size / packet) * 2;

  if (in_packet >= header_size + sizeof (struct lc_event_sync))
    count++;
  return count;
}

static void
test_truncation (void)
{
  g_autoptr (Maker) maker = three_packets ();
  const gsize packet = maker->bytes->len / 3;

  for (gsize size = 1; size < maker->bytes->len; size++)
    {
      Result result = read_stream (maker->bytes->data, size);

      g_assert_cmpuint (result.events->len, ==, events_before (size));
      if (size % packet != 0)
        g_assert_nonnull (maker_problem (result.problems, "truncated-packet", "ctf/process-0"));
      else
        g_assert_nonnull (maker_problem (result.problems, "stream-open", "ctf/process-0"));
      clear (&result);
    }
}

static void
test_empty_file (void)
{
  Result result = read_stream ((const guint8 *)"", 0);

  assert_problem (&result, "stream-empty", 0, 1);
  g_assert_cmpstr (lc_trace_get_process (result.trace, 0)->name, ==, "process 0");
  clear (&result);
}

/* A packet whose magic is gone is lost; the next one is found. */
static void
test_bad_magic (void)
{
  g_autoptr (Maker) maker = three_packets ();
  const gsize packet = maker->bytes->len / 3;
  Result result;

  maker->bytes->data[packet] ^= 1;
  result = read_maker (maker);
  g_assert_cmpuint (result.events->len, ==, 4);
  g_assert_cmpint (g_array_index (result.events, LcTraceEvent, 3).value, ==, 5);
  assert_problem (&result, "bad-packet", packet, 1);
  assert_problem (&result, "packet-order", 2 * packet, 1);
  assert_problem (&result, "ordinal-gap", 2 * packet, 1);
  clear (&result);
}

static void
test_foreign_packet (void)
{
  g_autoptr (Maker) maker = three_packets ();
  const gsize packet = maker->bytes->len / 3;
  Result result;

  maker->bytes->data[packet + 10] ^= 1;
  result = read_maker (maker);
  g_assert_cmpuint (result.events->len, ==, 4);
  assert_problem (&result, "foreign-packet", packet, 1);
  clear (&result);
}

static void
test_later_version (void)
{
  g_autoptr (Maker) maker = three_packets ();
  Result result;

  maker_header (maker)->format_version = LC_FORMAT_VERSION + 1;
  result = read_maker (maker);
  g_assert_cmpuint (result.events->len, ==, 4);
  assert_problem (&result, "packet-version", maker->packet, 1);
  clear (&result);
}

static void
test_packet_sizes (void)
{
  static const guint64 sizes[] = {0, 8, 271 * 8, 272 * 8 - 1, G_MAXUINT64, G_GUINT64_CONSTANT (1) << 63};

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (Maker) maker = three_packets ();
      struct lc_packet *header = maker_header (maker);
      Result result;

      if (i % 2)
        header->content_size = sizes[i / 2];
      else
        header->packet_size = sizes[i / 2];
      result = read_maker (maker);
      g_assert_cmpuint (result.events->len, >=, 4);
      g_assert_true (maker_problem (result.problems, "bad-packet-size", NULL) != NULL ||
                     maker_problem (result.problems, "truncated-packet", NULL) != NULL);
      clear (&result);
    }
}

static void
test_unknown_operation (void)
{
  g_autoptr (Maker) maker = three_packets ();
  const gsize packet = maker->bytes->len / 3, place = packet + header_size;
  Result result;

  maker->bytes->data[place + 8] = 99;
  maker->bytes->data[place + 9] = 1;
  result = read_maker (maker);
  g_assert_cmpuint (result.events->len, ==, 4);
  assert_problem (&result, "unknown-operation", place, 1);
  assert_problem (&result, "ordinal-gap", 2 * packet, 1);
  clear (&result);
}

static void
test_truncated_event (void)
{
  g_autoptr (Maker) maker = three_packets ();
  Result result;

  maker_header (maker)->content_size -= 32 * 8;
  result = read_maker (maker);
  g_assert_cmpuint (result.events->len, ==, 4);
  assert_problem (&result, "truncated-event", maker->packet + header_size, 1);
  clear (&result);
}

static void
test_times (void)
{
  g_autoptr (Maker) maker = maker_new (0);
  const LcTraceEvent *events;
  Result result;

  maker_sync (maker, LC_AWAIT, 0, 1, 0, 100, 200, 0);
  maker_sync (maker, LC_AWAIT, 0, 2, 0, 150, 250, 0);
  maker_mark (maker, LC_TAG, 1, 30);
  maker_sync (maker, LC_AWAIT, 0, 3, 0, 300, 350, 0);
  result = read_maker (maker);
  events = (const LcTraceEvent *)(void *)result.events->data;
  g_assert_cmpuint (events[1].begin, ==, 200);
  g_assert_cmpuint (events[1].end, ==, 250);
  g_assert_cmpuint (events[2].begin, ==, 250);
  g_assert_cmpuint (events[2].end, ==, 250);
  g_assert_cmpuint (events[3].begin, ==, 300);
  assert_problem (&result, "time-backwards", header_size + sizeof (struct lc_event_sync), 2);
  clear (&result);
}

/* Events of many are longer than all others: one that is cut is none. */
static void
test_cut_collective (void)
{
  const gsize size = sizeof (struct lc_event_collective);

  for (gsize cut = 0; cut <= 2 * size; cut++)
    {
      g_autoptr (Maker) maker = maker_new (0);
      Result result;

      maker_collective (maker, LC_ALL_REDUCE, 0, 1, 2, 4096, 100, 200);
      maker_collective (maker, LC_ALL_REDUCE, 0, 2, 2, 4096, 300, 400);
      g_byte_array_set_size (maker->bytes, (guint)(header_size + cut));
      maker_header (maker)->content_size = maker_header (maker)->packet_size = (header_size + cut) * 8;
      result = read_maker (maker);
      g_assert_cmpuint (result.events->len, ==, cut / size);
      g_assert_cmpint (maker_problem (result.problems, "truncated-event", NULL) != NULL, ==, cut % size != 0);
      for (guint i = 0; i < result.events->len; i++)
        g_assert_cmpuint (g_array_index (result.events, LcTraceEvent, i).bytes, ==, 4096);
      clear (&result);
    }
}

/* A duration that reaches back before the recording, or before time itself. */
static void
test_time_before_start (void)
{
  g_autoptr (Maker) maker = maker_new (0);
  struct lc_event_sync *event;
  Result result;

  maker_sync (maker, LC_AWAIT, 0, 1, 0, 100, 200, 0);
  maker_sync (maker, LC_AWAIT, 0, 1, 0, 300, 400, 0);
  event = (struct lc_event_sync *)(void *)(maker->bytes->data + header_size);
  event[0].duration = MAKER_START;
  event[1].duration = (UINT64_C (1) << 56) - 1;
  result = read_maker (maker);
  g_assert_cmpuint (g_array_index (result.events, LcTraceEvent, 0).begin, ==, 0);
  g_assert_cmpuint (g_array_index (result.events, LcTraceEvent, 0).end, ==, 200);
  g_assert_cmpuint (g_array_index (result.events, LcTraceEvent, 1).begin, ==, 200);
  g_assert_cmpuint (g_array_index (result.events, LcTraceEvent, 1).end, ==, 400);
  assert_problem (&result, "time-before-start", header_size, 2);
  clear (&result);
}

/* Counting is by kind and file, and reading again counts nothing twice. */
static void
test_unknown_objects (void)
{
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (GArray) again = NULL, problems = NULL;
  Result result;

  for (guint i = 0; i < 10; i++)
    {
      maker_sync (maker, LC_LOCK, i < 4 ? 0 : 50 + i, i, 0, 100 + 10 * i, 100 + 10 * i, 0);
      maker_sync (maker, LC_LOCK, LC_OBJECT_SHARED | 2, i, 0, 105 + 10 * i, 105 + 10 * i, 0);
    }
  maker_sync (maker, LC_CREATE, 7, 0, 0, 400, 400, 0);
  maker_sync (maker, LC_JOIN, LC_NO_PROCESS, 0, 0, 500, 500, 0);
  result = read_maker (maker);
  again = maker_events (result.trace, 0);
  problems = lc_trace_list_problems (result.trace);
  g_assert_cmpuint (problems->len, ==, 2);
  assert_problem (&result, "object-unknown", header_size + sizeof (struct lc_event_sync), 16);
  assert_problem (&result, "process-unknown", header_size + 20 * sizeof (struct lc_event_sync), 1);
  clear (&result);
}

static void
test_lost (void)
{
  g_autoptr (Maker) maker = three_packets ();
  LcTraceLost lost;
  Result result;

  maker_header (maker)->events_discarded = 12;
  maker_header (maker)->lost[LC_LOST_DISK] = 12;
  result = read_maker (maker);
  assert_problem (&result, "events-lost", maker->packet, 1);
  g_assert_cmpuint (lc_trace_get_process (result.trace, 0)->n_lost, ==, 12);
  lc_trace_get_lost (result.trace, &lost);
  g_assert_cmpuint (lost.n, ==, 12);
  g_assert_cmpuint (lost.apart, ==, 0);
  clear (&result);
}

/* What trace.ini says is all of it: what the processes have counted, and the rest. */
static void
test_lost_apart (void)
{
  static const char settings[] = "[trace]\nlost=20\n[lost]\ndisk=15\nfile=1\nlater=4\n";
  g_autoptr (Maker) maker = three_packets ();
  g_autoptr (LcTrace) trace = NULL;
  LcTraceLost lost;
  Result result;

  maker_header (maker)->events_discarded = 12;
  maker_header (maker)->lost[LC_LOST_DISK] = 12;
  result = read_maker (maker);
  maker_write (result.directory, "trace.ini", settings, strlen (settings));
  trace = lc_trace_open (result.directory, NULL);
  lc_trace_get_lost (trace, &lost);
  g_assert_cmpuint (lost.n, ==, 20);
  g_assert_cmpuint (lost.apart, ==, 8);
  g_assert_cmpuint (lost.by_reason[LC_LOST_DISK], ==, 15);
  g_assert_cmpuint (lost.by_reason[LC_LOST_FILE], ==, 1);
  clear (&result);
}

/* --- Whole files ------------------------------------------------------------------------------------------------- */

static void
test_metadata (void)
{
  char *directory = maker_sample ();
  g_autoptr (GByteArray) metadata = maker_read (directory, "ctf/metadata");
  const char *offset = memmem (metadata->data, metadata->len, "offset_s", 8);
  const gsize complete = (gsize)(offset - (const char *)metadata->data) - 4;

  for (gsize size = 0; size < metadata->len; size += 7)
    {
      g_autoptr (LcTrace) trace = NULL;
      g_autoptr (GArray) problems = NULL, events = NULL;

      maker_write (directory, "ctf/metadata", metadata->data, size);
      trace = lc_trace_open (directory, NULL);
      g_assert_nonnull (trace);
      events = maker_events (trace, 0);
      g_assert_cmpuint (events->len, >, 5);
      problems = lc_trace_list_problems (trace);
      if (size < complete)
        g_assert_nonnull (maker_problem (problems, "metadata-damaged", "ctf/metadata"));
    }
  maker_remove (directory);
}

/* Without metadata the clock is what trace.ini says. */
static void
test_clock_from_settings (void)
{
  char *directory = maker_sample ();
  g_autofree char *metadata = g_build_filename (directory, "ctf", "metadata", NULL);
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) problems = NULL, events = NULL;

  g_unlink (metadata);
  maker_write_text (directory, "trace.ini",
                    "[trace]\nclock_frequency=2000000000\nclock_ticks=1000\nclock_realtime=1700000000000000000\n");
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  g_assert_cmpuint (lc_trace_get_frequency (trace), ==, 2000000000);
  events = maker_events (trace, 0);
  g_assert_cmpuint (g_array_index (events, LcTraceEvent, 0).begin, ==, 50);
  problems = lc_trace_list_problems (trace);
  g_assert_nonnull (maker_problem (problems, "metadata-damaged", NULL));
  g_assert_null (maker_problem (problems, "clock-unknown", NULL));
  maker_remove (directory);
}

static void
test_settings (void)
{
  char *directory = maker_sample ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) problems = NULL;

  maker_write (directory, "trace.ini", "\xFF\x00 no settings [", 17);
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  g_assert_nonnull (lc_trace_get_settings (trace));
  problems = lc_trace_list_problems (trace);
  g_assert_nonnull (maker_problem (problems, "settings-damaged", "trace.ini"));
  maker_remove (directory);
}

/* A pipe is nothing to wait for, and a folder nothing to read. */
static void
test_odd_files (void)
{
  char *directory = maker_sample ();
  g_autofree char *pipe = g_build_filename (directory, "ctf", "process-8", NULL);
  g_autofree char *folder = g_build_filename (directory, "ctf", "process-9", NULL);
  g_autofree char *objects = g_build_filename (directory, "objects-3", NULL);
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) problems = NULL, events = NULL;

  g_assert_cmpint (mkfifo (pipe, 0666), ==, 0);
  g_assert_cmpint (mkfifo (objects, 0666), ==, 0);
  g_assert_cmpint (g_mkdir (folder, 0777), ==, 0);
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 5);
  events = maker_events (trace, 3);
  g_assert_cmpuint (events->len, ==, 0);
  problems = lc_trace_list_problems (trace);
  g_assert_nonnull (maker_problem (problems, "file-unreadable", "ctf/process-8"));
  g_assert_nonnull (maker_problem (problems, "file-unreadable", "ctf/process-9"));
  g_assert_nonnull (maker_problem (problems, "file-unreadable", "objects-3"));
  maker_remove (directory);
}

static void
assert_no_trace (const char *path, gint code, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_trace_open (path, &error));
  g_assert_error (error, LC_TRACE_ERROR, code);
  g_assert_true (g_str_has_prefix (error->message, path));
  if (strstr (error->message, message) == NULL)
    g_error ("\"%s\" is not in \"%s\"", message, error->message);
}

static void
test_no_trace (void)
{
  char *directory = maker_directory ();
  g_autofree char *missing = g_build_filename (directory, "missing", NULL);
  g_autofree char *file = g_build_filename (directory, "file", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_trace_open (missing, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  assert_no_trace (directory, LC_TRACE_ERROR_NOT_A_TRACE, "not a trace");
  maker_write_text (directory, "file", "");
  assert_no_trace (file, LC_TRACE_ERROR_NOT_A_TRACE, "a trace is a directory");
  maker_write_text (directory, "ctf/metadata", "/* CTF 1.8 */\nenv { tracer_name = \"lttng-ust\"; };\n");
  assert_no_trace (directory, LC_TRACE_ERROR_NOT_A_TRACE, "not written by Lightcone");
  maker_write_text (directory, "ctf/process-0", "these are no packets");
  assert_no_trace (directory, LC_TRACE_ERROR_NOT_A_TRACE, "not written by Lightcone");
  maker_write_text (directory, "ctf/metadata", "env { tracer_name = \"lightcone\"; lightcone_format = 4; };\n");
  assert_no_trace (directory, LC_TRACE_ERROR_VERSION, "format 4");
  maker_remove (directory);
}

/* --- Any bytes -----------------------------------------------------------------------------------------------------
 */

static void
test_flipped_bits (void)
{
  g_autoptr (Maker) maker = three_packets ();

  for (gsize i = 0; i < maker->bytes->len; i++)
    {
      Result result;

      maker->bytes->data[i] ^= (guint8)(1u << (i % 8));
      result = read_maker (maker);
      clear (&result);
      maker->bytes->data[i] ^= (guint8)(1u << (i % 8));
    }
}

static void
test_random_bytes (void)
{
  for (guint round = 0; round < random_trials (200); round++)
    {
      gsize size = (gsize)g_test_rand_int_range (1, 3000);
      g_autofree guint8 *bytes = g_malloc (size);
      Result result;

      for (gsize i = 0; i < size; i++)
        bytes[i] = (guint8)g_test_rand_int_range (0, round % 2 ? 256 : 4);
      if (round % 3 == 0 && size > header_size)
        {
          g_autoptr (Maker) maker = maker_new (0);

          maker_header (maker)->packet_size = size * 8;
          maker_header (maker)->content_size = size / 2 * 16;
          memcpy (bytes, maker_header (maker), header_size);
        }
      result = read_stream (bytes, size);
      clear (&result);
    }
}

/* From 2^61 ns on; the same number of ticks, for the clock counts ns. */
static void
test_large_times (void)
{
  static const guint64 times[] = {LC_TIME_LIMIT, G_GUINT64_CONSTANT (1) << 62, G_GUINT64_CONSTANT (1) << 63};

  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    {
      g_autoptr (Maker) maker = maker_new (0);
      Result result;
      const LcTraceProcess *process;

      maker_mark (maker, LC_TAG, 0, 20);
      maker_mark (maker, LC_TAG, 1, times[i] - 1);
      maker_mark (maker, LC_TAG, 2, times[i]);
      result = read_maker (maker);
      g_assert_cmpuint (result.events->len, ==, 3);
      g_assert_cmpuint (g_array_index (result.events, LcTraceEvent, 1).end, ==, i == 0 ? LC_TIME_LIMIT - 1 : 20);
      g_assert_cmpuint (g_array_index (result.events, LcTraceEvent, 2).end, ==, i == 0 ? LC_TIME_LIMIT - 1 : 20);
      process = lc_trace_get_process (result.trace, 0);
      g_assert_cmpuint (process->end, ==, LC_TIME_LIMIT - 1);
      /* Once for the process, and for each event that is too late. */
      assert_problem (&result, "time-too-large", 0, i == 0 ? 2 : 3);
      clear (&result);
    }
}

/*
 * A time after the recorded end is damage. The event stands at the end of the one before it, the last of a packet at
 * the packet's end; all others, and the process, keep their times.
 */
static void
test_times_after_the_end (void)
{
  const guint64 flip = G_GUINT64_CONSTANT (1) << 40;

  for (guint damaged = 0; damaged < 6; damaged++)
    {
      static const char ended[] = "[trace]\nstate=ended\nduration=70\n", going_on[] = "[trace]\nduration=70\n";
      static const guint64 before[] = {0, 20, 30, 40, 50, 60};
      g_autoptr (Maker) maker = three_packets ();
      const gsize packet = maker->bytes->len / 3;
      const gsize place = damaged / 2 * packet + header_size + (damaged % 2 == 1 ? sizeof (struct lc_event_sync) : 0);
      guint64 end;
      Result result;

      memcpy (&end, maker->bytes->data + place, sizeof end);
      end ^= flip;
      memcpy (maker->bytes->data + place, &end, sizeof end);
      result = read_stream_with (maker->bytes->data, maker->bytes->len, ended);
      assert_problem (&result, "time-too-large", place, 1);
      g_assert_null (maker_problem (result.problems, "time-backwards", NULL));
      for (guint i = 0; i < 6; i++)
        g_assert_cmpuint (g_array_index (result.events, LcTraceEvent, i).end, ==,
                          i == damaged && i % 2 == 0 ? before[i] : 20 + 10 * i);
      g_assert_cmpuint (lc_trace_get_process (result.trace, 0)->end, ==, 70);
      clear (&result);
      /* Whoever has not closed the recording does not know its end. */
      result = read_stream_with (maker->bytes->data, maker->bytes->len, going_on);
      g_assert_null (maker_problem (result.problems, "time-too-large", NULL));
      clear (&result);
    }
}

/* Tells whether there is a problem with this file, and no other. */
static gboolean
is_file_told (const char *directory, const char *name)
{
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (directory, &error);
  g_autoptr (GArray) problems = NULL;
  gboolean is_told;

  g_assert_no_error (error);
  problems = lc_trace_list_problems (trace);
  is_told = problems->len > 0;
  for (guint i = 0; i < problems->len; i++)
    g_assert_cmpstr (g_array_index (problems, LcTraceProblem, i).file, ==, name);
  lc_trace_free (trace);
  return is_told;
}

/* Cuts the file at every byte. Without the end of its last line it says the same; with less, that is told, where it is.
 */
static void
assert_cuts_are_told (const char *directory, const char *name)
{
  g_autoptr (GByteArray) bytes = maker_read (directory, name);
  g_autofree char *path = g_build_filename (directory, name, NULL);

  g_assert_false (is_file_told (directory, name));
  for (gsize size = bytes->len; size-- > 0;)
    {
      g_assert_cmpint (truncate (path, (off_t)size), ==, 0);
      if (is_file_told (directory, name) != (size < bytes->len - 1))
        g_error ("%s, cut at byte %" G_GSIZE_FORMAT, name, size);
    }
  maker_write (directory, name, bytes->data, bytes->len);
}

static void
test_cut_descriptions (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = three_packets ();
  g_autoptr (GKeyFile) settings = g_key_file_new ();
  g_autofree char *text = NULL;
  gsize length;

  maker_header (maker)->state = LC_STATE_ENDED;
  maker_write_metadata (directory);
  maker_finish (maker, directory);
  g_key_file_set_string (settings, "trace", "title", "a [title] of\nlines");
  g_key_file_set_uint64 (settings, "trace", "duration", 1234);
  g_key_file_set_string (settings, "overhead", "*", "0;0;35");
  g_key_file_set_string (settings, "cost", "lock", "20;60");
  text = lc_settings_text_write (settings, &length);
  maker_write (directory, "trace.ini", text, length);
  assert_cuts_are_told (directory, "trace.ini");
  assert_cuts_are_told (directory, "ctf/metadata");
  maker_remove (directory);
}

/* What others write by hand needs no end, and who adds to what we wrote adds it before the end or after it. */
static void
test_settings_of_others (void)
{
  static const char *const texts[] = {
      "[trace]\ntitle=a", "[trace]\ntitle=a\n",
      "# The settings of a trace, down to the group [end]\n[trace]\ntitle=a\n\n[end]\n[cost]\nlock=20;60\n"};

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (Maker) maker = three_packets ();
      Result result;

      maker_header (maker)->state = LC_STATE_ENDED;
      result = read_stream_with (maker->bytes->data, maker->bytes->len, texts[i]);
      g_assert_cmpuint (result.problems->len, ==, 0);
      g_assert_true (g_key_file_has_key (lc_trace_get_settings (result.trace), "trace", "title", NULL));
      clear (&result);
    }
}

/* A record far away in a file that is hardly there: neither its number nor the nothing before it costs anything. */
static void
test_sparse_objects (void)
{
  char *directory = maker_directory ();
  g_autofree char *path = g_build_filename (directory, "objects-0", NULL);
  const off_t size = (off_t)4 << 30, place = sizeof (struct lc_object_record);
  const guint32 number = (guint32)(size / place) - 1;
  const struct lc_object_record record = {.object_class = LC_CLASS_MUTEX, .address = 77};
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_autoptr (GArray) events = NULL;
  LcTrace *trace;
  LcTraceObject object;
  FILE *file;

  maker_write_metadata (directory);
  maker_sync (maker, LC_LOCK, number, 1, 0, 10, 20, 0);
  maker_finish (maker, directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  file = fopen (path, "r+");
  g_assert_nonnull (file);
  g_assert_cmpint (fseeko (file, size - place, SEEK_SET), ==, 0);
  g_assert_cmpuint (fwrite (&record, sizeof record, 1, file), ==, 1);
  fclose (file);
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  events = maker_events (trace, 0);
  lc_trace_get_object (trace, g_array_index (events, LcTraceEvent, 0).object, &object);
  g_assert_cmpuint (object.address, ==, 77);
  lc_trace_free (trace);
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/damage/truncation", test_truncation);
  g_test_add_func ("/damage/empty-file", test_empty_file);
  g_test_add_func ("/damage/bad-magic", test_bad_magic);
  g_test_add_func ("/damage/foreign-packet", test_foreign_packet);
  g_test_add_func ("/damage/later-version", test_later_version);
  g_test_add_func ("/damage/packet-sizes", test_packet_sizes);
  g_test_add_func ("/damage/unknown-operation", test_unknown_operation);
  g_test_add_func ("/damage/truncated-event", test_truncated_event);
  g_test_add_func ("/damage/times", test_times);
  g_test_add_func ("/damage/cut-collective", test_cut_collective);
  g_test_add_func ("/damage/time-before-start", test_time_before_start);
  g_test_add_func ("/damage/large-times", test_large_times);
  g_test_add_func ("/damage/times-after-the-end", test_times_after_the_end);
  g_test_add_func ("/damage/cut-descriptions", test_cut_descriptions);
  g_test_add_func ("/damage/settings-of-others", test_settings_of_others);
  g_test_add_func ("/damage/sparse-objects", test_sparse_objects);
  g_test_add_func ("/damage/unknown-objects", test_unknown_objects);
  g_test_add_func ("/damage/lost", test_lost);
  g_test_add_func ("/damage/lost-apart", test_lost_apart);
  g_test_add_func ("/damage/metadata", test_metadata);
  g_test_add_func ("/damage/clock-from-settings", test_clock_from_settings);
  g_test_add_func ("/damage/settings", test_settings);
  g_test_add_func ("/damage/odd-files", test_odd_files);
  g_test_add_func ("/damage/no-trace", test_no_trace);
  g_test_add_func ("/damage/flipped-bits", test_flipped_bits);
  g_test_add_func ("/damage/random-bytes", test_random_bytes);
  return g_test_run ();
}
