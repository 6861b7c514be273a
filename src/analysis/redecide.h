/* SPDX-License-Identifier: Apache-2.0 */
/* Deciding again, in approximated time: who gets a lock next, who takes the next piece of work, which message. */
#ifndef LC_ANALYSIS_REDECIDE_H
#define LC_ANALYSIS_REDECIDE_H

#include "lightcone/approximate.h"
#include "lightcone/sweep.h"

typedef struct _LcRedecide LcRedecide;

/* Approximated time, as far as it is known. */
typedef struct
{
  /* From the visitor's `begin` of an event of this process on: when that event begins. */
  guint64 (*get_begin) (gpointer data, guint32 process);
  /* When a message of this many bytes that was begun to be sent at `sent` has come to its receiver. */
  guint64 (*get_arrival) (gpointer data, guint32 from, guint32 to, guint64 bytes, guint64 sent);
  gpointer data;
} LcRedecideClock;

/*
 * Sweeps the trace once to see what can be decided again. The history is the trace's, made with these rules: from it
 * comes how long events were measured to wait. Nothing of locks and work is decided unless the model is
 * LC_MODEL_LIBERAL, and nothing of messages with LC_BLIND_PRESERVE. NULL with G_IO_ERROR_CANCELLED, or an error of the
 * history. Borrows all.
 */
LcRedecide *lc_redecide_new (LcTrace *trace, const LcRules *rules, LcHistory *history, LcModel model,
                             LcBlindPolicy blind, GCancellable *cancellable, GError **error);
void lc_redecide_free (LcRedecide *redecide);

/* Whether there is anything to decide; if not, a sweep without a director does the same. */
gboolean lc_redecide_is_needed (const LcRedecide *redecide);

/*
 * For one sweep, which the clock follows. Call it again for another sweep after G_IO_ERROR_WOULD_BLOCK: less is decided
 * then, and after some times nothing, so that it cannot fail any more.
 */
LcSweepDirector *lc_redecide_start (LcRedecide *redecide, const LcRedecideClock *clock, GError **error);

/* After the sweep: what of the history could not be read. FALSE: the result of the sweep is worth nothing. */
gboolean lc_redecide_finish (LcRedecide *redecide, GError **error);

/* Adds to approximation->decided and approximation->warnings. */
void lc_redecide_report (const LcRedecide *redecide, LcApproximation *approximation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRedecide, lc_redecide_free)

#endif
