/* SPDX-License-Identifier: Apache-2.0 */
/* What a program that runs is, to those who start it and wait for it. */
#ifndef LC_CLI_RUN_PRIVATE_H
#define LC_CLI_RUN_PRIVATE_H

#include <signal.h>

#include "run.h"

struct _LcRun
{
  GArray *inherited;      /* int: descriptors besides the standard ones */
  sigset_t signals;       /* that were blocked */
  struct sigaction child; /* what was to be done about SIGCHLD */
  sigset_t all;           /* that we wait for */
  pid_t program;          /* 0: not started, or has ended */
  int status;
  int stopped;       /* the signal that has stopped the program, or 0 */
  gboolean stop;     /* somebody has asked us to stop */
  gboolean was_stop; /* we have stopped with the program */
  int kept;          /* a signal that is ours, or 0 */
  void (*act) (gpointer data);
  gpointer data;
};

#endif
