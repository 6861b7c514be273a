/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers the events of each process, and passes them on by blocks: sweep -> derive -> encoder, a thread each. */
#include "writer.h"

#include <string.h>

#include "derive.h"
#include "encoder.h"
#include "packed.h"

enum
{
  TOGETHER = 16,    /* parcels that are sent */
  IN_FLIGHT = 64,   /* parcels between us and the next thread */
  WITH_ROWS = 1024, /* processes that have room for a block each; more have their events packed */
  LONG_ARCS = 512,  /* in a parcel */
  ARCS_IN_FLIGHT = 16,
  RULES = 1024, /* places of the table of rules, a power of two; more rules than half of it are slow */
};

typedef struct
{
  LcWriterProcess seen;
  LcParcel *parcel; /* being filled; NULL while there is none, or the events are packed */
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
  gboolean packed;
  const GPtrArray *rules;
  RuleNumber numbers[RULES];
  LcBlockArc *arcs; /* of the present event, to be packed */
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
place_of (const LcArcRule *rule)
{
  return (guint)((gsize)rule >> 4) * 2654435761u % RULES;
}

static guint16
number_of (const LcWriter *writer, const LcArcRule *rule)
{
  for (guint i = 0, place = place_of (rule); i < RULES; i++, place = (place + 1) % RULES)
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
      guint place = place_of (writer->rules->pdata[i]);

      while (writer->numbers[place].rule != NULL)
        place = (place + 1) % RULES;
      writer->numbers[place] = (RuleNumber){writer->rules->pdata[i], (guint16)i};
    }
}

static void
add_long_arc (LcWriter *writer, const LcSweepStep *step, const LcSweepPoint *from, guint16 rule)
{
  const LcHistoryArc arc = {.from_process = from->process,
                            .to_process = step->process,
                            .from_ordinal = from->ordinal,
                            .to_ordinal = step->ordinal,
                            .from_time = from->time,
                            .to_time = step->event->end,
                            .object = step->event->object,
                            .rule = rule,
                            .from_point = from->point};

  if (writer->long_arcs == NULL)
    writer->long_arcs = lc_parcel_pool_take (&writer->arc_parcels, &writer->out);
  g_array_append_val (writer->long_arcs->arcs, arc);
  if (writer->long_arcs->arcs->len == LONG_ARCS)
    lc_parcel_send (&writer->out, g_steal_pointer (&writer->long_arcs));
}

