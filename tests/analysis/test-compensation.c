/* SPDX-License-Identifier: Apache-2.0 */
/* On-the-fly compensation gives what the run without the measurement would have been: figures 2-12, and at random. */
#include <glib.h>
#include <string.h>

#include "lightcone/compensation.h"

enum
{
  MOST_PROCESSES = 8,
};

typedef enum
{
  RUN,      /* `value`: how long */
  OVERHEAD, /* of the measurement; a bare run has none */
  SEND,     /* `value`: the message's number */
  RECEIVE,
  SYNCHRONOUS, /* a send that waits for its receive: of the two that follow each other, the first */
  TOGETHER,    /* all processes, each with one of these, wait for each other */
} Kind;

/* A program is a list of these in an order in which every message is sent before it is received. */
typedef struct
{
  guint process;
  Kind kind;
  gint64 value;
} Step;

typedef struct
{
  gint64 sent, latency, delay;
} Message;

typedef struct
{
  gint64 waited;
  gint64 before; /* compensated: the delay here, that of the sender */
  gint64 sender;
} Receive;

/* How the receiver learns how early a message was. */
typedef enum
{
  BARE,    /* no overhead, and no algorithm */
  STAMPED, /* all have one clock */
  UNKNOWN, /* only waiting is known, as in the paper */
} Knowledge;

typedef struct
{
  gint64 now[MOST_PROCESSES];
  struct lc_compensator process[MOST_PROCESSES];
  gint64 waited[MOST_PROCESSES];       /* in all; as approximated */
  gint64 approximated[MOST_PROCESSES]; /* the time of each process's end */
  GArray *receives;                    /* Receive, in the order of the steps */
} Outcome;

static void
clear (Outcome *outcome)
{
  g_array_unref (outcome->receives);
}

/* --- The programs are carried out -------------------------------------------------------------------------- */

static void
receive (Outcome *outcome, guint me, const Message *message, Knowledge knowledge)
{
  struct lc_compensator *self = &outcome->process[me];
  gint64 begin = outcome->now[me], there = message->sent + message->latency;
  gint64 waited = MAX (0, there - begin);
  Receive result = {waited, lc_compensation_delay (self), message->delay};

  outcome->now[me] += waited;
  if (knowledge == STAMPED)
    result.waited = waited > 0 ? lc_compensation_receive (self, message->delay, waited)
                               : lc_compensation_receive_early (self, message->delay, begin - there);
  else if (knowledge == UNKNOWN)
    result.waited = lc_compensation_receive (self, message->delay, waited);
  outcome->waited[me] += result.waited;
  g_array_append_val (outcome->receives, result);
}

static void
come_together (Outcome *outcome, guint n_processes, Knowledge knowledge)
{
  struct lc_compensation_group group = LC_COMPENSATION_GROUP_INIT;

  for (guint i = 0; i < n_processes; i++)
    lc_compensation_arrive (&group, outcome->now[i], lc_compensation_delay (&outcome->process[i]));
  for (guint i = 0; i < n_processes; i++)
    {
      gint64 begin = outcome->now[i], waited = -group.minus_last - begin;

      outcome->now[i] += waited;
      if (knowledge == STAMPED)
        waited = lc_compensation_wait (&outcome->process[i], begin, -group.minus_last, -group.minus_last_bare);
      else if (knowledge == UNKNOWN)
        waited = lc_compensation_receive_group (&outcome->process[i], group.delay, waited);
      outcome->waited[i] += waited;
    }
}

/* Sender and receiver are both there when the later one is. The sender knows nothing of the receiver's delay. */
static void
meet (Outcome *outcome, guint sender, guint receiver, Message *message, Knowledge knowledge)
{
  gint64 later;

  message->sent = outcome->now[sender];
  message->delay = lc_compensation_delay (&outcome->process[sender]);
  receive (outcome, receiver, message, knowledge);
  later = MAX (outcome->now[sender], outcome->now[receiver] - message->latency);
  outcome->waited[sender] += later - outcome->now[sender];
  outcome->now[sender] = later;
}

