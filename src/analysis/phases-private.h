/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that find phases. */
#ifndef LC_ANALYSIS_PHASES_PRIVATE_H
#define LC_ANALYSIS_PHASES_PRIVATE_H

#include "lightcone/phases.h"

/* The number of a phase, mapped so that negative numbers come first; 0: no phase has begun. */
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

/* A definition of phases, applied to a history: the events that begin a phase, and which one they begin. */
typedef struct
{
  char *definition;
  LcHistory *history;
  gboolean *operations;  /* by number */
  char *object;          /* name or pattern of the objects; NULL: any object */
  GPatternSpec *pattern; /* compiled pattern; NULL: `object` is a name */
  guint8 *objects;       /* by number: whether the object is one of them, if known */
  LcPhaseNumber number;
  LcPoint point;
  gboolean generations; /* the time before the first begin is a phase as the others: it ends as they do */
  char *word;           /* first part of a phase's name, before its number; NULL: there is none */
  GHashTable *ends;     /* gint64 -> operation: of that which ends a phase, for its name; NULL: names have none */
} LcPhaseStart;

/* The first part of the name of the phase with this number, which belongs to the caller. */
char *lc_phase_start_dup_word (const LcPhaseStart *start, gint64 number);

/* `definition` must not be "auto". LC_PHASES_ERROR_NONE if it is clear at once that no event begins such a phase. */
LcPhaseStart *lc_phase_start_new (LcHistory *history, guint32 timeline, const char *definition,
                                  GCancellable *cancellable, GError **error);
void lc_phase_start_free (LcPhaseStart *start);

/* Chooses what "auto" stands for: the first definition for which an event begins a phase. */
LcPhaseStart *lc_phase_start_choose (LcHistory *history, guint32 timeline, GCancellable *cancellable, GError **error);

/* Returns the rank of the phase that the event begins, or 0. `count` counts such events of the process so far. */
LcPhaseRank lc_phase_start_get (LcPhaseStart *start, const LcHistoryEvent *event, guint64 *count);

/* Events of a process from `ordinal` up to the next part, all in one phase. */
typedef struct
{
  LcPhaseRank rank;
  guint64 ordinal;
  guint64 begin; /* begin of its first event */
  guint64 end;   /* end of its last event */
  guint64 first_layer;
  guint64 last_layer;
} LcPhasePart;

typedef struct
{
  guint32 n_processes;
  GArray **parts;  /* by process: LcPhasePart, in order and with rising ranks */
  guint64 *events; /* by process */
  guint64 behind;  /* events that would begin a phase that is not after the present one of their process */
} LcPhaseParts;

/* Finds the parts of all processes. NULL with an error. */
LcPhaseParts *lc_phase_parts_find (LcPhaseStart *start, guint32 timeline, GCancellable *cancellable, GError **error);
void lc_phase_parts_free (LcPhaseParts *parts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPhaseStart, lc_phase_start_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPhaseParts, lc_phase_parts_free)

#endif
