/* SPDX-License-Identifier: Apache-2.0 */
/* Column blocks and directories: what was written is read, whatever it was; and what was not written is refused. */
#include <string.h>

#include "history/block.h"
#include "lightcone/states.h"
#include "history/column.h"
#include "history/directory.h"
#include "random-trials.h"

enum
{
  ROUNDS = 4000,
  CHECKSUM = 8,
};

/* --- Columns of many kinds ----------------------------------------------------------------------------------- */

static guint
below (GRand *random, guint limit)
{
  return (guint)g_rand_int_range (random, 0, (gint32)limit);
}

static guint64
any (GRand *random)
{
  return (guint64)g_rand_int (random) << 32 | g_rand_int (random);
}

static guint64
of_bits (GRand *random, guint bits)
{
  return bits == 0 ? 0 : any (random) >> (64 - bits);
}

static void
fill (GRand *random, guint64 *values, guint n)
{
  static const guint64 extremes[] = {0, 1, G_MAXUINT64, G_MAXINT64, (guint64)G_MININT64, G_MAXUINT32, G_MAXUINT16};
  guint kind = below (random, 7), bits = below (random, 65), more = below (random, 65), rate = 1 + below (random, 60);
  guint64 base = of_bits (random, below (random, 65));

  for (guint i = 0; i < n; i++)
    switch (kind)
      {
      case 0:
        values[i] = base;
        break;
      case 1:
        values[i] = base + of_bits (random, bits);
        break;
      case 2: /* rarely wider */
        values[i] = base + of_bits (random, below (random, rate) == 0 ? more : MIN (bits, 20));
        break;
      case 3:
        values[i] = (i == 0 ? base : values[i - 1]) + of_bits (random, bits / 4);
        break;
      case 4: /* around the base, on either side */
        values[i] = base + of_bits (random, bits / 2) - of_bits (random, bits / 2);
        break;
      case 5:
        values[i] = extremes[below (random, G_N_ELEMENTS (extremes))];
        break;
      default:
        values[i] = base + (below (random, 2 + rate / 8) == 0) * of_bits (random, bits);
        break;
      }
}

#define FILL(column) \
  G_STMT_START \
  { \
    guint64 values[LC_BLOCK_EVENTS]; \
\
    fill (random, values, block->n_events); \
    for (guint i = 0; i < block->n_events; i++) \
      (column)[i] = (__typeof__ ((column)[0]))values[i]; \
  } \
  G_STMT_END

static void
add_arcs (GRand *random, LcBlock *block)
{
  guint kind = below (random, 5), big = below (random, block->n_events), spread = 1 + below (random, 2000);
  guint64 base = of_bits (random, below (random, 65));

  for (guint i = 0; i < block->n_events; i++)
    {
      static const guint most[] = {1, 2, 2, 5, 5};
      guint n = kind == 4 && i == big ? 3000 : below (random, most[kind]);

      block->first_arc[i] = block->arcs->len;
      block->basis[i] = (gint16)((gint)below (random, n + 1) - 1);
      for (guint k = 0; k < n; k++)
        {
          LcBlockArc arc = {
              .process = below (random, spread),
              .rule = (guint16)below (random, kind == 3 ? G_MAXUINT16 : 4),
              .point = (guint8)below (random, 2),
              .ordinal = base + below (random, 100) * i,
          };

          if (kind == 3 && below (random, 20) == 0)
            arc.ordinal = any (random);
          g_array_append_val (block->arcs, arc);
        }
    }
  block->first_arc[block->n_events] = block->arcs->len;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const guint64 *one = a, *other = b;

  return (*one > *other) - (*one < *other);
}

/* As events come: none begins before the one before it has ended, and nothing is later than can be. */
static void
put_in_order (LcBlock *block)
{
  guint64 times[2 * LC_BLOCK_EVENTS];

  for (guint i = 0; i < block->n_events; i++)
    {
      times[2 * i] = MIN (block->begin[i], LC_HISTORY_MOST);
      times[2 * i + 1] = MIN (block->end[i], LC_HISTORY_MOST);
      block->waited[i] = MIN (block->waited[i], LC_HISTORY_MOST);
      block->woken[i] = MIN (block->woken[i], LC_HISTORY_MOST);
      block->layer[i] = MIN (block->layer[i], LC_HISTORY_MOST);
    }
  qsort (times, 2 * block->n_events, sizeof times[0], compare_numbers);
  qsort (block->layer, block->n_events, sizeof block->layer[0], compare_numbers);
  for (guint i = 0; i < block->n_events; i++)
    {
      block->begin[i] = times[2 * i];
      block->end[i] = times[2 * i + 1];
    }
}

