/* SPDX-License-Identifier: Apache-2.0 */
/* Derives on its own thread, from each block on its way to the file. */
#include "derive.h"

#include "holding.h"
#include "postings.h"
#include "pyramid.h"
#include "trace/gaps.h"

enum
{
  TOGETHER = 8,   /* parcels sent at a time */
  BLOCKS = 48,    /* blocks in use at once */
  ROWS = 8,       /* parcels of rows in use at once */
  FULL = 1 << 17, /* bytes of rows at which a parcel is sent */
};

typedef struct
{
  LcPyramid *pyramid;    /* NULL: no events so far */
  GArray *holds;         /* LcHold; NULL: nothing held so far */
  guint64 end;           /* of its last event */
  const LcTraceGap *gap; /* the last one that is over, or NULL, ... */
  GHashTable *touched;   /* ... and what was taken or given back since; or NULL */
  guint32 next_process;  /* the measured event that would continue the present run of neighbours */
  guint64 next_ordinal;
} Process;

struct _LcDerive
{
  LcTrace *trace;
  LcColumns columns;
  LcParcelReceiver in;
  LcParcelSender out;
  LcParcelPool *events, *arcs;
  LcParcelPool block_pool, row_pool;
  LcParcel *rows; /* the parcel being filled, or NULL */
  LcHoldingPairs *pairs;
  GArray *gaps;      /* LcTraceGap; of the measured timeline */
  guint8 *exchanges; /* kinds of calls by operation, of MPI's ranks */
  LcUses *uses;      /* NULL: not of the measured timeline */
  LcTotals *totals;
  LcPostings *postings, *origins; /* each NULL if the columns need none */
  LcLongest *longest;
  Process *processes;
  guint32 n_processes;
  guint64 n_postings, n_origins; /* blocks written of each */
  gint abandoned;
};

/* --- Rows for the file ----------------------------------------------------------------------------------------- */

static void
send_rows (LcDerive *derive)
{
  if (derive->rows != NULL)
    lc_parcel_send (&derive->out, g_steal_pointer (&derive->rows));
}

static gboolean
derive_add_row (LcDerive *derive, LcRowTable table, gint64 key, const GByteArray *bytes)
{
  LcRow row = {table, key, 0, bytes->len};

  if (derive->rows == NULL)
    derive->rows = lc_parcel_pool_take (&derive->row_pool, &derive->out);
  row.offset = derive->rows->bytes->len;
  g_array_append_val (derive->rows->rows, row);
  g_byte_array_append (derive->rows->bytes, bytes->data, bytes->len);
  if (derive->rows->bytes->len >= FULL)
    send_rows (derive);
  return TRUE;
}

static gboolean
add_postings (gpointer data, const GByteArray *bytes, guint64 *row, GError **error)
{
  LcDerive *derive = data;

  *row = ++derive->n_postings;
  return derive_add_row (derive, LC_ROW_POSTING, (gint64)*row, bytes);
}

static gboolean
add_postings_index (gpointer data, guint32 run, const GByteArray *bytes, GError **error)
{
  return derive_add_row (data, LC_ROW_POSTING_INDEX, run, bytes);
}

static gboolean
add_origins (gpointer data, const GByteArray *bytes, guint64 *row, GError **error)
{
  LcDerive *derive = data;

  *row = ++derive->n_origins;
  return derive_add_row (derive, LC_ROW_ORIGIN, (gint64)*row, bytes);
}

static gboolean
add_origins_index (gpointer data, guint32 run, const GByteArray *bytes, GError **error)
{
  return derive_add_row (data, LC_ROW_ORIGIN_INDEX, run, bytes);
}

static gboolean
derive_add_summary (gpointer data, gint64 key, const GByteArray *bytes, GError **error)
{
  return derive_add_row (data, LC_ROW_SUMMARY, key, bytes);
}

static gboolean
derive_add_longest (gpointer data, gint64 key, const GByteArray *bytes, GError **error)
{
  return derive_add_row (data, LC_ROW_LONGEST_ARCS, key, bytes);
}

/* --- Blocks ---------------------------------------------------------------------------------------------------- */

