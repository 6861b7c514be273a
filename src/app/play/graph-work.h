/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of the process graph: the input of the thread, and its result. */
#ifndef LC_APP_GRAPH_WORK_H
#define LC_APP_GRAPH_WORK_H

#include <gdk/gdk.h>

#include "app/job.h"
#include "app/session/shown.h"
#include "lightcone/process-graph.h"

typedef struct
{
  LcShown *shown;
  LcProcessGraph *graph; /* NULL: to be made */
  LcGraphLayout layout;
  LcTheme theme;
  double text_scale; /* of the labels */
  guint64 from;      /* the part of the run */
  guint64 to;
  guint32 chosen; /* row of the selection, or LC_TRACE_NONE */
  int width;
  int height;
  int scale;
} LcGraphWork;

typedef struct
{
  LcProcessGraph *graph;
  GdkTexture *texture;
  LcGraphCounts counts;
} LcGraphPicture;

void lc_graph_work_free (LcGraphWork *work);
void lc_graph_picture_free (LcGraphPicture *picture);

/* An LcJobWork of an LcGraphWork that returns an LcGraphPicture. */
gpointer lc_graph_work_run (gpointer work, LcJobPermille *done, GCancellable *cancellable, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcGraphWork, lc_graph_work_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcGraphPicture, lc_graph_picture_free)

#endif
