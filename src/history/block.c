/* SPDX-License-Identifier: Apache-2.0 */
/* A block as bytes: each group of columns has its own section, so that readers skip what they do not need. */
#include "block.h"

#include "column.h"
#include "states.h"

/*
 * 8 bits      VERSION
 * 12 bits     LcColumns that are there; or NO_PLACES in place of LC_COLUMN_PLACE, NO_STATES of
 *             LC_COLUMN_STATE
 * 12 bits     n_events
 *             the size of the section of each group that is there (4 bytes each), in the order of their bits
 *             the sections
 *             checksum of all of that (8 bytes)
 * All numbers are little-endian.
 */
enum
{
  VERSION = 3,
  HEAD = 4,
  CHECKSUM = 8,
  GROUPS = 10,
  NO_PLACES = 1 << GROUPS,       /* the column of stacks is left out, as no event has one */
  NO_STATES = 1 << (GROUPS + 1), /* the same for absences */
  FLAGS = 12,
  CHUNK = LC_BLOCK_EVENTS, /* arcs in one set of columns */
  TABLE = 512,
};

G_STATIC_ASSERT (LC_BLOCK_EVENTS == LC_COLUMN_ROOM);
G_STATIC_ASSERT (LC_COLUMN_ALL == (1 << GROUPS) - 1 && GROUPS + 2 <= FLAGS);
G_STATIC_ASSERT (CHECKSUM >= LC_COLUMN_SLACK);

/* --- The block ----------------------------------------------------------------------------------------------- */

LcBlock *
lc_block_new (void)
{
  LcBlock *block = g_new0 (LcBlock, 1);

  block->arcs = g_array_new (FALSE, FALSE, sizeof (LcBlockArc));
  block->held = g_array_new (FALSE, FALSE, sizeof (LcBlockHeld));
  block->absences = g_array_new (FALSE, FALSE, sizeof (LcBlockAbsence));
  return block;
}

void
lc_block_free (LcBlock *block)
{
  if (block == NULL)
    return;
  g_array_unref (block->arcs);
  g_array_unref (block->held);
  g_array_unref (block->absences);
  g_free (block);
}

void
lc_block_clear (LcBlock *block)
{
  block->n_events = 0;
  block->first_arc[0] = 0;
  block->further = 0;
  g_array_set_size (block->arcs, 0);
  g_array_set_size (block->held, 0);
  g_array_set_size (block->absences, 0);
}

static void
block_sum_absences (const LcBlock *block, guint32 i, LcHistoryEvent *event)
{
  for (guint k = lc_states_find_absence (block, i); k < block->absences->len; k++)
    {
      const LcBlockAbsence *absence = &g_array_index (block->absences, LcBlockAbsence, k);

      if (absence->event != i)
        break;
      if (absence->begin < block->begin[i])
        continue;
      if (absence->state == LC_IS_PREEMPTED)
        event->preempted += absence->end - absence->begin;
      else
        event->unseen += absence->end - absence->begin;
    }
}

static inline void
get_further (const LcBlock *block, guint32 i, LcHistoryEvent *event)
{
  if (block->further & LC_COLUMN_WHY)
    {
      event->removed = block->removed[i];
      event->gained = block->gained[i];
      event->flags |= block->reordered[i] ? LC_HISTORY_EVENT_REORDERED : 0;
    }
  if (block->further & LC_COLUMN_ORIGIN)
    {
      event->origin_process = block->origin_process[i];
      event->origin_ordinal = block->origin_ordinal[i];
    }
}

