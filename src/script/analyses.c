/* SPDX-License-Identifier: Apache-2.0 */
/* What the analyses find, as values: a table of each analysis and the members of what it gives. */
#include <string.h>

#include "lightcone/critical-path.h"
#include "lightcone/phases.h"
#include "lightcone/sites.h"
#include "lightcone/slack-statistics.h"
#include "lightcone/statistics.h"
#include "script-private.h"

/* What is asked besides the history and the timeline. */
typedef struct
{
  guint64 from;
  guint64 to;
  guint32 number; /* of parts */
} Asked;

#define FIELD(type, member, kind) \
  { \
#member, offsetof(type, member), kind \
  }

/* --- Tables ------------------------------------------------------------------------------------------------------- */

static GArray *
analyses_waiting (LcHistory *history, const Asked *asked, GError **error)
{
  return lc_statistics_waiting (history, lc_script.timeline, lc_script.cancellable, error);
}

static const LcScriptField waiting_fields[] = {
    FIELD (LcWaitingStatistics, process, LC_FIELD_U32),
    FIELD (LcWaitingStatistics, span, LC_FIELD_U64),
    FIELD (LcWaitingStatistics, running, LC_FIELD_U64),
    FIELD (LcWaitingStatistics, waiting, LC_FIELD_U64),
    FIELD (LcWaitingStatistics, woken, LC_FIELD_U64),
    FIELD (LcWaitingStatistics, preempted, LC_FIELD_U64),
    FIELD (LcWaitingStatistics, outside, LC_FIELD_U64),
    FIELD (LcWaitingStatistics, waits, LC_FIELD_U64),
    FIELD (LcWaitingStatistics, longest, LC_FIELD_U64),
    FIELD (LcWaitingStatistics, longest_object, LC_FIELD_ID),
    FIELD (LcWaitingStatistics, longest_ordinal, LC_FIELD_U64),
};

static GArray *
analyses_objects (LcHistory *history, const Asked *asked, GError **error)
{
  return lc_statistics_objects (history, lc_script.timeline, lc_script.cancellable, error);
}

static const LcScriptField object_fields[] = {
    FIELD (LcObjectStatistics, object, LC_FIELD_U32),          FIELD (LcObjectStatistics, events, LC_FIELD_U64),
    FIELD (LcObjectStatistics, waits, LC_FIELD_U64),           FIELD (LcObjectStatistics, waited, LC_FIELD_U64),
    FIELD (LcObjectStatistics, longest, LC_FIELD_U64),         FIELD (LcObjectStatistics, longest_process, LC_FIELD_ID),
    FIELD (LcObjectStatistics, longest_ordinal, LC_FIELD_U64), FIELD (LcObjectStatistics, held, LC_FIELD_U64),
};

static GArray *
analyses_operations (LcHistory *history, const Asked *asked, GError **error)
{
  return lc_statistics_operations (history, lc_script.timeline, lc_script.cancellable, error);
}

static const LcScriptField operation_fields[] = {
    FIELD (LcOperationStatistics, operation, LC_FIELD_U32), FIELD (LcOperationStatistics, events, LC_FIELD_U64),
    FIELD (LcOperationStatistics, time, LC_FIELD_U64),      FIELD (LcOperationStatistics, waits, LC_FIELD_U64),
    FIELD (LcOperationStatistics, waited, LC_FIELD_U64),    FIELD (LcOperationStatistics, longest, LC_FIELD_U64),
};

static GArray *
analyses_communication (LcHistory *history, const Asked *asked, GError **error)
{
  return lc_statistics_communication (history, lc_script.timeline, lc_script.cancellable, error);
}

static const LcScriptField communication_fields[] = {
    FIELD (LcCommunicationStatistics, process, LC_FIELD_U32),
    FIELD (LcCommunicationStatistics, span, LC_FIELD_U64),
    FIELD (LcCommunicationStatistics, computing, LC_FIELD_U64),
    FIELD (LcCommunicationStatistics, communication, LC_FIELD_U64),
    FIELD (LcCommunicationStatistics, waiting, LC_FIELD_U64),
    FIELD (LcCommunicationStatistics, transfer, LC_FIELD_U64),
    FIELD (LcCommunicationStatistics, preempted, LC_FIELD_U64),
    FIELD (LcCommunicationStatistics, outside, LC_FIELD_U64),
};

static GArray *
analyses_matrix (LcHistory *history, const Asked *asked, GError **error)
{
  return lc_statistics_matrix (history, lc_script.timeline, asked->from, asked->to, lc_script.cancellable, error);
}

