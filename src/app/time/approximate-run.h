/* SPDX-License-Identifier: Apache-2.0 */
/* Approximation in the background: one timeline, or several one after the other. */
#ifndef LC_APP_APPROXIMATE_RUN_H
#define LC_APP_APPROXIMATE_RUN_H

#include "app/job.h"
#include "app/session/opened.h"
#include "lightcone/approximate.h"

enum
{
  LC_MOST_MODELS = 5,
};

typedef struct
{
  LcModel models[LC_MOST_MODELS];
  guint n_models;
  LcBlindPolicy blind;
  char *name; /* NULL: the name of the model */
  char **settings;
  GArray *scales; /* LcScale, or NULL */
  gboolean keep_measurement;
} LcApproximateWish;

void lc_approximate_wish_clear (LcApproximateWish *wish);

typedef struct
{
  double fraction;
  guint64 events;
  double seconds_left; /* negative: not known yet */
} LcApproximateState;

typedef struct _LcApproximateRun LcApproximateRun;

/* Starts a run, and takes ownership of the contents of the wish. The result is a GPtrArray with an LcApproximation for
 * each model. */
LcApproximateRun *lc_approximate_run_new (LcOpened *opened, LcApproximateWish *wish, LcJobDone done, LcJobTick tick,
                                          gpointer data);
void lc_approximate_run_get_state (LcApproximateRun *run, LcApproximateState *state);

/* The result counts even if the run was cancelled too late to stop it: the timelines are then made. */
void lc_approximate_run_cancel (LcApproximateRun *run);

/* Frees a run. A run that is not done is cancelled, and its callback is not called. */
void lc_approximate_run_free (LcApproximateRun *run);

#endif
