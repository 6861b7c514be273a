/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of the traced program's calls share: the thread's state, and how an event is written. */
#ifndef LC_RECORD_RECORDER_H
#define LC_RECORD_RECORDER_H

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

/* Keeps the compiler from moving memory accesses: against this thread's own signal handlers. */
#define LC_COMPILER_BARRIER() __asm__ volatile("" ::: "memory")

enum
{
  LC_CACHED_SLOTS = 64,
  LC_DEFERRED_EVENTS = 16,
};

/* Why a thread's next event needs a second look. */
enum lc_thread_state
{
  LC_THREAD_APPENDING = 1 << 0, /* a signal handler interrupts the writing of an event */
  LC_THREAD_BLOCKED = 1 << 1,   /* a signal handler interrupts an operation that waits */
};

struct lc_deferred
{
  uint16_t operation;
  uint8_t flags;
  uint32_t object;
  uint64_t word;
  uint64_t bytes; /* LC_LAYOUT_COLLECTIVE */
};

/* All that the recorder knows of one thread. Its own memory, never the program's heap. */
struct lc_thread
{
  unsigned char *next;      /* where the next event goes */
  unsigned char *limit;     /* the end of its place */
  struct lc_packet *packet; /* the place, or &header; NULL: this is a forked child that nobody has told us of */
  uint64_t last;            /* the end of the last event */
  uint32_t state;           /* enum lc_thread_state */
  uint32_t process;
  const volatile uint32_t *cpu;
  uint32_t deferred, deferred_done; /* of deferred_events so far: those between are to be written */
  uint64_t events;
  uint32_t function_depth;
  int64_t owed;        /* ticks of lc_overhead_test that the last event did not lose */
  bool is_losing;      /* them */
  bool is_catching_up; /* with the deferred events */
  uint64_t pause;      /* since when the recorder has done something of its own that has to be told; 0: it has not */

  struct lc_event_sync *failed; /* tries.c: an attempt that failed, which is its last event ... */
  uint64_t failed_events;       /* ... while these are all that there are */

  struct
  {
    uint64_t key;
    struct lc_slot *slot;
  } cache[LC_CACHED_SLOTS];

  struct lc_deferred deferred_events[LC_DEFERRED_EVENTS];
  struct lc_packet header;              /* of the last packet, and for when there is no place */
  uint64_t stream_size;                 /* of ctf/process-N, when all packets so far are there */
  uint64_t packets;                     /* so far */
  uint64_t retry;                       /* losses until a place is looked for again */
  uint64_t lost_apart[LC_LOST_REASONS]; /* counted in the control block while there was no place */
  char system_name[16];                 /* what the system calls the thread */
  uint32_t parent;
  uint32_t exit_rounds;
  uint64_t birth;                       /* thread.c */
  struct lc_cancellation *cancellation; /* cancellation.c */
  bool named;
  bool is_sandboxed; /* from its birth */
  void *(*routine) (void *);
  int (*c11_routine) (void *);
  void *argument;
  struct lc_thread *next_free;
};

extern __thread struct lc_thread *lc_self __attribute__ ((tls_model ("initial-exec")));

/* Bit 1 << enum lc_class: what is recorded. All bits before the recorder has found out; 0 when nothing is. */
extern uint32_t lc_classes;

extern uint64_t lc_overhead_test;
extern struct lc_control *lc_control;
extern uint32_t lc_instance; /* of this address space, + 1 */
extern uint32_t lc_pid;

struct lc_thread *lc_enter_slow (uint32_t classes);

/* The calling thread, when operations of this class are recorded; else NULL, and the caller does just the operation. */
static inline struct lc_thread *lc_enter (enum lc_class class)
{
  struct lc_thread *thread = lc_self;

  if (LC_LIKELY (lc_classes >> class & 1))
    return LC_LIKELY (thread != NULL) ? thread : lc_enter_slow (1u << class);
  return NULL;
}

/* --- Slow paths: no signal handler runs, errno is kept, and what we call is not recorded ------------------- */

struct lc_slow
{
  sigset_t signals;
  struct lc_thread *self;
  int place;
  int error;
};

void lc_slow_begin (struct lc_slow *slow);
void lc_slow_end (struct lc_slow *slow);

