/* SPDX-License-Identifier: Apache-2.0 */
/* The pyramid against what the events themselves give for each bucket of each level; its bytes. */
#include <string.h>

#include "history/pyramid.h"
#include "lightcone/states.h"
#include "random-trials.h"

/* Two absences at most: one between the event and the one before it, and one in the part of it after the waiting. */
typedef struct
{
  LcHistoryEvent event;
  gboolean holding, held_after;
  LcBlockAbsence absences[2]; /* begin = end: none */
} Step;

typedef struct
{
  GHashTable *chunks; /* key to GBytes */
  guint64 bytes, stray;
} Store;

static gboolean
take_chunk (gpointer data, gint64 key, const GByteArray *bytes, GError **error G_GNUC_UNUSED)
{
  Store *store = data;
  gint64 *copy = g_memdup2 (&key, sizeof key);

  g_assert_true (g_hash_table_insert (store->chunks, copy, g_bytes_new (bytes->data, bytes->len)));
  store->bytes += bytes->len;
  return TRUE;
}

static void
store_init (Store *store)
{
  *store =
      (Store){.chunks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify)g_bytes_unref)};
}

static void
add_block (LcPyramid *pyramid, const GArray *steps, guint first, guint n)
{
  g_autoptr (LcBlock) block = lc_block_new ();
  guint8 held[LC_BLOCK_EVENTS];

  block->n_events = n;
  block->first_ordinal = g_array_index (steps, Step, first).event.ordinal;
  for (guint i = 0; i < n; i++)
    {
      const Step *step = &g_array_index (steps, Step, first + i);

      g_assert_cmpuint (step->event.ordinal, ==, block->first_ordinal + i);
      block->begin[i] = step->event.begin;
      block->end[i] = step->event.end;
      block->waited[i] = step->event.waited;
      block->woken[i] = step->event.woken;
      block->flags[i] = step->event.flags;
      for (guint k = 0; k < G_N_ELEMENTS (step->absences); k++)
        if (step->absences[k].begin < step->absences[k].end)
          {
            LcBlockAbsence absence = step->absences[k];

            absence.event = i;
            g_array_append_val (block->absences, absence);
          }
      block->layer[i] = step->event.layer;
      held[i] = (step->holding ? LC_PYRAMID_HOLDING : 0) | (step->held_after ? LC_PYRAMID_HELD_AFTER : 0);
    }
  g_assert_true (lc_pyramid_add_block (pyramid, block, held, NULL));
}

static void
build (Store *store, LcPyramidShape *shape, const GArray *steps, guint64 events, guint64 end)
{
  LcPyramid *pyramid = lc_pyramid_new (3, 7, events, end, take_chunk, store);
  guint size = 1; /* of a block: some are of one event, most are full */

  for (guint i = 0; i < steps->len; i += size)
    {
      size = i > 0 && i < steps->len / 8 ? 1 + i % 7 : LC_BLOCK_EVENTS;
      add_block (pyramid, steps, i, MIN (size, steps->len - i));
    }
  g_assert_true (lc_pyramid_finish (pyramid, shape, NULL));
  lc_pyramid_free (pyramid);
}

/* --- The reference ----------------------------------------------------------------------------------------- */

typedef struct
{
  GHashTable *buckets; /* number to LcSummaryBucket */
  LcSummaryBucket *last;
  guint64 last_number;
} Reference;

static LcSummaryBucket *
reference_at (Reference *reference, guint64 number)
{
  if (reference->last == NULL || reference->last_number != number)
    {
      reference->last_number = number;
      reference->last = g_hash_table_lookup (reference->buckets, &number);
      if (reference->last == NULL)
        {
          reference->last = g_new0 (LcSummaryBucket, 1);
          g_hash_table_insert (reference->buckets, g_memdup2 (&number, sizeof number), reference->last);
        }
    }
  return reference->last;
}

