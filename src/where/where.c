/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the places of a trace: the frames of its stacks, and names for objects and processes. */
#include "lightcone/where.h"

#include <string.h>

#include "where/entries.h"
#include "where/library-code.h"
#include "where/naming.h"
#include "where/resolver.h"

/* How many sites are resolved between two looks whether somebody wants it stopped. */
#define STEP 64

/* The frames of a site of the trace, among the sites of the result. */
typedef struct
{
  guint32 first; /* the innermost */
  guint32 n;
} Chain;

/* A site or object of the trace, to be looked for in the order of the modules. */
typedef struct
{
  guint32 module;
  guint32 number;
  guint64 offset;
} Wanted;

typedef struct
{
  LcWhere *where;
  LcTrace *trace;
  GArray *chains;     /* Chain, for each site of the trace */
  GArray *sites;      /* Wanted, sorted */
  GArray *objects;    /* Wanted, sorted */
  GHashTable *outer;  /* LcWhereSite of a function that others were put into -> its number */
  GHashTable *stacks; /* the same for LcWhereStack */
  GCancellable *cancellable;
  const LcWhereBefore *before; /* or NULL */
} Finding;

static const char *
keep_string (Finding *finding, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  return valid != NULL ? g_string_chunk_insert_const (finding->where->strings, valid) : NULL;
}

static const char *
path_of_module (const Finding *finding, guint32 module)
{
  return module < lc_trace_get_n_modules (finding->trace) ? lc_trace_get_module (finding->trace, module)->path : NULL;
}

/* --- Sites ----------------------------------------------------------------------------------------------------- */

static LcWhereSite
make_site (Finding *finding, const LcTraceSite *from, const LcFrame *frame)
{
  LcWhereSite site = {.function = keep_string (finding, frame->function),
                      .file = keep_string (finding, frame->file),
                      .line = frame->file != NULL ? frame->line : 0,
                      .module = from->module,
                      .offset = from->offset};

  site.is_library = lc_is_library_code (path_of_module (finding, from->module), site.function, site.file);
  return site;
}

static void
add_chain (Finding *finding, guint32 number, const GArray *frames)
{
  const LcTraceSite *from = lc_trace_get_site (finding->trace, number);
  Chain chain = {finding->where->sites->len, MAX (frames->len, 1)};

  for (guint i = 0; i < chain.n; i++)
    {
      const LcFrame nothing = {.function = (char *)from->function, .file = from->file, .line = from->line};
      LcWhereSite site = make_site (finding, from, i < frames->len ? &g_array_index (frames, LcFrame, i) : &nothing);

      g_array_append_val (finding->where->sites, site);
    }
  g_array_index (finding->chains, Chain, number) = chain;
}

static int
order_wanted (gconstpointer a, gconstpointer b)
{
  const Wanted *left = a, *right = b;

  if (left->module != right->module)
    return left->module < right->module ? -1 : 1;
  if (left->offset != right->offset)
    return left->offset < right->offset ? -1 : 1;
  return left->number < right->number ? -1 : left->number > right->number;
}

/* What says itself where it is, and what is in no module, is done; the others are to be looked for. */
static void
where_list_wanted (Finding *finding)
{
  g_autoptr (GArray) none = lc_resolver_frames_new ();
  guint32 n = lc_trace_get_n_sites (finding->trace);
  LcTraceObject object;

  g_array_set_size (finding->chains, n);
  for (guint32 i = 0; i < n; i++)
    {
      const LcTraceSite *site = lc_trace_get_site (finding->trace, i);
      Wanted wanted = {site->module, i, site->offset};

      if (site->function != NULL || site->file != NULL || path_of_module (finding, site->module) == NULL)
        add_chain (finding, i, none);
      else
        g_array_append_val (finding->sites, wanted);
    }
  for (guint32 i = 0; i < lc_trace_get_n_objects (finding->trace); i++)
    {
      Wanted wanted;

      lc_trace_get_object (finding->trace, i, &object);
      wanted = (Wanted){object.module, i, object.offset};
      if (lc_wants_name (&object) && path_of_module (finding, object.module) != NULL)
        g_array_append_val (finding->objects, wanted);
    }
  g_array_sort (finding->sites, order_wanted);
  g_array_sort (finding->objects, order_wanted);
}

/* Adds the frames that were found at a site before its module changed. */
static void
where_add_before (const Finding *finding, guint32 number, GArray *frames)
{
  LcWhereSite found[LC_ENTRY_DEPTH];
  guint n = finding->before->get_frames (finding->before->data, number, found, G_N_ELEMENTS (found));

  for (guint i = 0; i < n; i++)
    {
      const LcFrame frame = {g_strdup (found[i].function), found[i].file, found[i].line};

      g_array_append_val (frames, frame);
    }
}

