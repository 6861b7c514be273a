/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone explain`. */
#ifndef LC_CLI_EXPLANATION_H
#define LC_CLI_EXPLANATION_H

#include "lightcone/explanation.h"
#include "history/names.h"

typedef struct
{
  const LcExplanation *explanation;
  LcHistory *history;
  LcNames *names;
  const char *timeline_name;
  guint32 timeline;
  gboolean json;
} LcExplanationShow;

/* Returns FALSE with an error if the history cannot be read. */
gboolean lc_explanation_show (const LcExplanationShow *show, GError **error);

#endif
