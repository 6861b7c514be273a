/* SPDX-License-Identifier: Apache-2.0 */
/* Forks, and programs that replace this one or are started beside it: each address space records on its own. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "real.h"
#include "recorder.h"

/* The registered fork handlers do the work, but do not learn of a failure. */
LC_EXPORT pid_t
fork (void)
{
  pid_t child;

  lc_enter (LC_CLASS_THREAD);
  child = LC_REAL (fork) ();
  if (child < 0)
    lc_fork_failed ();
  return child;
}

/* The variant of fork that calls no handlers. */
LC_EXPORT pid_t
_Fork (void)
{
  pid_t child;

  lc_fork_prepare ();
  child = LC_REAL (_Fork) ();
  if (child == 0)
    lc_fork_child ();
  else
    lc_fork_parent ();
  if (child < 0)
    lc_fork_failed ();
  return child;
}

LC_EXPORT int
execve (const char *path, char *const *arguments, char *const *environment)
{
  uint32_t strangers = lc_strangers_count ();
  int result;

  LC_WITH_ENVIRONMENT (environment);
  result = LC_REAL (execve) (path, arguments, environment);
  lc_strangers_take_back (strangers);
  return result;
}

LC_EXPORT int
execvpe (const char *file, char *const *arguments, char *const *environment)
{
  uint32_t strangers = lc_strangers_count ();
  int result;

  LC_WITH_ENVIRONMENT (environment);
  result = LC_REAL (execvpe) (file, arguments, environment);
  lc_strangers_take_back (strangers);
  return result;
}

LC_EXPORT int
fexecve (int file, char *const *arguments, char *const *environment)
{
  uint32_t strangers = lc_strangers_count ();
  int result;

  LC_WITH_ENVIRONMENT (environment);
  result = LC_REAL (fexecve) (file, arguments, environment);
  lc_strangers_take_back (strangers);
  return result;
}

LC_EXPORT int
execveat (int folder, const char *path, char *const *arguments, char *const *environment, int flags)
{
  uint32_t strangers = lc_strangers_count ();
  int result;

  LC_WITH_ENVIRONMENT (environment);
  result = LC_REAL (execveat) (folder, path, arguments, environment, flags);
  lc_strangers_take_back (strangers);
  return result;
}

/* The following functions pass the program's environment on within the C library, where it could not be completed. */
LC_EXPORT int
execv (const char *path, char *const *arguments)
{
  return execve (path, arguments, environ);
}

LC_EXPORT int
execvp (const char *file, char *const *arguments)
{
  return execvpe (file, arguments, environ);
}

static size_t
count_arguments (va_list rest)
{
  size_t count = 1;

  while (va_arg (rest, char *) != NULL)
    count++;
  return count;
}

/* Copies the arguments up to and including the NULL. */
static void
collect_arguments (char **arguments, const char *first, va_list *rest)
{
  *arguments = (char *)(uintptr_t)first;
  while (*arguments++ != NULL)
    *arguments = va_arg (*rest, char *);
}

/* Collects the arguments on the caller's stack, like the environment. */
#define COLLECT_ARGUMENTS(arguments, first, rest) \
  do \
    { \
      va_start (rest, first); \
      (arguments) = __builtin_alloca ((count_arguments (rest) + 1) * sizeof *(arguments)); \
      va_end (rest); \
      va_start (rest, first); \
      collect_arguments (arguments, first, &(rest)); \
    } \
  while (0)

LC_EXPORT int
execl (const char *path, const char *first, ...)
{
  char **arguments;
  va_list rest;

  COLLECT_ARGUMENTS (arguments, first, rest);
  va_end (rest);
  return execve (path, arguments, environ);
}

LC_EXPORT int
execlp (const char *file, const char *first, ...)
{
  char **arguments;
  va_list rest;

  COLLECT_ARGUMENTS (arguments, first, rest);
  va_end (rest);
  return execvpe (file, arguments, environ);
}

LC_EXPORT int
execle (const char *path, const char *first, ...)
{
  char **arguments, *const *environment;
  va_list rest;

  COLLECT_ARGUMENTS (arguments, first, rest);
  environment = va_arg (rest, char *const *);
  va_end (rest);
  return execve (path, arguments, environment);
}

LC_EXPORT int
posix_spawn (pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
             const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
  uint32_t strangers = lc_strangers_count ();
  int result;

  LC_WITH_ENVIRONMENT (environment);
  result = LC_REAL (posix_spawn) (child, path, actions, attributes, arguments, environment);
  if (result != 0)
    lc_strangers_take_back (strangers);
  return result;
}

LC_EXPORT int
posix_spawnp (pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
              const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
  uint32_t strangers = lc_strangers_count ();
  int result;

  LC_WITH_ENVIRONMENT (environment);
  result = LC_REAL (posix_spawnp) (child, file, actions, attributes, arguments, environment);
  if (result != 0)
    lc_strangers_take_back (strangers);
  return result;
}
