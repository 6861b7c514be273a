/* SPDX-License-Identifier: Apache-2.0 */
/* The probe: moves the view by a script, and measures what the main thread does meanwhile (tests/bench/browse). */
#ifndef LC_APP_PROBE_H
#define LC_APP_PROBE_H

#include "app/diagram/diagram-area.h"

/*
 * Runs the probe if the environment variable LIGHTCONE_BROWSE_SCRIPT is set to SECONDS:FILE. After the first picture
 * the view zooms and pans for that many seconds, always in the same way; then it rests for some seconds; then the
 * results are written to the file, and the program ends.
 */
void lc_probe_attach (LcDiagramArea *area, LcSession *session);

#endif
