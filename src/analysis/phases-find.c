/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns events to phases in one pass in the order of layers, so that all that an event came after is decided before
 * it. */
#include <string.h>

#include "phases-private.h"

/* Events of all processes held in memory, about, and of one process at least. */
enum
{
  EVENTS = 1 << 18,
  LEAST = 32,
};

/* Each event has a rank at three points: at its begin, at the event itself (its end), and after it. The last one
 * differs if the event begins a phase that begins after the event. Ranks never fall within a process. */
enum
{
  AT_BEGIN,
  AT_EVENT,
  AFTER,
  POINTS,
};

typedef struct
{
  guint64 point; /* ordinal * POINTS + one of the above */
  LcPhaseRank rank;
} Rise;

/* An event that may change its process's rank: it begins a phase, arcs end at it, or the previous event begins a phase
 * after itself. */
typedef struct
{
  guint64 ordinal;
  guint64 begin;
  guint64 layer;
  guint64 end_before; /* end of the previous event */
  guint64 layer_before;
  LcPhaseRank own;
  gint64 sequence;
  guint32 object;
  guint16 operation;
  gboolean group;
  guint n_arcs;
  guint first_arc; /* index in the process's arcs */
} Item;

typedef struct
{
  guint32 process;
  guint64 next;          /* ordinal to go on with after the items */
  GArray *items;         /* Item */
  GArray *arcs;          /* LcHistoryArcEnd */
  guint at;              /* index of the next item */
  gboolean behind_start; /* the last event read begins a phase after itself */
  guint64 count;
  guint64 end; /* end of the last event read */
  guint64 layer;
  LcPhaseRank rank; /* after the last decided item */
  GArray *rises;    /* Rise */
} Stream;

/* The members of a group in the present layer, and the highest rank at their begins. */
typedef struct
{
  guint32 object;
  guint16 operation;
  gint64 sequence;
  LcPhaseRank rank;
} Group;

typedef struct
{
  LcPhaseStart *start;
  guint32 timeline;
  GCancellable *cancellable;
  guint n_held; /* items of a process held at once */
  Stream *streams;
  Stream **heap; /* streams with items, the lowest layer first */
  guint32 n;
  GPtrArray *turn;    /* streams whose items are in the present layer */
  GHashTable *groups; /* Group */
  LcPhaseParts *parts;
} Pass;

/* --- Events of one process ------------------------------------------------------------------------------------- */

typedef struct
{
  Pass *pass;
  Stream *stream;
} Reading;

static gboolean
read_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  const Reading *reading = data;
  Stream *stream = reading->stream;
  LcPhaseRank own = lc_phase_start_get (reading->pass->start, event, &stream->count);
  gboolean group = (event->flags & LC_HISTORY_EVENT_GROUP) != 0;

  if (own != 0 || group || event->n_arcs > 0 || stream->behind_start || event->ordinal == 0)
    {
      const Item item = {.ordinal = event->ordinal,
                         .begin = event->begin,
                         .layer = event->layer,
                         .end_before = stream->end,
                         .layer_before = stream->layer,
                         .own = own,
                         .sequence = event->sequence,
                         .object = event->object,
                         .operation = event->operation,
                         .group = group,
                         .n_arcs = event->n_arcs,
                         .first_arc = stream->arcs->len};

      g_array_append_val (stream->items, item);
      g_array_append_vals (stream->arcs, arcs, event->n_arcs);
    }
  stream->behind_start = own != 0 && reading->pass->start->point == LC_POINT_END;
  stream->end = event->end;
  stream->layer = event->layer;
  stream->next = event->ordinal + 1;
  return stream->items->len < reading->pass->n_held;
}

/* Reads more items if there are none left, and the process has more events. */
static gboolean
phases_find_fill (Pass *pass, Stream *stream, GError **error)
{
  Reading reading = {pass, stream};

  if (stream->at < stream->items->len)
    return TRUE;
  stream->at = 0;
  g_array_set_size (stream->items, 0);
  g_array_set_size (stream->arcs, 0);
  return stream->next == pass->parts->events[stream->process] ||
         lc_history_visit (pass->start->history, pass->timeline, stream->process, stream->next, G_MAXUINT64, read_event,
                           &reading, pass->cancellable, error);
}

static const Item *
phases_find_get_item (const Stream *stream)
{
  return stream->at < stream->items->len ? &g_array_index (stream->items, Item, stream->at) : NULL;
}

/* --- Ranks ----------------------------------------------------------------------------------------------------- */

static void
phases_find_rise (Stream *stream, guint64 ordinal, guint point, LcPhaseRank rank)
{
  const Rise one = {ordinal * POINTS + point, rank};

  if (rank <= stream->rank)
    return;
  stream->rank = rank;
  g_array_append_val (stream->rises, one);
}

/* Returns the decided rank at a point. */
static LcPhaseRank
phases_find_rank_of (const Stream *stream, guint64 point)
{
  guint low = 0, high = stream->rises->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (stream->rises, Rise, middle).point <= point)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? g_array_index (stream->rises, Rise, low - 1).rank : 0;
}

