/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that wait for a time, for one of several files, for signals, children and addresses. */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "dispatch.h"
#include "hooks.h"
#include "io.h"
#include "real.h"

int __poll_chk (struct pollfd *files, nfds_t n, int milliseconds, size_t room);
int __ppoll_chk (struct pollfd *files, nfds_t n, const struct timespec *time, const sigset_t *signals, size_t room);

/* --- Time -------------------------------------------------------------------------------------------------- */

LC_IO_WRAP (int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left), LC_IO_ERRNO, LC_SLEEP,
            -1)
LC_IO_WRAP (int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *left),
            (clock, flags, time, left), result, LC_SLEEP, -1)
LC_IO_WRAP (int, thrd_sleep, (const struct timespec *time, struct timespec *left), (time, left),
            result == -1 ? EINTR : 0, LC_SLEEP, -1)
LC_IO_WRAP (int, usleep, (useconds_t microseconds), (microseconds), LC_IO_ERRNO, LC_SLEEP, -1)
LC_IO_WRAP (unsigned int, sleep, (unsigned int seconds), (seconds), result > 0 ? EINTR : 0, LC_SLEEP, -1)

/* --- One of several files ---------------------------------------------------------------------------------- */

/* What was asked for is looked at after the call only, when the system has found that it can be read. The one file that
 * was ready is told, or the only one; else how many there were. */
static void
wrap_sleep_polled (struct lc_io *io, const struct pollfd *files, nfds_t n, int result)
{
  for (nfds_t i = 0; result == 1 && n > 1 && i < n; i++)
    if (files[i].revents != 0)
      io->file = files[i].fd;
  if (result >= 0 && n == 1)
    io->file = files->fd;
  if (io->file < 0)
    io->files = (uint32_t)n;
}

/* Sets hold what was ready. */
static void
wrap_sleep_selected (struct lc_io *io, int n, const fd_set *const sets[3], int result)
{
  for (int file = 0; result == 1 && file < n; file++)
    for (int i = 0; i < 3; i++)
      if (sets[i] != NULL && ((unsigned long)__FDS_BITS (sets[i])[file / NFDBITS] >> file % NFDBITS & 1) != 0)
        io->file = file;
}

/* `find` finds what the call has waited for. */
#define WRAP_POLLING(name, parameters, arguments, find) \
  LC_EXPORT int name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = -1, .operation = LC_POLL}; \
    int result; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      return LC_REAL (name) arguments; \
    lc_io_begin (&io); \
    LC_IO_CALL (&io, result = LC_REAL (name) arguments); \
    if (LC_UNLIKELY (lc_io_end (&io))) \
      { \
        find; \
        lc_io_record (&io, result, LC_IO_ERRNO); \
      } \
    return result; \
  }

#define WRAP_POLL(name, parameters, arguments) \
  WRAP_POLLING (name, parameters, arguments, wrap_sleep_polled (&io, files, n, result))
#define WRAP_SELECT(name, parameters, arguments) \
  WRAP_POLLING (name, parameters, arguments, \
                wrap_sleep_selected (&io, n, (const fd_set *const[]){readable, writable, exceptional}, result))

WRAP_POLL (poll, (struct pollfd * files, nfds_t n, int milliseconds), (files, n, milliseconds))
WRAP_POLL (__poll_chk, (struct pollfd * files, nfds_t n, int milliseconds, size_t room), (files, n, milliseconds, room))
WRAP_POLL (ppoll, (struct pollfd * files, nfds_t n, const struct timespec *time, const sigset_t *signals),
           (files, n, time, LC_DISPATCH_MASK (signals)))
WRAP_POLL (__ppoll_chk,
           (struct pollfd * files, nfds_t n, const struct timespec *time, const sigset_t *signals, size_t room),
           (files, n, time, LC_DISPATCH_MASK (signals), room))

LC_IO_WRAP (int, epoll_wait, (int file, struct epoll_event *events, int room, int milliseconds),
            (file, events, room, milliseconds), LC_IO_ERRNO, LC_POLL, file)
LC_IO_WRAP (int, epoll_pwait,
            (int file, struct epoll_event *events, int room, int milliseconds, const sigset_t *signals),
            (file, events, room, milliseconds, LC_DISPATCH_MASK (signals)), LC_IO_ERRNO, LC_POLL, file)

WRAP_SELECT (select, (int n, fd_set *readable, fd_set *writable, fd_set *exceptional, struct timeval *time),
             (n, readable, writable, exceptional, time))
