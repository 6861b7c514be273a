/* SPDX-License-Identifier: Apache-2.0 */
/* Postings against a plain sort of each run; what is found by a key; their bytes. */
#include <string.h>

#include "history/postings.h"

typedef struct
{
  GPtrArray *blocks;  /* GBytes: row 1000 - 3 * number */
  GPtrArray *indexes; /* GBytes, by run */
} Store;

static guint64
row_of (guint number)
{
  return number % 2 ? 1000 + number : 5000 - 3 * (guint64)number;
}

static gboolean
take_block (gpointer data, const GByteArray *bytes, guint64 *row, GError **error G_GNUC_UNUSED)
{
  Store *store = data;

  *row = row_of (store->blocks->len);
  g_ptr_array_add (store->blocks, g_bytes_new (bytes->data, bytes->len));
  return TRUE;
}

static gboolean
take_index (gpointer data, guint32 run, const GByteArray *bytes, GError **error G_GNUC_UNUSED)
{
  Store *store = data;

  g_assert_cmpuint (run, ==, store->indexes->len);
  g_ptr_array_add (store->indexes, g_bytes_new (bytes->data, bytes->len));
  return TRUE;
}

static void
store_init (Store *store)
{
  store->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  store->indexes = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
}

static void
store_clear (Store *store)
{
  g_ptr_array_unref (store->blocks);
  g_ptr_array_unref (store->indexes);
}

static int
compare (const void *a, const void *b)
{
  const LcPosting *one = a, *other = b;

  if (one->object != other->object)
    return one->object < other->object ? -1 : 1;
  if (one->sequence != other->sequence)
    return one->sequence < other->sequence ? -1 : 1;
  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return one->ordinal < other->ordinal ? -1 : one->ordinal > other->ordinal;
}

static void
assert_postings_equal (const LcPosting *a, const LcPosting *b)
{
  g_assert_cmpuint (a->object, ==, b->object);
  g_assert_cmpint (a->sequence, ==, b->sequence);
  g_assert_cmpuint (a->process, ==, b->process);
  g_assert_cmpuint (a->ordinal, ==, b->ordinal);
}

/* --- Comparing --------------------------------------------------------------------------------------------- */

static void
decode (GBytes *bytes, GArray *postings)
{
  g_assert_true (lc_postings_decode (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), postings));
}

/* The blocks that were found for a key must have all of its postings, and the first and last of them one. */
static void
check_find (const GArray *entries, guint32 object, gint64 sequence)
{
  guint first, last;
  gboolean found = lc_postings_find (entries, object, sequence, &first, &last);

  for (guint i = 0; i < entries->len; i++)
    {
      const LcPostingsEntry *entry = &g_array_index (entries, LcPostingsEntry, i);
      LcPosting from = {.object = entry->object, .sequence = entry->sequence};
      LcPosting to = {.object = entry->last_object, .sequence = entry->last_sequence};
      LcPosting key = {.object = object, .sequence = sequence};
      gboolean may_have = compare (&from, &key) <= 0 && compare (&key, &to) <= 0;

      g_assert_cmpint (may_have, ==, found && first <= i && i <= last);
    }
  found = lc_postings_find_object (entries, object, &first, &last);
  for (guint i = 0; i < entries->len; i++)
    {
      const LcPostingsEntry *entry = &g_array_index (entries, LcPostingsEntry, i);

      g_assert_cmpint (entry->object <= object && object <= entry->last_object, ==, found && first <= i && i <= last);
    }
}

static void
check_run (GBytes *index, const Store *store, guint first_block, const LcPosting *expected, guint n)
{
  g_autoptr (GArray) entries = lc_postings_decode_index (g_bytes_get_data (index, NULL), g_bytes_get_size (index));
  g_autoptr (GArray) decoded = g_array_new (FALSE, FALSE, sizeof (LcPosting));

  g_assert_nonnull (entries);
  g_assert_cmpuint (entries->len, ==, (n + LC_POSTINGS_BLOCK - 1) / LC_POSTINGS_BLOCK);
  for (guint i = 0; i < entries->len; i++)
    {
      const LcPostingsEntry *entry = &g_array_index (entries, LcPostingsEntry, i);
      const LcPosting *first = &expected[i * LC_POSTINGS_BLOCK];
      const LcPosting *last = &expected[MIN ((i + 1) * LC_POSTINGS_BLOCK, n) - 1];

      g_assert_cmpuint (entry->row, ==, row_of (first_block + i));
      g_assert_cmpuint (entry->object, ==, first->object);
      g_assert_cmpint (entry->sequence, ==, first->sequence);
      g_assert_cmpuint (entry->last_object, ==, last->object);
      g_assert_cmpint (entry->last_sequence, ==, last->sequence);
      decode (store->blocks->pdata[first_block + i], decoded);
    }
  g_assert_cmpuint (decoded->len, ==, n);
  for (guint i = 0; i < n; i++)
    assert_postings_equal (&g_array_index (decoded, LcPosting, i), &expected[i]);
  for (guint i = 0; i < n; i += 1 + n / 20)
    {
      check_find (entries, expected[i].object, expected[i].sequence);
      check_find (entries, expected[i].object, expected[i].sequence - 1);
      check_find (entries, expected[i].object + 1, 0);
    }
}

