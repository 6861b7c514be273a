/* SPDX-License-Identifier: Apache-2.0 */
/* The saved view of a history. Everything is saved by name, so that it also fits a history that was merged again. */
#include "app/session/state.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session-private.h"
#include "draw/filters/filter-options.h"

#define SHOWN "shown"
#define VIEW "view"
#define TRACE "trace"
#define DEBUG "debug"
#define VERSION 1

/* --- Words for numbers ------------------------------------------------------------------------------------------- */

static const char *const times[] = {
    [LC_SCENE_PHYSICAL] = "physical", [LC_SCENE_LOGICAL] = "logical", [LC_SCENE_PHASE] = "phase"};

static const char *const orientations[] = {[LC_ORIENTATION_DOWN] = "down", [LC_ORIENTATION_RIGHT] = "right"};

static gboolean
state_find_word (GKeyFile *state, const char *group, const char *key, const char *const *words, gsize n_words,
                 guint *number)
{
  g_autofree char *word = g_key_file_get_string (state, group, key, NULL);

  for (gsize i = 0; word != NULL && i < n_words; i++)
    if (g_strcmp0 (words[i], word) == 0)
      {
        *number = (guint)i;
        return TRUE;
      }
  return FALSE;
}

/* --- Taking the state -------------------------------------------------------------------------------------------- */

static void
take_timeline (LcSession *session, GKeyFile *state, const char *key, guint32 timeline)
{
  const char *name = timeline != LC_TRACE_NONE ? lc_session_get_timeline_name (session, timeline) : NULL;

  if (name != NULL)
    g_key_file_set_string (state, SHOWN, key, name);
}

static gboolean
is_natural (const LcShown *shown)
{
  if (shown->selection.n_processes != lc_history_get_n_processes (shown->opened->history))
    return FALSE;
  for (guint32 i = 0; i < shown->selection.n_processes; i++)
    if (shown->selection.processes[i] != i)
      return FALSE;
  return TRUE;
}

static void
take_rows (const LcShown *shown, GKeyFile *state)
{
  LcHistory *history = shown->opened->history;
  g_autofree const char **names = g_new (const char *, shown->selection.n_processes + 1);
  g_autofree int *ends = g_new (int, shown->selection.n_row_ends + 1);

  if (!is_natural (shown))
    {
      for (guint32 i = 0; i < shown->selection.n_processes; i++)
        names[i] = lc_history_get_process (history, shown->selection.processes[i])->name;
      g_key_file_set_string_list (state, SHOWN, "processes", names, shown->selection.n_processes);
    }
  if (shown->selection.row_ends == NULL)
    return;
  for (guint32 i = 0; i < shown->selection.n_row_ends; i++)
    ends[i] = (int)shown->selection.row_ends[i];
  g_key_file_set_integer_list (state, SHOWN, "row-ends", ends, shown->selection.n_row_ends);
}

static void
state_take_event (LcHistory *history, GKeyFile *state, const char *group, const char *process_key,
                  const char *ordinal_key, guint32 process, guint64 ordinal)
{
  if (process >= lc_history_get_n_processes (history))
    return;
  g_key_file_set_string (state, group, process_key, lc_history_get_process (history, process)->name);
  g_key_file_set_uint64 (state, group, ordinal_key, ordinal);
}

static void
take_span (GKeyFile *state, const char *group, const LcSpan *span)
{
  g_key_file_set_double (state, group, "from", span->from);
  g_key_file_set_double (state, group, "to", span->to);
  g_key_file_set_double (state, group, "first-row", span->first_row);
  g_key_file_set_double (state, group, "last-row", span->last_row);
}

/* A view of the whole run or of all rows is saved as such, and shows all of another history too. */
static void
take_view (LcSession *session, GKeyFile *state)
{
  const LcSpan *span = &session->span, *whole = &session->whole;

  take_span (state, VIEW, span);
  if (span->from <= whole->from && span->to >= whole->to)
    g_key_file_set_boolean (state, VIEW, "whole-run", TRUE);
  if (span->first_row <= whole->first_row && span->last_row >= whole->last_row)
    g_key_file_set_boolean (state, VIEW, "all-rows", TRUE);
  state_take_event (session->shown->opened->history, state, VIEW, "process", "ordinal", session->event.origin_process,
                    lc_session_has_selection (session) ? session->event.origin_ordinal : 0);
  if (!lc_session_has_selection (session))
    g_key_file_remove_key (state, VIEW, "process", NULL);
}

