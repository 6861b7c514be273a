/* SPDX-License-Identifier: Apache-2.0 */
/* Any number of samples of one cost: the least, the most, and about the middle, in bounded memory. */
#ifndef LC_ANALYSIS_COSTS_SAMPLES_H
#define LC_ANALYSIS_COSTS_SAMPLES_H

#include "costs-private.h"

enum
{
  LC_SAMPLES_KEPT = 1024,
};

/* Initialise with zeros. */
typedef struct
{
  guint64 n;
  double least, most;
  guint64 stride; /* each stride-th is kept; 0: as 1 */
  guint n_kept;
  double *kept;
} LcSamples;

void lc_samples_clear (LcSamples *samples);
void lc_samples_add (LcSamples *samples, double value);
double lc_samples_get_median (const LcSamples *samples);

/* Fills in how they are spread. `how` is static, translated. */
void lc_samples_describe (const LcSamples *samples, double value, const char *how, LcCost *cost);

#endif
