/* SPDX-License-Identifier: Apache-2.0 */
/* Locks in circles that this run does not close: some could be closed by another order, some only seem so. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t e = PTHREAD_RWLOCK_INITIALIZER, f = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int n_over;
static int is_told;

/* Comes when so many others are through, or after a second: a recorded run is in order, and others need not be. */
static void
come_later (int n)
{
  const struct timespec pause = {0, 5000000};

  for (int i = 0; i < 200 && atomic_load (&n_over) < n; i++)
    nanosleep (&pause, NULL);
}

static void
nest (pthread_mutex_t *outer, pthread_mutex_t *inner)
{
  pthread_mutex_lock (outer);
  pthread_mutex_lock (inner);
  pthread_mutex_unlock (inner);
  pthread_mutex_unlock (outer);
}

static void *
a_then_b (void *data)
{
  nest (&a, &b);
  atomic_fetch_add (&n_over, 1);
  return data;
}

static void *
b_then_a (void *data)
{
  come_later (1);
  nest (&b, &a);
  return data;
}

static void *
b_then_c (void *data)
{
  come_later (1);
  nest (&b, &c);
  atomic_fetch_add (&n_over, 1);
  return data;
}

static void *
c_then_a (void *data)
{
  come_later (2);
  nest (&c, &a);
  return data;
}

static void *
write_both (void *data)
{
  pthread_rwlock_wrlock (&e);
  pthread_rwlock_rdlock (&f);
  pthread_rwlock_unlock (&f);
  pthread_rwlock_unlock (&e);
  atomic_fetch_add (&n_over, 1);
  return data;
}

static void *
write_other_way (void *data)
{
  come_later (1);
  pthread_rwlock_wrlock (&f);
  pthread_rwlock_wrlock (&e);
  pthread_rwlock_unlock (&e);
  pthread_rwlock_unlock (&f);
  return data;
}

/* Looks at memory that no recorder sees, so it never comes before the other is through. */
static void *
wait_unseen (void *data)
{
  const struct timespec pause = {0, 1000000};

  while (atomic_load (&n_over) == 0)
    nanosleep (&pause, NULL);
  nest (&b, &a);
  return data;
}

static void *
tell (void *data)
{
  nest (&a, &b);
  pthread_mutex_lock (&c);
  is_told = 1;
  pthread_mutex_unlock (&c);
  atomic_fetch_add (&n_over, 1);
  return data;
}

/* What it does depends on who had c first. */
static void *
do_as_told (void *data)
{
  int told;

  come_later (1);
  pthread_mutex_lock (&c);
  told = is_told;
  pthread_mutex_unlock (&c);
  if (told)
    nest (&b, &a);
  return data;
}

static const struct
{
  const char *name;
  void *(*threads[3]) (void *);
} programs[] = {
    {"two", {a_then_b, b_then_a}},
    {"three", {a_then_b, b_then_c, c_then_a}},
    {"crew", {write_both, write_other_way}},
    {"unseen", {a_then_b, wait_unseen}},
    {"told", {tell, do_as_told}},
};

int
main (int argc, char **argv)
{
  pthread_t threads[3];
  int n = 0;

  for (unsigned i = 0; argc == 2 && i < sizeof programs / sizeof *programs; i++)
    if (strcmp (programs[i].name, argv[1]) == 0)
      {
        for (; n < 3 && programs[i].threads[n] != NULL; n++)
          pthread_create (&threads[n], NULL, programs[i].threads[n], NULL);
        while (n > 0)
          pthread_join (threads[--n], NULL);
        return 0;
      }
  fprintf (stderr, "usage: replay-cycles NAME\n");
  return 2;
}
