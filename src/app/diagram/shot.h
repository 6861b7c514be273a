/* SPDX-License-Identifier: Apache-2.0 */
/* A shot: the picture of one part of what is shown, laid out and painted by threads, in tiles. */
#ifndef LC_APP_SHOT_H
#define LC_APP_SHOT_H

#include <gtk/gtk.h>

#include "app/session/shown.h"

/* What a shot is of. */
typedef struct
{
  LcShown *shown;
  LcTheme theme;
  double share; /* lc_session_get_share */
  int pixels;   /* of the device, in one of the widget */
  LcDiagramView view;
} LcShotSubject;

/* A part of the picture. The pixels are the device's. */
typedef struct
{
  int x;
  int y;
  int width;
  int height;
  gboolean first;      /* it is seen, and painted before others */
  GdkTexture *texture; /* see below */
  GBytes *bytes;       /* of the texture, if that is there; rows without gaps */
} LcTile;

/* NULL: not painted yet. */
static inline GdkTexture *
lc_tile_get_texture (const LcTile *tile)
{
  return g_atomic_pointer_get ((GdkTexture **)&tile->texture);
}

/*
 * It belongs to the main thread, and so does everything below but what the threads do with it. All tiles are painted
 * from one scene at one scale, so that they fit together.
 */
typedef struct _LcShot LcShot;

/* In the main thread: some more of it is there, or it has failed. */
typedef void (*LcShotNews) (LcShot *shot, gpointer data);

/* `seen`: the part that is in view, in pixels of the widget from the corner of the picture; tiles there come first.
 * `background`: others come before it. Holds what it is of. */
LcShot *lc_shot_new (const LcShotSubject *subject, const LcRectangle *seen, gboolean background, LcShotNews news,
                     gpointer data);

/* Nobody wants it any more: threads stop with it as soon as they can, no news come. */
void lc_shot_free (LcShot *shot);

const LcShotSubject *lc_shot_get_subject (const LcShot *shot);

/* All rows; NULL: not laid out yet. */
const LcScene *lc_shot_get_scene (const LcShot *shot);

/* What is at a place of this view, if it is laid out: `pick` points at `mark` or `arc`, which are of the rows of all of
 * the picture. */
gboolean lc_shot_pick (const LcShot *shot, const LcDiagramView *view, LcPlace place, double margin, LcMark *mark,
                       LcSceneArc *arc, LcPick *pick);

/* What went wrong, or NULL. */
const GError *lc_shot_get_error (const LcShot *shot);

/* Whether the tiles that come first are all there, and whether all are. */
gboolean lc_shot_is_ready (const LcShot *shot);
gboolean lc_shot_is_complete (const LcShot *shot);

const LcTile *lc_shot_get_tiles (const LcShot *shot, guint *n_tiles);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcShot, lc_shot_free)

#endif
