/* SPDX-License-Identifier: Apache-2.0 */
/* The form's texts as words, quoted as in a shell. */
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

/* Splits the texts. FALSE with a sentence about what is wrong: unclosed quotes, a missing folder, no name before "=".
 * "~" at the beginning of a path means the home folder. */
gboolean lc_record_form_fill (LcRecordForm *form, const char *program, const char *arguments, const char *folder,
                              const char *environment, const char *trace, GError **error);
void lc_record_form_clear (LcRecordForm *form);

/* Proposes a path for the trace of a program that does not exist yet: "FOLDER/sort.trace", "FOLDER/sort-2.trace",
 * ... */
char *lc_record_form_propose (const char *program, const char *folder);

#endif