static void
add_absences (GRand *random, LcBlock *block, guint n)
{
  guint64 at = of_bits (random, below (random, 50));

  for (guint i = 0; i < n; i++)
    {
      const guint32 event = (guint32)((guint64)i * block->n_events / n);
      LcBlockAbsence absence = {.event = event, .state = below (random, 2) ? LC_IS_PREEMPTED : LC_IS_UNSEEN};

      absence.begin = at + of_bits (random, below (random, 20));
      at = absence.end = absence.begin + of_bits (random, below (random, 20));
      g_array_append_val (block->absences, absence);
    }
}

static LcBlock *
random_block (GRand *random)
{
  static const guint sizes[] = {1, 2, 63, 64, 65, LC_BLOCK_EVENTS - 1, LC_BLOCK_EVENTS, LC_BLOCK_EVENTS};
  LcBlock *block = lc_block_new ();
  guint n_held = below (random, 3) == 0 ? below (random, 1200) : 0;

  block->n_events = below (random, 2) ? sizes[below (random, G_N_ELEMENTS (sizes))] : 1 + below (random, 512);
  block->process = g_rand_int (random);
  block->first_ordinal = of_bits (random, below (random, 65));
  FILL (block->begin);
  FILL (block->end);
  FILL (block->waited);
  FILL (block->woken);
  FILL (block->layer);
  put_in_order (block);
  add_absences (random, block, below (random, 3) == 0 ? below (random, 1200) : 0);
  FILL (block->sequence);
  FILL (block->value);
  FILL (block->bytes);
  FILL (block->object);
  FILL (block->peer);
  FILL (block->stack);
  FILL (block->operation);
  FILL (block->cpu);
  FILL (block->flags);
  FILL (block->removed);
  FILL (block->gained);
  FILL (block->origin_process);
  FILL (block->origin_ordinal);
  for (guint i = 0; i < block->n_events; i++)
    block->reordered[i] = (guint8)below (random, 2);
  add_arcs (random, block);
  for (guint i = 0; i < n_held; i++)
    {
      LcBlockHeld held = {.object = g_rand_int (random), .ordinal = block->first_ordinal - of_bits (random, i % 65)};

      g_array_append_val (block->held, held);
    }
  return block;
}

/* --- There and back ------------------------------------------------------------------------------------------ */

static void
assert_arcs (const LcBlock *block, const LcBlock *expected)
{
  g_assert_cmpuint (block->arcs->len, ==, expected->arcs->len);
  for (guint i = 0; i < block->arcs->len; i++)
    {
      const LcBlockArc *arc = &g_array_index (block->arcs, LcBlockArc, i);
      const LcBlockArc *wanted = &g_array_index (expected->arcs, LcBlockArc, i);

      g_assert_cmpuint (arc->process, ==, wanted->process);
      g_assert_cmpuint (arc->rule, ==, wanted->rule);
      g_assert_cmpuint (arc->point, ==, wanted->point);
      g_assert_cmpuint (arc->ordinal, ==, wanted->ordinal);
    }
}

static void
assert_held (const LcBlock *block, const LcBlock *expected)
{
  g_assert_cmpuint (block->held->len, ==, expected->held->len);
  for (guint i = 0; i < block->held->len; i++)
    {
      const LcBlockHeld *held = &g_array_index (block->held, LcBlockHeld, i);
      const LcBlockHeld *wanted = &g_array_index (expected->held, LcBlockHeld, i);

      g_assert_cmpuint (held->object, ==, wanted->object);
      g_assert_cmpuint (held->ordinal, ==, wanted->ordinal);
    }
}

#define SAME(name) g_assert_cmpmem (block->name, n * sizeof block->name[0], expected->name, n * sizeof block->name[0])

