/* SPDX-License-Identifier: Apache-2.0 */
/* Programs whose output depends on what they get from outside. */
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
  THREADS = 3,
  ROUNDS = 20,
  OUTSIDE = 3, /* a descriptor that the program is given */
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int
tell_time (void)
{
  struct timespec now, spent;
  struct timeval day;

  clock_gettime (CLOCK_REALTIME, &now);
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &spent);
  gettimeofday (&day, NULL);
  printf ("%ld %ld.%09ld %ld.%06ld %ld.%09ld %ld\n", (long)time (NULL), (long)now.tv_sec, now.tv_nsec, (long)day.tv_sec,
          (long)day.tv_usec, (long)spent.tv_sec, spent.tv_nsec, (long)clock ());
  return 0;
}

static void
print_bytes (const unsigned char *bytes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    printf ("%02x", bytes[i]);
  printf ("\n");
}

static int
tell_random (void)
{
  unsigned char bytes[16];
  FILE *device = fopen ("/dev/urandom", "r");
  int file = open ("/dev/urandom", O_RDONLY);

  if (getrandom (bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes)
    print_bytes (bytes, sizeof bytes);
  if (syscall (SYS_getrandom, bytes, sizeof bytes, 0) == (long)sizeof bytes)
    print_bytes (bytes, sizeof bytes);
  if (getentropy (bytes, sizeof bytes) == 0)
    print_bytes (bytes, sizeof bytes);
  if (read (file, bytes, sizeof bytes) == (ssize_t)sizeof bytes)
    print_bytes (bytes, sizeof bytes);
  if (device != NULL && fread (bytes, 1, sizeof bytes, device) == sizeof bytes)
    print_bytes (bytes, sizeof bytes);
  if (device != NULL)
    fclose (device);
  close (file);
  return 0;
}

static volatile sig_atomic_t came;

static void
note_signal (int number)
{
  came = number;
}

static int
tell_who (void)
{
  printf ("%d %d %d\n", (int)getpid (), (int)getppid (), (int)gettid ());
  return 0;
}

/* A signal to its own number must come to the program itself, and a child must find its parent. */
static int
tell_numbers (void)
{
  const pid_t self = getpid ();
  int status = -1;
  pid_t child;

  signal (SIGUSR1, note_signal);
  printf ("%d %d %d %ld\n", (int)self, (int)getppid (), (int)gettid (), syscall (SYS_gettid));
  fflush (stdout);
  kill (self, SIGUSR1);
  child = fork ();
  if (child == 0)
    _exit (getppid () == self ? 7 : 8);
  waitpid (child, &status, 0);
  printf ("%s, child %d\n", came == SIGUSR1 ? "signalled" : "not signalled", WEXITSTATUS (status));
  return 0;
}

/* By each way in which standard input is read. */
static int
tell_lines (void)
{
  char line[256], word[64];
  char *whole = NULL;
  size_t room = 0;
  int number = 0;

  printf ("name? ");
  if (fgets (line, sizeof line, stdin) != NULL)
    printf ("fgets %s", line);
  if (getline (&whole, &room, stdin) > 0)
    printf ("getline %s", whole);
  if (scanf ("%d %63s", &number, word) == 2)
    printf ("scanf %d %s\n", number, word);
  number = getchar ();
  printf ("getchar %d %d\n", number, getchar ());
  printf ("fread %zu\n", fread (line, 1, 5, stdin));
  for (int c; (c = getc (stdin)) != EOF;)
    printf ("[%c]", c >= ' ' ? c : '.');
  printf (" %d %d\n", feof (stdin) != 0, fileno (stdin));
  free (whole);
  return 0;
}

/* Threads that read what comes and lock in between. */
static void *
read_outside (void *data)
{
  char *text = data, piece[8];

  for (int i = 0; i < ROUNDS; i++)
    {
      ssize_t n;

      pthread_mutex_lock (&mutex);
      n = read (STDIN_FILENO, piece, 1 + (size_t)i % 3);
      for (ssize_t j = 0; j < n; j++)
        sprintf (text + strlen (text), "%c", piece[j]);
      pthread_mutex_unlock (&mutex);
    }
  return NULL;
}

static int
share_input (void)
{
  static char texts[THREADS][ROUNDS * 8];
  pthread_t threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, read_outside, texts[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    printf ("%s\n", texts[i]);
  return 0;
}

/* Questions and answers over a descriptor that it was given, with a poll before each answer. */
static int
ask_outside (void)
{
  char answer[64];

  for (int i = 0; i < ROUNDS; i++)
    {
      struct pollfd waited = {.fd = OUTSIDE, .events = POLLIN};
      int length = snprintf (answer, sizeof answer, "question %d\n", i);
      ssize_t n = send (OUTSIDE, answer, (size_t)length, MSG_NOSIGNAL);
      int ready = poll (&waited, 1, -1);

      printf ("sent %zd, poll %d %d, ", n, ready, waited.revents);
      n = recv (OUTSIDE, answer, sizeof answer - 1, 0);
      answer[n > 0 ? n : 0] = '\0';
      printf ("got %zd %s", n, answer);
    }
  shutdown (OUTSIDE, SHUT_RDWR);
  close (OUTSIDE);
  printf ("%d\n", open ("/dev/null", O_RDONLY));
  return 0;
}

/* Connects to this port of the machine, with epoll, whose data is an address. */
static int
connect_outside (int port)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons ((uint16_t)port)};
  struct sockaddr_in own;
  socklen_t length = sizeof own;
  int file = socket (AF_INET, SOCK_STREAM, 0), epoll = epoll_create1 (0);
  struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = malloc (16)}}, found;
  char text[64];
  ssize_t n;

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  printf ("connect %d\n", connect (file, (const struct sockaddr *)&address, sizeof address));
  if (getsockname (file, (struct sockaddr *)&own, &length) == 0)
    printf ("from %d\n", ntohs (own.sin_port));
  epoll_ctl (epoll, EPOLL_CTL_ADD, file, &event);
  printf ("write %zd\n", write (file, "hello\n", 6));
  while (epoll_wait (epoll, &found, 1, -1) == 1 && found.data.ptr == event.data.ptr &&
         (n = read (file, text, sizeof text)) > 0)
    printf ("%.*s", (int)n, text);
  printf ("end\n");
  close (file);
  return 0;
}