static void
take_bookmarks (LcSession *session, GKeyFile *state)
{
  for (guint i = 0; i < session->bookmarks->len; i++)
    {
      const LcBookmark *bookmark = g_ptr_array_index (session->bookmarks, i);
      g_autofree char *group = g_strdup_printf ("bookmark %u", i + 1);

      g_key_file_set_string (state, group, "note", bookmark->note);
      g_key_file_set_string (state, group, "time", times[bookmark->time]);
      take_span (state, group, &bookmark->span);
      state_take_event (session->shown->opened->history, state, group, "process", "ordinal", bookmark->event.process,
                        bookmark->event.ordinal);
    }
}

/* Breakpoints are kept where bookmarks are, and for the same reason by name. */
static void
state_take_breakpoints (LcSession *session, GKeyFile *state)
{
  const GPtrArray *expressions = session->expressions;

  for (guint i = 0; i < session->breakpoints->len; i++)
    {
      const LcEventName *name = &g_array_index (session->breakpoints, LcEventName, i);
      g_autofree char *group = g_strdup_printf ("breakpoint %u", i + 1);

      state_take_event (session->shown->opened->history, state, group, "process", "ordinal", name->process,
                        name->ordinal);
    }
  if (expressions->len > 0)
    g_key_file_set_string_list (state, DEBUG, "expressions", (const char *const *)expressions->pdata, expressions->len);
}

static void
take_choices (LcSession *session, const LcShown *shown, GKeyFile *state)
{
  g_autofree char *hidden = lc_diagram_kinds_dup (shown->selection.hidden);

  g_key_file_set_string (state, SHOWN, "time", times[shown->selection.time]);
  g_key_file_set_string (state, SHOWN, "orientation", orientations[shown->orientation]);
  take_timeline (session, state, "timeline", shown->timeline);
  take_timeline (session, state, "beside", shown->beside);
  take_timeline (session, state, "lowest", shown->selection.lowest);
  take_timeline (session, state, "highest", shown->selection.highest);
  g_key_file_set_boolean (state, SHOWN, "hide-holding", shown->selection.hide_holding);
  g_key_file_set_boolean (state, SHOWN, "hide-arcs", shown->selection.hide_arcs);
  if (hidden != NULL)
    g_key_file_set_string (state, SHOWN, "hidden", hidden);
  g_key_file_set_boolean (state, SHOWN, "colored", shown->selection.coloring != NULL);
  if (shown->hidden_marks != NULL)
    g_key_file_set_string_list (state, SHOWN, "hidden-marks", (const char *const *)shown->hidden_marks,
                                g_strv_length (shown->hidden_marks));
  g_key_file_set_integer (state, SHOWN, "highlight", (int)shown->selection.highlight.kind);
  if (shown->selection.highlight.kind >= LC_HIGHLIGHT_PAST)
    state_take_event (shown->opened->history, state, SHOWN, "highlight-process", "highlight-ordinal",
                      shown->selection.highlight.process, shown->selection.highlight.ordinal);
  if (session->phases != NULL)
    g_key_file_set_string (state, SHOWN, "phases", session->phases);
}

GKeyFile *
lc_state_take (LcSession *session)
{
  GKeyFile *state;

  if (session->shown == NULL)
    return NULL;
  state = g_key_file_new ();
  g_key_file_set_integer (state, TRACE, "version", VERSION);
  take_choices (session, session->shown, state);
  take_rows (session->shown, state);
  lc_filters_save (&session->shown->selection.filters, session->shown->opened->history, state, SHOWN);
  take_view (session, state);
  take_bookmarks (session, state);
  state_take_breakpoints (session, state);
  return state;
}

/* --- Giving the state -------------------------------------------------------------------------------------------- */

static guint32
state_find_timeline (LcSession *session, GKeyFile *state, const char *key, guint32 otherwise)
{
  g_autofree char *name = g_key_file_get_string (state, SHOWN, key, NULL);

  for (guint i = 0; name != NULL && session->timelines != NULL && i < session->timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = g_ptr_array_index (session->timelines, i);

      if (g_str_equal (timeline->name, name))
        return timeline->id;
    }
  return otherwise;
}

