/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the events of one binary stream, through a small window that moves along it. */
#include <string.h>
#include <unistd.h>

#include "ctf.h"
#include "operations.h"

/* Bytes of the windows of all processes together. With thousands of processes, no file stays open between batches. */
#define WINDOWS (16u << 20)
#define MOST_WINDOW (128u << 10)

/* Records of requests to read at once. */
#define REQUESTS 512

typedef struct
{
  LcTraceCursor base;
  const LcCtfStream *stream;
  const LcCtfInstance *instance;
  const guint8 *sizes; /* of events, by operation, in the current packet */
  gboolean has_sites;  /* so have the events of the current packet */
  guint32 rank;
  LcPackets packets;
  const char *file;
  guint64 file_begin;  /* position of the cursor at ... */
  guint64 file_offset; /* ... this offset in `file` */
  guint64 last_ticks;  /* end of the last event */
  const guint8 *window;
  guint64 window_room;
  gsize window_size;
  guint64 window_offset;
  guint64 content_end; /* end of the current packet's events */
  gboolean in_head;    /* the window is the head's memory, and not owned */
  gboolean ended;
  gboolean begun;                     /* a packet has been found */
  gboolean given;                     /* an event has been given */
  gboolean told_exit;                 /* the process's end has been told, if no event of the file does */
  gboolean limited;                   /* the trace leaves out what is in a gap at its begin or its end */
  guint64 file_ordinal;               /* of the next event, as the file counts */
  guint64 first_ordinal;              /* of the first event that was given, as the file counts */
  struct lc_request_record *requests; /* records of `requests_of` from number `first_request` on; NULL: none read yet */
  const LcCtfInstance *requests_of;
  guint64 first_request;
  gsize n_requests;
} Cursor;

LcTraceCursor *
lc_ctf_cursor_open (LcTrace *trace, guint32 process)
{
  Cursor *cursor = (Cursor *)lc_trace_cursor_new (trace, process, sizeof (Cursor));
  const LcCtf *ctf = trace->data;
  const LcTraceProcess *description = &g_array_index (trace->processes, LcTraceProcess, process);

  cursor->stream = &g_array_index (ctf->by_process, LcCtfStream, process);
  cursor->packets = (LcPackets){
      .uuid = ctf->has_uuid ? ctf->uuid : NULL,
      .head = cursor->stream->head,
      .file_size = cursor->stream->size,
  };
  cursor->file = description->file;
  cursor->rank = description->rank;
  cursor->window_room = MIN (WINDOWS / MAX (trace->processes->len, 1), MOST_WINDOW);
  if (cursor->base.room < LC_TRACE_BATCH)
    cursor->window_room = cursor->base.room * sizeof (struct lc_event_collective) + sizeof (struct lc_packet);
  cursor->last_ticks = trace->timescale.start;
  cursor->limited = trace->kept_from > 0 || trace->kept_to != LC_GAP_OPEN;
  return &cursor->base;
}

static void
ctf_cursor_close_window (Cursor *cursor)
{
  if (cursor->window != NULL && !cursor->in_head)
    g_free ((void *)cursor->window);
  cursor->window = NULL;
  cursor->window_size = 0;
}

void
lc_ctf_cursor_close (LcTraceCursor *base)
{
  ctf_cursor_close_window ((Cursor *)base);
  g_free (((Cursor *)base)->requests);
  lc_trace_cursor_free (base);
}

/* --- Windows ---------------------------------------------------------------------------------------------------- */

static void
ctf_cursor_count (Cursor *cursor, LcProblemKind kind, guint64 position)
{
  lc_problems_count (cursor->base.trace->problems, kind, cursor->file,
                     position - cursor->file_begin + cursor->file_offset, NULL);
}

/* Opens the file anew each time, because a trace may have more processes than a program may have open files. */
static int
ctf_cursor_open_stream (Cursor *cursor, guint64 *size)
{
  g_autoptr (GError) error = NULL;
  const LcCtf *ctf = cursor->base.trace->data;
  int fd = lc_folder_open_file (ctf->streams, cursor->stream->name, size, &error);

  if (fd < 0)
    lc_problems_count (cursor->base.trace->problems, LC_PROBLEM_FILE_UNREADABLE, cursor->file, 0, "%s", error->message);
  return fd;
}

