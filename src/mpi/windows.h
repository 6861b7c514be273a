/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of one-sided communication. */
#ifndef LC_MPI_WINDOWS_H
#define LC_MPI_WINDOWS_H

#include "communicators.h"

/* The state of this rank's access to one target. */
struct lc_window_target
{
  struct lc_channel *channel; /* of its puts and gets; NULL: none yet */
  struct lc_shared_counter *counter;
  uint32_t lock;    /* object of the target's lock; 0: none yet */
  uint16_t locked;  /* LC_READ_START, LC_WRITE_START, or 0 */
  bool is_unknown;  /* it cannot be known whose turn it was */
  uint64_t version; /* version of what the lock guards, while it is held */
};

/* The processes of a call of MPI_Win_start or MPI_Win_post, until that epoch is over. */
struct lc_window_group
{
  uint32_t *ranks; /* ranks in the world; NULL: there is none */
  int n;
};

struct lc_window
{
  char name[LC_MPI_NAME]; /* "world/window.1" */
  char word[24];          /* "window.1" */
  struct lc_communicator *communicator;
  uint32_t object; /* its object of class collective */
  uint64_t fences; /* number of the next fence */
  struct lc_window_group targets_started, origins_posted;
  bool is_awaiting; /* MPI_Win_start has returned before all of its targets had posted */
  struct lc_window_target targets[];
};

/* Finds a window. NULL: nothing is known of it. */
struct lc_window *lc_window_find (MPI_Win handle);

/* Names a window that all members of `comm` have made, in the same order. NULL: nothing can be known of it. */
struct lc_window *lc_window_name (MPI_Win handle, MPI_Comm comm);

/* Both must be called with the tables unlocked. */
void lc_window_keep_group (struct lc_window_group *kept, MPI_Group group);
void lc_window_forget_group (struct lc_window_group *kept);

/* Defines the wrapper of MPI_`function`. `leave` is done after the call: lc_mpi_leave and more, with `call` and
 * `result`. */
#define LC_WINDOW_CALL(function, parameters, arguments, leave) \
  LC_WINDOW_CALL_BY (lc_mpi_enter, function, parameters, arguments, leave)

#define LC_WINDOW_CALL_BY(enter, function, parameters, arguments, leave) \
  LC_MPI_EXPORT int MPI_##function parameters \
  { \
    struct lc_mpi_call call; \
    int result; \
\
    if (!lc_mpi_is_on ()) \
      return PMPI_##function arguments; \
    enter (&call); \
    result = PMPI_##function arguments; \
    leave; \
    return result; \
  }

#endif
