/* SPDX-License-Identifier: Apache-2.0 */
/* Makes words of what a history knows to be wrong: damage, lost events, unmatched events, deadlocks, unseen waiting. */
#include "report/findings.h"

#include <glib/gi18n.h>
#include <string.h>

#include "report/clock-line.h"
#include "report/sites.h"
#include "trace/gaps.h"
#include "trace/loss.h"
#include "trace/quantities.h"

enum
{
  STUCK_SHOWN = 10, /* of the threads that wait in vain, so many at most have a line */
};

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

/* Adds a finding, and takes ownership of its texts. */
static LcFinding *
findings_add (LcFindings *findings, LcTraceSeverity severity, guint64 count, char *title, char *detail)
{
  const LcFinding added = {
      .severity = severity, .count = count, .process = LC_TRACE_NONE, .title = title, .detail = detail};
  LcFinding *finding = g_memdup2 (&added, sizeof added);

  *(severity != LC_TRACE_NOTE ? &findings->n_wrong : &findings->n_notes) += count;
  g_ptr_array_add (findings->list, finding);
  return finding;
}

/* --- Names ------------------------------------------------------------------------------------------------------- */

static char *
findings_dup_process (const LcFindings *findings, guint32 process)
{
  return lc_format_text (lc_names_process (findings->names, process));
}

static char *
findings_dup_object (const LcFindings *findings, guint32 object)
{
  return object == LC_TRACE_NONE ? g_strdup ("?") : lc_format_text (lc_names_object (findings->names, object));
}

/* Gives "lock queue #8". */
static char *
findings_dup_title (const LcFindings *findings, const char *operation, guint32 object, gboolean has_sequence,
                    gint64 sequence)
{
  g_autofree char *of = findings_dup_object (findings, object);
  g_autofree char *what = lc_format_text (operation != NULL ? operation : "?");
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, sequence);

  return has_sequence ? g_strdup_printf ("%s %s #%s", what, of, number) : g_strdup_printf ("%s %s", what, of);
}

static guint32
findings_find_stack (const LcFindings *findings, guint32 process, guint64 ordinal)
{
  LcHistoryEvent event;

  return lc_history_get_event (findings->history, LC_TIMELINE_MEASURED, process, ordinal, &event, NULL) ? event.stack
                                                                                                        : LC_TRACE_NONE;
}

/* Gives "17 in put() pipe.cpp:7", or "17". */
static char *
findings_name_event (const LcFindings *findings, guint32 process, guint64 ordinal)
{
  g_autofree char *where = lc_sites_describe (findings->history, findings_find_stack (findings, process, ordinal));

  return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", ordinal, where);
}

static char *
findings_dup_place (const LcFindings *findings, guint32 stack)
{
  const LcHistorySite *site = lc_history_get_own_site (findings->history, stack);
  g_autofree char *text = site != NULL ? lc_history_dup_site_text (site) : NULL;

  return text != NULL ? lc_format_text (text) : NULL;
}

/* --- Where findings lead ----------------------------------------------------------------------------------------- */

/* A finding without an event of its own leads to the end of its process. */
static void
finding_lead_to_end (LcFinding *finding, const LcFindings *findings, guint32 process)
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
  g_autofree char *process = findings_dup_process (findings, problem->process);
  g_autofree char *event = findings_name_event (findings, problem->process, problem->ordinal);
  g_autofree char *ordinal = lc_format_count (problem->ordinal);
  GString *line = g_string_new (problem->severity == LC_TRACE_NOTE ? _ ("note: ") : NULL);

  finding->process = problem->process;
  finding->ordinal = problem->ordinal;
  finding->place = findings_dup_place (findings, findings_find_stack (findings, problem->process, problem->ordinal));
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
  LcFinding *finding = findings_add (
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
    finding_lead_to_end (finding, findings, process);
}

/* --- Lost events ------------------------------------------------------------------------------------------------- */

