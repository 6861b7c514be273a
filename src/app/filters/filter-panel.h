/* SPDX-License-Identifier: Apache-2.0 */
/* The panel of filters, which select the events to show. */
#ifndef LC_APP_FILTER_PANEL_H
#define LC_APP_FILTER_PANEL_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_FILTER_PANEL (lc_filter_panel_get_type ())
G_DECLARE_FINAL_TYPE (LcFilterPanel, lc_filter_panel, LC, FILTER_PANEL, GtkWidget)

GtkWidget *lc_filter_panel_new (LcSession *session);

#endif
