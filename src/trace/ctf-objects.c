/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the objects of the address spaces of a binary trace: objects-I and symbols-I. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctf-sites.h"
#include "lines.h"
#include "operations.h"

#define SYMBOLS_PIECE (128u << 10)
#define BLOCK_BYTES (LC_CTF_BLOCK * sizeof (guint32))

/* The state while a file is read. */
typedef struct
{
  LcTrace *trace;
  const char *file;
  LcCtfInstance *instance;
  guint32 instance_number; /* LC_TRACE_NONE: the file of shared objects */
  GHashTable *symbols;     /* record -> name */
  GHashTable *modules;     /* record -> name */
  GHashTable *names;       /* record -> name that the program gave it by its address, or NULL */
  GHashTable *known;       /* identity of a function or region -> index; for the whole trace */
  LcCtfCode code;
} Reading;

/* Finds the file of requests. Its records are read only when an event needs them, because the program may still run. */
static void
find_requests (LcTrace *trace, LcCtfInstance *instance)
{
  const LcCtf *ctf = trace->data;
  g_autofree char *file = g_strdup_printf ("requests-%u", instance->number);
  g_autoptr (GError) error = NULL;
  guint64 size;
  int fd = lc_folder_open_file (ctf->base, file, &size, &error);

  if (fd < 0)
    {
      if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        lc_problems_count (trace->problems, LC_PROBLEM_FILE_UNREADABLE, file, 0, "%s", error->message);
      return;
    }
  close (fd);
  instance->n_requests = size / sizeof (struct lc_request_record);
  if (size % sizeof (struct lc_request_record) != 0)
    lc_problems_count (trace->problems, LC_PROBLEM_TRUNCATED_REQUEST, file, size, NULL);
}

static LcCtfInstance *
instance_new (guint32 number)
{
  LcCtfInstance *instance = g_new0 (LcCtfInstance, 1);

  instance->number = number;
  instance->objects = g_ptr_array_new_with_free_func (g_free);
  instance->stacks = g_ptr_array_new_with_free_func (g_free);
  return instance;
}

void
lc_ctf_map_set (LcCtfMap *map, guint32 number, guint32 value)
{
  guint block = number / LC_CTF_BLOCK;
  guint32 *values;

  if (block >= map->len)
    g_ptr_array_set_size (map, (gint)block + 1);
  values = map->pdata[block];
  if (values == NULL)
    {
      values = g_malloc (BLOCK_BYTES);
      memset (values, 0xFF, BLOCK_BYTES); /* fills with LC_TRACE_NONE */
      map->pdata[block] = values;
    }
  values[number % LC_CTF_BLOCK] = value;
}

static void
ctf_objects_add_symbol (Reading *reading, const char *line, gsize length, const char *file, guint64 number)
{
  const char *space = memchr (line, ' ', length);
  guint64 record;
  g_autofree char *digits = g_strndup (line, space != NULL ? (gsize)(space - line) : 0);

  if (space == NULL || space + 1 == line + length ||
      !g_ascii_string_to_unsigned (digits, 10, 0, G_MAXUINT32, &record, NULL))
    {
      lc_problems_count (reading->trace->problems, LC_PROBLEM_BAD_SYMBOL, file, number, NULL);
      return;
    }
  space++;
  g_hash_table_insert (reading->symbols, GUINT_TO_POINTER ((guint)record),
                       (gpointer)lc_trace_keep_string (reading->trace, space, line + length - space));
}

static void
read_symbols (Reading *reading, const LcCtf *ctf)
{
  g_autofree char *file = g_strdup_printf ("symbols-%u", reading->instance_number);
  g_auto (LcLines) lines = {NULL};
  g_autoptr (GError) error = NULL;
  const char *line;
  gsize length;

  if (!lc_lines_open (&lines, ctf->base, file, SYMBOLS_PIECE, reading->trace->problems, file, &error))
    {
      if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        lc_problems_count (reading->trace->problems, LC_PROBLEM_FILE_UNREADABLE, file, 0, "%s", error->message);
      return;
    }
  while (lc_lines_next (&lines, &line, &length))
    ctf_objects_add_symbol (reading, line, length, file, lines.number);
}

