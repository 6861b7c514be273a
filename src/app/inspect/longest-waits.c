/* SPDX-License-Identifier: Apache-2.0 */
/* The longest waits among the shown events, as rows of a list. */
#include "app/inspect/longest-waits.h"

#include <glib/gi18n.h>

#include "analysis/basis.h"
#include "analysis/hold-times.h"
#include "analysis/region-waits.h"
#include "app/inspect/event-report.h"
#include "app/shown-text.h"
#include "history/reader.h"
#include "lightcone/statistics.h"
#include "trace/quantities.h"

typedef struct
{
  LcShown *shown;
  LcSpan span;
  LcLongestWaitsBy by;
  gboolean in_view;
} Asked;

gpointer
lc_longest_waits_ask (LcSession *session, LcLongestWaitsBy by, gboolean in_view)
{
  Asked *asked = g_new0 (Asked, 1);

  asked->shown = lc_shown_ref (lc_session_get_shown (session));
  asked->by = by;
  asked->in_view = in_view;
  lc_session_get_span (session, &asked->span);
  return asked;
}

void
lc_longest_waits_asked_free (gpointer data)
{
  Asked *asked = data;

  lc_shown_unref (asked->shown);
  g_free (asked);
}

/* --- Rows -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  LcHistoryWalk *walk;
  LcBasisFinder *finder;
  LcNames *names;
  LcHoldTimes *times;
  LcPreempted *preempted;
  LcRegionWaits *region_waits;
} Rows;

/* Appends a text like ", held by worker-3 (80 %)", if anybody held the object. */
static gboolean
longest_waits_tell_holder (const Rows *rows, const LcHistoryEvent *wait, GString *text, GError **error)
{
  g_autofree char *name = NULL;
  LcHolderShare holder;

  if (!lc_hold_times_find_holder (rows->times, rows->preempted, wait, &holder, error))
    return FALSE;
  if (holder.process == LC_TRACE_NONE)
    return TRUE;
  name = lc_format_text (lc_names_process (rows->names, holder.process));
  g_string_append_printf (text, _ (", held by %s (%.0f %%)"), name, 100 * (double)holder.waited / (double)wait->waited);
  return TRUE;
}

/* Finds the region whose end a thread waited for most of the time, before its next one began. If there is none, nothing
 * is `waited` for it. */
static gboolean
longest_waits_find_region (const Rows *rows, const LcHistoryEvent *wait, LcRegionWait *region, GError **error)
{
  const GArray *parts;

  *region = (LcRegionWait){0};
  if (!lc_region_waits_find (rows->region_waits, wait, &parts, error))
    return FALSE;
  for (guint i = 0; i < parts->len; i++)
    if (g_array_index (parts, LcRegionWait, i).waited > region->waited)
      *region = g_array_index (parts, LcRegionWait, i);
  if (region->waited <= wait->waited / 2)
    region->waited = 0;
  return TRUE;
}

/* Appends a text like ", until the end of team of main x.c:4 (99 %)". */
static void
longest_waits_tell_region (const Rows *rows, const LcHistoryEvent *wait, const LcRegionWait *region, GString *text)
{
  g_autofree char *name = NULL;

  if (region->waited == 0)
    return;
  name = lc_format_text (lc_names_object (rows->names, region->object));
  g_string_append_printf (text, _ (", until the end of %s (%.0f %%)"), name,
                          100 * (double)region->waited / (double)wait->waited);
}

