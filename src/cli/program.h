/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at the file of the program to record. */
#ifndef LC_CLI_PROGRAM_H
#define LC_CLI_PROGRAM_H

#include <glib.h>

/* Gives the file that execvp would run. NULL: `error_number` is the errno of execvp. */
char *lc_program_find (const char *name, int *error_number);

/* Tells why nothing can be recorded of a program, as a phrase for people. NULL: no reason is known. */
const char *lc_program_why_silent (const char *path);

/* Whether the program's file needs a library whose name begins with `library`. */
gboolean lc_program_needs (const char *path, const char *library);

#endif
