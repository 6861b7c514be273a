/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the buckets of a summary from the events themselves, for spans that are finer than a process's pyramid. */
#include <string.h>

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
  GArray *holds;      /* LcHold */
  const GArray *gaps; /* of this timeline; or NULL */
  guint64 before;     /* the end of the previous event */
  guint next_absence; /* of the present block */
  gboolean finished;  /* all further events are after the last bucket */
} Filling;

/* Only the first block needs the held objects (`further`); from there on they are followed event by event. */
static const LcBlock *
buckets_get_block (const Filling *filling, guint number, LcColumns further, GError **error)
{
  LcColumns columns = LC_COLUMN_TIME | LC_COLUMN_IDENTITY | LC_COLUMN_STATE | further;

  if (filling->window->axis == LC_AXIS_LAYER)
    columns |= LC_COLUMN_LAYER;
  return lc_connection_get_block (filling->connection, filling->window->timeline, filling->process, number, columns,
                                  error);
}

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

/* `gap`: the process held an object in the gap before the event; `holding`: during the event. */
static void
buckets_add_in_time (Filling *filling, const LcBlock *block, guint32 i, gboolean gap, gboolean holding)
{
  guint64 begin = block->begin[i], end = block->end[i], last = filling->first + filling->n_buckets - 1;
  LcStates states;
  LcStateSpan span;

  lc_states_begin (&states, block, i, filling->before, filling->next_absence);
  while (lc_states_next (&states, &span))
    buckets_add_span (filling, span.begin, span.end, span.state, span.inside ? holding : gap);
  filling->next_absence = states.next_absence;
  buckets_add_event (filling, end >> filling->level, end - begin, block->first_ordinal + i);
  filling->finished = end >> filling->level > last;
}

static void
buckets_add_in_layers (Filling *filling, const LcBlock *block, guint32 i, gboolean gap, gboolean holding)
{
  guint64 begin = block->begin[i], end = block->end[i], at = block->layer[i] >> filling->level;
  LcSummaryBucket *bucket;
  LcStates states;
  LcStateSpan span;

  filling->finished = at >= filling->first + filling->n_buckets;
  if (at < filling->first || filling->finished)
    return;
  bucket = &filling->buckets[at - filling->first];
  lc_states_begin (&states, block, i, filling->before, filling->next_absence);
  while (lc_states_next (&states, &span))
    lc_summary_bucket_add_state (bucket, span.state, span.end - span.begin);
  filling->next_absence = states.next_absence;
  bucket->holding += (holding ? end - begin : 0) + (gap ? begin - filling->before : 0);
  buckets_add_event (filling, at, end - begin, block->first_ordinal + i);
}

/* Finds the first event that may be in a bucket. Those before it only take and give back objects. */
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
buckets_add_block (Filling *filling, const LcBlock *block)
{
  const LcHoldingPairs *pairs = lc_connection_get_history (filling->connection)->pairs;
  const guint32 first = buckets_find_first (filling, block);

  filling->next_absence = lc_states_find_absence (block, first);
  for (guint32 i = 0; i < block->n_events && !filling->finished; i++)
    {
      gboolean gap;
      LcHold ended;
      guint64 until;

      while (filling->gaps != NULL && lc_holding_lose (filling->gaps, filling->holds, block->begin[i], &ended, &until))
        ;
      gap = filling->holds->len > 0;

      lc_holding_end (pairs, filling->holds, block, i, &ended);
      if (filling->window->axis == LC_AXIS_TIME && i >= first)
        buckets_add_in_time (filling, block, i, gap, filling->holds->len > 0);
      else if (i >= first)
        buckets_add_in_layers (filling, block, i, gap, filling->holds->len > 0);
      lc_holding_begin (pairs, &filling->holds, block, i);
      filling->before = block->end[i];
    }
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
  const LcBlock *block;

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
  block = buckets_get_block (filling, *number, LC_COLUMN_HELD, error);
  filling->holds =
      block != NULL ? lc_connection_list_holds (filling->connection, filling->window->timeline, block, error) : NULL;
  return filling->holds != NULL;
}

gboolean
lc_connection_fill_buckets (LcConnection *connection, const LcWindow *window, guint32 process, guint level,
                            guint64 first, gsize n_buckets, LcSummaryBucket *buckets, GCancellable *cancellable,
                            GError **error)
{
  Filling filling = {connection, window, process, level, first, n_buckets, buckets, NULL, NULL, 0, 0, FALSE};
  const GArray *gaps = lc_history_get_gaps (lc_connection_get_history (connection));
  guint number = 0, n_blocks = 0;
  gboolean good = buckets_begin (&filling, &number, &n_blocks, error);

  if (window->timeline == LC_TIMELINE_MEASURED && gaps->len > 0)
    filling.gaps = gaps;
  for (; good && number < n_blocks && !filling.finished; number++)
    {
      const LcBlock *block = NULL;

      if (!g_cancellable_set_error_if_cancelled (cancellable, error))
        block = buckets_get_block (&filling, number, 0, error);
      good = block != NULL;
      if (good)
        buckets_add_block (&filling, block);
    }
  g_clear_pointer (&filling.holds, g_array_unref);
  return good;
}
