/* SPDX-License-Identifier: Apache-2.0 */
/* A race turned round: the program runs again, and the second one gets the lock first. */
#include "flip.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <sys/wait.h>

#include "command.h"
#include "find-library.h"
#include "replay-program.h"
#include "replay-run.h"
#include "scratch.h"

enum
{
  PATIENCE_OF_FLIP = 10 * 1000000, /* us */
};

typedef struct
{
  LcReplayRun run;
  guint32 waiting;    /* the thread that is to be second now */
  gboolean is_turned; /* it came to its event after the other one had done its own */
} Flip;

static guint32
flip_find_thread (struct lc_replay_header *plan, guint32 process)
{
  for (guint32 i = 0; i < plan->n_threads; i++)
    if (lc_replay_plan_threads (plan)[i].process == process)
      return i;
  return LC_REPLAY_NONE;
}

static void
flip_note (gpointer data)
{
  Flip *flip = data;
  const struct lc_replay_thread *thread = &lc_replay_plan_threads (flip->run.plan)[flip->waiting];

  flip->is_turned = thread->state == LC_REPLAY_WAITING && thread->next + 1 == thread->n_events;
}

/* Gives "exit 3" or "signal 6", as trace.ini has it. */
static char *
flip_dup_status (int status)
{
  return WIFSIGNALED (status) ? g_strdup_printf ("signal %d", WTERMSIG (status))
                              : g_strdup_printf ("exit %d", WEXITSTATUS (status));
}

static int
flip_tell (LcTrace *trace, const Flip *flip, const LcReplayOutcome *outcome)
{
  g_autofree char *came = flip_dup_status (outcome->status);
  g_autofree char *recorded = g_key_file_get_string (lc_trace_get_settings (trace), "trace", "status", NULL);

  if (!flip->is_turned)
    {
      g_print (outcome->verdict == LC_REPLAY_DIFFERED
                   ? _ ("not turned round: on the way the program did something else\n")
                   : _ ("not turned round: on the way a process waited for what a replay cannot give it\n"));
      return LC_EXIT_PROBLEM;
    }
  if (g_strcmp0 (came, recorded) == 0)
    {
      g_print (_ ("turned round, then free; the program ended as recorded: %s\n"), came);
      return LC_EXIT_GOOD;
    }
  g_print (_ ("turned round, then free; the program ended otherwise: %s, recorded: %s\n"), came,
           recorded != NULL ? recorded : "?");
  return LC_EXIT_PROBLEM;
}

static int
flip_run (LcTrace *trace, const LcRacePair *pair, Flip *flip)
{
  const LcReplayStop stop = {pair->first.process, pair->first.ordinal};
  const LcReplayStop need = {pair->second.process, pair->second.ordinal};
  g_autoptr (GError) error = NULL;
  LcReplayOutcome outcome;

  flip->waiting = flip_find_thread (flip->run.plan, pair->first.process);
  flip->run.until = flip_find_thread (flip->run.plan, pair->second.process);
  if (flip->waiting == LC_REPLAY_NONE || flip->run.until == LC_REPLAY_NONE ||
      !lc_replay_plan_steer (flip->run.plan, &stop, 1, &need))
    {
      g_print (_ ("infeasible: no order of the recorded events leads there\n"));
      return LC_EXIT_PROBLEM;
    }
  lc_replay_run_begin ();
  if (!lc_replay_run (&flip->run, &outcome, &error))
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  if (lc_replay_run_get_signal () != 0)
    return LC_EXIT_UNUSABLE;
  return flip_tell (trace, flip, &outcome);
}

static int
flip_in (const char *folder, LcTrace *trace, const char *library, char **command, const LcRacePair *pair)
{
  g_autofree char *path = g_build_filename (folder, "plan", NULL);
  g_auto (GStrv) environment = lc_replay_make_environment (library, path);
  Flip flip = {.run = {.command = command, .environment = environment, .goes_on = TRUE, .patience = PATIENCE_OF_FLIP}};
  g_autoptr (GError) error = NULL;
  LcReplayPlan result;

  flip.run.stopped = flip_note;
  flip.run.data = &flip;
  if (!lc_replay_plan_write (trace, path, NULL, &result, &error))
    {
      lc_complain ("%s", error->message);
      return LC_EXIT_UNUSABLE;
    }
  flip.run.plan = lc_replay_map_plan (path);
  return flip.run.plan != NULL ? flip_run (trace, pair, &flip) : LC_EXIT_UNUSABLE;
}

int
lc_flip_race (const char *directory, const LcRacePair *pair)
{
  char *no_other[] = {NULL};
  g_autoptr (GError) error = NULL;
  g_autofree char *library = lc_find_replay_library (&error), *path = g_canonicalize_filename (directory, NULL);
  g_autoptr (LcTrace) trace = library != NULL ? lc_trace_open (path, &error) : NULL;
  g_auto (GStrv) command = trace != NULL ? lc_replay_find_command (trace, no_other) : NULL;
  g_autofree char *folder = NULL;
  int status;

  if (command != NULL && !lc_replay_check_program (command[0]))
    return LC_EXIT_UNUSABLE;
  folder = command != NULL ? lc_scratch_new ("flip", &error) : NULL;
  if (error != NULL)
    lc_complain ("%s", error->message);
  if (folder == NULL)
    return LC_EXIT_UNUSABLE;
  status = flip_in (folder, trace, library, command, pair);
  lc_scratch_remove (folder);
  return status;
}
