/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of the binary format: finds the streams, and reads the processes from their packets. */
#include "ctf.h"

#include <string.h>

#include "ctf-metadata.h"
#include "ring.h"

#define METADATA "metadata"
#define METADATA_LIMIT (1u << 20)

/* --- Folders ------------------------------------------------------------------------------------------------- */

static gboolean
has_streams (const LcFolder *folder)
{
  g_autoptr (GArray) files = lc_folder_list_numbered (folder, "process-", NULL);

  return files != NULL && files->len > 0;
}

/* Returns the folder of the streams: `folder`/ctf, or `folder` itself. */
static LcFolder *
find_streams (LcFolder *folder)
{
  g_autoptr (LcFolder) inner = lc_folder_open_inner (folder, "ctf", NULL);

  if (inner != NULL && (lc_folder_has_file (inner, METADATA) || has_streams (inner)))
    return g_steal_pointer (&inner);
  return lc_folder_has_file (folder, METADATA) ? lc_folder_ref (folder) : NULL;
}

static gboolean
ctf_probe (LcFolder *folder)
{
  g_autoptr (LcFolder) streams = find_streams (folder);

  return streams != NULL;
}

const char *
lc_ctf_relative_name (LcTrace *trace, const char *name)
{
  const LcCtf *ctf = trace->data;
  g_autofree char *path = NULL;

  if (ctf->is_flat)
    return g_string_chunk_insert (trace->strings, name);
  path = g_build_filename ("ctf", name, NULL);
  return g_string_chunk_insert (trace->strings, path);
}

GArray *
lc_ctf_list_numbered (LcTrace *trace, const char *prefix)
{
  const LcCtf *ctf = trace->data;
  g_autoptr (GError) error = NULL;
  GArray *files = lc_folder_list_numbered (ctf->base, prefix, &error);

  if (files != NULL)
    return files;
  lc_problems_count (trace->problems, LC_PROBLEM_FILE_UNREADABLE, ".", 0, "%s", error->message);
  return g_array_new (FALSE, FALSE, sizeof (LcNumberedFile));
}

/* --- The clock ----------------------------------------------------------------------------------------------- */

static LcCtfParts
read_metadata (LcTrace *trace, LcCtfDescription *description, guint64 *format)
{
  LcCtf *ctf = trace->data;
  const char *name = lc_ctf_relative_name (trace, METADATA);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  LcCtfParts parts = 0;
  gsize length = 0;

  if (lc_folder_read (ctf->streams, METADATA, METADATA_LIMIT, &text, &length, &error))
    parts = length == 0 ? 0 : lc_ctf_metadata_read (text, length, description, format);
  else
    lc_problems_count (trace->problems, LC_PROBLEM_FILE_UNREADABLE, name, 0, "%s", error->message);
  if (parts != 0 && (parts & LC_CTF_IS_WHOLE) == 0)
    lc_problems_count (trace->problems, LC_PROBLEM_METADATA_CUT, name, length, NULL);
  if ((parts & LC_CTF_HAS_ALL) != LC_CTF_HAS_ALL)
    lc_problems_count (trace->problems, LC_PROBLEM_METADATA_DAMAGED, name, 0, "there is no usable%s%s%s%s%s",
                       parts & LC_CTF_HAS_TRACER ? "" : " tracer_name", parts & LC_CTF_HAS_UUID ? "" : " uuid",
                       parts & LC_CTF_HAS_FREQUENCY ? "" : " clock", parts & LC_CTF_HAS_START ? "" : " recording_start",
                       parts & LC_CTF_HAS_FORMAT ? "" : " lightcone_format");
  return parts;
}

