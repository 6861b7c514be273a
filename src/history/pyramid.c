/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the summary pyramid of a process: each completed bucket is added to the level above. */
#include "pyramid.h"

#include <string.h>

#include "numbers.h"
#include "pyramid-chunk.h"
#include "states.h"

enum
{
  EVENTS = 32,         /* events of a bucket of the lowest level, about */
  LEAST = 64,          /* buckets of the lowest level that are allowed in any case */
  TOLERANCE = 4,       /* factor by which the expected buckets may be exceeded */
  HELD_BACK = 1 << 10, /* bytes of held back chunks in time; twice as many for layers */
  AXES = 2,
  LEVELS = 64,
};

/* A key has no room for more buckets on a level. */
#define MOST_BUCKETS (G_GUINT64_CONSTANT (1) << 32)

typedef struct
{
  gboolean is_open;
  guint64 at; /* the bucket that is open, or was the last */
  LcSummaryBucket open;
  guint64 n_buckets; /* completed buckets that were not empty */
  guint64 chunk;     /* the chunk being built */
  LcPyramidChunkBuilder builder;
} Level;

/* The lowest level is known only as events come: it rises when it has too many buckets. Its first chunks are held back,
 * so that they are not written in vain. */
typedef struct
{
  guint lowest;
  guint64 first, last; /* positions on the axis */
  gboolean held_back;
  GByteArray *pending; /* held back chunks of the lowest level: number, size, contents */
  Level *levels[LEVELS];
} Axis;

struct _LcPyramid
{
  guint32 timeline, process;
  guint64 expected_events, expected_end;
  guint64 begin;           /* of the process, if that is before its first event */
  const guint8 *exchanges; /* by operation; NULL: none of them is a call of MPI */
  LcPyramidChunk chunk;
  gpointer data;
  guint64 n_events;
  guint next_absence;  /* of the present block */
  gboolean held_after; /* an object is held after the last event */
  Axis axes[AXES];
  GByteArray *bytes;
  GError *error;
};

gint64
lc_pyramid_key (guint32 timeline, LcAxis axis, guint32 process, guint level, guint64 chunk)
{
  return (gint64)((guint64)(timeline & 0xff) << 55 | (guint64)(axis & 1) << 54 | (guint64)(process & 0x3fffff) << 32 |
                  (guint64)(level & 0x3f) << 26 | (chunk & 0x3ffffff));
}

LcPyramid *
lc_pyramid_new (guint32 timeline, guint32 process, guint64 events, guint64 end, LcPyramidChunk chunk, gpointer data)
{
  LcPyramid *pyramid = g_new0 (LcPyramid, 1);

  pyramid->timeline = timeline;
  pyramid->process = process;
  pyramid->expected_events = events;
  pyramid->expected_end = end;
  pyramid->begin = G_MAXUINT64;
  pyramid->chunk = chunk;
  pyramid->data = data;
  for (guint axis = 0; axis < AXES; axis++)
    pyramid->axes[axis].held_back = TRUE;
  return pyramid;
}

void
lc_pyramid_set_begin (LcPyramid *pyramid, guint64 begin)
{
  pyramid->begin = begin;
}

void
lc_pyramid_set_exchanges (LcPyramid *pyramid, const guint8 *exchanges)
{
  pyramid->exchanges = exchanges;
}

static void
pyramid_free_level (Axis *axis, guint level)
{
  if (axis->levels[level] != NULL)
    lc_pyramid_chunk_clear (&axis->levels[level]->builder);
  g_clear_pointer (&axis->levels[level], g_free);
}

void
lc_pyramid_free (LcPyramid *pyramid)
{
  if (pyramid == NULL)
    return;
  for (guint axis = 0; axis < AXES; axis++)
    {
      for (guint level = 0; level < LEVELS; level++)
        pyramid_free_level (&pyramid->axes[axis], level);
      g_clear_pointer (&pyramid->axes[axis].pending, g_byte_array_unref);
    }
  g_clear_pointer (&pyramid->bytes, g_byte_array_unref);
  g_clear_error (&pyramid->error);
  g_free (pyramid);
}

/* --- Chunks ------------------------------------------------------------------------------------------------ */

static LcAxis
pyramid_number_of (const LcPyramid *pyramid, const Axis *axis)
{
  return (LcAxis)(axis - pyramid->axes);
}

static guint
width_of (const LcPyramid *pyramid, const Axis *axis, guint level)
{
  return pyramid_number_of (pyramid, axis) == LC_AXIS_TIME ? level : LC_PYRAMID_NO_WIDTH;
}

