/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program in many orders until it fails, and finds the orders that it needs for that. */
#include "search.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "command.h"
#include "report/format.h"
#include "lightcone/trace-format.h"
#include "schedule-file.h"
#include "schedule-run.h"
#include "scratch.h"
#include "trace/operations.h"

enum
{
  DEPTHS = 6,       /* of the changes of priorities */
  MOST_TESTS = 500, /* runs to leave orders out */
  CONFIRMATIONS = 3,
  MOST_TOLD = 500, /* bytes of what a failed run printed */
};

typedef struct
{
  const LcSearch *asked;
  LcScheduleRun run;
  LcRunOutcome failure;
  guint number; /* of the run that failed, from 1 on */
  guint64 seed; /* of it */
  guint tests;
} Searching;

static gboolean
search_is_failure (const LcRunOutcome *outcome)
{
  return outcome->end != LC_RUN_EXITED || outcome->number != 0;
}

/* --- Looking for a failure -------------------------------------------------------------------------------------- */

/* Runs the program until it fails. FALSE: it could not be run. */
static gboolean
search_until_failure (Searching *searching, gboolean *found, GError **error)
{
  LcScheduleRun *run = &searching->run;
  LcRunOutcome outcome;

  *found = FALSE;
  for (guint i = 0; i < searching->asked->runs && !*found; i++)
    {
      run->seed = i > 0 ? searching->asked->seed + i - 1 : 0;
      run->depth = (guint32)(run->seed % DEPTHS);
      if (!lc_schedule_run (run, &outcome, error))
        return FALSE;
      if (lc_schedule_run_get_signal () != 0)
        return TRUE;
      if (outcome.end == LC_RUN_SILENT)
        {
          g_set_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
                       _ ("%s: cannot be searched: the library was not loaded into the program"), run->command[0]);
          return FALSE;
        }
      if (i == 0)
        run->length = run->plan->steps;
      *found = search_is_failure (&outcome);
      searching->number = i + 1;
    }
  searching->failure = outcome;
  searching->seed = run->seed;
  return TRUE;
}

/* --- Orders ----------------------------------------------------------------------------------------------------- */

static const struct lc_schedule_entry *
search_entries (const Searching *searching)
{
  return (const void *)((const char *)searching->run.plan + searching->run.plan->entries);
}

/* Notes the threads of the run that failed, so that they have the same numbers. A creator has one before those that it
 * makes. */
static void
search_note_threads (Searching *searching)
{
  const struct lc_schedule_header *plan = searching->run.plan;
  const struct lc_schedule_thread *threads = (const void *)((const char *)plan + plan->threads);
  guint32 n = 0;

  while (n < MIN (plan->n_threads, plan->most_threads) && (n == 0 || threads[n].creator < n))
    n++;
  g_array_set_size (searching->run.threads, 0);
  g_array_append_vals (searching->run.threads, threads, n);
}

static void
search_add_order (GArray *orders, const struct lc_schedule_entry *first, const struct lc_schedule_entry *second)
{
  const struct lc_schedule_order order = {.first = first->point, .second = second->point};

  g_array_append_val (orders, order);
}

/* The program may have written anything into what it shares, as it has failed. */
static gboolean
search_is_sound (const Searching *searching, const struct lc_schedule_entry *entry)
{
  return entry->point.thread < searching->run.threads->len && entry->point.operation < LC_OPERATION_END &&
         lc_operations[entry->point.operation].name != NULL && entry->point.nth <= G_MAXINT32;
}

/* Finds, for each thread, the last that is known of it. NULL: it was made, and has not come to its begin. */
static const struct lc_schedule_entry **
search_find_latest (const Searching *searching)
{
  const struct lc_schedule_entry *entries = search_entries (searching);
  const struct lc_schedule_entry **latest = g_new0 (const struct lc_schedule_entry *, searching->run.threads->len);

  for (guint32 i = 0; i < searching->run.plan->n_entries; i++)
    if (search_is_sound (searching, &entries[i]))
      latest[entries[i].point.thread] = &entries[i];
  return latest;
}

/* Chance has kept everybody from an operation who has come to it and not begun it until the failure. So it has those
 * who slept, and those who were made and have not begun. */
