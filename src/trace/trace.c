/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a trace with the reader of its format, and passes calls on to that reader. */
#include "lightcone/trace.h"

#include <string.h>

#include "files.h"
#include "operations.h"
#include "reader.h"
#include "settings-text.h"

#define SETTINGS_FILE "trace.ini"
#define SETTINGS_LIMIT (1u << 20)
#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

G_DEFINE_QUARK (lc - trace - error - quark, lc_trace_error)

enum
{
  MOST_READERS = 8,
};

static const LcTraceReader *readers[MOST_READERS] = {&lc_trace_reader_ctf, &lc_trace_reader_text,
                                                     &lc_trace_reader_parts}; /* then NULL */

void
lc_trace_add_reader (const LcTraceReader *reader)
{
  guint n = 0;

  while (readers[n] != NULL)
    n++;
  g_return_if_fail (n + 1 < MOST_READERS);
  readers[n] = reader;
}

const char *
lc_trace_keep_string (LcTrace *trace, const char *bytes, gssize length)
{
  gsize end = length < 0 ? strlen (bytes) : strnlen (bytes, (gsize)length);
  g_autofree char *valid = NULL;

  if (g_utf8_validate (bytes, (gssize)end, NULL))
    return g_string_chunk_insert_len (trace->strings, bytes, (gssize)end);
  valid = g_utf8_make_valid (bytes, (gssize)end);
  return g_string_chunk_insert (trace->strings, valid);
}

static void
trace_read_settings (LcTrace *trace)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gboolean is_cut = FALSE;
  gsize length;

  trace->settings = g_key_file_new ();
  if (lc_folder_read (trace->folder, SETTINGS_FILE, SETTINGS_LIMIT, &text, &length, &error))
    {
      gboolean is_good = lc_settings_text_read (trace->settings, text, length, &is_cut, &error);

      if (is_cut)
        lc_problems_count (trace->problems, LC_PROBLEM_SETTINGS_CUT, SETTINGS_FILE, length, NULL);
      if (is_good)
        return;
      g_key_file_unref (trace->settings);
      trace->settings = g_key_file_new ();
    }
  if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    lc_problems_count (trace->problems,
                       error->domain == G_FILE_ERROR ? LC_PROBLEM_FILE_UNREADABLE : LC_PROBLEM_SETTINGS_DAMAGED,
                       SETTINGS_FILE, 0, "%s", error->message);
}

/*
 * `lightcone record` writes the duration when it closes the trace of a program that has ended. That of a trace which
 * was closed afterwards is no more than the last event's. The clock of the duration and that of events may be 1 %
 * apart, if the frequency is an estimate.
 */
guint64
lc_trace_find_recorded_end (const LcTrace *trace)
{
  const guint64 tolerance = NS_PER_SECOND / 100;
  g_autofree char *state = g_key_file_get_string (trace->settings, "trace", "state", NULL);
  guint64 duration = g_key_file_get_uint64 (trace->settings, "trace", "duration", NULL);

  if (duration == 0 || duration >= LC_TIME_LIMIT || g_strcmp0 (state, "ended") != 0 ||
      lc_folder_has_file (trace->folder, ".control"))
    return G_MAXUINT64;
  return duration + duration / 64 + tolerance;
}

static void
trace_add_operations (LcTrace *trace)
{
  for (guint i = 0; i < LC_OPERATION_END; i++)
    {
      LcTraceOperation operation = {0};

      if (lc_operations[i].name != NULL)
        {
          operation.name = lc_operations[i].name;
          operation.class_name = lc_class_names[lc_operations[i].operation_class];
        }
      g_array_append_val (trace->operations, operation);
    }
}

static LcTrace *
trace_new (const LcTraceReader *reader, LcFolder *folder)
{
  LcTrace *trace = g_new0 (LcTrace, 1);

  trace->reader = reader;
  trace->format = reader;
  trace->path = g_strdup (lc_folder_get_path (folder));
  trace->folder = lc_folder_ref (folder);
  trace->frequency = G_GUINT64_CONSTANT (1000000000);
  trace->processes = g_array_new (FALSE, FALSE, sizeof (LcTraceProcess));
  trace->operations = g_array_new (FALSE, FALSE, sizeof (LcTraceOperation));
  trace->objects = lc_objects_new ();
  trace->sites = lc_sites_new ();
  trace->problems = lc_problems_new ();
  trace->strings = g_string_chunk_new (1024);
  lc_timescale_init (&trace->timescale, 0, trace->frequency);
  trace_add_operations (trace);
  trace_read_settings (trace);
  trace->gaps = lc_gaps_read (trace->settings, trace->problems, SETTINGS_FILE);
  lc_gaps_get_limits (trace->gaps, &trace->kept_from, &trace->kept_to);
  return trace;
}