/* Sets each field on its own: clearing the whole event first would take as long as all the rest. */
void
lc_block_get_event (const LcBlock *block, guint32 i, LcHistoryEvent *event)
{
  guint16 flags = block->flags[i];

  event->process = event->origin_process = block->process;
  event->ordinal = event->origin_ordinal = block->first_ordinal + i;
  event->begin = block->begin[i];
  event->end = block->end[i];
  event->waited = block->waited[i];
  event->woken = block->woken[i];
  event->preempted = event->unseen = 0;
  if (G_UNLIKELY (block->absences->len > 0))
    block_sum_absences (block, i, event);
  event->layer = block->layer[i];
  event->sequence = flags & LC_TRACE_EVENT_SEQUENCE ? block->sequence[i] : 0;
  event->value = flags & LC_TRACE_EVENT_VALUE ? block->value[i] : 0;
  event->bytes = flags & LC_TRACE_EVENT_BYTES ? block->bytes[i] : 0;
  event->object = block->object[i];
  event->peer = block->peer[i];
  event->stack = block->stack[i];
  event->operation = block->operation[i];
  event->cpu = block->cpu[i];
  event->flags = flags;
  event->basis = block->basis[i];
  event->n_arcs = block->first_arc[i + 1] - block->first_arc[i];
  event->removed = 0;
  event->gained = 0;
  if (G_UNLIKELY (block->further != 0))
    get_further (block, i, event);
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

/* The first of a column of differences is set to the second, so that it does not make the column wider. Returns the
 * value that gives `first` when that difference is added. */
static guint64
begin_differences (guint64 *differences, guint n, guint64 first)
{
  differences[0] = n > 1 ? differences[1] : 0;
  return first - differences[0];
}

/* Writes the time before the first event, the gaps between events, the time of each without waiting, its
 * waiting, and how long it was woken before it went on. */
static void
block_put_time (const LcBlock *block, GByteArray *bytes)
{
  guint64 gaps[LC_BLOCK_EVENTS], own[LC_BLOCK_EVENTS];
  guint n = block->n_events;

  for (guint i = 0; i < n; i++)
    own[i] = block->end[i] - block->begin[i] - block->waited[i] - block->woken[i];
  for (guint i = 1; i < n; i++)
    gaps[i] = block->begin[i] - block->end[i - 1];
  lc_word_append (bytes, begin_differences (gaps, n, block->begin[0]), 8);
  lc_column_put (bytes, gaps, n);
  lc_column_put (bytes, own, n);
  lc_column_put (bytes, block->waited, n);
  lc_column_put (bytes, block->woken, n);
}

/* Writes the first sequence number, and all others as differences to the last one of the same object. */
static void
put_sequences (const LcBlock *block, GByteArray *bytes)
{
  guint64 last[TABLE] = {0}, differences[LC_BLOCK_EVENTS], origin = 0;
  guint n = 0;

  for (guint i = 0; i < block->n_events; i++)
    if (block->flags[i] & LC_TRACE_EVENT_SEQUENCE)
      {
        guint64 sequence = (guint64)block->sequence[i], *before = &last[block->object[i] % TABLE];

        if (n == 0)
          origin = sequence;
        sequence -= origin;
        differences[n++] = sequence - *before;
        *before = sequence;
      }
  if (n == 0)
    return;
  lc_word_append (bytes, origin, 8);
  lc_column_put_signed (bytes, differences, n);
}

/* Writes operations with flags, objects (plus 1, so that none is 0), and sequence numbers. */
static void
put_identity (const LcBlock *block, GByteArray *bytes)
{
  guint32 kinds[LC_BLOCK_EVENTS], objects[LC_BLOCK_EVENTS];
  guint n = block->n_events;

  for (guint i = 0; i < n; i++)
    {
      kinds[i] = block->operation[i] | (guint32)block->flags[i] << 16;
      objects[i] = block->object[i] + 1;
    }
  lc_column_put_names (bytes, kinds, n);
  lc_column_put_names (bytes, objects, n);
  put_sequences (block, bytes);
}

static void
put_detail (const LcBlock *block, GByteArray *bytes)
{
  guint64 values[LC_BLOCK_EVENTS], sizes[LC_BLOCK_EVENTS];
  guint32 peers[LC_BLOCK_EVENTS], cpus[LC_BLOCK_EVENTS];
  guint n = block->n_events;

  for (guint i = 0; i < n; i++)
    {
      values[i] = block->flags[i] & LC_TRACE_EVENT_VALUE ? (guint64)block->value[i] : 0;
      sizes[i] = block->flags[i] & LC_TRACE_EVENT_BYTES ? block->bytes[i] : 0;
      peers[i] = block->peer[i] + 1;
      cpus[i] = (block->cpu[i] + 1u) & G_MAXUINT16;
    }
  lc_column_put_signed (bytes, values, n);
  lc_column_put (bytes, sizes, n);
  lc_column_put_names (bytes, peers, n);
  lc_column_put_names (bytes, cpus, n);
}

static void
put_layer (const LcBlock *block, GByteArray *bytes)
{
  guint64 differences[LC_BLOCK_EVENTS];
  guint n = block->n_events;

  for (guint i = 1; i < n; i++)
    differences[i] = block->layer[i] - block->layer[i - 1];
  lc_word_append (bytes, begin_differences (differences, n, block->layer[0]), 8);
  lc_column_put (bytes, differences, n);
}

/* Finds for each arc the event of the block that it ends at. Most events have no arc or one: the entry of an event
 * without arcs is overwritten by the next event, which saves a branch. */
static void
list_owners (const guint32 *first_arc, guint n_events, guint16 *owners)
{
  for (guint i = 0; i < n_events; i++)
    {
      guint32 at = first_arc[i] - first_arc[0], end = first_arc[i + 1] - first_arc[0];

      owners[at] = (guint16)i;
      while (G_UNLIKELY (++at < end))
        owners[at] = (guint16)i;
    }
}

static guint
bits_in (guint64 difference)
{
  return 64 - (guint)__builtin_clzll ((difference << 1 ^ (0 - (difference >> 63))) | 1);
}

/*
 * Writes a chunk of arcs: processes, rules with points, and ordinals. An ordinal is written relative to the last arc of
 * the same process, either itself or its distance to the arc's own event, whichever takes fewer bits: processes that go
 * on at the same pace stay abreast.
 */
static void
put_arcs_chunk (const LcBlockArc *arcs, const guint16 *owners, guint n, guint64 first_ordinal, GByteArray *bytes)
{
  guint64 last[TABLE] = {0}, ahead[TABLE] = {0}, by_last[CHUNK], by_ahead[CHUNK];
  guint32 processes[CHUNK], rules[CHUNK];
  guint cost_last = 0, cost_ahead = 0;

  for (guint i = 0; i < n; i++)
    {
      guint slot = arcs[i].process % TABLE;
      guint64 ordinal = arcs[i].ordinal - first_ordinal, distance = ordinal - owners[i];

      processes[i] = arcs[i].process;
      rules[i] = (guint32)arcs[i].rule << 8 | arcs[i].point;
      by_last[i] = ordinal - last[slot];
      last[slot] = ordinal;
      by_ahead[i] = distance - ahead[slot];
      ahead[slot] = distance;
      cost_last += bits_in (by_last[i]);
      cost_ahead += bits_in (by_ahead[i]);
    }
  lc_word_append (bytes, cost_ahead < cost_last, 1);
  lc_column_put_names (bytes, processes, n);
  lc_column_put_names (bytes, rules, n);
  lc_column_put_signed (bytes, cost_ahead < cost_last ? by_ahead : by_last, n);
}

static void
put_arcs (const LcBlock *block, GByteArray *bytes)
{
  guint64 counts[LC_BLOCK_EVENTS], bases[LC_BLOCK_EVENTS];
  guint n = block->n_events, n_arcs = block->first_arc[n] - block->first_arc[0];
  guint16 few[2 * LC_BLOCK_EVENTS];
  g_autofree guint16 *many = n_arcs < G_N_ELEMENTS (few) ? NULL : g_new (guint16, (gsize)n_arcs + 1);
  guint16 *owners = many != NULL ? many : few;

  for (guint i = 0; i < n; i++)
    {
      counts[i] = block->first_arc[i + 1] - block->first_arc[i];
      bases[i] = (guint64)(block->basis[i] + 1);
    }
  lc_column_put (bytes, counts, n);
  lc_column_put (bytes, bases, n);
  list_owners (block->first_arc, n, owners);
  for (guint done = 0; done < n_arcs; done += CHUNK)
    put_arcs_chunk (&g_array_index (block->arcs, LcBlockArc, block->first_arc[0] + done), owners + done,
                    MIN (n_arcs - done, CHUNK), block->first_ordinal, bytes);
}

static void
put_held (const LcBlock *block, GByteArray *bytes)
{
  const LcBlockHeld *held = (const LcBlockHeld *)(const void *)block->held->data;

  lc_word_append (bytes, block->held->len, 4);
  for (guint done = 0; done < block->held->len; done += CHUNK)
    {
      guint64 objects[CHUNK], ages[CHUNK];
      guint n = MIN (block->held->len - done, CHUNK);

      for (guint i = 0; i < n; i++)
        {
          objects[i] = held[done + i].object;
          ages[i] = block->first_ordinal - held[done + i].ordinal;
        }
      lc_column_put (bytes, objects, n);
      lc_column_put (bytes, ages, n);
    }
}

static gboolean
has_places (const LcBlock *block)
{
  guint32 all = LC_TRACE_NONE;

  for (guint i = 0; i < block->n_events; i++)
    all &= block->stack[i];
  return all != LC_TRACE_NONE;
}

static void
put_place (const LcBlock *block, GByteArray *bytes)
{
  guint32 stacks[LC_BLOCK_EVENTS];

  for (guint i = 0; i < block->n_events; i++)
    stacks[i] = block->stack[i] + 1;
  lc_column_put_names (bytes, stacks, block->n_events);
}

/* Removed and gained time are written as differences: both mostly grow from event to event. */
static void
block_put_why (const LcBlock *block, GByteArray *bytes)
{
  guint64 removed[LC_BLOCK_EVENTS], gained[LC_BLOCK_EVENTS], reordered[LC_BLOCK_EVENTS];
  guint n = block->n_events;

  for (guint i = 0; i < n; i++)
    reordered[i] = block->reordered[i] != 0;
  for (guint i = 1; i < n; i++)
    {
      removed[i] = block->removed[i] - block->removed[i - 1];
      gained[i] = (guint64)block->gained[i] - (guint64)block->gained[i - 1];
    }
  lc_word_append (bytes, begin_differences (removed, n, block->removed[0]), 8);
  lc_column_put_signed (bytes, removed, n);
  lc_word_append (bytes, begin_differences (gained, n, (guint64)block->gained[0]), 8);
  lc_column_put_signed (bytes, gained, n);
  lc_column_put (bytes, reordered, n);
}

/* Writes origins as differences to the next ordinal expected of the same process: events mostly follow each other. */
static void
put_origin (const LcBlock *block, GByteArray *bytes)
{
  guint64 next[TABLE], differences[LC_BLOCK_EVENTS];
  guint n = block->n_events;

  for (guint i = 0; i < TABLE; i++)
    next[i] = block->first_ordinal;
  for (guint i = 0; i < n; i++)
    {
      guint64 *expected = &next[block->origin_process[i] % TABLE];

      differences[i] = block->origin_ordinal[i] - *expected;
      *expected = block->origin_ordinal[i] + 1;
    }
  lc_column_put_names (bytes, block->origin_process, n);
  lc_column_put_signed (bytes, differences, n);
}

/* Writes the time before the first absence, the gaps between them, their lengths, events (each as the difference to the
 * last one) and states. */
static void
put_states (const LcBlock *block, GByteArray *bytes)
{
  const LcBlockAbsence *absences = (const LcBlockAbsence *)(const void *)block->absences->data;
  guint64 end = block->absences->len > 0 ? absences[0].begin : 0;
  guint32 event = 0;

  lc_word_append (bytes, block->absences->len, 4);
  lc_word_append (bytes, end, 8);
  for (guint done = 0; done < block->absences->len; done += CHUNK)
    {
      guint64 gaps[CHUNK], lengths[CHUNK], events[CHUNK], states[CHUNK];
      guint n = MIN (block->absences->len - done, CHUNK);

      for (guint i = 0; i < n; i++)
        {
          const LcBlockAbsence *absence = &absences[done + i];

          gaps[i] = absence->begin - end;
          lengths[i] = absence->end - absence->begin;
          events[i] = absence->event - event;
          states[i] = absence->state;
          end = absence->end;
          event = absence->event;
        }
      lc_column_put (bytes, gaps, n);
      lc_column_put (bytes, lengths, n);
      lc_column_put (bytes, events, n);
      lc_column_put (bytes, states, n);
    }
}

typedef void (*Put) (const LcBlock *block, GByteArray *bytes);

static const Put puts_of[GROUPS] = {block_put_time, put_identity, put_detail,    put_layer,  put_arcs,
                                    put_held,       put_place,    block_put_why, put_origin, put_states};

void
lc_block_encode (const LcBlock *block, LcColumns columns, GByteArray *bytes)
{
  guint start = bytes->len, group = 0;

  g_return_if_fail (block->n_events >= 1 && block->n_events <= LC_BLOCK_EVENTS);
  g_return_if_fail (columns != 0 && (columns & ~(guint)LC_COLUMN_ALL) == 0);
  g_return_if_fail (!(columns & LC_COLUMN_ARCS) || block->first_arc[block->n_events] <= block->arcs->len);

  if (columns & LC_COLUMN_PLACE && !has_places (block))
    columns ^= LC_COLUMN_PLACE | NO_PLACES;
  if (columns & LC_COLUMN_STATE && block->absences->len == 0)
    columns ^= LC_COLUMN_STATE | NO_STATES;
  lc_word_append (bytes, VERSION | (guint64)columns << 8 | (guint64)block->n_events << (8 + FLAGS), HEAD);
  for (guint i = 0; i < GROUPS; i++)
    if (columns & 1u << i)
      lc_word_append (bytes, 0, 4);
  for (guint i = 0; i < GROUPS; i++)
    if (columns & 1u << i)
      {
        guint from = bytes->len;
        guint32 size;

        puts_of[i](block, bytes);
        size = GUINT32_TO_LE (bytes->len - from);
        memcpy (bytes->data + start + HEAD + 4 * (gsize)group++, &size, sizeof size);
      }
  lc_word_append (bytes, lc_checksum (bytes->data + start, bytes->len - start), CHECKSUM);
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

static gboolean
get_time (LcBlock *block, LcColumnReader *reader)
{
  guint64 gaps[LC_BLOCK_EVENTS], own[LC_BLOCK_EVENTS], at;
  guint n = block->n_events, wrong = 0;

  if (!lc_word_read (reader, &at, 8) || !lc_column_get (reader, gaps, n) || !lc_column_get (reader, own, n) ||
      !lc_column_get (reader, block->waited, n) || !lc_column_get (reader, block->woken, n))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      guint64 begin = at + gaps[i], end = begin + own[i] + block->waited[i] + block->woken[i];

      wrong |= (i > 0 && begin < at) | (end < begin) | (end > LC_HISTORY_MOST) | (block->waited[i] > LC_HISTORY_MOST) |
               (block->woken[i] > LC_HISTORY_MOST);
      block->begin[i] = begin;
      block->end[i] = at = end;
    }
  return wrong == 0;
}

static gboolean
get_sequences (LcBlock *block, LcColumnReader *reader)
{
  guint64 last[TABLE] = {0}, differences[LC_BLOCK_EVENTS + 1], origin;
  guint n = 0, k = 0;

  for (guint i = 0; i < block->n_events; i++)
    n += (block->flags[i] & LC_TRACE_EVENT_SEQUENCE) != 0;
  if (n == 0)
    {
      memset (block->sequence, 0, block->n_events * sizeof block->sequence[0]);
      return TRUE;
    }
  if (!lc_word_read (reader, &origin, 8) || !lc_column_get (reader, differences, n))
    return FALSE;
  differences[n] = 0;
  for (guint i = 0; i < block->n_events; i++)
    {
      guint has = (block->flags[i] & LC_TRACE_EVENT_SEQUENCE) != 0;
      guint64 *before = &last[block->object[i] % TABLE];
      guint64 mask = 0 - (guint64)has;

      *before += differences[k] & mask;
      block->sequence[i] = (gint64)((origin + *before) & mask);
      k += has;
    }
  return TRUE;
}

static gboolean
get_identity (LcBlock *block, LcColumnReader *reader)
{
  guint64 kinds[LC_BLOCK_EVENTS], objects[LC_BLOCK_EVENTS];
  guint n = block->n_events;

  if (!lc_column_get_names (reader, kinds, n) || !lc_column_get_names (reader, objects, n))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      block->operation[i] = (guint16)kinds[i];
      block->flags[i] = (guint16)(kinds[i] >> 16);
      block->object[i] = (guint32)objects[i] - 1;
    }
  return get_sequences (block, reader);
}

