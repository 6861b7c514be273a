/* SPDX-License-Identifier: Apache-2.0 */
/* Who follows a plan: threads of a program, and what threads and ranks have in common. */
#include "replay-followers.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "replay-run.h"
#include "replay-text.h"

/* --- Any ------------------------------------------------------------------------------------------------------ */

guint64
lc_replay_followers_count_before (const LcReplayFollowers *followers, guint32 number, guint64 ordinal)
{
  LcReplayFollower follower;
  guint64 low = 0, high;

  followers->look (followers->data, number, &follower);
  high = follower.n_events;
  while (low < high)
    {
      const guint64 middle = low + (high - low) / 2;
      guint64 there;

      if (!followers->get_ordinal (followers->data, number, middle, &there) || there >= ordinal)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

guint64
lc_replay_followers_get_next (const LcReplayFollowers *followers, guint32 number)
{
  LcReplayFollower follower;
  guint64 ordinal;

  followers->look (followers->data, number, &follower);
  if (followers->get_ordinal (followers->data, number, follower.next, &ordinal))
    return ordinal;
  if (follower.n_events > 0 && followers->get_ordinal (followers->data, number, follower.n_events - 1, &ordinal))
    return ordinal + 1;
  return 0;
}

gboolean
lc_replay_followers_find (const LcReplayFollowers *followers, guint32 process, guint32 *number)
{
  LcReplayFollower follower;

  for (*number = 0; *number < followers->n; (*number)++)
    {
      followers->look (followers->data, *number, &follower);
      if (follower.process == process)
        return TRUE;
    }
  return FALSE;
}

gboolean
lc_replay_followers_find_call (const LcReplayFollowers *followers, guint32 process, guint64 ordinal, guint64 *call)
{
  guint32 number;
  guint64 event;

  if (!lc_replay_followers_find (followers, process, &number))
    return FALSE;
  event = lc_replay_followers_count_before (followers, number, ordinal);
  while (event > 0 && followers->is_joined != NULL && followers->is_joined (followers->data, number, event))
    event--;
  return followers->get_ordinal (followers->data, number, event, call);
}

gboolean
lc_replay_followers_adjust (const LcReplayFollowers *followers, guint32 process, guint64 *ordinal)
{
  guint64 call;

  if (!lc_replay_followers_find_call (followers, process, *ordinal, &call))
    return FALSE;
  *ordinal = MIN (*ordinal, call);
  return TRUE;
}

void
lc_replay_followers_set_limits (const LcReplayFollowers *followers, const guint64 *limits, guint32 n_processes)
{
  for (guint32 i = 0; i < followers->n; i++)
    {
      LcReplayFollower follower;
      guint64 limit;

      followers->look (followers->data, i, &follower);
      if (follower.process >= n_processes)
        continue;
      limit = lc_replay_followers_count_before (followers, i, limits[follower.process]);
      followers->set_limit (followers->data, i, MAX (limit, follower.next));
    }
}

/* --- Threads -------------------------------------------------------------------------------------------------- */

static struct lc_replay_thread *
threads_get (gpointer data, guint32 number)
{
  return &lc_replay_plan_threads (((LcReplayThreads *)data)->plan)[number];
}

static void
threads_restore (gpointer data)
{
  LcReplayThreads *threads = data;

  lc_replay_run_restore (threads->plan, &threads->kept);
}

static void
threads_look (gpointer data, guint32 number, LcReplayFollower *follower)
{
  const struct lc_replay_thread *thread = threads_get (data, number);
  const guint32 state = __atomic_load_n (&thread->state, __ATOMIC_ACQUIRE);

  *follower = (LcReplayFollower){.process = thread->process,
                                 .id = thread->id,
                                 .next = thread->next,
                                 .n_events = thread->n_events,
                                 .is_born = state != LC_REPLAY_UNBORN,
                                 .is_alive = state != LC_REPLAY_UNBORN && state != LC_REPLAY_ENDED};
}

static gboolean
threads_get_ordinal (gpointer data, guint32 number, guint64 event, guint64 *ordinal)
{
  const struct lc_replay_event *found =
      lc_replay_plan_event (((LcReplayThreads *)data)->plan, threads_get (data, number), event);

  if (found != NULL)
    *ordinal = found->ordinal;
  return found != NULL;
}

static void
threads_set_limit (gpointer data, guint32 number, guint64 limit)
{
  __atomic_store_n (&threads_get (data, number)->limit, limit, __ATOMIC_RELEASE);
}

/* Threads that stay at their limits look at them again. */
static void
threads_move (gpointer data)
{
  struct lc_replay_header *plan = ((LcReplayThreads *)data)->plan;

  __atomic_fetch_add (&plan->moves, 1, __ATOMIC_RELEASE);
  syscall (SYS_futex, &plan->moves, FUTEX_WAKE, G_MAXINT, NULL, NULL, 0);
}

static gboolean
threads_are_still (gpointer data, guint64 *moved)
{
  return lc_replay_run_is_still (((LcReplayThreads *)data)->plan, moved);
}

static char *
threads_text_next (gpointer data, LcTrace *trace)
{
  return lc_replay_text_next (trace, ((LcReplayThreads *)data)->plan);
}

LcReplayFollowers
lc_replay_followers_of_threads (LcReplayThreads *threads)
{
  return (LcReplayFollowers){.data = threads,
                             .n = threads->plan->n_threads,
                             .debugged = (pid_t)threads->plan->program,
                             .restore = threads_restore,
                             .look = threads_look,
                             .get_ordinal = threads_get_ordinal,
                             .set_limit = threads_set_limit,
                             .move = threads_move,
                             .is_still = threads_are_still,
                             .text_next = threads_text_next};
}
