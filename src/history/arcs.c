/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the arcs that end at an event, and those that begin at it. Arcs are stored with the event that they end at. */
#include "reader.h"

/* An event that a row of the file names must exist; otherwise the history is damaged. */
static const LcBlock *
get_named (LcConnection *connection, guint32 timeline, guint32 process, guint64 ordinal, LcColumns columns,
           GError **error)
{
  GError *own = NULL;

  if (lc_connection_check_event (connection, timeline, process, ordinal, &own))
    return lc_connection_get_block (connection, timeline, process, ordinal / LC_BLOCK_EVENTS, columns, error);
  if (g_error_matches (own, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN))
    {
      g_clear_error (&own);
      lc_history_set_damaged (lc_connection_get_history (connection), &own,
                              "an arc or object names event %" G_GUINT64_FORMAT " of process %u", ordinal, process);
    }
  g_propagate_error (error, own);
  return NULL;
}

gboolean
lc_connection_make_arc (LcConnection *connection, guint32 timeline, const LcHistoryEvent *to, const LcBlockArc *from,
                        LcHistoryArc *arc, GError **error)
{
  const LcBlock *block = get_named (connection, timeline, from->process, from->ordinal, LC_COLUMN_TIME, error);
  guint32 i = (guint32)(from->ordinal % LC_BLOCK_EVENTS);

  if (block == NULL)
    return FALSE;
  *arc = (LcHistoryArc){.from_process = from->process,
                        .to_process = to->process,
                        .from_ordinal = from->ordinal,
                        .to_ordinal = to->ordinal,
                        .from_time = from->point == LC_POINT_BEGIN ? block->begin[i] : block->end[i],
                        .to_time = to->end,
                        .object = to->object,
                        .rule = from->rule,
                        .from_point = (LcPoint)from->point};
  return TRUE;
}

/* Appends the arcs that end at `to`; only those from `from`, unless that is NULL. */
static gboolean
arcs_list_arcs (LcConnection *connection, guint32 timeline, const LcHistoryEvent *to, const LcHistoryEvent *from,
                GArray *arcs, GError **error)
{
  guint32 i = (guint32)(to->ordinal % LC_BLOCK_EVENTS);
  const LcBlock *block =
      lc_connection_get_block (connection, timeline, to->process, to->ordinal / LC_BLOCK_EVENTS, LC_COLUMN_ARCS, error);
  gboolean good = TRUE;

  if (block == NULL)
    return FALSE;
  lc_connection_hold_block (connection, block);
  for (guint32 k = block->first_arc[i]; good && k < block->first_arc[i + 1]; k++)
    {
      const LcBlockArc *stored = &g_array_index (block->arcs, LcBlockArc, k);
      LcHistoryArc arc;

      if (from != NULL && (stored->process != from->process || stored->ordinal != from->ordinal))
        continue;
      good = lc_connection_make_arc (connection, timeline, to, stored, &arc, error);
      if (good)
        g_array_append_val (arcs, arc);
    }
  lc_connection_release_block (connection, block);
  return good;
}

static gboolean
get_asked (LcConnection *connection, guint32 timeline, guint32 process, guint64 ordinal, LcHistoryEvent *event,
           GError **error)
{
  return lc_connection_check_event (connection, timeline, process, ordinal, error) &&
         lc_connection_get_event (connection, timeline, process, ordinal, event, error);
}

gboolean
lc_history_list_arcs_in (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal, GArray **arcs,
                         GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));
  LcHistoryEvent event;

  if (connection == NULL || !get_asked (connection, timeline, process, ordinal, &event, error) ||
      !arcs_list_arcs (connection, timeline, &event, NULL, found, error))
    return FALSE;
  *arcs = g_steal_pointer (&found);
  return TRUE;
}

/* --- Arcs out of an event ----------------------------------------------------------------------------------- */

typedef struct
{
  guint32 timeline;
  const LcHistoryEvent *from;
  int step;
  GArray *arcs;
} Search;

/* Whether a rule makes arcs from the searched event's operation to operation `to` with the step that is searched. */
static gboolean
is_ruled (const LcHistory *history, const Search *search, guint16 to)
{
  for (guint i = 0; i < history->rules->len; i++)
    {
      const LcReaderRule *rule = &g_array_index (history->rules, LcReaderRule, i);

      if (rule->from == search->from->operation && rule->to == to && rule->step == search->step)
        return TRUE;
    }
  return FALSE;
}

static gboolean
check_candidates (LcConnection *connection, const GArray *postings, gpointer data, GError **error)
{
  const Search *search = data;

  for (guint i = 0; i < postings->len; i++)
    {
      const LcPosting *posting = &g_array_index (postings, LcPosting, i);
      const LcBlock *block =
          get_named (connection, search->timeline, posting->process, posting->ordinal, LC_COLUMN_IDENTITY, error);
      LcHistoryEvent to;

      if (block == NULL)
        return FALSE;
      if (!is_ruled (lc_connection_get_history (connection), search,
                     block->operation[posting->ordinal % LC_BLOCK_EVENTS]))
        continue;
      if (!lc_connection_get_event (connection, search->timeline, posting->process, posting->ordinal, &to, error) ||
          !arcs_list_arcs (connection, search->timeline, &to, search->from, search->arcs, error))
        return FALSE;
    }
  return TRUE;
}

/* Looks up each different step of the rules once. */
static gboolean
search_steps (LcConnection *connection, Search *search, GCancellable *cancellable, GError **error)
{
  const GArray *rules = lc_connection_get_history (connection)->rules;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint i = 0; i < rules->len; i++)
    {
      const LcReaderRule *rule = &g_array_index (rules, LcReaderRule, i);
      gboolean known = rule->from != search->from->operation || rule->to == LC_TRACE_NONE;

      for (guint k = 0; k < steps->len; k++)
        known |= g_array_index (steps, int, k) == rule->step;
      if (!known)
        g_array_append_val (steps, rule->step);
    }
  for (guint k = 0; k < steps->len; k++)
    {
      gint64 sequence = search->from->sequence;

      search->step = g_array_index (steps, int, k);
      if (!__builtin_add_overflow (sequence, (gint64)search->step, &sequence) &&
          !lc_connection_visit_postings (connection, search->timeline, search->from->object, &sequence,
                                         check_candidates, search, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static int
arcs_compare_arcs (gconstpointer a, gconstpointer b)
{
  const LcHistoryArc *one = a, *other = b;

  if (one->to_process != other->to_process)
    return one->to_process < other->to_process ? -1 : 1;
  if (one->to_ordinal != other->to_ordinal)
    return one->to_ordinal < other->to_ordinal ? -1 : 1;
  return (one->rule > other->rule) - (one->rule < other->rule);
}

gboolean
lc_history_list_arcs_out (LcHistory *history, guint32 timeline, guint32 process, guint64 ordinal,
                          GCancellable *cancellable, GArray **arcs, GError **error)
{
  g_autoptr (LcConnection) connection = lc_history_take_connection (history, error);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LcHistoryArc));
  LcHistoryEvent event;
  Search search = {timeline, &event, 0, found};

  if (connection == NULL || !get_asked (connection, timeline, process, ordinal, &event, error) ||
      (event.object != LC_TRACE_NONE && !search_steps (connection, &search, cancellable, error)))
    return FALSE;
  g_array_sort (found, arcs_compare_arcs);
  *arcs = g_steal_pointer (&found);
  return TRUE;
}
