/* SPDX-License-Identifier: Apache-2.0 */
/* One picture of the process graph: what a thread needs for it, and what it makes. */
#ifndef LC_APP_GRAPH_WORK_H
#define LC_APP_GRAPH_WORK_H

#include <gdk/gdk.h>

#include "app/session/shown.h"
#include "lightcone/process-graph.h"

typedef struct
{
  LcShown *shown;
  LcProcessGraph *graph; /* NULL: it is to be made */
  LcGraphLayout layout;
  LcTheme theme;
  guint64 from; /* the part of the run */
  guint64 to;
  guint32 chosen; /* row, or LC_TRACE_NONE */
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

/* For g_task_run_in_thread: the task's data is the work, its result a picture. */
void lc_graph_work_run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcGraphWork, lc_graph_work_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcGraphPicture, lc_graph_picture_free)

#endif
