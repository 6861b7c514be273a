/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that are sent to threads and processes, and those who wait for them: PROGRAM CASE. */
#include "case.h"

#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  ROUNDS = 20,
  POSTS = 100,
};

static volatile uint32_t handled;
static sem_t semaphore;
static sigjmp_buf environment;

/* A thread that waits, and those who send to it. */
static struct waiter
{
  void (*wait) (void);
  uint32_t id, done;
} waiters[2];

static void
count_handled (int number)
{
  handled++;
}

static void
handle (int number, void (*handler) (int))
{
  struct sigaction action = {.sa_handler = handler};

  CHECK (sigaction (number, &action, NULL) == 0);
}

static sigset_t
set_of (int number)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, number);
  return set;
}

static void
block (int number)
{
  const sigset_t set = set_of (number);

  CHECK (pthread_sigmask (SIG_BLOCK, &set, NULL) == 0);
}

static void
unblock (int number)
{
  const sigset_t set = set_of (number);

  CHECK (pthread_sigmask (SIG_UNBLOCK, &set, NULL) == 0);
}

static void
wait_for_usr1 (void)
{
  const sigset_t set = set_of (SIGUSR1);
  int number = 0;

  CHECK (sigwait (&set, &number) == 0 && number == SIGUSR1);
}

static void *
waiter_run (void *data)
{
  struct waiter *waiter = data;

  case_set (&waiter->id, (uint32_t)syscall (SYS_gettid));
  for (int i = 0; i < ROUNDS; i++)
    {
      waiter->wait ();
      __atomic_add_fetch (&waiter->done, 1, __ATOMIC_SEQ_CST);
    }
  return NULL;
}

static pthread_t
waiter_start (struct waiter *waiter, void (*wait) (void))
{
  pthread_t thread;

  waiter->wait = wait;
  CHECK (pthread_create (&thread, NULL, waiter_run, waiter) == 0);
  return thread;
}

static void
waiter_sleeps (struct waiter *waiter)
{
  while (__atomic_load_n (&waiter->id, __ATOMIC_SEQ_CST) == 0)
    case_nap (1);
  case_await_asleep ((int)waiter->id);
}

/* --- To a thread ------------------------------------------------------------------------------------------- */

static void
send_to_waiter (void (*wait) (void), int naps)
{
  pthread_t thread = waiter_start (&waiters[0], wait);

  for (uint32_t i = 0; i < ROUNDS; i++)
    {
      waiter_sleeps (&waiters[0]);
      case_nap (naps);
      CHECK (pthread_kill (thread, SIGUSR1) == 0);
      case_await (&waiters[0].done, i + 1);
    }
  CHECK (pthread_join (thread, NULL) == 0);
  printf ("handled: %u\n", handled);
}

static void
wakes_thread (void)
{
  block (SIGUSR1);
  send_to_waiter (wait_for_usr1, 0);
}

static void
suspend (void)
{
  sigset_t set;

  block (SIGUSR1);
  CHECK (pthread_sigmask (SIG_BLOCK, NULL, &set) == 0);
  sigdelset (&set, SIGUSR1);
  CHECK (sigsuspend (&set) == -1 && errno == EINTR);
}

static void
suspended (void)
{
  handle (SIGUSR1, count_handled);
  block (SIGUSR1);
  send_to_waiter (suspend, 0);
}

static void
wait_in_pause (void)
{
  CHECK (pause () == -1 && errno == EINTR);
}

static void
paused (void)
{
  handle (SIGUSR1, count_handled);
  send_to_waiter (wait_in_pause, 20);
}

/* --- To a process ------------------------------------------------------------------------------------------ */

