/* SPDX-License-Identifier: Apache-2.0 */
/* Filtering by the program's own marks: its regions, each with its longest stretch, and the values of its tags. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/filters/filter-entry.h"

enum
{
  MOST_VALUES = 10000,
};

/* A region that the process is in at the moment. */
typedef struct
{
  guint32 object;
  guint64 begin;
  guint64 ordinal;
} Stretch;

typedef struct
{
  LcHistory *history;
  guint32 enter;
  guint32 leave;
  guint32 tag;
  GHashTable *regions; /* object -> LcFilterEntry */
  GHashTable *values;  /* gint64 -> LcFilterEntry */
  GArray *inside;      /* of Stretch: regions that the visited process is in */
  guint64 others;      /* tags whose values are beyond MOST_VALUES */
} Marks;

static guint32
filter_marks_find_operation (LcHistory *history, const char *name)
{
  for (guint32 i = 0; i < lc_history_get_n_operations (history); i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation != NULL && g_strcmp0 (operation->class_name, "mark") == 0 && strcmp (operation->name, name) == 0)
        return i;
    }
  return LC_TRACE_NONE;
}

static LcFilterEntry *
get_region (Marks *marks, guint32 object)
{
  LcFilterEntry *entry = g_hash_table_lookup (marks->regions, GUINT_TO_POINTER (object));
  LcHistoryObject found;

  if (entry != NULL)
    return entry;
  if (!lc_history_get_object (marks->history, object, &found, NULL))
    return NULL;
  entry = lc_filter_entry_new (object, found.name, _ ("region"));
  entry->search = g_strdup_printf ("region:\"%s\"", found.name);
  lc_history_object_clear (&found);
  g_hash_table_insert (marks->regions, GUINT_TO_POINTER (object), entry);
  return entry;
}

/* Regions that were entered later and never left end with the region. */
static void
end_region (Marks *marks, const LcHistoryEvent *event)
{
  for (guint i = marks->inside->len; i-- > 0;)
    {
      const Stretch *stretch = &g_array_index (marks->inside, Stretch, i);
      LcFilterEntry *entry;

      if (stretch->object != event->object)
        continue;
      entry = get_region (marks, event->object);
      if (entry != NULL && (entry->process == LC_TRACE_NONE || event->end - stretch->begin > entry->time))
        {
          entry->time = event->end - stretch->begin;
          entry->process = event->process;
          entry->first = stretch->ordinal;
          entry->last = event->ordinal;
        }
      g_array_set_size (marks->inside, i);
      return;
    }
}

static void
count_value (Marks *marks, const LcHistoryEvent *event)
{
  LcFilterEntry *entry = g_hash_table_lookup (marks->values, &event->value);
  g_autofree char *name = NULL;
  gint64 *key;

  if (entry == NULL && g_hash_table_size (marks->values) == MOST_VALUES)
    {
      marks->others++;
      return;
    }
  if (entry == NULL)
    {
      name = g_strdup_printf ("%" G_GINT64_FORMAT, event->value);
      entry = lc_filter_entry_new (LC_TRACE_NONE, name, _ ("tag"));
      entry->value = event->value;
      entry->search = g_strdup_printf ("tag:%" G_GINT64_FORMAT, event->value);
      entry->process = event->process;
      entry->first = entry->last = event->ordinal;
      key = g_new (gint64, 1);
      *key = event->value;
      g_hash_table_insert (marks->values, key, entry);
    }
  entry->events++;
}

static gboolean
filter_marks_visit (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Marks *marks = data;

  if (event->operation == marks->enter && event->object != LC_TRACE_NONE)
    {
      Stretch stretch = {.object = event->object, .begin = event->begin, .ordinal = event->ordinal};
      LcFilterEntry *entry = get_region (marks, event->object);

      g_array_append_val (marks->inside, stretch);
      if (entry != NULL)
        entry->events++;
    }
  else if (event->operation == marks->leave && event->object != LC_TRACE_NONE)
    end_region (marks, event);
  else if (event->operation == marks->tag && (event->flags & LC_TRACE_EVENT_VALUE) != 0)
    count_value (marks, event);
  return TRUE;
}

