/* SPDX-License-Identifier: Apache-2.0 */
/* The events of the shown processes as the rows of a table: found by a thread, and read as they are looked at. */
#include "app/tables/events-source.h"

#include "app/tables/events-source-cells.h"
#include "app/tables/events-ranges.h"

/* An event that was found by reading all. */
typedef struct
{
  guint64 key; /* what it is sorted by */
  guint64 ordinal;
  guint32 place; /* of its process, in shown->processes */
  guint32 process;
} EventsHit;

typedef struct
{
  LcTableSource parent;

  LcShown *shown;
  LcNames *names;
  LcSlacks *slacks; /* NULL: it is not known */
  LcEventsOrder order;
  gboolean descending;
  LcEventsRanges *ranges;
  GArray *hits; /* EventsHit; NULL: the rows are all events of the ranges */

  GMutex lock;
  LcEventsMerge *merge; /* where it was last; it is used by who holds the lock */
} EventsSource;

void
lc_events_asked_free (gpointer data)
{
  LcEventsAsked *asked = data;

  lc_shown_unref (asked->shown);
  g_clear_pointer (&asked->terms, g_array_unref);
  g_clear_pointer (&asked->names, lc_search_names_unref);
  g_free (asked);
}

void
lc_events_found_free (gpointer data)
{
  LcEventsFound *found = data;

  g_clear_pointer (&found->source, lc_table_source_unref);
  g_clear_pointer (&found->names, lc_search_names_unref);
  g_free (found->problem);
  g_free (found->explanation);
  g_free (found);
}

static void
events_source_free (LcTableSource *parent)
{
  EventsSource *source = (EventsSource *)parent;

  g_clear_pointer (&source->merge, lc_events_merge_free);
  g_clear_pointer (&source->ranges, lc_events_ranges_free);
  g_clear_pointer (&source->hits, g_array_unref);
  g_clear_pointer (&source->names, lc_names_free);
  g_clear_pointer (&source->slacks, lc_slacks_unref);
  lc_shown_unref (source->shown);
  g_mutex_clear (&source->lock);
  g_free (source);
}

/* --- Reading rows ------------------------------------------------------------------------------------------------ */

static gboolean
events_source_list_by_begin (EventsSource *source, guint64 first, guint n_rows, LcEventName *names,
                             GCancellable *cancellable, GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&source->lock);

  (void)locker;
  if (source->merge == NULL)
    source->merge = lc_events_merge_new (source->ranges, NULL, error);
  if (source->merge == NULL || !lc_events_merge_go_to (source->merge, first, error))
    return FALSE;
  for (guint i = 0; i < n_rows; i++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
        !lc_events_merge_next (source->merge, &names[i], error))
      return FALSE;
  return TRUE;
}

static void
events_source_list_by_process (EventsSource *source, guint64 first, guint n_rows, LcEventName *names)
{
  const LcEventsRanges *ranges = source->ranges;
  guint32 place = lc_events_ranges_find (ranges, first);

  for (guint i = 0; i < n_rows; i++)
    {
      while (first + i >= ranges->before[place + 1])
        place++;
      names[i] = (LcEventName){.process = source->shown->selection.processes[place],
                               .ordinal = ranges->first[place] + (first + i - ranges->before[place])};
    }
}

/* Names the events of some rows, counted as if the order were ascending. */
static gboolean
events_source_list (EventsSource *source, guint64 first, guint n_rows, LcEventName *names, GCancellable *cancellable,
                    GError **error)
{
  if (source->hits != NULL)
    {
      for (guint i = 0; i < n_rows; i++)
        {
          const EventsHit *hit = &g_array_index (source->hits, EventsHit, first + i);

          names[i] = (LcEventName){.process = hit->process, .ordinal = hit->ordinal};
        }
      return TRUE;
    }
  if (source->order == LC_EVENTS_BY_BEGIN)
    return events_source_list_by_begin (source, first, n_rows, names, cancellable, error);
  events_source_list_by_process (source, first, n_rows, names);
  return TRUE;
}

/* Hits are sorted as they are shown. */
static gboolean
events_source_is_turned (const EventsSource *source)
{
  return source->hits == NULL && source->descending;
}

