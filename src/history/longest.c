/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the longest arcs of each bucket of time, on each level of length. */
#include "longest.h"

#include "numbers.h"

enum
{
  LEVELS = 64,
  MOST_BUCKETS = 1 << 16, /* buckets of the lowest level, at most */
  EVENTS = 512,           /* events for each bucket of the lowest level, about */
  LEAST_BUCKETS = 64,
  TOLERANCE = 4,       /* factor of buckets that are added if the trace is longer than expected */
  MOST_ARCS = 3 << 19, /* arcs kept on all levels: 72 MB */
  FIRST_ROOM = 4,
  SEAL = 0x71,
  ARC_SIZE = 8, /* numbers of an arc, each of at least one byte */
};

/* The arcs are a heap in which no arc comes before its parent in the order, so the first is the shortest. */
typedef struct
{
  guint16 n, room;
  LcHistoryArc arcs[];
} Bucket;

typedef struct
{
  Bucket **buckets;
  gsize room;
  guint64 n_arcs;
} Level;

struct _LcLongest
{
  guint32 timeline;
  guint first_lowest;
  guint lowest;
  guint64 most_buckets;
  guint64 n_arcs;
  Level levels[LEVELS];
};

gint64
lc_longest_key (guint32 timeline, guint level, guint64 bucket)
{
  return (gint64)((guint64)(timeline & 0xff) << 55 | (guint64)(level & 0x3f) << 49 |
                  (bucket & ((G_GUINT64_CONSTANT (1) << 49) - 1)));
}

LcLongest *
lc_longest_new (guint32 timeline, guint64 events, guint64 end)
{
  LcLongest *longest = g_new0 (LcLongest, 1);

  longest->timeline = timeline;
  longest->most_buckets = MIN (MOST_BUCKETS, events / EVENTS + LEAST_BUCKETS);
  while (end >> longest->lowest >= longest->most_buckets)
    longest->lowest++;
  longest->first_lowest = longest->lowest;
  return longest;
}

static void
longest_free_level (LcLongest *longest, guint level)
{
  Level *row = &longest->levels[level];

  for (gsize i = 0; i < row->room; i++)
    g_free (row->buckets[i]);
  g_free (row->buckets);
  longest->n_arcs -= row->n_arcs;
  *row = (Level){0};
}

void
lc_longest_free (LcLongest *longest)
{
  if (longest == NULL)
    return;
  for (guint level = 0; level < LEVELS; level++)
    longest_free_level (longest, level);
  g_free (longest);
}

guint
lc_longest_get_lowest (const LcLongest *longest)
{
  return longest->lowest;
}

/* --- The order of arcs ------------------------------------------------------------------------------------- */

#define COMPARE(a, b) \
  do \
    if ((a) != (b)) \
      return (a) < (b) ? -1 : 1; \
  while (0)

static int
longest_compare (const LcHistoryArc *a, const LcHistoryArc *b)
{
  COMPARE (b->to_time - b->from_time, a->to_time - a->from_time);
  COMPARE (a->to_time, b->to_time);
  COMPARE (a->to_process, b->to_process);
  COMPARE (a->to_ordinal, b->to_ordinal);
  COMPARE (a->from_process, b->from_process);
  COMPARE (a->from_ordinal, b->from_ordinal);
  COMPARE (a->from_point, b->from_point);
  COMPARE (a->rule, b->rule);
  COMPARE (a->object, b->object);
  return 0;
}

static void
sift_up (Bucket *bucket, guint place)
{
  LcHistoryArc arc = bucket->arcs[place];

  while (place > 0 && longest_compare (&arc, &bucket->arcs[(place - 1) / 2]) > 0)
    {
      bucket->arcs[place] = bucket->arcs[(place - 1) / 2];
      place = (place - 1) / 2;
    }
  bucket->arcs[place] = arc;
}

static void
replace_last (Bucket *bucket, const LcHistoryArc *arc)
{
  guint place = 0;

  for (guint child = 1; child < bucket->n; child = 2 * place + 1)
    {
      if (child + 1u < bucket->n && longest_compare (&bucket->arcs[child + 1], &bucket->arcs[child]) > 0)
        child++;
      if (longest_compare (arc, &bucket->arcs[child]) >= 0)
        break;
      bucket->arcs[place] = bucket->arcs[child];
      place = child;
    }
  bucket->arcs[place] = *arc;
}

/* --- Adding ------------------------------------------------------------------------------------------------ */

/* The lowest levels have most of the buckets, so each bucket there keeps fewer arcs. */
static guint
most_kept (const LcLongest *longest, guint level)
{
  return level < longest->first_lowest + 2 ? LC_LONGEST_KEPT / 4 : LC_LONGEST_KEPT;
}

static Bucket *
get_bucket (LcLongest *longest, guint level, guint64 number)
{
  Level *row = &longest->levels[level];

  if (number >= row->room)
    {
      gsize room = MAX (number + 1 + number / 4, 16);

      row->buckets = g_renew (Bucket *, row->buckets, room);
      memset (row->buckets + row->room, 0, (room - row->room) * sizeof *row->buckets);
      row->room = room;
    }
  return row->buckets[number];
}

