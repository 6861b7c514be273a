/* SPDX-License-Identifier: Apache-2.0 */
/* The state line describes the shown choices in words, so that approximated or filtered events are not taken for all
 * that was measured. */
#ifndef LC_APP_STATE_LINE_H
#define LC_APP_STATE_LINE_H

#include <gtk/gtk.h>

#include "app/session/session.h"

#define LC_TYPE_STATE_LINE (lc_state_line_get_type ())
G_DECLARE_FINAL_TYPE (LcStateLine, lc_state_line, LC, STATE_LINE, GtkWidget)

/* Makes a state line that holds the session. */
GtkWidget *lc_state_line_new (LcSession *session);

/* --- Texts, to be freed with g_free ------------------------------------------------------------------------------ */

/* Returns a text like "logical time, layers 3–17 of 120". */
char *lc_state_dup_span (LcSession *session);
/* Returns "9 processes" or "3 of 9 processes". */
char *lc_state_dup_processes (const LcShown *shown);
/* Returns a text like "2 of 12 operations, no arcs"; NULL: no filter is set. */
char *lc_state_dup_filter (const LcShown *shown);
/* Returns "critical path", or a text like "past of worker-3, event 17"; NULL: no highlight. */
char *lc_state_dup_highlight (const LcShown *shown);
/* Returns "measured", or a text like "measured and approximated: event model". */
char *lc_state_dup_timelines (LcSession *session);

#endif
