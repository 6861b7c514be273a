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

static const LcScheduleProcess *
schedule_find_process (const LcSchedule *schedule, guint32 number)
{
  for (guint i = 0; i < schedule->processes->len; i++)
    if (g_array_index (schedule->processes, LcScheduleProcess, i).number == number)
      return &g_array_index (schedule->processes, LcScheduleProcess, i);
  return NULL;
}

/* Adds a process, its creator before it, that one's creator before that. */
static gboolean
schedule_add_process (LcSchedule *schedule, LcHistory *history, guint32 number, GError **error)
{
  const guint place = schedule->processes->len;

  while (number != LC_TRACE_NONE && schedule_find_process (schedule, number) == NULL)
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

/* A thread that was made but had not begun has no process in the history, and so no events. */
static guint64
schedule_count_events (LcHistory *history, guint32 process)
{
  return process < lc_history_get_n_processes (history) ? lc_history_get_process (history, process)->events : 0;
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

  if (schedule_count_events (history, process) == 0)
    return TRUE;
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
  const LcHistoryOperation *operation = NULL;
  guint32 pending = LC_TRACE_NONE;

  if (process < lc_history_get_n_processes (history))
    pending = lc_history_get_process (history, process)->pending.operation;
  if (pending != LC_TRACE_NONE)
    operation = lc_history_get_operation (history, pending);
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

/* Finds an event that had not come among those that were added. NULL: it was not. */
static const LcScheduleEvent *
schedule_find_absent (const LcSchedule *schedule, guint32 process, guint64 n_events, const char *operation, guint64 nth)
{
  for (guint i = 0; i < schedule->events->len; i++)
    {
      const LcScheduleEvent *event = &g_array_index (schedule->events, LcScheduleEvent, i);

      if (event->process == process && event->ordinal >= n_events && event->nth == (gint64)nth &&
          strcmp (event->operation, operation) == 0)
        return event;
    }
  return NULL;
}

/* Gives the ordinal of the next event that had not come. The first one is what was pending, if anything was. */
static guint64
schedule_find_free_ordinal (const LcSchedule *schedule, LcHistory *history, guint32 process)
{
  guint64 ordinal = schedule_count_events (history, process);

  ordinal += schedule_pending_operation (history, process) != NULL;
  for (guint i = 0; i < schedule->events->len; i++)
    {
      const LcScheduleEvent *event = &g_array_index (schedule->events, LcScheduleEvent, i);

      if (event->process == process && event->ordinal >= ordinal)
        ordinal = event->ordinal + 1;
    }
  return ordinal;
}

static gboolean
schedule_add_absent (LcSchedule *schedule, LcHistory *history, guint32 process, const char *operation, guint64 nth,
                     guint64 *ordinal, GError **error)
{
  const guint64 n_events = schedule_count_events (history, process);
  const LcScheduleEvent *added = schedule_find_absent (schedule, process, n_events, operation, nth);
  LcScheduleEvent event = {.process = process, .nth = (gint64)nth};

  *ordinal = added != NULL ? added->ordinal : schedule_find_free_ordinal (schedule, history, process);
  if (added != NULL)
    return TRUE;
  event.ordinal = *ordinal;
  event.operation = g_strdup (operation);
  g_array_append_val (schedule->events, event);
  return schedule_add_process (schedule, history, process, error);
}

gboolean
lc_schedule_add_nth (LcSchedule *schedule, LcHistory *history, guint32 process, const char *operation, guint64 nth,
                     guint64 *ordinal, GError **error)
{
  ScheduleCount count = {.before = G_MAXUINT64, .nth = nth, .found = G_MAXUINT64};
  guint index;

  if (!schedule_count_operation (history, process, operation, &count, error))
    return FALSE;
  *ordinal = count.found;
  if (count.found == G_MAXUINT64 && count.n == nth &&
      g_strcmp0 (schedule_pending_operation (history, process), operation) == 0)
    *ordinal = schedule_count_events (history, process);
  if (*ordinal == G_MAXUINT64)
    return schedule_add_absent (schedule, history, process, operation, nth, ordinal, error);
  return schedule_add_event (schedule, history, process, *ordinal, &index, error);
}

/* --- Threads that had not begun ---------------------------------------------------------------------------------- */

/* Finds the ordinal of the event by which a process made its nth thread; G_MAXUINT64: it did not. */
static gboolean
schedule_find_making (LcHistory *history, guint32 creator, guint64 nth, guint64 *ordinal, GError **error)
{
  ScheduleCount count = {.before = G_MAXUINT64, .nth = nth, .found = G_MAXUINT64};

  if (!schedule_count_operation (history, creator, "create", &count, error))
    return FALSE;
  *ordinal = count.found;
  return TRUE;
}

/* Nothing has told its name, so that it is called by where it was made. */
static gboolean
schedule_name_unbegun (LcHistory *history, LcScheduleProcess *process, GError **error)
{
  LcScheduleEvent making = {.site = NULL};
  LcHistoryEvent event;
  guint64 ordinal;

  if (!schedule_find_making (history, process->creator, process->nth, &ordinal, error))
    return FALSE;
  if (ordinal != G_MAXUINT64)
    {
      if (!lc_history_get_event (history, LC_TIMELINE_MEASURED, process->creator, ordinal, &event, error))
        return FALSE;
      schedule_describe_site (history, event.stack, &making);
    }
  process->name = making.site != NULL ? g_strdup_printf ("thread made in %s", making.site)
                                      : g_strdup_printf ("thread %" G_GUINT64_FORMAT, process->nth);
  schedule_clear_event (&making);
  return TRUE;
}

gboolean
lc_schedule_add_unbegun (LcSchedule *schedule, LcHistory *history, guint32 creator, guint64 nth, guint32 *number,
                         GError **error)
{
  LcScheduleProcess process = {lc_history_get_n_processes (history), creator, nth, NULL};

  if (!schedule_add_process (schedule, history, creator, error))
    return FALSE;
  for (guint i = 0; i < schedule->processes->len; i++)
    {
      const LcScheduleProcess *other = &g_array_index (schedule->processes, LcScheduleProcess, i);

      *number = other->number;
      if (other->creator == creator && other->nth == nth)
        return TRUE;
      process.number = MAX (process.number, other->number + 1);
    }
  if (!schedule_name_unbegun (history, &process, error))
    return FALSE;
  *number = process.number;
  g_array_append_val (schedule->processes, process);
  return TRUE;
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

/* Whether the run has the thread that an event is of, or had made it. */
static gboolean
schedule_knows_thread (const LcSchedule *schedule, LcHistory *history, guint32 number, gboolean *is_known,
                       GError **error)
{
  const LcScheduleProcess *process = NULL;
  guint64 ordinal;

  *is_known = number < lc_history_get_n_processes (history);
  if (!*is_known)
    process = schedule_find_process (schedule, number);
  if (*is_known || process == NULL || process->creator >= number)
    return TRUE;
  if (process->creator >= lc_history_get_n_processes (history))
    return schedule_knows_thread (schedule, history, process->creator, is_known, error);
  if (!schedule_find_making (history, process->creator, process->nth, &ordinal, error))
    return FALSE;
  *is_known = ordinal != G_MAXUINT64;
  return TRUE;
}

/* Whether an event may be one that had not come by the end of the run: it has fewer of its operation. */
static gboolean
schedule_may_be_absent (const LcSchedule *schedule, const LcScheduleEvent *event, LcHistory *history,
                        gboolean *is_absent, GError **error)
{
  const guint64 n_events = schedule_count_events (history, event->process);
  ScheduleCount count = {.before = G_MAXUINT64, .nth = G_MAXUINT64, .found = G_MAXUINT64};

  if (!schedule_knows_thread (schedule, history, event->process, is_absent, error) ||
      (*is_absent && !schedule_count_operation (history, event->process, event->operation, &count, error)))
    return FALSE;
  *is_absent = *is_absent && event->ordinal >= n_events &&
               (event->ordinal == n_events || (event->nth >= 0 && (guint64)event->nth >= count.n));
  return TRUE;
}

static gboolean
schedule_check_event (const LcSchedule *schedule, const LcScheduleEvent *event, LcHistory *history, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%u:%" G_GUINT64_FORMAT, event->process, event->ordinal);
  LcScheduleEvent there;
  gboolean is_same, is_absent;

  if (!schedule_may_be_absent (schedule, event, history, &is_absent, error))
    return FALSE;
  if (is_absent)
    return TRUE;
  if (event->ordinal >= schedule_count_events (history, event->process))
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
    if (!schedule_check_event (schedule, &g_array_index (schedule->events, LcScheduleEvent, i), history, error))
      return FALSE;
  return TRUE;
}

/* Gives the past of what a process did before one of its events, as lc_causality_past does; NULL: it is empty. All that
 * had come is in that of what had not, and the making of a thread in that of all but its begin. */
static gboolean
schedule_find_past (const LcSchedule *schedule, LcHistory *history, const LcScheduleEvent *event, guint64 **past,
                    GError **error)
{
  const LcScheduleProcess *made = schedule_find_process (schedule, event->process);
  guint64 last = MIN (event->ordinal, schedule_count_events (history, event->process));
  guint32 process = event->process;

  *past = NULL;
  if (event->ordinal > 0 && process >= lc_history_get_n_processes (history))
    {
      process = made->creator;
      if (process >= lc_history_get_n_processes (history))
        return TRUE;
      if (!schedule_find_making (history, process, made->nth, &last, error))
        return FALSE;
      last++;
    }
  if (last == 0)
    return TRUE;
  *past = lc_causality_past (history, process, last - 1, NULL, error);
  return *past != NULL;
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
  if (!schedule_find_past (schedule, history, first, &past, error))
    return FALSE;
  *is_feasible = past == NULL || second->process >= lc_history_get_n_processes (history) ||
                 second->ordinal >= past[second->process];
  return TRUE;
}
