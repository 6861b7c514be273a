/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs share that the recorder is tried on. */
#include "case.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char **case_arguments;

int
main (int argc, char **argv)
{
  setvbuf (stdout, NULL, _IOLBF, 0);
  case_arguments = argc > 2 ? argv + 2 : NULL;
  for (const struct test_case *one = cases; argc > 1 && one->name != NULL; one++)
    if (strcmp (one->name, argv[1]) == 0)
      {
        one->run ();
        return 0;
      }
  for (const struct test_case *one = cases; one->name != NULL; one++)
    puts (one->name);
  return argc > 1 ? 2 : 0;
}

static const char *
name_of (int error)
{
  const char *name = strerrorname_np (error);

  return name != NULL ? name : "?";
}

void
case_show (const char *what, int result)
{
  printf ("%s: %s%s\n", what, name_of (result), errno == CASE_ERRNO ? "" : ", errno changed");
}

void
case_show_errno (const char *what, int result)
{
  if (errno == CASE_ERRNO)
    printf ("%s: %d\n", what, result);
  else
    printf ("%s: %d %s\n", what, result, name_of (errno));
}

void
case_check (bool condition, const char *what, const char *file, int line)
{
  if (condition)
    return;
  printf ("%s:%d: not %s\n", file, line, what);
  exit (99);
}

struct timespec
case_after (clockid_t clock, int milliseconds)
{
  struct timespec time;

  clock_gettime (clock, &time);
  time.tv_nsec += (long)(milliseconds % 1000) * 1000000;
  time.tv_sec += milliseconds / 1000 + time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

bool
case_is_past (clockid_t clock, struct timespec time)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec > time.tv_sec || (now.tv_sec == time.tv_sec && now.tv_nsec >= time.tv_nsec);
}

void
case_set (uint32_t *flag, uint32_t value)
{
  __atomic_store_n (flag, value, __ATOMIC_SEQ_CST);
}

void
case_await (const uint32_t *flag, uint32_t value)
{
  while (__atomic_load_n (flag, __ATOMIC_SEQ_CST) != value)
    case_nap (1);
}

void
case_nap (int milliseconds)
{
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};

  nanosleep (&time, NULL);
}

static char
state_of (int thread_id)
{
  char path[64], text[256] = "", *after;
  int file;

  snprintf (path, sizeof path, "/proc/self/task/%d/stat", thread_id);
  file = open (path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 'X';
  if (read (file, text, sizeof text - 1) < 0)
    text[0] = '\0';
  close (file);
  after = strrchr (text, ')');
  return after != NULL && after[1] == ' ' ? after[2] : 'X';
}

void
case_await_asleep (int thread_id)
{
  while (strchr ("SXZ", state_of (thread_id)) == NULL)
    case_nap (1);
}

struct started
{
  void *(*routine) (void *);
  void *argument;
  uint32_t thread_id;
};

static void *
run (void *data)
{
  struct started *started = data, copy = *started;

  case_set (&started->thread_id, (uint32_t)gettid ());
  return copy.routine (copy.argument);
}

pthread_t
case_start (void *(*routine) (void *), void *argument)
{
  struct started started = {routine, argument, 0};
  pthread_t thread;
  uint32_t thread_id;

  CHECK (pthread_create (&thread, NULL, run, &started) == 0);
  while ((thread_id = __atomic_load_n (&started.thread_id, __ATOMIC_SEQ_CST)) == 0)
    case_nap (1);
  case_await_asleep ((int)thread_id);
  return thread;
}
