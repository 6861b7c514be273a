/* SPDX-License-Identifier: Apache-2.0 */
/* The file by which `lightcone replay` tells a program's threads their turns, and they tell how far they are. */
#ifndef LIGHTCONE_REPLAY_PLAN_H
#define LIGHTCONE_REPLAY_PLAN_H

#include <stdint.h>

/*
 * The program maps the file shared, so that the command sees what the program's threads do. It begins with the header,
 * followed by the threads, objects, sites, modules and events, each at its offset. All are of one address space.
 *
 * Each object counts its steps: what others may have to wait for (an unlock, the end of a read, a post, a wake-up, an
 * arrival at a barrier, the exit of a thread). An event has its turn when its object has made `after` steps. What
 * OpenMP has numbers of (a region, a task, the wait for tasks, a generation of a barrier, an index of an ordered loop)
 * is an object for each number.
 */
#define LC_REPLAY_MAGIC "LCREPLAY"
#define LC_REPLAY_VERSION 12

/* The path of the file. */
#define LC_REPLAY_ENVIRONMENT "LIGHTCONE_REPLAY"

/* The same for ranks of MPI, each of which has a plan of its own: the number of the rank comes after it. */
#define LC_REPLAY_RANKS_ENVIRONMENT "LIGHTCONE_REPLAY_RANKS"

/* The path of the library, for a recorder that starts the program: it loads the library before its own. */
#define LC_REPLAY_LIBRARY_ENVIRONMENT "LIGHTCONE_REPLAY_LIBRARY"

#define LC_REPLAY_NONE UINT32_MAX

/*
 * X (what the name of a file of code begins with) for libraries that MPI stands on: they lock before `main`, and where
 * they stand before mmap and its like, in calls of the program's. What calls from there do has no turn.
 */
#define LC_REPLAY_BELOW_MPI(X) \
  X ("libucm.so") \
  X ("libucs.so") \
  X ("libuct") \
  X ("libucp.so") \
  X ("libfabric.so") \
  X ("libpsm") \
  X ("libpmix.so") \
  X ("mca_")

enum lc_replay_mode
{
  LC_REPLAY_FOLLOW,
  LC_REPLAY_HOLD, /* no thread goes beyond its next operation */
  LC_REPLAY_FREE, /* threads do what they like, also those that wait for their turn */
};

enum lc_replay_state
{
  LC_REPLAY_UNBORN,
  LC_REPLAY_RUNNING,
  LC_REPLAY_WAITING,   /* for its turn in the event that is its next */
  LC_REPLAY_GATHERING, /* at a barrier, for the others of its generation */
  LC_REPLAY_AWAITING,  /* its `index`, in the program's own variable: no turn brings that */
  LC_REPLAY_INSIDE,    /* of a call of MPI's, within which nothing has a turn */
  LC_REPLAY_AT_END,    /* where its recorded history was cut, or at its limit */
  /* From here on a thread asks for no more of its recorded inputs. */
  LC_REPLAY_LEAVING, /* the program ends when the others are at the end of their histories, too */
  LC_REPLAY_LEFT,    /* the program ends, and nobody is waited for; what it does until then may take its time */
  LC_REPLAY_ENDED,
};

/* Who evaluates expressions, before events that have probes. */
enum lc_replay_prober
{
  LC_REPLAY_NO_PROBER,
  LC_REPLAY_PROBER_AWAITED, /* by all threads that come to such an event */
  LC_REPLAY_PROBER_HERE,
  LC_REPLAY_PROBER_GONE,
};

/*
 * What a probe leaves in the room at its address: for each expression struct lc_replay_value, followed by its text,
 * without a zero byte at its end. Length 0 ends them.
 */
#define LC_REPLAY_PROBE_ROOM 8192
struct lc_replay_value
{
  uint32_t value; /* the same as a number, where it is one that fits */
  uint32_t length;
};

/* How a thread differs from its recorded history. */
enum lc_replay_difference
{
  LC_REPLAY_SAME,
  LC_REPLAY_OPERATION, /* another operation came */
  LC_REPLAY_OBJECT,    /* the operation came to another object */
  LC_REPLAY_SITE,      /* it came from another place in the code */
  LC_REPLAY_OUTCOME,   /* it had another result */
  LC_REPLAY_MORE,      /* nothing more was recorded */
  LC_REPLAY_UNKNOWN,   /* the recording does not tell in which order that came */
  LC_REPLAY_INPUT,     /* it asks for another input: inputs-plan.h says more */
};

