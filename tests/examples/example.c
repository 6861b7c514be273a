/* SPDX-License-Identifier: Apache-2.0 */
/* What all example programs need besides their subject: a command line, threads, memory and a clock. */
#include "example.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Noreturn void
example_usage (const char *purpose, const struct example_option *options)
{
  fprintf (stderr, "usage: %s [options]\n%s\n", program_invocation_short_name, purpose);
  for (const struct example_option *option = options; option->name; option++)
    {
      const char *value = option->number ? "N" : option->choice ? option->words : option->text ? option->text_name : "";
      fprintf (stderr, "  --%s%s%s\n        %s\n", option->name, *value ? " " : "", value, option->help);
    }
  exit (2);
}

static bool
take_number (const struct example_option *option, const char *value)
{
  char *end;
  long number;

  errno = 0;
  number = strtol (value, &end, 10);
  if (errno || end == value || *end || number < option->least || number > option->most)
    {
      fprintf (stderr, "%s: --%s takes a number from %ld to %ld\n", program_invocation_short_name, option->name,
               option->least, option->most);
      return false;
    }
  *option->number = number;
  return true;
}

static bool
take_word (const struct example_option *option, const char *value)
{
  const char *word = option->words;

  for (int place = 0;; place++)
    {
      size_t length = strcspn (word, "|");

      if (strlen (value) == length && strncmp (word, value, length) == 0)
        {
          *option->choice = place;
          return true;
        }
      if (!word[length])
        break;
      word += length + 1;
    }
  fprintf (stderr, "%s: --%s takes one of %s\n", program_invocation_short_name, option->name, option->words);
  return false;
}

static bool
take_option (const struct example_option *option, const char *value)
{
  if (option->flag)
    {
      *option->flag = true;
      return true;
    }
  if (!value)
    {
      fprintf (stderr, "%s: --%s needs a value\n", program_invocation_short_name, option->name);
      return false;
    }
  if (option->number)
    return take_number (option, value);
  if (option->choice)
    return take_word (option, value);
  *option->text = value;
  return true;
}

void
example_options (int argc, char **argv, const char *purpose, const struct example_option *options)
{
  for (int i = 1; i < argc; i++)
    {
      const struct example_option *option = options;

      while (option->name && (strncmp (argv[i], "--", 2) != 0 || strcmp (argv[i] + 2, option->name) != 0))
        option++;
      if (!option->name && strcmp (argv[i], "--help") != 0)
        fprintf (stderr, "%s: what is %s?\n", program_invocation_short_name, argv[i]);
      if (!option->name || !take_option (option, i + 1 < argc ? argv[i + 1] : NULL))
        example_usage (purpose, options);
      if (!option->flag)
        i++;
    }
}

void
example_start (pthread_t *thread, void *(*function) (void *), void *argument)
{
  int error = pthread_create (thread, NULL, function, argument);

  if (error)
    example_fail ("cannot create a thread: %s", strerror (error));
}

void
example_pin (long process)
{
  cpu_set_t all, one;
  long wanted, cpu = 0;

  if (pthread_getaffinity_np (pthread_self (), sizeof all, &all) != 0)
    example_fail ("cannot find out which processors there are");
  wanted = process % CPU_COUNT (&all);
  while (!CPU_ISSET (cpu, &all) || wanted-- > 0)
    cpu++;
  CPU_ZERO (&one);
  CPU_SET (cpu, &one);
  if (pthread_setaffinity_np (pthread_self (), sizeof one, &one) != 0)
    example_fail ("cannot stay on processor %ld", cpu);
}

void *
example_allocate (size_t count, size_t bytes)
{
  void *memory = calloc (count, bytes);

  if (!memory)
    example_fail ("out of memory");
  return memory;
}

_Noreturn void
example_fail (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  fprintf (stderr, "%s: ", program_invocation_short_name);
  vfprintf (stderr, format, arguments);
  fputc ('\n', stderr);
  va_end (arguments);
  exit (1);
}

uint64_t
example_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void
example_print_time (uint64_t begin, uint64_t end)
{
  printf ("time_ns %" PRIu64 "\n", end - begin);
}
