/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program by a schedule. */
#include "schedule-replay.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "report/format.h"
#include "lightcone/schedule.h"
#include "program-end.h"
#include "replay-program.h"
#include "schedule-run.h"
#include "scratch.h"
#include "trace/operations.h"
#include "where/code-file.h"

enum
{
  PATIENCE_OF_SCHEDULE = 10 * 1000000, /* us */
};

/* --- What is run ------------------------------------------------------------------------------------------------- */

/* A schedule that somebody else has written must not decide what this user runs. */
static char **
schedule_replay_find_command (const char *file, const LcSchedule *schedule, char **given)
{
  GPtrArray *words;
  struct stat status;

  if (given[0] != NULL)
    return g_strdupv (given);
  if (stat (file, &status) != 0 || status.st_uid != geteuid ())
    {
      lc_complain (_ ("%s: is another user's; say what to run: lightcone replay FILE -- PROGRAM ARGS"), file);
      return NULL;
    }
  if (schedule->command->len == 0)
    {
      lc_complain (_ ("%s: does not say what to run; give it after the file: lightcone replay FILE -- PROGRAM ARGS"),
                   file);
      return NULL;
    }
  words = g_ptr_array_new ();
  for (guint i = 0; i < schedule->command->len; i++)
    g_ptr_array_add (words, g_strdup (schedule->command->pdata[i]));
  g_ptr_array_add (words, NULL);
  return (char **)g_ptr_array_free (words, FALSE);
}

static void
schedule_replay_warn (const LcSchedule *schedule)
{
  for (guint i = 0; i < schedule->modules->len; i++)
    {
      const LcScheduleModule *module = &g_array_index (schedule->modules, LcScheduleModule, i);
      g_autoptr (LcCodeFile) file = lc_code_file_open (module->path, module->build_id, NULL);

      if (file != NULL && (file->state == LC_CODE_OTHER || file->state == LC_CODE_MISSING))
        lc_complain (_ ("%s: is not the file that the schedule was made of: the program may do something else"),
                     module->path);
    }
}

static gboolean
schedule_replay_check_outcome (const LcSchedule *schedule, const char *file)
{
  g_autofree char *told = lc_format_text (schedule->outcome);
  LcRunOutcome outcome;

  if (schedule->outcome == NULL || lc_run_outcome_parse (schedule->outcome, &outcome))
    return TRUE;
  lc_complain (_ ("%s: “%s” is no end of a program: exit STATUS, signal NUMBER, deadlock or hang"), file, told);
  return FALSE;
}

/* --- Orders ------------------------------------------------------------------------------------------------------ */

static guint32
schedule_replay_find_thread (const LcSchedule *schedule, guint32 number)
{
  for (guint i = 0; i < schedule->processes->len; i++)
    if (g_array_index (schedule->processes, LcScheduleProcess, i).number == number)
      return i;
  return LC_SCHEDULE_NONE;
}

/* The first of the schedule's processes is the program's first. */
static gboolean
schedule_replay_add_threads (const LcSchedule *schedule, const char *file, LcScheduleRun *run, GError **error)
{
  for (guint i = 0; i < schedule->processes->len; i++)
    {
      const LcScheduleProcess *process = &g_array_index (schedule->processes, LcScheduleProcess, i);
      struct lc_schedule_thread thread = {LC_SCHEDULE_NONE, (guint32)process->nth};

      if ((process->creator == LC_TRACE_NONE) != (i == 0))
        {
          g_set_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_OTHER,
                       _ ("%s: cannot be replayed: it is of more than one address space"), file);
          return FALSE;
        }
      thread.creator = i > 0 ? schedule_replay_find_thread (schedule, process->creator) : LC_SCHEDULE_NONE;
      if (i > 0)
        g_array_append_val (run->threads, thread);
    }
  return TRUE;
}

static gboolean
schedule_replay_make_point (const LcSchedule *schedule, const char *file, guint number, struct lc_schedule_point *point,
                            GError **error)
{
  const LcScheduleEvent *event = &g_array_index (schedule->events, LcScheduleEvent, number);
  enum lc_operation operation = lc_operation_find (event->operation, strlen (event->operation));
  g_autofree char *name = NULL;

  if (event->nth >= 0 && event->nth <= G_MAXINT32 && operation != LC_NO_OPERATION)
    {
      *point = (struct lc_schedule_point){schedule_replay_find_thread (schedule, event->process), (guint32)event->nth,
                                          (guint32)operation};
      return TRUE;
    }
  name = g_strdup_printf ("%u:%" G_GUINT64_FORMAT, event->process, event->ordinal);
  g_set_error (error, LC_SCHEDULE_ERROR, LC_SCHEDULE_ERROR_OTHER,
               _ ("%s: cannot be replayed: of event %s it does not say which of its kind it is; write it anew"), file,
               name);
  return FALSE;
}

