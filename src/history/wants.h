/* SPDX-License-Identifier: Apache-2.0 */
/* The rules, looked at from the operations of one trace: what each waits for, and what each gives to others. */
#ifndef LC_HISTORY_WANTS_H
#define LC_HISTORY_WANTS_H

#include "lightcone/rules.h"
#include "lightcone/trace.h"

typedef struct _LcWant LcWant;

/* When a want was fulfilled by another arc than this one, nobody will need what was given for this want. */
typedef struct
{
  const LcArcRule *answer;
  const LcWant *unneeded;
} LcRefusal;

/* When all that a counted want wants has come, nobody will need what was given for this one, so much earlier. */
typedef struct
{
  const LcWant *unneeded;
  int step; /* its sequence number less that of the counted one's */
} LcClosing;

/* What an event at `to` waits for: one event of one of several operations, or a number of one, or a whole group. */
struct _LcWant
{
  guint32 id;
  guint32 to;
  int step;
  gboolean counted, group, once;
  gint64 first;
  gboolean given;
  guint32 from;     /* the operation of the first alternative, for messages */
  GArray *refusals; /* LcRefusal; or NULL */
  GArray *closings; /* LcClosing; or NULL */
};

/* What an event gives to those that wait: its point goes to its entry. */
typedef struct
{
  const LcWant *want;
  const LcArcRule *rule;
  const LcWant *unless; /* the event wants it itself, and if not by this answer, the gift is for nobody; or NULL */
  const LcArcRule *answer;
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
  LcOperationWants *operations; /* by operation */
  guint32 n_operations;
  GPtrArray *wants; /* owned, by id */
} LcWants;

LcWants *lc_wants_new (LcTrace *trace, const LcRules *rules);
void lc_wants_free (LcWants *wants);

#endif
