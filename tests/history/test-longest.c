/* SPDX-License-Identifier: Apache-2.0 */
/* The longest arcs against a plain sort of all of them; their bytes. */
#include <string.h>

#include "history/longest.h"

typedef struct
{
  GHashTable *buckets; /* key to GArray of LcHistoryArc */
  gint64 last_key;
  guint64 n_arcs;
} Store;

static gboolean
take_bucket (gpointer data, gint64 key, const GByteArray *bytes, GError **error G_GNUC_UNUSED)
{
  Store *store = data;
  GArray *arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));

  g_assert_true (lc_longest_decode (bytes->data, bytes->len, arcs));
  g_assert_cmpint (key, >, store->last_key);
  g_assert_true (g_hash_table_insert (store->buckets, g_memdup2 (&key, sizeof key), arcs));
  store->last_key = key;
  store->n_arcs += arcs->len;
  return TRUE;
}

static void
store_init (Store *store)
{
  *store =
      (Store){.buckets = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_array_unref),
              .last_key = -1};
}

/* --- The reference ----------------------------------------------------------------------------------------- */

static guint64
length_of (const LcHistoryArc *arc)
{
  return arc->to_time - arc->from_time;
}

static int
compare (const void *a, const void *b)
{
  const LcHistoryArc *one = a, *other = b;

  if (length_of (one) != length_of (other))
    return length_of (one) > length_of (other) ? -1 : 1;
  if (one->to_time != other->to_time)
    return one->to_time < other->to_time ? -1 : 1;
  if (one->to_process != other->to_process)
    return one->to_process < other->to_process ? -1 : 1;
  return one->to_ordinal < other->to_ordinal ? -1 : one->to_ordinal > other->to_ordinal;
}

static void
assert_arcs_equal (const LcHistoryArc *a, const LcHistoryArc *b)
{
  g_assert_cmpuint (a->from_process, ==, b->from_process);
  g_assert_cmpuint (a->to_process, ==, b->to_process);
  g_assert_cmpuint (a->from_ordinal, ==, b->from_ordinal);
  g_assert_cmpuint (a->to_ordinal, ==, b->to_ordinal);
  g_assert_cmpuint (a->from_time, ==, b->from_time);
  g_assert_cmpuint (a->to_time, ==, b->to_time);
  g_assert_cmpuint (a->object, ==, b->object);
  g_assert_cmpuint (a->rule, ==, b->rule);
  g_assert_cmpint (a->from_point, ==, b->from_point);
}

static guint
kept_on (guint level, guint first_lowest)
{
  return level < first_lowest + 2 ? LC_LONGEST_KEPT / 4 : LC_LONGEST_KEPT;
}

/* `arcs` are sorted: they must be in their buckets in this order, and none else. */
static void
check_buckets (const Store *store, const GArray *arcs, guint lowest, guint first_lowest)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint64 n = 0;

  for (guint i = 0; i < arcs->len; i++)
    {
      const LcHistoryArc *arc = &g_array_index (arcs, LcHistoryArc, i);
      guint level, place;
      gint64 key;
      GArray *bucket;

      if (arc->to_time <= arc->from_time || length_of (arc) >> lowest == 0)
        continue;
      level = (guint)g_bit_storage (length_of (arc)) - 1;
      key = lc_longest_key (2, level, arc->to_time >> level);
      place = GPOINTER_TO_UINT (g_hash_table_lookup (seen, &key));
      g_hash_table_insert (seen, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (place + 1));
      bucket = g_hash_table_lookup (store->buckets, &key);
      g_assert_nonnull (bucket);
      if (place >= kept_on (level, first_lowest))
        continue;
      g_assert_cmpuint (bucket->len, >, place);
      assert_arcs_equal (&g_array_index (bucket, LcHistoryArc, place), arc);
      n++;
    }
  g_assert_cmpuint (n, ==, store->n_arcs);
}

static gboolean
touches (const LcHistoryArc *arc, guint64 from, guint64 to)
{
  return arc->from_time < to && arc->to_time >= from;
}

/* What a reader does; FALSE: a bucket at an end of the span is full. */
static gboolean
query (const Store *store, guint lowest, guint first_lowest, guint64 from, guint64 to, GArray *found)
{
  gboolean is_exact = TRUE;

  for (guint level = lowest; level < 64; level++)
    for (guint64 number = from >> level; number <= (to >> level) + 2; number++)
      {
        gint64 key = lc_longest_key (2, level, number);
        const GArray *bucket = g_hash_table_lookup (store->buckets, &key);
        gboolean is_inside = number << level >= from && number < to >> level;

        if (bucket == NULL)
          continue;
        is_exact = is_exact && (is_inside || bucket->len < kept_on (level, first_lowest));
        for (guint i = 0; i < bucket->len; i++)
          if (touches (&g_array_index (bucket, LcHistoryArc, i), from, to))
            g_array_append_val (found, g_array_index (bucket, LcHistoryArc, i));
      }
  g_array_sort (found, compare);
  return is_exact;
}

