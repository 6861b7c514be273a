/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of finding phases share. */
#ifndef LC_ANALYSIS_PHASES_PRIVATE_H
#define LC_ANALYSIS_PHASES_PRIVATE_H

#include "lightcone/phases.h"

/* The number of a phase, so that numbers below zero come first; 0: nothing has begun. */
typedef guint64 LcPhaseRank;

static inline LcPhaseRank
lc_phase_rank (gint64 number)
{
  return (guint64)number ^ G_GUINT64_CONSTANT (1) << 63;
}

static inline gint64
lc_phase_number (LcPhaseRank rank)
{
  return (gint64)(rank ^ G_GUINT64_CONSTANT (1) << 63);
}

/* What a definition means in a history: which events begin a phase, and which one. */
typedef struct
{
  char *definition;
  LcHistory *history;
  gboolean *operations;  /* by number */
  char *object;          /* NULL: whatever it is done to */
  GPatternSpec *pattern; /* of the object's name; NULL: it is the name */
  guint8 *objects;       /* by number: whether it is one of them, if it has been asked */
  LcPhaseNumber number;
  LcPoint point;
  gboolean generations; /* they are named as such, and what comes before the first one is one, too */
  const char *word;     /* of the name, before its number */
} LcPhaseStart;

/* `definition` is not "auto". LC_PHASES_ERROR_NONE if it is clear at once that nothing begins such a phase. */
LcPhaseStart *lc_phase_start_new (LcHistory *history, guint32 timeline, const char *definition,
                                  GCancellable *cancellable, GError **error);
void lc_phase_start_free (LcPhaseStart *start);

/* What "auto" stands for: the first of all that begins anything. */
LcPhaseStart *lc_phase_start_choose (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);

/* The rank of the phase that the event begins, or 0. `*count` is of such events of its process, up to now. */
LcPhaseRank lc_phase_start_get (LcPhaseStart *start, const LcHistoryEvent *event, guint64 *count);

/* All events of a process from one on, up to the next part, are in one phase. */
typedef struct
{
  LcPhaseRank rank;
  guint64 ordinal;
  guint64 begin; /* of its first event */
  guint64 end;   /* of its last one */
  guint64 first_layer;
  guint64 last_layer;
} LcPhasePart;

typedef struct
{
  guint32 n_processes;
  GArray **parts;  /* by process: LcPhasePart, one after the other with rising ranks */
  guint64 *events; /* by process */
  guint64 behind;  /* events that would have begun a phase that is not after the one that their process was in */
} LcPhaseParts;

/* NULL with an error. */
LcPhaseParts *lc_phase_parts_find (LcPhaseStart *start, guint32 timeline, GCancellable *cancellable, GError **error);
void lc_phase_parts_free (LcPhaseParts *parts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPhaseStart, lc_phase_start_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPhaseParts, lc_phase_parts_free)

#endif
