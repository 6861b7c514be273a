/* SPDX-License-Identifier: Apache-2.0 */
/* Finds single events by ordinal, time or layer, and visits all events of a process in order. */
#include "reader.h"

gboolean
lc_connection_get_event (LcConnection *connection, guint32 timeline, guint32 process, guint64 ordinal,
                         LcHistoryEvent *event, GError **error)
{
  const LcBlock *block =
      lc_connection_get_block (connection, timeline, process, ordinal / LC_BLOCK_EVENTS, LC_EVENT_COLUMNS, error);

  if (block == NULL)
    return FALSE;
  lc_block_get_event (block, (guint32)(ordinal % LC_BLOCK_EVENTS), event);
  return TRUE;
}

static void
set_unknown (const LcHistory *history, guint32 process, guint64 ordinal, GError **error)
{
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, "%s: process %u has no event %" G_GUINT64_FORMAT,
               history->path, process, ordinal);
}

gboolean
lc_connection_check_event (LcConnection *connection, guint32 timeline, guint32 process, guint64 ordinal, GError **error)
{
  guint64 events;

  if (!lc_connection_count_events (connection, timeline, process, &events, error))
    return FALSE;
  if (ordinal >= events)
    set_unknown (lc_connection_get_history (connection), process, ordinal, error);
  return ordinal < events;
}

gboolean
lc_history_get_event (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal, LcHistoryEvent *event,
                      GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);

  return connection != NULL && lc_connection_check_event (connection, timeline, process, ordinal, error) &&
         lc_connection_get_event (connection, timeline, process, ordinal, event, error);
}

gboolean
lc_history_count_events (LcHistory *history, guint32 timeline, guint32 process, guint64 *events, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);

  return connection != NULL && lc_connection_count_events (connection, timeline, process, events, error);
}

gboolean
lc_history_get_process_span (LcHistory *history, guint32 timeline, guint32 process, guint64 *begin, guint64 *end,
                             GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  LcPyramidShape shape = {0};
  gboolean good = connection != NULL && lc_connection_check_timeline (connection, timeline, error) &&
                  lc_connection_get_shape (connection, timeline, process, &shape, error);

  *begin = shape.begin;
  *end = shape.end;
  return good;
}

gboolean
lc_history_get_process_spans (LcHistory *history, guint32 timeline, guint64 *begins, guint64 *ends, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  gboolean good = connection != NULL && lc_connection_check_timeline (connection, timeline, error);

  for (guint32 process = 0; good && process < lc_history_get_n_processes (history); process++)
    {
      LcPyramidShape shape = {0};

      good = lc_connection_get_shape (connection, timeline, process, &shape, error);
      begins[process] = shape.begin;
      ends[process] = shape.end;
    }
  return good;
}

/* --- By place ----------------------------------------------------------------------------------------------- */

static guint64
events_first_of (const LcDirectoryEntry *entry, LcAxis axis)
{
  return axis == LC_AXIS_TIME ? entry->first_begin : entry->first_layer;
}

