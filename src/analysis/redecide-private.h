/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of deciding again know of each other. */
#ifndef LC_ANALYSIS_REDECIDE_PRIVATE_H
#define LC_ANALYSIS_REDECIDE_PRIVATE_H

#include "redecide.h"

/* --- What the trace has that can be decided: one sweep (redecide-survey.c) --------------------------------------- */

/* What an operation is to us. */
typedef struct
{
  gboolean takes;  /* its number on a free object is whose turn it is */
  gboolean gives;  /* ends what that one began */
  gboolean waits;  /* for other events */
  gboolean counts; /* has no arcs: its number on an object is nobody's business */
  gboolean sends;  /* messages */
  gboolean receives;
  gboolean looks;   /* at messages, which others receive */
  gboolean staying; /* bound to its process */
  gboolean hands_out;
} LcRole;

typedef enum
{
  LC_OBJECT_LOCK = 1 << 0,
  LC_OBJECT_WORK = 1 << 1,
  LC_OBJECT_BLIND = 1 << 2, /* a channel from which messages are received blindly */
  LC_OBJECT_KEPT = 1 << 3,  /* it stays as it was measured */
  LC_OBJECT_ASKED = 1 << 4, /* whether the rules say that it hands out work */
} LcSurveyedFlags;

/* An object of the trace. The numbers that events have on it: from `first` to `last`, `count` of them. */
typedef struct
{
  gint64 first;
  gint64 last;
  guint64 count;
  guint32 receiver;         /* of a channel */
  guint32 flags;            /* LcSurveyedFlags */
  struct _LcPieces *pieces; /* of work; or NULL */
} LcSurveyed;

typedef struct
{
  LcTrace *trace;
  LcRole *roles; /* by operation */
  LcSurveyed *objects;
  guint32 n_objects;
  GHashTable *troubles; /* events that could not be resolved when they were measured: (process, ordinal) */
  gboolean is_all;      /* of them */
} LcSurvey;

LcSurvey *lc_survey_new (LcTrace *trace, const LcRules *rules, LcModel model, LcBlindPolicy blind,
                         GCancellable *cancellable, GError **error);
void lc_survey_free (LcSurvey *survey);
gboolean lc_survey_is_trouble (const LcSurvey *survey, guint32 process, guint64 ordinal);

/* Whether this is what is decided again: LC_OBJECT_LOCK, WORK or BLIND. */
static inline gboolean
lc_survey_is_open (const LcSurvey *survey, guint32 object, guint32 what)
{
  return object != LC_TRACE_NONE && (survey->objects[object].flags & (what | LC_OBJECT_KEPT)) == what;
}

/* --- Whose pieces of work are handed out in which order (redecide-pieces.c) --------------------------------------- */

typedef struct _LcPieces LcPieces;

LcPieces *lc_pieces_new (void);
void lc_pieces_free (LcPieces *pieces);

/* The work after the event with this number is a piece of this process's. FALSE: the number cannot be. */
gboolean lc_pieces_add (LcPieces *pieces, gint64 number, guint32 process);
/* It may move. */
void lc_pieces_set_movable (LcPieces *pieces, gint64 number);

/* Where they are when handed out once more from the first on. */
void lc_pieces_rewind (LcPieces *pieces, guint32 n_processes);

/* The next piece for a process: whose it is; LC_TRACE_NONE: not known before others have taken theirs. */
guint32 lc_pieces_take (LcPieces *pieces, guint32 process, gboolean *movable);
/* Since lc_pieces_take was asked in vain, there may be an answer. Asked for it forgets. */
gboolean lc_pieces_has_news (LcPieces *pieces);

/* --- The events of the trace, in segments that go to one process or another (redecide-streams.c) -------------------
 */

typedef struct _LcStreams LcStreams;

LcStreams *lc_streams_new (const LcSurvey *survey);
void lc_streams_free (LcStreams *streams);

/* `process` goes on with the next segment of `origin` that follows a hand-out from `object`. FALSE: too much would have
 * to be kept in memory. */
gboolean lc_streams_take (LcStreams *streams, guint32 process, guint32 origin, guint32 object);

/* Its next event, but for what was waited. FALSE: the segment is over; `object` has handed out what comes then, or
 * LC_TRACE_NONE: nothing comes. */
gboolean lc_streams_next (LcStreams *streams, guint32 process, LcSweepNext *next, guint32 *object);

/* --- Messages on their way to blind receives (redecide-messages.c) ------------------------------------------------ */

typedef struct
{
  guint64 arrival;
  guint64 bytes;
  gint64 sequence;
  guint32 object;
  guint32 sender;
} LcPostedMessage;

typedef struct _LcMailboxes LcMailboxes;

LcMailboxes *lc_mailboxes_new (const LcSurvey *survey);
void lc_mailboxes_free (LcMailboxes *mailboxes);

/* A message comes; the result is a process that has waited for any, or LC_TRACE_NONE. */
guint32 lc_mailboxes_post (LcMailboxes *mailboxes, const LcPostedMessage *message);

/*
 * What a blind receive that was measured to take a message of the channel `object` takes now. GO: taken; LATER: when
 * all processes have come as far as `when`; HELD: lc_mailboxes_post will say so. `begin` is the receive's, `now` is as
 * far as all have come.
 */
LcSweepVerdict lc_mailboxes_take (LcMailboxes *mailboxes, LcBlindPolicy policy, guint32 object, guint64 begin,
                                  guint64 now, LcPostedMessage *message, guint64 *when);

#endif