/* What hooks.h says of `suspend` and `resume`. No system call. */
struct lc_suspension;
void lc_suspend (struct lc_suspension *suspension);
void lc_resume (const struct lc_suspension *suspension);
bool lc_is_suspended (void);

/* The calling thread's state that is put aside. NULL: it is not suspended, or has none. */
struct lc_thread *lc_suspended (void);

/* The calling thread is about to jump: whatever it is suspended for is over. */
void lc_resume_jump (void);

/* Between lc_slow_begin and lc_slow_end only. */
void lc_lock (uint32_t *lock);
void lc_unlock (uint32_t *lock);

/* elsewhere.c: calls the function, which must use system calls only, where what it opens is not open in the program. */
void lc_elsewhere (void (*function) (void *), void *data);

/* sandbox.c: the calling thread may no longer make system calls that it does not make itself. */
bool lc_is_sandboxed (void);
void lc_sandbox_begin (bool all);
void lc_sandbox_inherit (bool sandboxed);

/* --- Threads ----------------------------------------------------------------------------------------------- */

/* thread-id.c: of the calling thread. No system call. */
uint32_t lc_thread_id (void);
void lc_thread_id_begin (void);

/* This is a child that was forked without its handlers: it begins as any other. */
void lc_thread_is_forked (struct lc_thread *thread);

/* The calling thread is not recorded any more; or again, if it was when it left. */
void lc_thread_leaves (void);
void lc_thread_returns (struct lc_thread *thread);

/* recorder.c. A new thread's state with its process number, not yet attached to a thread. NULL: no memory. */
struct lc_thread *lc_thread_new (uint32_t parent);
void lc_thread_free (struct lc_thread *thread);

/* The calling thread is known as this process to those who join it. */
void lc_thread_register (struct lc_thread *thread);

/* For a thread that is made by one that is suspended, a state to carry what it is to do; NULL: it is not, or there is
   no memory. And its own first act, which makes it a thread that is never recorded and gives that back. */
struct lc_thread *lc_thread_new_foreign (void);
void lc_thread_is_foreign (struct lc_thread *thread);

/* Makes it the calling thread's, opens its stream and records its start if `flags` says why (or 0 for none). */
void lc_thread_attach (struct lc_thread *thread, bool started, uint8_t flags);

void lc_fork_prepare (void);
void lc_fork_parent (void);
void lc_fork_child (void);
void lc_fork_failed (void);

/* --- Streams: stream.c ------------------------------------------------------------------------------------- */

void lc_stream_open (struct lc_thread *thread);
void lc_stream_close (struct lc_thread *thread);

/* What has been written so far can be added to the stream. */
void lc_stream_rest (struct lc_thread *thread);

/* Makes room in a new packet; or false: the event being written is lost and has been counted. No system call. */
bool lc_stream_rotate (struct lc_thread *thread);

/* What the program calls the calling thread; and what the system does, which counts less. */
void lc_stream_name (struct lc_thread *thread, const char *name);
void lc_stream_system_name (struct lc_thread *thread, const char *name);
void lc_count_lost (struct lc_thread *thread, enum lc_lost reason);
void lc_append_special (struct lc_thread *thread, const struct lc_deferred *event);
void lc_append_deferred (struct lc_thread *thread);

/* enum lc_layout of each operation. */
extern const uint8_t lc_layouts[LC_OPERATION_END];
void lc_append_pause (struct lc_thread *thread);

/* lose-time.c: lc_overhead_test, once it has been begun. */
void lc_lose_time (struct lc_thread *thread);
void lc_lose_time_begin (void);

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
  /* Readers and a killed program's last moment rely on the event being there before its length is. */
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

/* The bits of an event's duration and flags. */
static inline uint64_t
lc_event_time (uint64_t duration, uint8_t flags)
{
  return (duration & ((UINT64_C (1) << 56) - 1)) | (uint64_t)flags << 56;
}

/* All of an event in four stores. To set its bit fields would read what was there before, and the next reading of the
   clock waits for that; the page may not be in any cache. */
static inline void
lc_event_fill (struct lc_event_sync *event, uint64_t end, uint64_t what, uint64_t time, uint64_t word)
{
  unsigned char *to = (unsigned char *)event;

  event->end = end;
  memcpy (to + offsetof (struct lc_event_sync, operation), &what, sizeof what);
  memcpy (to + offsetof (struct lc_event_sync, object) + sizeof event->object, &time, sizeof time);
  event->sequence_value = word;
}

