/* SPDX-License-Identifier: Apache-2.0 */
/* DIR/.control: the settings that `lightcone record` gives the recorder, and the counters that all address spaces
 * share. */
#ifndef LIGHTCONE_CONTROL_H
#define LIGHTCONE_CONTROL_H

#include "lightcone/trace-format.h"

#define LC_CONTROL_VERSION 11

/* Names the trace directory (absolute) in the environment of a recorded program. */
#define LC_CONTROL_ENVIRONMENT "LIGHTCONE_TRACE"

/* Names the preloaded library in the environment, so that an exec with another environment keeps it. */
#define LC_CONTROL_PRELOAD "LIGHTCONE_PRELOAD"

/* Set only while a program that uses MPI is executed again: the library preloaded for MPI, after the program's name. */
#define LC_CONTROL_MPI "LIGHTCONE_MPI"

enum lc_clock
{
  LC_CLOCK_MONOTONIC, /* clock_gettime (CLOCK_MONOTONIC), in ns */
  LC_CLOCK_TSC,       /* the processor's time stamp counter, in its ticks */
};

/* The state of an object in use. It is in the recorder's own memory, or for objects in shared memory in `shared`
 * below. */
struct lc_slot
{
  uint64_t key;      /* class << 56 | address; shared: a hash of class and the memory's identity; 0: free */
  uint64_t sequence; /* last sequence number given out */
  uint64_t owner;    /* process + 1 that holds it exclusively, or 0; pipe: its device */
  uint64_t count;    /* crew: read-starts of this version; barrier: members; semaphore: posts; thread: process + 1 */
  uint64_t taken;    /* semaphore: waits that got a token; condition, futex: waiting now */
  uint32_t id;       /* its record; 0: none yet */
  uint32_t depth;    /* mutex: how often its owner has locked it */
  uint32_t is_dead;  /* the object was destroyed, and another may take the slot; shared: unused */
  uint32_t kind;     /* enum lc_kind */
  uint64_t extra;    /* condition, futex: its wake-ups */
};

#define LC_WAKE_UPS 16
#define LC_FUTEX_WAKES 12 /* as many as have room */

/* A call that wakes threads at a futex, while some may not have returned whom it can have woken. */
struct lc_futex_wake
{
  uint32_t number;      /* the lowest bits of its sequence number */
  uint32_t mask;        /* it wakes those who wait for one of these bits; 0: this entry is free */
  uint16_t most;        /* how many it may have woken */
  uint16_t taken;       /* how many of them have returned */
  uint16_t waiting;     /* how many began to wait before it, and have not returned */
  uint8_t is_over;      /* the call has returned, and `most` is what it has woken */
  uint8_t is_uncertain; /* somebody has returned whom this or another one has woken */
};

/*
 * What has gone through a pipe, one direction of a connection, or an eventfd: changed by atomic operations only, for
 * who reads or writes may be killed at any moment. It agrees with the pipe as long as all who use it are recorded.
 */
struct lc_pipe_use
{
  uint64_t writes_over;   /* the number of writes that have begun is the slot's sequence */
  uint64_t bytes_written; /* those of writes that go on included */
  uint64_t bytes_read;
  uint32_t reading; /* reads that go on */
  uint32_t waiting; /* those of them that found the pipe empty */
  uint32_t writer;  /* process + 1 of the first who wrote */
  uint32_t reader;
  uint32_t shares;       /* bits of enum lc_pipe_shares */
  uint32_t is_polled;    /* somebody waits for it with others */
  uint64_t first;        /* the last write into the empty stream, while no other went on; 0: none yet */
  uint64_t before_first; /* bytes that were written before it */
};

enum lc_pipe_shares
{
  LC_PIPE_WRITERS = 1 << 0, /* several processes write */
  LC_PIPE_READERS = 1 << 1,
  LC_PIPE_UNSEEN = 1 << 2, /* somebody uses it who is not recorded */
};

/* The signals and broadcasts of one condition variable, or the wakes of a futex, that may still wake somebody; or the
 * use of a pipe. */
