/* SPDX-License-Identifier: Apache-2.0 */
/* Writes where events, objects and processes come from, and names what has no name by it. */
#include "describe-places.h"

#include "trace/objects.h"
#include "trace/reader.h"

static const char *const kinds[] = {
    [LC_SITE_CALL] = "call", [LC_SITE_INNER] = "inner", [LC_SITE_ROOT] = "root",
    [LC_SITE_CUT] = "cut",   [LC_SITE_ENTRY] = "entry",
};

const char *
lc_site_kind_name (enum lc_site_kind kind)
{
  return kinds[kind];
}

gboolean
lc_site_kind_find (const char *name, enum lc_site_kind *kind)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (name, kinds[i]) == 0)
      {
        *kind = (enum lc_site_kind)i;
        return TRUE;
      }
  return FALSE;
}

/* --- Tables ------------------------------------------------------------------------------------------------------ */

static void
describe_places_bind (LcStatement *statement, int at, guint32 number)
{
  if (number == LC_TRACE_NONE)
    lc_statement_bind_null (statement, at);
  else
    lc_statement_bind_int (statement, at, number);
}

static const char *
describe_places_problem (const LcWhere *where, guint32 module)
{
  for (guint i = 0; i < where->problems->len; i++)
    if (g_array_index (where->problems, LcWhereProblem, i).module == module)
      return g_array_index (where->problems, LcWhereProblem, i).problem;
  return NULL;
}

static gboolean
describe_places_add_modules (LcDatabase *database, LcTrace *trace, const LcWhere *where, GError **error)
{
  LcStatement *statement = lc_database_prepare (
      database, "INSERT INTO module (id, path, build_id, problem) VALUES (?1, ?2, ?3, ?4)", NULL, error);
  gboolean good = statement != NULL;

  for (guint32 i = 0; good && i < lc_trace_get_n_modules (trace); i++)
    {
      const LcTraceModule *module = lc_trace_get_module (trace, i);

      lc_statement_bind_int (statement, 1, i);
      lc_statement_bind_text (statement, 2, module->path);
      lc_statement_bind_text (statement, 3, module->build_id);
      lc_statement_bind_text (statement, 4, describe_places_problem (where, i));
      good = lc_statement_run (statement, error);
    }
  lc_statement_free (statement);
  return good;
}

/* What a text trace says itself has neither a module nor an offset. */
static gboolean
describe_places_add_sites (LcDatabase *database, const LcWhere *where, GError **error)
{
  LcStatement *statement = lc_database_prepare (database,
                                                "INSERT INTO site (id, function, file, line, module, offset, library)"
                                                " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                                                NULL, error);
  gboolean good = statement != NULL;

  for (guint32 i = 0; good && i < where->sites->len; i++)
    {
      const LcWhereSite *site = &g_array_index (where->sites, LcWhereSite, i);

      lc_statement_bind_int (statement, 1, i);
      lc_statement_bind_text (statement, 2, site->function);
      lc_statement_bind_text (statement, 3, site->file);
      describe_places_bind (statement, 4, site->line > 0 ? site->line : LC_TRACE_NONE);
      describe_places_bind (statement, 5, site->module);
      if (site->module == LC_TRACE_NONE && site->offset == 0)
        lc_statement_bind_null (statement, 6);
      else
        lc_statement_bind_int (statement, 6, (gint64)site->offset);
      lc_statement_bind_int (statement, 7, site->is_library != FALSE);
      good = lc_statement_run (statement, error);
    }
  lc_statement_free (statement);
  return good;
}

static gboolean
describe_places_add_stacks (LcDatabase *database, const LcWhere *where, GError **error)
{
  LcStatement *statement = lc_database_prepare (
      database, "INSERT INTO stack (id, parent, site, own, kind) VALUES (?1, ?2, ?3, ?4, ?5)", NULL, error);
  gboolean good = statement != NULL;

  for (guint32 i = 0; good && i < where->stacks->len; i++)
    {
      const LcWhereStack *stack = &g_array_index (where->stacks, LcWhereStack, i);

      lc_statement_bind_int (statement, 1, i);
      describe_places_bind (statement, 2, stack->parent);
      lc_statement_bind_int (statement, 3, stack->site);
      lc_statement_bind_int (statement, 4, stack->own);
      lc_statement_bind_text (statement, 5, lc_site_kind_name (stack->kind));
      good = lc_statement_run (statement, error);
    }
  lc_statement_free (statement);
  return good;
}

gboolean
lc_describe_places (LcDatabase *database, LcTrace *trace, const LcWhere *where, GError **error)
{
  return describe_places_add_modules (database, trace, where, error) &&
         describe_places_add_sites (database, where, error) && describe_places_add_stacks (database, where, error);
}

/* --- Names ------------------------------------------------------------------------------------------------------- */

static const char *
describe_places_object_name (const LcWhere *where, const GPtrArray *processes, const LcTraceObject *object, guint32 id)
{
  if (object->process != LC_TRACE_NONE)
    return processes->pdata[object->process];
  return where->objects[id] != NULL ? where->objects[id] : object->name;
}

GPtrArray *
lc_describe_name_objects (LcTrace *trace, const LcWhere *where, const GPtrArray *processes)
{
  const guint32 n = lc_trace_get_n_objects (trace);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  LcObjects *objects = lc_objects_new ();

  for (guint32 i = 0; i < n; i++)
    {
      LcTraceObject object;
      LcObject named = {.process = LC_TRACE_NONE};

      lc_trace_get_object (trace, i, &object);
      named.name = describe_places_object_name (where, processes, &object, i);
      named.object_class = (guint8)object.object_class;
      lc_objects_add (objects, &named);
    }
  if (where->order != NULL)
    lc_objects_renumber (objects, where->order);
  for (guint32 i = 0; i < n; i++)
    g_ptr_array_add (names, lc_objects_dup_name (objects, i));
  lc_objects_free (objects);
  return names;
}

GPtrArray *
lc_describe_name_processes (LcTrace *trace, const LcWhere *where)
{
  return lc_trace_make_process_names (trace, where->processes, where->given);
}
