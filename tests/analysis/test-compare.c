/* SPDX-License-Identifier: Apache-2.0 */
/* Two histories are aligned as a table of all their events says; on small random ones, and on some made by hand. */
#include "analysis/compare-parts.h"
#include "case.h"

/* --- All events of a history, by what makes them the same ------------------------------------------------------------
 */

typedef struct
{
  char *object; /* with its class */
  guint32 number;
  char *key;
  LcHistoryEvent event;
} Row;

static void
free_row (gpointer data)
{
  Row *row = data;

  g_free (row->object);
  g_free (row->key);
  g_free (row);
}

typedef struct
{
  LcHistory *history;
  GPtrArray *rows;     /* Row, by process and ordinal */
  GHashTable *by_key;  /* Row */
  GHashTable *objects; /* names of those that have events */
} Table;

static gboolean
add_row (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Table *table = data;
  const char *process = lc_history_get_process (table->history, event->process)->name;
  const char *operation = lc_history_get_operation (table->history, event->operation)->name;
  LcHistoryObject object;
  Row *row;

  if (event->object == LC_TRACE_NONE)
    return TRUE;
  g_assert_true (lc_history_get_object (table->history, event->object, &object, NULL));
  row = g_new0 (Row, 1);
  *row = (Row){
      .object = g_strdup_printf ("%s %s", object.class_name, object.name), .number = event->object, .event = *event};
  lc_history_object_clear (&object);
  g_hash_table_add (table->objects, g_strdup (row->object));
  if ((event->flags & LC_TRACE_EVENT_SEQUENCE) == 0)
    {
      free_row (row);
      return TRUE;
    }
  for (guint n = 0; row->key == NULL || g_hash_table_contains (table->by_key, row->key); n++)
    {
      g_free (row->key);
      row->key =
          g_strdup_printf ("%s %" G_GINT64_FORMAT " %s %s %u", row->object, event->sequence, process, operation, n);
    }
  g_ptr_array_add (table->rows, row);
  g_hash_table_insert (table->by_key, row->key, row);
  return TRUE;
}

static void
table_init (Table *table, LcHistory *history)
{
  g_autoptr (GError) error = NULL;

  *table = (Table){history, g_ptr_array_new_with_free_func (free_row), g_hash_table_new (g_str_hash, g_str_equal),
                   g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL)};
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      lc_history_visit (history, LC_TIMELINE_MEASURED, i, 0, G_MAXUINT64, add_row, table, NULL, &error);
      g_assert_no_error (error);
    }
}

static void
table_clear (Table *table)
{
  g_hash_table_unref (table->by_key);
  g_hash_table_unref (table->objects);
  g_ptr_array_unref (table->rows);
}

/* --- What a comparison has to say
 * ------------------------------------------------------------------------------------- */

static gboolean
is_alone (const Table *other, const Row *row)
{
  return g_hash_table_contains (other->objects, row->object) && !g_hash_table_contains (other->by_key, row->key);
}

/* The first sequence of an object with an event that one side only has. */
static gboolean
find_difference (const Table tables[2], const char *object, gint64 *sequence)
{
  gboolean found = FALSE;

  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < tables[side].rows->len; i++)
      {
        const Row *row = tables[side].rows->pdata[i];

        if (!g_str_equal (row->object, object) || !is_alone (&tables[1 - side], row))
          continue;
        if (!found || row->event.sequence < *sequence)
          *sequence = row->event.sequence;
        found = TRUE;
      }
  return found;
}

static const Row *
find_first_alone (const Table tables[2], guint side, const char *object, gint64 sequence)
{
  const Row *first = NULL;

  for (guint i = 0; i < tables[side].rows->len; i++)
    {
      const Row *row = tables[side].rows->pdata[i];

      if (g_str_equal (row->object, object) && row->event.sequence == sequence && is_alone (&tables[1 - side], row) &&
          (first == NULL || row->event.begin < first->event.begin))
        first = row;
    }
  return first;
}

static char *
dup_object (LcHistory *history, guint32 number)
{
  LcHistoryObject object;
  char *text;

  g_assert_true (lc_history_get_object (history, number, &object, NULL));
  text = g_strdup_printf ("%s %s", object.class_name, object.name);
  lc_history_object_clear (&object);
  return text;
}

static guint64
get_begin (const LcComparedPair *pair)
{
  guint64 first = pair->events[0].process != LC_TRACE_NONE ? pair->events[0].begin : G_MAXUINT64;
  guint64 second = pair->events[1].process != LC_TRACE_NONE ? pair->events[1].begin : G_MAXUINT64;

  return MIN (first, second);
}

