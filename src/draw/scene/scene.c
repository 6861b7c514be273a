/* SPDX-License-Identifier: Apache-2.0 */
/* The scene: its query is completed and checked, then everything is laid out, sorted and kept. */
#include <string.h>

#include "history/reader.h"
#include "lightcone/groups.h"
#include "scene-private.h"
#include "trace/quantities.h"

enum
{
  MOST_EVENTS = 30000,
  MOST_SUMMARIES = 80000,
  MOST_ARCS = 1000,
  MOST_LOOKED_AT = 512,  /* processes that are looked at, to find the times of the layers that are shown */
  DEFAULT_LENGTH = 1000, /* pixels, if the query does not say */
  ROOM_FOR_PENDING = 20, /* the whole run is shown with this part of its length added after its end */
};

void
lc_scene_query_init (LcSceneQuery *query)
{
  *query = (LcSceneQuery){.timeline = LC_TIMELINE_MEASURED, .beside = LC_TRACE_NONE};
  lc_selection_init (&query->selection);
}

/* --- The query ---------------------------------------------------------------------------------------------------- */

static gboolean G_GNUC_PRINTF (3, 4) scene_refuse (const LcSceneLayout *layout, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list arguments;

  va_start (arguments, format);
  what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, "%s: %s", lc_history_get_path (layout->history),
               what);
  return FALSE;
}

static gboolean
set_members (LcSceneLayout *layout, GError **error)
{
  guint32 n = lc_history_get_n_processes (layout->history);

  layout->n_members = layout->query->selection.processes != NULL ? layout->query->selection.n_processes : n;
  layout->members = g_new (guint32, MAX (n, 1));
  memset (layout->members, 0xff, sizeof *layout->members * n);
  for (guint32 i = 0; i < layout->n_members; i++)
    {
      guint32 process = lc_scene_process_of (layout, i);

      if (process >= n)
        return scene_refuse (layout, error, "there is no process %u, they are numbered from 0 to before %u", process,
                             n);
      if (layout->members[process] != LC_TRACE_NONE)
        return scene_refuse (layout, error, "process %u is asked for twice", process);
      layout->members[process] = i;
    }
  return TRUE;
}

/* Checks that every row has a process, and that rows have all processes that are asked for. */
static gboolean
check_rows (const LcSceneLayout *layout, GError **error)
{
  const LcSceneQuery *query = layout->query;
  guint32 end = 0;

  for (guint32 row = 0; query->selection.row_ends != NULL && row < query->selection.n_row_ends; row++)
    {
      if (query->selection.row_ends[row] <= end)
        return scene_refuse (layout, error, "row %u has no process", row);
      end = query->selection.row_ends[row];
    }
  if (query->selection.row_ends != NULL && end != layout->n_members)
    return scene_refuse (layout, error, "there are rows for %u processes, but %u are asked for", end,
                         layout->n_members);
  return TRUE;
}

static void
set_singles (LcSceneLayout *layout)
{
  layout->n_singles = layout->n_members;
  if (layout->query->selection.row_ends == NULL)
    return;
  layout->singles = g_new (guint32, MAX (layout->n_members, 1));
  layout->n_singles = 0;
  for (guint32 row = 0; row < layout->n_rows; row++)
    if (lc_scene_is_single (layout->query, row))
      layout->singles[layout->n_singles++] = lc_scene_first_of (layout->query, row);
}

static gboolean
set_rows (LcSceneLayout *layout, GError **error)
{
  guint32 n = lc_history_get_n_processes (layout->history);
  LcScene *scene = layout->scene;

  if (!set_members (layout, error) || !check_rows (layout, error))
    return FALSE;
  layout->n_rows = layout->query->selection.row_ends != NULL ? layout->query->selection.n_row_ends : layout->n_members;
  layout->rows = g_new (guint32, MAX (n, 1));
  memset (layout->rows, 0xff, sizeof *layout->rows * n);
  for (guint32 row = 0; row < layout->n_rows; row++)
    for (guint32 i = lc_scene_first_of (layout->query, row); i < lc_scene_first_of (layout->query, row + 1); i++)
      layout->rows[lc_scene_process_of (layout, i)] = row;
  set_singles (layout);
  scene->n_rows = layout->n_rows;
  scene->group = 1;
  if (layout->query->breadth > 0 && layout->n_rows > layout->query->breadth)
    scene->group = (layout->n_rows - 1) / layout->query->breadth + 1;
  return TRUE;
}

