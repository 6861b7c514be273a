/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how the clocks of several hosts were corrected. */
#ifndef LC_REPORT_CLOCK_LINE_H
#define LC_REPORT_CLOCK_LINE_H

#include "trace/json.h"
#include "lightcone/clock-correction.h"

/* Gives "put forward by 1.25 us: 17 arcs pointed backwards, by 1.20 us at most". */
char *lc_clock_line (const LcHostCorrection *host);

/* Adds the array "clock_correction", from the corrections kept in the trace. */
void lc_clock_lines_to_json (const char *directory, LcJson *json);

#endif
