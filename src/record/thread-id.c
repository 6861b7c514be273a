/* SPDX-License-Identifier: Apache-2.0 */
/* The number of the calling thread, without asking the system. */
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

enum
{
  LOOKED_THROUGH = 1024, /* bytes of what the C library keeps of each thread */
  FIRST_NUMBER = 300,    /* smaller ones may be there for other reasons */
};

static size_t place; /* in that; 0: not found */

/*
 * The system writes it there for the C library when it makes a thread. Where that is differs between versions; it is
 * the first place that holds the number of the thread that looks.
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
