/* SPDX-License-Identifier: Apache-2.0 */
/* A picture, within the files that make it. */
#ifndef LC_DRAW_PICTURE_PRIVATE_H
#define LC_DRAW_PICTURE_PRIVATE_H

#include "draw/view.h"

struct _LcPicture
{
  const LcView *view;
  LcViewContext context;
  gpointer model;
  char *title;
  gboolean untitled; /* it is not written on the picture */
  char *shown;       /* the line below it */
  char *lost;        /* that events were lost; NULL: none was */
  guint64 whole_from;
  guint64 whole_to; /* of the run, on the axis of `from` and `to` */

  /* Of the last lc_picture_paint. */
  LcFrame *frame;
  LcRectangle area;

  /* What the options point at. */
  LcPhases *phases;
  guint32 *timelines;
  guint32 *processes;
  guint32 *row_ends;
  char **row_names;
  gboolean *operations;
  guint32 *objects;
  LcInside *inside;
  char *definition;
  char *measure;
  char *directory;
};

/* --- picture-options.c --- */

/* The view and all of the context: what is asked for, without what the view does not look at, and what is not. */
gboolean lc_picture_fill (LcPicture *picture, LcHistory *history, const LcPictureOptions *options,
                          GCancellable *cancellable, GError **error);

/* --- picture-texts.c --- */

/* Of a filled picture. To free with g_free. */
char *lc_picture_dup_title (const LcPicture *picture, const char *asked);
char *lc_picture_dup_shown (const LcPicture *picture);

/* "measured", "approximated: event model" */
char *lc_picture_dup_timeline (const GPtrArray *timelines, guint32 number);

/* A part of an axis, as people read it. */
char *lc_picture_dup_span (LcSceneTime time, const LcPhases *phases, guint64 from, guint64 to);

#endif
