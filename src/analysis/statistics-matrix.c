/* SPDX-License-Identifier: Apache-2.0 */
/* The traffic from each process to each other: one pass over all events, by the arcs that end at them. */
#include "lightcone/statistics.h"

#include <string.h>

#include "within.h"

enum
{
  TOGETHER = 1 << 20, /* events whose groups are known at once, about */
  CELLS = 1 << 16,    /* cells that are summed up at once */
};

/* A group, such as a barrier, and its last member to come. */
typedef struct
{
  guint32 object;
  guint32 operation;
  gint64 sequence;
  guint64 layer;
  guint64 begin;
  guint32 process;
} Group;

typedef struct
{
  LcHistory *history;
  LcHistoryWalk *events;
  guint32 timeline;
  gboolean *is_data;    /* by rule */
  gboolean *is_channel; /* by rule */
  gboolean *is_message; /* by operation */
  GHashTable *groups;   /* set of Group; NULL: stored arcs say who was last */
  guint64 from, to;     /* events that end in this span count */
  guint64 layer;        /* the present chunk has the events before this layer */
  guint64 next;         /* the event at which the visit of the chunk has stopped */
  LcMatrixCell *row;    /* cells of one receiver, by sender */
  GArray *touched;      /* guint32: senders with a cell */
  GArray *cells;        /* LcMatrixCell: the first `summed` have different pairs, the rest is in any order */
  guint summed;
  GError *error;
} Matrix;

/* --- Groups -------------------------------------------------------------------------------------------------- */

static guint
statistics_matrix_hash_group (gconstpointer key)
{
  const Group *group = key;
  guint64 hash = group->layer * 0x9E3779B97F4A7C15u ^ (guint64)group->sequence;

  hash = (hash ^ group->object) * 0x9E3779B97F4A7C15u;
  return (guint)(hash >> 32) ^ group->operation;
}

static gboolean
is_same_group (gconstpointer a, gconstpointer b)
{
  const Group *one = a, *other = b;

  return one->object == other->object && one->operation == other->operation && one->sequence == other->sequence &&
         one->layer == other->layer;
}

static Group
name_group (const LcHistoryEvent *event)
{
  return (Group){event->object, event->operation, event->sequence, event->layer, event->begin, event->process};
}

static gboolean
note_group (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Matrix *matrix = data;
  Group group = name_group (event);
  Group *known;

  if (event->layer >= matrix->layer)
    return FALSE;
  matrix->next = event->ordinal + 1;
  if (!(event->flags & LC_HISTORY_EVENT_GROUP))
    return TRUE;
  known = g_hash_table_lookup (matrix->groups, &group);
  if (known == NULL)
    g_hash_table_add (matrix->groups, g_memdup2 (&group, sizeof group));
  else if (group.begin > known->begin)
    {
      known->begin = group.begin;
      known->process = group.process;
    }
  return TRUE;
}

/* Returns the member that came last on this timeline. If that is the event's own process, there is no arc. */
static guint32
statistics_matrix_find_last (const Matrix *matrix, const LcHistoryEvent *event)
{
  const Group name = name_group (event);
  const Group *group = g_hash_table_lookup (matrix->groups, &name);

  return group != NULL ? group->process : event->process;
}

/* --- Cells --------------------------------------------------------------------------------------------------- */

static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const LcMatrixCell *one = a, *other = b;

  if (one->from_process != other->from_process)
    return one->from_process < other->from_process ? -1 : 1;
  return (one->to_process > other->to_process) - (one->to_process < other->to_process);
}

static void
statistics_matrix_sum_up (Matrix *matrix)
{
  guint n = 0;

  g_array_sort (matrix->cells, compare_cells);
  for (guint i = 0; i < matrix->cells->len; i++)
    {
      const LcMatrixCell cell = g_array_index (matrix->cells, LcMatrixCell, i);
      LcMatrixCell *last = n > 0 ? &g_array_index (matrix->cells, LcMatrixCell, n - 1) : NULL;

      if (last != NULL && compare_cells (last, &cell) == 0)
        {
          last->arcs += cell.arcs;
          last->bytes += cell.bytes;
          last->waited += cell.waited;
          last->messages += cell.messages;
        }
      else
        g_array_index (matrix->cells, LcMatrixCell, n++) = cell;
    }
  g_array_set_size (matrix->cells, n);
  matrix->summed = n;
}

static void
end_row (Matrix *matrix, guint32 to)
{
  for (guint i = 0; i < matrix->touched->len; i++)
    {
      guint32 from = g_array_index (matrix->touched, guint32, i);
      LcMatrixCell *cell = &matrix->row[from];

      cell->from_process = from;
      cell->to_process = to;
      g_array_append_val (matrix->cells, *cell);
      *cell = (LcMatrixCell){0};
    }
  g_array_set_size (matrix->touched, 0);
  if (matrix->cells->len > 2 * matrix->summed + CELLS)
    statistics_matrix_sum_up (matrix);
}

