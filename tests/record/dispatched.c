/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that a program makes by itself, and what it does with signals meanwhile: PROGRAM CASE. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "case.h"

#ifdef GO
/* What Go's linker leaves in a program. */
__asm__(".section .note.go.buildid, \"a\", @note\n"
        ".long 4, 4, 4\n"
        ".asciz \"Go\\0\"\n"
        ".ascii \"test\"\n"
        ".text\n");
#endif

enum
{
  STACK = 64 << 10,
  KERNEL_MASK = 8,
  RESTORER = 0x04000000, /* SA_RESTORER */
};

struct kernel_action
{
  void (*handler) (int);
  unsigned long flags;
  void (*restorer) (void);
  uint64_t mask;
};

static uint32_t word;
static volatile sig_atomic_t handled;
static volatile long in_handler;

static long
call (long number, unsigned long first, unsigned long second, unsigned long third, unsigned long fourth)
{
  register unsigned long in_r10 __asm__("r10") = fourth;
  register unsigned long in_r8 __asm__("r8") = 0;
  register unsigned long in_r9 __asm__("r9") = 0;
  long result = number;

  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(first), "S"(second), "d"(third), "r"(in_r10), "r"(in_r8), "r"(in_r9)
                   : "rcx", "r11", "memory");
  return result;
}

static void *
sleeper (void *data)
{
  (void)data;
  while (__atomic_load_n (&word, __ATOMIC_ACQUIRE) == 0)
    call (SYS_futex, (unsigned long)&word, FUTEX_WAIT_PRIVATE, 0, 0);
  return NULL;
}

/* One wait and one wake, which are seen if all is well. */
static void
meet (void)
{
  pthread_t thread = case_start (sleeper, NULL);

  case_set (&word, 1);
  SHOW_ERRNO ((int)call (SYS_futex, (unsigned long)&word, FUTEX_WAKE_PRIVATE, 1, 0));
  CHECK (pthread_join (thread, NULL) == 0);
  word = 0;
}

static void
show_mask (const char *when)
{
  sigset_t now;

  CHECK (pthread_sigmask (SIG_BLOCK, NULL, &now) == 0);
  printf ("%s: ", when);
  for (int i = 1; i < 32; i++)
    putchar (sigismember (&now, i) == 1 ? '1' : '0');
  putchar ('\n');
}

/* All signals are blocked, by each of the ways that there are. */
static void
masks (void)
{
  sigset_t all, before;
  uint64_t bits = ~UINT64_C (0), was;

  sigfillset (&all);
  CHECK (sigprocmask (SIG_SETMASK, &all, &before) == 0);
  show_mask ("sigprocmask");
  meet ();
  CHECK (sigprocmask (SIG_SETMASK, &before, NULL) == 0);
  show_mask ("before");
  printf ("%ld\n", call (SYS_rt_sigprocmask, SIG_BLOCK, (unsigned long)&bits, (unsigned long)&was, KERNEL_MASK));
  show_mask ("by itself");
  meet ();
  printf ("%ld\n", call (SYS_rt_sigprocmask, SIG_SETMASK, (unsigned long)&was, (unsigned long)&bits, KERNEL_MASK));
  printf ("%lx\n", (unsigned long)bits);
  show_mask ("before");
  printf ("%ld\n", call (SYS_rt_sigprocmask, SIG_BLOCK, 4096, 0, KERNEL_MASK));
  printf ("%ld\n", call (SYS_rt_sigprocmask, 77, (unsigned long)&bits, 0, KERNEL_MASK));
  printf ("%ld\n", call (SYS_rt_sigprocmask, SIG_BLOCK, (unsigned long)&bits, 0, 1));
  meet ();
}

static void
handle (int signal)
{
  handled = signal;
  in_handler = call (SYS_getppid, 0, 0, 0, 0);
}

/* A handler in which all is blocked makes a call by itself. */
static void
handlers (void)
{
  struct sigaction action = {.sa_handler = handle};

  sigfillset (&action.sa_mask);
  CHECK (sigaction (SIGUSR1, &action, NULL) == 0);
  raise (SIGUSR1);
  printf ("%d %d\n", (int)handled, in_handler == getppid ());
  meet ();
}

