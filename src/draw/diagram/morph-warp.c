/* SPDX-License-Identifier: Apache-2.0 */
/* A map from one scene to another: the events that both show map each row of one axis to the other. */
#include "morph-warp.h"

#include <math.h>

#include "draw/scene/scene-private.h"

enum
{
  MOST_LOOKED_UP = 20000, /* events, if the scenes have summaries */
  MOST_OF_ROW = 200,
};

/* The position `here` in one scene is the position `there` in the other. */
typedef struct
{
  guint64 here;
  guint64 there;
} Knot;

/* An event's name on the measured timeline, and its mark. */
typedef struct
{
  guint32 process;
  guint32 track;
  guint64 ordinal;
  const LcMark *mark;
} Named;

struct _LcWarp
{
  const LcScene *here;
  const LcScene *there;
  guint32 n_rows;
  GArray **knots;      /* Knot, by track and row, sorted by `here`; NULL: none */
  GHashTable *partner; /* const LcMark * of `here` -> of `there`, by process, ordinal and track */
};

/* --- Names ---------------------------------------------------------------------------------------------------------
 */

static int
compare_named (gconstpointer a, gconstpointer b)
{
  const Named *one = a, *other = b;

  if (one->track != other->track)
    return one->track < other->track ? -1 : 1;
  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return one->ordinal < other->ordinal ? -1 : one->ordinal > other->ordinal;
}

static guint
hash_mark (gconstpointer key)
{
  const LcMark *mark = key;

  return (guint)(mark->ordinal * 2654435761u) ^ (mark->process * 40503u) ^ mark->track;
}

static gboolean
is_same_mark (gconstpointer a, gconstpointer b)
{
  const LcMark *one = a, *other = b;

  return one->ordinal == other->ordinal && one->process == other->process && one->track == other->track;
}

static guint32
morph_warp_timeline_of (const LcScene *scene, guint track)
{
  return track == 0 ? scene->query.timeline : scene->query.beside;
}

static gboolean
has_own_names (LcHistory *history, guint32 number, gboolean *own, GError **error)
{
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (history, error);

  *own = FALSE;
  for (guint i = 0; timelines != NULL && i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = g_ptr_array_index (timelines, i);

      *own |= timeline->id == number && timeline->own;
    }
  return timelines != NULL;
}

/* Lists the names of a scene's events, sorted; of a timeline that has names of its own, the measured ones. NULL with an
 * error. */
static GArray *
morph_warp_list_names (const LcScene *scene, GCancellable *cancellable, GError **error)
{
  gsize n;
  const LcMark *marks = lc_scene_get_marks_of (scene, LC_MARK_EVENT, 0, LC_TRACE_NONE, &n);
  g_autoptr (GArray) names = g_array_sized_new (FALSE, FALSE, sizeof (Named), (guint)n);

  for (guint track = 0; track < LC_SCENE_TRACKS; track++)
    {
      g_autoptr (LcHistoryWalk) walk = NULL;
      guint32 timeline = morph_warp_timeline_of (scene, track);
      gboolean own;

      if (timeline == LC_TRACE_NONE)
        continue;
      if (!has_own_names (scene->history, timeline, &own, error) ||
          (own && (walk = lc_history_walk_new (scene->history, timeline, LC_WALK_ARCS, cancellable, error)) == NULL))
        return NULL;
      for (gsize i = 0; i < n; i++)
        {
          Named named = {marks[i].process, marks[i].track, marks[i].ordinal, &marks[i]};
          LcHistoryEvent event;

          if (marks[i].track != track)
            continue;
          if (own && !lc_history_walk_get (walk, named.process, named.ordinal, &event, NULL, error))
            return NULL;
          if (own)
            {
              named.process = event.origin_process;
              named.ordinal = event.origin_ordinal;
            }
          g_array_append_val (names, named);
        }
    }
  g_array_sort (names, compare_named);
  return g_steal_pointer (&names);
}

/* --- Knots ---------------------------------------------------------------------------------------------------------
 */

static int
compare_knots (gconstpointer a, gconstpointer b)
{
  const Knot *one = a, *other = b;

  if (one->here != other->here)
    return one->here < other->here ? -1 : 1;
  return one->there < other->there ? -1 : one->there > other->there;
}

