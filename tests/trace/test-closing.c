/* SPDX-License-Identifier: Apache-2.0 */
/* Closing what a program left: every kind of last packet, and what is already damaged. */
#include "closing.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "maker.h"
#include "records.h"
#include "running.h"

static const gsize header_size = sizeof (struct lc_packet);

static LcRecordingResult
close_streams (const char *directory)
{
  LcRecordingResult result = {0};
  g_autoptr (GError) error = NULL;
  g_autoptr (LcFolder) folder = lc_folder_open (directory, &error);
  guint64 last;

  g_assert_no_error (error);
  lc_close_streams (folder, maker_uuid, 0, &result, &last, &error);
  g_assert_no_error (error);
  return result;
}

static gboolean
exists (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* The header of the last packet, if the stream has nothing behind it. */
static struct lc_packet
last_header (const char *directory, const char *name)
{
  g_autoptr (GByteArray) stream = maker_read (directory, name);
  struct lc_packet header;
  gsize offset = 0;

  for (;;)
    {
      g_assert_cmpuint (offset + header_size, <=, stream->len);
      memcpy (&header, stream->data + offset, header_size);
      g_assert_cmpuint (header.magic, ==, LC_CTF_MAGIC);
      g_assert_cmpuint (header.content_size, ==, header.packet_size);
      offset += header.packet_size / 8;
      if (offset == stream->len)
        return header;
    }
}

static void
assert_events (const char *directory, guint32 process, guint expected)
{
  g_autoptr (LcTrace) trace = lc_trace_open (directory, NULL);
  g_autoptr (GArray) events = NULL, problems = NULL;

  g_assert_nonnull (trace);
  events = maker_events (trace, process);
  g_assert_cmpuint (events->len, ==, expected);
  problems = lc_trace_list_problems (trace);
  g_assert_cmpuint (problems->len, ==, 0);
}

static Maker *
two_packets (void)
{
  Maker *maker = maker_new (0);

  maker_mark (maker, LC_TAG, 0, 20);
  maker_mark (maker, LC_TAG, 1, 30);
  maker_packet (maker);
  maker_mark (maker, LC_TAG, 2, 40);
  maker_sync (maker, LC_AWAIT, 0, 3, 0, 50, 60, 0);
  return maker;
}

static void
check_two_packets (const char *directory)
{
  struct lc_packet header;

  header = last_header (directory, "ctf/process-0");
  g_assert_cmpuint (header.state, ==, LC_STATE_CUT);
  g_assert_cmpuint (header.timestamp_end, ==, MAKER_START + 60);
  g_assert_cmpuint (header.packet_seq_num, ==, 1);
  g_assert_cmpuint (header.first_ordinal, ==, 2);
  g_assert_false (exists (directory, "heads-0"));
  assert_events (directory, 0, 4);
}

static void
test_killed (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = two_packets ();
  LcRecordingResult result;

  maker_write_metadata (directory);
  maker_finish_with_head (maker, directory, 1);
  result = close_streams (directory);
  g_assert_cmpuint (result.processes, ==, 1);
  g_assert_cmpuint (result.events, ==, 4);
  g_assert_cmpuint (result.running, ==, 0);
  g_assert_cmpuint (result.damaged, ==, 0);
  check_two_packets (directory);
  maker_remove (directory);
}

/* The closing itself was killed: whatever of the head it had added, the result is the same. */
static void
test_closed_twice (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = two_packets ();
  g_autoptr (GByteArray) heads = NULL, stream = NULL;
  gsize before = maker->packet;

  maker_write_metadata (directory);
  maker_finish_with_head (maker, directory, 0);
  heads = maker_read (directory, "heads-0");
  close_streams (directory);
  stream = maker_read (directory, "ctf/process-0");
  for (gsize size = before; size <= stream->len; size++)
    {
      g_autoptr (GByteArray) again = NULL;
      LcRecordingResult result;

      maker_write (directory, "heads-0", heads->data, heads->len);
      maker_write (directory, "ctf/process-0", stream->data, size);
      result = close_streams (directory);
      g_assert_cmpuint (result.events, ==, 4);
      g_assert_cmpuint (result.damaged, ==, 0);
      again = maker_read (directory, "ctf/process-0");
      g_assert_cmpmem (again->data, again->len, stream->data, stream->len);
    }
  check_two_packets (directory);
  close_streams (directory);
  check_two_packets (directory);
  maker_remove (directory);
}

/* A head without events: what it says of the process goes to the packet before. */
static void
test_empty_head (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = two_packets ();
  struct lc_packet *head, header;
  LcRecordingResult result;

  maker_packet (maker);
  head = maker_header (maker);
  head->pending_operation = LC_WAIT;
  head->pending_object = 5;
  head->lost[LC_LOST_DISK] = head->events_discarded = 7;
  g_strlcpy (head->name, "renamed", sizeof head->name);
  maker_write_metadata (directory);
  maker_finish_with_head (maker, directory, 0);
  result = close_streams (directory);
  g_assert_cmpuint (result.events, ==, 4);
  g_assert_cmpuint (result.lost[LC_LOST_DISK], ==, 7);
  header = last_header (directory, "ctf/process-0");
  g_assert_cmpuint (header.packet_seq_num, ==, 1);
  g_assert_cmpuint (header.state, ==, LC_STATE_CUT);
  g_assert_cmpuint (header.pending_operation, ==, LC_WAIT);
  g_assert_cmpuint (header.pending_object, ==, 5);
  g_assert_cmpuint (header.events_discarded, ==, 7);
  g_assert_cmpuint (header.timestamp_end, ==, MAKER_START + 60);
  g_assert_cmpstr (header.name, ==, "renamed");
  maker_remove (directory);
}

/* A process of which nothing but its name is known stays known. */
static void
test_no_events (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = maker_new (4);
  LcRecordingResult result;

  maker_write_metadata (directory);
  maker_finish_with_head (maker, directory, 0);
  result = close_streams (directory);
  g_assert_cmpuint (result.processes, ==, 1);
  g_assert_cmpuint (result.events, ==, 0);
  g_assert_cmpuint (last_header (directory, "ctf/process-4").content_size, ==, header_size * 8);
  assert_events (directory, 0, 0);
  maker_remove (directory);
}

static void
test_loose_packets (void)
{
  char *directory = maker_directory ();
  LcRecordingResult result;

  maker_write_metadata (directory);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (Maker) maker = maker_new (i);

      for (guint k = 0; k <= i; k++)
        maker_mark (maker, LC_TAG, k, 20 + 10 * k);
      if (i == 3)
        maker_finish_with_head (maker, directory, 0);
      else
        maker_finish_loose (maker, directory);
    }
  result = close_streams (directory);
  g_assert_cmpuint (result.processes, ==, 5);
  g_assert_cmpuint (result.events, ==, 15);
  g_assert_false (exists (directory, "packets-0"));
  g_assert_cmpuint (last_header (directory, "ctf/process-3").state, ==, LC_STATE_CUT);
  g_assert_cmpuint (last_header (directory, "ctf/process-4").state, ==, LC_STATE_ENDED);
  for (guint i = 0; i < 5; i++)
    assert_events (directory, i, i + 1);
  maker_remove (directory);
}

