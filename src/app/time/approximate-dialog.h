/* SPDX-License-Identifier: Apache-2.0 */
/* The dialog that approximates timelines: a model, costs, and the results. */
#ifndef LC_APP_APPROXIMATE_DIALOG_H
#define LC_APP_APPROXIMATE_DIALOG_H

#include <gtk/gtk.h>

#include "app/session/session.h"
#include "lightcone/approximate.h"

/* Shows the dialog. The session must have the history of a whole run. */
void lc_approximate_dialog_show (GtkWindow *parent, LcSession *session);

/* Makes those timelines that bound the ends of events and do not exist yet, and shows them. */
void lc_approximate_dialog_make_bounds (GtkWindow *parent, LcSession *session);

#endif
