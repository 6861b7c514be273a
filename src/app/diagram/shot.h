/* SPDX-License-Identifier: Apache-2.0 */
/* A shot: the picture of a part of the run, laid out and painted by threads, in tiles. */
#ifndef LC_APP_SHOT_H
#define LC_APP_SHOT_H

#include <gtk/gtk.h>

#include "app/session/shown.h"

/* The subject of a shot. */
typedef struct
{
  LcShown *shown;
  LcTheme theme;
  LcDiagramStyle style; /* that of the view */
  double share;         /* see lc_session_get_share */
  double text_scale;    /* see lc_theme_get_text_scale */
  int pixels;           /* device pixels per pixel of the widget */
  LcDiagramView view;
} LcShotSubject;

/* A part of the picture, in device pixels. */
typedef struct
{
  int x;
  int y;
  int width;
  int height;
  gboolean first;      /* the tile is in view, and painted before others */
  GdkTexture *texture; /* see below */
  GBytes *bytes;       /* pixels of the texture, if it is painted; rows without gaps */
} LcTile;

/* Returns NULL if the tile is not painted yet. */
static inline GdkTexture *
lc_tile_get_texture (const LcTile *tile)
{
  return g_atomic_pointer_get ((GdkTexture **)&tile->texture);
}

/*
 * A shot, and all functions below, belong to the main thread. All tiles are painted from one scene at one scale, so
 * that they fit together.
 */
typedef struct _LcShot LcShot;

/* Called on the main thread when more of the shot is there, or when it has failed. */
typedef void (*LcShotNews) (LcShot *shot, gpointer data);

/* Starts a shot, and holds its subject. `seen`: the part in view, in pixels of the widget from the corner of the
 * picture, whose tiles come first. `background`: all other shots come first. */
LcShot *lc_shot_new (const LcShotSubject *subject, const LcRectangle *seen, gboolean background, LcShotNews news,
                     gpointer data);

/* Cancels the threads' work on the shot and frees it; no more news will come. */
void lc_shot_free (LcShot *shot);

const LcShotSubject *lc_shot_get_subject (const LcShot *shot);

/* Returns the scene of all rows; NULL: not laid out yet. */
const LcScene *lc_shot_get_scene (const LcShot *shot);

/* Finds what is at a place of the view if the shot is laid out: `pick` then points to `mark` or `arc`, whose rows are
 * those of the whole picture. */
gboolean lc_shot_pick (const LcShot *shot, const LcDiagramView *view, LcPlace place, double margin, LcMark *mark,
                       LcSceneArc *arc, LcPick *pick);

/* Returns the error of the shot, or NULL. */
const GError *lc_shot_get_error (const LcShot *shot);

/* Tell whether the first tiles, or all tiles, are painted. */
gboolean lc_shot_is_ready (const LcShot *shot);
gboolean lc_shot_is_complete (const LcShot *shot);

const LcTile *lc_shot_get_tiles (const LcShot *shot, guint *n_tiles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcShot, lc_shot_free)

#endif