static gboolean
get_detail (LcBlock *block, LcColumnReader *reader)
{
  guint64 peers[LC_BLOCK_EVENTS], cpus[LC_BLOCK_EVENTS];
  guint n = block->n_events;

  if (!lc_column_get (reader, (guint64 *)block->value, n) || !lc_column_get (reader, block->bytes, n) ||
      !lc_column_get_names (reader, peers, n) || !lc_column_get_names (reader, cpus, n))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      block->peer[i] = (guint32)peers[i] - 1;
      block->cpu[i] = (guint16)(cpus[i] - 1);
    }
  return TRUE;
}

static gboolean
get_layer (LcBlock *block, LcColumnReader *reader)
{
  guint64 at, before;
  guint wrong = 0;

  if (!lc_word_read (reader, &at, 8) || !lc_column_get (reader, block->layer, block->n_events))
    return FALSE;
  for (guint i = 0; i < block->n_events; i++)
    {
      before = at;
      block->layer[i] = at += block->layer[i];
      wrong |= (i > 0 && at < before) | (at > LC_HISTORY_MOST);
    }
  return wrong == 0;
}

static gboolean
get_arcs_chunk (LcColumnReader *reader, LcBlockArc *arcs, const guint16 *owners, guint n, guint64 first_ordinal)
{
  guint64 last[TABLE] = {0}, processes[CHUNK], rules[CHUNK], differences[CHUNK], by_ahead, points = 0;

  if (!lc_word_read (reader, &by_ahead, 1) || by_ahead > 1 || !lc_column_get_names (reader, processes, n) ||
      !lc_column_get_names (reader, rules, n) || !lc_column_get (reader, differences, n))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      guint64 *before = &last[(guint32)processes[i] % TABLE];

      *before += differences[i];
      points |= rules[i] & 0xFF;
      arcs[i] = (LcBlockArc){
          .process = (guint32)processes[i],
          .rule = (guint16)(rules[i] >> 8),
          .point = (guint8)rules[i],
          .ordinal = first_ordinal + *before + (by_ahead ? owners[i] : 0),
      };
    }
  return points <= LC_POINT_END;
}

