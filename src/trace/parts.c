/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of traces of several hosts: the part of each host is a trace, and all parts together are one. */
#include <string.h>

#include "loss.h"
#include "operations.h"
#include "parts-clock.h"

#define LARGEST_OPERATION G_MAXUINT16

typedef struct
{
  LcTrace *trace;
  const char *folder;
  guint number;        /* among all folders, including unreadable ones */
  guint32 instances;   /* offset to the numbers of its address spaces */
  guint32 *processes;  /* process of the part -> process of the whole */
  guint32 *objects;    /* object of the part -> object of the whole */
  guint32 *stacks;     /* stack of the part -> stack of the whole */
  guint32 *modules;    /* module of the part -> module of the whole */
  guint16 *operations; /* operation of the part - LC_OPERATION_END -> operation of the whole */
  LcPartClock clock;
} Part;

/* The part that a process of the whole belongs to, and its number there. */
typedef struct
{
  guint32 part, process;
} Place;

typedef struct
{
  GArray *parts; /* Part */
  guint n_folders;
  GArray *places;    /* Place, by process of the whole */
  GHashTable *ranks; /* rank -> its first process */
  GHashTable *files; /* paths of files relative to the whole: owned, and protected by the lock */
  GMutex lock;
} Parts;

typedef struct
{
  LcTraceCursor base;
  LcTraceCursor *inner;
  const Part *part;
  guint32 rank;
} Cursor;

typedef struct
{
  LcAbsences base;
  LcAbsences *inner;
  const Part *part;
} PartsAbsences;

/* --- Folders ------------------------------------------------------------------------------------------------------ */

char **
lc_trace_list_folder_parts (const LcFolder *folder)
{
  g_autoptr (GPtrArray) all = lc_folder_list (folder, NULL);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const char *name = all->pdata[i];

      if (g_str_has_prefix (name, LC_PART_PREFIX) && name[strlen (LC_PART_PREFIX)] != '\0' &&
          lc_folder_has_folder (folder, name))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, lc_files_compare_names);
  g_ptr_array_add (names, NULL);
  return (char **)g_ptr_array_free (names, FALSE);
}

char **
lc_trace_list_parts (const char *path)
{
  g_autoptr (LcFolder) folder = lc_folder_open (path, NULL);

  return folder != NULL ? lc_trace_list_folder_parts (folder) : g_new0 (char *, 1);
}

static gboolean
parts_probe (LcFolder *folder)
{
  g_auto (GStrv) names = lc_trace_list_folder_parts (folder);

  return *names != NULL;
}

static void
open_part (LcTrace *trace, const char *name, guint number)
{
  Parts *parts = trace->data;
  g_autoptr (GError) error = NULL;
  g_autoptr (LcFolder) folder = lc_folder_open_inner (trace->folder, name, &error);
  Part part = {.folder = g_string_chunk_insert (trace->strings, name), .number = number};

  if (folder != NULL && parts_probe (folder))
    lc_problems_count (trace->problems, LC_PROBLEM_PART_UNREADABLE, name, 0, "%s", "it has parts of its own");
  else if (folder == NULL || (part.trace = lc_trace_open_folder (folder, TRUE, &error)) == NULL)
    lc_problems_count (trace->problems, LC_PROBLEM_PART_UNREADABLE, name, 0, "%s", error->message);
  if (part.trace == NULL)
    return;
  g_array_append_val (parts->parts, part);
}

static Part *
get_part (const LcTrace *trace, guint i)
{
  const Parts *parts = trace->data;

  return &g_array_index (parts->parts, Part, i);
}

/* --- Clocks and settings ------------------------------------------------------------------------------------------ */

