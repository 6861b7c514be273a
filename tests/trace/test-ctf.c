/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of binary traces, over whole ones. */
#include <string.h>

#include "maker.h"
#include "operations.h"

static LcTrace *
open_trace (const char *directory)
{
  g_autoptr (GError) error = NULL;
  LcTrace *trace = lc_trace_open (directory, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (lc_trace_get_path (trace), ==, directory);
  g_assert_cmpstr (lc_trace_get_format (trace), ==, "ctf");
  return trace;
}

static void
assert_no_problems (LcTrace *trace)
{
  g_autoptr (GArray) problems = lc_trace_list_problems (trace);

  if (problems->len > 0)
    {
      const LcTraceProblem *first = &g_array_index (problems, LcTraceProblem, 0);

      g_error ("%s in %s at %" G_GUINT64_FORMAT, first->name, first->file, first->where);
    }
}

static void
check_sample_event (const LcTraceEvent *event)
{
  const LcOperationInfo *info = &lc_operations[event->operation];
  const guint16 sequence = event->flags & LC_TRACE_EVENT_SEQUENCE;
  const gboolean is_mark = info->layout == LC_LAYOUT_MARK || info->layout == LC_LAYOUT_TAG;

  g_assert_cmpuint (event->end - event->begin, ==, is_mark ? 0 : 10);
  g_assert_cmpuint (event->cpu, ==, is_mark ? 2 : 3);
  g_assert_cmpuint (event->peer, ==, LC_TRACE_NONE);
  switch (event->operation)
    {
    case LC_TAG:
      g_assert_cmpint (event->value, ==, 77);
      g_assert_cmpuint (event->object, ==, LC_TRACE_NONE);
      g_assert_true (event->flags & LC_TRACE_EVENT_VALUE);
      break;
    case LC_SEND:
    case LC_ISEND:
    case LC_COMPLETE:
    case LC_TEST_FAILED:
    case LC_PROBE:
    case LC_PUT:
      g_assert_cmpuint (event->bytes, ==, 4096);
      g_assert_true (event->flags & LC_TRACE_EVENT_BYTES);
      g_assert_true (sequence);
      break;
    case LC_CREATE:
      g_assert_cmpuint (event->object, ==, 2);
      g_assert_false (sequence);
      break;
    case LC_LOCK:
      g_assert_cmpint (event->sequence, ==, LC_LOCK);
      g_assert_true (event->flags & LC_EVENT_CONTENDED);
      g_assert_true (sequence);
      break;
    case LC_LOCK_FAILED:
      g_assert_false (sequence);
      break;
    case LC_BARRIER:
    case LC_BROADCAST_ROOT:
    case LC_REDUCE:
    case LC_SCAN:
    case LC_FINISH_FAILED:
      g_assert_cmpint (event->value, ==, 2);
      g_assert_true (event->flags & LC_TRACE_EVENT_VALUE);
      g_assert_true (sequence);
      g_assert_cmpuint (event->bytes, ==, event->operation == LC_BARRIER ? 0 : UINT64_C (5) << 32);
      g_assert_cmpint ((event->flags & LC_TRACE_EVENT_BYTES) != 0, ==, event->operation != LC_BARRIER);
      break;
    default:
      break;
    }
}

static void
test_sample (void)
{
  char *directory = maker_sample ();
  g_autoptr (LcTrace) trace = open_trace (directory);
  guint64 sum = 0, at = 100;

  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 3);
  g_assert_cmpuint (lc_trace_get_frequency (trace), ==, 1000000000);
  g_assert_cmpint (lc_trace_get_start (trace), ==, MAKER_EPOCH);
  for (guint i = 0; i < 3; i++)
    {
      const LcTraceProcess *process = lc_trace_get_process (trace, i);
      g_autoptr (GArray) events = maker_events (trace, i);

      g_assert_cmpuint (lc_trace_count_events (trace, i), ==, events->len);
      g_assert_cmpuint (process->number, ==, i);
      g_assert_cmpuint (process->parent, ==, i == 0 ? LC_TRACE_NONE : 0);
      g_assert_cmpint (process->state, ==, LC_STATE_ENDED);
      g_assert_cmpstr (process->host, ==, "here");
      g_assert_cmpuint (process->begin, ==, 0);
      g_assert_cmpuint (process->end, ==, g_array_index (events, LcTraceEvent, events->len - 1).end);
      for (guint k = 0; k < events->len; k++, at += 20)
        {
          const LcTraceEvent *event = &g_array_index (events, LcTraceEvent, k);

          g_assert_cmpuint (event->end, ==, at + 10);
          check_sample_event (event);
        }
      sum += events->len;
    }
  g_assert_cmpuint (sum, ==, 107);
  assert_no_problems (trace);
  maker_remove (directory);
}

