/* SPDX-License-Identifier: Apache-2.0 */
/* A line on standard error that shows progress, and is drawn again and again. */
#ifndef LC_CLI_PROGRESS_H
#define LC_CLI_PROGRESS_H

#include "lightcone/merge.h"

typedef struct
{
  const char *what; /* "merging", for example, translated */
  gboolean drawn;
} LcProgress;

/* Gives the function to call with the progress as its data. NULL if `quiet` is set, or standard error is no
 * terminal. */
LcMergeReport lc_progress_begin (LcProgress *progress, const char *what, gboolean quiet);
void lc_progress_end (LcProgress *progress);

#endif
