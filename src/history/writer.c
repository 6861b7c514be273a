/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the events of each process and sends them on in blocks: sweep -> derive -> encoder, each in its own
 * thread. */
#include "writer.h"

#include <string.h>

#include "derive.h"
#include "encoder.h"
#include "lightcone/states.h"
#include "packed.h"

enum
{
  TOGETHER = 16,    /* parcels sent as one message */
  IN_FLIGHT = 64,   /* parcels between us and the next thread */
  WITH_ROWS = 1024, /* up to so many processes have memory for a block each; with more, events are packed */
  ARCS_IN_FLIGHT = 16,
  RULES = 1024, /* places of the table of rules, a power of two; rules beyond half of it are found slowly */
};

typedef struct
{
  LcWriterProcess seen;
  LcParcel *parcel; /* being filled; NULL: there is none, or the events are packed */
  LcPacked packed;
} Process;

typedef struct
{
  const LcArcRule *rule;
  guint16 number;
} RuleNumber;

struct _LcWriter
{
  LcSweepVisitor visitor;
  Process *processes;
  guint32 n_processes;
  LcColumns columns;
  gboolean packed;
  const GPtrArray *rules;
  RuleNumber numbers[RULES];
  LcBlockArc *arcs; /* arcs of the present event, if events are packed */
  gsize arcs_room;
  LcParcel *long_arcs; /* being filled, or NULL */
  guint64 least_arc;
  LcParcelPool events, arc_parcels;
  LcParcelSender out;
  GAsyncQueue *to_derive, *to_encoder;
  LcDerive *derive;
  LcEncoder *encoder;
  GThread *derive_thread, *encoder_thread;
  gboolean finished;
};

/* --- Arcs ------------------------------------------------------------------------------------------------------ */

static guint
writer_place_of (const LcArcRule *rule)
{
  return (guint)((gsize)rule >> 4) * 2654435761u % RULES;
}

static guint16
writer_number_of (const LcWriter *writer, const LcArcRule *rule)
{
  for (guint i = 0, place = writer_place_of (rule); i < RULES; i++, place = (place + 1) % RULES)
    if (writer->numbers[place].rule == rule)
      return writer->numbers[place].number;
  for (guint i = 0; i < writer->rules->len; i++)
    if (writer->rules->pdata[i] == rule)
      return (guint16)i;
  return 0;
}

static void
number_rules (LcWriter *writer)
{
  for (guint i = 0; i < MIN (writer->rules->len, RULES / 2); i++)
    {
      guint place = writer_place_of (writer->rules->pdata[i]);

      while (writer->numbers[place].rule != NULL)
        place = (place + 1) % RULES;
      writer->numbers[place] = (RuleNumber){writer->rules->pdata[i], (guint16)i};
    }
}

/* The point's time on the timeline that is written. */
static inline guint64
writer_time_of (const LcSweepPoint *from, const LcTimelineEvent *moved)
{
  return moved != NULL ? from->carried[0] : from->time;
}

static void
writer_add_long_arc (LcWriter *writer, const LcSweepStep *step, const LcSweepPoint *from, guint64 from_time,
                     guint64 to_time)
{
  LcParcel *parcel = writer->long_arcs;

  if (parcel == NULL)
    parcel = writer->long_arcs = lc_parcel_pool_take (&writer->arc_parcels, &writer->out);
  parcel->arcs[parcel->n_arcs++] = (LcHistoryArc){.from_process = from->process,
                                                  .to_process = step->process,
                                                  .from_ordinal = from->ordinal,
                                                  .to_ordinal = step->ordinal,
                                                  .from_time = from_time,
                                                  .to_time = to_time,
                                                  .object = step->event->object,
                                                  .rule = writer_number_of (writer, from->rule),
                                                  .from_point = from->point};
  if (parcel->n_arcs == LC_PARCEL_ARCS_ROOM)
    lc_parcel_send (&writer->out, g_steal_pointer (&writer->long_arcs));
}

static inline void
add_long_arcs (LcWriter *writer, const LcSweepStep *step, const LcTimelineEvent *moved)
{
  guint64 end = moved != NULL ? moved->end : step->event->end;

  for (gsize i = 0; i < step->n_arcs; i++)
    {
      guint64 from = writer_time_of (&step->arcs[i], moved);

      if (step->arcs[i].process != step->process && from + writer->least_arc <= end)
        writer_add_long_arc (writer, step, &step->arcs[i], from, end);
    }
}

