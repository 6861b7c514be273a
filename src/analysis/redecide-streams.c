/* SPDX-License-Identifier: Apache-2.0 */
/* The events of each process, cut into segments where work is handed out; any process may go on with a segment. */
#include "redecide-private.h"

enum
{
  BOUND = 1 << 20, /* events in memory that other processes must take first */
};

typedef struct
{
  LcTraceEvent event;
  guint64 since;
  guint64 ordinal;
} Kept;

typedef struct
{
  GArray *events; /* Kept: events that were read; those before `at` were taken */
  guint at;
  guint32 origin;
  guint32 follows; /* hand-out from this object; LC_TRACE_NONE: none, as it is the first segment */
  guint32 then;    /* when complete: the object of the hand-out that ends it; LC_TRACE_NONE: the trace ends */
  gboolean complete;
} Segment;

typedef struct
{
  LcTraceCursor *cursor;
  LcTraceBatch batch;
  gsize at; /* index in the batch */
  guint64 since;
  Segment *reading; /* the segment to which the next event belongs; NULL: at the end */
  GQueue waiting;   /* Segment: not taken yet */
} Stream;

struct _LcStreams
{
  const LcSurvey *survey;
  Stream *streams;
  Segment **present; /* by process; or NULL */
  guint32 n_processes;
  guint64 n_kept;
};

static void
open_segment (Stream *stream, guint32 origin, guint32 follows)
{
  Segment *segment = g_new0 (Segment, 1);

  segment->events = g_array_new (FALSE, FALSE, sizeof (Kept));
  segment->origin = origin;
  segment->follows = follows;
  stream->reading = segment;
  g_queue_push_tail (&stream->waiting, segment);
}

static void
segment_free (gpointer data)
{
  Segment *segment = data;

  g_array_unref (segment->events);
  g_free (segment);
}

LcStreams *
lc_streams_new (const LcSurvey *survey)
{
  LcStreams *streams = g_new0 (LcStreams, 1);

  streams->survey = survey;
  streams->n_processes = lc_trace_get_n_processes (survey->trace);
  streams->streams = g_new0 (Stream, MAX (streams->n_processes, 1));
  streams->present = g_new0 (Segment *, MAX (streams->n_processes, 1));
  for (guint32 i = 0; i < streams->n_processes; i++)
    {
      streams->streams[i].cursor = lc_trace_cursor_open (survey->trace, i);
      g_queue_init (&streams->streams[i].waiting);
      open_segment (&streams->streams[i], i, LC_TRACE_NONE);
      lc_streams_take (streams, i, i, LC_TRACE_NONE);
    }
  return streams;
}

/* Segments that nobody has taken belong to their stream, others to the process. */
void
lc_streams_free (LcStreams *streams)
{
  for (guint32 i = 0; i < streams->n_processes; i++)
    {
      lc_trace_cursor_close (streams->streams[i].cursor);
      g_queue_clear_full (&streams->streams[i].waiting, segment_free);
      g_clear_pointer (&streams->present[i], segment_free);
    }
  g_free (streams->streams);
  g_free (streams->present);
  g_free (streams);
}

/* Whether the event ends a segment, as its object hands out work. */
static gboolean
redecide_streams_is_cut (const LcStreams *streams, const LcTraceEvent *event)
{
  return streams->survey->roles[event->operation].hands_out &&
         lc_survey_is_open (streams->survey, event->object, LC_OBJECT_WORK);
}

static void
end_segment (Stream *stream, guint32 then)
{
  stream->reading->complete = TRUE;
  stream->reading->then = then;
  stream->reading = NULL;
}

/* Reads one more event of a stream into its segment. FALSE: there is none. */
static gboolean
read_one (LcStreams *streams, Stream *stream)
{
  const LcTrace *trace = streams->survey->trace;
  const LcTraceEvent *event;
  guint32 origin = stream->reading->origin;
  Kept kept;

  if (stream->at == stream->batch.n_events)
    {
      stream->at = 0;
      if (!lc_trace_cursor_next (stream->cursor, &stream->batch))
        {
          stream->batch.n_events = 0;
          end_segment (stream, LC_TRACE_NONE);
          return FALSE;
        }
    }
  event = &stream->batch.events[stream->at];
  if (G_UNLIKELY (stream->at == 0 && stream->batch.first_ordinal == 0))
    {
      const guint32 process = (guint32)(stream - streams->streams);

      if (lc_trace_get_kept_from (trace) > 0 || lc_trace_get_process (trace, process)->is_followed)
        stream->since = lc_trace_get_followed (trace, process, event->begin);
    }
  kept = (Kept){*event, stream->since, stream->batch.first_ordinal + stream->at++};
  stream->since = event->end;
  g_array_append_val (stream->reading->events, kept);
  streams->n_kept++;
  if (redecide_streams_is_cut (streams, event))
    {
      end_segment (stream, event->object);
      open_segment (stream, origin, event->object);
    }
  return TRUE;
}

gboolean
lc_streams_take (LcStreams *streams, guint32 process, guint32 origin, guint32 object)
{
  Stream *stream = &streams->streams[origin];

  for (;;)
    {
      for (GList *link = stream->waiting.head; link != NULL; link = link->next)
        {
          Segment *segment = link->data;

          if (segment->follows != object)
            continue;
          g_queue_delete_link (&stream->waiting, link);
          g_clear_pointer (&streams->present[process], segment_free);
          streams->present[process] = segment;
          return TRUE;
        }
      if (streams->n_kept > BOUND || stream->reading == NULL)
        return FALSE;
      read_one (streams, stream);
    }
}

gboolean
lc_streams_next (LcStreams *streams, guint32 process, LcSweepNext *next, guint32 *object)
{
  Segment *segment = streams->present[process];
  const Kept *kept;

  if (segment->at == segment->events->len)
    {
      g_array_set_size (segment->events, 0);
      segment->at = 0;
      if (segment->complete || !read_one (streams, &streams->streams[segment->origin]))
        {
          *object = segment->then;
          return FALSE;
        }
    }
  kept = &g_array_index (segment->events, Kept, segment->at++);
  streams->n_kept--;
  *next = (LcSweepNext){kept->event, segment->origin, kept->ordinal, kept->since, 0, FALSE, 0, FALSE};
  return TRUE;
}
