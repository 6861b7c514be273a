/* SPDX-License-Identifier: Apache-2.0 */
/* Runs an MPI program again, with the partners and the outcomes that its ranks had, and watches how far they come. */
#include "replay-mpi.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "find-library.h"
#include "report/format.h"
#include "lightcone/recording.h"
#include "mpi-trouble.h"
#include "process-table.h"
#include "program-end.h"
#include "replay-mpi-private.h"
#include "replay-mpi-text.h"
#include "replay-program.h"
#include "replay-text.h"
#include "scratch.h"
#include "trace/operations.h"

enum
{
  LOOK_PAUSE = 10000,             /* us */
  STILL = 20 * G_USEC_PER_SEC,    /* in which no rank begins or ends a call, and all are in one */
  ELSEWHERE = 2 * G_USEC_PER_SEC, /* in which nothing has moved before threads that have no turns are looked at */
  SUSPECTED = 2 * G_USEC_PER_SEC, /* which a call lasts that was not to come, and that does not fail */
  HANG = 10 * G_USEC_PER_SEC, /* in which ranks have done nothing that are free, or wait for a message turned round */
  PATIENCE = 5 * G_USEC_PER_SEC, /* from the wish that the launcher ends to its death */
  MOST_LINES = 20,
};

/* --- Looking -------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 moved; /* changes whenever anything has */
  guint alive;
  gboolean is_inside;  /* all that are alive are in calls of MPI, and their threads wait for turns */
  gboolean is_at_end;  /* they have done all that was recorded */
  gboolean is_leaving; /* the launcher is to end them, as one of them has left */
} MpiLook;

/* Adds what the threads of a rank do that have turns. FALSE: there are none now. */
static gboolean
mpi_look_add_threads (MpiLook *look, LcMpiReplay *replay, guint32 rank)
{
  LcReplayLook threads;

  if (!lc_replay_mpi_threads_look (&replay->threads, rank, &threads))
    return FALSE;
  look->moved += threads.moved;
  look->alive++;
  look->is_inside &= threads.is_held || (g_get_monotonic_time () - replay->changed_at > ELSEWHERE &&
                                         lc_replay_mpi_threads_wait (&replay->threads, rank));
  look->is_at_end &= lc_replay_mpi_threads_are_at_end (&replay->threads, rank, FALSE);
  return TRUE;
}

static MpiLook
mpi_replay_look (LcMpiReplay *replay)
{
  MpiLook look = {.is_inside = TRUE, .is_at_end = TRUE};

  for (guint32 i = 0; i < replay->plan->n_ranks; i++)
    {
      const struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (replay->plan)[i];
      const guint32 state = __atomic_load_n (&rank->state, __ATOMIC_ACQUIRE);
      gboolean has_threads;

      look.moved += __atomic_load_n (&rank->calls, __ATOMIC_RELAXED) + rank->next + state;
      look.is_leaving |= __atomic_load_n (&rank->is_leaving, __ATOMIC_ACQUIRE) != 0;
      if (rank->process == LC_REPLAY_NONE)
        continue;
      has_threads = i >= replay->plan->n_numbers || mpi_look_add_threads (&look, replay, i);
      if (state == LC_REPLAY_MPI_ENDED)
        continue;
      look.is_at_end &= rank->next >= rank->n_events;
      if (has_threads)
        continue;
      look.alive += state != LC_REPLAY_MPI_UNBORN;
      look.is_inside &= state == LC_REPLAY_MPI_INSIDE || state == LC_REPLAY_MPI_AT_END || state == LC_REPLAY_MPI_HELD;
    }
  look.is_inside &= look.alive > 0;
  return look;
}

/* --- One run -------------------------------------------------------------------------------------------------- */

/* A launcher that is asked to end ends its ranks. Interrupts from the terminal are for the debugger. */
static void
mpi_replay_set_up (gpointer data)
{
  const LcMpiReplay *replay = data;

  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (replay->once != NULL && replay->once->output > 0)
    dup2 (replay->once->output, STDOUT_FILENO);
  if (lc_replay_debugging_is_any (replay->replay->debugging))
    setpgid (0, 0);
}

