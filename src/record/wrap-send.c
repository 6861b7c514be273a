/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that send signals. */
#include "real.h"
#include "signals.h"

int gsignal (int number);

/* `whom` is what the call is told of it: fields of struct lc_signal_call. */
#define WRAP_SEND(name, parameters, arguments, ...) \
  LC_EXPORT int name parameters \
  { \
    struct lc_signal_call call = {.signal = number, __VA_ARGS__}; \
    int result; \
\
    lc_signal_send_begin (&call); \
    result = LC_REAL (name) arguments; \
    lc_signal_send_end (&call, result != 0); \
    return result; \
  }

WRAP_SEND (kill, (pid_t process, int number), (process, number), .process = process, .is_one = process > 0)
WRAP_SEND (killpg, (pid_t group, int number), (group, number), .process = 0)
WRAP_SEND (tgkill, (pid_t process, pid_t thread, int number), (process, thread, number), .process = process,
           .thread = (uint32_t)thread, .is_one = true)
WRAP_SEND (raise, (int number), (number), .thread = lc_thread_id (), .is_one = true)
WRAP_SEND (sigqueue, (pid_t process, int number, const union sigval value), (process, number, value),
           .process = process, .is_one = true, .is_queued = true)

LC_EXPORT int
gsignal (int number)
{
  return raise (number);
}

/* Nothing is sent to a thread that has ended. */
LC_EXPORT int
pthread_kill (pthread_t thread, int number)
{
  struct lc_signal_call call = {.signal = number, .is_one = true};
  int result;

  if (lc_thread_id_of (thread, &call.thread))
    lc_signal_send_begin (&call);
  result = LC_REAL (pthread_kill) (thread, number);
  lc_signal_send_end (&call, result != 0);
  return result;
}

LC_EXPORT int
pthread_sigqueue (pthread_t thread, int number, const union sigval value)
{
  struct lc_signal_call call = {.signal = number, .is_one = true, .is_queued = true};
  int result;

  if (lc_thread_id_of (thread, &call.thread))
    lc_signal_send_begin (&call);
  result = LC_REAL (pthread_sigqueue) (thread, number, value);
  lc_signal_send_end (&call, result != 0);
  return result;
}
