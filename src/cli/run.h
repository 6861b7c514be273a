/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program as if our caller had started it directly. */
#ifndef LC_CLI_RUN_H
#define LC_CLI_RUN_H

#include <glib.h>
#include <sys/types.h>

typedef struct _LcRun LcRun;

/*
 * Notes what the program will inherit, so that nothing that this process does later changes it: descriptors, actions
 * for signals, and the signal mask.
 */
LcRun *lc_run_new (void);
void lc_run_free (LcRun *run);

/*
 * Starts `command` (found as execvp does) with this environment. Returns 0, or the errno why it could not be started.
 * From then on, this process blocks all signals, and only the program has the standard input and output.
 */
int lc_run_start (LcRun *run, char *const *command, char *const *environment);

/*
 * Calls `forked` while lc_run_start waits between the making of the process and its execution of the program. What it
 * opens, the program does not get. Nothing is called if there are no descriptors left to wait with.
 */
void lc_run_set_forked (LcRun *run, void (*forked) (guint32 pid, gpointer data), gpointer data);

/* When this signal is sent to this process, `act` is called instead of passing it on. It must not block. */
void lc_run_keep_signal (LcRun *run, int signal, void (*act) (gpointer data), gpointer data);

/* The program's pid, until it has ended; else 0. */
guint32 lc_run_get_program (const LcRun *run);

/*
 * Waits until the program has ended, and returns its status as waitpid gives it. Signals that this process gets from
 * others are passed on to the program, and this process stops and continues as the program does.
 */
int lc_run_wait (LcRun *run);

/*
 * Waits for processes that the program has left in the background, as long as they are being recorded into this trace
 * directory (an absolute path). If that takes a while, `tell` is called with their number. FALSE: the user has
 * interrupted it.
 */
gboolean lc_run_wait_for_rest (LcRun *run, const char *directory, void (*tell) (guint count));

/* Waits so long. FALSE: the user has interrupted it. */
gboolean lc_run_rest (LcRun *run, guint milliseconds);

/* Ends this process by the signal that ended the program, or returns the program's exit status. */
int lc_run_end_like (int status);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRun, lc_run_free)

#endif