static void
begin_packet (Cursor *cursor, const struct lc_packet *header, guint64 offset, guint64 end)
{
  LcTraceCursor *base = &cursor->base;

  base->position = offset + sizeof *header;
  cursor->content_end = end;
  cursor->instance = lc_ctf_find_instance (base->trace->data, header->instance);
  cursor->sizes = lc_operations_get_sizes (header->format_version);
  cursor->has_sites = header->format_version >= 3;
  /* What is in a gap that the trace begins with need not be in the file. */
  if (!cursor->begun && base->trace->kept_from > 0)
    cursor->file_ordinal = header->first_ordinal;
  cursor->begun = TRUE;
  if (header->first_ordinal != cursor->file_ordinal)
    ctf_cursor_count (cursor, LC_PROBLEM_ORDINAL_GAP, offset);
}

/* Begins the packet that is not in the stream yet. For the cursor it lies behind the stream. */
static gboolean
begin_head (Cursor *cursor)
{
  const LcHead *head = cursor->stream->head;

  if (cursor->in_head || head == NULL)
    return FALSE;
  ctf_cursor_close_window (cursor);
  cursor->in_head = TRUE;
  cursor->file = head->file;
  cursor->file_begin = cursor->stream->size;
  cursor->file_offset = head->offset;
  cursor->window = head->bytes;
  cursor->window_size = head->size;
  cursor->window_offset = cursor->file_begin;
  begin_packet (cursor, &head->header, cursor->file_begin, cursor->file_begin + head->size);
  return TRUE;
}

/* Goes on to a packet within the window: the usual case, in which no file is opened. */
static gboolean
next_packet_in_window (Cursor *cursor)
{
  guint64 next = cursor->packets.next, end = cursor->window_offset + cursor->window_size;

  return cursor->window != NULL && !cursor->in_head && cursor->packets.found > 0 && next >= cursor->window_offset &&
         next < end &&
         lc_packets_next_mapped (&cursor->packets, cursor->window + (next - cursor->window_offset),
                                 (gsize)(end - next));
}

static gboolean
next_packet_in_file (Cursor *cursor)
{
  LcStreamReport report = {cursor->base.trace->problems, cursor->file};
  LcPackets *packets = &cursor->packets;
  gboolean found;
  guint64 size;
  int fd;

  if (packets->next >= packets->file_size)
    return FALSE;
  fd = ctf_cursor_open_stream (cursor, &size);
  packets->file_size = fd >= 0 ? MIN (packets->file_size, size) : 0;
  if (fd < 0)
    return FALSE;
  found = lc_packets_next (packets, fd, &report);
  close (fd);
  return found;
}

static gboolean
next_packet (Cursor *cursor)
{
  if (!next_packet_in_window (cursor) && !next_packet_in_file (cursor))
    return begin_head (cursor);
  begin_packet (cursor, &cursor->packets.header, cursor->packets.offset, cursor->packets.content_end);
  return TRUE;
}

/*
 * Reads the file from the cursor's position on. Mapping would cost more: each unmapping flushes the address
 * translations of all threads, and a file that is truncated meanwhile would kill the program.
 */
static gboolean
move_window (Cursor *cursor)
{
  guint64 offset = cursor->base.position, size = 0;
  gsize length = (gsize)MIN (cursor->window_room, cursor->packets.file_size - offset);
  int fd = cursor->in_head ? -1 : ctf_cursor_open_stream (cursor, &size);
  gboolean good;

  if (fd < 0)
    {
      ctf_cursor_close_window (cursor);
      return FALSE;
    }
  if (cursor->window == NULL)
    cursor->window = g_malloc (cursor->window_room);
  good = lc_file_read (fd, (void *)cursor->window, length, offset) == (gssize)length;
  close (fd);
  if (!good)
    {
      ctf_cursor_close_window (cursor);
      ctf_cursor_count (cursor, LC_PROBLEM_FILE_UNREADABLE, cursor->base.position);
      return FALSE;
    }
  cursor->window_size = length;
  cursor->window_offset = offset;
  return TRUE;
}

/* Makes sure that a whole event can be read at the position. FALSE: the stream has ended. */
static gboolean
ctf_cursor_settle (Cursor *cursor)
{
  const guint64 largest = sizeof (struct lc_event_collective);
  guint64 position;

  while (cursor->base.position >= cursor->content_end)
    {
      if (!next_packet (cursor))
        return FALSE;
    }
  position = cursor->base.position;
  if (cursor->window != NULL && position >= cursor->window_offset &&
      MIN (position + largest, cursor->content_end) <= cursor->window_offset + cursor->window_size)
    return TRUE;
  return move_window (cursor);
}

