/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of text traces: one file NAME.events for each process, read once to learn its names and once for its
 * events. */
#include <string.h>

#include "lines.h"
#include "operations.h"
#include "reader.h"
#include "text-line.h"
#include "text-place.h"

#define SUFFIX ".events"
#define FIRST_LINE "%lightcone-events 1"
#define ABSENT "%absent"
#define SWITCHES "%switches"
#define PENDING "%pending"
#define OBJECT "%object"
#define BEGIN "%begin"
#define LARGEST_OPERATION G_MAXUINT16

/* Bytes to read at once: for all processes together, and limits for one. */
#define PIECES (16u << 20)
#define LEAST_PIECE (2u << 10)
#define MOST_PIECE (128u << 10)

typedef struct
{
  char *name;
  guint64 n_events;
  gboolean has_switches; /* what the scheduler did to it was recorded */
} TextFile;

typedef struct
{
  const char *name; /* the trace's */
  guint64 value;
} TextObject;

typedef struct
{
  GArray *files;          /* TextFile, by process */
  GHashTable *operations; /* name -> number */
  GHashTable *objects;    /* class and name -> index; see object_key */
  GHashTable *places;     /* value of `at` -> stack; LC_TRACE_NONE: it makes no sense */
  GHashTable *declared;   /* word for an object -> TextObject, where the trace tells more of it */
} Text;

/* The state of a pass over a file. */
typedef struct
{
  LcLines lines;
  LcTextPlace place;
  guint64 last;   /* end of the previous event */
  guint64 latest; /* a later time is damage */
  gboolean has_switches;
  gboolean has_events;
  gboolean is_pending; /* the last event is the operation that the process was blocked in to its end */
  LcAbsence absence;   /* the last one */
} Pass;

typedef struct
{
  LcTraceCursor base;
  Pass pass;
  GString *key;
} Cursor;

typedef struct
{
  LcAbsences base;
  Pass pass;
} TextAbsences;

/* --- The order of files ----------------------------------------------------------------------------------------- */

static GPtrArray *
list_files (const LcFolder *folder)
{
  g_autoptr (GPtrArray) all = lc_folder_list (folder, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const char *name = all->pdata[i];

      if (g_str_has_suffix (name, SUFFIX) && *name != '.')
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, lc_files_compare_names);
  return names;
}

static gboolean
text_probe (LcFolder *folder)
{
  g_autoptr (GPtrArray) names = list_files (folder);

  return names->len > 0;
}

/* --- Passes over a file ------------------------------------------------------------------------------------------ */

static gboolean
next_line (Pass *pass, const char **line, gsize *length)
{
  if (!lc_lines_next (&pass->lines, line, length))
    return FALSE;
  while (*length > 0 && ((*line)[*length - 1] == '\r' || (*line)[*length - 1] == ' '))
    (*length)--;
  pass->place.number = pass->lines.number;
  return TRUE;
}

static gboolean
has_prefix (const char *line, gsize length, const char *prefix)
{
  return length >= strlen (prefix) && memcmp (line, prefix, strlen (prefix)) == 0;
}

/* FALSE: the file is not a readable text trace, which is counted; the pass then has no lines. */
static gboolean
pass_open (Pass *pass, LcTrace *trace, const char *name, const char *file, gsize piece)
{
  g_autoptr (GError) error = NULL;
  const char *line = "";
  gsize length = 0;

  *pass = (Pass){.place = {trace->problems, file, 0}, .latest = lc_timescale_last (&trace->timescale)};
  if (!lc_lines_open (&pass->lines, trace->folder, name, piece, trace->problems, file, &error))
    {
      lc_problems_count (trace->problems, LC_PROBLEM_FILE_UNREADABLE, file, 0, "%s", error->message);
      return FALSE;
    }
  if (next_line (pass, &line, &length) && length == strlen (FIRST_LINE) && has_prefix (line, length, FIRST_LINE))
    return TRUE;
  lc_problems_count (trace->problems, LC_PROBLEM_TEXT_VERSION, file, 1, "it is `%.*s`", (int)MIN (length, 80), line);
  lc_lines_clear (&pass->lines);
  pass->lines.position = pass->lines.file_size;
  return FALSE;
}

/* Of a time that is damage, the event or its end stands as early as it can: so no time of the events after it changes.
 */
