/* SPDX-License-Identifier: Apache-2.0 */
/* Marks of summaries, made from the history's summaries. */
#include "scene-private.h"

#include <string.h>

enum
{
  LEVELS = 64,
  MOST_BUCKETS = 1 << 18, /* buckets in one call */
  MOST_CHANGES = 3,       /* of the way to ask, until each bundle may have a level of its own */

  /* If the history's summaries are more than COARSER levels coarser than there is room for, and the events lie in at
   * most MOST_BLOCKS blocks, calls are split: one that looks at few processes makes summaries from events. */
  COARSER = 2,
  MOST_BLOCKS = 12000,
  FEW_BLOCKS = 100,
  BLOCK_EVENTS = 512,
};

static guint64
scene_summary_count_buckets (guint64 from, guint64 to, guint level)
{
  return ((MAX (to, from + 1) - 1) >> level) - (from >> level) + 1;
}

/* Rows that become one mark, and the members in them. */
typedef struct
{
  guint32 row;
  guint32 n_rows;
  guint32 member;
  guint32 n_members;
} Bundle;

/* Lists the bundles of the rows that are to have summaries. */
static GArray *
list_bundles (const LcSceneLayout *layout, LcSceneRows rows)
{
  GArray *bundles = g_array_new (FALSE, FALSE, sizeof (Bundle));
  guint32 group = rows == LC_ROWS_ALL ? layout->scene->group : 1;

  for (guint32 row = 0; row < layout->n_rows; row += group)
    {
      Bundle bundle = {row, MIN (group, layout->n_rows - row), lc_scene_first_of (layout->query, row), 0};

      bundle.n_members = lc_scene_first_of (layout->query, row + bundle.n_rows) - bundle.member;
      if (lc_scene_is_among (layout->query, row, rows))
        g_array_append_val (bundles, bundle);
    }
  return bundles;
}

/* Counts buckets. In physical time, processes have none before their first event and after their last, unless
 * `evenly`. */
static guint64
count_all_buckets (const LcSceneLayout *layout, const GArray *bundles, guint level, gboolean evenly)
{
  const LcSceneQuery *query = layout->query;
  guint64 to = MIN (query->to, MAX (layout->run_to, query->from)), sum = 0;

  if (evenly || !lc_scene_is_physical (query))
    return bundles->len * layout->n_tracks * scene_summary_count_buckets (query->from, to, level);
  for (guint number = 0; number < layout->n_tracks; number++)
    for (guint i = 0; i < bundles->len; i++)
      {
        const Bundle *bundle = &g_array_index (bundles, Bundle, i);
        guint64 begin = to, end = query->from;

        for (guint32 k = bundle->member; k < bundle->member + bundle->n_members; k++)
          {
            begin = MIN (begin, MAX (layout->tracks[number].members[k].begin, query->from));
            end = MAX (end, MIN (layout->tracks[number].members[k].end, to));
          }
        sum += begin < end ? scene_summary_count_buckets (begin, end, level) : 1;
      }
  return sum;
}

guint
lc_scene_choose_level (const LcSceneLayout *layout, LcSceneRows rows, gboolean evenly)
{
  g_autoptr (GArray) bundles = list_bundles (layout, rows);
  guint level = 0;

  while (level < LEVELS - 2 && G_GUINT64_CONSTANT (1) << level < layout->pixel)
    level++;
  while (level < LEVELS - 2 && count_all_buckets (layout, bundles, level, evenly) > layout->most_summaries)
    level++;
  return level;
}

/* --- Processes that become one mark ---------------------------------------------------------------------------- */

typedef struct
{
  LcSummaryBucket bucket;
  guint32 process; /* the process of the longest event */
} Sum;

typedef struct
{
  LcSceneLayout *layout;
  guint number;    /* number of the track */
  GArray *bundles; /* Bundle: all that are summed up */
  GArray *members; /* guint32: the members of all bundles, one after the other */
  guint asked;     /* the level that is asked for */

  /* State of the bundle whose members are being added. */
  guint bundle;
  guint32 n_added;
  guint level;
  guint64 first; /* number of its first bucket */
  gsize n_sums;
  Sum *sums;
  gsize room;
} Summing;

static void
begin_bundle (Summing *summing, guint32 process, guint level)
{
  const LcSceneLayout *layout = summing->layout;

  summing->level = level;
  summing->first = layout->query->from >> level;
  summing->n_sums = scene_summary_count_buckets (layout->query->from, layout->before, level);
  if (summing->n_sums > summing->room)
    summing->sums = g_renew (Sum, summing->sums, summing->room = summing->n_sums);
  for (gsize i = 0; i < summing->n_sums; i++)
    summing->sums[i] = (Sum){.process = process};
}

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
  to->woken += bucket->woken;
  to->preempted += bucket->preempted;
  to->outside += bucket->outside;
  to->holding += bucket->holding;
  for (guint i = 0; i < LC_EXCHANGES; i++)
    to->exchange[i] += bucket->exchange[i];
}