/* --- Ranks ---------------------------------------------------------------------------------------------------- */

/* An address space with two threads; `rank` LC_TRACE_NONE: it is none. */
static void
write_instance (const char *directory, guint32 instance, guint32 rank, GByteArray **objects, Maker **first,
                Maker **second)
{
  *objects = maker_objects (instance);
  if (rank != LC_TRACE_NONE)
    maker_rank (*objects, rank, 2, MAKER_START + 50 + 10 * rank);
  *first = maker_new (instance);
  *second = maker_new (instance + 10);
  (*first)->instance = (*second)->instance = instance;
  maker_header (*first)->instance = maker_header (*second)->instance = instance;
}

static void
finish_instance (const char *directory, guint32 instance, GByteArray *objects, Maker *first, Maker *second)
{
  g_autofree char *name = g_strdup_printf ("objects-%u", instance);

  maker_write (directory, name, objects->data, objects->len);
  maker_finish (first, directory);
  maker_finish (second, directory);
  maker_free (first);
  maker_free (second);
  g_byte_array_unref (objects);
}

static void
check_event (const GArray *events, guint at, const LcTrace *trace, guint32 object, gint64 sequence, guint32 peer,
             guint16 flags)
{
  const LcTraceEvent *event = &g_array_index (events, LcTraceEvent, at);

  g_assert_cmpuint (event->object, ==, object);
  g_assert_cmpint (event->sequence, ==, sequence);
  g_assert_cmpuint (event->peer, ==, peer);
  g_assert_cmpuint (event->flags, ==, flags | LC_TRACE_EVENT_BYTES);
}

/* Instance 0 is no rank, 1 is rank 1, 2 is rank 0: a message from rank 0 to 1 that was received by a request. */
static char *
make_ranks (void)
{
  const struct lc_request_record requests[] = {{0, 0}, {2, 7}, {99, 3}};
  char *directory = maker_directory ();
  GByteArray *objects;
  Maker *first, *second;
  guint32 channel;

  maker_write_metadata (directory);
  write_instance (directory, 0, LC_TRACE_NONE, &objects, &first, &second);
  maker_message (first, LC_SEND, maker_mpi_object (objects, LC_CLASS_CHANNEL, "0>1:5", LC_CHANNEL_ENDS (0, 1)), 8, 64,
                 100, 110);
  finish_instance (directory, 0, objects, first, second);
  write_instance (directory, 1, 1, &objects, &first, &second);
  channel = maker_mpi_object (objects, LC_CLASS_CHANNEL, "0>1:5", LC_CHANNEL_ENDS (0, 1));
  g_assert_cmpuint (channel, ==, requests[1].object);
  for (guint32 i = 0; i < 4; i++)
    maker_flagged_message (first, LC_IRECV, 0, i, 100 + 10 * i, 105 + 10 * i, LC_EVENT_REQUEST | LC_EVENT_BLIND);
  maker_flagged_message (first, LC_COMPLETE, channel, 7, 150, 200, LC_EVENT_BLIND);
  finish_instance (directory, 1, objects, first, second);
  maker_write (directory, "requests-1", requests, sizeof requests);
  write_instance (directory, 2, 0, &objects, &first, &second);
  maker_object (objects, LC_CLASS_MUTEX, NULL, 0, 0);
  channel = maker_mpi_object (objects, LC_CLASS_CHANNEL, "0>1:5", LC_CHANNEL_ENDS (0, 1));
  maker_message (first, LC_SEND, channel, 7, 64, 100, 110);
  finish_instance (directory, 2, objects, first, second);
  return directory;
}

