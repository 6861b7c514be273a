/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the small tables. All of it depends on the trace alone: another merge of it writes the same. */
#include "describe.h"

#include <string.h>

#include "describe-places.h"
#include "lightcone/recording.h"
#include "lightcone/unseen.h"
#include "store.h"
#include "trace/gaps.h"
#include "trace/loss.h"

typedef struct
{
  LcDatabase *database;
  const LcDescription *from;
  LcTrace *trace;
  const GPtrArray *processes; /* their names */
  const GPtrArray *objects;
  GError **error;
} Describer;

/* Binds a number, or null if the value is `none`. */
static void
bind_number (LcStatement *statement, int at, guint64 value, guint64 none)
{
  if (value == none)
    lc_statement_bind_null (statement, at);
  else
    lc_statement_bind_int (statement, at, (gint64)value);
}

static const char *
describe_operation_name (const Describer *describer, guint32 operation)
{
  const LcTraceOperation *found = operation < lc_trace_get_n_operations (describer->trace)
                                      ? lc_trace_get_operation (describer->trace, operation)
                                      : NULL;

  return found != NULL ? found->name : NULL;
}

static LcStatement *
describe_prepare (const Describer *describer, const char *sql)
{
  return lc_database_prepare (describer->database, sql, NULL, describer->error);
}

/* --- Processes ------------------------------------------------------------------------------------------------- */

static const char *
describe_state_name (enum lc_state state)
{
  return state == LC_STATE_ENDED ? "ended" : state == LC_STATE_CUT ? "cut" : "running";
}

static void
bind_pending (const Describer *describer, LcStatement *statement, int at, const LcTracePending *pending)
{
  const char *name = describe_operation_name (describer, pending->operation);

  lc_statement_bind_text (statement, at, name);
  bind_number (statement, at + 1, name != NULL ? pending->object : LC_TRACE_NONE, LC_TRACE_NONE);
  if (name != NULL && pending->has_sequence)
    lc_statement_bind_int (statement, at + 2, pending->sequence);
  else
    lc_statement_bind_null (statement, at + 2);
  bind_number (statement, at + 3, name != NULL ? pending->begin : G_MAXUINT64, G_MAXUINT64);
}

/* FALSE: not known. */
static gboolean
describe_find_unseen (const Describer *describer, guint32 process, LcUnseen *unseen)
{
  const LcExplained explained = lc_totals_get_explained (lc_writer_get_totals (describer->from->writer), process);

  return lc_unseen_find (lc_trace_get_process (describer->trace, process), &explained, unseen);
}

static void
bind_account (const Describer *describer, LcStatement *statement, int at, guint32 id)
{
  const LcTraceProcess *process = lc_trace_get_process (describer->trace, id);
  const LcTraceAccount *account = &process->account;
  LcUnseen unseen;
  gboolean known = describe_find_unseen (describer, id, &unseen);

  lc_statement_bind_int (statement, at, process->is_followed);
  bind_number (statement, at + 1, account->running, LC_TRACE_UNKNOWN);
  bind_number (statement, at + 2, account->runnable, LC_TRACE_UNKNOWN);
  bind_number (statement, at + 3, account->blocked, LC_TRACE_UNKNOWN);
  bind_number (statement, at + 4, account->voluntary, LC_TRACE_UNKNOWN);
  bind_number (statement, at + 5, account->involuntary, LC_TRACE_UNKNOWN);
  bind_number (statement, at + 6, known ? unseen.time : LC_TRACE_UNKNOWN, LC_TRACE_UNKNOWN);
  bind_number (statement, at + 7, known ? unseen.waits : LC_TRACE_UNKNOWN, LC_TRACE_UNKNOWN);
}

