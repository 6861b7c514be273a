/* SPDX-License-Identifier: Apache-2.0 */
/* Empties the places in which a recorded program writes: moves their content to the files that it belongs to. */
#ifndef LC_TRACE_DRAIN_H
#define LC_TRACE_DRAIN_H

#include <glib.h>

#include "folder.h"
#include "lightcone/recording.h"
#include "switches.h"

typedef struct _LcDrain LcDrain;

/* Limits that must not be exceeded. */
typedef struct
{
  guint64 max_size; /* bytes of the trace; 0: limited only by the disk */
  guint64 reserve;  /* bytes to leave free on the disk; LC_DRAIN_RESERVE: the default */
  gboolean is_safe; /* a place is free only when what was in it survives a loss of power */
} LcDrainLimits;

#define LC_DRAIN_RESERVE G_MAXUINT64

/*
 * Makes a drain for the trace in `folder` with this control block. `make`: the places have to be made first. The
 * content of places is never trusted.
 */
LcDrain *lc_drain_new (LcFolder *folder, struct lc_control *control, gboolean make, const LcDrainLimits *limits,
                       GError **error);
void lc_drain_free (LcDrain *drain);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDrain, lc_drain_free)

/* Locks the trace, which only one process may drain at a time. FALSE: another one does. */
gboolean lc_drain_lock (LcDrain *drain);

/* Empties the full places, and provides enough free ones. Returns the number of emptied places. */
guint lc_drain_round (LcDrain *drain);

/* Empties the places of address spaces that are gone. Returns their number. */
guint lc_drain_dead (LcDrain *drain);

/* Empties all places except those in use by a running process. FALSE: a write has failed. */
gboolean lc_drain_finish (LcDrain *drain, GError **error);

/* Notes that the program that was recorded has just ended: nobody else knows when, if it was killed. */
void lc_drain_end_program (LcDrain *drain, guint32 pid);

/* Looks for long waits in each round from now on. Call it once. */
void lc_drain_watch_waits (LcDrain *drain, const LcLongWaitSettings *settings);

/* Each round reads them. */
LcSwitches *lc_drain_get_switches (LcDrain *drain);

/* Drains in a thread until lc_drain_stop; again, if need be, also in a child of the process. */
gboolean lc_drain_start (LcDrain *drain, GError **error);
void lc_drain_stop (LcDrain *drain);

/* Stops, and leaves the rest to another one that drains the same recording. */
void lc_drain_leave (LcDrain *drain);

#endif
