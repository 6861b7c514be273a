/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program by a plan, and watches how far its threads come. */
#include "replay-run.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process-table.h"
#include "process-waits.h"

enum
{
  LOOK_PAUSE = 10000,         /* us */
  STILL_LOOKS = 5,            /* in which nothing has moved: two would do */
  PATIENCE = 2 * 1000000,     /* us, from the wish that the program ends to its death */
  AWAITED = 2 * 1000000,      /* us in which nothing moves, after which no index that a thread awaits is to come */
  STILL_BEFORE = 2 * 1000000, /* us in which nothing has moved before threads that have no turns are looked at ... */
  LOOK_AT_THREADS = 500000,   /* ... us between two looks at them */
  STILL_THREADS = 6,          /* such looks between which none of them has run */
  BUSY = 50000,               /* us of processor time in which a program does something */
};

static volatile sig_atomic_t replay_run_signal;

static void
replay_run_note_signal (int number)
{
  replay_run_signal = number;
}

void
lc_replay_run_begin (void)
{
  struct sigaction action = {.sa_handler = replay_run_note_signal};

  sigaction (SIGINT, &action, NULL);
  sigaction (SIGTERM, &action, NULL);
  sigaction (SIGHUP, &action, NULL);
}

int
lc_replay_run_get_signal (void)
{
  return replay_run_signal;
}

/* --- Looking ------------------------------------------------------------------------------------------------- */

/* Whether the thread that leaves waits for another one: else it goes on, but may look only some time later. */
static gboolean
replay_run_is_awaited (struct lc_replay_header *plan)
{
  const struct lc_replay_thread *threads = lc_replay_plan_threads (plan);

  for (guint32 i = 1; i < plan->n_threads; i++)
    if (__atomic_load_n (&threads[i].state, __ATOMIC_ACQUIRE) != LC_REPLAY_UNBORN &&
        __atomic_load_n (&threads[i].next, __ATOMIC_ACQUIRE) < threads[i].n_events)
      return TRUE;
  return FALSE;
}

/* Whether a thread cannot go on by itself. */
static gboolean
replay_run_is_held (struct lc_replay_header *plan, const struct lc_replay_thread *thread, enum lc_replay_state state)
{
  const struct lc_replay_event *event = lc_replay_plan_event (plan, thread, thread->next);
  guint32 steps, needed;

  if (state == LC_REPLAY_RUNNING || state == LC_REPLAY_INSIDE || state == LC_REPLAY_LEFT)
    return FALSE;
  if (state == LC_REPLAY_LEAVING)
    return replay_run_is_awaited (plan);
  if (state == LC_REPLAY_AT_END)
    return thread->next >= __atomic_load_n (&thread->limit, __ATOMIC_ACQUIRE);
  if (state != LC_REPLAY_WAITING && state != LC_REPLAY_GATHERING)
    return TRUE;
  if (event == NULL)
    return FALSE;
  steps = __atomic_load_n (&lc_replay_plan_objects (plan)[event->object].steps, __ATOMIC_ACQUIRE);
  needed = event->after + (state == LC_REPLAY_GATHERING ? event->value : 0);
  return steps < needed;
}

LcReplayLook
lc_replay_run_look (struct lc_replay_header *plan)
{
  const struct lc_replay_thread *threads = lc_replay_plan_threads (plan);
  LcReplayLook look = {.is_held = TRUE};

  for (guint32 i = 0; i < plan->n_threads; i++)
    {
      enum lc_replay_state state = __atomic_load_n (&threads[i].state, __ATOMIC_ACQUIRE);

      look.moved += __atomic_load_n (&threads[i].next, __ATOMIC_ACQUIRE) + (guint64)state;
      if (state == LC_REPLAY_UNBORN || state == LC_REPLAY_ENDED)
        continue;
      look.alive++;
      look.awaiting += state == LC_REPLAY_AWAITING;
      look.inside += state == LC_REPLAY_INSIDE;
      look.waiting += state == LC_REPLAY_WAITING || state == LC_REPLAY_GATHERING || state == LC_REPLAY_AWAITING;
      look.is_held &= state == LC_REPLAY_INSIDE || replay_run_is_held (plan, &threads[i], state);
    }
  look.is_held &= look.alive > 0;
  look.is_still = look.is_held && look.inside == 0;
  return look;
}

