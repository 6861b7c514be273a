/* SPDX-License-Identifier: Apache-2.0 */
/* However messages are sent and received, the sweep holds those that are on their way, and no others. */
#include "lightcone/sweep.h"
#include "maker.h"

enum
{
  CHANNELS = 8,
  IN_FLIGHT = 64, /* messages of one channel, and requests of one process, at most */
  MESSAGES = 1000000,
  COLLECTIVES = 200000,
  PROBED = 100000,
  PROCESSES = 4,
};

/* Channel c goes from process c % PROCESSES to the next one, or to itself. */
typedef struct
{
  guint32 sent, received; /* how many */
  guint32 object;
} Channel;

typedef struct
{
  guint channel;
  guint32 sequence;
  gboolean sends;
} Request;

typedef struct
{
  Maker *makers[PROCESSES];
  Channel channels[CHANNELS];
  GArray *requests[PROCESSES];
  GRand *random;
  gboolean completes; /* isends have completes too */
  guint64 now;
} Program;

static guint
sender (guint channel)
{
  return channel % PROCESSES;
}

static guint
receiver (guint channel)
{
  return channel < CHANNELS - 1 ? (channel + 1) % PROCESSES : sender (channel);
}

static void
add (Program *program, guint process, guint16 operation, guint channel, guint32 sequence, guint64 end)
{
  maker_message (program->makers[process], operation, program->channels[channel].object, sequence, 8, program->now++,
                 end);
  program->now = MAX (program->now, end) + 1;
}

static void
add_instant (Program *program, guint process, guint16 operation, guint channel, guint32 sequence)
{
  add (program, process, operation, channel, sequence, program->now);
}

/* One of them; the sender's need not wait. */
static void
complete (Program *program, guint process)
{
  GArray *requests = program->requests[process];
  guint number = requests->len > 0 ? (guint)g_rand_int_range (program->random, 0, (gint32)requests->len) : 0;
  Request request;

  if (requests->len == 0)
    return;
  request = g_array_index (requests, Request, number);
  if (!request.sends && request.sequence >= program->channels[request.channel].sent)
    {
      add_instant (program, process, LC_TEST_FAILED, request.channel, request.sequence);
      return;
    }
  if (!request.sends || program->completes)
    add_instant (program, process, LC_COMPLETE, request.channel, request.sequence);
  g_array_remove_index_fast (requests, number);
}

static void
request (Program *program, guint process, guint channel, guint32 sequence, gboolean sends)
{
  const Request request = {channel, sequence, sends};

  add_instant (program, process, sends ? LC_ISEND : LC_IRECV, channel, sequence);
  g_array_append_val (program->requests[process], request);
  while (program->requests[process]->len > IN_FLIGHT)
    {
      guint before = program->requests[process]->len;

      complete (program, process);
      if (program->requests[process]->len == before && g_rand_int_range (program->random, 0, 8) == 0)
        break;
    }
}

/* Whoever sends it waits until it is being received. */
static void
rendezvous (Program *program, guint number)
{
  Channel *channel = &program->channels[number];
  guint64 begin = program->now;
  gboolean waits = g_rand_boolean (program->random);

  if (sender (number) == receiver (number) || channel->sent != channel->received)
    return;
  add (program, receiver (number), waits ? LC_RECV : LC_IRECV, number, channel->received, begin + 8);
  if (!waits)
    {
      const Request request = {number, channel->received, FALSE};

      g_array_append_val (program->requests[receiver (number)], request);
    }
  program->now = begin + 1;
  add (program, sender (number), LC_SSEND, number, channel->sent, begin + 9);
  channel->sent++;
  channel->received++;
}

static void
send_one (Program *program, guint number)
{
  Channel *channel = &program->channels[number];

  if (channel->sent < channel->received)
    add_instant (program, sender (number), g_rand_boolean (program->random) ? LC_SEND : LC_SSEND, number,
                 channel->sent++);
  else if (channel->sent - channel->received < IN_FLIGHT && g_rand_boolean (program->random))
    add_instant (program, sender (number), LC_SEND, number, channel->sent++);
  else if (channel->sent - channel->received < IN_FLIGHT)
    request (program, sender (number), number, channel->sent++, TRUE);
}

static void
receive_one (Program *program, guint number)
{
  Channel *channel = &program->channels[number];

  if (channel->received < channel->sent && g_rand_boolean (program->random))
    add_instant (program, receiver (number), LC_RECV, number, channel->received++);
  else if (channel->received < channel->sent + IN_FLIGHT / 8)
    request (program, receiver (number), number, channel->received++, FALSE);
}

