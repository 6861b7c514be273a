/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings of an approximation. */
#ifndef LC_ANALYSIS_APPROXIMATION_WARNING_H
#define LC_ANALYSIS_APPROXIMATION_WARNING_H

#include "lightcone/approximate.h"

/* Adds a warning. Those of one kind, a word, differ in their figures only. */
void lc_approximation_warn (LcApproximation *approximation, const char *kind, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Takes back all warnings so far. */
void lc_approximation_forget_warnings (LcApproximation *approximation);

#endif
