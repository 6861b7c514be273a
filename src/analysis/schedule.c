/* SPDX-License-Identifier: Apache-2.0 */
/* Makes schedules of what a history has, and compares the two. */
#include "lightcone/schedule.h"

#include <glib/gi18n.h>
#include <string.h>

#include "lightcone/causality.h"
#include "schedule-private.h"

G_DEFINE_QUARK (lc - schedule - error - quark, lc_schedule_error)

static void
schedule_clear_module (gpointer data)
{
  LcScheduleModule *module = data;

  g_free (module->path);
  g_free (module->build_id);
}

static void
schedule_clear_process (gpointer data)
{
  g_free (((LcScheduleProcess *)data)->name);
}

static void
schedule_clear_event (gpointer data)
{
  LcScheduleEvent *event = data;

  g_free (event->operation);
  g_free (event->object);
  g_free (event->site);
}

LcSchedule *
lc_schedule_new_empty (void)
{
  LcSchedule *schedule = g_new0 (LcSchedule, 1);

  schedule->command = g_ptr_array_new_with_free_func (g_free);
  schedule->modules = g_array_new (FALSE, TRUE, sizeof (LcScheduleModule));
  schedule->processes = g_array_new (FALSE, TRUE, sizeof (LcScheduleProcess));
  schedule->events = g_array_new (FALSE, TRUE, sizeof (LcScheduleEvent));
  schedule->orders = g_array_new (FALSE, TRUE, sizeof (LcScheduleOrder));
  g_array_set_clear_func (schedule->modules, schedule_clear_module);
  g_array_set_clear_func (schedule->processes, schedule_clear_process);
  g_array_set_clear_func (schedule->events, schedule_clear_event);
  return schedule;
}

void
lc_schedule_free (LcSchedule *schedule)
{
  if (schedule == NULL)
    return;
  g_free (schedule->title);
  g_free (schedule->outcome);
  g_free (schedule->program);
  g_ptr_array_unref (schedule->command);
  g_array_unref (schedule->modules);
  g_array_unref (schedule->processes);
  g_array_unref (schedule->events);
  g_array_unref (schedule->orders);
  g_free (schedule);
}

/* --- Of a history ----------------------------------------------------------------------------------------------- */

/* Another version of the recorder changes nothing of the program. */
static gboolean
schedule_needs_module (const LcHistoryModule *module)
{
  g_autofree char *name = g_path_get_basename (module->path);

  return module->build_id != NULL && !g_str_has_prefix (name, "liblightcone-");
}

LcSchedule *
lc_schedule_new (LcHistory *history, const LcTrace *trace, GError **error)
{
  g_autoptr (LcSchedule) schedule = lc_schedule_new_empty ();
  g_autoptr (GPtrArray) modules = lc_history_list_modules (history, error);
  GKeyFile *settings = lc_trace_get_settings (trace);
  g_autofree char *command = g_key_file_get_string (settings, "trace", "command", NULL);
  g_auto (GStrv) words = NULL;

  if (modules == NULL)
    return NULL;
  schedule->program = g_key_file_get_string (settings, "trace", "program", NULL);
  if (command != NULL && g_shell_parse_argv (command, NULL, &words, NULL))
    for (gsize i = 0; words[i] != NULL; i++)
      g_ptr_array_add (schedule->command, g_strdup (words[i]));
  for (guint i = 0; i < modules->len; i++)
    {
      const LcHistoryModule *found = modules->pdata[i];

      if (schedule_needs_module (found))
        {
          const LcScheduleModule module = {g_strdup (found->path), g_strdup (found->build_id)};

          g_array_append_val (schedule->modules, module);
        }
    }
  return g_steal_pointer (&schedule);
}

typedef struct
{
  guint64 before; /* ordinal */
  guint64 n;
} ScheduleCreations;

static gboolean
schedule_count_creation (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  ScheduleCreations *creations = data;

  creations->n += event->ordinal < creations->before;
  return event->ordinal < creations->before;
}

