/* SPDX-License-Identifier: Apache-2.0 */
/* A program that does something else than it has been recorded to do, if a variable of the environment says what. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static const char *what;

static int
does (const char *name)
{
  return strcmp (what, name) == 0;
}

static void
use (pthread_mutex_t *mutex)
{
  pthread_mutex_lock (mutex);
  pthread_mutex_unlock (mutex);
}

static void *
work (void *data)
{
  use (&first);
  if (does ("hang"))
    pause ();
  return NULL;
}

/* Overwrites all that is shared with the command. */
static void
go_astray (void)
{
  FILE *maps = fopen ("/proc/self/maps", "r");
  char line[4096];
  unsigned long begin, end;

  while (maps != NULL && fgets (line, sizeof line, maps) != NULL)
    if (strstr (line, "/plan\n") != NULL && sscanf (line, "%lx-%lx", &begin, &end) == 2)
      memset ((void *)begin, 0xA5, end - begin);
  _exit (4);
}

static void
change (void)
{
  if (does ("astray"))
    go_astray ();
  if (does ("operation"))
    pthread_mutex_trylock (&second);
  if (does ("object"))
    use (&second);
  if (does ("site"))
    {
      pthread_mutex_lock (&first);
      pthread_mutex_unlock (&first);
    }
  if (does ("less"))
    _exit (3);
}

/* More than a pipe has room for: the rest is written at the exit. */
static void
print_much (void)
{
  for (int i = 0; i < 66000; i++)
    putchar ('x');
}

int
main (void)
{
  pthread_t thread;

  what = getenv ("DIFFER") != NULL ? getenv ("DIFFER") : "";
  use (&second);
  pthread_create (&thread, NULL, work, NULL);
  change ();
  use (&first);
  if (does ("more"))
    use (&second);
  pthread_join (thread, NULL);
  if (does ("much"))
    print_much ();
  puts ("end");
  if (!does ("much"))
    fflush (stdout);
  if (does ("late"))
    use (&second);
  if (does ("abort"))
    abort ();
  return does ("status") ? 7 : 0;
}