/* Reads the clock from trace.ini, which has it too. */
static LcCtfParts
read_clock_settings (LcTrace *trace, LcCtfDescription *description)
{
  guint64 frequency = g_key_file_get_uint64 (trace->settings, "trace", "clock_frequency", NULL);
  guint64 start = g_key_file_get_uint64 (trace->settings, "trace", "clock_ticks", NULL);

  if (frequency == 0 || start == 0)
    return 0;
  description->frequency = frequency;
  description->start = start;
  description->epoch = g_key_file_get_int64 (trace->settings, "trace", "clock_realtime", NULL);
  return LC_CTF_HAS_FREQUENCY | LC_CTF_HAS_START;
}

/* Sets `ours` if the description says that Lightcone wrote the trace. */
static gboolean
read_description (LcTrace *trace, gboolean *ours, gboolean *clock_known, GError **error)
{
  LcCtf *ctf = trace->data;
  g_auto (LcCtfDescription) description = {.frequency = trace->frequency};
  guint64 format = LC_FORMAT_VERSION;
  LcCtfParts parts = read_metadata (trace, &description, &format);
  const LcCtfParts clock = LC_CTF_HAS_FREQUENCY | LC_CTF_HAS_START;

  *ours = (parts & LC_CTF_HAS_TRACER) != 0;
  if (format > LC_FORMAT_VERSION)
    {
      g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_VERSION,
                   "%s/metadata: format %" G_GUINT64_FORMAT " is later than %d, which this version reads",
                   lc_folder_get_path (ctf->streams), format, LC_FORMAT_VERSION);
      return FALSE;
    }
  if ((parts & clock) != clock)
    parts |= read_clock_settings (trace, &description);
  ctf->has_uuid = (parts & LC_CTF_HAS_UUID) != 0;
  memcpy (ctf->uuid, description.uuid, sizeof ctf->uuid);
  *clock_known = (parts & clock) == clock;
  if (description.hostname != NULL)
    ctf->host = lc_trace_keep_string (trace, description.hostname, -1);
  trace->frequency = description.frequency;
  /* Later starts could not be compared with others; 2^62 ns is in the year 2116. */
  trace->start = description.epoch > 0 && description.epoch < 2 * LC_TIME_LIMIT ? description.epoch : 0;
  trace->timescale.start = description.start;
  if (!*clock_known)
    lc_problems_count (trace->problems, LC_PROBLEM_CLOCK_UNKNOWN, lc_ctf_relative_name (trace, METADATA), 0, NULL);
  return TRUE;
}

/* --- The reader ---------------------------------------------------------------------------------------------- */

static void
free_instance (gpointer data)
{
  LcCtfInstance *instance = data;

  if (instance == NULL)
    return;
  g_ptr_array_unref (instance->objects);
  g_ptr_array_unref (instance->stacks);
  g_free (instance);
}

static void
clear_stream (gpointer data)
{
  g_free (((LcCtfStream *)data)->name);
}

/* Returns the trace that a folder "ctf" belongs to, or NULL. */
static LcFolder *
find_parent (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *name = g_path_get_basename (absolute);
  g_autofree char *parent = g_path_get_dirname (absolute);
  g_autoptr (LcFolder) folder = g_str_equal (name, "ctf") ? lc_folder_open (parent, NULL) : NULL;

  return folder != NULL && lc_folder_has_file (folder, "trace.ini") ? g_steal_pointer (&folder) : NULL;
}

static LcCtf *
ctf_new (LcFolder *folder)
{
  LcCtf *ctf = g_new0 (LcCtf, 1);

  ctf->streams = find_streams (folder);
  if (ctf->streams == NULL) /* the streams were removed a moment ago */
    ctf->streams = lc_folder_ref (folder);
  ctf->base = ctf->streams == folder ? find_parent (lc_folder_get_path (folder)) : NULL;
  if (ctf->base == NULL)
    ctf->base = lc_folder_ref (folder);
  ctf->is_flat = ctf->base == ctf->streams;
  ctf->numbers = g_hash_table_new (NULL, NULL);
  ctf->ranks = g_hash_table_new (NULL, NULL);
  ctf->instances = g_hash_table_new_full (NULL, NULL, NULL, free_instance);
  ctf->by_process = g_array_new (FALSE, FALSE, sizeof (LcCtfStream));
  g_array_set_clear_func (ctf->by_process, clear_stream);
  return ctf;
}

