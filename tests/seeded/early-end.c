/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that fail before some of their threads have come to what these do in other runs. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other_lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static volatile int *result;

static void
step (void)
{
  pthread_mutex_lock (&lock);
  pthread_mutex_unlock (&lock);
}

/* --- A thread that is made, and has done nothing ----------------------------------------------------------------- */

static void *
do_little (void *data)
{
  step ();
  return data;
}

static void *
give_result (void *data)
{
  static int number = 1;

  step ();
  result = &number;
  done = 1;
  return data;
}

/* Waits for the wrong one. */
static void
join_first (void)
{
  pthread_t first, second;

  pthread_create (&first, NULL, do_little, NULL);
  pthread_create (&second, NULL, give_result, NULL);
  pthread_join (first, NULL);
}

static void
abort_early (void)
{
  join_first ();
  if (!done)
    abort ();
}

static void
crash_early (void)
{
  join_first ();
  (*result)++;
}

static void
exit_early (void)
{
  join_first ();
  if (!done)
    exit (3);
}

/* The thread that has not begun was made by another one, which has ended. */
static void *
make_another (void *data)
{
  pthread_t another;

  pthread_create (&another, NULL, give_result, NULL);
  return data;
}

static void
abort_before_grandchild (void)
{
  pthread_t child;

  pthread_create (&child, NULL, make_another, NULL);
  pthread_join (child, NULL);
  step ();
  if (!done)
    abort ();
}

/* --- Operations that had not come -------------------------------------------------------------------------------- */

static void
set_done (int value)
{
  pthread_mutex_lock (&lock);
  done = value;
  pthread_mutex_unlock (&lock);
}

static void *
take_back (void *data)
{
  set_done (1);
  pthread_mutex_lock (&other_lock);
  pthread_mutex_unlock (&other_lock);
  set_done (0);
  return data;
}

/* With fewer orders than in the run that failed, the first of these steps fails and not the last: what was to come
 * after that one is held back for ever. */
static void
abort_sooner (void)
{
  pthread_t first, second;

  pthread_create (&first, NULL, do_little, NULL);
  pthread_create (&second, NULL, take_back, NULL);
  pthread_join (first, NULL);
  for (int i = 0; i < 4; i++)
    {
      step ();
      if (done)
        abort ();
    }
  pthread_join (second, NULL);
}

static void *
take_other (void *data)
{
  step ();
  pthread_mutex_lock (&other_lock);
  done = 1;
  pthread_mutex_unlock (&other_lock);
  return data;
}

/* The other thread mostly waits for a lock when the program dies. */
static void
abort_with_lock (void)
{
  pthread_t first, second;

  pthread_create (&first, NULL, do_little, NULL);
  pthread_create (&second, NULL, take_other, NULL);
  pthread_join (first, NULL);
  pthread_mutex_lock (&other_lock);
  step ();
  step ();
  if (!done)
    abort ();
  pthread_mutex_unlock (&other_lock);
  pthread_join (second, NULL);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (void);
  } programs[] = {
      {"abort", abort_early},   {"crash", crash_early},
      {"exit", exit_early},     {"grandchild", abort_before_grandchild},
      {"sooner", abort_sooner}, {"waiting", abort_with_lock},
  };

  for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof programs[0]; i++)
    if (strcmp (programs[i].name, argv[1]) == 0)
      programs[i].run ();
  return 0;
}
