/* SPDX-License-Identifier: Apache-2.0 */
/* Small programs, each with one mistake that rarely does harm: seeded NAME. */
#include "seeded.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
  MOST_THREADS = 8,
};

void
seeded_work (int amount)
{
  for (volatile int i = 0; i < amount * 1000; i++)
    ;
}

void
seeded_run (int n, void *(*const routines[]) (void *))
{
  pthread_t threads[MOST_THREADS];

  for (int i = 0; i < n; i++)
    if (pthread_create (&threads[i], NULL, routines[i], NULL) != 0)
      exit (2);
  for (int i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
}

void
seeded_expect (bool is_so)
{
  if (is_so)
    return;
  puts ("wrong");
  exit (1);
}

int
main (int argc, char **argv)
{
  SeededProgram program = argc == 2 ? seeded_find_deadlock (argv[1]) : NULL;

  if (program == NULL && argc == 2)
    program = seeded_find_order (argv[1]);
  if (program == NULL && argc == 2)
    program = seeded_find_atomicity (argv[1]);
  if (program == NULL)
    return 2;
  program ();
  puts ("good");
  return 0;
}