static void
find_clocks (LcTrace *trace)
{
  const Parts *parts = trace->data;
  guint n = parts->parts->len;
  g_autofree LcTrace **traces = g_new (LcTrace *, n);
  g_autofree const char **names = g_new (const char *, n);
  g_autofree LcPartClock *clocks = g_new (LcPartClock, n);

  for (guint i = 0; i < n; i++)
    {
      traces[i] = get_part (trace, i)->trace;
      names[i] = get_part (trace, i)->folder;
    }
  lc_part_clocks_find (trace, traces, names, n, clocks);
  for (guint i = 0; i < n; i++)
    get_part (trace, i)->clock = clocks[i];
  trace->frequency = traces[0]->frequency;
}

static void
copy_keys (LcTrace *to, const LcTrace *from, const char *group, const char *const *keys)
{
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *value = g_key_file_get_value (from->settings, group, keys[i], NULL);

      if (value != NULL && !g_key_file_has_key (to->settings, group, keys[i], NULL))
        g_key_file_set_value (to->settings, group, keys[i], value);
    }
}

/* Copies settings that the whole lacks from the first part that has them. */
static void
add_settings (LcTrace *trace, const LcTrace *part)
{
  static const char *const known[] = {"title",   "command", "program", "started",       "ended", "state", "clock",
                                      "version", "status",  "job",     "overhead_test", "mpi",   NULL};
  static const char *const switches[] = {"missing", NULL};
  static const char *const groups[] = {"overhead", "openmp", "trapped", "cost", "barrier", "communication"};

  copy_keys (trace, part, "trace", known);
  copy_keys (trace, part, "switches", switches);
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_auto (GStrv) keys = g_key_file_get_keys (part->settings, groups[i], NULL, NULL);

      if (keys != NULL)
        copy_keys (trace, part, groups[i], (const char *const *)keys);
    }
}

/* A host whose program has ended may have events up to its end, but nothing that is pending. */
static void
parts_find_until (LcTrace *trace)
{
  const Parts *parts = trace->data;

  for (guint i = 0; i < parts->parts->len; i++)
    {
      const Part *part = get_part (trace, i);

      if (part->trace->until != 0)
        trace->until = MAX (trace->until, lc_part_clock_map (&part->clock, part->trace->until));
    }
}

/* --- Gaps ----------------------------------------------------------------------------------------------------------
 */

static guint64
parts_map_gap (const LcPartClock *clock, guint64 time)
{
  return time == 0 || time == LC_GAP_OPEN ? time : lc_part_clock_map (clock, time);
}

