/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the name of a channel between MPI ranks, and tells what an operation on it is about. */
#include "message.h"

#include <string.h>

/* Reads a rank and the character `behind` it. */
static gboolean
message_read_rank (const char **at, char behind, guint32 *rank)
{
  guint64 number = 0;
  const char *c = *at;

  for (; g_ascii_isdigit (*c) && number <= G_MAXUINT32; c++)
    number = number * 10 + (guint64)(*c - '0');
  if (c == *at || *c != behind || number >= LC_TRACE_NONE)
    return FALSE;
  *rank = (guint32)number;
  *at = c + 1;
  return TRUE;
}

gboolean
lc_channel_name_parse (const char *name, LcChannelName *parts)
{
  const char *at = name, *end;

  if (name == NULL || !message_read_rank (&at, '>', &parts->from) || !message_read_rank (&at, ':', &parts->to))
    return FALSE;
  end = strchr (at, '@');
  parts->what = at;
  parts->length = end != NULL ? (gsize)(end - at) : strlen (at);
  parts->communicator = end != NULL ? end + 1 : NULL;
  return parts->length > 0;
}

/* Operations at the receiving end. Where both ends are the same rank, only the operation tells the direction. */
static gboolean
message_takes (const char *operation)
{
  static const char *const takers[] = {"recv", "irecv", "probe", "probe-failed", "get", NULL};

  return operation != NULL && g_strv_contains (takers, operation);
}

gboolean
lc_message_read (LcHistory *history, LcNames *names, guint32 process, guint32 operation, guint32 object,
                 LcMessage *message)
{
  guint32 rank = lc_history_get_process (history, process)->rank;
  LcChannelName parts;

  if (rank == LC_TRACE_NONE || g_strcmp0 (lc_names_object_class (names, object), "channel") != 0 ||
      !lc_channel_name_parse (lc_names_object (names, object), &parts) || (rank != parts.from && rank != parts.to))
    return FALSE;
  *message = (LcMessage){.partner = rank == parts.from ? parts.to : parts.from,
                         .incoming = rank != parts.from || message_takes (lc_names_operation (names, operation)),
                         .what = g_strndup (parts.what, parts.length),
                         .communicator = g_strdup (parts.communicator)};
  message->has_tag = strspn (message->what, "0123456789") == parts.length;
  return TRUE;
}

char *
lc_message_dup_partner (LcHistory *history, const LcMessage *message)
{
  for (guint32 i = 0; i < lc_history_get_n_processes (history); i++)
    if (lc_history_get_process (history, i)->rank == message->partner)
      return g_strdup (lc_history_get_process (history, i)->name);
  return g_strdup_printf ("rank %u", message->partner); /* the recorder's name for it */
}

void
lc_message_clear (LcMessage *message)
{
  g_free (message->what);
  g_free (message->communicator);
}