/* A recorder that is killed would leave the launcher behind, whose end it waits for. FALSE: no rank tells who that is.
 */
static gboolean
mpi_replay_kill_launcher (const LcMpiReplay *replay)
{
  for (guint32 i = 0; i < replay->plan->n_ranks; i++)
    {
      pid_t process = (pid_t)lc_replay_mpi_ranks (replay->plan)[i].pid, parent = lc_process_get_parent (process);

      while (parent > 1 && parent != replay->pid)
        {
          process = parent;
          parent = lc_process_get_parent (process);
        }
      if (parent == replay->pid && process > 1)
        return kill (process, SIGKILL) == 0;
    }
  return FALSE;
}

/* The plan is no proof of who a rank is. */
static void
mpi_replay_kill (const LcMpiReplay *replay)
{
  for (guint32 i = 0; i < replay->plan->n_ranks; i++)
    {
      const pid_t pid = (pid_t)lc_replay_mpi_ranks (replay->plan)[i].pid;

      if (pid > 1 && lc_process_descends (pid, replay->pid))
        kill (pid, SIGKILL);
    }
  if (replay->replay->record == NULL || !mpi_replay_kill_launcher (replay))
    kill (replay->pid, SIGKILL);
}

static void
mpi_replay_end (LcMpiReplay *replay)
{
  if (replay->asked_at == 0)
    {
      replay->is_ended = TRUE;
      replay->asked_at = g_get_monotonic_time ();
      if (replay->replay->kills)
        mpi_replay_kill (replay);
      else
        kill (replay->pid, SIGTERM);
    }
  else if (g_get_monotonic_time () - replay->asked_at > PATIENCE)
    mpi_replay_kill (replay);
}

static void
mpi_replay_go_on (LcMpiReplay *replay)
{
  if (replay->replay->goes_on)
    {
      __atomic_store_n (&replay->plan->mode, LC_REPLAY_FREE, __ATOMIC_RELEASE);
      lc_replay_mpi_threads_free (&replay->threads);
    }
  else
    mpi_replay_end (replay);
}

static gboolean
mpi_replay_differs (LcMpiReplay *replay)
{
  if (replay->differing == LC_REPLAY_NONE && replay->plan->differs == 0)
    replay->differing = lc_replay_mpi_threads_find_difference (&replay->threads);
  return replay->differing != LC_REPLAY_NONE || __atomic_load_n (&replay->plan->differs, __ATOMIC_ACQUIRE) != 0;
}

static gboolean
mpi_replay_has_turned (const LcMpiReplay *replay)
{
  return replay->once != NULL && replay->once->second != NULL &&
         lc_replay_mpi_ranks (replay->plan)[replay->turn.rank].next > replay->turn.number;
}

/* A history that was cut short ends in calls, or in waiting for the end. Where the message that is to come first does
 * not come, nothing else is to be seen. */
static void
mpi_replay_judge_still (LcMpiReplay *replay, const MpiLook *look)
{
  replay->verdict = look->is_at_end ? LC_REPLAY_REACHED : LC_REPLAY_STUCK;
  if (replay->once != NULL && replay->verdict == LC_REPLAY_STUCK)
    replay->once->text = lc_replay_mpi_text_next (replay->replay->trace, replay->plan, MOST_LINES);
  if (replay->once != NULL && replay->once->second != NULL && !mpi_replay_has_turned (replay))
    mpi_replay_end (replay);
  else
    mpi_replay_go_on (replay);
}

/* Ranks that are free after their messages were turned round may wait for each other. */
static void
mpi_replay_watch_free (LcMpiReplay *replay)
{
  lc_replay_mpi_threads_free (&replay->threads);
  if (replay->verdict == LC_REPLAY_VERDICTS && mpi_replay_differs (replay))
    replay->verdict = LC_REPLAY_DIFFERED;
  if (lc_replay_mpi_idle_measure (&replay->idle, replay->plan, replay->moved) < HANG)
    return;
  replay->once->has_hung = TRUE;
  mpi_replay_end (replay);
}