static LcTablePage *
events_source_read (LcTableSource *parent, guint64 first, guint n_rows, GCancellable *cancellable, GError **error)
{
  EventsSource *source = (EventsSource *)parent;
  gboolean turned = events_source_is_turned (source);
  g_autofree LcEventName *names = g_new0 (LcEventName, n_rows + 1);
  guint64 from = turned ? parent->n_rows - first - n_rows : first;
  g_autoptr (LcHistoryWalk) walk = NULL;
  g_autoptr (LcTablePage) page = NULL;

  if (!events_source_list (source, from, n_rows, names, cancellable, error))
    return NULL;
  walk = lc_history_walk_new (source->shown->opened->history, source->shown->timeline, LC_WALK_ALL, cancellable, error);
  if (walk == NULL)
    return NULL;
  page = lc_table_page_new (n_rows, LC_EVENTS_COLUMNS);
  for (guint i = 0; i < n_rows; i++)
    {
      const LcEventName *name = &names[turned ? n_rows - 1 - i : i];
      LcHistoryEvent event;

      if (!lc_history_walk_get (walk, name->process, name->ordinal, &event, NULL, error))
        return NULL;
      lc_events_cells_fill (page, i, source->names, source->slacks, &event);
    }
  return g_steal_pointer (&page);
}

/* --- Reading all ------------------------------------------------------------------------------------------------- */

typedef struct
{
  EventsSource *source;
  const LcSearchPlan *plan; /* NULL: all fit */
  const LcFiltering *filtering;
  guint32 place;
  guint64 n_found;
  guint64 n_seen;
  guint64 total;
  gboolean is_full; /* what comes after the last of the hits is not kept */
  EventsHit last;
  LcJobPermille *done;
} EventsCollecting;

static int
events_source_compare (gconstpointer a, gconstpointer b, gpointer descending)
{
  const EventsHit *one = a, *other = b;
  int result = one->key < other->key ? -1 : one->key > other->key;

  if (result != 0)
    return descending != NULL ? -result : result;
  if (one->place != other->place)
    return one->place < other->place ? -1 : 1;
  return one->ordinal < other->ordinal ? -1 : one->ordinal > other->ordinal;
}

static void
events_source_sort (EventsCollecting *collecting)
{
  GArray *hits = collecting->source->hits;

  g_array_sort_with_data (hits, events_source_compare, GINT_TO_POINTER (collecting->source->descending));
  if (hits->len < LC_EVENTS_MOST)
    return;
  g_array_set_size (hits, LC_EVENTS_MOST);
  collecting->last = g_array_index (hits, EventsHit, LC_EVENTS_MOST - 1);
  collecting->is_full = TRUE;
}

static guint64
events_source_get_key (const EventsCollecting *collecting, const LcHistoryEvent *event)
{
  switch (collecting->source->order)
    {
    case LC_EVENTS_BY_BEGIN:
      return event->begin;
    case LC_EVENTS_BY_LENGTH:
      return event->end - event->begin;
    case LC_EVENTS_BY_WAIT:
      return event->waited;
    case LC_EVENTS_BY_SLACK:
      return lc_slacks_get (collecting->source->slacks, event);
    case LC_EVENTS_BY_PROCESS:
    case LC_EVENTS_ORDERS:
    default:
      return collecting->place;
    }
}

static gboolean
events_source_collect (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  EventsCollecting *collecting = data;
  EventsSource *source = collecting->source;
  EventsHit hit;

  if ((++collecting->n_seen & 0xffff) == 0)
    g_atomic_int_set (collecting->done, (gint)(collecting->n_seen * 1000 / MAX (collecting->total, 1)));
  if (collecting->plan != NULL && !lc_search_plan_fits (collecting->plan, collecting->filtering, event))
    return TRUE;
  collecting->n_found++;
  hit = (EventsHit){events_source_get_key (collecting, event), event->ordinal, collecting->place, event->process};
  if (collecting->is_full && events_source_compare (&hit, &collecting->last, GINT_TO_POINTER (source->descending)) > 0)
    return TRUE;
  g_array_append_val (source->hits, hit);
  if (source->hits->len >= 2 * LC_EVENTS_MOST)
    events_source_sort (collecting);
  return TRUE;
}

