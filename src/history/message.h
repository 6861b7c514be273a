/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what an operation on a channel between MPI ranks is about: the partner, and which messages. */
#ifndef LC_HISTORY_MESSAGE_H
#define LC_HISTORY_MESSAGE_H

#include "names.h"

/* The parts of the name of a channel (docs/format.md): 0>3:7, 0>3:7@world.1. */
typedef struct
{
  guint32 from; /* ranks of the world */
  guint32 to;
  const char *what;         /* "7", "neighbour", "window.1": points into the name */
  gsize length;             /* bytes of `what` */
  const char *communicator; /* "world.1", points into the name; NULL: the world */
} LcChannelName;

/* FALSE: the name is not of this form. The parts point into `name`. */
gboolean lc_channel_name_parse (const char *name, LcChannelName *parts);

typedef struct
{
  guint32 partner;    /* the rank at the other end */
  gboolean incoming;  /* messages come from the partner to the process */
  gboolean has_tag;   /* `what` is the tag */
  char *what;         /* the tag, or whatever else tells the channel's messages from others */
  char *communicator; /* NULL: the world */
} LcMessage;

/* FALSE: the object is no channel between ranks, or the process has no rank. */
gboolean lc_message_read (LcHistory *history, LcNames *names, guint32 process, guint32 operation, guint32 object,
                          LcMessage *message);

/* Returns the name of the partner's process. Free with g_free. */
char *lc_message_dup_partner (LcHistory *history, const LcMessage *message);
void lc_message_clear (LcMessage *message);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcMessage, lc_message_clear)

#endif
