/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the events that a query on the tables event, arc or span needs, and reads them in batches. */
#include "table-scan.h"

#include "postings.h"

enum
{
  POSTINGS = 1 << 17, /* for more postings than this, all blocks are read instead */
};

/* --- Planning ------------------------------------------------------------------------------------------------ */

LcConstraint *
lc_scan_find_equal (const LcTablePlan *plan, int column)
{
  for (gsize i = 0; i < plan->n_constraints && column >= 0; i++)
    if (plan->constraints[i].column == column && plan->constraints[i].kind == LC_CONSTRAINT_EQUAL)
      return &plan->constraints[i];
  return NULL;
}

static gboolean
is_constrained (const LcTablePlan *plan, int column)
{
  return column >= 0 && (plan->columns_constrained >> MIN (column, 63) & 1) != 0;
}

/* Uses all constraints on a column; returns the share that is left of a table with `rows` rows. */
static double
use_column (LcTablePlan *plan, int column, double rows)
{
  double left = 1;

  for (gsize i = 0; i < plan->n_constraints; i++)
    if (plan->constraints[i].column == column && column >= 0)
      {
        plan->constraints[i].use = TRUE;
        left = plan->constraints[i].kind == LC_CONSTRAINT_EQUAL ? MIN (left, 1 / MAX (rows, 1)) : left / 4;
      }
  return left;
}

/* Whether rows come in the query's order. They come by process and ordinal; within a process, that is also the order of
 * begin, end and layer. */
static gboolean
is_in_order (const LcTablePlan *plan, const LcScanColumns *columns)
{
  gboolean of_process = lc_scan_find_equal (plan, columns->process) != NULL;

  if ((plan->mode & LC_SCAN_ALL_TIMELINES) != 0)
    return FALSE;
  for (gsize i = 0; i < plan->n_order; i++)
    {
      int column = plan->order_columns[i];

      if (column == columns->process)
        of_process = TRUE;
      else if (column != columns->timeline && (!of_process || (column != columns->ordinal && column != columns->begin &&
                                                               column != columns->end && column != columns->layer)))
        return FALSE;
    }
  return TRUE;
}

void
lc_scan_plan (LcTables *tables, const LcScanColumns *columns, double rows_per_event, LcTablePlan *plan)
{
  double events = MAX ((double)lc_history_get_n_events (tables->history), 1);
  double processes = MAX (lc_history_get_n_processes (tables->history), 1);
  double objects = MAX (lc_history_get_n_objects (tables->history), 1);
  LcConstraint *object = lc_scan_find_equal (plan, columns->object);
  LcConstraint *sequence = lc_scan_find_equal (plan, columns->sequence);
  LcConstraint *timeline = lc_scan_find_equal (plan, columns->timeline);
  double of_process = use_column (plan, columns->process, processes), each = events / processes, left;

  left = use_column (plan, columns->ordinal, each);
  left *= use_column (plan, columns->begin, each) * use_column (plan, columns->end, each);
  left *= use_column (plan, columns->layer, each);
  plan->rows = events * of_process * left;
  /* At least one block of each process is decoded. */
  plan->cost = plan->rows + processes * of_process * 4;
  if (object != NULL)
    {
      object->use = TRUE;
      if (sequence != NULL)
        sequence->use = TRUE;
      plan->rows = MIN (plan->rows, sequence != NULL ? 2 : plan->rows / objects);
      plan->cost = MIN (plan->cost, 30 + 5 * plan->rows);
    }
  plan->rows = MAX (plan->rows * rows_per_event, 1);
  plan->cost += plan->rows;
  plan->unique = FALSE;
  if (timeline != NULL)
    timeline->use = TRUE;
  else if (is_constrained (plan, columns->timeline))
    {
      plan->mode |= LC_SCAN_ALL_TIMELINES;
      plan->cost *= 4;
      plan->rows *= 4;
    }
  plan->ordered = is_in_order (plan, columns);
}

/* --- The wanted events --------------------------------------------------------------------------------------- */

LcScan *
lc_scan_new (LcTables *tables)
{
  LcScan *scan = g_new0 (LcScan, 1);

  scan->tables = tables;
  scan->columns = LC_COLUMN_ALL;
  scan->timelines = g_ptr_array_new ();
  scan->postings = g_array_new (FALSE, FALSE, sizeof (LcPosting));
  scan->arcs = g_array_new (FALSE, FALSE, sizeof (LcBlockArc));
  return scan;
}

