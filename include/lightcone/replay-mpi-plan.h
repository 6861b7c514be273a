/* SPDX-License-Identifier: Apache-2.0 */
/* The file by which `lightcone replay` tells the ranks of an MPI program what they did, and they tell how far they are.
 */
#ifndef LIGHTCONE_REPLAY_MPI_PLAN_H
#define LIGHTCONE_REPLAY_MPI_PLAN_H

#include <stdint.h>

#include "lightcone/control.h"
#include "lightcone/replay-plan.h"

/*
 * All ranks map the file shared, and so does the command. It begins with the header, followed by the ranks, objects and
 * events, each at its offset. The objects are those of MPI, sorted by class and name, so that ranks find their own.
 */
#define LC_REPLAY_MPI_MAGIC "LCMPIPLN"
#define LC_REPLAY_MPI_VERSION 5

/* The path of the file. */
#define LC_REPLAY_MPI_ENVIRONMENT "LIGHTCONE_REPLAY_MPI"

#define LC_REPLAY_MPI_NAME 192

enum lc_replay_mpi_state
{
  LC_REPLAY_MPI_UNBORN,
  LC_REPLAY_MPI_RUNNING,
  LC_REPLAY_MPI_INSIDE,  /* of a call of MPI's */
  LC_REPLAY_MPI_HELD,    /* at its limit, before a call of MPI's */
  LC_REPLAY_MPI_AT_END,  /* where its recorded history was cut, or the program is to be aborted */
  LC_REPLAY_MPI_DIFFERS, /* waits to be ended */
  LC_REPLAY_MPI_ENDED,   /* has called MPI_Finalize, or aborted */
};

enum lc_replay_mpi_flags
{
  LC_REPLAY_MPI_JOINED = 1 << 0,    /* of the same call as the event before, and takes no time */
  LC_REPLAY_MPI_SAME_CALL = 1 << 1, /* of the same call as the event before, perhaps with a time of its own */
  LC_REPLAY_MPI_BLIND = 1 << 2,     /* the program named no partner */
  LC_REPLAY_MPI_BY_SENDER = 1 << 3, /* takes what its sender has sent first, if any tag is asked for */
  LC_REPLAY_MPI_FREES = 1 << 4,     /* nobody follows the plan after this event */
};

struct lc_replay_mpi_event
{
  uint16_t operation;
  uint16_t flags;
  uint32_t object; /* or LC_REPLAY_NONE: it was never known */
  uint64_t sequence;
  uint64_t ordinal; /* in the trace */
  uint64_t tries;   /* how many tests or probes in vain it stands for, one after the other; otherwise 1 */
};

struct lc_replay_mpi_object
{
  char name[LC_REPLAY_MPI_NAME];
  uint32_t object_class;
  uint32_t object;     /* of the trace */
  uint32_t is_message; /* a channel whose messages have this sender and tag */
  uint32_t from;
  int32_t tag;
};

/* The history of a rank, by its number; or, after all of these, of another thread of a rank of which several have used
 * MPI. */
struct lc_replay_mpi_rank
{
  uint64_t first; /* of its events */
  uint64_t n_events;
  uint64_t next;       /* how many of them it has done */
  uint64_t limit;      /* how many of them it may do, if that is not all; the command changes it */
  uint64_t calls;      /* of MPI that it has begun */
  uint32_t process;    /* of the trace; LC_REPLAY_NONE: there is no such rank */
  uint32_t is_cut;     /* it may have gone on after its last event */
  uint32_t state;      /* enum lc_replay_mpi_state */
  uint32_t pid;        /* in the replay */
  uint32_t thread;     /* of the system, that has called MPI last */
  uint32_t is_leaving; /* it aborts, or exits without MPI_Finalize: the launcher is to end all */
  uint32_t number;     /* of the rank */
  uint32_t reserved;

  uint32_t difference; /* enum lc_replay_difference, written last */
  uint32_t suspected;  /* the same, of a call that was not to come, but has no event if it fails */
  uint32_t came_operation;
  uint64_t came_sequence;
  char came_object[LC_REPLAY_MPI_NAME];
};

#define LC_REPLAY_MPI_COUNTERS 32

/* A counter, found by a hash of its name. */
struct lc_replay_mpi_counter
{
  uint64_t key; /* 0: free */
  struct lc_shared_counter counter;
};

struct lc_replay_mpi_header
{
  char magic[8];
  uint32_t version;
  uint32_t mode;      /* LC_REPLAY_FOLLOW or LC_REPLAY_FREE */
  uint32_t mode_then; /* after the first difference: the same, or LC_REPLAY_HOLD */
  uint32_t n_ranks;   /* histories of ranks and of other threads */
  uint32_t n_numbers; /* ranks are counted so far */
  uint32_t n_objects;
  uint32_t is_debugged; /* a debugger may attach to ranks */
  uint32_t n_threaded;  /* ranks whose threads have not come to their ends; the command counts them */
  uint32_t reserved;
  uint32_t differs; /* the rank that was the first to differ, and 1 more; 0: none does */
  uint64_t n_events;
  uint64_t ranks, objects, events;                             /* offsets in the file */
  struct lc_replay_mpi_counter worlds[LC_REPLAY_MPI_COUNTERS]; /* number the ranks of several worlds */
};

static inline struct lc_replay_mpi_rank *
lc_replay_mpi_ranks (struct lc_replay_mpi_header *header)
{
  return (struct lc_replay_mpi_rank *)(void *)((char *)header + header->ranks);
}

static inline struct lc_replay_mpi_object *
lc_replay_mpi_objects (struct lc_replay_mpi_header *header)
{
  return (struct lc_replay_mpi_object *)(void *)((char *)header + header->objects);
}

static inline const struct lc_replay_mpi_event *
lc_replay_mpi_events (const struct lc_replay_mpi_header *header)
{
  return (const struct lc_replay_mpi_event *)(const void *)((const char *)header + header->events);
}

/* Whether the event's number is to be the same in a replay. Those of locks of windows, and of messages that windows
 * use, are those of each run. `object`: the event's, or NULL. */
static inline int
lc_replay_mpi_has_number (const struct lc_replay_mpi_event *event, const struct lc_replay_mpi_object *object)
{
  switch ((int)event->operation)
    {
    case LC_PUT:
    case LC_GET:
    case LC_ACCUMULATE:
      return 0;
    default:
      return object != 0 && object->object_class != LC_CLASS_CREW;
    }
}

#endif