static void
pyramid_give (LcPyramid *pyramid, const Axis *axis, guint level, guint64 chunk, const guint8 *contents, gsize size)
{
  gint64 key = lc_pyramid_key (pyramid->timeline, pyramid_number_of (pyramid, axis), pyramid->process, level, chunk);

  if (pyramid->error != NULL)
    return;
  if (pyramid->bytes == NULL)
    pyramid->bytes = g_byte_array_new ();
  lc_pyramid_chunk_seal (width_of (pyramid, axis, level), contents, size, pyramid->bytes);
  if (!pyramid->chunk (pyramid->data, key, pyramid->bytes, &pyramid->error) && pyramid->error == NULL)
    g_set_error_literal (&pyramid->error, G_IO_ERROR, G_IO_ERROR_FAILED, "a chunk was not taken");
}

static void
pyramid_release (LcPyramid *pyramid, Axis *axis)
{
  LcNumbers numbers = {0};

  axis->held_back = FALSE;
  if (axis->pending == NULL)
    return;
  numbers = (LcNumbers){.at = axis->pending->data, .end = axis->pending->data + axis->pending->len};
  while (numbers.at < numbers.end)
    {
      guint64 chunk = lc_number_read (&numbers), size = lc_number_read (&numbers);

      pyramid_give (pyramid, axis, axis->lowest, chunk, numbers.at, size);
      numbers.at += size;
    }
  g_clear_pointer (&axis->pending, g_byte_array_unref);
}

static void
hold_back (LcPyramid *pyramid, Axis *axis, const Level *row)
{
  guint most = pyramid_number_of (pyramid, axis) == LC_AXIS_TIME ? HELD_BACK : 2 * HELD_BACK;

  if (axis->pending == NULL)
    axis->pending = g_byte_array_new ();
  if (axis->pending->len + row->builder.size + 2 * LC_NUMBER_SIZE > most)
    {
      pyramid_release (pyramid, axis);
      pyramid_give (pyramid, axis, axis->lowest, row->chunk, row->builder.bytes, row->builder.size);
      return;
    }
  lc_number_append (axis->pending, row->chunk);
  lc_number_append (axis->pending, row->builder.size);
  g_byte_array_append (axis->pending, row->builder.bytes, row->builder.size);
}

static void
complete_chunk (LcPyramid *pyramid, Axis *axis, guint level)
{
  Level *row = axis->levels[level];

  if (row->builder.next == 0)
    return;
  lc_pyramid_chunk_complete (&row->builder);
  if (level == axis->lowest && axis->held_back)
    hold_back (pyramid, axis, row);
  else
    pyramid_give (pyramid, axis, level, row->chunk, row->builder.bytes, row->builder.size);
  lc_pyramid_chunk_begin (&row->builder);
}

static void
pyramid_put (LcPyramid *pyramid, Axis *axis, guint level, guint64 at, guint64 count, const LcSummaryBucket *bucket)
{
  Level *row = axis->levels[level];

  row->n_buckets += count;
  while (count > 0)
    {
      guint place = (guint)(at % LC_PYRAMID_CHUNK);
      guint n = (guint)MIN (count, LC_PYRAMID_CHUNK - place);

      if (row->chunk != at / LC_PYRAMID_CHUNK)
        complete_chunk (pyramid, axis, level);
      row->chunk = at / LC_PYRAMID_CHUNK;
      lc_pyramid_chunk_put (&row->builder, width_of (pyramid, axis, level), place, n, bucket);
      at += n;
      count -= n;
    }
}

/* --- Buckets ----------------------------------------------------------------------------------------------- */

static Level *
get_level (Axis *axis, guint level)
{
  if (axis->levels[level] == NULL)
    axis->levels[level] = g_new0 (Level, 1);
  return axis->levels[level];
}

/* Whether the level has one bucket so far. */
static gboolean
is_highest (const Axis *axis, guint level)
{
  return level == LEVELS - 1 || axis->last >> level == 0;
}

static inline void
pyramid_merge (LcSummaryBucket *bucket, const LcSummaryBucket *other)
{
  if (other->events > 0 && (bucket->events == 0 || other->longest > bucket->longest))
    {
      bucket->longest = other->longest;
      bucket->longest_ordinal = other->longest_ordinal;
    }
  bucket->running += other->running;
  bucket->waiting += other->waiting;
  bucket->woken += other->woken;
  bucket->preempted += other->preempted;
  bucket->outside += other->outside;
  bucket->unseen += other->unseen;
  bucket->holding += other->holding;
  bucket->events += other->events;
  for (guint i = 0; i < LC_EXCHANGES; i++)
    bucket->exchange[i] += other->exchange[i];
}

