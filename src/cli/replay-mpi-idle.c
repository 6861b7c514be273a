/* SPDX-License-Identifier: Apache-2.0 */
/* Measures for how long the ranks of a replay have done nothing. */
#include "replay-mpi-idle.h"

#include <time.h>

enum
{
  BUSY = 500000000, /* ns of processor time in which ranks do something: less is looking whether others have */
};

/* ns; 0: there is no such process. */
static guint64
idle_get_process_time (pid_t process)
{
  struct timespec time = {0};
  clockid_t clock;

  if (process <= 0 || clock_getcpuclockid (process, &clock) != 0 || clock_gettime (clock, &time) != 0)
    return 0;
  return (guint64)time.tv_sec * 1000000000 + (guint64)time.tv_nsec;
}

/* ns; 0: there is no such thread. */
static guint64
idle_get_thread_time (pid_t process, guint32 thread)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%u/schedstat", (int)process, thread), *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_ascii_strtoull (text, NULL, 10) : 0;
}

/* Counts what a rank has computed, without its threads that wait in MPI, perhaps for all others in MPI_Finalize. */
static guint64
idle_get_spent (struct lc_replay_mpi_header *plan, guint32 number)
{
  const struct lc_replay_mpi_rank *histories = lc_replay_mpi_ranks (plan);
  const pid_t process = (pid_t)histories[number].pid;
  guint64 spent = idle_get_process_time (process), waiting = 0;

  for (guint32 i = 0; i < plan->n_ranks; i++)
    {
      const guint32 state = __atomic_load_n (&histories[i].state, __ATOMIC_ACQUIRE);

      if (histories[i].number == number && state != LC_REPLAY_MPI_RUNNING && state != LC_REPLAY_MPI_UNBORN)
        waiting += idle_get_thread_time (process, histories[i].thread);
    }
  return spent > waiting ? spent - waiting : 0;
}

gint64
lc_replay_mpi_idle_measure (LcReplayMpiIdle *idle, struct lc_replay_mpi_header *plan, guint64 moved)
{
  const gint64 now = g_get_monotonic_time ();
  guint64 spent = 0;

  for (guint32 i = 0; i < plan->n_numbers; i++)
    spent += idle_get_spent (plan, i);
  if (idle->since == 0 || moved != idle->moved || spent > idle->spent + BUSY || spent < idle->spent)
    *idle = (LcReplayMpiIdle){moved, now, spent};
  return now - idle->since;
}
