/* SPDX-License-Identifier: Apache-2.0 */
/* The place of this rank in the plan of its replay. */
#ifndef LC_MPI_REPLAY_HOOKS_H
#define LC_MPI_REPLAY_HOOKS_H

#include "lightcone/replay-mpi-plan.h"
#include "recording.h"

/* Gives the event that is `skipped` after the next one. NULL: nothing is kept any more, or nothing more was recorded.
 */
const struct lc_replay_mpi_event *lc_replay_next (unsigned int skipped);

/* Whether the event is a test or a probe in vain. */
bool lc_replay_is_vain (uint16_t operation);

/* Whether the event is what somebody may have waited for by tests and probes: those in vain that came right before are
 * a part of it, and their number is not known. */
bool lc_replay_is_answer (uint16_t operation);

/* Gives an object of the plan. NULL: the event has none. */
const struct lc_replay_mpi_object *lc_replay_object (const struct lc_replay_mpi_event *event);

/* Whether the object of a wrapper, as `shared_object` has given it, is that of the event. */
static inline bool
lc_replay_is_object (const struct lc_replay_mpi_event *event, uint32_t object)
{
  return event->object != LC_REPLAY_NONE && object == event->object + 1;
}

/* Tells that this rank does something else than it did. Returns if it may go on all the same. */
void lc_replay_differ (enum lc_replay_difference difference, uint16_t operation, uint32_t object, uint64_t sequence);

/* The same of a call that has not been made yet: it may fail, and then it is none. Whoever runs the program tells it if
 * the call lasts. */
void lc_replay_suspect (enum lc_replay_difference difference, uint16_t operation, uint32_t object, uint64_t sequence);

/* Lets other threads of the rank go on for a moment. */
void lc_replay_pause (void);

/* Waits until all ranks have come to their ends, while MPI goes on with what they need of this one. */
void lc_replay_wait_for_others (void);

/* Waits, while the rank has done as much as it may, before its next call; MPI goes on with what others need of it. */
void lc_replay_stay_at_limit (void);

void lc_replay_set_ended (void);

/* Whether several threads of this rank have used MPI. */
bool lc_replay_has_threads (void);

/* The number of this rank. */
uint32_t lc_replay_number (void);

#endif
