/* SPDX-License-Identifier: Apache-2.0 */
/* What the critical path is made of. Its keys and columns must never change. */
#include "report/critical-path.h"

#include <glib/gi18n.h>

#include "lightcone/deadlock.h"
#include "report/facts.h"
#include "report/lost.h"
#include "report/output.h"
#include "report/sites.h"
#include "trace/quantities.h"

#define MUCH 0.05 /* share of the path */

typedef struct
{
  LcCriticalPath *path;
  LcHistory *history;
  LcNames *names;
  const LcCriticalPathAsked *asked;
  const LcCriticalSummary *summary;
  const char *timeline;
  LcFormat format;
  gsize limit;
  LcJson json;
} Show;

/* --- Summary ------------------------------------------------------------------------------------------------------ */

static void
add_summary_json (Show *show)
{
  lc_json_add_string (&show->json, "timeline", show->timeline);
  lc_lost_add_json (&show->json, show->history);
  lc_json_add_count (&show->json, "begin", show->summary->begin);
  lc_json_add_count (&show->json, "end", show->summary->end);
  lc_json_add_count (&show->json, "length", show->summary->end - show->summary->begin);
  lc_json_add_count (&show->json, "computing", show->summary->computing);
  lc_json_add_count (&show->json, "preempted", show->summary->preempted);
  lc_json_add_count (&show->json, "blocked", show->summary->blocked);
  lc_json_add_count (&show->json, "inside", show->summary->inside);
  lc_json_add_count (&show->json, "unseen", show->summary->unseen);
  lc_json_add_count (&show->json, "sleeping", show->summary->sleeping);
  lc_json_add_count (&show->json, "outside", show->summary->outside);
  lc_json_add_count (&show->json, "finalizing", show->summary->finalizing);
  lc_json_add_count (&show->json, "passing", show->summary->passing);
  lc_json_add_count (&show->json, "events", show->summary->events);
  lc_json_add_count (&show->json, "hops", show->summary->hops);
  if (show->summary->pending != LC_TRACE_NONE)
    lc_json_add_count (&show->json, "pending", show->summary->pending);
}

static void
critical_path_take_part (GPtrArray *facts, const char *label, guint64 part, guint64 whole)
{
  LcFact *fact = lc_facts_take (facts, label, lc_format_duration (part));

  if (whole > 0)
    fact->share = g_strdup_printf ("%.1f %%", 100.0 * (double)part / (double)whole);
}

static void
critical_path_take_some (GPtrArray *facts, const char *label, guint64 part, guint64 whole)
{
  if (part > 0)
    critical_path_take_part (facts, label, part, whole);
}

/* Neither a clock nor the operation says what a process waited for in this time. */
static guint64
critical_path_get_dark (const LcCriticalSummary *summary)
{
  return summary->unseen - summary->sleeping - summary->outside - summary->finalizing;
}

GPtrArray *
lc_critical_path_list_facts (const LcCriticalSummary *summary)
{
  GPtrArray *facts = lc_facts_new ();
  guint64 length = summary->end - summary->begin;

  critical_path_take_part (facts, _ ("Length"), length, length);
  critical_path_take_part (facts, _ ("Between events"), summary->computing, length);
  critical_path_take_part (facts, _ ("In events"), summary->inside, length);
  critical_path_take_part (facts, _ ("From process to process"), summary->passing, length);
  critical_path_take_some (facts, _ ("Without a processor"), summary->preempted, length);
  critical_path_take_some (facts, _ ("Blocked between events"), summary->blocked, length);
  critical_path_take_some (facts, _ ("Asleep"), summary->sleeping, length);
  critical_path_take_some (facts, _ ("Outside of the program"), summary->outside, length);
  critical_path_take_some (facts, _ ("In MPI_Finalize"), summary->finalizing, length);
  critical_path_take_some (facts, _ ("Blocked, ended unseen"), critical_path_get_dark (summary), length);
  lc_facts_take (facts, _ ("Events"), lc_format_count (summary->events));
  lc_facts_take (facts, _ ("Changes of process"), lc_format_count (summary->hops));
  return facts;
}

