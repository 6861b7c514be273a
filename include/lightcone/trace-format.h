/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a binary trace: written by the recorder, read by everyone else. docs/format.md explains it. */
#ifndef LIGHTCONE_TRACE_FORMAT_H
#define LIGHTCONE_TRACE_FORMAT_H

#include <stdint.h>

/*
 * A trace directory holds
 *
 *   trace.ini           what is known about the measurement (GKeyFile)
 *   ctf/metadata        the CTF 1.8 description of the streams
 *   ctf/process-N       the private history of process N: packets of events
 *   heads-0             the places in which the program writes, while the recording goes on, and
 *   packets-0           the packets of processes that ended within their first one
 *   objects-I           what the program's I-th address space (instance) named: objects, regions, functions
 *   objects-shared      the objects that several instances use together
 *   symbols-I           the names of the functions of objects-I, one "ID NAME" a line
 *   requests-I          what became of the receives that the instance began without waiting
 *   snapshots/N         matrices of the program's own, in the order in which they were taken
 *   switches-N          when threads were off their processors, as the kernel's scheduler told
 *   .control            settings and counters, while the recording goes on
 *
 * The streams have a folder of their own because a CTF reader takes every file beside `metadata` for one.
 * Everything is little-endian. Times are clock ticks: the metadata's clock says how many a second.
 */

#define LC_FORMAT_VERSION 3   /* of packets and their events */
#define LC_OBJECTS_VERSION 1  /* of objects-I and objects-shared */
#define LC_SNAPSHOT_VERSION 1 /* of snapshots/N */
#define LC_SWITCHES_VERSION 1 /* of switches-N */
#define LC_CTF_MAGIC UINT32_C (0xC1FC1FC1)
#define LC_HEAD_BYTES (64 << 10)

/* The class of an operation gives it its meaning. */
enum lc_class
{
  LC_CLASS_NONE,
  LC_CLASS_MUTEX,
  LC_CLASS_CREW,
  LC_CLASS_ADVANCE,
  LC_CLASS_SEMAPHORE,
  LC_CLASS_CONDITION,
  LC_CLASS_BARRIER,
  LC_CLASS_CHANNEL,
  LC_CLASS_COLLECTIVE,
  LC_CLASS_THREAD,
  LC_CLASS_MARK,     /* tag, snapshot, and regions that the program names itself */
  LC_CLASS_FUNCTION, /* regions that are functions of an instrumented program */
  LC_CLASS_MODULE,   /* a file of code; not an object */
  LC_CLASS_SITE,     /* a place in the code, and what called it; not an object */
  LC_CLASS_NAME,     /* the name that the program gives to the object at an address; not an object */
  LC_CLASS_FUTEX,    /* a word of memory that threads sleep at by the system's own call */
  LC_CLASS_TEAM,     /* parallel regions of OpenMP, and the chunks of their loops */
  LC_CLASS_TASK,     /* tasks of OpenMP */
  LC_CLASS_ACCOUNT,  /* what the kernel says of a thread, and when that ended; not an object */
  LC_CLASS_IO,       /* what leaves the program: files, pipes, sockets, timers, children */
  LC_CLASSES
};

/* X (name of the class) in the order of enum lc_class. */
#define LC_CLASS_NAMES(X) \
  X ("none") \
  X ("mutex") \
  X ("crew") \
  X ("advance") \
  X ("semaphore") \
  X ("condition") \
  X ("barrier") \
  X ("channel") \
  X ("collective") \
  X ("thread") \
  X ("mark") \
  X ("function") \
  X ("module") \
  X ("site") \
  X ("name") \
  X ("futex") \
  X ("team") \
  X ("task") \
  X ("account") \
  X ("io")

/*
 * The layout of an event's bytes. Packets of version 1 and 2 have the same without `site`, and without what follows it:
 * 32 bytes for the second and the third, 40 for the fourth (in version 1 as LC_LAYOUT_SYNC), and 16 for the last.
 */
enum lc_layout
{
  LC_LAYOUT_MARK,       /* 16 bytes: struct lc_event_mark */
  LC_LAYOUT_SYNC,       /* 40 bytes: struct lc_event_sync, sequence 40 bits and value 24 */
  LC_LAYOUT_MESSAGE,    /* 40 bytes: struct lc_event_sync, sequence 32 bits and value (bytes) 32 */
  LC_LAYOUT_COLLECTIVE, /* 48 bytes: struct lc_event_collective */
  LC_LAYOUT_TAG,        /* 24 bytes: struct lc_event_tag */
};

