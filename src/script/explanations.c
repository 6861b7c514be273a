/* SPDX-License-Identifier: Apache-2.0 */
/* Why an event is where it is on the current timeline, and what its run would take on other processors. */
#include <glib/gi18n.h>

#include "lightcone/explanation.h"
#include "lightcone/predict.h"
#include "script-private.h"

static SCM
explanations_add (SCM row, const char *name, SCM value)
{
  return scm_acons (scm_from_utf8_symbol (name), value, row);
}

/* --- Explanations ---------------------------------------------------------------------------------------------------
 */

static SCM
explanations_from_movement (const LcMovement *movement, SCM row)
{
  row = explanations_add (row, "cost", scm_from_int64 (movement->cost));
  row = explanations_add (row, "inherited", scm_from_int64 (movement->inherited));
  row = explanations_add (row, "gained", scm_from_int64 (movement->gained));
  row = explanations_add (row, "removed", scm_from_int64 (movement->removed));
  return explanations_add (row, "moved", scm_from_int64 (movement->moved));
}

static SCM
explanations_from_point (LcPoint point)
{
  return scm_from_utf8_symbol (point == LC_POINT_BEGIN ? "begin" : "end");
}

/* The point of another process that something came after, or #f. */
static SCM
explanations_from_basis (const LcBasis *basis)
{
  SCM row;

  if (basis->process == LC_TRACE_NONE)
    return SCM_BOOL_F;
  row = explanations_add (SCM_EOL, "time", scm_from_uint64 (basis->time));
  row = explanations_add (row, "point", explanations_from_point (basis->point));
  return explanations_add (row, "event", lc_script_from_event (basis->process, basis->ordinal));
}

static SCM
explanations_from_link (const LcLink *link)
{
  const gboolean waiting = link->kind == LC_LINK_WAITING;
  SCM row = explanations_from_movement (&link->movement, SCM_EOL);

  row = explanations_add (row, "reordered", scm_from_bool (link->reordered));
  row = explanations_add (row, "after", waiting ? explanations_from_basis (&link->basis) : SCM_BOOL_F);
  row = explanations_add (row, "last", lc_script_from_event (link->process, link->last));
  row = explanations_add (row, "first", lc_script_from_event (link->process, link->first));
  return explanations_add (row, "link", scm_from_utf8_symbol (waiting ? "waiting" : "running"));
}

static SCM
explanations_from_chain (const GArray *chain)
{
  SCM rows = SCM_EOL;

  for (guint i = chain->len; i-- > 0;)
    rows = scm_cons (explanations_from_link (&g_array_index (chain, LcLink, i)), rows);
  return rows;
}

static SCM
explanations_from_explanation (const LcExplanation *explanation)
{
  const LcHistoryEvent *measured = &explanation->measured, *event = &explanation->event;
  SCM row = explanations_add (SCM_EOL, "to_start", scm_from_bool (explanation->to_start));

  row = explanations_add (row, "rest", scm_from_int64 (explanation->rest));
  row = explanations_add (row, "chain", explanations_from_chain (explanation->chain));
  row = explanations_add (row, "after", explanations_from_basis (&explanation->basis));
  row = explanations_add (row, "measured_after", explanations_from_basis (&explanation->measured_basis));
  row = explanations_add (row, "reordered", scm_from_bool ((event->flags & LC_HISTORY_EVENT_REORDERED) != 0));
  row = explanations_add (row, "own", explanations_from_movement (&explanation->own, SCM_EOL));
  row = explanations_from_movement (&explanation->all, row);
  row = explanations_add (row, "begin_moved", scm_from_int64 (explanation->begin_moved));
  row = explanations_add (row, "waited", scm_from_uint64 (event->waited));
  row = explanations_add (row, "end", scm_from_uint64 (event->end));
  row = explanations_add (row, "begin", scm_from_uint64 (event->begin));
  row = explanations_add (row, "measured_preempted", scm_from_uint64 (explanation->preempted));
  row = explanations_add (row, "measured_waited", scm_from_uint64 (measured->waited));
  row = explanations_add (row, "measured_end", scm_from_uint64 (measured->end));
  row = explanations_add (row, "measured_begin", scm_from_uint64 (measured->begin));
  row = explanations_add (row, "timeline_event", lc_script_from_event (event->process, event->ordinal));
  return explanations_add (row, "event", lc_script_from_event (measured->process, measured->ordinal));
}

