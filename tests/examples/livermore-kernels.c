/* SPDX-License-Identifier: Apache-2.0 */
/* Livermore kernels 3, 4 and 17, an iteration at a time: what is independent first, the rest between await and advance.
 */
#include "livermore.h"

#include <stdlib.h>
#include <string.h>

#include "example.h"

long livermore_length = 1001;
struct lc_sync livermore_order;
bool livermore_every_statement;
long livermore_grain = 1;

static double *x, *y, *z;
static double *vxne_before, *vxne, *vxnd, *ve3;

static inline void
statement (long i, uint32_t number)
{
  if (livermore_every_statement)
    lc_tag ((uint32_t)i << 4 | number);
}

/* The value itself, to the last bit; but it takes longer to find it. */
static double
value_at (const double *array, long k)
{
  double value = array[k];

  for (long i = 1; i < livermore_grain; i++)
    value = value * 0.5 + array[k] * 0.5;
  return value;
}

static double
random_value (long k, long stream)
{
  uint64_t bits = ((uint64_t)k * 8 + (uint64_t)stream + 1) * UINT64_C (0x9E3779B97F4A7C15);

  bits = (bits ^ bits >> 30) * UINT64_C (0xBF58476D1CE4E5B9);
  bits = (bits ^ bits >> 27) * UINT64_C (0x94D049BB133111EB);
  return (double)((bits ^ bits >> 31) >> 11) * 0x1p-53;
}

void
livermore_allocate (void)
{
  double **arrays[] = {&x, &y, &z, &vxne_before, &vxne, &vxnd, &ve3};

  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = example_allocate ((size_t)livermore_length * 2, sizeof (double));
  for (long k = 0; k < 2 * livermore_length; k++)
    {
      x[k] = random_value (k, 0);
      y[k] = random_value (k, 1);
      z[k] = random_value (k, 2);
      vxne_before[k] = random_value (k, 3) / 2;
    }
}

void
livermore_free (void)
{
  double *arrays[] = {x, y, z, vxne_before, vxne, vxnd, ve3};

  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    free (arrays[i]);
}

/* --- Kernel 3, inner product: q is the sum of all z[k] * x[k] ------------------------------------------------- */

static double q;

static long
inner_product_elements (void)
{
  return livermore_length;
}

static void
inner_product_prepare (long loop)
{
  q = 0;
}

static void
inner_product_iterate (long i, long first, long end)
{
  double sum = 0;

  for (long k = first; k < end; k++)
    {
      sum += value_at (z, k) * x[k];
      statement (i, 1);
    }
  lc_await (&livermore_order, (uint64_t)i);
  q += sum;
  statement (i, 2);
  lc_advance (&livermore_order, (uint64_t)i + 1);
}

static double
inner_product_finish (long loop)
{
  return q;
}

static double
inner_product_in_sequence (void)
{
  double product = 0;

  for (long k = 0; k < livermore_length; k++)
    product += z[k] * x[k];
  return product;
}

/* --- Kernel 4, banded linear equations: three bands, one loop each ---------------------------------------------- */

static double band_value;
static long band_first;

/* The place in x that a loop computes. */
static long
band_place (long loop)
{
  return 5 + loop * ((livermore_length - 7) / 2);
}

static long
banded_elements (void)
{
  return livermore_length / 5;
}

static void
banded_prepare (long loop)
{
  for (long band = loop; band < 3; band++)
    x[band_place (band)] = random_value (band_place (band), 0);
  band_value = x[band_place (loop)];
  band_first = band_place (loop) - 5;
}

static void
banded_iterate (long i, long first, long end)
{
  double sum = 0;

  for (long j = first; j < end; j++)
    {
      sum += x[band_first + j] * value_at (y, 4 + 5 * j);
      statement (i, 1);
    }
  lc_await (&livermore_order, (uint64_t)i);
  band_value -= sum;
  statement (i, 2);
  lc_advance (&livermore_order, (uint64_t)i + 1);
}

static double
banded_finish (long loop)
{
  x[band_place (loop)] = y[4] * band_value;
  return x[band_place (0)] + x[band_place (1)] + x[band_place (2)];
}

