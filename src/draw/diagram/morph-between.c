/* SPDX-License-Identifier: Apache-2.0 */
/* A scene between two timelines: finds the part of each timeline that such a scene needs, so that nothing is
 * missing. */
#include <math.h>

#include "lightcone/morph.h"
#include "draw/scene/scene-private.h"

enum
{
  MOST_LOOKED_AT = 256, /* processes; of more, only some are looked at */
  DEFAULT_LENGTH = 1000,
};

/* The two timelines. Events are named as on the measured timeline. */
typedef struct
{
  LcHistory *history;
  guint32 timelines[2];
  LcHistoryWalk *walks[2];
  double share;
} Between;

/* The part of one timeline that is needed. */
typedef struct
{
  guint64 from;
  guint64 to;
} Part;

static gboolean
find_times (const Between *between, guint32 process, guint64 ordinal, LcPoint point, guint64 *times, GError **error)
{
  for (guint i = 0; i < 2; i++)
    {
      guint32 its_process;
      guint64 its_ordinal;

      if (!lc_history_locate (between->history, between->timelines[i], process, ordinal, &its_process, &its_ordinal,
                              error) ||
          !lc_history_walk_get_time (between->walks[i], its_process, its_ordinal, point, &times[i], error))
        return FALSE;
    }
  return TRUE;
}

static double
morph_between_mix (const Between *between, const guint64 *times)
{
  return (double)times[0] + ((double)times[1] - (double)times[0]) * between->share;
}

/* Finds the first event of a process whose point is at `time` or later on the axis between the timelines; `n`: none. */
static gboolean
morph_between_find_first (const Between *between, guint32 process, LcPoint point, guint64 n, double time,
                          guint64 *first, GError **error)
{
  guint64 low = 0, high = n, times[2];

  while (low < high)
    {
      guint64 middle = low + (high - low) / 2;

      if (!find_times (between, process, middle, point, times, error))
        return FALSE;
      if (morph_between_mix (between, times) < time)
        low = middle + 1;
      else
        high = middle;
    }
  *first = low;
  return TRUE;
}

static void
morph_between_widen (Part *parts, const guint64 *times, double distance)
{
  for (guint i = 0; i < 2; i++)
    {
      double time = MAX ((double)times[i] + distance, 0);

      parts[i].from = MIN (parts[i].from, (guint64)time);
      parts[i].to = MAX (parts[i].to, (guint64)time + 1);
    }
}

/* Widens the parts by what a process shows at one edge of the span: the event there, or the gap around it. */
static gboolean
widen_by_edge (const Between *between, guint32 process, LcPoint point, double time, Part *parts, GError **error)
{
  guint64 n = lc_history_get_process (between->history, process)->events, ordinal, times[2];

  if (n == 0)
    return TRUE;
  if (!morph_between_find_first (between, process, point, n, time, &ordinal, error))
    return FALSE;
  for (guint i = 0; i < 2; i++, ordinal++)
    {
      guint64 at = CLAMP (ordinal, 1, n) - 1;
      double there;

      if (!find_times (between, process, at, point, times, error))
        return FALSE;
      there = morph_between_mix (between, times);
      /* Beyond a process's first or last event, time passes equally fast on both timelines. */
      morph_between_widen (parts, times, (i == 0) == (time > there) ? time - there : 0);
    }
  return TRUE;
}

static gboolean
find_parts (const Between *between, const LcSceneQuery *query, Part *parts, GCancellable *cancellable, GError **error)
{
  guint32 n =
      query->selection.processes != NULL ? query->selection.n_processes : lc_history_get_n_processes (between->history);

  parts[0] = parts[1] = (Part){G_MAXUINT64, 0};
  for (guint32 i = 0; i < n; i += 1 + n / MOST_LOOKED_AT)
    {
      guint32 process = query->selection.processes != NULL ? query->selection.processes[i] : i;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !widen_by_edge (between, process, LC_POINT_END, (double)query->from, parts, error) ||
          !widen_by_edge (between, process, LC_POINT_BEGIN, (double)query->to, parts, error))
        return FALSE;
    }
  return TRUE;
}

