/* SPDX-License-Identifier: Apache-2.0 */
/* Internals shared by the wrappers of the program's calls: the state of a thread, and writing events. */
#ifndef LC_RECORD_RECORDER_H
#define LC_RECORD_RECORDER_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "clock.h"
#include "lightcone/control.h"
#include "lightcone/trace-format.h"

#define LC_LIKELY(condition) __builtin_expect (!!(condition), 1)
#define LC_UNLIKELY(condition) __builtin_expect (!!(condition), 0)
#define LC_EXPORT __attribute__ ((visibility ("default")))
#define LC_ALWAYS_INLINE __attribute__ ((always_inline))

/* Keeps the compiler from reordering memory accesses, with respect to the thread's own signal handlers. */
#define LC_COMPILER_BARRIER() __asm__ volatile("" ::: "memory")

enum
{
  LC_CACHED_SLOTS = 64,
  LC_KNOWN_SITES = 64,
  LC_KNOWN_STACKS = 64,
  LC_STACK_DEPTH = 96,
  LC_DEFERRED_EVENTS = 16,
  LC_TRIES_ASKED = 4, /* requests that are tested in turn and told as one row */
};

/* Reasons to check a thread's state before its next event. */
enum lc_thread_state
{
  LC_THREAD_APPENDING = 1 << 0, /* an event is being written */
  LC_THREAD_BLOCKED = 1 << 1,   /* the thread is in an operation that waits */
};

struct lc_deferred
{
  uint16_t operation;
  uint8_t flags;
  uint32_t object;
  uint64_t word;
  uint64_t bytes; /* for LC_LAYOUT_COLLECTIVE */
  uint64_t site;  /* and the detail, as lc_place_word has both */
};

/* A call site or a stack that the thread has been at. */
struct lc_known_site
{
  uint64_t key;
  uint32_t site;
};

/* What the kernel has counted of a thread, or LC_ACCOUNT_UNKNOWN. */
struct lc_spent
{
  uint64_t running; /* ns */
  uint64_t runnable;
  uint64_t voluntary;
  uint64_t involuntary;
};

/* The state of a thread. Its memory belongs to the recorder, never to the program's heap. */
struct lc_thread
{
  unsigned char *next;      /* place of the next event */
  unsigned char *limit;     /* the end of its place */
  struct lc_packet *packet; /* the place, or &header; NULL: this is a child that was forked without handlers */
  uint64_t last;            /* end of the last event */
  uint64_t begun;           /* ticks: begin of the stream */
  uint32_t state;           /* enum lc_thread_state */
  uint32_t process;
  const volatile uint32_t *cpu;
  uint32_t deferred, deferred_done; /* numbers of deferred events so far, and of those already written */
  uint64_t events;
  uint32_t function_depth;
  int64_t owed;        /* ticks of lc_overhead_test that are still to be lost */
  bool is_losing;      /* time is being lost */
  bool is_catching_up; /* deferred events are being written */
  bool is_ending;      /* its exit is being told: no event of its own comes after that */
  bool is_numbering;   /* it holds the wake-ups of a futex: a signal handler must not want them */
  uint64_t sought;     /* ticks: what looking for objects took so far, as far as it was measured */
  uint32_t unmeasured; /* searches since the last one that was measured */
  uint64_t pause;      /* begin of the recorder's own work, which is to be recorded as a pause; 0: none */

  struct lc_event_sync *failed; /* tries.c: the failed attempt that is the thread's last event ... */
  uint64_t failed_events;       /* ... while `events` still has this value */

  struct
  {
    uint64_t key;
    struct lc_slot *slot;
  } cache[LC_CACHED_SLOTS];

  struct lc_known_site sites[LC_KNOWN_SITES];
  struct lc_known_site stacks[LC_KNOWN_STACKS];
  const void *frames[LC_STACK_DEPTH]; /* sites.c, while a stack is collected */
  const void *start;                  /* the function that the thread begins with, if its routine only calls that */
  uint32_t start_site;                /* the function that the thread began with, or 0 */
  uint32_t waiting_site;              /* of the operation in which the thread waits, or has just waited; or 0 */
  bool is_collecting;
  bool start_is_library;
  uintptr_t stack_top, stack_size;

