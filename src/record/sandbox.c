/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps track of threads that are in a sandbox, where the recorder must not make system calls of its own. */
#include "recorder.h"

/* A filter holds for the thread that asked for it and the threads it makes, or for all threads. */
static __thread bool is_thread_sandboxed __attribute__ ((tls_model ("initial-exec")));
static bool is_program_sandboxed;

bool
lc_is_sandboxed (void)
{
  return is_thread_sandboxed || __atomic_load_n (&is_program_sandboxed, __ATOMIC_RELAXED);
}

void
lc_sandbox_inherit (bool sandboxed)
{
  is_thread_sandboxed = sandboxed;
}

void
lc_sandbox_begin (bool all)
{
  if (all)
    __atomic_store_n (&is_program_sandboxed, true, __ATOMIC_RELAXED);
  else
    is_thread_sandboxed = true;
}