static double
banded_in_sequence (void)
{
  long step = (livermore_length - 7) / 2;
  double sum = 0;

  banded_prepare (0);
  for (long k = 6; k <= 6 + 2 * step; k += step)
    {
      double value = x[k - 1];

      for (long j = 4, w = k - 6; j < livermore_length; j += 5, w++)
        value -= x[w] * y[j];
      x[k - 1] = y[4] * value;
      sum += x[k - 1];
    }
  return sum;
}

/* --- Kernel 17, implicit conditional computation: xnm and e6 go from each element to the next ------------------- */

static double xnm, e6;

/* The kernel reads these from tables; here each is the sum of a series, so that there is work that can overlap. */
struct coefficients
{
  double vlr, vlin, vsp, vstp;
};

static struct coefficients
coefficients_at (long k)
{
  struct coefficients sum = {0};

  for (long term = 0; term < 16 * livermore_grain; term++)
    {
      sum.vlr = sum.vlr * vxne_before[k] + 0.25;
      sum.vlin = sum.vlin * vxne_before[k] + 0.10;
      sum.vsp = sum.vsp * z[k] / 2 + 0.20;
      sum.vstp = sum.vstp * z[k] / 2 + 0.05;
    }
  return sum;
}

static long
conditional_elements (void)
{
  return livermore_length - 1;
}

static void
conditional_prepare (long loop)
{
  xnm = 1.0 / 3;
  e6 = 1.03 / 3.07;
  memcpy (vxne, vxne_before, (size_t)livermore_length * sizeof *vxne);
}

static void
conditional_element (long i, long k, const struct coefficients *at)
{
  double e3 = xnm * at->vlr + at->vlin, xnc = 5.0 / 3 * e3, xnei = vxne[k];

  statement (i, 2);
  vxnd[k] = e6;
  statement (i, 3);
  if (xnm > xnc || xnei > xnc)
    {
      e6 = xnm * at->vsp + at->vstp;
      statement (i, 4);
      vxne[k] = e6;
      statement (i, 5);
      ve3[k] = e6;
      statement (i, 6);
    }
  else
    {
      ve3[k] = e3;
      statement (i, 7);
      e6 = e3 + e3 - xnm;
      statement (i, 8);
      vxne[k] = e3 + e3 - xnei;
      statement (i, 9);
    }
  xnm = e6;
  statement (i, 10);
}

/* The kernel runs backwards: element j is at place length - 1 - j. */
static void
conditional_iterate (long i, long first, long end)
{
  struct coefficients at[LIVERMORE_MAX_STRIP];

  for (long j = first; j < end; j++)
    {
      at[j - first] = coefficients_at (livermore_length - 1 - j);
      statement (i, 1);
    }
  lc_await (&livermore_order, (uint64_t)i);
  for (long j = first; j < end; j++)
    conditional_element (i, livermore_length - 1 - j, &at[j - first]);
  lc_advance (&livermore_order, (uint64_t)i + 1);
}

static double
conditional_finish (long loop)
{
  double sum = 0;

  for (long k = 1; k < livermore_length; k++)
    sum += vxne[k] + vxnd[k] + ve3[k];
  return sum;
}

static double
conditional_in_sequence (void)
{
  double carried = 1.0 / 3, next = 1.03 / 3.07, sum = 0;

  for (long k = livermore_length - 1; k > 0; k--)
    {
      struct coefficients at = coefficients_at (k);
      double e3 = carried * at.vlr + at.vlin, limit = 5.0 / 3 * e3;
      bool over = carried > limit || vxne_before[k] > limit;

      sum += next;
      next = over ? carried * at.vsp + at.vstp : e3 + e3 - carried;
      sum += over ? next + next : e3 + (e3 + e3 - vxne_before[k]);
      carried = next;
    }
  return sum;
}

/* ---------------------------------------------------------------------------------------------------------------- */

const struct livermore_kernel livermore_kernels[3] = {
    {"inner product", 3, 1, inner_product_elements, inner_product_prepare, inner_product_iterate, inner_product_finish,
     inner_product_in_sequence},
    {"banded linear equations", 4, 3, banded_elements, banded_prepare, banded_iterate, banded_finish,
     banded_in_sequence},
    {"implicit conditional computation", 17, 1, conditional_elements, conditional_prepare, conditional_iterate,
     conditional_finish, conditional_in_sequence},
};