/* Names whom a process waited for to its end. NULL: nobody is known. */
static char *
critical_path_dup_awaited (LcNames *names, guint32 process)
{
  g_autoptr (LcDeadlocks) deadlocks = lc_deadlocks_find_in_history (lc_names_get_history (names), NULL, NULL);

  for (guint i = 0; deadlocks != NULL && i < deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (deadlocks->blocked, LcBlocked, i);

      if (blocked->process == process && blocked->holder != LC_TRACE_NONE)
        return lc_format_text (lc_names_process (names, blocked->holder));
    }
  return NULL;
}

static char *
critical_path_dup_pending (const LcCriticalSummary *summary, LcNames *names)
{
  LcHistory *history = lc_names_get_history (names);
  const LcTracePending *pending;
  g_autofree char *process = NULL, *operation = NULL, *since = NULL, *awaited = NULL;

  if (summary->pending == LC_TRACE_NONE)
    return NULL;
  pending = &lc_history_get_process (history, summary->pending)->pending;
  process = lc_format_text (lc_names_process (names, summary->pending));
  operation = lc_format_text (lc_names_operation (names, pending->operation));
  since = lc_history_dup_moment (history, pending->begin);
  awaited = critical_path_dup_awaited (names, summary->pending);
  if (awaited != NULL)
    /* TRANSLATORS: a process, an operation, a time, and another process. */
    return g_strdup_printf (
        _ ("The path ends with %s, which was blocked in %s since %s, and to its end. It waited for %s; "
           "lightcone check, and Problems in a window, say more."),
        process, operation, since, awaited);
  /* TRANSLATORS: a process, an operation, and a time. */
  return g_strdup_printf (_ ("The path ends with %s, which was blocked in %s since %s, and to its end. What that "
                             "waited for is not known."),
                          process, operation, since);
}

/* The operation that took longest, with its object if it has one. */
static char *
critical_path_dup_outside (const LcCriticalSummary *summary, LcNames *names)
{
  g_autofree char *operation = lc_format_text (lc_names_operation (names, summary->outside_operation)), *object = NULL;

  if (summary->outside_object == LC_TRACE_NONE)
    return g_steal_pointer (&operation);
  object = lc_format_text (lc_names_object (names, summary->outside_object));
  return g_strdup_printf ("%s %s", operation, object);
}

/* A part that is large enough to be another story than the one that the path tells. */
static gboolean
critical_path_is_much (const LcCriticalSummary *summary, guint64 part, char **time, double *percent)
{
  const double share = (double)part / (double)MAX (summary->end - summary->begin, 1);

  *percent = 100 * share;
  *time = share >= MUCH ? lc_format_duration (part) : NULL;
  return *time != NULL;
}

static void
critical_path_add_sentence (GString *text, char *sentence)
{
  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, sentence);
  g_free (sentence);
}

/* A clock, other programs, or the system: what decided how long this took is known, and is no process. */
static void
critical_path_add_known (GString *text, const LcCriticalSummary *summary, LcNames *names)
{
  g_autofree char *preempted = NULL, *asleep = NULL, *outside = NULL, *finalizing = NULL;
  double percent;

  if (critical_path_is_much (summary, summary->preempted, &preempted, &percent))
    /* TRANSLATORS: a time, and a percentage. */
    critical_path_add_sentence (
        text, g_strdup_printf (_ ("For %s of the path (%.1f %%) a process was ready to go on, but had no processor."),
                               preempted, percent));
  if (critical_path_is_much (summary, summary->sleeping, &asleep, &percent))
    /* TRANSLATORS: a time, and a percentage. */
    critical_path_add_sentence (text,
                                g_strdup_printf (_ ("For %s of the path (%.1f %%) a process was asleep, or waited "
                                                    "until a time was over: a clock decides how long that takes."),
                                                 asleep, percent));
  if (critical_path_is_much (summary, summary->outside, &outside, &percent))
    {
      g_autofree char *longest = critical_path_dup_outside (summary, names);

      /* TRANSLATORS: a time, a percentage, and an operation, as "read FILE". */
      critical_path_add_sentence (text, g_strdup_printf (_ ("For %s of the path (%.1f %%) a process was outside of the "
                                                            "program, mostly in %s. What ended that is not recorded."),
                                                         outside, percent, longest));
    }
  if (critical_path_is_much (summary, summary->finalizing, &finalizing, &percent))
    /* TRANSLATORS: a time, and a percentage. */
    critical_path_add_sentence (text,
                                g_strdup_printf (_ ("For %s of the path (%.1f %%) a rank was in MPI_Finalize, where "
                                                    "ranks wait for others, and MPI does not say for whom."),
                                                 finalizing, percent));
}

