/* SPDX-License-Identifier: Apache-2.0 */
/* Packs numbers at seven bits a byte. The bytes never come from a file, so they are not checked. */
#include "packed.h"

enum
{
  NUMBERS = 16,
  WHY_NUMBERS = 5,
  LONGEST = 10, /* bytes of a number */
};

static guint8 *
packed_put (guint8 *at, guint64 value)
{
  for (; value >= 0x80; value >>= 7)
    *at++ = (guint8)(value | 0x80);
  *at++ = (guint8)value;
  return at;
}

static inline const guint8 *
packed_get (const guint8 *at, guint64 *value)
{
  guint shift = 7;

  *value = *at & 0x7F;
  while (*at++ & 0x80)
    {
      *value |= (guint64)(*at & 0x7F) << shift;
      shift += 7;
    }
  return at;
}

static guint64
packed_fold (gint64 value)
{
  return (guint64)value << 1 ^ (guint64)(value >> 63);
}

static gint64
packed_unfold (guint64 value)
{
  return (gint64)(value >> 1 ^ (0 - (value & 1)));
}

static void
packed_make_room (LcPacked *packed, gsize more)
{
  if (packed->size + more <= packed->room)
    return;
  packed->room = packed->size + more + packed->size / 4;
  packed->bytes = g_realloc (packed->bytes, packed->room);
}

static guint8 *
put_difference (guint8 *at, guint64 value, guint64 before)
{
  return packed_put (at, packed_fold ((gint64)(value - before)));
}

static guint8 *
packed_put_why (LcPacked *packed, guint8 *at, const LcEventWhy *why)
{
  at = put_difference (at, why->removed, packed->why.removed);
  at = put_difference (at, (guint64)why->gained, (guint64)packed->why.gained);
  at = put_difference (at, why->origin_ordinal, packed->why.origin_ordinal);
  at = packed_put (at, why->origin_process);
  at = packed_put (at, why->reordered != FALSE);
  packed->why = *why;
  packed->has_why = TRUE;
  return at;
}

void
lc_packed_add (LcPacked *packed, const LcEventRow *event, const LcEventWhy *why, const LcBlockArc *arcs)
{
  guint8 *at;

  packed_make_room (packed, (NUMBERS + WHY_NUMBERS + (gsize)event->n_arcs * 3) * LONGEST);
  at = packed->bytes + packed->size;
  at = packed_put (at, event->begin - packed->end);
  at = packed_put (at, event->end - event->begin);
  at = packed_put (at, event->waited);
  at = packed_put (at, event->layer - packed->layer);
  at = packed_put (at, packed_fold ((gint64)((guint64)event->sequence - (guint64)packed->sequence)));
  at = packed_put (at, packed_fold (event->value));
  at = packed_put (at, event->bytes);
  at = packed_put (at, event->object + 1u);
  at = packed_put (at, event->peer + 1u);
  at = packed_put (at, event->operation);
  at = packed_put (at, event->cpu);
  at = packed_put (at, event->flags);
  at = packed_put (at, (guint64)(event->basis + 1));
  at = packed_put (at, event->n_arcs);
  at = packed_put (at, event->stack + 1u);
  at = packed_put (at, event->woken);
  for (guint32 i = 0; i < event->n_arcs; i++)
    {
      at = packed_put (at, arcs[i].process);
      at = packed_put (at, (guint64)arcs[i].rule << 1 | arcs[i].point);
      at = packed_put (at, arcs[i].ordinal);
    }
  if (why != NULL)
    at = packed_put_why (packed, at, why);
  packed->size = (gsize)(at - packed->bytes);
  packed->end = event->end;
  packed->layer = event->layer;
  packed->sequence = event->sequence;
  packed->n_events++;
}

static inline void
packed_set_row (LcBlock *block, guint32 i, const LcEventRow *row)
{
  block->begin[i] = row->begin;
  block->end[i] = row->end;
  block->waited[i] = row->waited;
  block->woken[i] = row->woken;
  block->layer[i] = row->layer;
  block->sequence[i] = row->sequence;
  block->value[i] = row->value;
  block->bytes[i] = row->bytes;
  block->object[i] = row->object;
  block->peer[i] = row->peer;
  block->stack[i] = row->stack;
  block->operation[i] = row->operation;
  block->cpu[i] = row->cpu;
  block->flags[i] = row->flags;
  block->basis[i] = row->basis;
  block->first_arc[i + 1] = block->first_arc[i] + row->n_arcs;
}

void
lc_block_take_absences (LcBlock *block, GArray **absences)
{
  if (*absences != NULL)
    g_array_append_vals (block->absences, (*absences)->data, (*absences)->len);
  g_clear_pointer (absences, g_array_unref);
}

