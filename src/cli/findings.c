/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers the findings of readers, sweep and deadlock analysis about a trace. */
#include "findings.h"

#include <glib/gi18n.h>

#include "clock-line.h"
#include "event-sites.h"
#include "report/format.h"
#include "trace/json.h"
#include "lightcone/unseen.h"
#include "report/lost.h"
#include "trace/gaps.h"
#include "trace/loss.h"

struct _LcFindings
{
  LcTrace *trace;
  GArray *problems; /* LcTraceProblem: those of the files */
  LcSweepResult swept;
  LcDeadlocks *deadlocks;
  GArray *early;                     /* LcEarlyRead */
  GPtrArray *processes, *operations; /* the names of all, for people */
  LcTraceLost lost;
  LcEventSites *sites; /* of the events that are named */
  GArray *unseen;      /* FindingUnseen: of processes where it matters */
};

/* What was not seen of a process. */
typedef struct
{
  guint32 process;
  LcUnseen unseen;
} FindingUnseen;

/* A visitor that sums what the events of each process explain, and notes what uses objects. */
typedef struct
{
  LcSweepVisitor visitor;
  LcExplained *processes;
  LcUses *uses;
} FindingsExplained;

static void
name_all (LcFindings *findings, const LcTrace *trace)
{
  findings->processes = g_ptr_array_new_with_free_func (g_free);
  findings->operations = g_ptr_array_new_with_free_func (g_free);
  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    g_ptr_array_add (findings->processes, lc_format_text (lc_trace_get_process (trace, i)->name));
  for (guint32 i = 0; i < lc_trace_get_n_operations (trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);

      g_ptr_array_add (findings->operations, lc_format_text (operation != NULL ? operation->name : "?"));
    }
}

static void
findings_find_sites (LcFindings *findings, const LcUses *uses)
{
  LcEventSites *sites = findings->sites = lc_event_sites_new (findings->trace);

  for (guint i = 0; i < findings->swept.problems->len; i++)
    {
      const LcSweepProblem *problem = &g_array_index (findings->swept.problems, LcSweepProblem, i);

      lc_event_sites_add (sites, problem->process, problem->ordinal);
    }
  for (guint i = 0; i < findings->early->len; i++)
    {
      const LcEarlyRead *read = &g_array_index (findings->early, LcEarlyRead, i);

      lc_event_sites_add (sites, read->process, read->ordinal);
      lc_event_sites_add (sites, read->writer, read->writer_ordinal);
    }
  for (guint i = 0; i < findings->deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (findings->deadlocks->blocked, LcBlocked, i);

      lc_event_sites_add (sites, blocked->holder, blocked->holder_ordinal);
      lc_event_sites_add_stack (sites, blocked->pending.stack);
    }
  /* Processes are told of by names that come from the functions of all of them. */
  for (guint32 i = 0; findings->unseen->len > 0 && i < lc_trace_get_n_processes (findings->trace); i++)
    lc_event_sites_add_stack (sites, lc_trace_get_process (findings->trace, i)->start);
  lc_event_sites_find (sites, uses);
  lc_event_sites_name_trace (sites);
}

static void
findings_explain (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  lc_explained_add (&((FindingsExplained *)visitor)->processes[step->process], step->event->end - step->event->begin);
  lc_uses_add (((FindingsExplained *)visitor)->uses, step->process, step->event->object, step->event->stack);
}

static void
findings_find_unseen (LcFindings *findings, const LcExplained *explained)
{
  findings->unseen = g_array_new (FALSE, FALSE, sizeof (FindingUnseen));
  for (guint32 i = 0; i < lc_trace_get_n_processes (findings->trace); i++)
    {
      const LcTraceProcess *process = lc_trace_get_process (findings->trace, i);
      FindingUnseen found = {.process = i};

      if (lc_unseen_find (process, &explained[i], &found.unseen) && lc_unseen_matters (process, &found.unseen))
        g_array_append_val (findings->unseen, found);
    }
}

