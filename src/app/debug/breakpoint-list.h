/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the session's breakpoints. */
#ifndef LC_APP_BREAKPOINT_LIST_H
#define LC_APP_BREAKPOINT_LIST_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Makes a list that holds the session: a row leads to its event, and has a button that removes the breakpoint. */
GtkWidget *lc_breakpoint_list_new (LcSession *session);

#endif
