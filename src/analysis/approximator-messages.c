/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: how long they take, and when their receivers go on. */
#include "approximator-private.h"
#include "costs-private.h"

enum
{
  UNKNOWN = -1,
  MOST_ROUNDS = 62,
};

/* --- The model --------------------------------------------------------------------------------------------- */

/* UNKNOWN: no cost is given, and none could be found out. */
static gint64
get_modelled (const LcApproximator *approximator, guint64 bytes, guint32 hops)
{
  const LcCosts *costs = approximator->costs;
  const LcMessageCosts *messages = bytes < costs->short_below ? &costs->of_short : &costs->of_long;

  if (messages->startup.source == LC_COST_UNKNOWN)
    return UNKNOWN;
  return lc_duration_round (messages->startup.value + (double)bytes * messages->per_byte.value +
                            hops * messages->per_hop.value);
}

guint64
lc_approximator_get_arrival (const LcApproximator *approximator, guint32 from, guint32 to, guint64 bytes, guint64 sent)
{
  const guint32 hops = lc_costs_count_hops (approximator->costs, approximator->n_processes, from, to);
  const gint64 modelled = approximator->optimistic ? 0 : get_modelled (approximator, bytes, hops);

  return sent + (guint64)(approximator->copy + lc_scale (MAX (modelled, 0), approximator->communication_factor));
}

static guint64
get_bytes (const LcEnding *ending)
{
  if (ending->event->flags & LC_TRACE_EVENT_BYTES)
    return ending->event->bytes;
  return LC_CARRIED_BYTES (ending->last->carried[1]);
}

static gint64
model_message (const LcEnding *ending)
{
  const LcApproximator *approximator = ending->approximator;
  const guint32 from = ending->last->process, to = ending->step->process;

  return get_modelled (approximator, get_bytes (ending),
                       lc_costs_count_hops (approximator->costs, approximator->n_processes, from, to));
}

/* The time of a collective from one to all or back, in rounds between neighbours. */
static gint64
model_tree (const LcEnding *ending)
{
  const LcTraceEvent *event = ending->event;
  const gboolean is_said = event->flags & LC_TRACE_EVENT_VALUE && event->value > 0;
  const guint64 members = is_said ? (guint64)event->value : ending->approximator->n_processes;
  const gint64 one = get_modelled (ending->approximator, get_bytes (ending), 1);
  gint64 rounds = 0;

  while (rounds < MOST_ROUNDS && (G_GUINT64_CONSTANT (1) << rounds) < members)
    rounds++;
  return one == UNKNOWN ? UNKNOWN : rounds * MIN (one, LC_APPROXIMATED_LONGEST / MOST_ROUNDS);
}

/* Returns the copies that a wait includes: into a buffer and out of it, or for a probe only into it. */
static gint64
get_copies (const LcEnding *ending)
{
  return (ending->timed->timing == LC_TIMING_PROBE ? 1 : 2) * ending->approximator->copy;
}

/* --- Measured times ---------------------------------------------------------------------------------------- */

/* Applies the model and what-if factors to the time of a message: only the transfer between the copies is scaled as
 * communication. */
static gint64
scale_transit (const LcEnding *ending, gint64 transit)
{
  const LcApproximator *approximator = ending->approximator;
  const gint64 copies = MIN (transit, get_copies (ending));
  const gint64 copy = ending->timed->timing == LC_TIMING_PROBE ? 0 : MIN (transit, approximator->copy);

  if (approximator->optimistic)
    transit = copies;
  if (!approximator->scaled)
    return lc_duration_limit (transit);
  transit = copies + lc_scale (transit - copies, approximator->communication_factor);
  return lc_duration_limit (transit - copy + lc_scale (copy, ending->factor));
}

/* Returns the time from `sent` (measured) to the end of receiving, without the instrumentation in between. `shows`: the
 * receiver has waited for the message, so its end shows when the message came. */
static gint64
get_transit (LcEnding *ending, gint64 sent, gboolean shows, gint64 modelled)
{
  LcApproximator *approximator = ending->approximator;
  const gint64 copies = get_copies (ending);
  const gint64 whole = MAX (0, (gint64)ending->event->end - sent);
  gint64 measured = MAX (0, whole - ending->inside - approximator->late[ending->last->rule->place]);

  if (modelled == UNKNOWN && (!shows || ending->step->decided) && !approximator->optimistic)
    approximator->lacked_messages += !ending->again;
  if (ending->step->decided)
    return scale_transit (ending, MAX (modelled, 0) + copies);
  if (lc_cost_is_fixed (approximator->costs->copy.source))
    measured = MAX (measured, copies);
  if (approximator->pessimistic)
    return scale_transit (ending, MAX (measured, whole));
  if (shows || modelled == UNKNOWN)
    return scale_transit (ending, measured);
  return scale_transit (ending, MIN (modelled + copies, measured));
}

/* Returns the time to copy a message out of its buffer: the measured one, if the receive measured only that. */
static gint64
get_copy (const LcEnding *ending, gboolean shows, gint64 own)
{
  const LcApproximator *approximator = ending->approximator;

  if (!shows && !ending->step->decided && !lc_cost_is_fixed (approximator->costs->copy.source))
    return lc_scale (own, ending->factor);
  return lc_scale (approximator->copy, ending->factor);
}

/* Whether the event's end shows when the message came: it lasted longer than it takes without waiting. If that time is
 * a calibrated mean, a receive may take longer although the message was there for a while; then the model decides. */
static gboolean
shows_arrival (const LcEnding *ending, gint64 by_itself, gint64 sent, gint64 modelled)
{
  const LcApproximator *approximator = ending->approximator;
  const gint64 left = sent + approximator->late[ending->last->rule->place];

  if (ending->own <= by_itself + ending->inside / 2)
    return FALSE;
  return modelled == UNKNOWN || approximator->costs->copy.source != LC_COST_CALIBRATED ||
         left + modelled + approximator->copy > (gint64)ending->event->begin;
}

