/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the CTF reader share. */
#ifndef LC_TRACE_CTF_H
#define LC_TRACE_CTF_H

#include "packets.h"
#include "reader.h"

/* A file may have a record with a large number, and none before it. */
#define LC_CTF_BLOCK 4096

/* From the records of one address space to the objects of the trace; LC_TRACE_NONE: no such record. */
typedef struct
{
  guint32 number;
  GPtrArray *objects; /* by record number: blocks of LC_CTF_BLOCK guint32, or NULL */
  guint64 n_requests; /* in the file when the trace was opened */
} LcCtfInstance;

/* Where the events of a process are: in its stream, and then in its head. */
typedef struct
{
  char *name;         /* of its file, in the folder of the streams */
  guint64 size;       /* of the stream that was there when the trace was opened */
  LcPackets last;     /* as it was after the last good packet; found 0: there is none */
  const LcHead *head; /* NULL: there is none, or it is in the stream */
  guint64 begin;      /* ticks */
  guint64 end;
  guint64 ready; /* of the rank it belongs to; 0: it belongs to none */
} LcCtfStream;

typedef struct
{
  LcFolder *base;    /* where trace.ini, the heads and the objects are */
  LcFolder *streams; /* where the streams are */
  gboolean is_flat;  /* both are the same */
  guint8 uuid[16];
  gboolean has_uuid;
  const char *host;      /* or NULL */
  GHashTable *numbers;   /* of processes -> index */
  GHashTable *ranks;     /* -> index of the first process of that rank */
  GHashTable *instances; /* number -> LcCtfInstance, owned */
  LcCtfInstance *shared;
  LcHeads *heads;
  GArray *by_process; /* LcCtfStream */
} LcCtf;

/* "ctf/process-3" or "process-3": what a person would look for from where the trace is. */
const char *lc_ctf_relative_name (LcTrace *trace, const char *name);

/*
 * ctf-processes.c: adds the processes, with times in ticks and parents by number; `readable` says whether any packet
 * is. Then, with the clock, their times; and when the objects are known, what they were waiting for.
 */
gboolean lc_ctf_read_processes (LcTrace *trace, gboolean *readable, GError **error);
void lc_ctf_set_clock (LcTrace *trace, gboolean known);
void lc_ctf_find_pending (LcTrace *trace);

/* The header that says how the process ended; NULL: no packet can be read. */
const struct lc_packet *lc_ctf_last_packet (const LcCtfStream *stream);
void lc_ctf_read_last_events (const LcCtf *ctf, const LcCtfStream *stream, LcPacketEvents *events);

/* Adds the processes and the objects of the trace, and reads all that maps records to them. */
gboolean lc_ctf_read_objects (LcTrace *trace, GError **error);

/* NULL: nothing is known about that address space. */
const LcCtfInstance *lc_ctf_find_instance (const LcCtf *ctf, guint32 number);

/* Which object an event means; LC_TRACE_NONE if it is unknown, and then `unknown` is set unless the event named none.
 */
guint32 lc_ctf_find_object (const LcCtf *ctf, const LcCtfInstance *instance, guint32 operation, guint32 number,
                            gboolean *unknown);

guint32 lc_ctf_find_process (const LcCtf *ctf, guint32 number);
guint32 lc_ctf_find_rank (const LcCtf *ctf, guint32 rank);

/* The cursor's part of the reader. */
LcTraceCursor *lc_ctf_cursor_open (LcTrace *trace, guint32 process);
gboolean lc_ctf_cursor_next (LcTraceCursor *cursor, LcTraceBatch *batch);
void lc_ctf_cursor_close (LcTraceCursor *cursor);

#endif