/* Tells a difference for a rank that has not come so far. */
static void
mpi_replay_look_for_suspects (LcMpiReplay *replay, gint64 now)
{
  for (guint32 i = 0; i < replay->plan->n_ranks; i++)
    {
      struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (replay->plan)[i];
      const guint32 suspected = __atomic_load_n (&rank->suspected, __ATOMIC_ACQUIRE);
      guint32 nobody = 0;

      if (suspected == LC_REPLAY_SAME)
        replay->suspected_at[i] = 0;
      else if (replay->suspected_at[i] == 0)
        replay->suspected_at[i] = now;
      else if (now - replay->suspected_at[i] > SUSPECTED &&
               __atomic_compare_exchange_n (&replay->plan->differs, &nobody, i + 1, FALSE, __ATOMIC_ACQ_REL,
                                            __ATOMIC_RELAXED))
        rank->difference = suspected;
    }
}

/* --- A stop --------------------------------------------------------------------------------------------------- */

/* The plan is no proof of who a rank is. */
static void
mpi_replay_debug (LcMpiReplay *replay)
{
  const pid_t pid = (pid_t)lc_replay_mpi_ranks (replay->plan)[replay->target].pid;
  LcReplayFollowers followers = lc_replay_followers_of_ranks (&replay->stop);
  g_autofree char *others = lc_replay_mpi_text_others (replay->replay->trace, replay->plan, replay->target);

  followers.debugged = pid;
  if (others[0] != '\0' && !replay->replay->quiet)
    lc_complain (_ ("the other ranks wait, and gdb -p PID looks into them: %s"), others);
  if (pid > 1 && lc_process_descends (pid, replay->pid))
    lc_replay_debug (replay->replay->trace, &followers, replay->target, pid, replay->replay->debugging, replay->folder);
  else
    lc_complain (_ ("the process of the rank is not known"));
}

static void
mpi_replay_stop (LcMpiReplay *replay)
{
  g_autofree char *text = lc_replay_mpi_text_stops (replay->replay->trace, replay->plan);

  replay->has_stopped = TRUE;
  for (guint32 i = 0; i < replay->plan->n_ranks; i++)
    if (!lc_replay_mpi_stop_is_there (&replay->stop, i))
      {
        g_autofree char *inside = lc_replay_mpi_text_inside (replay->replay->trace, replay->plan, i);

        lc_complain ("%s", inside);
      }
  if (!replay->replay->quiet)
    lc_mpi_replay_complain_lines (text);
  if (lc_replay_debugging_is_any (replay->replay->debugging))
    mpi_replay_debug (replay);
}

static void
mpi_replay_look_for_stop (LcMpiReplay *replay)
{
  switch (lc_replay_mpi_stop_look (&replay->stop))
    {
    case LC_REPLAY_MPI_THERE:
    case LC_REPLAY_MPI_IDLE:
      replay->verdict = LC_REPLAY_REACHED;
      mpi_replay_stop (replay);
      mpi_replay_go_on (replay);
      break;
    case LC_REPLAY_MPI_NO_WAY:
      replay->verdict = LC_REPLAY_STUCK;
      mpi_replay_go_on (replay);
      break;
    case LC_REPLAY_MPI_ON_THE_WAY:
    default:
      break;
    }
}

/* --- Watching ------------------------------------------------------------------------------------------------- */

/* A rank that is to leave waits until nobody else has anything to do. */
static void
mpi_replay_count_threaded (LcMpiReplay *replay)
{
  const struct lc_replay_mpi_rank *ranks = lc_replay_mpi_ranks (replay->plan);
  guint32 n = 0;

  for (guint32 i = 0; i < replay->threads.n; i++)
    {
      gboolean is_leaving = FALSE;

      for (guint32 k = 0; k < replay->plan->n_ranks; k++)
        is_leaving |= ranks[k].number == i && ranks[k].state == LC_REPLAY_MPI_AT_END;
      n += !lc_replay_mpi_threads_are_at_end (&replay->threads, i, is_leaving);
    }
  __atomic_store_n (&replay->plan->n_threaded, n, __ATOMIC_RELEASE);
}

