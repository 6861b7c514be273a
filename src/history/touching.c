/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the blocks and events that touch a window, on either axis. */
#include "reader.h"

gboolean
lc_window_check (LcConnection *connection, const LcWindow *window, GError **error)
{
  LcHistory *history = lc_connection_get_history (connection);

  for (guint32 i = 0; window->processes != NULL && i < window->n_processes; i++)
    if (!lc_history_check_process (history, window->processes[i], error))
      return FALSE;
  return lc_connection_check_timeline (connection, window->timeline, error);
}

guint32
lc_window_n_processes (const LcHistory *history, const LcWindow *window)
{
  return window->processes != NULL ? window->n_processes : lc_history_get_n_processes (history);
}

guint32
lc_window_get_process (const LcWindow *window, guint32 i)
{
  return window->processes != NULL ? window->processes[i] : i;
}

/* --- Blocks ------------------------------------------------------------------------------------------------- */

static guint64
touching_first_of (const LcDirectoryEntry *entry, LcAxis axis)
{
  return axis == LC_AXIS_TIME ? entry->first_begin : entry->first_layer;
}

static guint64
last_of (const LcDirectoryEntry *entry, LcAxis axis)
{
  return axis == LC_AXIS_TIME ? entry->last_end : entry->last_layer;
}

/* Counts the entries that begin before a place. */
static guint
touching_count_before (const LcDirectory *directory, LcAxis axis, guint64 place)
{
  guint low = 0, high = directory->entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (touching_first_of (&g_array_index (directory->entries, LcDirectoryEntry, middle), axis) < place)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static guint64
events_of (const LcDirectory *directory, guint block)
{
  return MIN (directory->n_events - (guint64)block * LC_BLOCK_EVENTS, LC_BLOCK_EVENTS);
}

/* Adds a block at the edge of the window: all its events, or a share as if they were spread evenly. */
static void
add_edge (const LcDirectory *directory, const LcWindow *window, guint block, LcTouching *touching)
{
  const LcDirectoryEntry *entry = &g_array_index (directory->entries, LcDirectoryEntry, block);
  guint64 first = touching_first_of (entry, window->axis), last = last_of (entry, window->axis);
  guint64 events = events_of (directory, block), from = MAX (first, window->from), to = MIN (last, window->to);

  if (first >= window->from && last < window->to)
    touching->certain += events;
  if (last > first && to >= from)
    touching->likely += (double)events * (double)(to - from) / (double)(last - first);
  else
    touching->likely += (double)events;
}

static void
touching_estimate (const LcDirectory *directory, const LcWindow *window, LcTouching *touching)
{
  guint first = window->axis == LC_AXIS_TIME ? lc_directory_find_time (directory, window->from)
                                             : lc_directory_find_layer (directory, window->from);
  guint end = touching_count_before (directory, window->axis, window->to);
  guint64 inside;

  if (first >= end)
    return;
  touching->first_block = first;
  touching->n_blocks = end - first;
  inside = touching->n_blocks > 2 ? (guint64)(touching->n_blocks - 2) * LC_BLOCK_EVENTS : 0;
  touching->certain = inside;
  touching->likely = (double)inside;
  touching->possible = (guint64)(touching->n_blocks - 1) * LC_BLOCK_EVENTS + events_of (directory, end - 1);
  add_edge (directory, window, first, touching);
  if (touching->n_blocks > 1)
    add_edge (directory, window, end - 1, touching);
}

/* A window often has all of a process; then its directory need not be read. */
static gboolean
touching_is_whole (const LcHistoryProcess *process, const LcWindow *window, guint32 base)
{
  if (base != LC_TIMELINE_MEASURED)
    return FALSE;
  if (window->axis == LC_AXIS_LAYER)
    return window->from <= 1 && window->to > process->layers;
  return window->timeline == LC_TIMELINE_MEASURED && window->from <= process->begin && window->to > process->end;
}

gboolean
lc_connection_estimate (LcConnection *connection, const LcWindow *window, guint32 process, LcTouching *touching,
                        GError **error)
{
  const LcHistoryProcess *of = lc_history_get_process (lc_connection_get_history (connection), process);
  const LcDirectory *directory;
  guint32 base;

  *touching = (LcTouching){.process = process};
  if (window->from >= window->to)
    return TRUE;
  if (!lc_connection_get_base (connection, window->timeline, &base, error))
    return FALSE;
  if (base == LC_TIMELINE_MEASURED && of->events == 0)
    return TRUE;
  if (touching_is_whole (of, window, base))
    {
      touching->n_blocks = (guint)((of->events - 1) / LC_BLOCK_EVENTS + 1);
      touching->certain = touching->possible = of->events;
      touching->likely = (double)of->events;
      return TRUE;
    }
  directory = lc_connection_get_axis (connection, window->timeline, window->axis, process, error);
  if (directory == NULL)
    return FALSE;
  touching_estimate (directory, window, touching);
  return TRUE;
}

/* --- Events ------------------------------------------------------------------------------------------------- */

/* Counts the places, in rising order, that are before one. */
static guint32
count_places (const guint64 *places, guint32 n, guint64 place)
{
  guint32 low = 0, high = n;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (places[middle] < place)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
lc_block_find_touching (const LcBlock *block, const LcWindow *window, guint32 *first, guint32 *last)
{
  gboolean in_time = window->axis == LC_AXIS_TIME;

  *first = count_places (in_time ? block->end : block->layer, block->n_events, window->from);
  *last = count_places (in_time ? block->begin : block->layer, block->n_events, window->to);
  *last = MAX (*first, *last);
}