static GHashTable *
map_processes (LcHistory *history)
{
  GHashTable *map = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    g_hash_table_insert (map, (gpointer)lc_history_get_process (history, i)->name, GUINT_TO_POINTER (i));
  return map;
}

/* Collapsed groups are saved as indexes into the list of processes, so they are restored only if the list is
 * complete. */
static void
give_rows (LcShown *shown, GKeyFile *state, GHashTable *processes)
{
  gsize n_names = 0, n_ends = 0;
  guint32 n = 0;
  g_auto (GStrv) names = g_key_file_get_string_list (state, SHOWN, "processes", &n_names, NULL);
  g_autofree int *ends = g_key_file_get_integer_list (state, SHOWN, "row-ends", &n_ends, NULL);
  g_autofree guint32 *rows = g_new (guint32, n_names + 1);
  gboolean rising = TRUE;
  gpointer number;

  for (gsize i = 0; names != NULL && i < n_names; i++)
    if (g_hash_table_lookup_extended (processes, names[i], NULL, &number))
      {
        rows[n++] = GPOINTER_TO_UINT (number);
        g_hash_table_remove (processes, names[i]); /* no process may be shown twice */
      }
  if (names != NULL && (n > 0 || n_names == 0))
    lc_shown_set_processes (shown, rows, n);
  for (gsize i = 0; ends != NULL && i < n_ends; i++)
    rising = rising && ends[i] > (i > 0 ? ends[i - 1] : 0);
  if (ends != NULL && rising && n_ends > 0 && (guint32)ends[n_ends - 1] == shown->selection.n_processes)
    lc_shown_set_row_ends (shown, (const guint32 *)ends, (guint32)n_ends);
}

/* Returns FALSE if the event does not exist. */
static gboolean
state_find_event (LcHistory *history, GKeyFile *state, const char *group, const char *process_key,
                  const char *ordinal_key, GHashTable *processes, LcEventName *event)
{
  g_autofree char *name = g_key_file_get_string (state, group, process_key, NULL);
  gpointer number;

  *event = (LcEventName){.process = LC_TRACE_NONE};
  if (name == NULL || !g_hash_table_lookup_extended (processes, name, NULL, &number))
    return FALSE;
  event->ordinal = g_key_file_get_uint64 (state, group, ordinal_key, NULL);
  if (event->ordinal >= lc_history_get_process (history, GPOINTER_TO_UINT (number))->events)
    return FALSE;
  event->process = GPOINTER_TO_UINT (number);
  return TRUE;
}

static gboolean
state_find_span (GKeyFile *state, const char *group, LcSpan *span)
{
  span->from = g_key_file_get_double (state, group, "from", NULL);
  span->to = g_key_file_get_double (state, group, "to", NULL);
  span->first_row = g_key_file_get_double (state, group, "first-row", NULL);
  span->last_row = g_key_file_get_double (state, group, "last-row", NULL);
  return span->to > span->from && span->last_row > span->first_row;
}

/* A word of another version hides nothing. */
static guint32
state_get_hidden (GKeyFile *state)
{
  g_autofree char *words = g_key_file_get_string (state, SHOWN, "hidden", NULL), *unknown = NULL;
  guint32 hidden = 0;

  return words != NULL && lc_diagram_kinds_parse (words, &hidden, &unknown) ? hidden : 0;
}

