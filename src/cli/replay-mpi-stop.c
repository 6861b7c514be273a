/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at ranks that go on to their limits, and no further. */
/*
 * The past of an event is what could have had an influence on it. MPI may need more: a broadcast that comes by way of
 * another rank needs the call of that rank, too, and a long message is sent when somebody takes it. So a rank that
 * stands in a call which does not end is helped, if the one that was aimed at does not come to its limit otherwise: the
 * others may do what has the object and the number of what it waits for.
 */
#include "replay-mpi-stop.h"

#include "command.h"
#include "replay-mpi-text.h"
#include "replay-until.h"

enum
{
  STILL = G_USEC_PER_SEC / 20,   /* in which nothing has moved: ranks that end a call look at their limits then */
  NEEDED = 2 * G_USEC_PER_SEC,   /* ... after which MPI needs somebody else */
  PATIENCE = 5 * G_USEC_PER_SEC, /* ... after which what has been reached is all */
  NO_WAY = 20 * G_USEC_PER_SEC,  /* ... after which the target does not come */
  AWAY = G_USEC_PER_SEC,         /* between two looks: a debugger was there meanwhile */
};

void
lc_replay_mpi_stop_restore (LcReplayMpiStop *stop)
{
  struct lc_replay_mpi_header *plan = stop->plan;
  const struct lc_replay_mpi_header *kept = &stop->kept;

  plan->n_ranks = kept->n_ranks;
  plan->n_numbers = kept->n_numbers;
  plan->n_objects = kept->n_objects;
  plan->n_events = kept->n_events;
  plan->ranks = kept->ranks;
  plan->objects = kept->objects;
  plan->events = kept->events;
}

static struct lc_replay_mpi_rank *
stop_rank (const LcReplayMpiStop *stop, guint32 number)
{
  return &lc_replay_mpi_ranks (stop->plan)[number];
}

static guint32
stop_get_state (const struct lc_replay_mpi_rank *rank)
{
  return __atomic_load_n (&rank->state, __ATOMIC_ACQUIRE);
}

/* --- Calls ---------------------------------------------------------------------------------------------------- */

static gboolean
stop_is_same_call (const LcReplayMpiStop *stop, const struct lc_replay_mpi_rank *rank, guint64 number)
{
  const struct lc_replay_mpi_event *event = lc_replay_mpi_event (stop->plan, rank, number);

  return event != NULL && (event->flags & LC_REPLAY_MPI_SAME_CALL) != 0;
}

/* Whether both are of one message, or of one operation of a communicator. */
static gboolean
stop_is_same (const struct lc_replay_mpi_event *event, const struct lc_replay_mpi_event *other)
{
  return event->object != LC_REPLAY_NONE && event->object == other->object && event->sequence == other->sequence;
}

/* Whether the next call of a rank has an event of the same message or operation as this one. */
static gboolean
stop_has_same_next (const LcReplayMpiStop *stop, const struct lc_replay_mpi_rank *rank,
                    const struct lc_replay_mpi_event *event)
{
  guint64 number = rank->next;

  do
    {
      const struct lc_replay_mpi_event *other = lc_replay_mpi_event (stop->plan, rank, number++);

      if (other != NULL && stop_is_same (event, other))
        return TRUE;
    }
  while (stop_is_same_call (stop, rank, number));
  return FALSE;
}

/* Whether a rank waits for somebody who is held before his part of the same. */
static gboolean
stop_waits_for_held (const LcReplayMpiStop *stop, const struct lc_replay_mpi_rank *rank)
{
  guint64 number = rank->next;

  do
    {
      const struct lc_replay_mpi_event *event = lc_replay_mpi_event (stop->plan, rank, number++);

      for (guint32 i = 0; event != NULL && i < stop->plan->n_ranks; i++)
        {
          const struct lc_replay_mpi_rank *other = stop_rank (stop, i);

          if (other != rank && stop_get_state (other) == LC_REPLAY_MPI_HELD && other->next >= other->limit &&
              stop_has_same_next (stop, other, event))
            return TRUE;
        }
    }
  while (stop_is_same_call (stop, rank, number));
  return FALSE;
}

