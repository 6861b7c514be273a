/* SPDX-License-Identifier: Apache-2.0 */
/* Approximating: the run as it would have been without the measurement, as a timeline of the history. */
#ifndef LIGHTCONE_APPROXIMATE_H
#define LIGHTCONE_APPROXIMATE_H

#include "lightcone/costs.h"
#include "lightcone/history.h"
#include "lightcone/merge.h"

G_BEGIN_DECLS

/* The models. docs/approximation.md has their formulas. */
typedef enum
{
  LC_MODEL_TIME,    /* instrumentation is taken off each event on its own; what depends on other events is not kept */
  LC_MODEL_EVENT,   /* each event follows from what it had to come after */
  LC_MODEL_LIBERAL, /* as LC_MODEL_EVENT, but who comes next is decided again where the rules allow it */
  LC_MODEL_OPTIMISTIC,  /* as LC_MODEL_EVENT, with messages that take no time */
  LC_MODEL_PESSIMISTIC, /* as LC_MODEL_EVENT, with messages that take the longest time possible */
  LC_MODEL_AUTO, /* LC_MODEL_LIBERAL if time decides who gets something next, else LC_MODEL_EVENT: only in options */
} LcModel;

typedef enum
{
  LC_BLIND_PRESERVE, /* a blind receive takes the message that it was measured to take */
  LC_BLIND_FIFO,     /* a blind receive takes the oldest message that has come */
  LC_BLIND_LIFO,     /* a blind receive takes the newest message that has come */
} LcBlindPolicy;

typedef enum
{
  LC_SCALE_OPERATION,
  LC_SCALE_OBJECT,
  LC_SCALE_REGION,        /* everything inside the innermost entered region with this name */
  LC_SCALE_COMMUNICATION, /* the time that messages spend on their way */
  LC_SCALE_PLACE,         /* a place in the source: see docs/approximation.md */
  LC_SCALE_PROCESS,       /* all that a process does itself */
} LcScaleKind;

/* A place in the source, found in a history. */
typedef struct _LcScaledPlace LcScaledPlace;

/* A what-if: something that takes `factor` times as long as it does. */
typedef struct
{
  LcScaleKind kind;
  guint32 id;           /* operation, object or process of the trace */
  LcScaledPlace *place; /* or NULL */
  char *name;           /* what a user calls it; NULL: not known */
  double factor;        /* 0 or more */
} LcScale;

/*
 * Finds the thing that a user calls NAME or NAME=FACTOR (without FACTOR: 1): an operation, an object (named as by
 * lc_trace_dup_object_name), a region, or "communication". FALSE with LC_COSTS_ERROR_VALUE if nothing has this name, or
 * several things have it; "operation:NAME", "object:NAME", "region:NAME" or "CLASS:NAME" tells them apart. A process is
 * always "process:NAME".
 *
 * What is none of these can be a place of the trace's history, in the words of lightcone/called.h: a line of a file, a
 * function, a file or a module; "line NAME", "function NAME", "file NAME" or "module NAME" is nothing else. `history`
 * NULL: no places. To be cleared with lc_scale_clear.
 */
gboolean lc_scale_parse (LcTrace *trace, LcHistory *history, const char *text, LcScale *scale, GError **error);
void lc_scale_clear (LcScale *scale);

typedef struct
{
  LcModel model;
  LcBlindPolicy blind;
  const char *name;            /* of the timeline; NULL: the name of the model */
  const char *const *settings; /* see lc_costs_new */
  const char *const *rules;    /* further files of rules, or NULL */
  const LcScale *scales;       /* what-if */
  gsize n_scales;
  gboolean keep_measurement; /* take nothing off: what-if of the run as it was measured */
  gboolean reuse; /* a timeline made in the same way will do: only `timeline`, `name`, `model`, `costs` are told then */
  LcMergeReport report; /* progress, or NULL */
  gpointer data;
  GCancellable *cancellable;
} LcApproximateOptions;

typedef struct
{
  guint32 process;
  guint64 measured_begin; /* of its first event */
  guint64 measured_end;
  guint64 measured_waiting;
  guint64 begin; /* approximated */
  guint64 end;
  guint64 waiting;
  guint64 removed;   /* instrumentation taken off */
  guint64 preempted; /* time without a processor taken off */
  guint64 events;    /* number of events on the measured timeline */
  guint64 moved;     /* events whose begin or end has changed */
  guint64 gained;    /* events that wait longer than measured */
  guint64 lost;      /* events that wait shorter than measured */
  guint64 reordered; /* events with LC_HISTORY_EVENT_REORDERED */
  guint64 clamped;   /* events with more instrumentation to take off than they had time */
} LcApproximatedProcess;

/* An object whose order the liberal model decided again. */
typedef struct
{
  guint32 object;
  gboolean work;     /* the object hands out work */
  gboolean kept;     /* the measured order was kept: another one could have led to a deadlock */
  guint64 decisions; /* number of decisions */
  guint64 changed;   /* decisions that went to another process than measured */
} LcDecided;

typedef struct
{
  guint32 timeline;
  char *name;
  LcModel model;          /* never LC_MODEL_AUTO */
  gboolean chosen;        /* the model was chosen: LC_MODEL_AUTO was asked for */
  gboolean in_time;       /* time decides who gets something next, which LC_MODEL_EVENT keeps as it was */
  gboolean kept;          /* the model could not improve on the measured run: the timeline is that run */
  guint64 measured_total; /* from lc_trace_get_ready to the end of the last event */
  guint64 approximated_total;
  guint64 low, high; /* totals with costs at their quartiles, and in the other order; LC_TRACE_UNKNOWN: not tried */
  guint64 unscaled;  /* what-if: the total that the model finds if nothing is scaled; LC_TRACE_UNKNOWN: not tried */
  guint64 events, moved, gained, lost, reordered, clamped; /* sums over all processes */
  guint64 removed;
  guint64 preempted;
  LcCosts *costs;
  GArray *processes;        /* LcApproximatedProcess */
  GArray *operations;       /* guint32: numbers of the operations that have events, in order */
  GArray *decided;          /* LcDecided */
  GPtrArray *warnings;      /* char *, translated */
  GPtrArray *warning_kinds; /* const char *, by warning: those of one kind differ in their figures only */
} LcApproximation;

/* Merges the trace if need be, approximates it, and adds the timeline to the history. NULL with LC_COSTS_ERROR or an
 * error of lc_merge. */
LcApproximation *lc_approximate (const char *directory, const LcApproximateOptions *options, GError **error);
void lc_approximation_free (LcApproximation *approximation);

/* The name of a model, not translated, and the model of a name. FALSE: no model has this name. */
const char *lc_model_get_name (LcModel model);
gboolean lc_model_parse (const char *name, LcModel *model);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcApproximation, lc_approximation_free)

G_END_DECLS

#endif
