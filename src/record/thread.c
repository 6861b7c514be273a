/* SPDX-License-Identifier: Apache-2.0 */
/* The making, joining and naming of threads. */
#include "wrap-thread.h"

#include <errno.h>

#include "real.h"

/* Threads are recorded whether or not their making is. */
static struct lc_thread *
calling_thread (void)
{
  if (lc_classes == 0)
    return NULL;
  return lc_self != NULL ? lc_self : lc_enter_slow (UINT32_MAX);
}

static struct lc_slot *
slot_of (struct lc_thread *thread, pthread_t name)
{
  return lc_slot_at (thread, (const void *)(uintptr_t)name, LC_CLASS_THREAD);
}

/*
 * The create event comes before the thread does: what the making itself locks (an allocator's mutex, say) then comes
 * after it, as events of one process must.
 */
struct lc_thread *
lc_thread_make (struct lc_made *made)
{
  struct lc_thread *parent = calling_thread (), *thread;
  uint64_t now;

  made->parent = parent;
  made->event = NULL;
  if (parent == NULL)
    return NULL;
  thread = lc_thread_new (parent->process);
  if (thread == NULL)
    return NULL;
  if (lc_classes >> LC_CLASS_THREAD & 1)
    {
      now = lc_now ();
      lc_append (parent, LC_CREATE, thread->process, 0, 0, now, now);
      made->event = parent->next - sizeof (struct lc_event_sync);
      made->packet = parent->packet;
    }
  return thread;
}

/* Nothing came of it. The event says so, unless it is too late to reach it. */
void
lc_thread_not_made (struct lc_made *made, struct lc_thread *thread)
{
  uint32_t process = thread->process;
  uint64_t now = lc_now ();

  lc_thread_free (thread);
  if (made->event == NULL)
    return;
  if (made->packet == made->parent->packet && made->packet != &made->parent->scratch)
    ((struct lc_event_sync *)(void *)made->event)->operation = LC_CREATE_FAILED;
  else
    lc_append (made->parent, LC_CREATE_FAILED, process, 0, 0, now, now);
}

void
lc_thread_known_as (struct lc_made *made, pthread_t name, uint32_t process)
{
  struct lc_slot *slot = slot_of (made->parent, name);

  if (slot != NULL)
    __atomic_store_n (&slot->count, (uint64_t)process + 1, __ATOMIC_RELEASE);
}

/* --- Joining ----------------------------------------------------------------------------------------------- */

struct recorded_join
{
  struct lc_thread *thread;
  uint32_t process;
  uint64_t begin;
};

static void
cancelled (void *data)
{
  struct recorded_join *join = data;

  lc_unblock (join->thread);
  lc_append (join->thread, LC_JOIN_FAILED, join->process, LC_EVENT_CONTENDED | LC_EVENT_CANCELLED, 0, join->begin,
             lc_now_after ());
}

int
lc_thread_join (struct lc_thread_join *what)
{
  struct recorded_join join = {.thread = lc_enter (LC_CLASS_THREAD)};
  struct lc_slot *slot = join.thread != NULL ? slot_of (join.thread, what->thread) : NULL;
  uint64_t process = slot != NULL ? __atomic_load_n (&slot->count, __ATOMIC_ACQUIRE) : 0;
  uint8_t flags = 0;
  int result;

  if (process == 0)
    return what->call (what);
  join.process = (uint32_t)(process - 1);
  join.begin = lc_now ();
  result = what->attempt (what);
  if (result == EBUSY && what->call != what->attempt)
    {
      flags = LC_EVENT_CONTENDED;
      lc_block (join.thread, LC_JOIN, join.process, 0, join.begin);
      pthread_cleanup_push (cancelled, &join);
      result = what->call (what);
      pthread_cleanup_pop (0);
      lc_unblock (join.thread);
    }
  if (result == ETIMEDOUT)
    flags |= LC_EVENT_TIMED_OUT;
  lc_append (join.thread, result == 0 ? LC_JOIN : LC_JOIN_FAILED, join.process, flags, 0, join.begin, lc_now_after ());
  return result;
}

void
lc_thread_operation (pthread_t name, uint16_t operation)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_THREAD);
  struct lc_slot *slot = thread != NULL ? slot_of (thread, name) : NULL;
  uint64_t process = slot != NULL ? __atomic_load_n (&slot->count, __ATOMIC_ACQUIRE) : 0, now;

  if (process == 0)
    return;
  now = lc_now ();
  lc_append (thread, operation, (uint32_t)(process - 1), 0, 0, now, now);
}
