/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the longest arcs of a window: the stored ones, and for a short window also those of its events. */
#include <string.h>

#include "longest.h"
#include "reader.h"

enum
{
  LEVELS = 64,
  MANY = 4096, /* arcs in memory at which all but the longest are dropped */
  LOOK_UPS = 512,
  BUDGET = 256, /* blocks that are read to find arcs too short to be stored */
};

typedef struct
{
  LcConnection *connection;
  const LcWindow *window;
  gsize limit;
  GCancellable *cancellable;
  guint8 *wanted; /* by process */
  GArray *arcs;   /* LcHistoryArc */
} Search;

static void
choose_longest (Search *search)
{
  guint kept = 0;

  g_array_sort (search->arcs, lc_longest_compare);
  for (guint i = 0; i < search->arcs->len && kept < search->limit; i++)
    {
      LcHistoryArc *arcs = (LcHistoryArc *)(void *)search->arcs->data;

      if (kept == 0 || lc_longest_compare (&arcs[kept - 1], &arcs[i]) != 0)
        arcs[kept++] = arcs[i];
    }
  g_array_set_size (search->arcs, kept);
}

/* --- Stored arcs -------------------------------------------------------------------------------------------- */

static gboolean
long_arcs_is_wanted (const Search *search, const LcHistoryArc *arc)
{
  return arc->from_time < arc->to_time && arc->from_time < search->window->to && arc->to_time >= search->window->from &&
         search->wanted[arc->from_process] && search->wanted[arc->to_process];
}

/* Removes unwanted arcs from the `first` on. */
static gboolean
keep_wanted (Search *search, guint first, GError **error)
{
  LcHistory *history = lc_connection_get_history (search->connection);
  guint kept = first;

  for (guint i = first; i < search->arcs->len; i++)
    {
      const LcHistoryArc *arc = &g_array_index (search->arcs, LcHistoryArc, i);

      if (arc->from_process >= history->processes->len || arc->to_process >= history->processes->len ||
          arc->rule >= history->rules->len)
        {
          lc_history_set_damaged (history, error, "one of the longest arcs has no process or rule");
          return FALSE;
        }
      if (long_arcs_is_wanted (search, arc))
        g_array_index (search->arcs, LcHistoryArc, kept++) = *arc;
    }
  g_array_set_size (search->arcs, kept);
  return TRUE;
}

static gboolean
read_bucket (Search *search, LcStatement *statement, GError **error)
{
  guint before = search->arcs->len;
  gsize size;
  const guint8 *bytes = lc_statement_blob (statement, 0, &size);

  if (g_cancellable_set_error_if_cancelled (search->cancellable, error))
    return FALSE;
  if (lc_longest_decode (bytes, size, search->arcs))
    {
      if (!keep_wanted (search, before, error))
        return FALSE;
      if (search->arcs->len >= MANY)
        choose_longest (search);
      return TRUE;
    }
  lc_history_set_damaged (lc_connection_get_history (search->connection), error, "a bucket of the longest arcs");
  return FALSE;
}

/* An arc of a level that begins before the window's end ends less than 2 << level after it. */
static gboolean
read_level (Search *search, guint level, GError **error)
{
  LcStatement *statement = lc_connection_prepare (search->connection, LC_QUERY_LONGEST, error);
  guint64 first = search->window->from >> level, last = search->window->to >> level;
  gboolean good = TRUE;
  LcStep step;

  if (statement == NULL)
    return FALSE;
  last = MIN (last + 2, (G_GUINT64_CONSTANT (1) << 49) - 1);
  lc_statement_bind_int (statement, 1, lc_longest_key (search->window->timeline, level, MIN (first, last)));
  lc_statement_bind_int (statement, 2, lc_longest_key (search->window->timeline, level, last));
  while (good && (step = lc_statement_step (statement, error)) == LC_STEP_ROW)
    good = read_bucket (search, statement, error);
  lc_statement_reset (statement);
  return good && step == LC_STEP_DONE;
}

