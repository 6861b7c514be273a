/* SPDX-License-Identifier: Apache-2.0 */
/* What an earlier merge of the same trace found in files of code that have changed since. */
#include "places-before.h"

#include "database.h"
#include "names-kept.h"
#include "schema.h"

enum
{
  MOST_ROWS = 1 << 22, /* of a table */
};

typedef struct
{
  const char *function; /* NULL: not known */
  const char *file;     /* NULL: not known */
  guint32 line;
} BeforeSite;

typedef struct
{
  guint32 site;
  guint32 parent; /* or LC_TRACE_NONE */
} BeforeStack;

struct _LcPlacesBefore
{
  LcWhereBefore functions;
  GHashTable *modules; /* set of keys of those in which functions were found */
  GArray *sites;       /* BeforeSite */
  GArray *stacks;      /* BeforeStack; the first are those of the trace */
  GHashTable *objects; /* number -> name */
  guint32 n_stacks;    /* of the trace */
  guint32 *of_sites;   /* by site of the trace: a stack with it, or LC_TRACE_NONE */
  GStringChunk *strings;
};

static char *
places_before_key (const char *path, const char *build_id)
{
  return g_strdup_printf ("%s\n%s", path, build_id != NULL ? build_id : "");
}

/* --- Asking --------------------------------------------------------------------------------------------------------
 */

static gboolean
places_before_has_module (gpointer data, const char *path, const char *build_id)
{
  g_autofree char *key = places_before_key (path, build_id);

  return g_hash_table_contains (((LcPlacesBefore *)data)->modules, key);
}

/* The functions that the compiler had put into one another at a site have stacks of their own, after the trace's. */
static guint
places_before_get_frames (gpointer data, guint32 site, LcWhereSite *frames, guint most)
{
  const LcPlacesBefore *before = data;
  guint n = 0;

  for (guint32 at = before->of_sites[site]; at < before->stacks->len && n < most;)
    {
      const BeforeStack *stack = &g_array_index (before->stacks, BeforeStack, at);
      const BeforeSite *found = &g_array_index (before->sites, BeforeSite, stack->site);

      frames[n++] = (LcWhereSite){.function = found->function, .file = found->file, .line = found->line};
      at = stack->parent >= before->n_stacks ? stack->parent : LC_TRACE_NONE;
    }
  return n == 1 && frames[0].function == NULL && frames[0].file == NULL ? 0 : n;
}

static const char *
places_before_get_object (gpointer data, guint32 object)
{
  return g_hash_table_lookup (((LcPlacesBefore *)data)->objects, GUINT_TO_POINTER (object));
}

const LcWhereBefore *
lc_places_before_get (const LcPlacesBefore *before)
{
  return &before->functions;
}

/* --- Reading -------------------------------------------------------------------------------------------------------
 */

typedef gboolean (*ReadRow) (LcPlacesBefore *before, LcStatement *statement);

static gboolean
places_before_read_rows (LcPlacesBefore *before, LcDatabase *database, const char *sql, ReadRow read)
{
  LcStatement *statement = lc_database_prepare (database, sql, NULL, NULL);
  LcStep step = LC_STEP_ERROR;
  gboolean good = statement != NULL;

  for (guint n = 0; good && n < MOST_ROWS && (step = lc_statement_step (statement, NULL)) == LC_STEP_ROW; n++)
    good = read (before, statement);
  lc_statement_free (statement);
  return good && step == LC_STEP_DONE;
}

static const char *
places_before_keep (LcPlacesBefore *before, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const (before->strings, text) : NULL;
}

static gboolean
places_before_read_module (LcPlacesBefore *before, LcStatement *statement)
{
  const char *path = lc_statement_text (statement, 0);

  if (path != NULL)
    g_hash_table_add (before->modules, places_before_key (path, lc_statement_text (statement, 1)));
  return TRUE;
}

static gboolean
places_before_read_site (LcPlacesBefore *before, LcStatement *statement)
{
  gint64 line = lc_statement_int (statement, 3);
  BeforeSite site = {.line = line > 0 && line <= G_MAXINT32 ? (guint32)line : 0};

  if (lc_statement_int (statement, 0) != before->sites->len)
    return FALSE;
  site.function = places_before_keep (before, lc_statement_text (statement, 1));
  site.file = places_before_keep (before, lc_statement_text (statement, 2));
  g_array_append_val (before->sites, site);
  return TRUE;
}

