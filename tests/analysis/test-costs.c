/* SPDX-License-Identifier: Apache-2.0 */
/* Costs: what trace.ini and settings say, what is estimated from the trace, hops, and what is wrong. */
#include <string.h>

#include "approximation.h"

static const char *const nothing[] = {"a", "0 1 tag value=1\n2 3 lock L 1\n4 5 unlock L 1\n", NULL};

static void
check_cost (const LcCost *cost, double value, LcCostSource source)
{
  g_assert_cmpfloat_with_epsilon (cost->value, value, 1e-6 * (value + 1));
  g_assert_cmpint (cost->source, ==, source);
}

/* --- Settings ---------------------------------------------------------------------------------------------- */

static const char all[] = "[overhead]\nlock=1;2.5;3;\n*=0;0;35\n[cost]\nlock=20;60\nunlock=15\ncopy=300\n"
                          "[barrier]\nexit=linear\nbeta=7.5\n"
                          "[communication]\nmodel=linear\ntopology=torus:4x3\nshort=100;76000;400;11000\n"
                          "long=136000;400;33000\n[else]\nkey=value\n";

static void
test_file (void)
{
  g_autoptr (TextTrace) trace = text_trace_new (nothing, all);
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, NULL, FALSE);

  check_cost (&costs->operations[LC_LOCK].before, 1, LC_COST_GIVEN);
  check_cost (&costs->operations[LC_LOCK].inside, 2.5, LC_COST_GIVEN);
  check_cost (&costs->operations[LC_LOCK].after, 3, LC_COST_GIVEN);
  check_cost (&costs->operations[LC_TAG].after, 35, LC_COST_GIVEN);
  check_cost (&costs->operations[LC_LOCK].nowait, 20, LC_COST_GIVEN);
  check_cost (&costs->operations[LC_LOCK].wait, 60, LC_COST_GIVEN);
  check_cost (&costs->operations[LC_UNLOCK].nowait, 15, LC_COST_GIVEN);
  check_cost (&costs->operations[LC_UNLOCK].wait, 0, LC_COST_UNKNOWN);
  check_cost (&costs->copy, 300, LC_COST_GIVEN);
  check_cost (&costs->beta, 7.5, LC_COST_GIVEN);
  g_assert_cmpint (costs->exit, ==, LC_EXIT_LINEAR);
  g_assert_cmpint (costs->topology, ==, LC_TOPOLOGY_TORUS);
  g_assert_cmpuint (costs->width, ==, 4);
  g_assert_cmpuint (costs->height, ==, 3);
  g_assert_cmpuint (costs->short_below, ==, 100);
  check_cost (&costs->of_short.startup, 76000, LC_COST_GIVEN);
  check_cost (&costs->of_long.per_hop, 33000, LC_COST_GIVEN);
  g_assert_cmpstr (costs->model, ==, "linear");
}

/* What a user says goes over all of the file, and "*" is about what the user does not name. */
static void
test_settings (void)
{
  static const char *const settings[] = {"overhead.*=0;0;0",
                                         "overhead.tag=1;1;1",
                                         "cost.lock=5",
                                         "barrier.exit=measured",
                                         "communication.topology=hypercube",
                                         NULL};
  g_autoptr (TextTrace) trace = text_trace_new (nothing, all);
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, settings, FALSE);

  check_cost (&costs->operations[LC_LOCK].inside, 0, LC_COST_GIVEN);
  check_cost (&costs->operations[LC_TAG].inside, 1, LC_COST_GIVEN);
  check_cost (&costs->operations[LC_LOCK].nowait, 5, LC_COST_GIVEN);
  check_cost (&costs->operations[LC_LOCK].wait, 60, LC_COST_GIVEN);
  g_assert_cmpint (costs->exit, ==, LC_EXIT_MEASURED);
  g_assert_cmpint (costs->topology, ==, LC_TOPOLOGY_HYPERCUBE);
}

/* The recorder has measured its own costs. */
static void
test_calibrated (void)
{
  g_autoptr (TextTrace) trace = text_trace_new (nothing, "[trace]\nclock_ticks=5\n[overhead]\n*=1;2;3\n"
                                                         "[barrier]\nexit=linear\nbeta=3\n");
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, NULL, FALSE);

  check_cost (&costs->operations[LC_LOCK].inside, 2, LC_COST_CALIBRATED);
  check_cost (&costs->beta, 3, LC_COST_CALIBRATED);
  g_assert_cmpint (costs->exit_source, ==, LC_COST_CALIBRATED);
}

