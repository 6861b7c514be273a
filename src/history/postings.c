/* SPDX-License-Identifier: Apache-2.0 */
/* Writes postings: collects them, and writes sorted runs as blocks and an index. */
#include "postings.h"

#include <string.h>

#include "postings-bytes.h"
#include "postings-sort.h"

enum
{
  FIRST_ROOM = 1 << 12,          /* postings */
  SLOTS = 4 * LC_POSTINGS_BLOCK, /* slots of the table of a block's processes */
};

typedef struct
{
  guint32 process;
  guint32 block; /* number of the block that uses the slot; 0: none yet */
  guint32 place;
  guint64 ordinal; /* the process's last ordinal */
} Slot;

/* The run that is being sorted and encoded. */
typedef struct
{
  GThread *thread; /* NULL: none is running */
  LcPosting *postings, *scratch, *sorted;
  gsize n, room, scratch_room;
  GArray *sizes;      /* guint: bytes of each block */
  GByteArray *blocks; /* the bytes of the blocks */
} Run;

struct _LcPostings
{
  LcPostingsBlock block;
  LcPostingsIndex index;
  gpointer data;
  LcPosting *postings; /* postings of the next run, being collected */
  gsize n, room;
  Run run;
  guint32 n_runs; /* runs written */
  guint32 block_number;
  guint32 n_processes; /* processes in the present block */
  Slot slots[SLOTS];
  GByteArray *bytes;
  GByteArray *index_bytes;
};

LcPostings *
lc_postings_new (LcPostingsBlock block, LcPostingsIndex index, gpointer data)
{
  LcPostings *postings = g_new0 (LcPostings, 1);

  postings->block = block;
  postings->index = index;
  postings->data = data;
  postings->run.sizes = g_array_new (FALSE, FALSE, sizeof (guint));
  postings->run.blocks = g_byte_array_new ();
  postings->bytes = g_byte_array_new ();
  postings->index_bytes = g_byte_array_new ();
  return postings;
}

void
lc_postings_free (LcPostings *postings)
{
  if (postings == NULL)
    return;
  if (postings->run.thread != NULL)
    g_thread_join (postings->run.thread);
  g_free (postings->postings);
  g_free (postings->run.postings);
  g_free (postings->run.scratch);
  g_array_unref (postings->run.sizes);
  g_byte_array_unref (postings->run.blocks);
  g_byte_array_unref (postings->bytes);
  g_byte_array_unref (postings->index_bytes);
  g_free (postings);
}

/* --- One block --------------------------------------------------------------------------------------------- */

static Slot *
postings_find_slot (LcPostings *postings, guint32 process)
{
  guint32 at = (process * 2654435761u) >> 21;

  G_STATIC_ASSERT (SLOTS == 1 << (32 - 21));
  while (postings->slots[at].block == postings->block_number && postings->slots[at].process != process)
    at = (at + 1) % SLOTS;
  return &postings->slots[at];
}

static inline guint8 *
write_key (guint8 *at, guint8 *control, const LcPosting *posting, const LcPosting *before)
{
  guint64 later;

  if (before == NULL || posting->object != before->object)
    {
      *control |= LC_POSTING_NEW_OBJECT;
      at = lc_number_write (at, before == NULL ? posting->object : posting->object - before->object - 1);
      return lc_number_write (at, lc_number_fold ((guint64)posting->sequence));
    }
  later = (guint64)posting->sequence - (guint64)before->sequence;
  *control |= (guint8)MIN (later, LC_POSTING_LATER_SEQUENCE);
  return later < LC_POSTING_LATER_SEQUENCE ? at : lc_number_write (at, later - LC_POSTING_LATER_SEQUENCE);
}

/* Sets `from` to the ordinal that the posting's ordinal is encoded relative to. */
static inline guint8 *
write_process (LcPostings *postings, guint8 *at, guint8 *control, const LcPosting *posting, const LcPosting *before,
               Slot **slot, guint64 *from)
{
  guint32 last = *slot == NULL ? 0 : (*slot)->place;

  if (*slot != NULL && posting->process == before->process)
    {
      *from = (*slot)->ordinal;
      return at;
    }
  *slot = postings_find_slot (postings, posting->process);
  if ((*slot)->block == postings->block_number)
    {
      *from = (*slot)->ordinal;
      *control |= (*slot)->place == last + 1 ? LC_POSTING_NEXT_PROCESS : LC_POSTING_KNOWN_PROCESS;
      return (*slot)->place == last + 1 ? at : lc_number_write (at, (*slot)->place);
    }
  **slot = (Slot){
      .process = posting->process, .block = postings->block_number, .place = postings->n_processes++, .ordinal = 0};
  *from = before == NULL ? 0 : before->ordinal;
  *control |= LC_POSTING_NEW_PROCESS;
  return lc_number_write (at, lc_number_fold ((guint64)posting->process - (before == NULL ? 0 : before->process) - 1));
}

static inline guint8 *
write_ordinal (guint8 *at, guint8 *control, guint64 difference)
{
  guint64 folded = lc_number_fold (difference);

  *control |= (guint8)(MIN (folded, LC_POSTING_ORDINAL_LONG) << LC_POSTING_ORDINAL_SHIFT);
  return folded < LC_POSTING_ORDINAL_LONG ? at : lc_number_write (at, folded - LC_POSTING_ORDINAL_LONG);
}

