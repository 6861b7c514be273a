/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path through what is shown: flags on its marks, and its line, as finely as can be seen. */
#include "lightcone/critical-path.h"
#include "scene-private.h"

typedef struct
{
  LcSceneLayout *layout;
  LcHistoryWalk *walk;
  const LcCriticalPath *critical;
  const LcCriticalStay *all;
  gsize n_all;
  const LcCriticalStay *stays; /* the stays in the span */
  gsize n_stays;
} Path;

/* --- Search in the order of time ---------------------------------------------------------------------------------- */

/* Whether item `i` of a list is before `value`. */
typedef gboolean (*IsBefore) (gconstpointer list, gsize i, guint64 value);

/* Finds the first item from `from` on that is not before `value`. The item is probably near, so steps double first, and
 * the last step is then bisected. */
static gsize
scene_path_search (gconstpointer list, gsize from, gsize n, IsBefore is_before, guint64 value)
{
  gsize low = from, high = from, step = 1;

  for (; high < n && is_before (list, high, value); step *= 2)
    {
      low = high + 1;
      high = MIN (high + step, n);
    }
  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (is_before (list, middle, value))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
ends_before (gconstpointer stays, gsize i, guint64 time)
{
  return ((const LcCriticalStay *)stays)[i].end < time;
}

/* The stays of a process. */
typedef struct
{
  const LcCriticalStay *all;
  const guint32 *numbers;
  gsize n;
} Visits;

static const LcCriticalStay *
get_visit (const Visits *visits, gsize i)
{
  return &visits->all[visits->numbers[i]];
}

static gboolean
visit_ends_before (gconstpointer visits, gsize i, guint64 time)
{
  return get_visit (visits, i)->end < time;
}

/* The stay's last event is before another event. */
static gboolean
visit_is_before (gconstpointer visits, gsize i, guint64 ordinal)
{
  const LcCriticalStay *stay = get_visit (visits, i);

  return stay->last <= ordinal && (stay->released == LC_CRITICAL_NONE || stay->released < ordinal);
}

static gboolean
event_is_before (gconstpointer events, gsize i, guint64 ordinal)
{
  return ((const LcHistoryEvent *)events)[i].ordinal < ordinal;
}

static gboolean
mark_ends_before (gconstpointer marks, gsize i, guint64 place)
{
  return ((const LcMark *)marks)[i].to <= place;
}

static Visits
get_visits (const Path *path, guint32 process)
{
  Visits visits = {.all = path->all};

  visits.numbers = lc_critical_path_get_stays_of (path->critical, process, &visits.n);
  return visits;
}

static void
choose_stays (Path *path)
{
  const LcSceneLayout *layout = path->layout;
  gsize low, high;

  path->all = lc_critical_path_get_stays (path->critical, &path->n_all);
  low = scene_path_search (path->all, 0, path->n_all, ends_before, layout->time_from);
  /* A hop that ends in the span comes from the stay before. */
  low -= low > 0;
  high = scene_path_search (path->all, low, path->n_all, ends_before, layout->time_to);
  while (high < path->n_all && path->all[high].begin < layout->time_to)
    high++;
  /* A hop that begins in the span goes to the stay after. */
  path->stays = path->all + low;
  path->n_stays = MIN (high + 1, path->n_all) - low;
}

/* --- Marks ----------------------------------------------------------------------------------------------------- */

/* Event marks of the first track are in the order of the events, so both are indexed alike. */
static void
flag_events (const Path *path, guint32 member)
{
  const LcSceneTrack *track = &path->layout->tracks[0];
  const LcHistoryEvent *events = lc_scene_events_of (track, member);
  LcScene *scene = path->layout->scene;
  LcMark *marks = scene->marks + scene->kinds[LC_MARK_EVENT] + track->members[member].first;
  Visits visits = get_visits (path, lc_scene_process_of (path->layout, member));
  gsize n = track->members[member].n, at = 0, i = 0;

  while (i < n && (at = scene_path_search (&visits, at, visits.n, visit_is_before, events[i].ordinal)) < visits.n)
    {
      const LcCriticalStay *stay = get_visit (&visits, at);

      i = scene_path_search (events, i, n, event_is_before, MIN (stay->first, stay->released));
      for (; i < n && (events[i].ordinal < stay->last || events[i].ordinal == stay->released); i++)
        if (events[i].ordinal >= stay->first || events[i].ordinal == stay->released)
          marks[i].flags |= LC_MARK_CRITICAL | (events[i].ordinal == stay->released ? LC_MARK_ENTERED : 0);
      at++;
    }
}

/* Flags summaries in physical time, by the times of stays. */
static void
scene_path_flag_summaries (const Path *path, guint32 member)
{
  LcScene *scene = path->layout->scene;
  Visits visits = get_visits (path, lc_scene_process_of (path->layout, member));
  guint32 row = lc_scene_row_of (path->layout, member);
  gsize n, at = 0, i = 0;
  LcMark *marks = lc_scene_get_row_marks (scene, LC_MARK_SUMMARY, 0, row - row % scene->group, &n);

  while (i < n && (at = scene_path_search (&visits, at, visits.n, visit_ends_before, marks[i].from)) < visits.n)
    {
      const LcCriticalStay *stay = get_visit (&visits, at);

      if (stay->begin < marks[i].to)
        marks[i++].flags |= LC_MARK_CRITICAL;
      else
        i = scene_path_search (marks, i, n, mark_ends_before, stay->begin);
    }
}

/* Flags summaries in discrete time, where only the places of the line are known. */
static void
flag_summaries_at (const Path *path, const LcSceneArc *arc)
{
  LcScene *scene = path->layout->scene;
  guint32 row = arc->from_row;
  gsize n, i;
  LcMark *marks = lc_scene_get_row_marks (scene, LC_MARK_SUMMARY, 0, row - row % scene->group, &n);

  for (i = scene_path_search (marks, 0, n, mark_ends_before, arc->from); i < n && marks[i].from <= arc->to; i++)
    marks[i].flags |= LC_MARK_CRITICAL;
}

/* --- The line ----------------------------------------------------------------------------------------------------- */

/* A point of the path on the axis. */
typedef struct
{
  gboolean known;
  guint64 place;
  guint64 time;
  guint32 row;
  guint32 process;
  guint64 ordinal;
} Point;

static void
scene_path_add_arc (const Path *path, const Point *from, const Point *to)
{
  const LcSceneArc arc = {.from = from->place,
                          .to = to->place,
                          .from_ordinal = from->ordinal,
                          .to_ordinal = to->ordinal,
                          .from_row = from->row,
                          .to_row = to->row,
                          .from_process = from->process,
                          .to_process = to->process,
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

/* Finds the places where a stay begins and ends on the axis. */
static gboolean
find_points (const Path *path, const LcCriticalStay *stay, Point *begin, Point *end, GError **error)
{
  const LcSceneLayout *layout = path->layout;
  guint64 first = stay->released != LC_CRITICAL_NONE ? stay->released : stay->first;
  guint64 last = stay->last > stay->first ? stay->last - 1 : first;

  *begin = (Point){TRUE, stay->begin, stay->begin, layout->rows[stay->process], stay->process, first};
  *end = (Point){TRUE, stay->end, stay->end, layout->rows[stay->process], stay->process, last};
  if (lc_scene_is_physical (layout->query))
    return TRUE;
  /* A stay without an event is the begin of the path, before all layers. */
  if (stay->released == LC_CRITICAL_NONE && stay->first == stay->last)
    begin->known = end->known = FALSE;
  else if (!lc_scene_place_point (layout, path->walk, stay->process, first, LC_POINT_END, &begin->place, error) ||
           !lc_scene_place_point (layout, path->walk, stay->process, last, LC_POINT_END, &end->place, error))
    return FALSE;
  return TRUE;
}

/* Finds the next stay whose end can be told apart from `time`. Stays shorter than `finest` are left out, but never so
 * many in a row that it would be seen. */
static gsize
find_next (const Path *path, gsize from, guint64 time, guint64 finest)
{
  gsize next = scene_path_search (path->stays, from, path->n_stays, ends_before, time + finest);

  if (next < path->n_stays && path->stays[next].end - MIN (path->stays[next].begin, path->stays[next].end) < finest)
    next = scene_path_search (path->stays, next, path->n_stays, ends_before, time + 2 * finest);
  return MIN (next, path->n_stays - 1);
}

static gboolean
scene_path_add_line (const Path *path, guint64 finest, GError **error)
{
  Point last = {FALSE};

  for (gsize i = 0; i < path->n_stays; i++)
    {
      const LcCriticalStay *stay;
      Point begin, end;

      if (i > 0)
        i = find_next (path, i, path->stays[i - 1].end, finest);
      stay = &path->stays[i];
      if (path->layout->rows[stay->process] == LC_TRACE_NONE)
        {
          last.known = FALSE;
          continue;
        }
      if (!find_points (path, stay, &begin, &end, error))
        return FALSE;
      if (last.known && begin.known)
        scene_path_add_arc (path, &last, &begin);
      if (begin.known)
        scene_path_add_arc (path, &begin, &end);
      last = end;
    }
  return TRUE;
}

/* Adds the line as finely as the number of arcs allows. */
static gboolean
scene_path_add_lines (const Path *path, GError **error)
{
  const LcSceneLayout *layout = path->layout;
  guint length = layout->query->length > 0 ? layout->query->length : 1000, before = layout->arcs->len;
  guint64 finest = (layout->time_to - MIN (layout->time_from, layout->time_to)) / length;

  do
    {
      g_array_set_size (layout->arcs, before);
      if (g_cancellable_set_error_if_cancelled (layout->cancellable, error) ||
          !scene_path_add_line (path, finest, error))
        return FALSE;
      finest = MAX (2 * finest, 1);
    }
  while (layout->arcs->len - before > 2 * layout->most_arcs && finest < layout->time_to);
  return TRUE;
}

static void
scene_path_flag_marks (const Path *path, guint first_arc)
{
  const LcSceneLayout *layout = path->layout;
  gboolean physical = lc_scene_is_physical (layout->query);

  for (guint32 i = 0; i < layout->n_members; i++)
    if (lc_scene_has_events (layout, lc_scene_row_of (layout, i)))
      flag_events (path, i);
    else if (physical)
      scene_path_flag_summaries (path, i);
  for (guint i = first_arc; !physical && i < layout->arcs->len; i++)
    {
      const LcSceneArc *arc = &g_array_index (layout->arcs, LcSceneArc, i);

      if (arc->from_row == arc->to_row)
        flag_summaries_at (path, arc);
    }
}

/* --- All else ----------------------------------------------------------------------------------------------------- */

/* Whether the path is on the process of the mark at any time of it. */
static gboolean
scene_path_crosses (const Path *path, const LcMark *mark)
{
  const Visits visits = get_visits (path, mark->process);
  const gsize at = scene_path_search (&visits, 0, visits.n, visit_ends_before, mark->from);

  return at < visits.n && get_visit (&visits, at)->begin < MAX (mark->to, mark->from + 1);
}

/* Marks beside the path stand back. In discrete time that is known of events and summaries only. */
static void
scene_path_dim (const Path *path)
{
  static const LcMarkKind others[] = {LC_MARK_HOLDING, LC_MARK_ABSENT, LC_MARK_PENDING};
  const LcSceneLayout *layout = path->layout;
  LcScene *scene = layout->scene;

  for (LcMarkKind kind = LC_MARK_SUMMARY; kind <= LC_MARK_EVENT; kind++)
    for (gsize i = scene->kinds[kind]; i < scene->kinds[kind + 1]; i++)
      if (scene->marks[i].track == 0 && !(scene->marks[i].flags & LC_MARK_CRITICAL))
        scene->marks[i].flags |= LC_MARK_DIM;
  for (guint k = 0; lc_scene_is_physical (layout->query) && k < G_N_ELEMENTS (others); k++)
    for (gsize i = scene->kinds[others[k]]; i < scene->kinds[others[k] + 1]; i++)
      if (scene->marks[i].track == 0 && !scene_path_crosses (path, &scene->marks[i]))
        scene->marks[i].flags |= LC_MARK_DIM;
}

gboolean
lc_scene_highlight_path (LcSceneLayout *layout, GError **error)
{
  guint32 timeline = layout->tracks[0].timeline;
  guint before = layout->arcs->len;
  g_autoptr (LcCriticalPath) found = NULL;
  g_autoptr (LcHistoryWalk) walk = NULL;
  Path path = {.layout = layout, .critical = layout->query->selection.highlight.path};

  if (path.critical == NULL)
    path.critical = found = lc_critical_path_find (layout->history, timeline, layout->cancellable, error);
  if (path.critical == NULL)
    return FALSE;
  path.walk = walk = lc_history_walk_new (layout->history, timeline, LC_WALK_ARCS, layout->cancellable, error);
  if (walk == NULL)
    return FALSE;
  choose_stays (&path);
  if (!scene_path_add_lines (&path, error))
    return FALSE;
  scene_path_flag_marks (&path, before);
  scene_path_dim (&path);
  return TRUE;
}
