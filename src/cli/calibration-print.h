/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables and objects of all calibrations are made of. */
#ifndef LC_CLI_CALIBRATION_PRINT_H
#define LC_CLI_CALIBRATION_PRINT_H

#include "json.h"
#include "measurement.h"

/* "5.1 ±0.2"; NULL: not measured. Free with g_free. */
char *lc_calibration_spread (const LcSpread *spread);

/* A row for each operation. Free with g_free. */
char *lc_calibration_table (const LcMeasurement *measurement);

void lc_calibration_add_number (LcJson *json, const char *key, double value);
void lc_calibration_add_spread (LcJson *json, const char *key, const LcSpread *spread);

/* The list "operations". */
void lc_calibration_add_rows (LcJson *json, const LcMeasurement *measurement);

/* The machine that the numbers in `file` are of, and where they are kept. */
void lc_calibration_add_machine (LcJson *json, GKeyFile *file, const char *path);

#endif