/* Returns a text like "worker-2 at 1.25 ms, for worker-1, held by worker-3 (80 %)". */
static char *
longest_waits_tell (const Rows *rows, const LcHistoryEvent *wait, GError **error)
{
  const LcHistoryArcEnd *arcs;
  LcHistoryEvent event;
  LcRegionWait region;
  LcBasis basis;
  g_autofree char *process = lc_format_text (lc_names_process (rows->names, wait->process));
  g_autofree char *at = lc_history_dup_moment (lc_names_get_history (rows->names), wait->begin), *other = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (!lc_history_walk_get (rows->walk, wait->process, wait->ordinal, &event, &arcs, error) ||
      !lc_basis_find (rows->finder, &event, arcs, &basis, error) ||
      !longest_waits_find_region (rows, wait, &region, error))
    return NULL;
  if (region.waited > 0)
    basis = region.basis;
  if (basis.process == LC_TRACE_NONE)
    g_string_printf (text, _ ("%s at %s"), process, at);
  else
    {
      other = lc_format_text (lc_names_process (rows->names, basis.process));
      g_string_printf (text, _ ("%s at %s, for %s"), process, at, other);
    }
  longest_waits_tell_region (rows, wait, &region, text);
  return longest_waits_tell_holder (rows, wait, text, error) ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Makes the row of a wait, or of a part of it, which is `waited` long. */
static LcListed *
longest_waits_make_row (const Rows *rows, const LcHistoryEvent *wait, guint64 waited, guint64 most, GError **error)
{
  char *detail = longest_waits_tell (rows, wait, error);
  LcListed *listed;

  if (detail == NULL)
    return NULL;
  listed = lc_listed_new (lc_event_dup_title (rows->names, wait), detail, lc_format_duration (waited));
  listed->wraps = TRUE;
  listed->event = (LcEventName){.process = wait->process, .ordinal = wait->ordinal};
  listed->exact = lc_format_exact (wait->begin);
  listed->place = lc_event_place_dup_own (lc_names_get_history (rows->names), wait->stack);
  listed->share = (double)waited / (double)most;
  return listed;
}

/* Makes a row for each wait (LcHistoryEvent); `amounts`: how long each is, or NULL for all that was waited. */
static GPtrArray *
longest_waits_list (LcHistory *history, guint32 timeline, const GArray *waits, const GArray *amounts, guint64 most,
                    GCancellable *cancellable, GError **error)
{
  g_autoptr (LcHistoryWalk) walk = lc_history_walk_new (history, timeline, LC_WALK_ARCS, cancellable, error);
  g_autoptr (LcNames) names = lc_names_new (history);
  g_autoptr (LcBasisFinder) finder = NULL;
  g_autoptr (LcPreempted) preempted = lc_preempted_new (history, timeline, cancellable);
  g_autoptr (LcHoldTimes) times = NULL;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (LcRegionWaits) region_waits = lc_region_waits_new (history, timeline, cancellable);
  Rows finding = {walk, NULL, names, NULL, preempted, region_waits};

  if (walk == NULL)
    return NULL;
  finding.times = times = lc_hold_times_new_for (history, timeline, waits, cancellable, error);
  if (times == NULL)
    return NULL;
  finding.finder = finder = lc_basis_finder_new (history, timeline, walk, cancellable);
  for (guint i = 0; i < waits->len; i++)
    {
      const LcHistoryEvent *wait = &g_array_index (waits, LcHistoryEvent, i);
      guint64 waited = amounts != NULL ? g_array_index (amounts, LcListedInner, i).amount : wait->waited;
      LcListed *listed = longest_waits_make_row (&finding, wait, waited, most, error);

      if (listed == NULL)
        return NULL;
      g_ptr_array_add (rows, listed);
    }
  return g_steal_pointer (&rows);
}

/* --- Groups ------------------------------------------------------------------------------------------------------- */

static char *
longest_waits_name_group (LcNames *names, const LcWaitGroup *group, LcLongestWaitsBy by)
{
  g_autofree char *process = NULL;

  if (by == LC_LONGEST_WAITS_BY_HOLDER && group->number == LC_TRACE_NONE)
    return g_strdup (_ ("nobody"));
  if (by == LC_LONGEST_WAITS_BY_PAIR && group->ender == LC_TRACE_NONE)
    {
      process = lc_format_text (lc_names_process (names, group->number));
      return g_strdup_printf ("%s < %s", process, _ ("(none)"));
    }
  return lc_shown_dup_name (group->name);
}

static LcListed *
longest_waits_make_group (LcNames *names, const LcWaitGroup *group, LcLongestWaitsBy by, guint64 most)
{
  g_autofree char *count = lc_format_count (group->waits), *longest = lc_format_duration (group->longest);
  char *detail = g_strdup_printf (ngettext ("%s wait of %s", "%s waits, up to %s", group->waits), count, longest);
  LcListed *listed =
      lc_listed_new (longest_waits_name_group (names, group, by), detail, lc_format_duration (group->waited));

  listed->wraps = TRUE;
  listed->event = (LcEventName){.process = group->longest_process, .ordinal = group->longest_ordinal};
  listed->share = (double)group->waited / (double)most;
  listed->number = most;
  listed->inner = g_array_sized_new (FALSE, FALSE, sizeof (LcListedInner), group->n_singles);
  for (guint i = 0; i < group->n_singles; i++)
    {
      const LcGroupedWait *single = &group->singles[i];
      const LcListedInner inner = {{.process = single->process, .ordinal = single->ordinal}, single->waited};

      g_array_append_val (listed->inner, inner);
    }
  return listed;
}

GPtrArray *
lc_longest_waits_open (LcSession *session, const LcListed *group, GError **error)
{
  const LcShown *shown = lc_session_get_shown (session);
  LcHistory *history = shown->opened->history;
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (LcHistoryEvent));

  for (guint i = 0; i < group->inner->len; i++)
    {
      const LcEventName *name = &g_array_index (group->inner, LcListedInner, i).event;
      LcHistoryEvent event;

      if (!lc_history_get_event (history, shown->timeline, name->process, name->ordinal, &event, error))
        return NULL;
      g_array_append_val (waits, event);
    }
  return longest_waits_list (history, shown->timeline, waits, group->inner, group->number, NULL, error);
}