/* A query without a span means the whole run. */
static gboolean
complete_span (LcHistory *history, LcSceneQuery *query, double share, GCancellable *cancellable, GError **error)
{
  LcSceneQuery one = *query;
  guint64 starts[2], tos[2];

  if (query->from != query->to)
    return TRUE;
  one.beside = LC_TRACE_NONE;
  if (!lc_scene_find_whole (history, &one, &starts[0], &tos[0], NULL, cancellable, error))
    return FALSE;
  one.timeline = query->beside;
  if (!lc_scene_find_whole (history, &one, &starts[1], &tos[1], NULL, cancellable, error))
    return FALSE;
  query->from = (guint64)((double)starts[0] + ((double)starts[1] - (double)starts[0]) * share);
  query->to = (guint64)((double)tos[0] + ((double)tos[1] - (double)tos[0]) * share);
  query->to = MAX (query->to, query->from + 1);
  return TRUE;
}

/* Makes the scene of one timeline, with as much detail as it will have when only the query's span is shown. */
static LcScene *
morph_between_make_scene (const Between *between, const LcSceneQuery *query, guint i, const Part *part,
                          GCancellable *cancellable, GError **error)
{
  LcSceneQuery one = *query;
  double longer = (double)(part->to - part->from) / (double)(query->to - query->from);

  one.timeline = between->timelines[i];
  one.beside = LC_TRACE_NONE;
  one.from = part->from;
  one.to = part->to;
  one.length = (guint)CLAMP ((query->length > 0 ? query->length : DEFAULT_LENGTH) * longer, 1, 100000);
  /* The critical path is that of the first timeline. */
  if (i == 1 && one.selection.highlight.kind == LC_HIGHLIGHT_CRITICAL_PATH)
    one.selection.highlight.kind = LC_HIGHLIGHT_NONE;
  return lc_scene_new (between->history, &one, cancellable, error);
}

static LcScene *
make_between (const Between *between, const LcSceneQuery *query, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcScene) from = NULL, to = NULL;
  LcScene *scene;
  Part parts[2];

  if (!find_parts (between, query, parts, cancellable, error))
    return NULL;
  for (guint i = 0; i < 2; i++)
    if (parts[i].from >= parts[i].to)
      parts[i] = (Part){query->from, query->to};
  from = morph_between_make_scene (between, query, 0, &parts[0], cancellable, error);
  to = from != NULL ? morph_between_make_scene (between, query, 1, &parts[1], cancellable, error) : NULL;
  scene = to != NULL ? lc_scene_morph (from, to, between->share, cancellable, error) : NULL;
  if (scene == NULL)
    return NULL;
  scene->query.from = query->from;
  scene->query.to = query->to;
  return scene;
}

LcScene *
lc_scene_new_between (LcHistory *history, const LcSceneQuery *query, double share, GCancellable *cancellable,
                      GError **error)
{
  Between between = {.history = history, .timelines = {query->timeline, query->beside}, .share = CLAMP (share, 0, 1)};
  LcSceneQuery whole = *query;
  LcScene *scene = NULL;

  g_return_val_if_fail (query->beside != LC_TRACE_NONE && query->selection.time == LC_SCENE_PHYSICAL, NULL);
  if (!complete_span (history, &whole, between.share, cancellable, error))
    return NULL;
  for (guint i = 0; i < 2; i++)
    {
      between.walks[i] = lc_history_walk_new (history, between.timelines[i], LC_WALK_TIMES, cancellable, error);
      if (between.walks[i] == NULL)
        break;
    }
  if (between.walks[0] != NULL && between.walks[1] != NULL)
    scene = make_between (&between, &whole, cancellable, error);
  g_clear_pointer (&between.walks[0], lc_history_walk_free);
  g_clear_pointer (&between.walks[1], lc_history_walk_free);
  return scene;
}
