/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the environment of a program that is replayed, which takes as much room as the recorded one. */
#include "replay-program.h"

#include <string.h>

#include "find-library.h"
#include "lightcone/control.h"
#include "lightcone/inputs-plan.h"
#include "lightcone/replay-plan.h"

/* Has no meaning but its length. */
#define ROOM_ENVIRONMENT "LIGHTCONE_REPLAY_ROOM"

/*
 * Programs that copy their environment, as those that show a title of their own do, ask their allocator for as much as
 * each string takes, and an allocator has locks. So a string of ours is made as long as the recorder's that it stands
 * for, unless it is longer: a path may begin with any number of slashes.
 */
static char **
environment_set_as_long (char **environment, const char *name, const char *path, const char *recorded_name,
                         const char *recorded)
{
  const gsize wanted = strlen (recorded_name) + strlen (recorded), length = strlen (name) + strlen (path);
  g_autofree char *slashes = g_strnfill (wanted > length ? wanted - length : 0, '/');
  g_autofree char *value = g_strconcat (slashes, path, NULL);

  return g_environ_setenv (environment, name, value, TRUE);
}

/* The variables come in the order in which those of the recorder have come. */
char **
lc_replay_make_environment (LcTrace *trace, const char *library, const char *plan, const char *inputs)
{
  char **environment = lc_replay_dup_environment ();
  const char *others = g_environ_getenv (environment, "LD_PRELOAD");
  g_autofree char *preload =
      others != NULL && others[0] != '\0' ? g_strconcat (library, ":", others, NULL) : g_strdup (library);
  g_autofree char *recorder = lc_find_library (NULL);

  environment = environment_set_as_long (environment, LC_REPLAY_ENVIRONMENT, plan, LC_CONTROL_ENVIRONMENT,
                                         lc_trace_get_path (trace));
  environment =
      environment_set_as_long (environment, inputs != NULL ? LC_INPUTS_ENVIRONMENT : ROOM_ENVIRONMENT,
                               inputs != NULL ? inputs : "", LC_CONTROL_PRELOAD, recorder != NULL ? recorder : "");
  return g_environ_setenv (environment, "LD_PRELOAD", preload, TRUE);
}
