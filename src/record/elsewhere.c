/* SPDX-License-Identifier: Apache-2.0 */
/* Does what needs a descriptor on another table than the program's: its descriptors are its own at any moment. */
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

/*
 * By a child that shares the memory, but has a copy of the table, and whose end nobody is told of. The calling thread
 * waits for it: it uses this thread's own storage. When no child can be made, the function is not called.
 */
void
lc_elsewhere (void (*function) (void *), void *data)
{
  struct errand errand = {function, data};
  unsigned char *stack =
      mmap (NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  int child;

  if (stack == MAP_FAILED)
    return;
  child = clone (errand_run, stack + STACK, CLONE_VM | CLONE_VFORK, &errand);
  while (child > 0 && syscall (SYS_wait4, child, NULL, __WCLONE, NULL) < 0 && errno == EINTR)
    ;
  munmap (stack, STACK);
}
