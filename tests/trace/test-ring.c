/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of the packets of a ring when each process gets its stream. */
#include "ring.h"

#include <string.h>

#include "maker.h"

/* The headers of the packets of ctf/process-0. */
static GArray *
list_packets (const char *directory)
{
  g_autoptr (GByteArray) bytes = maker_read (directory, "ctf/process-0");
  GArray *headers = g_array_new (FALSE, FALSE, sizeof (struct lc_packet));
  struct lc_packet header;

  for (gsize at = 0; at < bytes->len; at += header.content_size / 8)
    {
      g_assert_cmpuint (bytes->len - at, >=, sizeof header);
      memcpy (&header, bytes->data + at, sizeof header);
      g_array_append_val (headers, header);
    }
  return headers;
}

/* Unrolls a ring with these packets in one file, of a copy that was made at `copied` ns. */
static GArray *
unroll (Maker *maker, guint64 copied)
{
  char *directory = maker_directory ();
  g_autoptr (LcFolder) folder = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree struct lc_control *control = g_new0 (struct lc_control, 1);
  GArray *headers;

  maker_write (directory, "ring-0", maker->bytes->data, maker->bytes->len);
  control->copied_at = MAKER_START + copied;
  folder = lc_folder_open (directory, &error);
  g_assert_no_error (error);
  lc_ring_unroll (folder, control, maker_uuid, &error);
  g_assert_no_error (error);
  headers = list_packets (directory);
  maker_remove (directory);
  return headers;
}

static guint
count_events (const struct lc_packet *header)
{
  return (guint)((header->content_size / 8 - sizeof *header) / sizeof (struct lc_event_sync));
}

static void
assert_packet (GArray *headers, guint number, guint64 ordinal, guint events, enum lc_state state)
{
  const struct lc_packet *header = &g_array_index (headers, struct lc_packet, number);

  g_assert_cmpuint (header->first_ordinal, ==, ordinal);
  g_assert_cmpuint (header->packet_seq_num, ==, number);
  g_assert_cmpuint (count_events (header), ==, events);
  g_assert_cmpuint (header->state, ==, state);
}

static void
add_locks (Maker *maker, guint64 from, guint n)
{
  for (guint i = 0; i < n; i++)
    maker_sync (maker, LC_LOCK, 1, i + 1, 0, from + 10 * i, from + 10 * i + 5, 0);
}

/* Events that ended after the copy was made are taken out, and what follows them. */
static void
test_cut (void)
{
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (GArray) headers = NULL;

  add_locks (maker, 100, 4);
  maker_packet (maker);
  add_locks (maker, 200, 4);
  maker_packet (maker);
  add_locks (maker, 300, 4);
  headers = unroll (maker, 220);
  g_assert_cmpuint (headers->len, ==, 3);
  assert_packet (headers, 0, 0, 4, LC_STATE_RUNNING);
  assert_packet (headers, 1, 4, 2, LC_STATE_CUT);
  assert_packet (headers, 2, 6, 0, LC_STATE_CUT);
}

/* A packet that was copied while it was written lacks events; all later ones ended after the copy was made. */
static void
test_copied_while_written (void)
{
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (GArray) headers = NULL;

  add_locks (maker, 100, 3);
  maker->events += 2; /* which were written after the packet was copied */
  maker_packet (maker);
  add_locks (maker, 200, 4);
  headers = unroll (maker, 130);
  g_assert_cmpuint (headers->len, ==, 2);
  assert_packet (headers, 0, 0, 3, LC_STATE_RUNNING);
  assert_packet (headers, 1, 3, 0, LC_STATE_CUT);
}

/* --- What is dropped --------------------------------------------------------------------------------------------- */

enum
{
  FULL = (LC_HEAD_BYTES - sizeof (struct lc_packet)) / sizeof (struct lc_event_sync), /* events of a packet */
  PACKETS = 7,
};

static struct lc_control *
keeping_control (guint64 bytes, guint64 dropped)
{
  struct lc_control *control = g_new0 (struct lc_control, 1);

  memcpy (control->uuid, maker_uuid, sizeof control->uuid);
  control->keep_bytes = bytes;
  control->dropped_until = dropped > 0 ? MAKER_START + dropped : 0;
  return control;
}

/* What ended before all that is kept begins is counted, and what is left is numbered from 0 on. */
static void
test_begin (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);
  g_autofree struct lc_control *control = keeping_control (LC_HEAD_BYTES, 115);
  g_autoptr (Maker) maker = maker_new (0);
  g_autoptr (GArray) headers = NULL;

  add_locks (maker, 100, 4);
  maker_packet (maker);
  add_locks (maker, 200, 3);
  maker_write (directory, "ring-0", maker->bytes->data, maker->bytes->len);
  g_assert_true (lc_ring_unroll (folder, control, maker_uuid, NULL));
  g_assert_false (lc_ring_is_there (folder));
  g_assert_cmpuint (control->dropped_events, ==, 2);
  headers = list_packets (directory);
  g_assert_cmpuint (headers->len, ==, 2);
  assert_packet (headers, 0, 0, 2, LC_STATE_RUNNING);
  assert_packet (headers, 1, 2, 3, LC_STATE_ENDED);
  g_assert_cmpuint (g_array_index (headers, struct lc_packet, 0).timestamp_begin, >=, MAKER_START + 115);
  maker_remove (directory);
}

