/* SPDX-License-Identifier: Apache-2.0 */
/* Races: small histories by hand; random ones against a search for ways from point to point. */
#include "case.h"
#include "lightcone/races.h"

#include <string.h>

typedef struct
{
  LcHistory *history;
  GPtrArray *lines;
} Found;

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *)a, *(const char *const *)b);
}

static char *
join_lines (GPtrArray *lines)
{
  GString *text = g_string_new (NULL);

  g_ptr_array_sort (lines, compare_lines);
  for (guint i = 0; i < lines->len; i++)
    g_string_append (text, lines->pdata[i]);
  return g_string_free (text, FALSE);
}

static void
add_pair (const LcRacePair *pair, gpointer data)
{
  Found *found = data;
  LcHistoryObject object;

  g_assert_true (lc_history_get_object (found->history, pair->object, &object, NULL));
  g_ptr_array_add (found->lines, g_strdup_printf ("%s %s %u.%u %u.%u %s;", lc_race_kind_name (pair->kind), object.name,
                                                  pair->first.process, (guint)pair->first.ordinal, pair->second.process,
                                                  (guint)pair->second.ordinal, pair->is_free ? "free" : "ordered"));
  lc_history_object_clear (&object);
}

static char *
dup_pairs (LcHistory *history)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GError) error = NULL;
  Found found = {history, lines};

  g_assert_true (lc_races_visit (history, rules, add_pair, &found, NULL, &error));
  g_assert_no_error (error);
  return join_lines (lines);
}

static void
check (const char *const *files, const char *expected)
{
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autofree char *found = dup_pairs (trial->history);

  g_assert_cmpstr (found, ==, expected);
}

/* --- By hand ------------------------------------------------------------------------------------------------- */

static void
test_locks (void)
{
  static const char *const free_pair[] = {"a", "10 20 lock L 1\n100 110 unlock L 1\n", "b",
                                          "30 120 lock L 2\n300 310 unlock L 2\n", NULL};
  static const char *const posted[] = {"a", "10 20 lock L 1\n100 110 unlock L 1\n120 130 post S 1\n", "b",
                                       "20 140 wait S 1\n150 160 lock L 2\n300 310 unlock L 2\n", NULL};
  /* The other lock's order, which was chance too, is taken as it was. */
  static const char *const follows[] = {
      "a", "10 20 lock L 1\n30 40 unlock L 1\n50 60 lock M 1\n70 80 unlock M 1\n", "b",
      "10 90 lock M 2\n100 110 unlock M 2\n120 130 lock L 2\n140 150 unlock L 2\n", NULL};

  check (free_pair, "lock L 0.0 1.0 free;");
  check (posted, "lock L 0.0 1.1 ordered;");
  check (follows, "lock L 0.0 1.2 ordered;lock M 0.2 1.0 free;");
}

/* What one process does twice is no race, and neighbours only are one. */
static void
test_neighbours (void)
{
  static const char *const files[] = {"a", "10 20 lock L 1\n30 40 unlock L 1\n50 60 lock L 2\n70 80 unlock L 2\n", "b",
                                      "15 90 lock L 3\n95 99 unlock L 3\n", NULL};

  check (files, "lock L 0.2 1.0 free;");
}

static void
test_crews (void)
{
  static const char *const files[] = {
      "a", "0 10 write-start C 1\n20 30 write-end C 1\n",
      "b", "5 35 read-start C 1\n40 50 read-end C 1\n55 56 read-start C 1\n57 58 read-end C 1\n",
      "c", "20 60 write-start C 2 value=2\n70 80 write-end C 2\n",
      "d", "30 90 write-start C 3 value=0\n95 96 write-end C 3\n",
      NULL};

  check (files, "crew C 0.0 1.0 free;crew C 1.2 2.0 free;crew C 2.0 3.0 free;");
}

static void
test_tokens (void)
{
  /* The second token was taken before the first one; the last waits after the first one has. */
  static const char *const files[] = {"a", "0 10 post S 1\n20 30 post S 2\n40 50 post S 3\n",
                                      "b", "5 60 wait S 1\n65 70 advance A 1\n",
                                      "c", "5 35 wait S 2\n",
                                      "d", "6 75 await A 1\n80 90 wait S 3\n",
                                      NULL};

  check (files, "token S 1.0 2.0 free;token S 2.0 3.1 free;");
}

