/* SPDX-License-Identifier: Apache-2.0 */
/* Loops and a bounded queue of TBB. */
#include <cstdio>
#include <tbb/concurrent_queue.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <thread>

#include "compute.h"

int
main ()
{
  tbb::global_control most (tbb::global_control::max_allowed_parallelism, 3);
  tbb::concurrent_bounded_queue<int> queue;
  int sum = 0;

  queue.set_capacity (2);
  for (int round = 0; round < 20; round++)
    {
      tbb::parallel_for (0, 12, [] (int i) { compute (1 + i % 3); });
      compute (5);
    }
  std::thread producer ([&] {
    for (int i = 1; i <= 60; i++)
      {
        compute (4);
        queue.push (i);
      }
    queue.push (0);
  });
  for (int item;; sum += item)
    {
      queue.pop (item);
      if (item == 0)
        break;
      compute (1);
    }
  producer.join ();
  std::printf ("%d\n", sum);
  return sum == 1830 ? 0 : 1;
}
