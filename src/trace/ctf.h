/* SPDX-License-Identifier: Apache-2.0 */
/* Internals shared by the files of the CTF reader. */
#ifndef LC_TRACE_CTF_H
#define LC_TRACE_CTF_H

#include "packets.h"
#include "reader.h"

/* Object numbers per block: a file may have a record with a large number and none before it. */
#define LC_CTF_BLOCK 4096

/* By record number: blocks of LC_CTF_BLOCK guint32, or NULL. */
typedef GPtrArray LcCtfMap;

/* The mapping from records of an address space to objects and stacks of the trace; LC_TRACE_NONE: no such record. */
typedef struct
{
  guint32 number;
  LcCtfMap *objects;
  LcCtfMap *stacks;
  guint64 n_requests; /* number of requests in the file when the trace was opened */
} LcCtfInstance;

void lc_ctf_map_set (LcCtfMap *map, guint32 number, guint32 value);

static inline guint32
lc_ctf_map_get (const LcCtfMap *map, guint32 number)
{
  const guint32 *values = number / LC_CTF_BLOCK < map->len ? map->pdata[number / LC_CTF_BLOCK] : NULL;

  return values != NULL ? values[number % LC_CTF_BLOCK] : LC_TRACE_NONE;
}

/* The events of a process: in its stream, and then in its head. */
typedef struct
{
  char *name;         /* of the file in the folder of streams */
  guint64 size;       /* of the stream when the trace was opened */
  LcPackets last;     /* state after the last good packet; found 0: there is none */
  const LcHead *head; /* NULL: there is none, or it is already in the stream */
  guint64 begin;      /* ticks */
  guint64 end;
  gboolean is_cut;      /* it had begun before its first packet that is there */
  guint64 ready;        /* when the rank of the process was ready; 0: no rank */
  guint64 asked;        /* when the kernel was asked for what is known of the process; 0: it was not */
  guint64 ended;        /* of the process, as an account says; 0: not known */
  gboolean tells_exit;  /* the cursor gives an exit at `ended`, which is not in the stream */
  guint64 absent_until; /* ticks: absences of a thread of this number that begin later are not the process's */
} LcCtfStream;

/* Absences of one thread. */
typedef struct
{
  guint32 thread;
  guint32 file; /* index of its name */
  guint32 count;
  guint64 place; /* of the first one in the file */
  guint64 begin; /* ticks */
} LcCtfSwitchPack;

typedef struct
{
  LcFolder *base;    /* folder of trace.ini, the heads and the objects */
  LcFolder *streams; /* folder of the streams */
  gboolean is_flat;  /* both folders are the same */
  guint8 uuid[16];
  gboolean has_uuid;
  const char *host;      /* or NULL */
  GHashTable *numbers;   /* process number -> index */
  GHashTable *ranks;     /* rank -> index of its first process */
  GHashTable *instances; /* number -> LcCtfInstance, owned */
  LcCtfInstance *shared;
  LcHeads *heads;
  GPtrArray *switch_files; /* char *: names of the files of switches that can be read */
  GArray *switch_packs;    /* LcCtfSwitchPack, by thread and time */
  gboolean is_refused;     /* switches of some program were not recorded */
  GArray *by_process;      /* LcCtfStream */
  GArray *children;        /* of ctf-children.c; NULL: not known yet */
} LcCtf;

/* Returns a name like "ctf/process-3" or "process-3": the path of a stream relative to the trace. */
const char *lc_ctf_relative_name (LcTrace *trace, const char *name);

/* Lists LcNumberedFile: none, and a problem is counted, if the folder cannot be read this time. */
GArray *lc_ctf_list_numbered (LcTrace *trace, const char *prefix);

/*
 * ctf-processes.c: adds the processes, with times in ticks and parents by number, and sets `readable` if any packet is.
 * lc_ctf_set_clock then converts their times; and lc_ctf_find_pending, when the objects are known, finds what they were
 * waiting for.
 */