/* A basis beyond the range of its type is swapped to the first place. */
static gint16
writer_take_arcs (LcWriter *writer, LcBlockArc *arcs, const LcSweepStep *step)
{
  LcBlockArc first;

  for (gsize i = 0; i < step->n_arcs; i++)
    {
      const LcSweepPoint *from = &step->arcs[i];

      arcs[i] = (LcBlockArc){.process = from->process,
                             .rule = writer_number_of (writer, from->rule),
                             .point = (guint8)from->point,
                             .ordinal = from->ordinal};
    }
  if (step->basis <= G_MAXINT16)
    return (gint16)step->basis;
  first = arcs[0];
  arcs[0] = arcs[step->basis];
  arcs[step->basis] = first;
  return 0;
}

/* --- Events ---------------------------------------------------------------------------------------------------- */

static void
send_events (LcWriter *writer, guint32 number, LcParcel *parcel)
{
  parcel->process = number;
  parcel->first_ordinal = writer->processes[number].seen.events - parcel->n_events - parcel->packed.n_events;
  lc_parcel_send (&writer->out, parcel);
}

static void
send_packed (LcWriter *writer, guint32 number)
{
  LcParcel *parcel = lc_parcel_pool_take (&writer->events, &writer->out);

  parcel->packed = writer->processes[number].packed;
  writer->processes[number].packed = (LcPacked){0};
  send_events (writer, number, parcel);
}

static void
add_packed (LcWriter *writer, guint32 number, const LcEventRow *event, const LcEventWhy *why)
{
  LcPacked *packed = &writer->processes[number].packed;

  lc_packed_add (packed, event, why, writer->arcs);
  if (packed->n_events == LC_BLOCK_EVENTS)
    send_packed (writer, number);
}

static LcParcel *
begin_rows (LcWriter *writer)
{
  LcParcel *parcel = lc_parcel_pool_take (&writer->events, &writer->out);

  if (parcel->events == NULL)
    parcel->events = g_new (LcEventRow, LC_BLOCK_EVENTS);
  if (parcel->why == NULL && writer->columns & LC_COLUMN_ORIGIN)
    parcel->why = g_new (LcEventWhy, LC_BLOCK_EVENTS);
  return parcel;
}

/* `moved`: NULL for the measured timeline. */
static inline void
begin_row (const LcSweepStep *step, const LcTimelineEvent *moved, LcEventRow *row)
{
  const LcTraceEvent *event = step->event;

  row->begin = moved != NULL ? moved->begin : event->begin;
  row->end = moved != NULL ? moved->end : event->end;
  row->waited = moved != NULL ? moved->waited : step->waited;
  row->woken = moved != NULL ? moved->woken : step->woken;
  row->layer = step->layer;
  row->sequence = event->sequence;
  row->object = event->object;
  row->operation = event->operation;
  row->flags = (guint16)(event->flags | (step->group != NULL ? LC_HISTORY_EVENT_GROUP : 0) |
                         (step->outside ? LC_HISTORY_EVENT_OUTSIDE : 0));
}

static inline void
complete_row (const LcSweepStep *step, LcEventRow *row)
{
  const LcTraceEvent *event = step->event;

  row->value = event->value;
  row->bytes = event->bytes;
  row->peer = event->peer;
  row->stack = event->stack;
  row->cpu = event->cpu;
  row->basis = (gint16)MIN (step->basis, G_MAXINT16);
  row->n_arcs = (guint32)step->n_arcs;
}

static inline void
writer_explain (const LcTimelineEvent *moved, LcEventWhy *why)
{
  why->removed = moved->removed;
  why->gained = moved->gained;
  why->reordered = moved->reordered;
  why->origin_process = moved->origin_process;
  why->origin_ordinal = moved->origin_ordinal;
}

static inline void
writer_see (LcWriterProcess *seen, const LcEventRow *row)
{
  if (seen->events++ == 0)
    seen->begin = MIN (seen->begin, row->begin);
  seen->end = row->end;
  seen->layers = row->layer;
}

/* A span of the measured run, and the same span on the timeline that is written. */
typedef struct
{
  guint64 from, to;
  guint64 its_from, its_to;
} Stretch;

