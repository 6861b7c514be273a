/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as trace.ini, as settings and as rules; what is accepted is approximated with, by every model. */
#include <string.h>

#include "analysis/approximator.h"
#include "fuzz.h"
#include "lightcone/sweep.h"
#include "maker.h"

/* Every way in which an end is found, with bytes and times of all sizes. */
static const char *const trace_files[][2] = {
    {"0.events", "%lightcone-events 1\n0 9 create p1\n10 10 lock A 1\n11 20 unlock A 1\n30 40 barrier B 0 value=2\n"
                 "50 60 send h 0 bytes=9000000000000000000\n61 62 isend i 0 bytes=12\n63 70 complete i 0\n"
                 "80 90 ssend j 0\n100 120 broadcast-root w 0 value=2\n130 140 all-reduce w 1 value=2\n"
                 "141 142 advance a -5\n150 160 enter r\n170 180 give t 3\n190 200 leave r\n"
                 "210 230 reduce-root w 2 value=2\n4000000000000000000 4000000000000000001 join p1\n"},
    {"1.events", "%lightcone-events 1\n5 9 start p1\n12 25 lock A 2\n26 26 unlock A 2\n27 41 barrier B 0 value=2\n"
                 "45 61 recv h 0\n61 61 irecv i 0\n62 62 test-failed i 0\n63 64 test-failed i 0\n65 72 complete i 0\n"
                 "79 91 recv j 0\n99 121 broadcast-recv w 0 value=2 bytes=77\n122 141 all-reduce w 1 value=2\n"
                 "145 150 await a -5\n160 190 take t 3\n200 201 reduce w 2 value=2\n300 300 exit p1\n"}};

/* --- An approximation without a history --------------------------------------------------------------------- */

/* Looks over the approximator's shoulder. */
typedef struct
{
  LcSweepVisitor visitor;
  LcApproximator *approximator;
  LcModel model;
  guint64 now[G_N_ELEMENTS (trace_files)];
} Watcher;

static void
watch_begin (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  LcSweepVisitor *watched = lc_approximator_get_visitor (((Watcher *)visitor)->approximator);

  watched->begin (watched, step);
}

static void
watch_end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Watcher *watcher = (Watcher *)visitor;
  LcSweepVisitor *watched = lc_approximator_get_visitor (watcher->approximator);
  const LcTimelineEvent *event;

  watched->end (watched, step);
  event = lc_approximator_get_event (watcher->approximator);
  g_assert_cmpuint (watcher->now[step->process], <=, event->begin);
  g_assert_cmpuint (event->begin, <=, event->end);
  g_assert_cmpuint (event->end, <=, G_MAXINT64);
  g_assert_cmpuint (event->waited, <=, event->end - event->begin);
  for (gsize i = 0; i < step->n_arcs && watcher->model != LC_MODEL_TIME; i++)
    g_assert_cmpuint (step->arcs[i].carried[0], <=, event->end);
  watcher->now[step->process] = event->end;
}

static void
approximate (LcTrace *trace, const LcRules *rules, const LcCosts *costs, LcModel model)
{
  const LcApproximateOptions options = {.model = model};
  Watcher watcher = {{watch_begin, watch_end}, NULL, model, {0}};
  LcSweepVisitor *const visitors[] = {&watcher.visitor, NULL};
  LcSweepResult result;

  watcher.approximator = lc_approximator_new (trace, rules, costs, &options, NULL);
  g_assert_true (lc_sweep_run (trace, rules, visitors, NULL, NULL, &result, NULL));
  lc_sweep_result_clear (&result);
  lc_approximator_free (watcher.approximator);
}

/* --- The costs ---------------------------------------------------------------------------------------------- */

static void
check_cost (const LcCost *cost)
{
  g_assert_true (cost->value >= 0 && cost->value <= (double)G_MAXINT64);
}

static void
check_costs (const LcCosts *costs)
{
  for (guint32 i = 0; i < costs->n_operations; i++)
    {
      const LcOperationCosts *operation = &costs->operations[i];

      check_cost (&operation->before);
      check_cost (&operation->inside);
      check_cost (&operation->after);
      check_cost (&operation->nowait);
      check_cost (&operation->wait);
    }
  check_cost (&costs->copy);
  check_cost (&costs->beta);
  for (guint32 from = 0; from < 5; from++)
    for (guint32 to = 0; to < 5; to++)
      g_assert_true ((lc_costs_count_hops (costs, 5, from, to) == 0) ==
                     (from == to || costs->topology == LC_TOPOLOGY_NONE));
}

