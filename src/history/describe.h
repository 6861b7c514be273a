/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the tables of a history that hold little: what was merged, by which rules, and what came of it. */
#ifndef LC_HISTORY_DESCRIBE_H
#define LC_HISTORY_DESCRIBE_H

#include "writer.h"

typedef struct
{
  LcTrace *trace;
  const LcRules *rules;
  const LcWriter *writer;
  const LcSweepResult *swept;
  const char *rules_checksum;
  const char *fingerprint;
  gboolean growing; /* the trace is being recorded */
} LcDescription;

/* How much of each operation there was on timeline 0. */
gboolean lc_describe_totals (LcDatabase *database, const LcTotals *totals, GError **error);

/* When all events have been written. Sets how many problems there are. */
gboolean lc_describe (LcDatabase *database, const LcDescription *description, guint64 *problems, GError **error);

#endif