LcFindings *
lc_findings_new (LcTrace *trace, const LcRules *rules, GError **error)
{
  LcFindings *findings = g_new0 (LcFindings, 1);
  LcSweepVisitor *holders = lc_holders_new (trace, rules), *early = lc_early_reads_new (trace, rules);
  g_autofree LcExplained *processes = g_new0 (LcExplained, lc_trace_get_n_processes (trace));
  g_autoptr (LcUses) uses = lc_uses_new (trace);
  FindingsExplained explained = {.visitor.end = findings_explain, .processes = processes, .uses = uses};
  LcSweepVisitor *const visitors[] = {holders, early, &explained.visitor, NULL};
  gboolean swept = lc_sweep_run (trace, rules, visitors, NULL, NULL, &findings->swept, error);

  findings->trace = trace;
  findings->deadlocks = lc_deadlocks_find (trace, holders);
  findings->problems = lc_trace_list_problems (trace);
  lc_trace_get_lost (trace, &findings->lost);
  findings->early = lc_early_reads_list (early);
  findings_find_unseen (findings, processes);
  lc_holders_free (holders);
  lc_early_reads_free (early);
  if (swept)
    findings_find_sites (findings, uses);
  name_all (findings, trace);
  if (!swept)
    g_clear_pointer (&findings, lc_findings_free);
  return findings;
}

void
lc_findings_free (LcFindings *findings)
{
  if (findings == NULL)
    return;
  g_array_unref (findings->problems);
  lc_sweep_result_clear (&findings->swept);
  lc_deadlocks_free (findings->deadlocks);
  g_array_unref (findings->early);
  g_array_unref (findings->unseen);
  g_ptr_array_unref (findings->processes);
  g_ptr_array_unref (findings->operations);
  lc_event_sites_free (findings->sites);
  g_free (findings);
}

/* Notes are no errors, and a program may well end while some of its processes wait. */
gboolean
lc_findings_is_clean (const LcFindings *findings)
{
  const LcSweepResult *swept = &findings->swept;

  for (guint i = 0; i < findings->problems->len; i++)
    if (g_array_index (findings->problems, LcTraceProblem, i).severity != LC_TRACE_NOTE)
      return FALSE;
  return findings->lost.n == 0 && swept->unmatched == 0 && swept->cycles == 0 && swept->backwards == 0 &&
         findings->deadlocks->circles->len == 0;
}

/* Gives "17 in put() pipe.cpp:7", or "17". */
static char *
findings_name_event (const LcFindings *findings, guint32 process, guint64 ordinal)
{
  g_autofree char *where = lc_event_sites_describe (findings->sites, process, ordinal);

  return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", ordinal, where);
}

static char *
object_name (const LcFindings *findings, guint32 object)
{
  return object == LC_TRACE_NONE ? g_strdup ("?") : lc_trace_dup_object_name (findings->trace, object);
}

static const char *
findings_operation_name (const LcFindings *findings, guint32 operation)
{
  const LcTraceOperation *found =
      operation != LC_TRACE_NONE ? lc_trace_get_operation (findings->trace, operation) : NULL;

  return found != NULL ? found->name : "?";
}

static char *
visible_object (const LcFindings *findings, guint32 object)
{
  g_autofree char *name = object_name (findings, object);

  return lc_format_text (name);
}

static const char *
visible_operation (const LcFindings *findings, guint32 operation)
{
  return operation < findings->operations->len ? findings->operations->pdata[operation] : "?";
}

static const char *
visible_process (const LcFindings *findings, guint32 process)
{
  return findings->processes->pdata[process];
}

/* --- For people --------------------------------------------------------------------------------------------------- */

static void
tell_files (const LcFindings *findings, GString *text)
{
  for (guint i = 0; i < findings->problems->len; i++)
    {
      const LcTraceProblem *problem = &g_array_index (findings->problems, LcTraceProblem, i);
      g_autofree char *count = lc_format_count (problem->count);
      g_autofree char *where = g_strdup_printf ("%" G_GUINT64_FORMAT, problem->where);
      g_autofree char *file = lc_format_text (problem->file), *detail = lc_format_text (problem->detail);

      g_string_append_printf (text, "%s: %s", file, problem->description);
      g_string_append_printf (text, problem->is_line ? _ (" (line %s)") : _ (" (byte %s)"), where);
      if (problem->detail != NULL)
        g_string_append_printf (text, ": %s", detail);
      if (problem->count > 1)
        g_string_append_printf (text, _ ("; %s times"), count);
      g_string_append_c (text, '\n');
    }
}

