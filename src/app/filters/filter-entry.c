/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of the filter lists: operations, objects and marks, each with its events and its time. */
#include "app/filters/filter-entry.h"

#include <string.h>

#include "trace/quantities.h"

LcFilterEntry *
lc_filter_entry_new (guint32 id, const char *name, const char *detail)
{
  LcFilterEntry *entry = g_new0 (LcFilterEntry, 1);
  g_autofree char *both = NULL;

  entry->id = id;
  entry->process = LC_TRACE_NONE;
  entry->name = lc_format_text (name);
  entry->detail = detail != NULL ? lc_format_text (detail) : NULL;
  both = g_strjoin ("\n", entry->name, entry->detail, NULL);
  entry->folded = g_utf8_casefold (both, -1);
  entry->key = g_utf8_collate_key_for_filename (entry->name, -1);
  return entry;
}

void
lc_filter_entry_free (LcFilterEntry *entry)
{
  g_free (entry->name);
  g_free (entry->detail);
  g_free (entry->folded);
  g_free (entry->key);
  g_free (entry->search);
  g_free (entry);
}

/* --- Finding ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  const GPtrArray *entries;
  LcFilterSort sort;
} Order;

static int
filter_entry_descending (guint64 a, guint64 b)
{
  return a > b ? -1 : a < b;
}

static int
filter_entry_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  guint32 first_place = *(const guint32 *)a, second_place = *(const guint32 *)b;
  const LcFilterEntry *first = g_ptr_array_index (order->entries, first_place);
  const LcFilterEntry *second = g_ptr_array_index (order->entries, second_place);
  int result = 0;

  if (order->sort == LC_FILTER_SORT_DETAIL)
    result = g_strcmp0 (first->detail, second->detail);
  if (order->sort == LC_FILTER_SORT_EVENTS)
    result = filter_entry_descending (first->events, second->events);
  if (order->sort == LC_FILTER_SORT_TIME || (order->sort == LC_FILTER_SORT_DETAIL && result == 0))
    result = filter_entry_descending (first->time, second->time);
  if (result == 0 && order->sort != LC_FILTER_SORT_NONE)
    result = strcmp (first->key, second->key);
  return result != 0 ? result : first_place < second_place ? -1 : first_place > second_place;
}

GArray *
lc_filter_entries_find (const GPtrArray *entries, const char *folded, LcFilterSort sort)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint32));
  Order order = {entries, sort};

  for (guint32 i = 0; i < entries->len; i++)
    if (folded == NULL || strstr (((const LcFilterEntry *)g_ptr_array_index (entries, i))->folded, folded) != NULL)
      g_array_append_val (found, i);
  if (sort != LC_FILTER_SORT_NONE)
    g_array_sort_with_data (found, filter_entry_compare, &order);
  return found;
}
