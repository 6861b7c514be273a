/* SPDX-License-Identifier: Apache-2.0 */
/* The saved view of a history. Everything is saved by name, so that it also fits a history that was merged again. */
#include "app/session/state.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session-private.h"
#include "draw/options/view-options.h"

#define SHOWN "shown"
#define VIEW "view"
#define TRACE "trace"
#define DEBUG "debug"
#define VERSION 1

/* --- Taking the state -------------------------------------------------------------------------------------------- */

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
  lc_option_save_event (&(LcOptionState){session->shown->opened->history, state, VIEW}, "process", "ordinal",
                        session->event.origin_process,
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
      g_key_file_set_string (state, group, "time", lc_option_times[bookmark->time]);
      take_span (state, group, &bookmark->span);
      lc_option_save_event (&(LcOptionState){session->shown->opened->history, state, group}, "process", "ordinal",
                            bookmark->event.process, bookmark->event.ordinal);
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

      lc_option_save_event (&(LcOptionState){session->shown->opened->history, state, group}, "process", "ordinal",
                            name->process, name->ordinal);
    }
  if (expressions->len > 0)
    g_key_file_set_string_list (state, DEBUG, "expressions", (const char *const *)expressions->pdata, expressions->len);
}

static void
take_choices (LcSession *session, GKeyFile *state)
{
  const LcShown *shown = session->shown;
  LcPictureOptions options;
  guint32 timelines[2];

  lc_shown_fill_options (shown, &options, timelines);
  options.phases = session->phases;
  lc_view_options_save (&options, &(LcOptionState){shown->opened->history, state, SHOWN});
}

GKeyFile *
lc_state_take (LcSession *session)
{
  GKeyFile *state;

  if (session->shown == NULL)
    return NULL;
  state = g_key_file_new ();
  g_key_file_set_integer (state, TRACE, "version", VERSION);
  take_choices (session, state);
  take_view (session, state);
  take_bookmarks (session, state);
  state_take_breakpoints (session, state);
  return state;
}

/* --- Giving the state -------------------------------------------------------------------------------------------- */

static gboolean
state_find_span (GKeyFile *state, const char *group, LcSpan *span)
{
  span->from = g_key_file_get_double (state, group, "from", NULL);
  span->to = g_key_file_get_double (state, group, "to", NULL);
  span->first_row = g_key_file_get_double (state, group, "first-row", NULL);
  span->last_row = g_key_file_get_double (state, group, "last-row", NULL);
  return span->to > span->from && span->last_row > span->first_row;
}

static void
give_choices (LcSession *session, GKeyFile *state)
{
  LcHistory *history = session->shown->opened->history;
  g_auto (LcOptionValues) values;
  guint32 timelines[2];
  LcShown *shown;

  lc_option_values_init (&values, NULL);
  lc_shown_fill_options (session->shown, &values.options, timelines);
  lc_selection_copy (&values.options.selection, &session->shown->selection, history);
  values.options.phases = NULL;
  values.history = history;
  lc_view_options_load (&values, &(LcOptionState){history, state, SHOWN});
  if (values.options.phases != NULL)
    lc_session_set_phases (session, values.options.phases);
  shown = lc_shown_copy (session->shown);
  lc_shown_take_options (shown, &values.options);
  lc_session_show (session, shown);
}

static void
give_view (LcSession *session, GKeyFile *state)
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
      lc_option_load_event (&(LcOptionState){session->shown->opened->history, state, VIEW}, "process", "ordinal",
                            &event.process, &event.ordinal))
    lc_session_select (session, event.process, event.ordinal, FALSE);
}

static void
give_bookmarks (LcSession *session, GKeyFile *state)
{
  while (session->bookmarks->len > 0)
    lc_session_remove_bookmark (session, session->bookmarks->len - 1);
  for (guint i = 1;; i++)
    {
      g_autofree char *group = g_strdup_printf ("bookmark %u", i);
      g_autofree char *note = g_key_file_get_string (state, group, "note", NULL);
      g_autofree char *time = g_key_file_get_string (state, group, "time", NULL);
      LcBookmark bookmark = {.note = note != NULL ? note : (char *)"", .event.process = LC_TRACE_NONE};

      if (!g_key_file_has_group (state, group))
        return;
      for (guint k = 0; lc_option_times[k] != NULL; k++)
        if (g_strcmp0 (lc_option_times[k], time) == 0)
          bookmark.time = (LcSceneTime)k;
      lc_option_load_event (&(LcOptionState){session->shown->opened->history, state, group}, "process", "ordinal",
                            &bookmark.event.process, &bookmark.event.ordinal);
      if (state_find_span (state, group, &bookmark.span))
        lc_session_add_bookmark (session, &bookmark);
    }
}

static void
state_give_breakpoints (LcSession *session, GKeyFile *state)
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
      if (lc_option_load_event (&(LcOptionState){session->shown->opened->history, state, group}, "process", "ordinal",
                                &name.process, &name.ordinal))
        lc_session_set_breakpoint (session, name.process, name.ordinal, TRUE);
    }
  for (guint i = 0; expressions != NULL && expressions[i] != NULL; i++)
    lc_session_add_expression (session, expressions[i]);
}

void
lc_state_give (LcSession *session, GKeyFile *state)
{
  g_return_if_fail (session->shown != NULL);
  lc_session_begin (session);
  give_choices (session, state);
  give_view (session, state);
  give_bookmarks (session, state);
  state_give_breakpoints (session, state);
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
