/* SPDX-License-Identifier: Apache-2.0 */
/* Reads single events in any order, and visits the events of some operations, for analyses that do not visit all
 * events. */
#include "reader.h"
#include "states.h"

/* Blocks that a walk keeps decoded: some 20 MB. */
enum
{
  BLOCKS = 512,
};

typedef struct
{
  const LcBlock *block; /* held by the walk; NULL: none */
  guint64 used;         /* `clock` at the last use */
} Place;

struct _LcHistoryWalk
{
  LcHistory *history;
  LcConnection *connection;
  guint32 timeline;
  LcColumns columns;
  GCancellable *cancellable;
  Place *places; /* by process */
  guint n_held;
  guint64 clock;
  GArray *ends; /* LcHistoryArcEnd, of the last event */
};

LcHistoryWalk *
lc_history_walk_new (LcHistory *history, guint32 timeline, LcHistoryWalkDepth depth, GCancellable *cancellable,
                     GError **error)
{
  static const LcColumns columns[] = {
      LC_COLUMN_TIME,
      LC_EVENT_COLUMNS & ~(guint)LC_COLUMN_DETAIL,
      LC_EVENT_COLUMNS,
      LC_COLUMN_TIME | LC_COLUMN_IDENTITY | LC_COLUMN_STATE,
  }; /* by LcHistoryWalkDepth */
  LcConnection *connection = lc_history_take_connection (history, error);
  LcHistoryWalk *walk;

  if (connection == NULL)
    return NULL;
  walk = g_new0 (LcHistoryWalk, 1);
  walk->history = history;
  walk->connection = connection;
  walk->timeline = timeline;
  walk->columns = columns[depth];
  walk->cancellable = cancellable;
  walk->places = g_new0 (Place, MAX (history->processes->len, 1));
  walk->ends = g_array_new (FALSE, FALSE, sizeof (LcHistoryArcEnd));
  return walk;
}

static void
walk_let_go (LcHistoryWalk *walk, Place *place)
{
  if (place->block == NULL)
    return;
  lc_connection_release_block (walk->connection, place->block);
  place->block = NULL;
  walk->n_held--;
}

void
lc_history_walk_free (LcHistoryWalk *walk)
{
  if (walk == NULL)
    return;
  for (guint i = 0; i < walk->history->processes->len; i++)
    walk_let_go (walk, &walk->places[i]);
  lc_connection_trim_blocks (walk->connection);
  lc_connection_give (walk->connection);
  g_array_unref (walk->ends);
  g_free (walk->places);
  g_free (walk);
}

/* If too many blocks are held, lets go of that of the process that was unused longest. */
static void
walk_make_room (LcHistoryWalk *walk)
{
  Place *oldest = NULL;

  if (walk->n_held < BLOCKS)
    return;
  for (guint i = 0; i < walk->history->processes->len; i++)
    {
      Place *place = &walk->places[i];

      if (place->block != NULL && (oldest == NULL || place->used < oldest->used))
        oldest = place;
    }
  walk_let_go (walk, oldest);
}

static gboolean
walk_load (LcHistoryWalk *walk, guint32 process, guint64 ordinal, GError **error)
{
  Place *place = &walk->places[process];

  if (g_cancellable_set_error_if_cancelled (walk->cancellable, error))
    return FALSE;
  walk_let_go (walk, place);
  walk_make_room (walk);
  place->block = lc_connection_get_block (walk->connection, walk->timeline, process, ordinal / LC_BLOCK_EVENTS,
                                          walk->columns, error);
  if (place->block == NULL)
    return FALSE;
  lc_connection_hold_block (walk->connection, place->block);
  walk->n_held++;
  return TRUE;
}

/* Returns the block of an event, and the event's place in it. */
static const LcBlock *
walk_find (LcHistoryWalk *walk, guint32 process, guint64 ordinal, guint32 *i, GError **error)
{
  Place *place;

  if (!lc_history_check_process (walk->history, process, error))
    return NULL;
  place = &walk->places[process];
  if ((place->block == NULL || ordinal - place->block->first_ordinal >= place->block->n_events) &&
      (!lc_connection_check_event (walk->connection, walk->timeline, process, ordinal, error) ||
       !walk_load (walk, process, ordinal, error)))
    return NULL;
  place->used = ++walk->clock;
  *i = (guint32)(ordinal - place->block->first_ordinal);
  return place->block;
}

/* Clears the fields that were not decoded: the block's memory has them from another block. */
static void
forget_detail (LcHistoryEvent *event)
{
  event->value = 0;
  event->bytes = 0;
  event->peer = LC_TRACE_NONE;
  event->cpu = LC_CPU_UNKNOWN;
  event->flags &= (guint16) ~(LC_TRACE_EVENT_VALUE | LC_TRACE_EVENT_BYTES);
}

gboolean
lc_history_walk_get (LcHistoryWalk *walk, guint32 process, guint64 ordinal, LcHistoryEvent *event,
                     const LcHistoryArcEnd **arcs, GError **error)
{
  guint32 i;
  const LcBlock *block = walk_find (walk, process, ordinal, &i, error);

  if (block == NULL)
    return FALSE;
  if (!(walk->columns & LC_COLUMN_ARCS))
    {
      *event = (LcHistoryEvent){.process = process,
                                .ordinal = ordinal,
                                .begin = block->begin[i],
                                .end = block->end[i],
                                .waited = block->waited[i],
                                .woken = block->woken[i],
                                .stack = LC_TRACE_NONE,
                                .origin_process = process,
                                .origin_ordinal = ordinal};
      return TRUE;
    }
  lc_block_get_event (block, i, event);
  if (!(walk->columns & LC_COLUMN_DETAIL))
    forget_detail (event);
  if (arcs == NULL)
    return TRUE;
  g_array_set_size (walk->ends, 0);
  lc_block_append_arc_ends (block, i, 1, walk->ends);
  *arcs = (const LcHistoryArcEnd *)(const void *)walk->ends->data;
  return TRUE;
}

