/* SPDX-License-Identifier: Apache-2.0 */
/* Events in Scheme: pairs of process and ordinal, whose attributes are read where the history has them. */
#include <glib/gi18n.h>

#include "lightcone/causality.h"
#include "script-private.h"

LcHistoryWalk *
lc_script_get_walk (LcScriptHistory *history)
{
  GPtrArray *walks = history->walks;
  GError *error = NULL;

  if (walks->len <= lc_script.timeline)
    g_ptr_array_set_size (walks, (int)lc_script.timeline + 1);
  if (walks->pdata[lc_script.timeline] == NULL)
    walks->pdata[lc_script.timeline] =
        lc_history_walk_new (history->history, lc_script.timeline, LC_WALK_ALL, lc_script.cancellable, &error);
  if (walks->pdata[lc_script.timeline] == NULL)
    lc_script_throw (error);
  return walks->pdata[lc_script.timeline];
}

void
lc_script_to_event (const char *procedure, SCM event, guint32 *process, guint64 *ordinal)
{
  if (!scm_is_pair (event) || !scm_is_unsigned_integer (SCM_CAR (event), 0, LC_TRACE_NONE - 1) ||
      !scm_is_unsigned_integer (SCM_CDR (event), 0, G_MAXUINT64 - 1))
    lc_script_fail (_ ("~A: ~S is no event, which is (PROCESS . ORDINAL)"),
                    scm_list_2 (scm_from_utf8_string (procedure), event));
  *process = scm_to_uint32 (SCM_CAR (event));
  *ordinal = scm_to_uint64 (SCM_CDR (event));
}

SCM
lc_script_from_event (guint32 process, guint64 ordinal)
{
  return scm_cons (scm_from_uint32 (process), scm_from_uint64 (ordinal));
}

/* Reads an event, with the arcs that end at it if they are asked for. */
static const LcHistoryEvent *
events_read (const char *procedure, SCM event, const LcHistoryArcEnd **arcs)
{
  LcHistoryEvent *read = &lc_script.event;
  guint32 process;
  guint64 ordinal;
  GError *error = NULL;

  lc_script_to_event (procedure, event, &process, &ordinal);
  lc_script_get ();
  if (arcs == NULL && lc_script.has_event && read->ordinal == ordinal && read->process == process)
    return read;
  lc_script.has_event =
      lc_history_walk_get (lc_script_get_walk (lc_script.current), process, ordinal, read, arcs, &error);
  if (!lc_script.has_event)
    lc_script_throw (error);
  return read;
}

static SCM
events_get_operation (SCM event)
{
  return scm_c_vector_ref (lc_script.current->operations, events_read ("event-operation", event, NULL)->operation);
}

static SCM
events_get_stack (const LcHistoryEvent *event)
{
  return lc_script_from_id (event->stack);
}

static SCM
events_get_own_site (const LcHistoryEvent *event)
{
  const LcHistorySite *site = lc_history_get_own_site (lc_script.current->history, event->stack);

  return site != NULL ? scm_from_uint32 (site->id) : SCM_BOOL_F;
}

/* X (name, name in Scheme, value of the LcHistoryEvent *e) */
#define EVENT_ATTRIBUTES(X) \
  X (begin, "event-begin", scm_from_uint64 (e->begin)) \
  X (end, "event-end", scm_from_uint64 (e->end)) \
  X (duration, "event-duration", scm_from_uint64 (e->end - e->begin)) \
  X (waited, "event-waited", scm_from_uint64 (e->waited)) \
  X (woken, "event-woken", scm_from_uint64 (e->woken)) \
  X (preempted, "event-preempted", scm_from_uint64 (e->preempted)) \
  X (layer, "event-layer", scm_from_uint64 (e->layer)) \
  X (object, "event-object", lc_script_from_id (e->object)) \
  X (sequence, "event-sequence", e->flags &LC_TRACE_EVENT_SEQUENCE ? scm_from_int64 (e->sequence) : SCM_BOOL_F) \
  X (value, "event-value", e->flags &LC_TRACE_EVENT_VALUE ? scm_from_int64 (e->value) : SCM_BOOL_F) \
  X (bytes, "event-bytes", e->flags &LC_TRACE_EVENT_BYTES ? scm_from_uint64 (e->bytes) : SCM_BOOL_F) \
  X (peer, "event-peer", lc_script_from_id (e->peer)) \
  X (cpu, "event-cpu", e->cpu != LC_CPU_UNKNOWN ? scm_from_uint16 (e->cpu) : SCM_BOOL_F) \
  X (stack, "event-stack", events_get_stack (e)) \
  X (site, "%event-site", events_get_own_site (e)) \
  X (removed, "event-removed", scm_from_uint64 (e->removed)) \
  X (gained, "event-gained", scm_from_int64 (e->gained)) \
  X (reordered, "event-reordered?", scm_from_bool (e->flags &LC_HISTORY_EVENT_REORDERED)) \
  X (origin, "event-origin", lc_script_from_event (e->origin_process, e->origin_ordinal))