/* Explains why the folder is no trace. */
static void
trace_explain (const LcFolder *folder, GError **error)
{
  g_autoptr (GPtrArray) names = lc_folder_list (folder, error);
  g_autoptr (GString) signs = g_string_new (NULL);

  if (names == NULL)
    return;
  for (guint i = 0; readers[i] != NULL; i++)
    g_string_append_printf (signs, "%sno %s", i == 0 ? "" : readers[i + 1] != NULL ? ", " : " and ", readers[i]->sign);
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE, "%s: not a trace: there is %s in it",
               lc_folder_get_path (folder), signs->str);
}

LcTrace *
lc_trace_open_folder (LcFolder *folder, gboolean is_part, GError **error)
{
  for (guint i = 0; readers[i] != NULL; i++)
    {
      LcTrace *trace;

      if (!readers[i]->probe (folder))
        continue;
      trace = trace_new (readers[i], folder);
      trace->is_part = is_part;
      if (readers[i]->open (trace, error))
        {
          trace->n_peers = trace->processes->len;
          if (readers[i]->keep_within != NULL)
            readers[i]->keep_within (trace);
          if (readers[i]->count_lost != NULL)
            readers[i]->count_lost (trace);
          else
            lc_trace_count_lost (trace);
          return trace;
        }
      lc_trace_free (trace);
      return NULL;
    }
  trace_explain (folder, error);
  return NULL;
}

/* --- The files of a trace ---------------------------------------------------------------------------------------- */

/* Returns the folder of a pattern, in which its files are. */
static char *
pattern_dup_folder (const char *pattern)
{
  const char *slash = strrchr (pattern, '/');

  return slash != NULL ? g_strndup (pattern, (gsize)(slash - pattern)) : g_strdup ("");
}

/* Adds the files of a pattern that are in a part of the trace; `part` is "" for the trace itself. */
static void
trace_add_files (GHashTable *names, const char *path, const char *part, const char *pattern)
{
  g_autofree char *folder = pattern_dup_folder (pattern), *where = g_build_filename (path, part, folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (where, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *relative = *folder != '\0' ? g_build_filename (folder, name, NULL) : g_strdup (name);

      if (g_pattern_match_simple (pattern, relative))
        g_hash_table_add (names, *part != '\0' ? g_build_filename (part, relative, NULL) : g_steal_pointer (&relative));
    }
}

char **
lc_trace_list_files (const char *path)
{
  static const char *const of_all[] = {SETTINGS_FILE, NULL};
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) parts = lc_trace_list_parts (path);
  GPtrArray *list = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  for (int reader = -1; reader < 0 || readers[reader] != NULL; reader++)
    for (const char *const *file = reader < 0 ? of_all : readers[reader]->files; *file != NULL; file++)
      {
        trace_add_files (names, path, "", *file);
        for (char **part = parts; *part != NULL; part++)
          trace_add_files (names, path, *part, *file);
      }
  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      g_hash_table_iter_steal (&iter);
      g_ptr_array_add (list, name);
    }
  g_ptr_array_sort (list, lc_files_compare_names);
  g_ptr_array_add (list, NULL);
  return (char **)g_ptr_array_free (list, FALSE);
}

/* ----------------------------------------------------------------------------------------------------------------- */

LcTrace *
lc_trace_open (const char *path, GError **error)
{
  g_autoptr (LcFolder) folder = NULL;
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (path != NULL, NULL);
  folder = lc_folder_open (path, &problem);
  if (folder != NULL)
    return lc_trace_open_folder (folder, FALSE, error);
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOTDIR) && g_file_test (path, G_FILE_TEST_EXISTS))
    g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE, "%s: a trace is a directory", path);
  else
    g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

void
lc_trace_free (LcTrace *trace)
{
  if (trace == NULL)
    return;
  trace->reader->close (trace);
  g_free (trace->path);
  lc_folder_unref (trace->folder);
  g_key_file_unref (trace->settings);
  g_array_unref (trace->processes);
  g_array_unref (trace->operations);
  g_array_unref (trace->gaps);
  lc_objects_free (trace->objects);
  lc_sites_free (trace->sites);
  lc_problems_free (trace->problems);
  g_string_chunk_free (trace->strings);
  g_free (trace);
}

const char *
lc_trace_get_path (const LcTrace *trace)
{
  return trace->path;
}

const char *
lc_trace_get_format (const LcTrace *trace)
{
  return trace->format->name;
}

