/* SPDX-License-Identifier: Apache-2.0 */
/* What-if of places in the source: which intervals and events are in one. docs/approximation.md says which are. */
#include "approximator-private.h"

void
lc_approximator_prepare_places (LcApproximator *approximator, const LcApproximateOptions *options)
{
  approximator->places = g_new0 (LcTimedPlace, MAX (options->n_scales, 1));
  for (gsize i = 0; i < options->n_scales; i++)
    if (options->scales[i].kind == LC_SCALE_PLACE && options->scales[i].place != NULL && options->scales[i].factor != 1)
      approximator->places[approximator->n_places++] =
          (LcTimedPlace){.place = options->scales[i].place, .factor = options->scales[i].factor};
  for (guint32 i = 0; i < approximator->n_processes && approximator->n_places > 0; i++)
    {
      gboolean *there = g_new0 (gboolean, approximator->n_places);

      for (guint k = 0; k < approximator->n_places; k++)
        {
          const LcScaledPlace *place = approximator->places[k].place;

          there[k] = i < place->n_processes && place->began[i];
        }
      approximator->processes[i].there = there;
    }
}

/* What a process has begun in is left only at its end, whatever was recorded of a stack. */
static gboolean
approximator_places_is_there (LcTimedPlace *timed, guint32 process, guint32 stack)
{
  const LcScaledPlace *place = timed->place;
  const LcThere there = stack < place->n_stacks ? (LcThere)place->stacks[stack] : LC_THERE_NO;

  timed->events++;
  if (there == LC_THERE_NO || there == LC_THERE_YES)
    return there == LC_THERE_YES;
  if (process < place->n_processes && place->began[process])
    return TRUE;
  timed->unknown += there == LC_THERE_UNKNOWN && place->calls;
  return FALSE;
}

/* A line has what lies between two events of which it calls one; other places what lies between two inside. */
static gboolean
approximator_places_has (const LcScaledPlace *place, const LcApproximatorProcess *process, gboolean was_there,
                         gboolean is_there)
{
  if (place->kind == LC_PLACE_LINE)
    return process->ordinal > 0 && (was_there || is_there);
  return was_there && is_there;
}

/* An event without a call, as a pause of the recorder, is where the event before it was. */
double
lc_approximator_go_to (LcApproximator *approximator, LcApproximatorProcess *process, const LcTraceEvent *event)
{
  double factor = 1;

  process->place_factor = 1;
  for (guint i = 0; i < approximator->n_places; i++)
    {
      LcTimedPlace *timed = &approximator->places[i];
      const gboolean was_there = process->there[i];

      if (event->stack != LC_TRACE_NONE)
        {
          process->there[i] = approximator_places_is_there (timed, process->report.process, event->stack);
          process->place_factor *= process->there[i] ? timed->factor : 1;
        }
      if (approximator_places_has (timed->place, process, was_there, process->there[i]))
        {
          factor *= timed->factor;
          timed->intervals++;
        }
    }
  return factor;
}
