/* SPDX-License-Identifier: Apache-2.0 */
/* The banner above the diagram that tells that something is wrong with the trace. */
#ifndef LC_APP_PROBLEMS_BANNER_H
#define LC_APP_PROBLEMS_BANNER_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Its button activates win.problems. It stays away once it was closed, until another history is opened. */
GtkWidget *lc_problems_banner_new (LcSession *session);

#endif