/* X (identifier, number in the trace, name, class, layout). A number is never used for another operation. */
#define LC_OPERATIONS(X) \
  X (LOCK, 1, "lock", MUTEX, SYNC) \
  X (UNLOCK, 2, "unlock", MUTEX, SYNC) \
  X (LOCK_FAILED, 3, "lock-failed", MUTEX, SYNC) \
  X (READ_START, 8, "read-start", CREW, SYNC) \
  X (READ_END, 9, "read-end", CREW, SYNC) \
  X (WRITE_START, 10, "write-start", CREW, SYNC) \
  X (WRITE_END, 11, "write-end", CREW, SYNC) \
  X (READ_FAILED, 12, "read-failed", CREW, SYNC) \
  X (WRITE_FAILED, 13, "write-failed", CREW, SYNC) \
  X (ADVANCE, 16, "advance", ADVANCE, SYNC) \
  X (AWAIT, 17, "await", ADVANCE, SYNC) \
  X (POST, 24, "post", SEMAPHORE, SYNC) \
  X (WAIT, 25, "wait", SEMAPHORE, SYNC) \
  X (WAIT_FAILED, 26, "wait-failed", SEMAPHORE, SYNC) \
  X (SIGNAL, 32, "signal", CONDITION, SYNC) \
  X (BROADCAST, 33, "broadcast", CONDITION, SYNC) \
  X (CONDITION_WAIT, 34, "condition-wait", CONDITION, SYNC) \
  X (CONDITION_WAIT_FAILED, 35, "condition-wait-failed", CONDITION, SYNC) \
  X (BARRIER, 40, "barrier", BARRIER, SYNC) \
  X (SEND, 48, "send", CHANNEL, MESSAGE) \
  X (RECV, 49, "recv", CHANNEL, MESSAGE) \
  X (SSEND, 50, "ssend", CHANNEL, MESSAGE) \
  X (ISEND, 51, "isend", CHANNEL, MESSAGE) \
  X (IRECV, 52, "irecv", CHANNEL, MESSAGE) \
  X (COMPLETE, 53, "complete", CHANNEL, MESSAGE) \
  X (TEST_FAILED, 54, "test-failed", CHANNEL, MESSAGE) \
  X (PROBE, 55, "probe", CHANNEL, MESSAGE) \
  X (PROBE_FAILED, 56, "probe-failed", CHANNEL, MESSAGE) \
  X (PUT, 57, "put", CHANNEL, MESSAGE) \
  X (GET, 58, "get", CHANNEL, MESSAGE) \
  X (ACCUMULATE, 59, "accumulate", CHANNEL, MESSAGE) \
  X (COMMUNICATOR, 62, "communicator", COLLECTIVE, COLLECTIVE) \
  X (FENCE, 63, "fence", COLLECTIVE, COLLECTIVE) \
  X (BROADCAST_ROOT, 64, "broadcast-root", COLLECTIVE, COLLECTIVE) \
  X (BROADCAST_RECV, 65, "broadcast-recv", COLLECTIVE, COLLECTIVE) \
  X (SCATTER_ROOT, 66, "scatter-root", COLLECTIVE, COLLECTIVE) \
  X (SCATTER, 67, "scatter", COLLECTIVE, COLLECTIVE) \
  X (REDUCE, 68, "reduce", COLLECTIVE, COLLECTIVE) \
  X (REDUCE_ROOT, 69, "reduce-root", COLLECTIVE, COLLECTIVE) \
  X (GATHER, 70, "gather", COLLECTIVE, COLLECTIVE) \
  X (GATHER_ROOT, 71, "gather-root", COLLECTIVE, COLLECTIVE) \
  X (ALL_REDUCE, 72, "all-reduce", COLLECTIVE, COLLECTIVE) \
  X (ALL_GATHER, 73, "all-gather", COLLECTIVE, COLLECTIVE) \
  X (ALL_TO_ALL, 74, "all-to-all", COLLECTIVE, COLLECTIVE) \
  X (REDUCE_SCATTER, 75, "reduce-scatter", COLLECTIVE, COLLECTIVE) \
  X (SCAN, 76, "scan", COLLECTIVE, COLLECTIVE) \
  X (IBARRIER, 77, "ibarrier", COLLECTIVE, COLLECTIVE) \
  X (IBROADCAST_ROOT, 78, "ibroadcast-root", COLLECTIVE, COLLECTIVE) \
  X (IBROADCAST_RECV, 79, "ibroadcast-recv", COLLECTIVE, COLLECTIVE) \
  X (ISCATTER_ROOT, 80, "iscatter-root", COLLECTIVE, COLLECTIVE) \
  X (ISCATTER, 81, "iscatter", COLLECTIVE, COLLECTIVE) \
  X (IREDUCE, 82, "ireduce", COLLECTIVE, COLLECTIVE) \
  X (IREDUCE_ROOT, 83, "ireduce-root", COLLECTIVE, COLLECTIVE) \
  X (IGATHER, 84, "igather", COLLECTIVE, COLLECTIVE) \
  X (IGATHER_ROOT, 85, "igather-root", COLLECTIVE, COLLECTIVE) \
  X (IALL_REDUCE, 86, "iall-reduce", COLLECTIVE, COLLECTIVE) \
  X (IALL_GATHER, 87, "iall-gather", COLLECTIVE, COLLECTIVE) \
  X (IALL_TO_ALL, 88, "iall-to-all", COLLECTIVE, COLLECTIVE) \
  X (IREDUCE_SCATTER, 89, "ireduce-scatter", COLLECTIVE, COLLECTIVE) \
  X (ISCAN, 90, "iscan", COLLECTIVE, COLLECTIVE) \
  X (FINISH_LOCAL, 91, "finish-local", COLLECTIVE, COLLECTIVE) \
  X (FINISH_FROM_ROOT, 92, "finish-from-root", COLLECTIVE, COLLECTIVE) \
  X (FINISH_AT_ROOT, 93, "finish-at-root", COLLECTIVE, COLLECTIVE) \
  X (FINISH_ALL, 94, "finish-all", COLLECTIVE, COLLECTIVE) \
  X (FINISH_FAILED, 95, "finish-failed", COLLECTIVE, COLLECTIVE) \
  X (CREATE, 96, "create", THREAD, SYNC) \
  X (START, 97, "start", THREAD, SYNC) \
  X (EXIT, 98, "exit", THREAD, SYNC) \
  X (JOIN, 99, "join", THREAD, SYNC) \
  X (CREATE_FAILED, 100, "create-failed", THREAD, SYNC) \
  X (JOIN_FAILED, 101, "join-failed", THREAD, SYNC) \
  X (DETACH, 102, "detach", THREAD, SYNC) \
  X (CANCEL, 103, "cancel", THREAD, SYNC) \
  X (TAG, 112, "tag", MARK, TAG) \
  X (ENTER, 113, "enter", MARK, MARK) \
  X (LEAVE, 114, "leave", MARK, MARK) \
  X (SNAPSHOT, 115, "snapshot", MARK, SYNC) \
  X (PAUSE, 116, "pause", MARK, SYNC) \
  X (FUTEX_WAIT, 120, "futex-wait", FUTEX, SYNC) \
  X (FUTEX_WAKE, 121, "futex-wake", FUTEX, SYNC) \
  X (FUTEX_WAIT_FAILED, 122, "futex-wait-failed", FUTEX, SYNC) \
  X (FORK, 128, "fork", TEAM, SYNC) \
  X (TEAM_START, 129, "team-start", TEAM, SYNC) \
  X (TEAM_END, 130, "team-end", TEAM, SYNC) \
  X (TEAM_JOIN, 131, "team-join", TEAM, SYNC) \
  X (CHUNK, 132, "chunk", TEAM, SYNC) \
  X (TASK_CREATE, 136, "task-create", TASK, SYNC) \
  X (TASK_START, 137, "task-start", TASK, SYNC) \
  X (TASK_END, 138, "task-end", TASK, SYNC) \
  X (TASK_WAIT, 139, "task-wait", TASK, SYNC) \
  X (READ, 144, "read", IO, MESSAGE) \
  X (WRITE, 145, "write", IO, MESSAGE) \
  X (PIPE_READ, 146, "pipe-read", IO, MESSAGE) \
  X (PIPE_WRITE, 147, "pipe-write", IO, MESSAGE) \
  X (ACCEPT, 148, "accept", IO, SYNC) \
  X (CONNECT, 149, "connect", IO, SYNC) \
  X (POLL, 150, "poll", IO, SYNC) \
  X (SLEEP, 151, "sleep", IO, SYNC) \
  X (FILE_SYNC, 152, "file-sync", IO, SYNC) \
  X (FILE_LOCK, 153, "file-lock", IO, SYNC) \
  X (CHILD_WAIT, 154, "child-wait", IO, SYNC) \
  X (SIGNAL_WAIT, 155, "signal-wait", IO, SYNC) \
  X (IPC_WAIT, 156, "ipc-wait", IO, SYNC) \
  X (RESOLVE, 157, "resolve", IO, SYNC) \
  X (SIGNAL_SEND, 158, "signal-send", IO, SYNC) \
  X (SIGNAL_RECEIVE, 159, "signal-receive", IO, SYNC) \
  X (FINALIZE, 160, "finalize", IO, SYNC)

