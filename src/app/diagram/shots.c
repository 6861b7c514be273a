/* SPDX-License-Identifier: Apache-2.0 */
/* The shots of a diagram's area: which to take, which to keep, and in which order to draw them. */
#include "app/diagram/shots.h"

#include <math.h>
#include <string.h>

#include "app/diagram/shot-place.h"

enum
{
  MOST_SHOTS = 2, /* in addition to the shot of the whole run */
  PATIENCE = 150, /* ms before a shot that is no longer useful is given up */
};

#define LEAST_USE 0.25 /* share of the view that a shot must have to be useful */

/* The shots of one combination of choices. */
typedef struct
{
  LcShotSubject subject; /* with the view that was last asked for on these axes */
  GPtrArray *shots;      /* LcShot, each ready to be drawn, newest last */
  LcShot *whole;         /* the shot of the whole run, which is kept; NULL: none yet */
  LcShot *flying;        /* being taken; NULL: none */
  LcShot *flying_whole;  /* the same for the shot of the whole run */
  gint64 since;          /* time at which `flying` was started */
  gboolean failed;
} Layer;

struct _LcShots
{
  LcShotsEvents events;
  gpointer data;
  Layer *before; /* layer that fades out in favour of `now`; each may be NULL */
  Layer *now;
  Layer *coming; /* layer that has nothing to draw yet */
  LcShotSubject wanted;
  LcSpan whole;
  gboolean gave_up; /* the last flying shot was given up */
  guint later;
  LcMark picked_mark;
  LcSceneArc picked_arc;
};

static void shots_consider (LcShots *shots);

/* --- Layers ---------------------------------------------------------------------------------------------------- */

static Layer *
layer_new (const LcShotSubject *subject)
{
  Layer *layer = g_new0 (Layer, 1);

  layer->subject = *subject;
  lc_shown_ref (layer->subject.shown);
  layer->shots = g_ptr_array_new_with_free_func ((GDestroyNotify)lc_shot_free);
  return layer;
}

static void
layer_free (Layer *layer)
{
  g_clear_pointer (&layer->flying, lc_shot_free);
  g_clear_pointer (&layer->flying_whole, lc_shot_free);
  g_ptr_array_unref (layer->shots);
  lc_shown_unref (layer->subject.shown);
  g_free (layer);
}

static gboolean
shots_is_of (const Layer *layer, const LcShotSubject *subject)
{
  return layer->subject.shown == subject->shown && layer->subject.theme == subject->theme &&
         layer->subject.style == subject->style && layer->subject.share == subject->share &&
         layer->subject.pixels == subject->pixels && layer->subject.text_scale == subject->text_scale;
}

/* Returns the layer that is coming, else the current one. */
static Layer *
get_latest (const LcShots *shots)
{
  return shots->coming != NULL ? shots->coming : shots->now;
}

/* Tells whether the same place means the same row and position in both. */
static gboolean
share_axes (const LcShown *a, const LcShown *b)
{
  return a == b || (a->selection.time == b->selection.time && a->orientation == b->orientation &&
                    (a->selection.time != LC_SCENE_PHASE || a->phases == b->phases) &&
                    lc_selection_equal_rows (&a->selection, &b->selection));
}

static void
shots_follow (const LcShots *shots, Layer *layer)
{
  if (layer != NULL && share_axes (layer->subject.shown, shots->wanted.shown))
    layer->subject.view = shots->wanted.view;
}

/* --- Arrivals -------------------------------------------------------------------------------------------------- */

/* Drops old shots, but never that of the whole run: all of them once the newest one is complete and covers the view,
 * else all but a few. */
static void
shots_prune (Layer *layer)
{
  LcShot *newest = layer->shots->pdata[layer->shots->len - 1];
  gboolean enough = lc_shot_is_complete (newest) && lc_shot_covers (newest, &layer->subject.view);
  guint most = enough ? 1 : MOST_SHOTS, n = 0;

  for (guint i = layer->shots->len; i > 0; i--)
    if (layer->shots->pdata[i - 1] != layer->whole && ++n > most)
      g_ptr_array_remove_index (layer->shots, i - 1);
}