/* The first of the part's ns that is not before this one of the whole. */
static guint64
parts_find_time (const LcPartClock *clock, guint64 time)
{
  guint64 low = 0, high = LC_TIME_LIMIT;

  while (low < high)
    {
      guint64 middle = low + (high - low) / 2;

      if (lc_part_clock_map (clock, middle) < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* What one of them has not got at the begin or at the end is left out of all: a history begins at one moment. */
static void
parts_keep_within (LcTrace *trace, const Part *part)
{
  LcTrace *inner = part->trace;

  if (trace->kept_from > 0)
    inner->kept_from = MAX (inner->kept_from, parts_find_time (&part->clock, trace->kept_from));
  if (trace->kept_to != LC_GAP_OPEN)
    inner->kept_to = MIN (inner->kept_to, parts_find_time (&part->clock, trace->kept_to));
  if (inner->reader->keep_within != NULL)
    inner->reader->keep_within (inner);
}

static void
parts_find_gaps (LcTrace *trace)
{
  const Parts *parts = trace->data;

  for (guint i = 0; i < parts->parts->len; i++)
    {
      const Part *part = get_part (trace, i);

      for (guint k = 0; k < part->trace->gaps->len; k++)
        {
          LcTraceGap gap = g_array_index (part->trace->gaps, LcTraceGap, k);

          gap.from = parts_map_gap (&part->clock, gap.from);
          gap.to = parts_map_gap (&part->clock, gap.to);
          g_array_append_val (trace->gaps, gap);
        }
    }
  if (trace->gaps->len == 0)
    return;
  lc_gaps_unite (trace->gaps);
  lc_gaps_get_limits (trace->gaps, &trace->kept_from, &trace->kept_to);
  for (guint i = 0; i < parts->parts->len; i++)
    parts_keep_within (trace, get_part (trace, i));
}

/* --- Processes ---------------------------------------------------------------------------------------------------- */

static int
parts_compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  const Place *left = a, *right = b;
  guint32 left_rank = lc_trace_get_process (get_part (data, left->part)->trace, left->process)->rank;
  guint32 right_rank = lc_trace_get_process (get_part (data, right->part)->trace, right->process)->rank;

  if (left_rank != right_rank)
    return left_rank < right_rank ? -1 : 1; /* LC_TRACE_NONE is the largest */
  if (left->part != right->part)
    return left->part < right->part ? -1 : 1;
  return left->process < right->process ? -1 : left->process > right->process;
}

static void
order_processes (LcTrace *trace)
{
  Parts *parts = trace->data;

  for (guint i = 0; i < parts->parts->len; i++)
    {
      Part *part = get_part (trace, i);
      guint32 n = lc_trace_get_n_processes (part->trace);

      part->processes = g_new (guint32, n);
      for (guint32 j = 0; j < n; j++)
        {
          Place place = {i, j};

          g_array_append_val (parts->places, place);
        }
    }
  g_array_sort_with_data (parts->places, parts_compare_places, trace);
  for (guint i = 0; i < parts->places->len; i++)
    {
      const Place *place = &g_array_index (parts->places, Place, i);

      get_part (trace, place->part)->processes[place->process] = i;
    }
}

/* Returns the path of a file relative to the whole; it lives as long as the trace. */
static const char *
name_file (Parts *parts, const char *folder, const char *file)
{
  char *name = g_build_filename (folder, file, NULL);
  const char *kept;

  g_mutex_lock (&parts->lock);
  kept = g_hash_table_lookup (parts->files, name);
  if (kept == NULL)
    {
      g_hash_table_add (parts->files, name);
      kept = g_steal_pointer (&name);
    }
  g_mutex_unlock (&parts->lock);
  g_free (name);
  return kept;
}

static void
parts_add_sites (LcTrace *trace)
{
  const Parts *parts = trace->data;

  for (guint i = 0; i < parts->parts->len; i++)
    {
      Part *part = get_part (trace, i);

      part->stacks = lc_sites_copy (trace->sites, part->trace->sites, &part->modules);
    }
}

static void
parts_add_process (LcTrace *trace, guint32 number)
{
  Parts *parts = trace->data;
  const Place *place = &g_array_index (parts->places, Place, number);
  const Part *part = get_part (trace, place->part);
  LcTraceProcess process = *lc_trace_get_process (part->trace, place->process);

  process.number = number;
  process.host = part->folder + strlen (LC_PART_PREFIX);
  process.file = name_file (parts, part->folder, process.file);
  process.begin = lc_part_clock_map (&part->clock, process.begin);
  process.ready = process.ready != 0 ? lc_part_clock_map (&part->clock, process.ready) : 0;
  process.end = lc_part_clock_map (&part->clock, process.end);
  process.pending.begin = lc_part_clock_map (&part->clock, process.pending.begin);
  if (process.parent != LC_TRACE_NONE)
    process.parent = part->processes[process.parent];
  if (process.start != LC_TRACE_NONE)
    process.start = part->stacks[process.start];
  if (process.instance != LC_TRACE_NONE)
    process.instance += part->instances;
  if (process.rank != LC_TRACE_NONE && !g_hash_table_contains (parts->ranks, GUINT_TO_POINTER (process.rank)))
    g_hash_table_insert (parts->ranks, GUINT_TO_POINTER (process.rank), GUINT_TO_POINTER (number));
  g_array_append_val (trace->processes, process);
}

static void
parts_add_processes (LcTrace *trace)
{
  Parts *parts = trace->data;
  guint32 instances = 0;

  order_processes (trace);
  for (guint i = 0; i < parts->parts->len; i++)
    {
      Part *part = get_part (trace, i);

      part->instances = instances;
      for (guint32 j = 0; j < lc_trace_get_n_processes (part->trace); j++)
        {
          guint32 instance = lc_trace_get_process (part->trace, j)->instance;

          if (instance != LC_TRACE_NONE)
            instances = MAX (instances, MIN (part->instances + instance, G_MAXINT32) + 1);
        }
      part->trace->n_peers = parts->places->len;
    }
  for (guint32 i = 0; i < parts->places->len; i++)
    parts_add_process (trace, i);
  lc_trace_name_processes (trace);
}

/* --- Operations and objects --------------------------------------------------------------------------------------- */

static guint16
parts_find_operation (LcTrace *trace, GHashTable *known, const LcTraceOperation *operation)
{
  LcTraceOperation copy = {.name = operation->name};
  gpointer number;

  if (g_hash_table_lookup_extended (known, operation->name, NULL, &number))
    return (guint16)GPOINTER_TO_UINT (number);
  if (trace->operations->len > LARGEST_OPERATION)
    return LARGEST_OPERATION;
  g_hash_table_insert (known, (gpointer)copy.name, GUINT_TO_POINTER (trace->operations->len));
  g_array_append_val (trace->operations, copy);
  return (guint16)(trace->operations->len - 1);
}

static void
parts_add_operations (LcTrace *trace)
{
  Parts *parts = trace->data;
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < parts->parts->len; i++)
    {
      Part *part = get_part (trace, i);
      guint32 n = lc_trace_get_n_operations (part->trace);

      part->operations = g_new0 (guint16, n - LC_OPERATION_END + 1);
      for (guint32 j = LC_OPERATION_END; j < n; j++)
        part->operations[j - LC_OPERATION_END] =
            parts_find_operation (trace, known, lc_trace_get_operation (part->trace, j));
    }
}

/* Returns a key that is equal for objects of different parts if they are the same; NULL: there is none. */
static char *
parts_identity (const Part *part, const LcObject *object)
{
  guint8 class = object->object_class;
  gboolean of_all = class == LC_CLASS_CHANNEL || class == LC_CLASS_COLLECTIVE || class == LC_CLASS_BARRIER;

  if (object->name == NULL)
    return NULL;
  if (class == LC_CLASS_FUNCTION)
    return g_strdup_printf ("%u %" G_GUINT64_FORMAT " %s", class, object->value, object->name);
  if (class == LC_CLASS_MARK || (part->trace->reader->is_global ? of_all : object->kind == LC_KIND_MPI))
    return g_strdup_printf ("%u %s", class, object->name);
  return NULL;
}

static guint32
parts_add_object (LcTrace *trace, const Part *part, GHashTable *known, guint32 index)
{
  LcObject object = *lc_objects_get (part->trace->objects, index);
  g_autofree char *key = NULL;
  gpointer found;
  guint32 number;

  if (object.process != LC_TRACE_NONE)
    return part->processes[object.process];
  key = parts_identity (part, &object);
  if (key != NULL && g_hash_table_lookup_extended (known, key, NULL, &found))
    {
      lc_objects_share (trace->objects, GPOINTER_TO_UINT (found));
      return GPOINTER_TO_UINT (found);
    }
  object.first = lc_part_clock_map (&part->clock, object.first);
  if (object.instance != LC_TRACE_NONE)
    object.instance += part->instances;
  if (object.stack != LC_TRACE_NONE)
    object.stack = part->stacks[object.stack];
  if (object.module != LC_TRACE_NONE)
    object.module = part->modules[object.module];
  number = lc_objects_add (trace->objects, &object);
  if (key != NULL)
    g_hash_table_insert (known, g_steal_pointer (&key), GUINT_TO_POINTER (number));
  return number;
}

/* Adds the objects of processes first, as in each part that has them. */
static void
add_process_objects (LcTrace *trace)
{
  const Parts *parts = trace->data;
  gboolean is_global = TRUE;

  for (guint i = 0; i < parts->parts->len; i++)
    is_global &= get_part (trace, i)->trace->reader->is_global;
  for (guint32 i = 0; !is_global && i < trace->processes->len; i++)
    {
      const LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, i);
      LcObject object = {
          .name = process->name,
          .first = process->begin,
          .instance = process->instance,
          .process = i,
          .stack = LC_TRACE_NONE,
          .module = LC_TRACE_NONE,
          .object_class = LC_CLASS_THREAD,
      };

      lc_objects_add (trace->objects, &object);
    }
}

