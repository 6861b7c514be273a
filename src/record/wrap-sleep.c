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
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "dispatch.h"
#include "hooks.h"
#include "io.h"
#include "real.h"
#include "signals.h"

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

enum
{
  LOOKED_AT = 16, /* files of one poll */

  EPOLL_PLACES = 4096,
  EPOLL_FILE = LC_STREAM_FILES - 1, /* bits of a place that are the descriptor */
};

/* Tells the streams of a poll that somebody waits, so that who writes notes it. The system copies the array, for it may
 * refuse the address. That is not done again for the same array while the descriptors are as they were. */
static __attribute__ ((noinline)) void
wrap_sleep_announce (struct lc_io *io, uintptr_t files, nfds_t n)
{
  struct pollfd copy[LOOKED_AT];
  struct iovec to = {copy, n * sizeof *copy}, from = {(void *)files, n * sizeof *copy};
  const int error = errno;

  io->thread->polled = files;
  io->thread->polled_number = (uint32_t)n;
  io->thread->polled_change = __atomic_load_n (&lc_stream_changes, __ATOMIC_RELAXED);
  if (lc_is_sandboxed ())
    return;
  if (syscall (SYS_process_vm_readv, syscall (SYS_getpid), &to, 1, &from, 1, 0) == (long)to.iov_len)
    for (nfds_t i = 0; i < n; i++)
      if ((copy[i].events & POLLIN) != 0 && lc_stream_is_likely (copy[i].fd))
        lc_pipe_poll_begin (io, copy[i].fd);
  errno = error;
}

/* What is there, is not looked at here: the address says so to the compiler, too. */
static inline void
wrap_sleep_will_poll (struct lc_io *io, uintptr_t files, nfds_t n)
{
  const struct lc_thread *thread = io->thread;

  if (n > 0 && n <= LOOKED_AT &&
      (thread->polled != files || thread->polled_number != n ||
       thread->polled_change != __atomic_load_n (&lc_stream_changes, __ATOMIC_RELAXED)))
    wrap_sleep_announce (io, files, n);
}

/* What was asked for is looked at after the call only, when the system has found that it can be read. The one file that
 * was ready is told, or the only one; else how many there were. */
static void
wrap_sleep_polled (struct lc_io *io, const struct pollfd *files, nfds_t n, int result)
{
  for (nfds_t i = 0; result == 1 && i < n; i++)
    if ((files[i].revents & POLLIN) != 0 && lc_stream_is_likely (files[i].fd))
      lc_pipe_poll_end (io, files[i].fd);
  for (nfds_t i = 0; result == 1 && n > 1 && i < n; i++)
    if (files[i].revents != 0)
      io->file = files[i].fd;
  if (result >= 0 && n == 1)
    io->file = files->fd;
  if (io->file < 0)
    io->files = (uint32_t)n;
}

static bool
wrap_sleep_is_set (const fd_set *set, int file)
{
  return set != NULL && ((unsigned long)__FDS_BITS (set)[file / NFDBITS] >> file % NFDBITS & 1) != 0;
}

/* Sets hold what was ready. What they asked for is not looked at before, so a stream is told of its first wait only
 * after it. */
static void
wrap_sleep_selected (struct lc_io *io, int n, const fd_set *const sets[3], int result)
{
  for (int file = 0; result == 1 && file < n; file++)
    if (wrap_sleep_is_set (sets[0], file) && lc_stream_is_likely (file))
      {
        lc_pipe_poll_end (io, file);
        lc_pipe_poll_begin (io, file);
      }
  for (int file = 0; result == 1 && file < n; file++)
    for (int i = 0; i < 3; i++)
      if (wrap_sleep_is_set (sets[i], file))
        io->file = file;
}

/* `announce` is carried out before the call; `find`, after it, finds what it has waited for. */
#define WRAP_POLLING(name, parameters, arguments, announce, find) \
  LC_EXPORT int name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = -1, .operation = LC_POLL}; \
    int result; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      return LC_REAL (name) arguments; \
    announce; \
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
  WRAP_POLLING (name, parameters, arguments, wrap_sleep_will_poll (&io, (uintptr_t)files, n), \
                wrap_sleep_polled (&io, files, n, result))
#define WRAP_SELECT(name, parameters, arguments) \
  WRAP_POLLING (name, parameters, arguments, , \
                wrap_sleep_selected (&io, n, (const fd_set *const[]){readable, writable, exceptional}, result))