static Outcome
carry_out (const Step *steps, gsize n_steps, guint n_processes, const gint64 *latencies, gsize n_messages,
           Knowledge knowledge)
{
  Outcome outcome = {.receives = g_array_new (FALSE, TRUE, sizeof (Receive))};
  g_autofree Message *messages = g_new0 (Message, n_messages + 1);

  for (gsize i = 0; i < n_steps; i++)
    {
      guint me = steps[i].process;
      Message *message = steps[i].kind >= SEND && steps[i].kind <= SYNCHRONOUS ? &messages[steps[i].value] : NULL;

      if (message != NULL)
        message->latency = latencies != NULL ? latencies[steps[i].value] : 0;
      if (steps[i].kind == RUN)
        outcome.now[me] += steps[i].value;
      else if (steps[i].kind == OVERHEAD && knowledge != BARE)
        {
          outcome.now[me] += steps[i].value;
          lc_compensation_add (&outcome.process[me], steps[i].value);
        }
      else if (steps[i].kind == SEND)
        {
          message->sent = outcome.now[me];
          message->delay = lc_compensation_delay (&outcome.process[me]);
        }
      else if (steps[i].kind == RECEIVE)
        receive (&outcome, me, message, knowledge);
      else if (steps[i].kind == SYNCHRONOUS)
        meet (&outcome, me, steps[i + 1].process, message, knowledge), i++;
      else if (steps[i].kind == TOGETHER)
        come_together (&outcome, n_processes, knowledge);
    }
  for (guint i = 0; i < n_processes; i++)
    outcome.approximated[i] = outcome.now[i] - lc_compensation_delay (&outcome.process[i]);
  return outcome;
}

/* --- The figures ------------------------------------------------------------------------------------------- */

enum
{
  P1,
  P2,
  P3,
};

typedef struct
{
  const char *name;
  Step steps[20];
  /* Of each receive: is it the case that x1 >= x2 + w; and the figure's w' and x' with these numbers. */
  struct
  {
    gboolean first_case;
    gint64 waiting, delay;
  } receives[2];
} Case;