static void
parts_add_objects (LcTrace *trace)
{
  Parts *parts = trace->data;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  add_process_objects (trace);
  for (guint i = 0; i < parts->parts->len; i++)
    {
      Part *part = get_part (trace, i);
      guint32 n = lc_trace_get_n_objects (part->trace);

      part->objects = g_new (guint32, n);
      for (guint32 j = 0; j < n; j++)
        part->objects[j] = parts_add_object (trace, part, known, j);
    }
}

static guint32
map_operation (const Part *part, guint32 operation)
{
  if (operation < LC_OPERATION_END || operation == LC_TRACE_NONE)
    return operation;
  return part->operations[operation - LC_OPERATION_END];
}

static guint32
map_object (const Part *part, guint32 object)
{
  return object == LC_TRACE_NONE ? LC_TRACE_NONE : part->objects[object];
}

static void
parts_find_pending (LcTrace *trace)
{
  const Parts *parts = trace->data;

  for (guint32 i = 0; i < trace->processes->len; i++)
    {
      LcTracePending *pending = &g_array_index (trace->processes, LcTraceProcess, i).pending;
      const Part *part = get_part (trace, g_array_index (parts->places, Place, i).part);

      pending->operation = map_operation (part, pending->operation);
      pending->object = map_object (part, pending->object);
      if (pending->stack != LC_TRACE_NONE)
        pending->stack = part->stacks[pending->stack];
    }
}

