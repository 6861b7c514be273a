/* SPDX-License-Identifier: Apache-2.0 */
/* The problems of the session's trace, found once for the banner and the panel. */
#include "app/inspect/problems.h"

#include <glib/gi18n.h>

#include "app/job.h"
#include "app/inspect/problems-find.h"

struct _LcProblems
{
  GObject parent;

  LcSession *session; /* owns this object */
  GListStore *list;
  guint64 n_wrong;
  guint64 n_notes;
  LcJob *job;
};

G_DEFINE_FINAL_TYPE (LcProblems, lc_problems, G_TYPE_OBJECT)

static guint changed_signal;

static void
on_found (gpointer owner, gpointer result, const GError *error)
{
  LcProblems *problems = owner;
  LcFoundProblems *found = result;

  if (found == NULL)
    {
      lc_session_tell (problems->session, error->message);
      return;
    }
  g_list_store_splice (problems->list, 0, 0, found->rows->pdata, found->rows->len);
  problems->n_wrong = found->n_wrong;
  problems->n_notes = found->n_notes;
  lc_found_problems_free (found);
  g_signal_emit (problems, changed_signal, 0);
}

static void
problems_on_changed (LcSession *session, guint what, LcProblems *problems)
{
  LcOpened *opened = lc_session_get_opened (session);

  if ((what & LC_CHANGED_HISTORY) == 0)
    return;
  lc_job_stop (problems->job);
  problems->n_wrong = problems->n_notes = 0;
  g_list_store_remove_all (problems->list);
  if (opened != NULL)
    lc_job_start (problems->job, lc_problems_find, lc_opened_ref (opened), (GDestroyNotify)lc_opened_unref);
  g_signal_emit (problems, changed_signal, 0);
}

gboolean
lc_problems_is_looking (LcProblems *problems)
{
  return lc_job_is_running (problems->job);
}

GListModel *
lc_problems_get_list (LcProblems *problems)
{
  return G_LIST_MODEL (problems->list);
}

LcListed *
lc_problems_get_deadlock (LcProblems *problems)
{
  GListModel *list = G_LIST_MODEL (problems->list);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (LcListed) listed = g_list_model_get_item (list, i);

      if (listed->number == LC_PROBLEM_OF_ALL)
        return listed;
    }
  return NULL;
}

void
lc_problems_go_to (LcProblems *problems, const LcListed *listed)
{
  LcSession *session = problems->session;
  const LcShown *shown = lc_session_get_shown (session);
  guint32 process;
  guint64 ordinal;

  if (listed->event.process == LC_TRACE_NONE)
    lc_session_tell (session, _ ("Nobody knows where in the run this is."));
  else if (lc_history_locate (shown->opened->history, shown->timeline, listed->event.process, listed->event.ordinal,
                              &process, &ordinal, NULL))
    {
      lc_session_begin (session);
      lc_session_select (session, process, ordinal, TRUE);
      if (listed->number == LC_PROBLEM_OF_ALL)
        lc_session_fit (session);
      lc_session_end (session);
    }
}

guint64
lc_problems_get_n_wrong (LcProblems *problems)
{
  return problems->n_wrong;
}

guint64
lc_problems_get_n_notes (LcProblems *problems)
{
  return problems->n_notes;
}

static void
lc_problems_finalize (GObject *object)
{
  LcProblems *problems = LC_PROBLEMS (object);

  lc_job_free (problems->job);
  g_object_unref (problems->list);
  G_OBJECT_CLASS (lc_problems_parent_class)->finalize (object);
}

static void
lc_problems_class_init (LcProblemsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = lc_problems_finalize;
  changed_signal =
      g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_problems_init (LcProblems *problems)
{
  problems->list = g_list_store_new (LC_TYPE_LISTED);
  problems->job = lc_job_new (problems, on_found, NULL, lc_found_problems_free);
}

LcProblems *
lc_problems_of (LcSession *session)
{
  LcProblems *problems = g_object_get_data (G_OBJECT (session), "problems");

  if (problems != NULL)
    return problems;
  problems = g_object_new (LC_TYPE_PROBLEMS, NULL);
  problems->session = session;
  g_object_set_data_full (G_OBJECT (session), "problems", problems, g_object_unref);
  g_signal_connect_object (session, "changed", G_CALLBACK (problems_on_changed), problems, 0);
  return problems;
}
