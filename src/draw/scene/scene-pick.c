/* SPDX-License-Identifier: Apache-2.0 */
/* The hit test: finds the mark or arc at a place, or next to it. */
#include "scene-private.h"

#include <math.h>

/* A place, and how far around it counts as near. Distances are measured in these margins. */
typedef struct
{
  const LcScene *scene;
  double row;
  double position;
  double row_margin;
  double position_margin;
} Place;

/* The nearest so far. */
typedef struct
{
  const LcMark *mark;
  double distance;
} Nearest;

/* Converts a distance to margins. If the margin is 0, only the place itself is near. */
static double
in_margins (double distance, double margin)
{
  return distance <= 0 ? 0 : margin > 0 ? distance / margin : INFINITY;
}

static double
scene_pick_outside (double value, double from, double to)
{
  return value < from ? from - value : value > to ? value - to : 0;
}

/* A mark covers all of its rows, or of one row the half of its track. */
static double
distance_across (const Place *place, const LcMark *mark)
{
  double first = mark->row, last = (double)mark->row + mark->n_rows;

  if (place->scene->query.beside != LC_TRACE_NONE && mark->n_rows == 1)
    {
      first += mark->track * 0.5;
      last = first + 0.5;
    }
  return scene_pick_outside (place->row, first, last);
}

/* In discrete time, a position is the middle of the interval that it stands for. */
static double
distance_along (const Place *place, const LcMark *mark)
{
  double before = lc_scene_is_physical (&place->scene->query) ? 0 : 0.5;
  double after = mark->kind == LC_MARK_SUMMARY ? -before : before;

  return scene_pick_outside (place->position, (double)mark->from - before, (double)mark->to + after);
}

static double
distance_to (const Place *place, const LcMark *mark)
{
  return hypot (in_margins (distance_across (place, mark), place->row_margin),
                in_margins (distance_along (place, mark), place->position_margin));
}

static void
scene_pick_consider (const Place *place, const LcMark *mark, Nearest *nearest)
{
  double distance = distance_to (place, mark);

  /* Of two marks that are equally near, the one painted later is taken. */
  if (distance <= 1 && distance <= nearest->distance)
    *nearest = (Nearest){mark, distance};
}

/* --- Marks of a row -------------------------------------------------------------------------------------------- */

/* Counts the marks that begin at a place or before it. */
static gsize
scene_pick_count_before (const LcMark *marks, gsize n, double position)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if ((double)marks[middle].from <= position)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/*
 * Marks of these kinds do not overlap, so the nearest is the last that begins before the place or the first that begins
 * after it. In discrete time, two may be equally far away.
 */
static void
search_sorted (const Place *place, const LcMark *marks, gsize n, Nearest *nearest)
{
  gsize middle = scene_pick_count_before (marks, n, place->position), first = middle > 2 ? middle - 2 : 0;

  /* Marks without length at the same place are all equally near. */
  while (middle < n && middle > 0 && marks[middle].from == marks[middle - 1].from)
    middle++;
  if (middle < n)
    {
      guint64 from = marks[middle].from;

      while (middle < n && marks[middle].from == from)
        middle++;
    }
  for (gsize i = first; i < middle; i++)
    scene_pick_consider (place, &marks[i], nearest);
}

static void
search_row (const Place *place, LcMarkKind kind, guint track, guint32 row, Nearest *nearest)
{
  gsize n;
  const LcMark *marks = lc_scene_get_marks_of (place->scene, kind, track, row, &n);

  if (kind == LC_MARK_EVENT || kind == LC_MARK_SUMMARY)
    search_sorted (place, marks, n, nearest);
  else
    for (gsize i = 0; i < n; i++)
      scene_pick_consider (place, &marks[i], nearest);
}

