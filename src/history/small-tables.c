/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the small tables of a history when it is opened. */
#include <string.h>

#include "column.h"
#include "reader.h"
#include "trace/gaps.h"

enum
{
  OBJECTS_TRIED = 64,
};

/* Called for each row; FALSE with an error stops. */
typedef gboolean (*ReadRow) (LcHistory *history, LcStatement *statement, GError **error);

static gboolean
small_tables_read_rows (LcHistory *history, LcDatabase *database, const char *sql, ReadRow read, GError **error)
{
  GError *own = NULL;
  LcStatement *statement = lc_database_prepare (database, sql, NULL, &own);
  LcStep step;

  if (statement == NULL)
    {
      lc_history_propagate_missing (history, error, own);
      return FALSE;
    }
  while ((step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    if (!read (history, statement, error))
      break;
  lc_statement_free (statement);
  return step == LC_STEP_DONE;
}

static const char *
small_tables_text (LcHistory *history, LcStatement *statement, int column)
{
  const char *value = lc_statement_text (statement, column);

  return value != NULL ? g_string_chunk_insert_const (history->texts, value) : NULL;
}

/* Reads a number; null is LC_TRACE_NONE. */
static guint32
small_tables_number (LcStatement *statement, int column)
{
  gint64 value = lc_statement_int (statement, column);

  return lc_statement_type (statement, column) == LC_VALUE_INT && value >= 0 && value < LC_TRACE_NONE ? (guint32)value
                                                                                                      : LC_TRACE_NONE;
}

/* Reads a count or a time, which must not be negative, and small enough for sums; null is 0. */
static guint64
small_tables_amount (LcStatement *statement, int column, gboolean *good)
{
  gint64 value = lc_statement_int (statement, column);

  if (lc_statement_type (statement, column) == LC_VALUE_NULL)
    return 0;
  if (lc_statement_type (statement, column) == LC_VALUE_INT && value >= 0 && (guint64)value <= LC_HISTORY_MOST)
    return (guint64)value;
  *good = FALSE;
  return 0;
}

static enum lc_state
state_of (const char *name)
{
  if (g_strcmp0 (name, "ended") == 0)
    return LC_STATE_ENDED;
  return g_strcmp0 (name, "cut") == 0 ? LC_STATE_CUT : LC_STATE_RUNNING;
}

static LcTracePending
pending_of (const LcHistory *history, LcStatement *statement, int column, gboolean *good)
{
  const char *operation = lc_statement_text (statement, column);
  LcTracePending pending = {
      .operation = LC_TRACE_NONE, .object = LC_TRACE_NONE, .stack = LC_TRACE_NONE, .cpu = LC_CPU_UNKNOWN};

  if (operation == NULL)
    return pending;
  pending.operation = lc_history_find_operation (history, operation);
  pending.object = small_tables_number (statement, column + 1);
  pending.has_sequence = lc_statement_type (statement, column + 2) == LC_VALUE_INT;
  pending.sequence = lc_statement_int (statement, column + 2);
  pending.begin = small_tables_amount (statement, column + 3, good);
  return pending;
}

/* Reads a number that may not be known. */
static guint64
small_tables_known (LcStatement *statement, int column, gboolean *good)
{
  if (lc_statement_type (statement, column) == LC_VALUE_NULL)
    return LC_TRACE_UNKNOWN;
  return small_tables_amount (statement, column, good);
}

static LcTraceAccount
account_of (LcStatement *statement, int column, gboolean *good)
{
  return (LcTraceAccount){.running = small_tables_known (statement, column, good),
                          .runnable = small_tables_known (statement, column + 1, good),
                          .blocked = small_tables_known (statement, column + 2, good),
                          .voluntary = small_tables_known (statement, column + 3, good),
                          .involuntary = small_tables_known (statement, column + 4, good)};
}

#define PROCESSES \
  "SELECT id, name, host, file, parent, pid, thread, instance, state, events, lost, begin, \"end\", layers, " \
  "pending_operation, pending_object, pending_sequence, pending_begin, rank, start, " \
  "followed, running, runnable, blocked, switches, preemptions, unseen, unseen_waits, scheduled, pending_stack, " \
  "pending_unlimited " \
  "FROM process ORDER BY id"

static gboolean
small_tables_read_process (LcHistory *history, LcStatement *statement, GError **error)
{
  gboolean good = TRUE;
  LcHistoryProcess process = {.id = small_tables_number (statement, 0),
                              .name = small_tables_text (history, statement, 1),
                              .host = small_tables_text (history, statement, 2),
                              .file = small_tables_text (history, statement, 3),
                              .parent = small_tables_number (statement, 4),
                              .pid = (guint32)lc_statement_int (statement, 5),
                              .thread = (guint32)lc_statement_int (statement, 6),
                              .instance = small_tables_number (statement, 7),
                              .rank = small_tables_number (statement, 18),
                              .start = small_tables_number (statement, 19),
                              .state = state_of (lc_statement_text (statement, 8)),
                              .events = small_tables_amount (statement, 9, &good),
                              .lost = small_tables_amount (statement, 10, &good),
                              .begin = small_tables_amount (statement, 11, &good),
                              .end = small_tables_amount (statement, 12, &good),
                              .layers = small_tables_amount (statement, 13, &good),
                              .pending = pending_of (history, statement, 14, &good),
                              .is_followed = lc_statement_int (statement, 20) != 0,
                              .account = account_of (statement, 21, &good),
                              .unseen = small_tables_known (statement, 26, &good),
                              .unseen_waits = small_tables_known (statement, 27, &good),
                              .is_scheduled = lc_statement_int (statement, 28) != 0};

  if (process.pending.operation != LC_TRACE_NONE)
    {
      process.pending.stack = small_tables_number (statement, 29);
      process.pending.is_unlimited = lc_statement_int (statement, 30) == 1;
    }
  if (process.id != history->processes->len || process.name == NULL)
    {
      lc_history_set_damaged (history, error, "process %u is missing", history->processes->len);
      return FALSE;
    }
  if (!good || process.end < process.begin || process.events > LC_HISTORY_MOST - history->n_events)
    {
      lc_history_set_damaged (history, error, "process %u has a number that cannot be", process.id);
      return FALSE;
    }
  if (process.events > 0)
    {
      history->begin = history->n_events == 0 ? process.begin : MIN (history->begin, process.begin);
      history->end = MAX (history->end, process.end);
      history->n_layers = MAX (history->n_layers, process.layers);
      history->n_events += process.events;
    }
  g_array_append_val (history->processes, process);
  return TRUE;
}

static gboolean
small_tables_read_operation (LcHistory *history, LcStatement *statement, GError **error)
{
  const LcHistoryOperation operation = {small_tables_text (history, statement, 1),
                                        small_tables_text (history, statement, 2)};
  guint32 id = small_tables_number (statement, 0);

  if (id > G_MAXUINT16 || id < history->operations->len || operation.name == NULL)
    {
      lc_history_set_damaged (history, error, "an operation has the number %u", id);
      return FALSE;
    }
  if (id >= history->operations->len)
    g_array_set_size (history->operations, id + 1);
  g_array_index (history->operations, LcHistoryOperation, id) = operation;
  return TRUE;
}

#define RULES "SELECT id, name, class, from_operation, from_point, to_operation, step, kind FROM arc_rule ORDER BY id"

static gboolean
small_tables_read_rule (LcHistory *history, LcStatement *statement, GError **error)
{
  const char *from = lc_statement_text (statement, 3), *to = lc_statement_text (statement, 5);
  LcReaderRule rule = {.rule = {.name = small_tables_text (history, statement, 1),
                                .class_name = small_tables_text (history, statement, 2)}};

  if (small_tables_number (statement, 0) != history->rules->len || rule.rule.name == NULL || from == NULL || to == NULL)
    {
      lc_history_set_damaged (history, error, "arc rule %u is missing", history->rules->len);
      return FALSE;
    }
  rule.rule.from_point = g_strcmp0 (lc_statement_text (statement, 4), "begin") == 0 ? LC_POINT_BEGIN : LC_POINT_END;
  rule.rule.kind = g_strcmp0 (lc_statement_text (statement, 7), "order") == 0 ? LC_ARC_ORDER : LC_ARC_DATA;
  rule.from = lc_history_find_operation (history, from);
  rule.to = lc_history_find_operation (history, to);
  rule.step = (int)lc_statement_int (statement, 6);
  g_array_append_val (history->rules, rule);
  return TRUE;
}

static gboolean
read_holding (LcHistory *history, LcStatement *statement, GError **error)
{
  const char *names[] = {lc_statement_text (statement, 0), lc_statement_text (statement, 1)};
  guint32 from = names[0] != NULL ? lc_history_find_operation (history, names[0]) : LC_TRACE_NONE;
  guint32 to = names[1] != NULL ? lc_history_find_operation (history, names[1]) : LC_TRACE_NONE;

  if (from == LC_TRACE_NONE || to == LC_TRACE_NONE)
    return TRUE;
  lc_holding_pairs_add (history->pairs, from, to);
  history->changes[from] = 1;
  history->changes[to] = -1;
  return TRUE;
}

/* Processes may name later processes as parents, and objects, so this is checked after all were read. */
static gboolean
check_processes (LcHistory *history, GError **error)
{
  for (guint32 i = 0; i < history->processes->len; i++)
    {
      const LcHistoryProcess *process = &g_array_index (history->processes, LcHistoryProcess, i);
      guint32 object = process->pending.object;

      if ((process->parent != LC_TRACE_NONE && process->parent >= history->processes->len) ||
          (object != LC_TRACE_NONE && object >= history->n_objects) ||
          (process->start != LC_TRACE_NONE && process->start >= history->n_stacks) ||
          (process->pending.stack != LC_TRACE_NONE && process->pending.stack >= history->n_stacks))
        {
          lc_history_set_damaged (history, error,
                                  "process %u names another one, an object or a stack that is not there", i);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
read_totals (LcHistory *history, LcStatement *statement, GError **error)
{
  gboolean good = TRUE;
  guint64 n_objects = small_tables_amount (statement, 0, &good), n_stacks;

  history->n_arcs = small_tables_amount (statement, 1, &good);
  n_stacks = small_tables_amount (statement, 2, &good);
  if (good && n_objects < LC_TRACE_NONE && n_stacks < LC_TRACE_NONE)
    {
      history->n_stacks = (guint32)n_stacks;
      history->n_objects = (guint32)n_objects;
      return TRUE;
    }
  lc_history_set_damaged (history, error, "it has no number of objects, arcs or stacks");
  return FALSE;
}

/*
 * Objects are numbered without gaps. There may be a million, so they are not all read; but other code makes tables with
 * a row for each. Random samples show whether they exist: if one in ten were missing, one file in a thousand would
 * pass.
 */
static gboolean
check_objects (LcHistory *history, LcDatabase *database, GError **error)
{
  LcStatement *statement = lc_database_prepare (database, "SELECT 1 FROM object WHERE id = ?1", NULL, error);
  LcStep step = LC_STEP_ROW;

  if (statement == NULL)
    return FALSE;
  for (guint i = 0; i < OBJECTS_TRIED && history->n_objects > 0 && step == LC_STEP_ROW; i++)
    {
      gint64 id = (gint64)(g_random_double () * history->n_objects);

      lc_statement_bind_int (statement, 1, history->n_objects <= OBJECTS_TRIED ? i % history->n_objects : id);
      step = lc_statement_step (statement, error);
      lc_statement_reset (statement);
    }
  lc_statement_free (statement);
  if (step == LC_STEP_DONE)
    lc_history_set_damaged (history, error, "objects are missing");
  return step == LC_STEP_ROW;
}

static gboolean
read_gaps (LcHistory *history, LcStatement *statement, GError **error)
{
  guint64 kept_to;

  g_array_unref (history->gaps);
  history->gaps = lc_gaps_from_text (lc_statement_text (statement, 0));
  lc_gaps_get_limits (history->gaps, &history->kept_from, &kept_to);
  return TRUE;
}

#define TOTALS \
  "SELECT (SELECT coalesce (max (id) + 1, 0) FROM object), (SELECT value FROM meta WHERE key = 'arcs')," \
  " (SELECT coalesce (max (id) + 1, 0) FROM stack)"

/* A history lasts as long as its file is not merged again, and that makes another one. */
static gboolean
small_tables_read_meta (LcHistory *history, LcStatement *statement, GError **error G_GNUC_UNUSED)
{
  const char *key = lc_statement_text (statement, 0), *value = lc_statement_text (statement, 1);

  if (key != NULL && value != NULL)
    g_hash_table_replace (history->meta, g_strdup (key), g_strdup (value));
  return TRUE;
}

/* Of a recording that went on, what was known of it lasts until it was read, though no event is as late. */
static void
small_tables_read_until (LcHistory *history)
{
  const char *value = g_hash_table_lookup (history->meta, "until");

  if (value == NULL || history->n_events == 0 ||
      !g_ascii_string_to_unsigned (value, 10, 0, LC_TIME_LIMIT, &history->until, NULL))
    return;
  history->until = history->end = MAX (history->end, history->until);
}

gboolean
lc_history_read_tables (LcHistory *history, LcDatabase *database, GError **error)
{
  if (!small_tables_read_rows (history, database, "SELECT id, name, class FROM operation ORDER BY id",
                               small_tables_read_operation, error))
    return FALSE;
  history->pairs = lc_holding_pairs_new_empty (history->operations->len);
  history->changes = g_new0 (gint8, history->operations->len + 1);
  if (!small_tables_read_rows (history, database, RULES, small_tables_read_rule, error) ||
      !small_tables_read_rows (history, database, "SELECT from_operation, to_operation FROM holding", read_holding,
                               error) ||
      !small_tables_read_rows (history, database, "SELECT key, value FROM meta", small_tables_read_meta, error) ||
      !small_tables_read_rows (history, database, "SELECT value FROM meta WHERE key = 'gaps'", read_gaps, error) ||
      !small_tables_read_rows (history, database, PROCESSES, small_tables_read_process, error) ||
      !small_tables_read_rows (history, database, TOTALS, read_totals, error))
    return FALSE;
  small_tables_read_until (history);
  return check_objects (history, database, error) && check_processes (history, error);
}
