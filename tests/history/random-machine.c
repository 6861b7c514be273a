/* SPDX-License-Identifier: Apache-2.0 */
/* Goes through a run ns by ns: a scheduler gives processors to those that are ready, and takes them away again. */
#include "random-machine.h"

#define N_MUTEXES 3
#define STEPS 12
#define NOBODY (-1)

typedef enum
{
  COMPUTE,
  ENTER, /* at the begin of a lock */
  LEAVE, /* has the lock, and ends the operation */
  HOLD,
  UNLOCK,
  END,
} Phase;

typedef struct
{
  guint number;
  GString *text;
  Phase phase;
  guint left; /* ns to run in this phase */
  gboolean fresh;
  guint64 begin; /* of the operation */
  guint mutex, steps;
  guint64 sequence;
  gint cpu;
  gboolean is_started, is_blocked, is_over;
  gboolean was_blocked; /* when it lost its processor */
  guint64 off_since, nap_until;
} Machinist;

typedef struct
{
  gint owner;
  guint64 acquisitions;
  GQueue waiting; /* Machinist */
} MachineMutex;

typedef struct
{
  GRand *random;
  RandomMachine *machine;
  Machinist *processes;
  MachineMutex mutexes[N_MUTEXES];
  gint *cpus; /* who is on each */
  guint64 now;
} Machinery;

static guint
machinery_choose (Machinery *machinery, guint low, guint high)
{
  return (guint)g_rand_int_range (machinery->random, (gint)low, (gint)high + 1);
}

static void
machinery_go (Machinery *machinery, Machinist *process, Phase phase, guint most)
{
  process->phase = phase;
  process->left = machinery_choose (machinery, 1, most);
  process->fresh = TRUE;
}

static void
machinery_write (Machinery *machinery, Machinist *process, const char *operation)
{
  g_string_append_printf (
      process->text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s m%u %" G_GUINT64_FORMAT " cpu=%d at=%s@a.c:%u\n",
      process->begin, machinery->now + 1, operation, process->mutex, process->sequence, process->cpu, operation,
      process->number + 1);
}

static void
machinery_take (Machinery *machinery, Machinist *process)
{
  MachineMutex *mutex = &machinery->mutexes[process->mutex];

  mutex->owner = (gint)process->number;
  process->sequence = ++mutex->acquisitions;
  process->is_blocked = FALSE;
  process->phase = LEAVE;
  process->left = machinery_choose (machinery, 1, 3);
  process->fresh = FALSE;
}

static void
machinery_give (Machinery *machinery, Machinist *process)
{
  MachineMutex *mutex = &machinery->mutexes[process->mutex];
  Machinist *next = g_queue_pop_head (&mutex->waiting);

  mutex->owner = NOBODY;
  if (next != NULL)
    machinery_take (machinery, next);
}

static void
machinery_end_computing (Machinery *machinery, Machinist *process)
{
  if (process->steps == 0)
    machinery_go (machinery, process, END, 1);
  else if (machinery_choose (machinery, 0, 3) == 0)
    {
      process->is_blocked = TRUE;
      process->nap_until = machinery->now + 1 + machinery_choose (machinery, 1, 30);
      machinery_go (machinery, process, COMPUTE, 10);
    }
  else
    {
      process->mutex = machinery_choose (machinery, 0, N_MUTEXES - 1);
      machinery_go (machinery, process, ENTER, 3);
    }
  process->steps -= process->steps > 0;
}

static void
machinery_end_phase (Machinery *machinery, Machinist *process)
{
  MachineMutex *mutex = &machinery->mutexes[process->mutex];

  switch (process->phase)
    {
    case COMPUTE:
      machinery_end_computing (machinery, process);
      break;
    case ENTER:
      if (mutex->owner == NOBODY)
        machinery_take (machinery, process);
      else
        {
          process->is_blocked = TRUE;
          process->nap_until = G_MAXUINT64;
          g_queue_push_tail (&mutex->waiting, process);
        }
      break;
    case LEAVE:
      machinery_write (machinery, process, "lock");
      machinery_go (machinery, process, HOLD, 20);
      break;
    case HOLD:
      machinery_go (machinery, process, UNLOCK, 3);
      break;
    case UNLOCK:
      machinery_write (machinery, process, "unlock");
      machinery_give (machinery, process);
      machinery_go (machinery, process, COMPUTE, 30);
      break;
    case END:
    default:
      g_string_append_printf (process->text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " tag cpu=%d\n%%switches\n",
                              machinery->now + 1, machinery->now + 1, process->cpu);
      process->is_over = TRUE;
    }
}