/* A process that was killed in the operation that another one waits for, or that hangs in it, explains the missing
 * event. */
static void
tell_ended_in (const LcFindings *findings, GString *text, const LcSweepProblem *problem)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint32 i = 0; i < lc_trace_get_n_processes (findings->trace); i++)
    if (lc_sweep_problem_ends_in (problem, findings->trace, i))
      {
        guint32 stack = lc_trace_get_process (findings->trace, i)->pending.stack;
        g_autofree char *where = lc_event_sites_describe_stack (findings->sites, stack);

        g_string_append_printf (names, "%s%s%s", names->len > 0 ? ", " : "", visible_process (findings, i), where);
      }
  if (names->len > 0)
    g_string_append_printf (text, _ ("; in it ends what was recorded of %s"), names->str);
}

static void
tell_unmatched (const LcFindings *findings, GString *text, const LcSweepProblem *problem)
{
  g_autofree char *wanted = g_strdup_printf ("%" G_GINT64_FORMAT, problem->wants_sequence);
  g_autofree char *there = lc_format_count (problem->there), *needed = lc_format_count (problem->needed);

  if (problem->there == 0)
    g_string_append_printf (text, _ ("waits for %s number %s, which is nowhere"),
                            visible_operation (findings, problem->wants), wanted);
  else
    g_string_append_printf (text, _ ("waits for %s number %s, of which %s of %s are there"),
                            visible_operation (findings, problem->wants), wanted, there, needed);
  tell_ended_in (findings, text, problem);
  g_string_append_c (text, '\n');
}

static void
findings_tell_event (const LcFindings *findings, GString *text, const LcSweepProblem *problem)
{
  g_autofree char *object = visible_object (findings, problem->object);
  g_autofree char *ordinal = findings_name_event (findings, problem->process, problem->ordinal);
  g_autofree char *sequence = g_strdup_printf ("%" G_GINT64_FORMAT, problem->sequence);
  g_autofree char *wanted = g_strdup_printf ("%" G_GINT64_FORMAT, problem->wants_sequence);

  if (problem->trouble == LC_SWEEP_LEFT)
    g_string_append (text, _ ("note: "));
  g_string_append_printf (text, _ ("%s, event %s: %s of %s, number %s, "), visible_process (findings, problem->process),
                          ordinal, visible_operation (findings, problem->operation), object, sequence);
  switch (problem->trouble)
    {
    case LC_SWEEP_UNMATCHED:
      tell_unmatched (findings, text, problem);
      break;
    case LC_SWEEP_CYCLE:
      g_string_append_printf (text, _ ("waits for %s number %s of %s, which comes after something that waits too\n"),
                              visible_operation (findings, problem->wants), wanted,
                              visible_process (findings, problem->cycle));
      break;
    case LC_SWEEP_LEFT:
      g_string_append_printf (text, _ ("was taken by nobody: %s number %s is nowhere\n"),
                              visible_operation (findings, problem->wants), wanted);
      break;
    case LC_SWEEP_BACKWARDS:
    default:
      g_string_append (text, _ ("ends before what it waited for: the clocks disagree\n"));
      break;
    }
}

/* Gives " (its event 12 in put() pipe.cpp:7)": by which the process that this one waits for got the object; or "". */
static char *
findings_describe_holding (const LcFindings *findings, guint32 process)
{
  for (guint i = 0; i < findings->deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (findings->deadlocks->blocked, LcBlocked, i);
      g_autofree char *event = NULL;

      if (blocked->process != process || blocked->holder == LC_TRACE_NONE)
        continue;
      event = findings_name_event (findings, blocked->holder, blocked->holder_ordinal);
      return g_strdup_printf (_ (" (its event %s)"), event);
    }
  return g_strdup ("");
}

