/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of ranks of MPI in a replay: each rank is an address space of its own, with a plan of its own. */
#include "replay-mpi-threads.h"

#include <glib/gi18n.h>

#include "process-waits.h"
#include "replay-program.h"
#include "replay-text.h"

enum
{
  STILL = G_USEC_PER_SEC / 5,   /* in which no thread of a rank can go on, and none is in MPI */
  AWAITED = 2 * G_USEC_PER_SEC, /* the same where threads await an index, which only time tells that nobody brings */
};

/* --- Plans ---------------------------------------------------------------------------------------------------- */

/* Only threads of one address space wait for each other's turns. */
static gboolean
mpi_threads_are_any (LcTrace *trace)
{
  g_autoptr (GHashTable) instances = g_hash_table_new (NULL, NULL);

  for (guint32 i = 0; i < lc_trace_get_n_processes (trace); i++)
    {
      const LcTraceProcess *process = lc_trace_get_process (trace, i);

      if (process->rank != LC_TRACE_NONE && !g_hash_table_add (instances, GUINT_TO_POINTER (process->instance)))
        return TRUE;
    }
  return FALSE;
}

/* The ranks of a second world have other numbers than their launcher tells them. */
static gboolean
mpi_threads_are_of_one_world (LcTrace *trace, const struct lc_replay_mpi_header *plan)
{
  for (guint32 i = 0; i < lc_trace_get_n_objects (trace); i++)
    {
      LcTraceObject object;

      lc_trace_get_object (trace, i, &object);
      if (object.kind == LC_KIND_MPI && object.object_class == LC_CLASS_COLLECTIVE &&
          g_strcmp0 (object.name, "world") == 0)
        return object.value == plan->n_numbers;
    }
  return FALSE;
}

/* Without turns, nobody tells in which order the threads of a rank call MPI. */
static gboolean
mpi_threads_refuse (LcTrace *trace, struct lc_replay_mpi_header *plan, GError **error)
{
  if (plan->n_ranks == plan->n_numbers)
    return TRUE;
  g_set_error (error, LC_TRACE_ERROR, LC_TRACE_ERROR_DAMAGED,
               _ ("%s: cannot be replayed: several threads of rank %u used MPI"), lc_trace_get_path (trace),
               lc_replay_mpi_ranks (plan)[plan->n_numbers].number);
  return FALSE;
}

static void
mpi_threads_add_result (LcReplayMpiThreads *threads, const LcReplayPlan *result)
{
  threads->result.n_threads += result->n_threads;
  threads->result.n_events += result->n_events;
  threads->result.n_free += result->n_free;
  threads->result.free_classes |= result->free_classes;
  threads->result.is_cut |= result->is_cut;
}

static gboolean
mpi_threads_add (LcReplayMpiThreads *threads, guint32 number, const struct lc_replay_mpi_rank *rank, GError **error)
{
  g_autofree char *path = g_strdup_printf ("%s%u", threads->prefix, number);
  const guint32 instance = lc_trace_get_process (threads->trace, rank->process)->instance;
  LcReplayRankThreads *added = &threads->ranks[number];
  LcReplayPlan result;

  if (!lc_replay_plan_write_rank (threads->trace, instance, path, &result, error))
    return FALSE;
  mpi_threads_add_result (threads, &result);
  added->plan = lc_replay_map_plan (path);
  if (added->plan != NULL)
    added->kept = *added->plan;
  return added->plan != NULL;
}

gboolean
lc_replay_mpi_threads_prepare (LcReplayMpiThreads *threads, LcTrace *trace, struct lc_replay_mpi_header *plan,
                               const char *folder, LcReplayGiven *given, GError **error)
{
  *threads = (LcReplayMpiThreads){.trace = trace, .given = given};
  if ((given->plan == NULL && !mpi_threads_are_any (trace)) || !mpi_threads_are_of_one_world (trace, plan))
    return mpi_threads_refuse (trace, plan, error);
  threads->prefix = g_build_filename (folder, "threads-", NULL);
  threads->n = plan->n_numbers;
  threads->ranks = g_new0 (LcReplayRankThreads, MAX (plan->n_numbers, 1));
  for (guint32 i = 0; i < plan->n_numbers; i++)
    {
      const struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (plan)[i];

      if (rank->process != LC_REPLAY_NONE && !mpi_threads_add (threads, i, rank, error))
        return FALSE;
    }
  return TRUE;
}

void
lc_replay_mpi_threads_clear (LcReplayMpiThreads *threads)
{
  g_clear_pointer (&threads->ranks, g_free);
  g_clear_pointer (&threads->prefix, g_free);
  threads->n = 0;
}