/* The compiler whose OpenMP has turns. */
enum lc_replay_openmp
{
  LC_REPLAY_NO_OPENMP,
  LC_REPLAY_GCC_OPENMP,
  LC_REPLAY_CLANG_OPENMP,
};

struct lc_replay_event
{
  uint16_t operation;
  uint16_t flags;  /* enum lc_event_flags */
  uint32_t object; /* of class thread: the process */
  uint32_t site;   /* or LC_REPLAY_NONE */
  uint32_t value;  /* how many attempts a failed one stands for; how many a barrier gathers; of messages, the bytes */
  uint32_t after;
  uint32_t is_step; /* the object then makes a step */
  uint64_t ordinal; /* in the trace */
  uint64_t sequence;
  uint64_t begin;  /* ns */
  uint64_t length; /* ns */
  uint32_t detail; /* as in struct lc_event_sync */
  uint32_t probes; /* set of expressions that are evaluated before it, from 1 on; 0: none */
};

/* A process of the trace: also an object, of the same number, whose step is its exit. */
struct lc_replay_thread
{
  uint64_t first; /* of its events */
  uint64_t n_events;
  uint64_t next;                  /* how many of them it has done */
  uint64_t limit;                 /* how many of them it may do; the command changes it, and then counts `moves` */
  uint32_t state;                 /* enum lc_replay_state */
  uint32_t is_cut;                /* it may have gone on after its last event */
  uint32_t id;                    /* of the system, in the replay */
  uint32_t process;               /* of the trace */
  uint64_t index;                 /* that it awaits */
  struct lc_replay_event pending; /* what it had begun when its history was cut; operation 0: nothing that has turns */
  uint32_t is_pending;            /* it has come to that */
  uint32_t is_orphan;             /* nobody was seen making it */
};

struct lc_replay_object
{
  uint64_t address; /* in the replay; 0: not yet known */
  uint32_t steps;
  uint32_t sleepers;
  uint32_t object; /* of the trace */
  uint32_t object_class;
  uint64_t offset; /* of a static variable: its place in the module's file */
  uint32_t module; /* or LC_REPLAY_NONE */
  uint32_t kind;   /* enum lc_kind */
};

struct lc_replay_site
{
  uint64_t offset;
  uint32_t module;
  uint32_t site; /* of the trace */
};

/* The last part of a module's path. */
struct lc_replay_module
{
  char name[64];
};

struct lc_replay_header
{
  char magic[8];
  uint32_t version;
  uint32_t mode;      /* enum lc_replay_mode */
  uint32_t mode_then; /* after the first difference */
  uint32_t classes;   /* that have turns, as bits */
  uint32_t program;   /* pid of the one that follows, or 0 */
  uint32_t n_threads, n_objects, n_sites, n_modules;
  uint32_t difference;     /* enum lc_replay_difference, written last */
  uint32_t is_debugged;    /* a debugger may attach to the program */
  uint32_t is_claimed;     /* a thread tells its difference */
  uint32_t moves;          /* how often limits have been changed: a futex */
  uint32_t thread;         /* that differs */
  uint32_t came_operation; /* what came */
  uint32_t came_object;    /* object of the plan, or LC_REPLAY_NONE */
  uint32_t openmp;         /* enum lc_replay_openmp */
  uint32_t is_steered;     /* locks are taken in another order than the recorded one */
  uint32_t prober;         /* enum lc_replay_prober, written by the command */
  uint32_t n_probed;       /* events so far before which expressions were evaluated */
  uint32_t n_told;         /* values that the recorder was told */
  uint32_t first;          /* pid of the first program that came, or 0 */
  uint32_t replaced;       /* how many programs that process has executed before the one that follows */
  uint32_t came;           /* how many of them have come */
  uint64_t probe_address;  /* of the function that a debugger stops in for that */
  uint64_t n_events;
  uint64_t threads, objects, sites, modules, events; /* offsets */
  uint64_t came_address;
  uint64_t came_offset;   /* the place in the code: in the addresses of the module's file */
  char came_module[1024]; /* its path */
};

#endif