/* A message says where and what. */
static void
test_wrong (void)
{
  static const struct
  {
    const char *setting, *message;
    LcCostsError code;
  } wrong[] = {
      {"overhead.lock=1;2", "three numbers", LC_COSTS_ERROR_VALUE},
      {"overhead.lock=1;2;x", "three numbers", LC_COSTS_ERROR_VALUE},
      {"overhead.lock=1;-2;3", "three numbers", LC_COSTS_ERROR_VALUE},
      {"overhead.lock=1;2;3;4;5", "three numbers", LC_COSTS_ERROR_VALUE},
      {"overhead.lokc=1;2;3", "no operation", LC_COSTS_ERROR_KEY},
      {"cost.lock=1;2;3", "NOWAIT;WAIT", LC_COSTS_ERROR_VALUE},
      {"cost.copy=1;2", "a number", LC_COSTS_ERROR_VALUE},
      {"barrier.exit=slowly", "simultaneous", LC_COSTS_ERROR_VALUE},
      {"barrier.gamma=1", "exit, beta", LC_COSTS_ERROR_KEY},
      {"barrier.beta=nan", "a number", LC_COSTS_ERROR_VALUE},
      {"communication.topology=mesh", "mesh:WxH", LC_COSTS_ERROR_VALUE},
      {"communication.topology=mesh:0x4", "mesh:WxH", LC_COSTS_ERROR_VALUE},
      {"communication.topology=ring:4", "mesh:WxH", LC_COSTS_ERROR_VALUE},
      {"communication.model=fast", "pessimistic", LC_COSTS_ERROR_VALUE},
      {"communication.short=1;2;3", "BYTES", LC_COSTS_ERROR_VALUE},
      {"communication.long=1;2", "STARTUP", LC_COSTS_ERROR_VALUE},
      {"else.key=1", "section", LC_COSTS_ERROR_KEY},
      {"overhead=1", "SECTION.KEY", LC_COSTS_ERROR_KEY},
  };
  g_autoptr (TextTrace) trace = text_trace_new (nothing, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      const char *const settings[] = {wrong[i].setting, NULL};
      g_autoptr (GError) error = NULL;

      g_assert_null (lc_costs_new (trace->trace, trace->rules, settings, &error));
      g_assert_error (error, LC_COSTS_ERROR, (gint)wrong[i].code);
      g_assert_true (g_str_has_prefix (error->message, wrong[i].setting));
      g_assert_nonnull (strstr (error->message, wrong[i].message));
    }
}

static void
test_wrong_file (void)
{
  g_autoptr (TextTrace) trace = text_trace_new (nothing, "[cost]\nlock=much\n");
  g_autoptr (GError) error = NULL;

  g_assert_null (lc_costs_new (trace->trace, trace->rules, NULL, &error));
  g_assert_error (error, LC_COSTS_ERROR, LC_COSTS_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "trace.ini: [cost] lock: "));
}

/* --- Hops -------------------------------------------------------------------------------------------------- */

static void
test_hops (void)
{
  static const struct
  {
    LcTopology topology;
    guint32 n, from, to, hops;
  } all_hops[] = {
      {LC_TOPOLOGY_NONE, 8, 1, 5, 0},   {LC_TOPOLOGY_FULL, 8, 1, 5, 1},      {LC_TOPOLOGY_FULL, 8, 5, 5, 0},
      {LC_TOPOLOGY_RING, 8, 1, 5, 4},   {LC_TOPOLOGY_RING, 8, 1, 7, 2},      {LC_TOPOLOGY_RING, 8, 7, 1, 2},
      {LC_TOPOLOGY_MESH, 12, 0, 11, 5}, {LC_TOPOLOGY_MESH, 12, 3, 4, 4},     {LC_TOPOLOGY_TORUS, 12, 0, 11, 2},
      {LC_TOPOLOGY_TORUS, 12, 3, 4, 2}, {LC_TOPOLOGY_HYPERCUBE, 8, 0, 7, 3}, {LC_TOPOLOGY_HYPERCUBE, 8, 5, 6, 2},
  };

  for (gsize i = 0; i < G_N_ELEMENTS (all_hops); i++)
    {
      const LcCosts costs = {.topology = all_hops[i].topology, .width = 4, .height = 3};

      g_assert_cmpuint (lc_costs_count_hops (&costs, all_hops[i].n, all_hops[i].from, all_hops[i].to), ==,
                        all_hops[i].hops);
    }
}

