/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of one cost in bounded memory: the least, the most, and about the median. */
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
  guint64 stride; /* every stride-th sample is kept; 0 means 1 */
  guint n_kept;
  double *kept;
} LcSamples;

void lc_samples_clear (LcSamples *samples);
void lc_samples_add (LcSamples *samples, double value);
double lc_samples_get_median (const LcSamples *samples);

/* The value that a share of the samples is below, of those that are kept. */
double lc_samples_get_quantile (const LcSamples *samples, double share);

/* Fills in the value and how the samples are spread. `how` is static and translated. */
void lc_samples_describe (const LcSamples *samples, double value, const char *how, LcCost *cost);

#endif
