/* SPDX-License-Identifier: Apache-2.0 */
/* Makes words of what a history knows to be wrong: damage, lost events, unmatched events, deadlocks, unseen waiting. */
#include "report/findings-private.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>

#include "report/clock-line.h"
#include "report/sites.h"
#include "trace/gaps.h"
#include "trace/loss.h"
#include "trace/quantities.h"

static void
finding_free (gpointer data)
{
  LcFinding *finding = data;

  g_free (finding->title);
  g_free (finding->detail);
  g_free (finding->place);
  g_free (finding->line);
  g_free (finding->deadlock);
  g_free (finding);
}

void
lc_findings_free (LcFindings *findings)
{
  if (findings == NULL)
    return;
  lc_names_free (findings->names);
  g_free (findings->directory);
  g_clear_pointer (&findings->problems, g_ptr_array_unref);
  lc_deadlocks_free (findings->deadlocks);
  g_ptr_array_unref (findings->list);
  g_free (findings);
}

LcFinding *
lc_findings_add (LcFindings *findings, LcTraceSeverity severity, guint64 count, char *title, char *detail)
{
  const LcFinding added = {
      .severity = severity, .count = count, .process = LC_TRACE_NONE, .title = title, .detail = detail};
  LcFinding *finding = g_memdup2 (&added, sizeof added);

  *(severity != LC_TRACE_NOTE ? &findings->n_wrong : &findings->n_notes) += count;
  g_ptr_array_add (findings->list, finding);
  return finding;
}

/* --- Names ------------------------------------------------------------------------------------------------------- */

char *
lc_findings_dup_process (const LcFindings *findings, guint32 process)
{
  return lc_format_text (lc_names_process (findings->names, process));
}

char *
lc_findings_dup_object (const LcFindings *findings, guint32 object)
{
  return object == LC_TRACE_NONE ? g_strdup ("?") : lc_format_text (lc_names_object (findings->names, object));
}

/* Gives "lock queue #8". */
char *
lc_findings_dup_title (const LcFindings *findings, const char *operation, guint32 object, gboolean has_sequence,
                       gint64 sequence)
{
  g_autofree char *of = lc_findings_dup_object (findings, object);
  g_autofree char *what = lc_format_text (operation != NULL ? operation : "?");
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, sequence);

  return has_sequence ? g_strdup_printf ("%s %s #%s", what, of, number) : g_strdup_printf ("%s %s", what, of);
}

guint32
lc_findings_find_stack (const LcFindings *findings, guint32 process, guint64 ordinal)
{
  LcHistoryEvent event;

  return lc_history_get_event (findings->history, LC_TIMELINE_MEASURED, process, ordinal, &event, NULL) ? event.stack
                                                                                                        : LC_TRACE_NONE;
}

/* Gives "17 in put() pipe.cpp:7", or "17". */
char *
lc_findings_name_event (const LcFindings *findings, guint32 process, guint64 ordinal)
{
  g_autofree char *where = lc_sites_describe (findings->history, lc_findings_find_stack (findings, process, ordinal));

  return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", ordinal, where);
}

char *
lc_findings_dup_place (const LcFindings *findings, guint32 stack)
{
  const LcHistorySite *site = lc_history_get_own_site (findings->history, stack);
  g_autofree char *text = site != NULL ? lc_history_dup_site_text (site) : NULL;

  return text != NULL ? lc_format_text (text) : NULL;
}

/* --- Where findings lead ----------------------------------------------------------------------------------------- */

void
lc_finding_lead_to_end (LcFinding *finding, const LcFindings *findings, guint32 process)
{
  guint64 events = lc_history_get_process (findings->history, process)->events;

  if (events == 0)
    return;
  finding->process = process;
  finding->ordinal = events - 1;
}