void
lc_replay_run_restore (struct lc_replay_header *plan, const struct lc_replay_header *kept)
{
  plan->n_threads = kept->n_threads;
  plan->n_objects = kept->n_objects;
  plan->n_sites = kept->n_sites;
  plan->n_modules = kept->n_modules;
  plan->n_events = kept->n_events;
  plan->threads = kept->threads;
  plan->objects = kept->objects;
  plan->sites = kept->sites;
  plan->modules = kept->modules;
  plan->events = kept->events;
  plan->thread = MIN (plan->thread, plan->n_threads - 1);
}

gboolean
lc_replay_run_is_still (struct lc_replay_header *plan, guint64 *moved)
{
  const LcReplayLook look = lc_replay_run_look (plan);

  *moved = look.moved;
  return look.is_still && look.awaiting == 0;
}

/* --- Running ------------------------------------------------------------------------------------------------- */

typedef struct
{
  const LcReplayRun *run;
  LcReplayOutcome *outcome;
  pid_t pid;
  struct lc_replay_header kept;
  LcReplayLook last;
  guint still;
  gint64 moved;     /* when anything has moved last */
  gint64 spent;     /* us of processor time that the program had used then */
  gint64 asked;     /* when the program was asked to end; 0: it was not */
  gint64 looked;    /* when threads that have no turns were looked at last */
  guint64 switches; /* that had been seen of them then */
  guint still_threads;
  gboolean is_given_up; /* they waited for each other for ever */
} Running;

/* Nobody is left behind whatever happens to this process. */
static void
replay_run_set_up (gpointer data)
{
  const LcReplayRun *run = data;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (run->output > 0)
    dup2 (run->output, STDOUT_FILENO);
}

/* The program itself, and not its recorder. The plan is no proof of who that is. */
static pid_t
running_find_program (const Running *running)
{
  const pid_t program = (pid_t)running->run->plan->program;

  return running->run->is_recorded && program > 1 && lc_process_descends (program, running->pid) ? program
                                                                                                 : running->pid;
}

/* A recorder that is killed would leave the program behind. */
static void
running_kill (const Running *running)
{
  kill (running_find_program (running), SIGKILL);
}

static void
running_end (Running *running)
{
  if (running->asked == 0)
    {
      running->outcome->is_ended = TRUE;
      running->asked = g_get_monotonic_time ();
      kill (running->pid, running->run->kills ? SIGKILL : SIGTERM);
    }
  else if (g_get_monotonic_time () - running->asked > PATIENCE)
    running_kill (running);
}

static void
running_go_on (Running *running)
{
  if (running->run->goes_on)
    __atomic_store_n (&running->run->plan->mode, LC_REPLAY_FREE, __ATOMIC_RELEASE);
  else
    running_end (running);
}

static gboolean
running_has_come (const Running *running, const LcReplayLook *look)
{
  struct lc_replay_header *plan = running->run->plan;

  if (running->run->until == LC_REPLAY_NONE)
    return look->waiting == 0;
  return lc_replay_plan_threads (plan)[running->run->until].state == LC_REPLAY_AT_END;
}

