/* SPDX-License-Identifier: Apache-2.0 */
/* A sum in parallel, by OpenMP: its threads are pthreads, its critical sections are not. */
#include <stdio.h>

int
main (void)
{
  long sum = 0;

#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 1000; i++)
    {
#pragma omp critical
      sum += i;
    }
  printf ("%ld\n", sum);
  return sum == 499500 ? 0 : 1;
}
