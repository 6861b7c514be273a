/* SPDX-License-Identifier: Apache-2.0 */
/* What takes several analyses and is told by reports: tables of statistics, findings, races, comparisons, as rows. */
#include <glib/gi18n.h>
#include <string.h>

#include "lightcone/compare.h"
#include "lightcone/merge.h"
#include "lightcone/races.h"
#include "report/findings.h"
#include "report/statistics.h"
#include "script-private.h"

static SCM
reports_add (SCM row, const char *name, SCM value)
{
  return scm_acons (scm_from_utf8_symbol (name), value, row);
}

/* --- Tables ------------------------------------------------------------------------------------------------------- */

static SCM
reports_from_cell (const LcCell *cell, LcCellKind kind)
{
  switch (cell->type)
    {
    case LC_VALUE_INT:
      return kind == LC_CELL_BOOLEAN ? scm_from_bool (cell->integer != 0) : scm_from_int64 (cell->integer);
    case LC_VALUE_REAL:
      return scm_from_double (cell->real);
    case LC_VALUE_TEXT:
      return lc_script_from_text (cell->text);
    case LC_VALUE_NULL:
    case LC_VALUE_BLOB:
    default:
      return SCM_BOOL_F;
    }
}

/* Rows of the names that programs read, and the values. */
static SCM
reports_from_result (const LcResult *result)
{
  SCM rows = SCM_EOL;

  for (guint i = result->n_rows; i-- > 0;)
    {
      SCM row = SCM_EOL;

      for (guint k = result->columns->len; k-- > 0;)
        {
          const LcResultColumn *column = lc_result_get_column (result, k);

          row = reports_add (row, column->name, reports_from_cell (lc_result_get_cell (result, i, k), column->kind));
        }
      rows = scm_cons (row, rows);
    }
  return rows;
}

static SCM
reports_list_tables (void)
{
  SCM list = SCM_EOL;

  for (const LcStatistics *one = lc_statistics_table; one->name != NULL; one++)
    {
      SCM words = SCM_EOL;

      for (guint i = 0; one->by != NULL && one->by[i] != NULL; i++)
        words = scm_cons (scm_from_utf8_symbol (one->by[i]), words);
      list = scm_acons (scm_from_utf8_symbol (one->name), scm_reverse (words), list);
    }
  return scm_reverse (list);
}

/* The rows of the table with this place in the list, `by` the word with that place. */
static SCM
reports_get_table (SCM place, SCM by, SCM parts, SCM phases, SCM most)
{
  const LcStatistics *table = &lc_statistics_table[lc_script_to_u32 (place)];
  char *definition = scm_to_utf8_stringn (phases, NULL);
  const LcStatisticsAsked asked = {.intervals = lc_script_to_u32 (parts),
                                   .phases = definition,
                                   .by = lc_script_to_u32 (by),
                                   .max_slack = scm_is_false (most) ? LC_SLACK_ANY : lc_script_to_u64 (most)};
  LcHistory *history = lc_script_get ()->history;
  LcNames *names = lc_names_new (history);
  LcResult *result = lc_result_new ("");
  LcReport report = {.history = history,
                     .names = names,
                     .what = table->name,
                     .title = table->title,
                     .timeline = lc_script.timeline,
                     .format = LC_FORMAT_KEPT,
                     .limit = G_MAXUINT32,
                     .cancellable = lc_script.cancellable,
                     .result = result};
  GError *error = NULL;
  SCM rows = SCM_EOL;

  result->timeline = lc_script.timeline;
  if (table->show (&report, &asked, &error))
    rows = reports_from_result (result);
  lc_result_unref (result);
  lc_names_free (names);
  free (definition);
  if (error != NULL)
    lc_script_throw (error);
  return rows;
}

/* --- Findings ----------------------------------------------------------------------------------------------------- */

static SCM
reports_from_finding (const LcFinding *finding)
{
  static const char *const severities[] = {
      [LC_TRACE_NOTE] = "note", [LC_TRACE_WARNING] = "warning", [LC_TRACE_FAULT] = "fault"};
  SCM event =
      finding->process != LC_TRACE_NONE ? lc_script_from_event (finding->process, finding->ordinal) : SCM_BOOL_F;
  SCM row = reports_add (SCM_EOL, "event", event);

  row = reports_add (row, "place", lc_script_from_text (finding->place));
  row = reports_add (row, "detail", lc_script_from_text (finding->detail));
  row = reports_add (row, "title", lc_script_from_text (finding->title));
  row = reports_add (row, "count", scm_from_uint64 (finding->count));
  return reports_add (row, "severity", scm_from_utf8_symbol (severities[finding->severity]));
}

static SCM
reports_list_findings (void)
{
  const LcScriptHistory *of = lc_script_get ();
  GError *error = NULL;
  LcFindings *findings = lc_findings_new (of->history, of->directory, lc_script.cancellable, &error);
  SCM rows = SCM_EOL;

  if (findings == NULL)
    lc_script_throw (error);
  for (guint i = findings->list->len; i-- > 0;)
    rows = scm_cons (reports_from_finding (findings->list->pdata[i]), rows);
  lc_findings_free (findings);
  return rows;
}

/* --- Races -------------------------------------------------------------------------------------------------------- */

