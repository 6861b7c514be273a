/* SPDX-License-Identifier: Apache-2.0 */
/* What all example programs need besides their subject: a command line, threads, memory and a clock. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An option takes what its one pointer says: nothing (flag), a number, one of some words, or any text. */
struct example_option
{
  const char *name;
  const char *help;
  bool *flag;
  long *number;
  long least, most;
  int *choice;       /* becomes the place of the word in `words` */
  const char *words; /* "one|two|three" */
  const char **text;
  const char *text_name;
};

/* Ends the program with status 2 and the usage text when asked for help or when the command line is wrong. */
void example_options (int argc, char **argv, const char *purpose, const struct example_option *options);
_Noreturn void example_usage (const char *purpose, const struct example_option *options);

/* Both end the program with status 1 when there is nothing to be had. */
void example_start (pthread_t *thread, void *(*function) (void *), void *argument);

/* The calling thread stays on one processor of those that the program may use: 0 on the first, and so on around. */
void example_pin (long process);

void *example_allocate (size_t count, size_t bytes);

/* Ends the program with status 1: its result is wrong, or it cannot go on. */
_Noreturn void example_fail (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

uint64_t example_now (void);
void example_print_time (uint64_t begin, uint64_t end);

#endif