/* For those below, which know the size. */
static inline LC_ALWAYS_INLINE void
lc_append_sized (struct lc_thread *thread, uint16_t operation, uint32_t object, uint8_t flags, uint64_t word,
                 uint64_t bytes, uint64_t begin, uint64_t end, size_t size)
{
  struct lc_event_sync *event;

  if (LC_UNLIKELY (lc_control->is_paused))
    return;
  if (LC_UNLIKELY (thread->state))
    {
      lc_append_special (thread, &(struct lc_deferred){operation, flags, object, word, bytes});
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
                 lc_event_time (end - begin, flags), word);
  if (size == sizeof (struct lc_event_collective))
    ((struct lc_event_collective *)(void *)event)->bytes = bytes;
  lc_commit (thread, thread->next, size);
}

/* Writes an event of the calling thread. Never fails: what cannot be written is counted. */
static inline void
lc_append (struct lc_thread *thread, uint16_t operation, uint32_t object, uint8_t flags, uint64_t word, uint64_t begin,
           uint64_t end)
{
  lc_append_sized (thread, operation, object, flags, word, 0, begin, end, sizeof (struct lc_event_sync));
}

/* tries.c: counts the attempt in the event of those before it, if it is one of theirs. */
bool lc_failed_again (struct lc_thread *thread, uint16_t operation, uint32_t object, uint64_t begin);

/* An attempt that failed, and would not have waited: a thread that tries again and again, and does nothing else that is
   recorded, makes one event of it. */
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
      thread->failed = (struct lc_event_sync *)(void *)thread->next - 1;
      thread->failed_events = thread->events;
    }
}

/* The same, of an operation with LC_LAYOUT_COLLECTIVE. */
static inline void
lc_append_collective (struct lc_thread *thread, uint16_t operation, uint32_t object, uint8_t flags, uint64_t word,
                      uint64_t bytes, uint64_t begin, uint64_t end)
{
  lc_append_sized (thread, operation, object, flags, word, bytes, begin, end, sizeof (struct lc_event_collective));
}

/* Writes a mark: a tag, or the edge of a region. */
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

/* What the calling thread is about to wait for: kept in its stream's header, for when it is never heard of again. */
static inline void
lc_block (struct lc_thread *thread, uint16_t operation, uint32_t object, uint64_t sequence, uint64_t begin)
{
  struct lc_packet *packet = thread->packet;

  if (LC_UNLIKELY (thread->state))
    return; /* a signal handler that waits inside another wait: the outer one is what is told */
  packet->pending_begin = begin;
  packet->pending_object = object;
  packet->pending_sequence = sequence;
  packet->pending_cpu = (uint16_t)*thread->cpu;
  __atomic_store_n (&packet->pending_operation, operation, __ATOMIC_RELEASE);
  thread->state = LC_THREAD_BLOCKED;
  LC_COMPILER_BARRIER ();
}

static inline void
lc_unblock (struct lc_thread *thread)
{
  LC_COMPILER_BARRIER ();
  thread->state &= ~(uint32_t)LC_THREAD_BLOCKED;
  if (LC_LIKELY (thread->packet != NULL)) /* a signal handler may have forked, and this be the child */
    thread->packet->pending_operation = LC_NO_OPERATION;
}

/* cancellation.c: calls a real function that is a point of cancellation, and `cancelled` if the thread ends in it. */
int lc_call_cancellable (struct lc_thread *thread, int (*call) (void *), void *data, void (*cancelled) (void *),
                         void *cancelled_data);

/* --- Objects: objects.c, slots.c ---------------------------------------------------------------------------- */

/* slots.c: the slot of this key, which the thread then has in its cache. NULL: no room. */
struct lc_slot *lc_slot_find (struct lc_thread *thread, uint64_t key);

/* Gives a slot that has no record one; returns the slot to use (of shared memory, perhaps), or NULL: no room. */
struct lc_slot *lc_slot_describe (struct lc_slot *slot, const void *address, enum lc_class class, enum lc_kind kind);

/* In a forked child: its objects are other ones. */
void lc_slots_forget (void);