WRAP_SELECT (pselect,
             (int n, fd_set *readable, fd_set *writable, fd_set *exceptional, const struct timespec *time,
              const sigset_t *signals),
             (n, readable, writable, exceptional, time, LC_DISPATCH_MASK (signals)))

/* --- Signals ----------------------------------------------------------------------------------------------- */

LC_IO_WRAP (int, pause, (void), (), 0, LC_SIGNAL_WAIT, -1)
LC_IO_WRAP (int, sigsuspend, (const sigset_t *signals), (LC_DISPATCH_MASK (signals)), 0, LC_SIGNAL_WAIT, -1)
LC_IO_WRAP (int, sigwaitinfo, (const sigset_t *signals, siginfo_t *info), (signals, info), LC_IO_ERRNO, LC_SIGNAL_WAIT,
            -1)
LC_IO_WRAP (int, sigtimedwait, (const sigset_t *signals, siginfo_t *info, const struct timespec *time),
            (signals, info, time), LC_IO_ERRNO, LC_SIGNAL_WAIT, -1)

LC_EXPORT int
sigwait (const sigset_t *signals, int *number)
{
  struct lc_io io = {.thread = lc_io_enter (), .file = -1, .operation = LC_SIGNAL_WAIT};
  int result;

  if (LC_UNLIKELY (io.thread == NULL))
    return LC_REAL (sigwait) (signals, number);
  lc_io_begin (&io);
  LC_IO_CALL (&io, result = LC_REAL (sigwait) (signals, number));
  if (LC_UNLIKELY (lc_io_end (&io)))
    lc_io_record (&io, result == 0 ? *number : 0, result);
  return result;
}

/* --- Children ---------------------------------------------------------------------------------------------- */

LC_IO_WRAP (pid_t, wait, (int *status), (status), LC_IO_ERRNO, LC_CHILD_WAIT, -1)
LC_IO_WRAP (pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options), LC_IO_ERRNO,
            LC_CHILD_WAIT, -1)
LC_IO_WRAP (pid_t, wait3, (int *status, int options, struct rusage *usage), (status, options, usage), LC_IO_ERRNO,
            LC_CHILD_WAIT, -1)
LC_IO_WRAP (pid_t, wait4, (pid_t child, int *status, int options, struct rusage *usage),
            (child, status, options, usage), LC_IO_ERRNO, LC_CHILD_WAIT, -1)
LC_IO_WRAP (int, waitid, (idtype_t type, id_t child, siginfo_t *info, int options), (type, child, info, options),
            LC_IO_ERRNO, LC_CHILD_WAIT, -1)

/* --- Queues and semaphores of the system ------------------------------------------------------------------- */

LC_IO_WRAP (ssize_t, msgrcv, (int queue, void *message, size_t size, long type, int flags),
            (queue, message, size, type, flags), LC_IO_ERRNO, LC_IPC_WAIT, -1)
LC_IO_WRAP (int, msgsnd, (int queue, const void *message, size_t size, int flags), (queue, message, size, flags),
            LC_IO_ERRNO, LC_IPC_WAIT, -1)
LC_IO_WRAP (int, semop, (int set, struct sembuf *operations, size_t n), (set, operations, n), LC_IO_ERRNO, LC_IPC_WAIT,
            -1)
LC_IO_WRAP (int, semtimedop, (int set, struct sembuf *operations, size_t n, const struct timespec *time),
            (set, operations, n, time), LC_IO_ERRNO, LC_IPC_WAIT, -1)

/* --- Addresses --------------------------------------------------------------------------------------------- */

/* What the C library's own modules do for it is no event: the thread is suspended meanwhile. */
LC_EXPORT int
getaddrinfo (const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
  struct lc_io io = {.thread = lc_io_enter (), .file = -1, .operation = LC_RESOLVE};
  struct lc_suspension suspension;
  int status;

  if (LC_UNLIKELY (io.thread == NULL))
    return LC_REAL (getaddrinfo) (name, service, hints, result);
  io.begin = lc_now ();
  lc_suspend (&suspension);
  status = LC_REAL (getaddrinfo) (name, service, hints, result);
  lc_resume (&suspension);
  io.end = lc_now_after ();
  if (LC_UNLIKELY (io.end - io.begin >= lc_io_threshold) && lc_self == io.thread)
    lc_io_record (&io, 0, 0);
  return status;
}
