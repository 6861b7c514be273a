/* SPDX-License-Identifier: Apache-2.0 */
/* What is loaded into a program that is replayed: the turns of its threads. */
#ifndef LC_RECORD_REPLAY_H
#define LC_RECORD_REPLAY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "hooks.h"
#include "lightcone/replay-plan.h"
#include "lightcone/trace-format.h"

#define LC_REPLAY_EXPORT __attribute__ ((visibility ("default")))

/* The place in the program that called the wrapper. */
#define LC_REPLAY_CALLER() ((uintptr_t)__builtin_return_address (0))

/* What a thread has last read of a clock. */
struct lc_replay_reading
{
  struct timespec time;
  const struct lc_replay_event *event; /* that came next; NULL: it has not read it */
};

/* A thread of the program that has a recorded history. */
struct lc_replayed
{
  struct lc_replay_thread *thread;
  uint32_t number;
  uint32_t rounds;  /* of its destructors */
  uint32_t tries;   /* failed attempts so far of those that its next event stands for */
  uint32_t is_free; /* of clang's OpenMP: no thread carries on the history */
  bool is_busy;     /* in an operation: one of a signal handler has no turn */
  bool has_stepped; /* its next event has made its step already */
  bool is_early;    /* the next time that it reads of `clock` is before `limit` */
  clockid_t clock;
  struct timespec limit; /* of its last wait that had one */
  int64_t over;          /* when that was over in the recorded run, in ns; 0: not known */
  struct lc_replay_reading readings[2];
  bool has_stream; /* of who records the replay */
  uint64_t began;  /* the operation, in the recorder's ticks */
  struct lc_suspension suspension;
  uint64_t probed;   /* number of its last event that was probed, from 1 on; 0: none */
  char *answers;     /* of probes; NULL: not yet asked for */
  uint32_t has_name; /* `name` is set */
  pthread_t name;
  void *(*routine) (void *);
  int (*c11_routine) (void *);
  void *argument;
};

/* An object of the program, by its address. */
struct lc_replay_place
{
  uintptr_t key;    /* of address and class; 0: free */
  uint32_t object;  /* of the plan + 1; 0: not known */
  uint32_t is_made; /* the program has initialized it by a call: an object that cannot be mistaken */
  uint32_t is_of_library;
  uint32_t owner; /* of a lock: thread + 1 */
  uint32_t depth;
  uint32_t record; /* of an object of lightcone/record.h, by who records the replay */
};

/* What a thread is about to do. */
struct lc_replay_call
{
  enum lc_class class;
  uint16_t operation;
  uint16_t failed; /* the operation that is recorded if it fails, or 0 */
  const void *address;
  uintptr_t caller;
};

/* Gives the calling thread, which nobody was seen making, the first history of such a thread that is left. NULL: there
 * is none, or the thread has ended. */
struct lc_replayed *lc_replay_adopt (void);

extern __thread struct lc_replayed *lc_replay_self __attribute__ ((tls_model ("initial-exec")));

/* Returns the calling thread if operations of the class have turns; NULL: the caller only calls the real function. */
struct lc_replayed *lc_replay_enter (enum lc_class class);

/* Finds the place of an object, or makes it. */
struct lc_replay_place *lc_replay_place (const void *address, enum lc_class class);

/* Whether other address spaces may use the object, which then has no turns. */
bool lc_replay_is_shared (const void *address, enum lc_class class);

/* replay-locks.c: let a wait for a condition give its mutex back, and take it again. False: the thread has not locked
 * the mutex, or more than once, and nothing was done. */
bool lc_replay_leave_mutex (struct lc_replayed *self, void *mutex, uintptr_t caller);
int lc_replay_return_mutex (struct lc_replayed *self, void *mutex, uintptr_t caller);

/* Tell that the program has made, or destroyed, the object at an address; or, by the first from that caller, the OpenMP
 * library. */
