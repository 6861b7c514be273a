/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program as if nobody stood between it and whoever called us. */
#ifndef LC_CLI_RUN_H
#define LC_CLI_RUN_H

#include <glib.h>
#include <sys/types.h>

typedef struct _LcRun LcRun;

/*
 * Notes what the program will inherit, so that nothing that this process does from now on changes it: descriptors,
 * what it does with signals and which of them it blocks.
 */
LcRun *lc_run_new (void);
void lc_run_free (LcRun *run);

/*
 * Starts `command` (found as execvp does) with this environment. 0, or the errno of why it could not be started. From
 * here on this process blocks all signals, and standard input and output are the program's alone.
 */
int lc_run_start (LcRun *run, char *const *command, char *const *environment);

/* When this signal is sent to this process, `act` is called instead of passing it on. It must not block. */
void lc_run_keep_signal (LcRun *run, int signal, void (*act) (gpointer data), gpointer data);

/*
 * Waits until the program has ended, and returns its status as waitpid gives it. Signals that somebody sends to this
 * process go to the program, and this process stops and continues as the program does.
 */
int lc_run_wait (LcRun *run);

/*
 * Waits for what the program has left running in the background, as long as that is being recorded into this trace
 * directory (an absolute path). When it takes a while, `tell` is called with how many they are. FALSE: the user has
 * interrupted it.
 */
gboolean lc_run_wait_for_rest (LcRun *run, const char *directory, void (*tell) (guint count));

/* Ends this process with the signal that has ended the program, or returns the program's exit status. */
int lc_run_end_like (int status);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRun, lc_run_free)

#endif
