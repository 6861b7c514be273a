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
