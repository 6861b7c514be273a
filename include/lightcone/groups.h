/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of processes that belong together, for rows that show several processes as one. */
#ifndef LIGHTCONE_GROUPS_H
#define LIGHTCONE_GROUPS_H

#include "lightcone/history.h"

G_BEGIN_DECLS

/* Groups in the form of the rows of LcSceneQuery (scene.h): group g has the processes from processes[row_ends[g - 1]]
 * to before processes[row_ends[g]], and the first group begins at processes[0]. */
typedef struct
{
  guint32 *processes; /* as given, but those of a group one after the other */
  guint32 n_processes;
  guint32 *row_ends;
  char **names; /* "worker (6)"; of a single process, its name; NULL after the last */
  guint32 n_groups;
} LcGroups;

/* Groups come in the order of their first processes. `processes` are those to group, each once; NULL: all. */

/* Groups the processes that ran on the same machine. */
LcGroups *lc_groups_by_host (const LcHistory *history, const guint32 *processes, guint32 n_processes);

/* Groups the processes whose names differ only in the number at the end: worker-1 and worker-12, rank 3 thread 0 and
 * rank 3 thread 1. */
LcGroups *lc_groups_by_prefix (const LcHistory *history, const guint32 *processes, guint32 n_processes);

/* Puts all processes into one group. */
LcGroups *lc_groups_of_all (const LcHistory *history, const guint32 *processes, guint32 n_processes);

void lc_groups_free (LcGroups *groups);

/* A name for these processes together, from the common part of their names. Free with g_free. */
char *lc_groups_dup_name (const LcHistory *history, const guint32 *processes, guint32 n_processes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcGroups, lc_groups_free)

G_END_DECLS

#endif