/* A stream that lost its end, with nobody who would have it, ends with its last whole event. */
static void
test_cut_stream (void)
{
  g_autoptr (Maker) maker = two_packets ();
  const gsize last = maker->packet;

  for (gsize size = last + header_size; size < maker->bytes->len; size++)
    {
      char *directory = maker_directory ();
      guint left = size >= last + header_size + sizeof (struct lc_event_tag) ? 3 : 2;
      LcRecordingResult result;

      maker_write_metadata (directory);
      maker_write (directory, "ctf/process-0", maker->bytes->data, size);
      result = close_streams (directory);
      g_assert_cmpuint (result.damaged, ==, 1);
      g_assert_cmpuint (result.events, ==, left);
      last_header (directory, "ctf/process-0");
      assert_events (directory, 0, left);
      maker_remove (directory);
    }
}

/* What is no packet is not ours to judge: it stays, and is told. */
static void
test_garbage (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = two_packets ();
  g_autoptr (GByteArray) stream = NULL;
  LcRecordingResult result;

  maker_write_metadata (directory);
  maker_header (maker)->state = LC_STATE_RUNNING;
  g_byte_array_append (maker->bytes, (const guint8 *)"what is this?", 13);
  maker_finish (maker, directory);
  maker_write_text (directory, "heads-0",
                    "this is no head, though it is where one would be; it has to be longer than a "
                    "header for anybody to look at it: two hundred and seventy-two bytes, which "
                    "takes quite some more words than one would think, but here is the end of them "
                    "coming near, if only some more words can be found; and there they are.");
  result = close_streams (directory);
  g_assert_cmpuint (result.damaged, ==, 2);
  g_assert_cmpuint (result.events, ==, 4);
  stream = maker_read (directory, "ctf/process-0");
  g_assert_cmpuint (stream->len, ==, maker->bytes->len);
  g_assert_cmpuint (((struct lc_packet *)(void *)(stream->data + maker->packet))->state, ==, LC_STATE_CUT);
  g_assert_true (exists (directory, "heads-0"));
  maker_remove (directory);
}

