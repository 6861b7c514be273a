/* SPDX-License-Identifier: Apache-2.0 */
/* Selections of waits: which events are in one. */
#include "waits-asked.h"

static gboolean
waits_asked_touches (const LcWaitsAsked *asked, const LcHistoryEvent *event)
{
  if (asked->axis == LC_AXIS_LAYER)
    return event->layer >= asked->from && event->layer < asked->to;
  return event->begin < asked->to && event->begin + event->waited > asked->from;
}

gboolean
lc_waits_asked_has (const LcWaitsAsked *asked, const LcFiltering *filtering, const LcHistoryEvent *event)
{
  return event->waited > 0 && (asked->from >= asked->to || waits_asked_touches (asked, event)) &&
         lc_filtering_has (filtering, event);
}