static GPtrArray *
longest_waits_list_groups (const Asked *asked, const LcWaitsAsked *which, GCancellable *cancellable, GError **error)
{
  static const LcWaitsBy ways[] = {
      [LC_LONGEST_WAITS_BY_OBJECT] = LC_WAITS_BY_OBJECT, [LC_LONGEST_WAITS_BY_SITE] = LC_WAITS_BY_SITE,
      [LC_LONGEST_WAITS_BY_STACK] = LC_WAITS_BY_STACK,   [LC_LONGEST_WAITS_BY_PROCESS] = LC_WAITS_BY_PROCESS,
      [LC_LONGEST_WAITS_BY_FOR] = LC_WAITS_BY_FOR,       [LC_LONGEST_WAITS_BY_PAIR] = LC_WAITS_BY_PAIR,
      [LC_LONGEST_WAITS_BY_HOLDER] = LC_WAITS_BY_HOLDER,
  };
  const LcShown *shown = asked->shown;
  g_autoptr (GArray) groups =
      lc_statistics_wait_groups (shown->opened->history, shown->timeline, ways[asked->by], which, cancellable, error);
  g_autoptr (LcNames) names = lc_names_new (shown->opened->history);
  GPtrArray *rows;

  if (groups == NULL)
    return NULL;
  rows = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < groups->len; i++)
    g_ptr_array_add (rows, longest_waits_make_group (names, &g_array_index (groups, LcWaitGroup, i), asked->by,
                                                     g_array_index (groups, LcWaitGroup, 0).waited));
  return rows;
}

/* --- Choosing the waits ------------------------------------------------------------------------------------------ */

static void
set_done (double fraction, gpointer done)
{
  g_atomic_int_set ((gint *)done, (gint)(1000 * fraction));
}

/* Lists the processes of the rows in view, or of all rows. */
static guint32 *
longest_waits_list_processes (const Asked *asked, guint32 *n_processes)
{
  const LcShown *shown = asked->shown;
  guint32 first = asked->in_view ? (guint32)asked->span.first_row : 0, n_rows = lc_shown_get_n_rows (shown);
  guint32 last = asked->in_view ? MIN ((guint32)(asked->span.last_row + 0.999), n_rows) : n_rows;
  guint32 *processes = g_new (guint32, MAX (shown->selection.n_processes, 1));

  *n_processes = 0;
  for (guint32 row = first; row < last; row++)
    {
      guint32 n;
      const guint32 *here = lc_shown_get_row (shown, row, &n);

      for (guint32 i = 0; i < n; i++)
        processes[(*n_processes)++] = here[i];
    }
  return processes;
}

static GPtrArray *
longest_waits_find (const Asked *asked, const LcWaitsAsked *which, gint *done, GCancellable *cancellable,
                    GError **error)
{
  const LcShown *shown = asked->shown;
  g_autoptr (GArray) waits = NULL;

  if (asked->by != LC_LONGEST_WAITS_EACH)
    return longest_waits_list_groups (asked, which, cancellable, error);
  waits = lc_statistics_longest_waits (shown->opened->history, shown->timeline, which, LC_LONGEST_WAITS, set_done, done,
                                       cancellable, error);
  if (waits == NULL)
    return NULL;
  return longest_waits_list (shown->opened->history, shown->timeline, waits, NULL,
                             waits->len > 0 ? g_array_index (waits, LcHistoryEvent, 0).waited : 1, cancellable, error);
}

/* Marks all operations but the join of a thread, by number. NULL: the history has no joins. */
static gboolean *
longest_waits_mark_operations (LcHistory *history)
{
  guint32 n = lc_history_get_n_operations (history), join = lc_history_find_operation (history, "join");
  gboolean *marks;

  if (join == LC_TRACE_NONE)
    return NULL;
  marks = g_new (gboolean, n);
  for (guint32 i = 0; i < n; i++)
    marks[i] = i != join;
  return marks;
}

void
lc_longest_waits_free (LcLongestWaits *waits)
{
  g_ptr_array_unref (waits->rows);
  g_free (waits);
}

/* Histories cannot search by phase time, so in phase time the whole run is searched. */
gpointer
lc_longest_waits_list (gpointer data, gint *done, GCancellable *cancellable, GError **error)
{
  const Asked *asked = data;
  const LcShown *shown = asked->shown;
  LcWaitsAsked which = lc_selection_get_asked (&shown->selection);
  g_autofree guint32 *processes = longest_waits_list_processes (asked, &which.n_processes);
  g_autofree gboolean *operations =
      which.filters.operations == NULL ? longest_waits_mark_operations (shown->opened->history) : NULL;
  LcLongestWaits found = {.has_no_joins = operations != NULL};

  which.processes = processes;
  which.axis = shown->selection.time == LC_SCENE_LOGICAL ? LC_AXIS_LAYER : LC_AXIS_TIME;
  if (asked->in_view && shown->selection.time != LC_SCENE_PHASE)
    {
      which.from = (guint64)MAX (asked->span.from, 0);
      which.to = (guint64)MAX (asked->span.to, 0) + 1;
    }
  if (operations != NULL)
    which.filters.operations = operations;
  found.rows = longest_waits_find (asked, &which, done, cancellable, error);
  if (found.rows != NULL && found.rows->len == 0 && found.has_no_joins)
    {
      g_ptr_array_unref (found.rows);
      which.filters.operations = NULL;
      found.has_no_joins = FALSE;
      found.rows = longest_waits_find (asked, &which, done, cancellable, error);
    }
  return found.rows != NULL ? g_memdup2 (&found, sizeof found) : NULL;
}
