/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the objects that a process holds: from the end of one operation to the begin of another, as the rules say. */
#ifndef LC_HISTORY_HOLDING_H
#define LC_HISTORY_HOLDING_H

#include "block.h"
#include "lightcone/rules.h"

/* The most held objects of a process that are followed. */
#define LC_HOLDING_LIMIT 4096

/* The pairs of operations of a trace. */
typedef struct _LcHoldingPairs LcHoldingPairs;

typedef struct
{
  guint64 ordinal; /* the event that took the object */
  guint64 since;   /* end of that event, ns */
  gint64 sequence;
  guint32 object;
  guint16 operation;
  guint16 flags;
} LcHold;

LcHoldingPairs *lc_holding_pairs_new (LcTrace *trace, const LcRules *rules);

/* Makes the same for pairs that are added by their numbers. */
LcHoldingPairs *lc_holding_pairs_new_empty (guint32 n_operations);
void lc_holding_pairs_add (LcHoldingPairs *pairs, guint32 from, guint32 to);

void lc_holding_pairs_free (LcHoldingPairs *pairs);

/* By operation: whether it takes something, or gives something back. */
const guint8 *lc_holding_pairs_get_changes (const LcHoldingPairs *pairs);

/* Call it at the begin of event i of a block: removes the hold that the event ends from `holds` (of LcHold; NULL:
 * nothing is held), and sets `ended` to it. FALSE: the event ends none. */
gboolean lc_holding_end (const LcHoldingPairs *pairs, GArray *holds, const LcBlock *block, guint32 i, LcHold *ended);

/* Call it at the end of event i: adds the hold that the event begins; makes `*holds` if it is NULL. */
void lc_holding_begin (const LcHoldingPairs *pairs, GArray **holds, const LcBlock *block, guint32 i);

/*
 * What was held when a gap began may have been given back in it: it counts as held until then. At the begin of an
 * event, `time`: takes one such out of `holds`, and sets what it was and until when. FALSE: there is none.
 */
gboolean lc_holding_lose (const GArray *gaps, GArray *holds, guint64 time, LcHold *lost, guint64 *until);

/* Whether the operation takes something, or gives something back. */
gboolean lc_holding_takes (const LcHoldingPairs *pairs, guint16 operation);
gboolean lc_holding_gives (const LcHoldingPairs *pairs, guint16 operation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcHoldingPairs, lc_holding_pairs_free)

#endif
