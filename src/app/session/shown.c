/* SPDX-License-Identifier: Apache-2.0 */
/* The user's choices of what a picture contains, without the part in view. */
#include "app/session/shown.h"

#include "app/settings.h"

LcShown *
lc_shown_new (LcOpened *opened)
{
  LcShown *shown = g_atomic_rc_box_new0 (LcShown);

  shown->opened = lc_opened_ref (opened);
  shown->timeline = LC_TIMELINE_MEASURED;
  shown->beside = LC_TRACE_NONE;
  lc_selection_init (&shown->selection);
  lc_shown_set_processes (shown, NULL, 0);
  return shown;
}

static LcKept *
shown_share (LcKept *kept)
{
  return kept != NULL ? lc_kept_ref (kept) : NULL;
}

LcShown *
lc_shown_copy (const LcShown *shown)
{
  LcShown *copy = g_atomic_rc_box_new (LcShown);

  *copy = *shown;
  lc_opened_ref (copy->opened);
  lc_selection_copy (&copy->selection, &shown->selection, shown->opened->history);
  copy->marks = shown_share (shown->marks);
  copy->hidden_marks = g_strdupv (shown->hidden_marks);
  copy->phases = shown_share (shown->phases);
  copy->path = shown_share (shown->path);
  copy->past = shown_share (shown->past);
  copy->future = shown_share (shown->future);
  return copy;
}

LcShown *
lc_shown_ref (LcShown *shown)
{
  return g_atomic_rc_box_acquire (shown);
}

static void
shown_clear (LcShown *shown)
{
  lc_selection_clear (&shown->selection); /* what is found of a history goes before it */
  lc_opened_unref (shown->opened);
  g_clear_pointer (&shown->marks, lc_kept_unref);
  g_strfreev (shown->hidden_marks);
  g_clear_pointer (&shown->phases, lc_kept_unref);
  g_clear_pointer (&shown->path, lc_kept_unref);
  g_clear_pointer (&shown->past, lc_kept_unref);
  g_clear_pointer (&shown->future, lc_kept_unref);
}

void
lc_shown_unref (LcShown *shown)
{
  g_atomic_rc_box_release_full (shown, (GDestroyNotify)shown_clear);
}

/* --- Changes --------------------------------------------------------------------------------------------------- */

void
lc_shown_set_processes (LcShown *shown, const guint32 *processes, guint32 n_processes)
{
  g_autofree guint32 *all = NULL;

  if (processes == NULL)
    {
      n_processes = lc_history_get_n_processes (shown->opened->history);
      processes = all = g_new (guint32, MAX (n_processes, 1));
      for (guint32 i = 0; i < n_processes; i++)
        all[i] = i;
    }
  lc_selection_set_rows (&shown->selection, &(LcSelection){.processes = processes, .n_processes = n_processes});
}

/* Adds the hidden processes of [first, end) from `place` up to the next shown process. */
static void
add_hidden (GArray *processes, const gboolean *shown, guint32 place, guint32 first, guint32 end, guint32 n_all)
{
  for (; place < n_all && !shown[place]; place++)
    if (place >= first && place < end)
      g_array_append_val (processes, place);
}

void
lc_shown_add_processes (LcShown *shown, guint32 first, guint32 n_processes)
{
  guint32 n = lc_history_get_n_processes (shown->opened->history);
  g_autofree gboolean *is_shown = g_new0 (gboolean, MAX (n, 1));
  g_autoptr (GArray) processes = g_array_new (FALSE, TRUE, sizeof (guint32));

  for (guint32 i = 0; i < shown->selection.n_processes; i++)
    is_shown[shown->selection.processes[i]] = TRUE;
  add_hidden (processes, is_shown, 0, first, first + n_processes, n);
  for (guint32 i = 0; i < shown->selection.n_processes; i++)
    {
      g_array_append_val (processes, shown->selection.processes[i]);
      add_hidden (processes, is_shown, shown->selection.processes[i] + 1, first, first + n_processes, n);
    }
  if (processes->len > shown->selection.n_processes)
    lc_shown_set_processes (shown, (gconstpointer)processes->data, processes->len);
}

