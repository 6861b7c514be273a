/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of the format, written out: they must not change without its version. */
#include <string.h>

#include "ctf-metadata.h"
#include "maker.h"

/* The run begins with the packet. */
#define GOLDEN_BEGIN 0x1111

/* A packet of process 5 with a write-start, a tag, and an all-reduce. */
/* clang-format off */
static const guint8 golden_stream[] = {
    0xC1, 0x1F, 0xFC, 0xC1, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x46, 0x77, 0x88, 0x99, 0xAA, 0xBB,
    0xCC, 0xDD, 0xEE, 0xFF, 0x00, 0x00, 0x00, 0x00, 0x11, 0x11, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x99, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x00, 0x0C, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x0C, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x0C, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x06, 0x00, 0x00, 0x00,
    0x92, 0x10, 0x00, 0x00, 0x93, 0x10, 0x00, 0x00, 0x77, 0x6F, 0x72, 0x6B, 0x65, 0x72, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x22, 0x22, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x09, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x08, 0x00, 0x00, 0x00, 0x19, 0x00, 0x01, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
    0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x05, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0B, 0x00, 0x00, 0x00,
    0xE8, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x0A, 0x00, 0x03, 0x00, 0x05, 0x00, 0x00, 0x80,
    0xFF, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA, 0x00, 0x41, 0x05, 0x04, 0x03, 0x02, 0x01, 0x08, 0x07, 0x06,
    0x0C, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x99, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x70, 0x00, 0xFF, 0xFF, 0x0D, 0xF0, 0xFE, 0xCA,
    0x0D, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x99, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x48, 0x00, 0x02, 0x00, 0x07, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x09, 0x00, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00,
    0x0E, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x00,
};
/* clang-format on */

static void
test_stream_bytes (void)
{
  struct lc_packet header = {
      .magic = LC_CTF_MAGIC,
      .timestamp_begin = GOLDEN_BEGIN,
      .timestamp_end = 0x1122334455667799,
      .content_size = sizeof golden_stream * 8,
      .packet_size = sizeof golden_stream * 8,
      .packet_seq_num = 7,
      .events_discarded = 12,
      .process = 5,
      .instance = 6,
      .pid = 4242,
      .thread = 4243,
      .name = "worker",
      .pending_begin = 0x2222,
      .pending_sequence = 9,
      .pending_object = 8,
      .pending_operation = LC_WAIT,
      .pending_cpu = 1,
      .parent = 2,
      .state = LC_STATE_ENDED,
      .lost = {3, 4, 5},
      .start_site = 11,
      .first_ordinal = 1000,
      .format_version = LC_FORMAT_VERSION,
  };
  const struct lc_event_sync sync = {
      .end = 0x1122334455667788,
      .operation = LC_WRITE_START,
      .cpu = 3,
      .object = LC_OBJECT_SHARED | 5,
      .duration = 0xAABBCCDDEEFF,
      .flags = LC_EVENT_CONTENDED | LC_EVENT_AGAIN,
      .sequence_value = UINT64_C (0x0102030405) | UINT64_C (0x060708) << LC_SEQUENCE_BITS,
      .site = 12,
  };
  const struct lc_event_tag tag = {
      .end = 0x1122334455667799, .operation = LC_TAG, .cpu = LC_CPU_UNKNOWN, .value = 0xCAFEF00D, .site = 13};
  const struct lc_event_collective collective = {
      .sync = {.end = 0x1122334455667799,
               .operation = LC_ALL_REDUCE,
               .cpu = 2,
               .object = 7,
               .sequence_value = UINT64_C (9) | UINT64_C (64) << LC_SEQUENCE_BITS,
               .site = 14},
      .bytes = 0x01020304050607,
  };

  memcpy (header.uuid, maker_uuid, sizeof maker_uuid);
  g_assert_cmpmem (golden_stream, sizeof header, &header, sizeof header);
  g_assert_cmpmem (golden_stream + sizeof header, sizeof sync, &sync, sizeof sync);
  g_assert_cmpmem (golden_stream + sizeof header + sizeof sync, sizeof tag, &tag, sizeof tag);
  g_assert_cmpmem (golden_stream + sizeof header + sizeof sync + sizeof tag, sizeof collective, &collective,
                   sizeof collective);
}

static void
check_process (const LcTraceProcess *process)
{
  g_assert_cmpstr (process->name, ==, "worker");
  g_assert_cmpuint (process->number, ==, 5);
  g_assert_cmpuint (process->instance, ==, 6);
  g_assert_cmpuint (process->pid, ==, 4242);
  g_assert_cmpuint (process->thread, ==, 4243);
  g_assert_cmpint (process->state, ==, LC_STATE_ENDED);
  g_assert_cmpuint (process->parent, ==, LC_TRACE_NONE);
  g_assert_cmpuint (process->lost[LC_LOST_FILE], ==, 4);
  g_assert_cmpuint (process->n_lost, ==, 12);
  g_assert_cmpuint (process->begin, ==, 0);
  g_assert_cmpuint (process->end, ==, UINT64_C (0x1122334455667799) - GOLDEN_BEGIN);
  g_assert_cmpuint (process->pending.operation, ==, LC_TRACE_NONE);
}

