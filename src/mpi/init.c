/* SPDX-License-Identifier: Apache-2.0 */
/* The begin and end of MPI in a process: finds the recorder, names the rank, and has what all wrappers share. */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clocks.h"
#include "communicators.h"
#include "exit.h"
#include "record/futex.h"
#include "steer.h"
#include "worlds.h"

const struct lc_hooks *lc_mpi_hooks;
bool lc_mpi_is_threaded;
__thread bool lc_mpi_is_inside __attribute__ ((tls_model ("initial-exec")));

/* --- Calls --------------------------------------------------------------------------------------------------- */

static void
init_enter (const struct lc_hooks *hooks, struct lc_mpi_call *call)
{
  call->error = errno;
  call->end = 0;
  call->is_entered = true;
  lc_mpi_is_inside = true;
  hooks->suspend (&call->suspension);
  call->begin = lc_now (); /* which may be a call that is no input of the program */
}

static void
init_leave (const struct lc_hooks *hooks, struct lc_mpi_call *call)
{
  if (call->end == 0)
    call->end = lc_now_after ();
  hooks->resume (&call->suspension);
  lc_mpi_is_inside = false;
  errno = call->error;
}

void
lc_mpi_enter (struct lc_mpi_call *call)
{
  lc_steer_stay ();
  init_enter (lc_mpi_hooks, call);
}

void
lc_mpi_enter_unrecorded (struct lc_mpi_call *call)
{
  init_enter (lc_mpi_hooks, call);
}

void
lc_mpi_leave (struct lc_mpi_call *call)
{
  init_leave (lc_mpi_hooks, call);
}

void
lc_mpi_enter_with (const struct lc_hooks *hooks, struct lc_mpi_call *call)
{
  init_enter (hooks, call);
}

void
lc_mpi_leave_with (const struct lc_hooks *hooks, struct lc_mpi_call *call)
{
  init_leave (hooks, call);
}

int
lc_mpi_pass (struct lc_mpi_call *call, int result)
{
  if (call->is_entered)
    lc_mpi_leave (call);
  return result;
}

void
lc_mpi_missed (struct lc_mpi_call *call)
{
  lc_mpi_hooks->resume (&call->suspension);
  lc_mpi_hooks->lost (LC_LOST_WORLD);
  lc_mpi_hooks->suspend (&call->suspension);
}

bool
lc_mpi_has_jumped (void)
{
  if (lc_mpi_hooks->is_suspended ())
    return false;
  lc_mpi_is_inside = false;
  return true;
}

void
lc_mpi_append (const struct lc_mpi_call *call, struct lc_finished *event)
{
  if (event->begin == 0 && event->end == 0)
    {
      event->begin = call->begin;
      event->end = call->end;
    }
  lc_mpi_hooks->append (event);
}

void
lc_mpi_block (const struct lc_mpi_call *call, uint16_t operation, uint32_t object, uint64_t sequence)
{
  lc_mpi_hooks->await (operation, object, sequence, call->begin);
}

uint64_t
lc_mpi_bytes (MPI_Count count, MPI_Datatype type)
{
  MPI_Count size = 0;
  uint64_t bytes;

  if (PMPI_Type_size_x (type, &size) != MPI_SUCCESS || size < 0 || count < 0)
    return 0;
  return __builtin_mul_overflow ((uint64_t)count, (uint64_t)size, &bytes) ? UINT64_MAX : bytes;
}

/* --- The tables ---------------------------------------------------------------------------------------------- */

/* 0: free; 1: held; 2: held, and a thread sleeps. */
static uint32_t lock;