/*
 * A record of its own, for what has no slot or a slot that it is told later; 0 when there is no room. Call it between
 * lc_slow_begin and lc_slow_end. `name` may be NULL.
 */
uint32_t lc_object_new (const struct lc_object_record *record, const char *name);

/* Says in objects-I that this address space is that rank of so many, from now on. Between the same two. */
bool lc_objects_rank (uint32_t rank, uint32_t ranks);

/* In a forked child: its records are other ones. And what there is of them can be added to the file. */
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

/* The slot of an object of the program's, whether or not it has been described, and for those classes that
   lc_object_end is never called for: any other's may be another object's by now. NULL: no room. */
static inline struct lc_slot *
lc_slot_at (struct lc_thread *thread, const void *address, enum lc_class class)
{
  uint64_t key = lc_key (address, class);
  unsigned int place = lc_cache_place (key);

  if (LC_LIKELY (thread->cache[place].key == key))
    return thread->cache[place].slot;
  __builtin_prefetch (address, 1); /* the object has not been used for some time either */
  return lc_slot_find (thread, key);
}

/* The number of a slot's record, 0: not described. With it everything that describing it has written. */
static inline uint32_t
lc_slot_id (const struct lc_slot *slot)
{
  return __atomic_load_n (&slot->id, __ATOMIC_ACQUIRE);
}

/* Whether it is still this object's. Asked after it is seen that it has a record, for that comes after the key. */
static inline bool
lc_slot_is_of (const struct lc_slot *slot, const void *address, enum lc_class class)
{
  return __atomic_load_n (&slot->key, __ATOMIC_RELAXED) == lc_key (address, class);
}

/* The same, with a record. */
static inline struct lc_slot *
lc_object (struct lc_thread *thread, const void *address, enum lc_class class, enum lc_kind kind)
{
  struct lc_slot *slot = lc_slot_at (thread, address, class);

  if (LC_UNLIKELY (slot == NULL || lc_slot_id (slot) == 0 || !lc_slot_is_of (slot, address, class)))
    slot = lc_slot_describe (slot, address, class, kind);
  return slot;
}

/* The program has (re)made or destroyed the object at this address: what follows is another one. */
void lc_object_begin (struct lc_thread *thread, const void *address, enum lc_class class, enum lc_kind kind,
                      bool shared, uint64_t value);
void lc_object_end (struct lc_thread *thread, const void *address, enum lc_class class);

#define LC_SHARED_REPLACED UINT64_MAX /* the key of one whose memory holds another object now */

/* shared.c: the slot, in DIR/.control, of an object in memory that other address spaces may share; or NULL. */
struct lc_slot *lc_shared_slot (const void *address, enum lc_class class, enum lc_kind kind, uint64_t value, bool anew);

/* No, when another address space has made an object anew in its place. */
static inline bool
lc_shared_is_current (const struct lc_slot *slot)
{
  return slot != NULL && __atomic_load_n (&slot->key, __ATOMIC_RELAXED) != LC_SHARED_REPLACED;
}

/* --- MPI: requests.c, counters.c --------------------------------------------------------------------------- */

uint32_t lc_request_new (void);
void lc_request_resolve (uint32_t request, uint32_t object, uint32_t sequence);

/* In a forked child: its requests are other ones. */
void lc_requests_forget (void);

/* In DIR/.control, by its name. NULL: no room. */
struct lc_shared_counter *lc_counter (const char *name);

/* symbols.c: the name of the function at an offset of a file of code, or false. */
bool lc_symbol_name (const char *path, uint64_t offset, char *name, size_t size);

/* --- Files: files.c ---------------------------------------------------------------------------------------- */

/* Opens a file of the trace. Before the program's threads run, or elsewhere. */
int lc_file_open (const char *name, int flags);
void lc_file_close (int file);
/* Whose the control block is, and who else's. */
void lc_file_belongs (uint32_t mode, uint32_t user, uint32_t group);

/* Counts a program that is about to be started and will not be recorded, since it is another user's: 0 or 1. */
uint32_t lc_strangers_count (void);
void lc_strangers_take_back (uint32_t counted);

bool lc_file_directory (const char *directory);

/* functions.c: the patterns and the depth that record was told; and a forked child has not called any yet. */
void lc_functions_begin (void);
void lc_functions_forget (void);

#endif