/* Nothing that is recorded decided how long this took. */
static void
critical_path_add_unknown (GString *text, const LcCriticalSummary *summary)
{
  g_autofree char *blocked = NULL, *dark = NULL;
  double percent;

  if (critical_path_is_much (summary, summary->blocked, &blocked, &percent))
    /* TRANSLATORS: a time, and a percentage. */
    critical_path_add_sentence (text,
                                g_strdup_printf (_ ("For %s of the path (%.1f %%) a process was blocked between two "
                                                    "events, and nothing that is recorded says in what."),
                                                 blocked, percent));
  if (critical_path_is_much (summary, critical_path_get_dark (summary), &dark, &percent))
    /* TRANSLATORS: a time, and a percentage. */
    critical_path_add_sentence (
        text, g_strdup_printf (_ ("For %s of the path (%.1f %%) a process was blocked until something happened that is "
                                  "not recorded. What made that so long is not on the path."),
                               dark, percent));
}

char *
lc_critical_path_dup_doubt (const LcCriticalSummary *summary, LcNames *names)
{
  g_autofree char *pending = critical_path_dup_pending (summary, names);
  g_autoptr (GString) text = g_string_new (pending);

  if (pending == NULL)
    {
      critical_path_add_known (text, summary, names);
      critical_path_add_unknown (text, summary);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
critical_path_print_summary (const Show *show)
{
  g_autoptr (GPtrArray) facts = lc_critical_path_list_facts (show->summary);
  g_autofree char *lines = lc_facts_render (facts, TRUE), *timeline = lc_format_text (show->timeline);
  g_autofree char *doubt = lc_critical_path_dup_doubt (show->summary, show->names);

  g_print (_ ("Critical path, timeline %s\n\n%s"), timeline, lines);
  if (doubt != NULL)
    g_print ("\n%s\n", doubt);
  lc_lost_print (show->history);
}

/* --- Shares -------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *key;
  const char *(*name) (LcNames *names, guint32 id);
  const char *(*class_name) (LcNames *names, guint32 id); /* NULL: there is no column for the class */
  const char *none;                                       /* the text for people where there is no id */
  const LcRowsColumn *columns;
  guint n_columns;
} ShareTable;

static const LcRowsColumn process_columns[] = {
    {"id", NULL, LC_CELL_COUNT},
    {"name", N_ ("Process"), LC_CELL_TEXT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"visits", N_ ("Stays"), LC_CELL_COUNT},
};

static const LcRowsColumn operation_columns[] = {
    {"id", NULL, LC_CELL_COUNT},
    {"name", N_ ("Operation"), LC_CELL_TEXT},
    {"class", N_ ("Class"), LC_CELL_TEXT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"visits", N_ ("Times"), LC_CELL_COUNT},
};

static const LcRowsColumn object_columns[] = {
    {"id", NULL, LC_CELL_COUNT},
    {"name", N_ ("Object"), LC_CELL_TEXT},
    {"class", N_ ("Class"), LC_CELL_TEXT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"visits", N_ ("Times"), LC_CELL_COUNT},
};

static const LcRowsColumn region_columns[] = {
    {"id", NULL, LC_CELL_COUNT},
    {"name", N_ ("Region"), LC_CELL_TEXT},
    {"class", N_ ("Class"), LC_CELL_TEXT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"visits", N_ ("Stretches"), LC_CELL_COUNT},
};

/* In the order of LcCriticalShareKind. */
static const ShareTable tables[] = {
    {"process", lc_names_process, NULL, NULL, process_columns, G_N_ELEMENTS (process_columns)},
    {"operation", lc_names_operation, lc_names_operation_class, N_ ("Between events"), operation_columns,
     G_N_ELEMENTS (operation_columns)},
    {"object", lc_names_object, lc_names_object_class, N_ ("No object"), object_columns, G_N_ELEMENTS (object_columns)},
    {"region", lc_names_object, lc_names_object_class, N_ ("Outside of regions"), region_columns,
     G_N_ELEMENTS (region_columns)},
};

const char *
lc_critical_share_key (LcCriticalShareKind kind)
{
  return tables[kind].key;
}

const char *
lc_critical_share_name (LcNames *names, LcCriticalShareKind kind, guint32 id, LcFormat format)
{
  const char *name = tables[kind].name (names, id);

  if (name != NULL || format == LC_FORMAT_CSV || format == LC_FORMAT_JSON)
    return name;
  return tables[kind].none != NULL ? _ (tables[kind].none) : NULL;
}

const char *
lc_critical_share_class (LcNames *names, LcCriticalShareKind kind, guint32 id)
{
  return tables[kind].class_name != NULL ? tables[kind].class_name (names, id) : NULL;
}

static void
critical_path_add_share (const Show *show, LcRows *rows, LcCriticalShareKind kind, const LcCriticalShare *share)
{
  if (share->id != LC_TRACE_NONE)
    lc_rows_add_count (rows, share->id);
  else
    lc_rows_add_nothing (rows);
  lc_rows_add_text (rows, lc_critical_share_name (show->names, kind, share->id, show->format));
  if (tables[kind].class_name != NULL)
    lc_rows_add_text (rows, lc_critical_share_class (show->names, kind, share->id));
  else if (show->format == LC_FORMAT_CSV)
    lc_rows_add_nothing (rows);
  lc_rows_add_count (rows, share->time);
  lc_rows_add_percent (rows, share->time, show->summary->end - show->summary->begin);
  lc_rows_add_count (rows, share->visits);
}

static void
critical_path_show_shares (Show *show, LcCriticalShareKind kind)
{
  const ShareTable *table = &tables[kind];
  LcRows *rows;
  gsize n;
  const LcCriticalShare *shares = lc_critical_path_get_shares (show->path, kind, &n);
  gsize shown = MIN (n, show->limit);

  if (show->format == LC_FORMAT_TEXT && (n == 0 || (n == 1 && shares[0].id == LC_TRACE_NONE)))
    return;
  rows = lc_rows_begin (show->format, table->columns, table->n_columns, &show->json, table->key);
  for (gsize i = 0; i < shown; i++)
    critical_path_add_share (show, rows, kind, &shares[i]);
  lc_rows_end (rows, n - shown);
}

/* Shows the shares of all kinds in one table, as CSV needs it. */
static void
show_shares_csv (Show *show)
{
  static const LcRowsColumn columns[] = {
      {"share", NULL, LC_CELL_TEXT},   {"id", NULL, LC_CELL_COUNT},  {"name", NULL, LC_CELL_TEXT},
      {"class", NULL, LC_CELL_TEXT},   {"time", NULL, LC_CELL_TIME}, {"percent", NULL, LC_CELL_PERCENT},
      {"visits", NULL, LC_CELL_COUNT},
  };
  LcRows *rows = lc_rows_begin (show->format, columns, G_N_ELEMENTS (columns), NULL, NULL);

  for (LcCriticalShareKind kind = 0; kind < LC_CRITICAL_SHARES; kind++)
    {
      gsize n;
      const LcCriticalShare *shares = lc_critical_path_get_shares (show->path, kind, &n);

      for (gsize i = 0; i < MIN (n, show->limit); i++)
        {
          lc_rows_add_text (rows, tables[kind].key);
          critical_path_add_share (show, rows, kind, &shares[i]);
        }
    }
  lc_rows_end (rows, 0);
}

/* --- Events -------------------------------------------------------------------------------------------------- */

static const LcRowsColumn event_columns[] = {
    {"part", N_ ("Part"), LC_CELL_TEXT},
    {"path_begin", N_ ("From"), LC_CELL_TIME},
    {"path_end", NULL, LC_CELL_TIME},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"process", NULL, LC_CELL_COUNT},
    {"process_name", N_ ("Process"), LC_CELL_TEXT},
    {"ordinal", N_ ("Event"), LC_CELL_COUNT},
    {"operation", N_ ("Operation"), LC_CELL_TEXT},
    {"object", NULL, LC_CELL_COUNT},
    {"object_name", N_ ("Object"), LC_CELL_TEXT},
    {"sequence", N_ ("Number"), LC_CELL_INTEGER},
    {"begin", NULL, LC_CELL_TIME},
    {"end", NULL, LC_CELL_TIME},
    {"waited", NULL, LC_CELL_TIME},
    {"from_process", NULL, LC_CELL_COUNT},
    {"from_ordinal", NULL, LC_CELL_COUNT},
    {"site", N_ ("Where"), LC_CELL_TEXT},
    {"function", NULL, LC_CELL_TEXT},
    {"file", NULL, LC_CELL_TEXT},
    {"line", NULL, LC_CELL_COUNT},
    {"module", NULL, LC_CELL_TEXT},
};

