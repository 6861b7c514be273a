/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of connections, their prepared statements, and their directories. */
#include "connection.h"

#include <string.h>

#include "freshness.h"

enum
{
  IDLE = 8,          /* connections kept for later */
  LEAST_ROW = 4,     /* bytes that a row takes at least in a file */
  PINNED = 16 << 20, /* bytes that one connection may pin */
  LEAST_PINNED = 16, /* items that it may pin whatever their size */
};

#define OBJECT \
  "SELECT id, name, class, process, instance, address, value, events, waited, held, stack FROM object WHERE id = ?1"

#define PROBLEMS \
  "SELECT kind, severity, count, file, line, byte, process, ordinal, operation, object, sequence, wants, " \
  "wants_sequence, there, needed, other_process, other_ordinal, description, detail FROM problem ORDER BY id"

static const char *const queries[LC_N_QUERIES] = {
    [LC_QUERY_BLOCK] = "SELECT data FROM block WHERE id = ?1",
    [LC_QUERY_DIRECTORY] = "SELECT data FROM block_index WHERE timeline = ?1 AND process = ?2",
    [LC_QUERY_SHAPES] = "SELECT process, data FROM summary_index WHERE timeline = ?1 ORDER BY process",
    [LC_QUERY_CHUNKS] = "SELECT id, data FROM summary WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
    [LC_QUERY_POSTING] = "SELECT data FROM posting WHERE id = ?1",
    [LC_QUERY_RUN] = "SELECT data FROM posting_index WHERE id = ?1",
    [LC_QUERY_LAST_RUN] = "SELECT id FROM posting_index WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1",
    [LC_QUERY_ORIGIN] = "SELECT data FROM origin WHERE id = ?1",
    [LC_QUERY_ORIGIN_RUN] = "SELECT data FROM origin_index WHERE id = ?1",
    [LC_QUERY_ORIGIN_LAST_RUN] = "SELECT id FROM origin_index WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1",
    [LC_QUERY_LONGEST] = "SELECT data FROM longest_arcs WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
    [LC_QUERY_LOWEST] = "SELECT id FROM longest_arcs WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1",
    [LC_QUERY_TIMELINE] = "SELECT own FROM timeline WHERE id = ?1",
    [LC_QUERY_TIMELINES] = "SELECT id, name, model, parameters, own FROM timeline ORDER BY id",
    [LC_QUERY_OBJECT] = OBJECT,
    [LC_QUERY_PROBLEMS] = PROBLEMS,
    [LC_QUERY_CHANGES] = "PRAGMA data_version",
};

/* --- The pool ----------------------------------------------------------------------------------------------- */

static void
free_connection (LcConnection *connection)
{
  for (guint i = 0; i < LC_N_QUERIES; i++)
    lc_statement_free (connection->statements[i]);
  lc_connection_unpin (connection, 0, 0);
  g_hash_table_unref (connection->pinned);
  lc_connection_free_blocks (connection);
  if (connection->file != NULL)
    lc_database_close (connection->database);
  lc_history_file_unref (connection->file);
  g_free (connection);
}

/* `file`: NULL for a borrowed database. */
static LcConnection *
new_connection (LcHistory *history, LcHistoryFile *file, GError **error)
{
  LcDatabase *database =
      file != NULL ? lc_database_open_descriptor (file->fd, history->path, error) : history->borrowed;
  LcConnection *connection;

  if (database == NULL)
    return NULL;
  if (file != NULL)
    lc_database_set_most_rows (database, (guint64)file->status.st_size / LEAST_ROW);
  connection = g_new0 (LcConnection, 1);
  connection->history = history;
  connection->database = database;
  connection->file = file != NULL ? lc_history_file_ref (file) : NULL;
  connection->pinned = g_hash_table_new (lc_cache_key_hash, lc_cache_key_equal);
  g_queue_init (&connection->pins);
  connection->slots = g_array_new (FALSE, FALSE, sizeof (LcSlot));
  return connection;
}

void
lc_history_close_stale (LcHistory *history)
{
  for (guint i = history->idle->len; i > 0; i--)
    {
      LcConnection *connection = history->idle->pdata[i - 1];

      if (connection->file == history->file)
        continue;
      g_ptr_array_remove_index_fast (history->idle, i - 1);
      free_connection (connection);
    }
}

void
lc_history_close_connections (LcHistory *history)
{
  for (guint i = 0; i < history->idle->len; i++)
    free_connection (history->idle->pdata[i]);
  g_ptr_array_set_size (history->idle, 0);
  g_clear_pointer (&history->only, free_connection);
}