void lc_replay_made_by (uintptr_t caller, const void *address, enum lc_class class);
void lc_replay_made (const void *address, enum lc_class class);
void lc_replay_destroyed (const void *address, enum lc_class class);

/*
 * Waits until it is the call's turn, and returns the recorded event, which lc_replay_done ends. NULL: the thread has no
 * turn here, or none any more, and the caller only calls the real function.
 */
const struct lc_replay_event *lc_replay_turn (struct lc_replayed *self, const struct lc_replay_call *call);
void lc_replay_done (struct lc_replayed *self, const struct lc_replay_event *event);

/* Waits for the turn of the thread's next event if that is of an object of lightcone/record.h; or stays at the end of a
 * history that was cut short. */
void lc_replay_await_library (struct lc_replayed *self);

/* replay-program.c: the classes that such objects may have turns in, and those that they have in this program. */
#define LC_REPLAY_LIBRARY \
  (1u << LC_CLASS_CREW | 1u << LC_CLASS_ADVANCE | 1u << LC_CLASS_SEMAPHORE | 1u << LC_CLASS_BARRIER | \
   1u << LC_CLASS_CHANNEL)
extern uint32_t lc_replay_library_classes;

/* Returns the thread's next event without waiting; NULL: there is none. */
const struct lc_replay_event *lc_replay_peek (const struct lc_replayed *self);

/* The same of the event that comes so many after that. */
const struct lc_replay_event *lc_replay_peek_at (const struct lc_replayed *self, uint64_t ahead);

/* Whether OpenMP has turns in this program, and whether that is clang's. */
bool lc_replay_has_openmp (void);
bool lc_replay_has_clang_openmp (void);

/* replay-openmp-tool.c: let the calling thread enter and leave clang's library, in which nothing has a turn but the
 * making of threads. Both return whether it was inside. */
bool lc_replay_enter_library (void);
bool lc_replay_leave_library (void);

/* Whether the library made a thread here in the recorded run, too. */
bool lc_replay_makes_worker (void);

/* Tells whether a call comes from there, or was a routine's last one and returns there. */
bool lc_replay_is_of_library (uintptr_t caller);

/* Tells whether a call means an object of the library: its own locks have no turns wherever it uses them. `self` may be
 * NULL. */
bool lc_replay_is_library_call (const struct lc_replayed *self, const struct lc_replay_call *call);
extern __thread bool lc_replay_is_inside __attribute__ ((tls_model ("initial-exec")));

/* Ends the thread's part in an operation whose event is not done yet. */
void lc_replay_leave (struct lc_replayed *self);

/* Makes the step of the thread's next event before that ends: others may have to come before it can. */
void lc_replay_step_early (struct lc_replayed *self, const struct lc_replay_event *event);

/* Ends an attempt that was recorded to fail. */
void lc_replay_failed (struct lc_replayed *self, const struct lc_replay_event *event);

/* Tells that the result of the operation was not the recorded one; the thread then has no turn any more. */
void lc_replay_differs (struct lc_replayed *self, const struct lc_replay_call *call, enum lc_replay_difference how);

/* An object of the plan. */
const struct lc_replay_object *lc_replay_object (uint32_t object);

/* Counts a step of an object, and lets those go on whose turn it is. Returns the number of steps before. */
uint32_t lc_replay_step (uint32_t object);

/* Waits until the object has made so many steps. False: no turns are kept any more. */
bool lc_replay_await (struct lc_replayed *self, uint32_t object, uint32_t steps, enum lc_replay_state state);

/* Returns when threads are no longer held, which may be never. */
void lc_replay_hold (void);

/* Stays at the end of a recorded history that was cut. The command ends or frees the program when no thread can go on.
 */
void lc_replay_stay (struct lc_replayed *self);

/* Whether locks are taken in another order than the recorded one, and who records must count by itself. */
bool lc_replay_is_steered (void);

/* Whether threads still follow. */
bool lc_replay_follows (void);

/* Whether this process has a plan, and not its parent. */
bool lc_replay_is_here (void);

