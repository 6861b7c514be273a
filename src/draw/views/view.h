/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between a view and the picture: each view is a file with one LcView. */
#ifndef LC_DRAW_VIEW_H
#define LC_DRAW_VIEW_H

#include "draw/views/flame-graph.h"
#include "draw/canvas/frame.h"
#include "history/names.h"
#include "lightcone/picture.h"

/* The picture's options, with everything that was left open filled in. The context lives as long as the view's
 * model. */
typedef struct
{
  LcHistory *history; /* NULL: there is no history, and so no process or timeline */
  LcNames *names;
  LcPictureOptions options; /* timelines, processes, from and to are always set */
  const LcPhases *phases;   /* NULL: the view ignores phases */
  GPtrArray *timelines;     /* LcHistoryTimeline, by number */
  LcRectangle whole;
} LcViewContext;

typedef struct
{
  LcViewInfo info;

  /* Asks the history, and returns a model. NULL with an error. */
  gpointer (*gather) (const LcViewContext *context, GCancellable *cancellable, GError **error);

  /* LC_VIEW_FRAMES: asks the history for the part of the run that the context names now, and keeps all that is the same
   * for each part of the run. FALSE with an error: the model is as it was. */
  gboolean (*move) (gpointer model, GCancellable *cancellable, GError **error);

  /* Sets axes, legend and notes. */
  void (*describe) (gpointer model, LcFrame *frame, LcCanvas *canvas);

  /* Paints within the area that the frame left. */
  void (*paint) (gpointer model, LcFrame *frame, LcCanvas *canvas, LcRectangle area);

  /* Gives the text of a tooltip, or NULL. */
  char *(*text_at) (gpointer model, const LcFrame *frame, LcRectangle area, LcPlace place, double margin);

  /* Fills in what is at a place of the plot; `spot` comes in empty. The function may be NULL. FALSE: there is
   * nothing. */
  gboolean (*find) (gpointer model, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot);

  /* Gives the line below the title, for a picture without a history. */
  char *(*dup_shown) (gpointer model);

  /* Tells what the picture shows, in a sentence or two, without the title. */
  char *(*tell) (gpointer model);

  void (*free) (gpointer model);

  /* Gives the scene that the view is a diagram of, and its place when it is painted in this area. The function is NULL
   * if the view is no diagram. */
  const LcScene *(*get_scene) (gpointer model, LcRectangle area, LcDiagramView *view);

  /* LC_VIEW_FRAME: gives the graph, as it is painted, and the place of one of its boxes. */
  const LcFlameGraph *(*get_graph) (gpointer model);
  LcRectangle (*get_box) (gpointer model, const LcFrame *frame, LcRectangle area, guint box);
  char *(*dup_box_text) (gpointer model, guint box);

  /* Gives the data of a sheet. NULL: the view is none. */
  GVariant *(*get_sheet) (gpointer model);

  /* LC_VIEW_PROCESS: gives the process that the view is about. NULL: the first one. */
  guint32 (*get_process) (gpointer model);
} LcView;

/* Whether any operation never ended. */
gboolean lc_view_has_pending (LcHistory *history);

/* Finds a view by name in the table of all views (views.c). NULL gives the default. */
const LcView *lc_view_find (const char *name);

extern const LcView lc_view_space_time;
extern const LcView lc_view_parallelism; /* over time */
extern const LcView lc_view_parallelism_histogram;
extern const LcView lc_view_parallelism_average; /* over intervals */
extern const LcView lc_view_states;              /* how many processes are in each, over time */
extern const LcView lc_view_messages;            /* how many are on their way, over time */
extern const LcView lc_view_waiting;             /* per process */
extern const LcView lc_view_waiting_history;     /* per process over time */
extern const LcView lc_view_flame;               /* stacks that waited, and made others wait */
extern const LcView lc_view_communication;       /* against computation, per process */
extern const LcView lc_view_phases;              /* communication and transfer per phase, one process */
extern const LcView lc_view_phase_map;           /* all processes, as a heat map */
extern const LcView lc_view_phase_surface;       /* all processes, as a surface */
extern const LcView lc_view_matrix;              /* process x process */
extern const LcView lc_view_objects;             /* process x object */
extern const LcView lc_view_processors;          /* process x CPU over time */
extern const LcView lc_view_slack;               /* per process over time */
extern const LcView lc_view_graph;               /* processes as a graph, at one moment */
extern const LcView lc_view_snapshots;           /* matrices of the program as contours */
extern const LcView lc_view_profile;             /* per process, with the measurement and without */
extern const LcView lc_view_ratio;               /* measured/actual, approximated/actual */

#endif
