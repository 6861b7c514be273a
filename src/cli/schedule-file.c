/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules that commands write, and what they say of one that they are given. */
#include "schedule-file.h"

#include <glib/gi18n.h>

#include "report/format.h"
#include "history/names.h"
#include "lightcone/schedule-plan.h"
#include "lightcone/schedule.h"
#include "open-history.h"
#include "trace/operations.h"

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

/* --- What a search has found ----------------------------------------------------------------------------------- */

/* Finds the process of the history that a thread is, by how they were made. A thread that had not begun is none: the
 * schedule says how it was made. */
static gboolean
schedule_file_find_process (LcSchedule *schedule, LcHistory *history, const GArray *threads, guint32 thread,
                            guint32 *process, GError **error)
{
  const struct lc_schedule_thread *made = &g_array_index (threads, struct lc_schedule_thread, thread);
  guint32 creator, maker;
  guint64 nth;

  *process = 0;
  if (thread == 0)
    return TRUE;
  if (!schedule_file_find_process (schedule, history, threads, made->creator, &creator, error))
    return FALSE;
  for (*process = 0; *process < lc_history_get_n_processes (history); (*process)++)
    {
      if (!lc_schedule_find_creation (history, *process, &maker, &nth, error))
        return FALSE;
      if (maker == creator && nth == made->nth)
        return TRUE;
    }
  return lc_schedule_add_unbegun (schedule, history, creator, made->nth, process, error);
}

static gboolean
schedule_file_add_point (LcSchedule *schedule, LcHistory *history, const GArray *threads,
                         const struct lc_schedule_point *point, guint32 *process, guint64 *ordinal, GError **error)
{
  return schedule_file_find_process (schedule, history, threads, point->thread, process, error) &&
         lc_schedule_add_nth (schedule, history, *process, lc_operations[point->operation].name, point->nth, ordinal,
                              error);
}

gboolean
lc_schedule_file_write_found (const char *directory, const char *title, const char *outcome, const GArray *threads,
                              const GArray *orders, const char *file, GError **error)
{
  g_autoptr (LcHistory) history = lc_open_history (directory, NULL, TRUE, error);
  g_autoptr (LcSchedule) schedule = history != NULL ? schedule_file_begin (history, directory, title, error) : NULL;
  guint32 first_process, second_process;
  guint64 first, second;

  if (schedule == NULL)
    return FALSE;
  schedule->outcome = g_strdup (outcome);
  for (guint i = 0; i < orders->len; i++)
    {
      const struct lc_schedule_order *order = &g_array_index (orders, struct lc_schedule_order, i);

      if (!schedule_file_add_point (schedule, history, threads, &order->first, &first_process, &first, error) ||
          !schedule_file_add_point (schedule, history, threads, &order->second, &second_process, &second, error) ||
          !lc_schedule_add_order (schedule, history, first_process, first, second_process, second, error))
        return FALSE;
    }
  return schedule_file_write (schedule, file, error);
}

/* A thread that had not begun has its name from the schedule. */
static const char *
schedule_file_name_process (const LcSchedule *schedule, LcNames *names, guint32 process)
{
  if (process < lc_history_get_n_processes (lc_names_get_history (names)))
    return lc_names_process (names, process);
  for (guint i = 0; i < schedule->processes->len; i++)
    if (g_array_index (schedule->processes, LcScheduleProcess, i).number == process)
      return g_array_index (schedule->processes, LcScheduleProcess, i).name;
  return NULL;
}

static char *
schedule_file_describe (const LcSchedule *schedule, LcNames *names, const LcScheduleEvent *event)
{
  g_autofree char *ordinal = lc_format_count (event->ordinal), *site = lc_format_text (event->site);
  g_autofree char *object = lc_format_text (event->object);
  g_autofree char *process = lc_format_text (schedule_file_name_process (schedule, names, event->process));

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
          schedule_file_describe (schedule, names, &g_array_index (schedule->events, LcScheduleEvent, order->first));
      g_autofree char *second =
          schedule_file_describe (schedule, names, &g_array_index (schedule->events, LcScheduleEvent, order->second));
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