/* `postings` are in the order in which they were added; runs are sorted each by itself. */
static void
check (const Store *store, GArray *postings)
{
  guint n_runs = (postings->len + LC_POSTINGS_RUN - 1) / LC_POSTINGS_RUN;

  g_assert_cmpuint (store->indexes->len, ==, n_runs);
  for (guint run = 0; run < n_runs; run++)
    {
      guint first = run * LC_POSTINGS_RUN, n = MIN (postings->len - first, LC_POSTINGS_RUN);
      LcPosting *expected = &g_array_index (postings, LcPosting, first);

      qsort (expected, n, sizeof *expected, compare);
      check_run (store->indexes->pdata[run], store, run * (LC_POSTINGS_RUN / LC_POSTINGS_BLOCK), expected, n);
    }
}

/* --- Random blocks ----------------------------------------------------------------------------------------- */

static guint64
random_number (GRand *random, guint most)
{
  guint64 number = (guint64)g_rand_int (random) << 32 | g_rand_int (random);
  guint bits = (guint)g_rand_int_range (random, 0, (gint32)most + 1);

  return bits == 0 ? 0 : number >> (64 - bits);
}

/* How the events of a trace are made. */
typedef struct
{
  guint objects, sequences, processes; /* bits */
  gboolean is_orderly;                 /* sequences count up, nearly */
  guint64 counter;
  guint64 ordinals[1 << 10];
} Maker;

static void
fill_block (GRand *random, Maker *maker, LcBlock *block, GArray *postings)
{
  guint process = (guint)g_rand_int_range (random, 0, 1 << maker->processes);

  block->process = process;
  block->first_ordinal = maker->ordinals[process];
  block->n_events = (guint32)g_rand_int_range (random, 1, LC_BLOCK_EVENTS + 1);
  maker->ordinals[process] += block->n_events;
  for (guint i = 0; i < block->n_events; i++)
    {
      gboolean has_sequence = g_rand_int_range (random, 0, 10) > 0;
      LcPosting posting = {.process = block->process, .ordinal = block->first_ordinal + i};

      block->flags[i] = has_sequence ? LC_TRACE_EVENT_SEQUENCE : 0;
      block->object[i] = (guint32)random_number (random, maker->objects);
      if (g_rand_int_range (random, 0, 20) == 0)
        block->object[i] = g_rand_int_range (random, 0, 2) ? LC_TRACE_NONE : LC_TRACE_NONE - 1;
      block->sequence[i] = maker->is_orderly ? (gint64)(maker->counter++ / 2 + random_number (random, 3))
                                             : (gint64)random_number (random, maker->sequences);
      if (g_rand_int_range (random, 0, 2) && !maker->is_orderly)
        block->sequence[i] = -block->sequence[i];
      posting.object = block->object[i];
      posting.sequence = has_sequence ? block->sequence[i] : 0;
      if (posting.object != LC_TRACE_NONE)
        g_array_append_val (postings, posting);
    }
}

static void
check_random (GRand *random, guint n_blocks)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (LcPosting));
  g_autofree LcBlock *block = g_new0 (LcBlock, 1);
  g_autofree Maker *maker = g_new0 (Maker, 1);
  LcPostings *postings;
  Store store;

  *maker = (Maker){.objects = (guint)g_rand_int_range (random, 0, 33),
                   .sequences = (guint)g_rand_int_range (random, 0, 65),
                   .processes = (guint)g_rand_int_range (random, 0, 11),
                   .is_orderly = g_rand_int_range (random, 0, 2)};
  store_init (&store);
  postings = lc_postings_new (take_block, take_index, &store);
  for (guint i = 0; i < n_blocks; i++)
    {
      fill_block (random, maker, block, all);
      g_assert_true (lc_postings_add_block (postings, block, NULL));
    }
  g_assert_true (lc_postings_finish (postings, NULL));
  lc_postings_free (postings);
  check (&store, all);
  store_clear (&store);
}