/* Reads each event's number of arcs, and its basis, which must be one of them. */
static gboolean
get_counts (LcBlock *block, LcColumnReader *reader)
{
  guint64 counts[LC_BLOCK_EVENTS], bases[LC_BLOCK_EVENTS], sum = 0, wrong = 0;
  guint n = block->n_events;

  if (!lc_column_get (reader, counts, n) || !lc_column_get (reader, bases, n))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      block->first_arc[i] = (guint32)sum;
      block->basis[i] = (gint16)(bases[i] - 1);
      wrong |= (counts[i] >> 31) | (bases[i] > counts[i]) | (bases[i] > G_MAXINT16 + 1u);
      sum += counts[i];
    }
  block->first_arc[n] = (guint32)sum;
  return wrong == 0 && sum <= G_MAXINT32;
}

static gboolean
get_arcs (LcBlock *block, LcColumnReader *reader)
{
  guint16 few[2 * LC_BLOCK_EVENTS];
  g_autofree guint16 *many = NULL;
  guint16 *owners = few;
  guint n_arcs, n;

  g_array_set_size (block->arcs, 0);
  if (!get_counts (block, reader))
    return FALSE;
  /* Each chunk takes at least 8 bytes, so a larger number of arcs is damage, not a reason to allocate. */
  n_arcs = block->first_arc[block->n_events];
  if (n_arcs / CHUNK > (gsize)(reader->end - reader->at) / 8)
    return FALSE;
  if (n_arcs >= G_N_ELEMENTS (few))
    owners = many = g_new (guint16, (gsize)n_arcs + 1);
  list_owners (block->first_arc, block->n_events, owners);
  for (guint done = 0; done < n_arcs; done += n)
    {
      n = MIN (n_arcs - done, CHUNK);
      g_array_set_size (block->arcs, done + n);
      if (!get_arcs_chunk (reader, &g_array_index (block->arcs, LcBlockArc, done), owners + done, n,
                           block->first_ordinal))
        return FALSE;
    }
  return TRUE;
}

