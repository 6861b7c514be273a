/* SPDX-License-Identifier: Apache-2.0 */
/* Walks over the packets of a stream. */
#include "packets.h"

#include <string.h>

#include "files.h"

#define HEADER_SIZE sizeof (struct lc_packet)
#define READ_SIZE 65536

/* Bytes to search for the next packet after damage. */
#define SEARCH_LIMIT (UINT64_C (64) << 20)

static void
packets_count (const LcStreamReport *report, LcProblemKind kind, guint64 where)
{
  if (report->problems != NULL)
    lc_problems_count (report->problems, kind, report->file, where, NULL);
}

/* Finds the next place from `offset` on where a packet seems to begin. */
static gboolean
packets_search (LcPackets *packets, int fd, guint64 offset)
{
  const guint32 magic = LC_CTF_MAGIC;
  guint64 end = MIN (packets->file_size, offset + SEARCH_LIMIT);
  g_autofree guint8 *bytes = g_malloc (READ_SIZE);

  while (offset + HEADER_SIZE <= end)
    {
      gssize size = lc_file_read (fd, bytes, (gsize)MIN (READ_SIZE, packets->file_size - offset), offset);
      const guint8 *place = bytes;

      if (size < (gssize)HEADER_SIZE)
        return FALSE;
      while ((place = memmem (place, (gsize)(bytes + size - place), &magic, sizeof magic)) != NULL)
        {
          packets->offset = offset + (guint64)(place - bytes);
          if (lc_file_read (fd, &packets->header, HEADER_SIZE, packets->offset) == (gssize)HEADER_SIZE &&
              lc_packet_is_ours (&packets->header, packets->uuid))
            return TRUE;
          place++;
        }
      offset += (guint64)size - HEADER_SIZE + 1;
    }
  return FALSE;
}

/* Tells whether the header is that of the head: a copy that was being added to the stream when the program was
 * killed. */
static gboolean
is_in_head (const LcPackets *packets)
{
  return packets->head != NULL && packets->header.packet_seq_num == packets->head->header.packet_seq_num;
}

/* TRUE if the packet's events can be read; sets the end of the events and the begin of the next packet. */
static gboolean
packets_judge (LcPackets *packets, const LcStreamReport *report)
{
  const struct lc_packet *header = &packets->header;
  guint64 left = packets->file_size - packets->offset;
  guint64 content = header->content_size / 8, size = header->packet_size / 8;
  gboolean sane = size >= HEADER_SIZE && header->packet_size % 8 == 0;

  packets->next = !sane ? packets->offset + HEADER_SIZE : packets->offset + MIN (size, left);
  if (!lc_packet_is_ours (header, packets->uuid))
    packets_count (report, LC_PROBLEM_FOREIGN_PACKET, packets->offset);
  else if (header->format_version > LC_FORMAT_VERSION)
    packets_count (report, LC_PROBLEM_PACKET_VERSION, packets->offset);
  else if (!sane || content < HEADER_SIZE || content > size || header->content_size % 8 != 0)
    packets_count (report, LC_PROBLEM_BAD_PACKET_SIZE, packets->offset);
  else
    {
      if (size > left)
        {
          packets->damaged = TRUE;
          packets_count (report, LC_PROBLEM_TRUNCATED_PACKET, packets->offset);
        }
      packets->content_end = packets->offset + MIN (content, left);
      return TRUE;
    }
  packets->damaged = TRUE;
  return FALSE;
}

/* Tells whether the file ends within this packet's header. */
static gboolean
is_cut_header (const struct lc_packet *header, gsize size)
{
  const guint32 magic = LC_CTF_MAGIC;

  return size < HEADER_SIZE && memcmp (header, &magic, MIN (size, sizeof magic)) == 0;
}

/* Reads the header at packets->offset, or at the next place where one seems to be. FALSE: there are no more packets. */
static gboolean
packets_read_header (LcPackets *packets, int fd, const LcStreamReport *report)
{
  struct lc_packet *header = &packets->header;
  gssize size;

  memset (header, 0, HEADER_SIZE);
  size = lc_file_read (fd, header, HEADER_SIZE, packets->offset);
  if (size < 0)
    {
      packets_count (report, LC_PROBLEM_FILE_UNREADABLE, packets->offset);
      return FALSE;
    }
  if (is_cut_header (header, (gsize)size))
    {
      if (packets->head == NULL)
        {
          packets->damaged = TRUE;
          packets_count (report, LC_PROBLEM_TRUNCATED_PACKET, packets->offset);
        }
      return FALSE;
    }
  if (header->magic == LC_CTF_MAGIC)
    return TRUE;
  packets->damaged = TRUE;
  packets_count (report, LC_PROBLEM_BAD_PACKET, packets->offset);
  return packets_search (packets, fd, packets->offset + 1);
}

gboolean
lc_packets_next (LcPackets *packets, int fd, const LcStreamReport *report)
{
  const LcPackets before = *packets;

  while (packets->next < packets->file_size)
    {
      packets->offset = packets->next;
      if (!packets_read_header (packets, fd, report))
        break;
      if (packets->header.packet_size / 8 > packets->file_size - packets->offset && is_in_head (packets))
        break;
      if (!packets_judge (packets, report))
        continue;
      if (packets->found++ > 0 && packets->header.packet_seq_num != before.header.packet_seq_num + 1)
        packets_count (report, LC_PROBLEM_PACKET_ORDER, packets->offset);
      return TRUE;
    }
  packets->header = before.header;
  packets->offset = before.offset;
  packets->content_end = before.content_end;
  packets->next = packets->file_size;
  return FALSE;
}

gboolean
lc_packets_next_mapped (LcPackets *packets, const guint8 *bytes, gsize size)
{
  struct lc_packet header;
  guint64 left = packets->file_size - packets->next;

  if (size < HEADER_SIZE)
    return FALSE;
  memcpy (&header, bytes, HEADER_SIZE);
  if (!lc_packet_is_ours (&header, packets->uuid) || header.format_version > LC_FORMAT_VERSION ||
      header.packet_seq_num != packets->header.packet_seq_num + 1 || header.packet_size / 8 > left ||
      header.packet_size % 8 != 0 || header.content_size != header.packet_size || header.content_size / 8 < HEADER_SIZE)
    return FALSE;
  packets->header = header;
  packets->offset = packets->next;
  packets->next += header.packet_size / 8;
  packets->content_end = packets->next;
  packets->found++;
  return TRUE;
}

gboolean
lc_packets_need_head (const LcPackets *packets)
{
  return packets->head != NULL &&
         (packets->found == 0 || packets->header.packet_seq_num < packets->head->header.packet_seq_num);
}

/* --- Events ---------------------------------------------------------------------------------------------------------
 */

gboolean
lc_packets_read_events (const LcPackets *packets, int fd, LcPacketEvents *events)
{
  g_autofree guint8 *bytes = g_malloc (READ_SIZE);
  guint64 begin = packets->offset + HEADER_SIZE, before;

  *events = (LcPacketEvents){0};
  do
    {
      guint64 offset = begin + events->bytes;
      gssize size = lc_file_read (fd, bytes, (gsize)MIN (READ_SIZE, packets->content_end - offset), offset);

      if (size < 0)
        return FALSE;
      before = events->bytes;
      lc_packet_events_read (events, packets->header.format_version, bytes, (gsize)size);
    }
  while (events->bytes > before);
  return TRUE;
}
