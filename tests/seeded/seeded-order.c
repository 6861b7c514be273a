/* SPDX-License-Identifier: Apache-2.0 */
/* Programs in which something rarely comes too early, or too late. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "seeded.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_open, is_started, lines, items, taken;
static int *buffer;

/* Writes into a log, as programs do everywhere. */
static void
note (void)
{
  pthread_mutex_lock (&log_lock);
  lines++;
  pthread_mutex_unlock (&log_lock);
}

/* --- Used before it is there -------------------------------------------------------------------------------------- */

static void *
use_buffer (void *data)
{
  seeded_work (5000);
  note ();
  buffer[0] = 1;
  return data;
}

static void
use_before_init (void)
{
  pthread_t thread;

  pthread_create (&thread, NULL, use_buffer, NULL);
  note ();
  buffer = calloc (1, sizeof *buffer);
  pthread_join (thread, NULL);
  free (buffer);
}

/* --- Used after it is gone ---------------------------------------------------------------------------------------- */

static void *
use_twice (void *data)
{
  note ();
  note ();
  buffer[0]++;
  return data;
}

static void *
let_go (void *data)
{
  int *old = buffer;

  seeded_work (500);
  note ();
  buffer = NULL;
  free (old);
  return data;
}

static void
use_after_free (void)
{
  buffer = calloc (1, sizeof *buffer);
  seeded_run (2, (void *(*const[]) (void *)){use_twice, let_go});
}

/* --- Double-checked initialization: told before it is done ----------------------------------------------------------
 */

static int *
get_buffer (void)
{
  if (!is_open)
    {
      pthread_mutex_lock (&lock);
      if (!is_open)
        {
          is_open = 1;
          note ();
          buffer = calloc (1, sizeof *buffer);
        }
      pthread_mutex_unlock (&lock);
    }
  return buffer;
}

static void *
use_first (void *data)
{
  seeded_expect (get_buffer () != NULL);
  return data;
}

static void *
use_later (void *data)
{
  seeded_work (500);
  note ();
  seeded_expect (get_buffer () != NULL);
  return data;
}

static void
double_checked_init (void)
{
  seeded_run (2, (void *(*const[]) (void *)){use_first, use_later});
}

/* --- Wakes by a time instead of a condition -------------------------------------------------------------------------
 */

static void *
start_slowly (void *data)
{
  const struct timespec moment = {0, 1000000};

  nanosleep (&moment, NULL);
  note ();
  is_started = 1;
  return data;
}

static void *
believe_in_time (void *data)
{
  const struct timespec moment = {0, 20000000};

  nanosleep (&moment, NULL);
  note ();
  seeded_expect (is_started);
  return data;
}

static void
sleeps_for_order (void)
{
  seeded_run (2, (void *(*const[]) (void *)){start_slowly, believe_in_time});
}

/* --- `if` where there should be `while` ------------------------------------------------------------------------------
 */

static void *
take_if (void *data)
{
  pthread_mutex_lock (&lock);
  if (items == 0)
    pthread_cond_wait (&changed, &lock);
  seeded_expect (items > 0);
  items--;
  taken++;
  pthread_mutex_unlock (&lock);
  return data;
}

static void *
take_later (void *data)
{
  seeded_work (500);
  return take_if (data);
}

static void *
put_two (void *data)
{
  for (int i = 0; i < 2; i++)
    {
      seeded_work (400);
      pthread_mutex_lock (&lock);
      items++;
      pthread_cond_signal (&changed);
      pthread_mutex_unlock (&lock);
    }
  return data;
}

static void
if_for_while (void)
{
  seeded_run (3, (void *(*const[]) (void *)){take_if, put_two, take_later});
}

/* --- The last one to leave locks the door: a reference counted outside the lock --------------------------------------
 */

static int references = 1;

static void *
refer (void *data)
{
  note ();
  if (references > 0)
    {
      note ();
      references++;
      seeded_expect (buffer != NULL);
      references--;
    }
  return data;
}

static void *
release_last (void *data)
{
  seeded_work (500);
  note ();
  if (--references == 0)
    buffer = NULL;
  return data;
}

static void
reference_too_late (void)
{
  static int something;

  buffer = &something;
  seeded_run (2, (void *(*const[]) (void *)){refer, release_last});
}

SeededProgram
seeded_find_order (const char *name)
{
  static const struct
  {
    const char *name;
    SeededProgram program;
  } programs[] = {
      {"use-before-init", use_before_init},
      {"use-after-free", use_after_free},
      {"double-checked-init", double_checked_init},
      {"sleeps-for-order", sleeps_for_order},
      {"if-for-while", if_for_while},
      {"reference-too-late", reference_too_late},
  };

  for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
    if (strcmp (programs[i].name, name) == 0)
      return programs[i].program;
  return NULL;
}