gboolean lc_ctf_read_processes (LcTrace *trace, gboolean *readable, GError **error);
void lc_ctf_set_clock (LcTrace *trace, gboolean known);
void lc_ctf_find_pending (LcTrace *trace);

/* ctf-accounts.c: when processes ended, and what the kernel said of them. When the pending operations are known. */
void lc_ctf_read_accounts (LcTrace *trace);

/* Takes the time, in ticks, before a trace is read; 0: it is not being recorded. */
guint64 lc_ctf_take_moment (const LcTrace *trace);

/* Sets until when a recording that goes on has been read, once what is pending in it is known. */
void lc_ctf_set_until (LcTrace *trace, guint64 moment);

/* ctf-switches.c: finds the absences of the processes, and reads them. When the ends of processes are known. */
void lc_ctf_find_switches (LcTrace *trace);
LcAbsences *lc_ctf_absences_open (LcTrace *trace, guint32 process, GError **error);
gssize lc_ctf_absences_next (LcAbsences *absences, LcAbsence *next, gsize room, GError **error);
void lc_ctf_absences_close (LcAbsences *absences);

/* ctf-children.c: finds the processes that others can have waited for, when their ends are known; and whose end a
 * child-wait of process `parent` has waited for, or LC_TRACE_NONE. */
void lc_ctf_find_children (LcTrace *trace);
guint32 lc_ctf_find_child (const LcTrace *trace, guint32 parent, const LcTraceEvent *event);

/* When all of that is known: what lies in the gaps at the begin and the end of the trace is left out. */
void lc_ctf_keep_within (LcTrace *trace);

/* Returns the header that says how the process ended; NULL: no packet is readable. */
const struct lc_packet *lc_ctf_last_packet (const LcCtfStream *stream);
void lc_ctf_read_last_events (const LcCtf *ctf, const LcCtfStream *stream, LcPacketEvents *events);

/* Returns the names that the program gave to objects of a file by their addresses, by record; NULL: none. */
GHashTable *lc_ctf_read_names (LcTrace *trace, const char *file);

/* Adds the objects of the processes and of the trace, and the mapping from records to them. */
gboolean lc_ctf_read_objects (LcTrace *trace, GError **error);

/* Returns NULL if nothing is known about the address space. */
const LcCtfInstance *lc_ctf_find_instance (const LcCtf *ctf, guint32 number);

/* Returns the object of an event; LC_TRACE_NONE if it is unknown, and then `unknown` is set unless the event named
 * none. */
guint32 lc_ctf_find_object (const LcCtf *ctf, const LcCtfInstance *instance, guint32 operation, guint32 number,
                            gboolean *unknown);

/* Returns the stack of an event's or object's site; LC_TRACE_NONE if it has none, or it is unknown, and then `unknown`
 * is set. */
static inline guint32
lc_ctf_find_stack (const LcCtfInstance *instance, guint32 site, gboolean *unknown)
{
  const guint32 stack = site != 0 && instance != NULL ? lc_ctf_map_get (instance->stacks, site) : LC_TRACE_NONE;

  *unknown = site != 0 && stack == LC_TRACE_NONE;
  return stack;
}

guint32 lc_ctf_find_process (const LcCtf *ctf, guint32 number);
guint32 lc_ctf_find_rank (const LcCtf *ctf, guint32 rank);

/* ctf-cursor.c: the cursors of the reader. */
LcTraceCursor *lc_ctf_cursor_open (LcTrace *trace, guint32 process);
gboolean lc_ctf_cursor_next (LcTraceCursor *cursor, LcTraceBatch *batch);
void lc_ctf_cursor_close (LcTraceCursor *cursor);

/* How many events a cursor gives, when there are so many in the file and some of them are not within what is kept; and
 * when the last of them ends, if the trace ends in a gap and there is one. */
guint64 lc_ctf_cursor_count (LcTrace *trace, guint32 process, guint64 in_file, guint64 *end);

#endif