gboolean
lc_trace_is_counted (const LcTrace *trace)
{
  return trace->format->is_counted;
}

GKeyFile *
lc_trace_get_settings (const LcTrace *trace)
{
  return trace->settings;
}

guint64
lc_trace_get_frequency (const LcTrace *trace)
{
  return trace->frequency;
}

gint64
lc_trace_get_start (const LcTrace *trace)
{
  return trace->start;
}

guint64
lc_trace_get_first_tick (const LcTrace *trace)
{
  return trace->timescale.start;
}

guint64
lc_trace_get_until (const LcTrace *trace)
{
  return trace->until;
}

guint64
lc_trace_get_ready (const LcTrace *trace)
{
  guint64 ready = G_MAXUINT64, begun = G_MAXUINT64;

  for (guint i = 0; i < trace->processes->len; i++)
    {
      const LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, i);

      if (process->rank != LC_TRACE_NONE)
        ready = MIN (ready, process->ready);
      if (process->is_followed)
        begun = MIN (begun, process->begin);
    }
  if (ready == G_MAXUINT64)
    ready = begun != G_MAXUINT64 ? begun : 0;
  return MAX (ready, trace->kept_from);
}

const LcTraceGap *
lc_trace_get_gaps (const LcTrace *trace, gsize *n_gaps)
{
  *n_gaps = trace->gaps->len;
  return (const LcTraceGap *)(void *)trace->gaps->data;
}

guint64
lc_trace_get_kept_from (const LcTrace *trace)
{
  return trace->kept_from;
}

guint64
lc_trace_get_followed (const LcTrace *trace, guint32 process, guint64 begin)
{
  const LcTraceProcess *followed = lc_trace_get_process (trace, process);

  if (trace->kept_from > 0)
    return MIN (begin, followed->begin);
  return followed->is_followed ? MIN (begin, MAX (followed->begin, followed->ready)) : begin;
}

guint32
lc_trace_get_n_processes (const LcTrace *trace)
{
  return trace->processes->len;
}

const LcTraceProcess *
lc_trace_get_process (const LcTrace *trace, guint32 process)
{
  g_return_val_if_fail (process < trace->processes->len, NULL);
  return &g_array_index (trace->processes, LcTraceProcess, process);
}

guint64
lc_trace_count_events (const LcTrace *trace, guint32 process)
{
  g_return_val_if_fail (process < trace->processes->len, 0);
  return trace->reader->count_events (trace, process);
}

guint32
lc_trace_get_n_operations (const LcTrace *trace)
{
  return trace->operations->len;
}

const LcTraceOperation *
lc_trace_get_operation (const LcTrace *trace, guint32 operation)
{
  const LcTraceOperation *result;

  g_return_val_if_fail (operation < trace->operations->len, NULL);
  result = &g_array_index (trace->operations, LcTraceOperation, operation);
  return result->name != NULL ? result : NULL;
}

guint32
lc_trace_get_n_objects (const LcTrace *trace)
{
  return lc_objects_count (trace->objects);
}

void
lc_trace_get_object (const LcTrace *trace, guint32 object, LcTraceObject *result)
{
  const LcObject *found;

  g_return_if_fail (object < lc_objects_count (trace->objects));
  found = lc_objects_get (trace->objects, object);
  *result = (LcTraceObject){
      .name = found->name,
      .class_name = found->object_class == LC_CLASS_NONE ? NULL : lc_class_names[found->object_class],
      .object_class = (enum lc_class)found->object_class,
      .kind = (enum lc_kind)found->kind,
      .number = found->number,
      .instance = found->instance,
      .process = found->process,
      .address = found->address,
      .value = found->value,
      .first = found->first,
      .stack = found->stack,
      .module = found->module,
      .offset = found->offset,
  };
}

guint32
lc_trace_get_n_modules (const LcTrace *trace)
{
  return lc_sites_count_modules (trace->sites);
}

const LcTraceModule *
lc_trace_get_module (const LcTrace *trace, guint32 module)
{
  g_return_val_if_fail (module < lc_sites_count_modules (trace->sites), NULL);
  return lc_sites_get_module (trace->sites, module);
}

guint32
lc_trace_get_n_sites (const LcTrace *trace)
{
  return lc_sites_count_sites (trace->sites);
}

const LcTraceSite *
lc_trace_get_site (const LcTrace *trace, guint32 site)
{
  g_return_val_if_fail (site < lc_sites_count_sites (trace->sites), NULL);
  return lc_sites_get_site (trace->sites, site);
}

guint32
lc_trace_get_n_stacks (const LcTrace *trace)
{
  return lc_sites_count_stacks (trace->sites);
}