/* The event that made a process is the one that its first event's arc comes from. */
gboolean
lc_schedule_find_creation (LcHistory *history, guint32 process, guint32 *creator, guint64 *nth, GError **error)
{
  g_autofree gboolean *creates = g_new0 (gboolean, MAX (lc_history_get_n_operations (history), 1));
  ScheduleCreations creations = {0, 0};
  const LcHistoryOperation *operation;
  g_autoptr (GArray) arcs = NULL;
  LcHistoryEvent event;

  *creator = LC_TRACE_NONE;
  *nth = 0;
  if (lc_history_get_process (history, process)->events == 0)
    return TRUE;
  if (!lc_history_list_arcs_in (history, LC_TIMELINE_MEASURED, process, 0, &arcs, error))
    return FALSE;
  if (arcs->len == 0)
    return TRUE;
  creations.before = g_array_index (arcs, LcHistoryArc, 0).from_ordinal;
  if (!lc_history_get_event (history, LC_TIMELINE_MEASURED, g_array_index (arcs, LcHistoryArc, 0).from_process,
                             creations.before, &event, error))
    return FALSE;
  operation = lc_history_get_operation (history, event.operation);
  if (operation == NULL || g_strcmp0 (operation->class_name, "thread") != 0)
    return TRUE;
  creates[event.operation] = TRUE;
  *creator = event.process;
  if (!lc_history_visit_operations (history, LC_TIMELINE_MEASURED, event.process, creates, schedule_count_creation,
                                    &creations, NULL, error))
    return FALSE;
  *nth = creations.n;
  return TRUE;
}

static gboolean
schedule_has_process (const LcSchedule *schedule, guint32 number)
{
  for (guint i = 0; i < schedule->processes->len; i++)
    if (g_array_index (schedule->processes, LcScheduleProcess, i).number == number)
      return TRUE;
  return FALSE;
}

/* Adds a process, its creator before it, that one's creator before that. */
static gboolean
schedule_add_process (LcSchedule *schedule, LcHistory *history, guint32 number, GError **error)
{
  const guint place = schedule->processes->len;

  while (number != LC_TRACE_NONE && !schedule_has_process (schedule, number))
    {
      LcScheduleProcess process = {.number = number};

      if (!lc_schedule_find_creation (history, number, &process.creator, &process.nth, error))
        return FALSE;
      process.name = g_strdup (lc_history_get_process (history, number)->name);
      g_array_insert_val (schedule->processes, place, process);
      number = process.creator;
    }
  return TRUE;
}

/* --- The n-th of an operation ----------------------------------------------------------------------------------- */

typedef struct
{
  guint64 before; /* ordinal */
  guint64 nth;    /* that is looked for */
  guint64 n;
  guint64 found; /* ordinal, or G_MAXUINT64 */
} ScheduleCount;

static gboolean
schedule_count_event (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  ScheduleCount *count = data;

  if (event->ordinal >= count->before)
    return FALSE;
  if (count->n == count->nth)
    count->found = event->ordinal;
  count->n++;
  return count->found == G_MAXUINT64;
}

