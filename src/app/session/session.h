/* SPDX-License-Identifier: Apache-2.0 */
/* The session: what all views of one history share, and the only thing that they know of each other. */
#ifndef LC_APP_SESSION_H
#define LC_APP_SESSION_H

#include <glib-object.h>

#include "app/session/shown.h"

/*
 * It belongs to the main thread. Views ask it, change it, and listen to its signal
 *
 *   changed (LcSession *, guint what)     LcSessionChange: what is not as it was
 *   told (LcSession *, const char *text)  a sentence for the user: something could not be done
 *
 * A change is told at once; who changes several things puts them between lc_session_begin and lc_session_end.
 */
#define LC_TYPE_SESSION (lc_session_get_type ())
G_DECLARE_FINAL_TYPE (LcSession, lc_session, LC, SESSION, GObject)

typedef enum
{
  LC_CHANGED_HISTORY = 1 << 0,     /* another history, or none; all else has changed too */
  LC_CHANGED_TIME = 1 << 1,        /* physical, logical, phase: the axis is another one */
  LC_CHANGED_TIMELINE = 1 << 2,    /* timeline, beside, lowest, highest, share */
  LC_CHANGED_ORIENTATION = 1 << 3, /* */
  LC_CHANGED_ROWS = 1 << 4,        /* which processes, in which order, together or not */
  LC_CHANGED_FILTER = 1 << 5,      /* operations, objects, least wait, holding, arcs */
  LC_CHANGED_HIGHLIGHT = 1 << 6,   /* */
  LC_CHANGED_SPAN = 1 << 7,        /* which part is in view */
  LC_CHANGED_SELECTION = 1 << 8,   /* */
  LC_CHANGED_TIMELINES = 1 << 9,   /* there is another timeline in the history, or one less */
  LC_CHANGED_TRAIL = 1 << 10,      /* whether there is something to go back or forward to */
  LC_CHANGED_BOOKMARKS = 1 << 11,  /* */
  LC_CHANGED_FOUND = 1 << 12,      /* phases, path, past, future: what was being looked for is there */
  LC_CHANGED_HEAD = 1 << 13,       /* where a play of the run is */
  LC_CHANGED_ALL = (1 << 14) - 1,
  /* Of these a picture is another one. */
  LC_CHANGED_PICTURE = LC_CHANGED_HISTORY | LC_CHANGED_TIME | LC_CHANGED_TIMELINE | LC_CHANGED_ORIENTATION |
                       LC_CHANGED_ROWS | LC_CHANGED_FILTER | LC_CHANGED_HIGHLIGHT | LC_CHANGED_FOUND,
} LcSessionChange;

LcSession *lc_session_new (void);

void lc_session_begin (LcSession *session);
void lc_session_end (LcSession *session);

/* To be shown to the user by the window that has the session. */
void lc_session_tell (LcSession *session, const char *text);

/* --- The history ----------------------------------------------------------------------------------------------- */

/* NULL: none. A history of the same directory keeps what is shown as far as it has it. */
void lc_session_open (LcSession *session, LcOpened *opened);
LcOpened *lc_session_get_opened (LcSession *session);
LcHistory *lc_session_get_history (LcSession *session); /* NULL: none */

/* Timelines may have been added. */
void lc_session_reload_timelines (LcSession *session);
/* LcHistoryTimeline; belongs to the session, until the next change. NULL: there is no history. */
GPtrArray *lc_session_get_timelines (LcSession *session);
const char *lc_session_get_timeline_name (LcSession *session, guint32 timeline);

/* --- What is shown --------------------------------------------------------------------------------------------- */

/* NULL without a history. To change it: copy, change, lc_session_show. What time, timeline or the highlighted event
 * no longer fit is dropped (phases, path, past, future) and found anew in the background. */
LcShown *lc_session_get_shown (LcSession *session);
void lc_session_show (LcSession *session, LcShown *shown); /* takes it */

/* Where a definition of phases is asked for; NULL: auto. They are found in the background. */
void lc_session_set_phases (LcSession *session, const char *definition);

