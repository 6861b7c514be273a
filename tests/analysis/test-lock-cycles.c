/* SPDX-License-Identifier: Apache-2.0 */
/* Lock cycles: small histories by hand; random ones against a search over all events and ways between them. */
#include "case.h"
#include "lightcone/lock-cycles.h"

#include <string.h>

/* "L>M 1.1 0.1;": who asks for L (and holds M) is event 1 of process 1, and so on; then what was ruled out. */
static char *
dup_cycles (LcHistory *history)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (history, LC_SITES_BY_SITE);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (LcLockCycles) cycles = lc_lock_cycles_find (history, rules, groups, NULL, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  g_assert_false (cycles->is_cut);
  for (guint i = 0; i < cycles->cycles->len; i++)
    {
      const LcLockCycle *cycle = &g_array_index (cycles->cycles, LcLockCycle, i);

      for (guint k = 0; k < cycle->n; k++)
        {
          LcHistoryObject object;

          g_assert_true (lc_history_get_object (history, cycle->waiters[k].object, &object, NULL));
          g_assert_cmpuint (cycle->waiters[k].held_ordinal, <, cycle->waiters[k].ordinal);
          g_assert_cmpuint (cycle->waiters[k].held, ==, cycle->waiters[(k + cycle->n - 1) % cycle->n].object);
          g_string_append_printf (text, "%s%s %u.%u(%u)", k > 0 ? " " : "", object.name, cycle->waiters[k].process,
                                  (guint)cycle->waiters[k].ordinal, (guint)cycle->waiters[k].held_ordinal);
          lc_history_object_clear (&object);
        }
      g_string_append (text, ";");
    }
  if (cycles->gated > 0 || cycles->ordered > 0)
    g_string_append_printf (text, " %u gated, %u ordered", (guint)cycles->gated, (guint)cycles->ordered);
  return g_string_free (text, FALSE);
}

static void
check (const char *const *files, const char *expected)
{
  g_autoptr (Case) trial = case_new (files, NULL);
  g_autofree char *found = dup_cycles (trial->history);

  g_assert_cmpstr (found, ==, expected);
}

#define FIRST "10 20 lock A 1\n30 40 lock B 1\n50 60 unlock B 1\n70 80 unlock A 1\n"
#define SECOND "110 120 lock B 2\n130 140 lock A 2\n150 160 unlock A 2\n170 180 unlock B 2\n"

/* What made the second one come later was only that the first one had the locks. */
static void
test_two (void)
{
  static const char *const two[] = {"a", FIRST, "b", SECOND, NULL};

  check (two, "A 1.1(0) B 0.1(0);");
}

static void
test_more (void)
{
  static const char *const three[] = {
      "a", FIRST,
      "b", "110 120 lock B 2\n130 140 lock C 1\n150 160 unlock C 1\n170 180 unlock B 2\n",
      "c", "210 220 lock C 2\n230 240 lock A 2\n250 260 unlock A 2\n270 280 unlock C 2\n",
      NULL};
  static const char *const four[] = {
      "a", FIRST,
      "b", "110 120 lock B 2\n130 140 lock C 1\n150 160 unlock C 1\n170 180 unlock B 2\n",
      "c", "210 220 lock C 2\n230 240 lock D 1\n250 260 unlock D 1\n270 280 unlock C 2\n",
      "d", "310 320 lock D 2\n330 340 lock A 2\n350 360 unlock A 2\n370 380 unlock D 2\n",
      NULL};

  check (three, "A 2.1(0) B 0.1(0) C 1.1(0);");
  check (four, "A 3.1(0) B 0.1(0) C 1.1(0) D 2.1(0);");
}

/* The first time was before the post, but there was a second one. */
static void
test_again (void)
{
  static const char *const again[] = {
      "a", FIRST "85 86 post S 1\n200 210 lock A 3\n220 230 lock B 3\n240 250 unlock B 3\n260 270 unlock A 3\n", "b",
      "90 95 wait S 1\n" SECOND, NULL};

  check (again, "A 1.2(1) B 0.6(5);");
}

