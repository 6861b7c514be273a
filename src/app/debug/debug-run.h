/* SPDX-License-Identifier: Apache-2.0 */
/* A program that runs again under `lightcone replay --gdb --control`: where it stands, and what it is asked for. */
#ifndef LC_APP_DEBUG_RUN_H
#define LC_APP_DEBUG_RUN_H

#include "app/session/session.h"

typedef enum
{
  LC_DEBUG_BEGINS, /* on the way to the first stop, as far as is known */
  LC_DEBUG_RUNS,
  LC_DEBUG_STOPPED, /* the session has its stops */
  LC_DEBUG_ENDED,   /* gdb may still be there */
  LC_DEBUG_GONE,    /* gdb has gone */
} LcDebugState;

/*
 * Its signals:
 *
 *   changed (LcDebugRun *)                                             the state; also at each stop
 *   value (LcDebugRun *, const char *expression, const char *text, gboolean failed)
 *                                                                      an answer; the text is of the program, or gdb's
 *                                                                      message
 */
#define LC_TYPE_DEBUG_RUN (lc_debug_run_get_type ())
G_DECLARE_FINAL_TYPE (LcDebugRun, lc_debug_run, LC, DEBUG_RUN, GObject)

/* Listens on a socket in a private folder, for the replay that is started with its path. The breakpoints of the session
 * are told to it at each stop, and the session is told where the processes stand. */
LcDebugRun *lc_debug_run_new (LcSession *session, GError **error);

const char *lc_debug_run_get_path (LcDebugRun *run);
LcDebugState lc_debug_run_get_state (LcDebugRun *run);

/* Whether it has ever stopped. */
gboolean lc_debug_run_has_stopped (LcDebugRun *run);

/* The process to look at; LC_TRACE_NONE: it has not stopped. */
guint32 lc_debug_run_get_process (LcDebugRun *run);

/* Asks for what docs/replay.md describes; these do nothing in other states. */
void lc_debug_run_next (LcDebugRun *run, guint32 process);
void lc_debug_run_until (LcDebugRun *run, guint32 process, guint64 ordinal);
void lc_debug_run_finish (LcDebugRun *run);
void lc_debug_run_go (LcDebugRun *run);
void lc_debug_run_interrupt (LcDebugRun *run);
void lc_debug_run_ask_value (LcDebugRun *run, const char *expression);

/* Lets gdb quit if it can. FALSE: it cannot be asked now. */
gboolean lc_debug_run_quit (LcDebugRun *run);

/* Says that the replay has ended, or is not listened to any longer. */
void lc_debug_run_end (LcDebugRun *run);

#endif
