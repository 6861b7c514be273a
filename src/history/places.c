/* SPDX-License-Identifier: Apache-2.0 */
/* Reads sites and stacks when they are first asked for, whatever the file says. */
#include <string.h>

#include "describe-places.h"
#include "reader.h"

#define SITES \
  "SELECT site.id, function, file, line, path, offset, library FROM site LEFT JOIN module ON module.id = site.module " \
  "ORDER BY site.id"
#define STACKS "SELECT id, parent, site, own, kind FROM stack ORDER BY id"

/* Reads a number less than `before`; null, and everything else, is LC_TRACE_NONE. */
static guint32
places_number (LcStatement *statement, int column, guint32 before)
{
  const gint64 value = lc_statement_int (statement, column);

  return lc_statement_type (statement, column) == LC_VALUE_INT && value >= 0 && value < before ? (guint32)value
                                                                                               : LC_TRACE_NONE;
}

/* --- Sites ------------------------------------------------------------------------------------------------------- */

static const char *
places_text (LcHistory *history, LcStatement *statement, int column)
{
  const char *value = lc_statement_text (statement, column);

  return value != NULL ? g_string_chunk_insert_const (history->place_texts, value) : NULL;
}

static gboolean
places_read_site (LcHistory *history, LcStatement *statement)
{
  const guint32 line = places_number (statement, 3, LC_TRACE_NONE);
  const LcHistorySite site = {
      .id = places_number (statement, 0, LC_TRACE_NONE),
      .function = places_text (history, statement, 1),
      .file = places_text (history, statement, 2),
      .line = line != LC_TRACE_NONE ? line : 0,
      .module = places_text (history, statement, 4),
      .offset = (guint64)lc_statement_int (statement, 5),
      .is_library = lc_statement_int (statement, 6) != 0,
  };

  if (site.id != history->sites->len)
    return FALSE;
  g_array_append_val (history->sites, site);
  return TRUE;
}

/* --- Stacks ------------------------------------------------------------------------------------------------------ */

static gboolean
places_read_stack (LcHistory *history, LcStatement *statement)
{
  const char *kind = lc_statement_text (statement, 4);
  LcHistoryStack stack = {
      .parent = places_number (statement, 1, history->n_stacks),
      .site = places_number (statement, 2, history->sites->len),
      .own = places_number (statement, 3, history->sites->len),
  };

  if (places_number (statement, 0, LC_TRACE_NONE) != history->stacks->len || stack.site == LC_TRACE_NONE ||
      stack.own == LC_TRACE_NONE || !lc_site_kind_find (kind, &stack.kind) ||
      (stack.parent == LC_TRACE_NONE && lc_statement_type (statement, 1) != LC_VALUE_NULL))
    return FALSE;
  g_array_append_val (history->stacks, stack);
  return TRUE;
}

/* Whoever goes from parent to parent must come to an end. Each stack is gone to once; `seen` has who came there. */
static gboolean
places_have_ends (const GArray *stacks)
{
  g_autofree guint32 *seen = g_new0 (guint32, (gsize)stacks->len + 1);

  for (guint32 i = 0; i < stacks->len; i++)
    {
      guint32 at = i;

      while (at != LC_TRACE_NONE && seen[at] == 0)
        {
          seen[at] = i + 1;
          at = g_array_index (stacks, LcHistoryStack, at).parent;
        }
      if (at != LC_TRACE_NONE && seen[at] == i + 1)
        return FALSE;
    }
  return TRUE;
}

/* --- All --------------------------------------------------------------------------------------------------------- */

static gboolean
places_read_rows (LcHistory *history, LcDatabase *database, const char *sql,
                  gboolean (*read) (LcHistory *history, LcStatement *statement), gboolean *good, GError **error)
{
  LcStatement *statement = lc_database_prepare (database, sql, NULL, error);
  LcStep step = LC_STEP_ERROR;

  *good = TRUE;
  while (statement != NULL && *good && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    *good = read (history, statement);
  lc_statement_free (statement);
  return step != LC_STEP_ERROR;
}

static gboolean
places_read_all (LcHistory *history, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  LcDatabase *database = connection != NULL ? lc_connection_get_database (connection) : NULL;
  gboolean sites_good = FALSE, stacks_good = FALSE,
           done = database != NULL &&
                  places_read_rows (history, database, SITES, places_read_site, &sites_good, error) &&
                  places_read_rows (history, database, STACKS, places_read_stack, &stacks_good, error);

  if (!done)
    return FALSE;
  if (sites_good && stacks_good && history->stacks->len == history->n_stacks && places_have_ends (history->stacks))
    return TRUE;
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_DAMAGED, "%s: its sites and stacks are damaged",
               lc_history_get_path (history));
  return FALSE;
}