/* All but one signal is blocked during a call, and so in the handler that ends it. */
static void
suspended (void)
{
  struct sigaction action = {.sa_handler = handle};
  struct timespec time = {5, 0};
  sigset_t most, one;

  sigemptyset (&one);
  sigaddset (&one, SIGUSR1);
  sigfillset (&most);
  sigdelset (&most, SIGUSR1);
  CHECK (sigaction (SIGUSR1, &action, NULL) == 0);
  CHECK (sigprocmask (SIG_BLOCK, &one, NULL) == 0);
  raise (SIGUSR1);
  SHOW_ERRNO (sigsuspend (&most));
  printf ("%d %d\n", (int)handled, in_handler == getppid ());
  raise (SIGUSR1);
  SHOW_ERRNO (pselect (0, NULL, NULL, NULL, &time, &most));
  raise (SIGUSR1);
  SHOW_ERRNO (ppoll (NULL, 0, &time, &most));
  show_mask ("after");
  meet ();
}

__asm__(".text\n"
        "own_restorer:\n"
        "  movl $15, %eax\n"
        "  syscall\n");
extern void own_restorer (void) __attribute__ ((visibility ("hidden")));

/* As a runtime does that needs no C library. */
static void
own_return (void)
{
  struct kernel_action action = {handle, RESTORER | SA_RESTART, own_restorer, ~UINT64_C (0)}, was;

  printf ("%ld\n", call (SYS_rt_sigaction, SIGUSR2, (unsigned long)&action, 0, KERNEL_MASK));
  for (int i = 0; i < 3; i++)
    raise (SIGUSR2);
  printf ("%d %d\n", (int)handled, in_handler == getppid ());
  printf ("%ld\n", call (SYS_rt_sigaction, SIGUSR2, 0, (unsigned long)&was, KERNEL_MASK));
  printf ("%d\n", was.handler == handle);
  printf ("%ld\n", call (SYS_rt_sigaction, SIGUSR2, 4096, 0, KERNEL_MASK));
  printf ("%ld\n", call (SYS_rt_sigaction, SIGSYS, (unsigned long)&action, (unsigned long)&was, KERNEL_MASK));
  printf ("%d\n", was.handler == SIG_DFL);
  raise (SIGSYS);
  printf ("%d\n", (int)handled);
  meet ();
}

static void
handle_with_info (int signal, siginfo_t *info, void *context)
{
  (void)context;
  handled = signal;
  in_handler = info->si_code;
}

/* The program's own SIGSYS. */
static void
own_signal (void)
{
  struct sigaction action = {.sa_sigaction = handle_with_info, .sa_flags = SA_SIGINFO}, was;
  sigset_t one;

  printf ("%d\n", signal (SIGSYS, handle) == SIG_DFL);
  raise (SIGSYS);
  printf ("%d\n", (int)handled);
  CHECK (sigaction (SIGSYS, &action, &was) == 0);
  printf ("%d\n", was.sa_handler == handle);
  kill (getpid (), SIGSYS);
  printf ("%d %ld\n", (int)handled, (long)in_handler);
  CHECK (signal (SIGSYS, SIG_IGN) != SIG_ERR);
  handled = 0;
  raise (SIGSYS);
  printf ("%d\n", (int)handled);
  sigemptyset (&one);
  sigaddset (&one, SIGSYS);
  CHECK (sigprocmask (SIG_BLOCK, &one, NULL) == 0);
  meet ();
}

/* Nobody handles it. */
static void
killed (void)
{
  meet ();
  fflush (stdout);
  raise (SIGSYS);
}

static void
handle_on_stack (int signal)
{
  char here;
  stack_t stack;

  (void)signal;
  CHECK (sigaltstack (NULL, &stack) == 0);
  handled = &here >= (char *)stack.ss_sp && &here < (char *)stack.ss_sp + stack.ss_size;
  in_handler = call (SYS_getppid, 0, 0, 0, 0);
}

/* A stack for signals stays set. */
static void
stack (void)
{
  stack_t set = {.ss_sp = malloc (STACK), .ss_size = STACK}, now;
  struct sigaction action = {.sa_handler = handle_on_stack, .sa_flags = SA_ONSTACK};

  CHECK (set.ss_sp != NULL);
  printf ("%ld\n", call (SYS_sigaltstack, (unsigned long)&set, 0, 0, 0));
  CHECK (sigaltstack (NULL, &now) == 0);
  printf ("%d\n", now.ss_sp == set.ss_sp);
  CHECK (sigaction (SIGUSR1, &action, NULL) == 0);
  raise (SIGUSR1);
  printf ("%d\n", (int)handled);
  meet ();
}

