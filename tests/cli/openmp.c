/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP in small: each part is called by its name. With a second argument, it prints how long it has slept. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
  TEAM = 4,
  MILLISECOND = 1000,
};

static long sum, napped; /* napped: in nanoseconds */
static int here;         /* number of threads that are about to wait */

static long
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}

static void
nap (long microseconds)
{
  const struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  long begin = now ();

  nanosleep (&time, NULL);
  __atomic_fetch_add (&napped, now () - begin, __ATOMIC_RELAXED);
}

static void
come (void)
{
  __atomic_fetch_add (&here, 1, __ATOMIC_RELAXED);
}

/* Keeps so many others waiting for a known time. */
static void
keep_waiting (int others)
{
  while (__atomic_load_n (&here, __ATOMIC_RELAXED) < others)
    usleep (100);
  nap (400 * MILLISECOND);
}

static void
late_master (void)
{
#pragma omp parallel num_threads(TEAM)
  if (omp_get_thread_num () != 0)
    come ();
  else
    keep_waiting (TEAM - 1);
#pragma omp parallel num_threads(TEAM)
  come ();
}

static void
late_worker (void)
{
#pragma omp parallel num_threads(TEAM)
  if (omp_get_thread_num () != 1)
    come ();
  else
    keep_waiting (TEAM - 1);
}

static void
reduction (void)
{
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(TEAM)
  for (int i = 0; i < 100; i++)
    sum += i;
}

static void
dynamic (void)
{
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum) num_threads(TEAM)
  for (int i = 0; i < 40; i++)
    {
      nap (MILLISECOND);
      sum += i;
    }
}

static void
guided (void)
{
#pragma omp parallel num_threads(TEAM) reduction(+ : sum)
  {
#pragma omp for schedule(guided)
    for (unsigned long long i = 0; i < 100; i++)
      sum += (long)i;
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < 16; i++)
      sum += i;
  }
}

static void
barrier (void)
{
#pragma omp parallel num_threads(TEAM)
  {
    if (omp_get_thread_num () != 2)
      come ();
    else
      keep_waiting (TEAM - 1);
#pragma omp barrier
#pragma omp barrier
  }
}

static void
critical (void)
{
  int is_first = 1;

#pragma omp parallel num_threads(TEAM)
  {
    come ();
#pragma omp critical
    {
      if (is_first)
        keep_waiting (TEAM);
      is_first = 0;
#pragma omp atomic
      sum++;
    }
#pragma omp critical(second)
    {
#pragma omp atomic
      sum++;
    }
  }
}

static void
locks (void)
{
  static omp_lock_t lock;
  static omp_nest_lock_t nested;

  omp_init_lock (&lock);
  omp_init_nest_lock (&nested);
#pragma omp parallel num_threads(TEAM)
  {
    omp_set_lock (&lock);
    sum++;
    omp_unset_lock (&lock);
    while (!omp_test_lock (&lock))
      ;
    omp_unset_lock (&lock);
    omp_set_nest_lock (&nested);
    omp_set_nest_lock (&nested);
    omp_unset_nest_lock (&nested);
    omp_unset_nest_lock (&nested);
  }
  omp_destroy_lock (&lock);
  omp_destroy_nest_lock (&nested);
}

static void
single (void)
{
  int copied;

#pragma omp parallel num_threads(TEAM) private(copied)
  {
    come ();
#pragma omp single copyprivate(copied)
    {
      keep_waiting (TEAM);
      copied = 5;
    }
#pragma omp sections
    {
#pragma omp section
      come ();
#pragma omp section
      come ();
    }
#pragma omp atomic
    sum += copied;
  }
}

static void
ordered (void)
{
#pragma omp parallel for ordered schedule(static, 1) num_threads(TEAM)
  for (int i = 0; i < 20; i++)
    {
#pragma omp ordered
      {
        nap (MILLISECOND);
        sum += i;
      }
    }
}

/* Its iterations have an ordered section only now and then, and leave the order in the middle. */
static void
seldom (void)
{
#pragma omp parallel for ordered schedule(dynamic) num_threads(TEAM)
  for (int i = 0; i < 40; i++)
    if (i % 3 == 0)
      {
#pragma omp ordered
        sum += i;
      }
}

