/* SPDX-License-Identifier: Apache-2.0 */
/* Futexes by `syscall`, and what else comes that way: PROGRAM CASE. With INLINED, by no function at all. */
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "case.h"

#ifdef INLINED
/* The same calls without the C library. */
static long
inlined_call (long number, ...)
{
  register unsigned long fourth __asm__("r10");
  register unsigned long fifth __asm__("r8");
  register unsigned long sixth __asm__("r9");
  unsigned long arguments[6];
  va_list rest;
  long result = number;

  va_start (rest, number);
  for (int i = 0; i < 6; i++)
    arguments[i] = va_arg (rest, unsigned long);
  va_end (rest);
  fourth = arguments[3];
  fifth = arguments[4];
  sixth = arguments[5];
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  if (result < 0 && result > -4096)
    {
      errno = (int)-result;
      return -1;
    }
  return result;
}
#define syscall inlined_call
#endif

enum
{
  MANY = 4,
  ROUNDS = 500,
};

static const struct timespec short_time = {0, 20000000}, wrong_time = {0, 2000000000};
static uint32_t word, other_word;
static uint32_t thread_ids[MANY];

static long
futex_call (uint32_t *at, int operation, uint32_t value, const struct timespec *time)
{
  return syscall (SYS_futex, at, operation, value, time, NULL, 0);
}

/* Sleeps until the word is no longer 0. */
static void
futex_sleep (uint32_t *at)
{
  while (__atomic_load_n (at, __ATOMIC_ACQUIRE) == 0)
    futex_call (at, FUTEX_WAIT_PRIVATE, 0, NULL);
}

static void *
sleeper (void *number)
{
  case_set (&thread_ids[(uintptr_t)number], (uint32_t)syscall (SYS_gettid));
  futex_sleep (&word);
  return NULL;
}

static pthread_t
start_sleeper (uintptr_t number)
{
  return case_start (sleeper, (void *)number);
}

static void
one_thread (void)
{
  SHOW_ERRNO ((int)futex_call (&word, FUTEX_WAIT_PRIVATE, 1, NULL));
  SHOW_ERRNO ((int)futex_call (&word, FUTEX_WAIT_PRIVATE, 0, &wrong_time));
  SHOW_ERRNO ((int)futex_call ((uint32_t *)((uintptr_t)&word + 1), FUTEX_WAIT_PRIVATE, 0, NULL));
  SHOW_ERRNO ((int)futex_call ((uint32_t *)4096, FUTEX_WAIT_PRIVATE, 0, NULL));
  SHOW_ERRNO ((int)futex_call (&word, 77, 0, NULL));
  SHOW_ERRNO ((int)futex_call (&word, FUTEX_WAKE_PRIVATE, 1, NULL));
  SHOW_ERRNO ((int)futex_call (&word, FUTEX_WAKE, 1, NULL));
  SHOW_ERRNO ((int)futex_call (&word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL));
  SHOW_ERRNO ((int)syscall (SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 0));
  SHOW_ERRNO ((int)futex_call (&word, FUTEX_WAIT_PRIVATE, 0, &short_time));
  SHOW_ERRNO ((int)futex_call (&word, FUTEX_WAIT, 0, &short_time));
}

