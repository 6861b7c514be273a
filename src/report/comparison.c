/* SPDX-License-Identifier: Apache-2.0 */
/* What a comparison of two runs has found, in words: the tables of lightcone compare, and lines for a window. */
#include "report/comparison.h"

#include <glib/gi18n.h>

#include "history/wrong-times.h"
#include "report/format.h"
#include "report/rows.h"
#include "report/sites.h"
#include "trace/gaps.h"
#include "trace/loss.h"

typedef struct
{
  const LcComparison *comparison;
  const LcCompareSide *sides;
  const GArray *sites; /* LcComparedSites, or NULL */
  gsize limit;         /* of them */
  LcNames *names[2];
  LcFormat format;
  LcJson json;
} Show;

/* --- Tables ------------------------------------------------------------------------------------------------------- */

static const LcRowsColumn order_columns[] = {
    {"object", N_ ("Object"), LC_CELL_TEXT},
    {"class", N_ ("Class"), LC_CELL_TEXT},
    {"sequence", N_ ("Sequence"), LC_CELL_INTEGER},
    {"first_process", N_ ("First: process"), LC_CELL_TEXT},
    {"first_operation", N_ ("operation"), LC_CELL_TEXT},
    {"first_ordinal", N_ ("number"), LC_CELL_COUNT},
    {"first_begin", N_ ("at"), LC_CELL_TIME},
    {"first_site", N_ ("in"), LC_CELL_TEXT},
    {"second_process", N_ ("Second: process"), LC_CELL_TEXT},
    {"second_operation", N_ ("operation"), LC_CELL_TEXT},
    {"second_ordinal", N_ ("number"), LC_CELL_COUNT},
    {"second_begin", N_ ("at"), LC_CELL_TIME},
    {"second_site", N_ ("in"), LC_CELL_TEXT},
};

static const LcRowsColumn time_columns[] = {
    {"object", N_ ("Object"), LC_CELL_TEXT},
    {"class", N_ ("Class"), LC_CELL_TEXT},
    {"sequence", N_ ("Sequence"), LC_CELL_INTEGER},
    {"process", N_ ("Process"), LC_CELL_TEXT},
    {"operation", N_ ("Operation"), LC_CELL_TEXT},
    {"first_ordinal", NULL, LC_CELL_COUNT},
    {"second_ordinal", NULL, LC_CELL_COUNT},
    {"first_duration", N_ ("First"), LC_CELL_TIME},
    {"second_duration", N_ ("Second"), LC_CELL_TIME},
    {"change", N_ ("Change"), LC_CELL_CHANGE},
    {"first_waited", N_ ("First waited"), LC_CELL_TIME},
    {"second_waited", N_ ("Second waited"), LC_CELL_TIME},
    {"first_site", N_ ("First in"), LC_CELL_TEXT},
    {"second_site", N_ ("Second in"), LC_CELL_TEXT},
};

enum
{
  MOST_COLUMNS = 14,
};

G_STATIC_ASSERT (G_N_ELEMENTS (order_columns) <= MOST_COLUMNS && G_N_ELEMENTS (time_columns) <= MOST_COLUMNS);

static const LcRowsColumn process_columns[] = {
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"first_events", N_ ("First: events"), LC_CELL_COUNT},
    {"first_span", N_ ("alive"), LC_CELL_TIME},
    {"first_waiting", N_ ("waiting"), LC_CELL_TIME},
    {"second_events", N_ ("Second: events"), LC_CELL_COUNT},
    {"second_span", N_ ("alive"), LC_CELL_TIME},
    {"second_waiting", N_ ("waiting"), LC_CELL_TIME},
    {"waiting_change", N_ ("Change of waiting"), LC_CELL_CHANGE},
};

/* Copies columns, without titles for those of sites if no side knows where its events are. */
static void
comparison_fit_columns (const Show *show, const LcRowsColumn *columns, gsize n, LcRowsColumn *fitting)
{
  gboolean known = FALSE;

  for (guint side = 0; side < 2; side++)
    known |= lc_history_get_n_stacks (show->sides[side].history) > 0;
  for (gsize i = 0; i < n; i++)
    {
      fitting[i] = columns[i];
      if (!known && g_str_has_suffix (columns[i].name, "_site"))
        fitting[i].title = NULL;
    }
}

