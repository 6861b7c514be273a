/* SPDX-License-Identifier: Apache-2.0 */
/* The states of a process in and before an event of a block: the one definition, which all others ask. */
#ifndef LC_HISTORY_STATES_H
#define LC_HISTORY_STATES_H

#include "block.h"
#include "lightcone/states.h"

typedef struct
{
  const LcBlock *block;
  guint32 event;
  guint64 at;         /* begin of the next span */
  guint next_absence; /* of the block */
  gboolean outside;   /* the event was */
} LcStates;

/* Begins at the end of the event before, or where the process begins. `next_absence` is that of an event before, or
 * what lc_states_find_absence gives. Of the block, times and absences are looked at. */
static inline void
lc_states_begin (LcStates *states, const LcBlock *block, guint32 event, gboolean outside, guint64 before,
                 guint next_absence)
{
  *states = (LcStates){block, event, MIN (before, block->begin[event]), next_absence, outside};
}

static inline gboolean
lc_states_is_outside (const LcBlock *block, guint32 event)
{
  return (block->flags[event] & LC_HISTORY_EVENT_OUTSIDE) != 0;
}

/* Finds the first absence of an event or of one after it. */
guint lc_states_find_absence (const LcBlock *block, guint32 event);

/* Gives the next span that is not empty, up to the end of the event. FALSE: there is none. */
gboolean lc_states_next (LcStates *states, LcStateSpan *span);

#endif