/* Whether only a part of the call that a rank is in is in the past: it goes on as far as it can without the others. */
static gboolean
stop_is_cut (const LcReplayMpiStop *stop, const struct lc_replay_mpi_rank *rank)
{
  guint64 number = rank->next + 1;

  if (rank->next >= rank->limit || rank->limit >= rank->n_events)
    return FALSE;
  while (number <= rank->limit && stop_is_same_call (stop, rank, number))
    number++;
  return number > rank->limit;
}

/* Whether a thread waits for others of its rank, or has not even been made. */
static gboolean
stop_waits_outside (const LcReplayMpiStop *stop, guint32 number)
{
  const struct lc_replay_mpi_rank *rank = stop_rank (stop, number);

  return stop->plan->n_ranks > stop->plan->n_numbers && stop_get_state (rank) != LC_REPLAY_MPI_INSIDE &&
         lc_replay_mpi_threads_wait (stop->threads, rank->number);
}

/* The target of all is at its limit, and in no call. */
gboolean
lc_replay_mpi_stop_is_there (LcReplayMpiStop *stop, guint32 number)
{
  const struct lc_replay_mpi_rank *rank = stop_rank (stop, number);

  if (rank->process == LC_REPLAY_NONE)
    return TRUE;
  switch (stop_get_state (rank))
    {
    case LC_REPLAY_MPI_ENDED:
    case LC_REPLAY_MPI_AT_END:
    case LC_REPLAY_MPI_DIFFERS:
      return TRUE;
    case LC_REPLAY_MPI_HELD:
      return rank->next >= rank->limit;
    case LC_REPLAY_MPI_INSIDE:
      return rank->next >= rank->n_events ||
             (number != stop->target && (stop_is_cut (stop, rank) || stop_waits_for_held (stop, rank)));
    default:
      return number != stop->target && rank->next >= rank->limit && stop_waits_outside (stop, number);
    }
}

/* Whether a rank may still have to be let go on. Others are on the way to the end of the program. */
static gboolean
stop_is_within_history (const struct lc_replay_mpi_rank *rank)
{
  const guint32 state = stop_get_state (rank);

  return rank->process != LC_REPLAY_NONE && state != LC_REPLAY_MPI_ENDED && rank->next < rank->n_events;
}

/* --- What MPI needs ------------------------------------------------------------------------------------------- */

/* Lets a rank do an event, and all others what is in its past, but for the target. */
static gboolean
stop_allow (LcReplayMpiStop *stop, struct lc_replay_mpi_rank *needed, guint64 event)
{
  const LcReplayFollowers followers = lc_replay_followers_of_ranks (stop);
  const struct lc_replay_mpi_event *last;
  g_autofree guint64 *past = NULL;

  while (stop_is_same_call (stop, needed, event + 1))
    event++;
  last = lc_replay_mpi_event (stop->plan, needed, event);
  past = last != NULL
             ? lc_replay_until_find_past (lc_trace_get_path (stop->trace), needed->process, last->ordinal, NULL)
             : NULL;
  for (guint32 pass = 0; past != NULL && pass < 2; pass++)
    for (guint32 i = 0; i < stop->plan->n_ranks; i++)
      {
        struct lc_replay_mpi_rank *rank = stop_rank (stop, i);
        const guint64 limit = rank->process < lc_trace_get_n_processes (stop->trace)
                                  ? lc_replay_followers_count_before (&followers, i, past[rank->process])
                                  : 0;

        if (pass == 0 && i == stop->target && limit > rank->limit)
          return FALSE;
        if (pass == 1 && limit > rank->limit)
          __atomic_store_n (&rank->limit, limit, __ATOMIC_RELEASE);
      }
  return past != NULL;
}

