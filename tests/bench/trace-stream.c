/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the stream of one process of a made-up trace, in packets as the recorder's. */
#include "trace-stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "trace/files.h"

static void
begin_packet (TraceStream *stream)
{
  struct lc_packet *header = (struct lc_packet *)(void *)stream->packet;

  header->timestamp_begin = TRACE_START + stream->last;
  header->packet_seq_num = stream->packets++;
  header->first_ordinal = stream->events;
  stream->at = stream->packet + sizeof *header;
  stream->full = stream->packet + LC_HEAD_BYTES - sizeof (struct lc_event_sync);
}

gboolean
trace_stream_open (TraceStream *stream, const char *directory, guint32 process, const guint8 *uuid, GError **error)
{
  g_autofree char *path = g_strdup_printf ("%s/ctf/process-%u", directory, process);
  struct lc_packet *header;

  *stream = (TraceStream){.process = process, .packet = g_malloc0 (LC_HEAD_BYTES)};
  header = (struct lc_packet *)(void *)stream->packet;
  header->magic = LC_CTF_MAGIC;
  memcpy (header->uuid, uuid, sizeof header->uuid);
  header->process = process;
  header->pid = 1000;
  header->thread = 1000 + process;
  header->parent = process == 0 ? LC_NO_PROCESS : 0;
  header->format_version = LC_FORMAT_VERSION;
  g_snprintf (header->name, sizeof header->name, process == 0 ? "main" : "worker-%u", process);
  begin_packet (stream);
  stream->file = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (stream->file >= 0)
    return TRUE;
  lc_file_set_error (error, path, errno);
  return FALSE;
}

static void
write_all (int file, const guint8 *bytes, gsize size)
{
  while (size > 0)
    {
      gssize done = write (file, bytes, size);

      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        g_error ("cannot write the trace: %s", g_strerror (errno));
      bytes += done;
      size -= (gsize)done;
    }
}

void
trace_stream_flush (TraceStream *stream, gboolean ended)
{
  struct lc_packet *header = (struct lc_packet *)(void *)stream->packet;
  gsize used = (gsize)(stream->at - stream->packet);

  header->timestamp_end = TRACE_START + stream->last;
  header->content_size = header->packet_size = used * 8;
  header->state = ended ? LC_STATE_ENDED : LC_STATE_RUNNING;
  write_all (stream->file, stream->packet, used);
  if (!ended)
    {
      begin_packet (stream);
      return;
    }
  close (stream->file);
  g_clear_pointer (&stream->packet, g_free);
}
