/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of each window of one-sided communication. */
#ifndef LC_MPI_WINDOWS_H
#define LC_MPI_WINDOWS_H

#include "communicators.h"

/* What this rank does to one target. */
struct lc_window_target
{
  struct lc_channel *channel; /* of what it puts there and gets from there; NULL: nothing yet */
  struct lc_shared_counter *counter;
  uint32_t lock;    /* the record of the target's lock; 0: none yet */
  uint16_t locked;  /* LC_READ_START, LC_WRITE_START, or 0 */
  bool is_unknown;  /* nobody can say whose turn it was */
  uint64_t version; /* of what the lock guards, while it is held */
};

/* The processes of a call of MPI_Win_start or MPI_Win_post, until those are over. */
struct lc_window_group
{
  uint32_t *ranks; /* in the world; NULL: there is none */
  int n;
};

struct lc_window
{
  char name[LC_MPI_NAME]; /* "world/window.1" */
  char word[24];          /* "window.1" */
  struct lc_communicator *communicator;
  uint32_t object; /* its record of class collective */
  uint64_t fences; /* how many operations of all there have been */
  struct lc_window_group targets_started, origins_posted;
  bool is_awaiting; /* MPI_Win_start has come back before all of its targets had posted */
  struct lc_window_target targets[];
};

/* NULL: nothing is known of it. */
struct lc_window *lc_window_find (MPI_Win handle);

/* A window that all of `comm` have made, in the same order. NULL: nothing can be known of it. */
struct lc_window *lc_window_name (MPI_Win handle, MPI_Comm comm);

/* With the tables unlocked. */
void lc_window_keep_group (struct lc_window_group *kept, MPI_Group group);
void lc_window_forget_group (struct lc_window_group *kept);

/* The whole of MPI_`function`. `leave`: what is done after it, lc_mpi_leave and more, with `call` and `result`. */
#define LC_WINDOW_CALL(function, parameters, arguments, leave) \
  LC_MPI_EXPORT int MPI_##function parameters \
  { \
    struct lc_mpi_call call; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return PMPI_##function arguments; \
    lc_mpi_enter (&call); \
    result = PMPI_##function arguments; \
    leave; \
    return result; \
  }

#endif