/* Nothing is to be seen of messages that change places if threads wait for each other before. */
static void
mpi_replay_judge_stuck (LcMpiReplay *replay)
{
  replay->verdict = LC_REPLAY_STUCK;
  if (replay->once == NULL)
    return;
  replay->once->text = lc_replay_mpi_threads_text_stuck (&replay->threads, MOST_LINES);
  if (replay->once->second != NULL && !mpi_replay_has_turned (replay))
    mpi_replay_end (replay);
}

/* Judges by what the threads of a rank do. FALSE: nothing is known yet. */
static gboolean
mpi_replay_judge_threads (LcMpiReplay *replay)
{
  if (lc_replay_mpi_threads_find_free (&replay->threads, replay->plan) != LC_REPLAY_NONE)
    replay->verdict = LC_REPLAY_SILENT;
  else if (lc_replay_mpi_threads_find_stuck (&replay->threads) != LC_REPLAY_NONE)
    mpi_replay_judge_stuck (replay);
  else
    return FALSE;
  if (replay->asked_at == 0)
    mpi_replay_go_on (replay);
  return TRUE;
}

static void
mpi_replay_watch (LcMpiReplay *replay)
{
  const gint64 now = g_get_monotonic_time ();
  MpiLook look;

  lc_replay_mpi_stop_restore (&replay->stop);
  lc_replay_mpi_threads_restore (&replay->threads);
  lc_replay_given_restore (&replay->given);
  mpi_replay_count_threaded (replay);
  look = mpi_replay_look (replay);
  if (look.moved != replay->moved || replay->changed_at == 0)
    replay->changed_at = now;
  if (look.moved != replay->moved || replay->moved_at == 0 || !look.is_inside)
    replay->moved_at = now;
  replay->moved = look.moved;
  if (replay->plan->mode == LC_REPLAY_FOLLOW)
    mpi_replay_look_for_suspects (replay, now);
  if (replay->asked_at != 0 || lc_replay_run_get_signal () != 0)
    mpi_replay_end (replay);
  else if (replay->once != NULL && replay->plan->mode == LC_REPLAY_FREE)
    mpi_replay_watch_free (replay);
  else if (replay->verdict != LC_REPLAY_VERDICTS)
    return;
  else if (mpi_replay_differs (replay))
    {
      replay->verdict = LC_REPLAY_DIFFERED;
      mpi_replay_go_on (replay);
    }
  else if (mpi_replay_judge_threads (replay))
    return;
  else if (replay->limits != NULL)
    mpi_replay_look_for_stop (replay);
  else if ((look.is_inside && now - replay->moved_at > (look.is_at_end && !look.is_leaving ? STILL / 10 : STILL)) ||
           (replay->once != NULL && lc_replay_mpi_idle_measure (&replay->idle, replay->plan, look.moved) > HANG))
    mpi_replay_judge_still (replay, &look);
}

/* What the ranks have done says it, unless somebody has seen more. */
static LcReplayVerdict
mpi_replay_judge (LcMpiReplay *replay)
{
  const struct lc_replay_mpi_rank *ranks = lc_replay_mpi_ranks (replay->plan);
  LcReplayVerdict verdict = LC_REPLAY_REACHED;
  gboolean any = FALSE;

  if (mpi_replay_differs (replay))
    return LC_REPLAY_DIFFERED;
  if (lc_replay_mpi_threads_find_free (&replay->threads, replay->plan) != LC_REPLAY_NONE)
    return LC_REPLAY_SILENT;
  if (replay->limits == NULL && lc_replay_mpi_threads_find_short (&replay->threads) != LC_REPLAY_NONE)
    verdict = LC_REPLAY_SHORT;
  for (guint32 i = 0; i < replay->plan->n_ranks; i++)
    {
      any |= ranks[i].pid != 0;
      if (ranks[i].next < MIN (ranks[i].limit, ranks[i].n_events))
        verdict = LC_REPLAY_SHORT;
    }
  return any ? verdict : LC_REPLAY_SILENT;
}

/* Ranks that have ended by themselves have asked for all that they had asked for. */
static void
mpi_replay_judge_inputs (LcMpiReplay *replay)
{
  g_autofree char *left = NULL;

  if (replay->verdict != LC_REPLAY_REACHED || replay->is_ended)
    return;
  left = lc_replay_mpi_threads_text_left (&replay->threads);
  if (left[0] != '\0')
    replay->verdict = LC_REPLAY_SHORT;
}

