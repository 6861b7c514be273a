/* SPDX-License-Identifier: Apache-2.0 */
/* Forks, and programs started in place of this one or beside it: each address space records for itself. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "real.h"
#include "recorder.h"

/* The handlers that the recorder has registered do all there is to do, but they do not learn of a failure. */
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

/* The one that calls no handlers. */
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
  LC_WITH_ENVIRONMENT (environment);
  return LC_REAL (execve) (path, arguments, environment);
}

LC_EXPORT int
execvpe (const char *file, char *const *arguments, char *const *environment)
{
  LC_WITH_ENVIRONMENT (environment);
  return LC_REAL (execvpe) (file, arguments, environment);
}

LC_EXPORT int
fexecve (int file, char *const *arguments, char *const *environment)
{
  LC_WITH_ENVIRONMENT (environment);
  return LC_REAL (fexecve) (file, arguments, environment);
}

LC_EXPORT int
posix_spawn (pid_t *child, const char *path, const posix_spawn_file_actions_t *actions,
             const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
  LC_WITH_ENVIRONMENT (environment);
  return LC_REAL (posix_spawn) (child, path, actions, attributes, arguments, environment);
}

LC_EXPORT int
posix_spawnp (pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
              const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment)
{
  LC_WITH_ENVIRONMENT (environment);
  return LC_REAL (posix_spawnp) (child, file, actions, attributes, arguments, environment);
}