/* Of the first n events of `expected`. */
static void
assert_columns (const LcBlock *block, const LcBlock *expected, guint n, LcColumns columns)
{
  if (columns & LC_COLUMN_TIME)
    {
      SAME (begin);
      SAME (end);
      SAME (waited);
      SAME (woken);
    }
  if (columns & LC_COLUMN_IDENTITY)
    {
      SAME (operation);
      SAME (object);
      SAME (flags);
      SAME (sequence);
    }
  if (columns & LC_COLUMN_DETAIL)
    {
      SAME (value);
      SAME (bytes);
      SAME (peer);
      SAME (cpu);
    }
  if (columns & LC_COLUMN_PLACE)
    SAME (stack);
  if (columns & LC_COLUMN_LAYER)
    SAME (layer);
  if (columns & LC_COLUMN_ARCS)
    {
      SAME (basis);
      g_assert_cmpmem (block->first_arc, (n + 1) * sizeof (guint32), expected->first_arc, (n + 1) * sizeof (guint32));
      assert_arcs (block, expected);
    }
  if (columns & LC_COLUMN_HELD)
    assert_held (block, expected);
  if (columns & LC_COLUMN_STATE)
    g_assert_cmpmem (block->absences->data, block->absences->len * sizeof (LcBlockAbsence), expected->absences->data,
                     expected->absences->len * sizeof (LcBlockAbsence));
  if (columns & LC_COLUMN_WHY)
    {
      SAME (removed);
      SAME (gained);
      SAME (reordered);
    }
  if (columns & LC_COLUMN_ORIGIN)
    {
      SAME (origin_process);
      SAME (origin_ordinal);
    }
}

/* What a block is when it has been written and read. */
static void
forget_what_is_not_given (LcBlock *block)
{
  for (guint i = 0; i < block->n_events; i++)
    {
      block->sequence[i] = block->flags[i] & LC_TRACE_EVENT_SEQUENCE ? block->sequence[i] : 0;
      block->value[i] = block->flags[i] & LC_TRACE_EVENT_VALUE ? block->value[i] : 0;
      block->bytes[i] = block->flags[i] & LC_TRACE_EVENT_BYTES ? block->bytes[i] : 0;
    }
}

/* At the end of the memory that it is in, so that reading outside shows. */
static guint8 *
copy_bytes (const GByteArray *bytes, gsize size)
{
  return g_memdup2 (bytes->data, MAX (size, 1));
}

static void
check_block (GRand *random)
{
  g_autoptr (LcBlock) block = random_block (random), read = random_block (random), before = lc_block_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  LcColumns there = below (random, 2) ? LC_COLUMN_ALL : 1 + below (random, LC_COLUMN_ALL);
  LcColumns asked = below (random, 2) ? LC_COLUMN_ALL : below (random, LC_COLUMN_ALL + 1);
  guint skipped = below (random, 9), n = block->n_events;
  g_autofree guint8 *copy = NULL;
  GArray *arcs = before->arcs, *held = before->held, *absences = before->absences;

  g_byte_array_set_size (bytes, skipped);
  lc_block_encode (block, there, bytes);
  g_byte_array_remove_range (bytes, 0, skipped);
  copy = copy_bytes (bytes, bytes->len);
  read->first_ordinal = block->first_ordinal;
  read->process = block->process;
  *before = *read;
  before->arcs = arcs;
  before->held = held;
  before->absences = absences;
  g_array_append_vals (absences, read->absences->data, read->absences->len);
  g_array_append_vals (arcs, read->arcs->data, read->arcs->len);
  g_array_append_vals (held, read->held->data, read->held->len);
  forget_what_is_not_given (block);
  g_assert_true (lc_block_decode (read, copy, bytes->len, asked));
  g_assert_cmpuint (read->n_events, ==, n);
  g_assert_cmpuint (read->further, ==, there & asked & (LC_COLUMN_WHY | LC_COLUMN_ORIGIN));
  assert_columns (read, block, n, there & asked);
  assert_columns (read, before, before->n_events, LC_COLUMN_ALL & ~(guint)(there & asked));
}

static void
test_round_trip (void)
{
  GRand *random = g_rand_new_with_seed (1990);

  for (guint i = 0; i < random_trials (ROUNDS); i++)
    check_block (random);
  g_rand_free (random);
}

/* --- A small block, byte for byte ---------------------------------------------------------------------------- */