static void
check_order (const Table tables[2], const LcComparison *comparison)
{
  GHashTableIter iterator;
  gpointer object;
  guint n_differing = 0;

  g_hash_table_iter_init (&iterator, tables[0].objects);
  while (g_hash_table_iter_next (&iterator, &object, NULL))
    {
      gint64 sequence;

      n_differing += g_hash_table_contains (tables[1].objects, object) && find_difference (tables, object, &sequence);
    }
  g_assert_cmpuint (comparison->n_differing, ==, n_differing);
  g_assert_cmpuint (comparison->order->len, ==, n_differing);
  for (guint i = 0; i < n_differing; i++)
    {
      const LcComparedPair *pair = &g_array_index (comparison->order, LcComparedPair, i);
      g_autofree char *name = dup_object (tables[0].history, pair->objects[0]);
      gint64 sequence = 0;

      g_assert_true (find_difference (tables, name, &sequence));
      g_assert_cmpint (pair->sequence, ==, sequence);
      for (guint side = 0; side < 2; side++)
        {
          const Row *row = find_first_alone (tables, side, name, sequence);

          g_assert_cmpuint (pair->events[side].process == LC_TRACE_NONE, ==, row == NULL);
          if (row != NULL)
            g_assert_cmpuint (pair->events[side].begin, ==, row->event.begin);
        }
      if (i > 0)
        g_assert_cmpuint (get_begin (pair), >=, get_begin (pair - 1));
    }
}

static guint64
get_difference (const LcHistoryEvent *one, const LcHistoryEvent *other)
{
  guint64 first = one->end - one->begin, second = other->end - other->begin;

  return MAX (first, second) - MIN (first, second);
}

static int
compare_largest (gconstpointer a, gconstpointer b)
{
  guint64 one = *(const guint64 *)a, other = *(const guint64 *)b;

  return one < other ? 1 : one > other ? -1 : 0;
}

static void
check_times (const Table tables[2], const LcComparison *comparison, guint limit)
{
  g_autoptr (GArray) differences = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint n_pairs = 0;

  for (guint i = 0; i < tables[0].rows->len; i++)
    {
      const Row *row = tables[0].rows->pdata[i], *other = g_hash_table_lookup (tables[1].by_key, row->key);
      guint64 difference = other != NULL ? get_difference (&row->event, &other->event) : 0;

      n_pairs += other != NULL;
      if (difference > 0)
        g_array_append_val (differences, difference);
    }
  g_array_sort (differences, compare_largest);
  g_assert_cmpuint (comparison->n_pairs, ==, n_pairs);
  g_assert_cmpuint (comparison->times->len, ==, MIN (differences->len, limit));
  for (guint i = 0; i < comparison->times->len; i++)
    {
      const LcComparedPair *pair = &g_array_index (comparison->times, LcComparedPair, i);
      guint64 first = pair->events[0].end - pair->events[0].begin;
      guint64 second = pair->events[1].end - pair->events[1].begin;

      g_assert_cmpuint (MAX (first, second) - MIN (first, second), ==, g_array_index (differences, guint64, i));
    }
}

static void
check_alone (const Table tables[2], const LcComparison *comparison)
{
  for (guint side = 0; side < 2; side++)
    {
      guint n_alone = 0;

      for (guint i = 0; i < tables[side].rows->len; i++)
        n_alone += is_alone (&tables[1 - side], tables[side].rows->pdata[i]);
      g_assert_cmpuint (comparison->n_alone[side], ==, n_alone);
    }
}

static void
check_partners (const Table tables[2], const LcCompareSide sides[2])
{
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < tables[side].rows->len; i++)
      {
        const Row *row = tables[side].rows->pdata[i];
        const Row *other = g_hash_table_lookup (tables[1 - side].by_key, row->key);
        g_autoptr (GError) error = NULL;
        LcHistoryEvent partner;
        gboolean found =
            lc_compare_find_partner (sides, side, row->event.process, row->event.ordinal, &partner, NULL, &error);

        g_assert_cmpint (found, ==, other != NULL);
        if (found)
          g_assert_cmpuint (partner.ordinal, ==, other->event.ordinal);
        else
          g_assert_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN);
      }
}