/* Measured and approximated run as the figures draw them, from left to right. */
static const Case cases[] = {
    {"figure 2/one send/case 1",
     {{P1, RUN, 100}, {P1, OVERHEAD, 60}, {P1, SEND, 0}, {P2, RUN, 120}, {P2, OVERHEAD, 10}, {P2, RECEIVE, 0}},
     {{TRUE, 0, 40}}},
    {"figure 2/one send/case 2",
     {{P1, RUN, 100}, {P1, OVERHEAD, 20}, {P1, SEND, 0}, {P2, RUN, 50}, {P2, OVERHEAD, 30}, {P2, RECEIVE, 0}},
     {{FALSE, 50, 20}}},
    {"figure 3/two sends/case 1",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 60},
      {P1, SEND, 0},
      {P1, RUN, 50},
      {P1, OVERHEAD, 70},
      {P1, SEND, 1},
      {P2, RUN, 120},
      {P2, OVERHEAD, 10},
      {P2, RECEIVE, 0},
      {P2, RUN, 60},
      {P2, OVERHEAD, 20},
      {P2, RECEIVE, 1}},
     {{TRUE, 0, 40}, {TRUE, 0, 100}}}, /* the second: waits 280 - 240 = 40, O1 = 130, O2 = 60 */
    {"figure 3/two sends/case 2",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 20},
      {P1, SEND, 0},
      {P1, RUN, 50},
      {P1, OVERHEAD, 70},
      {P1, SEND, 1},
      {P2, RUN, 50},
      {P2, OVERHEAD, 30},
      {P2, RECEIVE, 0},
      {P2, RUN, 60},
      {P2, OVERHEAD, 20},
      {P2, RECEIVE, 1}},
     {{FALSE, 50, 20}, {TRUE, 0, 80}}}, /* 240 - 200 = 40, O1 = 90, O2 = 40 */
    {"figure 4/two sends/case 3",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 60},
      {P1, SEND, 0},
      {P1, RUN, 90},
      {P1, OVERHEAD, 5},
      {P1, SEND, 1},
      {P2, RUN, 120},
      {P2, OVERHEAD, 10},
      {P2, RECEIVE, 0},
      {P2, RUN, 30},
      {P2, OVERHEAD, 40},
      {P2, RECEIVE, 1}},
     {{TRUE, 0, 40}, {FALSE, 40, 65}}}, /* 255 - 230 = 25, O1 = 65, O2 = 80 */
    {"figure 4/two sends/case 4",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 20},
      {P1, SEND, 0},
      {P1, RUN, 90},
      {P1, OVERHEAD, 15},
      {P1, SEND, 1},
      {P2, RUN, 50},
      {P2, OVERHEAD, 30},
      {P2, RECEIVE, 0},
      {P2, RUN, 60},
      {P2, OVERHEAD, 20},
      {P2, RECEIVE, 1}},
     {{FALSE, 50, 20}, {FALSE, 30, 35}}}, /* 225 - 200 = 25, O1 = 35, O2 = 40 */
    {"figure 5/handshake/case 1",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 60},
      {P1, SEND, 0},
      {P2, RUN, 120},
      {P2, OVERHEAD, 10},
      {P2, RECEIVE, 0},
      {P2, RUN, 90},
      {P2, OVERHEAD, 15},
      {P2, SEND, 1},
      {P1, RUN, 40},
      {P1, OVERHEAD, 10},
      {P1, RECEIVE, 1}},
     {{TRUE, 0, 40}, {FALSE, 70, 55}}}, /* 265 - 210 = 55, O1 = 70, O2 = 55 */
    {"figure 5/handshake/case 2",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 20},
      {P1, SEND, 0},
      {P2, RUN, 50},
      {P2, OVERHEAD, 30},
      {P2, RECEIVE, 0},
      {P2, RUN, 90},
      {P2, OVERHEAD, 15},
      {P2, SEND, 1},
      {P1, RUN, 40},
      {P1, OVERHEAD, 10},
      {P1, RECEIVE, 1}},
     {{FALSE, 50, 20}, {FALSE, 50, 35}}}, /* 225 - 170 = 55, O1 = 30, O2 = 35 */
    {"figure 6/handshake/case 3",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 60},
      {P1, SEND, 0},
      {P2, RUN, 120},
      {P2, OVERHEAD, 10},
      {P2, RECEIVE, 0},
      {P2, RUN, 40},
      {P2, OVERHEAD, 90},
      {P2, SEND, 1},
      {P1, RUN, 80},
      {P1, OVERHEAD, 5},
      {P1, RECEIVE, 1}},
     {{TRUE, 0, 40}, {TRUE, 0, 110}}}, /* 290 - 245 = 45, O1 = 65, O2 = 130 */
    {"figure 6/handshake/case 4",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 20},
      {P1, SEND, 0},
      {P2, RUN, 50},
      {P2, OVERHEAD, 30},
      {P2, RECEIVE, 0},
      {P2, RUN, 40},
      {P2, OVERHEAD, 90},
      {P2, SEND, 1},
      {P1, RUN, 80},
      {P1, OVERHEAD, 5},
      {P1, RECEIVE, 1}},
     {{FALSE, 50, 20}, {TRUE, 0, 70}}}, /* 250 - 205 = 45, O1 = 25, O2 = 110 */
    /* P1 and P2 have their delays from messages of P3. */
    {"figure 7/general/case 1",
     {{P3, RUN, 10},
      {P3, OVERHEAD, 25},
      {P3, SEND, 0},
      {P1, RUN, 20},
      {P1, OVERHEAD, 4},
      {P1, RECEIVE, 0},
      {P1, RUN, 50},
      {P1, OVERHEAD, 80},
      {P1, SEND, 1},
      {P2, RUN, 100},
      {P2, OVERHEAD, 9},
      {P2, RECEIVE, 1}},
     {{TRUE, 0, 15}, {TRUE, 0, 65}}}, /* 165 - 109 = 56, x1 = 95, x2 = 9 */
    {"figure 7/general/case 2",
     {{P3, RUN, 50},
      {P3, OVERHEAD, 5},
      {P3, SEND, 0},
      {P1, RUN, 20},
      {P1, OVERHEAD, 8},
      {P1, RECEIVE, 0},
      {P1, RUN, 70},
      {P1, OVERHEAD, 10},
      {P1, SEND, 1},
      {P2, RUN, 60},
      {P2, OVERHEAD, 40},
      {P2, RECEIVE, 1}},
     {{FALSE, 30, 5}, {FALSE, 60, 15}}}, /* 135 - 100 = 35, x1 = 15, x2 = 40 */
    {"figure 8/pipeline/case 1",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 60},
      {P1, SEND, 0},
      {P2, RUN, 120},
      {P2, OVERHEAD, 10},
      {P2, RECEIVE, 0},
      {P2, SEND, 1},
      {P3, RUN, 130},
      {P3, OVERHEAD, 5},
      {P3, RECEIVE, 1}},
     {{TRUE, 0, 40}, {TRUE, 0, 30}}}, /* 160 - 135 = 25, x2' = 40, o3 = 5 */
    {"figure 8/pipeline/case 2",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 20},
      {P1, SEND, 0},
      {P2, RUN, 50},
      {P2, OVERHEAD, 30},
      {P2, RECEIVE, 0},
      {P2, SEND, 1},
      {P3, RUN, 60},
      {P3, OVERHEAD, 25},
      {P3, RECEIVE, 1}},
     {{FALSE, 50, 20}, {FALSE, 40, 20}}}, /* 120 - 85 = 35, x2' = 20, o3 = 25 */
    {"figure 9/two receives/case 1",
     {{P1, RUN, 60},
      {P1, OVERHEAD, 60},
      {P1, SEND, 0},
      {P3, RUN, 70},
      {P3, OVERHEAD, 90},
      {P3, SEND, 1},
      {P2, RUN, 80},
      {P2, OVERHEAD, 10},
      {P2, RECEIVE, 0},
      {P2, RUN, 10},
      {P2, OVERHEAD, 5},
      {P2, RECEIVE, 1}},
     {{TRUE, 0, 40}, {TRUE, 0, 70}}}, /* 160 - 135 = 25, x3 = 90, x2 = 45 */
    {"figure 10/two receives/case 2",
     {{P1, RUN, 60},
      {P1, OVERHEAD, 60},
      {P1, SEND, 0},
      {P3, RUN, 150},
      {P3, OVERHEAD, 30},
      {P3, SEND, 1},
      {P2, RUN, 80},
      {P2, OVERHEAD, 10},
      {P2, RECEIVE, 0},
      {P2, RUN, 10},
      {P2, OVERHEAD, 5},
      {P2, RECEIVE, 1}},
     {{TRUE, 0, 40}, {FALSE, 60, 30}}}, /* 180 - 135 = 45, x3 = 30, x2 = 45 */
    {"figure 11/two receives/case 3",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 20},
      {P1, SEND, 0},
      {P3, RUN, 150},
      {P3, OVERHEAD, 15},
      {P3, SEND, 1},
      {P2, RUN, 50},
      {P2, OVERHEAD, 30},
      {P2, RECEIVE, 0},
      {P2, RUN, 10},
      {P2, OVERHEAD, 5},
      {P2, RECEIVE, 1}},
     {{FALSE, 50, 20}, {FALSE, 40, 15}}}, /* 165 - 135 = 30, x3 = 15, x2 = 25 */
    /* P3 sends after P1, and would have sent before it; P2 receives in the order that was measured. */
    {"figure 12/two receives/case 4",
     {{P1, RUN, 100},
      {P1, OVERHEAD, 20},
      {P1, SEND, 0},
      {P3, RUN, 80},
      {P3, OVERHEAD, 90},
      {P3, SEND, 1},
      {P2, RUN, 50},
      {P2, OVERHEAD, 30},
      {P2, RECEIVE, 0},
      {P2, RUN, 10},
      {P2, OVERHEAD, 5},
      {P2, RECEIVE, 1}},
     {{FALSE, 50, 20}, {TRUE, 0, 60}}}, /* 170 - 135 = 35, x3 = 90, x2 = 25 */
};

