/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the ranks of several worlds, and sessions. */
#include "worlds.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "communicators.h"
#include "exit.h"

/* lc_world_first is set, or no longer needed */
static bool is_numbered;

/* Takes the next `size` rank numbers. The counter is one host's; a recording of several hosts has a single job. */
static uint32_t
take_ranks (int size)
{
  struct lc_shared_counter *worlds = lc_mpi_hooks->counter ("worlds");

  return worlds != NULL ? (uint32_t)__atomic_fetch_add (&worlds->exclusive, (uint64_t)size, __ATOMIC_RELAXED) : 0;
}

void
lc_world_begin (int rank, int size)
{
  uint32_t first = lc_world_first;

  if (rank == 0 && !is_numbered)
    first = take_ranks (size);
  if (size > 1)
    PMPI_Bcast (&first, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD);
  if (!is_numbered)
    lc_world_first = first;
  is_numbered = true;
}

void
lc_world_name_rank (struct lc_mpi_call *call, int rank, int size)
{
  static bool has_been;

  if (has_been)
    return;
  has_been = true;
  lc_mpi_hooks->resume (&call->suspension);
  lc_mpi_hooks->rank (lc_world_first + (uint32_t)rank, (uint32_t)size);
  lc_mpi_hooks->suspend (&call->suspension);
}

#if MPI_VERSION >= 4

/* --- Sessions ------------------------------------------------------------------------------------------------- */

/* A session belongs to one process, and other processes of its world need not have one, so they cannot be asked. The
 * processes of a world have in common the launcher's process on this host, which has started them, directly or not. */

enum
{
  MOST_SESSIONS = 16,
  MOST_PARENTS = 8,
  PATIENCE = 1000, /* ms to wait for the process that numbers the world */
};

static MPI_Session open_sessions[MOST_SESSIONS];
static int n_sessions;
static pthread_mutex_t sessions_lock = PTHREAD_MUTEX_INITIALIZER;

