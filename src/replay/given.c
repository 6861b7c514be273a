/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the file by which a replay gives back what the program got from outside. */
#include "lightcone/given.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lightcone/replay-mpi.h"
#include "trace/folder.h"

#define GIVEN_KEY "inputs"
#define GIVEN_RANKS_KEY "inputs-of-ranks" /* older versions have kept what MPI asks for, too */

/* Bytes of one record: more than any call gives, so more is damage. */
#define GIVEN_MOST_BYTES (UINT64_C (1) << 31)

typedef struct
{
  LcTrace *trace;
  LcFolder *folder;
  GArray *processes; /* struct lc_inputs_process */
  guint64 size;      /* of the file so far */
  FILE *file;
} Given;

static void
given_clear (Given *given)
{
  g_clear_pointer (&given->processes, g_array_unref);
  g_clear_pointer (&given->folder, lc_folder_unref);
  if (given->file != NULL)
    fclose (given->file);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Given, given_clear)

gboolean
lc_given_is_kept (LcTrace *trace)
{
  const char *key = lc_replay_mpi_has_ranks (trace) ? GIVEN_RANKS_KEY : GIVEN_KEY;

  return g_key_file_get_boolean (lc_trace_get_settings (trace), "trace", key, NULL);
}

gboolean
lc_given_is_older (LcTrace *trace)
{
  GKeyFile *settings = lc_trace_get_settings (trace);

  return lc_replay_mpi_has_ranks (trace) && g_key_file_get_boolean (settings, "trace", GIVEN_KEY, NULL) &&
         !g_key_file_get_boolean (settings, "trace", GIVEN_RANKS_KEY, NULL);
}

/* --- One process ----------------------------------------------------------------------------------------------- */

/* A file of inputs that is read from its begin to its end. */
typedef struct
{
  FILE *file;
  char *name;
  guint64 size, at;
} Reading;

static void
reading_clear (Reading *reading)
{
  if (reading->file != NULL)
    fclose (reading->file);
  g_free (reading->name);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static gboolean
reading_set_error (const Given *given, const Reading *reading, const char *what, GError **error)
{
  g_autofree char *path = lc_folder_dup_path (given->folder, reading->name);

  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED, "%s: %s (byte %" G_GUINT64_FORMAT ")", path, what,
               reading->at);
  return FALSE;
}

static gboolean
reading_next (Reading *reading, gpointer to, gsize bytes)
{
  if (bytes > reading->size - reading->at || fread (to, 1, bytes, reading->file) != bytes)
    return FALSE;
  reading->at += bytes;
  return TRUE;
}

static gboolean
reading_check_header (const Given *given, Reading *reading, guint32 process, GError **error)
{
  struct lc_inputs_header header;

  if (!reading_next (reading, &header, sizeof header) || memcmp (header.magic, "LCINPUTS", sizeof header.magic) != 0)
    return reading_set_error (given, reading, _ ("no file of inputs"), error);
  if (header.version != LC_INPUTS_VERSION || header.process != process)
    return reading_set_error (given, reading, _ ("of another version or process"), error);
  return TRUE;
}

static gboolean
given_write (Given *given, gconstpointer data, gsize bytes)
{
  given->size += bytes;
  return fwrite (data, 1, bytes, given->file) == bytes;
}

/* Copies the bytes of a record with their padding. */
static gboolean
given_copy (Given *given, Reading *reading, guint64 bytes)
{
  guint8 buffer[4096];

  for (guint64 left = bytes; left > 0;)
    {
      gsize now = (gsize)MIN (left, sizeof buffer);

      if (!reading_next (reading, buffer, now) || !given_write (given, buffer, now))
        return FALSE;
      left -= now;
    }
  return TRUE;
}

/* Calls fail with -1, and a signal to a process with a recorded number goes to no others. */
static gboolean
given_is_record (const struct lc_input_record *record)
{
  if (record->how >= LC_INPUT_HOWS || record->bytes > GIVEN_MOST_BYTES)
    return FALSE;
  switch (record->call)
    {
    case LC_INPUT_TIME:
      return TRUE;
    case LC_INPUT_PID:
    case LC_INPUT_TID:
      return record->result > 0 && record->result <= G_MAXINT32;
    case LC_INPUT_PARENT: /* 0: it is in a place that the process does not see */
      return record->result >= 0 && record->result <= G_MAXINT32;
    default:
      return record->result >= -1;
    }
}

/* What was being written when the program was killed is left out; in other files it is damage. */
static gboolean
given_copy_records (Given *given, Reading *reading, struct lc_inputs_process *process, GError **error)
{
  struct lc_input_record record;

  process->first = process->next = process->end = given->size;
  while (reading->at < reading->size)
    {
      guint64 padded;

      if (reading->size - reading->at < sizeof record)
        break;
      if (!reading_next (reading, &record, sizeof record))
        return reading_set_error (given, reading, g_strerror (errno), error);
      padded = (record.bytes + G_GUINT64_CONSTANT (7)) / 8 * 8;
      if (!given_is_record (&record))
        return reading_set_error (given, reading, _ ("no record of an input"), error);
      if (padded > reading->size - reading->at)
        break;
      if (!given_write (given, &record, sizeof record) || !given_copy (given, reading, padded))
        return reading_set_error (given, reading, g_strerror (errno), error);
      process->n++;
      process->end = given->size;
    }
  if (reading->at < reading->size && !process->is_cut)
    return reading_set_error (given, reading, _ ("the file ends within a record"), error);
  return TRUE;
}