const LcTraceStack *
lc_trace_get_stack (const LcTrace *trace, guint32 stack)
{
  g_return_val_if_fail (stack < lc_sites_count_stacks (trace->sites), NULL);
  return lc_sites_get_stack (trace->sites, stack);
}

char *
lc_trace_dup_object_name (const LcTrace *trace, guint32 object)
{
  g_return_val_if_fail (object < lc_objects_count (trace->objects), NULL);
  return lc_objects_dup_name (trace->objects, object);
}

void
lc_trace_set_names (LcTrace *trace, const char *const *processes, const char *const *objects, const guint32 *order)
{
  LcObjects *named = lc_objects_new ();

  for (guint32 i = 0; i < trace->processes->len; i++)
    if (processes[i] != NULL)
      g_array_index (trace->processes, LcTraceProcess, i).name = g_string_chunk_insert (trace->strings, processes[i]);
  for (guint32 i = 0; i < lc_objects_count (trace->objects); i++)
    {
      LcObject object = *lc_objects_get (trace->objects, i);

      if (object.process != LC_TRACE_NONE)
        object.name = g_array_index (trace->processes, LcTraceProcess, object.process).name;
      else if (objects[i] != NULL)
        object.name = g_string_chunk_insert (trace->strings, objects[i]);
      lc_objects_add (named, &object);
    }
  if (order != NULL)
    lc_objects_renumber (named, order);
  lc_objects_free (trace->objects);
  trace->objects = named;
}

GArray *
lc_trace_list_problems (LcTrace *trace)
{
  return trace->reader->list_problems != NULL ? trace->reader->list_problems (trace)
                                              : lc_problems_list (trace->problems);
}

LcTraceCursor *
lc_trace_cursor_open (LcTrace *trace, guint32 process)
{
  g_return_val_if_fail (process < trace->processes->len, NULL);
  return trace->reader->cursor_open (trace, process);
}

void
lc_trace_cursor_close (LcTraceCursor *cursor)
{
  if (cursor != NULL)
    cursor->trace->reader->cursor_close (cursor);
}

gboolean
lc_trace_cursor_next (LcTraceCursor *cursor, LcTraceBatch *batch)
{
  return cursor->trace->reader->cursor_next (cursor, batch);
}

guint64
lc_trace_cursor_tell (const LcTraceCursor *cursor)
{
  return cursor->position;
}

LcTraceCursor *
lc_trace_cursor_new (LcTrace *trace, guint32 process, gsize size)
{
  LcTraceCursor *cursor = g_malloc0 (size);

  cursor->trace = trace;
  cursor->process = process;
  cursor->room = CLAMP (LC_TRACE_BATCHES / MAX (trace->processes->len, 1), LC_TRACE_LEAST_BATCH, LC_TRACE_BATCH);
  cursor->events = g_new (LcTraceEvent, cursor->room);
  return cursor;
}

void
lc_trace_cursor_free (LcTraceCursor *cursor)
{
  g_free (cursor->events);
  g_free (cursor);
}

LcAbsences *
lc_trace_open_absences (LcTrace *trace, guint process, GError **error)
{
  LcAbsences *absences;

  g_return_val_if_fail (trace != NULL && process < trace->processes->len, NULL);
  if (trace->reader->absences_open == NULL)
    return NULL;
  absences = trace->reader->absences_open (trace, process, error);
  if (absences == NULL)
    return NULL;
  absences->trace = trace;
  absences->process = process;
  absences->last = (gint64)trace->kept_from;
  return absences;
}

/* Files may say anything, but what comes from here is in order and within what was kept of the trace. */
gssize
lc_absences_next (LcAbsences *absences, LcAbsence *next, gsize room, GError **error)
{
  const LcTrace *trace = absences->trace;
  gint64 limit = (gint64)MIN (trace->kept_to, LC_TIME_LIMIT - 1);
  gssize n, kept = 0;

  g_return_val_if_fail (room > 0, -1);
  while (kept == 0 && (n = trace->reader->absences_next (absences, next, room, error)) != 0)
    {
      if (n < 0)
        return -1;
      for (gssize i = 0; i < n; i++)
        {
          LcAbsence absence = {MAX (next[i].begin, absences->last), MIN (next[i].end, limit), next[i].kind};

          if (absence.begin >= absence.end)
            continue;
          absences->last = absence.end;
          next[kept++] = absence;
        }
    }
  return kept;
}

void
lc_absences_close (LcAbsences *absences)
{
  if (absences != NULL)
    absences->trace->reader->absences_close (absences);
}