static guint64
text_limit_time (const Pass *pass, guint64 time, guint64 earliest)
{
  if (G_LIKELY (time <= pass->latest))
    return time;
  lc_problems_count (pass->place.problems, LC_PROBLEM_TEXT_TIME_LARGE, pass->place.file, pass->place.number,
                     "%" G_GUINT64_FORMAT, time);
  return earliest;
}

/* Ensures that events do not overlap. */
static void
text_repair_times (Pass *pass, LcTextLine *line)
{
  line->begin = text_limit_time (pass, line->begin, pass->last);
  line->end = text_limit_time (pass, line->end, MAX (line->begin, pass->last));
  if (line->begin < pass->last || line->end < line->begin)
    {
      lc_problems_count (pass->place.problems, LC_PROBLEM_TEXT_BACKWARDS, pass->place.file, pass->place.number,
                         "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " after %" G_GUINT64_FORMAT, line->begin, line->end,
                         pass->last);
      line->begin = MAX (line->begin, pass->last);
      line->end = MAX (line->end, line->begin);
    }
  pass->last = line->end;
}

static gboolean
is_directive (const char *line, gsize length, const char *name)
{
  return has_prefix (line, length, name) && (length == strlen (name) || g_ascii_isspace (line[strlen (name)]));
}

/* FALSE: the line, `%absent` and what follows, makes no sense, which is counted. */
static gboolean
text_read_absence (Pass *pass, const char *line, gsize length)
{
  const gsize name = strlen (ABSENT);
  LcAbsence absence;

  if (lc_text_line_read_absence (&absence, line + name, length - name) && absence.begin >= pass->absence.end)
    {
      pass->absence = absence;
      pass->has_switches = TRUE;
      return TRUE;
    }
  lc_problems_count (pass->place.problems, LC_PROBLEM_TEXT_ABSENCE, pass->place.file, pass->place.number, "%.*s",
                     (int)MIN (length, 80), line);
  return FALSE;
}

/* Reads `%object WORD [value=NUMBER] NAME`, and keeps it if the trace is being opened. FALSE: a part is missing. */
static gboolean
text_read_object (LcTrace *trace, gboolean keeps, const char *line, gsize length)
{
  Text *text = trace->data;
  g_autofree char *copy = g_strndup (line, length), *valid = g_utf8_make_valid (copy, -1);
  g_auto (GStrv) parts = g_strsplit (valid, " ", 3);
  const char *name = g_strv_length (parts) == 3 ? parts[2] : "";
  TextObject *object;
  guint64 value = 0;

  if (g_str_has_prefix (name, "value="))
    {
      const char *digits = name + strlen ("value="), *end = strchr (digits, ' ');
      g_autofree char *number = end != NULL ? g_strndup (digits, (gsize)(end - digits)) : NULL;

      if (number == NULL || !g_ascii_string_to_unsigned (number, 10, 0, G_MAXUINT64, &value, NULL))
        return FALSE;
      name = end + 1;
    }
  if (*name == '\0' || *parts[1] == '\0')
    return FALSE;
  if (!keeps)
    return TRUE;
  object = g_new (TextObject, 1);
  *object = (TextObject){lc_trace_keep_string (trace, name, -1), value};
  g_hash_table_replace (text->declared, g_strdup (parts[1]), object);
  return TRUE;
}

/* Reads `%begin TIME`, which comes before all events. FALSE: it does not, or there is no such time. */
static gboolean
text_read_begin (const Pass *pass, LcTraceProcess *process, const char *line, gsize length)
{
  g_autofree char *time = g_strndup (line + strlen (BEGIN), length - strlen (BEGIN));
  guint64 begin;

  if (pass->has_events || !g_ascii_string_to_unsigned (g_strstrip (time), 10, 0, LC_TIME_LIMIT - 1, &begin, NULL))
    return FALSE;
  if (process != NULL)
    {
      process->begin = begin;
      process->is_followed = TRUE;
    }
  return TRUE;
}