static gboolean
describe_add_process (const Describer *describer, LcStatement *statement, guint32 id)
{
  static const LcTracePending nothing = {.operation = LC_TRACE_NONE, .stack = LC_TRACE_NONE};
  const LcTraceProcess *process = lc_trace_get_process (describer->trace, id);
  const LcWriterProcess *seen = lc_writer_get_process (describer->from->writer, id);
  const LcTracePending *pending = describer->from->swept->cut ? &nothing : &process->pending;
  g_autoptr (LcAbsences) absences = lc_trace_open_absences (describer->trace, id, NULL);

  lc_statement_bind_int (statement, 1, id);
  lc_statement_bind_text (statement, 2, describer->processes->pdata[id]);
  bind_number (statement, 3, process->parent, LC_TRACE_NONE);
  lc_statement_bind_text (statement, 4, process->host);
  bind_number (statement, 5, process->pid, 0);
  bind_number (statement, 6, process->thread, 0);
  lc_statement_bind_int (statement, 7, (gint64)seen->events);
  bind_number (statement, 8, seen->events > 0 ? seen->begin : G_MAXUINT64, G_MAXUINT64);
  bind_number (statement, 9, seen->events > 0 ? seen->end : G_MAXUINT64, G_MAXUINT64);
  lc_statement_bind_int (statement, 10, (gint64)seen->layers);
  bind_number (statement, 11, process->instance, LC_TRACE_NONE);
  lc_statement_bind_text (statement, 12, process->file);
  lc_statement_bind_text (statement, 13, describe_state_name (process->state));
  lc_statement_bind_int (statement, 14, (gint64)process->n_lost);
  bind_number (statement, 15, process->rank, LC_TRACE_NONE);
  bind_pending (describer, statement, 16, pending);
  bind_number (statement, 20, process->start, LC_TRACE_NONE);
  bind_account (describer, statement, 21, id);
  lc_statement_bind_int (statement, 29, absences != NULL);
  bind_number (statement, 30, pending->stack, LC_TRACE_NONE);
  if (pending->operation != LC_TRACE_NONE)
    lc_statement_bind_int (statement, 31, pending->is_unlimited);
  else
    lc_statement_bind_null (statement, 31);
  return lc_statement_run (statement, describer->error);
}

static gboolean
describe_add_processes (const Describer *describer)
{
  LcStatement *statement = describe_prepare (
      describer,
      "INSERT INTO process (id, name, parent, host, pid, thread, events, begin, \"end\", layers,"
      " instance, file, state, lost, rank, pending_operation, pending_object,"
      " pending_sequence, pending_begin, start, followed, running, runnable, blocked, switches,"
      " preemptions, unseen, unseen_waits, scheduled, pending_stack, pending_unlimited) VALUES (?1, ?2, ?3, ?4, ?5, "
      "?6, ?7, "
      "?8, ?9, ?10, ?11,"
      " ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31)");
  gboolean good = statement != NULL;

  for (guint32 i = 0; good && i < lc_trace_get_n_processes (describer->trace); i++)
    good = describe_add_process (describer, statement, i);
  lc_statement_free (statement);
  return good;
}

/* --- Objects and operations -------------------------------------------------------------------------------------- */

static gboolean
describe_add_object (const Describer *describer, LcStatement *statement, guint32 id)
{
  const LcObjectTotal *total = lc_totals_get_object (lc_writer_get_totals (describer->from->writer), id);
  LcTraceObject object;

  lc_trace_get_object (describer->trace, id, &object);
  lc_statement_bind_int (statement, 1, id);
  lc_statement_bind_text (statement, 2, describer->objects->pdata[id]);
  lc_statement_bind_text (statement, 3, object.class_name);
  bind_number (statement, 4, object.process, LC_TRACE_NONE);
  bind_number (statement, 5, object.instance, LC_TRACE_NONE);
  bind_number (statement, 6, object.address, 0);
  lc_statement_bind_int (statement, 7, (gint64)object.value);
  lc_statement_bind_int (statement, 8, (gint64)total->events);
  lc_statement_bind_int (statement, 9, (gint64)total->waited);
  lc_statement_bind_int (statement, 10, (gint64)total->held);
  bind_number (statement, 11, object.stack, LC_TRACE_NONE);
  return lc_statement_run (statement, describer->error);
}

