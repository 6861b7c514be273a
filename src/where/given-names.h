/* SPDX-License-Identifier: Apache-2.0 */
/* Names that a user gives to objects and processes, in a file. */
#ifndef LC_WHERE_GIVEN_NAMES_H
#define LC_WHERE_GIVEN_NAMES_H

#include "lightcone/where.h"

/*
 * A GKeyFile with the groups [objects] and [processes]. Each key is a name, its value a list of what has it, with
 * semicolons between: of objects the variable ("queue.m"), or the line that made it or used it first ("pipe.cpp:12");
 * of processes the function that it began with ("worker_main"), or the name that the program gave it.
 */
typedef struct _LcGivenNames LcGivenNames;

/* Reads a file. The path may be relative; it is kept as an absolute one. NULL with LC_TRACE_ERROR, G_FILE_ERROR or
 * G_KEY_FILE_ERROR; the message has the path. */
LcGivenNames *lc_given_names_load (const char *path, GError **error);

/* Reads the text of such a file; the path is for messages. */
LcGivenNames *lc_given_names_parse (const char *path, const char *text, gsize length, GError **error);
void lc_given_names_free (LcGivenNames *names);

const char *lc_given_names_get_path (const LcGivenNames *names);
const char *lc_given_names_get_text (const LcGivenNames *names);

/* Puts the names of the file into `where`, in place of those that it found. */
void lc_given_names_apply (const LcGivenNames *names, const LcTrace *trace, LcWhere *where);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcGivenNames, lc_given_names_free)

#endif