void
lc_block_set_rows (LcBlock *block, const LcEventRow *rows, guint32 n_rows)
{
  block->n_events = n_rows;
  block->first_arc[0] = 0;
  for (guint32 i = 0; i < n_rows; i++)
    packed_set_row (block, i, &rows[i]);
}

void
lc_block_set_moved (LcBlock *block, const LcEventRow *rows, guint32 n_rows)
{
  block->n_events = n_rows;
  block->further = LC_COLUMN_WHY;
  for (guint32 i = 0; i < n_rows; i++)
    {
      const LcEventRow *row = &rows[i];

      block->begin[i] = row->begin;
      block->end[i] = row->end;
      block->waited[i] = row->waited;
      block->woken[i] = row->woken;
      block->layer[i] = row->layer;
      block->sequence[i] = row->sequence;
      block->object[i] = row->object;
      block->operation[i] = row->operation;
      block->flags[i] = row->flags;
      block->removed[i] = row->removed;
      block->gained[i] = row->gained;
      block->reordered[i] = (row->flags & LC_HISTORY_EVENT_REORDERED) != 0;
    }
}

static inline void
set_why (LcBlock *block, guint32 i, const LcEventWhy *why)
{
  block->removed[i] = why->removed;
  block->gained[i] = why->gained;
  block->reordered[i] = why->reordered != FALSE;
  block->origin_process[i] = why->origin_process;
  block->origin_ordinal[i] = why->origin_ordinal;
}

void
lc_block_set_why (LcBlock *block, const LcEventWhy *rows)
{
  block->further = LC_COLUMN_WHY | LC_COLUMN_ORIGIN;
  for (guint32 i = 0; i < block->n_events; i++)
    set_why (block, i, &rows[i]);
}

static const guint8 *
take_why (const guint8 *at, LcBlock *block, guint32 i, LcEventWhy *why)
{
  guint64 n[WHY_NUMBERS];

  for (guint k = 0; k < WHY_NUMBERS; k++)
    at = packed_get (at, &n[k]);
  why->removed += (guint64)packed_unfold (n[0]);
  why->gained = (gint64)((guint64)why->gained + (guint64)packed_unfold (n[1]));
  why->origin_ordinal += (guint64)packed_unfold (n[2]);
  why->origin_process = (guint32)n[3];
  why->reordered = n[4] != 0;
  set_why (block, i, why);
  return at;
}

static const guint8 *
packed_take_arcs (const guint8 *at, GArray *arcs, guint32 n)
{
  for (guint i = 0; i < n; i++)
    {
      LcBlockArc arc = {0};
      guint64 process, rule;

      at = packed_get (at, &process);
      at = packed_get (at, &rule);
      at = packed_get (at, &arc.ordinal);
      arc.process = (guint32)process;
      arc.rule = (guint16)(rule >> 1);
      arc.point = rule & 1;
      g_array_append_val (arcs, arc);
    }
  return at;
}

void
lc_packed_take (LcPacked *packed, LcBlock *block)
{
  const guint8 *at = packed->bytes;
  guint64 end = 0, layer = 0, n[NUMBERS];
  gint64 sequence = 0;
  LcEventWhy why = {0};

  block->further = packed->has_why ? LC_COLUMN_WHY | LC_COLUMN_ORIGIN : 0;
  block->n_events = packed->n_events;
  block->first_arc[0] = 0;
  for (guint32 i = 0; i < packed->n_events; i++)
    {
      LcEventRow event = {0};

      for (guint k = 0; k < NUMBERS; k++)
        at = packed_get (at, &n[k]);
      event.begin = end + n[0];
      event.end = end = event.begin + n[1];
      event.waited = n[2];
      event.layer = layer = layer + n[3];
      event.sequence = sequence = (gint64)((guint64)sequence + (guint64)packed_unfold (n[4]));
      event.value = packed_unfold (n[5]);
      event.bytes = n[6];
      event.object = (guint32)n[7] - 1u;
      event.peer = (guint32)n[8] - 1u;
      event.operation = (guint16)n[9];
      event.cpu = (guint16)n[10];
      event.flags = (guint16)n[11];
      event.basis = (gint16)((gint64)n[12] - 1);
      event.n_arcs = (guint32)n[13];
      event.stack = (guint32)n[14] - 1u;
      event.woken = n[15];
      packed_set_row (block, i, &event);
      at = packed_take_arcs (at, block->arcs, event.n_arcs);
      if (packed->has_why)
        at = take_why (at, block, i, &why);
    }
  lc_block_take_absences (block, &packed->absences);
  lc_packed_clear (packed);
}

void
lc_packed_clear (LcPacked *packed)
{
  g_free (packed->bytes);
  g_clear_pointer (&packed->absences, g_array_unref);
  *packed = (LcPacked){0};
}