/* The same, and tells it. */
static gboolean
stop_allow_needed (LcReplayMpiStop *stop, struct lc_replay_mpi_rank *needed, guint64 event)
{
  g_autofree char *text = lc_replay_mpi_text_needed (stop->trace, stop->plan, needed, event);
  const gboolean is_allowed = stop_allow (stop, needed, event);

  if (is_allowed)
    lc_complain ("%s", text);
  return is_allowed;
}

/* Finds what others have not yet been allowed to do of the message or operation. */
static gboolean
stop_help_event (LcReplayMpiStop *stop, guint32 number, const struct lc_replay_mpi_event *event)
{
  gboolean any = FALSE;

  for (guint32 i = 0; i < stop->plan->n_ranks; i++)
    {
      struct lc_replay_mpi_rank *rank = stop_rank (stop, i);

      if (i == number || i == stop->target || rank->process == LC_REPLAY_NONE)
        continue;
      for (guint64 k = rank->limit; k < rank->n_events; k++)
        {
          const struct lc_replay_mpi_event *other = lc_replay_mpi_event (stop->plan, rank, k);

          if (other == NULL || !stop_is_same (event, other))
            continue;
          any |= stop_allow_needed (stop, rank, k);
          break;
        }
    }
  return any;
}

static gboolean
stop_help (LcReplayMpiStop *stop, guint32 number)
{
  const struct lc_replay_mpi_rank *rank = stop_rank (stop, number);
  guint64 next = rank->next;
  gboolean any = FALSE;

  if (rank->process == LC_REPLAY_NONE || stop_get_state (rank) != LC_REPLAY_MPI_INSIDE)
    return FALSE;
  do
    {
      const struct lc_replay_mpi_event *event = lc_replay_mpi_event (stop->plan, rank, next++);

      any |= event != NULL && stop_help_event (stop, number, event);
    }
  while (stop_is_same_call (stop, rank, next));
  return any;
}

/* The target comes first: what others wait for may not be needed. */
static gboolean
stop_help_somebody (LcReplayMpiStop *stop)
{
  if (stop_help (stop, stop->target))
    return TRUE;
  for (guint32 i = 0; i < stop->plan->n_ranks; i++)
    if (i != stop->target && stop_help (stop, i))
      return TRUE;
  return FALSE;
}

/* --- What threads of a rank wait for in each other ------------------------------------------------------------------
 */

/* Threads of a rank send, and receive, what goes by one channel one after the other, which is no part of the past. */
typedef struct
{
  guint32 rank, object;
  gboolean is_sent;
} StopOrder;

static guint
stop_order_hash (gconstpointer data)
{
  const StopOrder *order = data;

  return (order->rank * 31 + order->object) * 2 + (guint)order->is_sent;
}

static gboolean
stop_order_equal (gconstpointer left, gconstpointer right)
{
  const StopOrder *a = left, *b = right;

  return a->rank == b->rank && a->object == b->object && a->is_sent == b->is_sent;
}

/* FALSE: the event has no place in such an order. */
static gboolean
stop_order_of (const struct lc_replay_mpi_rank *rank, const struct lc_replay_mpi_event *event, StopOrder *order)
{
  const gboolean is_sent = event->operation == LC_SEND || event->operation == LC_ISEND || event->operation == LC_SSEND;

  *order = (StopOrder){rank->number, event->object, is_sent};
  return event->object != LC_REPLAY_NONE && (is_sent || event->operation == LC_RECV || event->operation == LC_IRECV);
}

static void
stop_note_number (GHashTable *numbers, const StopOrder *order, guint64 number)
{
  guint64 *most = g_hash_table_lookup (numbers, order);

  if (most == NULL)
    {
      most = g_new0 (guint64, 1);
      g_hash_table_insert (numbers, g_memdup2 (order, sizeof *order), most);
    }
  *most = MAX (*most, number);
}

