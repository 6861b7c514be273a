/* SPDX-License-Identifier: Apache-2.0 */
/* The last packets of processes that are not in their streams yet: heads-0 and packets-0 of an unclosed recording. */
#ifndef LC_TRACE_HEADS_H
#define LC_TRACE_HEADS_H

#include "folder.h"
#include "problems.h"

/* A packet outside its stream. */
typedef struct
{
  struct lc_packet header;
  const guint8 *bytes; /* the header and the events */
  gsize size;
  const char *file; /* "heads-0" or "packets-0" */
  guint64 offset;   /* within the file */
} LcHead;

typedef struct _LcHeads LcHeads;

/*
 * Reads the heads of the trace in `folder`, and never fails: unreadable ones are counted in `problems`, unless that is
 * NULL. `uuid` NULL: accepts those of any recording.
 */
LcHeads *lc_heads_read (const LcFolder *folder, const guint8 *uuid, LcProblems *problems);
void lc_heads_free (LcHeads *heads);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcHeads, lc_heads_free)

/* Returns the first packet of a process, or NULL. Belongs to `heads`. */
const LcHead *lc_heads_find (const LcHeads *heads, guint32 process);

/* Returns all packets of a process after packet `number` (-1: all) as one; NULL: there are none. Belongs to `heads`. */
const LcHead *lc_heads_find_after (LcHeads *heads, guint32 process, gint64 number);

/*
 * Returns the numbers (guint32, sorted) of all processes that have a head, or a file process-N in the folder `streams`.
 * NULL: error.
 */
GArray *lc_heads_list_streams (const LcHeads *heads, const LcFolder *streams, GError **error);

/* Returns the last packet (const LcHead *) of each process that has one, in no order. */
GArray *lc_heads_list (const LcHeads *heads);

/* TRUE if the header has the magic number and, unless that is NULL, the uuid. */
gboolean lc_packet_is_ours (const struct lc_packet *header, const guint8 *uuid);

/* A summary of a packet's events, of which only the sizes are checked. */
typedef struct
{
  guint64 count;
  guint64 first_begin; /* ticks, of the first event; if `count` is 0: not set */
  guint64 last_end;    /* ticks, the largest end; 0: no event */
  guint64 bytes;       /* of the readable events */
  guint16 last_operation;
} LcPacketEvents;

/* Adds the events that begin at `bytes`, in a packet with this version of the format. */
void lc_packet_events_read (LcPacketEvents *events, guint64 version, const guint8 *bytes, gsize size);

#endif
