/* SPDX-License-Identifier: Apache-2.0 */
/* The text of `lightcone info` for people. */
#include <glib/gi18n.h>

#include "report/clock-line.h"
#include "analysis/json-value.h"
#include "report/format.h"
#include "history/wrong-times.h"
#include "info.h"
#include "lightcone/what-if.h"
#include "trace/futex-trouble.h"
#include "trace/gaps.h"
#include "trace/loss.h"

enum
{
  MOST_PROCESSES = 200, /* that are listed, but for those that stand out */
};

static const char *
describe_state (const LcInfo *info)
{
  gboolean complete = lc_info_is_complete (info);

  switch (info->state)
    {
    case LC_RECOVER_BUSY:
      return _ ("being recorded");
    case LC_RECOVER_DONE:
      return complete ? _ ("complete, closed afterwards") : _ ("not complete: events were lost; closed afterwards");
    case LC_RECOVER_FAILED:
      return _ ("never closed");
    case LC_RECOVER_NOT_NEEDED:
    default:
      return complete ? _ ("complete") : _ ("not complete: events were lost");
    }
}

static char *
describe_clock (const LcInfo *info)
{
  g_autofree char *name = lc_info_dup_setting (info, "clock");

  if (g_strcmp0 (name, "tsc") != 0)
    return name != NULL ? g_steal_pointer (&name) : NULL;
  return g_strdup_printf (_ ("tsc, %.6g MHz"), (double)lc_trace_get_frequency (info->trace) / 1e6);
}

static char *
describe_waiting (const LcInfo *info)
{
  g_autofree char *waiting = lc_format_duration (info->waiting);

  if (info->parallelism == NULL || info->all.events == 0)
    return NULL;
  return g_strdup_printf (_ ("%s, %.1f %% of the time of all processes"), waiting,
                          info->alive > 0 ? 100.0 * (double)info->waiting / (double)info->alive : 0.0);
}

