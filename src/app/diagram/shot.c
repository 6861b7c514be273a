/* SPDX-License-Identifier: Apache-2.0 */
/* A shot: the picture of a part of the run, laid out and painted by threads, in tiles. */
#include "app/diagram/shot.h"

#include <math.h>
#include <sys/resource.h>

#include "app/diagram/shot-scene.h"
#include "draw/diagram/diagram-marked.h"

enum
{
  THREADS = 2,
  TILE_LENGTH = 1024,  /* along the axis, in device pixels */
  TILE_BREADTH = 2048, /* across the axis, in device pixels */
  NICENESS = 5,        /* of the threads, so that the main thread goes first */
};

/* The order in which jobs of all shots are done. */
typedef enum
{
  URGENCY_SEEN, /* tiles that are in view */
  URGENCY_LAYOUT,
  URGENCY_MARGIN, /* tiles outside the view */
  URGENCY_BACKGROUND,
} Urgency;

/* Threads hold the shot too. The main thread may read what they set once `laid_out` or `painted` says so. */
struct _LcShot
{
  LcShotSubject subject;
  gboolean background;
  GCancellable *cancellable;
  LcShotNews news; /* NULL: the shot has been freed; main thread only */
  gpointer data;

  LcScene *scene;
  LcScene *detail; /* see lc_shot_make_detail */
  guint32 first_row;
  LcDiagramMarked *marked; /* in the scene that is painted; NULL: nothing is marked */
  GError *error;
  int laid_out; /* atomic, like those below */
  int told;     /* news is on its way to the main thread */
  int painted;  /* number of painted tiles */
  int n_ready;  /* number of painted tiles among the first ones */

  LcTile *tiles;
  int n_tiles;
  int n_first;
};

typedef struct
{
  LcShot *shot;
  LcTile *tile; /* NULL: lay out the scene */
  Urgency urgency;
  guint64 number;
} Job;

static void
shot_clear (LcShot *shot)
{
  for (int i = 0; i < shot->n_tiles; i++)
    {
      g_clear_object (&shot->tiles[i].texture);
      g_clear_pointer (&shot->tiles[i].bytes, g_bytes_unref);
    }
  g_free (shot->tiles);
  g_clear_pointer (&shot->marked, lc_diagram_marked_free);
  g_clear_pointer (&shot->scene, lc_scene_free);
  g_clear_pointer (&shot->detail, lc_scene_free);
  g_clear_error (&shot->error);
  g_object_unref (shot->cancellable);
  lc_shown_unref (shot->subject.shown);
}

static void
shot_release (LcShot *shot)
{
  g_atomic_rc_box_release_full (shot, (GDestroyNotify)shot_clear);
}

/* --- News ------------------------------------------------------------------------------------------------------ */

static gboolean
shot_tell (gpointer data)
{
  LcShot *shot = data;

  g_atomic_int_set (&shot->told, FALSE);
  if (shot->news != NULL)
    shot->news (shot, shot->data);
  return G_SOURCE_REMOVE;
}

static void
have_told (LcShot *shot)
{
  if (g_atomic_int_compare_and_exchange (&shot->told, FALSE, TRUE))
    g_idle_add_full (G_PRIORITY_DEFAULT, shot_tell, g_atomic_rc_box_acquire (shot), (GDestroyNotify)shot_release);
}

/* --- Painting -------------------------------------------------------------------------------------------------- */

/* Returns the scene to paint from, and converts the view to it. */
static const LcScene *
get_seen (const LcShot *shot, LcDiagramView *view)
{
  if (shot->detail == NULL)
    return shot->scene;
  view->first_row -= shot->first_row;
  view->last_row -= shot->first_row;
  return shot->detail;
}

static void
shot_paint (const LcShot *shot, const LcTile *tile, cairo_surface_t *surface)
{
  const LcShotSubject *subject = &shot->subject;
  LcDiagramView view = subject->view;
  const LcScene *scene = get_seen (shot, &view);
  cairo_t *cairo = cairo_create (surface);
  g_autoptr (LcCanvas) canvas = NULL;
  LcFill panel = lc_canvas_color_fill (lc_palette_get_color (subject->theme, LC_INK_PANEL));

  cairo_translate (cairo, -(double)tile->x / subject->pixels, -(double)tile->y / subject->pixels);
  canvas = lc_canvas_new_cairo (cairo, subject->theme);
  lc_canvas_set_text_scale (canvas, subject->text_scale);
  lc_canvas_rectangles (canvas, panel, &view.area, 1);
  lc_diagram_paint (scene, &view, canvas);
  if (shot->marked != NULL)
    lc_diagram_marked_paint (shot->marked, &view, canvas);
  cairo_destroy (cairo);
}

