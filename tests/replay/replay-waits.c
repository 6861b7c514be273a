/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that may wait for what has no turns before it locks: for a word that nobody changes, or for its input. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned word;

static void *
wait_and_lock (void *data)
{
  const char *what = getenv ("DIFFER");
  char byte;

  if (what != NULL && strcmp (what, "word") == 0)
    syscall (SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  if (what != NULL && strcmp (what, "input") == 0 && read (STDIN_FILENO, &byte, 1) < 0)
    return data;
  pthread_mutex_lock (&mutex);
  pthread_mutex_unlock (&mutex);
  return NULL;
}

int
main (void)
{
  pthread_t thread;

  pthread_create (&thread, NULL, wait_and_lock, NULL);
  pthread_join (thread, NULL);
  return 0;
}