static void
search_add_rest (const Searching *searching, GArray *orders, const struct lc_schedule_entry *last)
{
  g_autofree const struct lc_schedule_entry **latest = search_find_latest (searching);

  for (guint i = 0; last != NULL && i < searching->run.threads->len; i++)
    {
      const struct lc_schedule_entry begin = {{i, 0, LC_START}, LC_SCHEDULE_COMES};
      const struct lc_schedule_entry *entry = latest[i] != NULL ? latest[i] : &begin;

      if (i != last->point.thread && (entry->step == LC_SCHEDULE_COMES ||
                                      (entry->step == LC_SCHEDULE_BEGINS && entry->point.operation == LC_SLEEP)))
        search_add_order (orders, last, entry);
    }
}

/*
 * Gives the order of all that was done: a thread that goes on begins its next operation after the last one of the
 * thread before is done. That of a thread's end is left to itself: the recorder notes it later.
 */
static GArray *
search_list_orders (const Searching *searching)
{
  const struct lc_schedule_entry *entries = search_entries (searching), *last = NULL, *before = NULL;
  GArray *orders = g_array_new (FALSE, FALSE, sizeof (struct lc_schedule_order));
  guint32 current = LC_SCHEDULE_NONE;

  for (guint32 i = 0; i < searching->run.plan->n_entries; i++)
    {
      const struct lc_schedule_entry *entry = &entries[i];

      if (entry->step == LC_SCHEDULE_COMES || !search_is_sound (searching, entry))
        continue;
      if (entry->point.thread != current)
        {
          current = entry->point.thread;
          before = last;
        }
      if (before != NULL && entry->step == LC_SCHEDULE_BEGINS && before->point.thread != current)
        {
          search_add_order (orders, before, entry);
          before = NULL;
        }
      if (entry->step == LC_SCHEDULE_ENDS && entry->point.operation != LC_EXIT)
        last = entry;
    }
  search_add_rest (searching, orders, last);
  return orders;
}

/* --- Leaving orders out ------------------------------------------------------------------------------------------ */

/* Whether the program fails in the same way with these orders, and all of them are kept. */
static gboolean
search_still_fails (Searching *searching, GArray *orders)
{
  LcScheduleRun run = searching->run;
  LcRunOutcome outcome;

  run.orders = orders;
  run.seed = 0;
  searching->tests++;
  return lc_schedule_run_get_signal () == 0 && lc_schedule_run (&run, &outcome, NULL) &&
         lc_run_outcome_is_same (&outcome, &searching->failure) && run.plan->n_broken == 0;
}

static gboolean
search_always_fails (Searching *searching, GArray *orders)
{
  for (guint i = 0; i < CONFIRMATIONS; i++)
    if (!search_still_fails (searching, orders))
      return FALSE;
  return TRUE;
}

static GArray *
search_leave_out (const GArray *orders, guint from, guint n)
{
  GArray *rest = g_array_sized_new (FALSE, FALSE, sizeof (struct lc_schedule_order), orders->len);

  for (guint i = 0; i < orders->len; i++)
    if (i < from || i >= from + n)
      g_array_append_val (rest, g_array_index (orders, struct lc_schedule_order, i));
  return rest;
}

/* Delta debugging (Zeller, Hildebrandt, 2002): leaves out ever smaller parts, as long as the program still fails. The
 * end is left out first: what comes after the failure's cause is not needed. */
static GArray *
search_minimise (Searching *searching, GArray *orders)
{
  guint n = orders->len;

  while (n > 0 && orders->len > 0 && searching->tests < MOST_TESTS)
    {
      gboolean has_shrunk = FALSE;

      n = MIN (n, orders->len);
      for (guint i = (orders->len + n - 1) / n; i-- > 0 && searching->tests < MOST_TESTS;)
        {
          g_autoptr (GArray) rest = search_leave_out (orders, i * n, n);

          if (!search_still_fails (searching, rest))
            continue;
          g_array_unref (orders);
          orders = g_steal_pointer (&rest);
          has_shrunk = TRUE;
        }
      if (n > 1)
        n /= 2;
      else if (!has_shrunk)
        break;
    }
  return orders;
}

/* --- What is left ------------------------------------------------------------------------------------------------ */

static void
search_tell_failure (const Searching *searching, const char *output)
{
  g_autofree char *how = lc_run_outcome_to_text (&searching->failure), *printed = NULL, *text = NULL;
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, searching->seed);
  gsize length = 0;

  if (searching->seed == 0)
    lc_complain (_ ("run %u of %u failed, in which nothing was left to chance: %s"), searching->number,
                 searching->asked->runs, how);
  else
    lc_complain (_ ("run %u of %u failed, with seed %s: %s"), searching->number, searching->asked->runs, seed, how);
  if (!g_file_get_contents (output, &printed, &length, NULL))
    return;
  while (length > 0 && g_ascii_isspace (printed[length - 1]))
    printed[--length] = '\0';
  text = lc_format_text (length > MOST_TOLD ? printed + length - MOST_TOLD : printed);
  if (length > 0)
    lc_complain (_ ("the last that it printed: %s"), text);
}