static void
shots_fail (LcShots *shots, Layer *layer, const GError *error)
{
  if (layer->failed || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  layer->failed = TRUE;
  shots->events.failed (error, shots->data);
}

/* Adds a shot that is ready now. */
static void
shots_land (LcShots *shots, Layer *layer, LcShot **flying)
{
  LcShot *shot = g_steal_pointer (flying);

  if (flying == &layer->flying_whole)
    g_ptr_array_insert (layer->shots, 0, shot);
  else
    g_ptr_array_add (layer->shots, shot);
  if (layer->whole == NULL && lc_shot_has (shot, &shots->whole))
    {
      layer->whole = shot;
      g_clear_pointer (&layer->flying_whole, lc_shot_free);
    }
  if (layer != shots->coming)
    return;
  g_clear_pointer (&shots->before, layer_free);
  shots->before = shots->now;
  if (shots->before != NULL)
    {
      g_clear_pointer (&shots->before->flying, lc_shot_free);
      g_clear_pointer (&shots->before->flying_whole, lc_shot_free);
    }
  shots->now = g_steal_pointer (&shots->coming);
  shots->events.turned (shots->data);
}

static void
look_after (LcShots *shots, Layer *layer)
{
  LcShot **flying[] = {&layer->flying, &layer->flying_whole};

  for (guint i = 0; i < G_N_ELEMENTS (flying); i++)
    {
      const GError *error = *flying[i] != NULL ? lc_shot_get_error (*flying[i]) : NULL;

      if (error != NULL)
        {
          shots_fail (shots, layer, error);
          g_clear_pointer (flying[i], lc_shot_free);
        }
      else if (*flying[i] != NULL && lc_shot_is_ready (*flying[i]))
        shots_land (shots, layer, flying[i]);
    }
  if (layer->shots->len > 0)
    shots_prune (layer);
}

static void
have_news (LcShot *shot, gpointer data)
{
  LcShots *shots = data;

  if (shots->now != NULL)
    look_after (shots, shots->now);
  if (shots->coming != NULL)
    look_after (shots, shots->coming);
  shots_consider (shots);
  shots->events.arrived (shots->data);
}

/* --- Choosing the next shot ------------------------------------------------------------------------------------ */

static LcShot *
shots_take (LcShots *shots, const Layer *layer, const LcDiagramView *view, const LcSpan *whole, double margin,
            gboolean background)
{
  const LcShot *like = layer->shots->len > 0 ? layer->shots->pdata[layer->shots->len - 1] : NULL;
  LcShotSubject subject = layer->subject;
  LcRectangle seen;

  lc_shot_choose_view (view, whole, margin, subject.pixels, like, &subject.view, &seen);
  return lc_shot_new (&subject, &seen, background, have_news, shots);
}

static void
take_whole (LcShots *shots, Layer *layer)
{
  LcDiagramView view = layer->subject.view;

  view.from = shots->whole.from;
  view.to = shots->whole.to;
  view.first_row = shots->whole.first_row;
  view.last_row = shots->whole.last_row;
  layer->flying_whole = shots_take (shots, layer, &view, &shots->whole, 0, TRUE);
}

static gboolean
shots_reconsider (gpointer data)
{
  LcShots *shots = data;

  shots->later = 0;
  shots_consider (shots);
  return G_SOURCE_REMOVE;
}

/* Gives up a flying shot that is no longer useful and takes long. TRUE: no shot is flying now. */
static gboolean
shots_give_up (LcShots *shots, Layer *layer, gboolean useless, gboolean may_starve)
{
  gint64 age = (g_get_monotonic_time () - layer->since) / 1000;

  if (layer->flying == NULL)
    return TRUE;
  if (!useless || (shots->gave_up && !may_starve))
    return FALSE;
  if (age < PATIENCE)
    {
      if (shots->later == 0)
        shots->later = g_timeout_add ((guint)(PATIENCE - age) + 1, shots_reconsider, shots);
      return FALSE;
    }
  g_clear_pointer (&layer->flying, lc_shot_free);
  shots->gave_up = TRUE;
  return TRUE;
}

/* Makes the layer of the wanted subject the latest one. FALSE: the flying shot has to be awaited. */
static gboolean
turn_to_wanted (LcShots *shots)
{
  Layer *latest = get_latest (shots);
  const LcShown *shown = shots->wanted.shown;

  if (latest != NULL && shots_is_of (latest, &shots->wanted))
    return TRUE;
  if (shots->coming != NULL)
    {
      gboolean other = shots->coming->subject.shown != shown || shots->coming->subject.theme != shots->wanted.theme ||
                       shots->coming->subject.style != shots->wanted.style ||
                       shots->coming->subject.text_scale != shots->wanted.text_scale;

      if (!shots_give_up (shots, shots->coming, other, TRUE))
        return FALSE;
      g_clear_pointer (&shots->coming, layer_free);
    }
  if (shots->now != NULL && shots_is_of (shots->now, &shots->wanted))
    return TRUE;
  shots->coming = layer_new (&shots->wanted);
  return TRUE;
}

static gboolean
has_fitting (const Layer *layer, const LcShots *shots)
{
  for (guint i = 0; i < layer->shots->len; i++)
    if (lc_shot_fits (layer->shots->pdata[i], &shots->wanted.view, &shots->whole))
      return TRUE;
  return FALSE;
}

static void
shots_consider (LcShots *shots)
{
  Layer *layer;
  double margin = 0.5 / shots->wanted.pixels;

  if (shots->wanted.shown == NULL || !turn_to_wanted (shots))
    return;
  layer = get_latest (shots);
  if (layer->failed)
    return;
  if (!has_fitting (layer, shots))
    {
      gboolean useless = layer->flying != NULL && lc_shot_get_use (layer->flying, &shots->wanted.view) < LEAST_USE;

      if (!shots_give_up (shots, layer, useless, FALSE))
        return;
      layer->flying = shots_take (shots, layer, &shots->wanted.view, &shots->whole, margin, FALSE);
      layer->since = g_get_monotonic_time ();
    }
  else if (layer->whole == NULL && layer->flying_whole == NULL && layer->flying == NULL)
    take_whole (shots, layer);
}

void
lc_shots_look (LcShots *shots, const LcShotSubject *subject, const LcSpan *whole)
{
  if (subject == NULL)
    {
      g_clear_pointer (&shots->before, layer_free);
      g_clear_pointer (&shots->now, layer_free);
      g_clear_pointer (&shots->coming, layer_free);
      g_clear_pointer (&shots->wanted.shown, lc_shown_unref);
      return;
    }
  lc_shown_ref (subject->shown);
  g_clear_pointer (&shots->wanted.shown, lc_shown_unref);
  shots->wanted = *subject;
  shots->whole = *whole;
  shots_follow (shots, shots->before);
  shots_follow (shots, shots->now);
  shots_follow (shots, shots->coming);
  shots_consider (shots);
}

/* --- Showing shots --------------------------------------------------------------------------------------------- */

static void
draw_with_cairo (const Layer *layer, guint first, GtkSnapshot *snapshot)
{
  const LcDiagramView *view = &layer->subject.view;
  const LcRectangle *area = &view->area;
  cairo_t *cairo = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT ((float)area->x, (float)area->y, (float)area->width, (float)area->height));

  for (guint i = first; i < layer->shots->len; i++)
    lc_shot_draw_with_cairo (layer->shots->pdata[i], view, cairo);
  cairo_destroy (cairo);
}

