/* SPDX-License-Identifier: Apache-2.0 */
/* Lets two messages that a rank received from any sender change places in the plan of its replay. */
/*
 * MPI keeps the messages of a channel in order. So if the second message comes first, the first one comes where the
 * second was, and messages of the first one's channel that were received in between are each the one before.
 */
#include "lightcone/replay-mpi.h"

#include <string.h>

/* A message that the rank received or found, in the order in which MPI gave them. */
typedef struct
{
  guint32 object;
  guint64 sequence;
  guint64 told;       /* the first event that tells the program of it, among those of the rank */
  guint64 last_blind; /* the last one of those for which it named no sender */
  gboolean is_told, is_blind;
} TurnMessage;

typedef struct
{
  struct lc_replay_mpi_header *header;
  const struct lc_replay_mpi_rank *rank; /* the one that receives */
  GArray *messages;                      /* TurnMessage */
  GHashTable *numbers;                   /* by event: place in `messages`, and 1 more */
} Turning;

static void
turning_clear (Turning *turning)
{
  g_clear_pointer (&turning->messages, g_array_unref);
  g_clear_pointer (&turning->numbers, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Turning, turning_clear)

static guint
turn_hash (gconstpointer key)
{
  const struct lc_replay_mpi_event *event = key;

  return (guint)event->sequence * 2654435761U ^ event->object;
}

/* Whether both are of one message. */
static gboolean
turn_equal (gconstpointer a, gconstpointer b)
{
  const struct lc_replay_mpi_event *one = a, *other = b;

  return one->object == other->object && one->sequence == other->sequence;
}

/* NULL: the event is of no message, or of one whose channel is not known. */
static const struct lc_replay_mpi_object *
turn_channel (struct lc_replay_mpi_header *header, const struct lc_replay_mpi_event *event)
{
  const struct lc_replay_mpi_object *object =
      event->object < header->n_objects ? lc_replay_mpi_objects (header) + event->object : NULL;

  return object != NULL && object->is_message ? object : NULL;
}

static gboolean
turn_sends (const struct lc_replay_mpi_event *event)
{
  return event->operation == LC_SEND || event->operation == LC_SSEND || event->operation == LC_ISEND;
}

static gboolean
turn_tells (const struct lc_replay_mpi_event *event)
{
  return event->operation == LC_PROBE || event->operation == LC_RECV || event->operation == LC_COMPLETE;
}

/* Whether the event is of a message that the rank receives. Of those that it sends to itself nothing is turned round.
 */
static gboolean
turn_receives (struct lc_replay_mpi_header *header, const struct lc_replay_mpi_rank *rank,
               const struct lc_replay_mpi_event *event)
{
  const struct lc_replay_mpi_object *channel = turn_channel (header, event);

  switch ((int)event->operation)
    {
    case LC_RECV:
    case LC_IRECV:
    case LC_COMPLETE:
    case LC_TEST_FAILED:
    case LC_PROBE:
    case LC_PROBE_FAILED:
      return channel != NULL && channel->from != rank->number;
    default:
      return FALSE;
    }
}

/* A channel's name says after the ranks what a receive from any sender asks for. */
static const char *
turn_find_wanted (struct lc_replay_mpi_header *header, guint32 object, char mark)
{
  const char *place = strchr (lc_replay_mpi_objects (header)[object].name, mark);

  return place != NULL ? place : "";
}

/* --- Messages ------------------------------------------------------------------------------------------------- */

static TurnMessage *
turn_find_message (const Turning *turning, const struct lc_replay_mpi_event *event)
{
  const guint number = GPOINTER_TO_UINT (g_hash_table_lookup (turning->numbers, event));

  return number > 0 ? &g_array_index (turning->messages, TurnMessage, number - 1) : NULL;
}

static void
turn_add_event (Turning *turning, const struct lc_replay_mpi_event *event, guint64 number)
{
  const gboolean takes = turn_tells (event) || event->operation == LC_IRECV;
  TurnMessage *message = takes ? turn_find_message (turning, event) : NULL;

  if (!takes)
    return;
  if (message == NULL)
    {
      const TurnMessage added = {.object = event->object, .sequence = event->sequence};

      g_array_append_val (turning->messages, added);
      g_hash_table_insert (turning->numbers, (gpointer)event, GUINT_TO_POINTER (turning->messages->len));
      message = &g_array_index (turning->messages, TurnMessage, turning->messages->len - 1);
    }
  if (turn_tells (event) && !message->is_told)
    {
      message->told = number;
      message->is_told = TRUE;
    }
  if (turn_tells (event) && (event->flags & LC_REPLAY_MPI_BLIND) != 0)
    {
      message->last_blind = number;
      message->is_blind = TRUE;
    }
}

static void
turning_begin (Turning *turning, struct lc_replay_mpi_header *header, const struct lc_replay_mpi_rank *rank)
{
  turning_clear (turning);
  turning->header = header;
  turning->rank = rank;
  turning->messages = g_array_new (FALSE, FALSE, sizeof (TurnMessage));
  turning->numbers = g_hash_table_new (turn_hash, turn_equal);
  for (guint64 i = 0; i < rank->n_events; i++)
    {
      const struct lc_replay_mpi_event *event = lc_replay_mpi_event (header, rank, i);

      if (event != NULL && turn_receives (header, rank, event))
        turn_add_event (turning, event, i);
    }
}

/* --- What is meant -------------------------------------------------------------------------------------------- */

static const struct lc_replay_mpi_event *
turn_find_event (struct lc_replay_mpi_header *header, const LcReplayStop *stop, const struct lc_replay_mpi_rank **rank)
{
  for (guint32 i = 0; i < header->n_ranks; i++)
    {
      *rank = &lc_replay_mpi_ranks (header)[i];
      for (guint64 k = 0; (*rank)->process == stop->process && k < (*rank)->n_events; k++)
        {
          const struct lc_replay_mpi_event *event = lc_replay_mpi_event (header, *rank, k);

          if (event != NULL && event->ordinal == stop->ordinal)
            return event;
        }
    }
  return NULL;
}

/* Finds the event that sends, or the first one that receives, the message of an event. */
static const struct lc_replay_mpi_event *
turn_find_other_side (struct lc_replay_mpi_header *header, const struct lc_replay_mpi_event *message, gboolean sends,
                      const struct lc_replay_mpi_rank **rank)
{
  for (guint32 i = 0; i < header->n_ranks; i++)
    {
      *rank = &lc_replay_mpi_ranks (header)[i];
      for (guint64 k = 0; k < (*rank)->n_events; k++)
        {
          const struct lc_replay_mpi_event *event = lc_replay_mpi_event (header, *rank, k);

          if (event != NULL && turn_equal (event, message) &&
              (sends ? turn_sends (event) : turn_receives (header, *rank, event)))
            return event;
        }
    }
  return NULL;
}

/* Gives an event of the rank that receives the message which the named event sends or receives. */
static const struct lc_replay_mpi_event *
turn_find_receive (struct lc_replay_mpi_header *header, const LcReplayStop *stop,
                   const struct lc_replay_mpi_rank **rank)
{
  const struct lc_replay_mpi_event *event = turn_find_event (header, stop, rank);

  if (event == NULL || turn_channel (header, event) == NULL)
    return NULL;
  if (turn_receives (header, *rank, event))
    return event;
  return turn_find_other_side (header, event, FALSE, rank);
}

/* The other message is what came before this one for receives that ask for the same. */
static const TurnMessage *
turn_find_before (const Turning *turning, const TurnMessage *second)
{
  const char *wanted = turn_find_wanted (turning->header, second->object, ':');

  for (const TurnMessage *message = second; message > &g_array_index (turning->messages, TurnMessage, 0);)
    if ((--message)->is_blind && strcmp (turn_find_wanted (turning->header, message->object, ':'), wanted) == 0)
      return message;
  return NULL;
}

/* --- Whether it can be ---------------------------------------------------------------------------------------- */

static LcReplayStop
turn_place (const Turning *turning, guint64 number)
{
  const struct lc_replay_mpi_event *event = lc_replay_mpi_event (turning->header, turning->rank, number);

  return (LcReplayStop){turning->rank->process, event != NULL ? event->ordinal : 0};
}

/* Whether several threads of a rank have used MPI. */
static gboolean
turn_has_threads (const Turning *turning, guint32 number)
{
  for (guint32 i = turning->header->n_numbers; i < turning->header->n_ranks; i++)
    if (lc_replay_mpi_ranks (turning->header)[i].number == number)
      return TRUE;
  return FALSE;
}

/* Finds a message of the channel of `later` between the two, which MPI gives before that one. */
static const TurnMessage *
turn_find_between (const TurnMessage *earlier, const TurnMessage *later)
{
  for (const TurnMessage *message = earlier + 1; message < later; message++)
    if (message->object == later->object)
      return message;
  return NULL;
}

/* `earlier` and `later` are the same two in the order in which MPI gave them. */
static LcReplayMpiObstacle
turn_judge (const Turning *turning, const TurnMessage *first, const TurnMessage *second, LcReplayMpiTurn *turn)
{
  const struct lc_replay_mpi_object *objects = lc_replay_mpi_objects (turning->header);
  const TurnMessage *earlier = MIN (first, second), *later = MAX (first, second);
  const TurnMessage *between = turn_find_between (earlier, later);
  const guint32 sender = objects[second->object].from;

  turn->at = turn->sending;
  if (objects[first->object].from == sender)
    return turn_has_threads (turning, sender) ? LC_REPLAY_MPI_THREADS : LC_REPLAY_MPI_ONE_SENDER;
  if (first->told > second->told)
    return LC_REPLAY_MPI_NOT_BEFORE;
  turn->at = turn_place (turning, first->is_blind ? second->told : first->told);
  if (!first->is_blind || !second->is_blind)
    return LC_REPLAY_MPI_NAMED;
  if (strcmp (turn_find_wanted (turning->header, first->object, '@'),
              turn_find_wanted (turning->header, second->object, '@')) != 0)
    return LC_REPLAY_MPI_TWO_COMMUNICATORS;
  if (turn_has_threads (turning, turning->rank->number))
    return LC_REPLAY_MPI_THREADS;
  if (between == NULL)
    return LC_REPLAY_MPI_NONE;
  turn->at = turn_place (turning, between->told);
  return LC_REPLAY_MPI_EARLIER;
}

/* --- Changing ------------------------------------------------------------------------------------------------- */

/* Names another message where `later` and those between were received. `last`: the last number on the channel of
 * `earlier` up to there. */
static void
turn_rename (struct lc_replay_mpi_event *event, const TurnMessage *earlier, const TurnMessage *later, guint64 last)
{
  if (event->object == later->object && event->sequence == later->sequence)
    {
      event->object = earlier->object;
      event->sequence = last;
    }
  else if (event->object == earlier->object && event->sequence == earlier->sequence)
    {
      event->object = later->object;
      event->sequence = later->sequence;
      if (event->operation == LC_PROBE || event->operation == LC_RECV)
        event->flags |= LC_REPLAY_MPI_BY_SENDER;
    }
  else if (event->object == earlier->object && event->sequence > earlier->sequence && event->sequence <= last)
    event->sequence--;
}

static void
turn_change (const Turning *turning, const TurnMessage *first, const TurnMessage *second, gboolean frees)
{
  const TurnMessage *earlier = MIN (first, second), *later = MAX (first, second);
  struct lc_replay_mpi_event *events =
      (struct lc_replay_mpi_event *)(void *)((char *)turning->header + turning->header->events);
  guint64 last = earlier->sequence;

  for (const TurnMessage *message = earlier; message < later; message++)
    if (message->object == earlier->object)
      last = MAX (last, message->sequence);
  for (guint64 i = 0; i < turning->rank->n_events; i++)
    if (turn_receives (turning->header, turning->rank, &events[turning->rank->first + i]))
      turn_rename (&events[turning->rank->first + i], earlier, later, last);
  if (frees)
    events[turning->rank->first + first->last_blind].flags |= LC_REPLAY_MPI_FREES;
}

/* --- All ------------------------------------------------------------------------------------------------------ */

static void
turn_describe (const Turning *turning, const TurnMessage *first, const TurnMessage *second, LcReplayMpiTurn *turn)
{
  const struct lc_replay_mpi_event message = {.object = second->object, .sequence = second->sequence};
  const struct lc_replay_mpi_rank *sender = NULL;
  const struct lc_replay_mpi_event *sent = turn_find_other_side (turning->header, &message, TRUE, &sender);

  turn->rank = (guint32)(turning->rank - lc_replay_mpi_ranks (turning->header));
  turn->number = first->told;
  turn->first = turn_place (turning, first->told);
  turn->second = turn_place (turning, second->told);
  turn->sending = sent != NULL ? (LcReplayStop){sender->process, sent->ordinal} : (LcReplayStop){LC_REPLAY_NONE, 0};
}

LcReplayMpiObstacle
lc_replay_mpi_plan_turn_round (struct lc_replay_mpi_header *header, const LcReplayStop *first,
                               const LcReplayStop *second, gboolean frees, LcReplayMpiTurn *turn)
{
  const struct lc_replay_mpi_rank *rank = NULL, *other = NULL;
  const struct lc_replay_mpi_event *late = turn_find_receive (header, second, &rank), *early = NULL;
  g_auto (Turning) turning = {NULL};
  const TurnMessage *one, *two;
  LcReplayMpiObstacle obstacle;

  *turn = (LcReplayMpiTurn){.at = *second};
  if (late == NULL)
    return LC_REPLAY_MPI_NO_MESSAGE;
  if (first->process != LC_REPLAY_NONE)
    {
      early = turn_find_receive (header, first, &other);
      turn->at = *first;
      if (early == NULL)
        return LC_REPLAY_MPI_NO_MESSAGE;
      if (other->number != rank->number)
        return LC_REPLAY_MPI_TWO_RANKS;
    }
  turning_begin (&turning, header, rank);
  two = turn_find_message (&turning, late);
  one = early != NULL ? turn_find_message (&turning, early) : two != NULL ? turn_find_before (&turning, two) : NULL;
  if (two == NULL || one == NULL)
    return early != NULL ? LC_REPLAY_MPI_THREADS : LC_REPLAY_MPI_NO_FIRST;
  if (!one->is_told || !two->is_told)
    return LC_REPLAY_MPI_NO_MESSAGE;
  turn_describe (&turning, one, two, turn);
  obstacle = turn_judge (&turning, one, two, turn);
  if (obstacle == LC_REPLAY_MPI_NONE)
    turn_change (&turning, one, two, frees);
  return obstacle;
}