static guint64
writer_place (const Stretch *stretch, guint64 time)
{
  const guint64 length = stretch->to - stretch->from, its = stretch->its_to - stretch->its_from;

  if (length == its)
    return stretch->its_from + (time - stretch->from);
  return stretch->its_from + MIN (its, (guint64)((double)its * ((double)(time - stretch->from) / (double)length)));
}

/* Leaves out of a span what its process was preempted in it. Times after a preemption move forward by it. */
static void
writer_remove_preempted (Stretch *stretch, const LcSweepStep *step)
{
  guint64 preempted = 0;

  for (gsize i = 0; i < step->n_absences; i++)
    {
      const guint64 begin = MAX ((guint64)step->absences[i].begin, stretch->from);
      const guint64 end = MIN ((guint64)step->absences[i].end, stretch->to);

      if (step->absences[i].kind == LC_ABSENCE_PREEMPTED && begin < end)
        preempted += end - begin;
    }
  stretch->to -= preempted;
}

/* Absences keep their place in the span, which may be shorter than measured. */
static void
writer_add_stretch (GArray **absences, guint32 number, const LcSweepStep *step, const Stretch *span,
                    gboolean is_unpreempted)
{
  Stretch stretch = *span;
  guint64 preempted = 0;

  if (is_unpreempted && stretch.from < stretch.to)
    writer_remove_preempted (&stretch, step);
  if (stretch.from >= stretch.to || stretch.its_from >= stretch.its_to)
    return;
  for (gsize i = 0; i < step->n_absences; i++)
    {
      const gboolean is_ready = step->absences[i].kind == LC_ABSENCE_PREEMPTED;
      const guint64 begin = MAX ((guint64)step->absences[i].begin, span->from);
      const guint64 end = MIN ((guint64)step->absences[i].end, span->to);
      LcBlockAbsence absence = {.event = number, .state = is_ready ? LC_IS_PREEMPTED : LC_IS_UNSEEN};

      if (begin >= end)
        continue;
      if (is_ready && is_unpreempted)
        {
          preempted += end - begin;
          continue;
        }
      absence.begin = writer_place (&stretch, begin - preempted);
      absence.end = writer_place (&stretch, end - preempted);
      if (absence.begin >= absence.end)
        continue;
      if (*absences == NULL)
        *absences = g_array_new (FALSE, FALSE, sizeof absence);
      g_array_append_val (*absences, absence);
    }
}

/* Adds what no event explains: absences before the event, and in the part of it after its waiting. `number` is that of
 * the event in its block; `seen` what came before it. */
static void
writer_add_absences (GArray **absences, guint32 number, const LcSweepStep *step, const LcEventRow *row,
                     const LcWriterProcess *seen, gboolean is_unpreempted)
{
  const guint64 before = seen->events > 0 ? seen->end : MIN (seen->begin, row->begin);
  const guint64 went_on = step->event->begin + step->waited + step->woken;

  writer_add_stretch (absences, number, step,
                      &(Stretch){MIN (step->since, step->event->begin), step->event->begin, before, row->begin},
                      is_unpreempted);
  if (!step->outside)
    writer_add_stretch (absences, number, step,
                        &(Stretch){went_on, step->event->end, row->begin + row->waited + row->woken, row->end},
                        is_unpreempted);
}

static void
pack_event (LcWriter *writer, const LcSweepStep *step, const LcTimelineEvent *moved)
{
  LcEventRow row = {.peer = LC_TRACE_NONE, .stack = LC_TRACE_NONE, .basis = -1};
  LcEventWhy why;

  begin_row (step, moved, &row);
  if (writer->columns & LC_COLUMN_ARCS)
    complete_row (step, &row);
  if (row.n_arcs > writer->arcs_room)
    {
      writer->arcs_room = step->n_arcs * 2;
      writer->arcs = g_renew (LcBlockArc, writer->arcs, writer->arcs_room);
    }
  if (row.n_arcs > 0)
    row.basis = writer_take_arcs (writer, writer->arcs, step);
  if (moved != NULL)
    writer_explain (moved, &why);
  add_long_arcs (writer, step, moved);
  if (G_UNLIKELY (step->n_absences > 0))
    writer_add_absences (&writer->processes[step->process].packed.absences,
                         writer->processes[step->process].packed.n_events, step, &row,
                         &writer->processes[step->process].seen, moved != NULL && moved->is_unpreempted);
  writer_see (&writer->processes[step->process].seen, &row);
  add_packed (writer, step->process, &row, moved != NULL ? &why : NULL);
}

