/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of summaries, from what the history has summed up. */
#include "scene-private.h"

#include <string.h>

enum
{
  LEVELS = 64,
  MOST_BUCKETS = 1 << 18, /* of one call */
  MOST_TRIES = 4,

  /* What is summed up may be so many levels coarser than there is room for; then it is made of events, if these are in
   * no more than so many blocks. A call that looks at few processes does that. */
  COARSER = 2,
  MOST_BLOCKS = 12000,
  FEW_BLOCKS = 100,
  BLOCK_EVENTS = 512,
};

static guint64
count_buckets (guint64 from, guint64 to, guint level)
{
  return ((MAX (to, from + 1) - 1) >> level) - (from >> level) + 1;
}

/* In physical time processes have nothing before their first event and after their last; `evenly`: no matter. */
static guint64
count_all_buckets (const LcSceneLayout *layout, guint level, gboolean evenly)
{
  const LcSceneQuery *query = layout->query;
  guint32 group = layout->scene->group;
  guint64 to = MIN (query->to, MAX (layout->run_to, query->from)), sum = 0;

  if (evenly || !lc_scene_is_physical (query))
    return ((layout->n_rows + group - 1) / group) * layout->n_tracks * count_buckets (query->from, to, level);
  for (guint number = 0; number < layout->n_tracks; number++)
    for (guint32 first = 0; first < layout->n_rows; first += group)
      {
        guint64 begin = to, end = query->from;

        for (guint32 row = first; row < MIN (first + group, layout->n_rows); row++)
          {
            begin = MIN (begin, MAX (layout->tracks[number].rows[row].begin, query->from));
            end = MAX (end, MIN (layout->tracks[number].rows[row].end, to));
          }
        sum += begin < end ? count_buckets (begin, end, level) : 1;
      }
  return sum;
}

guint
lc_scene_choose_level (const LcSceneLayout *layout, gboolean evenly)
{
  guint level = 0;

  while (level < LEVELS - 2 && G_GUINT64_CONSTANT (1) << level < layout->pixel)
    level++;
  while (level < LEVELS - 2 && count_all_buckets (layout, level, evenly) > layout->most_summaries)
    level++;
  return level;
}

/* --- Rows that become one mark --------------------------------------------------------------------------------- */

typedef struct
{
  LcSummaryBucket bucket;
  guint32 process; /* of the longest event */
} Sum;

typedef struct
{
  LcSceneLayout *layout;
  guint number; /* of the track */
  Sum *sums;
  gsize room;
} Summing;

static void
add_bucket (Sum *sum, const LcSummaryBucket *bucket, guint32 process)
{
  LcSummaryBucket *to = &sum->bucket;

  if (bucket->events > 0 && (to->events == 0 || bucket->longest > to->longest))
    {
      to->longest = bucket->longest;
      to->longest_ordinal = bucket->longest_ordinal;
      sum->process = process;
    }
  to->events += bucket->events;
  to->running += bucket->running;
  to->waiting += bucket->waiting;
  to->holding += bucket->holding;
}

static void
add_mark (const Summing *summing, const LcSummary *summary, guint32 row, guint32 n_rows, gsize k)
{
  const Sum *sum = &summing->sums[k];
  guint64 from = (summary->first + k) << summary->level;
  LcMark mark = {.from = from,
                 .to = from + (G_GUINT64_CONSTANT (1) << summary->level),
                 .released = from,
                 .ordinal = sum->bucket.longest_ordinal,
                 .events = sum->bucket.events,
                 .running = sum->bucket.running,
                 .waiting = sum->bucket.waiting,
                 .holding = sum->bucket.holding,
                 .row = row,
                 .n_rows = n_rows,
                 .process = sum->process,
                 .object = LC_TRACE_NONE,
                 .kind = LC_MARK_SUMMARY,
                 .track = (guint8)summing->number};

  if (mark.events + mark.running + mark.waiting + mark.holding > 0)
    g_array_append_val (summing->layout->marks, mark);
}

/* The marks of one call, whose rows begin at `first`. */
static void
add_summary (Summing *summing, const LcSummary *summary, guint32 first)
{
  guint32 group = summing->layout->scene->group;

  for (gsize i = 0; i < summary->n_rows; i += group)
    {
      guint32 n = (guint32)MIN (group, summary->n_rows - i);
      gsize n_buckets = 0;

      for (guint32 k = 0; k < n; k++)
        n_buckets = MAX (n_buckets, summary->rows[i + k].n_buckets);
      if (n_buckets > summing->room)
        summing->sums = g_renew (Sum, summing->sums, summing->room = n_buckets);
      for (gsize b = 0; b < n_buckets; b++)
        summing->sums[b] = (Sum){.process = summary->rows[i].process};
      for (guint32 k = 0; k < n; k++)
        for (gsize b = 0; b < summary->rows[i + k].n_buckets; b++)
          add_bucket (&summing->sums[b], &summary->rows[i + k].buckets[b], summary->rows[i + k].process);
      for (gsize b = 0; b < n_buckets; b++)
        add_mark (summing, summary, first + (guint32)i, n, b);
    }
}