static void
search_tell_nothing (const LcSearch *search)
{
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, search->seed);

  lc_complain (ngettext ("the one run did not fail", "none of %u runs failed, with seeds from %s on", search->runs),
               search->runs, seed);
}

static gboolean
search_record (Searching *searching, GArray *orders, GError **error)
{
  LcScheduleRun run = searching->run;
  LcRunOutcome outcome;

  run.orders = orders;
  run.seed = 0;
  run.trace = searching->asked->trace;
  run.patience *= 2; /* a recorder needs time, too */
  if (!lc_schedule_run (&run, &outcome, error))
    return FALSE;
  if (lc_run_outcome_is_same (&outcome, &searching->failure))
    return TRUE;
  g_set_error (
      error, G_IO_ERROR, G_IO_ERROR_FAILED,
      _ ("%s: recorded in the same orders, the program did not fail in this way; the seed is the only way to it"),
      run.trace);
  return FALSE;
}

static gboolean
search_leave (Searching *searching, GArray *orders, GError **error)
{
  g_autofree char *how = lc_run_outcome_to_text (&searching->failure), *title = NULL, *file = NULL;
  g_autofree char *name = g_path_get_basename (searching->run.command[0]);

  if (!search_record (searching, orders, error))
    return FALSE;
  title = searching->seed != 0
              ? g_strdup_printf ("%s: %s, found with seed %" G_GUINT64_FORMAT, name, how, searching->seed)
              : g_strdup_printf ("%s: %s", name, how);
  file = g_strdup_printf ("%s.schedule", searching->asked->trace);
  if (!lc_schedule_file_write_found (searching->asked->trace, title, how, searching->run.threads, orders, file, error))
    return FALSE;
  lc_complain (ngettext ("%s: the failure, recorded; it needs %u order",
                         "%s: the failure, recorded; it needs %u orders", orders->len),
               searching->asked->trace, orders->len);
  lc_complain (_ ("reproduce it with: lightcone replay %s"), file);
  return TRUE;
}

/* All the orders of the run first; if they do not lead to the failure, something else than orders was the cause. */
static gboolean
search_explain (Searching *searching, GError **error)
{
  g_autoptr (GArray) orders = NULL;
  const gboolean is_full = searching->run.plan->n_entries > searching->run.plan->most_entries;

  search_note_threads (searching);
  orders = is_full ? NULL : search_list_orders (searching);
  if (orders == NULL || !search_always_fails (searching, orders))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                   is_full ? _ ("the run was too long for a schedule")
                           : _ ("the same orders do not always lead to this failure: the program also depends on "
                                "something else, as time, input, or threads that look at memory without "
                                "synchronization"));
      return FALSE;
    }
  orders = search_minimise (searching, g_steal_pointer (&orders));
  return search_leave (searching, orders, error);
}

static int
search_in (const char *folder, const LcSearch *search)
{
  g_autofree char *output = g_build_filename (folder, "output", NULL);
  Searching searching = {.asked = search, .run = {.patience = search->patience, .output = output}};
  g_autoptr (GError) error = NULL;
  gboolean found = FALSE;
  int status = LC_EXIT_UNUSABLE;

  if (lc_schedule_run_begin (&searching.run, folder, search->command, &error) &&
      search_until_failure (&searching, &found, &error) && lc_schedule_run_get_signal () == 0)
    {
      status = found ? LC_EXIT_PROBLEM : LC_EXIT_GOOD;
      if (!found && !search->quiet)
        search_tell_nothing (search);
      if (found)
        {
          search_tell_failure (&searching, output);
          search_explain (&searching, &error);
        }
    }
  if (error != NULL)
    lc_complain ("%s", error->message);
  lc_schedule_run_end (&searching.run);
  return status;
}

int
lc_search_failure (const LcSearch *search)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = lc_scratch_new ("search", &error);
  int status;

  if (folder == NULL)
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  lc_schedule_run_catch ();
  status = search_in (folder, search);
  lc_scratch_remove (folder);
  return status;
}
