/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which message of its channel a receive has got. MPI does not say, so it is counted. */
#include "messages.h"

/*
 * A channel is one direction between two ranks with one tag of one communicator. MPI keeps its messages in order: the
 * n-th that is sent on it is the n-th that is matched on this side. A sender counts what it sends. A receiver has to
 * count in the order in which its receives were *matched*, and sees only the order in which the program *completes*
 * them: of ten posted ones it may ask for the last one first. These rules of MPI (3.1, section 3.5) make up for it:
 *
 *  1. If two receives on this side could both take a message, the one that was posted first takes it. So when a receive
 *     that was posted as number p of its communicator has taken a message of channel C, then each one that was posted
 *     before p and could take messages of C has been matched before: else the message would have been its.
 *  2. When a probe finds a message of C, then every receive that was posted before and could take it has been matched.
 *
 * So the receives that are known to be of channel C take its numbers in the order of their posting (the channel's
 * list), as far as `matched`: the last one posted of which rule 1 or 2 says that it and those before it have been
 * matched. They need not be complete for the program.
 *
 * What is known of a receive: its communicator, and its channel if it named both source and tag; else MPI tells them
 * when it completes, and until then it is in the communicator's list of those that may take messages of several
 * channels. While such a one is unknown, all that were posted after it on any channel that it could take from have no
 * number: it may be before them, or on another channel. They wait for it (the channel is *held*); an event that is
 * written meanwhile tells the number of a request instead (LC_EVENT_REQUEST), and requests-I is told later which
 * message it was. The same holds for one of known channel while the program wants it cancelled: if it is, it takes no
 * number, and only its completion tells.
 *
 * A probe (LC_LOOK) stands in the channel's list as a receive does, but leaves its number to the next one. A message
 * that was taken by MPI_Mprobe has its place from then on.
 *
 * Several threads: "posted first" has no meaning to MPI for two threads that post at the same time, but it decides, and
 * one order is as good to the program as the other. So that we know which one it was, a wrapper posts while it holds
 * the lock of the tables; a blocking receive posts, lets go of the lock, and waits.
 *
 * Where the program gives a receive of unknown channel to MPI_Request_free, nobody would ever hear of it again. It is
 * kept (`orphan`), and asked when a channel is held by it.
 */

static inline bool
could_take (const struct lc_receive *receive, const struct lc_channel *channel)
{
  return (receive->from == LC_NO_PROCESS || receive->from == channel->from) &&
         (receive->tag == MPI_ANY_TAG || receive->tag == channel->tag);
}

/* --- Lists, in the order of posting ------------------------------------------------------------------------- */

/* The place is nearly always after all others. */
static void
receives_insert (struct lc_receive **first, struct lc_receive **last, struct lc_receive *receive)
{
  struct lc_receive *before = *last;

  while (before != NULL && before->post > receive->post)
    before = before->previous;
  receive->previous = before;
  receive->next = before != NULL ? before->next : *first;
  *(receive->next != NULL ? &receive->next->previous : last) = receive;
  *(before != NULL ? &before->next : first) = receive;
}

static void
take_out (struct lc_receive **first, struct lc_receive **last, struct lc_receive *receive)
{
  *(receive->previous != NULL ? &receive->previous->next : first) = receive->next;
  *(receive->next != NULL ? &receive->next->previous : last) = receive->previous;
}

static void
receives_list (struct lc_receive *receive)
{
  if (receive->channel != NULL)
    receives_insert (&receive->channel->first, &receive->channel->last, receive);
  else
    receives_insert (&receive->communicator->receives.first, &receive->communicator->receives.last, receive);
}

static void
receives_unlist (struct lc_receive *receive)
{
  if (receive->channel != NULL)
    take_out (&receive->channel->first, &receive->channel->last, receive);
  else
    take_out (&receive->communicator->receives.first, &receive->communicator->receives.last, receive);
}

/* --- Memory -------------------------------------------------------------------------------------------------- */

