/* SPDX-License-Identifier: Apache-2.0 */
/* Initialization that one thread does, and others wait for: pthread_once, and what C11 and C++ make of it. */
#include "real.h"
#include "recorder.h"

#if defined(__GLIBC__)
enum
{
  ONCE_RUNNING = 1,
  ONCE_DONE = 2,
};
#else
#error "the layout of this C library's once_flag is not known"
#endif

/* A call that finds the initialization not done. It is on the caller's stack. */
struct once_call
{
  struct lc_thread *thread;
  struct lc_slot *slot;
  void (*routine) (void);
  uint64_t sequence;
  uint64_t begin;
  bool is_own; /* the caller initializes */
  bool has_blocked;
  struct once_call *outer; /* a signal handler may call it in the middle of another */
};

/* The calling thread's call, until its routine begins, which may end by an exception, or begin another. */
static __thread struct once_call *once_call __attribute__ ((tls_model ("initial-exec")));

/* What was initialized is told before those can go on who wait for it; that nobody waits is no event. */
static void
once_run (void)
{
  struct once_call *call = once_call;
  struct lc_thread *thread = call->thread;
  struct lc_slot *slot = call->slot;
  uint64_t now;

  once_call = call->outer;
  call->is_own = true;
  __atomic_fetch_sub (&slot->taken, 1, __ATOMIC_RELAXED);
  if (call->has_blocked) /* for one who gave up */
    {
      lc_unblock (thread);
      lc_append (thread, LC_AWAIT, slot->id, LC_EVENT_CONTENDED | LC_EVENT_UNKNOWN, 0, call->begin, lc_now_after ());
    }
  call->routine ();
  if (__atomic_load_n (&slot->taken, __ATOMIC_RELAXED) == 0 || lc_enter (LC_CLASS_ADVANCE) != thread)
    return;
  now = lc_now ();
  lc_append (thread, LC_ADVANCE, slot->id, 0, lc_word (++slot->sequence, 0), now, now);
}

static inline LC_ALWAYS_INLINE void
once_begin (struct once_call *call, const int *control, void (*routine) (void))
{
  call->thread = lc_enter (LC_CLASS_ADVANCE);
  call->slot = call->thread != NULL ? lc_object (call->thread, control, LC_CLASS_ADVANCE, LC_KIND_PLAIN) : NULL;
  if (call->slot == NULL)
    return;
  call->routine = routine;
  call->sequence = __atomic_load_n (&call->slot->sequence, __ATOMIC_RELAXED);
  __atomic_fetch_add (&call->slot->taken, 1, __ATOMIC_RELAXED);
  call->begin = lc_now ();
  call->has_blocked = (__atomic_load_n (control, __ATOMIC_RELAXED) & ONCE_RUNNING) && call->thread->state == 0;
  if (call->has_blocked)
    lc_block (call->thread, LC_AWAIT, call->slot->id, call->sequence + 1, call->begin);
  call->outer = once_call;
  once_call = call;
}

/* Who comes when the initialization has just ended has not waited. */
static inline LC_ALWAYS_INLINE void
once_end (const struct once_call *call)
{
  uint64_t sequence;

  if (call->is_own)
    return;
  once_call = call->outer;
  if (call->has_blocked)
    lc_unblock (call->thread);
  sequence = __atomic_load_n (&call->slot->sequence, __ATOMIC_RELAXED);
  __atomic_fetch_sub (&call->slot->taken, 1, __ATOMIC_RELAXED);
  if (sequence != call->sequence)
    lc_append (call->thread, LC_AWAIT, call->slot->id, LC_EVENT_CONTENDED, lc_word (sequence, 0), call->begin,
               lc_now_after ());
  else if (call->has_blocked)
    call->thread->waiting_site = 0;
}

LC_EXPORT int
pthread_once (pthread_once_t *control, void (*routine) (void))
{
  struct once_call call = {0};
  int result;

  if (LC_UNLIKELY (!(__atomic_load_n (control, __ATOMIC_RELAXED) & ONCE_DONE)))
    once_begin (&call, control, routine);
  if (LC_LIKELY (call.slot == NULL))
    return LC_REAL (pthread_once) (control, routine);
  result = LC_REAL (pthread_once) (control, once_run);
  once_end (&call);
  return result;
}

LC_EXPORT void
call_once (once_flag *flag, void (*routine) (void))
{
  const int *control = (const int *)(const void *)flag;
  struct once_call call = {0};

  if (LC_UNLIKELY (!(__atomic_load_n (control, __ATOMIC_RELAXED) & ONCE_DONE)))
    once_begin (&call, control, routine);
  if (LC_LIKELY (call.slot == NULL))
    {
      LC_REAL (call_once) (flag, routine);
      return;
    }
  LC_REAL (call_once) (flag, once_run);
  once_end (&call);
}
