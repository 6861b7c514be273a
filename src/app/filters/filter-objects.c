/* SPDX-License-Identifier: Apache-2.0 */
/* Filtering by object: without a tick all events are shown, otherwise only those on ticked objects. */
#include <glib/gi18n.h>

#include "app/filters/filter-entry.h"
#include "lightcone/statistics.h"

static GPtrArray *
filter_objects_collect (LcShown *shown, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  LcHistory *history = shown->opened->history;
  g_autoptr (GArray) statistics = lc_statistics_objects (history, shown->timeline, cancellable, error);
  g_autoptr (GPtrArray) entries = NULL;

  if (statistics == NULL)
    return NULL;
  entries = g_ptr_array_new_with_free_func ((GDestroyNotify)lc_filter_entry_free);
  for (guint i = 0; i < statistics->len; i++)
    {
      const LcObjectStatistics *one = &g_array_index (statistics, LcObjectStatistics, i);
      LcHistoryObject object;
      LcFilterEntry *entry;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !lc_history_get_object (history, one->object, &object, error))
        return NULL;
      entry = lc_filter_entry_new (one->object, object.name, object.class_name);
      entry->time = one->waited;
      entry->events = one->events;
      g_ptr_array_add (entries, entry);
      lc_history_object_clear (&object);
      g_atomic_int_set (done, (gint)((guint64)i * 1000 / statistics->len));
    }
  return g_steal_pointer (&entries);
}

static void
filter_objects_read_states (const LcShown *shown, const GPtrArray *entries, guint8 *states)
{
  guint32 n = lc_history_get_n_objects (shown->opened->history);
  g_autofree gboolean *chosen = g_new0 (gboolean, MAX (n, 1));

  for (guint32 i = 0; i < shown->selection.filters.n_objects; i++)
    chosen[shown->selection.filters.objects[i]] = TRUE;
  for (guint i = 0; i < entries->len; i++)
    states[i] = chosen[((const LcFilterEntry *)g_ptr_array_index (entries, i))->id] ? LC_FILTER_ON : LC_FILTER_OFF;
}

static void
filter_objects_write_states (LcShown *shown, const GPtrArray *entries, const guint8 *states)
{
  g_autoptr (GArray) objects = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < entries->len; i++)
    if (states[i] == LC_FILTER_ON)
      g_array_append_val (objects, ((const LcFilterEntry *)g_ptr_array_index (entries, i))->id);
  lc_shown_set_objects (shown, objects->len > 0 ? (gconstpointer)objects->data : NULL, objects->len);
}

const LcFilterKind lc_filter_objects = {
    .title = N_ ("Objects"),
    .placeholder = N_ ("Find objects"),
    .explanation = N_ ("Tick objects to see only their events."),
    .nothing = N_ ("No event is on an object."),
    .tick = N_ ("Show %s"),
    .time_title = N_ ("Waited"),
    .sort = LC_FILTER_SORT_TIME,
    .collect = filter_objects_collect,
    .read = filter_objects_read_states,
    .write = filter_objects_write_states,
};
