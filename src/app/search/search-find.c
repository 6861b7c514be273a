/* SPDX-License-Identifier: Apache-2.0 */
/* Finds events: all hits in the order of time, or the next one from a place without reading all events. */
#include "app/search/search-find.h"

#include "lightcone/statistics.h"

enum
{
  MOST_KEYS = 1000,   /* lookups by key, one after the other */
  MOST_OWN = 1 << 17, /* events of objects that are all read to find the next hit */
};

int
lc_search_compare (gconstpointer a, gconstpointer b)
{
  const LcSearchHit *first = a, *second = b;

  if (first->begin != second->begin)
    return first->begin < second->begin ? -1 : 1;
  if (first->process != second->process)
    return first->process < second->process ? -1 : 1;
  return first->ordinal < second->ordinal ? -1 : first->ordinal > second->ordinal;
}

static LcSearchHit
make_hit (const LcShown *shown, const LcHistoryEvent *event)
{
  LcSearchHit hit = {.begin = event->begin, .ordinal = event->ordinal, .process = event->process};

  if (shown->selection.time == LC_SCENE_PHYSICAL)
    {
      hit.from = event->begin;
      hit.to = event->end;
      return hit;
    }
  hit.from = event->layer;
  if (shown->selection.time == LC_SCENE_PHASE && shown->phases != NULL)
    {
      const LcPhases *phases = lc_kept_get (shown->phases);

      hit.from = lc_phases_get_position (phases, lc_phases_of (phases, event->process, event->ordinal), event->layer);
    }
  hit.to = hit.from;
  return hit;
}

/* --- All --------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const LcSearchPlan *plan;
  const LcFiltering *filtering;
  LcSearchFound *found;
  gint *counted;
} Collecting;

static gboolean
search_find_collect (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Collecting *collecting = data;
  LcSearchFound *found = collecting->found;
  LcSearchHit hit;

  if (!lc_search_plan_fits (collecting->plan, collecting->filtering, event))
    return TRUE;
  found->n_hits++;
  if (collecting->counted != NULL)
    g_atomic_int_set (collecting->counted, (gint)MIN (found->n_hits, G_MAXINT));
  if (found->n_hits > LC_SEARCH_MOST_HITS)
    g_clear_pointer (&found->hits, g_array_unref);
  if (found->hits == NULL)
    return TRUE;
  hit = make_hit (collecting->plan->shown, event);
  g_array_append_val (found->hits, hit);
  return TRUE;
}

/* Visits the events of the objects of the plan; `done` may be NULL. */
static gboolean
search_find_visit_objects (const LcSearchPlan *plan, LcHistoryVisit visit, gpointer data, LcJobPermille *done,
                           GCancellable *cancellable, GError **error)
{
  LcHistory *history = plan->shown->opened->history;

  for (guint i = 0; i < plan->object_list->len; i++)
    {
      if (!lc_history_visit_object (history, plan->shown->timeline, g_array_index (plan->object_list, guint32, i),
                                    visit, data, cancellable, error))
        return FALSE;
      if (done != NULL)
        g_atomic_int_set (done, (gint)((guint64)i * 1000 / plan->object_list->len));
    }
  return TRUE;
}

/* Looks up a single sequence number for each object of the plan. */
static gboolean
visit_keys (const LcSearchPlan *plan, LcHistoryVisit visit, gpointer data, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < plan->object_list->len; i++)
    {
      g_autoptr (GArray) events = NULL;

      if (!lc_history_find_by_key (plan->shown->opened->history, plan->shown->timeline,
                                   g_array_index (plan->object_list, guint32, i), plan->sequence.lowest,
                                   LC_SEARCH_MOST_HITS, cancellable, &events, error))
        return FALSE;
      for (guint j = 0; j < events->len; j++)
        visit (&g_array_index (events, LcHistoryEvent, j), NULL, data);
    }
  return TRUE;
}

static gboolean
has_keys (const LcSearchPlan *plan)
{
  return plan->object_list != NULL && plan->object_list->len <= MOST_KEYS && plan->sequence.asked &&
         plan->sequence.lowest == plan->sequence.highest;
}

static gboolean
collect_of_processes (Collecting *collecting, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcSearchPlan *plan = collecting->plan;
  LcHistory *history = plan->shown->opened->history;
  guint32 n = lc_history_get_n_processes (history), timeline = plan->shown->timeline;
  gboolean good = TRUE;

  for (guint32 process = 0; process < n && good; process++)
    {
      if (!plan->processes[process])
        continue;
      if (plan->operations != NULL && !plan->value.asked && !plan->bytes.asked)
        good = lc_history_visit_operations (history, timeline, process, plan->operations, search_find_collect,
                                            collecting, cancellable, error);
      else
        good = lc_history_visit (history, timeline, process, 0, G_MAXUINT64, search_find_collect, collecting,
                                 cancellable, error);
      g_atomic_int_set (done, (gint)((guint64)process * 1000 / n));
    }
  return good;
}

