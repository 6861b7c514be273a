/* SPDX-License-Identifier: Apache-2.0 */
/* Futexes of our own, which are no events of the program's: the C library's `syscall` is recorded. */
#ifndef LC_RECORD_FUTEX_H
#define LC_RECORD_FUTEX_H

#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns what the system does, and on processors on which `syscall` is not recorded, what that does. */
static inline long
lc_own_futex (const uint32_t *word, int operation, uint32_t value, uint32_t mask)
{
#if defined(__x86_64__)
  register const void *timeout __asm__("r10") = NULL;
  register const void *other __asm__("r8") = NULL;
  register uint64_t bits __asm__("r9") = mask;
  long result = SYS_futex;

  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(word), "S"((long)operation), "d"((uint64_t)value), "r"(timeout), "r"(other), "r"(bits)
                   : "rcx", "r11", "memory");
  return result;
#else
  return syscall (SYS_futex, word, operation, value, NULL, NULL, mask);
#endif
}

#endif