/* --- Events ----------------------------------------------------------------------------------------------------- */

/*
 * Returns where an event ends whose own time is damage. The last event of a packet ends with the packet. Others end as
 * early as they can, with the event before or where the packet begins: so no time of the events after them changes.
 */
static guint64
ctf_cursor_find_end (const Cursor *cursor, guint64 where)
{
  const struct lc_packet *header = cursor->in_head ? &cursor->stream->head->header : &cursor->packets.header;
  const guint8 *bytes = cursor->window + (where - cursor->window_offset);
  guint16 operation;

  if (header->timestamp_begin > header->timestamp_end ||
      header->timestamp_end > lc_timescale_last (&cursor->base.trace->timescale))
    return cursor->last_ticks;
  memcpy (&operation, bytes + G_STRUCT_OFFSET (struct lc_event_mark, operation), sizeof operation);
  return MAX (cursor->last_ticks,
              where + cursor->sizes[operation] < cursor->content_end ? header->timestamp_begin : header->timestamp_end);
}

/* Ensures that events do not overlap, whatever the stream says. */
static __attribute__ ((noinline)) void
ctf_cursor_repair_times (Cursor *cursor, guint64 *begin, guint64 *end, guint64 where)
{
  const LcTimescale *timescale = &cursor->base.trace->timescale;
  const guint64 duration = *end - *begin;
  gboolean early = *begin < timescale->start || *begin > *end;

  if (*end > lc_timescale_last (timescale))
    {
      ctf_cursor_count (cursor, LC_PROBLEM_TIME_TOO_LARGE, where);
      *end = ctf_cursor_find_end (cursor, where);
      *begin = *end - MIN (*end - cursor->last_ticks, duration);
      return;
    }
  if (*begin < cursor->last_ticks || early)
    ctf_cursor_count (cursor, early ? LC_PROBLEM_TIME_BEFORE_START : LC_PROBLEM_TIME_BACKWARDS, where);
  if (*begin > *end)
    *begin = 0;
  *end = MAX (*end, cursor->last_ticks);
  *begin = CLAMP (*begin, cursor->last_ticks, *end);
}

static inline void
ctf_cursor_set_times (Cursor *cursor, LcTraceEvent *event, guint64 end, guint64 duration, guint64 where)
{
  const LcTimescale *timescale = &cursor->base.trace->timescale;
  guint64 begin = end - duration;

  if (G_UNLIKELY (begin < cursor->last_ticks || begin > end || end > lc_timescale_last (timescale)))
    ctf_cursor_repair_times (cursor, &begin, &end, where);
  event->begin = lc_timescale_ns (timescale, begin);
  event->end = begin == end ? event->begin : lc_timescale_ns (timescale, end);
  cursor->last_ticks = end;
}

static guint32
ctf_cursor_find_object (Cursor *cursor, guint32 operation, guint32 number, guint64 where)
{
  gboolean unknown;
  guint32 object = lc_ctf_find_object (cursor->base.trace->data, cursor->instance, operation, number, &unknown);

  if (G_UNLIKELY (unknown))
    ctf_cursor_count (cursor,
                      lc_operations[operation].operation_class == LC_CLASS_THREAD ? LC_PROBLEM_PROCESS_UNKNOWN
                                                                                  : LC_PROBLEM_OBJECT_UNKNOWN,
                      where);
  return object;
}

static inline guint32
ctf_cursor_find_stack (Cursor *cursor, guint32 site, guint64 where)
{
  gboolean unknown;
  guint32 stack = lc_ctf_find_stack (cursor->instance, site, &unknown);

  if (G_UNLIKELY (unknown))
    ctf_cursor_count (cursor, LC_PROBLEM_SITE_UNKNOWN, where);
  return stack;
}

static inline void
decode_mark (Cursor *cursor, const guint8 *bytes, LcTraceEvent *event, guint64 where)
{
  struct lc_event_mark mark;
  guint32 site = 0, object;

  memcpy (&mark, bytes, sizeof mark);
  object = mark.operation == LC_TAG ? 0 : mark.value;
  if (cursor->has_sites && mark.operation == LC_TAG)
    {
      memcpy (&site, bytes + G_STRUCT_OFFSET (struct lc_event_tag, site), sizeof site);
      memcpy (&object, bytes + G_STRUCT_OFFSET (struct lc_event_tag, text), sizeof object);
    }
  ctf_cursor_set_times (cursor, event, mark.end, 0, where);
  event->sequence = 0;
  event->value = mark.operation == LC_TAG ? mark.value : 0;
  event->bytes = 0;
  event->object = mark.operation == LC_TAG && object == 0
                      ? LC_TRACE_NONE
                      : ctf_cursor_find_object (cursor, mark.operation, object, where);
  event->operation = mark.operation;
  event->cpu = mark.cpu;
  event->flags = lc_operations[mark.operation].flags;
  event->peer = LC_TRACE_NONE;
  event->stack = ctf_cursor_find_stack (cursor, site, where);
}

