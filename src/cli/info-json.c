/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON of `lightcone info`. Its keys must never change. */
#include "info.h"

#include "report/clock-line.h"
#include "trace/json.h"
#include "lightcone/recording.h"
#include "lightcone/what-if.h"
#include "report/lost.h"

static const char *
info_json_state_name (LcRecoverState state)
{
  static const char *const names[] = {"complete", "recording", "recovered",
                                      "abandoned"}; /* in the order of LcRecoverState */

  return names[state];
}

static const char *
end_name (enum lc_state state)
{
  return state == LC_STATE_ENDED ? "ended" : state == LC_STATE_CUT ? "cut" : "running";
}

static void
info_json_add_setting (LcJson *json, const LcInfo *info, const char *key)
{
  g_autofree char *value = lc_info_dup_setting (info, key);

  lc_json_add_string (json, key, value);
}

static void
info_json_add_history (LcJson *json, const LcInfo *info)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (info->parallelism == NULL)
    {
      lc_json_add_null (json, "waiting_total");
      lc_json_add_null (json, "woken_total");
      lc_json_add_null (json, "preempted_total");
      lc_json_add_null (json, "outside_total");
      lc_json_add_null (json, "parallelism");
      return;
    }
  lc_json_add_count (json, "waiting_total", info->waiting);
  lc_json_add_count (json, "woken_total", info->woken);
  lc_json_add_count (json, "preempted_total", info->preempted);
  lc_json_add_count (json, "outside_total", info->outside);
  lc_json_add_number (json, "parallelism", g_ascii_formatd (number, sizeof number, "%.6f", info->parallelism->average));
}

/* Adds null if no rank of MPI was recorded. */
static void
add_mpi (LcJson *json, const LcInfo *info)
{
  g_autofree char *topology = lc_info_dup_topology (info), *name = lc_info_dup_setting (info, "mpi");

  if (info->ranks == 0)
    {
      lc_json_add_null (json, "mpi");
      return;
    }
  lc_json_begin_object (json, "mpi");
  lc_json_add_string (json, "name", name);
  lc_json_add_count (json, "ranks", info->ranks);
  lc_json_add_count (json, "hosts", info->hosts);
  lc_json_add_string (json, "topology", topology);
  lc_json_add_boolean (json, "clocks_aligned", !info->unaligned);
  lc_json_end_object (json);
}

/* Adds null where it is not known. */
static void
info_json_add_known (LcJson *json, const char *key, guint64 value)
{
  if (value != LC_TRACE_UNKNOWN)
    lc_json_add_count (json, key, value);
  else
    lc_json_add_null (json, key);
}

static void
info_json_add_switches (LcJson *json, const LcInfo *info)
{
  const LcInfoSwitches *switches = &info->switches;
  const gboolean known = switches->processes > 0;
  g_autofree char *reason = lc_info_dup_no_switches (info);

  info_json_add_known (json, "switches_recorded", known ? switches->absences : LC_TRACE_UNKNOWN);
  info_json_add_known (json, "switches_preempted", known ? switches->preempted : LC_TRACE_UNKNOWN);
  info_json_add_known (json, "switches_blocked", known ? switches->blocked : LC_TRACE_UNKNOWN);
  lc_json_add_string (json, "switches_missing", reason);
}

