/* SPDX-License-Identifier: Apache-2.0 */
/* Reports the problems of a sweep: unmet requirements, circles of waiting events, and supplies that no event took. */
#include "sweep-private.h"

#include <stdlib.h>

/* Returns the operation to name in a report: of alternatives the one that has supplied something, or else the first. */
static guint32
name_wanted (const LcSweep *sweep, const LcWant *want, guint32 entry)
{
  const LcArcRule *there = NULL;

  if (entry != LC_NO_ENTRY && lc_points_count (sweep->points, entry) > 0)
    there = lc_points_list (sweep->points, entry)->rule;
  for (guint i = 0; there != NULL && i < want->answers->len; i++)
    if (g_array_index (want->answers, LcAnswer, i).given == there)
      return sweep->wants->operation_of[g_array_index (want->answers, LcAnswer, i).from];
  return sweep->wants->operation_of[want->from];
}

void
lc_sweep_tell (LcSweep *sweep, LcSweepTrouble trouble, guint32 number, const LcWant *want, guint32 cycle)
{
  const LcSweepProcess *process = &sweep->processes[number];
  const LcTraceEvent *event = lc_sweep_present (process);
  LcSweepProblem problem = {trouble,
                            number,
                            lc_sweep_ordinal (process),
                            event->operation,
                            event->object,
                            event->sequence,
                            LC_TRACE_NONE,
                            0,
                            0,
                            0,
                            cycle};

  if (want != NULL)
    {
      LcPointKey key = lc_sweep_key_of (want, event, 0);
      guint32 first;

      problem.wants = name_wanted (sweep, want, lc_points_find (sweep->points, &key));
      problem.wants_sequence = lc_sweep_key_of (want, event, -want->step).sequence;
      problem.there = lc_sweep_count_answers (sweep, want, lc_points_find (sweep->points, &key), &first);
      problem.needed = MAX (lc_census_get_ruled (sweep->census, want, event, &key),
                            lc_census_get_expected (sweep->census, want, event, &key));
    }
  if (sweep->result->problems->len < LC_SWEEP_REPORTED)
    g_array_append_val (sweep->result->problems, problem);
}

guint32
lc_sweep_find_giver (LcSweep *sweep, const LcWant *want, const LcPointKey *key)
{
  for (guint32 number = 0; number < sweep->n_processes; number++)
    {
      LcSweepProcess *process = &sweep->processes[number];
      LcTraceCursor *cursor;
      LcTraceBatch batch;
      gboolean found = FALSE;

      if (!process->parked)
        continue;
      cursor = lc_trace_cursor_open (sweep->trace, number);
      while (!found && lc_trace_cursor_next (cursor, &batch))
        for (gsize i = 0; i < batch.n_events && !found; i++)
          {
            const LcTraceEvent *event = &batch.events[i];
            const LcOperationWants *operation = lc_wants_of (sweep->wants, event);
            const GArray *gifts[] = {operation->at_begin, operation->at_end};

            if (batch.first_ordinal + i < lc_sweep_ordinal (process) || event->object != key->object)
              continue;
            /* A parked event has begun, so what it supplies at its begin is there already. */
            for (gsize j = batch.first_ordinal + i == lc_sweep_ordinal (process); j < G_N_ELEMENTS (gifts); j++)
              for (guint k = 0; gifts[j] != NULL && k < gifts[j]->len; k++)
                found |= g_array_index (gifts[j], LcGift, k).want->id == want->id &&
                         lc_sweep_key_of (want, event, want->step).sequence == key->sequence;
          }
      lc_trace_cursor_close (cursor);
      if (found)
        return number;
    }
  return LC_TRACE_NONE;
}

static void
tell_lonely (const LcPointKey *key, const LcSweepPoint *point, gpointer data)
{
  LcSweep *sweep = data;
  const LcWant *want = sweep->wants->wants->pdata[key->operation];
  const LcSweepProblem problem = {.trouble = LC_SWEEP_LEFT,
                                  .process = point->process,
                                  .ordinal = point->ordinal,
                                  .operation = lc_wants_find_operation (sweep->trace, point->rule->from),
                                  .object = key->object,
                                  .sequence = lc_sequence_step (key->sequence, -want->step),
                                  .wants = lc_wants_find_taker (sweep->wants, key->operation),
                                  .wants_sequence = key->sequence,
                                  .cycle = LC_TRACE_NONE};

  if (!want->told)
    return;
  sweep->result->left++;
  if (sweep->result->problems->len < LC_SWEEP_REPORTED)
    g_array_append_val (sweep->result->problems, problem);
}

static int
compare_lonely (gconstpointer a, gconstpointer b)
{
  const LcSweepProblem *one = a, *other = b;

  if (one->process != other->process)
    return one->process < other->process ? -1 : 1;
  return (one->ordinal > other->ordinal) - (one->ordinal < other->ordinal);
}

void
lc_sweep_tell_left (LcSweep *sweep)
{
  const guint before = sweep->result->problems->len;

  if (sweep->director != NULL || sweep->partial || sweep->part.most_events > 0)
    return;
  lc_points_visit_lonely (sweep->points, tell_lonely, sweep);
  if (sweep->result->problems->len > before)
    qsort (&g_array_index (sweep->result->problems, LcSweepProblem, before), sweep->result->problems->len - before,
           sizeof (LcSweepProblem), compare_lonely);
}