static void
tell_circle (const LcFindings *findings, GString *text, const GArray *circle)
{
  g_string_append (text, _ ("deadlock:\n"));
  for (guint i = 0; i < circle->len; i++)
    {
      guint32 process = g_array_index (circle, guint32, i);
      const LcTracePending *pending = &lc_trace_get_process (findings->trace, process)->pending;
      g_autofree char *object = visible_object (findings, pending->object);
      g_autofree char *since = lc_format_duration (pending->begin);
      g_autofree char *where = lc_event_sites_describe_stack (findings->sites, pending->stack);
      g_autofree char *holding = findings_describe_holding (findings, process);

      g_string_append_printf (
          text, _ ("  %s waits since %s%s for %s of %s, which %s holds%s\n"), visible_process (findings, process),
          since, where, visible_operation (findings, pending->operation), object,
          visible_process (findings, g_array_index (circle, guint32, (i + 1) % circle->len)), holding);
    }
}

static void
tell_early_read (const LcFindings *findings, GString *text, const LcEarlyRead *read)
{
  g_autofree char *object = visible_object (findings, read->object), *count = lc_format_count (read->count);
  g_autofree char *ordinal = findings_name_event (findings, read->process, read->ordinal);
  g_autofree char *sequence = g_strdup_printf ("%" G_GINT64_FORMAT, read->sequence);
  g_autofree char *writer_ordinal = findings_name_event (findings, read->writer, read->writer_ordinal);

  g_string_append_printf (
      text, _ ("note: %s, event %s: %s of %s, number %s, before it is first filled by %s, event %s"),
      visible_process (findings, read->process), ordinal, visible_operation (findings, read->operation), object,
      sequence, visible_process (findings, read->writer), writer_ordinal);
  if (read->count > 1)
    g_string_append_printf (text, _ ("; %s times"), count);
  g_string_append_c (text, '\n');
}

static void
tell_clocks (const LcFindings *findings, GString *text)
{
  g_autoptr (GArray) hosts = lc_clocks_list (lc_trace_get_path (findings->trace));

  for (guint i = 0; i < hosts->len; i++)
    {
      const LcHostCorrection *host = &g_array_index (hosts, LcHostCorrection, i);
      g_autofree char *line = lc_clock_line (host), *name = lc_format_text (host->host);

      g_string_append_printf (text, _ ("note: the clock of %s: %s\n"), name, line);
    }
}

/* What is not there on purpose: with it goes what other events wait for. */
static void
tell_gaps (const LcFindings *findings, GString *text)
{
  gsize n_gaps;
  const LcTraceGap *all = lc_trace_get_gaps (findings->trace, &n_gaps);
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof *all);
  g_autofree char *described = NULL;
  g_auto (GStrv) lines = NULL;

  g_array_append_vals (gaps, all, (guint)n_gaps);
  described = lc_gaps_describe (gaps, "\n");
  lines = g_strsplit (described != NULL ? described : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (text, "%s%s\n", _ ("note: "), lines[i]);
}

/* No fault of the trace: a thread may well sleep, or wait for input. But what is told of it is not all of it. */
static void
tell_unseen (const LcFindings *findings, GString *text)
{
  const char *library = lc_unseen_get_library (findings->trace);

  for (guint i = 0; i < findings->unseen->len; i++)
    {
      const FindingUnseen *found = &g_array_index (findings->unseen, FindingUnseen, i);
      const LcTraceProcess *process = lc_trace_get_process (findings->trace, found->process);
      g_autofree char *waits = lc_format_count (found->unseen.waits);
      g_autofree char *time = lc_format_duration (found->unseen.time);
      g_autofree char *blocked = lc_format_duration (found->unseen.blocked);
      g_autofree char *life = lc_format_duration (process->end - process->begin);

      g_string_append_printf (text,
                              ngettext ("unseen: %s was blocked for %s of %s; no event explains %s of it, in at least "
                                        "%s wait",
                                        "unseen: %s was blocked for %s of %s; no event explains %s of it, in at least "
                                        "%s waits",
                                        found->unseen.waits),
                              visible_process (findings, found->process), blocked, life, time, waits);
      if (library != NULL)
        g_string_append_printf (text, _ (" (the program uses %s)"), library);
      g_string_append_c (text, '\n');
    }
}

static void
tell_circles (const LcFindings *findings, GString *text)
{
  for (guint i = 0; i < findings->deadlocks->circles->len; i++)
    tell_circle (findings, text, findings->deadlocks->circles->pdata[i]);
}