typedef struct
{
  Show *show;
  LcRows *rows;
  guint64 n;
} Events;

const char *
lc_critical_part_name (LcCriticalPart part, LcFormat format)
{
  static const char *const names[] = {"computing", "event", "hop"}; /* in the order of LcCriticalPart */
  static const char *const for_people[] = {N_ ("between events"), N_ ("in"), N_ ("to")};

  return format == LC_FORMAT_TEXT ? _ (for_people[part]) : names[part];
}

static void
critical_path_add_nothings (LcRows *rows, guint n)
{
  for (guint i = 0; i < n; i++)
    lc_rows_add_nothing (rows);
}

static void
critical_path_add_object (const Events *events, const LcHistoryEvent *event)
{
  if (event->object != LC_TRACE_NONE)
    lc_rows_add_count (events->rows, event->object);
  else
    lc_rows_add_nothing (events->rows);
  lc_rows_add_text (events->rows, lc_names_object (events->show->names, event->object));
  if (event->flags & LC_TRACE_EVENT_SEQUENCE)
    lc_rows_add_integer (events->rows, event->sequence);
  else
    lc_rows_add_nothing (events->rows);
}

static gboolean
critical_path_add_segment (const LcCriticalSegment *segment, gpointer data)
{
  Events *events = data;
  const LcHistoryEvent *event = segment->event;
  LcRows *rows = events->rows;

  if (events->n++ >= events->show->limit)
    return events->show->format == LC_FORMAT_TEXT; /* text tells how many more there are, so they must be counted */
  lc_rows_add_text (rows, lc_critical_part_name (segment->part, events->show->format));
  lc_rows_add_count (rows, segment->begin);
  lc_rows_add_count (rows, segment->end);
  lc_rows_add_count (rows, segment->end - segment->begin);
  lc_rows_add_count (rows, segment->process);
  lc_rows_add_text (rows, lc_names_process (events->show->names, segment->process));
  if (event == NULL)
    {
      critical_path_add_nothings (rows, 15);
      return TRUE;
    }
  lc_rows_add_count (rows, event->ordinal);
  lc_rows_add_text (rows, lc_names_operation (events->show->names, event->operation));
  critical_path_add_object (events, event);
  lc_rows_add_count (rows, event->begin);
  lc_rows_add_count (rows, event->end);
  lc_rows_add_count (rows, event->waited);
  if (segment->part == LC_CRITICAL_HOP)
    {
      lc_rows_add_count (rows, segment->stay->from_process);
      lc_rows_add_count (rows, segment->stay->from_ordinal);
    }
  else
    critical_path_add_nothings (rows, 2);
  lc_sites_add_own (rows, events->show->history, event->stack);
  return TRUE;
}