static gboolean
schedule_replay_add_orders (const LcSchedule *schedule, const char *file, LcScheduleRun *run, GError **error)
{
  for (guint i = 0; i < schedule->orders->len; i++)
    {
      const LcScheduleOrder *given = &g_array_index (schedule->orders, LcScheduleOrder, i);
      struct lc_schedule_order order = {.is_done = 0};

      if (!schedule_replay_make_point (schedule, file, given->first, &order.first, error) ||
          !schedule_replay_make_point (schedule, file, given->second, &order.second, error))
        return FALSE;
      g_array_append_val (run->orders, order);
    }
  return TRUE;
}

/* --- What is said ------------------------------------------------------------------------------------------------ */

static char *
schedule_replay_describe (const LcSchedule *schedule, guint number)
{
  const LcScheduleEvent *event = &g_array_index (schedule->events, LcScheduleEvent, number);
  const guint32 thread = schedule_replay_find_thread (schedule, event->process);
  g_autofree char *name = lc_format_text (g_array_index (schedule->processes, LcScheduleProcess, thread).name);
  g_autofree char *object = lc_format_text (event->object != NULL ? event->object : "");
  g_autofree char *site = lc_format_text (event->site != NULL ? event->site : "");

  return g_strdup_printf ("%s #%" G_GUINT64_FORMAT ": %s %s %s", name, event->ordinal, event->operation, object, site);
}

/* Says which orders could not be kept, and what would have had to come. */
static void
schedule_replay_tell_broken (const LcSchedule *schedule, const LcScheduleRun *run)
{
  const struct lc_schedule_order *orders = (const void *)((const char *)run->plan + run->plan->orders);

  for (guint i = 0; i < run->orders->len; i++)
    {
      const LcScheduleOrder *order = &g_array_index (schedule->orders, LcScheduleOrder, i);
      g_autofree char *first = schedule_replay_describe (schedule, order->first);
      g_autofree char *second = schedule_replay_describe (schedule, order->second);

      if (orders[i].is_broken)
        lc_complain (
            _ ("infeasible: all others waited or had ended, and this had not come: %s; it was to be before %s"), first,
            second);
      else if (!orders[i].is_done)
        lc_complain (_ ("this did not come: %s; it was to be before %s"), first, second);
    }
}

static LcProgramEnd
schedule_replay_end_of (const LcRunOutcome *outcome)
{
  static const LcEndKind kinds[] = {[LC_RUN_EXITED] = LC_END_EXITED,
                                    [LC_RUN_SIGNALLED] = LC_END_SIGNALLED,
                                    [LC_RUN_DEADLOCKED] = LC_END_DEADLOCK,
                                    [LC_RUN_HUNG] = LC_END_HANG,
                                    [LC_RUN_SILENT] = LC_END_UNKNOWN};
  const gboolean has_number = outcome->end == LC_RUN_EXITED || outcome->end == LC_RUN_SIGNALLED;

  return (LcProgramEnd){kinds[outcome->end], has_number ? outcome->number : 0, FALSE};
}

/* The end that the schedule leads to. */
static LcProgramEnd
schedule_replay_expect (const LcSchedule *schedule)
{
  LcRunOutcome outcome;

  if (schedule->outcome == NULL || !lc_run_outcome_parse (schedule->outcome, &outcome))
    return (LcProgramEnd){LC_END_UNKNOWN, 0, FALSE};
  return schedule_replay_end_of (&outcome);
}

static void
schedule_replay_tell_run (const LcSchedule *schedule, const LcRunOutcome *outcome, gboolean is_good)
{
  const LcProgramEnd end = schedule_replay_end_of (outcome), expected = schedule_replay_expect (schedule);
  g_autofree char *how = lc_program_end_to_text (&end), *other = lc_program_end_to_text (&expected);

  if (outcome->end == LC_RUN_SILENT)
    lc_complain (_ ("nothing was replayed: the library was not loaded into the program"));
  else if (expected.kind == LC_END_UNKNOWN)
    lc_complain (_ ("the program ended by this schedule: %s"), how);
  else if (lc_program_end_match (&expected, &end) != LC_END_SAME)
    lc_complain (_ ("the program ended otherwise than the schedule says: %s, not %s"), how, other);
  else if (is_good)
    lc_complain (_ ("the program ended as the schedule says: %s"), how);
  else
    lc_complain (_ ("the program ended as the schedule says: %s; but its orders were not kept"), how);
}

