/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of a process's stream. Their content is never trusted. */
#ifndef LC_TRACE_PACKETS_H
#define LC_TRACE_PACKETS_H

#include "heads.h"

/* The file to report problems about, and where to count them; problems NULL: nowhere. */
typedef struct
{
  LcProblems *problems;
  const char *file;
} LcStreamReport;

typedef struct
{
  const guint8 *uuid; /* required of all packets; NULL: any */
  const LcHead *head; /* replaces its unfinished copy at the end of the stream; NULL: there is none */
  guint64 file_size;
  struct lc_packet header; /* of the packet found last */
  guint64 offset;          /* begin of that packet */
  guint64 content_end;     /* end of its events, within the file */
  guint64 next;            /* expected begin of the packet after it */
  guint64 found;           /* number of good packets */
  gboolean damaged;        /* some bytes belong to no good packet */
} LcPackets;

/*
 * Finds the next good packet of the file `fd`; after damage it searches for one within some distance. FALSE: there is
 * none.
 */
gboolean lc_packets_next (LcPackets *packets, int fd, const LcStreamReport *report);

/*
 * Finds the next packet in memory: `bytes` is the content of the file from packets->next on. FALSE, with nothing
 * changed: the packet is not whole there, or something about it is doubtful.
 */
gboolean lc_packets_next_mapped (LcPackets *packets, const guint8 *bytes, gsize size);

/* TRUE if the head is not in the stream, which `packets` has read to its end. */
gboolean lc_packets_need_head (const LcPackets *packets);

/* Reads the events of the packet found last. FALSE: errno. */
gboolean lc_packets_read_events (const LcPackets *packets, int fd, LcPacketEvents *events);

#endif