/* Gives whether the answer had to be exact. */
static gboolean
check_query (const Store *store, const GArray *arcs, guint lowest, guint first_lowest, guint64 from, guint64 to)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));
  guint n = 0;

  if (!query (store, lowest, first_lowest, from, to, found))
    return FALSE;
  for (guint i = 0; i < arcs->len && n < LC_LONGEST_KEPT / 4; i++)
    {
      const LcHistoryArc *arc = &g_array_index (arcs, LcHistoryArc, i);

      if (arc->to_time <= arc->from_time || length_of (arc) >> lowest == 0 || !touches (arc, from, to))
        continue;
      g_assert_cmpuint (found->len, >, n);
      assert_arcs_equal (&g_array_index (found, LcHistoryArc, n), arc);
      n++;
    }
  return TRUE;
}

/* --- Random arcs ------------------------------------------------------------------------------------------- */

static guint64
random_number (GRand *random, guint most)
{
  guint64 number = (guint64)g_rand_int (random) << 32 | g_rand_int (random);
  guint bits = (guint)g_rand_int_range (random, 0, (gint32)most + 1);

  return bits == 0 ? 0 : number >> (64 - bits);
}

static GArray *
random_arcs (GRand *random, guint n, guint bits, guint lengths)
{
  GArray *arcs = g_array_new (FALSE, TRUE, sizeof (LcHistoryArc));

  for (guint i = 0; i < n; i++)
    {
      LcHistoryArc arc = {.from_process = g_rand_int (random),
                          .to_process = (guint32)random_number (random, 32),
                          .from_ordinal = random_number (random, 64),
                          .to_ordinal = i,
                          .object = g_rand_int_range (random, 0, 4) ? g_rand_int (random) : LC_TRACE_NONE,
                          .rule = (guint16)g_rand_int (random),
                          .from_point = g_rand_int_range (random, 0, 2) ? LC_POINT_END : LC_POINT_BEGIN};

      arc.from_time = ((guint64)g_rand_int (random) << 32 | g_rand_int (random)) >> (64 - bits);
      arc.to_time = arc.from_time + random_number (random, lengths);
      if (g_rand_int_range (random, 0, 50) == 0)
        arc.to_time = arc.from_time / 2;
      g_array_append_val (arcs, arc);
    }
  return arcs;
}

static guint
check_random (GRand *random, guint n, gboolean wrong)
{
  guint bits = (guint)g_rand_int_range (random, 2, 50), lengths = (guint)g_rand_int_range (random, 1, (gint32)bits + 1);
  g_autoptr (GArray) arcs = random_arcs (random, n, bits, lengths);
  guint64 end = (G_GUINT64_CONSTANT (1) << bits) + (G_GUINT64_CONSTANT (1) << lengths);
  LcLongest *longest = lc_longest_new (2, wrong ? random_number (random, 20) : n, wrong ? end >> 9 : end);
  guint first_lowest = lc_longest_get_lowest (longest), lowest, n_exact = 0;
  Store store;

  store_init (&store);
  for (guint i = 0; i < n; i++)
    lc_longest_add (longest, &g_array_index (arcs, LcHistoryArc, i));
  g_assert_true (lc_longest_finish (longest, take_bucket, &store, NULL));
  lowest = lc_longest_get_lowest (longest);
  lc_longest_free (longest);
  g_assert_cmpuint (lowest, >=, first_lowest);
  if (!wrong)
    g_assert_cmpuint (lowest, ==, first_lowest);
  g_array_sort (arcs, compare);
  check_buckets (&store, arcs, lowest, first_lowest);
  g_assert_true (check_query (&store, arcs, lowest, first_lowest, 0, end));
  for (guint i = 0; i < 5; i++)
    {
      guint64 from = random_number (random, bits), to = from + 1 + random_number (random, bits);

      n_exact += check_query (&store, arcs, lowest, first_lowest, from, to);
    }
  g_hash_table_unref (store.buckets);
  return n_exact;
}

static void
test_random (void)
{
  GRand *random = g_rand_new_with_seed (5);
  guint n_exact = 0;

  for (guint i = 0; i < 3000; i++)
    n_exact += check_random (random, (guint)g_rand_int_range (random, 1, i % 20 == 0 ? 3000 : 100), i % 4 == 0);
  for (guint i = 0; i < 4; i++)
    check_random (random, 50000, i == 3);
  g_assert_cmpuint (n_exact, >, 5000);
  g_rand_free (random);
}

/* The order in which arcs come does not matter. */
static gboolean
append_bytes (gpointer data, gint64 key, const GByteArray *bytes, GError **error G_GNUC_UNUSED)
{
  g_byte_array_append (data, (const guint8 *)&key, sizeof key);
  g_byte_array_append (data, bytes->data, bytes->len);
  return TRUE;
}

