/* SPDX-License-Identifier: Apache-2.0 */
/* The slider for the position of the picture between two timelines, visible while two are shown. */
#ifndef LC_APP_TIMELINE_BAR_H
#define LC_APP_TIMELINE_BAR_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_TIMELINE_BAR (lc_timeline_bar_get_type ())
G_DECLARE_FINAL_TYPE (LcTimelineBar, lc_timeline_bar, LC, TIMELINE_BAR, GtkBox)

GtkWidget *lc_timeline_bar_new (LcSession *session);

#endif