  struct lc_piece *inputs; /* inputs-stream.c: what is being written; NULL: nothing */
  uint64_t inputs_size;    /* of inputs-N, once all pieces so far are there */
  bool is_keeping;         /* an input is being written */
  bool has_lost_inputs;    /* those after that would not fit */
  struct lc_deferred deferred_events[LC_DEFERRED_EVENTS];
  struct lc_packet header;              /* of the last packet; in use while there is no place */
  uint64_t stream_size;                 /* of ctf/process-N, once all packets so far are there */
  uint64_t packets;                     /* so far */
  uint64_t retry;                       /* further losses before a place is looked for again */
  uint64_t lost_apart[LC_LOST_REASONS]; /* counted in the control block while there was no place */
  char system_name[16];                 /* the thread's name in the system */
  uintptr_t polled;                     /* the files of the last poll, of which all streams were told */
  uint32_t polled_number, polled_change;
  uint32_t parent;
  uint32_t exit_rounds;
  uint64_t birth;                       /* thread.c */
  struct lc_cancellation *cancellation; /* cancellation.c */
  bool named;
  bool is_sandboxed;     /* since its birth */
  struct lc_spent spent; /* account.c: before the stream began */
  void *(*routine) (void *);
  int (*c11_routine) (void *);
  void *argument;
  struct lc_thread *next_free;
};

extern __thread struct lc_thread *lc_self __attribute__ ((tls_model ("initial-exec")));

/* The recorded classes as bits 1 << enum lc_class. All bits are set until the recorder has begun; 0: nothing is
 * recorded. */
extern uint32_t lc_classes;

/* Called when the program ends, in the thread that ends it, before the destructors of other libraries. NULL: nothing.
 */
extern void (*lc_after_end) (void);

extern uint64_t lc_overhead_test;
extern uint64_t lc_io_threshold; /* ticks */
extern struct lc_control *lc_control;
extern uint32_t lc_instance; /* number of this address space + 1 */
extern uint32_t lc_pid;

struct lc_thread *lc_enter_slow (uint32_t classes);

/* Returns the calling thread, which begins now if it is a new one, whatever classes are recorded. NULL: nothing of it
 * is recorded now, which is not counted. */
struct lc_thread *lc_enter_quietly (void);

/* Returns the calling thread if operations of this class are recorded, else NULL; the caller then only carries out the
 * operation. */
static inline struct lc_thread *lc_enter (enum lc_class class)
{
  struct lc_thread *thread = lc_self;

  if (LC_LIKELY (lc_classes >> class & 1))
    return LC_LIKELY (thread != NULL) ? thread : lc_enter_slow (1u << class);
  return NULL;
}

/* --- Slow paths: signals are blocked, errno is kept, and calls are not recorded ---------------------------- */

struct lc_slow
{
  sigset_t signals;
  struct lc_thread *self;
  int place;
  int error;
};

void lc_slow_begin (struct lc_slow *slow);
void lc_slow_end (struct lc_slow *slow);

/* `suspend` and `resume` of hooks.h. No system call. */
struct lc_suspension;
void lc_suspend (struct lc_suspension *suspension);
void lc_resume (const struct lc_suspension *suspension);
bool lc_is_suspended (void);

/* Returns the saved state of the calling thread. NULL: it is not suspended, or has no state. */
struct lc_thread *lc_suspended (void);

/* Ends any suspension of the calling thread, which is about to jump. */
void lc_resume_jump (void);

/* Only for use between lc_slow_begin and lc_slow_end. */
void lc_lock (uint32_t *lock);
void lc_unlock (uint32_t *lock);

/* elsewhere.c: calls a function, which must only make system calls, with a descriptor table that is not the
 * program's. */
void lc_elsewhere (void (*function) (void *), void *data);

/* True while the recorder begins, if no code of the program has run yet: its descriptor table may be used then. */
extern bool lc_is_alone;

/* Called before and after that, in the thread that asks for it, unless NULL; the second one if the first returned
 * true. */
