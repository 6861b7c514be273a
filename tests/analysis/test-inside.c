/* SPDX-License-Identifier: Apache-2.0 */
/* What is inside regions and after tags: by hand, and at random against the marks followed one by one. */
#include <string.h>

#include "case.h"
#include "lightcone/inside.h"
#include "lightcone/statistics.h"

/* The ordinals of a process's events that are inside: "1 2 3". */
static char *
dup_inside (LcHistory *history, const LcInside *inside, guint32 process)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 n, first = 0, last;

  g_assert_true (lc_history_count_events (history, LC_TIMELINE_MEASURED, process, &n, NULL));
  last = n;
  lc_inside_narrow (inside, process, &first, &last);
  for (guint64 i = 0; i < n; i++)
    {
      LcHistoryEvent event;

      g_assert_true (lc_history_get_event (history, LC_TIMELINE_MEASURED, process, i, &event, NULL));
      if (!lc_inside_has (inside, &event))
        continue;
      g_assert_true (i >= first && i < last);
      g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, text->len > 0 ? " " : "", i);
    }
  return g_strdup (text->str);
}

static guint32
find_object (LcHistory *history, const char *name)
{
  for (guint32 i = 0; i < lc_history_get_n_objects (history); i++)
    {
      LcHistoryObject object;
      gboolean same;

      g_assert_true (lc_history_get_object (history, i, &object, NULL));
      same = strcmp (object.name, name) == 0;
      lc_history_object_clear (&object);
      if (same)
        return i;
    }
  g_assert_not_reached ();
}

static void
check (LcHistory *history, const char *region, gint64 tag, const char *a, const char *b)
{
  guint32 object = region != NULL ? find_object (history, region) : 0;
  g_autoptr (LcInside) inside = lc_inside_new (history, &object, region != NULL, &tag, tag != 0);
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL, *second = NULL;

  g_assert_true (lc_inside_find (inside, NULL, &error));
  first = dup_inside (history, inside, 0);
  second = dup_inside (history, inside, 1);
  g_assert_cmpstr (first, ==, a);
  g_assert_cmpstr (second, ==, b);
}

static const char *const marked[] = {"a",
                                     "0 0 tag value=5\n"    /* 0 */
                                     "1 1 enter outer\n"    /* 1 */
                                     "2 3 lock m 1\n"       /* 2 */
                                     "4 4 enter inner\n"    /* 3 */
                                     "5 6 unlock m 1\n"     /* 4 */
                                     "7 7 tag value=6\n"    /* 5 */
                                     "8 8 leave outer\n"    /* 6: inner has never been left */
                                     "9 9 tag value=5\n"    /* 7 */
                                     "10 11 lock m 3\n"     /* 8 */
                                     "12 12 leave inner\n"  /* 9: it is not inside */
                                     "13 13 enter inner\n"  /* 10 */
                                     "14 14 enter inner\n"  /* 11 */
                                     "15 15 leave inner\n"  /* 12 */
                                     "16 17 unlock m 3\n"   /* 13 */
                                     "18 18 leave inner\n"  /* 14 */
                                     "19 19 tag value=7\n", /* 15 */
                                     "b",
                                     "0 0 tag value=6\n"  /* 0 */
                                     "1 1 tag value=-6\n" /* 1 */
                                     "2 4 lock m 2\n"     /* 2 */
                                     "5 5 enter inner\n"  /* 3: never left */
                                     "6 7 unlock m 2\n",  /* 4 */
                                     NULL};

static void
test_marks (void)
{
  g_autoptr (Case) trial = case_new (marked, NULL);
  g_autoptr (GArray) regions = lc_inside_list_regions (trial->history, NULL, NULL);

  g_assert_cmpuint (regions->len, ==, 2);
  check (trial->history, "outer", 0, "1 2 3 4 5 6", "");
  check (trial->history, "inner", 0, "3 4 5 6 10 11 12 13 14", "3 4");
  check (trial->history, NULL, 5, "0 1 2 3 4 7 8 9 10 11 12 13 14", "");
  check (trial->history, NULL, 6, "5 6", "0");
  check (trial->history, NULL, -6, "", "1 2 3 4");
  check (trial->history, NULL, 8, "", "");
  check (trial->history, "outer", 7, "1 2 3 4 5 6 15", "");
  check (trial->history, "inner", 6, "3 4 5 6 10 11 12 13 14", "0 3 4");
}

/* --- At random --------------------------------------------------------------------------------------------------- */

static char *
make_marks (GRand *random, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    switch (g_rand_int_range (random, 0, 4))
      {
      case 0:
        g_string_append_printf (text, "%u %u tag value=%d\n", i, i, g_rand_int_range (random, 0, 3));
        break;
      case 1:
        g_string_append_printf (text, "%u %u enter r%d\n", i, i, g_rand_int_range (random, 0, 3));
        break;
      case 2:
        g_string_append_printf (text, "%u %u leave r%d\n", i, i, g_rand_int_range (random, 0, 3));
        break;
      default:
        g_string_append_printf (text, "%u %u advance A %u\n", i, i, i + 1);
      }
  return g_strdup (text->str);
}

