/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's report of how its scheduler switches between the threads of a program. */
#ifndef LC_TRACE_SWITCH_RINGS_H
#define LC_TRACE_SWITCH_RINGS_H

#include <glib.h>

typedef enum
{
  LC_SWITCH_IN,            /* the thread goes on */
  LC_SWITCH_OUT_BLOCKED,   /* it has to wait */
  LC_SWITCH_OUT_PREEMPTED, /* it could go on, but another one does */
  LC_SWITCH_EXIT,          /* it has ended */
  LC_SWITCH_LOST,          /* `lost` reports of any threads were dropped before this one */
} LcSwitchKind;

typedef struct
{
  guint64 time; /* ns of CLOCK_MONOTONIC */
  guint32 pid;
  guint32 thread;
  LcSwitchKind kind;
  guint32 lost;
} LcSwitch;

/* One buffer for each processor, which the kernel fills. */
typedef struct _LcSwitchRings LcSwitchRings;

/*
 * Asks the kernel to report the switches of the process `pid`, which has one thread, from the moment when it executes
 * a program, and of all threads and processes that it makes. NULL: `error` is the errno.
 */
LcSwitchRings *lc_switch_rings_open (guint32 pid, int *error);
void lc_switch_rings_free (LcSwitchRings *rings);

/* Maps the buffers in a child of the process that has opened them, which does not inherit that. FALSE: it cannot. */
gboolean lc_switch_rings_map_again (LcSwitchRings *rings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSwitchRings, lc_switch_rings_free)

/* Moves the reports (LcSwitch) of all that has happened until now to the end of `switches`, by time. */
void lc_switch_rings_read (LcSwitchRings *rings, GArray *switches);

#endif
