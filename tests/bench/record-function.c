/* SPDX-License-Identifier: Apache-2.0 */
/* What the recording of functions is measured with: calls of a small one. Compiled with and without instrumentation. */
#include "record-loop.h"

static __attribute__ ((noinline)) uint64_t
small (uint64_t value)
{
  __asm__ volatile("" : "+r"(value));
  return value + 1;
}

static void
calls (uint64_t count)
{
  uint64_t sum = 0;

  for (uint64_t i = 0; i < count; i++)
    sum = small (sum);
}

int
main (int argc, char **argv)
{
  return loop_main (argc, argv, calls);
}