extern bool (*lc_elsewhere_begin) (void);
extern void (*lc_elsewhere_end) (void);

/* sandbox.c: whether system calls that the calling thread does not make itself are no longer allowed. */
bool lc_is_sandboxed (void);
void lc_sandbox_begin (bool all);
void lc_sandbox_inherit (bool sandboxed);

/* --- Threads ----------------------------------------------------------------------------------------------- */

/* thread-id.c: returns the id of the calling thread. No system call. */
uint32_t lc_thread_id (void);

/* Tells that of another thread, which may have ended: then it returns false. 0: it is not known. */
bool lc_thread_id_of (pthread_t thread, uint32_t *number);
void lc_thread_id_begin (void);

/* Lets a child that was forked without handlers begin like any other. */
void lc_thread_is_forked (struct lc_thread *thread);

/* Stop recording the calling thread, and start again if it was recorded when it left. */
void lc_thread_leaves (void);
void lc_thread_returns (struct lc_thread *thread);

/* recorder.c: makes the state of a new thread with its process number, not attached to a thread yet. NULL: no
 * memory. */
struct lc_thread *lc_thread_new (uint32_t parent);

/* `make` of hooks.h. */
void lc_thread_expect (uint32_t process, uint32_t processes, const void *function);
void lc_thread_free (struct lc_thread *thread);

/* Registers the calling thread as this process for threads that join it. */
void lc_thread_register (struct lc_thread *thread);

/* For a thread made by a suspended one: a state that carries its routine; NULL: the caller is not suspended, or no
 * memory. The new thread first calls lc_thread_is_foreign, which frees the state and makes the thread one that is never
 * recorded. */
struct lc_thread *lc_thread_new_foreign (void);
void lc_thread_is_foreign (struct lc_thread *thread);

/* Attaches the state to the calling thread, and opens its stream. With `started`, records its start with these
 * flags. */
void lc_thread_attach (struct lc_thread *thread, bool started, uint8_t flags);

void lc_fork_prepare (void);
void lc_fork_parent (void);
void lc_fork_child (void);
void lc_fork_failed (void);

/* --- Streams: stream.c ------------------------------------------------------------------------------------- */

void lc_stream_open (struct lc_thread *thread);
void lc_stream_close (struct lc_thread *thread);

/* Gives the current place away, so that the events so far can be added to the stream. */
void lc_stream_rest (struct lc_thread *thread);

/* Makes room in a new packet. False: the event that is being written is lost, and counted. No system call. */
bool lc_stream_rotate (struct lc_thread *thread);

/* Set the calling thread's name: that given by the program, and that of the system, which counts less. */
void lc_stream_name (struct lc_thread *thread, const char *name);
void lc_stream_system_name (struct lc_thread *thread, const char *name);
void lc_count_lost (struct lc_thread *thread, enum lc_lost reason);
void lc_append_special (struct lc_thread *thread, const struct lc_deferred *event);
void lc_append_deferred (struct lc_thread *thread);

/* inputs-stream.c: gives away what has been kept of a thread that ends. */
void lc_inputs_rest (struct lc_thread *thread);

/* Tells the library that keeps inputs, if there is one, that the rank of MPI is recorded from now on. */
void lc_inputs_begin_in_rank (void);

/* Layouts (enum lc_layout) by operation. */
extern const uint8_t lc_layouts[LC_OPERATION_END];
void lc_append_pause (struct lc_thread *thread);

/* lose-time.c: loses the time of lc_overhead_test, once it has begun. */
void lc_lose_time (struct lc_thread *thread);
void lc_lose_time_begin (void);

/* --- The kernel's account of threads: account.c. In slow paths only ---------------------------------------- */

/* Notes what the kernel has counted of a thread that is older than its stream. `may_open`: the program has not begun,
 * so a file may be opened. */
void lc_account_begin (struct lc_thread *thread, bool may_open);

/* Records that the thread ends now, and what the kernel has counted; or that the whole program ends with it. */
void lc_account_end (const struct lc_thread *thread, enum lc_account_kind kind, uint64_t now);

/* --- Sites: sites.c ---------------------------------------------------------------------------------------- */