static void
set_event (LcBlock *block, guint i, const LcHistoryEvent *event)
{
  block->begin[i] = event->begin;
  block->end[i] = event->end;
  block->waited[i] = event->waited;
  block->woken[i] = event->woken;
  block->layer[i] = event->layer;
  block->sequence[i] = event->sequence;
  block->value[i] = event->value;
  block->bytes[i] = event->bytes;
  block->object[i] = event->object;
  block->peer[i] = event->peer;
  block->stack[i] = event->stack;
  block->operation[i] = event->operation;
  block->cpu[i] = event->cpu;
  block->flags[i] = event->flags;
  block->basis[i] = event->basis;
  block->first_arc[i + 1] = block->first_arc[i] + event->n_arcs;
}

static LcBlock *
small_block (void)
{
  static const LcHistoryEvent events[] = {
      {.begin = 1000,
       .end = 1030,
       .layer = 7,
       .sequence = 41,
       .object = 5,
       .peer = LC_TRACE_NONE,
       .stack = LC_TRACE_NONE,
       .operation = 12,
       .cpu = 3,
       .flags = LC_TRACE_EVENT_SEQUENCE,
       .basis = -1},
      {.begin = 1200,
       .end = 1220,
       .layer = 8,
       .sequence = 41,
       .object = 5,
       .peer = LC_TRACE_NONE,
       .stack = LC_TRACE_NONE,
       .operation = 13,
       .cpu = 3,
       .flags = LC_TRACE_EVENT_SEQUENCE,
       .basis = -1},
      {.begin = 1300,
       .end = 1310,
       .layer = 9,
       .value = -16,
       .object = LC_TRACE_NONE,
       .peer = LC_TRACE_NONE,
       .stack = 7,
       .operation = 60,
       .cpu = 3,
       .flags = LC_TRACE_EVENT_VALUE,
       .basis = -1},
      {.begin = 1400,
       .end = 2025,
       .waited = 600,
       .woken = 20,
       .layer = 15,
       .sequence = 44,
       .object = 5,
       .peer = LC_TRACE_NONE,
       .stack = LC_TRACE_NONE,
       .operation = 12,
       .cpu = 3,
       .flags = LC_TRACE_EVENT_SEQUENCE | LC_EVENT_CONTENDED,
       .n_arcs = 1},
      {.begin = 2100,
       .end = 2400,
       .layer = 16,
       .sequence = 3,
       .bytes = 4096,
       .object = 6,
       .peer = 1,
       .stack = LC_TRACE_NONE,
       .operation = 30,
       .cpu = 3,
       .flags = LC_TRACE_EVENT_SEQUENCE | LC_TRACE_EVENT_BYTES,
       .basis = -1},
  };
  LcBlockArc arc = {.process = 2, .rule = 1, .point = LC_POINT_END, .ordinal = 1030};
  LcBlockHeld held = {.object = 9, .ordinal = 1000};
  LcBlock *block = lc_block_new ();

  block->n_events = G_N_ELEMENTS (events);
  block->process = 4;
  block->first_ordinal = 1024;
  for (guint i = 0; i < block->n_events; i++)
    set_event (block, i, &events[i]);
  g_array_append_val (block->arcs, arc);
  g_array_append_val (block->held, held);
  return block;
}

static const guint8 golden_block[] = {
    0x03, 0x7F, 0x58, 0x00, 0x27, 0x00, 0x00, 0x00, 0x2B, 0x00, 0x00, 0x00, 0x19, 0x00, 0x00, 0x00, 0x0D, 0x00, 0x00,
    0x00, 0x15, 0x00, 0x00, 0x00, 0x0A, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x3E, 0x03, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x07, 0x01, 0x4B, 0xDF, 0x6F, 0xE1, 0x01, 0x00, 0x09, 0x01, 0x05, 0x19, 0x1E, 0x14, 0x00, 0x70, 0x12,
    0x80, 0x20, 0x00, 0x00, 0x0A, 0x08, 0x58, 0x02, 0x05, 0x00, 0x00, 0x00, 0x0A, 0x00, 0x00, 0x00, 0x81, 0x24, 0x0C,
    0x00, 0x00, 0x01, 0x02, 0x00, 0x1A, 0x02, 0x1C, 0x18, 0x00, 0x80, 0x00, 0x00, 0x02, 0x90, 0x00, 0x00, 0x20, 0x00,
    0x00, 0x03, 0x00, 0x36, 0x7C, 0x29, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, 0x10, 0x00, 0x80, 0x61, 0x09,
    0x05, 0x10, 0x00, 0x7C, 0x00, 0x00, 0x80, 0x20, 0x00, 0x00, 0x0D, 0x10, 0x00, 0x10, 0x00, 0x00, 0x02, 0x00, 0x00,
    0x02, 0x00, 0x00, 0x00, 0x01, 0x04, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0x0A,
    0x01, 0x00, 0x08, 0x01, 0x00, 0x08, 0x01, 0x00, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x02, 0x01, 0x01, 0x00,
    0x01, 0x03, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x09, 0x00, 0x01, 0x18, 0x02, 0x00, 0x04, 0x00, 0x80, 0x01, 0x00,
    0x04, 0xA0, 0x9C, 0xD3, 0x2C, 0x7B, 0xDF, 0x33, 0xE3};