static void
check_case (gconstpointer data)
{
  const Case *figure = data;
  gsize n_steps = 0;
  Outcome bare, measured, compensated;

  while (n_steps < G_N_ELEMENTS (figure->steps) &&
         (n_steps == 0 || figure->steps[n_steps].value != 0 || figure->steps[n_steps].kind >= SEND))
    n_steps++;
  bare = carry_out (figure->steps, n_steps, 3, NULL, 2, BARE);
  measured = carry_out (figure->steps, n_steps, 3, NULL, 2, UNKNOWN);
  compensated = carry_out (figure->steps, n_steps, 3, NULL, 2, STAMPED);
  g_assert_cmpuint (bare.receives->len, >=, 1);
  for (guint i = 0; i < bare.receives->len; i++)
    {
      const Receive *found = &g_array_index (measured.receives, Receive, i);
      const Receive *stamped = &g_array_index (compensated.receives, Receive, i);
      const Receive *real = &g_array_index (bare.receives, Receive, i);

      g_assert_cmpint (found->waited, ==, real->waited);
      g_assert_cmpint (found->waited, ==, figure->receives[i].waiting);
      g_assert_cmpint (stamped->waited, ==, real->waited);
      g_assert_true ((found->waited == 0) == figure->receives[i].first_case);
    }
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpint (measured.approximated[i], ==, bare.now[i]);
      g_assert_cmpint (compensated.approximated[i], ==, bare.now[i]);
    }
  clear (&bare);
  clear (&measured);
  clear (&compensated);
}