static gboolean
filter_marks_visit_all (Marks *marks, LcShown *shown, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  guint32 n = lc_history_get_n_processes (marks->history);

  for (guint32 process = 0; process < n; process++)
    {
      g_array_set_size (marks->inside, 0);
      if (!lc_history_visit (marks->history, shown->timeline, process, 0, G_MAXUINT64, filter_marks_visit, marks,
                             cancellable, error))
        return FALSE;
      g_atomic_int_set (done, (gint)((guint64)process * 1000 / n));
    }
  return TRUE;
}

static void
filter_marks_take_all (GHashTable *table, GPtrArray *entries)
{
  GHashTableIter iter;
  gpointer entry;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    g_ptr_array_add (entries, entry);
}

static GPtrArray *
filter_marks_collect (LcShown *shown, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  LcHistory *history = shown->opened->history;
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify)lc_filter_entry_free);
  Marks marks = {.history = history,
                 .enter = filter_marks_find_operation (history, "enter"),
                 .leave = filter_marks_find_operation (history, "leave"),
                 .tag = filter_marks_find_operation (history, "tag"),
                 .regions = g_hash_table_new (NULL, NULL),
                 .values = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
                 .inside = g_array_new (FALSE, FALSE, sizeof (Stretch))};
  gboolean good = filter_marks_visit_all (&marks, shown, done, cancellable, error);

  filter_marks_take_all (marks.regions, entries);
  filter_marks_take_all (marks.values, entries);
  if (marks.others > 0)
    {
      LcFilterEntry *entry = lc_filter_entry_new (LC_TRACE_NONE, _ ("other values"), _ ("tag"));

      entry->events = marks.others;
      entry->fixed = TRUE;
      g_ptr_array_add (entries, entry);
    }
  g_hash_table_unref (marks.regions);
  g_hash_table_unref (marks.values);
  g_array_unref (marks.inside);
  if (!good)
    g_clear_pointer (&entries, g_ptr_array_unref);
  return entries;
}

static gboolean
filter_marks_is_chosen (const LcInside *inside, const LcFilterEntry *entry)
{
  guint32 n_regions, n_tags;
  const guint32 *regions = lc_inside_get_regions (inside, &n_regions);
  const gint64 *tags = lc_inside_get_tags (inside, &n_tags);
  gboolean chosen = FALSE;

  for (guint32 i = 0; entry->id != LC_TRACE_NONE && i < n_regions && !chosen; i++)
    chosen = regions[i] == entry->id;
  for (guint32 i = 0; entry->id == LC_TRACE_NONE && i < n_tags && !chosen; i++)
    chosen = tags[i] == entry->value;
  return chosen;
}

static void
filter_marks_read_states (const LcShown *shown, const GPtrArray *entries, guint8 *states)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const LcFilterEntry *entry = g_ptr_array_index (entries, i);

      states[i] = shown->selection.filters.inside != NULL && !entry->fixed &&
                          filter_marks_is_chosen (shown->selection.filters.inside, entry)
                      ? LC_FILTER_ON
                      : LC_FILTER_OFF;
    }
}

static void
filter_marks_write_states (LcShown *shown, const GPtrArray *entries, const guint8 *states)
{
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) tags = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < entries->len; i++)
    {
      const LcFilterEntry *entry = g_ptr_array_index (entries, i);

      if (states[i] != LC_FILTER_ON || entry->fixed)
        continue;
      if (entry->id != LC_TRACE_NONE)
        g_array_append_val (regions, entry->id);
      else
        g_array_append_val (tags, entry->value);
    }
  lc_shown_set_inside (shown, (gconstpointer)regions->data, regions->len, (gconstpointer)tags->data, tags->len);
}

const LcFilterKind lc_filter_marks = {
    .title = N_ ("Marks"),
    .placeholder = N_ ("Find regions and tags"),
    .explanation =
        N_ ("Tick them to see only what is inside a region, or after a tag up to the next one. A region leads "
            "to its longest stretch, a tag to its next event."),
    .nothing = N_ ("The program has set no tags and entered no regions."),
    .tick = N_ ("Only inside %s"),
    .time_title = N_ ("Longest"),
    .sort = LC_FILTER_SORT_DETAIL,
    .collect = filter_marks_collect,
    .read = filter_marks_read_states,
    .write = filter_marks_write_states,
};
