/* SPDX-License-Identifier: Apache-2.0 */
/* The session's bookmarks: places with a note. */
#include "app/session/session-private.h"

GPtrArray *
lc_session_get_bookmarks (LcSession *session)
{
  return session->bookmarks;
}

void
lc_session_add_bookmark (LcSession *session, const LcBookmark *bookmark)
{
  LcBookmark *copy = g_memdup2 (bookmark, sizeof *bookmark);

  copy->note = g_strdup (bookmark->note != NULL ? bookmark->note : "");
  g_ptr_array_add (session->bookmarks, copy);
  lc_session_changed (session, LC_CHANGED_BOOKMARKS);
}

void
lc_session_change_bookmark (LcSession *session, guint number, const char *note)
{
  LcBookmark *bookmark = g_ptr_array_index (session->bookmarks, number);
  char *copy = g_strdup (note);

  g_free (bookmark->note);
  bookmark->note = copy;
  lc_session_changed (session, LC_CHANGED_BOOKMARKS);
}

void
lc_session_remove_bookmark (LcSession *session, guint number)
{
  g_ptr_array_remove_index (session->bookmarks, number);
  lc_session_changed (session, LC_CHANGED_BOOKMARKS);
}

/* Tells whether the row of a process is in view. */
static gboolean
session_bookmarks_is_in_view (LcSession *session, guint32 process)
{
  guint32 row = lc_shown_find_row (session->shown, process);

  return row != LC_TRACE_NONE && row < session->span.last_row && row + 1 > session->span.first_row;
}

void
lc_session_go_to_bookmark (LcSession *session, guint number)
{
  const LcBookmark *bookmark = g_ptr_array_index (session->bookmarks, number);

  if (session->shown == NULL)
    return;
  lc_session_begin (session);
  lc_session_set_time (session, bookmark->time);
  lc_session_set_span (session, &bookmark->span, TRUE);
  if (bookmark->event.process != LC_TRACE_NONE)
    lc_session_select (session, bookmark->event.process, bookmark->event.ordinal,
                       !session_bookmarks_is_in_view (session, bookmark->event.process));
  lc_session_end (session);
}