static const LcScriptField matrix_fields[] = {
    FIELD (LcMatrixCell, from_process, LC_FIELD_U32), FIELD (LcMatrixCell, to_process, LC_FIELD_U32),
    FIELD (LcMatrixCell, arcs, LC_FIELD_U64),         FIELD (LcMatrixCell, bytes, LC_FIELD_U64),
    FIELD (LcMatrixCell, waited, LC_FIELD_U64),       FIELD (LcMatrixCell, messages, LC_FIELD_U64),
};

static GArray *
analyses_object_uses (LcHistory *history, const Asked *asked, GError **error)
{
  return lc_statistics_object_uses (history, lc_script.timeline, asked->from, asked->to, lc_script.cancellable, error);
}

static const LcScriptField use_fields[] = {
    FIELD (LcObjectUse, object, LC_FIELD_U32), FIELD (LcObjectUse, process, LC_FIELD_U32),
    FIELD (LcObjectUse, events, LC_FIELD_U64), FIELD (LcObjectUse, waited, LC_FIELD_U64),
    FIELD (LcObjectUse, held, LC_FIELD_U64),
};

static GArray *
analyses_processors (LcHistory *history, const Asked *asked, GError **error)
{
  return lc_statistics_cpu_stays (history, lc_script.timeline, asked->from, asked->to, 0, lc_script.cancellable, error);
}

static const LcScriptField stay_fields[] = {
    FIELD (LcCpuStay, process, LC_FIELD_U32), FIELD (LcCpuStay, cpu, LC_FIELD_CPU),
    FIELD (LcCpuStay, begin, LC_FIELD_U64),   FIELD (LcCpuStay, end, LC_FIELD_U64),
    FIELD (LcCpuStay, events, LC_FIELD_U64),  FIELD (LcCpuStay, waited, LC_FIELD_U64),
    FIELD (LcCpuStay, stays, LC_FIELD_U64),   FIELD (LcCpuStay, running, LC_FIELD_U64),
    FIELD (LcCpuStay, woken, LC_FIELD_U64),   FIELD (LcCpuStay, preempted, LC_FIELD_U64),
    FIELD (LcCpuStay, outside, LC_FIELD_U64), FIELD (LcCpuStay, unseen, LC_FIELD_U64),
};

static GArray *
analyses_parallelism_history (LcHistory *history, const Asked *asked, GError **error)
{
  return lc_statistics_parallelism_history (history, lc_script.timeline, asked->number, lc_script.cancellable, error);
}

static const LcScriptField interval_fields[] = {
    FIELD (LcParallelismInterval, begin, LC_FIELD_U64),   FIELD (LcParallelismInterval, end, LC_FIELD_U64),
    FIELD (LcParallelismInterval, running, LC_FIELD_U64), FIELD (LcParallelismInterval, lowest, LC_FIELD_U32),
    FIELD (LcParallelismInterval, highest, LC_FIELD_U32),
};

static GArray *
analyses_longest_waits (LcHistory *history, const Asked *asked, GError **error)
{
  const LcWaitsAsked waits = {.axis = LC_AXIS_TIME, .from = asked->from, .to = asked->to};

  return lc_statistics_longest_waits (history, lc_script.timeline, &waits, asked->number, NULL, NULL,
                                      lc_script.cancellable, error);
}

static const LcScriptField wait_fields[] = {
    FIELD (LcHistoryEvent, process, LC_FIELD_U32), FIELD (LcHistoryEvent, ordinal, LC_FIELD_U64),
    FIELD (LcHistoryEvent, waited, LC_FIELD_U64),  FIELD (LcHistoryEvent, begin, LC_FIELD_U64),
    FIELD (LcHistoryEvent, end, LC_FIELD_U64),     FIELD (LcHistoryEvent, object, LC_FIELD_ID),
};

#define TABLE(name, function, fields) \
  { \
    name, function, fields, G_N_ELEMENTS (fields) \
  }

static const struct
{
  const char *name;
  GArray *(*find) (LcHistory *history, const Asked *asked, GError **error);
  const LcScriptField *fields;
  gsize n_fields;
} tables[] = {
    TABLE ("waiting", analyses_waiting, waiting_fields),
    TABLE ("objects", analyses_objects, object_fields),
    TABLE ("operations", analyses_operations, operation_fields),
    TABLE ("communication", analyses_communication, communication_fields),
    TABLE ("matrix", analyses_matrix, matrix_fields),
    TABLE ("object-uses", analyses_object_uses, use_fields),
    TABLE ("processors", analyses_processors, stay_fields),
    TABLE ("parallelism-history", analyses_parallelism_history, interval_fields),
    TABLE ("longest-waits", analyses_longest_waits, wait_fields),
};

