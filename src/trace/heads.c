/* SPDX-License-Identifier: Apache-2.0 */
/* Reads packets that are not in their streams yet: copies of places, which may still change, and loose packets. */
#include "heads.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "operations.h"

#define HEADER_SIZE sizeof (struct lc_packet)

/* Stands for a magic number that could not be read. */
#define UNREADABLE UINT32_C (0xFFFFFFFF)

/* Larger files are read up to here. */
#define HEADS_LIMIT (UINT64_C (64) << 30)
#define PACKETS_LIMIT (UINT64_C (64) << 30)

/* Bytes of packets to keep in total: enough for 65,536 threads, each with a full head. */
#define KEPT_LIMIT (UINT64_C (4) << 30)

struct _LcHeads
{
  const guint8 *uuid;
  LcProblems *problems;
  GHashTable *by_process; /* number -> GList of LcHead in order of packets, owned */
  GPtrArray *copies;      /* memory of the copied packets */
  guint64 kept;           /* bytes of `copies` */
  GStringChunk *names;
};

gboolean
lc_packet_is_ours (const struct lc_packet *header, const guint8 *uuid)
{
  return header->magic == LC_CTF_MAGIC && (uuid == NULL || memcmp (header->uuid, uuid, sizeof header->uuid) == 0);
}

/* Returns the begin of the event at `bytes`, which is a whole one. */
static guint64
packet_events_find_begin (const struct lc_event_mark *event, const guint8 *bytes)
{
  struct lc_event_sync sync;
  const guint8 layout = lc_operations[event->operation].layout;

  if (layout == LC_LAYOUT_MARK || layout == LC_LAYOUT_TAG)
    return event->end;
  memcpy (&sync, bytes, G_STRUCT_OFFSET (struct lc_event_sync, sequence_value));
  return event->end - MIN (event->end, sync.duration);
}

void
lc_packet_events_read (LcPacketEvents *events, guint64 version, const guint8 *bytes, gsize size)
{
  const guint8 *sizes = lc_operations_get_sizes (version);
  gsize done = 0;

  while (size - done >= sizeof (struct lc_event_mark))
    {
      struct lc_event_mark event;
      gsize length;

      memcpy (&event, bytes + done, sizeof event);
      length = event.operation < LC_OPERATION_END ? sizes[event.operation] : 0;
      if (length == 0 || length > size - done)
        break;
      if (events->count == 0)
        events->first_begin = packet_events_find_begin (&event, bytes + done);
      done += length;
      events->count++;
      events->last_end = MAX (events->last_end, event.end);
      events->last_operation = event.operation;
    }
  events->bytes += done;
}

/* --- Packets ----------------------------------------------------------------------------------------------------- */

static int
compare_heads (gconstpointer a, gconstpointer b)
{
  const LcHead *left = a, *right = b;

  if (left->header.packet_seq_num != right->header.packet_seq_num)
    return left->header.packet_seq_num < right->header.packet_seq_num ? -1 : 1;
  return left->size > right->size ? -1 : left->size < right->size;
}

static void
free_list (gpointer list)
{
  g_list_free_full (list, g_free);
}

/* Adds a packet. The same packet may be both in a place and loose if its mover was killed in between: the larger copy
 * counts. */
static void
heads_add (LcHeads *heads, const LcHead *head)
{
  gpointer key = GUINT_TO_POINTER (head->header.process);
  GList *list = g_hash_table_lookup (heads->by_process, key), *link;

  g_hash_table_steal (heads->by_process, key);
  list = g_list_insert_sorted (list, g_memdup2 (head, sizeof *head), compare_heads);
  for (link = list; link->next != NULL;)
    {
      const LcHead *one = link->data, *other = link->next->data;

      if (one->header.packet_seq_num != other->header.packet_seq_num)
        {
          link = link->next;
          continue;
        }
      g_free (link->next->data);
      list = g_list_delete_link (list, link->next);
    }
  g_hash_table_insert (heads->by_process, key, list);
}

static void
heads_count (const LcHeads *heads, LcProblemKind kind, const char *file, guint64 where)
{
  if (heads->problems != NULL)
    lc_problems_count (heads->problems, kind, file, where, NULL);
}

/* Allocates room for a packet. NULL: there are too many, which is counted. */
static guint8 *
heads_make_copy (LcHeads *heads, gsize size, const char *file, guint64 offset)
{
  if (heads->kept + size > KEPT_LIMIT)
    {
      heads_count (heads, LC_PROBLEM_HEADS_TOO_LARGE, file, offset);
      return NULL;
    }
  return g_malloc (size);
}

static void
keep_copy (LcHeads *heads, LcHead *head, guint8 *copy, gsize size)
{
  head->bytes = copy;
  head->size = size;
  heads->kept += size;
  g_ptr_array_add (heads->copies, copy);
}

/* --- heads-0 ---------------------------------------------------------------------------------------------------------
 */

