/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots: matrices that a program has kept in its trace. */
#ifndef LIGHTCONE_SNAPSHOT_H
#define LIGHTCONE_SNAPSHOT_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  char *name;
  guint64 rows;
  guint64 columns;
  double *values; /* rows * columns, row after row */
} LcSnapshot;

/* The numbers of the snapshots in a trace directory, in order: guint64 in a new array, perhaps none. */
GArray *lc_snapshot_list (const char *directory, GError **error);

/* Reads a snapshot. NULL if it cannot be read; the message names the file and the place in it. Never takes more memory
 * than the file. */
LcSnapshot *lc_snapshot_read (const char *directory, guint64 number, GError **error);
void lc_snapshot_free (LcSnapshot *snapshot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSnapshot, lc_snapshot_free)

G_END_DECLS

#endif
