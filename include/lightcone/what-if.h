/* SPDX-License-Identifier: Apache-2.0 */
/* What-if: what a timeline asks, how it is called, and experiments that find how long a run would take. */
#ifndef LIGHTCONE_WHAT_IF_H
#define LIGHTCONE_WHAT_IF_H

#include "lightcone/approximate.h"

G_BEGIN_DECLS

/* --- Names ------------------------------------------------------------------------------------------------- */

/* The name of a what-if that is given none: "await x 0, queue x 0.5". Free with g_free. */
char *lc_what_if_dup_name (const LcScale *scales, gsize n_scales);

/* Whether a new what-if may have this name: no timeline has it, or a what-if that it replaces. `timelines` are those of
 * the history. */
gboolean lc_what_if_may_be_called (const GPtrArray *timelines, const char *name);

/* What a what-if asks: "await × 0, queue × 0.5". NULL: the timeline is no what-if. Free with g_free. */
char *lc_what_if_dup_question (const LcHistoryTimeline *timeline);

/* Whether the name of a what-if says more than what it asks. */
gboolean lc_what_if_has_own_name (const LcHistoryTimeline *timeline, const char *question);

/* The timeline in a list: "measured", "event", "what if: await × 0", "fast (what if: await × 0)". Free with g_free. */
char *lc_timeline_dup_title (const LcHistoryTimeline *timeline);

/* The timeline on a picture, with its model: "approximated: event model", "what if: await × 0, event model". Free with
 * g_free. */
char *lc_timeline_dup_label (const LcHistoryTimeline *timeline);

/* --- Experiments --------------------------------------------------------------------------------------------- */

/* A run of which what-ifs are asked one after the other, and no timeline is made. */
typedef struct _LcExperiment LcExperiment;

/* Opens the trace, and finds what does not depend on the question: costs, and what can be decided again. The scales and
 * the name in `options` are ignored, and its callbacks and cancellable are used here only. NULL: as lc_approximate. */
LcExperiment *lc_experiment_new (const char *directory, const LcApproximateOptions *options, GError **error);
LcExperiment *lc_experiment_ref (LcExperiment *experiment);
void lc_experiment_unref (LcExperiment *experiment);

/* Does what lc_scale_parse does, with the experiment's trace and history. */
gboolean lc_experiment_parse (LcExperiment *experiment, const char *text, LcScale *scale, GError **error);

/* Finds how the run would have been, as lc_approximate does; `timeline` and `costs` of the result are not set. Both
 * may be called in any thread: calls wait for each other, so who has another question cancels the one before. */
LcApproximation *lc_experiment_try (LcExperiment *experiment, const LcScale *scales, gsize n_scales,
                                    LcMergeReport report, gpointer data, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcExperiment, lc_experiment_unref)

G_END_DECLS

#endif
