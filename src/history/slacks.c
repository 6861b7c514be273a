/* SPDX-License-Identifier: Apache-2.0 */
/* The slack of every event of a timeline, found once and kept. */
#include "lightcone/slacks.h"

enum
{
  DIGITS = 27, /* binary digits of a slack that are kept */
};

struct _LcSlacks
{
  LcHistory *history;
  guint32 timeline;
  guint n_refs; /* protected by `all_lock`, as are the places in `all` */

  GMutex lock;
  gint is_found;
  guint64 *firsts; /* by process of the measured timeline, and after the last: where its events are in `codes` */
  guint32 *codes;  /* by event: a slack as slacks_encode gives it */
};

/* Those that somebody holds. Two filters, a table and the inspector ask for the same, and none of them knows the
 * others. */
static GMutex all_lock;
static GPtrArray *all;

/* Drops the last digits of a number until it has no more than DIGITS, and tells how many. A lower number never has a
 * higher code. */
static guint32
slacks_encode (guint64 slack)
{
  guint32 dropped = 0;

  while (slack >> DIGITS != 0)
    {
      slack >>= 1;
      dropped++;
    }
  if (dropped >= 1U << (32 - DIGITS))
    return G_MAXUINT32;
  return dropped << DIGITS | (guint32)slack;
}

static guint64
slacks_decode (guint32 code)
{
  return (guint64)(code & ((1U << DIGITS) - 1)) << (code >> DIGITS);
}

/* --- Lifetime ---------------------------------------------------------------------------------------------------- */

LcSlacks *
lc_slacks_of (LcHistory *history, guint32 timeline)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&all_lock);
  LcSlacks *slacks;

  (void)locker;
  if (all == NULL)
    all = g_ptr_array_new ();
  for (guint i = 0; i < all->len; i++)
    {
      slacks = all->pdata[i];
      if (slacks->history == history && slacks->timeline == timeline)
        {
          slacks->n_refs++;
          return slacks;
        }
    }
  slacks = g_new0 (LcSlacks, 1);
  slacks->history = history;
  slacks->timeline = timeline;
  slacks->n_refs = 1;
  g_mutex_init (&slacks->lock);
  g_ptr_array_add (all, slacks);
  return slacks;
}

LcSlacks *
lc_slacks_ref (LcSlacks *slacks)
{
  g_mutex_lock (&all_lock);
  slacks->n_refs++;
  g_mutex_unlock (&all_lock);
  return slacks;
}

void
lc_slacks_unref (LcSlacks *slacks)
{
  gboolean is_last;

  g_mutex_lock (&all_lock);
  is_last = --slacks->n_refs == 0;
  if (is_last)
    g_ptr_array_remove_fast (all, slacks);
  if (is_last && all->len == 0)
    g_clear_pointer (&all, g_ptr_array_unref);
  g_mutex_unlock (&all_lock);
  if (!is_last)
    return;
  g_mutex_clear (&slacks->lock);
  g_free (slacks->firsts);
  g_free (slacks->codes);
  g_free (slacks);
}

/* --- Finding ------------------------------------------------------------------------------------------------------ */

static gboolean
slacks_look (LcSlacks *slacks, GCancellable *cancellable, GError **error)
{
  const guint32 n = lc_history_get_n_processes (slacks->history);
  g_autofree guint64 *firsts = g_new (guint64, (gsize)n + 1);
  g_autofree guint32 *codes = NULL;
  g_autoptr (LcSlackPass) pass = NULL;
  const LcEventSlack *found;

  firsts[0] = 0;
  for (guint32 process = 0; process < n; process++)
    firsts[process + 1] = firsts[process] + lc_history_get_process (slacks->history, process)->events;
  codes = g_new0 (guint32, MAX (firsts[n], 1));
  pass = lc_slack_pass_new (slacks->history, slacks->timeline, cancellable, error);
  do
    {
      const LcHistoryEvent *event;

      if (pass == NULL || !lc_slack_pass_next (pass, &found, error))
        return FALSE;
      event = found != NULL ? &found->event : NULL;
      if (event != NULL && event->origin_process < n &&
          event->origin_ordinal < firsts[event->origin_process + 1] - firsts[event->origin_process])
        codes[firsts[event->origin_process] + event->origin_ordinal] = slacks_encode (found->slack);
    }
  while (found != NULL);
  slacks->firsts = g_steal_pointer (&firsts);
  slacks->codes = g_steal_pointer (&codes);
  return TRUE;
}

gboolean
lc_slacks_find (LcSlacks *slacks, GCancellable *cancellable, GError **error)
{
  gboolean found;

  g_mutex_lock (&slacks->lock);
  found = slacks->codes != NULL || slacks_look (slacks, cancellable, error);
  g_atomic_int_set (&slacks->is_found, found);
  g_mutex_unlock (&slacks->lock);
  return found;
}

gboolean
lc_slacks_are_found (LcSlacks *slacks)
{
  return g_atomic_int_get (&slacks->is_found);
}

guint64
lc_slacks_get (const LcSlacks *slacks, const LcHistoryEvent *event)
{
  return slacks_decode (slacks->codes[slacks->firsts[event->origin_process] + event->origin_ordinal]);
}
