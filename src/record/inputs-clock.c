/* SPDX-License-Identifier: Apache-2.0 */
/* The time and random numbers. */
#undef _TIME_BITS
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "inputs.h"

/* --- The time -------------------------------------------------------------------------------------------------- */

LC_INPUTS_EXPORT int
clock_gettime (clockid_t clock, struct timespec *now)
{
  struct lc_inputs_call call = {.mode = LC_INPUTS_NONE};
  int result;

  if (!lc_inputs_is_recorder (LC_INPUTS_CALLER ()))
    call = lc_inputs_begin (LC_INPUT_CLOCK, (int)clock, (uint64_t)(uint32_t)clock);
  if (call.mode == LC_INPUTS_GIVE)
    {
      lc_inputs_copy (&call, 0, now, sizeof *now);
      return (int)lc_inputs_result (&call);
    }
  result = LC_INPUTS_REAL (clock_gettime) (clock, now);
  if (call.mode == LC_INPUTS_KEEP)
    lc_inputs_keep_bytes (&call, LC_INPUT_GIVEN, result, now, result == 0 ? sizeof *now : 0);
  return result;
}

LC_INPUTS_EXPORT time_t
time (time_t *now)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_TIME, -1, 0);
  time_t result;

  if (call.mode == LC_INPUTS_GIVE)
    {
      result = (time_t)lc_inputs_result (&call);
      if (now != NULL)
        *now = result;
      return result;
    }
  result = LC_INPUTS_REAL (time) (now);
  if (call.mode == LC_INPUTS_KEEP)
    lc_inputs_keep (&call, LC_INPUT_GIVEN, result, NULL, 0);
  return result;
}

LC_INPUTS_EXPORT int
gettimeofday (struct timeval *restrict now, void *restrict zone)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_DAY, -1, 0);
  int result;

  if (call.mode == LC_INPUTS_GIVE)
    {
      lc_inputs_copy (&call, 0, now, sizeof *now);
      return (int)lc_inputs_result (&call);
    }
  result = LC_INPUTS_REAL (gettimeofday) (now, zone);
  if (call.mode == LC_INPUTS_KEEP)
    lc_inputs_keep_bytes (&call, LC_INPUT_GIVEN, result, now, result == 0 ? sizeof *now : 0);
  return result;
}

/* The C library's own do not call the functions above. */

LC_INPUTS_EXPORT int
timespec_get (struct timespec *now, int base)
{
  if (base != TIME_UTC)
    return LC_INPUTS_REAL (timespec_get) (now, base);
  return clock_gettime (CLOCK_REALTIME, now) == 0 ? base : 0;
}

LC_INPUTS_EXPORT clock_t
clock (void)
{
  struct timespec now;

  if (clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now) != 0)
    return -1;
  /* What is given back may be any number. */
  return (clock_t)((uint64_t)now.tv_sec * CLOCKS_PER_SEC + (uint64_t)now.tv_nsec / (1000000000 / CLOCKS_PER_SEC));
}

/* --- Random numbers -------------------------------------------------------------------------------------------- */

LC_INPUTS_EXPORT ssize_t
getrandom (void *buffer, size_t size, unsigned int flags)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_RANDOM, -1, size);
  ssize_t result;

  if (call.mode == LC_INPUTS_GIVE)
    {
      lc_inputs_copy (&call, 0, buffer, size);
      return (ssize_t)lc_inputs_result_up_to (&call, size);
    }
  result = LC_INPUTS_REAL (getrandom) (buffer, size, flags);
  if (call.mode == LC_INPUTS_KEEP)
    lc_inputs_keep_bytes (&call, LC_INPUT_GIVEN, result, buffer, result > 0 ? (size_t)result : 0);
  return result;
}

LC_INPUTS_EXPORT int
getentropy (void *buffer, size_t size)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_ENTROPY, -1, size);
  int result;

  if (call.mode == LC_INPUTS_GIVE)
    {
      lc_inputs_copy (&call, 0, buffer, size);
      return (int)lc_inputs_result (&call);
    }
  result = LC_INPUTS_REAL (getentropy) (buffer, size);
  if (call.mode == LC_INPUTS_KEEP)
    lc_inputs_keep_bytes (&call, LC_INPUT_GIVEN, result, buffer, result == 0 ? size : 0);
  return result;
}

#if __GLIBC_PREREQ(2, 36)
LC_INPUTS_EXPORT void
arc4random_buf (void *buffer, size_t size)
{
  struct lc_inputs_call call = lc_inputs_begin (LC_INPUT_ARC, -1, size);

  if (call.mode == LC_INPUTS_GIVE)
    {
      lc_inputs_copy (&call, 0, buffer, size);
      lc_inputs_result (&call);
      return;
    }
  LC_INPUTS_REAL (arc4random_buf) (buffer, size);
  if (call.mode == LC_INPUTS_KEEP)
    lc_inputs_keep_bytes (&call, LC_INPUT_GIVEN, 0, buffer, size);
}

LC_INPUTS_EXPORT uint32_t
arc4random (void)
{
  uint32_t number;

  arc4random_buf (&number, sizeof number);
  return number;
}

/* Numbers below 2^32 % bound would make the low results more likely. */
LC_INPUTS_EXPORT uint32_t
arc4random_uniform (uint32_t bound)
{
  uint32_t number;

  if (bound < 2)
    return 0;
  do
    number = arc4random ();
  while (number < -bound % bound);
  return number % bound;
}
#endif
