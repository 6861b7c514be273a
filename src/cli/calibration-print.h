/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of tables and JSON that all calibrations share. */
#ifndef LC_CLI_CALIBRATION_PRINT_H
#define LC_CLI_CALIBRATION_PRINT_H

#include "trace/json.h"
#include "measurement.h"

/* Gives "5.1 ±0.2"; NULL: not measured. Free it with g_free. */
char *lc_calibration_spread (const LcSpread *spread);

/* Gives a table with a row for each operation. Free it with g_free. */
char *lc_calibration_table (const LcMeasurement *measurement);

void lc_calibration_add_number (LcJson *json, const char *key, double value);
void lc_calibration_add_spread (LcJson *json, const char *key, const LcSpread *spread);

/* Adds the list "operations". */
void lc_calibration_add_rows (LcJson *json, const LcMeasurement *measurement);

/* Adds the machine that the numbers in `file` hold for, and the path where they are kept. */
void lc_calibration_add_machine (LcJson *json, GKeyFile *file, const char *path);

#endif
