/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts a run of postings by the digits of the object, then the postings of each object among themselves. */
#include "postings-sort.h"

#include <string.h>

enum
{
  DIGIT = 12, /* bits of a digit, at most */
  DIGITS = 3,
  MOVES = 4,  /* average moves of a posting beyond which merging is faster */
  SHORT = 16, /* postings sorted by insertion before they are merged */
};

typedef struct
{
  LcPosting *postings;
  LcPosting *scratch;
  guint32 lowest; /* the lowest object */
  guint bits;     /* bits of a digit */
  guint passes;
} Sort;

static inline gboolean
sort_is_before (const LcPosting *a, const LcPosting *b)
{
  if (a->sequence != b->sequence)
    return a->sequence < b->sequence;
  if (a->process != b->process)
    return a->process < b->process;
  return a->ordinal < b->ordinal;
}

/* --- By object --------------------------------------------------------------------------------------------- */

static void
choose_digits (Sort *sort, gsize n)
{
  guint32 lowest = G_MAXUINT32, highest = 0;
  guint bits;

  for (gsize i = 0; i < n; i++)
    {
      lowest = MIN (lowest, sort->postings[i].object);
      highest = MAX (highest, sort->postings[i].object);
    }
  bits = n > 0 && highest > lowest ? g_bit_storage (highest - lowest) : 0;
  sort->lowest = lowest;
  sort->passes = (bits + DIGIT - 1) / DIGIT;
  sort->bits = sort->passes > 0 ? (bits + sort->passes - 1) / sort->passes : 0;
}

static inline guint32
digit_of (const Sort *sort, const LcPosting *posting, guint pass)
{
  return ((posting->object - sort->lowest) >> (pass * sort->bits)) & ((1u << sort->bits) - 1);
}

static void
sort_scatter (Sort *sort, gsize n, guint pass, guint32 *count)
{
  guint32 place = 0;
  LcPosting *sorted = sort->scratch;

  for (guint i = 0; i < 1u << sort->bits; i++)
    {
      guint32 size = count[i];

      count[i] = place;
      place += size;
    }
  for (gsize i = 0; i < n; i++)
    sorted[count[digit_of (sort, &sort->postings[i], pass)]++] = sort->postings[i];
  sort->scratch = sort->postings;
  sort->postings = sorted;
}

static void
sort_by_object (Sort *sort, gsize n)
{
  guint32 counts[DIGITS][1 << DIGIT] = {{0}};

  choose_digits (sort, n);
  for (gsize i = 0; i < n && sort->passes > 0; i++)
    for (guint pass = 0; pass < sort->passes; pass++)
      counts[pass][digit_of (sort, &sort->postings[i], pass)]++;
  for (guint pass = 0; pass < sort->passes; pass++)
    sort_scatter (sort, n, pass, counts[pass]);
}

/* --- Within an object -------------------------------------------------------------------------------------- */

/* FALSE: it gave up after more than `most` moves a posting. */
static gboolean
sort_by_insertion (LcPosting *postings, gsize n, gsize most)
{
  gsize moves = 0;

  for (gsize i = 1; i < n; i++)
    {
      LcPosting posting = postings[i];
      gsize place = i;

      while (place > 0 && sort_is_before (&posting, &postings[place - 1]))
        {
          postings[place] = postings[place - 1];
          place--;
        }
      postings[place] = posting;
      moves += i - place;
      if (moves > most * (i + SHORT))
        return FALSE;
    }
  return TRUE;
}

/* Counts the sorted postings that come before this one, or are equal to it. */
static gsize
sort_count_before (const LcPosting *postings, gsize n, const LcPosting *posting)
{
  gsize low = 0;

  while (low < n)
    {
      gsize middle = low + (n - low) / 2;

      if (sort_is_before (posting, &postings[middle]))
        n = middle;
      else
        low = middle + 1;
    }
  return low;
}

/* Merges two sorted pieces, one after the other in memory. Only postings where they overlap are moved. */
static void
sort_merge (LcPosting *postings, gsize half, gsize n, LcPosting *scratch)
{
  const LcPosting *second = postings + half, *second_end;
  LcPosting *first = scratch, *end;
  gsize kept;

  if (!sort_is_before (second, second - 1))
    return;
  kept = sort_count_before (postings, half, second);
  second_end = second + sort_count_before (second, n - half, second - 1);
  end = scratch + half - kept;
  memcpy (scratch, postings + kept, (half - kept) * sizeof *postings);
  postings += kept;
  while (first < end && second < second_end)
    *postings++ = sort_is_before (second, first) ? *second++ : *first++;
  memcpy (postings, first, (gsize)(end - first) * sizeof *postings);
}

static void
sort_by_merging (LcPosting *postings, gsize n, LcPosting *scratch)
{
  for (gsize i = 0; i < n; i += SHORT)
    sort_by_insertion (postings + i, MIN (SHORT, n - i), SHORT);
  for (gsize half = SHORT; half < n; half *= 2)
    for (gsize i = 0; i + half < n; i += 2 * half)
      sort_merge (postings + i, half, MIN (2 * half, n - i), scratch);
}

LcPosting *
lc_postings_sort (LcPosting *postings, LcPosting *scratch, gsize n)
{
  Sort sort = {.postings = postings, .scratch = scratch};
  gsize first = 0;

  sort_by_object (&sort, n);
  for (gsize i = 1; i <= n; i++)
    if (i == n || sort.postings[i].object != sort.postings[first].object)
      {
        if (!sort_by_insertion (sort.postings + first, i - first, MOVES))
          sort_by_merging (sort.postings + first, i - first, sort.scratch);
        first = i;
      }
  return sort.postings;
}