/* Who begins to wait after the signal was sent was no choice of it. */
static void
test_wake_ups (void)
{
  static const char *const both[] = {"a", "10 40 condition-wait V 1\n",           "b", "20 60 condition-wait V 2\n",
                                     "c", "30 35 signal V 1\n50 55 signal V 2\n", NULL};
  static const char *const later[] = {"a", "10 40 condition-wait V 1\n",
                                      "b", "36 38 wait S 1\n39 60 condition-wait V 2\n",
                                      "c", "30 35 signal V 1\n36 37 post S 1\n50 55 signal V 2\n",
                                      NULL};
  static const char *const all[] = {"a", "10 40 condition-wait V 1\n", "b", "20 40 condition-wait V 1\n",
                                    "c", "30 35 broadcast V 1\n",      NULL};
  static const char *const rest[] = {"a", "10 40 condition-wait V 1\n",
                                     "b", "20 60 condition-wait V 2\n",
                                     "c", "30 35 signal V 1\n50 55 broadcast V 2\n",
                                     NULL};

  check (both, "wake-up V 0.0 1.0 free;");
  check (later, "wake-up V 0.0 1.1 ordered;");
  check (all, "");
  check (rest, "wake-up V 0.0 1.0 free;");
}

static void
test_work (void)
{
  static const char *const files[] = {"a", "0 10 chunk W 1\n50 51 chunk W 3\n", "b", "5 12 chunk W 2\n", NULL};

  check (files, "work W 0.0 1.0 free;work W 1.0 0.1 free;");
}

/* Only what was sent before the first receive was over could have been received by it. */
static void
test_messages (void)
{
  static const char *const either[] = {"0", "0 20 recv 1>0:7 0 blind=1\n25 40 recv 2>0:7 0 blind=1\n",
                                       "1", "10 12 send 1>0:7 0\n",
                                       "2", "30 32 send 2>0:7 0\n",
                                       NULL};
  static const char *const answered[] = {
      "0", "0 20 recv 1>0:7 0 blind=1\n21 22 send 0>2:7 0\n25 40 recv 2>0:7 0 blind=1\n",
      "1", "10 12 send 1>0:7 0\n",
      "2", "20 25 recv 0>2:7 0\n30 32 send 2>0:7 0\n",
      NULL};
  static const char *const named[] = {
      "0", "0 20 recv 1>0:7 0\n25 40 recv 2>0:7 0\n", "1", "10 12 send 1>0:7 0\n", "2", "30 32 send 2>0:7 0\n", NULL};
  static const char *const tags[] = {"0", "0 20 recv 1>0:7 0 blind=1\n25 40 recv 2>0:8 0 blind=1\n",
                                     "1", "10 12 send 1>0:7 0\n",
                                     "2", "30 32 send 2>0:8 0\n",
                                     NULL};
  static const char *const probed[] = {"0",
                                       "0 15 probe 1>0:7 0 blind=1\n16 20 recv 1>0:7 0\n"
                                       "25 36 probe 2>0:7 0 blind=1\n37 38 probe 2>0:7 0 blind=1\n39 40 recv 2>0:7 0\n",
                                       "1",
                                       "10 12 send 1>0:7 0\n",
                                       "2",
                                       "30 32 send 2>0:7 0\n",
                                       NULL};

  check (either, "message 1>0:7 0.0 0.1 free;");
  check (probed, "message 1>0:7 0.0 0.2 free;");
  check (answered, "message 1>0:7 0.0 0.2 ordered;");
  check (named, "");
  check (tags, "");
}