/* Searches the rows within the margin, in whole groups. */
static Nearest
search_kind (const Place *place, LcMarkKind kind)
{
  guint32 group = place->scene->group;
  double first = floor (place->row - place->row_margin), last = floor (place->row + place->row_margin);
  Nearest nearest = {NULL, INFINITY};

  if (place->scene->n_rows == 0 || last < 0 || first > place->scene->n_rows)
    return nearest;
  first = MAX (first - 1, 0);
  last = MIN (last, place->scene->n_rows - 1);
  for (guint track = 0; track < LC_SCENE_TRACKS; track++)
    for (guint32 row = (guint32)first - (guint32)first % group; row <= (guint32)last; row += group)
      search_row (place, kind, track, row, &nearest);
  return nearest;
}

/* --- Arcs ------------------------------------------------------------------------------------------------------ */

static double
scene_pick_middle_of (const Place *place, guint32 row, guint track)
{
  if (place->scene->query.beside == LC_TRACE_NONE)
    return row + 0.5;
  return row + 0.25 + 0.5 * track;
}

/* Gives the distance of the place, which is at (0, 0), from a segment; all in margins. */
static double
distance_to_segment (double x, double y, double to_x, double to_y)
{
  double length_x = to_x - x, length_y = to_y - y, square = length_x * length_x + length_y * length_y;
  double along = square > 0 ? CLAMP (-(x * length_x + y * length_y) / square, 0, 1) : 0;

  return hypot (x + along * length_x, y + along * length_y);
}

static double
distance_to_arc (const Place *place, const LcSceneArc *arc)
{
  gboolean link = arc->kind == LC_SCENE_ARC_LINK;
  double from = scene_pick_middle_of (place, arc->from_row, link ? 0 : arc->track);
  double to = scene_pick_middle_of (place, arc->to_row, link ? 1 : arc->track);

  return distance_to_segment (
      (from - place->row) / place->row_margin, ((double)arc->from - place->position) / place->position_margin,
      (to - place->row) / place->row_margin, ((double)arc->to - place->position) / place->position_margin);
}

static const LcSceneArc *
search_arcs (const Place *place)
{
  const LcSceneArc *nearest = NULL;
  double distance = 1;

  if (place->row_margin <= 0 || place->position_margin <= 0)
    return NULL;
  for (guint i = 0; i < place->scene->arcs->len; i++)
    {
      const LcSceneArc *arc = &g_array_index (place->scene->arcs, LcSceneArc, i);
      double its = distance_to_arc (place, arc);

      if (its < distance || (its <= distance && nearest == NULL))
        {
          nearest = arc;
          distance = its;
        }
    }
  return nearest;
}

/* --- All kinds ---------------------------------------------------------------------------------------------------- */

/* Finds the topmost mark that contains the place, or else the nearest one. */
static const LcMark *
search_marks (const Place *place, LcMarkKind lowest, LcMarkKind highest)
{
  Nearest nearest = {NULL, INFINITY};

  for (guint kind = highest; kind >= lowest && kind <= highest; kind--)
    {
      Nearest of_kind = search_kind (place, kind);

      if (of_kind.mark != NULL && of_kind.distance < nearest.distance)
        nearest = of_kind;
    }
  return nearest.mark;
}

gboolean
lc_scene_pick (const LcScene *scene, double row, double position, double row_margin, double position_margin,
               LcPick *pick)
{
  const Place place = {scene, row, position, MAX (row_margin, 0), MAX (position_margin, 0)};

  *pick = (LcPick){search_marks (&place, LC_MARK_EVENT, LC_MARK_LOST), NULL};
  if (pick->mark == NULL)
    pick->mark = search_marks (&place, LC_MARK_SUMMARY, LC_MARK_SUMMARY);
  if (pick->mark == NULL)
    pick->arc = search_arcs (&place);
  if (pick->mark == NULL && pick->arc == NULL)
    pick->mark = search_marks (&place, LC_MARK_HOLDING, LC_MARK_ABSENT);
  if (pick->mark == NULL && pick->arc == NULL)
    pick->mark = search_marks (&place, LC_MARK_LIFE, LC_MARK_GOING);
  return pick->mark != NULL || pick->arc != NULL;
}
