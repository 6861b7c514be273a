/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the environment of a program that is recorded: it tells the linker to load the recorder, and that where to. */
#include "record-environment.h"

#include <string.h>

#include "lightcone/control.h"
#include "lightcone/inputs-plan.h"
#include "lightcone/replay-plan.h"
#include "program.h"
#include "schedule-run.h"

#define ASAN_OPTIONS "ASAN_OPTIONS"
#define ASAN_ORDER "verify_asan_link_order"

/* gcc's AddressSanitizer library refuses to work after another preloaded library, unless this option allows it. */
static char **
record_allow_preload (char **environment, const char *program)
{
  const char *given = g_environ_getenv (environment, ASAN_OPTIONS);
  g_autofree char *more = NULL;

  if (!lc_program_needs (program, "libasan.so") || (given != NULL && strstr (given, ASAN_ORDER) != NULL))
    return environment;
  more = given != NULL && *given != '\0' ? g_strconcat (given, ":", ASAN_ORDER "=0", NULL) : g_strdup (ASAN_ORDER "=0");
  return g_environ_setenv (environment, ASAN_OPTIONS, more, TRUE);
}

/* A search, and what keeps inputs or gives them back, have their libraries behind the recorder's. */
static char **
record_add_library (char **environment, const char *variable, char **preload)
{
  const char *library = g_environ_getenv (environment, variable);
  char *both = library != NULL ? g_strconcat (*preload, ":", library, NULL) : NULL;

  if (both == NULL)
    return environment;
  g_free (*preload);
  *preload = both;
  return g_environ_unsetenv (environment, variable);
}

char **
lc_record_make_environment (const LcRecording *recording, const char *library, const char *program, const char *host)
{
  char **environment = g_get_environ ();
  g_autofree char *others = g_strdup (g_environ_getenv (environment, "LD_PRELOAD"));
  const char *replay = g_environ_getenv (environment, LC_REPLAY_LIBRARY_ENVIRONMENT);
  g_autofree char *preload = g_strconcat (replay != NULL ? replay : "", replay != NULL ? ":" : "", library, NULL);
  g_autofree char *all = NULL;

  environment = g_environ_unsetenv (environment, LC_REPLAY_LIBRARY_ENVIRONMENT);
  environment = g_environ_setenv (environment, LC_CONTROL_ENVIRONMENT, lc_recording_get_directory (recording), TRUE);
  environment = g_environ_setenv (environment, LC_CONTROL_PRELOAD, library, TRUE);
  if (host != NULL)
    environment = g_environ_setenv (environment, "LIGHTCONE_HOST", host, TRUE);
  environment = record_add_library (environment, LC_INPUTS_LIBRARY_ENVIRONMENT, &preload);
  environment = record_add_library (environment, LC_SCHEDULE_LIBRARY_ENVIRONMENT, &preload);
  all = others != NULL && others[0] != '\0' ? g_strconcat (preload, ":", others, NULL) : g_strdup (preload);
  environment = g_environ_setenv (environment, "LD_PRELOAD", all, TRUE);
  return record_allow_preload (environment, program);
}
