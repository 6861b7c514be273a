/* SPDX-License-Identifier: Apache-2.0 */
/* The session: the state that all views of one history share. Views know each other only through it. */
#ifndef LC_APP_SESSION_H
#define LC_APP_SESSION_H

#include <glib-object.h>

#include "app/session/shown.h"
#include "lightcone/marks.h"

/*
 * The session belongs to the main thread. Views ask it, change it, and listen to its signals
 *
 *   changed (LcSession *, guint what)     LcSessionChange: the parts that have changed
 *   told (LcSession *, const char *text)  a sentence for the user: something could not be done
 *
 * A change is signalled at once; callers put several changes between lc_session_begin and lc_session_end.
 */
#define LC_TYPE_SESSION (lc_session_get_type ())
G_DECLARE_FINAL_TYPE (LcSession, lc_session, LC, SESSION, GObject)

typedef enum
{
  LC_CHANGED_HISTORY = 1 << 0,      /* another history or none; everything else has changed too */
  LC_CHANGED_TIME = 1 << 1,         /* physical, logical or phase: the axis has changed */
  LC_CHANGED_TIMELINE = 1 << 2,     /* timeline, beside, lowest, highest, share */
  LC_CHANGED_ORIENTATION = 1 << 3,  /* */
  LC_CHANGED_ROWS = 1 << 4,         /* the processes, their order, or their groups */
  LC_CHANGED_FILTER = 1 << 5,       /* operations, objects, least wait, holding, arcs, colours */
  LC_CHANGED_HIGHLIGHT = 1 << 6,    /* */
  LC_CHANGED_SPAN = 1 << 7,         /* the part in view */
  LC_CHANGED_SELECTION = 1 << 8,    /* */
  LC_CHANGED_TIMELINES = 1 << 9,    /* a timeline was added to the history or removed from it */
  LC_CHANGED_TRAIL = 1 << 10,       /* going back or forward may have become possible or impossible */
  LC_CHANGED_BOOKMARKS = 1 << 11,   /* */
  LC_CHANGED_FOUND = 1 << 12,       /* a search has found phases, path, past or future */
  LC_CHANGED_HEAD = 1 << 13,        /* the position of a play */
  LC_CHANGED_MARKS = 1 << 14,       /* marks or annotations, or which of them are shown */
  LC_CHANGED_HITS = 1 << 15,        /* what the search bar has found */
  LC_CHANGED_BREAKPOINTS = 1 << 16, /* breakpoints, or the expressions that are evaluated at them */
  LC_CHANGED_STOPS = 1 << 17,       /* where the processes of a program that runs again stand */
  LC_CHANGED_RULER = 1 << 18,       /* where the axis of time is on the screen */
  LC_CHANGED_ALL = (1 << 19) - 1,
  /* The changes after which a picture has to be drawn again. */
  LC_CHANGED_PICTURE = LC_CHANGED_HISTORY | LC_CHANGED_TIME | LC_CHANGED_TIMELINE | LC_CHANGED_ORIENTATION |
                       LC_CHANGED_ROWS | LC_CHANGED_FILTER | LC_CHANGED_HIGHLIGHT | LC_CHANGED_FOUND | LC_CHANGED_MARKS,
} LcSessionChange;

LcSession *lc_session_new (void);

void lc_session_begin (LcSession *session);
void lc_session_end (LcSession *session);

/* Asks the window of the session to show a text to the user. */
void lc_session_tell (LcSession *session, const char *text);

/* --- The history ----------------------------------------------------------------------------------------------- */

/* Opens a history; NULL: none. A history of the same directory keeps the shown choices as far as it supports them. */
void lc_session_open (LcSession *session, LcOpened *opened);
LcOpened *lc_session_get_opened (LcSession *session);
LcHistory *lc_session_get_history (LcSession *session); /* NULL: none */

/* Loads the list of timelines again, after some may have been added. */
void lc_session_reload_timelines (LcSession *session);
/* An array of LcHistoryTimeline that belongs to the session and is valid until the next change. NULL: no history. */
GPtrArray *lc_session_get_timelines (LcSession *session);
const char *lc_session_get_timeline_name (LcSession *session, guint32 timeline);

