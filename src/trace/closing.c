/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the streams of a program that is gone. */
#include "closing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "packets.h"
#include "running.h"

#define HEADER_SIZE sizeof (struct lc_packet)

typedef struct
{
  const LcFolder *folder;
  LcFolder *streams;
  const guint8 *uuid;
  LcHeads *heads;
  GHashTable *running; /* instances */
  gboolean is_safe;
  gboolean keep; /* the places, for they are in use or make no sense, or could not be added to their streams */
  LcRecordingResult *result;
  guint64 last;
} Closing;

/* One process. */
typedef struct
{
  const LcFolder *folder;
  const char *name;
  int fd;
  const LcHead *head; /* or NULL */
  LcPackets packets;  /* at the end of the stream */
} Stream;

/* --- Bytes -------------------------------------------------------------------------------------------------------- */

static gboolean
closing_write_all (const Stream *stream, const void *bytes, gsize size, guint64 offset, GError **error)
{
  gsize done = 0;

  while (done < size)
    {
      ssize_t n = pwrite (stream->fd, (const guint8 *)bytes + done, size - done, (off_t)(offset + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          lc_folder_set_error (stream->folder, stream->name, n < 0 ? errno : ENOSPC, error);
          return FALSE;
        }
      done += (gsize)n;
    }
  return TRUE;
}

static gboolean
closing_cut (const Stream *stream, guint64 size, GError **error)
{
  if (size == stream->packets.file_size || ftruncate (stream->fd, (off_t)size) == 0)
    return TRUE;
  lc_folder_set_error (stream->folder, stream->name, errno, error);
  return FALSE;
}

/* --- Packets --------------------------------------------------------------------------------------------------------
 */

static void
end_packet (struct lc_packet *header, const LcPacketEvents *events)
{
  header->content_size = header->packet_size = (HEADER_SIZE + events->bytes) * 8;
  header->timestamp_end = MAX (header->timestamp_begin, events->last_end);
  if (header->state != LC_STATE_ENDED)
    header->state = LC_STATE_CUT;
}

static void
closing_count_process (Closing *closing, const struct lc_packet *last, guint64 events)
{
  closing->result->processes++;
  closing->result->events += last->first_ordinal + events;
  closing->last = MAX (closing->last, last->timestamp_end);
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    closing->result->lost[i] += last->lost[i];
}

/* Where the stream's whole packets end. What follows and is no packet at all is kept. */
static guint64
good_end (const Stream *stream)
{
  const LcPackets *packets = &stream->packets;

  if (packets->found == 0)
    return packets->damaged ? packets->file_size : 0;
  return packets->damaged ? packets->file_size : packets->offset + packets->header.packet_size / 8;
}

/* The head becomes the last packet of the stream. */
static gboolean
add_head (Closing *closing, Stream *stream, GError **error)
{
  struct lc_packet header = stream->head->header;
  guint64 place = good_end (stream);
  LcPacketEvents events = {0};

  lc_packet_events_read (&events, header.format_version, stream->head->bytes + HEADER_SIZE,
                         stream->head->size - HEADER_SIZE);
  end_packet (&header, &events);
  if (!closing_write_all (stream, &header, HEADER_SIZE, place, error) ||
      !closing_write_all (stream, stream->head->bytes + HEADER_SIZE, events.bytes, place + HEADER_SIZE, error) ||
      !closing_cut (stream, place + HEADER_SIZE + events.bytes, error))
    return FALSE;
  closing_count_process (closing, &header, events.count);
  return TRUE;
}

/* The head has no events: what it says of the process goes to the last packet. */
static void
take_state (struct lc_packet *header, const struct lc_packet *head)
{
  struct lc_packet result = *head;

  result.timestamp_begin = header->timestamp_begin;
  result.timestamp_end = header->timestamp_end;
  result.content_size = header->content_size;
  result.packet_size = header->packet_size;
  result.packet_seq_num = header->packet_seq_num;
  result.first_ordinal = header->first_ordinal;
  *header = result;
}

/* The last packet of the stream stays so. */
static gboolean
end_stream (Closing *closing, Stream *stream, GError **error)
{
  struct lc_packet header = stream->packets.header;
  guint64 place = stream->packets.offset;
  gboolean whole = place + header.packet_size / 8 <= stream->packets.file_size;
  LcPacketEvents events;

  if (!lc_packets_read_events (&stream->packets, stream->fd, &events))
    {
      lc_folder_set_error (stream->folder, stream->name, errno, error);
      return FALSE;
    }
  if (stream->head != NULL)
    take_state (&header, &stream->head->header);
  if (!whole || header.state == LC_STATE_RUNNING || stream->head != NULL)
    {
      end_packet (&header, &events);
      if (!closing_write_all (stream, &header, HEADER_SIZE, place, error))
        return FALSE;
      if ((!whole || !stream->packets.damaged) && !closing_cut (stream, place + header.packet_size / 8, error))
        return FALSE;
    }
  closing_count_process (closing, &header, events.count);
  return TRUE;
}

/* --- One process
 * ------------------------------------------------------------------------------------------------------ */

static gboolean
closing_open_stream (Stream *stream, GError **error)
{
  struct stat status = {0};

  stream->fd = lc_folder_open_to_change (stream->folder, stream->name, O_CREAT, error);
  if (stream->fd < 0)
    return FALSE;
  if (fstat (stream->fd, &status) != 0)
    {
      lc_folder_set_error (stream->folder, stream->name, errno, error);
      return FALSE;
    }
  stream->packets.file_size = (guint64)status.st_size;
  return TRUE;
}

static gboolean
close_packets (Closing *closing, Stream *stream, GError **error)
{
  const LcStreamReport silent = {NULL, NULL};
  LcPackets *packets = &stream->packets;
  gboolean has_events = stream->head != NULL && stream->head->size > HEADER_SIZE;

  while (lc_packets_next (packets, stream->fd, &silent))
    ;
  closing->result->damaged += packets->damaged;
  if (lc_packets_need_head (packets) && (has_events || packets->found == 0))
    return add_head (closing, stream, error);
  if (packets->found > 0)
    return end_stream (closing, stream, error);
  return packets->file_size > 0 || lc_folder_remove (stream->folder, stream->name, error);
}

/* What an address space that goes on has not added to its streams is counted as it is now. */
static void
count_running (Closing *closing, const LcHead *head)
{
  LcPacketEvents events = {0};

  lc_packet_events_read (&events, head->header.format_version, head->bytes + HEADER_SIZE, head->size - HEADER_SIZE);
  closing->result->running += head->header.state == LC_STATE_RUNNING;
  closing_count_process (closing, &head->header, events.count);
}

static gboolean
close_stream (Closing *closing, guint32 number, GError **error)
{
  g_autofree char *name = g_strdup_printf ("process-%u", number);
  const LcHead *head = lc_heads_find (closing->heads, number);
  Stream stream = {.folder = closing->streams,
                   .name = name,
                   .fd = -1,
                   .head = head,
                   .packets = {.uuid = closing->uuid, .head = head}};
  gboolean good;

  if (head != NULL && g_hash_table_contains (closing->running, GUINT_TO_POINTER (head->header.instance)))
    {
      count_running (closing, lc_heads_find_after (closing->heads, number, -1));
      return TRUE;
    }
  good = closing_open_stream (&stream, error) && close_packets (closing, &stream, error);
  if (stream.fd >= 0)
    close (stream.fd);
  closing->keep |= !good;
  return good;
}

/* --- All of them
 * -------------------------------------------------------------------------------------------------------- */

/* The instances that are still there. */
static GHashTable *
find_running (const LcFolder *folder, const LcHeads *heads, guint32 *pid)
{
  g_autoptr (GArray) list = lc_heads_list (heads);
  g_autoptr (LcRunning) running = NULL;
  GHashTable *result = g_hash_table_new (NULL, NULL);
  guint64 size;
  int file = lc_folder_open_file (folder, "heads-0", &size, NULL);

  if (file < 0)
    return result;
  running = lc_running_new (file);
  close (file);
  for (guint i = 0; i < list->len; i++)
    {
      const struct lc_packet *header = &g_array_index (list, const LcHead *, i)->header;

      lc_running_add (running, header->pid, header->instance);
    }
  for (guint i = 0; i < list->len; i++)
    {
      const struct lc_packet *header = &g_array_index (list, const LcHead *, i)->header;

      if (!lc_running_has (running, header->pid, header->instance))
        continue;
      g_hash_table_add (result, GUINT_TO_POINTER (header->instance));
      *pid = header->pid;
    }
  return result;
}

/* A file with something in it that makes no sense is not removed: somebody may want to look at it. */
static void
keep_damaged (Closing *closing, LcProblems *problems)
{
  g_autoptr (GArray) list = lc_problems_list (problems);

  closing->result->damaged += list->len;
  closing->keep |= list->len > 0;
}

static gboolean
remove_heads (Closing *closing, const char *prefix, GError **error)
{
  g_autoptr (GArray) files = lc_folder_list_numbered (closing->folder, prefix, error);
  gboolean good = files != NULL;

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const LcNumberedFile *file = &g_array_index (files, LcNumberedFile, i);

      if (!closing->keep)
        good &= lc_folder_remove (closing->folder, file->name, good ? error : NULL);
    }
  return good;
}