enum lc_operation
{
  LC_NO_OPERATION,
#define X(identifier, number, name, class, layout) LC_##identifier = number,
  LC_OPERATIONS (X)
#undef X
      LC_OPERATION_END = 192
};

/*
 * Bits of an event's flags. Unknown is who caused a spurious wake-up, and the turn of a window's lock where nobody
 * counts them; of class channel, the number of a message from before a fork; of class collective, for whom the process
 * has waited, if for anybody (others may still have waited for it).
 */
enum lc_event_flags
{
  LC_EVENT_CONTENDED = 1 << 0, /* the object could not be had at once */
  LC_EVENT_INTERRUPTED =
      1 << 1, /* carried out by a signal handler inside the process's next event, or cut short by one */
  LC_EVENT_CANCELLED = 1 << 2,  /* the thread was cancelled in this event */
  LC_EVENT_TIMED_OUT = 1 << 3,  /* the operation failed because its time was over */
  LC_EVENT_OWNER_DIED = 1 << 4, /* a robust mutex whose owner died */
  LC_EVENT_UNKNOWN = 1 << 5,    /* the partner of the event cannot be known */
  LC_EVENT_AGAIN = 1 << 6,      /* a mutex taken again at the end of a condition-wait */
  LC_EVENT_FORK = 1 << 7,       /* create and start of a forked address space, not of a thread */

