/* SPDX-License-Identifier: Apache-2.0 */
/* Locks in circles: programs that could deadlock, and programs that could not, neither of which does. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER,
                       d = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t e = PTHREAD_RWLOCK_INITIALIZER, f = PTHREAD_RWLOCK_INITIALIZER,
                        wide_gate = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin_a, spin_b;
static pthread_mutex_t recursive;
static pthread_barrier_t barrier;
static sem_t done, passed;
static atomic_int step; /* no recorder sees who waits for it */
static int is_done;

static void
await_step (int n)
{
  while (atomic_load (&step) < n)
    sched_yield ();
}

static void
nest (pthread_mutex_t *outer, pthread_mutex_t *inner)
{
  pthread_mutex_lock (outer);
  pthread_mutex_lock (inner);
  pthread_mutex_unlock (inner);
  pthread_mutex_unlock (outer);
}

/* --- Could deadlock ----------------------------------------------------------------------------------------------- */

static void
two_first (void)
{
  nest (&a, &b);
}

static void
two_second (void)
{
  nest (&b, &a);
}

static void
three_first (void)
{
  nest (&a, &b);
  atomic_store (&step, 1);
}

static void
three_second (void)
{
  await_step (1);
  nest (&b, &c);
  atomic_store (&step, 2);
}

static void
last_of_three (void)
{
  await_step (2);
  nest (&c, &a);
}

static void
last_of_four (void)
{
  await_step (2);
  nest (&c, &d);
  atomic_store (&step, 3);
}

static void
fourth (void)
{
  await_step (3);
  nest (&d, &a);
}

static void
writers_first (void)
{
  pthread_rwlock_wrlock (&e);
  pthread_rwlock_wrlock (&f);
  pthread_rwlock_unlock (&f);
  pthread_rwlock_unlock (&e);
}

static void
writers_second (void)
{
  pthread_rwlock_wrlock (&f);
  pthread_rwlock_wrlock (&e);
  pthread_rwlock_unlock (&e);
  pthread_rwlock_unlock (&f);
}

static void
upgrade_first (void)
{
  pthread_rwlock_rdlock (&e);
  pthread_rwlock_wrlock (&f);
  pthread_rwlock_unlock (&f);
  pthread_rwlock_unlock (&e);
}

static void
upgrade_second (void)
{
  pthread_rwlock_rdlock (&f);
  pthread_rwlock_wrlock (&e);
  pthread_rwlock_unlock (&e);
  pthread_rwlock_unlock (&f);
}

static void
mixed_second (void)
{
  pthread_rwlock_rdlock (&e);
  nest (&b, &a);
  pthread_rwlock_unlock (&e);
}

static void
mixed_first (void)
{
  pthread_rwlock_rdlock (&e);
  nest (&a, &b);
  pthread_rwlock_unlock (&e);
}

static void
spin_first (void)
{
  pthread_spin_lock (&spin_a);
  pthread_spin_lock (&spin_b);
  pthread_spin_unlock (&spin_b);
  pthread_spin_unlock (&spin_a);
}

static void
spin_second (void)
{
  pthread_spin_lock (&spin_b);
  pthread_spin_lock (&spin_a);
  pthread_spin_unlock (&spin_a);
  pthread_spin_unlock (&spin_b);
}

/* Takes b again while it has a; the order of both is the same else. */
static void
again_first (void)
{
  pthread_mutex_lock (&b);
  pthread_mutex_lock (&a);
  atomic_store (&step, 1);
  pthread_cond_wait (&changed, &b);
  atomic_store (&step, 2);
  pthread_mutex_unlock (&a);
  pthread_mutex_unlock (&b);
}

static void
wake (void)
{
  await_step (1);
  while (atomic_load (&step) < 2)
    {
      pthread_cond_signal (&changed);
      sched_yield ();
    }
  atomic_store (&step, 3);
}

static void
again_second (void)
{
  await_step (3);
  nest (&b, &a);
}

static void
lock_and_mutex_first (void)
{
  pthread_rwlock_wrlock (&e);
  pthread_mutex_lock (&a);
  pthread_mutex_unlock (&a);
  pthread_rwlock_unlock (&e);
}

static void
lock_and_mutex_second (void)
{
  pthread_mutex_lock (&a);
  pthread_rwlock_rdlock (&e);
  pthread_rwlock_unlock (&e);
  pthread_mutex_unlock (&a);
}

/* The first time is over before the other one begins, the second is not. */
static void
twice_first (void)
{
  nest (&a, &b);
  sem_post (&done);
  nest (&a, &b);
}

static void
twice_second (void)
{
  sem_wait (&done);
  nest (&b, &a);
}

/* --- Could not ---------------------------------------------------------------------------------------------------- */

static void
gated_first (void)
{
  pthread_mutex_lock (&gate);
  nest (&a, &b);
  pthread_mutex_unlock (&gate);
}

static void
gated_second (void)
{
  pthread_mutex_lock (&gate);
  nest (&b, &a);
  pthread_mutex_unlock (&gate);
}

static void
crew_gated_first (void)
{
  pthread_rwlock_wrlock (&wide_gate);
  nest (&a, &b);
  pthread_rwlock_unlock (&wide_gate);
}

