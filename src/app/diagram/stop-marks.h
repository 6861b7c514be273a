/* SPDX-License-Identifier: Apache-2.0 */
/* Breakpoints, and where the processes of a program that runs again stand, as marks above the diagram. */
#ifndef LC_APP_STOP_MARKS_H
#define LC_APP_STOP_MARKS_H

#include <gtk/gtk.h>

#include "app/session/session.h"

typedef struct _LcStopMarks LcStopMarks;

LcStopMarks *lc_stop_marks_new (LcSession *session);
void lc_stop_marks_free (LcStopMarks *marks);

/* Finds the events again after these changes of the session (LcSessionChange). */
void lc_stop_marks_follow (LcStopMarks *marks, guint what);

void lc_stop_marks_draw (const LcStopMarks *marks, GtkSnapshot *snapshot, LcTheme theme, const LcDiagramView *view);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcStopMarks, lc_stop_marks_free)

#endif
