/* SPDX-License-Identifier: Apache-2.0 */
/* Who waited for which object, and how long it was held. */
#include "lightcone/statistics.h"

/* Holding spans that are looked at together, about. */
enum
{
  SPANS = 1 << 16,
};

typedef struct
{
  LcObjectStatistics *objects;
  guint32 n_objects;
} Objects;

static gboolean
add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const Objects *objects = data;
  LcObjectStatistics *object;

  if (event->object >= objects->n_objects)
    return TRUE;
  object = &objects->objects[event->object];
  object->events++;
  if (event->waited == 0)
    return TRUE;
  object->waits++;
  object->waited += event->waited;
  if (event->waited > object->longest)
    {
      object->longest = event->waited;
      object->longest_process = event->process;
      object->longest_ordinal = event->ordinal;
    }
  return TRUE;
}

/* --- Holding ------------------------------------------------------------------------------------------------ */

/* The measured times are known from the merge. */
static gboolean
look_up_held (LcHistory *history, const Objects *objects, GError **error)
{
  for (guint32 i = 0; i < objects->n_objects; i++)
    {
      LcHistoryObject object;

      if (objects->objects[i].events == 0)
        continue;
      if (!lc_history_get_object (history, i, &object, error))
        return FALSE;
      objects->objects[i].held = object.held;
      lc_history_object_clear (&object);
    }
  return TRUE;
}

static gboolean
get_span (LcHistory *history, guint32 timeline, guint32 process, guint64 events, guint64 *begin, guint64 *end,
          GError **error)
{
  LcHistoryEvent event;

  if (!lc_history_get_event (history, timeline, process, 0, &event, error))
    return FALSE;
  *begin = event.begin;
  if (!lc_history_get_event (history, timeline, process, events - 1, &event, error))
    return FALSE;
  *end = event.end;
  return TRUE;
}

/* Piece by piece, so that a process that holds something a million times takes no more room than others. */
static gboolean
add_held (LcHistory *history, guint32 timeline, guint32 process, const Objects *objects, GCancellable *cancellable,
          GError **error)
{
  guint64 events, begin, end, length;

  if (!lc_history_count_events (history, timeline, process, &events, error))
    return FALSE;
  if (events == 0)
    return TRUE;
  if (!get_span (history, timeline, process, events, &begin, &end, error))
    return FALSE;
  length = (end - begin) / (events / SPANS + 1) + 1;
  for (guint64 from = begin; from < end; from += length)
    {
      guint64 to = MIN (from + length, end);
      const LcWindow window = {timeline, LC_AXIS_TIME, from, to, &process, 1};
      g_autoptr (GArray) spans = NULL;

      if (!lc_history_list_holding (history, &window, G_MAXSIZE, cancellable, &spans, error))
        return FALSE;
      for (guint i = 0; i < spans->len; i++)
        {
          const LcHoldingSpan *span = &g_array_index (spans, LcHoldingSpan, i);
          guint64 first = MAX (span->begin, from), last = MIN (span->end, to);

          if (last > first && span->object < objects->n_objects)
            objects->objects[span->object].held += last - first;
        }
    }
  return TRUE;
}

/* --- All of it ---------------------------------------------------------------------------------------------- */

static int
compare_objects (gconstpointer a, gconstpointer b)
{
  const LcObjectStatistics *of_a = a, *of_b = b;

  if (of_a->waited != of_b->waited)
    return of_a->waited > of_b->waited ? -1 : 1;
  return of_a->object < of_b->object ? -1 : of_a->object > of_b->object;
}

static GArray *
list_objects (const Objects *objects)
{
  GArray *result = g_array_new (FALSE, FALSE, sizeof (LcObjectStatistics));

  for (guint32 i = 0; i < objects->n_objects; i++)
    if (objects->objects[i].events > 0)
      {
        objects->objects[i].object = i;
        g_array_append_val (result, objects->objects[i]);
      }
  g_array_sort (result, compare_objects);
  return result;
}

GArray *
lc_statistics_objects (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  guint32 n = lc_history_get_n_objects (history);
  g_autofree LcObjectStatistics *all = g_new0 (LcObjectStatistics, MAX (n, 1));
  Objects objects = {all, n};

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!lc_history_visit (history, timeline, i, 0, G_MAXUINT64, add_event, &objects, cancellable, error))
      return NULL;
  if (timeline == LC_TIMELINE_MEASURED)
    return look_up_held (history, &objects, error) ? list_objects (&objects) : NULL;
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!add_held (history, timeline, i, &objects, cancellable, error))
      return NULL;
  return list_objects (&objects);
}