/* Added to the keys of known sites. It changes when code may have been replaced by other code. */
extern uint64_t lc_sites_salt;

/* Return the record of the program's call, or of its whole stack, which the recorder's function with this frame is
 * carrying out; 0: not known. */
uint32_t lc_site_find (struct lc_thread *thread, const uintptr_t *frame);
uint32_t lc_stack_find (struct lc_thread *thread, const uintptr_t *frame);

static inline unsigned int
lc_site_place (uint64_t key)
{
  return (unsigned int)((key * UINT64_C (0x9E3779B97F4A7C15)) >> 58);
}

_Static_assert(LC_KNOWN_SITES == 1 << (64 - 58), "the thread knows as many sites as the hash has values");

/* Returns the site of the call. It is always inlined, so that the frame is that of the wrapper in most cases. */
static inline LC_ALWAYS_INLINE uint32_t
lc_site (struct lc_thread *thread)
{
  const uintptr_t *frame = __builtin_frame_address (0);
  uint64_t key = frame[1] + __atomic_load_n (&lc_sites_salt, __ATOMIC_RELAXED);
  const struct lc_known_site *known = &thread->sites[lc_site_place (key)];

  return LC_LIKELY (known->key == key) ? known->site : lc_site_find (thread, frame);
}

static inline LC_ALWAYS_INLINE uint32_t
lc_stack (struct lc_thread *thread)
{
  return lc_stack_find (thread, __builtin_frame_address (0));
}

static inline uint64_t
lc_word (uint64_t sequence, uint64_t value)
{
  if (LC_UNLIKELY (value > LC_VALUE_MAX))
    value = LC_VALUE_MAX;
  return LC_SEQUENCE (sequence) | value << LC_SEQUENCE_BITS;
}

static inline uint64_t
lc_message_word (uint64_t sequence, uint64_t bytes)
{
  if (LC_UNLIKELY (bytes > UINT32_MAX))
    bytes = UINT32_MAX;
  return (sequence & UINT32_MAX) | bytes << 32;
}

static inline void
lc_commit (struct lc_thread *thread, unsigned char *place, size_t bytes)
{
  thread->next = place + bytes;
  thread->events++;
  /* The event is stored before the length: readers, also after a program was killed, rely on that. */
  __atomic_store_n (&thread->packet->content_size, thread->packet->content_size + bytes * 8, __ATOMIC_RELEASE);
  thread->state &= ~(uint32_t)LC_THREAD_APPENDING;
  LC_COMPILER_BARRIER ();
  if (LC_UNLIKELY (thread->deferred != thread->deferred_done))
    lc_append_deferred (thread);
  if (LC_UNLIKELY (thread->pause != 0))
    lc_append_pause (thread);
  else if (LC_UNLIKELY (lc_overhead_test))
    lc_lose_time (thread);
}

/*
 * Returns the last event of the thread, which has `size` bytes, or NULL if there is none where it writes now. That is
 * so even right after an event was written: it may have filled the place, and one that a signal handler had deferred
 * may have found no other.
 */
static inline void *
lc_last_event (const struct lc_thread *thread, size_t size)
{
  return LC_LIKELY (thread->next != NULL) ? thread->next - size : NULL;
}

/* Returns the bits of an event's duration and flags. */
static inline uint64_t
lc_event_time (uint64_t duration, uint8_t flags)
{
  return (duration & ((UINT64_C (1) << 56) - 1)) | (uint64_t)flags << 56;
}

/* Writes an event by five stores. Setting its bit fields would first read the old content, for which the next reading
 * of the clock would wait; the page may not be in any cache. */
static inline void
lc_event_fill (struct lc_event_sync *event, uint64_t end, uint64_t what, uint64_t time, uint64_t word, uint64_t site)
{
  unsigned char *to = (unsigned char *)event;

  event->end = end;
  memcpy (to + offsetof (struct lc_event_sync, operation), &what, sizeof what);
  memcpy (to + offsetof (struct lc_event_sync, object) + sizeof event->object, &time, sizeof time);
  event->sequence_value = word;
  memcpy (to + offsetof (struct lc_event_sync, site), &site, sizeof site);
}