/* Finds the last block that does not begin after `place`, or the first block. */
static guint
find_block (const LcDirectory *directory, LcAxis axis, guint64 place)
{
  guint low = 0, high = directory->entries->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (events_first_of (&g_array_index (directory->entries, LcDirectoryEntry, middle), axis) <= place)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* Finds the last event of a block that does not begin after `place`, or the first event. */
static guint32
find_in_block (const LcBlock *block, LcAxis axis, guint64 place)
{
  const guint64 *places = axis == LC_AXIS_TIME ? block->begin : block->layer;
  guint32 low = 0, high = block->n_events;

  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;

      if (places[middle] <= place)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static gboolean
events_find_event (LcConnection *connection, guint32 timeline, LcAxis axis, guint32 process, guint64 place,
                   LcHistoryEvent *event, GError **error)
{
  const LcDirectory *directory = lc_connection_get_axis (connection, timeline, axis, process, error);
  const LcBlock *block;

  if (directory == NULL)
    return FALSE;
  if (directory->n_events == 0)
    {
      set_unknown (lc_connection_get_history (connection), process, 0, error);
      return FALSE;
    }
  block = lc_connection_get_block (connection, timeline, process, find_block (directory, axis, place), LC_EVENT_COLUMNS,
                                   error);
  if (block == NULL)
    return FALSE;
  lc_block_get_event (block, find_in_block (block, axis, place), event);
  return TRUE;
}

static gboolean
find_event_of (LcHistory *history, guint32 timeline, LcAxis axis, guint32 process, guint64 place, LcHistoryEvent *event,
               GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);

  return connection != NULL && events_find_event (connection, timeline, axis, process, place, event, error);
}

gboolean
lc_history_find_event_at (LcHistory *history, guint32 timeline, guint32 process, guint64 time, LcHistoryEvent *event,
                          GError **error)
{
  return find_event_of (history, timeline, LC_AXIS_TIME, process, time, event, error);
}

gboolean
lc_history_find_event_at_layer (LcHistory *history, guint32 timeline, guint32 process, guint64 layer,
                                LcHistoryEvent *event, GError **error)
{
  return find_event_of (history, timeline, LC_AXIS_LAYER, process, layer, event, error);
}

/* --- All, in order ------------------------------------------------------------------------------------------ */

void
lc_block_append_arc_ends (const LcBlock *block, guint32 first, guint32 n_events, GArray *ends)
{
  const LcBlockArc *arcs = (const LcBlockArc *)(const void *)block->arcs->data;

  for (guint32 i = block->first_arc[first]; i < block->first_arc[first + n_events]; i++)
    {
      const LcHistoryArcEnd end = {arcs[i].process, (LcPoint)arcs[i].point, arcs[i].ordinal, arcs[i].rule};

      g_array_append_val (ends, end);
    }
}

typedef struct
{
  LcConnection *connection;
  guint32 timeline;
  guint32 process;
  LcColumns columns; /* LC_COLUMN_ARCS: only events that arcs end at are visited, and only named */
  LcHistoryVisit visit;
  gpointer data;
  GCancellable *cancellable;
  GArray *ends;
  gboolean ended; /* the visitor has returned FALSE */
} Walk;

/* Visits events `first` to `last` - 1 of a block, perhaps backwards. */
static void
visit_events (Walk *walk, const LcBlock *block, guint32 first, guint32 last, gboolean backwards)
{
  const LcHistoryArcEnd *ends = (const LcHistoryArcEnd *)(const void *)walk->ends->data;
  LcHistoryEvent event;

  for (guint32 k = first; k < last && !walk->ended; k++)
    {
      guint32 i = backwards ? first + last - 1 - k : k;

      lc_block_get_event (block, i, &event);
      walk->ended = !walk->visit (&event, ends + block->first_arc[i], walk->data);
    }
}

/* Names those events that arcs end at. */
static void
visit_arcs (Walk *walk, const LcBlock *block, guint32 first, guint32 last, gboolean backwards)
{
  const LcHistoryArcEnd *ends = (const LcHistoryArcEnd *)(const void *)walk->ends->data;

  for (guint32 k = first; k < last && !walk->ended; k++)
    {
      guint32 i = backwards ? first + last - 1 - k : k;
      const LcHistoryEvent event = {.process = block->process,
                                    .ordinal = block->first_ordinal + i,
                                    .n_arcs = block->first_arc[i + 1] - block->first_arc[i]};

      if (event.n_arcs > 0)
        walk->ended = !walk->visit (&event, ends + block->first_arc[i], walk->data);
    }
}

/* The block is held during the visit: the visitor may read other blocks through this connection. */
static gboolean
events_visit_block (Walk *walk, guint64 number, guint32 first, guint32 last, gboolean backwards, GError **error)
{
  const LcBlock *block;

  if (g_cancellable_set_error_if_cancelled (walk->cancellable, error))
    return FALSE;
  block = lc_connection_get_block (walk->connection, walk->timeline, walk->process, number, walk->columns, error);
  if (block == NULL)
    return FALSE;
  lc_connection_hold_block (walk->connection, block);
  g_array_set_size (walk->ends, 0);
  lc_block_append_arc_ends (block, 0, block->n_events, walk->ends);
  (walk->columns == LC_COLUMN_ARCS ? visit_arcs : visit_events) (walk, block, first, last, backwards);
  lc_connection_release_block (walk->connection, block);
  return TRUE;
}

static gboolean
walk_blocks (Walk *walk, guint64 low, guint64 high, gboolean backwards, GError **error)
{
  guint64 lowest = low / LC_BLOCK_EVENTS, n_blocks;

  if (low >= high)
    return TRUE;
  n_blocks = (high - 1) / LC_BLOCK_EVENTS - lowest + 1;
  for (guint64 k = 0; k < n_blocks && !walk->ended; k++)
    {
      guint64 number = backwards ? lowest + n_blocks - 1 - k : lowest + k, begin = number * LC_BLOCK_EVENTS;
      guint64 from = MAX (low, begin) - begin, to = MIN (high, begin + LC_BLOCK_EVENTS) - begin;

      if (!events_visit_block (walk, number, (guint32)from, (guint32)to, backwards, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
events_visit (Walk *walk, LcHistory *history, guint64 first, guint64 last, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  gboolean good, backwards = first > last;
  guint64 events;

  if (connection == NULL)
    return FALSE;
  walk->connection = connection;
  walk->ends = g_array_sized_new (FALSE, FALSE, sizeof (LcHistoryArcEnd), LC_BLOCK_EVENTS); /* never NULL */
  good = lc_connection_count_events (connection, walk->timeline, walk->process, &events, error) &&
         walk_blocks (walk, MIN (MIN (first, last), events), MIN (MAX (first, last), events), backwards, error);
  g_array_unref (walk->ends);
  return good;
}

gboolean
lc_history_visit (LcHistory *history, guint32 timeline, guint32 process, guint64 first, guint64 last,
                  LcHistoryVisit visit, gpointer data, GCancellable *cancellable, GError **error)
{
  Walk walk = {NULL, timeline, process, LC_EVENT_COLUMNS, visit, data, cancellable, NULL, FALSE};

  return events_visit (&walk, history, first, last, error);
}

gboolean
lc_history_visit_arcs (LcHistory *history, guint32 timeline, guint32 process, guint64 first, guint64 last,
                       LcHistoryVisit visit, gpointer data, GCancellable *cancellable, GError **error)
{
  Walk walk = {NULL, timeline, process, LC_COLUMN_ARCS, visit, data, cancellable, NULL, FALSE};

  return events_visit (&walk, history, first, last, error);
}
