/* SPDX-License-Identifier: Apache-2.0 */
/* Measures parts of runs: two runs of a program are compared by what is the same in both. */
#include "lightcone/lengths.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* A process among those that one process made. */
typedef struct
{
  guint32 process;
  guint32 parent;  /* or LC_TRACE_NONE */
  guint64 ordinal; /* of the event that created it; G_MAXUINT64: none did */
} Birth;

typedef struct
{
  LcHistory *history;
  guint32 object;  /* the region */
  gboolean *opens; /* by operation: it begins the part; any other that is looked at ends it */
  gboolean begun, ended;
  guint64 begin, end;
  Birth *births; /* by process */
  GError *error;
} Search;

/* --- The part -------------------------------------------------------------------------------------------------- */

static guint32
lengths_find_operation (const LcHistory *history, const char *name)
{
  for (guint32 i = 0; i < lc_history_get_n_operations (history); i++)
    {
      const LcHistoryOperation *operation = lc_history_get_operation (history, i);

      if (operation != NULL && strcmp (operation->name, name) == 0)
        return i;
    }
  return LC_TRACE_NONE;
}

static gboolean
lengths_visit (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Search *search = data;

  if (search->object != LC_TRACE_NONE && event->object != search->object)
    return TRUE;
  if (search->opens[event->operation])
    {
      search->begin = search->begun ? MIN (search->begin, event->begin) : event->begin;
      search->begun = TRUE;
    }
  else
    {
      search->end = MAX (search->end, event->end);
      search->ended = TRUE;
    }
  return TRUE;
}

/* FALSE without an error: the part does not begin or does not end. */
static gboolean
lengths_search (Search *search, guint32 timeline, const char *first, const char *last, GCancellable *cancellable)
{
  const guint32 n = lc_history_get_n_operations (search->history);
  const guint32 from = lengths_find_operation (search->history, first);
  const guint32 to = lengths_find_operation (search->history, last);
  g_autofree gboolean *opens = g_new0 (gboolean, n + 1), *wanted = g_new0 (gboolean, n + 1);

  if (from == LC_TRACE_NONE || to == LC_TRACE_NONE)
    return FALSE;
  opens[from] = wanted[from] = wanted[to] = TRUE;
  search->opens = opens;
  for (guint32 i = 0; i < lc_history_get_n_processes (search->history); i++)
    if (!lc_history_visit_operations (search->history, timeline, i, wanted, lengths_visit, search, cancellable,
                                      &search->error))
      return FALSE;
  return search->begun && search->ended && search->end > search->begin;
}

