/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of the clocks of several hosts that were corrected. */
#ifndef LC_CLI_CLOCK_LINE_H
#define LC_CLI_CLOCK_LINE_H

#include "json.h"
#include "lightcone/clock-correction.h"

/* "put forward by 1.25 us: 17 arcs pointed backwards, by 1.20 us at most" */
char *lc_clock_line (const LcHostCorrection *host);

/* Adds an array "clock_correction" of what the trace says of its hosts. */
void lc_clock_lines_to_json (const char *directory, LcJson *json);

#endif