static LcMatrixCell *
statistics_matrix_add_arc (const Matrix *matrix, guint32 from)
{
  LcMatrixCell *cell = &matrix->row[from];

  if (cell->arcs++ == 0)
    g_array_append_val (matrix->touched, from);
  return cell;
}

/* --- Events -------------------------------------------------------------------------------------------------- */

/* The receiver of a single message knows best how many bytes it got; for an event that gathers several messages, each
 * sender's number is read. */
static gboolean
statistics_matrix_count_bytes (Matrix *matrix, const LcHistoryEvent *event, const LcHistoryArcEnd *arc, guint64 *bytes)
{
  LcHistoryEvent from;

  *bytes = 0;
  if (!matrix->is_message[event->operation] || event->flags & LC_HISTORY_EVENT_GROUP)
    return TRUE;
  if (event->n_arcs == 1 && event->flags & LC_TRACE_EVENT_BYTES)
    {
      *bytes = event->bytes;
      return TRUE;
    }
  if (!lc_history_walk_get (matrix->events, arc->process, arc->ordinal, &from, NULL, &matrix->error))
    return FALSE;
  if (from.flags & LC_TRACE_EVENT_BYTES)
    *bytes = from.bytes;
  return TRUE;
}

/* Finds the last arc from another process on this timeline; -1: there is none. */
static gboolean
statistics_matrix_find_basis (Matrix *matrix, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gint64 *basis)
{
  guint64 latest = 0;

  *basis = -1;
  for (guint32 i = 0; i < event->n_arcs; i++)
    {
      guint64 time;

      if (arcs[i].process == event->process)
        continue;
      if (!lc_history_walk_get_time (matrix->events, arcs[i].process, arcs[i].ordinal, arcs[i].point, &time,
                                     &matrix->error))
        return FALSE;
      if (*basis < 0 || time > latest)
        {
          *basis = i;
          latest = time;
        }
    }
  return TRUE;
}

static gboolean
statistics_matrix_add_arcs (Matrix *matrix, const LcHistoryEvent *event, const LcHistoryArcEnd *arcs)
{
  gint64 basis = event->basis;

  if (event->waited > 0 && matrix->groups != NULL && !statistics_matrix_find_basis (matrix, event, arcs, &basis))
    return FALSE;
  for (guint32 i = 0; i < event->n_arcs; i++)
    {
      LcMatrixCell *cell;
      guint64 bytes;

      if (arcs[i].process == event->process || !matrix->is_data[arcs[i].rule])
        continue;
      if (!statistics_matrix_count_bytes (matrix, event, &arcs[i], &bytes))
        return FALSE;
      cell = statistics_matrix_add_arc (matrix, arcs[i].process);
      cell->bytes += bytes;
      cell->messages += matrix->is_channel[arcs[i].rule] ? 1 : 0;
      if (basis == i)
        cell->waited += event->waited;
    }
  return TRUE;
}

static gboolean
statistics_matrix_add_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Matrix *matrix = data;
  guint32 last;

  if (event->layer >= matrix->layer)
    return FALSE;
  matrix->next = event->ordinal + 1;
  if (event->end < matrix->from)
    return TRUE;
  if (event->end >= matrix->to)
    {
      matrix->next = G_MAXUINT64;
      return FALSE;
    }
  if (matrix->groups == NULL || !(event->flags & LC_HISTORY_EVENT_GROUP))
    return statistics_matrix_add_arcs (matrix, event, arcs);
  last = statistics_matrix_find_last (matrix, event);
  if (last != event->process)
    statistics_matrix_add_arc (matrix, last)->waited += event->waited;
  return TRUE;
}

/* --- All of it ----------------------------------------------------------------------------------------------- */

/* The progress in a process; a place at or beyond `events` means that the process is done. */
typedef struct
{
  guint64 events;
  guint64 next;    /* the next event to count */
  guint64 to_note; /* the next event whose group is to be noted */
} Place;

static gboolean
statistics_matrix_find_places (Matrix *matrix, Place *places, guint32 n, guint64 *layer, GError **error)
{
  *layer = G_MAXUINT64;
  for (guint32 i = 0; i < n; i++)
    {
      LcHistoryEvent event;

      if (!lc_history_count_events (matrix->history, matrix->timeline, i, &places[i].events, error) ||
          !lc_within_find_first (matrix->history, matrix->timeline, i, matrix->from, &places[i].next, error))
        return FALSE;
      if (places[i].next >= places[i].events)
        continue;
      if (!lc_history_get_event (matrix->history, matrix->timeline, i, places[i].next, &event, error))
        return FALSE;
      *layer = MIN (*layer, event.layer);
    }
  for (guint32 i = 0; i < n && *layer < G_MAXUINT64; i++)
    {
      LcHistoryEvent event;

      if (places[i].events == 0)
        continue;
      if (!lc_history_find_event_at_layer (matrix->history, matrix->timeline, i, *layer, &event, error))
        return FALSE;
      places[i].to_note = event.ordinal;
    }
  return TRUE;
}

