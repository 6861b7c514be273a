/* SPDX-License-Identifier: Apache-2.0 */
/* The last packets of processes that are not in their streams yet: heads-0 and packets-0, of a recording not closed. */
#ifndef LC_TRACE_HEADS_H
#define LC_TRACE_HEADS_H

#include "folder.h"
#include "problems.h"

/* One packet. */
typedef struct
{
  struct lc_packet header;
  const guint8 *bytes; /* the header and the events */
  gsize size;
  const char *file; /* "heads-0" */
  guint64 offset;   /* where in it */
} LcHead;

typedef struct _LcHeads LcHeads;

/*
 * Reads the heads of the trace in `folder`. Never fails: what cannot be read is counted, if `problems` is not NULL.
 * `uuid` NULL: those of any recording.
 */
LcHeads *lc_heads_read (const LcFolder *folder, const guint8 *uuid, LcProblems *problems);
void lc_heads_free (LcHeads *heads);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcHeads, lc_heads_free)

/* What there is of a process, or NULL. Of several packets the first one. It belongs to `heads`. */
const LcHead *lc_heads_find (const LcHeads *heads, guint32 process);

/* All packets of a process behind that of this number (-1: all) as one; NULL: there are none. It belongs to `heads`. */
const LcHead *lc_heads_find_after (LcHeads *heads, guint32 process, gint64 number);

/*
 * The numbers (guint32, sorted) of all processes that have a head, or a process-N in the folder `streams`. NULL: error.
 */
GArray *lc_heads_list_streams (const LcHeads *heads, const LcFolder *streams, GError **error);

/* The last packet (const LcHead *) of each process that has one, in no order. */
GArray *lc_heads_list (const LcHeads *heads);

/* TRUE if it begins with our magic number and, unless that is NULL, has that uuid. */
gboolean lc_packet_is_ours (const struct lc_packet *header, const guint8 *uuid);

/* What the events of a packet say, without judging more than their sizes. */
typedef struct
{
  guint64 count;
  guint64 last_end; /* ticks, the largest; 0: no event */
  guint64 bytes;    /* of the events that can be read */
} LcPacketEvents;

/* Adds the events that begin at `bytes`, in a packet of that version of the format. */
void lc_packet_events_read (LcPacketEvents *events, guint64 version, const guint8 *bytes, gsize size);

#endif