static SCM
analyses_list_tables (void)
{
  SCM list = SCM_EOL;

  for (gsize i = G_N_ELEMENTS (tables); i-- > 0;)
    list = scm_cons (scm_from_utf8_symbol (tables[i].name), list);
  return list;
}

/* The rows of the table with this place in the list. */
static SCM
analyses_get_table (SCM place, SCM from, SCM to, SCM parts)
{
  gsize i = scm_to_unsigned_integer (place, 0, G_N_ELEMENTS (tables) - 1);
  const Asked asked = {lc_script_to_u64 (from), lc_script_to_u64 (to), lc_script_to_u32 (parts)};
  GError *error = NULL;
  GArray *found = tables[i].find (lc_script_get ()->history, &asked, &error);
  SCM rows;

  if (found == NULL)
    lc_script_throw (error);
  rows = lc_script_from_array (found, tables[i].fields, tables[i].n_fields);
  g_array_unref (found);
  return rows;
}

/* --- Parallelism -------------------------------------------------------------------------------------------------- */

static const LcScriptField parallelism_fields[] = {
    FIELD (LcParallelism, begin, LC_FIELD_U64),
    FIELD (LcParallelism, end, LC_FIELD_U64),
    FIELD (LcParallelism, running, LC_FIELD_U64),
    FIELD (LcParallelism, average, LC_FIELD_REAL),
    FIELD (LcParallelism, lowest, LC_FIELD_U32),
    FIELD (LcParallelism, highest, LC_FIELD_U32),
    FIELD (LcParallelism, parallel_begin, LC_FIELD_U64),
    FIELD (LcParallelism, parallel_end, LC_FIELD_U64),
    FIELD (LcParallelism, parallel_running, LC_FIELD_U64),
    FIELD (LcParallelism, parallel_average, LC_FIELD_REAL),
};

static SCM
analyses_parallelism (void)
{
  GError *error = NULL;
  LcParallelism *found =
      lc_statistics_parallelism (lc_script_get ()->history, lc_script.timeline, lc_script.cancellable, &error);
  SCM values, levels = SCM_EOL;

  if (found == NULL)
    lc_script_throw (error);
  values = lc_script_from_named (found, parallelism_fields, G_N_ELEMENTS (parallelism_fields));
  for (guint32 i = found->n_levels; i-- > 0;)
    levels = scm_cons (scm_from_uint64 (found->levels[i]), levels);
  lc_parallelism_free (found);
  return scm_append (scm_list_2 (values, scm_list_1 (scm_cons (scm_from_utf8_symbol ("levels"), levels))));
}

/* --- Phases ------------------------------------------------------------------------------------------------------- */

static const LcScriptField phase_fields[] = {
    FIELD (LcPhaseStatistics, phase, LC_FIELD_U32),     FIELD (LcPhaseStatistics, process, LC_FIELD_U32),
    FIELD (LcPhaseStatistics, events, LC_FIELD_U64),    FIELD (LcPhaseStatistics, time, LC_FIELD_U64),
    FIELD (LcPhaseStatistics, computing, LC_FIELD_U64), FIELD (LcPhaseStatistics, communication, LC_FIELD_U64),
    FIELD (LcPhaseStatistics, waiting, LC_FIELD_U64),   FIELD (LcPhaseStatistics, transfer, LC_FIELD_U64),
    FIELD (LcPhaseStatistics, preempted, LC_FIELD_U64), FIELD (LcPhaseStatistics, outside, LC_FIELD_U64),
};

static SCM
analyses_phases (SCM definition)
{
  LcHistory *history = lc_script_get ()->history;
  char *text = scm_to_utf8_stringn (definition, NULL);
  GError *error = NULL;
  LcPhases *phases = lc_phases_find (history, lc_script.timeline, text, lc_script.cancellable, &error);
  GArray *found =
      phases != NULL ? lc_statistics_phases (history, lc_script.timeline, phases, lc_script.cancellable, &error) : NULL;
  SCM rows;

  free (text);
  if (phases != NULL)
    lc_phases_free (phases);
  if (found == NULL)
    lc_script_throw (error);
  rows = lc_script_from_array (found, phase_fields, G_N_ELEMENTS (phase_fields));
  g_array_unref (found);
  return rows;
}

/* --- Sites -------------------------------------------------------------------------------------------------------- */