static gboolean
show_events (Show *show, GError **error)
{
  Events events = {show, NULL, 0};
  gboolean good;

  events.rows = lc_rows_begin (show->format, event_columns, G_N_ELEMENTS (event_columns), &show->json, "event");
  good = lc_critical_path_visit (show->path, critical_path_add_segment, &events, NULL, error);
  lc_rows_end (events.rows, events.n - MIN (events.n, show->limit));
  return good;
}

/* --- Sites ---------------------------------------------------------------------------------------------------- */

static const LcRowsColumn piece_columns[] = {
    {"part", N_ ("Part"), LC_CELL_TEXT},
    {"from_site", N_ ("From"), LC_CELL_TEXT},
    {"from_function", NULL, LC_CELL_TEXT},
    {"from_file", NULL, LC_CELL_TEXT},
    {"from_line", NULL, LC_CELL_COUNT},
    {"from_module", NULL, LC_CELL_TEXT},
    {"to_site", N_ ("To"), LC_CELL_TEXT},
    {"to_function", NULL, LC_CELL_TEXT},
    {"to_file", NULL, LC_CELL_TEXT},
    {"to_line", NULL, LC_CELL_COUNT},
    {"to_module", NULL, LC_CELL_TEXT},
    {"process", NULL, LC_CELL_COUNT},
    {"process_name", N_ ("On"), LC_CELL_TEXT},
    {"time", N_ ("Time"), LC_CELL_TIME},
    {"percent", N_ ("Share"), LC_CELL_PERCENT},
    {"visits", N_ ("Times"), LC_CELL_COUNT},
};

