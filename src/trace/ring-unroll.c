/* SPDX-License-Identifier: Apache-2.0 */
/* Makes streams of what a ring has kept. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "adding.h"
#include "files.h"
#include "heads.h"
#include "operations.h"
#include "ring.h"

#define HEADER_SIZE sizeof (struct lc_packet)

/* The place of a packet in the files. */
typedef struct
{
  guint32 process;
  guint32 file; /* which of the ring's */
  guint64 number;
  guint64 offset;
  guint32 size;
} Place;

typedef struct
{
  LcFolder *folder, *streams;
  struct lc_control *control;
  const guint8 *uuid;
  GArray *files;  /* LcNumberedFile */
  GArray *places; /* Place */
  int file;       /* opened last ... */
  guint32 opened; /* ... which is that one */
  guint8 bytes[LC_HEAD_BYTES];
} Unroll;

/* The stream that is being written. */
typedef struct
{
  int file;
  char *name;
  guint64 size, packets, first_ordinal;
  guint64 events;
  gboolean is_cut; /* events that came after a copy was made have been taken out */
} UnrolledStream;

/* --- What there is ------------------------------------------------------------------------------------------- */

static int
unroll_open (Unroll *unroll, guint32 file, GError **error)
{
  guint64 size;

  if (unroll->file >= 0 && unroll->opened == file)
    return unroll->file;
  if (unroll->file >= 0)
    close (unroll->file);
  unroll->opened = file;
  unroll->file =
      lc_folder_open_file (unroll->folder, g_array_index (unroll->files, LcNumberedFile, file).name, &size, error);
  return unroll->file;
}

/* Up to the first that is not whole: who was interrupted while writing it has left it in its place, too. */
static gboolean
unroll_list_packets (Unroll *unroll, guint32 file, GError **error)
{
  struct lc_packet header;
  guint64 offset = 0;
  int fd = unroll_open (unroll, file, error);

  if (fd < 0)
    return FALSE;
  while (lc_file_read (fd, &header, HEADER_SIZE, offset) == (gssize)HEADER_SIZE &&
         lc_packet_is_ours (&header, unroll->uuid) && header.content_size % 8 == 0 &&
         header.content_size / 8 >= HEADER_SIZE && header.content_size / 8 <= LC_HEAD_BYTES)
    {
      Place place = {header.process, file, header.packet_seq_num, offset, (guint32)(header.content_size / 8)};

      offset += place.size;
      if (lc_file_read (fd, &header, 1, offset - 1) != 1)
        break;
      g_array_append_val (unroll->places, place);
    }
  return TRUE;
}

static int
unroll_compare (gconstpointer a, gconstpointer b)
{
  const Place *left = a, *right = b;

  if (left->process != right->process)
    return left->process < right->process ? -1 : 1;
  if (left->number != right->number)
    return left->number < right->number ? -1 : 1;
  return left->size > right->size ? -1 : left->size < right->size;
}

/* --- What is kept of it -------------------------------------------------------------------------------------- */

/* Takes out of a packet the events that ended before all that is kept begins, and those that ended after a copy was
   made: so many at its begin, and at its end. */
static void
unroll_trim (Unroll *unroll, struct lc_packet *header, gsize size, guint64 *before, guint64 *kept, gboolean *is_cut)
{
  const guint8 *sizes = lc_operations_get_sizes (header->format_version);
  guint64 from = unroll->control->dropped_until, to = unroll->control->copied_at;
  gsize begin = HEADER_SIZE, end = HEADER_SIZE;
  LcPacketEvents rest = {0};

  *before = *kept = 0;
  while (size - end >= sizeof (struct lc_event_mark))
    {
      struct lc_event_mark event;
      gsize length;

      memcpy (&event, unroll->bytes + end, sizeof event);
      length = event.operation < LC_OPERATION_END ? sizes[event.operation] : 0;
      if (length == 0 || length > size - end || (to != 0 && event.end > to))
        break;
      end += length;
      ++*kept;
      if (event.end > from || begin != end - length)
        continue;
      begin = end;
      ++*before;
      --*kept;
    }
  lc_packet_events_read (&rest, header->format_version, unroll->bytes + end, size - end);
  *is_cut = rest.count > 0;
  memmove (unroll->bytes + HEADER_SIZE, unroll->bytes + begin, end - begin);
  header->content_size = header->packet_size = (HEADER_SIZE + end - begin) * 8;
  if (begin > HEADER_SIZE)
    header->timestamp_begin = MIN (MAX (header->timestamp_begin, from), header->timestamp_end);
  if (to != 0)
    header->timestamp_end = MAX (MIN (header->timestamp_end, to), header->timestamp_begin);
}

/* A process that has ended before all that is kept begins is not in the trace any more. */
static gboolean
unroll_is_wanted (const Unroll *unroll, const struct lc_packet *header, gboolean is_last)
{
  return header->content_size / 8 > HEADER_SIZE || (is_last && header->state != LC_STATE_ENDED) ||
         header->timestamp_end > unroll->control->dropped_until;
}

