/* SPDX-License-Identifier: Apache-2.0 */
/* The time that processes waited for each object, and held it. */
#include "lightcone/statistics.h"

#include "region-waits.h"
#include "within.h"

typedef struct
{
  LcObjectStatistics *objects;
  guint32 n_objects;
  LcRegionWaits *region_waits;
  GError *error;
} Objects;

/* Counts a wait, or the part of it that was for the object. */
static void
statistics_objects_add_wait (const Objects *objects, const LcHistoryEvent *event, guint32 number, guint64 waited)
{
  LcObjectStatistics *object = number < objects->n_objects ? &objects->objects[number] : NULL;

  if (object == NULL || waited == 0)
    return;
  object->waits++;
  object->waited += waited;
  if (waited > object->longest)
    {
      object->longest = waited;
      object->longest_process = event->process;
      object->longest_ordinal = event->ordinal;
    }
}

static gboolean
statistics_objects_add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Objects *objects = data;
  const GArray *parts;

  (void)arcs;
  if (event->object >= objects->n_objects)
    return TRUE;
  objects->objects[event->object].events++;
  if (!lc_region_waits_find (objects->region_waits, event, &parts, &objects->error))
    return FALSE;
  for (guint i = 0; i < parts->len; i++)
    {
      const LcRegionWait *part = &g_array_index (parts, LcRegionWait, i);

      statistics_objects_add_wait (objects, event, part->object, part->waited);
    }
  statistics_objects_add_wait (objects, event, event->object, lc_region_waits_rest (event, parts));
  return TRUE;
}

static gboolean
statistics_objects_add_process (Objects *objects, LcHistory *history, guint32 timeline, guint32 process,
                                GCancellable *cancellable, GError **error)
{
  gboolean good = lc_history_visit (history, timeline, process, 0, G_MAXUINT64, statistics_objects_add_event, objects,
                                    cancellable, error);

  if (objects->error == NULL)
    return good;
  g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&objects->error));
  return FALSE;
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
  g_autoptr (LcRegionWaits) region_waits = lc_region_waits_new (history, timeline, cancellable);
  Objects objects = {all, n, region_waits, NULL};

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!statistics_objects_add_process (&objects, history, timeline, i, cancellable, error))
      return NULL;
  if (timeline == LC_TIMELINE_MEASURED)
    return look_up_held (history, &objects, error) ? statistics_objects_list_objects (&objects) : NULL;
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (!lc_within_visit_held (history, timeline, i, 0, 0, statistics_objects_add_held, &objects, cancellable, error))
      return NULL;
  return statistics_objects_list_objects (&objects);
}