/* --- Events ------------------------------------------------------------------------------------------------------- */

/* Finds the partner of an MPI message, which may be in another part. */
static guint32
find_partner (const Cursor *cursor, const LcTraceEvent *event)
{
  const Parts *parts = cursor->base.trace->data;
  const LcObject *channel = lc_objects_get (cursor->base.trace->objects, event->object);
  guint32 from, to;
  gpointer process;

  if (channel->kind != LC_KIND_MPI || channel->object_class != LC_CLASS_CHANNEL)
    return LC_TRACE_NONE;
  from = LC_CHANNEL_FROM (channel->value);
  to = LC_CHANNEL_TO (channel->value);
  if ((cursor->rank != from && cursor->rank != to) ||
      !g_hash_table_lookup_extended (parts->ranks, GUINT_TO_POINTER (cursor->rank == from ? to : from), NULL, &process))
    return LC_TRACE_NONE;
  return GPOINTER_TO_UINT (process);
}

/* Counts an event whose time is valid in the part but too large in the whole. */
static void
count_large_time (const Cursor *cursor, const LcTraceEvent *event)
{
  if (event->end == LC_TIME_LIMIT - 1)
    lc_problems_count (cursor->base.trace->problems, LC_PROBLEM_TIME_TOO_LARGE,
                       g_array_index (cursor->base.trace->processes, LcTraceProcess, cursor->base.process).file,
                       cursor->base.position, NULL);
}