static void
assert_bytes (const GByteArray *bytes, const guint8 *golden, gsize size)
{
  if (bytes->len != size || memcmp (bytes->data, golden, size) != 0)
    for (guint i = 0; i < bytes->len; i++)
      g_printerr ("0x%02X,%s", bytes->data[i], i % 16 == 15 ? "\n" : " ");
  g_assert_cmpmem (bytes->data, bytes->len, golden, size);
}

/* Where no event has a stack, there are no bytes for it, and what was in the block before goes. */
static void
test_no_places (void)
{
  g_autoptr (LcBlock) block = small_block (), read = lc_block_new ();
  g_autoptr (GByteArray) with = g_byte_array_new (), without = g_byte_array_new (), never = g_byte_array_new ();

  lc_block_encode (block, LC_COLUMN_MEASURED, with);
  block->stack[2] = LC_TRACE_NONE;
  lc_block_encode (block, LC_COLUMN_MEASURED, without);
  lc_block_encode (block, LC_COLUMN_MEASURED & ~(guint)LC_COLUMN_PLACE, never);
  g_assert_cmpuint (without->len, <, with->len);
  g_assert_cmpuint (without->len, ==, never->len);
  g_assert_cmpuint (lc_block_get_columns (with->data, with->len), ==, LC_COLUMN_MEASURED);
  g_assert_cmpuint (lc_block_get_columns (without->data, without->len), ==, LC_COLUMN_MEASURED);
  g_assert_cmpuint (lc_block_get_columns (never->data, never->len), ==, LC_COLUMN_MEASURED & ~(guint)LC_COLUMN_PLACE);
  for (guint i = 0; i < block->n_events; i++)
    read->stack[i] = 99;
  g_assert_true (lc_block_decode (read, never->data, never->len, LC_COLUMN_ALL));
  g_assert_cmpuint (read->stack[0], ==, 99);
  g_assert_true (lc_block_decode (read, without->data, without->len, LC_COLUMN_IDENTITY));
  g_assert_cmpuint (read->stack[0], ==, 99);
  g_assert_true (lc_block_decode (read, without->data, without->len, LC_COLUMN_PLACE));
  for (guint i = 0; i < block->n_events; i++)
    g_assert_cmpuint (read->stack[i], ==, LC_TRACE_NONE);
}

static void
test_golden_block (void)
{
  g_autoptr (LcBlock) block = small_block (), read = lc_block_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  LcHistoryEvent event;

  lc_block_encode (block, LC_COLUMN_MEASURED, bytes);
  assert_bytes (bytes, golden_block, sizeof golden_block);
  read->process = 4;
  read->first_ordinal = 1024;
  g_assert_true (lc_block_decode (read, golden_block, sizeof golden_block, LC_COLUMN_ALL));
  assert_columns (read, block, 5, LC_COLUMN_MEASURED);
  lc_block_get_event (read, 3, &event);
  g_assert_cmpuint (event.process, ==, 4);
  g_assert_cmpuint (event.ordinal, ==, 1027);
  g_assert_cmpuint (event.begin, ==, 1400);
  g_assert_cmpuint (event.waited, ==, 600);
  g_assert_cmpuint (event.woken, ==, 20);
  g_assert_cmpint (event.sequence, ==, 44);
  g_assert_cmpuint (event.n_arcs, ==, 1);
  g_assert_cmpint (event.basis, ==, 0);
  read->sequence[2] = 7;
  lc_block_get_event (read, 2, &event);
  g_assert_cmpint (event.sequence, ==, 0);
  g_assert_cmpint (event.value, ==, -16);
  g_assert_cmpuint (event.object, ==, LC_TRACE_NONE);
}