static void
read_directive (Pass *pass, LcTraceProcess *process, LcTrace *trace, const char *line, gsize length)
{
  const char name[] = "%process ";

  if (is_directive (line, length, ABSENT))
    text_read_absence (pass, line, length);
  else if (is_directive (line, length, BEGIN) && text_read_begin (pass, process, line, length))
    return;
  else if (is_directive (line, length, OBJECT) && text_read_object (trace, process != NULL, line, length))
    return;
  else if (length == strlen (SWITCHES) && has_prefix (line, length, SWITCHES))
    pass->has_switches = TRUE;
  else if (!has_prefix (line, length, name))
    lc_problems_count (trace->problems, LC_PROBLEM_TEXT_DIRECTIVE, pass->place.file, pass->place.number, "%.*s",
                       (int)MIN (length, 80), line);
  else if (process != NULL)
    process->given_name = lc_trace_keep_string (trace, line + strlen (name), (gssize)(length - strlen (name)));
}

/* FALSE: the line, `%pending` and what follows, is no event, which is counted. */
static gboolean
text_read_pending (Pass *pass, const char *line, gsize length, LcTextLine *event)
{
  const gsize name = strlen (PENDING);

  pass->is_pending = lc_text_line_read (event, line + name, length - name, &pass->place);
  if (pass->is_pending)
    text_repair_times (pass, event);
  return pass->is_pending;
}

/* Nothing follows what a process was blocked in to its end, but when it was off its processors. */
static gboolean
text_comes_too_late (const Pass *pass, const char *line, gsize length)
{
  if (!pass->is_pending || (*line == '%' && !is_directive (line, length, PENDING)))
    return FALSE;
  lc_problems_count (pass->place.problems, LC_PROBLEM_TEXT_PENDING, pass->place.file, pass->place.number, "%.*s",
                     (int)MIN (length, 80), line);
  return TRUE;
}

/* Gives the next line that is not empty and no comment. */
static gboolean
next_content (Pass *pass, const char **line, gsize *length)
{
  while (next_line (pass, line, length))
    {
      while (*length > 0 && (**line == ' ' || **line == '\t'))
        {
          ++*line;
          --*length;
        }
      if (*length > 0 && **line != '#')
        return TRUE;
    }
  return FALSE;
}

/* Reads the next line that is an event, or tells the last one, which is pending. Sets the name of `process` unless that
 * is NULL. */
static gboolean
text_next_event (Pass *pass, LcTrace *trace, LcTraceProcess *process, LcTextLine *event)
{
  const char *line;
  gsize length;

  while (next_content (pass, &line, &length))
    {
      if (!g_utf8_validate (line, (gssize)length, NULL))
        lc_problems_count (trace->problems, LC_PROBLEM_BAD_TEXT, pass->place.file, pass->place.number, NULL);
      if (text_comes_too_late (pass, line, length))
        continue;
      if (is_directive (line, length, PENDING))
        {
          if (text_read_pending (pass, line, length, event))
            return TRUE;
        }
      else if (*line == '%')
        read_directive (pass, process, trace, line, length);
      else if (lc_text_line_read (event, line, length, &pass->place))
        {
          text_repair_times (pass, event);
          pass->has_events = TRUE;
          return TRUE;
        }
    }
  return FALSE;
}

/* --- Operations and objects ------------------------------------------------------------------------------------------
 */

/* Returns LC_TRACE_NONE if there are too many operations. */
static guint32
text_add_operation (LcTrace *trace, const LcWord *word)
{
  Text *text = trace->data;
  guint32 number = lc_operation_find (word->bytes, word->length);
  g_autofree char *name = g_strndup (word->bytes, word->length);
  LcTraceOperation operation = {0};
  gpointer found;

  if (g_hash_table_lookup_extended (text->operations, name, NULL, &found))
    return GPOINTER_TO_UINT (found);
  if (number == LC_NO_OPERATION)
    {
      if (trace->operations->len > LARGEST_OPERATION)
        return LC_TRACE_NONE;
      number = trace->operations->len;
      operation.name = lc_trace_keep_string (trace, word->bytes, (gssize)word->length);
      g_array_append_val (trace->operations, operation);
    }
  g_hash_table_insert (text->operations, g_steal_pointer (&name), GUINT_TO_POINTER (number));
  return number;
}

/* A child-wait names the process that its child is, as joins do. */
static guint8
text_class_of (guint32 operation)
{
  if (operation == LC_CHILD_WAIT)
    return LC_CLASS_THREAD;
  return operation < LC_OPERATION_END ? lc_operations[operation].operation_class : LC_CLASS_NONE;
}

