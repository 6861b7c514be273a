/* SPDX-License-Identifier: Apache-2.0 */
/* The environment variables through which programs started by the program are recorded too. */
#ifndef LC_RECORD_ENVIRONMENT_H
#define LC_RECORD_ENVIRONMENT_H

#include <stddef.h>

/* Remembers the current values, when the recording begins. */
void lc_environment_begin (void);

/* Returns the bytes that lc_environment_complete needs; 0: the environment is complete and can be used as it is. */
size_t lc_environment_needs (char *const *environment);
char *const *lc_environment_complete (char *const *environment, void *memory);

/*
 * Copies the environment with one or more libraries (separated by colons) preloaded after the recorder, and `mark`
 * ("NAME=VALUE") at its end. New parts are in `memory`, of the size that lc_environment_with_needs returns.
 */
size_t lc_environment_with_needs (char *const *environment, const char *library);
char *const *lc_environment_with (char *const *environment, const char *library, const char *mark, void *memory);

/* Change the program's own environment in place: lc_environment_take removes a variable and returns its value (or
 * NULL), lc_environment_without removes a library from LD_PRELOAD. */
char *lc_environment_take (const char *name);
void lc_environment_without (const char *library);

/* Completes an environment on the stack, because nothing may be allocated between a vfork and an exec. */
#define LC_WITH_ENVIRONMENT(environment) \
  do \
    { \
      size_t lc_needs = lc_environment_needs (environment); \
\
      if (lc_needs > 0) \
        (environment) = lc_environment_complete (environment, __builtin_alloca (lc_needs)); \
    } \
  while (0)

#endif
