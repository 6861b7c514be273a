/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the library that gives inputs back which thread is which, and when none is given back any more. */
#include "inputs.h"

#include <unistd.h>

#include "replay.h"

/* The linker finds the other library, if it is here: dlsym allocates memory when it fails, and the program's allocator
 * may be what has called. */
extern __typeof__ (lc_inputs_are_given) lc_inputs_are_given __attribute__ ((weak));

bool
lc_replay_gives_inputs (void)
{
  static int gives = -1; /* not known yet */

  if (gives < 0)
    gives = lc_inputs_are_given != NULL && lc_inputs_are_given ();
  return gives;
}

void
lc_replay_begin_inputs (void)
{
  void *found = lc_replay_gives_inputs () ? dlsym (RTLD_DEFAULT, LC_INPUTS_START_SYMBOL) : NULL;
  __typeof__ (&lc_inputs_start) start;

  __builtin_memcpy (&start, &found, sizeof start);
  if (found != NULL)
    start ();
}

/* The first thread's history ends with the program, though it may have no events, unless it was cut. */
static bool
replay_inputs_is_over (const struct lc_replayed *self)
{
  const struct lc_replay_thread *thread = self->thread;

  return thread->next >= thread->n_events &&
         (self->number != 0 || thread->is_cut || thread->state >= LC_REPLAY_LEAVING);
}

/* What happens within an operation is done by this library, or by the C library for it. */
static uint32_t
replay_inputs_process (bool *is_over)
{
  struct lc_replayed *self = lc_replay_self;

  *is_over = false;
  if (self == NULL)
    {
      lc_replay_enter (LC_CLASS_THREAD); /* a constructor may be the first to come */
      self = lc_replay_self;
    }
  if (self == NULL || self->is_busy)
    return LC_NO_PROCESS;
  lc_replay_hold ();
  if (!lc_replay_follows ())
    return LC_NO_PROCESS;
  *is_over = replay_inputs_is_over (self);
  return self->thread->process;
}

/* The thread stays within if it is held. */
static void
replay_inputs_differ (void)
{
  const struct lc_replay_call call = {LC_CLASS_IO, LC_READ, 0, NULL, 0};

  lc_replay_differs (lc_replay_self, &call, LC_REPLAY_INPUT);
}

static void
replay_inputs_stay (void)
{
  if (lc_replay_self->thread->is_cut)
    lc_replay_stay (lc_replay_self);
}

extern const struct lc_inputs_giver lc_inputs_giver_1;

LC_REPLAY_EXPORT const struct lc_inputs_giver lc_inputs_giver_1 = {.version = 1,
                                                                   .code = lc_inputs_code_here,
                                                                   .process = replay_inputs_process,
                                                                   .differs = replay_inputs_differ,
                                                                   .stay = replay_inputs_stay};