/* The event is named as on the measured timeline. */
static SCM
explanations_explain (SCM event, SCM steps)
{
  const guint32 most = lc_script_to_u32 (steps);
  LcHistory *history = lc_script_get ()->history;
  LcExplanation *explanation;
  GError *error = NULL;
  guint32 process;
  guint64 ordinal;
  SCM row;

  lc_script_to_event ("explain", event, &process, &ordinal);
  explanation = lc_explanation_new (history, lc_script.timeline, process, ordinal, most, lc_script.cancellable, &error);
  if (explanation == NULL)
    lc_script_throw (error);
  row = explanations_from_explanation (explanation);
  lc_explanation_free (explanation);
  return row;
}

/* --- Predictions ----------------------------------------------------------------------------------------------------
 */

static SCM
explanations_from_predicted (const LcPredicted *predicted)
{
  SCM row = explanations_add (SCM_EOL, "high", scm_from_uint64 (predicted->high));

  row = explanations_add (row, "low", scm_from_uint64 (predicted->low));
  row = explanations_add (row, "time", scm_from_uint64 (predicted->time));
  return explanations_add (row, "processors", scm_from_uint32 (predicted->processors));
}

static SCM
explanations_from_prediction (const LcPrediction *prediction)
{
  SCM rows = SCM_EOL, row;

  for (guint i = prediction->predicted->len; i-- > 0;)
    rows = scm_cons (explanations_from_predicted (&g_array_index (prediction->predicted, LcPredicted, i)), rows);
  row = explanations_add (SCM_EOL, "predicted", rows);
  row = explanations_add (row, "rests", scm_from_bool (prediction->rests));
  row = explanations_add (row, "most", scm_from_uint32 (prediction->most));
  row = explanations_add (row, "processes", scm_from_uint64 (prediction->processes));
  row = explanations_add (row, "span", scm_from_uint64 (prediction->span));
  row = explanations_add (row, "work", scm_from_uint64 (prediction->work));
  return explanations_add (row, "total", scm_from_uint64 (prediction->total));
}

/* The numbers are a list whose members have been looked at: from 1 on. */
static SCM
explanations_predict (SCM numbers, SCM quantum)
{
  const guint64 most = lc_script_to_u64 (quantum);
  LcHistory *history = lc_script_get ()->history;
  GArray *processors = g_array_new (FALSE, FALSE, sizeof (guint32));
  LcPrediction *prediction;
  GError *error = NULL;
  SCM row;

  for (; scm_is_pair (numbers); numbers = SCM_CDR (numbers))
    {
      const guint32 number = scm_to_uint32 (SCM_CAR (numbers));

      g_array_append_val (processors, number);
    }
  prediction = lc_predict (history,
                           &(const LcPredictOptions){.timeline = lc_script.timeline,
                                                     .processors = (const guint32 *)(gpointer)processors->data,
                                                     .n_processors = processors->len,
                                                     .quantum = most,
                                                     .cancellable = lc_script.cancellable},
                           &error);
  g_array_unref (processors);
  if (prediction == NULL)
    lc_script_throw (error);
  row = explanations_from_prediction (prediction);
  lc_prediction_free (prediction);
  return row;
}

void
lc_script_init_explanations (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%explain", 2, 0, (scm_t_subr)explanations_explain},
      {"%predict", 2, 0, (scm_t_subr)explanations_predict},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}
