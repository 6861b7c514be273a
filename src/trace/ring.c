/* SPDX-License-Identifier: Apache-2.0 */
/* Adds packets to the newest file of a ring, and drops its oldest one. */
#include "ring.h"

#include <string.h>
#include <unistd.h>

#include "adding.h"
#include "files.h"
#include "heads.h"

#define HEADER_SIZE sizeof (struct lc_packet)

/* A ring is dropped in so many parts; smaller ones than this are not worth a file. */
#define PARTS 16
#define SMALLEST LC_HEAD_BYTES

/* A file of the ring. */
typedef struct
{
  guint number;
  guint64 bytes, events;
  guint64 last_end;   /* ticks: no event in it ended later */
  gint64 first, last; /* us: when its first packet came, and its last one */
} Segment;

struct _LcRing
{
  LcFolder *folder;
  struct lc_control *control;
  guint64 most_bytes; /* 0: as many as there are */
  gint64 most_time;   /* us; 0: however old */
  GQueue segments;    /* Segment, the oldest first */
  guint64 bytes;
  gboolean has_begun;
  guint next;
  int file; /* of the newest segment; -1: that is not ours */
};

static char *
ring_dup_name (guint number)
{
  return g_strdup_printf (LC_RING_PREFIX "%u", number);
}

/* Reads what is in the file of another one, who has ended or was interrupted. */
static Segment *
ring_read_segment (const LcRing *ring, const LcNumberedFile *file)
{
  g_autofree guint8 *bytes = g_malloc (LC_HEAD_BYTES);
  Segment *segment = g_new0 (Segment, 1);
  guint64 size = 0;
  int fd = lc_folder_open_file (ring->folder, file->name, &size, NULL);

  segment->number = file->number;
  segment->first = segment->last = g_get_monotonic_time ();
  while (fd >= 0 && size - segment->bytes >= HEADER_SIZE)
    {
      LcPacketEvents found = {0};
      struct lc_packet header;
      gsize length;

      if (lc_file_read (fd, bytes, (gsize)MIN (LC_HEAD_BYTES, size - segment->bytes), segment->bytes) <
          (gssize)HEADER_SIZE)
        break;
      memcpy (&header, bytes, HEADER_SIZE);
      length = (gsize)MIN (header.content_size / 8, LC_HEAD_BYTES);
      if (!lc_packet_is_ours (&header, ring->control->uuid) || length < HEADER_SIZE || length > size - segment->bytes)
        break;
      lc_packet_events_read (&found, header.format_version, bytes + HEADER_SIZE, length - HEADER_SIZE);
      segment->bytes += length;
      segment->events += found.count;
      segment->last_end = MAX (segment->last_end, found.last_end);
    }
  if (fd >= 0)
    close (fd);
  return segment;
}

/* The files of others are kept and dropped with our own: of several who may empty a trace, one after the other does. */
static void
ring_begin (LcRing *ring)
{
  g_autoptr (GArray) files = lc_folder_list_numbered (ring->folder, LC_RING_PREFIX, NULL);

  ring->has_begun = TRUE;
  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const LcNumberedFile *file = &g_array_index (files, LcNumberedFile, i);
      Segment *segment = ring_read_segment (ring, file);

      g_queue_push_tail (&ring->segments, segment);
      ring->bytes += segment->bytes;
      ring->next = MAX (ring->next, file->number + 1);
    }
}

LcRing *
lc_ring_new (LcFolder *folder, struct lc_control *control, gboolean drops)
{
  LcRing *ring;

  if (control->keep_bytes == 0 && control->keep_ticks == 0)
    return NULL;
  ring = g_new0 (LcRing, 1);
  ring->folder = lc_folder_ref (folder);
  ring->control = control;
  ring->file = -1;
  g_queue_init (&ring->segments);
  if (drops)
    {
      ring->most_bytes = control->keep_bytes;
      if (control->keep_ticks > 0 && control->frequency > 0)
        ring->most_time = (gint64)((gdouble)control->keep_ticks * 1e6 / (gdouble)control->frequency);
    }
  return ring;
}

