/* SPDX-License-Identifier: Apache-2.0 */
/* The state line: what is shown, in words, so that nothing approximated or left out is taken for what was measured. */
#ifndef LC_APP_STATE_LINE_H
#define LC_APP_STATE_LINE_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_STATE_LINE (lc_state_line_get_type ())
G_DECLARE_FINAL_TYPE (LcStateLine, lc_state_line, LC, STATE_LINE, GtkWidget)

/* It holds the session. */
GtkWidget *lc_state_line_new (LcSession *session);

/* --- Its texts: free with g_free -----------------------------------------------------------------------------------
 */

/* "logical time, layers 3–17 of 120" */
char *lc_state_dup_span (LcSession *session);
/* "9 processes", "3 of 9 processes" */
char *lc_state_dup_processes (const LcShown *shown);
/* "2 of 12 operations, no arcs"; NULL: nothing is filtered. */
char *lc_state_dup_filter (const LcShown *shown);
/* "critical path", "past of worker-3, event 17"; NULL: nothing is highlighted. */
char *lc_state_dup_highlight (const LcShown *shown);
/* "measured", "measured and approximated: event model" */
char *lc_state_dup_timelines (LcSession *session);

#endif