/* Whether it is a rank of MPI. */
bool lc_replay_is_of_rank (void);

/* Returns the value of a variable of the environment, or NULL. */
const char *lc_replay_variable (const char *name);

/* replay-ranks.c: gives the path of the plan of this rank of MPI. False: the process is none. */
bool lc_replay_find_rank_plan (char *path, size_t room);

/* `suspend`, `resume`, `process` and `recorder` of hooks.h. */
void lc_replay_suspend (struct lc_suspension *suspension);
void lc_replay_resume (const struct lc_suspension *suspension);
uint32_t lc_replay_get_process (void);
const struct lc_hooks *lc_replay_find_recorder (void);

/* replay-threads.c: begins the history of the calling thread. */
void lc_replay_begin_thread (struct lc_replayed *self);
void lc_replay_threads_begin (void);

/* The threads of the plan, in this process. */
struct lc_replayed *lc_replay_thread (uint32_t number);
uint32_t lc_replay_count_threads (void);

/* replay-record.c: who records the replay; NULL: nobody. */
extern const struct lc_hooks *lc_replay_recorder;
void lc_replay_record_begin (void);

/* Keep what the thread does from being recorded, since its recorded events are: from the begin of an operation, whose
 * time is noted, to its end. */
void lc_replay_record_enter (struct lc_replayed *self);
void lc_replay_record_leave (struct lc_replayed *self);

/* The same within other functions, which keep the state. */
void lc_replay_record_suspend (struct lc_suspension *suspension);
void lc_replay_record_resume (const struct lc_suspension *suspension);

/* Gives the thread that the caller is about to make its number of the trace, and tells what it begins with. */
void lc_replay_record_make (const struct lc_replayed *child, const void *function);

/* Records an event that is done, before others can see it. */
void lc_replay_record (const struct lc_replayed *self, const struct lc_replay_event *event);

/* replay-probe.c: tells the command where a debugger is to stop. */
void lc_replay_probe_begin (struct lc_replay_header *header);

/* Lets the expressions of the thread's next event, whose turn it is, be evaluated, unless they have been. They become
 * tags, after which the event begins. */
void lc_replay_probe (struct lc_replayed *self, const struct lc_replay_event *event);

/* Records the end of a wait for a condition by nothing, in a thread that has become free. */
void lc_replay_record_freed (const struct lc_replayed *self, const void *condition);

/* replay-time.c: notes when the limit of a wait was over in the recorded run, before the first event of the wait. */
void lc_replay_time_begin (struct lc_replayed *self, clockid_t clock, const struct timespec *until);

/* Whether it was over when the thread went on after the event, which is its next. */
bool lc_replay_time_is_over (const struct lc_replayed *self, const struct lc_replay_event *event);

/* Let it be over, or not yet for whoever reads the clock next. */
void lc_replay_time_await (clockid_t clock, const struct timespec *until);
void lc_replay_time_is_early (struct lc_replayed *self, clockid_t clock, const struct timespec *until);

/* replay-time.c: the time that is, also where the program is given the recorded one. */
void lc_replay_time_now (clockid_t clock, struct timespec *now);

/* replay-inputs.c: whether the program is given what it got from outside, also the time. */
bool lc_replay_gives_inputs (void);

/* Lets what gives them back begin, if it could not yet. */
void lc_replay_begin_inputs (void);

/* replay-lookup.c: maps what is kept of addresses. False: no memory. */
bool lc_replay_lookup_begin (const struct lc_replay_module *modules, uint32_t n_modules);

/* Finds the module and the offset of a place in the code. `module` is LC_REPLAY_NONE if it is none of the plan's. */
void lc_replay_where (uintptr_t code, uint32_t *module, uint64_t *offset);

/* Whether it is in a library that MPI stands on. */
bool lc_replay_is_below_mpi (uintptr_t code);

/* The same for people: the path of its file. */
void lc_replay_describe (uintptr_t code, char *path, size_t room, uint64_t *offset);

#endif