/* The numbers are those of Linux. The first of those without a name are the C library's own. */
static char *
signal_name (guint64 number)
{
  enum
  {
    FIRST = 34,
    LAST = 64,
  };
  const char *name = number < FIRST ? sigabbrev_np ((int)number) : NULL;

  if (name != NULL)
    return g_strconcat ("SIG", name, NULL);
  if (number == FIRST)
    return g_strdup ("SIGRTMIN");
  if (number > FIRST && number <= LAST)
    return g_strdup_printf ("SIGRTMIN+%u", (guint)(number - FIRST));
  return g_strdup_printf ("signal %" G_GUINT64_FORMAT, number);
}

/* Returns the name of a stream or a signal that several processes may know, or NULL. */
static char *
stream_name (const LcObject *object)
{
  const guint host = (guint)(object->value >> 32), from = object->value >> 16 & 0xFFFF, to = object->value & 0xFFFF;

  if (object->kind == LC_KIND_PIPE)
    return g_strdup_printf ("pipe %" G_GUINT64_FORMAT, object->value);
  if (object->kind == LC_KIND_SOCKET)
    return g_strdup_printf ("socket %" G_GUINT64_FORMAT, object->value);
  if (object->kind == LC_KIND_EVENTFD)
    return g_strdup_printf ("eventfd %" G_GUINT64_FORMAT, object->value);
  if (object->kind == LC_KIND_SIGNAL)
    return signal_name (object->value);
  if (object->kind != LC_KIND_CONNECTION)
    return NULL;
  if (host == 0)
    return g_strdup_printf ("connection %u to %u", from, to);
  return g_strdup_printf ("connection %u.%u.%u.%u:%u to %u", host >> 24, host >> 16 & 0xFF, host >> 8 & 0xFF,
                          host & 0xFF, from, to);
}

static const char *
function_name (Reading *reading, const LcRecord *record)
{
  const char *name = g_hash_table_lookup (reading->symbols, GUINT_TO_POINTER (record->number));
  const char *module = g_hash_table_lookup (reading->modules, GUINT_TO_POINTER (record->record.module));
  g_autofree char *base = NULL, *text = NULL;

  if (name != NULL)
    return name;
  base = g_path_get_basename (module != NULL ? module : "?");
  text = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x in %s", (guint64)record->record.value, base);
  return g_string_chunk_insert (reading->trace->strings, text);
}

/* Returns a key that is equal for records of different address spaces if they mean the same object; NULL: there is
 * none, or it is an object of MPI. */
static char *
ctf_objects_identity (Reading *reading, const LcRecord *record, const char *name)
{
  const char *module = g_hash_table_lookup (reading->modules, GUINT_TO_POINTER (record->record.module));

  if (record->record.object_class == LC_CLASS_MARK && name != NULL)
    return g_strdup (name);
  if (record->record.object_class == LC_CLASS_FUNCTION && module != NULL)
    return g_strdup_printf ("%s\n%s\n%" G_GUINT64_FORMAT, name, module, (guint64)record->record.value);
  return NULL;
}

/* Finds an object that is already known. MPI may have an object for each message, so its objects are found without a
 * key. */
static guint32
find_known (Reading *reading, const LcObject *object, const char *key)
{
  gpointer found;

  if (key != NULL)
    return g_hash_table_lookup_extended (reading->known, key, NULL, &found) ? GPOINTER_TO_UINT (found) : LC_TRACE_NONE;
  if (lc_object_is_by_name (object))
    return lc_objects_find_by_name (reading->trace->objects, object->object_class, object->name);
  return LC_TRACE_NONE;
}

