/* SPDX-License-Identifier: Apache-2.0 */
/* Least squares with coefficients that are not negative: the time of a message by its bytes and hops. */
#include "fit.h"

#include <math.h>

void
lc_fit_add (LcFit *fit, guint64 bytes, guint32 hops, double value)
{
  lc_fit_add_weighted (fit, 1, bytes, hops, value);
}

void
lc_fit_add_weighted (LcFit *fit, double weight, guint64 bytes, guint32 hops, double value)
{
  const long double row[LC_FIT_COLUMNS] = {1, (long double)bytes, (long double)hops};

  for (int i = 0; i < LC_FIT_COLUMNS; i++)
    {
      for (int k = 0; k < LC_FIT_COLUMNS; k++)
        fit->products[i][k] += (long double)weight * row[i] * row[k];
      fit->by_value[i] += (long double)weight * row[i] * (long double)value;
    }
  fit->value_squared += (long double)weight * (long double)value * (long double)value;
  fit->rows++;
}

/* The equations of a subset of the columns, with the value as the last column. */
typedef struct
{
  long double cells[LC_FIT_COLUMNS][LC_FIT_COLUMNS + 1];
  int columns[LC_FIT_COLUMNS];
  int n;
} System;

static System
select_columns (const LcFit *fit, guint subset)
{
  System system = {.n = 0};

  for (int i = 0; i < LC_FIT_COLUMNS; i++)
    if (subset & (1u << i))
      system.columns[system.n++] = i;
  for (int i = 0; i < system.n; i++)
    {
      for (int k = 0; k < system.n; k++)
        system.cells[i][k] = fit->products[system.columns[i]][system.columns[k]];
      system.cells[i][system.n] = fit->by_value[system.columns[i]];
    }
  return system;
}

/* Gaussian elimination. The matrix is symmetric and positive, so its diagonal has the pivots. FALSE: the columns depend
 * on each other. */
static gboolean
costs_fit_solve (System *system, long double *results)
{
  const int n = system->n;

  for (int i = 0; i < n; i++)
    {
      const long double before = system->cells[i][i];

      for (int k = 0; k < i; k++)
        {
          const long double factor = system->cells[i][k] / system->cells[k][k];

          for (int j = k; j <= n; j++)
            system->cells[i][j] -= factor * system->cells[k][j];
        }
      if (system->cells[i][i] <= before * 1e-12L)
        return FALSE;
    }
  for (int i = n - 1; i >= 0; i--)
    {
      results[i] = system->cells[i][n];
      for (int k = i + 1; k < n; k++)
        results[i] -= system->cells[i][k] * results[k];
      results[i] /= system->cells[i][i];
    }
  return TRUE;
}

static long double
error_of (const LcFit *fit, const long double *coefficients)
{
  long double error = fit->value_squared;

  for (int i = 0; i < LC_FIT_COLUMNS; i++)
    {
      error -= 2 * coefficients[i] * fit->by_value[i];
      for (int k = 0; k < LC_FIT_COLUMNS; k++)
        error += coefficients[i] * coefficients[k] * fit->products[i][k];
    }
  return error;
}

/* Tries all subsets of columns, and takes the best solution without negative coefficients; the first of equals. */
gboolean
lc_fit_solve (const LcFit *fit, double coefficients[LC_FIT_COLUMNS])
{
  static const guint subsets[] = {1, 2, 4, 3, 5, 6, 7};
  const long double slack = 1e-15L * fit->value_squared;
  long double least = fit->value_squared;

  for (int i = 0; i < LC_FIT_COLUMNS; i++)
    coefficients[i] = 0;
  for (gsize s = 0; s < G_N_ELEMENTS (subsets); s++)
    {
      System system = select_columns (fit, subsets[s]);
      long double found[LC_FIT_COLUMNS], all[LC_FIT_COLUMNS] = {0}, error;
      gboolean good = costs_fit_solve (&system, found);

      for (int i = 0; good && i < system.n; i++)
        {
          good = found[i] >= 0;
          all[system.columns[i]] = found[i];
        }
      error = good ? error_of (fit, all) : 0;
      if (!good || error >= least - slack)
        continue;
      least = error;
      for (int i = 0; i < LC_FIT_COLUMNS; i++)
        coefficients[i] = (double)all[i];
    }
  return fit->rows > 0;
}