static LcPyramid *
get_pyramid (LcDerive *derive, guint32 process)
{
  LcPyramid **pyramid = &derive->processes[process].pyramid;

  if (*pyramid != NULL)
    return *pyramid;
  *pyramid = lc_pyramid_new (LC_TIMELINE_MEASURED, process, lc_trace_count_events (derive->trace, process),
                             lc_trace_get_process (derive->trace, process)->end, derive_add_summary, derive);
  if (lc_trace_get_process (derive->trace, process)->rank != LC_TRACE_NONE)
    lc_pyramid_set_exchanges (*pyramid, derive->exchanges);
  lc_pyramid_set_begin (*pyramid, lc_trace_get_followed (derive->trace, process, G_MAXUINT64));
  return *pyramid;
}

static void
note_held (LcBlock *block, const GArray *holds)
{
  for (guint i = 0; holds != NULL && i < holds->len; i++)
    {
      const LcHold *hold = &g_array_index (holds, LcHold, i);
      const LcBlockHeld held = {hold->object, hold->ordinal};

      g_array_append_val (block->held, held);
    }
}

static inline guint8
holds_any (const Process *process)
{
  return process->holds != NULL && process->holds->len > 0;
}

/* What is given back after a gap, and was not seen to be taken, was taken before: it is held from the gap's end on. */
static void
derive_add_found (LcDerive *derive, Process *process, const LcBlock *block, guint32 i)
{
  const LcTraceGap *gap = lc_gaps_find_before (derive->gaps, block->begin[i]);
  const guint16 operation = block->operation[i];
  const gboolean gives = lc_holding_gives (derive->pairs, operation);

  if ((!gives && !lc_holding_takes (derive->pairs, operation)) || block->object[i] == LC_TRACE_NONE)
    return;
  if (process->touched == NULL)
    process->touched = g_hash_table_new (NULL, NULL);
  if (gap != process->gap)
    g_hash_table_remove_all (process->touched);
  process->gap = gap;
  if (g_hash_table_add (process->touched, GUINT_TO_POINTER (block->object[i])) && gives && gap != NULL &&
      lc_trace_get_followed (derive->trace, block->process, G_MAXUINT64) <= gap->to)
    lc_totals_add_held (derive->totals, block->object[i], block->begin[i] - gap->to);
}

/* The bits of the event that what was held before it gives. */
static guint8
derive_lose (LcDerive *derive, Process *process, guint64 begin)
{
  LcHold lost;
  guint64 until;

  while (lc_holding_lose (derive->gaps, process->holds, begin, &lost, &until))
    lc_totals_add_held (derive->totals, lost.object, until - lost.since);
  return holds_any (process) ? 0 : LC_PYRAMID_LOST_BEFORE;
}

static void
follow_held (LcDerive *derive, const LcBlock *block, guint8 *held)
{
  Process *process = &derive->processes[block->process];
  LcHold ended;

  for (guint32 i = 0; i < block->n_events; i++)
    {
      guint8 before = derive->gaps->len > 0 ? derive_lose (derive, process, block->begin[i]) : 0;

      if (lc_holding_end (derive->pairs, process->holds, block, i, &ended))
        lc_totals_add_held (derive->totals, ended.object, block->begin[i] - ended.since);
      else if (derive->gaps->len > 0)
        derive_add_found (derive, process, block, i);
      held[i] = before | (holds_any (process) ? LC_PYRAMID_HOLDING : 0);
      lc_holding_begin (derive->pairs, &process->holds, block, i);
      held[i] |= holds_any (process) ? LC_PYRAMID_HELD_AFTER : 0;
    }
}

static void
derive_summarize (LcDerive *derive, const LcBlock *block)
{
  guint8 held[LC_BLOCK_EVENTS];

  follow_held (derive, block, held);
  lc_pyramid_add_block (get_pyramid (derive, block->process), block, held, NULL);
  derive->processes[block->process].end = block->end[block->n_events - 1];
}

/* Adds a posting for the first event of each run of events that were neighbours on the measured timeline. */
static void
note_origins (LcDerive *derive, const LcBlock *block)
{
  Process *process = &derive->processes[block->process];

  for (guint32 i = 0; i < block->n_events; i++)
    {
      const LcPosting posting = {.object = block->origin_process[i],
                                 .process = block->process,
                                 .sequence = (gint64)block->origin_ordinal[i],
                                 .ordinal = block->first_ordinal + i};

      if (posting.ordinal == 0 || process->next_process != posting.object ||
          process->next_ordinal != block->origin_ordinal[i])
        lc_postings_add (derive->origins, &posting, NULL);
      process->next_process = posting.object;
      process->next_ordinal = block->origin_ordinal[i] + 1;
    }
}