static inline LcEventRow *
writer_add_row (LcWriter *writer, const LcSweepStep *step, const LcTimelineEvent *moved)
{
  Process *process = &writer->processes[step->process];
  LcEventRow *row;

  if (process->parcel == NULL)
    process->parcel = begin_rows (writer);
  row = &process->parcel->events[process->parcel->n_events++];
  begin_row (step, moved, row);
  if (step->n_arcs > 0)
    add_long_arcs (writer, step, moved);
  if (G_UNLIKELY (step->n_absences > 0))
    writer_add_absences (&process->parcel->absences, process->parcel->n_events - 1, step, row, &process->seen,
                         moved != NULL && moved->is_unpreempted);
  writer_see (&process->seen, row);
  return row;
}

static inline void
take_arcs_of_row (LcWriter *writer, const LcSweepStep *step, LcEventRow *row)
{
  LcParcel *parcel = writer->processes[step->process].parcel;
  guint before = parcel->event_arcs->len;

  if (step->n_arcs == 0)
    return;
  g_array_set_size (parcel->event_arcs, before + (guint)step->n_arcs);
  row->basis = writer_take_arcs (writer, &g_array_index (parcel->event_arcs, LcBlockArc, before), step);
}

static inline void
send_if_full (LcWriter *writer, guint32 process)
{
  if (writer->processes[process].parcel->n_events == LC_BLOCK_EVENTS)
    send_events (writer, process, g_steal_pointer (&writer->processes[process].parcel));
}

static void
visit_packed (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  pack_event ((LcWriter *)visitor, step, NULL);
}

static void
writer_visit (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  LcWriter *writer = (LcWriter *)visitor;
  LcEventRow *row = writer_add_row (writer, step, NULL);

  complete_row (step, row);
  take_arcs_of_row (writer, step, row);
  send_if_full (writer, step->process);
}

/* All other fields are those of the measured timeline. */
static void
add_moved (LcWriter *writer, const LcSweepStep *step, const LcTimelineEvent *event)
{
  LcEventRow *row = writer_add_row (writer, step, event);

  row->removed = event->removed;
  row->gained = event->gained;
  if (event->reordered)
    row->flags |= LC_HISTORY_EVENT_REORDERED;
  send_if_full (writer, step->process);
}

static void
add_whole (LcWriter *writer, const LcSweepStep *step, const LcTimelineEvent *event)
{
  LcEventRow *row = writer_add_row (writer, step, event);
  LcParcel *parcel = writer->processes[step->process].parcel;

  complete_row (step, row);
  writer_explain (event, &parcel->why[parcel->n_events - 1]);
  take_arcs_of_row (writer, step, row);
  send_if_full (writer, step->process);
}

void
lc_writer_add (LcWriter *writer, const LcSweepStep *step, const LcTimelineEvent *event)
{
  if (writer->packed)
    pack_event (writer, step, event);
  else if (writer->columns & LC_COLUMN_ORIGIN)
    add_whole (writer, step, event);
  else
    add_moved (writer, step, event);
}

void
lc_writer_finish (LcWriter *writer)
{
  if (writer->finished)
    return;
  for (guint32 i = 0; i < writer->n_processes; i++)
    {
      if (writer->processes[i].parcel != NULL)
        send_events (writer, i, g_steal_pointer (&writer->processes[i].parcel));
      if (writer->processes[i].packed.n_events > 0)
        send_packed (writer, i);
    }
  if (writer->long_arcs != NULL)
    lc_parcel_send (&writer->out, g_steal_pointer (&writer->long_arcs));
  lc_parcel_send (&writer->out, lc_parcel_new (LC_PARCEL_END));
  writer->finished = TRUE;
}

/* --- Life cycle ------------------------------------------------------------------------------------------------ */