static LcFinding *
findings_add_loss (LcFindings *findings, guint64 lost, char *whose)
{
  g_autofree char *count = lc_format_count (lost);

  return findings_add (findings, LC_TRACE_FAULT, 1,
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
        finding_lead_to_end (findings_add_loss (findings, n, findings_dup_process (findings, i)), findings, i);
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
      name = findings_dup_process (findings, i);
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
  g_autofree char *writer = findings_dup_process (findings, problem->other);
  g_autofree char *event = findings_name_event (findings, problem->other, problem->other_ordinal);

  return g_strdup_printf (_ ("before it is first filled by %s, event %s"), writer, event);
}

/* Says what is wrong with an event, after its name. */
static char *
findings_describe_event (const LcFindings *findings, const LcHistoryProblem *problem)
{
  g_autofree char *wants = lc_format_text (problem->wants != NULL ? problem->wants : "?");
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, problem->wants_sequence);
  g_autofree char *other = problem->other != LC_TRACE_NONE ? findings_dup_process (findings, problem->other) : NULL;

  if (g_str_equal (problem->kind, "unmatched"))
    return findings_describe_unmatched (findings, problem, wants, number);
  if (g_str_equal (problem->kind, "cycle") && other != NULL)
    return g_strdup_printf (_ ("waits for %s #%s of %s, which comes after something that waits too"), wants, number,
                            other);
  if (g_str_equal (problem->kind, "left"))
    return g_strdup_printf (_ ("was taken by nobody: %s #%s is nowhere"), wants, number);
  if (g_str_equal (problem->kind, "early-read") && other != NULL)
    return findings_describe_early (findings, problem);
  if (g_str_equal (problem->kind, "backwards"))
    return g_strdup (_ ("ends before what it waited for: the clocks disagree"));
  return g_strdup (problem->description);
}

static void
findings_add_event (LcFindings *findings, const LcHistoryProblem *problem)
{
  g_autofree char *sentence = findings_describe_event (findings, problem);
  char *title =
      findings_dup_title (findings, problem->operation, problem->object, problem->has_sequence, problem->sequence);

  finding_set_event (findings_add (findings, problem->severity, problem->count, title, NULL), findings, problem,
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
      finding = findings_add (findings, problem->severity, problem->count,
                              g_strdup_printf (_ ("More: %s"), findings_name_kind (problem)), NULL);
      first = first != NULL ? first : finding;
      all += problem->count;
    }
  count = lc_format_count (all);
  if (first != NULL)
    first->line = g_strdup_printf (_ ("and %s more"), count);
}

/* --- Deadlocks and what never ended ------------------------------------------------------------------------------ */

void
lc_circle_wait_describe (const LcCircleWait *wait, GString *text)
{
  g_autofree char *event =
      wait->holder_event != NULL ? g_strdup_printf (_ (" (its event %s)"), wait->holder_event) : g_strdup ("");

  if (wait->reason != LC_BLOCKED_FOR_HOLDER)
    {
      g_string_append_printf (text,
                              wait->reason == LC_BLOCKED_FOR_MESSAGE
                                  ? _ ("  %s waits since %s%s in %s of %s for %s\n")
                                  : _ ("  %s waits since %s%s in %s of %s, to which %s has not come\n"),
                              wait->process, wait->since, wait->where, wait->operation, wait->object, wait->holder);
      return;
    }
  g_string_append_printf (text, _ ("  %s waits since %s%s for %s of %s, which %s holds%s\n"), wait->process,
                          wait->since, wait->where, wait->operation, wait->object, wait->holder, event);
}

static const LcBlocked *
findings_find_blocked (const LcFindings *findings, guint32 process)
{
  for (guint i = 0; i < findings->deadlocks->blocked->len; i++)
    if (g_array_index (findings->deadlocks->blocked, LcBlocked, i).process == process)
      return &g_array_index (findings->deadlocks->blocked, LcBlocked, i);
  return NULL;
}

/* Names the ranks of a circle that have threads which never communicated, but could. */
static void
findings_tell_threads (const LcFindings *findings, const GArray *circle, GString *waits)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < circle->len; i++)
    {
      const LcBlocked *blocked = findings_find_blocked (findings, g_array_index (circle, guint32, i));
      g_autofree char *name = NULL;

      if (blocked == NULL || !blocked->has_threads || blocked->reason == LC_BLOCKED_FOR_HOLDER)
        continue;
      name = findings_dup_process (findings, blocked->process);
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
    }
  if (names->len > 0)
    g_string_append_printf (waits, _ ("  (unless another thread communicates, which none did before: %s)\n"),
                            names->str);
}

/* Appends a line if other processes wait for those of a deadlock. */
static void
findings_tell_others (const LcFindings *findings, const GArray *circle, GString *waits)
{
  guint32 n = lc_deadlocks_count_waiting (findings->deadlocks, circle, lc_history_get_n_processes (findings->history));
  g_autofree char *count = lc_format_count (n);

  if (n > 0)
    g_string_append_printf (
        waits, ngettext ("  %s other process waits for these\n", "  %s other processes wait for these\n", n), count);
}

