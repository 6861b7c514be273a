/* SPDX-License-Identifier: Apache-2.0 */
/* What is picked in a random scene, and its text, against the distances to all marks and arcs. */
#include <math.h>
#include <string.h>

#include "scene-trial.h"

static double
outside (double value, double from, double to)
{
  return value < from ? from - value : value > to ? value - to : 0;
}

static double
in_margins (double distance, double margin)
{
  return distance <= 0 ? 0 : margin > 0 ? distance / margin : INFINITY;
}

static double
mark_distance (const Trial *trial, const LcMark *mark, double row, double position, double row_margin,
               double position_margin)
{
  double half = trial_is_physical (trial) ? 0 : 0.5;
  double along =
      outside (position, (double)mark->from - half, (double)mark->to + (mark->kind == LC_MARK_SUMMARY ? -half : half));

  return hypot (in_margins (outside (row, mark->row, (double)mark->row + mark->n_rows), row_margin),
                in_margins (along, position_margin));
}

/* In steps along it. */
static double
arc_distance (const LcSceneArc *arc, double row, double position, double row_margin, double position_margin)
{
  double x = (arc->from_row + 0.5 - row) / row_margin, y = ((double)arc->from - position) / position_margin;
  double dx = ((double)arc->to_row - arc->from_row) / row_margin;
  double dy = ((double)arc->to - (double)arc->from) / position_margin;
  double square = dx * dx + dy * dy, at = square > 0 ? -(x * dx + y * dy) / square : 0;

  at = CLAMP (at, 0, 1);
  return hypot (x + at * dx, y + at * dy);
}

/* The rank of what may be picked: less is better. */
static int
rank_of (const LcMark *mark, double distance)
{
  static const int ranks[LC_MARKS] = {
      [LC_MARK_LIFE] = 4,  [LC_MARK_HOLDING] = 3, [LC_MARK_ABSENT] = 3,  [LC_MARK_SUMMARY] = 1,
      [LC_MARK_EVENT] = 0, [LC_MARK_BOUNDS] = 0,  [LC_MARK_PENDING] = 0, [LC_MARK_LOST] = 0,
  };

  return distance > 1 ? 5 : ranks[mark->kind];
}

static void
check_pick (const Trial *trial, double row, double position, double row_margin, double position_margin)
{
  gsize n_marks, n_arcs;
  const LcMark *marks = lc_scene_get_marks (trial->scene, &n_marks);
  const LcSceneArc *arcs = lc_scene_get_arcs (trial->scene, &n_arcs);
  double nearest = INFINITY, nearest_arc = INFINITY, distance;
  int best = 5;
  LcPick pick;
  gboolean found = lc_scene_pick (trial->scene, row, position, row_margin, position_margin, &pick);

  for (gsize i = 0; i < n_marks; i++)
    {
      int rank;

      distance = mark_distance (trial, &marks[i], row, position, row_margin, position_margin);
      rank = rank_of (&marks[i], distance);
      if (rank < best || (rank == best && distance < nearest))
        {
          best = rank;
          nearest = distance;
        }
    }
  for (gsize i = 0; i < n_arcs; i++)
    nearest_arc = MIN (nearest_arc, arc_distance (&arcs[i], row, position, row_margin, position_margin));
  if (best > 1 && nearest_arc <= 1 - 1e-9)
    {
      g_assert_true (found);
      g_assert_nonnull (pick.arc);
      g_assert_cmpfloat_with_epsilon (arc_distance (pick.arc, row, position, row_margin, position_margin), nearest_arc,
                                      1e-9);
      return;
    }
  if (best > 1 && nearest_arc <= 1 + 1e-9)
    return;
  g_assert_cmpint (found, ==, best < 5);
  if (!found)
    return;
  g_assert_nonnull (pick.mark);
  distance = mark_distance (trial, pick.mark, row, position, row_margin, position_margin);
  g_assert_cmpint (rank_of (pick.mark, distance), ==, best);
  g_assert_cmpfloat (distance, ==, nearest);
}

void
trial_check_picks (const Trial *trial, guint n)
{
  double length = (double)(trial->query.to - trial->query.from), rows = lc_scene_get_n_rows (trial->scene);

  for (guint i = 0; i < n; i++)
    {
      double row = g_rand_double_range (trial->random, -1, rows + 1);
      double position = (double)trial->query.from + g_rand_double_range (trial->random, -0.1, 1.1) * length;

      if (g_rand_boolean (trial->random))
        position = floor (position);
      check_pick (trial, row, position, g_rand_double_range (trial->random, 0.01, 1.5),
                  length * g_rand_double_range (trial->random, 0.0001, 0.05));
    }
}

/* Texts say something of each, and are never broken. */
void
trial_check_texts (const Trial *trial)
{
  gsize n_marks, n_arcs;
  const LcMark *marks = lc_scene_get_marks (trial->scene, &n_marks);
  const LcSceneArc *arcs = lc_scene_get_arcs (trial->scene, &n_arcs);

  for (gsize i = 0; i < n_marks + n_arcs; i += 1 + (n_marks + n_arcs) / 40)
    {
      const LcPick pick = {i < n_marks ? &marks[i] : NULL, i < n_marks ? NULL : &arcs[i - n_marks]};
      g_autofree char *text = lc_scene_dup_text (trial->scene, &pick);

      g_assert_true (g_utf8_validate (text, -1, NULL));
      g_assert_nonnull (strchr (text, '\n'));
    }
}