/* Another program may have changed a borrowed database since we last used it. */
static gboolean
look_for_changes (LcConnection *connection, GError **error)
{
  LcStatement *statement = lc_connection_prepare (connection, LC_QUERY_CHANGES, error);
  guint64 before = lc_cache_get_generation (connection->history->cache), after = before;
  LcStep step = statement != NULL ? lc_statement_step (statement, error) : LC_STEP_ERROR;
  gint64 changes = step == LC_STEP_ROW ? lc_statement_int (statement, 0) : 0;

  if (statement != NULL)
    lc_statement_reset (statement);
  if (step == LC_STEP_ROW && connection->changes != changes)
    {
      after = lc_cache_forget_timelines (connection->history->cache);
      lc_connection_unpin (connection, 0, 0);
      lc_connection_forget_blocks (connection);
      memset (connection->bases, 0, sizeof connection->bases);
    }
  connection->changes = changes;
  /* If another connection has seen a change at the same time, what this one reads may be older than that change. */
  connection->generation = after == before + 1 ? after : before;
  return step == LC_STEP_ROW;
}

static LcConnection *
take_only (LcHistory *history, GError **error)
{
  if (history->only == NULL)
    history->only = new_connection (history, NULL, error);
  if (history->only == NULL || (history->n_taken == 0 && !look_for_changes (history->only, error)))
    return NULL;
  history->n_taken++;
  return history->only;
}

static gboolean
connection_is_same_file (const struct stat *one, const struct stat *other)
{
  return one->st_dev == other->st_dev && one->st_ino == other->st_ino && one->st_ctim.tv_sec == other->st_ctim.tv_sec &&
         one->st_ctim.tv_nsec == other->st_ctim.tv_nsec;
}

/* Whether the file now at our path is this history with something added. Histories of another merge are not read. */
static gboolean
history_accepts (const LcHistory *history, const LcHistoryFile *file)
{
  return lc_history_file_is_trusted (file) &&
         lc_history_file_get_time (file) == lc_history_file_get_time (history->file) && history->run != NULL &&
         lc_history_file_is_of_run (file, history->run, NULL);
}

void
lc_history_follow_path (LcHistory *history)
{
  g_autoptr (LcHistoryFile) file = NULL;
  struct stat now;

  if (lstat (history->path, &now) != 0 || connection_is_same_file (&now, &history->refused) ||
      (now.st_dev == history->file->status.st_dev && now.st_ino == history->file->status.st_ino))
    return;
  file = lc_history_file_open (history->path, NULL);
  if (file == NULL || !history_accepts (history, file))
    {
      history->refused = now;
      return;
    }
  lc_history_file_unref (history->file);
  history->file = g_steal_pointer (&file);
  history->generation = lc_cache_forget_timelines (history->cache);
  lc_history_close_stale (history);
}

/* Takes a connection that reads this file. NULL: none is idle. */
static LcConnection *
connection_take_idle (LcHistory *owner, const LcHistoryFile *file)
{
  for (guint i = owner->idle->len; i > 0; i--)
    if (((const LcConnection *)owner->idle->pdata[i - 1])->file == file)
      return g_ptr_array_steal_index_fast (owner->idle, i - 1);
  return NULL;
}

LcConnection *
lc_history_take_connection (LcHistory *history, GError **error)
{
  LcHistory *owner = lc_history_get_owner (history);
  g_autoptr (LcHistoryFile) file = NULL;
  LcConnection *connection;
  guint64 generation;

  if (history->borrowed != NULL)
    return take_only (history, error);
  g_mutex_lock (&owner->lock);
  if (owner == history && !history->stays)
    lc_history_follow_path (history);
  connection = connection_take_idle (owner, history->file);
  file = lc_history_file_ref (history->file);
  generation = history->generation;
  g_mutex_unlock (&owner->lock);
  if (connection == NULL)
    {
      connection = new_connection (history, file, error);
      if (connection == NULL)
        return NULL;
      connection->generation = generation;
    }
  connection->history = history;
  return connection;
}

void
lc_connection_give (LcConnection *connection)
{
  LcHistory *history = connection->history, *owner = lc_history_get_owner (history);
  gboolean keep;

  if (history->borrowed != NULL)
    {
      history->n_taken--;
      return;
    }
  connection->history = owner;
  g_mutex_lock (&owner->lock);
  keep = connection->file == history->file && owner->idle->len < IDLE;
  if (keep)
    g_ptr_array_add (owner->idle, connection);
  for (guint i = 0; i < LC_N_QUERIES; i++)
    history->asked[i] += connection->asked[i];
  memset (connection->asked, 0, sizeof connection->asked);
  g_mutex_unlock (&owner->lock);
  if (!keep)
    free_connection (connection);
}

