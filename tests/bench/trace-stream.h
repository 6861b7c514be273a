/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the stream of one process of a made-up trace, in packets as the recorder's. */
#ifndef LC_BENCH_TRACE_STREAM_H
#define LC_BENCH_TRACE_STREAM_H

#include <glib.h>
#include <string.h>

#include "lightcone/trace-format.h"

/* A tick is a nanosecond, and the recording began at this one. */
#define TRACE_START G_GUINT64_CONSTANT (1000000)
#define TRACE_FREQUENCY G_GUINT64_CONSTANT (1000000000)

typedef struct
{
  guint8 *at; /* where the next event goes */
  guint8 *full;
  guint8 *packet; /* LC_HEAD_BYTES */
  guint64 events;
  guint64 last; /* the end of the last event, ns from the start */
  guint64 packets;
  guint32 process;
  int file;
} TraceStream;

/* Makes DIRECTORY/ctf/process-N. */
gboolean trace_stream_open (TraceStream *stream, const char *directory, guint32 process, const guint8 *uuid,
                            GError **error);

/* Writes the packet, and begins the next one or, when the process has ended, closes the file. */
void trace_stream_flush (TraceStream *stream, gboolean ended);

/* Times are in ns from the start. */
static inline void
trace_stream_sync (TraceStream *stream, guint16 operation, guint32 object, guint64 word, guint64 begin, guint64 end,
                   guint8 flags)
{
  struct lc_event_sync *event;

  if (G_UNLIKELY (stream->at > stream->full))
    trace_stream_flush (stream, FALSE);
  event = (struct lc_event_sync *)(void *)stream->at;
  event->end = TRACE_START + end;
  event->operation = operation;
  event->cpu = (guint16)(stream->process & 63);
  event->object = object;
  event->duration = end - begin;
  event->flags = flags;
  event->sequence_value = word;
  event->site = 0;
  event->detail = 0;
  stream->at += sizeof *event;
  stream->events++;
  stream->last = end;
}

static inline void
trace_stream_mark (TraceStream *stream, guint16 operation, guint32 value, guint64 at)
{
  const gsize size = operation == LC_TAG ? sizeof (struct lc_event_tag) : sizeof (struct lc_event_mark);
  struct lc_event_mark *event;

  if (G_UNLIKELY (stream->at > stream->full))
    trace_stream_flush (stream, FALSE);
  event = (struct lc_event_mark *)(void *)stream->at;
  event->end = TRACE_START + at;
  event->operation = operation;
  event->cpu = (guint16)(stream->process & 63);
  event->value = value;
  if (operation == LC_TAG)
    memset (stream->at + sizeof *event, 0, size - sizeof *event); /* no site */
  stream->at += size;
  stream->events++;
  stream->last = at;
}

#endif
