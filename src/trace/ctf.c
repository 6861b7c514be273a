/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of our binary layout: finds the streams, and learns from their packets what the processes are. */
#include "ctf.h"

#include <string.h>

#include "ctf-metadata.h"
#include "files.h"

#define METADATA_LIMIT (1u << 20)

/* --- Where things are ---------------------------------------------------------------------------------------- */

static gboolean
has_streams (const char *directory)
{
  g_autoptr (GArray) files = lc_files_list_numbered (directory, "process-", NULL);

  return files != NULL && files->len > 0;
}

static gboolean
has_metadata (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "metadata", NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/* The folder of the streams: `path`/ctf, or `path` itself. */
static char *
find_streams (const char *path)
{
  g_autofree char *inner = g_build_filename (path, "ctf", NULL);

  if (has_metadata (inner) || has_streams (inner))
    return g_steal_pointer (&inner);
  return has_metadata (path) ? g_strdup (path) : NULL;
}

static gboolean
probe (const char *path)
{
  g_autofree char *streams = find_streams (path);

  return streams != NULL;
}

const char *
lc_ctf_relative_name (LcTrace *trace, const char *name)
{
  const LcCtf *ctf = trace->data;
  g_autofree char *path = NULL;

  if (g_str_equal (ctf->base, ctf->streams))
    return g_string_chunk_insert (trace->strings, name);
  path = g_build_filename ("ctf", name, NULL);
  return g_string_chunk_insert (trace->strings, path);
}

/* --- The clock ----------------------------------------------------------------------------------------------- */

static LcCtfParts
read_metadata (LcTrace *trace, LcCtfDescription *description, guint64 *format)
{
  LcCtf *ctf = trace->data;
  g_autofree char *path = g_build_filename (ctf->streams, "metadata", NULL);
  const char *name = lc_ctf_relative_name (trace, "metadata");
  g_auto (LcMapped) file = {NULL};
  g_autoptr (GError) error = NULL;
  LcCtfParts parts = 0;

  if (lc_file_map (path, METADATA_LIMIT, &file, &error))
    parts = file.size == 0 ? 0 : lc_ctf_metadata_read ((const char *)file.bytes, file.size, description, format);
  else
    lc_problems_count (trace->problems, LC_PROBLEM_FILE_UNREADABLE, name, 0, "%s", error->message);
  if (parts != LC_CTF_HAS_ALL)
    lc_problems_count (trace->problems, LC_PROBLEM_METADATA_DAMAGED, name, 0, "there is no usable%s%s%s%s%s",
                       parts & LC_CTF_HAS_TRACER ? "" : " tracer_name", parts & LC_CTF_HAS_UUID ? "" : " uuid",
                       parts & LC_CTF_HAS_FREQUENCY ? "" : " clock", parts & LC_CTF_HAS_START ? "" : " recording_start",
                       parts & LC_CTF_HAS_FORMAT ? "" : " lightcone_format");
  return parts;
}

/* trace.ini knows the clock too. */
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

/* Sets `ours` if the description says that we wrote the trace. */
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
                   "%s/metadata: format %" G_GUINT64_FORMAT " is later than %d, which this version reads", ctf->streams,
                   format, LC_FORMAT_VERSION);
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
  trace->start = description.epoch;
  trace->timescale.start = description.start;
  if (!*clock_known)
    lc_problems_count (trace->problems, LC_PROBLEM_CLOCK_UNKNOWN, lc_ctf_relative_name (trace, "metadata"), 0, NULL);
  return TRUE;
}

/* --- The reader ---------------------------------------------------------------------------------------------- */

static void
free_instance (gpointer data)
{
  LcCtfInstance *instance = data;

  if (instance == NULL)
    return;
  g_array_unref (instance->objects);
  lc_mapped_clear (&instance->requests);
  g_free (instance);
}

static void
clear_stream (gpointer data)
{
  g_free (((LcCtfStream *)data)->path);
}

static LcCtf *
ctf_new (const char *path)
{
  LcCtf *ctf = g_new0 (LcCtf, 1);
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *name = g_path_get_basename (absolute);
  g_autofree char *parent = g_path_get_dirname (absolute);
  g_autofree char *settings = g_build_filename (parent, "trace.ini", NULL);

  ctf->streams = find_streams (path);
  if (g_str_equal (ctf->streams, path) && g_str_equal (name, "ctf") && g_file_test (settings, G_FILE_TEST_EXISTS))
    ctf->base = g_steal_pointer (&parent);
  else
    ctf->base = g_strdup (path);
  ctf->numbers = g_hash_table_new (NULL, NULL);
  ctf->ranks = g_hash_table_new (NULL, NULL);
  ctf->instances = g_hash_table_new_full (NULL, NULL, NULL, free_instance);
  ctf->by_process = g_array_new (FALSE, FALSE, sizeof (LcCtfStream));
  g_array_set_clear_func (ctf->by_process, clear_stream);
  return ctf;
}

static gboolean
open_trace (LcTrace *trace, GError **error)
{
  LcCtf *ctf = ctf_new (trace->path);
  gboolean ours, clock_known, readable;

  trace->data = ctf;
  if (!read_description (trace, &ours, &clock_known, error) || !lc_ctf_read_processes (trace, &readable, error))
    return FALSE;
  if (!ours && !readable)
    {
      g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_NOT_A_TRACE,
                   "%s/metadata: not written by Lightcone, and no stream beside it is ours (byte 0)", ctf->streams);
      return FALSE;
    }
  lc_ctf_set_clock (trace, clock_known);
  lc_trace_name_processes (trace);
  if (!lc_ctf_read_objects (trace, error))
    return FALSE;
  lc_ctf_find_pending (trace);
  return TRUE;
}

static void
close_trace (LcTrace *trace)
{
  LcCtf *ctf = g_steal_pointer (&trace->data);

  if (ctf == NULL)
    return;
  g_free (ctf->base);
  g_free (ctf->streams);
  g_hash_table_unref (ctf->numbers);
  g_hash_table_unref (ctf->ranks);
  g_hash_table_unref (ctf->instances);
  free_instance (ctf->shared);
  g_array_unref (ctf->by_process);
  lc_heads_free (ctf->heads);
  g_free (ctf);
}

static guint64
count_events (const LcTrace *trace, guint32 process)
{
  const LcCtf *ctf = trace->data;
  const LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, process);
  const struct lc_packet *last = lc_ctf_last_packet (stream);
  LcPacketEvents events = {0};

  if (last == NULL)
    return 0;
  lc_ctf_read_last_events (stream, &events);
  return last->first_ordinal + events.count;
}

const LcTraceReader lc_trace_reader_ctf = {
    .name = "ctf",
    .probe = probe,
    .open = open_trace,
    .close = close_trace,
    .count_events = count_events,
    .cursor_open = lc_ctf_cursor_open,
    .cursor_next = lc_ctf_cursor_next,
    .cursor_close = lc_ctf_cursor_close,
};