static void
add_state (LcSummaryBucket *bucket, LcProcessState state, guint64 time)
{
  guint64 *const states[LC_PROCESS_STATES] = {&bucket->running,   &bucket->waiting, &bucket->woken,
                                              &bucket->preempted, &bucket->outside, &bucket->unseen};

  *states[state] += time;
  if (state == LC_IS_UNSEEN)
    bucket->outside += time;
}

static void
refer_span (Reference *reference, guint level, guint64 from, guint64 to, LcProcessState state, gboolean holding)
{
  for (guint64 number = from >> level; from < to; number++)
    {
      guint64 end = MIN (to, (number + 1) << level);
      LcSummaryBucket *bucket = reference_at (reference, number);

      add_state (bucket, state, end - from);
      bucket->holding += holding ? end - from : 0;
      from = end;
    }
}

static void
refer_event (Reference *reference, guint64 number, const LcHistoryEvent *event)
{
  LcSummaryBucket *bucket = reference_at (reference, number);
  guint64 length = event->end - event->begin;

  if (bucket->events++ == 0 || length > bucket->longest)
    {
      bucket->longest = length;
      bucket->longest_ordinal = event->ordinal;
    }
}

/* A time of running, but for an absence. */
static void
refer_running (Reference *reference, guint level, guint64 from, guint64 to, const LcBlockAbsence *absence,
               gboolean holding)
{
  if (absence->begin == absence->end)
    {
      refer_span (reference, level, from, to, LC_IS_RUNNING, holding);
      return;
    }
  refer_span (reference, level, from, absence->begin, LC_IS_RUNNING, holding);
  refer_span (reference, level, absence->begin, absence->end, (LcProcessState)absence->state, holding);
  refer_span (reference, level, absence->end, to, LC_IS_RUNNING, holding);
}

static void
refer_in_layers (LcSummaryBucket *bucket, const Step *step, guint64 gap)
{
  const LcHistoryEvent *event = &step->event;
  guint64 rest = event->end - event->begin - event->waited - event->woken;

  add_state (bucket, LC_IS_WAITING, event->waited);
  add_state (bucket, LC_IS_WOKEN, event->woken);
  add_state (bucket, event->flags & LC_HISTORY_EVENT_OUTSIDE ? LC_IS_OUTSIDE : LC_IS_RUNNING, rest);
  add_state (bucket, LC_IS_RUNNING, gap);
  for (guint i = 0; i < G_N_ELEMENTS (step->absences); i++)
    {
      guint64 length = step->absences[i].end - step->absences[i].begin;

      bucket->running -= length;
      add_state (bucket, (LcProcessState)step->absences[i].state, length);
    }
}

static void
refer (Reference *reference, const GArray *steps, LcAxis axis, guint level)
{
  for (guint i = 0; i < steps->len; i++)
    {
      const Step *step = &g_array_index (steps, Step, i), *before = i == 0 ? NULL : step - 1;
      const LcHistoryEvent *event = &step->event;
      guint64 gap = before == NULL ? 0 : event->begin - before->event.end, waited = event->begin + event->waited;
      guint64 woken = waited + event->woken;

      if (axis == LC_AXIS_TIME)
        {
          refer_running (reference, level, event->begin - gap, event->begin, &step->absences[0],
                         before != NULL && before->held_after);
          refer_span (reference, level, event->begin, waited, LC_IS_WAITING, step->holding);
          refer_span (reference, level, waited, woken, LC_IS_WOKEN, step->holding);
          if (event->flags & LC_HISTORY_EVENT_OUTSIDE)
            refer_span (reference, level, woken, event->end, LC_IS_OUTSIDE, step->holding);
          else
            refer_running (reference, level, woken, event->end, &step->absences[1], step->holding);
          refer_event (reference, event->end >> level, event);
        }
      else
        {
          LcSummaryBucket *bucket = reference_at (reference, event->layer >> level);

          refer_event (reference, event->layer >> level, event);
          refer_in_layers (bucket, step, gap);
          bucket->holding +=
              (before != NULL && before->held_after ? gap : 0) + (step->holding ? event->end - event->begin : 0);
        }
    }
}

