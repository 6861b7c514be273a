/* SPDX-License-Identifier: Apache-2.0 */
/* Finds problems of a trace, as rows of a list. */
#include "app/inspect/problems-find.h"

#include <glib/gi18n.h>

#include "history/names.h"
#include "app/inspect/event-place.h"
#include "lightcone/deadlock.h"
#include "lightcone/early-reads.h"
#include "lightcone/merge.h"
#include "trace/gaps.h"
#include "trace/quantities.h"

typedef struct
{
  LcHistory *history;
  LcNames *names;
  LcFoundProblems *found;
  GCancellable *cancellable;
} Finding;

void
lc_found_problems_free (gpointer data)
{
  LcFoundProblems *found = data;

  g_ptr_array_unref (found->rows);
  g_free (found);
}

static LcFoundProblems *
problems_find_make (void)
{
  LcFoundProblems *found = g_new0 (LcFoundProblems, 1);

  found->rows = g_ptr_array_new_with_free_func (g_object_unref);
  return found;
}

/* --- Rows -------------------------------------------------------------------------------------------------------- */

/* Adds a row, and takes ownership of its texts. */
static LcListed *
problems_find_add (const Finding *finding, LcTraceSeverity severity, guint64 count, char *title, char *detail)
{
  static const char *const icons[] = {[LC_TRACE_NOTE] = "dialog-information-symbolic",
                                      [LC_TRACE_WARNING] = "dialog-warning-symbolic",
                                      [LC_TRACE_FAULT] = "dialog-error-symbolic"};
  LcListed *listed = lc_listed_new (title, detail, count > 1 ? lc_format_count (count) : NULL);

  listed->icon = icons[severity];
  listed->wraps = TRUE;
  *(severity != LC_TRACE_NOTE ? &finding->found->n_wrong : &finding->found->n_notes) += count;
  g_ptr_array_add (finding->found->rows, listed);
  return listed;
}

static char *
problems_find_dup_process (const Finding *finding, guint32 process)
{
  return lc_format_text (lc_names_process (finding->names, process));
}

/* Adds where the event of a row was called. */
static void
problems_find_add_place (const Finding *finding, LcListed *listed)
{
  LcHistoryEvent event;

  if (lc_history_get_event (finding->history, LC_TIMELINE_MEASURED, listed->event.process, listed->event.ordinal,
                            &event, NULL))
    listed->place = lc_event_place_dup_own (finding->history, event.stack);
}

/* Makes a row without an event of its own lead to the end of its process. */
static void
lead_to_end (const Finding *finding, LcListed *listed, guint32 process)
{
  guint64 events = lc_history_get_process (finding->history, process)->events;

  if (events > 0)
    listed->event = (LcEventName){.process = process, .ordinal = events - 1};
}

/* Returns a text like "lock queue #8". */
static char *
name_operation (const Finding *finding, const char *operation, guint32 object, gboolean has_sequence, gint64 sequence)
{
  g_autofree char *name = lc_format_text (lc_names_object (finding->names, object));
  GString *text = g_string_new (operation != NULL ? operation : "?");

  if (object != LC_TRACE_NONE)
    g_string_append_printf (text, " %s", name);
  if (has_sequence)
    g_string_append_printf (text, " #%" G_GINT64_FORMAT, sequence);
  return g_string_free (text, FALSE);
}

/* --- Problems of the merge --------------------------------------------------------------------------------------- */

static const char *
name_kind (const char *kind)
{
  if (g_strcmp0 (kind, "unmatched") == 0)
    return _ ("What it waits for is missing");
  if (g_strcmp0 (kind, "cycle") == 0)
    return _ ("It waits for something that waits for it");
  if (g_strcmp0 (kind, "backwards") == 0)
    return _ ("It ends before what it waited for: the clocks disagree");
  if (g_strcmp0 (kind, "left") == 0)
    return _ ("Nobody took what it gave");
  return kind;
}

