/* SPDX-License-Identifier: Apache-2.0 */
/* Until which moment a recording that goes on has been read: what waits then, has no event yet. */
#include "clock.h"
#include "closing.h"
#include "ctf.h"
#include "directory.h"

guint64
lc_ctf_take_moment (const LcTrace *trace)
{
  const LcCtf *ctf = trace->data;
  g_autofree char *clock = g_key_file_get_string (trace->settings, "trace", "clock", NULL);

  if (clock == NULL || !lc_directory_is_busy (ctf->base))
    return 0;
  return lc_clock_stamp (g_str_equal (clock, "tsc") ? LC_CLOCK_TSC : LC_CLOCK_MONOTONIC).ticks;
}

/* A recording of another machine has no process here, and another clock. While it is paused, nobody knows what is going
 * on. */
void
lc_ctf_set_until (LcTrace *trace, guint64 moment)
{
  const LcCtf *ctf = trace->data;

  if (moment <= trace->timescale.start || moment > lc_timescale_last (&trace->timescale) ||
      trace->kept_to != LC_GAP_OPEN || lc_find_running (ctf->base, ctf->has_uuid ? ctf->uuid : NULL) == 0)
    return;
  trace->until = lc_timescale_ns (&trace->timescale, moment);
  for (guint32 i = 0; i < trace->processes->len; i++)
    {
      const LcTracePending *pending = &g_array_index (trace->processes, LcTraceProcess, i).pending;

      /* It may have begun since then. */
      if (pending->operation != LC_TRACE_NONE)
        trace->until = MAX (trace->until, pending->begin);
    }
}
