/* SPDX-License-Identifier: Apache-2.0 */
/* Restores the recorder's variables in an environment that the program has made for another program. */
#include "environment.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

#define PRELOAD "LD_PRELOAD="
#define TRACE LC_CONTROL_ENVIRONMENT "="
#define LIBRARY LC_CONTROL_PRELOAD "="

/* "NAME=VALUE"; empty: nothing is recorded */
static char trace[sizeof TRACE + PATH_MAX], library[sizeof LIBRARY + PATH_MAX];

static void
environment_remember (char *to, size_t room, const char *name)
{
  const char *value = getenv (name);
  size_t name_length = strlen (name), length = value != NULL ? strlen (value) : room;

  if (name_length + 1 + length + 1 > room)
    return;
  memcpy (to, name, name_length);
  to[name_length] = '=';
  memcpy (to + name_length + 1, value, length + 1);
}

void
lc_environment_begin (void)
{
  environment_remember (trace, sizeof trace, LC_CONTROL_ENVIRONMENT);
  environment_remember (library, sizeof library, LC_CONTROL_PRELOAD);
  if (trace[0] == '\0' || library[0] == '\0')
    trace[0] = library[0] = '\0';
}

static size_t
environment_find (char *const *environment, const char *prefix, size_t length)
{
  size_t i = 0;

  while (environment[i] != NULL && strncmp (environment[i], prefix, length) != 0)
    i++;
  return i;
}

static size_t
environment_count (char *const *environment)
{
  size_t i = 0;

  while (environment[i] != NULL)
    i++;
  return i;
}

/* Tells whether a variable "LD_PRELOAD=..." names the recorder's library. */
static bool
is_preloaded (const char *variable)
{
  return variable != NULL && strstr (variable, library + sizeof LIBRARY - 1) != NULL;
}

/* Tells whether the library can be found: after a change of the root directory, the linker would only print an
 * error. */
static bool
is_reachable (void)
{
  return lc_is_sandboxed () || syscall (SYS_faccessat, AT_FDCWD, library + sizeof LIBRARY - 1, R_OK) == 0;
}

/* The environment after clearenv. */
static char *const nothing[] = {NULL};

size_t
lc_environment_needs (char *const *environment)
{
  const char *preload;

  if (trace[0] == '\0')
    return 0;
  if (environment == NULL)
    environment = nothing;
  preload = environment[environment_find (environment, PRELOAD, sizeof PRELOAD - 1)];
  if (!is_reachable ())
    return is_preloaded (preload) ? (environment_count (environment) + 1) * sizeof (char *) + strlen (preload) + 1 : 0;
  if (is_preloaded (preload) && environment[environment_find (environment, TRACE, sizeof TRACE - 1)] != NULL &&
      environment[environment_find (environment, LIBRARY, sizeof LIBRARY - 1)] != NULL)
    return 0;
  return (environment_count (environment) + 4) * sizeof (char *) + sizeof PRELOAD + strlen (library) +
         (preload != NULL ? strlen (preload) : 0) + 2;
}

/* Finds one or several adjacent libraries as whole names in "LD_PRELOAD=..."; NULL: not there. */
static char *
find_preloaded (char *variable, const char *name)
{
  size_t length = strlen (name);
  char *at = variable + sizeof PRELOAD - 1;

  while (*at != '\0')
    {
      if (strncmp (at, name, length) == 0 && strchr (": ", at[length]) != NULL)
        return at;
      at += strcspn (at, ": ");
      at += *at != '\0';
    }
  return NULL;
}

/* Copies the environment without the recorder's library. */
static char *const *
without_library (char *const *given, void *memory)
{
  size_t length = environment_count (given), at = environment_find (given, PRELOAD, sizeof PRELOAD - 1);
  char **copy = memory, *preload = (char *)(copy + length + 1), *there;
  size_t own = strlen (library + sizeof LIBRARY - 1);

  memcpy (copy, given, (length + 1) * sizeof *copy);
  strcpy (preload, given[at]);
  there = find_preloaded (preload, library + sizeof LIBRARY - 1);
  if (there == NULL)
    return copy;
  if (there[own] != '\0')
    own++;
  else if (there[-1] == ':')
    {
      there--;
      own++;
    }
  memmove (there, there + own, strlen (there + own) + 1);
  copy[at] = preload;
  if (preload[sizeof PRELOAD - 1] == '\0')
    memmove (&copy[at], &copy[at + 1], (length - at) * sizeof *copy);
  return copy;
}

