/* SPDX-License-Identifier: Apache-2.0 */
/* A library with parallel regions, whose program knows nothing of OpenMP. */
long openmp_library_work (int n);

long
openmp_library_work (int n)
{
  long sum = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : sum) num_threads(2)
  for (int i = 0; i < n; i++)
    sum += i;
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    sum++;
  }
  return sum;
}
