/* SPDX-License-Identifier: Apache-2.0 */
/* How threads are recorded, whichever interface the program makes them by. */
#ifndef LC_RECORD_WRAP_THREAD_H
#define LC_RECORD_WRAP_THREAD_H

#include <pthread.h>
#include <time.h>

#include "recorder.h"

/* A thread being made: by whom, and the create event, to be taken back if nothing comes of it. */
struct lc_made
{
  struct lc_thread *parent;
  struct lc_packet *packet;
  unsigned char *event;
};

/* The new thread's state; NULL: not recorded, and the real function is to be called with the program's own routine. */
struct lc_thread *lc_thread_make (struct lc_made *made);
void lc_thread_not_made (struct lc_made *made, struct lc_thread *thread);

/* The process may be joined by this name from now on. `thread` and `name` may be gone already. */
void lc_thread_known_as (struct lc_made *made, struct lc_thread *thread, const pthread_t *name, uint32_t process);

/* The new thread's first act. */
void lc_thread_begins (struct lc_thread *thread);

/* A join: `attempt` returns EBUSY when the thread goes on, `call` waits for it (or is `attempt`). */
struct lc_thread_join
{
  pthread_t thread;
  void **result;
  int *c11_result;
  clockid_t clock;
  const struct timespec *until;
  int (*attempt) (struct lc_thread_join *join);
  int (*call) (struct lc_thread_join *join);
};

int lc_thread_join (struct lc_thread_join *join);

/* An operation at an instant on another thread: detach, cancel. */
void lc_thread_operation (pthread_t name, uint16_t operation);

#endif
