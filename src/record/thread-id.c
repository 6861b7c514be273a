/* SPDX-License-Identifier: Apache-2.0 */
/* The system's id of the calling thread, without a system call. */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

enum
{
  LOOKED_THROUGH = 1024, /* bytes to search of the C library's data about a thread */
  FIRST_NUMBER = 300,    /* smaller numbers may be there for other reasons */
};

static size_t place; /* offset in the data; 0: not found */

/*
 * Finds where the C library keeps the id, which the system writes there when it makes a thread. The place differs
 * between versions; the first place with the id of this thread is taken.
 */
void
lc_thread_id_begin (void)
{
  const unsigned char *self = __builtin_thread_pointer ();
  int number = (int)syscall (SYS_gettid), there;

  place = 0;
  for (size_t at = sizeof (void *); at < LOOKED_THROUGH && number >= FIRST_NUMBER; at += sizeof there)
    {
      memcpy (&there, self + at, sizeof there);
      if (there == number)
        {
          place = at;
          return;
        }
    }
}

uint32_t
lc_thread_id (void)
{
  uint32_t number;

  if (place == 0)
    return (uint32_t)syscall (SYS_gettid);
  memcpy (&number, (const unsigned char *)__builtin_thread_pointer () + place, sizeof number);
  return number;
}

/* As the C library does when it sends a signal. */
bool
lc_thread_id_of (pthread_t thread, uint32_t *number)
{
  *number = 0;
  if (place == 0 || (uintptr_t)pthread_self () != (uintptr_t)__builtin_thread_pointer ())
    return true;
  memcpy (number, (const unsigned char *)(uintptr_t)thread + place, sizeof *number);
  return *number != 0;
}
