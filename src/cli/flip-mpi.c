/* SPDX-License-Identifier: Apache-2.0 */
/* Two messages turned round: an MPI program runs again, and a rank gets the second one first. */
#include "flip-mpi.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "command.h"
#include "flip-report.h"
#include "lightcone/causality.h"
#include "report/format.h"
#include "replay-mpi.h"
#include "scratch.h"

static const LcReplayUntil no_stop;
static const LcReplayDebugging no_debugging;

typedef struct
{
  const LcFlip *asked;
  LcHistory *history;
  LcTrace *trace;
  char **command;
  const char *folder; /* for outputs */
  LcReplayMpiTurn turn;
} FlipMessages;

/* --- Whether it can be ---------------------------------------------------------------------------------------- */

/* Gives an event as users name it, with the process: "0:12 (rank 0)". */
static char *
flip_messages_dup_place (const FlipMessages *flip, const LcReplayStop *stop)
{
  g_autofree char *name = stop->process < lc_trace_get_n_processes (flip->trace)
                              ? lc_format_text (lc_trace_get_process (flip->trace, stop->process)->name)
                              : g_strdup ("?");

  return g_strdup_printf ("%u:%" G_GUINT64_FORMAT " (%s)", stop->process, stop->ordinal, name);
}

/* Tells what is no flip of messages at all. */
static int
flip_messages_refuse (const FlipMessages *flip, LcReplayMpiObstacle obstacle)
{
  g_autofree char *at = flip_messages_dup_place (flip, &flip->turn.at);

  switch ((int)obstacle)
    {
    case LC_REPLAY_MPI_NO_FIRST:
      lc_complain (_ ("replay: --flip of %s: no receive from any sender, for the same tag, comes before it"), at);
      break;
    case LC_REPLAY_MPI_TWO_RANKS:
      lc_complain (_ ("replay: --flip needs two messages that one rank received"));
      break;
    case LC_REPLAY_MPI_THREADS:
      lc_complain (_ ("replay: --flip of %s: several threads of its rank used MPI, whose messages cannot be turned "
                      "round"),
                   at);
      break;
    default:
      lc_complain (_ ("replay: --flip of %s: of an MPI program only messages can be turned round, each named by a "
                      "receive from any sender, a probe for such, or its sending"),
                   at);
      break;
    }
  return LC_EXIT_UNUSABLE;
}

static int
flip_messages_tell_infeasible (const FlipMessages *flip, LcReplayMpiObstacle obstacle)
{
  g_autofree char *at = flip_messages_dup_place (flip, &flip->turn.at);

  switch ((int)obstacle)
    {
    case LC_REPLAY_MPI_ONE_SENDER:
      g_print (_ ("infeasible: both messages are of one sender, and MPI keeps them in order\n"));
      break;
    case LC_REPLAY_MPI_NOT_BEFORE:
      g_print (_ ("infeasible: the first message did not come before the second\n"));
      break;
    case LC_REPLAY_MPI_NAMED:
      g_print (_ ("infeasible: the receive %s names its sender\n"), at);
      break;
    case LC_REPLAY_MPI_TWO_COMMUNICATORS:
      g_print (_ ("infeasible: the messages are of two communicators, and a receive has one\n"));
      break;
    case LC_REPLAY_MPI_EARLIER:
    default:
      g_print (_ ("infeasible: MPI gives the message of %s before, for the same sender has sent it earlier\n"), at);
      break;
    }
  return LC_EXIT_PROBLEM;
}

/* Whether the second message is sent without anything that needs the first to be received. */
static gboolean
flip_messages_is_free (const FlipMessages *flip)
{
  const LcReplayStop *first = &flip->turn.first, *sending = &flip->turn.sending;
  g_autofree guint64 *future = NULL;
  g_autofree char *heard = NULL, *sent = NULL;

  if (sending->process == LC_REPLAY_NONE)
    return TRUE;
  future = lc_causality_future (flip->history, first->process, first->ordinal, NULL, NULL);
  if (future == NULL || future[sending->process] >= sending->ordinal)
    return TRUE;
  heard = flip_messages_dup_place (flip, &(LcReplayStop){sending->process, future[sending->process]});
  sent = flip_messages_dup_place (flip, sending);
  g_print (_ ("infeasible: the second message is sent by %s, after %s, which needs the first to be received\n"), sent,
           heard);
  return FALSE;
}

/* Tells why it cannot be. 0: it can. */
static int
flip_messages_check (FlipMessages *flip, GError **error)
{
  g_autofree char *path = g_build_filename (flip->folder, "plan", NULL);
  struct lc_replay_mpi_header *plan = NULL;
  LcReplayMpiObstacle obstacle;
  LcReplayMpiPlan result;

  if (lc_replay_mpi_plan_write (flip->trace, path, &result, error))
    plan = lc_replay_mpi_plan_map (path, error);
  if (plan == NULL)
    return LC_EXIT_UNUSABLE;
  obstacle = lc_replay_mpi_plan_turn_round (plan, &flip->asked->first, &flip->asked->second, FALSE, &flip->turn);
  switch ((int)obstacle)
    {
    case LC_REPLAY_MPI_NONE:
      return flip_messages_is_free (flip) ? 0 : LC_EXIT_PROBLEM;
    case LC_REPLAY_MPI_NO_MESSAGE:
    case LC_REPLAY_MPI_NO_FIRST:
    case LC_REPLAY_MPI_TWO_RANKS:
    case LC_REPLAY_MPI_THREADS:
      return flip_messages_refuse (flip, obstacle);
    default:
      return flip_messages_tell_infeasible (flip, obstacle);
    }
}

