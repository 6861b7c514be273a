/* SPDX-License-Identifier: Apache-2.0 */
/* The file of the program that shall be recorded. */
#ifndef LC_CLI_PROGRAM_H
#define LC_CLI_PROGRAM_H

#include <glib.h>

/* The file that execvp would run, or NULL: `error_number` is what execvp would say. */
char *lc_program_find (const char *name, int *error_number);

/* Why nothing can be recorded of the program in this file, as a phrase to show, or NULL: it is not known. */
const char *lc_program_why_silent (const char *path);

/* TRUE if the program's file asks for a library whose name begins so. */
gboolean lc_program_needs (const char *path, const char *library);

#endif