/* --- Comparing --------------------------------------------------------------------------------------------- */

static void
assert_buckets_equal (const LcSummaryBucket *a, const LcSummaryBucket *b)
{
  g_assert_cmpuint (a->running, ==, b->running);
  g_assert_cmpuint (a->waiting, ==, b->waiting);
  g_assert_cmpuint (a->woken, ==, b->woken);
  g_assert_cmpuint (a->preempted, ==, b->preempted);
  g_assert_cmpuint (a->outside, ==, b->outside);
  g_assert_cmpuint (a->unseen, ==, b->unseen);
  g_assert_cmpuint (a->holding, ==, b->holding);
  g_assert_cmpuint (a->events, ==, b->events);
  g_assert_cmpuint (a->longest, ==, b->longest);
  g_assert_cmpuint (a->longest_ordinal, ==, b->longest_ordinal);
}

/* Gives how many chunks there are on the level. */
static guint
check_chunks (const Store *store, Reference *reference, LcAxis axis, guint level)
{
  g_autoptr (GHashTable) chunks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer number;

  g_hash_table_iter_init (&iter, reference->buckets);
  while (g_hash_table_iter_next (&iter, &number, NULL))
    {
      guint64 chunk = *(guint64 *)number / LC_PYRAMID_CHUNK;
      gint64 key = lc_pyramid_key (3, axis, 7, level, chunk);
      GBytes *bytes = g_hash_table_lookup (store->chunks, &key);
      LcSummaryBucket buckets[LC_PYRAMID_CHUNK];

      if (!g_hash_table_add (chunks, g_memdup2 (&chunk, sizeof chunk)))
        continue;
      g_assert_nonnull (bytes);
      g_assert_true (lc_pyramid_decode (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), buckets));
      for (guint64 i = 0; i < LC_PYRAMID_CHUNK; i++)
        {
          static const LcSummaryBucket nothing;
          guint64 at = chunk * LC_PYRAMID_CHUNK + i;
          const LcSummaryBucket *expected = g_hash_table_lookup (reference->buckets, &at);

          assert_buckets_equal (&buckets[i], expected != NULL ? expected : &nothing);
        }
    }
  return g_hash_table_size (chunks);
}

static void
check (Store *store, const LcPyramidShape *shape, const GArray *steps)
{
  const LcHistoryEvent *last = &g_array_index (steps, Step, steps->len - 1).event;
  guint64 expected = 0, given = 0;
  GHashTableIter iter;
  gpointer key;

  g_assert_cmpuint (shape->begin, ==, g_array_index (steps, Step, 0).event.begin);
  g_assert_cmpuint (shape->end, ==, last->end);
  for (LcAxis axis = LC_AXIS_TIME; axis <= LC_AXIS_LAYER; axis++)
    {
      g_assert_cmpuint ((axis == LC_AXIS_TIME ? last->end : last->layer) >> shape->highest[axis], ==, 0);
      if (shape->highest[axis] > shape->lowest[axis])
        g_assert_cmpuint ((axis == LC_AXIS_TIME ? last->end : last->layer) >> (shape->highest[axis] - 1), ==, 1);
      for (guint level = shape->lowest[axis]; level <= shape->highest[axis]; level++)
        {
          Reference reference = {.buckets = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free)};

          refer (&reference, steps, axis, level);
          expected += check_chunks (store, &reference, axis, level);
          if (level == shape->lowest[axis])
            g_assert_cmpuint (g_hash_table_size (reference.buckets), <=, steps->len / 4 + 200);
          g_hash_table_unref (reference.buckets);
        }
    }
  g_hash_table_iter_init (&iter, store->chunks);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      guint level = *(gint64 *)key >> 26 & 0x3f, axis = *(gint64 *)key >> 54 & 1;

      g_assert_cmpuint (level, <=, shape->highest[axis]);
      given += level >= shape->lowest[axis];
    }
  g_assert_cmpuint (given, ==, expected);
  store->stray = g_hash_table_size (store->chunks) - given;
}

