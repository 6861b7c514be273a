/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of OpenMP whose threads have not equally much to do, a critical section, tasks. */
#include <stdio.h>

#include "compute.h"

int
main (void)
{
  int sum = 0;

#pragma omp parallel num_threads(3)
  {
    for (int round = 0; round < 20; round++)
      {
#pragma omp for schedule(static)
        for (int i = 0; i < 6; i++)
          compute (1 + i);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 9; i++)
          {
            compute (1);
#pragma omp critical
            {
              compute (1);
              sum++;
            }
          }
#pragma omp single
        for (int i = 0; i < 6; i++)
#pragma omp task
          compute (2);
      }
  }
  printf ("%d\n", sum);
  return sum == 180 ? 0 : 1;
}