static void
parts_translate (const Cursor *cursor, LcTraceEvent *event)
{
  const Part *part = cursor->part;
  const Parts *parts = cursor->base.trace->data;

  event->begin = lc_part_clock_map (&part->clock, event->begin);
  event->end = lc_part_clock_map (&part->clock, event->end);
  count_large_time (cursor, event);
  event->operation = (guint16)map_operation (part, event->operation);
  event->object = map_object (part, event->object);
  if (event->stack != LC_TRACE_NONE)
    event->stack = part->stacks[event->stack];
  if (event->operation == LC_SNAPSHOT)
    event->sequence = (gint64)((guint64)event->sequence * parts->n_folders + part->number);
  if (part->trace->reader->is_global)
    return;
  if (event->peer != LC_TRACE_NONE)
    event->peer = part->processes[event->peer];
  else if (event->object != LC_TRACE_NONE && cursor->rank != LC_TRACE_NONE)
    event->peer = find_partner (cursor, event);
}

static LcTraceCursor *
parts_cursor_open (LcTrace *trace, guint32 process)
{
  const Parts *parts = trace->data;
  const Place *place = &g_array_index (parts->places, Place, process);
  Cursor *cursor = g_new0 (Cursor, 1);

  cursor->base.trace = trace;
  cursor->base.process = process;
  cursor->part = get_part (trace, place->part);
  cursor->rank = g_array_index (trace->processes, LcTraceProcess, process).rank;
  cursor->inner = lc_trace_cursor_open (cursor->part->trace, place->process);
  return &cursor->base;
}

/* Translates the events in place, because no one else reads them. */
static gboolean
parts_cursor_next (LcTraceCursor *base, LcTraceBatch *batch)
{
  Cursor *cursor = (Cursor *)base;
  gboolean found = lc_trace_cursor_next (cursor->inner, batch);

  /* Reading to the end of the stream moves the position even without an event. */
  base->position = cursor->inner->position;
  if (!found)
    return FALSE;
  for (gsize i = 0; i < batch->n_events; i++)
    parts_translate (cursor, &cursor->inner->events[i]);
  base->ordinal = cursor->inner->ordinal;
  return TRUE;
}

static void
parts_cursor_close (LcTraceCursor *base)
{
  lc_trace_cursor_close (((Cursor *)base)->inner);
  lc_trace_cursor_free (base);
}

static LcAbsences *
parts_absences_open (LcTrace *trace, guint32 process, GError **error)
{
  const Parts *parts = trace->data;
  const Place *place = &g_array_index (parts->places, Place, process);
  const Part *part = get_part (trace, place->part);
  LcAbsences *inner = lc_trace_open_absences (part->trace, place->process, error);
  PartsAbsences *absences;

  if (inner == NULL)
    return NULL;
  absences = g_new0 (PartsAbsences, 1);
  absences->inner = inner;
  absences->part = part;
  return &absences->base;
}

static gssize
parts_absences_next (LcAbsences *base, LcAbsence *next, gsize room, GError **error)
{
  const PartsAbsences *absences = (PartsAbsences *)base;
  gssize n = lc_absences_next (absences->inner, next, room, error);

  for (gssize i = 0; i < n; i++)
    {
      next[i].begin = (gint64)lc_part_clock_map (&absences->part->clock, (guint64)next[i].begin);
      next[i].end = (gint64)lc_part_clock_map (&absences->part->clock, (guint64)next[i].end);
    }
  return n;
}

static void
parts_absences_close (LcAbsences *base)
{
  lc_absences_close (((PartsAbsences *)base)->inner);
  g_free (base);
}

static guint64
parts_count_events (const LcTrace *trace, guint32 process)
{
  const Parts *parts = trace->data;
  const Place *place = &g_array_index (parts->places, Place, process);

  return lc_trace_count_events (get_part (trace, place->part)->trace, place->process);
}

/* --- The reader --------------------------------------------------------------------------------------------------- */

static GArray *
list_problems (LcTrace *trace)
{
  Parts *parts = trace->data;
  GArray *list = lc_problems_list (trace->problems);

  for (guint i = 0; i < parts->parts->len; i++)
    {
      const Part *part = get_part (trace, i);
      g_autoptr (GArray) own = lc_trace_list_problems (part->trace);

      for (guint j = 0; j < own->len; j++)
        {
          LcTraceProblem problem = g_array_index (own, LcTraceProblem, j);

          problem.file = name_file (parts, part->folder, problem.file);
          g_array_append_val (list, problem);
        }
    }
  lc_problems_sort (list);
  return list;
}

