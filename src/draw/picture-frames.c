/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of a flame graph in a picture, for whoever points at them or walks over them with keys. */
#include "picture-private.h"

static const LcFlameGraph *
picture_frames_get_graph (const LcPicture *picture)
{
  return picture->frame != NULL && picture->view->get_graph != NULL ? picture->view->get_graph (picture->model) : NULL;
}

static const LcFlameBox *
picture_frames_get (const LcFlameGraph *graph, guint box)
{
  return &g_array_index (graph->boxes, LcFlameBox, box);
}

static void
picture_frames_fill (const LcPicture *picture, guint number, LcPictureFrame *frame)
{
  const LcFlameGraph *graph = picture->view->get_graph (picture->model);
  const LcFlameBox *box = picture_frames_get (graph, number);
  const LcHistorySite *site = lc_flame_graph_get (graph, box->frame)->site;

  *frame = (LcPictureFrame){
      .box = number,
      .path = lc_flame_graph_dup_path (graph, box->frame),
      .place = site != NULL ? lc_history_dup_site_text (site) : NULL,
      .text = picture->view->dup_box_text (picture->model, number),
      .blamed = lc_flame_graph_get (graph, box->frame)->is_blamed,
      .merged = box->n_merged > 0,
      .area = picture->view->get_box (picture->model, picture->frame, picture->area, number),
  };
}

void
lc_picture_frame_clear (LcPictureFrame *frame)
{
  g_clear_pointer (&frame->path, g_free);
  g_clear_pointer (&frame->place, g_free);
  g_clear_pointer (&frame->text, g_free);
}

/* A box that the place is on comes before one that is only near. */
gboolean
lc_picture_find_frame (LcPicture *picture, LcPlace place, double margin, LcPictureFrame *frame)
{
  const LcFlameGraph *graph = picture_frames_get_graph (picture);
  double nearest = margin;
  guint found = G_MAXUINT;

  for (guint i = 0; graph != NULL && i < graph->boxes->len; i++)
    {
      LcRectangle area = picture->view->get_box (picture->model, picture->frame, picture->area, i);
      double away = MAX (MAX (area.x - place.x, place.x - area.x - area.width), 0);

      if (place.y < area.y || place.y >= area.y + area.height || area.y + area.height <= picture->area.y ||
          away > nearest || (away == nearest && found != G_MAXUINT))
        continue;
      nearest = away;
      found = i;
    }
  if (found == G_MAXUINT)
    return FALSE;
  picture_frames_fill (picture, found, frame);
  return TRUE;
}

gboolean
lc_picture_find_frame_by_path (LcPicture *picture, const char *path, LcPictureFrame *frame)
{
  const LcFlameGraph *graph = picture_frames_get_graph (picture);
  gboolean found = FALSE;
  guint32 number = graph != NULL ? lc_flame_graph_find (graph, path, &found) : 0;

  for (guint i = 0; found && i < graph->boxes->len; i++)
    if (picture_frames_get (graph, i)->frame == number && picture_frames_get (graph, i)->n_merged == 0)
      {
        picture_frames_fill (picture, i, frame);
        return TRUE;
      }
  return FALSE;
}

gboolean
lc_picture_find_frame_beside (LcPicture *picture, guint box, LcFrameStep step, LcPictureFrame *frame)
{
  const LcFlameGraph *graph = picture_frames_get_graph (picture);
  guint n = graph != NULL ? graph->boxes->len : 0, other = G_MAXUINT;
  const LcFlameBox *at;

  if (box >= n)
    return FALSE;
  at = picture_frames_get (graph, box);
  if (step == LC_FRAME_LEFT && box > 0 && picture_frames_get (graph, box - 1)->level == at->level)
    other = box - 1;
  else if (step == LC_FRAME_RIGHT && box + 1 < n && picture_frames_get (graph, box + 1)->level == at->level)
    other = box + 1;
  for (guint i = 0; i < n && (step == LC_FRAME_UP || step == LC_FRAME_DOWN) && other == G_MAXUINT; i++)
    {
      const LcFlameBox *next = picture_frames_get (graph, i);

      if (step == LC_FRAME_UP && next->level == at->level + 1 && next->from >= at->from && next->to <= at->to)
        other = i;
      else if (step == LC_FRAME_DOWN && next->level + 1 == at->level && next->from <= at->from && next->to >= at->to)
        other = i;
    }
  if (other == G_MAXUINT)
    return FALSE;
  picture_frames_fill (picture, other, frame);
  return TRUE;
}