gboolean
lc_history_walk_find_pause (LcHistoryWalk *walk, guint32 process, guint64 ordinal, guint64 from, guint64 *begin,
                            guint64 *end, GError **error)
{
  guint32 i;
  const LcBlock *block = walk_find (walk, process, ordinal, &i, error);
  LcStates states;
  LcStateSpan span;

  g_return_val_if_fail (walk->columns & LC_COLUMN_STATE, FALSE);
  *begin = *end = 0;
  if (block == NULL)
    return FALSE;
  lc_states_begin (&states, block, i, lc_states_is_outside (block, i), from, lc_states_find_absence (block, i));
  while (lc_states_next (&states, &span))
    {
      if (span.end <= from)
        continue;
      if (span.state == LC_IS_RUNNING && *begin < *end)
        break;
      if (span.state == LC_IS_RUNNING)
        continue;
      if (*begin == *end)
        *begin = MAX (span.begin, from);
      *end = span.end;
    }
  return TRUE;
}

gboolean
lc_history_walk_sum_before (LcHistoryWalk *walk, guint32 process, guint64 ordinal, guint64 from, guint64 to,
                            guint64 *times, GError **error)
{
  guint32 i;
  const LcBlock *block = walk_find (walk, process, ordinal, &i, error);
  LcStates states;
  LcStateSpan span;

  g_return_val_if_fail (walk->columns & LC_COLUMN_STATE, FALSE);
  if (block == NULL)
    return FALSE;
  lc_states_begin (&states, block, i, lc_states_is_outside (block, i), from, lc_states_find_absence (block, i));
  while (lc_states_next (&states, &span) && !span.inside && span.begin < to)
    times[span.state] += MIN (span.end, to) - span.begin;
  return TRUE;
}

gboolean
lc_history_walk_get_time (LcHistoryWalk *walk, guint32 process, guint64 ordinal, LcPoint point, guint64 *time,
                          GError **error)
{
  guint32 i;
  const LcBlock *block = walk_find (walk, process, ordinal, &i, error);

  if (block == NULL)
    return FALSE;
  *time = point == LC_POINT_BEGIN ? block->begin[i] : block->end[i];
  return TRUE;
}

/* --- Some operations ----------------------------------------------------------------------------------------- */

typedef struct
{
  LcConnection *connection;
  guint32 timeline;
  guint32 process;
  const gboolean *operations;
  LcHistoryVisit visit;
  gpointer data;
  gboolean ended; /* the visitor has returned FALSE */
} Choice;

static gboolean
has_any (const Choice *choice, const LcBlock *block)
{
  for (guint32 i = 0; i < block->n_events; i++)
    if (choice->operations[block->operation[i]])
      return TRUE;
  return FALSE;
}

static void
visit_chosen (Choice *choice, const LcBlock *block)
{
  for (guint32 i = 0; i < block->n_events && !choice->ended; i++)
    {
      guint16 flags = block->flags[i];
      const LcHistoryEvent event = {.process = block->process,
                                    .ordinal = block->first_ordinal + i,
                                    .begin = block->begin[i],
                                    .end = block->end[i],
                                    .waited = block->waited[i],
                                    .woken = block->woken[i],
                                    .sequence = flags & LC_TRACE_EVENT_SEQUENCE ? block->sequence[i] : 0,
                                    .object = block->object[i],
                                    .peer = LC_TRACE_NONE,
                                    .stack = block->stack[i],
                                    .operation = block->operation[i],
                                    .cpu = LC_CPU_UNKNOWN,
                                    .flags = flags & (guint16) ~(LC_TRACE_EVENT_VALUE | LC_TRACE_EVENT_BYTES),
                                    .basis = -1,
                                    .origin_process = block->process,
                                    .origin_ordinal = block->first_ordinal + i};

      if (choice->operations[event.operation])
        choice->ended = !choice->visit (&event, NULL, choice->data);
    }
}

/* Times and places are decoded only in blocks that have a wanted operation. */
static gboolean
walk_visit_block (Choice *choice, guint64 number, GError **error)
{
  const LcBlock *block = lc_connection_get_block (choice->connection, choice->timeline, choice->process, number,
                                                  LC_COLUMN_IDENTITY, error);

  if (block == NULL)
    return FALSE;
  if (!has_any (choice, block))
    return TRUE;
  block = lc_connection_get_block (choice->connection, choice->timeline, choice->process, number,
                                   LC_COLUMN_IDENTITY | LC_COLUMN_TIME | LC_COLUMN_PLACE, error);
  if (block == NULL)
    return FALSE;
  lc_connection_hold_block (choice->connection, block);
  visit_chosen (choice, block);
  lc_connection_release_block (choice->connection, block);
  return TRUE;
}

gboolean
lc_history_visit_operations (LcHistory *history, guint32 timeline, guint32 process, const gboolean *operations,
                             LcHistoryVisit visit, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  Choice choice = {connection, timeline, process, operations, visit, data, FALSE};
  guint64 events = 0;
  gboolean good = connection != NULL && lc_connection_count_events (connection, timeline, process, &events, error);

  for (guint64 number = 0; good && !choice.ended && number * LC_BLOCK_EVENTS < events; number++)
    good = !g_cancellable_set_error_if_cancelled (cancellable, error) && walk_visit_block (&choice, number, error);
  return good;
}
