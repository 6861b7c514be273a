/* SPDX-License-Identifier: Apache-2.0 */
/* Slow results that the shown choices need: phases, the critical path, a past and a future. They are searched for in
 * the background, and shown once found. */
#include "app/session/session-private.h"
#include "lightcone/causality.h"

/* A search for the choices that were shown when it began. */
typedef struct
{
  LcShown *shown;
  char *phases; /* the definition */
  gboolean wants_phases;
  gboolean wants_path;
  gboolean wants_past;
  gboolean wants_future;
} Search;

/* The result of a search. */
typedef struct
{
  LcShown *shown;
  LcKept *phases;
  LcKept *path;
  LcKept *past;
  LcKept *future;
} Found;

static void
free_search (gpointer data)
{
  Search *search = data;

  lc_shown_unref (search->shown);
  g_free (search->phases);
  g_free (search);
}

static void
session_find_free_found (gpointer data)
{
  Found *found = data;

  lc_shown_unref (found->shown);
  g_clear_pointer (&found->phases, lc_kept_unref);
  g_clear_pointer (&found->path, lc_kept_unref);
  g_clear_pointer (&found->past, lc_kept_unref);
  g_clear_pointer (&found->future, lc_kept_unref);
  g_free (found);
}

static LcKept *
session_find_keep (gpointer value, GDestroyNotify free)
{
  return value != NULL ? lc_kept_new (value, free) : NULL;
}

static gboolean
session_find_cone (const Search *search, Found *found, GCancellable *cancellable, GError **error)
{
  LcHistory *history = search->shown->opened->history;
  guint32 process = search->shown->selection.highlight.process;
  guint64 ordinal = search->shown->selection.highlight.ordinal;

  if (search->wants_past)
    found->past = session_find_keep (lc_causality_past (history, process, ordinal, cancellable, error), g_free);
  if (search->wants_past && found->past == NULL)
    return FALSE;
  if (search->wants_future)
    found->future = session_find_keep (lc_causality_future (history, process, ordinal, cancellable, error), g_free);
  return !search->wants_future || found->future != NULL;
}

static gboolean
find_all (const Search *search, Found *found, GCancellable *cancellable, GError **error)
{
  LcHistory *history = search->shown->opened->history;
  guint32 timeline = search->shown->timeline;

  if (search->wants_phases)
    found->phases = session_find_keep (lc_phases_find (history, timeline, search->phases, cancellable, error),
                                       (GDestroyNotify)lc_phases_free);
  if (search->wants_phases && found->phases == NULL)
    return FALSE;
  if (search->wants_path)
    found->path = session_find_keep (lc_critical_path_find (history, timeline, cancellable, error),
                                     (GDestroyNotify)lc_critical_path_free);
  if (search->wants_path && found->path == NULL)
    return FALSE;
  return session_find_cone (search, found, cancellable, error);
}

static gpointer
session_find_work (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const Search *search = data;
  Found *found = g_new0 (Found, 1);

  found->shown = lc_shown_ref (search->shown);
  if (!find_all (search, found, cancellable, error))
    g_clear_pointer (&found, session_find_free_found);
  return found;
}

static void
session_find_put (LcKept **place, LcKept **found)
{
  if (*found != NULL)
    lc_shown_set_kept (place, g_steal_pointer (found));
}

/* Drops the choices that need what could not be found; otherwise the session would search for it again and again. */
static void
session_find_give_up (LcSession *session, const GError *error)
{
  LcShown *shown = lc_shown_copy (session->shown);

  if (shown->selection.time == LC_SCENE_PHASE && shown->phases == NULL)
    shown->selection.time = LC_SCENE_PHYSICAL;
  if (shown->selection.highlight.kind != LC_HIGHLIGHT_NONE)
    shown->selection.highlight.kind = LC_HIGHLIGHT_NONE;
  g_clear_pointer (&session->phases, g_free);
  lc_session_tell (session, error->message);
  lc_session_show (session, shown);
}

static void
session_find_done (gpointer owner, gpointer result, const GError *error)
{
  LcSession *session = owner;
  Found *found = result;
  LcShown *shown;

  if (found == NULL)
    {
      session_find_give_up (session, error);
      return;
    }
  shown = lc_shown_copy (session->shown);
  session_find_put (&shown->phases, &found->phases);
  session_find_put (&shown->path, &found->path);
  session_find_put (&shown->past, &found->past);
  session_find_put (&shown->future, &found->future);
  session_find_free_found (found);
  lc_session_show (session, shown);
}

void
lc_session_find_missing (LcSession *session)
{
  const LcShown *shown = session->shown;
  Search wanted = {0};

  lc_job_stop (session->finding);
  if (shown == NULL)
    return;
  wanted.wants_phases = shown->phases == NULL && (shown->selection.time == LC_SCENE_PHASE || session->phases != NULL);
  wanted.wants_path = shown->path == NULL && shown->selection.highlight.kind == LC_HIGHLIGHT_CRITICAL_PATH;
  wanted.wants_past = shown->past == NULL && (shown->selection.highlight.kind == LC_HIGHLIGHT_PAST ||
                                              shown->selection.highlight.kind == LC_HIGHLIGHT_CONE);
  wanted.wants_future = shown->future == NULL && (shown->selection.highlight.kind == LC_HIGHLIGHT_FUTURE ||
                                                  shown->selection.highlight.kind == LC_HIGHLIGHT_CONE);
  if (!wanted.wants_phases && !wanted.wants_path && !wanted.wants_past && !wanted.wants_future)
    return;
  wanted.shown = lc_shown_ref (session->shown);
  wanted.phases = g_strdup (session->phases != NULL ? session->phases : "auto");
  lc_job_start (session->finding, session_find_work, g_memdup2 (&wanted, sizeof wanted), free_search);
}

void
lc_session_init_find (LcSession *session)
{
  session->finding = lc_job_new (session, session_find_done, NULL, session_find_free_found);
}

void
lc_session_dispose_find (LcSession *session)
{
  g_clear_pointer (&session->finding, lc_job_free);
}

void
lc_session_set_phases (LcSession *session, const char *definition)
{
  char *copy = g_strdup (definition);
  LcShown *shown;

  g_free (session->phases);
  session->phases = copy;
  if (session->shown == NULL)
    return;
  if (session->shown->phases == NULL)
    {
      lc_session_find_missing (session);
      return;
    }
  shown = lc_shown_copy (session->shown);
  lc_shown_set_kept (&shown->phases, NULL);
  lc_session_show (session, shown);
}
