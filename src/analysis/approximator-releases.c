/* SPDX-License-Identifier: Apache-2.0 */
/* When an event ends that waits until something is given, as a lock is, and what it takes it to go on then. */
#include "approximator-private.h"

/* An event with these flags may have waited for something unknown, so only its measured duration is used. */
#define LC_ODD_EVENT \
  (LC_EVENT_CONTENDED | LC_EVENT_CANCELLED | LC_EVENT_TIMED_OUT | LC_EVENT_OWNER_DIED | LC_EVENT_UNKNOWN)

/*
 * The same of a decided event, which has another releaser now. The one that it had when measured was recorded as this
 * one is, so it was late by as much: who has waited has waited for that, too; and who came within that time has waited
 * for the rest of it, if that explains what was measured.
 */
static gint64
find_measured_wait_of_decided (const LcEnding *ending, gint64 late)
{
  const gint64 waited = (gint64)ending->step->waited, beyond = ending->own - ending->timed->nowait;

  if (waited > 0)
    return MIN (waited + late, ending->lasted);
  return beyond > 0 && beyond <= late ? beyond : 0;
}

/* Returns how long the event waited when measured. A release is stamped before it is carried out, with its
 * instrumentation in between. */
static gint64
find_measured_wait (const LcEnding *ending)
{
  const LcSweepPoint *last = ending->last;
  const gint64 late = last != NULL && last->point == LC_POINT_END ? (gint64)last->carried[1] : 0;
  gint64 released;

  if (ending->step->decided && late > 0)
    return find_measured_wait_of_decided (ending, late);
  if (last == NULL || ending->step->decided)
    return (gint64)ending->step->waited;
  released = (gint64)last->time + late;
  return CLAMP (released - (gint64)ending->event->begin, 0, ending->lasted);
}

/*
 * Whether the event goes on as measured: it waits if and only if it did when measured, and the cost is not given. If
 * the cost is that of a recorder's trace, its waiting must also be of the same length: after a moment the process is
 * awake rather than asleep.
 */
static gboolean
goes_on_as_measured (const LcEnding *ending, gboolean waits, gint64 measured)
{
  const LcTimed *timed = ending->timed;

  if (waits != (measured > 0))
    return FALSE;
  if (!waits)
    return !timed->nowait_fixed;
  return !timed->wait_fixed &&
         (!timed->wait_calibrated || lc_wait_get_length ((guint64)MAX (0, ending->latest - ending->begin)) ==
                                         lc_wait_get_length ((guint64)measured));
}

static gint64
wake_get_value (const LcApproximator *approximator, const LcCost *wake)
{
  if (wake->source != LC_COST_ESTIMATED || approximator->spread == LC_SPREAD_MIDDLE)
    return llround (wake->value);
  return llround (approximator->spread == LC_SPREAD_LOW ? wake->low : wake->high);
}

/* Returns what an event takes that goes on as measured: its own cost, or less if costs are as low as they can be. */
static gint64
find_own_cost (const LcEnding *ending, gboolean waits, gint64 measured)
{
  const LcApproximator *approximator = ending->approximator;
  const gint64 own = waits ? MAX (0, ending->own - measured) : ending->own;

  if (approximator->spread != LC_SPREAD_LOW || !ending->timed->wait_calibrated)
    return own;
  if (!waits)
    return ending->timed->nowait_known ? MIN (own, ending->timed->nowait) : own;
  return MIN (own, wake_get_value (approximator, lc_costs_find_wake (approximator->costs, ending->event->operation,
                                                                     ending->event->object, (guint64)measured)));
}

/* Returns what going on after another wait than measured takes. After a shorter one it takes no longer than after the
 * measured one. */
static gint64
find_wake (const LcApproximator *approximator, const LcTraceEvent *event, gint64 own, gint64 waited, gint64 measured)
{
  const LcCost *wake = lc_costs_find_wake (approximator->costs, event->operation, event->object, (guint64)waited);
  const gint64 cost = wake_get_value (approximator, wake);

  if (approximator->operations[event->operation].wait_calibrated && measured > waited)
    return MIN (cost, MAX (0, own - measured));
  return cost;
}

gint64
lc_approximator_end_released (LcEnding *ending)
{
  LcTimed *timed = ending->timed;
  const gint64 waited = find_measured_wait (ending);
  const gboolean waits = ending->last != NULL && ending->latest > ending->begin;
  gint64 cost;

  if (ending->step->granted > 0)
    return MAX (ending->latest, (gint64)ending->step->granted - (ending->reached - ending->latest));
  if (ending->last == NULL && !ending->step->decided && (ending->event->flags & LC_ODD_EVENT || ending->step->outside))
    return ending->begin + lc_scale (ending->own, ending->factor);
  if (goes_on_as_measured (ending, waits, waited))
    cost = find_own_cost (ending, waits, waited);
  else
    {
      cost = waits ? find_wake (ending->approximator, ending->event, ending->own,
                                MAX (0, ending->latest - ending->begin), waited)
                   : timed->nowait;
      timed->lacked += ending->again ? 0 : waits ? !timed->wait_known : !timed->nowait_known;
    }
  return MAX (ending->begin, waits ? ending->latest : 0) + lc_scale (cost, ending->factor);
}

gboolean
lc_approximator_is_barged (const LcApproximator *approximator, guint32 operation)
{
  const LcTimed *timed = &approximator->operations[operation];

  return timed->timing == LC_TIMING_RELEASE && !timed->wait_fixed && lc_costs_are_recorded (approximator->trace);
}

guint64
lc_approximator_get_grant (const LcApproximator *approximator, guint32 number, const LcSweepNext *given, guint32 giver)
{
  const LcApproximatorProcess *process = &approximator->processes[number];
  const LcTraceEvent *event = &given->event;
  const LcTimed *timed = &approximator->operations[event->operation];
  const gint64 released = MAX (process->begin, approximator->processes[giver].end);
  const gint64 waited = released - process->begin, measured = (gint64)given->waited;
  const gint64 own = MAX (0, (gint64)(event->end - event->begin) -
                                 (lc_approximator_get_instrumentation (approximator, event)->inside >> LC_FINE));
  gint64 cost;

  if (measured > 0 && timed->wait_calibrated &&
      lc_wait_get_length ((guint64)measured) == lc_wait_get_length ((guint64)waited))
    cost = MAX (0, own - measured);
  else
    cost = find_wake (approximator, event, own, waited, measured);
  return (guint64)(released + lc_scale (cost, lc_approximator_find_factor (approximator, process, event)));
}