static gboolean
unroll_read (Unroll *unroll, const Place *place, struct lc_packet *header, GError **error)
{
  int fd = unroll_open (unroll, place->file, error);

  if (fd < 0)
    return FALSE;
  if (lc_file_read (fd, unroll->bytes, place->size, place->offset) != (gssize)place->size)
    {
      lc_folder_set_error (unroll->folder, g_array_index (unroll->files, LcNumberedFile, place->file).name, EIO, error);
      return FALSE;
    }
  memcpy (header, unroll->bytes, HEADER_SIZE);
  return TRUE;
}

static gboolean
unroll_open_stream (Unroll *unroll, UnrolledStream *stream, const struct lc_packet *header, GError **error)
{
  stream->name = g_strdup_printf ("process-%u", header->process);
  stream->first_ordinal = header->first_ordinal;
  stream->file = lc_folder_open_to_change (unroll->streams, stream->name, O_CREAT | O_TRUNC, error);
  return stream->file >= 0;
}

static gboolean
unroll_packet (Unroll *unroll, UnrolledStream *stream, const Place *place, gboolean is_last, GError **error)
{
  struct lc_packet header;
  gboolean is_cut;
  guint64 before, kept;
  gsize size;

  if (!unroll_read (unroll, place, &header, error))
    return FALSE;
  unroll_trim (unroll, &header, place->size, &before, &kept, &is_cut);
  unroll->control->dropped_events += before;
  size = header.content_size / 8;
  if (stream->file < 0 && !unroll_is_wanted (unroll, &header, is_last))
    return TRUE;
  /* What came before this packet may have been copied while it was written: then more is missing than this. */
  stream->is_cut |= is_cut && kept == 0;
  if (stream->is_cut && !is_last)
    return TRUE;
  header.first_ordinal += before;
  if (stream->file < 0 && !unroll_open_stream (unroll, stream, &header, error))
    return FALSE;
  header.first_ordinal = stream->is_cut ? stream->events : header.first_ordinal - stream->first_ordinal;
  stream->events = header.first_ordinal + kept;
  stream->is_cut |= is_cut;
  if (stream->is_cut)
    header.state = LC_STATE_CUT;
  header.packet_seq_num = stream->packets++;
  header.stream_offset = stream->size;
  if (!lc_adding_write (stream->file, stream->size, stream->size, &header, HEADER_SIZE, unroll->bytes + HEADER_SIZE,
                        size - HEADER_SIZE))
    {
      lc_folder_set_error (unroll->streams, stream->name, errno, error);
      return FALSE;
    }
  stream->size += size;
  return TRUE;
}

/* The packets from `at` on that are of one process. `next` is where those of another one begin. */
static gboolean
unroll_process (Unroll *unroll, guint at, guint *next, GError **error)
{
  const Place *places = &g_array_index (unroll->places, Place, 0);
  UnrolledStream stream = {.file = -1};
  gboolean good = TRUE;
  guint end = at;

  while (end < unroll->places->len && places[end].process == places[at].process)
    end++;
  *next = end;
  for (guint i = at; good && i < end; i++)
    if (i == at || places[i].number != places[i - 1].number)
      good = unroll_packet (unroll, &stream, &places[i], places[i].number == places[end - 1].number, error);
  if (stream.file >= 0)
    close (stream.file);
  g_free (stream.name);
  return good;
}

static gboolean
unroll_all (Unroll *unroll, GError **error)
{
  guint64 dropped = unroll->control->dropped_events;
  gboolean good = TRUE;

  for (guint32 i = 0; good && i < unroll->files->len; i++)
    good = unroll_list_packets (unroll, i, error);
  g_array_sort (unroll->places, unroll_compare);
  for (guint at = 0; good && at < unroll->places->len;)
    good = unroll_process (unroll, at, &at, error);
  if (!good)
    unroll->control->dropped_events = dropped;
  unroll->control->is_unrolled = good;
  return good;
}

gboolean
lc_ring_unroll (LcFolder *folder, struct lc_control *control, const guint8 *uuid, GError **error)
{
  g_autoptr (LcFolder) streams = lc_folder_open_inner (folder, "ctf", error);
  g_autoptr (GArray) files = lc_folder_list_numbered (folder, LC_RING_PREFIX, NULL);
  g_autofree Unroll *unroll = g_new (Unroll, 1);
  gboolean good;

  if (streams == NULL)
    return FALSE;
  if (files == NULL || files->len == 0)
    return TRUE;
  *unroll =
      (Unroll){.folder = folder, .streams = streams, .control = control, .uuid = uuid, .files = files, .file = -1};
  unroll->places = g_array_new (FALSE, FALSE, sizeof (Place));
  good = control->is_unrolled || unroll_all (unroll, error);
  for (guint i = 0; good && i < files->len; i++)
    good = lc_folder_remove (folder, g_array_index (files, LcNumberedFile, i).name, error);
  if (unroll->file >= 0)
    close (unroll->file);
  g_array_unref (unroll->places);
  return good;
}