struct lc_wake_ups
{
  uint32_t lock;
  uint32_t reserved;
  union
  {
    struct lc_pipe_use pipe;
    struct
    {
      uint64_t signals[LC_WAKE_UPS];
      uint64_t broadcasts[LC_WAKE_UPS / 2];
    };
    struct lc_futex_wake wakes[LC_FUTEX_WAKES];
  };
};

#define LC_SHARED_SLOTS 4096

#define LC_SIGNAL_SENDS 256

/*
 * A signal that was sent, or is being sent. What is told about it is written before the number; who sends and who waits
 * change the fields after that by atomic operations, for either may be killed at any moment.
 */
struct lc_signal_send
{
  uint64_t number;  /* from 1 on; 0: it is being written */
  uint64_t begin;   /* ticks */
  uint32_t process; /* whom it is for, in the system; 0: several */
  uint32_t thread;  /* 0: any of the process */
  uint32_t sender;  /* the process, and the thread, that sends it */
  uint32_t sender_thread;
  uint8_t signal;
  uint8_t is_queued; /* with a value */
  uint8_t is_event;  /* it is in the trace */
  uint8_t reserved;
  uint32_t is_taken; /* somebody has waited for it */
  uint64_t over;     /* ticks: it has returned; 0: it goes on; UINT64_MAX: it has failed */
  uint64_t gone;     /* ticks: nobody can wait for it who begins later; 0: not known */
};

/* Number of places in heads-0: as many as ten thousand threads need, and some. */
#define LC_PLACES (1 << 14)
#define LC_PLACE_WORDS (LC_PLACES / 64)

/* The purpose of the recorder. */
enum lc_purpose
{
  LC_PURPOSE_TRACE,   /* for `lightcone record` */
  LC_PURPOSE_PROFILE, /* for `lightcone profile`: records only MPI, and makes no trace */
  LC_PURPOSE_REPLAY,  /* for `lightcone replay`: finds MPI programs, and records nothing */
};

/* The ways in which a profile takes the measurement off: bits of lc_control.compensation. */
enum lc_compensation
{
  LC_COMPENSATION_NONE = 1 << 0,
  LC_COMPENSATION_LOCAL = 1 << 1,
  LC_COMPENSATION_PARALLEL = 1 << 2,
};

#define LC_CLOCK_SAMPLES 8

#define LC_PAUSES 1024

/* A time in which nothing was recorded, on purpose. */
struct lc_pause
{
  uint64_t from; /* ticks */
  uint64_t to;   /* 0: it goes on */
};

#define LC_REGION_LIMITS 16
#define LC_REGION_NAME 64

/* A region of the program that must not last for longer. */
struct lc_region_limit
{
  char name[LC_REGION_NAME]; /* ends with a 0 byte */
  uint64_t ticks;
};

#define LC_OPEN_REGIONS 256

/* A thread that is in a region that has a limit, or has left it too late. */
struct lc_open_region
{
  uint64_t owner; /* process + 1, and above LC_REGION_SHIFT which limit; 0: this entry is free */
  uint64_t begin; /* ticks; 0: not written yet */
  uint64_t end;   /* 0: it goes on; else it was too long, and whoever watches has not seen it yet */
  uint32_t pid;
  uint32_t instance;
};

#define LC_REGION_SHIFT 32

/* The clock of this host against that of the host that all others are compared with. */
struct lc_clock_sample
{
  uint64_t ticks;     /* on this host */
  uint64_t reference; /* on the reference host, ns since its recording began */
  uint64_t error;     /* ns, at most */
};

/* A counter that all ranks of a host share. Only the holder of the thing that it counts changes it. */
struct lc_shared_counter
{
  uint64_t exclusive; /* how often it was taken exclusively */
  uint64_t shared;    /* how often it was taken shared since the last exclusive time */
};

/* Number of counters: one for each rank of each window that is locked. */
#define LC_COUNTERS 8192

