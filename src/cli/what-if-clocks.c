/* SPDX-License-Identifier: Apache-2.0 */
/* What of the critical path of a what-if is waited for by time, which nothing makes faster. */
#include <glib/gi18n.h>
#include <string.h>

#include "what-if.h"

enum
{
  PART = 20, /* of the path, that matters */
};

/* Whether the end of an event is decided by a clock. A poll may also have ended by a file, and is counted all the
 * same: who polls looks again after a time. */
static gboolean
clocks_is_clock (LcHistory *history, const LcHistoryEvent *event)
{
  const LcHistoryOperation *operation = lc_history_get_operation (history, event->operation);

  return (event->flags & LC_EVENT_TIMED_OUT) != 0 ||
         (operation != NULL && g_strcmp0 (operation->class_name, "io") == 0 &&
          (strcmp (operation->name, "sleep") == 0 || strcmp (operation->name, "poll") == 0));
}

typedef struct
{
  LcHistory *history;
  guint64 time, whole;
} Clocks;

static gboolean
clocks_visit (const LcCriticalSegment *segment, gpointer data)
{
  Clocks *clocks = data;
  const guint64 length = segment->end - segment->begin;

  clocks->whole += length;
  if (segment->part == LC_CRITICAL_EVENT && clocks_is_clock (clocks->history, segment->event))
    clocks->time += length;
  return TRUE;
}

gboolean
lc_what_if_warn_of_clocks (LcHistory *history, LcCriticalPath *path, LcApproximation *after, GError **error)
{
  Clocks clocks = {.history = history};

  if (!lc_critical_path_visit (path, clocks_visit, &clocks, NULL, error))
    return FALSE;
  if (clocks.time > clocks.whole / PART)
    g_ptr_array_add (after->warnings,
                     g_strdup_printf (_ ("%.1f %% of what the run then takes is waited for by time (sleeps, polls, and "
                                         "waits whose time was over): that stays as long as it was measured, "
                                         "but in a run that really differs it may end otherwise"),
                                      100 * (double)clocks.time / (double)clocks.whole));
  return TRUE;
}