static gboolean
schedule_count_operation (LcHistory *history, guint32 process, const char *operation, ScheduleCount *count,
                          GError **error)
{
  const guint32 n = lc_history_get_n_operations (history);
  g_autofree gboolean *wanted = g_new0 (gboolean, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    {
      const LcHistoryOperation *other = lc_history_get_operation (history, i);

      wanted[i] = other != NULL && g_strcmp0 (other->name, operation) == 0;
    }
  return lc_history_visit_operations (history, LC_TIMELINE_MEASURED, process, wanted, schedule_count_event, count, NULL,
                                      error);
}

/* The name of what the process had begun at the end of the recording; NULL: nothing. */
static const char *
schedule_pending_operation (LcHistory *history, guint32 process)
{
  const LcTracePending *pending = &lc_history_get_process (history, process)->pending;
  const LcHistoryOperation *operation =
      pending->operation != LC_TRACE_NONE ? lc_history_get_operation (history, pending->operation) : NULL;

  return operation != NULL ? operation->name : NULL;
}

static gboolean
schedule_describe_object (LcHistory *history, guint32 number, LcScheduleEvent *described, GError **error)
{
  LcHistoryObject object;

  if (number == LC_TRACE_NONE)
    return TRUE;
  if (!lc_history_get_object (history, number, &object, error))
    return FALSE;
  described->object = g_steal_pointer (&object.name);
  lc_history_object_clear (&object);
  return TRUE;
}

static void
schedule_describe_site (LcHistory *history, guint32 stack, LcScheduleEvent *described)
{
  const LcHistorySite *site = lc_history_get_own_site (history, stack);

  described->site = site != NULL ? lc_history_dup_site_text (site) : NULL;
}

/* Describes an event as it is in the history; after the last one comes what was pending. */
static gboolean
schedule_describe (LcHistory *history, guint32 process, guint64 ordinal, LcScheduleEvent *described, GError **error)
{
  const LcHistoryProcess *of = lc_history_get_process (history, process);
  ScheduleCount count = {.before = ordinal, .nth = G_MAXUINT64, .found = G_MAXUINT64};
  const char *pending = ordinal == of->events ? schedule_pending_operation (history, process) : NULL;
  const LcHistoryOperation *operation;
  LcHistoryEvent event;

  *described = (LcScheduleEvent){.process = process, .ordinal = ordinal};
  if (pending != NULL)
    {
      event.object = of->pending.object;
      event.stack = of->pending.stack;
      described->operation = g_strdup (pending);
    }
  else
    {
      if (!lc_history_get_event (history, LC_TIMELINE_MEASURED, process, ordinal, &event, error))
        return FALSE;
      operation = lc_history_get_operation (history, event.operation);
      described->operation = g_strdup (operation != NULL ? operation->name : "?");
    }
  schedule_describe_site (history, event.stack, described);
  if (schedule_describe_object (history, event.object, described, error) &&
      schedule_count_operation (history, process, described->operation, &count, error))
    {
      described->nth = (gint64)count.n;
      return TRUE;
    }
  schedule_clear_event (described);
  return FALSE;
}

static gboolean
schedule_add_event (LcSchedule *schedule, LcHistory *history, guint32 process, guint64 ordinal, guint *index,
                    GError **error)
{
  LcScheduleEvent event;

  for (*index = 0; *index < schedule->events->len; (*index)++)
    if (g_array_index (schedule->events, LcScheduleEvent, *index).process == process &&
        g_array_index (schedule->events, LcScheduleEvent, *index).ordinal == ordinal)
      return TRUE;
  if (!schedule_describe (history, process, ordinal, &event, error))
    return FALSE;
  g_array_append_val (schedule->events, event);
  return schedule_add_process (schedule, history, process, error);
}

gboolean
lc_schedule_add_nth (LcSchedule *schedule, LcHistory *history, guint32 process, const char *operation, guint64 nth,
                     guint64 *ordinal, GError **error)
{
  ScheduleCount count = {.before = G_MAXUINT64, .nth = nth, .found = G_MAXUINT64};
  LcScheduleEvent missing = {.process = process, .nth = (gint64)nth};
  guint index;

  if (!schedule_count_operation (history, process, operation, &count, error))
    return FALSE;
  *ordinal = count.found;
  if (count.found != G_MAXUINT64)
    return schedule_add_event (schedule, history, process, count.found, &index, error);
  if (count.n != nth)
    return TRUE;
  *ordinal = missing.ordinal = lc_history_get_process (history, process)->events;
  if (g_strcmp0 (schedule_pending_operation (history, process), operation) == 0)
    return schedule_add_event (schedule, history, process, *ordinal, &index, error);
  missing.operation = g_strdup (operation);
  g_array_append_val (schedule->events, missing);
  return schedule_add_process (schedule, history, process, error);
}

gboolean
lc_schedule_add_order (LcSchedule *schedule, LcHistory *history, guint32 first_process, guint64 first,
                       guint32 second_process, guint64 second, GError **error)
{
  LcScheduleOrder order;

  if (!schedule_add_event (schedule, history, first_process, first, &order.first, error) ||
      !schedule_add_event (schedule, history, second_process, second, &order.second, error))
    return FALSE;
  g_array_append_val (schedule->orders, order);
  return TRUE;
}

/* --- Compared with a history ------------------------------------------------------------------------------------- */

static gboolean
schedule_check_event (const LcScheduleEvent *event, LcHistory *history, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%u:%" G_GUINT64_FORMAT, event->process, event->ordinal);
  const guint32 n = lc_history_get_n_processes (history);
  LcScheduleEvent there;
  gboolean is_same;

  if (event->process < n && event->ordinal == lc_history_get_process (history, event->process)->events)
    return TRUE; /* it had not come in this run */
  if (event->process >= n || event->ordinal >= lc_history_get_process (history, event->process)->events)
    {
      g_set_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_OTHER,
                   _ ("the run has no event %s: the schedule is of another run"), name);
      return FALSE;
    }
  if (!schedule_describe (history, event->process, event->ordinal, &there, error))
    return FALSE;
  is_same = g_strcmp0 (event->operation, there.operation) == 0 &&
            (event->object == NULL || g_strcmp0 (event->object, there.object) == 0) &&
            (event->site == NULL || g_strcmp0 (event->site, there.site) == 0);
  if (!is_same)
    g_set_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_OTHER,
                 _ ("event %s is %s of %s at %s in the run, and %s of %s at %s in the schedule"), name, there.operation,
                 there.object != NULL ? there.object : "-", there.site != NULL ? there.site : "-", event->operation,
                 event->object != NULL ? event->object : "-", event->site != NULL ? event->site : "-");
  schedule_clear_event (&there);
  return is_same;
}