char *const *
lc_environment_complete (char *const *environment, void *memory)
{
  char *const *given = environment != NULL ? environment : nothing;
  size_t length = environment_count (given), at, library_length = strlen (library + sizeof LIBRARY - 1);
  char **complete = memory, *preload = (char *)(complete + length + 4);

  if (!is_reachable ())
    return without_library (given, memory);
  memcpy (complete, given, (length + 1) * sizeof *complete);
  at = environment_find (complete, PRELOAD, sizeof PRELOAD - 1);
  if (!is_preloaded (complete[at]))
    {
      const char *others = complete[at] != NULL ? complete[at] + sizeof PRELOAD - 1 : "";

      memcpy (preload, PRELOAD, sizeof PRELOAD - 1);
      memcpy (preload + sizeof PRELOAD - 1, library + sizeof LIBRARY - 1, library_length + 1);
      if (others[0] != '\0')
        {
          preload[sizeof PRELOAD - 1 + library_length] = ':';
          strcpy (preload + sizeof PRELOAD + library_length, others);
        }
      if (at == length)
        complete[++length] = NULL;
      complete[at] = preload;
    }
  at = environment_find (complete, TRACE, sizeof TRACE - 1);
  if (at == length)
    complete[++length] = NULL;
  complete[at] = trace;
  at = environment_find (complete, LIBRARY, sizeof LIBRARY - 1);
  if (at == length)
    complete[++length] = NULL;
  complete[at] = library;
  return complete;
}

/* --- Preloading another library ---------------------------------------------------------------------------- */

size_t
lc_environment_with_needs (char *const *environment, const char *name)
{
  size_t needs = lc_environment_needs (environment);
  const char *preload;

  if (environment == NULL)
    environment = nothing;
  preload = environment[environment_find (environment, PRELOAD, sizeof PRELOAD - 1)];
  return needs + (environment_count (environment) + 6) * sizeof (char *) + sizeof PRELOAD + strlen (library) +
         strlen (name) + (preload != NULL ? strlen (preload) : 0) + 4;
}

/* Makes "LD_PRELOAD=RECORDER:NAME:OTHERS" from "LD_PRELOAD=RECORDER:OTHERS". A profiler comes before the recorder,
 * because it takes the program's functions and marks in its place. */
static void
add_preloaded (char *to, const char *preload, const char *name)
{
  char *recorder, *behind;

  if (lc_control != NULL && lc_control->purpose == LC_PURPOSE_PROFILE)
    {
      stpcpy (stpcpy (stpcpy (stpcpy (to, PRELOAD), name), ":"), preload + sizeof PRELOAD - 1);
      return;
    }
  strcpy (to, preload);
  recorder = find_preloaded (to, library + sizeof LIBRARY - 1);
  behind = recorder != NULL ? recorder + strlen (library + sizeof LIBRARY - 1) : to + strlen (to);
  stpcpy (stpcpy (stpcpy (behind, ":"), name), preload + (behind - to));
}

char *const *
lc_environment_with (char *const *environment, const char *name, const char *mark, void *memory)
{
  size_t needs = lc_environment_needs (environment), length, at;
  char **with;

  if (needs > 0)
    environment = lc_environment_complete (environment, memory);
  length = environment_count (environment);
  with = (char **)(void *)((char *)memory + (needs + sizeof (char *) - 1) / sizeof (char *) * sizeof (char *));
  memcpy (with, environment, length * sizeof *with);
  with[length] = (char *)(uintptr_t)mark;
  with[length + 1] = NULL;
  at = environment_find (with, PRELOAD, sizeof PRELOAD - 1);
  if (at <= length && with[at] != NULL)
    {
      char *preload = (char *)(with + length + 2);

      add_preloaded (preload, with[at], name);
      with[at] = preload;
    }
  return with;
}

char *
lc_environment_take (const char *name)
{
  size_t length = strlen (name);

  for (char **at = environ; at != NULL && *at != NULL; at++)
    if (strncmp (*at, name, length) == 0 && (*at)[length] == '=')
      {
        char *value = *at + length + 1;

        for (; *at != NULL; at++)
          at[0] = at[1];
        return value;
      }
  return NULL;
}

/* Removes the library with the colon before or after it. */
void
lc_environment_without (const char *name)
{
  size_t at = environ != NULL ? environment_find (environ, PRELOAD, sizeof PRELOAD - 1) : 0, length = strlen (name);
  char *there = environ != NULL && environ[at] != NULL ? find_preloaded (environ[at], name) : NULL;

  if (there != NULL && there[-1] == ':')
    memmove (there - 1, there + length, strlen (there + length) + 1);
  else if (there != NULL && there[length] == ':')
    memmove (there, there + length + 1, strlen (there + length));
}
