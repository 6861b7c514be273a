/* SPDX-License-Identifier: Apache-2.0 */
/* The switcher above the panels of a side: words, and how much there is to see where that is known. */
#ifndef LC_APP_PANEL_SWITCHER_H
#define LC_APP_PANEL_SWITCHER_H

#include "app/panels.h"

/* Makes the switcher of a stack whose pages have the names of panels. It lives as long as the stack and the session. */
GtkWidget *lc_panel_switcher_new (GtkStack *stack, LcSession *session);

#endif
