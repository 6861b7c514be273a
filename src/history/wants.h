/* SPDX-License-Identifier: Apache-2.0 */
/* The rules, looked at from the operations of one trace: what each waits for, and what each gives to others. */
#ifndef LC_HISTORY_WANTS_H
#define LC_HISTORY_WANTS_H

#include "lightcone/rules.h"
#include "lightcone/trace.h"

typedef struct _LcWant LcWant;

/* One way in which a want is fulfilled: a point that was given by one rule makes an arc of another, or of the same. */
typedef struct
{
  guint32 from;           /* a row of LcWants */
  const LcArcRule *given; /* what the point has that is kept */
  const LcArcRule *rule;  /* what its arc to here has */
} LcAnswer;

/* When a want was fulfilled by this point, nobody will need what was given for that one. */
typedef struct
{
  const LcArcRule *answer; /* what the point has that was kept */
  const LcWant *unneeded;
} LcRefusal;

/* When all that a counted want wants has come, nobody will need what was given for this one, so much earlier. */
typedef struct
{
  const LcWant *unneeded;
  int step; /* its sequence number less that of the counted one's */
} LcClosing;

/* What an event at `to` (a row of LcWants) waits for: one event of one of several operations, or a number of them, or a
 * whole group. */
struct _LcWant
{
  guint32 id; /* of what it takes: a message is kept once for all operations that may be the one to take it */
  guint32 to;
  int step;
  gboolean counted, group;
  gint64 less;      /* counted: how much less than the value says */
  gboolean lasting; /* of what it takes, nobody says how many need it */
  gboolean keeps;   /* it takes nothing: others will */
  gboolean soft;    /* it can do without, and takes only what was in time */
  gboolean told;    /* what is given for this one and not taken is told */
  gint64 first;
  gboolean given;
  guint32 from;     /* the row of the first alternative, for messages */
  GArray *answers;  /* LcAnswer */
  GArray *refusals; /* LcRefusal; or NULL */
  GArray *closings; /* LcClosing; or NULL */
};

/* What an event gives to those that wait: its point goes to its entry. */
typedef struct
{
  const LcWant *want; /* one of those that take it */
  const LcArcRule *rule;
  LcHowMany uses;
  const LcWant *unless; /* when what this one takes is there already and refuses the gift, it is for nobody; or NULL */
} LcGift;

typedef struct
{
  GPtrArray *wants; /* LcWant, borrowed; or NULL */
  GArray *at_begin; /* LcGift; or NULL */
  GArray *at_end;
  gboolean has_groups; /* among the wants */
  gboolean has_closings;
} LcOperationWants;

typedef struct
{
  /* A row for each operation; behind them one for those events of an operation that have waited, where that matters. */
  LcOperationWants *operations;
  guint32 n_operations, n_rows;
  guint32 *waited;       /* by operation: that row, or LC_TRACE_NONE */
  guint32 *operation_of; /* by row */
  GPtrArray *copies;     /* LcArcRule: what such events give, so that it is told apart from what others do */
  GPtrArray *wants;      /* owned */
} LcWants;

LcWants *lc_wants_new (LcTrace *trace, const LcRules *rules);
void lc_wants_free (LcWants *wants);

static inline const LcOperationWants *
lc_wants_of (const LcWants *wants, const LcTraceEvent *event)
{
  const guint32 row = event->flags & LC_EVENT_CONTENDED ? wants->waited[event->operation] : LC_TRACE_NONE;

  return &wants->operations[row == LC_TRACE_NONE ? event->operation : row];
}

/* Its number in the trace, or LC_TRACE_NONE. */
guint32 lc_wants_find_operation (LcTrace *trace, const char *name);

/* Which operation (not a row) takes it, of several the one that is named first. */
guint32 lc_wants_find_taker (const LcWants *wants, guint32 id);

/* The arc that a kept point makes to an event with this want; NULL: it is not for this one. */
const LcArcRule *lc_want_find_answer (const LcWant *want, const LcArcRule *given);

/* Whether `unneeded` is for nobody once this point fulfils the want. */
gboolean lc_want_refuses (const LcWant *want, const LcArcRule *given, const LcWant *unneeded);

#endif
