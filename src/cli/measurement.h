/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of recording each operation on this machine, and of the operation itself. */
#ifndef LC_CLI_MEASUREMENT_H
#define LC_CLI_MEASUREMENT_H

#include <glib.h>

#include "spread.h"
#include "workload.h"

/* All times are in ns. docs/calibration.md says how they are measured. */
typedef struct
{
  char *operation, *interface;
  LcSpread before, inside, after; /* instrumentation: before the begin stamp, between the stamps, after the end stamp */
  LcSpread cost;                  /* the operation's own time, if it does not have to wait */
  LcSpread waited;                /* recorded: as awake, for operations of which that is measured */
  LcSpread asleep, awake;         /* from the release to the return, if the waiter slept, and if it still spun */
} LcMeasurementRow;

typedef struct
{
  GPtrArray *rows; /* LcMeasurementRow */
  LcSpread stamp;  /* time to read the clock */
  LcSpread exit;   /* for a pthread barrier: how much later each further member leaves */
  guint members;   /* members of that barrier */
  double copy;     /* time to copy a short message into a buffer or out of it */
  double others;   /* share of the processors that other programs had meanwhile; 0: not known */
} LcMeasurement;

/* Measures for about two seconds, or with `quick` for less than one. */
LcMeasurement *lc_measurement_new (gboolean quick, GError **error);

/* Gives the rows, and the time to read the clock, of runs that have been made. */
LcMeasurement *lc_measurement_of_runs (const LcWorkloadRuns *runs, GError **error);

void lc_measurement_free (LcMeasurement *measurement);

/* Gives NULL for what was not measured. */
const LcMeasurementRow *lc_measurement_find (const LcMeasurement *measurement, const char *operation,
                                             const char *interface);

/* Gives the cost of waiting when the wait is over: asleep or awake, as most waiters of this operation are. Its count is
 * 0 if the operation never waits. */
const LcSpread *lc_measurement_row_wait (const LcMeasurementRow *row);

/* Sets a list of numbers, as trace.ini has it. */
void lc_measurement_set_numbers (GKeyFile *file, const char *group, const char *key, const double *numbers,
                                 guint count);

/* Gives the groups [overhead], [openmp], [trapped], [cost] and [barrier], as trace.ini has them. */
GKeyFile *lc_measurement_to_key_file (const LcMeasurement *measurement);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcMeasurement, lc_measurement_free)

#endif