/* Makes the finding one of an event: "worker 1, event 7 in put() pipe.cpp:7: lock queue #8, SENTENCE". */
static void
finding_set_event (LcFinding *finding, const LcFindings *findings, const LcHistoryProblem *problem,
                   const char *sentence)
{
  g_autofree char *process = lc_findings_dup_process (findings, problem->process);
  g_autofree char *event = lc_findings_name_event (findings, problem->process, problem->ordinal);
  g_autofree char *ordinal = lc_format_count (problem->ordinal);
  GString *line = g_string_new (problem->severity == LC_TRACE_NOTE ? _ ("note: ") : NULL);

  finding->process = problem->process;
  finding->ordinal = problem->ordinal;
  finding->place =
      lc_findings_dup_place (findings, lc_findings_find_stack (findings, problem->process, problem->ordinal));
  finding->detail = g_strdup_printf (_ ("%s, event %s: %s"), process, ordinal, sentence);
  g_string_append_printf (line, _ ("%s, event %s: %s, %s"), process, event, finding->title, sentence);
  if (problem->count > 1)
    {
      g_autofree char *count = lc_format_count (problem->count);

      g_string_append_printf (line, _ ("; %s times"), count);
    }
  finding->line = g_string_free (line, FALSE);
}

/* --- Files ------------------------------------------------------------------------------------------------------- */

static guint32
findings_find_process_of (const LcFindings *findings, const char *file)
{
  for (guint32 i = 0; i < lc_history_get_n_processes (findings->history); i++)
    if (g_strcmp0 (lc_history_get_process (findings->history, i)->file, file) == 0)
      return i;
  return LC_TRACE_NONE;
}

static void
findings_add_file (LcFindings *findings, const LcHistoryProblem *problem)
{
  guint32 process = findings_find_process_of (findings, problem->file);
  g_autofree char *file = lc_format_text (problem->file),
                  *where = g_strdup_printf ("%" G_GUINT64_FORMAT, problem->where);
  g_autofree char *found = problem->detail != NULL ? lc_format_text (problem->detail) : NULL;
  GString *line = g_string_new (problem->severity == LC_TRACE_NOTE ? _ ("note: ") : NULL);
  LcFinding *finding = lc_findings_add (
      findings, problem->severity, problem->count,
      found != NULL ? g_strdup_printf ("%s: %s", problem->description, found) : g_strdup (problem->description),
      !problem->has_place ? g_strdup (file)
                          : g_strdup_printf (problem->is_line ? _ ("%s, line %s") : _ ("%s, byte %s"), file, where));

  g_string_append_printf (line, "%s: %s", file, problem->description);
  if (problem->has_place)
    g_string_append_printf (line, problem->is_line ? _ (" (line %s)") : _ (" (byte %s)"), where);
  if (found != NULL)
    g_string_append_printf (line, ": %s", found);
  if (problem->count > 1)
    {
      g_autofree char *count = lc_format_count (problem->count);

      g_string_append_printf (line, _ ("; %s times"), count);
    }
  finding->line = g_string_free (line, FALSE);
  if (process != LC_TRACE_NONE)
    lc_finding_lead_to_end (finding, findings, process);
}

/* --- Lost events ------------------------------------------------------------------------------------------------- */

static LcFinding *
findings_add_loss (LcFindings *findings, guint64 lost, char *whose)
{
  g_autofree char *count = lc_format_count (lost);

  return lc_findings_add (findings, LC_TRACE_FAULT, 1,
                          g_strdup_printf (ngettext ("%s event was lost", "%s events were lost", lost), count), whose);
}

static char *
findings_describe_lost (const LcTraceLost *lost)
{
  g_autofree char *all = lc_lost_describe (lost), *apart = lc_format_count (lost->apart);

  return lost->apart == 0 ? g_steal_pointer (&all)
                          : g_strdup_printf (_ ("%s; %s of them of processes that are not known"), all, apart);
}

/* A line tells all of them with their reasons; there is a row for each process, and one for processes that were not
 * recorded at all. */
static void
findings_add_lost (LcFindings *findings)
{
  guint before = findings->list->len;
  LcTraceLost lost;

  lc_history_get_lost (findings->history, &lost);
  for (guint32 i = 0; i < lc_history_get_n_processes (findings->history); i++)
    {
      guint64 n = lc_history_get_process (findings->history, i)->lost;

      if (n > 0)
        lc_finding_lead_to_end (findings_add_loss (findings, n, lc_findings_dup_process (findings, i)), findings, i);
    }
  if (lost.apart > 0 || (lost.n > 0 && findings->list->len == before))
    findings_add_loss (findings, lost.apart > 0 ? lost.apart : lost.n,
                       g_strdup (_ ("of processes that are not known")));
  if (findings->list->len > before)
    ((LcFinding *)findings->list->pdata[before])->line = findings_describe_lost (&lost);
}

