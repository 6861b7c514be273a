/* SPDX-License-Identifier: Apache-2.0 */
/* The widgets of the inspector's reports, made anew for each report. */
#ifndef LC_APP_INSPECTOR_PARTS_H
#define LC_APP_INSPECTOR_PARTS_H

#include "app/inspect/event-report.h"
#include "app/inspect/relation.h"

/* Both functions append their widgets to the box. */
void lc_inspector_add_event (GtkBox *box, LcSession *session, const LcEventReport *report);
void lc_inspector_add_history (GtkBox *box, const GPtrArray *facts);
void lc_inspector_add_relation (GtkBox *box, LcSession *session, const LcRelationReport *report);

#endif
