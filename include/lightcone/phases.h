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
  LC_PHASES_ERROR_DEFINITION, /* that is no definition of phases */
  LC_PHASES_ERROR_NONE,       /* nothing in this history begins such a phase */
} LcPhasesError;

/*
 * A definition says what begins a phase on a process:
 *
 *   tag            each event `tag`, with its value as the phase's number
 *   region:NAME    each event that enters the region: for the n-th time on its process, phase n
 *   barrier:NAME   each generation of the barrier: what comes after its n-th event is phase n, and the event itself is
 *                  still in the phase before (NAME may be left out if the history has one barrier only)
 *   object:NAME    each version of the object: an event with sequence n begins phase n. NAME may hold * and ?
 *   rule:NAME      as the group [phase NAME] of the rules says
 *   auto           what the rules define, else tags, else the barrier that most events are of
 *
 * Phases are cuts: an event is never in an earlier phase than what it came after, by program order or by an arc. So
 * they are totally ordered, and so are the events of different phases even if nothing but the phases orders them. An
 * event that would begin a phase that is not after the one that its process has come to stays in that one.
 */
typedef struct _LcPhases LcPhases;

/* NULL with LC_PHASES_ERROR, LC_HISTORY_ERROR or G_IO_ERROR_CANCELLED. Looks at all events once (a few seconds for 10
 * million, unless the same definition has been asked for before: the history keeps it where it can be written). */
LcPhases *lc_phases_find (LcHistory *history, guint32 timeline, const char *definition, GCancellable *cancellable,
                          GError **error);
void lc_phases_free (LcPhases *phases);

typedef struct
{
  const char *name; /* to show: "17", "generation 3" */
  guint64 begin;    /* ns, of its first event; 0 if it has none, as all below */
  guint64 end;      /* of its last event: phases may overlap in physical time */
  guint64 events;
  guint64 first_layer; /* of its events */
  guint64 last_layer;
  guint64 position; /* where it begins on the axis of phase time */
} LcPhase;

/* The definition that was used (never "auto"). */
const char *lc_phases_get_definition (const LcPhases *phases);

/* How many events would have begun a phase before the one that their process had come to: tags that count anew, say. */
guint64 lc_phases_get_n_behind (const LcPhases *phases);

/* The first one, number 0, is what comes before anything begins a phase; it may have no events. */
guint32 lc_phases_get_n (const LcPhases *phases);
const LcPhase *lc_phases_get (const LcPhases *phases, guint32 phase);

/* The ordinal of the first event of a process that is in this phase or a later one (or how many events it has). */
guint64 lc_phases_get_first (const LcPhases *phases, guint32 process, guint32 phase);

/* Which phase an event is in. */
guint32 lc_phases_of (const LcPhases *phases, guint32 process, guint64 ordinal);

/* Where an event of this phase and layer is on the axis of phase time: a phase takes up as many positions as it has
 * layers, and the next one begins after them. */
guint64 lc_phases_get_position (const LcPhases *phases, guint32 phase, guint64 layer);
guint64 lc_phases_get_n_positions (const LcPhases *phases);

/* --- Statistics --------------------------------------------------------------------------------------------------- */

/* What one process did in one phase: from the end of its last event before it to the end of its last event in it. */
typedef struct
{
  guint32 phase;
  guint32 process;
  guint64 events;
  guint64 time; /* computing + communication */
  guint64 computing;
  guint64 communication; /* see LcCommunication in statistics.h */
  guint64 waiting;
  guint64 transfer; /* communication - waiting */
} LcPhaseStatistics;

/* LcPhaseStatistics by phase and process, all phases times all processes, in a new array. NULL with
 * LC_PHASES_ERROR_DEFINITION if these are more than 16 million. */
GArray *lc_statistics_phases (LcHistory *history, guint32 timeline, const LcPhases *phases, GCancellable *cancellable,
                              GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPhases, lc_phases_free)

G_END_DECLS

#endif