/* --- Calls ----------------------------------------------------------------------------------------------------- */

static guint64
count_blocks (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 row)
{
  const LcSceneRow *of = &track->rows[row];
  double share = 1;

  if (lc_scene_is_physical (layout->query) && of->end > of->begin)
    share = (double)lc_scene_overlap (layout, of->begin, of->end) / (double)(of->end - of->begin);
  return (guint64)((double)of->events * share / BLOCK_EVENTS) + 1;
}

static guint64
count_all_blocks (const LcSceneLayout *layout, const LcSceneTrack *track)
{
  guint64 sum = 0;

  for (guint32 row = 0; row < layout->n_rows; row++)
    sum += count_blocks (layout, track, row);
  return sum;
}

/* How many rows from one on are asked for at once: whole groups. */
static guint32
count_together (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 first, guint level, gboolean few)
{
  guint64 n_buckets = ((layout->query->to - layout->query->from) >> level) + 2, buckets = 0, blocks = 0;
  guint32 group = layout->scene->group, n = 0;

  while (first + n < layout->n_rows && (n == 0 || (buckets < MOST_BUCKETS && (!few || blocks < FEW_BLOCKS))))
    for (guint32 k = 0; k < group && first + n < layout->n_rows; k++, n++)
      {
        buckets += n_buckets;
        blocks += count_blocks (layout, track, first + n) + 1;
      }
  return n;
}

/* Sets the level that it has become. */
static gboolean
summarize (Summing *summing, guint32 first, guint32 n, guint *level, GError **error)
{
  LcSceneLayout *layout = summing->layout;
  LcWindow window = lc_scene_get_window (layout, &layout->tracks[summing->number]);
  g_autofree guint32 *processes = g_new (guint32, n);
  g_autoptr (LcWindowResult) result = NULL;
  const LcSummary *summary;
  guint wanted = *level;

  for (guint32 i = 0; i < n; i++)
    processes[i] = lc_scene_process_of (layout, first + i);
  window.processes = processes;
  window.n_processes = n;
  result = lc_history_summarize_window (layout->history, &window, G_MAXSIZE, G_GUINT64_CONSTANT (1) << wanted,
                                        layout->cancellable, error);
  if (result == NULL)
    return FALSE;
  summary = lc_window_result_get_summary (result);
  *level = MAX (summary->level, wanted);
  add_summary (summing, summary, first);
  return TRUE;
}

/* All rows on one level; `coarsest` is set to the coarsest that there was. Ends early if that was too coarse. */
static gboolean
summarize_all (Summing *summing, guint level, gboolean few, gboolean last_try, guint *coarsest, GError **error)
{
  const LcSceneTrack *track = &summing->layout->tracks[summing->number];

  *coarsest = level;
  for (guint32 first = 0, n; first < summing->layout->n_rows && (last_try || *coarsest == level); first += n)
    {
      guint now = level;

      n = count_together (summing->layout, track, first, level, few);
      if (!summarize (summing, first, n, &now, error))
        return FALSE;
      *coarsest = MAX (*coarsest, now);
    }
  return TRUE;
}

gboolean
lc_scene_add_summaries (LcSceneLayout *layout, guint number, GError **error)
{
  Summing summing = {layout, number, NULL, 0};
  guint wanted = lc_scene_choose_level (layout, FALSE), level = wanted, coarsest = wanted, before = layout->marks->len;
  gboolean few = FALSE, good, again = TRUE;

  for (guint tries = 1; again; tries++)
    {
      g_array_set_size (layout->marks, before);
      good = summarize_all (&summing, level, few, tries == MOST_TRIES, &coarsest, error);
      again = good && coarsest > level && tries < MOST_TRIES;
      if (again && !few && coarsest > wanted + COARSER &&
          count_all_blocks (layout, &layout->tracks[number]) <= MOST_BLOCKS)
        few = TRUE;
      else
        level = coarsest;
    }
  g_free (summing.sums);
  for (guint i = before; good && number == 0 && i < layout->marks->len; i++)
    lc_scene_add_to_totals (layout->scene, &g_array_index (layout->marks, LcMark, i));
  return good;
}