/* All threads of rank 0, those of rank 1, and then who is none; a channel is one object wherever it is named. */
static void
test_ranks (void)
{
  static const guint32 numbers[] = {2, 12, 1, 11, 0, 10}, ranks[] = {0, 0, 1, 1, LC_TRACE_NONE, LC_TRACE_NONE};
  const guint16 with_sequence = LC_TRACE_EVENT_SEQUENCE, blind = LC_TRACE_EVENT_BLIND;
  char *directory = make_ranks ();
  g_autoptr (LcTrace) trace = open_trace (directory);
  g_autoptr (GArray) sent = maker_events (trace, 0), received = maker_events (trace, 2),
                     of_none = maker_events (trace, 4);
  g_autoptr (GArray) problems = lc_trace_list_problems (trace);
  const guint32 channel = g_array_index (sent, LcTraceEvent, 0).object;
  LcTraceObject object;

  for (guint32 i = 0; i < 6; i++)
    {
      LcTraceObject own;

      g_assert_cmpuint (lc_trace_get_process (trace, i)->number, ==, numbers[i]);
      g_assert_cmpuint (lc_trace_get_process (trace, i)->rank, ==, ranks[i]);
      g_assert_cmpuint (lc_trace_get_process (trace, i)->ready, ==, ranks[i] != LC_TRACE_NONE ? 50 + 10 * ranks[i] : 0);
      lc_trace_get_object (trace, i, &own);
      g_assert_cmpuint (own.process, ==, i);
    }
  g_assert_cmpuint (lc_trace_get_ready (trace), ==, 50);
  g_assert_cmpuint (lc_trace_get_n_objects (trace), ==, 6 + 2);
  lc_trace_get_object (trace, channel, &object);
  g_assert_cmpstr (object.name, ==, "0>1:5");
  g_assert_cmpint (object.kind, ==, LC_KIND_MPI);
  g_assert_cmpuint (object.instance, ==, LC_TRACE_NONE);
  check_event (sent, 0, trace, channel, 7, 2, with_sequence);
  check_event (received, 0, trace, LC_TRACE_NONE, 0, LC_TRACE_NONE, blind);
  check_event (received, 1, trace, channel, 7, 0, blind | with_sequence);
  check_event (received, 2, trace, LC_TRACE_NONE, 3, LC_TRACE_NONE, blind | with_sequence);
  check_event (received, 3, trace, LC_TRACE_NONE, 0, LC_TRACE_NONE, blind);
  check_event (received, 4, trace, channel, 7, 0, blind | with_sequence);
  check_event (of_none, 0, trace, channel, 8, LC_TRACE_NONE, with_sequence);
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_nonnull (maker_problem (problems, "object-unknown", "ctf/process-1"));
  maker_remove (directory);
}

/* What became of requests is not known: no matter, unless the file is damaged. */
static void
test_requests (void)
{
  char *directory = make_ranks ();
  g_autofree char *file = g_build_filename (directory, "requests-1", NULL);

  for (gint size = 23; size >= -1; size--)
    {
      g_autoptr (LcTrace) trace = NULL;
      g_autoptr (GArray) received = NULL, problems = NULL;

      if (size >= 0)
        g_assert_cmpint (truncate (file, size), ==, 0);
      else
        g_assert_cmpint (unlink (file), ==, 0);
      trace = open_trace (directory);
      received = maker_events (trace, 2);
      problems = lc_trace_list_problems (trace);
      g_assert_cmpuint (received->len, ==, 5);
      for (guint i = 0; i < 4; i++)
        g_assert_cmpint (g_array_index (received, LcTraceEvent, i).object != LC_TRACE_NONE, ==, i == 1 && size >= 16);
      g_assert_cmpuint (problems->len, ==, size > 0 && size % 8 != 0);
      g_assert_cmpint (maker_problem (problems, "truncated-request", "requests-1") != NULL, ==,
                       size > 0 && size % 8 != 0);
    }
  maker_remove (directory);
}