/* Sums the losses of the parts, because the whole has no settings that count them. */
static void
parts_count_lost (LcTrace *trace)
{
  const Parts *parts = trace->data;

  for (guint i = 0; i < parts->parts->len; i++)
    lc_trace_lost_add (&trace->lost, &get_part (trace, i)->trace->lost);
}

static void
clear_part (gpointer data)
{
  Part *part = data;

  lc_trace_free (part->trace);
  g_free (part->processes);
  g_free (part->objects);
  g_free (part->operations);
  g_free (part->stacks);
  g_free (part->modules);
}

static Parts *
trace_parts_new (void)
{
  Parts *parts = g_new0 (Parts, 1);

  parts->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_array_set_clear_func (parts->parts, clear_part);
  parts->places = g_array_new (FALSE, FALSE, sizeof (Place));
  parts->ranks = g_hash_table_new (NULL, NULL);
  parts->files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&parts->lock);
  return parts;
}

static void
parts_close_trace (LcTrace *trace)
{
  Parts *parts = g_steal_pointer (&trace->data);

  if (parts == NULL)
    return;
  g_array_unref (parts->parts);
  g_array_unref (parts->places);
  g_hash_table_unref (parts->ranks);
  g_hash_table_unref (parts->files);
  g_mutex_clear (&parts->lock);
  g_free (parts);
}

static void
set_no_part (const LcTrace *trace, GError **error)
{
  g_autoptr (GArray) problems = lc_problems_list (trace->problems);
  const LcTraceProblem *first = &g_array_index (problems, LcTraceProblem, 0);

  for (guint i = 0; i < problems->len && strcmp (first->name, "part-unreadable") != 0; i++)
    first = &g_array_index (problems, LcTraceProblem, i);
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE, "%s: no part of it can be read: %s", trace->path,
               first->detail);
}

static gboolean
parts_open_trace (LcTrace *trace, GError **error)
{
  Parts *parts = trace_parts_new ();
  g_auto (GStrv) names = lc_trace_list_folder_parts (trace->folder);

  trace->data = parts;
  parts->n_folders = g_strv_length (names);
  for (guint i = 0; i < parts->n_folders; i++)
    open_part (trace, names[i], i);
  if (parts->parts->len == 0)
    {
      set_no_part (trace, error);
      return FALSE;
    }
  find_clocks (trace);
  trace->format = get_part (trace, 0)->trace->reader;
  for (guint i = 0; i < parts->parts->len; i++)
    {
      const LcTrace *part = get_part (trace, i)->trace;

      if (part->reader->is_counted)
        trace->format = part->reader;
      add_settings (trace, part);
    }
  parts_find_gaps (trace);
  parts_find_until (trace);
  parts_add_sites (trace);
  parts_add_processes (trace);
  parts_add_operations (trace);
  parts_add_objects (trace);
  parts_find_pending (trace);
  return TRUE;
}

/* The files within the parts are those of their readers. */
static const char *const parts_files[] = {LC_CLOCK_FILE, NULL};

const LcTraceReader lc_trace_reader_parts = {
    .name = "parts",
    .sign = "folder " LC_PART_PREFIX "*",
    .files = parts_files,
    .probe = parts_probe,
    .open = parts_open_trace,
    .close = parts_close_trace,
    .count_events = parts_count_events,
    .cursor_open = parts_cursor_open,
    .cursor_next = parts_cursor_next,
    .cursor_close = parts_cursor_close,
    .absences_open = parts_absences_open,
    .absences_next = parts_absences_next,
    .absences_close = parts_absences_close,
    .list_problems = list_problems,
    .count_lost = parts_count_lost,
};