static void
encode_block (LcPostings *postings, const LcPosting *run, guint n)
{
  GByteArray *bytes = postings->bytes;
  Slot *slot = NULL;
  guint8 *at;

  if (++postings->block_number == 0)
    {
      memset (postings->slots, 0, sizeof postings->slots);
      postings->block_number = 1;
    }
  postings->n_processes = 0;
  lc_seal_begin (bytes, LC_POSTINGS_BLOCK_SEAL);
  g_byte_array_set_size (bytes, LC_SEAL_BEFORE + LC_NUMBER_SIZE + n * LC_POSTING_SIZE);
  at = lc_number_write (bytes->data + LC_SEAL_BEFORE, n);
  for (guint i = 0; i < n; i++)
    {
      const LcPosting *posting = &run[i], *before = i == 0 ? NULL : posting - 1;
      guint8 *control = at++;
      guint64 from;

      *control = 0;
      at = write_key (at, control, posting, before);
      at = write_process (postings, at, control, posting, before, &slot, &from);
      at = write_ordinal (at, control, posting->ordinal - from);
      slot->ordinal = posting->ordinal;
    }
  g_byte_array_set_size (bytes, (guint)(at - bytes->data));
  lc_seal_set (bytes);
}

/* --- One run ----------------------------------------------------------------------------------------------- */

static void
append_entry (GByteArray *index, const LcPosting *first, const LcPosting *last, guint32 object_before, guint64 row,
              guint64 row_before)
{
  lc_number_append (index, first->object - object_before);
  lc_number_append (index, lc_number_fold ((guint64)first->sequence));
  lc_number_append (index, last->object - first->object);
  lc_number_append (index, lc_number_fold ((guint64)last->sequence));
  lc_number_append (index, lc_number_fold (row - row_before));
}

/* Sorts a run and encodes its blocks, on its own thread while the next run is collected. */
static gpointer
make_run (gpointer data)
{
  LcPostings *postings = data;
  Run *run = &postings->run;

  if (run->scratch_room < run->n)
    {
      g_free (run->scratch);
      run->scratch_room = run->room;
      run->scratch = g_new (LcPosting, run->scratch_room);
    }
  run->sorted = lc_postings_sort (run->postings, run->scratch, run->n);
  for (gsize i = 0; i < run->n; i += LC_POSTINGS_BLOCK)
    {
      encode_block (postings, run->sorted + i, (guint)MIN (run->n - i, LC_POSTINGS_BLOCK));
      g_array_append_val (run->sizes, postings->bytes->len);
      g_byte_array_append (run->blocks, postings->bytes->data, postings->bytes->len);
    }
  return NULL;
}

/* Waits for the present run and writes its blocks and its index. */
static gboolean
give_run (LcPostings *postings, GError **error)
{
  GByteArray *index = postings->index_bytes;
  Run *run = &postings->run;
  guint64 row_before = 0;
  gsize offset = 0;

  if (run->n == 0)
    return TRUE;
  if (run->thread != NULL)
    g_thread_join (g_steal_pointer (&run->thread));
  lc_seal_begin (index, LC_POSTINGS_INDEX_SEAL);
  lc_number_append (index, run->sizes->len);
  for (guint i = 0; i < run->sizes->len; i++)
    {
      const LcPosting *first = &run->sorted[i * LC_POSTINGS_BLOCK];
      guint size = g_array_index (run->sizes, guint, i);
      gsize last = MIN ((i + 1) * (gsize)LC_POSTINGS_BLOCK, run->n) - 1;
      guint64 row;

      g_byte_array_set_size (postings->bytes, 0);
      g_byte_array_append (postings->bytes, run->blocks->data + offset, size);
      offset += size;
      if (!postings->block (postings->data, postings->bytes, &row, error))
        return FALSE;
      append_entry (index, first, &run->sorted[last], i == 0 ? 0 : first[-1].object, row, row_before);
      row_before = row;
    }
  lc_seal_set (index);
  run->n = 0;
  g_array_set_size (run->sizes, 0);
  g_byte_array_set_size (run->blocks, 0);
  return postings->index (postings->data, postings->n_runs++, index, error);
}

/* Makes the collected postings the present run; collecting goes on in the memory of the previous one. */
static gboolean
begin_run (LcPostings *postings, GError **error)
{
  LcPosting *collected = postings->postings;
  gsize room = postings->room;

  if (!give_run (postings, error))
    return FALSE;
  postings->postings = postings->run.postings;
  postings->room = postings->run.room;
  postings->run.postings = collected;
  postings->run.room = room;
  postings->run.n = postings->n;
  postings->n = 0;
  return TRUE;
}

static void
postings_make_room (LcPostings *postings)
{
  postings->room = postings->room == 0 ? FIRST_ROOM : postings->room * 2;
  postings->postings = g_renew (LcPosting, postings->postings, postings->room);
}

static inline gboolean
postings_add (LcPostings *postings, const LcPosting *posting, GError **error)
{
  if (postings->n == LC_POSTINGS_RUN)
    {
      if (!begin_run (postings, error))
        return FALSE;
      postings->run.thread = g_thread_new ("postings", make_run, postings);
    }
  if (postings->n == postings->room)
    postings_make_room (postings);
  postings->postings[postings->n++] = *posting;
  return TRUE;
}

gboolean
lc_postings_add (LcPostings *postings, const LcPosting *posting, GError **error)
{
  return postings_add (postings, posting, error);
}

gboolean
lc_postings_add_block (LcPostings *postings, const LcBlock *block, GError **error)
{
  for (guint32 i = 0; i < block->n_events; i++)
    {
      const LcPosting posting = {.object = block->object[i],
                                 .process = block->process,
                                 .sequence = block->flags[i] & LC_TRACE_EVENT_SEQUENCE ? block->sequence[i] : 0,
                                 .ordinal = block->first_ordinal + i};

      if (posting.object != LC_TRACE_NONE && !postings_add (postings, &posting, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
lc_postings_finish (LcPostings *postings, GError **error)
{
  if (!begin_run (postings, error))
    return FALSE;
  if (postings->run.n > 0)
    make_run (postings);
  return give_run (postings, error);
}
