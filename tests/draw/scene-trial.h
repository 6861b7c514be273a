/* SPDX-License-Identifier: Apache-2.0 */
/* A scene of a random history that is asked for at random, and what is known of it without the scene. */
#ifndef SCENE_TRIAL_H
#define SCENE_TRIAL_H

#include "../history/case.h"
#include "lightcone/scene.h"

/* What is asked for, and what is known. */
typedef struct
{
  LcHistory *history;
  const Model *model;
  GRand *random;
  LcSceneQuery query; /* as the scene has it */
  guint64 before;     /* what begins here is not in the span */
  guint32 *processes;
  guint32 *row_ends;
  gboolean *operations;
  guint32 objects[3];
  LcScene *scene;
} Trial;

/* All but the scene: time, span, rows and filters at random. */
void trial_begin (Trial *trial, const Case *at, const Model *model, guint32 timeline, GRand *random);
void trial_choose_span (Trial *trial);

/* Makes the scene of the query. */
void trial_make (Trial *trial);
void trial_end (Trial *trial);

/* The last end of the processes that are shown. */
guint64 trial_run_end (const Trial *trial);
gboolean trial_is_physical (const Trial *trial);
gboolean trial_is_filtered (const Trial *trial);

/* Whether the event is in the span, and the filters let it through. */
gboolean trial_is_shown (const Trial *trial, const LcHistoryEvent *event);

/* What the span has of another one. */
guint64 trial_overlap (const Trial *trial, guint64 from, guint64 to);

/* The row of a process, or LC_TRACE_NONE; and the processes of a row. */
guint32 trial_row_of (const Trial *trial, guint32 process);
guint32 trial_count_of (const Trial *trial, guint32 row);
guint32 trial_process_of (const Trial *trial, guint32 row, guint32 i);
guint32 trial_count_rows (const Trial *trial);

/* At so many random places: what is picked, against the nearest of all marks and arcs (scene-picks.c). */
void trial_check_picks (const Trial *trial, guint n);

/* Texts say something of each, and are never broken. */
void trial_check_texts (const Trial *trial);

#endif
