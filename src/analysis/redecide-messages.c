/* SPDX-License-Identifier: Apache-2.0 */
/* Messages on their way to receives from any partner: chooses the first one to come, or the last. */
#include "redecide-private.h"

#include <string.h>

/* The messages to one receiver with one tag: a blind receive accepts any sender, but may ask for a tag. */
typedef struct
{
  GSequence *messages; /* LcPostedMessage *, by arrival */
  guint32 receiver;
  gboolean waiting;
} Mailbox;

struct _LcMailboxes
{
  const LcSurvey *survey;
  GHashTable *boxes;     /* "RECEIVER:TAG" -> Mailbox */
  GHashTable *by_object; /* channel -> Mailbox, borrowed */
};

static void
mailbox_free (gpointer data)
{
  Mailbox *box = data;

  g_sequence_free (box->messages);
  g_free (box);
}

/* Returns the part of a channel's name after the ranks. */
static const char *
find_tag (const char *name)
{
  const char *colon = name != NULL ? strchr (name, ':') : NULL;

  return colon != NULL ? colon + 1 : "";
}

static void
redecide_messages_add_box (LcMailboxes *mailboxes, guint32 channel)
{
  guint32 receiver = mailboxes->survey->objects[channel].receiver;
  g_autofree char *name = NULL;
  LcTraceObject object;
  Mailbox *box;

  lc_trace_get_object (mailboxes->survey->trace, channel, &object);
  name = g_strdup_printf ("%u:%s", receiver, find_tag (object.name));
  box = g_hash_table_lookup (mailboxes->boxes, name);
  if (box == NULL)
    {
      box = g_new0 (Mailbox, 1);
      box->messages = g_sequence_new (g_free);
      box->receiver = receiver;
      g_hash_table_insert (mailboxes->boxes, g_steal_pointer (&name), box);
    }
  g_hash_table_insert (mailboxes->by_object, GUINT_TO_POINTER (channel), box);
}

LcMailboxes *
lc_mailboxes_new (const LcSurvey *survey)
{
  LcMailboxes *mailboxes = g_new0 (LcMailboxes, 1);

  mailboxes->survey = survey;
  mailboxes->boxes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, mailbox_free);
  mailboxes->by_object = g_hash_table_new (NULL, NULL);
  for (guint32 i = 0; i < survey->n_objects; i++)
    if (lc_survey_is_open (survey, i, LC_OBJECT_BLIND))
      redecide_messages_add_box (mailboxes, i);
  return mailboxes;
}

void
lc_mailboxes_free (LcMailboxes *mailboxes)
{
  g_hash_table_unref (mailboxes->by_object);
  g_hash_table_unref (mailboxes->boxes);
  g_free (mailboxes);
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Messages that arrive at the same time are ordered by sender, and then by name, so that the order is total. */
static int
redecide_messages_compare (gconstpointer one, gconstpointer other, gpointer data)
{
  const LcPostedMessage *a = one, *b = other;

  if (a->arrival != b->arrival)
    return COMPARE (a->arrival, b->arrival);
  if (a->sender != b->sender)
    return COMPARE (a->sender, b->sender);
  if (a->object != b->object)
    return COMPARE (a->object, b->object);
  return COMPARE (a->sequence, b->sequence);
}

guint32
lc_mailboxes_post (LcMailboxes *mailboxes, const LcPostedMessage *message)
{
  const LcSurveyed *channel = &mailboxes->survey->objects[message->object];
  Mailbox *box = g_hash_table_lookup (mailboxes->by_object, GUINT_TO_POINTER (message->object));
  gboolean waiting = box->waiting;

  if (message->sequence < channel->numbers.first || message->sequence > channel->numbers.last)
    return LC_TRACE_NONE; /* the trace has no receive of it */
  g_sequence_insert_sorted (box->messages, g_memdup2 (message, sizeof *message), redecide_messages_compare, NULL);
  box->waiting = FALSE;
  return waiting ? box->receiver : LC_TRACE_NONE;
}

/* Returns the last message that has come by `time`, or else the first one. */
static GSequenceIter *
find_newest (const Mailbox *box, guint64 time)
{
  const LcPostedMessage after_all = {time, 0, G_MAXINT64, G_MAXUINT32, G_MAXUINT32};
  GSequenceIter *after = g_sequence_search (box->messages, (gpointer)&after_all, redecide_messages_compare, NULL);

  return g_sequence_iter_is_begin (after) ? after : g_sequence_iter_prev (after);
}

LcSweepVerdict
lc_mailboxes_take (LcMailboxes *mailboxes, LcBlindPolicy policy, guint32 object, guint64 begin, guint64 now,
                   LcPostedMessage *message, guint64 *when)
{
  Mailbox *box = g_hash_table_lookup (mailboxes->by_object, GUINT_TO_POINTER (object));
  GSequenceIter *chosen = g_sequence_get_begin_iter (box->messages);

  if (g_sequence_iter_is_end (chosen))
    {
      box->waiting = TRUE;
      return LC_SWEEP_HELD;
    }
  if (policy == LC_BLIND_LIFO)
    chosen = find_newest (box, begin);
  *message = *(LcPostedMessage *)g_sequence_get (chosen);
  if (message->arrival > MAX (begin, now))
    {
      *when = message->arrival;
      return LC_SWEEP_LATER;
    }
  g_sequence_remove (chosen);
  return LC_SWEEP_GO;
}