/* us; 0: not known. */
static gint64
running_get_spent (const Running *running)
{
  struct timespec time = {0};
  clockid_t clock;

  if (clock_getcpuclockid (running_find_program (running), &clock) != 0 || clock_gettime (clock, &time) != 0)
    return 0;
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* Tells whether the threads wait for something that has no turns. */
static gboolean
running_is_idle (Running *running)
{
  const gint64 now = g_get_monotonic_time ();

  if (running->run->patience == 0 || now - running->moved <= running->run->patience)
    return FALSE;
  if (running->run->until == LC_REPLAY_NONE || running_get_spent (running) - running->spent < BUSY)
    return TRUE;
  running->moved = now;
  running->spent = running_get_spent (running);
  return FALSE;
}

/* Tells whether no thread can go on. Only time tells that nobody brings an index. */
static gboolean
running_is_still (const Running *running, const LcReplayLook *look)
{
  return running->still >= STILL_LOOKS && (look->awaiting == 0 || g_get_monotonic_time () - running->moved > AWAITED);
}

/* Lists the threads that cannot go on without others. Those that are free have no turns. */
static void
running_list_waiting (const Running *running, GArray *held, GArray *awaiting)
{
  struct lc_replay_header *plan = running->run->plan;
  const struct lc_replay_thread *threads = lc_replay_plan_threads (plan);

  for (guint32 i = 0; i < plan->n_threads; i++)
    {
      const enum lc_replay_state state = __atomic_load_n (&threads[i].state, __ATOMIC_ACQUIRE);
      const pid_t id = (pid_t)threads[i].id;

      if (state == LC_REPLAY_UNBORN || state == LC_REPLAY_ENDED)
        continue;
      if (plan->mode == LC_REPLAY_FOLLOW && state != LC_REPLAY_AWAITING &&
          replay_run_is_held (plan, &threads[i], state))
        g_array_append_val (held, id);
      else if (running->run->given != NULL && lc_replay_given_awaits (running->run->given, &threads[i]) >= 0)
        g_array_append_val (awaiting, id);
    }
}

/* Tells whether the threads wait for each other for ever, some of them for what has no turns: then none of these runs
 * between many looks. What waits for something outside is left alone, however long it takes. */
static gboolean
running_is_dead (Running *running)
{
  const gint64 now = g_get_monotonic_time ();
  g_autoptr (GArray) held = NULL, awaiting = NULL;
  guint64 switches;
  gboolean waits;

  if (running->run->patience != 0 || now - running->moved < STILL_BEFORE || now - running->looked < LOOK_AT_THREADS)
    return FALSE;
  held = g_array_new (FALSE, FALSE, sizeof (pid_t));
  awaiting = g_array_new (FALSE, FALSE, sizeof (pid_t));
  running_list_waiting (running, held, awaiting);
  waits = lc_process_waits_for_itself (running_find_program (running), held, awaiting, &switches);
  running->still_threads =
      waits && switches == running->switches && running->looked > running->moved ? running->still_threads + 1 : 0;
  running->switches = switches;
  running->looked = now;
  return running->still_threads >= STILL_THREADS;
}

/* Tells whether the program, which is free, does nothing any more. */
static gboolean
running_hangs (Running *running)
{
  const gint64 now = g_get_monotonic_time (), spent = running_get_spent (running);

  if (running->run->hang == 0 || running->run->plan->mode != LC_REPLAY_FREE)
    return FALSE;
  if (spent - running->spent >= BUSY)
    {
      running->moved = now;
      running->spent = spent;
    }
  return now - running->moved > running->run->hang;
}

/* A thread that is at the end of its history brings the program to the end that it had then: others may have come
 * further than this time. */
static gboolean
replay_run_is_same_end (const LcReplayRun *run, const LcReplayOutcome *outcome)
{
  const struct lc_replay_thread *threads = lc_replay_plan_threads (run->plan);

  if (outcome->is_ended || run->signal == 0 || !WIFSIGNALED (outcome->status) ||
      WTERMSIG (outcome->status) != run->signal)
    return FALSE;
  for (guint32 i = 0; i < run->plan->n_threads; i++)
    if (threads[i].state == LC_REPLAY_RUNNING && threads[i].next == threads[i].n_events)
      return TRUE;
  return FALSE;
}

/* What the threads have done says it, unless somebody has seen more. */
static LcReplayVerdict
replay_run_judge (const LcReplayRun *run, const LcReplayOutcome *outcome)
{
  struct lc_replay_header *plan = run->plan;
  const struct lc_replay_thread *threads = lc_replay_plan_threads (plan);

  if (plan->program == 0)
    return LC_REPLAY_SILENT;
  if (plan->difference != LC_REPLAY_SAME)
    return LC_REPLAY_DIFFERED;
  for (guint32 i = 0; i < plan->n_threads; i++)
    if (threads[i].next < MIN (threads[i].limit, threads[i].n_events))
      return replay_run_is_same_end (run, outcome) ? LC_REPLAY_REACHED : LC_REPLAY_SHORT;
  return LC_REPLAY_REACHED;
}

static void
running_give_up (Running *running, const LcReplayLook *look)
{
  const LcReplayRun *run = running->run;

  running->outcome->verdict = LC_REPLAY_STUCK;
  if (run->until != LC_REPLAY_NONE && running_has_come (running, look))
    running->outcome->verdict = LC_REPLAY_REACHED;
  if (running->outcome->verdict == LC_REPLAY_REACHED && run->stopped != NULL)
    run->stopped (run->data, running->pid);
  if (run->until != LC_REPLAY_NONE || run->goes_on)
    running_go_on (running);
  else
    running_end (running);
}

/* Threads that had waited so in the recording, too, have come to its end. */
static void
running_bury (Running *running)
{
  running->is_given_up = TRUE;
  running->still_threads = 0;
  running->outcome->verdict =
      replay_run_judge (running->run, running->outcome) == LC_REPLAY_REACHED ? LC_REPLAY_REACHED : LC_REPLAY_STUCK;
  running_go_on (running);
}

static void
running_look (Running *running)
{
  struct lc_replay_header *plan = running->run->plan;
  gboolean is_same;
  LcReplayLook look;

  lc_replay_run_restore (running->run->plan, &running->kept);
  if (running->run->probes != NULL && running_find_program (running) != running->pid)
    lc_replay_probes_look (running->run->probes, running_find_program (running));
  look = lc_replay_run_look (plan);
  is_same = look.is_still && look.moved == running->last.moved;
  running->still = is_same ? running->still + 1 : 0;
  if (look.moved != running->last.moved || running->moved == 0)
    {
      running->moved = g_get_monotonic_time ();
      running->spent = running_get_spent (running);
    }
  running->last = look;
  if (running->asked != 0 || replay_run_signal != 0)
    running_end (running);
  else if (__atomic_load_n (&plan->difference, __ATOMIC_ACQUIRE) != LC_REPLAY_SAME && plan->mode != LC_REPLAY_FREE)
    {
      running->outcome->verdict = LC_REPLAY_DIFFERED;
      running_go_on (running);
    }
  else if (running_is_still (running, &look) && plan->mode == LC_REPLAY_FOLLOW)
    {
      running->outcome->verdict = running_has_come (running, &look) ? LC_REPLAY_REACHED : LC_REPLAY_STUCK;
      if (running->outcome->verdict == LC_REPLAY_REACHED && running->run->stopped != NULL)
        running->run->stopped (running->run->data, running->pid);
      running_go_on (running);
    }
  else if (plan->mode == LC_REPLAY_FOLLOW && running_is_idle (running))
    running_give_up (running, &look);
  else if (plan->mode == LC_REPLAY_FOLLOW && running_is_dead (running))
    running_bury (running);
  else if (running_hangs (running) || (running->is_given_up && running_is_dead (running)))
    {
      running->outcome->has_hung = TRUE;
      running_end (running);
    }
}

/* The end is seen soon without looking all the time. */
static void
running_wait (Running *running)
{
  for (gulong pause = 500;; pause = MIN (pause * 2, LOOK_PAUSE))
    {
      pid_t child = waitpid (running->pid, &running->outcome->status, WNOHANG);

      if (child == running->pid || (child < 0 && errno != EINTR))
        return;
      running_look (running);
      g_usleep (pause);
    }
}

gboolean
lc_replay_run (const LcReplayRun *run, LcReplayOutcome *outcome, GError **error)
{
  const LcReplayVerdict open = LC_REPLAY_VERDICTS;
  Running running = {.run = run, .outcome = outcome, .kept = *run->plan};

  *outcome = (LcReplayOutcome){.verdict = open};
  lc_replay_plan_begin (run->plan, run->goes_on ? LC_REPLAY_FREE : LC_REPLAY_HOLD);
  if (!g_spawn_async (NULL, run->command, run->environment,
                      G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH | G_SPAWN_LEAVE_DESCRIPTORS_OPEN |
                          G_SPAWN_CHILD_INHERITS_STDIN,
                      replay_run_set_up, (gpointer)run, &running.pid, error))
    return FALSE;
  running_wait (&running);
  lc_replay_run_restore (running.run->plan, &running.kept);
  if (outcome->verdict == open || outcome->verdict == LC_REPLAY_REACHED)
    {
      LcReplayVerdict judged = replay_run_judge (run, outcome);

      /* Where a history was cut, others may have ended after it was seen that none of them could go on. */
      if (outcome->verdict == open || judged == LC_REPLAY_DIFFERED)
        outcome->verdict = judged;
    }
  return TRUE;
}