char *
lc_findings_deadlocks_to_text (const LcFindings *findings)
{
  GString *text = g_string_new (NULL);

  tell_circles (findings, text);
  return g_string_free (text, FALSE);
}

char *
lc_findings_to_text (const LcFindings *findings)
{
  GString *text = g_string_new (NULL);
  const LcSweepResult *swept = &findings->swept;
  guint64 told = swept->problems->len, all = swept->unmatched + swept->cycles + swept->backwards + swept->left;
  g_autofree char *lost = lc_lost_describe (&findings->lost), *more = lc_format_count (all - MIN (told, all));

  tell_files (findings, text);
  if (lost != NULL)
    g_string_append_printf (text, "%s\n", lost);
  for (guint i = 0; i < swept->problems->len; i++)
    findings_tell_event (findings, text, &g_array_index (swept->problems, LcSweepProblem, i));
  if (all > told)
    g_string_append_printf (text, _ ("and %s more\n"), more);
  tell_circles (findings, text);
  for (guint i = 0; i < findings->early->len; i++)
    tell_early_read (findings, text, &g_array_index (findings->early, LcEarlyRead, i));
  tell_clocks (findings, text);
  tell_gaps (findings, text);
  tell_unseen (findings, text);
  if (lc_findings_is_clean (findings))
    {
      g_autofree char *events = lc_format_count (swept->events), *arcs = lc_format_count (swept->arcs);

      g_string_append_printf (text,
                              findings->unseen->len == 0 ? _ ("nothing is wrong: %s events, %s arcs\n")
                                                         : _ ("nothing else is wrong: %s events, %s arcs\n"),
                              events, arcs);
    }
  return g_string_free (text, FALSE);
}

/* --- For programs ------------------------------------------------------------------------------------------ */

