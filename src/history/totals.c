/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up a block at a time: a block has few operations, and most processes have few in all. */
#include "totals.h"

struct _LcTotals
{
  LcOperationTotal *present; /* by operation: totals of the present block */
  guint32 *seen;             /* operations of the present block */
  LcObjectTotal *objects;
  guint32 n_objects;
  GArray *explained;      /* LcExplained by process */
  GHashTable *operations; /* set of LcOperationTotal, by process and operation */
};

static guint
totals_hash (gconstpointer data)
{
  const LcOperationTotal *total = data;

  return total->process * 2654435761u + total->operation * 40503u;
}

static gboolean
totals_same (gconstpointer a, gconstpointer b)
{
  const LcOperationTotal *one = a, *other = b;

  return one->process == other->process && one->operation == other->operation;
}

LcTotals *
lc_totals_new (guint32 n_operations, guint32 n_objects)
{
  LcTotals *totals = g_new0 (LcTotals, 1);

  totals->present = g_new0 (LcOperationTotal, MAX (n_operations, 1));
  totals->seen = g_new (guint32, LC_BLOCK_EVENTS);
  totals->objects = g_new0 (LcObjectTotal, MAX (n_objects, 1));
  totals->n_objects = n_objects;
  totals->explained = g_array_new (FALSE, TRUE, sizeof (LcExplained));
  totals->operations = g_hash_table_new_full (totals_hash, totals_same, g_free, NULL);
  return totals;
}

void
lc_totals_free (LcTotals *totals)
{
  g_free (totals->present);
  g_free (totals->seen);
  g_free (totals->objects);
  g_array_unref (totals->explained);
  g_hash_table_unref (totals->operations);
  g_free (totals);
}

static void
add_present (LcTotals *totals, guint32 process, guint32 operation)
{
  LcOperationTotal *present = &totals->present[operation], *total;

  present->process = process;
  present->operation = operation;
  total = g_hash_table_lookup (totals->operations, present);
  if (total == NULL)
    g_hash_table_add (totals->operations, g_memdup2 (present, sizeof *present));
  else
    {
      total->events += present->events;
      total->time += present->time;
      total->waited += present->waited;
      total->longest = MAX (total->longest, present->longest);
    }
  *present = (LcOperationTotal){0};
}

static LcExplained *
totals_explained (LcTotals *totals, guint32 process)
{
  if (process >= totals->explained->len)
    g_array_set_size (totals->explained, process + 1);
  return &g_array_index (totals->explained, LcExplained, process);
}

void
lc_totals_add_block (LcTotals *totals, const LcBlock *block)
{
  LcExplained *explained = totals_explained (totals, block->process);
  guint n_seen = 0;

  for (guint32 i = 0; i < block->n_events; i++)
    {
      LcOperationTotal *total = &totals->present[block->operation[i]];
      guint64 time = block->end[i] - block->begin[i];

      if (total->events++ == 0)
        totals->seen[n_seen++] = block->operation[i];
      total->time += time;
      total->waited += block->waited[i];
      total->longest = MAX (total->longest, time);
      lc_explained_add (explained, time);
      if (block->object[i] >= totals->n_objects)
        continue;
      totals->objects[block->object[i]].events++;
      totals->objects[block->object[i]].waited += block->waited[i];
    }
  for (guint k = 0; k < n_seen; k++)
    add_present (totals, block->process, totals->seen[k]);
}

void
lc_totals_add_held (LcTotals *totals, guint32 object, guint64 time)
{
  if (object < totals->n_objects)
    totals->objects[object].held += time;
}

static int
totals_compare (gconstpointer a, gconstpointer b)
{
  const LcOperationTotal *one = a, *other = b;

  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return one->operation < other->operation ? -1 : one->operation > other->operation;
}

GArray *
lc_totals_list_operations (const LcTotals *totals)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LcOperationTotal));
  GHashTableIter iter;
  gpointer total;

  g_hash_table_iter_init (&iter, totals->operations);
  while (g_hash_table_iter_next (&iter, &total, NULL))
    g_array_append_vals (list, total, 1);
  g_array_sort (list, totals_compare);
  return list;
}

LcExplained
lc_totals_get_explained (const LcTotals *totals, guint32 process)
{
  return process < totals->explained->len ? g_array_index (totals->explained, LcExplained, process) : (LcExplained){0};
}

const LcObjectTotal *
lc_totals_get_object (const LcTotals *totals, guint32 object)
{
  return &totals->objects[object];
}