static gboolean
ctf_open_trace (LcTrace *trace, GError **error)
{
  LcCtf *ctf = ctf_new (trace->folder);
  gboolean ours, clock_known, readable;
  guint64 moment;

  trace->data = ctf;
  if (lc_ring_is_there (ctf->base))
    {
      g_set_error (
          error, LC_TRACE_ERROR, LC_TRACE_ERROR_BUSY,
          "%s: it is being recorded, and only the newest is kept: lightcone control %s dump makes a trace of it",
          lc_folder_get_path (ctf->base), lc_folder_get_path (ctf->base));
      return FALSE;
    }
  moment = lc_ctf_take_moment (trace);
  if (!read_description (trace, &ours, &clock_known, error) || !lc_ctf_read_processes (trace, &readable, error))
    return FALSE;
  if (!ours && !readable)
    {
      g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE,
                   "%s/metadata: not written by Lightcone, and no stream beside it is ours (byte 0)",
                   lc_folder_get_path (ctf->streams));
      return FALSE;
    }
  lc_ctf_set_clock (trace, clock_known);
  lc_trace_name_processes (trace);
  if (!lc_ctf_read_objects (trace, error))
    return FALSE;
  lc_ctf_find_pending (trace);
  lc_ctf_read_accounts (trace);
  if (clock_known)
    lc_ctf_set_until (trace, moment);
  lc_ctf_find_children (trace);
  lc_ctf_find_switches (trace);
  return TRUE;
}

static void
ctf_close_trace (LcTrace *trace)
{
  LcCtf *ctf = g_steal_pointer (&trace->data);

  if (ctf == NULL)
    return;
  lc_folder_unref (ctf->base);
  lc_folder_unref (ctf->streams);
  g_hash_table_unref (ctf->numbers);
  g_hash_table_unref (ctf->ranks);
  g_hash_table_unref (ctf->instances);
  free_instance (ctf->shared);
  g_array_unref (ctf->by_process);
  g_clear_pointer (&ctf->children, g_array_unref);
  lc_heads_free (ctf->heads);
  g_clear_pointer (&ctf->switch_files, g_ptr_array_unref);
  g_clear_pointer (&ctf->switch_packs, g_array_unref);
  g_free (ctf);
}

static guint64
ctf_count_events (const LcTrace *trace, guint32 process)
{
  const LcCtf *ctf = trace->data;
  const LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, process);
  const struct lc_packet *last = lc_ctf_last_packet (stream);
  LcPacketEvents events = {0};
  guint64 end, count;

  if (last == NULL)
    return 0;
  lc_ctf_read_last_events (ctf, stream, &events);
  count = last->first_ordinal + events.count + (stream->tells_exit ? 1 : 0);
  if (trace->kept_from > 0 || trace->kept_to != LC_GAP_OPEN)
    return lc_ctf_cursor_count ((LcTrace *)trace, process, count, &end);
  return count;
}

static const char *const ctf_files[] = {"ctf/*",   "metadata",  "objects-*",  "symbols-*", "requests-*",
                                        "heads-*", "packets-*", "switches-*", NULL};

const LcTraceReader lc_trace_reader_ctf = {
    .name = "ctf",
    .sign = "ctf/metadata",
    .files = ctf_files,
    .probe = ctf_probe,
    .open = ctf_open_trace,
    .close = ctf_close_trace,
    .count_events = ctf_count_events,
    .cursor_open = lc_ctf_cursor_open,
    .cursor_next = lc_ctf_cursor_next,
    .cursor_close = lc_ctf_cursor_close,
    .absences_open = lc_ctf_absences_open,
    .absences_next = lc_ctf_absences_next,
    .absences_close = lc_ctf_absences_close,
    .keep_within = lc_ctf_keep_within,
};