/* A process of which nothing is left has no stream, unless it was still running. */
static void
test_ended_before (void)
{
  for (guint running = 0; running < 2; running++)
    {
      char *directory = maker_directory ();
      g_autofree char *path = g_build_filename (directory, "ctf", "process-0", NULL);
      g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);
      g_autofree struct lc_control *control = keeping_control (LC_HEAD_BYTES, 500);
      g_autoptr (Maker) maker = maker_new (0);

      add_locks (maker, 100, 4);
      maker_header (maker)->state = running ? LC_STATE_RUNNING : LC_STATE_ENDED;
      maker_write (directory, "ring-0", maker->bytes->data, maker->bytes->len);
      g_assert_true (lc_ring_unroll (folder, control, maker_uuid, NULL));
      g_assert_cmpuint (control->dropped_events, ==, 4);
      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, running);
      maker_remove (directory);
    }
}

/* Adds the packets of a maker from this one on, so many. */
static void
add_packets (LcRing *ring, const Maker *maker, guint first, guint n)
{
  struct lc_packet header;
  gsize at = 0;

  for (guint i = 0; i < first + n; i++, at += header.content_size / 8)
    {
      memcpy (&header, maker->bytes->data + at, sizeof header);
      if (i >= first)
        g_assert_true (lc_ring_add (ring, &header, maker->bytes->data + at + sizeof header));
    }
}

static Maker *
full_packets (void)
{
  Maker *maker = maker_new (0);

  for (guint i = 0; i < PACKETS; i++)
    {
      if (i > 0)
        maker_packet (maker);
      add_locks (maker, 100 + 10 * FULL * i, FULL);
    }
  return maker;
}

/* The oldest files go, and each event of them is counted; who goes on with a ring keeps what is there. */
static void
test_newest_is_kept (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);
  g_autofree struct lc_control *control = keeping_control (3 * LC_HEAD_BYTES, 0);
  g_autoptr (Maker) maker = full_packets ();
  g_autoptr (LcRing) ring = lc_ring_new (folder, control, TRUE), next = lc_ring_new (folder, control, FALSE);
  g_autoptr (GArray) headers = NULL;
  guint64 bytes, dropped, kept = 0;

  add_packets (ring, maker, 0, PACKETS - 1);
  bytes = lc_ring_get_bytes (ring);
  dropped = control->dropped_events;
  g_assert_cmpuint (bytes, <=, control->keep_bytes);
  g_assert_cmpuint (bytes, >, control->keep_bytes / 2);
  g_assert_cmpuint (dropped, >, 0);
  g_assert_cmpuint (control->dropped_until, ==, MAKER_START + 100 + 10 * (dropped - 1) + 5);
  add_packets (next, maker, PACKETS - 1, 1);
  g_assert_cmpuint (lc_ring_get_bytes (next), ==,
                    bytes + sizeof (struct lc_packet) + FULL * sizeof (struct lc_event_sync));
  g_assert_true (lc_ring_unroll (folder, control, maker_uuid, NULL));
  headers = list_packets (directory);
  for (guint i = 0; i < headers->len; i++)
    kept += count_events (&g_array_index (headers, struct lc_packet, i));
  g_assert_cmpuint (dropped + kept, ==, PACKETS * FULL);
  g_assert_cmpuint (control->dropped_events, ==, dropped);
  maker_remove (directory);
}

/* Two who empty a trace one after the other have files of their own. */
static void
test_nothing_is_written_over (void)
{
  char *directory = maker_directory ();
  g_autoptr (LcFolder) folder = lc_folder_open (directory, NULL);
  g_autofree struct lc_control *control = keeping_control (PACKETS * LC_HEAD_BYTES, 0);
  g_autoptr (Maker) maker = full_packets ();
  g_autoptr (LcRing) first = lc_ring_new (folder, control, TRUE), second = lc_ring_new (folder, control, TRUE);
  g_autoptr (GArray) headers = NULL;

  add_packets (first, maker, 0, 2);
  add_packets (second, maker, 2, 1);
  g_assert_true (lc_ring_unroll (folder, control, maker_uuid, NULL));
  headers = list_packets (directory);
  g_assert_cmpuint (headers->len, ==, 3);
  for (guint i = 0; i < headers->len; i++)
    assert_packet (headers, i, i * FULL, FULL, LC_STATE_RUNNING);
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ring/cut", test_cut);
  g_test_add_func ("/ring/copied-while-written", test_copied_while_written);
  g_test_add_func ("/ring/begin", test_begin);
  g_test_add_func ("/ring/ended-before", test_ended_before);
  g_test_add_func ("/ring/newest-is-kept", test_newest_is_kept);
  g_test_add_func ("/ring/nothing-is-written-over", test_nothing_is_written_over);
  return g_test_run ();
}
