/* SPDX-License-Identifier: Apache-2.0 */
/* Reads postings: decodes blocks and indexes, and finds the blocks that may have a key. */
#include "postings-bytes.h"

enum
{
  ENTRY_SIZE = 5, /* bytes of an entry, at least */
};

/* The state of decoding a block. */
typedef struct
{
  LcNumbers numbers;
  guint32 n_processes;
  guint32 place; /* place of the previous posting's process */
  guint32 processes[LC_POSTINGS_BLOCK];
  guint64 ordinals[LC_POSTINGS_BLOCK];
} Decoder;

/* --- Blocks ------------------------------------------------------------------------------------------------ */

static inline void
read_key (LcNumbers *numbers, guint8 control, LcPosting *posting)
{
  guint64 object;

  switch (control & LC_POSTING_KEY)
    {
    case LC_POSTING_SAME_KEY:
    case LC_POSTING_NEXT_SEQUENCE:
      posting->sequence = (gint64)((guint64)posting->sequence + (control & LC_POSTING_KEY));
      break;
    case LC_POSTING_LATER_SEQUENCE:
      posting->sequence = (gint64)((guint64)posting->sequence + lc_number_read (numbers) + LC_POSTING_LATER_SEQUENCE);
      break;
    default:
      object = lc_number_read (numbers);
      numbers->bad |= object > G_MAXUINT32;
      posting->object += (guint32)object + 1;
      posting->sequence = (gint64)lc_number_unfold (lc_number_read (numbers));
    }
}

/* Sets the place of the process. FALSE: there is no such place. */
static inline gboolean
postings_read_process (Decoder *decoder, guint8 control, const LcPosting *before)
{
  guint64 place = decoder->place;

  switch (control & LC_POSTING_PROCESS)
    {
    case LC_POSTING_SAME_PROCESS:
      break;
    case LC_POSTING_NEXT_PROCESS:
      place++;
      break;
    case LC_POSTING_KNOWN_PROCESS:
      place = lc_number_read (&decoder->numbers);
      break;
    default:
      place = decoder->n_processes++; /* smaller than the number of postings */
      decoder->processes[place] =
          (guint32)(before->process + lc_number_unfold (lc_number_read (&decoder->numbers)) + 1);
      decoder->ordinals[place] = before->ordinal;
    }
  if (place >= decoder->n_processes)
    return FALSE;
  decoder->place = (guint32)place;
  return TRUE;
}

static gboolean
decode_postings (Decoder *decoder, LcPosting *postings, guint n)
{
  LcPosting posting = {.object = G_MAXUINT32};

  for (guint i = 0; i < n; i++)
    {
      guint8 control = lc_number_read_byte (&decoder->numbers);
      guint64 folded = control >> LC_POSTING_ORDINAL_SHIFT;

      read_key (&decoder->numbers, control, &posting);
      if (!postings_read_process (decoder, control, &posting))
        return FALSE;
      if (folded == LC_POSTING_ORDINAL_LONG)
        folded += lc_number_read (&decoder->numbers);
      posting.process = decoder->processes[decoder->place];
      posting.ordinal = decoder->ordinals[decoder->place] += lc_number_unfold (folded);
      postings[i] = posting;
    }
  return !decoder->numbers.bad && decoder->numbers.at == decoder->numbers.end;
}

gboolean
lc_postings_decode (const guint8 *bytes, gsize size, GArray *postings)
{
  Decoder decoder;
  guint64 n;
  guint before = postings->len;

  if (!lc_seal_open (&decoder.numbers, bytes, size, LC_POSTINGS_BLOCK_SEAL))
    return FALSE;
  n = lc_number_read (&decoder.numbers);
  if (n == 0 || n > LC_POSTINGS_BLOCK)
    return FALSE;
  decoder.n_processes = 0;
  decoder.place = 0;
  g_array_set_size (postings, before + (guint)n);
  if (decode_postings (&decoder, &g_array_index (postings, LcPosting, before), (guint)n))
    return TRUE;
  g_array_set_size (postings, before);
  return FALSE;
}