/* At its begin an event is in its process's phase, or in the phase that it begins. */
static LcPhaseRank
rank_at_begin (const Pass *pass, const Stream *stream, const Item *item)
{
  return pass->start->point == LC_POINT_BEGIN ? MAX (stream->rank, item->own) : stream->rank;
}

/* Returns the rank at the source of an arc. Layers make sure that it is decided, except for the begin of an event that
 * is itself the next item. */
static LcPhaseRank
rank_at_source (const Pass *pass, const LcHistoryArcEnd *arc)
{
  const Stream *stream = &pass->streams[arc->process];
  const Item *item = phases_find_get_item (stream);

  if (arc->point == LC_POINT_END)
    return phases_find_rank_of (stream, arc->ordinal * POINTS + AFTER);
  if (item != NULL && item->ordinal == arc->ordinal)
    return rank_at_begin (pass, stream, item);
  return phases_find_rank_of (stream, arc->ordinal * POINTS + AT_BEGIN);
}

/* --- Groups ---------------------------------------------------------------------------------------------------- */

static guint
phases_find_hash_group (gconstpointer key)
{
  const Group *group = key;

  return group->object * 31 + group->operation + (guint)group->sequence * 2654435761u;
}

static gboolean
phases_find_equal_groups (gconstpointer a, gconstpointer b)
{
  const Group *of_a = a, *of_b = b;

  return of_a->object == of_b->object && of_a->operation == of_b->operation && of_a->sequence == of_b->sequence;
}

static void
join_group (Pass *pass, const Stream *stream, const Item *item)
{
  const Group key = {item->object, item->operation, item->sequence, rank_at_begin (pass, stream, item)};
  Group *group = g_hash_table_lookup (pass->groups, &key);

  if (group == NULL)
    g_hash_table_add (pass->groups, g_memdup2 (&key, sizeof key));
  else
    group->rank = MAX (group->rank, key.rank);
}

static LcPhaseRank
rank_of_group (const Pass *pass, const Item *item)
{
  const Group key = {.object = item->object, .operation = item->operation, .sequence = item->sequence};
  const Group *group = g_hash_table_lookup (pass->groups, &key);

  return group != NULL ? group->rank : 0;
}

/* --- Layers ---------------------------------------------------------------------------------------------------- */

static LcPhaseRank
find_rank_of_item (const Pass *pass, const Stream *stream, const Item *item)
{
  LcPhaseRank rank = rank_at_begin (pass, stream, item);

  for (guint i = 0; i < item->n_arcs; i++)
    rank = MAX (rank, rank_at_source (pass, &g_array_index (stream->arcs, LcHistoryArcEnd, item->first_arc + i)));
  return item->group ? MAX (rank, rank_of_group (pass, item)) : rank;
}

static void
end_part (Pass *pass, const Stream *stream, guint64 end, guint64 layer)
{
  GArray *parts = pass->parts->parts[stream->process];
  LcPhasePart *last = parts->len > 0 ? &g_array_index (parts, LcPhasePart, parts->len - 1) : NULL;

  if (last == NULL)
    return;
  last->end = end;
  last->last_layer = layer;
}

static void
phases_find_decide (Pass *pass, Stream *stream, const Item *item, LcPhaseRank rank)
{
  GArray *parts = pass->parts->parts[stream->process];

  pass->parts->behind += item->own != 0 && item->own < stream->rank;
  phases_find_rise (stream, item->ordinal, AT_BEGIN, rank_at_begin (pass, stream, item));
  phases_find_rise (stream, item->ordinal, AT_EVENT, rank);
  if (item->ordinal == 0 || rank > g_array_index (parts, LcPhasePart, parts->len - 1).rank)
    {
      const LcPhasePart part = {
          .rank = rank, .ordinal = item->ordinal, .begin = item->begin, .first_layer = item->layer};

      end_part (pass, stream, item->end_before, item->layer_before);
      g_array_append_val (parts, part);
    }
  if (pass->start->point == LC_POINT_END)
    phases_find_rise (stream, item->ordinal, AFTER, item->own);
}

static void
phases_find_sift (Pass *pass, guint32 place)
{
  Stream *stream = pass->heap[place];

  for (;;)
    {
      guint32 child = 2 * place + 1;

      if (child + 1 < pass->n &&
          phases_find_get_item (pass->heap[child + 1])->layer < phases_find_get_item (pass->heap[child])->layer)
        child++;
      if (child >= pass->n || phases_find_get_item (pass->heap[child])->layer >= phases_find_get_item (stream)->layer)
        break;
      pass->heap[place] = pass->heap[child];
      place = child;
    }
  pass->heap[place] = stream;
}

static void
phases_find_push (Pass *pass, Stream *stream)
{
  guint32 place = pass->n++;

  while (place > 0 && phases_find_get_item (pass->heap[(place - 1) / 2])->layer > phases_find_get_item (stream)->layer)
    {
      pass->heap[place] = pass->heap[(place - 1) / 2];
      place = (place - 1) / 2;
    }
  pass->heap[place] = stream;
}

