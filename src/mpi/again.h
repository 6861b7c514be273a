/* SPDX-License-Identifier: Apache-2.0 */
/* A replay that is recorded itself: the recorder is in the rank, too, and has numbers of its own. */
#ifndef LC_MPI_AGAIN_H
#define LC_MPI_AGAIN_H

#include "lightcone/replay-mpi-plan.h"
#include "recording.h"

/* The recorder. NULL: nothing is recorded, and the functions below do nothing. */
extern const struct lc_hooks *lc_again_recorder;

/* What replays the threads of this rank. NULL: nothing does. */
extern const struct lc_replay_hooks *lc_again_threads;

void lc_again_begin (void);

/* Makes a record of an object that the replay has given this number, unless it has one. */
void lc_again_add_object (uint32_t object, enum lc_class class, const char *name, uint64_t value);

/* Takes a number for a request that the replay has given this one. */
void lc_again_add_request (uint32_t request);

/* Notes what is waited for. */
void lc_again_await (uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin);

/* Records an event: as the planned one, which it is (of a row of tests in vain, at the first of them); NULL: as it
 * comes. */
void lc_again_append (const struct lc_finished *finished, const struct lc_replay_mpi_event *planned);

void lc_again_resolve (uint32_t request, uint32_t object, uint32_t sequence);

/* Between these, the replay does something by itself, which is not the program's. */
void lc_again_suspend (struct lc_suspension *suspension);
void lc_again_resume (const struct lc_suspension *suspension);

#endif