static void
comparison_add_site (const Show *show, LcRows *rows, guint side, const LcComparedEvent *event)
{
  const LcCompareSide *of = &show->sides[side];
  const LcHistorySite *site = NULL;
  g_autofree char *text = NULL;
  LcHistoryEvent found;

  if (lc_history_get_event (of->history, of->timeline, event->process, event->ordinal, &found, NULL))
    site = lc_history_get_own_site (of->history, found.stack);
  if (site == NULL)
    {
      lc_rows_add_nothing (rows);
      return;
    }
  text = lc_history_dup_site_text (site);
  lc_sites_add_name (rows, text, site->function);
}

static void
comparison_add_object (const Show *show, LcRows *rows, const LcComparedPair *pair)
{
  lc_rows_add_text (rows, lc_names_object (show->names[0], pair->objects[0]));
  lc_rows_add_text (rows, lc_names_object_class (show->names[0], pair->objects[0]));
  lc_rows_add_integer (rows, pair->sequence);
}

static void
comparison_add_event (const Show *show, LcRows *rows, guint side, const LcComparedEvent *event)
{
  if (event->process == LC_TRACE_NONE)
    {
      lc_rows_add_nothings (rows, 5);
      return;
    }
  lc_rows_add_text (rows, lc_names_process (show->names[side], event->process));
  lc_rows_add_text (rows, lc_names_operation (show->names[side], event->operation));
  lc_rows_add_count (rows, event->ordinal);
  lc_rows_add_count (rows, event->begin);
  comparison_add_site (show, rows, side, event);
}

static void
show_order (Show *show)
{
  const GArray *order = show->comparison->order;
  LcRowsColumn columns[MOST_COLUMNS];
  LcRows *rows;

  comparison_fit_columns (show, order_columns, G_N_ELEMENTS (order_columns), columns);
  rows = lc_rows_begin (show->format, columns, G_N_ELEMENTS (order_columns), &show->json, "order");
  for (guint i = 0; i < order->len; i++)
    {
      const LcComparedPair *pair = &g_array_index (order, LcComparedPair, i);

      comparison_add_object (show, rows, pair);
      comparison_add_event (show, rows, 0, &pair->events[0]);
      comparison_add_event (show, rows, 1, &pair->events[1]);
    }
  lc_rows_end (rows, show->comparison->n_differing - order->len);
}

static guint64
comparison_get_duration (const LcComparedEvent *event)
{
  return event->end - event->begin;
}

static gint64
comparison_get_change (const LcComparedPair *pair)
{
  return (gint64)comparison_get_duration (&pair->events[1]) - (gint64)comparison_get_duration (&pair->events[0]);
}

static void
comparison_show_times (Show *show)
{
  const GArray *times = show->comparison->times;
  LcRowsColumn columns[MOST_COLUMNS];
  LcRows *rows;

  comparison_fit_columns (show, time_columns, G_N_ELEMENTS (time_columns), columns);
  rows = lc_rows_begin (show->format, columns, G_N_ELEMENTS (time_columns), &show->json, "times");
  for (guint i = 0; i < times->len; i++)
    {
      const LcComparedPair *pair = &g_array_index (times, LcComparedPair, i);
      const LcComparedEvent *first = &pair->events[0], *second = &pair->events[1];

      comparison_add_object (show, rows, pair);
      lc_rows_add_text (rows, lc_names_process (show->names[0], first->process));
      lc_rows_add_text (rows, lc_names_operation (show->names[0], first->operation));
      lc_rows_add_count (rows, first->ordinal);
      lc_rows_add_count (rows, second->ordinal);
      lc_rows_add_count (rows, comparison_get_duration (first));
      lc_rows_add_count (rows, comparison_get_duration (second));
      lc_rows_add_integer (rows, comparison_get_change (pair));
      lc_rows_add_count (rows, first->waited);
      lc_rows_add_count (rows, second->waited);
      comparison_add_site (show, rows, 0, first);
      comparison_add_site (show, rows, 1, second);
    }
  lc_rows_end (rows, 0);
}

static void
comparison_show_processes (Show *show)
{
  const GArray *processes = show->comparison->processes;
  LcRows *rows = lc_rows_begin (show->format, process_columns, G_N_ELEMENTS (process_columns), &show->json, "process");

  for (guint i = 0; i < processes->len; i++)
    {
      const LcComparedProcess *process = &g_array_index (processes, LcComparedProcess, i);
      guint side = process->processes[0] == LC_TRACE_NONE ? 1 : 0;

      lc_rows_add_text (rows, lc_names_process (show->names[side], process->processes[side]));
      for (guint k = 0; k < 2; k++)
        if (process->processes[k] != LC_TRACE_NONE)
          {
            lc_rows_add_count (rows, process->events[k]);
            lc_rows_add_count (rows, process->spans[k]);
            lc_rows_add_count (rows, process->waiting[k]);
          }
        else
          lc_rows_add_nothings (rows, 3);
      if (process->processes[0] != LC_TRACE_NONE && process->processes[1] != LC_TRACE_NONE)
        lc_rows_add_integer (rows, (gint64)process->waiting[1] - (gint64)process->waiting[0]);
      else
        lc_rows_add_nothing (rows);
    }
  lc_rows_end (rows, 0);
}

