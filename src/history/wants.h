/* SPDX-License-Identifier: Apache-2.0 */
/* The rules as seen by the operations of a trace: what the events of each operation require, and what they supply. */
#ifndef LC_HISTORY_WANTS_H
#define LC_HISTORY_WANTS_H

#include "lightcone/rules.h"
#include "lightcone/trace.h"

typedef struct _LcWant LcWant;

/* A way to meet a requirement: a point supplied under one rule makes an arc of another rule, or of the same. */
typedef struct
{
  guint32 from;           /* a row of LcWants */
  const LcArcRule *given; /* the rule that the stored point carries */
  const LcArcRule *rule;  /* the rule of the arc to the event */
} LcAnswer;

/* Once a point of rule `answer` has met the requirement, nobody needs what the event has supplied for `unneeded`. */
typedef struct
{
  const LcArcRule *answer; /* the rule that the stored point carried */
  const LcWant *unneeded;
} LcRefusal;

/* Once a counted requirement is met, nobody needs the supplies for `unneeded` with a sequence number `step` away. */
typedef struct
{
  const LcWant *unneeded;
  int step; /* added to the counted event's sequence number */
} LcClosing;

/* A requirement: what an event at `to` (a row of LcWants) waits for. It is one event of one of several operations, a
 * number of events, or a whole group. */
struct _LcWant
{
  guint32 id; /* of the entry it takes from; operations that may take the same message share one */
  guint32 to;
  int step;
  gboolean counted, group;
  gint64 less;      /* counted: subtracted from the event's value */
  gboolean lasting; /* the rules do not say how many events need a supply */
  gboolean keeps;   /* events with it only look, and take nothing */
  gboolean soft;    /* the event can do without, and takes only what came in time */
  gboolean told;    /* supplies that nobody takes are reported */
  gint64 first;
  gboolean given;
  guint32 from;     /* row of the first alternative, for messages */
  GArray *answers;  /* LcAnswer */
  GArray *refusals; /* LcRefusal; or NULL */
  GArray *closings; /* LcClosing; or NULL */
};

/* A supply: what an event gives to the events that require it. Its point is added to their entry. */
typedef struct
{
  const LcWant *want; /* one of the requirements that take it */
  const LcArcRule *rule;
  LcHowMany uses;
  const LcWant *unless; /* NULL, or: no supply is given if a point is there that meets this one and refuses it */
} LcGift;

typedef struct
{
  GPtrArray *wants; /* LcWant, borrowed; or NULL */
  GArray *at_begin; /* LcGift; or NULL */
  GArray *at_end;
  gboolean has_groups; /* one of `wants` is a group */
  gboolean has_closings;
  gboolean outside; /* an event with no arc waits for what is no process */
  gboolean lingers; /* so does one whose arcs come from before its begin: they are not all that it waits for */
  gboolean waits;   /* an event with no arc may have waited all the same: for nobody that is known */
  gboolean polls;   /* a contended event is a row of tests in vain: as good as a wait */
} LcOperationWants;

typedef struct
{
  /*
   * A row for each operation. If it matters whether an event has waited, the operation has a second row behind these,
   * for events that have.
   */
  LcOperationWants *operations;
  guint32 n_operations, n_rows;
  guint32 *waited;       /* by operation: the second row, or LC_TRACE_NONE */
  guint32 *operation_of; /* by row */
  GPtrArray *copies;     /* LcArcRule: own copies of the rules for supplies of second rows, to tell these apart */
  GPtrArray *wants;      /* LcWant, owned */
} LcWants;

LcWants *lc_wants_new (LcTrace *trace, const LcRules *rules);
void lc_wants_free (LcWants *wants);

static inline const LcOperationWants *
lc_wants_of (const LcWants *wants, const LcTraceEvent *event)
{
  const guint32 row = event->flags & LC_EVENT_CONTENDED ? wants->waited[event->operation] : LC_TRACE_NONE;

  return &wants->operations[row == LC_TRACE_NONE ? event->operation : row];
}

/* Returns the number of an operation in the trace, or LC_TRACE_NONE. */
guint32 lc_wants_find_operation (LcTrace *trace, const char *name);

/* Returns the operation (not a row) that takes from entries `id`; of several the one named first in the rules. */
guint32 lc_wants_find_taker (const LcWants *wants, guint32 id);

/* Returns the rule of the arc that a stored point makes to an event with this requirement; NULL: the point does not
 * meet it. */
const LcArcRule *lc_want_find_answer (const LcWant *want, const LcArcRule *given);

/* Whether nobody needs supplies for `unneeded` once a point of rule `given` meets the requirement. */
gboolean lc_want_refuses (const LcWant *want, const LcArcRule *given, const LcWant *unneeded);

#endif