  /* Another meaning of the last bit in lock, wait, read-start and write-start. */
  LC_EVENT_TRIED = 1 << 7, /* a mere attempt, which would have failed if it had not been possible at once */

  /* Another meaning of the last bit in class futex. */
  LC_EVENT_TRAPPED = 1 << 7, /* a system call that the program made without the C library */

  /* Other meanings of the last two bits in class channel. */
  LC_EVENT_BLIND = 1 << 6,   /* a receive or probe that would have taken a message from any partner */
  LC_EVENT_REQUEST = 1 << 7, /* `object` is 0 and the sequence is a number of requests-I, where the result is told */
};

/*
 * An event of a synchronization object. `end` is the CTF timestamp: it never decreases in a stream, and
 * end - duration is never less than the end of the event before.
 * What `value` means: write-start: the number of read-starts of the version before; barrier: how many processes
 * it gathers; class collective: how many take part; signal and broadcast: how many were waiting; futex-wake: how many
 * it has woken; futex-wait: how many wakes can have ended it, of which its sequence number is that of the first; class
 * channel: bytes; team-start: how many processes the team has; team-join: how many ends there were, its own included;
 * chunk: iterations; task-wait: for how many tasks it waits; poll: how many were ready; child-wait: the child's number
 * in the system; signal-wait, signal-receive: the signal; signal-send: the number in the system of the process or
 * thread that it is for, 0: several; class io otherwise: bytes; others 0.
 */
struct lc_event_sync
{
  uint64_t end;
  uint16_t operation;
  uint16_t cpu;    /* 65535: not known */
  uint32_t object; /* record of objects-I; bit 31: of objects-shared; class thread: a process */
  uint64_t duration : 56;
  uint64_t flags : 8;
  uint64_t sequence_value; /* LC_SEQUENCE and LC_VALUE, or LC_MESSAGE_SEQUENCE and LC_MESSAGE_BYTES */
  uint32_t site;           /* record of objects-I: where the program called the operation; 0: not known */
  uint32_t detail;         /* see below; others 0 */
};

/*
 * The detail of an event, for replays. chunk: the number of its first iteration in the loop, from 1 on; 0: none, or not
 * known. read-start and write-start of what a task depends on: which of its dependences that is, from 1 on. task-start:
 * the number of the task within those of a loop, from 0 on, and how the thread came to it. team-start: the number of
 * the thread in the team, if that is known.
 */
