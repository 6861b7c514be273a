/* SPDX-License-Identifier: Apache-2.0 */
/* Recording of threads, for all interfaces. */
#ifndef LC_RECORD_WRAP_THREAD_H
#define LC_RECORD_WRAP_THREAD_H

#include <pthread.h>
#include <time.h>

#include "recorder.h"

/* A thread that is being made: its creator, and the create event, which is changed if the making fails. */
struct lc_made
{
  struct lc_thread *parent;
  struct lc_packet *packet;
  unsigned char *event;
};

/* Returns the new thread's state; NULL: it is not recorded, and the real function is called with the program's own
 * routine. */
struct lc_thread *lc_thread_make (struct lc_made *made);
void lc_thread_not_made (struct lc_made *made, struct lc_thread *thread);

/* Registers the name by which the process may be joined. `thread` and `name` may already be gone. */
void lc_thread_known_as (struct lc_made *made, struct lc_thread *thread, const pthread_t *name, uint32_t process);

/* Called first in the new thread. */
void lc_thread_begins (struct lc_thread *thread);

/* A join: `attempt` returns EBUSY if the thread still runs, `call` waits for it (or is `attempt` too). */
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

/* Records an instantaneous operation on another thread: detach, cancel. */
void lc_thread_operation (pthread_t name, uint16_t operation);

#endif
