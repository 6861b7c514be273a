/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: how long they are on their way, and when those who take them go on. */
#include "approximator-private.h"
#include "costs-private.h"

enum
{
  UNKNOWN = -1,
  MOST_ROUNDS = 62,
};

/* --- The model --------------------------------------------------------------------------------------------- */

/* UNKNOWN: nobody has said, and nothing could be found out. */
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

/* From one to all or back, in rounds of neighbours. */
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

/* How many copies of it are part of what is waited for: into a buffer and out of it, or only into one. */
static gint64
get_copies (const LcEnding *ending)
{
  return (ending->timed->timing == LC_TIMING_PROBE ? 1 : 2) * ending->approximator->copy;
}

/* --- What was measured ------------------------------------------------------------------------------------- */

/* The time on its way, without the copying in and out, is another one: what-if, and messages that take no time. */
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

/*
 * From `sent` (measured) to the end of its receiving, without the instrumentation in between. `shows`: the receiver
 * waited for it, and saw it come.
 */
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

/* Out of the buffer when the message is there: as measured, if that is what was measured. */
static gint64
get_copy (const LcEnding *ending, gboolean shows, gint64 own)
{
  const LcApproximator *approximator = ending->approximator;

  if (!shows && !ending->step->decided && !lc_cost_is_fixed (approximator->costs->copy.source))
    return lc_scale (own, ending->factor);
  return lc_scale (approximator->copy, ending->factor);
}

/*
 * Whether its end shows when the message came: it lasted so much longer than what it does by itself that it must have
 * waited. Where what it does by itself is a mean that the recorder has found, a receive may well take longer than that
 * of a message that has been there for a while: what the model says of its coming decides.
 */
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

/* --- Who takes them ---------------------------------------------------------------------------------------- */

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

/* As a receive, that leaves the message where it is. Who asks again and again finds it some time after it came. */
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

/* Both are there, and then the message goes over. */
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

/* --- What was begun before --------------------------------------------------------------------------------- */

/*
 * As a receive that began when it was posted; its end can show the message only if completing it took its time. Who
 * asks again and again finds it some time after it came.
 */
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