static void pyramid_add (LcPyramid *pyramid, Axis *axis, guint level, guint64 at, const LcSummaryBucket *bucket);

static void
pyramid_complete (LcPyramid *pyramid, Axis *axis, guint level)
{
  Level *row = axis->levels[level];

  if (row == NULL || !row->is_open)
    return;
  row->is_open = FALSE;
  pyramid_put (pyramid, axis, level, row->at, 1, &row->open);
  if (!is_highest (axis, level))
    pyramid_add (pyramid, axis, level + 1, row->at / 2, &row->open);
}

static void
pyramid_add (LcPyramid *pyramid, Axis *axis, guint level, guint64 at, const LcSummaryBucket *bucket)
{
  Level *row = get_level (axis, level);

  if (row->is_open && row->at == at)
    {
      pyramid_merge (&row->open, bucket);
      return;
    }
  pyramid_complete (pyramid, axis, level);
  row->is_open = TRUE;
  row->at = at;
  row->open = *bucket;
}

/* Adds equal buckets without events, to which nothing was added yet, to all levels: whole chunks at a time. */
static void
pyramid_fill (LcPyramid *pyramid, Axis *axis, guint level, guint64 at, guint64 count, const LcSummaryBucket *bucket)
{
  LcSummaryBucket pair = *bucket;

  if (count == 0)
    return;
  pyramid_merge (&pair, bucket);
  get_level (axis, level);
  pyramid_complete (pyramid, axis, level);
  pyramid_put (pyramid, axis, level, at, count, bucket);
  if (is_highest (axis, level))
    return;
  if (at % 2 == 1)
    {
      pyramid_add (pyramid, axis, level + 1, at / 2, bucket);
      at++;
      count--;
    }
  pyramid_fill (pyramid, axis, level + 1, at / 2, count / 2, &pair);
  if (count % 2 == 1)
    pyramid_add (pyramid, axis, level + 1, (at + count - 1) / 2, bucket);
}

/* Raises the lowest level by one. */
static void
pyramid_coarsen (LcPyramid *pyramid, Axis *axis)
{
  Level *row = axis->levels[axis->lowest];

  if (row != NULL && row->is_open)
    pyramid_add (pyramid, axis, axis->lowest + 1, row->at / 2, &row->open);
  pyramid_free_level (axis, axis->lowest++);
  if (axis->pending != NULL)
    g_byte_array_set_size (axis->pending, 0);
}

/* --- Events ------------------------------------------------------------------------------------------------ */

static guint64
most_spanned (guint64 events)
{
  return TOLERANCE * (events / EVENTS) + LEAST;
}

/* Chooses the level that has EVENTS in a bucket if the trace has as many events, and lasts as long, as expected. */
static guint
first_time_level (const LcPyramid *pyramid, guint64 begin)
{
  guint64 span = pyramid->expected_end > begin ? pyramid->expected_end - begin : 0;
  guint64 width = span / MAX (pyramid->expected_events / EVENTS, 1);

  /* Rounds to the nearest power of two. */
  width += MIN (width / 2, G_MAXUINT64 - width);
  return width == 0 ? 0 : (guint)g_bit_storage (width) - 1;
}

static void
limit_span (LcPyramid *pyramid, Axis *axis, guint64 most)
{
  while ((axis->last >> axis->lowest) - (axis->first >> axis->lowest) > most ||
         axis->last >> axis->lowest >= MOST_BUCKETS)
    pyramid_coarsen (pyramid, axis);
}

/* Adds a span of time to all its buckets; during the span the process is in one state and kind of call, and holds or
 * not. */
static void
pyramid_spread (LcPyramid *pyramid, guint64 from, guint64 to, LcProcessState state, guint exchange, gboolean holding)
{
  Axis *axis = &pyramid->axes[LC_AXIS_TIME];
  guint level = axis->lowest;
  guint64 width = G_GUINT64_CONSTANT (1) << level;

  while (from < to)
    {
      const Level *row = axis->levels[level];
      guint64 at = from >> level, left = width - (from & (width - 1)), part = MIN (to - from, left);
      gboolean is_new = row == NULL || !row->is_open || row->at != at;
      guint64 whole = part == width && is_new ? (to - from) >> level : 0;
      LcSummaryBucket bucket = {.holding = holding ? part : 0};

      lc_summary_bucket_add_state (&bucket, state, part);
      if (exchange != LC_EXCHANGE_NONE)
        bucket.exchange[exchange] = part;
      if (whole > 0)
        pyramid_fill (pyramid, axis, level, at, whole, &bucket);
      else
        pyramid_add (pyramid, axis, level, at, &bucket);
      from += whole > 0 ? whole << level : part;
    }
}