static GArray **
morph_warp_place_of (LcWarp *warp, guint track, guint32 row)
{
  GArray **place = &warp->knots[(gsize)track * warp->n_rows + row];

  if (*place == NULL)
    *place = g_array_new (FALSE, FALSE, sizeof (Knot));
  return place;
}

static void
add_knot (LcWarp *warp, guint track, guint32 row, guint64 here, guint64 there)
{
  const Knot knot = {here, there};

  g_array_append_val (*morph_warp_place_of (warp, track, row), knot);
}

static void
sort_knots (LcWarp *warp)
{
  for (gsize i = 0; i < (gsize)warp->n_rows * LC_SCENE_TRACKS; i++)
    if (warp->knots[i] != NULL)
      g_array_sort (warp->knots[i], compare_knots);
}

static gboolean
match_events (LcWarp *warp, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) here = morph_warp_list_names (warp->here, cancellable, error);
  g_autoptr (GArray) there = here != NULL ? morph_warp_list_names (warp->there, cancellable, error) : NULL;

  if (there == NULL)
    return FALSE;
  for (guint i = 0, k = 0; i < here->len && k < there->len;)
    {
      const Named *one = &g_array_index (here, Named, i), *other = &g_array_index (there, Named, k);
      int order = compare_named (one, other);

      i += order <= 0;
      k += order >= 0;
      if (order != 0)
        continue;
      g_hash_table_insert (warp->partner, (gpointer)one->mark, (gpointer)other->mark);
      add_knot (warp, one->mark->track, one->mark->row, one->mark->from, other->mark->from);
      if (one->mark->to > one->mark->from || other->mark->to > other->mark->from)
        add_knot (warp, one->mark->track, one->mark->row, one->mark->to, other->mark->to);
    }
  return TRUE;
}

/* --- Scenes with summaries: some events are looked up ------------------------------------------------------------- */

typedef struct
{
  LcWarp *warp;
  guint32 from; /* timelines */
  guint32 to;
  LcHistoryWalk *there;
} Lookup;

/* Makes a knot of the end of an event near a time of `here`, and of the same event's end in `there`. */
static gboolean
morph_warp_look_up (const Lookup *lookup, guint32 process, guint64 time, Knot *knot, GError **error)
{
  LcHistory *history = lookup->warp->here->history;
  LcHistoryEvent event;
  guint32 its_process;
  guint64 its_ordinal;

  if (!lc_history_find_event_at (history, lookup->from, process, time, &event, error) ||
      !lc_history_locate (history, lookup->to, event.origin_process, event.origin_ordinal, &its_process, &its_ordinal,
                          error) ||
      !lc_history_walk_get_time (lookup->there, its_process, its_ordinal, LC_POINT_END, &knot->there, error))
    return FALSE;
  knot->here = event.end;
  return TRUE;
}

static gboolean
look_up_row (const Lookup *lookup, guint track, guint32 row, guint n, GError **error)
{
  const LcSceneQuery *query = &lookup->warp->here->query;
  guint32 process = lc_scene_get_process (lookup->warp->here, row);
  guint64 begin, end, from, to;

  if (!lc_history_get_process_span (lookup->warp->here->history, lookup->from, process, &begin, &end, error))
    return FALSE;
  from = MAX (begin, query->from);
  to = MIN (end, query->to);
  for (guint i = 0; i <= n && end > begin && to >= from; i++)
    {
      Knot knot;

      if (!morph_warp_look_up (lookup, process, from + (guint64)((double)(to - from) * i / n), &knot, error))
        return FALSE;
      add_knot (lookup->warp, track, row, knot.here, knot.there);
    }
  return TRUE;
}

static gboolean
look_up_track (LcWarp *warp, guint track, GCancellable *cancellable, GError **error)
{
  Lookup lookup = {.warp = warp,
                   .from = morph_warp_timeline_of (warp->here, track),
                   .to = morph_warp_timeline_of (warp->there, track)};
  guint n = CLAMP (MOST_LOOKED_UP / MAX (warp->n_rows, 1), 4, MOST_OF_ROW);
  gboolean good = TRUE;

  if (lookup.from == LC_TRACE_NONE || lookup.to == LC_TRACE_NONE || lookup.from == lookup.to)
    return TRUE;
  lookup.there = lc_history_walk_new (warp->here->history, lookup.to, LC_WALK_TIMES, cancellable, error);
  good = lookup.there != NULL;
  for (guint32 row = 0; row < warp->n_rows && good; row += warp->here->group)
    good = !g_cancellable_set_error_if_cancelled (cancellable, error) && look_up_row (&lookup, track, row, n, error);
  g_clear_pointer (&lookup.there, lc_history_walk_free);
  return good;
}

