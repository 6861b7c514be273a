/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the phases stored in a history. */
#include "kept-phases.h"

#include <unistd.h>

#include "change.h"
#include "column.h"
#include "numbers.h"
#include "reader.h"

/* The first byte of the data in `phase_index`. */
enum
{
  SEAL = 'p',
};

static void
clear_phase (gpointer data)
{
  g_free (((LcKeptPhase *)data)->name);
}

LcKeptPhases *
lc_kept_phases_new (const char *definition, guint32 n_processes)
{
  LcKeptPhases *kept = g_new0 (LcKeptPhases, 1);

  kept->definition = g_strdup (definition);
  kept->phases = g_array_new (FALSE, FALSE, sizeof (LcKeptPhase));
  g_array_set_clear_func (kept->phases, clear_phase);
  kept->n_processes = n_processes;
  kept->changes = g_new0 (GArray *, MAX (n_processes, 1));
  for (guint32 i = 0; i < n_processes; i++)
    kept->changes[i] = g_array_new (FALSE, FALSE, sizeof (LcKeptChange));
  return kept;
}

void
lc_kept_phases_free (LcKeptPhases *kept)
{
  if (kept == NULL)
    return;
  for (guint32 i = 0; i < kept->n_processes; i++)
    g_array_unref (kept->changes[i]);
  g_free (kept->changes);
  g_array_unref (kept->phases);
  g_free (kept->definition);
  g_free (kept);
}

/* --- Reading --------------------------------------------------------------------------------------------------- */

/* Called for each row; FALSE with an error stops. */
typedef gboolean (*ReadRow) (LcHistory *history, LcStatement *statement, gpointer data, GError **error);

static gboolean
kept_phases_read_rows (LcHistory *history, LcConnection *connection, const char *sql, ReadRow read, gpointer data,
                       GError **error)
{
  LcStatement *statement = lc_database_prepare (lc_connection_get_database (connection), sql, NULL, error);
  LcStep step = LC_STEP_ERROR;

  while (statement != NULL && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    if (!read (history, statement, data, error))
      break;
  lc_statement_free (statement);
  return step == LC_STEP_DONE;
}

static void
free_rule (gpointer data)
{
  LcPhaseRule *rule = data;

  g_free (rule->name);
  g_free (rule->class_name);
  g_free (rule->operation);
  g_free (rule->object);
  g_free (rule);
}

static gboolean
kept_phases_read_rule (LcHistory *history, LcStatement *statement, gpointer data, GError **error)
{
  LcPhaseRule *rule = g_new0 (LcPhaseRule, 1);
  const char *number = lc_statement_text (statement, 4);

  rule->name = g_strdup (lc_statement_text (statement, 0));
  rule->class_name = g_strdup (lc_statement_text (statement, 1));
  rule->operation = g_strdup (lc_statement_text (statement, 2));
  rule->object = g_strdup (lc_statement_text (statement, 3));
  rule->number = g_strcmp0 (number, "value") == 0   ? LC_PHASE_VALUE
                 : g_strcmp0 (number, "count") == 0 ? LC_PHASE_COUNT
                                                    : LC_PHASE_SEQUENCE;
  rule->point = g_strcmp0 (lc_statement_text (statement, 5), "end") == 0 ? LC_POINT_END : LC_POINT_BEGIN;
  g_ptr_array_add (data, rule);
  if (rule->name != NULL && rule->class_name != NULL)
    return TRUE;
  lc_history_set_damaged (history, error, "a rule of phases has no name");
  return FALSE;
}

GPtrArray *
lc_kept_phases_list_rules (LcHistory *history, GError **error)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func (free_rule);
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  gboolean good =
      connection != NULL &&
      kept_phases_read_rows (history, connection,
                             "SELECT name, class, operation, object, number, point FROM phase_rule ORDER BY id",
                             kept_phases_read_rule, rules, error);

  return good ? g_steal_pointer (&rules) : NULL;
}

