/* SPDX-License-Identifier: Apache-2.0 */
/* The slack of every event of a timeline, found once and kept. */
#ifndef LIGHTCONE_SLACKS_H
#define LIGHTCONE_SLACKS_H

#include "lightcone/slack.h"

G_BEGIN_DECLS

/*
 * What a pass over a timeline finds (lightcone/slack.h), by the events' names on the measured one, so that it is good
 * for filters of all timelines. It takes 4 bytes for each event: up to 134 ms it is exact, above to 8 digits. The first
 * thread that needs it looks, at some 1 M events/s.
 */
typedef struct _LcSlacks LcSlacks;

enum
{
  LC_SLACKS_QUICK = 1 << 18, /* events whose slack is found while somebody waits for it */
};

/* Gives the one that somebody has of this timeline, or a new one. The history must outlive it. Never NULL. */
LcSlacks *lc_slacks_of (LcHistory *history, guint32 timeline);
LcSlacks *lc_slacks_ref (LcSlacks *slacks);
void lc_slacks_unref (LcSlacks *slacks);

/* Finds the slack of all events. Other threads wait while one looks. FALSE with LC_HISTORY_ERROR or
 * G_IO_ERROR_CANCELLED: the next call looks again. */
gboolean lc_slacks_find (LcSlacks *slacks, GCancellable *cancellable, GError **error);

/* Whether it has been found. */
gboolean lc_slacks_are_found (LcSlacks *slacks);

/* Gives the slack of an event of the history, on any timeline, in ns. It has to have been found. */
guint64 lc_slacks_get (const LcSlacks *slacks, const LcHistoryEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSlacks, lc_slacks_unref)

G_END_DECLS

#endif
