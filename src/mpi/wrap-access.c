/* SPDX-License-Identifier: Apache-2.0 */
/* Access to another process's window. */
#include "messages.h"
#include "windows.h"

static void
wrap_access_end (struct lc_mpi_call *call, int result, MPI_Win win, int rank, uint16_t operation, uint64_t bytes,
                 const MPI_Request *request)
{
  struct lc_finished event = {.operation = operation, .bytes = bytes};
  struct lc_window *window = lc_window_find (win);
  struct lc_window_target *target;

  lc_mpi_leave (call);
  if (request)
    lc_request_add_nothing (result, request);
  if (result != MPI_SUCCESS || !window || rank < 0 || (uint32_t)rank >= window->communicator->n_world)
    return;
  target = &window->targets[rank];
  lc_mpi_lock ();
  if (!target->channel)
    target->channel = lc_channel_find_named (window->communicator->name, window->communicator->me,
                                             window->communicator->world[rank], window->word);
  if (target->channel)
    {
      event.object = target->channel->object;
      event.sequence = target->channel->sent++;
    }
  lc_mpi_unlock ();
  lc_mpi_append (call, &event);
}

/* `given` is where the request is returned, or NULL. */
#define WRAP(function, operation, count, type, given, parameters, arguments) \
  LC_WINDOW_CALL (function, parameters, arguments, \
                  wrap_access_end (&call, result, win, rank, operation, \
                                   result == MPI_SUCCESS && rank >= 0 ? lc_mpi_bytes (count, type) : 0, given))

/* GIVEN, LAST and ARGUMENT are for the functions that return a request. */
#define ACCESSES(put, get, accumulate, get_accumulate, COUNT, GIVEN, LAST, ARGUMENT) \
  WRAP (put, LC_PUT, n, type, GIVEN, \
        (const void *own, COUNT n, MPI_Datatype type, int rank, MPI_Aint at, COUNT n_there, MPI_Datatype type_there, \
         MPI_Win win LAST), \
        (own, n, type, rank, at, n_there, type_there, win ARGUMENT)) \
  WRAP (get, LC_GET, n, type, GIVEN, \
        (void *own, COUNT n, MPI_Datatype type, int rank, MPI_Aint at, COUNT n_there, MPI_Datatype type_there, \
         MPI_Win win LAST), \
        (own, n, type, rank, at, n_there, type_there, win ARGUMENT)) \
  WRAP (accumulate, LC_ACCUMULATE, n, type, GIVEN, \
        (const void *own, COUNT n, MPI_Datatype type, int rank, MPI_Aint at, COUNT n_there, MPI_Datatype type_there, \
         MPI_Op op, MPI_Win win LAST), \
        (own, n, type, rank, at, n_there, type_there, op, win ARGUMENT)) \
  WRAP (get_accumulate, LC_ACCUMULATE, n_got, type_got, GIVEN, \
        (const void *own, COUNT n, MPI_Datatype type, void *got, COUNT n_got, MPI_Datatype type_got, int rank, \
         MPI_Aint at, COUNT n_there, MPI_Datatype type_there, MPI_Op op, MPI_Win win LAST), \
        (own, n, type, got, n_got, type_got, rank, at, n_there, type_there, op, win ARGUMENT))

#define NOTHING
#define REQUEST_PARAMETER , MPI_Request *request
#define REQUEST_ARGUMENT , request

ACCESSES (Put, Get, Accumulate, Get_accumulate, int, NULL, NOTHING, NOTHING)
ACCESSES (Rput, Rget, Raccumulate, Rget_accumulate, int, request, REQUEST_PARAMETER, REQUEST_ARGUMENT)
#if MPI_VERSION >= 4
ACCESSES (Put_c, Get_c, Accumulate_c, Get_accumulate_c, MPI_Count, NULL, NOTHING, NOTHING)
ACCESSES (Rput_c, Rget_c, Raccumulate_c, Rget_accumulate_c, MPI_Count, request, REQUEST_PARAMETER, REQUEST_ARGUMENT)
#endif

WRAP (Fetch_and_op, LC_ACCUMULATE, 1, type, NULL,
      (const void *own, void *got, MPI_Datatype type, int rank, MPI_Aint at, MPI_Op op, MPI_Win win),
      (own, got, type, rank, at, op, win))
WRAP (Compare_and_swap, LC_ACCUMULATE, 1, type, NULL,
      (const void *own, const void *compared, void *got, MPI_Datatype type, int rank, MPI_Aint at, MPI_Win win),
      (own, compared, got, type, rank, at, win))