static gboolean
close_all (Closing *closing, GError **error)
{
  g_autoptr (GArray) numbers = lc_heads_list_streams (closing->heads, closing->streams, error);
  gboolean good = TRUE;

  if (numbers == NULL)
    return FALSE;
  for (guint i = 0; i < numbers->len; i++)
    good &= close_stream (closing, g_array_index (numbers, guint32, i), good ? error : NULL);
  if (closing->is_safe && !closing->keep && !lc_folder_sync (closing->folder, good ? error : NULL))
    {
      closing->keep = TRUE;
      good = FALSE;
    }
  good &= remove_heads (closing, "heads-", good ? error : NULL);
  good &= remove_heads (closing, "packets-", good ? error : NULL);
  return good;
}

gboolean
lc_close_streams (LcFolder *folder, const guint8 *uuid, LcCloseFlags flags, LcRecordingResult *result, guint64 *last,
                  GError **error)
{
  g_autoptr (LcFolder) streams = lc_folder_open_inner (folder, "ctf", error);
  LcProblems *problems;
  Closing closing = {.folder = folder, .streams = streams, .uuid = uuid, .result = result};
  gboolean good;
  guint32 pid;

  *last = 0;
  if (streams == NULL)
    return FALSE;
  problems = lc_problems_new ();
  closing.heads = lc_heads_read (folder, uuid, problems);
  closing.running = find_running (folder, closing.heads, &pid);
  closing.is_safe = (flags & LC_CLOSE_SAFE) != 0;
  closing.keep = (flags & LC_CLOSE_KEEP) != 0 || g_hash_table_size (closing.running) > 0;
  keep_damaged (&closing, problems);
  good = close_all (&closing, error);
  *last = closing.last;
  g_hash_table_unref (closing.running);
  lc_heads_free (closing.heads);
  lc_problems_free (problems);
  return good;
}

guint32
lc_find_running (const LcFolder *folder, const guint8 *uuid)
{
  g_autoptr (LcHeads) heads = lc_heads_read (folder, uuid, NULL);
  guint32 pid = 0;

  g_hash_table_unref (find_running (folder, heads, &pid));
  return pid;
}