/* A counter, found by two hashes of its name. */
struct lc_named_counter
{
  uint64_t key;   /* 0: free */
  uint64_t check; /* 0: not written yet */
  struct lc_shared_counter counter;
};

/* The MPI library of programs that load MPI only while they run, as interpreters do. */
enum lc_mpi
{
  LC_MPI_AUTOMATIC, /* no program does, or none was named */
  LC_MPI_OPENMPI,
  LC_MPI_MPICH,
};

/* Reasons why MPI's calls were not recorded in an address space that has MPI: bits of lc_control.mpi_trouble. */
enum lc_mpi_trouble
{
  LC_MPI_UNKNOWN = 1 << 0,    /* the library is not Open MPI or MPICH, nor compatible with MPICH */
  LC_MPI_NO_LIBRARY = 1 << 1, /* Lightcone's library for this MPI is not installed */
  LC_MPI_LINKER = 1 << 2,     /* the program was started through the dynamic linker */
  LC_MPI_PRIVILEGED = 1 << 3, /* the program has more rights than the user who started it */
  LC_MPI_NO_EXEC = 1 << 4,    /* the program's file could not be executed again */
  LC_MPI_NOT_LOADED = 1 << 5, /* the program was executed again, but the library was not loaded */
  LC_MPI_LATE = 1 << 6,       /* the program loaded MPI itself: --mpi helps */
};

/* Reasons why not all futexes were seen, though all were asked for: bits of lc_control.futex_trouble. */
enum lc_futex_trouble
{
  LC_FUTEX_KERNEL = 1 << 0,  /* the system has no dispatch of system calls, or refuses it */
  LC_FUTEX_GO = 1 << 1,      /* Go's threads have no room for signals on their stacks */
  LC_FUTEX_LIBRARY = 1 << 2, /* another library is in front of the C library's function `syscall` */
  LC_FUTEX_TAKEN = 1 << 3,   /* the program uses the dispatch itself */
  LC_FUTEX_SANDBOX = 1 << 4, /* the program has restricted the system calls of all its threads */
  LC_FUTEX_ASIDE = 1 << 5,   /* a thread has made a call that the recorder cannot make for it */
};