/* --- Receivers --------------------------------------------------------------------------------------------- */

static gint64
end_received (LcEnding *ending, gint64 modelled)
{
  const gint64 sent = (gint64)ending->last->time;
  const gboolean shows = shows_arrival (ending, ending->approximator->copy, sent, modelled);
  const gint64 transit = get_transit (ending, sent, shows, modelled);

  if (shows && ending->approximator->costs->copy.source == LC_COST_UNKNOWN)
    ending->approximator->lacked_copies += !ending->again;
  return MAX (ending->latest + transit, ending->begin + get_copy (ending, shows, ending->own));
}

gint64
lc_approximator_end_message (LcEnding *ending)
{
  if (LC_CARRIED_RENDEZVOUS (ending->last->carried[1]))
    return lc_approximator_end_rendezvous (ending);
  return end_received (ending, model_message (ending));
}

gint64
lc_approximator_end_tree (LcEnding *ending)
{
  return end_received (ending, model_tree (ending));
}

/* A probe is like a receive that leaves the message in its buffer. A polling process finds a message only some time
 * after it came. */
gint64
lc_approximator_end_probe (LcEnding *ending)
{
  const LcTimed *timed = ending->timed;
  const gint64 sent = (gint64)ending->last->time, modelled = model_message (ending);
  const gboolean shows = !ending->process->polling && shows_arrival (ending, timed->nowait, sent, modelled);
  const gboolean as_measured = !shows && !ending->step->decided && !timed->nowait_fixed;
  const gint64 nowait = as_measured ? ending->own : timed->nowait;
  const gint64 transit = get_transit (ending, sent, shows, modelled);

  return MAX (ending->latest + transit, ending->begin + lc_scale (nowait, ending->factor));
}

/* A rendezvous begins when both sides are there; then the message is transferred. */
gint64
lc_approximator_end_rendezvous (LcEnding *ending)
{
  const LcApproximator *approximator = ending->approximator;
  const gint64 ready = MAX (ending->begin, ending->latest);
  const gint64 measured_ready = (gint64)MAX (ending->event->begin, ending->last->time);
  const gint64 whole = MAX (0, (gint64)ending->event->end - measured_ready);
  gint64 transfer = MAX (0, whole - ending->inside);

  if (ending->step->decided)
    transfer = MAX (0, model_message (ending)) + 2 * approximator->copy;
  else if (approximator->pessimistic)
    transfer = whole;
  return ready + scale_transit (ending, transfer);
}

/* --- Completions ------------------------------------------------------------------------------------------- */

/* Completes a receive, which is treated as one that began when it was posted. Its end shows when the message came only
 * if completing took longer than usual. A polling process finds a message only some time after it came. */
static gint64
complete_receive (LcEnding *ending, const LcPostedOperation *posted)
{
  const LcApproximatorProcess *process = ending->process;
  const LcTimed *timed = ending->timed;
  const gint64 end = (gint64)ending->event->end - ending->inside;
  const gboolean meets = LC_CARRIED_RENDEZVOUS (ending->last->carried[1]);
  const gint64 sent = meets ? MAX (ending->latest, posted->begin) : ending->latest;
  const gint64 measured_sent =
      meets ? MAX ((gint64)ending->last->time, posted->measured_begin) : (gint64)ending->last->time;
  const gint64 modelled = timed->timing == LC_TIMING_FINISH ? model_tree (ending) : model_message (ending);
  const gboolean shows = !process->polling && shows_arrival (ending, timed->nowait, measured_sent, modelled);
  const gboolean as_measured = !shows && !ending->step->decided && !timed->nowait_fixed;
  const gint64 nowait = as_measured ? ending->own : timed->nowait;
  const gint64 transit = get_transit (ending, measured_sent, shows, modelled);
  const gint64 copy = get_copy (ending, FALSE, MAX (0, MIN (ending->approximator->copy, end - posted->measured_begin)));

  return MAX (MAX (sent + transit, posted->begin + copy), ending->begin + lc_scale (nowait, ending->factor));
}

static gint64
complete_send (LcEnding *ending, const LcPostedOperation *posted)
{
  const LcApproximator *approximator = ending->approximator;
  const LcTimed *timed = ending->timed;
  const gint64 end = (gint64)ending->event->end - ending->inside;
  const gboolean shows = posted->measured_begin + approximator->copy > (gint64)ending->event->begin;
  const gint64 nowait = timed->nowait_fixed || shows ? timed->nowait : ending->own;
  const gint64 copy = get_copy (ending, FALSE, MAX (0, shows ? end - posted->measured_begin : 0));

  return MAX (posted->begin + copy, ending->begin + lc_scale (nowait, ending->factor));
}

gint64
lc_approximator_end_complete (LcEnding *ending)
{
  const LcTraceEvent *event = ending->event;
  LcPostedOperation *posted = &ending->posted;

  if (!ending->again)
    {
      *posted =
          (LcPostedOperation){.begin = ending->begin, .placed = ending->placed, .measured_begin = (gint64)event->begin};
      ending->is_posted =
          event->object != LC_TRACE_NONE &&
          lc_posted_take (ending->approximator->posted, ending->step->process, event->object, event->sequence, posted);
    }
  else
    posted->begin = posted->placed;
  if (ending->is_posted && posted->kind == LC_POSTS_SEND)
    return complete_send (ending, posted);
  if (ending->last != NULL)
    return complete_receive (ending, posted);
  return ending->begin + lc_scale (ending->own, ending->factor);
}