void
lc_scan_free (LcScan *scan)
{
  g_ptr_array_unref (scan->timelines);
  g_array_unref (scan->postings);
  g_array_unref (scan->arcs);
  g_free (scan);
}

static const LcRange everything = {G_MININT64, G_MAXINT64};
static const LcRange nothing = {1, 0};

static void
table_scan_narrow (LcRange *range, const LcConstraintValue *value)
{
  gint64 number = value->integer;

  if (value->type == LC_VALUE_NULL)
    *range = nothing;
  if (value->type != LC_VALUE_INT && value->type != LC_VALUE_REAL)
    return; /* SQLite compares text with numbers itself, for each row */
  if (value->kind == LC_CONSTRAINT_EQUAL || value->kind == LC_CONSTRAINT_GREATER_EQUAL)
    range->low = MAX (range->low, number);
  if (value->kind == LC_CONSTRAINT_EQUAL || value->kind == LC_CONSTRAINT_LESS_EQUAL)
    range->high = MIN (range->high, number);
  if (value->kind == LC_CONSTRAINT_GREATER && number < G_MAXINT64)
    range->low = MAX (range->low, number + 1);
  else if (value->kind == LC_CONSTRAINT_LESS && number > G_MININT64)
    range->high = MIN (range->high, number - 1);
  else if (value->kind == LC_CONSTRAINT_GREATER || value->kind == LC_CONSTRAINT_LESS)
    *range = nothing;
}

/* Limits a range to 0 to `size` - 1; FALSE: nothing is left. */
static gboolean
table_scan_clamp (LcRange *range, guint64 size)
{
  range->low = MAX (range->low, 0);
  range->high = MIN (range->high, (gint64)MIN (size, (guint64)G_MAXINT64) - 1);
  return range->low <= range->high;
}

static gboolean
choose_timelines (LcScan *scan, const LcConstraintValue *name, gboolean all, GError **error)
{
  g_autoptr (GPtrArray) timelines = NULL;
  char number[24];
  const char *wanted = name == NULL ? "measured" : name->text;

  scan->is_measured = !all && g_strcmp0 (wanted, "measured") == 0;
  if (scan->is_measured)
    return TRUE;
  timelines = lc_history_list_timelines (scan->tables->history, error);
  if (timelines == NULL)
    return FALSE;
  if (name != NULL && name->type == LC_VALUE_INT)
    {
      g_snprintf (number, sizeof number, "%" G_GINT64_FORMAT, name->integer);
      wanted = number;
    }
  for (guint i = timelines->len; i > 0 && !all; i--)
    if (g_strcmp0 (((const LcHistoryTimeline *)timelines->pdata[i - 1])->name, wanted) != 0)
      g_ptr_array_remove_index (timelines, i - 1);
  g_ptr_array_unref (scan->timelines);
  scan->timelines = g_steal_pointer (&timelines);
  return TRUE;
}

gboolean
lc_scan_choose (LcScan *scan, const LcScanColumns *columns, int mode, const LcConstraintValue *values, gsize n_values,
                GError **error)
{
  const struct
  {
    int column;
    LcRange *range;
  } ranges[] = {
      {columns->process, &scan->process},   {columns->ordinal, &scan->ordinal}, {columns->begin, &scan->begin},
      {columns->end, &scan->end},           {columns->layer, &scan->layer},     {columns->object, &scan->object},
      {columns->sequence, &scan->sequence},
  };
  const LcConstraintValue *timeline = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      *ranges[i].range = everything;
      for (gsize j = 0; j < n_values; j++)
        if (values[j].column == ranges[i].column)
          table_scan_narrow (ranges[i].range, &values[j]);
    }
  for (gsize j = 0; j < n_values; j++)
    if (values[j].column == columns->timeline)
      timeline = &values[j];
  return choose_timelines (scan, timeline, (mode & LC_SCAN_ALL_TIMELINES) != 0, error);
}

/* --- Choosing the way ---------------------------------------------------------------------------------------- */