/* Copies a head. FALSE also if the running process went on to its next packet meanwhile. */
static gboolean
copy_head (LcHeads *heads, int fd, guint64 offset, LcHead *head)
{
  g_autofree guint8 *copy = NULL;
  struct lc_packet after;
  gsize size;

  if (lc_file_read (fd, &head->header, HEADER_SIZE, offset) < (gssize)HEADER_SIZE)
    {
      head->header.magic = UNREADABLE;
      return FALSE;
    }
  size = (gsize)MIN (head->header.content_size / 8, LC_HEAD_BYTES);
  if (!lc_packet_is_ours (&head->header, heads->uuid) || size < HEADER_SIZE)
    return FALSE;
  copy = heads_make_copy (heads, size, head->file, offset);
  if (copy == NULL || lc_file_read (fd, copy, size, offset) < (gssize)size ||
      lc_file_read (fd, &after, HEADER_SIZE, offset) < (gssize)HEADER_SIZE || after.magic != head->header.magic ||
      after.process != head->header.process || after.packet_seq_num != head->header.packet_seq_num)
    return FALSE;
  memcpy (copy, &head->header, HEADER_SIZE);
  head->offset = offset;
  keep_copy (heads, head, g_steal_pointer (&copy), size);
  return TRUE;
}

static gboolean
heads_is_empty (const LcHead *head)
{
  return head->header.magic == LC_PIECE_MAGIC || head->header.magic == 0;
}

static void
read_place (LcHeads *heads, int fd, LcHead *head, guint64 offset)
{
  for (guint try = 0; try < 3; try++)
    {
      if (copy_head (heads, fd, offset, head))
        {
          heads_add (heads, head);
          return;
        }
      if (heads_is_empty (head))
        return;
    }
  if (head->header.magic == UNREADABLE)
    heads_count (heads, LC_PROBLEM_FILE_UNREADABLE, head->file, offset);
  else if (head->header.magic != LC_CTF_MAGIC)
    heads_count (heads, LC_PROBLEM_BAD_PACKET, head->file, offset);
  else
    heads_count (
        heads, lc_packet_is_ours (&head->header, heads->uuid) ? LC_PROBLEM_BAD_PACKET_SIZE : LC_PROBLEM_FOREIGN_PACKET,
        head->file, offset);
}

/* The first place from `offset` on that was ever written to, as far as the system knows. */
static guint64
heads_skip_unused (int fd, guint64 offset)
{
  off_t used = lseek (fd, (off_t)offset, SEEK_DATA);

  if (used < 0)
    return errno == ENXIO ? G_MAXUINT64 : offset;
  return MAX (offset, (guint64)used / LC_HEAD_BYTES * LC_HEAD_BYTES);
}

static void
read_heads (LcHeads *heads, const LcFolder *folder, const char *file)
{
  g_autoptr (GError) error = NULL;
  guint64 size, offset;
  int fd = lc_folder_open_file (folder, file, &size, &error);

  if (fd < 0)
    {
      heads_count (heads, LC_PROBLEM_FILE_UNREADABLE, file, 0);
      return;
    }
  size = MIN (size, HEADS_LIMIT);
  /* Pages that the system has read ahead would count as written to. */
  posix_fadvise (fd, 0, 0, POSIX_FADV_RANDOM);
  for (offset = heads_skip_unused (fd, 0); offset < size && size - offset >= HEADER_SIZE;
       offset = heads_skip_unused (fd, offset + LC_HEAD_BYTES))
    {
      LcHead head = {.file = file};

      read_place (heads, fd, &head, offset);
    }
  close (fd);
}

/* --- packets-0 -------------------------------------------------------------------------------------------------------
 */

/* Copies the packet at `offset`. FALSE: there is none, or it cannot be kept. */
static gboolean
copy_packet (LcHeads *heads, int fd, guint64 offset, LcHead *head)
{
  guint8 *copy;
  gsize size;

  if (lc_file_read (fd, &head->header, HEADER_SIZE, offset) < (gssize)HEADER_SIZE)
    return FALSE;
  size = (gsize)MIN (head->header.content_size / 8, LC_HEAD_BYTES + 1);
  if (!lc_packet_is_ours (&head->header, heads->uuid) || size < HEADER_SIZE || size > LC_HEAD_BYTES)
    {
      heads_count (heads, LC_PROBLEM_BAD_PACKET, head->file, offset);
      return FALSE;
    }
  head->offset = offset;
  head->size = size;
  copy = heads_make_copy (heads, size, head->file, offset);
  if (copy == NULL)
    return FALSE;
  if (lc_file_read (fd, copy, size, offset) < (gssize)size)
    {
      g_free (copy);
      return FALSE;
    }
  keep_copy (heads, head, copy, size);
  return TRUE;
}

static void
read_packets (LcHeads *heads, const LcFolder *folder, const char *file)
{
  guint64 size, offset = 0;
  int fd = lc_folder_open_file (folder, file, &size, NULL);

  if (fd < 0)
    {
      heads_count (heads, LC_PROBLEM_FILE_UNREADABLE, file, 0);
      return;
    }
  size = MIN (size, PACKETS_LIMIT);
  while (size - offset >= HEADER_SIZE)
    {
      LcHead head = {.file = file};

      if (!copy_packet (heads, fd, offset, &head))
        break;
      heads_add (heads, &head);
      offset = MIN (offset + head.size, size);
    }
  close (fd);
}

