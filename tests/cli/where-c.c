/* SPDX-License-Identifier: Apache-2.0 */
/* Locks at known places, in surroundings in which the caller is hard to find; prints where: "FUNCTION LINE TIMES". */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define NOINLINE __attribute__ ((noinline))

/* Locks and unlocks on one line, so that both events are at it. */
#define PAIR(mutex) (line = __LINE__, pthread_mutex_lock (mutex), pthread_mutex_unlock (mutex))

static volatile int line;

static pthread_mutex_t single = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t several[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static struct
{
  int first;
  struct
  {
    pthread_mutex_t lock;
  } inner[2];
} outer = {0, {{PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER}}};

static void
told (const char *function, int number, int times)
{
  printf ("%s %d %d\n", function, number, times);
}

/* --- Objects -------------------------------------------------------------------------------------------------------
 */

static void NOINLINE
of_variables (void)
{
  static pthread_mutex_t local = PTHREAD_MUTEX_INITIALIZER;

  PAIR (&single), PAIR (&several[1]), PAIR (&several[2]), PAIR (&outer.inner[1].lock), PAIR (&local);
  told (__func__, line, 5);
}

static void NOINLINE
heap (void)
{
  for (int i = 0; i < 2; i++)
    {
      pthread_mutex_t *made = malloc (sizeof *made);

      pthread_mutex_init (made, NULL);
      PAIR (made);
      pthread_mutex_destroy (made);
      free (made);
    }
  told (__func__, line, 2);
}

/* --- Stacks ----------------------------------------------------------------------------------------------------------
 */

static volatile int depth_reached;

static void NOINLINE
descend (int depth)
{
  if (depth > 0)
    descend (depth - 1);
  else
    PAIR (&single);
  depth_reached++;
}

static void NOINLINE
deep (void)
{
  descend (1000);
  told ("descend", line, 1);
}

/* Only a frame that is aligned anew for this one has no fixed distance to its caller's. */
static void NOINLINE
aligned (int n)
{
  volatile char *at = __builtin_alloca_with_align ((size_t)n, 512);

  at[0] = 1;
  PAIR (&single);
  told (__func__, line, 1);
}

static void
handle (int number)
{
  PAIR (&single);
}

/* A handler on a stack of its own, which is very small; and one on that of the thread. */
static void NOINLINE
handlers (void)
{
  static char room[16384];
  stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};

  sigaltstack (&stack, NULL);
  sigaction (SIGUSR1, &action, NULL);
  raise (SIGUSR1);
  action.sa_flags = 0;
  sigaction (SIGUSR1, &action, NULL);
  raise (SIGUSR1);
  told ("handle", line, 2);
}

static sigjmp_buf back;

static void
overflown (int number)
{
  PAIR (&single);
  siglongjmp (back, 1);
}

static int NOINLINE
without_end (int n)
{
  volatile char room[4096];

  room[n % 4096] = (char)n;
  return without_end (n + 1) + room[0];
}

/* The stack is full: what is found of it must not need more. */
static void NOINLINE
overflow (void)
{
  static char room[65536];
  stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  struct sigaction action = {.sa_handler = overflown, .sa_flags = SA_ONSTACK};

  sigaltstack (&stack, NULL);
  sigaction (SIGSEGV, &action, NULL);
  if (sigsetjmp (back, 1) == 0)
    without_end (0);
  signal (SIGSEGV, SIG_DFL);
  told ("overflown", line, 1);
}

static ucontext_t main_context, other_context;

static void
on_another_stack (void)
{
  PAIR (&single);
  told (__func__, line, 1);
}

static void NOINLINE
coroutine (void)
{
  void *room = mmap (NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  getcontext (&other_context);
  other_context.uc_stack = (stack_t){.ss_sp = room, .ss_size = 65536};
  other_context.uc_link = &main_context;
  makecontext (&other_context, on_another_stack, 0);
  swapcontext (&main_context, &other_context);
  munmap (room, 65536);
}

/* --- Code
 * -------------------------------------------------------------------------------------------------------------- */

/* Code that no file has: it calls its argument's function with the argument, and the frame pointer is rubbish. */
static void NOINLINE
generated (void)
{
#if defined(__x86_64__)
  static const unsigned char bytes[] = {0x55,                            /* push %rbp */
                                        0x48, 0xC7, 0xC5, 0x08, 0, 0, 0, /* mov $8,%rbp */
                                        0xFF, 0xD6,                      /* call *%rsi */
                                        0x5D,                            /* pop %rbp */
                                        0xC3};
  unsigned char *code = mmap (NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int (*run) (void *, int (*) (pthread_mutex_t *));

  memcpy (code, bytes, sizeof bytes);
  memcpy (&run, &code, sizeof run);
  run (&single, pthread_mutex_lock);
  run (&single, pthread_mutex_unlock);
  munmap (code, 4096);
#endif
}

/* Libraries that come to the same addresses, one after the other. */
static void NOINLINE
libraries (const char *first, const char *second, int times)
{
  for (int i = 0; i < times; i++)
    {
      void *library = dlopen (i % 2 == 0 ? first : second, RTLD_NOW | RTLD_LOCAL);
      void (*lock) (pthread_mutex_t *) = library != NULL ? dlsym (library, "lock_there") : NULL;

      if (lock == NULL)
        exit (3);
      lock (&single);
      dlclose (library);
    }
  told ("lock_first", 14, (times + 1) / 2);
  told ("lock_second", 14, times / 2);
}

static void NOINLINE
children (void)
{
  const int line_of_child = __LINE__ + 5;
  pid_t child = fork ();

  if (child == 0)
    {
      PAIR (&single);
      _exit (0);
    }
  waitpid (child, NULL, 0);
  told (__func__, line_of_child, 1);
  child = vfork ();
  if (child == 0)
    execl ("/bin/true", "true", (char *)NULL);
  waitpid (child, NULL, 0);
}

/* --- Threads
 * ----------------------------------------------------------------------------------------------------------- */

static int keeping;

static void *
keep (void *data)
{
  pthread_barrier_t *barrier = data;

  keeping = __LINE__ + 1;
  pthread_mutex_lock (&several[0]);
  pthread_barrier_wait (barrier);
  usleep (20000);
  pthread_mutex_unlock (&several[0]);
  return NULL;
}

static void NOINLINE
contended (void)
{
  pthread_barrier_t barrier;
  pthread_attr_t attributes;
  pthread_t thread;

  pthread_barrier_init (&barrier, NULL, 2);
  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, 65536);
  pthread_create (&thread, &attributes, keep, &barrier);
  pthread_barrier_wait (&barrier);
  PAIR (&several[0]);
  told (__func__, line, 1);
  pthread_join (thread, NULL);
  told ("keep", keeping, 1);
}

int
main (int argc, char **argv)
{
  const struct rlimit small = {1 << 20, 1 << 20};

  setrlimit (RLIMIT_STACK, &small);
  of_variables ();
  heap ();
  deep ();
  aligned (argc);
  handlers ();
  overflow ();
  coroutine ();
  generated ();
  if (argc > 3)
    libraries (argv[1], argv[2], atoi (argv[3]));
  children ();
  contended ();
  return 0;
}
