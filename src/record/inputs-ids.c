/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of processes and threads, and the calls that take them. */
/*
 * A replay gives the recorded numbers back, which may be those of somebody else now. So calls to which the program
 * gives one of them are done with the number that it stands for, also in the children that it forks.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "inputs.h"

enum
{
  IDS = 1024, /* numbers that are remembered */
};

struct inputs_id
{
  pid_t recorded; /* 0: free */
  pid_t real;
};

static struct inputs_id ids[IDS];

/* The same number is given back again and again. Returns its index, or IDS. */
static uint32_t
ids_add (pid_t recorded, pid_t real)
{
  for (uint32_t i = 0; i < IDS; i++)
    {
      pid_t before = 0;

      if (__atomic_compare_exchange_n (&ids[i].recorded, &before, recorded, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE) ||
          before == recorded)
        {
          __atomic_store_n (&ids[i].real, real, __ATOMIC_RELEASE);
          return i;
        }
    }
  return IDS;
}

/* Returns what a number stands for: that itself, if it was not given back. */
static pid_t
ids_real (pid_t recorded)
{
  for (uint32_t i = 0; recorded > 0 && i < IDS; i++)
    {
      pid_t found = __atomic_load_n (&ids[i].recorded, __ATOMIC_ACQUIRE);

      if (found == 0)
        break;
      if (found == recorded)
        return __atomic_load_n (&ids[i].real, __ATOMIC_ACQUIRE);
    }
  return recorded;
}

/* A forked child compares its parent's number with what the parent has taken for its own. */
static pid_t
ids_recorded (pid_t real)
{
  for (uint32_t i = 0; i < IDS && ids[i].recorded != 0; i++)
    if (ids[i].real == real)
      return ids[i].recorded;
  return real;
}

static pid_t
ids_get (enum lc_input_call what, pid_t real)
{
  struct lc_inputs_call call = lc_inputs_begin (what, -1, 0);

  if (call.mode == LC_INPUTS_GIVE)
    {
      pid_t recorded = (pid_t)lc_inputs_result (&call);

      /* A number that stands for nothing may be that of somebody else now. */
      return recorded == 0 || ids_add (recorded, real) < IDS ? recorded : real;
    }
  if (call.mode == LC_INPUTS_KEEP)
    lc_inputs_keep (&call, LC_INPUT_GIVEN, real, NULL, 0);
  return what == LC_INPUT_PARENT ? ids_recorded (real) : real;
}

LC_INPUTS_EXPORT pid_t
getpid (void)
{
  return ids_get (LC_INPUT_PID, LC_INPUTS_REAL (getpid) ());
}

LC_INPUTS_EXPORT pid_t
getppid (void)
{
  return ids_get (LC_INPUT_PARENT, LC_INPUTS_REAL (getppid) ());
}

LC_INPUTS_EXPORT pid_t
gettid (void)
{
  return ids_get (LC_INPUT_TID, LC_INPUTS_REAL (gettid) ());
}

/* --- Calls that take one --------------------------------------------------------------------------------------- */

/* A negative number is that of a group, which has the number of a process. */
LC_INPUTS_EXPORT int
kill (pid_t id, int number)
{
  return LC_INPUTS_REAL (kill) (id < -1 ? -ids_real (-id) : ids_real (id), number);
}

LC_INPUTS_EXPORT int
killpg (pid_t group, int number)
{
  return LC_INPUTS_REAL (killpg) (ids_real (group), number);
}

LC_INPUTS_EXPORT int
tgkill (pid_t process, pid_t thread, int number)
{
  return LC_INPUTS_REAL (tgkill) (ids_real (process), ids_real (thread), number);
}

LC_INPUTS_EXPORT int
sigqueue (pid_t id, int number, const union sigval value)
{
  return LC_INPUTS_REAL (sigqueue) (ids_real (id), number, value);
}

LC_INPUTS_EXPORT pid_t
getpgid (pid_t id)
{
  return LC_INPUTS_REAL (getpgid) (ids_real (id));
}

