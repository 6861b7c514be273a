/* SPDX-License-Identifier: Apache-2.0 */
/* Phases: the parts of an execution that the program itself would name, and phase time. */
#ifndef LIGHTCONE_PHASES_H
#define LIGHTCONE_PHASES_H

#include "lightcone/history.h"

G_BEGIN_DECLS

#define LC_PHASES_ERROR (lc_phases_error_quark ())
GQuark lc_phases_error_quark (void);

typedef enum
{
  LC_PHASES_ERROR_DEFINITION, /* not a definition of phases */
  LC_PHASES_ERROR_NONE,       /* nothing in this history begins such a phase */
} LcPhasesError;

/*
 * A definition says what begins a phase on a process:
 *
 *   tag              each event `tag`, with its value as the phase's number
 *   region:NAME      each event that enters the region: for the n-th time on its process, phase n
 *   barrier:NAME     each generation of the barrier: what comes after its n-th event is phase n, and the event itself
 * is still in the phase before (NAME may be left out if the history has one barrier only) collective:NAME  each
 * collective operation on the communicator, as each generation of a barrier object:NAME      each version of the
 * object: an event with sequence n begins phase n. NAME may hold * and ? rule:NAME        as the group [phase NAME] of
 * the rules says auto             what the rules define, else tags, else the barrier that most events are of, or the
 * communicator of MPI with most collective operations, or the routine of OpenMP that most parallel regions carry out
 *
 * Phases are cuts: an event is never in an earlier phase than what it came after, by program order or by an arc. So
 * they are totally ordered, and so are the events of different phases even if nothing but the phases orders them. An
 * event that would begin a phase that is not after the one that its process has come to stays in that one.
 */
typedef struct _LcPhases LcPhases;

/* Finds the phases of a timeline. NULL with LC_PHASES_ERROR, LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. Looks at all
 * events once (a few seconds for 10 million) unless the same definition has been used before: the history keeps the
 * result if it is writable. */
LcPhases *lc_phases_find (LcHistory *history, guint32 timeline, const char *definition, GCancellable *cancellable,
                          GError **error);
void lc_phases_free (LcPhases *phases);

typedef struct
{
  const char *name; /* to show: "17", "generation 3", "all-reduce world #3" */
  guint64 begin;    /* ns, of its first event; 0, like the fields below, if it has no events */
  guint64 end;      /* of its last event: phases may overlap in physical time */
  guint64 events;
  guint64 first_layer; /* of its events */
  guint64 last_layer;
  guint64 position; /* begin on the axis of phase time */
} LcPhase;

/* The definition that was used, never "auto". */
const char *lc_phases_get_definition (const LcPhases *phases);

/* Whether phases are what lies up to and with something that all do together, a barrier or a collective operation: the
 * first phase is one of them then. */
gboolean lc_phases_has_generations (const LcPhases *phases);

/* The number of events that would have begun a phase earlier than the one their process had reached; as when tags
 * restart. */
guint64 lc_phases_get_n_behind (const LcPhases *phases);

/* Phase 0 is everything before the first begin of a phase; it may have no events. */
guint32 lc_phases_get_n (const LcPhases *phases);
const LcPhase *lc_phases_get (const LcPhases *phases, guint32 phase);

/* The name in the user's language. */
const char *lc_phase_get_title (const LcPhase *phase);

/* The ordinal of the first event of a process in this phase or a later one, or its number of events if there is
 * none. */
guint64 lc_phases_get_first (const LcPhases *phases, guint32 process, guint32 phase);

/* The phase of an event. */
guint32 lc_phases_of (const LcPhases *phases, guint32 process, guint64 ordinal);

/* The position of this phase and layer on the axis of phase time. A phase takes as many positions as it has layers, and
 * the next phase follows. */
guint64 lc_phases_get_position (const LcPhases *phases, guint32 phase, guint64 layer);
guint64 lc_phases_get_n_positions (const LcPhases *phases);

/* --- Statistics --------------------------------------------------------------------------------------------------- */

/* A process in a phase: from the end of its last event before the phase to the end of its last event in it. */
typedef struct
{
  guint32 phase;
  guint32 process;
  guint64 events;
  guint64 time; /* computing + communication + preempted + outside */
  guint64 computing;
  guint64 communication; /* see LcCommunication in statistics.h */
  guint64 waiting;
  guint64 transfer; /* communication - waiting */
  guint64 preempted;
  guint64 outside;
} LcPhaseStatistics;

/* LcPhaseStatistics by phase and process, for all phases and all processes, in a new array. NULL with
 * LC_PHASES_ERROR_DEFINITION if there are more than 16 million. */
GArray *lc_statistics_phases (LcHistory *history, guint32 timeline, const LcPhases *phases, GCancellable *cancellable,
                              GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPhases, lc_phases_free)

G_END_DECLS

#endif