/* Counts the events of the plan's objects. */
static guint64
count_own (const LcSearchPlan *plan, const LcSearchNames *names)
{
  guint64 events = 0;

  for (guint i = 0; i < plan->object_list->len; i++)
    events += names->events[g_array_index (plan->object_list, guint32, i)];
  return events;
}

/* Tells whether visiting by object is quicker than reading all events: events of an object are looked up one by one. */
static gboolean
are_few (const LcSearchPlan *plan, const LcSearchNames *names)
{
  return plan->object_list != NULL &&
         count_own (plan, names) <= lc_history_get_n_events (plan->shown->opened->history) / 16;
}

LcSearchFound *
lc_search_find_all (const LcSearchPlan *plan, const LcSearchNames *names, LcJobPermille *done, gint *counted,
                    GCancellable *cancellable, GError **error)
{
  g_autoptr (LcSearchFound) found = g_new0 (LcSearchFound, 1);
  g_auto (LcFiltering) filtering = {0};
  Collecting collecting = {plan, &filtering, found, counted};

  if (!lc_filtering_begin (&filtering, &plan->shown->selection.filters, plan->shown->opened->history, cancellable,
                           error))
    return NULL;
  found->hits = g_array_new (FALSE, FALSE, sizeof (LcSearchHit));
  if (!(has_keys (plan) ? visit_keys (plan, search_find_collect, &collecting, cancellable, error)
        : are_few (plan, names)
            ? search_find_visit_objects (plan, search_find_collect, &collecting, done, cancellable, error)
            : collect_of_processes (&collecting, done, cancellable, error)))
    return NULL;
  if (found->hits != NULL)
    g_array_sort (found->hits, lc_search_compare);
  return g_steal_pointer (&found);
}

void
lc_search_found_free (LcSearchFound *found)
{
  g_clear_pointer (&found->hits, g_array_unref);
  g_free (found);
}

gboolean
lc_search_pick (const GArray *hits, const LcSearchHit *from, gboolean backwards, guint *number)
{
  guint low = from == NULL && backwards ? hits->len : 0, high = from == NULL ? low : hits->len;

  while (low < high) /* find the first hit that is not before the place, or, forwards, the first after it */
    {
      guint middle = low + (high - low) / 2;
      int order = lc_search_compare (&g_array_index (hits, LcSearchHit, middle), from);

      if (order < 0 || (order == 0 && !backwards))
        low = middle + 1;
      else
        high = middle;
    }
  if (backwards ? low == 0 : low == hits->len)
    return FALSE;
  *number = backwards ? low - 1 : low;
  return TRUE;
}

/* --- The next ---------------------------------------------------------------------------------------------------- */

enum
{
  FIRST_PART = 1 << 16, /* events to read in the first part, of all processes together */
  GROWTH = 4,           /* factor from the length of a part to that of the next */
};

typedef struct
{
  const LcSearchPlan *plan;
  const LcFiltering *filtering;
  const LcSearchHit *from; /* NULL: from the first event on, or from the last one back */
  gboolean backwards;
  guint64 limit; /* end of the current part */
  guint64 *next; /* by process: the ordinal to continue from; backwards: the one after it */
  gboolean found;
  LcSearchHit best;
} Seeking;

/* Tells whether an event is beyond the current part, or beyond the best hit so far. */
static gboolean
is_beyond (const Seeking *seeking, const LcHistoryEvent *event)
{
  if (seeking->backwards)
    return event->begin < seeking->limit || (seeking->found && event->begin < seeking->best.begin);
  return event->begin > seeking->limit || (seeking->found && event->begin > seeking->best.begin);
}

/* Takes an event as the best hit. FALSE: it does not match, or is on the wrong side of the place. */
static gboolean
search_find_take (Seeking *seeking, const LcHistoryEvent *event)
{
  LcSearchHit hit = make_hit (seeking->plan->shown, event);
  int after = seeking->from != NULL ? lc_search_compare (&hit, seeking->from) : seeking->backwards ? -1 : 1;

  if ((seeking->backwards ? after >= 0 : after <= 0) || !lc_search_plan_fits (seeking->plan, seeking->filtering, event))
    return FALSE;
  if (!seeking->found || (lc_search_compare (&hit, &seeking->best) < 0) != seeking->backwards)
    seeking->best = hit;
  seeking->found = TRUE;
  return TRUE;
}

