/* SPDX-License-Identifier: Apache-2.0 */
/* Decides again in approximated time: who gets a lock next, who reads or writes, who takes the next piece of work, and
 * which message. */
#ifndef LC_ANALYSIS_REDECIDE_H
#define LC_ANALYSIS_REDECIDE_H

#include "lightcone/approximate.h"
#include "lightcone/sweep.h"

typedef struct _LcRedecide LcRedecide;

/* Approximated time, as far as the sweep has come. */
typedef struct
{
  /* Returns when the process's present event begins; valid after the visitor's `begin`. */
  guint64 (*get_begin) (gpointer data, guint32 process);
  /* Returns when a message of `bytes` bytes reaches its receiver if sending it began at `sent`. */
  guint64 (*get_arrival) (gpointer data, guint32 from, guint32 to, guint64 bytes, guint64 sent);
  /* Returns when the process goes on with its present event, which is given, after a lock that it waits for was given
   * back. `giver` has just done so. */
  guint64 (*get_grant) (gpointer data, guint32 process, const LcSweepNext *given, guint32 giver);
  /* Whether a free lock is had by whoever is there first; otherwise it is handed over to who has waited. */
  gboolean (*is_barged) (gpointer data, guint32 operation);
  gpointer data;
} LcRedecideClock;

/*
 * Sweeps the trace once to find what can be decided again. `history` must be of this trace and these rules: measured
 * waiting is read from it. Locks and work are decided only for LC_MODEL_LIBERAL, and messages unless `blind` is
 * LC_BLIND_PRESERVE. NULL with G_IO_ERROR_CANCELLED or an error of the history. All arguments are borrowed.
 */
LcRedecide *lc_redecide_new (LcTrace *trace, const LcRules *rules, LcHistory *history, LcModel model,
                             LcBlindPolicy blind, GCancellable *cancellable, GError **error);
void lc_redecide_free (LcRedecide *redecide);

/* Whether there is anything to decide; otherwise a sweep without a director does the same. */
gboolean lc_redecide_is_needed (const LcRedecide *redecide);

/* Whether time decides who gets a lock or a piece of work that several processes want. */
gboolean lc_redecide_depends_on_time (const LcRedecide *redecide);

/* Returns the director of one sweep, which must feed the clock. After G_IO_ERROR_WOULD_BLOCK, call it again for another
 * sweep: it decides less then, and after some sweeps nothing, so that the sweep cannot fail any more. */
LcSweepDirector *lc_redecide_start (LcRedecide *redecide, const LcRedecideClock *clock, GError **error);

/* Must be called after the sweep. FALSE: the history could not be read, so the result of the sweep is useless. */
gboolean lc_redecide_finish (LcRedecide *redecide, GError **error);

/* Adds to approximation->decided and approximation->warnings. */
void lc_redecide_report (const LcRedecide *redecide, LcApproximation *approximation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcRedecide, lc_redecide_free)

#endif
