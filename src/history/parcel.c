/* SPDX-License-Identifier: Apache-2.0 */
/* Makes parcels when they are needed, and reuses them. */
#include "parcel.h"

enum
{
  TOGETHER = 16, /* parcels given back in one message, at most */
};

LcParcel *
lc_parcel_new (LcParcelKind kind)
{
  LcParcel *parcel = g_new0 (LcParcel, 1);

  parcel->kind = kind;
  if (kind == LC_PARCEL_EVENTS)
    parcel->event_arcs = g_array_new (FALSE, FALSE, sizeof (LcBlockArc));
  if (kind == LC_PARCEL_ARCS)
    parcel->arcs = g_new (LcHistoryArc, LC_PARCEL_ARCS_ROOM);
  if (kind == LC_PARCEL_BLOCK)
    parcel->block = lc_block_new ();
  if (kind == LC_PARCEL_ROWS)
    {
      parcel->rows = g_array_new (FALSE, FALSE, sizeof (LcRow));
      parcel->bytes = g_byte_array_new ();
    }
  return parcel;
}

void
lc_parcel_free (LcParcel *parcel)
{
  g_free (parcel->events);
  g_free (parcel->why);
  lc_packed_clear (&parcel->packed);
  g_clear_pointer (&parcel->absences, g_array_unref);
  g_clear_pointer (&parcel->event_arcs, g_array_unref);
  g_clear_pointer (&parcel->block, lc_block_free);
  g_free (parcel->arcs);
  g_clear_pointer (&parcel->rows, g_array_unref);
  g_clear_pointer (&parcel->bytes, g_byte_array_unref);
  g_free (parcel);
}

void
lc_parcel_clear (LcParcel *parcel)
{
  parcel->n_events = 0;
  parcel->n_arcs = 0;
  lc_packed_clear (&parcel->packed);
  g_clear_pointer (&parcel->absences, g_array_unref);
  if (parcel->kind == LC_PARCEL_EVENTS)
    g_array_set_size (parcel->event_arcs, 0);
  if (parcel->kind == LC_PARCEL_BLOCK)
    lc_block_clear (parcel->block);
  if (parcel->kind == LC_PARCEL_ROWS)
    {
      g_array_set_size (parcel->rows, 0);
      g_byte_array_set_size (parcel->bytes, 0);
    }
}

/* --- Queues ---------------------------------------------------------------------------------------------------- */

void
lc_parcel_flush (LcParcelSender *sender)
{
  if (sender->n > 0)
    g_async_queue_push (sender->queue, sender->first);
  sender->n = 0;
}

void
lc_parcel_send (LcParcelSender *sender, LcParcel *parcel)
{
  parcel->next = NULL;
  if (sender->n++ == 0)
    sender->first = parcel;
  else
    sender->last->next = parcel;
  sender->last = parcel;
  if (sender->n >= sender->together || parcel->kind == LC_PARCEL_END)
    lc_parcel_flush (sender);
}

static LcParcel *
parcel_receive (LcParcelReceiver *receiver, LcParcel *parcel)
{
  receiver->next = parcel->next;
  parcel->next = NULL;
  return parcel;
}

LcParcel *
lc_parcel_receive (LcParcelReceiver *receiver)
{
  return parcel_receive (receiver, receiver->next != NULL ? receiver->next : g_async_queue_pop (receiver->queue));
}

/* --- Pools ----------------------------------------------------------------------------------------------------- */

static void
free_all (LcParcel *parcel)
{
  while (parcel != NULL)
    {
      LcParcel *next = parcel->next;

      lc_parcel_free (parcel);
      parcel = next;
    }
}

void
lc_parcel_pool_init (LcParcelPool *pool, LcParcelKind kind, guint room)
{
  *pool = (LcParcelPool){.kind = kind, .room = room, .queue = g_async_queue_new_full ((GDestroyNotify)free_all)};
  pool->given.queue = pool->taken.queue = pool->queue;
  pool->given.together = MIN (TOGETHER, room / 4);
}

void
lc_parcel_pool_clear (LcParcelPool *pool)
{
  if (pool->queue == NULL)
    return;
  lc_parcel_flush (&pool->given);
  free_all (g_steal_pointer (&pool->taken.next));
  g_clear_pointer (&pool->queue, g_async_queue_unref);
}

LcParcel *
lc_parcel_pool_take (LcParcelPool *pool, LcParcelSender *sender)
{
  LcParcel *parcel = pool->taken.next != NULL ? pool->taken.next : g_async_queue_try_pop (pool->queue);

  if (parcel != NULL)
    return parcel_receive (&pool->taken, parcel);
  if (pool->made < pool->room)
    {
      pool->made++;
      return lc_parcel_new (pool->kind);
    }
  lc_parcel_flush (sender);
  return lc_parcel_receive (&pool->taken);
}

void
lc_parcel_pool_give (LcParcelPool *pool, LcParcel *parcel)
{
  lc_parcel_clear (parcel);
  lc_parcel_send (&pool->given, parcel);
}
