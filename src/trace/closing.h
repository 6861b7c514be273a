/* SPDX-License-Identifier: Apache-2.0 */
/* Closing a recording's files: the work that the program could not do itself because it was killed or ended
 * unnoticed. */
#ifndef LC_TRACE_CLOSING_H
#define LC_TRACE_CLOSING_H

#include "folder.h"
#include "lightcone/recording.h"

/* How streams are closed. */
typedef enum
{
  LC_CLOSE_KEEP = 1 << 0, /* the places still have something that could not be written, and stay */
  LC_CLOSE_SAFE = 1 << 1, /* they go when what was in them survives a loss of power */
} LcCloseFlags;

/*
 * Adds each head to its stream, ends the last packets, and counts processes, events and losses into `result`. The
 * processes that are still there are left alone. Goes on after an error and returns the first. `last` is the end of the
 * last event, in ticks.
 */
gboolean lc_close_streams (LcFolder *folder, const guint8 *uuid, LcCloseFlags flags, LcRecordingResult *result,
                           guint64 *last, GError **error);

/* Returns the pid of a process that still writes to a stream of this recording; 0: there is none. */
guint32 lc_find_running (const LcFolder *folder, const guint8 *uuid);

/* Writes symbols-I for every objects-I that has functions. */
gboolean lc_write_symbols (const LcFolder *folder, GError **error);

/* Writes objects-shared, if any object is shared. */
gboolean lc_write_shared_objects (const LcFolder *folder, const struct lc_control *control, GError **error);

#endif