static gboolean
find_sites (Finding *finding, LcResolver *resolver, guint from, guint to, GError **error)
{
  g_autoptr (GArray) frames = lc_resolver_frames_new ();

  for (guint i = from; i < to; i++)
    {
      const Wanted *wanted = &g_array_index (finding->sites, Wanted, i);
      const LcTraceSite *site = lc_trace_get_site (finding->trace, wanted->number);

      if ((i - from) % STEP == 0 && g_cancellable_set_error_if_cancelled (finding->cancellable, error))
        return FALSE;
      g_array_set_size (frames, 0);
      if (resolver != NULL)
        lc_resolver_find (resolver, site->offset, site->is_entry, frames);
      else
        where_add_before (finding, wanted->number, frames);
      add_chain (finding, wanted->number, frames);
    }
  return TRUE;
}

static gboolean
find_variables (Finding *finding, LcResolver *resolver, guint from, guint to, GError **error)
{
  for (guint i = from; i < to; i++)
    {
      const Wanted *wanted = &g_array_index (finding->objects, Wanted, i);
      g_autofree char *name = NULL;

      if ((i - from) % STEP == 0 && g_cancellable_set_error_if_cancelled (finding->cancellable, error))
        return FALSE;
      if (resolver != NULL)
        name = lc_resolver_dup_variable (resolver, wanted->offset);
      else
        name = g_strdup (finding->before->get_object (finding->before->data, wanted->number));
      finding->where->objects[wanted->number] = keep_string (finding, name);
    }
  return TRUE;
}

/* Where those of a module end. */
static guint
end_of_module (const GArray *wanted, guint from, guint32 module)
{
  while (from < wanted->len && g_array_index (wanted, Wanted, from).module == module)
    from++;
  return from;
}

static gboolean
where_is_kept (const Finding *finding, const LcTraceModule *module, LcCodeState state)
{
  return finding->before != NULL && (state == LC_CODE_OTHER || state == LC_CODE_MISSING) &&
         finding->before->has_module (finding->before->data, module->path, module->build_id);
}

/* Has one file of code open at a time. */
static gboolean
find_in_modules (Finding *finding, const char *debug_directory, LcCodeState *states, GError **error)
{
  guint site = 0, object = 0;

  for (guint32 i = 0; i < lc_trace_get_n_modules (finding->trace); i++)
    {
      const LcTraceModule *module = lc_trace_get_module (finding->trace, i);
      guint last_site = end_of_module (finding->sites, site, i);
      guint last_object = end_of_module (finding->objects, object, i);
      g_autoptr (LcResolver) resolver = NULL;

      if (site == last_site && object == last_object)
        continue;
      if (g_cancellable_set_error_if_cancelled (finding->cancellable, error))
        return FALSE;
      resolver = lc_resolver_new (module->path, module->build_id, debug_directory);
      states[i] = lc_resolver_get_state (resolver);
      finding->where->is_unread |= lc_resolver_is_unread (resolver);
      if (where_is_kept (finding, module, states[i]))
        {
          states[i] = LC_CODE_KEPT;
          g_clear_pointer (&resolver, lc_resolver_free);
        }
      if (!find_sites (finding, resolver, site, last_site, error) ||
          !find_variables (finding, resolver, object, last_object, error))
        return FALSE;
      if (resolver != NULL)
        {
          states[i] = lc_resolver_get_state (resolver);
          finding->where->is_unread |= lc_resolver_is_unread (resolver);
        }
      site = last_site;
      object = last_object;
    }
  return TRUE;
}

/* --- Stacks ---------------------------------------------------------------------------------------------------- */

/* The site to show of a frame whose caller is a stack that is known already. */
static guint32
own_site (const LcWhere *where, guint32 site, guint32 parent)
{
  guint32 outer;

  if (!g_array_index (where->sites, LcWhereSite, site).is_library || parent == LC_TRACE_NONE)
    return site;
  outer = g_array_index (where->stacks, LcWhereStack, parent).own;
  return g_array_index (where->sites, LcWhereSite, outer).is_library ? site : outer;
}

static guint
hash_stack (gconstpointer data)
{
  const LcWhereStack *stack = data;

  return stack->site * 31 + stack->parent * 7 + (guint)stack->kind;
}

static gboolean
equal_stacks (gconstpointer a, gconstpointer b)
{
  const LcWhereStack *left = a, *right = b;

  return left->site == right->site && left->parent == right->parent && left->kind == right->kind;
}

