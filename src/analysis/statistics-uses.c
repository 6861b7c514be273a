/* SPDX-License-Identifier: Apache-2.0 */
/* The use of each object by each process: events, waiting, holding. */
#include "lightcone/statistics.h"

#include "within.h"

/* Sums for one process at a time. */
typedef struct
{
  LcObjectUse *uses; /* by object */
  guint32 n_objects;
  GArray *touched; /* guint32: objects with a use */
  guint64 to;
  GArray *result;
} Uses;

static LcObjectUse *
statistics_uses_touch (const Uses *uses, guint32 object)
{
  LcObjectUse *use;

  if (object >= uses->n_objects)
    return NULL;
  use = &uses->uses[object];
  if (use->events == 0 && use->held == 0)
    g_array_append_val (uses->touched, object);
  return use;
}

static gboolean
statistics_uses_add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const Uses *uses = data;
  LcObjectUse *use;

  if (event->end >= uses->to)
    return FALSE;
  use = statistics_uses_touch (uses, event->object);
  if (use != NULL)
    {
      use->events++;
      use->waited += event->waited;
    }
  return TRUE;
}

static void
statistics_uses_add_held (guint32 object, guint64 held, gpointer data)
{
  LcObjectUse *use = statistics_uses_touch (data, object);

  if (use != NULL)
    use->held += held;
}

static void
statistics_uses_end_process (const Uses *uses, guint32 process)
{
  for (guint i = 0; i < uses->touched->len; i++)
    {
      guint32 object = g_array_index (uses->touched, guint32, i);
      LcObjectUse *use = &uses->uses[object];

      use->process = process;
      use->object = object;
      g_array_append_val (uses->result, *use);
      *use = (LcObjectUse){0};
    }
  g_array_set_size (uses->touched, 0);
}

static int
statistics_uses_compare_uses (gconstpointer a, gconstpointer b)
{
  const LcObjectUse *one = a, *other = b;

  if (one->object != other->object)
    return one->object < other->object ? -1 : 1;
  return (one->process > other->process) - (one->process < other->process);
}

GArray *
lc_statistics_object_uses (LcHistory *history, guint32 timeline, guint64 from, guint64 to, GCancellable *cancellable,
                           GError **error)
{
  guint32 n = lc_history_get_n_objects (history);
  g_autofree LcObjectUse *all = g_new0 (LcObjectUse, MAX (n, 1));
  g_autoptr (GArray) touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) result = g_array_new (FALSE, FALSE, sizeof (LcObjectUse));
  Uses uses = {all, n, touched, from < to ? to : G_MAXUINT64, result};

  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    {
      guint64 first = 0;

      if ((from < to && !lc_within_find_first (history, timeline, i, from, &first, error)) ||
          !lc_history_visit (history, timeline, i, first, G_MAXUINT64, statistics_uses_add_event, &uses, cancellable,
                             error) ||
          !lc_within_visit_held (history, timeline, i, from, to, statistics_uses_add_held, &uses, cancellable, error))
        return NULL;
      statistics_uses_end_process (&uses, i);
    }
  g_array_sort (result, statistics_uses_compare_uses);
  return g_steal_pointer (&result);
}
