/* SPDX-License-Identifier: Apache-2.0 */
/* Makes parcels as they are needed, and uses them again. */
#include "parcel.h"

enum
{
  TOGETHER = 6, /* parcels; pools have more */
};

LcParcel *
lc_parcel_new (LcParcelKind kind)
{
  LcParcel *parcel = g_new0 (LcParcel, 1);

  parcel->kind = kind;
  if (kind == LC_PARCEL_EVENTS)
    parcel->event_arcs = g_array_new (FALSE, FALSE, sizeof (LcBlockArc));
  if (kind == LC_PARCEL_ARCS)
    parcel->arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));
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
  lc_packed_clear (&parcel->packed);
  g_clear_pointer (&parcel->event_arcs, g_array_unref);
  g_clear_pointer (&parcel->block, lc_block_free);
  g_clear_pointer (&parcel->arcs, g_array_unref);
  g_clear_pointer (&parcel->rows, g_array_unref);
  g_clear_pointer (&parcel->bytes, g_byte_array_unref);
  g_free (parcel);
}

void
lc_parcel_clear (LcParcel *parcel)
{
  parcel->n_events = 0;
  lc_packed_clear (&parcel->packed);
  if (parcel->kind == LC_PARCEL_EVENTS)
    g_array_set_size (parcel->event_arcs, 0);
  if (parcel->kind == LC_PARCEL_ARCS)
    g_array_set_size (parcel->arcs, 0);
  if (parcel->kind == LC_PARCEL_BLOCK)
    lc_block_clear (parcel->block);
  if (parcel->kind == LC_PARCEL_ROWS)
    {
      g_array_set_size (parcel->rows, 0);
      g_byte_array_set_size (parcel->bytes, 0);
    }
}

void
lc_parcel_pool_init (LcParcelPool *pool, LcParcelKind kind, guint room)
{
  pool->kind = kind;
  pool->room = room;
  pool->made = 0;
  pool->free = g_async_queue_new_full ((GDestroyNotify)lc_parcel_free);
}

void
lc_parcel_pool_clear (LcParcelPool *pool)
{
  g_clear_pointer (&pool->free, g_async_queue_unref);
}

LcParcel *
lc_parcel_pool_take (LcParcelPool *pool)
{
  LcParcel *parcel = g_async_queue_try_pop (pool->free);

  if (parcel == NULL && pool->made < pool->room)
    {
      pool->made++;
      return lc_parcel_new (pool->kind);
    }
  return parcel != NULL ? parcel : g_async_queue_pop (pool->free);
}

void
lc_parcel_pool_give (LcParcelPool *pool, LcParcel *parcel)
{
  lc_parcel_clear (parcel);
  g_async_queue_push_front (pool->free, parcel); /* what was used last is in a cache */
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
  if (sender->n < TOGETHER && parcel->kind != LC_PARCEL_END)
    return;
  g_async_queue_push (sender->queue, sender->first);
  sender->n = 0;
}

LcParcel *
lc_parcel_receive (LcParcelReceiver *receiver)
{
  LcParcel *parcel = receiver->next != NULL ? receiver->next : g_async_queue_pop (receiver->queue);

  receiver->next = parcel->next;
  parcel->next = NULL;
  return parcel;
}
