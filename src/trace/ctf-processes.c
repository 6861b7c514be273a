/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the processes of a binary trace from their packets. */
#include <string.h>
#include <unistd.h>

#include "ctf.h"
#include "gaps.h"
#include "loss.h"
#include "operations.h"
#include "records.h"

#define NS_PER_SECOND G_GUINT64_CONSTANT (1000000000)

const struct lc_packet *
lc_ctf_last_packet (const LcCtfStream *stream)
{
  if (stream->head != NULL)
    return &stream->head->header;
  return stream->last.found > 0 ? &stream->last.header : NULL;
}

void
lc_ctf_read_last_events (const LcCtf *ctf, const LcCtfStream *stream, LcPacketEvents *events)
{
  const gsize header = sizeof (struct lc_packet);
  guint64 size;
  int fd;

  *events = (LcPacketEvents){0};
  if (stream->head != NULL)
    {
      lc_packet_events_read (events, stream->head->header.format_version, stream->head->bytes + header,
                             stream->head->size - header);
      return;
    }
  if (stream->last.found == 0)
    return;
  fd = lc_folder_open_file (ctf->streams, stream->name, &size, NULL);
  if (fd < 0)
    return;
  lc_packets_read_events (&stream->last, fd, events);
  close (fd);
}

/* --- One process ------------------------------------------------------------------------------------------------ */

static void
stream_begin (LcCtfStream *stream, const struct lc_packet *first)
{
  stream->begin = first->timestamp_begin;
  stream->is_cut = first->packet_seq_num > 0;
}