static void
paint_tile (const LcShot *shot, LcTile *tile)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, tile->width, tile->height);
  gsize stride = (gsize)cairo_image_surface_get_stride (surface);

  cairo_surface_set_device_scale (surface, shot->subject.pixels, shot->subject.pixels);
  shot_paint (shot, tile, surface);
  cairo_surface_flush (surface);
  tile->bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), stride * (gsize)tile->height,
                                            (GDestroyNotify)cairo_surface_destroy, surface);
  g_atomic_pointer_set (&tile->texture,
                        gdk_memory_texture_new (tile->width, tile->height, GDK_MEMORY_DEFAULT, tile->bytes, stride));
}

/* --- Threads --------------------------------------------------------------------------------------------------- */

static void shot_work (gpointer data, gpointer user_data);

static int
compare_jobs (gconstpointer a, gconstpointer b, gpointer data)
{
  const Job *one = a, *other = b;

  if (one->urgency != other->urgency)
    return one->urgency < other->urgency ? -1 : 1;
  return one->number < other->number ? -1 : one->number > other->number;
}

/* Threads are kept, because each has fonts of its own. */
static GThreadPool *
get_threads (void)
{
  static gsize once;
  static GThreadPool *threads;

  if (g_once_init_enter (&once))
    {
      threads = g_thread_pool_new (shot_work, NULL, THREADS, TRUE, NULL);
      g_thread_pool_set_sort_function (threads, compare_jobs, NULL);
      g_once_init_leave (&once, 1);
    }
  return threads;
}

static void
add_job (LcShot *shot, LcTile *tile, Urgency urgency)
{
  static guint64 n_jobs;
  static GMutex mutex;
  Job *job = g_new (Job, 1);

  g_mutex_lock (&mutex);
  *job = (Job){.shot = g_atomic_rc_box_acquire (shot), .tile = tile, .urgency = urgency, .number = n_jobs++};
  g_mutex_unlock (&mutex);
  g_thread_pool_push (get_threads (), job, NULL);
}

static void
shot_find_marked (LcShot *shot)
{
  const LcShown *shown = shot->subject.shown;
  const LcMarks *marks = lc_kept_get (shown->marks);

  if (shot->error == NULL && marks != NULL && marks->marks->len > 0)
    shot->marked = lc_diagram_marked_new (shot->detail != NULL ? shot->detail : shot->scene, marks,
                                          (const char *const *)shown->hidden_marks, &shot->error);
}

static void
shot_lay_out (LcShot *shot)
{
  shot->scene = lc_shot_make_scene (&shot->subject, shot->cancellable, &shot->error);
  if (shot->scene != NULL)
    shot->detail = lc_shot_make_detail (&shot->subject, shot->scene, &shot->first_row, shot->cancellable, &shot->error);
  shot_find_marked (shot);
  g_atomic_int_set (&shot->laid_out, TRUE);
  for (int i = 0; shot->error == NULL && i < shot->n_tiles; i++)
    add_job (shot, &shot->tiles[i],
             shot->background       ? URGENCY_BACKGROUND
             : shot->tiles[i].first ? URGENCY_SEEN
                                    : URGENCY_MARGIN);
}

static void
be_nice (void)
{
  static GPrivate is_nice;

  if (g_private_get (&is_nice) != NULL)
    return;
  setpriority (PRIO_PROCESS, 0, NICENESS); /* on Linux this concerns only the calling thread */
  g_private_set (&is_nice, GINT_TO_POINTER (TRUE));
}

static void
shot_work (gpointer data, gpointer user_data)
{
  g_autofree Job *job = data;
  LcShot *shot = job->shot;

  be_nice ();
  if (!g_cancellable_is_cancelled (shot->cancellable))
    {
      if (job->tile == NULL)
        shot_lay_out (shot);
      else
        {
          paint_tile (shot, job->tile);
          g_atomic_int_add (&shot->n_ready, job->tile->first);
          g_atomic_int_inc (&shot->painted);
        }
      have_told (shot);
    }
  shot_release (shot);
}

/* --- Making and freeing ---------------------------------------------------------------------------------------- */