WRAP_POLL (poll, (struct pollfd * files, nfds_t n, int milliseconds), (files, n, milliseconds))
WRAP_POLL (__poll_chk, (struct pollfd * files, nfds_t n, int milliseconds, size_t room), (files, n, milliseconds, room))
WRAP_POLL (ppoll, (struct pollfd * files, nfds_t n, const struct timespec *time, const sigset_t *signals),
           (files, n, time, LC_DISPATCH_MASK (signals)))
WRAP_POLL (__ppoll_chk,
           (struct pollfd * files, nfds_t n, const struct timespec *time, const sigset_t *signals, size_t room),
           (files, n, time, LC_DISPATCH_MASK (signals), room))

/* An epoll tells what is ready by what the program gave it for that. Each place has the descriptor that was added last
 * under some word; the other bits of the hash of epoll and word tell whether it is that. */
static uint64_t epoll_places[EPOLL_PLACES];

static uint64_t
epoll_hash (int file, uint64_t word)
{
  uint64_t hash = (word ^ (uint64_t)(unsigned int)file << 40) * UINT64_C (0x9E3779B97F4A7C15);

  return (hash ^ hash >> 29) * UINT64_C (0xFF51AFD7ED558CCD);
}

static inline uint64_t *
epoll_place (uint64_t hash)
{
  return &epoll_places[hash >> 32 & (EPOLL_PLACES - 1)];
}

/* The system has accepted the event, so it can be read. */
LC_EXPORT int
epoll_ctl (int file, int operation, int of, struct epoll_event *event)
{
  struct lc_io io = {.thread = lc_io_enter ()};
  const int result = LC_REAL (epoll_ctl) (file, operation, of, event);
  uint64_t hash;

  if (io.thread == NULL || result != 0 || operation == EPOLL_CTL_DEL || (event->events & EPOLLIN) == 0 ||
      of >= LC_STREAM_FILES || !lc_stream_is_likely (of))
    return result;
  hash = epoll_hash (file, event->data.u64);
  __atomic_store_n (epoll_place (hash), (hash & ~(uint64_t)EPOLL_FILE) | (unsigned int)of, __ATOMIC_RELAXED);
  lc_pipe_poll_begin (&io, of);
  return result;
}

/* The first event is that of the file that was ready first. */
static void
wrap_sleep_epolled (struct lc_io *io, const struct epoll_event *events, int result)
{
  uint64_t hash, found;

  if (result <= 0 || (events->events & EPOLLIN) == 0)
    return;
  hash = epoll_hash (io->file, events->data.u64);
  found = __atomic_load_n (epoll_place (hash), __ATOMIC_RELAXED);
  if (found != 0 && ((found ^ hash) & ~(uint64_t)EPOLL_FILE) == 0)
    lc_pipe_poll_end (io, (int)(found & EPOLL_FILE));
}

#define WRAP_EPOLL(name, parameters, arguments) \
  LC_EXPORT int name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = file, .operation = LC_POLL}; \
    int result; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      return LC_REAL (name) arguments; \
    lc_io_begin (&io); \
    LC_IO_CALL (&io, result = LC_REAL (name) arguments); \
    if (LC_UNLIKELY (lc_io_end (&io))) \
      { \
        wrap_sleep_epolled (&io, events, result); \
        lc_io_record (&io, result, LC_IO_ERRNO); \
      } \
    return result; \
  }

WRAP_EPOLL (epoll_wait, (int file, struct epoll_event *events, int room, int milliseconds),
            (file, events, room, milliseconds))
WRAP_EPOLL (epoll_pwait, (int file, struct epoll_event *events, int room, int milliseconds, const sigset_t *signals),
            (file, events, room, milliseconds, LC_DISPATCH_MASK (signals)))
WRAP_EPOLL (epoll_pwait2,
            (int file, struct epoll_event *events, int room, const struct timespec *time, const sigset_t *signals),
            (file, events, room, time, LC_DISPATCH_MASK (signals)))

WRAP_SELECT (select, (int n, fd_set *readable, fd_set *writable, fd_set *exceptional, struct timeval *time),
             (n, readable, writable, exceptional, time))
WRAP_SELECT (pselect,
             (int n, fd_set *readable, fd_set *writable, fd_set *exceptional, const struct timespec *time,
              const sigset_t *signals),
             (n, readable, writable, exceptional, time, LC_DISPATCH_MASK (signals)))

/* --- Signals ----------------------------------------------------------------------------------------------- */

static void
wrap_sleep_record (struct lc_io *io, int error)
{
  io->object = lc_signal_object (io->signal);
  lc_io_record (io, 0, error);
}

