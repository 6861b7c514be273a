/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path through what is shown: the marks that it goes through, and its line, as finely as it can be seen.
 */
#include "lightcone/critical-path.h"
#include "scene-private.h"

typedef struct
{
  LcSceneLayout *layout;
  LcHistoryWalk *walk;
  const LcCriticalStay *all;
  gsize n_all;
  const LcCriticalStay *stays; /* those that are in what is shown */
  gsize n_stays;
} Path;

/* The stays are in the order of time. */
static void
choose_stays (Path *path, const LcCriticalPath *critical)
{
  const LcSceneLayout *layout = path->layout;
  gsize n, low = 0, high;
  const LcCriticalStay *stays = lc_critical_path_get_stays (critical, &n);

  path->all = stays;
  path->n_all = n;
  for (high = n; low < high;)
    {
      gsize middle = low + (high - low) / 2;

      if (stays[middle].end < layout->time_from)
        low = middle + 1;
      else
        high = middle;
    }
  /* A hop that ends in what is shown comes from the stay before. */
  path->stays = stays + low - (low > 0);
  for (high = low - (low > 0); high < n && stays[high].begin < layout->time_to;)
    high++;
  /* And one that begins there goes to the next one. */
  path->n_stays = MIN (high + 1, n) - (low - (low > 0));
}

/* --- Marks ----------------------------------------------------------------------------------------------------- */

static void
flag_event (const Path *path, const LcHistoryEvent *event)
{
  LcScene *scene = path->layout->scene;
  gsize i = (gsize)(event - &g_array_index (path->layout->tracks[0].events, LcHistoryEvent, 0));

  scene->marks[scene->kinds[LC_MARK_EVENT] + i].flags |= LC_MARK_CRITICAL;
}

/* The marks of the first track's events are in the order of the events. */
static void
flag_events (const Path *path, const LcCriticalStay *stay)
{
  const LcSceneTrack *track = &path->layout->tracks[0];
  guint32 row = path->layout->rows[stay->process];
  const LcHistoryEvent *events, *released;
  gsize low = 0, high;

  if (row == LC_TRACE_NONE || track->rows[row].n == 0)
    return;
  events = lc_scene_events_of (track, row);
  if (stay->last <= events[0].ordinal && stay->released == LC_CRITICAL_NONE)
    return;
  for (high = track->rows[row].n; low < high;)
    {
      gsize middle = low + (high - low) / 2;

      if (events[middle].ordinal < stay->first)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < track->rows[row].n && events[low].ordinal < stay->last; low++)
    flag_event (path, &events[low]);
  released = stay->released != LC_CRITICAL_NONE
                 ? lc_scene_find_event (path->layout, track, stay->process, stay->released)
                 : NULL;
  if (released != NULL)
    flag_event (path, released);
}

static void
flag_summaries (const Path *path, guint32 row, guint64 from, guint64 to)
{
  LcScene *scene = path->layout->scene;
  gsize n, low = 0, high;
  LcMark *marks = lc_scene_get_row_marks (scene, LC_MARK_SUMMARY, 0, row - row % scene->group, &n);

  for (high = n; low < high;)
    {
      gsize middle = low + (high - low) / 2;

      if (marks[middle].to <= from)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < n && marks[low].from <= to; low++)
    marks[low].flags |= LC_MARK_CRITICAL;
}

/* --- Its line -------------------------------------------------------------------------------------------------- */

/* Where the path was last. */
typedef struct
{
  gboolean known;
  guint64 place;
  guint64 time;
  guint32 row;
  guint64 ordinal;
} Point;

static void
add_arc (const Path *path, const Point *from, const Point *to)
{
  const LcSceneArc arc = {.from = from->place,
                          .to = to->place,
                          .from_ordinal = from->ordinal,
                          .to_ordinal = to->ordinal,
                          .from_row = from->row,
                          .to_row = to->row,
                          .object = LC_TRACE_NONE,
                          .rule = G_MAXUINT16,
                          .kind = LC_SCENE_ARC_CRITICAL,
                          .flags = LC_MARK_CRITICAL};
  const LcSceneLayout *layout = path->layout;

  if (MAX (arc.from, arc.to) < layout->query->from || MIN (arc.from, arc.to) >= layout->before)
    return;
  if (arc.from != arc.to || arc.from_row != arc.to_row)
    g_array_append_val (layout->arcs, arc);
}

