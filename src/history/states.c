/* SPDX-License-Identifier: Apache-2.0 */
/* Decides what a process did at each moment: from its events, and from its absences where they explain nothing. */
#include "states.h"

#include "reader.h"

const char *
lc_process_state_get_name (LcProcessState state)
{
  static const char *const names[LC_PROCESS_STATES] = {"running", "waiting", "woken", "preempted", "outside", "unseen"};

  return names[state];
}

/* --- An event ---------------------------------------------------------------------------------------------------- */

guint
lc_states_find_absence (const LcBlock *block, guint32 event)
{
  guint low = 0, high = block->absences->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (block->absences, LcBlockAbsence, middle).event < event)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Returns the next absence of this event that is not over yet, or NULL. */
static const LcBlockAbsence *
states_get_absence (LcStates *states)
{
  const GArray *absences = states->block->absences;

  for (; states->next_absence < absences->len; states->next_absence++)
    {
      const LcBlockAbsence *absence = &g_array_index (absences, LcBlockAbsence, states->next_absence);

      if (absence->event > states->event)
        return NULL;
      if (absence->event == states->event && absence->end > states->at)
        return absence;
    }
  return NULL;
}

/* Before the event, and in the part of it after the waiting, a process runs unless it is known to have been off its
 * processor. */
static LcProcessState
states_find_off (LcStates *states, guint64 until, guint64 *end)
{
  const LcBlockAbsence *absence = states_get_absence (states);

  *end = until;
  if (absence == NULL || absence->begin >= until)
    return LC_IS_RUNNING;
  *end = MIN (absence->begin > states->at ? absence->begin : absence->end, until);
  return absence->begin > states->at ? LC_IS_RUNNING : absence->state;
}

gboolean
lc_states_next (LcStates *states, LcStateSpan *span)
{
  const LcBlock *block = states->block;
  const guint32 i = states->event;
  const guint64 begin = block->begin[i], end = block->end[i], released = begin + MIN (block->waited[i], end - begin);
  const guint64 granted = released + MIN (block->woken[i], end - released);

  span->begin = states->at;
  span->ordinal = block->first_ordinal + i;
  span->inside = states->at >= begin;
  if (states->at < begin)
    span->state = states_find_off (states, begin, &span->end);
  else if (states->at < released)
    span->state = LC_IS_WAITING, span->end = released;
  else if (states->at < granted)
    span->state = LC_IS_WOKEN, span->end = granted;
  else if (states->outside)
    span->state = LC_IS_OUTSIDE, span->end = end;
  else
    span->state = states_find_off (states, end, &span->end);
  states->at = span->end;
  return span->begin < span->end;
}

/* --- A process ----------------------------------------------------------------------------------------------- */

typedef struct
{
  LcConnection *connection;
  guint32 timeline, process;
  guint64 from, to;
  guint64 before; /* end of the last event */
  LcVisitState visit;
  gpointer data;
  gboolean ended;
} Visit;

static void
states_visit_block (Visit *visit, const LcBlock *block)
{
  guint next_absence = 0;

  for (guint32 i = 0; i < block->n_events && !visit->ended; i++)
    {
      LcStateSpan span;
      LcStates states;

      lc_states_begin (&states, block, i, lc_states_is_outside (block, i), visit->before, next_absence);
      while (!visit->ended && lc_states_next (&states, &span))
        {
          if (span.begin >= visit->to)
            visit->ended = TRUE;
          span.begin = MAX (span.begin, visit->from);
          span.end = MIN (span.end, visit->to);
          if (span.begin < span.end)
            visit->ended |= !visit->visit (&span, visit->data);
        }
      next_absence = states.next_absence;
      visit->before = block->end[i];
    }
}

/* Finds the first block to visit, and the end of the event before it. */
static gboolean
states_find_first (Visit *visit, guint *first, guint *n_blocks, GError **error)
{
  const LcDirectory *directory =
      lc_connection_get_directory (visit->connection, visit->timeline, visit->process, error);

  if (directory == NULL)
    return FALSE;
  *n_blocks = directory->entries->len;
  *first = lc_directory_find_time (directory, visit->from);
  if (*first > 0)
    visit->before = g_array_index (directory->entries, LcDirectoryEntry, *first - 1).last_end;
  else if (*n_blocks > 0)
    visit->before = lc_history_get_followed (lc_connection_get_history (visit->connection), visit->process,
                                             g_array_index (directory->entries, LcDirectoryEntry, 0).first_begin);
  return TRUE;
}

static gboolean
states_visit (Visit *visit, GCancellable *cancellable, GError **error)
{
  guint first, n_blocks;

  if (!states_find_first (visit, &first, &n_blocks, error))
    return FALSE;
  for (; first < n_blocks && !visit->ended; first++)
    {
      const LcBlock *block;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      block = lc_connection_get_block (visit->connection, visit->timeline, visit->process, first,
                                       LC_COLUMN_TIME | LC_COLUMN_IDENTITY | LC_COLUMN_STATE, error);
      if (block == NULL)
        return FALSE;
      states_visit_block (visit, block);
    }
  return TRUE;
}

gboolean
lc_history_visit_states (LcHistory *history, guint32 timeline, guint32 process, guint64 from, guint64 to,
                         LcVisitState visit, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcConnection) connection = NULL;
  Visit all;

  g_return_val_if_fail (visit != NULL, FALSE);
  if (!lc_history_check_process (history, process, error))
    return FALSE;
  connection = lc_history_take_connection (history, error);
  if (connection == NULL)
    return FALSE;
  all = (Visit){connection, timeline, process, from, to, 0, visit, data, FALSE};
  return lc_connection_check_timeline (connection, timeline, error) && states_visit (&all, cancellable, error);
}
