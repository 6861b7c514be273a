/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a history with its trace and rules. */
#include "freshness.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "database.h"
#include "lightcone/recording.h"
#include "lightcone/trace.h"
#include "names-kept.h"
#include "schema.h"
#include "store.h"

/* The header of an SQLite file; its numbers are big-endian. */
enum
{
  HEADER = 100,
  PAGE_SIZE_AT = 16,
  WRITTEN_AT = 18,
  READ_AT = 19,
  WITH_ROLLBACK = 1, /* a rollback journal, not a write-ahead log */
  PAGES_AT = 28,
  VERSION_AT = 60,
  APPLICATION_AT = 68,
};

enum
{
  MOST_OF_RUN = 16 << 20, /* bytes of keys and values in the table meta, at most */
};

/* --- The rules --------------------------------------------------------------------------------------------------- */

static void
add_text (GString *to, const char *text)
{
  g_string_append (to, text != NULL ? text : "");
  g_string_append_c (to, '\n');
}

static void
add_numbers (GString *to, gint64 a, gint64 b, gint64 c, gint64 d)
{
  g_string_append_printf (to, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                          a, b, c, d);
}

/* Keys that only approximations use (timing, decided, work) are left out: the merged history does not depend on
 * them. */
char *
lc_rules_dup_checksum (const LcRules *rules)
{
  const GPtrArray *classes = lc_rules_get_classes (rules), *operations = lc_rules_get_operations (rules);
  const GPtrArray *arcs = lc_rules_get_arcs (rules), *phases = lc_rules_get_phases (rules);
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < classes->len; i++)
    {
      const LcClassRule *rule = classes->pdata[i];
      g_autofree char *holding = rule->holding != NULL ? g_strjoinv (";", rule->holding) : NULL;

      add_text (all, rule->name);
      add_text (all, holding);
      add_numbers (all, rule->first, rule->given, rule->taken, 0);
    }
  for (guint i = 0; i < operations->len; i++)
    {
      const LcOperationRule *rule = operations->pdata[i];

      add_text (all, rule->name);
      add_text (all, rule->class_name);
      add_numbers (all, rule->waits, rule->members, 0, 0);
    }
  for (guint i = 0; i < arcs->len; i++)
    {
      const LcArcRule *rule = arcs->pdata[i];

      add_text (all, rule->name);
      add_text (all, rule->class_name);
      add_text (all, rule->from);
      add_text (all, rule->to);
      add_numbers (all, rule->from_point, rule->step, rule->kind, rule->counted ? rule->less : -1);
      add_numbers (all, rule->uses.by_value, rule->uses.number, rule->keeps, rule->soft);
    }
  for (guint i = 0; i < phases->len; i++)
    {
      const LcPhaseRule *rule = phases->pdata[i];

      add_text (all, rule->name);
      add_text (all, rule->class_name);
      add_text (all, rule->operation);
      add_text (all, rule->object);
      add_numbers (all, rule->number, rule->point, 0, 0);
    }
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, all->str, (gssize)all->len);
}

/* --- The files --------------------------------------------------------------------------------------------------- */

static gint64
ns_of (struct timespec time)
{
  return (gint64)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* `name` is relative to the directory, and `part` tells whether it is in the folder of one host. */
static void
freshness_add_file (LcFingerprint *fingerprint, const char *directory, const char *name, gboolean part,
                    GPtrArray *files)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  struct stat status;

  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return;
  fingerprint->newest = MAX (fingerprint->newest, ns_of (status.st_mtim));
  if (part)
    fingerprint->newest_part = MAX (fingerprint->newest_part, ns_of (status.st_mtim));
  else if (g_str_equal (name, LC_CLOCK_FILE))
    fingerprint->clocks = ns_of (status.st_mtim);
  g_ptr_array_add (files, g_strdup_printf ("%s\n%" G_GINT64_FORMAT "\n", name, (gint64)status.st_size));
}

static void
freshness_add_rules (LcFingerprint *fingerprint, const char *directory, GPtrArray *files)
{
  g_autofree char *path = g_build_filename (directory, "rules", NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename ("rules", name, NULL);

      freshness_add_file (fingerprint, directory, file, FALSE, files);
    }
}

static int
freshness_compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

void
lc_fingerprint_take (LcFingerprint *fingerprint, const char *directory)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_auto (GStrv) names = lc_trace_list_files (directory);
  struct timespec now;

  *fingerprint = (LcFingerprint){0};
  clock_gettime (CLOCK_REALTIME_COARSE, &now);
  fingerprint->taken = ns_of (now);
  fingerprint->busy = lc_recording_is_going_on (directory);
  for (char **name = names; *name != NULL; name++)
    freshness_add_file (fingerprint, directory, *name, g_str_has_prefix (*name, LC_PART_PREFIX), files);
  freshness_add_rules (fingerprint, directory, files);
  g_ptr_array_sort (files, freshness_compare);
  /* Time stamps may be finer than this clock, or come from another machine. */
  fingerprint->taken = MAX (fingerprint->taken, fingerprint->newest);
  for (guint i = 0; i < files->len; i++)
    g_checksum_update (checksum, files->pdata[i], -1);
  fingerprint->sizes = g_strdup (g_checksum_get_string (checksum));
}

