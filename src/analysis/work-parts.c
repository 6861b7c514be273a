/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of an event: waiting for others, and what its process takes for itself. */
#include "work-parts.h"

/*
 * All that an event took beyond waiting for others is its own. A wait for nobody that is known, and what is outside,
 * last as long as they did; so does the time until someone who was woken goes on. Preemption is what another number of
 * processors would change.
 */
LcWorkParts
lc_work_parts_of (const LcHistoryEvent *event, gboolean awaits)
{
  const guint64 length = event->end - event->begin, waited = MIN (event->waited, length);
  const guint64 woken = MIN (event->woken, length - waited), own = length - waited - woken;

  if (event->flags & LC_HISTORY_EVENT_OUTSIDE)
    return (LcWorkParts){.rest = length};
  return (LcWorkParts){
      .waited = awaits ? waited : 0, .rest = (awaits ? 0 : waited) + woken, .own = own - MIN (own, event->preempted)};
}