/* The same numbers in the equations as they are printed, without a run. */
static void
check_equations (gconstpointer data)
{
  const Case *figure = data;
  struct lc_compensator process[3] = {{0}};
  gint64 now[3] = {0}, sent[2] = {0}, delays[2] = {0};
  guint n = 0;

  for (const Step *step = figure->steps; step->value != 0 || step->kind >= SEND; step++)
    if (step->kind == RUN || step->kind == OVERHEAD)
      {
        now[step->process] += step->value;
        if (step->kind == OVERHEAD)
          lc_compensation_add (&process[step->process], step->value);
      }
    else if (step->kind == SEND)
      {
        sent[step->value] = now[step->process];
        delays[step->value] = lc_compensation_delay (&process[step->process]);
      }
    else
      {
        struct lc_compensator *self = &process[step->process];
        gint64 x1 = delays[step->value], x2 = lc_compensation_delay (self), w = sent[step->value] - now[step->process];
        gint64 overhead = self->overhead, waiting;

        g_assert_cmpint (w, >, 0); /* the figures' receivers have waited */
        g_assert_true ((x1 >= x2 + w) == figure->receives[n].first_case);
        waiting = lc_compensation_receive (self, x1, w);
        g_assert_cmpint (waiting, ==, x1 >= x2 + w ? 0 : w + (x2 - x1));
        g_assert_cmpint (lc_compensation_delay (self), ==, MIN (x1, x2 + w));
        g_assert_cmpint (lc_compensation_delay (self), ==, figure->receives[n].delay);
        g_assert_cmpint (waiting, ==, figure->receives[n].waiting);
        g_assert_cmpint (self->overhead, ==, overhead);
        now[step->process] += w;
        n++;
      }
}

/* --- At random --------------------------------------------------------------------------------------------- */

typedef struct
{
  guint n_processes;
  GArray *steps;     /* Step */
  GArray *latencies; /* gint64, one a message */
} Program;

static void
add (Program *program, guint process, Kind kind, gint64 value)
{
  Step step = {process, kind, value};

  g_array_append_val (program->steps, step);
}

/* Some programs have little overhead, some more than work; it is spread, or falls on one process. */
static gint64
some_overhead (GRand *random, guint process, gint32 most, gint unlucky)
{
  if (g_rand_int_range (random, 0, 3) == 0 || (unlucky >= 0 && (guint)unlucky != process))
    return 0;
  return g_rand_int_range (random, 0, most);
}

static Program
make_program (guint32 seed, gboolean with_groups, gboolean with_rendezvous)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  Program program = {(guint)g_rand_int_range (random, 2, MOST_PROCESSES + 1), g_array_new (FALSE, FALSE, sizeof (Step)),
                     g_array_new (FALSE, FALSE, sizeof (gint64))};
  gint32 most = 1 << g_rand_int_range (random, 1, 12), n_messages = g_rand_int_range (random, 50, 400);
  gint unlucky = g_rand_boolean (random) ? g_rand_int_range (random, 0, (gint32)program.n_processes) : -1;
  g_autoptr (GArray) flying = g_array_new (FALSE, FALSE, sizeof (Step)); /* the receiver and the message */

  while (program.latencies->len < (guint)n_messages || flying->len > 0)
    {
      guint me = (guint)g_rand_int_range (random, 0, (gint32)program.n_processes), to;
      gint32 what = g_rand_int_range (random, 0, 20);

      if (what < 9 && program.latencies->len < (guint)n_messages)
        {
          gint64 latency = g_rand_int_range (random, 0, 200), number = program.latencies->len;
          gboolean meet_now = with_rendezvous && g_rand_boolean (random);

          to = (me + (guint)g_rand_int_range (random, 1, (gint32)program.n_processes)) % program.n_processes;
          g_array_append_val (program.latencies, latency);
          add (&program, me, RUN, g_rand_int_range (random, 0, 1000));
          add (&program, me, OVERHEAD, some_overhead (random, me, most, unlucky));
          add (&program, me, meet_now ? SYNCHRONOUS : SEND, number);
          if (meet_now)
            add (&program, to, RECEIVE, number);
          else
            {
              Step later = {to, RECEIVE, number};
              g_array_append_val (flying, later);
            }
        }
      else if (what < 19 && flying->len > 0)
        {
          guint which = (guint)g_rand_int_range (random, 0, (gint32)flying->len);
          Step step = g_array_index (flying, Step, which);

          g_array_remove_index (flying, which);
          add (&program, step.process, RUN, g_rand_int_range (random, 0, 1000));
          add (&program, step.process, OVERHEAD, some_overhead (random, step.process, most, unlucky));
          g_array_append_val (program.steps, step);
          add (&program, step.process, OVERHEAD, some_overhead (random, step.process, most, unlucky));
        }
      else if (with_groups)
        add (&program, 0, TOGETHER, 0);
    }
  return program;
}

