/* SPDX-License-Identifier: Apache-2.0 */
/* A line on the standard error that says how far something is, drawn again and again. */
#ifndef LC_CLI_PROGRESS_H
#define LC_CLI_PROGRESS_H

#include "lightcone/merge.h"

typedef struct
{
  const char *what; /* as "merging", translated */
  gboolean drawn;
} LcProgress;

/* What to call with the progress as its data, or NULL: `quiet`, or the standard error is no terminal. */
LcMergeReport lc_progress_begin (LcProgress *progress, const char *what, gboolean quiet);
void lc_progress_end (LcProgress *progress);

#endif
