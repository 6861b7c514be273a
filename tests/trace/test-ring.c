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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ring/cut", test_cut);
  g_test_add_func ("/ring/copied-while-written", test_copied_while_written);
  return g_test_run ();
}
