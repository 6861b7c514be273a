/* SPDX-License-Identifier: Apache-2.0 */
/* The window's actions for time, orientation and timelines. Their states follow the session. */
#ifndef LC_APP_TIMELINE_ACTIONS_H
#define LC_APP_TIMELINE_ACTIONS_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/*
 * Adds win.time (s), win.orientation (TRUE: time to the right), win.timeline (s: its name), win.beside, win.bounds,
 * win.apart, win.share-more, win.share-less, win.measured, win.approximate, win.what-if (a subject of
 * what-if-subject.h), win.what-if-any, win.delete-timeline (s). The actions are freed with the window.
 */
void lc_timeline_add_actions (GtkApplicationWindow *window, LcSession *session);

/* Returns the timelines at the left and the right end of the slider, and the position between them, 0 to 1; negative:
 * each timeline has its own half. FALSE: only one timeline is shown. */
gboolean lc_timeline_get_way (LcSession *session, guint32 *from, guint32 *to, double *way);
void lc_timeline_set_way (LcSession *session, double way);

/* Returns a text like "between measured and event, 40 %", or NULL: the picture is that of a timeline. Free with
 * g_free. */
char *lc_timeline_dup_way (LcSession *session);

#endif
