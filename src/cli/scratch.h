/* SPDX-License-Identifier: Apache-2.0 */
/* Folders for what a command needs for a while. */
#ifndef LC_CLI_SCRATCH_H
#define LC_CLI_SCRATCH_H

#include <glib.h>

/* Makes a new folder of this user alone, and returns its path. Free it with g_free. */
char *lc_scratch_new (const char *what, GError **error);

/* Removes a folder and all that is in it; links are removed, and not followed. */
void lc_scratch_remove (const char *folder);

#endif
