/* SPDX-License-Identifier: Apache-2.0 */
/* A call of a collective operation, from its number to its event. */
#include "collective.h"

#include <stdio.h>

#include "communicators.h"
#include "messages.h"

/* The two operations into which the non-blocking form of an operation is split. */
static const struct
{
  uint16_t begin, finish;
} parts[] = {
    [LC_BARRIER] = {LC_IBARRIER, LC_FINISH_ALL},
    [LC_BROADCAST_ROOT] = {LC_IBROADCAST_ROOT, LC_FINISH_LOCAL},
    [LC_BROADCAST_RECV] = {LC_IBROADCAST_RECV, LC_FINISH_FROM_ROOT},
    [LC_SCATTER_ROOT] = {LC_ISCATTER_ROOT, LC_FINISH_LOCAL},
    [LC_SCATTER] = {LC_ISCATTER, LC_FINISH_FROM_ROOT},
    [LC_REDUCE] = {LC_IREDUCE, LC_FINISH_LOCAL},
    [LC_REDUCE_ROOT] = {LC_IREDUCE_ROOT, LC_FINISH_AT_ROOT},
    [LC_GATHER] = {LC_IGATHER, LC_FINISH_LOCAL},
    [LC_GATHER_ROOT] = {LC_IGATHER_ROOT, LC_FINISH_AT_ROOT},
    [LC_ALL_REDUCE] = {LC_IALL_REDUCE, LC_FINISH_ALL},
    [LC_ALL_GATHER] = {LC_IALL_GATHER, LC_FINISH_ALL},
    [LC_ALL_TO_ALL] = {LC_IALL_TO_ALL, LC_FINISH_ALL},
    [LC_REDUCE_SCATTER] = {LC_IREDUCE_SCATTER, LC_FINISH_ALL},
    [LC_SCAN] = {LC_ISCAN, LC_FINISH_ALL},
};

static MPI_Count
count_at (const struct lc_amount *amount, int i)
{
  return amount->width == sizeof (int) ? ((const int *)amount->counts)[i] : ((const MPI_Count *)amount->counts)[i];
}

/* Returns the bytes of an amount; if it has one for each partner, their average. */
static uint64_t
bytes_of (const struct lc_communicator *communicator, const struct lc_amount *amount)
{
  int n = communicator->remote_size && !amount->local ? communicator->remote_size : communicator->size;
  uint64_t sum = 0;

  if (!amount->counts)
    return lc_mpi_bytes (amount->count, amount->type);
  for (int i = 0; i < n; i++)
    {
      MPI_Count count = count_at (amount, i);

      if (amount->types)
        sum += count ? lc_mpi_bytes (count, amount->types[i]) : 0;
      else
        sum += (uint64_t)count;
    }
  sum = (sum + (uint64_t)n - 1) / (uint64_t)n;
  return amount->types ? sum : lc_mpi_bytes ((MPI_Count)sum, amount->type);
}

static void
collective_take_number (struct lc_collective *collective, uint64_t *count)
{
  collective->count = count;
  collective->number = lc_mpi_is_threaded ? __atomic_fetch_add (count, 1, __ATOMIC_RELAXED) : (*count)++;
}

static void
collective_enter (struct lc_collective *collective, MPI_Comm handle)
{
  lc_mpi_enter (&collective->call);
  collective->operation = 0;
  collective->communicator = lc_communicator_use (&collective->call, handle);
}

void
lc_collective_enter (struct lc_collective *collective, MPI_Comm handle)
{
  collective_enter (collective, handle);
  if (collective->communicator)
    collective_take_number (collective, &collective->communicator->collectives);
}

void
lc_collective_enter_persistent (struct lc_collective *collective, MPI_Comm handle)
{
  collective_enter (collective, handle);
  if (collective->communicator)
    collective_take_number (collective, &collective->communicator->persistent);
}

/* In an intercommunicator, the root is the only one of its group to take part. */
void
lc_collective_rooted (struct lc_collective *collective, uint16_t root_operation, uint16_t other, int root,
                      struct lc_amount at_root, struct lc_amount at_other)
{
  const struct lc_communicator *communicator = collective->communicator;
  bool is_root;

  if (!communicator || root == MPI_PROC_NULL)
    return;
  if (communicator->remote_size)
    {
      is_root = root == MPI_ROOT;
      collective->members = 1 + (uint32_t)(is_root ? communicator->remote_size : communicator->size);
    }
  else
    {
      is_root = root == communicator->rank;
      collective->members = communicator->members;
    }
  collective->operation = is_root ? root_operation : other;
  collective->amount = collective->awaited = is_root ? at_root : at_other;
}

void
lc_collective_of_all (struct lc_collective *collective, uint16_t operation, const void *buffer, struct lc_amount sent,
                      struct lc_amount received)
{
  if (!collective->communicator)
    return;
  collective->operation = operation;
  collective->members = collective->communicator->members;
  collective->amount = buffer == MPI_IN_PLACE ? received : sent;
  collective->awaited = received;
}

