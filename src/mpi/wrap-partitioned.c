/* SPDX-License-Identifier: Apache-2.0 */
/* Partitioned messages: each start is one message, which is sent when its last partition is ready. */
#include "messages.h"

#if MPI_VERSION >= 4

#include <stdio.h>

/*
 * MPI (4.0, chapter 4) matches partitioned messages only with each other, in the order in which they are initialised;
 * messages of the same ends, tag and communicator may be started in different orders on both sides. So each has its own
 * channel: "0>1:partitioned.7" with tag 7, the next one with the same tag "0>1:partitioned.7.2". A message cannot
 * arrive before all of it is ready, which is when its `isend` begins. Partitions seen by MPI_Parrived are no events,
 * because the two sides may have different partitions.
 */

/* The ready partitions of a message that is sent. They are kept apart from its request, which another thread may be
 * completing. */
struct parts
{
  struct parts *next;
  MPI_Request handle;
  uint32_t object;
  int n, ready;
  uint64_t bytes;
  uint64_t sent; /* number of messages sent */
};

enum
{
  BUCKETS = 64
};

static struct parts *table[BUCKETS];

static struct parts **
wrap_partitioned_bucket_of (MPI_Request handle)
{
  return &table[((uint64_t)(uintptr_t)handle * UINT64_C (0x9E3779B97F4A7C15) >> 32) & (BUCKETS - 1)];
}

static struct parts *
wrap_partitioned_look (MPI_Request handle)
{
  struct parts *parts = *wrap_partitioned_bucket_of (handle);

  while (parts != NULL && parts->handle != handle)
    parts = parts->next;
  return parts;
}

/* Adds or replaces an entry; with the tables locked, like all here. A handle in the table was freed and is reused. */
static void
add_parts (MPI_Request handle, const struct lc_pending_message *message, int n)
{
  struct parts *parts = wrap_partitioned_look (handle), *next;

  if (parts == NULL)
    {
      parts = lc_mpi_allocate (sizeof *parts);
      if (parts == NULL)
        return;
      next = *wrap_partitioned_bucket_of (handle);
      *wrap_partitioned_bucket_of (handle) = parts;
    }
  else
    next = parts->next;
  *parts = (struct parts){
      .next = next, .handle = handle, .object = message->channel->object, .n = n, .bytes = message->bytes};
}

/* --- Initialising --------------------------------------------------------------------------------------------- */

static struct lc_channel *
wrap_partitioned_channel_of (const struct lc_communicator *communicator, uint32_t from, uint32_t to, int tag)
{
  struct lc_channel *channel;
  char what[48];

  snprintf (what, sizeof what, "partitioned.%d", tag);
  channel = lc_channel_find_named (communicator->name, from, to, what);
  if (channel == NULL || channel->initialised++ == 0)
    return channel;
  snprintf (what, sizeof what, "partitioned.%d.%u", tag, channel->initialised);
  return lc_channel_find_named (communicator->name, from, to, what);
}

static int
wrap_partitioned_add (struct lc_mpi_call *call, const struct lc_communicator *communicator, int result,
                      const MPI_Request *handle, int partner, int tag, int partitions,
                      struct lc_pending_message message)
{
  uint32_t other;

  if (communicator == NULL || result != MPI_SUCCESS)
    return lc_mpi_pass (call, result);
  message.bytes *= (uint64_t)partitions;
  other = lc_communicator_partner (communicator, partner);
  lc_mpi_lock ();
  message.channel = message.is_sent ? wrap_partitioned_channel_of (communicator, communicator->me, other, tag)
                                    : wrap_partitioned_channel_of (communicator, other, communicator->me, tag);
  if (message.channel != NULL && message.is_sent)
    add_parts (*handle, &message, partitions);
  lc_mpi_unlock ();
  if (message.channel != NULL)
    lc_request_add_messages (*handle, &message, 1, true);
  return lc_mpi_pass (call, result);
}