static void
give_choices (LcSession *session, GKeyFile *state, GHashTable *processes)
{
  LcShown *shown = lc_shown_copy (session->shown);
  g_auto (GStrv) hidden = g_key_file_get_string_list (state, SHOWN, "hidden-marks", NULL, NULL);
  guint number;
  LcEventName event;

  if (state_find_word (state, SHOWN, "time", times, G_N_ELEMENTS (times), &number))
    shown->selection.time = (LcSceneTime)number;
  if (state_find_word (state, SHOWN, "orientation", orientations, G_N_ELEMENTS (orientations), &number))
    shown->orientation = (LcOrientation)number;
  shown->timeline = state_find_timeline (session, state, "timeline", LC_TIMELINE_MEASURED);
  shown->beside = state_find_timeline (session, state, "beside", LC_TRACE_NONE);
  shown->selection.lowest = state_find_timeline (session, state, "lowest", LC_TRACE_NONE);
  shown->selection.highest = state_find_timeline (session, state, "highest", LC_TRACE_NONE);
  shown->selection.hide_holding = g_key_file_get_boolean (state, SHOWN, "hide-holding", NULL);
  shown->selection.hide_arcs = g_key_file_get_boolean (state, SHOWN, "hide-arcs", NULL);
  shown->selection.hidden = state_get_hidden (state);
  lc_shown_set_colored (shown, g_key_file_get_boolean (state, SHOWN, "colored", NULL));
  lc_shown_set_hidden_marks (shown, (const char *const *)hidden);
  number = (guint)g_key_file_get_integer (state, SHOWN, "highlight", NULL);
  if (number < LC_HIGHLIGHT_PAST)
    shown->selection.highlight.kind = (LcHighlightKind)number;
  else if (number <= LC_HIGHLIGHT_CONE && state_find_event (shown->opened->history, state, SHOWN, "highlight-process",
                                                            "highlight-ordinal", processes, &event))
    {
      shown->selection.highlight.kind = (LcHighlightKind)number;
      shown->selection.highlight.process = event.process;
      shown->selection.highlight.ordinal = event.ordinal;
    }
  lc_filters_load (&shown->selection.filters, shown->opened->history, shown->timeline, state, SHOWN);
  give_rows (shown, state, processes);
  lc_session_show (session, shown);
}

static void
give_view (LcSession *session, GKeyFile *state, GHashTable *processes)
{
  LcSpan span;
  LcEventName event;

  if (state_find_span (state, VIEW, &span))
    {
      if (g_key_file_get_boolean (state, VIEW, "whole-run", NULL))
        {
          span.from = session->whole.from;
          span.to = session->whole.to;
        }
      if (g_key_file_get_boolean (state, VIEW, "all-rows", NULL))
        {
          span.first_row = session->whole.first_row;
          span.last_row = session->whole.last_row;
        }
      lc_session_set_span (session, &span, FALSE);
    }
  /* The selection is saved as numbered on the measured timeline, and restored only there. */
  if (session->shown->timeline == LC_TIMELINE_MEASURED &&
      state_find_event (session->shown->opened->history, state, VIEW, "process", "ordinal", processes, &event))
    lc_session_select (session, event.process, event.ordinal, FALSE);
}

static void
give_bookmarks (LcSession *session, GKeyFile *state, GHashTable *processes)
{
  while (session->bookmarks->len > 0)
    lc_session_remove_bookmark (session, session->bookmarks->len - 1);
  for (guint i = 1;; i++)
    {
      g_autofree char *group = g_strdup_printf ("bookmark %u", i);
      g_autofree char *note = g_key_file_get_string (state, group, "note", NULL);
      LcBookmark bookmark = {.note = note != NULL ? note : (char *)""};
      guint time = LC_SCENE_PHYSICAL;

      if (!g_key_file_has_group (state, group))
        return;
      state_find_word (state, group, "time", times, G_N_ELEMENTS (times), &time);
      bookmark.time = (LcSceneTime)time;
      state_find_event (session->shown->opened->history, state, group, "process", "ordinal", processes,
                        &bookmark.event);
      if (state_find_span (state, group, &bookmark.span))
        lc_session_add_bookmark (session, &bookmark);
    }
}

static void
state_give_breakpoints (LcSession *session, GKeyFile *state, GHashTable *processes)
{
  g_auto (GStrv) expressions = g_key_file_get_string_list (state, DEBUG, "expressions", NULL, NULL);

  g_array_set_size (session->breakpoints, 0);
  g_ptr_array_set_size (session->expressions, 0);
  for (guint i = 1;; i++)
    {
      g_autofree char *group = g_strdup_printf ("breakpoint %u", i);
      LcEventName name;

      if (!g_key_file_has_group (state, group))
        break;
      if (state_find_event (session->shown->opened->history, state, group, "process", "ordinal", processes, &name))
        lc_session_set_breakpoint (session, name.process, name.ordinal, TRUE);
    }
  for (guint i = 0; expressions != NULL && expressions[i] != NULL; i++)
    lc_session_add_expression (session, expressions[i]);
}

