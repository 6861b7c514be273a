/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the ends of barriers and the like: all members begin before any ends, so all ends are found at once. */
#include <stdlib.h>

#include "approximator-private.h"
#include "costs-private.h"

static gint64
begin_of (const LcSweepPoint *point, gboolean placed)
{
  return (gint64)point->carried[0] - (placed ? 0 : (gint64)point->carried[2]);
}

static gint64
measured_end_of (const LcSweepPoint *point)
{
  return (gint64)point->carried[1];
}

static int
approximator_groups_compare_processes (const LcSweepPoint *a, const LcSweepPoint *b)
{
  return (a->process > b->process) - (a->process < b->process);
}

static int
compare_measured (const void *a, const void *b)
{
  const LcSweepPoint *x = ((const LcMember *)a)->point, *y = ((const LcMember *)b)->point;

  return x->time != y->time ? (x->time > y->time ? 1 : -1) : approximator_groups_compare_processes (x, y);
}

static int
approximator_groups_compare_begins (const void *a, const void *b)
{
  const LcMember *x = a, *y = b;

  return x->begin != y->begin ? (x->begin > y->begin ? 1 : -1)
                              : approximator_groups_compare_processes (x->point, y->point);
}

/* The members that meet in a group at one time, and their common numbers. */
typedef struct
{
  LcMember *members;
  guint n;
  gint64 *lags;              /* measured lags, by measured rank */
  gboolean placed;           /* the following times are those on the timeline, not those by the formulas */
  gint64 last, last_but_one; /* begins */
  gint64 measured_last;
  gboolean same_last; /* the last member is also the last measured one */
  double beta;        /* below 0: exits are not linear */
} Generation;

/* Returns how much later than the last member's begin this member ended, without instrumentation. */
static gint64
get_lag (const LcEnding *ending, const Generation *generation, const LcSweepPoint *point)
{
  const gint64 inside = ending->instrumentation->inside >> LC_FINE;

  return MAX (0, measured_end_of (point) - generation->measured_last - inside);
}

static void
approximator_groups_find_last (const LcSweepGroup *group, Generation *generation)
{
  gsize last = 0;

  generation->last_but_one = 0;
  for (gsize i = 1; i < group->n_members; i++)
    {
      const gint64 at = begin_of (&group->members[i], generation->placed);

      if (at > begin_of (&group->members[last], generation->placed))
        {
          generation->last_but_one = begin_of (&group->members[last], generation->placed);
          last = i;
        }
      else if (i == 1 || at > generation->last_but_one)
        generation->last_but_one = at;
    }
  generation->last = begin_of (&group->members[last], generation->placed);
  generation->measured_last = (gint64)group->members[group->last].time;
  generation->same_last = last == group->last;
  for (gsize i = 0; i < group->n_members; i++)
    generation->members[i] =
        (LcMember){&group->members[i], begin_of (&group->members[i], generation->placed), 0, i == last};
}

static void
rank_measured (const LcEnding *ending, Generation *generation)
{
  qsort (generation->members, generation->n, sizeof *generation->members, compare_measured);
  for (guint i = 0; i < generation->n; i++)
    {
      generation->members[i].measured_rank = i;
      generation->lags[i] = get_lag (ending, generation, generation->members[i].point);
    }
}

static double
find_beta (const LcApproximator *approximator, const Generation *generation)
{
  const LcCosts *costs = approximator->costs;
  gint64 first = G_MAXINT64, last = 0;

  if (costs->exit != LC_EXIT_LINEAR || !lc_cost_is_fixed (costs->exit_source))
    return -1;
  if (lc_cost_is_fixed (costs->beta.source))
    return costs->beta.value;
  if (generation->n < 2)
    return -1;
  for (guint i = 0; i < generation->n; i++)
    {
      const gint64 end = measured_end_of (generation->members[i].point);

      first = MIN (first, end);
      last = MAX (last, end);
    }
  return (double)(last - first) / (double)(generation->n - 1);
}

static gint64
find_lag (const LcEnding *ending, const Generation *generation, guint rank)
{
  const LcCosts *costs = ending->approximator->costs;
  const gboolean by_rank = costs->exit == LC_EXIT_MEASURED || costs->exit == LC_EXIT_LINEAR;

  if (ending->timed->timing == LC_TIMING_BARRIER && generation->beta >= 0)
    return lc_duration_round ((double)(generation->n - rank) * generation->beta);
  if (ending->timed->timing == LC_TIMING_BARRIER && by_rank)
    return generation->lags[rank];
  return get_lag (ending, generation, generation->members[rank].point);
}

/* Stores the result for a member whose process is still in this event. An event that went on without the others has its
 * end already. */
static void
approximator_groups_tell (const LcEnding *ending, const Generation *generation, guint rank)
{
  const LcMember *member = &generation->members[rank];
  LcApproximatorProcess *process = &ending->approximator->processes[member->point->process];
  gint64 lag;

  if (process->ordinal != member->point->ordinal)
    return;
  lag = lc_scale (find_lag (ending, generation, rank), ending->factor);
  if (ending->timed->timing == LC_TIMING_TOGETHER)
    lag = lc_scale (lag, ending->approximator->communication_factor);
  if (!generation->placed)
    {
      process->group_end = generation->last + lag;
      return;
    }
  process->group_ordinal = process->ordinal;
  process->group_members = generation->n;
  process->group_placed_end = generation->last + lag;
  process->group_latest = member->is_last ? generation->last_but_one : generation->last;
  process->group_reordered = !generation->same_last || member->measured_rank != rank;
}

void
lc_approximator_gather (LcEnding *ending)
{
  LcApproximator *approximator = ending->approximator;
  const LcSweepGroup *group = ending->step->group;
  Generation generation = {.n = (guint)group->n_members};

  if (ending->process->group_ordinal == ending->step->ordinal && ending->process->group_members == group->n_members)
    return;
  g_array_set_size (approximator->members, generation.n);
  g_array_set_size (approximator->lags, generation.n);
  generation.members = (LcMember *)(void *)approximator->members->data;
  generation.lags = (gint64 *)(void *)approximator->lags->data;
  for (int placed = FALSE; placed <= TRUE; placed++)
    {
      generation.placed = placed;
      approximator_groups_find_last (group, &generation);
      rank_measured (ending, &generation);
      generation.beta = find_beta (approximator, &generation);
      qsort (generation.members, generation.n, sizeof *generation.members, approximator_groups_compare_begins);
      for (guint i = 0; i < generation.n; i++)
        approximator_groups_tell (ending, &generation, i);
    }
}