static void
doacross (void)
{
  static double a[101], b[21][21];

#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(TEAM)
  for (int i = 1; i <= 100; i++)
    {
#pragma omp ordered depend(sink : i - 1)
      a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered(2) num_threads(TEAM)
  for (int i = 1; i <= 20; i++)
    for (int j = 1; j <= 20; j++)
      {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        b[i][j] = b[i - 1][j] + b[i][j - 1] + 1;
#pragma omp ordered depend(source)
      }
  sum += (long)a[100] + (long)b[2][2];
}

/* Loops and sections whose reductions tasks take part in begin in another way. */
static void
task_reductions (void)
{
#pragma omp parallel num_threads(TEAM)
  {
#pragma omp for schedule(dynamic, 2) reduction(task, + : sum)
    for (int i = 0; i < 20; i++)
#pragma omp task in_reduction(+ : sum)
      sum += i;
#pragma omp for ordered schedule(dynamic) reduction(task, + : sum)
    for (int i = 0; i < 8; i++)
      {
#pragma omp ordered
        sum += i;
      }
#pragma omp sections reduction(task, + : sum)
    {
#pragma omp section
      sum += 1;
#pragma omp section
      sum += 2;
    }
  }
#pragma omp parallel sections num_threads(TEAM)
  {
#pragma omp section
    nap (MILLISECOND);
#pragma omp section
    nap (MILLISECOND);
#pragma omp section
    nap (MILLISECOND);
  }
}

static long
fibonacci (int n)
{
  long left, right;

  if (n < 2)
    return n;
#pragma omp task shared(left)
  left = fibonacci (n - 1);
  right = fibonacci (n - 2);
#pragma omp taskwait
  return left + right;
}

static void
tasks (void)
{
#pragma omp parallel num_threads(TEAM)
#pragma omp single
  {
    sum += fibonacci (10);
    for (int i = 0; i < 8; i++)
#pragma omp task
      nap (10 * MILLISECOND);
#pragma omp taskwait
  }
}

/* One whose event another task fulfils, when its own code has ended long ago; and those that fulfil it themselves. */
static void
detached (void)
{
#pragma omp parallel num_threads(TEAM)
#pragma omp single
  {
    omp_event_handle_t event;

#pragma omp task detach(event)
    {
#pragma omp atomic
      sum += 1;
    }
#pragma omp task
    {
      nap (50 * MILLISECOND);
      omp_fulfill_event (event);
    }
#pragma omp taskwait
  }
#pragma omp parallel num_threads(TEAM)
#pragma omp single
  {
    for (int i = 0; i < 40; i++)
      {
        omp_event_handle_t event;

#pragma omp task detach(event) if (i % 4 > 0)
        {
          omp_fulfill_event (event);
#pragma omp atomic
          sum += i;
        }
      }
#pragma omp taskwait
  }
}

/* Whoever carries it out keeps all others waiting. */
static void
late_task (void)
{
#pragma omp parallel num_threads(TEAM)
  {
    come ();
#pragma omp single
    {
#pragma omp task
      keep_waiting (TEAM);
#pragma omp taskwait
    }
  }
#pragma omp parallel num_threads(TEAM)
  come ();
}

static void
groups (void)
{
#pragma omp parallel num_threads(TEAM)
  {
#pragma omp single
    {
#pragma omp taskgroup
      {
#pragma omp task
        {
#pragma omp task
          nap (20 * MILLISECOND);
        }
      }
#pragma omp taskloop grainsize(5)
      for (int i = 0; i < 20; i++)
        {
#pragma omp atomic
          sum += i;
        }
    }
#pragma omp single nowait
#pragma omp task
    nap (10 * MILLISECOND);
  }
}

static long
tree (int n)
{
  long left, right;

  if (n < 2)
    {
      nap (MILLISECOND / 10);
      return 1;
    }
#pragma omp task shared(left)
  left = tree (n - 1);
#pragma omp task shared(right)
  right = tree (n - 2);
#pragma omp taskwait
  return left + right;
}

/* The others carry out tasks within tasks at a barrier, and where nothing but the end of the region is left to them. */
static void
trees (void)
{
#pragma omp parallel num_threads(TEAM)
  {
#pragma omp single
    {
#pragma omp atomic
      sum += tree (5);
    }
#pragma omp master
    {
#pragma omp atomic
      sum += tree (5);
    }
#pragma omp taskgroup
    {
#pragma omp task
      tree (3);
    }
#pragma omp task
    tree (2);
  }
#pragma omp parallel num_threads(TEAM)
#pragma omp master
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 12; i++)
    tree (2);
  omp_set_max_active_levels (2);
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
#pragma omp master
    tree (4);
#pragma omp master
    tree (4);
  }
}

/* The second reads what the first writes, as does the third, and the last writes after both; then main waits for it. */
static void
depend (void)
{
  static int a, b, c;

#pragma omp parallel num_threads(TEAM)
#pragma omp single
  {
#pragma omp task depend(out : a)
    {
      nap (20 * MILLISECOND);
      a = 1;
    }
#pragma omp task depend(in : a) depend(out : b)
    b = a + 1;
#pragma omp task depend(in : a) depend(out : c)
    c = a + 2;
#pragma omp task depend(inout : a, b) depend(in : c)
    {
      nap (20 * MILLISECOND);
      a = 10 * a + b + c;
    }
#pragma omp task depend(inout : a) if (0)
    a++;
#pragma omp taskwait
  }
  sum += a;
}

static void
nested (void)
{
  omp_set_max_active_levels (2);
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
    {
      nap (5 * MILLISECOND);
#pragma omp barrier
#pragma omp atomic
      sum++;
    }
#pragma omp barrier
  }
}

/* Some have left the barrier and cancel, when others are still about to leave it; and some never come to the last. */
static void
cancel (void)
{
  for (int i = 0; i < 100; i++)
#pragma omp parallel num_threads(TEAM)
    {
#pragma omp barrier
      if (omp_get_thread_num () == 1)
        {
#pragma omp cancel parallel
        }
#pragma omp barrier
#pragma omp atomic
      sum += 0;
    }
}

static void
forks (void)
{
  pid_t child = fork ();
  int status = 0;

  if (child == 0)
    {
      reduction ();
      _exit (sum == 4950 ? 7 : 1);
    }
  waitpid (child, &status, 0);
  reduction ();
  sum += WEXITSTATUS (status);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*part) (void);
  } parts[] = {{"late-master", late_master},
               {"late-worker", late_worker},
               {"detached", detached},
               {"late-task", late_task},
               {"reduction", reduction},
               {"dynamic", dynamic},
               {"guided", guided},
               {"barrier", barrier},
               {"critical", critical},
               {"locks", locks},
               {"single", single},
               {"ordered", ordered},
               {"seldom", seldom},
               {"doacross", doacross},
               {"task-reductions", task_reductions},
               {"tasks", tasks},
               {"groups", groups},
               {"trees", trees},
               {"depend", depend},
               {"nested", nested},
               {"cancel", cancel},
               {"forks", forks}};

  for (int i = 1; i < argc; i++)
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
      if (strcmp (parts[k].name, argv[i]) == 0)
        parts[k].part ();
  printf ("%ld\n", sum);
  if (argc > 2)
    printf ("%ld\n", napped);
  return 3;
}
