/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what the system's calls on futexes cost, through the C library and without it. */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"

/*
 * A lock with priorities, locked and unlocked by the system although nobody waits for it: a single thread can do both,
 * and the recorder takes them for a wait and a wake-up as any other.
 */
static uint32_t lock_word;

static void
futexes_lock (unsigned int object, unsigned int i)
{
  if (syscall (SYS_futex, &lock_word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0)
    lc_fail ("futex", errno);
}

static void
futexes_unlock (unsigned int object, unsigned int i)
{
  if (syscall (SYS_futex, &lock_word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) != 0)
    lc_fail ("futex", errno);
}

void
lc_measure_futexes (struct lc_log *log)
{
  lc_measure_each (log, "futex", "futex-wait", futexes_lock, "futex-wake", futexes_unlock);
}

#if defined(__x86_64__)
static inline long
futexes_direct_call (int operation)
{
  register const void *timeout __asm__("r10") = NULL;
  register const void *other __asm__("r8") = NULL;
  register uint64_t bits __asm__("r9") = 0;
  long result = SYS_futex;

  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(&lock_word), "S"((long)operation), "d"(0L), "r"(timeout), "r"(other), "r"(bits)
                   : "rcx", "r11", "memory");
  return result;
}

static void
futexes_direct_lock (unsigned int object, unsigned int i)
{
  if (futexes_direct_call (FUTEX_LOCK_PI_PRIVATE) != 0)
    lc_fail ("futex", EINVAL);
}

static void
futexes_direct_unlock (unsigned int object, unsigned int i)
{
  if (futexes_direct_call (FUTEX_UNLOCK_PI_PRIVATE) != 0)
    lc_fail ("futex", EINVAL);
}

void
lc_measure_trapped (struct lc_log *log)
{
  lc_measure_each (log, "trapped", "futex-wait", futexes_direct_lock, "futex-wake", futexes_direct_unlock);
}
#else
/* Nothing is trapped on other processors. */
void
lc_measure_trapped (struct lc_log *log)
{
}
#endif
