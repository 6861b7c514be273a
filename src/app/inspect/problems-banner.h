/* SPDX-License-Identifier: Apache-2.0 */
/* The banner above the diagram that reports problems of the trace. */
#ifndef LC_APP_PROBLEMS_BANNER_H
#define LC_APP_PROBLEMS_BANNER_H

#include <gtk/gtk.h>

#include "app/session/session.h"

/* Makes a banner whose button activates win.problems. Once closed, it stays hidden until another history is opened. */
GtkWidget *lc_problems_banner_new (LcSession *session);

#endif
