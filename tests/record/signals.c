/* SPDX-License-Identifier: Apache-2.0 */
/* Signals come, interrupt and stay pending under recording as they do without, and what handlers do is recorded. */
#include "case.h"

#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static volatile uint32_t handled;

static void
post (int signal)
{
  int error = errno;

  errno = CASE_ERRNO;
  if (sem_post (&semaphore) != 0 || errno != CASE_ERRNO)
    abort ();
  errno = error;
  __atomic_add_fetch (&handled, 1, __ATOMIC_RELAXED); /* of nested handlers none is to be forgotten */
}

static void
handle (int signal, void (*handler) (int), int flags)
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

  CHECK (sigaction (signal, &action, NULL) == 0);
}

static void
start_timer (int microseconds, int interval)
{
  const struct itimerval time = {{0, interval}, {0, microseconds}};

  CHECK (setitimer (ITIMER_REAL, &time, NULL) == 0);
}

enum
{
  WAITED_FOR = 200000, /* microseconds: by then it waits, however seldom the system gives it its turn */
};

/* --- Inside a wait ----------------------------------------------------------------------------------------- */

static void
posts_to_waiter (void)
{
  CHECK (sem_init (&semaphore, 0, 0) == 0);
  handle (SIGALRM, post, SA_RESTART);
  start_timer (WAITED_FOR, 0);
  SHOW_ERRNO (sem_wait (&semaphore));
  printf ("handled: %u\n", handled);
  SHOW_ERRNO (sem_trywait (&semaphore));
}

static void
interrupts_waiter (void)
{
  const struct timespec later = {INT32_MAX, 0};

  CHECK (sem_init (&semaphore, 0, 0) == 0);
  handle (SIGALRM, post, 0);
  for (int i = 0; i < 2; i++)
    {
      start_timer (WAITED_FOR, 0);
      if (i == 0)
        SHOW_ERRNO (sem_wait (&semaphore));
      else
        SHOW_ERRNO (sem_timedwait (&semaphore, &later));
      SHOW_ERRNO (sem_trywait (&semaphore));
    }
  printf ("handled: %u\n", handled);
}

static sigjmp_buf out;

static void
jump (int signal)
{
  siglongjmp (out, 1);
}

/* What was waited for is given up by a jump; what comes after it is recorded as ever. */
static void
jumps_out_of_wait (void)
{
  sem_t other;

  CHECK (sem_init (&semaphore, 0, 0) == 0 && sem_init (&other, 0, 0) == 0);
  handle (SIGALRM, jump, 0);
  if (sigsetjmp (out, 1) == 0)
    {
      start_timer (WAITED_FOR, 0);
      sem_wait (&semaphore);
      puts ("not reached");
    }
  case_nap (20);
  SHOW_ERRNO (sem_post (&other));
  case_nap (20);
  SHOW_ERRNO (sem_wait (&other));
}

static void *
jump_and_exit (void *data)
{
  if (sigsetjmp (out, 1) == 0)
    {
      sem_wait (&semaphore);
      puts ("not reached");
    }
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
  pthread_exit ((void *)5);
}

/* Nothing that a wait has left behind gets in the way of the thread's end. */
static void
exits_after_jump (void)
{
  void *value = NULL;
  pthread_t thread;

  CHECK (sem_init (&semaphore, 0, 0) == 0);
  handle (SIGALRM, jump, 0);
  thread = case_start (jump_and_exit, NULL);
  CHECK (pthread_kill (thread, SIGALRM) == 0);
  SHOW (pthread_join (thread, &value));
  printf ("%d\n", (int)(intptr_t)value);
}

/* --- Inside the writing of an event ------------------------------------------------------------------------ */

enum
{
  STORM = 2000,
  NESTED_STORM = 600
};

/* As much as a small program does between two locks. */
static void
compute (void)
{
  for (volatile int i = 0; i < 1500; i++)
    ;
}

/* One wait for each handler's post. */
static void
take_all (void)
{
  int value;

  CHECK (sem_getvalue (&semaphore, &value) == 0);
  printf ("as many tokens as handlers ran: %d\n", (uint32_t)value == handled);
  while (sem_trywait (&semaphore) == 0)
    value--;
  printf ("%d left\n", value);
}

/* Ends the storm by itself: where a handler takes longer than the next signal, the program gets no further. */
static void
post_in_storm (int signal)
{
  post (signal);
  if (handled >= STORM)
    start_timer (0, 0);
}

/* Each handler's post must be there once, in its place, or be counted as lost; the locks must be there. */
static void
storm (void)
{
  CHECK (sem_init (&semaphore, 0, 0) == 0);
  handle (SIGALRM, post_in_storm, SA_RESTART);
  start_timer (50, 50);
  while (handled < STORM)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
      compute ();
    }
  take_all ();
}

static void
post_and_raise (int signal)
{
  post (signal);
  if (signal == SIGALRM)
    raise (SIGUSR1);
  else if (signal == SIGUSR1)
    raise (SIGUSR2);
}

static void *
send_signals (void *data)
{
  pthread_t target = *(pthread_t *)data;

  while (handled < NESTED_STORM)
    {
      pthread_kill (target, SIGALRM);
      if (handled % 3 == 0)
        pthread_kill (target, SIGUSR2);
      usleep (20);
    }
  return NULL;
}