/* The site of an event, and the detail that some operations have (struct lc_event_sync). */
static inline uint64_t
lc_place_word (uint32_t site, uint32_t detail)
{
  return (uint64_t)site | (uint64_t)detail << 32;
}

/* Shared by the functions below, which know the size. `site` may have a detail, too. */
static inline LC_ALWAYS_INLINE void
lc_append_sized (struct lc_thread *thread, uint16_t operation, uint32_t object, uint8_t flags, uint64_t word,
                 uint64_t bytes, uint64_t begin, uint64_t end, uint64_t site, size_t size)
{
  struct lc_event_sync *event;

  if (LC_UNLIKELY (lc_control->is_paused))
    return;
  if (LC_UNLIKELY (thread->state))
    {
      lc_append_special (thread, &(struct lc_deferred){operation, flags, object, word, bytes, site});
      return;
    }
  thread->state = LC_THREAD_APPENDING;
  LC_COMPILER_BARRIER ();
  if (LC_UNLIKELY (thread->next + size > thread->limit) && !lc_stream_rotate (thread))
    return;
  if (begin < thread->last)
    begin = thread->last;
  if (end < begin)
    end = begin;
  thread->last = end;
  event = (struct lc_event_sync *)(void *)thread->next;
  lc_event_fill (event, end, (uint64_t)operation | (uint64_t)(uint16_t)*thread->cpu << 16 | (uint64_t)object << 32,
                 lc_event_time (end - begin, flags), word, site);
  if (size == sizeof (struct lc_event_collective))
    ((struct lc_event_collective *)(void *)event)->bytes = bytes;
  lc_commit (thread, thread->next, size);
}

/* Returns the site of an event that is written now: of the wait that it ends, or of the call. */
static inline LC_ALWAYS_INLINE uint32_t
lc_event_site (struct lc_thread *thread)
{
  uint32_t site = thread->waiting_site;

  if (LC_LIKELY (site == 0 || thread->state))
    return lc_site (thread);
  thread->waiting_site = 0;
  return site;
}

/* Writes an event that has this site. */
static inline void
lc_append_at (struct lc_thread *thread, uint32_t site, uint16_t operation, uint32_t object, uint8_t flags,
              uint64_t word, uint64_t begin, uint64_t end)
{
  lc_append_sized (thread, operation, object, flags, word, 0, begin, end, site, sizeof (struct lc_event_sync));
}

/* The same with a detail. */
static inline void
lc_append_detailed (struct lc_thread *thread, uint32_t site, uint32_t detail, uint16_t operation, uint32_t object,
                    uint8_t flags, uint64_t word, uint64_t begin, uint64_t end)
{
  lc_append_sized (thread, operation, object, flags, word, 0, begin, end, lc_place_word (site, detail),
                   sizeof (struct lc_event_sync));
}

/* Writes an event of the calling thread. Never fails: an event that cannot be written is counted. */
static inline LC_ALWAYS_INLINE void
lc_append (struct lc_thread *thread, uint16_t operation, uint32_t object, uint8_t flags, uint64_t word, uint64_t begin,
           uint64_t end)
{
  lc_append_at (thread, lc_event_site (thread), operation, object, flags, word, begin, end);
}

/* tries.c: adds the attempt to the event of the attempts before it, if it belongs to them. */
bool lc_failed_again (struct lc_thread *thread, uint16_t operation, uint32_t object, uint64_t begin);

/* Records a failed attempt that would not have waited. Repeated attempts, with no other recorded event in between,
 * become a single event. */
static inline void
lc_append_failed (struct lc_thread *thread, uint16_t operation, uint32_t object, uint64_t begin)
{
  uint64_t events = thread->events;

  if (LC_UNLIKELY (lc_control->is_paused))
    return;
  if (thread->failed != NULL && thread->failed_events == events && lc_failed_again (thread, operation, object, begin))
    return;
  lc_append (thread, operation, object, 0, 0, begin, lc_now_after ());
  if (thread->events == events + 1)
    {
      thread->failed = lc_last_event (thread, sizeof *thread->failed);
      thread->failed_events = thread->events;
    }
}