/* --- Events ------------------------------------------------------------------------------------------------------ */

/* A process that was killed in the operation that another one waits for, or that hangs in it, explains the missing
 * event. */
static void
findings_tell_ended_in (const LcFindings *findings, GString *text, const LcHistoryProblem *problem)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint32 i = 0; i < lc_history_get_n_processes (findings->history); i++)
    {
      const LcTracePending *pending = &lc_history_get_process (findings->history, i)->pending;
      g_autofree char *name = NULL, *where = NULL;

      if (pending->operation == LC_TRACE_NONE || pending->object != problem->object ||
          (pending->has_sequence && pending->sequence != problem->wants_sequence) ||
          g_strcmp0 (lc_names_operation (findings->names, pending->operation), problem->wants) != 0)
        continue;
      name = lc_findings_dup_process (findings, i);
      where = lc_sites_describe (findings->history, pending->stack);
      g_string_append_printf (names, "%s%s%s", names->len > 0 ? ", " : "", name, where);
    }
  if (names->len > 0)
    g_string_append_printf (text, _ ("; in it ends what was recorded of %s"), names->str);
}

static char *
findings_describe_unmatched (const LcFindings *findings, const LcHistoryProblem *problem, const char *wants,
                             const char *number)
{
  GString *text = g_string_new (NULL);
  g_autofree char *there = lc_format_count (problem->there), *needed = lc_format_count (problem->needed);

  if (problem->there == 0)
    g_string_append_printf (text, _ ("waits for %s #%s, which is nowhere"), wants, number);
  else
    g_string_append_printf (text, _ ("waits for %s #%s, of which %s of %s are there"), wants, number, there, needed);
  findings_tell_ended_in (findings, text, problem);
  return g_string_free (text, FALSE);
}

static char *
findings_describe_early (const LcFindings *findings, const LcHistoryProblem *problem)
{
  g_autofree char *writer = lc_findings_dup_process (findings, problem->other);
  g_autofree char *event = lc_findings_name_event (findings, problem->other, problem->other_ordinal);

  return g_strdup_printf (_ ("before it is first filled by %s, event %s"), writer, event);
}

/* Says which other operation it is of the member that came first. */
static char *
findings_describe_mismatch (const LcFindings *findings, const LcHistoryProblem *problem, const char *wants)
{
  g_autofree char *first = lc_findings_dup_process (findings, problem->other);
  g_autofree char *event = lc_findings_name_event (findings, problem->other, problem->other_ordinal);

  /* TRANSLATORS: an operation, a process, and an event with its place. */
  return g_strdup_printf (_ ("which is %s for %s (its event %s): all members have to carry out the same"), wants, first,
                          event);
}

/* Says what is wrong with an event, after its name. */
static char *
findings_describe_event (const LcFindings *findings, const LcHistoryProblem *problem)
{
  g_autofree char *wants = lc_format_text (problem->wants != NULL ? problem->wants : "?");
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, problem->wants_sequence);
  g_autofree char *other = problem->other != LC_TRACE_NONE ? lc_findings_dup_process (findings, problem->other) : NULL;

  if (g_str_equal (problem->kind, "unmatched"))
    return findings_describe_unmatched (findings, problem, wants, number);
  if (g_str_equal (problem->kind, "cycle") && other != NULL)
    return g_strdup_printf (_ ("waits for %s #%s of %s, which comes after something that waits too"), wants, number,
                            other);
  if (g_str_equal (problem->kind, "left"))
    return g_strdup_printf (_ ("was taken by nobody: %s #%s is nowhere"), wants, number);
  if (g_str_equal (problem->kind, "early-read") && other != NULL)
    return findings_describe_early (findings, problem);
  if (g_str_equal (problem->kind, "mismatch") && other != NULL)
    return findings_describe_mismatch (findings, problem, wants);
  if (g_str_equal (problem->kind, "backwards"))
    return g_strdup (_ ("ends before what it waited for: the clocks disagree"));
  return g_strdup (problem->description);
}