#define LC_TASK_INDEX(detail) ((detail) & ~(LC_TASK_YIELDED | LC_TASK_AT_ONCE | LC_TASK_LATE))
#define LC_TASK_YIELDED (UINT32_C (1) << 29) /* the thread carries it out where it lets others go before */
#define LC_TASK_AT_ONCE (UINT32_C (1) << 30) /* its maker carries it out where it makes it */
#define LC_TASK_LATE (UINT32_C (1) << 31)    /* within a barrier whose event is written already */

/* An event of a collective operation, with the bytes that one process sends to another, or to the root. */
struct lc_event_collective
{
  struct lc_event_sync sync;
  uint64_t bytes;
};

#define LC_SEQUENCE_BITS 40
#define LC_SEQUENCE(word) ((word) & ((UINT64_C (1) << LC_SEQUENCE_BITS) - 1))
#define LC_VALUE(word) ((word) >> LC_SEQUENCE_BITS)
#define LC_VALUE_MAX ((UINT64_C (1) << (64 - LC_SEQUENCE_BITS)) - 1) /* larger values are recorded as this */
#define LC_MESSAGE_SEQUENCE(word) ((word)&UINT32_MAX)
#define LC_MESSAGE_BYTES(word) ((word) >> 32) /* UINT32_MAX: this number or more */

/* The edge of a region. */
struct lc_event_mark
{
  uint64_t end;
  uint16_t operation;
  uint16_t cpu;
  uint32_t value; /* the region's record in objects-I */
};

struct lc_event_tag
{
  uint64_t end;
  uint16_t operation;
  uint16_t cpu;
  uint32_t value;
  uint32_t site;
  uint32_t text; /* record of objects-I, whose name it is; 0: none */
};

#define LC_OBJECT_SHARED (UINT32_C (1) << 31)
#define LC_CPU_UNKNOWN UINT16_MAX
#define LC_NO_PROCESS UINT32_MAX

/* The reasons why events were lost. */
enum lc_lost
{
  LC_LOST_DISK,    /* the disk is full */
  LC_LOST_FILE,    /* a trace file could not be opened or mapped */
  LC_LOST_SIGNAL,  /* no room for more operations of a signal handler */
  LC_LOST_OBJECTS, /* too many objects, or no memory for them */
  LC_LOST_EXIT,    /* for the recorder, the thread had already ended */
  LC_LOST_WORLD,   /* MPI with processes of another world */
  LC_LOST_FULL,    /* all places were full: nobody emptied them, or not fast enough */
  LC_LOST_LIMIT,   /* the recording had reached its size limit */
  LC_LOST_SANDBOX, /* the thread may no longer make the system calls that recording this would need */
  LC_LOST_REASONS = 9
};

/* The end of a process's private history. */
enum lc_state
{
  LC_STATE_RUNNING, /* nobody has closed it: the process was killed, or still runs */
  LC_STATE_ENDED,   /* the process ended, and its last event is here */
  LC_STATE_CUT,     /* the recording was closed while it was running: _exit, exec, a signal */
};

/*
 * What each packet begins with. A packet is made in a place: heads-0 has one at each multiple of LC_HEAD_BYTES, free
 * while its magic is 0. There content_size is written after each event, so that the packet is whole at any moment.
 * `lightcone record` adds it to ctf/process-N at stream_offset, or as the only one of its process to packets-0, before
 * the place is used again: packets of a process with the same packet_seq_num are the same one.
 * Bytes 128 to 255 are padding to a CTF reader. The pending fields are one operation that has begun and may
 * block; pending_operation is 0 when there is none, and has the bit LC_PENDING_UNLIMITED if it is known to wait
 * for as long as it takes.
 */
#define LC_PENDING_UNLIMITED (1 << 15)
#define LC_PENDING_OPERATION(word) ((word) & (LC_PENDING_UNLIMITED - 1))

struct lc_packet
{
  uint32_t magic;
  uint8_t uuid[16];
  uint32_t stream_id;
  uint64_t timestamp_begin;
  uint64_t timestamp_end;
  uint64_t content_size; /* bits, this header included */
  uint64_t packet_size;  /* bits */
  uint64_t packet_seq_num;
  uint64_t events_discarded; /* from the process's start to the end of this packet */
  uint32_t process;
  uint32_t instance;
  uint32_t pid;
  uint32_t thread;
  char name[40];