/* An event as it is counted: times and layers are corrected to never go back. */
typedef struct
{
  guint64 before; /* end of the previous event */
  guint64 begin, end, waited, woken, layer;
  guint exchange;
  gboolean held_before, holding;
} Counted;

static inline Counted
pyramid_count (const LcPyramid *pyramid, const LcBlock *block, guint32 i, guint8 held)
{
  guint64 before =
      G_UNLIKELY (pyramid->n_events == 0) ? MIN (block->begin[i], pyramid->begin) : pyramid->axes[LC_AXIS_TIME].last;
  guint64 begin = MAX (block->begin[i], before), end = MAX (block->end[i], begin);

  return (Counted){.before = before,
                   .begin = begin,
                   .end = end,
                   .waited = MIN (block->waited[i], end - begin),
                   .woken = MIN (block->woken[i], end - begin - MIN (block->waited[i], end - begin)),
                   .layer = MAX (block->layer[i], pyramid->axes[LC_AXIS_LAYER].last),
                   .exchange = pyramid->exchanges != NULL ? pyramid->exchanges[block->operation[i]] : LC_EXCHANGE_NONE,
                   .held_before = pyramid->held_after && !(held & LC_PYRAMID_LOST_BEFORE),
                   .holding = (held & LC_PYRAMID_HOLDING) != 0};
}

/* The bucket of an event without absences, which is no event of being outside. */
static inline LcSummaryBucket
pyramid_bucket_of (const Counted *event, guint64 ordinal)
{
  guint64 lasted = event->end - event->begin;

  return (LcSummaryBucket){.exchange = {event->exchange == 0 ? lasted : 0, event->exchange == 1 ? lasted : 0,
                                        event->exchange == 2 ? lasted : 0},
                           .running = event->end - event->before - event->waited - event->woken,
                           .waiting = event->waited,
                           .woken = event->woken,
                           .holding =
                               (event->holding ? lasted : 0) + (event->held_before ? event->begin - event->before : 0),
                           .events = 1,
                           .longest = lasted,
                           .longest_ordinal = ordinal};
}

/* Adds the states of the event's time, and sums them up in `sum`. */
static void
pyramid_add_states (LcPyramid *pyramid, const LcBlock *block, guint32 i, const Counted *event, LcSummaryBucket *sum)
{
  LcStates states;
  LcStateSpan span;

  lc_states_begin (&states, block, i, lc_states_is_outside (block, i), event->before, pyramid->next_absence);
  while (lc_states_next (&states, &span))
    {
      const guint64 begin = MAX (span.begin, event->before);

      if (begin >= span.end)
        continue;
      pyramid_spread (pyramid, begin, span.end, span.state, span.inside ? event->exchange : LC_EXCHANGE_NONE,
                      span.inside ? event->holding : event->held_before);
      lc_summary_bucket_add_state (sum, span.state, span.end - begin);
    }
  pyramid->next_absence = states.next_absence;
}

static void
pyramid_add_in_time (LcPyramid *pyramid, const LcBlock *block, guint32 i, const Counted *event, guint64 ordinal,
                     LcSummaryBucket *sum)
{
  const LcSummaryBucket point = {.events = 1, .longest = event->end - event->begin, .longest_ordinal = ordinal};
  Axis *axis = &pyramid->axes[LC_AXIS_TIME];

  if (pyramid->n_events == 0)
    {
      axis->lowest = first_time_level (pyramid, event->before);
      axis->first = event->before;
    }
  axis->last = event->end;
  limit_span (pyramid, axis, most_spanned (MAX (pyramid->n_events, pyramid->expected_events)));
  pyramid_add_states (pyramid, block, i, event, sum);
  pyramid_add (pyramid, axis, axis->lowest, event->end >> axis->lowest, &point);
}

static void
pyramid_add_in_layers (LcPyramid *pyramid, guint64 layer, const LcSummaryBucket *bucket)
{
  Axis *axis = &pyramid->axes[LC_AXIS_LAYER];
  guint64 most = LEAST + pyramid->n_events / EVENTS * (axis->held_back ? 1 : TOLERANCE);

  axis->last = layer;
  while (axis->last >> axis->lowest >= MOST_BUCKETS)
    pyramid_coarsen (pyramid, axis);
  pyramid_add (pyramid, axis, axis->lowest, axis->last >> axis->lowest, bucket);
  while (axis->levels[axis->lowest]->n_buckets > most)
    pyramid_coarsen (pyramid, axis);
}

