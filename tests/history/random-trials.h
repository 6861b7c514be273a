/* SPDX-License-Identifier: Apache-2.0 */
/* How often a test tries what is random. */
#ifndef RANDOM_TRIALS_H
#define RANDOM_TRIALS_H

#include <glib.h>

/* How many random trials of `n` to make: a quarter with a sanitizer, which takes several times as long for each. */
static inline guint32
random_trials (guint32 n)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  return (n + 3) / 4;
#else
  return n;
#endif
}

#endif
