/* SPDX-License-Identifier: Apache-2.0 */
/* The dialog that makes timelines: by which model, of which costs, and what has come of it. */
#ifndef LC_APP_APPROXIMATE_DIALOG_H
#define LC_APP_APPROXIMATE_DIALOG_H

#include <gtk/gtk.h>

#include "app/session/session.h"
#include "lightcone/approximate.h"

/* The session has a history, and not only the beginning of one. */
void lc_approximate_dialog_show (GtkWindow *parent, LcSession *session);

/* Makes the timelines that bound the ends of events, those that there are not, and shows them. */
void lc_approximate_dialog_make_bounds (GtkWindow *parent, LcSession *session);

#endif