#define DEFINE_ATTRIBUTE(name, label, value) \
  static SCM events_get_##name##_of (SCM event) \
  { \
    const LcHistoryEvent *e = events_read (label, event, NULL); \
\
    return value; \
  }
EVENT_ATTRIBUTES (DEFINE_ATTRIBUTE)

/* --- Arcs --------------------------------------------------------------------------------------------------------- */

static SCM
events_get_basis (SCM event)
{
  const LcHistoryArcEnd *arcs;
  const LcHistoryEvent *read = events_read ("time-basis", event, &arcs);

  if (read->basis < 0)
    return SCM_BOOL_F;
  return lc_script_from_event (arcs[read->basis].process, arcs[read->basis].ordinal);
}

/* Lists arcs as lists: from, to, from-point, kind, object, rule, from-time, to-time. */
static SCM
events_list_arcs (const GArray *arcs)
{
  LcHistory *history = lc_script.current->history;
  SCM list = SCM_EOL;

  for (guint i = arcs->len; i-- > 0;)
    {
      const LcHistoryArc *arc = &g_array_index (arcs, LcHistoryArc, i);
      const LcHistoryRule *rule = lc_history_get_rule (history, arc->rule);

      list =
          scm_cons (scm_list_n (lc_script_from_event (arc->from_process, arc->from_ordinal),
                                lc_script_from_event (arc->to_process, arc->to_ordinal),
                                scm_from_utf8_symbol (arc->from_point == LC_POINT_BEGIN ? "begin" : "end"),
                                scm_from_utf8_symbol (rule != NULL && rule->kind == LC_ARC_ORDER ? "order" : "data"),
                                lc_script_from_id (arc->object), lc_script_from_text (rule != NULL ? rule->name : NULL),
                                scm_from_uint64 (arc->from_time), scm_from_uint64 (arc->to_time), SCM_UNDEFINED),
                    list);
    }
  return list;
}

static SCM
events_list_arcs_in (SCM event)
{
  LcScriptHistory *history = lc_script_get ();
  GArray *arcs = NULL;
  GError *error = NULL;
  guint32 process;
  guint64 ordinal;
  SCM list;

  lc_script_to_event ("arcs-in", event, &process, &ordinal);
  if (!lc_history_list_arcs_in (history->history, lc_script.timeline, process, ordinal, &arcs, &error))
    lc_script_throw (error);
  list = events_list_arcs (arcs);
  g_array_unref (arcs);
  return list;
}

static SCM
events_list_arcs_out (SCM event)
{
  LcScriptHistory *history = lc_script_get ();
  GArray *arcs = NULL;
  GError *error = NULL;
  guint32 process;
  guint64 ordinal;
  SCM list;

  lc_script_to_event ("arcs-out", event, &process, &ordinal);
  if (!lc_history_list_arcs_out (history->history, lc_script.timeline, process, ordinal, lc_script.cancellable, &arcs,
                                 &error))
    lc_script_throw (error);
  list = events_list_arcs (arcs);
  g_array_unref (arcs);
  return list;
}

