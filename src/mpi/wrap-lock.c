/* SPDX-License-Identifier: Apache-2.0 */
/* The locks of windows; and calls that are not recorded, but suspend the recorder because MPI's own locks are not the
 * program's. */
#include "windows.h"

#include <stdio.h>

static struct lc_window_target *
target_of (struct lc_window *window, int rank)
{
  struct lc_window_target *target;
  char name[LC_MPI_NAME + 32];

  if (rank < 0 || (uint32_t)rank >= window->communicator->n_world)
    return NULL;
  target = &window->targets[rank];
  if (target->lock == 0)
    {
      snprintf (name, sizeof name, "%s at %u", window->name, window->communicator->world[rank]);
      target->lock = lc_mpi_hooks->shared_object (LC_CLASS_CREW, name, 0);
      target->counter = lc_mpi_hooks->counter (name);
    }
  return target;
}

/* The upper bits of a shared counter's words count the holders of the lock, and the lower ones how often it was
 * taken. */
#define HOLDER (UINT64_C (1) << 48)
#define TIMES(word) ((word) & (HOLDER - 1))

/* MPI may grant a lock only when it is first used. If an excluding lock is held, or taken meanwhile, this one was not
 * granted yet, so its turn is unknown. Returns the number of readers since the last writer. */
static uint64_t
count_exclusive (struct lc_window_target *target)
{
  struct lc_shared_counter *counter = target->counter;
  uint64_t writers = __atomic_load_n (&counter->exclusive, __ATOMIC_SEQ_CST), readers;

  target->is_unknown =
      writers >= HOLDER || !__atomic_compare_exchange_n (&counter->exclusive, &writers, writers + 1 + HOLDER, false,
                                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (target->is_unknown)
    return 0;
  readers = __atomic_load_n (&counter->shared, __ATOMIC_SEQ_CST);
  target->is_unknown = readers >= HOLDER || !__atomic_compare_exchange_n (&counter->shared, &readers, 0, false,
                                                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  if (target->is_unknown)
    {
      __atomic_fetch_sub (&counter->exclusive, 1 + HOLDER, __ATOMIC_SEQ_CST);
      return 0;
    }
  target->version = TIMES (writers) + 1;
  return readers;
}

static void
count_shared (struct lc_window_target *target)
{
  struct lc_shared_counter *counter = target->counter;
  uint64_t writers = __atomic_load_n (&counter->exclusive, __ATOMIC_SEQ_CST);

  __atomic_fetch_add (&counter->shared, 1 + HOLDER, __ATOMIC_SEQ_CST);
  target->is_unknown = writers >= HOLDER || __atomic_load_n (&counter->exclusive, __ATOMIC_SEQ_CST) != writers;
  if (target->is_unknown)
    __atomic_fetch_sub (&counter->shared, 1 + HOLDER, __ATOMIC_SEQ_CST);
  else
    target->version = TIMES (writers);
}

/* Writes the event, beginning at `begin`, and returns its end: after this lock was counted, and thus after the end of
 * all that were counted before. */
static uint64_t
append_lock (const struct lc_mpi_call *call, struct lc_window_target *target, uint16_t operation, uint64_t begin)
{
  struct lc_finished event = {.operation = operation, .object = target->lock, .begin = begin};

  target->locked = operation;
  target->version = 0;
  target->is_unknown = !target->counter;
  if (target->counter && operation == LC_WRITE_START)
    event.value = count_exclusive (target);
  else if (target->counter)
    count_shared (target);
  event.sequence = target->version;
  event.flags = target->is_unknown ? LC_EVENT_UNKNOWN : 0;
  event.end = lc_mpi_hooks->now ();
  lc_mpi_append (call, &event);
  return event.end;
}

/* Counts the lock as released; before another process can get it. */
static struct lc_finished
wrap_lock_give_back (const struct lc_mpi_call *call, struct lc_window_target *target)
{
  bool writes = target->locked == LC_WRITE_START;

  if (!target->is_unknown)
    __atomic_fetch_sub (writes ? &target->counter->exclusive : &target->counter->shared, HOLDER, __ATOMIC_ACQ_REL);
  target->locked = 0;
  return (struct lc_finished){.operation = writes ? LC_WRITE_END : LC_READ_END,
                              .flags = target->is_unknown ? LC_EVENT_UNKNOWN : 0,
                              .object = target->lock,
                              .sequence = target->version,
                              .begin = call->begin,
                              .end = call->begin};
}

LC_MPI_EXPORT int
MPI_Win_lock (int type, int rank, int assertion, MPI_Win win)
{
  uint16_t operation = type == MPI_LOCK_EXCLUSIVE ? LC_WRITE_START : LC_READ_START;
  struct lc_window_target *target = NULL;
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_lock (type, rank, assertion, win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  if (window)
    target = target_of (window, rank);
  if (target)
    lc_mpi_block (&call, operation, target->lock, 0);
  result = PMPI_Win_lock (type, rank, assertion, win);
  lc_mpi_leave (&call);
  if (result == MPI_SUCCESS && target)
    append_lock (&call, target, operation, call.begin);
  else
    lc_mpi_hooks->unblock ();
  return result;
}

LC_MPI_EXPORT int
MPI_Win_unlock (int rank, MPI_Win win)
{
  struct lc_window_target *target = NULL;
  struct lc_finished event;
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_unlock (rank, win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  if (window)
    target = target_of (window, rank);
  if (target && target->locked)
    event = wrap_lock_give_back (&call, target);
  else
    target = NULL;
  result = PMPI_Win_unlock (rank, win);
  lc_mpi_leave (&call);
  if (target)
    lc_mpi_append (&call, &event);
  return result;
}

LC_MPI_EXPORT int
MPI_Win_lock_all (int assertion, MPI_Win win)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  uint64_t told;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_lock_all (assertion, win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  result = PMPI_Win_lock_all (assertion, win);
  lc_mpi_leave (&call);
  if (result != MPI_SUCCESS || !window)
    return result;
  told = call.begin;
  for (int rank = 0; rank < window->communicator->size; rank++)
    told = append_lock (&call, target_of (window, rank), LC_READ_START, told);
  return result;
}

LC_MPI_EXPORT int
MPI_Win_unlock_all (MPI_Win win)
{
  struct lc_mpi_call call;
  struct lc_window *window;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Win_unlock_all (win);
  lc_mpi_enter (&call);
  window = lc_window_find (win);
  for (int rank = 0; window && rank < window->communicator->size; rank++)
    {
      struct lc_window_target *target = target_of (window, rank);

      if (target->locked)
        {
          struct lc_finished event = wrap_lock_give_back (&call, target);
          struct lc_suspension suspension;

          lc_mpi_hooks->resume (&call.suspension);
          lc_mpi_append (&call, &event);
          lc_mpi_hooks->suspend (&suspension);
        }
    }
  result = PMPI_Win_unlock_all (win);
  lc_mpi_leave (&call);
  return result;
}

/* --- Not recorded, but MPI's own locks are not the program's ---------------------------------------------------- */

#define PASSES(function, parameters, arguments) \
  LC_WINDOW_CALL_BY (lc_mpi_enter_unrecorded, function, parameters, arguments, lc_mpi_leave (&call))

PASSES (Win_flush, (int rank, MPI_Win win), (rank, win))
PASSES (Win_flush_all, (MPI_Win win), (win))
PASSES (Win_flush_local, (int rank, MPI_Win win), (rank, win))
PASSES (Win_flush_local_all, (MPI_Win win), (win))