/* Objects are named within their class: the same name in another class is another object. */
static const char *
object_key (GString *key, guint32 operation, const LcWord *word)
{
  g_string_truncate (key, 0);
  g_string_append_c (key, (char)('a' + text_class_of (operation)));
  g_string_append_len (key, word->bytes, (gssize)word->length);
  return key->str;
}

static guint32
text_add_place (LcTrace *trace, const LcTextLine *line, const LcTextPlace *place)
{
  Text *text = trace->data;
  g_autofree char *value = NULL;
  guint32 stack;
  gpointer found;

  if (line->at.bytes == NULL)
    return LC_TRACE_NONE;
  value = g_strndup (line->at.bytes, line->at.length);
  if (g_hash_table_lookup_extended (text->places, value, NULL, &found))
    stack = GPOINTER_TO_UINT (found);
  else
    {
      stack = lc_text_place_read (value, trace->sites);
      g_hash_table_insert (text->places, g_strdup (value), GUINT_TO_POINTER (stack));
    }
  if (stack == LC_TRACE_NONE)
    lc_problems_count (trace->problems, LC_PROBLEM_TEXT_PLACE, place->file, place->number, "%.80s", value);
  return stack;
}

static guint32
text_find_place (const Text *text, GString *key, const LcWord *at)
{
  gpointer found = GUINT_TO_POINTER (LC_TRACE_NONE);

  if (at->bytes == NULL)
    return LC_TRACE_NONE;
  g_string_truncate (key, 0);
  g_string_append_len (key, at->bytes, (gssize)at->length);
  g_hash_table_lookup_extended (text->places, key->str, NULL, &found);
  return GPOINTER_TO_UINT (found);
}

static void
text_add_object (LcTrace *trace, GString *key, guint32 operation, const LcTextLine *line, guint32 stack)
{
  Text *text = trace->data;
  LcObject object = {
      .first = line->begin,
      .instance = LC_TRACE_NONE,
      .process = LC_TRACE_NONE,
      .stack = stack,
      .module = LC_TRACE_NONE,
      .object_class = text_class_of (operation),
  };
  g_autofree char *word = NULL;
  const TextObject *declared;

  if (g_hash_table_contains (text->objects, object_key (key, operation, &line->object)))
    return;
  word = g_strndup (line->object.bytes, line->object.length);
  declared = g_hash_table_lookup (text->declared, word);
  object.name = declared != NULL ? declared->name : lc_trace_keep_string (trace, word, -1);
  object.value = declared != NULL ? declared->value : 0;
  g_hash_table_insert (text->objects, g_strdup (key->str), GUINT_TO_POINTER (lc_objects_add (trace->objects, &object)));
}

/* --- The reader
 * ---------------------------------------------------------------------------------------------------------- */

/* A process that does not begin in the trace was there before: it is followed from the end of the gap on. */
static guint64
text_find_begin (const LcTrace *trace, guint32 operation, guint64 begin)
{
  return operation == LC_START || trace->kept_from == 0 ? begin : MIN (begin, trace->kept_from);
}

static LcTracePending
text_make_pending (const Text *text, GString *key, guint32 operation, const LcTextLine *line, guint32 stack)
{
  gpointer object = GUINT_TO_POINTER (LC_TRACE_NONE);

  if (line->object.bytes != NULL)
    g_hash_table_lookup_extended (text->objects, object_key (key, operation, &line->object), NULL, &object);
  return (LcTracePending){.operation = operation,
                          .object = GPOINTER_TO_UINT (object),
                          .sequence = line->sequence,
                          .has_sequence = (line->flags & LC_TRACE_EVENT_SEQUENCE) != 0,
                          .is_unlimited = (line->flags & LC_EVENT_TIMED_OUT) == 0,
                          .begin = line->begin,
                          .stack = stack,
                          .cpu = line->cpu};
}

