/* SPDX-License-Identifier: Apache-2.0 */
/* Predicting: what a run with a larger input would take, from runs with inputs of several sizes. */
#ifndef LIGHTCONE_SIZES_H
#define LIGHTCONE_SIZES_H

#include "lightcone/growth.h"
#include "lightcone/predict.h"

G_BEGIN_DECLS

/*
 * Processes whose names differ only in numbers are of one class. All events of a class with the same operation and site
 * are a part of the run, each with what its process computes from the event before it to its end. Of each part a law
 * is found for its number of events, and for what an event computes and waits. docs/approximation.md has the rules.
 */

/* A part's amounts in one run. */
typedef struct
{
  guint64 events;
  guint64 computing; /* ns, of all events together; parts sum up to the run's work */
  guint64 waiting;   /* ns, for others, for what is outside, and until it went on */
  guint64 path;      /* ns of the critical path; parts sum up to the run's span */
  guint64 path_visits;
} LcSizesAmount;

typedef struct
{
  char *processes; /* the class: "worker *" */
  char *operation;
  char *class_name; /* of the operation's objects */
  char *site;       /* or NULL */
  GArray *amounts;  /* LcSizesAmount, of each run */
} LcSizesPart;

typedef struct
{
  double size;
  guint64 processes;
  guint64 total;
  guint64 work;
  guint64 span;
  gboolean rests;
  GArray *predicted; /* LcPredicted, of each number of processors */
} LcSizesRun;

typedef struct
{
  GArray *processors; /* guint32; 1 comes first */
  guint64 quantum;
  GArray *runs;     /* LcSizesRun */
  GPtrArray *parts; /* LcSizesPart, in the order in which they were found */
  GHashTable *by_key;
} LcSizes;

/* `processors` are numbers from 1 on; what one processor would take is found in any case. */
LcSizes *lc_sizes_new (const guint32 *processors, guint n_processors, guint64 quantum);
void lc_sizes_free (LcSizes *sizes);

/* Adds a run with an input of this size (1 or more). */
gboolean lc_sizes_add (LcSizes *sizes, double size, LcHistory *history, guint32 timeline, GCancellable *cancellable,
                       GError **error);

/* The laws of a part. */
typedef struct
{
  LcGrowth events;
  LcGrowth computing; /* of an event, ns */
  LcGrowth waiting;   /* of an event, ns */
  LcGrowth visits;    /* of the critical path */
  LcGrowth path;      /* of a visit, ns */
  double work;        /* of the part at the largest size, ns */
} LcSizesLaws;

typedef struct
{
  const LcSizes *sizes;
  LcSizesLaws *laws;  /* of each part */
  LcGrowth work;      /* of the whole, ns */
  LcGrowth span;      /* ns */
  gboolean sums_work; /* the sum over the parts is as near to the runs as the law of the whole */
  gboolean sums_span;
  guint n_sizes; /* different ones */
  double smallest;
  double largest;
  double unknown; /* what part of the work at the largest size has no law, since it was in too few sizes */
} LcSizesModel;

/* Makes the laws from all runs with less than this size. The model must be freed before the sizes. */
LcSizesModel *lc_sizes_model_new (const LcSizes *sizes, double below);
void lc_sizes_model_free (LcSizesModel *model);

typedef struct
{
  double value, low, high; /* ns */
} LcSized;

/* The computing of all processes together at a size. It is the sum over the parts, and the interval has what the
 * whole's own law says, too; or if the sum is off at the sizes that were run, it is what that law says. */
LcSized lc_sizes_model_work (const LcSizesModel *model, double size);
/* The time with a processor for each process, in the same way the sum over the critical path's parts. */
LcSized lc_sizes_model_span (const LcSizesModel *model, double size);
/* The time on the processors with this index, between the bounds that work and span of a size set, as near to them as
 * in the runs. */
LcSized lc_sizes_model_time (const LcSizesModel *model, const LcSized *work, const LcSized *span, guint index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSizes, lc_sizes_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcSizesModel, lc_sizes_model_free)

G_END_DECLS

#endif
