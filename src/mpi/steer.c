/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at what comes next in the history of a rank, and says what a call of MPI is to do. */
#include "steer.h"

#include <sched.h>

#include "lightcone/trace-format.h"
#include "replay-hooks.h"

enum
{
  MOST_ASKED = 100000, /* times in vain for the end of what a window is open for, before MPI is asked */
};

void
lc_steer_stay (void)
{
  lc_replay_stay_at_limit ();
}

/* Gives the rank in the communicator's group, or -1. */
static int
steer_find_rank (const struct lc_communicator *communicator, uint32_t process)
{
  for (uint32_t i = 0; i < communicator->n_world; i++)
    if (communicator->world[i] == process)
      return (int)i;
  return -1;
}

/* Tells what came if it can be named: a receive from anybody has no channel. */
static void
steer_suspect (struct lc_communicator *communicator, uint16_t operation, int source, int tag)
{
  const struct lc_channel *channel = NULL;

  if (source != MPI_ANY_SOURCE && tag != MPI_ANY_TAG)
    channel = lc_channel_find (communicator, lc_communicator_partner (communicator, source), communicator->me, tag);
  lc_replay_suspect (LC_REPLAY_OBJECT, operation, channel != NULL ? channel->object : communicator->object, 0);
}

/* Names the message that the event took. FALSE: that is not known, or it could not be this one. */
static bool
steer_name_message (struct lc_communicator *communicator, const struct lc_replay_mpi_event *event, int *source,
                    int *tag)
{
  const struct lc_replay_mpi_object *object = lc_replay_object (event);
  const struct lc_channel *channel = NULL;
  int from;

  if (object == NULL || !object->is_message)
    return false;
  from = steer_find_rank (communicator, object->from);
  if (from >= 0 && (*source == MPI_ANY_SOURCE || *source == from) && (*tag == MPI_ANY_TAG || *tag == object->tag))
    channel = lc_channel_find (communicator, object->from, communicator->me, object->tag);
  if (channel == NULL || !lc_replay_is_object (event, channel->object))
    return false;
  *source = from;
  if (*tag != MPI_ANY_TAG || (event->flags & LC_REPLAY_MPI_BY_SENDER) == 0)
    *tag = object->tag;
  return true;
}

/* The number that the next receive which is posted on the channel has: those that were posted before come first. */
static uint64_t
steer_count_posted (const struct lc_channel *channel, const struct lc_receive *until)
{
  uint64_t number = channel->received;

  for (const struct lc_receive *earlier = channel->first; earlier != NULL && earlier != until; earlier = earlier->next)
    number += !earlier->is_look && !earlier->is_doubtful;
  return number;
}

/* Only where several threads may be in MPI at once their order is not that of the program. */
static bool
steer_has_threads (void)
{
  return lc_mpi_is_threaded && lc_replay_has_threads ();
}

/* Another thread has the tables meanwhile, for it is to come before. */
static void
steer_let_others_go (void)
{
  lc_mpi_unlock ();
  lc_replay_pause ();
  lc_mpi_lock ();
}

/* The order in which threads post receives on a channel decides which of them takes which message. */
static void
steer_await_number (struct lc_communicator *communicator, const struct lc_replay_mpi_event *event, int source)
{
  const int tag = lc_replay_object (event)->tag;

  while (steer_has_threads () && lc_replay_next (0) != NULL)
    {
      const struct lc_channel *channel =
          lc_channel_find (communicator, lc_communicator_partner (communicator, source), communicator->me, tag);

      if (channel == NULL || steer_count_posted (channel, NULL) >= event->sequence)
        return;
      steer_let_others_go ();
    }
}

void
lc_steer_send (const struct lc_channel *channel, unsigned int skipped)
{
  const struct lc_replay_mpi_event *event = steer_has_threads () ? lc_replay_next (skipped) : NULL;

  while (event != NULL && lc_replay_is_object (event, channel->object) && channel->sent < event->sequence)
    {
      steer_let_others_go ();
      event = lc_replay_next (skipped);
    }
}

