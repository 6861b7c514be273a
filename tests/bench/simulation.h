/* SPDX-License-Identifier: Apache-2.0 */
/* A program that never ran: processes with locks, crews, semaphores, barriers and messages, in virtual time. */
#ifndef LC_BENCH_SIMULATION_H
#define LC_BENCH_SIMULATION_H

#include "trace-stream.h"

/* Of each process, to its neighbours in a ring. */
enum
{
  TO_RIGHT,
  TO_LEFT,
  TOKENS, /* a semaphore of the process, whose tokens its right neighbour takes */
  PIPES
};

enum
{
  PIPE_LENGTH = 128, /* rounds between two barriers of all, and then some */
  GROUP = 8,         /* processes that have a barrier of their own */
};

/* Records of objects-0. */
typedef struct
{
  guint32 region;
  guint32 all;   /* the barrier of all */
  guint32 *hot;  /* mutexes */
  guint32 *cold; /* mutexes */
  guint32 *crews;
  guint32 *groups; /* barriers */
  guint32 *pipes;  /* PIPES for each process */
  guint32 n_hot, n_cold, n_crews, n_groups;
} Objects;

/* How many there are of each; the records are for the caller to fill in. */
void objects_init (Objects *objects, guint32 n_processes);
void objects_clear (Objects *objects);

/* The fewest events that so many processes can have. */
guint64 simulation_least (guint32 n_processes);

/* Writes exactly so many events to the streams, and closes them. The same seed gives the same events. */
void simulation_run (const Objects *objects, TraceStream *streams, guint32 n_processes, guint64 n_events, guint64 seed);

#endif
