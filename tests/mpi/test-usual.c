/* SPDX-License-Identifier: Apache-2.0 */
/* What an operation usually costs is found among times in which something else has come between. */
#include "mpi/profile-usual.h"

#include <glib.h>

enum
{
  USUAL = 5000,    /* ns */
  SLICE = 4000000, /* ns that another program had the processor */
};

/* Lets the operation take between USUAL and twice as long, and in so many of a hundred times a slice besides. */
static void
add_times (struct lc_usual *usual, GRand *random, guint n, gint disturbed)
{
  for (guint i = 0; i < n; i++)
    lc_usual_add (usual, g_rand_int_range (random, USUAL, 2 * USUAL) +
                             (g_rand_int_range (random, 0, 100) < disturbed ? SLICE : 0));
}

static void
test_nothing_known (void)
{
  struct lc_usual usual = {0};

  g_assert_cmpint (lc_usual_get (&usual, 0), ==, 0);
  g_assert_cmpint (lc_usual_limit (&usual, 0, SLICE), ==, SLICE);
  g_assert_cmpint (lc_usual_get (&usual, USUAL), ==, USUAL);
  g_assert_cmpint (lc_usual_limit (&usual, USUAL, SLICE), ==, USUAL);
  g_assert_cmpint (lc_usual_limit (&usual, USUAL, 3 * USUAL), ==, 3 * USUAL);
}

/* Up to half of the times are disturbed, whenever. */
static void
test_slices (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (17);

  for (gint disturbed = 0; disturbed <= 50; disturbed += 10)
    {
      struct lc_usual usual = {0};

      add_times (&usual, random, 1000, disturbed);
      g_assert_cmpint (lc_usual_get (&usual, 0), >=, USUAL);
      g_assert_cmpint (lc_usual_get (&usual, 0), <, 2 * USUAL);
      g_assert_cmpint (lc_usual_limit (&usual, 0, USUAL + SLICE), ==, lc_usual_get (&usual, 0));
      g_assert_cmpint (lc_usual_limit (&usual, 0, 2 * USUAL - 1), ==, 2 * USUAL - 1);
    }
}

/* What becomes dearer for good is found again, as far as the time at the start says that it may. */
static void
test_change (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (18);
  struct lc_usual usual = {0};

  add_times (&usual, random, 100, 0);
  for (guint i = 0; i < 100; i++)
    lc_usual_add (&usual, 100 * USUAL);
  g_assert_cmpint (lc_usual_get (&usual, 0), ==, 100 * USUAL);
  g_assert_cmpint (lc_usual_get (&usual, USUAL), ==, LC_USUAL_FAR * USUAL);
  g_assert_cmpint (lc_usual_limit (&usual, 0, 101 * USUAL), ==, 101 * USUAL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/usual/nothing-known", test_nothing_known);
  g_test_add_func ("/usual/slices", test_slices);
  g_test_add_func ("/usual/change", test_change);
  return g_test_run ();
}
