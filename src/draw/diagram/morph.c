/* SPDX-License-Identifier: Apache-2.0 */
/* A scene between two others: each mark and arc of one scene is moved towards its place in the other. */
#include "lightcone/morph.h"

#include <math.h>

#include "morph-warp.h"
#include "draw/scene/scene-private.h"

/* An event without a partner is dim from this share of the way on. */
#define FADING 0.25

/* The way from one scene (`here`) to another (`there`). `here` is the nearer one, so `weight` is at most a half. */
typedef struct
{
  const LcScene *here;
  const LcScene *there;
  const LcScene *named; /* the scene whose names and highlight are kept */
  double weight;        /* 0: here, 1: there */
  LcWarp *warp;
} Morph;

static guint64
morph_between (const Morph *morph, guint64 here, guint64 there)
{
  double way = (double)(gint64)(there - here) * morph->weight;

  return here + (guint64)(gint64)floor (way + 0.5);
}

static guint64
morph_move (const Morph *morph, guint track, guint32 row, guint64 position)
{
  return morph_between (morph, position, lc_warp_map (morph->warp, track, row, position));
}

/* --- Marks ---------------------------------------------------------------------------------------------------------
 */

enum
{
  OF_TIMELINE = LC_MARK_MOVED | LC_MARK_REORDERED | LC_MARK_GAINED | LC_MARK_LESS | LC_MARK_GROUP,
};

static void
move_event (const Morph *morph, LcMark *mark)
{
  const LcMark *partner = lc_warp_find_partner (morph->warp, mark);

  if (partner == NULL)
    {
      mark->from = morph_move (morph, mark->track, mark->row, mark->from);
      mark->released = morph_move (morph, mark->track, mark->row, mark->released);
      mark->went_on = morph_move (morph, mark->track, mark->row, mark->went_on);
      mark->to = morph_move (morph, mark->track, mark->row, mark->to);
      mark->flags |= morph->weight > FADING ? LC_MARK_DIM : 0;
      return;
    }
  mark->from = morph_between (morph, mark->from, partner->from);
  mark->released = morph_between (morph, mark->released, partner->released);
  mark->went_on = morph_between (morph, mark->went_on, partner->went_on);
  mark->to = morph_between (morph, mark->to, partner->to);
  mark->running = morph_between (morph, mark->running, partner->running);
  mark->waiting = morph_between (morph, mark->waiting, partner->waiting);
  mark->woken = morph_between (morph, mark->woken, partner->woken);
  mark->preempted = morph_between (morph, mark->preempted, partner->preempted);
  mark->outside = morph_between (morph, mark->outside, partner->outside);
  for (guint i = 0; i < LC_EXCHANGES; i++)
    mark->exchange[i] = morph_between (morph, mark->exchange[i], partner->exchange[i]);
  if (morph->named == morph->here)
    return;
  mark->process = partner->process;
  mark->ordinal = partner->ordinal;
  mark->flags = (guint16)((mark->flags & OF_TIMELINE) | (partner->flags & ~OF_TIMELINE));
}