/* Event by event, with a list of all regions that have been entered. */
static char *
follow_marks (const char *text, int region, int tag)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GString) entered = g_string_new (NULL); /* a letter for each */
  gboolean tagged = FALSE;

  for (guint i = 0; *lines[i] != '\0'; i++)
    {
      const char *value = strstr (lines[i], "value="), *enter = strstr (lines[i], "enter r");
      const char *leave = strstr (lines[i], "leave r");
      gboolean before;

      if (value != NULL)
        tagged = atoi (value + strlen ("value=")) == tag;
      if (enter != NULL)
        g_string_append_c (entered, enter[strlen ("enter r")]);
      before = strchr (entered->str, '0' + region) != NULL;
      if (leave != NULL && strrchr (entered->str, leave[strlen ("leave r")]) != NULL)
        g_string_truncate (entered, (gsize)(strrchr (entered->str, leave[strlen ("leave r")]) - entered->str));
      if (before || tagged)
        g_string_append_printf (found, "%s%u", found->len > 0 ? " " : "", i);
    }
  return g_strdup (found->str);
}

static void
test_random (void)
{
  for (guint32 seed = 1; seed <= random_trials (60); seed++)
    {
      g_autoptr (GRand) random = g_rand_new_with_seed (seed);
      g_autofree char *first = make_marks (random, 1 + seed % 60);
      g_autofree char *all = g_strconcat ("0 0 enter r0\n0 0 enter r1\n0 0 enter r2\n0 0 leave r0\n", NULL);
      const char *const files[] = {"a", first, "b", all, NULL};
      g_autoptr (Case) trial = case_new (files, NULL);
      g_autofree char *wanted = NULL, *found = NULL;
      int number = g_rand_int_range (random, 0, 3);
      g_autofree char *name = g_strdup_printf ("r%d", number);
      guint32 region = find_object (trial->history, name);
      gint64 tag = g_rand_int_range (random, 0, 4);
      g_autoptr (LcInside) inside = lc_inside_new (trial->history, &region, 1, &tag, 1);

      g_assert_true (lc_inside_find (inside, NULL, NULL));
      wanted = follow_marks (first, number, (int)tag);
      found = dup_inside (trial->history, inside, 0);
      g_assert_cmpstr (found, ==, wanted);
    }
}

/* --- What uses it ------------------------------------------------------------------------------------------------ */

static void
test_equal (void)
{
  g_autoptr (Case) trial = case_new (marked, NULL);
  const guint32 regions[] = {1, 2};
  const gint64 tags[] = {1, 2};
  g_autoptr (LcInside) one = lc_inside_new (trial->history, regions, 2, tags, 1);
  g_autoptr (LcInside) same = lc_inside_new (trial->history, regions, 2, tags, 1);
  g_autoptr (LcInside) other = lc_inside_new (trial->history, regions, 2, tags, 2);

  g_assert_true (lc_inside_equal (one, same));
  g_assert_true (lc_inside_equal (NULL, NULL));
  g_assert_false (lc_inside_equal (one, other));
  g_assert_false (lc_inside_equal (one, NULL));
}

/* Only b waits inside, only a elsewhere. */
static void
test_waits (void)
{
  static const char *const files[] = {"a", "0 0 lock m 1\n10 10 unlock m 1\n20 60 lock m 3\n70 70 unlock m 3\n", "b",
                                      "0 0 enter r\n5 30 lock m 2\n50 50 unlock m 2\n60 60 leave r\n", NULL};
  g_autoptr (Case) trial = case_new (files, NULL);
  guint32 region = find_object (trial->history, "r");
  g_autoptr (LcInside) inside = lc_inside_new (trial->history, &region, 1, NULL, 0);
  LcWaitsAsked asked = {0};
  g_autoptr (GArray) all = NULL, some = NULL;

  all = lc_statistics_longest_waits (trial->history, LC_TIMELINE_MEASURED, &asked, 10, NULL, NULL, NULL, NULL);
  asked.filters.inside = inside;
  some = lc_statistics_longest_waits (trial->history, LC_TIMELINE_MEASURED, &asked, 10, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (all->len, ==, 2);
  g_assert_cmpuint (some->len, ==, 1);
  g_assert_cmpuint (g_array_index (some, LcHistoryEvent, 0).process, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/inside/marks", test_marks);
  g_test_add_func ("/inside/random", test_random);
  g_test_add_func ("/inside/equal", test_equal);
  g_test_add_func ("/inside/waits", test_waits);
  return g_test_run ();
}
