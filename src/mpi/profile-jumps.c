/* SPDX-License-Identifier: Apache-2.0 */
/* Profiled: functions that are left with longjmp, which do not say so. C++'s exceptions do. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include "profile-jumps.h"
#include "profile.h"

#if defined __x86_64__ && defined __GLIBC__

/* Gives the stack pointer that the target has: glibc keeps it as the seventh of eight registers, mangled with a number
 * that each thread has at a fixed place. */
static uintptr_t
profile_jumps_find_stack (const void *environment)
{
  uint64_t stack, guard;

  memcpy (&stack, (const char *)environment + 6 * sizeof stack, sizeof stack);
  __asm__("movq %%fs:0x30, %0" : "=r"(guard));
  return (uintptr_t)((stack >> 17 | stack << 47) ^ guard);
}

static void
profile_jumps_note (const void *environment)
{
  if (lc_profile_is_on && lc_profile_self != NULL && !lc_profile_self->inside)
    lc_profile_jump (lc_profile_self, profile_jumps_find_stack (environment));
}

/* The C library's own functions have other names, too, and <setjmp.h> redirects to the one that checks. They are looked
 * up at the start, for a program may jump out of a signal handler. */
#define PROFILE_JUMP(name) \
  static void (*real_##name) (struct __jmp_buf_tag *, int) __attribute__ ((noreturn)); \
  LC_PROFILE_EXPORT __attribute__ ((noreturn)) void profile_##name (struct __jmp_buf_tag *, int) __asm__(#name); \
  void profile_##name (struct __jmp_buf_tag *environment, int value) \
  { \
    if (real_##name == NULL) \
      *(void **)&real_##name = dlsym (RTLD_NEXT, #name); \
    profile_jumps_note (environment); \
    real_##name (environment, value); \
  }

PROFILE_JUMP (longjmp)
PROFILE_JUMP (_longjmp)
PROFILE_JUMP (siglongjmp)
PROFILE_JUMP (__longjmp_chk)

__attribute__ ((constructor (101))) static void
profile_jumps_load (void)
{
  *(void **)&real_longjmp = dlsym (RTLD_NEXT, "longjmp");
  *(void **)&real__longjmp = dlsym (RTLD_NEXT, "_longjmp");
  *(void **)&real_siglongjmp = dlsym (RTLD_NEXT, "siglongjmp");
  *(void **)&real___longjmp_chk = dlsym (RTLD_NEXT, "__longjmp_chk");
}

#endif