/* All arcs of a level are longer than those of lower levels. */
static gboolean
read_levels (Search *search, GError **error)
{
  for (guint level = LEVELS; level > 0 && search->arcs->len < search->limit; level--)
    if (!read_level (search, level - 1, error))
      return FALSE;
  return TRUE;
}

/* Sets a length: all arcs that are not stored are shorter. */
static gboolean
get_shortest (Search *search, guint64 *shortest, GError **error)
{
  LcStatement *statement = lc_connection_prepare (search->connection, LC_QUERY_LOWEST, error);
  guint64 begin, end;
  LcStep step;

  if (statement == NULL)
    return FALSE;
  lc_statement_bind_int (statement, 1, lc_longest_key (search->window->timeline, 0, 0));
  lc_statement_bind_int (statement, 2, lc_longest_key (search->window->timeline, LEVELS - 1, G_MAXUINT64));
  step = lc_statement_step (statement, error);
  lc_history_get_span (lc_connection_get_history (search->connection), &begin, &end);
  *shortest = end / (LEVELS / 2) + 1; /* the lowest level has at least 64 buckets */
  if (step == LC_STEP_ROW)
    *shortest = G_GUINT64_CONSTANT (1) << ((guint64)lc_statement_int (statement, 0) >> 49 & (LEVELS - 1));
  lc_statement_reset (statement);
  return step != LC_STEP_ERROR;
}

/* --- Arcs of the events ------------------------------------------------------------------------------------- */

/* The times of a process's events from the event `first` on. */
typedef struct
{
  guint64 first;
  GArray *begins; /* guint64 */
  GArray *ends;
} Times;

static void
clear_times (gpointer data)
{
  Times *times = data;

  g_array_unref (times->begins);
  g_array_unref (times->ends);
}

/* Adds all arcs of a block that end in or after the window; their begins are found later. */
static void
long_arcs_add_block (Search *search, const LcBlock *block, Times *times, GArray *arcs)
{
  g_array_append_vals (times->begins, block->begin, block->n_events);
  g_array_append_vals (times->ends, block->end, block->n_events);
  for (guint32 i = 0; i < block->n_events; i++)
    for (guint32 k = block->first_arc[i]; k < block->first_arc[i + 1] && block->end[i] >= search->window->from; k++)
      {
        const LcBlockArc *from = &g_array_index (block->arcs, LcBlockArc, k);
        const LcHistoryArc arc = {.from_time = G_MAXUINT64, /* not known yet */
                                  .from_process = from->process,
                                  .to_process = block->process,
                                  .from_ordinal = from->ordinal,
                                  .to_ordinal = block->first_ordinal + i,
                                  .to_time = block->end[i],
                                  .object = block->object[i],
                                  .rule = from->rule,
                                  .from_point = (LcPoint)from->point};

        if (search->wanted[from->process])
          g_array_append_val (arcs, arc);
      }
}

static gboolean
long_arcs_read_process (Search *search, const LcTouching *row, Times *times, GArray *arcs, GError **error)
{
  times->first = (guint64)row->first_block * LC_BLOCK_EVENTS;
  for (guint k = 0; k < row->n_blocks; k++)
    {
      const LcBlock *block;

      if (g_cancellable_set_error_if_cancelled (search->cancellable, error))
        return FALSE;
      block = lc_connection_get_block (search->connection, search->window->timeline, row->process, row->first_block + k,
                                       LC_COLUMN_TIME | LC_COLUMN_IDENTITY | LC_COLUMN_ARCS, error);
      if (block == NULL)
        return FALSE;
      long_arcs_add_block (search, block, times, arcs);
    }
  return TRUE;
}

/* An arc from further back should be among the stored ones, unless too many were longer: only some are looked up. */
static gboolean
long_arcs_look_up (Search *search, LcHistoryArc *arc, guint *left, GError **error)
{
  const LcHistoryEvent to = {
      .process = arc->to_process, .ordinal = arc->to_ordinal, .end = arc->to_time, .object = arc->object};
  const LcBlockArc from = {arc->from_process, arc->rule, (guint8)arc->from_point, arc->from_ordinal};

  if (*left == 0)
    return TRUE;
  --*left;
  return !g_cancellable_set_error_if_cancelled (search->cancellable, error) &&
         lc_connection_make_arc (search->connection, search->window->timeline, &to, &from, arc, error);
}

