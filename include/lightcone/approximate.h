/* SPDX-License-Identifier: Apache-2.0 */
/* Approximating: the run as it would have been without the measurement, as a timeline of the history. */
#ifndef LIGHTCONE_APPROXIMATE_H
#define LIGHTCONE_APPROXIMATE_H

#include "lightcone/costs.h"
#include "lightcone/history.h"
#include "lightcone/merge.h"

G_BEGIN_DECLS

/* docs/approximation.md has the formulas. */
typedef enum
{
  LC_MODEL_TIME,        /* instrumentation is taken off, every event on its own; what depends on others is not kept */
  LC_MODEL_EVENT,       /* each event follows from what it had to come after */
  LC_MODEL_LIBERAL,     /* so too, but who comes next is decided again where the rules allow it */
  LC_MODEL_OPTIMISTIC,  /* as event, with messages that take no time */
  LC_MODEL_PESSIMISTIC, /* as event, with messages that take as long as they can have taken */
} LcModel;

typedef enum
{
  LC_BLIND_PRESERVE, /* a blind receive takes the message that it was measured to take */
  LC_BLIND_FIFO,     /* the oldest that has come */
  LC_BLIND_LIFO,     /* the newest */
} LcBlindPolicy;

typedef enum
{
  LC_SCALE_OPERATION,
  LC_SCALE_OBJECT,
  LC_SCALE_REGION,        /* what is inside of the innermost entered region with this name */
  LC_SCALE_COMMUNICATION, /* all that messages take on their way */
} LcScaleKind;

/* What would take another time than it does: what-if. */
typedef struct
{
  LcScaleKind kind;
  guint32 id;    /* operation or object of the trace */
  double factor; /* 0 or more */
} LcScale;

/* Finds what a user has called NAME, or NAME=FACTOR (without: 1): an operation, an object (as lc_trace_dup_object_name
 * has it), a region, or "communication". FALSE with LC_COSTS_ERROR_VALUE: there is none, or there are several: then
 * "operation:NAME", "object:NAME", "region:NAME" or "CLASS:NAME" says which. */
gboolean lc_scale_parse (LcTrace *trace, const char *text, LcScale *scale, GError **error);

typedef struct
{
  LcModel model;
  LcBlindPolicy blind;
  const char *name;            /* of the timeline; NULL: the model's */
  const char *const *settings; /* see lc_costs_new */
  const char *const *rules;    /* further files of rules, or NULL */
  const LcScale *scales;       /* what-if */
  gsize n_scales;
  gboolean keep_measurement; /* nothing is taken off: what-if of the run as it was measured */
  LcMergeReport report;      /* progress, or NULL */
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
  guint64 events;    /* on the measured timeline */
  guint64 moved;     /* whose begin or end is not what it was */
  guint64 gained;    /* that wait longer than they did */
  guint64 lost;      /* that wait shorter */
  guint64 reordered; /* see LC_HISTORY_EVENT_REORDERED */
  guint64 clamped;   /* where more instrumentation was to be taken off than there was time */
} LcApproximatedProcess;

/* What was decided again (liberal). */
typedef struct
{
  guint32 object;
  gboolean work;     /* it hands out work */
  gboolean kept;     /* it was not decided again: that could have led to a deadlock */
  guint64 decisions; /* in all */
  guint64 changed;   /* that another process got */
} LcDecided;

typedef struct
{
  guint32 timeline;
  char *name;
  LcModel model;
  guint64 measured_total; /* from lc_trace_get_ready to the end of the last event */
  guint64 approximated_total;
  guint64 events, moved, gained, lost, reordered, clamped; /* of all processes */
  guint64 removed;
  LcCosts *costs;
  GArray *processes;   /* LcApproximatedProcess */
  GArray *operations;  /* guint32: the numbers of those that there are events of, in order */
  GArray *decided;     /* LcDecided */
  GPtrArray *warnings; /* char *, translated */
} LcApproximation;

/* Merges if need be, approximates, and adds the timeline. NULL with LC_COSTS_ERROR, and the errors of lc_merge. */
LcApproximation *lc_approximate (const char *directory, const LcApproximateOptions *options, GError **error);
void lc_approximation_free (LcApproximation *approximation);

/* The name of a model, not translated, and back; FALSE: there is none. */
const char *lc_model_get_name (LcModel model);
gboolean lc_model_parse (const char *name, LcModel *model);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcApproximation, lc_approximation_free)

G_END_DECLS

#endif