static void
scan_stream (LcTrace *trace, LcCtfStream *stream, const char *file, guint32 number)
{
  const LcCtf *ctf = trace->data;
  LcPackets packets = {.uuid = ctf->has_uuid ? ctf->uuid : NULL, .head = stream->head};
  LcStreamReport report = {trace->problems, file};
  g_autoptr (GError) error = NULL;
  int fd = lc_folder_open_file (ctf->streams, stream->name, &stream->size, &error);

  if (fd < 0)
    {
      stream->size = 0;
      if (packets.head == NULL || !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        lc_problems_count (trace->problems, LC_PROBLEM_FILE_UNREADABLE, file, 0, "%s", error->message);
    }
  else
    {
      packets.file_size = stream->size;
      while (lc_packets_next (&packets, fd, &report))
        {
          if (packets.found == 1)
            stream_begin (stream, &packets.header);
        }
      close (fd);
    }
  stream->last = packets;
  stream->last.head = NULL;
  if (packets.found == 0 && packets.head != NULL)
    stream_begin (stream, &packets.head->header);
  if (packets.head != NULL)
    stream->head =
        lc_heads_find_after (ctf->heads, number, packets.found > 0 ? (gint64)packets.header.packet_seq_num : -1);
  if (packets.found == 0 && packets.head == NULL && !packets.damaged && trace->kept_from == 0)
    lc_problems_count (trace->problems, LC_PROBLEM_STREAM_EMPTY, file, 0, NULL);
}

/* Returns the largest time among the readable packets and events. */
static guint64
last_time (const LcCtf *ctf, const LcCtfStream *stream, const struct lc_packet *last)
{
  LcPacketEvents events;

  if (last->state != LC_STATE_RUNNING && last->timestamp_end >= last->timestamp_begin)
    return last->timestamp_end;
  lc_ctf_read_last_events (ctf, stream, &events);
  return MAX (last->timestamp_begin, events.last_end);
}

static void
note_state (LcTrace *trace, const LcTraceProcess *process, const char *file, guint64 where)
{
  if (process->state == LC_STATE_RUNNING)
    lc_problems_count (trace->problems, LC_PROBLEM_STREAM_OPEN, file, where, NULL);
  if (process->n_lost > 0)
    {
      g_autofree char *why = lc_lost_name_reasons (process->lost);

      lc_problems_count (trace->problems, LC_PROBLEM_EVENTS_LOST, file, where, "%" G_GUINT64_FORMAT " of them%s",
                         process->n_lost, why);
    }
}

static void
describe_process (LcTrace *trace, LcTraceProcess *process, const struct lc_packet *last)
{
  guint64 sum = 0;

  process->number = last->process;
  process->pid = last->pid;
  process->thread = last->thread;
  process->instance = last->instance;
  process->parent = last->parent;
  process->state = last->state > LC_STATE_CUT ? LC_STATE_CUT : (enum lc_state)last->state;
  process->given_name = lc_trace_keep_string (trace, last->name, sizeof last->name);
  for (guint i = 0; i < LC_LOST_REASONS; i++)
    {
      process->lost[i] = last->lost[i];
      if (__builtin_add_overflow (sum, last->lost[i], &sum))
        sum = G_MAXUINT64;
    }
  process->n_lost = MIN (MAX (sum, last->events_discarded), (guint64)G_MAXINT64); /* the most that a history can hold */
}

static gboolean
ctf_processes_add_process (LcTrace *trace, guint32 number)
{
  LcCtf *ctf = trace->data;
  g_autofree char *name = g_strdup_printf ("process-%u", number);
  LcTraceProcess process = {
      .number = number,
      .host = ctf->host,
      .given_name = "",
      .parent = LC_NO_PROCESS,
      .rank = LC_TRACE_NONE,
      .start = LC_TRACE_NONE,
      .account = LC_TRACE_NO_ACCOUNT,
  };
  LcCtfStream stream = {.name = g_strdup (name), .head = lc_heads_find (ctf->heads, number)};
  const struct lc_packet *last;

  process.file = lc_ctf_relative_name (trace, name);
  scan_stream (trace, &stream, process.file, number);
  process.bytes = stream.size + (stream.head != NULL ? stream.head->size : 0);
  last = lc_ctf_last_packet (&stream);
  if (last != NULL)
    {
      stream.end = last_time (ctf, &stream, last);
      describe_process (trace, &process, last);
      note_state (trace, &process, stream.head != NULL ? stream.head->file : process.file,
                  stream.head != NULL ? stream.head->offset : stream.last.offset);
    }
  if (process.number != number)
    lc_problems_count (trace->problems, LC_PROBLEM_WRONG_PROCESS, process.file, 0, "process %u", process.number);
  g_array_append_val (trace->processes, process);
  g_array_append_val (ctf->by_process, stream);
  return last != NULL;
}

/* --- All processes ----------------------------------------------------------------------------------------------- */

typedef struct
{
  LcTraceProcess process;
  LcCtfStream stream;
} Pair;

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *left = a, *right = b;

  if (left->process.rank != right->process.rank)
    return left->process.rank < right->process.rank ? -1 : 1;
  if (left->process.number != right->process.number)
    return left->process.number < right->process.number ? -1 : 1;
  return strcmp (left->process.file, right->process.file);
}

typedef struct
{
  guint32 rank;
  guint64 ready; /* ticks */
} Rank;

/* Reads the rank of an address space; without a file of objects, or with a damaged one, it is taken for no rank. */
static Rank *
ctf_processes_read_rank (LcTrace *trace, guint32 instance)
{
  const LcCtf *ctf = trace->data;
  g_autofree char *name = g_strdup_printf ("objects-%u", instance);
  g_auto (LcRecords) records = {0};
  Rank *rank = g_new0 (Rank, 1);

  rank->rank = LC_TRACE_NONE;
  if (!lc_records_open_again (&records, ctf->base, name, trace->problems) || records.n_places == 0 ||
      records.header.rank == 0)
    return rank;
  rank->rank = records.header.rank - 1;
  rank->ready = records.header.ready;
  return rank;
}

/* Finds the rank of each process; most processes are threads of the same address space as the one before. */
static void
find_ranks (LcTrace *trace)
{
  const LcCtf *ctf = trace->data;
  g_autoptr (GHashTable) known = g_hash_table_new_full (NULL, NULL, NULL, g_free);

  for (guint i = 0; i < trace->processes->len; i++)
    {
      LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, i);
      const Rank *rank = g_hash_table_lookup (known, GUINT_TO_POINTER (process->instance));

      if (rank == NULL)
        {
          Rank *read = ctf_processes_read_rank (trace, process->instance);

          g_hash_table_insert (known, GUINT_TO_POINTER (process->instance), read);
          rank = read;
        }
      process->rank = rank->rank;
      g_array_index (ctf->by_process, LcCtfStream, i).ready = rank->ready;
    }
}