static const LcRowsColumn site_columns[] = {
    {"site", N_ ("Where"), LC_CELL_TEXT},
    {"first_events", NULL, LC_CELL_COUNT},
    {"first_waited", N_ ("First: waited"), LC_CELL_TIME},
    {"first_made_wait", N_ ("made wait"), LC_CELL_TIME},
    {"second_events", NULL, LC_CELL_COUNT},
    {"second_waited", N_ ("Second: waited"), LC_CELL_TIME},
    {"second_made_wait", N_ ("made wait"), LC_CELL_TIME},
    {"waited_change", N_ ("Change"), LC_CELL_CHANGE},
    {"made_wait_change", N_ ("Change"), LC_CELL_CHANGE},
};

static void
comparison_show_sites (Show *show)
{
  guint shown = (guint)MIN (show->sites->len, show->limit);
  LcRows *rows = lc_rows_begin (show->format, site_columns, G_N_ELEMENTS (site_columns), &show->json, "site");

  for (guint i = 0; i < shown; i++)
    {
      const LcComparedSites *sites = &g_array_index (show->sites, LcComparedSites, i);

      lc_sites_add_name (rows, sites->name, sites->function);
      for (guint k = 0; k < 2; k++)
        {
          lc_rows_add_count (rows, sites->sides[k].events);
          lc_rows_add_count (rows, sites->sides[k].waited);
          lc_rows_add_count (rows, sites->sides[k].made_wait);
        }
      lc_rows_add_integer (rows, (gint64)(sites->sides[1].waited - sites->sides[0].waited));
      lc_rows_add_integer (rows, (gint64)(sites->sides[1].made_wait - sites->sides[0].made_wait));
    }
  lc_rows_end (rows, show->sites->len - shown);
}

static void
comparison_add_lost (Show *show, guint side, const char *key)
{
  LcTraceLost lost;

  lc_history_get_lost (show->sides[side].history, &lost);
  lc_json_add_count (&show->json, key, lost.n);
}

static void
show_as_json (Show *show, char **directories)
{
  const LcComparison *comparison = show->comparison;
  g_autofree char *text = NULL;

  lc_json_begin_object (&show->json, NULL);
  lc_json_add_string (&show->json, "first", directories[0]);
  lc_json_add_string (&show->json, "second", directories[1]);
  lc_json_add_count (&show->json, "first_end", comparison->ends[0]);
  lc_json_add_count (&show->json, "second_end", comparison->ends[1]);
  comparison_add_lost (show, 0, "first_events_lost");
  comparison_add_lost (show, 1, "second_events_lost");
  lc_json_add_count (&show->json, "events", comparison->n_pairs);
  lc_json_add_count (&show->json, "first_only", comparison->n_alone[0]);
  lc_json_add_count (&show->json, "second_only", comparison->n_alone[1]);
  lc_json_add_count (&show->json, "first_without_sequence", comparison->n_unnumbered[0]);
  lc_json_add_count (&show->json, "second_without_sequence", comparison->n_unnumbered[1]);
  lc_json_add_count (&show->json, "objects", comparison->n_objects);
  lc_json_add_count (&show->json, "first_only_objects", comparison->n_missing[0]);
  lc_json_add_count (&show->json, "second_only_objects", comparison->n_missing[1]);
  lc_json_add_count (&show->json, "objects_in_another_order", comparison->n_differing);
  show_order (show);
  comparison_show_times (show);
  comparison_show_processes (show);
  if (show->sites != NULL)
    comparison_show_sites (show);
  lc_json_end_object (&show->json);
  text = lc_json_finish (&show->json);
  g_print ("%s", text);
}