/* Swaps the arrays of arcs between the two parcels, so that both pools keep their memory. */
static LcParcel *
derive_make_block (LcDerive *derive, LcParcel *events)
{
  LcParcel *parcel = lc_parcel_pool_take (&derive->block_pool, &derive->out);
  LcBlock *block = parcel->block;

  block->process = events->process;
  block->first_ordinal = events->first_ordinal;
  if (events->packed.n_events > 0)
    lc_packed_take (&events->packed, block);
  else if (!(derive->columns & LC_COLUMN_ARCS))
    lc_block_set_moved (block, events->events, events->n_events);
  else
    {
      GArray *empty = block->arcs;

      block->arcs = events->event_arcs;
      events->event_arcs = empty;
      lc_block_set_rows (block, events->events, events->n_events);
      if (events->why != NULL)
        lc_block_set_why (block, events->why);
    }
  lc_block_take_absences (block, &events->absences);
  return parcel;
}

static void
derive_note_uses (LcUses *uses, const LcBlock *block)
{
  for (guint32 i = 0; i < block->n_events; i++)
    lc_uses_add (uses, block->process, block->operation[i], block->object[i], block->stack[i]);
}

static void
derive_add_events (LcDerive *derive, LcParcel *events)
{
  LcParcel *parcel = derive_make_block (derive, events);

  if (derive->columns & LC_COLUMN_HELD)
    note_held (parcel->block, derive->processes[events->process].holds);
  derive_summarize (derive, parcel->block);
  lc_totals_add_block (derive->totals, parcel->block);
  if (derive->uses != NULL)
    derive_note_uses (derive->uses, parcel->block);
  if (derive->postings != NULL)
    lc_postings_add_block (derive->postings, parcel->block, NULL);
  if (derive->origins != NULL)
    note_origins (derive, parcel->block);
  lc_parcel_send (&derive->out, parcel);
}

static void
derive_finish (LcDerive *derive)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  LcPyramidShape shape;

  if (derive->postings != NULL)
    lc_postings_finish (derive->postings, NULL);
  if (derive->origins != NULL)
    lc_postings_finish (derive->origins, NULL);
  for (guint32 i = 0; i < derive->n_processes; i++)
    {
      Process *process = &derive->processes[i];

      lc_pyramid_finish (get_pyramid (derive, i), &shape, NULL);
      g_clear_pointer (&process->pyramid, lc_pyramid_free);
      g_byte_array_set_size (bytes, 0);
      lc_pyramid_shape_encode (&shape, bytes);
      derive_add_row (derive, LC_ROW_SUMMARY_INDEX, i, bytes);
      derive_lose (derive, process, process->end);
      for (guint k = 0; process->holds != NULL && k < process->holds->len; k++)
        {
          const LcHold *hold = &g_array_index (process->holds, LcHold, k);

          lc_totals_add_held (derive->totals, hold->object, process->end - hold->since);
        }
    }
  lc_longest_finish (derive->longest, derive_add_longest, derive, NULL);
  send_rows (derive);
}

static void
derive_add_arcs (LcDerive *derive, const LcParcel *parcel)
{
  for (guint32 i = 0; i < parcel->n_arcs; i++)
    lc_longest_add (derive->longest, &parcel->arcs[i]);
}

gpointer
lc_derive_run (gpointer data)
{
  LcDerive *derive = data;

  for (;;)
    {
      LcParcel *parcel = lc_parcel_receive (&derive->in);
      gboolean abandoned = g_atomic_int_get (&derive->abandoned);

      if (parcel->kind == LC_PARCEL_END)
        {
          if (!abandoned)
            derive_finish (derive);
          lc_parcel_send (&derive->out, parcel);
          return NULL;
        }
      if (!abandoned && parcel->kind == LC_PARCEL_EVENTS)
        derive_add_events (derive, parcel);
      if (!abandoned && parcel->kind == LC_PARCEL_ARCS)
        derive_add_arcs (derive, parcel);
      lc_parcel_pool_give (parcel->kind == LC_PARCEL_EVENTS ? derive->events : derive->arcs, parcel);
    }
}