/* Draws from the topmost shot that hides all below it up to the newest one. */
static void
draw_layer (const Layer *layer, GtkSnapshot *snapshot, gboolean with_cairo)
{
  const LcDiagramView *view = &layer->subject.view;
  guint first = layer->shots->len;

  while (first > 0 && (first == layer->shots->len || !lc_shot_hides (layer->shots->pdata[first], view)))
    first--;
  if (with_cairo)
    draw_with_cairo (layer, first, snapshot);
  for (guint i = first; i < layer->shots->len && !with_cairo; i++)
    lc_shot_draw (layer->shots->pdata[i], view, snapshot);
}

gboolean
lc_shots_draw (LcShots *shots, GtkSnapshot *snapshot, GskRenderer *renderer, double progress)
{
  gboolean with_cairo = GSK_IS_CAIRO_RENDERER (renderer);

  if (progress >= 1)
    g_clear_pointer (&shots->before, layer_free);
  if (shots->now == NULL)
    return FALSE;
  if (shots->before == NULL)
    {
      draw_layer (shots->now, snapshot, with_cairo);
      return TRUE;
    }
  gtk_snapshot_push_cross_fade (snapshot, progress);
  draw_layer (shots->before, snapshot, with_cairo);
  gtk_snapshot_pop (snapshot);
  draw_layer (shots->now, snapshot, with_cairo);
  gtk_snapshot_pop (snapshot);
  return TRUE;
}