static void
problems_find_add_event (const Finding *finding, const LcHistoryProblem *problem)
{
  g_autofree char *process = problems_find_dup_process (finding, problem->process);
  g_autofree char *detail = lc_format_text (problem->detail), *ordinal = lc_format_count (problem->ordinal);
  char *title = name_operation (finding, problem->operation, problem->object, problem->has_sequence, problem->sequence);
  LcListed *listed =
      problems_find_add (finding, problem->severity, problem->count, title,
                         g_strdup_printf (_ ("%s, event %s: %s"), process, ordinal, name_kind (problem->kind)));

  listed->hint = g_strdup_printf ("%s\n%s", title, detail);
  listed->event = (LcEventName){.process = problem->process, .ordinal = problem->ordinal};
  problems_find_add_place (finding, listed);
}

static guint32
find_process_of (const Finding *finding, const char *file)
{
  for (guint32 i = 0; file != NULL && i < lc_history_get_n_processes (finding->history); i++)
    if (g_strcmp0 (lc_history_get_process (finding->history, i)->file, file) == 0)
      return i;
  return LC_TRACE_NONE;
}

static void
add_file (const Finding *finding, const LcHistoryProblem *problem)
{
  guint32 process = find_process_of (finding, problem->file);
  g_autofree char *file = lc_format_text (problem->file), *where = lc_format_count (problem->where);
  char *detail = !problem->has_place
                     ? g_strdup (file)
                     : g_strdup_printf (problem->is_line ? _ ("%s, line %s") : _ ("%s, byte %s"), file, where);
  LcListed *listed =
      problems_find_add (finding, problem->severity, problem->count,
                         lc_format_text (problem->detail != NULL ? problem->detail : problem->kind), detail);

  if (process != LC_TRACE_NONE)
    lead_to_end (finding, listed, process);
}

static gboolean
add_merged (const Finding *finding, GError **error)
{
  g_autoptr (GPtrArray) problems = lc_history_list_problems (finding->history, error);

  for (guint i = 0; problems != NULL && i < problems->len; i++)
    {
      const LcHistoryProblem *problem = problems->pdata[i];

      if (g_strcmp0 (problem->kind, "events-lost") == 0)
        continue; /* add_lost and add_lost_apart report these in detail */
      if (problem->process != LC_TRACE_NONE)
        problems_find_add_event (finding, problem);
      else if (problem->file == NULL)
        problems_find_add (finding, problem->severity, problem->count,
                           g_strdup_printf (_ ("More: %s"), name_kind (problem->kind)), NULL);
      else
        add_file (finding, problem);
    }
  return problems != NULL;
}

/* --- Lost and blocked events ------------------------------------------------------------------------------------- */

static void
problems_find_add_lost (const Finding *finding)
{
  for (guint32 i = 0; i < lc_history_get_n_processes (finding->history); i++)
    {
      const LcHistoryProcess *process = lc_history_get_process (finding->history, i);
      g_autofree char *count = lc_format_count (process->lost);
      LcListed *listed;

      if (process->lost == 0)
        continue;
      listed = problems_find_add (
          finding, LC_TRACE_FAULT, 1,
          g_strdup_printf (ngettext ("%s event was lost", "%s events were lost", process->lost), count),
          problems_find_dup_process (finding, i));
      lead_to_end (finding, listed, i);
    }
}

/* Adds lost events that no process has counted, because their processes were not recorded at all. */
static void
add_lost_apart (const Finding *finding)
{
  g_autofree char *count = NULL;
  LcTraceLost lost;

  lc_history_get_lost (finding->history, &lost);
  if (lost.apart == 0)
    return;
  count = lc_format_count (lost.apart);
  problems_find_add (finding, LC_TRACE_FAULT, 1,
                     g_strdup_printf (ngettext ("%s event was lost", "%s events were lost", lost.apart), count),
                     g_strdup (_ ("of processes that are not known")));
}

/* Nothing is wrong with them, but what is missing may be in one. */
static void
problems_find_add_gaps (const Finding *finding)
{
  g_autofree char *text = lc_gaps_describe (lc_history_get_gaps (finding->history), "\n");
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    problems_find_add (finding, LC_TRACE_NOTE, 1, g_strdup (lines[i]), NULL);
}