static SCM
reports_from_race (const LcRaceGroup *group, LcSiteGroups *groups)
{
  const LcRacePair *nearest = &group->nearest;
  SCM row = reports_add (SCM_EOL, "second-site", lc_script_from_text (lc_site_groups_get_name (groups, group->second)));

  row = reports_add (row, "first-site", lc_script_from_text (lc_site_groups_get_name (groups, group->first)));
  row = reports_add (row, "second", lc_script_from_event (nearest->second.process, nearest->second.ordinal));
  row = reports_add (row, "first", lc_script_from_event (nearest->first.process, nearest->first.ordinal));
  row = reports_add (row, "apart", scm_from_uint64 (lc_race_pair_get_apart (nearest)));
  row = reports_add (row, "slack", scm_from_uint64 (MIN (nearest->first.slack, nearest->second.slack)));
  row = reports_add (row, "ordered", scm_from_uint64 (group->ordered));
  row = reports_add (row, "met", scm_from_uint64 (group->waits));
  row = reports_add (row, "pairs", scm_from_uint64 (group->pairs));
  row = reports_add (row, "object", lc_script_from_id (group->object));
  return reports_add (row, "kind", scm_from_utf8_symbol (lc_race_kind_name (group->kind)));
}

static SCM
reports_list_races (SCM from, SCM to)
{
  const guint64 begin = lc_script_to_u64 (from), end = lc_script_to_u64 (to);
  const LcScriptHistory *of = lc_script_get ();
  GError *error = NULL;
  LcRules *rules = lc_merge_load_rules (of->directory, lc_script.rules, &error);
  LcSiteGroups *groups = rules != NULL ? lc_site_groups_new (of->history, LC_SITES_BY_SITE) : NULL;
  LcRaces *races =
      rules != NULL ? lc_races_find (of->history, rules, groups, begin, end, lc_script.cancellable, &error) : NULL;
  SCM rows = SCM_EOL;

  for (guint i = races != NULL ? races->groups->len : 0; i-- > 0;)
    rows = scm_cons (reports_from_race (&g_array_index (races->groups, LcRaceGroup, i), groups), rows);
  g_clear_pointer (&races, lc_races_free);
  g_clear_pointer (&groups, lc_site_groups_free);
  g_clear_pointer (&rules, lc_rules_free);
  if (error != NULL)
    lc_script_throw (error);
  return rows;
}

/* --- Comparisons -------------------------------------------------------------------------------------------------- */

static SCM
reports_from_sides (guint64 one, guint64 other)
{
  return scm_list_2 (scm_from_uint64 (one), scm_from_uint64 (other));
}

/* The events are of the two histories. */
static SCM
reports_from_pair (const LcComparedPair *pair)
{
  SCM events = SCM_EOL, lengths = SCM_EOL, objects = SCM_EOL, row;

  for (guint side = 2; side-- > 0;)
    {
      const LcComparedEvent *event = &pair->events[side];
      gboolean is_there = event->process != LC_TRACE_NONE;

      events = scm_cons (is_there ? lc_script_from_event (event->process, event->ordinal) : SCM_BOOL_F, events);
      lengths = scm_cons (is_there ? scm_from_uint64 (event->end - event->begin) : SCM_BOOL_F, lengths);
      objects = scm_cons (lc_script_from_id (pair->objects[side]), objects);
    }
  row = reports_add (SCM_EOL, "lengths", lengths);
  row = reports_add (row, "events", events);
  row = reports_add (row, "sequence", scm_from_int64 (pair->sequence));
  return reports_add (row, "objects", objects);
}

static SCM
reports_from_pairs (const GArray *pairs)
{
  SCM rows = SCM_EOL;

  for (guint i = pairs->len; i-- > 0;)
    rows = scm_cons (reports_from_pair (&g_array_index (pairs, LcComparedPair, i)), rows);
  return rows;
}

/* The current timeline of the current history, and the measured one of the history with a number. */
static SCM
reports_compare (SCM number, SCM limit)
{
  const LcScriptHistory *of = lc_script_get ();
  const guint32 which = lc_script_to_u32 (number);
  const LcScriptHistory *other = which < lc_script.histories->len ? lc_script.histories->pdata[which] : of;
  const LcCompareSide sides[] = {{of->history, lc_script.timeline}, {other->history, LC_TIMELINE_MEASURED}};
  const guint32 most = lc_script_to_u32 (limit);
  GError *error = NULL;
  LcComparison *found = lc_compare (sides, most, NULL, NULL, lc_script.cancellable, &error);
  SCM row;

  if (found == NULL)
    lc_script_throw (error);
  row = reports_add (SCM_EOL, "times", reports_from_pairs (found->times));
  row = reports_add (row, "order", reports_from_pairs (found->order));
  row = reports_add (row, "ends", reports_from_sides (found->ends[0], found->ends[1]));
  row = reports_add (row, "differing", scm_from_uint32 (found->n_differing));
  row = reports_add (row, "missing", reports_from_sides (found->n_missing[0], found->n_missing[1]));
  row = reports_add (row, "objects", scm_from_uint32 (found->n_objects));
  row = reports_add (row, "alone", reports_from_sides (found->n_alone[0], found->n_alone[1]));
  row = reports_add (row, "pairs", scm_from_uint64 (found->n_pairs));
  lc_comparison_free (found);
  return row;
}

void
lc_script_init_reports (void)
{
  static const LcScriptProcedure procedures[] = {
      {"%report-tables", 0, 0, (scm_t_subr)reports_list_tables}, {"%report-table", 5, 0, (scm_t_subr)reports_get_table},
      {"%findings", 0, 0, (scm_t_subr)reports_list_findings},    {"%races", 2, 0, (scm_t_subr)reports_list_races},
      {"%compare", 2, 0, (scm_t_subr)reports_compare},
  };

  lc_script_define (procedures, G_N_ELEMENTS (procedures));
}