static Program *
program_new (guint32 seed)
{
  Program *program = g_new0 (Program, 1);

  program->random = g_rand_new_with_seed (seed);
  program->completes = TRUE;
  for (guint i = 0; i < PROCESSES; i++)
    {
      program->makers[i] = maker_new (i);
      program->requests[i] = g_array_new (FALSE, FALSE, sizeof (Request));
    }
  return program;
}

static void
program_free (Program *program)
{
  for (guint i = 0; i < PROCESSES; i++)
    {
      maker_free (program->makers[i]);
      g_array_unref (program->requests[i]);
    }
  g_rand_free (program->random);
  g_free (program);
}

/* The result of the sweep over it; frees the program. */
static LcSweepResult
sweep (Program *program, GByteArray *objects)
{
  char *directory = maker_directory ();
  LcSweepVisitor *const visitors[] = {NULL};
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (LcTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  LcSweepResult result;

  maker_write (directory, "objects-0", objects->data, objects->len);
  maker_write_metadata (directory);
  for (guint i = 0; i < PROCESSES; i++)
    maker_finish (program->makers[i], directory);
  program_free (program);
  trace = lc_trace_open (directory, &error);
  g_assert_no_error (error);
  lc_sweep_run (trace, rules, visitors, NULL, NULL, &result, &error);
  g_assert_no_error (error);
  g_test_message ("%" G_GUINT64_FORMAT " events, %" G_GUINT64_FORMAT " arcs, %" G_GUINT64_FORMAT " points at most",
                  result.events, result.arcs, result.highest);
  g_assert_cmpuint (result.unmatched, ==, 0);
  g_assert_cmpuint (result.cycles, ==, 0);
  g_assert_cmpuint (result.backwards, ==, 0);
  maker_remove (directory);
  return result;
}

static void
test_messages (void)
{
  g_autoptr (GByteArray) objects = maker_objects (0);
  Program *program = program_new (1);
  guint64 sent = 0;
  LcSweepResult result;

  for (guint i = 0; i < CHANNELS; i++)
    program->channels[i].object = maker_object (objects, LC_CLASS_CHANNEL, NULL, 0, 0);
  while (sent < MESSAGES)
    {
      guint number = (guint)g_rand_int_range (program->random, 0, CHANNELS);

      switch (g_rand_int_range (program->random, 0, 4))
        {
        case 0:
          rendezvous (program, number);
          break;
        case 1:
          send_one (program, number);
          break;
        case 2:
          receive_one (program, number);
          break;
        default:
          complete (program, g_rand_boolean (program->random) ? sender (number) : receiver (number));
          break;
        }
      sent = 0;
      for (guint i = 0; i < CHANNELS; i++)
        sent += program->channels[i].sent;
    }
  result = sweep (program, objects);
  g_assert_cmpuint (result.events, >, MESSAGES * 2);
  g_assert_cmpuint (result.highest, <, 4 * CHANNELS * IN_FLIGHT);
  lc_sweep_result_clear (&result);
}

/* All kinds of collective operations, of all processes and of one alone. */
static void
test_collectives (void)
{
  static const guint16 trees[][2] = {{LC_BROADCAST_ROOT, LC_BROADCAST_RECV},
                                     {LC_SCATTER_ROOT, LC_SCATTER},
                                     {LC_REDUCE_ROOT, LC_REDUCE},
                                     {LC_GATHER_ROOT, LC_GATHER}};
  static const guint16 groups[] = {LC_ALL_REDUCE, LC_ALL_GATHER, LC_ALL_TO_ALL, LC_REDUCE_SCATTER, LC_SCAN};
  g_autoptr (GByteArray) objects = maker_objects (0);
  Program *program = program_new (2);
  guint32 world = maker_object (objects, LC_CLASS_COLLECTIVE, "world", 0, 0), self[PROCESSES],
          sequence[PROCESSES] = {0};
  LcSweepResult result;

  for (guint i = 0; i < PROCESSES; i++)
    self[i] = maker_object (objects, LC_CLASS_COLLECTIVE, "self", 0, 0);
  for (guint i = 0; i < COLLECTIVES; i++, program->now += 10)
    {
      guint kind = (guint)g_rand_int_range (program->random, 0, G_N_ELEMENTS (trees) + G_N_ELEMENTS (groups));
      guint root = (guint)g_rand_int_range (program->random, 0, PROCESSES);
      gboolean alone = g_rand_boolean (program->random);

      for (guint k = 0; k < PROCESSES; k++)
        {
          guint16 operation =
              kind < G_N_ELEMENTS (trees) ? trees[kind][k != root] : groups[kind - G_N_ELEMENTS (trees)];

          if (alone && k == root)
            maker_sync (program->makers[k], operation, self[k], sequence[k]++, 1, program->now, program->now + 5, 0);
          else if (!alone)
            maker_sync (program->makers[k], operation, world, i, PROCESSES, program->now + k, program->now + 5, 0);
        }
    }
  result = sweep (program, objects);
  g_assert_cmpuint (result.highest, <, 64 * PROCESSES);
  lc_sweep_result_clear (&result);
}

/* The same, begun and finished later, out of order: what each gives is kept up to its last taker, and no longer. */
static void
test_begun_collectives (void)
{
  static const guint16 kinds[][4] = {{LC_IBROADCAST_ROOT, LC_IBROADCAST_RECV, LC_FINISH_LOCAL, LC_FINISH_FROM_ROOT},
                                     {LC_ISCATTER_ROOT, LC_ISCATTER, LC_FINISH_LOCAL, LC_FINISH_FROM_ROOT},
                                     {LC_IREDUCE_ROOT, LC_IREDUCE, LC_FINISH_AT_ROOT, LC_FINISH_LOCAL},
                                     {LC_IGATHER_ROOT, LC_IGATHER, LC_FINISH_AT_ROOT, LC_FINISH_LOCAL},
                                     {LC_IBARRIER, LC_IBARRIER, LC_FINISH_ALL, LC_FINISH_ALL},
                                     {LC_IALL_REDUCE, LC_IALL_REDUCE, LC_FINISH_ALL, LC_FINISH_ALL},
                                     {LC_IALL_GATHER, LC_IALL_GATHER, LC_FINISH_ALL, LC_FINISH_ALL},
                                     {LC_IALL_TO_ALL, LC_IALL_TO_ALL, LC_FINISH_ALL, LC_FINISH_ALL},
                                     {LC_IREDUCE_SCATTER, LC_IREDUCE_SCATTER, LC_FINISH_ALL, LC_FINISH_ALL},
                                     {LC_ISCAN, LC_ISCAN, LC_FINISH_ALL, LC_FINISH_ALL}};
  g_autoptr (GByteArray) objects = maker_objects (0);
  Program *program = program_new (2);
  guint32 world = maker_mpi_object (objects, LC_CLASS_COLLECTIVE, "world", PROCESSES);
  LcSweepResult result;

  for (guint i = 0; i < COLLECTIVES / 2; i++, program->now += 40)
    {
      const guint16 *both[2];
      guint root = (guint)g_rand_int_range (program->random, 0, PROCESSES);

      for (guint k = 0; k < 2; k++)
        both[k] = kinds[g_rand_int_range (program->random, 0, G_N_ELEMENTS (kinds))];
      for (guint k = 0; k < PROCESSES; k++)
        for (guint j = 0; j < 5; j++)
          {
            const guint which = j < 2 ? j : (j + k) % 2;
            const guint16 operation = j == 2 ? LC_FINISH_FAILED : both[which][(j < 2 ? 0 : 2) + (k != root)];

            maker_collective (program->makers[k], operation, world, 2 * i + (j == 2 ? 0 : which), PROCESSES, 8,
                              program->now + 8 * j, program->now + 8 * j + 5);
          }
    }
  result = sweep (program, objects);
  g_assert_cmpuint (result.left, ==, 0);
  g_assert_cmpuint (result.highest, <, 64 * PROCESSES);
  lc_sweep_result_clear (&result);
}

/* Only the last of a scan needs all others, and who receives nothing need not wait: they go on before others come. */
static void
test_unknown_collectives (void)
{
  static const guint16 kinds[] = {LC_SCAN, LC_ALL_TO_ALL, LC_BROADCAST_RECV};
  g_autoptr (GByteArray) objects = maker_objects (0);
  Program *program = program_new (2);
  guint32 world = maker_mpi_object (objects, LC_CLASS_COLLECTIVE, "world", PROCESSES);
  guint64 groups = 0;
  LcSweepResult result;

  for (guint i = 0; i < PROBED; i++, program->now += 100)
    {
      const guint16 operation = kinds[i % G_N_ELEMENTS (kinds)];

      groups += operation != LC_BROADCAST_RECV;
      for (guint k = 0; k < PROCESSES; k++)
        maker_unknown_collective (
            program->makers[k], operation == LC_BROADCAST_RECV && k == PROCESSES - 1 ? LC_BROADCAST_ROOT : operation,
            world, i, PROCESSES, program->now + 20 * k, program->now + 20 * k + 10, k < PROCESSES - 1);
    }
  result = sweep (program, objects);
  /* The last one comes last itself, so that nobody else is waited for. */
  g_assert_cmpuint (result.arcs, ==, 0);
  g_assert_cmpuint (result.events, ==, PROBED * PROCESSES);
  g_assert_cmpuint (groups, >, 0);
  lc_sweep_result_clear (&result);
}

/* Messages that are looked at before they are received; one is left in the end. */
static void
test_probes (void)
{
  g_autoptr (GByteArray) objects = maker_objects (0);
  Program *program = program_new (2);
  guint32 channel = maker_mpi_object (objects, LC_CLASS_CHANNEL, "0>1:0", LC_CHANNEL_ENDS (0, 1));
  const LcSweepProblem *problem;
  LcSweepResult result;

  for (guint i = 0; i < PROBED; i++, program->now += 50)
    {
      maker_message (program->makers[0], i % 2 ? LC_SEND : LC_ISEND, channel, i, 8, program->now, program->now + 5);
      if (i % 2 == 0)
        maker_message (program->makers[0], LC_COMPLETE, channel, i, 8, program->now + 6, program->now + 9);
      if (i == PROBED - 1)
        break;
      maker_message (program->makers[1], LC_PROBE_FAILED, channel, i, 0, program->now, program->now + 2);
      maker_message (program->makers[1], LC_PROBE, channel, i, 8, program->now + 3, program->now + 10);
      maker_message (program->makers[1], LC_PROBE, channel, i, 8, program->now + 11, program->now + 12);
      maker_message (program->makers[1], LC_RECV, channel, i, 8, program->now + 13, program->now + 20);
    }
  result = sweep (program, objects);
  g_assert_cmpuint (result.arcs, ==, PROBED / 2 + 3 * (PROBED - 1));
  g_assert_cmpuint (result.highest, <, 1000);
  g_assert_cmpuint (result.left, ==, 1);
  problem = &g_array_index (result.problems, LcSweepProblem, 0);
  g_assert_cmpint (problem->trouble, ==, LC_SWEEP_LEFT);
  g_assert_cmpuint (problem->process, ==, 0);
  g_assert_cmpuint (problem->operation, ==, LC_SEND);
  g_assert_cmpint (problem->sequence, ==, PROBED - 1);
  g_assert_cmpuint (problem->wants, ==, LC_RECV);
  lc_sweep_result_clear (&result);
}

/* What nobody takes is forgotten sooner or later; whoever waits meanwhile for something else gets it all the same. */
static void
test_nobody_takes (void)
{
  const guint total = 2000000, every = 1000;
  g_autoptr (GByteArray) objects = maker_objects (0);
  Program *program = program_new (3);
  guint32 many = maker_object (objects, LC_CLASS_ADVANCE, "many", 0, 0);
  guint32 few = maker_object (objects, LC_CLASS_ADVANCE, "few", 0, 0);
  LcSweepResult result;

  for (guint i = 0; i < total; i++)
    {
      guint64 now = (guint64)i * 10;

      maker_sync (program->makers[0], LC_ADVANCE, many, i, 0, now, now, 0);
      if (i % every != 0)
        continue;
      maker_sync (program->makers[0], LC_ADVANCE, few, i / every, 0, now + 5, now + 5, 0);
      if (i > 0)
        maker_sync (program->makers[1], LC_AWAIT, few, i / every, 0, now - every * 10 + 10, now + 6, 0);
    }
  result = sweep (program, objects);
  g_assert_cmpuint (result.events, ==, total + total / every * 2 - 1);
  g_assert_cmpuint (result.arcs, ==, total / every - 1);
  g_assert_cmpuint (result.highest, <, total);
  lc_sweep_result_clear (&result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/messages/all-ways", test_messages);
  g_test_add_func ("/messages/collectives", test_collectives);
  g_test_add_func ("/messages/begun-collectives", test_begun_collectives);
  g_test_add_func ("/messages/unknown-collectives", test_unknown_collectives);
  g_test_add_func ("/messages/probes", test_probes);
  g_test_add_func ("/messages/nobody-takes", test_nobody_takes);
  return g_test_run ();
}