static gboolean
statistics_matrix_visit (Matrix *matrix, guint32 process, guint64 *place, guint64 events, LcHistoryVisit function,
                         GCancellable *cancellable, GError **error)
{
  if (*place >= events)
    return TRUE;
  matrix->next = *place;
  if (!lc_history_visit (matrix->history, matrix->timeline, process, *place, G_MAXUINT64, function, matrix, cancellable,
                         error))
    return FALSE;
  *place = matrix->next;
  return TRUE;
}

/* Counts all events before a layer. If groups have to be found, they are noted first. */
static gboolean
count_layers (Matrix *matrix, Place *places, guint32 n, gboolean *more, GCancellable *cancellable, GError **error)
{
  *more = FALSE;
  if (matrix->groups != NULL)
    {
      g_hash_table_remove_all (matrix->groups);
      for (guint32 i = 0; i < n; i++)
        if (!statistics_matrix_visit (matrix, i, &places[i].to_note, places[i].events, note_group, cancellable, error))
          return FALSE;
    }
  for (guint32 i = 0; i < n; i++)
    {
      if (!statistics_matrix_visit (matrix, i, &places[i].next, places[i].events, statistics_matrix_add_event,
                                    cancellable, error))
        return FALSE;
      if (matrix->error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&matrix->error));
          return FALSE;
        }
      end_row (matrix, i);
      *more |= places[i].next < places[i].events;
    }
  return TRUE;
}

/* Members of a group share a layer, so that only the groups of a few layers are in memory. */
static gboolean
statistics_matrix_count (Matrix *matrix, GCancellable *cancellable, GError **error)
{
  guint32 n = lc_history_get_n_processes (matrix->history);
  g_autofree Place *places = g_new0 (Place, MAX (n, 1));
  guint64 step = G_MAXUINT64, layer;
  gboolean more = TRUE;

  if (!statistics_matrix_find_places (matrix, places, n, &layer, error))
    return FALSE;
  if (matrix->groups != NULL)
    step = MAX (1, (guint64)((double)lc_history_get_n_layers (matrix->history) * TOGETHER /
                             (double)MAX (lc_history_get_n_events (matrix->history), 1)));
  while (more && layer < G_MAXUINT64)
    {
      layer = G_MAXUINT64 - layer > step ? layer + step : G_MAXUINT64;
      matrix->layer = layer;
      if (!count_layers (matrix, places, n, &more, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static void
statistics_matrix_learn (Matrix *matrix)
{
  guint32 n_rules = lc_history_get_n_rules (matrix->history);
  guint32 n_operations = lc_history_get_n_operations (matrix->history);

  matrix->is_data = g_new0 (gboolean, MAX (n_rules, 1));
  matrix->is_channel = g_new0 (gboolean, MAX (n_rules, 1));
  for (guint32 i = 0; i < n_rules; i++)
    {
      const LcHistoryRule *rule = lc_history_get_rule (matrix->history, i);

      matrix->is_data[i] = rule->kind == LC_ARC_DATA;
      matrix->is_channel[i] = g_strcmp0 (rule->class_name, "channel") == 0;
    }
  matrix->is_message = g_new0 (gboolean, MAX (n_operations, 1));
  for (guint32 i = 0; i < n_operations; i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (matrix->history, i);

      matrix->is_message[i] = operation != NULL && (g_strcmp0 (operation->class_name, "channel") == 0 ||
                                                    g_strcmp0 (operation->class_name, "collective") == 0);
    }
}

GArray *
lc_statistics_matrix (LcHistory *history, guint32 timeline, guint64 from, guint64 to, GCancellable *cancellable,
                      GError **error)
{
  g_autoptr (LcHistoryWalk) events = lc_history_walk_new (history, timeline, LC_WALK_ALL, cancellable, error);
  g_autofree LcMatrixCell *row = g_new0 (LcMatrixCell, MAX (lc_history_get_n_processes (history), 1));
  g_autoptr (GArray) touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (LcMatrixCell));
  Matrix matrix = {.history = history,
                   .events = events,
                   .timeline = timeline,
                   .from = from < to ? from : 0,
                   .to = from < to ? to : G_MAXUINT64,
                   .row = row,
                   .touched = touched,
                   .cells = cells};
  gboolean good;

  if (events == NULL)
    return NULL;
  statistics_matrix_learn (&matrix);
  if (timeline != LC_TIMELINE_MEASURED)
    matrix.groups = g_hash_table_new_full (statistics_matrix_hash_group, is_same_group, g_free, NULL);
  good = statistics_matrix_count (&matrix, cancellable, error);
  statistics_matrix_sum_up (&matrix);
  g_clear_pointer (&matrix.groups, g_hash_table_unref);
  g_free (matrix.is_data);
  g_free (matrix.is_channel);
  g_free (matrix.is_message);
  return good ? g_steal_pointer (&cells) : NULL;
}