static gboolean
events_source_collect_all (EventsSource *source, const LcSearchPlan *plan, guint64 *n_found, LcJobPermille *done,
                           GCancellable *cancellable, GError **error)
{
  const LcEventsRanges *ranges = source->ranges;
  g_auto (LcFiltering) filtering = {0};
  EventsCollecting collecting = {.source = source, .plan = plan, .filtering = &filtering, .done = done};

  collecting.total = lc_events_ranges_count (ranges);
  source->hits = g_array_new (FALSE, FALSE, sizeof (EventsHit));
  if (!lc_filtering_begin (&filtering, &source->shown->selection.filters, source->shown->opened->history, cancellable,
                           error))
    return FALSE;
  for (collecting.place = 0; collecting.place < ranges->n; collecting.place++)
    {
      guint32 process = source->shown->selection.processes[collecting.place];

      if ((plan == NULL || plan->processes[process]) &&
          ranges->first[collecting.place] < ranges->last[collecting.place] &&
          !lc_history_visit (source->shown->opened->history, source->shown->timeline, process,
                             ranges->first[collecting.place], ranges->last[collecting.place], events_source_collect,
                             &collecting, cancellable, error))
        return FALSE;
    }
  events_source_sort (&collecting);
  *n_found = collecting.n_found;
  return TRUE;
}

/* --- Finding ----------------------------------------------------------------------------------------------------- */

static gboolean
events_source_is_filtered (const LcEventsAsked *asked)
{
  return (asked->terms != NULL && asked->terms->len > 0) || lc_filters_are_set (&asked->shown->selection.filters);
}

static EventsSource *
events_source_new (const LcEventsAsked *asked)
{
  EventsSource *source = g_new0 (EventsSource, 1);

  lc_table_source_init (&source->parent, events_source_read, events_source_free);
  lc_events_cells_add_columns (&source->parent);
  source->shown = lc_shown_ref (asked->shown);
  source->names = lc_names_new (asked->shown->opened->history);
  source->order = asked->order;
  source->descending = asked->descending;
  g_mutex_init (&source->lock);
  return source;
}

/* FALSE without an error: `found->problem` says why. */
static gboolean
events_source_fill (EventsSource *source, const LcEventsAsked *asked, LcEventsFound *found, LcJobPermille *done,
                    GCancellable *cancellable, GError **error)
{
  gboolean filtered = events_source_is_filtered (asked);
  GError *reason = NULL;
  g_autoptr (LcSearchPlan) plan = NULL;
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (LcSearchTerm));

  if (filtered)
    {
      found->names = asked->names != NULL ? lc_search_names_ref (asked->names)
                                          : lc_search_names_new (asked->shown->opened->history, cancellable, error);
      if (found->names == NULL)
        return FALSE;
      plan =
          lc_search_plan_new (asked->shown, found->names, asked->terms != NULL ? asked->terms : none, &found->problem);
      if (plan == NULL)
        return FALSE;
      found->explanation = g_strdup (plan->explanation);
    }
  source->slacks = lc_opened_find_slacks (asked->shown->opened, asked->shown->timeline,
                                          asked->order == LC_EVENTS_BY_SLACK, cancellable, &reason);
  if (reason != NULL)
    {
      g_propagate_error (error, reason);
      return FALSE;
    }
  source->ranges = lc_events_ranges_new (asked->shown, asked->in_view ? &asked->span : NULL, cancellable, error);
  if (source->ranges == NULL)
    return FALSE;
  found->n_found = source->parent.n_rows = lc_events_ranges_count (source->ranges);
  if (!filtered && (asked->order == LC_EVENTS_BY_PROCESS || asked->order == LC_EVENTS_BY_BEGIN))
    return TRUE;
  if (!events_source_collect_all (source, plan, &found->n_found, done, cancellable, error))
    return FALSE;
  source->parent.n_rows = source->hits->len;
  return TRUE;
}

gpointer
lc_events_source_find (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcEventsAsked *asked = data;
  LcEventsFound *found = g_new0 (LcEventsFound, 1);
  EventsSource *source = events_source_new (asked);

  if (events_source_fill (source, asked, found, done, cancellable, error))
    {
      found->source = &source->parent;
      return found;
    }
  lc_table_source_unref (&source->parent);
  if (found->problem == NULL)
    g_clear_pointer (&found, lc_events_found_free);
  return found;
}

/* --- Places ------------------------------------------------------------------------------------------------------ */

void
lc_events_place_asked_free (gpointer data)
{
  LcEventsPlaceAsked *asked = data;

  lc_table_source_unref (asked->source);
  g_free (asked);
}

/* The place of a process among the rows of the diagram; the first one for LC_TRACE_NONE. */
static guint32
events_source_find_process (const EventsSource *source, guint32 process)
{
  guint32 place = 0;

  while (process != LC_TRACE_NONE && place < source->shown->selection.n_processes &&
         source->shown->selection.processes[place] != process)
    place++;
  return place < source->shown->selection.n_processes ? place : LC_TRACE_NONE;
}