LcWriter *
lc_writer_new (LcDatabase *database, LcTrace *trace, const LcRules *rules, LcColumns columns, GError **error)
{
  LcWriter *writer = g_new0 (LcWriter, 1);
  guint32 n_processes = lc_trace_get_n_processes (trace);

  writer->columns = columns;
  writer->n_processes = n_processes;
  writer->processes = g_new0 (Process, MAX (n_processes, 1));
  for (guint32 i = 0; i < n_processes; i++)
    writer->processes[i].seen.begin = lc_trace_get_followed (trace, i, G_MAXUINT64);
  writer->packed = n_processes > WITH_ROWS;
  writer->visitor.end = writer->packed ? visit_packed : writer_visit;
  writer->rules = lc_rules_get_arcs (rules);
  number_rules (writer);
  lc_parcel_pool_init (&writer->arc_parcels, LC_PARCEL_ARCS, ARCS_IN_FLIGHT);
  lc_parcel_pool_init (&writer->events, LC_PARCEL_EVENTS, IN_FLIGHT + (writer->packed ? 0 : n_processes));
  writer->to_derive = g_async_queue_new ();
  writer->to_encoder = g_async_queue_new ();
  writer->out.queue = writer->to_derive;
  writer->out.together = TOGETHER;
  writer->derive = lc_derive_new (trace, rules, columns, writer->to_derive, &writer->events, &writer->arc_parcels,
                                  writer->to_encoder);
  writer->least_arc = lc_derive_get_least_arc (writer->derive);
  writer->encoder = lc_encoder_new (database, n_processes, columns, writer->to_encoder,
                                    lc_derive_get_blocks (writer->derive), lc_derive_get_rows (writer->derive), error);
  if (writer->encoder == NULL)
    {
      lc_writer_free (writer);
      return NULL;
    }
  writer->derive_thread = g_thread_new ("derive", lc_derive_run, writer->derive);
  writer->encoder_thread = g_thread_new ("encoder", lc_encoder_run, writer->encoder);
  return writer;
}

static void
writer_stop (LcWriter *writer)
{
  if (writer->encoder_thread == NULL)
    return;
  if (!writer->finished)
    {
      lc_derive_abandon (writer->derive);
      lc_encoder_abandon (writer->encoder);
      lc_parcel_send (&writer->out, lc_parcel_new (LC_PARCEL_END));
    }
  g_thread_join (g_steal_pointer (&writer->derive_thread));
  g_thread_join (g_steal_pointer (&writer->encoder_thread));
}

void
lc_writer_free (LcWriter *writer)
{
  writer_stop (writer);
  for (guint32 i = 0; i < writer->n_processes; i++)
    {
      g_clear_pointer (&writer->processes[i].parcel, lc_parcel_free);
      lc_packed_clear (&writer->processes[i].packed);
    }
  g_free (writer->processes);
  g_free (writer->arcs);
  g_clear_pointer (&writer->long_arcs, lc_parcel_free);
  g_clear_pointer (&writer->encoder, lc_encoder_free);
  lc_derive_free (writer->derive);
  lc_parcel_pool_clear (&writer->events);
  lc_parcel_pool_clear (&writer->arc_parcels);
  g_async_queue_unref (writer->to_derive);
  g_async_queue_unref (writer->to_encoder);
  g_free (writer);
}

LcSweepVisitor *
lc_writer_get_visitor (LcWriter *writer)
{
  return &writer->visitor;
}

gboolean
lc_writer_can_write (const LcWriter *writer)
{
  return !lc_encoder_is_abandoned (writer->encoder);
}

void
lc_writer_abandon (LcWriter *writer)
{
  lc_derive_abandon (writer->derive);
  lc_encoder_abandon (writer->encoder);
}

gboolean
lc_writer_wait (LcWriter *writer, gint64 until)
{
  if (!lc_encoder_wait (writer->encoder, until))
    return FALSE;
  writer_stop (writer);
  return TRUE;
}

gboolean
lc_writer_check (LcWriter *writer, GError **error)
{
  return lc_encoder_check (writer->encoder, error);
}

const LcWriterProcess *
lc_writer_get_process (const LcWriter *writer, guint32 process)
{
  return &writer->processes[process].seen;
}

const LcUses *
lc_writer_get_uses (const LcWriter *writer)
{
  return lc_derive_get_uses (writer->derive);
}

const LcTotals *
lc_writer_get_totals (const LcWriter *writer)
{
  return lc_derive_get_totals (writer->derive);
}