/* --- What was not written ------------------------------------------------------------------------------------ */

static void
seal (guint8 *bytes, gsize size)
{
  guint64 checksum = GUINT64_TO_LE (lc_checksum (bytes, size - CHECKSUM));

  memcpy (bytes + size - CHECKSUM, &checksum, CHECKSUM);
}

static void
test_changed (void)
{
  g_autoptr (LcBlock) block = small_block (), read = lc_block_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  lc_block_encode (block, LC_COLUMN_ALL, bytes);
  for (guint size = 0; size < bytes->len; size++)
    {
      g_autofree guint8 *copy = copy_bytes (bytes, size);

      g_assert_false (lc_block_decode (read, copy, size, LC_COLUMN_ALL));
    }
  for (guint i = 0; i < bytes->len; i++)
    for (guint change = 1; change < 256; change++)
      {
        bytes->data[i] ^= (guint8)change;
        g_assert_false (lc_block_decode (read, bytes->data, bytes->len, LC_COLUMN_ALL));
        bytes->data[i] ^= (guint8)change;
      }
  g_assert_true (lc_block_decode (read, bytes->data, bytes->len, LC_COLUMN_ALL));
}

/* Whatever was decoded can be used without a further look. */
static void
use (const LcBlock *block)
{
  LcHistoryEvent event;

  g_assert_cmpuint (block->n_events, >=, 1);
  g_assert_cmpuint (block->n_events, <=, LC_BLOCK_EVENTS);
  g_assert_cmpuint (block->first_arc[0], ==, 0);
  for (guint i = 0; i < block->n_events; i++)
    {
      lc_block_get_event (block, i, &event);
      g_assert_cmpuint (block->first_arc[i], <=, block->first_arc[i + 1]);
      g_assert_cmpint (event.basis, >=, -1);
      g_assert_true (event.basis < 0 || (guint32)event.basis < event.n_arcs);
    }
  g_assert_cmpuint (block->first_arc[block->n_events], ==, block->arcs->len);
  for (guint i = 0; i < block->arcs->len; i++)
    g_assert_cmpuint (g_array_index (block->arcs, LcBlockArc, i).point, <=, LC_POINT_END);
}

/* Each byte of a block made anything, some cut off, and the checksum put right. */
static void
test_sealed_again (void)
{
  GRand *random = g_rand_new_with_seed (1991);
  g_autoptr (LcBlock) read = lc_block_new ();
  guint n_read = 0;

  for (guint round = 0; round < random_trials (30); round++)
    {
      g_autoptr (LcBlock) block = round == 0 ? small_block () : random_block (random);
      g_autoptr (GByteArray) bytes = g_byte_array_new ();

      lc_block_encode (block, LC_COLUMN_ALL, bytes);
      for (guint i = 0; i < bytes->len - CHECKSUM; i += 1 + bytes->len / 1000)
        for (guint k = 0; k < (round == 0 ? 255 : 3); k++)
          {
            gsize size = below (random, 10) > 0 ? bytes->len : CHECKSUM + below (random, bytes->len - CHECKSUM);
            g_autofree guint8 *copy = copy_bytes (bytes, size);

            if (i < size)
              copy[i] ^= (guint8)(round == 0 ? k + 1 : 1 + below (random, 255));
            seal (copy, size);
            if (!lc_block_decode (read, copy, size, LC_COLUMN_ALL))
              continue;
            use (read);
            n_read++;
          }
    }
  g_assert_cmpuint (n_read, >, 1000);
  g_rand_free (random);
}

static void
test_checksum (void)
{
  static const char text[] = "Nobody inspects the spammish repetition";

  g_assert_cmphex (lc_checksum ((const guint8 *)"", 0), ==, 0xEF46DB3751D8E999);
  g_assert_cmphex (lc_checksum ((const guint8 *)"a", 1), ==, 0xD24EC4F1A98C6E5B);
  g_assert_cmphex (lc_checksum ((const guint8 *)"abc", 3), ==, 0x44BC2CF5AD770999);
  g_assert_cmphex (lc_checksum ((const guint8 *)text, strlen (text)), ==, 0xFBCEA83C8A378BF1);
}

