/* SPDX-License-Identifier: Apache-2.0 */
/* A trace on its way to the window: it is merged in the background, and if that takes long its beginning comes first.
 */
#ifndef LC_APP_OPENING_H
#define LC_APP_OPENING_H

#include <gio/gio.h>

#include "app/session/opened.h"
#include "lightcone/merge.h"

/*
 * It belongs to the main thread. Its signals, none of which comes after lc_opening_cancel:
 *
 *   moved (LcOpening *)                       it is still going on; some ten times a second, but not at once
 *   beginning (LcOpening *, LcOpened *)       the first part of the run can be looked at
 *   done (LcOpening *, LcOpened *, GError *)  either all of it is there, or what is wrong
 */
#define LC_TYPE_OPENING (lc_opening_get_type ())
G_DECLARE_FINAL_TYPE (LcOpening, lc_opening, LC, OPENING, GObject)

/* `beginning`: the first part of the run is wanted if all of it takes long. */
LcOpening *lc_opening_new (const char *directory, gboolean beginning);
void lc_opening_start (LcOpening *opening);

/* What has been made so far is removed. */
void lc_opening_cancel (LcOpening *opening);

double lc_opening_get_fraction (LcOpening *opening);

/* How many events there seem to be; 0: not known yet. */
double lc_opening_get_total (LcOpening *opening);

/* The one who recorded it was killed, and it is being closed. */
gboolean lc_opening_is_recovering (LcOpening *opening);

/* "12 %, 3,400,000 events, 8 s left" */
char *lc_opening_dup_progress (LcOpening *opening);

/* "8 s left", or NULL: not known. */
char *lc_opening_dup_time_left (LcOpening *opening);

/* Whether it was being recorded when it was merged. When it is done. */
gboolean lc_opening_was_growing (LcOpening *opening);

/* How long it took, in microseconds, when it is done. */
gint64 lc_opening_get_duration (LcOpening *opening);

#endif