/* Finds the summary of a row at a position, or NULL. */
static const LcMark *
find_summary (const LcScene *scene, guint track, guint32 row, double position)
{
  gsize n, low = 0, high;
  const LcMark *marks = lc_scene_get_marks_of (scene, LC_MARK_SUMMARY, track, row, &n);

  for (high = n; low < high;)
    {
      gsize middle = low + (high - low) / 2;

      if ((double)marks[middle].from <= position)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && position < (double)marks[low - 1].to ? &marks[low - 1] : NULL;
}

/* Mixes two amounts as shares of their summaries' lengths, since an axis may have no unit of time. */
static guint64
morph_mix (const Morph *morph, guint64 here, double length, guint64 there, double its_length, double result)
{
  double share = (double)here / MAX (length, 1);

  share += ((double)there / MAX (its_length, 1) - share) * morph->weight;
  return (guint64)llround (share * result);
}

static void
move_summary (const Morph *morph, LcMark *mark)
{
  double length = (double)(mark->to - mark->from), result;
  double middle = ((double)lc_warp_map (morph->warp, mark->track, mark->row, mark->from) +
                   (double)lc_warp_map (morph->warp, mark->track, mark->row, mark->to)) /
                  2;
  const LcMark *partner = find_summary (morph->there, mark->track, mark->row, middle);
  LcMark its = partner != NULL ? *partner : *mark;
  double its_length = (double)(its.to - its.from);

  mark->from = morph_move (morph, mark->track, mark->row, mark->from);
  mark->to = MAX (morph_move (morph, mark->track, mark->row, mark->to), mark->from);
  mark->released = mark->went_on = mark->from;
  result = (double)(mark->to - mark->from);
  mark->running = morph_mix (morph, mark->running, length, its.running, its_length, result);
  mark->waiting = morph_mix (morph, mark->waiting, length, its.waiting, its_length, result);
  mark->woken = morph_mix (morph, mark->woken, length, its.woken, its_length, result);
  mark->preempted = morph_mix (morph, mark->preempted, length, its.preempted, its_length, result);
  mark->outside = morph_mix (morph, mark->outside, length, its.outside, its_length, result);
  mark->holding = morph_mix (morph, mark->holding, length, its.holding, its_length, result);
  for (guint i = 0; i < LC_EXCHANGES; i++)
    mark->exchange[i] = morph_mix (morph, mark->exchange[i], length, its.exchange[i], its_length, result);
}

static void
move_mark (const Morph *morph, LcMark *mark)
{
  if (mark->kind == LC_MARK_EVENT)
    move_event (morph, mark);
  else if (mark->kind == LC_MARK_SUMMARY)
    move_summary (morph, mark);
  else
    {
      mark->from = morph_move (morph, mark->track, mark->row, mark->from);
      mark->released = morph_move (morph, mark->track, mark->row, mark->released);
      mark->went_on = morph_move (morph, mark->track, mark->row, mark->went_on);
      mark->to = morph_move (morph, mark->track, mark->row, mark->to);
    }
  /* Where the order of events differs, the ends of other marks may have changed places. */
  mark->to = MAX (mark->to, mark->from);
  mark->released = CLAMP (mark->released, mark->from, mark->to);
}

static int
morph_compare_marks (gconstpointer a, gconstpointer b)
{
  const LcMark *one = a, *other = b;
  guint64 place = (guint64)one->track << 32 | one->row, other_place = (guint64)other->track << 32 | other->row;

  if (place != other_place)
    return place < other_place ? -1 : 1;
  if (one->from != other->from)
    return one->from < other->from ? -1 : 1;
  return one->ordinal < other->ordinal ? -1 : one->ordinal > other->ordinal;
}

/* Marks nearly always are in order already. */
static void
morph_sort_marks (LcScene *scene)
{
  for (guint kind = 0; kind < LC_MARKS; kind++)
    for (gsize i = scene->kinds[kind] + 1; i < scene->kinds[kind + 1]; i++)
      if (morph_compare_marks (&scene->marks[i - 1], &scene->marks[i]) > 0)
        {
          qsort (scene->marks + scene->kinds[kind], scene->kinds[kind + 1] - scene->kinds[kind], sizeof *scene->marks,
                 morph_compare_marks);
          break;
        }
}

/* --- Arcs ----------------------------------------------------------------------------------------------------------
 */

static void
move_arc (const Morph *morph, LcSceneArc *arc)
{
  gboolean link = arc->kind == LC_SCENE_ARC_LINK;

  arc->from = morph_move (morph, link ? 0 : arc->track, arc->from_row, arc->from);
  arc->to = morph_move (morph, link ? 1 : arc->track, arc->to_row, arc->to);
}

/* The critical path is that of the first scene, whichever scene is nearer. */
static void
add_path (const Morph *morph, LcScene *scene)
{
  const Morph back = {.here = morph->there, .there = morph->here, .weight = 1 - morph->weight, .warp = NULL};
  g_autoptr (LcWarp) warp = NULL;

  if (morph->named == morph->here || morph->weight == 0)
    return;
  warp = lc_warp_new_inverse (morph->warp);
  for (guint i = 0; i < morph->there->arcs->len; i++)
    {
      LcSceneArc arc = g_array_index (morph->there->arcs, LcSceneArc, i);
      Morph moved = back;

      moved.warp = warp;
      if (arc.kind != LC_SCENE_ARC_CRITICAL)
        continue;
      move_arc (&moved, &arc);
      g_array_append_val (scene->arcs, arc);
    }
}

/* --- Scenes --------------------------------------------------------------------------------------------------------
 */

static LcScene *
copy_scene (const LcScene *scene)
{
  LcScene *copy = g_memdup2 (scene, sizeof *scene);

  copy->snapshot = lc_history_take_snapshot (scene->snapshot);
  copy->names = lc_names_new (copy->snapshot);
  copy->marks = g_memdup2 (scene->marks, sizeof *scene->marks * scene->n_marks);
  copy->arcs = g_array_copy (scene->arcs);
  if (scene->density != NULL)
    copy->density = g_memdup2 (scene->density, sizeof *scene->density * (gsize)(scene->n_rows - 1) * scene->n_parts);
  return copy;
}

static LcScene *
morph_scene (const Morph *morph)
{
  LcScene *scene = copy_scene (morph->here);
  guint64 from = morph_between (morph, morph->here->query.from, morph->there->query.from);
  guint64 to = morph_between (morph, morph->here->query.to, morph->there->query.to);

  for (gsize i = 0; i < scene->n_marks; i++)
    move_mark (morph, &scene->marks[i]);
  morph_sort_marks (scene);
  for (guint i = 0; i < scene->arcs->len; i++)
    move_arc (morph, &g_array_index (scene->arcs, LcSceneArc, i));
  add_path (morph, scene);
  scene->query = morph->named->query;
  scene->query.from = from;
  scene->query.to = to;
  scene->totals.events = morph_between (morph, morph->here->totals.events, morph->there->totals.events);
  scene->totals.running = morph_between (morph, morph->here->totals.running, morph->there->totals.running);
  scene->totals.waiting = morph_between (morph, morph->here->totals.waiting, morph->there->totals.waiting);
  scene->totals.woken = morph_between (morph, morph->here->totals.woken, morph->there->totals.woken);
  scene->totals.preempted = morph_between (morph, morph->here->totals.preempted, morph->there->totals.preempted);
  scene->totals.outside = morph_between (morph, morph->here->totals.outside, morph->there->totals.outside);
  scene->totals.holding = morph_between (morph, morph->here->totals.holding, morph->there->totals.holding);
  return scene;
}

LcScene *
lc_scene_morph (const LcScene *from, const LcScene *to, double share, GCancellable *cancellable, GError **error)
{
  gboolean nearer = share <= 0.5;
  Morph morph = {.here = nearer ? from : to,
                 .there = nearer ? to : from,
                 .named = from,
                 .weight = CLAMP (nearer ? share : 1 - share, 0, 1)};
  g_autoptr (LcWarp) warp = NULL;

  g_return_val_if_fail (from->history == to->history && from->n_rows == to->n_rows, NULL);
  morph.warp = warp = lc_warp_new (morph.here, morph.there, cancellable, error);
  return warp != NULL ? morph_scene (&morph) : NULL;
}

/* --- Projections ---------------------------------------------------------------------------------------------------
 */

typedef struct
{
  double from;
  double scale;
  double shift; /* to the middle of a layer, in discrete time */
  double half;  /* half the length of a mark that has no length */
} Projection;

static guint64
morph_project (const Projection *projection, double position)
{
  double place = (double)LC_PROJECTION_START + (position - projection->from) * projection->scale;

  return (guint64)llround (CLAMP (place, 0, 2.0 * (double)LC_PROJECTION_START));
}

static void
project_mark (const Projection *projection, LcMark *mark)
{
  gboolean hash = projection->shift > 0 && (mark->kind == LC_MARK_EVENT || mark->kind == LC_MARK_LOST);
  double shift = mark->kind == LC_MARK_SUMMARY ? 0 : projection->shift, half = hash ? projection->half : 0, length;
  double from = (double)mark->from, to = (double)mark->to, all = (double)lc_mark_get_time (mark);

  mark->from = morph_project (projection, from + shift - half);
  mark->to = morph_project (projection, to + shift + half);
  mark->released = hash ? mark->from : morph_project (projection, (double)mark->released + shift);
  mark->went_on = hash ? mark->from : morph_project (projection, (double)mark->went_on + shift);
  if (mark->kind != LC_MARK_SUMMARY)
    return;
  /* On an axis of layers, a summary's amounts are shares of the process's time rather than of its length. */
  length = projection->shift > 0 ? all : (to - from) * MAX (mark->n_rows, 1);
  length = (double)(mark->to - mark->from) * MAX (mark->n_rows, 1) / MAX (length, 1);
  mark->running = (guint64)((double)mark->running * length);
  mark->waiting = (guint64)((double)mark->waiting * length);
  mark->woken = (guint64)((double)mark->woken * length);
  mark->preempted = (guint64)((double)mark->preempted * length);
  mark->outside = (guint64)((double)mark->outside * length);
  mark->holding = (guint64)((double)mark->holding * length);
  for (guint i = 0; i < LC_EXCHANGES; i++)
    mark->exchange[i] = (guint64)((double)mark->exchange[i] * length);
}

LcScene *
lc_scene_project (const LcScene *scene, double from, double to, double pixels)
{
  LcScene *copy = copy_scene (scene);
  Projection projection = {.from = from, .scale = (double)LC_PROJECTION_LENGTH / (to - from)};
  double layer = pixels / (to - from); /* length of a layer in pixels */

  if (scene->query.selection.time != LC_SCENE_PHYSICAL)
    {
      projection.shift = 0.5;
      projection.half = CLAMP (layer * 0.5, 1, 6) / 2 / layer; /* as diagram.c draws it */
    }
  for (gsize i = 0; i < copy->n_marks; i++)
    project_mark (&projection, &copy->marks[i]);
  for (guint i = 0; i < copy->arcs->len; i++)
    {
      LcSceneArc *arc = &g_array_index (copy->arcs, LcSceneArc, i);

      arc->from = morph_project (&projection, (double)arc->from + projection.shift);
      arc->to = morph_project (&projection, (double)arc->to + projection.shift);
    }
  copy->query.from = morph_project (&projection, (double)scene->query.from);
  copy->query.to = morph_project (&projection, (double)scene->query.to);
  copy->query.selection.time = LC_SCENE_PHYSICAL;
  copy->query.phases = NULL;
  copy->projected = TRUE;
  return copy;
}
