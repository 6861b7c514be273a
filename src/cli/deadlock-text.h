/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the deadlocks of a trace that is not merged, as it may be while it is recorded. */
#ifndef LC_CLI_DEADLOCK_TEXT_H
#define LC_CLI_DEADLOCK_TEXT_H

#include <glib.h>

/* Reads and sweeps the whole trace; `files` are further rules, or NULL. Gives "": there are none; NULL with `error`.
 * Free with g_free. */
char *lc_deadlock_text (const char *directory, const char *const *files, GError **error);

#endif