/* Of a damaged file there are none: what the events say is checked against this. */
static void
places_load (LcHistory *history)
{
  if (places_read_all (history, &history->places_error))
    return;
  g_array_set_size (history->sites, 0);
  g_array_set_size (history->stacks, 0);
}

/* Snapshots share what is read. */
static void
places_need (LcHistory *any)
{
  LcHistory *history = lc_history_get_owner (any);

  if (g_once_init_enter (&history->has_places))
    {
      places_load (history);
      g_once_init_leave (&history->has_places, 1);
    }
}

gboolean
lc_history_read_places (LcHistory *history, GError **error)
{
  const LcHistory *owner = lc_history_get_owner (history);

  places_need (history);
  if (owner->places_error != NULL && error != NULL)
    *error = g_error_copy (owner->places_error);
  return owner->places_error == NULL;
}

guint32
lc_history_get_n_sites (LcHistory *history)
{
  places_need (history);
  return history->sites->len;
}

const LcHistorySite *
lc_history_get_site (LcHistory *history, guint32 site)
{
  places_need (history);
  return site < history->sites->len ? &g_array_index (history->sites, LcHistorySite, site) : NULL;
}

guint32
lc_history_get_n_stacks (LcHistory *history)
{
  places_need (history);
  return history->stacks->len;
}

const LcHistoryStack *
lc_history_get_stack (LcHistory *history, guint32 stack)
{
  places_need (history);
  return stack < history->stacks->len ? &g_array_index (history->stacks, LcHistoryStack, stack) : NULL;
}

const LcHistorySite *
lc_history_get_own_site (LcHistory *history, guint32 stack)
{
  const LcHistoryStack *found = stack != LC_TRACE_NONE ? lc_history_get_stack (history, stack) : NULL;

  return found != NULL ? lc_history_get_site (history, found->own) : NULL;
}

/* Others have their parameters in their names, "put(int) const", or are "operator()". */
static gboolean
places_want_parentheses (const char *function)
{
  return !g_str_has_suffix (function, ")") && !g_str_has_suffix (function, ") const");
}

char *
lc_history_dup_site_text (const LcHistorySite *site)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *file = site != NULL && site->file != NULL ? g_path_get_basename (site->file) : NULL;
  g_autofree char *module = site != NULL && site->module != NULL ? g_path_get_basename (site->module) : NULL;

  if (site == NULL)
    return g_strdup ("(unknown)");
  if (site->function != NULL)
    g_string_append_printf (text, "%s%s", site->function, places_want_parentheses (site->function) ? "()" : "");
  else if (file == NULL)
    g_string_append_printf (text, "0x%" G_GINT64_MODIFIER "x", site->offset);
  if (file != NULL)
    {
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", file);
      if (site->line > 0)
        g_string_append_printf (text, ":%u", site->line);
    }
  else if (module != NULL)
    g_string_append_printf (text, " in %s", module);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* --- The trace -----------------------------------------------------------------------------------------------------
 */

gboolean
lc_history_name_trace (LcHistory *history, LcTrace *trace, GError **error)
{
  const guint32 n_processes = lc_trace_get_n_processes (trace), n_objects = lc_trace_get_n_objects (trace);
  g_autoptr (GPtrArray) processes = g_ptr_array_new_with_free_func (g_free),
                        objects = g_ptr_array_new_with_free_func (g_free);

  /* The trace may have changed since. */
  if (n_processes != lc_history_get_n_processes (history) || n_objects != lc_history_get_n_objects (history))
    return TRUE;
  for (guint32 i = 0; i < n_processes; i++)
    g_ptr_array_add (processes, g_strdup (lc_history_get_process (history, i)->name));
  for (guint32 i = 0; i < n_objects; i++)
    {
      LcHistoryObject object;

      if (!lc_history_get_object (history, i, &object, error))
        return FALSE;
      g_ptr_array_add (objects, g_steal_pointer (&object.name));
      lc_history_object_clear (&object);
    }
  lc_trace_set_names (trace, (const char *const *)processes->pdata, (const char *const *)objects->pdata, NULL);
  return TRUE;
}