static void
findings_add_event (LcFindings *findings, const LcHistoryProblem *problem)
{
  g_autofree char *sentence = findings_describe_event (findings, problem);
  char *title =
      lc_findings_dup_title (findings, problem->operation, problem->object, problem->has_sequence, problem->sequence);

  finding_set_event (lc_findings_add (findings, problem->severity, problem->count, title, NULL), findings, problem,
                     sentence);
}

static const char *
findings_name_kind (const LcHistoryProblem *problem)
{
  if (g_str_equal (problem->kind, "unmatched"))
    return _ ("What it waits for is missing");
  if (g_str_equal (problem->kind, "cycle"))
    return _ ("It waits for something that waits for it");
  if (g_str_equal (problem->kind, "backwards"))
    return _ ("It ends before what it waited for: the clocks disagree");
  if (g_str_equal (problem->kind, "left"))
    return _ ("Nobody took what it gave");
  return problem->description;
}

/* Of many problems of a kind only the first are known one by one. A line tells how many more there are. */
static void
findings_add_more (LcFindings *findings)
{
  LcFinding *first = NULL;
  guint64 all = 0;
  g_autofree char *count = NULL;

  for (guint i = 0; i < findings->problems->len; i++)
    {
      const LcHistoryProblem *problem = findings->problems->pdata[i];
      LcFinding *finding;

      if (problem->process != LC_TRACE_NONE || problem->file != NULL)
        continue;
      finding = lc_findings_add (findings, problem->severity, problem->count,
                                 g_strdup_printf (_ ("More: %s"), findings_name_kind (problem)), NULL);
      first = first != NULL ? first : finding;
      all += problem->count;
    }
  count = lc_format_count (all);
  if (first != NULL)
    first->line = g_strdup_printf (_ ("and %s more"), count);
}

/* --- Notes ------------------------------------------------------------------------------------------------------- */

static void
findings_add_note (LcFindings *findings, char *title)
{
  lc_findings_add (findings, LC_TRACE_NOTE, 1, title, NULL)->line = g_strdup_printf (_ ("note: %s"), title);
}

/* Of signals, only those are told that a program brings about itself. */
static void
findings_add_crash (LcFindings *findings)
{
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};
  g_autofree char *status = lc_history_dup_meta (findings->history, "status");

  for (guint i = 0; i < G_N_ELEMENTS (crashes); i++)
    {
      g_autofree char *crash = g_strdup_printf ("signal %d", crashes[i]);

      if (g_strcmp0 (status, crash) != 0)
        continue;
      findings_add_note (findings, g_strdup_printf (_ ("the program crashed: %s (%s)"), crash, strsignal (crashes[i])));
      findings->has_news = TRUE;
    }
}

static void
findings_add_clocks (LcFindings *findings)
{
  g_autoptr (GArray) hosts = lc_clocks_list (findings->directory);

  for (guint i = 0; i < hosts->len; i++)
    {
      const LcHostCorrection *host = &g_array_index (hosts, LcHostCorrection, i);
      g_autofree char *line = lc_clock_line (host), *name = lc_format_text (host->host);

      findings_add_note (findings, g_strdup_printf (_ ("the clock of %s: %s"), name, line));
    }
}

