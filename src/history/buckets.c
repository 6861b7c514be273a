/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the buckets of a summary from the events themselves, for spans that are finer than a process's pyramid. */
#include "reader.h"
#include "states.h"

typedef struct
{
  LcConnection *connection;
  const LcWindow *window;
  guint32 process;
  guint level;
  guint64 first;
  gsize n_buckets;
  LcSummaryBucket *buckets;
  guint64 before;     /* the end of the previous event */
  guint next_absence; /* of the present block */
  gboolean finished;  /* all further events are after the last bucket */
} Filling;

/* Adds to each bucket the part of the span that lies in it. */
static void
buckets_add_span (Filling *filling, guint64 from, guint64 to, LcProcessState state, gboolean holding)
{
  guint64 at = MAX (from >> filling->level, filling->first);

  for (; from < to && at - filling->first < filling->n_buckets && at <= (to - 1) >> filling->level; at++)
    {
      LcSummaryBucket *bucket = &filling->buckets[at - filling->first];
      guint64 begin = at << filling->level, last = begin + ((G_GUINT64_CONSTANT (1) << filling->level) - 1);
      guint64 part = MIN (to - 1, last) - MAX (from, begin) + 1;

      lc_summary_bucket_add_state (bucket, state, part);
      bucket->holding += holding ? part : 0;
    }
}

static void
buckets_add_event (Filling *filling, guint64 at, guint64 length, guint64 ordinal)
{
  LcSummaryBucket *bucket;

  if (at < filling->first || at - filling->first >= filling->n_buckets)
    return;
  bucket = &filling->buckets[at - filling->first];
  if (bucket->events == 0 || length > bucket->longest)
    {
      bucket->longest = length;
      bucket->longest_ordinal = ordinal;
    }
  bucket->events++;
}

static void
buckets_add_in_time (Filling *filling, const LcBlock *block, guint32 i, const LcBlockHolding *holding)
{
  const gboolean gap = lc_block_holding_has (holding->before, i), inside = lc_block_holding_has (holding->inside, i);
  guint64 begin = block->begin[i], end = block->end[i], last = filling->first + filling->n_buckets - 1;
  LcStates states;
  LcStateSpan span;

  lc_states_begin (&states, block, i, lc_block_holding_has (holding->outside, i), filling->before,
                   filling->next_absence);
  while (lc_states_next (&states, &span))
    buckets_add_span (filling, span.begin, span.end, span.state, span.inside ? inside : gap);
  filling->next_absence = states.next_absence;
  buckets_add_event (filling, end >> filling->level, end - begin, block->first_ordinal + i);
  filling->finished = end >> filling->level > last;
}

static void
buckets_add_in_layers (Filling *filling, const LcBlock *block, guint32 i, const LcBlockHolding *holding)
{
  guint64 begin = block->begin[i], end = block->end[i], at = block->layer[i] >> filling->level;
  LcSummaryBucket *bucket;
  LcStates states;
  LcStateSpan span;

  filling->finished = at >= filling->first + filling->n_buckets;
  if (at < filling->first || filling->finished)
    return;
  bucket = &filling->buckets[at - filling->first];
  lc_states_begin (&states, block, i, lc_block_holding_has (holding->outside, i), filling->before,
                   filling->next_absence);
  while (lc_states_next (&states, &span))
    lc_summary_bucket_add_state (bucket, span.state, span.end - span.begin);
  filling->next_absence = states.next_absence;
  bucket->holding += lc_block_holding_has (holding->inside, i) ? end - begin : 0;
  bucket->holding += lc_block_holding_has (holding->before, i) ? begin - filling->before : 0;
  buckets_add_event (filling, at, end - begin, block->first_ordinal + i);
}

/* Finds the first event that may be in a bucket. */
static guint32
buckets_find_first (const Filling *filling, const LcBlock *block)
{
  const LcWindow from = {.axis = LC_AXIS_TIME, .from = filling->first << filling->level, .to = G_MAXUINT64};
  guint32 first = 0, last;

  if (filling->window->axis == LC_AXIS_TIME)
    lc_block_find_touching (block, &from, &first, &last);
  return first;
}

static void
buckets_add_block (Filling *filling, const LcBlock *block, const LcBlockHolding *holding)
{
  const guint32 first = buckets_find_first (filling, block);

  filling->before = first > 0 ? block->end[first - 1] : filling->before;
  filling->next_absence = lc_states_find_absence (block, first);
  for (guint32 i = first; i < block->n_events && !filling->finished; i++)
    {
      if (filling->window->axis == LC_AXIS_TIME)
        buckets_add_in_time (filling, block, i, holding);
      else
        buckets_add_in_layers (filling, block, i, holding);
      filling->before = block->end[i];
    }
}

static gboolean
buckets_read_block (Filling *filling, guint number, GError **error)
{
  LcColumns columns = LC_COLUMN_TIME | LC_COLUMN_STATE;
  const LcBlock *block;
  LcBlockHolding holding;

  if (filling->window->axis == LC_AXIS_LAYER)
    columns |= LC_COLUMN_LAYER;
  if (!lc_connection_get_holding (filling->connection, filling->window->timeline, filling->process, number, &holding,
                                  error))
    return FALSE;
  block = lc_connection_get_block (filling->connection, filling->window->timeline, filling->process, number, columns,
                                   error);
  if (block != NULL)
    buckets_add_block (filling, block, &holding);
  return block != NULL;
}

/* The directory is looked up again for each block, as reading a block may push it out of the cache. */
static const LcDirectory *
get_directory (const Filling *filling, LcAxis axis, GError **error)
{
  return lc_connection_get_axis (filling->connection, filling->window->timeline, axis, filling->process, error);
}

static gboolean
buckets_begin (Filling *filling, guint *number, guint *n_blocks, GError **error)
{
  const LcDirectory *directory = get_directory (filling, filling->window->axis, error), *times;
  guint64 place = filling->first << filling->level;

  if (directory == NULL)
    return FALSE;
  *n_blocks = directory->entries->len;
  *number = filling->window->axis == LC_AXIS_TIME ? lc_directory_find_time (directory, place)
                                                  : lc_directory_find_layer (directory, place);
  if (*number == *n_blocks)
    return TRUE;
  times = get_directory (filling, LC_AXIS_TIME, error);
  if (times == NULL)
    return FALSE;
  filling->before = *number > 0
                        ? g_array_index (times->entries, LcDirectoryEntry, *number - 1).last_end
                        : lc_history_get_followed (lc_connection_get_history (filling->connection), filling->process,
                                                   g_array_index (times->entries, LcDirectoryEntry, 0).first_begin);
  return TRUE;
}

gboolean
lc_connection_fill_buckets (LcConnection *connection, const LcWindow *window, guint32 process, guint level,
                            guint64 first, gsize n_buckets, LcSummaryBucket *buckets, GCancellable *cancellable,
                            GError **error)
{
  Filling filling = {connection, window, process, level, first, n_buckets, buckets, 0, 0, FALSE};
  guint number = 0, n_blocks = 0;
  gboolean good = buckets_begin (&filling, &number, &n_blocks, error);

  for (; good && number < n_blocks && !filling.finished; number++)
    good = !g_cancellable_set_error_if_cancelled (cancellable, error) && buckets_read_block (&filling, number, error);
  return good;
}