const LcHistoryTimeline *
lc_scan_get_timeline (const LcScan *scan)
{
  static const LcHistoryTimeline measured = {LC_TIMELINE_MEASURED, "measured", NULL, NULL, FALSE};

  return scan->is_measured ? &measured : scan->timelines->pdata[scan->timeline_at];
}

static guint
n_timelines (const LcScan *scan)
{
  return scan->is_measured ? 1 : scan->timelines->len;
}

static int
table_scan_compare_postings (gconstpointer a, gconstpointer b)
{
  const LcPosting *one = a, *other = b;

  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return one->ordinal < other->ordinal ? -1 : one->ordinal > other->ordinal;
}

static gboolean
lies_in (const LcRange *range, guint64 number)
{
  return (gint64)number >= range->low && (gint64)number <= range->high;
}

/* Whether reading all events of the wanted window and processes costs less than all events of an object. */
static gboolean
table_scan_is_small (const LcScan *scan)
{
  const LcHistory *history = scan->tables->history;
  double events = (double)lc_history_get_n_events (history), objects = lc_history_get_n_objects (history);
  double processes = (double)(scan->process.high - scan->process.low) + 1, window;
  double ordinals = (double)scan->ordinal.high - (double)scan->ordinal.low;
  guint64 first, last;

  lc_history_get_span (history, &first, &last);
  window = MIN ((double)MIN (scan->begin.high, scan->end.high), (double)last) -
           MAX ((double)MAX (scan->begin.low, scan->end.low), (double)first);
  window = CLAMP (window / MAX ((double)(last - first), 1), 0, 1);
  return processes * (LC_BLOCK_EVENTS + MIN (ordinals, window * events / lc_history_get_n_processes (history))) <
         8 * events / objects;
}

/* Finds the postings of the object and sequence number on the present timeline, at most `limit`. */
static gboolean
find_postings (LcScan *scan, LcConnection *connection, gsize limit, GError **error)
{
  guint kept = 0;
  gboolean has_sequence = scan->sequence.low == scan->sequence.high;

  g_array_set_size (scan->postings, 0);
  scan->posting_at = 0;
  if (!lc_connection_find_postings (connection, lc_scan_get_timeline (scan)->id, (guint32)scan->object.low,
                                    has_sequence ? &scan->sequence.low : NULL, limit,
                                    lc_database_get_cancellable (scan->tables->database), scan->postings, error))
    return FALSE;
  scan->by_postings = scan->postings->len < limit;
  for (guint i = 0; i < scan->postings->len; i++)
    {
      const LcPosting *posting = &g_array_index (scan->postings, LcPosting, i);

      if (lies_in (&scan->process, posting->process) && lies_in (&scan->ordinal, posting->ordinal))
        g_array_index (scan->postings, LcPosting, kept++) = *posting;
    }
  g_array_set_size (scan->postings, kept);
  g_array_sort (scan->postings, table_scan_compare_postings);
  return TRUE;
}

/* Finds the postings if the object is known and they are not too many. Only the first timeline is tried: the others
 * have about as many. */
static gboolean
try_postings (LcScan *scan, LcConnection *connection, GError **error)
{
  gboolean has_sequence = scan->sequence.low == scan->sequence.high;

  scan->by_postings = FALSE;
  if (scan->object.low != scan->object.high || (!has_sequence && table_scan_is_small (scan)) || n_timelines (scan) == 0)
    return TRUE;
  return find_postings (scan, connection, POSTINGS + 1, error);
}

LcConnection *
lc_scan_take_connection (LcScan *scan, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (scan->tables->history, error);

  if (connection == NULL || scan->directory == NULL)
    return g_steal_pointer (&connection);
  /* The directory may have left the cache since it was last used. */
  scan->directory = lc_connection_get_directory (connection, lc_scan_get_timeline (scan)->id, scan->process_at, error);
  return scan->directory != NULL ? g_steal_pointer (&connection) : NULL;
}

