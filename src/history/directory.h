/* SPDX-License-Identifier: Apache-2.0 */
/* The column blocks of a process by ordinal, time and layer: one row of the table block_index. */
#ifndef LC_HISTORY_DIRECTORY_H
#define LC_HISTORY_DIRECTORY_H

#include "block.h"

typedef struct
{
  guint64 row;         /* row in the table block */
  guint64 first_begin; /* begin of its first event */
  guint64 last_end;    /* end of its last event */
  guint64 first_layer;
  guint64 last_layer;
} LcDirectoryEntry;

typedef struct
{
  guint64 n_events;
  GArray *entries; /* LcDirectoryEntry, in order: entry k is the block of the events from k * LC_BLOCK_EVENTS on */
} LcDirectory;

LcDirectory *lc_directory_new (void);
void lc_directory_free (LcDirectory *directory);

/* The number of entries must be the number of blocks that n_events need. */
void lc_directory_encode (const LcDirectory *directory, GByteArray *bytes);

/* NULL: the bytes are damaged. */
LcDirectory *lc_directory_decode (const guint8 *bytes, gsize size);

/* Returns the number of the first entry whose last end (layer) is not before this time (layer), or the number of
 * entries if there is none. */
guint lc_directory_find_time (const LcDirectory *directory, guint64 time);
guint lc_directory_find_layer (const LcDirectory *directory, guint64 layer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcDirectory, lc_directory_free)

#endif