static void
mpi_replay_begin (LcMpiReplay *replay)
{
  const LcReplayFollowers followers = lc_replay_followers_of_ranks (&replay->stop);

  replay->verdict = LC_REPLAY_VERDICTS;
  replay->moved = 0;
  replay->moved_at = replay->changed_at = replay->asked_at = 0;
  replay->is_ended = replay->has_stopped = FALSE;
  replay->differing = LC_REPLAY_NONE;
  memset (replay->suspected_at, 0, replay->plan->n_ranks * sizeof *replay->suspected_at);
  lc_replay_mpi_plan_begin (replay->plan, replay->replay->goes_on ? LC_REPLAY_FREE : LC_REPLAY_HOLD);
  lc_replay_mpi_threads_begin (&replay->threads, replay->replay->goes_on ? LC_REPLAY_FREE : LC_REPLAY_HOLD);
  lc_replay_given_begin (&replay->given);
  mpi_replay_count_threaded (replay);
  replay->stop.target = replay->target;
  if (replay->limits == NULL)
    return;
  lc_replay_followers_set_limits (&followers, replay->limits, lc_trace_get_n_processes (replay->replay->trace));
  lc_replay_mpi_stop_close (&replay->stop);
}

/* The debugger has the terminal for itself. Ranks that are given their standard input need none. */
static GSpawnFlags
mpi_replay_get_flags (const LcMpiReplay *replay)
{
  const gboolean has_input =
      replay->given.plan == NULL && (!lc_replay_debugging_is_any (replay->replay->debugging) || !isatty (STDIN_FILENO));

  return G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH | G_SPAWN_LEAVE_DESCRIPTORS_OPEN |
         (has_input ? G_SPAWN_CHILD_INHERITS_STDIN : 0);
}

static gboolean
mpi_replay_run (LcMpiReplay *replay, GError **error)
{
  pid_t child = 0;

  mpi_replay_begin (replay);
  if (!g_spawn_async (NULL, replay->command, replay->environment, mpi_replay_get_flags (replay), mpi_replay_set_up,
                      replay, &replay->pid, error))
    return FALSE;
  while (child != replay->pid && (child >= 0 || errno == EINTR))
    {
      child = waitpid (replay->pid, &replay->status, WNOHANG);
      if (child != 0)
        continue;
      mpi_replay_watch (replay);
      g_usleep (LOOK_PAUSE);
    }
  lc_replay_mpi_stop_restore (&replay->stop);
  lc_replay_mpi_threads_restore (&replay->threads);
  lc_replay_given_restore (&replay->given);
  if (replay->verdict == LC_REPLAY_VERDICTS || (replay->has_stopped && mpi_replay_judge (replay) == LC_REPLAY_DIFFERED))
    replay->verdict = mpi_replay_judge (replay);
  mpi_replay_judge_inputs (replay);
  return TRUE;
}

/* --- Ends ------------------------------------------------------------------------------------------------------ */

/* Ranks that were recorded each by itself have no common end. */
static LcProgramEnd
mpi_replay_find_recorded_end (LcTrace *trace)
{
  const LcProgramEnd end = lc_program_end_of_trace (trace, FALSE);

  if (g_key_file_has_key (lc_trace_get_settings (trace), "trace", "job", NULL))
    return (LcProgramEnd){LC_END_UNKNOWN, 0, FALSE};
  return lc_program_end_of_launched (&end);
}

static LcProgramEnd
mpi_replay_find_end (const LcMpiReplay *replay)
{
  const LcProgramEnd end = lc_program_end_of_status (replay->status);

  if (replay->verdict == LC_REPLAY_SILENT || lc_replay_debugging_is_any (replay->replay->debugging) ||
      (replay->is_ended && (replay->verdict != LC_REPLAY_REACHED || replay->has_stopped)))
    return (LcProgramEnd){LC_END_UNKNOWN, 0, FALSE};
  if (replay->is_ended)
    return (LcProgramEnd){LC_END_CUT, 0, FALSE};
  return lc_program_end_of_launched (&end);
}