/* Where there are ranks they are what is some hops apart: two with a thread more each, and one that is none. */
static void
test_hops_of_ranks (void)
{
  guint32 places[] = {0, 0, 3, 3, LC_TRACE_NONE};
  const LcCosts costs = {.topology = LC_TOPOLOGY_RING, .places = places, .n_places = 4};

  g_assert_cmpuint (lc_costs_count_hops (&costs, 5, 0, 2), ==, 1);
  g_assert_cmpuint (lc_costs_count_hops (&costs, 5, 1, 3), ==, 1);
  g_assert_cmpuint (lc_costs_count_hops (&costs, 5, 0, 1), ==, 0);
  g_assert_cmpuint (lc_costs_count_hops (&costs, 5, 4, 2), ==, 0);
}

/* --- Estimates --------------------------------------------------------------------------------------------- */

/* Of those that waited and those that did not, each the fastest, less the instrumentation. */
static void
test_estimate_waits (void)
{
  static const char *const files[] = {"a", "10 20 advance A 1\n100 110 advance A 2\n200 210 advance A 3\n",
                                      "b", "30 65 await A 1\n70 180 await A 2\n190 270 await A 3\n",
                                      "c", "30 60 await A 1\n120 195 await A 2\n250 350 await A 3\n",
                                      NULL};
  g_autoptr (TextTrace) trace = text_trace_new (files, "[overhead]\nawait=0;10;0\n");
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, NULL, FALSE);
  const LcOperationCosts *await = &costs->operations[LC_AWAIT];

  g_assert_true (lc_costs_need_estimate (costs, trace->trace, trace->rules));
  g_assert_true (lc_costs_estimate (costs, trace->trace, trace->rules, NULL, NULL));
  check_cost (&await->nowait, 20, LC_COST_ESTIMATED);
  g_assert_cmpuint (await->nowait.samples, ==, 4);
  g_assert_cmpfloat (await->nowait.least, ==, 20);
  g_assert_cmpfloat (await->nowait.median, ==, 45);
  g_assert_cmpfloat (await->nowait.most, ==, 90);
  check_cost (&await->wait, 50, LC_COST_ESTIMATED);
  g_assert_cmpuint (await->wait.samples, ==, 2);
  g_assert_nonnull (await->wait.how);
  g_assert_false (lc_costs_need_estimate (costs, trace->trace, trace->rules));
}

/* Awaits of our recorder's trace: eight waits of a moment, and 7 longer ones, which are too few. The advance is carried
 * out 10 ns after its stamp, and 5 ns of the await are instrumentation. */
static void
test_estimate_wakes (void)
{
  g_autoptr (GString) advances = g_string_new (NULL), awaits = g_string_new (NULL);
  const char *files[] = {"a", NULL, "b", NULL, NULL};
  g_autoptr (TextTrace) trace = NULL;
  g_autoptr (LcCosts) costs = NULL;
  const LcCost *wake;

  for (guint i = 0; i < 15; i++)
    {
      const guint at = i * 100000 + 50000, waited = i < 8 ? 1000 : 20000;

      g_string_append_printf (advances, "%u %u advance A %u\n", at, at, i + 1);
      g_string_append_printf (awaits, "%u %u await A %u\n", at - waited, at + 10 + 100 * (i + 1) + 5, i + 1);
    }
  files[1] = advances->str;
  files[3] = awaits->str;
  trace = text_trace_new (files, "[trace]\nclock_ticks=5\n[overhead]\nadvance=0;0;10\nawait=0;5;0\n"
                                 "[cost]\nawait=1;7000\n");
  costs = text_trace_get_costs (trace, NULL, FALSE);
  g_assert_true (lc_costs_need_estimate (costs, trace->trace, trace->rules));
  g_assert_true (lc_costs_estimate (costs, trace->trace, trace->rules, NULL, NULL));
  wake = lc_costs_find_wake (costs, LC_AWAIT, LC_TRACE_NONE, 4000);
  check_cost (wake, 450, LC_COST_ESTIMATED);
  g_assert_cmpuint (wake->samples, ==, 8);
  g_assert_cmpfloat (wake->low, ==, 275);
  g_assert_cmpfloat (wake->high, ==, 625);
  check_cost (lc_costs_find_wake (costs, LC_AWAIT, LC_TRACE_NONE, 4001), 7000, LC_COST_CALIBRATED);
  g_assert_null (lc_costs_get_wake (costs, LC_AWAIT, LC_TRACE_NONE, LC_WAIT_SHORT));
}

