/* SPDX-License-Identifier: Apache-2.0 */
/* What only those need who make communicators and windows: their names. */
#ifndef LC_MPI_COMMUNICATORS_H
#define LC_MPI_COMMUNICATORS_H

#include "recording.h"

/* What is known of the world: its group, which is ours from now on, and this process's rank in it. Not before
   lc_world_first is known; again when the same world has got another group. */
void lc_communicators_begin (MPI_Group world, int rank);
void lc_communicators_begin_world (void); /* MPI_COMM_WORLD is there */
void lc_communicators_go_on (MPI_Group world);
void lc_communicators_end (void);

/* A text as a name of at most LC_MPI_NAME - 1 bytes: a longer one ends in a hash of it. */
void lc_mpi_name (char *to, const char *text);

/*
 * Names a communicator that only its own members have made (MPI_Comm_create_group, MPI_Intercomm_create), so that
 * nobody else has counted it: by `from`, the first members, a hash of all of them and of the tag, and a number that
 * they alone count. Nothing happens for MPI_COMM_NULL.
 */
void lc_communicator_name_set (MPI_Comm handle, const char *from, int tag);

/* The world's ranks of a group: *n of them, to be given back with lc_mpi_release. NULL: there are none, one is of
   another world, or there is no memory. With the tables unlocked. */
uint32_t *lc_communicator_list (MPI_Group group, int *n);

#endif