static void
info_text_take_state (GString *text, guint64 time, char *what)
{
  if (time > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", what);
  g_free (what);
}

/* Gives "3 ms woken but not yet going on, 1 ms ready without a processor, 2 ms outside of the program", or NULL. */
static char *
describe_states (const LcInfo *info)
{
  g_autofree char *woken = lc_format_duration (info->woken), *preempted = lc_format_duration (info->preempted);
  g_autofree char *outside = lc_format_duration (info->outside);
  GString *text = g_string_new (NULL);

  info_text_take_state (text, info->woken, g_strdup_printf (_ ("%s woken but not yet going on"), woken));
  info_text_take_state (text, info->preempted, g_strdup_printf (_ ("%s ready without a processor"), preempted));
  info_text_take_state (text, info->outside, g_strdup_printf (_ ("%s outside of the program"), outside));
  return g_string_free (text, text->len == 0);
}

/* Gives "118 waits or more, 19.2 ms of 22.1 ms blocked; the program uses libgomp", or NULL. */
static char *
describe_unseen (const LcInfo *info)
{
  const char *library = lc_unseen_get_library (info->trace);
  g_autofree char *waits = NULL, *time = NULL, *blocked = NULL, *text = NULL;
  LcUnseen unseen;

  if (!lc_info_find_unseen (info, &unseen) || unseen.time == 0)
    return NULL;
  waits = lc_format_count (unseen.waits);
  time = lc_format_duration (unseen.time);
  blocked = lc_format_duration (unseen.blocked);
  if (unseen.waits == 0)
    text = g_strdup_printf (_ ("%s of %s blocked"), time, blocked);
  else
    text = g_strdup_printf (
        ngettext ("%s wait or more, %s of %s blocked", "%s waits or more, %s of %s blocked", unseen.waits), waits, time,
        blocked);
  if (library == NULL)
    return g_steal_pointer (&text);
  return g_strdup_printf (_ ("%s; the program uses %s"), text, library);
}

/* Tells whether all futexes were asked for, and seen. NULL: only those of the C library were. */
static char *
describe_futexes (const LcInfo *info)
{
  g_autofree char *which = lc_info_dup_setting (info, "futex"), *trouble = lc_info_dup_setting (info, "futex_trouble");

  if (g_strcmp0 (which, "all") != 0)
    return NULL;
  if (trouble == NULL)
    return g_strdup (_ ("all, also without the C library"));
  return g_strdup_printf (_ ("not all: %s"), lc_futex_trouble_why (trouble));
}

/* Gives "8 recorded, 3.1 ms preempted, 400 ms blocked", or why not; NULL: nobody tried. */
static char *
describe_switches (const LcInfo *info)
{
  const LcInfoSwitches *switches = &info->switches;
  g_autofree char *reason = lc_info_dup_no_switches (info), *count = lc_format_count (switches->absences);
  g_autofree char *preempted = lc_format_duration (switches->preempted), *text = NULL;
  g_autofree char *blocked = lc_format_duration (switches->blocked);

  if (switches->processes == 0)
    return reason != NULL ? g_strdup_printf (_ ("not recorded (%s)"), reason) : NULL;
  text = g_strdup_printf (_ ("%s recorded, %s preempted, %s blocked"), count, preempted, blocked);
  if (switches->processes == lc_trace_get_n_processes (info->trace))
    return g_steal_pointer (&text);
  return g_strdup_printf (ngettext ("%s; of %u process only", "%s; of %u processes only", switches->processes), text,
                          switches->processes);
}

static char *
describe_parallelism (const LcInfo *info)
{
  if (info->parallelism == NULL || info->all.events == 0)
    return NULL;
  return g_strdup_printf (_ ("%.2f processes running on average, at most %u"), info->parallelism->average,
                          info->parallelism->highest);
}

/* Gives "openmpi, 4 ranks on 2 hosts, mesh:2x2, clocks aligned", or NULL. */
static char *
describe_mpi (const LcInfo *info)
{
  g_autofree char *name = lc_info_dup_setting (info, "mpi"), *topology = lc_info_dup_topology (info);
  GString *text;

  if (info->ranks == 0)
    return NULL;
  text = g_string_new (name);
  if (name != NULL)
    g_string_append (text, ", ");
  g_string_append_printf (text, ngettext ("%u rank", "%u ranks", info->ranks), info->ranks);
  if (info->hosts > 0)
    g_string_append_printf (text, ngettext (" on %u host", " on %u hosts", info->hosts), info->hosts);
  if (topology != NULL)
    g_string_append_printf (text, ", %s", topology);
  if (info->hosts > 1)
    g_string_append (text, info->unaligned ? _ (", clocks not aligned") : _ (", clocks aligned"));
  return g_string_free (text, FALSE);
}

/* Adds a line, unless its value is NULL. */
static void
info_text_take_line (LcTable *table, const char *label, char *value)
{
  if (value == NULL)
    return;
  lc_table_take (table, g_strdup (label));
  lc_table_take (table, value);
}

static void
append_table (GString *text, const LcTable *table)
{
  g_autofree char *lines = lc_table_render (table, 2);

  g_string_append_printf (text, "\n%s", lines);
}

/* Adds a line for each host whose clock was corrected. */
static void
take_clocks (LcTable *table, const LcInfo *info)
{
  g_autoptr (GArray) hosts = lc_clocks_list (info->path);

  for (guint i = 0; i < hosts->len; i++)
    {
      const LcHostCorrection *host = &g_array_index (hosts, LcHostCorrection, i);
      g_autofree char *label = g_strdup_printf (_ ("Clock of %s"), host->host);

      info_text_take_line (table, label, lc_clock_line (host));
    }
}

static char *
describe_strangers (const LcInfo *info)
{
  guint strangers = lc_info_get_strangers (info);

  if (strangers == 0)
    return NULL;
  return g_strdup_printf (
      ngettext ("%u program that ran as another user", "%u programs that ran as another user", strangers), strangers);
}

static void
take_gaps (LcTable *table, const LcInfo *info)
{
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (LcTraceGap));
  gsize n_gaps;
  const LcTraceGap *all = lc_trace_get_gaps (info->trace, &n_gaps);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_array_append_vals (gaps, all, (guint)n_gaps);
  text = lc_gaps_describe (gaps, "\n");
  lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    info_text_take_line (table, i == 0 ? _ ("Gaps") : "", g_strdup (lines[i]));
}