void
lc_ring_free (LcRing *ring)
{
  if (ring == NULL)
    return;
  if (ring->file >= 0)
    close (ring->file);
  g_queue_clear_full (&ring->segments, g_free);
  lc_folder_unref (ring->folder);
  g_free (ring);
}

guint64
lc_ring_get_bytes (const LcRing *ring)
{
  return ring->bytes;
}

gboolean
lc_ring_is_there (const LcFolder *folder)
{
  g_autoptr (GArray) files = lc_folder_list_numbered (folder, LC_RING_PREFIX, NULL);

  return files != NULL && files->len > 0;
}

/* The loss is counted before the file goes, for who may be killed in between. */
gboolean
lc_ring_drop (LcRing *ring)
{
  g_autofree Segment *oldest = NULL;
  g_autofree char *name = NULL;

  if (g_queue_get_length (&ring->segments) < 2)
    return FALSE;
  oldest = g_queue_pop_head (&ring->segments);
  name = ring_dup_name (oldest->number);
  ring->control->dropped_until = MAX (ring->control->dropped_until, oldest->last_end);
  __atomic_add_fetch (&ring->control->dropped_events, oldest->events, __ATOMIC_RELEASE);
  ring->bytes -= oldest->bytes;
  lc_folder_remove (ring->folder, name, NULL);
  return TRUE;
}

/* A copy says again and again that it goes on: a hold for longer than this makes no sense. */
#define LONGEST_HOLD (30 * G_USEC_PER_SEC)
#define MOST_HELD (G_GUINT64_CONSTANT (1) << 30)

void
lc_ring_tick (LcRing *ring)
{
  gint64 now = g_get_monotonic_time (), oldest = now - ring->most_time;
  gint64 hold = (gint64)__atomic_load_n (&ring->control->hold, __ATOMIC_ACQUIRE);

  if (hold > now && hold - now <= LONGEST_HOLD && ring->bytes < 2 * ring->most_bytes + MOST_HELD)
    return;
  while (ring->most_bytes > 0 && ring->bytes > ring->most_bytes && lc_ring_drop (ring))
    ;
  while (ring->most_time > 0 && ring->segments.length > 1 && ((Segment *)ring->segments.head->data)->last < oldest)
    lc_ring_drop (ring);
}

static gboolean
ring_is_full (const LcRing *ring, const Segment *newest, gint64 now)
{
  return (ring->most_bytes > 0 && newest->bytes >= MAX (ring->most_bytes / PARTS, SMALLEST)) ||
         (ring->most_time > 0 && now - newest->first >= ring->most_time / PARTS);
}

/* The file that the next packet goes to. NULL: errno. */
static Segment *
ring_find_segment (LcRing *ring, gint64 now)
{
  Segment *newest = g_queue_peek_tail (&ring->segments);
  g_autofree char *name = NULL;
  int file;

  if (ring->file >= 0 && !ring_is_full (ring, newest, now))
    return newest;
  name = ring_dup_name (ring->next);
  file = lc_adding_open (ring->folder, name);
  if (file < 0)
    return NULL;
  if (ring->file >= 0)
    close (ring->file);
  ring->file = file;
  newest = g_new0 (Segment, 1);
  newest->number = ring->next++;
  newest->first = now;
  g_queue_push_tail (&ring->segments, newest);
  return newest;
}

gboolean
lc_ring_add (LcRing *ring, const struct lc_packet *header, const guint8 *events)
{
  gint64 now = g_get_monotonic_time ();
  gsize size = header->content_size / 8 - HEADER_SIZE;
  LcPacketEvents found = {0};
  Segment *segment;

  if (!ring->has_begun)
    ring_begin (ring);
  segment = ring_find_segment (ring, now);
  if (segment == NULL ||
      !lc_adding_write (ring->file, segment->bytes, segment->bytes, header, HEADER_SIZE, events, size))
    return FALSE;
  lc_packet_events_read (&found, header->format_version, events, size);
  segment->bytes += HEADER_SIZE + size;
  segment->events += found.count;
  segment->last_end = MAX (segment->last_end, found.last_end);
  segment->last = now;
  ring->bytes += HEADER_SIZE + size;
  if (ring->most_bytes > 0 && ring->bytes > ring->most_bytes)
    lc_ring_tick (ring);
  return TRUE;
}