void
lc_shown_set_row_ends (LcShown *shown, const guint32 *row_ends, guint32 n_row_ends)
{
  LcSelection rows = shown->selection;

  rows.row_ends = row_ends;
  rows.n_row_ends = row_ends != NULL ? n_row_ends : 0;
  lc_selection_set_rows (&shown->selection, &rows);
}

void
lc_shown_set_operations (LcShown *shown, const gboolean *operations)
{
  gsize n = lc_history_get_n_operations (shown->opened->history);

  g_free ((gpointer)shown->selection.filters.operations);
  shown->selection.filters.operations = g_memdup2 (operations, sizeof *operations * n);
}

void
lc_shown_set_objects (LcShown *shown, const guint32 *objects, guint32 n_objects)
{
  guint32 *copy = objects != NULL ? g_new (guint32, MAX (n_objects, 1)) : NULL;

  for (guint32 i = 0; copy != NULL && i < n_objects; i++)
    copy[i] = objects[i];
  g_free ((gpointer)shown->selection.filters.objects);
  shown->selection.filters.objects = copy;
  shown->selection.filters.n_objects = objects != NULL ? n_objects : 0;
}

void
lc_shown_set_inside (LcShown *shown, const guint32 *regions, guint32 n_regions, const gint64 *tags, guint32 n_tags)
{
  g_clear_pointer (&shown->selection.filters.inside, lc_inside_unref);
  if (n_regions + n_tags > 0)
    shown->selection.filters.inside = lc_inside_new (shown->opened->history, regions, n_regions, tags, n_tags);
}

void
lc_shown_set_called (LcShown *shown, const char *place)
{
  g_clear_pointer (&shown->selection.filters.called, lc_called_unref);
  if (place != NULL)
    shown->selection.filters.called = lc_called_new (shown->opened->history, place);
  if (shown->selection.filters.called != NULL && lc_called_is_empty (shown->selection.filters.called))
    g_clear_pointer (&shown->selection.filters.called, lc_called_unref);
}

void
lc_shown_set_slack (LcShown *shown, gboolean is_set, guint64 most)
{
  g_clear_pointer (&shown->selection.filters.slacks, lc_slacks_unref);
  shown->selection.filters.most_slack = is_set ? most : 0;
  if (is_set)
    shown->selection.filters.slacks = lc_slacks_of (shown->opened->history, shown->timeline);
}

void
lc_shown_set_colored (LcShown *shown, gboolean colored)
{
  if (!colored)
    g_clear_pointer (&shown->selection.coloring, lc_coloring_unref);
  else if (shown->selection.coloring == NULL)
    shown->selection.coloring = lc_coloring_new (shown->opened->history);
}

void
lc_shown_set_hidden_marks (LcShown *shown, const char *const *names)
{
  char **copy = names != NULL && names[0] != NULL ? g_strdupv ((char **)names) : NULL;

  g_strfreev (shown->hidden_marks);
  shown->hidden_marks = copy;
}

void
lc_shown_set_kept (LcKept **place, LcKept *kept)
{
  g_clear_pointer (place, lc_kept_unref);
  *place = kept;
}

/* --- Rows ------------------------------------------------------------------------------------------------------ */

guint32
lc_shown_get_n_rows (const LcShown *shown)
{
  return lc_selection_count_rows (&shown->selection);
}

const guint32 *
lc_shown_get_row (const LcShown *shown, guint32 row, guint32 *n_processes)
{
  guint32 first = row;

  *n_processes = 1;
  if (shown->selection.row_ends != NULL)
    {
      first = row > 0 ? shown->selection.row_ends[row - 1] : 0;
      *n_processes = shown->selection.row_ends[row] - first;
    }
  return &shown->selection.processes[first];
}