static void
machinery_step (Machinery *machinery, Machinist *process)
{
  if (process->fresh)
    process->begin = machinery->now;
  process->fresh = FALSE;
  if (--process->left == 0)
    machinery_end_phase (machinery, process);
}

/* --- The scheduler ----------------------------------------------------------------------------------------------- */

static void
machinery_leave_cpu (Machinery *machinery, Machinist *process)
{
  machinery->cpus[process->cpu] = NOBODY;
  process->cpu = NOBODY;
  process->off_since = machinery->now;
  process->was_blocked = process->is_blocked;
}

static void
machinery_come (Machinery *machinery, Machinist *process, guint cpu)
{
  machinery->cpus[cpu] = (gint)process->number;
  process->cpu = (gint)cpu;
  if (process->is_started && process->off_since < machinery->now)
    g_string_append_printf (process->text, "%%absent %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s\n",
                            process->off_since, machinery->now, process->was_blocked ? "blocked" : "preempted");
  if (!process->is_started)
    g_string_append_printf (process->text, "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " tag cpu=%u\n", machinery->now,
                            machinery->now, cpu);
  process->is_started = TRUE;
}

static Machinist *
machinery_choose_ready (Machinery *machinery)
{
  const guint n = machinery->machine->n_processes, first = machinery_choose (machinery, 0, n - 1);

  for (guint i = 0; i < n; i++)
    {
      Machinist *process = &machinery->processes[(first + i) % n];

      if (process->cpu == NOBODY && !process->is_blocked && !process->is_over)
        return process;
    }
  return NULL;
}

static void
machinery_schedule (Machinery *machinery)
{
  for (guint i = 0; i < machinery->machine->n_processes; i++)
    {
      Machinist *process = &machinery->processes[i];

      if (process->is_blocked && machinery->now >= process->nap_until)
        process->is_blocked = FALSE;
      if (process->cpu != NOBODY &&
          (process->is_blocked || process->is_over || machinery_choose (machinery, 0, 15) == 0))
        machinery_leave_cpu (machinery, process);
    }
  for (guint cpu = 0; cpu < machinery->machine->n_processors; cpu++)
    {
      Machinist *process = machinery->cpus[cpu] == NOBODY ? machinery_choose_ready (machinery) : NULL;

      if (process != NULL)
        machinery_come (machinery, process, cpu);
    }
}

/* FALSE: all have ended. */
static gboolean
machinery_run (Machinery *machinery)
{
  RandomMachine *machine = machinery->machine;
  gboolean is_going_on = FALSE;
  guint running = 0;

  machinery_schedule (machinery);
  for (guint i = 0; i < machine->n_processes; i++)
    {
      Machinist *process = &machinery->processes[i];

      is_going_on |= !process->is_over;
      if (process->cpu == NOBODY)
        continue;
      running++;
      machine->scheduled[i]++;
      machinery_step (machinery, process);
    }
  g_array_append_val (machine->running, running);
  machinery->now++;
  return is_going_on;
}

RandomMachine *
random_machine_new (guint32 seed, guint n_processes, guint n_processors)
{
  RandomMachine *machine = g_new0 (RandomMachine, 1);
  g_autofree Machinist *processes = g_new0 (Machinist, n_processes);
  g_autofree gint *cpus = g_new (gint, n_processors);
  Machinery machinery = {
      .random = g_rand_new_with_seed (seed), .machine = machine, .processes = processes, .cpus = cpus};

  *machine = (RandomMachine){.n_processes = n_processes,
                             .n_processors = n_processors,
                             .texts = g_ptr_array_new_with_free_func (g_free),
                             .running = g_array_new (FALSE, FALSE, sizeof (guint)),
                             .scheduled = g_new0 (guint64, n_processes)};
  for (guint i = 0; i < n_processors; i++)
    cpus[i] = NOBODY;
  for (guint i = 0; i < N_MUTEXES; i++)
    machinery.mutexes[i] = (MachineMutex){.owner = NOBODY, .waiting = G_QUEUE_INIT};
  for (guint i = 0; i < n_processes; i++)
    {
      processes[i] = (Machinist){.number = i, .text = g_string_new (NULL), .steps = STEPS, .cpu = NOBODY};
      machinery_go (&machinery, &processes[i], COMPUTE, 20);
    }
  while (machinery_run (&machinery))
    g_assert_cmpuint (machinery.now, <, 100000);
  for (guint i = 0; i < n_processes; i++)
    g_ptr_array_add (machine->texts, g_string_free (processes[i].text, FALSE));
  g_rand_free (machinery.random);
  return machine;
}

void
random_machine_free (RandomMachine *machine)
{
  g_ptr_array_unref (machine->texts);
  g_array_unref (machine->running);
  g_free (machine->scheduled);
  g_free (machine);
}
