/* SPDX-License-Identifier: Apache-2.0 */
/* Runs what lightcone script was given, or lets the user type it. */
#ifndef LC_CLI_SCRIPT_SESSION_H
#define LC_CLI_SCRIPT_SESSION_H

#include "script/script.h"

typedef struct
{
  LcScriptOptions options;
  const char *file;               /* or NULL */
  const char *const *expressions; /* or NULL */
  gboolean trusts;                /* loads the scripts in the trace's folder, too */
  gboolean lists;                 /* only lists what scripts define */
  const char *command;            /* only runs this command of a script; or NULL */
  LcScriptCommandRequest request; /* of the command */
} LcScriptSession;

/* Has Ctrl-C stop scripts from now on. */
void lc_script_session_catch_interrupts (void);

/* Gives the status that the command is to end with. */
int lc_script_session_run (LcScriptSession *session);

#endif