/* Returns what the user is told of a timeline: its name, and of a what-if what it asks. */
const char *lc_session_get_timeline_title (LcSession *session, guint32 timeline);

/* --- What is shown --------------------------------------------------------------------------------------------- */

/* Returns NULL without a history. To change the choices, copy them, change the copy, and call lc_session_show. Phases,
 * path, past and future are dropped if they no longer fit, and found again in the background. */
LcShown *lc_session_get_shown (LcSession *session);
void lc_session_show (LcSession *session, LcShown *shown); /* takes ownership */

/* Returns what differs between choices of one history: bits of LC_CHANGED. What is found in the background, and marks,
 * come at any time without being chosen. */
guint lc_session_compare (const LcShown *a, const LcShown *b);

/* Sets the definition of phases; NULL: auto. The phases are then found in the background. */
void lc_session_set_phases (LcSession *session, const char *definition);

/* Shortcuts for the most frequent changes. */
void lc_session_set_time (LcSession *session, LcSceneTime time);
void lc_session_set_orientation (LcSession *session, LcOrientation orientation);
void lc_session_set_timelines (LcSession *session, guint32 timeline, guint32 beside, guint32 lowest, guint32 highest);
void lc_session_set_highlight (LcSession *session, LcHighlightKind kind); /* around the selection */
void lc_session_set_processes (LcSession *session, const guint32 *processes, guint32 n_processes);

/* Sets the position between two timelines: from 0 (the shown one) to 1 (the one beside it), both are one picture on the
 * way from one to the other. Below 0, each timeline has its own half. */
void lc_session_set_share (LcSession *session, double share);
double lc_session_get_share (LcSession *session);

/* --- The part in view ------------------------------------------------------------------------------------------ */

/* A range of positions on the axis, and of rows: from < to, first_row < last_row. */
typedef struct
{
  double from;
  double to;
  double first_row;
  double last_row;
} LcSpan;

/* Returns the range of the whole run on the shown axis. */
void lc_session_get_whole (LcSession *session, LcSpan *whole);

/* Returns where the run itself ends: before the end of the range, if that has room for operations that never ended. */
double lc_session_get_run_end (LcSession *session);
void lc_session_get_span (LcSession *session, LcSpan *span);

/* Limits the span to the whole run, and to a width at which two positions can be told apart. `remember`: Escape goes
 * back to the span before. */
void lc_session_set_span (LcSession *session, const LcSpan *span, gboolean remember);

/* Zooms around a position; factors below 1 zoom in. */
void lc_session_zoom (LcSession *session, double factor, double position);
void lc_session_pan (LcSession *session, double positions, double rows);
void lc_session_fit (LcSession *session);

/* Goes back to the span and the choices before the last remembered change. FALSE: no step is left. */
gboolean lc_session_step_back (LcSession *session);

/* The place of time along the diagram: pixels from the left, or where time goes down from the top, of the paned that
 * the diagram shares with the plots. begin == end: it is not known yet. */
void lc_session_set_ruler (LcSession *session, double begin, double end);
void lc_session_get_ruler (LcSession *session, double *begin, double *end);

/* Whether the plots are at the side of the diagram, where their time goes down as its does, rather than below it; and
 * the pixels at the side that are below a plot. A change is one of the ruler, too. */
void lc_session_set_plots_at_side (LcSession *session, gboolean at_side);
gboolean lc_session_are_plots_at_side (LcSession *session);
void lc_session_set_room_below_plots (LcSession *session, int room);
int lc_session_get_room_below_plots (LcSession *session);

/* The range that a play of the run shows: from a position to before another one. FALSE: nothing is played. A change of
 * the axis ends the play. */
gboolean lc_session_get_head (LcSession *session, double *from, double *to);
void lc_session_set_head (LcSession *session, double from, double to);
void lc_session_clear_head (LcSession *session);

/* The hits of the search bar on the shown axis, an LcDiagramHits; NULL: none, or too many to be marked. */
const LcKept *lc_session_get_hits (LcSession *session);
void lc_session_set_hits (LcSession *session, LcKept *hits); /* takes ownership */