static void
test_gates (void)
{
  static const char *const gate[] = {"a", "1 2 lock G 1\n" FIRST "85 86 unlock G 1\n", "b",
                                     "100 101 lock G 2\n" SECOND "190 191 unlock G 2\n", NULL};
  static const char *const only_read[] = {"a", "1 2 read-start G 0\n" FIRST "85 86 read-end G 0\n", "b",
                                          "100 101 read-start G 0\n" SECOND "190 191 read-end G 0\n", NULL};
  static const char *const one_of_two[] = {
      "a", "1 2 lock G 1\n" FIRST "85 86 unlock G 1\n", "b",
      "100 101 lock G 2\n" SECOND "190 191 unlock G 2\n"
      "300 310 lock B 3\n320 330 lock A 3\n340 350 unlock A 3\n360 370 unlock B 3\n",
      NULL};

  check (gate, " 1 gated, 0 ordered");
  check (only_read, "A 1.2(1) B 0.2(1);");
  check (one_of_two, "A 1.7(6) B 0.2(1);");
}

/* All that orders a program beside its locks. */
static void
test_orders (void)
{
  static const char *const made[] = {"a", FIRST "85 86 create T\n", "b", "90 91 start T\n" SECOND, NULL};
  static const char *const posted[] = {"a", FIRST "85 86 post S 1\n", "b", "90 91 wait S 1\n" SECOND, NULL};
  static const char *const met[] = {"a", FIRST "85 100 barrier X 0\n", "b", "90 100 barrier X 0\n" SECOND, NULL};
  static const char *const sent[] = {"a", FIRST "85 86 send M 0\n", "b", "90 91 recv M 0\n" SECOND, NULL};
  static const char *const woken[] = {"a", FIRST "85 86 signal V 1\n", "b", "5 91 condition-wait V 1\n" SECOND, NULL};
  static const char *const advanced[] = {"a", FIRST "85 86 advance I 1\n", "b", "90 91 await I 1\n" SECOND, NULL};
  static const char *const by_third[] = {"a", FIRST "85 86 post S 1\n",           "b", "95 96 wait T 1\n" SECOND,
                                         "c", "87 88 wait S 1\n89 90 post T 1\n", NULL};
  static const char *const *const all[] = {made, posted, met, sent, woken, advanced, by_third};

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    check (all[i], " 0 gated, 1 ordered");
}

/* Neither readers among themselves, nor attempts that would have failed, nor one process alone. */
static void
test_no_waiting (void)
{
  static const char *const readers[] = {
      "a", "10 20 read-start A 0\n30 40 read-start B 0\n50 60 read-end B 0\n70 80 read-end A 0\n", "b",
      "15 25 read-start B 0\n35 45 read-start A 0\n55 65 read-end A 0\n75 85 read-end B 0\n", NULL};
  static const char *const tries[] = {
      "a", FIRST, "b", "110 120 lock B 2\n130 140 lock A 2 tried=1\n150 160 unlock A 2\n170 180 unlock B 2\n", NULL};
  static const char *const alone[] = {"a", FIRST SECOND, NULL};
  static const char *const writers[] = {
      "a", "10 20 read-start A 0\n30 40 write-start B 1\n50 60 write-end B 1\n70 80 read-end A 0\n", "b",
      "110 120 read-start B 1\n130 140 write-start A 1 value=1\n150 160 write-end A 1\n170 180 read-end B 1\n", NULL};

  check (readers, "");
  check (tries, "");
  check (alone, "");
  check (writers, "A 1.1(0) B 0.1(0);");
}

/* Who gives back a lock that another one has taken knows more than the locks tell. */
static void
test_foreign (void)
{
  static const char *const files[] = {"a", FIRST, "b", SECOND "200 210 lock B 3\n", "c", "220 230 unlock B 3\n", NULL};

  check (files, "");
}

