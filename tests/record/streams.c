/* SPDX-License-Identifier: Apache-2.0 */
/* Connections and eventfds between recorded processes and threads: PROGRAM CASE. Each wait is ended by a known write.
 */
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "case.h"

enum
{
  ROUNDS = 50,
  SIZE = 16,
};

/* How the server waits for the client. */
enum way
{
  WAY_READ,
  WAY_MESSAGE,
  WAY_POLL,
  WAY_SELECT,
  WAY_EPOLL,
};

static void
wait_to_read (enum way way, int file, int epoll)
{
  struct pollfd polled = {.fd = file, .events = POLLIN};
  struct epoll_event event;
  fd_set set;

  FD_ZERO (&set);
  FD_SET (file, &set);
  if (way == WAY_POLL)
    CHECK (poll (&polled, 1, -1) == 1);
  else if (way == WAY_SELECT)
    CHECK (select (file + 1, &set, NULL, NULL, NULL) == 1);
  else if (way == WAY_EPOLL)
    CHECK (epoll_wait (epoll, &event, 1, -1) == 1 && event.data.ptr == &epoll_wait);
}

static ssize_t
take (enum way way, int file, char bytes[SIZE])
{
  struct iovec piece = {bytes, SIZE};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};

  return way == WAY_MESSAGE ? recvmsg (file, &message, 0) : recv (file, bytes, SIZE, 0);
}

static void
give (enum way way, int file, char *bytes, size_t size)
{
  struct iovec piece = {bytes, size};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};

  if (way == WAY_MESSAGE)
    CHECK (sendmsg (file, &message, 0) == (ssize_t)size);
  else
    CHECK (send (file, bytes, size, 0) == (ssize_t)size);
}

static void
serve (enum way way, int file)
{
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = &epoll_wait};
  int epoll = epoll_create1 (EPOLL_CLOEXEC), rounds = 0;
  char bytes[SIZE];
  ssize_t size;

  CHECK (epoll >= 0 && epoll_ctl (epoll, EPOLL_CTL_ADD, file, &event) == 0);
  for (;; rounds++)
    {
      wait_to_read (way, file, epoll);
      size = take (way, file, bytes);
      if (size <= 0)
        break;
      case_nap (1);
      give (way, file, bytes, (size_t)size);
    }
  printf ("%d rounds\n", rounds);
}

static void
ask (int file)
{
  char bytes[SIZE];

  for (int i = 0; i < ROUNDS; i++)
    {
      case_nap (1);
      CHECK (write (file, "question", 8) == 8 && read (file, bytes, SIZE) == 8);
    }
  CHECK (shutdown (file, SHUT_WR) == 0);
}

static void
reap (pid_t child)
{
  int status;

  CHECK (waitpid (child, &status, 0) == child && status == 0);
}

static void
run_pair (enum way way)
{
  int ends[2];
  pid_t child;

  CHECK (socketpair (AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  child = fork ();
  if (child == 0)
    {
      close (ends[0]);
      ask (ends[1]);
      _exit (0);
    }
  close (ends[1]);
  serve (way, ends[0]);
  reap (child);
}

static void
run_connection (enum way way, struct sockaddr *address, socklen_t size)
{
  int listener = socket (address->sa_family, SOCK_STREAM, 0), file;
  pid_t child;

  CHECK (listener >= 0 && bind (listener, address, size) == 0 && listen (listener, 1) == 0 &&
         getsockname (listener, address, &size) == 0);
  child = fork ();
  if (child == 0)
    {
      file = socket (address->sa_family, SOCK_STREAM, 0);
      CHECK (connect (file, address, size) == 0);
      ask (file);
      _exit (0);
    }
  file = accept (listener, NULL, NULL);
  CHECK (file >= 0);
  serve (way, file);
  reap (child);
}

static void
run_tcp (enum way way)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK)};

  run_connection (way, (struct sockaddr *)&address, sizeof address);
}

static void
run_local (enum way way)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  socklen_t size = (socklen_t)(offsetof (struct sockaddr_un, sun_path) + 1);

  /* A name that is none of the file system's, so that nothing is left. */
  size += (socklen_t)snprintf (address.sun_path + 1, sizeof address.sun_path - 1, "lightcone-%d", (int)getpid ());
  run_connection (way, (struct sockaddr *)&address, size);
}

#define WAYS(X, kind) \
  X (kind, read, WAY_READ) \
  X (kind, message, WAY_MESSAGE) \
  X (kind, poll, WAY_POLL) \
  X (kind, select, WAY_SELECT) \
  X (kind, epoll, WAY_EPOLL)
#define CASE(kind, name, way) \
  static void kind##_##name (void) \
  { \
    run_##kind (way); \
  }
#define ENTRY(kind, name, way) {#kind "-" #name, kind##_##name},

WAYS (CASE, pair)
WAYS (CASE, tcp)
WAYS (CASE, local)