static gboolean
kept_phases_read_phase (LcHistory *history, LcStatement *statement, gpointer data, GError **error)
{
  LcKeptPhases *kept = data;
  const LcKeptPhase phase = {g_strdup (lc_statement_text (statement, 1)), (guint64)lc_statement_int (statement, 2),
                             (guint64)lc_statement_int (statement, 3),    (guint64)lc_statement_int (statement, 4),
                             (guint64)lc_statement_int (statement, 5),    (guint64)lc_statement_int (statement, 6)};

  g_array_append_val (kept->phases, phase);
  if (phase.name != NULL && lc_statement_int (statement, 0) == (gint64)kept->phases->len - 1 &&
      (phase.begin | phase.end | phase.events | phase.first_layer | phase.last_layer) <= LC_HISTORY_MOST &&
      phase.begin <= phase.end && phase.first_layer <= phase.last_layer)
    return TRUE;
  lc_history_set_damaged (history, error, "phase %u is missing", kept->phases->len - 1);
  return FALSE;
}

/* Reads pairs of differences: ordinals and phases only rise. */
static gboolean
read_numbers (LcNumbers *numbers, guint32 n_phases, GArray *changes)
{
  LcKeptChange change = {0};

  while (numbers->at < numbers->end)
    {
      guint64 ordinals = lc_number_read (numbers), phases = lc_number_read (numbers);

      if (numbers->bad || phases >= n_phases - change.phase || ordinals > G_MAXUINT64 - change.ordinal ||
          (changes->len == 0 ? ordinals > 0 : ordinals == 0 || phases == 0))
        return FALSE;
      change.ordinal += ordinals;
      change.phase += (guint32)phases;
      g_array_append_val (changes, change);
    }
  return TRUE;
}

static gboolean
read_changes (LcHistory *history, LcStatement *statement, gpointer data, GError **error)
{
  LcKeptPhases *kept = data;
  gint64 process = lc_statement_int (statement, 0);
  LcNumbers numbers;
  gsize size;
  const guint8 *bytes = lc_statement_blob (statement, 1, &size);

  if (process >= 0 && process < kept->n_processes && kept->changes[process]->len == 0 &&
      lc_seal_open (&numbers, bytes, size, SEAL) && read_numbers (&numbers, kept->phases->len, kept->changes[process]))
    return TRUE;
  lc_history_set_damaged (history, error, "the phases of process %" G_GINT64_FORMAT, process);
  return FALSE;
}

/* The phases must add up to the history's events. */
static gboolean
kept_phases_check (LcHistory *history, const LcKeptPhases *kept, GError **error)
{
  guint64 events = 0;

  for (guint i = 0; i < kept->phases->len; i++)
    events += g_array_index (kept->phases, LcKeptPhase, i).events;
  for (guint32 i = 0; i < kept->n_processes; i++)
    {
      const GArray *changes = kept->changes[i];
      guint64 own = lc_history_get_process (history, i)->events;

      if ((own > 0) != (changes->len > 0) ||
          (own > 0 && g_array_index (changes, LcKeptChange, changes->len - 1).ordinal >= own))
        events = G_MAXUINT64;
    }
  if (events == lc_history_get_n_events (history))
    return TRUE;
  lc_history_set_damaged (history, error, "its phases are not those of its events");
  return FALSE;
}

static gboolean
read_definition (LcHistory *history, LcStatement *statement, gpointer data, GError **error)
{
  LcKeptPhases *kept = data;

  if (g_strcmp0 (lc_statement_text (statement, 0), "phases") == 0)
    kept->definition = g_strdup (lc_statement_text (statement, 1));
  else
    kept->behind = (guint64)lc_statement_int (statement, 1);
  return TRUE;
}

static LcKeptPhases *
kept_phases_read_all (LcHistory *history, LcConnection *connection, const char *definition, GError **error)
{
  g_autoptr (LcKeptPhases) kept = lc_kept_phases_new (NULL, lc_history_get_n_processes (history));

  if (!kept_phases_read_rows (history, connection,
                              "SELECT key, value FROM meta WHERE key IN ('phases', 'phases_behind')", read_definition,
                              kept, error) ||
      g_strcmp0 (kept->definition, definition) != 0)
    return NULL;
  return kept_phases_read_rows (
             history, connection,
             "SELECT id, name, begin, \"end\", events, first_layer, last_layer FROM phase ORDER BY id",
             kept_phases_read_phase, kept, error) &&
                 kept_phases_read_rows (history, connection, "SELECT process, data FROM phase_index", read_changes,
                                        kept, error) &&
                 kept_phases_check (history, kept, error)
             ? g_steal_pointer (&kept)
             : NULL;
}