static gboolean
add_found (Search *search, const Times *times, const GArray *arcs, GError **error)
{
  guint left = LOOK_UPS;

  for (guint i = 0; i < arcs->len; i++)
    {
      LcHistoryArc arc = g_array_index (arcs, LcHistoryArc, i);
      const Times *from = &times[arc.from_process];
      const GArray *of = arc.from_point == LC_POINT_BEGIN ? from->begins : from->ends;

      if (of != NULL && arc.from_ordinal >= from->first && arc.from_ordinal - from->first < of->len)
        arc.from_time = g_array_index (of, guint64, arc.from_ordinal - from->first);
      else if (arc.to_time < search->window->to && !long_arcs_look_up (search, &arc, &left, error))
        return FALSE;
      if (long_arcs_is_wanted (search, &arc))
        g_array_append_val (search->arcs, arc);
    }
  return TRUE;
}

static gboolean
read_events (Search *search, const GArray *rows, GError **error)
{
  guint32 n = lc_history_get_n_processes (lc_connection_get_history (search->connection));
  g_autofree Times *times = g_new0 (Times, n);
  g_autoptr (GArray) arcs = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));
  gboolean good = TRUE;

  for (guint i = 0; good && i < rows->len; i++)
    {
      const LcTouching *row = &g_array_index (rows, LcTouching, i);

      times[row->process].begins = g_array_new (FALSE, FALSE, sizeof (guint64));
      times[row->process].ends = g_array_new (FALSE, FALSE, sizeof (guint64));
      good = long_arcs_read_process (search, row, &times[row->process], arcs, error);
    }
  good = good && add_found (search, times, arcs, error);
  for (guint32 i = 0; i < n; i++)
    if (times[i].begins != NULL)
      clear_times (&times[i]);
  return good;
}

/* Reads the window's events, unless they are too many. */
static gboolean
search_events (Search *search, GError **error)
{
  guint32 n = lc_history_get_n_processes (lc_connection_get_history (search->connection));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (LcTouching));
  LcWindow wider = *search->window;
  guint64 shortest, blocks = 0;

  if (!get_shortest (search, &shortest, error))
    return FALSE;
  wider.from -= MIN (wider.from, shortest);
  wider.to += MIN (G_MAXUINT64 - wider.to, shortest);
  for (guint32 process = 0; process < n && blocks <= BUDGET; process++)
    if (search->wanted[process])
      {
        LcTouching row;

        if (!lc_connection_estimate (search->connection, &wider, process, &row, error))
          return FALSE;
        blocks += row.n_blocks;
        g_array_append_val (rows, row);
      }
  return blocks > BUDGET || read_events (search, rows, error);
}

/* --- Both --------------------------------------------------------------------------------------------------- */

static gboolean
long_arcs_run (Search *search, GError **error)
{
  LcHistory *history = lc_connection_get_history (search->connection);
  guint32 n = lc_window_n_processes (history, search->window);

  if (!lc_window_check (search->connection, search->window, error))
    return FALSE;
  if (search->window->from >= search->window->to)
    return TRUE;
  for (guint32 i = 0; i < n; i++)
    search->wanted[lc_window_get_process (search->window, i)] = TRUE;
  if (!read_levels (search, error) || (search->arcs->len < search->limit && !search_events (search, error)))
    return FALSE;
  choose_longest (search);
  return TRUE;
}

gboolean
lc_history_list_longest_arcs (LcHistory *history, const LcWindow *window, gsize limit, GCancellable *cancellable,
                              GArray **arcs, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));
  g_autofree guint8 *wanted = g_new0 (guint8, lc_history_get_n_processes (history) + 1);
  Search search = {connection, window, MIN (limit, LC_LONGEST_KEPT), cancellable, wanted, found};

  if (connection == NULL || !long_arcs_run (&search, error))
    return FALSE;
  *arcs = g_steal_pointer (&found);
  return TRUE;
}