static void
check (Case *one, Case *other)
{
  const LcCompareSide sides[2] = {{one->history, LC_TIMELINE_MEASURED}, {other->history, LC_TIMELINE_MEASURED}};
  g_autoptr (GError) error = NULL;
  g_autoptr (LcComparison) all = lc_compare (sides, G_MAXSIZE, NULL, NULL, NULL, &error);
  g_autoptr (LcComparison) some = NULL, parts = NULL;
  Table tables[2];

  g_assert_no_error (error);
  some = lc_compare (sides, 3, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  table_init (&tables[0], one->history);
  table_init (&tables[1], other->history);
  check_order (tables, all);
  check_times (tables, all, G_MAXUINT);
  check_times (tables, some, 3);
  g_assert_cmpuint (some->order->len, ==, MIN (all->order->len, 3));
  check_alone (tables, all);
  parts = lc_compare_in_parts (sides, G_MAXSIZE, 2, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  check_order (tables, parts);
  check_times (tables, parts, G_MAXUINT);
  check_alone (tables, parts);
  check_partners (tables, sides);
  table_clear (&tables[0]);
  table_clear (&tables[1]);
}

static void
test_random (void)
{
  for (guint32 seed = 0; seed < random_trials (40); seed++)
    {
      g_autoptr (RandomHistory) random = random_history_new (seed, 2 + seed % 4, 20 + seed % 30);
      g_autoptr (RandomHistory) another = random_history_new (seed + 1000, 2 + seed % 3, 20 + seed % 20);
      g_autoptr (Case) one = case_new_random (random, 0, seed);
      g_autoptr (Case) skewed = case_new_random (random, 50, seed + 1);
      g_autoptr (Case) other = case_new_random (another, 0, seed);

      check (one, skewed);
      check (one, other);
    }
}

/* a and b take the mutex in turn; in the other run b is first, and its critical section takes longer. */
static const char *const first[] = {"a", "0 10 lock m 0\n20 30 unlock m 0\n100 110 barrier end 0\n", "b",
                                    "5 35 lock m 1\n40 50 unlock m 1\n90 110 barrier end 0\n", NULL};
static const char *const second[] = {"a", "5 85 lock m 1\n90 95 unlock m 1\n100 110 barrier end 0\n", "b",
                                     "0 10 lock m 0\n70 80 unlock m 0\n85 110 barrier end 0\n", NULL};

static void
test_by_hand (void)
{
  g_autoptr (Case) one = case_new (first, NULL), other = case_new (second, NULL);
  const LcCompareSide sides[2] = {{one->history, LC_TIMELINE_MEASURED}, {other->history, LC_TIMELINE_MEASURED}};
  g_autoptr (LcComparison) comparison = lc_compare (sides, 10, NULL, NULL, NULL, NULL);
  const LcComparedPair *pair;

  g_assert_cmpuint (comparison->n_objects, ==, 2);
  g_assert_cmpuint (comparison->n_differing, ==, 1);
  pair = &g_array_index (comparison->order, LcComparedPair, 0);
  g_assert_cmpint (pair->sequence, ==, 0);
  g_assert_cmpuint (pair->events[0].process, ==, 0);
  g_assert_cmpuint (pair->events[1].process, ==, 1);
  g_assert_cmpuint (comparison->n_pairs, ==, 2);
  g_assert_cmpuint (comparison->times->len, ==, 1); /* b's barrier: 20 and 25 */
  pair = &g_array_index (comparison->times, LcComparedPair, 0);
  g_assert_cmpuint (pair->events[0].process, ==, 1);
  g_assert_cmpuint (comparison->processes->len, ==, 2);
}

static void
test_same (void)
{
  g_autoptr (Case) one = case_new (first, NULL);
  const LcCompareSide sides[2] = {{one->history, LC_TIMELINE_MEASURED}, {one->history, LC_TIMELINE_MEASURED}};
  g_autoptr (LcComparison) comparison = lc_compare (sides, 10, NULL, NULL, NULL, NULL);

  g_assert_cmpuint (comparison->n_pairs, ==, 6);
  g_assert_cmpuint (comparison->order->len, ==, 0);
  g_assert_cmpuint (comparison->times->len, ==, 0);
}

/* A hundred acquisitions, of which the 70th and the 90th are another process's; the ends of the range of sequences. */
static Case *
new_long_case (gboolean differs)
{
  g_autoptr (GString) first_text = g_string_new (NULL), second_text = g_string_new (NULL);
  GString *texts[2] = {first_text, second_text};

  for (guint i = 0; i < 100; i++)
    g_string_append_printf (texts[(i + (differs && (i == 70 || i == 90))) % 2], "%u %u lock m %u\n%u %u unlock m %u\n",
                            10 * i, 10 * i + 4, i, 10 * i + 5, 10 * i + 6 + (differs && i == 33), i);
  g_string_append (texts[0], "2000 2010 advance A -9223372036854775807\n2020 2030 advance A 9223372036854775807\n");
  return case_new ((const char *const[]){"a", texts[0]->str, "b", texts[1]->str, NULL}, NULL);
}

static void
test_parts (void)
{
  g_autoptr (Case) one = new_long_case (FALSE), other = new_long_case (TRUE);
  const LcCompareSide sides[2] = {{one->history, LC_TIMELINE_MEASURED}, {other->history, LC_TIMELINE_MEASURED}};

  for (guint64 most = 1; most < 200; most = most * 3 + 1)
    {
      g_autoptr (LcComparison) comparison = lc_compare_in_parts (sides, 10, most, NULL, NULL, NULL, NULL);
      const LcComparedPair *pair;

      g_assert_nonnull (comparison);
      g_assert_cmpuint (comparison->n_pairs, ==, 198);
      g_assert_cmpuint (comparison->n_alone[0], ==, 4);
      g_assert_cmpuint (comparison->n_alone[1], ==, 4);
      g_assert_cmpuint (comparison->order->len, ==, 1);
      pair = &g_array_index (comparison->order, LcComparedPair, 0);
      g_assert_cmpint (pair->sequence, ==, 70);
      g_assert_cmpuint (pair->events[0].process, ==, 0);
      g_assert_cmpuint (pair->events[1].process, ==, 1);
      g_assert_cmpuint (comparison->times->len, ==, 1);
      g_assert_cmpint (g_array_index (comparison->times, LcComparedPair, 0).sequence, ==, 33);
    }
}

/* A trace of many blocks, with two objects that have most events, and 40 that have some, everywhere in it. `is_other`:
 * some events last longer, and some are not there. */
static Case *
new_scattered_case (gboolean is_other)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 small[40] = {0};

  for (gint64 i = 0; i < 12000; i++)
    {
      guint object = (guint)(i / 50) % 40;

      g_string_append_printf (text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " advance big%d %" G_GINT64_FORMAT "\n",
                              10 * i, 10 * i + 1 + (is_other && i % 1000 == 3), (int)(i % 2), i);
      if (i % 50 != 7 || (is_other && i % 900 == 7))
        continue;
      g_string_append_printf (text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " advance small%u %" G_GINT64_FORMAT "\n",
                              10 * i + 4, 10 * i + 5 + (is_other && object == 3), object, small[object]++);
    }
  return case_new ((const char *const[]){"a", text->str, NULL}, NULL);
}

static void
assert_same_pairs (const GArray *some, const GArray *others)
{
  g_assert_cmpuint (some->len, ==, others->len);
  for (guint i = 0; i < some->len; i++)
    {
      const LcComparedPair *one = &g_array_index (some, LcComparedPair, i);
      const LcComparedPair *other = &g_array_index (others, LcComparedPair, i);

      g_assert_cmpint (one->sequence, ==, other->sequence);
      for (guint side = 0; side < 2; side++)
        {
          g_assert_cmpuint (one->objects[side], ==, other->objects[side]);
          g_assert_cmpuint (one->events[side].process, ==, other->events[side].process);
          g_assert_cmpuint (one->events[side].ordinal, ==, other->events[side].ordinal);
        }
    }
}

/* All objects together are read in a visit of all events; two small ones, object by object; a large one, in ranges. */
static void
test_together (void)
{
  g_autoptr (Case) one = new_scattered_case (FALSE), other = new_scattered_case (TRUE);
  const LcCompareSide sides[2] = {{one->history, LC_TIMELINE_MEASURED}, {other->history, LC_TIMELINE_MEASURED}};
  g_autoptr (LcComparison) together = lc_compare (sides, 30, NULL, NULL, NULL, NULL);

  g_assert_nonnull (together);
  g_assert_cmpuint (together->n_objects, ==, 42);
  g_assert_cmpuint (together->times->len, ==, 18);
  g_assert_cmpuint (together->n_alone[0], >, 0);
  for (guint64 most = 7; most < 20000; most *= 8)
    {
      g_autoptr (LcComparison) parts = lc_compare_in_parts (sides, 30, most, NULL, NULL, NULL, NULL);

      g_assert_nonnull (parts);
      g_assert_cmpuint (parts->n_objects, ==, together->n_objects);
      g_assert_cmpuint (parts->n_pairs, ==, together->n_pairs);
      g_assert_cmpuint (parts->n_alone[0], ==, together->n_alone[0]);
      g_assert_cmpuint (parts->n_alone[1], ==, together->n_alone[1]);
      g_assert_cmpuint (parts->n_differing, ==, together->n_differing);
      assert_same_pairs (parts->times, together->times);
      assert_same_pairs (parts->order, together->order);
    }
}

static void
test_cancelled (void)
{
  g_autoptr (Case) one = case_new (first, NULL);
  const LcCompareSide sides[2] = {{one->history, LC_TIMELINE_MEASURED}, {one->history, LC_TIMELINE_MEASURED}};
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (lc_compare (sides, 10, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/by-hand", test_by_hand);
  g_test_add_func ("/compare/same", test_same);
  g_test_add_func ("/compare/parts", test_parts);
  g_test_add_func ("/compare/together", test_together);
  g_test_add_func ("/compare/cancelled", test_cancelled);
  g_test_add_func ("/compare/random", test_random);
  return g_test_run ();
}