static void
info_json_add_summary (LcJson *json, const LcInfo *info)
{
  LcUnseen unseen;
  gboolean known;

  lc_json_add_string (json, "trace", info->path);
  lc_json_add_string (json, "format", lc_trace_get_format (info->trace));
  lc_json_add_string (json, "state", info_json_state_name (info->state));
  info_json_add_setting (json, info, "title");
  info_json_add_setting (json, info, "command");
  info_json_add_setting (json, info, "started");
  info_json_add_setting (json, info, "status");
  info_json_add_setting (json, info, "clock");
  info_json_add_setting (json, info, "futex");
  info_json_add_setting (json, info, "futex_trouble");
  lc_json_add_integer (json, "start", lc_trace_get_start (info->trace));
  lc_json_add_count (json, "frequency", lc_trace_get_frequency (info->trace));
  lc_json_add_count (json, "processes", lc_trace_get_n_processes (info->trace));
  lc_json_add_count (json, "events", info->all.events);
  lc_json_add_count (json, "objects", lc_trace_get_n_objects (info->trace));
  lc_json_add_count (json, "sites", info->sites);
  lc_json_add_count (json, "stacks", info->stacks);
  lc_json_add_count (json, "lost", info->lost.n);
  lc_json_add_count (json, "not_recorded", lc_info_get_strangers (info));
  lc_json_add_count (json, "lost_apart", info->lost.apart);
  lc_json_add_boolean (json, "complete", lc_info_is_complete (info));
  lc_json_add_count (json, "problems", info->problems);
  lc_json_add_count (json, "wrong_times", info->wrong_times);
  add_mpi (json, info);
  lc_json_begin_object (json, "span");
  lc_json_add_count (json, "begin", info->all.begin);
  lc_json_add_count (json, "end", info->all.end);
  lc_json_end_object (json);
  lc_json_add_count (json, "measured_total", info->all.end - info->all.begin);
  known = lc_info_find_unseen (info, &unseen);
  info_json_add_known (json, "blocked_total", known ? unseen.blocked : LC_TRACE_UNKNOWN);
  info_json_add_known (json, "unseen_total", known ? unseen.time : LC_TRACE_UNKNOWN);
  info_json_add_switches (json, info);
  info_json_add_history (json, info);
}

static void
add_number_or_null (LcJson *json, const char *key, guint32 value, guint32 none)
{
  if (value != none)
    lc_json_add_count (json, key, value);
  else
    lc_json_add_null (json, key);
}

static void
add_pending (LcJson *json, const LcTrace *trace, const LcTracePending *pending)
{
  const LcTraceOperation *operation = NULL;
  g_autofree char *object = NULL;

  if (pending->operation != LC_TRACE_NONE)
    operation = lc_trace_get_operation (trace, pending->operation);
  if (operation == NULL)
    {
      lc_json_add_null (json, "pending");
      return;
    }
  if (pending->object != LC_TRACE_NONE)
    object = lc_trace_dup_object_name (trace, pending->object);
  lc_json_begin_object (json, "pending");
  lc_json_add_string (json, "operation", operation->name);
  add_number_or_null (json, "object", pending->object, LC_TRACE_NONE);
  lc_json_add_string (json, "object_name", object);
  if (pending->has_sequence)
    lc_json_add_integer (json, "sequence", pending->sequence);
  else
    lc_json_add_null (json, "sequence");
  lc_json_add_count (json, "begin", pending->begin);
  lc_json_end_object (json);
}

static void
info_json_add_account (LcJson *json, const LcTraceProcess *process, const LcExplained *explained)
{
  const LcTraceAccount *account = &process->account;
  LcUnseen unseen;
  gboolean known = lc_unseen_find (process, explained, &unseen);

  info_json_add_known (json, "running", account->running);
  info_json_add_known (json, "runnable", account->runnable);
  info_json_add_known (json, "blocked", account->blocked);
  info_json_add_known (json, "switches", account->voluntary);
  info_json_add_known (json, "preemptions", account->involuntary);
  info_json_add_known (json, "unseen", known ? unseen.time : LC_TRACE_UNKNOWN);
  info_json_add_known (json, "unseen_waits", known ? unseen.waits : LC_TRACE_UNKNOWN);
}

