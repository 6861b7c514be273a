/* SPDX-License-Identifier: Apache-2.0 */
/* Two events turned round: the program runs again, and the second one comes first. */
#include "flip.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "draw/options/find-named.h"
#include "find-library.h"
#include "flip-mpi.h"
#include "flip-report.h"
#include "lightcone/causality.h"
#include "lightcone/replay-mpi.h"
#include "replay-program.h"
#include "replay-run.h"
#include "replay-text.h"
#include "scratch.h"

enum
{
  PATIENCE_OF_FLIP = 10 * 1000000, /* us */
  HANG_OF_FLIP = 5 * 1000000,
};

static const char one_event_of_locks[] = N_ (
    "replay: --flip of one event needs one that gets a lock which another process had before, or a message from any "
    "sender");

/* The two runs. */
typedef struct
{
  const LcFlip *asked;
  LcHistory *history;
  LcTrace *trace;
  const char *folder; /* for plans and outputs */
  const char *library;
  char **command;
  LcReplayRun run;    /* the second one */
  guint32 waiting;    /* the thread that is to be second now */
  guint64 number;     /* of the event that is to be first now, among those of its thread */
  gboolean is_turned; /* it came to its event after the other one had done its own */
} Flip;

/* Looks for the acquisition of an object that came last before another one, by another process. */
typedef struct
{
  LcHistory *history;
  LcHistoryEvent second;
  LcHistoryEvent first;
  gboolean has_first;
} FlipBefore;

static gboolean
flip_takes (LcHistory *history, guint32 operation)
{
  static const char *const taking[] = {"lock", "read-start", "write-start", NULL};
  const LcHistoryOperation *found = lc_history_get_operation (history, operation);

  return found != NULL && g_strv_contains (taking, found->name);
}

static gboolean
flip_look_before (const LcHistoryEvent *event, const LcHistoryArcEnd *arcs, gpointer data)
{
  FlipBefore *before = data;

  if (event->process == before->second.process || event->end > before->second.end ||
      !flip_takes (before->history, event->operation) || (before->has_first && event->end < before->first.end))
    return TRUE;
  before->first = *event;
  before->has_first = TRUE;
  return TRUE;
}

static gboolean
flip_is_message (LcHistory *history, guint32 operation)
{
  const LcHistoryOperation *found = lc_history_get_operation (history, operation);

  return found != NULL && g_strcmp0 (found->class_name, "channel") == 0;
}

/* The other event is who had the lock of this one before. Which message came before is found in a plan. */
static gboolean
flip_find_first (LcHistory *history, LcFlip *flip, GError **error)
{
  FlipBefore before = {.history = history};

  if (!lc_history_get_event (history, LC_TIMELINE_MEASURED, flip->second.process, flip->second.ordinal, &before.second,
                             error))
    return FALSE;
  if (flip_is_message (history, before.second.operation))
    {
      flip->first = (LcReplayStop){LC_REPLAY_NONE, 0};
      return TRUE;
    }
  if (flip_takes (history, before.second.operation) && before.second.object != LC_TRACE_NONE &&
      !lc_history_visit_object (history, LC_TIMELINE_MEASURED, before.second.object, flip_look_before, &before, NULL,
                                error))
    return FALSE;
  if (before.has_first)
    {
      flip->first = (LcReplayStop){before.first.process, before.first.ordinal};
      return TRUE;
    }
  g_set_error_literal (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN, _ (one_event_of_locks));
  return FALSE;
}

gboolean
lc_flip_parse (LcHistory *history, const char *text, LcFlip *flip, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  const guint n = g_strv_length (names);

  if (n == 1)
    return lc_find_event (history, "replay", names[0], &flip->second.process, &flip->second.ordinal, error) &&
           flip_find_first (history, flip, error);
  if (n == 2)
    return lc_find_event (history, "replay", names[0], &flip->first.process, &flip->first.ordinal, error) &&
           lc_find_event (history, "replay", names[1], &flip->second.process, &flip->second.ordinal, error);
  g_set_error (error, LC_HISTORY_ERROR, LC_HISTORY_ERROR_UNKNOWN,
               _ ("replay: --flip needs one or two events, as 1:12,2:7, not “%s”"), text);
  return FALSE;
}

/* --- Runs ------------------------------------------------------------------------------------------------------ */

static guint32
flip_find_thread (struct lc_replay_header *plan, guint32 process)
{
  for (guint32 i = 0; i < plan->n_threads; i++)
    if (lc_replay_plan_threads (plan)[i].process == process)
      return i;
  return LC_REPLAY_NONE;
}