static gboolean
get_held (LcBlock *block, LcColumnReader *reader)
{
  guint64 objects[CHUNK], ages[CHUNK], n_held;
  guint n;

  g_array_set_size (block->held, 0);
  if (!lc_word_read (reader, &n_held, 4))
    return FALSE;
  for (guint done = 0; done < n_held; done += n)
    {
      n = MIN ((guint)n_held - done, CHUNK);
      if (!lc_column_get (reader, objects, n) || !lc_column_get (reader, ages, n))
        return FALSE;
      g_array_set_size (block->held, done + n);
      for (guint i = 0; i < n; i++)
        g_array_index (block->held, LcBlockHeld, done + i) =
            (LcBlockHeld){.object = (guint32)objects[i], .ordinal = block->first_ordinal - ages[i]};
    }
  return TRUE;
}

static gboolean
get_place (LcBlock *block, LcColumnReader *reader)
{
  guint64 stacks[LC_BLOCK_EVENTS];

  if (!lc_column_get_names (reader, stacks, block->n_events))
    return FALSE;
  for (guint i = 0; i < block->n_events; i++)
    block->stack[i] = (guint32)stacks[i] - 1;
  return TRUE;
}

static gboolean
get_why (LcBlock *block, LcColumnReader *reader)
{
  guint64 reordered[LC_BLOCK_EVENTS], removed, gained;
  guint n = block->n_events;

  if (!lc_word_read (reader, &removed, 8) || !lc_column_get (reader, block->removed, n) ||
      !lc_word_read (reader, &gained, 8) || !lc_column_get (reader, (guint64 *)block->gained, n) ||
      !lc_column_get (reader, reordered, n))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      block->removed[i] = removed += block->removed[i];
      block->gained[i] = (gint64)(gained += (guint64)block->gained[i]);
      block->reordered[i] = (guint8)(reordered[i] & 1);
    }
  block->further |= LC_COLUMN_WHY;
  return TRUE;
}

