/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is made aside, and takes its place only when it is complete. */
#ifndef LC_HISTORY_ASIDE_H
#define LC_HISTORY_ASIDE_H

#include "history-file.h"

typedef struct _LcAside LcAside;

/*
 * An empty file in the folder of `path`, which is locked as long as somebody makes it. What others that were killed
 * have left there is removed.
 */
LcAside *lc_aside_new (const char *path, GError **error);

/* Removes the file, if it has not been published. */
void lc_aside_free (LcAside *aside);

const char *lc_aside_get_path (const LcAside *aside);
int lc_aside_get_descriptor (const LcAside *aside);

/* Fills it with a file that is there, and makes it as that is: its owner, if we may, and who may read it. */
gboolean lc_aside_copy (LcAside *aside, const LcHistoryFile *file, GError **error);

/* When it is closed and complete: it gets this time (ns of the Unix epoch), reaches the disk, and takes its place. */
gboolean lc_aside_publish (LcAside *aside, gint64 time, guint64 *size, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcAside, lc_aside_free)

#endif
