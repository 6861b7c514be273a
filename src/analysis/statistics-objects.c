/* SPDX-License-Identifier: Apache-2.0 */
/* The time that processes waited for each object, and held it. */
#include "lightcone/statistics.h"

#include "within.h"

typedef struct
{
  LcObjectStatistics *objects;
  guint32 n_objects;
} Objects;

static gboolean
statistics_objects_add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
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

/* The history stores the holding times of the measured timeline. */
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

static void
statistics_objects_add_held (guint32 object, guint64 held, gpointer data)
{
  const Objects *objects = data;

  if (object < objects->n_objects)
    objects->objects[object].held += held;
}

/* --- All of it ---------------------------------------------------------------------------------------------- */

static int
statistics_objects_compare_objects (gconstpointer a, gconstpointer b)
{
  const LcObjectStatistics *of_a = a, *of_b = b;

  if (of_a->waited != of_b->waited)
    return of_a->waited > of_b->waited ? -1 : 1;
  return of_a->object < of_b->object ? -1 : of_a->object > of_b->object;
}

static GArray *
statistics_objects_list_objects (const Objects *objects)
{
  GArray *result = g_array_new (FALSE, FALSE, sizeof (LcObjectStatistics));

  for (guint32 i = 0; i < objects->n_objects; i++)
    if (objects->objects[i].events > 0)
      {
        objects->objects[i].object = i;
        g_array_append_val (result, objects->objects[i]);
      }
  g_array_sort (result, statistics_objects_compare_objects);
  return result;
}

GArray *
lc_statistics_objects (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error)
{
  guint32 n = lc_history_get_n_objects (history);
  g_autofree LcObjectStatistics *all = g_new0 (LcObjectStatistics, MAX (n, 1));
  Objects objects = {all, n};

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!lc_history_visit (history, timeline, i, 0, G_MAXUINT64, statistics_objects_add_event, &objects, cancellable,
                           error))
      return NULL;
  if (timeline == LC_TIMELINE_MEASURED)
    return look_up_held (history, &objects, error) ? statistics_objects_list_objects (&objects) : NULL;
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!lc_within_visit_held (history, timeline, i, 0, 0, statistics_objects_add_held, &objects, cancellable, error))
      return NULL;
  return statistics_objects_list_objects (&objects);
}