/* --- Where time begins -------------------------------------------------------------------------------------------- */

/* Instances 1 and 2 are ranks that have done nothing until they are ready, at 60 and 50; process 2 is of rank 0. */
static char *
make_late_ranks (guint64 pending, guint64 event)
{
  char *directory = maker_directory ();

  maker_write_metadata (directory);
  for (guint32 i = 1; i <= 2; i++)
    {
      GByteArray *objects;
      Maker *first, *second;

      write_instance (directory, i, 2 - i, &objects, &first, &second);
      if (i == 2 && event > 0)
        maker_sync (first, LC_LOCK, 0, 1, 0, event, event + 5, 0);
      if (i == 2 && pending > 0)
        {
          maker_header (first)->pending_operation = LC_LOCK;
          maker_header (first)->pending_begin = MAKER_START + pending;
          maker_header (first)->state = LC_STATE_CUT;
        }
      maker_sync (second, LC_LOCK, 0, 2, 0, 100, 110, 0);
      maker_header (second)->timestamp_begin = MAKER_START + 90;
      finish_instance (directory, i, objects, first, second);
    }
  return directory;
}

/* When rank 1's second thread locks, and when the ranks are ready. */
static void
check_origin (char *directory, guint64 origin)
{
  g_autoptr (LcTrace) trace = open_trace (directory);
  g_autoptr (GArray) events = maker_events (trace, 3), problems = lc_trace_list_problems (trace);

  g_assert_cmpuint (lc_trace_get_first_tick (trace), ==, MAKER_START + origin);
  g_assert_cmpint (lc_trace_get_start (trace), ==, MAKER_EPOCH + (gint64)origin);
  g_assert_cmpuint (g_array_index (events, LcTraceEvent, 0).begin, ==, 100 - origin);
  g_assert_cmpuint (g_array_index (events, LcTraceEvent, 0).end, ==, 110 - origin);
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->ready, ==, 50 - origin);
  g_assert_cmpuint (lc_trace_get_process (trace, 2)->ready, ==, 60 - origin);
  g_assert_cmpuint (lc_trace_get_process (trace, 3)->begin, ==, 90 - origin);
  for (guint i = 0; i < problems->len; i++)
    g_assert_cmpstr (g_array_index (problems, LcTraceProblem, i).name, !=, "time-before-start");
  maker_remove (directory);
}

/* A run of ranks begins when the first one is ready, or before that where one of them does something before. */
static void
test_origin_of_ranks (void)
{
  check_origin (make_late_ranks (0, 0), 50);
  check_origin (make_late_ranks (0, 70), 50);
  check_origin (make_late_ranks (0, 20), 20);
  check_origin (make_late_ranks (30, 0), 30);
  check_origin (make_late_ranks (30, 20), 20);
}

/* A program that began 300 ns after its recording, did something from 400 on, and a child of it from 500 on. */
static LcTrace *
open_late (const char *settings, char **directory)
{
  g_autoptr (Maker) first = maker_new (0), second = maker_new (1);

  *directory = maker_directory ();
  maker_write_metadata (*directory);
  maker_header (first)->timestamp_begin = MAKER_START + 300;
  maker_header (second)->timestamp_begin = MAKER_START + 500;
  maker_sync (first, LC_LOCK, 0, 1, 0, 400, 450, 0);
  maker_sync (second, LC_LOCK, 0, 2, 0, 510, 550, 0);
  maker_finish (first, *directory);
  maker_finish (second, *directory);
  if (settings != NULL)
    maker_write_text (*directory, "trace.ini", settings);
  return open_trace (*directory);
}

