/* SPDX-License-Identifier: Apache-2.0 */
/* What a user wrote into the form, as words: quoted as in a shell. */
#ifndef LC_APP_RECORD_FORM_H
#define LC_APP_RECORD_FORM_H

#include "app/open/record-run.h"

typedef struct
{
  char *program;
  char *folder;
  char *trace;
  char **arguments;
  char **environment;
} LcRecordForm;

/* FALSE with a sentence that says what is wrong: quotes that are not closed, a folder that is not there, no name before
 * "=". "~" at the beginning of a path is the home folder. */
gboolean lc_record_form_fill (LcRecordForm *form, const char *program, const char *arguments, const char *folder,
                              const char *environment, const char *trace, GError **error);
void lc_record_form_clear (LcRecordForm *form);

/* A place for the trace of a program at which nothing is yet: "FOLDER/sort.trace", "FOLDER/sort-2.trace", ... */
char *lc_record_form_propose (const char *program, const char *folder);

#endif