LcKeptPhases *
lc_kept_phases_read (LcHistory *history, const char *definition, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  LcDatabase *database;
  LcKeptPhases *kept = NULL;

  if (connection == NULL)
    return NULL;
  /* A transaction, because another program may replace the phases between two queries. */
  database = lc_connection_get_database (connection);
  if (lc_database_run (database, "SAVEPOINT phases", error))
    {
      kept = kept_phases_read_all (history, connection, definition, error);
      lc_database_run (database, "RELEASE phases", NULL);
    }
  return kept;
}

/* --- Writing --------------------------------------------------------------------------------------------------- */

static gboolean
write_phases (LcDatabase *database, const GArray *phases, GError **error)
{
  LcStatement *statement = lc_database_prepare (database,
                                                "INSERT INTO phase (id, name, begin, \"end\", events, first_layer, "
                                                "last_layer) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                                NULL, error);
  gboolean good = statement != NULL;

  for (guint i = 0; good && i < phases->len; i++)
    {
      const LcKeptPhase *phase = &g_array_index (phases, LcKeptPhase, i);
      const guint64 numbers[] = {phase->begin, phase->end, phase->first_layer, phase->last_layer};
      static const int places[] = {3, 4, 6, 7};

      lc_statement_bind_int (statement, 1, i);
      lc_statement_bind_text (statement, 2, phase->name);
      lc_statement_bind_int (statement, 5, (gint64)phase->events);
      for (guint k = 0; k < G_N_ELEMENTS (places); k++)
        if (phase->events > 0)
          lc_statement_bind_int (statement, places[k], (gint64)numbers[k]);
        else
          lc_statement_bind_null (statement, places[k]);
      good = lc_statement_run (statement, error);
    }
  lc_statement_free (statement);
  return good;
}

static void
seal_changes (GByteArray *bytes, const GArray *changes)
{
  LcKeptChange before = {0};

  lc_seal_begin (bytes, SEAL);
  for (guint i = 0; i < changes->len; i++)
    {
      const LcKeptChange *change = &g_array_index (changes, LcKeptChange, i);

      lc_number_append (bytes, change->ordinal - before.ordinal);
      lc_number_append (bytes, change->phase - before.phase);
      before = *change;
    }
  lc_seal_set (bytes);
}

static gboolean
write_changes (LcDatabase *database, const LcKeptPhases *kept, GError **error)
{
  LcStatement *statement =
      lc_database_prepare (database, "INSERT INTO phase_index (process, data) VALUES (?1, ?2)", NULL, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gboolean good = statement != NULL;

  for (guint32 i = 0; good && i < kept->n_processes; i++)
    {
      seal_changes (bytes, kept->changes[i]);
      lc_statement_bind_int (statement, 1, i);
      lc_statement_bind_blob (statement, 2, bytes->data, bytes->len);
      good = lc_statement_run (statement, error);
    }
  lc_statement_free (statement);
  return good;
}

static gboolean
write_definition (LcDatabase *database, const LcKeptPhases *kept, GError **error)
{
  LcStatement *statement = lc_database_prepare (
      database, "REPLACE INTO meta (key, value) VALUES ('phases', ?1), ('phases_behind', ?2)", NULL, error);
  gboolean good;

  if (statement == NULL)
    return FALSE;
  lc_statement_bind_text (statement, 1, kept->definition);
  lc_statement_bind_int (statement, 2, (gint64)kept->behind);
  good = lc_statement_run (statement, error);
  lc_statement_free (statement);
  return good;
}

static gboolean
kept_phases_write_all (LcDatabase *database, gpointer data, GError **error)
{
  const LcKeptPhases *kept = data;

  return lc_database_run (database, "DELETE FROM phase; DELETE FROM phase_index", error) &&
         write_phases (database, kept->phases, error) && write_changes (database, kept, error) &&
         write_definition (database, kept, error);
}

/* Does not wait for a lock, because phases can be found again. */
gboolean
lc_kept_phases_write (LcHistory *history, const LcKeptPhases *kept, GError **error)
{
  const char *path = lc_history_get_path (history);

  if (history->borrowed != NULL || access (path, W_OK) != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_READ_ONLY, "%s: it cannot be written", path);
      return FALSE;
    }
  return lc_change_history (history, -1, 0, kept_phases_write_all, (gpointer)kept, error);
}