/* What a banner says of a deadlock. */
static char *
problems_find_dup_banner (const Finding *finding, const GArray *circle)
{
  char *names[3] = {NULL};
  guint more = circle->len - MIN (circle->len, 2);
  g_autofree char *count = lc_format_count (more);
  char *text;

  for (guint i = 0; i < MIN (circle->len, G_N_ELEMENTS (names)); i++)
    names[i] = problems_find_dup_process (finding, g_array_index (circle, guint32, i));
  if (circle->len == 1)
    text = g_strdup_printf (_ ("Deadlock: %s waits for itself"), names[0]);
  else if (circle->len == 2)
    text = g_strdup_printf (_ ("Deadlock: %s and %s"), names[0], names[1]);
  else if (circle->len == 3)
    text = g_strdup_printf (_ ("Deadlock: %s, %s and %s"), names[0], names[1], names[2]);
  else
    text = g_strdup_printf (ngettext ("Deadlock: %s, %s and %s other", "Deadlock: %s, %s and %s others", more),
                            names[0], names[1], count);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_free (names[i]);
  return text;
}

static void
problems_find_add_circle (const Finding *finding, const GArray *circle)
{
  GString *text = g_string_new (NULL);
  g_autofree char *count = lc_format_count (circle->len);
  LcListed *listed;

  for (guint i = 0; i <= circle->len; i++)
    {
      g_autofree char *process = problems_find_dup_process (finding, g_array_index (circle, guint32, i % circle->len));

      g_string_append_printf (text, "%s%s", i > 0 ? " → " : "", process);
    }
  listed = problems_find_add (
      finding, LC_TRACE_FAULT, 1,
      g_strdup_printf (ngettext ("Deadlock of %s process", "Deadlock of %s processes", circle->len), count),
      g_string_free (text, FALSE));
  listed->number = LC_PROBLEM_OF_ALL;
  listed->hint = problems_find_dup_banner (finding, circle);
  lead_to_end (finding, listed, g_array_index (circle, guint32, 0));
}

/* Adds an event that never ended, as a note only: programs may end while some of their threads wait. */
static void
problems_find_add_blocked (const Finding *finding, const LcBlocked *blocked)
{
  const LcTracePending *pending = &blocked->pending;
  g_autofree char *process = problems_find_dup_process (finding, blocked->process),
                  *since = lc_history_dup_moment (finding->history, pending->begin);
  const LcHistorySite *site = lc_history_get_own_site (finding->history, pending->stack);
  g_autofree char *holder = NULL, *place = site != NULL ? lc_history_dup_site_text (site) : NULL;
  g_autofree char *operation = name_operation (finding, lc_names_operation (finding->names, pending->operation),
                                               pending->object, pending->has_sequence, pending->sequence);
  char *detail;
  LcListed *listed;

  if (blocked->holder != LC_TRACE_NONE)
    {
      holder = problems_find_dup_process (finding, blocked->holder);
      detail = g_strdup_printf (_ ("%s waits since %s for %s"), process, since, holder);
    }
  else
    detail = g_strdup_printf (_ ("%s waits since %s"), process, since);
  if (place != NULL)
    {
      g_autofree char *without = detail, *shown = lc_format_text (place);

      /* TRANSLATORS: "main waits since 3 ms", and the function and line where it called what it waits in. */
      detail = g_strdup_printf (_ ("%s, in %s"), without, shown);
    }
  listed = problems_find_add (finding, LC_TRACE_NOTE, 1, g_strdup_printf (_ ("%s never ended"), operation), detail);
  lead_to_end (finding, listed, blocked->process);
}

static gboolean
add_deadlocks (const Finding *finding, GError **error)
{
  g_autoptr (LcDeadlocks) deadlocks = lc_deadlocks_find_in_history (finding->history, finding->cancellable, error);

  if (deadlocks == NULL)
    return FALSE;
  for (guint i = 0; i < deadlocks->circles->len; i++)
    problems_find_add_circle (finding, deadlocks->circles->pdata[i]);
  for (guint i = 0; i < deadlocks->blocked->len; i++)
    problems_find_add_blocked (finding, &g_array_index (deadlocks->blocked, LcBlocked, i));
  return TRUE;
}

