/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers what `lightcone info` tells about a trace. */
#include "info.h"

#include <string.h>

#include "trace/problems.h"

static void
info_count_process (LcInfo *info, LcTrace *trace, guint32 process)
{
  LcInfoEvents *mine = &info->processes[process];
  LcTraceCursor *cursor = lc_trace_cursor_open (trace, process);
  LcTraceBatch batch;

  while (lc_trace_cursor_next (cursor, &batch))
    {
      if (mine->events == 0)
        mine->begin = lc_trace_get_followed (trace, process, batch.events[0].begin);
      for (gsize i = 0; i < batch.n_events; i++)
        {
          info->operations[batch.events[i].operation]++;
          lc_explained_add (&mine->explained, batch.events[i].end - batch.events[i].begin);
        }
      mine->events += batch.n_events;
      mine->end = batch.events[batch.n_events - 1].end;
    }
  lc_trace_cursor_close (cursor);
}

static void
info_add_process (LcInfo *info, guint32 process)
{
  const LcInfoEvents *mine = &info->processes[process];

  if (mine->events == 0)
    return;
  info->all.begin = info->all.events == 0 ? mine->begin : MIN (info->all.begin, mine->begin);
  info->all.end = MAX (info->all.end, mine->end);
  info->all.events += mine->events;
}

/* What cannot be read is left out here. */
static void
info_count_switches (LcInfo *info, LcTrace *trace, guint32 process)
{
  g_autoptr (LcAbsences) absences = lc_trace_open_absences (trace, process, NULL);
  LcInfoSwitches *switches = &info->switches;
  LcAbsence next[128];
  gssize n;

  if (absences == NULL)
    return;
  switches->processes++;
  while ((n = lc_absences_next (absences, next, G_N_ELEMENTS (next), NULL)) > 0)
    {
      switches->absences += (guint64)n;
      for (gssize i = 0; i < n; i++)
        *(next[i].kind == LC_ABSENCE_PREEMPTED ? &switches->preempted : &switches->blocked) +=
            (guint64)(next[i].end - next[i].begin);
    }
}

static void
count_objects (LcInfo *info)
{
  for (guint32 i = 0; i < lc_trace_get_n_objects (info->trace); i++)
    {
      LcTraceObject object;
      LcInfoCount count = {.count = 1};
      guint at = 0;

      lc_trace_get_object (info->trace, i, &object);
      count.name = object.class_name;
      while (at < info->classes->len &&
             g_strcmp0 (g_array_index (info->classes, LcInfoCount, at).name, count.name) != 0)
        at++;
      if (at == info->classes->len)
        g_array_append_val (info->classes, count);
      else
        g_array_index (info->classes, LcInfoCount, at).count++;
    }
}

static void
count_problems (LcInfo *info, LcTrace *trace)
{
  g_autoptr (GArray) problems = lc_trace_list_problems (trace);

  for (guint i = 0; i < problems->len; i++)
    {
      const LcTraceProblem *problem = &g_array_index (problems, LcTraceProblem, i);

      if (problem->severity != LC_TRACE_NOTE)
        info->problems += problem->count;
      if (lc_problem_is_of_time (problem->name))
        info->wrong_times += problem->count;
      if (strcmp (problem->name, "clock-not-aligned") == 0)
        info->unaligned = TRUE;
    }
}

/* A rank has a process for each of its threads. Processes are in the order of the ranks, so each change is a new
 * rank. */
static void
count_ranks (LcInfo *info, const LcTrace *trace)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new (g_str_hash, g_str_equal);
  guint32 last = LC_TRACE_NONE;

  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    {
      const LcTraceProcess *process = lc_trace_get_process (trace, i);

      if (process->rank != LC_TRACE_NONE && process->rank != last)
        info->ranks++;
      last = process->rank;
      if (process->host != NULL)
        g_hash_table_add (hosts, (gpointer)process->host);
    }
  info->hosts = g_hash_table_size (hosts);
}

void
lc_info_init (LcInfo *info, LcTrace *trace, const char *path, LcRecoverState state)
{
  guint32 n_processes = lc_trace_get_n_processes (trace);

  *info = (LcInfo){.trace = trace, .path = path, .state = state};
  info->processes = g_new0 (LcInfoEvents, n_processes);
  info->operations = g_new0 (guint64, lc_trace_get_n_operations (trace));
  info->classes = g_array_new (FALSE, FALSE, sizeof (LcInfoCount));
  for (guint32 process = 0; process < n_processes; process++)
    {
      info_count_process (info, trace, process);
      info_add_process (info, process);
      info_count_switches (info, trace, process);
    }
  lc_trace_get_lost (trace, &info->lost);
  count_objects (info);
  count_problems (info, trace);
  count_ranks (info, trace);
  info->sites = lc_trace_get_n_sites (trace);
  info->stacks = lc_trace_get_n_stacks (trace);
}

void
lc_info_clear (LcInfo *info)
{
  g_clear_pointer (&info->processes, g_free);
  g_clear_pointer (&info->operations, g_free);
  g_clear_pointer (&info->classes, g_array_unref);
  g_clear_pointer (&info->parallelism, lc_parallelism_free);
  g_clear_pointer (&info->timelines, g_ptr_array_unref);
  g_clear_pointer (&info->modules, g_ptr_array_unref);
}

void
lc_info_add_history (LcInfo *info, LcHistory *history)
{
  g_autoptr (GArray) waiting = lc_statistics_waiting (history, LC_TIMELINE_MEASURED, NULL, NULL);

  if (waiting == NULL)
    return;
  info->parallelism = lc_statistics_parallelism (history, LC_TIMELINE_MEASURED, NULL, NULL);
  for (guint i = 0; i < waiting->len; i++)
    {
      const LcWaitingStatistics *row = &g_array_index (waiting, LcWaitingStatistics, i);

      info->alive += row->span;
      info->waiting += row->waiting;
      info->woken += row->woken;
      info->preempted += row->preempted;
      info->outside += row->outside;
    }
  info->timelines = lc_history_list_timelines (history, NULL);
  info->modules = lc_history_list_modules (history, NULL);
}

gboolean
lc_info_find_unseen (const LcInfo *info, LcUnseen *sum)
{
  gboolean known = FALSE;

  *sum = (LcUnseen){0};
  for (guint32 i = 0; i < lc_trace_get_n_processes (info->trace); i++)
    {
      LcUnseen unseen;

      if (!lc_unseen_find (lc_trace_get_process (info->trace, i), &info->processes[i].explained, &unseen))
        continue;
      known = TRUE;
      sum->time += unseen.time;
      sum->waits += unseen.waits;
      sum->blocked += unseen.blocked;
    }
  return known;
}

gboolean
lc_info_is_complete (const LcInfo *info)
{
  return (info->state == LC_RECOVER_NOT_NEEDED || info->state == LC_RECOVER_DONE) && info->lost.n == 0;
}

char *
lc_info_dup_setting (const LcInfo *info, const char *key)
{
  return g_key_file_get_string (lc_trace_get_settings (info->trace), "trace", key, NULL);
}

char *
lc_info_dup_no_switches (const LcInfo *info)
{
  return g_key_file_get_string (lc_trace_get_settings (info->trace), "switches", "missing", NULL);
}

char *
lc_info_dup_topology (const LcInfo *info)
{
  return g_key_file_get_string (lc_trace_get_settings (info->trace), "communication", "topology", NULL);
}

guint
lc_info_get_strangers (const LcInfo *info)
{
  guint64 count = g_key_file_get_uint64 (lc_trace_get_settings (info->trace), "trace", "strangers", NULL);

  return (guint)MIN (count, G_MAXUINT);
}