static const LcScriptField site_fields[] = {
    FIELD (LcSiteStatistics, events, LC_FIELD_U64),    FIELD (LcSiteStatistics, time, LC_FIELD_U64),
    FIELD (LcSiteStatistics, waits, LC_FIELD_U64),     FIELD (LcSiteStatistics, waited, LC_FIELD_U64),
    FIELD (LcSiteStatistics, longest, LC_FIELD_U64),   FIELD (LcSiteStatistics, made_waits, LC_FIELD_U64),
    FIELD (LcSiteStatistics, made_wait, LC_FIELD_U64), FIELD (LcSiteStatistics, held, LC_FIELD_U64),
};

/* `by` is a place in the order of LcSitesBy. */
static SCM
analyses_sites (SCM by)
{
  LcHistory *history = lc_script_get ()->history;
  LcSiteGroups *groups = lc_site_groups_new (history, (LcSitesBy)scm_to_unsigned_integer (by, 0, LC_SITES_BY_MODULE));
  GError *error = NULL;
  GArray *found = lc_statistics_sites (history, lc_script.timeline, groups, lc_script.cancellable, &error);
  SCM rows = SCM_EOL;

  for (guint i = found != NULL ? found->len : 0; i-- > 0;)
    {
      const LcSiteStatistics *one = &g_array_index (found, LcSiteStatistics, i);
      SCM row = lc_script_from_named (one, site_fields, G_N_ELEMENTS (site_fields));

      rows = scm_cons (scm_acons (scm_from_utf8_symbol ("site"),
                                  lc_script_from_text (lc_site_groups_get_name (groups, one->group)), row),
                       rows);
    }
  lc_site_groups_free (groups);
  if (found == NULL)
    lc_script_throw (error);
  g_array_unref (found);
  return rows;
}

/* --- Waits and slack ---------------------------------------------------------------------------------------------- */

static const LcScriptField wait_group_fields[] = {
    {"group", offsetof (LcWaitGroup, name), LC_FIELD_TEXT},
    FIELD (LcWaitGroup, number, LC_FIELD_ID),
    FIELD (LcWaitGroup, ender, LC_FIELD_ID),
    FIELD (LcWaitGroup, waits, LC_FIELD_U64),
    FIELD (LcWaitGroup, waited, LC_FIELD_U64),
    FIELD (LcWaitGroup, longest, LC_FIELD_U64),
    FIELD (LcWaitGroup, longest_process, LC_FIELD_ID),
    FIELD (LcWaitGroup, longest_ordinal, LC_FIELD_U64),
    FIELD (LcWaitGroup, preempted, LC_FIELD_U64),
};

/* `by` is a place in the order of LcWaitsBy. */
static SCM
analyses_waits (SCM by, SCM from, SCM to)
{
  const LcWaitsAsked asked = {.axis = LC_AXIS_TIME, .from = lc_script_to_u64 (from), .to = lc_script_to_u64 (to)};
  LcWaitsBy group = (LcWaitsBy)scm_to_unsigned_integer (by, 0, LC_WAITS_BY_HOLDER);
  GError *error = NULL;
  GArray *found = lc_statistics_wait_groups (lc_script_get ()->history, lc_script.timeline, group, &asked,
                                             lc_script.cancellable, &error);
  SCM rows;

  if (found == NULL)
    lc_script_throw (error);
  rows = lc_script_from_array (found, wait_group_fields, G_N_ELEMENTS (wait_group_fields));
  g_array_unref (found);
  return rows;
}

static const LcScriptField slack_fields[] = {
    FIELD (LcSlackStatistics, number, LC_FIELD_ID),    FIELD (LcSlackStatistics, events, LC_FIELD_U64),
    FIELD (LcSlackStatistics, critical, LC_FIELD_U64), FIELD (LcSlackStatistics, near, LC_FIELD_U64),
    FIELD (LcSlackStatistics, slack, LC_FIELD_KNOWN),  FIELD (LcSlackStatistics, least, LC_FIELD_U64),
};

/* `by` is a place in the order of LcSlackBy, but for sites. */
static SCM
analyses_slack (SCM by, SCM most)
{
  LcSlackBy group = (LcSlackBy)scm_to_unsigned_integer (by, 0, LC_SLACK_BY_OPERATION);
  GError *error = NULL;
  GArray *found = lc_statistics_slack (lc_script_get ()->history, lc_script.timeline, group, NULL,
                                       lc_script_to_u64 (most), lc_script.cancellable, &error);
  SCM rows;

  if (found == NULL)
    lc_script_throw (error);
  rows = lc_script_from_array (found, slack_fields, G_N_ELEMENTS (slack_fields));
  g_array_unref (found);
  return rows;
}

