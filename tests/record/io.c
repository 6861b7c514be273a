/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that leave the program: PROGRAM CASE. The cases that are named for an operation wait in it for WAIT in all. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "case.h"

enum
{
  WAIT = 200, /* ms */
  LINES = 100,
  BLOCK = 300000, /* bytes: more than a pipe has room for */
};

static const struct timespec wait_time = {0, WAIT * 1000000L};

/* --- Waits of a known length ------------------------------------------------------------------------------- */

/* Carries a call out, and says on standard error how long that has taken, in ns. */
#define TIMED(call) \
  (__extension__({ \
    struct timespec timed_begin, timed_end; \
    __typeof__ (call) timed_result; \
\
    clock_gettime (CLOCK_MONOTONIC, &timed_begin); \
    timed_result = (call); \
    clock_gettime (CLOCK_MONOTONIC, &timed_end); \
    say_time (timed_begin, timed_end); \
    timed_result; \
  }))

static void
say_time (struct timespec begin, struct timespec end)
{
  const int error = errno;

  fprintf (stderr, "%lld\n", (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec);
  errno = error;
}

/* Calls a function in a child, after WAIT. A child waits by the processor's time, so that it has no event of its own.
 */
static pid_t
later (void (*function) (int), int argument)
{
  struct timespec until = case_after (CLOCK_MONOTONIC, WAIT);
  pid_t child = fork ();

  CHECK (child >= 0);
  if (child > 0)
    return child;
  while (!case_is_past (CLOCK_MONOTONIC, until))
    ;
  if (function != NULL)
    function (argument);
  _exit (0);
}

static void
reap (pid_t child)
{
  int status = -1;

  while (waitpid (child, &status, WNOHANG) == 0)
    ;
  printf ("child: %d\n", status);
}

static void
write_byte (int file)
{
  CHECK (write (file, "x", 1) == 1);
}

static void
sleeps (void)
{
  struct timespec until = case_after (CLOCK_MONOTONIC, WAIT);

  SHOW_ERRNO (TIMED (nanosleep (&wait_time, NULL)));
  SHOW_ERRNO (TIMED (usleep (WAIT * 1000)));
  SHOW (TIMED (clock_nanosleep (CLOCK_MONOTONIC, 0, &wait_time, NULL)));
  SHOW (TIMED (thrd_sleep (&wait_time, NULL)));
  until = case_after (CLOCK_MONOTONIC, WAIT);
  SHOW (TIMED (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL)));
}

static void
polls (void)
{
  struct pollfd files[2] = {{.events = POLLIN}, {.events = POLLIN}};
  struct timeval time = {0, WAIT * 1000};
  struct epoll_event event;
  int ends[2], file = epoll_create1 (EPOLL_CLOEXEC);
  fd_set set;

  CHECK (file >= 0 && pipe (ends) == 0);
  files[0].fd = files[1].fd = ends[0];
  SHOW_ERRNO (TIMED (poll (files, 1, WAIT)));
  SHOW_ERRNO (TIMED (ppoll (files, 2, &wait_time, NULL)));
  FD_ZERO (&set);
  FD_SET (ends[0], &set);
  SHOW_ERRNO (TIMED (select (ends[0] + 1, &set, NULL, NULL, &time)));
  SHOW (FD_ISSET (ends[0], &set));
  SHOW_ERRNO (TIMED (pselect (0, NULL, NULL, NULL, &wait_time, NULL)));
  SHOW_ERRNO (TIMED (epoll_wait (file, &event, 1, WAIT)));
}

