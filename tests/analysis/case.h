/* SPDX-License-Identifier: Apache-2.0 */
/* Histories to try an analysis on: made of text, or at random. */
#ifndef CASE_H
#define CASE_H

#include "lightcone/merge.h"
#include "../history/random-history.h"

typedef struct
{
  char *directory;
  LcHistory *history;
} Case;

/* Of names of processes, each followed by the lines of its events; NULL-terminated. `rules` are further ones, or NULL.
 */
Case *case_new (const char *const *files, const char *rules);
Case *case_new_random (const RandomHistory *random, guint64 skew, guint32 seed);
void case_free (Case *trial);

/* With all that is in it. */
void case_remove_folder (const char *folder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (RandomHistory, random_history_free)

#endif