void
lc_replay_mpi_threads_begin (LcReplayMpiThreads *threads, enum lc_replay_mode mode_then)
{
  for (guint32 i = 0; i < threads->n; i++)
    {
      threads->ranks[i].moved = 0;
      threads->ranks[i].still_since = 0;
      if (threads->ranks[i].plan != NULL)
        lc_replay_plan_begin (threads->ranks[i].plan, mode_then);
    }
}

void
lc_replay_mpi_threads_restore (LcReplayMpiThreads *threads)
{
  for (guint32 i = 0; i < threads->n; i++)
    if (threads->ranks[i].plan != NULL)
      lc_replay_run_restore (threads->ranks[i].plan, &threads->ranks[i].kept);
}

void
lc_replay_mpi_threads_free (LcReplayMpiThreads *threads)
{
  for (guint32 i = 0; i < threads->n; i++)
    if (threads->ranks[i].plan != NULL)
      __atomic_store_n (&threads->ranks[i].plan->mode, LC_REPLAY_FREE, __ATOMIC_RELEASE);
}

gboolean
lc_replay_mpi_threads_have_openmp (const LcReplayMpiThreads *threads)
{
  for (guint32 i = 0; i < threads->n; i++)
    if (threads->ranks[i].plan != NULL && threads->ranks[i].plan->openmp != 0)
      return TRUE;
  return FALSE;
}

/* --- Looking -------------------------------------------------------------------------------------------------- */

/* NULL: the threads of the rank have no turns. */
static struct lc_replay_header *
mpi_threads_plan (const LcReplayMpiThreads *threads, guint32 rank)
{
  return rank < threads->n ? threads->ranks[rank].plan : NULL;
}

static gint64
mpi_threads_measure_still (LcReplayRankThreads *rank, const LcReplayLook *look)
{
  const gint64 now = g_get_monotonic_time ();

  if (!look->is_still || look->waiting == 0 || look->moved != rank->moved)
    rank->still_since = 0;
  else if (rank->still_since == 0)
    rank->still_since = now;
  rank->moved = look->moved;
  return rank->still_since != 0 ? now - rank->still_since : 0;
}

gboolean
lc_replay_mpi_threads_look (LcReplayMpiThreads *threads, guint32 rank, LcReplayLook *look)
{
  struct lc_replay_header *plan = mpi_threads_plan (threads, rank);

  if (plan == NULL)
    return FALSE;
  *look = lc_replay_run_look (plan);
  return look->alive > 0;
}

gboolean
lc_replay_mpi_threads_wait (LcReplayMpiThreads *threads, guint32 rank)
{
  struct lc_replay_header *plan = mpi_threads_plan (threads, rank);
  const struct lc_replay_thread *all = plan != NULL ? lc_replay_plan_threads (plan) : NULL;

  for (guint32 i = 0; plan != NULL && i < plan->n_threads; i++)
    {
      const enum lc_replay_state state = __atomic_load_n (&all[i].state, __ATOMIC_ACQUIRE);

      if (state == LC_REPLAY_LEFT ||
          (state == LC_REPLAY_RUNNING && lc_replay_given_awaits (threads->given, &all[i]) < 0 &&
           !lc_process_thread_waits ((pid_t)plan->program, (pid_t)all[i].id)))
        return FALSE;
    }
  return plan != NULL;
}

gboolean
lc_replay_mpi_threads_are_at_end (LcReplayMpiThreads *threads, guint32 rank, gboolean is_leaving)
{
  struct lc_replay_header *plan = mpi_threads_plan (threads, rank);
  const struct lc_replay_thread *all = plan != NULL ? lc_replay_plan_threads (plan) : NULL;

  for (guint32 i = 0; plan != NULL && i < plan->n_threads; i++)
    if (__atomic_load_n (&all[i].next, __ATOMIC_ACQUIRE) < all[i].n_events &&
        !(is_leaving && __atomic_load_n (&all[i].state, __ATOMIC_ACQUIRE) == LC_REPLAY_INSIDE))
      return FALSE;
  return TRUE;
}

guint32
lc_replay_mpi_threads_find_difference (LcReplayMpiThreads *threads)
{
  for (guint32 i = 0; i < threads->n; i++)
    if (threads->ranks[i].plan != NULL &&
        __atomic_load_n (&threads->ranks[i].plan->difference, __ATOMIC_ACQUIRE) != LC_REPLAY_SAME)
      return i;
  return LC_REPLAY_NONE;
}