/* Its time basis may be further on than a basis can tell, and comes first then. */
static gint16
take_arcs (LcWriter *writer, LcBlockArc *arcs, const LcSweepStep *step)
{
  LcBlockArc first;

  for (gsize i = 0; i < step->n_arcs; i++)
    {
      const LcSweepPoint *from = &step->arcs[i];

      arcs[i] = (LcBlockArc){.process = from->process,
                             .rule = number_of (writer, from->rule),
                             .point = (guint8)from->point,
                             .ordinal = from->ordinal};
      if (from->process != step->process && from->time + writer->least_arc <= step->event->end)
        add_long_arc (writer, step, from, arcs[i].rule);
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
add_packed (LcWriter *writer, guint32 number, const LcEventRow *event)
{
  LcPacked *packed = &writer->processes[number].packed;

  lc_packed_add (packed, event, writer->arcs);
  if (packed->n_events == LC_BLOCK_EVENTS)
    send_packed (writer, number);
}

static LcParcel *
begin_rows (LcWriter *writer)
{
  LcParcel *parcel = lc_parcel_pool_take (&writer->events, &writer->out);

  if (parcel->events == NULL)
    parcel->events = g_new (LcEventRow, LC_BLOCK_EVENTS);
  return parcel;
}

static inline void
describe (const LcSweepStep *step, LcEventRow *row)
{
  const LcTraceEvent *event = step->event;

  row->begin = event->begin;
  row->end = event->end;
  row->waited = step->waited;
  row->layer = step->layer;
  row->sequence = event->sequence;
  row->value = event->value;
  row->bytes = event->bytes;
  row->object = event->object;
  row->peer = event->peer;
  row->operation = event->operation;
  row->cpu = event->cpu;
  row->flags = event->flags | (step->group != NULL ? LC_HISTORY_EVENT_GROUP : 0);
  row->basis = (gint16)MIN (step->basis, G_MAXINT16);
  row->n_arcs = (guint32)step->n_arcs;
}

static inline void
see (LcWriterProcess *seen, const LcEventRow *row)
{
  if (seen->events++ == 0)
    seen->begin = row->begin;
  seen->end = row->end;
  seen->layers = row->layer;
}

static void
visit_packed (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  LcWriter *writer = (LcWriter *)visitor;
  LcEventRow row;

  describe (step, &row);
  if (step->n_arcs > writer->arcs_room)
    {
      writer->arcs_room = step->n_arcs * 2;
      writer->arcs = g_renew (LcBlockArc, writer->arcs, writer->arcs_room);
    }
  if (step->n_arcs > 0)
    row.basis = take_arcs (writer, writer->arcs, step);
  see (&writer->processes[step->process].seen, &row);
  add_packed (writer, step->process, &row);
}

static void
visit (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  LcWriter *writer = (LcWriter *)visitor;
  Process *process = &writer->processes[step->process];
  LcParcel *parcel = process->parcel;
  LcEventRow *row;

  if (parcel == NULL)
    parcel = process->parcel = begin_rows (writer);
  row = &parcel->events[parcel->n_events++];
  describe (step, row);
  if (step->n_arcs > 0)
    {
      guint before = parcel->event_arcs->len;

      g_array_set_size (parcel->event_arcs, before + (guint)step->n_arcs);
      row->basis = take_arcs (writer, &g_array_index (parcel->event_arcs, LcBlockArc, before), step);
    }
  see (&process->seen, row);
  if (parcel->n_events == LC_BLOCK_EVENTS)
    send_events (writer, step->process, g_steal_pointer (&process->parcel));
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

/* --- Around it ------------------------------------------------------------------------------------------------- */

LcWriter *
lc_writer_new (LcDatabase *database, LcTrace *trace, const LcRules *rules, GError **error)
{
  LcWriter *writer = g_new0 (LcWriter, 1);
  guint32 n_processes = lc_trace_get_n_processes (trace);

  writer->n_processes = n_processes;
  writer->processes = g_new0 (Process, MAX (n_processes, 1));
  writer->packed = n_processes > WITH_ROWS;
  writer->visitor.end = writer->packed ? visit_packed : visit;
  writer->rules = lc_rules_get_arcs (rules);
  number_rules (writer);
  lc_parcel_pool_init (&writer->arc_parcels, LC_PARCEL_ARCS, ARCS_IN_FLIGHT);
  lc_parcel_pool_init (&writer->events, LC_PARCEL_EVENTS, IN_FLIGHT + (writer->packed ? 0 : n_processes));
  writer->to_derive = g_async_queue_new ();
  writer->to_encoder = g_async_queue_new ();
  writer->out.queue = writer->to_derive;
  writer->out.together = TOGETHER;
  writer->derive =
      lc_derive_new (trace, rules, writer->to_derive, &writer->events, &writer->arc_parcels, writer->to_encoder);
  writer->least_arc = lc_derive_get_least_arc (writer->derive);
  writer->encoder = lc_encoder_new (database, n_processes, writer->to_encoder, lc_derive_get_blocks (writer->derive),
                                    lc_derive_get_rows (writer->derive), error);
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
stop (LcWriter *writer)
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
  stop (writer);
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
  stop (writer);
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

const LcTotals *
lc_writer_get_totals (const LcWriter *writer)
{
  return lc_derive_get_totals (writer->derive);
}