/* Adds a frame of a function that others were put into, unless it is there already. */
static guint32
outer_stack (Finding *finding, LcWhereStack frame)
{
  GArray *stacks = finding->where->stacks;
  gpointer known;

  if (g_hash_table_lookup_extended (finding->stacks, &frame, NULL, &known))
    return GPOINTER_TO_UINT (known);
  frame.own = own_site (finding->where, frame.site, frame.parent);
  g_hash_table_insert (finding->stacks, g_memdup2 (&frame, sizeof frame), GUINT_TO_POINTER (stacks->len));
  g_array_append_val (stacks, frame);
  return stacks->len - 1;
}

static guint
hash_site (gconstpointer data)
{
  const LcWhereSite *site = data;

  return g_direct_hash (site->function) * 31 + g_direct_hash (site->file) * 7 + site->line + site->module;
}

/* The strings are kept once. */
static gboolean
equal_sites (gconstpointer a, gconstpointer b)
{
  const LcWhereSite *left = a, *right = b;

  return left->function == right->function && left->file == right->file && left->line == right->line &&
         left->module == right->module;
}

/* One number for all calls of a line from which functions were put into it. */
static guint32
outer_site (Finding *finding, guint32 site)
{
  const LcWhereSite *found = &g_array_index (finding->where->sites, LcWhereSite, site);
  gpointer known;

  if (g_hash_table_lookup_extended (finding->outer, found, NULL, &known))
    return GPOINTER_TO_UINT (known);
  g_hash_table_insert (finding->outer, g_memdup2 (found, sizeof *found), GUINT_TO_POINTER (site));
  return site;
}

static void
find_stacks (Finding *finding)
{
  LcWhere *where = finding->where;
  guint32 n = lc_trace_get_n_stacks (finding->trace);

  g_array_set_size (where->stacks, n);
  for (guint32 i = 0; i < n; i++)
    {
      const LcTraceStack *stack = lc_trace_get_stack (finding->trace, i);
      Chain chain = g_array_index (finding->chains, Chain, stack->site);
      LcWhereStack frame = {.parent = stack->parent, .kind = stack->kind};

      for (guint32 k = chain.n; k > 1; k--)
        {
          frame.site = outer_site (finding, chain.first + k - 1);
          frame.parent = outer_stack (finding, frame);
          frame.kind = LC_SITE_INNER;
        }
      frame.site = chain.first;
      frame.own = own_site (where, frame.site, frame.parent);
      g_array_index (where->stacks, LcWhereStack, i) = frame;
    }
}

/* --- Names and problems ---------------------------------------------------------------------------------------- */

static void
name_objects (Finding *finding)
{
  LcWhere *where = finding->where;

  for (guint32 i = 0; i < lc_trace_get_n_objects (finding->trace); i++)
    {
      g_autofree char *name = NULL;
      const LcWhereSite *site;
      LcTraceObject object;

      lc_trace_get_object (finding->trace, i, &object);
      if (where->objects[i] != NULL || !lc_wants_name (&object) || object.stack >= where->stacks->len)
        continue;
      site = &g_array_index (where->sites, LcWhereSite, g_array_index (where->stacks, LcWhereStack, object.stack).own);
      name = lc_dup_name_by_site (object.class_name, site, path_of_module (finding, site->module));
      where->objects[i] = keep_string (finding, name);
      where->places[i] = name != NULL ? (guint32)(site - &g_array_index (where->sites, LcWhereSite, 0)) : LC_TRACE_NONE;
    }
}

/* What a process began in: the outermost that is no library's. NULL: all are. */
static const LcWhereSite *
find_outermost_site (const LcWhere *where, guint32 stack)
{
  const LcWhereSite *found = NULL;

  for (guint32 i = stack; i < where->stacks->len; i = g_array_index (where->stacks, LcWhereStack, i).parent)
    {
      guint32 number = g_array_index (where->stacks, LcWhereStack, i).site;
      const LcWhereSite *site = &g_array_index (where->sites, LcWhereSite, number);

      if (!site->is_library)
        found = site;
    }
  return found;
}

const char *
lc_where_get_outermost_function (const LcWhere *where, guint32 stack)
{
  const LcWhereSite *site = find_outermost_site (where, stack);

  return site != NULL ? site->function : NULL;
}

static void
name_processes (Finding *finding)
{
  LcWhere *where = finding->where;

  for (guint32 i = 0; i < lc_trace_get_n_processes (finding->trace); i++)
    where->processes[i] = lc_where_get_outermost_function (where, lc_trace_get_process (finding->trace, i)->start);
}