static gboolean
get_origin (LcBlock *block, LcColumnReader *reader)
{
  guint64 next[TABLE], processes[LC_BLOCK_EVENTS], differences[LC_BLOCK_EVENTS];
  guint n = block->n_events;

  if (!lc_column_get_names (reader, processes, n) || !lc_column_get (reader, differences, n))
    return FALSE;
  for (guint i = 0; i < TABLE; i++)
    next[i] = block->first_ordinal;
  for (guint i = 0; i < n; i++)
    {
      guint64 *expected = &next[(guint32)processes[i] % TABLE];

      block->origin_process[i] = (guint32)processes[i];
      block->origin_ordinal[i] = *expected + differences[i];
      *expected = block->origin_ordinal[i] + 1;
    }
  block->further |= LC_COLUMN_ORIGIN;
  return TRUE;
}

static gboolean
get_states (LcBlock *block, LcColumnReader *reader)
{
  guint64 gaps[CHUNK], lengths[CHUNK], events[CHUNK], states[CHUNK], n_absences, end, event = 0;
  guint n;

  g_array_set_size (block->absences, 0);
  if (!lc_word_read (reader, &n_absences, 4) || !lc_word_read (reader, &end, 8))
    return FALSE;
  for (guint64 done = 0; done < n_absences; done += n)
    {
      n = (guint)MIN (n_absences - done, CHUNK);
      if (!lc_column_get (reader, gaps, n) || !lc_column_get (reader, lengths, n) ||
          !lc_column_get (reader, events, n) || !lc_column_get (reader, states, n))
        return FALSE;
      for (guint i = 0; i < n; i++)
        {
          const guint64 begin = end + gaps[i];
          LcBlockAbsence absence;

          event += events[i];
          end = begin + lengths[i];
          if ((gaps[i] | lengths[i] | events[i] | end) > LC_HISTORY_MOST || event >= block->n_events ||
              (states[i] != LC_IS_PREEMPTED && states[i] != LC_IS_UNSEEN))
            return FALSE;
          absence = (LcBlockAbsence){begin, end, (guint32)event, (guint32)states[i]};
          g_array_append_val (block->absences, absence);
        }
    }
  return TRUE;
}