/* --- Random processes -------------------------------------------------------------------------------------- */

static guint64
random_length (GRand *random, guint most)
{
  guint64 number = (guint64)g_rand_int (random) << 32 | g_rand_int (random);
  guint bits = (guint)g_rand_int_range (random, 0, (gint32)most + 1);

  return bits == 0 ? 0 : number >> (64 - bits);
}

static LcBlockAbsence
random_absence (GRand *random, guint64 from, guint64 to)
{
  guint64 begin = from + (guint64)((double)(to - from) * g_rand_double (random));
  guint64 end = begin + (guint64)((double)(to - begin) * g_rand_double (random));

  return (LcBlockAbsence){begin, MAX (end, begin), 0, g_rand_int_range (random, 0, 2) ? LC_IS_PREEMPTED : LC_IS_UNSEEN};
}

/* Gives the event what is not waiting: woken, outside, or absences. */
static void
add_states (GRand *random, Step *step, guint64 before)
{
  LcHistoryEvent *event = &step->event;
  guint64 rest = event->end - event->begin - event->waited;

  if (event->waited > 0 && g_rand_int_range (random, 0, 2))
    event->woken = (guint64)((double)rest * g_rand_double (random));
  if (event->woken > rest)
    event->woken = rest;
  if (g_rand_int_range (random, 0, 20) == 0)
    event->flags |= LC_HISTORY_EVENT_OUTSIDE;
  if (g_rand_int_range (random, 0, 10) == 0 && event->ordinal > 0)
    step->absences[0] = random_absence (random, before, event->begin);
  if (g_rand_int_range (random, 0, 10) == 0 && !(event->flags & LC_HISTORY_EVENT_OUTSIDE))
    step->absences[1] = random_absence (random, event->begin + event->waited + event->woken, event->end);
}

static GArray *
random_steps (GRand *random, guint n)
{
  GArray *steps = g_array_new (FALSE, TRUE, sizeof (Step));
  guint gap = (guint)g_rand_int_range (random, 0, 20), length = (guint)g_rand_int_range (random, 0, 20);
  guint rare = (guint)g_rand_int_range (random, 0, 40), stride = (guint)g_rand_int_range (random, 0, 12);
  guint64 time = random_length (random, rare), layer = random_length (random, rare);
  gboolean has_states = g_rand_int_range (random, 0, 3) > 0;

  for (guint i = 0; i < n; i++)
    {
      Step step = {.holding = g_rand_int_range (random, 0, 2), .held_after = g_rand_int_range (random, 0, 3) == 0};
      gboolean odd = g_rand_int_range (random, 0, 50) == 0;
      guint64 waited;

      step.event.process = 7;
      step.event.ordinal = i;
      step.event.begin = time + random_length (random, odd ? rare : gap);
      step.event.end = step.event.begin + random_length (random, odd ? rare : length);
      waited = random_length (random, odd ? rare : length);
      if (g_rand_int_range (random, 0, 2))
        step.event.waited = MIN (waited, step.event.end - step.event.begin);
      if (odd && g_rand_int_range (random, 0, 2))
        step.event.waited = step.event.end - step.event.begin;
      step.event.layer = layer + 1 + random_length (random, odd ? rare / 2 : stride);
      if (has_states)
        add_states (random, &step, time);
      time = step.event.end;
      layer = step.event.layer;
      g_array_append_val (steps, step);
    }
  return steps;
}

static void
check_random (GRand *random, guint n, gboolean wrong)
{
  g_autoptr (GArray) steps = random_steps (random, n);
  guint64 end = g_array_index (steps, Step, n - 1).event.end;
  LcPyramidShape shape, again;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Store store;

  store_init (&store);
  if (wrong)
    build (&store, &shape, steps, random_length (random, 20), random_length (random, 45));
  else
    build (&store, &shape, steps, n, end);
  check (&store, &shape, steps);
  if (!wrong)
    g_assert_cmpuint (end >> shape.lowest[0], <=, end);
  lc_pyramid_shape_encode (&shape, bytes);
  g_assert_true (lc_pyramid_shape_decode (&again, bytes->data, bytes->len));
  g_assert_cmpmem (&shape, sizeof shape, &again, sizeof again);
  g_hash_table_unref (store.chunks);
}