/* Describes the waits of a circle, a line each. */
static GString *
findings_describe_circle (const LcFindings *findings, const GArray *circle)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < circle->len; i++)
    {
      const LcBlocked *blocked = findings_find_blocked (findings, g_array_index (circle, guint32, i));
      guint32 next = g_array_index (circle, guint32, (i + 1) % circle->len);
      g_autofree char *process = NULL, *since = NULL, *where = NULL, *operation = NULL, *object = NULL, *holder = NULL,
                      *event = NULL;

      if (blocked == NULL)
        continue;
      process = findings_dup_process (findings, blocked->process);
      since = lc_history_dup_moment (findings->history, blocked->pending.begin);
      where = lc_sites_describe (findings->history, blocked->pending.stack);
      operation = lc_format_text (lc_names_operation (findings->names, blocked->pending.operation));
      object = findings_dup_object (findings, blocked->pending.object);
      holder = findings_dup_process (findings, next);
      event = blocked->holder != LC_TRACE_NONE && blocked->reason == LC_BLOCKED_FOR_HOLDER
                  ? findings_name_event (findings, blocked->holder, blocked->holder_ordinal)
                  : NULL;
      lc_circle_wait_describe (
          &(const LcCircleWait){process, since, where, operation, object, holder, event, blocked->reason}, text);
    }
  findings_tell_others (findings, circle, text);
  findings_tell_threads (findings, circle, text);
  return text;
}

/* Names the processes of a deadlock in a few words, for a banner. */
static char *
findings_name_circle (const LcFindings *findings, const GArray *circle)
{
  guint more = circle->len - MIN (circle->len, 2);
  g_autofree char *count = lc_format_count (more), *first = NULL, *second = NULL, *third = NULL;

  first = findings_dup_process (findings, g_array_index (circle, guint32, 0));
  if (circle->len == 1)
    return g_strdup_printf (_ ("Deadlock: %s waits for itself"), first);
  second = findings_dup_process (findings, g_array_index (circle, guint32, 1));
  if (circle->len == 2)
    return g_strdup_printf (_ ("Deadlock: %s and %s"), first, second);
  third = findings_dup_process (findings, g_array_index (circle, guint32, 2));
  if (circle->len == 3)
    return g_strdup_printf (_ ("Deadlock: %s, %s and %s"), first, second, third);
  return g_strdup_printf (ngettext ("Deadlock: %s, %s and %s other", "Deadlock: %s, %s and %s others", more), first,
                          second, count);
}

static void
findings_add_circle (LcFindings *findings, const GArray *circle)
{
  g_autoptr (GString) waits = findings_describe_circle (findings, circle);
  g_autofree char *count = lc_format_count (circle->len);
  GString *names = g_string_new (NULL);
  LcFinding *finding = findings_add (
      findings, LC_TRACE_FAULT, 1,
      g_strdup_printf (ngettext ("Deadlock of %s process", "Deadlock of %s processes", circle->len), count), NULL);

  g_strchomp (waits->str);
  finding->line = g_strdup_printf (_ ("deadlock:\n%s"), waits->str);
  for (guint i = 0; i <= circle->len; i++)
    {
      g_autofree char *process = findings_dup_process (findings, g_array_index (circle, guint32, i % circle->len));

      g_string_append_printf (names, "%s%s", i > 0 ? " → " : "", process);
    }
  finding->detail = g_string_free (names, FALSE);
  finding->deadlock = findings_name_circle (findings, circle);
  finding_lead_to_end (finding, findings, g_array_index (circle, guint32, 0));
}

/* Names the process that holds what another one waits for, and its event by which it got it. NULL: nobody does. */
static char *
findings_dup_holder (const LcFindings *findings, const LcBlocked *blocked)
{
  g_autofree char *holder = NULL, *event = NULL, *by = NULL;

  if (blocked->holder == LC_TRACE_NONE)
    return NULL;
  holder = findings_dup_process (findings, blocked->holder);
  event = findings_name_event (findings, blocked->holder, blocked->holder_ordinal);
  by = blocked->reason != LC_BLOCKED_FOR_HOLDER ? g_strdup ("") : g_strdup_printf (_ (" (its event %s)"), event);
  return g_strconcat (holder, by, NULL);
}

