/* SPDX-License-Identifier: Apache-2.0 */
/* Durations as people type them: "1 ms", "20us", "1.5 s". */
#ifndef LC_APP_FILTER_DURATION_H
#define LC_APP_FILTER_DURATION_H

#include <glib.h>

/* Reads a number and a unit (ns, us or µs, ms, s, min), with or without a space; without a unit, nanoseconds are meant.
 * Both the point and the comma are understood. Returns FALSE for any other text. */
gboolean lc_duration_parse (const char *text, guint64 *ns);

/* Tells whether a word is a unit and nothing else. */
gboolean lc_duration_is_unit (const char *word);

#endif