static void
test_empty_stream (void)
{
  char *directory = maker_directory ();
  LcRecordingResult result;

  maker_write_text (directory, "ctf/process-0", "");
  result = close_streams (directory);
  g_assert_cmpuint (result.processes, ==, 0);
  g_assert_false (exists (directory, "ctf/process-0"));
  maker_remove (directory);
}

static void
test_symbols (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) objects = maker_objects (3), plain = maker_objects (4);
  g_autoptr (GError) error = NULL;
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", &error);

  g_assert_no_error (error);
  maker_object (objects, LC_CLASS_FUNCTION, NULL, 3, 0xFFFFFFFFFF);
  g_assert_cmpuint (maker_object (objects, LC_CLASS_MODULE, program, 0, 0), ==, 3);
  maker_object (objects, LC_CLASS_FUNCTION, NULL, 77, 0);
  maker_object (plain, LC_CLASS_MUTEX, NULL, 0, 0);
  maker_write (directory, "objects-3", objects->data, objects->len);
  maker_write (directory, "objects-4", plain->data, plain->len);
  lc_write_symbols (folder, &error);
  g_assert_no_error (error);
  g_assert_false (exists (directory, "symbols-3"));
  g_assert_false (exists (directory, "symbols-4"));
  maker_remove (directory);
}

static void
test_shared_objects (void)
{
  char *directory = maker_directory ();
  g_autofree struct lc_control *control = g_new0 (struct lc_control, 1);
  g_auto (LcRecords) records = {0};
  g_autoptr (GError) error = NULL;
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);
  LcRecord record;

  g_assert_true (lc_write_shared_objects (folder, control, &error));
  g_assert_false (exists (directory, "objects-shared"));
  control->shared_records[7] = (struct lc_object_record){
      .object_class = LC_CLASS_SEMAPHORE, .kind = LC_KIND_NAMED, .name_length = 99, .value = 3};
  g_assert_true (lc_write_shared_objects (folder, control, &error));
  g_assert_true (lc_records_open (&records, folder, "objects-shared", NULL, &error));
  g_assert_true (lc_records_next (&records, &record));
  g_assert_cmpuint (record.number, ==, 9);
  g_assert_cmpuint (record.record.value, ==, 3);
  g_assert_cmpuint (record.record.name_length, ==, 0);
  g_assert_false (lc_records_next (&records, &record));
  maker_remove (directory);
}

/* An exec is one process with two address spaces, and between them there is a moment in which it has mapped nothing. */
static void
test_executed_anew (void)
{
  char *directory = maker_directory ();
  g_autofree char *heads = g_build_filename (directory, "heads-0", NULL);
  g_autoptr (LcRunning) running = NULL;
  const guint32 pid = (guint32)getpid ();
  void *places;
  int fd;

  g_assert_true (g_file_set_contents (heads, "places", -1, NULL));
  fd = open (heads, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  running = lc_running_new (fd);
  lc_running_add (running, pid, 0);
  g_assert_false (lc_running_has (running, pid, 0));
  places = mmap (NULL, 6, PROT_READ, MAP_SHARED, fd, 0);
  g_assert_true (places != MAP_FAILED);
  lc_running_add (running, pid, 1);
  g_assert_true (lc_running_has (running, pid, 1));
  g_assert_false (lc_running_has (running, pid, 0));
  munmap (places, 6);
  close (fd);
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/closing/killed", test_killed);
  g_test_add_func ("/closing/closed-twice", test_closed_twice);
  g_test_add_func ("/closing/empty-head", test_empty_head);
  g_test_add_func ("/closing/no-events", test_no_events);
  g_test_add_func ("/closing/loose-packets", test_loose_packets);
  g_test_add_func ("/closing/cut-stream", test_cut_stream);
  g_test_add_func ("/closing/garbage", test_garbage);
  g_test_add_func ("/closing/empty-stream", test_empty_stream);
  g_test_add_func ("/closing/symbols", test_symbols);
  g_test_add_func ("/closing/shared-objects", test_shared_objects);
  g_test_add_func ("/closing/executed-anew", test_executed_anew);
  return g_test_run ();
}