LC_MPI_EXPORT int
MPI_Psend_init (const void *buffer, int partitions, MPI_Count count, MPI_Datatype type, int to, int tag,
                MPI_Comm communicator, MPI_Info info, MPI_Request *request)
{
  struct lc_mpi_call call;
  const struct lc_communicator *found = lc_mpi_enter_message (&call, communicator, to);
  int result = PMPI_Psend_init (buffer, partitions, count, type, to, tag, communicator, info, request);

  return wrap_partitioned_add (
      &call, found, result, request, to, tag, partitions,
      (struct lc_pending_message){.bytes = lc_mpi_bytes (count, type), .is_sent = true, .is_told = true});
}

LC_MPI_EXPORT int
MPI_Precv_init (void *buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag,
                MPI_Comm communicator, MPI_Info info, MPI_Request *request)
{
  struct lc_mpi_call call;
  const struct lc_communicator *found = lc_mpi_enter_message (&call, communicator, source);
  int result = PMPI_Precv_init (buffer, partitions, count, type, source, tag, communicator, info, request);

  return wrap_partitioned_add (&call, found, result, request, source, tag, partitions,
                               (struct lc_pending_message){.bytes = lc_mpi_bytes (count, type)});
}

/* --- Ready partitions ----------------------------------------------------------------------------------------- */

struct readying
{
  struct lc_mpi_call call;
  struct lc_finished event; /* `operation` is 0: there is none yet */
};

static void
wrap_partitioned_begin (struct readying *readying, MPI_Request handle, int n)
{
  struct parts *parts;

  lc_mpi_enter (&readying->call);
  readying->event = (struct lc_finished){0};
  lc_mpi_lock ();
  parts = wrap_partitioned_look (handle);
  if (parts != NULL && (parts->ready += n) == parts->n)
    {
      parts->ready = 0;
      readying->event = (struct lc_finished){
          .operation = LC_ISEND, .object = parts->object, .sequence = parts->sent++, .bytes = parts->bytes};
    }
  lc_mpi_unlock ();
}

/* A call that failed has made no partition ready. */
static void
wrap_partitioned_take_back (const struct readying *readying, MPI_Request handle, int n)
{
  struct parts *parts;

  lc_mpi_lock ();
  parts = wrap_partitioned_look (handle);
  if (parts != NULL && readying->event.operation != 0)
    {
      parts->ready = parts->n - n;
      parts->sent--;
    }
  else if (parts != NULL)
    parts->ready -= n;
  lc_mpi_unlock ();
}

static int
wrap_partitioned_end (struct readying *readying, int result, MPI_Request handle, int n)
{
  if (result != MPI_SUCCESS)
    wrap_partitioned_take_back (readying, handle, n);
  lc_mpi_leave (&readying->call);
  if (result == MPI_SUCCESS && readying->event.operation != 0)
    lc_mpi_append (&readying->call, &readying->event);
  return result;
}

LC_MPI_EXPORT int
MPI_Pready (int partition, MPI_Request request)
{
  struct readying readying;

  if (!lc_mpi_is_on ())
    return PMPI_Pready (partition, request);
  wrap_partitioned_begin (&readying, request, 1);
  return wrap_partitioned_end (&readying, PMPI_Pready (partition, request), request, 1);
}

LC_MPI_EXPORT int
MPI_Pready_range (int first, int last, MPI_Request request)
{
  struct readying readying;

  if (!lc_mpi_is_on ())
    return PMPI_Pready_range (first, last, request);
  wrap_partitioned_begin (&readying, request, last - first + 1);
  return wrap_partitioned_end (&readying, PMPI_Pready_range (first, last, request), request, last - first + 1);
}

/* The standard has `const` here, which MPICH 4.0 lacks. */
#if defined MPICH_NUMVERSION && MPICH_NUMVERSION < 40100000
#define CONSTANT
#else
#define CONSTANT const
#endif

LC_MPI_EXPORT int
MPI_Pready_list (int n, CONSTANT int partitions[], MPI_Request request)
{
  struct readying readying;

  if (!lc_mpi_is_on ())
    return PMPI_Pready_list (n, partitions, request);
  wrap_partitioned_begin (&readying, request, n);
  return wrap_partitioned_end (&readying, PMPI_Pready_list (n, partitions, request), request, n);
}

#endif
