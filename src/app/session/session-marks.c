/* SPDX-License-Identifier: Apache-2.0 */
/* The session's marks and annotations: read, watched and changed beside the history. */
#include <glib/gi18n.h>

#include "app/session/session-private.h"

/* --- Reading ----------------------------------------------------------------------------------------------------- */

static gpointer
session_marks_read (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcOpened *opened = data;

  return lc_marks_read (opened->home, error);
}

static void
session_marks_on_read (gpointer owner, gpointer result, const GError *error)
{
  LcSession *session = owner;
  LcShown *shown;

  if (result == NULL)
    {
      lc_session_tell (session, error->message);
      return;
    }
  shown = lc_shown_copy (session->shown);
  lc_shown_set_kept (&shown->marks, lc_kept_new (result, (GDestroyNotify)lc_marks_free));
  lc_session_show (session, shown);
}

void
lc_session_reload_marks (LcSession *session)
{
  if (session->shown != NULL)
    lc_job_start (session->marks_job, session_marks_read, lc_opened_ref (session->shown->opened),
                  (GDestroyNotify)lc_opened_unref);
}

static void
session_marks_on_file (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, LcSession *session)
{
  if (event != G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
    lc_session_reload_marks (session);
}

/* The beginning of a run has its history in a temporary folder, which is never marked. */
void
lc_session_follow_marks (LcSession *session)
{
  LcOpened *opened = session->shown != NULL ? session->shown->opened : NULL;

  lc_job_stop (session->marks_job);
  g_clear_object (&session->marks_watch);
  if (opened == NULL || opened->partial)
    return;
  g_autofree char *path = lc_marks_dup_path (opened->home);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  /* Without a watch, F5 reads the marks again. */
  session->marks_watch = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (session->marks_watch != NULL)
    g_signal_connect_object (session->marks_watch, "changed", G_CALLBACK (session_marks_on_file), session, 0);
  lc_session_reload_marks (session);
}

void
lc_session_init_marks (LcSession *session)
{
  session->marks_job = lc_job_new (session, session_marks_on_read, NULL, (GDestroyNotify)lc_marks_free);
}

void
lc_session_dispose_marks (LcSession *session)
{
  g_clear_object (&session->marks_watch);
  g_clear_pointer (&session->marks_job, lc_job_free);
}

const LcMarks *
lc_session_get_marks (LcSession *session)
{
  return session->shown != NULL ? lc_kept_get (session->shown->marks) : NULL;
}

/* --- Changing ---------------------------------------------------------------------------------------------------- */

/* A change, which holds copies of all that it needs. */
typedef struct
{
  LcSession *session;
  LcOpened *opened;
  gboolean removes;
  char *name; /* of all places */
  LcUserMark *places;
  gsize n_places;
  gboolean annotates; /* instead of marking */
  LcAnnotation annotation;
  char *text;
} MarksWork;

static void
session_marks_free_work (gpointer data)
{
  MarksWork *work = data;

  g_object_unref (work->session);
  lc_opened_unref (work->opened);
  g_free (work->name);
  g_free (work->places);
  g_free (work->text);
  g_free (work);
}

static gboolean
session_marks_apply (LcMarks *marks, gpointer data, GError **error)
{
  MarksWork *work = data;

  if (work->annotates)
    return lc_marks_annotate (marks, &work->annotation, error);
  if (work->removes)
    {
      lc_marks_remove (marks, work->places, work->n_places);
      return TRUE;
    }
  for (gsize i = 0; i < work->n_places; i++)
    if (!lc_marks_add (marks, &work->places[i], error))
      return FALSE;
  return TRUE;
}

static gpointer
session_marks_work (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const MarksWork *work = data;

  return GINT_TO_POINTER (lc_marks_change (work->opened->home, session_marks_apply, data, error));
}

static void
session_marks_on_changed (gpointer data, gpointer result, const GError *error)
{
  const MarksWork *work = data;

  if (error != NULL)
    lc_session_tell (work->session, error->message);
  else if (work->session->marks_job != NULL)
    lc_session_reload_marks (work->session);
}

static MarksWork *
session_marks_new_work (LcSession *session)
{
  MarksWork *work = g_new0 (MarksWork, 1);

  work->session = g_object_ref (session);
  work->opened = lc_opened_ref (session->shown->opened);
  return work;
}

/* The history of a beginning goes away, and its marks would, too. */
static gboolean
session_marks_can_change (LcSession *session)
{
  if (session->shown == NULL)
    return FALSE;
  if (!session->shown->opened->partial)
    return TRUE;
  lc_session_tell (session, _ ("Nothing can be marked before all of the run has been read."));
  return FALSE;
}

static void
session_marks_change (LcSession *session, const LcUserMark *marks, gsize n_marks, gboolean removes)
{
  MarksWork *work;

  if (n_marks == 0 || !session_marks_can_change (session))
    return;
  work = session_marks_new_work (session);
  work->removes = removes;
  work->name = g_strdup (marks[0].name);
  work->places = g_memdup2 (marks, n_marks * sizeof *marks);
  work->n_places = n_marks;
  for (gsize i = 0; i < n_marks; i++)
    work->places[i].name = work->name;
  lc_job_run (session_marks_work, work, session_marks_free_work, session_marks_on_changed);
}

void
lc_session_add_marks (LcSession *session, const LcUserMark *marks, gsize n_marks)
{
  session_marks_change (session, marks, n_marks, FALSE);
}

void
lc_session_remove_marks (LcSession *session, const LcUserMark *marks, gsize n_marks)
{
  session_marks_change (session, marks, n_marks, TRUE);
}

void
lc_session_annotate (LcSession *session, guint32 process, guint64 ordinal, const char *text)
{
  MarksWork *work;

  if (!session_marks_can_change (session))
    return;
  work = session_marks_new_work (session);
  work->annotates = TRUE;
  work->text = text[0] != '\0' ? g_strdup (text) : NULL;
  work->annotation = (LcAnnotation){.process = process, .ordinal = ordinal, .text = work->text};
  lc_job_run (session_marks_work, work, session_marks_free_work, session_marks_on_changed);
}

/* --- What is hidden ---------------------------------------------------------------------------------------------- */

gboolean
lc_session_is_hidden (LcSession *session, const char *name)
{
  char **hidden = session->shown != NULL ? session->shown->hidden_marks : NULL;

  return hidden != NULL && g_strv_contains ((const char *const *)hidden, name);
}

void
lc_session_set_hidden (LcSession *session, const char *name, gboolean hidden)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  LcShown *shown;

  if (session->shown == NULL || lc_session_is_hidden (session, name) == hidden)
    return;
  shown = lc_shown_copy (session->shown);
  for (gsize i = 0; shown->hidden_marks != NULL && shown->hidden_marks[i] != NULL; i++)
    if (!g_str_equal (shown->hidden_marks[i], name))
      g_strv_builder_add (names, shown->hidden_marks[i]);
  if (hidden)
    g_strv_builder_add (names, name);
  all = g_strv_builder_end (names);
  lc_shown_set_hidden_marks (shown, (const char *const *)all);
  lc_session_show (session, shown);
}
