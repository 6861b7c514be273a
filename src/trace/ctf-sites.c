/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the modules and sites of an address space of a binary trace, whatever their records say. */
#include "ctf-sites.h"

#include <string.h>

/* Memory of a module that is loaded. */
typedef struct
{
  guint64 begin, end;
  guint32 module;
} Range;

static int
ctf_sites_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Range *left = a, *right = b;

  return left->begin < right->begin ? -1 : left->begin > right->begin;
}

void
lc_ctf_code_init (LcCtfCode *code, LcTrace *trace, const char *file, LcCtfInstance *instance)
{
  *code = (LcCtfCode){
      .trace = trace,
      .file = file,
      .instance = instance,
      .modules = g_hash_table_new (NULL, NULL),
      .memory = g_tree_new_full (ctf_sites_compare, NULL, g_free, NULL),
  };
}

void
lc_ctf_code_clear (LcCtfCode *code)
{
  g_clear_pointer (&code->modules, g_hash_table_unref);
  g_clear_pointer (&code->memory, g_tree_unref);
}

static void
ctf_sites_count (LcCtfCode *code, const LcRecord *record, LcProblemKind kind, const char *detail)
{
  lc_problems_count (code->trace->problems, kind, code->file, (guint64)record->number * sizeof record->record, "%s",
                     detail);
}

/* --- Modules ----------------------------------------------------------------------------------------------------- */

/* The memory with the highest begin that is not above `address`, or NULL. */
static const Range *
ctf_sites_find_range (const LcCtfCode *code, guint64 address)
{
  const Range key = {.begin = address};
  GTreeNode *after = g_tree_upper_bound (code->memory, &key);
  GTreeNode *node = after != NULL ? g_tree_node_previous (after) : g_tree_node_last (code->memory);

  return node != NULL ? g_tree_node_key (node) : NULL;
}

/* What it overlaps was unloaded before. */
static void
ctf_sites_load (LcCtfCode *code, const Range *range)
{
  const Range *other;

  while ((other = ctf_sites_find_range (code, range->end - 1)) != NULL && other->end > range->begin)
    g_tree_remove (code->memory, other);
  g_tree_insert (code->memory, g_memdup2 (range, sizeof *range), NULL);
}

/* The digits after the name's zero byte; NULL: there are none. */
static char *
ctf_sites_dup_build_id (LcCtfCode *code, const LcRecord *record)
{
  const gsize length = record->record.name_length;
  const gsize path = length > 0 ? strnlen (record->name, length) : 0;

  if (path + 1 >= length)
    return NULL;
  for (gsize i = path + 1; i < length; i++)
    {
      if (g_ascii_isxdigit (record->name[i]))
        continue;
      ctf_sites_count (code, record, LC_PROBLEM_BAD_MODULE,
                       "its build-id has other characters than hexadecimal digits");
      return NULL;
    }
  return g_ascii_strdown (record->name + path + 1, (gssize)(length - path - 1));
}

void
lc_ctf_code_add_module (LcCtfCode *code, const LcRecord *record, const char *path)
{
  g_autofree char *build_id = ctf_sites_dup_build_id (code, record);
  const Range range = {
      .begin = record->record.address,
      .end = record->record.value,
      .module = lc_sites_add_module (code->trace->sites, path, build_id),
  };

  g_hash_table_insert (code->modules, GUINT_TO_POINTER (record->number), GUINT_TO_POINTER (range.module + 1));
  if (range.end > range.begin)
    ctf_sites_load (code, &range);
  else if (range.end != 0) /* a version of the recorder did not say it */
    ctf_sites_count (code, record, LC_PROBLEM_BAD_MODULE, "its memory ends before it begins");
}

/* --- Sites ------------------------------------------------------------------------------------------------------- */

static guint32
ctf_sites_find_module (LcCtfCode *code, const LcRecord *record, guint32 number)
{
  const guint32 found = GPOINTER_TO_UINT (g_hash_table_lookup (code->modules, GUINT_TO_POINTER (number)));

  if (number != 0 && found == 0)
    ctf_sites_count (code, record, LC_PROBLEM_BAD_SITE, "its module has no record before it");
  return found != 0 ? found - 1 : LC_TRACE_NONE;
}

/* Sets the parent and the kind. Only records before this one are known: so no stack is part of itself. */
static void
ctf_sites_set_parent (LcCtfCode *code, const LcRecord *record, const struct lc_site_record *site, LcTraceStack *stack)
{
  const gboolean known = site->kind <= LC_SITE_ENTRY;
  const guint32 parent = lc_ctf_map_get (code->instance->stacks, site->parent);

  stack->kind = known ? (enum lc_site_kind)site->kind : LC_SITE_CALL;
  stack->parent = LC_TRACE_NONE;
  if (!known)
    ctf_sites_count (code, record, LC_PROBLEM_BAD_SITE, "its kind is not known");
  else if (site->kind != LC_SITE_INNER && site->parent != 0)
    ctf_sites_count (code, record, LC_PROBLEM_BAD_SITE, "it is of a kind that has no caller, and has one");
  else if (site->kind == LC_SITE_INNER && parent == LC_TRACE_NONE)
    {
      ctf_sites_count (code, record, LC_PROBLEM_BAD_SITE, "its caller has no record before it");
      stack->kind = LC_SITE_CUT;
    }
  else if (site->kind == LC_SITE_INNER)
    stack->parent = parent;
}

void
lc_ctf_code_add_site (LcCtfCode *code, const LcRecord *record)
{
  struct lc_site_record read;
  LcTraceSite site = {0};
  LcTraceStack stack;

  memcpy (&read, &record->record, sizeof read);
  ctf_sites_set_parent (code, record, &read, &stack);
  site.module = ctf_sites_find_module (code, record, read.module);
  site.offset = read.offset;
  site.is_entry = stack.kind == LC_SITE_ENTRY;
  stack.site = lc_sites_add_site (code->trace->sites, &site);
  lc_ctf_map_set (code->instance->stacks, record->number, lc_sites_add_stack (code->trace->sites, &stack));
}

void
lc_ctf_code_place (LcCtfCode *code, const LcRecord *record, LcObject *object)
{
  const Range *range = record->record.address != 0 ? ctf_sites_find_range (code, record->record.address) : NULL;
  const gboolean has_site = object->object_class != LC_CLASS_FUNCTION && object->instance != LC_TRACE_NONE;

  object->stack = has_site ? lc_ctf_map_get (code->instance->stacks, record->record.module) : LC_TRACE_NONE;
  if (has_site && record->record.module != 0 && object->stack == LC_TRACE_NONE)
    ctf_sites_count (code, record, LC_PROBLEM_SITE_UNKNOWN, "where an object was made or used first");
  object->module = LC_TRACE_NONE;
  if (range == NULL || record->record.address >= range->end || object->object_class == LC_CLASS_FUNCTION)
    return;
  object->module = range->module;
  object->offset = record->record.address - range->begin;
}