static void
test_random (void)
{
  GRand *random = g_rand_new_with_seed (11);

  for (guint i = 0; i < random_trials (3000); i++)
    check_random (random, (guint)g_rand_int_range (random, 1, i % 10 == 0 ? 1500 : 60), i % 3 == 0);
  for (guint i = 0; i < 6; i++)
    check_random (random, 20000, i % 2 == 1);
  g_rand_free (random);
}

/* As many layers as events, one long wait, and estimates that are right: nothing is written in vain. */
static void
test_steady (void)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, TRUE, sizeof (Step));
  LcPyramidShape shape;
  guint64 time = 0, n = 50000;
  Store store;

  for (guint64 i = 0; i < n; i++)
    {
      Step step = {.event = {.ordinal = i, .begin = time + 700, .end = time + 1000, .layer = i + 1}};

      if (i == n / 2)
        step.event.end += step.event.waited = 1000 * n;
      time = step.event.end;
      g_array_append_val (steps, step);
    }
  store_init (&store);
  build (&store, &shape, steps, n, time);
  check (&store, &shape, steps);
  g_assert_cmpuint (store.stray, ==, 0);
  g_assert_cmpuint (shape.lowest[LC_AXIS_LAYER], ==, 5);
  g_assert_cmpuint (shape.lowest[LC_AXIS_TIME], ==, 16); /* 2 us an event, so 64 us for 32 */
  g_assert_cmpuint (time >> shape.highest[LC_AXIS_TIME], ==, 0);
  g_hash_table_unref (store.chunks);
}

/* Two short events and a wait of hours between them, at a level that was chosen for many: quick all the same. */
static void
test_long_wait (void)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, TRUE, sizeof (Step));
  guint64 hours = G_GUINT64_CONSTANT (1) << 44;
  Step first = {.event = {.ordinal = 0, .begin = 5, .end = 9, .layer = 1}};
  Step second = {.event = {.ordinal = 1, .begin = 10, .end = hours, .waited = hours - 20, .layer = 2}};
  LcPyramidShape shape;
  Store store;

  g_array_append_val (steps, first);
  g_array_append_val (steps, second);
  store_init (&store);
  build (&store, &shape, steps, 1 << 24, hours);
  check (&store, &shape, steps);
  g_hash_table_unref (store.chunks);
}

static void
test_nothing (void)
{
  LcPyramidShape shape = {.begin = 1};
  LcPyramid *pyramid = lc_pyramid_new (0, 0, 1000, 1000, take_chunk, NULL);

  g_assert_true (lc_pyramid_finish (pyramid, &shape, NULL));
  g_assert_cmpuint (shape.begin, ==, 0);
  g_assert_cmpuint (shape.highest[LC_AXIS_TIME], ==, 0);
  lc_pyramid_free (pyramid);
}

/* Adds up all buckets of a level of time. */
static void
exchanges_sum (const Store *store, guint level, guint64 sums[LC_EXCHANGES], guint64 *all)
{
  for (guint64 chunk = 0; chunk <= (G_GUINT64_CONSTANT (1) << 24 >> level) / LC_PYRAMID_CHUNK; chunk++)
    {
      gint64 key = lc_pyramid_key (3, LC_AXIS_TIME, 7, level, chunk);
      GBytes *bytes = g_hash_table_lookup (store->chunks, &key);
      LcSummaryBucket buckets[LC_PYRAMID_CHUNK] = {0};
      const guint8 *data;
      gsize size;

      if (bytes == NULL)
        continue;
      data = g_bytes_get_data (bytes, &size);
      g_assert_true (lc_pyramid_decode (data, size, buckets));
      for (guint i = 0; i < LC_PYRAMID_CHUNK; i++)
        {
          for (guint kind = 0; kind < LC_EXCHANGES; kind++)
            sums[kind] += buckets[i].exchange[kind];
          *all += lc_summary_bucket_get_alive (&buckets[i]);
        }
    }
}

