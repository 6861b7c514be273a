/* SPDX-License-Identifier: Apache-2.0 */
/* The scripts that are loaded at the start: those of the program, of the user, and of a trace that is trusted. */
#ifndef LC_CLI_SCRIPT_FOLDERS_H
#define LC_CLI_SCRIPT_FOLDERS_H

#include "script/script.h"

/* Loads the scripts of the user's folder, and of the trace's if they are trusted. With `trusts` they are, and will be
 * as long as they stay as they are. A script that cannot be loaded is told of, and the others are loaded all the same.
 * Gives the end of the last one that was stopped or has called (exit). */
LcScriptResult lc_script_folders_load (const char *directory, gboolean trusts);

/* Whether the trace has scripts that lc_script_folders_load does not load. */
gboolean lc_script_folders_are_untrusted (const char *directory);

/* Says so, if that is so. */
void lc_script_folders_tell_untrusted (const char *directory);

#endif