/* Time begins with the run, and so do the times of gaps; but with the recording where the begin of the run is gone. */
static void
test_origin (void)
{
  static const struct
  {
    const char *settings;
    guint64 origin, gap, to;
  } cases[] = {
      {NULL, 300, 0, 0},
      {"[gaps]\n1=460;500;paused\n", 300, 160, 200},
      {"[gaps]\n1=100;200;paused\n2=460;500;paused\n", 300, 160, 200},
      {"[gaps]\n1=100;310;paused\n", 300, 0, 10},
      {"[gaps]\n1=460;;paused\n", 300, 160, LC_GAP_OPEN},
      {"[gaps]\n1=0;320;ring\n", 0, 0, 320},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char *directory;
      g_autoptr (LcTrace) trace = open_late (cases[i].settings, &directory);
      g_autoptr (GArray) events = maker_events (trace, 0);
      gsize n;
      const LcTraceGap *gaps = lc_trace_get_gaps (trace, &n);

      g_assert_cmpuint (lc_trace_get_first_tick (trace), ==, MAKER_START + cases[i].origin);
      g_assert_cmpuint (events->len, ==, 1);
      g_assert_cmpuint (g_array_index (events, LcTraceEvent, 0).begin, ==, 400 - cases[i].origin);
      g_assert_cmpuint (n, ==, cases[i].to > 0);
      g_assert_true (n == 0 || (gaps->from == cases[i].gap && gaps->to == cases[i].to));
      g_assert_cmpuint (lc_trace_get_kept_from (trace), ==, cases[i].gap == 0 ? cases[i].to : 0);
      maker_remove (directory);
    }
}

/* Packets of version 1 have collective operations without bytes. */
static void
test_version_1 (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL;

  maker_write_metadata (directory);
  maker_header (maker)->format_version = maker->version = 1;
  maker_collective (maker, LC_ALL_REDUCE, 0, 3, 2, 4096, 100, 110);
  maker_sync (maker, LC_AWAIT, 0, 1, 0, 120, 130, 0);
  maker->version = LC_FORMAT_VERSION;
  maker_packet (maker);
  maker_collective (maker, LC_ALL_REDUCE, 0, 4, 2, 4096, 140, 150);
  maker_finish (maker, directory);
  trace = open_trace (directory);
  events = maker_events (trace, 0);
  g_assert_cmpuint (lc_trace_count_events (trace, 0), ==, 3);
  g_assert_cmpuint (events->len, ==, 3);
  for (guint i = 0; i < 3; i += 2)
    {
      const LcTraceEvent *event = &g_array_index (events, LcTraceEvent, i);

      g_assert_cmpint (event->value, ==, 2);
      g_assert_cmpint (event->sequence, ==, i == 0 ? 3 : 4);
      g_assert_cmpuint (event->bytes, ==, i == 0 ? 0 : 4096);
      g_assert_cmpuint (event->flags & LC_TRACE_EVENT_BYTES, ==, i == 0 ? 0 : LC_TRACE_EVENT_BYTES);
    }
  assert_no_problems (trace);
  maker_remove (directory);
}

/* Whose name the metadata has, unless trace.ini says so too. */
static void
test_host (void)
{
  char *directory = make_ranks ();
  g_autoptr (GByteArray) metadata = maker_read (directory, "ctf/metadata");
  g_autofree char *text = g_strndup ((const char *)metadata->data, metadata->len);
  g_autoptr (LcTrace) trace = open_trace (directory);

  g_assert_nonnull (strstr (text, "hostname = \"here\""));
  g_assert_cmpstr (lc_trace_get_process (trace, 0)->host, ==, "here");
  maker_remove (directory);
}

/* DIR/ctf is what a person finds who looks for `metadata`. */
static void
test_inner_folder (void)
{
  char *directory = maker_sample ();
  g_autofree char *inner = g_build_filename (directory, "ctf", NULL);
  g_autoptr (LcTrace) outer_trace = open_trace (directory);
  g_autoptr (LcTrace) trace = open_trace (inner);

  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 3);
  g_assert_cmpuint (lc_trace_get_n_objects (trace), ==, lc_trace_get_n_objects (outer_trace));
  maker_remove (directory);
}

