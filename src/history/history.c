/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a history, and gives access to its small tables. */
#include <string.h>

#include "freshness.h"
#include "reader.h"
#include "schema.h"

enum
{
  CACHED = 64 << 20, /* bytes of directories and the like, shared by all threads */
};

G_DEFINE_QUARK (lc - history - error - quark, lc_history_error)

void
lc_history_set_damaged (const LcHistory *history, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list arguments;

  va_start (arguments, format);
  what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, "%s: damaged: %s", history->path, what);
}

void
lc_history_propagate_missing (const LcHistory *history, GError **error, GError *own)
{
  if (!g_error_matches (own, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT))
    {
      g_propagate_error (error, own);
      return;
    }
  lc_history_set_damaged (history, error, "a table is missing");
  g_error_free (own);
}

/* --- Opening ------------------------------------------------------------------------------------------------ */

static LcHistory *
new_history (const char *path)
{
  LcHistory *history = g_new0 (LcHistory, 1);

  history->refs = 1;
  history->path = g_strdup (path);
  history->texts = g_string_chunk_new (4096);
  history->processes = g_array_new (FALSE, FALSE, sizeof (LcHistoryProcess));
  history->operations = g_array_new (FALSE, TRUE, sizeof (LcHistoryOperation));
  history->rules = g_array_new (FALSE, FALSE, sizeof (LcReaderRule));
  history->gaps = g_array_new (FALSE, FALSE, sizeof (LcTraceGap));
  history->meta = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  history->place_texts = g_string_chunk_new (4096);
  history->sites = g_array_new (FALSE, FALSE, sizeof (LcHistorySite));
  history->stacks = g_array_new (FALSE, FALSE, sizeof (LcHistoryStack));
  history->cache = lc_cache_new (CACHED);
  history->idle = g_ptr_array_new ();
  g_mutex_init (&history->lock);
  return history;
}

LcHistory *
lc_history_new_for_database (LcDatabase *database, GError **error)
{
  g_autoptr (LcHistory) history = NULL;

  if (!lc_schema_check (database, LC_SCHEMA_HISTORY, error))
    return NULL;
  history = new_history (lc_database_get_path (database));
  history->borrowed = database;
  if (!lc_history_read_tables (history, database, error))
    return NULL;
  return g_steal_pointer (&history);
}

static gboolean
history_check (LcHistory *history, LcDatabase *database, GError **error)
{
  if (!lc_schema_check (database, LC_SCHEMA_HISTORY, error))
    return FALSE;
  history->run = lc_history_dup_run (database, error);
  return history->run != NULL && lc_history_read_tables (history, database, error);
}

LcHistory *
lc_history_open_file (LcHistoryFile *file, GError **error)
{
  g_autoptr (LcHistory) history = new_history (file->path);
  LcConnection *connection;
  gboolean good;

  history->file = lc_history_file_ref (file);
  connection = lc_history_take_connection (history, error);
  if (connection == NULL)
    return NULL;
  good = history_check (history, lc_connection_get_database (connection), error);
  lc_connection_give (connection);
  return good ? g_steal_pointer (&history) : NULL;
}

LcHistory *
lc_history_open (const char *path, GError **error)
{
  g_autoptr (LcHistoryFile) file = lc_history_file_open (path, error);

  return file != NULL ? lc_history_open_file (file, error) : NULL;
}

/* Borrows all that stays as it was read when the history was opened. */
static LcHistory *
history_borrow (LcHistory *owner)
{
  LcHistory *snapshot = g_new (LcHistory, 1);

  *snapshot = (LcHistory){.of = owner,
                          .path = owner->path,
                          .run = owner->run,
                          .texts = owner->texts,
                          .processes = owner->processes,
                          .operations = owner->operations,
                          .rules = owner->rules,
                          .meta = owner->meta,
                          .pairs = owner->pairs,
                          .changes = owner->changes,
                          .n_objects = owner->n_objects,
                          .n_stacks = owner->n_stacks,
                          .sites = owner->sites,
                          .stacks = owner->stacks,
                          .n_events = owner->n_events,
                          .n_arcs = owner->n_arcs,
                          .n_layers = owner->n_layers,
                          .begin = owner->begin,
                          .end = owner->end,
                          .gaps = owner->gaps,
                          .until = owner->until,
                          .kept_from = owner->kept_from,
                          .cache = owner->cache};
  return snapshot;
}

LcHistory *
lc_history_take_snapshot (LcHistory *history)
{
  LcHistory *owner = lc_history_get_owner (history), *snapshot;

  g_return_val_if_fail (history->borrowed == NULL, NULL);
  g_atomic_int_inc (&owner->refs);
  snapshot = history_borrow (owner);
  g_mutex_lock (&owner->lock);
  if (owner == history && !history->stays)
    lc_history_follow_path (history);
  snapshot->file = lc_history_file_ref (history->file);
  snapshot->generation = history->generation;
  g_mutex_unlock (&owner->lock);
  return snapshot;
}

void
lc_history_stay (LcHistory *history)
{
  g_return_if_fail (history->of == NULL && history->borrowed == NULL);
  g_mutex_lock (&history->lock);
  lc_history_follow_path (history);
  history->stays = TRUE;
  g_mutex_unlock (&history->lock);
}

