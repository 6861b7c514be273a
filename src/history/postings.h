/* SPDX-License-Identifier: Apache-2.0 */
/* Postings: from (object, sequence) to the events, in sorted runs of a bounded size. */
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

/* Gives the bytes of a block (and gets its row), or of the index of a run. */
typedef gboolean (*LcPostingsBlock) (gpointer data, const GByteArray *bytes, guint64 *row, GError **error);
typedef gboolean (*LcPostingsIndex) (gpointer data, guint32 run, const GByteArray *bytes, GError **error);

LcPostings *lc_postings_new (LcPostingsBlock block, LcPostingsIndex index, gpointer data);
void lc_postings_free (LcPostings *postings);

gboolean lc_postings_add (LcPostings *postings, const LcPosting *posting, GError **error);

/* All events of a block that have an object. */
gboolean lc_postings_add_block (LcPostings *postings, const LcBlock *block, GError **error);

/* Writes what is left. */
gboolean lc_postings_finish (LcPostings *postings, GError **error);

/* --- Reading ----------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 object, last_object;
  gint64 sequence, last_sequence;
  guint64 row;
} LcPostingsEntry;

/* LcPostingsEntry in order; NULL: these are not the bytes that were written. */
GArray *lc_postings_decode_index (const guint8 *bytes, gsize size);

/* The first and the last entry that may have the key, of an array as above. FALSE: none has. */
gboolean lc_postings_find (const GArray *entries, guint32 object, gint64 sequence, guint *first, guint *last);

/* The last entry that begins at or before the key, of its object. FALSE: there is none. */
gboolean lc_postings_find_last (const GArray *entries, guint32 object, gint64 sequence, guint *last);

/* The same as lc_postings_find for all sequence numbers. */
gboolean lc_postings_find_object (const GArray *entries, guint32 object, guint *first, guint *last);

/* Appends the postings of a block to an array of LcPosting. FALSE: these are not the bytes that were written. */
gboolean lc_postings_decode (const guint8 *bytes, gsize size, GArray *postings);

#endif