  uint64_t pending_begin;
  uint64_t pending_sequence; /* 0: not decided yet */
  uint32_t pending_object;
  uint16_t pending_operation;
  uint16_t pending_cpu;
  uint32_t parent; /* the process that created this one, or LC_NO_PROCESS */
  uint32_t state;
  uint64_t lost[LC_LOST_REASONS];
  uint32_t pending_site;  /* record of objects-I: where the pending operation was called; 0: not known */
  uint32_t search;        /* what looking for the object of an event took, on average so far: ticks / 256 */
  uint64_t stream_offset; /* place of the packet in ctf/process-N; 0 in older traces */
  uint32_t is_last;       /* no packet comes after it; 0: one comes, or not known */
  uint32_t start_site;    /* record of objects-I: the function that the thread began with; 0: not known */

  uint64_t first_ordinal; /* of the first event of this packet */
  uint64_t format_version;
};

#define LC_PIECE_MAGIC UINT32_C (0x4543504C)

/* The file of a piece. */
enum lc_piece_kind
{
  LC_PIECE_OBJECTS,  /* objects-NUMBER */
  LC_PIECE_REQUESTS, /* requests-NUMBER */
  LC_PIECE_SNAPSHOT, /* snapshots/NUMBER */
  LC_PIECE_KINDS
};

/*
 * The header of a place of heads-0 that holds a piece of another file. The bytes of the piece follow, up to the end of
 * the place; `bytes` is written after each addition, so that the piece is whole at any moment.
 */
struct lc_piece
{
  uint32_t magic;
  uint8_t uuid[16];
  uint32_t kind; /* enum lc_piece_kind */
  uint32_t number;
  uint32_t instance; /* the address space that writes the piece */
  uint32_t pid;
  uint32_t reserved;
  uint64_t offset; /* in the file */
  uint64_t bytes;
  uint8_t padding[200];
};

#define LC_PIECE_ROOM (LC_HEAD_BYTES - sizeof (struct lc_piece))

/*
 * objects-I begins with struct lc_objects_header and goes on with records of the same size; a record's number is its
 * place in the file in units of 32 bytes, so the first has number 2. A name follows its record in as many further
 * places as it needs. An empty place has object_class 0: it was reserved when the program was killed.
 */
struct lc_objects_header
{
  char magic[8]; /* "LCOBJECT" */
  uint32_t version;
  uint32_t instance;
  uint32_t pid;
  uint32_t parent; /* the process that forked this address space, or LC_NO_PROCESS */
  uint32_t rank;   /* in MPI_COMM_WORLD, + 1; 0: not a rank */
  uint32_t ranks;  /* number of ranks of MPI_COMM_WORLD */
  uint64_t ready;  /* ticks at the end of MPI_Init; 0: not a rank */
  uint8_t reserved[24];
};

/* The sort of an object within its class. */
enum lc_kind
{
  LC_KIND_PLAIN,
  LC_KIND_RECURSIVE,
  LC_KIND_ERROR_CHECK,
  LC_KIND_ADAPTIVE,
  LC_KIND_SPIN,
  LC_KIND_NAMED,   /* a semaphore with a name in the system */
  LC_KIND_LIBRARY, /* made with lightcone/record.h */
  LC_KIND_MPI,     /* of a communicator or window: objects of the same class and name are the same in all instances */
  LC_KIND_SHARED,  /* a futex that other address spaces may use */
  LC_KIND_OPENMP,  /* of an OpenMP library */
  LC_KIND_SYSTEM,  /* of the system, as a file: objects of the same class and name are the same in all instances */
  LC_KIND_PIPE,    /* a pipe, whose number in the system is its value */
  /* One direction of a connection, a local one: the value is the number in the system of the end that writes. */
  LC_KIND_SOCKET,
  /* The same over IP: the value is the address of both ends if it has 32 bits, and the ports from which and to which.
   */
  LC_KIND_CONNECTION,
  LC_KIND_EVENTFD, /* the value is its number in the trace */
  LC_KIND_SIGNAL,  /* a signal, which is its value; whomever it is for */
};

/* Whoever waits for a free buffer of a channel of lightcone/record.h waits for a semaphore so many bytes into it. */
#define LC_CHANNEL_ROOM 64

