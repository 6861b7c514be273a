/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of one process's stream. Nothing in them is trusted. */
#ifndef LC_TRACE_PACKETS_H
#define LC_TRACE_PACKETS_H

#include "heads.h"

/* Where problems are counted; problems NULL: nowhere. */
typedef struct
{
  LcProblems *problems;
  const char *file;
} LcStreamReport;

typedef struct
{
  const guint8 *uuid; /* that all packets must have; NULL: any */
  const LcHead *head; /* it replaces its own unfinished copy at the end of the stream; NULL: there is none */
  guint64 file_size;
  struct lc_packet header; /* of the packet found last */
  guint64 offset;          /* where that begins */
  guint64 content_end;     /* and where its events end, within the file */
  guint64 next;            /* where the one after it should begin */
  guint64 found;           /* how many were good */
  gboolean damaged;        /* bytes were found that belong to no good packet */
} LcPackets;

/*
 * Finds the next good packet of the file `fd`; FALSE: there is none. Where no packet begins, the next one is looked
 * for, not too far.
 */
gboolean lc_packets_next (LcPackets *packets, int fd, const LcStreamReport *report);

/*
 * The same where the file is mapped: `bytes` is what it holds from packets->next on. FALSE, and nothing is changed: the
 * next packet is not whole there, or not beyond all doubt.
 */
gboolean lc_packets_next_mapped (LcPackets *packets, const guint8 *bytes, gsize size);

/* TRUE if the head is not in the stream that `packets` has come to the end of. */
gboolean lc_packets_need_head (const LcPackets *packets);

/* Reads the events of the packet found last. FALSE: errno. */
gboolean lc_packets_read_events (const LcPackets *packets, int fd, LcPacketEvents *events);

#endif
