/* SPDX-License-Identifier: Apache-2.0 */
/* Laws by which a quantity grows with the size of a program's input, found from a few sizes. */
#ifndef LIGHTCONE_GROWTH_H
#define LIGHTCONE_GROWTH_H

#include <glib.h>

G_BEGIN_DECLS

/* All but the first and the last are constant + factor * f(size), the power law is factor * size ^ exponent. */
typedef enum
{
  LC_GROWTH_CONSTANT,
  LC_GROWTH_LOG,
  LC_GROWTH_LINEAR,
  LC_GROWTH_LINEAR_LOG,
  LC_GROWTH_SQUARE,
  LC_GROWTH_CUBE,
  LC_GROWTH_POWER,
  LC_GROWTH_LAWS, /* so many */
} LcGrowthLaw;

/* With so many different sizes a law can be told from another one. */
#define LC_GROWTH_LEAST_SIZES 3

typedef struct
{
  double size;  /* 1 or more */
  double value; /* 0 or more */
} LcGrowthPoint;

typedef struct
{
  LcGrowthLaw law;
  double constant;
  double factor;
  double exponent;   /* of the power law; else 0 */
  double error;      /* how far off, as a part of the larger one, the law is of a size that it was not made from */
  guint plausible;   /* bits of the laws that are not worse than twice the error of the best, the chosen one included */
  gboolean is_known; /* FALSE: there were too few sizes, and the value of the largest is taken for constant */
  GArray *points;    /* LcGrowthPoint */
} LcGrowth;

/* Chooses a law for the points. Each law is made from all sizes but one, and has to say what that one's value is: the
 * simplest that is nearly as good at that as the best. Clear with lc_growth_clear. */
void lc_growth_fit (LcGrowth *growth, const LcGrowthPoint *points, guint n_points);
void lc_growth_clear (LcGrowth *growth);

/* Gives the value at a size. `low` and `high` are the least and most that any plausible law says there, made from all
 * sizes or without one of them, or the chosen one with its error. */
double lc_growth_at (const LcGrowth *growth, double size, double *low, double *high);

G_END_DECLS

#endif