/* More than a window in one packet, and more than a window of packets. */
static void
test_windows (void)
{
  const guint total = 30000;
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;

  maker_write_metadata (directory);
  for (guint process = 0; process < 2; process++)
    {
      g_autoptr (Maker) maker = maker_new (process);

      for (guint i = 0; i < total; i++)
        {
          if (process == 1 && i % 100 == 99)
            maker_packet (maker);
          if (i % 7 == 0)
            maker_mark (maker, LC_TAG, i, 100 + 10 * i);
          else
            maker_sync (maker, LC_AWAIT, 0, i, 0, 100 + 10 * i, 105 + 10 * i, 0);
        }
      maker_finish (maker, directory);
    }
  trace = open_trace (directory);
  for (guint process = 0; process < 2; process++)
    {
      g_autoptr (GArray) events = maker_events (trace, process);

      g_assert_cmpuint (events->len, ==, total);
      g_assert_cmpuint (lc_trace_count_events (trace, process), ==, total);
      for (guint i = 0; i < total; i++)
        {
          const LcTraceEvent *event = &g_array_index (events, LcTraceEvent, i);

          g_assert_cmpuint (event->begin, ==, 100 + 10 * i);
          g_assert_cmpint (i % 7 == 0 ? event->value : event->sequence, ==, i);
        }
    }
  assert_no_problems (trace);
  maker_remove (directory);
}

static gpointer
read_all (gpointer data)
{
  LcTrace *trace = data;
  gsize sum = 0;

  for (guint round = 0; round < 20; round++)
    {
      for (guint i = 0; i < lc_trace_get_n_processes (trace); i++)
        {
          g_autoptr (GArray) events = maker_events (trace, i);

          sum += events->len;
        }
    }
  return GSIZE_TO_POINTER (sum);
}

static void
test_threads (void)
{
  char *directory = maker_sample ();
  g_autoptr (LcTrace) trace = open_trace (directory);
  GThread *threads[3];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_all, trace);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpuint (GPOINTER_TO_SIZE (g_thread_join (threads[i])), ==, 20 * 107);
  maker_remove (directory);
}

/* What a process that was killed was waiting for. */
static void
test_pending (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (0);
  g_autoptr (Maker) maker = maker_new (0);
  guint32 record = maker_object (objects, LC_CLASS_MUTEX, "fork", 0, 0);
  struct lc_packet *header;
  g_autoptr (LcTrace) trace = NULL;
  const LcTraceProcess *process;
  g_autofree char *name = NULL;

  maker_write_metadata (directory);
  maker_write (directory, "objects-0", objects->data, objects->len);
  maker_sync (maker, LC_LOCK, record, 1, 0, 20, 30, 0);
  header = maker_header (maker);
  header->state = LC_STATE_CUT;
  header->pending_operation = LC_LOCK;
  header->pending_object = record;
  header->pending_begin = MAKER_START + 40;
  header->pending_cpu = 1;
  maker_finish (maker, directory);
  trace = open_trace (directory);
  process = lc_trace_get_process (trace, 0);
  g_assert_cmpuint (process->pending.operation, ==, LC_LOCK);
  g_assert_cmpuint (process->pending.begin, ==, 40);
  g_assert_cmpuint (process->pending.cpu, ==, 1);
  g_assert_false (process->pending.has_sequence);
  name = lc_trace_dup_object_name (trace, process->pending.object);
  g_assert_cmpstr (name, ==, "fork");
  maker_remove (directory);
}

