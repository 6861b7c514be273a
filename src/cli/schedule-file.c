/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules that commands write, and what they say of one that they are given. */
#include "schedule-file.h"

#include <glib/gi18n.h>

#include "format.h"
#include "history/names.h"
#include "lightcone/schedule.h"

static LcSchedule *
schedule_file_begin (LcHistory *history, const char *directory, const char *title, GError **error)
{
  g_autoptr (LcTrace) trace = lc_trace_open (directory, error);
  g_autoptr (LcSchedule) schedule = NULL;

  if (trace == NULL || !lc_history_read_places (history, error))
    return NULL;
  schedule = lc_schedule_new (history, trace, error);
  if (schedule != NULL)
    schedule->title = g_strdup (title);
  return g_steal_pointer (&schedule);
}

static gboolean
schedule_file_write (const LcSchedule *schedule, const char *file, GError **error)
{
  g_autofree char *text = lc_schedule_to_text (schedule);

  return g_file_set_contents (file, text, -1, error);
}

gboolean
lc_schedule_file_write_race (LcHistory *history, const char *directory, const char *title, const LcRacePair *pair,
                             const char *file, GError **error)
{
  g_autoptr (LcSchedule) schedule = schedule_file_begin (history, directory, title, error);
  const LcRaceEvent *first = &pair->first, *second = &pair->second;

  if (schedule == NULL)
    return FALSE;
  if (pair->kind == LC_RACE_MESSAGE)
    return lc_schedule_add_order (schedule, history, second->from_process, second->from_ordinal, first->from_process,
                                  first->from_ordinal, error) &&
           lc_schedule_add_order (schedule, history, second->from_process, second->from_ordinal, first->process,
                                  first->ordinal, error) &&
           schedule_file_write (schedule, file, error);
  return lc_schedule_add_order (schedule, history, second->process, second->ordinal, first->process, first->ordinal,
                                error) &&
         schedule_file_write (schedule, file, error);
}

gboolean
lc_schedule_file_write_cycle (LcHistory *history, const char *directory, const char *title, const LcLockCycle *cycle,
                              const char *file, GError **error)
{
  g_autoptr (LcSchedule) schedule = schedule_file_begin (history, directory, title, error);

  if (schedule == NULL)
    return FALSE;
  for (guint i = 0; i < cycle->n; i++)
    {
      const LcLockWaiter *holder = &cycle->waiters[i], *waiter = &cycle->waiters[(i + cycle->n - 1) % cycle->n];

      if (!lc_schedule_add_order (schedule, history, holder->process, holder->held_ordinal, waiter->process,
                                  waiter->ordinal, error))
        return FALSE;
    }
  return schedule_file_write (schedule, file, error);
}

static char *
schedule_file_describe (LcNames *names, const LcScheduleEvent *event)
{
  g_autofree char *ordinal = lc_format_count (event->ordinal), *site = lc_format_text (event->site);
  g_autofree char *object = lc_format_text (event->object), *process = NULL;

  process = lc_format_text (lc_names_process (names, event->process));
  if (event->object == NULL)
    return g_strdup_printf (_ ("event %s of %s (%s)"), ordinal, process, event->operation);
  if (event->site == NULL)
    return g_strdup_printf (_ ("event %s of %s (%s of %s)"), ordinal, process, event->operation, object);
  return g_strdup_printf (_ ("event %s of %s (%s of %s in %s)"), ordinal, process, event->operation, object, site);
}

gboolean
lc_schedule_file_judge (LcHistory *history, const char *file, gboolean *all, GError **error)
{
  g_autoptr (LcSchedule) schedule = lc_schedule_load (file, error);
  g_autoptr (LcNames) names = lc_names_new (history);

  *all = TRUE;
  if (schedule == NULL)
    return FALSE;
  if (!lc_schedule_check (schedule, history, error))
    {
      g_prefix_error (error, "%s: ", file);
      return FALSE;
    }
  for (guint i = 0; i < schedule->orders->len; i++)
    {
      const LcScheduleOrder *order = &g_array_index (schedule->orders, LcScheduleOrder, i);
      g_autofree char *first =
          schedule_file_describe (names, &g_array_index (schedule->events, LcScheduleEvent, order->first));
      g_autofree char *second =
          schedule_file_describe (names, &g_array_index (schedule->events, LcScheduleEvent, order->second));
      gboolean is_feasible;

      if (!lc_schedule_is_feasible (schedule, i, history, &is_feasible, error))
        return FALSE;
      *all = *all && is_feasible;
      g_print (is_feasible ? _ ("possible: %s\n  before %s\n")
                           : _ ("impossible: %s\n  before %s,\n  for something else in the run puts it after that\n"),
               first, second);
    }
  return TRUE;
}