/* Visits the events of a process in order, and stops at the first match. */
static gboolean
search_find_look (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Seeking *seeking = data;

  if (is_beyond (seeking, event))
    return FALSE;
  seeking->next[event->process] = seeking->backwards ? event->ordinal : event->ordinal + 1;
  return !search_find_take (seeking, event);
}

/* Visits events in any order. */
static gboolean
look_at_all (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  search_find_take (data, event);
  return TRUE;
}

static gboolean
look_at_part (Seeking *seeking, GCancellable *cancellable, GError **error)
{
  const LcShown *shown = seeking->plan->shown;
  guint32 n = lc_history_get_n_processes (shown->opened->history);

  for (guint32 process = 0; process < n; process++)
    {
      guint64 first = seeking->next[process], last = seeking->backwards ? 0 : G_MAXUINT64;

      if (!seeking->plan->processes[process] || (seeking->backwards && first == 0))
        continue;
      if (!lc_history_visit (shown->opened->history, shown->timeline, process, first, last, search_find_look, seeking,
                             cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static guint64
search_find_begin (const Seeking *seeking)
{
  return seeking->from != NULL ? seeking->from->begin : seeking->backwards ? G_MAXINT64 : 0;
}

/* Finds the event of each process to start from; events at the same time as the place are all still to be read. */
static gboolean
search_find_starts (Seeking *seeking, GError **error)
{
  const LcShown *shown = seeking->plan->shown;
  guint32 n = lc_history_get_n_processes (shown->opened->history);
  guint64 begin = search_find_begin (seeking);
  guint64 time = !seeking->backwards ? begin - MIN (begin, 1) : begin < G_MAXINT64 ? begin + 1 : G_MAXINT64;

  for (guint32 process = 0; process < n; process++)
    {
      g_autoptr (GError) own = NULL;
      LcHistoryEvent event;

      if (!seeking->plan->processes[process])
        continue;
      if (lc_history_find_event_at (shown->opened->history, shown->timeline, process, time, &event, &own))
        seeking->next[process] = seeking->backwards ? event.ordinal + 1 : event.ordinal;
      else if (!g_error_matches (own, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN)) /* the process has no events */
        {
          g_propagate_error (error, g_steal_pointer (&own));
          return FALSE;
        }
    }
  return TRUE;
}

/* Searches from the place on, in parts that grow. */
static gboolean
seek_in_time (Seeking *seeking, GCancellable *cancellable, GError **error)
{
  const LcSearchPlan *plan = seeking->plan;
  LcHistory *history = plan->shown->opened->history;
  gboolean backwards = seeking->backwards;
  guint64 begin, end, length, place;

  if (!search_find_starts (seeking, error) || !lc_statistics_span (history, plan->shown->timeline, &begin, &end, error))
    return FALSE;
  length = (guint64)((double)(end - begin) * FIRST_PART / (double)MAX (lc_history_get_n_events (history), 1)) + 1;
  place = CLAMP (search_find_begin (seeking), begin, end);
  while (!seeking->found)
    {
      seeking->limit = backwards ? (place > length ? place - length : 0) : place + length;
      if (!look_at_part (seeking, cancellable, error))
        return FALSE;
      if (backwards ? seeking->limit <= begin : seeking->limit >= end)
        break;
      place = seeking->limit;
      length *= GROWTH;
    }
  return TRUE;
}

gboolean
lc_search_seek (const LcSearchPlan *plan, const LcSearchNames *names, const LcSearchHit *from, gboolean backwards,
                LcSearchHit *hit, GCancellable *cancellable, GError **error)
{
  guint32 n = MAX (lc_history_get_n_processes (plan->shown->opened->history), 1);
  g_autofree guint64 *next = g_new0 (guint64, n);
  g_auto (LcFiltering) filtering = {0};
  Seeking seeking = {.plan = plan, .filtering = &filtering, .from = from, .backwards = backwards, .next = next};
  gboolean good;

  if (!lc_filtering_begin (&filtering, &plan->shown->selection.filters, plan->shown->opened->history, cancellable,
                           error))
    return FALSE;
  if (has_keys (plan))
    good = visit_keys (plan, look_at_all, &seeking, cancellable, error);
  else if (plan->object_list != NULL && count_own (plan, names) <= MOST_OWN)
    good = search_find_visit_objects (plan, look_at_all, &seeking, NULL, cancellable, error);
  else
    good = seek_in_time (&seeking, cancellable, error);
  *hit = seeking.best;
  return good && seeking.found;
}