struct lc_finished;

/* tries.c: adds a test or a probe in vain to the row of those before it, if it belongs to them. */
bool lc_test_failed_again (struct lc_thread *thread, const struct lc_finished *event, uint64_t begin, uint64_t end);

/* Goes on with a row, after an event for its request was written. The thread had `events` before, and the event has
 * `size` bytes. */
void lc_test_has_failed (struct lc_thread *thread, const struct lc_finished *event, uint64_t events, size_t size);

/* Makes the last event of a row the one that ends it: all of it was the wait for this. */
bool lc_test_succeeded (struct lc_thread *thread, const struct lc_finished *event, uint64_t begin, uint64_t end,
                        size_t size);

/* Ends the row, before the thread waits in another way. */
void lc_tests_end (void);

/* Writes an event of an operation with LC_LAYOUT_COLLECTIVE. */
static inline void
lc_append_collective (struct lc_thread *thread, uint16_t operation, uint32_t object, uint8_t flags, uint64_t word,
                      uint64_t bytes, uint64_t begin, uint64_t end)
{
  lc_append_sized (thread, operation, object, flags, word, bytes, begin, end, lc_event_site (thread),
                   sizeof (struct lc_event_collective));
}

/* Writes the edge of a region. */
static inline void
lc_append_mark (struct lc_thread *thread, uint16_t operation, uint32_t value, uint64_t at)
{
  struct lc_event_mark *event;

  if (LC_UNLIKELY (lc_control->is_paused))
    return;
  if (LC_UNLIKELY (thread->state))
    {
      lc_append_special (thread, &(struct lc_deferred){.operation = operation, .object = value});
      return;
    }
  thread->state = LC_THREAD_APPENDING;
  LC_COMPILER_BARRIER ();
  if (LC_UNLIKELY (thread->next + sizeof *event > thread->limit) && !lc_stream_rotate (thread))
    return;
  if (at < thread->last)
    at = thread->last;
  thread->last = at;
  event = (struct lc_event_mark *)(void *)thread->next;
  event->end = at;
  event->operation = operation;
  event->cpu = (uint16_t)*thread->cpu;
  event->value = value;
  lc_commit (thread, thread->next, sizeof *event);
}

static inline void
lc_append_tag (struct lc_thread *thread, uint32_t value, uint32_t text, uint32_t site, uint64_t at)
{
  struct lc_event_tag *event;
  uint64_t where = site | (uint64_t)text << 32;

  if (LC_UNLIKELY (lc_control->is_paused))
    return;
  if (LC_UNLIKELY (thread->state))
    {
      lc_append_special (thread,
                         &(struct lc_deferred){.operation = LC_TAG, .object = value, .word = text, .site = site});
      return;
    }
  thread->state = LC_THREAD_APPENDING;
  LC_COMPILER_BARRIER ();
  if (LC_UNLIKELY (thread->next + sizeof *event > thread->limit) && !lc_stream_rotate (thread))
    return;
  if (at < thread->last)
    at = thread->last;
  thread->last = at;
  event = (struct lc_event_tag *)(void *)thread->next;
  event->end = at;
  event->operation = LC_TAG;
  event->cpu = (uint16_t)*thread->cpu;
  event->value = value;
  memcpy (&event->site, &where, sizeof where);
  lc_commit (thread, thread->next, sizeof *event);
}

/*
 * Gives the event that was just written the whole stack, because it may have ended the waiting of others. `events` is
 * their number before it. It is called after the others can go on, so that they need not wait for this, too.
 */
static inline LC_ALWAYS_INLINE void
lc_has_woken (struct lc_thread *thread, uint64_t events)
{
  struct lc_event_sync *event = lc_last_event (thread, sizeof *event);
  struct lc_event_sync *const first = (struct lc_event_sync *)(void *)(thread->packet + 1);
  uint32_t site = lc_stack (thread);

  if (LC_UNLIKELY (event == NULL))
    return;
  if (thread->events == events + 2 && event > first && event->operation == LC_PAUSE)
    event--;
  else if (thread->events != events + 1)
    return;
  if (event >= first)
    event->site = site;
}

