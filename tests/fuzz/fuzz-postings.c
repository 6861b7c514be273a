/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as postings, their index, a chunk or the shape of a pyramid, or the longest arcs; also with their checksum.
 */
#include "fuzz.h"
#include "history/longest.h"
#include "history/postings.h"
#include "history/pyramid.h"

enum
{
  CHECKSUM = sizeof (guint64),
  EVENTS = 3000,
};

static void
read_index (const guint8 *bytes, gsize size)
{
  g_autoptr (GArray) entries = lc_postings_decode_index (bytes, size);
  guint first, last;

  for (guint i = 0; entries != NULL && i < MIN (entries->len, 100); i++)
    {
      const LcPostingsEntry *entry = &g_array_index (entries, LcPostingsEntry, i);

      g_assert_true (lc_postings_find (entries, entry->object, entry->sequence, &first, &last));
      g_assert_true (first <= i && i <= last && last < entries->len);
      g_assert_true (lc_postings_find_object (entries, entry->last_object, &first, &last));
      g_assert_true (first <= i && i <= last && last < entries->len);
    }
}

static void
read_all (const guint8 *bytes, gsize size)
{
  g_autoptr (GArray) postings = g_array_new (FALSE, FALSE, sizeof (LcPosting));
  g_autoptr (GArray) arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));
  LcSummaryBucket buckets[LC_PYRAMID_CHUNK];
  LcPyramidShape shape;

  read_index (bytes, size);
  g_assert_true (lc_postings_decode (bytes, size, postings) == (postings->len > 0));
  g_assert_cmpuint (postings->len, <=, LC_POSTINGS_BLOCK);
  lc_longest_decode (bytes, size, arcs);
  for (guint i = 0; i < arcs->len; i++)
    g_assert_cmpuint (g_array_index (arcs, LcHistoryArc, i).from_time, <,
                      g_array_index (arcs, LcHistoryArc, i).to_time);
  lc_pyramid_decode (bytes, size, buckets);
  if (lc_pyramid_shape_decode (&shape, bytes, size))
    g_assert_true (shape.lowest[0] <= shape.highest[0] && shape.highest[0] < 64 && shape.begin <= shape.end);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  guint64 checksum = GUINT64_TO_LE (lc_checksum (bytes, size));
  g_autofree guint8 *copy = g_malloc (size + CHECKSUM);

  memcpy (copy, bytes, size);
  memcpy (copy + size, &checksum, CHECKSUM);
  read_all (bytes, size);
  read_all (copy, size + CHECKSUM);
  return 0;
}

/* --- Seeds: what the writers make, without its checksum ---------------------------------------------------- */

static void
keep (GPtrArray *seeds, const GByteArray *bytes)
{
  g_ptr_array_add (seeds, g_bytes_new (bytes->data, bytes->len - CHECKSUM));
}

static gboolean
keep_block (gpointer data, const GByteArray *bytes, guint64 *row, GError **error G_GNUC_UNUSED)
{
  *row = 7;
  keep (data, bytes);
  return TRUE;
}

static gboolean
keep_index (gpointer data, guint32 run G_GNUC_UNUSED, const GByteArray *bytes, GError **error G_GNUC_UNUSED)
{
  keep (data, bytes);
  return TRUE;
}

static gboolean
keep_keyed (gpointer data, gint64 key G_GNUC_UNUSED, const GByteArray *bytes, GError **error G_GNUC_UNUSED)
{
  keep (data, bytes);
  return TRUE;
}

static void
make_postings (GRand *random, GPtrArray *seeds)
{
  LcPostings *postings = lc_postings_new (keep_block, keep_index, seeds);
  g_autofree LcBlock *block = g_new0 (LcBlock, 1);

  block->n_events = 40;
  for (; block->process < 30; block->process += 3)
    {
      for (guint i = 0; i < block->n_events; i++)
        {
          block->object[i] = (guint32)g_rand_int_range (random, 0, 20) << (i % 20);
          block->sequence[i] = g_rand_int_range (random, -3, 100);
          block->flags[i] = LC_TRACE_EVENT_SEQUENCE;
        }
      g_assert_true (lc_postings_add_block (postings, block, NULL));
      block->first_ordinal += 1000;
    }
  g_assert_true (lc_postings_finish (postings, NULL));
  lc_postings_free (postings);
}

static void
make_pyramid (GRand *random, GPtrArray *seeds)
{
  LcPyramid *pyramid = lc_pyramid_new (0, 1, EVENTS, 10000 * EVENTS, keep_keyed, seeds);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (LcBlock) block = lc_block_new ();
  guint64 end = 0, layer = 0;
  guint8 held;
  LcPyramidShape shape;

  block->n_events = 1;
  for (guint i = 0; i < EVENTS; i++)
    {
      block->first_ordinal = i;
      block->begin[0] = end + (guint64)g_rand_int_range (random, 0, 10000);
      block->waited[0] = i % 3 == 0 ? (guint64)g_rand_int_range (random, 0, 10000) : 0;
      block->end[0] = end = block->begin[0] + block->waited[0] + 100;
      block->layer[0] = layer += i == EVENTS / 2 ? EVENTS : 1 + i % 3;
      held = (i % 7 == 0 ? LC_PYRAMID_HOLDING : 0) | (i % 5 == 0 ? LC_PYRAMID_HELD_AFTER : 0);
      g_assert_true (lc_pyramid_add_block (pyramid, block, &held, NULL));
    }
  g_assert_true (lc_pyramid_finish (pyramid, &shape, NULL));
  lc_pyramid_shape_encode (&shape, bytes);
  keep (seeds, bytes);
  lc_pyramid_free (pyramid);
}

static void
make_longest (GRand *random, GPtrArray *seeds)
{
  LcLongest *longest = lc_longest_new (0, 1, EVENTS);

  for (guint i = 0; i < 20; i++)
    {
      LcHistoryArc arc = {.from_process = i, .to_process = i + 1, .to_ordinal = i * 100, .to_time = EVENTS - i};

      arc.from_time = (guint64)g_rand_int_range (random, 0, EVENTS / 2);
      lc_longest_add (longest, &arc);
    }
  g_assert_true (lc_longest_finish (longest, keep_keyed, seeds, NULL));
  lc_longest_free (longest);
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  g_autoptr (GPtrArray) seeds = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  GRand *random = g_rand_new_with_seed (1);

  make_postings (random, seeds);
  make_pyramid (random, seeds);
  make_longest (random, seeds);
  g_rand_free (random);
  if (number < seeds->len)
    g_byte_array_append (bytes, g_bytes_get_data (seeds->pdata[number], NULL),
                         (guint)g_bytes_get_size (seeds->pdata[number]));
  return number < seeds->len;
}
