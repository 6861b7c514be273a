/* SPDX-License-Identifier: Apache-2.0 */
/* The sample traces that are installed with Lightcone. */
#ifndef LC_APP_SAMPLES_H
#define LC_APP_SAMPLES_H

#include <glib.h>

typedef struct
{
  const char *title; /* both translated */
  const char *text;
  char *path;
} LcSample;

/* Returns LcSample in a new array: those that are there, in the order in which they are worth a look. */
GPtrArray *lc_samples_find (void);

#endif