void
lc_fingerprint_clear (LcFingerprint *fingerprint)
{
  g_clear_pointer (&fingerprint->sizes, g_free);
}

/* --- The history ------------------------------------------------------------------------------------------------- */

static guint32
freshness_number_at (const guint8 *header, gsize at)
{
  return (guint32)header[at] << 24 | (guint32)header[at + 1] << 16 | (guint32)header[at + 2] << 8 | header[at + 3];
}

static gboolean
freshness_is_whole (const guint8 *header, guint64 size)
{
  guint64 page_size = (guint64)header[PAGE_SIZE_AT] << 8 | header[PAGE_SIZE_AT + 1];

  return size > 0 && size == (page_size == 1 ? 65536 : page_size) * freshness_number_at (header, PAGES_AT);
}

/* A file in journal mode is not ours: our programs never write one. */
static gboolean
freshness_check_file (const LcHistoryFile *file, gint64 newest)
{
  guint8 header[HEADER];

  return lc_history_file_is_trusted (file) && !lc_history_file_has_journal (file) &&
         lc_history_file_get_time (file) >= newest && pread (file->fd, header, sizeof header, 0) == sizeof header &&
         memcmp (header, "SQLite format 3", 16) == 0 && header[WRITTEN_AT] == WITH_ROLLBACK &&
         header[READ_AT] == WITH_ROLLBACK && freshness_number_at (header, VERSION_AT) == LC_HISTORY_VERSION &&
         freshness_number_at (header, APPLICATION_AT) == LC_HISTORY_APPLICATION &&
         freshness_is_whole (header, (guint64)file->status.st_size);
}

/* Reads the number of a key, or a copy of its text; FALSE: there is no such key. */
static gboolean
get_meta (LcStatement *statement, const char *key, guint64 *number, char **text)
{
  gboolean found;

  lc_statement_bind_text (statement, 1, key);
  found = lc_statement_step (statement, NULL) == LC_STEP_ROW;
  if (found && number != NULL)
    *number = (guint64)lc_statement_int (statement, 0);
  if (found && text != NULL)
    *text = g_strdup (lc_statement_text (statement, 0));
  lc_statement_reset (statement);
  return found;
}

static gboolean
check_meta (LcDatabase *database, const char *sizes, const char *rules_checksum, LcMergeResult *result)
{
  LcStatement *statement = lc_database_prepare (database, "SELECT value FROM meta WHERE key = ?1", NULL, NULL);
  g_autofree char *own_sizes = NULL, *own_rules = NULL;
  gboolean good =
      statement != NULL && get_meta (statement, "fingerprint", NULL, &own_sizes) &&
      get_meta (statement, "rules", NULL, &own_rules) && g_strcmp0 (own_sizes, sizes) == 0 &&
      g_strcmp0 (own_rules, rules_checksum) == 0 && get_meta (statement, "events", &result->events, NULL) &&
      get_meta (statement, "arcs", &result->arcs, NULL) && get_meta (statement, "layers", &result->layers, NULL) &&
      get_meta (statement, "problems", &result->problems, NULL) && get_meta (statement, "lost", &result->lost, NULL);

  lc_statement_free (statement);
  return good;
}

gboolean
lc_history_is_good (const LcHistoryFile *file, const LcFingerprint *fingerprint, const char *rules_checksum,
                    const LcGivenNames *names, LcMergeResult *result)
{
  LcDatabase *database;
  gboolean good;

  if (fingerprint->busy || !freshness_check_file (file, fingerprint->newest))
    return FALSE;
  database = lc_database_open_descriptor (file->fd, file->path, NULL);
  good = database != NULL && lc_schema_check (database, LC_SCHEMA_HISTORY, NULL) && lc_names_are_of (database, names) &&
         check_meta (database, fingerprint->sizes, rules_checksum, result);
  lc_database_close (database);
  result->bytes = good ? (guint64)file->status.st_size : 0;
  return good;
}

/* --- The run ----------------------------------------------------------------------------------------------------- */

/* The phases are left out, as they are replaced whenever other ones are asked for. */
char *
lc_history_dup_run (LcDatabase *database, GError **error)
{
  LcStatement *statement = lc_database_prepare (
      database, "SELECT key, value FROM meta WHERE key NOT IN ('phases', 'phases_behind') ORDER BY key", NULL, error);
  g_autoptr (GString) run = g_string_new (NULL);
  LcStep step = LC_STEP_ERROR;

  while (statement != NULL && run->len < MOST_OF_RUN && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    {
      add_text (run, lc_statement_text (statement, 0));
      add_text (run, lc_statement_text (statement, 1));
    }
  lc_statement_free (statement);
  if (step == LC_STEP_ROW)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, "%s: damaged: its table meta has no end",
                 lc_database_get_path (database));
  return step == LC_STEP_DONE ? g_string_free (g_steal_pointer (&run), FALSE) : NULL;
}

gboolean
lc_history_file_is_of_run (const LcHistoryFile *file, const char *run, GError **error)
{
  LcDatabase *database = lc_database_open_descriptor (file->fd, file->path, error);
  g_autofree char *own = database != NULL && lc_schema_check (database, LC_SCHEMA_HISTORY, error)
                             ? lc_history_dup_run (database, error)
                             : NULL;

  lc_database_close (database);
  return own != NULL && g_str_equal (own, run);
}
