/* SPDX-License-Identifier: Apache-2.0 */
/* The search bar's background work: finding all hits, and finding the next one while they are not all known. */
#include "app/search/search-work.h"

#include "draw/diagram/diagram-hits.h"

LcSearchRequest *
lc_search_request_new (LcShown *shown, LcSearchNames *names, GArray *terms)
{
  LcSearchRequest *request = g_atomic_rc_box_new0 (LcSearchRequest);

  request->shown = lc_shown_ref (shown);
  request->names = names != NULL ? lc_search_names_ref (names) : NULL;
  request->terms = terms;
  return request;
}

LcSearchRequest *
lc_search_request_ref (LcSearchRequest *request)
{
  return g_atomic_rc_box_acquire (request);
}

static void
clear_request (LcSearchRequest *request)
{
  lc_shown_unref (request->shown);
  g_clear_pointer (&request->names, lc_search_names_unref);
  g_array_unref (request->terms);
}

void
lc_search_request_unref (LcSearchRequest *request)
{
  g_atomic_rc_box_release_full (request, (GDestroyNotify)clear_request);
}

void
lc_search_answer_free (LcSearchAnswer *answer)
{
  g_clear_pointer (&answer->names, lc_search_names_unref);
  g_clear_pointer (&answer->found, lc_search_found_free);
  g_clear_pointer (&answer->places, lc_kept_unref);
  g_free (answer->problem);
  g_free (answer->explanation);
  g_free (answer);
}

void
lc_search_step_free (LcSearchStep *step)
{
  lc_search_request_unref (step->request);
  g_free (step);
}

static LcSearchNames *
get_names (const LcSearchRequest *request, GCancellable *cancellable, GError **error)
{
  return request->names != NULL ? lc_search_names_ref (request->names)
                                : lc_search_names_new (request->shown->opened->history, cancellable, error);
}

/* Hits are in the order of time, so those of each process are, too. */
static LcKept *
search_work_place (const LcShown *shown, const LcSearchFound *found)
{
  LcDiagramHits *places;

  if (found == NULL || found->hits == NULL || (shown->selection.time == LC_SCENE_PHASE && shown->phases == NULL))
    return NULL;
  places = lc_diagram_hits_new (lc_history_get_n_processes (shown->opened->history));
  for (guint i = 0; i < found->hits->len; i++)
    {
      const LcSearchHit *hit = &g_array_index (found->hits, LcSearchHit, i);

      lc_diagram_hits_add (places, hit->process, hit->from, hit->to);
    }
  return lc_kept_new (places, (GDestroyNotify)lc_diagram_hits_free);
}

gpointer
lc_search_work_all (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  LcSearchRequest *request = data;
  LcSearchAnswer *answer = g_new0 (LcSearchAnswer, 1);
  g_autoptr (LcSearchPlan) plan = NULL;

  answer->names = get_names (request, cancellable, error);
  if (answer->names != NULL)
    plan = lc_search_plan_new (request->shown, answer->names, request->terms, &answer->problem);
  if (plan != NULL)
    {
      answer->explanation = g_strdup (plan->explanation);
      answer->found = lc_search_find_all (plan, answer->names, done, &request->counted, cancellable, error);
      answer->places = search_work_place (request->shown, answer->found);
    }
  if (answer->found == NULL && answer->problem == NULL)
    g_clear_pointer (&answer, lc_search_answer_free);
  return answer;
}

gpointer
lc_search_work_next (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcSearchStep *step = data;
  g_autoptr (LcSearchNames) names = get_names (step->request, cancellable, error);
  g_autoptr (LcSearchPlan) plan = NULL;
  g_autofree char *problem = NULL;
  g_autofree LcSearchNext *next = g_new0 (LcSearchNext, 1);
  GError *own = NULL;

  if (names == NULL)
    return NULL;
  plan = lc_search_plan_new (step->request->shown, names, step->request->terms, &problem);
  if (plan != NULL)
    {
      const LcSearchHit *from = step->is_at_edge ? NULL : &step->from;

      next->backwards = step->backwards;
      next->any = lc_search_seek (plan, names, from, step->backwards, &next->hit, cancellable, &own);
      next->wrapped = !next->any && own == NULL;
      if (next->wrapped)
        next->any = lc_search_seek (plan, names, NULL, step->backwards, &next->hit, cancellable, &own);
    }
  if (own == NULL)
    return g_steal_pointer (&next);
  g_propagate_error (error, own);
  return NULL;
}
