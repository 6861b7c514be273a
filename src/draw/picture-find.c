/* SPDX-License-Identifier: Apache-2.0 */
/* From a place on a picture to the part of the history that it shows, so that plots lead into the diagram. */
#include "lightcone/sheet.h"
#include "picture-private.h"

gboolean
lc_picture_find_at (const LcPicture *picture, LcPlace place, LcPictureSpot *spot)
{
  g_return_val_if_fail (picture->frame != NULL, FALSE);

  *spot = (LcPictureSpot){.process = LC_TRACE_NONE, .ordinal = LC_PICTURE_NO_EVENT};
  return picture->view->find != NULL &&
         picture->view->find (picture->model, picture->frame, picture->area, place, spot);
}

void
lc_picture_get_area (const LcPicture *picture, LcRectangle *area)
{
  *area = picture->area;
}

void
lc_picture_get_moving (const LcPicture *picture, LcRectangle *moving)
{
  g_return_if_fail (picture->frame != NULL);

  *moving = lc_frame_get_moving (picture->frame);
}

gboolean
lc_picture_get_time (const LcPicture *picture, guint64 *from, guint64 *to)
{
  g_return_val_if_fail (picture->frame != NULL, FALSE);

  return lc_frame_get_time (picture->frame, from, to);
}

gboolean
lc_picture_is_turned (const LcPicture *picture)
{
  g_return_val_if_fail (picture->frame != NULL, FALSE);

  return lc_frame_is_turned (picture->frame);
}

GVariant *
lc_picture_get_sheet (const LcPicture *picture)
{
  return picture->view->get_sheet != NULL ? picture->view->get_sheet (picture->model) : NULL;
}
