/* SPDX-License-Identifier: Apache-2.0 */
/* The environment variables that let a program started by the program be recorded too. */
#ifndef LC_RECORD_ENVIRONMENT_H
#define LC_RECORD_ENVIRONMENT_H

#include <stddef.h>

/* Remembers the present values. Call it when the recording begins. */
void lc_environment_begin (void);

/* How many bytes lc_environment_complete needs; 0: nothing is missing, use the environment as it is. */
size_t lc_environment_needs (char *const *environment);
char *const *lc_environment_complete (char *const *environment, void *memory);

/*
 * The environment with one more library preloaded (or several, with colons), behind the recorder, and `mark`
 * ("NAME=VALUE") at its end. All that is new is in `memory`, which has as many bytes as lc_environment_with_needs says.
 */
size_t lc_environment_with_needs (char *const *environment, const char *library);
char *const *lc_environment_with (char *const *environment, const char *library, const char *mark, void *memory);

/* The program's own environment, changed in place: a variable is taken out, and its value returned (or NULL); a library
   is no longer preloaded. */
char *lc_environment_take (const char *name);
void lc_environment_without (const char *library);

/* On the stack, since this may be between a vfork and an exec, where nothing may be allocated. */
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
