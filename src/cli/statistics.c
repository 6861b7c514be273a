/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `lightcone stats`. Its keys and columns must never change. */
#include "lightcone/statistics.h"

#include <glib/gi18n.h>

#include "format.h"
#include "lost.h"
#include "output.h"
#include "statistics.h"

/* --- Heads of the output ------------------------------------------------------------------------------------------ */

LcJson
lc_statistics_begin_json (const LcStatisticsShow *show)
{
  LcJson json = {NULL, 0};

  if (show->format != LC_FORMAT_JSON)
    return json;
  json = LC_JSON_INIT ();
  lc_json_begin_object (&json, NULL);
  lc_json_add_string (&json, "what", show->what);
  lc_json_add_string (&json, "timeline", show->timeline_name);
  lc_lost_add_json (&json, show->history);
  return json;
}

void
lc_statistics_end_json (LcJson *json)
{
  g_autofree char *text = NULL;

  if (json->text == NULL)
    return;
  lc_json_end_object (json);
  text = lc_json_finish (json);
  lc_output_write (text, -1);
}

void
lc_statistics_print_title (const LcStatisticsShow *show, const char *title)
{
  g_autofree char *name = lc_format_text (show->timeline_name);

  if (show->format == LC_FORMAT_TEXT)
    {
      g_print (_ ("%s, timeline %s\n"), title, name);
      lc_lost_print (show->history);
    }
}

void
lc_statistics_print_nothing (const LcStatisticsShow *show, const char *sentence)
{
  if (show->format == LC_FORMAT_TEXT)
    g_print ("\n  %s\n", sentence);
}

void
lc_statistics_add_object (const LcStatisticsShow *show, LcRows *rows, guint32 object)
{
  if (object != LC_TRACE_NONE)
    lc_rows_add_count (rows, object);
  else
    lc_rows_add_nothing (rows);
  lc_rows_add_text (rows, lc_names_object (show->names, object));
}

void
lc_statistics_add_nothings (LcRows *rows, guint n)
{
  for (guint i = 0; i < n; i++)
    lc_rows_add_nothing (rows);
}

/* --- Waiting ------------------------------------------------------------------------------------------------- */

/* A table for people has one share, and of what the kernel counts only what no event explains: with all of it a line is
 * twice as long as a terminal is wide. */