/* Keeps the longest events of all summaries. */
static void
scene_summary_keep_longest (LcSceneLayout *layout, const Sum *sum)
{
  guint i = layout->n_longest;

  if (sum->bucket.longest == 0 || (i == LC_SCENE_LONGEST && layout->longest[i - 1].length >= sum->bucket.longest))
    return;
  if (i == LC_SCENE_LONGEST)
    i--;
  else
    layout->n_longest++;
  for (; i > 0 && layout->longest[i - 1].length < sum->bucket.longest; i--)
    layout->longest[i] = layout->longest[i - 1];
  layout->longest[i] = (LcSceneLongest){sum->bucket.longest, sum->bucket.longest_ordinal, sum->process};
}

static void
scene_summary_add_mark (const Summing *summing, const Bundle *bundle, gsize k)
{
  const Sum *sum = &summing->sums[k];
  guint64 from = (summing->first + k) << summing->level;
  LcMark mark = {.from = from,
                 .to = from + (G_GUINT64_CONSTANT (1) << summing->level),
                 .released = from,
                 .went_on = from,
                 .ordinal = sum->bucket.longest_ordinal,
                 .events = sum->bucket.events,
                 .running = sum->bucket.running,
                 .waiting = sum->bucket.waiting,
                 .woken = sum->bucket.woken,
                 .preempted = sum->bucket.preempted,
                 .outside = sum->bucket.outside,
                 .holding = sum->bucket.holding,
                 .row = bundle->row,
                 .n_rows = bundle->n_rows,
                 .process = sum->process,
                 .object = LC_TRACE_NONE,
                 .kind = LC_MARK_SUMMARY,
                 .track = (guint8)summing->number};

  memcpy (mark.exchange, sum->bucket.exchange, sizeof mark.exchange);
  if (mark.events + lc_mark_get_time (&mark) + mark.holding > 0)
    g_array_append_val (summing->layout->marks, mark);
  if (mark.events > 0 && summing->number == 0)
    scene_summary_keep_longest (summing->layout, sum);
}

/* Adds the summary of one process. A bundle gets its marks when all of its members are added. */
static void
scene_summary_add_summary (const LcSummary *summary, gpointer data)
{
  Summing *summing = data;
  const Bundle *bundle = &g_array_index (summing->bundles, Bundle, summing->bundle);
  const LcSummaryRow *row = summary->rows;

  if (summing->n_added == 0)
    begin_bundle (summing, row->process, MAX (summary->level, summing->asked));
  for (gsize i = 0; i < row->n_buckets; i++)
    add_bucket (&summing->sums[summary->first - summing->first + i], &row->buckets[i], row->process);
  if (++summing->n_added < bundle->n_members)
    return;
  for (gsize i = 0; i < summing->n_sums; i++)
    scene_summary_add_mark (summing, bundle, i);
  summing->bundle++;
  summing->n_added = 0;
}

/* --- Calls ----------------------------------------------------------------------------------------------------- */

/* Of layers, all events count: how many there are of a process in a layer is not even. */
static guint64
scene_summary_count_blocks (const LcSceneLayout *layout, const LcSceneTrack *track, guint32 member)
{
  const double events = lc_scene_is_physical (layout->query) ? lc_scene_guess_events (layout, track, member)
                                                             : (double)track->members[member].events;

  return (guint64)(events / BLOCK_EVENTS) + 1;
}

static guint64
count_all_blocks (const Summing *summing)
{
  const LcSceneLayout *layout = summing->layout;
  guint64 sum = 0;

  for (guint i = 0; i < summing->members->len; i++)
    sum += scene_summary_count_blocks (layout, &layout->tracks[summing->number],
                                       g_array_index (summing->members, guint32, i));
  return sum;
}

/* A way to ask for a level. */
typedef struct
{
  guint level;
  gboolean few;   /* few processes in each call */
  gboolean whole; /* whole bundles in each call, so that each bundle has one level, whichever it is */
} Way;

static guint
count_of_bundle (const Summing *summing, guint bundle)
{
  return bundle < summing->bundles->len ? g_array_index (summing->bundles, Bundle, bundle).n_members : 0;
}

