/* SPDX-License-Identifier: Apache-2.0 */
/* Users' choices of processes, operations, objects and marks: lists of names, numbers, ranges and patterns. */
#ifndef LC_DRAW_CHOICE_H
#define LC_DRAW_CHOICE_H

#include "lightcone/history.h"
#include "lightcone/marks.h"

/*
 * `text` is a list separated by commas. Each part has to match something; in a pattern, * stands for any letters and ?
 * for any single one. The error's message tells which part matches nothing, and what there is.
 */

/* Finds a process by number, or else by name. FALSE: there is none. */
gboolean lc_find_process (const LcHistory *history, const char *text, guint32 *process);

/* Takes names, patterns, numbers, and ranges of numbers (0-3). Gives guint32 in a new array, in this order, each once.
 * NULL with an error. */
GArray *lc_choose_processes (const LcHistory *history, const char *text, GError **error);

/* Takes names, patterns, and classes. Gives for each operation, by number, whether it is chosen. Free it with
 * g_free. */
gboolean *lc_choose_operations (LcHistory *history, const char *text, GError **error);

/* Takes names and patterns. Gives guint32 in a new array, by number. */
GArray *lc_choose_objects (LcHistory *history, const char *text, GError **error);

/* Takes names and patterns. Gives the marks beside the history, and the names among them that are not chosen, to be
 * freed. */
LcMarks *lc_choose_marks (LcHistory *history, const char *text, char ***hidden, GError **error);

#endif
