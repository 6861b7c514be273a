/* SPDX-License-Identifier: Apache-2.0 */
/* What the measurement and the operations cost: what an approximation takes off, and puts in its place. */
#ifndef LIGHTCONE_COSTS_H
#define LIGHTCONE_COSTS_H

#include <gio/gio.h>

#include "lightcone/rules.h"
#include "lightcone/trace.h"

G_BEGIN_DECLS

#define LC_COSTS_ERROR (lc_costs_error_quark ())
GQuark lc_costs_error_quark (void);

typedef enum
{
  LC_COSTS_ERROR_KEY,   /* there is no such setting */
  LC_COSTS_ERROR_VALUE, /* the setting cannot have this value */
} LcCostsError;

/* Where a cost comes from. */
typedef enum
{
  LC_COST_UNKNOWN,    /* nothing is known: it counts as nothing */
  LC_COST_GIVEN,      /* trace.ini, by whoever made the trace, or a setting */
  LC_COST_CALIBRATED, /* trace.ini, by the recorder, which measured it on its machine */
  LC_COST_ESTIMATED,  /* from the trace itself */
} LcCostSource;

/* One number, in ns. */
typedef struct
{
  double value;
  LcCostSource source;
  const char *how; /* estimated: by which method, translated; else NULL. Static */
  guint64 samples; /* estimated: from so many, with this spread */
  double least;
  double median;
  double most;
} LcCost;

typedef struct
{
  LcCost before; /* instrumentation: before the begin stamp, between the stamps, after the end stamp */
  LcCost inside;
  LcCost after;
  LcCost nowait; /* the operation itself: when it need not wait, or at all */
  LcCost wait;   /* from the release to its end */
} LcOperationCosts;

typedef enum
{
  LC_EXIT_MEASURED, /* nobody has said: as late as the one of the same rank was measured to leave */
  LC_EXIT_LINEAR,
  LC_EXIT_SIMULTANEOUS,
  LC_EXIT_LOGARITHMIC,
  LC_EXIT_SEQUENTIAL,
} LcBarrierExit;

typedef enum
{
  LC_TOPOLOGY_NONE, /* no hops */
  LC_TOPOLOGY_FULL,
  LC_TOPOLOGY_RING,
  LC_TOPOLOGY_MESH,
  LC_TOPOLOGY_TORUS,
  LC_TOPOLOGY_HYPERCUBE,
} LcTopology;

/* What a message takes: startup + bytes * per_byte + hops * per_hop. */
typedef struct
{
  LcCost startup;
  LcCost per_byte;
  LcCost per_hop;
} LcMessageCosts;

typedef struct
{
  LcOperationCosts *operations; /* by number in the trace */
  guint32 n_operations;
  LcCost copy; /* a message into a buffer, or out of it */
  LcBarrierExit exit;
  LcCostSource exit_source; /* unknown: LC_EXIT_MEASURED */
  LcCost beta;              /* how much later each further member leaves; unknown: by each barrier's own exits */
  LcTopology topology;
  guint32 width, height; /* of a mesh or torus */
  guint64 short_below;   /* bytes; 0: all messages are long ones */
  LcMessageCosts of_short, of_long;
  guint32 *places; /* in the topology, by process: ranks, or LC_TRACE_NONE; NULL: its number */
  guint32 n_places;
  char *model; /* of communication: "linear", "optimistic", "pessimistic", or NULL: nobody has said */
} LcCosts;

/*
 * Those of trace.ini, over which go `settings` ("overhead.await=10;12;20", "communication.topology=mesh:4x4":
 * section.key=value; NULL-terminated, or NULL). NULL with LC_COSTS_ERROR: the message says which file or setting,
 * which key, and what it may be.
 */
LcCosts *lc_costs_new (LcTrace *trace, const LcRules *rules, const char *const *settings, GError **error);
void lc_costs_free (LcCosts *costs);

/* Whether something that matters for this trace is unknown that the trace itself may tell. */
gboolean lc_costs_need_estimate (const LcCosts *costs, LcTrace *trace, const LcRules *rules);

/* Fills in what is unknown, from a sweep of the trace's first million events. FALSE with G_IO_ERROR_CANCELLED. */
gboolean lc_costs_estimate (LcCosts *costs, LcTrace *trace, const LcRules *rules, GCancellable *cancellable,
                            GError **error);

/* How many hops a message takes between two of n processes. Of a program that has ranks only those are some apart. */
guint32 lc_costs_count_hops (const LcCosts *costs, guint32 n_processes, guint32 from, guint32 to);

/* All of it as trace.ini has it, with where it comes from, as a JSON object. Free with g_free. */
char *lc_costs_dup_json (const LcCosts *costs, LcTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcCosts, lc_costs_free)

G_END_DECLS

#endif
