/* SPDX-License-Identifier: Apache-2.0 */
/* Selections of waits: which events are in one. */
#include "waits-asked.h"

gboolean *
lc_waits_asked_mark_objects (const LcWaitsAsked *asked, LcHistory *history)
{
  guint32 n = lc_history_get_n_objects (history);
  gboolean *marks;

  if (asked->objects == NULL)
    return NULL;
  marks = g_new0 (gboolean, MAX (n, 1));
  for (guint32 i = 0; i < asked->n_objects; i++)
    if (asked->objects[i] < n)
      marks[asked->objects[i]] = TRUE;
  return marks;
}

static gboolean
waits_asked_touches (const LcWaitsAsked *asked, const LcHistoryEvent *event)
{
  if (asked->axis == LC_AXIS_LAYER)
    return event->layer >= asked->from && event->layer < asked->to;
  return event->begin < asked->to && event->begin + event->waited > asked->from;
}

gboolean
lc_waits_asked_has (const LcWaitsAsked *asked, const gboolean *objects, const LcHistoryEvent *event)
{
  if (event->waited == 0 || event->waited < asked->least)
    return FALSE;
  if (asked->from < asked->to && !waits_asked_touches (asked, event))
    return FALSE;
  if (asked->operations != NULL && !asked->operations[event->operation])
    return FALSE;
  if (asked->inside != NULL && !lc_inside_has (asked->inside, event))
    return FALSE;
  if (asked->called != NULL && !lc_called_has (asked->called, event))
    return FALSE;
  return objects == NULL || (event->object != LC_TRACE_NONE && objects[event->object]);
}