static Stream *
phases_find_pop (Pass *pass)
{
  Stream *stream = pass->heap[0];

  pass->heap[0] = pass->heap[--pass->n];
  if (pass->n > 0)
    phases_find_sift (pass, 0);
  return stream;
}

/* Decides all items of the lowest layer. Their ranks are found before any is decided, so that each sees the others as
 * they are at their begins. */
static gboolean
do_layer (Pass *pass, GError **error)
{
  guint64 layer = phases_find_get_item (pass->heap[0])->layer;
  g_autofree LcPhaseRank *ranks = NULL;

  g_ptr_array_set_size (pass->turn, 0);
  g_hash_table_remove_all (pass->groups);
  while (pass->n > 0 && phases_find_get_item (pass->heap[0])->layer == layer)
    {
      Stream *stream = phases_find_pop (pass);

      g_ptr_array_add (pass->turn, stream);
      if (phases_find_get_item (stream)->group)
        join_group (pass, stream, phases_find_get_item (stream));
    }
  ranks = g_new (LcPhaseRank, pass->turn->len);
  for (guint i = 0; i < pass->turn->len; i++)
    ranks[i] = find_rank_of_item (pass, pass->turn->pdata[i], phases_find_get_item (pass->turn->pdata[i]));
  for (guint i = 0; i < pass->turn->len; i++)
    {
      Stream *stream = pass->turn->pdata[i];

      phases_find_decide (pass, stream, phases_find_get_item (stream), ranks[i]);
      stream->at++;
      if (!phases_find_fill (pass, stream, error))
        return FALSE;
      if (phases_find_get_item (stream) != NULL)
        phases_find_push (pass, stream);
    }
  return TRUE;
}

/* --- The pass -------------------------------------------------------------------------------------------------- */

static gboolean
phases_find_begin (Pass *pass, GError **error)
{
  for (guint32 i = 0; i < pass->parts->n_processes; i++)
    {
      Stream *stream = &pass->streams[i];

      stream->process = i;
      stream->items = g_array_new (FALSE, FALSE, sizeof (Item));
      stream->arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArcEnd));
      stream->rises = g_array_new (FALSE, FALSE, sizeof (Rise));
    }
  for (guint32 i = 0; i < pass->parts->n_processes; i++)
    {
      if (!lc_history_count_events (pass->start->history, pass->timeline, i, &pass->parts->events[i], error) ||
          !phases_find_fill (pass, &pass->streams[i], error))
        return FALSE;
      if (phases_find_get_item (&pass->streams[i]) != NULL)
        phases_find_push (pass, &pass->streams[i]);
    }
  return TRUE;
}

static gboolean
phases_find_run (Pass *pass, GError **error)
{
  if (!phases_find_begin (pass, error))
    return FALSE;
  while (pass->n > 0)
    if (!do_layer (pass, error))
      return FALSE;
  for (guint32 i = 0; i < pass->parts->n_processes; i++)
    end_part (pass, &pass->streams[i], pass->streams[i].end, pass->streams[i].layer);
  return TRUE;
}

static LcPhaseParts *
phases_find_parts_new (guint32 n_processes)
{
  LcPhaseParts *parts = g_new0 (LcPhaseParts, 1);

  parts->n_processes = n_processes;
  parts->parts = g_new0 (GArray *, MAX (n_processes, 1));
  parts->events = g_new0 (guint64, MAX (n_processes, 1));
  for (guint32 i = 0; i < n_processes; i++)
    parts->parts[i] = g_array_new (FALSE, FALSE, sizeof (LcPhasePart));
  return parts;
}

void
lc_phase_parts_free (LcPhaseParts *parts)
{
  if (parts == NULL)
    return;
  for (guint32 i = 0; i < parts->n_processes; i++)
    g_array_unref (parts->parts[i]);
  g_free (parts->parts);
  g_free (parts->events);
  g_free (parts);
}

LcPhaseParts *
lc_phase_parts_find (LcPhaseStart *start, guint32 timeline, GCancellable *cancellable, GError **error)
{
  guint32 n = lc_history_get_n_processes (start->history);
  g_autoptr (LcPhaseParts) parts = phases_find_parts_new (n);
  g_autofree Stream *streams = g_new0 (Stream, MAX (n, 1));
  g_autofree Stream **heap = g_new (Stream *, MAX (n, 1));
  g_autoptr (GPtrArray) turn = g_ptr_array_new ();
  g_autoptr (GHashTable) groups =
      g_hash_table_new_full (phases_find_hash_group, phases_find_equal_groups, g_free, NULL);
  Pass pass = {.start = start,
               .timeline = timeline,
               .cancellable = cancellable,
               .n_held = MAX (LEAST, EVENTS / MAX (n, 1)),
               .streams = streams,
               .heap = heap,
               .turn = turn,
               .groups = groups,
               .parts = parts};
  gboolean good = phases_find_run (&pass, error);

  for (guint32 i = 0; i < n; i++)
    {
      g_clear_pointer (&streams[i].items, g_array_unref);
      g_clear_pointer (&streams[i].arcs, g_array_unref);
      g_clear_pointer (&streams[i].rises, g_array_unref);
    }
  return good ? g_steal_pointer (&parts) : NULL;
}
