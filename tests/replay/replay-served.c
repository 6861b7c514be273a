/* SPDX-License-Identifier: Apache-2.0 */
/* Programs as servers are: what they print depends on signals, numbers of descriptors, threads, the environment. */
#include <dlfcn.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
  ROUNDS = 200,
  CONNECTIONS = 6,
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static volatile sig_atomic_t n_came, last_came;
static volatile time_t came_at;

static void
note_signal (int number)
{
  last_came = number;
  n_came++;
  came_at = time (NULL);
}

static void
note_otherwise (int number)
{
  last_came = -number;
}

/* A child that has this memory sets actions of its own, and the C library gives and takes handlers that nobody sees:
 * the program's stay what they are. */
static int
disturb_handlers (void)
{
  void *library = dlopen ("libc.so.6", RTLD_LAZY), *found = library != NULL ? dlsym (library, "sigaction") : NULL;
  __typeof__ (&sigaction) hidden;
  struct sigaction action;
  int status = -1;
  pid_t child = vfork ();

  if (child == 0)
    {
      signal (SIGTERM, SIG_DFL);
      signal (SIGUSR1, note_otherwise);
      _exit (0);
    }
  memcpy (&hidden, &found, sizeof hidden);
  return child > 0 && waitpid (child, &status, 0) == child && status == 0 && found != NULL &&
         hidden (SIGUSR1, NULL, &action) == 0 && sigaction (SIGUSR1, &action, NULL) == 0;
}

/* Waits for a signal twice: in a call that is an input, and in one that is for nothing else. */
static int
tell_signals (void)
{
  struct sigaction action = {.sa_handler = note_signal}, before;
  sigset_t blocked, open;
  int rounds = 0;

  sigemptyset (&blocked);
  sigaddset (&blocked, SIGTERM);
  sigaddset (&blocked, SIGUSR1);
  pthread_sigmask (SIG_BLOCK, &blocked, &open);
  sigaction (SIGTERM, &action, NULL);
  signal (SIGUSR1, note_signal);
  sigaction (SIGTERM, NULL, &before);
  printf ("ready %d\n", disturb_handlers () && before.sa_handler == note_signal &&
                            (before.sa_flags & SA_SIGINFO) == 0 && signal (SIGUSR1, note_signal) == note_signal);
  fflush (stdout);
  while (last_came != SIGUSR1)
    rounds += ppoll (NULL, 0, NULL, &open) != 0;
  printf ("%d rounds, signal %d at %ld\n", rounds, (int)last_came, (long)came_at);
  fflush (stdout);
  while (last_came != SIGTERM)
    sigsuspend (&open);
  printf ("signal %d, the %d-th\n", (int)last_came, (int)n_came);
  return 0;
}

/* A signal comes after all that the program asks for. */
static int
tell_last (void)
{
  const struct timespec nap = {0, 10000000};

  signal (SIGTERM, note_otherwise);
  printf ("ready %d\n", time (NULL) > 0);
  fflush (stdout);
  while (access ("go", F_OK) != 0)
    nanosleep (&nap, NULL);
  return 0;
}

/* Closes late what it is given: the peer sees that, and comes again. */
static void *
close_late (void *data)
{
  const struct timespec nap = {0, 100000000};

  nanosleep (&nap, NULL);
  close ((int)(intptr_t)data);
  return NULL;
}

static int
tell_numbers (void)
{
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK)};
  int file = socket (AF_INET, SOCK_STREAM, 0);
  socklen_t length = sizeof address;
  pthread_t threads[CONNECTIONS];

  if (bind (file, (struct sockaddr *)&address, sizeof address) != 0 || listen (file, 8) != 0 ||
      getsockname (file, (struct sockaddr *)&address, &length) != 0)
    return 1;
  printf ("%d\n", ntohs (address.sin_port));
  fflush (stdout);
  for (int i = 0; i < CONNECTIONS; i++)
    {
      int client = accept (file, NULL, NULL);

      printf ("connection %d\n", client);
      pthread_create (&threads[i], NULL, close_late, (void *)(intptr_t)client);
    }
  for (int i = 0; i < CONNECTIONS; i++)
    pthread_join (threads[i], NULL);
  return 0;
}

static char order[2 * ROUNDS + 1], first[] = "a", second[] = "b";
static int n_order;

static void *
take_turns (void *data)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      pthread_mutex_lock (&mutex);
      order[n_order++] = *(const char *)data;
      pthread_mutex_unlock (&mutex);
    }
  return NULL;
}

/* Makes a thread by a function that nobody stands before. */
static int
tell_hidden (void)
{
  void *library = dlopen ("libc.so.6", RTLD_LAZY), *found = library != NULL ? dlsym (library, "pthread_create") : NULL;
  __typeof__ (&pthread_create) make;
  pthread_t thread;

  memcpy (&make, &found, sizeof make);
  if (found == NULL || make (&thread, NULL, take_turns, first) != 0)
    return 1;
  take_turns (second);
  pthread_join (thread, NULL);
  printf ("%s\n", order);
  return 0;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";

  if (strcmp (what, "signals") == 0)
    return tell_signals ();
  if (strcmp (what, "last") == 0)
    return tell_last ();
  if (strcmp (what, "numbers") == 0)
    return tell_numbers ();
  if (strcmp (what, "hidden") == 0)
    return tell_hidden ();
  for (char **variable = environ; strcmp (what, "environment") == 0 && *variable != NULL; variable++)
    printf ("%zu ", strlen (*variable));
  return 0;
}
