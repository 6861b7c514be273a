/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are instrumented by the compiler: within each other, recursive, static, called in a thread, jumped
 * over. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

int outer (int depth);
int middle (int depth);
int inner (int value);
void leaves_by_jump (jmp_buf back);
int main (void);

static int
hidden (int value)
{
  return value * 2;
}

int
inner (int value)
{
  return hidden (value) + 1;
}

int
middle (int depth)
{
  return depth == 0 ? inner (1) : middle (depth - 1) + inner (depth);
}

int
outer (int depth)
{
  return middle (depth) + 100;
}

void
leaves_by_jump (jmp_buf back)
{
  longjmp (back, 1);
}

static void *
in_thread (void *data)
{
  *(int *)data = outer (0);
  return NULL;
}

int
main (void)
{
  pthread_t thread;
  jmp_buf back;
  int value = 0;

  printf ("%d\n", outer (2));
  pthread_create (&thread, NULL, in_thread, &value);
  pthread_join (thread, NULL);
  printf ("%d\n", value);
  if (setjmp (back) == 0)
    leaves_by_jump (back);
  printf ("%d\n", inner (5));
  return 0;
}