/* Gives "12 sites, 30 stacks", or NULL. */
static char *
describe_sites (const LcInfo *info)
{
  g_autofree char *sites = NULL, *stacks = NULL;

  if (info->stacks == 0)
    return NULL;
  sites = lc_format_count (info->sites);
  stacks = lc_format_count (info->stacks);
  return g_strdup_printf (_ ("%s sites, %s stacks"), sites, stacks);
}

static void
append_summary (GString *text, const LcInfo *info)
{
  static const LcTableColumn columns[] = {{NULL, FALSE}, {NULL, FALSE}};
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));
  g_autofree char *lost = lc_format_count (info->lost.n), *reasons = lc_lost_reasons (info->lost.by_reason);

  info_text_take_line (table, _ ("Title"), lc_info_dup_setting (info, "title"));
  info_text_take_line (table, _ ("Command"), lc_info_dup_setting (info, "command"));
  info_text_take_line (table, _ ("Started"), lc_info_dup_setting (info, "started"));
  info_text_take_line (table, _ ("Status"), lc_info_dup_setting (info, "status"));
  info_text_take_line (table, _ ("MPI"), describe_mpi (info));
  info_text_take_line (table, _ ("Duration"), lc_format_duration (info->all.end - info->all.begin));
  info_text_take_line (table, _ ("Wrong times"), lc_wrong_times_describe (info->wrong_times));
  info_text_take_line (table, _ ("Waiting"), describe_waiting (info));
  info_text_take_line (table, _ ("Not running"), describe_states (info));
  info_text_take_line (table, _ ("Unseen"), describe_unseen (info));
  info_text_take_line (table, _ ("Futexes"), describe_futexes (info));
  info_text_take_line (table, _ ("Switches"), describe_switches (info));
  info_text_take_line (table, _ ("Parallelism"), describe_parallelism (info));
  info_text_take_line (table, _ ("State"), g_strdup (describe_state (info)));
  info_text_take_line (table, _ ("Clock"), describe_clock (info));
  take_clocks (table, info);
  info_text_take_line (table, _ ("Processes"), lc_format_count (lc_trace_get_n_processes (info->trace)));
  info_text_take_line (table, _ ("Events"), lc_format_count (info->all.events));
  info_text_take_line (table, _ ("Objects"), lc_format_count (lc_trace_get_n_objects (info->trace)));
  info_text_take_line (table, _ ("Source"), describe_sites (info));
  info_text_take_line (table, _ ("Lost"), g_strconcat (lost, reasons, NULL));
  take_gaps (table, info);
  info_text_take_line (table, _ ("Not recorded"), describe_strangers (info));
  if (info->problems > 0)
    info_text_take_line (table, _ ("Problems"), lc_format_count (info->problems));
  append_table (text, table);
}

static const char *
describe_end (const LcTraceProcess *process)
{
  switch (process->state)
    {
    case LC_STATE_ENDED:
      return _ ("ended");
    case LC_STATE_CUT:
      return _ ("cut");
    case LC_STATE_RUNNING:
    default:
      return _ ("open");
    }
}

