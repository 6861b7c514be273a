/* SPDX-License-Identifier: Apache-2.0 */
/* Internals shared by the files of the session. */
#ifndef LC_APP_SESSION_PRIVATE_H
#define LC_APP_SESSION_PRIVATE_H

#include "app/job.h"
#include "app/session/session.h"

/* A state that Escape goes back to. */
typedef struct
{
  LcShown *shown;
  LcSpan span;
} LcStep;

struct _LcSession
{
  GObject parent;

  LcShown *shown; /* NULL: there is no history */
  GPtrArray *timelines;
  GPtrArray *titles; /* of the timelines, in the user's language */
  double share;

  LcSpan whole;
  double run_end; /* at most whole.to, which has room for what never ended */
  LcSpan span;
  double ruler_begin;
  double ruler_end;
  gboolean plots_at_side;
  int room_below_plots;
  double head_from; /* where a play of the run is; head_from == head_to: nothing is played */
  double head_to;
  GPtrArray *steps; /* of LcStep; Escape goes back to the last one */

  LcEventName selection;
  LcHistoryEvent event; /* the selected event; undefined without a selection */
  GArray *trail;        /* of LcEventName */
  guint trail_place;    /* index of the selection on the trail */

  GPtrArray *bookmarks;
  GArray *breakpoints;    /* of LcEventName */
  GPtrArray *expressions; /* of char */
  GArray *stops;          /* of LcEventName */
  guint32 stopped;        /* the process to look at among the stops */
  LcKept *hits;           /* of the search bar, or NULL */

  char *phases; /* definition of the phases that the user asked for; NULL: auto */
  LcJob *finding;

  LcJob *marks_job;          /* reads the marks */
  GFileMonitor *marks_watch; /* of their file; NULL: not watched */

  guint depth;   /* nesting of lc_session_begin */
  guint changed; /* LcSessionChange flags that are not signalled yet */
};

/* Signals a change at once, or in the outermost lc_session_end. */
void lc_session_changed (LcSession *session, guint what);

/* Measures the whole run again after the shown choices have changed. */
void lc_session_measure_whole (LcSession *session);

/* Searches for what the shown choices need and do not have, and cancels a search that no longer matters. */
void lc_session_find_missing (LcSession *session);
void lc_session_init_find (LcSession *session);
void lc_session_dispose_find (LcSession *session);

/* session-marks.c: reads the marks of the history that was opened, and watches their file. */
void lc_session_init_marks (LcSession *session);
void lc_session_dispose_marks (LcSession *session);
void lc_session_follow_marks (LcSession *session);

/* session-stops.c */
void lc_session_init_stops (LcSession *session);
void lc_session_forget_stops (LcSession *session); /* without a signal */
void lc_session_finalize_stops (LcSession *session);

/* Saves the shown choices and the part in view for Escape. */
void lc_session_remember (LcSession *session);

/* Finds the selected event again after a change of timeline, where it may have another process and ordinal. */
void lc_session_keep_selection (LcSession *session, guint32 timeline_before);

#endif