gboolean
lc_scan_begin (LcScan *scan, GError **error)
{
  g_autoptr (LcConnection) connection = NULL;
  gboolean possible = table_scan_clamp (&scan->process, lc_history_get_n_processes (scan->tables->history));

  if (scan->object.low != G_MININT64)
    possible = possible && table_scan_clamp (&scan->object, lc_history_get_n_objects (scan->tables->history));
  possible = possible && scan->sequence.low <= scan->sequence.high;
  possible = possible && table_scan_clamp (&scan->ordinal, G_MAXINT64) && table_scan_clamp (&scan->begin, G_MAXINT64) &&
             table_scan_clamp (&scan->end, G_MAXINT64) && table_scan_clamp (&scan->layer, G_MAXINT64);
  scan->n_events = 0;
  scan->directory = NULL;
  scan->process_at = (guint32)scan->process.low;
  scan->timeline_at = possible ? 0 : n_timelines (scan);
  if (!possible)
    return TRUE;
  connection = lc_history_take_connection (scan->tables->history, error);
  return connection != NULL && try_postings (scan, connection, error);
}

/* --- By postings --------------------------------------------------------------------------------------------- */

static void
table_scan_take_event (LcScan *scan, const LcBlock *block, guint32 at)
{
  guint32 n = scan->n_events++;

  lc_block_get_event (block, at, &scan->events[n]);
  scan->first_arc[n] = scan->arcs->len;
  if ((scan->columns & LC_COLUMN_ARCS) != 0)
    g_array_append_vals (scan->arcs, &g_array_index (block->arcs, LcBlockArc, block->first_arc[at]),
                         block->first_arc[at + 1] - block->first_arc[at]);
  scan->first_arc[n + 1] = scan->arcs->len;
}

/* Adds an event of which only the name is wanted. */
static void
take_name (LcScan *scan, guint32 process, guint64 ordinal)
{
  scan->events[scan->n_events++] = (LcHistoryEvent){.process = process, .ordinal = ordinal, .stack = LC_TRACE_NONE};
}

const LcBlock *
lc_scan_get_block (LcScan *scan, LcConnection *connection, guint32 process, guint64 number, LcColumns columns,
                   GError **error)
{
  return lc_connection_get_block (connection, lc_scan_get_timeline (scan)->id, process, number, columns, error);
}

static gboolean
take_posting (LcScan *scan, LcConnection *connection, const LcPosting *posting, GError **error)
{
  const LcBlock *block;

  if (scan->columns == 0)
    {
      take_name (scan, posting->process, posting->ordinal);
      return TRUE;
    }
  block =
      lc_scan_get_block (scan, connection, posting->process, posting->ordinal / LC_BLOCK_EVENTS, scan->columns, error);
  if (block != NULL && posting->ordinal % LC_BLOCK_EVENTS < block->n_events)
    table_scan_take_event (scan, block, (guint32)(posting->ordinal % LC_BLOCK_EVENTS));
  return block != NULL;
}

static gboolean
next_postings (LcScan *scan, LcConnection *connection, GError **error)
{
  while (scan->timeline_at < n_timelines (scan))
    {
      for (; scan->posting_at < scan->postings->len && scan->n_events < LC_BLOCK_EVENTS / 8; scan->posting_at++)
        if (!take_posting (scan, connection, &g_array_index (scan->postings, LcPosting, scan->posting_at), error))
          return FALSE;
      if (scan->n_events > 0)
        break;
      if (++scan->timeline_at < n_timelines (scan) && !find_postings (scan, connection, G_MAXSIZE, error))
        return FALSE;
    }
  return TRUE;
}

/* --- By blocks ----------------------------------------------------------------------------------------------- */

gboolean
lc_scan_next_process (LcScan *scan, LcConnection *connection, GError **error)
{
  if (scan->directory != NULL)
    scan->process_at++;
  scan->directory = NULL;
  if (scan->timeline_at < n_timelines (scan) && scan->process_at > scan->process.high)
    {
      scan->timeline_at++;
      scan->process_at = (guint32)scan->process.low;
    }
  if (scan->timeline_at >= n_timelines (scan) ||
      g_cancellable_set_error_if_cancelled (lc_database_get_cancellable (scan->tables->database), error))
    return FALSE;
  scan->directory = lc_connection_get_directory (connection, lc_scan_get_timeline (scan)->id, scan->process_at, error);
  return scan->directory != NULL;
}

