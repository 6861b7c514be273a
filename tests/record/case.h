/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs share that the recorder is tried on: a program has cases, and a case prints what it finds. */
#ifndef TESTS_RECORD_CASE_H
#define TESTS_RECORD_CASE_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* What a case prints must be the same in every run, recorded or not. */
struct test_case
{
  const char *name;
  void (*run) (void);
};

/* Defined by each program; the last one has no name. main is `PROGRAM CASE`. */
extern const struct test_case cases[];

/* The arguments after the case's name. */
extern char **case_arguments;

/* Prints an expression and what it returned: an error number by name. Says so if errno was changed. */
#define SHOW(call) case_show (#call, (errno = CASE_ERRNO, (call)))

/* The same for those that return -1 and set errno. */
#define SHOW_ERRNO(call) case_show_errno (#call, (errno = CASE_ERRNO, (call)))

/* Ends the program with a message unless it is true. For what no output should have to tell. */
#define CHECK(condition) case_check ((condition), #condition, __FILE__, __LINE__)

enum
{
  CASE_ERRNO = 9999
};

void case_show (const char *what, int result);
void case_show_errno (const char *what, int result);
void case_check (bool condition, const char *what, const char *file, int line);

/* The time in so many milliseconds. */
struct timespec case_after (clockid_t clock, int milliseconds);

/* Has this time come? */
bool case_is_past (clockid_t clock, struct timespec time);

/* What is done between threads here is no event: atomic words and naps. */
void case_set (uint32_t *flag, uint32_t value);
void case_await (const uint32_t *flag, uint32_t value);
void case_nap (int milliseconds);

/* Runs `routine` in a thread of its own; returns once it has ended, or sleeps in the kernel. */
pthread_t case_start (void *(*routine) (void *), void *argument);
void case_await_asleep (int thread_id);

#endif