/* A child by a call of the program's own, and what a vforked one leaves. */
static void
children (void)
{
  int status;
  long child;

  fflush (stdout);
  child = call (SYS_fork, 0, 0, 0, 0);
  if (child == 0)
    call (SYS_exit_group, 7, 0, 0, 0);
  CHECK (waitpid ((pid_t)child, &status, 0) == child);
  printf ("%d\n", WEXITSTATUS (status));
  meet ();
  child = call (SYS_clone, CLONE_VFORK | CLONE_VM | SIGCHLD, 0, 0, 0);
  if (child == 0)
    call (SYS_exit_group, 9, 0, 0, 0);
  CHECK (waitpid ((pid_t)child, &status, 0) == child);
  printf ("%d\n", WEXITSTATUS (status));
}

static void
handle_trap (int signal, siginfo_t *info, void *data)
{
  ucontext_t *context = data;

  (void)signal;
  context->uc_mcontext.gregs[REG_RAX] = info->si_syscall == SYS_getppid ? 4321 : -1;
}

/* A filter that raises SIGSYS, as those of browsers do. */
static void
sandbox (void)
{
  struct sock_filter filter[] = {
      BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
      BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
      BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  struct sigaction action = {.sa_sigaction = handle_trap, .sa_flags = SA_SIGINFO};

  meet ();
  CHECK (sigaction (SIGSYS, &action, NULL) == 0);
  CHECK (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  CHECK (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0);
  printf ("%ld %d\n", call (SYS_getppid, 0, 0, 0, 0), (int)getppid ());
}

static volatile char selector;

static void
handle_dispatch (int signal, siginfo_t *info, void *data)
{
  ucontext_t *context = data;

  (void)signal;
  selector = 0;
  context->uc_mcontext.gregs[REG_RAX] = info->si_syscall == SYS_getppid ? 1234 : -1;
}

/* The program dispatches its calls itself, as Wine does. */
static void
taken (void)
{
  struct sigaction action = {.sa_sigaction = handle_dispatch, .sa_flags = SA_SIGINFO};

  meet ();
  CHECK (sigaction (SIGSYS, &action, NULL) == 0);
  CHECK (prctl (59, 1, 0, 0, &selector) == 0);
  selector = 1;
  printf ("%ld\n", call (SYS_getppid, 0, 0, 0, 0));
  printf ("%d\n", call (SYS_getppid, 0, 0, 0, 0) == getppid ());
}

/* What takes long is cut short, or goes on, as the handler's flags say. */
static void
interrupted (void)
{
  struct sigaction action = {.sa_handler = handle};
  struct timespec time = {0, 50000000};
  int ends[2];
  char byte = 0;
  pid_t child;

  CHECK (pipe (ends) == 0);
  CHECK (sigaction (SIGCHLD, &action, NULL) == 0);
  fflush (stdout);
  child = fork ();
  if (child == 0)
    {
      case_nap (50);
      _exit (0);
    }
  printf ("%ld\n", call (SYS_read, (unsigned long)ends[0], (unsigned long)&byte, 1, 0));
  CHECK (waitpid (child, NULL, 0) == child);
  action.sa_flags = SA_RESTART;
  CHECK (sigaction (SIGCHLD, &action, NULL) == 0);
  child = fork ();
  if (child == 0)
    {
      kill (getppid (), SIGCHLD);
      case_nap (50);
      CHECK (write (ends[1], "x", 1) == 1);
      _exit (0);
    }
  printf ("%ld %c\n", call (SYS_read, (unsigned long)ends[0], (unsigned long)&byte, 1, 0), byte);
  CHECK (waitpid (child, NULL, 0) == child);
  printf ("%ld\n", call (SYS_nanosleep, (unsigned long)&time, 0, 0, 0));
  meet ();
}

static void
nothing (void)
{
  meet ();
}

const struct test_case cases[] = {
    {"masks", masks},
    {"handlers", handlers},
    {"suspended", suspended},
    {"own-return", own_return},
    {"own-signal", own_signal},
    {"killed", killed},
    {"stack", stack},
    {"children", children},
    {"sandbox", sandbox},
    {"taken", taken},
    {"interrupted", interrupted},
    {"nothing", nothing},
    {NULL, NULL},
};
