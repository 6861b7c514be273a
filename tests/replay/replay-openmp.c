/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP programs whose output says which thread did what, in which order. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum
{
  TEAM = 4,
  MOST = 4000
};

static int team = TEAM;
static unsigned long order[4];
static int who[MOST];
static int is_wrong; /* what does not depend on the order */

/* What comes in between is another each time. */
static void
work (int n)
{
  for (volatile int i = 0; i < n; i++)
    ;
}

static void
note (int place)
{
  order[place] = order[place] * 31 + (unsigned long)omp_get_thread_num () + 1;
}

static void
use_sections (void)
{
#pragma omp parallel num_threads(team)
  for (int i = 0; i < 200; i++)
    {
#pragma omp critical
      note (0);
      work (50 * omp_get_thread_num ());
#pragma omp critical(second)
      note (1);
    }
}

static void
use_locks (void)
{
  static omp_lock_t lock;
  static omp_nest_lock_t nested;

  omp_init_lock (&lock);
  omp_init_nest_lock (&nested);
#pragma omp parallel num_threads(team)
  for (int i = 0; i < 200; i++)
    {
      int attempts = 0;

      while (!omp_test_lock (&lock))
        attempts++;
      note (0);
      order[2] += (unsigned long)attempts;
      omp_unset_lock (&lock);
      omp_set_nest_lock (&nested);
      omp_set_nest_lock (&nested);
      note (1);
      omp_unset_nest_lock (&nested);
      omp_unset_nest_lock (&nested);
    }
  omp_destroy_nest_lock (&nested);
  omp_destroy_lock (&lock);
}

static void
use_loops (void)
{
#pragma omp parallel num_threads(team)
  for (int round = 1; round <= 10; round++)
    {
#pragma omp for schedule(dynamic, 3)
      for (int i = 5; i < 400; i += 2)
        {
          work (100);
          who[i] += omp_get_thread_num () * round;
        }
#pragma omp for schedule(guided)
      for (int i = 999; i > 400; i -= 7)
        {
          work (100);
          who[i] += omp_get_thread_num () * round;
        }
#pragma omp for schedule(runtime) nowait
      for (unsigned long long i = 1000; i < 1100; i++)
        {
          work (100);
          who[i] += omp_get_thread_num () * round;
        }
    }
#pragma omp parallel for schedule(dynamic) num_threads(team)
  for (int i = 1100; i < 1300; i++)
    {
      work (100);
      who[i] += omp_get_thread_num ();
    }
}

static void
use_singles (void)
{
#pragma omp parallel num_threads(team)
  for (int round = 1; round <= 50; round++)
    {
      int copied;

#pragma omp single
      who[0] += omp_get_thread_num () * round;
#pragma omp single copyprivate(copied)
      copied = omp_get_thread_num ();
      who[1 + omp_get_thread_num ()] += copied * round;
#pragma omp sections
      {
#pragma omp section
        who[10] += omp_get_thread_num () * round;
#pragma omp section
        who[11] += omp_get_thread_num () * round;
      }
    }
#pragma omp parallel sections num_threads(team)
  {
#pragma omp section
    who[12] = omp_get_thread_num ();
#pragma omp section
    who[13] = omp_get_thread_num ();
  }
}

static void
use_order (void)
{
  static double a[301];

#pragma omp parallel num_threads(team)
  {
#pragma omp for ordered schedule(dynamic, 2)
    for (int i = 0; i < 100; i++)
      {
        work (100);
        if (i % 3 != 0)
          continue;
#pragma omp ordered
        note (0);
      }
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 100; i++)
      {
#pragma omp ordered
        note (1);
      }
#pragma omp for ordered(1) schedule(dynamic, 2)
    for (int i = 1; i <= 300; i++)
      {
        work (100);
#pragma omp ordered depend(sink : i - 1)
        a[i] = a[i - 1] + omp_get_thread_num () * (i % 7);
#pragma omp ordered depend(source)
      }
  }
  who[0] = (int)a[300];
}

static void
make_tasks (void)
{
  for (int i = 0; i < 300; i++)
    {
#pragma omp task firstprivate(i)
      {
        usleep ((unsigned int)i % 3 * 20);
        who[i] = omp_get_thread_num ();
#pragma omp task firstprivate(i)
        {
          who[300 + i] = omp_get_thread_num ();
#pragma omp critical
          note (0);
        }
#pragma omp taskwait
      }
#pragma omp task if (i % 5) firstprivate(i)
      who[600 + i] = omp_get_thread_num ();
      if (i % 50 == 0)
        {
#pragma omp taskwait
        }
    }
}