static gboolean
describe_add_objects (const Describer *describer)
{
  LcStatement *statement = describe_prepare (
      describer, "INSERT INTO object (id, name, class, process, instance, address, value, events, waited,"
                 " held, stack) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
  gboolean good = statement != NULL;

  for (guint32 i = 0; good && i < lc_trace_get_n_objects (describer->trace); i++)
    good = describe_add_object (describer, statement, i);
  lc_statement_free (statement);
  return good;
}

/* The rules may know the class of a user's own operation that the trace does not tell. */
static gboolean
describe_add_operations (const Describer *describer)
{
  LcStatement *statement = describe_prepare (describer, "INSERT INTO operation (id, name, class) VALUES (?1, ?2, ?3)");
  gboolean good = statement != NULL;

  for (guint32 i = 0; good && i < lc_trace_get_n_operations (describer->trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (describer->trace, i);
      const LcOperationRule *rule;

      if (operation == NULL)
        continue;
      rule = lc_rules_get_operation (describer->from->rules, operation->name);
      lc_statement_bind_int (statement, 1, i);
      lc_statement_bind_text (statement, 2, operation->name);
      lc_statement_bind_text (statement, 3,
                              operation->class_name == NULL && rule != NULL ? rule->class_name : operation->class_name);
      good = lc_statement_run (statement, describer->error);
    }
  lc_statement_free (statement);
  return good;
}

gboolean
lc_describe_totals (LcDatabase *database, const LcTotals *totals, GError **error)
{
  g_autoptr (GArray) operations = lc_totals_list_operations (totals);
  LcStatement *statement =
      lc_database_prepare (database,
                           "INSERT INTO operation_total (timeline, process, operation, events, time, waited, longest)"
                           " VALUES (0, ?1, ?2, ?3, ?4, ?5, ?6)",
                           NULL, error);
  gboolean good = statement != NULL;

  for (guint i = 0; good && i < operations->len; i++)
    {
      const LcOperationTotal *total = &g_array_index (operations, LcOperationTotal, i);

      lc_statement_bind_int (statement, 1, total->process);
      lc_statement_bind_int (statement, 2, total->operation);
      lc_statement_bind_int (statement, 3, (gint64)total->events);
      lc_statement_bind_int (statement, 4, (gint64)total->time);
      lc_statement_bind_int (statement, 5, (gint64)total->waited);
      lc_statement_bind_int (statement, 6, (gint64)total->longest);
      good = lc_statement_run (statement, error);
    }
  lc_statement_free (statement);
  return good;
}

/* --- Rules ----------------------------------------------------------------------------------------------------- */

static gboolean
add_arc_rules (const Describer *describer)
{
  const GPtrArray *arcs = lc_rules_get_arcs (describer->from->rules);
  LcStatement *statement = describe_prepare (
      describer, "INSERT INTO arc_rule (id, name, class, from_operation, from_point, to_operation, step, kind)"
                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
  gboolean good = statement != NULL;

  for (guint i = 0; good && i < arcs->len; i++)
    {
      const LcArcRule *rule = arcs->pdata[i];

      lc_statement_bind_int (statement, 1, i);
      lc_statement_bind_text (statement, 2, rule->name);
      lc_statement_bind_text (statement, 3, rule->class_name);
      lc_statement_bind_text (statement, 4, rule->from);
      lc_statement_bind_text (statement, 5, rule->from_point == LC_POINT_BEGIN ? "begin" : "end");
      lc_statement_bind_text (statement, 6, rule->to);
      lc_statement_bind_int (statement, 7, rule->step);
      lc_statement_bind_text (statement, 8, rule->kind == LC_ARC_DATA ? "data" : "order");
      good = lc_statement_run (statement, describer->error);
    }
  lc_statement_free (statement);
  return good;
}

static gboolean
describe_add_holding (const Describer *describer)
{
  const GPtrArray *classes = lc_rules_get_classes (describer->from->rules);
  LcStatement *statement = describe_prepare (
      describer, "INSERT OR IGNORE INTO holding (class, from_operation, to_operation) VALUES (?1, ?2, ?3)");
  gboolean good = statement != NULL;

  for (guint i = 0; good && i < classes->len; i++)
    {
      const LcClassRule *rule = classes->pdata[i];

      for (gsize j = 0; good && rule->holding != NULL && rule->holding[j] != NULL && rule->holding[j + 1] != NULL;
           j += 2)
        {
          lc_statement_bind_text (statement, 1, rule->name);
          lc_statement_bind_text (statement, 2, rule->holding[j]);
          lc_statement_bind_text (statement, 3, rule->holding[j + 1]);
          good = lc_statement_run (statement, describer->error);
        }
    }
  lc_statement_free (statement);
  return good;
}

static gboolean
add_phase_rules (const Describer *describer)
{
  static const char *const numbers[] = {
      [LC_PHASE_SEQUENCE] = "sequence", [LC_PHASE_VALUE] = "value", [LC_PHASE_COUNT] = "count"};
  const GPtrArray *phases = lc_rules_get_phases (describer->from->rules);
  LcStatement *statement =
      describe_prepare (describer, "INSERT INTO phase_rule (id, name, class, operation, object, number,"
                                   " point) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  gboolean good = statement != NULL;

  for (guint i = 0; good && i < phases->len; i++)
    {
      const LcPhaseRule *rule = phases->pdata[i];

      lc_statement_bind_int (statement, 1, i);
      lc_statement_bind_text (statement, 2, rule->name);
      lc_statement_bind_text (statement, 3, rule->class_name);
      lc_statement_bind_text (statement, 4, rule->operation);
      lc_statement_bind_text (statement, 5, rule->object);
      lc_statement_bind_text (statement, 6, numbers[rule->number]);
      lc_statement_bind_text (statement, 7, rule->point == LC_POINT_BEGIN ? "begin" : "end");
      good = lc_statement_run (statement, describer->error);
    }
  lc_statement_free (statement);
  return good;
}

/* --- Problems -------------------------------------------------------------------------------------------------- */

/* The columns of the table `problem` in the order of its INSERT, from 1 on. */
enum
{
  PROBLEM_KIND = 1,
  PROBLEM_SEVERITY,
  PROBLEM_COUNT,
  PROBLEM_FILE,
  PROBLEM_LINE,
  PROBLEM_BYTE,
  PROBLEM_PROCESS,
  PROBLEM_ORDINAL,
  PROBLEM_OPERATION,
  PROBLEM_OBJECT,
  PROBLEM_SEQUENCE,
  PROBLEM_WANTS,
  PROBLEM_WANTS_SEQUENCE,
  PROBLEM_THERE,
  PROBLEM_NEEDED,
  PROBLEM_OTHER_PROCESS,
  PROBLEM_OTHER_ORDINAL,
  PROBLEM_DESCRIPTION,
  PROBLEM_DETAIL,
  PROBLEM_COLUMNS = PROBLEM_DETAIL,
};

/* What a kind of problem is, for all of its kind. */
typedef struct
{
  const char *name, *severity, *description;
} ProblemKind;

static const ProblemKind trouble_kinds[] = {
    [LC_SWEEP_UNMATCHED] = {"unmatched", "fault", "what the event waits for is missing"},
    [LC_SWEEP_CYCLE] = {"cycle", "fault", "the event waits for something that waits for it"},
    [LC_SWEEP_BACKWARDS] = {"backwards", "warning", "the event ends before what it waited for: the clocks disagree"},
    [LC_SWEEP_LEFT] = {"left", "note", "nobody took what the event gave"},
};
static const ProblemKind early_kind = {"early-read", "note", "the event reads what is first written later"};
static const ProblemKind mismatch_kind = {"mismatch", "fault", "another member carries out another operation"};
static const ProblemKind unseen_kind = {"unseen", "note", "a process was blocked, and no event explains it"};

static void
problem_bind_kind (LcStatement *statement, const ProblemKind *kind, guint64 count, const char *file)
{
  for (int at = 1; at <= PROBLEM_COLUMNS; at++)
    lc_statement_bind_null (statement, at);
  lc_statement_bind_text (statement, PROBLEM_KIND, kind->name);
  lc_statement_bind_text (statement, PROBLEM_SEVERITY, kind->severity);
  lc_statement_bind_int (statement, PROBLEM_COUNT, (gint64)count);
  lc_statement_bind_text (statement, PROBLEM_FILE, file);
  lc_statement_bind_text (statement, PROBLEM_DESCRIPTION, kind->description);
}

static const char *
problem_find_file (const Describer *describer, guint32 process)
{
  return lc_trace_get_process (describer->trace, process)->file;
}

static void
problem_bind_event (const Describer *describer, LcStatement *statement, guint32 process, guint64 ordinal,
                    guint32 operation)
{
  lc_statement_bind_int (statement, PROBLEM_PROCESS, process);
  lc_statement_bind_int (statement, PROBLEM_ORDINAL, (gint64)ordinal);
  lc_statement_bind_text (statement, PROBLEM_OPERATION, describe_operation_name (describer, operation));
}

static gboolean
add_problem (const Describer *describer, LcStatement *statement, const LcTraceProblem *problem)
{
  static const char *const severities[] = {
      [LC_TRACE_NOTE] = "note", [LC_TRACE_WARNING] = "warning", [LC_TRACE_FAULT] = "fault"};
  const ProblemKind kind = {problem->name, severities[problem->severity], problem->description};

  problem_bind_kind (statement, &kind, problem->count, problem->file);
  lc_statement_bind_int (statement, problem->is_line ? PROBLEM_LINE : PROBLEM_BYTE, (gint64)problem->where);
  lc_statement_bind_text (statement, PROBLEM_DETAIL, problem->detail);
  return lc_statement_run (statement, describer->error);
}

static gboolean
add_event_problem (const Describer *describer, LcStatement *statement, const LcSweepProblem *problem)
{
  const char *wants = describe_operation_name (describer, problem->wants);

  problem_bind_kind (statement, &trouble_kinds[problem->trouble], 1, problem_find_file (describer, problem->process));
  problem_bind_event (describer, statement, problem->process, problem->ordinal, problem->operation);
  bind_number (statement, PROBLEM_OBJECT, problem->object, LC_TRACE_NONE);
  lc_statement_bind_int (statement, PROBLEM_SEQUENCE, problem->sequence);
  bind_number (statement, PROBLEM_OTHER_PROCESS, problem->cycle, LC_TRACE_NONE);
  if (wants != NULL)
    {
      lc_statement_bind_text (statement, PROBLEM_WANTS, wants);
      lc_statement_bind_int (statement, PROBLEM_WANTS_SEQUENCE, problem->wants_sequence);
      lc_statement_bind_int (statement, PROBLEM_THERE, (gint64)problem->there);
      lc_statement_bind_int (statement, PROBLEM_NEEDED, (gint64)problem->needed);
    }
  return lc_statement_run (statement, describer->error);
}

static gboolean
add_early_read (const Describer *describer, LcStatement *statement, const LcEarlyRead *read)
{
  problem_bind_kind (statement, &early_kind, read->count, problem_find_file (describer, read->process));
  problem_bind_event (describer, statement, read->process, read->ordinal, read->operation);
  lc_statement_bind_int (statement, PROBLEM_OBJECT, read->object);
  lc_statement_bind_int (statement, PROBLEM_SEQUENCE, read->sequence);
  lc_statement_bind_int (statement, PROBLEM_OTHER_PROCESS, read->writer);
  lc_statement_bind_int (statement, PROBLEM_OTHER_ORDINAL, (gint64)read->writer_ordinal);
  return lc_statement_run (statement, describer->error);
}

static gboolean
describe_add_mismatch (const Describer *describer, LcStatement *statement, const LcMismatch *mismatch)
{
  problem_bind_kind (statement, &mismatch_kind, mismatch->count, problem_find_file (describer, mismatch->process));
  problem_bind_event (describer, statement, mismatch->process, mismatch->ordinal, mismatch->operation);
  lc_statement_bind_int (statement, PROBLEM_OBJECT, mismatch->object);
  lc_statement_bind_int (statement, PROBLEM_SEQUENCE, mismatch->sequence);
  lc_statement_bind_int (statement, PROBLEM_OTHER_PROCESS, mismatch->other);
  lc_statement_bind_int (statement, PROBLEM_OTHER_ORDINAL, (gint64)mismatch->other_ordinal);
  lc_statement_bind_text (statement, PROBLEM_WANTS, describe_operation_name (describer, mismatch->other_operation));
  lc_statement_bind_int (statement, PROBLEM_WANTS_SEQUENCE, mismatch->sequence);
  lc_statement_bind_int (statement, PROBLEM_THERE, 0);
  lc_statement_bind_int (statement, PROBLEM_NEEDED, 0);
  return lc_statement_run (statement, describer->error);
}

/* The sweep lists only the first problems of a kind; the others are counted in one row. */
static gboolean
add_untold (const Describer *describer, LcStatement *statement, LcSweepTrouble trouble, guint64 count)
{
  const GArray *told = describer->from->swept->problems;

  for (guint i = 0; i < told->len; i++)
    count -= g_array_index (told, LcSweepProblem, i).trouble == trouble;
  if (count == 0)
    return TRUE;
  problem_bind_kind (statement, &trouble_kinds[trouble], count, NULL);
  lc_statement_bind_text (statement, PROBLEM_DETAIL, "further ones, not told one by one");
  return lc_statement_run (statement, describer->error);
}

/* Waiting that was not recorded is no fault of the trace, but what is told of such a process is not all of it. */
static gboolean
add_unseen (const Describer *describer, LcStatement *statement, guint32 id)
{
  const LcTraceProcess *process = lc_trace_get_process (describer->trace, id);
  LcUnseen unseen;

  if (!describe_find_unseen (describer, id, &unseen) || !lc_unseen_matters (process, &unseen))
    return TRUE;
  problem_bind_kind (statement, &unseen_kind, 1, process->file);
  lc_statement_bind_int (statement, PROBLEM_PROCESS, id);
  lc_statement_bind_text (statement, PROBLEM_DETAIL, lc_unseen_get_library (describer->trace));
  return lc_statement_run (statement, describer->error);
}

static gboolean
add_problems (const Describer *describer, guint64 *n_problems)
{
  const LcSweepResult *swept = describer->from->swept;
  g_autoptr (GArray) problems = lc_trace_list_problems (describer->trace);
  LcStatement *statement = describe_prepare (
      describer,
      "INSERT INTO problem (kind, severity, count, file, line, byte, process, ordinal, operation, object, sequence,"
      " wants, wants_sequence, there, needed, other_process, other_ordinal, description, detail)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)");
  gboolean good = statement != NULL;

  *n_problems = swept->unmatched + swept->cycles + swept->backwards;
  for (guint i = 0; good && i < problems->len; i++)
    {
      const LcTraceProblem *problem = &g_array_index (problems, LcTraceProblem, i);

      *n_problems += problem->severity != LC_TRACE_NOTE ? problem->count : 0;
      good = add_problem (describer, statement, problem);
    }
  for (guint i = 0; good && i < swept->problems->len; i++)
    good = add_event_problem (describer, statement, &g_array_index (swept->problems, LcSweepProblem, i));
  good = good && add_untold (describer, statement, LC_SWEEP_UNMATCHED, swept->unmatched) &&
         add_untold (describer, statement, LC_SWEEP_CYCLE, swept->cycles) &&
         add_untold (describer, statement, LC_SWEEP_BACKWARDS, swept->backwards) &&
         add_untold (describer, statement, LC_SWEEP_LEFT, swept->left);
  for (guint32 i = 0; good && i < lc_trace_get_n_processes (describer->trace); i++)
    good = add_unseen (describer, statement, i);
  for (guint i = 0; good && i < describer->from->early->len; i++)
    good = add_early_read (describer, statement, &g_array_index (describer->from->early, LcEarlyRead, i));
  for (guint i = 0; good && i < describer->from->mismatches->len; i++)
    {
      const LcMismatch *mismatch = &g_array_index (describer->from->mismatches, LcMismatch, i);

      *n_problems += mismatch->count;
      good = describe_add_mismatch (describer, statement, mismatch);
    }
  lc_statement_free (statement);
  return good;
}

/* --- meta ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  const Describer *describer;
  LcStatement *statement;
  gboolean good;
} Meta;

static void
describe_put (Meta *meta, const char *key)
{
  lc_statement_bind_text (meta->statement, 1, key);
  meta->good = lc_statement_run (meta->statement, meta->describer->error);
}

static void
describe_put_text (Meta *meta, const char *key, const char *value)
{
  if (!meta->good || value == NULL)
    return;
  lc_statement_bind_text (meta->statement, 2, value);
  describe_put (meta, key);
}

static void
put_number (Meta *meta, const char *key, guint64 value)
{
  if (!meta->good)
    return;
  lc_statement_bind_int (meta->statement, 2, (gint64)value);
  describe_put (meta, key);
}

static void
put_settings (Meta *meta)
{
  static const char *const keys[] = {"title", "command", "program", "host", "started",
                                     "ended", "state",   "status",  "clock"};
  GKeyFile *settings = lc_trace_get_settings (meta->describer->trace);

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *value = g_key_file_get_string (settings, "trace", keys[i], NULL);

      describe_put_text (meta, keys[i], value);
    }
}

static void
put_span (Meta *meta)
{
  const LcDescription *from = meta->describer->from;
  guint64 begin = G_MAXUINT64, end = 0;

  for (guint32 i = 0; i < lc_trace_get_n_processes (from->trace); i++)
    {
      const LcWriterProcess *seen = lc_writer_get_process (from->writer, i);

      if (seen->events == 0)
        continue;
      begin = MIN (begin, seen->begin);
      end = MAX (end, seen->end);
    }
  put_number (meta, "begin", MIN (begin, end));
  put_number (meta, "end", end);
}

static void
put_gaps (Meta *meta)
{
  gsize n_gaps;
  const LcTraceGap *gaps = lc_trace_get_gaps (meta->describer->trace, &n_gaps);
  g_autofree char *text = lc_gaps_to_text (gaps, n_gaps);

  describe_put_text (meta, "gaps", text);
}

static void
put_lost (Meta *meta)
{
  LcTraceLost lost;

  lc_trace_get_lost (meta->describer->trace, &lost);
  put_number (meta, "lost", lost.n);
  if (lost.apart > 0)
    put_number (meta, "lost_apart", lost.apart);
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    if (lost.by_reason[i] > 0 && lc_lost_is_named (i))
      {
        g_autofree char *key = g_strconcat ("lost_", lc_recording_lost_name (i), NULL);

        put_number (meta, key, lost.by_reason[i]);
      }
}

/* A file that the system did not let us open or read is not damaged: there was no memory, no descriptor or no
 * permission. A later merge may have better luck, so this history gets a fingerprint that never matches. */
static gboolean
is_any_file_unreadable (const Describer *describer)
{
  g_autoptr (GArray) problems = lc_trace_list_problems (describer->trace);

  for (guint i = 0; i < problems->len; i++)
    if (strcmp (g_array_index (problems, LcTraceProblem, i).name, "file-unreadable") == 0)
      return TRUE;
  return FALSE;
}

static void
put_fingerprint (Meta *meta)
{
  const char *fingerprint = meta->describer->from->fingerprint;
  g_autofree char *of_a_part = g_strconcat ("without all files of ", fingerprint, NULL);

  describe_put_text (meta, "fingerprint",
                     meta->describer->from->where->is_unread || is_any_file_unreadable (meta->describer) ? of_a_part
                                                                                                         : fingerprint);
}

static gboolean
add_meta (const Describer *describer, guint64 problems)
{
  const LcDescription *from = describer->from;
  Meta meta = {describer, describe_prepare (describer, "INSERT INTO meta (key, value) VALUES (?1, ?2)"), TRUE};

  meta.good = meta.statement != NULL;
  describe_put_text (&meta, "version", LC_VERSION);
  describe_put_text (&meta, "format", lc_trace_get_format (from->trace));
  describe_put_text (&meta, "rules", from->rules_checksum);
  put_fingerprint (&meta);
  if (from->names != NULL)
    {
      describe_put_text (&meta, "names_file", lc_given_names_get_path (from->names));
      describe_put_text (&meta, "names", lc_given_names_get_text (from->names));
    }
  put_number (&meta, "events", from->swept->events);
  put_number (&meta, "arcs", from->swept->arcs);
  put_number (&meta, "layers", from->swept->layers);
  put_number (&meta, "unmatched", from->swept->unmatched);
  put_number (&meta, "cycles", from->swept->cycles);
  put_number (&meta, "backwards", from->swept->backwards);
  put_number (&meta, "problems", problems);
  put_number (&meta, "frequency", lc_trace_get_frequency (from->trace));
  if (lc_trace_get_start (from->trace) != 0)
    put_number (&meta, "start", (guint64)lc_trace_get_start (from->trace));
  if (lc_trace_get_ready (from->trace) != 0)
    put_number (&meta, "ready", lc_trace_get_ready (from->trace));
  if (lc_trace_get_until (from->trace) != 0 && !from->swept->cut)
    put_number (&meta, "until", lc_trace_get_until (from->trace));
  put_span (&meta);
  put_gaps (&meta);
  put_lost (&meta);
  put_settings (&meta);
  lc_statement_free (meta.statement);
  return meta.good;
}

gboolean
lc_describe (LcDatabase *database, const LcDescription *description, guint64 *problems, GError **error)
{
  g_autoptr (GPtrArray) processes = lc_describe_name_processes (description->trace, description->where);
  g_autoptr (GPtrArray) objects = lc_describe_name_objects (description->trace, description->where, processes);
  const Describer describer = {database, description, description->trace, processes, objects, error};

  return lc_database_run (database, "INSERT INTO timeline (id, name) VALUES (0, 'measured')", error) &&
         describe_add_processes (&describer) && describe_add_objects (&describer) &&
         describe_add_operations (&describer) &&
         lc_describe_totals (database, lc_writer_get_totals (description->writer), error) &&
         lc_describe_places (database, description->trace, description->where, error) && add_arc_rules (&describer) &&
         describe_add_holding (&describer) && add_phase_rules (&describer) && add_problems (&describer, problems) &&
         add_meta (&describer, *problems);
}