/* Handlers that are interrupted by others, on a stack of their own. */
static void
storm_of_nested (void)
{
  static char stack[1 << 16];
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  pthread_t target = pthread_self (), sender;

  CHECK (sem_init (&semaphore, 0, 0) == 0);
  CHECK (sigaltstack (&other, NULL) == 0);
  handle (SIGALRM, post_and_raise, SA_RESTART | SA_ONSTACK);
  handle (SIGUSR1, post_and_raise, SA_RESTART);
  handle (SIGUSR2, post_and_raise, SA_RESTART | SA_ONSTACK);
  CHECK (pthread_create (&sender, NULL, send_signals, &target) == 0);
  while (handled < NESTED_STORM)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
      compute ();
    }
  SHOW (pthread_join (sender, NULL));
  take_all ();
}

/* --- After any two instructions ------------------------------------------------------------------------------ */

#if defined(__x86_64__)

enum
{
  STEP_BY_STEP = 0x100, /* the processor's own signal after each instruction, while this flag is set */
  STEPPING_THREADS = 6,
  STEPPED = 70, /* times for each: what they tell has to fit in a packet, for to begin another takes blocked signals */
  BURST = 17    /* more than there is room for */
};

/* How many there have been, and after which of them what is posted. */
static volatile unsigned int steps, burst_at, one_more_at;

static void
post_at_step (int signal, siginfo_t *info, void *context)
{
  steps++;
  for (int i = 0; i < (steps == burst_at ? BURST : steps == one_more_at ? 1 : 0); i++)
    post (signal);
  if (steps == one_more_at)
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~STEP_BY_STEP;
}

/* Beside what the compiler keeps below the stack's end. */
static void
change_flags (uint64_t kept, uint64_t set)
{
  __asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
                   "pushfq\n\t"
                   "andq %0, (%%rsp)\n\t"
                   "orq %1, (%%rsp)\n\t"
                   "popfq\n\t"
                   "leaq 128(%%rsp), %%rsp" ::"r"(kept),
                   "r"(set)
                   : "memory", "cc");
}

static unsigned int
step_through (void)
{
  steps = 0;
  change_flags (UINT64_MAX, STEP_BY_STEP);
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
  change_flags (~(uint64_t)STEP_BY_STEP, 0);
  return steps;
}

static unsigned int
next_random (uint64_t *state)
{
  *state = *state * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (unsigned int)(*state >> 33);
}

static void *
step_often (void *random)
{
  unsigned int n_steps;

  /* What is done only once is done now: the recorder blocks all signals for it, and this one cannot wait. */
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
  post (0);
  burst_at = one_more_at = 0;
  n_steps = step_through ();
  for (int i = 0; i < STEPPED; i++)
    {
      burst_at = 1 + next_random (random) % n_steps;
      one_more_at = burst_at + 1 + next_random (random) % (n_steps / 4); /* an event takes fewer */
      step_through ();
    }
  return NULL;
}

/* As if handlers came one after the other after some instruction, and once more after another: after any, in time. */
static void
bursts_at_steps (void)
{
  struct sigaction action = {.sa_sigaction = post_at_step, .sa_flags = SA_SIGINFO};
  uint64_t random = 1;

  CHECK (sem_init (&semaphore, 0, 0) == 0 && sigaction (SIGTRAP, &action, NULL) == 0);
  for (int i = 0; i < STEPPING_THREADS; i++)
    CHECK (pthread_join (case_start (step_often, &random), NULL) == 0);
  take_all ();
}

#endif

/* --- Nothing is changed ------------------------------------------------------------------------------------ */

static void
print_status (void)
{
  FILE *file = fopen ("/proc/thread-self/status", "r");
  char line[256];

  CHECK (file != NULL);
  while (fgets (line, sizeof line, file) != NULL)
    if (strncmp (line, "Sig", 3) == 0 && strncmp (line, "SigQ", 4) != 0)
      fputs (line, stdout);
    else if (strncmp (line, "Shd", 3) == 0)
      fputs (line, stdout);
  fclose (file);
}

static void *
print_status_after_work (void *data)
{
  for (int i = 0; i < 5000; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
  print_status ();
  return NULL;
}

static void
masks (void)
{
  pthread_t thread;
  sigset_t some;

  print_status ();
  handle (SIGUSR1, post, 0);
  handle (SIGPIPE, SIG_IGN, 0);
  sigemptyset (&some);
  sigaddset (&some, SIGUSR2);
  sigaddset (&some, SIGTERM);
  SHOW (pthread_sigmask (SIG_BLOCK, &some, NULL));
  raise (SIGUSR2);
  CHECK (pthread_create (&thread, NULL, print_status_after_work, NULL) == 0 && pthread_join (thread, NULL) == 0);
  print_status_after_work (NULL);
}

const struct test_case cases[] = {
    {"posts-to-waiter", posts_to_waiter},
    {"interrupts-waiter", interrupts_waiter},
    {"jumps-out-of-wait", jumps_out_of_wait},
    {"exits-after-jump", exits_after_jump},
    {"storm", storm},
    {"storm-of-nested", storm_of_nested},
#if defined(__x86_64__)
    {"bursts-at-steps", bursts_at_steps},
#endif
    {"masks", masks},
    {NULL, NULL},
};