/* The kinds of MPI's calls, of events of operations 0 to 3, of which the last is none: each has all of the event's
 * time, in whichever bucket it lies, and no time between events. */
static void
test_exchanges (void)
{
  static const guint8 exchanges[] = {LC_EXCHANGE_MESSAGE, LC_EXCHANGE_COLLECTIVE, LC_EXCHANGE_REQUEST,
                                     LC_EXCHANGE_NONE};
  g_autoptr (LcBlock) block = lc_block_new ();
  guint8 held[LC_BLOCK_EVENTS] = {0};
  guint64 expected[LC_EXCHANGES + 1] = {0}, found[LC_EXCHANGES] = {0}, at = 1000, all = 0;
  LcPyramidShape shape;
  LcPyramid *pyramid;
  Store store;

  store_init (&store);
  pyramid = lc_pyramid_new (3, 7, LC_BLOCK_EVENTS, 1 << 20, take_chunk, &store);
  lc_pyramid_set_exchanges (pyramid, exchanges);
  block->n_events = LC_BLOCK_EVENTS;
  for (guint i = 0; i < LC_BLOCK_EVENTS; i++)
    {
      guint64 length = i % 17 == 0 ? 40000 : 10 + i % 90;

      block->begin[i] = at;
      block->end[i] = at + length;
      block->waited[i] = length / 3;
      block->operation[i] = (guint16)(i % G_N_ELEMENTS (exchanges));
      block->layer[i] = i + 1;
      expected[exchanges[block->operation[i]]] += length;
      at += length + 7;
    }
  g_assert_true (lc_pyramid_add_block (pyramid, block, held, NULL));
  g_assert_true (lc_pyramid_finish (pyramid, &shape, NULL));
  lc_pyramid_free (pyramid);
  exchanges_sum (&store, shape.lowest[LC_AXIS_TIME], found, &all);
  for (guint i = 0; i < LC_EXCHANGES; i++)
    g_assert_cmpuint (found[i], ==, expected[i]);
  g_assert_cmpuint (all, ==, at - 7 - 1000);
  g_hash_table_unref (store.chunks);
}

static gboolean
refuse_chunk (gpointer data G_GNUC_UNUSED, gint64 key G_GNUC_UNUSED, const GByteArray *bytes G_GNUC_UNUSED,
              GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, "full");
  return FALSE;
}

static void
test_refused (void)
{
  LcPyramid *pyramid = lc_pyramid_new (0, 0, 10, 10, refuse_chunk, NULL);
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  const Step step = {.event = {.begin = 1, .end = 2, .layer = 1}};
  g_autoptr (GError) error = NULL;
  LcPyramidShape shape;

  g_array_append_val (steps, step);
  add_block (pyramid, steps, 0, 1);
  g_assert_false (lc_pyramid_finish (pyramid, &shape, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  lc_pyramid_free (pyramid);
}

static void
test_key (void)
{
  g_assert_cmpint (lc_pyramid_key (0, LC_AXIS_TIME, 0, 0, 1), ==, 1);
  g_assert_cmpint (lc_pyramid_key (0, LC_AXIS_TIME, 0, 1, 0), ==, G_GINT64_CONSTANT (1) << 26);
  g_assert_cmpint (lc_pyramid_key (0, LC_AXIS_TIME, 1, 0, 0), ==, G_GINT64_CONSTANT (1) << 32);
  g_assert_cmpint (lc_pyramid_key (0, LC_AXIS_LAYER, 0, 0, 0), ==, G_GINT64_CONSTANT (1) << 54);
  g_assert_cmpint (lc_pyramid_key (255, LC_AXIS_LAYER, (1 << 22) - 1, 63, (1 << 26) - 1), ==, G_MAXINT64);
}

/* --- Bytes ------------------------------------------------------------------------------------------------- */

static GBytes *
small_chunk (void)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, TRUE, sizeof (Step));
  Step first = {.event = {.ordinal = 0, .begin = 5, .end = 9, .layer = 1}, .holding = TRUE};
  Step second = {.event = {.ordinal = 1, .begin = 10, .end = 300, .waited = 200, .layer = 2}, .held_after = TRUE};
  Step third = {.event = {.ordinal = 2, .begin = 500, .end = 501, .layer = 3}};
  gint64 key = lc_pyramid_key (3, LC_AXIS_TIME, 7, 4, 0);
  LcPyramidShape shape;
  GBytes *bytes;
  Store store;

  g_array_append_val (steps, first);
  g_array_append_val (steps, second);
  g_array_append_val (steps, third);
  store_init (&store);
  build (&store, &shape, steps, 1024, 501);
  g_assert_cmpuint (shape.lowest[LC_AXIS_TIME], <=, 4);
  bytes = g_bytes_ref (g_hash_table_lookup (store.chunks, &key));
  g_hash_table_unref (store.chunks);
  return bytes;
}