static void
longest_keep (LcLongest *longest, guint level, guint64 number, const LcHistoryArc *arc)
{
  Bucket *bucket = get_bucket (longest, level, number);

  if (bucket != NULL && bucket->n == most_kept (longest, level))
    {
      if (longest_compare (arc, &bucket->arcs[0]) < 0)
        replace_last (bucket, arc);
      return;
    }
  if (bucket == NULL || bucket->n == bucket->room)
    {
      guint16 n = bucket == NULL ? 0 : bucket->n, room = n == 0 ? FIRST_ROOM : (guint16)(2 * n);

      bucket = g_realloc (bucket, sizeof *bucket + room * sizeof *arc);
      bucket->n = n;
      bucket->room = room;
      longest->levels[level].buckets[number] = bucket;
    }
  bucket->arcs[bucket->n] = *arc;
  sift_up (bucket, bucket->n++);
  longest->levels[level].n_arcs++;
  longest->n_arcs++;
}

void
lc_longest_add (LcLongest *longest, const LcHistoryArc *arc)
{
  guint level;

  if (arc->to_time <= arc->from_time)
    return;
  level = (guint)g_bit_storage (arc->to_time - arc->from_time) - 1;
  if (level < longest->lowest)
    return;
  while (arc->to_time >> longest->lowest >= TOLERANCE * longest->most_buckets || longest->n_arcs >= MOST_ARCS)
    longest_free_level (longest, longest->lowest++);
  if (level >= longest->lowest)
    longest_keep (longest, level, arc->to_time >> level, arc);
}

/* --- Bytes ------------------------------------------------------------------------------------------------- */

int
lc_longest_compare (gconstpointer a, gconstpointer b)
{
  return longest_compare (a, b);
}

/* Sorts the heap: its first arc is always the last in order, so the array fills up from behind. */
static void
longest_sort (Bucket *bucket)
{
  const guint16 n = bucket->n;

  while (bucket->n > 1)
    {
      const LcHistoryArc arc = bucket->arcs[--bucket->n];

      bucket->arcs[bucket->n] = bucket->arcs[0];
      replace_last (bucket, &arc);
    }
  bucket->n = n;
}

/* Writes the number of arcs, and for each how much shorter it is than the previous one, and the difference of their
 * ends. */
static void
longest_encode (Bucket *bucket, GByteArray *bytes)
{
  guint64 length = 0, end = 0;
  guint8 *at;

  longest_sort (bucket);
  lc_seal_begin (bytes, SEAL);
  g_byte_array_set_size (bytes, LC_SEAL_BEFORE + (1u + bucket->n * ARC_SIZE) * LC_NUMBER_SIZE);
  at = lc_number_write (bytes->data + LC_SEAL_BEFORE, bucket->n);
  for (guint i = 0; i < bucket->n; i++)
    {
      const LcHistoryArc *arc = &bucket->arcs[i];
      guint64 own = arc->to_time - arc->from_time;

      at = lc_number_write (at, i == 0 ? own : length - own);
      at = lc_number_write (at, lc_number_fold (arc->to_time - end));
      at = lc_number_write (at, arc->to_process);
      at = lc_number_write (at, arc->to_ordinal);
      at = lc_number_write (at, arc->from_process);
      at = lc_number_write (at, arc->from_ordinal);
      at = lc_number_write (at, (guint64)arc->rule << 1 | (arc->from_point == LC_POINT_END));
      at = lc_number_write (at, arc->object + 1);
      length = own;
      end = arc->to_time;
    }
  g_byte_array_set_size (bytes, (guint)(at - bytes->data));
  lc_seal_set (bytes);
}

gboolean
lc_longest_finish (LcLongest *longest, LcLongestBucket give, gpointer data, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  for (guint level = longest->lowest; level < LEVELS; level++)
    for (gsize i = 0; i < longest->levels[level].room; i++)
      {
        Bucket *bucket = longest->levels[level].buckets[i];

        if (bucket == NULL)
          continue;
        longest_encode (bucket, bytes);
        if (!give (data, lc_longest_key (longest->timeline, level, i), bytes, error))
          return FALSE;
      }
  return TRUE;
}

static gboolean
decode_arc (LcNumbers *numbers, LcHistoryArc *arc, guint64 *length, guint64 *end)
{
  guint64 own = lc_number_read (numbers), to_process, from_process, rule, object;

  *length = *length == 0 ? own : *length - own;
  *end += lc_number_unfold (lc_number_read (numbers));
  to_process = lc_number_read (numbers);
  arc->to_ordinal = lc_number_read (numbers);
  from_process = lc_number_read (numbers);
  arc->from_ordinal = lc_number_read (numbers);
  rule = lc_number_read (numbers);
  object = lc_number_read (numbers);
  arc->to_time = *end;
  arc->from_time = *end - *length;
  arc->to_process = (guint32)to_process;
  arc->from_process = (guint32)from_process;
  arc->rule = (guint16)(rule >> 1);
  arc->from_point = rule & 1 ? LC_POINT_END : LC_POINT_BEGIN;
  arc->object = (guint32)object - 1;
  return *length > 0 && *length <= *end && (to_process | from_process | object) <= G_MAXUINT32 &&
         rule >> 1 <= G_MAXUINT16;
}

gboolean
lc_longest_decode (const guint8 *bytes, gsize size, GArray *arcs)
{
  guint64 length = 0, end = 0, n;
  guint before = arcs->len;
  LcNumbers numbers;

  if (!lc_seal_open (&numbers, bytes, size, SEAL))
    return FALSE;
  n = lc_number_read (&numbers);
  if (n > LC_LONGEST_KEPT || n * ARC_SIZE > (gsize)(numbers.end - numbers.at))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      LcHistoryArc arc = {0};

      if (!decode_arc (&numbers, &arc, &length, &end))
        numbers.bad = TRUE;
      g_array_append_val (arcs, arc);
    }
  if (!numbers.bad && numbers.at == numbers.end)
    return TRUE;
  g_array_set_size (arcs, before);
  return FALSE;
}
