/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the places of a trace: the frames of its stacks, and names for objects and processes. */
#include "lightcone/where.h"

#include "where/library-code.h"

/* How many sites are resolved between two looks whether somebody wants it stopped. */
#define STEP 64

typedef struct
{
  LcWhere *where;
  LcTrace *trace;
  GArray *chains; /* guint32: for each site of the trace, the first of its frames among the sites; ends with a total */
} Finding;

static const char *
keep_string (Finding *finding, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const (finding->where->strings, text) : NULL;
}

static const char *
path_of_module (const Finding *finding, guint32 module)
{
  return module < lc_trace_get_n_modules (finding->trace) ? lc_trace_get_module (finding->trace, module)->path : NULL;
}

/* Adds a frame of a site of the trace. */
static void
add_frame (Finding *finding, const LcTraceSite *from, const char *function, const char *file, guint32 line)
{
  LcWhereSite site = {.function = keep_string (finding, function),
                      .file = keep_string (finding, file),
                      .line = line,
                      .module = from->module,
                      .offset = from->offset};

  site.is_library = lc_is_library_code (path_of_module (finding, from->module), function, file);
  g_array_append_val (finding->where->sites, site);
}

static gboolean
find_sites (Finding *finding, GCancellable *cancellable, GError **error)
{
  guint32 n = lc_trace_get_n_sites (finding->trace);

  for (guint32 i = 0; i < n; i++)
    {
      const LcTraceSite *site = lc_trace_get_site (finding->trace, i);

      if (i % STEP == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      g_array_append_val (finding->chains, finding->where->sites->len);
      add_frame (finding, site, site->function, site->file, site->line);
    }
  g_array_append_val (finding->chains, finding->where->sites->len);
  return TRUE;
}

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

static void
find_stacks (Finding *finding)
{
  LcWhere *where = finding->where;
  guint32 n = lc_trace_get_n_stacks (finding->trace);

  g_array_set_size (where->stacks, n);
  for (guint32 i = 0; i < n; i++)
    {
      const LcTraceStack *stack = lc_trace_get_stack (finding->trace, i);
      guint32 first = g_array_index (finding->chains, guint32, stack->site);
      LcWhereStack frame = {.site = first, .parent = stack->parent, .kind = stack->kind};

      frame.own = own_site (where, frame.site, frame.parent);
      g_array_index (where->stacks, LcWhereStack, i) = frame;
    }
}

LcWhere *
lc_where_new (LcTrace *trace, const char *debug_directory, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcWhere) where = g_new0 (LcWhere, 1);
  g_autoptr (GArray) chains = g_array_new (FALSE, FALSE, sizeof (guint32));
  Finding finding = {where, trace, chains};

  where->sites = g_array_new (FALSE, FALSE, sizeof (LcWhereSite));
  where->stacks = g_array_new (FALSE, TRUE, sizeof (LcWhereStack));
  where->problems = g_array_new (FALSE, FALSE, sizeof (LcWhereProblem));
  where->objects = g_new0 (const char *, lc_trace_get_n_objects (trace) + 1);
  where->processes = g_new0 (const char *, lc_trace_get_n_processes (trace) + 1);
  where->strings = g_string_chunk_new (4096);
  if (!find_sites (&finding, cancellable, error))
    return NULL;
  find_stacks (&finding);
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
  g_free (where);
}
