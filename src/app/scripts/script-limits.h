/* SPDX-License-Identifier: Apache-2.0 */
/* How much memory and time a script may take: the user's preferences, for any thread. */
#ifndef LC_APP_SCRIPT_LIMITS_H
#define LC_APP_SCRIPT_LIMITS_H

#include <glib.h>

/* Looks the preferences up, and again whenever they change. To be called once, on the main thread. */
void lc_script_limits_start (void);

/* MiB: what the user prefers, or a quarter of the machine's. */
guint lc_script_limits_get_memory (void);

/* Seconds: what the user prefers, or `otherwise`. */
guint lc_script_limits_get_seconds (guint otherwise);

#endif
