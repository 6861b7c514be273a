/* SPDX-License-Identifier: Apache-2.0 */
/* Who waits for a child comes after the end of that child, and of no other that had or has its number in the system. */
#include "lightcone/sweep.h"
#include "maker.h"

enum
{
  PARENT = 40, /* number in the system of process 0 */
  CHILD = 50,
  OTHER = 60,
  MOST = 4,
};

/* A process; the list of a case ends where `pid` is 0. */
typedef struct
{
  guint32 pid, thread, parent;
  guint64 begin;
  guint64 end; /* 0: it is cut off at its begin, as who executes another program */
  gboolean is_killed;
} Life;

typedef struct
{
  const char *name;
  guint32 value;
  guint64 begin, end; /* of the wait */
  Life lives[MOST];   /* processes 1, 2 ... */
  guint32 expected;   /* the process that it came after, or LC_TRACE_NONE */
  guint64 waited;
  gboolean outside;
} Case;

/* Process 0 is there from 0 to 1000. */
static const Case cases[] = {
    {"a child", CHILD, 200, 500, {{CHILD, CHILD, 0, 150, 450, FALSE}}, 1, 250, FALSE},
    {"it ended before", CHILD, 470, 500, {{CHILD, CHILD, 0, 150, 450, FALSE}}, 1, 0, TRUE},
    {"another program of it",
     CHILD,
     200,
     500,
     {{CHILD, CHILD, 0, 150, 0, FALSE}, {CHILD, CHILD, LC_NO_PROCESS, 180, 450, FALSE}},
     2,
     250,
     FALSE},
    {"its number again",
     CHILD,
     200,
     500,
     {{CHILD, CHILD, 0, 150, 450, FALSE}, {CHILD, CHILD, 0, 600, 900, FALSE}},
     1,
     250,
     FALSE},
    {"its number once more",
     CHILD,
     700,
     950,
     {{CHILD, CHILD, 0, 150, 450, FALSE}, {CHILD, CHILD, 0, 600, 900, FALSE}},
     2,
     200,
     FALSE},
    {"somebody else's child",
     CHILD,
     200,
     500,
     {{OTHER, OTHER, 0, 120, 900, FALSE}, {CHILD, CHILD, 1, 150, 450, FALSE}},
     LC_TRACE_NONE,
     0,
     TRUE},
    {"who was not recorded", OTHER, 200, 500, {{CHILD, CHILD, 0, 150, 450, FALSE}}, LC_TRACE_NONE, 0, TRUE},
    {"nobody, as WNOHANG says", 0, 200, 500, {{CHILD, CHILD, 0, 150, 450, FALSE}}, LC_TRACE_NONE, 0, TRUE},
    {"a child that has stopped", CHILD, 200, 300, {{CHILD, CHILD, 0, 150, 450, FALSE}}, LC_TRACE_NONE, 0, TRUE},
    {"a child that was killed", CHILD, 200, 500, {{CHILD, CHILD, 0, 150, 450, TRUE}}, LC_TRACE_NONE, 0, TRUE},
    {"a thread of the child",
     CHILD,
     200,
     500,
     {{CHILD, CHILD, 0, 150, 450, FALSE}, {CHILD, CHILD + 1, 1, 160, 400, FALSE}},
     1,
     250,
     FALSE},
};

static void
write_life (const char *directory, const Life *life, guint32 number)
{
  g_autoptr (Maker) maker = maker_new (number);
  struct lc_packet *header = maker_header (maker);

  header->pid = life->pid;
  header->thread = life->thread;
  header->parent = life->parent;
  header->instance = number;
  header->timestamp_begin = MAKER_START + life->begin;
  maker_sync (maker, LC_LOCK, 0, 1, 0, life->begin, life->begin, 0);
  if (life->end > 0 && life->is_killed)
    maker_sync (maker, LC_UNLOCK, 0, 1, 0, life->end, life->end, 0);
  else if (life->end > 0)
    maker_sync (maker, LC_EXIT, number, 0, 0, life->end, life->end, 0);
  if (life->end == 0 || life->is_killed)
    maker_header (maker)->state = LC_STATE_CUT;
  maker_finish (maker, directory);
}

static char *
write_trace (const Case *trial)
{
  char *directory = maker_directory ();
  g_autoptr (Maker) maker = maker_new (0);

  maker_write_metadata (directory);
  maker_sync (maker, LC_LOCK, 0, 1, 0, 0, 10, 0);
  maker_sync (maker, LC_CHILD_WAIT, 0, 0, trial->value, trial->begin, trial->end, 0);
  /* It can be asked for again, if it was left to wait for. */
  maker_sync (maker, LC_CHILD_WAIT, 0, 0, trial->value, trial->end, trial->end + 10, 0);
  maker_sync (maker, LC_EXIT, 0, 0, 0, 1000, 1000, 0);
  maker_finish (maker, directory);
  for (guint32 i = 0; i < MOST && trial->lives[i].pid != 0; i++)
    write_life (directory, &trial->lives[i], i + 1);
  return directory;
}

typedef struct
{
  LcSweepVisitor visitor;
  const Case *trial;
  guint n_waits;
} Watcher;

static void
watch_end (LcSweepVisitor *visitor, const LcSweepStep *step)
{
  Watcher *watcher = (Watcher *)visitor;
  const Case *trial = watcher->trial;

  if (step->event->operation != LC_CHILD_WAIT)
    return;
  g_assert_cmpuint (step->n_arcs, ==, trial->expected != LC_TRACE_NONE ? 1 : 0);
  g_assert_cmpuint (step->event->object, ==, trial->expected);
  if (step->n_arcs > 0)
    {
      g_assert_cmpuint (step->arcs[0].process, ==, trial->expected);
      g_assert_cmpuint (step->arcs[0].time, ==, trial->lives[trial->expected - 1].end);
    }
  if (watcher->n_waits++ > 0)
    return;
  g_assert_cmpuint (step->waited, ==, trial->waited);
  g_assert_cmpint (step->outside, ==, trial->outside);
}

static void
test_children (gconstpointer data)
{
  const Case *trial = data;
  char *directory = write_trace (trial);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LcTrace) trace = lc_trace_open (directory, &error);
  Watcher watcher = {.visitor = {NULL, watch_end}, .trial = trial};
  LcSweepVisitor *const visitors[] = {&watcher.visitor, NULL};
  LcSweepResult result;

  g_assert_no_error (error);
  lc_sweep_run (trace, rules, visitors, NULL, NULL, &result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (watcher.n_waits, ==, 2);
  g_assert_cmpuint (result.problems->len, ==, 0);
  lc_sweep_result_clear (&result);
  maker_remove (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/children/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_children);
    }
  return g_test_run ();
}