/* Sorts by rank, then by number, because files may have been renamed. LC_TRACE_NONE is the largest rank. */
static void
sort_processes (LcTrace *trace)
{
  LcCtf *ctf = trace->data;
  guint n = trace->processes->len;
  g_autofree Pair *pairs = g_new (Pair, n);

  for (guint i = 0; i < n; i++)
    {
      pairs[i].process = g_array_index (trace->processes, LcTraceProcess, i);
      pairs[i].stream = g_array_index (ctf->by_process, LcCtfStream, i);
    }
  if (n > 0)
    qsort (pairs, n, sizeof *pairs, compare_pairs);
  for (guint i = 0; i < n; i++)
    {
      LcTraceProcess *process = &pairs[i].process;

      if (g_hash_table_contains (ctf->numbers, GUINT_TO_POINTER (process->number)))
        lc_problems_count (trace->problems, LC_PROBLEM_DUPLICATE_PROCESS, process->file, 0, "process %u",
                           process->number);
      else
        g_hash_table_insert (ctf->numbers, GUINT_TO_POINTER (process->number), GUINT_TO_POINTER (i));
      if (process->rank != LC_TRACE_NONE && !g_hash_table_contains (ctf->ranks, GUINT_TO_POINTER (process->rank)))
        g_hash_table_insert (ctf->ranks, GUINT_TO_POINTER (process->rank), GUINT_TO_POINTER (i));
      g_array_index (trace->processes, LcTraceProcess, i) = *process;
      g_array_index (ctf->by_process, LcCtfStream, i) = pairs[i].stream;
    }
}

gboolean
lc_ctf_read_processes (LcTrace *trace, gboolean *readable, GError **error)
{
  LcCtf *ctf = trace->data;
  g_autofree char *host = g_key_file_get_string (trace->settings, "trace", "host", NULL);
  g_autoptr (GArray) numbers = NULL;

  if (host != NULL)
    ctf->host = lc_trace_keep_string (trace, host, -1);
  ctf->heads = lc_heads_read (ctf->base, ctf->has_uuid ? ctf->uuid : NULL, trace->problems);
  numbers = lc_heads_list_streams (ctf->heads, ctf->streams, error);
  if (numbers == NULL)
    return FALSE;
  *readable = FALSE;
  for (guint i = 0; i < numbers->len; i++)
    *readable |= ctf_processes_add_process (trace, g_array_index (numbers, guint32, i));
  find_ranks (trace);
  sort_processes (trace);
  return TRUE;
}

/* Limits the times of a process, which may be as wrong as those of its events. */
static guint64
ctf_processes_limit_time (LcTrace *trace, const LcTraceProcess *process, const LcCtfStream *stream, guint64 ticks)
{
  const guint64 last = lc_timescale_last (&trace->timescale);

  if (ticks > last)
    lc_problems_count (trace->problems, LC_PROBLEM_TIME_TOO_LARGE, process->file, stream->last.offset, NULL);
  return lc_timescale_ns (&trace->timescale, MIN (ticks, last));
}

/* Reads the events of the first packet of a stream. */
static void
stream_read_first_events (const LcCtf *ctf, const LcCtfStream *stream, LcPacketEvents *events)
{
  LcPackets packets = {.uuid = ctf->has_uuid ? ctf->uuid : NULL, .file_size = stream->size};
  const LcStreamReport report = {0}; /* all has been reported before */
  guint64 size;
  int fd = lc_folder_open_file (ctf->streams, stream->name, &size, NULL);
  gboolean found = fd >= 0 && lc_packets_next (&packets, fd, &report);

  *events = (LcPacketEvents){0};
  if (found)
    lc_packets_read_events (&packets, fd, events);
  if (fd >= 0)
    close (fd);
  if (!found)
    lc_ctf_read_last_events (ctf, stream, events);
}

