/* SPDX-License-Identifier: Apache-2.0 */
/* Whom blocked processes wait for in the end, one for another. */
#include "lightcone/deadlock.h"

/* By process: the number of its row of blocked ones, and one more; 0: it is not blocked. */
static guint32 *
roots_index (const LcDeadlocks *deadlocks, guint32 n_processes)
{
  guint32 *rows = g_new0 (guint32, MAX (n_processes, 1));

  for (guint i = 0; i < deadlocks->blocked->len; i++)
    rows[g_array_index (deadlocks->blocked, LcBlocked, i).process] = i + 1;
  return rows;
}

static const LcBlocked *
roots_row (const LcDeadlocks *deadlocks, const guint32 *rows, guint32 process)
{
  return rows[process] > 0 ? &g_array_index (deadlocks->blocked, LcBlocked, rows[process] - 1) : NULL;
}

/* Follows the processes from one to the next, until one waits for nobody or the end is known. The end is noted for all
 * on the way, so that each is gone over once. LC_TRACE_NONE is the end of a walk that comes round: that of a circle, or
 * of ranks whose threads can go on. */
static guint32
roots_follow (const LcDeadlocks *deadlocks, const guint32 *rows, guint32 process, guint32 *ends, guint8 *state)
{
  enum
  {
    NEW,
    ON_THE_WAY,
    KNOWN
  };
  guint32 at = process, end;

  while (state[at] == NEW)
    {
      const LcBlocked *blocked = roots_row (deadlocks, rows, at);

      state[at] = ON_THE_WAY;
      if (blocked == NULL || blocked->holder == LC_TRACE_NONE)
        {
          ends[at] = at;
          state[at] = KNOWN;
          break;
        }
      at = blocked->holder;
    }
  end = state[at] == KNOWN ? ends[at] : LC_TRACE_NONE;
  for (at = process; state[at] == ON_THE_WAY; at = roots_row (deadlocks, rows, at)->holder)
    {
      ends[at] = end;
      state[at] = KNOWN;
    }
  return end;
}

static void
roots_add (const LcDeadlocks *deadlocks, LcBlockedRoot *root, guint row)
{
  const LcBlocked *added = &g_array_index (deadlocks->blocked, LcBlocked, row), *first;

  if (root->has_finalized && !added->is_for_ever)
    return; /* for a lock that it may still give back */
  root->n_waiting++;
  if (added->holder != root->process || added->reason == LC_BLOCKED_FOR_HOLDER)
    return;
  first = root->first != G_MAXUINT ? &g_array_index (deadlocks->blocked, LcBlocked, root->first) : NULL;
  if (first == NULL || added->pending.begin < first->pending.begin)
    root->first = row;
}

GArray *
lc_deadlocks_list_roots (const LcDeadlocks *deadlocks, guint32 n_processes)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LcBlockedRoot));
  g_autofree guint32 *rows = roots_index (deadlocks, n_processes), *ends = g_new (guint32, MAX (n_processes, 1));
  g_autofree LcBlockedRoot *roots = g_new (LcBlockedRoot, MAX (n_processes, 1));
  g_autofree guint8 *state = g_new0 (guint8, MAX (n_processes, 1));

  for (guint32 i = 0; i < n_processes; i++)
    roots[i] = (LcBlockedRoot){.process = i, .first = G_MAXUINT};
  for (guint i = 0; i < deadlocks->finalized->len; i++)
    roots[g_array_index (deadlocks->finalized, LcFinalized, i).process].has_finalized = TRUE;
  for (guint i = 0; i < deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (deadlocks->blocked, LcBlocked, i);
      const guint32 end = roots_follow (deadlocks, rows, blocked->process, ends, state);

      if (end != LC_TRACE_NONE && end != blocked->process)
        roots_add (deadlocks, &roots[end], i);
    }
  for (guint32 i = 0; i < n_processes; i++)
    if (roots[i].first != G_MAXUINT)
      g_array_append_val (list, roots[i]);
  return list;
}

guint32
lc_deadlocks_count_waiting (const LcDeadlocks *deadlocks, const GArray *circle, guint32 n_processes)
{
  g_autofree guint32 *rows = roots_index (deadlocks, n_processes);
  g_autofree gboolean *leads = g_new0 (gboolean, MAX (n_processes, 1)),
                      *is_seen = g_new0 (gboolean, MAX (n_processes, 1));
  guint32 count = 0;

  for (guint i = 0; i < circle->len; i++)
    leads[g_array_index (circle, guint32, i)] = TRUE;
  for (guint i = 0; i < deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (deadlocks->blocked, LcBlocked, i);
      guint32 at = blocked->process;
      const LcBlocked *row = blocked;
      gboolean does;

      if (!blocked->is_for_ever)
        continue;
      while (row != NULL && row->holder != LC_TRACE_NONE && !is_seen[at] && !leads[at])
        {
          is_seen[at] = TRUE;
          at = row->holder;
          row = roots_row (deadlocks, rows, at);
        }
      does = leads[at];
      for (at = blocked->process; does && !leads[at]; at = roots_row (deadlocks, rows, at)->holder)
        {
          leads[at] = TRUE;
          count++;
        }
    }
  return count;
}