static const LcRowsColumn waiting_columns[] = {
    {"process", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"span", N_ ("Span"), LC_CELL_TIME},
    {"running", N_ ("Running"), LC_CELL_TIME},
    {"waiting", N_ ("Waiting"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"waits", N_ ("Waits"), LC_CELL_COUNT},
    {"longest", N_ ("Longest"), LC_CELL_TIME},
    {"longest_ordinal", N_ ("Event"), LC_CELL_COUNT},
    {"longest_object", NULL, LC_CELL_COUNT},
    {"longest_object_name", N_ ("Object"), LC_CELL_TEXT},
    {"total_percent", NULL, LC_CELL_PERCENT},
    {"runnable", NULL, LC_CELL_TIME},
    {"preemptions", NULL, LC_CELL_COUNT},
    {"blocked", NULL, LC_CELL_TIME},
    {"unseen", N_ ("Unseen"), LC_CELL_TIME},
    {"unseen_waits", NULL, LC_CELL_COUNT},
    {"woken", N_ ("Woken"), LC_CELL_TIME},
    {"preempted", N_ ("Preempted"), LC_CELL_TIME},
    {"outside", N_ ("Outside"), LC_CELL_TIME},
};

static void
cli_statistics_add_known (LcRows *rows, guint64 value)
{
  if (value != LC_TRACE_UNKNOWN)
    lc_rows_add_count (rows, value);
  else
    lc_rows_add_nothing (rows);
}

/* What the kernel has counted is true of the measured timeline only. Where it was recorded when the process was off its
 * processors, that says what is unseen: it is exact. */
static void
cli_statistics_add_account (const LcStatisticsShow *show, LcRows *rows, guint32 process, guint64 unseen)
{
  const LcHistoryProcess *row = lc_history_get_process (show->history, process);

  if (show->timeline != LC_TIMELINE_MEASURED)
    {
      lc_statistics_add_nothings (rows, 5);
      return;
    }
  cli_statistics_add_known (rows, row->account.runnable);
  cli_statistics_add_known (rows, row->account.involuntary);
  cli_statistics_add_known (rows, row->account.blocked);
  cli_statistics_add_known (rows, row->is_scheduled ? unseen : row->unseen);
  cli_statistics_add_known (rows, row->unseen_waits);
}

static void
cli_statistics_add_waiting (const LcStatisticsShow *show, LcRows *rows, const LcWaitingStatistics *row, guint64 total)
{
  lc_rows_add_count (rows, row->span);
  lc_rows_add_count (rows, row->running);
  lc_rows_add_count (rows, row->waiting);
  lc_rows_add_percent (rows, row->waiting, row->span);
  lc_rows_add_count (rows, row->waits);
  if (row->waits > 0)
    {
      lc_rows_add_count (rows, row->longest);
      lc_rows_add_count (rows, row->longest_ordinal);
      lc_statistics_add_object (show, rows, row->longest_object);
    }
  else
    lc_statistics_add_nothings (rows, 4);
  lc_rows_add_percent (rows, row->waiting, total);
  cli_statistics_add_account (show, rows, row->process, row->unseen);
  lc_rows_add_count (rows, row->woken);
  if (lc_history_get_process (show->history, row->process)->is_scheduled)
    lc_rows_add_count (rows, row->preempted);
  else
    lc_rows_add_nothing (rows);
  lc_rows_add_count (rows, row->outside);
}

static LcWaitingStatistics
sum_waiting (const GArray *all)
{
  LcWaitingStatistics sum = {.longest_object = LC_TRACE_NONE};

  for (guint i = 0; i < all->len; i++)
    {
      const LcWaitingStatistics *row = &g_array_index (all, LcWaitingStatistics, i);

      sum.span += row->span;
      sum.running += row->running;
      sum.waiting += row->waiting;
      sum.woken += row->woken;
      sum.preempted += row->preempted;
      sum.outside += row->outside;
      sum.unseen += row->unseen;
    }
  return sum;
}

gboolean
lc_statistics_show_waiting (const LcStatisticsShow *show, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_waiting (show->history, show->timeline, NULL, error);
  LcWaitingStatistics sum;
  guint64 total;
  LcJson json;
  LcRows *rows;

  if (all == NULL || !lc_statistics_total (show->history, show->timeline, &total, error))
    return FALSE;
  sum = sum_waiting (all);
  json = lc_statistics_begin_json (show);
  lc_statistics_print_title (show, _ ("Waiting of each process"));
  if (show->format == LC_FORMAT_JSON)
    {
      lc_json_add_count (&json, "span_total", sum.span);
      lc_json_add_count (&json, "running_total", sum.running);
      lc_json_add_count (&json, "waiting_total", sum.waiting);
      lc_json_add_count (&json, "woken_total", sum.woken);
      lc_json_add_count (&json, "preempted_total", sum.preempted);
      lc_json_add_count (&json, "outside_total", sum.outside);
      lc_json_add_count (&json, "total", total);
    }
  rows = lc_rows_begin (show->format, waiting_columns, G_N_ELEMENTS (waiting_columns), &json, "process");
  for (guint i = 0; i < MIN (all->len, show->limit); i++)
    {
      const LcWaitingStatistics *row = &g_array_index (all, LcWaitingStatistics, i);

      lc_rows_add_count (rows, row->process);
      lc_rows_add_text (rows, lc_names_process (show->names, row->process));
      cli_statistics_add_waiting (show, rows, row, total);
    }
  lc_rows_end (rows, all->len - MIN (all->len, show->limit));
  lc_statistics_end_json (&json);
  return TRUE;
}

/* --- Objects ------------------------------------------------------------------------------------------------- */

static const LcRowsColumn object_columns[] = {
    {"object", NULL, LC_CELL_COUNT},
    {"name", N_ ("Object"), LC_CELL_TEXT},
    {"class", N_ ("Class"), LC_CELL_TEXT},
    {"events", N_ ("Events"), LC_CELL_COUNT},
    {"waits", N_ ("Waits"), LC_CELL_COUNT},
    {"waited", N_ ("Waited"), LC_CELL_TIME},
    {"longest", N_ ("Longest"), LC_CELL_TIME},
    {"longest_process", NULL, LC_CELL_COUNT},
    {"longest_process_name", N_ ("Process"), LC_CELL_TEXT},
    {"longest_ordinal", N_ ("Event"), LC_CELL_COUNT},
    {"held", N_ ("Held"), LC_CELL_TIME},
};

static void
add_object_row (const LcStatisticsShow *show, LcRows *rows, const LcObjectStatistics *row)
{
  lc_statistics_add_object (show, rows, row->object);
  lc_rows_add_text (rows, lc_names_object_class (show->names, row->object));
  lc_rows_add_count (rows, row->events);
  lc_rows_add_count (rows, row->waits);
  lc_rows_add_count (rows, row->waited);
  if (row->waits > 0)
    {
      lc_rows_add_count (rows, row->longest);
      lc_rows_add_count (rows, row->longest_process);
      lc_rows_add_text (rows, lc_names_process (show->names, row->longest_process));
      lc_rows_add_count (rows, row->longest_ordinal);
    }
  else
    lc_statistics_add_nothings (rows, 4);
  lc_rows_add_count (rows, row->held);
}

gboolean
lc_statistics_show_objects (const LcStatisticsShow *show, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_objects (show->history, show->timeline, NULL, error);
  LcJson json;
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  json = lc_statistics_begin_json (show);
  lc_statistics_print_title (show, _ ("Objects, those most waited for first"));
  if (all->len == 0)
    lc_statistics_print_nothing (show, _ ("No event is on an object."));
  rows = lc_rows_begin (show->format, object_columns, G_N_ELEMENTS (object_columns), &json, "object");
  for (guint i = 0; i < MIN (all->len, show->limit); i++)
    add_object_row (show, rows, &g_array_index (all, LcObjectStatistics, i));
  lc_rows_end (rows, all->len - MIN (all->len, show->limit));
  lc_statistics_end_json (&json);
  return TRUE;
}

/* --- Operations ---------------------------------------------------------------------------------------------- */

static const LcRowsColumn operation_columns[] = {
    {"operation", N_ ("Operation"), LC_CELL_TEXT}, {"class", N_ ("Class"), LC_CELL_TEXT},
    {"events", N_ ("Events"), LC_CELL_COUNT},      {"time", N_ ("Time"), LC_CELL_TIME},
    {"waits", N_ ("Waits"), LC_CELL_COUNT},        {"waited", N_ ("Waited"), LC_CELL_TIME},
    {"longest", N_ ("Longest"), LC_CELL_TIME},
};

gboolean
lc_statistics_show_operations (const LcStatisticsShow *show, GError **error)
{
  g_autoptr (GArray) all = lc_statistics_operations (show->history, show->timeline, NULL, error);
  LcJson json;
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  json = lc_statistics_begin_json (show);
  lc_statistics_print_title (show, _ ("Operations, those that took longest first"));
  rows = lc_rows_begin (show->format, operation_columns, G_N_ELEMENTS (operation_columns), &json, "operation");
  for (guint i = 0; i < MIN (all->len, show->limit); i++)
    {
      const LcOperationStatistics *row = &g_array_index (all, LcOperationStatistics, i);

      lc_rows_add_text (rows, lc_names_operation (show->names, row->operation));
      lc_rows_add_text (rows, lc_names_operation_class (show->names, row->operation));
      lc_rows_add_count (rows, row->events);
      lc_rows_add_count (rows, row->time);
      lc_rows_add_count (rows, row->waits);
      lc_rows_add_count (rows, row->waited);
      lc_rows_add_count (rows, row->longest);
    }
  lc_rows_end (rows, all->len - MIN (all->len, show->limit));
  lc_statistics_end_json (&json);
  return TRUE;
}

/* --- Parallelism --------------------------------------------------------------------------------------------- */

static const LcRowsColumn level_columns[] = {
    {"running", N_ ("Running"), LC_CELL_COUNT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
};

static void
add_average (LcJson *json, const char *key, double average)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  lc_json_add_number (json, key, g_ascii_formatd (number, sizeof number, "%.6f", average));
}

/* Adds the parallel part, without the sequential begin and end of the run. */
static void
add_parallel_part (LcJson *json, const LcParallelism *parallelism)
{
  static const char *const keys[] = {"parallel_begin", "parallel_end", "parallel_running", "parallel_average"};

  if (parallelism->parallel_begin == parallelism->parallel_end)
    {
      for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
        lc_json_add_null (json, keys[i]);
      return;
    }
  lc_json_add_count (json, keys[0], parallelism->parallel_begin);
  lc_json_add_count (json, keys[1], parallelism->parallel_end);
  lc_json_add_count (json, keys[2], parallelism->parallel_running);
  add_average (json, keys[3], parallelism->parallel_average);
}

static void
print_average (const LcParallelism *parallelism)
{
  g_autofree char *span = lc_format_duration (parallelism->end - parallelism->begin);
  g_autofree char *running = lc_format_duration (parallelism->running);

  g_print (_ ("\n  %.2f on average, at least %u, at most %u: %s of running in a span of %s\n"), parallelism->average,
           parallelism->lowest, parallelism->highest, running, span);
  if (parallelism->parallel_begin < parallelism->parallel_end)
    {
      g_autofree char *begin = lc_format_moment (parallelism->parallel_begin, parallelism->end - parallelism->begin);
      g_autofree char *end = lc_format_moment (parallelism->parallel_end, parallelism->end - parallelism->begin);

      g_print (_ ("  %.2f on average from %s to %s, without the sequential parts\n"), parallelism->parallel_average,
               begin, end);
    }
}

gboolean
lc_statistics_show_parallelism (const LcStatisticsShow *show, GError **error)
{
  g_autoptr (LcParallelism) all = lc_statistics_parallelism (show->history, show->timeline, NULL, error);
  guint64 shown = 0, more = 0;
  LcJson json;
  LcRows *rows;

  if (all == NULL)
    return FALSE;
  json = lc_statistics_begin_json (show);
  lc_statistics_print_title (show, _ ("Processes running at the same time"));
  if (show->format == LC_FORMAT_TEXT)
    print_average (all);
  else if (show->format == LC_FORMAT_JSON)
    {
      lc_json_add_count (&json, "begin", all->begin);
      lc_json_add_count (&json, "end", all->end);
      lc_json_add_count (&json, "running_total", all->running);
      add_average (&json, "average", all->average);
      lc_json_add_count (&json, "lowest", all->lowest);
      lc_json_add_count (&json, "highest", all->highest);
      add_parallel_part (&json, all);
    }
  rows = lc_rows_begin (show->format, level_columns, G_N_ELEMENTS (level_columns), &json, "level");
  for (guint32 i = 0; i < all->n_levels; i++)
    {
      if (show->format == LC_FORMAT_TEXT && all->levels[i] == 0)
        continue;
      if (shown++ >= show->limit)
        {
          more++;
          continue;
        }
      lc_rows_add_count (rows, i);
      lc_rows_add_count (rows, all->levels[i]);
      lc_rows_add_percent (rows, all->levels[i], all->end - all->begin);
    }
  lc_rows_end (rows, more);
  lc_statistics_end_json (&json);
  return TRUE;
}