/* Returns from when on there is anything of a stream. A rank's begins when it is ready, if it has done nothing that is
 * recorded until then. */
static guint64
stream_find_origin (const LcCtf *ctf, const LcCtfStream *stream)
{
  const struct lc_packet *last = lc_ctf_last_packet (stream);
  guint64 origin = stream->ready;
  LcPacketEvents events;

  if (stream->ready <= stream->begin)
    return stream->begin;
  stream_read_first_events (ctf, stream, &events);
  if (events.count > 0)
    origin = MIN (origin, events.first_begin);
  if (last->pending_operation != LC_NO_OPERATION)
    origin = MIN (origin, last->pending_begin);
  return MAX (origin, stream->begin);
}

/* Returns G_MAXUINT64 if there is no stream with a packet. */
static guint64
ctf_processes_find_origin (const LcCtf *ctf)
{
  guint64 first = G_MAXUINT64;

  for (guint i = 0; i < ctf->by_process->len; i++)
    {
      const LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, i);

      if (lc_ctf_last_packet (stream) != NULL && stream->begin < first)
        first = MIN (first, stream_find_origin (ctf, stream));
    }
  return first;
}

/* Without the start of the recording nobody knows what its duration counts from. */
static void
ctf_processes_limit_clock (LcTrace *trace, guint64 start)
{
  const guint64 end = lc_trace_find_recorded_end (trace);
  guint64 last = end == G_MAXUINT64 ? end : lc_scale (end, trace->frequency, NS_PER_SECOND);

  if (end != G_MAXUINT64 && !__builtin_add_overflow (last, start, &last))
    lc_timescale_limit (&trace->timescale, last);
}

/*
 * Lets time begin with the run, not with the recording, which began when the program was not even loaded. The times of
 * a part stay those of its recording, which its samples of other clocks refer to. Of a trace of the newest events only,
 * the begin of the run may be gone.
 */
static void
ctf_processes_set_origin (LcTrace *trace, guint64 start, guint64 first)
{
  LcTimescale recording;
  guint64 origin;

  lc_timescale_init (&recording, start, trace->frequency);
  lc_timescale_init (&trace->timescale, start, trace->frequency);
  if (trace->kept_from > 0 || first == G_MAXUINT64 || first > lc_timescale_last (&recording))
    return;
  origin = lc_timescale_ns (&recording, first);
  if (trace->is_part)
    {
      trace->origin = origin;
      return;
    }
  lc_timescale_init (&trace->timescale, MAX (start, first), trace->frequency);
  if (trace->start != 0)
    trace->start += (gint64)origin;
  lc_gaps_move (trace->gaps, origin);
  lc_gaps_get_limits (trace->gaps, &trace->kept_from, &trace->kept_to);
}

/* Sets the times of processes. If the clock is not known, time begins with the first packet. */
void
lc_ctf_set_clock (LcTrace *trace, gboolean known)
{
  const LcCtf *ctf = trace->data;
  const guint64 first = ctf_processes_find_origin (ctf);

  const guint64 start = known || first == G_MAXUINT64 ? trace->timescale.start : first;

  ctf_processes_set_origin (trace, start, first);
  if (known)
    ctf_processes_limit_clock (trace, start);
  for (guint i = 0; i < trace->processes->len; i++)
    {
      LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, i);
      const LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, i);

      process->begin = ctf_processes_limit_time (trace, process, stream, stream->begin);
      process->end = ctf_processes_limit_time (trace, process, stream, stream->end);
      process->ready = stream->ready != 0 ? ctf_processes_limit_time (trace, process, stream, stream->ready) : 0;
    }
}