static void
print_lost (const Show *show, guint side, const char *directory)
{
  LcHistory *history = show->sides[side].history;
  g_autofree char *what = NULL, *gaps = NULL, *wrong = lc_wrong_times_describe (lc_wrong_times_count (history));
  g_auto (GStrv) lines = NULL;
  LcTraceLost lost;

  lc_history_get_lost (history, &lost);
  what = lc_lost_describe (&lost);
  if (what != NULL)
    g_print (_ ("Note: %s: %s\n"), directory, what);
  if (wrong != NULL)
    g_print (_ ("Note: %s: %s\n"), directory, wrong);
  gaps = lc_gaps_describe (lc_history_get_gaps (history), "\n");
  lines = g_strsplit (gaps != NULL ? gaps : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    g_print (_ ("Note: %s: %s\n"), directory, lines[i]);
}

static void
comparison_say_left_out (const LcComparison *comparison)
{
  g_autofree char *first = lc_format_count (comparison->n_unnumbered[0]);
  g_autofree char *second = lc_format_count (comparison->n_unnumbered[1]);

  if (comparison->n_unnumbered[0] + comparison->n_unnumbered[1] > 0)
    g_print (_ ("         %s of the first and %s of the second have no sequence, and are left out\n"), first, second);
}

static void
comparison_show_summary (const Show *show, char **directories)
{
  const LcComparison *comparison = show->comparison;
  g_autofree char *first = lc_format_duration (comparison->ends[0]), *second = lc_format_duration (comparison->ends[1]);
  g_autofree char *pairs = lc_format_count (comparison->n_pairs);
  g_autofree char *alone = lc_format_count (comparison->n_alone[0]), *other = lc_format_count (comparison->n_alone[1]);
  g_autofree char *objects = lc_format_count (comparison->n_objects);
  g_autofree char *missing = lc_format_count (comparison->n_missing[0]);
  g_autofree char *its_missing = lc_format_count (comparison->n_missing[1]);
  g_autofree char *differing = lc_format_count (comparison->n_differing);
  g_autofree char *one = lc_format_text (directories[0]), *two = lc_format_text (directories[1]);

  g_print (_ ("First:   %s, took %s\nSecond:  %s, took %s\n"), one, first, two, second);
  for (guint side = 0; side < 2; side++)
    print_lost (show, side, side == 0 ? one : two);
  g_print (_ ("Events:  %s are in both, %s in the first only, %s in the second only\n"), pairs, alone, other);
  comparison_say_left_out (comparison);
  g_print (_ ("Objects: %s are in both, %s in the first only, %s in the second only\n"), objects, missing, its_missing);
  if (comparison->n_differing == 0)
    g_print (_ ("\nThe order of events is the same on each object that both have.\n"));
  else
    g_print (_ ("\nObjects whose order differs: %s. Where each one first does:\n"), differing);
}

void
lc_comparison_show (const LcComparison *comparison, const GArray *sites, const LcCompareSide sides_of_it[2],
                    char **directories, gsize limit, gboolean json)
{
  Show show = {.comparison = comparison,
               .sides = sides_of_it,
               .sites = sites,
               .limit = limit,
               .format = json ? LC_FORMAT_JSON : LC_FORMAT_TEXT};

  for (guint side = 0; side < 2; side++)
    show.names[side] = lc_names_new (sides_of_it[side].history);
  if (json)
    {
      show.json = LC_JSON_INIT ();
      show_as_json (&show, directories);
    }
  else
    {
      comparison_show_summary (&show, directories);
      if (comparison->n_differing > 0)
        show_order (&show);
      if (comparison->times->len > 0)
        g_print (_ ("\nWhere times differ most:\n"));
      if (comparison->times->len > 0)
        comparison_show_times (&show);
      g_print (_ ("\nProcesses:\n"));
      comparison_show_processes (&show);
      if (sites != NULL && sites->len > 0)
        {
          g_print (_ ("\nWhere waiting differs most:\n"));
          comparison_show_sites (&show);
        }
    }
  for (guint side = 0; side < 2; side++)
    lc_names_free (show.names[side]);
}

/* --- For a window ------------------------------------------------------------------------------------------------- */

static char *
comparison_join_counts (guint64 first, guint64 second)
{
  g_autofree char *of_first = lc_format_count (first), *of_second = lc_format_count (second);

  /* TRANSLATORS: how many in the run A, and how many in the run B. */
  return g_strdup_printf (_ ("A: %s, B: %s"), of_first, of_second);
}

GPtrArray *
lc_comparison_list_facts (const LcComparison *comparison)
{
  const guint64 *ends = comparison->ends;
  GPtrArray *facts = lc_facts_new ();

  lc_facts_take (facts, _ ("A took"), lc_format_duration (ends[0]));
  lc_facts_take (facts, _ ("B took"), lc_format_duration (ends[1]));
  lc_facts_take (facts, _ ("B to A"),
                 ends[0] > 0 ? g_strdup_printf ("%.3g", (double)ends[1] / (double)ends[0]) : g_strdup ("–"));
  lc_facts_take (facts, _ ("Events in both"), lc_format_count (comparison->n_pairs));
  lc_facts_take (facts, _ ("Events in one only"),
                 comparison_join_counts (comparison->n_alone[0], comparison->n_alone[1]));
  lc_facts_take (facts, _ ("Objects in one only"),
                 comparison_join_counts (comparison->n_missing[0], comparison->n_missing[1]));
  return facts;
}

/* Formats "output of worker 2 #1". */
static char *
comparison_dup_object (LcNames *const names[2], const LcComparedPair *pair)
{
  g_autofree char *object = lc_format_text (lc_names_object (names[0], pair->objects[0]));

  return g_strdup_printf ("%s #%" G_GINT64_FORMAT, object, pair->sequence);
}

/* Formats "worker 2 post at 1.25 ms". */
static char *
comparison_dup_who (LcNames *names, const LcComparedEvent *event)
{
  g_autofree char *process = NULL, *who = NULL, *at = NULL;

  if (event->process == LC_TRACE_NONE)
    return g_strdup (_ ("nobody"));
  process = lc_format_text (lc_names_process (names, event->process));
  who = g_strdup_printf ("%s %s", process, lc_names_operation (names, event->operation));
  at = lc_history_dup_moment (lc_names_get_history (names), event->begin);
  return g_strdup_printf (_ ("%s at %s"), who, at);
}

GPtrArray *
lc_comparison_list_order (const LcComparison *comparison, LcNames *const names[2])
{
  GPtrArray *lines = lc_facts_new ();

  for (guint i = 0; i < comparison->order->len; i++)
    {
      const LcComparedPair *pair = &g_array_index (comparison->order, LcComparedPair, i);
      g_autofree char *first = comparison_dup_who (names[0], &pair->events[0]);
      g_autofree char *second = comparison_dup_who (names[1], &pair->events[1]);
      g_autofree char *object = comparison_dup_object (names, pair);
      const char *class_name = lc_names_object_class (names[0], pair->objects[0]);
      g_autofree char *label = g_strdup_printf ("%s %s", class_name, lc_names_skip_class (object, class_name));

      /* TRANSLATORS: who does something in the run A, and who does it in the run B. */
      lc_facts_take (lines, label, NULL)->hint = g_strdup_printf (_ ("A: %s\nB: %s"), first, second);
    }
  return lines;
}

GPtrArray *
lc_comparison_list_times (const LcComparison *comparison, LcNames *const names[2])
{
  GPtrArray *lines = lc_facts_new ();

  for (guint i = 0; i < comparison->times->len; i++)
    {
      const LcComparedPair *pair = &g_array_index (comparison->times, LcComparedPair, i);
      const LcComparedEvent *first = &pair->events[0];
      g_autofree char *object = comparison_dup_object (names, pair);
      g_autofree char *process = lc_format_text (lc_names_process (names[0], first->process));
      g_autofree char *before = lc_format_duration (comparison_get_duration (first));
      g_autofree char *after = lc_format_duration (comparison_get_duration (&pair->events[1]));
      g_autofree char *label = g_strdup_printf ("%s %s", lc_names_operation (names[0], first->operation), object);

      /* TRANSLATORS: a process, how long it took in the run A, and how long in the run B. */
      lc_facts_take (lines, label, lc_format_change (comparison_get_change (pair)))->hint =
          g_strdup_printf (_ ("%s, A: %s, B: %s"), process, before, after);
    }
  return lines;
}

char *
lc_comparison_dup_order_note (const LcComparison *comparison)
{
  g_autofree char *differing = lc_format_count (comparison->n_differing);
  g_autofree char *shown = lc_format_count (comparison->order->len);
  g_autofree char *objects = lc_format_count (comparison->n_objects);

  if (comparison->order->len < comparison->n_differing)
    return g_strdup_printf (_ ("The first %s of %s objects whose order differs"), shown, differing);
  return g_strdup_printf (
      ngettext ("%s of %s object in another order", "%s of %s objects in another order", comparison->n_objects),
      differing, objects);
}

char *
lc_comparison_dup_times_note (const LcComparison *comparison, gsize limit)
{
  g_autofree char *times = lc_format_count (comparison->times->len);

  if (comparison->times->len == limit)
    return g_strdup_printf (_ ("The %s events that differ most"), times);
  return g_strdup_printf (
      ngettext ("%s event takes another time", "%s events take another time", comparison->times->len), times);
}
