/* SPDX-License-Identifier: Apache-2.0 */
/* The dialog for a what-if: a factor to drag, the length that the run would have, and a timeline to keep it. */
#ifndef LC_APP_WHAT_IF_DIALOG_H
#define LC_APP_WHAT_IF_DIALOG_H

#include <gtk/gtk.h>

#include "app/session/session.h"
#include "app/time/what-if-subject.h"

/* Shows the dialog, and takes ownership of the subjects (LcWhatIfSubject), which the user may choose from; or types the
 * name of something else. The session must have the history of a whole run. */
void lc_what_if_dialog_show (GtkWindow *parent, LcSession *session, GPtrArray *subjects);

#endif
