/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of the shown timeline, found once for all its users, with a current stay to step from. */
#include "app/inspect/path-keeper.h"

#include <glib/gi18n.h>

#include "app/job.h"
#include "lightcone/critical-path.h"

struct _LcPathKeeper
{
  GObject parent;

  LcSession *session; /* owns the keeper */
  LcKept *path;
  LcJob *job;
  gsize stay;
  int step; /* step to carry out once the path is found */
};

G_DEFINE_FINAL_TYPE (LcPathKeeper, lc_path_keeper, G_TYPE_OBJECT)

static guint changed_signal;

/* --- Finding ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcOpened *opened;
  guint32 timeline;
} Asked;

static void
path_keeper_free_asked (gpointer data)
{
  Asked *asked = data;

  lc_opened_unref (asked->opened);
  g_free (asked);
}

static gpointer
path_keeper_find (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const Asked *asked = data;
  LcCriticalPath *path = lc_critical_path_find (asked->opened->history, asked->timeline, cancellable, error);

  return path != NULL ? lc_kept_new (path, (GDestroyNotify)lc_critical_path_free) : NULL;
}

static void
set_path (LcPathKeeper *keeper, LcKept *path)
{
  lc_job_stop (keeper->job);
  g_clear_pointer (&keeper->path, lc_kept_unref);
  keeper->path = path;
  keeper->stay = LC_PATH_NO_STAY;
  g_signal_emit (keeper, changed_signal, 0);
  if (path != NULL && keeper->step != 0)
    {
      int step = keeper->step;

      keeper->step = 0;
      lc_path_keeper_step (keeper, step);
    }
}

static void
path_keeper_on_found (gpointer owner, gpointer path, const GError *error)
{
  LcPathKeeper *keeper = owner;

  if (path == NULL)
    {
      keeper->step = 0;
      lc_session_tell (keeper->session, error->message);
    }
  else
    set_path (keeper, path);
}

void
lc_path_keeper_want (LcPathKeeper *keeper)
{
  const LcShown *shown = lc_session_get_shown (keeper->session);
  Asked *asked;

  if (shown == NULL || keeper->path != NULL || lc_job_is_running (keeper->job))
    return;
  if (shown->path != NULL)
    {
      set_path (keeper, lc_kept_ref (shown->path));
      return;
    }
  if (shown->selection.highlight.kind == LC_HIGHLIGHT_CRITICAL_PATH)
    return; /* the session is already searching for it */
  asked = g_new (Asked, 1);
  *asked = (Asked){lc_opened_ref (shown->opened), shown->timeline};
  lc_job_start (keeper->job, path_keeper_find, asked, path_keeper_free_asked);
}

static void
path_keeper_on_changed (LcSession *session, guint what, LcPathKeeper *keeper)
{
  const LcShown *shown = lc_session_get_shown (session);

  if ((what & (LC_CHANGED_HISTORY | LC_CHANGED_TIMELINE | LC_CHANGED_TIMELINES)) != 0)
    set_path (keeper, NULL);
  if (shown != NULL && shown->path != NULL && keeper->path == NULL)
    set_path (keeper, lc_kept_ref (shown->path));
}

/* --- Stepping ---------------------------------------------------------------------------------------------------- */

/* Moves a span to a stay. A stay too short to be seen is zoomed in to, but some surroundings remain in view. */
static void
path_keeper_show_times (LcSession *session, LcSpan *span, double begin, double end)
{
  double length = end - begin, view = span->to - span->from, middle = (begin + end) / 2;
  LcSpan whole;

  lc_session_get_whole (session, &whole);
  if (length > view || length < view / 100)
    view = MAX (3 * length, MIN (view, (whole.to - whole.from) / 100));
  else if (begin >= span->from && end <= span->to)
    return;
  span->from = middle - view / 2;
  span->to = middle + view / 2;
}

void
lc_path_reveal (LcSession *session, guint32 process, guint64 begin, guint64 end, const LcEventName *event)
{
  const LcShown *shown = lc_session_get_shown (session);
  guint32 row = lc_shown_find_row (shown, process);
  LcSpan span;

  lc_session_begin (session);
  if (event != NULL)
    lc_session_select (session, event->process, event->ordinal,
                       shown->selection.time != LC_SCENE_PHYSICAL || row == LC_TRACE_NONE);
  lc_session_get_span (session, &span);
  if (lc_session_get_shown (session)->selection.time == LC_SCENE_PHYSICAL)
    path_keeper_show_times (session, &span, (double)begin, (double)end);
  if (row != LC_TRACE_NONE && (row < span.first_row || row + 1 > span.last_row))
    {
      double half = (span.last_row - span.first_row) / 2;

      span.first_row = row + 0.5 - half;
      span.last_row = row + 0.5 + half;
    }
  lc_session_set_span (session, &span, TRUE);
  lc_session_end (session);
}