/* Datagrams: nobody knows which one ends a wait. */
static void
reads (void)
{
  char byte;
  struct iovec piece = {&byte, 1};
  int ends[2];
  pid_t child;

  CHECK (socketpair (AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  child = later (write_byte, ends[1]);
  SHOW_ERRNO ((int)TIMED (recv (ends[0], &byte, 1, 0)));
  reap (child);
  child = later (write_byte, ends[1]);
  SHOW_ERRNO ((int)TIMED (readv (ends[0], &piece, 1)));
  reap (child);
}

static void
pipe_reads (void)
{
  char byte;
  int ends[2];
  pid_t child;

  CHECK (pipe (ends) == 0);
  child = later (write_byte, ends[1]);
  SHOW_ERRNO ((int)TIMED (read (ends[0], &byte, 1)));
  reap (child);
}

static void
write_all (int file)
{
  static char bytes[BLOCK];
  size_t done = 0;

  while (done < sizeof bytes)
    {
      ssize_t n = TIMED (write (file, bytes, sizeof bytes - done));

      CHECK (n > 0);
      done += (size_t)n;
    }
}

static void
read_all (int file)
{
  static char bytes[4096];
  size_t done = 0;

  while (done < BLOCK)
    {
      ssize_t n = read (file, bytes, sizeof bytes);

      CHECK (n > 0);
      done += (size_t)n;
    }
}

static void
pipe_writes (void)
{
  int ends[2];
  pid_t child;

  CHECK (pipe (ends) == 0);
  child = later (read_all, ends[0]);
  write_all (ends[1]);
  reap (child);
}

static int
listening (struct sockaddr_in *address)
{
  socklen_t length = sizeof *address;
  int file = socket (AF_INET, SOCK_STREAM, 0);

  memset (address, 0, sizeof *address);
  address->sin_family = AF_INET;
  address->sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  CHECK (file >= 0 && bind (file, (struct sockaddr *)address, sizeof *address) == 0 && listen (file, 0) == 0);
  CHECK (getsockname (file, (struct sockaddr *)address, &length) == 0);
  return file;
}

static struct sockaddr_in server;

static void
connect_to_server (int file)
{
  CHECK (connect (file, (struct sockaddr *)&server, sizeof server) == 0);
}

static void
accepts (void)
{
  int file = listening (&server), one;
  pid_t child = later (connect_to_server, socket (AF_INET, SOCK_STREAM, 0));

  one = TIMED (accept (file, NULL, NULL));
  printf ("accepted: %d\n", one >= 0);
  reap (child);
}

static void
waits_for_child (void)
{
  pid_t child = later (NULL, 0);
  int status = -1;

  printf ("waited: %d\n", TIMED (waitpid (child, &status, 0)) == child);
  printf ("child: %d\n", status);
  SHOW_ERRNO (waitpid (child, &status, 0));
  child = later (NULL, 0);
  SHOW_ERRNO (TIMED (waitid (P_PID, (id_t)child, &(siginfo_t){0}, WEXITED)));
}

static void
file_locks (void)
{
  char name[] = "/tmp/lightcone-io-XXXXXX";
  struct flock whole = {.l_type = F_WRLCK};
  int file = mkstemp (name), other = open (name, O_RDWR), ends[2];
  struct timespec until;
  pid_t child;
  char byte;

  CHECK (file >= 0 && other >= 0 && unlink (name) == 0 && pipe (ends) == 0);
  child = fork ();
  if (child == 0)
    {
      CHECK (fcntl (file, F_SETLK, &whole) == 0 && flock (file, LOCK_EX) == 0);
      write_byte (ends[1]);
      for (until = case_after (CLOCK_MONOTONIC, WAIT); !case_is_past (CLOCK_MONOTONIC, until);)
        ;
      _exit (0);
    }
  CHECK (read (ends[0], &byte, 1) == 1);
  SHOW_ERRNO (fcntl (file, F_SETLK, &whole));
  SHOW_ERRNO (TIMED (fcntl (file, F_SETLKW, &whole)));
  SHOW_ERRNO (fcntl (file, F_GETFD));
  reap (child);
}

static void
signal_parent (int number)
{
  kill (getppid (), number);
}

static void
signal_waits (void)
{
  sigset_t set;
  int number = 0;
  pid_t child;

  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  CHECK (sigprocmask (SIG_BLOCK, &set, NULL) == 0);
  child = later (signal_parent, SIGUSR1);
  SHOW (TIMED (sigwait (&set, &number)));
  SHOW (number == SIGUSR1);
  reap (child);
  SHOW_ERRNO (TIMED (sigtimedwait (&set, NULL, &wait_time)));
}

static void
ipc_waits (void)
{
  int queue = msgget (IPC_PRIVATE, 0600), set = semget (IPC_PRIVATE, 1, 0600);
  struct sembuf take = {0, -1, 0};

  CHECK (queue >= 0 && set >= 0);
  SHOW_ERRNO (TIMED (semtimedop (set, &take, 1, &wait_time)));
  SHOW_ERRNO ((int)msgrcv (queue, &(struct {
                             long type;
                             char text[8];
                           }){0},
                           8, 0, IPC_NOWAIT));
  CHECK (semctl (set, 0, IPC_RMID) == 0 && msgctl (queue, IPC_RMID, NULL) == 0);
}

/* --- Results ----------------------------------------------------------------------------------------------- */

static void
errors (void)
{
  char byte = 0;
  struct pollfd file = {.fd = -1};
  struct iovec piece = {&byte, 1};
  struct timespec wrong = {0, -1};
  void *volatile nowhere = NULL; /* so that the compiler does not know */
  volatile int negative = -1;
  int ends[2];

  CHECK (pipe2 (ends, O_NONBLOCK) == 0);
  SHOW_ERRNO ((int)read (-1, &byte, 1));
  SHOW_ERRNO ((int)write (-1, &byte, 1));
  SHOW_ERRNO ((int)read (ends[0], &byte, 1));
  SHOW_ERRNO ((int)write (ends[1], &byte, 0));
  SHOW_ERRNO ((int)write (ends[1], nowhere, 1));
  SHOW_ERRNO ((int)writev (ends[1], nowhere, 1));
  SHOW_ERRNO ((int)writev (ends[1], &piece, negative));
  SHOW_ERRNO ((int)writev (ends[1], &piece, 1));
  SHOW_ERRNO ((int)readv (ends[0], nowhere, 1));
  SHOW_ERRNO ((int)read (ends[0], nowhere, 1));
  SHOW_ERRNO ((int)read (ends[0], &byte, 1));
  SHOW_ERRNO ((int)pread (ends[0], &byte, 1, 0));
  SHOW_ERRNO ((int)pwrite (ends[1], &byte, 1, 0));
  SHOW_ERRNO ((int)recv (ends[0], &byte, 1, 0));
  SHOW_ERRNO ((int)send (ends[1], &byte, 1, 0));
  SHOW_ERRNO ((int)sendmsg (ends[1], nowhere, 0));
  SHOW_ERRNO (accept (ends[0], NULL, NULL));
  SHOW_ERRNO (connect (ends[0], nowhere, 0));
  SHOW_ERRNO (poll (nowhere, 1, 0));
  SHOW_ERRNO (poll (&file, 1, 0));
  SHOW_ERRNO (select (-1, NULL, NULL, NULL, NULL));
  SHOW_ERRNO (select (1, nowhere, nowhere, (fd_set *)4096, NULL));
  SHOW_ERRNO (epoll_wait (-1, nowhere, 1, 0));
  SHOW_ERRNO (nanosleep (&wrong, NULL));
  SHOW_ERRNO (nanosleep (nowhere, NULL));
  SHOW (clock_nanosleep (CLOCK_MONOTONIC, 0, &wrong, NULL));
  SHOW_ERRNO (fsync (ends[0]));
  SHOW_ERRNO (flock (-1, LOCK_EX));
  SHOW_ERRNO (fcntl (-1, F_SETLKW, nowhere));
  SHOW_ERRNO (fcntl (ends[0], F_SETLKW, nowhere));
  SHOW_ERRNO ((fcntl (ends[0], F_GETFL) & O_NONBLOCK) != 0);
  SHOW_ERRNO (waitpid (-1, NULL, 0));
  SHOW_ERRNO (close (-1));
  SHOW_ERRNO (close (ends[1]));
  SHOW_ERRNO ((int)read (ends[0], &byte, 1));
  SHOW (getaddrinfo ("127.0.0.1", "no-such-service", NULL, &(struct addrinfo *){NULL}) != 0);
}

/* A descriptor becomes another file, and the other way round. */
static void
descriptors (void)
{
  int ends[2], zero = open ("/dev/zero", O_RDONLY);
  char bytes[4] = "abc";

  CHECK (zero >= 0 && pipe (ends) == 0);
  for (int i = 0; i < 4; i++)
    {
      CHECK (write (ends[1], "xyz", 4) == 4);
      SHOW ((int)read (zero, bytes, 4));
      CHECK (dup2 (ends[0], zero) == zero);
      SHOW ((int)read (zero, bytes, 4));
      SHOW (bytes[0]);
      CHECK (close (zero) == 0 && open ("/dev/zero", O_RDONLY) == zero);
    }
}

static uint32_t handled;

static void
count_signal (int number)
{
  handled++;
  CHECK (write (-1, "", 1) < 0);
}

static void
interrupted (void)
{
  struct sigaction action = {.sa_handler = count_signal};
  struct timespec long_time = {60, 0}, left = {0, 0};
  int ends[2];
  pid_t child;
  char byte;

  CHECK (pipe (ends) == 0 && sigaction (SIGUSR1, &action, NULL) == 0);
  child = later (signal_parent, SIGUSR1);
  SHOW_ERRNO ((int)read (ends[0], &byte, 1));
  reap (child);
  child = later (signal_parent, SIGUSR1);
  SHOW_ERRNO (nanosleep (&long_time, &left));
  SHOW (left.tv_sec);
  reap (child);
  child = later (signal_parent, SIGUSR1);
  SHOW ((int)sleep (60) >= 59);
  reap (child);
  child = later (signal_parent, SIGUSR1);
  SHOW_ERRNO (pause ());
  reap (child);
  SHOW ((int)handled);
}

static sigjmp_buf out;

static void
jump_out (int number)
{
  siglongjmp (out, 1);
}

/* A handler jumps out of a call; the thread's next events are told as ever. */
static void
jumps (void)
{
  struct sigaction action = {.sa_handler = jump_out};
  struct timespec long_time = {60, 0};
  pid_t child;

  CHECK (sigaction (SIGUSR2, &action, NULL) == 0);
  child = later (signal_parent, SIGUSR2);
  if (sigsetjmp (out, 1) == 0)
    nanosleep (&long_time, NULL);
  printf ("out\n");
  reap (child);
  SHOW_ERRNO (nanosleep (&wait_time, NULL));
}

/* --- Cancellation ------------------------------------------------------------------------------------------ */

static int never[2], cleaned;

static void
clean (void *data)
{
  cleaned++;
  CHECK (write (-1, "", 1) < 0);
}

static void *
waits_for_ever (void *which)
{
  struct pollfd file = {.fd = never[0], .events = POLLIN};
  char byte;

  pthread_cleanup_push (clean, NULL);
  if (which == NULL)
    CHECK (read (never[0], &byte, 1) < 0);
  else if ((uintptr_t)which == 1)
    poll (&file, 1, -1);
  else if ((uintptr_t)which == 2)
    sleep (60);
  else
    pause ();
  pthread_cleanup_pop (0);
  return NULL;
}

static void
cancellation (void)
{
  CHECK (pipe (never) == 0);
  for (uintptr_t i = 0; i < 4; i++)
    {
      pthread_t thread = case_start (waits_for_ever, (void *)i);
      void *value = NULL;

      SHOW (pthread_cancel (thread));
      SHOW (pthread_join (thread, &value));
      printf ("cancelled: %d, cleaned: %d\n", value == PTHREAD_CANCELED, cleaned);
    }
}

/* --- Pipes ------------------------------------------------------------------------------------------------- */

static void *
answers (void *data)
{
  const int *files = data;
  char byte;

  while (read (files[0], &byte, 1) == 1)
    CHECK (write (files[1], &byte, 1) == 1);
  close (files[1]);
  return NULL;
}

/* Two threads answer one another: each wait is ended by the other's write. */
static void
ping_pong (void)
{
  int there[2], back[2], files[2];
  pthread_t thread;
  char byte = 0;

  CHECK (pipe (there) == 0 && pipe (back) == 0);
  files[0] = there[0];
  files[1] = back[1];
  CHECK (pthread_create (&thread, NULL, answers, files) == 0);
  for (int i = 0; i < LINES; i++)
    {
      case_nap (1);
      CHECK (write (there[1], &byte, 1) == 1 && read (back[0], &byte, 1) == 1);
    }
  close (there[1]);
  CHECK (pthread_join (thread, NULL) == 0);
}

/* Three processes, each of which hands on what the one before wrote. */
static void
pipeline (void)
{
  int first[2], second[2];
  pid_t children[2];
  char line[16];
  int lines = 0;

  CHECK (pipe (first) == 0);
  children[0] = fork ();
  if (children[0] == 0)
    {
      close (first[0]);
      for (int i = 0; i < LINES; i++)
        {
          case_nap (2);
          CHECK (write (first[1], "line of text", 12) == 12);
        }
      _exit (0);
    }
  close (first[1]);
  CHECK (pipe (second) == 0);
  children[1] = fork ();
  if (children[1] == 0)
    {
      close (second[0]);
      while (read (first[0], line, 12) == 12)
        CHECK (write (second[1], line, 12) == 12);
      _exit (0);
    }
  close (first[0]);
  close (second[1]);
  while (read (second[0], line, 12) == 12)
    lines++;
  printf ("%d lines\n", lines);
  reap (children[0]);
  reap (children[1]);
}

static void *
takes_tokens (void *data)
{
  int taken = 0;
  char byte;

  while (read (*(int *)data, &byte, 1) == 1)
    taken++;
  return (void *)(uintptr_t)taken;
}

/* Several take the bytes that several write. */
static void
crowd (void)
{
  int ends[2], sum = 0;
  pthread_t threads[4];
  pid_t children[2];

  CHECK (pipe (ends) == 0);
  for (int i = 0; i < 2; i++)
    if ((children[i] = fork ()) == 0)
      {
        for (int n = 0; n < LINES; n++)
          {
            case_nap (1);
            write_byte (ends[1]);
          }
        _exit (0);
      }
  close (ends[1]);
  for (int i = 0; i < 4; i++)
    CHECK (pthread_create (&threads[i], NULL, takes_tokens, &ends[0]) == 0);
  for (int i = 0; i < 4; i++)
    {
      void *taken;

      CHECK (pthread_join (threads[i], &taken) == 0);
      sum += (int)(uintptr_t)taken;
    }
  printf ("%d bytes\n", sum);
  reap (children[0]);
  reap (children[1]);
}

/* Half of the writes are the C library's own, which nobody sees. */
static void
unseen_writer (void)
{
  int ends[2], sum = 0;
  pid_t child;
  char byte;

  CHECK (pipe (ends) == 0);
  child = fork ();
  if (child == 0)
    {
      FILE *file = fdopen (ends[1], "w");

      for (int n = 0; n < LINES; n++)
        {
          case_nap (1);
          if (n % 2 == 0)
            CHECK (fputc ('x', file) == 'x' && fflush (file) == 0);
          else
            write_byte (ends[1]);
        }
      _exit (0);
    }
  close (ends[1]);
  while (read (ends[0], &byte, 1) == 1)
    sum++;
  printf ("%d bytes\n", sum);
  reap (child);
}

/* Only the last call is worth an event. */
static void
threshold (void)
{
  int file = open ("/dev/zero", O_RDONLY);
  char byte;

  for (int i = 0; i < 1000; i++)
    CHECK (read (file, &byte, 1) == 1);
  case_nap (20);
}

const struct test_case cases[] = {
    {"sleeps", sleeps},
    {"polls", polls},
    {"reads", reads},
    {"pipe-reads", pipe_reads},
    {"pipe-writes", pipe_writes},
    {"accepts", accepts},
    {"waits-for-child", waits_for_child},
    {"file-locks", file_locks},
    {"signal-waits", signal_waits},
    {"ipc-waits", ipc_waits},
    {"errors", errors},
    {"descriptors", descriptors},
    {"interrupted", interrupted},
    {"jumps", jumps},
    {"cancellation", cancellation},
    {"ping-pong", ping_pong},
    {"pipeline", pipeline},
    {"crowd", crowd},
    {"unseen-writer", unseen_writer},
    {"threshold", threshold},
    {NULL, NULL},
};