/* An event that never ended is a note only, and no line tells it: programs may end while some of their threads wait. */
static void
findings_add_blocked (LcFindings *findings, const LcBlocked *blocked)
{
  const LcTracePending *pending = &blocked->pending;
  g_autofree char *process = findings_dup_process (findings, blocked->process);
  g_autofree char *since = lc_history_dup_moment (findings->history, pending->begin);
  g_autofree char *holder = findings_dup_holder (findings, blocked);
  g_autofree char *operation = findings_dup_title (findings, lc_names_operation (findings->names, pending->operation),
                                                   pending->object, pending->has_sequence, pending->sequence);
  LcFinding *finding =
      findings_add (findings, LC_TRACE_NOTE, 1, g_strdup_printf (_ ("%s never ended"), operation),
                    holder != NULL ? g_strdup_printf (_ ("%s waits since %s for %s"), process, since, holder)
                                   : g_strdup_printf (_ ("%s waits since %s"), process, since));

  finding->place = findings_dup_place (findings, pending->stack);
  finding_lead_to_end (finding, findings, blocked->process);
}

/* Says when a rank came to finalize, which it may have left or not. NULL: it has not come. */
static char *
findings_describe_finalized (const LcFindings *findings, guint32 process, const char *name)
{
  const LcTracePending *pending = &lc_history_get_process (findings->history, process)->pending;

  for (guint i = 0; i < findings->deadlocks->finalized->len; i++)
    {
      const LcFinalized *finalized = &g_array_index (findings->deadlocks->finalized, LcFinalized, i);
      g_autofree char *since = NULL, *where = NULL;
      LcHistoryEvent event = {.begin = pending->begin, .stack = pending->stack};

      if (finalized->process != process ||
          (finalized->has_ended && !lc_history_get_event (findings->history, LC_TIMELINE_MEASURED, process,
                                                          finalized->ordinal, &event, NULL)))
        continue;
      since = lc_history_dup_moment (findings->history, event.begin);
      where = lc_sites_describe (findings->history, event.stack);
      /* TRANSLATORS: a process, a time, and a place in the source or nothing. MPI_Finalize ends all use of MPI. */
      return g_strdup_printf (_ ("%s came to finalize at %s%s"), name, since, where);
    }
  return NULL;
}

/* Says what a process does that others wait for. */
static char *
findings_describe_root (const LcFindings *findings, guint32 process, const LcBlocked *first)
{
  const LcHistoryProcess *of = lc_history_get_process (findings->history, process),
                         *waiting = lc_history_get_process (findings->history, first->process);
  g_autofree char *name = findings_dup_process (findings, process);
  g_autofree char *end = lc_history_dup_moment (findings->history, of->end), *since = NULL, *operation = NULL,
                  *where = NULL, *finalized = findings_describe_finalized (findings, process, name);
  LcHistoryEvent event = {.end = of->begin};

  if (finalized != NULL)
    return g_steal_pointer (&finalized);
  if (of->pending.operation != LC_TRACE_NONE)
    {
      since = lc_history_dup_moment (findings->history, of->pending.begin);
      operation = lc_format_text (lc_names_operation (findings->names, of->pending.operation));
      where = lc_sites_describe (findings->history, of->pending.stack);
      return g_strdup_printf (_ ("%s is in %s since %s%s"), name, operation, since, where);
    }
  if (of->state == LC_STATE_ENDED || (of->is_followed && of->end < waiting->end))
    return g_strdup_printf (_ ("%s ended at %s"), name, end);
  if (of->events > 0)
    lc_history_get_event (findings->history, LC_TIMELINE_MEASURED, process, of->events - 1, &event, NULL);
  since = lc_history_dup_moment (findings->history, event.end);
  where = lc_sites_describe (findings->history,
                             of->events > 0 ? findings_find_stack (findings, process, of->events - 1) : LC_TRACE_NONE);
  return g_strdup_printf (_ ("%s is in no recorded operation since %s%s"), name, since, where);
}

/* Gives "3 processes wait for rank 0 to the end". */
static char *
findings_dup_root_title (const LcFindings *findings, const LcBlockedRoot *root)
{
  g_autofree char *count = lc_format_count (root->n_waiting), *name = findings_dup_process (findings, root->process);

  return root->has_finalized
             ? g_strdup_printf (ngettext ("%s process waits in vain for %s, which has ended its use of MPI",
                                          "%s processes wait in vain for %s, which has ended its use of MPI",
                                          root->n_waiting),
                                count, name)
             : g_strdup_printf (ngettext ("%s process waits for %s to the end", "%s processes wait for %s to the end",
                                          root->n_waiting),
                                count, name);
}

/* Tells whom ranks waited for when the run ended. A run that is ended may be in the midst of its work, so it is a note,
 * unless what they wait for cannot come any more. */