static SCM
events_find_at (SCM process, SCM time)
{
  LcScriptHistory *history = lc_script_get ();
  guint32 number = lc_script_to_u32 (process);
  guint64 when = lc_script_to_u64 (time), n_events;
  LcHistoryEvent event;
  GError *error = NULL;

  if (!lc_history_count_events (history->history, lc_script.timeline, number, &n_events, &error))
    lc_script_throw (error);
  if (n_events == 0)
    return SCM_BOOL_F;
  if (!lc_history_find_event_at (history->history, lc_script.timeline, number, when, &event, &error))
    lc_script_throw (error);
  return lc_script_from_event (number, event.ordinal);
}

/* --- Causality ---------------------------------------------------------------------------------------------------- */

/* The boundaries as a u64vector, by process. */
static SCM
events_take_cut (guint64 *cut, GError *error)
{
  guint32 n = lc_history_get_n_processes (lc_script.current->history);
  scm_t_array_handle handle;
  guint64 *values;
  SCM vector;

  if (cut == NULL)
    lc_script_throw (error);
  vector = scm_make_u64vector (scm_from_uint32 (n), SCM_INUM0);
  values = scm_u64vector_writable_elements (vector, &handle, NULL, NULL);
  for (guint32 i = 0; i < n; i++)
    values[i] = cut[i];
  scm_array_handle_release (&handle);
  g_free (cut);
  return vector;
}

static SCM
events_find_past (SCM event)
{
  LcScriptHistory *history = lc_script_get ();
  GError *error = NULL;
  guint32 process;
  guint64 ordinal;
  guint64 *cut;

  lc_script_to_event ("past", event, &process, &ordinal);
  cut = lc_causality_past (history->history, process, ordinal, lc_script.cancellable, &error);
  return events_take_cut (cut, error);
}

/* A process without an event in the future has the number of its events. */
static SCM
events_find_future (SCM event)
{
  LcScriptHistory *history = lc_script_get ();
  GError *error = NULL;
  guint32 process;
  guint64 ordinal;
  guint64 *cut;

  lc_script_to_event ("future", event, &process, &ordinal);
  cut = lc_causality_future (history->history, process, ordinal, lc_script.cancellable, &error);
  for (guint32 i = 0; cut != NULL && i < lc_history_get_n_processes (history->history); i++)
    if (cut[i] == LC_CAUSALITY_NEVER)
      cut[i] = lc_history_get_process (history->history, i)->events;
  return events_take_cut (cut, error);
}

static SCM
events_relate (SCM one, SCM other)
{
  static const char *const names[] = {"concurrent", "before", "after", "together"}; /* in the order of LcRelation */
  LcScriptHistory *history = lc_script_get ();
  guint32 process, other_process;
  guint64 ordinal, other_ordinal;
  LcRelation relation;
  GError *error = NULL;

  lc_script_to_event ("relation", one, &process, &ordinal);
  lc_script_to_event ("relation", other, &other_process, &other_ordinal);
  if (!lc_causality_relation (history->history, process, ordinal, other_process, other_ordinal, lc_script.cancellable,
                              &relation, &error))
    lc_script_throw (error);
  return scm_from_utf8_symbol (names[relation]);
}

#define LIST_ATTRIBUTE(name, label, value) {label, 1, 0, (scm_t_subr)events_get_##name##_of},

void
lc_script_init_events (void)
{
  static const LcScriptProcedure procedures[] = {
      EVENT_ATTRIBUTES (LIST_ATTRIBUTE){"event-operation", 1, 0, (scm_t_subr)events_get_operation},
      {"time-basis", 1, 0, (scm_t_subr)events_get_basis},
      {"%arcs-in", 1, 0, (scm_t_subr)events_list_arcs_in},
      {"%arcs-out", 1, 0, (scm_t_subr)events_list_arcs_out},
      {"%event-at", 2, 0, (scm_t_subr)events_find_at},
      {"past", 1, 0, (scm_t_subr)events_find_past},
      {"future", 1, 0, (scm_t_subr)events_find_future},
      {"relation", 2, 0, (scm_t_subr)events_relate},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}