/* What is not there on purpose: with it goes what other events wait for. */
static void
findings_add_gaps (LcFindings *findings)
{
  g_autofree char *described = lc_gaps_describe (lc_history_get_gaps (findings->history), "\n");
  g_auto (GStrv) lines = g_strsplit (described != NULL ? described : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    findings_add_note (findings, g_strdup (lines[i]));
}

/* No fault of the trace: a thread may well sleep, or wait for input. But what is told of it is not all of it. */
static void
findings_add_unseen (LcFindings *findings, const LcHistoryProblem *problem)
{
  const LcHistoryProcess *process = lc_history_get_process (findings->history, problem->process);
  g_autofree char *name = lc_findings_dup_process (findings, problem->process);
  g_autofree char *waits = lc_format_count (process->unseen_waits), *time = lc_format_duration (process->unseen);
  g_autofree char *blocked = lc_format_duration (process->account.blocked);
  g_autofree char *life = lc_format_duration (process->end - process->begin);
  g_autofree char *library =
      problem->detail != NULL ? g_strdup_printf (_ (" (the program uses %s)"), problem->detail) : g_strdup ("");
  LcFinding *finding = lc_findings_add (
      findings, LC_TRACE_NOTE, 1, g_strdup_printf (_ ("%s was blocked for %s of %s"), name, blocked, life),
      g_strdup_printf (ngettext ("no event explains %s of it, in at least %s wait%s",
                                 "no event explains %s of it, in at least %s waits%s", process->unseen_waits),
                       time, waits, library));

  finding->line = g_strdup_printf (_ ("unseen: %s; %s"), finding->title, finding->detail);
  lc_finding_lead_to_end (finding, findings, problem->process);
}

/* --- All --------------------------------------------------------------------------------------------------------- */

/* Adds those of the history's problems of which this is true. */
static void
findings_add_those (LcFindings *findings, gboolean (*is_one) (const LcHistoryProblem *problem),
                    void (*add) (LcFindings *findings, const LcHistoryProblem *problem))
{
  for (guint i = 0; i < findings->problems->len; i++)
    if (is_one (findings->problems->pdata[i]))
      add (findings, findings->problems->pdata[i]);
}

/* What was lost is told with its reasons. */
static gboolean
problem_is_of_file (const LcHistoryProblem *problem)
{
  return problem->process == LC_TRACE_NONE && problem->file != NULL && strcmp (problem->kind, "events-lost") != 0;
}

static gboolean
problem_is_of_event (const LcHistoryProblem *problem)
{
  return problem->has_event && strcmp (problem->kind, "early-read") != 0;
}

static gboolean
problem_is_early_read (const LcHistoryProblem *problem)
{
  return problem->has_event && strcmp (problem->kind, "early-read") == 0;
}

static gboolean
problem_is_of_process (const LcHistoryProblem *problem)
{
  return problem->process != LC_TRACE_NONE && !problem->has_event;
}

LcFindings *
lc_findings_new_empty (LcHistory *history, const char *directory)
{
  LcFindings *findings = g_new0 (LcFindings, 1);

  findings->history = history;
  findings->names = lc_names_new (history);
  findings->directory = g_strdup (directory);
  findings->list = g_ptr_array_new_with_free_func (finding_free);
  return findings;
}

LcFindings *
lc_findings_new (LcHistory *history, const char *directory, GCancellable *cancellable, GError **error)
{
  g_autoptr (LcFindings) findings = lc_findings_new_empty (history, directory);

  findings->problems = lc_history_list_problems (history, error);
  if (findings->problems != NULL)
    findings->deadlocks = lc_deadlocks_find_in_history (history, cancellable, error);
  if (findings->deadlocks == NULL)
    return NULL;
  findings_add_those (findings, problem_is_of_file, findings_add_file);
  findings_add_lost (findings);
  findings_add_those (findings, problem_is_of_event, findings_add_event);
  findings_add_more (findings);
  lc_findings_add_deadlocks (findings);
  lc_findings_add_blocked (findings);
  findings_add_those (findings, problem_is_early_read, findings_add_event);
  findings_add_crash (findings);
  findings_add_clocks (findings);
  findings_add_gaps (findings);
  findings_add_those (findings, problem_is_of_process, findings_add_unseen);
  return g_steal_pointer (&findings);
}

char *
lc_findings_to_text (const LcFindings *findings)
{
  GString *text = g_string_new (NULL);
  gboolean is_told = findings->has_news;

  for (guint i = 0; i < findings->list->len; i++)
    {
      const LcFinding *finding = findings->list->pdata[i];

      if (finding->line != NULL)
        g_string_append_printf (text, "%s\n", finding->line);
    }
  for (guint i = 0; i < findings->problems->len; i++)
    is_told = is_told || problem_is_of_process (findings->problems->pdata[i]);
  if (findings->n_wrong == 0)
    {
      g_autofree char *events = lc_format_count (lc_history_get_n_events (findings->history));
      g_autofree char *arcs = lc_format_count (lc_history_get_n_arcs (findings->history));

      g_string_append_printf (text,
                              is_told ? _ ("nothing else is wrong: %s events, %s arcs\n")
                                      : _ ("nothing is wrong: %s events, %s arcs\n"),
                              events, arcs);
    }
  return g_string_free (text, FALSE);
}