/* Short forms of the most frequent changes. */
void lc_session_set_time (LcSession *session, LcSceneTime time);
void lc_session_set_orientation (LcSession *session, LcOrientation orientation);
void lc_session_set_timelines (LcSession *session, guint32 timeline, guint32 beside, guint32 lowest, guint32 highest);
void lc_session_set_highlight (LcSession *session, LcHighlightKind kind); /* of the selection */
void lc_session_set_processes (LcSession *session, const guint32 *processes, guint32 n_processes);

/* Between two timelines, 0 (the shown one) to 1 (the one beside it): both are one picture, on the way from one to the
 * other. Below 0: each is on its own half. */
void lc_session_set_share (LcSession *session, double share);
double lc_session_get_share (LcSession *session);

/* --- The part in view ------------------------------------------------------------------------------------------ */

/* Positions on the axis, and rows. from < to, first_row < last_row. */
typedef struct
{
  double from;
  double to;
  double first_row;
  double last_row;
} LcSpan;

/* All of the run, on the axis that is shown. */
void lc_session_get_whole (LcSession *session, LcSpan *whole);
void lc_session_get_span (LcSession *session, LcSpan *span);

/* It is kept within the whole, and not made too narrow to tell two positions apart. `remember`: Escape goes back to
 * what was in view before. */
void lc_session_set_span (LcSession *session, const LcSpan *span, gboolean remember);

/* By a factor (below 1: in) around a place. */
void lc_session_zoom (LcSession *session, double factor, double position);
void lc_session_pan (LcSession *session, double positions, double rows);
void lc_session_fit (LcSession *session);

/* One step back: what was in view, and what was shown, before the last change that was remembered. FALSE: there is
 * none. */
gboolean lc_session_step_back (LcSession *session);

/* Where a play of the run is: from a position to before another, which is what is shown of it at once. FALSE: nothing
 * is played. It does not outlive a change of the axis. */
gboolean lc_session_get_head (LcSession *session, double *from, double *to);
void lc_session_set_head (LcSession *session, double from, double to);
void lc_session_clear_head (LcSession *session);

/* --- The selection --------------------------------------------------------------------------------------------- */

/* An event, named as on the shown timeline; process LC_TRACE_NONE: nothing. */
typedef struct
{
  guint32 process;
  guint64 ordinal;
} LcEventName;

void lc_session_get_selection (LcSession *session, LcEventName *event);
gboolean lc_session_has_selection (LcSession *session);
/* The selected event itself, on the shown timeline; NULL: nothing is selected. */
const LcHistoryEvent *lc_session_get_event (LcSession *session);

/* `reveal`: the part in view is moved, if need be zoomed and its process shown again, so that it can be seen. It goes
 * on the trail. What does not exist is told to the user. */
void lc_session_select (LcSession *session, guint32 process, guint64 ordinal, gboolean reveal);
void lc_session_clear_selection (LcSession *session);

/* The trail of what was selected. */
gboolean lc_session_can_go_back (LcSession *session);
gboolean lc_session_can_go_forward (LcSession *session);
void lc_session_go_back (LcSession *session);
void lc_session_go_forward (LcSession *session);

/* Where an event is on the axis that is shown. FALSE: it is nowhere on it, or phases are not found yet. */
gboolean lc_session_get_place (LcSession *session, const LcHistoryEvent *event, double *from, double *to);

/* --- Bookmarks ------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcEventName event; /* process LC_TRACE_NONE: only the span is meant */
  LcSpan span;
  LcSceneTime time;
  char *note;
} LcBookmark;

/* LcBookmark; belongs to the session. */
GPtrArray *lc_session_get_bookmarks (LcSession *session);
void lc_session_add_bookmark (LcSession *session, const LcBookmark *bookmark);
void lc_session_change_bookmark (LcSession *session, guint number, const char *note);
void lc_session_remove_bookmark (LcSession *session, guint number);
void lc_session_go_to_bookmark (LcSession *session, guint number);

#endif