static guint32
ctf_objects_add_object (Reading *reading, const LcRecord *record, LcObject *object)
{
  LcTrace *trace = reading->trace;
  g_autofree char *key = ctf_objects_identity (reading, record, object->name);
  guint32 index = find_known (reading, object, key);

  if (index != LC_TRACE_NONE)
    {
      lc_objects_share (trace->objects, index);
      return index;
    }
  if (object->name != NULL && object->object_class != LC_CLASS_FUNCTION)
    object->name = lc_trace_keep_string (trace, object->name, -1);
  index = lc_objects_add (trace->objects, object);
  if (key != NULL)
    g_hash_table_insert (reading->known, g_steal_pointer (&key), GUINT_TO_POINTER (index));
  return index;
}

static guint64
first_time (const Reading *reading, const LcRecord *record)
{
  const LcTimescale *timescale = &reading->trace->timescale;

  const guint64 last = lc_timescale_last (timescale);

  if (record->record.ticks > last)
    lc_problems_count (reading->trace->problems, LC_PROBLEM_TIME_TOO_LARGE, reading->file,
                       (guint64)record->number * sizeof record->record, NULL);
  return lc_timescale_ns (timescale, MIN (record->record.ticks, last));
}

static void
add_record (Reading *reading, const LcRecord *record)
{
  LcTrace *trace = reading->trace;
  g_autofree char *name = NULL;
  LcObject object = {
      .address = record->record.address,
      .value = record->record.value,
      .first = first_time (reading, record),
      .instance = reading->instance_number,
      .process = LC_TRACE_NONE,
      .object_class = record->record.object_class,
      .kind = record->record.kind,
  };

  if (record->record.name_length > 0)
    name = g_utf8_make_valid (record->name, (gssize)strnlen (record->name, record->record.name_length));
  if (object.object_class == LC_CLASS_NAME || object.object_class == LC_CLASS_ACCOUNT)
    return;
  if (object.object_class == LC_CLASS_SITE)
    {
      lc_ctf_code_add_site (&reading->code, record);
      return;
    }
  if (object.object_class == LC_CLASS_MODULE)
    {
      lc_ctf_code_add_module (&reading->code, record, name != NULL ? name : "");
      g_hash_table_insert (reading->modules, GUINT_TO_POINTER (record->number),
                           name != NULL ? (gpointer)lc_trace_keep_string (trace, name, -1) : NULL);
      return;
    }
  if (object.object_class == LC_CLASS_IO && name == NULL)
    name = stream_name (&object);
  object.name = object.object_class == LC_CLASS_FUNCTION ? function_name (reading, record) : name;
  if (reading->names != NULL && g_hash_table_contains (reading->names, GUINT_TO_POINTER (record->number)))
    object.name = g_hash_table_lookup (reading->names, GUINT_TO_POINTER (record->number));
  lc_ctf_code_place (&reading->code, record, &object);
  lc_ctf_map_set (reading->instance->objects, record->number, ctf_objects_add_object (reading, record, &object));
}

/* Adds the records of an instance, or the shared ones if `number` is LC_TRACE_NONE. */
static LcCtfInstance *
ctf_objects_read_records (LcTrace *trace, LcRecords *records, guint32 number, GHashTable *known)
{
  const LcCtf *ctf = trace->data;
  const char *file = records->name;
  g_autoptr (GHashTable) symbols = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) modules = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) names = number != LC_TRACE_NONE ? lc_ctf_read_names (trace, file) : NULL;
  Reading reading = {trace, file, NULL, number, symbols, modules, names, known, {0}};
  LcRecord record;

  reading.instance = instance_new (number);
  if (number != LC_TRACE_NONE)
    {
      read_symbols (&reading, ctf);
      find_requests (trace, reading.instance);
    }
  lc_ctf_code_init (&reading.code, trace, file, reading.instance);
  while (lc_records_next (records, &record))
    add_record (&reading, &record);
  lc_ctf_code_clear (&reading.code);
  return reading.instance;
}

