/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the longest waits of a history with a heap of the best so far, and summaries that show where none can be
 * better. */
#include "waits-asked.h"

enum
{
  BUCKETS = 1 << 16, /* buckets of all processes together */
};

/* A row of a process's events; none of them is longer than `longest`. */
typedef struct
{
  guint64 longest;
  guint64 first;
  guint64 last; /* the event after the last one */
  guint32 process;
} Stretch;

typedef struct
{
  LcHistory *history;
  guint32 timeline;
  const LcWaitsAsked *asked;
  gsize limit;
  const LcFiltering *filtering;
  GArray *heap; /* LcHistoryEvent, the worst one first */
} Search;

/* Negative if `a` comes before `b` in the list. */
static int
statistics_waits_compare (const LcHistoryEvent *a, const LcHistoryEvent *b)
{
  if (a->waited != b->waited)
    return a->waited > b->waited ? -1 : 1;
  if (a->process != b->process)
    return a->process < b->process ? -1 : 1;
  return a->ordinal < b->ordinal ? -1 : a->ordinal > b->ordinal;
}

static int
statistics_waits_compare_events (gconstpointer a, gconstpointer b)
{
  return statistics_waits_compare (a, b);
}

/* --- The heap ------------------------------------------------------------------------------------------------ */

static LcHistoryEvent *
statistics_waits_at (const Search *search, gsize place)
{
  return &g_array_index (search->heap, LcHistoryEvent, place);
}

static void
statistics_waits_swap (const Search *search, gsize a, gsize b)
{
  LcHistoryEvent kept = *statistics_waits_at (search, a);

  *statistics_waits_at (search, a) = *statistics_waits_at (search, b);
  *statistics_waits_at (search, b) = kept;
}

static void
statistics_waits_sink (const Search *search)
{
  gsize place = 0, n = search->heap->len;

  for (;;)
    {
      gsize worst = place;

      for (gsize child = 2 * place + 1; child <= 2 * place + 2 && child < n; child++)
        if (statistics_waits_compare (statistics_waits_at (search, child), statistics_waits_at (search, worst)) > 0)
          worst = child;
      if (worst == place)
        return;
      statistics_waits_swap (search, place, worst);
      place = worst;
    }
}

static void
statistics_waits_rise (const Search *search)
{
  gsize place = search->heap->len - 1;

  while (place > 0 && statistics_waits_compare (statistics_waits_at (search, place),
                                                statistics_waits_at (search, (place - 1) / 2)) > 0)
    {
      statistics_waits_swap (search, place, (place - 1) / 2);
      place = (place - 1) / 2;
    }
}

/* Returns the shortest wait that may still enter the list; 0: there is room. */
static guint64
statistics_waits_get_bar (const Search *search)
{
  return search->heap->len == search->limit ? statistics_waits_at (search, 0)->waited : 0;
}

/* --- Events -------------------------------------------------------------------------------------------------- */

static gboolean
statistics_waits_take (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const Search *search = data;

  if (event->waited < statistics_waits_get_bar (search) ||
      !lc_waits_asked_has (search->asked, search->filtering, event))
    return TRUE;
  if (search->heap->len < search->limit)
    {
      g_array_append_vals (search->heap, event, 1);
      statistics_waits_rise (search);
    }
  else if (statistics_waits_compare (event, statistics_waits_at (search, 0)) < 0)
    {
      *statistics_waits_at (search, 0) = *event;
      statistics_waits_sink (search);
    }
  return TRUE;
}

/* --- Stretches ----------------------------------------------------------------------------------------------- */

static void
add_stretch (GArray *stretches, guint32 process, guint64 first, guint64 last, guint64 longest)
{
  Stretch stretch = {.longest = longest, .first = first, .last = last, .process = process};

  if (last > first)
    g_array_append_val (stretches, stretch);
}

/*
 * Makes stretches of the buckets of a process: the events of a bucket follow those of the previous one. If the buckets
 * lack events, the whole process is one stretch. The first event that ends after the wanted span may have waited within
 * it.
 */
