/* SPDX-License-Identifier: Apache-2.0 */
/* Makes words of deadlocks, of other waits that never end, and of operations that never ended. */
#include <glib/gi18n.h>

#include "report/findings-private.h"
#include "report/sites.h"
#include "trace/quantities.h"

enum
{
  STUCK_SHOWN = 10, /* of the threads that wait in vain, so many at most have a line */
};

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
      name = lc_findings_dup_process (findings, blocked->process);
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
      process = lc_findings_dup_process (findings, blocked->process);
      since = lc_history_dup_moment (findings->history, blocked->pending.begin);
      where = lc_sites_describe (findings->history, blocked->pending.stack);
      operation = lc_format_text (lc_names_operation (findings->names, blocked->pending.operation));
      object = lc_findings_dup_object (findings, blocked->pending.object);
      holder = lc_findings_dup_process (findings, next);
      event = blocked->holder != LC_TRACE_NONE && blocked->reason == LC_BLOCKED_FOR_HOLDER
                  ? lc_findings_name_event (findings, blocked->holder, blocked->holder_ordinal)
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

  first = lc_findings_dup_process (findings, g_array_index (circle, guint32, 0));
  if (circle->len == 1)
    return g_strdup_printf (_ ("Deadlock: %s waits for itself"), first);
  second = lc_findings_dup_process (findings, g_array_index (circle, guint32, 1));
  if (circle->len == 2)
    return g_strdup_printf (_ ("Deadlock: %s and %s"), first, second);
  third = lc_findings_dup_process (findings, g_array_index (circle, guint32, 2));
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
  LcFinding *finding = lc_findings_add (
      findings, LC_TRACE_FAULT, 1,
      g_strdup_printf (ngettext ("Deadlock of %s process", "Deadlock of %s processes", circle->len), count), NULL);

  g_strchomp (waits->str);
  finding->line = g_strdup_printf (_ ("deadlock:\n%s"), waits->str);
  for (guint i = 0; i <= circle->len; i++)
    {
      g_autofree char *process = lc_findings_dup_process (findings, g_array_index (circle, guint32, i % circle->len));

      g_string_append_printf (names, "%s%s", i > 0 ? " → " : "", process);
    }
  finding->detail = g_string_free (names, FALSE);
  finding->deadlock = findings_name_circle (findings, circle);
  lc_finding_lead_to_end (finding, findings, g_array_index (circle, guint32, 0));
}

/* Names the process that holds what another one waits for, and its event by which it got it. NULL: nobody does. */
static char *
findings_dup_holder (const LcFindings *findings, const LcBlocked *blocked)
{
  g_autofree char *holder = NULL, *event = NULL, *by = NULL;

  if (blocked->holder == LC_TRACE_NONE)
    return NULL;
  holder = lc_findings_dup_process (findings, blocked->holder);
  event = lc_findings_name_event (findings, blocked->holder, blocked->holder_ordinal);
  by = blocked->reason != LC_BLOCKED_FOR_HOLDER ? g_strdup ("") : g_strdup_printf (_ (" (its event %s)"), event);
  return g_strconcat (holder, by, NULL);
}

/* An event that never ended is a note only, and no line tells it: programs may end while some of their threads wait. */
static void
findings_add_pending (LcFindings *findings, const LcBlocked *blocked)
{
  const LcTracePending *pending = &blocked->pending;
  g_autofree char *process = lc_findings_dup_process (findings, blocked->process);
  g_autofree char *since = lc_history_dup_moment (findings->history, pending->begin);
  g_autofree char *holder = findings_dup_holder (findings, blocked);
  g_autofree char *operation =
      lc_findings_dup_title (findings, lc_names_operation (findings->names, pending->operation), pending->object,
                             pending->has_sequence, pending->sequence);
  LcFinding *finding =
      lc_findings_add (findings, LC_TRACE_NOTE, 1, g_strdup_printf (_ ("%s never ended"), operation),
                       holder != NULL ? g_strdup_printf (_ ("%s waits since %s for %s"), process, since, holder)
                                      : g_strdup_printf (_ ("%s waits since %s"), process, since));

  finding->place = lc_findings_dup_place (findings, pending->stack);
  lc_finding_lead_to_end (finding, findings, blocked->process);
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
          (finalized->has_ended &&
           !lc_history_get_event (findings->history, LC_TIMELINE_MEASURED, process, finalized->ordinal, &event, NULL)))
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
  g_autofree char *name = lc_findings_dup_process (findings, process);
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
  if (of->state == LC_STATE_ENDED)
    return g_strdup_printf (_ ("%s ended at %s"), name, end);
  if (of->is_followed && of->end < waiting->end)
    return g_strdup_printf (_ ("%s was killed, or crashed, at %s"), name, end);
  if (of->events > 0)
    lc_history_get_event (findings->history, LC_TIMELINE_MEASURED, process, of->events - 1, &event, NULL);
  since = lc_history_dup_moment (findings->history, event.end);
  where = lc_sites_describe (
      findings->history, of->events > 0 ? lc_findings_find_stack (findings, process, of->events - 1) : LC_TRACE_NONE);
  return g_strdup_printf (_ ("%s is in no recorded operation since %s%s"), name, since, where);
}

