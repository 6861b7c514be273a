/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the clock of each host with that of rank 0's host, by messages there and back. */
#include "clocks.h"

#include <stdlib.h>
#include <string.h>

/*
 * The first rank of each other host asks rank 0 for its time, and assumes the answer to be of the middle between asking
 * and hearing; so it is wrong by at most half of that time. The shortest of many round trips counts. These are the only
 * messages that the recorder adds to a program: on their own communicator, and only if the ranks are on several
 * hosts.
 */
enum
{
  ROUNDS = 32,
  TAG = 1
};

/* Set by lightcone record --host: replaces the host's own name. */
static const char host_variable[] = "LIGHTCONE_HOST";

static MPI_Comm private_communicator = MPI_COMM_NULL;
static int own_rank, n_ranks;
static uint64_t *hosts; /* by rank: a hash of its host's name */

/* Returns how many ranks the launcher has put on this host; 0: it does not say. */
static int
local_ranks (void)
{
  static const char *const variables[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};

  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    {
      const char *value = getenv (variables[i]);

      if (value != NULL)
        return atoi (value);
    }
  return 0;
}

static uint64_t
hash_host (void)
{
  char processor[MPI_MAX_PROCESSOR_NAME] = "";
  const char *name = getenv (host_variable);
  uint64_t hash = UINT64_C (0xcbf29ce484222325);
  int length;

  if (name == NULL || *name == '\0')
    {
      PMPI_Get_processor_name (processor, &length);
      name = processor;
    }
  for (; *name != '\0'; name++)
    hash = (hash ^ (unsigned char)*name) * UINT64_C (0x100000001b3);
  return hash;
}

/* Combines what each rank was told, so that all ranks decide alike. */
static bool
may_be_several_hosts (void)
{
  int may_be = n_ranks > 1 && (getenv (host_variable) != NULL || local_ranks () < n_ranks), any = 0;

  if (PMPI_Allreduce (&may_be, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD) != MPI_SUCCESS)
    return false;
  return any != 0;
}

static bool
learn_hosts (void)
{
  uint64_t own = hash_host ();
  bool known;

  lc_mpi_lock ();
  hosts = lc_mpi_allocate ((size_t)n_ranks * sizeof *hosts);
  lc_mpi_unlock ();
  known = hosts != NULL;
  /* Ranks without memory must take part too. */
  PMPI_Allreduce (MPI_IN_PLACE, &known, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
  if (!known)
    return false;
  PMPI_Allgather (&own, 1, MPI_UINT64_T, hosts, 1, MPI_UINT64_T, MPI_COMM_WORLD);
  for (int i = 1; i < n_ranks; i++)
    if (hosts[i] != hosts[0])
      return true;
  return false;
}

static bool
is_first_of_host (int rank)
{
  for (int i = 0; i < rank; i++)
    if (hosts[i] == hosts[rank])
      return false;
  return true;
}

static void
clocks_answer (int rank)
{
  uint64_t now;

  for (int i = 0; i < ROUNDS; i++)
    {
      PMPI_Recv (NULL, 0, MPI_BYTE, rank, TAG, private_communicator, MPI_STATUS_IGNORE);
      now = lc_mpi_hooks->since_start (lc_mpi_hooks->now ());
      PMPI_Send (&now, 1, MPI_UINT64_T, rank, TAG, private_communicator);
    }
}

static void
clocks_ask (void)
{
  uint64_t shortest = UINT64_MAX, middle = 0, reference = 0, heard = 0;

  for (int i = 0; i < ROUNDS; i++)
    {
      uint64_t begin = lc_mpi_hooks->now (), end;

      PMPI_Send (NULL, 0, MPI_BYTE, 0, TAG, private_communicator);
      PMPI_Recv (&heard, 1, MPI_UINT64_T, 0, TAG, private_communicator, MPI_STATUS_IGNORE);
      end = lc_mpi_hooks->now ();
      if (end - begin >= shortest)
        continue;
      shortest = end - begin;
      middle = begin + shortest / 2;
      reference = heard;
    }
  lc_mpi_hooks->clock (middle, reference,
                       lc_mpi_hooks->since_start (middle + shortest / 2) - lc_mpi_hooks->since_start (middle) +
                           shortest % 2);
}

static void
clocks_compare (void)
{
  uint64_t now;

  if (own_rank == 0)
    {
      now = lc_mpi_hooks->now ();
      lc_mpi_hooks->clock (now, lc_mpi_hooks->since_start (now), 0);
      for (int i = 1; i < n_ranks; i++)
        if (is_first_of_host (i) && hosts[i] != hosts[0])
          clocks_answer (i);
    }
  else if (is_first_of_host (own_rank))
    clocks_ask ();
}

void
lc_clocks_begin (int rank, int ranks)
{
  own_rank = rank;
  n_ranks = ranks;
  if (may_be_several_hosts () && learn_hosts () && PMPI_Comm_dup (MPI_COMM_WORLD, &private_communicator) == MPI_SUCCESS)
    clocks_compare ();
}

void
lc_clocks_end (void)
{
  if (private_communicator == MPI_COMM_NULL)
    return;
  clocks_compare ();
  PMPI_Comm_free (&private_communicator);
}