/* Reads a block of requests at once, because a process mostly needs them in the order of their numbers. */
static void
read_requests (Cursor *cursor, guint64 number)
{
  const LcCtf *ctf = cursor->base.trace->data;
  g_autofree char *name = g_strdup_printf ("requests-%u", cursor->instance->number);
  guint64 size;
  int fd = lc_folder_open_file (ctf->base, name, &size, NULL);
  gssize got = 0;

  if (cursor->requests == NULL)
    cursor->requests = g_new (struct lc_request_record, REQUESTS);
  cursor->requests_of = cursor->instance;
  cursor->first_request = number;
  if (fd >= 0)
    {
      got = lc_file_read (fd, cursor->requests, REQUESTS * sizeof *cursor->requests, number * sizeof *cursor->requests);
      close (fd);
    }
  cursor->n_requests = (gsize)MAX (got, 0) / sizeof *cursor->requests;
}

/* FALSE: the request has not been read, or was not in the file yet, because the program may still run. */
static gboolean
find_request (const Cursor *cursor, guint64 number, struct lc_request_record *request)
{
  if (cursor->requests_of != cursor->instance || number < cursor->first_request ||
      number - cursor->first_request >= cursor->n_requests)
    return FALSE;
  *request = cursor->requests[number - cursor->first_request];
  return request->object != 0;
}

/* Looks up the message of a receive that was begun without waiting. FALSE: it is not known. */
static gboolean
look_up_request (Cursor *cursor, struct lc_event_sync *sync)
{
  const guint64 number = LC_MESSAGE_SEQUENCE (sync->sequence_value);
  struct lc_request_record request = {0};

  if (cursor->instance != NULL && number < cursor->instance->n_requests && !find_request (cursor, number, &request))
    {
      read_requests (cursor, number);
      find_request (cursor, number, &request);
    }
  sync->object = request.object;
  sync->sequence_value = request.sequence | LC_MESSAGE_BYTES (sync->sequence_value) << 32;
  return request.object != 0;
}

static guint32
find_peer (const Cursor *cursor, guint32 object)
{
  const LcTrace *trace = cursor->base.trace;
  const LcObject *channel;
  guint32 from, to;

  if (cursor->rank == LC_TRACE_NONE || object == LC_TRACE_NONE)
    return LC_TRACE_NONE;
  channel = lc_objects_get (trace->objects, object);
  if (channel->kind != LC_KIND_MPI || channel->object_class != LC_CLASS_CHANNEL)
    return LC_TRACE_NONE;
  from = LC_CHANNEL_FROM (channel->value);
  to = LC_CHANNEL_TO (channel->value);
  if (cursor->rank != from && cursor->rank != to)
    return LC_TRACE_NONE;
  return lc_ctf_find_rank (trace->data, cursor->rank == from ? to : from);
}

static inline void
decode_message (Cursor *cursor, struct lc_event_sync *sync, LcTraceEvent *event, guint64 where)
{
  guint16 flags = sync->flags & (LC_EVENT_BLIND - 1);

  if (sync->flags & LC_EVENT_BLIND)
    flags |= LC_TRACE_EVENT_BLIND;
  if (!(sync->flags & LC_EVENT_REQUEST) || look_up_request (cursor, sync))
    flags |= lc_operations[sync->operation].flags & LC_TRACE_EVENT_SEQUENCE;
  event->sequence = (gint64)LC_MESSAGE_SEQUENCE (sync->sequence_value);
  event->bytes = LC_MESSAGE_BYTES (sync->sequence_value);
  event->value = 0;
  event->flags = flags | LC_TRACE_EVENT_BYTES;
  event->object = ctf_cursor_find_object (cursor, sync->operation, sync->object, where);
  event->peer = find_peer (cursor, event->object);
}