static void
test_stream_read (void)
{
  char *directory = maker_directory ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL;
  const LcTraceEvent *event;

  maker_write_metadata (directory);
  maker_write (directory, "ctf/process-5", golden_stream, sizeof golden_stream);
  trace = lc_trace_open (directory, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 1);
  check_process (lc_trace_get_process (trace, 0));
  g_assert_cmpuint (lc_trace_count_events (trace, 0), ==, 1003);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, 3);
  event = &g_array_index (events, LcTraceEvent, 0);
  g_assert_cmpuint (event->operation, ==, LC_WRITE_START);
  g_assert_cmpuint (event->end, ==, UINT64_C (0x1122334455667788) - GOLDEN_BEGIN);
  g_assert_cmpuint (event->end - event->begin, ==, 0xAABBCCDDEEFF);
  g_assert_cmpuint (event->flags, ==,
                    LC_EVENT_CONTENDED | LC_EVENT_AGAIN | LC_TRACE_EVENT_SEQUENCE | LC_TRACE_EVENT_VALUE);
  g_assert_cmpint (event->sequence, ==, 0x0102030405);
  g_assert_cmpint (event->value, ==, 0x060708);
  g_assert_cmpuint (event->cpu, ==, 3);
  g_assert_cmpuint (event->object, ==, LC_TRACE_NONE);
  event = &g_array_index (events, LcTraceEvent, 1);
  g_assert_cmpuint (event->operation, ==, LC_TAG);
  g_assert_cmpuint (event->flags, ==, LC_TRACE_EVENT_VALUE);
  g_assert_cmpint (event->value, ==, 0xCAFEF00D);
  g_assert_cmpuint (event->cpu, ==, LC_CPU_UNKNOWN);
  event = &g_array_index (events, LcTraceEvent, 2);
  g_assert_cmpuint (event->operation, ==, LC_ALL_REDUCE);
  g_assert_cmpuint (event->flags, ==, LC_TRACE_EVENT_SEQUENCE | LC_TRACE_EVENT_VALUE | LC_TRACE_EVENT_BYTES);
  g_assert_cmpint (event->sequence, ==, 9);
  g_assert_cmpint (event->value, ==, 64);
  g_assert_cmpuint (event->bytes, ==, 0x01020304050607);
  maker_remove (directory);
}

static LcCtfDescription
description (void)
{
  LcCtfDescription result = {
      .tsc = TRUE,
      .frequency = 2596094011,
      .start = 11611200659581,
      .epoch = G_GINT64_CONSTANT (1795241353381003067),
      .hostname = (char *)"a \"host\" \\ of\nours",
  };

  memcpy (result.uuid, maker_uuid, sizeof maker_uuid);
  return result;
}

static void
test_metadata_text (void)
{
  LcCtfDescription written = description ();
  g_autofree char *text = lc_ctf_metadata_write (&written);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "metadata", NULL);
  g_autofree char *version =
      g_strdup_printf ("tracer_major = %d;\n  tracer_minor = %d;", LC_VERSION_MAJOR, LC_VERSION_MINOR);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) golden = NULL;
  char *bytes = NULL;

  g_file_get_contents (path, &bytes, NULL, &error);
  g_assert_no_error (error);
  golden = g_string_new (bytes);
  g_free (bytes);
  g_string_replace (golden, "tracer_major = 0;\n  tracer_minor = 1;", version, 1);
  g_assert_cmpstr (text, ==, golden->str);
}

static void
test_metadata_read (void)
{
  LcCtfDescription written = description ();
  g_autofree char *text = lc_ctf_metadata_write (&written);
  g_auto (LcCtfDescription) got = {{0}};
  guint64 format = 0;

  g_assert_cmpuint (lc_ctf_metadata_read (text, strlen (text), &got, &format), ==, LC_CTF_HAS_ALL | LC_CTF_IS_WHOLE);
  g_assert_cmpmem (got.uuid, sizeof got.uuid, maker_uuid, sizeof maker_uuid);
  g_assert_true (got.tsc);
  g_assert_cmpuint (got.frequency, ==, written.frequency);
  g_assert_cmpuint (got.start, ==, written.start);
  g_assert_cmpint (got.epoch, ==, written.epoch);
  g_assert_cmpuint (format, ==, LC_FORMAT_VERSION);
  g_assert_cmpstr (got.hostname, ==, "a \"host\" \\ ofours");
}

/* Only the last line's end can be missing without being missed. */
static void
test_metadata_cut (void)
{
  LcCtfDescription written = description ();
  g_autofree char *text = lc_ctf_metadata_write (&written);

  for (gsize length = 0; length < strlen (text); length++)
    {
      g_auto (LcCtfDescription) part = {{0}};
      guint64 format = 0;
      LcCtfParts parts = lc_ctf_metadata_read (text, length, &part, &format);

      g_assert_cmpint ((parts & LC_CTF_IS_WHOLE) != 0, ==, length == strlen (text) - 1);
      if ((parts & LC_CTF_IS_WHOLE) != 0)
        g_assert_cmpuint (parts, ==, LC_CTF_HAS_ALL | LC_CTF_IS_WHOLE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/stream-bytes", test_stream_bytes);
  g_test_add_func ("/golden/stream-read", test_stream_read);
  g_test_add_func ("/golden/metadata-text", test_metadata_text);
  g_test_add_func ("/golden/metadata-read", test_metadata_read);
  g_test_add_func ("/golden/metadata-cut", test_metadata_cut);
  return g_test_run ();
}
