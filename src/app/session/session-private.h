/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the session know of each other. */
#ifndef LC_APP_SESSION_PRIVATE_H
#define LC_APP_SESSION_PRIVATE_H

#include "app/session/session.h"

/* What Escape goes back to. */
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
  double share;

  LcSpan whole;
  LcSpan span;
  double head_from; /* of a play; from == to: there is none */
  double head_to;
  GPtrArray *steps; /* of LcStep, the last one is the next to go back to */

  LcEventName selection;
  LcHistoryEvent event; /* what is selected, if anything is */
  GArray *trail;        /* of LcEventName */
  guint trail_place;    /* of the selection on it */

  GPtrArray *bookmarks;

  char *phases;          /* the definition that is asked for; NULL: auto */
  GCancellable *finding; /* what is being looked for; NULL: nothing */

  guint depth;   /* of lc_session_begin */
  guint changed; /* not told yet */
};

/* Tells it, or keeps it until lc_session_end. */
void lc_session_changed (LcSession *session, guint what);

/* After a change of what is shown: the whole run, and the span within it. */
void lc_session_measure_whole (LcSession *session);

/* Looks for what the shown choices need and do not have; what no longer matters is cancelled. */
void lc_session_find_missing (LcSession *session);

/* Notes what is shown and in view, for Escape. */
void lc_session_remember (LcSession *session);

/* The event that is selected may be called otherwise on another timeline. */
void lc_session_keep_selection (LcSession *session, guint32 timeline_before);

#endif