static const LcCriticalStay *
get_stays (LcPathKeeper *keeper, gsize *n_stays)
{
  *n_stays = 0;
  return keeper->path != NULL ? lc_critical_path_get_stays (lc_kept_get (keeper->path), n_stays) : NULL;
}

void
lc_path_keeper_go_to (LcPathKeeper *keeper, gsize number)
{
  gsize n_stays;
  const LcCriticalStay *stays = get_stays (keeper, &n_stays), *stay = number < n_stays ? &stays[number] : NULL;
  LcEventName event;

  if (stay == NULL)
    return;
  keeper->stay = number;
  event.process = stay->process;
  event.ordinal = stay->released != LC_CRITICAL_NONE ? stay->released : stay->first;
  lc_path_reveal (keeper->session, stay->process, stay->begin, stay->end,
                  stay->released != LC_CRITICAL_NONE || stay->last > stay->first ? &event : NULL);
  g_signal_emit (keeper, changed_signal, 0);
}

void
lc_path_keeper_step (LcPathKeeper *keeper, int step)
{
  gsize n_stays;

  lc_path_keeper_want (keeper);
  get_stays (keeper, &n_stays);
  if (keeper->path == NULL)
    keeper->step = step;
  else if (keeper->stay == LC_PATH_NO_STAY)
    lc_path_keeper_go_to (keeper, step > 0 ? 0 : n_stays - MIN (n_stays, 1));
  else if (step < 0 ? keeper->stay > 0 : keeper->stay + 1 < n_stays)
    lc_path_keeper_go_to (keeper, step < 0 ? keeper->stay - 1 : keeper->stay + 1);
  else
    lc_session_tell (keeper->session, step < 0 ? _ ("This is where the critical path begins.")
                                               : _ ("This is where the critical path ends."));
}

gsize
lc_path_keeper_find_stay (LcPathKeeper *keeper, guint64 time)
{
  gsize n_stays, first = 0, last;
  const LcCriticalStay *stays = get_stays (keeper, &n_stays);

  for (last = n_stays; first < last;)
    {
      gsize middle = first + (last - first) / 2;

      if (stays[middle].end > time)
        last = middle;
      else
        first = middle + 1;
    }
  return n_stays > 0 ? MIN (first, n_stays - 1) : LC_PATH_NO_STAY;
}

LcKept *
lc_path_keeper_get_path (LcPathKeeper *keeper)
{
  return keeper->path;
}

gsize
lc_path_keeper_get_stay (LcPathKeeper *keeper)
{
  return keeper->stay;
}

/* --- The object -------------------------------------------------------------------------------------------------- */

static void
lc_path_keeper_finalize (GObject *object)
{
  LcPathKeeper *keeper = LC_PATH_KEEPER (object);

  lc_job_free (keeper->job);
  g_clear_pointer (&keeper->path, lc_kept_unref);
  G_OBJECT_CLASS (lc_path_keeper_parent_class)->finalize (object);
}

static void
lc_path_keeper_class_init (LcPathKeeperClass *class)
{
  G_OBJECT_CLASS (class)->finalize = lc_path_keeper_finalize;
  changed_signal =
      g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
lc_path_keeper_init (LcPathKeeper *keeper)
{
  keeper->job = lc_job_new (keeper, path_keeper_on_found, NULL, (GDestroyNotify)lc_kept_unref);
  keeper->stay = LC_PATH_NO_STAY;
}

LcPathKeeper *
lc_path_keeper_of (LcSession *session)
{
  LcPathKeeper *keeper = g_object_get_data (G_OBJECT (session), "path-keeper");

  if (keeper != NULL)
    return keeper;
  keeper = g_object_new (LC_TYPE_PATH_KEEPER, NULL);
  keeper->session = session;
  g_object_set_data_full (G_OBJECT (session), "path-keeper", keeper, g_object_unref);
  g_signal_connect_object (session, "changed", G_CALLBACK (path_keeper_on_changed), keeper, 0);
  return keeper;
}