static guint8 *
derive_find_exchanges (const LcTrace *trace)
{
  const guint32 n = lc_trace_get_n_operations (trace);
  guint8 *exchanges = g_new (guint8, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (trace, i);

      exchanges[i] = (guint8)lc_exchange_of (operation != NULL ? operation->class_name : NULL,
                                             operation != NULL ? operation->name : NULL);
    }
  return exchanges;
}

/* --- Life cycle ------------------------------------------------------------------------------------------------ */

LcDerive *
lc_derive_new (LcTrace *trace, const LcRules *rules, LcColumns columns, GAsyncQueue *in, LcParcelPool *events,
               LcParcelPool *arcs, GAsyncQueue *out)
{
  LcDerive *derive = g_new0 (LcDerive, 1);
  guint64 n_events = 0, end = 0;
  gsize n_gaps;
  const LcTraceGap *gaps = lc_trace_get_gaps (trace, &n_gaps);

  derive->trace = trace;
  derive->columns = columns;
  derive->in.queue = in;
  derive->events = events;
  derive->arcs = arcs;
  derive->out.queue = out;
  derive->out.together = TOGETHER;
  derive->n_processes = lc_trace_get_n_processes (trace);
  for (guint32 i = 0; i < derive->n_processes; i++)
    {
      n_events += lc_trace_count_events (trace, i);
      end = MAX (end, lc_trace_get_process (trace, i)->end);
    }
  lc_parcel_pool_init (&derive->block_pool, LC_PARCEL_BLOCK, BLOCKS);
  lc_parcel_pool_init (&derive->row_pool, LC_PARCEL_ROWS, ROWS);
  derive->pairs = lc_holding_pairs_new (trace, rules);
  derive->exchanges = derive_find_exchanges (trace);
  derive->gaps = g_array_new (FALSE, FALSE, sizeof *gaps);
  if (columns == LC_COLUMN_MEASURED && n_gaps > 0)
    g_array_append_vals (derive->gaps, gaps, (guint)n_gaps);
  derive->totals = lc_totals_new (lc_trace_get_n_operations (trace),
                                  columns == LC_COLUMN_MEASURED ? lc_trace_get_n_objects (trace) : 0);
  if (columns == LC_COLUMN_MEASURED)
    derive->uses = lc_uses_new (trace);
  if (columns & LC_COLUMN_IDENTITY)
    derive->postings = lc_postings_new (add_postings, add_postings_index, derive);
  if (columns & LC_COLUMN_ORIGIN)
    derive->origins = lc_postings_new (add_origins, add_origins_index, derive);
  derive->longest = lc_longest_new (LC_TIMELINE_MEASURED, n_events, end);
  derive->processes = g_new0 (Process, MAX (derive->n_processes, 1));
  return derive;
}

void
lc_derive_free (LcDerive *derive)
{
  for (guint32 i = 0; i < derive->n_processes; i++)
    {
      g_clear_pointer (&derive->processes[i].pyramid, lc_pyramid_free);
      g_clear_pointer (&derive->processes[i].holds, g_array_unref);
      g_clear_pointer (&derive->processes[i].touched, g_hash_table_unref);
    }
  g_free (derive->processes);
  g_clear_pointer (&derive->rows, lc_parcel_free);
  lc_parcel_pool_clear (&derive->block_pool);
  lc_parcel_pool_clear (&derive->row_pool);
  lc_holding_pairs_free (derive->pairs);
  g_array_unref (derive->gaps);
  g_free (derive->exchanges);
  lc_totals_free (derive->totals);
  lc_uses_free (derive->uses);
  lc_postings_free (derive->postings);
  lc_postings_free (derive->origins);
  lc_longest_free (derive->longest);
  g_free (derive);
}

guint64
lc_derive_get_least_arc (const LcDerive *derive)
{
  return G_GUINT64_CONSTANT (1) << lc_longest_get_lowest (derive->longest);
}

void
lc_derive_abandon (LcDerive *derive)
{
  g_atomic_int_set (&derive->abandoned, TRUE);
}

LcParcelPool *
lc_derive_get_blocks (LcDerive *derive)
{
  return &derive->block_pool;
}

LcParcelPool *
lc_derive_get_rows (LcDerive *derive)
{
  return &derive->row_pool;
}

const LcUses *
lc_derive_get_uses (const LcDerive *derive)
{
  return derive->uses;
}

const LcTotals *
lc_derive_get_totals (const LcDerive *derive)
{
  return derive->totals;
}
