/* SPDX-License-Identifier: Apache-2.0 */
/* Processes, operations and objects that a user has chosen: lists of names, numbers, ranges and patterns. */
#ifndef LC_CLI_CHOICE_H
#define LC_CLI_CHOICE_H

#include "lightcone/history.h"

/*
 * `text` is a list with commas. Each part of it has to name something; a pattern has * (any letters) and ? (any one).
 * The message of the error says which does not, and what there is.
 */

/* Names, patterns, numbers, and ranges of these (0-3): guint32 in a new array, in this order, each once. NULL: error.
 */
GArray *lc_choose_processes (const LcHistory *history, const char *text, GError **error);

/* Names, patterns, and classes: for each operation, by number, whether it is chosen. Free with g_free. */
gboolean *lc_choose_operations (LcHistory *history, const char *text, GError **error);

/* Names and patterns: guint32 in a new array, by number. */
GArray *lc_choose_objects (LcHistory *history, const char *text, GError **error);

#endif