/* Gives "waiting for lock of mutex 3 since 1.25 s", or NULL. */
static char *
describe_pending (const LcInfo *info, const LcTracePending *pending)
{
  g_autofree char *since = lc_format_moment (pending->begin, info->all.end - info->all.begin), *object = NULL;
  const LcTraceOperation *operation;

  if (pending->operation == LC_TRACE_NONE)
    return NULL;
  operation = lc_trace_get_operation (info->trace, pending->operation);
  if (operation == NULL)
    return NULL;
  if (pending->object == LC_TRACE_NONE)
    return g_strdup_printf (_ ("waiting for %s since %s"), operation->name, since);
  object = lc_trace_dup_object_name (info->trace, pending->object);
  return g_strdup_printf (_ ("waiting for %s of %s since %s"), operation->name, object, since);
}

static char *
number_or_nothing (guint64 number)
{
  return number > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT, number) : NULL;
}

/* Whether there is more to say of it than where it was. */
static gboolean
info_text_is_special (const LcTraceProcess *process)
{
  return process->n_lost > 0 || process->state != LC_STATE_ENDED || process->pending.operation != LC_TRACE_NONE;
}

/* Of many processes the first are listed, and those that stand out. Gives how many are not. */
static void
info_text_add_more (GString *text, guint32 left)
{
  g_autofree char *count = lc_format_count (left);

  if (left > 0)
    g_string_append_printf (text, _ ("  ... and %s more, which have ended and lost nothing (--json tells of all)\n"),
                            count);
}

static void
append_processes (GString *text, const LcInfo *info)
{
  static const LcTableColumn columns[] = {
      {N_ ("No."), TRUE},   {N_ ("Process"), FALSE}, {N_ ("PID"), TRUE},      {N_ ("Thread"), TRUE},
      {N_ ("Host"), FALSE}, {N_ ("Events"), TRUE},   {N_ ("Begin"), TRUE},    {N_ ("End"), TRUE},
      {N_ ("Lost"), TRUE},  {N_ ("State"), FALSE},   {N_ ("Pending"), FALSE},
  };
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));
  const guint32 n = lc_trace_get_n_processes (info->trace);
  guint32 left = 0;

  for (guint32 i = 0; i < n; i++)
    {
      const LcTraceProcess *process = lc_trace_get_process (info->trace, i);
      const LcInfoEvents *events = &info->processes[i];
      guint64 span = info->all.end - info->all.begin;

      if (i >= MOST_PROCESSES && !info_text_is_special (process))
        {
          left++;
          continue;
        }
      lc_table_take (table, g_strdup_printf ("%u", process->number));
      lc_table_take (table, g_strdup (process->name));
      lc_table_take (table, number_or_nothing (process->pid));
      lc_table_take (table, number_or_nothing (process->thread));
      lc_table_take (table, g_strdup (process->host));
      lc_table_take (table, lc_format_count (events->events));
      lc_table_take (table, events->events > 0 ? lc_format_moment (events->begin, span) : NULL);
      lc_table_take (table, events->events > 0 ? lc_format_moment (events->end, span) : NULL);
      lc_table_take (table, process->n_lost > 0 ? lc_format_count (process->n_lost) : NULL);
      lc_table_take (table, g_strdup (describe_end (process)));
      lc_table_take (table, describe_pending (info, &process->pending));
    }
  append_table (text, table);
  info_text_add_more (text, left);
}

static void
append_operations (GString *text, const LcInfo *info)
{
  static const LcTableColumn columns[] = {{N_ ("Operation"), FALSE}, {N_ ("Class"), FALSE}, {N_ ("Events"), TRUE}};
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));

  for (guint32 i = 0; i < lc_trace_get_n_operations (info->trace); i++)
    {
      const LcTraceOperation *operation = lc_trace_get_operation (info->trace, i);

      if (operation == NULL || info->operations[i] == 0)
        continue;
      lc_table_take (table, g_strdup (operation->name));
      lc_table_take (table, g_strdup (operation->class_name));
      lc_table_take (table, lc_format_count (info->operations[i]));
    }
  append_table (text, table);
}

