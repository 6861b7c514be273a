/* SPDX-License-Identifier: Apache-2.0 */
/* Names of communicators, for the wrappers that make communicators and windows. */
#ifndef LC_MPI_COMMUNICATORS_H
#define LC_MPI_COMMUNICATORS_H

#include "recording.h"

/*
 * A recording may have several MPI_COMM_WORLDs: of programs started with MPI_Comm_spawn, or of several launchers in one
 * script. Each has a rank 0, a tag 7 and a "world", which must not be confused. So the ranks of all worlds are counted
 * together, and "ranks of the world" means these numbers everywhere: the second world, after one of 4 ranks, begins
 * with rank 4 and has the name "world-4".
 */
extern uint32_t lc_world_first;

/* Sets the world's group, which is owned from now on, and this process's rank in it. Must be called once lc_world_first
 * is known, and may be called again if the same world has got another group. */
void lc_communicators_begin (MPI_Group world, int rank);
void lc_communicators_begin_world (void); /* MPI_COMM_WORLD exists */
void lc_communicators_go_on (MPI_Group world);
void lc_communicators_end (void);

/* Makes a name of at most LC_MPI_NAME - 1 bytes from a text; a longer text is cut, and a hash of it appended. */
void lc_mpi_name (char *to, const char *text);

/*
 * Names a communicator that only its members have made (MPI_Comm_create_group, MPI_Intercomm_create), so that no other
 * process has counted it. The name has `from`, the first members, a hash of all members and the tag, and a number that
 * the members count alone. Does nothing for MPI_COMM_NULL.
 */
void lc_communicator_name_set (MPI_Comm handle, const char *from, int tag);

/* Lists the `n` world ranks of a group; release them with lc_mpi_release. NULL: the group is empty, a member is of
 * another world, or there is no memory. Must be called with the tables unlocked. */
uint32_t *lc_communicator_list (MPI_Group group, int *n);

#endif