static void
add_files (const LcFindings *findings, LcJson *json)
{
  static const char *const severities[] = {"note", "warning", "fault"};

  lc_json_begin_array (json, "problem");
  for (guint i = 0; i < findings->problems->len; i++)
    {
      const LcTraceProblem *problem = &g_array_index (findings->problems, LcTraceProblem, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "name", problem->name);
      lc_json_add_string (json, "severity", severities[problem->severity]);
      lc_json_add_string (json, "file", problem->file);
      lc_json_add_count (json, problem->is_line ? "line" : "byte", problem->where);
      lc_json_add_string (json, "detail", problem->detail);
      lc_json_add_count (json, "count", problem->count);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
findings_add_events (const LcFindings *findings, LcJson *json)
{
  static const char *const troubles[] = {"unmatched", "cycle", "backwards", "left"};

  lc_json_begin_array (json, "event");
  for (guint i = 0; i < findings->swept.problems->len; i++)
    {
      const LcSweepProblem *problem = &g_array_index (findings->swept.problems, LcSweepProblem, i);
      g_autofree char *object = object_name (findings, problem->object);

      lc_json_begin_object (json, NULL);
      lc_json_add_string (json, "trouble", troubles[problem->trouble]);
      lc_json_add_count (json, "process", problem->process);
      lc_json_add_count (json, "ordinal", problem->ordinal);
      lc_json_add_string (json, "operation", findings_operation_name (findings, problem->operation));
      lc_json_add_string (json, "object", object);
      lc_json_add_integer (json, "sequence", problem->sequence);
      lc_event_sites_add_json (findings->sites, json, "site", problem->process, problem->ordinal);
      if (problem->wants != LC_TRACE_NONE)
        {
          lc_json_add_string (json, "wants", findings_operation_name (findings, problem->wants));
          lc_json_add_integer (json, "wants_sequence", problem->wants_sequence);
          lc_json_add_integer (json, "there", (gint64)problem->there);
          lc_json_add_integer (json, "needed", (gint64)problem->needed);
        }
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
findings_add_blocked (const LcFindings *findings, LcJson *json)
{
  lc_json_begin_array (json, "pending");
  for (guint i = 0; i < findings->deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (findings->deadlocks->blocked, LcBlocked, i);
      g_autofree char *object = object_name (findings, blocked->pending.object);

      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "process", blocked->process);
      lc_json_add_string (json, "operation", findings_operation_name (findings, blocked->pending.operation));
      lc_json_add_string (json, "object", object);
      lc_json_add_count (json, "begin", blocked->pending.begin);
      lc_event_sites_add_stack_json (findings->sites, json, "site", blocked->pending.stack);
      if (blocked->holder != LC_TRACE_NONE)
        {
          lc_json_add_count (json, "holder", blocked->holder);
          lc_json_add_count (json, "holder_ordinal", blocked->holder_ordinal);
          lc_event_sites_add_json (findings->sites, json, "holder_site", blocked->holder, blocked->holder_ordinal);
        }
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
add_early_reads (const LcFindings *findings, LcJson *json)
{
  lc_json_begin_array (json, "early_read");
  for (guint i = 0; i < findings->early->len; i++)
    {
      const LcEarlyRead *read = &g_array_index (findings->early, LcEarlyRead, i);
      g_autofree char *object = object_name (findings, read->object);

      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "process", read->process);
      lc_json_add_count (json, "ordinal", read->ordinal);
      lc_json_add_string (json, "operation", findings_operation_name (findings, read->operation));
      lc_json_add_string (json, "object", object);
      lc_json_add_integer (json, "sequence", read->sequence);
      lc_json_add_count (json, "count", read->count);
      lc_json_add_count (json, "writer", read->writer);
      lc_json_add_count (json, "writer_ordinal", read->writer_ordinal);
      lc_event_sites_add_json (findings->sites, json, "site", read->process, read->ordinal);
      lc_event_sites_add_json (findings->sites, json, "writer_site", read->writer, read->writer_ordinal);
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

static void
findings_add_unseen (const LcFindings *findings, LcJson *json)
{
  lc_json_begin_array (json, "unseen");
  for (guint i = 0; i < findings->unseen->len; i++)
    {
      const FindingUnseen *found = &g_array_index (findings->unseen, FindingUnseen, i);

      lc_json_begin_object (json, NULL);
      lc_json_add_count (json, "process", found->process);
      lc_json_add_count (json, "blocked", found->unseen.blocked);
      lc_json_add_count (json, "unseen", found->unseen.time);
      lc_json_add_count (json, "unseen_waits", found->unseen.waits);
      lc_json_add_string (json, "library", lc_unseen_get_library (findings->trace));
      lc_json_end_object (json);
    }
  lc_json_end_array (json);
}

char *
lc_findings_to_json (const LcFindings *findings)
{
  LcJson json = LC_JSON_INIT ();
  gsize n_gaps;
  const LcTraceGap *gaps = lc_trace_get_gaps (findings->trace, &n_gaps);

  lc_json_begin_object (&json, NULL);
  lc_json_add_boolean (&json, "clean", lc_findings_is_clean (findings));
  lc_json_add_count (&json, "events", findings->swept.events);
  lc_json_add_count (&json, "arcs", findings->swept.arcs);
  lc_json_add_count (&json, "lost", findings->lost.n);
  lc_json_begin_object (&json, "lost_by_reason");
  lc_lost_add_reasons (&json, &findings->lost);
  lc_json_end_object (&json);
  lc_lost_add_gaps (&json, gaps, n_gaps);
  lc_json_add_count (&json, "unmatched", findings->swept.unmatched);
  lc_json_add_count (&json, "cycles", findings->swept.cycles);
  lc_json_add_count (&json, "backwards", findings->swept.backwards);
  lc_json_add_count (&json, "left", findings->swept.left);
  add_files (findings, &json);
  findings_add_events (findings, &json);
  findings_add_blocked (findings, &json);
  add_early_reads (findings, &json);
  findings_add_unseen (findings, &json);
  lc_clock_lines_to_json (lc_trace_get_path (findings->trace), &json);
  lc_json_begin_array (&json, "deadlock");
  for (guint i = 0; i < findings->deadlocks->circles->len; i++)
    {
      const GArray *circle = findings->deadlocks->circles->pdata[i];

      lc_json_begin_array (&json, NULL);
      for (guint j = 0; j < circle->len; j++)
        lc_json_add_count (&json, NULL, g_array_index (circle, guint32, j));
      lc_json_end_array (&json);
    }
  lc_json_end_array (&json);
  lc_json_end_object (&json);
  return lc_json_finish (&json);
}