/* Returns the open bucket if the last event ended in it, and its last position; NULL: there is none. */
static LcSummaryBucket *
get_open (const Axis *axis, guint64 *last)
{
  Level *row = axis->levels[axis->lowest];

  if (row == NULL || !row->is_open || row->at != axis->last >> axis->lowest)
    return NULL;
  *last = row->at << axis->lowest | ((G_GUINT64_CONSTANT (1) << axis->lowest) - 1);
  return &row->open;
}

/* Whether the event's states do not follow from its waiting alone. */
static inline gboolean
pyramid_is_odd (const LcPyramid *pyramid, const LcBlock *block, guint32 i)
{
  return G_UNLIKELY (block->flags[i] & LC_HISTORY_EVENT_OUTSIDE) ||
         (G_UNLIKELY (pyramid->next_absence < block->absences->len) &&
          g_array_index (block->absences, LcBlockAbsence, pyramid->next_absence).event <= i);
}

/* Most events begin and end in the buckets in which the previous event ended. Adds all of these that come one after the
 * other, and returns the number of the first event that does not. */
static guint32
add_to_open (LcPyramid *pyramid, const LcBlock *block, const guint8 *held, guint32 i)
{
  Axis *time = &pyramid->axes[LC_AXIS_TIME], *layers = &pyramid->axes[LC_AXIS_LAYER];
  guint64 last_time, last_layer;
  LcSummaryBucket *in_time = get_open (time, &last_time), *in_layers = get_open (layers, &last_layer), sum = {0};

  if (in_time == NULL || in_layers == NULL)
    return i;
  for (; i < block->n_events; i++)
    {
      const Counted event = pyramid_count (pyramid, block, i, held[i]);
      const LcSummaryBucket bucket = pyramid_bucket_of (&event, block->first_ordinal + i);

      if (event.end > last_time || event.layer > last_layer || pyramid_is_odd (pyramid, block, i))
        break;
      pyramid_merge (&sum, &bucket);
      time->last = event.end;
      layers->last = event.layer;
      pyramid->held_after = (held[i] & LC_PYRAMID_HELD_AFTER) != 0;
    }
  pyramid->n_events += sum.events;
  pyramid_merge (in_time, &sum);
  pyramid_merge (in_layers, &sum);
  return i;
}

static void
pyramid_add_event (LcPyramid *pyramid, const LcBlock *block, guint8 held, guint32 i)
{
  const Counted event = pyramid_count (pyramid, block, i, held);
  LcSummaryBucket bucket = pyramid_bucket_of (&event, block->first_ordinal + i);

  bucket.running = bucket.waiting = bucket.woken = 0;
  pyramid_add_in_time (pyramid, block, i, &event, block->first_ordinal + i, &bucket);
  pyramid_add_in_layers (pyramid, event.layer, &bucket);
  pyramid->held_after = (held & LC_PYRAMID_HELD_AFTER) != 0;
  pyramid->n_events++;
}

gboolean
lc_pyramid_add_block (LcPyramid *pyramid, const LcBlock *block, const guint8 *held, GError **error)
{
  pyramid->next_absence = 0;
  for (guint32 i = add_to_open (pyramid, block, held, 0); i < block->n_events;
       i = add_to_open (pyramid, block, held, i + 1))
    pyramid_add_event (pyramid, block, held[i], i);
  if (pyramid->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&pyramid->error));
  return FALSE;
}

/* Completes the open buckets level by level, up to the level with one bucket. */
static guint
complete_levels (LcPyramid *pyramid, Axis *axis)
{
  guint level;

  pyramid_release (pyramid, axis);
  for (level = axis->lowest;; level++)
    {
      pyramid_complete (pyramid, axis, level);
      if (axis->levels[level] != NULL)
        complete_chunk (pyramid, axis, level);
      if (is_highest (axis, level))
        return level;
    }
}

gboolean
lc_pyramid_finish (LcPyramid *pyramid, LcPyramidShape *shape, GError **error)
{
  *shape = (LcPyramidShape){0};
  if (pyramid->n_events == 0)
    return TRUE;
  limit_span (pyramid, &pyramid->axes[LC_AXIS_TIME], most_spanned (pyramid->n_events));
  for (guint axis = 0; axis < AXES; axis++)
    {
      shape->highest[axis] = complete_levels (pyramid, &pyramid->axes[axis]);
      shape->lowest[axis] = pyramid->axes[axis].lowest;
    }
  shape->begin = pyramid->axes[LC_AXIS_TIME].first;
  shape->end = pyramid->axes[LC_AXIS_TIME].last;
  if (pyramid->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&pyramid->error));
  return FALSE;
}
