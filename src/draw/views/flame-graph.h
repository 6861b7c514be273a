/* SPDX-License-Identifier: Apache-2.0 */
/* Flame graphs of waiting: a tree of frames, and the boxes of those that are wide enough to be seen. */
#ifndef LC_DRAW_FLAME_GRAPH_H
#define LC_DRAW_FLAME_GRAPH_H

#include "history/names.h"
#include "lightcone/sites.h"

/* The stacks that a graph is made of. */
typedef enum
{
  LC_FLAME_ENDS_BOTH, /* of the waiter, then what it waited for, then upside down of who made it wait */
  LC_FLAME_ENDS_WAITER,
  LC_FLAME_ENDS_BLAMED,
} LcFlameEnds;

typedef enum
{
  LC_FLAME_ALL, /* the one that all others stand on */
  LC_FLAME_PROGRAM,
  LC_FLAME_LIBRARY,
  LC_FLAME_OBJECT,  /* what was waited for */
  LC_FLAME_UNKNOWN, /* the stack was not recorded */
} LcFlameKind;

typedef struct
{
  const char *name;          /* the graph's */
  const LcHistorySite *site; /* the history's; or NULL */
  LcFlameKind kind;
  gboolean is_blamed; /* of a stack that made others wait */
  guint32 parent;     /* number of the frame below; of the first one itself */
  guint32 level;      /* number of frames below */
  guint32 children;   /* place of the first child in `order` */
  guint32 n_children;
  guint64 time; /* ns */
} LcFlameFrame;

/* A box of a frame, or of several narrow ones beside each other on the same parent. */
typedef struct
{
  guint32 frame;    /* its number; of several the parent's */
  guint32 n_merged; /* number of these frames; 0: it is a box of a single frame */
  guint32 level;
  guint64 from; /* ns from the begin of the frame that is zoomed to */
  guint64 to;
  guint64 time; /* to - from, except below the frame that is zoomed to */
} LcFlameBox;

typedef struct
{
  GArray *frames;         /* LcFlameFrame; the first is the one that all stand on */
  guint32 *order;         /* the children of each frame, longest first, then by name */
  GStringChunk *names;    /* */
  guint64 unknown_waiter; /* ns without a stack of who waited */
  guint64 unknown_blamed; /* ns without a stack of who made others wait */

  /* lc_flame_graph_lay_out sets these. */
  guint32 zoomed;   /* the frame that is as wide as the picture */
  GArray *boxes;    /* LcFlameBox, by level and `from` */
  guint32 n_levels; /* */
} LcFlameGraph;

/* Makes the graph of LcBlame of stacks. */
LcFlameGraph *lc_flame_graph_new (LcHistory *history, LcNames *names, const GArray *blame, LcFlameEnds ends);
void lc_flame_graph_free (LcFlameGraph *graph);

/* A path names a frame: those from the second one to it, separated by semicolons. `found` is cleared if only a part of
 * the path is in the graph: then the frame is the last of this part. NULL is the path of the first frame. */
guint32 lc_flame_graph_find (const LcFlameGraph *graph, const char *path, gboolean *found);
char *lc_flame_graph_dup_path (const LcFlameGraph *graph, guint32 frame);

/* Makes the boxes of a frame with all above and below it. Frames of less than `least` ns share a box. */
void lc_flame_graph_lay_out (LcFlameGraph *graph, guint32 zoomed, double least);

const LcFlameFrame *lc_flame_graph_get (const LcFlameGraph *graph, guint32 frame);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LcFlameGraph, lc_flame_graph_free)

#endif