/* Gives the pending operation of a wait that ends at some time, or, if that is NULL, only when it has what it waits
 * for. */
static inline uint16_t
lc_pending (enum lc_operation operation, const void *until)
{
  return (uint16_t)(operation | (until == NULL ? LC_PENDING_UNLIMITED : 0));
}

/* Notes in the stream's header what the calling thread is about to wait for, in case the wait never ends. The
 * operation may have the bit LC_PENDING_UNLIMITED. */
static inline LC_ALWAYS_INLINE void
lc_block (struct lc_thread *thread, uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin)
{
  struct lc_packet *packet = thread->packet;

  if (LC_UNLIKELY (thread->state))
    return; /* a signal handler waits within another wait: the outer one is noted */
  packet->pending_begin = begin;
  packet->pending_object = object;
  packet->pending_sequence = sequence;
  packet->pending_cpu = (uint16_t)*thread->cpu;
  packet->pending_site = 0;
  __atomic_store_n (&packet->pending_operation, operation, __ATOMIC_RELEASE);
  packet->pending_site = thread->waiting_site = lc_stack (thread);
  thread->state = LC_THREAD_BLOCKED;
  LC_COMPILER_BARRIER ();
}

static inline void
lc_unblock (struct lc_thread *thread)
{
  LC_COMPILER_BARRIER ();
  thread->state &= ~(uint32_t)LC_THREAD_BLOCKED;
  if (LC_LIKELY (thread->packet != NULL)) /* a signal handler may have forked, and this may be the child */
    thread->packet->pending_operation = LC_NO_OPERATION;
}

/* cancellation.c: calls a real function that is a cancellation point, and `cancelled` if the thread ends in it. */
int lc_call_cancellable (struct lc_thread *thread, int (*call) (void *), void *data, void (*cancelled) (void *),
                         void *cancelled_data);

/* --- Objects: objects.c, slots.c ---------------------------------------------------------------------------- */

/* slots.c: finds or adds the slot of a key, and puts it into the thread's cache. NULL: no room. */
struct lc_slot *lc_slot_find (struct lc_thread *thread, uint64_t key);

/* Makes a record for a slot that has none. Returns the slot to use, which may be in shared memory, or NULL: no room. */
struct lc_slot *lc_slot_describe (struct lc_thread *thread, struct lc_slot *slot, const void *address,
                                  enum lc_class class, enum lc_kind kind);

/* Called in a forked child, which has objects of its own. */
void lc_slots_forget (void);

/*
 * Makes a record for an object without a slot, or whose slot is set later; 0: no room. Call it between lc_slow_begin
 * and lc_slow_end. `name` may be NULL.
 */
uint32_t lc_object_new (const struct lc_object_record *record, const char *name);

/* The same with a name that may have zero bytes in it. */
uint32_t lc_object_new_bytes (const struct lc_object_record *record, const char *name, size_t length);

/* The same, of a record that has its `ticks`. */
uint32_t lc_object_new_at (const struct lc_object_record *record, const char *name, size_t length);

/* Notes in objects-I that this address space is now this rank of `ranks`. Also between lc_slow_begin and
 * lc_slow_end. */
bool lc_objects_rank (uint32_t rank, uint32_t ranks);

/* lc_records_forget is called in a forked child, which has records of its own; lc_records_rest gives the current piece
 * away, so that it can be added to the file. */
void lc_records_forget (void);
void lc_records_rest (void);

static inline uint64_t
lc_key (const void *address, enum lc_class class)
{
  return (uint64_t) class << 56 | ((uint64_t)(uintptr_t)address & ((UINT64_C (1) << 56) - 1));
}

static inline unsigned int
lc_cache_place (uint64_t key)
{
  return (unsigned int)((key * UINT64_C (0x9E3779B97F4A7C15)) >> 58);
}

_Static_assert(LC_CACHED_SLOTS == 1 << (64 - 58), "the cache has as many places as the hash has values");

/* Returns the slot of an object, described or not. Only for classes without lc_object_end, because slots of others may
 * already belong to another object. NULL: no room. */
