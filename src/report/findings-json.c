/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with a trace, for programs. */
#include <string.h>

#include "report/clock-line.h"
#include "report/findings.h"
#include "report/lost.h"
#include "report/sites.h"

static void
findings_add_site (const LcFindings *findings, LcJson *json, const char *key, guint32 stack)
{
  lc_sites_add_json (json, key, lc_history_get_own_site (findings->history, stack));
}

static void
findings_add_event_site (const LcFindings *findings, LcJson *json, const char *key, guint32 process, guint64 ordinal)
{
  LcHistoryEvent event;
  gboolean known = lc_history_get_event (findings->history, LC_TIMELINE_MEASURED, process, ordinal, &event, NULL);

  findings_add_site (findings, json, key, known ? event.stack : LC_TRACE_NONE);
}

/* The number of problems of a kind, those told one by one and the others. */
static guint64
findings_count_kind (const LcFindings *findings, const char *kind)
{
  guint64 count = 0;

  for (guint i = 0; i < findings->problems->len; i++)
    {
      const LcHistoryProblem *problem = findings->problems->pdata[i];

      count += strcmp (problem->kind, kind) == 0 ? problem->count : 0;
    }
  return count;
}

static void
findings_write_files (const LcFindings *findings, LcJson *json)
{
  static const char *const severities[] = {
      [LC_TRACE_NOTE] = "note", [LC_TRACE_WARNING] = "warning", [LC_TRACE_FAULT] = "fault"};

  lc_json_begin_array (json, "problem");
  for (guint i = 0; i < findings->problems->len; i++)
    {
      const LcHistoryProblem *problem = findings->problems->pdata[i];

      if (problem->process != LC_TRACE_NONE || problem->file == NULL)
        continue;
      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "name", problem->kind);
      lc_json_add_string (json, "severity", severities[problem->severity]);
      lc_json_add_string (json, "file", problem->file);
      lc_json_add_count (json, problem->is_line ? "line" : "byte", problem->where);
      lc_json_add_string (json, "detail", problem->detail);
      lc_json_add_count (json, "count", problem->count);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

/* Adds members: the event of a problem. */
static void
findings_write_event (const LcFindings *findings, LcJson *json, const LcHistoryProblem *problem)
{
  lc_json_add_count (json, "process", problem->process);
  lc_json_add_count (json, "ordinal", problem->ordinal);
  lc_json_add_string (json, "operation", problem->operation != NULL ? problem->operation : "?");
  lc_json_add_string (json, "object",
                      problem->object != LC_TRACE_NONE ? lc_names_object (findings->names, problem->object) : "?");
  lc_json_add_integer (json, "sequence", problem->sequence);
}

static void
findings_write_events (const LcFindings *findings, LcJson *json)
{
  lc_json_begin_array (json, "event");
  for (guint i = 0; i < findings->problems->len; i++)
    {
      const LcHistoryProblem *problem = findings->problems->pdata[i];

      if (!problem->has_event || strcmp (problem->kind, "early-read") == 0)
        continue;
      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "trouble", problem->kind);
      findings_write_event (findings, json, problem);
      findings_add_event_site (findings, json, "site", problem->process, problem->ordinal);
      if (problem->wants != NULL)
        {
          lc_json_add_string (json, "wants", problem->wants);
          lc_json_add_integer (json, "wants_sequence", problem->wants_sequence);
          lc_json_add_integer (json, "there", (gint64)problem->there);
          lc_json_add_integer (json, "needed", (gint64)problem->needed);
        }
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
findings_write_early_reads (const LcFindings *findings, LcJson *json)
{
  lc_json_begin_array (json, "early_read");
  for (guint i = 0; i < findings->problems->len; i++)
    {
      const LcHistoryProblem *problem = findings->problems->pdata[i];

      if (!problem->has_event || strcmp (problem->kind, "early-read") != 0)
        continue;
      lc_json_begin_object (json, NULL);
      findings_write_event (findings, json, problem);
      lc_json_add_count (json, "count", problem->count);
      lc_json_add_count (json, "writer", problem->other);
      lc_json_add_count (json, "writer_ordinal", problem->other_ordinal);
      findings_add_event_site (findings, json, "site", problem->process, problem->ordinal);
      findings_add_event_site (findings, json, "writer_site", problem->other, problem->other_ordinal);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

/* Adds members: whom a blocked process waits for, and why. */
static void
findings_write_holder (const LcFindings *findings, LcJson *json, const LcBlocked *blocked)
{
  static const char *const reasons[] = {
      [LC_BLOCKED_FOR_HOLDER] = "holder", [LC_BLOCKED_FOR_MESSAGE] = "message", [LC_BLOCKED_FOR_MEMBERS] = "members"};

  lc_json_add_count (json, "holder", blocked->holder);
  lc_json_add_count (json, "holder_ordinal", blocked->holder_ordinal);
  findings_add_event_site (findings, json, "holder_site", blocked->holder, blocked->holder_ordinal);
  lc_json_add_string (json, "reason", reasons[blocked->reason]);
  if (blocked->missing == NULL)
    return;
  lc_json_begin_array (json, "missing");
  for (guint i = 0; i < blocked->missing->len; i++)
    lc_json_add_count (json, NULL, g_array_index (blocked->missing, guint32, i));
  lc_json_end_array (json);
}

static void
findings_write_blocked (const LcFindings *findings, LcJson *json)
{
  lc_json_begin_array (json, "pending");
  for (guint i = 0; i < findings->deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (findings->deadlocks->blocked, LcBlocked, i);
      const LcTracePending *pending = &blocked->pending;

      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "process", blocked->process);
      lc_json_add_string (json, "operation", lc_names_operation (findings->names, pending->operation));
      lc_json_add_string (json, "object",
                          pending->object != LC_TRACE_NONE ? lc_names_object (findings->names, pending->object) : "?");
      lc_json_add_count (json, "begin", pending->begin);
      findings_add_site (findings, json, "site", pending->stack);
      if (blocked->holder != LC_TRACE_NONE)
        findings_write_holder (findings, json, blocked);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
findings_write_unseen (const LcFindings *findings, LcJson *json)
{
  lc_json_begin_array (json, "unseen");
  for (guint i = 0; i < findings->problems->len; i++)
    {
      const LcHistoryProblem *problem = findings->problems->pdata[i];
      const LcHistoryProcess *process;

      if (strcmp (problem->kind, "unseen") != 0)
        continue;
      process = lc_history_get_process (findings->history, problem->process);
      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "process", problem->process);
      lc_json_add_count (json, "blocked", process->account.blocked);
      lc_json_add_count (json, "unseen", process->unseen);
      lc_json_add_count (json, "unseen_waits", process->unseen_waits);
      lc_json_add_string (json, "library", problem->detail);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
findings_write_circles (const LcFindings *findings, LcJson *json)
{
  lc_json_begin_array (json, "deadlock");
  for (guint i = 0; i < findings->deadlocks->circles->len; i++)
    {
      const GArray *circle = findings->deadlocks->circles->pdata[i];

      lc_json_begin_array (json, NULL);
      for (guint j = 0; j < circle->len; j++)
        lc_json_add_count (json, NULL, g_array_index (circle, guint32, j));
      lc_json_end_array (json);
    }
  lc_json_end_array (json);
}

static void
findings_write_stuck (const LcFindings *findings, LcJson *json)
{
  lc_json_begin_array (json, "stuck");
  for (guint i = 0; i < findings->deadlocks->stuck->len; i++)
    {
      const LcStuck *stuck = findings->deadlocks->stuck->pdata[i];

      lc_json_begin_object (json, NULL);
      lc_json_begin_array (json, "process");
      for (guint j = 0; j < stuck->rows->len; j++)
        lc_json_add_count (
            json, NULL,
            g_array_index (findings->deadlocks->blocked, LcBlocked, g_array_index (stuck->rows, guint, j)).process);
      lc_json_end_array (json);
      lc_json_add_boolean (json, "all", stuck->is_all);
      lc_json_add_boolean (json, "may_be_helped", stuck->may_be_helped);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
findings_write_roots (const LcFindings *findings, LcJson *json)
{
  g_autoptr (GArray) roots =
      lc_deadlocks_list_roots (findings->deadlocks, lc_history_get_n_processes (findings->history));

  lc_json_begin_array (json, "waited_for");
  for (guint i = 0; i < roots->len; i++)
    {
      const LcBlockedRoot *root = &g_array_index (roots, LcBlockedRoot, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "process", root->process);
      lc_json_add_count (json, "waiting", root->n_waiting);
      lc_json_add_boolean (json, "for_ever", root->has_finalized);
      lc_json_add_count (json, "first", g_array_index (findings->deadlocks->blocked, LcBlocked, root->first).process);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

char *
lc_findings_to_json (const LcFindings *findings)
{
  const GArray *gaps = lc_history_get_gaps (findings->history);
  LcJson json = LC_JSON_INIT ();
  LcTraceLost lost;

  lc_history_get_lost (findings->history, &lost);
  lc_json_begin_object (&json, NULL);
  lc_json_add_boolean (&json, "clean", findings->n_wrong == 0);
  lc_json_add_count (&json, "events", lc_history_get_n_events (findings->history));
  lc_json_add_count (&json, "arcs", lc_history_get_n_arcs (findings->history));
  lc_json_add_count (&json, "lost", lost.n);
  lc_json_begin_object (&json, "lost_by_reason");
  lc_lost_add_reasons (&json, &lost);
  lc_json_end_object (&json);
  lc_lost_add_gaps (&json, (const LcTraceGap *)(gpointer)gaps->data, gaps->len);
  lc_json_add_count (&json, "unmatched", findings_count_kind (findings, "unmatched"));
  lc_json_add_count (&json, "cycles", findings_count_kind (findings, "cycle"));
  lc_json_add_count (&json, "backwards", findings_count_kind (findings, "backwards"));
  lc_json_add_count (&json, "left", findings_count_kind (findings, "left"));
  findings_write_files (findings, &json);
  findings_write_events (findings, &json);
  findings_write_blocked (findings, &json);
  findings_write_early_reads (findings, &json);
  findings_write_unseen (findings, &json);
  lc_clock_lines_to_json (findings->directory, &json);
  findings_write_circles (findings, &json);
  findings_write_stuck (findings, &json);
  findings_write_roots (findings, &json);
  lc_json_end_object (&json);
  return lc_json_finish (&json);
}
