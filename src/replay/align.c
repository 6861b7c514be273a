/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two plans event by event: that of a trace, and that of a recorded replay of it. */
#include "lightcone/replay.h"

/* Which thread and object of the replay each recorded one is, and the other way round. */
typedef struct
{
  struct lc_replay_header *recorded, *again;
  guint32 *threads;         /* by recorded thread: that of the replay, or LC_REPLAY_NONE */
  guint32 *objects, *backs; /* by object of either */
  LcReplayAlignment *result;
} Aligning;

/* Whether it does not follow from the pair before. */
static gboolean
align_is_new_pair (const LcReplayPair *last, const LcReplayStop *recorded, const LcReplayStop *again)
{
  return last->again.process != again->process ||
         again->ordinal - last->again.ordinal != recorded->ordinal - last->recorded.ordinal;
}

void
lc_replay_alignment_add (LcReplayAlignment *alignment, const LcReplayStop *recorded, const LcReplayStop *again)
{
  const LcReplayPair pair = {*again, *recorded};
  const LcReplayPair *last = NULL;

  if (alignment->pairs == NULL)
    return;
  if (alignment->pairs->len > 0)
    last = &g_array_index (alignment->pairs, LcReplayPair, alignment->pairs->len - 1);
  if (last == NULL || alignment->is_mixed || align_is_new_pair (last, recorded, again))
    g_array_append_val (alignment->pairs, pair);
}

static int
align_compare_pairs (gconstpointer a, gconstpointer b)
{
  const LcReplayPair *first = a, *second = b;

  if (first->again.process != second->again.process)
    return first->again.process < second->again.process ? -1 : 1;
  return (first->again.ordinal > second->again.ordinal) - (first->again.ordinal < second->again.ordinal);
}

void
lc_replay_alignment_sort (LcReplayAlignment *alignment)
{
  if (alignment->pairs != NULL)
    g_array_sort (alignment->pairs, align_compare_pairs);
}

void
lc_replay_alignment_shorten (LcReplayAlignment *alignment)
{
  GArray *pairs = alignment->pairs;
  guint n = 0;

  for (guint i = 0; pairs != NULL && i < pairs->len; i++)
    {
      const LcReplayPair *pair = &g_array_index (pairs, LcReplayPair, i);
      const LcReplayPair *last = n > 0 ? &g_array_index (pairs, LcReplayPair, n - 1) : NULL;

      if (last == NULL || align_is_new_pair (last, &pair->recorded, &pair->again))
        g_array_index (pairs, LcReplayPair, n++) = *pair;
    }
  if (pairs != NULL)
    g_array_set_size (pairs, n);
}

/* Finds the first pair after the event. */
static guint
align_find_next (const GArray *pairs, const LcReplayStop *again)
{
  const LcReplayPair event = {.again = *again};
  guint first = 0, end = pairs->len;

  while (first < end)
    {
      const guint middle = first + (end - first) / 2;

      if (align_compare_pairs (&g_array_index (pairs, LcReplayPair, middle), &event) <= 0)
        first = middle + 1;
      else
        end = middle;
    }
  return first;
}

/* Gives a pair if it is of this process. */
static const LcReplayPair *
align_get_pair (const GArray *pairs, guint number, guint32 process)
{
  const LcReplayPair *pair = number < pairs->len ? &g_array_index (pairs, LcReplayPair, number) : NULL;

  return pair != NULL && pair->again.process == process ? pair : NULL;
}

/* Events before the first pair of their process are counted back from it. */
gboolean
lc_replay_alignment_find (const LcReplayAlignment *alignment, const LcReplayStop *again, LcReplayStop *recorded)
{
  const guint number = align_find_next (alignment->pairs, again);
  const LcReplayPair *next = align_get_pair (alignment->pairs, number, again->process);
  const LcReplayPair *pair = number > 0 ? align_get_pair (alignment->pairs, number - 1, again->process) : NULL;

  if (pair == NULL)
    pair = next;
  if (pair == NULL || again->ordinal + pair->recorded.ordinal < pair->again.ordinal)
    return FALSE;
  recorded->process = pair->recorded.process;
  recorded->ordinal = again->ordinal + pair->recorded.ordinal - pair->again.ordinal;
  return next == NULL || recorded->ordinal < next->recorded.ordinal;
}

static guint32 *
align_new_map (guint32 n)
{
  guint32 *map = g_new (guint32, n + 1);

  for (guint32 i = 0; i < n; i++)
    map[i] = LC_REPLAY_NONE;
  return map;
}