static gboolean
shot_meets (const LcTile *tile, const LcRectangle *seen, int pixels)
{
  return tile->x < (seen->x + seen->width) * pixels && tile->x + tile->width > seen->x * pixels &&
         tile->y < (seen->y + seen->height) * pixels && tile->y + tile->height > seen->y * pixels;
}

static void
shot_divide (LcShot *shot, const LcRectangle *seen)
{
  const LcShotSubject *subject = &shot->subject;
  gboolean down = subject->view.orientation == LC_ORIENTATION_DOWN;
  int width = (int)lround (subject->view.area.width * subject->pixels);
  int height = (int)lround (subject->view.area.height * subject->pixels);
  int across = down ? TILE_BREADTH : TILE_LENGTH, along = down ? TILE_LENGTH : TILE_BREADTH;

  shot->tiles = g_new0 (LcTile, (gsize)((width - 1) / across + 1) * (gsize)((height - 1) / along + 1));
  for (int y = 0; y < height; y += along)
    for (int x = 0; x < width; x += across)
      {
        LcTile *tile = &shot->tiles[shot->n_tiles++];

        *tile = (LcTile){.x = x, .y = y, .width = MIN (across, width - x), .height = MIN (along, height - y)};
        tile->first = shot_meets (tile, seen, subject->pixels);
        shot->n_first += tile->first;
      }
}

LcShot *
lc_shot_new (const LcShotSubject *subject, const LcRectangle *seen, gboolean background, LcShotNews news, gpointer data)
{
  LcShot *shot = g_atomic_rc_box_new0 (LcShot);

  shot->subject = *subject;
  lc_shown_ref (shot->subject.shown);
  shot->background = background;
  shot->cancellable = g_cancellable_new ();
  shot->news = news;
  shot->data = data;
  shot_divide (shot, seen);
  add_job (shot, NULL, background ? URGENCY_BACKGROUND : URGENCY_LAYOUT);
  return shot;
}

/* Frees textures on the main thread, because its renderer knows those that were drawn. */
static void
forget_textures (LcShot *shot)
{
  for (int i = 0; i < shot->n_tiles; i++)
    {
      GdkTexture *texture = lc_tile_get_texture (&shot->tiles[i]);

      if (texture == NULL)
        continue;
      g_atomic_pointer_set (&shot->tiles[i].texture, NULL);
      g_object_unref (texture);
      g_clear_pointer (&shot->tiles[i].bytes, g_bytes_unref);
    }
}

void
lc_shot_free (LcShot *shot)
{
  if (shot == NULL)
    return;
  shot->news = NULL;
  g_cancellable_cancel (shot->cancellable);
  forget_textures (shot);
  shot_release (shot);
}

/* --- State ----------------------------------------------------------------------------------------------------- */

const LcShotSubject *
lc_shot_get_subject (const LcShot *shot)
{
  return &shot->subject;
}

const LcScene *
lc_shot_get_scene (const LcShot *shot)
{
  return g_atomic_int_get (&shot->laid_out) ? shot->scene : NULL;
}

gboolean
lc_shot_pick (const LcShot *shot, const LcDiagramView *view, LcPlace place, double margin, LcMark *mark,
              LcSceneArc *arc, LcPick *pick)
{
  LcDiagramView own = *view;
  const LcScene *scene = get_seen (shot, &own);

  if (!lc_diagram_pick (scene, &own, place, margin, pick))
    return FALSE;
  if (pick->mark != NULL)
    {
      *mark = *pick->mark;
      mark->row += shot->detail != NULL ? shot->first_row : 0;
      pick->mark = mark;
    }
  if (pick->arc != NULL)
    {
      *arc = *pick->arc;
      arc->from_row += shot->detail != NULL ? shot->first_row : 0;
      arc->to_row += shot->detail != NULL ? shot->first_row : 0;
      pick->arc = arc;
    }
  return TRUE;
}

const GError *
lc_shot_get_error (const LcShot *shot)
{
  return g_atomic_int_get (&shot->laid_out) ? shot->error : NULL;
}

gboolean
lc_shot_is_ready (const LcShot *shot)
{
  return g_atomic_int_get (&shot->n_ready) == shot->n_first && lc_shot_get_scene (shot) != NULL;
}

gboolean
lc_shot_is_complete (const LcShot *shot)
{
  return g_atomic_int_get (&shot->painted) == shot->n_tiles;
}

const LcTile *
lc_shot_get_tiles (const LcShot *shot, guint *n_tiles)
{
  *n_tiles = (guint)shot->n_tiles;
  return shot->tiles;
}