/* By channel, the highest number that any thread may send or receive, and 1 more. */
static GHashTable *
stop_find_numbers (const LcReplayMpiStop *stop)
{
  GHashTable *numbers = g_hash_table_new_full (stop_order_hash, stop_order_equal, g_free, g_free);

  for (guint32 i = 0; i < stop->plan->n_ranks; i++)
    for (guint64 k = 0; k < MIN (stop_rank (stop, i)->limit, stop_rank (stop, i)->n_events); k++)
      {
        const struct lc_replay_mpi_rank *rank = stop_rank (stop, i);
        const struct lc_replay_mpi_event *event = lc_replay_mpi_event (stop->plan, rank, k);
        StopOrder order;

        if (event != NULL && stop_order_of (rank, event, &order))
          stop_note_number (numbers, &order, event->sequence + 1);
        else if (event != NULL && event->operation == LC_PROBE && event->object != LC_REPLAY_NONE)
          stop_note_number (numbers, &order, event->sequence); /* which is to be received next */
      }
  return numbers;
}

/* Lets a thread do what must come before what others may do. FALSE: there is nothing. */
static gboolean
stop_close_rank (LcReplayMpiStop *stop, guint32 number, GHashTable *numbers)
{
  struct lc_replay_mpi_rank *rank = stop_rank (stop, number);
  guint64 last = 0;

  for (guint64 k = rank->limit; number != stop->target && k < rank->n_events; k++)
    {
      const struct lc_replay_mpi_event *event = lc_replay_mpi_event (stop->plan, rank, k);
      StopOrder order;
      const guint64 *most =
          event != NULL && stop_order_of (rank, event, &order) ? g_hash_table_lookup (numbers, &order) : NULL;

      if (most != NULL && event->sequence < *most)
        last = k + 1;
    }
  return last > 0 && stop_allow (stop, rank, last - 1);
}

void
lc_replay_mpi_stop_close (LcReplayMpiStop *stop)
{
  gboolean any = stop->plan->n_ranks > stop->plan->n_numbers;

  while (any)
    {
      g_autoptr (GHashTable) numbers = stop_find_numbers (stop);

      any = FALSE;
      for (guint32 i = 0; i < stop->plan->n_ranks; i++)
        any |= stop_close_rank (stop, i, numbers);
    }
}

/* --- Looking -------------------------------------------------------------------------------------------------- */

/* Tells for how long nothing has moved. */
static gint64
stop_measure (LcReplayMpiStop *stop)
{
  const gint64 now = g_get_monotonic_time ();
  LcReplayLook look;
  guint64 moved = 0;

  for (guint32 i = 0; i < stop->plan->n_ranks; i++)
    {
      const struct lc_replay_mpi_rank *rank = stop_rank (stop, i);

      moved += __atomic_load_n (&rank->calls, __ATOMIC_RELAXED) + rank->next + stop_get_state (rank);
    }
  for (guint32 i = 0; i < stop->threads->n; i++)
    if (lc_replay_mpi_threads_look (stop->threads, i, &look))
      moved += look.moved;
  if (moved != stop->moved || now - stop->looked_at > AWAY)
    stop->moved_at = now;
  stop->moved = moved;
  stop->looked_at = now;
  return now - stop->moved_at;
}

/* Tells for how long threads of ranks have done nothing, though some may go on by themselves: they wait with a limit,
 * again and again. Where a rank has one thread, what it does outside of MPI ends. */
static gint64
stop_measure_idle (LcReplayMpiStop *stop)
{
  return stop->plan->n_ranks > stop->plan->n_numbers ? lc_replay_mpi_idle_measure (&stop->idle, stop->plan, stop->moved)
                                                     : 0;
}