guint64
lc_history_count_asked (LcHistory *history, LcQuery query)
{
  LcHistory *owner = lc_history_get_owner (history);
  guint64 asked;

  g_mutex_lock (&owner->lock);
  asked = history->asked[query];
  g_mutex_unlock (&owner->lock);
  return asked;
}

LcDatabase *
lc_connection_get_database (LcConnection *connection)
{
  return connection->database;
}

LcHistory *
lc_connection_get_history (LcConnection *connection)
{
  return connection->history;
}

LcStatement *
lc_connection_prepare (LcConnection *connection, LcQuery query, GError **error)
{
  LcStatement **statement = &connection->statements[query];
  GError *own = NULL;

  connection->asked[query]++;
  if (*statement == NULL)
    *statement = lc_database_prepare (connection->database, queries[query], NULL, &own);
  if (own != NULL)
    lc_history_propagate_missing (connection->history, error, own);
  return *statement;
}

/* --- The cache ---------------------------------------------------------------------------------------------- */

/* Gives the longest held items back until at most `n_items` are left, or until they take no more than `bytes` (0: no
 * such limit). */
void
lc_connection_unpin (LcConnection *connection, guint n_items, gsize bytes)
{
  while (connection->pins.length > n_items && (connection->pinned_bytes > bytes || bytes == 0))
    {
      LcCacheItem *item = g_queue_pop_tail (&connection->pins);

      connection->pinned_bytes -= item->bytes;
      g_hash_table_remove (connection->pinned, &item->key);
      lc_cache_give (connection->history->cache, item);
    }
}

gpointer
lc_connection_pin (LcConnection *connection, LcCacheItem *item)
{
  g_hash_table_add (connection->pinned, item);
  g_queue_push_head (&connection->pins, item);
  connection->pinned_bytes += item->bytes;
  lc_connection_unpin (connection, LEAST_PINNED, PINNED);
  return item->value;
}

/* Only the measured timeline is the same in all states of the file. */
static LcCacheKey
connection_complete_key (const LcConnection *connection, const LcCacheKey *key)
{
  LcCacheKey complete = *key;

  complete.state = key->timeline != LC_TIMELINE_MEASURED ? connection->generation : 0;
  return complete;
}

gpointer
lc_connection_find (LcConnection *connection, const LcCacheKey *key)
{
  const LcCacheKey complete = connection_complete_key (connection, key);
  LcCacheItem *item = g_hash_table_lookup (connection->pinned, &complete);

  if (item != NULL)
    return item->value;
  item = lc_cache_take (connection->history->cache, &complete);
  return item != NULL ? lc_connection_pin (connection, item) : NULL;
}

gpointer
lc_connection_keep (LcConnection *connection, const LcCacheKey *key, gpointer value, gsize bytes,
                    GDestroyNotify destroy)
{
  const LcCacheKey complete = connection_complete_key (connection, key);

  return lc_connection_pin (
      connection, lc_cache_add (connection->history->cache, &complete, value, bytes, destroy, connection->generation));
}

/* Finds out whether a timeline has events of its own. */
static gboolean
look_up_base (LcConnection *connection, guint32 timeline, GError **error)
{
  LcStatement *statement = lc_connection_prepare (connection, LC_QUERY_TIMELINE, error);
  LcStep step;

  if (statement == NULL)
    return FALSE;
  lc_statement_bind_int (statement, 1, timeline);
  step = timeline < LC_TIMELINES ? lc_statement_step (statement, error) : LC_STEP_DONE;
  if (step == LC_STEP_ROW)
    connection->bases[timeline] = lc_statement_int (statement, 0) != 0 ? 2 : 1;
  lc_statement_reset (statement);
  if (step == LC_STEP_DONE)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, "%s: there is no timeline %u",
                 connection->history->path, timeline);
  return step == LC_STEP_ROW;
}

gboolean
lc_connection_get_base (LcConnection *connection, guint32 timeline, guint32 *base, GError **error)
{
  *base = LC_TIMELINE_MEASURED;
  if (timeline == LC_TIMELINE_MEASURED)
    return TRUE;
  if ((timeline >= LC_TIMELINES || connection->bases[timeline] == 0) && !look_up_base (connection, timeline, error))
    return FALSE;
  if (connection->bases[timeline] == 2)
    *base = timeline;
  return TRUE;
}