static void
critical_path_add_piece (const Show *show, LcRows *rows, const LcSiteGroups *groups, const LcCriticalSites *piece)
{
  lc_rows_add_text (rows, lc_critical_part_name (piece->part, show->format));
  lc_sites_add_group (rows, groups, piece->from);
  lc_sites_add_group (rows, groups, piece->to);
  lc_rows_add_count (rows, piece->process);
  lc_rows_add_text (rows, lc_names_process (show->names, piece->process));
  lc_rows_add_count (rows, piece->time);
  lc_rows_add_percent (rows, piece->time, show->summary->end - show->summary->begin);
  lc_rows_add_count (rows, piece->visits);
}

static gboolean
critical_path_show_pieces (Show *show, GError **error)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (show->history, show->asked->by);
  g_autoptr (GArray) all = NULL;
  guint shown;
  LcRows *rows;

  lc_site_groups_skip (groups, show->asked->skip);
  all = lc_critical_path_sites (show->path, show->history, show->asked->timeline, groups, NULL, error);
  if (all == NULL)
    return FALSE;
  shown = (guint)MIN (all->len, show->limit);
  if (lc_history_get_n_stacks (show->history) == 0)
    lc_sites_tell_none (show->history, show->format);
  if (all->len == 0 && show->format == LC_FORMAT_TEXT)
    return TRUE;
  if (show->format == LC_FORMAT_JSON)
    lc_json_add_string (&show->json, "by", lc_sites_by_names[show->asked->by]);
  rows = lc_rows_begin (show->format, piece_columns, G_N_ELEMENTS (piece_columns), &show->json, "piece");
  for (guint i = 0; i < shown; i++)
    critical_path_add_piece (show, rows, groups, &g_array_index (all, LcCriticalSites, i));
  lc_rows_end (rows, all->len - shown);
  return TRUE;
}

/* --- The whole output --------------------------------------------------------------------------------------------- */

static gboolean
critical_path_show_json (Show *show, GError **error)
{
  g_autofree char *text = NULL;
  gboolean good = TRUE;

  show->json = LC_JSON_INIT ();
  lc_json_begin_object (&show->json, NULL);
  add_summary_json (show);
  for (LcCriticalShareKind kind = 0; kind < LC_CRITICAL_SHARES; kind++)
    critical_path_show_shares (show, kind);
  if (show->asked->sites)
    good = critical_path_show_pieces (show, error);
  if (good && show->asked->events)
    good = show_events (show, error);
  lc_json_end_object (&show->json);
  text = lc_json_finish (&show->json);
  if (good)
    lc_output_write (text, -1);
  return good;
}

gboolean
lc_critical_path_show (LcCriticalPath *path, LcHistory *history, const LcCriticalPathAsked *asked, GError **error)
{
  g_autoptr (LcNames) names = lc_names_new (history);
  Show show = {.path = path,
               .history = history,
               .names = names,
               .asked = asked,
               .summary = lc_critical_path_get_summary (path),
               .timeline = asked->timeline_name,
               .format = asked->format,
               .limit = asked->limit};

  if (asked->format == LC_FORMAT_JSON)
    return critical_path_show_json (&show, error);
  if (asked->format == LC_FORMAT_TEXT)
    critical_path_print_summary (&show);
  else
    lc_lost_complain (history);
  if (asked->sites)
    return critical_path_show_pieces (&show, error);
  if (asked->events)
    return show_events (&show, error);
  if (asked->format == LC_FORMAT_CSV)
    show_shares_csv (&show);
  else
    for (LcCriticalShareKind kind = 0; kind < LC_CRITICAL_SHARES; kind++)
      critical_path_show_shares (&show, kind);
  return TRUE;
}