struct lc_object_record
{
  uint8_t object_class;
  uint8_t kind;
  uint16_t name_length; /* bytes of the name that follows, without a terminator */
  uint32_t module;      /* of a function: the record of its module; of an object: the record of its site, where the
                           program initialized it or used it first; 0: not known */
  uint64_t address;     /* in the program; of a module: where it was loaded (what is added to the file's addresses) */
  uint64_t value;       /* barrier: how many it gathers; semaphore: its first tokens; channel: its slots;
                           function: its offset in the module; kind MPI and class channel: LC_CHANNEL_ENDS; kind MPI and
                           class collective: how many take part; module: the end of its memory */
  uint64_t ticks;       /* when the object was first seen */
};

/*
 * A record of class name names the last object before it with its address; if there is none, the next one after it.
 *
 * A module's name is its path, and after a zero byte its build-id in hexadecimal digits, where it has one. A module
 * replaces those before it whose memory it overlaps: they were unloaded. The module of an object that is part of one
 * (a static variable) comes before it in the file.
 */

/* What a site is: its lc_object_record has this as `kind`. */
enum lc_site_kind
{
  LC_SITE_CALL,  /* a call; what called its function was not asked */
  LC_SITE_INNER, /* a call, by a function that `parent` called */
  LC_SITE_ROOT,  /* a call, by a function that nothing called: the outermost of a stack */
  LC_SITE_CUT,   /* a call, by a function whose caller could not be found, or was too far out */
  LC_SITE_ENTRY, /* the function at this address, anywhere in it: a thread began there */
};

/*
 * X (what the name of a file of code begins with) for languages' and the system's runtimes: a call from there is told
 * as that of its caller. Whoever records and whoever reads must agree on them, or one line is two sites.
 */
#define LC_RUNTIME_MODULES(X) \
  X ("libc.so") \
  X ("libc-2.") \
  X ("libpthread.so") \
  X ("libpthread-2.") \
  X ("libm.so") \
  X ("libm-2.") \
  X ("libmvec") \
  X ("librt.so") \
  X ("librt-2.") \
  X ("libdl.so") \
  X ("libdl-2.") \
  X ("ld-linux") \
  X ("ld-2.") \
  X ("ld.so") \
  X ("ld64.so") \
  X ("libstdc++.so") \
  X ("libc++.so") \
  X ("libc++abi.so") \
  X ("libgcc_s") \
  X ("libgomp") \
  X ("libomp.so") \
  X ("libomp5") \
  X ("libiomp5") \
  X ("libatomic.so") \
  X ("liblightcone-replay.so") \
  X ("libglib-2.0.so") \
  X ("liblightcone") \
  X ("libmpi") \
  X ("libopen-pal") \
  X ("libopen-rte") \
  X ("libasan.so") \
  X ("libtsan.so") \
  X ("libubsan.so") \
  X ("liblsan.so") \
  X ("linux-vdso") \
  X ("[vdso]")

/* A record of objects-I of class site, in place of lc_object_record. */
struct lc_site_record
{
  uint8_t object_class; /* LC_CLASS_SITE */
  uint8_t kind;         /* enum lc_site_kind */
  uint16_t zero;
  uint32_t module; /* record of the module; 0: code that is in none, and `offset` is an address */
  uint32_t parent; /* record of the calling site; 0: none */
  uint32_t reserved;
  uint64_t offset; /* in the module's file addresses; of a call: where it returns to */
  uint64_t ticks;
};

/* Who has written an account: its lc_object_record has this as `kind`. */
enum lc_account_kind
{
  LC_ACCOUNT_THREAD,  /* the thread, at its end; `of` is its process */
  LC_ACCOUNT_PROGRAM, /* the thread that ended its address space; `of` is its process. The other threads end there too
                       */
  LC_ACCOUNT_SEEN,    /* somebody else; `of` is the system's number of the thread */
};

#define LC_ACCOUNT_UNKNOWN UINT64_MAX

/*
 * A record of objects-I of class account, in place of lc_object_record and a name. It is about the time since the first
 * packet of the process began; what the kernel did not say is LC_ACCOUNT_UNKNOWN.
 */
struct lc_account_record
{
  uint8_t object_class; /* LC_CLASS_ACCOUNT */
  uint8_t kind;         /* enum lc_account_kind */
  uint16_t more;        /* bytes from `voluntary` on */
  uint32_t of;
  uint64_t running;     /* ns on a processor */
  uint64_t runnable;    /* ns ready, but without a processor */
  uint64_t ended;       /* ticks; kind SEEN: it was there until then at least */
  uint64_t voluntary;   /* how often it left its processor to wait ... */
  uint64_t involuntary; /* ... and for others that were ready */
  uint64_t asked;       /* ticks: when the kernel said so */
  uint64_t reserved;    /* 0 */
};