/* --- The selection --------------------------------------------------------------------------------------------- */

/* An event as it is numbered on the shown timeline; process LC_TRACE_NONE: none. */
typedef struct
{
  guint32 process;
  guint64 ordinal;
} LcEventName;

void lc_session_get_selection (LcSession *session, LcEventName *event);
gboolean lc_session_has_selection (LcSession *session);
/* Returns the selected event on the shown timeline; NULL: no selection. */
const LcHistoryEvent *lc_session_get_event (LcSession *session);

/* Selects an event and puts it on the trail; tells the user if it does not exist. `reveal`: moves and zooms the part in
 * view, and shows a hidden process again, so that the event can be seen. */
void lc_session_select (LcSession *session, guint32 process, guint64 ordinal, gboolean reveal);
void lc_session_clear_selection (LcSession *session);

/* The trail of events that were selected. */
gboolean lc_session_can_go_back (LcSession *session);
gboolean lc_session_can_go_forward (LcSession *session);
void lc_session_go_back (LcSession *session);
void lc_session_go_forward (LcSession *session);

/* Finds the place of an event on the shown axis. FALSE: the phases are not found yet. */
gboolean lc_session_get_place (LcSession *session, const LcHistoryEvent *event, double *from, double *to);

/* --- Bookmarks ------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcEventName event; /* process LC_TRACE_NONE: a bookmark of the span only */
  LcSpan span;
  LcSceneTime time;
  char *note;
} LcBookmark;

/* An array of LcBookmark that belongs to the session. */
GPtrArray *lc_session_get_bookmarks (LcSession *session);
void lc_session_add_bookmark (LcSession *session, const LcBookmark *bookmark);
void lc_session_change_bookmark (LcSession *session, guint number, const char *note);
void lc_session_remove_bookmark (LcSession *session, guint number);
void lc_session_go_to_bookmark (LcSession *session, guint number);

/* --- Breakpoints and stops ------------------------------------------------------------------------------------- */

/* Events before which a process stops when the program is run again: an array of LcEventName, as numbered on the
 * measured timeline, valid until the next change. */
const GArray *lc_session_get_breakpoints (LcSession *session);
gboolean lc_session_has_breakpoint (LcSession *session, guint32 process, guint64 ordinal);
void lc_session_set_breakpoint (LcSession *session, guint32 process, guint64 ordinal, gboolean set);

/* Expressions that are evaluated whenever the program has stopped. */
const GPtrArray *lc_session_get_expressions (LcSession *session);
void lc_session_add_expression (LcSession *session, const char *expression);
void lc_session_remove_expression (LcSession *session, guint number);

/* The next event of each process of a program that runs again and has stopped, as numbered on the measured timeline; an
 * ordinal of one more than the last: the process has done all. `selected`: the process to look at. No stops: nothing
 * has stopped. */
const GArray *lc_session_get_stops (LcSession *session, guint32 *selected);
void lc_session_set_stops (LcSession *session, guint32 selected, const LcEventName *stops, guint n_stops);
void lc_session_clear_stops (LcSession *session);

/* --- Marks ----------------------------------------------------------------------------------------------------- */

/* The marks are in a file beside the history, which other programs may change at any time: it is watched. They are read
 * and changed in threads; a change is signalled once it has been read back, and what goes wrong is told. */

/* Returns NULL before they are read, and valid until the next change. */
const LcMarks *lc_session_get_marks (LcSession *session);
void lc_session_reload_marks (LcSession *session);

/* Adds marks, or removes those that are equal to one of them. All of these have one name. */
void lc_session_add_marks (LcSession *session, const LcUserMark *marks, gsize n_marks);
void lc_session_remove_marks (LcSession *session, const LcUserMark *marks, gsize n_marks);

/* Sets the text of an event on the measured timeline; an empty one is removed. */
void lc_session_annotate (LcSession *session, guint32 process, guint64 ordinal, const char *text);

/* Marks of a hidden name are left out of pictures, but not of lists. */
gboolean lc_session_is_hidden (LcSession *session, const char *name);
void lc_session_set_hidden (LcSession *session, const char *name, gboolean hidden);

#endif