/* --- Indexes ----------------------------------------------------------------------------------------------- */

static int
read_compare_keys (guint32 object, gint64 sequence, guint32 other_object, gint64 other_sequence)
{
  if (object != other_object)
    return object < other_object ? -1 : 1;
  return sequence < other_sequence ? -1 : sequence > other_sequence;
}

/* Reads an entry; FALSE if it is not in order. */
static gboolean
read_entry (LcNumbers *numbers, LcPostingsEntry *entry, const LcPostingsEntry *before)
{
  guint64 object = lc_number_read (numbers), last_object;

  entry->sequence = (gint64)lc_number_unfold (lc_number_read (numbers));
  last_object = lc_number_read (numbers);
  entry->last_sequence = (gint64)lc_number_unfold (lc_number_read (numbers));
  entry->row = before->row + lc_number_unfold (lc_number_read (numbers));
  if (object > G_MAXUINT32 - before->last_object || last_object > G_MAXUINT32 - before->last_object - object)
    return FALSE;
  entry->object = before->last_object + (guint32)object;
  entry->last_object = entry->object + (guint32)last_object;
  return read_compare_keys (before->last_object, before->last_sequence, entry->object, entry->sequence) <= 0 &&
         read_compare_keys (entry->object, entry->sequence, entry->last_object, entry->last_sequence) <= 0;
}

GArray *
lc_postings_decode_index (const guint8 *bytes, gsize size)
{
  g_autoptr (GArray) entries = NULL;
  LcPostingsEntry before = {.last_sequence = G_MININT64};
  LcNumbers numbers;
  guint64 n;

  if (!lc_seal_open (&numbers, bytes, size, LC_POSTINGS_INDEX_SEAL))
    return NULL;
  n = lc_number_read (&numbers);
  if (n > (guint64)(numbers.end - numbers.at) / ENTRY_SIZE || n > G_MAXUINT32 / sizeof before)
    return NULL;
  entries = g_array_sized_new (FALSE, FALSE, sizeof (LcPostingsEntry), (guint)n);
  g_array_set_size (entries, (guint)n);
  for (guint i = 0; i < n; i++)
    {
      LcPostingsEntry *entry = &g_array_index (entries, LcPostingsEntry, i);

      if (!read_entry (&numbers, entry, &before))
        return NULL;
      before = *entry;
    }
  return numbers.bad || numbers.at != numbers.end ? NULL : g_steal_pointer (&entries);
}

/* Counts the entries that end before a key, or (`by_begin`) that begin at or before it. */
static guint
read_count_before (const GArray *entries, guint32 object, gint64 sequence, gboolean by_begin)
{
  guint low = 0, high = entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const LcPostingsEntry *entry = &g_array_index (entries, LcPostingsEntry, middle);
      gboolean is_before = by_begin
                               ? read_compare_keys (entry->object, entry->sequence, object, sequence) <= 0
                               : read_compare_keys (entry->last_object, entry->last_sequence, object, sequence) < 0;

      if (is_before)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
find_between (const GArray *entries, guint32 object, gint64 from, gint64 to, guint *first, guint *last)
{
  guint ended = read_count_before (entries, object, from, FALSE), begun = read_count_before (entries, object, to, TRUE);

  if (ended >= begun)
    return FALSE;
  *first = ended;
  *last = begun - 1;
  return TRUE;
}

gboolean
lc_postings_find (const GArray *entries, guint32 object, gint64 sequence, guint *first, guint *last)
{
  return find_between (entries, object, sequence, sequence, first, last);
}

gboolean
lc_postings_find_object (const GArray *entries, guint32 object, guint *first, guint *last)
{
  return find_between (entries, object, G_MININT64, G_MAXINT64, first, last);
}

gboolean
lc_postings_find_last (const GArray *entries, guint32 object, gint64 sequence, guint *last)
{
  guint begun = read_count_before (entries, object, sequence, TRUE);

  if (begun == 0 || g_array_index (entries, LcPostingsEntry, begun - 1).last_object < object)
    return FALSE;
  *last = begun - 1;
  return TRUE;
}
