/* SPDX-License-Identifier: Apache-2.0 */
/* The marks and the note of one event, in the inspector. */
#ifndef LC_APP_EVENT_MARKS_H
#define LC_APP_EVENT_MARKS_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Makes a box that follows what is marked. */
GtkWidget *lc_event_marks_new (LcSession *session, const LcHistoryEvent *event);

#endif
