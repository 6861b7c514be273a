/* SPDX-License-Identifier: Apache-2.0 */
/* What recording each operation costs on this machine, and what the operation costs itself. */
#ifndef LC_CLI_MEASUREMENT_H
#define LC_CLI_MEASUREMENT_H

#include <glib.h>

#include "spread.h"
#include "workload.h"

/* All in ns. docs/calibration.md says how they come about. */
typedef struct
{
  char *operation, *interface;
  LcSpread before, inside, after; /* instrumentation: before the begin stamp, between the stamps, after the end stamp */
  LcSpread cost;                  /* the operation's own, when it does not have to wait */
  LcSpread asleep, awake;         /* from the release to the return, when the waiter slept, and when it still spun */
} LcMeasurementRow;

typedef struct
{
  GPtrArray *rows; /* LcMeasurementRow */
  LcSpread stamp;  /* reading the clock */
  LcSpread exit;   /* of a pthread barrier: how much later each further member leaves */
  guint members;   /* that it had */
  double copy;     /* a short message into a buffer, or out of it */
} LcMeasurement;

/* Takes about two seconds, or with `quick` less than one. */
LcMeasurement *lc_measurement_new (gboolean quick, GError **error);

/* Rows, and reading the clock, of runs that have been made. */
LcMeasurement *lc_measurement_of_runs (const LcWorkloadRuns *runs, GError **error);

void lc_measurement_free (LcMeasurement *measurement);

/* NULL: not measured. */
const LcMeasurementRow *lc_measurement_find (const LcMeasurement *measurement, const char *operation,
                                             const char *interface);

/* What waiting costs when the wait is over: as its waiters mostly do, asleep or not. Its count is 0: it never waits. */
const LcSpread *lc_measurement_row_wait (const LcMeasurementRow *row);

/* A list of numbers, as trace.ini has it. */
void lc_measurement_set_numbers (GKeyFile *file, const char *group, const char *key, const double *numbers,
                                 guint count);

/* The groups [overhead], [cost] and [barrier], as trace.ini has them. */
GKeyFile *lc_measurement_to_key_file (const LcMeasurement *measurement);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcMeasurement, lc_measurement_free)

#endif
