/* SPDX-License-Identifier: Apache-2.0 */
/* Analyses that scripts define, as tables of lightcone stats. */
#include "script-analysis.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "command.h"
#include "nearest.h"
#include "report/output.h"
#include "script-folders.h"
#include "script-session.h"

typedef struct
{
  LcReport *report;
  const char *directory;
  GPtrArray *others; /* const char * */
  gboolean trusts;
  int status;
} Analysing;

/* A column of whole numbers is one of them, a column of numbers one of real ones, and any other one of texts. */
static LcCellKind
script_analysis_find_kind (const LcScriptTable *table, guint column)
{
  LcCellKind kind = LC_CELL_INTEGER;

  for (guint row = 0; row < table->n_rows; row++)
    {
      LcScriptKind one = table->cells[(gsize)row * table->n_columns + column].kind;

      if (one == LC_SCRIPT_TEXT)
        return LC_CELL_TEXT;
      if (one == LC_SCRIPT_REAL)
        kind = LC_CELL_REAL;
    }
  return kind;
}

static void
script_analysis_add_text (LcRows *rows, const LcScriptCell *cell)
{
  char real[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *integer = NULL;

  if (cell->kind == LC_SCRIPT_INTEGER)
    lc_rows_add_text (rows, integer = g_strdup_printf ("%" G_GINT64_FORMAT, cell->integer));
  else if (cell->kind == LC_SCRIPT_REAL)
    lc_rows_add_text (rows, g_ascii_dtostr (real, sizeof real, cell->real));
  else
    lc_rows_add_text (rows, cell->text);
}

static void
script_analysis_add_cell (LcRows *rows, const LcScriptCell *cell, LcCellKind kind)
{
  if (cell->kind == LC_SCRIPT_NOTHING)
    lc_rows_add_nothing (rows);
  else if (kind == LC_CELL_TEXT)
    script_analysis_add_text (rows, cell);
  else if (kind == LC_CELL_REAL)
    lc_rows_add_real (rows, cell->kind == LC_SCRIPT_REAL ? cell->real : (double)cell->integer);
  else
    lc_rows_add_integer (rows, cell->integer);
}

static void
script_analysis_show_rows (LcReport *report, const LcScriptTable *table)
{
  g_autofree LcRowsColumn *columns = g_new0 (LcRowsColumn, MAX (table->n_columns, 1));
  LcRows *rows;
  guint shown;

  for (guint i = 0; i < table->n_columns; i++)
    columns[i] = (LcRowsColumn){table->names[i], table->names[i], script_analysis_find_kind (table, i)};
  rows = lc_report_begin_rows (report, columns, table->n_columns, "rows");
  shown = lc_rows_limit (rows, table->n_rows);
  for (gsize i = 0; i < (gsize)shown * table->n_columns; i++)
    script_analysis_add_cell (rows, &table->cells[i], columns[i % table->n_columns].kind);
  lc_rows_end (rows, 0);
}

static void
script_analysis_show_table (LcReport *report, const LcScriptTable *table)
{
  lc_report_begin (report);
  if (table->n_columns > 0 || report->format == LC_FORMAT_JSON)
    script_analysis_show_rows (report, table);
  else
    lc_report_say_nothing (report, _ ("It has found nothing."));
  lc_report_end (report);
}

static void
script_analysis_complain (const Analysing *analysing)
{
  g_auto (GStrv) scripted = lc_script_list_analyses ();
  g_autoptr (GPtrArray) names = g_ptr_array_copy (analysing->others, NULL, NULL);
  g_autofree char *hint = NULL, *list = NULL;

  for (char **name = scripted; *name != NULL; name++)
    g_ptr_array_add (names, *name);
  hint = lc_nearest_dup_hint (analysing->report->what, names);
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **)names->pdata);
  lc_complain (_ ("stats: “%s” is none of %s%s"), analysing->report->what, list, hint);
  lc_script_folders_tell_untrusted (analysing->directory);
}

static void
script_analysis_body (gpointer data)
{
  Analysing *analysing = data;
  LcReport *report = analysing->report;
  LcScriptResult result = lc_script_folders_load (analysing->directory, analysing->trusts);
  LcScriptTable *table = NULL;

  if (result.end == LC_SCRIPT_GOOD)
    result = lc_script_analyse (report->what, report->timeline_name, &table);
  if (result.end == LC_SCRIPT_STOPPED)
    lc_complain (_ ("script: %s"), result.message);
  else if (result.end == LC_SCRIPT_FAILED)
    lc_complain ("%s", result.message);
  else if (result.end == LC_SCRIPT_EXITED)
    analysing->status = result.status;
  else if (table == NULL)
    script_analysis_complain (analysing);
  else
    {
      script_analysis_show_table (report, table);
      analysing->status = LC_EXIT_GOOD;
    }
  lc_script_table_free (table);
  lc_script_result_clear (&result);
}

int
lc_script_analysis_show (LcReport *report, const char *directory, const char *const *rules, gboolean trusts,
                         GPtrArray *others)
{
  const char *const arguments[] = {"lightcone", NULL};
  const LcScriptOptions options = {
      .history = report->history, .directory = directory, .rules = rules, .arguments = arguments};
  Analysing analysing = {
      .report = report, .directory = directory, .others = others, .trusts = trusts, .status = LC_EXIT_UNUSABLE};

  fflush (stdout);
  lc_script_session_catch_interrupts ();
  lc_script_run (&options, script_analysis_body, &analysing);
  return analysing.status;
}