gboolean
lc_connection_check_timeline (LcConnection *connection, guint32 timeline, GError **error)
{
  guint32 base;

  return lc_connection_get_base (connection, timeline, &base, error);
}

gboolean
lc_connection_count_events (LcConnection *connection, guint32 timeline, guint32 process, guint64 *events,
                            GError **error)
{
  const LcDirectory *directory;
  guint32 base;

  if (!lc_history_check_process (connection->history, process, error) ||
      !lc_connection_get_base (connection, timeline, &base, error))
    return FALSE;
  if (base == LC_TIMELINE_MEASURED)
    {
      *events = lc_history_get_process (connection->history, process)->events;
      return TRUE;
    }
  directory = lc_connection_get_directory (connection, base, process, error);
  if (directory != NULL)
    *events = directory->n_events;
  return directory != NULL;
}

/* --- Directories -------------------------------------------------------------------------------------------- */

static void
free_directory (gpointer data)
{
  lc_directory_free (data);
}

/* A directory must fit the process's row in the table process; otherwise it belongs to another process. */
static gboolean
connection_fits (const LcDirectory *directory, guint32 timeline, guint32 base, const LcHistoryProcess *process,
                 gboolean is_followed)
{
  guint n = directory->entries->len;
  guint64 first;

  if (base != LC_TIMELINE_MEASURED)
    return TRUE;
  if (directory->n_events != process->events || n != (process->events + LC_BLOCK_EVENTS - 1) / LC_BLOCK_EVENTS)
    return FALSE;
  if (n == 0 || timeline != LC_TIMELINE_MEASURED)
    return TRUE;
  first = g_array_index (directory->entries, LcDirectoryEntry, 0).first_begin;
  return ((is_followed ? first >= process->begin : first == process->begin) &&
          g_array_index (directory->entries, LcDirectoryEntry, n - 1).last_end == process->end);
}

static gboolean
check_directory (LcConnection *connection, guint32 timeline, guint32 process, const LcDirectory *directory,
                 GError **error)
{
  const LcHistoryProcess *row = lc_history_get_process (connection->history, process);
  guint32 base;

  if (!lc_connection_get_base (connection, timeline, &base, error))
    return FALSE;
  if (directory != NULL &&
      connection_fits (directory, timeline, base, row, connection->history->kept_from > 0 || row->is_followed))
    return TRUE;
  lc_history_set_damaged (connection->history, error, "the directory of process %u (timeline %u)", process, timeline);
  return FALSE;
}

static LcDirectory *
read_directory (LcConnection *connection, guint32 timeline, guint32 process, GError **error)
{
  LcStatement *statement = lc_connection_prepare (connection, LC_QUERY_DIRECTORY, error);
  g_autoptr (LcDirectory) directory = NULL;
  LcStep step;

  if (statement == NULL)
    return NULL;
  lc_statement_bind_int (statement, 1, timeline);
  lc_statement_bind_int (statement, 2, process);
  step = lc_statement_step (statement, error);
  if (step == LC_STEP_ROW)
    {
      gsize size;
      const guint8 *bytes = lc_statement_blob (statement, 0, &size);

      directory = lc_directory_decode (bytes, size);
    }
  lc_statement_reset (statement);
  if (step == LC_STEP_ERROR)
    return NULL;
  if (step == LC_STEP_DONE)
    directory = lc_directory_new ();
  return check_directory (connection, timeline, process, directory, error) ? g_steal_pointer (&directory) : NULL;
}

const LcDirectory *
lc_connection_get_directory (LcConnection *connection, guint32 timeline, guint32 process, GError **error)
{
  const LcCacheKey key = {LC_CACHED_DIRECTORY, timeline, process};
  LcDirectory *directory = lc_connection_find (connection, &key);

  if (directory != NULL)
    return directory;
  if (!lc_history_check_process (connection->history, process, error))
    return NULL;
  directory = read_directory (connection, timeline, process, error);
  if (directory == NULL)
    return NULL;
  return lc_connection_keep (connection, &key, directory,
                             sizeof *directory + directory->entries->len * sizeof (LcDirectoryEntry), free_directory);
}

const LcDirectory *
lc_connection_get_axis (LcConnection *connection, guint32 timeline, LcAxis axis, guint32 process, GError **error)
{
  if (axis == LC_AXIS_LAYER && !lc_connection_get_base (connection, timeline, &timeline, error))
    return NULL;
  return lc_connection_get_directory (connection, timeline, process, error);
}