/* Gives "3 processes wait for rank 0 to the end". */
static char *
findings_dup_root_title (const LcFindings *findings, const LcBlockedRoot *root)
{
  g_autofree char *count = lc_format_count (root->n_waiting), *name = lc_findings_dup_process (findings, root->process);

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
  g_autofree char *waiting = lc_findings_dup_process (findings, first->process);
  g_autofree char *since = lc_history_dup_moment (findings->history, first->pending.begin);
  g_autofree char *where = lc_sites_describe (findings->history, first->pending.stack);
  g_autofree char *operation =
      lc_findings_dup_title (findings, lc_names_operation (findings->names, first->pending.operation),
                             first->pending.object, first->pending.has_sequence, first->pending.sequence);
  LcFinding *finding = lc_findings_add (
      findings, root->has_finalized ? LC_TRACE_FAULT : LC_TRACE_NOTE, 1, findings_dup_root_title (findings, root),
      g_strdup_printf (root->n_waiting == 1 ? _ ("%s; %s waits since %s%s in %s")
                                            : _ ("%s; first of all %s, since %s%s in %s"),
                       does, waiting, since, where, operation));

  finding->line = g_strdup_printf (_ ("waiting: %s; %s"), finding->title, finding->detail);
  finding->deadlock = root->has_finalized ? g_strdup (finding->title) : NULL;
  lc_finding_lead_to_end (finding, findings, root->process);
}

/* Describes what a thread waits for that cannot come, in a line. */
static void
findings_tell_stuck (const LcFindings *findings, const LcBlocked *blocked, GString *waits)
{
  g_autofree char *process = lc_findings_dup_process (findings, blocked->process);
  g_autofree char *since = lc_history_dup_moment (findings->history, blocked->pending.begin);
  g_autofree char *where = lc_sites_describe (findings->history, blocked->pending.stack);
  g_autofree char *operation = lc_format_text (lc_names_operation (findings->names, blocked->pending.operation));
  g_autofree char *object = lc_findings_dup_object (findings, blocked->pending.object), *holder = NULL, *event = NULL;

  if (blocked->holder == LC_TRACE_NONE ||
      lc_history_get_process (findings->history, blocked->holder)->state != LC_STATE_ENDED)
    {
      g_string_append_printf (waits, _ ("  %s waits since %s%s in %s of %s\n"), process, since, where, operation,
                              object);
      return;
    }
  holder = lc_findings_dup_process (findings, blocked->holder);
  event = lc_findings_name_event (findings, blocked->holder, blocked->holder_ordinal);
  g_string_append_printf (waits, _ ("  %s waits since %s%s in %s of %s, which %s had when it ended (its event %s)\n"),
                          process, since, where, operation, object, holder, event);
}

/* Gives "The 3 threads that are left wait, and none can wake another". */
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
                                    "The %s threads that are left wait, and none can wake another", n),
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
  if (stuck->may_be_helped)
    g_string_append (waits, _ ("  (unless a signal handler, a timer or another program wakes one)\n"));
  g_strchomp (waits->str);
  finding = lc_findings_add (findings, stuck->may_be_helped ? LC_TRACE_NOTE : LC_TRACE_FAULT, 1,
                             findings_dup_stuck_title (stuck), NULL);
  finding->line = g_strdup_printf (_ ("stuck: %s\n%s"), finding->title, waits->str);
  /* In a terminal the lines stand below the title, further in. */
  g_string_replace (waits, "\n  ", "\n", 0);
  finding->detail = g_strdup (g_strstrip (waits->str));
  finding->deadlock = g_strdup (finding->title);
  findings->has_news = TRUE;
  lc_finding_lead_to_end (finding, findings, first->process);
}

static void
findings_add_roots (LcFindings *findings)
{
  g_autoptr (GArray) roots =
      lc_deadlocks_list_roots (findings->deadlocks, lc_history_get_n_processes (findings->history));

  findings->has_news = findings->has_news || roots->len > 0;
  for (guint i = 0; i < roots->len; i++)
    findings_add_root (findings, &g_array_index (roots, LcBlockedRoot, i));
}

void
lc_findings_add_deadlocks (LcFindings *findings)
{
  for (guint i = 0; i < findings->deadlocks->circles->len; i++)
    findings_add_circle (findings, findings->deadlocks->circles->pdata[i]);
  for (guint i = 0; i < findings->deadlocks->stuck->len; i++)
    findings_add_stuck (findings, findings->deadlocks->stuck->pdata[i]);
  findings_add_roots (findings);
}

void
lc_findings_add_blocked (LcFindings *findings)
{
  for (guint i = 0; i < findings->deadlocks->blocked->len; i++)
    findings_add_pending (findings, &g_array_index (findings->deadlocks->blocked, LcBlocked, i));
}

char *
lc_findings_dup_apparent (LcHistory *history, const char *directory, GError **error)
{
  g_autoptr (LcFindings) findings = lc_findings_new_empty (history, directory);
  GString *text;

  findings->deadlocks = lc_deadlocks_find_apparent (history, NULL, error);
  if (findings->deadlocks == NULL)
    return NULL;
  lc_findings_add_deadlocks (findings);
  text = g_string_new (NULL);
  for (guint i = 0; i < findings->list->len; i++)
    {
      const LcFinding *finding = findings->list->pdata[i];

      if (finding->deadlock != NULL)
        g_string_append_printf (text, "%s\n", finding->line);
    }
  return g_string_free (text, FALSE);
}