/* --- The map -------------------------------------------------------------------------------------------------------
 */

static LcWarp *
new_warp (const LcScene *here, const LcScene *there)
{
  LcWarp *warp = g_new0 (LcWarp, 1);

  warp->here = here;
  warp->there = there;
  warp->n_rows = here->n_rows;
  warp->knots = g_new0 (GArray *, MAX ((gsize)warp->n_rows * LC_SCENE_TRACKS, 1));
  warp->partner = g_hash_table_new (hash_mark, is_same_mark);
  return warp;
}

LcWarp *
lc_warp_new (const LcScene *here, const LcScene *there, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcWarp) warp = new_warp (here, there);

  if (!here->is_summary && !there->is_summary)
    {
      if (!match_events (warp, cancellable, error))
        return NULL;
    }
  else if (!here->projected)
    for (guint track = 0; track < LC_SCENE_TRACKS; track++)
      if (!look_up_track (warp, track, cancellable, error))
        return NULL;
  sort_knots (warp);
  return g_steal_pointer (&warp);
}

LcWarp *
lc_warp_new_inverse (const LcWarp *warp)
{
  LcWarp *inverse = new_warp (warp->there, warp->here);

  for (guint track = 0; track < LC_SCENE_TRACKS; track++)
    for (guint32 row = 0; row < warp->n_rows; row++)
      {
        const GArray *knots = warp->knots[(gsize)track * warp->n_rows + row];

        for (guint i = 0; knots != NULL && i < knots->len; i++)
          add_knot (inverse, track, row, g_array_index (knots, Knot, i).there, g_array_index (knots, Knot, i).here);
      }
  sort_knots (inverse);
  return inverse;
}

void
lc_warp_free (LcWarp *warp)
{
  for (gsize i = 0; i < (gsize)warp->n_rows * LC_SCENE_TRACKS; i++)
    g_clear_pointer (&warp->knots[i], g_array_unref);
  g_free (warp->knots);
  g_hash_table_unref (warp->partner);
  g_free (warp);
}

const LcMark *
lc_warp_find_partner (const LcWarp *warp, const LcMark *mark)
{
  return g_hash_table_lookup (warp->partner, mark);
}

/* Without knots, a position is at the same share of the span in both scenes. */
static guint64
map_by_span (const LcWarp *warp, guint64 position)
{
  const LcSceneQuery *here = &warp->here->query, *there = &warp->there->query;
  double length = (double)MAX (here->to - here->from, 1);
  double share = ((double)position - (double)here->from) / length;
  double place = (double)there->from + share * (double)(there->to - there->from);

  return (guint64)MAX (llround (place), 0);
}

/* The number of knots at or before a position. */
static guint
morph_warp_count_before (const GArray *knots, guint64 position)
{
  guint low = 0, high = knots->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (knots, Knot, middle).here <= position)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Beyond the outermost knots, distances are the same in both scenes. */
static guint64
map_beside (const Knot *knot, guint64 position)
{
  gint64 place = (gint64)knot->there + (gint64)(position - knot->here);

  return (guint64)MAX (place, 0);
}

guint64
lc_warp_map (const LcWarp *warp, guint track, guint32 row, guint64 position)
{
  const GArray *knots = warp->knots[(gsize)track * warp->n_rows + row];
  const Knot *before, *after;
  double share;
  guint n;

  if (warp->here == warp->there)
    return position;
  if (knots == NULL || knots->len == 0)
    return map_by_span (warp, position);
  n = morph_warp_count_before (knots, position);
  before = n > 0 ? &g_array_index (knots, Knot, n - 1) : NULL;
  after = n < knots->len ? &g_array_index (knots, Knot, n) : NULL;
  if (before == NULL)
    return map_beside (after, position);
  if (before->here == position || after == NULL)
    return map_beside (before, position);
  share = (double)(position - before->here) / (double)(after->here - before->here);
  return before->there + (guint64)llround (share * (double)(gint64)(after->there - before->there));
}