/* Sorts the most severe problems first; the others keep their order. */
static int
problems_find_compare (gconstpointer a, gconstpointer b)
{
  static const char *const order[] = {"dialog-error-symbolic", "dialog-warning-symbolic",
                                      "dialog-information-symbolic"};
  const LcListed *const *x = a, *const *y = b;
  int of_x = 0, of_y = 0;

  while (!g_str_equal (order[of_x], (*x)->icon))
    of_x++;
  while (!g_str_equal (order[of_y], (*y)->icon))
    of_y++;
  return of_x - of_y;
}

gpointer
lc_problems_find (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const LcOpened *opened = data;
  g_autoptr (LcNames) names = lc_names_new (opened->history);
  Finding finding = {opened->history, names, problems_find_make (), cancellable};

  if (!add_deadlocks (&finding, error) || !add_merged (&finding, error))
    {
      lc_found_problems_free (finding.found);
      return NULL;
    }
  problems_find_add_lost (&finding);
  add_lost_apart (&finding);
  problems_find_add_gaps (&finding);
  g_ptr_array_sort (finding.found->rows, problems_find_compare); /* stable: GLib's sort is a merge sort */
  return finding.found;
}

/* --- Early reads ------------------------------------------------------------------------------------------------- */

typedef struct
{
  GCancellable *cancellable;
  guint64 events;
  guint64 all;
  gint *done;
} Sweeping;

static gboolean
on_progress (guint64 events, gpointer data)
{
  Sweeping *sweeping = data;

  g_atomic_int_set (sweeping->done, (gint)(1000.0 * (double)events / (double)MAX (sweeping->all, 1)));
  return !g_cancellable_is_cancelled (sweeping->cancellable);
}

static void
add_early (const Finding *finding, const LcEarlyRead *read)
{
  g_autofree char *process = problems_find_dup_process (finding, read->process),
                  *writer = problems_find_dup_process (finding, read->writer);
  g_autofree char *operation = name_operation (finding, lc_names_operation (finding->names, read->operation),
                                               read->object, TRUE, read->sequence);
  LcListed *listed = problems_find_add (finding, LC_TRACE_NOTE, read->count,
                                        g_strdup_printf (_ ("%s, before it was filled"), operation),
                                        g_strdup_printf (_ ("%s reads what %s writes first, later"), process, writer));

  listed->event = (LcEventName){.process = read->process, .ordinal = read->ordinal};
  problems_find_add_place (finding, listed);
}

gpointer
lc_problems_find_early_reads (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const LcOpened *opened = data;
  g_autoptr (LcNames) names = lc_names_new (opened->history);
  g_autoptr (LcTrace) trace = lc_trace_open (opened->directory, error);
  g_autoptr (LcRules) rules = trace != NULL ? lc_merge_load_rules (opened->directory, NULL, error) : NULL;
  Sweeping sweeping = {.cancellable = cancellable, .all = lc_history_get_n_events (opened->history), .done = done};
  LcSweepVisitor *early = rules != NULL ? lc_early_reads_new (trace, rules) : NULL;
  LcSweepVisitor *const visitors[] = {early, NULL};
  g_autoptr (GArray) reads = NULL;
  LcSweepResult result = {0};
  Finding finding = {opened->history, names, NULL, cancellable};

  if (early == NULL)
    return NULL;
  if (lc_sweep_run (trace, rules, visitors, on_progress, &sweeping, &result, error))
    {
      reads = lc_early_reads_list (early);
      finding.found = problems_find_make ();
      for (guint i = 0; i < reads->len; i++)
        add_early (&finding, &g_array_index (reads, LcEarlyRead, i));
    }
  lc_sweep_result_clear (&result);
  lc_early_reads_free (early);
  return finding.found;
}