static struct lc_receive *
receives_make (struct lc_communicator *communicator)
{
  struct lc_receive *receive = lc_mpi_allocate (sizeof *receive);

  if (receive == NULL)
    return NULL;
  *receive = (struct lc_receive){.communicator = communicator,
                                 .post = ++communicator->receives.posted,
                                 .from = LC_NO_PROCESS,
                                 .tag = MPI_ANY_TAG,
                                 .request = LC_NO_REQUEST,
                                 .orphan = MPI_REQUEST_NULL};
  communicator->references++;
  return receive;
}

static void
receives_forget (struct lc_receive *receive)
{
  lc_communicator_drop (receive->communicator);
  lc_mpi_release (receive, sizeof *receive);
}

void
lc_receive_release (struct lc_receive *receive)
{
  receive->is_forgotten = true;
  if (receive->is_numbered)
    receives_forget (receive);
}

/* --- Numbers ------------------------------------------------------------------------------------------------- */

/* The receive is in no list any more. */
static void
receives_settle (struct lc_receive *receive)
{
  receive->is_numbered = true;
  if (receive->is_forgotten)
    receives_forget (receive);
}

static void
receives_number (struct lc_receive *receive)
{
  struct lc_channel *channel = receive->channel;

  take_out (&channel->first, &channel->last, receive);
  receive->sequence = receive->is_look ? channel->received : channel->received++;
  if (receive->request != LC_NO_REQUEST && channel->object != 0)
    lc_mpi_hooks->resolve (receive->request, channel->object, receive->sequence);
  receives_settle (receive);
}

static void
receives_know (struct lc_receive *receive, struct lc_channel *channel)
{
  receives_unlist (receive);
  receive->channel = channel;
  receives_list (receive);
}

static struct lc_channel *
receives_channel_of (struct lc_communicator *communicator, const MPI_Status *status)
{
  uint32_t from = lc_communicator_partner (communicator, status->MPI_SOURCE);

  return from != LC_NO_PROCESS ? lc_channel_find (communicator, from, communicator->me, status->MPI_TAG) : NULL;
}

/* Asks MPI about an orphan; TRUE: its message is known now. It leaves the communicator's list, but the channels that it
 * holds are not numbered here. */
static bool
ask_orphan (struct lc_receive *receive)
{
  struct lc_channel *channel;
  MPI_Status status;
  int is_complete = 0, is_cancelled = 0;

  if (PMPI_Test (&receive->orphan, &is_complete, &status) != MPI_SUCCESS || !is_complete)
    return false;
  PMPI_Test_cancelled (&status, &is_cancelled);
  if (receive->orphan != MPI_REQUEST_NULL) /* it is persistent */
    PMPI_Request_free (&receive->orphan);
  channel = is_cancelled ? NULL : receives_channel_of (receive->communicator, &status);
  if (channel == NULL)
    {
      receives_unlist (receive);
      receives_settle (receive);
      return true;
    }
  if (channel->matched < receive->post)
    channel->matched = receive->post;
  receives_know (receive, channel);
  return true;
}

static bool
is_held_by (struct lc_receive *first, const struct lc_receive *receive)
{
  for (struct lc_receive *earlier = first, *next; earlier != NULL && earlier->post < receive->post; earlier = next)
    {
      next = earlier->next;
      if (could_take (earlier, receive->channel) && (earlier->orphan == MPI_REQUEST_NULL || !ask_orphan (earlier)))
        return true;
    }
  return false;
}

static void
receives_hold (struct lc_channel *channel, struct lc_receives *receives)
{
  if (channel->next_held != NULL)
    return;
  channel->next_held = receives->held != NULL ? receives->held : channel;
  receives->held = channel;
}

/* Numbers all receives of a channel that can be numbered now. An orphan that turns out to be of the channel is inserted
 * before them. */
static void
number_channel (struct lc_channel *channel)
{
  struct lc_receive *receive;

  while ((receive = channel->first) != NULL && receive->post <= channel->matched && !receive->is_doubtful)
    {
      struct lc_receives *receives = &receive->communicator->receives;

      if (receives->first != NULL && is_held_by (receives->first, receive))
        {
          receives_hold (channel, receives);
          return;
        }
      if (receive == channel->first)
        receives_number (receive);
    }
}

