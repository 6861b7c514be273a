/* SPDX-License-Identifier: Apache-2.0 */
/* A trace that is being opened: it is merged in the background, and its beginning is shown first if that takes long. */
#ifndef LC_APP_OPENING_H
#define LC_APP_OPENING_H

#include <gio/gio.h>

#include "app/session/opened.h"
#include "lightcone/merge.h"

/*
 * An opening belongs to the main thread. Its signals, none of which comes after lc_opening_cancel:
 *
 *   moved (LcOpening *)                       progress, about ten times a second, but not at once
 *   beginning (LcOpening *, LcOpened *)       the beginning of the run can be shown
 *   done (LcOpening *, LcOpened *, GError *)  the whole run, or the error
 */
#define LC_TYPE_OPENING (lc_opening_get_type ())
G_DECLARE_FINAL_TYPE (LcOpening, lc_opening, LC, OPENING, GObject)

/* `beginning`: also makes the beginning of the run if all of it takes long. */
LcOpening *lc_opening_new (const char *directory, gboolean beginning);
void lc_opening_start (LcOpening *opening);

/* Before the start: waits until a recording goes on there that has something to show. What was there before is none. */
void lc_opening_await_recording (LcOpening *opening);

/* Cancels the merge, and removes what it has made so far. */
void lc_opening_cancel (LcOpening *opening);

double lc_opening_get_fraction (LcOpening *opening);

/* Returns the estimated number of events; 0: not known yet. */
double lc_opening_get_total (LcOpening *opening);

/* Tells whether a recording is being closed whose recorder was killed. */
gboolean lc_opening_is_recovering (LcOpening *opening);

/* Returns a text like "12 %, 3,400,000 events, 8 s left". */
char *lc_opening_dup_progress (LcOpening *opening);

/* Returns a text like "8 s left", or NULL: not known. */
char *lc_opening_dup_time_left (LcOpening *opening);

/* Tells, once the opening is done, whether the trace was still being recorded. */
gboolean lc_opening_was_growing (LcOpening *opening);

/* Returns, once the opening is done, the microseconds that merging took. */
gint64 lc_opening_get_duration (LcOpening *opening);

#endif