bool
lc_steer_receive (struct lc_communicator *communicator, uint16_t operation, unsigned int skipped, int *source, int *tag)
{
  const struct lc_replay_mpi_event *event = lc_replay_next (skipped);

  if (event == NULL || event->operation != operation)
    return false;
  if (event->object == LC_REPLAY_NONE)
    return operation == LC_IRECV && (*source == MPI_ANY_SOURCE || *tag == MPI_ANY_TAG);
  if (steer_name_message (communicator, event, source, tag))
    steer_await_number (communicator, event, *source);
  else
    steer_suspect (communicator, operation, *source, *tag);
  return false;
}

void
lc_steer_await (MPI_Comm handle, int asked_source, int asked_tag, int *source, int *tag)
{
  int flag = 0;

  if (*source == asked_source && *tag == asked_tag)
    return;
  while (lc_replay_next (0) != NULL)
    {
      if (PMPI_Iprobe (*source, *tag, handle, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS || flag)
        return;
      sched_yield ();
    }
  *source = asked_source;
  *tag = asked_tag;
}

MPI_Comm
lc_steer_nowhere (void)
{
  static MPI_Comm nowhere = MPI_COMM_NULL;

  if (nowhere == MPI_COMM_NULL)
    PMPI_Comm_dup (MPI_COMM_SELF, &nowhere);
  return nowhere;
}

enum lc_steering
lc_steer_probe (struct lc_communicator *communicator, bool may_fail, int *source, int *tag)
{
  const struct lc_replay_mpi_event *event = lc_replay_next (0);
  bool is_named;

  if (event == NULL)
    return LC_STEER_FREE;
  if (event->operation != LC_PROBE)
    return may_fail && (lc_replay_is_vain (event->operation) || lc_replay_is_answer (event->operation)) ? LC_STEER_NO
                                                                                                        : LC_STEER_FREE;
  lc_mpi_lock ();
  is_named = steer_name_message (communicator, event, source, tag);
  if (is_named)
    steer_await_number (communicator, event, *source);
  if (!is_named && !may_fail)
    steer_suspect (communicator, event->operation, *source, *tag);
  lc_mpi_unlock ();
  if (is_named)
    return LC_STEER_YES;
  return may_fail ? LC_STEER_NO : LC_STEER_FREE;
}

/* --- Windows ---------------------------------------------------------------------------------------------------- */

/* How often MPI_Win_test was in vain is not recorded. Who asks for ever, without anything else, differs: it asks MPI.
 */
enum lc_steering
lc_steer_window (const struct lc_window *window, const struct lc_window_group *group, const char *what)
{
  static __thread const struct lc_replay_mpi_event *last;
  static __thread unsigned int asked;
  const struct lc_replay_mpi_event *event = lc_replay_next (0);
  const struct lc_channel *channel;

  if (event == NULL || group->n == 0)
    return LC_STEER_FREE;
  lc_mpi_lock ();
  channel = lc_channel_find_named (window->name, group->ranks[0], window->communicator->me, what);
  lc_mpi_unlock ();
  if (channel == NULL)
    return LC_STEER_FREE;
  if (event->operation == LC_RECV && lc_replay_is_object (event, channel->object))
    return LC_STEER_YES;
  asked = event == last ? asked + 1 : 0;
  last = event;
  return asked < MOST_ASKED ? LC_STEER_NO : LC_STEER_FREE;
}

/* --- Persistent receives -------------------------------------------------------------------------------------- */

/* A persistent receive from anybody is one from somebody else with each start: another request, with the same buffer.
 */
struct lc_steered_start
{
  void *buffer;
  int count;
  MPI_Datatype type; /* a copy: the program may free its own */
  MPI_Comm handle;
  int source, tag;         /* as the program wants them */
  int own_source, own_tag; /* of the request as it is now */
  MPI_Comm own_handle;
};

void
lc_steer_keep_start (struct lc_request *request, void *buffer, MPI_Count count, MPI_Datatype type, MPI_Comm handle)
{
  struct lc_steered_start *start;

  if ((request->partner != MPI_ANY_SOURCE && request->tag != MPI_ANY_TAG) || count > INT32_MAX)
    return;
  lc_mpi_lock ();
  start = lc_mpi_allocate (sizeof *start);
  if (start != NULL)
    *start = (struct lc_steered_start){.buffer = buffer,
                                       .count = (int)count,
                                       .handle = handle,
                                       .source = request->partner,
                                       .tag = request->tag,
                                       .own_source = request->partner,
                                       .own_tag = request->tag,
                                       .own_handle = handle};
  request->start = start;
  lc_mpi_unlock ();
  if (start != NULL)
    PMPI_Type_dup (type, &start->type);
}

void
lc_steer_forget_start (struct lc_request *request)
{
  if (request->start == NULL)
    return;
  PMPI_Type_free (&request->start->type);
  lc_mpi_release (request->start, sizeof *request->start);
  request->start = NULL;
}

void
lc_steer_start (struct lc_request *request, unsigned int skipped, MPI_Request *handle)
{
  struct lc_steered_start *start = request->start;
  int source = start->source, tag = start->tag;
  bool is_lost = lc_steer_receive (request->communicator, LC_IRECV, skipped, &source, &tag);
  MPI_Comm communicator = is_lost ? lc_steer_nowhere () : start->handle;
  MPI_Request other;

  request->partner = is_lost ? 0 : source;
  request->tag = is_lost ? LC_STEER_NO_TAG : tag;
  if (is_lost)
    source = tag = 0;
  if (source == start->own_source && tag == start->own_tag && communicator == start->own_handle)
    return;
  if (PMPI_Recv_init (start->buffer, start->count, start->type, source, tag, communicator, &other) != MPI_SUCCESS)
    return;
  lc_request_rename (request, other);
  PMPI_Request_free (handle);
  *handle = other;
  start->own_source = source;
  start->own_tag = tag;
  start->own_handle = communicator;
}

/* --- Requests ------------------------------------------------------------------------------------------------- */

/* The number that the message of a receive has or will have. */
static uint64_t
steer_number_of (const struct lc_receive *receive)
{
  return receive->is_numbered ? receive->sequence : steer_count_posted (receive->channel, receive);
}

static bool
steer_is_message (const struct lc_replay_mpi_event *event, const struct lc_channel *channel, uint64_t sequence)
{
  return event->operation == LC_COMPLETE && channel != NULL && lc_replay_is_object (event, channel->object) &&
         event->sequence == sequence;
}

/* Counts the events that tell that a request is over, and finds the first of them. */
static unsigned int
steer_count_events (const struct lc_request *request)
{
  if (request == NULL || request->is_doubtful)
    return 0;
  return (request->receive != NULL) + (request->channel != NULL) + (request->collective.finish != 0) +
         (unsigned int)request->n_messages;
}

static bool
steer_ends_with (const struct lc_request *request, const struct lc_replay_mpi_event *event)
{
  if (steer_count_events (request) == 0)
    return false;
  if (request->receive != NULL)
    return request->receive->channel != NULL &&
           steer_is_message (event, request->receive->channel, steer_number_of (request->receive));
  if (request->channel != NULL)
    return steer_is_message (event, request->channel, request->sequence);
  if (request->collective.finish != 0)
    return event->operation == request->collective.finish && lc_replay_is_object (event, request->collective.object) &&
           event->sequence == request->collective.number;
  return steer_is_message (event, request->messages[0].channel, request->messages[0].sequence);
}

/* Whether the event tells that a message of this rank is sent, but not the one of the request. */
static bool
steer_is_other_sent (const struct lc_replay_mpi_event *event, const struct lc_request *request)
{
  const struct lc_replay_mpi_object *object =
      event != NULL && event->operation == LC_COMPLETE ? lc_replay_object (event) : NULL;

  return object != NULL && object->is_message && object->from == lc_replay_number () &&
         request->channel->from == object->from && !steer_is_message (event, request->channel, request->sequence);
}

/* The message that it was is sent before, as the request was over. */
static void
steer_make_sent (struct lc_request *request, unsigned int skipped)
{
  const struct lc_replay_mpi_event *event = lc_replay_next (skipped);

  while (steer_is_other_sent (event, request))
    {
      struct lc_channel *channel = lc_channel_find_object (event->object + 1);

      if (channel != NULL && channel->sent > event->sequence)
        {
          request->channel = channel;
          request->sequence = (uint32_t)event->sequence;
          return;
        }
      steer_let_others_go ();
      event = lc_replay_next (skipped);
    }
}

void
lc_steer_tell_apart (struct lc_request *const requests[], int n)
{
  unsigned int skipped = 0;

  if (!steer_has_threads ())
    return;
  lc_mpi_lock ();
  for (int i = 0; i < n; i++)
    {
      struct lc_request *request = requests[i];
      const unsigned int events = steer_count_events (request);

      if (events == 1 && request->channel != NULL && !request->is_persistent)
        steer_make_sent (request, skipped);
      skipped += events;
    }
  lc_mpi_unlock ();
}

/* Whether a test of these requests is in vain, since it is not what comes next: one of them is over, or others are,
 * or tests in vain come. But those of neighbourhoods and partitioned messages have no events. */
static bool
steer_is_in_vain (struct lc_request *const requests[], int n, const struct lc_replay_mpi_event *event)
{
  bool any = false, all_are_silent = true;

  for (int i = 0; i < n; i++)
    {
      const struct lc_request *request = requests[i];

      if (steer_count_events (request) == 0)
        continue;
      any = true;
      all_are_silent &= request->n_messages > 0;
    }
  return any && (all_are_silent || lc_replay_is_vain (event->operation) || lc_replay_is_answer (event->operation));
}

enum lc_steering
lc_steer_test (struct lc_request *const requests[], int n)
{
  const struct lc_replay_mpi_event *event = lc_replay_next (0);
  int first = 0;

  if (event == NULL)
    return LC_STEER_FREE;
  while (first < n && steer_count_events (requests[first]) == 0)
    first++;
  if (first < n && steer_ends_with (requests[first], event))
    return LC_STEER_YES;
  return steer_is_in_vain (requests, n, event) ? LC_STEER_NO : LC_STEER_FREE;
}

/* Gives the place of the request that ends with the event, or -1. */
static int
steer_find_request (struct lc_request *const requests[], int n, const struct lc_replay_mpi_event *event)
{
  for (int i = 0; event != NULL && i < n; i++)
    if (steer_ends_with (requests[i], event))
      return i;
  return -1;
}

int
lc_steer_any (struct lc_request *const requests[], int n, bool may_fail)
{
  const struct lc_replay_mpi_event *event = lc_replay_next (0);
  int place;

  if (event == NULL)
    return LC_STEER_FREELY;
  place = steer_find_request (requests, n, event);
  if (place >= 0)
    return place;
  return may_fail && steer_is_in_vain (requests, n, event) ? LC_STEER_IN_VAIN : LC_STEER_FREELY;
}

int
lc_steer_some (struct lc_request *const requests[], int n, bool may_fail, int places[])
{
  int first = lc_steer_any (requests, n, may_fail), count = 0, place = first;
  unsigned int events = 0;

  if (first < 0)
    return first;
  while (place >= 0 && count < n)
    {
      const struct lc_replay_mpi_event *event;

      places[count++] = place;
      events += steer_count_events (requests[place]);
      event = lc_replay_next (events);
      place =
          event != NULL && (event->flags & LC_REPLAY_MPI_JOINED) != 0 ? steer_find_request (requests, n, event) : -1;
    }
  return count;
}

/* --- The end -------------------------------------------------------------------------------------------------- */

void
lc_steer_abort (void)
{
  lc_replay_wait_for_others ();
  lc_replay_set_ended ();
}

void
lc_steer_finalize (void)
{
  lc_replay_set_ended ();
}