static void
crew_gated_second (void)
{
  pthread_rwlock_rdlock (&wide_gate);
  nest (&b, &a);
  pthread_rwlock_unlock (&wide_gate);
}

static void
met_first (void)
{
  nest (&a, &b);
  pthread_barrier_wait (&barrier);
}

static void
met_second (void)
{
  pthread_barrier_wait (&barrier);
  nest (&b, &a);
}

static void
posted_first (void)
{
  nest (&a, &b);
  sem_post (&done);
}

static void
signalled_first (void)
{
  await_step (1);
  nest (&a, &b);
  pthread_mutex_lock (&c);
  is_done = 1;
  pthread_cond_signal (&changed);
  pthread_mutex_unlock (&c);
}

static void
signalled_second (void)
{
  pthread_mutex_lock (&c);
  atomic_store (&step, 1);
  while (!is_done)
    pthread_cond_wait (&changed, &c);
  pthread_mutex_unlock (&c);
  nest (&b, &a);
}

static void
readers_first (void)
{
  pthread_rwlock_rdlock (&e);
  pthread_rwlock_rdlock (&f);
  pthread_rwlock_unlock (&f);
  pthread_rwlock_unlock (&e);
}

static void
readers_second (void)
{
  pthread_rwlock_rdlock (&f);
  pthread_rwlock_rdlock (&e);
  pthread_rwlock_unlock (&e);
  pthread_rwlock_unlock (&f);
}

static void
tries_second (void)
{
  pthread_mutex_lock (&b);
  if (pthread_mutex_trylock (&a) == 0)
    pthread_mutex_unlock (&a);
  pthread_mutex_unlock (&b);
}

static void
pass_on (void)
{
  sem_wait (&done);
  sem_post (&passed);
}

static void
passed_second (void)
{
  sem_wait (&passed);
  nest (&b, &a);
}

static void
recursive_first (void)
{
  pthread_mutex_lock (&recursive);
  nest (&b, &recursive);
  pthread_mutex_unlock (&recursive);
}

static void
recursive_second (void)
{
  nest (&recursive, &b);
}

/* --- All ---------------------------------------------------------------------------------------------------------- */

/* Each has a thread of its own; `joined`: the next one begins when it has ended. Others begin when the program sees
 * that the one before has ended, which no recorder does. */
static const struct
{
  const char *name;
  void (*threads[4]) (void);
  int joined, together;
} programs[] = {
    {"two", {two_first, two_second}, 0, 0},
    {"three", {three_first, three_second, last_of_three}, 0, 1},
    {"four", {three_first, three_second, last_of_four, fourth}, 0, 1},
    {"writers", {writers_first, writers_second}, 0, 0},
    {"upgrade", {upgrade_first, upgrade_second}, 0, 0},
    {"mixed", {mixed_first, mixed_second}, 0, 0},
    {"spin", {spin_first, spin_second}, 0, 0},
    {"again", {again_first, wake, again_second}, 0, 1},
    {"kinds", {lock_and_mutex_first, lock_and_mutex_second}, 0, 0},
    {"twice", {twice_first, twice_second}, 0, 0},
    {"gated", {gated_first, gated_second}, 0, 0},
    {"crew-gated", {crew_gated_first, crew_gated_second}, 0, 0},
    {"joined", {two_first, two_second}, 1, 0},
    {"met", {met_first, met_second}, 0, 1},
    {"posted", {posted_first, twice_second}, 0, 0},
    {"signalled", {signalled_first, signalled_second}, 0, 1},
    {"readers", {readers_first, readers_second}, 0, 0},
    {"tries", {two_first, tries_second}, 0, 0},
    {"passed", {posted_first, pass_on, passed_second}, 0, 0},
    {"recursive", {recursive_first, recursive_second}, 0, 0},
};

static atomic_int ended;

static void *
run (void *data)
{
  void (*const *thread) (void) = data;

  (*thread) ();
  atomic_fetch_add (&ended, 1);
  return NULL;
}

static void
start_all (unsigned which)
{
  pthread_t threads[4];
  int n = 0;

  for (; n < 4 && programs[which].threads[n] != NULL; n++)
    {
      pthread_create (&threads[n], NULL, run, (void *)&programs[which].threads[n]);
      while (!programs[which].together && atomic_load (&ended) <= n)
        sched_yield ();
      if (programs[which].joined)
        pthread_join (threads[n], NULL);
    }
  for (int i = 0; i < n && !programs[which].joined; i++)
    pthread_join (threads[i], NULL);
}

int
main (int argc, char **argv)
{
  pthread_mutexattr_t attributes;

  pthread_mutexattr_init (&attributes);
  pthread_mutexattr_settype (&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init (&recursive, &attributes);
  pthread_spin_init (&spin_a, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_init (&spin_b, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init (&barrier, NULL, 2);
  sem_init (&done, 0, 0);
  sem_init (&passed, 0, 0);
  for (unsigned i = 0; argc == 2 && i < sizeof programs / sizeof *programs; i++)
    if (strcmp (programs[i].name, argv[1]) == 0)
      {
        start_all (i);
        return 0;
      }
  fprintf (stderr, "usage: cycles NAME\n");
  return 2;
}