/* Counts the members, from `first` on, that are asked for in one call. */
static guint
count_together (const Summing *summing, guint first, const Way *way)
{
  const LcSceneLayout *layout = summing->layout;
  guint64 n_buckets = ((layout->query->to - layout->query->from) >> way->level) + 2, buckets = 0, blocks = 0;
  guint n = 0;

  if (way->whole)
    return count_of_bundle (summing, summing->bundle);
  for (; first + n < summing->members->len; n++)
    {
      guint32 member = g_array_index (summing->members, guint32, first + n);

      buckets += n_buckets;
      blocks += scene_summary_count_blocks (layout, &layout->tracks[summing->number], member) + 1;
      if (n > 0 && (buckets > MOST_BUCKETS || (way->few && blocks > FEW_BLOCKS)))
        break;
    }
  return n;
}

/* The next members that are asked for together. */
static const guint32 *
get_members (const Summing *summing, guint first)
{
  return &g_array_index (summing->members, guint32, first);
}

/* Finds the level of what a way gives: the wanted one, or the first coarser one. */
static gboolean
find_coarsest (const Summing *summing, LcWindowPlan *plan, const Way *way, guint *coarsest, GError **error)
{
  *coarsest = way->level;
  for (guint first = 0, n; first < summing->members->len && *coarsest == way->level; first += n)
    {
      n = count_together (summing, first, way);
      if (!lc_window_plan_find_level (plan, get_members (summing, first), n, way->level, coarsest, error))
        return FALSE;
    }
  return TRUE;
}

/* Chooses how to ask for summaries as fine as there is room for. The plan knows what will come of it, so that nothing
 * is read in vain. */
static gboolean
choose_way (const Summing *summing, LcWindowPlan *plan, LcSceneRows rows, Way *way, GError **error)
{
  const guint wanted = lc_scene_choose_level (summing->layout, rows, FALSE);

  *way = (Way){.level = wanted};
  for (guint changes = 0; changes < MOST_CHANGES; changes++)
    {
      guint coarsest;

      if (!find_coarsest (summing, plan, way, &coarsest, error))
        return FALSE;
      if (coarsest == way->level)
        return TRUE;
      if (!way->few && coarsest > wanted + COARSER && count_all_blocks (summing) <= MOST_BLOCKS)
        way->few = TRUE;
      else
        way->level = coarsest;
    }
  way->whole = TRUE;
  return TRUE;
}

/* Marks that were added without room for them would be copied again and again. */
static void
scene_summary_make_room (const Summing *summing, guint level)
{
  const LcSceneLayout *layout = summing->layout;
  const guint64 n = scene_summary_count_buckets (layout->query->from, layout->before, level) * summing->bundles->len;
  const guint before = layout->marks->len;

  g_array_set_size (layout->marks, before + (guint)MIN (n, layout->most_summaries));
  g_array_set_size (layout->marks, before);
}

static gboolean
summarize_all (Summing *summing, LcWindowPlan *plan, const Way *way, GError **error)
{
  scene_summary_make_room (summing, way->level);
  summing->asked = way->level;
  for (guint first = 0, n; first < summing->members->len; first += n)
    {
      n = count_together (summing, first, way);
      if (!lc_window_plan_visit_summary (plan, get_members (summing, first), n, way->level, scene_summary_add_summary,
                                         summing, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
summarize_finest (Summing *summing, LcSceneRows rows, GError **error)
{
  LcWindowPlan *plan = lc_scene_plan (summing->layout, &summing->layout->tracks[summing->number], error);
  Way way;

  return plan != NULL && choose_way (summing, plan, rows, &way, error) && summarize_all (summing, plan, &way, error);
}

static GArray *
list_members (const GArray *bundles)
{
  GArray *members = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < bundles->len; i++)
    {
      const Bundle *bundle = &g_array_index (bundles, Bundle, i);

      for (guint32 member = bundle->member; member < bundle->member + bundle->n_members; member++)
        g_array_append_val (members, member);
    }
  return members;
}

gboolean
lc_scene_add_summaries (LcSceneLayout *layout, guint number, LcSceneRows rows, GError **error)
{
  Summing summing = {.layout = layout, .number = number, .bundles = list_bundles (layout, rows)};
  guint before = layout->marks->len;
  gboolean good;

  summing.members = list_members (summing.bundles);
  good = summarize_finest (&summing, rows, error);
  g_free (summing.sums);
  g_array_unref (summing.members);
  g_array_unref (summing.bundles);
  for (guint i = before; good && number == 0 && i < layout->marks->len; i++)
    lc_scene_add_to_totals (layout->scene, &g_array_index (layout->marks, LcMark, i));
  return good;
}