static void
append_classes (GString *text, const LcInfo *info)
{
  static const LcTableColumn columns[] = {{N_ ("Class"), FALSE}, {N_ ("Objects"), TRUE}};
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < info->classes->len; i++)
    {
      const LcInfoCount *class = &g_array_index (info->classes, LcInfoCount, i);

      lc_table_take (table, g_strdup (class->name != NULL ? class->name : _ ("not known")));
      lc_table_take (table, lc_format_count (class->count));
    }
  append_table (text, table);
}

/* Tells why not to believe a timeline, as it was found when it was made. */
static void
append_timeline_warnings (GString *text, const LcHistoryTimeline *timeline)
{
  gsize offset;
  g_autoptr (LcJsonValue) parameters = lc_json_value_parse (timeline->parameters, &offset);
  const LcJsonValue *warnings = parameters != NULL ? lc_json_value_get (parameters, "warnings", LC_JSON_ARRAY) : NULL;

  for (guint i = 0; warnings != NULL && i < warnings->members->len; i++)
    {
      const LcJsonValue *warning = warnings->members->pdata[i];
      g_autofree char *name = lc_format_text (timeline->name), *printable = NULL;

      if (warning->type != LC_JSON_STRING)
        continue;
      printable = lc_format_text (warning->string);
      g_string_append_printf (text, _ ("Timeline %s: %s\n"), name, printable);
    }
}

/* NULL: the timeline is no what-if. */
static char *
info_text_format_question (const LcHistoryTimeline *timeline)
{
  g_autofree char *question = lc_what_if_dup_question (timeline);

  return question != NULL ? lc_format_text (question) : NULL;
}

/* Lists the timelines other than the measured one. */
static void
append_timelines (GString *text, const LcInfo *info)
{
  static const LcTableColumn columns[] = {
      {N_ ("Timeline"), FALSE}, {N_ ("What if"), FALSE}, {N_ ("Model"), FALSE}, {N_ ("Order"), FALSE}};
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < info->timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = info->timelines->pdata[i];

      if (timeline->id == LC_TIMELINE_MEASURED)
        continue;
      lc_table_take (table, g_strdup (timeline->name));
      lc_table_take (table, info_text_format_question (timeline));
      lc_table_take (table, g_strdup (timeline->model));
      lc_table_take (table, timeline->own ? g_strdup (_ ("decided again")) : NULL);
    }
  append_table (text, table);
  for (guint i = 0; i < info->timelines->len; i++)
    {
      const LcHistoryTimeline *timeline = info->timelines->pdata[i];

      if (timeline->parameters != NULL)
        append_timeline_warnings (text, timeline);
    }
}

/* Lists the modules of which functions or lines are not known. */
static void
append_modules (GString *text, const LcInfo *info)
{
  static const LcTableColumn columns[] = {{N_ ("Module"), FALSE}, {N_ ("What is missing"), FALSE}};
  g_autoptr (LcTable) table = lc_table_new (columns, G_N_ELEMENTS (columns));
  guint n = 0;

  for (guint i = 0; i < info->modules->len; i++)
    {
      const LcHistoryModule *module = info->modules->pdata[i];

      if (module->problem == NULL)
        continue;
      lc_table_take (table, lc_format_text (module->path));
      lc_table_take (table, lc_format_text (module->problem));
      n++;
    }
  if (n > 0)
    append_table (text, table);
}

char *
lc_info_to_text (const LcInfo *info)
{
  g_autofree char *name = g_filename_display_name (info->path), *title = lc_format_text (name);
  GString *text = g_string_new (title);

  g_string_append_c (text, '\n');
  append_summary (text, info);
  if (lc_trace_get_n_processes (info->trace) > 0)
    append_processes (text, info);
  if (info->all.events > 0)
    append_operations (text, info);
  if (info->classes->len > 0)
    append_classes (text, info);
  if (info->timelines != NULL && info->timelines->len > 1)
    append_timelines (text, info);
  if (info->modules != NULL)
    append_modules (text, info);
  return g_string_free (text, FALSE);
}