/* The kind, the level, and then the buckets of 16 ns. */
static void
test_golden (void)
{
  static const guint8 golden[] = {0x64, 0x04, 0x6a, 0x06, 0x05, 0x04, 0x00, 0x04, 0x00, 0x04,
                                  0xca, 0x09, 0x02, 0x01, 0xc2, 0x61, 0x04, 0x00, 0xa2, 0x02,
                                  0x01, 0x11, 0xca, 0x62, 0x05, 0x04, 0x00, 0x01, 0x01};
  g_autoptr (GBytes) bytes = small_chunk ();
  const guint8 *data = g_bytes_get_data (bytes, NULL);

  g_assert_cmpmem (data, g_bytes_get_size (bytes) - 8, golden, sizeof golden);
}

static void
test_damaged (void)
{
  g_autoptr (GBytes) bytes = small_chunk ();
  gsize size = g_bytes_get_size (bytes);
  g_autofree guint8 *data = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
  g_autoptr (GByteArray) shape_bytes = g_byte_array_new ();
  LcPyramidShape shape = {.lowest = {3, 5}, .highest = {9, 5}, .begin = 1000, .end = 70000};
  LcSummaryBucket buckets[LC_PYRAMID_CHUNK];

  lc_pyramid_shape_encode (&shape, shape_bytes);
  for (gsize i = 0; i < size * 255; i++)
    {
      data[i / 255] ^= (guint8)(i % 255 + 1);
      g_assert_false (lc_pyramid_decode (data, size, buckets));
      data[i / 255] ^= (guint8)(i % 255 + 1);
    }
  for (gsize i = 0; i < size; i++)
    g_assert_false (lc_pyramid_decode (data, i, buckets));
  for (gsize i = 0; i < shape_bytes->len * 255; i++)
    {
      shape_bytes->data[i / 255] ^= (guint8)(i % 255 + 1);
      g_assert_false (lc_pyramid_shape_decode (&shape, shape_bytes->data, shape_bytes->len));
      shape_bytes->data[i / 255] ^= (guint8)(i % 255 + 1);
    }
  g_assert_false (lc_pyramid_decode (shape_bytes->data, shape_bytes->len, buckets));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pyramid/random", test_random);
  g_test_add_func ("/pyramid/steady", test_steady);
  g_test_add_func ("/pyramid/long-wait", test_long_wait);
  g_test_add_func ("/pyramid/nothing", test_nothing);
  g_test_add_func ("/pyramid/refused", test_refused);
  g_test_add_func ("/pyramid/kinds of calls", test_exchanges);
  g_test_add_func ("/pyramid/key", test_key);
  g_test_add_func ("/pyramid/golden", test_golden);
  g_test_add_func ("/pyramid/damaged", test_damaged);
  return g_test_run ();
}