void
lc_mpi_lock_slow (void)
{
  uint32_t free = 0;

  if (__atomic_compare_exchange_n (&lock, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  while (__atomic_exchange_n (&lock, 2, __ATOMIC_ACQUIRE) != 0)
    lc_own_futex (&lock, FUTEX_WAIT_PRIVATE, 2, 0);
}

void
lc_mpi_unlock_slow (void)
{
  if (__atomic_exchange_n (&lock, 0, __ATOMIC_RELEASE) == 2)
    lc_own_futex (&lock, FUTEX_WAKE_PRIVATE, 1, 0);
}

enum
{
  SMALLEST_BITS = 4,
  SIZES = 48,
  CHUNK = 256 << 10,
  LARGE = CHUNK / 4, /* bytes from which on memory gets its own mapping */
};

/* Free memory, by the logarithm of its size. */
static struct room
{
  struct room *next;
} * rooms[SIZES];
static unsigned char *chunk;
static size_t chunk_left;

static unsigned int
init_size_class (size_t bytes)
{
  return bytes <= 1 << SMALLEST_BITS ? SMALLEST_BITS : 64 - (unsigned int)__builtin_clzll (bytes - 1);
}

static void *
init_map (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  return memory != MAP_FAILED ? memory : NULL;
}

void *
lc_mpi_allocate (size_t bytes)
{
  unsigned int class = init_size_class (bytes);
  struct room *room;
  size_t rounded = (size_t)1 << class;

  if (class >= SIZES)
    return NULL;
  if (rounded >= LARGE)
    return init_map (rounded);
  room = rooms[class];
  if (room != NULL)
    {
      rooms[class] = room->next;
      return room;
    }
  if (chunk_left < rounded)
    {
      chunk = init_map (CHUNK);
      chunk_left = chunk != NULL ? CHUNK : 0;
    }
  if (chunk_left < rounded)
    return NULL;
  room = (struct room *)(void *)chunk;
  chunk += rounded;
  chunk_left -= rounded;
  return room;
}

void
lc_mpi_release (void *memory, size_t bytes)
{
  struct room *room = memory;
  unsigned int class = init_size_class (bytes);

  if ((size_t)1 << class >= LARGE)
    {
      munmap (memory, (size_t)1 << class);
      return;
    }
  room->next = rooms[class];
  rooms[class] = room;
}

/* --- MPI_Init and MPI_Finalize ------------------------------------------------------------------------------- */

#ifndef LC_MPI_REPLAY /* replay-hooks.c */
const struct lc_hooks *
lc_mpi_find_hooks (void)
{
  int error = errno;
  const struct lc_hooks *hooks = dlsym (RTLD_DEFAULT, LC_HOOKS_SYMBOL);

  if (hooks == NULL)
    dlerror (); /* so that the program does not see our error */
  else if (hooks->version < LC_HOOKS_VERSION || *hooks->classes == 0)
    hooks = NULL;
  if (hooks != NULL)
    lc_clock_is_tsc = *hooks->clock_is_tsc;
  errno = error;
  return hooks;
}
#endif

static void
init_begin (const struct lc_hooks *hooks, struct lc_mpi_call *call)
{
  int rank = 0, size = 1, provided = MPI_THREAD_SINGLE;
  MPI_Group group;

  PMPI_Comm_rank (MPI_COMM_WORLD, &rank);
  PMPI_Comm_size (MPI_COMM_WORLD, &size);
  PMPI_Query_thread (&provided);
  lc_mpi_is_threaded |= provided == MPI_THREAD_MULTIPLE;
  lc_mpi_hooks = hooks;
  lc_world_begin (rank, size);
  if (PMPI_Comm_group (MPI_COMM_WORLD, &group) == MPI_SUCCESS)
    lc_communicators_begin (group, rank);
  lc_communicators_begin_world ();
  lc_clocks_begin (rank, size);
  /* The run of the rank counts from here on. */
  lc_world_name_rank (call, rank, size);
}

static int
mpi_init_init (int *argc, char ***argv, int required, int *provided)
{
  const struct lc_hooks *hooks = lc_mpi_find_hooks ();
  struct lc_mpi_call call;
  int result;

  if (hooks != NULL)
    {
      init_enter (hooks, &call);
      lc_exit_before_mpi (hooks);
    }
  result = provided != NULL ? PMPI_Init_thread (argc, argv, required, provided) : PMPI_Init (argc, argv);
  if (hooks == NULL)
    return result;
  lc_exit_after_mpi ();
  if (result == MPI_SUCCESS)
    init_begin (hooks, &call);
  init_leave (hooks, &call);
  return result;
}

LC_MPI_EXPORT int
MPI_Init (int *argc, char ***argv)
{
  return mpi_init_init (argc, argv, MPI_THREAD_SINGLE, NULL);
}

LC_MPI_EXPORT int
MPI_Init_thread (int *argc, char ***argv, int required, int *provided)
{
  return mpi_init_init (argc, argv, required, provided);
}

/* MPI need not let ranks wait for each other here, but mostly does: nobody knows for whom a rank has waited, so this is
 * an event of what is outside of the program. */
static int
mpi_init_finalize (const struct lc_hooks *hooks, struct lc_mpi_call *call)
{
  const bool is_told = (__atomic_load_n (hooks->classes, __ATOMIC_RELAXED) >> LC_CLASS_IO & 1) != 0;
  struct lc_finished event = {.operation = LC_FINALIZE};
  int result;

  if (is_told)
    {
      event.object = hooks->shared_object (LC_CLASS_IO, "MPI", 0);
      hooks->await (LC_FINALIZE, event.object, 0, call->begin);
    }
  result = PMPI_Finalize ();
  init_leave (hooks, call);
  event.begin = call->begin;
  event.end = call->end;
  if (is_told)
    hooks->append (&event);
  return result;
}

LC_MPI_EXPORT int
MPI_Finalize (void)
{
  const struct lc_hooks *hooks = lc_mpi_hooks;
  struct lc_mpi_call call;

  if (!lc_mpi_is_on ())
    return PMPI_Finalize ();
  lc_mpi_enter (&call);
  lc_steer_finalize ();
  lc_clocks_end ();
  if (!lc_sessions_go_on ())
    lc_mpi_hooks = NULL;
  return mpi_init_finalize (hooks, &call);
}

/* PMPI_Abort calls exit, and nothing that happens there is the program's doing. */
LC_MPI_EXPORT int
MPI_Abort (MPI_Comm communicator, int error)
{
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Abort (communicator, error);
  lc_mpi_enter (&call);
  lc_steer_abort ();
  result = PMPI_Abort (communicator, error);
  lc_mpi_leave (&call);
  return result;
}