LcReplayMpiProgress
lc_replay_mpi_stop_look (LcReplayMpiStop *stop)
{
  const gint64 still = stop_measure (stop), idle = stop_measure_idle (stop);
  gboolean all = TRUE, any = FALSE;

  for (guint32 i = 0; i < stop->plan->n_ranks; i++)
    any |= stop_is_within_history (stop_rank (stop, i));
  for (guint32 i = 0; i < stop->plan->n_ranks; i++)
    if (!lc_replay_mpi_stop_is_there (stop, i))
      {
        if (stop_get_state (stop_rank (stop, i)) != LC_REPLAY_MPI_INSIDE && !stop_waits_outside (stop, i) &&
            idle < PATIENCE)
          return LC_REPLAY_MPI_ON_THE_WAY;
        all = FALSE;
      }
  if (!any)
    return LC_REPLAY_MPI_ON_THE_WAY;
  if (all && still > STILL)
    return LC_REPLAY_MPI_THERE;
  if (stop->target == LC_REPLAY_NONE || lc_replay_mpi_stop_is_there (stop, stop->target))
    return still > PATIENCE ? LC_REPLAY_MPI_IDLE : LC_REPLAY_MPI_ON_THE_WAY;
  if (still > NEEDED && stop_help_somebody (stop))
    stop->moved_at = g_get_monotonic_time ();
  return still > NO_WAY ? LC_REPLAY_MPI_NO_WAY : LC_REPLAY_MPI_ON_THE_WAY;
}

/* --- As others see them --------------------------------------------------------------------------------------- */

static void
ranks_restore (gpointer data)
{
  lc_replay_mpi_stop_restore (data);
}

static void
ranks_look (gpointer data, guint32 number, LcReplayFollower *follower)
{
  const struct lc_replay_mpi_rank *rank = stop_rank (data, number);
  const guint32 state = stop_get_state (rank);

  *follower = (LcReplayFollower){.process = rank->process,
                                 .id = rank->thread,
                                 .next = rank->next,
                                 .n_events = rank->n_events,
                                 .is_born = state != LC_REPLAY_MPI_UNBORN,
                                 .is_alive = state != LC_REPLAY_MPI_UNBORN && state != LC_REPLAY_MPI_ENDED};
}

static gboolean
ranks_get_ordinal (gpointer data, guint32 number, guint64 event, guint64 *ordinal)
{
  const LcReplayMpiStop *stop = data;
  const struct lc_replay_mpi_event *found = lc_replay_mpi_event (stop->plan, stop_rank (stop, number), event);

  if (found != NULL)
    *ordinal = found->ordinal;
  return found != NULL;
}

static gboolean
ranks_is_joined (gpointer data, guint32 number, guint64 event)
{
  return stop_is_same_call (data, stop_rank (data, number), event);
}

/* Ranks look at their limits all the time. */
static void
ranks_set_limit (gpointer data, guint32 number, guint64 limit)
{
  __atomic_store_n (&stop_rank (data, number)->limit, limit, __ATOMIC_RELEASE);
}

static void
ranks_move (gpointer data)
{
  LcReplayMpiStop *stop = data;

  lc_replay_mpi_stop_close (stop);
  stop->moved_at = g_get_monotonic_time ();
}

static void
ranks_aim (gpointer data, guint32 number)
{
  LcReplayMpiStop *stop = data;

  stop->target = number;
}

static gboolean
ranks_are_still (gpointer data, guint64 *moved)
{
  LcReplayMpiStop *stop = data;
  const LcReplayMpiProgress progress = lc_replay_mpi_stop_look (stop);

  *moved = stop->moved;
  return progress != LC_REPLAY_MPI_ON_THE_WAY;
}

static char *
ranks_text_next (gpointer data, LcTrace *trace)
{
  const LcReplayMpiStop *stop = data;

  return lc_replay_mpi_text_nexts (trace, stop->plan);
}

LcReplayFollowers
lc_replay_followers_of_ranks (LcReplayMpiStop *stop)
{
  return (LcReplayFollowers){.data = stop,
                             .n = stop->plan->n_ranks,
                             .restore = ranks_restore,
                             .look = ranks_look,
                             .get_ordinal = ranks_get_ordinal,
                             .is_joined = ranks_is_joined,
                             .set_limit = ranks_set_limit,
                             .move = ranks_move,
                             .aim = ranks_aim,
                             .is_still = ranks_are_still,
                             .text_next = ranks_text_next};
}
