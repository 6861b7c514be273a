/* SPDX-License-Identifier: Apache-2.0 */
/* Traces that nobody closed: the last packet of each process is in its head. */
#include <string.h>

#include "maker.h"

/* Two packets of three tags each, numbered from 0 on. */
static Maker *
two_packets (void)
{
  Maker *maker = maker_new (0);

  for (guint i = 0; i < 6; i++)
    {
      if (i == 3)
        maker_packet (maker);
      maker_mark (maker, LC_TAG, i, 20 + 10 * i);
    }
  return maker;
}

/* What every reading of it must give. */
static void
check_six (const char *directory)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcTrace) trace = lc_trace_open (directory, &error);
  g_autoptr (GArray) events = NULL, problems = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 1);
  g_assert_cmpuint (lc_trace_count_events (trace, 0), ==, 6);
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->end, ==, 70);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, 6);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpint (g_array_index (events, LcTraceEvent, i).value, ==, i);
  problems = lc_trace_list_problems (trace);
  g_assert_cmpuint (problems->len, ==, 1);
  g_assert_nonnull (maker_problem (problems, "stream-open", NULL));
}

static void
test_head (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = two_packets ();

  maker_write_metadata (directory);
  maker_finish_with_head (maker, directory, 1);
  check_six (directory);
  maker_remove (directory);
}

/* Nobody emptied the places of a process, which went on in one before the first. */
static void
test_several_heads (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = two_packets ();
  g_autofree guint8 *places = g_malloc0 (2 * LC_HEAD_BYTES);
  struct lc_packet *header = maker_header (maker);

  header->packet_size = sizeof *header * 8;
  header->timestamp_end = header->timestamp_begin;
  header->state = LC_STATE_RUNNING;
  memcpy (places + LC_HEAD_BYTES, maker->bytes->data, maker->packet);
  memcpy (places, maker->bytes->data + maker->packet, maker->bytes->len - maker->packet);
  maker_write_metadata (directory);
  maker_write (directory, "heads-0", places, 2 * LC_HEAD_BYTES);
  check_six (directory);
  maker_remove (directory);
}

/* The program was killed while it added the head to the stream: at every byte of it. */
static void
test_partly_added (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = two_packets ();
  g_autoptr (GByteArray) all = g_byte_array_new ();
  gsize first = maker->packet;

  maker_header (maker)->state = LC_STATE_RUNNING;
  g_byte_array_append (all, maker->bytes->data, maker->bytes->len);
  maker_write_metadata (directory);
  maker_finish_with_head (maker, directory, 1);
  for (gsize size = first; size <= all->len; size++)
    {
      maker_write (directory, "ctf/process-0", all->data, size);
      check_six (directory);
    }
  maker_remove (directory);
}

static void
test_only_head (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = maker_new (7);
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) events = NULL;

  maker_write_metadata (directory);
  maker_mark (maker, LC_TAG, 9, 20);
  maker_finish_with_head (maker, directory, 1);
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->number, ==, 7);
  g_assert_cmpuint (lc_trace_get_process (trace, 0)->begin, ==, 0);
  g_assert_cmpint (lc_trace_get_process (trace, 0)->state, ==, LC_STATE_RUNNING);
  events = maker_events (trace, 0);
  g_assert_cmpuint (events->len, ==, 1);
  maker_remove (directory);
}

/* A place that is free, or was never used, is nobody's. */
static void
test_free_heads (void)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = maker_new (7);
  g_autoptr (GByteArray) heads = NULL;
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GArray) problems = NULL;

  maker_write_metadata (directory);
  maker_mark (maker, LC_TAG, 9, 20);
  maker_finish_with_head (maker, directory, 2);
  heads = maker_read (directory, "heads-0");
  memset (heads->data + 2 * LC_HEAD_BYTES, 0, 4);
  maker_write (directory, "heads-0", heads->data, heads->len);
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 0);
  problems = lc_trace_list_problems (trace);
  g_assert_cmpuint (problems->len, ==, 0);
  maker_remove (directory);
}

/* Processes that ended within their first packet; the last one also has its head still, or only part of its packet. */
static void
test_loose_packets (void)
{
  char *directory = maker_directory ();
  g_autoptr (GByteArray) packets = NULL;

  maker_write_metadata (directory);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (Maker) maker = maker_new (i);

      maker_mark (maker, LC_TAG, 5, 20);
      maker_mark (maker, LC_TAG, 6, 30);
      maker_finish_loose (maker, directory);
      if (i == 2)
        maker_finish_with_head (maker, directory, 0);
    }
  packets = maker_read (directory, "packets-0");
  for (gsize size = packets->len / 3 * 2; size <= packets->len; size++)
    {
      g_autoptr (LcTrace) trace = NULL;

      maker_write (directory, "packets-0", packets->data, size);
      trace = lc_trace_open (directory, NULL);
      g_assert_nonnull (trace);
      g_assert_cmpuint (lc_trace_get_n_processes (trace), ==, 3);
      for (guint i = 0; i < 3; i++)
        {
          g_autoptr (GArray) events = maker_events (trace, i);

          g_assert_cmpuint (events->len, ==, 2);
          g_assert_cmpuint (lc_trace_count_events (trace, i), ==, 2);
          g_assert_cmpint (g_array_index (events, LcTraceEvent, 1).value, ==, 6);
        }
    }
  maker_remove (directory);
}

/* content_size may be anything. */
static void
test_damaged_head (void)
{
  static const guint64 sizes[] = {0, 8, 272 * 8, 300 * 8, 1 << 20, G_MAXUINT64};
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = two_packets ();

  maker_write_metadata (directory);
  maker_finish_with_head (maker, directory, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GByteArray) head = maker_read (directory, "heads-0");
      g_autoptr (LcTrace) trace = NULL;
      g_autoptr (GArray) events = NULL;

      ((struct lc_packet *)(void *)(head->data + LC_HEAD_BYTES))->content_size = sizes[i];
      maker_write (directory, "heads-0", head->data, head->len);
      trace = lc_trace_open (directory, NULL);
      g_assert_nonnull (trace);
      events = maker_events (trace, 0);
      g_assert_cmpuint (events->len, >=, 3);
    }
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heads/head", test_head);
  g_test_add_func ("/heads/several-heads", test_several_heads);
  g_test_add_func ("/heads/partly-added", test_partly_added);
  g_test_add_func ("/heads/only-head", test_only_head);
  g_test_add_func ("/heads/free-heads", test_free_heads);
  g_test_add_func ("/heads/loose-packets", test_loose_packets);
  g_test_add_func ("/heads/damaged-head", test_damaged_head);
  return g_test_run ();
}