typedef gboolean (*Get) (LcBlock *block, LcColumnReader *reader);

static const Get gets_of[GROUPS] = {get_time, get_identity, get_detail, get_layer,  get_arcs,
                                    get_held, get_place,    get_why,    get_origin, get_states};

/* Reads each section that the block has and the caller wants. A section must be used up to its last byte. */
static gboolean
get_sections (LcBlock *block, const guint8 *bytes, gsize size, guint there, guint columns)
{
  const guint8 *sizes = bytes + HEAD, *end = bytes + size - CHECKSUM;
  const guint8 *at = sizes + 4 * (gsize)__builtin_popcount (there & LC_COLUMN_ALL);

  if (size < (gsize)(at - bytes) + CHECKSUM)
    return FALSE;
  if (there & NO_PLACES && columns & LC_COLUMN_PLACE)
    memset (block->stack, 0xFF, block->n_events * sizeof block->stack[0]); /* fills with LC_TRACE_NONE */
  if (there & NO_STATES && columns & LC_COLUMN_STATE)
    g_array_set_size (block->absences, 0);
  for (guint i = 0; i < GROUPS; i++)
    if (there & 1u << i)
      {
        gsize section = lc_word_get (sizes) & G_MAXUINT32;
        LcColumnReader reader;

        if (section > (gsize)(end - at))
          return FALSE;
        reader = (LcColumnReader){at, at + section};
        if (columns & 1u << i && (!gets_of[i](block, &reader) || reader.at != reader.end))
          return FALSE;
        sizes += 4;
        at += section;
      }
  return at == end;
}

gboolean
lc_block_decode (LcBlock *block, const guint8 *bytes, gsize size, LcColumns columns)
{
  guint64 head;

  if (size < HEAD + CHECKSUM || lc_word_get (bytes + size - CHECKSUM) != lc_checksum (bytes, size - CHECKSUM))
    return FALSE;
  head = lc_word_get (bytes);
  block->n_events = (guint32)(head >> (8 + FLAGS) & ((1 << FLAGS) - 1));
  if ((head & 0xFF) == VERSION && block->n_events >= 1 && block->n_events <= LC_BLOCK_EVENTS &&
      get_sections (block, bytes, size, head >> 8 & ((1 << FLAGS) - 1), columns))
    return TRUE;
  lc_block_clear (block);
  return FALSE;
}

LcColumns
lc_block_get_columns (const guint8 *bytes, gsize size)
{
  guint there;

  if (size < HEAD)
    return 0;
  there = bytes[1] | (guint)(bytes[2] & 0xF) << 8;
  return (there & LC_COLUMN_ALL) | (there & NO_PLACES ? LC_COLUMN_PLACE : 0u) |
         (there & NO_STATES ? LC_COLUMN_STATE : 0u);
}
