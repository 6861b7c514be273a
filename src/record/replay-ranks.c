/* SPDX-License-Identifier: Apache-2.0 */
/* Replays the threads of a rank of MPI: each rank has a plan of its own, and nothing within MPI has a turn. */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "inputs.h"
#include "replay.h"

/* The variables by which launchers tell a process its rank before it calls MPI_Init. */
static const char *const replay_rank_variables[] = {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK"};

/* The calling thread's history while the thread is in MPI. */
static __thread struct lc_replayed *replay_suspended __attribute__ ((tls_model ("initial-exec")));

/* A process without a launcher is rank 0. */
static const char *
replay_find_rank (void)
{
  for (size_t i = 0; i < sizeof replay_rank_variables / sizeof replay_rank_variables[0]; i++)
    {
      const char *rank = lc_replay_variable (replay_rank_variables[i]);

      if (rank != NULL)
        return rank;
    }
  return "0";
}

/* Launchers, shells and a program before it gets its library for MPI have the same variables. */
static int
replay_is_library_for_mpi (struct dl_phdr_info *module, size_t size, void *data)
{
  (void)size, (void)data;
  return strstr (module->dlpi_name, "liblightcone-replay-mpi-") != NULL;
}

bool
lc_replay_find_rank_plan (char *path, size_t room)
{
  const char *prefix = lc_replay_variable (LC_REPLAY_RANKS_ENVIRONMENT), *rank;

  if (prefix == NULL || dl_iterate_phdr (replay_is_library_for_mpi, NULL) == 0)
    return false;
  rank = replay_find_rank ();
  if (strlen (prefix) + strlen (rank) >= room)
    return false;
  strcpy (stpcpy (path, prefix), rank);
  return true;
}

void
lc_replay_suspend (struct lc_suspension *suspension)
{
  struct lc_replayed *self = lc_replay_self;

  suspension->is_outermost = self != NULL && lc_replay_is_here ();
  if (!suspension->is_outermost)
    return;
  __atomic_store_n (&self->thread->state, LC_REPLAY_INSIDE, __ATOMIC_RELEASE);
  replay_suspended = self;
  lc_replay_self = NULL;
}

/* A child that was forked meanwhile has no turns. */
void
lc_replay_resume (const struct lc_suspension *suspension)
{
  if (!suspension->is_outermost || !lc_replay_is_here ())
    return;
  lc_replay_self = replay_suspended;
  __atomic_store_n (&lc_replay_self->thread->state, LC_REPLAY_RUNNING, __ATOMIC_RELEASE);
}

uint32_t
lc_replay_get_process (void)
{
  const struct lc_replayed *self = lc_replay_self != NULL ? lc_replay_self : replay_suspended;

  return self != NULL && lc_replay_is_here () ? self->thread->process : LC_REPLAY_NONE;
}

/* Only recorders have it. The linker finds it: dlsym allocates memory when it fails, and the program's allocator may be
 * what has called. RTLD_NEXT means what comes after the library that dlsym returns to: it must not be the last call. */
extern const struct lc_inputs_keeper lc_inputs_keeper_1 __attribute__ ((weak));

const struct lc_hooks *
lc_replay_find_recorder (void)
{
  const struct lc_hooks *hooks = NULL;

  if (&lc_inputs_keeper_1 != NULL)
    {
      hooks = dlsym (RTLD_NEXT, LC_HOOKS_SYMBOL);
      if (hooks == NULL)
        dlerror (); /* clears the error, which the program would take for its own */
    }
  return hooks;
}
