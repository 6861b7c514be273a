/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a result, once for all who show it: a title, sentences and tables. */
#include "report/report.h"

#include <glib/gi18n.h>

#include <stdarg.h>

#include "report/lost.h"
#include "report/output.h"
#include "report/sites.h"
#include "trace/quantities.h"

void
lc_report_begin (LcReport *report)
{
  g_autofree char *note = lc_lost_dup_note (report->history), *name = NULL;

  if (report->format == LC_FORMAT_JSON)
    {
      report->json = LC_JSON_INIT ();
      lc_json_begin_object (&report->json, NULL);
      lc_json_add_string (&report->json, "what", report->what);
      lc_json_add_string (&report->json, "timeline", report->timeline_name);
      lc_lost_add_json (&report->json, report->history);
      return;
    }
  name = lc_format_text (report->timeline_name);
  if (report->timeline_name != NULL)
    lc_report_say (report, _ ("%s, timeline %s\n"), report->title, name);
  else
    lc_report_say (report, "%s\n", report->title);
  if (note != NULL)
    lc_report_say (report, "%s\n", note);
}

void
lc_report_end (LcReport *report)
{
  g_autofree char *text = NULL;

  if (report->format != LC_FORMAT_JSON)
    return;
  lc_json_end_object (&report->json);
  text = lc_json_finish (&report->json);
  lc_output_write (text, -1);
}

void
lc_report_say (LcReport *report, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (report->format == LC_FORMAT_TEXT)
    g_print ("%s", text);
  else if (report->format == LC_FORMAT_KEPT)
    lc_result_add_sentence (report->result, text);
}

void
lc_report_say_nothing (LcReport *report, const char *sentence)
{
  lc_report_say (report, "\n  %s\n", sentence);
}

void
lc_report_say_no_sites (LcReport *report)
{
  if (report->format == LC_FORMAT_KEPT)
    lc_report_say_nothing (report, lc_sites_get_reason (report->history));
  else
    lc_sites_tell_none (report->history, report->format);
}

void
lc_report_add_count (LcReport *report, const char *key, guint64 count)
{
  if (report->format == LC_FORMAT_JSON)
    lc_json_add_count (&report->json, key, count);
}

void
lc_report_add_string (LcReport *report, const char *key, const char *text)
{
  if (report->format == LC_FORMAT_JSON)
    lc_json_add_string (&report->json, key, text);
}

void
lc_report_add_number (LcReport *report, const char *key, const char *number)
{
  if (report->format == LC_FORMAT_JSON && number != NULL)
    lc_json_add_number (&report->json, key, number);
  else if (report->format == LC_FORMAT_JSON)
    lc_json_add_null (&report->json, key);
}

LcRows *
lc_report_begin_rows (LcReport *report, const LcRowsColumn *columns, guint n_columns, const char *key)
{
  return lc_rows_begin_some (report->format, columns, n_columns, &report->json, key, report->limit, report->result);
}

void
lc_report_add_object_cells (LcReport *report, LcRows *rows, guint32 object)
{
  lc_rows_add_id (rows, object);
  lc_rows_add_text (rows, lc_names_object (report->names, object));
}

void
lc_report_add_process_cells (LcReport *report, LcRows *rows, guint32 process)
{
  if (process != LC_TRACE_NONE)
    lc_rows_add_count (rows, process);
  else
    lc_rows_add_nothings (rows, 1);
  lc_rows_add_text (rows, lc_names_process (report->names, process));
}