static gboolean
events_source_place_by_process (EventsSource *source, const LcEventsPlaceAsked *asked, guint64 *position,
                                GError **error)
{
  const LcEventsRanges *ranges = source->ranges;
  guint32 place = events_source_find_process (source, asked->event.process);
  guint64 ordinal = asked->event.ordinal;
  LcHistoryEvent event;

  if (place == LC_TRACE_NONE)
    return TRUE;
  if (asked->is_time)
    {
      if (ranges->first[place] == ranges->last[place])
        return TRUE;
      if (!lc_history_find_event_at (source->shown->opened->history, source->shown->timeline,
                                     source->shown->selection.processes[place], asked->time, &event, error))
        return FALSE;
      ordinal = CLAMP (event.ordinal, ranges->first[place], ranges->last[place] - 1);
    }
  if (ordinal >= ranges->first[place] && ordinal < ranges->last[place])
    *position = ranges->before[place] + ordinal - ranges->first[place];
  return TRUE;
}

/* Events that begin at the same time are gone over until it is found. */
static gboolean
events_source_place_by_begin (EventsSource *source, const LcEventsPlaceAsked *asked, guint64 *position,
                              GCancellable *cancellable, GError **error)
{
  guint32 place = events_source_find_process (source, asked->event.process);
  g_autoptr (LcEventsMerge) merge = NULL;
  guint64 time = asked->time, at;
  LcHistoryEvent event;
  LcEventName name;

  if (!asked->is_time)
    {
      if (place == LC_TRACE_NONE || asked->event.ordinal < source->ranges->first[place] ||
          asked->event.ordinal >= source->ranges->last[place])
        return TRUE;
      if (!lc_history_get_event (source->shown->opened->history, source->shown->timeline, asked->event.process,
                                 asked->event.ordinal, &event, error))
        return FALSE;
      time = event.begin;
    }
  merge = lc_events_merge_new (source->ranges, cancellable, error);
  if (merge == NULL || !lc_events_merge_go_to_time (merge, time, &at, error))
    return FALSE;
  for (; !asked->is_time; at++)
    {
      if (!lc_events_merge_next (merge, &name, error))
        return FALSE;
      if (name.process == asked->event.process && name.ordinal == asked->event.ordinal)
        break;
    }
  *position = MIN (at, source->parent.n_rows - 1);
  return TRUE;
}

/* Of hits that are not sorted by time, a time is looked for among all. */
static gboolean
events_source_place_hit (EventsSource *source, const LcEventsPlaceAsked *asked, guint64 *position,
                         GCancellable *cancellable, GError **error)
{
  g_autoptr (LcHistoryWalk) walk = NULL;
  guint64 nearest = G_MAXUINT64, begin;

  if (asked->is_time)
    walk = lc_history_walk_new (source->shown->opened->history, source->shown->timeline, LC_WALK_TIMES, cancellable,
                                error);
  if (asked->is_time && walk == NULL)
    return FALSE;
  for (guint i = 0; i < source->hits->len; i++)
    {
      const EventsHit *hit = &g_array_index (source->hits, EventsHit, i);

      if (!asked->is_time)
        {
          if (hit->process != asked->event.process || hit->ordinal != asked->event.ordinal)
            continue;
          *position = i;
          return TRUE;
        }
      if (!lc_history_walk_get_time (walk, hit->process, hit->ordinal, LC_POINT_BEGIN, &begin, error))
        return FALSE;
      if (begin >= asked->time && begin < nearest)
        {
          nearest = begin;
          *position = i;
        }
    }
  return TRUE;
}

gpointer
lc_events_source_place (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const LcEventsPlaceAsked *asked = data;
  EventsSource *source = (EventsSource *)asked->source;
  g_autofree guint64 *position = g_new (guint64, 1);
  gboolean good = TRUE;

  *position = G_MAXUINT64;
  if (source->parent.n_rows == 0)
    return g_steal_pointer (&position);
  if (source->hits != NULL)
    good = events_source_place_hit (source, asked, position, cancellable, error);
  else if (source->order == LC_EVENTS_BY_BEGIN)
    good = events_source_place_by_begin (source, asked, position, cancellable, error);
  else
    good = events_source_place_by_process (source, asked, position, error);
  if (*position != G_MAXUINT64 && events_source_is_turned (source))
    *position = source->parent.n_rows - 1 - *position;
  return good ? g_steal_pointer (&position) : NULL;
}