/* Among the frames of one site, each has a lower number than what it was put into, or comes before the trace's. */
static gboolean
places_before_read_stack (LcPlacesBefore *before, LcStatement *statement)
{
  gint64 site = lc_statement_int (statement, 1), parent = lc_statement_int (statement, 2);
  BeforeStack stack = {.site = (guint32)site, .parent = LC_TRACE_NONE};

  if (lc_statement_int (statement, 0) != before->stacks->len || site < 0 || site >= before->sites->len)
    return FALSE;
  if (lc_statement_type (statement, 2) == LC_VALUE_INT && parent >= 0 && parent < MOST_ROWS)
    stack.parent = (guint32)parent;
  g_array_append_val (before->stacks, stack);
  return TRUE;
}

static gboolean
places_before_read_object (LcPlacesBefore *before, LcStatement *statement)
{
  const char *name = lc_statement_text (statement, 1);

  if (name != NULL)
    g_hash_table_insert (before->objects, GUINT_TO_POINTER ((guint)lc_statement_int (statement, 0)),
                         (gpointer)places_before_keep (before, name));
  return TRUE;
}

static gboolean
places_before_is_of (LcDatabase *database, const char *fingerprint)
{
  LcStatement *statement =
      lc_database_prepare (database, "SELECT 1 FROM meta WHERE key = 'fingerprint' AND value = ?1", NULL, NULL);
  gboolean same = FALSE;

  if (statement != NULL)
    {
      lc_statement_bind_text (statement, 1, fingerprint);
      same = lc_statement_step (statement, NULL) == LC_STEP_ROW;
    }
  lc_statement_free (statement);
  return same;
}

static gboolean
places_before_read (LcPlacesBefore *before, LcDatabase *database, const LcGivenNames *names)
{
  return places_before_read_rows (before, database,
                                  "SELECT DISTINCT m.path, m.build_id FROM site s JOIN module m ON m.id = s.module "
                                  "WHERE s.function IS NOT NULL",
                                  places_before_read_module) &&
         places_before_read_rows (before, database, "SELECT id, function, file, line FROM site ORDER BY id",
                                  places_before_read_site) &&
         places_before_read_rows (before, database, "SELECT id, site, parent FROM stack ORDER BY id",
                                  places_before_read_stack) &&
         (!lc_names_are_of (database, names) ||
          places_before_read_rows (before, database, "SELECT id, name FROM object", places_before_read_object));
}

static void
places_before_find_sites (LcPlacesBefore *before, LcTrace *trace)
{
  guint32 n = lc_trace_get_n_sites (trace);

  before->of_sites = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    before->of_sites[i] = LC_TRACE_NONE;
  for (guint32 i = 0; i < before->n_stacks; i++)
    before->of_sites[lc_trace_get_stack (trace, i)->site] = i;
}

LcPlacesBefore *
lc_places_before_new (const LcHistoryFile *file, LcTrace *trace, const char *fingerprint, const LcGivenNames *names)
{
  g_autoptr (LcPlacesBefore) before = NULL;
  LcDatabase *database;
  gboolean good;

  if (!lc_history_file_is_trusted (file) || lc_history_file_has_journal (file))
    return NULL;
  before = g_new0 (LcPlacesBefore, 1);
  before->functions =
      (LcWhereBefore){before, places_before_has_module, places_before_get_frames, places_before_get_object};
  before->modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  before->sites = g_array_new (FALSE, FALSE, sizeof (BeforeSite));
  before->stacks = g_array_new (FALSE, FALSE, sizeof (BeforeStack));
  before->objects = g_hash_table_new (NULL, NULL);
  before->strings = g_string_chunk_new (4096);
  before->n_stacks = lc_trace_get_n_stacks (trace);
  places_before_find_sites (before, trace);
  database = lc_database_open_descriptor (file->fd, file->path, NULL);
  good = database != NULL && lc_schema_check (database, LC_SCHEMA_HISTORY, NULL) &&
         places_before_is_of (database, fingerprint) && places_before_read (before, database, names) &&
         before->stacks->len >= before->n_stacks;
  lc_database_close (database);
  return good ? g_steal_pointer (&before) : NULL;
}

void
lc_places_before_free (LcPlacesBefore *before)
{
  if (before == NULL)
    return;
  g_hash_table_unref (before->modules);
  g_hash_table_unref (before->objects);
  g_array_unref (before->sites);
  g_array_unref (before->stacks);
  g_string_chunk_free (before->strings);
  g_free (before->of_sites);
  g_free (before);
}
