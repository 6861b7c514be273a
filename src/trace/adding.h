/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a trace that grow while it is recorded. */
#ifndef LC_TRACE_ADDING_H
#define LC_TRACE_ADDING_H

#include "folder.h"

/* Makes the file if it is not there. -1: errno. */
int lc_adding_open (const LcFolder *folder, const char *name);

/*
 * Writes both at `offset` of a file that has `size` bytes: all of it, or the file is as it was, with FALSE and errno.
 */
gboolean lc_adding_write (int file, guint64 size, guint64 offset, const void *head, gsize head_bytes, const void *rest,
                          gsize rest_bytes);

/* Takes the room of a file by writing zeros, where the file system cannot do it otherwise. */
gboolean lc_adding_fill (int file, guint64 offset, guint64 bytes);

#endif
