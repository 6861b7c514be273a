/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two plans of an MPI program event by event: that of a trace, and that of a recorded replay of it. */
#include <string.h>

#include "lightcone/replay-mpi.h"

/* NULL: the event has none. */
static const struct lc_replay_mpi_object *
align_mpi_find_object (struct lc_replay_mpi_header *plan, const struct lc_replay_mpi_event *event)
{
  return event->object < plan->n_objects ? &lc_replay_mpi_objects (plan)[event->object] : NULL;
}

/* An object that was never known is not compared. */
static gboolean
align_mpi_is_same_object (const struct lc_replay_mpi_object *recorded, const struct lc_replay_mpi_object *again)
{
  if (recorded == NULL)
    return TRUE;
  return again != NULL && recorded->object_class == again->object_class &&
         strncmp (recorded->name, again->name, sizeof recorded->name) == 0;
}

static LcReplayMismatch
align_mpi_event (struct lc_replay_mpi_header *plans[2], const struct lc_replay_mpi_event *recorded,
                 const struct lc_replay_mpi_event *again)
{
  const struct lc_replay_mpi_object *object;

  if (again == NULL)
    return LC_REPLAY_MISSING;
  if (recorded == NULL)
    return LC_REPLAY_ADDED;
  if (recorded->operation != again->operation)
    return LC_REPLAY_OTHER_OPERATION;
  object = align_mpi_find_object (plans[0], recorded);
  if (!align_mpi_is_same_object (object, align_mpi_find_object (plans[1], again)))
    return LC_REPLAY_OTHER_OBJECT;
  if (lc_replay_mpi_has_number (recorded, object) && recorded->sequence != again->sequence)
    return LC_REPLAY_OTHER_TURN;
  return recorded->tries == again->tries ? LC_REPLAY_ALIGNED : LC_REPLAY_OTHER_TRIES;
}

/* Finds the history of the same thread. NULL: it has none there. */
static const struct lc_replay_mpi_rank *
align_mpi_find_rank (struct lc_replay_mpi_header *again, guint32 number, const struct lc_replay_mpi_rank *recorded,
                     const LcReplayAlignment *result)
{
  const struct lc_replay_mpi_rank *ranks = lc_replay_mpi_ranks (again);
  const guint32 process =
      result->processes != NULL
          ? GPOINTER_TO_UINT (g_hash_table_lookup (result->processes, GUINT_TO_POINTER (recorded->process + 1)))
          : 0;

  if (process == 0)
    return number < again->n_numbers && ranks[number].process != LC_REPLAY_NONE ? &ranks[number] : NULL;
  for (guint32 i = 0; i < again->n_ranks; i++)
    if (ranks[i].process == process - 1)
      return &ranks[i];
  return NULL;
}

static gboolean
align_mpi_rank (struct lc_replay_mpi_header *plans[2], const struct lc_replay_mpi_rank *recorded,
                const struct lc_replay_mpi_rank *again, LcReplayAlignment *result)
{
  result->n_moved += recorded->process != again->process;
  for (guint64 i = 0; i < MAX (recorded->n_events, again->n_events); i++)
    {
      const struct lc_replay_mpi_event *before = lc_replay_mpi_event (plans[0], recorded, i);
      const struct lc_replay_mpi_event *now = lc_replay_mpi_event (plans[1], again, i);

      result->mismatch = align_mpi_event (plans, before, now);
      if (result->mismatch != LC_REPLAY_ALIGNED)
        {
          result->recorded = (LcReplayStop){recorded->process, before != NULL ? before->ordinal : G_MAXUINT64};
          result->again = (LcReplayStop){again->process, now != NULL ? now->ordinal : G_MAXUINT64};
          return FALSE;
        }
      lc_replay_alignment_add (result, &(LcReplayStop){recorded->process, before->ordinal},
                               &(LcReplayStop){again->process, now->ordinal});
      result->n_moved += before->ordinal != now->ordinal;
      result->n_events++;
    }
  return TRUE;
}

gboolean
lc_replay_mpi_align (struct lc_replay_mpi_header *recorded, struct lc_replay_mpi_header *again,
                     LcReplayAlignment *result)
{
  struct lc_replay_mpi_header *plans[2] = {recorded, again};

  for (guint32 i = 0; i < recorded->n_ranks; i++)
    {
      const struct lc_replay_mpi_rank *rank = &lc_replay_mpi_ranks (recorded)[i];
      const struct lc_replay_mpi_rank *other = align_mpi_find_rank (again, i, rank, result);

      if (other == NULL && rank->n_events > 0)
        {
          result->mismatch = LC_REPLAY_NO_RANK;
          result->recorded.process = rank->process;
          return FALSE;
        }
      if (other != NULL && rank->process != LC_REPLAY_NONE && !align_mpi_rank (plans, rank, other, result))
        return FALSE;
    }
  lc_replay_alignment_sort (result);
  return TRUE;
}