/* --- The critical path -------------------------------------------------------------------------------------------- */

static const LcScriptField summary_fields[] = {
    FIELD (LcCriticalSummary, begin, LC_FIELD_U64),      FIELD (LcCriticalSummary, end, LC_FIELD_U64),
    FIELD (LcCriticalSummary, computing, LC_FIELD_U64),  FIELD (LcCriticalSummary, inside, LC_FIELD_U64),
    FIELD (LcCriticalSummary, passing, LC_FIELD_U64),    FIELD (LcCriticalSummary, events, LC_FIELD_U64),
    FIELD (LcCriticalSummary, hops, LC_FIELD_U64),       FIELD (LcCriticalSummary, preempted, LC_FIELD_U64),
    FIELD (LcCriticalSummary, blocked, LC_FIELD_U64),    FIELD (LcCriticalSummary, unseen, LC_FIELD_U64),
    FIELD (LcCriticalSummary, sleeping, LC_FIELD_U64),   FIELD (LcCriticalSummary, outside, LC_FIELD_U64),
    FIELD (LcCriticalSummary, finalizing, LC_FIELD_U64),
};

static const LcScriptField share_fields[] = {
    FIELD (LcCriticalShare, id, LC_FIELD_ID),
    FIELD (LcCriticalShare, time, LC_FIELD_U64),
    FIELD (LcCriticalShare, visits, LC_FIELD_U64),
};

static const LcScriptField stay_on_path_fields[] = {
    FIELD (LcCriticalStay, process, LC_FIELD_U32),     FIELD (LcCriticalStay, begin, LC_FIELD_U64),
    FIELD (LcCriticalStay, end, LC_FIELD_U64),         FIELD (LcCriticalStay, first, LC_FIELD_U64),
    FIELD (LcCriticalStay, last, LC_FIELD_U64),        FIELD (LcCriticalStay, released, LC_FIELD_KNOWN),
    FIELD (LcCriticalStay, from_process, LC_FIELD_ID), FIELD (LcCriticalStay, from_ordinal, LC_FIELD_U64),
};

static SCM
analyses_add_shares (LcCriticalPath *path, SCM values)
{
  static const char *const names[] = {"processes", "operations", "objects", "regions"}; /* as LcCriticalShareKind */

  for (LcCriticalShareKind kind = LC_CRITICAL_SHARES; kind-- > 0;)
    {
      gsize n;
      const LcCriticalShare *shares = lc_critical_path_get_shares (path, kind, &n);
      SCM list = SCM_EOL;

      while (n-- > 0)
        list = scm_cons (lc_script_from_named (&shares[n], share_fields, G_N_ELEMENTS (share_fields)), list);
      values = scm_acons (scm_from_utf8_symbol (names[kind]), list, values);
    }
  return values;
}

static SCM
analyses_critical_path (void)
{
  GError *error = NULL;
  LcCriticalPath *path =
      lc_critical_path_find (lc_script_get ()->history, lc_script.timeline, lc_script.cancellable, &error);
  const LcCriticalStay *stays;
  SCM list = SCM_EOL, values;
  gsize n;

  if (path == NULL)
    lc_script_throw (error);
  stays = lc_critical_path_get_stays (path, &n);
  while (n-- > 0)
    list = scm_cons (lc_script_from_named (&stays[n], stay_on_path_fields, G_N_ELEMENTS (stay_on_path_fields)), list);
  values = analyses_add_shares (path, scm_acons (scm_from_utf8_symbol ("stays"), list, SCM_EOL));
  values = scm_append (scm_list_2 (
      lc_script_from_named (lc_critical_path_get_summary (path), summary_fields, G_N_ELEMENTS (summary_fields)),
      values));
  lc_critical_path_free (path);
  return values;
}

void
lc_script_init_analyses (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%tables", 0, 0, (scm_t_subr)analyses_list_tables},
      {"%table", 4, 0, (scm_t_subr)analyses_get_table},
      {"%parallelism", 0, 0, (scm_t_subr)analyses_parallelism},
      {"%phase-statistics", 1, 0, (scm_t_subr)analyses_phases},
      {"%wait-groups", 3, 0, (scm_t_subr)analyses_waits},
      {"%slack-statistics", 2, 0, (scm_t_subr)analyses_slack},
      {"%site-statistics", 1, 0, (scm_t_subr)analyses_sites},
      {"%critical-path", 0, 0, (scm_t_subr)analyses_critical_path},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}