/* Until a handler was carried out. `mask` is what was blocked meanwhile; NULL: what is otherwise. */
#define WRAP_SUSPEND(name, parameters, arguments, mask) \
  LC_EXPORT int name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = -1, .operation = LC_SIGNAL_WAIT}; \
    struct lc_signal_wait wait; \
    int result; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      return LC_REAL (name) arguments; \
    lc_io_begin (&io); \
    lc_signal_wait_begin (&io, &wait); \
    LC_IO_CALL (&io, result = LC_REAL (name) arguments); \
    const bool is_long = lc_io_end (&io); \
    if (result < 0 && errno == EINTR) \
      lc_signal_wait_end (&io, &wait, NULL, mask); \
    if (LC_LIKELY (is_long)) \
      wrap_sleep_record (&io, 0); \
    return result; \
  }

WRAP_SUSPEND (pause, (void), (), NULL)
WRAP_SUSPEND (sigsuspend, (const sigset_t *signals), (LC_DISPATCH_MASK (signals)), signals)

/* Until there is a signal, of which the system tells who has sent it. `info` is the wrapper's own if nobody asks. */
#define WRAP_WAITING(name, parameters, arguments, begin, call, signal_of, error_of) \
  LC_EXPORT int name parameters \
  { \
    struct lc_io io = {.thread = lc_io_enter (), .file = -1, .operation = LC_SIGNAL_WAIT}; \
    struct lc_signal_wait wait; \
    siginfo_t own; \
    int result; \
\
    if (LC_UNLIKELY (io.thread == NULL)) \
      return LC_REAL (name) arguments; \
    begin; \
    lc_io_begin (&io); \
    lc_signal_wait_begin (&io, &wait); \
    LC_IO_CALL (&io, call); \
    const bool is_long = lc_io_end (&io); \
    io.signal = (uint32_t)(signal_of); \
    if (io.signal != 0) \
      lc_signal_wait_end (&io, &wait, info, NULL); \
    if (LC_LIKELY (is_long)) \
      wrap_sleep_record (&io, error_of); \
    return result; \
  }

WRAP_WAITING (sigwaitinfo, (const sigset_t *signals, siginfo_t *info), (signals, info),
              info = info != NULL ? info : &own, result = LC_REAL (sigwaitinfo) (signals, info),
              result > 0 ? result : 0, LC_IO_ERRNO)
WRAP_WAITING (sigtimedwait, (const sigset_t *signals, siginfo_t *info, const struct timespec *time),
              (signals, info, time), info = info != NULL ? info : &own,
              result = LC_REAL (sigtimedwait) (signals, info, time), result > 0 ? result : 0, LC_IO_ERRNO)

/* Waits as the C library does, which does not tell who has sent the signal. */
static int
wrap_sleep_wait (const sigset_t *signals, int *number, siginfo_t *info)
{
  int found;

  do
    found = LC_REAL (sigwaitinfo) (signals, info);
  while (found < 0 && errno == EINTR);
  if (found < 0)
    return errno;
  *number = info->si_signo;
  return 0;
}

WRAP_WAITING (sigwait, (const sigset_t *signals, int *number), (signals, number), siginfo_t *const info = &own,
              result = wrap_sleep_wait (signals, number, info), result == 0 ? info->si_signo : 0, result)

/* --- Children ---------------------------------------------------------------------------------------------- */

LC_IO_WRAP (pid_t, wait, (int *status), (status), LC_IO_ERRNO, LC_CHILD_WAIT, -1)
LC_IO_WRAP (pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options), LC_IO_ERRNO,
            LC_CHILD_WAIT, -1)
LC_IO_WRAP (pid_t, wait3, (int *status, int options, struct rusage *usage), (status, options, usage), LC_IO_ERRNO,
            LC_CHILD_WAIT, -1)
LC_IO_WRAP (pid_t, wait4, (pid_t child, int *status, int options, struct rusage *usage),
            (child, status, options, usage), LC_IO_ERRNO, LC_CHILD_WAIT, -1)

/* The system call can tell of the child to nobody, so there is always somebody whom it tells. */
LC_EXPORT int
waitid (idtype_t type, id_t child, siginfo_t *info, int options)
{
  struct lc_io io = {.thread = lc_io_enter (), .file = -1, .operation = LC_CHILD_WAIT};
  siginfo_t own;
  int result;

  if (LC_UNLIKELY (io.thread == NULL))
    return LC_REAL (waitid) (type, child, info, options);
  info = info != NULL ? info : &own;
  lc_io_begin (&io);
  LC_IO_CALL (&io, result = LC_REAL (waitid) (type, child, info, options));
  if (LC_UNLIKELY (lc_io_end (&io)))
    lc_io_record (&io, result == 0 ? info->si_pid : result, LC_IO_ERRNO);
  return result;
}

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