static long
fibonacci (int n)
{
  long left, right;

  if (n < 2)
    return n;
#pragma omp task shared(left) final(n < 6)
  left = fibonacci (n - 1);
#pragma omp task shared(right)
  right = fibonacci (n - 2);
#pragma omp taskwait
#pragma omp critical
  note (1);
  return left + right;
}

static void
use_tasks (void)
{
  int x = 0, y = 0;

#pragma omp parallel num_threads(team)
  {
#pragma omp single
    {
      make_tasks ();
      who[3000] = (int)fibonacci (12);
#pragma omp taskgroup
      for (int i = 0; i < 40; i++)
        {
#pragma omp task firstprivate(i)
          {
            work (200);
            who[1000 + i] = omp_get_thread_num ();
          }
        }
#pragma omp taskloop grainsize(3)
      for (int i = 0; i < 100; i++)
        {
          work (100);
          who[1100 + i] = omp_get_thread_num ();
        }
      for (int i = 0; i < 30; i++)
        {
#pragma omp task depend(inout : x) depend(in : y) shared(x, y)
          x = (x * 3 + omp_get_thread_num ()) % 1000;
#pragma omp task depend(out : y) shared(y)
          y = (y * 3 + omp_get_thread_num ()) % 1000;
        }
    }
    /* Whoever is late at a barrier may carry out tasks that were made after it. */
    for (int round = 0; round < 20; round++)
      {
#pragma omp task firstprivate(round)
        who[2000 + round * TEAM + omp_get_thread_num ()]++;
#pragma omp barrier
      }
  }
  who[3001] = x;
  who[3002] = y;
}

static int
grow_tree (int n)
{
  int left, right;

  if (n < 2)
    {
      usleep (100);
      return 1;
    }
#pragma omp task shared(left)
  left = grow_tree (n - 1);
#pragma omp task shared(right)
  right = grow_tree (n - 2);
#pragma omp taskwait
#pragma omp critical
  note (0);
  return left + right;
}

/* All but one thread of each team carry out tasks within tasks, when nothing but the end of the region is left. */
static void
use_late_tasks (void)
{
#pragma omp parallel num_threads(team)
#pragma omp single
  who[0] = grow_tree (6);
#pragma omp parallel num_threads(team)
  {
#pragma omp task
    grow_tree (3);
#pragma omp master
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < 8; i++)
      who[1 + i] = grow_tree (2) + omp_get_thread_num ();
  }
  omp_set_max_active_levels (2);
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
#pragma omp master
    grow_tree (3);
#pragma omp task
    grow_tree (3);
  }
}

/* The last bits of a sum of floating-point numbers depend on who adds up when. */
static void
use_sums (void)
{
  double sum = 0, product = 1;

  for (int size = 2; size <= TEAM; size++)
    {
#pragma omp parallel for num_threads(size) schedule(dynamic) reduction(+ : sum) reduction(* : product)
      for (int i = 1; i < 100; i++)
        {
          work (100);
          sum += 1.0 / i / (omp_get_thread_num () + 1.7);
          product *= 1 + 1.0 / i / (omp_get_thread_num () + 3.3);
        }
#pragma omp parallel num_threads(size)
      for (int round = 0; round < 10; round++)
        {
#pragma omp for reduction(+ : sum)
          for (int i = 1; i < 20; i++)
            sum += 1.0 / i / (omp_get_thread_num () + 1.7);
        }
    }
  memcpy (&order[0], &sum, sizeof sum);
  memcpy (&order[1], &product, sizeof product);
}

/* So many tasks that a library lets others make some of them. */
static void
use_task_loops (void)
{
  int x = 0, last = 0;

#pragma omp parallel num_threads(team)
#pragma omp single
  {
#pragma omp taskloop grainsize(2)
    for (int i = 0; i < 400; i++)
      {
        work (50);
        who[i] = omp_get_thread_num ();
#pragma omp critical
        note (0);
      }
#pragma omp taskloop num_tasks(77) lastprivate(last)
    for (long i = 999; i >= 0; i -= 3)
      {
        work (50);
        who[1000 + i] = omp_get_thread_num ();
        last = (int)i;
      }
#pragma omp taskloop if (0)
    for (unsigned int i = 0; i < 20; i++)
      who[2000 + i] = omp_get_thread_num ();
    for (int i = 0; i < 20; i++)
      {
#pragma omp task depend(out : x) shared(x)
        {
          work (500);
          x += omp_get_thread_num () * i;
        }
#pragma omp task depend(inout : x) if (0) shared(x)
        x = (x * 3 + 1) % 1000;
#pragma omp task depend(in : x) shared(x)
        who[2100 + i] = x;
#pragma omp taskyield
      }
  }
  who[3000] = x;
  who[3001] = last;
}

