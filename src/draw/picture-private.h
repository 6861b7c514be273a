/* SPDX-License-Identifier: Apache-2.0 */
/* The picture's struct, shared by the files that make it. */
#ifndef LC_DRAW_PICTURE_PRIVATE_H
#define LC_DRAW_PICTURE_PRIVATE_H

#include "draw/views/view.h"

struct _LcPicture
{
  const LcView *view;
  LcHistory *snapshot; /* that all is asked of; or NULL */
  LcViewContext context;
  gpointer model;
  char *title;
  gboolean untitled; /* the title is not written on the picture */
  char *shown;       /* the line below the title */
  char *lost;        /* the text of a note that events were lost; NULL: none were lost */
  guint64 whole_from;
  guint64 whole_to; /* the whole run, on the same axis as `from` and `to` */

  /* The last lc_picture_paint set these. */
  LcFrame *frame;
  LcRectangle area;

  /* The options point to these. */
  LcPhases *phases;
  guint32 *timelines;
  char *definition;
  char *measure;
  char *path; /* of the frame */
  char *directory;
};

/* Shows another part of the run, on the same axis, with everything else as it is. The view has LC_VIEW_FRAMES. FALSE
 * with an error: the picture is as it was. */
gboolean lc_picture_move (LcPicture *picture, guint64 from, guint64 to, GCancellable *cancellable, GError **error);

/* --- picture-animation.c --- */

typedef struct
{
  guint64 from; /* positions */
  guint64 to;
} LcPicturePart;

/* Lists at most `n_parts` parts of what a picture shows, which follow each other: whole layers or phases, or equal
 * times. Unref with g_array_unref. */
GArray *lc_picture_list_parts (const LcPicture *picture, guint n_parts);

/* --- picture-options.c --- */

/* Fills in the view and the context. Options that the view ignores are left out, and missing ones are completed. */
gboolean lc_picture_fill (LcPicture *picture, LcHistory *history, const LcPictureOptions *options,
                          GCancellable *cancellable, GError **error);

/* --- picture-texts.c --- */

/* Both need a filled picture. Free the result with g_free. */
char *lc_picture_dup_title (const LcPicture *picture, const char *asked);
char *lc_picture_dup_shown (const LcPicture *picture);

/* Gives "measured", or "approximated: event model". */
char *lc_picture_dup_timeline (const GPtrArray *timelines, guint32 number);

/* Gives a part of an axis as people read it. */
char *lc_picture_dup_span (LcSceneTime time, const LcPhases *phases, guint64 from, guint64 to);

#endif
