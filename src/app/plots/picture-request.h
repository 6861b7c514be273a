/* SPDX-License-Identifier: Apache-2.0 */
/* A picture that is asked for: of what is shown, which view, which part of the run. */
#ifndef LC_APP_PICTURE_REQUEST_H
#define LC_APP_PICTURE_REQUEST_H

#include "app/session/session.h"

/* A copy can be asked for in any thread. */
typedef struct
{
  LcShown *shown;
  const char *view;    /* of lc_views_get, or any string that stays */
  const char *measure; /* of the view's amounts; NULL: as it likes */
  gboolean whole;      /* the whole run; else: */
  LcSpan span;         /* what is in view, on the axis that is shown */
  gboolean all;        /* from the begin to the end of the run */
  double share;        /* that it has of the whole axis */
  char *title;         /* as in LcPictureOptions */
  LcTheme theme;
  double width;
  double height;
} LcPictureRequest;

/* Of what the session shows, which is something. Light, 1200 x 800, with the view's title. */
LcPictureRequest *lc_picture_request_new (LcSession *session, const char *view, gboolean whole);
LcPictureRequest *lc_picture_request_copy (const LcPictureRequest *request);
void lc_picture_request_free (LcPictureRequest *request);

void lc_picture_request_set_title (LcPictureRequest *request, const char *title);

/* The same picture would come of both. */
gboolean lc_picture_request_equal (const LcPictureRequest *a, const LcPictureRequest *b);

/* What has to change in the session to make another picture of a view. */
guint lc_picture_request_get_changes (const char *view, gboolean whole);

/* At how many events making it will look, about. */
guint64 lc_picture_request_estimate_events (const LcPictureRequest *request);

/* Its options, which point into the request; `numbers` is what they point at besides. May ask the history. FALSE with
 * LC_PICTURE_ERROR or LC_HISTORY_ERROR. */
typedef struct
{
  guint32 timelines[2];
  guint32 *row_ends;
} LcPictureNumbers;

gboolean lc_picture_request_fill (const LcPictureRequest *request, LcPictureOptions *options, LcPictureNumbers *numbers,
                                  GError **error);
void lc_picture_numbers_clear (LcPictureNumbers *numbers);

/* The picture, as lc_picture_new makes it. The request's history must outlive it. */
LcPicture *lc_picture_request_make (const LcPictureRequest *request, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPictureRequest, lc_picture_request_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcPictureNumbers, lc_picture_numbers_clear)

#endif