/* A row of tests or probes in vain has their number where others have bytes. */
static inline void
ctf_cursor_count_tests (guint16 operation, LcTraceEvent *event)
{
  if (G_LIKELY (!lc_operation_counts_tests (operation) || !(event->flags & LC_EVENT_CONTENDED)))
    return;
  event->value = (gint64)MIN (event->bytes, G_MAXUINT32);
  event->bytes = 0;
  event->flags |= LC_TRACE_EVENT_VALUE;
}

/* What only struct lc_event_collective has comes last in all versions; those of version 1 have not got it. */
static inline void
decode_bytes (const Cursor *cursor, const guint8 *bytes, gsize size, LcTraceEvent *event)
{
  const gsize sync = cursor->sizes[LC_LOCK];

  event->bytes = 0;
  if (size > sync)
    memcpy (&event->bytes, bytes + sync, sizeof event->bytes);
  else
    event->flags &= (guint16)~LC_TRACE_EVENT_BYTES;
}

/* `size` is that of the event's struct in this version of the format. */
static inline void
decode_sync (Cursor *cursor, const guint8 *bytes, gsize size, LcTraceEvent *event, guint64 where)
{
  struct lc_event_sync sync = {0};

  if (cursor->has_sites)
    memcpy (&sync, bytes, sizeof sync);
  else
    memcpy (&sync, bytes, G_STRUCT_OFFSET (struct lc_event_sync, site));
  ctf_cursor_set_times (cursor, event, sync.end, sync.duration, where);
  if (lc_operations[sync.operation].layout == LC_LAYOUT_MESSAGE)
    decode_message (cursor, &sync, event, where);
  else
    {
      event->sequence = (gint64)LC_SEQUENCE (sync.sequence_value);
      event->value = (gint64)LC_VALUE (sync.sequence_value);
      event->flags = lc_operations[sync.operation].flags | (guint16)sync.flags;
      if (event->value > 0 && lc_operation_counts_tries (sync.operation))
        event->flags |= LC_TRACE_EVENT_VALUE;
      event->object = ctf_cursor_find_object (cursor, sync.operation, sync.object, where);
      event->peer = LC_TRACE_NONE;
      decode_bytes (cursor, bytes, size, event);
    }
  ctf_cursor_count_tests (sync.operation, event);
  if (G_UNLIKELY (sync.operation == LC_CHILD_WAIT))
    event->object = lc_ctf_find_child (cursor->base.trace, cursor->base.process, event);
  /* The sequence of a collective operation is known to all members, even if it is unknown whom each of them waited
   * for. */
  if (G_UNLIKELY (sync.flags & LC_EVENT_UNKNOWN) &&
      lc_operations[sync.operation].operation_class != LC_CLASS_COLLECTIVE)
    event->flags &= (guint16)~LC_TRACE_EVENT_SEQUENCE;
  event->operation = sync.operation;
  event->cpu = sync.cpu;
  event->detail = sync.detail;
  event->stack = ctf_cursor_find_stack (cursor, sync.site, where);
}

/* Decodes events in the window, at most `room`, and at least one unless the rest of the packet is damaged. */
static gsize
ctf_cursor_decode (Cursor *cursor, LcTraceEvent *events, gsize room)
{
  guint64 position = cursor->base.position;
  guint64 end = MIN (cursor->content_end, cursor->window_offset + cursor->window_size);
  gsize n = 0;

  while (n < room && position + sizeof (struct lc_event_mark) <= end)
    {
      const guint8 *bytes = cursor->window + (position - cursor->window_offset);
      guint16 operation;
      gsize size;

      memcpy (&operation, bytes + G_STRUCT_OFFSET (struct lc_event_mark, operation), sizeof operation);
      size = operation < LC_OPERATION_END ? cursor->sizes[operation] : 0;
      if (G_UNLIKELY (size == 0))
        {
          ctf_cursor_count (cursor, LC_PROBLEM_UNKNOWN_OPERATION, position);
          position = cursor->content_end;
          break;
        }
      if (position + size > end)
        break;
      if (size > sizeof (struct lc_event_tag))
        decode_sync (cursor, bytes, size, &events[n], position);
      else
        decode_mark (cursor, bytes, &events[n], position);
      position += size;
      n++;
    }
  if (position < end && end == cursor->content_end && n < room)
    {
      ctf_cursor_count (cursor, LC_PROBLEM_TRUNCATED_EVENT, position);
      position = end;
    }
  cursor->base.position = position;
  cursor->file_ordinal += n;
  return n;
}

