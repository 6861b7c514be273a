/* SPDX-License-Identifier: Apache-2.0 */
/* What a view is to the picture: one file each, with one of these. */
#ifndef LC_DRAW_VIEW_H
#define LC_DRAW_VIEW_H

#include "draw/frame.h"
#include "history/names.h"
#include "lightcone/picture.h"

/* What is drawn, with all that was left open filled in. It lives as long as the view's model. */
typedef struct
{
  LcHistory *history; /* NULL: there is none, nor any process or timeline */
  LcNames *names;
  LcPictureOptions options; /* timelines, processes, from and to are set, whatever was asked for */
  const LcPhases *phases;   /* NULL: the view does not look at them */
  GPtrArray *timelines;     /* of LcHistoryTimeline, by number */
  LcRectangle whole;
} LcViewContext;

typedef struct
{
  LcViewInfo info;

  /* Asks the history. NULL with an error. */
  gpointer (*gather) (const LcViewContext *context, GCancellable *cancellable, GError **error);

  /* Axes, legend and notes. */
  void (*describe) (gpointer model, LcFrame *frame, LcCanvas *canvas);

  /* Within the area that the frame left. */
  void (*paint) (gpointer model, LcFrame *frame, LcCanvas *canvas, LcRectangle area);

  /* The text of a tooltip, or NULL. */
  char *(*text_at) (gpointer model, const LcFrame *frame, LcRectangle area, LcPlace place, double margin);

  /* The thing at a place of the plot; `spot` is about none as it comes. NULL or FALSE: there is none. */
  gboolean (*find) (gpointer model, const LcFrame *frame, LcRectangle area, LcPlace place, LcPictureSpot *spot);

  /* The line below the title, where there is no history. */
  char *(*dup_shown) (gpointer model);

  /* What the picture says, in a sentence or two, without the title. */
  char *(*tell) (gpointer model);

  void (*free) (gpointer model);

  /* The scene that it is a diagram of, and where that lies when it is painted in this area. NULL: it is no diagram. */
  const LcScene *(*get_scene) (gpointer model, LcRectangle area, LcDiagramView *view);

  /* LC_VIEW_PROCESS: which of the processes it is of. NULL: the first one. */
  guint32 (*get_process) (gpointer model);
} LcView;

/* All that there are (views.c). */
const LcView *lc_view_find (const char *name);

extern const LcView lc_view_space_time;
extern const LcView lc_view_parallelism; /* over time */
extern const LcView lc_view_parallelism_histogram;
extern const LcView lc_view_parallelism_average; /* over intervals */
extern const LcView lc_view_waiting;             /* per process */
extern const LcView lc_view_waiting_history;     /* per process over time */
extern const LcView lc_view_communication;       /* against computation, per process */
extern const LcView lc_view_phases;              /* communication and transfer per phase, one process */
extern const LcView lc_view_phase_map;           /* all processes, as a heat map */
extern const LcView lc_view_phase_surface;       /* all processes, as a surface */
extern const LcView lc_view_matrix;              /* process x process */
extern const LcView lc_view_objects;             /* process x object */
extern const LcView lc_view_processors;          /* process x CPU over time */
extern const LcView lc_view_snapshots;           /* matrices of the program as contours */
extern const LcView lc_view_profile;             /* per process, with the measurement and without */
extern const LcView lc_view_ratio;               /* measured/actual, approximated/actual */

#endif
