/* SPDX-License-Identifier: Apache-2.0 */
/* Filtering by operation: all operations that were carried out, grouped by class. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/filters/filter-entry.h"
#include "lightcone/statistics.h"

static int
compare_classes (gconstpointer a, gconstpointer b)
{
  const LcFilterEntry *const *first = a, *const *second = b;
  int order = g_strcmp0 ((*first)->detail, (*second)->detail);

  return order != 0 ? order : strcmp ((*first)->key, (*second)->key);
}

static GPtrArray *
add_headings (GPtrArray *operations)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify)lc_filter_entry_free);
  LcFilterEntry *heading = NULL;
  guint32 group = 0;

  for (guint i = 0; i < operations->len; i++)
    {
      LcFilterEntry *entry = g_ptr_array_index (operations, i);

      if (heading == NULL || g_strcmp0 (heading->name, entry->detail) != 0)
        {
          heading = lc_filter_entry_new (LC_TRACE_NONE, entry->detail, NULL);
          heading->heading = TRUE;
          heading->group = ++group;
          g_ptr_array_add (entries, heading);
        }
      entry->group = group;
      heading->time += entry->time;
      heading->events += entry->events;
      g_ptr_array_add (entries, entry);
    }
  return entries;
}

static GPtrArray *
filter_operations_collect (LcShown *shown, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  LcHistory *history = shown->opened->history;
  g_autoptr (GArray) statistics = lc_statistics_operations (history, shown->timeline, cancellable, error);
  g_autoptr (GPtrArray) operations = NULL;

  if (statistics == NULL)
    return NULL;
  operations = g_ptr_array_new ();
  for (guint i = 0; i < statistics->len; i++)
    {
      const LcOperationStatistics *one = &g_array_index (statistics, LcOperationStatistics, i);
      const LcHistoryOperation *operation = lc_history_get_operation (history, one->operation);
      LcFilterEntry *entry;

      if (operation == NULL)
        continue;
      entry = lc_filter_entry_new (one->operation, operation->name, operation->class_name);
      entry->time = one->time;
      entry->events = one->events;
      g_ptr_array_add (operations, entry);
    }
  g_ptr_array_sort (operations, compare_classes);
  return add_headings (operations);
}

static void
filter_operations_read_states (const LcShown *shown, const GPtrArray *entries, guint8 *states)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const LcFilterEntry *entry = g_ptr_array_index (entries, i);

      if (!entry->heading)
        states[i] = shown->selection.filters.operations == NULL || shown->selection.filters.operations[entry->id]
                        ? LC_FILTER_ON
                        : LC_FILTER_OFF;
    }
}

static void
filter_operations_write_states (LcShown *shown, const GPtrArray *entries, const guint8 *states)
{
  g_autofree gboolean *operations = g_new0 (gboolean, lc_history_get_n_operations (shown->opened->history));
  gboolean all = TRUE;

  for (guint i = 0; i < entries->len; i++)
    {
      const LcFilterEntry *entry = g_ptr_array_index (entries, i);

      if (entry->heading)
        continue;
      operations[entry->id] = states[i] == LC_FILTER_ON;
      all &= operations[entry->id];
    }
  if (!all)
    lc_shown_set_operations (shown, operations);
  else
    lc_shown_set_operations (shown, NULL);
}

const LcFilterKind lc_filter_operations = {
    .title = N_ ("Operations"),
    .nothing = N_ ("There are no events."),
    .tick = N_ ("Show %s"),
    .time_title = N_ ("Time"),
    .sort = LC_FILTER_SORT_NONE,
    .collect = filter_operations_collect,
    .read = filter_operations_read_states,
    .write = filter_operations_write_states,
};
