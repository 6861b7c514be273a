/* SPDX-License-Identifier: Apache-2.0 */
/* When the threads of a program were off their processors: from the kernel's reports to files of the trace. */
#ifndef LC_TRACE_SWITCHES_H
#define LC_TRACE_SWITCHES_H

#include "folder.h"
#include "lightcone/control.h"

typedef struct _LcSwitches LcSwitches;

/*
 * Of several processes that record into one trace, each does so for its own program. All functions but the last may be
 * called from any thread.
 */
LcSwitches *lc_switches_new (LcFolder *folder, struct lc_control *control);

/* Begins with a program that was started as the process `pid` and executes nothing yet. If the kernel refuses, the
 * trace says so. */
void lc_switches_begin (LcSwitches *switches, guint32 pid);

/* Reads what the kernel has reported; to be called every few milliseconds. */
void lc_switches_round (LcSwitches *switches);

/* Writes all that is known, and ends the file. Nothing is done if it has ended, or nothing has begun. */
void lc_switches_end (LcSwitches *switches);

/* In a child of the process that has begun: goes on there. If that cannot be, nothing is reported any more. */
void lc_switches_take_over (LcSwitches *switches);

/* Leaves the rest to a child that has taken over. */
void lc_switches_leave (LcSwitches *switches);

void lc_switches_free (LcSwitches *switches);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSwitches, lc_switches_free)

#endif
