/* SPDX-License-Identifier: Apache-2.0 */
/* Threads inside an OpenMP library that tells a tool what it does. */
#ifndef LC_RECORD_WRAP_OPENMP_TOOL_H
#define LC_RECORD_WRAP_OPENMP_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder.h"

/*
 * Let the calling thread enter and leave the library, whose own locks and condition variables are none of the
 * program's: nothing that the thread does in between is recorded. Both return whether it was inside.
 */
bool lc_openmp_enter_library (void);
bool lc_openmp_leave_library (void);

/* The code of such a library. */
extern struct lc_openmp_code
{
  uintptr_t start;
  size_t size;
} lc_openmp_code;

/* Tells whether a call comes from the library, or was a routine's last one and returns there. */
static inline bool
lc_openmp_is_caller (const void *caller)
{
  return (uintptr_t)caller - lc_openmp_code.start < lc_openmp_code.size;
}

/* Tells whether the recorder knows the object at an address, which then is none of the library's. */
bool lc_openmp_is_known (const void *address, enum lc_class class);

/* Tells whether a call means an object of the library: its own locks are not recorded wherever it uses them, for whom
 * it has to wake is chance. */
static inline LC_ALWAYS_INLINE bool
lc_openmp_is_call (const void *caller, const void *address, enum lc_class class)
{
  return LC_UNLIKELY (lc_openmp_is_caller (caller)) && !lc_openmp_is_known (address, class);
}

/* Notes an object that has just been made: what the library makes is not known. */
void lc_openmp_made (struct lc_thread *thread, const void *caller, const void *address, enum lc_class class,
                     bool shared);

/* Forgets the library's code if that has been unloaded. */
void lc_openmp_forget_code (void);

/* The routine that the calling thread hands to a team. NULL: it is not known. */
extern __thread const void *lc_openmp_forked __attribute__ ((tls_model ("initial-exec")));

/* Whether the calling thread may still be where it has made its last task, and carry it out there. */
extern __thread bool lc_openmp_has_made_task __attribute__ ((tls_model ("initial-exec")));

/* The place of the `taskloop` that the calling thread carries out. NULL: none. */
extern __thread const void *lc_openmp_taskloop __attribute__ ((tls_model ("initial-exec")));

#endif