/* What is no futex comes through as it is. */
static void
other_calls (void)
{
  char text[8] = "";
  int ends[2];
  void *memory;
  pid_t child;

  SHOW_ERRNO ((int)syscall (SYS_getpid) == getpid ());
  SHOW_ERRNO ((int)syscall (SYS_close, -1));
  SHOW_ERRNO ((int)syscall (9999));
  memory = (void *)syscall (SYS_mmap, NULL, 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
  CHECK (memory != MAP_FAILED);
  SHOW_ERRNO ((int)syscall (SYS_munmap, memory, 4096L));
  CHECK (pipe (ends) == 0);
  child = vfork ();
  if (child == 0)
    {
      syscall (SYS_write, ends[1], "child", 5L);
      futex_call (&word, FUTEX_WAKE_PRIVATE, 1, NULL);
      _exit (5);
    }
  CHECK (waitpid (child, NULL, 0) == child);
  SHOW_ERRNO ((int)syscall (SYS_read, ends[0], text, sizeof text));
  printf ("%s\n", text);
}

static void
one_waits (void)
{
  pthread_t thread = start_sleeper (0);

  case_set (&word, 1);
  SHOW_ERRNO ((int)futex_call (&word, FUTEX_WAKE_PRIVATE, 1, NULL));
  CHECK (pthread_join (thread, NULL) == 0);
}

static void
many_wait (void)
{
  pthread_t threads[MANY];

  for (uintptr_t i = 0; i < MANY; i++)
    threads[i] = start_sleeper (i);
  case_set (&word, 1);
  SHOW_ERRNO ((int)futex_call (&word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL));
  for (int i = 0; i < MANY; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
}

/* One is woken where it waits, and the others where they are sent to. */
static void
requeue (void)
{
  pthread_t threads[MANY];

  for (uintptr_t i = 0; i < MANY; i++)
    threads[i] = start_sleeper (i);
  case_set (&word, 1);
  SHOW_ERRNO ((int)syscall (SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (long)INT32_MAX, &other_word, 1));
  CHECK (pthread_join (threads[0], NULL) == 0); /* the first that slept; later it could be taken for another one */
  SHOW_ERRNO ((int)futex_call (&other_word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL));
  for (int i = 1; i < MANY; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
}

static void *
wait_for_bit (void *data)
{
  return (void *)syscall (SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, (uint32_t)(uintptr_t)data);
}

/* Each is woken by the call that has its bit. */
static void
bits (void)
{
  pthread_t one = case_start (wait_for_bit, (void *)1), two = case_start (wait_for_bit, (void *)2);

  SHOW_ERRNO ((int)syscall (SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 4, NULL, NULL, 2));
  CHECK (pthread_join (two, NULL) == 0);
  SHOW_ERRNO ((int)syscall (SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 4, NULL, NULL, 1));
  CHECK (pthread_join (one, NULL) == 0);
}

/* Wakes at two words. */
static void
wake_op (void)
{
  pthread_t thread = start_sleeper (0);

  SHOW_ERRNO ((int)syscall (SYS_futex, &other_word, FUTEX_WAKE_OP_PRIVATE, 1, 1L, &word,
                            FUTEX_OP (FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0)));
  CHECK (pthread_join (thread, NULL) == 0);
}

static void *
lock_pi (void *data)
{
  (void)data;
  CHECK (futex_call (&word, FUTEX_LOCK_PI_PRIVATE, 0, NULL) == 0);
  CHECK (futex_call (&word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL) == 0);
  return NULL;
}

static void
priorities (void)
{
  pthread_t thread;

  word = (uint32_t)syscall (SYS_gettid);
  thread = case_start (lock_pi, NULL);
  SHOW_ERRNO ((int)futex_call (&word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL));
  CHECK (pthread_join (thread, NULL) == 0);
}

struct waiter
{
  uint64_t value, address;
  uint32_t flags, reserved;
};

static void *
wait_for_any (void *data)
{
  static struct waiter waiters[2];

  (void)data;
  for (int i = 0; i < 2; i++)
    waiters[i] = (struct waiter){0, (uint64_t)(uintptr_t)(i == 0 ? &word : &other_word), 2 | FUTEX_PRIVATE_FLAG, 0};
  return (void *)syscall (449, waiters, 2L, 0L, NULL, CLOCK_MONOTONIC);
}

static void
several (void)
{
  pthread_t thread;
  void *found;

  SHOW_ERRNO ((int)syscall (449, NULL, 0L, 0L, NULL, 0L));
  thread = case_start (wait_for_any, NULL);
  SHOW_ERRNO ((int)futex_call (&other_word, FUTEX_WAKE_PRIVATE, 1, NULL));
  CHECK (pthread_join (thread, &found) == 0);
  printf ("found %d\n", (int)(intptr_t)found);
}

/* In memory that a forked child shares. */
static void
shared (void)
{
  uint32_t *both = mmap (NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t child;

  CHECK (both != MAP_FAILED);
  child = fork ();
  if (child == 0)
    {
      SHOW_ERRNO ((int)futex_call (both, FUTEX_WAIT, 0, NULL));
      exit (0);
    }
  while (futex_call (both, FUTEX_WAKE, 1, NULL) == 0)
    case_nap (1);
  CHECK (waitpid (child, NULL, 0) == child);
}

static void
handler_wakes (int signal)
{
  int error = errno;

  (void)signal;
  case_set (&word, 1);
  futex_call (&word, FUTEX_WAKE_PRIVATE, 1, NULL);
  errno = error;
}

static void *
interrupted (void *data)
{
  (void)data;
  SHOW_ERRNO ((int)futex_call (&other_word, FUTEX_WAIT_PRIVATE, 0, NULL));
  return NULL;
}

/* A wait that a handler cuts short, which wakes another thread. */
static void
signals (void)
{
  struct sigaction action = {.sa_handler = handler_wakes};
  pthread_t first = start_sleeper (0), second;

  CHECK (sigaction (SIGUSR1, &action, NULL) == 0);
  second = case_start (interrupted, NULL);
  CHECK (pthread_kill (second, SIGUSR1) == 0);
  CHECK (pthread_join (first, NULL) == 0);
  CHECK (pthread_join (second, NULL) == 0);
}

static void *
cancelled (void *data)
{
  (void)data;
  CHECK (pthread_setcanceltype (PTHREAD_CANCEL_ASYNCHRONOUS, NULL) == 0);
  futex_call (&word, FUTEX_WAIT_PRIVATE, 0, NULL);
  return NULL;
}

static void
cancellation (void)
{
  pthread_t thread = case_start (cancelled, NULL);
  void *result;

  CHECK (pthread_cancel (thread) == 0);
  CHECK (pthread_join (thread, &result) == 0);
  printf ("cancelled: %d\n", result == PTHREAD_CANCELED);
}

/* A lock of Drepper's "Futexes are tricky": 2 says that somebody sleeps. */
static void
drepper_lock (void)
{
  uint32_t free = 0;

  if (__atomic_compare_exchange_n (&word, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  while (__atomic_exchange_n (&word, 2, __ATOMIC_ACQUIRE) != 0)
    futex_call (&word, FUTEX_WAIT_PRIVATE, 2, NULL);
}

static void
drepper_unlock (void)
{
  if (__atomic_exchange_n (&word, 0, __ATOMIC_RELEASE) == 2)
    futex_call (&word, FUTEX_WAKE_PRIVATE, 1, NULL);
}

static void *
count_slowly (void *data)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      drepper_lock ();
      ++*(uint32_t *)data;
      if (i % 10 == 0)
        case_nap (0);
      sched_yield ();
      drepper_unlock ();
    }
  return NULL;
}

static void
crowd (void)
{
  pthread_t threads[MANY];
  uint32_t count = 0;

  for (int i = 0; i < MANY; i++)
    CHECK (pthread_create (&threads[i], NULL, count_slowly, &count) == 0);
  for (int i = 0; i < MANY; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  printf ("%u\n", count);
}

const struct test_case cases[] = {
    {"one-thread", one_thread}, {"other-calls", other_calls},
    {"one-waits", one_waits},   {"many-wait", many_wait},
    {"requeue", requeue},       {"bits", bits},
    {"wake-op", wake_op},       {"priorities", priorities},
    {"several", several},       {"shared", shared},
    {"signals", signals},       {"cancellation", cancellation},
    {"crowd", crowd},           {NULL, NULL},
};
