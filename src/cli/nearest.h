/* SPDX-License-Identifier: Apache-2.0 */
/* Names that are like a word that is none of them. */
#ifndef LC_CLI_NEAREST_H
#define LC_CLI_NEAREST_H

#include <glib.h>

/* How many characters have to be inserted, left out or replaced. */
gsize lc_nearest_distance (const char *from, const char *to);

/* Gives " (did you mean waits, waiting?)", the most similar ones first, or "" if none is similar. Free with g_free. */
char *lc_nearest_dup_hint (const char *word, const GPtrArray *names);

#endif
