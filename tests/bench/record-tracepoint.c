/* SPDX-License-Identifier: Apache-2.0 */
/* What the recorder's tags are compared with: a tracepoint of LTTng-UST. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "record-tracepoint.h"

#include "record-loop.h"

static void
tracepoints (uint64_t count)
{
  for (uint64_t i = 0; i < count; i++)
    lttng_ust_tracepoint (lightcone_bench, tag, (uint32_t)i, 1);
}

int
main (int argc, char **argv)
{
  return loop_main (argc, argv, tracepoints);
}