/* --- Runs ----------------------------------------------------------------------------------------------------- */

static gboolean
flip_messages_run_into (const FlipMessages *flip, LcReplayMpiOnce *once, const char *output)
{
  const gboolean is_turned = once->second != NULL;
  const LcReplayMpi replay = {.trace = flip->trace,
                              .command = flip->command,
                              .times = 1,
                              .goes_on = is_turned,
                              .quiet = TRUE,
                              .until = &no_stop,
                              .debugging = &no_debugging,
                              .record = is_turned ? flip->asked->record : NULL};
  g_autoptr (GError) error = NULL;
  gboolean good;

  once->output = lc_flip_open_output (output);
  if (once->output < 0)
    return FALSE;
  lseek (STDIN_FILENO, 0, SEEK_SET); /* a file is read anew; a pipe cannot be */
  good = lc_replay_mpi_once (&replay, once, &error);
  close (once->output);
  if (!good)
    lc_complain ("%s", error->message);
  return good && lc_replay_run_get_signal () == 0;
}

/* The recorded run left no output: it is made again. FALSE: there is none to compare with. */
static gboolean
flip_messages_run_as_recorded (const FlipMessages *flip, const char *output)
{
  LcReplayMpiOnce once = {0};
  gboolean good = lc_flip_can_run_twice () && flip_messages_run_into (flip, &once, output);

  g_free (once.text);
  return good && once.verdict == LC_REPLAY_REACHED && !once.is_ended;
}

static int
flip_messages_tell_end (const FlipMessages *flip, const LcReplayMpiOnce *once, gboolean is_same_output)
{
  const LcFlipEnd end = {.keeps_order = flip->asked->keeps_order,
                         .has_ranks = TRUE,
                         .has_hung = once->has_hung,
                         .status = once->status,
                         .is_same_output = is_same_output};

  if (flip->asked->keeps_order && once->verdict == LC_REPLAY_DIFFERED)
    lc_flip_tell_difference (once->text);
  return lc_flip_tell_end (flip->trace, &end);
}

/* Tells what came instead of the second message. */
static int
flip_messages_tell_not_turned (const FlipMessages *flip, const LcReplayMpiOnce *once)
{
  g_autofree char *sending = flip_messages_dup_place (flip, &flip->turn.sending);
  g_auto (GStrv) lines = g_strsplit (once->text != NULL ? once->text : "", "\n", -1);

  if (once->verdict == LC_REPLAY_STUCK)
    g_print (_ ("not turned round: nobody went on, and the second message had not come, which %s would have had to "
                "send\n"),
             sending);
  else if (once->verdict == LC_REPLAY_DIFFERED)
    g_print (_ ("not turned round: on the way the program did something else\n"));
  else
    g_print (_ ("not turned round: the program ended before the second message had come, which %s would have had to "
                "send\n"),
             sending);
  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      g_print ("  %s\n", lines[i]);
  return LC_EXIT_PROBLEM;
}

static int
flip_messages_run (FlipMessages *flip)
{
  g_autofree char *recorded = g_build_filename (flip->folder, "output-as-recorded", NULL);
  g_autofree char *came = g_build_filename (flip->folder, "output", NULL);
  LcReplayMpiOnce once = {
      .first = &flip->asked->first, .second = &flip->asked->second, .keeps_order = flip->asked->keeps_order};
  gboolean has_recorded, is_same;
  int status;

  lc_replay_run_begin ();
  has_recorded = flip_messages_run_as_recorded (flip, recorded);
  if (lc_replay_run_get_signal () != 0 || !flip_messages_run_into (flip, &once, came))
    return LC_EXIT_UNUSABLE;
  is_same = lc_flip_show_output (has_recorded ? recorded : NULL, came, TRUE);
  lc_flip_tell_trace (flip->asked->record);
  status = once.is_turned ? flip_messages_tell_end (flip, &once, is_same) : flip_messages_tell_not_turned (flip, &once);
  g_free (once.text);
  return status;
}

int
lc_flip_messages (LcHistory *history, LcTrace *trace, char **command, const LcFlip *asked)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = lc_scratch_new ("flip", &error);
  FlipMessages flip = {.asked = asked, .history = history, .trace = trace, .command = command, .folder = folder};
  int status = LC_EXIT_UNUSABLE;

  if (folder != NULL)
    status = flip_messages_check (&flip, &error);
  if (error != NULL)
    lc_complain ("%s", error->message);
  if (folder != NULL && status == 0)
    status = flip_messages_run (&flip);
  if (folder != NULL)
    lc_scratch_remove (folder);
  return status;
}
