/* SPDX-License-Identifier: Apache-2.0 */
/* Suspends recording while exit handlers of MPI's libraries run: they are registered between two handlers of ours. */
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

/* Handlers run in reverse order, so this one runs after all those of MPI. */
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
