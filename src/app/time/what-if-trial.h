/* SPDX-License-Identifier: Apache-2.0 */
/* Finds in the background how long a run would take: the newest question is answered, older ones are dropped. */
#ifndef LC_APP_WHAT_IF_TRIAL_H
#define LC_APP_WHAT_IF_TRIAL_H

#include "app/session/opened.h"
#include "app/time/what-if-subject.h"
#include "lightcone/what-if.h"

/* An answer. */
typedef struct
{
  LcApproximation *approximation;
  LcScale scale;
} LcWhatIfAnswer;

void lc_what_if_answer_free (gpointer answer);

typedef struct _LcWhatIfTrial LcWhatIfTrial;

/* Called on the main thread with an answer, which it takes ownership of, or with NULL and an error. */
typedef void (*LcWhatIfAnswered) (gpointer owner, LcWhatIfAnswer *answer, const GError *error);

/* Called on the main thread about ten times a second while an answer is looked for. */
typedef void (*LcWhatIfTick) (gpointer owner, double fraction);

/* Does not hold its owner, who frees it. */
LcWhatIfTrial *lc_what_if_trial_new (LcOpened *opened, gpointer owner, LcWhatIfAnswered answered, LcWhatIfTick tick);
void lc_what_if_trial_free (LcWhatIfTrial *trial);

/* Asks another question. A search that has only just begun still gives its answer: while a user drags, there is always
 * one on the way. */
void lc_what_if_trial_ask (LcWhatIfTrial *trial, const LcWhatIfSubject *subject, double factor);
void lc_what_if_trial_stop (LcWhatIfTrial *trial);

/* Whether the newest question still has no answer. */
gboolean lc_what_if_trial_is_busy (const LcWhatIfTrial *trial);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcWhatIfTrial, lc_what_if_trial_free)

#endif