/* --- Directories --------------------------------------------------------------------------------------------- */

static LcDirectory *
random_directory (GRand *random, guint n_entries)
{
  LcDirectory *directory = lc_directory_new ();
  LcDirectoryEntry entry = {0};

  directory->n_events = n_entries == 0 ? 0 : (n_entries - 1) * (guint64)LC_BLOCK_EVENTS + 1 + below (random, 512);
  for (guint i = 0; i < n_entries; i++)
    {
      entry.row += 1 + below (random, 100);
      entry.first_begin = entry.last_end + below (random, 1000);
      entry.last_end = entry.first_begin + below (random, 100000);
      entry.first_layer = entry.last_layer + 1;
      entry.last_layer = entry.first_layer + below (random, 2000);
      g_array_append_val (directory->entries, entry);
    }
  return directory;
}

static void
assert_directory (const LcDirectory *directory, const LcDirectory *expected)
{
  gsize size = expected->entries->len * sizeof (LcDirectoryEntry);

  g_assert_nonnull (directory);
  g_assert_cmpuint (directory->n_events, ==, expected->n_events);
  g_assert_cmpmem (directory->entries->data, directory->entries->len * sizeof (LcDirectoryEntry),
                   expected->entries->data, size);
}

static void
test_directory (void)
{
  static const guint sizes[] = {0, 1, 2, 511, 512, 513, 1024, 5000};
  GRand *random = g_rand_new_with_seed (1993);

  for (guint i = 0; i < 200; i++)
    {
      guint n = i < G_N_ELEMENTS (sizes) ? sizes[i] : below (random, 3000);
      g_autoptr (LcDirectory) directory = random_directory (random, n), read = NULL;
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autofree guint8 *copy = NULL;

      /* Whoever looks for a place in it relies on its order. */
      if (i % 3 == 2 && n > 1)
        *((guint64 *)(void *)&g_array_index (directory->entries, LcDirectoryEntry, n - 1) + below (random, 5)) =
            G_MAXUINT64 - below (random, 1000);
      lc_directory_encode (directory, bytes);
      copy = copy_bytes (bytes, bytes->len);
      read = lc_directory_decode (copy, bytes->len);
      if (i % 3 == 2 && n > 1)
        g_assert_null (read);
      else
        assert_directory (read, directory);
    }
  g_rand_free (random);
}

static void
test_find (void)
{
  GRand *random = g_rand_new_with_seed (2007);

  for (guint round = 0; round < random_trials (300); round++)
    {
      g_autoptr (LcDirectory) directory = random_directory (random, below (random, 20));
      const LcDirectoryEntry *entries = (const LcDirectoryEntry *)(const void *)directory->entries->data;
      guint n = directory->entries->len;
      guint64 end = n > 0 ? entries[n - 1].last_end : 0, layer = n > 0 ? entries[n - 1].last_layer : 0;
      guint64 times[] = {0, end, end + 1, G_MAXUINT64, any (random) % (end + 2), n > 2 ? entries[n / 2].last_end : 0};

      for (guint i = 0; i < G_N_ELEMENTS (times); i++)
        {
          guint64 other = times[i] == G_MAXUINT64 ? times[i] : times[i] % (layer + 2);
          guint by_time = 0, by_layer = 0;

          while (by_time < n && entries[by_time].last_end < times[i])
            by_time++;
          while (by_layer < n && entries[by_layer].last_layer < other)
            by_layer++;
          g_assert_cmpuint (lc_directory_find_time (directory, times[i]), ==, by_time);
          g_assert_cmpuint (lc_directory_find_layer (directory, other), ==, by_layer);
        }
    }
  g_rand_free (random);
}