/* The client listens in version 6, and the server answers in version 4 of the same protocol. */
static void
tcp_both_versions (void)
{
  struct sockaddr_in6 address = {.sin6_family = AF_INET6};
  struct sockaddr_in there = {.sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket (AF_INET6, SOCK_STREAM, 0), file;
  pid_t child;

  if (listener < 0 || bind (listener, (struct sockaddr *)&address, size) != 0)
    {
      printf ("no version 6\n");
      return;
    }
  CHECK (listen (listener, 1) == 0 && getsockname (listener, (struct sockaddr *)&address, &size) == 0);
  there.sin_port = address.sin6_port;
  child = fork ();
  if (child == 0)
    {
      file = socket (AF_INET, SOCK_STREAM, 0);
      CHECK (connect (file, (struct sockaddr *)&there, sizeof there) == 0);
      ask (file);
      _exit (0);
    }
  file = accept (listener, NULL, NULL);
  CHECK (file >= 0);
  serve (WAY_READ, file);
  reap (child);
}

/* --- Eventfds ---------------------------------------------------------------------------------------------- */

struct signals
{
  int there, back;
  enum way way;
};

static void *
answer_signals (void *data)
{
  const struct signals *signals = data;
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = &epoll_wait};
  int epoll = epoll_create1 (EPOLL_CLOEXEC);
  uint64_t value;

  CHECK (epoll >= 0 && epoll_ctl (epoll, EPOLL_CTL_ADD, signals->there, &event) == 0);
  for (int i = 0; i < ROUNDS; i++)
    {
      wait_to_read (signals->way, signals->there, epoll);
      CHECK (read (signals->there, &value, sizeof value) == sizeof value && value == 1);
      case_nap (1);
      CHECK (eventfd_write (signals->back, 3) == 0);
    }
  return NULL;
}

/* One of them is used by a copy of its descriptor. */
static void
run_signals (int flags, enum way way)
{
  struct signals signals = {eventfd (0, flags | EFD_CLOEXEC), eventfd (0, EFD_CLOEXEC), way};
  const uint64_t one = 1;
  pthread_t thread;
  eventfd_t value;
  int copy = dup (signals.there);

  CHECK (signals.there >= 0 && signals.back >= 0 && copy >= 0);
  CHECK (pthread_create (&thread, NULL, answer_signals, &signals) == 0);
  for (int i = 0; i < ROUNDS; i++)
    {
      case_nap (1);
      CHECK (write (copy, &one, sizeof one) == sizeof one);
      CHECK (eventfd_read (signals.back, &value) == 0 && value == 3);
    }
  CHECK (pthread_join (thread, NULL) == 0);
  printf ("%d rounds\n", ROUNDS);
}

static void
event_read (void)
{
  run_signals (0, WAY_READ);
}

static void
event_semaphore (void)
{
  run_signals (EFD_SEMAPHORE, WAY_READ);
}

static void
event_epoll (void)
{
  run_signals (0, WAY_EPOLL);
}

/* --- What is not said -------------------------------------------------------------------------------------- */

/* Half of what is written comes by functions that nobody sees. */
static void
unseen_client (void)
{
  int ends[2], sum = 0;
  pid_t child;
  char byte;

  CHECK (socketpair (AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  child = fork ();
  if (child == 0)
    {
      FILE *file = fdopen (ends[1], "w");

      for (int n = 0; n < ROUNDS; n++)
        {
          case_nap (1);
          if (n % 2 == 0)
            CHECK (fputc ('x', file) == 'x' && fflush (file) == 0);
          else
            CHECK (write (ends[1], "y", 1) == 1);
        }
      _exit (0);
    }
  close (ends[1]);
  while (read (ends[0], &byte, 1) == 1)
    sum++;
  printf ("%d bytes\n", sum);
  reap (child);
}

/* A look at what comes takes nothing; a datagram is no stream. */
static void
no_stream (void)
{
  int ends[2];
  pid_t child;
  char byte;

  CHECK (socketpair (AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  child = fork ();
  if (child == 0)
    {
      for (int n = 0; n < ROUNDS; n++)
        {
          case_nap (1);
          CHECK (send (ends[1], "y", 1, 0) == 1);
        }
      _exit (0);
    }
  for (int n = 0; n < ROUNDS; n++)
    CHECK (recv (ends[0], &byte, 1, n % 2 == 0 ? MSG_PEEK : 0) == 1);
  for (int n = ROUNDS / 2; n < ROUNDS; n++)
    CHECK (recv (ends[0], &byte, 1, 0) == 1);
  reap (child);
}

/* A number that has been something else is what it is now. */
static void
numbers (void)
{
  int ends[2], file;
  char bytes[SIZE];
  uint64_t value = 1;

  for (int i = 0; i < 3; i++)
    {
      CHECK (socketpair (AF_UNIX, SOCK_STREAM, 0, ends) == 0 && write (ends[0], "abc", 3) == 3 &&
             recv (ends[1], bytes, SIZE, MSG_PEEK) == 3 && read (ends[1], bytes, SIZE) == 3);
      file = eventfd (2, EFD_NONBLOCK);
      CHECK (dup2 (file, ends[0]) == ends[0] && write (ends[0], &value, sizeof value) == sizeof value &&
             read (file, &value, sizeof value) == sizeof value);
      printf ("%d\n", (int)value);
      value = 1;
      CHECK (read (ends[0], &value, sizeof value) == -1 && write (file, &value, 4) == -1);
      CHECK (read (ends[1], bytes, SIZE) == 0);
      CHECK (close (file) == 0 && close (ends[0]) == 0 && close (ends[1]) == 0);
    }
}

const struct test_case cases[] = {
    WAYS (ENTRY, pair) WAYS (ENTRY, tcp) WAYS (ENTRY, local){"tcp-both-versions", tcp_both_versions},
    {"event-read", event_read},
    {"event-semaphore", event_semaphore},
    {"event-epoll", event_epoll},
    {"unseen-client", unseen_client},
    {"no-stream", no_stream},
    {"numbers", numbers},
    {NULL, NULL},
};