/* --- At random ------------------------------------------------------------------------------------------------ */

enum
{
  PROCESSES = 4,
  LOCKS = 5,
  STEPS = 90,
  TOKENS = 2,
  DEEPEST = 3,
};

typedef struct
{
  guint process, ordinal;
  int lock; /* that is asked for; -1: none */
  guint n_held;
  int held[DEEPEST];
  int after; /* another event that it comes after, beside its own process's: -1: none */
} MadeEvent;

typedef struct
{
  GRand *random;
  GString *lines[PROCESSES];
  GArray *events; /* MadeEvent, in the order of time */
  guint n[PROCESSES], n_held[PROCESSES];
  int held[PROCESSES][DEEPEST];
  int holder[LOCKS], taken[LOCKS];
  GArray *posts[TOKENS]; /* int: events */
  guint waits[TOKENS];
  guint8 *ways; /* of events: from the end of the one to the begin of the other */
} Made;

static void
made_add (Made *made, guint process, const char *operation, char kind, int object, int sequence, int lock, int after)
{
  MadeEvent event = {process, made->n[process]++, lock, made->n_held[process], {0}, after};
  const guint time = made->events->len * 10;

  for (guint i = 0; i < event.n_held; i++)
    event.held[i] = made->held[process][i];
  g_array_append_val (made->events, event);
  g_string_append_printf (made->lines[process], "%u %u %s %c%d %d\n", time, time + 5, operation, kind, object,
                          sequence);
}

static void
made_unlock (Made *made, guint process)
{
  const int lock = made->held[process][--made->n_held[process]];

  made_add (made, process, "unlock", 'L', lock, made->taken[lock], -1, -1);
  made->holder[lock] = -1;
}

static void
made_step (Made *made)
{
  const guint process = (guint)g_rand_int_range (made->random, 0, PROCESSES);
  const int what = g_rand_int_range (made->random, 0, 20), lock = g_rand_int_range (made->random, 0, LOCKS);
  const int token = g_rand_int_range (made->random, 0, TOKENS);

  if (what < 10 && made->n_held[process] < DEEPEST && made->holder[lock] < 0)
    {
      made_add (made, process, "lock", 'L', lock, ++made->taken[lock], lock, -1);
      made->holder[lock] = (int)process;
      made->held[process][made->n_held[process]++] = lock;
    }
  else if (what < 18 && made->n_held[process] > 0)
    made_unlock (made, process);
  else if (what == 18)
    {
      const int post = (int)made->events->len;

      made_add (made, process, "post", 'S', token, (int)made->posts[token]->len + 1, -1, -1);
      g_array_append_val (made->posts[token], post);
    }
  else if (what == 19 && made->waits[token] < made->posts[token]->len)
    {
      const int post = g_array_index (made->posts[token], int, made->waits[token]);

      made_add (made, process, "wait", 'S', token, (int)++made->waits[token], -1, post);
    }
}

/* Program order and tokens only, no locks. */
static void
made_find_ways (Made *made)
{
  const guint n = made->events->len;

  made->ways = g_new0 (guint8, n * n);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < i; k++)
      {
        const MadeEvent *to = &g_array_index (made->events, MadeEvent, i);
        const MadeEvent *from = &g_array_index (made->events, MadeEvent, k);

        /* To the begin of the one: what is before the end of an earlier event of its process. */
        made->ways[k * n + i] = from->process == to->process;
        for (guint before = 0; before < i && !made->ways[k * n + i]; before++)
          {
            const MadeEvent *own = &g_array_index (made->events, MadeEvent, before);

            made->ways[k * n + i] =
                own->process == to->process &&
                (made->ways[k * n + before] ||
                 (own->after >= 0 && (own->after == (int)k || made->ways[k * n + (guint)own->after])));
          }
      }
}

