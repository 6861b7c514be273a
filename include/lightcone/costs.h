/* SPDX-License-Identifier: Apache-2.0 */
/* Costs of the measurement and of the operations: an approximation takes the former off and puts in the latter. */
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

/* The source of a cost. */
typedef enum
{
  LC_COST_UNKNOWN,    /* nothing is known: the cost counts as 0 */
  LC_COST_GIVEN,      /* trace.ini, by whoever made the trace, or a setting */
  LC_COST_CALIBRATED, /* trace.ini, measured by the recorder on its machine */
  LC_COST_ESTIMATED,  /* from the trace itself */
} LcCostSource;

/* A cost, in ns. */
typedef struct
{
  double value;
  LcCostSource source;
  const char *how; /* estimated: the method, translated; else NULL. Static */
  guint64 samples; /* estimated: number of samples; their spread follows */
  double least;
  double low; /* quartiles */
  double median;
  double high;
  double most;
} LcCost;

/* How long an event has waited: after a moment its process is awake, later it sleeps, and then more and more deeply. */
typedef enum
{
  LC_WAIT_MOMENT, /* up to 4 us */
  LC_WAIT_SHORT,  /* up to 50 us */
  LC_WAIT_LONG,   /* up to 1 ms */
  LC_WAIT_LONGER,
  LC_WAIT_N_LENGTHS,
} LcWaitLength;

LcWaitLength lc_wait_get_length (guint64 waited);

/* Instrumentation of an event that costs another amount than its operation commonly does. */
typedef struct
{
  gboolean is_set, is_asked; /* asked for: by a user's setting */
  LcCost before, inside, after;
  LcCost wait; /* of the operation, as in LcOperationCosts; unknown: as commonly */
} LcOtherOverhead;

typedef struct
{
  LcCost before; /* instrumentation: before the begin stamp, between the stamps, after the end stamp */
  LcCost inside;
  LcCost after;
  LcOtherOverhead other; /* of OpenMP's objects, and of futexes by system calls without the C library */
  LcCost nowait;         /* the operation itself: when it need not wait, or at all */
  LcCost wait;           /* from the release to its end */
  LcCost seen; /* what not having to wait took in the trace of our recorder, the median, instrumentation taken off */
} LcOperationCosts;

typedef enum
{
  LC_EXIT_MEASURED, /* not given: each member leaves as late as the member of its rank was measured to leave */
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

/* The cost of a message: startup + bytes * per_byte + hops * per_hop. */
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
  guint8 *is_openmp; /* by object: the other overhead is its */
  guint32 n_objects;
  GHashTable *wakes; /* see lc_costs_get_wake; NULL: none */
  LcCost copy;       /* of copying a message into a buffer, or out of it */
  LcBarrierExit exit;
  LcCostSource exit_source; /* unknown: LC_EXIT_MEASURED */
  LcCost beta;              /* how much later each further member leaves; unknown: by each barrier's own exits */
  LcTopology topology;
  guint32 width, height; /* of a mesh or torus */
  guint64 short_below;   /* bytes; 0: all messages are long ones */
  LcMessageCosts of_short, of_long;
  guint32 *places; /* in the topology, by process: ranks, or LC_TRACE_NONE; NULL: the process number */
  guint32 n_places;
  gboolean removes_preemption; /* time in which processes were ready, but had no processor, is taken off */
  char *model;                 /* of communication: "linear", "optimistic", "pessimistic"; NULL: not given */
} LcCosts;

/*
 * Reads the costs of trace.ini, overridden by `settings` ("overhead.await=10;12;20", "communication.topology=mesh:4x4":
 * section.key=value; NULL-terminated, or NULL). NULL with LC_COSTS_ERROR: the message names the file or setting, the
 * key, and the allowed values.
 */
LcCosts *lc_costs_new (LcTrace *trace, const LcRules *rules, const char *const *settings, GError **error);
void lc_costs_free (LcCosts *costs);

/* Whether the other overhead of its operation is this event's. */
static inline gboolean
lc_costs_is_other (const LcCosts *costs, const LcTraceEvent *event)
{
  return costs->operations[event->operation].other.is_set &&
         (lc_trace_is_trapped (event->operation, event->flags) ||
          (event->object < costs->n_objects && costs->is_openmp[event->object]));
}

/* The instrumentation inside of an event. */
static inline const LcCost *
lc_costs_get_inside (const LcCosts *costs, const LcTraceEvent *event)
{
  const LcOperationCosts *operation = &costs->operations[event->operation];

  return lc_costs_is_other (costs, event) ? &operation->other.inside : &operation->inside;
}

/* The instrumentation after an event. */
static inline const LcCost *
lc_costs_get_after (const LcCosts *costs, const LcTraceEvent *event)
{
  const LcOperationCosts *operation = &costs->operations[event->operation];

  return lc_costs_is_other (costs, event) ? &operation->other.after : &operation->after;
}

/* Whether a cost that matters for this trace is unknown and could be estimated from the trace itself. */
gboolean lc_costs_need_estimate (const LcCosts *costs, LcTrace *trace, const LcRules *rules);

/* Estimates unknown costs from a sweep of the trace's first million events. FALSE with G_IO_ERROR_CANCELLED. */
gboolean lc_costs_estimate (LcCosts *costs, LcTrace *trace, const LcRules *rules, GCancellable *cancellable,
                            GError **error);

/* What going on after a wait of this length took in the trace of our recorder, on one object or (LC_TRACE_NONE) on all.
 * NULL: it has too few such events. */
const LcCost *lc_costs_get_wake (const LcCosts *costs, guint32 operation, guint32 object, LcWaitLength length);

/* The best that is known of what going on takes after a wait of so many ns: if it is given, that; else what the trace
 * shows of the object, or of the operation; else `wait` of the operation. */
const LcCost *lc_costs_find_wake (const LcCosts *costs, guint32 operation, guint32 object, guint64 waited);

/* Counts the hops of a message between two of n processes. In a program with ranks, only ranks are hops apart. */
guint32 lc_costs_count_hops (const LcCosts *costs, guint32 n_processes, guint32 from, guint32 to);

/* All costs as in trace.ini, with their sources, as a JSON object. Free with g_free. */
char *lc_costs_dup_json (const LcCosts *costs, LcTrace *trace);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcCosts, lc_costs_free)

G_END_DECLS

#endif
