/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a history all that can be asked, and compares with the model. */
#ifndef QUESTIONS_H
#define QUESTIONS_H

#include "model.h"

/* Each process's events, alone and all in a row; `some` of them, and keys, arcs and places at random. */
void ask_events (LcHistory *history, const Model *model, guint32 timeline, GRand *random, guint some);

/* Windows at random, on both axes, with all limits: events, summaries, spans, the longest arcs. */
void ask_windows (LcHistory *history, const Model *model, guint32 timeline, GRand *random, guint some);

/* The same of a history that may be damaged: errors are right, but no event may be wrong. */
void ask_damaged (LcHistory *history, const Model *model, GRand *random, guint some);

/* Whatever can be asked, with no regard to what is answered, as long as it is an answer or an error. */
void ask_anything (LcHistory *history, GRand *random, guint some);

#endif
