/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the modules, sites and stacks of a trace. */
#include "sites.h"

/* Strings are unique, so that they can be compared by address. A number in a hash table is 1 more, as 0 is NULL. */
struct _LcSites
{
  GArray *modules;                                        /* LcTraceModule */
  GArray *sites;                                          /* LcTraceSite */
  GArray *stacks;                                         /* LcTraceStack */
  GHashTable *known_modules, *known_sites, *known_stacks; /* copy -> its number + 1 */
  GStringChunk *strings;
};

static guint
sites_mix (guint hash, guint64 value)
{
  value *= G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  return hash * 31 + (guint)(value >> 32);
}

static guint
sites_hash_module (gconstpointer data)
{
  const LcTraceModule *module = data;

  return sites_mix (sites_mix (0, GPOINTER_TO_SIZE (module->path)), GPOINTER_TO_SIZE (module->build_id));
}

static gboolean
sites_equal_modules (gconstpointer a, gconstpointer b)
{
  const LcTraceModule *left = a, *right = b;

  return left->path == right->path && left->build_id == right->build_id;
}

static guint
sites_hash_site (gconstpointer data)
{
  const LcTraceSite *site = data;
  guint hash = sites_mix (sites_mix (site->is_entry != FALSE, site->module), site->offset);

  hash = sites_mix (sites_mix (hash, GPOINTER_TO_SIZE (site->function)), GPOINTER_TO_SIZE (site->file));
  return sites_mix (hash, site->line);
}

static gboolean
sites_equal_sites (gconstpointer a, gconstpointer b)
{
  const LcTraceSite *left = a, *right = b;

  return left->module == right->module && left->offset == right->offset &&
         (left->is_entry != FALSE) == (right->is_entry != FALSE) && left->function == right->function &&
         left->file == right->file && left->line == right->line;
}

static guint
sites_hash_stack (gconstpointer data)
{
  const LcTraceStack *stack = data;

  return sites_mix (sites_mix ((guint)stack->kind, stack->site), stack->parent);
}

static gboolean
sites_equal_stacks (gconstpointer a, gconstpointer b)
{
  const LcTraceStack *left = a, *right = b;

  return left->site == right->site && left->parent == right->parent && left->kind == right->kind;
}

LcSites *
lc_sites_new (void)
{
  LcSites *sites = g_new0 (LcSites, 1);

  sites->modules = g_array_new (FALSE, FALSE, sizeof (LcTraceModule));
  sites->sites = g_array_new (FALSE, FALSE, sizeof (LcTraceSite));
  sites->stacks = g_array_new (FALSE, FALSE, sizeof (LcTraceStack));
  sites->known_modules = g_hash_table_new_full (sites_hash_module, sites_equal_modules, g_free, NULL);
  sites->known_sites = g_hash_table_new_full (sites_hash_site, sites_equal_sites, g_free, NULL);
  sites->known_stacks = g_hash_table_new_full (sites_hash_stack, sites_equal_stacks, g_free, NULL);
  sites->strings = g_string_chunk_new (1024);
  return sites;
}

void
lc_sites_free (LcSites *sites)
{
  g_hash_table_unref (sites->known_modules);
  g_hash_table_unref (sites->known_sites);
  g_hash_table_unref (sites->known_stacks);
  g_array_unref (sites->modules);
  g_array_unref (sites->sites);
  g_array_unref (sites->stacks);
  g_string_chunk_free (sites->strings);
  g_free (sites);
}

static const char *
sites_keep (LcSites *sites, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const (sites->strings, text) : NULL;
}

static guint32
sites_number (GArray *array, GHashTable *known, gconstpointer entry, gsize size)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (known, entry));

  if (number != 0)
    return number - 1;
  g_array_append_vals (array, entry, 1);
  g_hash_table_insert (known, g_memdup2 (entry, size), GUINT_TO_POINTER (array->len));
  return array->len - 1;
}

guint32
lc_sites_add_module (LcSites *sites, const char *path, const char *build_id)
{
  const LcTraceModule module = {sites_keep (sites, path), sites_keep (sites, build_id)};

  return sites_number (sites->modules, sites->known_modules, &module, sizeof module);
}

guint32
lc_sites_add_site (LcSites *sites, const LcTraceSite *site)
{
  LcTraceSite copy = *site;

  g_return_val_if_fail (site->module == LC_TRACE_NONE || site->module < sites->modules->len, LC_TRACE_NONE);
  copy.function = sites_keep (sites, site->function);
  copy.file = sites_keep (sites, site->file);
  return sites_number (sites->sites, sites->known_sites, &copy, sizeof copy);
}

guint32
lc_sites_add_stack (LcSites *sites, const LcTraceStack *stack)
{
  g_return_val_if_fail (stack->site < sites->sites->len, LC_TRACE_NONE);
  g_return_val_if_fail (stack->parent == LC_TRACE_NONE || stack->parent < sites->stacks->len, LC_TRACE_NONE);
  return sites_number (sites->stacks, sites->known_stacks, stack, sizeof *stack);
}

guint32 *
lc_sites_copy (LcSites *sites, const LcSites *others, guint32 **modules)
{
  guint32 *stacks = g_new (guint32, others->stacks->len);
  g_autofree guint32 *numbers = g_new (guint32, others->sites->len);

  *modules = g_new (guint32, others->modules->len);
  for (guint i = 0; i < others->modules->len; i++)
    {
      const LcTraceModule *module = lc_sites_get_module (others, i);

      (*modules)[i] = lc_sites_add_module (sites, module->path, module->build_id);
    }
  for (guint i = 0; i < others->sites->len; i++)
    {
      LcTraceSite site = *lc_sites_get_site (others, i);

      if (site.module != LC_TRACE_NONE)
        site.module = (*modules)[site.module];
      numbers[i] = lc_sites_add_site (sites, &site);
    }
  for (guint i = 0; i < others->stacks->len; i++)
    {
      LcTraceStack stack = *lc_sites_get_stack (others, i);

      stack.site = numbers[stack.site];
      if (stack.parent != LC_TRACE_NONE)
        stack.parent = stacks[stack.parent];
      stacks[i] = lc_sites_add_stack (sites, &stack);
    }
  return stacks;
}

guint32
lc_sites_count_modules (const LcSites *sites)
{
  return sites->modules->len;
}

guint32
lc_sites_count_sites (const LcSites *sites)
{
  return sites->sites->len;
}

guint32
lc_sites_count_stacks (const LcSites *sites)
{
  return sites->stacks->len;
}

const LcTraceModule *
lc_sites_get_module (const LcSites *sites, guint32 module)
{
  return &g_array_index (sites->modules, LcTraceModule, module);
}

const LcTraceSite *
lc_sites_get_site (const LcSites *sites, guint32 site)
{
  return &g_array_index (sites->sites, LcTraceSite, site);
}

const LcTraceStack *
lc_sites_get_stack (const LcSites *sites, guint32 stack)
{
  return &g_array_index (sites->stacks, LcTraceStack, stack);
}