/* Runs that ended as the schedule says without its orders are not among the good ones. */
static void
schedule_replay_tell_all (const LcSchedule *schedule, const LcEndTally *tally, guint n_good, guint n)
{
  const LcProgramEnd expected = schedule_replay_expect (schedule);
  g_autofree char *how = lc_program_end_to_text (&expected), *others = lc_end_tally_list_others (tally);

  if (expected.kind == LC_END_UNKNOWN)
    lc_complain (_ ("%u of %u runs kept the orders; how they ended: %s"), n_good, n, others);
  else if (others[0] == '\0')
    lc_complain (_ ("%u of %u runs ended as the schedule says: %s"), n_good, n, how);
  else
    lc_complain (_ ("%u of %u runs ended as the schedule says: %s; the others: %s"), n_good, n, how, others);
}

/* --- Runs -------------------------------------------------------------------------------------------------------- */

/* Without an outcome, whatever comes is good as long as the orders were kept. */
static gboolean
schedule_replay_is_good (const LcProgramEnd *expected, const LcScheduleRun *run, const LcRunOutcome *outcome)
{
  const LcProgramEnd end = schedule_replay_end_of (outcome);

  if (outcome->end == LC_RUN_SILENT || run->plan->n_broken > 0)
    return FALSE;
  return expected->kind == LC_END_UNKNOWN || lc_program_end_match (expected, &end) == LC_END_SAME;
}

static int
schedule_replay_run (const LcSchedule *schedule, const LcScheduleRun *run, guint times, gboolean quiet, GError **error)
{
  const LcProgramEnd expected = schedule_replay_expect (schedule);
  g_auto (LcEndTally) tally = {NULL};
  guint n_good = 0, n = 0;
  LcRunOutcome outcome;

  for (; n < times && lc_schedule_run_get_signal () == 0; n++)
    {
      gboolean is_good;
      LcProgramEnd end;

      if (!lc_schedule_run (run, &outcome, error))
        return LC_EXIT_UNUSABLE;
      if (lc_schedule_run_get_signal () != 0)
        break;
      end = schedule_replay_end_of (&outcome);
      lc_end_tally_add (&tally, &expected, &end);
      is_good = schedule_replay_is_good (&expected, run, &outcome);
      if (!is_good && n_good == n)
        schedule_replay_tell_broken (schedule, run);
      if ((times == 1 && !quiet) || (!is_good && n_good == n))
        schedule_replay_tell_run (schedule, &outcome, is_good);
      n_good += is_good;
    }
  if (times > 1)
    schedule_replay_tell_all (schedule, &tally, n_good, n);
  return n > 0 && n_good == n ? LC_EXIT_GOOD : LC_EXIT_PROBLEM;
}

int
lc_schedule_replay (const char *file, char **given, guint times, gboolean quiet)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcSchedule) schedule = lc_schedule_load (file, &error);
  g_auto (GStrv) command = schedule != NULL ? schedule_replay_find_command (file, schedule, given) : NULL;
  LcScheduleRun run = {.patience = PATIENCE_OF_SCHEDULE};
  g_autofree char *folder = NULL, *words = NULL;
  int status = LC_EXIT_UNUSABLE;

  if (command != NULL && (!schedule_replay_check_outcome (schedule, file) || !lc_replay_check_program (command[0])))
    return LC_EXIT_UNUSABLE;
  folder = command != NULL ? lc_scratch_new ("schedule", &error) : NULL;
  if (folder != NULL && lc_schedule_run_begin (&run, folder, command, &error) &&
      schedule_replay_add_threads (schedule, file, &run, &error) &&
      schedule_replay_add_orders (schedule, file, &run, &error))
    {
      words = g_strjoinv (" ", command);
      if (!quiet)
        lc_complain (_ ("runs %s"), words);
      schedule_replay_warn (schedule);
      lc_schedule_run_catch ();
      status = schedule_replay_run (schedule, &run, times, quiet, &error);
    }
  if (error != NULL)
    lc_complain ("%s", error->message);
  if (folder != NULL)
    {
      lc_schedule_run_end (&run);
      lc_scratch_remove (folder);
    }
  return status;
}