static gboolean
statistics_waits_add_row (const Search *search, const LcSummary *summary, const LcSummaryRow *row, GArray *stretches,
                          GError **error)
{
  const LcWaitsAsked *asked = search->asked;
  guint before = stretches->len;
  guint64 ordinal = 0, events;
  gboolean is_past = FALSE;

  if (!lc_history_count_events (search->history, search->timeline, row->process, &events, error))
    return FALSE;
  for (gsize i = 0; i < row->n_buckets; i++)
    {
      const LcSummaryBucket *bucket = &row->buckets[i];
      guint64 begin = (summary->first + i) << summary->level, end = begin + (G_GUINT64_CONSTANT (1) << summary->level);

      if (asked->from >= asked->to || (end > asked->from && begin <= asked->to))
        add_stretch (stretches, row->process, ordinal, ordinal + bucket->events, bucket->longest);
      else if (begin > asked->to && bucket->events > 0 && !is_past)
        {
          add_stretch (stretches, row->process, ordinal, ordinal + 1, bucket->longest);
          is_past = TRUE;
        }
      ordinal += bucket->events;
    }
  if (ordinal == events)
    return TRUE;
  g_array_set_size (stretches, before);
  add_stretch (stretches, row->process, 0, events, G_MAXUINT64);
  return TRUE;
}

static int
compare_stretches (gconstpointer a, gconstpointer b)
{
  const Stretch *x = a, *y = b;

  if (x->longest != y->longest)
    return x->longest > y->longest ? -1 : 1;
  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

static GArray *
list_stretches (const Search *search, GCancellable *cancellable, GError **error)
{
  LcWindow window = {.timeline = search->timeline,
                     .axis = search->asked->axis,
                     .processes = search->asked->processes,
                     .n_processes = search->asked->n_processes};
  g_autoptr (GArray) stretches = g_array_new (FALSE, FALSE, sizeof (Stretch));
  g_autoptr (LcWindowResult) result = NULL;
  const LcSummary *summary;
  guint64 begin;

  if (!lc_statistics_span (search->history, search->timeline, &begin, &window.to, error))
    return NULL;
  window.to = window.axis == LC_AXIS_TIME ? window.to + 1 : lc_history_get_n_layers (search->history) + 1;
  result = lc_history_summarize_window (search->history, &window, BUCKETS, 0, cancellable, error);
  if (result == NULL)
    return NULL;
  summary = lc_window_result_get_summary (result);
  for (gsize i = 0; i < summary->n_rows; i++)
    if (!statistics_waits_add_row (search, summary, &summary->rows[i], stretches, error))
      return NULL;
  g_array_sort (stretches, compare_stretches);
  return g_steal_pointer (&stretches);
}

static gboolean
statistics_waits_look (Search *search, const GArray *stretches, LcStatisticsProgress progress, gpointer data,
                       GCancellable *cancellable, GError **error)
{
  guint64 all = 0, done = 0;

  for (guint i = 0; i < stretches->len; i++)
    all += g_array_index (stretches, Stretch, i).last - g_array_index (stretches, Stretch, i).first;
  for (guint i = 0; i < stretches->len; i++)
    {
      const Stretch *stretch = &g_array_index (stretches, Stretch, i);

      if (stretch->longest == 0 ||
          stretch->longest < MAX (statistics_waits_get_bar (search), search->asked->filters.least_wait))
        break;
      if (!lc_history_visit (search->history, search->timeline, stretch->process, stretch->first, stretch->last,
                             statistics_waits_take, search, cancellable, error))
        return FALSE;
      done += stretch->last - stretch->first;
      if (progress != NULL)
        progress ((double)done / (double)all, data);
    }
  return TRUE;
}

/* --- All of it ----------------------------------------------------------------------------------------------- */

GArray *
lc_statistics_longest_waits (LcHistory *history, guint32 timeline, const LcWaitsAsked *asked, gsize limit,
                             LcStatisticsProgress progress, gpointer data, GCancellable *cancellable, GError **error)
{
  g_auto (LcFiltering) filtering = {0};
  g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent)), stretches = NULL;
  Search search = {
      .history = history, .timeline = timeline, .asked = asked, .limit = limit, .filtering = &filtering, .heap = heap};

  if (limit == 0 || (asked->processes != NULL && asked->n_processes == 0))
    return g_steal_pointer (&heap);
  if (!lc_filtering_begin (&filtering, &asked->filters, history, cancellable, error))
    return NULL;
  stretches = list_stretches (&search, cancellable, error);
  if (stretches == NULL || !statistics_waits_look (&search, stretches, progress, data, cancellable, error))
    return NULL;
  g_array_sort (heap, statistics_waits_compare_events);
  return g_steal_pointer (&heap);
}