static void
flip_note (gpointer data, pid_t program)
{
  Flip *flip = data;
  const struct lc_replay_thread *thread = &lc_replay_plan_threads (flip->run.plan)[flip->waiting];

  flip->is_turned = thread->state == LC_REPLAY_WAITING && thread->next + 1 == thread->n_events;
}

/* Finds the event that is to be first now. FALSE: it has no turns. */
static gboolean
flip_find_number (Flip *flip, guint32 thread)
{
  const struct lc_replay_thread *here = &lc_replay_plan_threads (flip->run.plan)[thread];
  const struct lc_replay_event *event;

  for (flip->number = 0; (event = lc_replay_plan_event (flip->run.plan, here, flip->number)) != NULL; flip->number++)
    if (event->ordinal == flip->asked->second.ordinal)
      return TRUE;
  return FALSE;
}

/* Runs the program with its output in a file. */
static gboolean
flip_run_into (const Flip *flip, LcReplayRun *run, const char *plan, const char *output, LcReplayOutcome *outcome)
{
  g_auto (GStrv) environment = run->is_recorded ? lc_replay_record_environment (flip->library, plan)
                                                : lc_replay_make_environment (flip->trace, flip->library, plan, NULL);
  g_auto (GStrv) command = run->is_recorded ? lc_replay_record_command (flip->trace, flip->asked->record, flip->command)
                                            : g_strdupv (flip->command);
  g_autoptr (GError) error = NULL;
  gboolean good;

  run->output = lc_flip_open_output (output);
  if (run->output < 0)
    return FALSE;
  run->command = command;
  run->environment = environment;
  lseek (STDIN_FILENO, 0, SEEK_SET); /* a file is read anew; a pipe cannot be */
  good = lc_replay_run (run, outcome, &error);
  close (run->output);
  if (!good)
    lc_complain ("%s", error->message);
  return good && lc_replay_run_get_signal () == 0;
}

static struct lc_replay_header *
flip_make_plan (const Flip *flip, const char *path)
{
  g_autoptr (GError) error = NULL;
  LcReplayPlan result;

  if (lc_replay_plan_write (flip->trace, path, NULL, &result, &error))
    return lc_replay_map_plan (path);
  lc_complain ("%s", error->message);
  return NULL;
}

/* The recorded run left no output: it is made again. FALSE: there is none to compare with. */
static gboolean
flip_run_as_recorded (const Flip *flip, const char *output)
{
  g_autofree char *path = g_build_filename (flip->folder, "plan-as-recorded", NULL);
  LcReplayRun run = {.until = LC_REPLAY_NONE, .patience = PATIENCE_OF_FLIP};
  LcReplayOutcome outcome = {0};

  if (!lc_flip_can_run_twice ())
    return FALSE;
  run.plan = flip_make_plan (flip, path);
  return run.plan != NULL && flip_run_into (flip, &run, path, output, &outcome) &&
         outcome.verdict == LC_REPLAY_REACHED && !outcome.is_ended;
}

/* --- What is said ---------------------------------------------------------------------------------------------- */

static void
flip_tell_infeasible (const Flip *flip)
{
  const LcReplayStop *first = &flip->asked->first, *second = &flip->asked->second;
  g_autofree guint64 *past = NULL;

  if (first->process == second->process)
    {
      g_print (_ ("infeasible: both are events of one process\n"));
      return;
    }
  if (second->ordinal > 0)
    past = lc_causality_past (flip->history, second->process, second->ordinal - 1, NULL, NULL);
  if (past != NULL && past[first->process] > first->ordinal)
    g_print (_ ("infeasible: what its process does before the second event comes after the first one, by something "
                "else than their order\n"));
  else
    g_print (_ ("infeasible: no order of the recorded events leads there\n"));
}

static int
flip_tell_end (const Flip *flip, const LcReplayOutcome *outcome, gboolean is_same_output)
{
  const LcFlipEnd end = {.keeps_order = flip->asked->keeps_order,
                         .has_hung = outcome->has_hung,
                         .status = outcome->status,
                         .is_same_output = is_same_output};

  if (flip->asked->keeps_order && outcome->verdict == LC_REPLAY_DIFFERED)
    {
      g_autofree char *text = lc_replay_text_difference (flip->trace, flip->run.plan);

      lc_flip_tell_difference (text);
    }
  return lc_flip_tell_end (flip->trace, &end);
}

/* --- All ------------------------------------------------------------------------------------------------------- */