static void
one_of_two (void)
{
  pthread_t threads[2];
  uint32_t done;

  block (SIGUSR1);
  for (int i = 0; i < 2; i++)
    threads[i] = waiter_start (&waiters[i], wait_for_usr1);
  for (uint32_t sent = 0; sent < 2 * ROUNDS; sent++)
    {
      for (int i = 0; i < 2; i++)
        if (__atomic_load_n (&waiters[i].done, __ATOMIC_SEQ_CST) < ROUNDS)
          waiter_sleeps (&waiters[i]);
      CHECK (kill (getpid (), SIGUSR1) == 0);
      do
        done =
            __atomic_load_n (&waiters[0].done, __ATOMIC_SEQ_CST) + __atomic_load_n (&waiters[1].done, __ATOMIC_SEQ_CST);
      while (done <= sent);
    }
  for (int i = 0; i < 2; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
}

/* Parent and child send to each other in turn. */
static void
between_processes (void)
{
  pid_t child, parent = getpid ();
  int status = -1;

  block (SIGUSR1);
  child = fork ();
  CHECK (child >= 0);
  for (int i = 0; i < ROUNDS; i++)
    if (child == 0)
      {
        wait_for_usr1 ();
        case_nap (2);
        CHECK (kill (parent, SIGUSR1) == 0);
      }
    else
      {
        case_nap (2);
        CHECK (kill (child, SIGUSR1) == 0);
        wait_for_usr1 ();
      }
  if (child == 0)
    _exit (0);
  CHECK (waitpid (child, &status, 0) == child && status == 0);
}

static void
group (void)
{
  pid_t child;
  int status = -1;

  CHECK (setpgid (0, 0) == 0);
  block (SIGUSR1);
  handle (SIGUSR2, count_handled);
  child = fork ();
  CHECK (child >= 0);
  if (child == 0)
    {
      wait_for_usr1 ();
      wait_for_usr1 ();
      _exit ((int)handled);
    }
  case_nap (50);
  SHOW_ERRNO (kill (0, SIGUSR1));
  wait_for_usr1 ();
  case_nap (50);
  SHOW_ERRNO (killpg (getpgrp (), SIGUSR1));
  wait_for_usr1 ();
  CHECK (waitpid (child, &status, 0) == child && status == 0);
  SHOW_ERRNO (kill (-getpgrp (), SIGUSR2));
  printf ("handled: %u\n", handled);
}

/* --- Of whom it is, or is not, known ----------------------------------------------------------------------- */

/* Each value is that of one signal, so none is mistaken for another. */
static void
queued (void)
{
  const sigset_t set = set_of (SIGRTMIN);
  siginfo_t info;

  block (SIGRTMIN);
  for (int i = 0; i < ROUNDS; i++)
    {
      const union sigval value = {.sival_int = i};

      CHECK ((i % 2 == 0 ? sigqueue (getpid (), SIGRTMIN, value)
                         : pthread_sigqueue (pthread_self (), SIGRTMIN, value)) == 0);
      CHECK (sigwaitinfo (&set, &info) == SIGRTMIN);
      CHECK (info.si_code == SI_QUEUE && info.si_pid == getpid () && info.si_value.sival_int == i);
    }
  CHECK (kill (getpid (), SIGRTMIN) == 0 && sigwaitinfo (&set, &info) == SIGRTMIN);
  printf ("%d %d\n", info.si_code == SI_USER, info.si_pid == getpid ());
}

static void *
send_to_main (void *data)
{
  CHECK (kill (getpid (), SIGUSR1) == 0);
  return NULL;
}

/* Both are pending as one when the wait begins. */
static void
coalesced (void)
{
  const struct timespec no_time = {0, 1000000};
  const sigset_t set = set_of (SIGUSR1);

  block (SIGUSR1);
  for (int i = 0; i < 2; i++)
    CHECK (raise (SIGUSR1) == 0);
  wait_for_usr1 ();
  SHOW_ERRNO (sigtimedwait (&set, NULL, &no_time));
}

static void
two_senders (void)
{
  pthread_t threads[2];

  block (SIGUSR1);
  for (int i = 0; i < 2; i++)
    CHECK (pthread_create (&threads[i], NULL, send_to_main, NULL) == 0);
  for (int i = 0; i < 2; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  wait_for_usr1 ();
}

/* What was sent has been handled before; a timer ends the wait. */
static void
by_timer (void)
{
  const struct itimerval time = {{0, 0}, {0, 50000}};
  const sigset_t set = set_of (SIGALRM);
  int number = 0;

  handle (SIGALRM, count_handled);
  SHOW (raise (SIGALRM));
  CHECK (setitimer (ITIMER_REAL, &time, NULL) == 0);
  SHOW_ERRNO (pause ());
  block (SIGALRM);
  CHECK (setitimer (ITIMER_REAL, &time, NULL) == 0);
  SHOW (sigwait (&set, &number));
  printf ("handled: %u\n", handled);
}

/* --- A crowd ------------------------------------------------------------------------------------------------ */

enum
{
  SENDERS = 3,
  CROWD = 3,
  EACH = 150,
};

static pthread_t crowd_threads[CROWD];

/* Says on standard error which signals it has got: who has sent each, and which of that sender's it was. A wait is
 * interrupted if another thread takes the signal that has woken it. */
static void *
crowd_wait (void *data)
{
  const struct timespec long_time = {1, 0};
  const sigset_t set = set_of (SIGRTMIN);
  char text[SENDERS * EACH * 8 + 2] = "", *at = text;
  siginfo_t info;

  for (;;)
    if (sigtimedwait (&set, &info, &long_time) == SIGRTMIN)
      at += sprintf (at, "%d ", info.si_value.sival_int);
    else if (errno == EAGAIN)
      break;
  case_await (&waiters[0].done, (uint32_t)(uintptr_t)data);
  fprintf (stderr, "%s\n", text);
  case_set (&waiters[0].done, (uint32_t)(uintptr_t)data + 1);
  return NULL;
}

static void *
crowd_send (void *data)
{
  const int self = (int)(intptr_t)data;
  unsigned int seed = (unsigned int)self;

  for (int i = 0; i < EACH; i++)
    {
      const union sigval value = {.sival_int = self * EACH + i};
      const struct timespec time = {0, rand_r (&seed) % 200000};

      if (rand_r (&seed) % 2 == 0)
        CHECK (sigqueue (getpid (), SIGRTMIN, value) == 0);
      else
        CHECK (pthread_sigqueue (crowd_threads[rand_r (&seed) % CROWD], SIGRTMIN, value) == 0);
      if (rand_r (&seed) % 3 > 0)
        nanosleep (&time, NULL);
    }
  return NULL;
}

/* Three threads send to three others and to the process, each a number that no other has. */
static void
crowd (void)
{
  pthread_t senders[SENDERS];

  block (SIGRTMIN);
  for (uintptr_t i = 0; i < CROWD; i++)
    CHECK (pthread_create (&crowd_threads[i], NULL, crowd_wait, (void *)i) == 0);
  for (intptr_t i = 0; i < SENDERS; i++)
    CHECK (pthread_create (&senders[i], NULL, crowd_send, (void *)i) == 0);
  for (int i = 0; i < SENDERS; i++)
    CHECK (pthread_join (senders[i], NULL) == 0);
  for (int i = 0; i < CROWD; i++)
    CHECK (pthread_join (crowd_threads[i], NULL) == 0);
}

/* --- Handlers ---------------------------------------------------------------------------------------------- */

static void
post_often (int number)
{
  for (int i = 0; i < POSTS; i++)
    sem_post (&semaphore);
  if (++handled < 3)
    raise (SIGUSR2);
}

/* The handler runs within the call, and sends again. */
static void
raises (void)
{
  int value = 0;

  CHECK (sem_init (&semaphore, 0, 0) == 0);
  handle (SIGUSR1, post_often);
  handle (SIGUSR2, post_often);
  SHOW (raise (SIGUSR1));
  CHECK (sem_getvalue (&semaphore, &value) == 0);
  printf ("%d posts\n", value);
  unblock (SIGUSR1);
  SHOW (pthread_kill (pthread_self (), SIGUSR1));
  SHOW_ERRNO (kill (getpid (), SIGUSR1));
  SHOW_ERRNO (tgkill (getpid (), (pid_t)syscall (SYS_gettid), SIGUSR1));
  CHECK (sem_getvalue (&semaphore, &value) == 0);
  printf ("%d posts\n", value);
}

static void
jump (int number)
{
  siglongjmp (environment, 1);
}

static void
jumps_out (void)
{
  CHECK (setpgid (0, 0) == 0 && sem_init (&semaphore, 0, 0) == 0);
  handle (SIGUSR1, jump);
  for (volatile int i = 0; i < ROUNDS; i++)
    if (sigsetjmp (environment, 1) == 0)
      {
        if (i % 2 == 0)
          raise (SIGUSR1);
        else
          kill (0, SIGUSR1);
        CHECK (false);
      }
    else
      CHECK (sem_post (&semaphore) == 0);
  block (SIGUSR1);
  CHECK (raise (SIGUSR1) == 0);
  wait_for_usr1 ();
}

/* --- What fails, and what is nobody's ---------------------------------------------------------------------- */

static void *
end_at_once (void *data)
{
  case_set (&waiters[0].id, (uint32_t)syscall (SYS_gettid));
  return NULL;
}

static void
errors (void)
{
  const union sigval value = {.sival_int = 0};
  const struct timespec short_time = {0, 20000000};
  const sigset_t set = set_of (SIGUSR1);
  pthread_t thread;

  CHECK (pthread_create (&thread, NULL, end_at_once, NULL) == 0);
  while (__atomic_load_n (&waiters[0].id, __ATOMIC_SEQ_CST) == 0 ||
         syscall (SYS_tgkill, getpid (), waiters[0].id, 0) == 0)
    case_nap (1);
  SHOW (pthread_kill (thread, SIGUSR1));
  SHOW (pthread_kill (thread, 0));
  CHECK (pthread_join (thread, NULL) == 0);
  SHOW (pthread_kill (pthread_self (), 0));
  SHOW (pthread_kill (pthread_self (), 99));
  SHOW_ERRNO (kill (INT32_MAX, SIGUSR1));
  SHOW_ERRNO (kill (getpid (), 0));
  SHOW_ERRNO (kill (getpid (), 99));
  SHOW_ERRNO (raise (99));
  SHOW_ERRNO (tgkill (getpid (), -1, SIGUSR1));
  SHOW_ERRNO (sigqueue (INT32_MAX, SIGUSR1, value));
  SHOW (pthread_sigqueue (pthread_self (), 99, value));
  SHOW_ERRNO (sigtimedwait (&set, NULL, &short_time));
}

/* A child has the parent's memory until it is killed, and the parent goes on. */
static void
vforked (void)
{
  pid_t volatile child;
  int status = -1;

  block (SIGUSR1);
  CHECK (sem_init (&semaphore, 0, 0) == 0);
  child = vfork ();
  if (child == 0)
    {
      kill (getppid (), SIGUSR1);
      kill (getpid (), SIGKILL);
      _exit (1);
    }
  CHECK (waitpid (child, &status, 0) == child);
  printf ("killed: %d\n", WIFSIGNALED (status) ? WTERMSIG (status) : 0);
  wait_for_usr1 ();
  for (int i = 0; i < POSTS; i++)
    CHECK (sem_post (&semaphore) == 0);
}

const struct test_case cases[] = {
    {"wakes-thread", wakes_thread},
    {"suspended", suspended},
    {"paused", paused},
    {"one-of-two", one_of_two},
    {"between-processes", between_processes},
    {"group", group},
    {"queued", queued},
    {"coalesced", coalesced},
    {"two-senders", two_senders},
    {"by-timer", by_timer},
    {"crowd", crowd},
    {"raises", raises},
    {"jumps-out", jumps_out},
    {"errors", errors},
    {"vforked", vforked},
    {NULL, NULL},
};
