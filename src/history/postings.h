/* SPDX-License-Identifier: Apache-2.0 */
/* Postings lead from (object, sequence) to events. They are in sorted runs of a bounded size. */
#ifndef LC_HISTORY_POSTINGS_H
#define LC_HISTORY_POSTINGS_H

#include "block.h"

/*
 * Events are collected as they come, and sorted by (object, sequence, process, ordinal) when there are
 * LC_POSTINGS_RUN of them. A run is written as blocks of at most LC_POSTINGS_BLOCK postings, and an index of the first
 * and last key of each block. So memory is bounded, and a look-up decodes one block, seldom two, of each run that may
 * have the key. Events without a sequence number have 0; those without an object have no posting.
 */
#define LC_POSTINGS_RUN (1 << 20)
#define LC_POSTINGS_BLOCK 512

typedef struct
{
  guint32 object;
  guint32 process;
  gint64 sequence;
  guint64 ordinal;
} LcPosting;

/* --- Writing ----------------------------------------------------------------------------------------------- */

typedef struct _LcPostings LcPostings;

/* Called with the bytes of a block (and sets its row), or of the index of a run. */
typedef gboolean (*LcPostingsBlock) (gpointer data, const GByteArray *bytes, guint64 *row, GError **error);
typedef gboolean (*LcPostingsIndex) (gpointer data, guint32 run, const GByteArray *bytes, GError **error);

LcPostings *lc_postings_new (LcPostingsBlock block, LcPostingsIndex index, gpointer data);
void lc_postings_free (LcPostings *postings);

gboolean lc_postings_add (LcPostings *postings, const LcPosting *posting, GError **error);

/* Adds all events of a block that have an object. */
gboolean lc_postings_add_block (LcPostings *postings, const LcBlock *block, GError **error);

/* Writes the last run. */
gboolean lc_postings_finish (LcPostings *postings, GError **error);

/* --- Reading ----------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 object, last_object;
  gint64 sequence, last_sequence;
  guint64 row;
} LcPostingsEntry;

/* Returns the LcPostingsEntry in order; NULL: the bytes are damaged. */
GArray *lc_postings_decode_index (const guint8 *bytes, gsize size);

/* Finds the first and the last entry that may have the key. FALSE: none has it. */
gboolean lc_postings_find (const GArray *entries, guint32 object, gint64 sequence, guint *first, guint *last);

/* Finds the last entry of the key's object that begins at or before the key. FALSE: there is none. */
gboolean lc_postings_find_last (const GArray *entries, guint32 object, gint64 sequence, guint *last);

/* Finds the entries that may have the object, with any sequence number. */
gboolean lc_postings_find_object (const GArray *entries, guint32 object, guint *first, guint *last);

/* Appends the postings of a block to an array of LcPosting. FALSE: the bytes are damaged. */
gboolean lc_postings_decode (const guint8 *bytes, gsize size, GArray *postings);

#endif
