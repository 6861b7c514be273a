/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats` about relations between processes, objects and processors. Keys and columns never
 * change. */
#include "lightcone/statistics.h"

#include <glib/gi18n.h>

#include "statistics.h"

/* --- The matrix ---------------------------------------------------------------------------------------------- */

static const LcRowsColumn matrix_columns[] = {
    {"from_process", NULL, LC_CELL_COUNT},   {"from_name", N_ ("From"), LC_CELL_TEXT},
    {"to_process", NULL, LC_CELL_COUNT},     {"to_name", N_ ("To"), LC_CELL_TEXT},
    {"arcs", N_ ("Arcs"), LC_CELL_COUNT},    {"bytes", N_ ("Bytes"), LC_CELL_COUNT},
    {"waited", N_ ("Waited"), LC_CELL_TIME}, {"messages", N_ ("Messages"), LC_CELL_COUNT},
};

static void
statistics_relations_add_process (const LcStatisticsShow *show, LcRows *rows, guint32 process)
{
  lc_rows_add_count (rows, process);
  lc_rows_add_text (rows, lc_names_process (show->names, process));
}

gboolean
lc_statistics_show_matrix (const LcStatisticsShow *show, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_matrix (show->history, show->timeline, 0, 0, NULL, error);
  guint shown;
  LcJson json;
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  shown = (guint)MIN (all->len, show->limit);
  json = lc_statistics_begin_json (show);
  lc_statistics_print_title (show, _ ("What went from process to process"));
  rows = lc_rows_begin (show->format, matrix_columns, G_N_ELEMENTS (matrix_columns), &json, "cell");
  for (guint i = 0; i < shown; i++)
    {
      const LcMatrixCell *cell = &g_array_index (all, LcMatrixCell, i);

      statistics_relations_add_process (show, rows, cell->from_process);
      statistics_relations_add_process (show, rows, cell->to_process);
      lc_rows_add_count (rows, cell->arcs);
      lc_rows_add_count (rows, cell->bytes);
      lc_rows_add_count (rows, cell->waited);
      lc_rows_add_count (rows, cell->messages);
    }
  lc_rows_end (rows, all->len - shown);
  lc_statistics_end_json (&json);
  return TRUE;
}

/* --- Objects ------------------------------------------------------------------------------------------------- */

static const LcRowsColumn use_columns[] = {
    {"object", NULL, LC_CELL_COUNT},         {"object_name", N_ ("Object"), LC_CELL_TEXT},
    {"class", N_ ("Class"), LC_CELL_TEXT},   {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},  {"events", N_ ("Events"), LC_CELL_COUNT},
    {"waited", N_ ("Waited"), LC_CELL_TIME}, {"held", N_ ("Held"), LC_CELL_TIME},
};

gboolean
lc_statistics_show_object_uses (const LcStatisticsShow *show, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_object_uses (show->history, show->timeline, 0, 0, NULL, error);
  guint shown;
  LcJson json;
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  shown = (guint)MIN (all->len, show->limit);
  json = lc_statistics_begin_json (show);
  lc_statistics_print_title (show, _ ("What each process did with each object"));
  rows = lc_rows_begin (show->format, use_columns, G_N_ELEMENTS (use_columns), &json, "use");
  for (guint i = 0; i < shown; i++)
    {
      const LcObjectUse *use = &g_array_index (all, LcObjectUse, i);

      lc_statistics_add_object (show, rows, use->object);
      lc_rows_add_text (rows, lc_names_object_class (show->names, use->object));
      statistics_relations_add_process (show, rows, use->process);
      lc_rows_add_count (rows, use->events);
      lc_rows_add_count (rows, use->waited);
      lc_rows_add_count (rows, use->held);
    }
  lc_rows_end (rows, all->len - shown);
  lc_statistics_end_json (&json);
  return TRUE;
}

/* --- Processors ---------------------------------------------------------------------------------------------- */

static const LcRowsColumn stay_columns[] = {
    {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"cpu", N_ ("CPU"), LC_CELL_COUNT},
    {"begin", N_ ("Begin"), LC_CELL_TIME},
    {"end", N_ ("End"), LC_CELL_TIME},
    {"events", N_ ("Events"), LC_CELL_COUNT},
    {"waited", N_ ("Waited"), LC_CELL_TIME},
    {"stays", N_ ("Stays"), LC_CELL_COUNT},
    {"running", N_ ("Running"), LC_CELL_TIME},
    {"woken", N_ ("Woken"), LC_CELL_TIME},
    {"preempted", N_ ("Preempted"), LC_CELL_TIME},
    {"outside", N_ ("Outside"), LC_CELL_TIME},
};

static void
statistics_relations_add_stay (const LcStatisticsShow *show, LcRows *rows, const LcCpuStay *stay)
{
  statistics_relations_add_process (show, rows, stay->process);
  if (stay->cpu != LC_CPU_UNKNOWN)
    lc_rows_add_count (rows, stay->cpu);
  else
    lc_rows_add_nothing (rows);
  lc_rows_add_count (rows, stay->begin);
  lc_rows_add_count (rows, stay->end);
  lc_rows_add_count (rows, stay->events);
  lc_rows_add_count (rows, stay->waited);
  lc_rows_add_count (rows, stay->stays);
  lc_rows_add_count (rows, stay->running);
  lc_rows_add_count (rows, stay->woken);
  lc_rows_add_count (rows, stay->preempted);
  lc_rows_add_count (rows, stay->outside);
}

gboolean
lc_statistics_show_processors (const LcStatisticsShow *show, GError **error)
{
  g_autoptr (GArray) all = NULL;
  guint64 begin, end, resolution = 0;
  guint shown;
  LcJson json;
  LcRows *rows;

  if (!lc_statistics_span (show->history, show->timeline, &begin, &end, error))
    return FALSE;
  if (show->intervals > 0)
    resolution = (end - begin) / show->intervals + ((end - begin) % show->intervals > 0);
  all = lc_statistics_cpu_stays (show->history, show->timeline, 0, 0, resolution, NULL, error);
  if (all == NULL)
    return FALSE;
  shown = (guint)MIN (all->len, show->limit);
  json = lc_statistics_begin_json (show);
  lc_statistics_print_title (show, _ ("Which processor each process was on"));
  if (show->format == LC_FORMAT_JSON)
    lc_json_add_count (&json, "resolution", resolution);
  rows = lc_rows_begin (show->format, stay_columns, G_N_ELEMENTS (stay_columns), &json, "stay");
  for (guint i = 0; i < shown; i++)
    statistics_relations_add_stay (show, rows, &g_array_index (all, LcCpuStay, i));
  lc_rows_end (rows, all->len - shown);
  lc_statistics_end_json (&json);
  return TRUE;
}
