/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in which all processes of a window meet: making, freeing, and fences. */
#include "windows.h"

static void
append_fence (const struct lc_mpi_call *call, struct lc_window *window)
{
  if (window)
    lc_mpi_append (call, &(struct lc_finished){.operation = LC_FENCE,
                                               .object = window->object,
                                               .sequence = window->fences++,
                                               .value = window->communicator->members});
}

static void
end_making (struct lc_mpi_call *call, int result, const MPI_Win *made, MPI_Comm comm)
{
  struct lc_mpi_call naming;
  struct lc_window *window;

  lc_mpi_leave (call);
  if (result != MPI_SUCCESS)
    return;
  lc_mpi_enter_unrecorded (&naming);
  window = lc_window_name (*made, comm);
  lc_mpi_leave (&naming);
  append_fence (call, window);
}

#define MAKES(function, parameters, arguments) \
  LC_WINDOW_CALL (function, parameters, arguments, end_making (&call, result, win, comm))

MAKES (Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
       (base, size, unit, info, comm, win))
MAKES (Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
       (size, unit, info, comm, base, win))
MAKES (Win_allocate_shared, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
       (size, unit, info, comm, base, win))
MAKES (Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win), (info, comm, win))
#if MPI_VERSION >= 4
MAKES (Win_create_c, (void *base, MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, MPI_Win *win),
       (base, size, unit, info, comm, win))
MAKES (Win_allocate_c, (MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
       (size, unit, info, comm, base, win))
MAKES (Win_allocate_shared_c, (MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win),
       (size, unit, info, comm, base, win))
#endif

static struct lc_window *
begin_fence (struct lc_mpi_call *call, MPI_Win win)
{
  struct lc_window *window;

  lc_mpi_enter (call);
  window = lc_window_find (win);
  if (window)
    lc_mpi_block (call, LC_FENCE, window->object, window->fences);
  return window;
}

LC_MPI_EXPORT int
MPI_Win_fence (int assertion, MPI_Win win)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_fence (assertion, win);
  window = begin_fence (&call, win);
  result = PMPI_Win_fence (assertion, win);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS)
    append_fence (&call, window);
  else
    lc_mpi_hooks->unblock ();
  return result;
}

/* The record of the window goes away while MPI frees it, so the event is prepared before. */
LC_MPI_EXPORT int
MPI_Win_free (MPI_Win *win)
{
  struct lc_finished event = {.operation = LC_FENCE};
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_free (win);
  window = begin_fence (&call, *win);
  if (window)
    {
      event.object = window->object;
      event.sequence = window->fences;
      event.value = window->communicator->members;
    }
  result = PMPI_Win_free (win);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS && window)
    lc_mpi_append (&call, &event);
  else
    lc_mpi_hooks->unblock ();
  return result;
}