/* --- All heads --------------------------------------------------------------------------------------------------- */

static void
heads_read_all (LcHeads *heads, const LcFolder *folder, const char *prefix,
                void (*read) (LcHeads *, const LcFolder *, const char *))
{
  g_autoptr (GArray) files = lc_folder_list_numbered (folder, prefix, NULL);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      const LcNumberedFile *file = &g_array_index (files, LcNumberedFile, i);

      read (heads, folder, g_string_chunk_insert (heads->names, file->name));
    }
}

/* Heads are read before the loose packets and the streams, so that packets which are moved meanwhile are not missed. */
LcHeads *
lc_heads_read (const LcFolder *folder, const guint8 *uuid, LcProblems *problems)
{
  LcHeads *heads = g_new0 (LcHeads, 1);

  heads->uuid = uuid;
  heads->problems = problems;
  heads->by_process = g_hash_table_new_full (NULL, NULL, NULL, free_list);
  heads->copies = g_ptr_array_new_with_free_func (g_free);
  heads->names = g_string_chunk_new (256);
  heads_read_all (heads, folder, "heads-", read_heads);
  heads_read_all (heads, folder, "packets-", read_packets);
  return heads;
}

void
lc_heads_free (LcHeads *heads)
{
  if (heads == NULL)
    return;
  g_hash_table_unref (heads->by_process);
  g_ptr_array_unref (heads->copies);
  g_string_chunk_free (heads->names);
  g_free (heads);
}

const LcHead *
lc_heads_find (const LcHeads *heads, guint32 process)
{
  const GList *list = g_hash_table_lookup (heads->by_process, GUINT_TO_POINTER (process));

  return list != NULL ? list->data : NULL;
}

/* Joins several packets into one, with the begin of the first and the process state of the last. */
static LcHead *
join_heads (LcHeads *heads, const GList *list)
{
  const LcHead *first = list->data, *last = g_list_last ((GList *)list)->data;
  LcHead *whole = g_memdup2 (first, sizeof *first);
  gsize size = HEADER_SIZE, done = HEADER_SIZE;
  guint8 *bytes;

  for (const GList *link = list; link != NULL; link = link->next)
    size += ((const LcHead *)link->data)->size - HEADER_SIZE;
  bytes = g_malloc (size);
  for (const GList *link = list; link != NULL; link = link->next)
    {
      const LcHead *head = link->data;

      memcpy (bytes + done, head->bytes + HEADER_SIZE, head->size - HEADER_SIZE);
      done += head->size - HEADER_SIZE;
    }
  whole->header = last->header;
  whole->header.packet_seq_num = first->header.packet_seq_num;
  whole->header.first_ordinal = first->header.first_ordinal;
  whole->header.timestamp_begin = first->header.timestamp_begin;
  whole->header.content_size = whole->header.packet_size = size * 8;
  memcpy (bytes, &whole->header, HEADER_SIZE);
  whole->bytes = bytes;
  whole->size = size;
  g_ptr_array_add (heads->copies, bytes);
  g_ptr_array_add (heads->copies, whole);
  return whole;
}

const LcHead *
lc_heads_find_after (LcHeads *heads, guint32 process, gint64 number)
{
  const GList *list = g_hash_table_lookup (heads->by_process, GUINT_TO_POINTER (process));

  while (list != NULL && (gint64)((const LcHead *)list->data)->header.packet_seq_num <= number)
    list = list->next;
  if (list == NULL || list->next == NULL)
    return list != NULL ? list->data : NULL;
  return join_heads (heads, list);
}

static int
heads_compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;

  return left < right ? -1 : left > right;
}

GArray *
lc_heads_list_streams (const LcHeads *heads, const LcFolder *streams, GError **error)
{
  g_autoptr (GArray) files = lc_folder_list_numbered (streams, "process-", error);
  GArray *numbers;
  GHashTableIter iter;
  gpointer key;
  guint kept = 0;

  if (files == NULL)
    return NULL;
  numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < files->len; i++)
    g_array_append_val (numbers, g_array_index (files, LcNumberedFile, i).number);
  g_hash_table_iter_init (&iter, heads->by_process);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      guint32 number = GPOINTER_TO_UINT (key);

      g_array_append_val (numbers, number);
    }
  g_array_sort (numbers, heads_compare_numbers);
  for (guint i = 0; i < numbers->len; i++)
    {
      guint32 number = g_array_index (numbers, guint32, i);

      if (kept == 0 || g_array_index (numbers, guint32, kept - 1) != number)
        g_array_index (numbers, guint32, kept++) = number;
    }
  g_array_set_size (numbers, kept);
  return numbers;
}

GArray *
lc_heads_list (const LcHeads *heads)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (const LcHead *));
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, heads->by_process);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const LcHead *last = g_list_last (value)->data;

      g_array_append_val (list, last);
    }
  return list;
}
