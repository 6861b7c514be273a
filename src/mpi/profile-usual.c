/* SPDX-License-Identifier: Apache-2.0 */
/* What an operation usually costs: the mean of the shortest quarter of the last times. */
#include "profile-usual.h"

#include <string.h>

/* Sorts, as there are few. */
static int64_t
usual_find_mean (int64_t *lengths, uint32_t n)
{
  uint32_t quarter = n / 4 > 0 ? n / 4 : 1;
  int64_t sum = 0;

  for (uint32_t i = 1; i < n; i++)
    for (uint32_t j = i; j > 0 && lengths[j] < lengths[j - 1]; j--)
      {
        int64_t kept = lengths[j];

        lengths[j] = lengths[j - 1];
        lengths[j - 1] = kept;
      }
  for (uint32_t i = 0; i < quarter; i++)
    sum += lengths[i];
  return sum / quarter;
}

void
lc_usual_add (struct lc_usual *usual, int64_t length)
{
  int64_t sorted[LC_USUAL_KEPT], mean;
  uint32_t n;

  /* Another thread adds a length now, which is enough for both. */
  if (__atomic_test_and_set (&usual->is_busy, __ATOMIC_ACQUIRE))
    return;
  usual->lengths[usual->n++ % LC_USUAL_KEPT] = length;
  n = usual->n < LC_USUAL_KEPT ? usual->n : LC_USUAL_KEPT;
  /* Later on it is enough to look now and then. */
  if (n >= LC_USUAL_FEW && (n < LC_USUAL_KEPT || usual->n % (LC_USUAL_KEPT / 4) == 0))
    {
      memcpy (sorted, usual->lengths, n * sizeof *sorted);
      mean = usual_find_mean (sorted, n);
      __atomic_store_n (&usual->found, mean > 0 ? mean : 1, __ATOMIC_RELAXED);
    }
  __atomic_clear (&usual->is_busy, __ATOMIC_RELEASE);
}

int64_t
lc_usual_get (const struct lc_usual *usual, int64_t first)
{
  int64_t found = __atomic_load_n (&usual->found, __ATOMIC_RELAXED);

  if (found == 0)
    return first;
  return first > 0 && found > LC_USUAL_FAR * first ? LC_USUAL_FAR * first : found;
}

int64_t
lc_usual_limit (const struct lc_usual *usual, int64_t first, int64_t length)
{
  int64_t known = lc_usual_get (usual, first);

  return known > 0 && length > LC_USUAL_FAR * known ? known : length;
}
