/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone what-if`. */
#ifndef LC_CLI_WHAT_IF_H
#define LC_CLI_WHAT_IF_H

#include "lightcone/approximate.h"
#include "lightcone/critical-path.h"
#include "history/names.h"

typedef struct
{
  LcHistory *history;
  LcNames *names;
  const char *const *scales;     /* as the user has given them */
  const LcApproximation *before; /* NULL: it is the measured run */
  const LcApproximation *after;
  LcCriticalPath *before_path;
  LcCriticalPath *after_path;
  gsize limit; /* lines of a table */
  gboolean json;
} LcWhatIfShow;

void lc_what_if_show (const LcWhatIfShow *show);

#endif
