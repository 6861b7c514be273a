/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: the stack pointers of functions, by which it is seen which of them a longjmp leaves. */
#ifndef LC_MPI_PROFILE_JUMPS_H
#define LC_MPI_PROFILE_JUMPS_H

#include <stdint.h>

/* Gives the stack pointer that the caller of this function's caller has at the call; 0: not known here. */
__attribute__ ((always_inline)) static inline uintptr_t
lc_profile_caller_stack (void)
{
#ifdef __x86_64__
  /* The return address and the caller's frame pointer lie between. */
  return (uintptr_t)__builtin_frame_address (0) + 2 * sizeof (void *);
#else
  return 0;
#endif
}

#endif