/* Reads the file of an instance, or of the shared objects if `number` is LC_TRACE_NONE. NULL: there is no file. */
static LcCtfInstance *
ctf_objects_read_file (LcTrace *trace, const char *file, guint32 number, GHashTable *known)
{
  const LcCtf *ctf = trace->data;
  g_autoptr (GError) error = NULL;
  g_auto (LcRecords) records = {0};

  if (!lc_records_open (&records, ctf->base, file, trace->problems, &error))
    {
      lc_problems_count (trace->problems, LC_PROBLEM_FILE_UNREADABLE, file, 0, "%s", error->message);
      return NULL;
    }
  return ctf_objects_read_records (trace, &records, number, known);
}

/* Reads the shared objects: from their file, or of a recording that goes on from its control block. NULL: there are
 * none. */
static LcCtfInstance *
ctf_objects_read_shared (LcTrace *trace, GHashTable *known)
{
  const LcCtf *ctf = trace->data;
  g_auto (LcRecords) records = {0};
  struct stat status;

  if (lc_folder_stat (ctf->base, "objects-shared", &status))
    return ctf_objects_read_file (trace, "objects-shared", LC_TRACE_NONE, known);
  if (lc_records_open_control (&records, ctf->base, trace->problems))
    return ctf_objects_read_records (trace, &records, LC_TRACE_NONE, known);
  return NULL;
}

/* Adds an object for each process, so that operations of class thread have objects like all others. */
static void
ctf_objects_add_processes (LcTrace *trace)
{
  for (guint i = 0; i < trace->processes->len; i++)
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

gboolean
lc_ctf_read_objects (LcTrace *trace, GError **error)
{
  LcCtf *ctf = trace->data;
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) files = lc_folder_list_numbered (ctf->base, "objects-", error);

  if (files == NULL)
    return FALSE;
  ctf_objects_add_processes (trace);
  for (guint i = 0; i < files->len; i++)
    {
      const LcNumberedFile *file = &g_array_index (files, LcNumberedFile, i);
      LcCtfInstance *instance = ctf_objects_read_file (trace, file->name, file->number, known);

      if (instance != NULL)
        g_hash_table_insert (ctf->instances, GUINT_TO_POINTER (file->number), instance);
    }
  ctf->shared = ctf_objects_read_shared (trace, known);
  return TRUE;
}

const LcCtfInstance *
lc_ctf_find_instance (const LcCtf *ctf, guint32 number)
{
  return g_hash_table_lookup (ctf->instances, GUINT_TO_POINTER (number));
}

guint32
lc_ctf_find_process (const LcCtf *ctf, guint32 number)
{
  gpointer index;

  if (!g_hash_table_lookup_extended (ctf->numbers, GUINT_TO_POINTER (number), NULL, &index))
    return LC_TRACE_NONE;
  return GPOINTER_TO_UINT (index);
}

guint32
lc_ctf_find_rank (const LcCtf *ctf, guint32 rank)
{
  gpointer index;

  if (!g_hash_table_lookup_extended (ctf->ranks, GUINT_TO_POINTER (rank), NULL, &index))
    return LC_TRACE_NONE;
  return GPOINTER_TO_UINT (index);
}

guint32
lc_ctf_find_object (const LcCtf *ctf, const LcCtfInstance *instance, guint32 operation, guint32 number,
                    gboolean *unknown)
{
  guint32 result = LC_TRACE_NONE;

  *unknown = FALSE;
  if (lc_operations[operation].operation_class == LC_CLASS_THREAD)
    {
      result = lc_ctf_find_process (ctf, number);
      *unknown = result == LC_TRACE_NONE && number != LC_NO_PROCESS;
      return result;
    }
  if (number == 0)
    return LC_TRACE_NONE;
  if (number & LC_OBJECT_SHARED)
    {
      instance = ctf->shared;
      number &= ~LC_OBJECT_SHARED;
    }
  if (instance != NULL)
    result = lc_ctf_map_get (instance->objects, number);
  *unknown = result == LC_TRACE_NONE;
  return result;
}
