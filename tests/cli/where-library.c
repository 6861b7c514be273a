/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is loaded and unloaded: LOCK is the name of its function. */
#include <pthread.h>

void lock_there (pthread_mutex_t *mutex);

static void __attribute__ ((noinline)) LOCK (pthread_mutex_t *mutex)
{
#ifdef PADDING
  static volatile int times;
  times++;
#endif
#line 14
  pthread_mutex_lock (mutex), pthread_mutex_unlock (mutex);
}

void
lock_there (pthread_mutex_t *mutex)
{
  LOCK (mutex);
  __asm__ volatile("");
}
