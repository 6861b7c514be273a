/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that decide again. */
#ifndef LC_ANALYSIS_REDECIDE_PRIVATE_H
#define LC_ANALYSIS_REDECIDE_PRIVATE_H

#include "redecide.h"

/* --- What can be decided (redecide-survey.c) --------------------------------------------------------------------- */

/* The role of an operation. */
typedef struct
{
  gboolean takes; /* begins a section; its sequence number says whose turn it is */
  gboolean gives; /* ends such a section */
  gboolean draws; /* takes one token of many that are alike */
  gboolean adds;  /* adds such a token */
  gboolean reads; /* begins a section that others with this role may share; its sequence number is a version */
  gboolean
      writes;     /* begins a section that nobody shares, of the next version, after all that read the version before */
  gboolean fails; /* an attempt to take a lock or a token, to read or to write, in vain */
  gboolean ends_read;
  gboolean ends_write;
  gboolean waits;  /* waits for other events */
  gboolean counts; /* has no arcs, so its sequence number matters to no other event */
  gboolean sends;  /* sends messages */
  gboolean receives;
  gboolean looks;   /* looks at messages that other operations receive */
  gboolean staying; /* cannot move to another process */
  gboolean hands_out;
} LcRole;

typedef enum
{
  LC_OBJECT_LOCK = 1 << 0,
  LC_OBJECT_WORK = 1 << 1,
  LC_OBJECT_BLIND = 1 << 2,   /* a channel from which messages are received blindly */
  LC_OBJECT_KEPT = 1 << 3,    /* stays as measured */
  LC_OBJECT_ASKED = 1 << 4,   /* it is known whether it hands out work */
  LC_OBJECT_BY_MANY = 1 << 5, /* several processes have taken it, or from it */
  LC_OBJECT_POOL = 1 << 6,    /* of tokens that are alike */
  LC_OBJECT_CREW = 1 << 7,    /* a lock (LC_OBJECT_LOCK) that readers share */
  LC_OBJECT_FAIR = 1 << 8,    /* a crew that is handed over in the order of arrival, whatever the clock says */
  LC_OBJECT_DECIDED = LC_OBJECT_LOCK | LC_OBJECT_WORK | LC_OBJECT_BLIND | LC_OBJECT_POOL,
} LcSurveyedFlags;

/* Sequence numbers of events of an object: `count` of them, from `first` to `last`. */
typedef struct
{
  gint64 first;
  gint64 last;
  guint64 count;
} LcNumbers;

/* An object of the trace. */
typedef struct
{
  LcNumbers numbers;        /* of all its events, or of those that add tokens or write */
  LcNumbers draws;          /* of events that take tokens or read */
  guint32 receiver;         /* receiver of a channel */
  guint32 taker;            /* process that took it first */
  guint32 flags;            /* LcSurveyedFlags */
  struct _LcPieces *pieces; /* if it hands out work; or NULL */
} LcSurveyed;

typedef struct
{
  LcTrace *trace;
  LcRole *roles; /* by operation */
  LcSurveyed *objects;
  guint32 n_objects;
  GHashTable *troubles; /* set of "PROCESS:ORDINAL": events that could not be resolved when measured */
  gboolean is_all;      /* there were too many to list them all */
} LcSurvey;

LcSurvey *lc_survey_new (LcTrace *trace, const LcRules *rules, LcModel model, LcBlindPolicy blind,
                         GCancellable *cancellable, GError **error);
void lc_survey_free (LcSurvey *survey);
gboolean lc_survey_is_trouble (const LcSurvey *survey, guint32 process, guint64 ordinal);

/* Whether the object is decided again, as LC_OBJECT_LOCK, WORK or BLIND. */
static inline gboolean
lc_survey_is_open (const LcSurvey *survey, guint32 object, guint32 what)
{
  return object != LC_TRACE_NONE && (survey->objects[object].flags & (what | LC_OBJECT_KEPT)) == what;
}

/* --- Pieces of work (redecide-pieces.c) --------------------------------------------------------------------------- */

typedef struct _LcPieces LcPieces;

LcPieces *lc_pieces_new (void);
void lc_pieces_free (LcPieces *pieces);

/* Adds the work after the event with this number as a piece of the process. FALSE: such a number is impossible. */
gboolean lc_pieces_add (LcPieces *pieces, gint64 number, guint32 process);
/* Marks a piece as movable to another process. */
void lc_pieces_set_movable (LcPieces *pieces, gint64 number);

/* Begins to hand out the pieces again, from the first one. */
void lc_pieces_rewind (LcPieces *pieces, guint32 n_processes);

/* Returns the process whose piece is next for `process`; LC_TRACE_NONE: unknown before others have taken theirs. */
guint32 lc_pieces_take (LcPieces *pieces, guint32 process, gboolean *movable);
/* Whether a process that lc_pieces_take gave none may get one now. Resets itself. */
gboolean lc_pieces_has_news (LcPieces *pieces);

/* --- Segments of events (redecide-streams.c) --------------------------------------------------------------------- */

typedef struct _LcStreams LcStreams;

LcStreams *lc_streams_new (const LcSurvey *survey);
void lc_streams_free (LcStreams *streams);

/* Gives `process` the next segment of `origin` after a hand-out from `object`. FALSE: too many events would have to be
 * kept in memory. */
gboolean lc_streams_take (LcStreams *streams, guint32 process, guint32 origin, guint32 object);

/* Returns the process's next event, except how long it waited. FALSE: the segment has ended; `object` hands out what
 * comes next, or LC_TRACE_NONE: nothing does. */
gboolean lc_streams_next (LcStreams *streams, guint32 process, LcSweepNext *next, guint32 *object);

/* --- Messages to blind receives (redecide-messages.c) ------------------------------------------------------------- */

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

/* Adds a message; returns a process that has waited for any, or LC_TRACE_NONE. */
guint32 lc_mailboxes_post (LcMailboxes *mailboxes, const LcPostedMessage *message);

/*
 * Chooses the message for a blind receive that took one of channel `object` when measured. GO: taken; LATER: ask again
 * when all processes have come to `when`; HELD: lc_mailboxes_post will wake the receiver. `begin` is the begin of the
 * receive, and all processes have come to `now`.
 */
LcSweepVerdict lc_mailboxes_take (LcMailboxes *mailboxes, LcBlindPolicy policy, guint32 object, guint64 begin,
                                  guint64 now, LcPostedMessage *message, guint64 *when);

#endif