/* The sender and the receiver of a channel, as ranks of MPI_COMM_WORLD. */
#define LC_CHANNEL_ENDS(from, to) ((uint64_t)(from) << 32 | (to))
#define LC_CHANNEL_FROM(ends) ((uint32_t)((ends) >> 32))
#define LC_CHANNEL_TO(ends) ((uint32_t)(ends))

/*
 * requests-I is an array of these records, by number of the request, from 0 on. A record that is all zeros: the result
 * of the request is not known.
 */
struct lc_request_record
{
  uint32_t object;   /* the channel of the message; 0: no message came (it was cancelled, or is still to come) */
  uint32_t sequence; /* the number of the message on the channel */
};

/* The header of snapshots/N. The name follows, and rows * columns doubles, row after row. */
struct lc_snapshot_header
{
  char magic[8]; /* "LCMATRIX" */
  uint32_t version;
  uint32_t name_length; /* bytes; padded with zeros to a multiple of 8 */
  uint64_t rows;
  uint64_t columns;
};

/*
 * switches-N begins with this header and goes on with packs. There are several files if several programs were recorded
 * together, or if old ones are dropped to keep the newest.
 */
struct lc_switches_header
{
  char magic[8]; /* "LCSWITCH" */
  uint32_t version;
  uint32_t program; /* system's number of the process that was started; its descendants are in the file, too */
  uint8_t uuid[16]; /* of the recording */
  uint64_t begin;   /* ticks: switches are here from then on ... */
  uint64_t end;     /* ... until then; 0: nobody has closed the file */
  uint32_t refused; /* errno, if the kernel did not tell switches: no pack follows; 0: it did */
  uint32_t reserved[3];
};

#define LC_SWITCH_PACK_MAGIC UINT32_C (0x5053434C)
#define LC_SWITCH_PACK_MOST 1023 /* absences in a pack */

/* Absences of one thread, in their order: as many struct lc_absence_record follow as `count` says. */
struct lc_switch_pack
{
  uint32_t magic;
  uint32_t count;
  uint32_t pid; /* the system's numbers of the thread and its address space; both 0: of no thread, and `count` is 0 */
  uint32_t thread;
  uint64_t begin; /* ticks: of the first absence */
  uint64_t end;   /* of the last one */
  uint64_t lost;  /* of a pack of no thread: switches of any thread that were lost between `begin` and `end` */
};

#define LC_ABSENCE_READY (UINT64_C (1) << 63)

/* A time in which a thread was off every processor. */
struct lc_absence_record
{
  uint64_t begin;  /* ticks */
  uint64_t length; /* ticks until it ran again; with bit LC_ABSENCE_READY: it was ready all the time */
};

#ifdef __cplusplus
#define LC_FORMAT_ASSERT(condition) static_assert (condition, #condition)
#else
#define LC_FORMAT_ASSERT(condition) _Static_assert(condition, #condition)
#endif
LC_FORMAT_ASSERT (sizeof (struct lc_event_sync) == 40);
LC_FORMAT_ASSERT (sizeof (struct lc_event_collective) == 48);
LC_FORMAT_ASSERT (sizeof (struct lc_event_mark) == 16);
LC_FORMAT_ASSERT (sizeof (struct lc_event_tag) == 24);
LC_FORMAT_ASSERT (sizeof (struct lc_site_record) == sizeof (struct lc_object_record));
LC_FORMAT_ASSERT (sizeof (struct lc_account_record) == 2 * sizeof (struct lc_object_record));
LC_FORMAT_ASSERT (sizeof (struct lc_request_record) == 8);
LC_FORMAT_ASSERT (sizeof (struct lc_packet) == 272);
LC_FORMAT_ASSERT (sizeof (struct lc_object_record) == 32);
LC_FORMAT_ASSERT (sizeof (struct lc_objects_header) == 64);
LC_FORMAT_ASSERT (sizeof (struct lc_snapshot_header) == 32);
LC_FORMAT_ASSERT (sizeof (struct lc_switches_header) == 64);
LC_FORMAT_ASSERT (sizeof (struct lc_switch_pack) == 40);
LC_FORMAT_ASSERT (sizeof (struct lc_absence_record) == 16);

#endif
