/* SPDX-License-Identifier: Apache-2.0 */
/* Forks by the system call, so that nobody's handlers are called; parent and child lock a mutex 3,000 times each. With
   an argument, its own program is executed with that folder as root instead. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  long child;

  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
  if (argc > 1)
    {
      if (chroot (argv[1]) != 0 || chdir ("/") != 0)
        return 3;
      execl ("/raw-fork", "raw-fork", (char *)NULL);
      return 4;
    }
  child = syscall (SYS_fork);
  for (int i = 0; i < 3000; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
  if (child == 0)
    _exit (0);
  return waitpid ((pid_t)child, NULL, 0) == child ? 0 : 1;
}
