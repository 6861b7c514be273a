/* SPDX-License-Identifier: Apache-2.0 */
/* Matches events of the calibration's recording with the stamps of its workload that lie around them. */
#include "matching.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "trace/timescale.h"

/* A pair of stamps to match. Places are sorted into the order in which they were done. */
typedef struct
{
  guint64 before; /* ticks */
  guint32 process;
  guint series, index;
} Place;

typedef struct
{
  const LcWorkload *workload;
  gboolean has_ranks; /* processes of series are ranks */
  LcTimescale timescale;
  LcMatchFunc func;
  gpointer data;
} Matching;

static gint
matching_compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return x->before < y->before ? -1 : x->before > y->before;
}

static gboolean
matching_has_events (const struct lc_stamps_series *head)
{
  return head->kind != LC_STAMPS_CLOCK && head->kind != LC_STAMPS_WAITED;
}

static GArray *
list_places (const GArray *all)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (Place));

  for (guint i = 0; i < all->len; i++)
    {
      const LcWorkloadSeries *series = &g_array_index (all, LcWorkloadSeries, i);

      for (guint j = 0; matching_has_events (series->head) && j < series->head->count; j++)
        {
          Place place = {series->pairs[j].before, series->head->process + j * series->head->stride, i, j};

          g_array_append_val (places, place);
        }
    }
  g_array_sort (places, matching_compare_places);
  return places;
}

static LcMatch
begin_match (const Matching *matching, const Place *place)
{
  LcMatch match = {.series = &g_array_index (matching->workload->series, LcWorkloadSeries, place->series)};
  const struct lc_stamps_pair *pair = &match.series->pairs[place->index];

  match.before = lc_timescale_ns (&matching->timescale, pair->before);
  match.after = lc_timescale_ns (&matching->timescale, pair->after);
  return match;
}

static void
add_to_loop (LcMatch *match, const LcTraceEvent *event, guint which)
{
  LcMatchedLoop *loop = &match->loop;

  if (match->found++ > 0)
    {
      loop->after[loop->last] += (double)(event->begin - loop->last_end);
      loop->gaps[loop->last]++;
    }
  loop->inside[which] += (double)(event->end - event->begin);
  loop->events[which]++;
  loop->last = which;
  loop->last_end = event->end;
}

/* Takes an event between the stamps. Other events that the operation has recorded are ignored. */
static void
matching_take_event (const LcTrace *trace, LcMatch *match, const LcTraceEvent *event)
{
  const LcTraceOperation *operation = lc_trace_get_operation (trace, event->operation);
  const struct lc_stamps_series *head = match->series->head;
  const char *name = operation != NULL ? operation->name : "";

  if (head->kind == LC_STAMPS_LOOP)
    {
      if (strcmp (name, head->operation) == 0 || strcmp (name, head->partner) == 0)
        add_to_loop (match, event, strcmp (name, head->operation) != 0);
    }
  else if (strcmp (name, head->operation) == 0)
    {
      match->begin = event->begin;
      match->end = event->end;
      match->found = 1;
    }
}

static gboolean
is_complete (const LcMatch *match)
{
  const struct lc_stamps_series *head = match->series->head;

  return match->found == head->repeat * (head->partner[0] != '\0' ? 2 : 1);
}

/* Stamps do not overlap, and both stamps and events are in order of time. Returns the number of places matched. */
static guint
match_process (const Matching *matching, guint32 process, const Place *places, guint n_places)
{
  LcTraceCursor *cursor = lc_trace_cursor_open (matching->workload->trace, process);
  LcMatch match = begin_match (matching, places);
  gboolean missed = FALSE;
  LcTraceBatch batch;
  guint done = 0;

  while (!missed && done < n_places && lc_trace_cursor_next (cursor, &batch))
    for (gsize i = 0; !missed && done < n_places && i < batch.n_events; i++)
      {
        const LcTraceEvent *event = &batch.events[i];

        missed = match.after < event->end;
        if (missed || event->begin < match.before)
          continue;
        matching_take_event (matching->workload->trace, &match, event);
        if (!is_complete (&match))
          continue;
        matching->func (&match, matching->data);
        if (++done < n_places)
          match = begin_match (matching, &places[done]);
      }
  lc_trace_cursor_close (cursor);
  return done;
}

/* Finds a process by number, or the first process of a rank. */
static guint32
find_process (const Matching *matching, guint32 number)
{
  for (guint32 i = 0; i < lc_trace_get_n_processes (matching->workload->trace); i++)
    {
      const LcTraceProcess *process = lc_trace_get_process (matching->workload->trace, i);

      if ((matching->has_ranks ? process->rank : process->number) == number)
        return i;
    }
  return LC_TRACE_NONE;
}

static void
set_missed (const Matching *matching, const Place *place, GError **error)
{
  const LcWorkloadSeries *series = &g_array_index (matching->workload->series, LcWorkloadSeries, place->series);

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("calibration: process %u has not recorded its %s number %u"),
               place->process, series->head->operation, place->index + 1);
}

gboolean
lc_match (const LcWorkload *workload, gboolean has_ranks, LcMatchFunc func, gpointer data, GError **error)
{
  g_autoptr (GArray) list = list_places (workload->series);
  Matching matching = {.workload = workload, .has_ranks = has_ranks, .func = func, .data = data};
  const Place *places = (const void *)list->data;

  lc_timescale_init (&matching.timescale, lc_trace_get_first_tick (workload->trace),
                     lc_trace_get_frequency (workload->trace));
  for (guint i = 0, end; i < list->len; i = end)
    {
      guint32 process = find_process (&matching, places[i].process);
      guint done;

      for (end = i + 1; end < list->len && places[end].process == places[i].process;)
        end++;
      done = process != LC_TRACE_NONE ? match_process (&matching, process, &places[i], end - i) : 0;
      if (done == end - i)
        continue;
      set_missed (&matching, &places[i + done], error);
      return FALSE;
    }
  return TRUE;
}