/* FALSE without an error: no region has this name. */
static gboolean
lengths_find_region (Search *search, const char *name)
{
  for (guint32 i = 0; i < lc_history_get_n_objects (search->history); i++)
    {
      LcHistoryObject object;
      gboolean found;

      if (!lc_history_get_object (search->history, i, &object, &search->error))
        return FALSE;
      found = strcmp (object.class_name, "mark") == 0 && strcmp (object.name, name) == 0;
      lc_history_object_clear (&object);
      if (found)
        {
          search->object = i;
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
lengths_find_part (LcLengths *lengths, LcHistory *history, guint32 timeline, const char *part,
                   GCancellable *cancellable, GError **error)
{
  Search search = {.history = history, .object = LC_TRACE_NONE};
  gboolean found = FALSE;

  lengths->part = LC_PART_THREADS;
  if (part == NULL || strcmp (part, "threads") == 0)
    found = lengths_search (&search, timeline, "create", "join", cancellable);
  else if (strcmp (part, "run") != 0)
    {
      lengths->part = LC_PART_REGION;
      found = lengths_find_region (&search, part) && lengths_search (&search, timeline, "enter", "leave", cancellable);
    }
  if (search.error != NULL)
    {
      g_propagate_error (error, search.error);
      return FALSE;
    }
  if (found)
    {
      lengths->begin = search.begin;
      lengths->end = search.end;
      return TRUE;
    }
  lengths->part = LC_PART_RUN;
  if (part == NULL || strcmp (part, "run") == 0)
    return TRUE;
  if (strcmp (part, "threads") == 0)
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, _ ("%s: no thread is made and joined"),
                 lc_history_get_path (history));
  else
    g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
                 _ ("%s: no region “%s” is entered and left (a part is run, threads, or the name of a region)"),
                 lc_history_get_path (history), part);
  return FALSE;
}

/* --- Processes ------------------------------------------------------------------------------------------------- */

static gboolean
lengths_visit_create (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  Search *search = data;
  LcHistoryObject object;

  if (event->object == LC_TRACE_NONE)
    return TRUE;
  if (!lc_history_get_object (search->history, event->object, &object, &search->error))
    return FALSE;
  if (object.process != LC_TRACE_NONE && object.process < lc_history_get_n_processes (search->history) &&
      search->births[object.process].parent == event->process)
    search->births[object.process].ordinal = event->ordinal;
  lc_history_object_clear (&object);
  return TRUE;
}

static int
lengths_compare_births (gconstpointer a, gconstpointer b)
{
  const Birth *of_a = a, *of_b = b;

  if (of_a->parent != of_b->parent)
    return of_a->parent < of_b->parent ? -1 : 1;
  if (of_a->ordinal != of_b->ordinal)
    return of_a->ordinal < of_b->ordinal ? -1 : 1;
  return of_a->process < of_b->process ? -1 : of_a->process > of_b->process;
}

/* A parent has a smaller number than its children; of any other, no path is made. */
static void
lengths_make_paths (LcLengths *lengths, const Birth *births, guint32 n)
{
  g_autofree guint32 *numbers = g_new0 (guint32, n + 1);

  for (guint32 i = 0; i < n; i++)
    numbers[births[i].process] =
        i > 0 && births[i - 1].parent == births[i].parent ? numbers[births[i - 1].process] + 1 : 0;
  for (guint32 i = 0; i < n; i++)
    {
      LcProcessLength *process = &g_array_index (lengths->processes, LcProcessLength, i);
      const LcHistoryProcess *of = lc_history_get_process (lengths->history, i);

      if (of->parent != LC_TRACE_NONE && of->parent < i)
        process->path =
            g_strdup_printf ("%s.%u", g_array_index (lengths->processes, LcProcessLength, of->parent).path, numbers[i]);
      else
        process->path = g_strdup_printf ("%u", numbers[i]);
    }
}

static gboolean
lengths_find_paths (LcLengths *lengths, GCancellable *cancellable, GError **error)
{
  LcHistory *history = lengths->history;
  const guint32 n = lc_history_get_n_processes (history), create = lengths_find_operation (history, "create");
  g_autofree Birth *births = g_new0 (Birth, n + 1);
  g_autofree gboolean *wanted = g_new0 (gboolean, lc_history_get_n_operations (history) + 1);
  Search search = {.history = history, .births = births};

  for (guint32 i = 0; i < n; i++)
    births[i] = (Birth){i, lc_history_get_process (history, i)->parent, G_MAXUINT64};
  if (create != LC_TRACE_NONE)
    wanted[create] = TRUE;
  for (guint32 i = 0; i < n && create != LC_TRACE_NONE; i++)
    if (!lc_history_visit_operations (history, LC_TIMELINE_MEASURED, i, wanted, lengths_visit_create, &search,
                                      cancellable, error))
      return FALSE;
  if (search.error != NULL)
    {
      g_propagate_error (error, search.error);
      return FALSE;
    }
  qsort (births, n, sizeof *births, lengths_compare_births);
  lengths_make_paths (lengths, births, n);
  return TRUE;
}

static void
lengths_clear_process (gpointer data)
{
  g_free (((LcProcessLength *)data)->path);
}

static gboolean
lengths_find_processes (LcLengths *lengths, guint32 timeline, GCancellable *cancellable, GError **error)
{
  const guint32 n = lc_history_get_n_processes (lengths->history);
  g_autofree guint64 *begins = g_new0 (guint64, n + 1), *ends = g_new0 (guint64, n + 1);

  if (!lc_history_get_process_spans (lengths->history, timeline, begins, ends, error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      const LcProcessLength process = {.name = lc_history_get_process (lengths->history, i)->name,
                                       .length = ends[i] - begins[i]};

      if (lengths->part == LC_PART_RUN && ends[i] > 0)
        {
          lengths->begin = MIN (lengths->begin, begins[i]);
          lengths->end = MAX (lengths->end, ends[i]);
        }
      g_array_append_val (lengths->processes, process);
    }
  return lengths_find_paths (lengths, cancellable, error);
}

LcLengths *
lc_lengths_find (LcHistory *history, guint32 timeline, const char *part, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcLengths) lengths = g_new0 (LcLengths, 1);

  g_return_val_if_fail (history != NULL, NULL);
  lengths->history = history;
  lengths->begin = G_MAXUINT64;
  lengths->processes = g_array_new (FALSE, TRUE, sizeof (LcProcessLength));
  g_array_set_clear_func (lengths->processes, lengths_clear_process);
  if (!lengths_find_part (lengths, history, timeline, part, cancellable, error) ||
      !lengths_find_processes (lengths, timeline, cancellable, error))
    return NULL;
  lengths->begin = MIN (lengths->begin, lengths->end);
  return g_steal_pointer (&lengths);
}

void
lc_lengths_free (LcLengths *lengths)
{
  if (lengths == NULL)
    return;
  g_array_unref (lengths->processes);
  g_free (lengths);
}