/* If several ranks end badly, the launcher tells one of them, and not always the same. */
static gboolean
mpi_replay_is_other_end (const LcProgramEnd *recorded, const LcProgramEnd *end)
{
  return lc_program_end_match (recorded, end) == LC_END_OTHER &&
         (lc_program_end_is_good (recorded) || lc_program_end_is_good (end));
}

static void
mpi_replay_tell_run (const LcMpiReplay *replay, const LcProgramEnd *recorded, const LcProgramEnd *end)
{
  if (replay->verdict == LC_REPLAY_REACHED)
    lc_mpi_replay_tell_end (replay);
  lc_program_end_tell (recorded, end, replay->replay->quiet);
}

static void
mpi_replay_tell_all (const guint counts[LC_REPLAY_VERDICTS], guint runs, const LcEndTally *tally,
                     const LcProgramEnd *recorded)
{
  lc_complain (_ ("%u of %u runs came to the end; %u differed, %u had no way on, %u ended early"),
               counts[LC_REPLAY_REACHED], runs, counts[LC_REPLAY_DIFFERED], counts[LC_REPLAY_STUCK],
               counts[LC_REPLAY_SHORT] + counts[LC_REPLAY_SILENT]);
  lc_end_tally_tell (tally, recorded);
}

/* Only the first run that goes wrong is told in full. `have_come`: all came to the end of what was recorded. */
static int
mpi_replay_run_all (LcMpiReplay *replay, gboolean *have_come)
{
  const LcProgramEnd recorded = mpi_replay_find_recorded_end (replay->replay->trace);
  guint counts[LC_REPLAY_VERDICTS] = {0}, runs = 0, n_other = 0;
  g_auto (LcEndTally) tally = {NULL};
  g_autoptr (GError) error = NULL;
  LcProgramEnd end = {0};

  lc_replay_run_begin ();
  while (runs < replay->replay->times && lc_replay_run_get_signal () == 0)
    {
      if (!mpi_replay_run (replay, &error))
        {
          lc_complain ("%s", error->message);
          return LC_EXIT_UNUSABLE;
        }
      if (lc_replay_run_get_signal () != 0)
        break;
      if (replay->verdict != LC_REPLAY_REACHED && counts[LC_REPLAY_REACHED] == runs)
        {
          if (replay->replay->times > 1)
            lc_complain (_ ("run %u:"), runs + 1);
          lc_mpi_replay_tell (replay);
        }
      end = mpi_replay_find_end (replay);
      lc_end_tally_add (&tally, &recorded, &end);
      n_other += mpi_replay_is_other_end (&recorded, &end);
      counts[replay->verdict]++;
      runs++;
    }
  if (replay->replay->times > 1)
    mpi_replay_tell_all (counts, runs, &tally, &recorded);
  else if (runs == 1)
    mpi_replay_tell_run (replay, &recorded, &end);
  *have_come = counts[LC_REPLAY_REACHED] == runs && runs > 0;
  return *have_come && n_other == 0 ? LC_EXIT_GOOD : LC_EXIT_PROBLEM;
}

/* --- The command ---------------------------------------------------------------------------------------------- */

/* The launcher and its ranks are started as for `lightcone profile`: the recorder finds those that use MPI. */
static char **
mpi_replay_preload (const LcMpiReplay *replay, char **environment, const char *library, const char *threads)
{
  const char *others = g_environ_getenv (environment, "LD_PRELOAD");
  const char *inputs = replay->given.library;
  g_autofree char *preload =
      g_strconcat (threads != NULL ? threads : "", threads != NULL ? ":" : "", library, inputs != NULL ? ":" : "",
                   inputs != NULL ? inputs : "", others != NULL && others[0] != '\0' ? ":" : "", others, NULL);

  environment =
      g_environ_setenv (environment, LC_CONTROL_ENVIRONMENT, lc_recording_get_directory (replay->recording), TRUE);
  environment = g_environ_setenv (environment, LC_CONTROL_PRELOAD, library, TRUE);
  return g_environ_setenv (environment, "LD_PRELOAD", preload, TRUE);
}

