/* SPDX-License-Identifier: Apache-2.0 */
/* The other end of the browser's console: evaluates what comes on standard input. docs/architecture.md tells how. */
#ifndef LC_CLI_SCRIPT_CONSOLE_H
#define LC_CLI_SCRIPT_CONSOLE_H

#include "script-session.h"

/* Gives the status that the command is to end with. */
int lc_script_console_run (LcScriptSession *session);

#endif