/* Tries the held channels again, after an unknown receive has become known. */
static void
number_held (struct lc_communicator *communicator)
{
  struct lc_channel *channel = communicator->receives.held, *next;

  communicator->receives.held = NULL;
  for (; channel != NULL; channel = next)
    {
      next = channel->next_held != channel ? channel->next_held : NULL;
      channel->next_held = NULL;
      number_channel (channel);
    }
}

/* --- The interface ------------------------------------------------------------------------------------------- */

struct lc_receive *
lc_receive_post (struct lc_communicator *communicator, int source, int tag)
{
  struct lc_receive *receive = receives_make (communicator);

  if (receive == NULL)
    return NULL;
  receive->tag = tag;
  receive->is_blind = source == MPI_ANY_SOURCE;
  if (!receive->is_blind)
    receive->from = lc_communicator_partner (communicator, source);
  if (!receive->is_blind && tag != MPI_ANY_TAG)
    receive->channel = lc_channel_find (communicator, receive->from, communicator->me, tag);
  receives_list (receive);
  return receive;
}

void
lc_receive_match (struct lc_receive *receive, const MPI_Status *status)
{
  struct lc_communicator *communicator = receive->communicator;
  struct lc_channel *channel = receive->channel;

  receive->is_doubtful = false;
  if (receive->is_numbered)
    return;
  if (channel == NULL)
    {
      channel = receives_channel_of (communicator, status);
      if (channel == NULL)
        {
          lc_receive_drop (receive);
          return;
        }
      receives_know (receive, channel);
    }
  if (channel->matched < receive->post)
    channel->matched = receive->post;
  communicator->references++;
  number_channel (channel);
  if (communicator->receives.held != NULL)
    number_held (communicator);
  lc_communicator_drop (communicator);
}

void
lc_receive_drop (struct lc_receive *receive)
{
  struct lc_communicator *communicator = receive->communicator;
  struct lc_channel *channel = receive->channel;

  if (receive->is_numbered)
    return;
  receives_unlist (receive);
  communicator->references++;
  receives_settle (receive);
  if (channel != NULL)
    number_channel (channel);
  if (communicator->receives.held != NULL)
    number_held (communicator);
  lc_communicator_drop (communicator);
}

struct lc_receive *
lc_receive_found (struct lc_communicator *communicator, const MPI_Status *status, enum lc_take take, uint32_t request)
{
  struct lc_channel *channel = receives_channel_of (communicator, status);
  struct lc_receive *receive = channel != NULL ? receives_make (communicator) : NULL;

  if (receive == NULL)
    return NULL;
  receive->channel = channel;
  receive->is_look = take == LC_LOOK;
  receive->request = request;
  receives_list (receive);
  lc_receive_match (receive, status);
  return receive;
}

void
lc_receive_tell (struct lc_receive *receive, struct lc_finished *event)
{
  if (receive->is_numbered)
    {
      event->object = receive->channel != NULL ? receive->channel->object : 0;
      event->sequence = receive->sequence;
      return;
    }
  if (receive->request == LC_NO_REQUEST)
    receive->request = lc_mpi_hooks->request ();
  event->object = 0;
  event->flags |= LC_EVENT_REQUEST;
  event->sequence = receive->request;
}

void
lc_receive_at_once (struct lc_communicator *communicator, const MPI_Status *status, struct lc_finished *event)
{
  struct lc_channel *channel = receives_channel_of (communicator, status);
  struct lc_receive *receive;

  if (channel == NULL)
    return;
  if (__builtin_expect (channel->first == NULL && communicator->receives.first == NULL, 1))
    {
      event->object = channel->object;
      event->sequence = channel->received++;
      return;
    }
  receive = lc_receive_found (communicator, status, LC_TAKE, LC_NO_REQUEST);
  if (receive == NULL)
    return;
  lc_receive_tell (receive, event);
  lc_receive_release (receive);
}