/* Waits for one client. */
static int
serve_outside (void)
{
  struct sockaddr_in address = {.sin_family = AF_INET}, peer;
  socklen_t length = sizeof address, peer_length = sizeof peer;
  int file = socket (AF_INET, SOCK_STREAM, 0), client;
  char text[64];
  ssize_t n;

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  if (bind (file, (const struct sockaddr *)&address, sizeof address) != 0 || listen (file, 1) != 0 ||
      getsockname (file, (struct sockaddr *)&address, &length) != 0)
    return 1;
  printf ("%d\n", ntohs (address.sin_port));
  fflush (stdout);
  client = accept (file, (struct sockaddr *)&peer, &peer_length);
  printf ("peer %d\n", ntohs (peer.sin_port));
  while ((n = read (client, text, sizeof text)) > 0)
    printf ("%.*s", (int)n, text);
  close (client);
  close (file);
  return 0;
}

/* --- Streams within the program, which keep their order ------------------------------------------------------- */

static int ends[2], counter;
static char shared_text[64];

static void *
write_inside (void *data)
{
  const uint64_t one = 1;

  for (int i = 0; i < ROUNDS; i++)
    {
      snprintf (shared_text, sizeof shared_text, "round %d", i);
      if (write (ends[1], "x", 1) != 1 || write (counter, &one, sizeof one) != (ssize_t)sizeof one)
        abort ();
    }
  close (ends[1]);
  return data;
}

static int
talk_inside (void)
{
  pthread_t thread;
  uint64_t sum = 0, n;
  char text;

  if (pipe (ends) != 0)
    return 1;
  counter = eventfd (0, 0);
  fcntl (ends[0], F_SETFL, O_NONBLOCK);
  pthread_create (&thread, NULL, write_inside, NULL);
  for (int done = 0; done == 0;)
    {
      struct pollfd waited[] = {{.fd = ends[0], .events = POLLIN}, {.fd = counter, .events = POLLIN}};
      int ready = poll (waited, 2, -1);

      if (waited[1].revents != 0 && read (counter, &n, sizeof n) == (ssize_t)sizeof n)
        sum += n;
      if (waited[0].revents == 0)
        continue;
      switch (read (ends[0], &text, 1))
        {
        case 1:
          printf ("%d", ready);
          break;
        case 0:
          done = 1;
          break;
        default:
          printf ("-");
        }
    }
  pthread_join (thread, NULL);
  if (sum < ROUNDS && read (counter, &n, sizeof n) == (ssize_t)sizeof n)
    sum += n;
  printf (" %lu %s\n", (unsigned long)sum, shared_text);
  return 0;
}

static int
select_outside (void)
{
  struct timeval limit = {60, 0};
  fd_set ready;
  char text[64];
  ssize_t n;

  FD_ZERO (&ready);
  FD_SET (STDIN_FILENO, &ready);
  printf ("select %d", select (1, &ready, NULL, NULL, &limit));
  printf (" %d %ld\n", FD_ISSET (STDIN_FILENO, &ready), (long)(60000000 - limit.tv_sec * 1000000 - limit.tv_usec));
  n = read (STDIN_FILENO, text, sizeof text);
  printf ("%.*s", (int)(n > 0 ? n : 0), text);
  return 0;
}

/* Asks for another input than when it was recorded. */
static int
differ (void)
{
  const char *how = getenv ("DIFFER");
  char text[16] = "";
  ssize_t n = 0;

  if (how == NULL || strcmp (how, "less") != 0)
    n = read (STDIN_FILENO, text, how != NULL && strcmp (how, "size") == 0 ? 8 : 4);
  if (how != NULL && strcmp (how, "call") == 0)
    time (NULL);
  else
    n += read (STDIN_FILENO, text, 4);
  if (how != NULL && strcmp (how, "more") == 0)
    n += read (STDIN_FILENO, text, 4);
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
  printf ("%zd %s\n", n, text);
  return 0;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";

  if (strcmp (what, "time") == 0)
    return tell_time ();
  if (strcmp (what, "random") == 0)
    return tell_random ();
  if (strcmp (what, "numbers") == 0)
    return tell_numbers ();
  if (strcmp (what, "who") == 0)
    return tell_who ();
  if (strcmp (what, "lines") == 0)
    return tell_lines ();
  if (strcmp (what, "threads") == 0)
    return share_input ();
  if (strcmp (what, "ask") == 0)
    return ask_outside ();
  if (strcmp (what, "connect") == 0)
    return connect_outside (atoi (argv[2]));
  if (strcmp (what, "serve") == 0)
    return serve_outside ();
  if (strcmp (what, "inside") == 0)
    return talk_inside ();
  if (strcmp (what, "select") == 0)
    return select_outside ();
  return differ ();
}