void
lc_state_give (LcSession *session, GKeyFile *state)
{
  g_autofree char *phases = g_key_file_get_string (state, SHOWN, "phases", NULL);
  g_autoptr (GHashTable) processes = NULL, rest = NULL;

  g_return_if_fail (session->shown != NULL);
  processes = map_processes (session->shown->opened->history);
  rest = map_processes (session->shown->opened->history);
  lc_session_begin (session);
  if (phases != NULL)
    lc_session_set_phases (session, phases);
  give_choices (session, state, rest);
  give_view (session, state, processes);
  give_bookmarks (session, state, processes);
  state_give_breakpoints (session, state, processes);
  g_ptr_array_set_size (session->steps, 0);
  lc_session_changed (session, LC_CHANGED_ALL);
  lc_session_end (session);
}

/* --- Files ------------------------------------------------------------------------------------------------------- */

char *
lc_state_dup_path (const char *directory)
{
  g_autofree char *absolute = realpath (directory, NULL);
  g_autofree char *canonical = g_canonicalize_filename (absolute != NULL ? absolute : directory, NULL);
  g_autofree char *checksum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, canonical, -1);
  g_autofree char *name = g_strconcat (checksum, ".state", NULL);

  return g_build_filename (g_get_user_state_dir (), "lightcone", "traces", name, NULL);
}

/* Identifies a recording among others at the same path: by its start, else by the fingerprint of its files. */
static char *
dup_identity (LcHistory *history)
{
  char *start = lc_history_dup_meta (history, "start");

  return start != NULL ? start : lc_history_dup_meta (history, "fingerprint");
}

static gboolean
state_make_folder (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_mkdir_with_parents (folder, 0700) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", folder, g_strerror (errno));
  return FALSE;
}

gboolean
lc_state_save (LcSession *session, GError **error)
{
  LcOpened *opened = lc_session_get_opened (session);
  g_autoptr (GKeyFile) state = lc_state_take (session);
  g_autofree char *path = NULL, *identity = NULL;

  g_return_val_if_fail (state != NULL, FALSE);
  path = lc_state_dup_path (opened->directory);
  identity = dup_identity (opened->history);
  g_key_file_set_string (state, TRACE, "directory", opened->directory);
  if (identity != NULL)
    g_key_file_set_string (state, TRACE, "identity", identity);
  return state_make_folder (path, error) && g_key_file_save_to_file (state, path, error);
}

GKeyFile *
lc_state_load (LcSession *session, GError **error)
{
  LcOpened *opened = lc_session_get_opened (session);
  g_autoptr (GKeyFile) state = g_key_file_new ();
  g_autofree char *path = lc_state_dup_path (opened->directory), *identity = dup_identity (opened->history);
  g_autofree char *saved = NULL;
  g_autoptr (GError) local = NULL;

  if (!g_key_file_load_from_file (state, path, G_KEY_FILE_NONE, &local))
    {
      if (!g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        g_set_error (error, local->domain, local->code, "%s: %s", path, local->message);
      return NULL;
    }
  saved = g_key_file_get_string (state, TRACE, "identity", NULL);
  if (g_key_file_get_integer (state, TRACE, "version", NULL) != VERSION || g_strcmp0 (saved, identity) != 0)
    return NULL;
  return g_steal_pointer (&state);
}

static gboolean
state_remove_file (const char *path, GError **error)
{
  if (g_unlink (path) == 0 || errno == ENOENT)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  return FALSE;
}

gboolean
lc_state_forget (const char *directory, GError **error)
{
  g_autofree char *path = lc_state_dup_path (directory);

  return state_remove_file (path, error);
}

gboolean
lc_state_forget_all (GError **error)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "lightcone", "traces", NULL);
  g_autoptr (GDir) files = g_file_test (folder, G_FILE_TEST_EXISTS) ? g_dir_open (folder, 0, error) : NULL;

  if (files == NULL)
    return !g_file_test (folder, G_FILE_TEST_EXISTS);
  for (const char *name = g_dir_read_name (files); name != NULL; name = g_dir_read_name (files))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_str_has_suffix (name, ".state") && !state_remove_file (path, error))
        return FALSE;
    }
  return TRUE;
}
