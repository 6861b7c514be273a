/* SPDX-License-Identifier: Apache-2.0 */
/* pthread threads. */
#include "wrap-thread.h"

#include <string.h>

#include "real.h"
#include "wrap-openmp-tool.h"

static void *
wrap_thread_run (void *data)
{
  struct lc_thread *thread = data;

  lc_thread_begins (thread);
  return thread->routine (thread->argument);
}

static void *
wrap_thread_run_foreign (void *data)
{
  struct lc_thread *thread = data;
  void *(*routine) (void *) = thread->routine, *argument = thread->argument;

  lc_thread_is_foreign (thread);
  return routine (argument);
}

static int
wrap_thread_create_foreign (pthread_t *name, const pthread_attr_t *attributes, void *(*routine) (void *),
                            void *argument)
{
  struct lc_thread *thread = lc_thread_new_foreign ();
  int result;

  if (thread == NULL)
    return LC_REAL (pthread_create) (name, attributes, routine, argument);
  thread->routine = routine;
  thread->argument = argument;
  result = LC_REAL (pthread_create) (name, attributes, wrap_thread_run_foreign, thread);
  if (result != 0)
    lc_thread_free (thread);
  return result;
}

static int
wrap_thread_create (pthread_t *name, const pthread_attr_t *attributes, void *(*routine) (void *), void *argument)
{
  struct lc_made made;
  struct lc_thread *thread = lc_thread_make (&made);
  uint32_t process;
  int result;

  if (thread == NULL)
    return wrap_thread_create_foreign (name, attributes, routine, argument);
  process = thread->process;
  thread->routine = routine;
  thread->argument = argument;
  result = LC_REAL (pthread_create) (name, attributes, wrap_thread_run, thread);
  if (result == 0)
    lc_thread_known_as (&made, thread, name, process);
  else
    lc_thread_not_made (&made, thread);
  return result;
}

/* An OpenMP library makes threads of the program's. */
LC_EXPORT int
pthread_create (pthread_t *name, const pthread_attr_t *attributes, void *(*routine) (void *), void *argument)
{
  bool is_of_openmp = lc_openmp_leave_library ();
  int result = wrap_thread_create (name, attributes, routine, argument);

  if (is_of_openmp)
    lc_openmp_enter_library ();
  return result;
}

static int
wrap_thread_attempt (struct lc_thread_join *join)
{
  return LC_REAL (pthread_tryjoin_np) (join->thread, join->result);
}

static int
wrap_thread_call_join (struct lc_thread_join *join)
{
  return LC_REAL (pthread_join) (join->thread, join->result);
}

static int
call_timedjoin (struct lc_thread_join *join)
{
  return LC_REAL (pthread_timedjoin_np) (join->thread, join->result, join->until);
}

static int
call_clockjoin (struct lc_thread_join *join)
{
  return LC_REAL (pthread_clockjoin_np) (join->thread, join->result, join->clock, join->until);
}

LC_EXPORT int
pthread_join (pthread_t thread, void **result)
{
  struct lc_thread_join join = {
      .thread = thread, .result = result, .attempt = wrap_thread_attempt, .call = wrap_thread_call_join};

  return lc_thread_join (&join);
}

LC_EXPORT int
pthread_tryjoin_np (pthread_t thread, void **result)
{
  struct lc_thread_join join = {
      .thread = thread, .result = result, .attempt = wrap_thread_attempt, .call = wrap_thread_attempt};

  return lc_thread_join (&join);
}

LC_EXPORT int
pthread_timedjoin_np (pthread_t thread, void **result, const struct timespec *until)
{
  struct lc_thread_join join = {
      .thread = thread, .result = result, .until = until, .attempt = wrap_thread_attempt, .call = call_timedjoin};

  return lc_thread_join (&join);
}

LC_EXPORT int
pthread_clockjoin_np (pthread_t thread, void **result, clockid_t clock, const struct timespec *until)
{
  struct lc_thread_join join = {.thread = thread,
                                .result = result,
                                .clock = clock,
                                .until = until,
                                .attempt = wrap_thread_attempt,
                                .call = call_clockjoin};

  return lc_thread_join (&join);
}

LC_EXPORT int
pthread_detach (pthread_t thread)
{
  lc_thread_operation (thread, LC_DETACH);
  return LC_REAL (pthread_detach) (thread);
}

LC_EXPORT int
pthread_cancel (pthread_t thread)
{
  lc_thread_operation (thread, LC_CANCEL);
  return LC_REAL (pthread_cancel) (thread);
}

LC_EXPORT int
pthread_setname_np (pthread_t thread, const char *name)
{
  int result = LC_REAL (pthread_setname_np) (thread, name);
  struct lc_thread *self = lc_self;

  if (result == 0 && self != NULL && pthread_equal (thread, pthread_self ()))
    lc_stream_system_name (self, name);
  return result;
}