/* When it ended, if that is known, is told by an event that has lasted since it began to wait. */
static void
test_pending_end (void)
{
  static const guint64 ends[] = {900, 35};
  static const guint64 expected[] = {900, 40};

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      char *directory = maker_directory ();
      g_autoptr (GByteArray) objects = maker_objects (0);
      g_autoptr (Maker) maker = maker_new (0);
      const guint32 record = maker_object (objects, LC_CLASS_MUTEX, "fork", 0, 0);
      struct lc_account_record account = {.object_class = LC_CLASS_ACCOUNT,
                                          .kind = LC_ACCOUNT_SEEN,
                                          .more = sizeof account - sizeof (struct lc_object_record),
                                          .of = maker_header (maker)->thread,
                                          .running = 30,
                                          .runnable = 0,
                                          .ended = MAKER_START + ends[i],
                                          .asked = MAKER_START + 35};
      struct lc_packet *header;
      g_autoptr (LcTrace) trace = NULL;
      LcTraceCursor *cursor;
      LcTraceBatch batch;

      g_byte_array_append (objects, (const guint8 *)&account, sizeof account);
      maker_write_metadata (directory);
      maker_write (directory, "objects-0", objects->data, objects->len);
      maker_sync (maker, LC_LOCK, record, 1, 0, 20, 30, 0);
      header = maker_header (maker);
      header->state = LC_STATE_CUT;
      header->pending_operation = LC_LOCK;
      header->pending_object = record;
      header->pending_begin = MAKER_START + 40;
      maker_finish (maker, directory);
      trace = open_trace (directory);
      g_assert_cmpuint (lc_trace_get_process (trace, 0)->end, ==, expected[i]);
      g_assert_cmpuint (lc_trace_count_events (trace, 0), ==, 2);
      cursor = lc_trace_cursor_open (trace, 0);
      g_assert_true (lc_trace_cursor_next (cursor, &batch));
      g_assert_cmpuint (batch.n_events, ==, 2);
      g_assert_cmpuint (batch.events[1].operation, ==, LC_EXIT);
      g_assert_cmpuint (batch.events[1].begin, ==, 40);
      g_assert_cmpuint (batch.events[1].end, ==, expected[i]);
      g_assert_cmpuint (batch.events[1].object, ==, lc_trace_get_process (trace, 0)->pending.object);
      g_assert_cmpuint (batch.events[1].flags & LC_EVENT_CANCELLED, !=, 0);
      lc_trace_cursor_close (cursor);
      maker_remove (directory);
    }
}

/* A trace without processes is one: the program did nothing that is recorded. */
static void
test_no_process (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcTrace) trace = NULL;

  maker_write_metadata (directory);
  trace = open_trace (directory);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 0);
  g_assert_cmpuint (lc_trace_get_n_objects (trace), ==, 0);
  assert_no_problems (trace);
  maker_remove (directory);
}

/* Files may have been renamed: each says whose it is. */
static void
test_shuffled (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) zero = maker_new (0);
  g_autoptr (Maker) one = maker_new (1);
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) problems = NULL, events = NULL;

  maker_write_metadata (directory);
  maker_mark (zero, LC_TAG, 5, 20);
  maker_mark (one, LC_TAG, 6, 20);
  maker_write (directory, "ctf/process-1", zero->bytes->data, zero->bytes->len);
  maker_write (directory, "ctf/process-0", one->bytes->data, one->bytes->len);
  trace = open_trace (directory);
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->number, ==, 0);
  g_assert_cmpstr (lc_trace_get_process (trace, 0)->file, ==, "ctf/process-1");
  g_assert_cmpuint (lc_trace_get_process (trace, 1)->parent, ==, 0);
  events = maker_events (trace, 0);
  g_assert_cmpint (g_array_index (events, LcTraceEvent, 0).value, ==, 5);
  problems = lc_trace_list_problems (trace);
  g_assert_cmpuint (problems->len, ==, 2);
  g_assert_nonnull (maker_problem (problems, "wrong-process", "ctf/process-0"));
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ctf/sample", test_sample);
  g_test_add_func ("/ctf/inner-folder", test_inner_folder);
  g_test_add_func ("/ctf/windows", test_windows);
  g_test_add_func ("/ctf/threads", test_threads);
  g_test_add_func ("/ctf/pending", test_pending);
  g_test_add_func ("/ctf/pending-end", test_pending_end);
  g_test_add_func ("/ctf/no-process", test_no_process);
  g_test_add_func ("/ctf/shuffled", test_shuffled);
  g_test_add_func ("/ctf/ranks", test_ranks);
  g_test_add_func ("/ctf/requests", test_requests);
  g_test_add_func ("/ctf/origin", test_origin);
  g_test_add_func ("/ctf/origin-of-ranks", test_origin_of_ranks);
  g_test_add_func ("/ctf/version-1", test_version_1);
  g_test_add_func ("/ctf/host", test_host);
  return g_test_run ();
}