static gboolean
made_holds (const MadeEvent *event, int lock)
{
  for (guint i = 0; i < event->n_held; i++)
    if (event->held[i] == lock)
      return TRUE;
  return FALSE;
}

enum
{
  GATED = 1,
  ORDERED = 2,
  POSSIBLE = 4,
};

/* Judges a circle of events, each of which asks for what the next one holds. */
static void
made_judge (const Made *made, const guint *circle, guint n, GHashTable *found)
{
  guint verdict = POSSIBLE, first = 0;
  GString *name = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      if (i != k && made->ways[circle[i] * made->events->len + circle[k]])
        verdict = ORDERED;
  for (guint i = 0; i < n; i++)
    {
      const MadeEvent *one = &g_array_index (made->events, MadeEvent, circle[i]);

      if (one->lock < g_array_index (made->events, MadeEvent, circle[first]).lock)
        first = i;
      for (guint k = i + 1; k < n; k++)
        for (guint h = 0; h < one->n_held; h++)
          if (made_holds (&g_array_index (made->events, MadeEvent, circle[k]), one->held[h]))
            verdict = GATED;
    }
  for (guint i = 0; i < n; i++)
    g_string_append_printf (name, "L%d ", g_array_index (made->events, MadeEvent, circle[(first + i) % n]).lock);
  verdict |= GPOINTER_TO_UINT (g_hash_table_lookup (found, name->str));
  g_hash_table_insert (found, g_string_free (name, FALSE), GUINT_TO_POINTER (verdict));
}

static void
made_extend (const Made *made, guint *circle, guint n, GHashTable *found)
{
  const MadeEvent *last = &g_array_index (made->events, MadeEvent, circle[n - 1]);

  if (n > 1 && made_holds (&g_array_index (made->events, MadeEvent, circle[0]), last->lock))
    made_judge (made, circle, n, found);
  for (guint i = 0; n < LC_LOCK_CYCLE_MOST && i < made->events->len; i++)
    {
      const MadeEvent *next = &g_array_index (made->events, MadeEvent, i);
      gboolean is_new = next->lock >= 0 && made_holds (next, last->lock);

      for (guint k = 0; k < n; k++)
        {
          const MadeEvent *other = &g_array_index (made->events, MadeEvent, circle[k]);

          is_new = is_new && other->process != next->process && other->lock != next->lock;
        }
      circle[n] = i;
      if (is_new)
        made_extend (made, circle, n + 1, found);
    }
}

static Made
made_new (guint32 seed)
{
  Made made = {.random = g_rand_new_with_seed (seed), .events = g_array_new (FALSE, FALSE, sizeof (MadeEvent))};

  for (guint i = 0; i < PROCESSES; i++)
    made.lines[i] = g_string_new (NULL);
  for (guint i = 0; i < TOKENS; i++)
    made.posts[i] = g_array_new (FALSE, FALSE, sizeof (int));
  for (guint i = 0; i < LOCKS; i++)
    made.holder[i] = -1;
  for (guint i = 0; i < STEPS; i++)
    made_step (&made);
  for (guint i = 0; i < PROCESSES; i++)
    while (made.n_held[i] > 0)
      made_unlock (&made, i);
  made_find_ways (&made);
  return made;
}

static void
made_clear (Made *made)
{
  for (guint i = 0; i < PROCESSES; i++)
    g_string_free (made->lines[i], TRUE);
  for (guint i = 0; i < TOKENS; i++)
    g_array_unref (made->posts[i]);
  g_array_unref (made->events);
  g_rand_free (made->random);
  g_free (made->ways);
}

