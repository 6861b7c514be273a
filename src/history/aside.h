/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a file beside its final place; it moves there only when it is complete. */
#ifndef LC_HISTORY_ASIDE_H
#define LC_HISTORY_ASIDE_H

#include "history-file.h"

typedef struct _LcAside LcAside;

/* Makes an empty file in the folder of `path`, and locks it until it is published or freed. Leftovers of processes that
 * were killed are removed. */
LcAside *lc_aside_new (const char *path, GError **error);

/* Removes the file, if it has not been published. */
void lc_aside_free (LcAside *aside);

const char *lc_aside_get_path (const LcAside *aside);
int lc_aside_get_descriptor (const LcAside *aside);

/* Copies `file` into the new file, with its owner (if we may set it) and its read permissions. */
gboolean lc_aside_copy (LcAside *aside, const LcHistoryFile *file, GError **error);

/* Publishes the file when its database is complete and closed: sets its time stamp to `time` (ns of the Unix epoch),
 * syncs it to disk, and renames it to its place. */
gboolean lc_aside_publish (LcAside *aside, gint64 time, guint64 *size, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcAside, lc_aside_free)

#endif