static void
info_json_add_process (LcJson *json, const LcInfo *info, guint32 id)
{
  const LcTraceProcess *process = lc_trace_get_process (info->trace, id);
  const LcInfoEvents *events = &info->processes[id];

  lc_json_begin_object (json, NULL);
  lc_json_add_count (json, "id", id);
  lc_json_add_count (json, "number", process->number);
  lc_json_add_string (json, "name", process->name);
  add_number_or_null (json, "parent", process->parent, LC_TRACE_NONE);
  lc_json_add_string (json, "host", process->host);
  add_number_or_null (json, "pid", process->pid, 0);
  add_number_or_null (json, "thread", process->thread, 0);
  lc_json_add_count (json, "instance", process->instance);
  lc_json_add_string (json, "file", process->file);
  lc_json_add_count (json, "events", events->events);
  lc_json_add_count (json, "begin", events->begin);
  lc_json_add_count (json, "end", events->end);
  lc_json_add_count (json, "lost", process->n_lost);
  lc_json_add_string (json, "state", end_name (process->state));
  add_pending (json, info->trace, &process->pending);
  info_json_add_account (json, process, &events->explained);
  lc_json_end_object (json);
}

static void
info_json_add_operations (LcJson *json, const LcInfo *info)
{
  lc_json_begin_array (json, "operation");
  for (guint32 i = 0; i < lc_trace_get_n_operations (info->trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (info->trace, i);

      if (operation == NULL || info->operations[i] == 0)
        continue;
      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "id", i);
      lc_json_add_string (json, "name", operation->name);
      lc_json_add_string (json, "class", operation->class_name);
      lc_json_add_count (json, "events", info->operations[i]);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
add_classes (LcJson *json, const LcInfo *info)
{
  lc_json_begin_array (json, "class");
  for (guint i = 0; i < info->classes->len; i++)
    {
      const LcInfoCount *class = &g_array_index (info->classes, LcInfoCount, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "name", class->name);
      lc_json_add_count (json, "objects", class->count);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
info_json_add_timelines (LcJson *json, const LcInfo *info)
{
  if (info->timelines == NULL)
    {
      lc_json_add_null (json, "timeline");
      return;
    }
  lc_json_begin_array (json, "timeline");
  for (guint i = 0; i < info->timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = info->timelines->pdata[i];
      g_autofree char *question = lc_what_if_dup_question (timeline);

      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "id", timeline->id);
      lc_json_add_string (json, "name", timeline->name);
      lc_json_add_string (json, "model", timeline->model);
      lc_json_add_string (json, "what_if", question);
      lc_json_add_boolean (json, "own", timeline->own);
      lc_json_add_string (json, "parameters", timeline->parameters);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

/* Adds the modules, and what is missing to find their functions and lines; null if there is no history. */
static void
info_json_add_modules (LcJson *json, const LcInfo *info)
{
  if (info->modules == NULL)
    {
      lc_json_add_null (json, "module");
      return;
    }
  lc_json_begin_array (json, "module");
  for (guint i = 0; i < info->modules->len; i++)
    {
      const LcHistoryModule *module = info->modules->pdata[i];

      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "path", module->path);
      lc_json_add_string (json, "build_id", module->build_id);
      lc_json_add_string (json, "problem", module->problem);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

char *
lc_info_to_json (const LcInfo *info)
{
  LcJson json = LC_JSON_INIT ();
  gsize n_gaps;
  const LcTraceGap *gaps = lc_trace_get_gaps (info->trace, &n_gaps);

  lc_json_begin_object (&json, NULL);
  info_json_add_summary (&json, info);
  lc_json_begin_object (&json, "lost_by_reason");
  lc_lost_add_reasons (&json, &info->lost);
  lc_json_end_object (&json);
  lc_lost_add_gaps (&json, gaps, n_gaps);
  lc_json_begin_array (&json, "process");
  for (guint32 i = 0; i < lc_trace_get_n_processes (info->trace); i++)
    info_json_add_process (&json, info, i);
  lc_json_end_array (&json);
  info_json_add_operations (&json, info);
  add_classes (&json, info);
  info_json_add_timelines (&json, info);
  info_json_add_modules (&json, info);
  lc_clock_lines_to_json (info->path, &json);
  lc_json_end_object (&json);
  return lc_json_finish (&json);
}
