/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the small tables of a history: what was merged, by which rules, and with which result. */
#ifndef LC_HISTORY_DESCRIBE_H
#define LC_HISTORY_DESCRIBE_H

#include "history/mismatches.h"
#include "lightcone/early-reads.h"
#include "where/given-names.h"
#include "writer.h"

typedef struct
{
  LcTrace *trace;
  const LcRules *rules;
  const LcWriter *writer;
  const LcSweepResult *swept;
  GArray *early;      /* LcEarlyRead; owned */
  GArray *mismatches; /* LcMismatch; owned */
  const char *rules_checksum;
  const char *fingerprint;
  const LcWhere *where;
  const LcWhereBefore *before; /* of an earlier merge, or NULL */
  const LcGivenNames *names;   /* that a user gave, or NULL */
  gboolean growing;            /* the trace is being recorded */
} LcDescription;

/* Writes the totals of each operation on timeline 0. */
gboolean lc_describe_totals (LcDatabase *database, const LcTotals *totals, GError **error);

/* Must be called when all events have been written. Sets `problems` to the number of problems. */
gboolean lc_describe (LcDatabase *database, const LcDescription *description, guint64 *problems, GError **error);

#endif
