/* SPDX-License-Identifier: Apache-2.0 */
/* pthread barriers. */
#include "real.h"
#include "recorder.h"

LC_EXPORT int
pthread_barrier_init (pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned int count)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_BARRIER);
  int result = LC_REAL (pthread_barrier_init) (barrier, attributes, count), shared = PTHREAD_PROCESS_PRIVATE;

  if (attributes != NULL)
    pthread_barrierattr_getpshared (attributes, &shared);
  if (thread != NULL && result == 0)
    lc_object_begin (thread, barrier, LC_CLASS_BARRIER, LC_KIND_PLAIN, shared == PTHREAD_PROCESS_SHARED, count);
  return result;
}

LC_EXPORT int
pthread_barrier_destroy (pthread_barrier_t *barrier)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_BARRIER);
  int result = LC_REAL (pthread_barrier_destroy) (barrier);

  if (thread != NULL && result == 0)
    lc_object_end (thread, barrier, LC_CLASS_BARRIER);
  return result;
}

/*
 * A generation is full when as many threads have come as the barrier gathers, and nobody joins the next one before. So
 * the order in which arrivals are counted is the order of generations.
 */
LC_EXPORT int
pthread_barrier_wait (pthread_barrier_t *barrier)
{
  struct lc_thread *thread = lc_enter (LC_CLASS_BARRIER);
  struct lc_slot *slot = thread != NULL ? lc_object (thread, barrier, LC_CLASS_BARRIER, LC_KIND_PLAIN) : NULL;
  uint64_t begin, arrival, generation, count;
  uint32_t object;
  uint8_t flags;
  int result;

  if (slot == NULL || slot->count == 0)
    return LC_REAL (pthread_barrier_wait) (barrier);
  count = slot->count;
  object = slot->id; /* kept, because another thread may destroy the barrier before this one returns */
  begin = lc_now ();
  arrival = __atomic_fetch_add (&slot->sequence, 1, __ATOMIC_ACQ_REL);
  generation = arrival / count;
  flags = arrival % count != count - 1 ? LC_EVENT_CONTENDED : 0;
  lc_block (thread, LC_BARRIER | LC_PENDING_UNLIMITED, object, generation, begin);
  result = LC_REAL (pthread_barrier_wait) (barrier);
  lc_unblock (thread);
  lc_append (thread, LC_BARRIER, object, flags, lc_word (generation, count), begin, lc_now_after ());
  return result;
}