/* FALSE: it does not begin as a text trace. */
static gboolean
learn_file (LcTrace *trace, const char *name, guint32 number)
{
  Text *text = trace->data;
  TextFile file = {.name = g_strdup (name)};
  LcTraceProcess process = {
      .file = g_string_chunk_insert (trace->strings, name),
      .number = number,
      .instance = LC_TRACE_NONE,
      .parent = LC_TRACE_NONE,
      .rank = LC_TRACE_NONE,
      .start = LC_TRACE_NONE,
      .state = LC_STATE_ENDED,
      .account = LC_TRACE_NO_ACCOUNT,
      .pending = {.operation = LC_TRACE_NONE, .object = LC_TRACE_NONE, .stack = LC_TRACE_NONE},
  };
  g_autoptr (GString) key = g_string_new (NULL);
  gboolean readable;
  LcTextLine line;
  Pass pass;

  process.given_name = lc_trace_keep_string (trace, name, (gssize)(strlen (name) - strlen (SUFFIX)));
  readable = pass_open (&pass, trace, name, process.file, MOST_PIECE);
  process.bytes = pass.lines.file_size;
  while (text_next_event (&pass, trace, &process, &line))
    {
      guint32 operation = text_add_operation (trace, &line.operation), stack;

      if (operation == LC_TRACE_NONE)
        {
          lc_problems_count (trace->problems, LC_PROBLEM_TEXT_OPERATION, process.file, pass.place.number, NULL);
          continue;
        }
      stack = text_add_place (trace, &line, &pass.place);
      if (line.object.bytes != NULL)
        text_add_object (trace, key, operation, &line, stack);
      if (pass.is_pending)
        {
          process.pending = text_make_pending (text, key, operation, &line, stack);
          process.state = LC_STATE_CUT;
        }
      if (file.n_events++ == 0)
        process.begin =
            process.is_followed ? MIN (process.begin, line.begin) : text_find_begin (trace, operation, line.begin);
      process.end = line.end;
    }
  lc_lines_clear (&pass.lines);
  file.has_switches = pass.has_switches;
  g_array_append_val (trace->processes, process);
  g_array_append_val (text->files, file);
  return readable;
}

static void
clear_file (gpointer data)
{
  g_free (((TextFile *)data)->name);
}

static gboolean
text_open_trace (LcTrace *trace, GError **error)
{
  Text *text = g_new0 (Text, 1);
  g_autoptr (GPtrArray) names = list_files (trace->folder);
  gboolean readable = FALSE;

  trace->data = text;
  text->files = g_array_new (FALSE, FALSE, sizeof (TextFile));
  g_array_set_clear_func (text->files, clear_file);
  text->operations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  text->objects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  text->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  text->declared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < names->len; i++)
    readable |= learn_file (trace, names->pdata[i], i);
  if (!readable)
    {
      g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE, "%s/%s: does not begin with `%s' (line 1)",
                   trace->path, (const char *)names->pdata[0], FIRST_LINE);
      return FALSE;
    }
  lc_trace_name_processes (trace);
  return TRUE;
}

static void
text_close_trace (LcTrace *trace)
{
  Text *text = g_steal_pointer (&trace->data);

  if (text == NULL)
    return;
  g_array_unref (text->files);
  g_hash_table_unref (text->operations);
  g_hash_table_unref (text->objects);
  g_hash_table_unref (text->places);
  g_hash_table_unref (text->declared);
  g_free (text);
}

static guint64
text_count_events (const LcTrace *trace, guint32 process)
{
  const Text *text = trace->data;

  return g_array_index (text->files, TextFile, process).n_events;
}

static LcTraceCursor *
text_cursor_open (LcTrace *trace, guint32 process)
{
  const Text *text = trace->data;
  Cursor *cursor = (Cursor *)lc_trace_cursor_new (trace, process, sizeof (Cursor));

  cursor->key = g_string_new (NULL);
  pass_open (&cursor->pass, trace, g_array_index (text->files, TextFile, process).name,
             g_array_index (trace->processes, LcTraceProcess, process).file,
             CLAMP (PIECES / trace->processes->len, LEAST_PIECE, MOST_PIECE));
  return &cursor->base;
}