guint32
lc_replay_mpi_threads_find_stuck (LcReplayMpiThreads *threads)
{
  guint32 found = LC_REPLAY_NONE;

  for (guint32 i = 0; i < threads->n; i++)
    {
      LcReplayLook look;

      if (lc_replay_mpi_threads_look (threads, i, &look) && threads->ranks[i].plan->mode == LC_REPLAY_FOLLOW &&
          mpi_threads_measure_still (&threads->ranks[i], &look) > (look.awaiting > 0 ? AWAITED : STILL))
        found = i;
    }
  return found;
}

guint32
lc_replay_mpi_threads_find_short (LcReplayMpiThreads *threads)
{
  for (guint32 i = 0; i < threads->n; i++)
    if (!lc_replay_mpi_threads_are_at_end (threads, i, FALSE))
      return i;
  return LC_REPLAY_NONE;
}

/* A process that has come to MPI_Init as this rank must be the one that follows the rank's plan. */
guint32
lc_replay_mpi_threads_find_free (LcReplayMpiThreads *threads, struct lc_replay_mpi_header *plan)
{
  for (guint32 i = 0; i < threads->n; i++)
    {
      const guint32 pid = __atomic_load_n (&lc_replay_mpi_ranks (plan)[i].pid, __ATOMIC_ACQUIRE);

      if (threads->ranks[i].plan != NULL && pid != 0 && threads->ranks[i].plan->program != pid)
        return i;
    }
  return LC_REPLAY_NONE;
}

/* --- Recorded again -------------------------------------------------------------------------------------------- */

gboolean
lc_replay_mpi_threads_align (LcReplayMpiThreads *threads, LcTrace *trace, struct lc_replay_mpi_header *again,
                             const char *folder, LcReplayAlignment *alignment, GError **error)
{
  for (guint32 i = 0; i < threads->n && i < again->n_numbers; i++)
    {
      const struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (again)[i];
      g_autofree char *path = g_strdup_printf ("%s/threads-again-%u", folder, i);
      struct lc_replay_header *plan;
      LcReplayPlan result;

      if (threads->ranks[i].plan == NULL || rank->process == LC_REPLAY_NONE)
        continue;
      if (!lc_replay_plan_write_rank (trace, lc_trace_get_process (trace, rank->process)->instance, path, &result,
                                      error))
        return FALSE;
      plan = lc_replay_map_plan (path);
      if (plan == NULL || !lc_replay_align (threads->ranks[i].plan, plan, alignment))
        return FALSE;
    }
  return TRUE;
}

/* --- What is said --------------------------------------------------------------------------------------------- */

char *
lc_replay_mpi_threads_text_difference (LcReplayMpiThreads *threads, guint32 rank)
{
  if (threads->ranks[rank].plan->difference == LC_REPLAY_INPUT)
    return lc_replay_given_text_difference (threads->given, threads->trace);
  return lc_replay_text_difference (threads->trace, threads->ranks[rank].plan);
}

char *
lc_replay_mpi_threads_text_stuck (LcReplayMpiThreads *threads, guint most)
{
  GString *text = g_string_new (NULL);

  for (guint32 i = 0; i < threads->n; i++)
    if (threads->ranks[i].plan != NULL)
      {
        g_autofree char *elsewhere = lc_replay_text_elsewhere (threads->trace, threads->ranks[i].plan, most);
        g_autofree char *awaited =
            lc_replay_given_text_awaited (threads->given, threads->trace, threads->ranks[i].plan);
        g_autofree char *lines = lc_replay_text_stuck (threads->trace, threads->ranks[i].plan, most);

        g_string_append_printf (text, "%s%s%s", elsewhere, awaited, lines);
      }
  return g_string_free (text, FALSE);
}

char *
lc_replay_mpi_threads_text_short (LcReplayMpiThreads *threads, guint most)
{
  GString *text = g_string_new (NULL);

  for (guint32 i = 0; i < threads->n; i++)
    if (threads->ranks[i].plan != NULL)
      {
        g_autofree char *lines = lc_replay_text_short (threads->trace, threads->ranks[i].plan, most);

        g_string_append (text, lines);
      }
  return g_string_free (text, FALSE);
}

char *
lc_replay_mpi_threads_text_left (LcReplayMpiThreads *threads)
{
  GString *text = g_string_new (NULL);

  for (guint32 i = 0; i < threads->n; i++)
    if (threads->ranks[i].plan != NULL)
      {
        g_autofree char *lines = lc_replay_given_text_left (threads->given, threads->trace, threads->ranks[i].plan);

        g_string_append (text, lines);
      }
  return g_string_free (text, FALSE);
}
