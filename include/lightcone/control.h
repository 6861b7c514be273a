/* SPDX-License-Identifier: Apache-2.0 */
/* DIR/.control: what `lightcone record` tells the recorder, and the counters that all its address spaces share. */
#ifndef LIGHTCONE_CONTROL_H
#define LIGHTCONE_CONTROL_H

#include "lightcone/trace-format.h"

#define LC_CONTROL_VERSION 2

/* Names the trace directory (absolute) in the environment of a recorded program. */
#define LC_CONTROL_ENVIRONMENT "LIGHTCONE_TRACE"

/* Where record found the library to preload, so that an exec with another environment keeps it. */
#define LC_CONTROL_PRELOAD "LIGHTCONE_PRELOAD"

enum lc_clock
{
  LC_CLOCK_MONOTONIC, /* clock_gettime (CLOCK_MONOTONIC), in ns */
  LC_CLOCK_TSC,       /* the processor's time stamp counter, in its ticks */
};

/* What an object is while it is in use. In the recorder's own memory, or below for objects in shared memory. */
struct lc_slot
{
  uint64_t key;      /* class << 56 | address; shared: a hash of class and the memory's identity; 0: free */
  uint64_t sequence; /* the last number given out */
  uint64_t owner;    /* who holds it exclusively: process + 1, or 0 */
  uint64_t count;    /* crew: read-starts of this version; barrier: members; semaphore: posts; thread: process + 1 */
  uint64_t taken;    /* semaphore: waits that got a token; condition: waiting now */
  uint32_t id;       /* its record; 0: none yet */
  uint32_t depth;    /* mutex: how often its owner has locked it */
  uint32_t next;     /* link of the recorder's table; shared: unused */
  uint32_t kind;     /* enum lc_kind */
  uint64_t extra;    /* condition: its wake-ups */
};

#define LC_WAKE_UPS 16

/* The signals and broadcasts of one condition variable that may still wake somebody. */
struct lc_wake_ups
{
  uint32_t lock;
  uint32_t pending; /* how many of `signals` are in use */
  uint64_t signals[LC_WAKE_UPS];
  uint64_t broadcasts[LC_WAKE_UPS / 2];
};

#define LC_SHARED_SLOTS 4096

struct lc_control
{
  char magic[8]; /* "LCCONTRL" */
  uint32_t version;
  uint32_t clock;     /* enum lc_clock */
  uint64_t frequency; /* of the clock, as far as it is known at the start */
  uint64_t start;     /* ticks when the recording began */
  uint8_t uuid[16];

  /* Settings. */
  uint32_t classes;        /* bit 1 << enum lc_class: record these */
  uint32_t function_depth; /* record this many levels of instrumented functions; 0: all */
  uint64_t overhead_test;  /* ticks to lose on purpose after each event */
  uint32_t include_length; /* patterns for functions at the end of this struct, each ends with a 0 byte */
  uint32_t exclude_length;
  uint64_t patterns_offset; /* from the start of the file */

  /* Counters, changed with atomic additions. */
  uint32_t next_process;
  uint32_t next_instance;
  uint32_t next_snapshot;
  uint32_t shared_objects;
  uint64_t lost[LC_LOST_REASONS]; /* those that no stream could count */

  /* Objects in memory that several address spaces share: open addressing by key. */
  struct lc_slot shared[LC_SHARED_SLOTS];
  struct lc_object_record shared_records[LC_SHARED_SLOTS];
  struct lc_wake_ups shared_wake_ups[LC_SHARED_SLOTS];
};

LC_FORMAT_ASSERT (sizeof (struct lc_slot) == 64);

#endif
