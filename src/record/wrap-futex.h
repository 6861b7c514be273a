/* SPDX-License-Identifier: Apache-2.0 */
/* The system's calls on futexes. */
#ifndef LC_RECORD_WRAP_FUTEX_H
#define LC_RECORD_WRAP_FUTEX_H

#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449 /* younger than some headers */
#endif

/* Carry out `syscall` with the numbers SYS_futex and SYS_futex_waitv, and these arguments after the number. The event
 * has the flags: LC_EVENT_TRAPPED or none. */
long lc_futex (unsigned long arguments[6], uint8_t flags);
long lc_futex_waitv (unsigned long arguments[6], uint8_t flags);

/* Waits at a futex within an operation that is recorded, which tells of the wait. */
struct lc_thread;
long lc_futex_within (struct lc_thread *thread, unsigned long arguments[6]);

#endif
