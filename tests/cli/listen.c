/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the number of each signal that it gets, with the value sent along, until a SIGTERM ends it with status 5. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main (int argc, char **argv)
{
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  siginfo_t signal;
  sigset_t all;

  sigfillset (&all);
  if (argc > 1 && strcmp (argv[1], "--stop") == 0)
    sigdelset (&all, SIGTSTP);
  sigprocmask (SIG_BLOCK, &all, NULL);
  puts ("ready");
  fflush (stdout);
  do
    {
      if (sigwaitinfo (&all, &signal) < 0)
        continue;
      pthread_mutex_lock (&mutex);
      printf ("%d %d\n", signal.si_signo, signal.si_code == SI_QUEUE ? signal.si_value.sival_int : 0);
      pthread_mutex_unlock (&mutex);
      fflush (stdout);
    }
  while (signal.si_signo != SIGTERM);
  return 5;
}
