/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves out what libraries that MPI has loaded do when the program exits: their handlers stand between two of ours. */
#include "exit.h"

#include <stdlib.h>

static const struct lc_hooks *recorder;
static struct lc_suspension suspension;
static bool is_inside;

static void
resume_at_exit (void)
{
  if (is_inside)
    recorder->resume (&suspension);
  is_inside = false;
}

static void
suspend_at_exit (void)
{
  recorder->suspend (&suspension);
  is_inside = true;
}

/* Handlers are called in the reverse order: this one after all those of MPI. */
void
lc_exit_before_mpi (const struct lc_hooks *hooks)
{
  if (recorder == NULL && atexit (resume_at_exit) == 0)
    recorder = hooks;
}

void
lc_exit_after_mpi (void)
{
  static bool is_done;

  if (recorder != NULL && !is_done)
    is_done = atexit (suspend_at_exit) == 0;
}