/* FALSE: it cannot be. */
static gboolean
flip_prepare (Flip *flip)
{
  const LcReplayStop *first = &flip->asked->first, *second = &flip->asked->second;
  guint32 thread = flip_find_thread (flip->run.plan, second->process);

  flip->waiting = flip_find_thread (flip->run.plan, first->process);
  if (flip->waiting == LC_REPLAY_NONE || thread == LC_REPLAY_NONE || thread == flip->waiting ||
      !flip_find_number (flip, thread))
    return FALSE;
  flip->run.until = flip->asked->keeps_order ? LC_REPLAY_NONE : thread;
  return flip->asked->keeps_order ? lc_replay_plan_turn_round (flip->run.plan, first, second)
                                  : lc_replay_plan_steer (flip->run.plan, first, 1, second);
}

/* Who keeps the order is not stopped anywhere, and has come so far if the event was done in its turn. */
static void
flip_look_back (Flip *flip)
{
  struct lc_replay_header *plan = flip->run.plan;
  const guint32 thread = flip_find_thread (plan, flip->asked->second.process);

  if (flip->asked->keeps_order && thread != LC_REPLAY_NONE)
    flip->is_turned = lc_replay_plan_threads (plan)[thread].next > flip->number;
}

static int
flip_run (Flip *flip, const char *path)
{
  g_autofree char *recorded = g_build_filename (flip->folder, "output-as-recorded", NULL);
  g_autofree char *came = g_build_filename (flip->folder, "output", NULL);
  gboolean has_recorded, is_same;
  LcReplayOutcome outcome;

  if (!flip_prepare (flip))
    {
      flip_tell_infeasible (flip);
      return LC_EXIT_PROBLEM;
    }
  lc_replay_run_begin ();
  has_recorded = flip_run_as_recorded (flip, recorded);
  if (lc_replay_run_get_signal () != 0 || !flip_run_into (flip, &flip->run, path, came, &outcome))
    return LC_EXIT_UNUSABLE;
  flip_look_back (flip);
  is_same = lc_flip_show_output (has_recorded ? recorded : NULL, came, FALSE);
  lc_flip_tell_trace (flip->asked->record);
  if (flip->is_turned)
    return flip_tell_end (flip, &outcome, is_same);
  g_print (outcome.verdict == LC_REPLAY_DIFFERED
               ? _ ("not turned round: on the way the program did something else\n")
               : _ ("not turned round: on the way a process waited for what a replay cannot give it\n"));
  return LC_EXIT_PROBLEM;
}

static int
flip_in (Flip *flip)
{
  g_autofree char *path = g_build_filename (flip->folder, "plan", NULL);

  flip->run = (LcReplayRun){
      .goes_on = TRUE, .patience = PATIENCE_OF_FLIP, .hang = HANG_OF_FLIP, .is_recorded = flip->asked->record != NULL};
  if (!flip->asked->keeps_order)
    {
      flip->run.stopped = flip_note;
      flip->run.data = flip;
    }
  flip->run.plan = flip_make_plan (flip, path);
  if (flip->run.plan == NULL)
    return LC_EXIT_UNUSABLE;
  if (flip->run.is_recorded && flip->run.plan->openmp != LC_REPLAY_NO_OPENMP)
    {
      lc_complain (
          _ ("replay: --flip with --output is not for OpenMP, whose threads are not recorded once they are free"));
      return LC_EXIT_UNUSABLE;
    }
  return flip_run (flip, path);
}

int
lc_flip_events (LcHistory *history, const char *directory, const LcFlip *asked)
{
  char *none[] = {NULL};
  g_autoptr (GError) error = NULL;
  g_autofree char *library = lc_find_replay_library (&error), *path = g_canonicalize_filename (directory, NULL);
  g_autoptr (LcTrace) trace = library != NULL ? lc_trace_open (path, &error) : NULL;
  g_auto (GStrv) command =
      trace != NULL ? lc_replay_find_command (trace, asked->command != NULL ? asked->command : none) : NULL;
  Flip flip = {.asked = asked, .history = history, .trace = trace, .library = library, .command = command};
  g_autofree char *folder = NULL;
  int status;

  if (command != NULL && !lc_replay_check_program (command[0]))
    return LC_EXIT_UNUSABLE;
  if (command != NULL && lc_replay_mpi_has_ranks (trace))
    return lc_flip_messages (history, trace, command, asked);
  if (command != NULL && asked->first.process == LC_REPLAY_NONE)
    {
      lc_complain ("%s", _ (one_event_of_locks));
      return LC_EXIT_UNUSABLE;
    }
  folder = command != NULL ? lc_scratch_new ("flip", &error) : NULL;
  if (error != NULL)
    lc_complain ("%s", error->message);
  if (folder == NULL)
    return LC_EXIT_UNUSABLE;
  flip.folder = folder;
  status = flip_in (&flip);
  lc_scratch_remove (folder);
  return status;
}