/* A message says which file, or which setting. */
static void
check_message (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == LC_COSTS_ERROR);
  g_assert_nonnull (strchr (error->message, ':'));
}

static void
use (LcTrace *trace, const LcRules *rules, const char *const *settings)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LcCosts) costs = lc_costs_new (trace, rules, settings, &error);
  g_autofree char *json = NULL;

  if (costs == NULL)
    {
      check_message (error);
      return;
    }
  check_costs (costs);
  if (lc_costs_need_estimate (costs, trace, rules))
    g_assert_true (lc_costs_estimate (costs, trace, rules, NULL, NULL));
  check_costs (costs);
  json = lc_costs_dup_json (costs, trace);
  g_assert_true (g_utf8_validate (json, -1, NULL));
  for (LcModel model = LC_MODEL_TIME; model <= LC_MODEL_PESSIMISTIC; model++)
    approximate (trace, rules, costs, model);
}

/* --- The fuzzer ---------------------------------------------------------------------------------------------- */

static LcRules *
load_rules (const char *directory, const char *text)
{
  g_autofree char *path = g_build_filename (directory, "own.rules", NULL);
  g_autoptr (LcRules) rules = lc_rules_new ();

  maker_write_text (directory, "own.rules", text);
  if (lc_rules_load (rules, path, NULL) && lc_rules_check (rules, NULL))
    return g_steal_pointer (&rules);
  return lc_rules_new ();
}

/* Three parts, with a line "--" between them. */
int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autofree char *text = g_strndup ((const char *)bytes, size);
  g_auto (GStrv) parts = g_strsplit (text, "\n--\n", 3);
  guint n = g_strv_length (parts);
  g_auto (GStrv) settings = g_strsplit (n > 1 ? parts[1] : "", "\n", 50);
  char *directory = maker_directory ();
  g_autoptr (LcRules) rules = load_rules (directory, n > 2 ? parts[2] : "");
  LcTrace *trace;

  for (gsize i = 0; i < G_N_ELEMENTS (trace_files); i++)
    maker_write_text (directory, trace_files[i][0], trace_files[i][1]);
  maker_write_text (directory, "trace.ini", n > 0 ? parts[0] : "");
  trace = lc_trace_open (directory, NULL);
  g_assert_nonnull (trace);
  use (trace, rules, n > 1 && *parts[1] != '\0' ? (const char *const *)settings : NULL);
  lc_trace_free (trace);
  maker_remove (directory);
  return 0;
}

gboolean
fuzz_seed (guint number, GByteArray *bytes)
{
  static const char *const seeds[] = {
      "[overhead]\n*=0;0;35\nawait=10;12;20\nlock=1.5;0;1e3\n[cost]\nawait=90;260\nlock=20;60\nadvance=40\nunlock=15\n"
      "copy=300\n[barrier]\nexit=linear\nbeta=4.5\n[communication]\nmodel=linear\ntopology=hypercube\n"
      "short=100;76000;400;11000\nlong=136000;400;33000\n",
      "[trace]\nclock_ticks=1\n[overhead]\n*=1;2;3\n[communication]\nmodel=optimistic\ntopology=mesh:2x3\n"
      "\n--\noverhead.*=5;5;5\noverhead.recv=1;2;3\ncost.recv=7;8\ncost.copy=9\nbarrier.exit=sequential\n"
      "communication.topology=torus:3x3\ncommunication.long=1e15;1e15;1e15\ncommunication.model=pessimistic",
      "\n--\nbarrier.exit=logarithmic\ncost.complete=30;40\ncost.join=1e15\noverhead.*=1e15;1e15;1e15\n--\n"
      "[class ticket]\nsummary=Numbers\nsequence=The number\n[operation give]\nclass=ticket\ntiming=start\n"
      "[operation take]\nclass=ticket\nwaits=true\ntiming=message\n[arc give to take]\nclass=ticket\nfrom=give\n"
      "to=take\nsequence=same\nkind=data\ndecided=true\n[work loop]\nclass=ticket\noperation=take\nobject=t*\n"
      "[operation lock]\nclass=mutex\nwaits=true\ntiming=rendezvous\n[operation join]\nclass=thread\nwaits=true\n"
      "timing=poll\n[operation recv]\nclass=channel\nwaits=true\ntiming=complete\n",
  };

  if (number >= G_N_ELEMENTS (seeds))
    return FALSE;
  g_byte_array_append (bytes, (const guint8 *)seeds[number], (guint)strlen (seeds[number]));
  return TRUE;
}