/* Finds where the ranks stop. */
static gboolean
mpi_replay_find_stop (LcMpiReplay *replay, GError **error)
{
  const LcReplayFollowers followers = lc_replay_followers_of_ranks (&replay->stop);
  LcReplayUntil until = *replay->replay->until;
  guint32 process = LC_TRACE_NONE;

  if (!lc_replay_until_is_given (&until))
    return TRUE;
  until.followers = &followers;
  replay->limits = lc_replay_until_find (lc_trace_get_path (replay->replay->trace), &until, &process, error);
  if (replay->limits == NULL)
    return FALSE;
  lc_replay_followers_find (&followers, process, &replay->target);
  replay->plan->is_debugged = lc_replay_debugging_is_any (replay->replay->debugging);
  return TRUE;
}

/* Finds what to start: `lightcone record` of the launcher, or the launcher, with a recorder that records nothing. */
static gboolean
mpi_replay_find_command (LcMpiReplay *replay, const char *library, const char *plan, GError **error)
{
  LcRecordingSettings settings = LC_RECORDING_SETTINGS_INIT;
  g_autofree char *control = g_build_filename (replay->folder, "control", NULL), *threads = NULL;

  replay->environment = g_environ_setenv (lc_replay_dup_environment (), LC_REPLAY_MPI_ENVIRONMENT, plan, TRUE);
  if (replay->threads.n > 0)
    {
      threads = lc_find_replay_library (error);
      if (threads == NULL)
        return FALSE;
      replay->environment =
          g_environ_setenv (replay->environment, LC_REPLAY_RANKS_ENVIRONMENT, replay->threads.prefix, TRUE);
    }
  if (replay->given.path != NULL)
    replay->environment = g_environ_setenv (replay->environment, LC_INPUTS_ENVIRONMENT, replay->given.path, TRUE);
  if (replay->replay->record != NULL)
    {
      if (replay->given.library != NULL)
        replay->environment =
            g_environ_setenv (replay->environment, LC_INPUTS_LIBRARY_ENVIRONMENT, replay->given.library, TRUE);
      if (threads != NULL)
        replay->environment = g_environ_setenv (replay->environment, LC_REPLAY_LIBRARY_ENVIRONMENT, threads, TRUE);
      replay->command =
          lc_replay_record_command (replay->replay->trace, replay->replay->record, replay->replay->command);
      return TRUE;
    }
  replay->command = g_strdupv (replay->replay->command);
  settings.command = (const char *const *)replay->command;
  settings.purpose = LC_PURPOSE_REPLAY;
  replay->recording = lc_recording_prepare (control, &settings, error);
  if (replay->recording == NULL)
    return FALSE;
  replay->environment = mpi_replay_preload (replay, replay->environment, library, threads);
  return TRUE;
}

static gboolean
mpi_replay_prepare (LcMpiReplay *replay, const char *folder, const char *library, GError **error)
{
  g_autofree char *plan = g_build_filename (folder, "plan", NULL);

  if (!lc_replay_mpi_plan_write (replay->replay->trace, plan, &replay->result, error))
    return FALSE;
  replay->plan = lc_replay_mpi_plan_map (plan, error);
  if (replay->plan == NULL ||
      (replay->once == NULL &&
       !lc_replay_given_open (&replay->given, replay->replay->trace, LC_GIVEN_RANKS, folder, error)) ||
      !lc_replay_mpi_threads_prepare (&replay->threads, replay->replay->trace, replay->plan, folder, &replay->given,
                                      error))
    return FALSE;
  if (replay->threads.n == 0)
    lc_replay_given_clear (&replay->given);
  if (replay->once != NULL && replay->once->second != NULL)
    lc_replay_mpi_plan_turn_round (replay->plan, replay->once->first, replay->once->second, !replay->once->keeps_order,
                                   &replay->turn);
  replay->folder = folder;
  replay->stop = (LcReplayMpiStop){
      .trace = replay->replay->trace, .plan = replay->plan, .kept = *replay->plan, .threads = &replay->threads};
  if (!mpi_replay_find_stop (replay, error))
    return FALSE;
  replay->suspected_at = g_new0 (gint64, replay->plan->n_ranks);
  return mpi_replay_find_command (replay, library, plan, error);
}

