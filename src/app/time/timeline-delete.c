/* SPDX-License-Identifier: Apache-2.0 */
/* Removes a timeline from the history, after asking the user. */
#include "app/time/timeline-delete.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/job.h"
#include "lightcone/timeline.h"

typedef struct
{
  LcSession *session;
  LcOpened *opened;
  char *name;
} Deletion;

static void
free_deletion (gpointer data)
{
  Deletion *deletion = data;

  g_object_unref (deletion->session);
  lc_opened_unref (deletion->opened);
  g_free (deletion->name);
  g_free (deletion);
}

static gpointer
timeline_delete_work (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const Deletion *deletion = data;

  return GINT_TO_POINTER (lc_timeline_remove (lc_history_get_path (deletion->opened->history), deletion->name, error));
}

static void
timeline_delete_done (gpointer data, gpointer result, const GError *error)
{
  const Deletion *deletion = data;

  if (error != NULL)
    lc_session_tell (deletion->session, error->message);
  if (lc_session_get_opened (deletion->session) == deletion->opened)
    lc_session_reload_timelines (deletion->session);
}

/* Stops showing a timeline before it is removed. */
static void
stop_showing (LcSession *session, const char *name)
{
  const LcShown *shown = lc_session_get_shown (session);
  GPtrArray *timelines = lc_session_get_timelines (session);
  guint32 timeline = LC_TRACE_NONE;
  gboolean bounds;

  for (guint i = 0; timelines != NULL && i < timelines->len; i++)
    if (g_str_equal (((LcHistoryTimeline *)timelines->pdata[i])->name, name))
      timeline = ((LcHistoryTimeline *)timelines->pdata[i])->id;
  if (timeline == LC_TRACE_NONE)
    return;
  bounds = shown->selection.lowest != timeline && shown->selection.highest != timeline;
  if (shown->timeline == timeline)
    lc_session_set_timelines (session, LC_TIMELINE_MEASURED, LC_TRACE_NONE, LC_TRACE_NONE, LC_TRACE_NONE);
  else
    lc_session_set_timelines (session, shown->timeline, shown->beside != timeline ? shown->beside : LC_TRACE_NONE,
                              bounds ? shown->selection.lowest : LC_TRACE_NONE,
                              bounds ? shown->selection.highest : LC_TRACE_NONE);
}

static void
timeline_delete_on_response (AdwMessageDialog *dialog, const char *response, Deletion *deletion)
{
  if (!g_str_equal (response, "delete") || lc_session_get_opened (deletion->session) != deletion->opened)
    {
      free_deletion (deletion);
      return;
    }
  stop_showing (deletion->session, deletion->name);
  lc_job_run (timeline_delete_work, deletion, free_deletion, timeline_delete_done);
}

void
lc_timeline_delete (GtkWindow *window, LcSession *session, const char *name)
{
  Deletion *deletion;
  GtkWidget *dialog;

  if (lc_session_get_opened (session) == NULL)
    return;
  dialog = adw_message_dialog_new (window, NULL, NULL);
  adw_message_dialog_format_heading (ADW_MESSAGE_DIALOG (dialog), _ ("Delete the timeline %s?"), name);
  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog),
                               _ ("What was measured stays. The timeline can be made again."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "delete", _ ("_Delete"),
                                    NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "delete", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  deletion = g_new0 (Deletion, 1);
  *deletion = (Deletion){g_object_ref (session), lc_opened_ref (lc_session_get_opened (session)), g_strdup (name)};
  g_signal_connect (dialog, "response", G_CALLBACK (timeline_delete_on_response), deletion);
  gtk_window_present (GTK_WINDOW (dialog));
}
