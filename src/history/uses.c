/* SPDX-License-Identifier: Apache-2.0 */
/* Names of objects that nobody saw being made: after a line that is the same in every run. */
#include "uses.h"

#include <string.h>

#include "where/naming.h"

enum
{
  MOST_SITES = 4, /* of an object */
};

#define FAR (G_GUINT64_CONSTANT (32) << 20) /* bytes: a C library gives each of some threads 64 MiB of addresses */

/* What uses an object that has no name of its own. */
typedef struct
{
  guint32 process; /* the lowest */
  guint32 last;    /* rank of the last site that was noted */
  guint32 n_sites;
  gboolean is_shared;         /* by several processes */
  gboolean is_of_tasks;       /* it is what some wait for that have made tasks, which end for it */
  gboolean has_waits;         /* its sites are those of such waits only */
  gboolean is_used_first;     /* the site where it was first seen is one of its events, not of its making */
  guint32 ranks[MOST_SITES];  /* of its sites, the lowest first */
  guint32 stacks[MOST_SITES]; /* a stack of each */
} Use;

struct _LcUses
{
  guint32 n_objects;
  guint32 n_stacks;
  guint32 *objects; /* index in `uses`, or LC_TRACE_NONE */
  guint32 *firsts;  /* by index in `uses`: rank of the site where it was first seen, or LC_TRACE_NONE */
  guint32 *ranks;   /* by stack: place of its innermost site among all sites, the same in every run */
  GArray *uses;     /* Use */
  guint32 task_end; /* operations, or LC_TRACE_NONE */
  guint32 task_wait;
};

/* --- Ranks ---------------------------------------------------------------------------------------------------------
 */

/* Sorts sites by what they are, not by when they were met. */
static int
uses_compare_sites (gconstpointer a, gconstpointer b, gpointer trace)
{
  const LcTraceSite *one = lc_trace_get_site (trace, *(const guint32 *)a);
  const LcTraceSite *other = lc_trace_get_site (trace, *(const guint32 *)b);
  guint32 n = lc_trace_get_n_modules (trace);
  const char *path = one->module < n ? lc_trace_get_module (trace, one->module)->path : NULL;
  const char *other_path = other->module < n ? lc_trace_get_module (trace, other->module)->path : NULL;
  int order = g_strcmp0 (path, other_path);

  if (order != 0 || one->offset != other->offset)
    return order != 0 ? order : one->offset < other->offset ? -1 : 1;
  order = g_strcmp0 (one->file, other->file);
  if (order != 0 || one->line != other->line)
    return order != 0 ? order : one->line < other->line ? -1 : 1;
  return g_strcmp0 (one->function, other->function);
}