static void
findings_add_root (LcFindings *findings, const LcBlockedRoot *root)
{
  const LcBlocked *first = &g_array_index (findings->deadlocks->blocked, LcBlocked, root->first);
  g_autofree char *does = findings_describe_root (findings, root->process, first);
  g_autofree char *waiting = findings_dup_process (findings, first->process);
  g_autofree char *since = lc_history_dup_moment (findings->history, first->pending.begin);
  g_autofree char *where = lc_sites_describe (findings->history, first->pending.stack);
  g_autofree char *operation =
      findings_dup_title (findings, lc_names_operation (findings->names, first->pending.operation),
                          first->pending.object, first->pending.has_sequence, first->pending.sequence);
  LcFinding *finding =
      findings_add (findings, root->has_finalized ? LC_TRACE_FAULT : LC_TRACE_NOTE, 1,
                    findings_dup_root_title (findings, root),
                    g_strdup_printf (root->n_waiting == 1 ? _ ("%s; %s waits since %s%s in %s")
                                                          : _ ("%s; first of all %s, since %s%s in %s"),
                                     does, waiting, since, where, operation));

  finding->line = g_strdup_printf (_ ("waiting: %s; %s"), finding->title, finding->detail);
  finding->deadlock = root->has_finalized ? g_strdup (finding->title) : NULL;
  finding_lead_to_end (finding, findings, root->process);
}

/* Describes what a thread waits for that cannot come, in a line. */
static void
findings_tell_stuck (const LcFindings *findings, const LcBlocked *blocked, GString *waits)
{
  g_autofree char *process = findings_dup_process (findings, blocked->process);
  g_autofree char *since = lc_history_dup_moment (findings->history, blocked->pending.begin);
  g_autofree char *where = lc_sites_describe (findings->history, blocked->pending.stack);
  g_autofree char *operation = lc_format_text (lc_names_operation (findings->names, blocked->pending.operation));
  g_autofree char *object = findings_dup_object (findings, blocked->pending.object), *holder = NULL, *event = NULL;

  if (blocked->holder == LC_TRACE_NONE ||
      lc_history_get_process (findings->history, blocked->holder)->state != LC_STATE_ENDED)
    {
      g_string_append_printf (waits, _ ("  %s waits since %s%s in %s of %s\n"), process, since, where, operation, object);
      return;
    }
  holder = findings_dup_process (findings, blocked->holder);
  event = findings_name_event (findings, blocked->holder, blocked->holder_ordinal);
  g_string_append_printf (waits, _ ("  %s waits since %s%s in %s of %s, which %s had when it ended (its event %s)\n"),
                          process, since, where, operation, object, holder, event);
}

/* Gives "All 3 threads that were left wait for each other". */
static char *
findings_dup_stuck_title (const LcStuck *stuck)
{
  const guint n = stuck->rows->len;
  g_autofree char *count = lc_format_count (n);

  if (!stuck->is_all)
    return g_strdup_printf (ngettext ("%s thread waits for what one that has ended keeps",
                                      "%s threads wait for what one that has ended keeps", n),
                            count);
  return g_strdup_printf (ngettext ("The only thread that is left waits, and none can wake it",
                                    "All %s threads that are left wait, and none can wake another", n),
                          count);
}

static void
findings_add_stuck (LcFindings *findings, const LcStuck *stuck)
{
  g_autoptr (GString) waits = g_string_new (NULL);
  const guint shown = MIN (stuck->rows->len, STUCK_SHOWN), more = stuck->rows->len - shown;
  g_autofree char *count = lc_format_count (more);
  const LcBlocked *first = NULL;
  LcFinding *finding;

  for (guint i = 0; i < shown; i++)
    {
      const LcBlocked *blocked =
          &g_array_index (findings->deadlocks->blocked, LcBlocked, g_array_index (stuck->rows, guint, i));

      first = first != NULL ? first : blocked;
      findings_tell_stuck (findings, blocked, waits);
    }
  if (more > 0)
    g_string_append_printf (waits, ngettext ("  and %s other\n", "  and %s others\n", more), count);
  if (stuck->may_be_posted)
    g_string_append (waits, _ ("  (unless a signal handler or another program posts the semaphore)\n"));
  g_strchomp (waits->str);
  finding = findings_add (findings, stuck->may_be_posted ? LC_TRACE_NOTE : LC_TRACE_FAULT, 1,
                          findings_dup_stuck_title (stuck), g_strstrip (g_strdup (waits->str)));
  finding->line = g_strdup_printf (_ ("stuck: %s\n%s"), finding->title, waits->str);
  finding->deadlock = g_strdup (finding->title);
  findings->has_waits = TRUE;
  finding_lead_to_end (finding, findings, first->process);
}