static const guint8 golden_directory[] = {0x01, 0x08, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x01, 0x03, 0x20,
                                          0x01, 0x0A, 0x01, 0xC8, 0x20, 0xB3, 0x04, 0x00, 0x11, 0x02, 0x20, 0x03, 0x88,
                                          0x58, 0xF9, 0xB4, 0x02, 0x00, 0x00, 0x01, 0x01, 0x01, 0x04, 0x0A, 0x01, 0x08,
                                          0xB3, 0x5E, 0x0C, 0x00, 0x57, 0x48, 0xF2, 0x45, 0xDD, 0xFC, 0xA1, 0x7E};

static void
test_golden_directory (void)
{
  static const LcDirectoryEntry entries[] = {
      {.row = 3, .first_begin = 1000, .last_end = 90000, .first_layer = 1, .last_layer = 700},
      {.row = 10, .first_begin = 90500, .last_end = 180000, .first_layer = 701, .last_layer = 1500},
      {.row = 17, .first_begin = 180200, .last_end = 181000, .first_layer = 1502, .last_layer = 1510},
  };
  g_autoptr (LcDirectory) directory = lc_directory_new (), read = NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  directory->n_events = 2 * LC_BLOCK_EVENTS + 8;
  g_array_append_vals (directory->entries, entries, G_N_ELEMENTS (entries));
  lc_directory_encode (directory, bytes);
  assert_bytes (bytes, golden_directory, sizeof golden_directory);
  read = lc_directory_decode (golden_directory, sizeof golden_directory);
  assert_directory (read, directory);
}

static void
test_changed_directory (void)
{
  GRand *random = g_rand_new_with_seed (1992);
  g_autoptr (LcDirectory) directory = random_directory (random, 520);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  lc_directory_encode (directory, bytes);
  for (guint size = 0; size < bytes->len; size++)
    {
      g_autofree guint8 *copy = copy_bytes (bytes, size);

      g_assert_null (lc_directory_decode (copy, size));
    }
  for (guint i = 0; i < bytes->len; i++)
    {
      g_autofree guint8 *copy = copy_bytes (bytes, bytes->len);
      g_autoptr (LcDirectory) read = NULL;

      copy[i] ^= (guint8)(1 + below (random, 255));
      g_assert_null (lc_directory_decode (copy, bytes->len));
      seal (copy, bytes->len);
      read = lc_directory_decode (copy, bytes->len);
      if (read != NULL)
        g_assert_cmpuint (read->entries->len, ==, (read->n_events + LC_BLOCK_EVENTS - 1) / LC_BLOCK_EVENTS);
    }
  g_rand_free (random);
}

/* What is whole and says what cannot be. */
static void
test_what_cannot_be (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (9);
  LcBlock *block = random_block (random), *read = lc_block_new ();

  for (guint what = 0; what < 5; what++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();

      block->n_events = 3;
      for (guint i = 0; i < 3; i++)
        {
          block->begin[i] = 100 * i;
          block->end[i] = 100 * i + 50;
          block->layer[i] = i + 1;
          block->waited[i] = block->woken[i] = 10;
        }
      if (what == 1)
        block->begin[2] = 120;
      else if (what == 2)
        block->end[2] = 199;
      else if (what == 3)
        block->end[2] = LC_HISTORY_MOST + 1;
      else if (what == 4)
        block->layer[2] = 1;
      lc_block_encode (block, LC_COLUMN_TIME | LC_COLUMN_LAYER, bytes);
      g_byte_array_append (bytes, (const guint8[LC_COLUMN_SLACK]){0}, LC_COLUMN_SLACK);
      g_assert_cmpint (
          lc_block_decode (read, bytes->data, bytes->len - LC_COLUMN_SLACK, LC_COLUMN_TIME | LC_COLUMN_LAYER), ==,
          what == 0);
    }
  lc_block_free (block);
  lc_block_free (read);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/block/round-trip", test_round_trip);
  g_test_add_func ("/block/golden", test_golden_block);
  g_test_add_func ("/block/no-places", test_no_places);
  g_test_add_func ("/block/changed", test_changed);
  g_test_add_func ("/block/sealed-again", test_sealed_again);
  g_test_add_func ("/block/checksum", test_checksum);
  g_test_add_func ("/directory/round-trip", test_directory);
  g_test_add_func ("/directory/find", test_find);
  g_test_add_func ("/directory/golden", test_golden_directory);
  g_test_add_func ("/directory/changed", test_changed_directory);
  g_test_add_func ("/block/what cannot be", test_what_cannot_be);
  return g_test_run ();
}