/* What is recorded of where the program called an operation. */
enum lc_where
{
  LC_WHERE_NOTHING,
  LC_WHERE_SITES,           /* the call */
  LC_WHERE_BLOCKING_STACKS, /* the whole stack where it may wait or end a wait, makes a thread or an object; else the
                               call */
  LC_WHERE_ALL_STACKS,
};

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
  uint64_t io_threshold;   /* ticks: events of class io that were shorter are left out */
  uint32_t include_length; /* patterns for functions at the end of this struct, each ends with a 0 byte */
  uint32_t exclude_length;
  uint64_t patterns_offset; /* from the start of the file */
  uint32_t mpi;             /* enum lc_mpi: preload our library for it into programs that do not have it (yet), too */
  uint32_t purpose;         /* enum lc_purpose */
  uint32_t compensation;    /* enum lc_compensation */
  uint32_t callpaths;       /* a profile tells times by call path, too */
  uint64_t keep_bytes;      /* the newest packets of so many bytes are kept, and older ones dropped; 0: all are kept */
  uint64_t keep_ticks;      /* packets that came so long ago are dropped; 0: none are for that */
  uint32_t is_paused;       /* nothing is recorded now; see lc_control_set_paused */
  uint32_t n_pauses;

  /* Counters, changed with atomic additions. */
  uint32_t next_process;
  uint32_t next_instance;
  uint32_t next_snapshot;
  uint32_t shared_objects;
  uint32_t pipes;       /* how many of them are pipes, connections and eventfds */
  uint32_t event_files; /* number of eventfds that were made */
  uint32_t joined;      /* number of `lightcone record` of one parallel job that have joined this trace */
  uint32_t n_clock_samples;
  uint32_t mpi_trouble;  /* bits of enum lc_mpi_trouble; 0: there was none */
  uint32_t has_topology; /* a member has set `topology` */
  uint32_t mpi_found;    /* bits 1 << enum lc_mpi: whose calls were recorded */
  uint32_t strangers;    /* programs started as another user, who cannot write to the trace */
  struct lc_clock_sample clock_samples[LC_CLOCK_SAMPLES];
  int32_t job_status;             /* of the first member of the job that failed, as waitpid gives it; 0: none */
  char job[64];                   /* tells the ranks of one job from others; "": one program only */
  char topology[32];              /* of the ranks, for trace.ini */
  uint64_t lost[LC_LOST_REASONS]; /* events that no stream could count */
  uint64_t switch_bytes;          /* of switches-N, and of what is to be added to them */

  /*
   * The places of heads-0, by number: a bit in `free_places` is taken by who writes there, one in `full_places` is set
   * by who has done so, and `lightcone record` empties it and sets the first again. The others are in use.
   */
  uint32_t places;   /* only places below have room on the disk; the others are never free */
  uint32_t stopped;  /* enum lc_lost + 1: why places are not emptied now; 0: they are */
  uint32_t shortage; /* enum lc_lost: why there are not more places */
  uint32_t rounds;   /* counts the rounds of `lightcone record`: while it changes, that process is alive */
  uint32_t lossless; /* a thread that finds no free place waits */
  uint64_t free_places[LC_PLACE_WORDS];
  uint64_t full_places[LC_PLACE_WORDS];

  /* Losses on purpose: of a recording of which only the newest is kept, and of a copy of one that goes on. */
  uint64_t dropped_until; /* ticks: no event that was dropped ended later */
  uint64_t dropped_events;
  uint64_t copied_at;   /* ticks; 0: this is no copy */
  uint64_t hold;        /* us of CLOCK_MONOTONIC: nothing is dropped until then, for somebody makes a copy */
  uint32_t is_unrolled; /* the packets that were kept are all in their streams */

  uint32_t where;         /* enum lc_where */
  uint32_t futex_all;     /* futexes are seen that the program calls without the C library */
  uint32_t futex_trouble; /* bits of enum lc_futex_trouble; 0: there was none */
  uint64_t sites_missed;  /* how often a site was not recorded, because there were too many, or no room */
  struct lc_pause pauses[LC_PAUSES];

  /* Regions that are watched: open addressing by process. */
  uint32_t n_region_limits;
  struct lc_region_limit region_limits[LC_REGION_LIMITS];
  struct lc_open_region open_regions[LC_OPEN_REGIONS];

  /* What MPI's locks count: open addressing by key. */
  struct lc_named_counter counters[LC_COUNTERS];

  /* The last signals that were sent, by their numbers. */
  uint64_t signals_sent;
  struct lc_signal_send signal_sends[LC_SIGNAL_SENDS];

  /* Objects in memory that several address spaces share: open addressing by key. */
  struct lc_slot shared[LC_SHARED_SLOTS];
  struct lc_object_record shared_records[LC_SHARED_SLOTS];
  struct lc_wake_ups shared_wake_ups[LC_SHARED_SLOTS];
};

LC_FORMAT_ASSERT (sizeof (struct lc_slot) == 64);
LC_FORMAT_ASSERT (sizeof (struct lc_wake_ups) == 200);

/*
 * Stops recording in all address spaces, or lets it go on; 1 if that is a change. `now` is read before. When there are
 * too many pauses to tell apart, the last one is told as longer than it was.
 */
static inline int
lc_control_set_paused (struct lc_control *control, int paused, uint64_t now)
{
  uint32_t count;

  if (__atomic_exchange_n (&control->is_paused, paused != 0, __ATOMIC_ACQ_REL) == (uint32_t)(paused != 0))
    return 0;
  count = control->n_pauses;
  if (!paused && count > 0 && count <= LC_PAUSES)
    control->pauses[count - 1].to = now;
  else if (paused && count < LC_PAUSES)
    {
      control->pauses[count].from = now;
      control->pauses[count].to = 0;
      __atomic_store_n (&control->n_pauses, count + 1, __ATOMIC_RELEASE);
    }
  return 1;
}

#endif