/* Reads a process's parent, its start time and its name. */
static bool
worlds_read_process (int process, int *parent, unsigned long long *started, char name[static 32])
{
  char path[32], text[1024], *end;
  ssize_t n;
  int file;

  snprintf (path, sizeof path, "/proc/%d/stat", process);
  file = open (path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  n = read (file, text, sizeof text - 1);
  close (file);
  text[n > 0 ? n : 0] = '\0';
  end = strrchr (text, ')');
  if (end == NULL || sscanf (text, "%*d (%31[^)]", name) != 1)
    return false;
  return sscanf (end + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", parent,
                 started) == 2;
}

/* Makes a key of the launcher's process and its start time: "world 4711.123456". */
static bool
worlds_find_launcher (char *key, size_t bytes)
{
  static const char *const launchers[] = {"hydra_pmi_proxy", "hydra_bstrap_p", "slurmstepd", "mpirun",
                                          "mpiexec",         "orted",          "prted",      "mpispawn"};
  unsigned long long started;
  int process = getppid (), parent;
  char name[32];

  for (int i = 0; i < MOST_PARENTS && process > 1 && worlds_read_process (process, &parent, &started, name); i++)
    {
      for (size_t k = 0; k < sizeof launchers / sizeof *launchers; k++)
        if (strncmp (name, launchers[k], strlen (launchers[k])) == 0)
          {
            snprintf (key, bytes, "world %d.%llu", process, started);
            return true;
          }
      process = parent;
    }
  return false;
}

/* Numbers the ranks of this world: the first of its processes that asks takes the numbers for all. */
static bool
number_world (int size)
{
  struct lc_shared_counter *world;
  char key[64];

  if (is_numbered)
    return true;
  if (size == 1)
    {
      lc_world_first = take_ranks (1);
      return is_numbered = true;
    }
  world = worlds_find_launcher (key, sizeof key) ? lc_mpi_hooks->counter (key) : NULL;
  if (world == NULL)
    return false;
  if (__atomic_fetch_add (&world->shared, 1, __ATOMIC_RELAXED) == 0)
    __atomic_store_n (&world->exclusive, 1 + (uint64_t)take_ranks (size), __ATOMIC_RELEASE);
  for (int i = 0; i < PATIENCE && __atomic_load_n (&world->exclusive, __ATOMIC_ACQUIRE) == 0; i++)
    usleep (1000);
  lc_world_first = (uint32_t)__atomic_load_n (&world->exclusive, __ATOMIC_ACQUIRE) - 1;
  return is_numbered = lc_world_first != UINT32_MAX;
}

/* Begins recording with the first session of a program that has not called MPI_Init. */
static void
worlds_begin (const struct lc_hooks *hooks, struct lc_mpi_call *call, MPI_Group group)
{
  int rank = 0, size = 1;

  PMPI_Group_rank (group, &rank);
  PMPI_Group_size (group, &size);
  lc_mpi_hooks = hooks;
  if (!number_world (size))
    {
      lc_mpi_missed (call);
      lc_mpi_hooks = NULL;
      return;
    }
  lc_mpi_is_threaded = true;
  lc_communicators_begin (group, rank);
  lc_world_name_rank (call, rank, size);
}

static bool
find_world (MPI_Session session, MPI_Group *group)
{
  return PMPI_Group_from_session_pset (session, "mpi://WORLD", group) == MPI_SUCCESS;
}

static void
add_session (const struct lc_hooks *hooks, struct lc_mpi_call *call, MPI_Session session)
{
  MPI_Group group;

  pthread_mutex_lock (&sessions_lock);
  if (lc_mpi_hooks == NULL && find_world (session, &group))
    {
      worlds_begin (hooks, call, group);
      if (lc_mpi_hooks == NULL)
        PMPI_Group_free (&group);
    }
  if (lc_mpi_hooks != NULL && n_sessions < MOST_SESSIONS)
    open_sessions[n_sessions++] = session;
  pthread_mutex_unlock (&sessions_lock);
}

/* The world's group must not belong to a session that is over, nor to MPI_Init's world after MPI_Finalize: takes it
 * from a session that is open. */
static bool
move_on (void)
{
  MPI_Group group;

  if (n_sessions == 0 || !find_world (open_sessions[0], &group))
    return false;
  lc_communicators_go_on (group);
  return true;
}

bool
lc_sessions_go_on (void)
{
  bool go_on;

  pthread_mutex_lock (&sessions_lock);
  go_on = move_on ();
  pthread_mutex_unlock (&sessions_lock);
  return go_on;
}

static void
remove_session (MPI_Session session)
{
  int place = 0, initialised = 0, finalised = 0;

  pthread_mutex_lock (&sessions_lock);
  while (place < n_sessions && open_sessions[place] != session)
    place++;
  if (place < n_sessions)
    {
      open_sessions[place] = open_sessions[--n_sessions];
      PMPI_Initialized (&initialised);
      PMPI_Finalized (&finalised);
      if ((!initialised || finalised) && !move_on ())
        {
          lc_communicators_end ();
          lc_mpi_hooks = NULL;
        }
    }
  pthread_mutex_unlock (&sessions_lock);
}

LC_MPI_EXPORT int
MPI_Session_init (MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
  const struct lc_hooks *hooks = lc_mpi_find_hooks ();
  struct lc_mpi_call call;
  int result;

  if (hooks == NULL || lc_mpi_is_inside)
    return PMPI_Session_init (info, handler, session);
  lc_mpi_enter_with (hooks, &call);
  lc_exit_before_mpi (hooks);
  result = PMPI_Session_init (info, handler, session);
  lc_exit_after_mpi ();
  if (result == MPI_SUCCESS)
    add_session (hooks, &call, *session);
  lc_mpi_leave_with (hooks, &call);
  return result;
}

LC_MPI_EXPORT int
MPI_Session_finalize (MPI_Session *session)
{
  const struct lc_hooks *hooks = lc_mpi_hooks;
  struct lc_mpi_call call;
  int result;

  if (!lc_mpi_is_on ())
    return PMPI_Session_finalize (session);
  lc_mpi_enter_with (hooks, &call);
  remove_session (*session);
  result = PMPI_Session_finalize (session);
  lc_mpi_leave_with (hooks, &call);
  return result;
}

#else

bool
lc_sessions_go_on (void)
{
  return false;
}

#endif