static void
use_nested (void)
{
  omp_set_max_active_levels (2);
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num ();

    for (int i = 0; i < 5; i++)
#pragma omp parallel num_threads(2) firstprivate(outer, i)
      {
#pragma omp for schedule(dynamic)
        for (int k = 0; k < 20; k++)
          who[outer * 1000 + i * 20 + k] = omp_get_thread_num ();
#pragma omp critical
        note (0);
      }
  }
}

/* The last calls of regions return into clang's library, which has locks of its own. */
static pthread_mutex_t last_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t last_condition = PTHREAD_COND_INITIALIZER;
static int is_waiting;

static __attribute__ ((noinline)) void
wait_or_signal (int number)
{
  pthread_mutex_lock (&last_mutex);
  if (number == 0)
    {
      note (1);
      is_waiting = 1;
      pthread_cond_wait (&last_condition, &last_mutex);
      return;
    }
  while (!is_waiting)
    {
      pthread_mutex_unlock (&last_mutex);
      usleep (100);
      pthread_mutex_lock (&last_mutex);
    }
  note (1);
  pthread_mutex_unlock (&last_mutex);
  pthread_cond_signal (&last_condition);
}

static void
use_last_calls (void)
{
  for (int round = 0; round < 50; round++)
#pragma omp parallel num_threads(team)
    {
      pthread_mutex_lock (&last_mutex);
      note (0);
      pthread_mutex_unlock (&last_mutex);
    }
}

static void
use_last_waits (void)
{
  for (int round = 0; round < 10; round++)
    {
      is_waiting = 0;
#pragma omp parallel num_threads(2)
      wait_or_signal (omp_get_thread_num ());
      pthread_mutex_unlock (&last_mutex);
    }
}

/* What adds the parts of a sum may have regions itself, with sums of their own: by one thread, or by several. */
struct part_of_sum
{
  int value;
};

static void
add_slowly (struct part_of_sum *to, const struct part_of_sum *from)
{
  int before = to->value, ones = 0;

#pragma omp parallel for reduction(+ : ones) num_threads(2)
  for (int i = 0; i < 4; i++)
    ones++;
  work (20000);
  note (0);
  to->value = before + from->value + ones - 4;
}

#pragma omp declare reduction(slowly : struct part_of_sum : add_slowly(&omp_out, &omp_in)) initializer(omp_priv = {0})

static void
use_inner_sums (void)
{
  for (int round = 0; round < 20; round++)
    {
      struct part_of_sum sum = {0};

      omp_set_max_active_levels (round < 10 ? 1 : 2);
#pragma omp parallel for reduction(slowly : sum) num_threads(team)
      for (int i = 0; i < TEAM; i++)
        sum.value += i;
      is_wrong |= sum.value != TEAM * (TEAM - 1) / 2;
    }
}

/* Which of a task's ends is the last is not recorded. */
static void
use_detached (void)
{
#pragma omp parallel num_threads(team)
#pragma omp single
  {
    omp_event_handle_t event;

#pragma omp task detach(event)
    note (0);
    omp_fulfill_event (event);
  }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*part) (void);
  } parts[] = {{"sections", use_sections},     {"locks", use_locks},           {"loops", use_loops},
               {"singles", use_singles},       {"order", use_order},           {"tasks", use_tasks},
               {"late-tasks", use_late_tasks}, {"task-loops", use_task_loops}, {"sums", use_sums},
               {"nested", use_nested},         {"detached", use_detached},     {"last-calls", use_last_calls},
               {"last-waits", use_last_waits}, {"inner-sums", use_inner_sums}};
  unsigned long sum = 5381;

  omp_set_schedule (omp_sched_dynamic, 2);
  if (argc > 2 && strcmp (argv[2], "static") == 0)
    omp_set_schedule (omp_sched_static, 0);
  if (argc > 2 && strcmp (argv[2], "few") == 0)
    team = TEAM - 1;
  for (size_t i = 0; argc > 1 && i < sizeof parts / sizeof parts[0]; i++)
    if (strcmp (parts[i].name, argv[1]) == 0)
      parts[i].part ();
  for (int i = 0; i < MOST; i++)
    sum = sum * 33 + (unsigned long)who[i];
  for (int i = 0; i < 4; i++)
    printf ("%lx ", order[i]);
  printf ("%lx\n", sum);
  return is_wrong;
}
