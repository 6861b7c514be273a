/* SPDX-License-Identifier: Apache-2.0 */
/* MPI_Send, MPI_Isend and the like. */
#include "messages.h"

/*
 * With several threads, a message is given to MPI while the tables are locked, so that the messages of a channel are in
 * the order of their numbers. No thread may wait meanwhile, so MPI_Send becomes MPI_Isend and MPI_Wait. The same is
 * done for a message that may be too long for a buffer: if it is not complete at once, it waits for its receiver or for
 * room.
 */

enum
{
  SHORT = 256 /* bytes up to which messages are buffered, so that a test is not worth its cost */
};

static bool
may_wait (uint64_t bytes)
{
  return lc_mpi_is_threaded || bytes > SHORT;
}

static int
wrap_send_wait_for (int result, MPI_Request *request, uint8_t *flags)
{
  int is_over = 0;

  lc_mpi_unlock ();
  if (result == MPI_SUCCESS)
    result = PMPI_Test (request, &is_over, MPI_STATUS_IGNORE);
  if (result != MPI_SUCCESS || is_over)
    return result;
  *flags = LC_EVENT_CONTENDED;
  return PMPI_Wait (request, MPI_STATUS_IGNORE);
}

/* Called before MPI, which complains about an invalid type. */
static uint64_t
wrap_send_count_bytes (MPI_Count count, MPI_Datatype type)
{
  return type != MPI_DATATYPE_NULL ? lc_mpi_bytes (count, type) : 0;
}

static bool
wrap_send_begin (struct lc_sending *sending, uint16_t operation, MPI_Comm handle, int to, int tag)
{
  if (!lc_sending_begin (sending, handle, to, tag))
    return false;
  if (sending->channel != NULL)
    lc_mpi_block (&sending->call, operation, sending->channel->object, sending->sequence);
  return true;
}

static inline void
wrap_send_stamp (struct lc_sending *sending, uint16_t operation, uint8_t flags)
{
  if (operation == LC_SSEND || flags != 0)
    lc_mpi_stamp (&sending->call);
  else
    lc_mpi_stamp_local (&sending->call);
}

static int
wrap_send_end (struct lc_sending *sending, uint16_t operation, int result, uint64_t bytes, uint8_t flags)
{
  lc_mpi_leave (&sending->call);
  if (result == MPI_SUCCESS)
    lc_mpi_append (&sending->call, &(struct lc_finished){.operation = operation,
                                                         .flags = operation == LC_SEND ? flags : 0,
                                                         .object = sending->channel ? sending->channel->object : 0,
                                                         .sequence = sending->sequence,
                                                         .bytes = bytes});
  else
    {
      lc_mpi_hooks->unblock ();
      lc_mpi_lock ();
      lc_sending_failed (sending);
      lc_mpi_unlock ();
    }
  return result;
}

/* Unlocks the tables, which were locked until the call has returned. */
static int
wrap_send_end_immediate (struct lc_sending *sending, int result, uint64_t bytes, const MPI_Request *handle)
{
  struct lc_request *request = result == MPI_SUCCESS ? lc_request_add (*handle) : NULL;

  if (request != NULL)
    {
      request->channel = sending->channel;
      request->sequence = sending->sequence;
      request->bytes = bytes;
    }
  if (result != MPI_SUCCESS)
    lc_sending_failed (sending);
  lc_mpi_unlock ();
  lc_mpi_leave (&sending->call);
  if (result == MPI_SUCCESS)
    lc_mpi_append (&sending->call, &(struct lc_finished){.operation = LC_ISEND,
                                                         .object = sending->channel ? sending->channel->object : 0,
                                                         .sequence = sending->sequence,
                                                         .bytes = bytes});
  return result;
}

#define SEND(name, immediate, operation, Count) \
  LC_MPI_EXPORT int MPI_##name (const void *buffer, Count count, MPI_Datatype type, int to, int tag, \
                                MPI_Comm communicator) \
  { \
    struct lc_sending sending; \
    MPI_Request request; \
    uint64_t bytes; \
    uint8_t flags = 0; \
    int result; \
\
    if (!wrap_send_begin (&sending, operation, communicator, to, tag)) \
      return lc_mpi_pass (&sending.call, PMPI_##name (buffer, count, type, to, tag, communicator)); \
    bytes = wrap_send_count_bytes (count, type); \
    if (operation == LC_SEND ? may_wait (bytes) : lc_mpi_is_threaded) \
      result = wrap_send_wait_for (PMPI_##immediate (buffer, count, type, to, tag, communicator, &request), &request, \
                                   &flags); \
    else \
      result = PMPI_##name (buffer, count, type, to, tag, communicator); \
    wrap_send_stamp (&sending, operation, flags); \
    return wrap_send_end (&sending, operation, result, bytes, flags); \
  }

/* A buffered send waits for no other process. */
#define BUFFERED_SEND(name, Count) \
  LC_MPI_EXPORT int MPI_##name (const void *buffer, Count count, MPI_Datatype type, int to, int tag, \
                                MPI_Comm communicator) \
  { \
    struct lc_sending sending; \
    int result; \
\
    if (!lc_sending_begin (&sending, communicator, to, tag)) \
      return lc_mpi_pass (&sending.call, PMPI_##name (buffer, count, type, to, tag, communicator)); \
    result = PMPI_##name (buffer, count, type, to, tag, communicator); \
    lc_mpi_stamp_local (&sending.call); \
    lc_mpi_unlock (); \
    return wrap_send_end (&sending, LC_SEND, result, lc_mpi_bytes (count, type), 0); \
  }

#define IMMEDIATE_SEND(name, Count) \
  LC_MPI_EXPORT int MPI_##name (const void *buffer, Count count, MPI_Datatype type, int to, int tag, \
                                MPI_Comm communicator, MPI_Request *request) \
  { \
    struct lc_sending sending; \
    int result; \
\
    if (!lc_sending_begin (&sending, communicator, to, tag)) \
      { \
        result = PMPI_##name (buffer, count, type, to, tag, communicator, request); \
        return lc_request_pass (&sending.call, result, request); \
      } \
    result = PMPI_##name (buffer, count, type, to, tag, communicator, request); \
    lc_mpi_stamp_local (&sending.call); \
    return wrap_send_end_immediate (&sending, result, lc_mpi_bytes (count, type), request); \
  }

SEND (Send, Isend, LC_SEND, int)
SEND (Rsend, Irsend, LC_SEND, int)
SEND (Ssend, Issend, LC_SSEND, int)
BUFFERED_SEND (Bsend, int)
IMMEDIATE_SEND (Isend, int)
IMMEDIATE_SEND (Ibsend, int)
IMMEDIATE_SEND (Irsend, int)
IMMEDIATE_SEND (Issend, int)

#if MPI_VERSION >= 4
SEND (Send_c, Isend_c, LC_SEND, MPI_Count)
SEND (Rsend_c, Irsend_c, LC_SEND, MPI_Count)
SEND (Ssend_c, Issend_c, LC_SSEND, MPI_Count)
BUFFERED_SEND (Bsend_c, MPI_Count)
IMMEDIATE_SEND (Isend_c, MPI_Count)
IMMEDIATE_SEND (Ibsend_c, MPI_Count)
IMMEDIATE_SEND (Irsend_c, MPI_Count)
IMMEDIATE_SEND (Issend_c, MPI_Count)
#endif