static void
test_random (void)
{
  GRand *random = g_rand_new_with_seed (3);

  for (guint i = 0; i < 1000; i++)
    check_random (random, (guint)g_rand_int_range (random, 0, 10));
  for (guint i = 0; i < 20; i++)
    check_random (random, 200);
  g_rand_free (random);
}

/* More than one run. */
static void
test_long (void)
{
  GRand *random = g_rand_new_with_seed (4);

  check_random (random, 10000);
  g_rand_free (random);
}

static gboolean
refuse_block (gpointer data G_GNUC_UNUSED, const GByteArray *bytes G_GNUC_UNUSED, guint64 *row G_GNUC_UNUSED,
              GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "full");
  return FALSE;
}

static void
test_refused (void)
{
  LcPostings *postings = lc_postings_new (refuse_block, take_index, NULL);
  g_autofree LcBlock *block = g_new0 (LcBlock, 1);
  g_autoptr (GError) error = NULL;

  block->n_events = 1;
  g_assert_true (lc_postings_add_block (postings, block, NULL));
  g_assert_false (lc_postings_finish (postings, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  lc_postings_free (postings);
}

/* --- Bytes ------------------------------------------------------------------------------------------------- */

static void
small_store (Store *store)
{
  LcPostings *postings = lc_postings_new (take_block, take_index, store);
  g_autofree LcBlock *block = g_new0 (LcBlock, 1);

  store_init (store);
  for (guint i = 0; i < 2; i++)
    {
      *block = (LcBlock){.n_events = 3,
                         .process = 5 + i,
                         .first_ordinal = 40 + 600 * i,
                         .object = {2, 2, 300},
                         .sequence = {i, i, -4},
                         .flags = {LC_TRACE_EVENT_SEQUENCE, LC_TRACE_EVENT_SEQUENCE, LC_TRACE_EVENT_SEQUENCE}};
      g_assert_true (lc_postings_add_block (postings, block, NULL));
    }
  g_assert_true (lc_postings_finish (postings, NULL));
  lc_postings_free (postings);
}

static void
test_golden (void)
{
  static const guint8 golden[] = {
      0x51, 6,                      /* kind, postings */
      0xff, 2,    0,    8, 80 - 15, /* object 2, sequence 0, process 0 + 1 + 4, ordinal 40 */
      0x20,                         /* the same again, ordinal + 1 */
      0xfd, 0,    0x9f, 9,          /* sequence + 1, process + 1, ordinal + 599 */
      0x20,                         /* ordinal + 1 */
      0x2b, 0xa9, 2,    7, 0,       /* object + 1 + 297, sequence -4, process 0 of those here, ordinal 41 + 1 */
      0x24,                         /* the same, process after it, ordinal 641 + 1 */
  };
  static const guint8 golden_index[] = {0x52, 1, 2, 0, 0xaa, 2, 7, 0x90, 0x4e};
  GBytes *block, *index;
  Store store;

  small_store (&store);
  block = store.blocks->pdata[0];
  index = store.indexes->pdata[0];
  g_assert_cmpmem (g_bytes_get_data (block, NULL), g_bytes_get_size (block) - 8, golden, sizeof golden);
  g_assert_cmpmem (g_bytes_get_data (index, NULL), g_bytes_get_size (index) - 8, golden_index, sizeof golden_index);
  store_clear (&store);
}

static gboolean
is_taken (const guint8 *bytes, gsize size)
{
  g_autoptr (GArray) postings = g_array_new (FALSE, FALSE, sizeof (LcPosting));
  g_autoptr (GArray) entries = lc_postings_decode_index (bytes, size);

  return lc_postings_decode (bytes, size, postings) || postings->len > 0 || entries != NULL;
}

static void
check_damaged (GBytes *bytes)
{
  gsize size = g_bytes_get_size (bytes);
  g_autofree guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), size);

  g_assert_true (is_taken (data, size));
  for (gsize i = 0; i < size * 255; i++)
    {
      data[i / 255] ^= (guint8)(i % 255 + 1);
      g_assert_false (is_taken (data, size));
      data[i / 255] ^= (guint8)(i % 255 + 1);
    }
  for (gsize i = 0; i < size; i++)
    g_assert_false (is_taken (data, i));
}

static void
test_damaged (void)
{
  Store store;

  small_store (&store);
  check_damaged (store.blocks->pdata[0]);
  check_damaged (store.indexes->pdata[0]);
  store_clear (&store);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/postings/random", test_random);
  g_test_add_func ("/postings/long", test_long);
  g_test_add_func ("/postings/refused", test_refused);
  g_test_add_func ("/postings/golden", test_golden);
  g_test_add_func ("/postings/damaged", test_damaged);
  return g_test_run ();
}