/* Calls of one place have one rank. */
static guint32 *
uses_rank_sites (LcTrace *trace)
{
  guint32 n = lc_trace_get_n_sites (trace), rank = 0;
  g_autofree guint32 *sites = g_new (guint32, MAX (n, 1));
  guint32 *ranks = g_new (guint32, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    sites[i] = i;
  g_qsort_with_data (sites, (int)n, sizeof *sites, uses_compare_sites, trace);
  for (guint32 i = 0; i < n; i++)
    {
      rank += i > 0 && uses_compare_sites (&sites[i - 1], &sites[i], trace) != 0;
      ranks[sites[i]] = rank;
    }
  return ranks;
}

static guint32 *
uses_rank_stacks (LcTrace *trace)
{
  g_autofree guint32 *sites = uses_rank_sites (trace);
  guint32 n = lc_trace_get_n_stacks (trace);
  guint32 *ranks = g_new (guint32, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    ranks[i] = sites[lc_trace_get_stack (trace, i)->site];
  return ranks;
}

/* --- Noting --------------------------------------------------------------------------------------------------------
 */

static guint32
uses_find_operation (LcTrace *trace, const char *name)
{
  for (guint32 i = 0; i < lc_trace_get_n_operations (trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);

      if (operation != NULL && g_strcmp0 (operation->class_name, "task") == 0 && g_strcmp0 (operation->name, name) == 0)
        return i;
    }
  return LC_TRACE_NONE;
}

LcUses *
lc_uses_new (LcTrace *trace)
{
  LcUses *uses = g_new0 (LcUses, 1);
  const Use none = {.process = LC_TRACE_NONE, .last = LC_TRACE_NONE};
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (guint32));

  uses->n_objects = lc_trace_get_n_objects (trace);
  uses->n_stacks = lc_trace_get_n_stacks (trace);
  uses->objects = g_new (guint32, MAX (uses->n_objects, 1));
  uses->ranks = uses_rank_stacks (trace);
  uses->uses = g_array_new (FALSE, FALSE, sizeof (Use));
  uses->task_end = uses_find_operation (trace, "task-end");
  uses->task_wait = uses_find_operation (trace, "task-wait");
  for (guint32 i = 0; i < uses->n_objects; i++)
    {
      LcTraceObject object;

      lc_trace_get_object (trace, i, &object);
      uses->objects[i] = LC_TRACE_NONE;
      if (!lc_wants_name (&object) || object.stack >= uses->n_stacks)
        continue;
      uses->objects[i] = uses->uses->len;
      g_array_append_val (uses->uses, none);
      g_array_append_val (firsts, uses->ranks[object.stack]);
    }
  uses->firsts = (guint32 *)(void *)g_array_free (g_steal_pointer (&firsts), FALSE);
  return uses;
}

void
lc_uses_free (LcUses *uses)
{
  if (uses == NULL)
    return;
  g_array_unref (uses->uses);
  g_free (uses->objects);
  g_free (uses->firsts);
  g_free (uses->ranks);
  g_free (uses);
}

/* Notes a site, if it is one of the lowest. */
static void
uses_add_site (Use *use, guint32 rank, guint32 stack)
{
  guint32 at = 0;

  while (at < use->n_sites && use->ranks[at] < rank)
    at++;
  if (at == MOST_SITES || (at < use->n_sites && use->ranks[at] == rank))
    return;
  use->n_sites = MIN (use->n_sites + 1, MOST_SITES);
  for (guint32 i = use->n_sites - 1; i > at; i--)
    {
      use->ranks[i] = use->ranks[i - 1];
      use->stacks[i] = use->stacks[i - 1];
    }
  use->ranks[at] = rank;
  use->stacks[at] = stack;
}

/* Whether the site of an event says something of its object. Tasks end where they are made, as those of other waits
 * do, so where they are waited for says more. */
static gboolean
uses_add_operation (const LcUses *uses, Use *use, guint32 operation)
{
  const gboolean is_wait = operation == uses->task_wait;

  use->is_of_tasks |= is_wait || operation == uses->task_end;
  if (is_wait && !use->has_waits)
    {
      use->has_waits = TRUE;
      use->last = LC_TRACE_NONE;
      use->n_sites = 0;
    }
  return is_wait || !use->has_waits;
}

void
lc_uses_add (LcUses *uses, guint32 process, guint32 operation, guint32 object, guint32 stack)
{
  guint32 index = object < uses->n_objects ? uses->objects[object] : LC_TRACE_NONE, rank;
  Use *use;

  if (index == LC_TRACE_NONE || stack >= uses->n_stacks)
    return;
  use = &g_array_index (uses->uses, Use, index);
  rank = uses->ranks[stack];
  use->is_shared |= use->process != LC_TRACE_NONE && use->process != process;
  use->process = MIN (use->process, process);
  use->is_used_first |= rank == uses->firsts[index];
  if (!uses_add_operation (uses, use, operation) || use->last == rank)
    return;
  use->last = rank;
  uses_add_site (use, rank, stack);
}

/* --- Names ---------------------------------------------------------------------------------------------------------
 */

static const LcWhereSite *
uses_get_site (const LcWhere *where, guint32 number)
{
  return &g_array_index (where->sites, LcWhereSite, number);
}

/* Whether a site makes a better name: of the program rather than of a library, then the first in the first file. */
static gboolean
uses_is_better (const LcWhereSite *site, const LcWhereSite *than)
{
  int order = g_strcmp0 (site->file, than->file);

  if (site->is_library != than->is_library)
    return than->is_library;
  if ((site->file != NULL) != (than->file != NULL))
    return site->file != NULL;
  return order != 0 ? order < 0 : site->line < than->line;
}

static guint32
uses_choose_site (const Use *use, const LcWhere *where)
{
  guint32 chosen = LC_TRACE_NONE;

  for (guint32 i = 0; i < use->n_sites; i++)
    {
      guint32 site = g_array_index (where->stacks, LcWhereStack, use->stacks[i]).own;

      if (chosen == LC_TRACE_NONE || uses_is_better (uses_get_site (where, site), uses_get_site (where, chosen)))
        chosen = site;
    }
  return chosen;
}

static void
uses_name_object (const Use *use, LcTrace *trace, LcWhere *where, guint32 id, const LcTraceObject *object)
{
  guint32 number = uses_choose_site (use, where);
  const LcWhereSite *site = number != LC_TRACE_NONE ? uses_get_site (where, number) : NULL;
  const char *path = site != NULL && site->module < lc_trace_get_n_modules (trace)
                         ? lc_trace_get_module (trace, site->module)->path
                         : NULL;
  const char *what = use->is_of_tasks ? "tasks" : object->class_name;
  g_autofree char *name = site != NULL ? lc_dup_name_by_site (what, site, path) : NULL;

  if (name == NULL)
    return;
  where->objects[id] = g_string_chunk_insert_const (where->strings, name);
  where->places[id] = number;
}

/* --- Numbers -------------------------------------------------------------------------------------------------------
 */

/* An object that has its name from a line, among those of the same name. */
typedef struct
{
  const char *name;
  guint64 address;
  guint32 id;
  guint32 instance;
  guint32 process; /* the lowest that uses it; of memory that is used first: that uses anything near it */
  gboolean is_shared;
  gboolean is_used_first;
} Numbered;

static int
uses_compare_names (gconstpointer a, gconstpointer b)
{
  const Numbered *one = a, *other = b;
  int order = one->name == other->name ? 0 : strcmp (one->name, other->name);

  if (order != 0)
    return order;
  if (one->instance != other->instance)
    return one->instance < other->instance ? -1 : 1;
  return one->id < other->id ? -1 : one->id > other->id;
}

static int
uses_compare_addresses (gconstpointer a, gconstpointer b)
{
  const Numbered *one = a, *other = b;

  if (one->address != other->address)
    return one->address < other->address ? -1 : 1;
  return one->id < other->id ? -1 : one->id > other->id;
}

/* For a stable sort: those of one process stay in their order. */
static int
uses_compare_processes (gconstpointer a, gconstpointer b, gpointer nothing)
{
  const Numbered *one = a, *other = b;

  return one->process < other->process ? -1 : one->process > other->process;
}

/* Objects that lie near each other come one after the other, as their addresses do: they are in one array, or were
 * made by one thread. Threads that each have some of their own may have got their memory in any order. */
static void
uses_order_memory (Numbered *objects, gsize n, gboolean any_shared)
{
  qsort (objects, n, sizeof *objects, uses_compare_addresses);
  if (!any_shared)
    return;
  for (gsize first = 0, end; first < n; first = end)
    {
      guint32 process = objects[first].process;

      for (end = first + 1; end < n && objects[end].address - objects[end - 1].address < FAR; end++)
        process = MIN (process, objects[end].process);
      for (gsize i = first; i < end; i++)
        objects[i].process = process;
    }
}

/* Orders the objects of one name. Those that were made by one process, one after the other, are in that order. */
static void
uses_order_slice (Numbered *objects, gsize n, gboolean by_several)
{
  gboolean all_used_first = TRUE, any_shared = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      all_used_first &= objects[i].is_used_first;
      any_shared |= objects[i].is_shared;
    }
  if (all_used_first)
    uses_order_memory (objects, n, any_shared);
  if (all_used_first || by_several)
    g_qsort_with_data (objects, (int)n, sizeof *objects, uses_compare_processes, NULL);
}

