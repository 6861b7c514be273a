/* SPDX-License-Identifier: Apache-2.0 */
/* An animated change of a diagram: events move from their old places to those on another axis or timeline. */
#include "app/diagram/time-change.h"

#include <math.h>
#include <string.h>

#include "app/job.h"
#include "app/theme.h"
#include "lightcone/morph.h"

enum
{
  MOST_MARKS = 12000, /* with more marks, painting takes longer than a frame is shown */
};

/* Frames that are being painted hold the change, too. */
struct _LcTimeChange
{
  LcScene *scenes[2];
  LcShown *shown[2]; /* held, because the scenes' queries point into them */
  LcDiagramView views[2];
  LcTheme theme;
  int pixels;

  /* Only the main thread uses the rest. */
  void (*painted) (gpointer data);
  gpointer data;
  LcJob *job;
  GdkTexture *texture;
};

/* --- Painting ------------------------------------------------------------------------------------------------------
 */

typedef struct
{
  LcTimeChange *change;
  double progress;
} Frame;

static double
time_change_mix (double from, double to, double progress)
{
  return from + (to - from) * progress;
}

static GdkTexture *
time_change_paint (const LcTimeChange *change, double progress)
{
  g_autoptr (LcScene) scene = lc_scene_morph (change->scenes[0], change->scenes[1], progress, NULL, NULL);
  LcDiagramView view = change->views[1];
  int width = (int)ceil (view.area.width * change->pixels), height = (int)ceil (view.area.height * change->pixels);
  cairo_surface_t *surface;
  g_autoptr (LcCanvas) canvas = NULL;
  g_autoptr (GBytes) bytes = NULL;
  cairo_t *cairo;
  gsize stride;

  if (scene == NULL)
    return NULL;
  view.from = (double)LC_PROJECTION_START;
  view.to = (double)(LC_PROJECTION_START + LC_PROJECTION_LENGTH);
  view.time = LC_SCENE_PHYSICAL;
  view.first_row = time_change_mix (change->views[0].first_row, view.first_row, progress);
  view.last_row = time_change_mix (change->views[0].last_row, view.last_row, progress);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_surface_set_device_scale (surface, change->pixels, change->pixels);
  stride = (gsize)cairo_image_surface_get_stride (surface);
  cairo = cairo_create (surface);
  canvas = lc_theme_new_canvas (cairo, change->theme);
  lc_canvas_rectangles (canvas, lc_canvas_color_fill (lc_palette_get_color (change->theme, LC_INK_PANEL)), &view.area,
                        1);
  lc_diagram_paint (scene, &view, canvas);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), stride * (gsize)height,
                                      (GDestroyNotify)cairo_surface_destroy, surface);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
}

static void
time_change_clear (LcTimeChange *change)
{
  for (guint i = 0; i < 2; i++)
    {
      g_clear_pointer (&change->scenes[i], lc_scene_free);
      lc_shown_unref (change->shown[i]);
    }
}

static void
time_change_release (LcTimeChange *change)
{
  g_rc_box_release_full (change, (GDestroyNotify)time_change_clear);
}

static void
free_frame (gpointer data)
{
  Frame *frame = data;

  time_change_release (frame->change);
  g_free (frame);
}

static gpointer
time_change_work (gpointer data, LcJobPermille *done, GCancellable *cancellable, GError **error)
{
  const Frame *frame = data;

  return time_change_paint (frame->change, frame->progress);
}

static void
time_change_done (gpointer owner, gpointer result, const GError *error)
{
  LcTimeChange *change = owner;

  if (result != NULL)
    g_set_object (&change->texture, result);
  g_clear_object (&result);
  change->painted (change->data);
}

static void
begin_frame (LcTimeChange *change, double progress)
{
  Frame *frame = g_new (Frame, 1);

  *frame = (Frame){g_rc_box_acquire (change), progress};
  lc_job_start (change->job, time_change_work, frame, free_frame);
}

gboolean
lc_time_change_draw (LcTimeChange *change, double progress, GtkSnapshot *snapshot)
{
  const LcRectangle *area = &change->views[1].area;

  if (!lc_job_is_running (change->job))
    begin_frame (change, CLAMP (progress, 0, 1));
  if (change->texture == NULL)
    return FALSE;
  gtk_snapshot_append_texture (
      snapshot, change->texture,
      &GRAPHENE_RECT_INIT ((float)area->x, (float)area->y, (float)area->width, (float)area->height));
  return TRUE;
}

/* --- Both sides ----------------------------------------------------------------------------------------------------
 */

static gboolean
time_change_is_small (const LcScene *scene)
{
  gsize n;

  lc_scene_get_marks (scene, &n);
  return n <= MOST_MARKS && !lc_scene_is_summary (scene);
}

/* Tells whether both sides have the same rows in the same direction. */
static gboolean
time_change_fit (const LcTimeChangeSide *before, const LcTimeChangeSide *after)
{
  const LcShown *a = before->shown, *b = after->shown;

  return a->opened == b->opened && a->orientation == b->orientation && before->view.n_tracks == after->view.n_tracks &&
         lc_selection_equal_rows (&a->selection, &b->selection) && a->selection.row_ends == NULL &&
         lc_scene_get_n_rows (before->scene) == lc_scene_get_n_rows (after->scene);
}

static double
time_change_length_of (const LcDiagramView *view)
{
  return view->orientation == LC_ORIENTATION_DOWN ? view->area.height : view->area.width;
}

LcTimeChange *
lc_time_change_new (const LcTimeChangeSide *before, const LcTimeChangeSide *after, LcTheme theme, int pixels,
                    void (*painted) (gpointer data), gpointer data)
{
  const LcTimeChangeSide *const sides[] = {before, after};
  LcTimeChange *change;

  if (!time_change_fit (before, after) || !time_change_is_small (before->scene) || !time_change_is_small (after->scene))
    return NULL;
  change = g_rc_box_new0 (LcTimeChange);
  change->theme = theme;
  change->pixels = pixels;
  change->painted = painted;
  change->data = data;
  change->job = lc_job_new (change, time_change_done, NULL, g_object_unref);
  for (guint i = 0; i < 2; i++)
    {
      const LcDiagramView *view = &sides[i]->view;

      change->shown[i] = lc_shown_ref (sides[i]->shown);
      change->views[i] = *view;
      change->scenes[i] = lc_scene_project (sides[i]->scene, view->from, view->to, time_change_length_of (view));
    }
  return change;
}

void
lc_time_change_free (LcTimeChange *change)
{
  lc_job_free (change->job);
  g_clear_object (&change->texture);
  time_change_release (change);
}