/* FALSE: the operation or object was added after the trace was opened. */
static gboolean
fill_event (Cursor *cursor, const LcTextLine *line, LcTraceEvent *event)
{
  const LcTrace *trace = cursor->base.trace;
  const Text *text = trace->data;
  gpointer number = GUINT_TO_POINTER (LC_TRACE_NONE), operation;

  g_string_truncate (cursor->key, 0);
  g_string_append_len (cursor->key, line->operation.bytes, (gssize)line->operation.length);
  if (!g_hash_table_lookup_extended (text->operations, cursor->key->str, NULL, &operation))
    return FALSE;
  if (line->object.bytes != NULL &&
      !g_hash_table_lookup_extended (
          text->objects, object_key (cursor->key, GPOINTER_TO_UINT (operation), &line->object), NULL, &number))
    return FALSE;
  *event = (LcTraceEvent){
      .begin = line->begin,
      .end = line->end,
      .sequence = line->sequence,
      .value = line->value,
      .bytes = line->bytes,
      .object = GPOINTER_TO_UINT (number),
      .peer = line->peer,
      .stack = text_find_place (text, cursor->key, &line->at),
      .operation = (guint16)GPOINTER_TO_UINT (operation),
      .cpu = line->cpu,
      .flags = line->flags,
  };
  if (cursor->pass.is_pending)
    *event = (LcTraceEvent){.begin = line->begin,
                            .end = line->end,
                            .object = event->object,
                            .peer = LC_TRACE_NONE,
                            .stack = event->stack,
                            .operation = LC_EXIT,
                            .cpu = LC_CPU_UNKNOWN,
                            .flags = LC_EVENT_CANCELLED};
  if (event->peer >= trace->n_peers && event->peer != LC_TRACE_NONE)
    {
      lc_problems_count (trace->problems, LC_PROBLEM_TEXT_PEER, cursor->pass.place.file, cursor->pass.place.number,
                         "process %u", event->peer);
      event->peer = LC_TRACE_NONE;
    }
  return TRUE;
}

static gboolean
text_cursor_next (LcTraceCursor *base, LcTraceBatch *batch)
{
  Cursor *cursor = (Cursor *)base;
  LcTextLine line;
  gsize n = 0;

  while (n < base->room && text_next_event (&cursor->pass, base->trace, NULL, &line))
    n += fill_event (cursor, &line, &base->events[n]) ? 1 : 0;
  base->position = cursor->pass.lines.position;
  batch->events = base->events;
  batch->n_events = n;
  batch->first_ordinal = base->ordinal;
  base->ordinal += n;
  return n > 0;
}

static void
text_cursor_close (LcTraceCursor *base)
{
  Cursor *cursor = (Cursor *)base;

  lc_lines_clear (&cursor->pass.lines);
  g_string_free (cursor->key, TRUE);
  lc_trace_cursor_free (base);
}

static LcAbsences *
text_absences_open (LcTrace *trace, guint32 process, GError **error G_GNUC_UNUSED)
{
  const Text *text = trace->data;
  const TextFile *file = &g_array_index (text->files, TextFile, process);
  TextAbsences *absences;

  if (!file->has_switches)
    return NULL;
  absences = g_new0 (TextAbsences, 1);
  pass_open (&absences->pass, trace, file->name, g_array_index (trace->processes, LcTraceProcess, process).file,
             CLAMP (PIECES / trace->processes->len, LEAST_PIECE, MOST_PIECE));
  return &absences->base;
}

static gssize
text_absences_next (LcAbsences *base, LcAbsence *next, gsize room, GError **error G_GNUC_UNUSED)
{
  Pass *pass = &((TextAbsences *)base)->pass;
  const char *line;
  gsize length, n = 0;

  while (n < room && next_content (pass, &line, &length))
    if (is_directive (line, length, ABSENT) && text_read_absence (pass, line, length))
      next[n++] = pass->absence;
  return (gssize)n;
}

static void
text_absences_close (LcAbsences *base)
{
  lc_lines_clear (&((TextAbsences *)base)->pass.lines);
  g_free (base);
}

static const char *const text_files[] = {"*" SUFFIX, NULL};

const LcTraceReader lc_trace_reader_text = {
    .name = "text",
    .sign = "file *" SUFFIX,
    .files = text_files,
    .is_counted = TRUE,
    .is_global = TRUE,
    .probe = text_probe,
    .open = text_open_trace,
    .close = text_close_trace,
    .count_events = text_count_events,
    .cursor_open = text_cursor_open,
    .cursor_next = text_cursor_next,
    .cursor_close = text_cursor_close,
    .absences_open = text_absences_open,
    .absences_next = text_absences_next,
    .absences_close = text_absences_close,
};