/* Two places come before one place, and near ones before others. */
static void
test_groups (void)
{
  static const char *const files[] = {
      "a",
      "10 20 lock L 1 at=f@x.c:1\n30 40 unlock L 1\n200 210 lock L 3 at=f@x.c:1\n220 230 unlock L 3\n"
      "300 310 lock M 1 at=g@x.c:3\n320 330 unlock M 1\n",
      "b", "15 50 lock L 2 at=f@x.c:2\n60 70 unlock L 2\n300 340 lock M 2 at=g@x.c:3\n350 360 unlock M 2\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (trial->history, LC_SITES_BY_SITE);
  g_autoptr (LcRaces) races = lc_races_find (trial->history, rules, groups, 0, G_MAXUINT64, NULL, NULL);
  g_autoptr (LcRaces) early = lc_races_find (trial->history, rules, groups, 0, 100, NULL, NULL);
  const LcRaceGroup *group = &g_array_index (races->groups, LcRaceGroup, 0);

  g_assert_cmpuint (races->groups->len, ==, 2);
  g_assert_cmpuint (races->pairs, ==, 3);
  g_assert_cmpuint (races->ordered, ==, 0);
  g_assert_cmpuint (group->pairs, ==, 2);
  g_assert_cmpuint (group->waits, ==, 1);
  g_assert_cmpuint (group->nearest.first.ordinal, ==, 0);
  g_assert_cmpstr (lc_site_groups_get_name (groups, group->first), ==, "f() x.c:1");
  g_assert_cmpstr (lc_site_groups_get_name (groups, group->second), ==, "f() x.c:2");
  g_assert_cmpuint (g_array_index (races->groups, LcRaceGroup, 1).pairs, ==, 1);
  g_assert_cmpuint (early->pairs, ==, 1);
}

static void
test_cancelled (void)
{
  static const char *const files[] = {"a", "0 10 tag value=1\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (lc_races_visit (trial->history, rules, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* --- At random ----------------------------------------------------------------------------------------------- */

typedef struct
{
  const RandomHistory *random;
  guint n;      /* points */
  guint *first; /* by process: its first point */
  guint8 *ways; /* n x n */
} Ways;

static guint
point_of (const Ways *ways, guint process, guint ordinal, gboolean end)
{
  return ways->first[process] + 2 * ordinal + (end ? 1 : 0);
}

/* All ways from point to point, by trying each point as the one in between. */
static Ways
find_ways (const RandomHistory *random)
{
  Ways ways = {random, 0, g_new0 (guint, random->n_processes), NULL};

  for (guint i = 0; i < random->n_processes; i++)
    {
      ways.first[i] = ways.n;
      ways.n += 2 * random->events[i]->len;
    }
  ways.ways = g_new0 (guint8, ways.n * ways.n + 1);
  for (guint i = 0; i < random->n_processes; i++)
    for (guint k = 0; k < random->events[i]->len; k++)
      {
        const RandomEvent *event = random_history_event (random, i, k);
        const guint end = point_of (&ways, i, k, TRUE);

        ways.ways[(end - 1) * ways.n + end] = 1;
        if (k > 0)
          ways.ways[(end - 2) * ways.n + end - 1] = 1;
        for (guint s = 0; s < event->sources->len; s++)
          {
            const RandomSource *source = &g_array_index (event->sources, RandomSource, s);

            ways.ways[point_of (&ways, source->process, source->ordinal, !source->begin) * ways.n + end] = 1;
          }
      }
  for (guint via = 0; via < ways.n; via++)
    for (guint from = 0; from < ways.n; from++)
      for (guint to = 0; ways.ways[from * ways.n + via] && to < ways.n; to++)
        ways.ways[from * ways.n + to] |= ways.ways[via * ways.n + to];
  return ways;
}

typedef struct
{
  guint process, ordinal;
  const RandomEvent *event;
} Place;

static gboolean
is_named (const RandomEvent *event, const char *operation, const char *object, gint64 sequence)
{
  return strcmp (event->operation, operation) == 0 && strcmp (event->object, object) == 0 &&
         event->sequence == sequence;
}

/* Whether the process does the same with the same version between the two, or after (before) the one. */
static gboolean
is_nearest_read (const RandomHistory *random, const Place *read, gboolean last)
{
  for (guint k = 0; k < random->events[read->process]->len; k++)
    if ((last ? k > read->ordinal : k < read->ordinal) &&
        is_named (random_history_event (random, read->process, k), "read-start", read->event->object,
                  read->event->sequence))
      return FALSE;
  return TRUE;
}

static gboolean
is_read (const RandomHistory *random, const char *object, gint64 version)
{
  for (guint i = 0; i < random->n_processes; i++)
    for (guint k = 0; k < random->events[i]->len; k++)
      if (is_named (random_history_event (random, i, k), "read-start", object, version))
        return TRUE;
  return FALSE;
}

static const char *
name_kind (const RandomHistory *random, const Place *a, const Place *b)
{
  const char *first = a->event->operation, *second = b->event->operation;
  const gint64 step = b->event->sequence - a->event->sequence;

  if (strcmp (a->event->object, b->event->object) != 0 || a->process == b->process)
    return NULL;
  if (strcmp (first, "lock") == 0 && strcmp (second, "lock") == 0 && step == 1)
    return "lock";
  if (strcmp (first, "wait") == 0 && strcmp (second, "wait") == 0 && step == 1)
    return "token";
  if (strcmp (first, "write-start") == 0 && strcmp (second, "write-start") == 0 && step == 1)
    return is_read (random, a->event->object, a->event->sequence) ? NULL : "crew";
  if (strcmp (first, "write-start") == 0 && strcmp (second, "read-start") == 0 && step == 0)
    return is_nearest_read (random, b, FALSE) ? "crew" : NULL;
  if (strcmp (first, "read-start") == 0 && strcmp (second, "write-start") == 0 && step == 1)
    return is_nearest_read (random, a, TRUE) ? "crew" : NULL;
  return NULL;
}

static void
expect_pair (const Ways *ways, const Place *a, const Place *b, GPtrArray *lines)
{
  const char *kind = name_kind (ways->random, a, b);
  gboolean ordered;

  if (kind == NULL)
    return;
  /* No way between these points leads through the arc between the two, for that ends at the end of b. */
  ordered = ways->ways[point_of (ways, a->process, a->ordinal, TRUE) * ways->n +
                       point_of (ways, b->process, b->ordinal, FALSE)] ||
            ways->ways[point_of (ways, b->process, b->ordinal, TRUE) * ways->n +
                       point_of (ways, a->process, a->ordinal, FALSE)];
  g_ptr_array_add (lines, g_strdup_printf ("%s %s %u.%u %u.%u %s;", kind, a->event->object, a->process, a->ordinal,
                                           b->process, b->ordinal, ordered ? "ordered" : "free"));
}

static char *
dup_expected (const RandomHistory *random)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  Ways ways = find_ways (random);

  for (guint i = 0; i < random->n_processes; i++)
    for (guint k = 0; k < random->events[i]->len; k++)
      {
        const Place place = {i, k, random_history_event (random, i, k)};

        g_array_append_val (places, place);
      }
  for (guint i = 0; i < places->len; i++)
    for (guint k = 0; k < places->len; k++)
      expect_pair (&ways, &g_array_index (places, Place, i), &g_array_index (places, Place, k), lines);
  g_free (ways.ways);
  g_free (ways.first);
  return join_lines (lines);
}

static void
test_random (void)
{
  guint64 bytes = 0;

  for (guint32 seed = 1; seed <= random_trials (100); seed++)
    {
      g_autoptr (RandomHistory) random = random_history_new (seed, 2 + seed % 5, 10 + seed % 90);
      g_autoptr (Case) trial = NULL;
      g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (LcRules) rules = lc_rules_new ();
      g_autofree char *found = NULL, *expected = NULL;
      Found all = {NULL, lines};

      random_history_harden (random);
      expected = dup_expected (random);
      trial = case_new_random (random, seed % 2 == 0 ? 0 : 30, seed);
      all.history = trial->history;
      g_assert_true (lc_races_visit (trial->history, rules, add_pair, &all, NULL, NULL));
      for (guint i = lines->len; i > 0; i--) /* those have no counterpart here: who was woken is known by the signals */
        if (g_str_has_prefix (lines->pdata[i - 1], "wake-up"))
          g_ptr_array_remove_index (lines, i - 1);
      found = join_lines (lines);
      g_assert_cmpstr (found, ==, expected);
      bytes += strlen (expected);
    }
  /* With a sanitizer there are fewer histories. */
  g_assert_cmpuint (bytes, >, random_trials (100) == 100 ? 1000 : 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/races/locks", test_locks);
  g_test_add_func ("/races/neighbours", test_neighbours);
  g_test_add_func ("/races/crews", test_crews);
  g_test_add_func ("/races/tokens", test_tokens);
  g_test_add_func ("/races/wake-ups", test_wake_ups);
  g_test_add_func ("/races/work", test_work);
  g_test_add_func ("/races/messages", test_messages);
  g_test_add_func ("/races/groups", test_groups);
  g_test_add_func ("/races/cancelled", test_cancelled);
  g_test_add_func ("/races/random", test_random);
  return g_test_run ();
}