/* Marks the modules with sites, and those with sites that are shown: of the innermost frames of calls. */
static void
mark_modules (const Finding *finding, gboolean *used, gboolean *shown)
{
  const LcWhere *where = finding->where;
  guint32 n = lc_trace_get_n_modules (finding->trace), n_stacks = lc_trace_get_n_stacks (finding->trace);
  g_autofree gboolean *calls = g_new0 (gboolean, n_stacks + 1);

  for (guint i = 0; i < finding->sites->len; i++)
    used[g_array_index (finding->sites, Wanted, i).module] = TRUE;
  for (guint32 i = 0; i < n_stacks; i++)
    calls[MIN (lc_trace_get_stack (finding->trace, i)->parent, n_stacks)] = TRUE;
  for (guint32 i = 0; i < n_stacks; i++)
    {
      const LcWhereStack *stack = &g_array_index (where->stacks, LcWhereStack, i);

      if (!calls[i] && stack->kind != LC_SITE_ENTRY)
        shown[MIN (g_array_index (where->sites, LcWhereSite, stack->own).module, n)] = TRUE;
    }
}

/* What a package brought has problems only if there is nothing else to show. */
static void
tell_problems (Finding *finding, const LcCodeState *states)
{
  guint32 n = lc_trace_get_n_modules (finding->trace);
  g_autofree gboolean *shown = g_new0 (gboolean, n + 1), *used = g_new0 (gboolean, n + 1);

  mark_modules (finding, used, shown);
  for (guint32 i = 0; i < n; i++)
    {
      const char *path = lc_trace_get_module (finding->trace, i)->path;
      g_autofree char *problem = NULL;
      LcWhereProblem told;

      if (!used[i] || states[i] == LC_CODE_GOOD || (lc_is_packaged (path) && !shown[i]))
        continue;
      problem = lc_dup_problem (path, states[i]);
      told = (LcWhereProblem){i, keep_string (finding, problem)};
      g_array_append_val (finding->where->problems, told);
    }
}

static LcWhere *
where_empty (const LcTrace *trace)
{
  LcWhere *where = g_new0 (LcWhere, 1);

  where->sites = g_array_new (FALSE, FALSE, sizeof (LcWhereSite));
  where->stacks = g_array_new (FALSE, TRUE, sizeof (LcWhereStack));
  where->problems = g_array_new (FALSE, FALSE, sizeof (LcWhereProblem));
  where->objects = g_new0 (const char *, lc_trace_get_n_objects (trace) + 1);
  where->processes = g_new0 (const char *, lc_trace_get_n_processes (trace) + 1);
  where->places = g_new (guint32, lc_trace_get_n_objects (trace) + 1);
  memset (where->places, 0xFF, (lc_trace_get_n_objects (trace) + 1) * sizeof *where->places); /* LC_TRACE_NONE */
  where->given = g_new0 (const char *, lc_trace_get_n_processes (trace) + 1);
  where->strings = g_string_chunk_new (4096);
  return where;
}

LcWhere *
lc_where_new (LcTrace *trace, const char *debug_directory, GCancellable *cancellable, GError **error)
{
  return lc_where_new_after (trace, debug_directory, NULL, cancellable, error);
}

LcWhere *
lc_where_new_after (LcTrace *trace, const char *debug_directory, const LcWhereBefore *before, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (LcWhere) where = where_empty (trace);
  g_autoptr (GArray) chains = g_array_new (FALSE, TRUE, sizeof (Chain));
  g_autoptr (GArray) sites = g_array_new (FALSE, FALSE, sizeof (Wanted));
  g_autoptr (GArray) objects = g_array_new (FALSE, FALSE, sizeof (Wanted));
  g_autoptr (GHashTable) outer = g_hash_table_new_full (hash_site, equal_sites, g_free, NULL);
  g_autoptr (GHashTable) stacks = g_hash_table_new_full (hash_stack, equal_stacks, g_free, NULL);
  g_autofree LcCodeState *states = g_new0 (LcCodeState, lc_trace_get_n_modules (trace) + 1);
  Finding finding = {where, trace, chains, sites, objects, outer, stacks, cancellable, before};

  where_list_wanted (&finding);
  if (!find_in_modules (&finding, debug_directory, states, error))
    return NULL;
  find_stacks (&finding);
  name_objects (&finding);
  name_processes (&finding);
  tell_problems (&finding, states);
  return g_steal_pointer (&where);
}

void
lc_where_free (LcWhere *where)
{
  g_clear_pointer (&where->sites, g_array_unref);
  g_clear_pointer (&where->stacks, g_array_unref);
  g_clear_pointer (&where->problems, g_array_unref);
  g_clear_pointer (&where->strings, g_string_chunk_free);
  g_free (where->objects);
  g_free (where->processes);
  g_free (where->given);
  g_free (where->places);
  g_free (where->order);
  g_free (where);
}