/* Returns the newest of the shots that cover most of the view. */
static const LcShot *
get_best_of (const Layer *layer, const LcDiagramView *view)
{
  const LcShot *best = NULL;
  double most = 0;

  for (guint i = layer->shots->len; i > 0; i--)
    {
      double use = lc_shot_get_use (layer->shots->pdata[i - 1], view);

      if (use > most + 1e-9)
        {
          best = layer->shots->pdata[i - 1];
          most = use;
        }
    }
  return best;
}

static const LcShot *
shots_get_best (const LcShots *shots)
{
  const Layer *layer = shots->now;

  if (layer == NULL || shots->wanted.shown == NULL || !share_axes (layer->subject.shown, shots->wanted.shown))
    return NULL;
  return get_best_of (layer, &shots->wanted.view);
}

const LcScene *
lc_shots_get_scene (LcShots *shots)
{
  const LcShot *best = shots_get_best (shots);

  return best != NULL ? lc_shot_get_scene (best) : NULL;
}

gboolean
lc_shots_pick (LcShots *shots, LcPlace place, double margin, LcPick *pick)
{
  const LcShot *best = shots_get_best (shots);

  *pick = (LcPick){NULL, NULL};
  return best != NULL &&
         lc_shot_pick (best, &shots->wanted.view, place, margin, &shots->picked_mark, &shots->picked_arc, pick);
}

gboolean
lc_shots_get_sides (LcShots *shots, LcTimeChangeSide *before, LcTimeChangeSide *now)
{
  const Layer *const layers[] = {shots->before, shots->now};
  LcTimeChangeSide *sides[] = {before, now};

  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    {
      const LcShot *best = layers[i] != NULL ? get_best_of (layers[i], &layers[i]->subject.view) : NULL;

      if (best == NULL || lc_shot_get_scene (best) == NULL)
        return FALSE;
      *sides[i] = (LcTimeChangeSide){lc_shot_get_scene (best), layers[i]->subject.shown, layers[i]->subject.view};
    }
  return TRUE;
}

gboolean
lc_shots_are_sharp (LcShots *shots)
{
  return shots->wanted.shown != NULL && shots->now != NULL && shots->before == NULL &&
         shots_is_of (shots->now, &shots->wanted) && has_fitting (shots->now, shots);
}

/* --- Making and freeing ---------------------------------------------------------------------------------------- */

LcShots *
lc_shots_new (const LcShotsEvents *events, gpointer data)
{
  LcShots *shots = g_new0 (LcShots, 1);

  shots->events = *events;
  shots->data = data;
  return shots;
}

void
lc_shots_free (LcShots *shots)
{
  if (shots == NULL)
    return;
  lc_shots_look (shots, NULL, NULL);
  g_clear_handle_id (&shots->later, g_source_remove);
  g_free (shots);
}
