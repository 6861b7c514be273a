/* SPDX-License-Identifier: Apache-2.0 */
/* The making, joining and naming of threads. */
#include "wrap-thread.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "real.h"

/* States of `birth`, in its low bits below the process number. They keep the creator from reading the name of a new
 * thread that already runs. */
enum
{
  BIRTH_NEW,
  BIRTH_READING, /* the creator reads the thread's name */
  BIRTH_READ,
  BIRTH_RUNNING, /* the thread runs, and may have freed the memory of its name */
};

static uint64_t
thread_birth (uint32_t process, unsigned int state)
{
  return (uint64_t)process << 2 | state;
}

/* Returns the calling thread, because threads are recorded even if class thread is not. */
static struct lc_thread *
thread_calling_thread (void)
{
  if (lc_classes == 0)
    return NULL;
  return lc_self != NULL ? lc_self : lc_enter_slow (UINT32_MAX);
}

static struct lc_slot *
thread_slot_of (struct lc_thread *thread, pthread_t name)
{
  return lc_slot_at (thread, (const void *)(uintptr_t)name, LC_CLASS_THREAD);
}

/*
 * Records the create event before the thread is made, so that operations of the making itself (on an allocator's mutex,
 * for example) come after it.
 */
struct lc_thread *
lc_thread_make (struct lc_made *made)
{
  struct lc_thread *parent = thread_calling_thread (), *thread;
  uint64_t now;

  made->parent = parent;
  made->event = NULL;
  if (parent == NULL)
    return NULL;
  thread = lc_thread_new (parent->process);
  if (thread == NULL)
    return NULL;
  thread->birth = thread_birth (thread->process, BIRTH_NEW);
  if (lc_classes >> LC_CLASS_THREAD & 1)
    {
      now = lc_now ();
      lc_append_at (parent, lc_stack (parent), LC_CREATE, thread->process, 0, 0, now, now);
      made->event = lc_last_event (parent, sizeof (struct lc_event_sync));
      made->packet = parent->packet;
    }
  return thread;
}

/* Tells whether the create event is still in place: it may have been lost, or be in a full packet that was given
 * away. */
static bool
is_still_there (const struct lc_made *made, uint32_t process)
{
  const struct lc_event_sync *event = (const void *)made->event;

  return made->packet == made->parent->packet && made->packet != &made->parent->header &&
         made->event >= (const unsigned char *)(made->packet + 1) && made->event < made->parent->next &&
         event->operation == LC_CREATE && event->object == process;
}

/* Changes the create event of a thread that could not be made, or adds another event if it is too late for that. */
void
lc_thread_not_made (struct lc_made *made, struct lc_thread *thread)
{
  uint32_t process = thread->process;
  uint64_t now = lc_now ();

  lc_thread_free (thread);
  if (made->event == NULL)
    return;
  if (is_still_there (made, process))
    ((struct lc_event_sync *)(void *)made->event)->operation = LC_CREATE_FAILED;
  else
    lc_append (made->parent, LC_CREATE_FAILED, process, 0, 0, now, now);
}

/*
 * Registers the new thread under its name, unless it already runs and has done so itself: the memory of the name may
 * then be gone, and the state may belong to another thread.
 */
void
lc_thread_known_as (struct lc_made *made, struct lc_thread *thread, const pthread_t *name, uint32_t process)
{
  uint64_t expected = thread_birth (process, BIRTH_NEW);
  struct lc_slot *slot;

  if (!__atomic_compare_exchange_n (&thread->birth, &expected, thread_birth (process, BIRTH_READING), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return;
  slot = thread_slot_of (made->parent, *name);
  if (slot != NULL)
    __atomic_store_n (&slot->count, (uint64_t)process + 1, __ATOMIC_RELEASE);
  __atomic_store_n (&thread->birth, thread_birth (process, BIRTH_READ), __ATOMIC_RELEASE);
}

void
lc_thread_begins (struct lc_thread *thread)
{
  static const struct timespec nap = {0, 20000};
  uint64_t expected = thread_birth (thread->process, BIRTH_NEW);

  lc_thread_register (thread); /* first, because the creator may join the thread next */
  if (!__atomic_compare_exchange_n (&thread->birth, &expected, thread_birth (thread->process, BIRTH_RUNNING), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    while (__atomic_load_n (&thread->birth, __ATOMIC_ACQUIRE) == thread_birth (thread->process, BIRTH_READING))
      syscall (SYS_nanosleep, &nap, NULL);
  lc_thread_attach (thread, true, 0);
}

/* --- Joining ----------------------------------------------------------------------------------------------- */

struct recorded_join
{
  struct lc_thread *thread;
  uint32_t process;
  uint64_t begin;
};

static void
thread_cancelled (void *data)
{
  struct recorded_join *join = data;

  lc_unblock (join->thread);
  lc_append (join->thread, LC_JOIN_FAILED, join->process, LC_EVENT_CONTENDED | LC_EVENT_CANCELLED, 0, join->begin,
             lc_now_after ());
}

static int
thread_call (void *data)
{
  struct lc_thread_join *what = data;

  return what->call (what);
}

int
lc_thread_join (struct lc_thread_join *what)
{
  struct recorded_join join = {.thread = lc_enter (LC_CLASS_THREAD)};
  struct lc_slot *slot = join.thread != NULL ? thread_slot_of (join.thread, what->thread) : NULL;
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
      lc_block (join.thread, lc_pending (LC_JOIN, what->until), join.process, 0, join.begin);
      result = lc_call_cancellable (join.thread, thread_call, what, thread_cancelled, &join);
      lc_unblock (join.thread);
    }
  if (result == ETIMEDOUT)
    flags |= LC_EVENT_TIMED_OUT;
  if (result == 0) /* the name may next belong to a thread that is not recorded, or already to another thread */
    __atomic_compare_exchange_n (&slot->count, &process, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  lc_append (join.thread, result == 0 ? LC_JOIN : LC_JOIN_FAILED, join.process, flags, 0, join.begin, lc_now_after ());
  return result;
}

void
lc_thread_operation (pthread_t name, uint16_t operation)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_THREAD);
  struct lc_slot *slot = thread != NULL ? thread_slot_of (thread, name) : NULL;
  uint64_t process = slot != NULL ? __atomic_load_n (&slot->count, __ATOMIC_ACQUIRE) : 0, now;

  if (process == 0)
    return;
  now = lc_now ();
  lc_append (thread, operation, (uint32_t)(process - 1), 0, 0, now, now);
}