/* Chooses the blocks of the present process that may have wanted events. */
static void
choose_blocks (LcScan *scan)
{
  guint64 first = (guint64)scan->ordinal.low / LC_BLOCK_EVENTS;
  gint64 time = MAX (scan->begin.low, scan->end.low);
  guint64 last = (guint64)scan->ordinal.high / LC_BLOCK_EVENTS + 1;

  if (time > 0)
    first = MAX (first, lc_directory_find_time (scan->directory, (guint64)time));
  if (scan->layer.low > 0)
    first = MAX (first, lc_directory_find_layer (scan->directory, (guint64)scan->layer.low));
  scan->block = first;
  scan->last_block = MIN (last, scan->directory->entries->len);
}

static gboolean
table_scan_is_after (const LcScan *scan, guint64 begin, guint64 layer)
{
  return begin > (guint64)MIN (scan->begin.high, scan->end.high) || layer > (guint64)scan->layer.high;
}

static gboolean
is_limited (const LcRange *range)
{
  return range->low > 0 || range->high < G_MAXINT64 - 1; /* the second limit also holds after clamping */
}

LcColumns
lc_scan_get_columns (const LcScan *scan)
{
  LcColumns columns = 0;

  if (is_limited (&scan->begin) || is_limited (&scan->end))
    columns |= LC_COLUMN_TIME;
  if (is_limited (&scan->layer))
    columns |= LC_COLUMN_LAYER;
  return columns;
}

/* Takes the wanted events of a block. */
static void
take_events (LcScan *scan, const LcBlock *block)
{
  gboolean by_time = is_limited (&scan->begin) || is_limited (&scan->end), by_layer = is_limited (&scan->layer);
  guint64 first = block->first_ordinal, low = (guint64)scan->ordinal.low, high = (guint64)scan->ordinal.high;

  for (guint32 i = low > first ? (guint32)(low - first) : 0; i < block->n_events && first + i <= high; i++)
    {
      if ((by_time && (!lies_in (&scan->begin, block->begin[i]) || !lies_in (&scan->end, block->end[i]))) ||
          (by_layer && !lies_in (&scan->layer, block->layer[i])))
        continue;
      table_scan_take_event (scan, block, i);
    }
}

static void
take_names (LcScan *scan)
{
  guint64 first = MAX (scan->block * LC_BLOCK_EVENTS, (guint64)scan->ordinal.low);
  guint64 end =
      MIN ((scan->block + 1) * LC_BLOCK_EVENTS, MIN (scan->directory->n_events, (guint64)scan->ordinal.high + 1));

  for (guint64 i = first; i < end; i++)
    take_name (scan, scan->process_at, i);
}

static gboolean
next_blocks (LcScan *scan, LcConnection *connection, GError **error)
{
  GCancellable *cancellable = lc_database_get_cancellable (scan->tables->database);
  GError *own = NULL;

  while (scan->n_events == 0)
    {
      const LcDirectoryEntry *entry;
      const LcBlock *block;

      if (scan->directory == NULL || scan->block >= scan->last_block)
        {
          if (!lc_scan_next_process (scan, connection, &own))
            break;
          choose_blocks (scan);
          continue;
        }
      entry = &g_array_index (scan->directory->entries, LcDirectoryEntry, scan->block);
      if (table_scan_is_after (scan, entry->first_begin, entry->first_layer))
        {
          scan->block = scan->last_block;
          continue;
        }
      if (scan->columns == 0)
        {
          take_names (scan);
          scan->block++;
          continue;
        }
      block = lc_scan_get_block (scan, connection, scan->process_at, scan->block++, scan->columns, &own);
      if (block == NULL || g_cancellable_set_error_if_cancelled (cancellable, &own))
        break;
      take_events (scan, block);
    }
  if (own != NULL)
    g_propagate_error (error, own);
  return own == NULL;
}

gboolean
lc_scan_next (LcScan *scan, GError **error)
{
  g_autoptr (LcConnection) connection = NULL;

  scan->n_events = 0;
  g_array_set_size (scan->arcs, 0);
  if (scan->timeline_at >= n_timelines (scan))
    return TRUE;
  connection = lc_scan_take_connection (scan, error);
  if (connection == NULL)
    return FALSE;
  return scan->by_postings ? next_postings (scan, connection, error) : next_blocks (scan, connection, error);
}

gint64
lc_scan_row (guint32 process, guint64 ordinal)
{
  return (gint64)((guint64)process << 41 | (ordinal & ((G_GUINT64_CONSTANT (1) << 41) - 1)));
}
