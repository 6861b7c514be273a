/* SPDX-License-Identifier: Apache-2.0 */
/* The struct of a running program, shared by the files that start it and wait for it. */
#ifndef LC_CLI_RUN_PRIVATE_H
#define LC_CLI_RUN_PRIVATE_H

#include <signal.h>

#include "run.h"

struct _LcRun
{
  GArray *inherited;      /* int: inherited descriptors besides the standard ones */
  sigset_t signals;       /* the signal mask that we inherited */
  struct sigaction child; /* the action for SIGCHLD that we inherited */
  sigset_t all;           /* the signals that we wait for */
  pid_t program;          /* 0: not started, or ended */
  int status;
  int stopped;                                 /* the signal that has stopped the program, or 0 */
  gboolean stop;                               /* somebody has asked us to stop */
  gboolean was_stop;                           /* we have stopped with the program */
  void (*forked) (guint32 pid, gpointer data); /* or NULL */
  gpointer forked_data;
  int kept; /* a signal that is ours, or 0 */
  void (*act) (gpointer data);
  gpointer data;
};

#endif