/* Whether the function that the stack of an object begins in is that of several processes. */
static gboolean
uses_is_by_several (const LcTrace *trace, const LcWhere *where, guint32 stack)
{
  const char *function = lc_where_get_outermost_function (where, stack);
  guint n = 0;

  for (guint32 i = 0; function != NULL && i < lc_trace_get_n_processes (trace) && n < 2; i++)
    n += where->processes[i] != NULL && strcmp (where->processes[i], function) == 0;
  return n > 1;
}

static GArray *
uses_list_numbered (const LcUses *uses, LcTrace *trace, const LcWhere *where)
{
  GArray *numbered = g_array_new (FALSE, FALSE, sizeof (Numbered));

  for (guint32 i = 0; i < uses->n_objects; i++)
    {
      LcTraceObject object;
      const Use *use;
      Numbered of;

      if (uses->objects[i] == LC_TRACE_NONE || where->places[i] == LC_TRACE_NONE)
        continue;
      use = &g_array_index (uses->uses, Use, uses->objects[i]);
      lc_trace_get_object (trace, i, &object);
      of = (Numbered){where->objects[i], object.address,    i, object.instance, use->process,
                      use->is_shared,    use->is_used_first};
      g_array_append_val (numbered, of);
    }
  g_array_sort (numbered, uses_compare_names);
  return numbered;
}

static void
uses_set_order (const LcUses *uses, LcTrace *trace, LcWhere *where)
{
  g_autoptr (GArray) numbered = uses_list_numbered (uses, trace, where);
  Numbered *objects = (Numbered *)(void *)numbered->data;
  guint32 n = 0;

  where->order = g_new (guint32, uses->n_objects + 1);
  for (guint32 i = 0; i < uses->n_objects; i++)
    if (uses->objects[i] == LC_TRACE_NONE || where->places[i] == LC_TRACE_NONE)
      where->order[n++] = i;
  for (guint first = 0, end; first < numbered->len; first = end)
    {
      LcTraceObject object;

      for (end = first + 1; end < numbered->len && objects[end].name == objects[first].name; end++)
        if (objects[end].instance != objects[first].instance)
          break;
      lc_trace_get_object (trace, objects[first].id, &object);
      uses_order_slice (&objects[first], end - first, uses_is_by_several (trace, where, object.stack));
      for (guint i = first; i < end; i++)
        where->order[n++] = objects[i].id;
    }
}

void
lc_uses_name (const LcUses *uses, LcTrace *trace, LcWhere *where)
{
  for (guint32 i = 0; i < uses->n_objects; i++)
    {
      const Use *use = uses->objects[i] != LC_TRACE_NONE ? &g_array_index (uses->uses, Use, uses->objects[i]) : NULL;
      LcTraceObject object;

      if (use == NULL || where->places[i] == LC_TRACE_NONE || !use->is_used_first)
        continue;
      lc_trace_get_object (trace, i, &object);
      uses_name_object (use, trace, where, i, &object);
    }
  uses_set_order (uses, trace, where);
}