static gboolean
given_add_process (Given *given, struct lc_inputs_process *process, GError **error)
{
  const LcTraceProcess *described = lc_trace_get_process (given->trace, process->process);
  g_auto (Reading) reading = {.name = g_strdup_printf ("inputs-%u", described->number)};
  int file;

  process->is_cut = described->state != LC_STATE_ENDED;
  process->first = process->next = process->end = given->size;
  if (!lc_folder_has_file (given->folder, reading.name))
    return TRUE;
  file = lc_folder_open_file (given->folder, reading.name, &reading.size, error);
  if (file < 0)
    return FALSE;
  reading.file = fdopen (file, "r");
  if (reading.file == NULL)
    {
      lc_folder_set_error (given->folder, reading.name, errno, error);
      close (file);
      return FALSE;
    }
  return reading_check_header (given, &reading, described->number, error) &&
         given_copy_records (given, &reading, process, error);
}

/* --- The file -------------------------------------------------------------------------------------------------- */

static gboolean
given_is_replayed (LcTrace *trace, guint32 process, guint32 instance)
{
  if (instance == LC_GIVEN_RANKS)
    return lc_trace_get_process (trace, process)->rank != LC_TRACE_NONE;
  return lc_trace_get_process (trace, process)->instance == instance;
}

static gboolean
given_begin (Given *given, guint32 instance, const char *path, GError **error)
{
  int file = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  for (guint32 i = 0; i < lc_trace_get_n_processes (given->trace); i++)
    {
      const struct lc_inputs_process process = {.process = i};

      if (given_is_replayed (given->trace, i, instance))
        g_array_append_val (given->processes, process);
    }
  given->file = file >= 0 ? fdopen (file, "w+") : NULL;
  given->size = sizeof (struct lc_inputs_plan) + given->processes->len * sizeof (struct lc_inputs_process);
  if (given->file != NULL && fseek (given->file, (long)given->size, SEEK_SET) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  return FALSE;
}

/* The header is written last, when it is known where the records are. */
static gboolean
given_end (Given *given, const char *path, GError **error)
{
  struct lc_inputs_plan plan = {
      .magic = LC_INPUTS_PLAN_MAGIC, .version = LC_INPUTS_PLAN_VERSION, .n_processes = given->processes->len};

  plan.size = given->size;
  if (fflush (given->file) == 0 && ftruncate (fileno (given->file), (off_t)given->size) == 0 &&
      fseek (given->file, 0, SEEK_SET) == 0 && fwrite (&plan, sizeof plan, 1, given->file) == 1 &&
      (plan.n_processes == 0 || fwrite (given->processes->data, sizeof (struct lc_inputs_process), plan.n_processes,
                                        given->file) == plan.n_processes) &&
      fflush (given->file) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
  return FALSE;
}

gboolean
lc_given_write (LcTrace *trace, guint32 instance, const char *path, GError **error)
{
  g_auto (Given) given = {.trace = trace};

  given.folder = lc_folder_open (lc_trace_get_path (trace), error);
  if (given.folder == NULL)
    return FALSE;
  given.processes = g_array_new (FALSE, FALSE, sizeof (struct lc_inputs_process));
  if (!given_begin (&given, instance, path, error))
    return FALSE;
  for (guint i = 0; i < given.processes->len; i++)
    if (!given_add_process (&given, &g_array_index (given.processes, struct lc_inputs_process, i), error))
      return FALSE;
  return given_end (&given, path, error);
}

/* --- Runs ------------------------------------------------------------------------------------------------------ */

static struct lc_inputs_process *
given_processes (struct lc_inputs_plan *plan)
{
  return (struct lc_inputs_process *)(void *)(plan + 1);
}

void
lc_given_begin (struct lc_inputs_plan *plan)
{
  struct lc_inputs_process *processes = given_processes (plan);

  plan->is_claimed = plan->differs = 0;
  for (guint32 i = 0; i < plan->n_processes; i++)
    {
      processes[i].done = 0;
      processes[i].awaits = 0;
      processes[i].next = processes[i].first;
    }
}

const struct lc_inputs_process *
lc_given_find (struct lc_inputs_plan *plan, guint32 process)
{
  const struct lc_inputs_process *processes = given_processes (plan);

  for (guint32 i = 0; i < plan->n_processes; i++)
    if (processes[i].process == process)
      return &processes[i];
  return NULL;
}

const struct lc_inputs_process *
lc_given_get_different (struct lc_inputs_plan *plan)
{
  const guint32 differs = __atomic_load_n (&plan->differs, __ATOMIC_ACQUIRE);

  return differs > 0 && differs <= plan->n_processes ? &given_processes (plan)[differs - 1] : NULL;
}

const struct lc_input_record *
lc_given_peek (struct lc_inputs_plan *plan, const struct lc_inputs_process *process)
{
  const guint64 next = process->next;

  if (process->done >= process->n || next < sizeof *plan || next > plan->size ||
      plan->size - next < sizeof (struct lc_input_record))
    return NULL;
  return (const struct lc_input_record *)(const void *)((const char *)plan + next);
}

const char *
lc_given_get_name (guint call)
{
  switch (call)
    {
#define X(identifier, number, name) \
  case number: \
    return name;
      LC_INPUT_CALLS (X)
#undef X
    default:
      return "?";
    }
}