void
lc_collective_block (const struct lc_collective *collective)
{
  if (collective->operation)
    lc_mpi_block (&collective->call, collective->operation, collective->communicator->object, collective->number);
}

/* Whether it cannot be known for whom this process has waited: it need not wait for a process from which it receives
 * nothing, and in a scan only the last process needs all others. `bytes` are those of the amount. */
static bool
collective_is_unknown (const struct lc_collective *collective, uint64_t bytes)
{
  const struct lc_communicator *communicator = collective->communicator;
  const struct lc_amount *amount = &collective->amount, *awaited = &collective->awaited;
  uint16_t operation = collective->operation;

  if (operation == LC_BARRIER || operation == LC_COMMUNICATOR || parts[operation].finish == LC_FINISH_LOCAL)
    return false;
  if (operation == LC_SCAN && communicator->rank + 1 < communicator->size)
    return true;
  if (!awaited->counts && !amount->counts && awaited->count == amount->count && awaited->type == amount->type)
    return bytes == 0;
  if (!awaited->counts)
    return bytes_of (communicator, awaited) == 0;
  if (awaited->local)
    return count_at (awaited, communicator->rank) == 0;
  for (int i = 0; i < (communicator->remote_size ? communicator->remote_size : communicator->size); i++)
    if (count_at (awaited, i) == 0 && (communicator->remote_size || i != communicator->rank))
      return true;
  return false;
}

static void
collective_append (const struct lc_collective *collective, uint16_t operation, uint8_t flags, uint64_t bytes)
{
  struct lc_finished event = {
      .operation = operation,
      .flags = flags,
      .object = collective->communicator->object,
      .sequence = collective->number,
      .value = collective->members,
      .bytes = bytes,
  };

  lc_mpi_append (&collective->call, &event);
}

/* Ends the call; TRUE: there is an event to write. A failed operation has not happened, so its number is given back. */
static bool
collective_leave (struct lc_collective *collective, int result, uint64_t *bytes)
{
  bool is_event = result == MPI_SUCCESS && collective->operation;

  lc_mpi_stamp (&collective->call);
  if (collective->communicator && result != MPI_SUCCESS)
    __atomic_fetch_sub (collective->count, 1, __ATOMIC_RELAXED);
  *bytes = is_event ? bytes_of (collective->communicator, &collective->amount) : 0;
  collective->is_unknown = is_event && collective_is_unknown (collective, *bytes);
  lc_mpi_leave (&collective->call);
  return is_event;
}

void
lc_collective_leave (struct lc_collective *collective, int result)
{
  uint64_t bytes;

  if (collective_leave (collective, result, &bytes))
    collective_append (collective, collective->operation, collective->is_unknown ? LC_EVENT_UNKNOWN : 0, bytes);
  else
    lc_mpi_hooks->unblock ();
}

static struct lc_pending_collective
collective_pending (const struct lc_collective *collective, uint64_t bytes)
{
  return (struct lc_pending_collective){
      .number = collective->number,
      .bytes = bytes,
      .object = collective->communicator->object,
      .members = collective->members,
      .finish = collective->is_unknown ? LC_FINISH_LOCAL : parts[collective->operation].finish,
  };
}

void
lc_collective_begun (struct lc_collective *collective, int result, MPI_Request *request,
                     const struct lc_pending_communicator *made)
{
  struct lc_pending_collective begun;
  uint64_t bytes;

  if (!collective_leave (collective, result, &bytes))
    {
      lc_request_add_nothing (result, request);
      return;
    }
  collective_append (collective, parts[collective->operation].begin, 0, bytes);
  begun = collective_pending (collective, bytes);
  lc_request_add_collective (*request, &begun, collective->communicator, made);
}

void
lc_collective_name_persistent (char *to, const struct lc_communicator *communicator, uint64_t number)
{
  char text[LC_MPI_NAME + 32];

  snprintf (text, sizeof text, "%s/persistent.%llu", communicator->name, (unsigned long long)number + 1);
  lc_mpi_name (to, text);
}

void
lc_collective_initialised (struct lc_collective *collective, int result, const MPI_Request *request)
{
  struct lc_communicator *communicator = collective->communicator;
  struct lc_pending_collective initialised;
  char name[LC_MPI_NAME];
  uint64_t bytes;

  if (!collective_leave (collective, result, &bytes))
    return;
  lc_collective_name_persistent (name, communicator, collective->number);
  initialised = collective_pending (collective, bytes);
  initialised.object = lc_mpi_hooks->shared_object (LC_CLASS_COLLECTIVE, name, communicator->members);
  initialised.begin = parts[collective->operation].begin;
  lc_request_add_collective (*request, &initialised, communicator, NULL);
}
