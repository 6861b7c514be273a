/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that rarely let others in between two steps. */
#include <stddef.h>
#include <string.h>

#include "seeded.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static int balance = 10, n_items, limit = 4, version, copies[2];

static int
read_locked (const int *value)
{
  int found;

  pthread_mutex_lock (&lock);
  found = *value;
  pthread_mutex_unlock (&lock);
  return found;
}

static void
write_locked (int *value, int new)
{
  pthread_mutex_lock (&lock);
  *value = new;
  pthread_mutex_unlock (&lock);
}

/* --- Read, and written later -----------------------------------------------------------------------------------------
 */

static void *
pay (void *data)
{
  write_locked (&balance, read_locked (&balance) - 1);
  return data;
}

static void *
pay_later (void *data)
{
  seeded_work (500);
  return pay (data);
}

static void
lost_update (void)
{
  seeded_run (2, (void *(*const[]) (void *)){pay, pay_later});
  seeded_expect (balance == 8);
}

/* --- Looked at, and then done ----------------------------------------------------------------------------------------
 */

static void *
add_if_room (void *data)
{
  for (int i = 0; i < 2; i++)
    if (read_locked (&n_items) < limit)
      {
        pthread_mutex_lock (&lock);
        n_items++;
        pthread_mutex_unlock (&lock);
      }
  return data;
}

static void *
add_if_room_later (void *data)
{
  seeded_work (600);
  return add_if_room (data);
}

static void
check_then_act (void)
{
  limit = 3;
  seeded_run (2, (void *(*const[]) (void *)){add_if_room, add_if_room_later});
  seeded_expect (n_items <= limit);
}

/* --- Two values that belong together, each under a lock of its own --------------------------------------------------
 */

static void *
change_both (void *data)
{
  pthread_mutex_lock (&lock);
  copies[0]++;
  pthread_mutex_unlock (&lock);
  pthread_mutex_lock (&other_lock);
  copies[1]++;
  pthread_mutex_unlock (&other_lock);
  return data;
}

static void *
compare_both (void *data)
{
  int one, other;

  seeded_work (500);
  pthread_mutex_lock (&lock);
  one = copies[0];
  pthread_mutex_unlock (&lock);
  pthread_mutex_lock (&other_lock);
  other = copies[1];
  pthread_mutex_unlock (&other_lock);
  seeded_expect (one == other);
  return data;
}

static void
torn_pair (void)
{
  seeded_run (2, (void *(*const[]) (void *)){change_both, compare_both});
}

/* --- A free list that takes a node for the same because it is at the same place --------------------------------------
 */

static struct node
{
  struct node *next;
  bool is_used;
} nodes[3] = {{&nodes[1], false}, {&nodes[2], false}, {NULL, false}}, *top = &nodes[0];

/* As the instruction of processors that have none. */
static bool
compare_and_swap (struct node **place, struct node *expected, struct node *new)
{
  bool is_same;

  pthread_mutex_lock (&lock);
  is_same = *place == expected;
  if (is_same)
    *place = new;
  pthread_mutex_unlock (&lock);
  return is_same;
}

static struct node *
pop (void)
{
  struct node *first, *next;

  do
    {
      first = top;
      if (first == NULL)
        return NULL;
      next = first->next;
    }
  while (!compare_and_swap (&top, first, next));
  seeded_expect (!first->is_used);
  first->is_used = true;
  return first;
}

static void
push (struct node *node)
{
  node->is_used = false;
  do
    node->next = top;
  while (!compare_and_swap (&top, node->next, node));
}

static void *
pop_one (void *data)
{
  pop ();
  pop ();
  return data;
}

static void *
pop_two_push_one (void *data)
{
  struct node *first;

  seeded_work (500);
  first = pop ();
  pop ();
  if (first != NULL)
    push (first);
  return data;
}

static void
aba (void)
{
  seeded_run (2, (void *(*const[]) (void *)){pop_one, pop_two_push_one});
}

/* --- A counter of a spin lock is read before it is taken
 * -------------------------------------------------------------- */

static void *
count_outside (void *data)
{
  int seen = version;

  pthread_spin_lock (&spin);
  version = seen + 1;
  pthread_spin_unlock (&spin);
  return data;
}

static void *
count_outside_later (void *data)
{
  seeded_work (500);
  return count_outside (data);
}

static void
read_before_lock (void)
{
  pthread_spin_init (&spin, PTHREAD_PROCESS_PRIVATE);
  seeded_run (2, (void *(*const[]) (void *)){count_outside, count_outside_later});
  seeded_expect (version == 2);
}

/* --- Three steps of two: needs two changes at the right moments
 * -------------------------------------------------------- */

static void *
move_forth (void *data)
{
  write_locked (&copies[0], 1);
  write_locked (&copies[1], 1);
  write_locked (&copies[0], 0);
  write_locked (&copies[1], 0);
  return data;
}

static void *
look_twice (void *data)
{
  int one, other, last;

  seeded_work (500);
  one = read_locked (&copies[0]);
  other = read_locked (&copies[1]);
  last = read_locked (&copies[0]);
  seeded_expect (!(one == 1 && other == 1 && last == 0));
  return data;
}

static void
two_switches (void)
{
  seeded_run (2, (void *(*const[]) (void *)){move_forth, look_twice});
}

SeededProgram
seeded_find_atomicity (const char *name)
{
  static const struct
  {
    const char *name;
    SeededProgram program;
  } programs[] = {
      {"lost-update", lost_update},
      {"check-then-act", check_then_act},
      {"torn-pair", torn_pair},
      {"aba", aba},
      {"read-before-lock", read_before_lock},
      {"two-switches", two_switches},
  };

  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
    if (strcmp (programs[i].name, name) == 0)
      return programs[i].program;
  return NULL;
}