LC_INPUTS_EXPORT int
setpgid (pid_t id, pid_t group)
{
  return LC_INPUTS_REAL (setpgid) (ids_real (id), ids_real (group));
}

LC_INPUTS_EXPORT pid_t
getsid (pid_t id)
{
  return LC_INPUTS_REAL (getsid) (ids_real (id));
}

LC_INPUTS_EXPORT int
sched_getaffinity (pid_t id, size_t size, cpu_set_t *set)
{
  return LC_INPUTS_REAL (sched_getaffinity) (ids_real (id), size, set);
}

LC_INPUTS_EXPORT int
sched_setaffinity (pid_t id, size_t size, const cpu_set_t *set)
{
  return LC_INPUTS_REAL (sched_setaffinity) (ids_real (id), size, set);
}

LC_INPUTS_EXPORT int
sched_setscheduler (pid_t id, int policy, const struct sched_param *parameters)
{
  return LC_INPUTS_REAL (sched_setscheduler) (ids_real (id), policy, parameters);
}

LC_INPUTS_EXPORT int
setpriority (__priority_which_t which, id_t who, int priority)
{
  return LC_INPUTS_REAL (setpriority) (which, which == PRIO_USER ? who : (id_t)ids_real ((pid_t)who), priority);
}

LC_INPUTS_EXPORT int
getpriority (__priority_which_t which, id_t who)
{
  return LC_INPUTS_REAL (getpriority) (which, which == PRIO_USER ? who : (id_t)ids_real ((pid_t)who));
}

/* --- System calls by their numbers ----------------------------------------------------------------------------- */

#if defined(__x86_64__)
/* For assembly code, which cannot compute its place. */
extern void *lc_inputs_real_syscall __attribute__ ((visibility ("hidden")));
void *lc_inputs_real_syscall;

long lc_inputs_syscall (long number, long a, long b, long c, long d, long e, long f)
    __attribute__ ((visibility ("hidden"), used));

/* Reached for these numbers, and for all until the real function is known. */
long
lc_inputs_syscall (long number, long a, long b, long c, long d, long e, long f)
{
  const bool is_own = lc_inputs_is_own (LC_INPUTS_CALLER ());

  if (number == SYS_getpid && !is_own)
    return getpid ();
  if (number == SYS_getppid && !is_own)
    return getppid ();
  if (number == SYS_gettid && !is_own)
    return gettid ();
  if (number == SYS_getrandom && !is_own)
    return getrandom ((void *)(uintptr_t)a, (size_t)b, (unsigned int)c);
  return LC_INPUTS_REAL (syscall) (number, a, b, c, d, e, f);
}

/* A call that makes a process may return twice, and must not come through a frame of ours. The seventh argument of the
 * C function above is where the caller has left it. */
__asm__(".text\n"
        ".globl syscall\n"
        ".type syscall, @function\n"
        "syscall:\n"
        "  endbr64\n"
        "  cmpq $39, %rdi\n"
        "  je lc_inputs_syscall\n"
        "  cmpq $110, %rdi\n"
        "  je lc_inputs_syscall\n"
        "  cmpq $186, %rdi\n"
        "  je lc_inputs_syscall\n"
        "  cmpq $318, %rdi\n"
        "  je lc_inputs_syscall\n"
        "  cmpq $0, lc_inputs_real_syscall(%rip)\n"
        "  je lc_inputs_syscall\n"
        "  jmpq *lc_inputs_real_syscall(%rip)\n"
        ".size syscall, . - syscall\n");

_Static_assert(SYS_getpid == 39 && SYS_getppid == 110 && SYS_gettid == 186 && SYS_getrandom == 318,
               "the code above has these numbers");

__attribute__ ((constructor (101))) static void
ids_begin (void)
{
  __typeof__ (&syscall) found = LC_INPUTS_REAL (syscall);

  __builtin_memcpy (&lc_inputs_real_syscall, &found, sizeof found);
}
#endif