gboolean
lc_history_go_on (LcHistory *history)
{
  gboolean has_changed;
  guint64 before;

  if (history->of != NULL || history->borrowed != NULL)
    return FALSE;
  g_mutex_lock (&history->lock);
  before = history->generation;
  lc_history_follow_path (history);
  has_changed = history->generation != before;
  g_mutex_unlock (&history->lock);
  return has_changed;
}

static void
history_free_snapshot (LcHistory *snapshot)
{
  LcHistory *owner = snapshot->of;

  lc_history_file_unref (snapshot->file);
  g_free (snapshot);
  g_mutex_lock (&owner->lock);
  lc_history_close_stale (owner);
  g_mutex_unlock (&owner->lock);
  lc_history_free (owner);
}

void
lc_history_free (LcHistory *history)
{
  if (history == NULL)
    return;
  if (history->of != NULL)
    {
      history_free_snapshot (history);
      return;
    }
  if (!g_atomic_int_dec_and_test (&history->refs))
    return;
  lc_history_close_connections (history);
  g_ptr_array_unref (history->idle);
  lc_cache_free (history->cache);
  g_hash_table_unref (history->meta);
  g_clear_pointer (&history->pairs, lc_holding_pairs_free);
  g_free (history->changes);
  g_array_unref (history->processes);
  g_array_unref (history->operations);
  g_array_unref (history->rules);
  g_array_unref (history->gaps);
  g_array_unref (history->sites);
  g_array_unref (history->stacks);
  g_string_chunk_free (history->place_texts);
  g_clear_error (&history->places_error);
  g_string_chunk_free (history->texts);
  g_mutex_clear (&history->lock);
  lc_history_file_unref (history->file);
  g_free (history->run);
  g_free (history->path);
  g_free (history);
}

/* --- Small tables ------------------------------------------------------------------------------------------- */

const char *
lc_history_get_path (const LcHistory *history)
{
  return history->path;
}

guint32
lc_history_get_n_processes (const LcHistory *history)
{
  return history->processes->len;
}

const LcHistoryProcess *
lc_history_get_process (const LcHistory *history, guint32 process)
{
  return process < history->processes->len ? &g_array_index (history->processes, LcHistoryProcess, process) : NULL;
}

const LcTracePending *
lc_history_get_never_ended (const LcHistory *history, const LcHistoryEvent *event)
{
  const LcHistoryProcess *process = lc_history_get_process (history, event->origin_process);

  return process != NULL && (event->flags & LC_EVENT_CANCELLED) != 0 && process->pending.operation != LC_TRACE_NONE &&
                 event->origin_ordinal + 1 == process->events
             ? &process->pending
             : NULL;
}

gboolean
lc_history_check_process (const LcHistory *history, guint32 process, GError **error)
{
  if (process < history->processes->len)
    return TRUE;
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, "%s: there is no process %u", history->path, process);
  return FALSE;
}

guint32
lc_history_get_n_operations (const LcHistory *history)
{
  return history->operations->len;
}

const LcHistoryOperation *
lc_history_get_operation (const LcHistory *history, guint32 operation)
{
  const LcHistoryOperation *found;

  if (operation >= history->operations->len)
    return NULL;
  found = &g_array_index (history->operations, LcHistoryOperation, operation);
  return found->name != NULL ? found : NULL;
}

guint32
lc_history_find_operation (const LcHistory *history, const char *name)
{
  for (guint32 i = 0; i < history->operations->len; i++)
    if (g_strcmp0 (g_array_index (history->operations, LcHistoryOperation, i).name, name) == 0)
      return i;
  return LC_TRACE_NONE;
}

int
lc_history_holding_change (const LcHistory *history, guint32 operation)
{
  return operation < history->operations->len ? history->changes[operation] : 0;
}

guint32
lc_history_get_n_rules (const LcHistory *history)
{
  return history->rules->len;
}

const LcHistoryRule *
lc_history_get_rule (const LcHistory *history, guint32 rule)
{
  return rule < history->rules->len ? &g_array_index (history->rules, LcReaderRule, rule).rule : NULL;
}

guint32
lc_history_get_n_objects (const LcHistory *history)
{
  return history->n_objects;
}

guint64
lc_history_get_n_events (const LcHistory *history)
{
  return history->n_events;
}

guint64
lc_history_get_n_arcs (const LcHistory *history)
{
  return history->n_arcs;
}

guint64
lc_history_get_n_layers (const LcHistory *history)
{
  return history->n_layers;
}

const GArray *
lc_history_get_gaps (const LcHistory *history)
{
  return history->gaps;
}

guint64
lc_history_get_followed (const LcHistory *history, guint32 process, guint64 begin)
{
  const LcHistoryProcess *followed = lc_history_get_process (history, process);

  return history->kept_from > 0 || followed->is_followed ? MIN (begin, followed->begin) : begin;
}

guint64
lc_history_get_until (const LcHistory *history)
{
  return history->until;
}

void
lc_history_get_span (const LcHistory *history, guint64 *begin, guint64 *end)
{
  *begin = history->begin;
  *end = history->end;
}