static Outcome
run (const Program *program, Knowledge knowledge)
{
  return carry_out ((const Step *)(void *)program->steps->data, program->steps->len, program->n_processes,
                    (const gint64 *)(void *)program->latencies->data, program->latencies->len, knowledge);
}

static void
clear_program (Program *program)
{
  g_array_unref (program->steps);
  g_array_unref (program->latencies);
}

/* Waiting of each receive and the total of each process are the bare run's. */
static void
check_exact (gconstpointer data)
{
  gint64 removed = 0;

  for (guint32 seed = 0; seed < 400; seed++)
    {
      Program program = make_program (seed, GPOINTER_TO_INT (data), FALSE);
      Outcome bare = run (&program, BARE), measured = run (&program, STAMPED);

      for (guint i = 0; i < bare.receives->len; i++)
        g_assert_cmpint (g_array_index (measured.receives, Receive, i).waited, ==,
                         g_array_index (bare.receives, Receive, i).waited);
      for (guint i = 0; i < program.n_processes; i++)
        {
          g_assert_cmpint (measured.approximated[i], ==, bare.now[i]);
          g_assert_cmpint (measured.waited[i], ==, bare.waited[i]);
          removed += measured.now[i] - bare.now[i];
        }
      clear (&bare);
      clear (&measured);
      clear_program (&program);
    }
  g_assert_cmpint (removed, >, 0);
}

/* How far totals are off, in parts of the time that the measurement has added; `late`: never too early. */
static gdouble
error_of (Knowledge knowledge, gboolean with_groups, gboolean with_rendezvous, gboolean late)
{
  gint64 added = 0, off = 0;

  for (guint32 seed = 0; seed < 400; seed++)
    {
      Program program = make_program (seed, with_groups, with_rendezvous);
      Outcome bare = run (&program, BARE), measured = run (&program, knowledge);

      for (guint i = 0; i < program.n_processes; i++)
        {
          added += measured.now[i] - bare.now[i];
          off += ABS (measured.approximated[i] - bare.now[i]);
          if (late)
            g_assert_cmpint (measured.approximated[i], >=, bare.now[i]);
        }
      clear (&bare);
      clear (&measured);
      clear_program (&program);
    }
  return (gdouble)off / (gdouble)added;
}

/* What is not exact: by how much, in docs/profile.md. */
static void
check_inexact (void)
{
  gdouble unknown = error_of (UNKNOWN, FALSE, FALSE, TRUE), groups = error_of (UNKNOWN, TRUE, FALSE, TRUE);
  gdouble rendezvous = error_of (STAMPED, FALSE, TRUE, FALSE);

  g_test_message ("early messages of unknown age: %.1f%% of what was added is left; least delay of a group besides: "
                  "%.1f%%; rendezvous: %.1f%%",
                  unknown * 100, groups * 100, rendezvous * 100);
  g_assert_cmpfloat (unknown, >, 0);
  g_assert_cmpfloat (unknown, <, 1);
  g_assert_cmpfloat (groups, >=, unknown);
  g_assert_cmpfloat (groups, <, 1);
  g_assert_cmpfloat (rendezvous, >, 0);
  g_assert_cmpfloat (rendezvous, <, 0.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/compensation/%s", cases[i].name);
      g_autofree char *equations = g_strdup_printf ("/compensation/equations/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], check_case);
      g_test_add_data_func (equations, &cases[i], check_equations);
    }
  g_test_add_data_func ("/compensation/random/messages", GINT_TO_POINTER (FALSE), check_exact);
  g_test_add_data_func ("/compensation/random/groups", GINT_TO_POINTER (TRUE), check_exact);
  g_test_add_func ("/compensation/inexact", check_inexact);
  return g_test_run ();
}