/*
 * The packets that were kept overlap the gaps at the begin and the end of the trace, and not all in the same way: what
 * is given of all processes begins at one moment. What had begun before that begins there.
 */
static gsize
ctf_cursor_limit (Cursor *cursor, LcTraceEvent *events, gsize n)
{
  const LcTrace *trace = cursor->base.trace;
  gsize first = 0, kept = n;

  while (first < n && events[first].end < trace->kept_from)
    first++;
  while (kept > first && events[kept - 1].end > trace->kept_to)
    kept--;
  cursor->ended |= kept < n;
  if (kept == first)
    return 0;
  if (!cursor->given)
    cursor->first_ordinal = cursor->file_ordinal - n + first;
  cursor->given = TRUE;
  for (gsize i = first; i < kept && events[i].begin < trace->kept_from; i++)
    events[i].begin = trace->kept_from;
  if (first > 0)
    memmove (events, events + first, (kept - first) * sizeof *events);
  return kept - first;
}

/* The end of a process that no event of its stream tells: it was killed, or was the program's first thread. If it was
 * blocked to its end, it has waited on the object of its pending operation since that began. */
static gsize
ctf_cursor_tell_exit (Cursor *cursor, LcTraceEvent *event)
{
  const LcTrace *trace = cursor->base.trace;
  const LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, cursor->base.process);
  const gboolean is_pending = process->pending.operation != LC_TRACE_NONE;
  const guint64 end = MAX (cursor->stream->ended, cursor->last_ticks);
  guint64 begin = end;

  cursor->told_exit = TRUE;
  if (!cursor->stream->tells_exit || trace->kept_to != LC_GAP_OPEN)
    return 0;
  if (is_pending)
    begin = CLAMP (lc_ctf_last_packet (cursor->stream)->pending_begin, cursor->last_ticks, end);
  ctf_cursor_set_times (cursor, event, end, end - begin, cursor->base.position);
  event->sequence = event->value = 0;
  event->bytes = 0;
  event->object =
      is_pending && process->pending.object != LC_TRACE_NONE ? process->pending.object : cursor->base.process;
  event->operation = LC_EXIT;
  event->cpu = LC_CPU_UNKNOWN;
  event->flags = lc_operations[LC_EXIT].flags | (is_pending ? LC_EVENT_CANCELLED : 0);
  event->peer = LC_TRACE_NONE;
  event->stack = is_pending ? process->pending.stack : process->start;
  cursor->file_ordinal++;
  return 1;
}

gboolean
lc_ctf_cursor_next (LcTraceCursor *base, LcTraceBatch *batch)
{
  Cursor *cursor = (Cursor *)base;
  gsize n = 0, got;

  batch->first_ordinal = base->ordinal;
  while (n < base->room && !cursor->ended)
    {
      cursor->ended = !ctf_cursor_settle (cursor);
      if (cursor->ended)
        continue;
      got = ctf_cursor_decode (cursor, base->events + n, base->room - n);
      n += G_UNLIKELY (cursor->limited) ? ctf_cursor_limit (cursor, base->events + n, got) : got;
    }
  if (cursor->ended && !cursor->told_exit && n < base->room)
    {
      got = ctf_cursor_tell_exit (cursor, base->events + n);
      n += G_UNLIKELY (cursor->limited) ? ctf_cursor_limit (cursor, base->events + n, got) : got;
    }
  base->ordinal += n;
  if (cursor->ended)
    base->position = g_array_index (base->trace->processes, LcTraceProcess, base->process).bytes;
  if (base->room < LC_TRACE_BATCH && !cursor->in_head)
    ctf_cursor_close_window (cursor);
  batch->events = base->events;
  batch->n_events = n;
  return n > 0;
}

/* Without an end it is enough to look at the begin: what the file says counts the rest. */
guint64
lc_ctf_cursor_count (LcTrace *trace, guint32 process, guint64 in_file, guint64 *end)
{
  g_autoptr (LcTraceCursor) base = lc_trace_cursor_open (trace, process);
  const Cursor *cursor = (const Cursor *)base;
  guint64 count = 0;
  LcTraceBatch batch;

  while (lc_trace_cursor_next (base, &batch))
    {
      if (trace->kept_to == LC_GAP_OPEN)
        return in_file - MIN (in_file, cursor->first_ordinal);
      count += batch.n_events;
      *end = batch.events[batch.n_events - 1].end;
    }
  return count;
}