/* The names of the possible ones, and how many are ruled out by what. */
static char *
made_dup_expected (const Made *made, guint *seen)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GList) names = NULL;
  guint circle[LC_LOCK_CYCLE_MOST + 1], gated = 0, ordered = 0;
  GString *text = g_string_new (NULL);

  for (circle[0] = 0; circle[0] < made->events->len; circle[0]++)
    if (g_array_index (made->events, MadeEvent, circle[0]).lock >= 0)
      made_extend (made, circle, 1, found);
  names = g_list_sort (g_hash_table_get_keys (found), (GCompareFunc)g_strcmp0);
  for (GList *name = names; name != NULL; name = name->next)
    {
      const guint verdict = GPOINTER_TO_UINT (g_hash_table_lookup (found, name->data));

      if (verdict & POSSIBLE)
        g_string_append_printf (text, "%s;", (const char *)name->data);
      else if (verdict & ORDERED)
        ordered++;
      else
        gated++;
      seen[verdict & POSSIBLE ? 2 : verdict & ORDERED ? 1 : 0]++;
    }
  g_string_append_printf (text, " %u gated, %u ordered", gated, ordered);
  return g_string_free (text, FALSE);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *)a, *(const char *const *)b);
}

static char *
dup_found (LcHistory *history)
{
  g_autoptr (LcSiteGroups) groups = lc_site_groups_new (history, LC_SITES_BY_SITE);
  g_autoptr (LcRules) rules = lc_rules_new ();
  g_autoptr (LcLockCycles) cycles = lc_lock_cycles_find (history, rules, groups, NULL, NULL);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (NULL);

  g_assert_nonnull (cycles);
  for (guint i = 0; i < cycles->cycles->len; i++)
    {
      const LcLockCycle *cycle = &g_array_index (cycles->cycles, LcLockCycle, i);
      GString *name = g_string_new (NULL);
      char *names[LC_LOCK_CYCLE_MOST];
      guint first = 0;

      for (guint k = 0; k < cycle->n; k++)
        {
          LcHistoryObject object;

          g_assert_true (lc_history_get_object (history, cycle->waiters[k].object, &object, NULL));
          names[k] = g_steal_pointer (&object.name);
          lc_history_object_clear (&object);
          first = strcmp (names[k], names[first]) < 0 ? k : first;
        }
      for (guint k = 0; k < cycle->n; k++)
        g_string_append_printf (name, "%s ", names[(first + k) % cycle->n]);
      for (guint k = 0; k < cycle->n; k++)
        g_free (names[k]);
      g_ptr_array_add (lines, g_string_free (name, FALSE));
    }
  g_ptr_array_sort (lines, compare_names);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (text, "%s;", (const char *)lines->pdata[i]);
  g_string_append_printf (text, " %u gated, %u ordered", (guint)cycles->gated, (guint)cycles->ordered);
  return g_string_free (text, FALSE);
}

static void
test_random (void)
{
  guint seen[3] = {0};

  for (guint32 seed = 1; seed <= random_trials (120); seed++)
    {
      Made made = made_new (seed);
      const char *const files[] = {"p0", made.lines[0]->str, "p1", made.lines[1]->str, "p2", made.lines[2]->str,
                                   "p3", made.lines[3]->str, NULL};
      g_autoptr (Case) trial = case_new (files, NULL);
      g_autofree char *found = dup_found (trial->history), *expected = made_dup_expected (&made, seen);

      g_assert_cmpstr (found, ==, expected);
      made_clear (&made);
    }
  /* With a sanitizer there are fewer histories. */
  for (guint i = 0; random_trials (120) == 120 && i < G_N_ELEMENTS (seen); i++)
    g_assert_cmpuint (seen[i], >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lock-cycles/two", test_two);
  g_test_add_func ("/lock-cycles/more", test_more);
  g_test_add_func ("/lock-cycles/again", test_again);
  g_test_add_func ("/lock-cycles/gates", test_gates);
  g_test_add_func ("/lock-cycles/orders", test_orders);
  g_test_add_func ("/lock-cycles/no-waiting", test_no_waiting);
  g_test_add_func ("/lock-cycles/foreign", test_foreign);
  g_test_add_func ("/lock-cycles/random", test_random);
  return g_test_run ();
}