static gboolean
scene_check_objects (LcSceneLayout *layout, GError **error)
{
  guint32 n = lc_history_get_n_objects (layout->history);
  const LcFilters *filters = &layout->query->selection.filters;

  for (guint32 i = 0; filters->objects != NULL && i < filters->n_objects; i++)
    if (filters->objects[i] >= n)
      return scene_refuse (layout, error, "there is no object %u, they are numbered from 0 to before %u",
                           filters->objects[i], n);
  return TRUE;
}

/* Finds whether a timeline has an order of its own. FALSE: there is no such timeline. */
static gboolean
scene_find_timeline (GPtrArray *timelines, guint32 number, gboolean *own)
{
  for (guint i = 0; i < timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = g_ptr_array_index (timelines, i);

      if (timeline->id == number)
        {
          if (own != NULL)
            *own = timeline->own;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
fill_track (LcSceneLayout *layout, LcSceneTrack *track, GError **error)
{
  guint32 n = lc_history_get_n_processes (layout->history);
  g_autofree guint64 *begins = g_new (guint64, MAX (n, 1)), *ends = g_new (guint64, MAX (n, 1));

  track->members = g_new0 (LcSceneMember, MAX (layout->n_members, 1));
  if (track->timeline != LC_TIMELINE_MEASURED &&
      !lc_history_get_process_spans (layout->history, track->timeline, begins, ends, error))
    return FALSE;
  for (guint32 i = 0; i < layout->n_members; i++)
    {
      LcSceneMember *member = &track->members[i];
      guint32 process = lc_scene_process_of (layout, i);

      const LcHistoryProcess *measured = lc_history_get_process (layout->history, process);

      member->begin = measured->begin;
      member->end = measured->end;
      member->events = measured->events;
      if (g_cancellable_set_error_if_cancelled (layout->cancellable, error))
        return FALSE;
      if (track->timeline != LC_TIMELINE_MEASURED)
        {
          member->begin = begins[process];
          member->end = ends[process];
        }
      if (track->own && !lc_history_count_events (layout->history, track->timeline, process, &member->events, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
set_tracks (LcSceneLayout *layout, GError **error)
{
  const LcSceneQuery *query = layout->query;
  const guint32 numbers[] = {query->timeline, query->beside},
                bounds[] = {query->selection.lowest, query->selection.highest};
  g_autoptr (GPtrArray) timelines = lc_history_list_timelines (layout->history, error);

  if (timelines == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    if (bounds[i] != LC_TRACE_NONE && !scene_find_timeline (timelines, bounds[i], NULL))
      return scene_refuse (layout, error, "there is no timeline %u", bounds[i]);
  layout->n_tracks = query->beside != LC_TRACE_NONE && lc_scene_is_physical (query) ? 2 : 1;
  for (guint i = 0; i < layout->n_tracks; i++)
    {
      layout->tracks[i].timeline = numbers[i];
      if (!scene_find_timeline (timelines, numbers[i], &layout->tracks[i].own))
        return scene_refuse (layout, error, "there is no timeline %u", numbers[i]);
      if (!fill_track (layout, &layout->tracks[i], error))
        return FALSE;
    }
  return TRUE;
}

/* --- The span -------------------------------------------------------------------------------------------------- */

/* Whether an operation was pending when the recording ended: then there is something to show after the end, which is
 * not the end of what was pending. */
static gboolean
scene_has_pending (const LcSceneLayout *layout)
{
  if (lc_scene_is_physical (layout->query) && lc_history_get_until (layout->history) != 0)
    return FALSE;
  for (guint32 i = 0; i < layout->n_members; i++)
    if (lc_history_get_process (layout->history, lc_scene_process_of (layout, i))->pending.operation != LC_TRACE_NONE)
      return TRUE;
  return FALSE;
}

/* Finds the run in time: the first begin and the last end of the processes that are shown; of a run that goes on, until
 * now. */
static void
find_run (const LcSceneLayout *layout, guint64 *begin, guint64 *end)
{
  *begin = G_MAXUINT64;
  *end = 0;
  for (guint i = 0; i < layout->n_tracks; i++)
    for (guint32 k = 0; k < layout->n_members; k++)
      {
        const LcSceneMember *member = &layout->tracks[i].members[k];

        if (member->events == 0)
          continue;
        *begin = MIN (*begin, member->begin);
        *end = MAX (*end, member->end);
        if (layout->tracks[i].timeline == LC_TIMELINE_MEASURED)
          *end = MAX (*end, lc_history_get_until (layout->history));
      }
  *begin = MIN (*begin, *end);
}

/* Finds where the run ends on the axis: the position after everything. */
static gboolean
find_run_to (LcSceneLayout *layout, guint64 end, GError **error)
{
  const LcSceneTrack *track = &layout->tracks[0];

  switch (layout->query->selection.time)
    {
    case LC_SCENE_PHYSICAL:
      layout->run_to = end;
      return TRUE;
    case LC_SCENE_PHASE:
      layout->run_to = lc_phases_get_n_positions (layout->query->phases);
      return TRUE;
    case LC_SCENE_LOGICAL:
      break;
    }
  layout->run_to = track->own ? 1 : lc_history_get_n_layers (layout->history) + 1;
  for (guint32 i = 0; track->own && i < layout->n_members; i++)
    {
      LcHistoryEvent last;

      if (track->members[i].events == 0)
        continue;
      if (!lc_history_get_event (layout->history, track->timeline, lc_scene_process_of (layout, i),
                                 track->members[i].events - 1, &last, error))
        return FALSE;
      layout->run_to = MAX (layout->run_to, last.layer + 1);
    }
  return TRUE;
}

static void
set_whole_span (LcSceneLayout *layout, guint64 begin)
{
  LcSceneQuery *query = &layout->scene->query;

  query->from = lc_scene_is_physical (query) ? begin : query->selection.time == LC_SCENE_LOGICAL;
  query->to = layout->run_to;
  if (scene_has_pending (layout))
    query->to += lc_scene_is_physical (query) ? MAX ((query->to - begin) / ROOM_FOR_PENDING, 1) : 1;
  query->to = MAX (query->to, query->from + 1);
}

/* Finds the time of the span that is shown. In phase time it is that of the whole run; of very many processes, only
 * some are looked at. */
static gboolean
scene_set_times (LcSceneLayout *layout, guint64 begin, guint64 end, GError **error)
{
  const LcSceneQuery *query = layout->query;
  const LcSceneTrack *track = &layout->tracks[0];

  layout->time_from = lc_scene_is_physical (query) ? query->from : begin;
  layout->time_to = lc_scene_is_physical (query) ? layout->before : end + 1;
  if (query->selection.time != LC_SCENE_LOGICAL || (query->from <= 1 && query->to >= layout->run_to))
    return TRUE;
  layout->time_from = end;
  layout->time_to = begin;
  for (guint32 i = 0; i < layout->n_members; i += 1 + layout->n_members / MOST_LOOKED_AT)
    {
      LcHistoryEvent first, last;
      guint32 process = lc_scene_process_of (layout, i);

      if (track->members[i].events == 0)
        continue;
      if (!lc_history_find_event_at_layer (layout->history, track->timeline, process, query->from, &first, error) ||
          !lc_history_find_event_at_layer (layout->history, track->timeline, process, query->to, &last, error))
        return FALSE;
      layout->time_from = MIN (layout->time_from, first.begin);
      layout->time_to = MAX (layout->time_to, last.end + 1);
    }
  return TRUE;
}

static gboolean
set_span (LcSceneLayout *layout, GError **error)
{
  LcSceneQuery *query = &layout->scene->query;
  guint length = query->length > 0 ? query->length : DEFAULT_LENGTH;
  guint64 begin, end;

  if (query->from > query->to)
    return scene_refuse (layout, error, "there is nothing from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                         query->from, query->to);
  find_run (layout, &begin, &end);
  if (!find_run_to (layout, end, error))
    return FALSE;
  if (query->from == query->to)
    set_whole_span (layout, begin);
  layout->before = query->to + (lc_scene_is_physical (query) && query->to >= end && query->to < G_MAXUINT64);
  layout->pixel = MAX ((query->to - query->from) / length, 1);
  return scene_set_times (layout, begin, end, error);
}

static gboolean
begin_layout (LcSceneLayout *layout, GError **error)
{
  const LcSceneQuery *query = layout->query;

  layout->marks = g_array_new (FALSE, FALSE, sizeof (LcMark));
  layout->arcs = g_array_new (FALSE, FALSE, sizeof (LcSceneArc));
  layout->most_events = query->most_marks > 0 ? query->most_marks : MOST_EVENTS;
  layout->most_summaries = query->most_marks > 0 ? query->most_marks : MOST_SUMMARIES;
  layout->most_arcs = query->most_arcs > 0 ? query->most_arcs : MOST_ARCS;
  return set_rows (layout, error) && scene_check_objects (layout, error) && set_tracks (layout, error) &&
         set_span (layout, error);
}

/* A plan keeps a connection, whose blocks are of use to what comes next. */
static void
end_plans (LcSceneLayout *layout)
{
  for (guint i = 0; i < LC_SCENE_TRACKS; i++)
    g_clear_pointer (&layout->tracks[i].plan, lc_window_plan_free);
}

static void
end_layout (LcSceneLayout *layout)
{
  for (guint i = 0; i < LC_SCENE_TRACKS; i++)
    {
      g_free (layout->tracks[i].members);
      g_free (layout->tracks[i].places);
      g_clear_pointer (&layout->tracks[i].events, g_array_unref);
    }
  end_plans (layout);
  g_clear_pointer (&layout->marks, g_array_unref);
  g_clear_pointer (&layout->arcs, g_array_unref);
  lc_filtering_end (&layout->filtering);
  g_free (layout->singles);
  g_free (layout->members);
  g_free (layout->rows);
  g_free (layout->exchanges);
}

/* --- Laying out ------------------------------------------------------------------------------------------------ */

static int
scene_compare_marks (gconstpointer a, gconstpointer b)
{
  const LcMark *one = a, *other = b;
  guint64 place = (guint64)one->kind << 40 | (guint64)one->track << 32 | one->row;
  guint64 other_place = (guint64)other->kind << 40 | (guint64)other->track << 32 | other->row;

  if (place != other_place)
    return place < other_place ? -1 : 1;
  if (one->from != other->from)
    return one->from < other->from ? -1 : 1;
  if (one->ordinal != other->ordinal)
    return one->ordinal < other->ordinal ? -1 : 1;
  return one->object < other->object ? -1 : one->object > other->object;
}

/* Brings marks of each kind together; within a kind they keep their order. */
static LcMark *
group_marks (const LcScene *scene, const GArray *marks)
{
  LcMark *grouped = g_new (LcMark, MAX (marks->len, 1));
  gsize next[LC_MARKS];

  memcpy (next, scene->kinds, sizeof next);
  for (guint i = 0; i < marks->len; i++)
    {
      const LcMark *mark = &g_array_index (marks, LcMark, i);

      grouped[next[mark->kind]++] = *mark;
    }
  return grouped;
}

/* Marks of a kind mostly are in order already, and sorting them all takes longer than drawing them. */
static void
sort_kind (LcMark *marks, gsize n)
{
  for (gsize i = 1; i < n; i++)
    if (scene_compare_marks (&marks[i - 1], &marks[i]) > 0)
      {
        qsort (marks, n, sizeof *marks, scene_compare_marks);
        return;
      }
}

/* Marks are megabytes, so they are looked at once, and mostly are in order. */
static void
scene_sort_marks (LcSceneLayout *layout)
{
  LcScene *scene = layout->scene;
  const LcMark *marks = (const LcMark *)(const void *)layout->marks->data;
  gboolean sorted = TRUE;

  scene->n_marks = layout->marks->len;
  for (gsize i = 0; i < scene->n_marks; i++)
    {
      scene->kinds[marks[i].kind + 1]++;
      sorted = sorted && (i == 0 || scene_compare_marks (&marks[i - 1], &marks[i]) <= 0);
    }
  for (guint kind = 0; kind < LC_MARKS; kind++)
    scene->kinds[kind + 1] += scene->kinds[kind];
  scene->marks = sorted ? (LcMark *)(void *)g_array_steal (layout->marks, NULL) : group_marks (scene, layout->marks);
  g_clear_pointer (&layout->marks, g_array_unref);
  for (guint kind = 0; !sorted && kind < LC_MARKS; kind++)
    sort_kind (scene->marks + scene->kinds[kind], scene->kinds[kind + 1] - scene->kinds[kind]);
}

static gboolean
add_sums (LcSceneLayout *layout, LcSceneRows rows, GError **error)
{
  for (guint i = 0; i < layout->n_tracks; i++)
    if (!(lc_scene_is_filtered (layout) || layout->query->selection.time == LC_SCENE_PHASE
              ? lc_scene_add_bins (layout, i, rows, error)
              : lc_scene_add_summaries (layout, i, rows, error)))
      return FALSE;
  return TRUE;
}

static gboolean
add_event_level (LcSceneLayout *layout, GError **error)
{
  g_autoptr (GArray) joined = NULL;

  layout->scene->is_summary = layout->n_singles == 0 && layout->n_members > 0;
  if (layout->n_singles < layout->n_members && !add_sums (layout, LC_ROWS_COLLAPSED, error))
    return FALSE;
  end_plans (layout);
  if (!lc_scene_add_lives (layout, error) || !lc_scene_add_events (layout, error))
    return FALSE;
  if (lc_scene_is_physical (layout->query) && !lc_scene_add_bounds (layout, error))
    return FALSE;
  if (layout->n_tracks == 2)
    lc_scene_add_links (layout);
  return layout->query->selection.hide_arcs ||
         (lc_scene_add_arcs (layout, &joined, error) && lc_scene_add_groups (layout, joined, error));
}

static gboolean
add_summary_level (LcSceneLayout *layout, GError **error)
{
  layout->scene->is_summary = TRUE;
  /* Lives are sorted before summaries. */
  if (!lc_scene_add_lives (layout, error) || !add_sums (layout, LC_ROWS_ALL, error))
    return FALSE;
  end_plans (layout);
  return layout->query->selection.hide_arcs || lc_scene_add_few_arcs (layout, error);
}

static gboolean
scene_lay_out (LcSceneLayout *layout, GError **error)
{
  if (!begin_layout (layout, error))
    return FALSE;
  if (!lc_filtering_begin (&layout->filtering, &layout->query->selection.filters, layout->history, layout->cancellable,
                           error))
    return FALSE;
  if (layout->query->selection.coloring != NULL &&
      !lc_coloring_find (layout->query->selection.coloring, layout->cancellable, error))
    return FALSE;
  if (!lc_scene_gather (layout, error))
    return FALSE;
  if (!(layout->tracks[0].events != NULL ? add_event_level (layout, error) : add_summary_level (layout, error)))
    return FALSE;
  scene_sort_marks (layout);
  if (!layout->query->selection.hide_arcs && !lc_scene_add_blocked (layout, error))
    return FALSE;
  if (!lc_scene_highlight (layout, error))
    return FALSE;
  lc_scene_choose_arcs (layout);
  return TRUE;
}

LcScene *
lc_scene_new (LcHistory *history, const LcSceneQuery *query, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcScene) scene = g_new0 (LcScene, 1);
  LcSceneLayout layout = {.scene = scene, .history = history, .query = &scene->query, .cancellable = cancellable};
  gint64 begun = g_get_monotonic_time ();
  gboolean good;

  g_return_val_if_fail (query->selection.time != LC_SCENE_PHASE || query->phases != NULL, NULL);
  scene->history = history;
  scene->snapshot = layout.history = lc_history_take_snapshot (history);
  scene->query = *query;
  scene->names = lc_names_new (scene->snapshot);
  good = scene_lay_out (&layout, error);
  end_layout (&layout);
  g_debug ("scene from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT ": %zu marks, %u arcs, %" G_GUINT64_FORMAT
           " summaries read in %.1f ms",
           scene->query.from, scene->query.to, scene->n_marks, scene->arcs != NULL ? scene->arcs->len : 0,
           lc_history_count_asked (scene->snapshot, LC_QUERY_CHUNKS), (double)(g_get_monotonic_time () - begun) / 1e3);
  return good ? g_steal_pointer (&scene) : NULL;
}

gboolean
lc_scene_find_whole (LcHistory *history, const LcSceneQuery *query, guint64 *from, guint64 *to, guint64 *end,
                     GCancellable *cancellable, GError **error)
{
  g_autoptr (LcHistory) snapshot = lc_history_take_snapshot (history);
  LcScene scene = {.history = history, .query = *query};
  LcSceneLayout layout = {.scene = &scene, .history = snapshot, .query = &scene.query, .cancellable = cancellable};
  gboolean good;

  g_return_val_if_fail (query->selection.time != LC_SCENE_PHASE || query->phases != NULL, FALSE);
  scene.query.from = scene.query.to = 0;
  good = begin_layout (&layout, error);
  end_layout (&layout);
  *from = scene.query.from;
  *to = scene.query.to;
  if (end != NULL)
    *end = MAX (layout.run_to, scene.query.from);
  return good;
}

void
lc_scene_free (LcScene *scene)
{
  if (scene == NULL)
    return;
  g_clear_pointer (&scene->arcs, g_array_unref);
  lc_names_free (scene->names);
  lc_history_free (scene->snapshot);
  g_free (scene->density);
  g_free (scene->marks);
  g_free (scene);
}

/* --- Results ------------------------------------------------------------------------------------------------------ */

const LcMark *
lc_scene_get_marks (const LcScene *scene, gsize *n_marks)
{
  *n_marks = scene->n_marks;
  return scene->marks;
}

/* Finds the first mark of a kind that is not before a track and row. */
static gsize
scene_find_first (const LcScene *scene, LcMarkKind kind, guint track, guint64 row)
{
  gsize low = scene->kinds[kind], high = scene->kinds[kind + 1];

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;
      const LcMark *mark = &scene->marks[middle];

      if (mark->track < track || (mark->track == track && mark->row < row))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

LcMark *
lc_scene_get_row_marks (LcScene *scene, LcMarkKind kind, guint track, guint32 row, gsize *n_marks)
{
  gsize first = scene_find_first (scene, kind, track, row);

  *n_marks = scene_find_first (scene, kind, track, (guint64)row + 1) - first;
  return scene->marks + first;
}

const LcMark *
lc_scene_get_marks_of (const LcScene *scene, LcMarkKind kind, guint track, guint32 row, gsize *n_marks)
{
  if (row != LC_TRACE_NONE)
    return lc_scene_get_row_marks ((LcScene *)scene, kind, track, row, n_marks);
  *n_marks = scene->kinds[kind + 1] - scene->kinds[kind];
  return scene->marks + scene->kinds[kind];
}

const LcSceneArc *
lc_scene_get_arcs (const LcScene *scene, gsize *n_arcs)
{
  *n_arcs = scene->arcs->len;
  return (const LcSceneArc *)(const void *)scene->arcs->data;
}

const guint32 *
lc_scene_get_arc_density (const LcScene *scene, guint *n_parts, gboolean *uncounted)
{
  *n_parts = scene->n_parts;
  *uncounted = scene->uncounted;
  return scene->density;
}

const LcSceneQuery *
lc_scene_get_query (const LcScene *scene)
{
  return &scene->query;
}

LcHistory *
lc_scene_get_history (const LcScene *scene)
{
  return scene->history;
}

guint32
lc_scene_get_n_rows (const LcScene *scene)
{
  return scene->n_rows;
}

guint32
lc_scene_get_process (const LcScene *scene, guint32 row)
{
  return lc_scene_get_process_at (scene, row, 0);
}

guint32
lc_scene_get_n_processes (const LcScene *scene, guint32 row)
{
  g_return_val_if_fail (row < scene->n_rows, 0);
  return lc_scene_first_of (&scene->query, row + 1) - lc_scene_first_of (&scene->query, row);
}

guint32
lc_scene_get_process_at (const LcScene *scene, guint32 row, guint32 i)
{
  g_return_val_if_fail (row < scene->n_rows, LC_TRACE_NONE);
  i += lc_scene_first_of (&scene->query, row);
  g_return_val_if_fail (i < lc_scene_first_of (&scene->query, row + 1), LC_TRACE_NONE);
  return scene->query.selection.processes != NULL ? scene->query.selection.processes[i] : i;
}

guint32
lc_scene_count_processes (const LcScene *scene, const LcMark *mark)
{
  return lc_scene_first_of (&scene->query, mark->row + MAX (mark->n_rows, 1)) -
         lc_scene_first_of (&scene->query, mark->row);
}

char *
lc_scene_dup_row_name (const LcScene *scene, guint32 row)
{
  const LcSceneQuery *query = &scene->query;
  g_autofree guint32 *processes = NULL;
  guint32 n;

  g_return_val_if_fail (row < scene->n_rows, NULL);
  if (query->selection.row_names != NULL && query->selection.row_names[row] != NULL)
    return lc_format_text (query->selection.row_names[row]);
  n = lc_scene_get_n_processes (scene, row);
  processes = g_new (guint32, n);
  for (guint32 i = 0; i < n; i++)
    processes[i] = lc_scene_get_process_at (scene, row, i);
  return lc_groups_dup_name (scene->history, processes, n);
}

gboolean
lc_scene_is_summary (const LcScene *scene)
{
  return scene->is_summary;
}

void
lc_scene_get_totals (const LcScene *scene, LcSceneTotals *totals)
{
  *totals = scene->totals;
}