/* Where somebody says what going on takes, nothing is looked for in the trace. */
static void
test_estimate_no_wakes (void)
{
  static const char *const settings[] = {"cost.await=1;70", NULL};
  static const char *const files[] = {"a", "10 20 advance A 1\n", "b", "5 65 await A 1\n", NULL};
  g_autoptr (TextTrace) trace = text_trace_new (files, "[trace]\nclock_ticks=5\n");
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, settings, FALSE);

  g_assert_false (lc_costs_need_estimate (costs, trace->trace, trace->rules));
  check_cost (lc_costs_find_wake (costs, LC_AWAIT, 0, 10), 70, LC_COST_GIVEN);
}

static void
test_estimate_not_needed (void)
{
  static const char *const settings[] = {"cost.lock=1;2", NULL};
  g_autoptr (TextTrace) trace = text_trace_new (nothing, NULL);
  g_autoptr (LcCosts) known = text_trace_get_costs (trace, settings, FALSE);
  g_autoptr (LcCosts) unknown = text_trace_get_costs (trace, NULL, FALSE);

  g_assert_false (lc_costs_need_estimate (known, trace->trace, trace->rules));
  g_assert_true (lc_costs_need_estimate (unknown, trace->trace, trace->rules));
}

static void
test_estimate_beta (void)
{
  static const char *const files[] = {
      "a", "0 110 barrier B 0\n200 290 barrier B 1\n",   "b", "0 130 barrier B 0\n220 260 barrier B 1\n",
      "c", "100 120 barrier B 0\n210 262 barrier B 1\n", NULL};
  g_autoptr (TextTrace) trace = text_trace_new (files, NULL);
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, NULL, TRUE);

  check_cost (&costs->beta, 12.5, LC_COST_ESTIMATED);
  g_assert_cmpuint (costs->beta.samples, ==, 2);
  g_assert_cmpfloat (costs->beta.least, ==, 10);
  g_assert_cmpfloat (costs->beta.most, ==, 15);
}

/* Process 0 sends to the others on a ring; each waits, and its message takes what the model says. */
static char **
make_messages (guint n_processes, guint n_messages, double startup, double per_byte, double per_hop)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GString) sender = g_string_new (NULL);

  for (guint i = 0; i < n_messages * (n_processes - 1); i++)
    {
      guint to = i % (n_processes - 1) + 1, n = i / (n_processes - 1);

      g_string_append_printf (sender, "%u %u send 0>%u:0 %u bytes=%u to=%u\n", 100000 * i + 50000, 100000 * i + 50010,
                              to, n, 100 * (i % 7), to);
    }
  g_strv_builder_add_many (builder, "p0", sender->str, NULL);
  for (guint to = 1; to < n_processes; to++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *name = g_strdup_printf ("p%u", to);

      for (guint n = 0; n < n_messages; n++)
        {
          guint i = n * (n_processes - 1) + to - 1, hops = MIN (to, n_processes - to);
          guint end = 100000 * i + 50000 + (guint)(startup + per_byte * 100 * (i % 7) + per_hop * hops) + 2 * 5 + 3;

          g_string_append_printf (text, "%u %u recv 0>%u:0 %u bytes=%u from=0\n", 100000 * i, end, to, n,
                                  100 * (i % 7));
        }
      g_strv_builder_add_many (builder, name, text->str, NULL);
    }
  return g_strv_builder_end (builder);
}

static void
check_fit (double startup, double per_byte, double per_hop)
{
  static const char *const settings[] = {"communication.topology=ring", "cost.copy=5", "overhead.recv=0;3;0", NULL};
  g_auto (GStrv) files = make_messages (6, 7, startup, per_byte, per_hop);
  g_autoptr (TextTrace) trace = text_trace_new ((const char *const *)files, NULL);
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, settings, TRUE);

  check_cost (&costs->of_long.startup, startup, LC_COST_ESTIMATED);
  check_cost (&costs->of_long.per_byte, per_byte, LC_COST_ESTIMATED);
  check_cost (&costs->of_long.per_hop, per_hop, LC_COST_ESTIMATED);
  g_assert_cmpuint (costs->of_long.startup.samples, ==, 35);
  check_cost (&costs->of_short.startup, 0, LC_COST_UNKNOWN);
}

