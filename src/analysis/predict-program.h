/* SPDX-License-Identifier: Apache-2.0 */
/* A run as what each process computes and waits for, one step for each event, for simulations that go over it again
 * and again. */
#ifndef LC_ANALYSIS_PREDICT_PROGRAM_H
#define LC_ANALYSIS_PREDICT_PROGRAM_H

#include "lightcone/history.h"

/* A point of another process that has to be passed first. */
typedef struct
{
  guint64 point; /* 2 * ordinal, and 1 more for the end */
  guint32 process;
} LcPredictWait;

/* One event. */
typedef struct
{
  guint64 gap;        /* that the process computes before */
  guint64 rest;       /* in the event, for a time that no process decides */
  guint64 own;        /* that the process computes in the event */
  guint32 group;      /* or LC_TRACE_NONE */
  guint32 first_wait; /* of its part of the run */
  guint32 n_waits;    /* 0 in a group */
  gboolean has_arcs;  /* it came after something of another process, perhaps of itself */
} LcPredictStep;

typedef struct _LcPredictProgram LcPredictProgram;

LcPredictProgram *lc_predict_program_new (LcHistory *history, guint32 timeline, GCancellable *cancellable,
                                          GError **error);
void lc_predict_program_free (LcPredictProgram *program);

guint64 lc_predict_program_count_steps (const LcPredictProgram *program, guint32 process);
guint64 lc_predict_program_count_all (const LcPredictProgram *program);

/* When the process began, on the timeline. */
guint64 lc_predict_program_get_birth (const LcPredictProgram *program, guint32 process);
guint lc_predict_program_count_members (const LcPredictProgram *program, guint32 group);

/* Whether a step that has been given rests. */
gboolean lc_predict_program_rests (const LcPredictProgram *program);

/* Gives a step and its waits (NULL: none), which stay until the next call. NULL: the history could not be read. */
const LcPredictStep *lc_predict_program_get (LcPredictProgram *program, guint32 process, guint64 ordinal,
                                             const LcPredictWait **waits, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPredictProgram, lc_predict_program_free)

#endif
