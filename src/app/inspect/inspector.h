/* SPDX-License-Identifier: Apache-2.0 */
/* The inspector: the report on the selected event, with links to its predecessors and successors. */
#ifndef LC_APP_INSPECTOR_H
#define LC_APP_INSPECTOR_H

#include "app/session/session.h"
#include <gtk/gtk.h>

#define LC_TYPE_INSPECTOR (lc_inspector_get_type ())
G_DECLARE_FINAL_TYPE (LcInspector, lc_inspector, LC, INSPECTOR, GtkBox)

GtkWidget *lc_inspector_new (LcSession *session);

#endif
