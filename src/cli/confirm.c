/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlocks that did not happen, each tried by a replay that is steered into it. */
#include "confirm.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <sys/mman.h>

#include "command.h"
#include "find-library.h"
#include "replay-program.h"
#include "replay-run.h"
#include "scratch.h"

enum
{
  PATIENCE_OF_TRIAL = 10 * 1000000, /* us */
};

typedef struct
{
  LcTrace *trace;
  char **command;
  char **environment;
  const char *path; /* of the plan */
} Confirming;

const char *
lc_confirmation_name (LcConfirmation confirmation)
{
  static const char *const names[] = {NULL, "deadlock", "impossible", "differed", "elsewhere", "unknown"};

  return names[confirmation];
}

const char *
lc_confirmation_describe (LcConfirmation confirmation)
{
  switch (confirmation)
    {
    case LC_CONFIRM_DEADLOCK:
      return _ ("confirmed: a replay came to it");
    case LC_CONFIRM_IMPOSSIBLE:
      return _ ("not confirmed: no order of the recorded events leads to it");
    case LC_CONFIRM_DIFFERED:
      return _ ("not confirmed: on the way the program did something else");
    case LC_CONFIRM_ELSEWHERE:
      return _ ("not confirmed: on the way a process waited for what a replay cannot give it");
    case LC_CONFIRM_UNKNOWN:
      return _ ("not confirmed: it could not be replayed");
    case LC_CONFIRM_UNTRIED:
    default:
      return _ ("not confirmed");
    }
}

/* Each process has the lock that its recorded history gave it, for all before its last event is done. */
static gboolean
confirm_is_there (struct lc_replay_header *plan, const LcLockCycle *cycle)
{
  const struct lc_replay_thread *threads = lc_replay_plan_threads (plan);
  guint n = 0;

  for (guint32 i = 0; i < plan->n_threads; i++)
    for (guint k = 0; k < cycle->n; k++)
      n += threads[i].process == cycle->waiters[k].process && threads[i].n_events > 0 &&
           threads[i].next == threads[i].n_events - 1 && threads[i].state == LC_REPLAY_WAITING;
  return n == cycle->n;
}

static LcConfirmation
confirm_run (const Confirming *confirming, struct lc_replay_header *plan, const LcLockCycle *cycle)
{
  const LcReplayRun run = {.plan = plan,
                           .command = confirming->command,
                           .environment = confirming->environment,
                           .kills = TRUE,
                           .until = LC_REPLAY_NONE,
                           .patience = PATIENCE_OF_TRIAL};
  g_autoptr (GError) error = NULL;
  LcReplayStop stops[LC_LOCK_CYCLE_MOST];
  LcReplayOutcome outcome;

  for (guint i = 0; i < cycle->n; i++)
    stops[i] = (LcReplayStop){cycle->waiters[i].process, cycle->waiters[i].ordinal};
  if (!lc_replay_plan_steer (plan, stops, cycle->n, NULL))
    return LC_CONFIRM_IMPOSSIBLE;
  if (!lc_replay_run (&run, &outcome, &error))
    {
      lc_complain ("%s", error->message);
      return LC_CONFIRM_UNKNOWN;
    }
  if (outcome.verdict == LC_REPLAY_DIFFERED || outcome.verdict == LC_REPLAY_SHORT)
    return LC_CONFIRM_DIFFERED;
  if (outcome.verdict == LC_REPLAY_SILENT)
    return LC_CONFIRM_UNKNOWN;
  return confirm_is_there (plan, cycle) ? LC_CONFIRM_DEADLOCK : LC_CONFIRM_ELSEWHERE;
}

/* A plan that was steered is of no use for the next cycle. */
static gboolean
confirm_cycle (const Confirming *confirming, const LcLockCycle *cycle, LcConfirmation *confirmation)
{
  g_autoptr (GError) error = NULL;
  struct lc_replay_header *plan;
  LcReplayPlan result;
  GStatBuf status;

  g_unlink (confirming->path);
  if (!lc_replay_plan_write (confirming->trace, confirming->path, NULL, &result, &error))
    {
      lc_complain ("%s", error->message);
      return FALSE;
    }
  plan = lc_replay_map_plan (confirming->path);
  if (plan == NULL)
    return FALSE;
  *confirmation = confirm_run (confirming, plan, cycle);
  if (g_stat (confirming->path, &status) == 0)
    munmap (plan, (gsize)status.st_size);
  return lc_replay_run_get_signal () == 0;
}

static gboolean
confirm_all (const LcLockCycles *cycles, LcTrace *trace, char **command, const char *library, const char *folder,
             LcConfirmation *confirmations)
{
  g_autofree char *path = g_build_filename (folder, "plan", NULL);
  g_auto (GStrv) environment = lc_replay_make_environment (trace, library, path, NULL);
  const Confirming confirming = {trace, command, environment, path};

  lc_replay_run_begin ();
  for (guint i = 0; i < cycles->cycles->len; i++)
    if (!confirm_cycle (&confirming, &g_array_index (cycles->cycles, LcLockCycle, i), &confirmations[i]))
      return FALSE;
  return TRUE;
}

LcConfirmation *
lc_confirm_cycles (const LcLockCycles *cycles, const char *directory)
{
  char *no_other[] = {NULL};
  g_autofree LcConfirmation *confirmations = g_new0 (LcConfirmation, MAX (cycles->cycles->len, 1));
  g_autoptr (GError) error = NULL;
  g_autofree char *library = lc_find_replay_library (&error), *path = g_canonicalize_filename (directory, NULL);
  g_autoptr (LcTrace) trace = library != NULL ? lc_trace_open (path, &error) : NULL;
  g_auto (GStrv) command = NULL;
  g_autofree char *folder = NULL;
  gboolean done;

  if (cycles->cycles->len == 0)
    return g_steal_pointer (&confirmations);
  command = trace != NULL ? lc_replay_find_command (trace, no_other) : NULL;
  if (command != NULL && !lc_replay_check_program (command[0]))
    return NULL;
  folder = command != NULL ? lc_scratch_new ("confirm", &error) : NULL;
  if (error != NULL)
    lc_complain ("%s", error->message);
  if (folder == NULL)
    return NULL;
  done = confirm_all (cycles, trace, command, library, folder, confirmations);
  lc_scratch_remove (folder);
  return done ? g_steal_pointer (&confirmations) : NULL;
}