static void
findings_add_roots (LcFindings *findings)
{
  g_autoptr (GArray) roots =
      lc_deadlocks_list_roots (findings->deadlocks, lc_history_get_n_processes (findings->history));

  findings->has_waits = findings->has_waits || roots->len > 0;
  for (guint i = 0; i < roots->len; i++)
    findings_add_root (findings, &g_array_index (roots, LcBlockedRoot, i));
}

/* --- Notes ------------------------------------------------------------------------------------------------------- */

static void
findings_add_note (LcFindings *findings, char *title)
{
  findings_add (findings, LC_TRACE_NOTE, 1, title, NULL)->line = g_strdup_printf (_ ("note: %s"), title);
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
  g_autofree char *name = findings_dup_process (findings, problem->process);
  g_autofree char *waits = lc_format_count (process->unseen_waits), *time = lc_format_duration (process->unseen);
  g_autofree char *blocked = lc_format_duration (process->account.blocked);
  g_autofree char *life = lc_format_duration (process->end - process->begin);
  g_autofree char *library =
      problem->detail != NULL ? g_strdup_printf (_ (" (the program uses %s)"), problem->detail) : g_strdup ("");
  LcFinding *finding = findings_add (
      findings, LC_TRACE_NOTE, 1, g_strdup_printf (_ ("%s was blocked for %s of %s"), name, blocked, life),
      g_strdup_printf (ngettext ("no event explains %s of it, in at least %s wait%s",
                                 "no event explains %s of it, in at least %s waits%s", process->unseen_waits),
                       time, waits, library));

  finding->line = g_strdup_printf (_ ("unseen: %s; %s"), finding->title, finding->detail);
  finding_lead_to_end (finding, findings, problem->process);
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

static LcFindings *
findings_new_empty (LcHistory *history, const char *directory)
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
  g_autoptr (LcFindings) findings = findings_new_empty (history, directory);

  findings->problems = lc_history_list_problems (history, error);
  if (findings->problems != NULL)
    findings->deadlocks = lc_deadlocks_find_in_history (history, cancellable, error);
  if (findings->deadlocks == NULL)
    return NULL;
  findings_add_those (findings, problem_is_of_file, findings_add_file);
  findings_add_lost (findings);
  findings_add_those (findings, problem_is_of_event, findings_add_event);
  findings_add_more (findings);
  for (guint i = 0; i < findings->deadlocks->circles->len; i++)
    findings_add_circle (findings, findings->deadlocks->circles->pdata[i]);
  for (guint i = 0; i < findings->deadlocks->stuck->len; i++)
    findings_add_stuck (findings, findings->deadlocks->stuck->pdata[i]);
  findings_add_roots (findings);
  for (guint i = 0; i < findings->deadlocks->blocked->len; i++)
    findings_add_blocked (findings, &g_array_index (findings->deadlocks->blocked, LcBlocked, i));
  findings_add_those (findings, problem_is_early_read, findings_add_event);
  findings_add_clocks (findings);
  findings_add_gaps (findings);
  findings_add_those (findings, problem_is_of_process, findings_add_unseen);
  return g_steal_pointer (&findings);
}

char *
lc_findings_to_text (const LcFindings *findings)
{
  GString *text = g_string_new (NULL);
  gboolean is_told = findings->has_waits;

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

char *
lc_findings_dup_apparent (LcHistory *history, const char *directory, GError **error)
{
  g_autoptr (LcFindings) findings = findings_new_empty (history, directory);
  GString *text;

  findings->deadlocks = lc_deadlocks_find_apparent (history, NULL, error);
  if (findings->deadlocks == NULL)
    return NULL;
  for (guint i = 0; i < findings->deadlocks->circles->len; i++)
    findings_add_circle (findings, findings->deadlocks->circles->pdata[i]);
  for (guint i = 0; i < findings->deadlocks->stuck->len; i++)
    findings_add_stuck (findings, findings->deadlocks->stuck->pdata[i]);
  findings_add_roots (findings);
  text = g_string_new (NULL);
  for (guint i = 0; i < findings->list->len; i++)
    {
      const LcFinding *finding = findings->list->pdata[i];

      if (finding->deadlock != NULL)
        g_string_append_printf (text, "%s\n", finding->line);
    }
  return g_string_free (text, FALSE);
}
