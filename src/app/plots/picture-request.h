/* SPDX-License-Identifier: Apache-2.0 */
/* A request for a picture: the shown choices, a view, and a part of the run. */
#ifndef LC_APP_PICTURE_REQUEST_H
#define LC_APP_PICTURE_REQUEST_H

#include "app/session/session.h"

/* Any thread may use a copy of its own. */
typedef struct
{
  LcShown *shown;
  const char *view;    /* from lc_views_get, or any string that is never freed */
  const char *measure; /* of the view's amounts; NULL: the usual one */
  char *frame;         /* as in LcPictureOptions */
  gboolean whole;      /* the whole run rather than the part in view */
  LcSpan span;         /* the part in view, on the shown axis */
  gboolean all;        /* the span is the whole run */
  double share;        /* share of the axis that the span covers */
  char *title;         /* as in LcPictureOptions */
  LcTheme theme;
  LcDiagramStyle style;
  double width;
  double height;
  double text_scale; /* see lc_theme_get_text_scale */
  gboolean turned;   /* a plot over time has it go down */
  LcTimePlace place; /* as in LcPictureOptions */
} LcPictureRequest;

/* Makes a request from what the session shows, which must have a history. The picture is light, 1200 x 800, with the
 * view's title, and time goes in plots as in those of the window. */
LcPictureRequest *lc_picture_request_new (LcSession *session, const char *view, gboolean whole);
LcPictureRequest *lc_picture_request_copy (const LcPictureRequest *request);
void lc_picture_request_free (LcPictureRequest *request);

void lc_picture_request_set_title (LcPictureRequest *request, const char *title);
void lc_picture_request_set_frame (LcPictureRequest *request, const char *frame);

/* Has a plot over physical time line up with the diagram, or, of the whole run, with the strip of the whole run.
 * `before`: where the picture begins, as for lc_session_set_ruler. */
void lc_picture_request_line_up (LcPictureRequest *request, LcSession *session, double before);

/* Tells whether both requests lead to the same picture. */
gboolean lc_picture_request_equal (const LcPictureRequest *a, const LcPictureRequest *b);

/* Returns the session's changes after which a picture of the view has to be made again. */
guint lc_picture_request_get_changes (const char *view, gboolean whole);

/* Estimates how many events making the picture will read. */
guint64 lc_picture_request_estimate_events (const LcPictureRequest *request);

/* Fills in the options, which point into the request and into `numbers`. May read the history. FALSE with
 * LC_PICTURE_ERROR or LC_HISTORY_ERROR. */
typedef struct
{
  guint32 timelines[2];
  guint32 *row_ends;
} LcPictureNumbers;

gboolean lc_picture_request_fill (const LcPictureRequest *request, LcPictureOptions *options, LcPictureNumbers *numbers,
                                  GError **error);
void lc_picture_numbers_clear (LcPictureNumbers *numbers);

/* Makes the picture as lc_picture_new does. The request's history must outlive it. */
LcPicture *lc_picture_request_make (const LcPictureRequest *request, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcPictureRequest, lc_picture_request_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LcPictureNumbers, lc_picture_numbers_clear)

#endif
