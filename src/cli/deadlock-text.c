/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the deadlocks of a trace that is not merged, as it may be while it is recorded. */
#include "deadlock-text.h"

#include <glib/gi18n.h>

#include "event-sites.h"
#include "lightcone/clock-correction.h"
#include "lightcone/merge.h"
#include "report/findings.h"
#include "report/format.h"
#include "scratch.h"

/* A visitor that notes what uses objects, for these get their names from it. */
typedef struct
{
  LcSweepVisitor visitor;
  LcUses *uses;
} DeadlockUses;

static void
deadlock_text_use (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  lc_uses_add (((DeadlockUses *)visitor)->uses, step->process, step->event->operation, step->event->object,
               step->event->stack);
}

static LcEventSites *
deadlock_text_find_sites (LcTrace *trace, const LcDeadlocks *deadlocks, const LcUses *uses)
{
  LcEventSites *sites = lc_event_sites_new (trace);

  for (guint i = 0; i < deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (deadlocks->blocked, LcBlocked, i);

      lc_event_sites_add (sites, blocked->holder, blocked->holder_ordinal);
      lc_event_sites_add_stack (sites, blocked->pending.stack);
    }
  lc_event_sites_find (sites, uses);
  lc_event_sites_name_trace (sites);
  return sites;
}

/* Gives "12 in put() pipe.cpp:7": the event by which the process that this one waits for got the object; or NULL. */
static char *
deadlock_text_dup_holding (const LcDeadlocks *deadlocks, const LcEventSites *sites, guint32 process)
{
  for (guint i = 0; i < deadlocks->blocked->len; i++)
    {
      const LcBlocked *blocked = &g_array_index (deadlocks->blocked, LcBlocked, i);
      g_autofree char *where = NULL;

      if (blocked->process != process || blocked->holder == LC_TRACE_NONE)
        continue;
      where = lc_event_sites_describe (sites, blocked->holder, blocked->holder_ordinal);
      return g_strdup_printf ("%" G_GUINT64_FORMAT "%s", blocked->holder_ordinal, where);
    }
  return NULL;
}

static char *
deadlock_text_dup_process (LcTrace *trace, guint32 process)
{
  return lc_format_text (lc_trace_get_process (trace, process)->name);
}

static void
deadlock_text_tell (LcTrace *trace, const LcDeadlocks *deadlocks, const LcEventSites *sites, const GArray *circle,
                    GString *text)
{
  g_autoptr (GString) waits = g_string_new (NULL);

  for (guint i = 0; i < circle->len; i++)
    {
      guint32 process = g_array_index (circle, guint32, i),
              next = g_array_index (circle, guint32, (i + 1) % circle->len);
      const LcTracePending *pending = &lc_trace_get_process (trace, process)->pending;
      g_autofree char *object =
          pending->object != LC_TRACE_NONE ? lc_trace_dup_object_name (trace, pending->object) : g_strdup ("?");
      g_autofree char *shown = lc_format_text (object), *since = lc_format_duration (pending->begin);
      g_autofree char *operation = lc_format_text (lc_trace_get_operation (trace, pending->operation)->name);
      g_autofree char *where = lc_event_sites_describe_stack (sites, pending->stack);
      g_autofree char *name = deadlock_text_dup_process (trace, process),
                      *holder = deadlock_text_dup_process (trace, next);
      g_autofree char *event = deadlock_text_dup_holding (deadlocks, sites, process);

      lc_circle_wait_describe (
          &(const LcCircleWait){name, since, where, operation, shown, holder, event, LC_BLOCKED_FOR_HOLDER}, waits);
    }
  g_string_append_printf (text, _ ("deadlock:\n%s"), waits->str);
}

/* What ranks of MPI wait for is found in a history of the trace as it is now. */
static char *
deadlock_text_find_in_history (const char *directory, const char *const *rules, GError **error)
{
  g_autofree char *folder = lc_scratch_new ("deadlocks", error);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "now.lightcone", NULL) : NULL;
  const LcMergeOptions options = {.rules = rules, .most_events = G_MAXUINT64, .path = path};
  g_autoptr (LcHistory) history = NULL;
  char *text = NULL;

  if (path == NULL)
    return NULL;
  if (lc_merge (directory, &options, NULL, error))
    history = lc_history_open (path, error);
  if (history != NULL)
    text = lc_findings_dup_apparent (history, directory, error);
  g_clear_pointer (&history, lc_history_free);
  lc_scratch_remove (folder);
  return text;
}

static gboolean
deadlock_text_has_ranks (const char *directory, gboolean *has_ranks, GError **error)
{
  g_autoptr (LcTrace) trace = lc_trace_open (directory, error);

  for (guint32 i = 0; trace != NULL && i < lc_trace_get_n_processes (trace); i++)
    *has_ranks = *has_ranks || lc_trace_get_process (trace, i)->rank != LC_TRACE_NONE;
  return trace != NULL;
}

static char *
deadlock_text_find_in_trace (LcTrace *trace, const LcRules *rules, GError **error)
{
  g_autoptr (LcUses) uses = lc_uses_new (trace);
  LcSweepVisitor *holders = lc_holders_new (trace, rules);
  DeadlockUses used = {.visitor.end = deadlock_text_use, .uses = uses};
  LcSweepVisitor *const visitors[] = {holders, &used.visitor, NULL};
  LcSweepResult swept = {0};
  GString *text = NULL;

  if (lc_sweep_run (trace, rules, visitors, NULL, NULL, &swept, error))
    {
      g_autoptr (LcDeadlocks) deadlocks = lc_deadlocks_find (trace, holders);
      LcEventSites *sites = deadlock_text_find_sites (trace, deadlocks, uses);

      text = g_string_new (NULL);
      for (guint i = 0; i < deadlocks->circles->len; i++)
        deadlock_text_tell (trace, deadlocks, sites, deadlocks->circles->pdata[i], text);
      lc_event_sites_free (sites);
    }
  lc_sweep_result_clear (&swept);
  lc_holders_free (holders);
  return text != NULL ? g_string_free (text, FALSE) : NULL;
}

char *
lc_deadlock_text (const char *directory, const char *const *files, GError **error)
{
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (LcRules) rules = NULL;
  gboolean has_ranks = FALSE;

  if (!deadlock_text_has_ranks (directory, &has_ranks, error))
    return NULL;
  if (has_ranks)
    return deadlock_text_find_in_history (directory, files, error);
  rules = lc_merge_load_rules (directory, files, error);
  if (rules != NULL && lc_clocks_correct (directory, rules, NULL, error))
    trace = lc_trace_open (directory, error);
  return trace != NULL ? deadlock_text_find_in_trace (trace, rules, error) : NULL;
}