guint32
lc_shown_find_row (const LcShown *shown, guint32 process)
{
  guint32 place = 0, row = 0;

  while (place < shown->selection.n_processes && shown->selection.processes[place] != process)
    place++;
  if (place == shown->selection.n_processes)
    return LC_TRACE_NONE;
  if (shown->selection.row_ends == NULL)
    return place;
  while (shown->selection.row_ends[row] <= place)
    row++;
  return row;
}

guint32 *
lc_shown_list_rows (const LcShown *shown)
{
  guint32 n = lc_history_get_n_processes (shown->opened->history), n_rows = lc_shown_get_n_rows (shown);
  guint32 *rows = g_new (guint32, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    rows[i] = LC_TRACE_NONE;
  for (guint32 row = 0; row < n_rows; row++)
    {
      guint32 n_processes;
      const guint32 *processes = lc_shown_get_row (shown, row, &n_processes);

      for (guint32 i = 0; i < n_processes; i++)
        rows[processes[i]] = row;
    }
  return rows;
}

/* --- Requests to the other layers -------------------------------------------------------------------------------- */

/* The selection with the results that were found for it; it borrows from `shown`. */
static LcSelection
shown_get_selection (const LcShown *shown)
{
  LcSelection selection = shown->selection;

  selection.highlight.path = lc_kept_get (shown->path);
  selection.highlight.past = lc_kept_get (shown->past);
  selection.highlight.future = lc_kept_get (shown->future);
  return selection;
}

void
lc_shown_fill_query (const LcShown *shown, LcSceneQuery *query)
{
  lc_scene_query_init (query);
  query->timeline = shown->timeline;
  query->beside = shown->selection.time == LC_SCENE_PHYSICAL ? shown->beside : LC_TRACE_NONE;
  query->phases = lc_kept_get (shown->phases);
  query->selection = shown_get_selection (shown);
  query->deadlocks = lc_opened_get_deadlocks (shown->opened);
}

/* Whether any mark is not hidden. */
static gboolean
shown_has_marks (const LcShown *shown)
{
  const LcMarks *marks = lc_kept_get (shown->marks);
  gboolean has_any = FALSE;

  for (guint i = 0; marks != NULL && i < marks->marks->len && !has_any; i++)
    has_any = shown->hidden_marks == NULL || !g_strv_contains ((const char *const *)shown->hidden_marks,
                                                               g_array_index (marks->marks, LcUserMark, i).name);
  return has_any;
}

LcDiagramStyle
lc_shown_get_style (void)
{
  return lc_settings_get_choice ("diagram-style", 0) == LC_DIAGRAM_BOXES ? LC_DIAGRAM_BOXES : LC_DIAGRAM_BODIES;
}

void
lc_shown_fill_options (const LcShown *shown, LcPictureOptions *options, guint32 *timelines)
{
  lc_picture_options_init (options);
  options->directory = shown->opened->directory;
  options->blame = shown->opened->blame;
  options->orientation = shown->orientation;
  timelines[0] = shown->timeline;
  timelines[1] = shown->beside;
  options->timelines = timelines;
  options->n_timelines = shown->beside != LC_TRACE_NONE ? 2 : 1;
  options->selection = shown_get_selection (shown);
  options->marks = shown_has_marks (shown) ? lc_kept_get (shown->marks) : NULL;
  options->hidden_marks = (const char *const *)shown->hidden_marks;
  if (shown->phases != NULL)
    options->phases = lc_phases_get_definition (lc_kept_get (shown->phases));
}

void
lc_shown_take_options (LcShown *shown, LcPictureOptions *options)
{
  lc_selection_clear (&shown->selection);
  shown->selection = options->selection;
  lc_selection_init (&options->selection);
  shown->orientation = options->orientation;
  shown->timeline = options->timelines[0];
  shown->beside = options->n_timelines > 1 ? options->timelines[1] : LC_TRACE_NONE;
  lc_shown_set_hidden_marks (shown, options->hidden_marks);
}
