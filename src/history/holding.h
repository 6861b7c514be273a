/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects a process holds: from the end of one operation to the begin of another, as the rules say. */
#ifndef LC_HISTORY_HOLDING_H
#define LC_HISTORY_HOLDING_H

#include "block.h"
#include "lightcone/rules.h"

/* What is held beyond so many by one process is not followed. */
#define LC_HOLDING_LIMIT 4096

/* The pairs of operations of a trace. */
typedef struct _LcHoldingPairs LcHoldingPairs;

typedef struct
{
  guint64 ordinal; /* of the event that took it */
  guint64 since;   /* its end, ns */
  gint64 sequence;
  guint32 object;
  guint16 operation;
  guint16 flags;
} LcHold;

LcHoldingPairs *lc_holding_pairs_new (LcTrace *trace, const LcRules *rules);

/* The same, of pairs that are known by their numbers. */
LcHoldingPairs *lc_holding_pairs_new_empty (guint32 n_operations);
void lc_holding_pairs_add (LcHoldingPairs *pairs, guint32 from, guint32 to);

void lc_holding_pairs_free (LcHoldingPairs *pairs);

/*
 * At the begin of event i of a block: takes what it gives back out of `holds` (of LcHold; NULL: nothing is held), and
 * sets what that was. FALSE: it gives nothing back.
 */
gboolean lc_holding_end (const LcHoldingPairs *pairs, GArray *holds, const LcBlock *block, guint32 i, LcHold *ended);

/* At its end: adds what it has taken, and makes `*holds` if it is NULL. */
void lc_holding_begin (const LcHoldingPairs *pairs, GArray **holds, const LcBlock *block, guint32 i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcHoldingPairs, lc_holding_pairs_free)

#endif