static inline struct lc_slot *
lc_slot_at (struct lc_thread *thread, const void *address, enum lc_class class)
{
  uint64_t key = lc_key (address, class);
  unsigned int place = lc_cache_place (key);

  if (LC_LIKELY (thread->cache[place].key == key))
    return thread->cache[place].slot;
  __builtin_prefetch (address, 1); /* the object itself is probably not cached either */
  return lc_slot_find (thread, key);
}

/* Returns the number of a slot's record; 0: not described. A described slot is completely written. */
static inline uint32_t
lc_slot_id (const struct lc_slot *slot)
{
  return __atomic_load_n (&slot->id, __ATOMIC_ACQUIRE);
}

/* Tells whether a slot still belongs to the object. Check the slot's record first, because it is written after the
 * key. */
static inline bool
lc_slot_is_of (const struct lc_slot *slot, const void *address, enum lc_class class)
{
  return __atomic_load_n (&slot->key, __ATOMIC_RELAXED) == lc_key (address, class);
}

/* Returns the object's slot with a record. */
static inline struct lc_slot *
lc_object (struct lc_thread *thread, const void *address, enum lc_class class, enum lc_kind kind)
{
  struct lc_slot *slot = lc_slot_at (thread, address, class);

  if (LC_UNLIKELY (slot == NULL || lc_slot_id (slot) == 0 || !lc_slot_is_of (slot, address, class)))
    slot = lc_slot_describe (thread, slot, address, class, kind);
  return slot;
}

/* Tell that the program has made (again) or destroyed the object at this address, so that later uses mean another
 * object. */
void lc_object_begin (struct lc_thread *thread, const void *address, enum lc_class class, enum lc_kind kind,
                      bool shared, uint64_t value);
void lc_object_end (struct lc_thread *thread, const void *address, enum lc_class class);

/* shared.c: finds the slot in DIR/.control of a pipe, one direction of a connection, or an eventfd, known by a hash of
 * what is its own. NULL: there is no room for more. Call it between lc_slow_begin and lc_slow_end. */
struct lc_slot *lc_shared_stream (enum lc_kind kind, uint64_t hash, uint64_t value);

/* The same for a signal. */
struct lc_slot *lc_shared_signal (uint32_t signal);

#define LC_SHARED_REPLACED UINT64_MAX /* key of a slot whose memory holds another object now */

/* shared.c: finds the slot in DIR/.control of an object in memory that address spaces may share; or NULL. */
struct lc_slot *lc_shared_slot (const void *address, enum lc_class class, enum lc_kind kind, uint64_t value, bool anew);

/* Returns false if another address space has made a new object in its place. */
static inline bool
lc_shared_is_current (const struct lc_slot *slot)
{
  return slot != NULL && __atomic_load_n (&slot->key, __ATOMIC_RELAXED) != LC_SHARED_REPLACED;
}

/* --- MPI: requests.c, counters.c --------------------------------------------------------------------------- */

uint32_t lc_request_new (void);
void lc_request_resolve (uint32_t request, uint32_t object, uint32_t sequence);

/* Called in a forked child, which has requests of its own. */
void lc_requests_forget (void);

/* Returns the counter of that name in DIR/.control. NULL: no room. */
struct lc_shared_counter *lc_counter (const char *name);

/* symbols.c: finds the name of the function at an offset of a file of code. False: none. */
bool lc_symbol_name (const char *path, uint64_t offset, char *name, size_t size);

/* --- Files: files.c ---------------------------------------------------------------------------------------- */

/* Opens a file of the trace. Only before the program's threads run, or within lc_elsewhere. */
int lc_file_open (const char *name, int flags);
void lc_file_close (int file);
/* Sets the owner and the group of the control block, and whether it is shared. */
void lc_file_belongs (uint32_t mode, uint32_t user, uint32_t group);

/* Counts a program that is about to be started and cannot be recorded, because it is another user's: returns 0 or 1. */
uint32_t lc_strangers_count (void);
void lc_strangers_take_back (uint32_t counted);

bool lc_file_directory (const char *directory);

/* functions.c: reads the patterns and the depth. */
void lc_functions_begin (void);

#endif