/* The library must be there for the MPI that the trace is of. */
static gboolean
mpi_replay_check (LcTrace *trace, const char *library, GError **error)
{
  g_autofree char *mpi = g_key_file_get_string (lc_trace_get_settings (trace), "trace", "mpi", NULL), *found = NULL;

  if (mpi == NULL || strchr (mpi, ',') != NULL)
    return TRUE;
  found = lc_find_mpi_library (library, "replay-mpi", mpi, error);
  return found != NULL;
}

/* Runs what is wanted. FALSE: it could not be prepared. */
static gboolean
mpi_replay_begin_all (LcMpiReplay *replay, char **folder, GError **error)
{
  g_autofree char *library = lc_find_library (error);

  if (library != NULL && mpi_replay_check (replay->replay->trace, library, error))
    *folder = lc_scratch_new ("replay", error);
  return *folder != NULL && mpi_replay_prepare (replay, *folder, library, error);
}

static void
mpi_replay_clear (LcMpiReplay *replay, char *folder)
{
  g_clear_pointer (&replay->recording, lc_recording_free);
  g_strfreev (replay->command);
  g_strfreev (replay->environment);
  lc_replay_mpi_threads_clear (&replay->threads);
  lc_replay_given_clear (&replay->given);
  g_free (replay->suspected_at);
  g_free (replay->limits);
  if (folder != NULL)
    lc_scratch_remove (folder);
  g_free (folder);
}

int
lc_replay_mpi (const LcReplayMpi *wanted)
{
  LcMpiReplay replay = {.replay = wanted};
  g_autoptr (GError) error = NULL;
  char *folder = NULL;
  int status = LC_EXIT_UNUSABLE;
  gboolean have_come = FALSE;

  if (mpi_replay_begin_all (&replay, &folder, &error))
    {
      lc_mpi_replay_warn (&replay);
      status = mpi_replay_run_all (&replay, &have_come);
      if (have_come && wanted->record != NULL &&
          !lc_replay_record_check_ranks (&replay.threads, replay.plan, wanted->record, folder, wanted->quiet))
        status = LC_EXIT_PROBLEM;
    }
  if (error != NULL)
    lc_complain ("%s", error->message);
  mpi_replay_clear (&replay, folder);
  return status;
}

/* --- One run that others tell of ------------------------------------------------------------------------------ */

static gboolean
mpi_replay_check_once (const LcMpiReplay *replay, GError **error)
{
  if (replay->replay->record == NULL || !lc_replay_mpi_threads_have_openmp (&replay->threads))
    return TRUE;
  g_set_error_literal (
      error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
      _ ("replay: --flip with --output is not for OpenMP, whose threads are not recorded once they are free"));
  return FALSE;
}

static void
mpi_replay_tell_once (LcMpiReplay *replay)
{
  LcReplayMpiOnce *once = replay->once;

  once->verdict = replay->verdict;
  once->status = replay->status;
  once->is_ended = replay->is_ended;
  once->is_turned = mpi_replay_has_turned (replay);
  if (replay->verdict == LC_REPLAY_SILENT)
    lc_mpi_replay_tell_silent (replay);
  else if (replay->verdict == LC_REPLAY_DIFFERED && replay->differing != LC_REPLAY_NONE)
    once->text = lc_replay_mpi_threads_text_difference (&replay->threads, replay->differing);
  else if (replay->verdict == LC_REPLAY_DIFFERED)
    once->text = lc_replay_mpi_text_difference (replay->replay->trace, replay->plan);
}

gboolean
lc_replay_mpi_once (const LcReplayMpi *wanted, LcReplayMpiOnce *once, GError **error)
{
  LcMpiReplay replay = {.replay = wanted, .once = once};
  char *folder = NULL;
  gboolean good;

  once->verdict = LC_REPLAY_SILENT;
  good = mpi_replay_begin_all (&replay, &folder, error) && mpi_replay_check_once (&replay, error) &&
         mpi_replay_run (&replay, error);
  if (good)
    mpi_replay_tell_once (&replay);
  mpi_replay_clear (&replay, folder);
  return good;
}