static gboolean
schedule_check_module (const LcScheduleModule *module, const GPtrArray *there, GError **error)
{
  for (guint i = 0; i < there->len; i++)
    {
      const LcHistoryModule *found = there->pdata[i];

      if (g_strcmp0 (found->path, module->path) != 0 || found->build_id == NULL ||
          strcmp (found->build_id, module->build_id) == 0)
        continue;
      g_set_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_OTHER,
                   _ ("%s was another build: %s in the run, %s in the schedule"), module->path, found->build_id,
                   module->build_id);
      return FALSE;
    }
  return TRUE;
}

gboolean
lc_schedule_check (const LcSchedule *schedule, LcHistory *history, GError **error)
{
  g_autoptr (GPtrArray) modules = lc_history_list_modules (history, error);

  if (modules == NULL || !lc_history_read_places (history, error))
    return FALSE;
  for (guint i = 0; i < schedule->modules->len; i++)
    if (!schedule_check_module (&g_array_index (schedule->modules, LcScheduleModule, i), modules, error))
      return FALSE;
  for (guint i = 0; i < schedule->events->len; i++)
    if (!schedule_check_event (&g_array_index (schedule->events, LcScheduleEvent, i), history, error))
      return FALSE;
  return TRUE;
}

/* The second event must not be in the past of what its process did before the first one. */
gboolean
lc_schedule_is_feasible (const LcSchedule *schedule, guint order, LcHistory *history, gboolean *is_feasible,
                         GError **error)
{
  const LcScheduleOrder *asked = &g_array_index (schedule->orders, LcScheduleOrder, order);
  const LcScheduleEvent *first = &g_array_index (schedule->events, LcScheduleEvent, asked->first);
  const LcScheduleEvent *second = &g_array_index (schedule->events, LcScheduleEvent, asked->second);
  g_autofree guint64 *past = NULL;

  if (first->process == second->process)
    {
      *is_feasible = first->ordinal < second->ordinal;
      return TRUE;
    }
  *is_feasible = TRUE;
  if (first->ordinal == 0)
    return TRUE;
  past = lc_causality_past (history, first->process, first->ordinal - 1, NULL, error);
  if (past == NULL)
    return FALSE;
  *is_feasible = second->ordinal >= past[second->process];
  return TRUE;
}