/* Objects are known by their use: the first event that has one tells which it is. */
static gboolean
align_object (Aligning *aligning, guint32 recorded, guint32 again)
{
  if (aligning->objects[recorded] == LC_REPLAY_NONE && aligning->backs[again] == LC_REPLAY_NONE)
    {
      aligning->objects[recorded] = again;
      aligning->backs[again] = recorded;
    }
  return aligning->objects[recorded] == again;
}

static LcReplayMismatch
align_event (Aligning *aligning, const struct lc_replay_event *recorded, const struct lc_replay_event *again)
{
  if (again == NULL)
    return LC_REPLAY_MISSING;
  if (recorded == NULL)
    return LC_REPLAY_ADDED;
  if (recorded->operation != again->operation)
    return LC_REPLAY_OTHER_OPERATION;
  if (!align_object (aligning, recorded->object, again->object))
    return LC_REPLAY_OTHER_OBJECT;
  if (recorded->after != again->after)
    return LC_REPLAY_OTHER_TURN;
  return LC_REPLAY_ALIGNED;
}

/* The thread that an event has made. */
static void
align_child (Aligning *aligning, const struct lc_replay_event *recorded, const struct lc_replay_event *again)
{
  if (recorded->operation == LC_CREATE && recorded->object < aligning->recorded->n_threads &&
      again->object < aligning->again->n_threads)
    aligning->threads[recorded->object] = again->object;
}

static gboolean
align_thread (Aligning *aligning, guint32 number)
{
  const struct lc_replay_thread *recorded = &lc_replay_plan_threads (aligning->recorded)[number];
  const struct lc_replay_thread *again = &lc_replay_plan_threads (aligning->again)[aligning->threads[number]];
  LcReplayAlignment *result = aligning->result;

  result->n_moved += recorded->process != again->process;
  for (guint64 i = 0; i < MAX (recorded->n_events, again->n_events); i++)
    {
      const struct lc_replay_event *before = lc_replay_plan_event (aligning->recorded, recorded, i);
      const struct lc_replay_event *now = lc_replay_plan_event (aligning->again, again, i);

      result->mismatch = align_event (aligning, before, now);
      if (result->mismatch != LC_REPLAY_ALIGNED)
        {
          result->recorded = (LcReplayStop){recorded->process, before != NULL ? before->ordinal : G_MAXUINT64};
          result->again = (LcReplayStop){again->process, now != NULL ? now->ordinal : G_MAXUINT64};
          return FALSE;
        }
      align_child (aligning, before, now);
      lc_replay_alignment_add (result, &(LcReplayStop){recorded->process, before->ordinal},
                               &(LcReplayStop){again->process, now->ordinal});
      result->n_moved += before->ordinal != now->ordinal;
      result->n_events++;
    }
  return TRUE;
}

/* A thread is compared after the one that made it. */
static gboolean
align_threads (Aligning *aligning)
{
  const guint32 n = aligning->recorded->n_threads;
  g_autofree gboolean *is_done = g_new0 (gboolean, n + 1);
  gboolean moved = TRUE;

  while (moved)
    {
      moved = FALSE;
      for (guint32 i = 0; i < n; i++)
        {
          if (is_done[i] || aligning->threads[i] == LC_REPLAY_NONE)
            continue;
          moved = is_done[i] = TRUE;
          if (!align_thread (aligning, i))
            return FALSE;
        }
    }
  for (guint32 i = 0; i < n; i++)
    if (!is_done[i])
      {
        aligning->result->mismatch = LC_REPLAY_NO_THREAD;
        aligning->result->recorded.process = lc_replay_plan_threads (aligning->recorded)[i].process;
        return FALSE;
      }
  return TRUE;
}

gboolean
lc_replay_align (struct lc_replay_header *recorded, struct lc_replay_header *again, LcReplayAlignment *result)
{
  Aligning aligning = {recorded, again, .result = result};
  gboolean is_same;

  aligning.threads = align_new_map (recorded->n_threads);
  aligning.objects = align_new_map (recorded->n_objects);
  aligning.backs = align_new_map (again->n_objects);
  if (again->n_threads > 0)
    aligning.threads[0] = 0;
  is_same = align_threads (&aligning);
  for (guint32 i = 0; is_same && result->processes != NULL && i < recorded->n_threads; i++)
    g_hash_table_insert (result->processes, GUINT_TO_POINTER (lc_replay_plan_threads (recorded)[i].process + 1),
                         GUINT_TO_POINTER (lc_replay_plan_threads (again)[aligning.threads[i]].process + 1));
  lc_replay_alignment_sort (result);
  g_free (aligning.threads);
  g_free (aligning.objects);
  g_free (aligning.backs);
  return is_same;
}