static void
test_estimate_messages (void)
{
  check_fit (1360, 4, 330);
  check_fit (0, 4, 330);
  check_fit (700, 0, 0);
  check_fit (0, 0, 25);
}

/* Waits that are shorter for more bytes are no reason for a cost below nothing. */
static void
test_estimate_not_negative (void)
{
  static const char *const files[] = {"a",
                                      "100 110 send 0>1:0 0 bytes=1000 to=1\n1100 1110 send 0>1:0 1 bytes=10 to=1\n",
                                      "b", "0 120 recv 0>1:0 0 bytes=1000\n1000 1160 recv 0>1:0 1 bytes=10\n", NULL};
  g_autoptr (TextTrace) trace = text_trace_new (files, NULL);
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, NULL, TRUE);

  check_cost (&costs->of_long.startup, 40, LC_COST_ESTIMATED);
  check_cost (&costs->of_long.per_byte, 0, LC_COST_ESTIMATED);
  g_assert_cmpfloat (costs->of_long.startup.least, ==, 20);
  g_assert_cmpfloat (costs->of_long.startup.most, ==, 60);
}

static void
test_cancelled (void)
{
  g_autoptr (TextTrace) trace = text_trace_new (nothing, NULL);
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, NULL, FALSE);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 1 << 17; i++)
    g_string_append_printf (text, "%u %u tag value=1\n", 2 * i, 2 * i + 1);
  {
    const char *const files[] = {"a", text->str, NULL};
    g_autoptr (TextTrace) longer = text_trace_new (files, NULL);

    g_cancellable_cancel (cancellable);
    g_assert_false (lc_costs_estimate (costs, longer->trace, longer->rules, cancellable, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  }
}

/* --- JSON -------------------------------------------------------------------------------------------------- */

static void
test_json (void)
{
  static const char *const settings[] = {"overhead.lock=1;2.5;3",    "cost.lock=20",
                                         "barrier.beta=7",           "communication.topology=mesh:4x2",
                                         "communication.long=9;8;7", NULL};
  g_autoptr (TextTrace) trace = text_trace_new (nothing, NULL);
  g_autoptr (LcCosts) costs = text_trace_get_costs (trace, settings, FALSE);
  g_autofree char *json = lc_costs_dup_json (costs, trace->trace);

  g_assert_cmpstr (
      json, ==,
      "{\"overhead\":{\"lock\":{\"before\":{\"value\":1,\"source\":\"given\"},\"inside\":{\"value\":2.5,\"source\":"
      "\"given\"},\"after\":{\"value\":3,\"source\":\"given\"}}},\"cost\":{\"lock\":{\"nowait\":{\"value\":20,"
      "\"source\":\"given\"}}},\"barrier\":{\"exit\":\"measured\",\"exit_source\":\"unknown\",\"beta\":{\"value\":7,"
      "\"source\":\"given\"}},\"communication\":{\"topology\":\"mesh\",\"width\":4,\"height\":2,\"long\":{\"startup\":"
      "{\"value\":9,\"source\":\"given\"},\"per_byte\":{\"value\":8,\"source\":\"given\"},\"per_hop\":{\"value\":7,"
      "\"source\":\"given\"}}}}");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/costs/file", test_file);
  g_test_add_func ("/costs/settings", test_settings);
  g_test_add_func ("/costs/calibrated", test_calibrated);
  g_test_add_func ("/costs/wrong", test_wrong);
  g_test_add_func ("/costs/wrong-file", test_wrong_file);
  g_test_add_func ("/costs/hops", test_hops);
  g_test_add_func ("/costs/hops-of-ranks", test_hops_of_ranks);
  g_test_add_func ("/costs/estimate/waits", test_estimate_waits);
  g_test_add_func ("/costs/estimate/wakes", test_estimate_wakes);
  g_test_add_func ("/costs/estimate/no-wakes", test_estimate_no_wakes);
  g_test_add_func ("/costs/estimate/not-needed", test_estimate_not_needed);
  g_test_add_func ("/costs/estimate/beta", test_estimate_beta);
  g_test_add_func ("/costs/estimate/messages", test_estimate_messages);
  g_test_add_func ("/costs/estimate/not-negative", test_estimate_not_negative);
  g_test_add_func ("/costs/estimate/cancelled", test_cancelled);
  g_test_add_func ("/costs/json", test_json);
  return g_test_run ();
}
