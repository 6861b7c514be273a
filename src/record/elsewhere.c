/* SPDX-License-Identifier: Apache-2.0 */
/* Runs functions that need a file descriptor in a child with its own descriptor table, so that the program's table
 * never changes. */
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder.h"

enum
{
  STACK = 64 << 10,
};

bool lc_is_alone;
bool (*lc_elsewhere_begin) (void);
void (*lc_elsewhere_end) (void);

#if defined(__x86_64__)
/* Makes the system call directly, because libraries in front of the C library's function (a race detector, for example)
 * would take the child for a forked program. The child begins on another stack, so all that it needs is in
 * registers. */
static long
clone_and_call (unsigned long flags, void *stack, void (*function) (void *), void *data)
{
  register unsigned long parent __asm__("rdx") = 0;
  register unsigned long child __asm__("r10") = 0;
  register unsigned long storage __asm__("r8") = 0;
  register void (*call) (void *) __asm__("r12") = function;
  register void *argument __asm__("r13") = data;
  long result = SYS_clone;

  __asm__ volatile("syscall\n\t"
                   "testq %%rax, %%rax\n\t"
                   "jnz 1f\n\t"
                   "xorl %%ebp, %%ebp\n\t"
                   "movq %%r13, %%rdi\n\t"
                   "call *%%r12\n\t"
                   "xorl %%edi, %%edi\n\t"
                   "movl %[exit], %%eax\n\t"
                   "syscall\n"
                   "1:"
                   : "+a"(result)
                   : "D"(flags), "S"(stack), "r"(parent), "r"(child), "r"(storage), "r"(call),
                     "r"(argument), [exit] "i"(SYS_exit)
                   : "rcx", "r11", "memory");
  return result;
}
#else
struct errand
{
  void (*function) (void *);
  void *data;
};

static int
errand_run (void *data)
{
  const struct errand *errand = data;

  errand->function (errand->data);
  syscall (SYS_exit, 0);
  return 0;
}

static long
clone_and_call (unsigned long flags, void *stack, void (*function) (void *), void *data)
{
  struct errand errand = {function, data};

  return clone (errand_run, stack, (int)flags, &errand);
}
#endif

/*
 * Calls the function in a child that shares the memory but has a copy of the descriptor table, and whose end is
 * reported to nobody. The calling thread waits, because the child uses its thread-local storage. If no child can be
 * made, the function is not called. A child takes 0.1 ms, so there is none while nobody could see the descriptor.
 */
void
lc_elsewhere (void (*function) (void *), void *data)
{
  unsigned char *stack;
  bool was_dispatched;
  long child;

  if (lc_is_alone)
    {
      function (data);
      return;
    }
  stack = mmap (NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED)
    return;
  was_dispatched = lc_elsewhere_begin != NULL && lc_elsewhere_begin ();
  child = clone_and_call (CLONE_VM | CLONE_VFORK, stack + STACK, function, data);
  while (child > 0 && syscall (SYS_wait4, child, NULL, __WCLONE, NULL) < 0 && errno == EINTR)
    ;
  if (was_dispatched)
    lc_elsewhere_end ();
  munmap (stack, STACK);
}
