/* SPDX-License-Identifier: Apache-2.0 */
/* Locks and unlocks a mutex a hundred thousand times. */
#include <pthread.h>

int
main (void)
{
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

  for (int i = 0; i < 100000; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
    }
}