/* Where a stay begins and ends on the axis. */
static gboolean
find_points (const Path *path, const LcCriticalStay *stay, Point *begin, Point *end, GError **error)
{
  const LcSceneLayout *layout = path->layout;
  guint64 first = stay->released != LC_CRITICAL_NONE ? stay->released : stay->first;
  guint64 last = stay->last > stay->first ? stay->last - 1 : first;

  *begin = (Point){TRUE, stay->begin, stay->begin, layout->rows[stay->process], first};
  *end = (Point){TRUE, stay->end, stay->end, layout->rows[stay->process], last};
  if (lc_scene_is_physical (layout->query))
    return TRUE;
  /* A stay without an event is where the path begins, before all layers. */
  if (stay->released == LC_CRITICAL_NONE && stay->first == stay->last)
    begin->known = end->known = FALSE;
  else if (!lc_scene_place_point (layout, path->walk, stay->process, first, LC_POINT_END, &begin->place, error) ||
           !lc_scene_place_point (layout, path->walk, stay->process, last, LC_POINT_END, &end->place, error))
    return FALSE;
  return TRUE;
}

/* Stays shorter than `finest` are left out, but no more of them in a row than can be left out unseen. */
static gboolean
add_line (const Path *path, guint64 finest, GError **error)
{
  Point last = {FALSE};

  for (gsize i = 0; i < path->n_stays; i++)
    {
      const LcCriticalStay *stay = &path->stays[i];
      Point begin, end;

      if (path->layout->rows[stay->process] == LC_TRACE_NONE)
        {
          last.known = FALSE;
          continue;
        }
      if (last.known && i + 1 < path->n_stays && stay->end - stay->begin < finest && stay->end - last.time < 2 * finest)
        continue;
      if (!find_points (path, stay, &begin, &end, error))
        return FALSE;
      if (last.known && begin.known)
        add_arc (path, &last, &begin);
      if (begin.known)
        add_arc (path, &begin, &end);
      last = end;
    }
  return TRUE;
}

/* As finely as there is room for. */
static gboolean
add_lines (const Path *path, GError **error)
{
  const LcSceneLayout *layout = path->layout;
  guint length = layout->query->length > 0 ? layout->query->length : 1000, before = layout->arcs->len;
  guint64 finest = (layout->time_to - MIN (layout->time_from, layout->time_to)) / length;

  do
    {
      g_array_set_size (layout->arcs, before);
      if (g_cancellable_set_error_if_cancelled (layout->cancellable, error) || !add_line (path, finest, error))
        return FALSE;
      finest = MAX (2 * finest, 1);
    }
  while (layout->arcs->len - before > 2 * layout->most_arcs && finest < layout->time_to);
  return TRUE;
}

static gboolean
follow (Path *path, GError **error)
{
  const LcSceneLayout *layout = path->layout;
  guint before = layout->arcs->len;

  if (path->walk == NULL || !add_lines (path, error))
    return FALSE;
  /* What ends long after what is shown may have begun in it. */
  for (gsize i = 0; !layout->scene->is_summary && i < path->n_all; i++)
    flag_events (path, &path->all[i]);
  for (gsize i = 0; layout->scene->is_summary && lc_scene_is_physical (layout->query) && i < path->n_stays; i++)
    if (layout->rows[path->stays[i].process] != LC_TRACE_NONE)
      flag_summaries (path, layout->rows[path->stays[i].process], path->stays[i].begin, path->stays[i].end);
  for (guint i = before; layout->scene->is_summary && !lc_scene_is_physical (layout->query) && i < layout->arcs->len;
       i++)
    {
      const LcSceneArc *arc = &g_array_index (layout->arcs, LcSceneArc, i);

      if (arc->from_row == arc->to_row)
        flag_summaries (path, arc->from_row, arc->from, arc->to);
    }
  return TRUE;
}

gboolean
lc_scene_highlight_path (LcSceneLayout *layout, GError **error)
{
  guint32 timeline = layout->tracks[0].timeline;
  g_autoptr (LcCriticalPath) critical = lc_critical_path_find (layout->history, timeline, layout->cancellable, error);
  g_autoptr (LcHistoryWalk) walk = NULL;
  Path path = {.layout = layout};

  if (critical == NULL)
    return FALSE;
  path.walk = walk = lc_history_walk_new (layout->history, timeline, LC_WALK_ARCS, layout->cancellable, error);
  choose_stays (&path, critical);
  return follow (&path, error);
}
