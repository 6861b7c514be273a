/* SPDX-License-Identifier: Apache-2.0 */
/* The probe: moves the view by a script, and measures what the main thread does meanwhile (tests/bench/browse). */
#ifndef LC_APP_PROBE_H
#define LC_APP_PROBE_H

#include "app/diagram/diagram-area.h"

/*
 * If the environment variable LIGHTCONE_BROWSE_SCRIPT is set to SECONDS:FILE: once the first picture is there the view
 * zooms and pans for so many seconds, always the same way; then nothing happens for some seconds; then what was
 * measured is written to the file, and the program ends. Else nothing.
 */
void lc_probe_attach (LcDiagramArea *area, LcSession *session);

#endif