static void
ctf_processes_find_pending (LcTrace *trace, LcTraceProcess *process, const LcCtfStream *stream)
{
  const LcCtf *ctf = trace->data;
  const struct lc_packet *last = lc_ctf_last_packet (stream);
  const LcCtfInstance *instance = lc_ctf_find_instance (ctf, last->instance);
  const guint operation = LC_PENDING_OPERATION (last->pending_operation);
  gboolean unknown;

  if (process->state == LC_STATE_ENDED || operation >= LC_OPERATION_END || lc_operations[operation].name == NULL)
    return;
  process->pending = (LcTracePending){
      .operation = operation,
      .object = lc_ctf_find_object (ctf, instance, (guint16)operation, last->pending_object, &unknown),
      .is_unlimited = (last->pending_operation & LC_PENDING_UNLIMITED) != 0,
      .sequence = (gint64)last->pending_sequence,
      .has_sequence = last->pending_sequence != 0,
      .begin = ctf_processes_limit_time (trace, process, stream, last->pending_begin),
      .stack = last->format_version >= 3 ? lc_ctf_find_stack (instance, last->pending_site, &unknown) : LC_TRACE_NONE,
      .cpu = last->pending_cpu,
  };
}

/* Finds the function that a process began with. Before version 3 of the format, packets did not tell. */
static void
ctf_processes_find_start (LcTrace *trace, LcTraceProcess *process, const struct lc_packet *last)
{
  gboolean unknown = FALSE;

  if (last->format_version >= 3)
    process->start = lc_ctf_find_stack (lc_ctf_find_instance (trace->data, last->instance), last->start_site, &unknown);
  if (unknown)
    lc_problems_count (trace->problems, LC_PROBLEM_SITE_UNKNOWN, process->file, 0, "where the process began");
}

/* Of a trace of the newest events only, what was kept may have been looked for in another time than all that there was.
 */
static guint64
ctf_processes_get_search (const LcTrace *trace, const struct lc_packet *last)
{
  return trace->kept_from > 0 ? 0 : lc_timescale_ns (&trace->timescale, trace->timescale.start + last->search);
}

void
lc_ctf_find_pending (LcTrace *trace)
{
  const LcCtf *ctf = trace->data;

  for (guint i = 0; i < trace->processes->len; i++)
    {
      LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, i);
      const LcCtfStream *stream = &g_array_index (ctf->by_process, LcCtfStream, i);
      const struct lc_packet *last = lc_ctf_last_packet (stream);

      process->parent = process->parent == LC_NO_PROCESS ? LC_TRACE_NONE : lc_ctf_find_process (ctf, process->parent);
      process->pending = (LcTracePending){.operation = LC_TRACE_NONE, .object = LC_TRACE_NONE, .stack = LC_TRACE_NONE};
      if (last != NULL)
        {
          ctf_processes_find_pending (trace, process, stream);
          ctf_processes_find_start (trace, process, last);
          process->search = ctf_processes_get_search (trace, last);
        }
    }
}

/* --- What is kept ------------------------------------------------------------------------------------------------ */

static void
ctf_processes_keep (LcTrace *trace, guint32 number)
{
  LcTraceProcess *process = &g_array_index (trace->processes, LcTraceProcess, number);
  const LcCtf *ctf = trace->data;
  const gboolean is_cut = g_array_index (ctf->by_process, LcCtfStream, number).is_cut;
  guint64 end = process->begin = is_cut ? trace->kept_from : MAX (process->begin, trace->kept_from);

  if (trace->kept_to != LC_GAP_OPEN && process->end > trace->kept_to)
    {
      lc_ctf_cursor_count (trace, number, 0, &end);
      process->end = end;
      process->state = LC_STATE_RUNNING;
    }
  process->end = MAX (process->end, process->begin);
  if (process->pending.operation != LC_TRACE_NONE && process->pending.begin > trace->kept_to)
    process->pending = (LcTracePending){.operation = LC_TRACE_NONE, .object = LC_TRACE_NONE, .stack = LC_TRACE_NONE};
}

void
lc_ctf_keep_within (LcTrace *trace)
{
  for (guint32 i = 0; i < trace->processes->len; i++)
    if (trace->kept_from > 0 || trace->kept_to != LC_GAP_OPEN)
      ctf_processes_keep (trace, i);
}
