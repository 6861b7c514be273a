/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that the program makes without the C library: `lightcone record --futex all`. */
#ifndef LC_RECORD_DISPATCH_H
#define LC_RECORD_DISPATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "lightcone/control.h"

/* The race detector and AddressSanitizer have wrappers of their own for what changes signals. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LC_HAVE_DISPATCH 1
#else
#define LC_HAVE_DISPATCH 0
#endif

#define LC_SET_DISPATCH 59 /* PR_SET_SYSCALL_USER_DISPATCH, which older headers do not have */

/* True: system calls from outside of the C library's code raise SIGSYS in threads that asked for it. */
extern bool lc_dispatch_is_on;

/* Called when the recording begins, in a slow path: prepares the address space, if all futexes are to be seen. */
void lc_dispatch_begin (void);

/* Called by each thread that begins or ends being recorded. The second returns whether it had begun. */
void lc_dispatch_thread_begin (const void *routine);
bool lc_dispatch_thread_end (void);

/* Ends it for all threads, because somebody else needs the system's dispatch, or the system calls may be restricted. */
void lc_dispatch_stop (enum lc_futex_trouble trouble);

/* Notes why not all futexes are seen. */
void lc_dispatch_note (enum lc_futex_trouble trouble);

/*
 * What the program asks about signals. SIGSYS stays unblocked and keeps our handler; what the program has set for it
 * counts when it gets a SIGSYS that is none of ours. All are for use while lc_dispatch_is_on.
 */

/* Returns the set without SIGSYS: `set` itself, or `room`. */
const sigset_t *lc_dispatch_open_mask (const sigset_t *set, sigset_t *room);

/* The same for a mask that holds during a call. */
#define LC_DISPATCH_MASK(set) \
  (__builtin_expect (lc_dispatch_is_on, 0) ? lc_dispatch_open_mask ((set), &(sigset_t){{0}}) : (set))

/* sigprocmask. Returns 0, or -1 with errno. */
int lc_dispatch_change_mask (int how, const sigset_t *set, sigset_t *before);

/* sigaction. */
int lc_dispatch_change_action (int signal, const struct sigaction *action, struct sigaction *before);

#endif