static void
test_order (void)
{
  GRand *random = g_rand_new_with_seed (6);
  g_autoptr (GArray) arcs = random_arcs (random, 20000, 30, 28);
  g_autoptr (GByteArray) first = g_byte_array_new (), second = g_byte_array_new ();

  for (guint turn = 0; turn < 2; turn++)
    {
      LcLongest *longest = lc_longest_new (0, arcs->len, 1 << 30);

      for (guint i = 0; i < arcs->len; i++)
        lc_longest_add (longest, &g_array_index (arcs, LcHistoryArc, turn == 0 ? i : arcs->len - 1 - i));
      g_assert_true (lc_longest_finish (longest, append_bytes, turn == 0 ? first : second, NULL));
      lc_longest_free (longest);
    }
  g_assert_cmpmem (first->data, first->len, second->data, second->len);
  g_rand_free (random);
}

/* More long arcs than there is room for: the lowest levels are given up. */
static gboolean
count_bucket (gpointer data, gint64 key, const GByteArray *bytes, GError **error G_GNUC_UNUSED)
{
  g_autoptr (GArray) arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));

  g_assert_true (lc_longest_decode (bytes->data, bytes->len, arcs));
  g_assert_cmpuint (key >> 49 & 0x3f, >=, ((guint64 *)data)[1]);
  *(guint64 *)data += arcs->len;
  return TRUE;
}

static void
test_many (void)
{
  LcLongest *longest = lc_longest_new (0, G_MAXUINT32, (1 << 30) - 1);
  guint lowest = lc_longest_get_lowest (longest);
  guint64 counted[2] = {0};

  g_assert_cmpuint (lowest, ==, 14);
  for (guint64 i = 0; i < 3000000; i++)
    {
      LcHistoryArc arc = {.to_ordinal = i, .from_time = (i * 7919 * 211) % (1 << 30)};

      arc.to_time = arc.from_time + (G_GUINT64_CONSTANT (1) << (lowest + i % 5)) + i % 1000;
      lc_longest_add (longest, &arc);
    }
  counted[1] = lc_longest_get_lowest (longest);
  g_assert_cmpuint (counted[1], >, lowest);
  g_assert_cmpuint (counted[1], <, lowest + 4);
  g_assert_true (lc_longest_finish (longest, count_bucket, counted, NULL));
  g_assert_cmpuint (counted[0], >, 100000);
  g_assert_cmpuint (counted[0], <=, 3 << 19);
  lc_longest_free (longest);
}

static void
test_key (void)
{
  g_assert_cmpint (lc_longest_key (0, 0, 1), ==, 1);
  g_assert_cmpint (lc_longest_key (0, 1, 0), ==, G_GINT64_CONSTANT (1) << 49);
  g_assert_cmpint (lc_longest_key (255, 63, (G_GUINT64_CONSTANT (1) << 49) - 1), ==, G_MAXINT64);
}

/* --- Bytes ------------------------------------------------------------------------------------------------- */

static void
small_bucket (GByteArray *bytes)
{
  static const LcHistoryArc arcs[] = {
      {1, 2, 300, 4, 1000, 1200, 5, 6, LC_POINT_END},
      {2, 1, 8, 9, 1010, 1240, LC_TRACE_NONE, 7, LC_POINT_BEGIN},
  };
  LcLongest *longest = lc_longest_new (0, 1000, 4000);

  for (guint i = 0; i < G_N_ELEMENTS (arcs); i++)
    lc_longest_add (longest, &arcs[i]);
  g_assert_true (lc_longest_finish (longest, append_bytes, bytes, NULL));
  g_byte_array_remove_range (bytes, 0, sizeof (gint64));
  lc_longest_free (longest);
}

static void
test_golden (void)
{
  static const guint8 golden[] = {0x71, 2,                                     /* kind, arcs */
                                  0xe6, 1,  0xb0, 0x13, 1, 9,    2, 8,  14, 0, /* 230 ns, 1240 ... */
                                  30,   79, 2,    4,    1, 0xac, 2, 13, 6};    /* 30 less, 40 before ... */
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  small_bucket (bytes);
  g_assert_cmpmem (bytes->data, bytes->len - 8, golden, sizeof golden);
}

static void
test_damaged (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GArray) arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));

  small_bucket (bytes);
  g_assert_true (lc_longest_decode (bytes->data, bytes->len, arcs));
  g_assert_cmpuint (arcs->len, ==, 2);
  for (guint i = 0; i < bytes->len * 255; i++)
    {
      bytes->data[i / 255] ^= (guint8)(i % 255 + 1);
      g_assert_false (lc_longest_decode (bytes->data, bytes->len, arcs));
      bytes->data[i / 255] ^= (guint8)(i % 255 + 1);
    }
  for (guint i = 0; i < bytes->len; i++)
    g_assert_false (lc_longest_decode (bytes->data, i, arcs));
  g_assert_cmpuint (arcs->len, ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/longest/random", test_random);
  g_test_add_func ("/longest/order", test_order);
  g_test_add_func ("/longest/many", test_many);
  g_test_add_func ("/longest/key", test_key);
  g_test_add_func ("/longest/golden", test_golden);
  g_test_add_func ("/longest/damaged", test_damaged);
  return g_test_run ();
}
